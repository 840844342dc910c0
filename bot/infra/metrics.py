"""Prometheus metrics: outcomes, durations, tokens, errors; never a space, a person or a text.

Counting is plain arithmetic on one event loop; Prometheus's library is loaded at the first request for metrics.
"""

import bisect
import itertools
import resource
import time
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal

import bot
from bot import errors
from bot.domain import ModelRole, Tier

if TYPE_CHECKING:
    from prometheus_client.metrics_core import HistogramMetricFamily, Metric

BOUNDS: Final = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0, 120.0, 300.0)
"""Seconds: from a query to the summary of a long session."""
EMBEDDER: Final = "embedder"
"""The model that makes vectors, beside the roles that write."""
_ROLES: Final = (*ModelRole, EMBEDDER)
STAGES: Final = (
    "record",
    "queue",
    "phrases",
    "read",
    "history",
    "memory",
    "around",
    "earlier",
    "look",
    "walk",
    "compose",
    "model",
    "check",
    "keep",
    "send",
    "total",
)
"""What a turn is timed by; the walk of a recall, and the model that tells of what it found, are each on their own."""
OTHER: Final = "other"
"""What a name is counted as that is in none of these lists: the number of series is bounded."""


class TurnOutcome(StrEnum):
    """How a turn ended."""

    ANSWERED = "answered"
    CUT_OFF = "cut_off"
    FAILED = "failed"
    BUSY = "busy"


class CallOutcome(StrEnum):
    """How a model call ended, fallbacks included."""

    ANSWERED = "answered"
    CUT_OFF = "cut_off"
    REFUSED = "refused"
    UNREACHABLE = "unreachable"
    OTHER = "other"


@dataclass(frozen=True, slots=True, kw_only=True)
class Levels:
    """How things stand in the process when metrics are requested; told also while the database is away."""

    queues: Mapping[str, int]
    """Work that waits, by the program's own names of its queues."""
    gateway_latency: timedelta | None
    """The slowest shard's last heartbeat; none while no shard is connected."""
    connections: Mapping[str, int]
    """To the database, by whether they are in use."""
    connections_awaited: int
    """Who waits for one of them."""
    clock_doubted: bool = False
    """Whether nothing ages, fades or goes, as Postgres's clock is not believed."""
    memory_lag: int = 0
    """Messages not yet in memory, of the spaces this process looked after last."""
    memory_lag_for: timedelta = timedelta(0)
    """How long the oldest of them waits."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Figures:
    """Values looked up in the database when metrics are requested, rather than counted."""

    summaries_pending: int
    memories: Mapping[Tier, int]


@dataclass(slots=True)
class _Job:
    """What became of a job's runs in this process."""

    done: int = 0
    failed: int = 0
    seconds: float = 0.0
    """Of the last run that was done."""
    done_at: float | None = None
    """When that ended, in seconds since the epoch."""


@dataclass(slots=True)
class _Histogram:
    """A histogram of durations."""

    counts: list[int] = field(default_factory=lambda: [0] * (len(BOUNDS) + 1))
    seconds: float = 0.0

    def observe(self, seconds: float) -> None:
        self.counts[bisect.bisect_left(BOUNDS, seconds)] += 1
        self.seconds += seconds

    def write(self, family: "HistogramMetricFamily", label: str) -> None:
        edges = (*map(str, BOUNDS), "+Inf")
        family.add_metric([label], [*zip(edges, itertools.accumulate(self.counts), strict=True)], self.seconds)


