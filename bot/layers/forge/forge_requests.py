"""Sends GET requests to the forge's API, bounded in time and size; the token goes to that host alone."""

import asyncio
import contextlib
import email.utils
import json
from collections.abc import AsyncGenerator, Callable, Mapping
from datetime import UTC, datetime, timedelta
from http import HTTPStatus
from typing import Any, Final
from urllib.parse import quote, urlencode

import aiohttp
import yarl

from bot import errors
from bot.config import ForgeSettings
from bot.layers.forge.cache import AnswerCache, CachedAnswer

TIMEOUT: Final = timedelta(seconds=5)
"""For one request with its redirects."""
MOST_REDIRECTS: Final = 3
MOST_BYTES: Final = 2 * 2**20
"""Of one answer; a file of 1 MiB takes 1.4 of them."""
MOST_LOG_BYTES: Final = 16 * 2**20
"""Of a log that is read to its end."""
LOG_TAIL: Final = 256 * 2**10
"""Bytes of a log that are kept while it is read."""
LONGEST_WAIT: Final = timedelta(hours=1)
"""However long the forge asks to wait; its clock may be wrong."""
USUAL_WAIT: Final = timedelta(minutes=1)
"""Where it asks to wait and does not say how long (docs.github.com, rate limits of the REST API)."""
_ATTEMPTS: Final = 2
_CONNECTIONS: Final = 8
_REDIRECTS: Final = frozenset({301, 302, 303, 307, 308})
_ACCEPT: Final = {"github": "application/vnd.github+json", "gitea": "application/json"}
_SCHEME: Final = {"github": "Bearer", "gitea": "token"}
_VERSION: Final = {"X-GitHub-Api-Version": "2022-11-28"}


class _ServerFailed(Exception):
    """The server answered with 5xx; a retry may help."""

    def __init__(self, status: int) -> None:
        super().__init__(status)
        self.status = status


