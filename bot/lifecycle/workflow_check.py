"""Checks the words of a workflow's file: what is wrong in it, line by line, and what would be right."""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, Final

from bot import toml_files
from bot.dates import times
from bot.domain import Access, ModelRole
from bot.lifecycle.workflow_kinds import ARGUMENTS, KINDS, MOST_INPUTS, MOST_STEPS, NAME, REFERENCE, TALK, WorkflowKind
from bot.recall.retrievers.retrieval import MOST as MOST_PASSAGES
from bot.recall.retrievers.retrieval import Takes

_FIELDS: Final = ("kind", "steps")
MOST_ABOUT: Final = 100
"""Characters of what a workflow tells of itself."""
_RIGHT: Final[Mapping[Takes, str]] = {
    Takes.COUNT: f"a number from 1 to {MOST_PASSAGES}",
    Takes.WORDS: "keywords between semicolons, and in braces the name of a step before whose answer holds some",
    Takes.MOMENT: "a time in words, such as yesterday, last week, or since 1 March",
}
_OF_STEP: Final = ("name", "prompt", "inputs", *ARGUMENTS)
_STEP: Final = re.compile(r"\[\[\s*steps\s*\]\]")
_QUOTES: Final = re.compile(r"\"{3}|'{3}")
_SOME_DAY: Final = datetime(2024, 2, 29, tzinfo=UTC)
"""For finding out whether words name a time at all."""


class WorkflowCheck:
    """What is wrong with a file, each fault with its line."""

    def __init__(
        self, text: str, given: Mapping[str, Any], retrievers: Mapping[str, Takes], personas: Mapping[str, Access]
    ) -> None:
        """`personas` are those that a step may name, each with what of memory is open to it."""
        self._lines = text.split("\n")
        self._given = given
        self._retrievers = retrievers
        self._personas = personas
        self._starts = _steps_begin(self._lines)

    def faults(self) -> Iterator[tuple[int, str]]:
        """Line and fault; of a file of no known kind or without steps nothing further."""
        given = self._given.get("kind")
        kind = KINDS.get(given) if isinstance(given, str) else None
        fields = _fields(KINDS.values() if kind is None else [kind])
        for field in self._given:
            if field not in fields:
                yield self._line(field), toml_files.unknown("field", field, fields)
        if kind is None:
            yield self._line("kind"), toml_files.unknown("kind", given, KINDS)
            return
        makes, about = self._given.get("makes"), self._given.get("about")
        if kind.makes and makes not in kind.makes:
            yield self._line("makes"), f"makes is {toml_files.told(makes)}; it takes {_or(kind.makes)}"
        if "about" in kind.fields and not (isinstance(about, str) and 0 < len(about.strip()) <= MOST_ABOUT):
            right = f"a sentence of up to {MOST_ABOUT} characters, which tells people what it is for"
            yield self._line("about"), f"about is {toml_files.told(about)}; it takes {right}"
        steps = self._given.get("steps")
        if not isinstance(steps, list) or not steps or not all(isinstance(step, dict) for step in steps):
            yield self._line("steps"), "there are no steps: each begins with a line of [[steps]]"
            return
        if len(steps) > MOST_STEPS:
            yield self._line(None, MOST_STEPS), f"there are {len(steps)} steps; {MOST_STEPS} are the most"
            return
        yield from self._of_steps(steps, kind)

    def _of_steps(self, steps: Sequence[Mapping[str, Any]], kind: WorkflowKind) -> Iterator[tuple[int, str]]:
        variables, names = (*kind.variables, *self._retrievers), [step.get("name") for step in steps]
        for at, step in enumerate(steps):
            before = [name for name in names[:at] if isinstance(name, str)]
            if wrong := _wrong_name(names[at], before, variables):
                yield self._line("name", at), wrong
            inputs, known = _inputs(step), (*variables, *before)
            yield from self._of_call(step, at, kind)
            yield from self._of_inputs(step, at, known, names[at:])
            yield from self._of_prompt(step.get("prompt"), at, inputs, known)
            yield from self._of_arguments(step, at, inputs, before)
        if not any(kind.reads in _inputs(step) for step in steps):
            yield self._line("inputs", 0), f"no step has {kind.reads!r} among its inputs, of which it all is made"

    def _of_call(self, step: Mapping[str, Any], at: int, kind: WorkflowKind) -> Iterator[tuple[int, str]]:
        """Of whose call it is, and of fields there are none of."""
        fields = (kind.by, *_OF_STEP)
        for field in step:
            if field not in fields:
                yield self._line(field, at), toml_files.unknown("field", field, fields)
        by, callers = step.get(kind.by), [*map(str, ModelRole if kind.by == "role" else self._personas)]
        if by not in callers:
            yield self._line(kind.by, at), toml_files.unknown(kind.by, by, callers)
        elif by in self._personas:
            yield from self._of_access(step, at, by)

    def _of_access(self, step: Mapping[str, Any], at: int, by: str) -> Iterator[tuple[int, str]]:
        """Of inputs that hold memory which is not open to the persona."""
        access, told_by = self._personas[by], {one.get("name"): one.get("persona") for one in self._given["steps"][:at]}
        for name in _inputs(step):
            if name in self._retrievers and not access.reads:
                what = f"the input {name!r} is of memory, into which the persona {by} may not look"
                yield self._line("inputs", at, word=name), what
            other = self._personas.get(told_by.get(name, ""))
            if not access.is_given and (name == TALK or (other is not None and other.is_given)):
                what = f"the input {name!r} may tell of memory, of which the persona {by} is to know nothing"
                yield self._line("inputs", at, word=name), what

    def _of_inputs(
        self, step: Mapping[str, Any], at: int, known: Collection[str], later: Collection[Any]
    ) -> Iterator[tuple[int, str]]:
        inputs = step.get("inputs", [])
        if not _is_inputs(inputs):
            yield self._line("inputs", at), f"inputs is {toml_files.told(inputs)}; it takes up to {MOST_INPUTS} names"
        for name in _inputs(step):
            if name not in known:
                what = f"the input {name!r} is a step that comes no earlier" if name in later else ""
                yield self._line("inputs", at, word=name), what or toml_files.unknown("input", name, known)

    def _of_prompt(
        self, prompt: Any, at: int, inputs: Collection[str], known: Collection[str]
    ) -> Iterator[tuple[int, str]]:
        if not isinstance(prompt, str) or not prompt.strip():
            yield self._line("prompt", at), f"prompt is {toml_files.told(prompt)}; it takes what the model is to do"
            return
        for name in dict.fromkeys(REFERENCE.findall(prompt)):
            if name not in inputs:
                line = self._line("prompt", at, word=name)
                is_known = name in known
                yield (
                    line,
                    f"the prompt names {{{name}}}, which is not among the step's inputs"
                    if is_known
                    else toml_files.unknown("variable", name, known),
                )

    def _of_arguments(
        self, step: Mapping[str, Any], at: int, inputs: Collection[str], before: Collection[str]
    ) -> Iterator[tuple[int, str]]:
        """Of what retrievers are given: those that need it have it, and what is there is taken by one of them."""
        for argument, kinds in ARGUMENTS.items():
            takers, given = [name for name, takes in self._retrievers.items() if takes in kinds], step.get(argument)
            asked = next((name for name in inputs if name in takers), None)
            if given is None:
                if asked is not None and argument is not Takes.COUNT:
                    what = f"the input {asked!r} needs {argument}, a key of the step; it takes {_RIGHT[argument]}"
                    yield self._line("inputs", at, word=asked), what
            elif asked is None:
                yield self._line(argument, at), f"{argument} is there without an input that takes it: {_or(takers)}"
            elif not _is_right(argument, given):
                yield self._line(argument, at), f"{argument} is {toml_files.told(given)}; it takes {_RIGHT[argument]}"
            elif argument is Takes.WORDS:
                unknown = [name for name in dict.fromkeys(REFERENCE.findall(given)) if name not in before]
                for name in unknown:
                    yield self._line(argument, at, word=name), toml_files.unknown("step before this one", name, before)

    def _line(self, field: str | None, step: int | None = None, *, word: str = "") -> int:
        """The line, from 1, of a field of the file or of a step, or of a word from there on; else of its step."""
        start, end = 0, len(self._lines)
        if step is not None and step < len(self._starts):
            start, end = self._starts[step], [*self._starts, len(self._lines)][step + 1]
        elif step is None and self._starts:
            end = self._starts[0]
        named = re.compile(rf"\s*[\"']?{re.escape(field)}[\"']?\s*=") if field else None
        at = next((n for n in range(start, end) if named is None or named.match(self._lines[n])), start)
        whole = re.compile(rf"(?<![\w-]){re.escape(word)}(?![\w-])")
        return next((n for n in range(at, end) if word and whole.search(self._lines[n])), at) + 1


