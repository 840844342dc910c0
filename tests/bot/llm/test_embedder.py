"""The laws of asking an embedder, over real HTTP."""

import contextlib
import io
import os
from collections.abc import AsyncGenerator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from bot import errors, log
from bot.config import EmbedderSettings
from bot.infra.metrics import Metrics
from bot.llm.embedder import LONGEST_TEXT, Embedder
from bot.llm.vector_source import Vector
from tests.embedding_server import EmbeddingServer, Garbage, Hang, Status, Step, Vectors, vector

KEY = "sk-test-4417-4417-4417"
SOON = timedelta(seconds=0.5)
LONG = timedelta(seconds=20)


@contextlib.asynccontextmanager
async def embedder(server: EmbeddingServer, metrics: Metrics | None = None, **fields: Any) -> AsyncGenerator[Embedder]:
    """The embedder of a scripted server, which waits next to nothing between two attempts."""
    given = {"base_url": server.base_url, "model": "bag", "timeout": 5, "api_key": KEY} | fields
    opened = Embedder(EmbedderSettings.model_validate(given), metrics=metrics, pause=timedelta(seconds=0.01))
    try:
        yield opened
    finally:
        await opened.aclose()


async def asked(*steps: Step, texts: tuple[str, ...] = ("one", "two"), **fields: Any) -> list[Vector | None]:
    """What an embedder makes of texts on a server that plays these steps."""
    async with EmbeddingServer(*steps) as server, embedder(server, **fields) as own:
        return await own.embed(texts)


async def test_every_text_gets_its_vector_whatever_order_they_come_in() -> None:
    """An answer is read by its indexes, as floats, in one request."""
    async with EmbeddingServer(Vectors(shuffled=True)) as server, embedder(server) as own:
        made = await own.embed(["a cat", "a car", "a barn"])
    assert made == [vector("a cat"), vector("a car"), vector("a barn")]
    assert [(r["model"], r["input"], r["encoding_format"]) for r in server.requests] == [
        ("bag", ["a cat", "a car", "a barn"], "float")
    ]
    assert server.headers[0]["Authorization"] == f"Bearer {KEY}"


async def test_dimensions_are_asked_for_only_where_they_are_chosen() -> None:
    """And the answer must be as long as that."""
    async with EmbeddingServer() as server, embedder(server) as own, embedder(server, dimensions=16) as short:
        lengths = [len(made or ()) for made in (*await own.embed(["cat"]), *await short.embed(["cat"]))]
    assert ([64, 16], [None, 16]) == (lengths, [request.get("dimensions") for request in server.requests])
    with pytest.raises(errors.ModelRefused, match="not an answer"):
        await asked(Vectors(dimension=8), Vectors(dimension=8), dimensions=16)


async def test_a_text_is_cut_and_a_blank_one_not_sent() -> None:
    """2,000 letters tell what a text is about; a lone surrogate does not fail the others."""
    async with EmbeddingServer() as server, embedder(server) as own:
        made = await own.embed(["cat " * 1000, "  \n", "car \ud800"])
    assert [made[0] is not None, made[1], made[2] is not None] == [True, None, True]
    assert [len(text) for text in server.texts] == [LONGEST_TEXT, 5]


@pytest.mark.parametrize(
    "steps",
    [
        (Status(status=429, headers={"Retry-After": "0"}), Vectors()),
        (Status(status=503), Status(status=500), Vectors()),
        (Garbage(body=b"{}"), Vectors()),
    ],
    ids=["429", "5xx", "garbage"],
)
async def test_what_may_pass_is_tried_again(steps: tuple[Step, ...]) -> None:
    """A server that is busy or failing is asked until it answers."""
    assert await asked(*steps) == [vector("one"), vector("two")]


async def test_the_server_says_how_long_to_wait() -> None:
    """Retry-After is waited for, by whoever waits."""
    waited: list[float] = []

    async def sleep(seconds: float) -> None:
        waited.append(seconds)

    async with EmbeddingServer(Status(status=429, headers={"Retry-After": "3"})) as server:
        settings = EmbedderSettings.model_validate({"base_url": server.base_url, "model": "bag", "timeout": 30})
        own = Embedder(settings, sleep=sleep)
        await own.embed(["one"])
        await own.aclose()
    assert waited == [3.0]


@pytest.mark.parametrize(
    ("body", "why"),
    [
        (b"<html>", "not an answer"),
        (b'{"data": [{"index": 0, "embedding": [1, 2]}]}', "not an answer"),
        (b'{"data": [{"index": 0, "embedding": [1, 2]}, {"index": 1, "embedding": [1]}]}', "not an answer"),
        (b'{"data": [{"index": 0, "embedding": [1, NaN]}, {"index": 1, "embedding": [1, 2]}]}', "not an answer"),
        (b'{"data": [{"index": 0, "embedding": []}, {"index": 1, "embedding": []}]}', "not an answer"),
        (b'{"data": [{"embedding": "AACAPw=="}, {"embedding": "AACAPw=="}]}', "not an answer"),
    ],
)
async def test_what_is_no_answer_is_refused(body: bytes, why: str) -> None:
    """Too few vectors, vectors of unlike lengths, of no length, of no numbers: none is kept."""
    with pytest.raises(errors.ModelRefused, match=why):
        await asked(Garbage(body=body), Garbage(body=body))


