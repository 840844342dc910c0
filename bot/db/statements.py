"""Loads the statements of `sql/queries/*.sql` by name; the only SQL there is.

What several statements of a file have in common stands there once, as `-- part: x`, and in each as a line `{x}`.
"""

import re
from collections.abc import Mapping
from functools import cache
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Final, LiteralString, cast

_NAME: Final = re.compile(r"^-- (name|part): ([a-z_]+)\n", re.MULTILINE)
_INCLUDED: Final = re.compile(r"^\{([a-z_]+)\}(?=,?$)", re.MULTILINE)


def sql_folder() -> Traversable:
    """The `sql` folder: inside the installed package, or beside it in a checkout."""
    packaged = resources.files("bot") / "sql"
    return packaged if packaged.is_dir() else Path(__file__).parents[2] / "sql"


@cache
def load(file: str) -> dict[str, LiteralString]:
    """The statements of `sql/queries/<file>.sql` in the order they stand there."""
    text = (sql_folder() / "queries" / f"{file}.sql").read_text(encoding="utf-8")
    _, *pieces = _NAME.split(text)
    kinds, names, bodies = pieces[::3], pieces[1::3], [body.strip() for body in pieces[2::3]]
    if len(set(names)) != len(names):
        raise ValueError(f"{file}.sql names a statement twice")
    found = [*zip(kinds, names, bodies, strict=True)]
    parts = {name: body for kind, name, body in found if kind == "part"}
    # Packaged files are part of the program text, which is what LiteralString stands for.
    return {name: cast("LiteralString", whole(body, parts)) for kind, name, body in found if kind == "name"}


def whole(body: str, parts: Mapping[str, str]) -> str:
    """A statement with the parts it includes; one that is missing fails as it is loaded."""
    return _INCLUDED.sub(lambda included: parts[included[1]], body)


def named(path: str) -> LiteralString:
    """One statement by `file.name`; a missing one fails at import, not at its first use."""
    file, _, name = path.partition(".")
    return load(file)[name]


def files() -> list[str]:
    """Every file of statements, by name."""
    return sorted(f.name.removesuffix(".sql") for f in (sql_folder() / "queries").iterdir() if f.name.endswith(".sql"))
