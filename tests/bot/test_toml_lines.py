"""The laws of where a setting stands in its file."""

import tomllib
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot import toml_lines

TEXT = """# first
top = 1
[a]
b.c = "x"
list = [
  # within
  "y",
]
text = '''
[a.z]
'''
[[a.many]]
n = 1

[[a.many]]
m = {q = 1}
"""


@pytest.mark.parametrize(
    ("place", "line"),
    [
        (("top",), 2),
        (("a",), 3),
        (("a", "b", "c"), 4),
        (("a", "list"), 5),
        (("a", "text"), 9),
        (("a", "z"), None),
        (("a", "many", 0, "n"), 13),
        (("a", "many", 1), 15),
        (("a", "many", 1, "m", "q"), 16),
        (("a", "many", 2), None),
        (("top", "under"), None),
    ],
)
def test_the_line_of_a_key_is_where_it_begins(place: Sequence[str | int], line: int | None) -> None:
    """Of a value of several lines the first, of a section its heading; what only looks like one is none."""
    assert (line, line is not None) == (toml_lines.line_of(TEXT, place), toml_lines.holds(TEXT, place))


def test_a_long_file_is_not_looked_through() -> None:
    """The key is there all the same."""
    text = "\n" * toml_lines.MOST_LINES + "key = 1\n"
    assert (None, True) == (toml_lines.line_of(text, ("key",)), toml_lines.holds(text, ("key",)))


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("", 'a = "1"\nb = "2"\n'),
        ("# only\n", '# only\n\na = "1"\nb = "2"\n'),
        ("# first\n\n[t]\na = 3\n", '# first\n\na = "1"\nb = "2"\n\n[t]\na = 3\n'),
        ('c = 5\nb = "old"  # old\n[t]\n', 'a = "1"\nc = 5\nb = "2"\n[t]\n'),
        ("gone = 1\nz = 2\n", 'a = "1"\nb = "2"\nz = 2\n'),
    ],
)
def test_keys_are_put_where_they_belong(before: str, after: str) -> None:
    """In place of the ones before, else before the first section; what is to go goes, every other line stays."""
    assert after == toml_lines.with_keys(before, {"a": "1", "b": "2", "gone": None})


@given(st.text(st.characters(codec="utf-8", exclude_categories=["Cc"])))
def test_any_value_is_read_again(value: str) -> None:
    """Whatever signs it has."""
    assert {"a": value, "b": 1} == tomllib.loads(toml_lines.with_keys("b = 1\n", {"a": value}))
