"""The laws of learning what was said in a channel before, on a Discord of our own."""

import asyncio
import json
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, Final

import pytest

from bot.db.pool import Database
from bot.presentation import learned
from cogs.access.permissions import can_read
from cogs.catchup.past_messages import NO_CHANNEL, NO_INTENT, PastMessages
from tests import discord_bot
from tests.discord_bot import DiscordBot
from tests.discord_server.interactions import Interaction
from tests.discord_server.messages import Message
from tests.discord_server.permissions import Overwrite, Permission
from tests.discord_server.users import User
from tests.discord_server.wire import Intent
from tests.model_server import Reply
from tests.rows import column, one, rows

FACT = "We decided to use Rust."


class Unpaced:
    """Lets every request begin at once, and counts them; but holds up one where it is told to."""

    def __init__(self) -> None:
        self.turns = 0
        self.halts_at = 0
        self.halted = asyncio.Event()
        self.goes_on = asyncio.Event()

    def halt(self, further: int) -> None:
        """Holds up so many requests further on."""
        self.halts_at = self.turns + further

    async def turn(self) -> None:
        self.turns += 1
        if self.turns == self.halts_at:
            self.halted.set()
            await self.goes_on.wait()


@dataclass
class Ahead:
    """The time, and some more."""

    by: timedelta = timedelta(0)

    def __call__(self) -> datetime:
        return datetime.now(UTC) + self.by


def distilled(body: dict[str, Any]) -> Reply:
    """What the model makes of anything: a summary, and the first line as a fact."""
    if "response_format" not in body:
        return Reply(text="Fine.")
    fact = {"room": "decisions", "topic": "t", "content": FACT, "importance": 5, "evidence": [1]}
    return Reply(text=json.dumps({"summary": "They talked.", "facts": [fact]}))


def reader(bot: DiscordBot) -> PastMessages:
    found = bot.client.get_cog("PastMessages")
    assert isinstance(found, PastMessages)
    return found


async def listening(bot: DiscordBot) -> tuple[User, Unpaced]:
    """The operator of a Hathi that hears and keeps everything from now on, and nothing of what was said before."""
    # What was said in the last minutes is else caught up with, as missed.
    await bot.caught_up()
    owner, pace = bot.knows(bot.guild.owner), Unpaced()
    bot.discord.world.owner = owner
    reader(bot).pace = pace  # pyright: ignore[reportAttributeAccessIssue]
    await bot.answer(await owner.say(bot.channel, "!memory mode all"))
    return owner, pace


@asynccontextmanager
async def learning(
    database: Database, *said: str, **settings: Any
) -> AsyncGenerator[tuple[DiscordBot, User, User, Unpaced]]:
    """A channel of mode `all` in which Ann said something before Hathi came; its operator, and Ann."""
    async with discord_bot.world(answer=distilled) as place:
        ann = place.newcomer("Ann")
        for text in said:
            await ann.say(place.channel, text)
        async with discord_bot.connected(place, database, **settings) as bot:
            owner, pace = await listening(bot)
            yield bot, owner, bot.knows(ann), pace


async def asked(bot: DiscordBot, owner: User, line: str = "since:1d wait:0") -> Message:
    """What is told of learning the channel."""
    return await bot.answer(await owner.say(bot.channel, f"!learn <#{bot.channel.channel_id}> {line}"))


async def answered(bot: DiscordBot, chosen: Interaction) -> Message:
    """What a slash command is answered with, once that is more than that Hathi is at it."""

    def found() -> list[Message]:
        return [message for message in chosen.messages if len(message.text) > 1]

    await bot.until(found)
    return found()[0]


async def agreed(bot: DiscordBot, owner: User, line: str = "since:1d wait:0") -> Message:
    """The announcement."""
    told = await asked(bot, owner, line)
    await owner.press(told, f"hathi:learn:{bot.channel.channel_id}")
    return await bot.stands(f"“{learned.LEAVE}”")


async def test_who_leaves_out_since_when_is_told_what_is_missing(database: Database) -> None:
    """And is not shown a value that they never gave."""
    async with learning(database, FACT) as (bot, owner, _, _):
        told = await asked(bot, owner, "")
    assert "since:90d" in told.text
    assert "''" not in told.text


