"""Measures Hathi on this machine: `python -m tests.benchmarks NAME [--json] [--small]`; without a name, the list.

Figures go to standard output (with `--json` as one object), everything else to standard error. A figure is the median
of five rounds, and a ratio is taken within a round, unless a benchmark says otherwise.
"""

import argparse
import asyncio
import importlib
import json
import os
import signal
import sys
from collections.abc import Sequence
from pathlib import Path

from bot import log
from tests.benchmarks.timing import rounded

NAMES = (
    "active",
    "age",
    "turn",
    "reset",
    "start",
    "discord_turn",
    "burst",
    "first_text",
    "tools",
    "soak",
    "catchup",
    "kills",
    "recall",
    "detector",
    "chain",
    "embedder",
    "look",
    "erasure",
    "shapes",
    "requests",
    "answers",
    "facts",
    "kept",
    "trace",
    "continuous",
    "growth",
)
SIZED = ("growth", "discord_turn")
"""Those whose communities are as large as one says: several of the first, one of the other."""
SMALLEST = 60
"""Memories of a community in which there is one of every kind that is asked for."""


def main(words: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks", description=__doc__)
    parser.add_argument("name", nargs="?", choices=NAMES)
    parser.add_argument("--json", action="store_true", help="one JSON object")
    parser.add_argument("--small", action="store_true", help="tiny sizes, to see that it runs; its figures say nothing")
    parser.add_argument("--kills", type=int, help="how often `kills` kills")
    parser.add_argument("--rows", type=_sizes, help="memories of the communities of `growth`, or of `discord_turn`")
    options = parser.parse_args(words)
    if options.kills is not None and (options.name != "kills" or options.kills < 1):
        parser.error("--kills takes a number from 1 on, and goes with the benchmark kills alone")
    if options.rows is not None and options.name not in SIZED:
        parser.error(f"--rows goes with the benchmarks {' and '.join(SIZED)} alone")
    if options.rows is not None and options.name != "growth" and len(options.rows) > 1:
        parser.error(f"--rows of {options.name} takes one number")
    if options.name is None:
        for name in NAMES:
            print(f"{name:12} {(importlib.import_module(f'tests.benchmarks.{name}').__doc__ or '').splitlines()[0]}")
        return 0
    # Log lines are made as in production, and go nowhere.
    log.configure(to=Path(os.devnull))
    benchmark = importlib.import_module(f"tests.benchmarks.{options.name}")
    print(f"load average before: {os.getloadavg()[0]:.2f}", file=sys.stderr)
    given = {} if options.kills is None else {"kills": options.kills}
    if options.rows is not None:
        given = {"rows": options.rows if options.name == "growth" else options.rows[-1]}
    figures = rounded(asyncio.run(benchmark.run(small=options.small, **given)))
    if options.json:
        print(json.dumps(figures))
    else:
        print(
            "\n".join(
                f"{name:28} {f'{value:g}' if isinstance(value, float | int) else value}"
                for name, value in figures.items()
            )
        )
    return 0


def _sizes(text: str) -> tuple[int, ...]:
    """Numbers with commas between them, the smallest first."""
    sizes = text.split(",")
    if not all(size.isdecimal() and int(size) >= SMALLEST for size in sizes):
        raise argparse.ArgumentTypeError(
            f"takes numbers from {SMALLEST} on with commas between them, such as 1000,100000; got {text!r}"
        )
    return tuple(sorted({int(size) for size in sizes}))


if __name__ == "__main__":
    # Ended from outside it still stops its servers and removes its folder.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    sys.exit(main(sys.argv[1:]))
