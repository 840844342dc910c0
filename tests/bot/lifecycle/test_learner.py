"""The laws of learning a channel's past: what is read, what is left out, where it goes on, and what stops it."""

from collections.abc import AsyncGenerator, Callable, Iterable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Any

import pytest

from bot import errors
from bot.db.pool import Database
from bot.domain import Caller, ChannelId, Message, MessageId, SpaceId, new_id
from bot.lifecycle import learner
from bot.lifecycle.distilling import Distiller
from bot.lifecycle.history_sample import PROBES
from bot.lifecycle.learner import HistoryPage, PublicThread
from bot.recall.ledger_search import LedgerSearch
from bot.store.chunks import Distilled
from bot.store.learnings import Learning, Stage, Why
from tests import people
from tests.conftest import Clock
from tests.conversations import Room, roles, room
from tests.rows import column, one, rows

ANN, BOB = people.caller(admin=True), people.caller("Bob", person=8)
SPACE, CHANNEL = SpaceId(1), ChannelId(10)
THREAD = ChannelId(20)
FACT = "We decided to use Rust."
OLD = timedelta(days=400)


@dataclass
class Past:
    """A channel's history, and what is told in it; without Discord."""

    clock: Clock
    said: list[Message] = field(default_factory=list[Message])
    asked: list[MessageId] = field(default_factory=list[MessageId])
    """After which message each page was asked for."""
    announced: list[datetime] = field(default_factory=list[datetime])
    shown: list[Learning] = field(default_factory=list[Learning])
    fails: list[Exception] = field(default_factory=list[Exception])
    """What the next requests end with."""
    stands: Callable[[Iterable[MessageId]], bool] = lambda _: True
    in_thread: list[Message] = field(default_factory=list[Message])
    """What was said in a public thread of it."""
    may_write: bool = True

    def says(self, by: Caller, *texts: str, ago: timedelta = timedelta(days=3)) -> list[int]:
        """The ids of what somebody said then, a minute apart."""
        begin = self.clock() - ago
        new = [people.said(by, text, begin + timedelta(minutes=n)) for n, text in enumerate(texts)]
        self.said = sorted([*self.said, *new], key=lambda message: message.message_id)
        return [message.message_id for message in new]

    def serves(self, space_id: SpaceId) -> bool:
        return True

    async def channel(self, caller: Caller, named: str) -> ChannelId:
        return THREAD if named == "#thread" else CHANNEL

    async def is_operator(self, caller: Caller) -> bool:
        return caller.person_id == ANN.person_id

    async def page(self, space_id: SpaceId, channel_id: ChannelId, after: MessageId) -> HistoryPage | None:
        self.asked.append(after)
        if self.fails:
            raise self.fails.pop()
        here = self.in_thread if channel_id == THREAD else self.said
        found = [message for message in here if message.message_id > after][: learner.PAGE]
        ids = tuple(message.message_id for message in found)
        return HistoryPage(said=tuple(found), ids=ids, stands=self.stands) if found else None

    async def threads(self, space_id: SpaceId, channel_id: ChannelId, since: datetime) -> list[PublicThread]:
        found = [PublicThread(channel_id=THREAD, name="thread", messages=len(self.in_thread))]
        return found if self.in_thread and channel_id == CHANNEL else []

    async def is_open(self, space_id: SpaceId, channel_id: ChannelId) -> bool:
        return True

    async def is_announced(self, learning: Learning) -> bool:
        return True

    async def announce(self, learning: Learning, begins_at: datetime) -> tuple[MessageId, datetime] | None:
        if not self.may_write:
            return None
        self.announced.append(begins_at)
        return MessageId(new_id(self.clock())), self.clock()

    async def show(self, learning: Learning) -> None:
        self.shown.append(learning)


