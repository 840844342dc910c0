"""The laws of consent: what is kept is what the strictest of a channel's mode and a person's wish allows."""

import asyncio
from dataclasses import replace
from typing import Any, Final

import pytest

from bot import errors
from bot.db.pool import Database
from bot.domain import Actor, Caller, ChannelId, Fact, MessageId, Source
from bot.store.archivist import Archivist, Author
from bot.store.people import People
from bot.store.spaces import Spaces
from bot.store.turns import Turns, WorkerId
from tests import people
from tests.conftest import Clock
from tests.conversations import Room, roles, room
from tests.model_server import ModelServer, Reply
from tests.rows import column, contents, rows

ANN = people.caller(admin=True)
BOB = people.caller("Bob", person=8)
MODES: Final = ("off", "explicit", "addressed", "all")

DECLINED: Final = "Nothing was kept: you opted out of being remembered; !memory on me takes that back."
OFF: Final = "Nothing was kept: memory is off in this channel; !memory mode addressed would turn it on."
EXPLICIT: Final = "Nothing was kept: this channel keeps only what is given with !remember."


def fact(content: str, by: Caller = ANN, *evidence: int) -> Fact:
    return Fact(
        content=content,
        topic="ops",
        importance=5,
        source=Source.USER,
        author_id=by.person_id,
        author=by.name,
        evidence=tuple(MessageId(e) for e in evidence),
    )


WAYS: Final = {
    "!remember": (Actor.PERSON, "remember", {"explicit", "addressed", "all"}),
    "!edit": (Actor.PERSON, "edit", {"explicit", "addressed", "all"}),
    "plain words": (Actor.PERSON, "asked", {"addressed", "all"}),
    "the model's tool": (Actor.MODEL, "tool", {"addressed", "all"}),
    "a tool that lies": (Actor.MODEL, "remember", {"addressed", "all"}),
    "a summary": (Actor.SUMMARY, "session:1", {"addressed", "all"}),
}
"""Each way of saving, and the modes that let it."""


@pytest.mark.parametrize("declined", [False, True], ids=["willing", "opted out"])
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("way", WAYS)
async def test_what_is_kept_is_the_strictest_s(
    database: Database, clock: Clock, way: str, mode: str, declined: bool
) -> None:
    """For every way, mode and wish: kept, or refused with the one sentence; a summary's fact is left out silently."""
    actor, reason, modes = WAYS[way]
    spaces = Spaces(database)
    await spaces.ensure(ANN, channel_name="c", mode="all", language="english", now=clock())
    await spaces.set_mode(ANN, mode, now=clock())
    if declined:
        await People(database).opt_out(ANN.person_id, clock())
    person = None if actor is Actor.SUMMARY else ANN.person_id
    author = Author(actor=actor, person_id=person, reason=reason)
    said = ""
    try:
        await Archivist(database).save(ANN.space_id, ANN.channel_id, [fact("The code is 4417.")], author, now=clock())
    except errors.NotAllowed as exc:
        said = str(exc)
    allowed = mode in modes and not declined
    refusal = DECLINED if declined else OFF if mode == "off" else EXPLICIT
    assert ["The code is 4417."] * allowed == await contents(database)
    assert ("" if allowed or actor is Actor.SUMMARY else refusal) == said


async def test_a_channel_nobody_knows_keeps_nothing(database: Database, clock: Clock) -> None:
    """Without a mode there is no consent."""
    await Spaces(database).ensure(ANN, channel_name="c", mode="all", language="english", now=clock())
    with pytest.raises(errors.NotFound):
        await Archivist(database).save(
            ANN.space_id, ChannelId(99), [fact("x")], Author.person(ANN, "remember"), now=clock()
        )
    assert [] == await contents(database)


async def test_a_summary_leaves_out_only_what_rests_on_people_who_opted_out(database: Database, clock: Clock) -> None:
    """By who said it and by what it rests on, also where others are among them; the rest is kept."""
    async with room(database, clock, who=ANN) as r:
        bob = await r.app.enter(BOB, channel_name="general", mode="all")
        await r.say("We deploy on Fridays.")
        await r.say("I live in Lyon.", by=bob)
        (a,), (b,) = await rows(database, "SELECT message_id FROM message WHERE role = 'person' ORDER BY message_id")
        await r.run("!memory off me", by=bob)
        facts = [
            fact("Deploys are on Fridays.", ANN, a),
            fact("Bob lives in Lyon.", BOB, b),
            fact("Bob said so.", BOB),
            fact("Ann heard that Bob lives in Lyon.", ANN, a, b),
            replace(fact("Somebody lives in Lyon.", ANN, b), author_id=None, author=None),
        ]
        author = Author(actor=Actor.SUMMARY, reason="session:1")
        saved = await r.app.archivist.save(ANN.space_id, ANN.channel_id, facts, author, now=clock())
    assert ["Deploys are on Fridays."] == await contents(database) == [s.memory.content for s in saved]


