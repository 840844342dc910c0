"""Where one reply goes: a Discord channel, played here by a small server on the loopback."""

import asyncio
import contextlib
import itertools
import json
from collections import defaultdict, deque
from collections.abc import AsyncGenerator, Sequence
from dataclasses import dataclass, field
from typing import Any, cast

import discord
import pytest
from aiohttp import web
from aiohttp.test_utils import TestServer
from discord.http import Route

from bot import errors
from bot.domain import MessageId, Reply
from bot.turn.recall_answer import CHECKING
from cogs.access.callers import Channel
from cogs.access.name_directory import NameDirectory
from cogs.send.message_requests import Components
from cogs.send.pace import Pace
from cogs.send.streaming_reply import StreamingReply
from cogs.text.markup import Directory
from cogs.text.splitting import split
from cogs.ui import buttons

CHANNEL = 777
TURN = MessageId(1_234_567_890_123_456_789)
QUESTION = discord.MessageReference(message_id=TURN, channel_id=CHANNEL, guild_id=5, fail_if_not_exists=False)
SENTENCE = "This is the first sentence. "
SLOW = (9.0, 9.0, 9.0)
SUPPRESS_EMBEDS = 1 << 2
"""https://discord.com/developers/docs/resources/message"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """One request as Discord saw it."""

    kind: str
    at: float
    body: dict[str, Any]
    headers: dict[str, str]
    message_id: int | None = None

    @property
    def content(self) -> str:
        return self.body["content"]


@dataclass(slots=True)
class Rest:
    """Discord's messages of one channel; answers can be scripted by kind: post, edit, delete, typing."""

    calls: list[Call] = field(default_factory=list[Call])
    messages: dict[int, str] = field(default_factory=dict[int, str])
    nonces: dict[str, int] = field(default_factory=dict[str, int])
    under: dict[int, list[Any]] = field(default_factory=dict[int, list[Any]])
    """What can be pressed under each message."""
    script: defaultdict[str, deque["Answer"]] = field(default_factory=lambda: defaultdict(deque))
    arrived: asyncio.Condition = field(default_factory=asyncio.Condition)
    busy: dict[int, int] = field(default_factory=lambda: defaultdict[int, int](int))
    most_busy: int = 0
    _ids: "itertools.count[int]" = field(default_factory=lambda: itertools.count(9000))

    def of(self, kind: str) -> list[Call]:
        return [call for call in self.calls if call.kind == kind]

    def shown(self) -> list[str]:
        return list(self.messages.values())

    async def until(self, kind: str, count: int = 1) -> Call:
        """The call of a kind with this number, once it is there."""
        async with asyncio.timeout(600), self.arrived:
            await self.arrived.wait_for(lambda: len(self.of(kind)) >= count)
        return self.of(kind)[count - 1]

    async def serve(self, request: web.Request) -> web.StreamResponse:
        kind, message_id = _kind(request)
        raw = await request.read()
        assert len(raw) == int(request.headers.get("Content-Length", "0"))
        body = json.loads(raw) if raw else {}
        now = asyncio.get_running_loop().time()
        self.calls.append(Call(kind=kind, at=now, body=body, headers=dict(request.headers), message_id=message_id))
        async with self.arrived:
            self.arrived.notify_all()
        self.busy[message_id or 0] += 1
        self.most_busy = max(self.most_busy, self.busy[message_id or 0])
        answer = self.script[kind].popleft() if self.script[kind] else Answer()
        if answer.after is not None:
            await answer.after.wait()
        self.busy[message_id or 0] -= 1
        if answer.status >= 300 and not answer.but_done:
            return _json(answer.body, answer.status)
        done = self._do(kind, message_id, body)
        if answer.status >= 300:
            return _json(answer.body, answer.status)
        return done

    def _do(self, kind: str, message_id: int | None, body: dict[str, Any]) -> web.Response:
        if kind == "post":
            message_id = self.nonces.setdefault(body["nonce"], next(self._ids))
            self.messages.setdefault(message_id, body["content"])
            self.under.setdefault(message_id, body.get("components", []))
            return _json(_message(message_id, self.messages[message_id], self.under[message_id]))
        if message_id is None:
            return web.Response(status=204)
        if message_id not in self.messages:
            return _json({"code": 10008, "message": "Unknown Message"}, 404)
        if kind == "delete":
            del self.messages[message_id]
            return web.Response(status=204)
        self.messages[message_id] = body["content"]
        self.under[message_id] = body.get("components", self.under.get(message_id, []))
        return _json(_message(message_id, body["content"], self.under[message_id]))


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """How one request is answered: once `after` is set, with this status."""

    status: int = 200
    body: dict[str, Any] = field(default_factory=dict[str, Any])
    after: asyncio.Event | None = None
    but_done: bool = False
    """Whether it was carried out nevertheless."""


def limited(seconds: float, **more: Any) -> Answer:
    return Answer(status=429, body={"retry_after": seconds, "message": "slow down", **more})


def refused(status: int, code: int) -> Answer:
    return Answer(status=status, body={"code": code, "message": "no"})


def _kind(request: web.Request) -> tuple[str, int | None]:
    path = request.path.rsplit("/", 1)
    if path[1] == "typing":
        return "typing", None
    if request.method == "POST":
        return "post", None
    return {"PATCH": "edit", "DELETE": "delete"}[request.method], int(path[1])


def _message(message_id: int, content: str, under: Sequence[Any] = ()) -> dict[str, Any]:
    return {
        "id": str(message_id),
        "channel_id": str(CHANNEL),
        "author": _ME,
        "content": content,
        "type": 0,
        "timestamp": "2026-03-02T12:00:00+00:00",
        "edited_timestamp": None,
        "tts": False,
        "mention_everyone": False,
        "mentions": [],
        "mention_roles": [],
        "attachments": [],
        "embeds": [],
        "pinned": False,
        "components": [*under],
    }


