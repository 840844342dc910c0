"""Discord's rate limits: a bucket a route and major parameter, and one for everything."""

import hashlib
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

MOST_BUCKETS: Final = 10_000
GLOBAL: Final = 50
"""Requests a second in all."""
_DEFAULT: Final = (30, 1.0)
_LIMITS: Final[dict[tuple[str, str], tuple[int, float]]] = {
    ("POST", "/channels/{channel_id}/messages"): (5, 5.0),
    ("PATCH", "/channels/{channel_id}/messages/{message_id}"): (5, 5.0),
    ("DELETE", "/channels/{channel_id}/messages/{message_id}"): (5, 1.0),
    ("POST", "/channels/{channel_id}/messages/bulk-delete"): (1, 3.0),
    ("POST", "/channels/{channel_id}/typing"): (5, 5.0),
    ("GET", "/channels/{channel_id}/messages"): (5, 1.0),
    ("GET", "/guilds/{guild_id}/messages/search"): (10, 5.0),
    ("PUT", "/channels/{channel_id}/messages/{message_id}/reactions/{emoji}/@me"): (1, 0.25),
    ("POST", "/webhooks/{application_id}/{token}"): (5, 2.0),
    ("PATCH", "/webhooks/{application_id}/{token}/messages/{message}"): (5, 2.0),
}
_MAJOR: Final = ("channel_id", "guild_id", "token")
_UNLIMITED: Final = "/interactions/"


@dataclass(slots=True)
class _Bucket:
    limit: int
    left: int
    resets: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """The headers of an answer, and the seconds to wait when the request is one too many."""

    headers: dict[str, str]
    wait: float = 0.0
    everywhere: bool = False


class Buckets:
    """The counts of the running windows; switched off, nothing is counted or told."""

    def __init__(self, *, enabled: bool) -> None:
        self.enabled = enabled
        self.limits = dict(_LIMITS)
        """Requests and seconds a window, by method and path template; a test may set its own."""
        self._buckets: dict[tuple[str, str, str], _Bucket] = {}
        self._all = _Bucket(GLOBAL, GLOBAL, 0.0)

    def count(self, method: str, template: str, parameters: Mapping[str, str]) -> Verdict:
        """Count a request."""
        if not self.enabled or template.startswith(_UNLIMITED):
            return Verdict(headers={})
        now = time.monotonic()
        if now >= self._all.resets:
            self._all = _Bucket(GLOBAL, GLOBAL, now + 1.0)
        if self._all.left <= 0:
            wait = self._all.resets - now
            headers = {"X-RateLimit-Global": "true", "X-RateLimit-Scope": "global"}
            return Verdict(headers=headers, wait=wait, everywhere=True)
        self._all.left -= 1
        limit, seconds = self.limits.get((method, template), _DEFAULT)
        key = (method, template, "+".join(parameters[name] for name in _MAJOR if name in parameters))
        bucket = self._buckets.get(key)
        if bucket is None or now >= bucket.resets:
            if len(self._buckets) >= MOST_BUCKETS:
                self._buckets = {known: each for known, each in self._buckets.items() if each.resets > now}
            bucket = self._buckets[key] = _Bucket(limit, limit, now + seconds)
        wait = 0.0 if bucket.left > 0 else bucket.resets - now
        bucket.left = max(0, bucket.left - 1)
        return Verdict(headers=_headers(method, template, bucket, now), wait=wait)


def _headers(method: str, template: str, bucket: _Bucket, now: float) -> dict[str, str]:
    after = bucket.resets - now
    return {
        "X-RateLimit-Limit": str(bucket.limit),
        "X-RateLimit-Remaining": str(bucket.left),
        "X-RateLimit-Reset": f"{time.time() + after:.3f}",
        "X-RateLimit-Reset-After": f"{after:.3f}",
        "X-RateLimit-Bucket": hashlib.md5(f"{method} {template}".encode(), usedforsecurity=False).hexdigest(),
        "X-RateLimit-Scope": "user",
    }
