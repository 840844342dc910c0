"""The documents lead to what is there: the map, the files and the names they tell."""

import ast
import re
from functools import cache
from pathlib import Path
from typing import Final

import pytest

from tests import map_table, settings_table

ROOT: Final = Path(__file__).parents[1]
DOCUMENTS: Final = sorted([*(ROOT / "docs").glob("*.md"), ROOT / "README.md", *ROOT.glob("CONTRIBUTING.md")])
MODULES: Final = {path for top in ("bot", "cogs", "tests") for path in (ROOT / top).rglob("*.py")}
LONGEST: Final = 120
EXAMPLES: Final = frozenset({"src/app/main.py"})
"""Told as what somebody might ask about."""
A_FILE: Final = re.compile(r"[\w./-]+\.(?:py|sql|sh|jsonl|service)|(?:bot|cogs|tests|sql|docs|deploy)/[\w./-]*")
A_NAME: Final = re.compile(r"\w+(?:\.\w+)+")
SUFFIXES: Final = frozenset({"md", "toml", "txt", "log", "env", "conf", "pdf", "location"})
"""Of files on the disk of whoever runs Hathi, which the names of code don't end in."""


def told(document: Path) -> list[str]:
    """What a document writes as code, within its lines."""
    text = re.sub(r"```.*?```", "", document.read_text(encoding="utf-8"), flags=re.DOTALL)
    return re.findall(r"`([^`\n]+)`", text)


def test_the_map_is_the_tree_s() -> None:
    """The map of ARCHITECTURE is made from the docstrings; `python -m tests.map_table --write` mends it."""
    document = map_table.DOCUMENT.read_text(encoding="utf-8")
    assert map_table.written(document) == document


def test_every_module_says_what_it_is() -> None:
    """In one sentence that fits on a line; that of a package stands in the map."""
    lines = {path: map_table.first_line(path) for path in MODULES if path.parts[len(ROOT.parts)] != "tests"}
    assert [] == [path for path, line in lines.items() if not line.endswith(".") or not 10 < len(line) < LONGEST]


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_every_file_a_document_names_is_there(document: Path) -> None:
    """By its path from the root; by its name alone where it lies beside the file named before it."""
    beside, missing = ROOT, list[str]()
    for name in filter(A_FILE.fullmatch, told(document)):
        found = next((path for path in (ROOT / name, beside / name) if path.exists()), None)
        missing += [name] if found is None and name not in EXAMPLES else []
        beside = found.parent if found is not None else beside

    assert [] == missing


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_every_name_a_document_tells_is_the_program_s(document: Path) -> None:
    """Whether of code, of a statement, a column, a setting or a log event."""
    names = [name for name in told(document) if A_NAME.fullmatch(name) and not A_FILE.fullmatch(name)]

    assert [] == [name for name in names if name.rpartition(".")[2] not in SUFFIXES and not is_known(name)]


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_every_link_of_a_document_leads_somewhere(document: Path) -> None:
    """To a file of the project, where it is no address."""
    linked = [
        target for target in re.findall(r"\]\(([^)#]+)", document.read_text(encoding="utf-8")) if ":" not in target
    ]

    assert [] == [target for target in linked if not (document.parent / target).exists()]


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_every_section_a_document_leads_to_is_there(document: Path) -> None:
    """A link to a part of a page names one of its headings, as they are made into addresses."""
    linked = re.findall(r"\]\((?!http)([^)#]*)#([^)]+)\)", document.read_text(encoding="utf-8"))

    assert [] == [
        (page, part) for page, part in linked if part not in _headings(document.parent / page if page else document)
    ]


def _headings(document: Path) -> set[str]:
    lines = re.findall(r"(?m)^#+ (.+)$", document.read_text(encoding="utf-8"))
    return {re.sub(r"[^\w -]", "", line).lower().replace(" ", "-") for line in lines}


def test_a_name_that_is_not_there_is_seen() -> None:
    """A module, a function, a statement or a column that is gone is not known."""
    gone = ["bot.memory", "chain.walked_on", "turn.claimed_by_all", "messages.keep_weeks", "Commands.walk"]
    assert [] == [name for name in gone if is_known(name)]


def is_known(name: str) -> bool:
    return not name[0].isalpha() or name.isupper() or name in _words() or _is_code(name)


def _is_code(name: str) -> bool:
    """A package or module by its whole name or its last; or what one of these, or a class, holds."""
    owner, _, member = name.rpartition(".")
    whole = ROOT.joinpath(*name.split("."))
    return (
        whole.is_dir() or whole.with_suffix(".py") in MODULES or member in _members().get(owner.rpartition(".")[2], ())
    )


@cache
def _members() -> dict[str, set[str]]:
    """What modules, packages and classes hold, by their last name."""
    members: dict[str, set[str]] = {}
    for path in MODULES:
        tree = ast.parse(path.read_text(encoding="utf-8"))
        members.setdefault(path.parent.name if path.name == "__init__.py" else path.stem, set()).update(_named(tree))
        for node in tree.body:
            if isinstance(node, ast.ClassDef):
                members.setdefault(node.name, set()).update(_named(node))
    return members


def _named(body: ast.Module | ast.ClassDef) -> set[str]:
    named = {node.name for node in body.body if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)}
    targets = [
        node.target if isinstance(node, ast.AnnAssign) else node.targets[0]
        for node in body.body
        if isinstance(node, ast.AnnAssign | ast.Assign)
    ]
    return named | {target.id for target in targets if isinstance(target, ast.Name)}


@cache
def _words() -> set[str]:
    """Statements, columns, settings; and whatever the program writes out in full: log events, marks."""
    words = {".".join(setting.path) for setting in settings_table.settings()}
    for path in (ROOT / "sql/queries").glob("*.sql"):
        words |= {f"{path.stem}.{name}" for name in re.findall(r"-- name: (\w+)", path.read_text(encoding="utf-8"))}
    schema = "\n".join(path.read_text(encoding="utf-8") for path in sorted((ROOT / "sql/migrations").glob("*.sql")))
    for table, body in re.findall(r"(?:CREATE|ALTER) TABLE (?:IF NOT EXISTS )?(\w+)(.*?);\n", schema, re.DOTALL):
        words |= {f"{table}.{word}" for word in re.findall(r"\w+", body)}
    for path in MODULES:
        if path.parts[len(ROOT.parts)] != "tests":
            words |= set(re.findall(r'"(\w+(?:\.\w+)+)"', path.read_text(encoding="utf-8")))
    return words
