import ast
import contextvars
import re
import subprocess
import sys
from pathlib import Path

import pytest

from bot import catalogue
from bot.text import languages
from bot.turn import miss_answer, recall_answer
from cogs.commands import clickable as clickable_commands
from tests import catalogue as files
from tests import untranslated

FOR_NO_PERSON = frozenset({"bot.turn.warm_up"})
"""Modules whose sentences a model reads, or nobody."""
OF_TOOLS = "bot.tools."
"""The room whose sentences a model reads, all of them."""
_COMMAND = re.compile(r"\{p\}([a-z]+)")
FOR_A_MODEL = {"bot.turn.recall_answer": {recall_answer.CITE}, "bot.turn.miss_answer": {miss_answer.OF_PICTURES}}
"""And some of others."""


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
    """What is marked in code has an entry in each language, also where a name of a command is spelt alike."""
    assert files.without_entry(files.read(language)) == set()


@pytest.mark.parametrize("language", files.LANGUAGES)
def test_nearly_all_is_translated(language: str) -> None:
    """At most a twentieth of what people see is told in English, until somebody translates what is new."""
    assert len(files.untranslated(files.read(language))) <= len(files.marked()) / 20


def test_sentences_go_through_the_catalogue() -> None:
    """What people are sent is marked for translation.

    What Discord is told of commands needs no mark: its entries are compared with what it is told.
    """
    of_commands = files.known(files.read("de")) - files.marked()
    told = untranslated.sentences().items()
    found = {module for module, told in told if {*told} - of_commands - FOR_A_MODEL.get(module, set())}
    found = {module for module in found if not module.startswith(OF_TOOLS)}

    assert found == FOR_NO_PERSON


def test_no_mark_stands_where_it_is_not_seen() -> None:
    """What reads the code for the catalogue does not see into texts that are filled in, on the oldest Python."""
    folded = {
        f"{file.name}:{node.lineno}"
        for place in ("bot", "cogs")
        for file in (files.ROOT / place).rglob("*.py")
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, ast.JoinedStr)
        for call in ast.walk(node)
        if isinstance(call, ast.Call)
        and ast.unparse(call.func).rpartition(".")[2] in {"gettext", "ngettext"}
        and isinstance(call.args[0], ast.Constant)
    }

    assert folded == set()


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


def test_what_errors_tell_is_found(tmp_path: Path) -> None:
    """What people are told is found where an error is made of it, and where that has it from by its name."""
    code = tmp_path / "raised.py"
    code.write_text(
        """GONE = "That is gone by now."
MARKED = later("That is no sentence of ours.")
UNUSED = "Nobody is told this."
def why(name):
    return f"{name} is not yours to change."
def check(name):
    if name:
        raise errors.NotFound(GONE if name else MARKED)
    raise errors.NotAllowed(lambda p: why(name)) or errors.BadArgument(f"I don't know {name} here.")
    raise errors.SettingsError("That is wrong in the settings.")
"""
    )

    assert {*untranslated.raised_by(code)} == {
        "That is gone by now.",
        "{} is not yours to change.",
        "I don't know {} here.",
    }


def test_what_errors_tell_goes_through_the_catalogue() -> None:
    """What is raised for people is marked in every module of the bot; what a model alone is told is not."""
    for_a_model = ["at most {} memories are saved in one turn; answer now."]

    raised = {module: told for module, told in untranslated.raised().items() if not module.startswith(OF_TOOLS)}
    assert raised == {"bot.store.archivist": for_a_model}


def test_a_text_is_told_in_the_language_that_is_spoken() -> None:
    """After it is said which that is it is translated; English without one, and where no catalogue is or has it."""

    def told(language: str, text: str = "a room of memory") -> str:
        def inside() -> str:
            catalogue.speak(language)
            return catalogue.gettext(text)

        return contextvars.copy_context().run(inside)

    assert told("german") == "ein Raum des Gedächtnisses"
    # A choice of a command is spelt as the tier is, and is another word.
    assert told("french", "long") == "long terme"
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


@pytest.mark.parametrize("language", files.LANGUAGES)
def test_commands_are_typed_alike_in_every_language(language: str) -> None:
    """A translation names the commands that its text names, as they are typed: clicks are made of them."""
    clickable = (*clickable_commands.TO_CLICK, *clickable_commands.TO_PRESS)
    for (_context, text), told in files.translations(files.read(language)).items():
        english = text if isinstance(text, str) else text[1]
        for one in (told,) if isinstance(told, str) else told:
            assert sorted(_COMMAND.findall(english)) == sorted(_COMMAND.findall(one))
            assert [name for name in clickable if f"{{p}}{name}" in english] == [
                name for name in clickable if f"{{p}}{name}" in one
            ]
