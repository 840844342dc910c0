"""Markdown's tables as blocks of code."""

import sys
from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from cogs.text import tables

TABLE = """\
| Who | Age | Where |
|:----|----:|:-----:|
| **Ann** | 7 | `Berlin` |
| Béa 日本 | 31 | a \\| b |"""
BLOCK = """\
```
Who       Age  Where
────────  ───  ──────
Ann         7  Berlin
Béa 日本   31  a | b
```"""
WITHOUT_OUTER_BARS = "Who | Age\n--- | ---\nAnn | 7"
ONE_COLUMN = "| Who |\n|---|\n| Ann |"

_PIECES = st.sampled_from(
    ["|", "| a ", "|---|", "---", ":-:", "\n", "\n\n", "```", "`", "text ", "\\|", "**", " ", "日"]
)
TEXTS = st.lists(_PIECES, max_size=40).map("".join)


def test_a_table_becomes_a_block_with_aligned_columns() -> None:
    """As its second line says, by what a screen shows: wide letters count twice; marks of Markdown's go."""
    assert f"Here:\n{BLOCK}\n\nThat is all." == tables.drawn(f"Here:\n{TABLE}\n\nThat is all.")


def test_bars_around_it_are_not_needed() -> None:
    """With or without them, of two columns or of one."""
    assert "```\nWho  Age\n───  ───\nAnn  7\n```" == tables.drawn(WITHOUT_OUTER_BARS)
    assert "```\nWho\n───\nAnn\n```" == tables.drawn(ONE_COLUMN)


def test_what_is_no_table_stays() -> None:
    """Bars alone make none: its second line must have as many columns as its first."""
    for text in ("a | b", "a || b\nc || d", "| a | b |\n|---|\n| c | d |", "| a | b |\n\n|---|---|", "a\n---\nb"):
        assert text == tables.drawn(text)


def test_nothing_in_a_fence_is_touched() -> None:
    """Whether it is closed or still open; a table behind it is drawn."""
    assert f"```md\n{TABLE}\n```\n{BLOCK}" == tables.drawn(f"```md\n{TABLE}\n```\n{TABLE}")
    for is_growing in (False, True):
        assert f"```\n{TABLE}\n```" == tables.drawn(f"```\n{TABLE}", is_growing=is_growing)


def test_a_table_that_holds_a_fence_stays() -> None:
    """Its block would end in the middle of it."""
    text = "| a |\n|---|\n| ``` |"
    assert text == tables.drawn(text)


def test_a_long_cell_costs_the_others_no_room() -> None:
    """It juts out; the columns are as wide as their other cells."""
    long = "x" * (tables.WIDEST + 1)
    assert f"```\na   b\n──  ─\n{long}  1\ncc  2\n```" == tables.drawn(f"|a|b|\n|-|-|\n|{long}|1|\n|cc|2|")


def test_an_uneven_table_does_not_grow_without_bound() -> None:
    """One that would mostly show room is put into a block as it is typed."""
    typed = "\n".join(["|a|b|", "|-|-|", f"|{'x' * tables.WIDEST}|1|", *["|y|2|"] * 100])
    assert f"```\n{typed}\n```" == tables.drawn(typed)


def test_a_table_that_grows_is_never_seen_as_it_is_typed() -> None:
    """From its first letter to its last; what stands around it is shown as it comes."""
    for table in (TABLE, ONE_COLUMN):
        text = f"Some words.\n{table}\n\nMore."
        shown = [tables.drawn(text[:end], is_growing=True) for end in range(len(text) + 1)]
        assert [] == [each for each in shown if "\n|" in each]
        began = [each.count("```") for each in shown]
        assert (sorted(began), {0, 2}) == (began, {*began})
        assert tables.drawn(text) == shown[-1]


def test_a_row_that_begins_is_seen_in_its_table() -> None:
    """Also where no bar begins it: until its first one comes it is left out."""
    text = f"{WITHOUT_OUTER_BARS}\nBen | 8"
    start = len(WITHOUT_OUTER_BARS)
    shown = [tables.drawn(text[:end], is_growing=True) for end in range(start, len(text) + 1)]
    assert [] == [each for each in shown if not each.rstrip().endswith("\n```")]


@given(TEXTS | st.text())
def test_words_are_kept_in_order(text: str) -> None:
    """But for bars, rules and marks a table loses nothing, and without a bar nothing changes."""
    dropped = str.maketrans("", "", "|:-─*`\\ \n\t")
    if not any(character.isspace() for character in text.translate(dropped)):
        assert text.translate(dropped) == tables.drawn(text).translate(dropped)


@given(TEXTS)
def test_what_is_drawn_is_not_drawn_again(text: str) -> None:
    """Its blocks are fences."""
    once = tables.drawn(text)
    assert once == tables.drawn(once)


def test_no_text_takes_long_to_draw() -> None:
    """The calls a text takes grow as its length does, whatever somebody made it of."""
    for piece in ("|", "|a|\n|-|\n", "|a|b|\n|-|-|\n|c|d|\n", "|**a `b\n", "|-" * 30 + "\n", "| a |\n", "```\n|a|\n"):
        few, many = (_calls(piece * (length // len(piece))) for length in (5_000, 20_000))
        assert many <= 5 * few, piece


def _calls(text: str) -> int:
    """How often anything is called while a text is drawn."""
    made = Counter[str]()
    sys.setprofile(lambda _frame, event, _what: made.update([event]))
    try:
        tables.drawn(text, is_growing=True)
    finally:
        sys.setprofile(None)
    return made["call"] + made["c_call"]
