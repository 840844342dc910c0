"""Reads personas: who speaks in a place, in which voice, and what of memory is open to them; each a TOML file.

Those that name the same household stand in for one another in a place where that is chosen: one of them answers, and
one of them may keep what people ask to be remembered.
"""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from importlib import resources
from pathlib import Path
from typing import Any, Final

from bot import errors, toml_files, toml_lines
from bot.domain import TERMINAL_SPACE, Access, Caller, ModelRole, PlaceChoices, PlaceSetting
from bot.llm.tokens import estimate
from bot.prompting import prompt_tree
from bot.prompting.prompt_tree import Section
from bot.store import place_settings
from bot.store.place_settings import Choosable
from bot.text import sanitize

FOLDER: Final = "personas"
MOST: Final = 50
"""Files that are read."""
MOST_VOICE: Final = 200
"""Tokens of a voice."""
LONGEST_TEMPLATE: Final = 500
"""Characters."""
NOBODY: Final = "hathi"
"""What is chosen where no persona is to speak, but Hathi itself."""
FOUND: Final = "found"
NAMED: Final = "My name is put before my words; I do not write it there myself."
"""What a model is told behind a voice."""
_BLOCK: Final = re.compile(r"[>#|`]|[*+-] |\d+[.)] ")
"""What begins a quotation, a heading, a table, code or a list, which has to begin a line."""
_NAME: Final = re.compile(r"[a-z][a-z0-9_-]{0,30}")
_CALLED: Final = re.compile(r"[^\W\d_](?:[^\W_]|[ '.-]){0,31}")
_PLACE: Final = re.compile(r"\{(\w{1,40})\}")
_IN_TEMPLATE: Final = ("asker", "name", "archivist")
_FIELDS: Final = ("name", "household", "answers", "memory", "role", "prompt", "voice", "templates")


@dataclass(frozen=True, slots=True, kw_only=True)
class Templates:
    """What a persona says around what it found, where there is nothing, and at the end of a talk; empty for Hathi's."""

    found: str = ""
    nothing: str = ""
    closing: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Persona:
    """Who speaks; what is left empty is as it is for Hathi itself."""

    key: str
    """Of its file: what it is chosen by."""
    name: str = ""
    """What stands before its words."""
    household: str = ""
    answers: bool = False
    """Whether it answers for its household."""
    memory: Access = Access.READ_WRITE
    role: ModelRole = ModelRole.REASONING
    prompt: str = ""
    """Root of its prompt, a file of `prompts/`."""
    root: Section | None = None
    """What stands there."""
    voice: str = ""
    """Who it is, in the place of who Hathi is."""
    templates: Templates = field(default_factory=Templates)
    archivist: str = ""
    """What whoever writes in its household is called; it itself where nobody else does."""

    def spoken(self, caller: Caller, said: str) -> str:
        """What it says as the caller reads it: with its name before it, if it has one."""
        name, apart = self._before(caller), "\n" if _BLOCK.match(said) else " "
        return f"{name}{apart}{said}" if name else said

    def unspoken(self, caller: Caller, said: str) -> str:
        """The same without its name."""
        name = self._before(caller)
        return said[len(name) + 1 :] if name and said.startswith(name) else said

    def own(self, said: str) -> str:
        """What a model says in its name, where it wrote the name itself without that."""
        if not self.name or not said.lstrip("*_ ").startswith(self.name):
            return said
        name, colon, rest = said.partition(":")
        return rest.lstrip("*_ ") if colon and name.strip("*_ ") == self.name else said

    def _before(self, caller: Caller) -> str:
        if not self.name:
            return ""
        return f"{self.name}:" if caller.space_id == TERMINAL_SPACE else f"**{self.name}:**"

    def nothing(self, caller: Caller) -> str:
        """What it says where memory has nothing; empty where it has no words of its own for that."""
        return self._filled(self.templates.nothing, caller)

    def closing(self, caller: Caller) -> str:
        """What it says where somebody ends the talk; the same."""
        return self._filled(self.templates.closing, caller)

    def around_found(self, caller: Caller) -> tuple[str, str] | None:
        """What it says before and after what it found; none where it has no words of its own for that."""
        before, found, after = self.templates.found.partition(f"{{{FOUND}}}")
        return (self._filled(before, caller), self._filled(after, caller)) if found else None

    @property
    def offers_more(self) -> bool:
        """Whether it ends what it found on a question: whether to search again."""
        return self.templates.found.rstrip().endswith("?")

    def _filled(self, template: str, caller: Caller) -> str:
        asker = sanitize.unmasked(sanitize.name(caller.name))
        values = {"asker": asker, "name": self.name, "archivist": self.archivist}
        return _PLACE.sub(lambda place: values[place[1]], template)


