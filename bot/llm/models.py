"""Models by role: retries under one deadline, then fallbacks; nothing is asked again once text was shown.

A model that fails repeatedly is skipped for a while, so that its fallback answers at once.
"""

import asyncio
import contextlib
import copy
import itertools
import time
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from types import MappingProxyType
from typing import Any, Final, TypeVar

import structlog

from bot import config, errors, log
from bot.domain import ModelRole
from bot.infra.metrics import Metrics
from bot.llm import failures, retries
from bot.llm.breaker import Breaker
from bot.llm.connections import Connections
from bot.llm.failures import Failure
from bot.llm.messages import ChatMessage, Finished, TextDelta, ToolSpec, Usage
from bot.llm.model_request import ServerRequests, Working
from bot.llm.tokens import estimate_messages

_log = log.logger(__name__)

FIRST_TOKEN: Final = {
    ModelRole.REASONING: timedelta(seconds=60),
    ModelRole.EXECUTION: timedelta(seconds=60),
    ModelRole.SUMMARIZER: timedelta(seconds=300),
}
PERSISTENCE: Final = {
    ModelRole.REASONING: timedelta(seconds=10),
    ModelRole.EXECUTION: timedelta(seconds=10),
    ModelRole.SUMMARIZER: timedelta(seconds=300),
}
"""How long a call that fails is tried again: for a summary nobody waits."""
BETWEEN_TOKENS: Final = timedelta(seconds=30)
_PROBE: Final = ChatMessage(role="user", content="Say ok.")
_PROBE_TOOL: Final = ToolSpec(
    name="time_now", description="Say what time it is.", parameters={"type": "object", "properties": {}}
)
"""What is offered with it, that a server which takes no tools says so."""
_PROBE_TOKENS: Final = 16
"""Some servers refuse fewer; the first one of the answer ends the call."""

T = TypeVar("T")
Events = AsyncGenerator[TextDelta | Working | Finished]


