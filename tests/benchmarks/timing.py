"""Times of single operations, and what stands for many of them."""

import statistics
import time
from collections.abc import Awaitable, Mapping, Sequence
from typing import Any, Final, cast

ROUNDS: Final = 5
FEW_ROUNDS: Final = 1


def rounds(*, small: bool) -> int:
    """How often a benchmark repeats itself."""
    return FEW_ROUNDS if small else ROUNDS


async def milliseconds(work: Awaitable[object]) -> float:
    """How long it took."""
    started = time.perf_counter()
    await work
    return (time.perf_counter() - started) * 1000


def p50(values: Sequence[float]) -> float:
    return statistics.median(values)


def p95(values: Sequence[float]) -> float:
    return sorted(values)[min(len(values) - 1, int(len(values) * 0.95))]


def rounded(figures: Mapping[str, Any]) -> dict[str, Any]:
    """Four digits after the point are more than any of these measurements has."""
    return {name: _rounded(value) for name, value in figures.items()}


def _rounded(value: Any) -> Any:
    if isinstance(value, Mapping):
        return rounded(cast("Mapping[str, Any]", value))
    if isinstance(value, list):
        return [_rounded(each) for each in cast("list[Any]", value)]
    return round(value, 4) if isinstance(value, float) else value
