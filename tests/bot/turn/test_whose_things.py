"""The laws of what a request to forget means where several people spoke of the same."""

from dataclasses import replace

import pytest

from bot.commands import forgetting
from bot.db.pool import Database
from bot.domain import Caller
from tests import people
from tests.conftest import Clock
from tests.conversations import Room, room
from tests.rows import column


async def living(database: Database) -> list[str]:
    """What stands in memory, in the order in which it was said."""
    return await column(database, "SELECT content FROM memory WHERE forgotten_at IS NULL ORDER BY memory_id")


async def joined(r: Room, name: str, person: int) -> Caller:
    """Somebody else in the channel."""
    return await r.app.enter(people.caller(name, person=person), channel_name="general", mode="all")


@pytest.mark.parametrize(
    ("mine", "others", "request_"),
    [
        ("my birthday is march 14th", "actually toms birthday is may 8th", "forget my birthday"),
        ("my birthday is march 14th", "Tom's birthday is may 8th", "please forget my birthday"),
        ("my shoe size is 44", "the shoe size of Tom is 41", "forget my shoe size"),
        ("mein Geburtstag ist im März", "Toms Geburtstag ist im Mai", "vergiss meinen Geburtstag"),
        ("mon adresse est rue Verte 3", "l'adresse de Tom est rue Bleue 4", "oublie mon adresse"),
        ("mi cumpleaños es en marzo", "el cumpleaños de Tom es en mayo", "olvida mi cumpleaños"),
        ("my locker code is 12", "his locker code is 99", "forget my locker code"),
    ],
)
async def test_what_is_ones_own_is_meant_alone(
    database: Database, clock: Clock, mine: str, others: str, request_: str
) -> None:
    """What the asker said of somebody else's thing of that name stays."""
    async with room(database, clock, who=people.caller("Ines")) as r:
        await r.say(f"remember that {mine}")
        await r.say(others)
        await r.say(f"remember that {others}")
        told = await r.say(request_)
        await r.say("yes")
    assert mine in told.text
    assert others not in told.text
    assert await living(database) == [others]


async def test_what_others_say_of_the_askers_is_the_askers(database: Database, clock: Clock) -> None:
    """Where it names them; forgetting it takes a right, or a yes."""
    async with room(database, clock, who=people.caller("Ines")) as r:
        pat = await joined(r, "Pat", 8)
        await r.say("remember that Ines' birthday is march 14th", by=pat)
        await r.say("remember that Tom's birthday is may 8th", by=pat)
        await r.say("remember that my birthday is june 2nd", by=pat)
        told = await r.say("forget my birthday")
    assert "#1 was said by someone else" in told.text


@pytest.mark.parametrize("request_", ["forget what I said about friday", "forget what I told you about Friday"])
async def test_a_time_spoken_of_is_what_is_meant(database: Database, clock: Clock, request_: str) -> None:
    """Not what was said last; of several it is asked which, and what only denies the time comes last."""
    async with room(database, clock, who=people.caller("Pat")) as r:
        await r.say("remember that Pat is out on Friday")
        await r.say("remember that Pat is out on Thursday, not Friday")
        await r.run("!settle 2 both")
        told = await r.say(request_)
        standing = await living(database)
        await r.say("only the first")
    assert told.text.startswith("Are these 2 to be forgotten?")
    assert told.text.index("Pat is out on Friday") < told.text.index("Pat is out on Thursday")
    assert ["Pat is out on Friday", "Pat is out on Thursday, not Friday"] == standing
    assert ["Pat is out on Thursday, not Friday"] == await living(database)


async def test_a_denial_alone_is_asked_about(database: Database, clock: Clock) -> None:
    """Unless the request denies the same."""
    async with room(database, clock) as r:
        await r.say("remember that the fair is on Thursday, not Friday")
        asked = await r.say("forget what I said about friday")
        await r.say("remember that I am not vegan")
        gone = await r.say("forget that I am not vegan")
    assert asked.text.startswith("Is this to be forgotten?")
    assert gone.text.startswith("[memory] forgotten: #2")