@dataclass
class Scene:
    """A channel of mode `all` with a past."""

    here: Room
    past: Past
    database: Database

    async def asks(self, line: str = "since:30d wait:0", by: Caller = ANN) -> str:
        named = line if line.startswith("#") else f"#general {line}"
        return await self.here.run(f"!learn {named}", by)

    async def learns(self, line: str = "since:30d wait:0") -> None:
        """Asks, agrees, and waits until nothing more is done now."""
        await self.asks(line)
        await self.here.app.commands.learning.agreed(ANN, CHANNEL)
        await self.here.app.background.settled(20)

    async def goes_on(self, **later: float) -> None:
        """What is done some time later."""
        self.here.clock.forward(**later)
        await self.here.app.learner.look([SPACE])
        await self.here.app.background.settled(20)

    async def state(self) -> str:
        return await one(self.database, "SELECT state FROM learning")

    async def kept(self) -> list[int]:
        """What is recorded."""
        return await column(self.database, "SELECT message_id FROM message WHERE session_id < 0 ORDER BY 1")

    async def contents(self) -> list[str]:
        """What is remembered, as it was said."""
        found = await column(self.database, "SELECT content FROM memory WHERE forgotten_at IS NULL ORDER BY memory_id")
        return [content.partition('"')[2].removesuffix('"') for content in found]


@asynccontextmanager
async def scene(database: Database, clock: Clock) -> AsyncGenerator[Scene]:
    async with room(database, clock, who=ANN) as r:
        await r.app.enter(BOB, channel_name="general", mode="all")
        past = Past(clock)
        r.app.learner.connect(past)
        yield Scene(r, past, database)


@pytest.fixture
async def here(database: Database, clock: Clock) -> AsyncGenerator[Scene]:
    async with scene(database, clock) as found:
        yield found


def talk(count: int) -> Sequence[str]:
    """So many lines, the first worth keeping."""
    return [FACT, *(f"ha ha {n}" for n in range(1, count))]


async def test_it_is_announced_and_begins_a_day_later(here: Scene) -> None:
    """Announced at once, once; not a word is read before its time, and all of it then."""
    ids = here.past.says(ANN, *talk(5))
    await here.learns("since:30d")
    assert [here.here.clock() + timedelta(days=1)] == here.past.announced
    await here.goes_on(hours=23)
    assert ("announced", []) == (await here.state(), await here.kept())
    await here.goes_on(hours=2)
    assert ("done", ids) == (await here.state(), await here.kept())
    assert 1 == len(here.past.announced)
    assert Stage.DONE is here.past.shown[-1].state


async def test_less_than_a_day_of_notice_takes_the_operator(here: Scene) -> None:
    """Whoever manages the server alone is refused, and nothing is asked for."""
    here.past.says(ANN, *talk(5))
    other = replace(ANN, person_id=BOB.person_id, name="Bob")
    with pytest.raises(errors.NotAllowed):
        await here.asks("since:30d wait:0", by=other)
    assert "since" in await here.asks("since:30d", by=other)
    with pytest.raises(errors.NotAllowed):
        await here.here.app.commands.learning.agreed(ANN, CHANNEL)


@pytest.mark.parametrize("mode", ["off", "explicit", "addressed"])
async def test_only_where_everything_is_remembered(here: Scene, mode: str) -> None:
    """Refused where it is not; and where that is changed later nothing more is read, and it says so."""
    ids = here.past.says(ANN, *talk(120))
    await here.asks("since:30d")
    await here.here.run(f"!memory mode {mode}")
    with pytest.raises(errors.NotAllowed, match="memory mode all"):
        await here.here.app.commands.learning.agreed(ANN, CHANNEL)
    await here.here.run("!memory mode all")
    await here.learns("since:30d")
    await here.here.run(f"!memory mode {mode}")
    await here.goes_on(days=2)
    assert ("stopped", Why.MODE) == (await here.state(), here.past.shown[-1].why)
    assert [] == await here.kept()
    assert ids


async def test_it_goes_on_at_the_message_where_it_stopped(here: Scene) -> None:
    """Where Discord is away it is tried again later, after what was recorded; nothing is there twice."""
    ids = here.past.says(ANN, *talk(250))
    await here.asks("since:30d wait:0")
    # The next page is the second: what was announced asks for none here.
    here.past.asked.clear()
    here.past.fails = [errors.DiscordDown()]
    await here.here.app.commands.learning.agreed(ANN, CHANNEL)
    await here.here.app.background.settled(20)
    assert ("reading", []) == (await here.state(), await here.kept())
    await here.goes_on(seconds=30)
    assert [] == await here.kept()
    await here.goes_on(minutes=1)
    assert ("done", ids) == (await here.state(), await here.kept())
    await here.here.app.schedule.upkeep()
    covered = await column(here.database, "SELECT unnest(messages) FROM chunk ORDER BY 1")
    assert covered == ids
    assert [FACT] == await here.contents()