class Metrics:
    """The counters of this process; each method is named after the event it counts."""

    def __init__(self) -> None:
        self._started = time.time()
        self._turns: Counter[str] = Counter(dict.fromkeys(TurnOutcome, 0))
        self._stages = {stage: _Histogram() for stage in (*STAGES, OTHER)}
        self._calls: Counter[tuple[str, str]] = Counter(dict.fromkeys(itertools.product(_ROLES, CallOutcome), 0))
        self._call_seconds: dict[str, _Histogram] = {role: _Histogram() for role in _ROLES}
        self._tokens: Counter[tuple[str, str]] = Counter(dict.fromkeys(itertools.product(ModelRole, ("in", "out")), 0))
        self._tokens_cached: Counter[str] = Counter(dict.fromkeys(ModelRole, 0))
        self._reconnects = 0
        self._caught_up: float | None = None
        self._jobs: defaultdict[str, _Job] = defaultdict(_Job)
        self._errors: Counter[str] = Counter()
        self._memory_calls = 0
        self._memory_tokens: Counter[str] = Counter({"in": 0, "out": 0})
        self._memory_tokens_cached = 0
        self._chunks: Counter[str] = Counter({"model": 0, "rule": 0})
        self._held, self._held_seconds = 0, 0.0
        self._residue: Counter[str] = Counter()
        self._miscounted = 0

    def turn_answered(self, durations: Mapping[str, float], *, cut_off: bool = False) -> None:
        """A reply was recorded; `durations` are seconds by stage, `total` among them."""
        self._turns[TurnOutcome.CUT_OFF if cut_off else TurnOutcome.ANSWERED] += 1
        for stage, seconds in durations.items():
            self._stages[stage if stage in self._stages else OTHER].observe(seconds)

    def turn_failed(self) -> None:
        """A question was closed without a reply."""
        self._turns[TurnOutcome.FAILED] += 1

    def turn_refused(self) -> None:
        """A question found too many others waiting in its channel."""
        self._turns[TurnOutcome.BUSY] += 1

    def model_called(
        self,
        role: ModelRole | Literal["embedder"],
        seconds: float,
        *,
        tokens_in: int = 0,
        tokens_out: int = 0,
        tokens_cached: int = 0,
        failure: BaseException | None = None,
    ) -> None:
        """A role's model answered, or it and its fallbacks did not; retries are part of the one call.

        Of the embedder each request counts, and no tokens.
        """
        self._calls[role, _call_outcome(failure)] += 1
        self._call_seconds[role].observe(seconds)
        if role != EMBEDDER:
            self._tokens[role, "in"] += tokens_in
            self._tokens[role, "out"] += tokens_out
            self._tokens_cached[role] += tokens_cached

    def memory_call_begun(self) -> None:
        """The summarizer is asked for what memory is made of; it is among the calls of its role."""
        self._memory_calls += 1

    def memory_tokens_used(self, tokens_in: int, tokens_out: int, tokens_cached: int) -> None:
        """It answered, and used so many; those that its server still had are among those that went in."""
        self._memory_tokens["in"] += tokens_in
        self._memory_tokens["out"] += tokens_out
        self._memory_tokens_cached += tokens_cached

    def chunk_made(self, *, by_rule: bool) -> None:
        """A run of messages became memory, by a model or by rule."""
        self._chunks["rule" if by_rule else "model"] += 1

    def reconnected(self) -> None:
        """The gateway's connection was lost and is there again, resumed or begun anew."""
        self._reconnects += 1

    def caught_up(self, seconds: float) -> None:
        """All that was said while Hathi was away, or not connected, is taken in."""
        self._caught_up = seconds

    def job_done(self, job: str, seconds: float) -> None:
        """A run of a periodic job ended well; not one that found that another process has its slot."""
        known = self._jobs[job]
        known.done, known.seconds, known.done_at = known.done + 1, seconds, time.time()

    def job_failed(self, job: str) -> None:
        """A run of a periodic job failed, of an outage or a fault."""
        self._jobs[job].failed += 1

    def loop_held(self, seconds: float) -> None:
        """Something held the event loop for longer than it may."""
        self._held += 1
        self._held_seconds += seconds

    def residue_found(self, left: Mapping[str, int]) -> None:
        """So many rows, by what holds them, were left a day after they should have been erased."""
        self._residue.update(left)

    def miscounted(self, names: int) -> None:
        """So many rooms, topics and tags had another number of memories than was tallied."""
        self._miscounted += names

    def failed(self, error: BaseException) -> None:
        """Something a person asked for ended in this error."""
        known = isinstance(error, errors.HathiError) or type(error).__module__ == "builtins"
        self._errors[type(error).__name__ if known else OTHER] += 1

    def exposition(self, figures: Figures | None, levels: Levels | None = None) -> bytes:
        """Everything in Prometheus' text format; what is not known is left out, rather than told as zero."""
        from prometheus_client import CollectorRegistry, generate_latest
        from prometheus_client.registry import Collector

        families = [*self._counted(), *self._periodic(), *_process(self._started)]
        families += [*(_levels(levels) if levels else ()), *(_looked_up(figures) if figures else ())]

        class Told(Collector):
            """The families of this moment."""

            def collect(self) -> list["Metric"]:
                return families

        registry = CollectorRegistry(auto_describe=False)
        registry.register(Told())
        return generate_latest(registry)

    def _counted(self) -> Iterator["Metric"]:
        from prometheus_client.metrics_core import CounterMetricFamily, HistogramMetricFamily

        turns = CounterMetricFamily("hathi_turns", "Questions, by how they ended.", labels=["outcome"])
        for outcome, count in self._turns.items():
            turns.add_metric([outcome], count)
        stages = HistogramMetricFamily("hathi_turn_seconds", "Seconds of answered turns, by stage.", labels=["stage"])
        for stage, histogram in self._stages.items():
            histogram.write(stages, stage)
        calls = CounterMetricFamily("hathi_model_calls", "Calls of a role's model.", labels=["role", "outcome"])
        for pair, count in self._calls.items():
            calls.add_metric([*pair], count)
        took = HistogramMetricFamily("hathi_model_call_seconds", "Seconds of those calls, whole.", labels=["role"])
        for role, histogram in self._call_seconds.items():
            histogram.write(took, role)
        tokens = CounterMetricFamily("hathi_model_tokens", "Tokens read and written.", labels=["role", "direction"])
        for pair, count in self._tokens.items():
            tokens.add_metric([*pair], count)
        cached = CounterMetricFamily(
            "hathi_model_cached_tokens", "Of those read, tokens that the server still had.", labels=["role"]
        )
        for role, count in self._tokens_cached.items():
            cached.add_metric([role], count)
        failed = CounterMetricFamily("hathi_errors", "Errors that people met, by class.", labels=["error"])
        for error, count in self._errors.items():
            failed.add_metric([error], count)
        reconnects = CounterMetricFamily("hathi_gateway_reconnects", "Connections to the gateway lost and made again.")
        reconnects.add_metric([], self._reconnects)
        held = CounterMetricFamily("hathi_loop_held", "Times the event loop was held for more than 200 ms.")
        held.add_metric([], self._held)
        held_for = CounterMetricFamily("hathi_loop_held_seconds", "Seconds for which it was.")
        held_for.add_metric([], self._held_seconds)
        residue = CounterMetricFamily(
            "hathi_erasure_residue", "Rows left a day after what they held was erased, by table.", labels=["held_in"]
        )
        for held_in, count in self._residue.items():
            residue.add_metric([held_in], count)
        miscounted = CounterMetricFamily("hathi_miscounted", "Names tallied wrongly, and put right.")
        miscounted.add_metric([], self._miscounted)
        yield from (turns, stages, calls, took, tokens, cached, failed, reconnects, held, held_for, residue, miscounted)
        yield from self._memory_made()

    def _memory_made(self) -> Iterator["Metric"]:
        from prometheus_client.metrics_core import CounterMetricFamily

        calls = CounterMetricFamily("hathi_memory_calls", "Calls of the summarizer that make memory.")
        calls.add_metric([], self._memory_calls)
        tokens = CounterMetricFamily("hathi_memory_tokens", "Tokens of them, read and written.", labels=["direction"])
        for direction, count in self._memory_tokens.items():
            tokens.add_metric([direction], count)
        cached = CounterMetricFamily(
            "hathi_memory_cached_tokens", "Of those read for it, tokens that the server still had."
        )
        cached.add_metric([], self._memory_tokens_cached)
        chunks = CounterMetricFamily(
            "hathi_memory_chunks", "Runs of messages that became memory, by a model or by rule.", labels=["made_by"]
        )
        for made_by, count in self._chunks.items():
            chunks.add_metric([made_by], count)
        yield from (calls, tokens, cached, chunks)

    def _periodic(self) -> Iterator["Metric"]:
        from prometheus_client.metrics_core import CounterMetricFamily, GaugeMetricFamily

        runs = CounterMetricFamily(
            "hathi_job_runs", "Runs of periodic jobs, by how they ended.", labels=["job", "outcome"]
        )
        took = GaugeMetricFamily("hathi_job_seconds", "Seconds of the last run that was done.", labels=["job"])
        last = GaugeMetricFamily(
            "hathi_job_done_timestamp_seconds", "When that ended, since the epoch.", labels=["job"]
        )
        for job, known in self._jobs.items():
            runs.add_metric([job, "done"], known.done)
            runs.add_metric([job, "failed"], known.failed)
            if known.done_at is not None:
                took.add_metric([job], known.seconds)
                last.add_metric([job], known.done_at)
        yield from (runs, took, last)
        if self._caught_up is not None:
            caught_up = GaugeMetricFamily("hathi_catch_up_seconds", "Seconds the last catching up with messages took.")
            caught_up.add_metric([], self._caught_up)
            yield caught_up


