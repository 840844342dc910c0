"""The laws of asking a model, over real HTTP."""

import asyncio
import contextlib
import email.utils
import inspect
import io
import logging
import os
import socket
import time
from collections.abc import AsyncGenerator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from bot import errors, log
from bot.config import ModelSettings, Roles, RoleSettings
from bot.domain import ModelRole
from bot.llm import models as client
from bot.llm.messages import ChatMessage, TextDelta, ToolSpec
from bot.llm.models import Models
from tests.model_server import Cut, Garbage, Hang, ModelServer, Reply, Status

ASK = [ChatMessage(role="user", content="Hi")]
REASONING = ModelRole.REASONING
TOOL = ToolSpec(name="memory_save", description="Save.", parameters={"type": "object", "properties": {}})
KEY = "sk-test-4417-4417-4417"


def nowhere() -> str:
    """An address where nothing listens."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return f"http://127.0.0.1:{free.getsockname()[1]}/v1"


@contextlib.asynccontextmanager
async def asked(
    url: str, *fallbacks: str, between: float = 5, timeouts: tuple[float, ...] = (), **fields: Any
) -> AsyncGenerator[Models]:
    """Models whose reasoning role is at `url`, then at the fallbacks, called m0, m1 and so on."""
    each = [*timeouts, *[5.0] * len(fallbacks)] if timeouts else [5.0] * (1 + len(fallbacks))
    given = [{"base_url": address, "model": f"m{n}", "timeout": each[n]} for n, address in enumerate((url, *fallbacks))]
    role = RoleSettings.model_validate(
        given[0] | fields | {"fallbacks": tuple(ModelSettings.model_validate(g) for g in given[1:])}
    )
    models = Models(
        Roles(reasoning=role, summarizer=role), between_tokens=timedelta(seconds=between), pause=timedelta(seconds=0.02)
    )
    try:
        yield models
    finally:
        await models.aclose()


async def texts(models: Models) -> list[str]:
    """The pieces of one answer."""
    async with contextlib.aclosing(models.stream(REASONING, ASK)) as events:
        return [event.text async for event in events if isinstance(event, TextDelta)]


def refuses(*names: str) -> Any:
    """A server that knows none of these parameters, and names the first it meets."""

    def answer(body: dict[str, Any]) -> Reply | Status:
        met = next((name for name in names if name in body), None)
        if met is None:
            return Reply(text="Fine.")
        return Status(status=400, body={"error": {"message": f"Unsupported parameter: '{met}'.", "param": met}})

    return answer


async def test_the_key_goes_to_its_server_and_nowhere_else() -> None:
    """It is sent as Bearer; no log line and no error holds it, even when the server quotes it."""
    lines = io.StringIO()
    echo = Status(status=401, body={"error": {"message": f"Incorrect API key provided: {KEY}"}})
    busy = Status(status=500, body={"error": {"message": KEY}})
    log.configure(to=lines, level="DEBUG", json=True)
    try:
        async with ModelServer(busy, echo) as server, asked(server.base_url, api_key=KEY) as models:
            with pytest.raises(errors.ModelRefused) as refused:
                await models.complete(REASONING, ASK)
            logging.getLogger("test").warning("end")
    finally:
        log.configure(to=Path(os.devnull))
    assert [f"Bearer {KEY}"] * 2 == [headers["Authorization"] for headers in server.headers]
    assert ("model.retried" in lines.getvalue(), KEY in lines.getvalue(), KEY in str(refused.value)) == (
        True,
        False,
        False,
    )


async def test_429_waits_as_long_as_the_server_says() -> None:
    """Retry-After in seconds is kept to the letter, whatever our own back-off."""
    slow = Status(status=429, headers={"Retry-After": "0.3"})
    async with ModelServer(slow) as server, asked(server.base_url) as models:
        began = time.perf_counter()
        assert (await models.complete(REASONING, ASK)).text == "Fine."
    assert (0.3 <= time.perf_counter() - began < 1.5, len(server.requests)) == (True, 2)


async def test_429_understands_a_date() -> None:
    """Retry-After as an HTTP date is waited for."""
    until = int(time.time()) + 1
    slow = Status(status=429, headers={"Retry-After": email.utils.formatdate(until, usegmt=True)})
    async with ModelServer(slow) as server, asked(server.base_url) as models:
        assert (await models.complete(REASONING, ASK)).text == "Fine."
    assert (time.time() >= until, len(server.requests)) == (True, 2)


@pytest.mark.parametrize(
    "after", ["60", email.utils.formatdate(4_000_000_000, usegmt=True), "Fri, 31 Dec 9999 23:59:59 GMT"]
)
async def test_429_past_the_deadline_is_given_up_at_once(after: str) -> None:
    """Nobody waits for a retry that cannot come in time."""
    slow = Status(status=429, headers={"Retry-After": after})
    async with ModelServer(always=slow) as server, asked(server.base_url) as models:
        began = time.perf_counter()
        with pytest.raises(errors.ModelUnreachable, match="slow down"):
            await models.complete(REASONING, ASK)
    assert (time.perf_counter() - began < 1, len(server.requests)) == (True, 1)


@pytest.mark.parametrize("after", ["soon", "", "nan", "-5", "Mon, 99 Foo 2026", "Mon, 01 Jan 99999999999 00:00:00 GMT"])
async def test_429_with_a_senseless_header_is_an_ordinary_retry(after: str) -> None:
    """What cannot be read does not end the call."""
    async with (
        ModelServer(Status(status=429, headers={"Retry-After": after})) as server,
        asked(server.base_url) as models,
    ):
        assert (await models.complete(REASONING, ASK)).text == "Fine."


FAULTS = {
    "500": Status(status=500),
    "502": Status(status=502),
    "529": Status(status=529),
    "html": Garbage(body=b"<html><body>Welcome</body></html>", content_type="text/html"),
    "not-json": Garbage(body=b"data: {oops\n\n"),
    "wrong-schema": Garbage(body=b'data: {"answer": 42}\n\ndata: [DONE]\n\n'),
    "wrong-types": Garbage(body=b'data: {"choices": [{"delta": {"content": 4}}]}\n\ndata: [DONE]\n\n'),
    "no-object": Garbage(body=b"data: [1, 2]\n\ndata: [DONE]\n\n"),
    "null": Garbage(body=b"data: null\n\n"),
    "not-utf8": Garbage(body=b"data: \xff\xfe\n\n"),
    "error-event": Garbage(body=b'data: {"error": {"message": "overloaded"}}\n\n'),
    "empty-body": Garbage(body=b""),
    "empty-answer": Reply(text=""),
    "only-done": Garbage(body=b"data: [DONE]\n\n"),
    "cut-first": Cut(text=""),
}


@pytest.mark.parametrize("fault", FAULTS)
async def test_a_fault_before_the_first_token_is_tried_again(fault: str) -> None:
    """One fault, and the second request is answered; nobody notices."""
    async with ModelServer(FAULTS[fault]) as server, asked(server.base_url) as models:
        assert await texts(models) == ["Fi", "ne", "."]
    assert len(server.requests) == 2


@pytest.mark.parametrize("fault", ["500", "502", "529", "error-event", "cut-first"])
async def test_a_fault_that_stays_ends_with_one_sentence_at_the_deadline(fault: str) -> None:
    """All retries share the role's timeout; then one sentence names the role and the host."""
    async with ModelServer(always=FAULTS[fault]) as server, asked(server.base_url, timeouts=(0.25,)) as models:
        began = time.perf_counter()
        with pytest.raises(errors.ModelUnreachable) as gone:
            await texts(models)
        took = time.perf_counter() - began
    assert (took < 0.5, len(server.requests) >= 2) == (True, True)
    assert str(gone.value).startswith("The reasoning model m0 does not answer: 127.0.0.1:")
    assert ("\n" in str(gone.value), str(gone.value).count(". ")) == (False, 0)
    assert (models.last_call(REASONING) or "").startswith("last call failed: 127.0.0.1:")


