"""What of a long text is quoted."""

from bot.prompting import quotation

LONG = (
    "We had a lovely evening at the river and nobody wanted to leave before midnight. Ann brought three kinds of cake. "
    "The rent goes up by 90 euros from June on. "
    "After that we sang until the neighbours came over to sing along with us."
)


def test_what_fits_is_quoted_whole() -> None:
    assert LONG == quotation.part(LONG, "how much is the rent?", 600)


def test_the_sentence_that_answers_is_quoted_with_what_fits_around_it() -> None:
    """What is left out is marked on either side."""
    assert "\u2026The rent goes up by 90 euros from June on.\u2026" == quotation.part(LONG, "how much is the rent?", 50)
    wider = quotation.part(LONG, "how much is the rent?", 120)
    assert "The rent goes up by 90 euros from June on. After that we sang" in wider
    assert len(wider) <= 122


def test_a_sentence_that_is_too_long_is_cut_at_a_word() -> None:
    shown = quotation.part("word " * 200, "which word?", 100)
    assert (True, True) == (len(shown) <= 101, shown.endswith("word\u2026"))