def _fields(kinds: Iterable[WorkflowKind]) -> list[str]:
    """What a file of one of these kinds tells, beside its steps."""
    return [*_FIELDS, *dict.fromkeys(field for kind in kinds for field in kind.fields)]


def _inputs(step: Mapping[str, Any]) -> Sequence[str]:
    """The inputs of a step; none where they are no names."""
    inputs = step.get("inputs", [])
    return inputs if _is_inputs(inputs) else []


def _is_inputs(given: Any) -> bool:
    return isinstance(given, list) and len(given) <= MOST_INPUTS and all(isinstance(name, str) for name in given)


def _is_right(argument: Takes, given: Any) -> bool:
    """Whether retrievers may be given this."""
    match argument:
        case Takes.COUNT:
            return type(given) is int and 1 <= given <= MOST_PASSAGES
        case Takes.WORDS:
            return isinstance(given, str) and bool(given.strip(" ;\n"))
        case _:
            return isinstance(given, str) and bool(times.read(given, as_of=_SOME_DAY, zone="UTC").spans)


def _wrong_name(name: Any, before: Collection[str], variables: Collection[str]) -> str:
    """What is wrong with the name of a step, if anything."""
    if not isinstance(name, str) or not NAME.fullmatch(name):
        return f"name is {toml_files.told(name)}; it takes small letters, digits, _ and -"
    if name in variables:
        return f"name is {name!r}, which is a variable; a step needs a name of its own"
    return f"name is {name!r}, as of a step before; a step needs a name of its own" if name in before else ""


def _steps_begin(lines: Sequence[str]) -> list[int]:
    """The lines on which steps begin, as they count from 0; what stands in a text of several lines begins none."""
    found, opened = list[int](), ""
    for number, line in enumerate(lines):
        if not opened and _STEP.match(line.lstrip()):
            found.append(number)
        for quotes in _QUOTES.findall(line):
            opened = quotes if not opened else "" if opened == quotes else opened
    return found


def _or(names: Sequence[str]) -> str:
    return " or ".join(names)
