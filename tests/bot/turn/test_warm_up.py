"""What reads language is compiled before anybody asks."""

import subprocess
import sys
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[3]
COUNTING: Final = """
import re._compiler as compiler
from bot.turn import warm_up

counted, compiled = [], compiler.compile

def counting(pattern, *given):
    counted.append(pattern)
    return compiled(pattern, *given)

{first}
compiler.compile = counting
warm_up.SAMPLES = ("What did Ben tell us about the new gate in March?", "The gate opens on 3 June at noon.", "bye")
warm_up.compile_readers()
print(len(counted))
"""


def _compiled(first: str) -> int:
    """How many expressions reading a question, a statement and a farewell compiles, in a process of its own."""
    program = COUNTING.format(first=first)
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True)
    return int(done.stdout)


def test_after_the_start_nothing_is_compiled_for_other_messages():
    """Other words compile nothing more; without the start they compile some two hundred expressions."""
    assert 0 == _compiled("warm_up.compile_readers()")
    assert 100 < _compiled("")