async def test_a_refused_connection_is_tried_again_until_the_deadline() -> None:
    """Where nothing listens, the role's timeout bounds the attempts."""
    async with asked(nowhere(), timeouts=(0.25,)) as models:
        # The deadline may fall into an attempt that a busy machine has not refused yet.
        told = r"reasoning .*127\.0\.0\.1:\d+ (can't be reached|did not answer within 0\.25 s)"
        with pytest.raises(errors.ModelUnreachable, match=told):
            await asyncio.wait_for(texts(models), 10)


@pytest.mark.parametrize("status", [400, 401, 403, 404, 409, 413, 422])
async def test_a_refusal_is_not_repeated(status: int) -> None:
    """Other 4xx cost one request and are told as a refusal."""
    async with ModelServer(always=Status(status=status)) as server, asked(server.base_url) as models:
        with pytest.raises(errors.ModelRefused, match=rf"reasoning .*127\.0\.0\.1:\d+ .*\({status}\)"):
            await texts(models)
    assert len(server.requests) == 1


@pytest.mark.parametrize("status", [400, 401, 403, 404])
async def test_a_refusal_goes_on_to_the_fallback(status: int) -> None:
    """What one server refuses another may answer, and the answer names who gave it."""
    async with (
        ModelServer(always=Status(status=status)) as first,
        ModelServer() as second,
        asked(first.base_url, second.base_url) as models,
    ):
        assert (await models.complete(REASONING, ASK)).model == "m1"
    assert (len(first.requests), len(second.requests)) == (1, 1)
    assert [first.requests[0]["model"], second.requests[0]["model"]] == ["m0", "m1"]


