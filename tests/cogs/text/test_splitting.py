"""One reply in as many messages as Discord needs."""

import re
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.text import markdown
from cogs.text.splitting import split

LIMIT = 120


def units(text: str) -> int:
    """UTF-16 code units, counted by the codec."""
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def words(parts: list[str]) -> list[str]:
    return [word for part in parts for word in part.split()]


_PROSE = st.text(st.sampled_from("abcde, .!?()🦊é日本語。"), min_size=1, max_size=200)
_LINES = st.sampled_from(["\n", "\n\n", " ", ". ", "\n- ", "\n  - ", "\n1. ", "\n> ", "\n## ", "\n  "])
_WHOLE = st.sampled_from(
    [
        "`some code`",
        "``a ` b``",
        "[a masked link](https://example.org/a_(b)?c=d)",
        "https://example.org/a/long/address?with=parts&and=more",
        "<@123456789012345678>",
        "<a:party_time:123456789012345678>",
        "<t:1772452800:f>",
        "</memory list:123456789012345678>",
        "👩‍👩‍👧‍👦",
        "🇩🇪🇫🇷🇯🇵",
        "👍🏽",
        "❤️",
        "e\u0301o\u0308",
        "각",
        "क्षि",
    ]
)
_FENCES = st.builds(
    lambda language, lines: f"\n```{language}\n" + "\n".join(lines) + "\n```\n",
    st.sampled_from(["", "py", "c++"]),
    st.lists(
        st.text(st.sampled_from("xyz =()🦊"), min_size=1, max_size=150).filter(str.strip), min_size=1, max_size=12
    ),
)
DOCUMENTS = st.lists(_PROSE | _LINES | _WHOLE | _FENCES, max_size=25).map("".join)


def _befores() -> list[str]:
    """Beginnings after which the limit falls anywhere in what follows."""
    return ["w " * (length // 2) + "x" * (length % 2 or 2) for length in range(LIMIT // 4, LIMIT)]


@given(DOCUMENTS | st.text())
def test_every_part_is_within_the_limit_and_none_is_blank(text: str):
    """Every part holds something, and no more UTF-16 code units than the limit."""
    parts = split(text, LIMIT)

    assert [] == [part for part in parts if units(part) > LIMIT or not part.strip()]
    assert bool(parts) == bool(text.strip())


@given(st.lists(_PROSE | _LINES | _WHOLE, max_size=25).map("".join) | st.text(st.characters(exclude_characters="`")))
def test_nothing_is_lost_but_white_space(text: str):
    """Without code that must be broken, the parts hold every character of the text in order, but for white space."""
    parts = split(text, LIMIT)

    assert "".join(text.split()) == "".join("".join(parts).split())


@given(st.lists(st.text(st.sampled_from("abc.!-é🦊"), min_size=1, max_size=20), max_size=300))
def test_words_stay_whole_and_in_order(expected: list[str]):
    """Words that fit into a part come back in order, none of them broken."""
    assert expected == words(split(" ".join(expected), LIMIT))


@given(st.lists(_PROSE | _LINES | _WHOLE | _FENCES, max_size=25).map(" ".join))
def test_fences_are_balanced_in_each_part(text: str):
    """Every part closes the fences it opens, and opens those it closes."""
    assert [] == [part for part in split(text, LIMIT) if part.count("```") % 2]


@given(st.lists(_PROSE | _LINES, max_size=6).map("".join), st.lists(_WHOLE, min_size=1, max_size=20), _LINES)
def test_what_must_stay_whole_is_in_one_part(before: str, pieces: list[str], between: str):
    """Spans of code, links, addresses, mentions, emoji and graphemes that fit into a part are found whole in one."""
    parts = split(before + between + between.join(pieces), LIMIT)

    assert [] == [piece for piece in pieces if not any(piece in part for part in parts)]


@pytest.mark.parametrize(
    "grapheme",
    ["👩‍👩‍👧‍👦", "👍🏽", "🇩🇪", "❤️", "1️⃣", "🏴󠁧󠁢󠁥󠁮󠁧󠁿", "e\u0301\u0308", "\u1100\u1161\u11a8", "각\u11a8", "क्षि", "กำ"],
)
@pytest.mark.parametrize("before", ["", "x", "xx", "xxx", "xxxx", "xxxxx", "xxxxxx", "xxxxxxx"])
def test_no_grapheme_is_broken(before: str, grapheme: str):
    """In a run of graphemes with no white space every part holds whole ones only, wherever the limit falls."""
    parts = split(before + grapheme * 100, LIMIT)

    counts = [part.removeprefix(before if part is parts[0] else "").count(grapheme) for part in parts]
    assert [len(part) for part in parts] == [
        len(before) * (part is parts[0]) + count * len(grapheme) for part, count in zip(parts, counts, strict=True)
    ]


@given(DOCUMENTS, st.integers(min_value=100, max_value=400))
def test_a_text_that_fits_is_one_part(text: str, limit: int):
    """A text within the limit is sent as it is."""
    whole = markdown.closed(text).strip()

    assert units(whole) > limit or not whole or [whole] == split(text, limit)


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        pytest.param("a" * 60 + "\n\n" + "b b" * 30, ["a" * 60, "b b" * 30], id="paragraph"),
        pytest.param("a. " * 20 + "`b`\n\n" + "c. " * 30, ["a. " * 20 + "`b`", ("c. " * 30).rstrip()], id="code"),
        pytest.param("a " * 30 + "\n" + "b. " * 25 + "b", [("a " * 30).rstrip(), "b. " * 25 + "b"], id="line"),
        pytest.param("a " * 30 + "x. " + "b " * 40, [("a " * 30) + "x.", ("b " * 40).rstrip()], id="sentence"),
        pytest.param("abcdefghi " * 15, [("abcdefghi " * 12).rstrip(), ("abcdefghi " * 3).rstrip()], id="word"),
        pytest.param("日" * 100 + "。" + "本" * 100, ["日" * 100 + "。", "本" * 100], id="full width"),
        pytest.param("a" * 150, ["a" * 120, "a" * 30], id="hard"),
        pytest.param("🦊" * 61, ["🦊" * 60, "🦊"], id="surrogates"),
        pytest.param(
            "Hi.\n\n" + "word " * 40, [("Hi.\n\n" + "word " * 23).rstrip(), ("word " * 17).rstrip()], id="stump"
        ),
    ],
)
def test_the_strongest_break_is_preferred(text: str, parts: list[str]):
    """A part ends with a paragraph, else a line, a sentence, a word; no stump is left where the rest breaks anyway."""
    assert parts == split(text, LIMIT)


