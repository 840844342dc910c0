"""Models by role: retries under one deadline, then fallbacks; nothing is retried once text has come."""

import asyncio
import contextlib
import time
from collections.abc import AsyncGenerator, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Final

import tenacity

from bot import config, errors, log
from bot.domain import ModelRole
from bot.llm.chat import ChatMessage, Finished, TextDelta, ToolSpec
from bot.llm.transport import Failure, Transport

_log = log.logger(__name__)

FIRST_TOKEN: Final = {
    ModelRole.REASONING: timedelta(seconds=60),
    ModelRole.EXECUTION: timedelta(seconds=60),
    ModelRole.SUMMARIZER: timedelta(seconds=300),
}
BETWEEN_TOKENS: Final = timedelta(seconds=30)
_WAIT: Final = tenacity.wait_exponential_jitter(multiplier=0.25, max=8, jitter=0.25)


@dataclass(frozen=True, slots=True, kw_only=True)
class Probe:
    """How one model answered a call of one token."""

    role: ModelRole
    model: str
    host: str
    seconds: float
    error: str | None


class Models:
    """The models of every role that has one."""

    def __init__(self, roles: config.Roles, *, between_tokens: timedelta = BETWEEN_TOKENS) -> None:
        self._roles = {role: found for role in ModelRole if (found := getattr(roles, role.value)) is not None}
        self._transports = {
            role: [Transport(settings), *map(Transport, settings.fallbacks)] for role, settings in self._roles.items()
        }
        self._between = between_tokens
        self._last: dict[ModelRole, str] = {}

    def has(self, role: ModelRole) -> bool:
        """Whether a model is configured for the role."""
        return role in self._roles

    def settings(self, role: ModelRole) -> config.RoleSettings:
        """The role's settings; a KeyError where it has none."""
        return self._roles[role]

    def last_call(self, role: ModelRole) -> str | None:
        """How the role's last call ended, in a few words; none before the first."""
        return self._last.get(role)

    async def stream(
        self, role: ModelRole, messages: Sequence[ChatMessage], tools: Sequence[ToolSpec] = (),
        *, json_schema: dict[str, Any] | None = None,
    ) -> AsyncGenerator[TextDelta | Finished]:  # fmt: skip
        """Text as it comes, then `Finished`.

        Raises `ModelCutOff` when an answer broke off after its first text, `ModelRefused` and `ModelUnreachable`
        when neither the role's model nor a fallback answered.
        """
        failure: Failure | None = None
        for transport in self._transports[role]:
            if failure is not None:
                _log.warning("model.fell_back", role=role.value, model=transport.settings.model, status=failure.status)
            started = time.perf_counter()
            try:
                async with contextlib.aclosing(self._open(role, transport, messages, tools, json_schema)) as events:
                    async for event in events:
                        yield event
            except Failure as exc:
                failure = exc
                self._last[role] = f"last call failed: {exc.why}"
            else:
                self._last[role] = f"last call ok in {time.perf_counter() - started:.1f} s"
                return
        assert failure is not None
        kind = errors.ModelRefused if failure.refused else errors.ModelUnreachable
        raise kind(f"The {role.value} model does not answer: {failure.why}.")

    async def complete(
        self, role: ModelRole, messages: Sequence[ChatMessage], tools: Sequence[ToolSpec] = (),
        *, json_schema: dict[str, Any] | None = None,
    ) -> Finished:  # fmt: skip
        """The whole answer at once; it is streamed underneath, so a server that stalls is noticed."""
        async with contextlib.aclosing(self.stream(role, messages, tools, json_schema=json_schema)) as events:
            async for event in events:
                if isinstance(event, Finished):
                    return event
        raise errors.ModelUnreachable

    async def probe(self, role: ModelRole, *, within: timedelta) -> list[Probe]:
        """A real call of one token to the role's model and each of its fallbacks, without retries."""
        return [await self._probed(role, transport, within) for transport in self._transports[role]]

    async def aclose(self) -> None:
        """Close every connection."""
        for transports in self._transports.values():
            for transport in transports:
                await transport.aclose()

    async def _probed(self, role: ModelRole, transport: Transport, within: timedelta) -> Probe:
        # Some servers refuse fewer than 16 tokens; the first one of the answer ends the call.
        asked = Transport(transport.settings.model_copy(update={"max_tokens": 16}))
        started, error = time.perf_counter(), None
        try:
            async with asyncio.timeout(within.total_seconds()):
                async with contextlib.aclosing(
                    asked.stream([ChatMessage(role="user", content="Say ok.")], (), None)
                ) as s:
                    await anext(s)
        except Failure as exc:
            error = exc.why
        except TimeoutError:
            error = f"{transport.host} did not answer within {within.total_seconds():.0f} s"
        finally:
            await asked.aclose()
        return Probe(
            role=role, model=transport.settings.model, host=transport.host, seconds=time.perf_counter() - started,
            error=error,
        )  # fmt: skip

    async def _open(
        self, role: ModelRole, transport: Transport, messages: Sequence[ChatMessage], tools: Sequence[ToolSpec],
        schema: dict[str, Any] | None,
    ) -> AsyncGenerator[TextDelta | Finished]:  # fmt: skip
        """One model's answer; what it has not begun to say is tried again until the role's deadline."""
        timeout = transport.settings.timeout or FIRST_TOKEN[role]
        deadline = asyncio.get_running_loop().time() + timeout.total_seconds()
        try:
            async with asyncio.timeout_at(deadline):
                first, rest = await self._first(role, transport, messages, tools, schema, deadline)
        except TimeoutError:
            raise Failure(
                f"{transport.host} did not answer within {timeout.total_seconds():g} s", retry=False
            ) from None
        received = first.text if isinstance(first, TextDelta) else ""
        async with contextlib.aclosing(rest):
            yield first
            while True:
                try:
                    async with asyncio.timeout(self._between.total_seconds()):
                        event = await anext(rest, None)
                except (Failure, TimeoutError) as exc:
                    _log.warning("model.cut_off", role=role.value, model=transport.settings.model)
                    self._last[role] = "last call broke off"
                    raise errors.ModelCutOff(received) from exc
                if event is None:
                    return
                if isinstance(event, TextDelta):
                    received += event.text
                yield event

    async def _first(
        self, role: ModelRole, transport: Transport, messages: Sequence[ChatMessage], tools: Sequence[ToolSpec],
        schema: dict[str, Any] | None, deadline: float,
    ) -> tuple[TextDelta | Finished, AsyncGenerator[TextDelta | Finished]]:  # fmt: skip
        """The first event of an answer and the stream of the others; every retry there is happens here."""

        def waits(state: tenacity.RetryCallState) -> float:
            failure = state.outcome and state.outcome.exception()
            after = failure.after if isinstance(failure, Failure) else None
            return _WAIT(state) if after is None else after

        def hopeless(state: tenacity.RetryCallState) -> bool:
            # To wait past the deadline is to make the person wait for nothing.
            return asyncio.get_running_loop().time() + state.upcoming_sleep >= deadline

        def told(state: tenacity.RetryCallState) -> None:
            failure = state.outcome and state.outcome.exception()
            _log.warning(
                "model.retried", role=role.value, model=transport.settings.model, attempt=state.attempt_number,
                status=failure.status if isinstance(failure, Failure) else None, seconds=round(state.upcoming_sleep, 2),
            )  # fmt: skip

        attempts = tenacity.AsyncRetrying(
            retry=tenacity.retry_if_exception(lambda exc: isinstance(exc, Failure) and exc.retry),
            wait=waits, stop=hopeless, before_sleep=told, reraise=True,
        )  # fmt: skip
        async for attempt in attempts:
            with attempt:
                stream = transport.stream(messages, tools, schema)
                try:
                    return await anext(stream), stream
                except BaseException:
                    await stream.aclose()
                    raise
        raise AssertionError("tenacity re-raises")