async def test_what_was_said_before_is_read_once_it_was_agreed_to(database: Database) -> None:
    """An estimate first; then every word of people's, once, in a session that is not the open one; and facts."""
    said = [FACT, *(f"Line {n} of our talk." for n in range(130))]
    async with learning(database, *said) as (bot, owner, ann, pace):
        told = await asked(bot, owner)
        assert "131 of them by people" in told.text
        assert 0 == await one(database, "SELECT count(*) FROM message")
        before = pace.turns
        await owner.press(told, f"hathi:learn:{bot.channel.channel_id}")
        notice = await bot.stands(f"“{learned.LEAVE}”")
        await bot.settled()
        # The announcement is looked for; two pages, and the one with nothing on it is not asked for.
        assert 3 <= pace.turns - before <= 4
        assert "131 of them kept" in notice.text
        await bot.app.schedule.upkeep()
        await bot.settled()
        assert said == await column(
            database, "SELECT content FROM message WHERE author_id = $1 ORDER BY message_id", ann.user_id
        )
        assert [("open", 0), ("summarised", 131)] == await rows(
            database, "SELECT state, message_count FROM session ORDER BY number"
        )
        assert 131 == await one(database, "SELECT sum(cardinality(messages)) FROM chunk")
        assert [FACT] == await column(database, "SELECT content FROM memory")
        assert "done" == await one(database, "SELECT state FROM learning")


async def test_anybody_leaves_theirs_out_with_one_press(database: Database) -> None:
    """Under the announcement, told to the presser alone: what was read of it goes, with what was made of it."""
    async with learning(database, FACT, *(f"Line {n}." for n in range(20))) as (bot, owner, ann, _):
        notice = await agreed(bot, owner)
        await bot.settled()
        await bot.app.schedule.upkeep()
        assert [FACT] == await column(database, "SELECT content FROM memory")
        pressed = await ann.press(notice, f"hathi:leave:{bot.channel.channel_id}")
        await bot.until(lambda: any(message.ephemeral for message in pressed.messages))
        await bot.settled()
        assert [] == await column(database, "SELECT message_id FROM message WHERE author_id = $1", ann.user_id)
        assert [] == await column(database, "SELECT content FROM memory WHERE forgotten_at IS NULL")


async def test_it_is_agreed_to_by_whoever_asked_and_announced_once(database: Database) -> None:
    """Another's press does nothing; a worker that died after it was announced is not followed by a second one."""
    async with learning(database, *(f"Line {n}." for n in range(3))) as (bot, owner, ann, _):
        told = await asked(bot, owner, "since:1d")
        button = f"hathi:learn:{bot.channel.channel_id}"
        await ann.press(told, button)
        assert "asked" == await one(database, "SELECT state FROM learning")
        await owner.press(told, button)
        await bot.stands(f"“{learned.LEAVE}”")
        await bot.settled()
        async with database.connection() as connection:
            await connection.execute("UPDATE learning SET notice_id = NULL, begins_at = NULL")
        ((space_id, channel_id),) = await rows(database, "SELECT space_id, channel_id FROM learning")
        await bot.app.learner.work(space_id, channel_id)
        said = [each for each in bot.channel.said_by(bot.discord.bot) if f"“{learned.LEAVE}”" in each.text]
        assert [each.message_id for each in said] == await column(database, "SELECT notice_id FROM learning")
        assert 0 == await one(database, "SELECT count(*) FROM message")


async def test_a_channel_nobody_may_see_is_not_told_of(database: Database) -> None:
    """Who manages the server and does not see a channel finds none; so does a name that is no channel's."""
    async with learning(database, "Hello.") as (bot, _, __, ___):
        hidden = bot.guild.private_channel("hidden", seen_by=[])
        manager = bot.person("Meg", held=[bot.guild.role("managers", Permission.MANAGE_GUILD)])
        for named in (f"<#{hidden.channel_id}>", "#hidden", "#nowhere"):
            told = await bot.answer(await manager.say(bot.channel, f"!learn {named} since:1d"))
            assert NO_CHANNEL in told.text
        assert [] == await rows(database, "SELECT * FROM learning")


