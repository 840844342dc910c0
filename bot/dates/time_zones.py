"""The time zones that a space can have, by their IANA names."""

import functools
import zoneinfo


@functools.cache
def names() -> tuple[str, ...]:
    """All that this machine knows, by the alphabet; read from its files the first time alone."""
    return tuple(sorted(zoneinfo.available_timezones()))