async def test_who_wants_no_part_is_left_out_before_and_after(here: Scene) -> None:
    """By a press before it begins, nothing of theirs is read; after, what was read goes with what was made of it."""
    here.past.says(BOB, "We decided to use Perl.", *(f"ho ho {n}" for n in range(3)))
    ids = here.past.says(ANN, *talk(4))
    await here.learns("since:30d")
    await here.here.app.commands.learning.leave_out(BOB, CHANNEL)
    await here.here.app.background.settled(20)
    await here.goes_on(days=2)
    assert ids == await here.kept()
    await here.here.app.schedule.upkeep()
    assert [FACT] == await here.contents()
    await here.here.app.commands.learning.leave_out(ANN, CHANNEL)
    await here.here.app.background.settled(20)
    assert ([], []) == (await here.kept(), await here.contents())
    assert [] == await rows(here.database, "SELECT * FROM chunk")
    # It holds for the next time as well.
    await here.learns()
    assert [] == await here.kept()


async def test_opt_outs_erasures_and_what_was_forgotten_are_respected(here: Scene) -> None:
    """Nobody's who opted out, nothing from before an erasure, nothing under a tombstone; what is recorded stays."""
    here.past.says(BOB, "We decided to use Perl.")
    (erased,) = here.past.says(replace(ANN, person_id=people.caller("Cyd", person=9).person_id, name="Cyd"), "Old.")
    first, *ids = here.past.says(ANN, *talk(4))
    await here.here.run("!memory off me", BOB)
    async with here.database.connection() as connection:
        await connection.execute(
            "INSERT INTO person (person_id, erased_at) VALUES (9, $1)", here.here.clock() - timedelta(days=1)
        )
        await connection.execute(
            "INSERT INTO tombstone (space_id, memory_id, channel_id, evidence, content_mac, at) "
            "VALUES (1, 99, 10, ARRAY[$1::bigint], '', $2)",
            first,
            here.here.clock(),
        )
    await here.learns()
    assert ids == await here.kept()
    assert erased not in await here.kept()


async def test_stopped_it_keeps_what_is_there_and_reads_no_more(here: Scene) -> None:
    """At once, while a page is on its way too; what was recorded becomes memory, and the next time reads the rest."""
    ids = here.past.says(ANN, *talk(250))
    await here.asks("since:30d wait:0")
    page, stopped = here.past.page, list[str]()

    async def stop(space_id: SpaceId, channel_id: ChannelId, after: MessageId) -> HistoryPage | None:
        found = await page(space_id, channel_id, after)
        if await here.kept() and not stopped:
            stopped.append(await here.here.run("!learn stop"))
        return found

    here.past.page = stop
    await here.here.app.commands.learning.agreed(ANN, CHANNEL)
    await here.here.app.background.settled(20)
    assert ("stopped", ids[:100]) == (await here.state(), await here.kept())
    assert "100 of 100" in stopped[0]
    await here.here.app.schedule.upkeep()
    assert [FACT] == await here.contents()
    await here.learns()
    assert ids == await here.kept()


async def test_what_is_too_old_leaves_facts_and_a_ledger_but_no_words(here: Scene) -> None:
    """Older than `keep_days`: no row, but facts and what it came to, once; and they go with what they rest on."""
    old = here.past.says(ANN, *talk(150), ago=OLD)
    new = here.past.says(ANN, "We decided to use Postgres.", *talk(4)[1:])
    await here.learns("since:600d wait:0")
    await here.here.app.schedule.upkeep()
    assert new == await here.kept()
    assert [FACT, "We decided to use Postgres."] == await here.contents()
    told = await rows(here.database, "SELECT messages, text FROM chunk WHERE model <> '' ORDER BY first_message_id")
    assert [*old, *new] == [message_id for messages, _ in told for message_id in messages]
    assert FACT.rstrip(".") in told[0][1]
    await here.learns("since:600d wait:0")
    assert len(told) == await one(here.database, "SELECT count(*) FROM chunk WHERE model <> ''")
    await here.here.app.discord_edits.deleted(SPACE, [MessageId(old[0])], here.here.clock())
    assert ["We decided to use Postgres."] == await here.contents()
    assert [] == await rows(here.database, "SELECT * FROM chunk WHERE text LIKE '%Rust%'")


