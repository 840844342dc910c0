"""The laws of leaving a model alone that does not answer."""

import asyncio
import contextlib
from datetime import timedelta

import pytest

from bot import errors
from bot.llm.breaker import PAUSE
from bot.llm.models import Models
from tests import waiting
from tests.bot.llm.asking import Naps, answer, asking
from tests.model_server import Cut, ModelServer, Reply, Status

DOWN = Status(status=503)


class Watch:
    """Monotonic seconds that pass when somebody says so."""

    def __init__(self) -> None:
        self.seconds = 1_000.0

    def __call__(self) -> float:
        return self.seconds


async def fails(models: Models, times: int = 1) -> str:
    """What the last of so many calls says, none of which is answered."""
    said = ""
    for _ in range(times):
        with pytest.raises(errors.ModelUnreachable) as caught:
            await answer(models)
        said = str(caught.value)
    return said


async def heard(models: Models) -> str:
    """What a call says, if anything."""
    with contextlib.suppress(errors.ModelUnreachable):
        return (await answer(models))[1].text
    return ""


async def test_a_model_that_fails_with_all_its_retries_is_left_alone() -> None:
    """Who asks then is told at once, with why it failed before; nothing is sent and nothing waited for."""
    naps = Naps()
    async with ModelServer(always=DOWN) as server, asking(server.base_url, naps=naps, monotonic=Watch()) as models:
        said = await fails(models)
        asked, waited = len(server.requests), len(naps.taken)
        assert said == await fails(models)
    assert (asked, waited) == (len(server.requests), len(naps.taken))


async def test_after_a_while_one_is_let_through_to_try_and_does_not_persist() -> None:
    """The others go on without; while it is down that is one request a pause."""
    watch, naps = Watch(), Naps()
    async with ModelServer(always=DOWN) as server, asking(server.base_url, naps=naps, monotonic=watch) as models:
        await fails(models)
        before = len(server.requests)
        for _ in range(3):
            watch.seconds += PAUSE.total_seconds()
            await fails(models, 2)
    assert before + 3 == len(server.requests)


async def test_when_it_is_back_everybody_is_answered() -> None:
    """From the trial on, as if nothing had been."""
    watch = Watch()
    async with ModelServer(always=DOWN) as server, asking(server.base_url, monotonic=watch) as models:
        await fails(models)
        server.always = Reply(text="Fine.")
        watch.seconds += PAUSE.total_seconds()
        said = [(await answer(models))[1].text for _ in range(2)]
    assert ["Fine."] * 2 == said


async def test_a_server_that_hangs_at_the_trial_keeps_nobody_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who asks is told before it has used up its time; where it answers in that, it is asked again."""
    monkeypatch.setattr("bot.llm.breaker.TRIAL", timedelta(seconds=0.02))
    watch, gate = Watch(), asyncio.Event()
    async with ModelServer(always=DOWN) as server, asking(server.base_url, monotonic=watch, between=60) as models:
        said = await fails(models)
        before = len(server.requests)
        server.always = Reply(text="so so ", pieces=2, gate=gate)
        for _ in range(2):
            watch.seconds += PAUSE.total_seconds()
            assert said == await fails(models, 2)
        assert before + 1 == len(server.requests)
        gate.set()
        await waiting.becomes("so so ", lambda: heard(models))


async def test_a_server_that_begins_and_stalls_is_left_alone() -> None:
    """The next question would wait as long for the end of its answer."""
    stalls = Reply(text="so so ", pieces=2, gate=asyncio.Event())
    async with ModelServer(always=stalls) as server, asking(server.base_url, monotonic=Watch(), between=0.05) as models:
        with pytest.raises(errors.ModelCutOff):
            await answer(models)
        await fails(models, 2)
    assert 1 == len(server.requests)


@pytest.mark.parametrize("kind", ["cut", "endless"])
async def test_a_server_whose_answers_break_off_is_left_alone(kind: str) -> None:
    """From the second in a row on: one may be lost with its connection, and a whole one between counts anew."""
    broken = Cut(text="Once upon") if kind == "cut" else Reply(text="so " * 300, pieces=900, pace=0.01)
    seconds = 600 if kind == "cut" else 1
    steps = broken, Reply(text="Fine."), broken, broken
    async with (
        ModelServer(*steps, always=DOWN) as server,
        asking(server.base_url, monotonic=Watch(), timeout_total=seconds) as models,
    ):
        for step in steps:
            with pytest.raises(errors.ModelCutOff) if step is broken else contextlib.nullcontext():
                await answer(models)
        await fails(models, 2)
    assert len(steps) == len(server.requests)


async def test_its_fallback_is_asked_at_once_meanwhile() -> None:
    """The model itself is left alone, not the role."""
    async with (
        ModelServer(always=DOWN) as down,
        ModelServer() as up,
        asking(down.base_url, up.base_url, monotonic=Watch()) as models,
    ):
        await answer(models)
        asked = len(down.requests)
        assert ("m1", asked) == ((await answer(models))[1].model, len(down.requests))


async def test_a_model_that_refuses_is_not_down() -> None:
    """It says no at once, and may take the next question."""
    async with ModelServer(always=Status(status=400)) as server, asking(server.base_url, monotonic=Watch()) as models:
        for _ in range(2):
            with pytest.raises(errors.ModelRefused):
                await answer(models)
    assert 2 == len(server.requests)


def test_the_pause_is_half_a_minute() -> None:
    """Then one call tries whether it is back."""
    assert 30 == PAUSE.total_seconds()
