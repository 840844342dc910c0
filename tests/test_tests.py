"""Tests look at what Hathi does, wait for what happens, and lie where the code lies that they test."""

import ast
import functools
from collections.abc import Iterator
from pathlib import Path
from typing import Final

TESTS: Final = Path(__file__).parent
CODE: Final = TESTS.parent
MAY_WAIT: Final = "waiting.py"
"""Where alone the clock is waited for. Benchmarks, which measure times, may besides."""
MOST_TOUCHED: Final = 8
"""How often tests may touch a private of the program; it is only ever lowered."""
DISCORDS: Final = frozenset({"_connection", "_guilds", "_last_recv", "_overwrites"})
"""What discord.py's objects keep under names that are also names here: only its own are read from outside."""


def _modules() -> Iterator[tuple[Path, ast.Module]]:
    """Every module of the tests but the benchmarks, by its path among them."""
    for path in sorted(TESTS.rglob("*.py")):
        name = path.relative_to(TESTS)
        if name.parts[0] != "benchmarks":
            yield name, ast.parse(path.read_text(encoding="utf-8"))


def _is_wait(node: ast.AST) -> bool:
    """Whether it is a call of any `sleep` with anything but a plain 0."""
    if not isinstance(node, ast.Call) or ast.unparse(node.func).rpartition(".")[2] != "sleep":
        return False
    return not (node.args and isinstance(node.args[0], ast.Constant) and node.args[0].value == 0)


def test_nothing_sleeps() -> None:
    """What is waited for is looked at, or tells; a time that passes is a guess, too short or too long."""
    found = [
        f"{name}:{node.lineno}"
        for name, module in _modules()
        if name.name != MAY_WAIT
        for node in ast.walk(module)
        if isinstance(node, ast.Call) and _is_wait(node)
    ]
    assert [] == found


def test_no_test_lets_time_pass() -> None:
    """Only scripted servers are slow."""
    found = [
        f"{name}:{node.lineno}"
        for name, module in _modules()
        if name.name.startswith("test_")
        for node in ast.walk(module)
        if isinstance(node, ast.Attribute) and node.attr == "passed" and ast.unparse(node.value) == "waiting"
    ]
    assert [] == found


def test_tests_lie_where_the_code_does() -> None:
    """Every folder of tests of a package is a room of that package."""
    folders = [
        path.relative_to(TESTS)
        for package in ("bot", "cogs")
        for path in sorted((TESTS / package).rglob("*"))
        if path.is_dir() and path.name != "__pycache__"
    ]
    assert [] == [str(folder) for folder in folders if not (CODE / folder / "__init__.py").is_file()]


def test_tests_look_inside_ever_less() -> None:
    """What tests need is told by constructors and by what Hathi does: of the program's privates they touch few.

    A private is a name with one leading underscore that a module of bot, cogs or tests defines. It is touched by
    reading it of anything but `self` and `cls`, by importing it, and by setting it by its name; by the module that
    defines it, or a class of which it is read, that does not count, nor what the libraries keep: under names that
    nothing here defines, and under those of `DISCORDS`.
    """
    touched = sum(len(_touched(module)) for _, module in _modules())
    assert touched <= MOST_TOUCHED


def _touched(module: ast.Module) -> list[str]:
    names, read = list[str](), list[str]()
    for node in ast.walk(module):
        match node:
            case ast.Attribute(value=ast.Name(id="self" | "cls")):
                pass
            case ast.Attribute(attr=name):
                read.append(name)
            case ast.ImportFrom():
                names += [alias.name for alias in node.names]
            case ast.Call(func=ast.Name(id="setattr") | ast.Attribute(attr="setattr")):
                given = [each.value for each in node.args[:2] if isinstance(each, ast.Constant)]
                names += [str(value).rpartition(".")[2] for value in given]
            case _:
                pass
    others = _privates() - DISCORDS
    own, of_classes = _defined(module), _defined(*(node for node in ast.walk(module) if isinstance(node, ast.ClassDef)))
    return [name for name in names if name in others - own] + [name for name in read if name in others - of_classes]


@functools.cache
def _privates() -> frozenset[str]:
    """The privates of all modules."""
    paths = (path for folder in ("bot", "cogs", "tests") for path in (CODE / folder).rglob("*.py"))
    return frozenset(name for path in paths for name in _defined(ast.parse(path.read_text(encoding="utf-8"))))


def _defined(*within: ast.Module | ast.ClassDef) -> set[str]:
    """The privates defined in modules or classes: functions, classes, attributes and variables."""
    names = set[str]()
    for node in (node for each in within for node in ast.walk(each)):
        match node:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                names.add(name)
            case ast.Attribute(value=ast.Name(id="self" | "cls"), attr=name, ctx=ast.Store()):
                names.add(name)
            case ast.Name(id=name, ctx=ast.Store()):
                names.add(name)
            case _:
                pass
    return {name for name in names if name.startswith("_") and not name.startswith("__") and name != "_"}
