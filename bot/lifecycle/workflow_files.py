"""Reads workflows: chains of calls of models, as TOML files beside the settings describe them, each word checked.

A file tells its kind, what it makes, and steps. Each step has a role, a prompt, and by their names what it is given:
what memory is made of, what retrievers give of the past, and what steps before it said.
"""

import re
import tomllib
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib import resources
from pathlib import Path
from typing import Any, Final

from bot import errors, toml_files
from bot.dates import times
from bot.domain import MemoryPart, ModelRole
from bot.recall.retrievers.retrieval import MOST as MOST_PASSAGES
from bot.recall.retrievers.retrieval import USUAL, Takes

FOLDER: Final = "workflows"
NONE: Final = "none"
"""What a channel names that wants no workflow."""
MOST: Final = 50
"""Files that are read."""
MOST_STEPS: Final = 8
MOST_INPUTS: Final = 16
"""Of one step."""
CHUNK: Final = "chunk"
RECENT: Final = "recent"
RECENT_AS: Final[Mapping[str, int]] = {"recent_chunks": 3, "ledger": 200}
"""Names of what the retriever `recent` gives where it is asked for so many."""
_NAME: Final = re.compile(r"[a-z][a-z0-9_-]{0,30}")
_REFERENCE: Final = re.compile(r"\{[ \t]*([A-Za-z_][\w -]{0,40}?)[ \t]*\}")
"""A name in braces; braces around anything else, as of JSON, stay what they are."""
_FIELDS: Final = ("kind", "makes", "steps")
_ARGUMENTS: Final[Mapping[Takes, Collection[Takes]]] = {
    Takes.COUNT: (Takes.COUNT, Takes.WORDS),
    Takes.WORDS: (Takes.WORDS,),
    Takes.MOMENT: (Takes.MOMENT,),
}
"""What a step may give its retrievers beside the place, and which of them it is given to."""
_RIGHT: Final[Mapping[Takes, str]] = {
    Takes.COUNT: f"a number from 1 to {MOST_PASSAGES}",
    Takes.WORDS: "keywords between semicolons, and in braces the name of a step before whose answer holds some",
    Takes.MOMENT: "a time in words, such as yesterday, last week, or since 1 March",
}
_OF_STEP: Final = ("name", "role", "prompt", "inputs", *_ARGUMENTS)
_STEP: Final = re.compile(r"\[\[\s*steps\s*\]\]")
_QUOTES: Final = re.compile(r"\"{3}|'{3}")
_SOME_DAY: Final = datetime(2024, 2, 29, tzinfo=UTC)
"""For finding out whether words name a time at all."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkflowKind:
    """What workflows of a kind are given, beside what retrievers give, and may make."""

    reads: str
    """The variable that some step must read."""
    makes: tuple[str, ...]


KINDS: Final[Mapping[str, WorkflowKind]] = {"memory": WorkflowKind(reads=CHUNK, makes=tuple(MemoryPart))}


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkflowStep:
    """One call of a model."""

    name: str
    role: ModelRole
    prompt: str
    inputs: tuple[str, ...] = ()
    """What memory is made of, retrievers, and steps before this one."""
    limit: int = USUAL
    """How many passages a retriever is asked for."""
    keywords: str = ""
    """What is searched for; in braces, what a step before answered."""
    when: str = ""
    """The time that is asked about, in words."""

    @property
    def instructions(self) -> str:
        """The prompt, with the heading of an input in the place of each reference: what people say is no part of it."""
        return _REFERENCE.sub(lambda found: f'"{heading(found[1])}"', self.prompt)

    def words(self, answers: Mapping[str, str]) -> str:
        """The keywords between semicolons, with what steps before answered: each line of that is a keyword."""
        return ";".join(_REFERENCE.sub(lambda found: answers[found[1]], self.keywords).splitlines())


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkflowFile:
    """A chain of steps, of which the last says what is made."""

    name: str
    """Of its file."""
    kind: str
    makes: str
    steps: tuple[WorkflowStep, ...]


def heading(name: str) -> str:
    """What an input stands under in the prompt of a step."""
    return f"## {name}"


def read(settings_dir: Path, retrievers: Mapping[str, Takes]) -> Mapping[str, WorkflowFile]:
    """The workflows that come with Hathi, and those of the settings folder, which replace them, by name.

    Their steps may name these retrievers. Blocks for as long as the disk takes. Raises `SettingsError` with a line for
    all that is wrong: file, line and word.
    """
    shipped = sorted((resources.files("bot") / "defaults" / FOLDER).iterdir(), key=lambda file: file.name)
    names = [(file, file.name.removesuffix(".toml")) for file in shipped]
    found = {name: parsed(name, file.read_text(encoding="utf-8"), retrievers) for file, name in names}
    faults = list[str]()
    for file in own_files(settings_dir):
        try:
            name = file.removesuffix(".toml")
            found[name] = parsed(name, toml_files.text_of(settings_dir / FOLDER / file), retrievers)
        except errors.SettingsError as exc:
            faults.append(str(exc))
    if faults:
        raise errors.SettingsError("\n".join(faults))
    return found


def chosen(workflows: Mapping[str, WorkflowFile], name: str | None, parts: Collection[str]) -> WorkflowFile | None:
    """The workflow a channel wants; none where it wants none, or it is not there, or makes nothing of these parts."""
    found = workflows.get(name or NONE)
    return found if found is not None and found.makes in parts else None


def own_files(settings_dir: Path) -> list[str]:
    """The files of the settings folder that hold workflows, sorted. Raises `SettingsError`."""
    return toml_files.names(settings_dir / FOLDER, MOST)


def parsed(name: str, text: str, retrievers: Mapping[str, Takes]) -> WorkflowFile:
    """The workflow of a file's text. Raises `SettingsError` with a line for each thing that is wrong."""
    file = f"{FOLDER}/{name}.toml"
    if not _NAME.fullmatch(name) or name == NONE:
        right = f"it takes small letters, digits, _ and -, and is not {NONE}"
        what = f"{toml_files.told(name)} is no name for a workflow: {right}"
        raise errors.SettingsError(f"{file}: {what}.")
    try:
        given = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as exc:
        raise errors.SettingsError(toml_files.unreadable(file, text, str(exc))) from None
    check = _Check(text, given, retrievers)
    faults = [f"{file}, line {line}: {what}." for line, what in sorted(check.faults())]
    if faults:
        raise errors.SettingsError("\n".join(faults))
    steps = tuple(
        WorkflowStep(
            name=step["name"],
            role=ModelRole(step["role"]),
            prompt=step["prompt"].strip(),
            inputs=tuple(dict.fromkeys(step.get("inputs", ()))),
            **{argument.value: step[argument] for argument in _ARGUMENTS if argument in step},
        )
        for step in given["steps"]
    )
    return WorkflowFile(name=name, kind=given["kind"], makes=given["makes"], steps=steps)