def test_a_list_item_stays_whole():
    """A list is cut between its items, not between the lines or sentences of one."""
    items = [f"- Item {n}. It has two sentences.\n  And a second line. It ends here {n}." for n in range(9)]

    parts = split("\n".join(items), LIMIT)

    assert [items[n] for n in range(9)] == parts


@pytest.mark.parametrize(
    "item",
    [
        "- Parent\n  - child one\n  - child two",
        "- Parent\n    1. child one\n    2. child two",
        "1. Do this:\n\n   ```sh\n   ls -l\n   ```\n\n   Then this.",
        "- One paragraph.\n\n  And another. Of two sentences.",
    ],
)
def test_what_is_indented_stays_with_its_item(item: str):
    """A list in an item, and paragraphs and code of one, are not parted from it: alone they would be of the top."""
    texts = [f"{before}\n{item}\n- Next {'tail ' * 30}" for before in _befores()]

    assert [] == [text for text in texts if not any(item in part for part in split(text, LIMIT))]


def test_an_item_longer_than_a_part_is_cut_between_the_items_in_it():
    """Not between the lines of one of those, as long as they fit."""
    inner = [f"  - Item {n}. It has two sentences.\n    And a second line. It ends here {n}." for n in range(9)]

    parts = split("- Parent\n" + "\n".join(inner), LIMIT)

    assert [inner[n].strip() for n in range(9)] == [part.removeprefix("- Parent\n").strip() for part in parts]


@pytest.mark.parametrize(
    "link",
    [
        "[see the [old page] of docs](https://example.org/a)",
        r"[see \] and \[ docs](https://example.org/a)",
        "[see docs](https://example.org/a 'the title')",
        '[see docs](https://example.org/a "the title")',
        "[see the docs]( https://example.org/a )",
        "[see docs](https://example.org/a_(b_(c)) )",
        "![see `the` docs](<https://example.org/a>)",
    ],
)
def test_a_masked_link_stays_whole(link: str):
    """However it is written, and wherever the cut falls: of half a link there are only marks to be read."""
    texts = [f"{before} {link} {'tail ' * 30}" for before in _befores()]

    assert [] == [text for text in texts if not any(link in part for part in split(text, LIMIT))]