_ME = {"id": "42", "username": "Hathi", "discriminator": "0000", "avatar": None, "bot": True}
_APPLICATION = {
    "id": "42",
    "name": "Hathi",
    "icon": None,
    "description": "",
    "bot_public": True,
    "bot_require_code_grant": False,
    "verify_key": "",
    "flags": 0,
    "owner": _ME,
    "team": None,
}


@pytest.fixture
async def _hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    """Time that stands still while there is work, and passes at once when nothing but time is waited for."""
    loop: Any = asyncio.get_running_loop()
    real_select = loop._selector.select
    moment = loop.time()

    def select(timeout: float | None) -> Any:
        nonlocal moment
        # All traffic is on the loopback, inside this process: what is not there in a moment will not come.
        events = real_select(0.02 if timeout else timeout)
        if timeout and not events:
            moment += timeout
        return events

    monkeypatch.setattr(loop, "time", lambda: moment)
    monkeypatch.setattr(loop._selector, "select", select)


@pytest.fixture
async def rest(_hasty: None, monkeypatch: pytest.MonkeyPatch) -> AsyncGenerator[Rest]:
    rest = Rest()
    app = web.Application()
    app.router.add_get("/users/@me", _me)
    app.router.add_get("/oauth2/applications/@me", _application)
    app.router.add_route("*", "/channels/{tail:.*}", rest.serve)
    async with TestServer(app) as server:
        monkeypatch.setattr(Route, "BASE", str(server.make_url("")).rstrip("/"))
        yield rest


def _json(body: Any, status: int = 200) -> web.Response:
    # Without a charset, as Discord does: discord.py takes nothing else for JSON.
    headers = {"Content-Type": "application/json", "Via": "1.1"}
    return web.Response(body=json.dumps(body).encode(), status=status, headers=headers)


async def _me(_request: web.Request) -> web.Response:
    return _json(_ME)


async def _application(_request: web.Request) -> web.Response:
    return _json(_APPLICATION)


@pytest.fixture
async def client(rest: Rest) -> AsyncGenerator[discord.Client]:
    async with discord.Client(intents=discord.Intents.none()) as client:
        await client.login("token")
        yield client


class Kept:
    """What was kept, in order with what Discord saw; raises when told to."""

    def __init__(self, rest: Rest) -> None:
        self._rest = rest
        self.texts: list[str] = []
        self.before_calls: list[int] = []
        self.raises: Exception | None = None

    async def __call__(self, text: str) -> None:
        if self.raises:
            raise self.raises
        self.texts.append(text)
        self.before_calls.append(len(self._rest.calls))


@pytest.fixture
def keep(rest: Rest) -> Kept:
    return Kept(rest)


class Names(NameDirectory):
    """The same names everywhere."""

    def __init__(self, directory: Directory) -> None:
        self._directory = directory

    def of(self, channel: Channel) -> Directory:
        return self._directory


@dataclass(frozen=True, slots=True)
class Footer:
    """No lines, and what can be pressed in the end and before."""

    components: Components
    under: Components = ()

    def lines(self) -> contextlib.AbstractAsyncContextManager[Sequence[str]]:
        return contextlib.nullcontext(())

    def growing(self) -> Components:
        return self.under

    def controls(self, reply: Reply | None) -> Components:
        return self.components


@dataclass(slots=True)
class Bench:
    """Makes streaming replies on the played channel."""

    client: discord.Client
    pace: Pace = field(default_factory=Pace)
    directory: Directory = field(default_factory=Directory)

    def streaming_reply(
        self,
        turn_id: MessageId = TURN,
        reference: discord.MessageReference | None = QUESTION,
        controls: Components = (),
        growing: Components = (),
    ) -> StreamingReply:
        return StreamingReply(
            self.client.get_partial_messageable(CHANNEL),
            turn_id=turn_id,
            reference=reference,
            pace=self.pace,
            names=Names(self.directory),
            footer=Footer(controls, growing),
        )

    def learn(self, durations: Sequence[float] = SLOW) -> None:
        for seconds in durations:
            self.pace.answered(seconds)


@pytest.fixture
def bench(client: discord.Client) -> Bench:
    return Bench(client)


async def forward(seconds: float) -> None:
    """Let time pass, and everything that is due in it happen."""
    due = asyncio.Event()
    asyncio.get_running_loop().call_later(seconds, due.set)
    await due.wait()


def now() -> float:
    return asyncio.get_running_loop().time()


async def test_typing_is_shown_until_the_first_text(bench: Bench, rest: Rest, keep: Kept):
    """The sign of typing comes after a moment, is renewed every eight seconds, and no more once text stands."""
    began = now()
    async with bench.streaming_reply() as streaming_reply:
        await rest.until("typing", 3)
        await streaming_reply.show(SENTENCE, keep)
        await rest.until("post")
        await forward(60)

    assert pytest.approx([0.5, 8.5, 16.5], abs=0.01) == [call.at - began for call in rest.of("typing")]


async def test_typing_goes_on_beside_a_notice(bench: Bench, rest: Rest, keep: Kept):
    """While all that stands is that something is looked up, the sign goes on: anew behind the notice, which ended it on
    Discord, and no more once there is text.
    """
    bench.learn()
    async with bench.streaming_reply() as streaming_reply:
        await streaming_reply.show(CHECKING, keep)
        shown = await rest.until("post")
        await forward(20)
        await streaming_reply.show(SENTENCE, keep)
        await rest.until("edit")
        await forward(60)

    assert pytest.approx([0.5, 8.5, 16.5], abs=0.01) == [call.at - shown.at for call in rest.of("typing")]


