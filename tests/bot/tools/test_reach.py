"""What a model's tools reach is what the person who is asking may reach, whatever the model wants."""

from dataclasses import replace
from typing import Any, Final

import pytest

from bot.db.pool import Database
from bot.domain import Caller, ChannelId
from tests import people
from tests.conftest import Clock
from tests.conversations import Room, roles, room
from tests.model_server import ModelServer, Reply
from tests.rows import column, rows

SECRET: Final = "The vault code is 4417."
ANN: Final = people.caller("Ann", moderator=False)
MAL: Final = people.caller("Mal", person=66)
ELSEWHERE: Final[dict[str, Caller]] = {
    "another channel": replace(MAL, channel_id=ChannelId(11), visible=(ChannelId(11),)),
    "another server": people.caller("Mal", person=66, space=2),
    "their direct messages": replace(people.caller("Mal", person=66, space=3, channel=30), is_direct=True),
}
READING: Final[tuple[tuple[str, dict[str, Any]], ...]] = (
    ("memory_recall", {"topic": "vault code"}),
    ("memory_recall", {"topic": "vault code", "tier": "long", "limit": 20}),
    ("memory_search", {"keywords": "vault; code; 4417"}),
    ("memory_recent", {"limit": 20}),
    ("memory_summary", {}),
    ("memory_first", {}),
    ("memory_since", {"when": "yesterday"}),
    ("memory_since", {"when": "today"}),
    ("note_read", {}),
    ("space_info", {}),
)
WRITING: Final[tuple[tuple[str, dict[str, Any]], ...]] = (
    ("memory_save", {"content": "Ann keeps bees.", "topic": "bees"}),
    ("note_write", {"content": "Ann keeps bees."}),
)


def _calling(calls: tuple[tuple[str, dict[str, Any]], ...]) -> list[Reply]:
    return [Reply(calls=calls), Reply(text="So it is.")]


def _told(server: ModelServer) -> str:
    return "\n".join(str(message["content"]) for message in server.requests[-1]["messages"])


async def _kept_elsewhere(r: Room, there: Caller) -> int:
    """The number of what somebody keeps there, which nobody reads elsewhere; they note it and say it, too."""
    they = await r.app.enter(there, channel_name="vault", mode="all")
    await r.run(f"!remember {SECRET} importance:10", they)
    await r.run(f"!note {SECRET}", they)
    await r.overhear(SECRET, they)
    (number,) = await column(r.app.database, "SELECT memory_id FROM memory WHERE content = $1", SECRET)
    return number


@pytest.mark.parametrize("place", ELSEWHERE)
async def test_no_tool_reads_what_the_asker_may_not(database: Database, clock: Clock, place: str) -> None:
    """By words, time, number, link or label: neither what is remembered elsewhere, nor noted or said."""
    async with (
        ModelServer() as server,
        room(database, clock, who=ANN, models=roles(server.base_url, max_context=65536)) as r,
    ):
        there = ELSEWHERE[place]
        number = await _kept_elsewhere(r, there)
        (said,) = await column(database, "SELECT message_id FROM message WHERE content = $1", SECRET)
        clock.forward(minutes=5)
        link = f"https://discord.com/channels/{there.space_id}/{there.channel_id}/{said}"
        by_reference = tuple(("artifact_fetch", {"reference": one}) for one in (f"#{number}", link, str(said)))
        for calls in (READING, by_reference):
            server.steps.extend(_calling(calls))
            await r.say("Good morning to you.")
            assert len(calls) == sum(message["role"] == "tool" for message in server.requests[-1]["messages"])
            assert "4417" not in _told(server)
        own = await _kept_elsewhere_is_read_there(r, server, there)
    assert own


async def _kept_elsewhere_is_read_there(r: Room, server: ModelServer, there: Caller) -> bool:
    """That the same calls find it where it is, so that finding nothing shows something."""
    asked = len(server.requests)
    server.steps.extend(_calling(READING))
    they = await r.app.enter(there, channel_name="vault", mode="all")
    await r.say("Good morning to you.", they)
    told = [m["content"] for m in server.requests[asked + 1]["messages"] if m["role"] == "tool"]
    return all("4417" in told[at] for at in (0, 2, 8))


@pytest.mark.parametrize("mode", ["off", "explicit"])
async def test_where_nothing_is_kept_no_tool_keeps_anything(database: Database, clock: Clock, mode: str) -> None:
    """Though the asker says it themselves: the channel's mode holds for models as well."""
    async with (
        ModelServer() as server,
        room(database, clock, who=ANN, models=roles(server.base_url, max_context=65536)) as r,
    ):
        await r.run(f"!memory mode {mode}", people.caller("Ada", person=9, admin=True))
        r.caller = await r.app.enter(ANN, channel_name="general", mode="all")
        server.steps.extend(_calling(WRITING))
        await r.say("Ann keeps bees. Write a verse on bees.")
        told = [m["content"] for m in server.requests[-1]["messages"] if m["role"] == "tool"]
    assert [True, True] == [one.startswith("Not done:") for one in told], told
    assert [] == await rows(database, "SELECT content FROM memory UNION SELECT content FROM note")


async def test_where_nothing_is_kept_no_rule_keeps_anything_either(database: Database, clock: Clock) -> None:
    """What is asked to be remembered beside something else, of a model without tools: why it is not is told."""
    async with (
        ModelServer(always=Reply(text="They are large.")) as server,
        room(database, clock, who=ANN, models=roles(server.base_url, tools="none")) as r,
    ):
        await r.run("!memory mode off", people.caller("Ada", person=9, admin=True))
        r.caller = await r.app.enter(ANN, channel_name="general", mode="all")
        answer = await r.say("Remember that I keep bees. What do elephants look like?")
    assert ("They are large.", 1) == (answer.text, len(answer.notes))
    assert [] == await rows(database, "SELECT content FROM memory")


async def test_no_tool_forgets_for_a_person_without_the_right(database: Database, clock: Clock) -> None:
    """What is another's is not even asked about, and the asker is told why."""
    async with (
        ModelServer() as server,
        room(database, clock, who=ANN, models=roles(server.base_url, max_context=65536)) as r,
    ):
        mal = await r.app.enter(MAL, channel_name="general", mode="all")
        await r.run("!remember The kiln is Mal's alone.", mal)
        server.steps.extend(_calling((("memory_forget", {"ids": [1]}),)))
        answer = await r.say("Forget #1 for me? Write a verse on kilns.")
        asked = await rows(database, "SELECT 1 FROM proposal")
    assert ([], [1]) == (asked, await column(database, "SELECT memory_id FROM memory WHERE forgotten_at IS NULL"))
    assert "Not done:" in _told(server)
    assert answer.notes
