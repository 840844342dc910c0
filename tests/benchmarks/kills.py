"""SIGKILLs at random moments under mixed traffic: what was said is done or told of, once. A hundred; `--kills N`.

Twelve channels, ten people, five things said a second, on and on while the process is killed and started again:
questions, "remember that …", `!remember`, `!note` and `!reset`, typed and from Discord's list. At most half an hour.

- `lost`: what Hathi said it kept and did not; and what it was asked that is recorded nowhere and not answered.
- `doubled`: what was answered, kept or ended more often than it was said.
- `silent`: what was neither done nor told of: no reply, no refusal, no word of Discord's that Hathi did not respond.
- `untold`: what was done without a word.
- `missed`: questions said while Hathi was away that are closed, as of each person's the newest is answered.
"""

import asyncio
import contextlib
import random
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Final

import asyncpg

from tests.benchmarks import bots, servers
from tests.discord_server.channels import Channel
from tests.discord_server.interactions import Interaction
from tests.discord_server.messages import LOADING, Message
from tests.discord_server.permissions import Permission
from tests.discord_server.users import User
from tests.model_server import Reply

KILLS: Final = 100
SMALL: Final = 2
CHANNELS: Final = 12
PEOPLE: Final = 10
EVERY: Final = 0.2
"""Seconds between two things said."""
LIVES: Final = (0.2, 6.0)
"""Seconds from a start, seen by Discord, to the next kill: the least and the most."""
THINKS: Final = 0.3
"""Seconds the model takes."""
AT_MOST: Final = 1620.0
"""Seconds of traffic; what is killed less often by then says so."""
SETTLES: Final = 90
"""Seconds within which all that was said has come to its end after the last start."""


class Kind(StrEnum):
    """What is said, how often in twenty."""

    QUESTION = "question"
    PLAIN = "remember that"
    REMEMBER = "remember"
    NOTE = "note"
    RESET = "reset"
    SLASH_REMEMBER = "/remember"
    SLASH_NOTE = "/note add"
    SLASH_RESET = "/reset"