@pytest.mark.parametrize("ends", ["finish", "withdraw", "leave"])
async def test_typing_beside_a_notice_ends_with_it(bench: Bench, rest: Rest, keep: Kept, ends: str):
    """However the notice is replaced or left, the sign ends."""
    bench.learn()
    async with bench.streaming_reply() as streaming_reply:
        await streaming_reply.show(CHECKING, keep)
        await rest.until("typing")
        match ends:
            case "finish":
                await streaming_reply.finish("Found it.", [])
            case "withdraw":
                await streaming_reply.withdraw()
            case _:
                pass
        await forward(60 if ends != "leave" else 0)
    await forward(60)

    assert 1 == len(rest.of("typing"))


@pytest.mark.parametrize("answer", [refused(403, 50013), refused(404, 10003), refused(503, 0), Answer(status=401)])
async def test_typing_that_fails_hurts_nobody(bench: Bench, rest: Rest, answer: Answer):
    """A reply is sent, whatever becomes of the sign of typing."""
    rest.script["typing"].extend([answer] * 3)

    async with bench.streaming_reply() as streaming_reply:
        await rest.until("typing", 3)
        ids = await streaming_reply.finish("Here it is.", [])

    assert {ids[0]: "Here it is."} == rest.messages


async def test_typing_ends_with_the_streaming_reply(bench: Bench, rest: Rest):
    """A streaming reply that is left without a reply types no more."""
    async with bench.streaming_reply():
        await rest.until("typing")
    await forward(60)

    assert 1 == len(rest.of("typing"))


async def test_a_quick_answer_is_sent_once(bench: Bench, rest: Rest, keep: Kept):
    """An answer ready within a second is one message and no edit."""
    async with bench.streaming_reply() as streaming_reply:
        await streaming_reply.show(SENTENCE, keep)
        await forward(0.5)
        await streaming_reply.show(SENTENCE * 2, keep)
        await forward(0.4)
        await streaming_reply.finish(SENTENCE * 3, [])
        await forward(10)

    assert [(SENTENCE * 3).strip()] == [call.content for call in rest.of("post")]
    assert [] == rest.of("edit")


async def test_the_first_text_is_held_for_a_second(bench: Bench, rest: Rest, keep: Kept):
    """Where answers are not known to be slow, the first text is shown a second after the beginning."""
    began = now()
    async with bench.streaming_reply() as streaming_reply:
        await streaming_reply.show(SENTENCE, keep)
        call = await rest.until("post")

    assert pytest.approx(1.0, abs=0.01) == call.at - began


async def test_where_answers_are_slow_the_first_text_is_not_held(bench: Bench, rest: Rest, keep: Kept):
    """Where the last answers took a second and more, text is shown as soon as there is a sentence."""
    bench.learn()
    began = now()
    async with bench.streaming_reply() as streaming_reply:
        await streaming_reply.show(SENTENCE, keep)
        call = await rest.until("post")

    assert pytest.approx(0.0, abs=0.01) == call.at - began


async def test_the_pace_learns_from_each_answer_of_a_model(bench: Bench, keep: Kept):
    """After slow answers the next one is known to be slow, after quick ones it is not."""
    seen: list[bool] = []
    for number, seconds in enumerate([2.0, 2.0, 0.1, 0.1]):
        async with bench.streaming_reply(MessageId(number)) as streaming_reply:
            await forward(seconds)
            await streaming_reply.show(SENTENCE, keep)
            await streaming_reply.finish(SENTENCE, [])
        seen.append(bench.pace.is_slow)

    assert [False, True, True, False] == seen


async def test_the_pace_learns_nothing_from_what_no_model_streams(bench: Bench, keep: Kept):
    """Replies that come whole, quick as they are without a model, change nothing for those that grow."""
    bench.learn()
    for number in range(6):
        async with bench.streaming_reply(MessageId(number)) as streaming_reply:
            if number % 2:
                await streaming_reply.show(CHECKING, keep)
            await streaming_reply.finish("Done.", [])

    assert bench.pace.is_slow


async def test_no_edit_shows_an_embed(bench: Bench, rest: Rest, keep: Kept):
    """An address that comes with an edit is asked by Discord as little as one that was there at first."""
    bench.learn()
    async with bench.streaming_reply() as streaming_reply:
        await streaming_reply.show(SENTENCE, keep)
        await rest.until("post")
        await streaming_reply.finish(f"{SENTENCE} https://evil.example/?d=1", [])

    assert [SUPPRESS_EMBEDS] == [call.body["flags"] for call in rest.of("edit")]


async def test_edits_in_a_channel_stand_apart(bench: Bench, rest: Rest, keep: Kept):
    """Two replies in one channel share its pace: while they grow no two edits are less than 1.2 seconds apart."""
    bench.learn()
    async with bench.streaming_reply(MessageId(1)) as one, bench.streaming_reply(MessageId(2)) as two:
        for count in range(1, 60):
            await one.show(SENTENCE * count, keep)
            await two.show(SENTENCE * count, keep)
            await forward(0.2)

    times = [call.at for call in rest.of("edit")]
    assert len(times) >= 5
    assert {message for call in rest.of("edit") if (message := call.message_id)} == set(rest.messages)
    assert [] == [later - earlier for earlier, later in itertools.pairwise(times) if later - earlier < 1.19]


async def test_text_that_looks_the_same_is_not_sent_again(bench: Bench, rest: Rest, keep: Kept):
    """White space at the end, or the same text again, is no edit; a whole text that stands already neither."""
    bench.learn()
    async with bench.streaming_reply() as streaming_reply:
        await streaming_reply.show(SENTENCE, keep)
        await rest.until("post")
        for text in (SENTENCE, SENTENCE + " ", SENTENCE + "\n"):
            await streaming_reply.show(text, keep)
            await forward(3)
        await streaming_reply.finish(SENTENCE, [])

    assert ["post"] == [call.kind for call in rest.calls if call.kind != "typing"]


