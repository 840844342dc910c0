"""Reads issues, files, commits and CI runs from GitHub or Gitea."""

import asyncio
import dataclasses
import time
from collections.abc import Callable, Coroutine, Iterable, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any, Final

import aiohttp

from bot import catalogue, errors, log
from bot.config import ForgeSettings
from bot.layers.forge import forge_json
from bot.layers.forge.cache import AnswerCache
from bot.layers.forge.forge_requests import TIMEOUT, ForgeRequests
from bot.layers.forge.repositories import ForgeRepository
from bot.layers.forge.things import Commit, Item, ItemKind, RepositoryFile, RepositoryState, Run, Status

COMMENTS: Final = 3
"""The newest comments that are read with an item."""
HITS: Final = 5
"""Items of one search that are looked at."""
RUNS: Final = 10
"""Runs of one commit that are looked at."""
TREE_PAGES: Final = 4
TREE_BYTES: Final = 4 * 2**20
STANDING_KEPT: Final = timedelta(minutes=1)
"""How long a repository is taken to be as public as it was."""
_LONGEST_QUERY: Final = 256
"""Characters of GitHub's search, with at most five operators (docs.github.com, troubleshooting search queries)."""
_WORDS: Final = {"github": 6, "gitea": 3}
"""Words of one search: one question for all of them, or one each."""
_log = log.logger(__name__)