@dataclass(frozen=True, slots=True, kw_only=True)
class Probe:
    """How one model answered a call of one token."""

    role: ModelRole
    model: str
    host: str
    seconds: float
    error: str | None
    takes_tools: bool = True
    """False where it refused them, though its settings have it offered some."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Call:
    """One model asked on behalf of a role, retries included."""

    role: ModelRole
    transport: ServerRequests
    breaker: Breaker
    messages: Sequence[ChatMessage]
    tools: Sequence[ToolSpec]
    schema: dict[str, Any] | None
    before_each: Callable[[], Awaitable[None]] | None
    timeout: timedelta
    patience: timedelta
    """With further attempts."""
    nobody_there: timedelta
    """With further attempts where nobody is there: a call has them once, for the model that is asked last."""
    whole: bool
    """Nobody sees the answer before its end, so it may break off and be asked again."""
    started: float = field(default_factory=time.monotonic)

    def log(self, failure: Failure, attempt: int) -> structlog.stdlib.BoundLogger:
        """A logger that knows which call it was and how its attempt failed; of what was said, nothing."""
        return log.logger(__name__).bind(
            role=self.role.value,
            model=self.transport.settings.model,
            attempt=attempt,
            status=failure.status,
            reason=failure.kind,
            seconds=round(time.monotonic() - self.started, 3),
        )


class Models:
    """The models of every role that has one; safe to share between tasks of one event loop."""

    def __init__(
        self,
        roles: config.Roles,
        *,
        between_tokens: timedelta = BETWEEN_TOKENS,
        pause: timedelta = retries.PAUSE,
        sleep: retries.Sleep = asyncio.sleep,
        now: Callable[[], float] = time.time,
        monotonic: Callable[[], float] = time.monotonic,
        metrics: Metrics | None = None,
        choosable: Mapping[str, config.ModelSettings] = MappingProxyType({}),
    ) -> None:
        """`choosable` are further models that a place may have in place of that of `reasoning`, by name."""
        self._metrics = metrics or Metrics()
        self._connections = Connections(now=now)
        found: dict[ModelRole, config.RoleSettings | None] = {role: getattr(roles, role.value) for role in ModelRole}
        self._transports = {
            role: [self._guarded(role, settings, monotonic) for settings in (own, *own.fallbacks)]
            for role, own in found.items()
            if own is not None
        }
        self._toolsets = {role: own.toolsets for role, own in found.items() if own is not None}
        self._choosable = {
            name: self._guarded(ModelRole.REASONING, settings, monotonic) for name, settings in choosable.items()
        }
        self._between = between_tokens
        self._pause = pause
        self._sleep = sleep
        self._last: dict[ModelRole, str] = {}

    def has(self, role: ModelRole) -> bool:
        """Whether a model is configured for the role."""
        return role in self._transports

    def settings(self, role: ModelRole) -> config.ModelSettings:
        """Those of the role's model, with the context its server was found to take; a KeyError where it has none."""
        return self._transports[role][0][0].settings

    def sees(self, role: ModelRole) -> bool:
        """Whether the role's model or one of its fallbacks sees pictures."""
        return any(transport.settings.vision for transport, _ in self._transports.get(role, ()))

    @property
    def choosable(self) -> tuple[str, ...]:
        """The names of the models a place may have for `reasoning`: its own first, its fallbacks, and the others."""
        return tuple(self._by_name)

    @property
    def _by_name(self) -> dict[str, tuple[ServerRequests, Breaker]]:
        named: dict[str, tuple[ServerRequests, Breaker]] = {}
        for transport, breaker in self._transports.get(ModelRole.REASONING, ()):
            # Of two that are called alike the one that is asked first.
            named.setdefault(transport.settings.model, (transport, breaker))
        return named | self._choosable

    def choosing(self, name: str) -> "Models":
        """The same models, of which `reasoning` asks the one of this name first, then its own; a KeyError for none."""
        (first, breaker), own = self._by_name[name], self._transports[ModelRole.REASONING]
        if own[0][0] is first:
            return self
        chosen = copy.copy(self)
        chosen._transports = self._transports | {  # noqa: SLF001 - one of the same class
            ModelRole.REASONING: [(first, breaker), *(each for each in own if each[0] is not first)]
        }
        return chosen

    def toolsets(self, role: ModelRole) -> tuple[str, ...] | None:
        """The sets of tools that the role's settings list, whichever model is chosen; none where they list none."""
        return self._toolsets.get(role)

    def last_call(self, role: ModelRole) -> str | None:
        """How the role's last call ended, in a few words; none before the first."""
        return self._last.get(role)

    def stream(
        self,
        role: ModelRole,
        messages: Sequence[ChatMessage],
        tools: Sequence[ToolSpec] = (),
        *,
        json_schema: dict[str, Any] | None = None,
    ) -> AsyncGenerator[TextDelta | Finished]:
        """Yields text as it arrives, then `Finished`. Close it (`contextlib.aclosing`) to stop early.

        Raises `ModelCutOff` when an answer broke off after its first text, `ModelRefused` and `ModelUnreachable`
        when neither the role's model nor a fallback answered. `PromptTooLong` says that `settings` now tells of less
        context: a prompt made anew may fit.
        """
        return self._answer(role, messages, tools, json_schema, None, whole=False)

    async def complete(
        self,
        role: ModelRole,
        messages: Sequence[ChatMessage],
        tools: Sequence[ToolSpec] = (),
        *,
        json_schema: dict[str, Any] | None = None,
        before_each: Callable[[], Awaitable[None]] | None = None,
    ) -> Finished:
        """The whole answer at once; it is streamed underneath, so a server that stalls is noticed.

        An answer that breaks off is asked for again like one that never began. `before_each` runs before every request,
        and whatever it raises ends the call: then nothing more is sent. Raises `ModelRefused` and `ModelUnreachable`.
        """
        answer = self._answer(role, messages, tools, json_schema, before_each, whole=True)
        async with contextlib.aclosing(answer) as events:
            async for event in events:
                if isinstance(event, Finished):
                    return event
        raise errors.ModelUnreachable

    async def probe(self, role: ModelRole, *, within: timedelta) -> list[Probe]:
        """Calls the role's model and each of its fallbacks for one token, without retries."""
        return [await self._probed(role, transport.settings, within) for transport, _ in self._transports[role]]

    async def probe_choosable(self, *, within: timedelta) -> list[tuple[str, Probe]]:
        """Calls the models that are there to be chosen alone, each by its name, in the same way."""
        return [
            (name, await self._probed(ModelRole.REASONING, transport.settings, within))
            for name, (transport, _) in self._choosable.items()
        ]

    async def aclose(self) -> None:
        """Close every connection."""
        for _, breaker in (*itertools.chain(*self._transports.values()), *self._choosable.values()):
            breaker.close()
        await self._connections.aclose()

    def _guarded(
        self, role: ModelRole, settings: config.ModelSettings, monotonic: Callable[[], float]
    ) -> tuple[ServerRequests, Breaker]:
        """A model, with a breaker that tries it in the role's own time, to the end of an answer."""

        async def attempt() -> Failure | None:
            failure = await self._tried(settings, settings.timeout or FIRST_TOKEN[role], whole=True)
            if failure is not None:
                _log.warning(
                    "model.still_away",
                    role=role.value,
                    model=settings.model,
                    status=failure.status,
                    reason=failure.kind,
                )
            return failure

        return ServerRequests(settings, self._connections), Breaker(monotonic, attempt)

    async def _probed(self, role: ModelRole, settings: config.ModelSettings, within: timedelta) -> Probe:
        started = time.perf_counter()
        tools = () if role is ModelRole.SUMMARIZER or settings.tools == "none" else (_PROBE_TOOL,)
        failure = await self._tried(settings, within, tools, whole=False)
        return Probe(
            role=role,
            model=settings.model,
            host=failures.host(settings),
            seconds=time.perf_counter() - started,
            error=None if failure is None else failure.why,
            takes_tools=not tools or ServerRequests(settings, self._connections).settings.tools != "none",
        )

    async def _tried(
        self, settings: config.ModelSettings, within: timedelta, tools: Sequence[ToolSpec] = (), *, whole: bool
    ) -> Failure | None:
        """Why the model says nothing to a call of few tokens, to its first or as a whole; none where it does."""
        asked = ServerRequests(settings.model_copy(update={"max_tokens": _PROBE_TOKENS}), self._connections)
        try:
            async with contextlib.aclosing(asked.stream([_PROBE], tools, None)) as events:
                event = await self._next(events, asked, within, began=False)
                while whole and not isinstance(event, Finished):
                    event = await self._next(events, asked, self._between, began=True)
        except Failure as exc:
            # A model that spends so few tokens on thinking has answered all the same.
            return None if exc.kind == "empty" else exc
        return None

    async def _answer(
        self,
        role: ModelRole,
        messages: Sequence[ChatMessage],
        tools: Sequence[ToolSpec],
        schema: dict[str, Any] | None,
        before_each: Callable[[], Awaitable[None]] | None,
        *,
        whole: bool,
    ) -> AsyncGenerator[TextDelta | Finished]:
        """What the role's model or a fallback says, counted however it ends."""
        started, failure, usage = time.perf_counter(), None, Usage()
        try:
            answer = self._first_answer(role, messages, tools, schema, before_each, whole=whole)
            async with contextlib.aclosing(answer) as events:
                async for event in events:
                    if isinstance(event, Finished):
                        usage = event.usage
                    yield event
        except errors.ModelError as exc:
            failure = exc
            raise
        finally:
            self._metrics.model_called(
                role,
                time.perf_counter() - started,
                tokens_in=usage.tokens_in,
                tokens_out=usage.tokens_out,
                tokens_cached=usage.tokens_cached,
                failure=failure,
            )

    async def _first_answer(
        self,
        role: ModelRole,
        messages: Sequence[ChatMessage],
        tools: Sequence[ToolSpec],
        schema: dict[str, Any] | None,
        before_each: Callable[[], Awaitable[None]] | None,
        *,
        whole: bool,
    ) -> AsyncGenerator[TextDelta | Finished]:
        """The first answer that begins, of the role's model or of its fallbacks in order."""
        failed: list[tuple[ServerRequests, Failure]] = []
        last, _ = self._transports[role][-1]
        for transport, breaker in self._transports[role]:
            if (why := await breaker.left_alone()) is not None:
                failed.append((transport, why))
                continue
            timeout = transport.settings.timeout or FIRST_TOKEN[role]
            call = _Call(
                role=role,
                transport=transport,
                breaker=breaker,
                messages=messages,
                tools=tools if transport.settings.tools == "all" else (),
                schema=schema,
                before_each=before_each,
                timeout=timeout,
                patience=min(timeout, PERSISTENCE[role]),
                nobody_there=retries.NOBODY_THERE if transport is last else timedelta(0),
                whole=whole,
            )
            if failed:
                call.log(failed[-1][1], len(failed)).warning("model.fell_back", failed=failed[-1][0].settings.model)
            try:
                first, rest = await self._begin(call)
            except Failure as exc:
                failed.append((transport, exc))
                continue
            async with contextlib.aclosing(self._going_on(call, first, rest)) as events:
                async for event in events:
                    yield event
            return
        self._last[role] = f"last call failed: {failed[-1][1].why}"
        raise _unanswered(role, failed) from failed[-1][1]

    async def _begin(self, call: _Call) -> tuple[TextDelta | Finished, Events]:
        """The first event and the stream of the rest; all retries happen here."""
        deadline = time.monotonic() + call.timeout.total_seconds()
        attempts = 0

        async def attempt() -> tuple[TextDelta | Finished, Events]:
            nonlocal attempts
            attempts += 1
            if call.before_each is not None:
                await call.before_each()
            events = call.transport.stream(call.messages, call.tools, call.schema)
            try:
                return await self._first(call, events, deadline), events
            except BaseException:
                await events.aclose()
                raise

        def told(number: int, failure: Failure, wait: timedelta) -> None:
            call.log(failure, number).warning("model.retried", wait=round(wait.total_seconds(), 3))

        try:
            begun = await retries.persist(
                attempt,
                deadline=call.patience,
                told=told,
                nobody_there=call.nobody_there,
                pause=self._pause,
                sleep=self._sleep,
            )
        except Failure as exc:
            call.breaker.failed(exc)
            if exc.too_long:
                call.transport.learn(exc, estimate_messages(call.messages))
            call.log(exc, attempts).warning("model.failed", left_alone=call.breaker.is_tripped)
            raise
        call.breaker.answered()
        return begun

    async def _first(self, call: _Call, events: Events, deadline: float) -> TextDelta | Finished:
        event = await self._next(events, call.transport, call.timeout, began=False, until=deadline)
        while isinstance(event, Working) or (call.whole and not isinstance(event, Finished)):
            event = await self._next(events, call.transport, self._between, began=True)
        return event

    async def _going_on(
        self, call: _Call, first: TextDelta | Finished, rest: Events
    ) -> AsyncGenerator[TextDelta | Finished]:
        """The events of an answer that has begun."""
        event: TextDelta | Working | Finished = first
        received = ""
        async with contextlib.aclosing(rest):
            while not isinstance(event, Finished):
                if isinstance(event, TextDelta):
                    received += event.text
                    yield event
                try:
                    event = await self._next(rest, call.transport, self._between, began=True)
                except Failure as exc:
                    call.breaker.broke_off(exc)
                    call.log(exc, 1).warning("model.cut_off")
                    self._last[call.role] = f"last call broke off: {exc.why}"
                    raise errors.ModelCutOff(received) from exc
        call.breaker.ended()
        self._last[call.role] = f"last call ok in {time.monotonic() - call.started:.1f} s"
        yield event

    async def _next(
        self, events: Events, transport: ServerRequests, bound: timedelta, *, began: bool, until: float | None = None
    ) -> TextDelta | Working | Finished:
        """The next event; a `Failure` when none comes for as long as `bound`, or `until` a monotonic time."""
        left = bound.total_seconds() if until is None else until - time.monotonic()
        try:
            async with asyncio.timeout(left):
                return await anext(events)
        except TimeoutError:
            raise failures.of_silence(transport.settings, bound, began=began) from None


async def fitting(ask: Callable[[], Awaitable[T]], *, again: Callable[[], bool] = lambda: True) -> T:
    """What `ask` returns, which makes its prompt; made anew and asked once more where it was too long."""
    try:
        return await ask()
    except errors.PromptTooLong:
        if not again():
            raise
        return await ask()


def _unanswered(role: ModelRole, failed: Sequence[tuple[ServerRequests, Failure]]) -> errors.ModelError:
    """One sentence that names the role, every model asked, where it runs and why it did not answer."""
    kind = errors.ModelRefused if all(failure.refused for _, failure in failed) else errors.ModelUnreachable
    kind = errors.ModelSilent if all(failure.kind == "empty" for _, failure in failed) else kind
    kind = errors.PromptTooLong if failed[0][1].too_long else kind
    (own, failure), *others = failed
    why = "".join(f"; nor does its fallback {other.settings.model}: {its.why}" for other, its in others)
    return kind(f"The {role.value} model {own.settings.model} does not answer: {failure.why}{why}.")