async def test_who_leaves_while_a_page_is_summed_up_is_told_of_no_more(
    here: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of a page whose words are not kept the first run is made already; what follows is made without them."""
    here.past.says(ANN, *talk(60), ago=OLD)
    here.past.says(BOB, "We decided to use Perl.", *talk(10)[1:], ago=OLD - timedelta(hours=2))
    app, authors = here.here.app, list[set[int | None]]()
    distil = Distiller.distil_unstored

    async def leaving(self: Distiller, space_id: SpaceId, messages: Sequence[Message], *args: Any, **kw: Any) -> Any:
        authors.append({message.author_id for message in messages})
        if len(authors) == 1:
            await app.commands.learning.leave_out(BOB, CHANNEL)
        return await distil(self, space_id, messages, *args, **kw)

    monkeypatch.setattr(Distiller, "distil_unstored", leaving)
    await here.learns("since:600d wait:0")
    await here.goes_on(hours=1)
    assert [{ANN.person_id}] == authors
    assert ("done", [FACT]) == (await here.state(), await here.contents())


async def test_what_was_learned_is_no_part_of_the_talk_that_goes_on(here: Scene) -> None:
    """The open session, its tracker, the rolling summary and the last one stay as they were."""
    await here.here.say("Our meeting is on Friday.")
    await here.here.reset()
    here.past.says(ANN, *talk(130))
    held = "SELECT open_session_id FROM channel"
    open_session = await one(here.database, held)
    await here.learns()
    await here.here.app.schedule.upkeep()
    assert open_session == await one(here.database, held)
    past = "SELECT chunk_id FROM chunk WHERE session_id < 0"
    assert await column(here.database, past)
    assert [] == await rows(here.database, f"SELECT * FROM tracker WHERE ledger_through IN ({past})")
    last = await here.here.app.librarian.last_session(ANN)
    assert last is not None
    assert 1 == last.number
    assert not (await LedgerSearch(here.database).newest(ANN, most=9, after_reset=True)).entries


async def test_where_hathi_is_removed_nothing_more_is_read(here: Scene) -> None:
    """Neither is it looked for again, should Hathi come back: somebody has to ask anew."""
    here.past.says(ANN, *talk(5))
    await here.learns("since:30d")
    await here.here.app.departures.left(SPACE, now=here.here.clock())
    await here.here.app.departures.came_back(SPACE)
    await here.goes_on(days=2)
    assert ("stopped", []) == (await here.state(), await here.kept())


async def test_it_tells_how_much_it_is_and_what_it_costs(database: Database, clock: Clock) -> None:
    """By a few pages: of what is even, nearly right; the price where the settings know it."""
    priced = roles("http://127.0.0.1:1", price_in=1.0, price_out=2.0)
    async with room(database, clock, who=ANN, models=priced) as r:
        past = Past(clock)
        r.app.learner.connect(past)
        past.says(ANN, *(f"Line {n} of many." for n in range(3000)), ago=timedelta(minutes=3000))
        told = await r.run("!learn #general since:3d")
        about = int(told.partition("about ")[2].split()[0].replace(",", ""))
        assert 2700 <= about <= 3300
        assert len(past.asked) <= PROBES
        assert "USD with scripted" in told


async def test_what_ends_while_old_messages_are_distilled_is_not_saved_after_that(
    here: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither what somebody wants no part in from then on, nor anything once it was stopped."""
    here.past.says(BOB, "We decided to use Perl.", "ho ho", ago=OLD)
    ids = here.past.says(ANN, *talk(4), ago=OLD - timedelta(minutes=5))
    distil, app, meanwhile = Distiller.distil_unstored, here.here.app, list[str]()

    async def slowly(self: Distiller, *args: Any, **named: Any) -> Distilled:
        distilled = await distil(self, *args, **named)
        if not meanwhile:
            await app.commands.learning.leave_out(BOB, CHANNEL)
        elif len(meanwhile) == 1:
            await here.here.run("!learn stop")
        meanwhile.append("")
        return distilled

    monkeypatch.setattr(Distiller, "distil_unstored", slowly)
    await here.learns("since:600d wait:0")
    assert [] == await rows(here.database, "SELECT 1 FROM chunk UNION ALL SELECT 1 FROM memory")
    await here.goes_on(minutes=2)
    assert ("stopped", 2) == (await here.state(), len(meanwhile))
    assert [] == await rows(here.database, "SELECT 1 FROM chunk UNION ALL SELECT 1 FROM memory")
    await here.learns("since:600d wait:0")
    assert ids == await column(here.database, "SELECT unnest(messages) FROM chunk WHERE model <> '' ORDER BY 1")
    assert [FACT] == await here.contents()


async def test_what_is_changed_on_discord_while_it_is_on_its_way_is_not_kept_as_it_was(here: Scene) -> None:
    """Before it is recorded its page is read anew; while it is being recorded, it goes."""
    first, second, *ids = here.past.says(ANN, *talk(5))
    gone, asked = set[int](), list[int]()

    def stands(some: Iterable[MessageId]) -> bool:
        asked.append(1)
        if len(asked) == 1:
            # Deleted before this page is recorded, and after it was read.
            here.past.said = [message for message in here.past.said if message.message_id != first]
            return False
        if len(asked) == 2:
            gone.add(second)
            return True
        return gone.isdisjoint(some)

    here.past.stands = stands
    await here.learns()
    assert ids == await here.kept()
    await here.here.app.schedule.upkeep()
    assert [] == await here.contents()


async def test_a_thread_is_read_after_its_channel_and_goes_on_where_it_stopped(here: Scene) -> None:
    """What is too old in it leaves facts alone; who is left out of the channel is so where it is learned by itself."""
    ids = here.past.says(ANN, *talk(5))
    old = [people.said(ANN, "We decided to use Postgres.", here.here.clock() - OLD)]
    begin = here.here.clock() - timedelta(days=1)
    new = [people.said(BOB, f"ho ho {n}", begin + timedelta(minutes=n)) for n in range(150)]
    here.past.in_thread = [*old, *new]
    page = here.past.page

    async def fails_once(space_id: SpaceId, channel_id: ChannelId, after: MessageId) -> HistoryPage | None:
        if len(await here.kept()) > 100 and not here.past.fails:
            here.past.fails = [errors.DiscordDown()]
            here.past.page = page
        return await page(space_id, channel_id, after)

    here.past.page = fails_once
    await here.learns("since:600d wait:0")
    assert "reading" == await here.state()
    assert 100 < len(await here.kept()) < 155
    await here.goes_on(minutes=2)
    assert ("done", sorted([*ids, *(m.message_id for m in new)])) == (await here.state(), await here.kept())
    await here.here.app.schedule.upkeep()
    assert {FACT, "We decided to use Postgres."} == {*await here.contents()}
    assert [CHANNEL] == await column(here.database, "SELECT DISTINCT channel_id FROM memory")
    places = await rows(here.database, "SELECT channel_id, count(*) FROM chunk GROUP BY 1 ORDER BY 1")
    assert [CHANNEL, THREAD] == [place for place, _ in places]

    await here.here.app.commands.learning.leave_out(BOB, CHANNEL)
    await here.here.app.background.settled(20)
    assert ids == await here.kept()
    await here.asks("#thread since:30d wait:0")
    await here.here.app.commands.learning.agreed(ANN, THREAD)
    await here.here.app.background.settled(20)
    assert ids == await here.kept()
    assert ["done", "done"] == await column(here.database, "SELECT state FROM learning")


async def test_where_it_can_not_be_announced_it_is_not_read_and_that_is_told(here: Scene) -> None:
    """By `!learn`, with the permission that is missing."""
    here.past.says(ANN, *talk(5))
    here.past.may_write = False
    await here.learns()
    assert ("stopped", []) == (await here.state(), await here.kept())
    assert "Send Messages" in await here.here.run("!learn")