SHARES: Final[Mapping[Kind, int]] = {
    Kind.QUESTION: 7,
    Kind.PLAIN: 2,
    Kind.REMEMBER: 4,
    Kind.NOTE: 2,
    Kind.RESET: 1,
    Kind.SLASH_REMEMBER: 2,
    Kind.SLASH_NOTE: 1,
    Kind.SLASH_RESET: 1,
}
KEPT: Final = frozenset({Kind.PLAIN, Kind.REMEMBER, Kind.SLASH_REMEMBER})
NOTED: Final = frozenset({Kind.NOTE, Kind.SLASH_NOTE})
ENDED: Final = frozenset({Kind.RESET, Kind.SLASH_RESET})
ASKED: Final = frozenset({Kind.QUESTION, Kind.PLAIN})
_NOTICE: Final = "I remember what is said to me"
"""What people are told once, beside an answer."""
_CLOSED: Final = frozenset({"missed", "busy"})
"""Why a question ends without an answer where too much was said at once, or while Hathi was away."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """One thing said, with the word by which it is known again."""

    kind: Kind
    word: str
    channel: Channel
    message: Message | None = None
    chosen: Interaction | None = None

    @property
    def id(self) -> int:
        """By which Hathi knows it."""
        assert self.message or self.chosen
        return self.message.message_id if self.message else self.chosen.interaction_id if self.chosen else 0


@dataclass(slots=True, kw_only=True)
class Traffic:
    """All that was said to a bot."""

    bot: bots.Bot
    people: Sequence[User]
    chance: random.Random
    said: list[Said] = field(default_factory=list[Said])

    async def flow(self) -> None:
        """Says one thing after another, until it is cancelled."""
        began = time.monotonic()
        while True:
            await self._say()
            await asyncio.sleep(max(0.0, began + len(self.said) * EVERY - time.monotonic()))

    async def _say(self) -> None:
        kind = self.chance.choices([*SHARES], [*SHARES.values()])[0]
        word = f"word{len(self.said):05}x"
        channel, person = self.chance.choice(self.bot.channels), self.chance.choice(self.people)
        fact = f"The {word} stands in shed {len(self.said)}."
        typed = {
            Kind.QUESTION: f"What do you think of {word}?",
            Kind.PLAIN: f"Remember that the {word} stands in shed {len(self.said)}.",
            Kind.REMEMBER: f"!remember {fact}",
            Kind.NOTE: f"!note {fact}",
            Kind.RESET: "!reset",
        }.get(kind)
        message, chosen = None, None
        if typed is not None:
            mentions = [self.bot.discord.bot] if kind in ASKED else []
            message = await person.say(channel, typed, mentions=mentions)
        else:
            options = {} if kind is Kind.SLASH_RESET else {"text": fact}
            chosen = await person.slash(channel, kind.value[1:], options)
        self.said.append(Said(kind=kind, word=word, channel=channel, message=message, chosen=chosen))

    def replies(self) -> dict[int, list[str]]:
        """What people read in answer to each thing said, by its id."""
        typed = {one.message.message_id for one in self.said if one.message}
        found = {
            key: [reply.text for reply in replies if not reply.text.startswith(_NOTICE)]
            for channel in self.bot.channels
            for key, replies in self.bot.replies(channel, typed).items()
        }
        chosen = {one.id: _answered(one.chosen) for one in self.said if one.chosen}
        return {key: texts for key, texts in (found | chosen).items() if texts}


def _answered(chosen: Interaction) -> list[str]:
    """What the user of a slash command reads; of one that was never announced Discord says that it failed."""
    if chosen.answer is None:
        return ["The application did not respond"]
    if chosen.original is not None and chosen.original.flags & LOADING and not chosen.followups:
        return []
    return ["\n".join(message.text for message in chosen.messages)]


async def run(*, small: bool, kills: int | None = None) -> dict[str, float]:
    wanted = kills or (SMALL if small else KILLS)
    async with servers.postgres() as server:
        dsn = await servers.database(server, "kills")
        answer = Reply(text="", delay=THINKS)
        async with bots.bot(bots.HATHI, dsn=dsn, channels=CHANNELS, answer=_script(answer)) as bot:
            traffic = Traffic(bot=bot, people=_people(bot), chance=random.Random(wanted))
            done, seconds = await _killed(traffic, wanted)
            figures = await _figures(traffic, dsn)
    return {"kills": done, "seconds": seconds, **figures}


def _script(plain: Reply) -> Any:
    def answer(body: dict[str, Any]) -> Reply:
        said = str(body["messages"])
        if '"facts"' in said:
            return Reply(text='{"summary": "They talked of sheds.", "facts": []}', delay=plain.delay)
        return Reply(text="That is a good question. I would ask a neighbour about it.", delay=plain.delay, pieces=4)

    return answer


def _people(bot: bots.Bot) -> list[User]:
    """People who may do all that is said here, as often as they like."""
    role = bot.guild.role("Wardens", Permission.MANAGE_GUILD | Permission.MANAGE_MESSAGES)
    people = [bot.discord.user(f"Warden {number}") for number in range(PEOPLE)]
    for person in people:
        bot.guild.join(person, roles=[role])
    return people


async def _killed(traffic: Traffic, wanted: int) -> tuple[int, float]:
    """How often it was killed, within how many seconds."""
    bot, began, done = traffic.bot, time.monotonic(), 0
    flow = asyncio.create_task(traffic.flow())
    try:
        while done < wanted and time.monotonic() - began < AT_MOST and not flow.done():
            await asyncio.sleep(traffic.chance.uniform(*LIVES))
            await bot.end(kill=True)
            done += 1
            await bot.start()
    finally:
        flow.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await flow
    return done, time.monotonic() - began


async def _settle(traffic: Traffic, connection: asyncpg.Connection) -> None:
    """Waits until what was asked is recorded and ended, and whoever gave a command was told; not for ever."""
    asked = [one.id for one in traffic.said if one.kind in ASKED]
    given = {one.id for one in traffic.said if one.kind not in ASKED}
    ended = "SELECT count(*) FROM turn WHERE turn_id = ANY ($1::bigint[]) AND state IN ('answered', 'failed')"
    for _ in range(SETTLES):
        if given <= traffic.replies().keys() and await connection.fetchval(ended, asked) == len(asked):
            return
        await asyncio.sleep(1)


async def _figures(traffic: Traffic, dsn: str) -> dict[str, float]:
    connection = await asyncpg.connect(dsn)
    try:
        await _settle(traffic, connection)
        turns = {row["turn_id"]: row for row in await connection.fetch("SELECT turn_id, state, failure FROM turn")}
        memories = await _counted(connection, "SELECT content, seen_count AS times FROM memory")
        notes = await _counted(connection, "SELECT content, 1 AS times FROM note")
        closed = await connection.fetch(
            "SELECT channel_id, count(*) AS times FROM session WHERE state <> 'open' GROUP BY channel_id"
        )
    finally:
        await connection.close()
    replies, counts = traffic.replies(), dict.fromkeys(("lost", "doubled", "silent", "untold", "missed"), 0)
    for one in traffic.said:
        told, turn, before = replies.get(one.id, []), turns.get(one.id), sum(counts.values())
        done = memories.get(one.word, 0) if one.kind in KEPT else notes.get(one.word, 0) if one.kind in NOTED else 0
        counts["doubled"] += len(told) > 1 or done > 1
        counts["untold"] += bool(done) and not told
        claims = any("saved" in text or "is kept until" in text or "was done" in text for text in told)
        counts["lost"] += one.kind in KEPT | NOTED and claims and not done
        if not told and not done:
            if one.kind not in ASKED:
                counts["silent"] += 1
            elif turn is None:
                counts["lost"] += 1
            else:
                counts["missed" if turn["failure"] in _CLOSED else "silent"] += 1
                before += turn["failure"] in _CLOSED
        if sum(counts.values()) > before:
            ended = turn and (turn["state"], turn["failure"])
            print(f"{one.kind} {one.word} in {one.channel.name}: {told}, {done}, {ended}", file=sys.stderr)
    resets = dict.fromkeys((channel.channel_id for channel in traffic.bot.channels), 0)
    for one in traffic.said:
        resets[one.channel.channel_id] += one.kind in ENDED
    counts["doubled"] += sum(max(0, row["times"] - resets[row["channel_id"]]) for row in closed)
    return {"said": len(traffic.said), **counts}


async def _counted(connection: asyncpg.Connection, query: str) -> dict[str, int]:
    """How often each word that something was known by is kept."""
    found = dict[str, int]()
    for row in await connection.fetch(query):
        word = next((part for part in row["content"].split() if part.startswith("word")), "")
        found[word] = found.get(word, 0) + row["times"]
    return found
