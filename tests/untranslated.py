"""The sentences that people are sent and that do not go through the catalogue, by module; found in the code."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[1]
PLACES: Final = ("bot/presentation", "bot/commands", "bot/turn", "bot/text/notices.py", "bot/errors.py", "cogs")
"""Where the texts stand that people are sent."""
_MARKS: Final = frozenset({"gettext", "ngettext", "later"})
_LOGS: Final = frozenset({"_log"})
_NO_TEXTS: Final = frozenset({"cast", "compile", "TypeVar"})
_WORD: Final = re.compile(r"[A-Za-z']{2,}")
_SENTENCE: Final = re.compile(r"\W*[A-Z].*|.*[.?!:]\W*", re.DOTALL)


def sentences() -> dict[str, list[str]]:
    """By module each sentence that is not marked: three words that begin or end as a sentence does."""
    found: dict[str, list[str]] = {}
    for place in PLACES:
        path = ROOT / place
        for file in [path] if path.is_file() else sorted(path.rglob("*.py")):
            told = [*of_file(file)]
            if told:
                found[".".join(file.relative_to(ROOT).with_suffix("").parts)] = told
    return found


def of_file(file: Path) -> Iterator[str]:
    """The unmarked sentences of a module."""
    return _told(ast.parse(file.read_text(encoding="utf-8")))


def _told(node: ast.AST) -> Iterator[str]:
    """The unmarked sentences below a node of the code; what is logged and what documents is none."""
    if isinstance(node, ast.Call):
        named = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        owner = getattr(node.func.value, "id", "") if isinstance(node.func, ast.Attribute) else ""
        if named in _MARKS | _NO_TEXTS or owner in _LOGS:
            return
    text = _text(node)
    if text is not None:
        if len(_WORD.findall(text)) >= 3 and _SENTENCE.fullmatch(text):
            yield text
        if not isinstance(node, ast.JoinedStr):
            return
    for child in ast.iter_child_nodes(node):
        # A text alone is a docstring; a part of one that is filled in was read with it.
        if not (isinstance(child, ast.Expr) and isinstance(child.value, ast.Constant)) and not (
            isinstance(node, ast.JoinedStr) and isinstance(child, ast.Constant)
        ):
            yield from _told(child)


def _text(node: ast.AST) -> str | None:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if isinstance(node, ast.JoinedStr):
        return "".join(str(part.value) if isinstance(part, ast.Constant) else "{}" for part in node.values)
    return None


if __name__ == "__main__":
    for module, told in sentences().items():
        print(module)
        for sentence in told:
            print(f"    {sentence!r}")
