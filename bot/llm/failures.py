"""Describes a failed attempt without quoting the request, and tells whether a retry may help."""

import email.utils
import math
import re
from datetime import timedelta
from typing import Final, Literal

import aiohttp
from aiohttp.http_exceptions import ContentEncodingError

from bot import errors
from bot.config import ModelSettings, ServerSettings

Kind = Literal["unreachable", "timeout", "status", "stalled", "endless", "cut", "empty", "garbage"]
_TRANSIENT: Final = frozenset({429})
_TOO_LONG: Final = re.compile(
    r"context[_ ](?:length|size|window)|n_ctx|prompt is too long|input is too long|too many (?:input )?tokens|"
    r"maximum (?:prompt|model|sequence) length|max_new_tokens.? must be <=|"
    r"exceeds? (?:the )?(?:\w+ ){0,4}(?:tokens|context)|reduce the length"
)
"""How servers say that a prompt is longer than the model takes."""
_TAKES: Final = re.compile(
    r"(?:maximum (?:context|prompt|model|sequence) length (?:is|of)|context length of only|n_ctx'?:|"
    r"max_new_tokens.? must be <=|context (?:size|window|length)(?: of| is| limit)?(?: only)?:?)"
    r" {0,2}\(?(?P<tokens>\d{3,8})\b"
)
_LOOKED_AT: Final = 2_000
"""Characters of what a server wrote in which that is looked for."""


class Failure(errors.ModelError):
    """A failed attempt; never leaves bot.llm."""

    def __init__(
        self,
        why: str,
        *,
        kind: Kind,
        retry: bool,
        refused: bool = False,
        status: int | None = None,
        after: timedelta | None = None,
        told: str = "",
        too_long: bool = False,
        takes: int | None = None,
    ) -> None:
        super().__init__(why)
        self.why = why
        self.kind: Kind = kind
        self.retry = retry
        self.refused = refused
        """The server understood and said no, rather than being away."""
        self.status = status
        self.after = after
        """How long the server asks to wait."""
        self.told = told
        """What the server wrote with an error status, in small letters: looked at, never shown."""
        self.too_long = too_long
        """The prompt is longer than the model takes."""
        self.takes = takes
        """The tokens that it takes, where the server says so."""


def host(settings: ServerSettings) -> str:
    """Which server, for people: never the key, nor a user in the address."""
    url = settings.base_url
    name = url.host or "its server"
    return name if url.port in {None, 80, 443} else f"{name}:{url.port}"


def briefly(told: str) -> str:
    """How a call ended, of what is told of it, without where and why it failed."""
    return told.partition(":")[0]


def of_silence(settings: ServerSettings, bound: timedelta, *, began: bool) -> Failure:
    """Nothing arrived within `bound`."""
    seconds = f"{bound.total_seconds():g} s"
    if began:
        return Failure(f"{host(settings)} fell silent for {seconds}", kind="stalled", retry=True)
    return Failure(f"{host(settings)} did not answer within {seconds}", kind="timeout", retry=True)


def of_endlessness(settings: ModelSettings) -> Failure:
    """The answer did not end in its time."""
    seconds = f"{settings.timeout_total.total_seconds():g} s"
    return Failure(f"{host(settings)} did not end its answer within {seconds}", kind="endless", retry=False)


def of_no_response(settings: ServerSettings, exc: Exception) -> Failure:
    """The failure for an exception of the request: the server, or a proxy, is away or speaks no HTTP."""
    if _is_badly_packed(exc):
        return of_garbage(settings)
    late = isinstance(exc, TimeoutError)
    why = f"{host(settings)} can't be reached" + (" in time" if late else "")
    return Failure(why, kind="timeout" if late else "unreachable", retry=True)


def of_end() -> Failure:
    """Every connection was closed, because the program ends."""
    return Failure("I am stopping", kind="unreachable", retry=False)


def of_key(settings: ServerSettings) -> Failure:
    """The key can't be sent."""
    why = f"the API key for {host(settings)} holds characters that no key has; check it"
    return Failure(why, kind="status", retry=False, refused=True)


