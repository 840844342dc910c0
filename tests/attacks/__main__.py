"""Attacks Hathi: `python -m tests.attacks [--class NAME] [--only ID] [--json]` prints what held and what is broken.

Every attempt is tried on a Hathi of this checkout, with a Discord, a model and a forge on loopback. It ends with 0 if
all held. `--steps` lists what attempts may be made of.
"""

import argparse
import asyncio
import inspect
import json
import os
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from bot import log
from tests.attacks import claims, corpus, play, steps
from tests.attacks.corpus import Attempt
from tests.attacks.play import Outcome


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.attacks", description=__doc__)
    parser.add_argument("--class", dest="kind", choices=corpus.CLASSES, help="the attempts of one class")
    parser.add_argument("--only", metavar="ID", action="append", help="this attempt; may be given several times")
    parser.add_argument("--json", action="store_true", help="one JSON object")
    parser.add_argument("--steps", action="store_true", help="what steps and claims there are")
    options = parser.parse_args()
    if options.steps:
        print(vocabulary())
        return 0
    chosen = [
        attempt
        for attempt in corpus.attempts()
        if options.kind in {None, attempt.kind} and (not options.only or attempt.key in options.only)
    ]
    if not chosen:
        parser.error("there is no such attempt")
    log.configure(to=Path(os.devnull))
    outcomes = asyncio.run(_outcomes(chosen))
    print(json.dumps(figures(outcomes)) if options.json else table(outcomes))
    return 0 if all(outcome.is_held for outcome in outcomes) else 1


async def _outcomes(attempts: Sequence[Attempt]) -> list[Outcome]:
    found: list[Outcome] = []
    began = time.monotonic()
    async for outcome in play.all_tried(attempts):
        found.append(outcome)
        took = time.monotonic() - began
        print(f"{took:6.1f} s  {'held  ' if outcome.is_held else 'BROKEN'}  {outcome.attempt.key}", file=sys.stderr)
    return found


def figures(outcomes: Sequence[Outcome]) -> dict[str, object]:
    """Counts by class, and every attempt that is broken."""
    by_kind = {kind: [each for each in outcomes if each.attempt.kind == kind] for kind in corpus.CLASSES}
    counts = {
        kind: {"held": sum(each.is_held for each in found), "broken": sum(not each.is_held for each in found)}
        for kind, found in by_kind.items()
        if found
    }
    broken = [
        {"id": each.attempt.key, "class": each.attempt.kind, "title": each.attempt.title, "why": each.why}
        for each in outcomes
        if not each.is_held
    ]
    return {"attempts": len(outcomes), "classes": counts, "broken": broken}


def table(outcomes: Sequence[Outcome]) -> str:
    """The same for people."""
    lines = [f"{'class':12}{'held':>6}{'broken':>8}"]
    kinds = [kind for kind in corpus.CLASSES if any(each.attempt.kind == kind for each in outcomes)]
    for name in [*kinds, "together"]:
        of = [each for each in outcomes if name in {each.attempt.kind, "together"}]
        held = sum(each.is_held for each in of)
        lines.append(f"{name:12}{held:6}{len(of) - held:8}")
    for each in outcomes:
        if not each.is_held:
            lines += ["", f"{each.attempt.key}: {each.attempt.title}", f"    {each.why}"]
    return "\n".join(lines)


def vocabulary() -> str:
    """Every step and every claim, as their functions tell of them."""
    told = [inspect.getdoc(function) or "" for function in dict.fromkeys(steps.VERBS.values())]
    claimed = [inspect.getdoc(function) or "" for function in claims.CLAIMS.values()]
    return "\n".join(["Steps", *told, "", "Claims", *claimed])


if __name__ == "__main__":
    sys.exit(main())
