"""The laws of what is made of messages that are read on Discord and not stored."""

import json
from collections.abc import AsyncGenerator
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

import pytest

from bot import errors
from bot.db.pool import Database
from bot.domain import ChannelId, Message, MessageId, SessionId, SpaceId
from bot.lifecycle import model_facts
from bot.store.unstored import Unstored
from tests import people
from tests.conftest import Clock
from tests.conversations import Room, roles, room
from tests.model_server import ModelServer, Reply
from tests.rows import one, rows

ANN, BOB, CYD = people.caller(admin=True), people.caller("Bob", person=8), people.caller("Cyd", person=9)
SPACE, CHANNEL = SpaceId(1), ChannelId(10)
CODE, TEA, WHERE, CELLAR = (
    "The vault code is 4417.",
    "I prefer green tea.",
    "Where do we keep the spare keys?",
    "In the cellar.",
)
TOLD = (("The vault code is 4417.", 1), ("Bob prefers green tea.", 2), ("The spare keys are kept in the cellar.", 3, 4))
"""What a model makes of them: what Ann said, what Bob said, and what Cyd asked and Ann answered."""


@dataclass
class Talk:
    """What was said between people, and is read once."""

    here: Room
    database: Database
    server: ModelServer
    unstored: Unstored
    said: list[Message]

    async def read(self, *, now: bool = True) -> int:
        """How many memories are made of what may be read of it."""
        left = await self.unstored.left(SPACE, self.said)
        distilled = await self.here.app.creator.distiller.distil_unstored(SPACE, left, self.stand)
        session_id = SessionId(await self.value("SELECT max(session_id) FROM session"))
        at = self.here.clock.forward(seconds=1)
        return len(await self.unstored.save(SPACE, CHANNEL, session_id, left, distilled, now=at)) if left else 0

    async def stand(self) -> None:
        """Nothing of it was deleted meanwhile."""

    async def fetch(self, query: Any, *args: object) -> list[Any]:
        return await rows(self.database, query, *args)

    async def value(self, query: Any, *args: object) -> Any:
        return await one(self.database, query, *args)

    async def contents(self) -> list[str]:
        query = "SELECT content FROM memory WHERE forgotten_at IS NULL ORDER BY memory_id"
        return [content for (content,) in await self.fetch(query)]

    async def known(self) -> list[int]:
        """Of which messages it is known that they were read."""
        return [key for (key,) in await self.fetch("SELECT unnest(messages) FROM chunk ORDER BY 1")]

    async def delete(self, *at: int) -> None:
        ids = [self.said[number].message_id for number in at]
        await self.here.app.discord_edits.deleted(SPACE, ids, self.here.clock.forward(seconds=1))

    async def edit(self, at: int, text: str) -> None:
        moment = self.here.clock.forward(seconds=1)
        await self.here.app.discord_edits.edited(SPACE, self.said[at].message_id, text, moment, "english")


def answer(*facts: tuple[Any, ...], importance: int = 5) -> Reply:
    """A model's facts, each with the lines it cites."""
    made = [
        {
            "room": "general",
            "topic": "t",
            "content": content,
            "importance": importance,
            "entities": [],
            "key_phrases": [],
            "evidence": [*lines],
        }
        for content, *lines in facts
    ]
    return Reply(text=json.dumps({"summary": "They talked.", "facts": made}))


@pytest.fixture
async def talk(database: Database, clock: Clock) -> AsyncGenerator[Talk]:
    async with (
        ModelServer(answer(*TOLD)) as server,
        room(database, clock, who=ANN, models=roles(server.base_url, max_context=8192)) as r,
    ):
        said = list[Message]()
        for who, text in ((ANN, CODE), (BOB, TEA), (CYD, WHERE), (ANN, CELLAR)):
            said.append(people.said(who, text, clock.forward(seconds=1)))
        yield Talk(r, database, server, Unstored(database, r.app.archivist), said)


async def test_facts_are_kept_and_nothing_that_was_said(talk: Talk) -> None:
    """Each in the name of whoever said it, resting on what is stored nowhere; read again it gives nothing."""
    assert 3 == await talk.read()
    ann, bob, cyd, again = (message.message_id for message in talk.said)
    assert [(CODE, 7, [ann]), (TOLD[1][0], 8, [bob]), (TOLD[2][0], 9, [cyd, again])] == await talk.fetch(
        "SELECT content, author_id, evidence FROM memory ORDER BY memory_id"
    )
    assert 0 == await talk.value("SELECT count(*) FROM message")
    assert {ann: CHANNEL} == await talk.here.app.librarian.places(ANN, [ann])
    assert {} == await talk.here.app.librarian.places(people.caller(channel=11), [ann])
    assert {("", "")} == {*await talk.fetch("SELECT text, model FROM chunk")}
    assert 0 == await talk.read()
    session_id = SessionId(await talk.value("SELECT max(session_id) FROM session"))
    none = await talk.here.app.creator.distiller.distil_unstored(SPACE, (), talk.stand)
    with pytest.raises(errors.EvidenceGone):
        await talk.unstored.save(SPACE, CHANNEL, session_id, talk.said[:1], none, now=talk.here.clock())


