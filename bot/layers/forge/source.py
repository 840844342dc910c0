"""Looks up the issues, files, commits and CI runs that a question refers to, as evidence for its answer."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from functools import partial
from typing import TYPE_CHECKING, Final

from bot import catalogue, errors, log
from bot.config import ForgeSettings
from bot.domain import Caller, Layer
from bot.layers.forge import excerpts, references, relevance, repositories
from bot.layers.forge.references import References
from bot.layers.forge.relevance import TellingWord
from bot.layers.forge.repositories import ForgeRepository
from bot.layers.forge.things import (
    CommitReference,
    FileReference,
    Item,
    ItemKind,
    ItemReference,
    Reference,
    Run,
    RunReference,
    Status,
)
from bot.layers.walk import Evidence, Finding, WalkQuestion

if TYPE_CHECKING:
    import aiohttp

    from bot.layers.forge.forge_client import ForgeClient

BUDGET: Final = timedelta(seconds=8)
"""For everything that is asked for one question; what was not there by then is told as not reached."""
MOST: Final = 8
"""Things shown of one question."""
MOST_HITS: Final = 3
"""Items shown that were found by words."""
MOST_PLACES: Final = 3
"""Repositories asked where the question names none."""
NOT_THERE: Final = catalogue.later("the repository has nothing of that number or name")
MOVED: Final = catalogue.later("the repository has moved to where nothing is shown from here")
NO_HIT: Final = catalogue.later("nothing on the forge is about that")
NO_CI: Final = catalogue.later("CI never ran there")
NOT_SHOWN: Final = catalogue.later("it names a repository that is not shown here")
UNPLACED: Final = catalogue.later("it names a number and no repository")
NOTHING: Final = catalogue.later("it names nothing of the forge")
_CHECKING: Final = frozenset({"test", "check", "build", "pipelin", "run", "break", "brok", "fail", "last", "status"})
"""What a question on CI may be about without a word of CI, if it is about nothing else."""
_log = log.logger(__name__)

Ask = Callable[[ForgeRepository], Awaitable[list[Evidence]]]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Inquiry:
    """One look-up, tried in several repositories until one has it."""

    places: tuple[ForgeRepository, ...]
    ask: Ask
    otherwise: str = NOT_THERE
    """What is said where none has it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Looked:
    """The result of one look-up."""

    evidence: Sequence[Evidence] = ()
    looked: int = 0
    whys: Sequence[str] = ()
    failed: Sequence[str] = ()
    """The paths of the repositories that could not be asked."""


