"""What is counted, as Prometheus' own parser reads it."""

import re
import subprocess
import sys
import time
from datetime import timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from prometheus_client.parser import text_string_to_metric_families

import bot
from bot import errors
from bot.domain import ModelRole, Tier
from bot.infra.metrics import BOUNDS, STAGES, Figures, Levels, Metrics

FIGURES = Figures(summaries_pending=2, memories={Tier.SHORT: 40, Tier.LONG: 500})
LEVELS = Levels(
    queues={"turns": 3, "background": 1},
    gateway_latency=timedelta(milliseconds=80),
    connections={"in_use": 2, "idle": 5},
    connections_awaited=4,
    memory_lag=23,
    memory_lag_for=timedelta(minutes=2),
)


def samples(
    metrics: Metrics, figures: Figures | None = None, levels: Levels | None = None
) -> dict[tuple[str, ...], float]:
    """Every sample by its name and the values of its labels, in the labels' order."""
    text = metrics.exposition(figures, levels).decode()
    return {
        (sample.name, *(value for _, value in sorted(sample.labels.items()))): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


def test_turns_are_counted_by_outcome() -> None:
    """Each end of a turn is one of four, and counted once."""
    metrics = Metrics()
    metrics.turn_answered({"total": 1.0})
    metrics.turn_answered({"total": 1.0})
    metrics.turn_answered({"total": 1.0}, cut_off=True)
    metrics.turn_failed()
    metrics.turn_refused()
    found = samples(metrics)

    assert [2, 1, 1, 1] == [
        found["hathi_turns_total", outcome] for outcome in ("answered", "cut_off", "failed", "busy")
    ]


def test_durations_are_counted_by_stage() -> None:
    """A duration falls into every bucket whose bound it does not pass, and sums keep it whole."""
    metrics = Metrics()
    metrics.turn_answered({"memory": 0.004, "model": 7.0})
    metrics.turn_answered({"memory": 0.005, "model": 999.0})
    found = samples(metrics)

    assert [2, 2] == [found["hathi_turn_seconds_bucket", bound, "memory"] for bound in ("0.005", "+Inf")]
    assert [0, 1, 2] == [found["hathi_turn_seconds_bucket", bound, "model"] for bound in ("5.0", "10.0", "+Inf")]
    assert [2, 1006.0] == [found["hathi_turn_seconds_count", "model"], found["hathi_turn_seconds_sum", "model"]]


@given(st.lists(st.floats(0, 1000)))
def test_buckets_count_everything_once(seconds: list[float]) -> None:
    """However long the turns took, each bucket holds those that took no longer than its bound."""
    metrics = Metrics()
    for each in seconds:
        metrics.turn_answered({"total": each})
    found = samples(metrics)

    assert [sum(each <= bound for each in seconds) for bound in BOUNDS] == [
        found["hathi_turn_seconds_bucket", str(bound), "total"] for bound in BOUNDS
    ]
    assert len(seconds) == found["hathi_turn_seconds_count", "total"]


@pytest.mark.parametrize(
    ("failure", "outcome"),
    [
        (None, "answered"),
        (errors.ModelCutOff("so far"), "cut_off"),
        (errors.ModelRefused(), "refused"),
        (errors.ModelUnreachable(), "unreachable"),
        (RuntimeError(), "other"),
    ],
)
def test_model_calls_are_counted_by_role_and_outcome(failure: BaseException | None, outcome: str) -> None:
    """A call counts for its role under how it ended, with its seconds and tokens."""
    metrics = Metrics()
    metrics.model_called(ModelRole.SUMMARIZER, 2.0, tokens_in=100, tokens_out=7, tokens_cached=80, failure=failure)
    found = samples(metrics)

    assert {(outcome, "summarizer"): 1} == {
        key[1:]: count for key, count in found.items() if key[0] == "hathi_model_calls_total" and count
    }
    assert [100, 7] == [found["hathi_model_tokens_total", way, "summarizer"] for way in ("in", "out")]
    assert [80, 0] == [found["hathi_model_cached_tokens_total", role] for role in ("summarizer", "reasoning")]
    assert 2.0 == found["hathi_model_call_seconds_sum", "summarizer"]


def test_errors_are_counted_by_class() -> None:
    """Hathi's errors and Python's go by their class; a library's, of which there are many, are `other`."""

    class Foreign(Exception):
        """An error of somebody else's."""

    metrics = Metrics()
    for error in (errors.DatabaseDown(), errors.DatabaseDown(), KeyError("x"), Foreign()):
        metrics.failed(error)
    found = samples(metrics)

    assert [2, 1, 1] == [found["hathi_errors_total", name] for name in ("DatabaseDown", "KeyError", "other")]


def test_reconnects_are_counted() -> None:
    """Each new connection to the gateway counts one."""
    metrics = Metrics()
    metrics.reconnected()

    assert 1 == samples(metrics)["hathi_gateway_reconnects_total",]


def test_figures_are_told_as_they_are() -> None:
    """What is looked up is told as it was found."""
    found = samples(Metrics(), FIGURES, LEVELS)

    assert {
        ("hathi_queue_waiting", "turns"): 3,
        ("hathi_queue_waiting", "background"): 1,
        ("hathi_memories", "short"): 40,
        ("hathi_memories", "long"): 500,
        ("hathi_summaries_pending",): 2,
        ("hathi_gateway_latency_seconds",): 0.08,
        ("hathi_database_connections", "in_use"): 2,
        ("hathi_database_connections", "idle"): 5,
        ("hathi_database_waiting",): 4,
        ("hathi_memory_lag_messages",): 23,
        ("hathi_memory_lag_seconds",): 120,
    }.items() <= found.items()


def test_what_is_not_known_is_not_told() -> None:
    """Without figures their series are absent: zero would be a claim."""
    looked_up = ("hathi_memories", "hathi_summaries_pending")
    absent = (*looked_up, "hathi_queue_waiting", "hathi_gateway_latency_seconds", "hathi_catch_up_seconds")

    assert [] == [key for key in samples(Metrics()) if key[0] in absent or key[0].startswith("hathi_job")]
    assert [] == [key for key in samples(Metrics(), None, LEVELS) if key[0] in looked_up]


def test_runs_of_jobs_are_told() -> None:
    """Each job has its last run that was done, and how many failed; that some failed hides no success."""
    metrics = Metrics()
    metrics.job_done("decay", 3.0)
    metrics.job_failed("decay")
    metrics.job_failed("upkeep")
    metrics.caught_up(12.5)
    found = samples(metrics)
    at = found.pop(("hathi_job_done_timestamp_seconds", "decay"))

    assert abs(time.time() - at) < 60
    assert {
        ("hathi_job_runs_total", "decay", "done"): 1,
        ("hathi_job_runs_total", "decay", "failed"): 1,
        ("hathi_job_runs_total", "upkeep", "done"): 0,
        ("hathi_job_runs_total", "upkeep", "failed"): 1,
        ("hathi_job_seconds", "decay"): 3.0,
        ("hathi_catch_up_seconds",): 12.5,
    }.items() <= found.items()
    assert ("hathi_job_done_timestamp_seconds", "upkeep") not in found


@given(st.dictionaries(st.text(min_size=1), st.floats(0, 10), max_size=5))
def test_names_from_outside_make_no_series(durations: dict[str, float]) -> None:
    """Whatever stages are named, the series of turns are the same ones."""
    metrics = Metrics()
    before = samples(metrics).keys()
    metrics.turn_answered(durations)

    assert before == samples(metrics).keys()
    assert sum(name not in STAGES for name in durations) == samples(metrics)["hathi_turn_seconds_count", "other"]


def test_all_that_is_timed_has_its_stage() -> None:
    """Whatever duration the program notes of a turn is one of the stages, and each stage is noted somewhere."""
    code = "\n".join(path.read_text("utf-8") for path in Path(bot.__file__).parent.rglob("*.py"))
    noted = re.findall(r'(?:\bdurations(?:\[|=\{(?:"\w+": [^"]+)?)|\.(?:step|timed)\()"(\w+)"', code)
    noted += re.findall(r'\bdurations=\{"(\w+)"', code)

    assert {*STAGES} == {*noted}


def test_counts_begin_at_zero() -> None:
    """Every outcome of every role is there from the start, so that its first event is seen as a change."""
    found = samples(Metrics())

    assert {0.0} == {value for key, value in found.items() if key[0].startswith("hathi_") and key[0] != "hathi_info"}
    assert 1 == found["hathi_info", bot.__version__]
    assert len(found) < 450


def test_the_process_is_told() -> None:
    """Memory, processor time, start and open files are those of this process."""
    found = samples(Metrics())

    assert 10_000_000 < found["process_resident_memory_bytes",] < 10_000_000_000
    assert 0 < found["process_cpu_seconds_total",]
    assert 0 < found["process_open_fds",] <= len([*Path("/proc/self/fd").iterdir()])


def test_two_do_not_share_counts() -> None:
    """Each has counts of its own, and none are kept by the library for the whole process."""
    one, other = Metrics(), Metrics()
    one.turn_failed()

    assert 0 == samples(other)["hathi_turns_total", "failed"]


def test_counting_loads_no_library() -> None:
    """Who only counts does not wait for Prometheus' library: a short command stays short."""
    program = "import sys; from bot.infra.metrics import Metrics; Metrics(); print('prometheus_client' in sys.modules)"
    said = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout

    assert "False\n" == said
