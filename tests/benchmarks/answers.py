"""Questions of a community that nobody here knew, without a model: how many are answered by what answers them.

`answers_said.jsonl` is the talk of a rowing club over four years, `answers_asked.jsonl` what its people and a newcomer
ask: by whom, and by the numbers of which messages it is answered. Both were written by somebody who knew none of the
rules, and no rule was made for any of it; who tunes one on these lines needs others to tell what it is worth.

`right` are answers that quote first what answers the question, `among` those that quote it next, `wrong` those that
quote only something else, and `silent` quotes nothing. `nearly_…` is the same of what is quoted as not sure.
`unanswerable_…` is asked about what nobody said, `other_…` is no question about the community.
"""

import json
from collections.abc import Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final

from bot.app import App
from bot.config import DatabaseSettings
from bot.db import pool
from bot.db.pool import Database
from bot.domain import Caller, ChannelId, MessageId, PersonId, SessionId, new_id
from bot.prompting.evidence import MOST_QUOTED
from bot.store.trail import Trail
from bot.turn.recall_answer import UNSURE
from tests import people
from tests.benchmarks import servers
from tests.conftest import Clock
from tests.conversations import Room, room

SAID: Final = Path(__file__).with_name("answers_said.jsonl")
ASKED: Final = Path(__file__).with_name("answers_asked.jsonl")
PAUSE: Final = timedelta(minutes=1)
LATER: Final = timedelta(days=9)
"""How long after the last message it is asked."""
_FILL: Final = """
INSERT INTO message (space_id, message_id, channel_id, session_id, role, author_id, author, content, said_at, search)
VALUES ($1, $2, $3, $4, 'person', $5, $6, $7, $8, message_vector('english', $7, $8))
"""
_SESSION: Final = """
INSERT INTO session (space_id, session_id, number, channel_id, opened_at, state, closed_at)
VALUES ($1, $2, 100 + $3, $4, $5, 'closed', $5)
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Community:
    """Who talks, and where."""

    people: dict[str, PersonId]
    channels: dict[str, ChannelId]

    def caller(self, name: str) -> Caller:
        """Somebody who sees all of it; what is asked is asked in a channel of its own."""
        who = people.caller(name, person=self.people.get(name, PersonId(1)), channel=1)
        return replace(who, visible=(ChannelId(1), *self.channels.values()))


async def run(*, small: bool) -> dict[str, float]:
    said, asked = _lines(SAID), _lines(ASKED)[:: 10 if small else 1]
    here = _Community(
        people={name: PersonId(n) for n, name in enumerate(sorted({one["author"] for one in said}), 2)},
        channels={name: ChannelId(n) for n, name in enumerate(sorted({one["channel"] for one in said}), 2)},
    )
    clock = Clock()
    async with AsyncExitStack() as stack:
        server = await stack.enter_async_context(servers.postgres())
        address = await servers.database(server, "answers")
        database = await stack.enter_async_context(pool.opened(address, DatabaseSettings()))
        asking = await stack.enter_async_context(room(database, clock, who=here.caller("newcomer")))
        ids = await _fill(asking.app, database, here, said)
        clock.now = datetime.fromisoformat(said[-1]["day"]).replace(tzinfo=UTC) + LATER
        figures: dict[str, float] = dict.fromkeys(("right", "among", "wrong", "silent"), 0)
        for one in asked:
            quoted, is_sure = await _answer(asking, database, here, one)
            outcome = _outcome(one["kind"], quoted, {ids[n] for n in one["evidence"]}, is_sure=is_sure)
            figures[outcome] = figures.get(outcome, 0) + 1
    return {"of": len(asked), **figures}


def _lines(file: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]


async def _fill(app: App, database: Database, here: _Community, said: Sequence[dict[str, Any]]) -> dict[int, MessageId]:
    """The messages as they were said, a session a day and channel; their ids by their numbers."""
    ids, sessions, at = dict[int, MessageId](), dict[tuple[str, str], SessionId](), datetime.min.replace(tzinfo=UTC)
    for name, channel in here.channels.items():
        for person in here.people:
            await app.enter(replace(here.caller(person), channel_id=channel), channel_name=name, mode="all")
    async with database.transaction() as connection:
        for one in said:
            at = max(at, datetime.fromisoformat(one["day"]).replace(tzinfo=UTC)) + PAUSE
            channel, key = here.channels[one["channel"]], (one["day"], one["channel"])
            if key not in sessions:
                sessions[key] = SessionId(new_id(at))
                await connection.execute(_SESSION, people.caller().space_id, sessions[key], len(sessions), channel, at)
            ids[one["n"]] = MessageId(new_id(at))
            await connection.execute(
                _FILL,
                people.caller().space_id,
                ids[one["n"]],
                channel,
                sessions[key],
                here.people[one["author"]],
                one["author"],
                one["text"],
                at,
            )
    return ids


async def _answer(
    asking: Room, database: Database, here: _Community, one: dict[str, Any]
) -> tuple[list[MessageId], bool]:
    """What a question is answered with, and whether as surely that; it is forgotten before the next is asked."""
    who = await asking.app.enter(here.caller(one["asker"]), channel_name="questions", mode="all")
    answer = await asking.say(one["text"], by=who)
    async with database.transaction() as connection:
        trail = Trail.of(await connection.fetchval("SELECT trail FROM turn ORDER BY turn_id DESC LIMIT 1"))
        await connection.execute("DELETE FROM message WHERE channel_id = $1", who.channel_id)
    quoted = [*(trail.sources or {}).values()][:MOST_QUOTED]
    return [one.message[1] for one in quoted if one.message is not None], not answer.text.startswith(UNSURE)


def _outcome(kind: str, quoted: Sequence[MessageId], answers: set[MessageId], *, is_sure: bool) -> str:
    """Under which figure it counts."""
    nearly = "" if is_sure else "nearly_"
    if not quoted:
        return "silent" if kind == "answerable" else f"{kind}_silent"
    if kind != "answerable":
        return f"{kind}_{nearly}quoted"
    return nearly + ("right" if quoted[0] in answers else "among" if answers.intersection(quoted) else "wrong")