class ForgeClient:
    """Reads repositories of one forge, without checking who may see them. Every method raises `ForgeError`."""

    def __init__(
        self,
        settings: ForgeSettings,
        session: aiohttp.ClientSession | None = None,
        *,
        timeout: timedelta = TIMEOUT,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
        clock: Callable[[], float] = time.monotonic,
        cache: AnswerCache | None = None,
    ) -> None:
        self._kind = settings.kind
        self._transport = ForgeRequests(settings, session, timeout=timeout, now=now, cache=cache)
        self._clock = clock
        self._standings: dict[str, tuple[float, RepositoryState]] = {}
        self._asking: dict[str, asyncio.Lock] = {}

    @property
    def host(self) -> str:
        """The server's name, for people."""
        return self._transport.host

    async def aclose(self) -> None:
        """Close what was opened."""
        await self._transport.aclose()

    async def standing(self, place: ForgeRepository) -> RepositoryState:
        """Whether the repository is public, and its default branch; cached for a minute."""
        async with self._asking.setdefault(place.path, asyncio.Lock()):
            known = self._standings.get(place.path)
            if known is None or self._clock() - known[0] >= STANDING_KEPT.total_seconds():
                standing = forge_json.read(forge_json.RepositoryAnswer, await self._json(place)).thing()
                if standing.private and not place.private:
                    _log.warning("forge.private_repository_not_declared", repository=place.name)
                known = self._standings[place.path] = (self._clock(), standing)
            return known[1]

    async def item(self, place: ForgeRepository, number: int) -> Item:
        """An issue or a pull request, with its newest comments if they can be read; `comment_count` is of all."""
        item = forge_json.read(forge_json.ItemAnswer, await self._json(place, "issues", str(number))).thing()
        try:
            comments = await self._comments(place, item)
        except errors.ForgeError as exc:
            _log.warning("forge.comments_not_read", repository=place.name, error=type(exc).__name__)
            comments = []
        newest = sorted((one.thing() for one in comments), key=lambda one: one.said_at)[-COMMENTS:]
        return dataclasses.replace(item, comments=tuple(newest))

    async def head(self, place: ForgeRepository, number: int) -> str:
        """The head commit of a pull request."""
        return forge_json.read(forge_json.HeadAnswer, await self._json(place, "pulls", str(number))).head.sha

    async def file(self, place: ForgeRepository, path: str, ref: str | None = None) -> RepositoryFile:
        """A file of at most 1 MiB, at its path or, where there is none, at the one path that ends so."""
        try:
            return await self._file(place, path, ref)
        except errors.ForgeNotFound:
            ending = f"/{path}"
            found = [one for one in await self._paths(place, ref) if one.endswith(ending)]
            if not found:
                raise
            return await self._file(place, min(found, key=lambda one: (one.count("/"), one)), ref)

    async def commit(self, place: ForgeRepository, sha: str) -> Commit:
        """A commit by the beginning of its id."""
        if self._kind == "gitea":
            answer = await self._json(place, "git", "commits", sha, verification="false")
        else:
            answer = await self._json(place, "commits", sha, per_page=forge_json.MOST_FILES)
        return forge_json.read(forge_json.CommitAnswer, answer).thing()

    async def run(self, place: ForgeRepository, run: int, job: int | None = None) -> Run:
        """A CI run with its jobs, and the end of a log: of the job named, of one that failed, or of the last."""
        try:
            found = forge_json.read(forge_json.RunAnswer, await self._json(place, "actions", "runs", str(run)))
        except errors.ForgeNotFound:
            if self._kind != "gitea":
                raise
            # Older addresses of Gitea count the runs of a repository.
            listed = await self._runs(place, limit=50)
            match = [one for one in listed if one.run_number == run]
            if not match:
                raise
            found, job = match[0], None
        return await self._with_log(place, found.thing(), job)

    async def latest(self, place: ForgeRepository, *, failed: bool, sha: str | None = None) -> Run | Status | None:
        """The newest run, or the newest that failed; of one commit if it is given. None where CI never ran.

        Where no runs are kept, what other checks say of the commit.
        """
        try:
            if sha is not None:
                runs = [one for one in await self._runs(place, limit=RUNS, head_sha=sha) if one.head_sha == sha]
                bad = [one for one in runs if forge_json.has_failed(one.conclusion or one.status or "")]
                runs = bad or runs
            else:
                asked = {"status": "failure"} if failed else {}
                runs = await self._runs(place, limit=1, **asked) or (await self._runs(place, limit=1) if failed else [])
        except errors.ForgeNotFound:
            runs = []
        if runs:
            return await self._with_log(place, runs[0].thing(), None)
        ref = sha or (await self.standing(place)).branch
        return forge_json.read(forge_json.StatusAnswer, await self._json(place, "commits", ref, "status")).thing()

    async def search(self, place: ForgeRepository, words: Sequence[str], kinds: Sequence[ItemKind]) -> list[Item]:
        """Items that hold some of the words, without comments; the caller judges which of them answer."""
        asked = words[: _WORDS[self._kind]]
        if self._kind == "gitea":
            # Its search takes several words for one phrase where no index is configured.
            only = {"type": "pulls" if kinds[0] is ItemKind.PULL else "issues"} if len(kinds) == 1 else {}
            answers = await _all(self._json(place, "issues", q=word, state="all", limit=HITS, **only) for word in asked)
            found = [one for answer in answers for one in forge_json.read_all(forge_json.ItemAnswer, answer)]
        else:
            found = await self._found([_query(place, asked, kind) for kind in kinds], place)
        return [one.thing() for one in {one.number: one for one in found}.values()]

    async def _found(self, queries: Sequence[str], place: ForgeRepository) -> list[forge_json.ItemAnswer]:
        try:
            answers = await _all(
                self._transport.json(
                    place.path, ("search", "issues"), {"q": query, "per_page": HITS, "advanced_search": "true"}
                )
                for query in queries
            )
        except errors.ForgeNotFound as exc:
            # 422: to a token that may not search there it is as if the repository did not exist.
            raise errors.ForgeForbidden(f"{self.host} does not allow me to search there.") from exc
        return [one for answer in answers for one in forge_json.read(forge_json.FoundAnswer, answer).items]

    async def _json(self, place: ForgeRepository, *path: str, **query: str | int) -> object:
        return await self._transport.json(place.path, ("repos", *place.path.split("/"), *path), query)

    async def _comments(self, place: ForgeRepository, item: Item) -> Sequence[forge_json.CommentAnswer]:
        if not item.comment_count:
            return ()
        asked: dict[str, str | int] = {}
        if self._kind == "github":
            # They come oldest first: the page length whose last page is the fullest, and that page.
            length = max(range(10, 21), key=lambda one: (item.comment_count - 1) % one)
            asked = {"per_page": length, "page": (item.comment_count - 1) // length + 1}
        return forge_json.read_all(
            forge_json.CommentAnswer, await self._json(place, "issues", str(item.number), "comments", **asked)
        )

    async def _file(self, place: ForgeRepository, path: str, ref: str | None) -> RepositoryFile:
        asked = {"ref": ref} if ref else {}
        answer = await self._json(place, "contents", *path.split("/"), **asked)
        if isinstance(answer, list):
            raise errors.ForgeUnreadable(catalogue.later("it names a folder, not a file"))
        return forge_json.read(forge_json.FileAnswer, answer).thing()

    async def _paths(self, place: ForgeRepository, ref: str | None) -> list[str]:
        where = ref or (await self.standing(place)).branch
        paths: list[str] = []
        for page in range(1, TREE_PAGES + 1):
            asked = {"recursive": "1"} | ({"per_page": 1000, "page": page} if self._kind == "gitea" else {})
            answer = await self._transport.json(
                place.path, ("repos", *place.path.split("/"), "git", "trees", where), asked, most_bytes=TREE_BYTES
            )
            tree = forge_json.read(forge_json.TreeAnswer, answer)
            paths += tree.files
            if self._kind == "github" or not tree.truncated:
                break
        return paths

    async def _runs(self, place: ForgeRepository, *, limit: int, **asked: str) -> list[forge_json.RunAnswer]:
        length = "limit" if self._kind == "gitea" else "per_page"
        answer = await self._json(place, "actions", "runs", **{length: limit}, **asked)
        return forge_json.read(forge_json.RunsAnswer, answer).workflow_runs

    async def _with_log(self, place: ForgeRepository, run: Run, job: int | None) -> Run:
        try:
            answer = await self._json(place, "actions", "runs", str(run.run_id), "jobs")
            jobs = forge_json.read(forge_json.JobsAnswer, answer).things()
        except errors.ForgeNotFound:
            jobs = ()
        named = [one for one in jobs if one.job_id == job]
        failed = [one for one in jobs if forge_json.has_failed(one.outcome)]
        told = next(iter([*named, *failed, *jobs[-1:]]), None)
        text = ""
        if told is not None:
            try:
                text = await self._transport.tail(
                    ("repos", *place.path.split("/"), "actions", "jobs", str(told.job_id), "logs")
                )
            except errors.ForgeError as exc:
                # Gone after some weeks, for members only, or too slow: the run is told without it.
                _log.info("forge.log_not_read", repository=place.name, error=type(exc).__name__)
                told = None
        return dataclasses.replace(run, jobs=jobs, logged=told.name if told else None, log=text)


async def _all(asked: Iterable[Coroutine[Any, Any, object]]) -> list[object]:
    """All results; the first error, once every task has ended."""
    answers = await asyncio.gather(*asked, return_exceptions=True)
    for answer in answers:
        if isinstance(answer, BaseException):
            raise answer
    return answers


def _query(place: ForgeRepository, words: Sequence[str], kind: ItemKind) -> str:
    head = f"repo:{place.path} is:{'issue' if kind is ItemKind.ISSUE else 'pull-request'}"
    asked: list[str] = []
    for word in words:
        if len(f"{head} ({' OR '.join([*asked, word])})") <= _LONGEST_QUERY:
            asked.append(word)
    return f"{head} ({' OR '.join(asked)})"