def _call_outcome(failure: BaseException | None) -> CallOutcome:
    match failure:
        case None:
            return CallOutcome.ANSWERED
        case errors.ModelCutOff():
            return CallOutcome.CUT_OFF
        case errors.ModelRefused():
            return CallOutcome.REFUSED
        case errors.ModelUnreachable():
            return CallOutcome.UNREACHABLE
        case _:
            return CallOutcome.OTHER


def _levels(levels: Levels) -> Iterator["Metric"]:
    from prometheus_client.metrics_core import GaugeMetricFamily

    waiting = GaugeMetricFamily("hathi_queue_waiting", "Work that waits for its turn, by queue.", labels=["queue"])
    for queue, depth in levels.queues.items():
        waiting.add_metric([queue], depth)
    connections = GaugeMetricFamily("hathi_database_connections", "Connections to the database.", labels=["state"])
    for state, count in levels.connections.items():
        connections.add_metric([state], count)
    awaited = GaugeMetricFamily("hathi_database_waiting", "Who waits for a connection to the database.")
    awaited.add_metric([], levels.connections_awaited)
    doubted = GaugeMetricFamily("hathi_clock_doubted", "Whether what ages or goes waits, as the clock is not believed.")
    doubted.add_metric([], int(levels.clock_doubted))
    lag = GaugeMetricFamily("hathi_memory_lag_messages", "Messages not yet in memory.")
    lag.add_metric([], levels.memory_lag)
    lag_for = GaugeMetricFamily("hathi_memory_lag_seconds", "For how long the oldest of them waits.")
    lag_for.add_metric([], levels.memory_lag_for.total_seconds())
    yield from (waiting, connections, awaited, doubted, lag, lag_for)
    if levels.gateway_latency is not None:
        latency = GaugeMetricFamily("hathi_gateway_latency_seconds", "The slowest shard's last heartbeat.")
        latency.add_metric([], levels.gateway_latency.total_seconds())
        yield latency