class ForgeRequests:
    """Requests to one forge. Every error it raises is a `ForgeError` and quotes nothing of the request."""

    def __init__(
        self,
        settings: ForgeSettings,
        session: aiohttp.ClientSession | None = None,
        *,
        timeout: timedelta = TIMEOUT,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
        cache: AnswerCache | None = None,
    ) -> None:
        """A session that is given is used and left open; else one is opened at the first question."""
        self._settings = settings
        self._root = yarl.URL(settings.api)
        self._session = session
        self._owned: aiohttp.ClientSession | None = None
        self._timeout = timeout
        self._now = now
        self._cache = cache or AnswerCache()
        self._waits: dict[str, datetime] = {}

    @property
    def host(self) -> str:
        """The server's name, for people."""
        return str(self._root.authority)

    async def aclose(self) -> None:
        """Close the session, if it is its own."""
        owned, self._owned = self._owned, None
        if owned is not None:
            await owned.close()

    async def json(
        self,
        repository: str,
        path: tuple[str, ...],
        query: Mapping[str, str | int] | None = None,
        *,
        most_bytes: int = MOST_BYTES,
    ) -> Any:
        """The JSON at this path of the API, for one repository. Raises `ForgeError`."""
        url = self._url(path, query)
        kept = self._cache.find(repository, str(url))
        asked = {"If-None-Match": kept.etag} if kept else {}
        body = await self._twice(url, asked, lambda response: self._body(repository, url, kept, response, most_bytes))
        try:
            return json.loads(body)
        except (ValueError, RecursionError) as exc:
            self._cache.drop(repository, str(url))
            raise errors.ForgeUnusable(f"{self.host} sent something that is not JSON; is base_url an API?") from exc

    async def tail(self, path: tuple[str, ...]) -> str:
        """The end of a long text, such as a log. Raises `ForgeError`."""
        return (await self._twice(self._url(path), {}, self._end)).decode("utf-8", "replace")

    def _url(self, path: tuple[str, ...], query: Mapping[str, str | int] | None = None) -> yarl.URL:
        if not all(part.strip(".") for part in path):
            raise errors.ForgeNotFound  # a way up would lead to another repository
        joined = "/".join(quote(part, safe="") for part in path)
        asked = f"?{urlencode(query)}" if query else ""
        return yarl.URL(f"{self._settings.api}/{joined}{asked}", encoded=True)

    async def _body(
        self, repository: str, url: yarl.URL, kept: CachedAnswer | None, response: aiohttp.ClientResponse, most: int
    ) -> bytes:
        if response.status == HTTPStatus.NOT_MODIFIED and kept is not None:
            return kept.body
        await self._check(response)
        body = bytearray()
        async for chunk in response.content.iter_chunked(2**16):
            body += chunk
            if len(body) > most:
                raise errors.ForgeUnusable(f"{self.host} sent more than {most // 2**20} MiB.")
        if (etag := response.headers.get("ETag")) is not None:
            self._cache.keep(repository, str(url), CachedAnswer(etag=etag, body=bytes(body)))
        return bytes(body)

    async def _end(self, response: aiohttp.ClientResponse) -> bytes:
        await self._check(response)
        end, size = bytearray(), 0
        async for chunk in response.content.iter_chunked(2**16):
            size += len(chunk)
            if size > MOST_LOG_BYTES:
                raise errors.ForgeUnusable(f"{self.host} sent more than {MOST_LOG_BYTES // 2**20} MiB.")
            end = (end + chunk)[-LOG_TAIL:]
        return bytes(end)

    async def _twice(
        self, url: yarl.URL, asked: Mapping[str, str], read: Callable[[aiohttp.ClientResponse], Any]
    ) -> bytes:
        """Reads a response, with one retry where the server failed."""
        bucket = "search" if url.path.startswith(f"{self._root.path.rstrip('/')}/search/") else "core"
        for attempt in range(1, _ATTEMPTS + 1):
            self._must_not_wait(bucket)
            try:
                async with asyncio.timeout(self._timeout.total_seconds()), self._followed(url, asked) as response:
                    self._heed(response, bucket)
                    return await read(response)
            except TimeoutError as exc:
                why = f"{self.host} did not answer within {self._timeout.total_seconds():g} s."
                raise errors.ForgeUnreachable(why) from exc
            except _ServerFailed as exc:
                if attempt == _ATTEMPTS:
                    raise errors.ForgeUnreachable(f"{self.host} failed ({exc.status}).") from exc
            except (aiohttp.ClientError, OSError) as exc:
                # A connection that broke was tried once more by aiohttp itself.
                raise errors.ForgeUnreachable(f"{self.host} can't be reached.") from exc
        raise AssertionError  # the last attempt returns or raises

    @contextlib.asynccontextmanager
    async def _followed(self, url: yarl.URL, asked: Mapping[str, str]) -> AsyncGenerator[aiohttp.ClientResponse]:
        """The answer behind at most three redirects. Raises `ForgeMoved` for one that leads to another repository.

        The token goes to the API's own origin alone, and once a redirect has led away from it to nobody any more: logs
        lie with a store that has an address of its own, and such a store must not be able to point back. Who may see
        another repository was not asked: a transferred one answers by a redirect, whatever it has become there.
        """
        asked_of = self._repository(url)
        headers = {"Accept": _ACCEPT[self._settings.kind], "User-Agent": "hathi", **asked}
        at_home = True
        for _ in range(MOST_REDIRECTS + 1):
            at_home = at_home and url.origin() == self._root.origin()
            sent = {**headers, **self._credentials()} if at_home else {"User-Agent": "hathi"}
            async with self._opened().get(url, headers=sent, allow_redirects=False) as response:
                if response.status not in _REDIRECTS:
                    yield response
                    return
                target = self._next(url, response.headers.get("Location", ""))
                if at_home and target.origin() == self._root.origin():
                    leads_to = self._repository(target)
                    if leads_to is None or leads_to != asked_of:
                        raise errors.ForgeMoved(leads_to)
                url = target
        raise errors.ForgeUnusable(f"{self.host} redirects more than {MOST_REDIRECTS} times.")

    def _repository(self, url: yarl.URL) -> str | None:
        """Owner and name of the repository an address of the API is of, in small letters; none where it names none."""
        head, *parts = url.path.casefold().removeprefix(self._root.path.casefold().rstrip("/")).split("/")
        if head or parts[:1] != ["repos"] or len(parts) < 3 or not all(part.strip(".") for part in parts):
            return None
        return f"{parts[1]}/{parts[2]}"

    def _next(self, url: yarl.URL, location: str) -> yarl.URL:
        try:
            target = url.join(yarl.URL(location, encoded=True))
            is_web = target.scheme in {"http", "https"} and bool(target.host)
        except ValueError:
            is_web, target = False, url
        if not location or not is_web or (url.scheme == "https" and target.scheme == "http"):
            raise errors.ForgeUnusable(f"{self.host} redirects to where it can't be followed.")
        return target

    def _credentials(self) -> dict[str, str]:
        version = _VERSION if self._settings.kind == "github" else {}
        if self._settings.token is None:
            return {**version}
        return {**version, "Authorization": f"{_SCHEME[self._settings.kind]} {self._settings.token.get_secret_value()}"}

    def _opened(self) -> aiohttp.ClientSession:
        if self._session is not None:
            return self._session
        if self._owned is None:
            self._owned = aiohttp.ClientSession(
                connector=aiohttp.TCPConnector(limit=_CONNECTIONS), cookie_jar=aiohttp.DummyCookieJar()
            )
        return self._owned

    # --- what the answer's status says ------------------------------------------------------------------------------

    async def _check(self, response: aiohttp.ClientResponse) -> None:
        """Raises the error for any status but 200."""
        match response.status:
            case HTTPStatus.OK:
                return
            case HTTPStatus.UNAUTHORIZED:
                why = "wants a token" if self._settings.token is None else "refuses the token"
                raise errors.ForgeTokenRefused(f"{self.host} {why} (401).")
            case HTTPStatus.FORBIDDEN | HTTPStatus.UNAVAILABLE_FOR_LEGAL_REASONS:
                if b"rate limit" in (await response.content.read(2**12)).lower():
                    self._wait(None, self._now() + USUAL_WAIT)
                    raise errors.ForgeBusy(self._waits["core"])
                raise errors.ForgeForbidden(f"{self.host} does not allow me to read that ({response.status}).")
            case HTTPStatus.NOT_FOUND | HTTPStatus.GONE | HTTPStatus.UNPROCESSABLE_ENTITY | HTTPStatus.CONFLICT:
                # 422: no commit has this id, no search reaches this repository; 409: the repository is empty.
                raise errors.ForgeNotFound
            case status:
                raise errors.ForgeUnusable(f"{self.host} answered {status}, which was not expected.")

    def _must_not_wait(self, bucket: str) -> None:
        until = self._waits.get(bucket)
        if until is not None and self._now() < until:
            raise errors.ForgeBusy(until)

    def _heed(self, response: aiohttp.ClientResponse, bucket: str) -> None:
        """Records how long the forge asks to wait; raises for a rate limit or a failure."""
        if response.status >= HTTPStatus.INTERNAL_SERVER_ERROR:
            raise _ServerFailed(response.status)
        if response.url.origin() != self._root.origin():
            return  # a log's store speaks for itself
        is_refusal = response.status in {HTTPStatus.FORBIDDEN, HTTPStatus.TOO_MANY_REQUESTS}
        after = _seconds(response.headers.get("Retry-After"), self._now()) if is_refusal else None
        if after is not None:
            self._wait(None, after)
        elif response.headers.get("X-RateLimit-Remaining") == "0":
            reset = _moment(response.headers.get("X-RateLimit-Reset")) or self._now() + USUAL_WAIT
            self._wait(bucket, reset)
        elif response.status == HTTPStatus.TOO_MANY_REQUESTS:
            self._wait(None, self._now() + USUAL_WAIT)
        else:
            return
        if is_refusal:
            raise errors.ForgeBusy(self._waits[bucket])

    def _wait(self, bucket: str | None, until: datetime) -> None:
        latest = min(until, self._now() + LONGEST_WAIT)
        for one in ("core", "search") if bucket is None else (bucket,):
            self._waits[one] = latest


def _seconds(given: str | None, now: datetime) -> datetime | None:
    """When a `Retry-After` is over: seconds, or a date (RFC 9110, 10.2.3)."""
    if given is None:
        return None
    if given.strip().isdecimal() and len(given) < 10:
        return now + timedelta(seconds=int(given))
    try:
        date = email.utils.parsedate_to_datetime(given)
    except ValueError:
        return now + USUAL_WAIT
    return date if date.tzinfo else date.replace(tzinfo=UTC)


def _moment(given: str | None) -> datetime | None:
    """The time of an `X-RateLimit-Reset`: seconds since 1970."""
    if given is None or not given.isdecimal() or len(given) > 11:
        return None
    return datetime.fromtimestamp(int(given), UTC)