async def test_the_finished_text_does_not_wait(bench: Bench, rest: Rest, keep: Kept):
    """The whole text goes out at once, however lately the channel was written to."""
    bench.learn()
    async with bench.streaming_reply() as streaming_reply:
        await streaming_reply.show(SENTENCE, keep)
        await rest.until("post")
        finished = now()
        ids = await streaming_reply.finish(SENTENCE * 2, [])

    assert pytest.approx(finished, abs=0.01) == rest.of("edit")[0].at
    assert {ids[0]: (SENTENCE * 2).strip()} == rest.messages


async def test_a_long_reply_grows_into_further_messages(bench: Bench, rest: Rest, keep: Kept):
    """A message is added only when the text has grown past the limit, and at the end all are the parts of it."""
    bench.learn()
    words = " ".join(f"Sentence number {number} of a long reply." for number in range(120))
    lengths: list[int] = []
    async with bench.streaming_reply() as streaming_reply:
        for end in range(100, len(words), 300):
            await streaming_reply.show(words[:end], keep)
            await forward(1.3)
            lengths.append(len(rest.messages) - len(split(words[:end])))
        ids = await streaming_reply.finish(words, ["[memory] saved: topic=x (imp=8)"])

    assert {0, -1} == set(lengths)
    assert split(words + "\n\n[memory] saved: topic=x (imp=8)") == [rest.messages[key] for key in ids]
    assert len(rest.of("post")) == len(ids) == 3
    assert max(len(call.content) for call in rest.calls if call.body) <= 2000


async def test_a_table_grows_as_a_block_of_code(bench: Bench, rest: Rest, keep: Kept):
    """What is kept is as the model wrote it; what is shown never has a table as it is typed, nor a mention in one."""
    bench.learn()
    bench.directory = Directory(people={5: "Ann"})
    text = "Here it is, @Ann:\n| Who | Age |\n|---|--:|\n| @Ann | 7 |\n| Ben | 31 |\n\nThat is all."
    async with bench.streaming_reply() as streaming_reply:
        for end in range(20, len(text), 5):
            await streaming_reply.show(text[:end], keep)
            await forward(2.0)
        await streaming_reply.finish(text, [])

    assert ["Here it is, <@5>:\n```\nWho   Age\n────  ───\n@Ann    7\nBen    31\n```\n\nThat is all."] == rest.shown()
    assert [] == [call.content for call in rest.calls if call.body and "\n|" in call.content]
    assert [] == [kept for kept in keep.texts if not text.startswith(kept)]


async def test_messages_that_are_too_many_go_away(bench: Bench, rest: Rest, keep: Kept):
    """When the whole text is shorter than what was shown, the messages left over are deleted."""
    bench.learn()
    async with bench.streaming_reply() as streaming_reply:
        await streaming_reply.show("word " * 500, keep)
        await rest.until("post", 2)
        ids = await streaming_reply.finish("Sorry, no.", [])

    assert {ids[0]: "Sorry, no."} == rest.messages


async def test_a_reply_pings_nobody_and_is_made_once(bench: Bench, rest: Rest):
    """The first message replies to the question if that still stands; all have a nonce, no mention and no embed."""
    async with bench.streaming_reply() as streaming_reply:
        await streaming_reply.finish("@everyone " + "word " * 500, [])

    first, second = (call.body for call in rest.of("post"))
    reference = {"type": 0, "message_id": TURN, "channel_id": CHANNEL, "guild_id": 5, "fail_if_not_exists": False}
    assert reference == first["message_reference"]
    assert "message_reference" not in second
    assert [f"{TURN}-0", f"{TURN}-1"] == [first["nonce"], second["nonce"]]
    assert [(True, {"parse": []}, SUPPRESS_EMBEDS)] * 2 == [
        (body["enforce_nonce"], body["allowed_mentions"], body["flags"]) for body in (first, second)
    ]


async def test_a_message_whose_answer_was_lost_is_not_made_twice(bench: Bench, rest: Rest):
    """A message that was made though Discord said otherwise is found again by its nonce."""
    rest.script["post"].append(Answer(status=503, but_done=True))

    async with bench.streaming_reply() as streaming_reply:
        ids = await streaming_reply.finish("Once.", [])

    assert {ids[0]: "Once."} == rest.messages
    assert [f"{TURN}-0"] * 2 == [call.body["nonce"] for call in rest.of("post")]


async def test_what_another_worker_began_is_made_whole(bench: Bench, rest: Rest):
    """A message that stands under the nonce with other text is edited to the whole one."""
    rest.nonces[f"{TURN}-0"], rest.messages[8000] = 8000, "Half of"

    async with bench.streaming_reply() as streaming_reply:
        ids = await streaming_reply.finish("Half of it.", [])

    assert ([8000], {8000: "Half of it."}) == (list(ids), rest.messages)


async def test_what_was_adopted_is_made_whole(bench: Bench, rest: Rest, keep: Kept):
    """Messages of a reply that another worker left are edited, and added to."""
    async with bench.streaming_reply() as left:
        await left.finish("word " * 600, [])
    channel = bench.client.get_partial_messageable(CHANNEL)
    messages = [
        bench.client._connection.create_message(channel=channel, data=cast("Any", _message(key, text)))
        for key, text in rest.messages.items()
    ]

    async with bench.streaming_reply() as streaming_reply:
        streaming_reply.adopt(messages)
        assert streaming_reply.begun
        ids = await streaming_reply.finish("word " * 900, [])

    assert (3, split("word " * 900)) == (len(ids), rest.shown())


_WHY = buttons.under(TURN, Reply(text="", rests_on_memory=True), explains=True)


