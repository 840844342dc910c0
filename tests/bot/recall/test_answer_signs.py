"""What a text lacks that an answer would have."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from bot.dates import times
from bot.domain import Message, PersonId, Role
from bot.recall import answer_signs
from bot.recall.answer_signs import Signs
from bot.recall.query import ParsedQuery, Query
from tests.bot.recall.test_ranking import message

NOW = datetime(2026, 5, 20, 12, tzinfo=UTC)
ANN, BEN, ASKER = PersonId(7), PersonId(8), PersonId(9)


def asked(text: str, **given: Any) -> ParsedQuery:
    read: dict[str, Any] = {"named": {}, "names": (), "asker": ()} | given
    return ParsedQuery(
        query=Query(text=text, as_of=NOW),
        terms=(),
        times=times.read(text, as_of=NOW, zone="UTC"),
        notes=(),
        language="english",
        **read,
    )


def signs(question: ParsedQuery, said: Message, *before: str, authors: tuple[PersonId, ...] = (ANN, BEN)) -> Signs:
    return answer_signs.sight(question, authors, "UTC")(said, before)


@pytest.mark.parametrize(
    ("question", "text", "lacks"),
    [
        ("how much is the fee?", "It is 18 euros.", False),
        ("how much is the fee?", "It stays as it is.", True),
        ("how much is the rent?", "From March he wants 890.", False),
        ("how much is the rye?", "Prices: rye 6.80 a kilo.", False),
        ("what does the hall cost?", "They charge 45 an evening or 40 per evening.", False),
        ("how much is the fee?", "The meeting is at 19:30 on the 3rd.", True),
        ("how many bowls do we have?", "Glazed bowls go to cone 6.", True),
        ("how old is her daughter?", "The gate code is 7193 now.", True),
        ("when is the fair?", "On the 28th.", False),
        ("when is the fair?", "The fair is off.", True),
        ("when did the fair end?", "The fair is over.", False),
        ("what colour is it?", "It is blue.", False),
        ("what colour is the boat?", "I painted the boat.", True),
        ("what is the landlord called?", "The landlord wrote.", True),
        ("what is the landlord called?", "Our landlord is Mr Berg.", False),
        ("what is Mr Berg's first name?", "Yesterday Mr Berg wrote.", True),
        ("what is the landlord called?", "The landlord comes on Monday, in March.", True),
        ("what is the cat called?", "we have a cat called minka", False),
    ],
)
def test_the_kind_that_is_asked_for(question: str, text: str, lacks: bool) -> None:
    """A number of something else is none, nor is a name that the question has itself.

    When something was is also told by the day on which it was said.
    """
    assert lacks == signs(asked(question), message(1, text)).lacks_kind


def test_the_person_who_is_asked_about() -> None:
    """It is by them, names them, or was said right after they were named; else it lacks them."""
    question = asked("what is Ben allergic to?", named={BEN: 1.0}, names=("Ben",))
    said = message(1, "Nuts, all of them.", author=ANN)
    assert signs(question, said).lacks_person
    assert not signs(question, said, "What can't Ben eat?").lacks_person
    assert not signs(question, replace(said, author_id=BEN)).lacks_person
    assert not signs(question, message(1, "ben can't eat nuts")).lacks_person


def test_whoever_asks_of_themselves_is_asked_about() -> None:
    """If anything of theirs is there: a newcomer's "may I bring …?" is about nobody in particular."""
    question, said = (
        asked("what am I allergic to?", named={ASKER: 0.5}, asker=("Mel",)),
        message(1, "I'm allergic to nuts."),
    )
    assert signs(question, said, authors=(ANN, ASKER)).lacks_person
    assert not signs(question, replace(said, author_id=ASKER), authors=(ANN, ASKER)).lacks_person
    assert not signs(question, said, authors=(ANN, BEN)).lacks_person


@pytest.mark.parametrize(
    ("text", "lacks"), [("It leaked on 12 July.", False), ("It leaked on 12 April.", True), ("It leaked.", True)]
)
def test_the_day_that_is_asked_about(text: str, lacks: bool) -> None:
    """Days are compared as days, never by their number alone; what was said on it, or soon after, has it."""
    said = message(1, text)
    assert lacks == signs(asked("what happened on 12 July 2025?"), said).lacks_day
    then = replace(said, said_at=datetime(2025, 7, 12, 9, tzinfo=UTC) + timedelta(days=1))
    assert not signs(asked("what happened on 12 July 2025?"), then).lacks_day


def test_what_asks_beside_what_it_states() -> None:
    """The answer to it stands behind it; what only asks states nothing."""
    both = signs(asked("where is the ladder?"), message(1, "Who has the ladder? It was gone on Sunday."))
    assert (True, True) == (both.states, both.asks)
    assert not signs(asked("where is the ladder?"), message(1, "Who has the ladder?")).states
    assert not signs(asked("where is the ladder?"), message(1, "Thanks, Ann!")).states


@pytest.mark.parametrize("text", ["looking for the ladder", "I forgot the ladder", "need the ladder asap"])
def test_who_seeks_the_same_tells_nothing(text: str) -> None:
    """But to a question for who seeks it."""
    where, who = (
        replace(found, query=replace(found.query, is_question=True))
        for found in (asked("where is the ladder?"), asked("who wants the ladder, or forgot it?"))
    )
    assert [False, True] == [signs(question, message(1, text)).states for question in (where, who)]


def test_a_summary_tells_again_what_others_said() -> None:
    """So it stands behind their own words."""
    summary = replace(message(1, "The fee is 18 euros now."), role=Role.HATHI, author_id=None)
    retold = signs(asked("how much is the fee?"), summary)
    assert retold.malus > signs(asked("how much is the fee?"), message(2, "It is 18 euros now.")).malus
