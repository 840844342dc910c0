"""Tests look at what Hathi does, wait for what happens, and lie where the code lies that they test."""

import ast
import functools
import re
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

SENTENCE: Final = 6
"""Words from which on a text that ends on a mark is a sentence."""
REQUIRED: Final = {
    "I don't have this in my memory.": "what is said where nothing is found",
    "I don't know {}; did you mean {}?": "what is said of a name that is mistyped",
    "No more on page {}; there are {} pages.": "what is said of a page too many",
    "Why result {} of {}: {} looked at, {} discarded.": "which results are explained, line by line",
    "Why results {} to {} of {}: {} looked at, {} discarded.": "which results are explained, line by line",
    "Why these {} results: {} looked at, {} discarded.": "which results are explained, line by line",
    "Model: {}, {} in ({} of them its server still had), {} out.": "how a reply came about, line by line",
    "Aged {} from short-term to long-term (threshold: {}h).": "what ageing tells",
    "Not summarized yet: {} messages are kept; trying again.": "the message of a reset, line by line",
    "{}undo takes these back; {}forget <id> forgets one.": "the message of a reset, line by line",
    "That holds for this channel and its public threads.": "for whom a memory mode is set",
    "You may be remembered already: you had not opted out.": "what opting in means",
    "{}memory tells what is kept in a channel.": "what opting in means",
    "What people filed and noted, quoted.": "a prompt",
    "- Room {}: {} in the week before, the last on {}.": "a prompt",
    "I have not saved that yet.": "what a claim of having saved gives way to",
    "What do you know about me?": "a request in plain words, which is a command's name too",
    "When did we say the open day is?": "a question of the demonstration, asked elsewhere too",
}
"""The sentences of the program whose wording itself is tested, each with what it is."""

_WORD: Final = re.compile(r"[^\W\d_][\w'\u2019]*")


@functools.cache
def _modules() -> list[tuple[Path, ast.Module]]:
    """Every module of the tests but the benchmarks, by its path among them."""
    paths = ((path.relative_to(TESTS), path) for path in sorted(TESTS.rglob("*.py")))
    return [
        (name, ast.parse(path.read_text(encoding="utf-8"))) for name, path in paths if name.parts[0] != "benchmarks"
    ]


def _is_wait(node: ast.AST) -> bool:
    """Whether it is a call of any `sleep` with anything but a plain 0."""
    if not isinstance(node, ast.Call):
        return False
    called = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
    if called != "sleep":
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


def test_no_number_is_looked_for_where_ids_stand() -> None:
    """A few digits stand by chance in an id of Discord, which is made of the time: its messages are known by words."""
    found = [
        f"{name}:{node.lineno}"
        for name, module in _modules()
        if name.parts[0] == "cogs"
        for node in ast.walk(module)
        if isinstance(node, ast.Compare) and _is_number(node.left) and isinstance(node.ops[0], ast.In | ast.NotIn)
    ]
    assert [] == found


def _is_number(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value.isdigit()


def test_tests_lie_where_the_code_does() -> None:
    """Every folder of tests of a package is a room of that package."""
    folders = [
        path.relative_to(TESTS)
        for package in ("bot", "cogs")
        for path in sorted((TESTS / package).rglob("*"))
        if path.is_dir() and path.name != "__pycache__"
    ]
    assert [] == [str(folder) for folder in folders if not (CODE / folder / "__init__.py").is_file()]


def test_sentences_are_told_by_what_matters_in_them() -> None:
    """A reply is known by its constant, or by the number, the name or the few words that tell it from others.

    A sentence of the program stands literally in an assert, in a table of cases or in a `match` only where its
    wording is what is required.
    """
    asserted = "\n".join(text for _, module in _modules() for text in _asserted(module))
    found = {sentence for sentence in _sentences() if _holds(asserted, sentence.split("{}"))}
    assert set(REQUIRED) == found


def _asserted(module: ast.Module) -> Iterator[str]:
    """The texts of its asserts, of its tables of cases and of what errors are to match."""
    for node in ast.walk(module):
        match node:
            case ast.Assert() | ast.Call(func=ast.Attribute(attr="parametrize")) | ast.keyword(arg="match"):
                yield from _texts(node)
            case _:
                pass


def _sentences() -> frozenset[str]:
    """Of all texts of the program, with {} for what differs."""
    paths = (path for folder in ("bot", "cogs") for path in (CODE / folder).rglob("*.py"))
    texts = (text for path in paths for text in _texts(ast.parse(path.read_text(encoding="utf-8"))))
    sentences = (sentence for text in texts for sentence in re.split(r"(?<=[.?!])(?:\s|(?=\{\}))|\n", text))
    return frozenset(each for each in sentences if each[-1:] in {*".?!"} and len(_WORD.findall(each)) >= SENTENCE)


def _texts(within: ast.AST) -> Iterator[str]:
    """Its literals, with {} for each value that is filled in."""
    nodes = [*ast.walk(within)]
    parts = {id(part) for node in nodes if isinstance(node, ast.JoinedStr) for part in node.values}
    for node in nodes:
        match node:
            case ast.JoinedStr(values=values):
                yield "".join(str(value.value) if isinstance(value, ast.Constant) else "{}" for value in values)
            case ast.Constant(value=str() as text) if id(node) not in parts:
                yield re.sub(r"\{\w+\}", "{}", text)
            case _:
                pass


def _holds(text: str, pieces: list[str]) -> bool:
    """Whether they stand in one line of the text, one behind the other."""
    pattern = ".*".join(map(re.escape, pieces))
    return all(piece in text for piece in pieces) and re.search(pattern, text) is not None


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
    foreign, elsewhere = others - own, others - of_classes
    return [name for name in names if name in foreign] + [name for name in read if name in elsewhere]


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