async def test_fallbacks_are_asked_in_order_each_with_its_own_deadline() -> None:
    """A role's model that hangs takes nothing from the time of the next."""
    async with (
        ModelServer(always=Hang()) as first,
        ModelServer(always=Hang()) as second,
        ModelServer(always=Reply(text="Here.", delay=0.2)) as third,
        asked(first.base_url, second.base_url, third.base_url, timeouts=(0.15, 0.15, 0.6)) as models,
    ):
        done = await models.complete(REASONING, ASK)
    assert (done.text, done.model, [len(s.requests) for s in (first, second, third)]) == ("Here.", "m2", [1, 1, 1])


@pytest.mark.parametrize("error_event", [False, True])
async def test_after_the_first_token_nothing_is_retried(error_event: bool) -> None:
    """An answer that breaks off, or reports an error, is a cut-off with what came; no second request, no fallback."""
    async with (
        ModelServer(Cut(text="Half an ans", error_event=error_event)) as server,
        ModelServer() as spare,
        asked(server.base_url, spare.base_url) as models,
    ):
        with pytest.raises(errors.ModelCutOff) as cut:
            await texts(models)
    assert (cut.value.received, len(server.requests), len(spare.requests)) == ("Half an ans", 1, 0)
    assert (models.last_call(REASONING) or "").startswith("last call broke off")


@pytest.mark.parametrize("junk", [b"data: {oops\n\n", b"data: [1]\n\n", b""])
async def test_junk_after_the_first_token_is_a_cut_off(junk: bytes) -> None:
    """What comes after good text and cannot be read, or never comes, ends the answer with what was received."""
    good = b'data: {"choices": [{"index": 0, "delta": {"content": "Half"}}]}\n\n'
    async with ModelServer(Garbage(body=good + junk)) as server, asked(server.base_url) as models:
        with pytest.raises(errors.ModelCutOff) as cut:
            await texts(models)
    assert (cut.value.received, len(server.requests)) == ("Half", 1)


async def test_a_slow_but_steady_stream_goes_on_past_the_deadline() -> None:
    """The role's timeout counts to the first token only."""
    steady = Reply(text="abcdefghijkl", pieces=12, pace=0.06)
    async with ModelServer(steady) as server, asked(server.base_url, timeouts=(0.4,), between=0.4) as models:
        began = time.perf_counter()
        assert "".join(await texts(models)) == "abcdefghijkl"
    assert (time.perf_counter() - began > 0.6, len(server.requests)) == (True, 1)


async def test_an_answer_that_does_not_end_is_ended() -> None:
    """Steady as it is: the role's total time cuts off what is being shown, and of what nobody has seen asks another."""
    endless = Reply(text="word " * 1000, pieces=1000, pace=0.02)
    async with (
        ModelServer(always=endless) as server,
        ModelServer() as spare,
        asked(server.base_url, spare.base_url, timeout_total=0.2) as models,
        asyncio.timeout(10),
    ):
        with pytest.raises(errors.ModelCutOff) as cut:
            await texts(models)
        assert (cut.value.received[:9], len(spare.requests)) == ("word word", 0)
        assert ("Fine.", 2) == ((await models.complete(REASONING, ASK)).text, len(server.requests))


@pytest.mark.parametrize("text", ["", "One moment."])
async def test_tokens_of_a_tool_call_are_tokens(text: str) -> None:
    """Arguments that come slowly but steadily outlive the deadline and the time between tokens, first or after text."""
    steady = Reply(text=text, calls=(("memory_save", {"content": "tea"}),) * 5, pace=0.06)
    async with ModelServer(steady) as server, asked(server.base_url, timeouts=(0.4,), between=0.4) as models:
        done = await models.complete(REASONING, ASK, [TOOL])
    assert (text, "memory_save", 1) == (done.text, done.tool_calls[0].name, len(server.requests))


