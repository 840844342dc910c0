"""The laws of passages: the part of a long text that says most of what is asked, and no more of it than fits."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.recall import passages
from bot.recall.passages import LENGTH, Spot
from bot.recall.query import Term


def term(word: str, token: str | None = None, *, loose: bool = False) -> Term:
    return Term(word=word, token=token or word, is_loose=loose)


def test_words_are_found_in_all_their_forms() -> None:
    """The index says which words of the text are forms of those asked for, also within what is written together."""
    text = "We deployed on Friday.\npre-deploy checks, deployments; depot"
    terms = [term("deploy", "deploying")]
    assert ["deployed", "deploy", "deployments", "depot"] == passages.alike([text], terms)
    forms = {"deployed": ("deploy",), "deploy": ("deploy",), "deployments": ("deploy",), "depot": ("depot",)}
    found = passages.spots(text, terms, forms)
    assert ["deployed", "deploy", "deployments"] == [text[spot.start : spot.end] for spot in found]


@pytest.mark.parametrize(
    ("text", "asked", "stem", "form"),
    [
        ("Die alten Häuser", "Haus", "haus", "häuser"),
        ("Les générations", "génération", "gener", "générations"),
        ("dia membacakan", "baca", "baca", "membacakan"),
        ("في المدرسة", "مدارس", "مدرس", "المدرسة"),
        ("She carries on", "carrying", "carri", "carries"),
        ("see example.com/a", "example.com", "example.com", "example.com/a"),
    ],
)
def test_what_may_be_a_form_of_a_word_is_looked_up(text: str, asked: str, stem: str, form: str) -> None:
    """Whatever its accents, and where a language puts something before the stem."""
    assert form in passages.alike([text], [term(stem, asked)])


def test_words_without_blanks_between_them_are_found_by_pairs() -> None:
    """As the index has them."""
    text = "我们明天去北京吧"
    found = passages.spots(text, [term("北京", "去北京吗")], {})
    assert [("北京", 5)] == [(spot.word, spot.start) for spot in found]


def test_a_word_looked_for_by_its_beginning_is_found_by_it() -> None:
    """In a language without a stemmer."""
    text = "kolorowe okna"
    found = passages.spots(text, [term("kolorowy", loose=True)], {"kolorowe": ("kolorowe",)})
    assert ["kolorowy"] == [spot.word for spot in found]


def test_the_passage_is_where_most_of_what_the_words_weigh_stands_together() -> None:
    """Two words beside each other, not each of them somewhere in a long text."""
    filler = "filler line\n" * 200
    text = f"vault one\n{filler}the vault code is kept here\n{filler}code"
    spots = [
        Spot(start=at, end=at + len(word), word=word)
        for word in ("vault", "code")
        for at in range(len(text))
        if text.startswith(word, at)
    ]
    found = passages.best(text, sorted(spots, key=lambda spot: spot.start), {"vault": 1.0, "code": 1.0})
    assert {"vault", "code"} == found.held
    assert "the vault code is kept here" in found.text.splitlines()
    assert len(found.text) <= LENGTH


def test_a_passage_is_whole_lines_with_what_follows() -> None:
    """The line before, for it may be a heading, then all after it that fit."""
    lines = [f"line {number} {'.' * 80}" for number in range(20)]
    text = "\n".join(lines)
    at = text.index("line 7")
    assert lines[6:12] == passages.around(text, at, at + 6).splitlines()


def test_at_the_end_of_a_text_the_lines_before_fill_the_passage() -> None:
    """There is nothing after it."""
    lines = [f"line {number} {'.' * 80}" for number in range(20)]
    text = "\n".join(lines)
    assert lines[-6:] == passages.around(text, text.index("line 19"), len(text)).splitlines()


def test_a_line_that_is_too_long_is_cut_between_words() -> None:
    """And says so at both ends."""
    text = " ".join(f"word{number}" for number in range(1000))
    at = text.index("word500")
    found = passages.around(text, at, at + 7)
    assert (found[0], found[-1]) == ("…", "…")
    assert {*found.strip("…").split()} <= {*text.split()}
    assert "word500" in found
    assert len(found) <= LENGTH + 2


def test_a_text_that_says_nothing_of_it_is_told_by_its_beginning() -> None:
    """As much of it as a passage holds."""
    assert passages.best("first line\nsecond line", [], {}).text == "first line\nsecond line"


@given(st.text(alphabet="ab \n", max_size=3000), st.integers(min_value=0, max_value=3000))
def test_a_passage_is_never_longer_than_it_may_be_and_always_of_the_text(text: str, at: int) -> None:
    """Whatever the lines are like."""
    start = min(at, len(text))
    found = passages.around(text, start, min(start + 5, len(text)))
    assert len(found) <= LENGTH + 2
    assert found.removeprefix("…").removesuffix("…") in text


def test_the_words_that_are_looked_up_are_bounded() -> None:
    """A text of nothing but forms of one word asks for no more than others."""
    text = " ".join(f"deploy{number}" for number in range(5000))
    assert len(passages.alike([text], [term("deploy")])) == passages.MOST_ALIKE