class ForgeLayer:
    """L3: looks at the connected forge; private repositories only in the channels named for them."""

    def __init__(
        self,
        settings: ForgeSettings,
        session: "aiohttp.ClientSession | None" = None,
        *,
        client: "ForgeClient | None" = None,
        budget: timedelta = BUDGET,
    ) -> None:
        """A session that is given is used and left open. Without a repository in the settings nothing is ever asked."""
        self._places = repositories.places(settings)
        self._budget = budget
        self._client = client
        if client is None and settings.repositories:
            # It brings aiohttp, a fifth of a second at every start that most have no use for (measured).
            from bot.layers.forge.forge_client import ForgeClient

            self._client = ForgeClient(settings, session)

    async def aclose(self) -> None:
        """Close what was opened."""
        if self._client is not None:
            await self._client.aclose()

    @property
    def _reader(self) -> "ForgeClient":
        assert self._client is not None  # there is no inquiry without a repository
        return self._client

    def is_asked(self, caller: Caller, text: str, *, outright: bool) -> bool:
        """Whether a question is about how CI went, or about an issue or pull request that it tells something of.

        Or, `outright`, whether it asks to find such. Only where a repository is shown; nothing is asked of the forge
        for it.
        """
        if not any(place.shown_to(caller) for place in self._places.by_name.values()):
            return False
        read = references.read(text, self._places)
        words = relevance.telling(read.rest, self._places.names())
        is_of_items = read.seeks_items or (read.surely_of_items and not outright)
        return (is_of_items and bool(words)) or (_is_of_ci(read, words) and read.of_state and not outright)

    def names_item(self, caller: Caller, text: str) -> bool:
        """Whether it names an issue or pull request by its number, of a repository that is shown."""
        shown = tuple(place for place in self._places.by_name.values() if place.shown_to(caller))
        found = references.read(text, self._places).found if shown else ()
        return any(isinstance(one, ItemReference) and _where(one.repository, shown) for one in found)

    async def look(self, asking: WalkQuestion) -> Finding:
        """What the question refers to on the forge; else what it asks of issues and CI.

        Raises no `ForgeError`: what could not be reached is told in `failed`, beside what was found.
        """
        shown = tuple(place for place in self._places.by_name.values() if place.shown_to(asking.caller))
        if not shown:
            return Finding(why=catalogue.gettext("no repository is shown in this channel"))
        read = references.read(asking.question.content, self._places)
        inquiries, why = self._inquiries(read, shown, asking)
        done = await self._within_budget(inquiries, shown)
        evidence = sorted((one for looked in done for one in looked.evidence), key=lambda one: -one.score)
        failed = dict.fromkeys(path for looked in done for path in looked.failed)
        told = [*(one for looked in done for one in looked.whys), why]
        whys = dict.fromkeys(map(catalogue.gettext, filter(None, told)))
        return Finding(
            evidence=tuple(replace(one, label=f"A{at}") for at, one in enumerate(evidence[:MOST], 1)),
            looked=sum(looked.looked for looked in done),
            why="; ".join(whys),
            failed=catalogue.gettext("the forge ({paths})").format(paths=", ".join(failed)) if failed else "",
        )

    def _inquiries(
        self, read: References, shown: Sequence[ForgeRepository], asking: WalkQuestion
    ) -> tuple[list[_Inquiry], str]:
        """What to ask, and what else is to be said of the question."""
        words = relevance.telling(read.rest, self._places.names())
        named = [one for reference in read.found for one in self._about(reference, read, shown, words)]
        withheld = read.elsewhere or any(not _where(one.repository, shown) for one in read.found)
        if read.found or withheld or read.unplaced:
            return named, NOT_SHOWN if withheld else UNPLACED if read.unplaced else ""
        if _is_of_ci(read, words):
            # Of the default one it is asked alone: the CI of another would be no answer.
            ask, where = partial(self._ci, failed=read.of_failure), _where(read.named or self._places.default, shown)
            inquiries = [_Inquiry(places=(place,), ask=ask, otherwise=NO_CI) for place in where]
            return inquiries, "" if inquiries else NOT_SHOWN
        if words and (read.of_forge or Layer.ARTIFACTS in asking.layers):
            where = _where(read.named, sorted(shown, key=lambda place: place.name != self._places.default))
            search = partial(self._search, words=words, kinds=read.kinds)
            inquiries = [_Inquiry(places=(place,), ask=search, otherwise=NO_HIT) for place in where]
            return inquiries, "" if inquiries else NOT_SHOWN
        return [], NOTHING

    def _about(
        self, reference: Reference, read: References, shown: Sequence[ForgeRepository], words: Sequence[TellingWord]
    ) -> list[_Inquiry]:
        where = _where(reference.repository, shown)
        ci: Ask | None = None
        match reference:
            case ItemReference(number=number):
                ask: Ask = partial(self._item, number=number)
                ci = partial(self._ci_of_pull, number=number, failed=read.of_failure)
            case CommitReference(sha=sha):
                ask = partial(self._commit, sha=sha)
                ci = partial(self._ci_of_commit, sha=sha, failed=read.of_failure)
            case RunReference(run=run, job=job):
                ask = partial(self._run, run=run, job=job)
            case FileReference():
                ask = partial(self._file, reference=reference, words=words)
        if not where:
            return []
        inquiries = [_Inquiry(places=where, ask=ask)]
        return (
            inquiries if ci is None or not read.of_ci else [*inquiries, _Inquiry(places=where, ask=ci, otherwise=NO_CI)]
        )

    # --- asking ------------------------------------------------------------------------------------------------------

    async def _within_budget(self, inquiries: Sequence[_Inquiry], shown: Sequence[ForgeRepository]) -> list[_Looked]:
        """The results of all look-ups, in order, within the time for a question."""
        if not inquiries:
            return []
        tasks = [asyncio.create_task(self._done(inquiry, shown)) for inquiry in inquiries]
        try:
            await asyncio.wait(tasks, timeout=self._budget.total_seconds())
            return [
                task.result() if task.done() else _Looked(failed=[place.path for place in inquiry.places])
                for task, inquiry in zip(tasks, inquiries, strict=True)
            ]
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    async def _done(self, inquiry: _Inquiry, shown: Sequence[ForgeRepository]) -> _Looked:
        """The result of the first repository that has it; one that turns out to be private is skipped.

        One that has moved is asked where it is now if that is connected and shown here as well.
        """
        failed: list[str] = []
        whys: list[str] = []
        places = [*inquiry.places]
        for place in places:
            try:
                if await self._is_withheld(place):
                    whys.append(NOT_SHOWN)
                elif evidence := await inquiry.ask(place):
                    return _Looked(evidence=evidence, looked=len(evidence), failed=failed)
                else:
                    whys.append(inquiry.otherwise)
            except errors.ForgeNotFound:
                whys.append(inquiry.otherwise)
            except errors.ForgeMoved as exc:
                _log.warning("forge.moved", repository=place.name)
                there = [one for one in shown if one.path.casefold() == exc.to and one not in places]
                places += there
                whys += [] if there else [MOVED]
            except errors.ForgeUnreadable as exc:
                whys.append(str(exc))
            except errors.ForgeError as exc:
                _log.warning("forge.failed", repository=place.name, error=type(exc).__name__, why=str(exc))
                failed.append(place.path)
                if isinstance(exc, errors.ForgeBusy):
                    told = catalogue.gettext("the forge asks to wait until {time} UTC")
                    whys.append(told.format(time=f"{exc.until:%H:%M:%S}"))
        return _Looked(looked=len(places) - len(failed), whys=whys, failed=failed)

    async def _is_withheld(self, place: ForgeRepository) -> bool:
        """Whether the forge says private where the settings say public."""
        try:
            return (await self._reader.standing(place)).private and not place.private
        except errors.ForgeNotFound as exc:
            # Nobody knows what is in a repository that is not there for this token.
            raise errors.ForgeForbidden(f"{self._reader.host} has no repository there that I may read.") from exc

    async def _item(self, place: ForgeRepository, *, number: int) -> list[Evidence]:
        return [excerpts.of_item(place, await self._reader.item(place, number))]

    async def _commit(self, place: ForgeRepository, *, sha: str) -> list[Evidence]:
        return [excerpts.of_commit(place, await self._reader.commit(place, sha))]

    async def _run(self, place: ForgeRepository, *, run: int, job: int | None) -> list[Evidence]:
        return [excerpts.of_run(place, await self._reader.run(place, run, job))]

    async def _file(
        self, place: ForgeRepository, *, reference: FileReference, words: Sequence[TellingWord]
    ) -> list[Evidence]:
        file = await self._reader.file(place, reference.path, reference.ref)
        return [excerpts.of_file(place, file, reference.lines, words)]

    async def _ci_of_pull(self, place: ForgeRepository, *, number: int, failed: bool) -> list[Evidence]:
        return await self._ci(place, failed=failed, sha=await self._reader.head(place, number))

    async def _ci_of_commit(self, place: ForgeRepository, *, sha: str, failed: bool) -> list[Evidence]:
        return await self._ci(place, failed=failed, sha=(await self._reader.commit(place, sha)).sha)

    async def _ci(self, place: ForgeRepository, *, failed: bool, sha: str | None = None) -> list[Evidence]:
        match await self._reader.latest(place, failed=failed, sha=sha):
            case Run() as run:
                return [excerpts.of_run(place, run)]
            case Status() as status:
                return [excerpts.of_status(place, status)]
            case None:
                return []

    async def _search(
        self, place: ForgeRepository, *, words: Sequence[TellingWord], kinds: Sequence[ItemKind]
    ) -> list[Evidence]:
        found = await self._reader.search(place, [*map(relevance.searched, words)], kinds)
        scores = {item.number: score for item in found if (score := relevance.score(words, item)) > 0}
        best = sorted(
            (item for item in found if item.number in scores), key=lambda one: (-scores[one.number], -one.number)
        )
        whole = await asyncio.gather(*(self._whole(place, item) for item in best[:MOST_HITS]))
        return [excerpts.of_item(place, item, scores[item.number]) for item in whole]

    async def _whole(self, place: ForgeRepository, hit: Item) -> Item:
        """The item with its comments, or else as the search returned it."""
        try:
            return await self._reader.item(place, hit.number)
        except errors.ForgeError:
            return hit


def _is_of_ci(read: References, words: Sequence[TellingWord]) -> bool:
    """Whether a question is about CI, and about nothing else."""
    is_alone = read.surely_of_ci or not [word for word in words if word.stem not in _CHECKING]
    return read.of_ci and is_alone and not read.of_items


def _where(name: str | None, shown: Sequence[ForgeRepository]) -> tuple[ForgeRepository, ...]:
    """The repository of that name if it may be shown here; without a name the first few that may."""
    return tuple(place for place in shown if place.name == name) if name else tuple(shown[:MOST_PLACES])