def of_proxy(settings: ServerSettings) -> Failure:
    """The environment sets a proxy of a kind that is not understood."""
    why = f"the proxy set before {host(settings)} is not an HTTP proxy; change it, or name the server in NO_PROXY"
    return Failure(why, kind="unreachable", retry=False)


def of_cut(settings: ServerSettings) -> Failure:
    """The connection closed before the answer was whole."""
    return Failure(f"{host(settings)} broke off in the middle of an answer", kind="cut", retry=True)


def of_emptiness(settings: ModelSettings, *, at_limit: bool) -> Failure:
    """A whole answer without a word."""
    why = f"{host(settings)} sent an empty answer"
    if at_limit:
        why += f", with all {settings.max_tokens} tokens used; raise max_tokens"
    return Failure(why, kind="empty", retry=True, refused=True)


def of_garbage(settings: ServerSettings) -> Failure:
    """The answer was not in the expected format."""
    why = f"{host(settings)} sent something that is not an answer; check that base_url is an OpenAI-compatible API"
    return Failure(why, kind="garbage", retry=True, refused=True)


def of_status(settings: ServerSettings, status: int, *, text: str, after: timedelta | None = None) -> Failure:
    """An error status; `text` is what the server wrote with it, looked at but never quoted."""
    place, model = host(settings), settings.model
    too_long = status != 429 and _tells_of_length(text)
    spent = "insufficient_quota" in text
    if (status in _TRANSIENT or status >= 500) and not (spent or too_long):
        why = f"{place} asks to slow down (429)" if status == 429 else f"{place} failed ({status})"
        return Failure(why, kind="status", retry=True, status=status, after=after, told=text)
    why = {
        401: f"{place} refused the API key (401); check it",
        403: f"{place} does not allow this API key to use {model} (403)",
        404: f"{place} does not know the model {model}, or base_url is wrong (404)",
        429: f"{place} says the account's quota is used up (429)",
    }.get(status, f"{place} refused the request ({status})")
    if 300 <= status < 400:
        why = f"{place} redirects to another address ({status}); check base_url"
    if "support tools" in text or "tool_choice" in text:
        why += '; if the model can\'t call tools, set tools to "none"'
    elif too_long:
        why += "; the prompt is longer than the model takes: lower max_context"
    named = _TAKES.search(text, 0, _LOOKED_AT) if too_long else None
    takes = int(named["tokens"]) if named else None
    return Failure(
        why, kind="status", retry=False, refused=True, status=status, told=text, too_long=too_long, takes=takes
    )


def of_mid_stream(settings: ModelSettings, status: int | None, text: str = "") -> Failure:
    """An error that the server reported inside its answer, and the small letters it did so in."""
    if status is None and _tells_of_length(text):
        # What the same server would have answered before it began.
        status = 400
    if status is not None:
        return of_status(settings, status, text=text)
    return Failure(f"{host(settings)} reported an error instead of an answer", kind="status", retry=True)


def _tells_of_length(text: str) -> bool:
    return _TOO_LONG.search(text, 0, _LOOKED_AT) is not None


def of_exception(settings: ServerSettings, exc: Exception) -> Failure:
    """The failure for an exception while the answer was read."""
    if isinstance(exc, aiohttp.ClientError | OSError) and not _is_badly_packed(exc):
        return of_cut(settings)
    return of_garbage(settings)


def _is_badly_packed(exc: Exception) -> bool:
    """Whether an answer came in an encoding that it is not in, or that nobody here knows."""
    cause = exc.__cause__
    return isinstance(cause, ContentEncodingError) or isinstance(cause and cause.__cause__, ContentEncodingError)


def wait_asked_for(value: str | None, now: float) -> timedelta | None:
    """How long a Retry-After header asks to wait at `now`, given as seconds or as a date (RFC 9110, 10.2.3)."""
    if value is None:
        return None
    try:
        seconds = float(value)
    except ValueError:
        try:
            seconds = email.utils.parsedate_to_datetime(value).timestamp() - now
        except (TypeError, ValueError, OverflowError):
            return None
    return timedelta(seconds=min(max(seconds, 0.0), 86_400.0)) if math.isfinite(seconds) else None
