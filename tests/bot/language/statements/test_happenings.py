"""The laws of what happened in talk: its decisions, plans and open questions, each in somebody's own sentence."""

import json
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
