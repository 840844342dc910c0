"""What of a long text is quoted."""

import pytest

from bot.prompting import quotation

LONG = (
    "We had a lovely evening at the river and nobody wanted to leave before midnight. Ann brought three kinds of cake. "
    "The rent goes up by 90 euros from June on. "
    "After that we sang until the neighbours came over to sing along with us."
)


SHOWN = LONG.removeprefix("We had a lovely evening at the river and nobody wanted to leave before midnight. ")


@pytest.mark.parametrize(
    ("text", "question"),
    [
        ("A short note. The rent is 90 euros. All is well.", "how much is the rent?"),
        (LONG, "is the boat blue?"),
        (f"{LONG}\n```\npay --now\n```", "how much is the rent?"),
    ],
    ids=["short", "nothing in it answers", "code"],
)
def test_what_fits_is_quoted_whole_where_nothing_can_be_left_out(text: str, question: str) -> None:
    assert text == quotation.part(text, question, 600)


def test_of_what_fits_the_sentence_that_answers_is_quoted() -> None:
    """With the sentences around it up to some 200 characters, and a summary whole."""
    assert f"\u2026{SHOWN}" == quotation.part(LONG, "how much is the rent?", 600)
    assert LONG == quotation.part(LONG, "how much is the rent?", 600, 600)


@pytest.mark.parametrize(
    ("needed", "best"),
    [
        ("Old Mr Abernathy came by again last night. He wants 90 euros more rent.", "how much is the rent?"),
        ("What about the rent? 90 euros more, as Tom says.", "what about the rent?"),
        ("All the prices of the coming year:\nRent: 90 euros more", "how much is the rent?"),
        ("The rent goes up by 90 euros. It does so in June and again in July of the coming year.", "how much is rent?"),
    ],
    ids=["who", "an answer", "a list", "what leans on it"],
)
def test_what_the_sentence_needs_is_quoted_too(needed: str, best: str) -> None:
    """Whom a pronoun means, what answers a question, what stands over a list, and what goes on about it."""
    talk = "Nobody had anything to say about the weather up there. " * 4
    assert f"\u2026{needed}\u2026" == quotation.part(f"{talk}{needed}\n{talk}", best, 600, 40)


def test_the_sentence_that_answers_is_quoted_with_what_fits_around_it() -> None:
    """What is left out is marked on either side."""
    assert "\u2026The rent goes up by 90 euros from June on.\u2026" == quotation.part(LONG, "how much is the rent?", 50)
    wider = quotation.part(LONG, "how much is the rent?", 120)
    assert "The rent goes up by 90 euros from June on. After that we sang" in wider
    assert len(wider) <= 122


def test_a_sentence_that_is_too_long_is_cut_at_a_word() -> None:
    shown = quotation.part("word " * 200, "which word?", 100)
    assert (True, True) == (len(shown) <= 101, shown.endswith("word\u2026"))
