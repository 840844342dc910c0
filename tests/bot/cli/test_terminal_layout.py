"""The laws of how the terminal lays out what it shows."""

import io

from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

from bot.cli.terminal_layout import Answered, blocks, wrapped

TEXTS = st.lists(
    st.sampled_from(["one", "two ", "- item", "  nested", "```", "\n", "\n\n", "# head", "> said", " "]), max_size=30
).map("".join)


def drawn(text: str, columns: int = 60) -> list[str]:
    """The lines of a reply, without colours."""
    console = Console(file=io.StringIO(), width=columns, highlight=False)
    console.print(Answered(text), crop=False)
    assert isinstance(console.file, io.StringIO)
    return [line.rstrip() for line in console.file.getvalue().splitlines()]


@given(st.text("ab \u00e9\u6f22", max_size=200), st.integers(20, 80))
def test_lines_are_cut_between_words(line: str, columns: int) -> None:
    """No word is lost or cut, and a line is longer than the screen only where one word is."""
    pieces = wrapped(line, columns)
    assert line.split() == " ".join(pieces).split()
    assert all(len(piece) <= columns or " " not in piece.strip() for piece in pieces)


def test_what_is_wrapped_stands_under_where_its_line_begins() -> None:
    """Behind an indent, and behind the mark of a list."""
    assert ["    some words that", "    go on"] == wrapped("    some words that go on", 20)
    assert ["- some words that", "  go on"] == wrapped("- some words that go on", 18)
    assert [""] == wrapped("", 20)


@given(TEXTS, TEXTS)
def test_blocks_are_the_text_and_stay(text: str, more: str) -> None:
    """Joined they are the text; whatever it goes on with, all but the last are what they were."""
    found = blocks(text)
    assert text == "".join(found)
    assert found[:-1] == blocks(text + more)[: len(found) - 1]


def test_markdown_is_drawn() -> None:
    """Emphasis, headings, lists, code and tables as what they mean; line breaks are kept, and angles are no HTML."""
    assert ["A plan and code", "next line with <id>"] == drawn("A **plan** and `code`\nnext line with <id>")
    assert ["Head"] == drawn("# Head")
    assert [" \u2022 one", " \u2022 two"] == drawn("- one\n- two")
    assert ["x = 1"] == drawn("```python\nx = 1\n```")
    assert "\u2500" in "".join(drawn("| a | b |\n|---|---|\n| 1 | 2 |"))


def test_columns_stand_under_one_another() -> None:
    """In a narrow window too: what is said of a name stays beside it, with its Markdown drawn and no word lost."""
    help_ = "!reset     Clear the talk; `discard` keeps nothing.\n!remember  Keep a fact.\n\nYes.  And on."
    told = ["!reset     Clear the talk;", "           discard keeps", "           nothing.", "!remember  Keep a fact."]
    assert [*told, "Yes.  And on."] == [line for line in drawn(help_, 28) if line]
    assert "summarised" in "".join(line.strip() for line in drawn("!reset     summarised", 16)).replace("!reset", "")
    assert ["  tags:a,b  words to find it", "            by"] == wrapped("  tags:a,b  words to find it by", 28)


def test_what_is_quoted_stays_as_it_was_written() -> None:
    """Indented lines are somebody's words: their stars are theirs, and so are their lines."""
    quoted = ["Here:", "    \u201ca *b* # c", "    \u201c- d\u201d", "    \u2014 Ann, 2 March"]
    assert quoted == drawn("\n".join(quoted))


def test_the_address_of_a_link_is_in_sight_once() -> None:
    """Behind its words, or in their place."""
    assert ["pull request 12 (https://forge.example/12)"] == drawn("[pull request 12](<https://forge.example/12>)")
    assert ["see https://forge.example/12"] == drawn("see <https://forge.example/12>")