async def test_where_hathi_may_not_read_any_more_it_stops_and_says_so(database: Database) -> None:
    """In the announcement, which it may still edit."""
    async with learning(database, *(f"Line {n}." for n in range(3))) as (bot, owner, _, __):
        notice = await agreed(bot, owner, "since:1d")
        await bot.settled()
        bot.channel.overwrite(bot.guild.everyone, Overwrite(deny=Permission.READ_MESSAGE_HISTORY))
        ((space_id, channel_id),) = await rows(database, "SELECT space_id, channel_id FROM learning")
        channel = bot.client.get_channel(channel_id)
        await bot.until(lambda: not can_read(channel))
        async with database.connection() as connection:
            await connection.execute("UPDATE learning SET begins_at = asked_at")
        await bot.app.learner.work(space_id, channel_id)
        assert [("stopped", "closed")] == await rows(database, "SELECT state, why FROM learning")
        assert "I stopped" in notice.text


@dataclass
class Midway:
    """A channel of two people, of which one page is read; the next one is being asked for."""

    bot: DiscordBot
    owner: User
    ann: User
    bob: User
    notice: Message

    async def stopped(self) -> None:
        await self.bot.answer(await self.owner.say(self.bot.channel, "!learn stop"))

    async def stopped_by_slash(self) -> None:
        elsewhere = self.bot.guild.text_channel("elsewhere")
        chosen = await self.owner.slash(elsewhere, "admin learn stop", {"channel": self.bot.channel.name})
        await answered(self.bot, chosen)

    async def switched_off(self) -> None:
        await self.bot.answer(await self.owner.say(self.bot.channel, "!memory mode off"))

    async def shut_unheard(self) -> None:
        # Without an event: Discord then shows an empty channel.
        self.bot.channel.overwrites[self.bot.guild.everyone.target_id] = HISTORY_SHUT

    async def announcement_deleted(self) -> None:
        await self.owner.delete(self.notice)

    async def left_out(self) -> None:
        pressed = await self.ann.press(self.notice, f"hathi:leave:{self.bot.channel.channel_id}")
        await self.bot.until(lambda: any(message.ephemeral for message in pressed.messages))

    async def opted_out(self) -> None:
        await self.bot.answer(await self.ann.say(self.bot.channel, "!memory off me"))

    async def narrowed(self) -> None:
        seen = Overwrite(allow=Permission.VIEW_CHANNEL)
        hidden = Overwrite(deny=Permission.VIEW_CHANNEL)
        guild, bot = self.bot.guild, self.bot.discord.bot
        self.bot.channel.set_overwrites({guild.everyone: hidden, bot: seen, self.ann: seen})

    async def deleted(self) -> None:
        self.bot.channel.delete()


HISTORY_SHUT: Final = Overwrite(deny=Permission.READ_MESSAGE_HISTORY)
BEFORE_THE_SECOND_PAGE: Final = 4
"""Requests: what was announced is looked for, threads are, and the first page is asked for."""


HAPPENINGS: Final = (
    (Midway.stopped, ("stopped", "asked", 50, 50), "!learn"),
    (Midway.stopped_by_slash, ("stopped", "asked", 50, 50), "!learn"),
    (Midway.switched_off, ("stopped", "mode", 50, 50), "!memory mode all"),
    (Midway.shut_unheard, ("stopped", "closed", 50, 50), "Read Message History"),
    (Midway.announcement_deleted, ("done", None, 65, 65), "130 of them kept"),
    (Midway.left_out, ("done", None, 0, 65), learned.LEAVE),
    (Midway.opted_out, ("done", None, 50, 65), "115 of them kept"),
    (Midway.narrowed, ("done", None, 65, 65), "130 of them kept"),
    (Midway.deleted, None, ""),
)
"""Each with the state and the reason in which it ends, what is kept of Ann and of Bob, and a part of what is told."""


