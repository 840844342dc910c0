import contextvars
import subprocess
import sys
from pathlib import Path

import pytest

from bot import catalogue
from bot.text import languages, patterns
from tests import catalogue as files
from tests import untranslated

FOR_NO_PERSON = frozenset({"bot.turn.model_tools", "bot.turn.warm_up"})
"""Modules whose sentences a model reads, or nobody."""
NOT_YET = patterns.vocabulary(
    """
    bot.presentation.both_sides
    bot.presentation.introduction
    bot.presentation.learned
    bot.presentation.render
    bot.presentation.retrieved
    bot.presentation.reworked
    bot.commands.about_me
    bot.commands.approvals
    bot.commands.channel_summary
    bot.commands.commands
    bot.commands.community
    bot.commands.forgetting
    bot.commands.grammar
    bot.commands.hello
    bot.commands.identity_settings
    bot.commands.including
    bot.commands.learn
    bot.commands.memory_changes
    bot.commands.memory_lists
    bot.commands.memory_making
    bot.commands.missed
    bot.commands.palace
    bot.commands.places
    bot.commands.recalling
    bot.commands.remembering
    bot.commands.removal_requests
    bot.commands.reply_reasons
    bot.commands.resets
    bot.commands.resting
    bot.commands.said_too
    bot.commands.score_breakdown
    bot.commands.scratchpad
    bot.commands.server_erasure
    bot.commands.settling
    bot.commands.status
    bot.turn.conversation
    bot.turn.lookups
    bot.turn.offline
    bot.turn.recall_answer
    bot.turn.request_answers
    bot.turn.undone
    bot.text.notices
    cogs.catchup.interrupted_commands
    cogs.catchup.past_messages
    cogs.chat.chat
    cogs.chat.incoming_files
    cogs.chat.question_context
    cogs.commands.button_presses
    cogs.commands.dispatch
    cogs.commands.menu_picks
    cogs.events.delete_button
    cogs.events.include_button
    cogs.events.removal_notice
    cogs.send.overload_notice
    cogs.send.placeholders
    """
)
"""Modules whose sentences do not all go through the catalogue yet. Those of `notices` are also what Hathi knows its own
messages by, in whatever version they were sent, so they wait for that to be known from the database alone."""


@pytest.mark.parametrize("language", files.LANGUAGES)
def test_both_files_of_a_language_agree(language: str) -> None:
    """The compiled file holds what the written one does."""
    written = files.translations(files.read(language))

    assert written == files.translations(files.compiled(language))
    assert {text for _, text in written} == files.known(files.compiled(language))
    assert len(written) > 200


@pytest.mark.parametrize("language", files.LANGUAGES)
def test_what_is_filled_in_stays(language: str) -> None:
    """A translation names what its text names: `{p}`, and nothing else in braces."""
    for (_context, text), told in files.translations(files.read(language)).items():
        for one in (told,) if isinstance(told, str) else told:
            assert files.named(text if isinstance(text, str) else text[1]) == files.named(one)


@pytest.mark.parametrize("language", files.LANGUAGES)
def test_every_marked_text_is_in_the_catalogue(language: str) -> None:
    """What is marked in code has an entry in each language, translated or not."""
    assert files.marked() - files.known(files.read(language)) == set()


def test_sentences_go_through_the_catalogue() -> None:
    """What people are sent is marked for translation, but in modules that are named here; these become fewer.

    What Discord is told of commands needs no mark: its entries are compared with what it is told.
    """
    of_commands = files.known(files.read("de")) - files.marked()
    found = {module for module, told in untranslated.sentences().items() if {*told} - of_commands}

    assert found - FOR_NO_PERSON == NOT_YET


def test_what_is_not_marked_is_found(tmp_path: Path) -> None:
    """A sentence is found wherever it stands, filled in or not; docstrings, logs and what is marked are none."""
    code = tmp_path / "told.py"
    code.write_text(
        '''"""This module tells something to people."""\n
WORDS = "Tell me what to do."
def told(name):
    """Say what was done about it."""
    _log.info("This is what the log says.", name="And this is a fact.")
    look(gettext("That goes through the catalogue."), ngettext("One is left here.", "Many are left here.", 2))
    return f"I know {name} very well", {"a": ["please give it again."]}, "a few plain words"
'''
    )

    assert [*untranslated.of_file(code)] == ["Tell me what to do.", "I know {} very well", "please give it again."]


def test_a_text_is_told_in_the_language_that_is_spoken() -> None:
    """After it is said which that is it is translated; English without one, and where no catalogue is or has it."""

    def told(language: str, text: str = "a room of memory") -> str:
        def inside() -> str:
            catalogue.speak(language)
            return catalogue.gettext(text)

        return contextvars.copy_context().run(inside)

    assert told("german") == "ein Raum des Gedächtnisses"
    assert told("german", "no text of ours") == "no text of ours"
    assert told("german", "") == ""
    assert told("swahili") == "a room of memory"
    assert catalogue.gettext("a room of memory") == "a room of memory"
    assert [catalogue.ngettext("one", "many", count) for count in (1, 2)] == ["one", "many"]


def test_every_language_of_a_space_has_its_folder() -> None:
    """What a space may speak is what there are catalogues of."""
    assert {*catalogue.CODES.values()} == {*files.LANGUAGES}
    assert {*catalogue.CODES} <= languages.STEMMED


def test_what_was_told_is_found_in_any_language() -> None:
    """A text of Hathi's is recognised however it was told."""
    assert catalogue.in_all("a room of memory") == (
        "a room of memory",
        "ein Raum des Gedächtnisses",
        "une pièce de la mémoire",
        "una sala de la memoria",
    )


def test_what_is_spelt_alike_is_told_apart() -> None:
    """A name and what it is a name of may be other words."""
    assert catalogue.in_language("summary", "de", "name") == "zusammenfassung"
    assert catalogue.in_language("summary", "de", "option") == "satz"
    assert catalogue.in_language("summary", "de") is None


def test_the_bot_needs_no_babel() -> None:
    """Only developers have what writes the catalogue."""
    code = (
        "import sys, bot.app, cogs; from bot import catalogue; catalogue.in_language('a', 'de'); "
        "sys.exit('babel' in sys.modules)"
    )

    assert subprocess.run([sys.executable, "-c", code], cwd=files.ROOT, check=False).returncode == 0