async def test_nothing_is_kept_once_an_opt_out_has_returned(database: Database, clock: Clock) -> None:
    """An opt-out waits for what is just being kept, so that a save that ends later was refused."""
    await Spaces(database).ensure(ANN, channel_name="c", mode="all", language="english", now=clock())
    archivist, out = Archivist(database), asyncio.Event()

    async def opt_out() -> None:
        await People(database).opt_out(ANN.person_id, clock())
        out.set()

    async with database.transaction() as connection:
        author = Author.person(ANN, "remember")
        await archivist.save_in(connection, ANN.space_id, ANN.channel_id, [fact("first")], author, now=clock())
        leaving = asyncio.create_task(opt_out())
        await waiting(database)
        before = out.is_set()
    await leaving
    with pytest.raises(errors.NotAllowed):
        await archivist.save(ANN.space_id, ANN.channel_id, [fact("second")], author, now=clock())
    assert (False, ["first"]) == (before, await contents(database))


async def test_nothing_is_kept_under_an_old_mode_once_the_new_one_is_told(database: Database, clock: Clock) -> None:
    """A change of mode waits for what is just being kept."""
    spaces, archivist, done = Spaces(database), Archivist(database), asyncio.Event()
    await spaces.ensure(ANN, channel_name="c", mode="all", language="english", now=clock())

    async def turn_off() -> None:
        await spaces.set_mode(ANN, "off", now=clock())
        done.set()

    async with database.transaction() as connection:
        author = Author.person(ANN, "remember")
        await archivist.save_in(connection, ANN.space_id, ANN.channel_id, [fact("first")], author, now=clock())
        changing = asyncio.create_task(turn_off())
        await waiting(database)
        before = done.is_set()
    await changing
    with pytest.raises(errors.NotAllowed):
        await archivist.save(ANN.space_id, ANN.channel_id, [fact("second")], author, now=clock())
    assert (False, ["first"]) == (before, await contents(database))


async def waiting(database: Database) -> None:
    """Return when some connection to this database waits for a lock."""
    query: Any = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
    async with asyncio.timeout(20):
        while not (await rows(database, query))[0][0]:
            await asyncio.sleep(0)


# --- as people meet it ----------------------------------------------------------------------------------------------


async def test_asking_in_plain_words_where_only_remember_keeps_is_told(database: Database, clock: Clock) -> None:
    """The refusal is the answer; `!remember` itself is kept, and edited; in `off` neither."""
    async with room(database, clock, who=ANN) as r:
        await r.run("!memory mode explicit")
        asked = await r.say("Please remember that the vault code is 4417.")
        await r.run("!remember The vault code is 4417.")
        await r.run("!edit 1 The vault code is 4418.")
        await r.run("!memory mode off")
        told = [await refused(r, "!remember Bob likes tea."), await refused(r, "!edit 2 The code is 1.")]
    assert (EXPLICIT, [OFF, OFF]) == (asked.text, told)
    assert ["The vault code is 4417.", "The vault code is 4418."] == await contents(database)


async def test_the_model_s_tool_is_told_that_nothing_was_kept(database: Database, clock: Clock) -> None:
    """In `explicit` a model can't keep what nobody gave with `!remember`."""
    call = ("memory_save", {"content": "The vault code is 4417."})
    async with (
        ModelServer(Reply(calls=(call,)), Reply(text="I may not keep that.")) as server,
        room(database, clock, models=roles(server.base_url), who=ANN) as r,
    ):
        await r.run("!memory mode explicit")
        answer = await r.say("The vault code is 4417.")
        told = server.requests[-1]["messages"][-1]["content"]
    assert ("I may not keep that.", f"Not done: {EXPLICIT}", []) == (answer.text, told, await contents(database))


async def test_who_opted_out_is_in_no_history_and_no_summary(database: Database, clock: Clock) -> None:
    """Nor is what they were answered; what others said and were answered is."""
    async with (
        ModelServer(Reply(text="Noted, Ann."), Reply(text="Lyon, nice."), Reply(text="Hello.")) as server,
        room(database, clock, models=roles(server.base_url), who=ANN) as r,
    ):
        bob = await r.app.enter(BOB, channel_name="general", mode="all")
        await r.say("We deploy on Fridays.")
        await r.say("I live in Lyon.", by=bob)
        await r.run("!memory off me", by=bob)
        await r.say("What else?")
        prompt = str(server.requests[-1]["messages"])
        server.steps.append(Reply(text='{"summary": "Deploys.", "facts": []}'))
        told = await r.reset()
        transcript = str(server.requests[-1]["messages"])
    assert [(True, False), (True, False)] == [("Fridays" in t, "Lyon" in t) for t in (prompt, transcript)]
    assert "Summarized 4 messages" in told


async def test_what_others_were_answered_with_the_words_of_who_opted_out_is_in_no_summary(
    database: Database, clock: Clock
) -> None:
    """It stays where it was said, and nothing more is made of it."""
    async with (
        ModelServer(always=Reply(text='{"summary": "Nothing much.", "facts": []}')) as server,
        room(database, clock, models=roles(server.base_url), who=ANN) as r,
    ):
        bob = await r.app.enter(BOB, channel_name="general", mode="all")
        await r.run("!remember The civet is called Nandinia.", by=bob)
        told = await r.say("What is the civet called?")
        await r.run("!memory off me", by=bob)
        await r.reset()
        transcript = str(server.requests[-1]["messages"])
    assert ("Nandinia" in told.text, "Nandinia" in transcript, "civet called?" in transcript) == (True, False, True)