async def test_a_vector_without_a_direction_is_none() -> None:
    """All zeros are near nothing."""
    body = b'{"data": [{"index": 0, "embedding": [0, 0]}, {"index": 1, "embedding": [1, 2]}]}'
    assert await asked(Garbage(body=body)) == [None, [1.0, 2.0]]


def too_long(body: dict[str, Any]) -> Step:
    """A server that takes no text with the word `flood`."""
    return Status(status=400) if any("flood" in text for text in body["input"]) else Vectors()


async def test_a_text_the_server_does_not_take_costs_only_itself() -> None:
    """The batch is halved until it is found; the others have their vectors."""
    texts = [f"text {number}" for number in range(9)]
    texts[4] = "flood"
    async with EmbeddingServer(always=too_long) as server, embedder(server) as own:
        made = await own.embed(texts)
    assert made == [None if text == "flood" else vector(text) for text in texts]


async def test_a_server_that_takes_no_text_at_all_is_at_fault_itself() -> None:
    """Then no text is held to be refused."""
    async with EmbeddingServer(always=Status(status=400)) as server, embedder(server) as own:
        with pytest.raises(errors.ModelRefused, match="refused the request"):
            await own.embed(["one", "two"])
    assert len(server.requests) == 2


@pytest.mark.parametrize(
    ("step", "why"), [(Status(status=401), "refused the API key"), (Status(status=404), "does not know the model bag")]
)
async def test_a_refusal_names_its_cause_at_once(step: Status, why: str) -> None:
    """Nothing is tried again that would be refused again."""
    async with EmbeddingServer(always=step) as server, embedder(server) as own:
        with pytest.raises(errors.ModelRefused, match=why):
            await own.embed(["one"])
        told = own.last_call
    assert (1, True) == (len(server.requests), why in (told or ""))


async def test_a_question_is_asked_once_and_not_waited_for() -> None:
    """A server that hangs is left after the time given; one that fails is not asked again."""
    async with EmbeddingServer(Hang(), Status(status=503)) as server, embedder(server) as own:
        with pytest.raises(TimeoutError):
            await own.embed_one("cat", within=SOON)
        with pytest.raises(errors.ModelUnreachable):
            await own.embed_one("cat", within=LONG)
        assert await own.embed_one("cat", within=LONG) == vector("cat")
    assert len(server.requests) == 3


async def test_a_batch_has_its_time_and_no_more() -> None:
    """A server that hangs fails it when the time of the settings is over."""
    with pytest.raises(errors.ModelUnreachable, match=r"did not answer within 0\.2 s"):
        await asked(Hang(), timeout=0.2)


async def test_a_probe_tells_the_length_of_a_vector_or_what_is_wrong() -> None:
    """For `hathi doctor`: one call, no retries."""
    async with EmbeddingServer(Vectors(), Status(status=503), Hang()) as server, embedder(server) as own:
        sound, failing, silent = [await own.probe(within=within) for within in (LONG, LONG, SOON)]
    assert (64, None) == (sound.dimension, sound.error)
    assert (True, True) == ("failed (503)" in (failing.error or ""), "did not answer" in (silent.error or ""))


async def test_every_request_is_counted() -> None:
    """Answered, refused or unreachable, like the calls of the models that write."""
    metrics = Metrics()
    async with EmbeddingServer(Vectors(), Status(status=401), Hang()) as server, embedder(server, metrics) as own:
        await own.embed(["one"])
        with pytest.raises(errors.ModelRefused):
            await own.embed(["one"])
        with pytest.raises(TimeoutError):
            await own.embed_one("one", within=SOON)
    told = metrics.exposition(None).decode()
    for outcome in ("answered", "refused", "unreachable"):
        assert f'hathi_model_calls_total{{outcome="{outcome}",role="embedder"}} 1.0' in told


async def test_nothing_of_a_text_or_the_key_is_logged() -> None:
    """However it fails."""
    lines = io.StringIO()
    log.configure(to=lines, level="DEBUG", json=True)
    try:
        for step in (Status(status=400, body={"error": {"message": "vault 4417"}}), Garbage(body=b"vault 4417")):
            with pytest.raises(errors.ModelRefused):
                await asked(step, step, step, texts=("the vault code is 4417",))
    finally:
        log.configure(to=Path(os.devnull))
    told = lines.getvalue()
    assert (True, False, False) == ("embedder.failed" in told, "vault" in told, KEY in told)
