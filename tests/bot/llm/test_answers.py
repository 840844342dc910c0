"""The laws of an answer that comes."""

import asyncio
import contextlib
import json
from datetime import timedelta
from typing import Any

import pytest

from bot import errors
from bot.config import Roles, RoleSettings
from bot.domain import ModelRole
from bot.llm.messages import ChatMessage, Finished, TextDelta, ToolCall, Usage
from bot.llm.models import Models
from tests.bot.llm.asking import HELLO, REASONING, TOOL, answer, asking
from tests.model_server import Cut, Garbage, Hang, ModelServer, Reply, Step


async def test_text_comes_in_pieces_and_ends_whole() -> None:
    """The pieces make up the text of the end, which names the model and the tokens the server counted."""
    async with ModelServer(Reply(text="Good morning, Ann.", pieces=4)) as server, asking(server.base_url) as models:
        pieces, end = await answer(models)
    assert (len(pieces), "".join(pieces)) == (4, "Good morning, Ann.")
    assert end == Finished(
        text="Good morning, Ann.", tool_calls=(), usage=Usage(tokens_in=11, tokens_out=7), model="m0", cut_off=False
    )


async def test_a_piece_is_shown_before_the_next_one_exists() -> None:
    """Nothing waits for the whole answer."""
    gate = asyncio.Event()
    async with (
        ModelServer(Reply(text="one two ", pieces=2, gate=gate)) as server,
        asking(server.base_url) as models,
        contextlib.aclosing(models.stream(REASONING, HELLO)) as events,
    ):
        first = await anext(events)
        gate.set()
        rest = [event async for event in events]
    assert (first, len(rest)) == (TextDelta(text="one "), 2)


async def test_tool_calls_are_put_together_from_their_fragments() -> None:
    """Name, id and arguments come out whole and in order, beside what was said."""
    calls = (("recall", {"query": "tea"}), ("recall", {"query": "a \u2028 b"}))
    async with ModelServer(Reply(text="Looking.", calls=calls)) as server, asking(server.base_url) as models:
        _, end = await answer(models, [TOOL])
    assert (end.text, [(c.call_id, c.name, json.loads(c.arguments)) for c in end.tool_calls]) == (
        "Looking.",
        [("call_1_0", *calls[0]), ("call_1_1", *calls[1])],
    )
    assert server.requests[0]["tools"] == [
        {"type": "function", "function": {"name": "recall", "description": "Look.", "parameters": TOOL.parameters}}
    ]


async def test_a_model_without_tools_is_sent_none() -> None:
    """`tools = "none"` holds whatever the caller offers."""
    async with ModelServer() as server, asking(server.base_url, tools="none") as models:
        await answer(models, [TOOL])
    assert "tools" not in server.requests[0]


@pytest.mark.parametrize(("reason", "cut_off"), [("length", True), ("stop", False)])
async def test_an_answer_at_its_limit_says_so(reason: str, cut_off: bool) -> None:
    """`cut_off` is the server's finish reason "length"."""
    async with ModelServer(Reply(text="On and on", reason=reason)) as server, asking(server.base_url) as models:
        assert (await models.complete(REASONING, HELLO)).cut_off == cut_off


async def test_a_complete_answer_is_the_whole_one() -> None:
    """No pieces, the same end; the schema goes along."""
    schema = {"type": "object", "properties": {"a": {"type": "integer"}}}
    async with ModelServer(Reply(text='{"a": 1}')) as server, asking(server.base_url) as models:
        end = await models.complete(REASONING, HELLO, json_schema=schema)
    assert (end.text, server.requests[0]["response_format"]["json_schema"]["schema"]) == ('{"a": 1}', schema)


async def test_what_is_not_set_is_not_sent() -> None:
    """Without temperature and top_p the server's own defaults hold; without a key no header speaks of one."""
    async with ModelServer() as server:
        async with asking(server.base_url) as models:
            await answer(models)
        async with asking(server.base_url, temperature=0.5, api_key="sk-abc \n", max_tokens=99) as models:
            await answer(models)
    assert server.requests[0].keys() == {"model", "messages", "max_tokens", "stream", "stream_options"}
    assert (server.requests[1]["temperature"], server.requests[1]["max_tokens"]) == (0.5, 99)
    assert [headers.get("Authorization") for headers in server.headers] == [None, "Bearer sk-abc"]


@pytest.mark.parametrize(("chosen", "sent"), [("custom", {"temperature": 0.5, "top_p": 0.9}), ("default", {})])
async def test_a_model_may_choose_its_tokens_itself(chosen: str, sent: dict[str, float]) -> None:
    """`token_selection = "default"` sends neither temperature nor top_p, whatever is set; streamed or whole."""
    async with (
        ModelServer() as server,
        asking(server.base_url, token_selection=chosen, temperature=0.5, top_p=0.9) as models,
    ):
        await answer(models, [TOOL])
        await models.complete(REASONING, HELLO, json_schema={"type": "object"})
    told = [{key: one[key] for key in ("temperature", "top_p") if key in one} for one in server.requests]
    assert [sent, sent] == told


