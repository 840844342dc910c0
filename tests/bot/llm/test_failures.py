"""The laws of an answer that does not come, or not whole."""

import asyncio
import contextlib
import json
from datetime import timedelta
from email.utils import formatdate
from typing import Any

import pytest
from structlog.testing import capture_logs

from bot import errors
from bot.llm import tokens
from bot.llm.messages import ChatMessage, TextDelta
from bot.llm.models import Models
from tests.bot.llm.asking import HELLO, REASONING, TOOL, Naps, answer, asking
from tests.model_server import HTML, Cut, Garbage, Hang, ModelServer, Reply, Status, Step

EMPTY = Reply(text="")
NOWHERE = "http://127.0.0.1:9/v1"


async def refusal(models: Models) -> errors.ModelError:
    with pytest.raises((errors.ModelRefused, errors.ModelUnreachable)) as caught:
        await answer(models)
    return caught.value


@pytest.mark.parametrize("step", [Status(status=500), Status(status=503), Status(status=429), EMPTY, HTML])
async def test_what_may_pass_is_tried_again(step: Step) -> None:
    """A server that fails once and then answers has answered."""
    async with ModelServer(step) as server, asking(server.base_url) as models:
        _, end = await answer(models)
    assert (end.text, len(server.requests)) == ("Fine.", 2)


async def test_who_is_not_there_is_told_in_two_seconds() -> None:
    """At least two attempts, as it may just restart; all of them and their waits in a second and a half."""
    naps = Naps()
    async with asking(NOWHERE, naps=naps, timeout=60) as models:
        await refusal(models)
    assert (len(naps.taken) >= 1, sum(naps.taken) < 1.5) == (True, True)


async def test_who_is_not_there_is_not_waited_for_where_a_fallback_is() -> None:
    """Of a call's models the last alone is tried again, so with fallbacks too it is told in two seconds."""
    naps = Naps()
    async with asking(NOWHERE, NOWHERE, NOWHERE, naps=naps, timeout=60) as models:
        with capture_logs() as lines:
            await refusal(models)
    assert {"m2"} == {line["model"] for line in lines if line["event"] == "model.retried"}
    assert (len(naps.taken) >= 1, sum(naps.taken) < 1.5) == (True, True)


@pytest.mark.parametrize("step", [Cut(text=""), Cut(text="", clean=True), Cut(text="", error_event=True)])
async def test_a_cut_before_the_first_token_is_tried_again(step: Step) -> None:
    """Nothing was shown, so nothing is lost."""
    async with ModelServer(step) as server, asking(server.base_url) as models:
        assert ((await answer(models))[1].text, len(server.requests)) == ("Fine.", 2)


@pytest.mark.parametrize(
    ("status", "says"),
    [
        (400, "refused the request (400)"),
        (401, "refused the API key (401)"),
        (403, "this API key to use m0 (403)"),
        (408, "refused the request (408)"),
        (404, "base_url is wrong (404)"),
        (422, "refused the request (422)"),
    ],
)
async def test_a_refusal_is_final_and_says_why(status: int, says: str) -> None:
    """One request, one sentence with role, model and host; neither key nor prompt."""
    step = Status(status=status, body={"error": {"message": "swordfish sk-12345678 is no good"}})
    async with ModelServer(always=step) as server, asking(server.base_url, api_key="sk-12345678") as models:
        error = await refusal(models)
    place = server.base_url.removeprefix("http://").removesuffix("/v1")
    begins, last = f"The reasoning model m0 does not answer: {place} ", models.last_call(REASONING)
    assert [True] * 3 == [str(error).startswith(begins), says in str(error), "swordfish" not in str(error)]
    assert (type(error), len(server.requests)) == (errors.ModelRefused, 1)
    assert last == f"last call failed: {place} {str(error).removeprefix(begins).removesuffix('.')}"


@pytest.mark.parametrize(
    ("body", "hint"),
    [
        ({"error": {"message": "m0 does not support tools"}}, 'set tools to "none"'),
        ({"error": {"code": "context_length_exceeded"}}, "lower max_context"),
    ],
)
async def test_a_refusal_whose_cause_is_known_says_what_helps(body: dict[str, Any], hint: str) -> None:
    """The setting to change is named."""
    async with ModelServer(always=Status(status=400, body=body)) as server, asking(server.base_url) as models:
        assert hint in str(await refusal(models))


