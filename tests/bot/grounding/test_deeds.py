"""The laws of what an answer may say that Hathi did."""

import json
from collections import Counter
from pathlib import Path
from typing import Any, Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.grounding import deeds
from bot.grounding.deeds import Deed

HERE: Final = Path(__file__).parent
ACTS: Final = {
    "saved": Deed.KEPT,
    "noted": Deed.KEPT,
    "pinned": Deed.PINNED,
    "edited": Deed.CHANGED,
    "forgotten": Deed.FORGOTTEN,
    "aged": Deed.AGED,
}
MISSED: Final = {
    "The plumber's telephone has rung in the meantime, and it was an elephant at the other end.",
    "A little needle with a red head now holds the boiler instructions in place.",
    "You may rest easy, since nobody will ever coax that story out of me, there being nothing left of it to coax.",
}
"""Deeds told in a picture that reach the person."""
FURTHER: Final = (("deeds_unseen.jsonl", 48, 0), ("deeds_unseen_2.jsonl", 50, 1), ("deeds_unseen_3.jsonl", 47, 2))
"""Further sets, each with how many claims are found at least, and how many false alarms there are at most."""


def labelled(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (HERE / name).read_text(encoding="utf-8").splitlines()]


ROWS: Final = labelled("deeds.jsonl")
ASKED: Final = "Remember that I like tea, and what is seven times eight?"


def told(answer: str, question: str = ASKED, *done: Deed) -> list[str]:
    return [answer[claim.start : claim.end].strip() for claim in deeds.claims(answer, question, done)]


def found_of(row: dict[str, Any]) -> list[str]:
    return list(dict.fromkeys(told(row["answer"], row["question"], *(ACTS[act] for act in row["done"]))))


def is_one_of(sentence: str, others: list[str]) -> bool:
    return any(sentence in other or other in sentence for other in others)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["answer"][:60])
def test_what_was_not_done_is_found_and_what_was_is_not(row: dict[str, Any]) -> None:
    """Sentence by sentence: a deed that the turn has, an offer, a denial, a quotation and another's deed are none."""
    found = found_of(row)
    claimed = [claim.strip() for claim in row["claims"] if claim not in MISSED]
    assert len(claimed) == len(found)
    assert all(is_one_of(claim, found) for claim in claimed)


@pytest.mark.parametrize(("name", "least", "most"), FURTHER, ids=[name for name, *_ in FURTHER])
def test_of_further_sets_most_are_found_and_hardly_anything_else(name: str, least: int, most: int) -> None:
    """At their first runs 30 of 76, 35 of 73 and 47 of 74: what is told in a picture is hardly ever found."""
    rows = labelled(name)
    found = sum(is_one_of(claim.strip(), found_of(row)) for row in rows for claim in row["claims"])
    false = [
        one for row in rows for one in found_of(row) if not is_one_of(one, [each.strip() for each in row["claims"]])
    ]
    assert (True, True) == (found >= least, len(false) <= most), (found, false)


def test_the_set_is_what_it_says() -> None:
    """At least twelve claims in each of four phrasings, and as many honest answers as a third of all."""
    claims = Counter(row["phrasing"] for row in ROWS for _ in row["claims"])
    assert (4, True) == (len(claims), min(claims.values()) >= 12)
    assert len(ROWS) <= 3 * sum(not row["claims"] for row in ROWS)


@pytest.mark.parametrize(
    "answer",
    [
        "Done!",
        "Consider it saved.",
        "I won't forget that.",
        "Reminder set for nine.",
        "Memory updated.",
        "Got it, I'll remember that you prefer tea.",
        "Gespeichert!",
        "Added to the list.",
        "Ok, added.",
        "Tea added.",
        "On the shopping list!",
        "Put it on the list!",
        "Noted down.",
        "Ok, scheduled.",
        "It's on the calendar now.",
        "Auf die Liste gesetzt.",
        "Termin eingetragen.",
        "Eingeplant!",
        "Ajouté à la liste.",
        "Je l'ai mis sur la liste.",
        "C'est planifié.",
        "Añadido a la lista.",
        "Lo he puesto en la agenda.",
        "Agendado.",
        "Ich werde dich morgen daran erinnern.",
        "C'est noté !",
        "Te avisaré mañana.",
    ],
)
def test_short_and_foreign_claims_are_found(answer: str) -> None:
    """They are what models say most; what was asked besides is still answered."""
    assert [answer] == told(answer)
    assert told(f"{answer.rstrip(' .!')} \u2705")
    assert "56." == deeds.without(f"{answer} 56.", deeds.claims(f"{answer} 56.", ASKED))


