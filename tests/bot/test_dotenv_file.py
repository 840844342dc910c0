"""The laws of `.env` files: what is written is read again, and nothing else is touched."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot import dotenv_file

NAMES = st.from_regex("[A-Z][A-Z0-9_]{0,9}", fullmatch=True)
VALUES = st.text(st.characters(codec="utf-8", exclude_characters="\r"), max_size=20)


@given(st.dictionaries(NAMES, VALUES), st.dictionaries(NAMES, VALUES))
def test_what_is_written_is_read_again(before: dict[str, str], after: dict[str, str]) -> None:
    """Whatever signs a value has; what was there and is not named stays."""
    text = dotenv_file.written(dotenv_file.written("", before), after)
    assert before | after == dotenv_file.read(text).values


def test_other_lines_stay_as_they_are() -> None:
    """Comments, blank lines, `export` and lines nobody can read; a name that stands there twice is there once then."""
    text = "# mine\n\nexport A='1'  # one\nB = 2\nnot a variable\n\nA=3\nC=4"
    assert "# mine\n\nexport A=9\nB = 2\nnot a variable\nC=4\nD='x y'\n" == dotenv_file.written(
        text, {"A": "9", "D": "x y"}
    )


@pytest.mark.parametrize("text", ["", "\n", "\n\n# only a comment", "A=1\n"])
def test_nothing_to_write_changes_nothing(text: str) -> None:
    """But for the end of the last line."""
    assert text.removesuffix("\n") == dotenv_file.written(text, {}).removesuffix("\n")


def test_lines_are_counted_as_people_count() -> None:
    """Also below blank lines and values of several lines."""
    found = dotenv_file.read("\n\nA='1\n2'\n# three\n\nB=4\n\nbad\n")
    assert ({"A": 3, "B": 7}, (9,)) == (found.lines, found.unread)