async def test_what_was_said_under_another_mode_is_not_taken_up_later(database: Database, clock: Clock) -> None:
    """Caught up with after the mode was set: what was said to Hathi before is answered, and nothing of it kept."""
    spaces, turns = Spaces(database), Turns(database, WorkerId("w"))
    await spaces.ensure(ANN, channel_name="c", mode="addressed", language="english", now=clock())
    before = [people.turn(ANN, text, clock.forward(seconds=1)) for text in ("The badger is Taxidea.", "Hathi?")]
    await spaces.set_mode(ANN, "all", now=clock.forward(seconds=1))
    after = [people.turn(ANN, text, clock.forward(seconds=1)) for text in ("The otter is Lutra.", "Well?")]
    for overheard, asked in (before, after):
        await turns.overhear(overheard.message, language="english", behind=True)
        await turns.record(asked, behind=True)
    await spaces.set_mode(ANN, "all", now=clock.forward(seconds=1))
    assert ["The otter is Lutra.", "Well?"] == await column(database, "SELECT content FROM message ORDER BY message_id")
    assert [True, False] == await column(database, "SELECT unkept FROM turn ORDER BY turn_id")
    assert 1 == len({*await column(database, "SELECT mode_since FROM channel")})


@pytest.mark.parametrize("mode", ["off", "explicit"])
async def test_a_reset_only_clears_where_nothing_may_be_distilled(database: Database, clock: Clock, mode: str) -> None:
    """What was said before the mode was changed is not distilled after, in the channel and in its public threads."""
    thread = replace(ANN, channel_id=ChannelId(77), origin=ANN.channel_id)
    async with room(database, clock, who=ANN) as r:
        inside = await r.app.enter(thread, channel_name="thread", mode="all")
        for by in (r.caller, inside):
            await r.say("We decided to use Rust.", by=by)
        await r.run(f"!memory mode {mode}")
        told = [await r.run("!reset", by=by) for by in (r.caller, inside)]
        await r.app.background.settled(20)
    assert (["Conversation history cleared."] * 2, []) == (told, await contents(database))
    assert [] == await rows(database, "SELECT 1 FROM chat_summary")


@pytest.mark.parametrize("mode", ["off", "explicit"])
async def test_a_summary_that_still_waits_is_not_made_any_more(database: Database, clock: Clock, mode: str) -> None:
    """The channel was closed to distilling meanwhile: no fact and no chat summary comes of it."""
    async with (
        ModelServer(Reply(text="Hello."), Reply(text="broken"), Reply(text="broken")) as server,
        room(database, clock, models=roles(server.base_url), who=ANN) as r,
    ):
        await r.say("We decided to use Rust.")
        await r.reset()
        (before,) = await rows(database, "SELECT state FROM session WHERE number = 1")
        await r.run(f"!memory mode {mode}")
        clock.forward(hours=1)
        server.steps.append(Reply(text='{"summary": "Rust.", "facts": []}'))
        await r.app.schedule.upkeep()
        await r.app.background.settled(20)
    assert ("closed",) == before
    assert [("discarded",)] == await rows(database, "SELECT state FROM session WHERE number = 1")
    assert [] == await rows(database, "SELECT 1 FROM chat_summary")


async def test_a_thread_is_remembered_as_its_channel_and_a_private_one_as_itself(
    database: Database, clock: Clock
) -> None:
    """Set from the channel or from its public thread, the mode is the same in both, and nowhere else."""
    spaces = Spaces(database)
    private = replace(ANN, channel_id=ChannelId(88))
    public = replace(ANN, channel_id=ChannelId(77), origin=ANN.channel_id)
    late = replace(ANN, channel_id=ChannelId(78), origin=ANN.channel_id)

    async def ensured(caller: Caller) -> str:
        place = await spaces.ensure(
            caller, channel_name="c", origin_name="o", mode="addressed", language="english", now=clock()
        )
        return place.mode

    for caller in (ANN, public, private):
        await ensured(caller)
    await spaces.set_mode(public, "explicit", now=clock())
    seen = [await ensured(caller) for caller in (ANN, public, late, private)]
    await spaces.set_mode(ANN, "off", now=clock())
    seen += [await ensured(caller) for caller in (ANN, public, late, private)]
    async with database.transaction() as connection:
        await connection.execute("UPDATE channel SET mode = 'all' WHERE channel_id = 78")
    healed = await ensured(late)
    assert [*["explicit"] * 3, "addressed", *["off"] * 3, "addressed"] == seen
    assert "off" == healed


async def refused(r: Room, line: str, by: Caller | None = None) -> str:
    """The sentence a line is refused with."""
    with pytest.raises(errors.NotAllowed) as caught:
        await r.run(line, by=by)
    return str(caught.value)
