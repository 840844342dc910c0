"""The laws of text on a line."""

import re
from pathlib import Path

import pytest

from bot.text import sanitize

ROOT = Path(__file__).parents[3]


@pytest.mark.parametrize(
    ("number", "noun", "told"),
    [
        (0, "memory", "0 memories"),
        (1, "memory", "1 memory"),
        (2, "memory", "2 memories"),
        (1, "past session", "1 past session"),
        (3, "reply", "3 replies"),
        (2, "day", "2 days"),
        (10_000, "message", "10000 messages"),
    ],
)
def test_a_number_of_things_is_told_as_people_do(number: int, noun: str, told: str) -> None:
    """One is one; nothing and many are many."""
    assert told == sanitize.counted(number, noun)


def test_no_text_for_people_counts_without_knowing_one() -> None:
    """A number that stands before a word in the plural is a figure of the code's, or `counted` has made it."""
    plural = r"memories|messages|replies|notes|sessions|rooms|tags|results|channels|questions|facts|files|things|pages"
    counts = re.compile(rf"f\"[^\"]*\{{(?!room\.name)[a-z][a-z_.()]*\}} (?:\w+ )?(?:{plural})\b")
    found = [
        f"{path.relative_to(ROOT)}: {line.strip()}"
        for folder in ("bot", "cogs")
        for path in sorted((ROOT / folder).rglob("*.py"))
        for line in path.read_text("utf-8").splitlines()
        if counts.search(line)
    ]
    # Never one: it is told from the second question on, and of several results alone.
    apart = (
        "cogs/send/overload_notice.py: await notice.edit(",
        'bot/commands/score_breakdown.py: places = "this result" if total == 1',
    )
    assert [] == [line for line in found if not line.startswith(apart)]
