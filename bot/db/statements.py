"""Loads the statements of `sql/queries/*.sql` by name; the only SQL there is."""

import re
from functools import cache
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Final, LiteralString, cast

_NAME: Final = re.compile(r"^-- name: ([a-z_]+)\n", re.MULTILINE)


def sql_folder() -> Traversable:
    """The `sql` folder: inside the installed package, or beside it in a checkout."""
    packaged = resources.files("bot") / "sql"
    return packaged if packaged.is_dir() else Path(__file__).parents[2] / "sql"


@cache
def load(file: str) -> dict[str, LiteralString]:
    """The statements of `sql/queries/<file>.sql` in the order they stand there."""
    text = (sql_folder() / "queries" / f"{file}.sql").read_text(encoding="utf-8")
    _, *parts = _NAME.split(text)
    names, bodies = parts[::2], parts[1::2]
    if len(set(names)) != len(names):
        raise ValueError(f"{file}.sql names a statement twice")
    # Packaged files are part of the program text, which is what LiteralString stands for.
    return {name: cast("LiteralString", body.strip()) for name, body in zip(names, bodies, strict=True)}


def named(path: str) -> LiteralString:
    """One statement by `file.name`; a missing one fails at import, not at its first use."""
    file, _, name = path.partition(".")
    return load(file)[name]


def files() -> list[str]:
    """Every file of statements, by name."""
    return sorted(f.name.removesuffix(".sql") for f in (sql_folder() / "queries").iterdir() if f.name.endswith(".sql"))
