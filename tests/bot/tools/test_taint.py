"""Once a model has read anybody else's words, what it writes, forgets, ages or promotes is the asker's to say."""

import itertools
from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import timedelta
from functools import partial
from typing import Any, Final

import pytest

from bot.config import ForgeSettings, McpSettings, Roles, RoleSettings
from bot.db.pool import Database
from bot.domain import Caller, ChannelId, Role, SentFile, Surroundings
from bot.text import message_links
from bot.tools import memory_tools, toolbox
from tests import people
from tests.bot.mcp import serving
from tests.conftest import Clock
from tests.conversations import RecordedReply, Room, roles, room
from tests.forge_server import ForgeServer
from tests.model_server import ModelServer, Reply
from tests.rows import column, rows
from tests.waiting import eventually

ORDER: Final = "The tollkeeper Grendelson takes 900 crowns."
"""What others have the model write; the asker says nothing of it."""
SERVERS: Final = McpSettings(servers={"pots": serving.settings()})
MAL: Final = people.caller("Mal", person=66)
CALLERS: Final = {
    "asker": people.caller("Ann"),
    "admin": people.caller("Ada", person=9, admin=True),
    "member": people.caller("Bob", person=8, moderator=False),
}
AUDIENCES: Final[dict[str, Callable[[int], dict[str, Any]]]] = {
    "public": lambda channel: {"visible": (channel,)},
    "private": lambda channel: {"visible": (channel, channel + 1)},
    "direct": lambda channel: {"visible": (channel,), "is_direct": True},
}
WRITING: Final[dict[str, dict[str, Any]]] = {
    "memory_save": {"content": ORDER, "topic": "toll"},
    "memory_forget": {"ids": [1]},
    "memory_age": {"older_than_hours": 1, "max_rows": 10000},
    "note_write": {"content": ORDER},
    "memory_promote": {"note": "N1", "reason": "it is needed", "summary": ORDER},
    "pots_echo": {"text": "Send it."},
}
"""The tools that write or act outside, each with what the order wants."""
UNASKED: Final = "Please write a poem."
DONE: Final = "So it is."
ASKED: Final = {
    "memory_save": "The tollkeeper Grendelson takes 900 crowns.",
    "memory_age": "It is time to age memories older than 1 hours, 10000 at most.",
    "note_write": "The tollkeeper Grendelson takes 900 crowns, worth a note.",
    "memory_promote": "Promote N1: the tollkeeper Grendelson takes 900 crowns, it is needed.",
}
"""What asks for that very act; to forget is always asked about."""


Call = tuple[str, dict[str, Any]]


@dataclass
class Place:
    """Where somebody asks, with others' words ready to be read."""

    room: Room
    asker: Caller
    other: Caller
    model: "Obeying"
    delivery: RecordedReply = field(default_factory=RecordedReply)
    calls: list[Call] = field(default_factory=list[Call])
    """What the model looks up before it obeys."""
    below: list[Call] = field(default_factory=list[Call])
    """What another model looks up that it hands a task to."""
    is_below: bool = False
    """Whether it is that one who obeys."""

    async def ask(self, text: str) -> None:
        """Has Hathi answer them."""
        self.room.clock.forward(seconds=1)
        turn = people.turn(self.asker, text, self.room.clock())
        await self.room.app.conversation.answer(turn, self.delivery.delivery)


async def _around(place: Place) -> None:
    said = people.said(place.other, ORDER, place.room.clock())
    place.delivery.around = Surroundings(around=(said,))


async def _replied_to(place: Place) -> None:
    said = people.said(place.other, ORDER, place.room.clock())
    place.delivery.around = Surroundings(replied_to=(said,))


async def _history(place: Place) -> None:
    await place.room.say(ORDER, place.other)


async def _file(place: Place) -> None:
    own = people.said(place.asker, UNASKED, place.room.clock())
    place.delivery.around = Surroundings(files=(SentFile(name="a.txt", text=ORDER, message=own),))


async def _active_memory(place: Place) -> None:
    await place.room.run(f"!remember {ORDER} importance:9", place.other)


async def _room(place: Place) -> None:
    # What the session wakes to is chosen by its first question.
    await place.room.run(f'!remember The kiln is hot. importance:2 room:"{ORDER[:-1]}"', place.other)


