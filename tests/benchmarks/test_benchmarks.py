"""The laws of the benchmarks themselves; what they measure is no test's business."""

import contextlib
import json
import subprocess
import sys
from collections.abc import AsyncGenerator
from pathlib import Path
from typing import Final

import pytest

from tests.benchmarks import __main__, kept, servers
from tests.benchmarks.servers import ROOT
from tests.conftest import cloned

KEYS = {
    "active": {"p50_ratio", "growth_ratio", "large_space_ms", "cap_changes_block"},
    "age": {"ratio", "reader_ratio"},
    "turn": {"over_commits_ms"},
    "reset": {"usable_ratio"},
    "start": {"ready_s", "rss_mb", "rss_growth"},
    "discord_turn": {
        "inbound_p50_ms",
        "outbound_p50_ms",
        "ratio_to_floor",
        "worst_growth",
        *(f"{at}{of}_ratio" for at in ("", "large_") for of in ("in_bot", "out_bot", "cpu", "p95")),
    },
    "burst": {"answered", "lost", "out_of_order", "ratio_to_ideal", "floor_ratio_to_ideal", "in_bot_ratio"},
    "first_text": {"p50_ms"},
    "tools": {"round_p50_ms", "delegation_p50_ms", "first_text_p50_ms"},
    "soak": {"messages", "lost", "doubled", "rss_growth"},
    "catchup": {"connected_s", "p50_s", "last_s", "lost", "reads"},
    "kills": {"kills", "seconds", "said", "lost", "doubled", "silent", "untold", "missed"},
    "recall": {"ratio", "growth_ratio", "p50_ms", "p95_ms", "indexed_per_s", "cap", "cap_kept"},
    "detector": {"p50_us", "p99_us", "longest_ms", "ratio"},
    "chain": {"ratio", "p50_ms", "p95_ms"},
    "embedder": {"texts_per_s", "cpu_ms", "ms", "long_ms", "start_s", "rss_mb", "loop_p99_ms", "idle_p99_ms"},
    "look": {"added_p50_ms_1k", "added_p50_ms_100k"},
    "erasure": {"preview_ms", "erase_s", "bare_s", "ratio"},
    "shapes": {"answer_ms", "answer_of", "worst_ms", "worst_of", "worst_growth", "worst_growth_of"},
    "requests": {"of", "right", "false_alarms"},
    "answers": {
        "right",
        "wrong",
        "silent",
        "opened_right",
        "opened_wrong",
        "opened_silent",
        "closed_right",
        "closed_wrong",
        "closed_silent",
    },
    "facts": {"honest", "kept", "named", "others", "passed"},
    "kept": {f"{name}_kept_{n}" for name in ("facts", "precision", "labelled", "recall") for n in (1, 2, 3)},
    "trace": {"plain_question", "recall_question", "recall_command", "memories", "remember", "reset", "overheard"},
    "continuous": {"added_p50_ms", "growth_ratio", "import_per_s", "import_rss_mb", "lag_s"},
    "growth": {
        "!memories",
        "completion of a topic",
        "job decay",
        "worst_growth",
        "worst_growth_of",
        "plans",
        "load_s",
        "bytes",
    },
}
TRACED: Final = {"statements", "connections", "functions", "modules", "switches"}
NONE: Final = {
    "burst": {"lost": 0, "out_of_order": 0},
    "soak": {"lost": 0, "doubled": 0},
    "catchup": {"lost": 0},
    "kills": {"lost": 0, "doubled": 0, "silent": 0},
}
"""What is no measurement but a law, at any size."""


@pytest.fixture
def _on_one_server(server: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A benchmark that only wants some server finds that of the tests, and there copies of the migrated database."""
    made_anew, copies = servers.database, contextlib.AsyncExitStack()

    @contextlib.asynccontextmanager
    async def postgres() -> AsyncGenerator[str]:
        async with copies:
            yield server

    async def database(address: str, name: str) -> str:
        return await (copies.enter_async_context(cloned(server)) if address == server else made_anew(address, name))

    monkeypatch.setattr(servers, "postgres", postgres)
    monkeypatch.setattr(servers, "database", database)


@pytest.mark.parametrize(
    ("path", "worth", "found_before"), [*zip(kept.SETS, (70, 70, 70, 65, 70), (27, 37, 12, 19, 26), strict=True)]
)
def test_most_of_what_a_reset_keeps_is_worth_keeping(path: Path, worth: int, found_before: int) -> None:
    """And no fewer of what is worth it are kept than by cues alone; of the fifth set nothing was learnt."""
    figures = kept.judge(path)
    assert figures["precision"] >= worth
    assert figures["recall"] >= found_before


@pytest.mark.usefixtures("_on_one_server")
@pytest.mark.parametrize("name", sorted(KEYS.keys() - {"trace"}))
def test_a_benchmark_prints_one_object_with_its_figures(name: str, capfd: pytest.CaptureFixture[str]) -> None:
    """Nothing else reaches standard output; and nothing is lost, doubled or out of order, however small it is."""
    assert 0 == __main__.main([name, "--small", "--json"])
    (line,) = capfd.readouterr().out.splitlines()
    figures = json.loads(line)
    assert KEYS[name] <= set(figures)
    for key, value in figures.items():
        assert isinstance(value, str if key.endswith("_of") else int | float | dict)
    assert NONE.get(name, {}) == {key: figures[key] for key in NONE.get(name, {})}


def test_what_a_message_goes_through_is_told_by_kind() -> None:
    """Each kind of message with the same five counts, and none is empty but what is overheard and not kept.

    It runs as whoever measures runs it: in a process of its own, on a server of its own.
    """
    command = [sys.executable, "-m", "tests.benchmarks", "trace", "--small", "--json"]
    said = subprocess.run(command, cwd=ROOT, check=True, timeout=400, stdout=subprocess.PIPE, text=True).stdout
    (line,) = said.splitlines()
    traced = json.loads(line)
    assert KEYS["trace"] == set(traced)
    assert [TRACED] * len(traced) == [set(counts) for counts in traced.values()]
    assert {"overheard"} == {kind for kind, counts in traced.items() if not counts["statements"]}


def test_without_a_name_they_are_listed(capfd: pytest.CaptureFixture[str]) -> None:
    """Each with the sentence it opens with."""
    assert 0 == __main__.main([])
    assert list(KEYS) == [line.split()[0] for line in capfd.readouterr().out.splitlines()]


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["growth", "--rows", "1000,x"], "takes numbers from 60 on with commas between them"),
        (["growth", "--rows", "0"], "takes numbers from 60 on with commas between them"),
        (["discord_turn", "--rows", "1000,2000"], "--rows of discord_turn takes one number"),
        (["trace", "--rows", "1000"], "--rows goes with the benchmarks growth and discord_turn alone"),
    ],
)
def test_sizes_that_cannot_be_filled_are_refused(
    words: list[str], told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        __main__.main(words)
    assert told in capsys.readouterr().err
