"""Finds references to the forge in a text: numbers, addresses, file names, commits, CI runs; pure.

Each pattern begins at the edge of a word and its parts are of bounded length, so the time is proportional to the text.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from bot.layers.forge import addresses
from bot.layers.forge.repositories import ForgeRepository, Repositories
from bot.layers.forge.things import CommitReference, FileReference, ItemKind, ItemReference, Reference, RunReference
from bot.text import patterns

LONGEST: Final = 4000
"""Characters of a text that are read."""
MOST: Final = 5
"""References a question may hold; the rest is not looked up."""
_NAME: Final = r"[A-Za-z0-9_.-]{1,100}"
_ADDRESS: Final = re.compile(r"\bhttps?://[^\s<>\"`]{1,1000}", re.IGNORECASE)
_RUN: Final = re.compile(r"\b(?:workflow|ci|actions?|pipeline)[ ]{1,3}run[ ]{1,3}#?([1-9][0-9]{0,18})\b", re.IGNORECASE)
_KIND: Final = r"issues?|prs?|pull(?:[ -]requests?)?|pulls|mrs?|merge[ -]requests?|bugs?|tickets?"
_SIGNED: Final = re.compile(rf"(?<![\w/&<#.-])(?:(?:({_NAME})/)?({_NAME}))?#([1-9][0-9]{{0,6}})(?![\w-])")
_COUNTED: Final = re.compile(
    rf"\b(?:{_KIND})[ ]{{0,3}}(?:number |no\.? ?|nr\.? ?|#)?[ ]?([1-9][0-9]{{0,6}})\b(?![.,:]?[0-9%/])"
    r"((?:[ ]?(?:,|and|&|or)[ ]{0,2}#?[1-9][0-9]{0,6}\b){0,4})",
    re.IGNORECASE,
)
_ANOTHER: Final = re.compile(r"[1-9][0-9]{0,6}")
_NO_REPOSITORY: Final = re.compile(rf"{_KIND}|memory|memories|note", re.IGNORECASE)
"""What may stand before `#12` and is not where it is."""
_A_MEMORY: Final = re.compile(r"\b(?:memory|memories|notes?|channel|option|version)[ ]{0,3}$", re.IGNORECASE)
_WINDOW: Final = 16
"""Characters before a number in which that is looked for."""
_COMMIT: Final = re.compile(
    rf"(?<![\w#/.@:-])(?:((?i:commit|sha|revision|changeset))[ ]{{1,3}})?(?:((?:{_NAME}/)?{_NAME})@)?"
    r"([0-9a-f]{7,40})(?![\w@-]|\.\w)"
)
_TOKEN: Final = re.compile(r"[^\s<>\"'`()\[\]{},;|*]{2,300}")
_AT_LINES: Final = re.compile(r":([0-9]{1,6})(?:-([0-9]{1,6}))?$")
_SEGMENT: Final = re.compile(r"[\w.+@-]{1,120}")
_EXTENSIONS: Final = patterns.vocabulary(
    """
    py pyi pyx ipynb js mjs cjs jsx ts tsx vue svelte go rs java kt kts scala c h cc cpp cxx hpp cs fs rb php swift m
    mm lua pl pm r jl ex exs erl hs clj dart zig nim sh bash zsh fish ps1 bat sql html htm css scss sass less md mdx
    rst adoc txt toml yaml yml json jsonc json5 xml ini cfg conf env lock csv tsv proto graphql tf hcl nix gradle cmake
    make mk dockerfile tmpl j2 patch diff service log
    """
)
_FILES: Final = frozenset({"Dockerfile", "Makefile", "Procfile", "Jenkinsfile", "Gemfile", "Rakefile", "Vagrantfile"})
_PRODUCTS: Final = patterns.vocabulary(
    "node.js vue.js next.js nuxt.js three.js express.js d3.js chart.js react.js discord.js discord.py web.py"
)
"""What looks like the name of a file and is that of a program."""
_ITEMS: Final = re.compile(rf"\b(?:{_KIND}|bug reports?)\b", re.IGNORECASE)
_FORGE: Final = re.compile(
    r"\b(?:ci|builds?|pipelines?|workflows?|commit(?:s|ted)?|github|gitea|forge|repo(?:s|sitory|sitories)?|merged?|"
    r"patch(?:es)?|branch(?:es)?|who(?:'s| has| had)? (?:fix(?:ed)?|patched|merged|reverted|refactored))\b",
    re.IGNORECASE,
)
_CI: Final = re.compile(
    r"\b(?:ci|(?:github|gitea) actions|(?:workflow|pipeline) runs?|(?:build|pipeline|test|job) logs?|"
    r"(?:pipelines?|workflows?) (?:(?:is|are|was|were|went|still|all) ){0,2}(?:fail\w*|broke\w*|pass\w*|red|green))\b",
    re.IGNORECASE,
)
_CHECKS: Final = re.compile(
    r"\b(?:(?:build|test|job) (?:runs?|output|failures?)|(?:build|tests|checks) (?:on|for|of|in)|"
    r"(?:builds?|tests?|checks?) (?:(?:is|are|was|were|went|still|all) ){0,2}"
    r"(?:fail\w*|broke\w*|breaks?|pass\w*|red|green|succe\w+)|"
    r"(?:broke|breaks?|stat(?:us|e) of|(?:wrong|up|the matter) with|happened (?:to|with|in)) (?:the |our )?"
    r"(?:builds?|tests?|pipelines?|ci)|"
    r"last (?:\w+ )?run (?:fail|pass|broke)\w*)\b",
    re.IGNORECASE,
)
_STATE: Final = re.compile(
    r"\b(?:fail\w*|broke\w*|breaks?|pass\w*|red|green|succe\w+|wrong|status|state|(?:up|matter) with|happened)\b",
    re.IGNORECASE,
)
_NOT_ONLY_HERE: Final = re.compile(r"(?<!which )(?<!what )\btickets?\b", re.IGNORECASE)
"""A word for items that people use of other things too."""
_SOUGHT: Final = re.compile(
    r"\b(?:find|show|search|look(?:ing)? (?:up|for|through)|get|list|fetch|pull up)"
    r"(?: (?:me|us|for|through|the|all|any|our|an?|every|open|closed)){0,4} "
    r"(?:(?:issues?|bug reports?) (?:on|for)|(?:issues?|bug reports?|bugs?|tickets?) (?:about|regarding|concerning)"
    r"|(?:prs?|mrs?|(?:pull|merge)[ -]requests?) (?:on|for|about|regarding|concerning|that|which|where))\b",
    re.IGNORECASE,
)
"""Asks for an item outright; "find the issue with my code" asks for another thing."""
_FAILURE: Final = re.compile(r"\b(?:fail\w*|broke\w*|breaks?|red|errors?|crash\w*|wrong|why)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class References:
    """The references to the forge in a text."""

    found: tuple[Reference, ...] = ()
    """In the order in which they stand there."""
    elsewhere: bool = False
    """Whether it names a repository that is not connected."""
    unplaced: bool = False
    """Whether it names a number, and nothing tells of which repository."""
    named: str | None = None
    """The one repository it speaks of in words."""
    rest: str = ""
    """The text without what was found."""
    of_items: bool = False
    """Whether it speaks of issues or pull requests."""
    of_forge: bool = False
    """Whether it speaks of anything a forge has."""
    of_ci: bool = False
    surely_of_ci: bool = False
    """Whether it says so in a word that means nothing else; people sit tests too."""
    of_failure: bool = False
    of_state: bool = False
    """Whether it speaks of how something went."""
    surely_of_items: bool = False
    seeks_items: bool = False
    """Whether it asks to find some."""
    kinds: tuple[ItemKind, ...] = tuple(ItemKind)
    """Of which kind the items are that it speaks of; of both, unless it names one alone."""


def read(text: str, places: Repositories) -> References:
    """What the text refers to."""
    return _Reading(text[:LONGEST], places).done()


class _Reading:
    """One text being read; what was found is blanked, so that nothing is found twice."""

    def __init__(self, text: str, places: Repositories) -> None:
        self._text = text
        self._places = places
        self._found: list[tuple[int, Reference]] = []
        self._elsewhere = self._unplaced = False
        self._named = _spoken_of(text, places)

    def done(self) -> References:
        said = self._text
        for read_some in (self._addresses, self._runs, self._signed, self._counted, self._commits, self._files):
            for start, end in list(read_some()):
                self._text = self._text[:start] + " " * (end - start) + self._text[end:]
        found = [reference for _, reference in sorted(self._found, key=lambda one: one[0])]
        of_items = _ITEMS.search(said) is not None
        surely_of_ci = _CI.search(said) is not None
        return References(
            found=tuple(dict.fromkeys(found))[:MOST],
            elsewhere=self._elsewhere,
            unplaced=self._unplaced,
            named=self._named.name if self._named else None,
            rest=self._text,
            of_items=of_items,
            of_forge=of_items or _FORGE.search(said) is not None,
            of_ci=surely_of_ci or _CHECKS.search(said) is not None,
            surely_of_ci=surely_of_ci,
            of_failure=_FAILURE.search(said) is not None,
            of_state=_STATE.search(said) is not None,
            surely_of_items=of_items and _ITEMS.search(_NOT_ONLY_HERE.sub(" ", said)) is not None,
            seeks_items=_SOUGHT.search(said) is not None,
            kinds=_kinds(said),
        )

    def _addresses(self) -> Iterator[tuple[int, int]]:
        for match in _ADDRESS.finditer(self._text):
            reference, is_ours = addresses.read(match[0], self._places)
            if reference is not None:
                self._found.append((match.start(), reference))
            else:
                self._elsewhere = self._elsewhere or is_ours
            yield match.span()

    def _runs(self) -> Iterator[tuple[int, int]]:
        for match in _RUN.finditer(self._text):
            self._found.append((match.start(), RunReference(repository=self._one(), run=int(match[1]))))
            yield match.span()

    def _signed(self) -> Iterator[tuple[int, int]]:
        for match in _SIGNED.finditer(self._text):
            owner, name, number = match.groups()
            if name is None or (owner is None and _NO_REPOSITORY.fullmatch(name)):
                if (name or "").lower() in {"memory", "note"} or _A_MEMORY.search(
                    self._text, max(0, match.start() - _WINDOW), match.start()
                ):
                    continue
                self._number(match.start(), int(number))
            elif (place := self._places.named(f"{owner}/{name}" if owner else name)) is not None:
                self._found.append((match.start(), ItemReference(repository=place.name, number=int(number))))
            elif owner is None and len(name) < 2:
                continue  # C#12
            else:
                self._elsewhere = True
            yield match.span()

    def _counted(self) -> Iterator[tuple[int, int]]:
        for match in _COUNTED.finditer(self._text):
            for number in [match[1], *_ANOTHER.findall(match[2])]:
                self._number(match.start(), int(number))
            yield match.span()

    def _number(self, start: int, number: int) -> None:
        repository = self._one()
        if repository is None:
            self._unplaced = True
        else:
            self._found.append((start, ItemReference(repository=repository, number=number)))

    def _commits(self) -> Iterator[tuple[int, int]]:
        for match in _COMMIT.finditer(self._text):
            word, where, sha = match.groups()
            digits = sum(sign.isdigit() for sign in sha)
            if digits == 0 or (digits == len(sha) and not word and not where):
                continue  # a word, or a number
            place = self._places.named(where) if where else self._named
            if where and place is None:
                self._elsewhere = True
            else:
                reference = CommitReference(repository=place.name if place else None, sha=sha)
                self._found.append((match.start(), reference))
            yield match.span()

    def _files(self) -> Iterator[tuple[int, int]]:
        for match in _TOKEN.finditer(self._text):
            reference = _file(match[0].rstrip(".:!?_~"), self._places)
            if reference is None:
                continue
            if reference.repository is None and self._one() is not None:
                reference = FileReference(repository=self._one(), path=reference.path, lines=reference.lines)
            self._found.append((match.start(), reference))
            yield match.span()

    def _one(self) -> str | None:
        """The repository for a reference that names none."""
        return self._named.name if self._named else self._places.default


def _kinds(text: str) -> tuple[ItemKind, ...]:
    named = {ItemKind.PULL if word[0].lower() in "pm" else ItemKind.ISSUE for word in _ITEMS.findall(text)}
    return tuple(kind for kind in ItemKind if kind in named) or tuple(ItemKind)


def _file(token: str, places: Repositories) -> FileReference | None:
    lines = None
    if (at := _AT_LINES.search(token)) is not None:
        token, first = token[: at.start()], int(at[1])
        lines = (first, max(first, int(at[2] or first)))
    repository = None
    if ":" in token:
        before, _, token = token.partition(":")
        if (place := places.named(before)) is None:
            return None
        repository = place.name
    path = token.removeprefix("./").lstrip("/")
    segments = path.split("/")
    if not all(_SEGMENT.fullmatch(part) and part.strip(".") for part in segments):
        return None
    stem, _, extension = segments[-1].rpartition(".")
    is_file = segments[-1] in _FILES or (bool(stem.strip(".")) and extension.lower() in _EXTENSIONS)
    if not is_file or ("@" in path and len(segments) == 1) or (path.lower() in _PRODUCTS and repository is None):
        return None
    return FileReference(repository=repository, path=path, lines=lines)


def _spoken_of(text: str, places: Repositories) -> ForgeRepository | None:
    """The one repository the text names as a place: "PR 12 in nexus", "the nexus issue"."""
    found = {
        place.name: place
        for m in _names(tuple(places.names())).finditer(text)
        if (place := places.named(m[1] or m[2])) is not None
    }
    return next(iter(found.values())) if len(found) == 1 else None


@lru_cache(maxsize=4)
def _names(names: tuple[str, ...]) -> re.Pattern[str]:
    either = "|".join(map(re.escape, names)) or r"(?!)"
    things = rf"{_KIND}|ci|builds?|commits?|pipelines?|workflows?|repo|repository|forge"
    return re.compile(
        rf"\b(?:of|in|from|for|on|at) (?:the |our |my )?({either})(?![\w/:#@-]|\.\w)"
        rf"|(?<![\w/.-])({either})(?:'s)? (?:{things})\b",
        re.IGNORECASE,
    )