@pytest.mark.parametrize("question", [ASKED, "What a day! I like tea."])
@pytest.mark.parametrize(
    "answer",
    [
        "Saving that now.",
        "I'm saving this to memory as we speak.",
        "I'm adding Pip to my memory.",
        "Adding that to my memory.",
        "Okay, putting that in my memory.",
        "I'm storing this for you.",
        "I'll be noting that down.",
        "I am deleting that from my memory.",
        "Removing it from memory.",
        "Updating the memory now.",
        "Pinning it for you.",
        "I'm pinging Ben.",
        "Booking a table for two.",
        "Reminding you on Sunday!",
        "You'll get a reminder on Friday.",
        "You will be reminded on Monday.",
        "A reminder is on its way for Friday.",
        "Expect a nudge on Friday.",
    ],
)
def test_what_is_being_done_or_will_come_is_a_claim_like_what_was_done(answer: str, question: str) -> None:
    """Whatever was asked, and with the one who does it or without."""
    assert [answer] == told(answer, question)


@pytest.mark.parametrize(
    "answer",
    [
        "Saving for a house is hard.",
        "Saving that money would take a year.",
        "Saving it to a file works like this.",
        "Adding salt to the water helps.",
        "Putting it in the notes is up to you.",
        "Keeping that in mind, take the train.",
        "Deleting a branch is `git branch -d`.",
        "Booking a table in advance is wise.",
        "Reminding people is hard.",
        "Texting works too.",
        "I'm thinking of the garden.",
        "I'm not saving this.",
        "You'll get a reminder from the library.",
        "You will be reminded of Venice when you see it.",
        "To get a reminder on Friday, use your phone.",
        "I'm reminding you that the shop is closed.",
        "A reminder is a short note.",
    ],
)
def test_what_only_ends_in_ing_is_no_claim(answer: str) -> None:
    """What something is done by, what another sends, and what Hathi does in its answer."""
    assert [] == told(answer, "What a day! I like tea.")


@pytest.mark.parametrize(
    "answer",
    [
        "I can save that if you like.",
        "Ann added tea to the list.",
        "Added sugar is optional.",
        "Put the tea on the list first, then the eggs.",
        "Tea was added to the list on 3 May.",
        "I'll explain how it works.",
        "I'll tell you a story.",
        "I remember that you prefer tea.",
        "I've split your text into two parts.",
        "I've listed them by price:",
        "Set a reminder on your phone.",
        "Ann saved it last week.",
        "My notes say that the shop no longer sells it.",
        "From what I know, the event has moved to Friday.",
        "It has become clear to me that it is the filter.",
        "The release was cancelled.",
        "Alice said: “I've booked the hall.”",
        "> I'll remind you",
        "```\nprint('Saved!')\n```",
        "I've saved it (#42).",
    ],
)
def test_what_claims_no_deed_is_left(answer: str) -> None:
    """An offer, a tale, the text at hand, what somebody else did, a quotation, code, and what cites a memory."""
    assert [] == told(answer)


@pytest.mark.parametrize("row", labelled("deeds_abroad.jsonl"), ids=lambda row: row["answer"])
def test_deeds_are_found_in_german_french_and_spanish(row: dict[str, Any]) -> None:
    """What was not done is found, also that nothing is remembered any more; a denial or another's deed is none."""
    assert row["is_claim"] == bool(told(row["answer"], row["question"]))


def test_a_text_that_was_asked_for_speaks_for_somebody_else() -> None:
    """What its "I" did is not what Hathi did."""
    assert [] == told("I have booked the hall, and I'll call you.", "Write a letter to the committee.")


def test_several_deeds_of_one_sentence_are_all_to_be_done() -> None:
    """Half a truth is none."""
    said = "I saved the restart time and pinned it."
    assert [said] == told(said, "save it and pin it", Deed.KEPT)
    assert [] == told(said, "save it and pin it", Deed.KEPT, Deed.PINNED)


def test_lines_of_which_nothing_is_left_go() -> None:
    """A list loses its item, and not its other lines nor what parts them."""
    said = "Two things:\n\n- Saved!\n- It is 56.\n\n---\nBye."
    assert "Two things:\n\n- It is 56.\n\n---\nBye." == deeds.without(said, deeds.claims(said, ASKED))


@given(st.text(max_size=300))
def test_nothing_is_added(text: str) -> None:
    """What is left are the text's own lines, or parts of them, in order."""
    left = deeds.without(text, deeds.claims(text, ASKED))
    rest = iter(text)
    assert all(letter in rest for letter in left)