@pytest.mark.parametrize(
    "request_",
    [
        "forget what Maren said about me",
        "please forget everything Maren told you about me",
        "vergiss, was Maren über mich gesagt hat",
        "oublie ce que Maren a dit sur moi",
        "olvida lo que dijo Maren sobre mí",
        "forget what maren said about reviews",
    ],
)
async def test_what_somebody_said_of_the_asker(database: Database, clock: Clock, request_: str) -> None:
    """They are told how to have it removed; nothing of what anybody else said is meant."""
    async with room(database, clock, who=people.caller("Lena")) as r:
        maren, tom = await joined(r, "Maren", 8), await joined(r, "Tom", 9)
        await r.say("remember that I like reviews")
        await r.say("remember that Lena is slow with reviews", by=maren)
        await r.say("remember that Lena does reviews on Monday", by=tom)
        r.caller = replace(r.caller, is_admin=False)
        told = await r.say(request_)
    assert "#2 was said by someone else" in told.text
    assert "!mydata remove 2" in told.text


async def test_a_name_is_no_word_of_what_was_said(database: Database, clock: Clock) -> None:
    """A question of the asker's that has it is not what that person said."""
    async with room(database, clock, who=people.caller("Pat")) as r:
        await joined(r, "Tom", 8)
        await r.say("huh? Tom told you like a minute ago. who said what about migrations next week??")
        told = await r.say("forget what Tom said about migrations")
    assert told.text == forgetting.NOTHING


async def test_of_ones_own_a_denial_is_not_what_is_to_go(database: Database, clock: Clock) -> None:
    """ "Forget that I'm vegan" means no "I'm not vegan any more": that is asked about first."""
    async with room(database, clock, who=people.caller("Sam")) as r:
        theo = await joined(r, "Theo", 8)
        await r.say("remember that Sam is vegan", by=theo)
        await r.say("im not vegan anymore")
        told = await r.say("forget that im vegan")
    assert not told.text.startswith("[memory] forgotten")


OF_SELF = [
    ("I'm allergic to peanuts", "what are my allergies?", "peanuts"),
    ("I am allergic to peanuts", "what am I allergic to?", "peanuts"),
    ("I live in Graz", "where do I live?", "Graz"),
    ("I borrowed the drill on Monday", "what did I say about the drill?", "Monday"),
    ("ich bin gegen Katzen allergisch", "wogegen bin ich allergisch?", "Katzen"),
    ("je suis allergique aux chats", "à quoi suis-je allergique ?", "chats"),
    ("soy alérgico a los gatos", "¿a qué soy alérgico?", "gatos"),
]


@pytest.mark.parametrize(("said", "asked", "told"), OF_SELF)
async def test_i_is_whoever_says_it(database: Database, clock: Clock, said: str, asked: str, told: str) -> None:
    """What others told of themselves is none of the asker's; who said it is answered by it."""
    async with room(database, clock, who=people.caller("Ines")) as r:
        pat = await joined(r, "Pat", 8)
        await r.say(f"remember that {said}", by=pat)
        await r.say(said, by=pat)
        clock.forward(minutes=1)
        anothers = await r.say(asked)
        own = await r.say(asked, by=pat)
    assert (False, True) == (told in anothers.text, told in own.text)


async def test_what_others_tell_of_the_asker_answers(database: Database, clock: Clock) -> None:
    """Where they name the asker, or say "you"."""
    async with room(database, clock, who=people.caller("Ines")) as r:
        pat = await joined(r, "Pat", 8)
        await r.say("Ines said that she needs the drill by Friday", by=pat)
        await r.say("I am bringing your parcel to the office", by=pat)
        clock.forward(minutes=1)
        drill, parcel = await r.say("what did I say about the drill?"), await r.say("where is my parcel?")
    assert ("Friday" in drill.text, "office" in parcel.text) == (True, True)
