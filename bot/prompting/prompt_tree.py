"""Assembles prompts from files: a root, and the sections it lists below it, as deep as wanted.

Behind a line `[SECTIONS]` a file lists others, a line each: `name: description`. A file of the settings folder replaces
the one that comes with Hathi by its name.
"""

import difflib
import functools
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import resources
from pathlib import Path
from typing import Final

from bot import errors
from bot.llm.tokens import estimate

FOLDER: Final = "prompts"
LISTED: Final = "[SECTIONS]"
LARGEST: Final = 64 * 1024
"""Bytes of one file."""
_FENCE: Final = "---"
_LIMIT: Final = "max_tokens"
_NAME: Final = re.compile(r"[a-z][a-z0-9_-]{0,30}")
_ENDING: Final = ".md"
_PARAGRAPH: Final = re.compile(r"\n[ \t]*(?:\n[ \t]*)+")
_WORD: Final = re.compile(r"\w+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """A file of a prompt, with what it lists."""

    name: str
    description: str = ""
    """What it stands under; nothing for a root."""
    text: str
    """Its own, without what it lists."""
    parts: tuple["Section", ...] = ()
    is_own: bool = False
    """Whether it is of the settings folder, and does not come with Hathi."""

    @property
    def assembled(self) -> str:
        """Its text, and below it that of each section it lists under its description."""
        return self.without(frozenset())

    def without(self, tools: Collection[str]) -> str:
        """The same without the paragraphs that name one of these tools, and the sections of which nothing is left."""
        return "\n\n".join(self._blocks(0, tools))

    @property
    def tokens(self) -> int:
        """Of all of it, by the estimate."""
        return estimate(self.assembled)

    def all(self, depth: int = 0) -> Iterator[tuple[int, "Section"]]:
        """It and every section below it, in order, each with how deep it stands."""
        yield depth, self
        for part in self.parts:
            yield from part.all(depth + 1)

    def _blocks(self, depth: int, tools: Collection[str]) -> Iterator[str]:
        head = f"{'#' * depth} {self.description}\n" if depth else ""
        text = "\n\n".join(one for one, words in _paragraphs(self.text) if words.isdisjoint(tools))
        below = [block for part in self.parts for block in part._blocks(depth + 1, tools)]  # noqa: SLF001 - its own kind
        if text or below or not self.text:
            yield from filter(None, (f"{head}{text}".strip(),))
            yield from below


@functools.lru_cache(maxsize=256)
def _paragraphs(text: str) -> tuple[tuple[str, frozenset[str]], ...]:
    """The paragraphs of a section, each with its words; known, as every turn's prompt is made of the same."""
    return tuple((one, frozenset(_WORD.findall(one))) for one in _PARAGRAPH.split(text))


def read(settings_dir: Path, roots: Mapping[str, str]) -> Mapping[str, Section]:
    """The prompts of these roots, by name; each with where it is named. Blocks for as long as the disk takes.

    Raises `SettingsError` with a line for all that is wrong: file, line, and what would be right.
    """
    files = _Files(settings_dir, own=_own(settings_dir), shipped=_shipped())
    found = {root: files.root(root, place) for root, place in roots.items()}
    if files.faults:
        raise errors.SettingsError("\n".join(dict.fromkeys(files.faults)))
    return found


def unused(settings_dir: Path, prompts: Iterable[Section]) -> list[str]:
    """The files of the settings folder that none of these prompts uses, sorted. Raises `SettingsError`."""
    used = {section.name for prompt in prompts for _, section in prompt.all()}
    return [f"{FOLDER}/{name}{_ENDING}" for name in _own(settings_dir) if name not in used]


def _own(settings_dir: Path) -> list[str]:
    try:
        files = [*(settings_dir / FOLDER).iterdir()]
    except (FileNotFoundError, NotADirectoryError):
        return []
    except OSError as exc:
        raise errors.SettingsError(f"{settings_dir / FOLDER} can't be read: {exc.strerror}.") from exc
    return sorted(file.stem for file in files if file.suffix == _ENDING and not file.name.startswith("."))


def _shipped() -> list[str]:
    files = (resources.files("bot") / "defaults" / FOLDER).iterdir()
    return sorted(file.name.removesuffix(_ENDING) for file in files)


@dataclass(slots=True)
class _Files:
    """Reads the files of prompts, and notes what is wrong in them."""

    settings_dir: Path
    own: Collection[str]
    """The names of those in the settings folder."""
    shipped: Collection[str]
    """And of those that come with Hathi."""
    faults: list[str] = field(default_factory=list[str])

    def root(self, name: str, place: str) -> Section:
        """The prompt of a root that is named in a place; an empty one where it can't be read."""
        if not self._is_there(name):
            self.faults.append(f"{place}: there is no {_file(name)}; {self._nearest(name)}")
            return Section(name=name, text="")
        return self._section(name, "", above=(), listed={})

    def _section(self, name: str, description: str, *, above: Sequence[str], listed: dict[str, str]) -> Section:
        """The section, and what it lists; `listed` tells where each of the prompt is listed already."""
        lines, first, limit = self._parted(name)
        end = next((n for n, line in enumerate(lines) if line.strip() == LISTED), len(lines))
        parts = list[Section]()
        for number, line in enumerate(lines[end + 1 :], first + end + 1):
            if line.strip():
                part = self._part(f"{_file(name)}, line {number}", line.strip(), above=(*above, name), listed=listed)
                parts += [] if part is None else [part]
        found = Section(
            name=name,
            description=description,
            text="\n".join(lines[:end]).strip(),
            parts=tuple(parts),
            is_own=name in self.own,
        )
        if limit is not None and found.tokens > limit[0]:
            self.faults.append(
                f"{_file(name)}, line {limit[1]}: it has {found.tokens} tokens with what it lists; "
                f"{_LIMIT} allows {limit[0]}."
            )
        return found

    def _part(self, place: str, line: str, *, above: Sequence[str], listed: dict[str, str]) -> Section | None:
        """The section that a line lists; none where the line is wrong."""
        name, _, description = (part.strip() for part in line.partition(":"))
        fault = ""
        if not description:
            fault = f"{name!r} has no description; write {name}: what it tells."
        elif not _NAME.fullmatch(name):
            fault = f"{name!r} is no name of a section; it takes small letters, digits, _ and -."
        elif name in above:
            fault = f"{name} is listed below itself: {' > '.join((*above, name))}."
        elif name in listed:
            fault = f"{name} is listed already: {listed[name]}."
        elif not self._is_there(name):
            fault = f"there is no {_file(name)}; {self._nearest(name)}"
        if fault:
            self.faults.append(f"{place}: {fault}")
            return None
        listed[name] = place
        return self._section(name, description, above=above, listed=listed)

    def _parted(self, name: str) -> tuple[list[str], int, tuple[int, int] | None]:
        """The lines behind the front matter, the number of the first, and the limit with its own number."""
        lines = self._text(name).splitlines()
        if not lines or lines[0].strip() != _FENCE:
            return lines, 1, None
        end = next((n for n, line in enumerate(lines[1:], 1) if line.strip() == _FENCE), None)
        if end is None:
            self.faults.append(f"{_file(name)}, line 1: the front matter has no end; a line {_FENCE} ends it.")
            return [], 1, None
        limit = None
        for number, line in enumerate(lines[1:end], 2):
            key, _, value = (part.strip() for part in line.partition(":"))
            if key and key != _LIMIT:
                self.faults.append(f"{_file(name)}, line {number}: there is no {key!r} here; there is {_LIMIT}.")
            elif key and not (value.isascii() and value.isdigit() and int(value)):
                self.faults.append(
                    f"{_file(name)}, line {number}: {_LIMIT} is {value!r}; it takes a whole number from 1."
                )
            elif key:
                limit = int(value), number
        return lines[end + 1 :], end + 2, limit

    def _text(self, name: str) -> str:
        if name not in self.own:
            return (resources.files("bot") / "defaults" / FOLDER / f"{name}{_ENDING}").read_text(encoding="utf-8")
        try:
            with (self.settings_dir / FOLDER / f"{name}{_ENDING}").open("rb") as opened:
                text = opened.read(LARGEST + 1)
            if len(text) > LARGEST:
                self.faults.append(f"{_file(name)}: it is longer than {LARGEST // 1024} KiB.")
                return ""
            return text.decode("utf-8").removeprefix("\ufeff")
        except OSError as exc:
            self.faults.append(f"{_file(name)}: it can't be read: {exc.strerror}.")
        except UnicodeDecodeError:
            self.faults.append(f"{_file(name)}: it is not UTF-8 text.")
        return ""

    def _is_there(self, name: str) -> bool:
        return name in self.own or name in self.shipped

    def _nearest(self, name: str) -> str:
        """What else there is, the nearest to a name first asked about."""
        known = sorted({*self.own, *self.shipped})
        near = difflib.get_close_matches(name, known, 1, 0.6)
        return f"did you mean {near[0]}?" if near else f"there are {', '.join(known)}."


def _file(name: str) -> str:
    return f"{FOLDER}/{name}{_ENDING}"
