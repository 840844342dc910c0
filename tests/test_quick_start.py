"""What is kept of regular expressions between the processes of tests is what `re` makes of them."""

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Final

from tests.conftest import QUICK_START

PROGRAM: Final = r"""
import re, re._parser as parser
parsed, parse = [], parser.parse
parser.parse = lambda *given: parsed.append(given) or parse(*given)
made = [
    re.compile(r"(?P<who>\w+) said: (?P<what>[^.]{1,20}+)\.", re.IGNORECASE),
    re.compile(r"(?x) (a|b)+ \1 (?=c) | \N{SNOWMAN} "),
    re.compile(rb"\A(?:\x00|\xff)+\Z"),
]
texts = ["Ann SAID: tea. ben said: no.", "abbc \N{SNOWMAN}", b"\x00\xff"]
print([(m.pattern, m.flags, m.groups, dict(m.groupindex), m.findall(text)) for m, text in zip(made, texts)])
print(len(parsed))
"""


def _made(**environment: str) -> list[str]:
    """What the expressions are in a process of its own, and how many of them it parsed."""
    command = [sys.executable, "-c", PROGRAM]
    ours = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"} | environment
    return subprocess.run(command, env=ours, capture_output=True, text=True, check=True).stdout.splitlines()


def test_an_expression_that_was_kept_is_as_it_is_made_anew(tmp_path: Path) -> None:
    """Pattern, flags, groups, names and matches; and a second process parses none of them."""
    # What this run keeps may be full already.
    own = shutil.copytree(QUICK_START, tmp_path / "tests" / "quick_start")
    anew = _made()
    first, second = (_made(PYTHONPATH=str(own)) for _ in range(2))
    assert anew[0] == first[0] == second[0]
    assert ("3", "0") == (anew[1], second[1])
