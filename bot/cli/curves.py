"""Draws how many questions are answered against how many of the answers are right, as an SVG; pure."""

from collections.abc import Sequence
from typing import Final

_SIZE: Final = 360
"""Pixels of a side of the square in which the curve is drawn."""
_EDGE: Final = 50
_TICKS: Final = (0.0, 0.25, 0.5, 0.75, 1.0)


def points(judged: Sequence[tuple[float, bool]]) -> list[tuple[float, float]]:
    """The share answered and the share of those answers that are right, for each confidence from which one answers.

    `judged` are questions with how sure the answer is and whether it is right. The surest alone come first.
    """
    found, right = list[tuple[float, float]](), 0
    ordered = sorted(judged, key=lambda one: -one[0])
    for count, (sure, is_right) in enumerate(ordered, 1):
        right += is_right
        if count == len(ordered) or ordered[count][0] < sure:
            found.append((count / len(ordered), right / count))
    return found


def drawn(judged: Sequence[tuple[float, bool]], *, marked: Sequence[float] = ()) -> str:
    """The curve with its axes, and a dot at each of the confidences that are marked."""
    line = " ".join(f"{_x(answered):.1f},{_y(right):.1f}" for answered, right in points(judged))
    side = _SIZE + 2 * _EDGE
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{side}" height="{side}" font-family="sans-serif">',
        '<rect width="100%" height="100%" fill="white"/>',
        *(_tick(share) for share in _TICKS),
        f'<polyline fill="none" stroke="#1f77b4" stroke-width="2" points="{line}"/>',
        *(_dot(least, *_at(judged, least)) for least in marked),
        f'<text x="{_EDGE + _SIZE / 2}" y="{_SIZE + 2 * _EDGE - 10}" text-anchor="middle">share answered</text>',
        f'<text x="{_EDGE}" y="{_EDGE - 15}">share right</text>',
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def _at(judged: Sequence[tuple[float, bool]], least: float) -> tuple[float, float]:
    told = [is_right for sure, is_right in judged if sure >= least]
    return (len(told) / len(judged), sum(told) / len(told)) if told else (0.0, 1.0)


def _dot(least: float, answered: float, right: float) -> str:
    told = f"from {least:.2f}: {answered:.0%} answered, {right:.0%} right"
    return (
        f'<circle cx="{_x(answered):.1f}" cy="{_y(right):.1f}" r="4" fill="#d62728"/>'
        f'<text x="{_x(answered) + 7:.1f}" y="{_y(right) - 7:.1f}">{told}</text>'
    )


def _tick(share: float) -> str:
    return (
        f'<line x1="{_x(share):.1f}" y1="{_y(0):.1f}" x2="{_x(share):.1f}" y2="{_y(1):.1f}" stroke="#dddddd"/>'
        f'<line x1="{_x(0):.1f}" y1="{_y(share):.1f}" x2="{_x(1):.1f}" y2="{_y(share):.1f}" stroke="#dddddd"/>'
        f'<text x="{_x(share):.1f}" y="{_y(0) + 16:.1f}" text-anchor="middle">{share:.0%}</text>'
        f'<text x="{_x(0) - 6:.1f}" y="{_y(share) + 4:.1f}" text-anchor="end">{share:.0%}</text>'
    )


def _x(share: float) -> float:
    return _EDGE + share * _SIZE


def _y(share: float) -> float:
    return _EDGE + (1 - share) * _SIZE