async def test_a_used_up_quota_is_a_refusal() -> None:
    """It comes as a 429, but waiting does not mend it."""
    step = Status(status=429, body={"error": {"code": "insufficient_quota", "message": "pay"}})
    async with ModelServer(always=step) as server, asking(server.base_url) as models:
        error = await refusal(models)
    assert (type(error), len(server.requests)) == (errors.ModelRefused, 1)


async def test_attempts_go_on_for_ten_seconds_and_their_pauses_grow() -> None:
    """Pauses with jitter, doubled up to some 8 s, never past ten seconds where somebody waits; then the sentence."""
    naps = Naps()
    async with ModelServer(always=Status(status=500)) as server, asking(server.base_url, naps=naps, timeout=60) as m:
        error = await refusal(m)
    assert (len(server.requests), isinstance(error, errors.ModelUnreachable)) == (len(naps.taken) + 1, True)
    assert all(0.125 <= nap <= 0.125 + min(8, 0.5 * 2**n) for n, nap in enumerate(naps.taken))
    assert 1 <= sum(naps.taken) < 10


@pytest.mark.parametrize("step", [EMPTY, HTML, Reply(text=" \n "), Reply(text="", reason="length")])
async def test_a_worthless_answer_is_asked_for_twice(step: Step) -> None:
    """A model that says nothing says nothing again."""
    async with ModelServer(always=step) as server, asking(server.base_url) as models:
        error = await refusal(models)
    assert (isinstance(error, errors.ModelRefused), len(server.requests)) == (True, 2)


@pytest.mark.parametrize(
    "step",
    [
        HTML,
        Garbage(body=b"data: {not json\n\n"),
        Garbage(body=b"data: \xff\xfe\n\n"),
        Garbage(body=b'data: {"choices": "none"}\n\n'),
        Garbage(body=b'data: {"choices": [{"delta": {"content": 7}}]}\n\n'),
        Garbage(body=b"data: [1, 2]\n\n"),
        Garbage(body=b""),
        Garbage(body=b"\0" * 5000),
        Garbage(body=b"x" * (2**20 + 2**17)),
        Garbage(body=b'{"hello": "world"}', content_type="application/json"),
        Garbage(body=b"{", content_type="application/json"),
        Garbage(body=b'data: {"error": {"code": 502, "message": "upstream"}}\n\n'),
        Garbage(body=b'data: {"error": "overloaded"}\n\n'),
    ],
)
async def test_garbage_is_a_sentence(step: Step) -> None:
    """Whatever bytes come, the person reads one plain sentence."""
    async with ModelServer(always=step) as server, asking(server.base_url) as models:
        error = await refusal(models)
    assert str(error).startswith("The reasoning model m0 does not answer: 127.0.0.1:")
    assert "\n" not in str(error)


@pytest.mark.parametrize(("header", "wait"), [("7", 7.0), ("0.5", 0.5), (formatdate(1_000_009, usegmt=True), 9.0)])
async def test_a_server_says_how_long_to_wait(header: str, wait: float) -> None:
    """Retry-After holds, in seconds or as a date."""
    naps = Naps()
    step = Status(status=429, headers={"Retry-After": header})
    async with ModelServer(step) as server, asking(server.base_url, naps=naps, timeout=60, now=1_000_000) as models:
        await answer(models)
    assert naps.taken == [wait]


@pytest.mark.parametrize("header", ["soon", "nan", "-3", ""])
async def test_a_wait_that_is_none_is_our_own(header: str) -> None:
    """A Retry-After that cannot be read is as none."""
    naps = Naps()
    async with (
        ModelServer(Status(status=429, headers={"Retry-After": header})) as server,
        asking(server.base_url, naps=naps) as models,
    ):
        await answer(models)
    assert 0.125 <= naps.taken[0] <= 0.625


async def test_a_wait_past_the_deadline_is_not_begun() -> None:
    """The fallback is asked at once."""
    naps = Naps()
    async with (
        ModelServer(Status(status=429, headers={"Retry-After": "30"})) as busy,
        ModelServer() as free,
        asking(busy.base_url, free.base_url, naps=naps, timeout=5) as models,
    ):
        _, end = await answer(models)
    assert (end.model, naps.taken, len(busy.requests)) == ("m1", [], 1)


