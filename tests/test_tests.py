"""Tests look at what Hathi does, wait for what happens, and lie where the code lies that they test."""

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import Final

TESTS: Final = Path(__file__).parent
CODE: Final = TESTS.parent
MAY_WAIT: Final = "waiting.py"
"""Where alone the clock is waited for. Benchmarks, which measure times, may besides."""


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
