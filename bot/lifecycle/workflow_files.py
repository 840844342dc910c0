"""Reads workflows: chains of calls of models, as TOML files beside the settings describe them, each word checked.

A file tells its kind, what it makes or is for, and steps. Each step has a role or a persona, a prompt, and by their
names what it is given: what memory is made of or what is asked for, what retrievers give of the past, and what steps
before it said.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import Final

from bot import errors, toml_files
from bot.domain import Access, ModelRole
from bot.lifecycle.workflow_check import WorkflowCheck
from bot.lifecycle.workflow_kinds import ARGUMENTS, NAME, NONE, REFERENCE
from bot.recall.retrievers.retrieval import USUAL, Takes

FOLDER: Final = "workflows"
MOST: Final = 50
"""Files that are read."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkflowStep:
    """One call of a model."""

    name: str
    prompt: str
    role: ModelRole = ModelRole.REASONING
    """Of one that makes memory."""
    persona: str = ""
    """Who speaks in one of a reply."""
    inputs: tuple[str, ...] = ()
    """What is given to the workflow, retrievers, and steps before this one."""
    limit: int = USUAL
    """How many passages a retriever is asked for."""
    keywords: str = ""
    """What is searched for; in braces, what a step before answered."""
    when: str = ""
    """The time that is asked about, in words."""

    @property
    def instructions(self) -> str:
        """The prompt, with the heading of an input in the place of each reference: what people say is no part of it."""
        return REFERENCE.sub(lambda found: f'"{heading(found[1])}"', self.prompt)

    def words(self, answers: Mapping[str, str]) -> str:
        """The keywords between semicolons, with what steps before answered: each line of that is a keyword."""
        return ";".join(REFERENCE.sub(lambda found: answers[found[1]], self.keywords).splitlines())


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkflowFile:
    """A chain of steps. Of one that makes memory the last says what is made; of a reply each is shown."""

    name: str
    """Of its file."""
    kind: str
    makes: str = ""
    """What of memory."""
    about: str = ""
    """What a reply is for, to people."""
    steps: tuple[WorkflowStep, ...]


def heading(name: str) -> str:
    """What an input stands under in the prompt of a step."""
    return f"## {name}"


def read(
    settings_dir: Path, retrievers: Mapping[str, Takes], personas: Mapping[str, Access]
) -> Mapping[str, WorkflowFile]:
    """The workflows that come with Hathi, and those of the settings folder, which replace them, by name.

    Their steps may name these retrievers, and these personas, by what of memory is open to each. Blocks for as long
    as the disk takes. Raises `SettingsError` with a line for all that is wrong: file, line and word.
    """
    shipped = sorted((resources.files("bot") / "defaults" / FOLDER).iterdir(), key=lambda file: file.name)
    names = [(file, file.name.removesuffix(".toml")) for file in shipped]
    found = {name: parsed(name, file.read_text(encoding="utf-8"), retrievers, personas) for file, name in names}
    faults = list[str]()
    for file in own_files(settings_dir):
        try:
            name = file.removesuffix(".toml")
            found[name] = parsed(name, toml_files.text_of(settings_dir / FOLDER / file), retrievers, personas)
        except errors.SettingsError as exc:
            faults.append(str(exc))
    if faults:
        raise errors.SettingsError("\n".join(faults))
    return found


def of_kind(workflows: Mapping[str, WorkflowFile], kind: str) -> Mapping[str, WorkflowFile]:
    """Those of a kind, by name."""
    return {name: workflow for name, workflow in workflows.items() if workflow.kind == kind}


def chosen(workflows: Mapping[str, WorkflowFile], name: str | None, parts: Collection[str]) -> WorkflowFile | None:
    """The workflow a channel wants; none where it wants none, or it is not there, or makes nothing of these parts."""
    found = workflows.get(name or NONE)
    return found if found is not None and found.makes in parts else None


def own_files(settings_dir: Path) -> list[str]:
    """The files of the settings folder that hold workflows, sorted. Raises `SettingsError`."""
    return toml_files.names(settings_dir / FOLDER, MOST)


def parsed(name: str, text: str, retrievers: Mapping[str, Takes], personas: Mapping[str, Access]) -> WorkflowFile:
    """The workflow of a file's text. Raises `SettingsError` with a line for each thing that is wrong."""
    file = f"{FOLDER}/{name}.toml"
    if not NAME.fullmatch(name) or name == NONE:
        right = f"it takes small letters, digits, _ and -, and is not {NONE}"
        what = f"{toml_files.told(name)} is no name for a workflow: {right}"
        raise errors.SettingsError(f"{file}: {what}.")
    given = toml_files.loaded(file, text)
    check = WorkflowCheck(text, given, retrievers, personas)
    faults = [f"{file}, line {line}: {what}." for line, what in sorted(check.faults())]
    if faults:
        raise errors.SettingsError("\n".join(faults))
    steps = tuple(
        WorkflowStep(
            name=step["name"],
            prompt=step["prompt"].strip(),
            role=ModelRole(step.get("role", ModelRole.REASONING)),
            persona=step.get("persona", ""),
            inputs=tuple(dict.fromkeys(step.get("inputs", ()))),
            **{argument.value: step[argument] for argument in ARGUMENTS if argument in step},
        )
        for step in given["steps"]
    )
    return WorkflowFile(
        name=name, kind=given["kind"], makes=given.get("makes", ""), about=given.get("about", "").strip(), steps=steps
    )
