"""The law of questions as people type them: without a model, whatever the wording, what was kept is quoted."""

from collections.abc import AsyncGenerator
from dataclasses import dataclass

import pytest

from bot.db.pool import Database
from bot.domain import Caller
from tests import people
from tests.conftest import Clock
from tests.conversations import Room, room

PEOPLE = ("Maren", "Pat", "Jürgen", "Ines", "Tom", "Lena")


@dataclass(frozen=True, slots=True)
class Studio:
    """A channel of several people."""

    room: Room
    people: dict[str, Caller]

    async def say(self, name: str, text: str) -> str:
        """What Hathi answers to one of them."""
        return (await self.room.say(text, by=self.people[name])).text


@pytest.fixture
async def studio(database: Database, clock: Clock) -> AsyncGenerator[Studio]:
    """People who have not said anything yet."""
    async with room(database, clock) as r:
        entered = {
            name: await r.app.enter(people.caller(name, person=20 + at), channel_name="general", mode="all")
            for at, name in enumerate(PEOPLE)
        }
        yield Studio(room=r, people=entered)


WORDINGS = {
    "my address is Lindenweg 4": [
        "what is my address?",
        "what's my address",
        "whats my address",
        "whats my addr?",
        "wheres my address",
        "my address pls",
        "u know my address?",
    ],
    "dentist on monday 9am": [
        "when is my dentist appt",
        "what do i have on monday",
        "whats on monday?",
        "whens the dentist",
    ],
    "wifi at the studio: TonUndTeufel, password mudpie42": [
        "what's the wifi password?",
        "whats the wifi pw",
        "wifi password pls",
        "wifi pw?",
        "whos got the wifi passwd",
        "didnt we have a wifi password",
    ],
    "the next game night is on 6 December": ["when is game nite", "whens game night", "when is the game night?"],
}


@pytest.mark.parametrize("kept", WORDINGS)
async def test_a_hurried_wording_finds_what_a_careful_one_does(studio: Studio, kept: str) -> None:
    """Apostrophes left out, words cut short, with a question mark or without."""
    for one in WORDINGS:
        await studio.say("Lena", f"remember {one}")
    await studio.say("Maren", "remember the shed lock was changed by the caretaker in spring")
    said = {wording: await studio.say("Lena", wording) for wording in WORDINGS[kept]}
    assert [] == [wording for wording, text in said.items() if f"\u201c{kept}\u201d" not in text]


FOUND = {
    ("Ines", "i'm allergic to hazelnuts and walnuts btw"): [
        ("Tom", "is ines allergic to nuts?"),
        ("Tom", "Is Ines allergic to nuts?"),
        ("Tom", "can ines eat hazelnuts?"),
        ("Tom", "does ines have a nut allergy?"),
        ("Tom", "does Ines have any allergies"),
        ("Pat", "who is allergic to nuts?"),
    ],
    ("Tom", "pat hasnt paid the membership fee since september, 45 euro"): [
        ("Maren", "who didnt pay membership?"),
        ("Maren", "who hasn't paid the membership fee?"),
        ("Maren", "whos not paid their fee"),
        ("Maren", "did pat pay the membership fee?"),
        ("Maren", "has pat paid?"),
    ],
    ("Pat", "j\u00fcrgen owes me 14 euro for pizza"): [
        ("Pat", "who owes me money?"),
        ("J\u00fcrgen", "what do i owe pat"),
        ("J\u00fcrgen", "do i owe pat anything?"),
        ("Pat", "does j\u00fcrgen owe me money?"),
    ],
    ("Maren", "kiln 2 has a broken element, dont use it till thursday"): [
        ("Ines", "can i use kiln 2?"),
        ("Ines", "may I use kiln 2 today?"),
        ("Ines", "is kiln 2 working?"),
        ("Ines", "is kiln 2 broken"),
    ],
    ("Tom", "we start with 120 euros in change in the cash box"): [
        ("Ines", "How much change do we start with?"),
        ("Ines", "how much change is in the cash box when we start"),
    ],
    ("Pat", "the sign hung by the door fell down, i put it on the bench"): [
        ("Tom", "who knows where the sign is that used to hang by the door"),
        ("Tom", "did the sign fall down?"),
    ],
    ("Maren", "somebody has to carry the tables over at eight"): [
        ("Pat", "what time do I have to carry the tables over?"),
        ("Pat", "I'd love to help, when do I carry tables?"),
        ("Pat", "someone asked me when we carry the tables over"),
    ],
}