@pytest.mark.parametrize(("happens", "outcome", "told"), HAPPENINGS, ids=[each[0].__name__ for each in HAPPENINGS])
async def test_what_happens_while_it_is_read_counts_from_then_on(
    database: Database,
    happens: Callable[[Midway], Awaitable[None]],
    outcome: tuple[str, str | None, int, int] | None,
    told: str,
) -> None:
    """Nothing more is read than may be, nothing twice, what is taken back goes; and where it is told is told of it."""
    async with discord_bot.world(answer=distilled) as place:
        ann, bob = place.newcomer("Ann"), place.newcomer("Bob")
        for n in range(65):
            await ann.say(place.channel, f"Line {n} of our talk." if n else FACT)
            await bob.say(place.channel, f"Answer {n} to that.")
        async with discord_bot.connected(place, database) as bot:
            owner, pace = await listening(bot)
            asked_for = await asked(bot, owner)
            pace.halt(BEFORE_THE_SECOND_PAGE)
            await owner.press(asked_for, f"hathi:learn:{bot.channel.channel_id}")
            await asyncio.wait_for(pace.halted.wait(), 20)
            notice = await bot.stands(f"“{learned.LEAVE}”")
            midway = Midway(bot=bot, owner=owner, ann=bot.knows(ann), bob=bot.knows(bob), notice=notice)
            await happens(midway)
            pace.goes_on.set()
            await bot.settled()
            await bot.app.schedule.upkeep()
            await bot.settled()
            kept = "SELECT count(*) FROM message WHERE author_id = $1 AND session_id < 0"
            counts = [await one(database, kept, who.user_id) for who in (ann, bob)]
            known = await column(database, "SELECT message_id FROM message WHERE session_id < 0")
            covered = await column(database, "SELECT unnest(messages) FROM chunk")
            assert len(covered) == len({*covered} & {*known})
            facts = await column(database, "SELECT content FROM memory WHERE forgotten_at IS NULL")
            if outcome is None:
                assert (counts, facts) == ([0, 0], [])
                assert [] == await rows(database, "SELECT 1 FROM learning UNION ALL SELECT 1 FROM session")
                return
            assert [outcome] == [(*row, *counts) for row in await rows(database, "SELECT state, why FROM learning")]
            assert facts == ([FACT] if counts[0] else [])
            (standing,) = [m for m in bot.channel.said_by(bot.discord.bot) if f"“{learned.LEAVE}”" in m.text]
            assert [standing.message_id] == await column(database, "SELECT notice_id FROM learning")
            assert told in standing.text
            if happens is Midway.narrowed:
                lobby = bot.guild.text_channel("lobby")
                outside = await bot.answer(await bot.person("Meg").say(lobby, "!recall Rust"))
                inside = await bot.answer(await ann.say(bot.channel, "!recall Rust"))
                assert [False, True] == ["Rust." in said.text for said in (outside, inside)]


async def test_a_restart_or_a_deleted_announcement_take_nobody_by_surprise(database: Database) -> None:
    """Another process waits on; is the announcement gone by then, it is announced anew, and a day passes again."""
    ahead = Ahead()
    async with discord_bot.world(answer=distilled) as place:
        await place.newcomer("Ann").say(place.channel, FACT)
        state = "SELECT state, recorded FROM learning"
        async with discord_bot.connected(place, database, clock=ahead) as bot:
            owner, _ = await listening(bot)
            notice = await agreed(bot, owner, "since:1d")
            await bot.settled()
        async with discord_bot.connected(place, database, clock=ahead) as bot:
            reader(bot).pace = Unpaced()  # pyright: ignore[reportAttributeAccessIssue]

            async def later(**units: float) -> list[tuple[Any, ...]]:
                ahead.by += timedelta(**units)
                await bot.app.schedule.upkeep()
                await bot.settled()
                return await rows(database, state)

            assert [("announced", 0)] == await later(hours=23)
            assert not notice.deleted
            await owner.delete(notice)
            assert [("announced", 0)] == await later(hours=2)
            (anew,) = [m for m in bot.channel.said_by(bot.discord.bot) if f"“{learned.LEAVE}”" in m.text]
            assert [("announced", 0)] == await later(hours=23)
            assert [("done", 1)] == await later(hours=2)
            assert [anew.message_id] == await column(database, "SELECT notice_id FROM learning")