async def test_tokens_of_thought_are_tokens() -> None:
    """A thinking model's thoughts are not shown, but while they come it is not silent."""
    async with (
        ModelServer(Reply(text="Tea.", thoughts="hm", pace=0.06)) as server,
        asked(server.base_url, timeouts=(0.4,), between=0.4) as models,
    ):
        assert ("".join(await texts(models)), len(server.requests)) == ("Tea.", 1)


async def test_a_model_that_falls_silent_in_thought_ends() -> None:
    """Thoughts move the deadline by the time between tokens, not for ever; with nothing said a fallback is asked."""
    thinking = Reply(text="Tea.", thoughts="hm", pace=0.05, gate=asyncio.Event())
    stuck = Reply(text="x", thoughts="hm", pace=0.3)
    async with (
        ModelServer(stuck) as server,
        ModelServer(thinking) as spare,
        asked(server.base_url, spare.base_url, timeouts=(0.2, 1), between=0.2) as models,
    ):
        began = time.perf_counter()
        with pytest.raises(errors.ModelCutOff):
            await texts(models)
    assert (len(server.requests), len(spare.requests), time.perf_counter() - began < 1.5) == (1, 1, True)


async def test_a_server_that_refuses_everything_is_adapted_to_one_by_one() -> None:
    """Each refused parameter costs one request, once."""
    names = ("max_tokens", "stream_options", "response_format", "temperature", "top_p")
    async with (
        ModelServer(always=refuses(*names)) as server,
        asked(server.base_url, temperature=0.5, top_p=0.9) as models,
    ):
        for _ in range(2):
            await models.complete(REASONING, ASK, json_schema={"type": "object"})
    assert len(server.requests) == 7


async def test_an_error_that_only_mentions_a_parameter_changes_nothing_for_later() -> None:
    """A prompt that was too long for the context names max_tokens too; the next call sends it as ever."""
    long = {"error": {"message": "maximum context length is 8192, you asked for 9000 and 1024 in max_tokens"}}
    async with ModelServer(Status(status=400, body=long)) as server, asked(server.base_url) as models:
        with pytest.raises(errors.ModelRefused):
            await texts(models)
        await texts(models)
    assert "max_tokens" in server.requests[-1]


async def test_twenty_streams_at_once() -> None:
    """Twenty answers come side by side, each its own."""

    def echo(body: dict[str, Any]) -> Reply:
        return Reply(text=f"You said {body['messages'][0]['content']}.", pieces=5, pace=0.03)

    async with ModelServer(always=echo) as server, asked(server.base_url) as models:
        began = time.perf_counter()
        answers = await asyncio.gather(
            *[models.complete(REASONING, [ChatMessage(role="user", content=str(n))]) for n in range(20)]
        )
        took = time.perf_counter() - began
    assert ([f"You said {n}." for n in range(20)], True) == ([done.text for done in answers], took < 1.5)


async def test_a_probe_tells_of_every_model() -> None:
    """The role's model and each fallback are asked once, without retries, and said to be well or not."""
    async with (
        ModelServer() as well,
        ModelServer(always=Status(status=500)) as ill,
        ModelServer(always=Hang()) as deaf,
        asked(ill.base_url, well.base_url, deaf.base_url, nowhere()) as models,
    ):
        probes = await models.probe(REASONING, within=timedelta(seconds=0.3))
    assert [(probe.model, probe.error) for probe in probes] == [
        ("m0", f"{probes[0].host} failed (500)"),
        ("m1", None),
        ("m2", f"{probes[2].host} did not answer within 0.3 s"),
        ("m3", f"{probes[3].host} can't be reached"),
    ]
    assert [len(server.requests) for server in (well, ill, deaf)] == [1, 1, 1]
    assert all(probe.role is REASONING and 0 <= probe.seconds < 1 for probe in probes)


def test_the_defaults_are_those_of_the_design() -> None:
    """60 s to the first token, 300 s for the summarizer, 30 s between tokens."""
    seconds = {role.value: limit.total_seconds() for role, limit in client.FIRST_TOKEN.items()}
    assert seconds == {"reasoning": 60, "execution": 60, "summarizer": 300}
    between = inspect.signature(Models).parameters["between_tokens"]
    assert 30 == client.BETWEEN_TOKENS.total_seconds() == between.default.total_seconds()
