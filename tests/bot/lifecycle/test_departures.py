"""The laws of servers that Hathi is in no more, and of a server that has everything erased."""

import itertools
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from typing import Any, Final

import pytest

from bot import errors
from bot.db.pool import Database
from bot.domain import Caller, MessageId, PlaceSetting, SpaceId, new_id
from bot.lifecycle import space_erasure
from bot.lifecycle.departures import KEPT
from bot.store import word_counts
from bot.store.place_settings import PlaceSettings
from bot.store.word_counts import WordSampler
from tests import people
from tests.bot.lifecycle.test_discord_edits import traces
from tests.conftest import Clock
from tests.conversations import Room, room
from tests.rows import column, one, rows

HERE, THERE = 4 << 22, 5 << 22
ANN = people.caller(space=HERE, channel=HERE + 1, admin=True)
BOB = people.caller("Bob", space=HERE, channel=HERE + 1, person=8)
CAS = people.caller("Cas", space=THERE, channel=THERE + 1, person=9, admin=True)
WORD = "zqgone7"
NOTED: Final = (
    "INSERT INTO standing_reply (space_id, person_id, message_id, place_id, noted_at)"
    " SELECT $1, 7, n, 10, now() FROM generate_series(1, 3) AS n"
)


async def _lived(r: Room, who: Caller, word: str = WORD) -> None:
    """Something of every kind that holds the word was said and made in a server."""
    await r.say(f"We decided to use {word}.", by=who)
    await r.run("!reset", who)
    await r.app.background.settled(20)
    await r.say(f"Remember that the vault is {word}.", by=who)
    await r.run(f"!remember the safe is {word} tags:{word}", who)
    await r.run(f"!note the cellar is {word}", who)
    await r.run("!wake", who)
    await PlaceSettings(r.app.database).set(who, PlaceSetting.MODEL, "small", everywhere=False, now=r.clock())
    await r.say("What did we decide to use?", by=who)


async def _of(database: Database, space: int) -> dict[str, int]:
    """How many rows of a space each table holds, where it holds any."""
    tables = await column(
        database,
        "SELECT table_name::text FROM information_schema.columns JOIN information_schema.tables USING (table_name)"
        " WHERE column_name = 'space_id' AND table_type = 'BASE TABLE'",
    )
    found: dict[str, int] = {}
    for table in tables:
        if count := await one(database, f"SELECT count(*) FROM {table} WHERE space_id = $1", space):
            found[table] = count
    return found


async def _gone(database: Database) -> list[int]:
    return await column(database, "SELECT space_id FROM space WHERE gone_at IS NOT NULL ORDER BY space_id")


async def test_a_server_is_gone_when_discord_leaves_it_out_twice_a_day_apart(database: Database, clock: Clock) -> None:
    """Once may be Discord's fault; one it names, direct messages, and servers of other shards are not."""
    async with room(database, clock, who=ANN) as r:
        direct = people.caller(space=6 << 22, channel=6 << 22)
        await r.app.enter(CAS, channel_name="c", mode="all")
        await r.app.spaces.ensure(_direct(direct), channel_name="d", mode="all", language="english", now=clock())
        seen: list[list[int]] = []
        for hours in (0, 23, 1):
            clock.forward(hours=hours)
            await r.app.departures.named([SpaceId(THERE)], shard=0, shards=1, now=clock())
            await r.app.departures.named([], shard=2, shards=3, now=clock())
            seen.append(await _gone(database))
    assert [[], [], [HERE]] == seen


async def test_coming_back_clears_it(database: Database, clock: Clock) -> None:
    """Named again, or joined again, a server is as it ever was; so is one that was missing but once."""
    async with room(database, clock, who=ANN) as r:
        await r.app.departures.left(SpaceId(HERE), now=clock())
        gone = await _gone(database)
        await r.app.departures.came_back(SpaceId(HERE))
        joined = await _gone(database)
        await r.app.departures.named([], shard=0, shards=1, now=clock())
        await r.app.departures.named([SpaceId(HERE)], shard=0, shards=1, now=clock())
        await r.app.departures.named([], shard=0, shards=1, now=clock.forward(days=2))
        assert ([HERE], [], []) == (gone, joined, await _gone(database))


