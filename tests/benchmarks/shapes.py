"""How long what reads people's texts takes on texts made to be slow: 44 shapes, at 2,000 and 4,000 characters.

`worst_ms` is the slowest of all functions and all shapes at 4,000 characters, `worst_of` says which. `worst_growth` is
how much longer one takes at most at 4,000 than at 2,000, where that is a millisecond or more (below, what a function
does at a limit of its own is most of it), and `worst_growth_of` which. `answer_ms` is the slowest check of an answer as
long as is checked, 8,000 characters, that rests on twenty texts of 2,000 of the same shape, and `answer_of` which. Each
time is the least of several tries, in time of the processor, so that what else runs on the machine decides little.
"""

import itertools
import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Final

from bot.domain import Layer
from bot.grounding import check
from bot.grounding.ground import Ground
from bot.layers.walk import Evidence
from tests import hostile_texts, text_readers

SHORT: Final = 2_000
LONG: Final = 4_000
ANSWER: Final = 8_000
PIECES: Final = 20
FLOOR: Final = 0.001
"""Seconds below which growth says nothing."""
SLOW: Final = 0.004
"""Seconds from which more tries are made."""
TRIES: Final = 3
MORE_TRIES: Final = 9
SURE_TRIES: Final = 30


async def run(*, small: bool) -> dict[str, float | str]:
    shapes = hostile_texts.NAMES[:3] if small else hostile_texts.NAMES
    readers = dict(itertools.islice(text_readers.READERS.items(), 10)) if small else text_readers.READERS
    worst = growth = (0.0, "")
    for name, read in readers.items():
        _least(read, "Ann said that the gate opens at 3 pm.", 1)
        for shape in shapes:
            text, half = hostile_texts.text(shape, LONG), hostile_texts.text(shape, SHORT)
            long, of = _least(read, text, TRIES), f"{name}, {shape}"
            short = _least(read, half, TRIES) if long >= FLOOR else long
            if long > worst[0] or long / short > growth[0]:
                # What would be the worst is looked at again: one slow moment of the machine makes nobody the worst.
                long = min(long, _least(read, text, SURE_TRIES))
                short = min(short, _least(read, half, SURE_TRIES)) if long >= FLOOR else long
            worst, growth = max(worst, (long, of)), max(growth, (long / short, of))
    longest = {shape: hostile_texts.text(shape, ANSWER) for shape in shapes}
    answer = max((_least(partial(_checked, shape), text, TRIES), shape) for shape, text in longest.items())
    return {
        "answer_ms": answer[0] * 1e3,
        "answer_of": answer[1],
        "worst_ms": worst[0] * 1e3,
        "worst_of": worst[1],
        "worst_growth": growth[0],
        "worst_growth_of": growth[1],
        "pairs": len(readers) * len(shapes),
    }


def _checked(shape: str, answer: str) -> object:
    """What the check says of an answer that rests on much of its own shape."""
    one = Evidence(label="#1", layer=Layer.PALACE, content=hostile_texts.text(shape, SHORT), author="Ann")
    shown = [replace(one, label=f"#{number}", said_at=text_readers.NOW) for number in range(PIECES)]
    ground = Ground("What did Ann say?", shown, asked_at=text_readers.NOW, zone="UTC", people=["Mr. Will"])
    return check.check(answer, ground)


def _least(read: Callable[[str], object], text: str, tries: int) -> float:
    """The seconds of the quickest try; more are made where it is slow."""
    least, tried = float("inf"), 0
    while tried < (tries if least < SLOW else max(tries, MORE_TRIES)):
        started = time.process_time()
        text_readers.refused(read, text)
        least = min(least, time.process_time() - started)
        tried += 1
    return least