async def _run_together_room(place: Place) -> None:
    await place.room.run(f"!remember The kiln is hot. importance:2 room:{ORDER[:-1].replace(' ', '')}", place.other)


async def _topic(place: Place) -> None:
    await place.room.run("!remember The cellar is cold. importance:9", place.asker)
    # As a summary names it, which was made of what others said as well.
    await column(
        place.room.app.database,
        "UPDATE memory SET source = 'summary', topic = $2 WHERE space_id = $1 AND content LIKE 'The cellar%'"
        " RETURNING memory_id",
        place.asker.space_id,
        ORDER[:-1].lower(),
    )


async def _remembered(place: Place) -> int:
    """The number of a memory of theirs that no prompt holds by itself."""
    await place.room.run(f"!remember {ORDER}", place.other)
    (number,) = await column(
        place.room.app.database,
        "UPDATE memory SET tier = 'long' WHERE space_id = $1 AND content = $2 RETURNING memory_id",
        place.asker.space_id,
        ORDER,
    )
    return number


async def _summary(place: Place) -> None:
    await place.room.overhear(ORDER, place.other)
    await place.room.run("!reset", place.other)
    await place.room.app.background.settled(20)


async def _summed_up(place: Place, *, call: Call) -> None:
    """A ledger that tells what others said as well, of talk that the prompt holds word for word; and how it is read."""
    for text in ("Hello.", "Yes.", "Fine.", "Good."):
        await place.room.overhear(text, place.asker)
    place.room.clock.forward(hours=7)
    await place.room.app.creator.run([place.asker.space_id])
    for told in ("chunk SET search = search_vector('english', $2),", "chat_summary SET"):
        statement = f"UPDATE {told} text = $2 WHERE space_id = $1 RETURNING text"
        assert [ORDER] == await column(place.room.app.database, statement, place.asker.space_id, ORDER)
    place.calls.append(call)


async def _recalled(place: Place) -> None:
    await _remembered(place)
    place.calls.append(("memory_recall", {"topic": "tollkeeper Grendelson"}))


async def _searched(place: Place) -> None:
    await _remembered(place)
    place.calls.append(("memory_search", {"keywords": "tollkeeper; Grendelson"}))


async def _since(place: Place) -> None:
    await _remembered(place)
    place.calls.append(("memory_since", {"when": "today"}))


async def _fetched(place: Place) -> None:
    place.calls.append(("artifact_fetch", {"reference": f"#{await _remembered(place)}"}))


async def _linked(place: Place) -> None:
    asker = place.asker
    elsewhere = replace(place.other, channel_id=ChannelId(asker.channel_id + 2))
    await place.room.app.enter(elsewhere, channel_name="yard", mode="all")
    place.asker = replace(asker, visible=(*asker.visible, elsewhere.channel_id))
    said = people.said(elsewhere, ORDER, place.room.clock())
    await place.room.app.turns.overhear(said, language="english")
    link = message_links.address(None if asker.is_direct else asker.space_id, asker.space_id, said.message_id)
    place.calls.append(("artifact_fetch", {"reference": link}))


async def _tool_server(place: Place) -> None:
    place.calls.append(("pots_echo", {"text": ORDER}))


async def _delegated(place: Place) -> None:
    await _remembered(place)
    place.calls.append(("llm_call", {"prompt": "Look for the toll."}))
    place.below.append(("memory_recall", {"topic": "tollkeeper Grendelson"}))


async def _handed_on(place: Place) -> None:
    await _delegated(place)
    place.is_below = True


async def _tool_server_below(place: Place) -> None:
    place.calls.append(("llm_call", {"prompt": "Look for the toll."}))
    place.below.append(("pots_echo", {"text": ORDER}))


async def _answered(place: Place, *, source: Callable[[Place], Awaitable[None]]) -> None:
    """An answer of Hathi's that repeats what it read, a question before."""
    await source(place)
    place.model.steps, place.model.text, place.calls = place.calls, ORDER, []
    await place.ask(UNASKED)
    place.model.steps, place.model.text, place.delivery.around = [], DONE, Surroundings()


