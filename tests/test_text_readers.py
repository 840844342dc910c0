"""Everything that reads a text is known, so that nothing new is forgotten where texts are made to be slow."""

import ast
import re
from collections.abc import Iterator
from functools import cache
from typing import Final

import pytest

from tests import hostile_texts, text_readers
from tests.patterns_in_use import ROOT
from tests.text_excused import EXCUSED

_FIELDS: Final = frozenset({"content", "text", "body", "question", "answer", "said", "sentence", "words", "title"})
"""Fields by which a class carries a text."""
_NO_TEXTS: Final = frozenset({"zone", "prefix", "bot_name", "language", "languages", "channels"})
"""What an argument is called that is chosen by whoever runs Hathi or a server."""


@cache
def modules() -> dict[str, ast.Module]:
    """The code of every module, by its name."""
    files = sorted(file for package in ("bot", "cogs") for file in (ROOT / package).rglob("*.py"))
    return {
        ".".join(file.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"): ast.parse(file.read_text())
        for file in files
    }


def functions(body: list[ast.stmt], name: str) -> Iterator[tuple[str, ast.FunctionDef]]:
    """The public functions of a module or class that wait for nothing, by their names."""
    for node in body:
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
            yield from functions(node.body, f"{name}.{node.name}")
        elif isinstance(node, ast.FunctionDef) and not node.name.startswith("_"):
            yield f"{name}.{node.name}", node


def carriers() -> set[str]:
    """The classes that carry a text."""
    return {
        node.name
        for tree in modules().values()
        for node in ast.walk(tree)
        if isinstance(node, ast.ClassDef)
        for field in node.body
        if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name) and field.target.id in _FIELDS
    }


@cache
def candidates() -> frozenset[str]:
    """Every public function that takes a string, or something that carries one."""
    kinds = re.compile(rf"\b(?:str|{'|'.join(sorted(carriers()))})\b")
    return frozenset(
        name
        for module, tree in modules().items()
        for name, node in functions(tree.body, module)
        for argument in (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs)
        if argument.annotation and argument.arg not in _NO_TEXTS and kinds.search(ast.unparse(argument.annotation))
    )


def known() -> set[str]:
    """What is run, without in which place it reads."""
    return {name.partition(" of ")[0] for name in text_readers.READERS}


def test_whatever_takes_a_text_is_run_or_excused():
    """A function that takes a text is among those run on hostile texts, or stands with its reason among the others."""
    excused = {name for names in EXCUSED.values() for name in names.split()}

    assert set() == candidates() - known() - excused
    assert set() == excused - candidates()
    assert set() == excused & known()


@pytest.mark.parametrize("name", sorted(text_readers.READERS))
def test_every_reader_reads(name: str):
    """Each is called as it takes its text: an ordinary one, an empty one and a long one are read or refused."""
    for text in ("Ann said that the gate opens at 3 pm.", "", hostile_texts.text("sayings", 300)):
        text_readers.refused(text_readers.READERS[name], text)


def test_hostile_texts_are_all_different_and_of_their_length():
    """There are 44 shapes, all different, and each text is as long as it was asked for."""
    texts = {hostile_texts.text(shape, 500) for shape in hostile_texts.NAMES}

    assert 44 == len(texts)
    assert {500} == {len(text) for text in texts}