@dataclass(frozen=True, slots=True, kw_only=True)
class Household:
    """Those who speak in a place."""

    name: str
    speaker: Persona
    """Who answers."""
    writer: Persona | None
    """Who keeps what people ask to be remembered; none where nobody may."""
    members: tuple[Persona, ...]

    def seen_by_speaker(self, caller: Caller) -> Caller:
        """The caller, with what of memory is open to whoever answers them."""
        return replace(caller, access=self.speaker.memory)

    def seen_by_writer(self, caller: Caller) -> Caller:
        """The same where something is kept for them: beside what is known to whoever answers."""
        memory = self.speaker.memory if self.writer is None else self.speaker.memory.with_(self.writer.memory)
        return replace(caller, access=memory)

    def by_writer(self, caller: Caller, line: str) -> str:
        """A line on what was kept, by whoever kept it: with their name where that is another than who answers."""
        is_other = self.writer is not None and self.writer is not self.speaker
        return self.writer.spoken(caller, line) if self.writer is not None and is_other else line


def alone(persona: Persona) -> Household:
    """A persona that is chosen by itself: it answers, and keeps what it may."""
    writer = persona if persona.memory.writes else None
    return Household(name=persona.key, speaker=persona, writer=writer, members=(persona,))


ITSELF: Final = alone(Persona(key=NOBODY))
"""Hathi, where no persona is chosen."""


class Personas:
    """Who speaks in each place, as its admins chose."""

    def __init__(self, households: Mapping[str, Household]) -> None:
        self._households = households
        self.each: Final = each(households)
        """The persona of each file, by its key."""
        self.choosable: Final = Choosable(setting=PlaceSetting.PERSONA, names=tuple(households), default=NOBODY)

    def of(self, choices: PlaceChoices) -> Household:
        """Those who speak where this was chosen; Hathi itself where who was chosen is not there any more."""
        return self._households[place_settings.held(choices, self.choosable).names[0]]

    def learns(self, choices: PlaceChoices) -> bool:
        """Whether what is said there may become memory with nobody asking for it: one of those may write."""
        return self.of(choices).writer is not None

    def spoken(self, caller: Caller, said: str) -> str:
        """What whoever answers the caller says, as it is read."""
        return self.of(caller.choices).speaker.spoken(caller, said)

    def kept(self, caller: Caller, line: str) -> str:
        """A line on what was kept, under the words of whoever answers the caller, by whoever kept it."""
        return self.of(caller.choices).by_writer(caller, line)


def read(settings_dir: Path) -> Mapping[str, Household]:
    """Who may be chosen, by name: Hathi itself, households, and each persona alone.

    Of the personas that come with Hathi and those of the settings folder, which replace them. Blocks for as long as the
    disk takes. Raises `SettingsError` with a line for all that is wrong: file, line, and what would be right.
    """
    shipped = sorted((resources.files("bot") / "defaults" / FOLDER).iterdir(), key=lambda file: file.name)
    texts = {_key(file.name): file.read_text(encoding="utf-8") for file in shipped}
    found = {key: parsed(key, text) for key, text in texts.items()}
    faults = list[str]()
    for file in own_files(settings_dir):
        try:
            texts[_key(file)] = toml_files.text_of(settings_dir / FOLDER / file)
            found[_key(file)] = parsed(_key(file), texts[_key(file)])
        except errors.SettingsError as exc:
            faults.append(str(exc))
    households = dict[str, list[Persona]]()
    for persona in found.values():
        if persona.household:
            households.setdefault(persona.household, []).append(persona)
    faults += [fault for name, members in households.items() for fault in _faults(name, members, found)]
    if faults:
        raise errors.SettingsError("\n".join(faults))
    roots = prompt_tree.read(
        settings_dir, {one.prompt: _line(key, texts[key], ("prompt",)) for key, one in found.items() if one.prompt}
    )
    archivists = {one.household: one.name for one in found.values() if one.household and one.memory.writes}
    each = [
        replace(one, root=roots.get(one.prompt), archivist=archivists.get(one.household, one.name))
        for _, one in sorted(found.items())
    ]
    together = [_household(name, [one for one in each if one.household == name]) for name in sorted(households)]
    return {one.name: one for one in (ITSELF, *together, *map(alone, each))}


def each(households: Mapping[str, Household]) -> Mapping[str, Persona]:
    """The persona of each file, by its key."""
    return {name: one.speaker for name, one in households.items() if name == one.speaker.key != NOBODY}


def sections(households: Mapping[str, Household]) -> list[Section]:
    """The roots of their prompts."""
    return [one.root for each in households.values() for one in each.members if one.root is not None]


def own_files(settings_dir: Path) -> list[str]:
    """The files of the settings folder that hold personas, sorted. Raises `SettingsError`."""
    return toml_files.names(settings_dir / FOLDER, MOST)


