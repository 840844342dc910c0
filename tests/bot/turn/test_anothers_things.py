"""The laws of what is asked about somebody, where something is told of somebody else, or of both."""

import pytest

from bot.db.pool import Database
from tests import people
from tests.conftest import Clock
from tests.conversations import room

ANOTHERS = [
    ("Pat", "Lena's birthday is on 12 April.", "When is Marco's birthday?"),
    ("Marco", "Lena's birthday is on 12 April.", "When is Marco's birthday?"),
    ("Pat", "The birthday of Lena is on 12 April.", "When is Marco's birthday?"),
    ("Pat", "My birthday is on 12 April.", "When is Marco's birthday?"),
    ("Pat", "Lena's brother's birthday is on 12 April.", "When is Lena's birthday?"),
    ("Pat", "Lena works at the hospital.", "Where does Marco work?"),
    ("Marco", "Lena works at the hospital.", "Where does Marco work?"),
    ("Pat", "Lena's car is red.", "What colour is Marco's car?"),
    ("Pat", "The dog's bed is in the hall.", "Where is Marco's bed?"),
    ("Pat", "Lenas Geburtstag ist am 12. April.", "Wann ist Marcos Geburtstag?"),
]
THEIRS = [
    ("Pat", "Lena's birthday is on 12 April.", "when is lenas birthday?"),
    ("Pat", "Marc's birthday is on 12 April", "When is Marco's birthday?"),
    ("Marco", "My birthday is on 12 April", "When is Marco's birthday?"),
    ("Pat", "Lena's birthday is on 12 April, Marco's on 3 May", "When is Marco's birthday?"),
    ("Pat", "Marco's in London and his birthday is on 12 April", "When is Marco's birthday?"),
    ("Pat", "Marco and Lena's flat is in Lutherstrasse", "Where is Marco's flat?"),
    ("Pat", "The dog's bed is in the hall", "Where is the dog's bed?"),
    ("Pat", "The party at Marco's is on Friday", "When is the party at Marco's?"),
    ("Pat", "Lena works with Marco at the hospital", "Where does Marco work?"),
    ("Marco", "I work at the bakery", "Where does Marco work?"),
    ("Pat", "We launch Atlas on Friday", "When does Atlas launch?"),
    ("Marco", "Just started a pottery course", "Which course did Marco start?"),
    ("Marco", "The heron book is good. Highly recommend it", "Which book did Marco recommend?"),
    ("Marco", "Still working on the old boat", "What is Marco working on?"),
    ("Pat", "Today's menu is pumpkin soup", "What's today's menu?"),
]


async def answered(database: Database, clock: Clock, *said: tuple[str, str], asked: str) -> str:
    """What Ines is answered where others said that."""
    async with room(database, clock, who=people.caller("Ines")) as r:
        for person, (name, text) in enumerate(said, start=8):
            by = await r.app.enter(people.caller(name, person=person), channel_name="general", mode="all")
            await r.overhear(text, by=by)
        clock.forward(minutes=5)
        return (await r.say(asked)).text


@pytest.mark.parametrize(("name", "text", "asked"), ANOTHERS)
async def test_what_is_anothers_is_no_evidence(
    database: Database, clock: Clock, name: str, text: str, asked: str
) -> None:
    """Whoever said it, and whether or not anybody here is called as who is asked about."""
    assert text not in await answered(database, clock, (name, text), asked=asked)


async def test_who_is_known_has_not_what_another_has(database: Database, clock: Clock) -> None:
    """Having spoken here makes nobody's thing theirs."""
    said = ("Pat", "Lena's birthday is on 12 April."), ("Marco", "I like boats")
    assert "12 April" not in await answered(database, clock, *said, asked="When is Marco's birthday?")


@pytest.mark.parametrize(("name", "text", "asked"), THEIRS)
async def test_what_is_theirs_is_told(database: Database, clock: Clock, name: str, text: str, asked: str) -> None:
    """Also what is of several, what they said themselves, and what is told under a short name."""
    assert text in await answered(database, clock, (name, text), asked=asked)


@pytest.mark.parametrize(
    ("asked", "answer"),
    [
        ("When is Marco's birthday?", ("Lena", "Marco has his on 12 April")),
        ("Marco, when is your birthday?", ("dragon", "my birthday is on 12 April")),
    ],
)
async def test_what_answered_a_question_for_them_is_theirs(
    database: Database, clock: Clock, asked: str, answer: tuple[str, str]
) -> None:
    """ "My birthday" right behind a question to Marco may be Marco's, whatever he is called here."""
    assert answer[1] in await answered(database, clock, ("Pat", asked), answer, asked="When is Marco's birthday?")