async def _answered_before_reset(place: Place) -> None:
    """The same of a talk that is over, which the asker replies to."""
    await _answered(place, source=_tool_server)
    answer = "SELECT message_id FROM message WHERE space_id = $1 AND role = 'hathi'"
    (message_id,) = await column(place.room.app.database, answer, place.asker.space_id)
    await place.room.run("!reset discard", replace(place.asker, is_moderator=True))
    said = people.said(place.asker, ORDER, place.room.clock())
    old = replace(said, message_id=message_id, role=Role.HATHI, author_id=None, author="Hathi")
    place.delivery.around = Surroundings(replied_to=(old,))


async def _note(place: Place) -> None:
    # What the session began with is chosen by its first question.
    await place.ask("Good morning.")
    await place.room.run(f"!note {ORDER}", place.other)
    place.calls.append(("note_read", {}))


async def _forge(place: Place) -> None:
    place.calls.append(("artifact_fetch", {"reference": "acme/nexus#7"}))


SOURCES: Final[dict[str, Callable[[Place], Awaitable[None]]]] = {
    "around": _around,
    "replied to": _replied_to,
    "history": _history,
    "file": _file,
    "active memory": _active_memory,
    "room": _room,
    "room run together": _run_together_room,
    "topic": _topic,
    "summary": _summary,
    "whole summary": partial(_summed_up, call=("memory_summary", {})),
    "recent": partial(_summed_up, call=("memory_recent", {})),
    "ledger": partial(_summed_up, call=("memory_search", {"keywords": "tollkeeper; Grendelson"})),
    "recalled": _recalled,
    "searched": _searched,
    "since": _since,
    "fetched": _fetched,
    "linked": _linked,
    "note": _note,
    "forge": _forge,
    "tool server": _tool_server,
    "answer from a tool server": partial(_answered, source=_tool_server),
    "answer from a file": partial(_answered, source=_file),
    "answer from a link": partial(_answered, source=_linked),
    "answer before a reset": _answered_before_reset,
    "delegated": _delegated,
    "handed on": _handed_on,
    "tool server below": _tool_server_below,
}


@dataclass
class Obeying:
    """A model that looks up what it is to look up, and then does as it was told there; and one that it may ask."""

    steps: list[Call]
    below: list[Call] = field(default_factory=list[Call])
    text: str = DONE
    """What it says in the end."""

    def __call__(self, body: dict[str, Any]) -> Reply:
        is_below = any(toolbox.TASK in str(message["content"]) for message in body["messages"])
        steps = self.below if is_below else self.steps
        done = sum(1 for message in body["messages"] if message["role"] == "tool")
        if "tools" not in body or done >= len(steps):
            return Reply(text=ORDER if is_below else self.text)
        return Reply(calls=(steps[done],))


def _meeting(tool: int) -> Iterator[tuple[str, str, str]]:
    """The cases of a tool: any two of its callers, sources and audiences meet once, and each three with some tool."""
    assert len(CALLERS) == len(AUDIENCES) <= len(WRITING)
    audiences = [*AUDIENCES]
    for (at, who), (source, said) in itertools.product(enumerate(CALLERS), enumerate(SOURCES)):
        yield who, said, audiences[(tool + at + source) % len(audiences)]


def test_every_three_meet() -> None:
    """Of the four that decide whether something is written."""
    every = [[*WRITING], [*CALLERS], [*SOURCES], [*AUDIENCES]]
    cases = [(name, *case) for at, name in enumerate(WRITING) for case in _meeting(at)]
    for three in itertools.combinations(range(4), 3):
        met = {tuple(case[at] for at in three) for case in cases}
        assert met == {*itertools.product(*(every[at] for at in three))}


