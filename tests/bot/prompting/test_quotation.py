"""What of a long text is quoted."""

import pytest

from bot.prompting import quotation
from bot.text import markdown

LONG = (
    "We had a lovely evening at the river and nobody wanted to leave before midnight. Ann brought three kinds of cake. "
    "The rent goes up by 90 euros from June on. "
    "After that we sang until the neighbours came over to sing along with us."
)


RENT = "The rent goes up by 90 euros from June on."


@pytest.mark.parametrize(
    ("text", "question"),
    [
        ("We went to see the vault today. Its door is round.", "what shape has the vault of the bank?"),
        ("We agreed on the venue today. Everybody takes the boathouse. Catering is open.", "which venue is it?"),
        (LONG, "is the boat blue?"),
        (f"{LONG}\n```\npay --now\n```", "how much is the rent?"),
    ],
    ids=["short and not surely answered", "a kind that much seems to tell", "nothing in it answers", "code"],
)
def test_what_fits_is_quoted_whole_where_nothing_can_be_left_out(text: str, question: str) -> None:
    assert text == quotation.part(text, question, 600)


@pytest.mark.parametrize(
    ("text", "question", "quoted"),
    [
        (LONG, "how much is the rent?", f"\u2026{LONG[LONG.index(RENT):]}"),
        ("I painted the fence today. The gate code is 4711. The weather was lovely.", "the gate code?",
         "\u2026The gate code is 4711.\u2026"),
        ("The train was stuck. The meeting moved to Thursday at 5. See you all there then!", "when is the meeting?",
         "\u2026The meeting moved to Thursday at 5.\u2026"),
        ("I like a cup of tea. My sister is called Greta. She lives in Oslo.", "where does my sister live?",
         "\u2026My sister is called Greta. She lives in Oslo."),
        ("The garden looks good. The pump is broken again. Kim looks at it tomorrow.", "is the pump broken?",
         "\u2026The pump is broken again. Kim looks at it tomorrow."),
        ("We went to see the vault. All red.", "what colour is the vault?", "We went to see the vault. All red."),
        ("The rent is 90 euros. The lunch was good. In May the rent was 80 euros.", "how much is the rent?",
         "The rent is 90 euros. The lunch was good. In May the rent was 80 euros."),
    ],
    ids=["long", "short", "a time", "whom it means", "what goes on", "a fragment", "equals"],
)  # fmt: skip
def test_the_sentence_that_answers_is_quoted(text: str, question: str, quoted: str) -> None:
    """Also of a short text; what goes on about it stays where it does not tell the kind of thing that is asked for."""
    assert quoted == quotation.part(text, question, 600)


def test_a_summary_is_quoted_as_far_as_it_fits() -> None:
    """It tells of a session, whatever it is asked for by."""
    assert LONG == quotation.most(LONG, "how much is the rent?", 600)
    assert f"\u2026{RENT} After that we sang" in quotation.most(LONG, "how much is the rent?", 120)


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
    assert f"\u2026{needed}\u2026" == quotation.part(f"{talk}{needed}\n{talk}", best, 600)


def test_the_sentence_that_answers_is_quoted_with_what_fits_around_it() -> None:
    """What is left out is marked on either side."""
    assert "\u2026The rent goes up by 90 euros from June on.\u2026" == quotation.part(LONG, "how much is the rent?", 50)
    wider = quotation.part(LONG, "how much is the rent?", 120)
    assert "The rent goes up by 90 euros from June on. After that we sang" in wider
    assert len(wider) <= 122


def test_a_sentence_that_is_too_long_is_cut_at_a_word() -> None:
    shown = quotation.part("word " * 200, "which word?", 100)
    assert (True, True) == (len(shown) <= 101, shown.endswith("word\u2026"))


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("||The party is on Friday. Bring gifts to the hall.|| Ann bakes.", "||\u2026Bring gifts to the hall.\u2026||"),
        ("||The party is on Friday.|| Bring gifts to the hall. ||Ann bakes.||", "\u2026Bring gifts to the hall.\u2026"),
    ],
)
def test_what_is_hidden_stays_so_in_a_part(text: str, shown: str) -> None:
    """A spoiler that is cut is opened and closed again."""
    assert shown == markdown.still_hidden(text, "\u2026Bring gifts to the hall.\u2026")
    assert text.count("||") % 2 == quotation.part(f"{text} " + "Filler. " * 90, "what gifts?", 60).count("||") % 2 == 0
