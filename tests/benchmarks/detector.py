"""The recall detector on our own sentences: a text, and how many plain scans of the same texts that is.

`p50_us` and `p99_us` are over the sentences, each at its middle of all passes, in process and after the first;
`longest_ms` is the slowest of texts of 4,000 characters that were made to be slow, each at its fastest of three.
`ratio` is all sentences by the detector over the same sentences by one compiled expression of ten cues, in turns.
"""

import re
import statistics
import time
from collections.abc import Callable, Iterable
from typing import Final

from bot.language.past.detector import detect
from bot.language.past.space_names import Names
from tests.benchmarks.timing import p50, rounds
from tests.bot.language.past import sentences

SCAN: Final = re.compile(
    r"\b(?:remember|recall|remind|yesterday|last (?:time|week)|we (?:discussed|decided)|did (?:i|we|you)|status of"
    r"|issue \d+|#\d+)\b",
    re.IGNORECASE,
)
"""What the detector is compared with."""
PASSES: Final = 20
"""Over all sentences, a round."""
SLOWEST: Final = 0.99
LENGTH: Final = 4_000
TEXTS: Final = tuple(
    (part * LENGTH)[:LENGTH]
    for part in (
        "a",
        "we ",
        "#1",
        '"a ',
        "? ",
        "what did ",
        "i had my ",
        "yesterday we ago ",
        "a-",
        "a.b",
        "Ruth and Ezra ",
        "remind me of what you said ",
        "the deploy of the build ",
        "when did we ",
        "how many 12 ",
        "so, ",
        "\n",
        "i went i went i went i went a, who it, who it, who it it ",
        "i in here, ",
    )
)


async def run(*, small: bool) -> dict[str, float]:
    names = Names([*sentences.NAMES, *(f"Person{n} Family{n}" for n in range(500))])
    texts = [*sentences.RECALL, *sentences.OTHER]
    _passed(lambda text: detect(text, names), texts)
    middles, slowest, ratios = list[float](), list[float](), list[float]()
    for _ in range(rounds(small=small)):
        passes, theirs = list[list[float]](), 0.0
        for _ in range(1 if small else PASSES):
            passes.append(_passed(lambda text: detect(text, names), texts))
            theirs += sum(_passed(SCAN.search, texts))
        singles = sorted(map(p50, zip(*passes, strict=True)))
        middles.append(p50(singles))
        slowest.append(singles[int(len(singles) * SLOWEST)])
        ratios.append(sum(map(sum, passes)) / theirs)
    longest = max(min(_passed(lambda text: detect(text, names), [text] * 3)) for text in TEXTS)
    return {
        "p50_us": statistics.median(middles) * 1e6,
        "p99_us": statistics.median(slowest) * 1e6,
        "longest_ms": longest * 1e3,
        "ratio": statistics.median(ratios),
    }


def _passed(work: Callable[[str], object], texts: Iterable[str]) -> list[float]:
    """The seconds each text took."""
    took: list[float] = []
    for text in texts:
        started = time.perf_counter()
        work(text)
        took.append(time.perf_counter() - started)
    return took
