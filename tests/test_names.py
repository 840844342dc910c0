"""One name, one thing: no two public classes and no two modules of the program share a name."""

import ast
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[1]
MODULES: Final = sorted(path for top in ("bot", "cogs") for path in (ROOT / top).rglob("*.py"))
EXEMPT: Final = frozenset({"Sql", "__init__"})
"""What each module has for itself: the statements it names, and a package's own page."""


def test_no_two_modules_share_a_name():
    """A module's last name says which it is; packages may be called as one of them is."""
    assert {} == _shared((path.stem, path) for path in MODULES)


def test_no_two_public_classes_share_a_name():
    """Whoever reads a class's name knows which it is, wherever it was imported from."""
    assert {} == _shared((name, path) for path in MODULES for name in _classes(path))


def test_a_name_that_is_shared_is_seen():
    """The reader of names finds what stands twice, and lets the exempt pass."""
    twice = [("Kind", ROOT / "a.py"), ("Kind", ROOT / "b.py"), ("Sql", ROOT / "a.py"), ("Sql", ROOT / "b.py")]

    assert {"Kind": ["a.py", "b.py"]} == _shared(twice)


def _classes(path: Path) -> Iterator[str]:
    """The public classes at the top of a module."""
    body = ast.parse(path.read_text(encoding="utf-8")).body
    return (node.name for node in body if isinstance(node, ast.ClassDef) and not node.name.startswith("_"))


def _shared(named: Iterator[tuple[str, Path]] | list[tuple[str, Path]]) -> dict[str, list[str]]:
    """The names that stand for several things, and where."""
    where = defaultdict[str, list[str]](list)
    for name, path in named:
        if name not in EXEMPT:
            where[name].append(str(path.relative_to(ROOT)))
    return {name: paths for name, paths in where.items() if len(paths) > 1}