async def test_what_ends_it_before_it_began_is_told_at_once_and_holds(database: Database) -> None:
    """While it is being announced too; and what was everything remembered in again is not read unasked."""
    async with learning(database, FACT, clock=(ahead := Ahead())) as (bot, owner, _, pace):
        told = await asked(bot, owner, "since:1d")
        pace.halt(1)
        await owner.press(told, f"hathi:learn:{bot.channel.channel_id}")
        await asyncio.wait_for(pace.halted.wait(), 20)
        chosen = await owner.slash(bot.channel, "admin learn stop")
        assert "0 of" not in (await answered(bot, chosen)).text
        pace.goes_on.set()
        await bot.settled()
        notice = await bot.stands(f"“{learned.LEAVE}”")
        assert "!learn" in notice.text
        assert [("stopped", "asked")] == await rows(database, "SELECT state, why FROM learning")

        chosen = await owner.slash(bot.channel, "admin learn read", {"channel": "general", "since": "1d"})
        await owner.press(await answered(bot, chosen), f"hathi:learn:{bot.channel.channel_id}")
        await bot.until(lambda: len(bot.channel.said_by(bot.discord.bot)) > 4)
        await bot.settled()
        await bot.answer(await owner.say(bot.channel, "!memory mode addressed"))
        told_of = bot.channel.find(await one(database, "SELECT notice_id FROM learning"))
        assert told_of is not None
        assert "!memory mode all" in told_of.text
        await bot.answer(await owner.say(bot.channel, "!memory mode all"))
        ahead.by = timedelta(days=2)
        await bot.app.schedule.upkeep()
        await bot.settled()
        assert [("stopped", "mode", 0)] == await rows(database, "SELECT state, why, messages_read FROM learning")
        status = await bot.answer(await owner.say(bot.channel, "!learn"))
        assert "!memory mode all" in status.text


async def test_what_discord_fails_with_is_tried_again_and_nothing_is_doubled(database: Database) -> None:
    """A limit is waited for; where Discord is down it goes on a minute later, at the page that was asked for."""
    said = [FACT, *(f"Line {n} of our talk." for n in range(130))]
    async with learning(database, *said, clock=(ahead := Ahead())) as (bot, owner, ann, pace):
        told = await asked(bot, owner)
        pace.halt(BEFORE_THE_SECOND_PAGE)
        await owner.press(told, f"hathi:learn:{bot.channel.channel_id}")
        await asyncio.wait_for(pace.halted.wait(), 20)
        path, faults = rf"^/channels/{bot.channel.channel_id}/messages", bot.discord.faults
        limited = faults.limit(method="GET", path=path + "$")
        down = faults.fail(2, status=503, method="GET", path=path + "$")
        unshown = faults.fail(status=503, method="PATCH", path=path)
        pace.goes_on.set()
        await bot.settled()
        assert [("reading", 100, 1)] == await rows(database, "SELECT state, recorded, attempts FROM learning")
        for wait in (1, 2):
            ahead.by += timedelta(minutes=wait, seconds=1)
            await bot.app.schedule.upkeep()
            await bot.settled()
        await bot.app.schedule.upkeep()
        assert (1, 2, 1) == (limited.met, down.met, unshown.met)
        assert [("done", 131)] == await rows(database, "SELECT state, recorded FROM learning")
        ids = await column(database, "SELECT message_id FROM message WHERE author_id = $1 ORDER BY 1", ann.user_id)
        assert len(ids) == 131
        assert ids == await column(database, "SELECT unnest(messages) FROM chunk ORDER BY 1")
        assert [FACT] == await column(database, "SELECT content FROM memory")


