"""HTTP connections to model servers: sessions, keys, proxies, redirects and error statuses."""

import contextlib
import io
import json
import time
import urllib.request
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any, Final

import aiohttp
import yarl
from pydantic import SecretStr, TypeAdapter

from bot.config import ServerSettings
from bot.llm import failures

CONNECT_SECONDS: Final = 10.0
"""For a name's look-up, the connection and its encryption together."""
_READ_SECONDS: Final = 600.0
"""Never reached while the bounds of `Models` hold."""
_LONGEST_ERROR: Final = 2**16
"""Bytes of an error that are looked at."""
_LONG_BODY: Final = 2**20
"""Bytes from which a body goes out in pieces; in one it would hold up the event loop, and aiohttp warns of it."""
_MOST_REDIRECTS: Final = 3
_REDIRECTS: Final = frozenset({HTTPStatus.TEMPORARY_REDIRECT, HTTPStatus.PERMANENT_REDIRECT})
"""Those that have the same request made again; the others would turn it into one without a body."""
# A fifth of the time `json.dumps` takes (measured): a long prompt is most of what a request costs.
_BODY: Final = TypeAdapter(dict[str, Any])


@dataclass(frozen=True, slots=True, kw_only=True)
class _Place:
    """One server as used with one key."""

    root: yarl.URL
    headers: dict[str, str]
    query: dict[str, str]
    proxy: yarl.URL | None


class Connections:
    """The connections to every server in use, and what each is known to refuse."""

    def __init__(self, *, now: Callable[[], float] = time.time) -> None:
        self.refuses: dict[tuple[str, str], frozenset[str]] = {}
        """Parameters by address and model."""
        self.takes: dict[tuple[str, str], int] = {}
        """Tokens of prompt and answer, by address and model, where that is less than the settings say."""
        self._now = now
        self._places: dict[tuple[object, ...], _Place] = {}
        self._session: aiohttp.ClientSession | None = None
        self._is_closed = False

    async def post(self, settings: ServerSettings, path: str, body: dict[str, Any]) -> aiohttp.ClientResponse:
        """A successful response, to be entered so that it is closed. Raises `Failure`."""
        place = self._place(settings)
        url, proxy = (place.root / path).update_query(place.query), place.proxy
        data = _BODY.dump_json(body | settings.extra_body)
        for _ in range(_MOST_REDIRECTS):
            response = await self._asked(settings, url, proxy, place.headers, data)
            if (target := redirected_to(url, response)) is None:
                break
            async with response:
                url, proxy = target, proxy_of(settings, target)
        else:
            response = await self._asked(settings, url, proxy, place.headers, data)
        if 200 <= response.status < 300:
            return response
        async with response:
            after = failures.wait_asked_for(response.headers.get("Retry-After"), self._now())
            raise failures.of_status(settings, response.status, text=await _told(response), after=after)

    async def aclose(self) -> None:
        """Close what was opened; nothing is asked any more."""
        self._is_closed = True
        if self._session is not None:
            await self._session.close()

    async def _asked(
        self, settings: ServerSettings, url: yarl.URL, proxy: yarl.URL | None, headers: dict[str, str], data: bytes
    ) -> aiohttp.ClientResponse:
        sent = data if len(data) < _LONG_BODY else io.BytesIO(data)
        try:
            return await self._opened().post(url, data=sent, headers=headers, proxy=proxy, allow_redirects=False)
        except (aiohttp.ClientError, OSError, ValueError) as exc:
            raise failures.of_no_response(settings, exc) from exc

    def _place(self, settings: ServerSettings) -> _Place:
        key = settings.api_key.get_secret_value().strip() if settings.api_key else ""
        more, query = _plain(settings.extra_headers), _plain(settings.extra_query)
        known = (str(settings.base_url), key, *more.items(), None, *query.items())
        if known not in self._places:
            if not (key.isascii() and key.isprintable()):
                raise failures.of_key(settings)
            root = yarl.URL(str(settings.base_url))
            headers = {"Content-Type": "application/json", "Accept": "application/json", "User-Agent": "hathi"}
            if key:
                headers["Authorization"] = f"Bearer {key}"
            given = {name.lower() for name in more}
            headers = {name: value for name, value in headers.items() if name.lower() not in given} | more
            if key or "authorization" in given:
                # Credentials go out once: the address's own user only where there is no key.
                root = root.with_user(None)
            self._places[known] = _Place(root=root, headers=headers, query=query, proxy=proxy_of(settings, root))
        return self._places[known]

    def _opened(self) -> aiohttp.ClientSession:
        if self._is_closed:
            raise failures.of_end()
        if self._session is None:
            self._session = aiohttp.ClientSession(
                # As many as are asked at once, which the lanes of channels bound: in a pool with a limit (100 unless
                # told otherwise) a turn would wait for the turns of others, and its server be blamed for the silence.
                connector=aiohttp.TCPConnector(limit=0),
                cookie_jar=aiohttp.DummyCookieJar(),
                timeout=aiohttp.ClientTimeout(connect=CONNECT_SECONDS, sock_read=_READ_SECONDS),
            )
        return self._session


def _plain(secrets: Mapping[str, SecretStr]) -> dict[str, str]:
    return {name: secret.get_secret_value() for name, secret in secrets.items()}


def proxy_of(settings: ServerSettings, url: yarl.URL) -> yarl.URL | None:
    """The proxy to reach a model server's address through. Raises `Failure` where it can't be used."""
    try:
        return named_proxy(url)
    except ValueError:
        raise failures.of_proxy(settings) from None


def named_proxy(url: yarl.URL) -> yarl.URL | None:
    """The proxy to reach an address through, as HTTP_PROXY, HTTPS_PROXY, ALL_PROXY and NO_PROXY say.

    Raises `ValueError` where it can't be used. aiohttp's own `trust_env` looks for it in two threads with every
    request, sends the passwords in ~/.netrc besides, and fails where there is one for a server that has a key.
    """
    named = urllib.request.getproxies()
    found = named.get(url.scheme) or named.get("all")
    # An IPv6 address stands in brackets where a port follows, and without in most people's NO_PROXY.
    if not found or any(map(urllib.request.proxy_bypass, (url.host_port_subcomponent or "", url.host or ""))):
        return None
    proxy = yarl.URL(found if "://" in found else f"http://{found}")
    if proxy.scheme not in {"http", "https"} or not proxy.host:
        raise ValueError("not an HTTP proxy")
    return proxy


def redirected_to(url: yarl.URL, response: aiohttp.ClientResponse) -> yarl.URL | None:
    """Where a redirect leads that may be followed: no prompt and no key goes to another host, or leaves encryption."""
    if response.status not in _REDIRECTS:
        return None
    try:
        target = url.join(yarl.URL(response.headers.get("Location", "")))
        same = target.origin() == url.origin()
        encrypted = url.scheme == "http" and target.origin() == url.with_scheme("https").with_port(None).origin()
    except ValueError:
        return None
    return target if same or (encrypted and url.port == 80) else None


async def _told(response: aiohttp.ClientResponse) -> str:
    """A server's error text, in lower case and on one line, as far as it came."""
    body = b""
    with contextlib.suppress(aiohttp.ClientError, OSError):
        async for piece in response.content.iter_any():
            body += piece
            if len(body) > _LONGEST_ERROR:
                break
    text = body.decode("utf-8", "replace")
    with contextlib.suppress(ValueError, RecursionError):
        text = str(json.loads(text))
    return " ".join(text.lower().split())