def _pressed(components: Sequence[Any]) -> list[str]:
    """The ids of what can be pressed."""
    return [part["custom_id"] for row in components for part in row["components"]]


def _standing(rest: Rest) -> list[list[str]]:
    """What can be pressed under each message that stands."""
    return [_pressed(rest.under[key]) for key in rest.messages]


WHY = [f"hathi:reasons:{TURN}"]


async def test_what_can_be_pressed_goes_with_the_request_that_ends_the_reply(bench: Bench, rest: Rest, keep: Kept):
    """A reply sent at once is one request still; one that grew gets it with its last edit, and not before."""
    async with bench.streaming_reply(controls=_WHY) as streaming_reply:
        await streaming_reply.finish("Once.", [])
    at_once = [call.kind for call in rest.calls if call.kind != "typing"]
    bench.learn()
    async with bench.streaming_reply(MessageId(2), controls=_WHY) as streaming_reply:
        await streaming_reply.show(SENTENCE, keep)
        await rest.until("post", 2)
        await streaming_reply.show(SENTENCE * 2, keep)
        await rest.until("edit")
        await streaming_reply.finish(SENTENCE * 3, [])

    assert ["post"] == at_once
    assert [WHY, []] == [_pressed(call.body.get("components", [])) for call in rest.of("post")]
    assert [[], WHY] == [_pressed(call.body.get("components", [])) for call in rest.of("edit")]
    assert [WHY, WHY] == _standing(rest)


async def test_a_reply_that_is_left_before_it_is_shown_writes_nothing_later(bench: Bench, rest: Rest, keep: Kept):
    """Neither when nobody is at work on it any more nor when it was withdrawn, once the first second is over."""
    async with bench.streaming_reply() as left:
        await left.show(SENTENCE, keep)
    async with bench.streaming_reply(MessageId(2)) as withdrawn:
        await withdrawn.show(SENTENCE, keep)
        await withdrawn.withdraw()
        await forward(3)

    assert ([], []) == (rest.of("post"), keep.texts)


async def test_only_the_last_message_of_a_reply_can_be_pressed(bench: Bench, rest: Rest, keep: Kept):
    """Of a long one the others carry nothing, however it came to stand, and nothing pings for it."""
    bench.learn()
    async with bench.streaming_reply(controls=_WHY) as streaming_reply:
        await streaming_reply.show("word " * 500, keep)
        await rest.until("post", 2)
        await streaming_reply.finish("word " * 900, [])
    grown = _standing(rest)
    async with bench.streaming_reply(MessageId(2), controls=_WHY) as streaming_reply:
        await streaming_reply.finish("word " * 900, [])

    assert [[], [], WHY] == grown
    assert [[], [], WHY] * 2 == _standing(rest)
    assert all(call.body["allowed_mentions"] == {"parse": []} for call in rest.calls if call.body)


async def test_a_text_that_stands_already_is_told_that_it_is_whole(bench: Bench, rest: Rest, keep: Kept):
    """Where nothing of the text is left to send, one edit brings what can be pressed."""
    bench.learn()
    async with bench.streaming_reply(controls=_WHY) as streaming_reply:
        await streaming_reply.show(SENTENCE, keep)
        await rest.until("post")
        await forward(3)
        await streaming_reply.finish(SENTENCE, [])

    assert ["post", "edit"] == [call.kind for call in rest.calls if call.kind != "typing"]
    assert [WHY] == _standing(rest)


async def test_an_edit_that_waits_takes_along_what_can_be_pressed(bench: Bench, rest: Rest, keep: Kept):
    """One that Discord made wait when the reply became whole is its last."""
    bench.learn()
    async with bench.streaming_reply(controls=_WHY) as streaming_reply:
        await streaming_reply.show(SENTENCE, keep)
        await rest.until("post")
        rest.script["edit"].append(limited(5.0))
        await streaming_reply.show(SENTENCE * 2, keep)
        await rest.until("edit")
        await streaming_reply.finish(SENTENCE * 2, [])

    assert 2 == len(rest.of("edit"))
    assert [WHY] == _standing(rest)


async def test_what_was_adopted_can_be_pressed_once(bench: Bench, rest: Rest):
    """Of a reply that another worker left, what its message carried goes where the reply ends now."""
    async with bench.streaming_reply(controls=_WHY) as left:
        await left.finish("word " * 300, [])
    channel = bench.client.get_partial_messageable(CHANNEL)

    def standing() -> list[discord.Message]:
        return [
            bench.client._connection.create_message(
                channel=channel, data=cast("Any", _message(key, text, rest.under[key]))
            )
            for key, text in rest.messages.items()
        ]

    for text in ("word " * 300, "word " * 600):
        before = len(rest.calls)
        async with bench.streaming_reply(controls=_WHY) as streaming_reply:
            streaming_reply.adopt(standing())
            await streaming_reply.finish(text, [])
        made = [call.kind for call in rest.calls[before:] if call.kind != "typing"]

        assert ([] if text == "word " * 300 else ["edit", "post"]) == made
    assert [[], WHY] == _standing(rest)


async def test_a_reply_that_is_written_anew_grows_bare(bench: Bench, rest: Rest, keep: Kept):
    """After it was withdrawn, nothing can be pressed again before it is whole."""
    bench.learn()
    async with bench.streaming_reply(controls=_WHY) as streaming_reply:
        await streaming_reply.finish("Once.", [])
        await streaming_reply.withdraw()
        await streaming_reply.show(SENTENCE, keep)
        await rest.until("post", 2)
        bare = _standing(rest)
        await streaming_reply.finish(SENTENCE * 2, [])

    assert [[]] == bare
    assert [WHY] == _standing(rest)


