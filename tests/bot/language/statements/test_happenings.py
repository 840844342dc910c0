"""The laws of what happened in talk: its decisions, plans and open questions, each in somebody's own sentence."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from bot.domain import What
from bot.language.statements import extraction, happenings
from tests.bot.language.statements.test_extraction import said

HERE = Path(__file__).parent


def kinds(*lines: str | tuple[str, str]) -> list[What]:
    return [one.what for one in happenings.of(said(*lines))]


@pytest.mark.parametrize("name", ["steps.jsonl", "steps_unseen.jsonl"])
def test_labelled_steps(name: str) -> None:
    """Four in five decisions and plans of everyday talk are told as such, and of what looks like one hardly any.

    What looks like one: a question, a decision of somebody else's, a thing not decided, a way of speaking.
    """
    rows = [json.loads(line) for line in (HERE / name).read_text(encoding="utf-8").splitlines()]
    steps = [row for row in rows if row["step"] is not None]
    others = [row for row in rows if row["step"] is None]
    wrong = [row["text"] for row in steps if kinds(row["text"]) != [What(row["step"])]]
    taken = [row["text"] for row in others if not {What.DECIDED, What.PLANNED}.isdisjoint(kinds(row["text"]))]
    assert len(wrong) <= len(steps) * 0.2, wrong
    assert len(taken) <= len(others) * 0.05, taken


@pytest.mark.parametrize(
    ("text", "what"), [("settled on blue", What.DECIDED), ("I'll order the shirts tonight", What.PLANNED)]
)
def test_what_tells_too_little_to_be_kept_happened_all_the_same(text: str, what: What) -> None:
    """It is told while it is news, and no memory is made of it."""
    assert [what] == kinds(text)
    assert () == extraction.extract(said(text)).facts


def test_a_condition_takes_nothing_on() -> None:
    """Whoever does something only if has not said that they do it."""
    assert [] == kinds("i can do friday if i get the van")


def test_a_question_is_told_until_it_is_answered() -> None:
    """Talk that goes on about something else leaves it open; who tells, or decides beside it, answers."""
    asked = "Who has the ladder of the boat house?"
    assert [What.ASKED] == kinds(asked, ("Ben", "lol my feet are cold"))
    assert [] == kinds(asked, ("Ben", "the ladder is at home"), ("Ben", "lol"))


@pytest.mark.parametrize(
    ("lines", "told"),
    [
        (["the old crane at Kalmar harbour toppled over at 5 this morning"], True),
        (["Bea's boat got a new mast from Olsen in Bergen"], True),
        (["the pottery wheel from Anna went up in smoke, sadly"], False),
        (["such a lovely evening with all of you there"], False),
        (["lol 42"], False),
    ],
)
def test_news_in_unforeseen_words_is_known_by_what_it_holds(lines: list[str], told: bool) -> None:
    """Figures and days, names, and how much it says."""
    assert ([What.SAID] if told else []) == kinds(*lines)


def test_what_others_reply_to_is_news() -> None:
    """What moved several people is told, though it holds little; one's own reply moves nobody else."""
    first, *others = said("the pottery wheel from Anna went up in smoke, sadly", ("Ben", "oh no"), ("Cy", "wow"))
    moved = [replace(one, reply_to=first.message_id) for one in others]
    own = replace(others[0], author_id=first.author_id, reply_to=first.message_id)
    assert [first] == [one.message for one in happenings.of([first, *moved])]
    assert [] == happenings.of([first, own])


def test_of_news_the_weightiest_are_told() -> None:
    """However much is said in a busy channel."""
    lines = [f"wow the big old crane of Olsen toppled at pier {n}" for n in range(1, 9)]
    assert happenings.MOST_NEWS == len(kinds(*lines))