def _looked_up(figures: Figures) -> Iterator["Metric"]:
    from prometheus_client.metrics_core import GaugeMetricFamily

    memories = GaugeMetricFamily("hathi_memories", "Living memories, by tier.", labels=["tier"])
    for tier, count in figures.memories.items():
        memories.add_metric([tier], count)
    pending = GaugeMetricFamily("hathi_summaries_pending", "Closed sessions that are not summarised yet.")
    pending.add_metric([], figures.summaries_pending)
    yield from (memories, pending)


def _process(started: float) -> Iterator["Metric"]:
    """The usual figures of a process; the library's own collector wants a /proc that the systemd unit hides."""
    from prometheus_client.metrics_core import CounterMetricFamily, GaugeMetricFamily, InfoMetricFamily

    resident = int(Path("/proc/self/statm").read_text("ascii").split()[1]) * resource.getpagesize()
    cpu = CounterMetricFamily("process_cpu_seconds", "Processor time spent.")
    cpu.add_metric([], time.process_time())
    memory = GaugeMetricFamily("process_resident_memory_bytes", "Memory in use.")
    memory.add_metric([], resident)
    start = GaugeMetricFamily("process_start_time_seconds", "Start of the process since the epoch.")
    start.add_metric([], started)
    files = GaugeMetricFamily("process_open_fds", "Open files and sockets.")
    files.add_metric([], sum(1 for _ in Path("/proc/self/fd").iterdir()))
    about = InfoMetricFamily("hathi", "The version that runs.")
    about.add_metric([], {"version": bot.__version__})
    yield from (cpu, memory, start, files, about)