async def test_the_deadline_holds_for_all_attempts_together() -> None:
    """A server that never answers costs the role's time to the first token, once."""
    async with ModelServer(always=Hang()) as server, asking(server.base_url, timeout=0.15) as models:
        started = asyncio.get_running_loop().time()
        error = await refusal(models)
        took = asyncio.get_running_loop().time() - started
    assert (took < 1, len(server.requests)) == (True, 1)
    assert str(error).endswith("did not answer within 0.15 s.")


async def test_every_fallback_is_asked_in_order_with_time_of_its_own() -> None:
    """A refusal, silence and a closed port lead on; the end names who answered."""
    async with (
        ModelServer(Status(status=401)) as refuses,
        ModelServer(Hang()) as silent,
        ModelServer(Reply(text="Here.")) as last,
        asking(refuses.base_url, silent.base_url, NOWHERE, last.base_url, timeout=0.3) as models,
    ):
        _, end = await answer(models)
    assert (end.model, end.text) == ("m3", "Here.")
    assert [request["model"] for request in last.requests] == ["m3"]


async def test_when_nobody_answers_the_sentence_names_them_all() -> None:
    """Unreachable rather than refused, as soon as one of them was away."""
    async with ModelServer(Status(status=401)) as server, asking(server.base_url, NOWHERE) as models:
        error = await refusal(models)
    assert isinstance(error, errors.ModelUnreachable)
    assert [True, True] == [part in str(error) for part in ("(401)", "its fallback m1: 127.0.0.1:9 can't be reached")]


@pytest.mark.parametrize("cut", [Cut(text="Once upon"), Cut(text="Once upon", clean=True)])
async def test_an_answer_cut_in_the_middle_keeps_what_came(cut: Step) -> None:
    """No second attempt and no fallback: the person has read the beginning."""
    async with (
        ModelServer(cut) as server,
        ModelServer() as fallback,
        asking(server.base_url, fallback.base_url) as models,
    ):
        with pytest.raises(errors.ModelCutOff) as caught:
            await answer(models)
        with capture_logs() as lines, contextlib.suppress(errors.ModelCutOff):
            server.steps.append(cut)
            await answer(models)
    assert (caught.value.received, len(server.requests), fallback.requests) == ("Once upon", 2, [])
    assert [(line["event"], line["reason"]) for line in lines] == [("model.cut_off", "cut")]
    assert str(models.last_call(REASONING)).startswith("last call broke off")


async def test_an_error_in_the_middle_of_an_answer_cuts_it() -> None:
    """An error event is no end."""
    async with ModelServer(Cut(text="Once", error_event=True)) as server, asking(server.base_url) as models:
        with pytest.raises(errors.ModelCutOff, match="broke off"):
            await answer(models)


async def test_garbage_in_the_middle_of_an_answer_cuts_it() -> None:
    """Bytes that are no event are no end."""
    body = b'data: {"choices":[{"delta":{"content":"Once"}}]}\n\ndata: oops\n\n'
    async with ModelServer(Garbage(body=body)) as server, asking(server.base_url) as models:
        with pytest.raises(errors.ModelCutOff) as caught:
            await answer(models)
    assert caught.value.received == "Once"


async def test_a_gap_between_tokens_cuts_the_answer() -> None:
    """A server that stalls is not waited for longer than the bound."""
    gate = asyncio.Event()
    async with (
        ModelServer(Reply(text="one two ", pieces=2, gate=gate)) as server,
        asking(server.base_url, between=0.05) as models,
        contextlib.aclosing(models.stream(REASONING, HELLO)) as events,
    ):
        first = await anext(events)
        with pytest.raises(errors.ModelCutOff) as caught:
            await anext(events)
        await asyncio.wait_for(server.dropped.wait(), 5)
    assert (first, caught.value.received) == (TextDelta(text="one "), "one ")


async def test_a_complete_answer_that_breaks_off_is_asked_for_again() -> None:
    """Nobody has seen its beginning."""
    async with ModelServer(Cut(text="Once upon")) as server, asking(server.base_url) as models:
        end = await models.complete(REASONING, HELLO)
    assert (end.text, len(server.requests)) == ("Fine.", 2)