@pytest.mark.parametrize("answer", [limited(5.0), limited(5.0, **{"global": True}), refused(502, 0)])
async def test_only_the_newest_text_goes_out_after_a_wait(bench: Bench, rest: Rest, keep: Kept, answer: Answer):
    """An edit that waits in discord.py is sent with the text that is newest then, whole and kept."""
    bench.learn()
    async with bench.streaming_reply() as streaming_reply:
        await streaming_reply.show(SENTENCE, keep)
        await rest.until("post")
        rest.script["edit"].append(answer)
        await streaming_reply.show(SENTENCE * 2, keep)
        await rest.until("edit")
        for count in range(3, 9):
            await streaming_reply.show(SENTENCE * count + "é🦊", keep)
            await forward(0.1)
        call = await rest.until("edit", 2)

    assert SENTENCE * 8 + "é🦊" == call.content == keep.texts[-1]
    assert {"parse": []} == call.body["allowed_mentions"]
    assert "application/json" == call.headers["Content-Type"]


async def test_the_finished_text_takes_the_place_of_one_that_waits(bench: Bench, rest: Rest, keep: Kept):
    """An edit that waits for a rate limit goes out with the finished text, and no other follows it."""
    bench.learn()
    async with bench.streaming_reply() as streaming_reply:
        await streaming_reply.show(SENTENCE, keep)
        await rest.until("post")
        rest.script["edit"].append(limited(30.0))
        await streaming_reply.show(SENTENCE * 2, keep)
        await rest.until("edit")
        await streaming_reply.finish("All of it.", ["A note."])

    assert ["All of it.\n\nA note."] == [call.content for call in rest.of("edit")[1:]] == rest.shown()


async def test_one_edit_of_a_message_is_under_way(bench: Bench, rest: Rest, keep: Kept):
    """While Discord is at an edit no other is sent; then the newest text is."""
    bench.learn()
    gate = asyncio.Event()
    async with bench.streaming_reply() as streaming_reply:
        await streaming_reply.show(SENTENCE, keep)
        await rest.until("post")
        rest.script["edit"].append(Answer(after=gate))
        for count in range(2, 30):
            await streaming_reply.show(SENTENCE * count, keep)
            await forward(0.5)
        under_way = len(rest.of("edit"))
        gate.set()
        await rest.until("edit", 2)

    assert (1, 1) == (under_way, rest.most_busy)
    assert (SENTENCE * 29).strip() == rest.of("edit")[1].content


async def test_text_is_kept_before_it_is_shown(bench: Bench, rest: Rest, keep: Kept):
    """Nothing of a growing reply reaches Discord before exactly that was kept."""
    bench.learn()
    async with bench.streaming_reply() as streaming_reply:
        for count in range(1, 12):
            await streaming_reply.show(SENTENCE * count, keep)
            await forward(0.7)

    writes = [(place, call.content) for place, call in enumerate(rest.calls) if call.body]
    kept = list(zip(keep.before_calls, keep.texts, strict=True))
    assert len(writes) > 3
    assert [] == [text for place, text in writes if not any(at <= place and text == t.strip() for at, t in kept)]


async def test_an_edit_that_waits_shows_only_what_is_kept(bench: Bench, rest: Rest, keep: Kept):
    """While newer text is being kept, an edit that is let through goes out with the text before it."""
    bench.learn()
    never = asyncio.Event()

    async def slowly(_text: str) -> None:
        await never.wait()

    async with bench.streaming_reply() as streaming_reply:
        await streaming_reply.show(SENTENCE, keep)
        await rest.until("post")
        rest.script["edit"].append(limited(5.0))
        await streaming_reply.show(SENTENCE * 2, keep)
        await rest.until("edit")
        await streaming_reply.show(SENTENCE * 3, slowly)
        await rest.until("edit", 2)

    assert [(SENTENCE * 2).strip()] * 2 == [call.content for call in rest.of("edit")]


async def test_showing_again_after_a_failure_waits_for_the_edit_under_way(bench: Bench, rest: Rest, keep: Kept):
    """Who goes on after text could not be kept sends no second edit beside the one under way."""
    bench.learn()
    gate = asyncio.Event()
    async with bench.streaming_reply() as streaming_reply:
        await streaming_reply.show(SENTENCE, keep)
        await rest.until("post")
        rest.script["edit"].append(Answer(after=gate))
        await streaming_reply.show(SENTENCE * 2, keep)
        await rest.until("edit")
        keep.raises = errors.DatabaseDown()
        await streaming_reply.show(SENTENCE * 3, keep)
        await forward(2)
        keep.raises = None
        with pytest.raises(errors.DatabaseDown):
            await streaming_reply.show(SENTENCE * 4, keep)
        await streaming_reply.show(SENTENCE * 5, keep)
        await forward(5)
        gate.set()
        call = await rest.until("edit", 2)
        await forward(1)

    assert ((SENTENCE * 5).strip(), 1) == (call.content, rest.most_busy)


@pytest.mark.parametrize("error", [errors.LeaseLost(), errors.AudienceSeesLess(), errors.DatabaseDown()])
async def test_what_keeping_raises_ends_the_showing(bench: Bench, rest: Rest, keep: Kept, error: Exception):
    """When text can't be kept it is not shown, and the next call raises why, once."""
    bench.learn()
    async with bench.streaming_reply() as streaming_reply:
        await streaming_reply.show(SENTENCE, keep)
        await rest.until("post")
        keep.raises = error
        await streaming_reply.show(SENTENCE * 2, keep)
        await forward(5)
        with pytest.raises(type(error)):
            await streaming_reply.show(SENTENCE * 3, keep)
        await forward(5)
        shown = rest.shown()
        await streaming_reply.finish("Then this.", [])

    assert ([SENTENCE.strip()], ["Then this."]) == (shown, rest.shown())