def parsed(key: str, text: str) -> Persona:
    """The persona of a file's text. Raises `SettingsError` with a line for each thing that is wrong."""
    file = f"{FOLDER}/{key}{toml_files.ENDING}"
    if not _NAME.fullmatch(key) or key == NOBODY:
        right = f"it takes small letters, digits, _ and -, and is not {NOBODY}"
        raise errors.SettingsError(f"{file}: {toml_files.told(key)} is no name for a persona: {right}.")
    given = toml_files.loaded(file, text)
    faults = [(toml_lines.line_of(text, place) or 1, what) for place, what in _wrong(given)]
    if faults:
        raise errors.SettingsError("\n".join(f"{file}, line {line}: {what}." for line, what in sorted(faults)))
    return Persona(
        key=key,
        name=given["name"],
        household=given.get("household", ""),
        answers=given.get("answers", False),
        memory=Access(given["memory"]),
        role=ModelRole(given.get("role", ModelRole.REASONING)),
        prompt=given.get("prompt", ""),
        voice=given["voice"].strip(),
        templates=Templates(**{name: said.lstrip("\n") for name, said in given.get("templates", {}).items()}),
    )


def _line(key: str, text: str, place: Sequence[str]) -> str:
    """Where a field stands."""
    return f"{FOLDER}/{key}{toml_files.ENDING}, line {toml_lines.line_of(text, place) or 1}"


def _key(file: str) -> str:
    return file.removesuffix(toml_files.ENDING)


_Fault = tuple[tuple[str, ...], str]
"""Where it stands, and what is wrong."""


def _wrong(given: Mapping[str, Any]) -> Iterator[_Fault]:
    """What is wrong in a file."""
    yield from (((name,), toml_files.unknown("field", name, _FIELDS)) for name in given if name not in _FIELDS)
    name, memory, role = given.get("name"), given.get("memory"), given.get("role", ModelRole.REASONING)
    if not isinstance(name, str) or not _CALLED.fullmatch(name):
        yield ("name",), f"name is {toml_files.told(name)}; it takes up to 32 letters, such as Ferris"
    if memory not in [*Access]:
        yield ("memory",), toml_files.unknown("memory", memory, Access)
    if role not in [*ModelRole]:
        yield ("role",), toml_files.unknown("role", role, ModelRole)
    for field_ in ("household", "prompt"):
        named = given.get(field_, "a")
        if not isinstance(named, str) or not _NAME.fullmatch(named) or (field_, named) == ("household", NOBODY):
            right = "it takes small letters, digits, _ and -"
            yield (field_,), f"{field_} is {toml_files.told(named)}; {right}"
    answers, voice = given.get("answers", False), given.get("voice")
    if not isinstance(answers, bool):
        yield ("answers",), f"answers is {toml_files.told(answers)}; it takes true or false"
    elif answers and "household" not in given:
        yield ("answers",), "answers is true, and it names no household that it would answer for"
    if not isinstance(voice, str) or not voice.strip():
        yield ("voice",), f"voice is {toml_files.told(voice)}; it takes who the persona is, in a few sentences"
    elif estimate(voice) > MOST_VOICE:
        yield ("voice",), f"voice has {estimate(voice)} tokens; {MOST_VOICE} are the most"
    yield from _wrong_templates(given.get("templates", {}))


def _wrong_templates(given: Any) -> Iterator[_Fault]:
    if not isinstance(given, dict):
        yield ("templates",), f"templates is {toml_files.told(given)}; it takes a section of its own, [templates]"
        return
    for name, said in given.items():
        place, known = ("templates", name), Templates.__slots__
        if name not in known:
            yield place, toml_files.unknown("template", name, known)
        elif not isinstance(said, str) or not 0 < len(said) <= LONGEST_TEMPLATE:
            yield place, f"{name} is {toml_files.told(said)}; it takes a text of 1 to {LONGEST_TEMPLATE} characters"
        else:
            yield from ((place, what) for what in _wrong_places(name, said))


def _wrong_places(name: str, said: str) -> Iterator[str]:
    places = _PLACE.findall(said)
    known = (*_IN_TEMPLATE, FOUND) if name == FOUND else _IN_TEMPLATE
    yield from (
        toml_files.unknown("place", f"{{{one}}}", [f"{{{k}}}" for k in known]) for one in places if one not in known
    )
    if name == FOUND and places.count(FOUND) != 1:
        yield f"found names {{{FOUND}}} {places.count(FOUND)} times; it stands once, where what was found is to stand"


def _faults(name: str, members: Sequence[Persona], all_: Collection[str]) -> Iterator[str]:
    """What is wrong with a household as a whole."""
    files = ", ".join(f"{FOLDER}/{one.key}{toml_files.ENDING}" for one in members)
    if name in all_:
        yield f"{FOLDER}/{name}{toml_files.ENDING}: a household is called {name} already; name the file another way."
    answering = sum(one.answers for one in members)
    if answering != 1:
        yield f"household {name} ({files}): {answering} of them answer; write answers = true in one."
    writing = sum(one.memory.writes for one in members)
    if writing > 1:
        yield f"household {name} ({files}): {writing} of them may write memory; one is the most."


def _household(name: str, members: Sequence[Persona]) -> Household:
    speaker = next(one for one in members if one.answers)
    writer = next((one for one in members if one.memory.writes), None)
    return Household(name=name, speaker=speaker, writer=writer, members=tuple(members))