@pytest.mark.parametrize("kept", FOUND, ids=lambda kept: kept[0])
async def test_what_is_known_is_not_denied(studio: Studio, kept: tuple[str, str]) -> None:
    """Other forms of a word, a part of one, a name in small letters: at least it is quoted as what comes near."""
    for who, one in FOUND:
        await studio.say(who, f"remember {one}")
    said = {asked: await studio.say(who, asked) for who, asked in FOUND[kept]}
    assert [] == [asked for asked, text in said.items() if kept[1] not in text]


async def test_what_nobody_told_is_quoted_from_nothing(studio: Studio) -> None:
    """Neither for what the world knows, nor by a word that only sounds like it."""
    await studio.say("Maren", "remember the code for the shed lock is 4471")
    await studio.say("Tom", "remember the garage is painted green")
    asked = ("where is the spare key?", "what is the capital of Norway?", "how old is the age?", "who feeds the cat?")
    said = [await studio.say("Pat", one) for one in asked]
    assert [] == [text for text in said if "\u201c" in text]


async def test_my_own_is_nobody_elses(studio: Studio) -> None:
    """Who asks for what is theirs is told neither of a named one's nor of what others call their own."""
    await studio.say("Ines", "remember my birthday is on 3 march")
    await studio.say("Maren", "remember Tom's birthday is on the 9th of may")
    await studio.say("Ines", "actually toms birthday is may 8th")
    ines, pat, tom = [await studio.say(one, "when is my birthday?") for one in ("Ines", "Pat", "Tom")]
    assert ("3 march" in ines, "may" in ines) == (True, False)
    assert "\u201c" not in pat
    assert ("3 march" in tom, "toms birthday is may 8th" in tom) == (False, True)


async def test_what_somebody_said_is_in_their_words(studio: Studio) -> None:
    """What others say of them is no answer, but where they tell what was said."""
    await studio.room.overhear("the element of kiln 2 costs 80 euro in town", by=studio.people["J\u00fcrgen"])
    await studio.room.overhear("j\u00fcrgen wants to replace the element himself", by=studio.people["Ines"])
    await studio.room.overhear("j\u00fcrgen said the element is still good", by=studio.people["Tom"])
    said = await studio.say("Pat", "what does j\u00fcrgen say about the element")
    assert ("80 euro" in said, "himself" in said) == (True, False)


async def test_of_a_list_the_entry_that_answers_is_quoted(studio: Studio) -> None:
    """The others are about something else, and may be nobody's business there."""
    listed = "for everyone:\n- wifi is TonUndTeufel, password mudpie42\n- the next game night is on 6 December at toms"
    await studio.room.overhear(listed, by=studio.people["Maren"])
    said = await studio.say("Pat", "when is game night?")
    assert ("6 December" in said, "mudpie42" in said) == (True, False)


@pytest.mark.parametrize("asked", ["what day is it", "whats the time?", "what is today's date?", "what time is it now"])
async def test_the_clock_is_told(studio: Studio, asked: str) -> None:
    """In the space's time zone, with nothing of it in memory."""
    assert "2026-03-02" in await studio.say("Pat", asked)


@pytest.mark.parametrize("asked", ["tell me a joke", "write me a poem about clay", "can you tell us a story?"])
async def test_what_takes_a_model_is_said_to(studio: Studio, asked: str) -> None:
    """It is no question that memory has nothing on."""
    assert "without a model" in (await studio.say("Pat", asked)).partition("\n")[0]
