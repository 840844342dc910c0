"""Parses addresses of the forge's pages: issue, pull request, commit, file or CI run; pure."""

import re
from typing import Final
from urllib.parse import unquote, urlsplit

from bot.layers.forge.repositories import Repositories
from bot.layers.forge.things import CommitReference, FileReference, ItemReference, Reference, RunReference

_NUMBER: Final = re.compile(r"[1-9][0-9]{0,18}")
_SHA: Final = re.compile(r"[0-9a-fA-F]{7,64}")
_LINES: Final = re.compile(r"L([0-9]{1,6})(?:C[0-9]+)?(?:-L?([0-9]{1,6})(?:C[0-9]+)?)?")
_TRAILING: Final = ".,;:!?)]}>*_~'\""
_ITEMS: Final = frozenset({"issues", "pull", "pulls"})


def read(address: str, places: Repositories) -> tuple[Reference | None, bool]:
    """What it points at, and whether it is an address of the forge at all."""
    try:
        parts = urlsplit(address.rstrip(_TRAILING))
    except ValueError:
        return None, False
    path = parts.path
    if parts.netloc.casefold().removeprefix("www.") != places.host or not path.startswith(f"{places.root}/"):
        return None, False
    segments = [unquote(part) for part in path.removeprefix(f"{places.root}/").split("/") if part]
    if len(segments) < 2 or not all(part.strip(".") for part in "/".join(segments).split("/")):
        return None, True  # a way up would lead to another repository
    place = places.named("/".join(segments[:2]))
    if place is None:
        return None, True
    return _pointed(place.name, segments[2:], parts.fragment, places.kind), True


def _pointed(repository: str, rest: list[str], fragment: str, kind: str) -> Reference | None:
    match rest:
        case [items, number, *_] if items in _ITEMS and _NUMBER.fullmatch(number):
            return ItemReference(repository=repository, number=int(number))
        case ["commit" | "commits", sha, *_] if _SHA.fullmatch(sha):
            return CommitReference(repository=repository, sha=sha.lower())
        case ["actions", "runs", run, *job] if _NUMBER.fullmatch(run):
            return RunReference(repository=repository, run=int(run), job=_job(job))
        case ["blob", ref, *path] if kind == "github" and path:
            return FileReference(repository=repository, path="/".join(path), ref=ref, lines=_lines(fragment))
        case ["src", "branch" | "commit" | "tag", ref, *path] if kind == "gitea" and path:
            return FileReference(repository=repository, path="/".join(path), ref=ref, lines=_lines(fragment))
        case _:
            return None


def _job(rest: list[str]) -> int | None:
    match rest:
        case ["job" | "jobs", job, *_] if _NUMBER.fullmatch(job):
            return int(job)
        case _:
            return None


def _lines(fragment: str) -> tuple[int, int] | None:
    if (found := _LINES.fullmatch(fragment)) is None:
        return None
    first = int(found[1])
    return first, max(first, int(found[2] or first))
