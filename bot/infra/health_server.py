"""Serves /healthz, /readyz and /metrics over plain HTTP."""

import asyncio
import json
import time
from collections.abc import Awaitable, Callable
from datetime import timedelta
from types import TracebackType
from typing import Final, Generic, Self, TypeVar

from aiohttp import web

from bot import errors, log
from bot.infra.metrics import Figures, Levels, Metrics

_log: Final = log.logger(__name__)
T = TypeVar("T")

CHECK_LIMIT: Final = timedelta(seconds=2)
"""How long a check may take: an orchestrator's own patience is a few seconds."""
READINESS_KEPT: Final = timedelta(seconds=1)
FIGURES_KEPT: Final = timedelta(seconds=15)
_STOP_LIMIT: Final = timedelta(seconds=2)
_IDLE_LIMIT: Final = timedelta(seconds=15)
_EXPOSITION: Final = "text/plain; version=0.0.4; charset=utf-8"
_NOT_CHECKED: Final = f"not checked within {CHECK_LIMIT.seconds} s"

Ready = Callable[[], Awaitable[list[str]]]
"""The reasons why Hathi is not ready, one plain phrase each; none when it is."""


class Lately(Generic[T]):
    """A cached answer: computed once at a time, and not again until it is old, however many ask."""

    def __init__(self, ask: Callable[[], Awaitable[T]], kept: timedelta, now: Callable[[], float]) -> None:
        self._ask = ask
        self._kept = kept.total_seconds()
        self._now = now
        self._lock = asyncio.Lock()
        self._answer: tuple[float, T] | None = None

    async def __call__(self) -> T:
        """The answer, at most so old. Raises what asking raises."""
        async with self._lock:
            if self._answer is None or self._now() - self._answer[0] >= self._kept:
                self._answer = (self._now(), await self._ask())
            return self._answer[1]


class HealthServer:
    """Serves /healthz, /readyz and /metrics while its block runs."""

    def __init__(
        self,
        host: str,
        port: int,
        *,
        ready: Ready,
        figures: Callable[[], Awaitable[Figures]],
        levels: Callable[[], Levels],
        metrics: Metrics,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        """Port 0 takes any that is free, which `port` then tells."""
        self._host = host
        self.port: int = port
        self._ready = ready
        self._figures = figures
        self._levels = levels
        self._metrics = metrics
        self._reasons = Lately(self._unready, READINESS_KEPT, now)
        self._looked_up = Lately(self._look_up, FIGURES_KEPT, now)
        self._runner: web.AppRunner | None = None

    async def __aenter__(self) -> Self:
        """Listen. Raises `SettingsError` when the address can't be listened on."""
        self._metrics.exposition(None)  # loads the library now, not while somebody waits
        routes = [
            web.get("/healthz", self._healthz),
            web.get("/readyz", self._readyz),
            web.get("/metrics", self._exposed),
        ]
        app = web.Application()
        app.add_routes(routes)
        app.on_response_prepare.append(_unsigned)
        self._runner = web.AppRunner(
            app,
            access_log=None,
            handle_signals=False,
            shutdown_timeout=_STOP_LIMIT.total_seconds(),
            keepalive_timeout=_IDLE_LIMIT.total_seconds(),
        )
        await self._runner.setup()
        try:
            await web.TCPSite(self._runner, self._host, self.port).start()
        except OSError as exc:
            await self._runner.cleanup()
            raise errors.SettingsError(
                f"HATHI_HTTP_PORT: nothing can listen on {self._host}:{self.port} ({exc.strerror}); choose a free port "
                "and an address of this machine (HATHI_HTTP_HOST)."
            ) from exc
        self.port = self._runner.addresses[0][1]
        _log.info("http.listening", host=self._host, port=self.port)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, exc: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Take no more requests and close within two seconds."""
        if self._runner is not None:
            await self._runner.cleanup()

    async def _healthz(self, _request: web.Request) -> web.Response:
        """Answers at all, which shows that the event loop runs."""
        return web.Response(text="ok\n")

    async def _readyz(self, _request: web.Request) -> web.Response:
        reasons = await self._reasons()
        body = {"ready": False, "reasons": reasons} if reasons else {"ready": True}
        return web.json_response(text=json.dumps(body) + "\n", status=503 if reasons else 200)

    async def _exposed(self, _request: web.Request) -> web.Response:
        body = self._metrics.exposition(await self._looked_up(), self._levels())
        return web.Response(body=body, headers={"Content-Type": _EXPOSITION})

    async def _unready(self) -> list[str]:
        """The reasons; that they can't be found out is one."""
        try:
            async with asyncio.timeout(CHECK_LIMIT.total_seconds()):
                return await self._ready()
        except TimeoutError:
            return [_NOT_CHECKED]
        except errors.HathiError as exc:
            return [str(exc)]
        except Exception:  # noqa: BLE001 - whoever asks is told no, and the log why
            _log.exception("http.readiness_failed")
            return ["the check itself failed; the log says why"]

    async def _look_up(self) -> Figures | None:
        """The figures; none while they can't be had, and nobody tries again until that answer is old too."""
        try:
            async with asyncio.timeout(CHECK_LIMIT.total_seconds()):
                return await self._figures()
        except (TimeoutError, errors.HathiError) as exc:
            _log.warning("http.no_figures", reason=type(exc).__name__)
        except Exception:  # noqa: BLE001 - the counts are told without them
            _log.exception("http.figures_failed")
        return None


async def _unsigned(_request: web.Request, response: web.StreamResponse) -> None:
    """Hides the server's versions from its response header."""
    response.headers["Server"] = "hathi"