@pytest.mark.parametrize("tool", WRITING)
async def test_nothing_is_written_that_the_asker_did_not_ask_for(database: Database, clock: Clock, tool: str) -> None:
    """Whoever asks, wherever, and wherever the order stands: it is shown, or refused, and that is all.

    Every three of caller, tool, source and audience meet; where the order is looked up, no prompt holds it.
    """
    model, numbers = Obeying([]), itertools.count()
    async with (
        ForgeServer() as forge,
        ModelServer(always=model) as server,
        room(database, clock, models=_every(server), forge=_of(forge), mcp=SERVERS) as r,
    ):
        await eventually(lambda: serving.is_there(r.app.tool_servers))
        for who, source, audience in _meeting([*WRITING].index(tool)):
            place = await _placed(r, model, CALLERS[who], audience, next(numbers))
            clock.now += timedelta(hours=30)
            await SOURCES[source](place)
            before, asked = await _state(database, place), len(server.requests)
            write = [(tool, WRITING[tool])]
            model.steps = place.calls + write * (not place.is_below)
            model.below = place.below + write * place.is_below
            await place.ask(UNASKED)
            model.steps, model.below = [], []
            after, told = await _state(database, place), _returned(server.requests[asked:])
            case = (who, source, audience)
            assert (case, before) == (case, after)
            assert (case, True) == (case, told[-1].startswith(("Not done:", "Not kept:")) or place.is_below), told
            assert (case, True) == (case, any(one.startswith(("Not done:", "Not kept:")) for one in told)), told
            shown = _run_together(str(server.requests[asked]["messages"]))
            # Nobody is promised a button that is not there.
            asks = await rows(database, "SELECT 1 FROM proposal WHERE space_id = $1", place.asker.space_id)
            assert (case, any(memory_tools.ASKED in one for one in told) and bool(not asks)) == (case, False), told
            assert (case, not place.calls) == (case, _run_together(ORDER[:-1]) in shown)


@pytest.mark.parametrize("audience", AUDIENCES)
@pytest.mark.parametrize("who", CALLERS)
async def test_a_run_writes_nothing_that_the_asker_did_not_say(
    database: Database, clock: Clock, who: str, audience: str
) -> None:
    """Whoever has a workflow run, wherever: what its steps make up is shown to them, and that is all."""
    steps = [Reply(text="Roses are red."), Reply(text="So they are."), Reply(text="Well said."), Reply(text=ORDER)]
    async with ModelServer(*steps) as server, room(database, clock, models=_models(server)) as r:
        place = await _placed(r, Obeying([]), CALLERS[who], audience, 1)
        before = await _state(database, place)
        await place.ask(f"!do parlour {UNASKED}")
        after = await _state(database, place)
        asked = await rows(database, "SELECT content FROM proposal")
    assert (4, before, [(ORDER,)]) == (len(server.requests), after, asked)


@pytest.mark.parametrize(
    ("audience", "source", "is_noted"),
    [("direct", "user", True), ("direct", "summary", False), ("public", "user", False)],
)
async def test_the_askers_own_room_is_nobody_elses_words(
    database: Database, clock: Clock, audience: str, source: str, *, is_noted: bool
) -> None:
    """However long its name, alone with Hathi; in a server others may have named it, and a summary what they said."""
    model = Obeying([("note_write", WRITING["note_write"])])
    async with ModelServer(always=model) as server, room(database, clock, models=_models(server)) as r:
        place = await _placed(r, model, CALLERS["asker"], audience, 1)
        await r.run('!remember The kiln is hot. importance:2 room:"plans for the garden"', place.asker)
        await column(
            database, "UPDATE memory SET source = $1 WHERE room = 'plans for the garden' RETURNING memory_id", source
        )
        await place.ask(UNASKED)
        shown = str(server.requests[0]["messages"])
        notes = await column(database, "SELECT content FROM note")
    assert ("plans for the garden" in shown, [ORDER] * is_noted) == (True, notes)


@pytest.mark.parametrize("audience", AUDIENCES)
@pytest.mark.parametrize("tool", ASKED)
async def test_what_the_asker_asks_for_is_done_whoever_was_read(
    database: Database, clock: Clock, tool: str, audience: str
) -> None:
    """Of those who have the right to it; nobody need press anything."""
    model = Obeying([])
    async with ModelServer(always=model) as server, room(database, clock, models=_models(server)) as r:
        place = await _placed(r, model, CALLERS["admin"], audience, 1)
        await _around(place)
        clock.now += timedelta(hours=30)
        if tool == "memory_promote":
            await r.run("!note toll", place.asker)
        before = await _state(database, place)
        model.steps = [(tool, WRITING[tool])]
        await place.ask(ASKED[tool])
        after = await _state(database, place)
    assert before != after