async def test_what_weighs_more_than_a_model_may_give_weighs_less(talk: Talk) -> None:
    """Who asks somebody to remember something did not ask Hathi."""
    asked = people.said(BOB, "Remember that the gate code is 9021.", talk.here.clock.forward(seconds=1))
    talk.said[:] = [asked]
    talk.server.steps[:] = [answer(("The gate code is 9021.", 1), importance=10)]
    assert 1 == await talk.read()
    assert model_facts.MODEL_CAP == await talk.value("SELECT importance FROM memory")


async def test_a_model_is_told_only_what_stands(talk: Talk) -> None:
    """It is looked before each request, and nothing is kept of what is gone."""

    async def gone() -> None:
        raise errors.EvidenceGone

    with pytest.raises(errors.EvidenceGone):
        await talk.here.app.creator.distiller.distil_unstored(SPACE, talk.said, gone)
    assert not talk.server.requests


async def test_what_is_deleted_takes_along_what_rests_on_it(talk: Talk) -> None:
    """What others said stays, and so does the knowledge that it was read."""
    await talk.read()
    await talk.delete(0)
    assert [TOLD[1][0], TOLD[2][0]] == await talk.contents()
    await talk.delete(3)
    assert [TOLD[1][0]] == await talk.contents()
    assert [message.message_id for message in talk.said[1:3]] == await talk.known()
    assert 0 == await talk.read()


async def test_a_deletion_that_was_missed_is_found(talk: Talk) -> None:
    """What is not in the history any more, or was edited after it was read, differs from what is known."""
    await talk.read()
    later = talk.here.clock() + timedelta(seconds=1)
    seen = [(message.message_id, later if message is talk.said[1] else None) for message in talk.said[1:]]
    until = talk.said[-1].message_id
    missing = await talk.here.app.discord_edits.missed(SPACE, CHANNEL, talk.said[0].message_id, seen, until_id=until)
    assert ((talk.said[0].message_id,), (talk.said[1].message_id,), ()) == (
        missing.gone,
        missing.edited,
        missing.unrecorded,
    )


async def test_an_edit_takes_what_is_not_said_any_more(talk: Talk) -> None:
    """Where all its words still stand it stays; else it goes, and the new words may be read."""
    await talk.read()
    await talk.edit(0, CODE + " Ask me for more.")
    assert CODE in await talk.contents()
    await talk.edit(0, "The vault code is a secret.")
    assert [TOLD[1][0], TOLD[2][0]] == await talk.contents()
    assert talk.said[0].message_id not in await talk.known()


async def test_who_erases_what_they_said_takes_it_along(talk: Talk) -> None:
    """What they said, and what others said with them; and it can't be read again."""
    await talk.read()
    would = await talk.here.app.personal_data.erasable(ANN.person_id)
    assert 2 == would.memories
    await talk.here.app.personal_data.erase(ANN.person_id, now=talk.here.clock.forward(seconds=1))
    assert [TOLD[1][0]] == await talk.contents()
    assert [message.message_id for message in talk.said[1:3]] == await talk.known()
    assert [] == await talk.unstored.left(SPACE, talk.said)


async def test_nothing_is_read_of_who_opted_out(talk: Talk) -> None:
    """Not even where they do between the reading and the keeping; nothing is kept of the others then."""
    distilled = await talk.here.app.creator.distiller.distil_unstored(SPACE, talk.said, talk.stand)
    await talk.here.app.people.opt_out(BOB.person_id, talk.here.clock())
    session_id = SessionId(await talk.value("SELECT max(session_id) FROM session"))
    with pytest.raises(errors.EvidenceGone):
        await talk.unstored.save(SPACE, CHANNEL, session_id, talk.said, distilled, now=talk.here.clock())
    assert [] == await talk.contents()
    assert [talk.said[0], *talk.said[2:]] == await talk.unstored.left(SPACE, talk.said)


async def test_what_was_forgotten_does_not_come_back(talk: Talk) -> None:
    """Neither at once nor when its undo is over."""
    await talk.read()
    await talk.here.run("!forget 1")
    talk.here.clock.forward(minutes=11)
    await talk.here.app.archivist.erase([SPACE], now=talk.here.clock())
    await talk.here.app.sessions.remake_withheld([SPACE], now=talk.here.clock())
    assert [TOLD[1][0], TOLD[2][0]] == await talk.contents()
    assert MessageId(talk.said[0].message_id) not in {m.message_id for m in await talk.unstored.left(SPACE, talk.said)}


async def test_a_deleted_thread_takes_along_what_was_read_there(talk: Talk) -> None:
    """As it takes what was recorded there."""
    await talk.read()
    await talk.here.app.discord_edits.place_gone(SPACE, CHANNEL, talk.here.clock.forward(seconds=1))
    assert [] == await talk.contents()
    assert 0 == await talk.value("SELECT count(*) FROM chunk")
