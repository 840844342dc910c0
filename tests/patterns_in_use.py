"""Every regular expression of Hathi and how it is used: a program of its own, as it must be there before the first.

It loads every module of `bot` and `cogs`, runs all that reads texts on some, and writes a JSON line an expression:
where it is made, its pattern and flags, whether it is looked for anywhere in a text, whether it must match the whole,
and the longest part of a text it was given.
"""

import importlib
import json
import pkgutil
import re
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

ROOT: Final = Path(__file__).parent.parent
LENGTH: Final = 1_600
"""Characters of the texts that are read."""
_SEARCHES: Final = frozenset({"search", "finditer", "findall", "split", "sub", "subn"})
_METHODS: Final = _SEARCHES | {"match", "fullmatch"}
_TEXTS: Final = (
    "Ann said on 5 May 2024 that the gate (see issue #12 of nexus) opens at 3 pm; she prefers tea. We decided on teal.",
    "What did Ruth Nakamura say last week? I was wrong (#42).",
    "please remember that the code is 4417, thanks",
    "the code is 4417. Please remember that.",
    "thanks, that will be all",
    "perfect, keep that",
    "what do you know about me?",
    "where did we leave off?",
    "---\ntitle: Deploying\nwhen: [deploy it, ship it]\n---\n1. Build.\n2. Ship.",
)


@dataclass(slots=True, kw_only=True)
class _Used:
    """One expression."""

    made: str
    ways: set[str]
    longest: int = 0


class _Watched:
    """An expression that notes how it is used."""

    def __init__(self, pattern: re.Pattern[Any], used: _Used) -> None:
        self._pattern = pattern
        self._used = used

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._pattern, name)
        if name in _METHODS:
            found = self._noting(name, found)
        # Asked for once: the next time it is there.
        setattr(self, name, found)
        return found

    def _noting(self, name: str, found: Callable[..., Any]) -> Callable[..., Any]:
        used, place = self._used, 1 if name in {"sub", "subn"} else 0
        is_windowed = name in {"search", "match", "fullmatch", "finditer"}

        def noted(*given: Any, **named: Any) -> Any:
            used.ways.add(name)
            longest = len(given[place])
            if is_windowed and len(given) > 1:
                # What stands behind the text in `search(text, from, to)` bounds what is read of it.
                longest = min(given[2], longest) - given[1] if len(given) > 2 else longest - given[1]
            if longest > used.longest:
                used.longest = longest
            return found(*given, **named)

        return noted


def _watch() -> dict[tuple[str | bytes, int], _Used]:
    """All that is compiled from here on, by its pattern and flags."""
    compiled, found = re._compile, dict[tuple[str | bytes, int], _Used]()  # type: ignore[attr-defined]

    def watched(pattern: Any, flags: Any) -> Any:
        made = compiled(pattern, flags)
        frame = sys._getframe(1)
        while frame.f_back and Path(frame.f_code.co_filename).name in {"__init__.py", "patterns.py", "functools.py"}:
            frame = frame.f_back
        file = Path(frame.f_code.co_filename)
        if not file.is_relative_to(ROOT) or file.relative_to(ROOT).parts[0] not in {"bot", "cogs"}:
            return made
        where = str(file.relative_to(ROOT))
        used = found.setdefault((made.pattern, int(made.flags)), _Used(made=where, ways=set()))
        return _Watched(made, used)

    re._compile = watched  # type: ignore[attr-defined]
    return found


def main() -> None:
    found = _watch()
    for package in ("bot", "cogs"):
        for module in pkgutil.walk_packages([str(ROOT / package)], f"{package}."):
            if not module.name.endswith("__main__"):
                importlib.import_module(module.name)
    from tests import hostile_texts, text_readers  # what they import is to be seen

    texts = [*_TEXTS, *(hostile_texts.text(shape, LENGTH) for shape in hostile_texts.NAMES)]
    for read in text_readers.READERS.values():
        for text in texts:
            text_readers.refused(read, text)
    for (pattern, flags), used in found.items():
        if isinstance(pattern, str):
            # What was never used is taken for looked for.
            searched = not used.ways or not _SEARCHES.isdisjoint(used.ways)
            whole = used.ways == {"fullmatch"}
            print(json.dumps([used.made, pattern, flags, searched, whole, used.longest]))


if __name__ == "__main__":
    main()