async def test_public_threads_are_learned_with_their_channel_and_private_ones_never(database: Database) -> None:
    """Open or put away, each word once, also where one is deleted on the way; and they go with what is left out."""
    async with discord_bot.world(answer=distilled) as place:
        ann, bob = place.newcomer("Ann"), place.newcomer("Bob")
        general, threads = place.channel, dict[str, Any]()
        starter = await ann.say(general, "Shall we talk of this apart?")
        for name in ("open", "away", "gone", "secret"):
            private = name == "secret"
            on = starter if name == "open" else None
            threads[name] = thread = await ann.start_thread(general, name, on=on, private=private)
            thread.add(bob)
            await ann.say(thread, f"Ann said this in {name}.")
            await bob.say(thread, f"Bob said this in {name}.")
        # Anybody may call one as the channel is called.
        await bob.start_thread(general, general.name, private=True)
        threads["away"].archive(locked=True)
        async with discord_bot.connected(place, database) as bot:
            threads["secret"].add(bot.discord.bot)
            owner, pace = await listening(bot)
            told = await bot.answer(await owner.say(general, "!learn #general since:1d wait:0"))
            assert "3 public threads" in told.text
            pace.halt(BEFORE_THE_SECOND_PAGE)
            await owner.press(told, f"hathi:learn:{general.channel_id}")
            await asyncio.wait_for(pace.halted.wait(), 20)
            threads["gone"].delete()
            pace.goes_on.set()
            await bot.settled()
            await bot.app.schedule.upkeep()
            await bot.settled()
            assert [("done", 5)] == await rows(database, "SELECT state, recorded FROM learning")
            kept = await rows(
                database, "SELECT channel_id, place_id, content FROM message WHERE session_id < 0 ORDER BY message_id"
            )
            assert kept == [
                (general.channel_id, None, starter.text),
                *(
                    (general.channel_id, threads[name].channel_id, f"{who} said this in {name}.")
                    for name in ("open", "away")
                    for who in ("Ann", "Bob")
                ),
            ]
            pressed = await bot.knows(bob).press(
                await bot.stands(f"“{learned.LEAVE}”"), f"hathi:leave:{general.channel_id}"
            )
            await bot.until(lambda: any(message.ephemeral for message in pressed.messages))
            await bot.settled()
            left = await column(database, "SELECT DISTINCT author_id FROM message WHERE session_id < 0")
            assert [ann.user_id] == left


async def test_a_private_thread_is_learned_where_it_is_named_and_seen_nowhere_else(database: Database) -> None:
    """By whoever asks in it or looks after it; who is only told its id finds none, and nothing of it leaves it."""
    async with learning(database, "Hello.") as (bot, owner, ann, _):
        secret = await ann.start_thread(bot.channel, "secret", private=True)
        for who in (owner, bot.discord.bot):
            secret.add(who)
        await ann.say(secret, FACT)
        await bot.answer(await owner.say(secret, "!memory mode all"))
        line = f"!learn <#{secret.channel_id}> since:1d"
        manager = bot.person("Meg", held=[bot.guild.role("managers", Permission.MANAGE_GUILD)])
        assert NO_CHANNEL in (await bot.answer(await manager.say(bot.channel, line))).text
        estimate = await bot.answer(await owner.say(secret, f"{line} wait:0"))
        await owner.press(estimate, f"hathi:learn:{secret.channel_id}")
        await bot.stands(f"“{learned.LEAVE}”", secret)
        await bot.settled()
        await bot.app.schedule.upkeep()
        assert [FACT] == await column(database, "SELECT content FROM memory")
        outside, inside = [await bot.answer(await ann.say(where, "!recall Rust")) for where in (bot.channel, secret)]
        assert [False, True] == ["Rust." in said.text for said in (outside, inside)]
        assert f"<#{secret.channel_id}>" not in (await bot.answer(await owner.say(bot.channel, "!learn"))).text


async def test_without_the_intent_nothing_is_taken_for_read(database: Database) -> None:
    """Discord then shows every text as empty: that is told, and what was begun waits."""
    ahead = Ahead()
    async with discord_bot.world(answer=distilled) as place:
        ann = place.newcomer("Ann")
        await ann.say(place.channel, FACT)
        async with discord_bot.connected(place, database, clock=ahead) as bot:
            owner, _ = await listening(bot)
            await agreed(bot, owner, "since:1d")
            await bot.settled()
        place.discord.world.privileged = Intent.NONE
        async with discord_bot.connected(place, database, clock=ahead) as bot:
            ahead.by = timedelta(days=2)
            await bot.app.schedule.upkeep()
            await bot.settled()
            assert [("announced", 0)] == await rows(database, "SELECT state, messages_read FROM learning")
            chosen = await bot.knows(owner).slash(
                bot.channel, "admin learn read", {"channel": "general", "since": "1d"}
            )
            assert NO_INTENT in (await answered(bot, chosen)).text