async def test_finishing_raises_what_keeping_raised(bench: Bench, rest: Rest, keep: Kept):
    """A reply whose last text could not be kept is not finished either."""
    bench.learn()
    keep.raises = errors.AudienceSeesLess()
    async with bench.streaming_reply() as streaming_reply:
        await streaming_reply.show(SENTENCE, keep)
        await forward(5)
        with pytest.raises(errors.AudienceSeesLess):
            await streaming_reply.finish(SENTENCE, [])

    assert {} == rest.messages


async def test_showing_does_not_wait_for_keeping_nor_for_discord(bench: Bench, rest: Rest):
    """More text can come while earlier text is being kept and sent."""
    bench.learn()
    never = asyncio.Event()

    async def keep(_text: str) -> None:
        await never.wait()

    began = now()
    async with bench.streaming_reply() as streaming_reply:
        for count in range(1, 9):
            await streaming_reply.show(SENTENCE * count, keep)
        shown_at = now()
        await forward(5)
        await streaming_reply.finish(SENTENCE, [])

    assert pytest.approx(began, abs=0.01) == shown_at
    assert [SENTENCE.strip()] == rest.shown()


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        (refused(403, 50013), errors.CannotSpeak),
        (refused(403, 50001), errors.CannotSpeak),
        (refused(403, 50007), errors.CannotSpeak),
        (refused(400, 50083), errors.CannotSpeak),
        (refused(404, 10003), errors.NotSent),
        (refused(400, 200000), errors.NotSent),
        (refused(400, 240000), errors.NotSent),
        (refused(403, 0), errors.NotSent),
    ],
)
async def test_where_hathi_may_not_write_it_says_so(
    bench: Bench, rest: Rest, answer: Answer, expected: type[errors.NotSent]
):
    """A refusal of Discord's is told as what it is, and not tried again: only some say that Hathi may not write."""
    rest.script["post"].append(answer)

    async with bench.streaming_reply() as streaming_reply:
        with pytest.raises(errors.NotSent) as told:
            await streaming_reply.finish("Hello.", [])

    assert (expected, 1) == (told.type, len(rest.of("post")))


async def test_a_reply_deleted_while_it_grows_can_not_be_finished(bench: Bench, rest: Rest, keep: Kept):
    """Whoever deletes what stands of a reply does not get it again."""
    bench.learn()
    async with bench.streaming_reply() as streaming_reply:
        await streaming_reply.show(SENTENCE, keep)
        await rest.until("post")
        rest.messages.clear()
        with pytest.raises(errors.ReplyDeleted):
            await streaming_reply.finish(SENTENCE * 2, [])

    assert {} == rest.messages


@pytest.mark.parametrize("answer", [refused(403, 50013), refused(400, 50035), refused(400, 200000)])
async def test_a_refused_last_edit_leaves_the_answer_that_stands(bench: Bench, rest: Rest, keep: Kept, answer: Answer):
    """Nothing failed for whoever reads it; what does not begin as the answer does is no answer."""
    bench.learn()
    async with bench.streaming_reply() as streaming_reply:
        await streaming_reply.show(SENTENCE.strip(), keep)
        await rest.until("post")
        rest.script["edit"].append(answer)
        sent = await streaming_reply.finish(SENTENCE.strip(), ["[memory] saved: topic=tea"])
        await streaming_reply.show("Something else.", keep)
        rest.script["edit"].append(answer)
        with pytest.raises(errors.NotSent):
            await streaming_reply.finish("Something else.", [])

    assert ([SENTENCE.strip()], [*rest.messages]) == (rest.shown(), [*sent])


async def test_refusals_end_the_growth_but_not_the_reply(bench: Bench, rest: Rest, keep: Kept):
    """A reply Discord refuses while it grows is not shown until it is whole, and then tried again."""
    bench.learn()
    rest.script["post"].append(refused(403, 50013))
    async with bench.streaming_reply() as streaming_reply:
        for count in range(1, 9):
            await streaming_reply.show(SENTENCE * count, keep)
            await forward(2)
        tried = len(rest.of("post"))
        await streaming_reply.finish("All of it.", [])

    assert (1, ["All of it."]) == (tried, rest.shown())


async def test_failures_while_it_grows_are_bounded(bench: Bench, rest: Rest, keep: Kept):
    """While Discord is down a growing reply is tried three times at most; the whole one is sent."""
    bench.learn()
    rest.script["post"].extend([refused(503, 0)] * 3)
    async with bench.streaming_reply() as streaming_reply:
        for count in range(1, 20):
            await streaming_reply.show(SENTENCE * count, keep)
            await forward(2)
        tried = len(rest.of("post"))
        await streaming_reply.finish("All of it.", [])

    assert (3, ["All of it."]) == (tried, rest.shown())


@pytest.mark.parametrize(
    "answer", [refused(400, 50035), refused(400, 10008), refused(403, 160002), refused(403, 160009)]
)
async def test_a_reply_to_a_deleted_question_stands_alone(bench: Bench, rest: Rest, answer: Answer):
    """When the question can't be replied to, the same message is sent without reference."""
    rest.script["post"].append(answer)

    async with bench.streaming_reply() as streaming_reply:
        await streaming_reply.finish("Hello.", [])

    assert [True, False] == ["message_reference" in call.body for call in rest.of("post")]
    assert ["Hello."] == rest.shown()


async def test_a_nonce_that_was_taken_back_is_not_used_again(bench: Bench, rest: Rest):
    """Where Discord knows the nonce of a deleted message the reply is sent under another, to the same question."""
    rest.script["post"].append(refused(404, 10008))

    async with bench.streaming_reply() as streaming_reply:
        await streaming_reply.finish("Hello.", [])

    assert [(f"{TURN}-0", True), (f"{TURN}-1", True)] == [
        (call.body["nonce"], "message_reference" in call.body) for call in rest.of("post")
    ]


