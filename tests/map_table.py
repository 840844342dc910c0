"""The map in `docs/ARCHITECTURE.md`, made from the first lines of docstrings; `python -m tests.map_table --write`."""

import ast
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[1]
DOCUMENT: Final = ROOT / "docs" / "ARCHITECTURE.md"
BEGIN: Final = "<!-- map: begin -->"
END: Final = "<!-- map: end -->"


def table() -> str:
    """The rooms as Markdown, in the order of import-linter's contracts, each followed by its packages."""
    rows = ["| where | what it does |", "|---|---|"]
    rows += [f"| `{_shown(path)}` | {first_line(path)} |" for path in _rooms()]
    return "\n".join(rows)


def written(document: str) -> str:
    """The document with the map of now between its marks."""
    head, _, rest = document.partition(BEGIN)
    _, mark, tail = rest.partition(END)
    if not mark:
        raise ValueError(f"{DOCUMENT.name} needs the marks {BEGIN} and {END}")
    return f"{head}{BEGIN}\n{table()}\n{END}{tail}"


def first_line(path: Path) -> str:
    """What a module says of itself first."""
    return (ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or "").partition("\n")[0]


def _rooms() -> Iterator[Path]:
    """Each room of bot and of cogs, from the top of the imports to the bottom."""
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"][
        "contracts"
    ]
    inner = [name for contract in contracts[1:] for name in _named(contract)]
    for name in _named(contracts[0]):
        yield from _of(name)
        for part in inner:
            if part.startswith(f"{name}."):
                yield from _of(part)


def _named(contract: dict[str, list[str]]) -> list[str]:
    return [name for line in contract.get("layers", []) for name in line.split(" | ")]


def _of(name: str) -> list[Path]:
    """A module; or a package with those in it, but for the rooms of cogs, which have an order of their own."""
    path = ROOT.joinpath(*name.split("."))
    if not path.is_dir():
        return [path.with_suffix(".py")]
    return [path / "__init__.py"] if name == "cogs" else sorted(path.rglob("__init__.py"))


def _shown(path: Path) -> str:
    path = path.relative_to(ROOT)
    return f"{path.parent}/" if path.name == "__init__.py" else str(path)


if __name__ == "__main__":
    if "--write" in sys.argv[1:]:
        DOCUMENT.write_text(written(DOCUMENT.read_text(encoding="utf-8")), encoding="utf-8")
    else:
        print(table())