async def test_what_is_gone_is_erased_whole_after_thirty_days(
    database: Database, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not a day before; no row, and no word in any, is left; another server, and what people wished, stays."""
    monkeypatch.setattr(space_erasure, "BATCH", 2)
    for bound in ("LARGE", "COMMON", "SEEN"):
        monkeypatch.setattr(word_counts, bound, 1)
    async with room(database, clock, who=ANN) as r:
        for who in (BOB, CAS):
            await r.app.enter(who, channel_name="c", mode="all")
        for who in (ANN, BOB):
            await _lived(r, who)
        assert 2 == await WordSampler(database).look([SpaceId(HERE)], now=clock())
        await _lived(r, CAS, "zqstay7")
        await r.app.enter(people.caller("Ann", space=THERE, channel=THERE + 1), channel_name="c", mode="all")
        await r.run("!memory off me", BOB)
        async with database.connection() as connection:
            await connection.execute(NOTED, HERE)
        before = await _of(database, THERE)
        await r.app.departures.left(SpaceId(HERE), now=clock())
        clock.now += KEPT - timedelta(seconds=1)
        early = await r.app.departures.erase_due(now=clock())
        clock.forward(seconds=1)
        await r.app.schedule.erase_gone()
        job = await one(database, "SELECT outcome FROM job_run WHERE job = 'departures'")
    assert (0, "changed 1", {}, {}) == (early, job, await _of(database, HERE), await traces(database, WORD))
    assert before == await _of(database, THERE)
    met = await rows(database, "SELECT person_id, spaces, opted_out_at IS NOT NULL FROM person ORDER BY person_id")
    assert [(7, [THERE], False), (8, [], True), (9, [THERE], False)] == met


async def test_an_erasure_of_a_server_goes_on_where_it_died(
    database: Database, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Killed after each batch, the next run takes the next; and a server that is back keeps what is left."""
    monkeypatch.setattr(space_erasure, "BATCH", 2)
    async with room(database, clock, who=ANN) as r:
        await _lived(r, ANN)
        await r.app.departures.left(SpaceId(HERE), now=clock())
        clock.now += KEPT
        left: list[int] = []
        for batches in range(1, 200):
            with monkeypatch.context() as broken:
                broken.setattr(r.app.database, "transaction", _dying(r.app.database, after=batches))
                try:
                    await r.app.departures.erase_due(now=clock())
                except errors.DatabaseDown:
                    left.append(sum((await _of(database, HERE)).values()))
                else:
                    break
        died = len(left) > 5 and left == sorted(left, reverse=True)
        await r.app.enter(ANN, channel_name="c", mode="all")
        await r.app.departures.left(SpaceId(HERE), now=clock())
        late = clock.forward(days=31)
        await r.app.departures.came_back(SpaceId(HERE))
        assert (True, 0, True) == (died, await r.app.departures.erase_due(now=late), bool(await _of(database, HERE)))


async def test_a_person_is_told_of_servers_that_are_gone(database: Database, clock: Clock) -> None:
    """What is kept of them there is counted, with until when it is."""
    async with room(database, clock, who=ANN) as r:
        await r.say("We decided to use Rust.")
        await r.app.departures.left(SpaceId(HERE), now=clock())
        found = await r.app.personal_data.overview(ANN.person_id, {}, now=clock())
    assert ({HERE: clock()}, frozenset()) == (found.gone, found.direct)


async def test_whoever_manages_a_server_can_have_it_erased(database: Database, clock: Clock) -> None:
    """Asked once it is counted, confirmed it is gone, all but settings, modes, tombstones and, for two days, ids."""
    async with room(database, clock, who=ANN) as r:
        for who in (BOB, CAS):
            await r.app.enter(who, channel_name="c", mode="all")
        await _lived(r, ANN)
        await _lived(r, BOB)
        await _lived(r, CAS, "zqstay7")
        await r.run("!forget 1", ANN)
        await r.run("!settings timezone Europe/Berlin", ANN)
        there = await _of(database, THERE)
        for form in ("!memory erase", "!memory erase confirm"):
            with pytest.raises(errors.NotAllowed):
                await r.run(form, BOB)
        would = await r.run("!memory erase", ANN)
        before = await traces(database, WORD)
        clock.forward(minutes=2)
        done = await r.run("!memory erase confirm", ANN)
        assert (True, {}, there) == (len(before) > 3, await traces(database, WORD), await _of(database, THERE))
        assert {
            "space": 1,
            "upkeep": 1,
            "channel": 1,
            "session": 1,
            "taken_back": 1,
            "erasure": 2,
            "place_setting": 1,
        } == {table: count for table, count in (await _of(database, HERE)).items() if table != "tombstone"}
        assert would.partition(": ")[2].partition(";")[0].split(", ")[0] in done
        zone = await r.run("!settings timezone", ANN)
        reply = await r.say("Remember that the sky is blue.")
    assert (True, True) == ("Europe/Berlin" in zone, "saved" in reply.text)
    assert await one(database, "SELECT count(*) FROM tombstone WHERE space_id = $1", HERE) > 0


async def test_direct_messages_are_no_server(database: Database, clock: Clock) -> None:
    """There `!mydata erase` is what erases."""
    async with room(database, clock, who=_direct(people.caller(space=33, channel=33, admin=True))) as r:
        with pytest.raises(errors.BadArgument):
            await r.run("!memory erase confirm")


async def test_a_question_in_hand_is_closed(database: Database, clock: Clock) -> None:
    """Whoever answers it is to stop."""
    async with room(database, clock, who=ANN) as r:
        turn = r.turn("How are you?")
        await r.app.turns.record(turn)
        given = await r.app.commands.run(
            ANN, "memory", "erase confirm", r.tell_later, said=MessageId(new_id(clock.forward(seconds=1)))
        )
    assert (turn.message.message_id,) == given.closed_turns


def _dying(database: Database, *, after: int) -> Callable[[], Any]:
    """Transactions of which only so many begin."""
    whole, batches = database.transaction, itertools.count(1)

    def dies() -> Any:
        if next(batches) > after:
            raise errors.DatabaseDown
        return whole()

    return dies


def _direct(caller: Caller) -> Caller:
    return replace(caller, is_direct=True)
