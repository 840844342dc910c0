"""The sentences that people are sent and that do not go through the catalogue, by module; found in the code."""

import ast
import re
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Final

from bot import errors

ROOT: Final = Path(__file__).parents[1]
PLACES: Final = ("bot/presentation", "bot/commands", "bot/turn", "bot/text/notices.py", "bot/errors.py", "cogs")
"""Where the texts stand that people are sent."""
OF_OPERATORS: Final = ("bot/cli", "bot/config.py", "bot/__main__.py")
"""What is raised there is told in the operator's terminal."""
_RAISED: Final = frozenset(
    name for name, kind in vars(errors).items() if isinstance(kind, type) and issubclass(kind, errors.UserError)
)
_MARKS: Final = frozenset({"gettext", "ngettext", "later"})
_LOGS: Final = frozenset({"_log"})
_NO_TEXTS: Final = frozenset({"cast", "compile", "TypeVar"})
_WORD: Final = re.compile(r"[A-Za-z']{2,}")
_SENTENCE: Final = re.compile(r"\W*[A-Z].*|.*[.?!:]\W*", re.DOTALL)


def sentences() -> dict[str, list[str]]:
    """By module each sentence that is not marked: three words that begin or end as a sentence does."""
    return _by_module(_files(PLACES), of_file)


def raised() -> dict[str, list[str]]:
    """The same of what is raised for people in all other modules of the bot."""
    known = {*_files(PLACES), *_files(OF_OPERATORS)}
    return _by_module((file for file in _files(["bot"]) if file not in known), raised_by)


def of_file(file: Path) -> Iterator[str]:
    """The unmarked sentences of a module."""
    return _told(ast.parse(file.read_text(encoding="utf-8")))


def raised_by(file: Path) -> Iterator[str]:
    """Those that a module gives the errors of people, itself or by the name of a text or function of its own."""
    tree = ast.parse(file.read_text(encoding="utf-8"))
    named: dict[str, list[ast.AST]] = {}
    for node in ast.walk(tree):
        for name in _names(node):
            named.setdefault(name, []).append(node)
    given = [part for node in ast.walk(tree) if _is_raised(node) for part in ast.iter_child_nodes(node)]
    used = dict.fromkeys(node.id for part in given for node in ast.walk(part) if isinstance(node, ast.Name))
    for part in [*given, *(node for name in used for node in named.get(name, []))]:
        yield from _told(part)


def _files(places: Iterable[str]) -> list[Path]:
    paths = [ROOT / place for place in places]
    return [file for path in paths for file in ([path] if path.is_file() else sorted(path.rglob("*.py")))]


def _by_module(files: Iterable[Path], read: Callable[[Path], Iterator[str]]) -> dict[str, list[str]]:
    found = {".".join(file.relative_to(ROOT).with_suffix("").parts): [*read(file)] for file in files}
    return {module: told for module, told in found.items() if told}


def _is_raised(node: ast.AST) -> bool:
    """Whether it makes an error that people are told."""
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in _RAISED


def _names(node: ast.AST) -> Iterator[str]:
    """What a part of the code gives a name to: a text, or what makes one."""
    if isinstance(node, ast.FunctionDef):
        yield node.name
    if isinstance(node, ast.Assign | ast.AnnAssign):
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        yield from (target.id for target in targets if isinstance(target, ast.Name))


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
    for module, told in (sentences() | raised()).items():
        print(module)
        for sentence in told:
            print(f"    {sentence!r}")
