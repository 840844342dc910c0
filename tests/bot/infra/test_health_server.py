"""The health server, asked over loopback as an orchestrator or Prometheus would."""

import asyncio
import json
from collections.abc import AsyncGenerator

import aiohttp
import pytest

from bot import errors
from bot.domain import Tier
from bot.infra import health_server
from bot.infra.health_server import HealthServer
from bot.infra.metrics import Figures, Levels, Metrics

FIGURES = Figures(summaries_pending=7, memories={Tier.SHORT: 1})


class Hathi:
    """What the server asks, and how often it did."""

    def __init__(self) -> None:
        self.reasons: list[str] = []
        self.figures: Figures | BaseException = FIGURES
        self.error: BaseException | None = None
        self.hangs = False
        self.asked = 0
        self.looked_up = 0
        self.now = 1000.0

    async def ready(self) -> list[str]:
        self.asked += 1
        if self.hangs:
            await asyncio.Event().wait()
        if self.error:
            raise self.error
        return self.reasons

    def levels(self) -> Levels:
        return Levels(queues={"questions": 3}, gateway_latency=None, connections={"idle": 1}, connections_awaited=0)

    async def look_up(self) -> Figures:
        self.looked_up += 1
        if self.hangs:
            await asyncio.Event().wait()
        if isinstance(self.figures, BaseException):
            raise self.figures
        return self.figures


@pytest.fixture
def hathi() -> Hathi:
    return Hathi()


@pytest.fixture
async def server(hathi: Hathi) -> AsyncGenerator[HealthServer]:
    """A server on a free port of loopback."""
    async with HealthServer(
        "127.0.0.1",
        0,
        ready=hathi.ready,
        figures=hathi.look_up,
        levels=hathi.levels,
        metrics=Metrics(),
        now=lambda: hathi.now,
    ) as listening:
        yield listening


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Checks have a hundredth of their time."""
    monkeypatch.setattr(health_server, "CHECK_LIMIT", health_server.CHECK_LIMIT / 100)


async def asked(server: HealthServer, path: str, method: str = "GET") -> tuple[int, str]:
    """Status and body of one request."""
    async with (
        aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(total=10)) as session,
        session.request(method, f"http://127.0.0.1:{server.port}{path}") as response,
    ):
        assert "hathi" == response.headers["Server"]
        return response.status, await response.text()


async def test_a_process_that_answers_lives(server: HealthServer, hathi: Hathi) -> None:
    """Living is nothing but answering: neither Discord nor the database has a say."""
    hathi.reasons = ["the gateway is not connected"]

    assert (200, "ok\n") == await asked(server, "/healthz")
    assert 0 == hathi.asked


async def test_ready_is_200(server: HealthServer) -> None:
    """With nothing in the way the answer is yes."""
    status, body = await asked(server, "/readyz")

    assert (200, {"ready": True}) == (status, json.loads(body))


async def test_not_ready_is_503_with_the_reasons(server: HealthServer, hathi: Hathi) -> None:
    """Each reason is told, in one line of JSON."""
    hathi.reasons = ["the gateway is not connected", "the database does not answer"]
    status, body = await asked(server, "/readyz")

    assert (503, {"ready": False, "reasons": hathi.reasons}) == (status, json.loads(body))
    assert 1 == body.count("\n")


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (errors.DatabaseDown("The database is away."), "The database is away."),
        (ZeroDivisionError("of a person's text"), "check itself failed"),
    ],
)
async def test_a_check_that_fails_is_a_no(server: HealthServer, hathi: Hathi, error: BaseException, told: str) -> None:
    """An error in the check is a reason; one that is no sentence of Hathi's tells nothing of itself."""
    hathi.error = error
    status, body = await asked(server, "/readyz")

    (reason,) = json.loads(body)["reasons"]
    assert (503, True, False) == (status, told in reason, "a person's text" in reason)