async def test_reasoning_counts_as_a_sign_of_life() -> None:
    """After its first thought a model has the time between tokens, not the rest of the deadline."""
    gate = asyncio.Event()
    step = Reply(text="so so ", pieces=2, thoughts="Hm.", gate=gate)
    async with ModelServer(step) as server, asking(server.base_url) as models:
        async with contextlib.aclosing(models.stream(REASONING, HELLO)) as events:
            first = await anext(events)
        gate.set()
    assert first == TextDelta(text="so ")


def unless(bad: str, message: str, **error: Any) -> Any:
    """A server that refuses a parameter by name."""
    no = Status(status=400, body={"error": {"message": message, **error}})
    return lambda body: no if bad in body else Reply(text="Fine.")


@pytest.mark.parametrize(
    ("bad", "message", "fields"),
    [
        ("max_tokens", "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead.", {}),
        ("stream_options", "Unrecognized request argument supplied: stream_options", {}),
        ("response_format", "response_format of type json_schema is not supported", {}),
        ("temperature", "Unsupported value: 'temperature' does not support 0.5", {"temperature": 0.5}),
        ("top_p", "top_p: Extra inputs are not permitted", {"top_p": 0.5}),
    ],
)
async def test_what_a_server_refuses_by_name_is_left_out_from_then_on(
    bad: str, message: str, fields: dict[str, Any]
) -> None:
    """Asked again once without it, or by its other name, and never sent again."""
    async with ModelServer(always=unless(bad, message)) as server, asking(server.base_url, **fields) as models:
        for _ in range(2):
            await models.complete(REASONING, HELLO, json_schema={"type": "object"})
    assert [bad in request for request in server.requests] == [True, False, False]
    assert [request.get("max_completion_tokens") for request in server.requests[1:]] == (
        [1024, 1024] if bad == "max_tokens" else [None, None]
    )


async def test_several_refusals_by_name_are_met_one_by_one() -> None:
    """A reasoning model of OpenAI takes neither max_tokens nor temperature."""

    def strict(body: dict[str, Any]) -> Step:
        if "max_tokens" in body:
            return Status(status=400, body={"error": {"message": "use max_completion_tokens", "param": "max_tokens"}})
        if "temperature" in body:
            return Status(status=400, body={"error": {"message": "no", "param": "temperature"}})
        return Reply(text="Fine.")

    async with ModelServer(always=strict) as server, asking(server.base_url, temperature=1) as models:
        await answer(models)
        await answer(models)
    assert len(server.requests) == 4


async def test_a_refusal_that_stays_is_not_remembered() -> None:
    """An error that merely speaks of a parameter does not cost it for good."""
    no = Status(status=400, body={"error": {"message": "the prompt asks about temperature"}})
    async with ModelServer(no, no) as server, asking(server.base_url, temperature=0.5) as models:
        await refusal(models)
        await answer(models)
    assert ["temperature" in request for request in server.requests] == [True, False, True]


async def test_the_log_tells_every_attempt_and_no_word_of_it() -> None:
    """Role, model, status, attempt and seconds for a retry, a failure and a fallback; no text, no key."""
    bad = Status(status=500, body={"error": {"message": "swordfish"}})
    async with (
        ModelServer(bad, Status(status=401)) as server,
        ModelServer(Reply(text="swordfish")) as fallback,
        asking(server.base_url, fallback.base_url, api_key="sk-12345678") as models,
    ):
        with capture_logs() as lines:
            await answer(models, [TOOL])
    assert [(line["event"], line["model"], line["status"], line["attempt"]) for line in lines] == [
        ("model.retried", "m0", 500, 1),
        ("model.failed", "m0", 401, 2),
        ("model.fell_back", "m1", 401, 1),
    ]
    assert all(line["role"] == "reasoning" and line["seconds"] >= 0 for line in lines)
    assert not {"swordfish", "sk-12345678"} & set(str(lines).replace("'", " ").split())


async def test_a_cancelled_wait_is_a_cancelled_call() -> None:
    """Between two attempts too."""
    waiting = asyncio.Event()

    async def nap(_seconds: float) -> None:
        waiting.set()
        await asyncio.Event().wait()

    async with ModelServer(always=Status(status=500)) as server, asking(server.base_url, naps=nap) as models:
        task = asyncio.create_task(answer(models))
        await asyncio.wait_for(waiting.wait(), 5)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
    assert len(server.requests) == 1


