"""The laws of words that are written alike."""

import asyncpg
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.text import languages, trigrams

WORDS = st.text("abcdeghilnorstyząćęłńóśźż" + "йікнщєґжл", max_size=12)


@pytest.mark.parametrize(
    ("word", "other", "alike"),
    [
        ("czekolada", "czekoladę", True),
        ("czekolada", "czekolady", True),
        ("Książka", "ksiazki", True),
        ("praha", "prahy", True),
        ("книжка", "книжки", True),
        ("nyelv", "NYELV", True),
        ("czekolada", "czereśnia", False),
        ("kot", "pies", False),
        ("книжка", "кіно", False),
    ],
)
def test_forms_of_a_word_are_alike_and_other_words_are_not(word: str, other: str, alike: bool) -> None:
    """Half of their trigrams are the same, and their beginnings; whatever the accents and the case."""
    assert alike == (trigrams.similarity(word, other) >= 0.5)
    start = trigrams.prefix(word)
    assert not alike or (start is not None and trigrams.folded(other).startswith(start))


@given(word=WORDS, other=WORDS)
def test_similarity_is_a_share(word: str, other: str) -> None:
    """Between 0 and 1, the same both ways, 1 for any word and itself."""
    share = trigrams.similarity(word, other)
    assert (True, share) == (0 <= share <= 1, trigrams.similarity(other, word))
    assert float(bool(word)) == trigrams.similarity(word, word.upper())


async def test_similarity_is_what_pg_trgm_says(dsn: str) -> None:
    """For words without accents, whose folding is Hathi's own."""
    words = ["a", "at", "cat", "cats", "word", "two words", "czekolada", "czekolady", "banana", "книга", "книги", "x_y"]
    connection = await asyncpg.connect(dsn)
    try:
        await connection.execute("CREATE EXTENSION IF NOT EXISTS pg_trgm")
        rows = await connection.fetch(
            "SELECT a, b, similarity(a, b) AS share FROM unnest($1::text[]) AS a, unnest($1::text[]) AS b", words
        )
    finally:
        await connection.close()
    assert [pytest.approx(row["share"]) for row in rows] == [trigrams.similarity(row["a"], row["b"]) for row in rows]


@pytest.mark.parametrize(
    ("word", "start"),
    [
        ("", None),
        ("kot", None),
        ("koty", "kot"),
        ("kotek", "kot"),
        ("kotków", "kotk"),
        ("czekolada", "czekol"),
        ("Łódzkie", "lodzk"),
        ("книжка", "книж"),
        ("найкращі", "найкр"),
        ("2026", None),
        ("gpt4o", None),
        ("東京都庁", None),
        ("고양이를", None),
        ("หนังสือ", None),
        ("カレンダー", None),
    ],
)
def test_a_prefix_is_three_fifths_of_a_word(word: str, start: str | None) -> None:
    """Rounded up, three letters at least, folded; none of short words, of numbers and of unspaced scripts."""
    assert start == trigrams.prefix(word)


async def test_what_the_index_has_by_pairs_is_told_as_the_index_tells_it(schema: str) -> None:
    """Letter by letter: one that stands alone is looked for as the beginning of a pair."""
    spans = [range(1, 0xD800), range(0xE000, 0x10000), range(0x1FF00, 0x20100), range(0x3FF00, 0x40100)]
    letters = [chr(code) for span in spans for code in span]
    connection = await asyncpg.connect(schema)
    try:
        rows = await connection.fetch(
            "SELECT letter FROM unnest($1::text[]) AS letter WHERE query_term(letter) LIKE '%:*'", letters
        )
    finally:
        await connection.close()
    assert [row["letter"] for row in rows] == [letter for letter in letters if trigrams.is_letter(letter)]
    assert not trigrams.is_letter("猫犬")


@given(word=WORDS | st.text())
def test_folding_folds_once(word: str) -> None:
    """A word as the index has it is folded already, and its prefix is its own beginning."""
    once = trigrams.folded(word)
    assert once == trigrams.folded(once)
    start = trigrams.prefix(once)
    assert start is None or (start == trigrams.prefix(word) and once.startswith(start) and len(start) < len(once))


async def test_words_are_folded_as_the_index_folds_them(schema: str) -> None:
    """Letter by letter, in the scripts that have accents or capitals, or a prefix would not be found.

    But for the three that hold a mark, which parts words.
    """
    spans = [
        range(0xC0, 0x180),
        range(0x386, 0x400),
        range(0x400, 0x530),
        range(0x531, 0x588),
        range(0x5D0, 0x5EB),
        range(0x620, 0x64B),
        range(0x10D0, 0x10FB),
        range(0x1EA0, 0x1EFA),
        range(0x1F00, 0x1FFF),
        range(0xFF21, 0xFF5B),
    ]
    letters = [chr(code) for span in spans for code in span if chr(code).isalpha() and chr(code) not in "ŉĿŀ"]
    connection = await asyncpg.connect(schema)
    try:
        rows = await connection.fetch(
            "SELECT letter, query_words('simple', 'q' || letter || 'q') AS words FROM unnest($1::text[]) AS letter",
            letters,
        )
    finally:
        await connection.close()
    differing = {row["letter"]: row["words"] for row in rows if row["words"] != [f"q{trigrams.folded(row['letter'])}q"]}
    assert {} == differing


def test_every_language_is_known_once() -> None:
    """As a name the settings take, with a stemmer or without."""
    assert frozenset() == languages.STEMMED & languages.UNSTEMMED
    assert [True] * len(languages.KNOWN) == [name.isascii() and name.islower() for name in languages.KNOWN]
    assert (True, False, False, False) == tuple(map(trigrams.has_stemmer, ("german", "polish", "simple", "klingon")))