@pytest.mark.usefixtures("impatient")
async def test_a_check_that_hangs_is_a_no(server: HealthServer, hathi: Hathi) -> None:
    """A check that does not end is a no in bounded time, and liveness is answered all the while."""
    hathi.hangs = True
    status, body = await asked(server, "/readyz")

    assert (503, ["not checked within 2 s"]) == (status, json.loads(body)["reasons"])
    assert (200, "ok\n") == await asked(server, "/healthz")


async def test_readiness_is_not_asked_for_each_request(server: HealthServer, hathi: Hathi) -> None:
    """However many ask at once, the database is asked once; a second later again."""
    await asyncio.gather(*(asked(server, "/readyz") for _ in range(20)))
    before = hathi.asked
    hathi.now += health_server.READINESS_KEPT.total_seconds()
    await asked(server, "/readyz")

    assert (1, 2) == (before, hathi.asked)


async def test_metrics_are_told_with_figures(server: HealthServer) -> None:
    """Prometheus gets the counts and what was looked up, in its text format."""
    status, body = await asked(server, "/metrics")

    assert 200 == status
    assert "hathi_summaries_pending 7.0\n" in body
    assert 'hathi_turns_total{outcome="answered"} 0.0\n' in body


async def test_figures_are_kept_for_a_while(server: HealthServer, hathi: Hathi) -> None:
    """Scrapes within 15 seconds share one look at the database."""
    await asyncio.gather(*(asked(server, "/metrics") for _ in range(5)))
    hathi.now += health_server.FIGURES_KEPT.total_seconds() - 1
    await asked(server, "/metrics")
    before = hathi.looked_up
    hathi.now += 1
    await asked(server, "/metrics")

    assert (1, 2) == (before, hathi.looked_up)


@pytest.mark.usefixtures("impatient")
@pytest.mark.parametrize("trouble", [errors.DatabaseDown(), ZeroDivisionError(), None])
async def test_counts_are_told_without_figures(
    server: HealthServer, hathi: Hathi, trouble: BaseException | None
) -> None:
    """When the figures fail or do not come, the counts are told without them, and a dead database is left alone."""
    if trouble is None:
        hathi.hangs = True
    else:
        hathi.figures = trouble
    first = await asked(server, "/metrics")
    await asked(server, "/metrics")

    assert 200 == first[0]
    assert "hathi_turns_total" in first[1]
    assert "hathi_summaries_pending" not in first[1]
    assert 1 == hathi.looked_up


@pytest.mark.parametrize(
    ("method", "path", "status"), [("GET", "/", 404), ("POST", "/healthz", 405), ("HEAD", "/readyz", 200)]
)
async def test_nothing_else_is_served(server: HealthServer, method: str, path: str, status: int) -> None:
    """Other pages are not found, and nothing is written here."""
    assert status == (await asked(server, path, method))[0]


async def test_a_taken_port_is_a_settings_error(server: HealthServer, hathi: Hathi) -> None:
    """A port that another program has is a sentence that names the setting, and exit 78."""
    second = HealthServer(
        "127.0.0.1", server.port, ready=hathi.ready, figures=hathi.look_up, levels=hathi.levels, metrics=Metrics()
    )
    with pytest.raises(errors.SettingsError, match="HATHI_HTTP_PORT") as raised:
        async with second:
            pass

    assert 78 == raised.value.exit_code


async def test_the_port_is_free_after_the_block(hathi: Hathi) -> None:
    """The block's end closes the server."""
    first = HealthServer(
        "127.0.0.1", 0, ready=hathi.ready, figures=hathi.look_up, levels=hathi.levels, metrics=Metrics()
    )
    async with first:
        pass
    second = HealthServer(
        "127.0.0.1", first.port, ready=hathi.ready, figures=hathi.look_up, levels=hathi.levels, metrics=Metrics()
    )
    async with second as again:
        assert (200, "ok\n") == await asked(again, "/healthz")