@pytest.mark.parametrize(
    "piece",
    [
        *("[", "![", "[a", "[[a]", "[\\[", "\\[", "[" + "[a]" * 30),
        *("[a](", "[a](b(", "[a](b(c)", "[a](b((c)", "[[a](b", "[a](\t", "[a](b ", "[a](b " + " " * 500),
        *('[a](b "', "[a](b 'c\" ", "https://", "<https://"),
    ],
)
def test_no_text_takes_long_to_read(piece: str):
    """The time a text takes grows as its length does, whatever somebody made it of."""
    text = piece * (200_000 // len(piece))

    started = time.process_time()
    list(markdown.ATOM.finditer(text))

    assert time.process_time() - started < 2


def test_the_number_of_an_item_stays_with_it():
    """A mark that gives a line its form is not parted from the line."""
    parts = split("x" * 80 + "\n12. " + "y " * 59, LIMIT)

    assert ["x" * 80, "12. "] == [parts[0], parts[1][:4]]


def test_a_fence_that_fits_is_not_broken():
    """A fence that fits into one part goes into the next one, whole."""
    fence = "```py\n" + "x = 1\n" * 10 + "```"

    assert ["Look at this: " * 5 + "now", fence] == split("Look at this: " * 5 + "now\n" + fence, LIMIT)


def test_a_fence_that_must_be_broken_is_closed_and_opened_again():
    """A fence longer than any part is closed and opened again with its language, and keeps its lines as they are."""
    lines = ["def f():", *(f"    return {n:04}" for n in range(40))]

    parts = split("Code:\n```py\n" + "\n".join(lines) + "\n```\nThat was it.", LIMIT)

    assert all(part.startswith("```py\n") for part in parts[1:])
    inside = [re.search(r"```py\n(.*?)\n```", part, re.DOTALL) for part in parts]
    assert "\n".join(lines) == "\n".join(found[1] for found in inside if found)
    assert parts[-1].endswith("```\nThat was it.")


@pytest.mark.parametrize("before", range(8))
def test_what_closes_a_fence_counts_too(before: int):
    """A part with the marks that close its code is within the limit, wherever the cut falls."""
    for line in ("ab", "abcdefg", "🦊", "x" * 200):
        parts = split("y" * before + "\n```py\n" + f"{line} " * 100 + "\n```", LIMIT)

        assert [] == [part for part in parts if units(part) > LIMIT or part.count("```") != 2]


def test_a_fence_left_open_is_closed():
    """A reply that breaks off in a fence still shows as code."""
    assert ["Look:\n```py\nx = 1\n```"] == split("Look:\n```py\nx = 1\n")


def test_long_code_in_a_line_is_closed_and_opened_again():
    """A span of code longer than any part is marked as code in each."""
    parts = split("`" + "code " * 40 + "code`", LIMIT)

    assert ["code"] * 41 == words([part.strip("`") for part in parts])
    assert [2] * len(parts) == [part.count("`") for part in parts]


def test_an_address_longer_than_a_part_is_broken_only_then():
    """What alone exceeds the limit fills its parts, and what stands before it is no reason for a stump."""
    parts = split("See https://example.org/" + "a" * 300, LIMIT)

    assert [120, 120, 84] == [units(part) for part in parts]


@pytest.mark.parametrize(
    "piece",
    [
        "Some words, and more. ",
        "`",
        "` `` ``` ",
        "[a](",
        "](",
        "<a:",
        "!",
        "\n",
        "> ",
        "🇩🇪",
        "e\u0301",
        "[",
        "```\nx\n",
    ],
)
def test_a_long_text_is_split_whatever_it_is_made_of(piece: str):
    """A hundred thousand characters of anything come out within the limit, every sign of them."""
    text = piece * (100_000 // len(piece))

    parts = split(text)

    assert max((units(part) for part in parts), default=0) <= 2000
    assert len("".join(text.split())) <= len("".join("".join(parts).split()))