async def test_a_discord_that_is_down_is_tried_with_pauses(bench: Bench, rest: Rest):
    """Failures of Discord's own are tried again with the same nonce a few times, and then told."""
    rest.script["post"].extend([refused(503, 0)] * 100)

    async with bench.streaming_reply() as streaming_reply:
        with pytest.raises(errors.DiscordDown):
            await streaming_reply.finish("Hello.", [])

    assert [f"{TURN}-0"] * 4 == [call.body["nonce"] for call in rest.of("post")]


async def test_a_discord_that_comes_back_takes_the_reply(bench: Bench, rest: Rest):
    """A reply outlasts failures longer than discord.py's own patience."""
    rest.script["post"].extend([refused(502, 0)] * 7)

    async with bench.streaming_reply() as streaming_reply:
        await streaming_reply.finish("Hello.", [])

    assert ["Hello."] == rest.shown()


async def test_a_discord_that_never_answers_is_given_up(bench: Bench, rest: Rest):
    """A request that hangs is waited for two minutes and no longer."""
    gate = asyncio.Event()
    rest.script["post"].append(Answer(after=gate))

    async with bench.streaming_reply() as streaming_reply:
        with pytest.raises(errors.DiscordDown):
            await streaming_reply.finish("Hello.", [])
    gate.set()


async def test_names_are_mentions_at_the_end(bench: Bench, rest: Rest):
    """The final text names people and channels in Discord's way."""
    bench.directory = Directory(people={1: "Ann"}, channels={2: "general"})

    async with bench.streaming_reply() as streaming_reply:
        await streaming_reply.finish("@Ann said it in #general; see `@Ann`.", [])

    assert ["<@1> said it in <#2>; see `@Ann`."] == rest.shown()


async def test_notes_stand_under_a_fence_left_open(bench: Bench, rest: Rest):
    """A reply that broke off in a fence keeps its notes out of the code."""
    async with bench.streaming_reply() as streaming_reply:
        await streaming_reply.finish("```py\nx = 1", ["One note.", "Another."])

    assert ["```py\nx = 1\n```\n\nOne note.\nAnother."] == rest.shown()


async def test_nothing_to_say_is_not_sent(bench: Bench, rest: Rest):
    """A blank reply is no message; with a note it is the note."""
    async with bench.streaming_reply() as streaming_reply:
        assert () == await streaming_reply.finish(" \n", [])
        assert {} == rest.messages
        await streaming_reply.finish("", ["Only a note."])

    assert ["Only a note."] == rest.shown()


async def test_what_is_withdrawn_is_gone(bench: Bench, rest: Rest, keep: Kept):
    """All messages of a withdrawn reply are deleted, one that is being made included; a new text is a new message."""
    bench.learn()
    gate = asyncio.Event()
    rest.script["post"].extend([Answer(), Answer(after=gate)])
    async with bench.streaming_reply() as streaming_reply:
        await streaming_reply.show("word " * 500, keep)
        await rest.until("post", 2)
        withdrawal = asyncio.create_task(streaming_reply.withdraw())
        await forward(1)
        gate.set()
        await withdrawal
        gone = dict(rest.messages)
        begun = streaming_reply.begun
        ids = await streaming_reply.finish("Another answer.", [])

    assert ({}, False) == (gone, begun)
    assert {ids[0]: "Another answer."} == rest.messages
    assert [f"{TURN}-0", f"{TURN}-1", f"{TURN}-2"] == [call.body["nonce"] for call in rest.of("post")]
    assert "message_reference" in rest.of("post")[-1].body


async def test_withdrawing_does_not_wait_for_an_edit(bench: Bench, rest: Rest, keep: Kept):
    """What waits to be edited is deleted at once, and the edit that comes too late hurts nobody."""
    bench.learn()
    async with bench.streaming_reply() as streaming_reply:
        await streaming_reply.show(SENTENCE, keep)
        await rest.until("post")
        rest.script["edit"].append(limited(60.0))
        await streaming_reply.show(SENTENCE * 2, keep)
        await rest.until("edit")
        began = now()
        await streaming_reply.withdraw()
        deleted_at = now()
        await rest.until("edit", 2)

    assert pytest.approx(began, abs=0.01) == deleted_at
    assert {} == rest.messages


async def test_withdrawing_what_someone_deleted_is_done(bench: Bench, rest: Rest):
    """A message that is gone already needs no deleting."""
    async with bench.streaming_reply() as streaming_reply:
        await streaming_reply.finish("Hello.", [])
        rest.messages.clear()
        await streaming_reply.withdraw()

    assert not streaming_reply.begun


async def test_a_broken_off_reply_holds_up_no_other(bench: Bench, rest: Rest):
    """Whoever is cancelled while all requests wait for the global rate limit leaves the way free for the others."""
    rest.script["post"].append(limited(10.0, **{"global": True}))
    async with bench.streaming_reply(MessageId(1)) as broken, bench.streaming_reply(MessageId(2)) as other:
        finishing = asyncio.create_task(broken.finish("Stopped.", []))
        await rest.until("post")
        finishing.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await finishing
        await other.finish("Here.", [])

    assert "Here." in rest.shown()


async def test_what_stands_stays_when_the_streaming_reply_is_left(bench: Bench, rest: Rest, keep: Kept):
    """A streaming reply that is left shows no more, and nothing of what it showed goes away."""
    bench.learn()
    async with bench.streaming_reply() as streaming_reply:
        await streaming_reply.show(SENTENCE, keep)
        await rest.until("post")
        await streaming_reply.show(SENTENCE * 2, keep)
    await forward(10)

    assert [SENTENCE.strip()] == rest.shown()
