"""What is made from something goes with it, over any number of steps, and comes back with it."""

import itertools
import json
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Final

import pytest

from bot.db.pool import Database
from bot.domain import MessageId, SpaceId
from bot.lifecycle.discord_edits import DiscordEdits
from bot.store import sessions
from tests import people
from tests.conftest import Clock
from tests.conversations import Room, roles, room
from tests.model_server import ModelServer, Reply
from tests.rows import one, rows

ANN, BOB = people.caller(), people.caller("Bob", person=8)
WORD: Final = "xylophonium"
SAID: Final = f"Remember that the word for the cellar is {WORD}."
ASKED: Final = "What is the word for the cellar, did Ann say?"
AGREED: Final = "Ah yes, I know the cellar by that one."
TOLD: Final = f"Ann said the word for the cellar is {WORD} (#1)."


@dataclass
class Talk:
    """Ann has said a word that nobody else knows; Bob asks, and a model does as it is told."""

    here: Room
    database: Database
    server: ModelServer

    def model_says(self, *steps: Reply) -> None:
        self.server.steps.extend(steps)

    async def memories(self) -> list[str]:
        query = "SELECT content FROM memory WHERE forgotten_at IS NULL AND superseded_by IS NULL ORDER BY memory_id"
        return [row[0] for row in await rows(self.database, query)]

    async def in_sight(self) -> list[str]:
        """All that still tells the word: memories, and what was said and is not hidden."""
        said = await rows(self.database, "SELECT content FROM message WHERE hidden_at IS NULL")
        return [text for text in [*(row[0] for row in said), *await self.memories()] if WORD in text]

    async def number_of(self, text: str, role: str = "person") -> int:
        query: Any = "SELECT max(message_id) FROM message WHERE content LIKE $1 || '%' AND role = $2"
        return await one(self.database, query, text, role)


async def approved(talk: Talk) -> None:
    """Bob keeps Hathi's answer, in its words."""
    talk.model_says(Reply(text=TOLD))
    await talk.here.say(ASKED, BOB)
    await talk.here.say("perfect, keep that", BOB)


async def distilled(talk: Talk) -> None:
    """A reset makes a fact of Hathi's answer and Bob's word on it."""
    talk.model_says(Reply(text=TOLD))
    await talk.here.say(ASKED, BOB)
    talk.model_says(Reply(text="Good."))
    await talk.here.say(AGREED, BOB)
    history = await rows(talk.database, "SELECT role, content FROM message ORDER BY message_id")
    lines = [n for n, (_, content) in enumerate(history, 1) if content == AGREED or content.startswith(TOLD[:30])]
    fact = {"room": "general", "topic": "cellar", "content": f"Bob knows the cellar by {WORD}.", "importance": 5}
    summary = {"summary": "They talked.", "facts": [fact | {"evidence": lines}]}
    talk.model_says(Reply(text=json.dumps(summary)))
    await talk.here.reset()


async def agreed(talk: Talk) -> None:
    """A reset makes a fact of Ann's line and Bob's."""
    await talk.here.say("So it is, since May.", BOB)
    fact = {
        "room": "general",
        "topic": "cellar",
        "content": f"The word for the cellar is {WORD}, since May.",
        "importance": 5,
    }
    talk.model_says(Reply(text=json.dumps({"summary": "They talked.", "facts": [fact | {"evidence": [1, 3]}]})))
    await talk.here.reset()


async def forget(talk: Talk) -> None:
    await talk.here.run("!forget 1", ANN)


async def delete(talk: Talk) -> None:
    edits = DiscordEdits(talk.database, talk.here.app.archivist)
    gone = MessageId(await talk.number_of(SAID))
    await edits.deleted(SpaceId(1), [gone], talk.here.clock.forward(seconds=1))


async def edit(talk: Talk) -> None:
    edits = DiscordEdits(talk.database, talk.here.app.archivist)
    message_id, at = MessageId(await talk.number_of(SAID)), talk.here.clock.forward(seconds=1)
    await edits.edited(SpaceId(1), message_id, "Remember that the cellar has no word.", at, "english")


async def erase(talk: Talk) -> None:
    await talk.here.run("!mydata erase confirm", ANN)


@pytest.fixture
async def talk(database: Database, clock: Clock) -> Any:
    async with ModelServer() as server, room(database, clock, models=roles(server.base_url), who=ANN) as here:
        await here.app.enter(BOB, channel_name="general", mode="all")
        await here.say(SAID, ANN)
        yield Talk(here, database, server)


@pytest.mark.parametrize(
    ("made", "way"),
    [
        *itertools.product([approved, distilled], [forget, delete, edit, erase]),
        # Of two memories that rest on one line, neither was made from the other.
        *itertools.product([agreed], [delete, edit, erase]),
    ],
)
async def test_what_was_made_from_it_goes_with_it(
    talk: Talk, made: Callable[[Talk], Awaitable[None]], way: Callable[[Talk], Awaitable[None]]
) -> None:
    """Whatever the step it was made by, and however what it was made from goes: nothing tells the word any more."""
    await made(talk)
    assert 1 < len(await talk.memories())
    await way(talk)
    assert [] == await talk.in_sight()


@pytest.mark.parametrize("made", [approved, distilled])
async def test_undo_brings_all_of_it_back(talk: Talk, made: Callable[[Talk], Awaitable[None]]) -> None:
    """Also what had been made from it, and Hathi's answers; after the ten minutes none of it is there."""
    await made(talk)
    before = sorted(await talk.in_sight())
    await talk.here.run("!forget 1", ANN)
    await talk.here.run("!undo", ANN)
    assert before == sorted(await talk.in_sight())
    await talk.here.run("!forget 1", ANN)
    now = talk.here.clock.forward(minutes=11)
    await talk.here.app.archivist.erase([SpaceId(1)], now=now)
    assert [] == [row for row in await rows(talk.database, "SELECT content FROM memory") if WORD in row[0]]


async def test_being_shown_is_no_derivation(talk: Talk) -> None:
    """What a model saved of somebody's own words stays, though it had looked up others' before."""
    talk.model_says(
        Reply(calls=(("memory_recall", {"query": "cellar word"}),)),
        Reply(calls=(("memory_save", {"content": "Bob likes smoked herring.", "topic": "food"}),)),
        Reply(text="Noted."),
    )
    await talk.here.say("I like smoked herring, by the way.", BOB)
    await forget(talk)
    assert ["Bob likes smoked herring."] == await talk.memories()


async def test_a_channels_summaries_are_made_again_at_most_hourly(talk: Talk) -> None:
    """The first deletion has its session wait for the next run; one after it, an hour; nothing waits for ever."""
    await talk.here.app.sessions.reset(talk.here.caller, discard=False, min_messages=1, now=talk.here.clock())
    query: Any = "SELECT session_id FROM session WHERE state = 'closed'"
    session_id = await one(talk.database, query)
    due: Any = "SELECT next_attempt_at FROM session WHERE session_id = $1"

    async def remake() -> timedelta:
        now = talk.here.clock.forward(minutes=10)
        async with talk.database.transaction() as connection:
            await sessions.summarise_again_in(connection, SpaceId(1), [session_id], now=now)
        return await one(talk.database, due, session_id) - now

    minutes = [0, 50, 40, 30, 20, 10, 0, 50]
    assert [timedelta(minutes=n) for n in minutes] == [await remake() for _ in minutes]
