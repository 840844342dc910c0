"""Keeps what regular expressions compile to: half of what a process of Hathi costs at its start.

Python imports this at the start of every process that has its folder on PYTHONPATH, as `tests/conftest.py` sees to for
those that tests start. What is kept belongs to one Python; a process that can't read or write it compiles as ever.
"""

import contextlib
import hashlib
import marshal
import os
import re
import sys
from pathlib import Path
from re import _compiler as compiler  # type: ignore[attr-defined]  # pyright: ignore[reportAttributeAccessIssue]
from re import _parser as parser  # type: ignore[attr-defined]  # pyright: ignore[reportAttributeAccessIssue]
from typing import Any, Final

KEPT: Final = Path(__file__).parents[2] / ".pytest_cache" / "patterns"
MOST: Final = 4_000
"""Expressions; beyond them no more are kept."""
compile_anew: Final = compiler.compile


def _compiled(pattern: Any, flags: int = 0) -> re.Pattern[Any]:
    """As `re` compiles it, from what is kept of an earlier time where there is one."""
    if not isinstance(pattern, str | bytes) or flags & re.DEBUG:
        return compile_anew(pattern, flags)
    name = hashlib.blake2b(repr((sys.version, pattern, int(flags))).encode("utf-8", "surrogatepass")).hexdigest()[:40]
    with contextlib.suppress(OSError, EOFError, ValueError, TypeError):
        return compiler._sre.compile(pattern, *marshal.loads((KEPT / name).read_bytes()))
    tree = parser.parse(pattern, flags)
    named = tree.state.groupdict
    places: list[str | None] = [None] * tree.state.groups
    for called, place in named.items():
        places[place] = called
    # As `re._compiler.compile` calls it.
    code = [*map(int, compiler._code(tree, flags))]
    made = (int(flags | tree.state.flags), code, tree.state.groups - 1, named, tuple(places))
    _keep(name, marshal.dumps(made))
    return compiler._sre.compile(pattern, *made)


def _keep(name: str, made: bytes) -> None:
    half_done = KEPT / f"{name}.{os.getpid()}"
    with contextlib.suppress(OSError):
        KEPT.mkdir(parents=True, exist_ok=True)
        if len(os.listdir(KEPT)) >= MOST:  # noqa: PTH208  only their number is wanted
            return
        half_done.write_bytes(made)
        half_done.rename(KEPT / name)


compiler.compile = _compiled
