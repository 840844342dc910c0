import subprocess
import sys

import pytest

from bot import catalogue
from tests import catalogue as files


@pytest.mark.parametrize("language", files.LANGUAGES)
def test_both_files_of_a_language_agree(language: str) -> None:
    """The compiled file holds what the written one does."""
    written = files.translations(files.read(language))

    assert written == files.translations(files.compiled(language))
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


def test_a_text_is_told_in_the_language_that_is_spoken() -> None:
    """Within its language it is translated; English without one, and where no catalogue is or has it."""
    with catalogue.spoken("de"):
        inside = catalogue.gettext("as it is now")
        unknown = catalogue.gettext("no text of ours")
    with catalogue.spoken("xx"):
        nowhere = catalogue.gettext("as it is now")

    assert (inside, unknown, nowhere) == ("so, wie es jetzt ist", "no text of ours", "as it is now")
    assert catalogue.gettext("as it is now") == "as it is now"
    assert [catalogue.ngettext("one", "many", count) for count in (1, 2)] == ["one", "many"]


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