class _Check:
    """What is wrong with a file, each fault with its line."""

    def __init__(self, text: str, given: Mapping[str, Any], retrievers: Mapping[str, Takes]) -> None:
        self._lines = text.split("\n")
        self._given = given
        self._retrievers = retrievers
        self._starts = _steps_begin(self._lines)

    def faults(self) -> Iterator[tuple[int, str]]:
        """Line and fault; of a file of no known kind or without steps nothing further."""
        for field in self._given:
            if field not in _FIELDS:
                yield self._line(field), toml_files.unknown("field", field, _FIELDS)
        kind = self._given.get("kind")
        if not isinstance(kind, str) or kind not in KINDS:
            yield self._line("kind"), toml_files.unknown("kind", kind, KINDS)
            return
        makes = self._given.get("makes")
        if makes not in KINDS[kind].makes:
            yield self._line("makes"), f"makes is {toml_files.told(makes)}; it takes {_or(KINDS[kind].makes)}"
        steps = self._given.get("steps")
        if not isinstance(steps, list) or not steps or not all(isinstance(step, dict) for step in steps):
            yield self._line("steps"), "there are no steps: each begins with a line of [[steps]]"
            return
        if len(steps) > MOST_STEPS:
            yield self._line(None, MOST_STEPS), f"there are {len(steps)} steps; {MOST_STEPS} are the most"
            return
        yield from self._of_steps(steps, KINDS[kind])

    def _of_steps(self, steps: Sequence[Mapping[str, Any]], kind: WorkflowKind) -> Iterator[tuple[int, str]]:
        variables = (kind.reads, *RECENT_AS, *self._retrievers)
        names, is_read = [step.get("name") for step in steps], False
        for at, step in enumerate(steps):
            for field in step:
                if field not in _OF_STEP:
                    yield self._line(field, at), toml_files.unknown("field", field, _OF_STEP)
            before = [name for name in names[:at] if isinstance(name, str)]
            if wrong := _wrong_name(names[at], before, variables):
                yield self._line("name", at), wrong
            if step.get("role") not in [*ModelRole]:
                yield self._line("role", at), toml_files.unknown("role", step.get("role"), ModelRole)
            inputs = step.get("inputs", [])
            if not isinstance(inputs, list) or len(inputs) > MOST_INPUTS or not all(isinstance(n, str) for n in inputs):
                told = toml_files.told(inputs)
                yield self._line("inputs", at), f"inputs is {told}; it takes up to {MOST_INPUTS} names"
                inputs = []
            known = (*variables, *before)
            for name in inputs:
                if name not in known:
                    is_later = name in names[at:]
                    what = f"the input {name!r} is a step that comes no earlier" if is_later else ""
                    yield self._line("inputs", at, word=name), what or toml_files.unknown("input", name, known)
            yield from self._of_prompt(step.get("prompt"), at, inputs, known)
            yield from self._of_arguments(step, at, inputs, before)
            is_read |= kind.reads in inputs
        if not is_read:
            yield self._line("inputs", 0), f"no step has {kind.reads!r} among its inputs, of which it all is made"

    def _of_prompt(
        self, prompt: Any, at: int, inputs: Collection[str], known: Collection[str]
    ) -> Iterator[tuple[int, str]]:
        if not isinstance(prompt, str) or not prompt.strip():
            yield self._line("prompt", at), f"prompt is {toml_files.told(prompt)}; it takes what the model is to do"
            return
        for name in dict.fromkeys(_REFERENCE.findall(prompt)):
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
        for argument, kinds in _ARGUMENTS.items():
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
                unknown = [name for name in dict.fromkeys(_REFERENCE.findall(given)) if name not in before]
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
    if not isinstance(name, str) or not _NAME.fullmatch(name):
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