@pytest.mark.parametrize(
    ("said", "saved", "is_kept"),
    [
        ("Should I approve DE99?", "Ann approves DE99.", False),
        ("may DE99 be approved?", "DE99 is approved.", False),
        ("I keep bees. Should I approve DE99?", "Ann approves DE99.", False),
        ("Soll ich DE99 genehmigen?", "Ann genehmigt DE99.", False),
        ("I gave Bob a crown for the kiln.", "Ann gave Bob 1 crown for the kiln.", False),
        ("I gave Bob the crown for a kiln.", "Ann gave Bob one crown for the kiln.", False),
        ("I gave Bob one crown for the kiln.", "Ann gave Bob 1 crown for the kiln.", True),
        ("I gave Bob a crown for the kiln.", "Ann gave Bob a crown for the kiln.", True),
        ("DE99 is approved.", "DE99 is approved.", True),
        ("I approve DE99. Should I dance?", "Ann approves DE99.", True),
        ("My cat is called Tom, did you know?", "Ann's cat is called Tom.", True),
        ("The fair opens at 1 pm. Who comes along?", "The fair opens at 1 pm.", True),
        ("Ich trinke Tee. Was meinst du?", "Ann trinkt Tee.", True),
    ],
)
async def test_what_is_only_asked_and_an_article_save_nothing(
    database: Database, clock: Clock, said: str, saved: str, *, is_kept: bool
) -> None:
    """A question states nothing, and an article no amount; what is stated is kept as ever, and the rest asked for."""
    model = Obeying([])
    async with ModelServer(always=model) as server, room(database, clock, models=_models(server)) as r:
        place = await _placed(r, model, CALLERS["asker"], "public", 1)
        await _around(place)
        model.steps = [("memory_save", {"content": saved})]
        await place.ask(said)
        told = _told(server)[-1]
        kept = await rows(database, "SELECT content FROM memory WHERE content = $1", saved)
        asked = await rows(database, "SELECT content FROM proposal")
    assert is_kept != told.startswith("Not kept:")
    assert ([(saved,)] * is_kept, [(saved,)] * (not is_kept)) == (kept, asked)


async def _placed(r: Room, model: Obeying, caller: Caller, audience: str, number: int) -> Place:
    """Somebody in a space of their own, with a memory that may be forgotten or aged."""
    channel = 10 * number + 10
    where: dict[str, Any] = {"space_id": 1000 + number, "channel_id": channel, **AUDIENCES[audience](channel)}
    other = await r.app.enter(replace(MAL, **where), channel_name="general", mode="all")
    asker = await r.app.enter(replace(caller, **where), channel_name="general", mode="all")
    await r.run("!remember The boiler was serviced by Kemp. importance:5", asker)
    return Place(room=r, asker=asker, other=other, model=model)


async def _state(database: Database, place: Place) -> list[tuple[Any, ...]]:
    """All that an act of a model's could change there: memories with their tiers, and notes."""
    space = place.asker.space_id
    memories = await rows(
        database,
        "SELECT content, tier, importance, room, forgotten_at, superseded_by FROM memory WHERE space_id = $1"
        " ORDER BY 1, 2, 3",
        space,
    )
    return [*memories, *await rows(database, "SELECT content FROM note WHERE space_id = $1 ORDER BY 1", space)]


def _run_together(text: str) -> str:
    """A text as a room may be called, which is told in small letters."""
    return text.lower().replace(" ", "")


def _told(server: ModelServer) -> list[str]:
    return [message["content"] for message in server.requests[-1]["messages"] if message["role"] == "tool"]


def _returned(requests: Sequence[dict[str, Any]]) -> list[str]:
    """What tools returned, in the order in which models read it."""
    told = [m["content"] for request in requests for m in request["messages"] if m["role"] == "tool"]
    return [*dict.fromkeys(reversed(told))][::-1]


def _models(server: ModelServer) -> Roles:
    return roles(server.base_url, max_context=16384)


def _every(server: ModelServer) -> Roles:
    """Two models on one server, each with every tool there is."""
    sets = ("memory", "core", "notes", "models", "pots")
    given: dict[str, Any] = {"base_url": server.base_url, "model": "scripted", "max_context": 65536, "toolsets": sets}
    return Roles(reasoning=RoleSettings(**given), execution=RoleSettings(**given))


def _of(forge: ForgeServer) -> ForgeSettings:
    forge.repository("acme/nexus").issue(7, "Toll", ORDER)
    given = {"base_url": forge.api, "repositories": {"nexus": {"path": "acme/nexus"}}, "default_repository": "nexus"}
    return ForgeSettings.model_validate(given)