async def test_the_environment_of_other_clients_reaches_no_server(monkeypatch: pytest.MonkeyPatch) -> None:
    """Keys and organisations meant for OpenAI are not told to other servers."""
    for name in ("OPENAI_API_KEY", "OPENAI_ORG_ID", "OPENAI_PROJECT_ID", "OPENAI_BASE_URL"):
        monkeypatch.setenv(name, "sk-secret-of-the-environment")
    async with ModelServer() as server, asking(server.base_url) as models:
        await answer(models)
    assert "sk-secret-of-the-environment" not in str(server.headers)


async def test_messages_reach_the_server_as_openai_writes_them() -> None:
    """Calls and their results are linked by id, names are such as servers take, a lone surrogate does no harm."""
    call = ToolCall(call_id="c1", name="recall", arguments='{"query": "tea"}')
    messages = [
        ChatMessage(role="system", content="Be kind."),
        ChatMessage(role="user", content="Hi \ud83d", name="Ann Müller <3"),
        ChatMessage(role="assistant", content="", tool_calls=(call,)),
        ChatMessage(role="tool", content="Bob likes tea.", tool_call_id="c1"),
    ]
    async with ModelServer() as server, asking(server.base_url) as models:
        await models.complete(REASONING, messages)
    function = {"name": "recall", "arguments": '{"query": "tea"}'}
    assert server.requests[0]["messages"] == [
        {"role": "system", "content": "Be kind."},
        {"role": "user", "content": "Hi ?", "name": "Ann_M_ller_3"},
        {"role": "assistant", "content": None, "tool_calls": [{"id": "c1", "type": "function", "function": function}]},
        {"role": "tool", "content": "Bob likes tea.", "tool_call_id": "c1"},
    ]


@pytest.mark.parametrize(
    ("step", "text", "tokens_in"),
    [
        (Reply(text="Fine.", usage=False), "Fine.", 0),
        (Reply(text="Fine.", done=False), "Fine.", 11),
        (Reply(text="\n\n Fine.", pieces=6), "Fine.", 11),
        (Reply(text="A\u2028B\u0085C"), "A\u2028B\u0085C", 11),
        (Reply(text="Fine.", thoughts="Let me see."), "Fine.", 11),
        (Garbage(body=b'data: {"choices":[{"delta":{"content":"Fine."}}]}\r\n\r\ndata: [DONE]\r\n\r\n'), "Fine.", 0),
        (Garbage(body=b'data:{"choices":[{"delta":{"content":"Fine."},"finish_reason":"stop"}]}'), "Fine.", 0),
        (Garbage(body=b'{"choices":[{"message":{"content":"Fine."}}]}', content_type="application/json"), "Fine.", 0),
    ],
)
async def test_servers_differ_and_their_answers_do_not(step: Step, text: str, tokens_in: int) -> None:
    """Without usage, `[DONE]` or streaming, with blanks first or odd line separators inside: the answer is the same."""
    async with ModelServer(step) as server, asking(server.base_url) as models:
        pieces, end = await answer(models)
    assert ("".join(pieces), end.text, end.usage.tokens_in, len(server.requests)) == (text, text, tokens_in, 1)


@pytest.mark.parametrize(
    ("details", "cached"),
    [({"cached_tokens": 8}, 8), ({"cached_tokens": 99}, 11), ({}, 0), ("many", 0), ({"cached_tokens": "8"}, 0)],
)
async def test_tokens_that_a_server_still_had_are_counted(details: Any, cached: int) -> None:
    """Among those that went in, and never more than they are; what is no count spoils no answer."""
    async with ModelServer(Reply(text="Fine.", details=details)) as server, asking(server.base_url) as models:
        _, end = await answer(models)
    assert Usage(tokens_in=11, tokens_out=7, tokens_cached=cached) == end.usage
    assert Usage(tokens_in=22, tokens_out=14, tokens_cached=2 * cached) == end.usage + end.usage


async def test_calls_that_all_bear_number_zero_are_told_apart_by_id() -> None:
    """Some servers number every call 0."""
    body = b"".join(
        b'data: {"choices":[{"delta":{"tool_calls":[{"index":0,"id":"%s","function":{"name":"recall",'
        b'"arguments":"{}"}}]}}]}\n\n' % name
        for name in (b"x", b"y")
    )
    async with ModelServer(Garbage(body=body + b"data: [DONE]\n\n")) as server, asking(server.base_url) as models:
        end = await models.complete(REASONING, HELLO, [TOOL])
    assert [(call.call_id, call.arguments) for call in end.tool_calls] == [("x", "{}"), ("y", "{}")]