async def test_a_finished_answer_does_not_wait_for_its_figures(monkeypatch: pytest.MonkeyPatch) -> None:
    """A connection that stays open, or breaks, after the finish reason changes nothing."""
    monkeypatch.setattr("bot.llm.model_request.LINGER", timedelta(seconds=0.05))
    body = b'data: {"choices":[{"delta":{"content":"Fine."},"finish_reason":"stop"}]}\n\ndata: oops\n\n'
    async with ModelServer(Garbage(body=body)) as server, asking(server.base_url) as models:
        _, end = await answer(models)
    assert (end.text, len(server.requests)) == ("Fine.", 1)


TOO_LONG = {
    "llama.cpp": {
        "error": {
            "code": 400,
            "message": "the request exceeds the available context size. try increasing the context size",
            "type": "exceed_context_size_error",
            "n_prompt_tokens": 2569,
            "n_ctx": 2048,
        }
    },
    "vllm": {"object": "error", "message": "This model's maximum context length is 2048 tokens. You requested 3000."},
    "openai": {"error": {"code": "context_length_exceeded", "message": "maximum context length is 2048 tokens"}},
    "lm studio": {"error": "The model is loaded with context length of only 2048 tokens, which is not enough."},
    "xai": {"error": "This model's maximum prompt length is 2048 but the request contains 136973 tokens."},
    "vllm's decoder": {
        "message": "The decoder prompt (length 2136) is longer than the maximum model length of 2048. Make sure that "
        "`max_model_len` is no smaller than the number of text tokens."
    },
    "tgi": {
        "error": "Input validation error: `inputs` tokens + `max_new_tokens` must be <= 2048. Given: 2136 `inputs` "
        "tokens and 1024 `max_new_tokens`",
        "error_type": "validation",
    },
}


@pytest.mark.parametrize("server", TOO_LONG)
async def test_a_prompt_that_is_too_long_is_told_apart_and_its_limit_learned(server: str) -> None:
    """As servers say it, with the limit they name; a quarter of it is kept for the answer."""
    step = Status(status=400, body=TOO_LONG[server])
    async with ModelServer(step) as served, asking(served.base_url) as models:
        before = models.settings(REASONING)
        error = await refusal(models)
        after = models.settings(REASONING)
        await answer(models)
    assert isinstance(error, errors.PromptTooLong)
    assert [(8192, 1024), (2048, 512)] == [(one.max_context, one.max_tokens) for one in (before, after)]
    assert [1024, 512] == [request["max_tokens"] for request in served.requests]


@pytest.mark.parametrize("server", TOO_LONG)
async def test_that_it_is_too_long_is_heard_in_an_answer_as_well(server: str) -> None:
    """Where a server streams before it counts, its error comes as an event without a status."""
    event = Garbage(body=b"data: " + json.dumps({"error": {"message": str(TOO_LONG[server])}}).encode() + b"\n\n")
    async with ModelServer(event) as served, asking(served.base_url) as models:
        assert isinstance(await refusal(models), errors.PromptTooLong)
        assert (2048, 1) == (models.settings(REASONING).max_context, len(served.requests))


async def test_where_no_limit_is_named_half_of_what_was_sent_is_learned() -> None:
    """And half of that again, as long as it is refused."""
    step = Status(status=400, body={"error": "the prompt is too long: please reduce the length"})
    long = [ChatMessage(role="user", content="a word or two " * 1000)]
    async with ModelServer(always=step) as served, asking(served.base_url) as models:
        found: list[int] = []
        for _ in range(2):
            with pytest.raises(errors.PromptTooLong):
                await models.complete(REASONING, long)
            found.append(models.settings(REASONING).max_context)
    sent = tokens.estimate_messages(long)
    assert [sent // 2 + 1024] == found[:1]
    assert found[1] <= found[0]


async def test_slow_down_is_not_too_long() -> None:
    """A 429 may speak of tokens too."""
    step = Status(status=429, body={"error": "too many tokens per minute"})
    async with ModelServer(step) as server, asking(server.base_url) as models:
        await answer(models)
        assert 8192 == models.settings(REASONING).max_context