@pytest.mark.parametrize("pieces", [1, 3, 40])
@pytest.mark.parametrize(
    ("said", "text"),
    [
        ("<think>She asks for tea.\nA < B.</think>\n\nTea is ready.", "Tea is ready."),
        (" <think>\n\n</think>Tea.", "Tea."),
        ("<think>One.</think><think>Two.</think>Tea.", "Tea."),
        ("<thin ice> is no mark, </think> alone neither.", "<thin ice> is no mark, </think> alone neither."),
        ("Tea <think>with milk</think>.", "Tea <think>with milk</think>."),
        ("<thi", "<thi"),
    ],
)
async def test_thoughts_in_an_answer_s_text_are_not_said(said: str, text: str, pieces: int) -> None:
    """What a model marks as thoughts before it answers is left out, however its text comes in pieces."""
    async with ModelServer(Reply(text=said, pieces=pieces)) as server, asking(server.base_url) as models:
        shown, end = await answer(models)
    assert (text, text) == ("".join(shown), end.text)


async def test_an_answer_of_thoughts_alone_is_none() -> None:
    """It is as empty as one without a word."""
    async with ModelServer(always=Reply(text="<think>Hm, well")) as server, asking(server.base_url) as models:
        with pytest.raises(errors.ModelError):
            await answer(models)


async def test_a_cancelled_answer_closes_the_connection() -> None:
    """Before the first token and after it, the server sees the client leave at once."""
    for step in (Hang(), Reply(text="one two", pieces=2, gate=asyncio.Event())):
        async with ModelServer(step) as server, asking(server.base_url) as models:
            task = asyncio.create_task(answer(models))
            async with asyncio.timeout(5):
                await server.asked.wait()
                task.cancel()
                await server.dropped.wait()
            with pytest.raises(asyncio.CancelledError):
                await task


async def test_a_closed_stream_closes_the_connection() -> None:
    """Whoever has read enough leaves nothing running."""
    gate = asyncio.Event()
    async with ModelServer(Reply(text="one two", pieces=2, gate=gate)) as server, asking(server.base_url) as models:
        async with contextlib.aclosing(models.stream(REASONING, HELLO)) as events:
            await anext(events)
        async with asyncio.timeout(5):
            await server.dropped.wait()


async def test_many_answers_at_once_do_not_mix() -> None:
    """Twenty tasks share one `Models`, each gets its own answer."""

    def echo(body: dict[str, object]) -> Reply:
        return Reply(text=str(body["messages"]), pieces=9)

    async with ModelServer(always=echo) as server, asking(server.base_url) as models:
        asked = [[ChatMessage(role="user", content=f"number {n}.")] for n in range(20)]
        ends = await asyncio.gather(*(models.complete(REASONING, messages) for messages in asked))
    assert [f"number {n}." in end.text for n, end in enumerate(ends)] == [True] * 20


async def test_one_connection_serves_one_answer_after_another() -> None:
    """Finished answers are read to their end, so nobody waits for a handshake."""
    async with ModelServer() as server, asking(server.base_url) as models:
        for _ in range(3):
            await answer(models)
    assert (len(server.requests), len(server.connections)) == (3, 1)


async def test_a_probe_tells_of_every_model_of_the_role() -> None:
    """The role's model and its fallbacks each get one real call of few tokens; errors are sentences."""
    async with (
        ModelServer(Reply(text="", reason="length")) as good,
        ModelServer(always=Hang()) as silent,
        asking(good.base_url, silent.base_url, "http://127.0.0.1:9/v1") as models,
    ):
        probes = await models.probe(REASONING, within=timedelta(seconds=0.2))
    assert [(p.role, p.model, p.error) for p in probes] == [
        (REASONING, "m0", None),
        (REASONING, "m1", f"{probes[1].host} did not answer within 0.2 s"),
        (REASONING, "m2", "127.0.0.1:9 can't be reached"),
    ]
    assert (good.requests[0]["max_tokens"], len(silent.requests)) == (16, 1)


async def test_the_last_call_is_remembered_in_words() -> None:
    """For `status`: well, failed or broken off."""
    async with ModelServer(Reply(text="Fine."), Cut(text="Once")) as server, asking(server.base_url) as models:
        before = models.last_call(REASONING)
        await answer(models)
        after = models.last_call(REASONING)
    assert (before, str(after)[:12]) == (None, "last call ok")


def test_a_role_is_there_when_it_is_set() -> None:
    """`has` and `settings` speak of configured roles only, without opening anything."""
    role = RoleSettings.model_validate({"base_url": "http://127.0.0.1:9/v1", "model": "m"})
    models = Models(Roles(summarizer=role))
    assert [models.has(name) for name in ModelRole] == [False, False, True]
    assert models.settings(ModelRole.SUMMARIZER) is role
