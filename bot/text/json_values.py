"""Makes a JSON value that a model wrote safe to store: without what Postgres refuses, and not without bound."""

import json
import math
from typing import Any, Final

from bot.text import sanitize

LONGEST: Final = 16_000
"""Characters of a value that is stored, as JSON."""


def stored(value: dict[str, Any]) -> dict[str, Any]:
    """The object as it is stored; an empty one where it is too large or nested too deep."""
    try:
        clean: dict[str, Any] = _clean(value)
        return clean if len(json.dumps(clean)) <= LONGEST else {}
    except RecursionError:
        return {}


def _clean(value: Any) -> Any:
    match value:
        case str():
            return sanitize.shown(value)
        case float():
            return value if math.isfinite(value) else None
        case list():
            return [_clean(each) for each in value]  # pyright: ignore[reportUnknownVariableType]
        case dict():
            return {sanitize.shown(str(key)): _clean(each) for key, each in value.items()}  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]
        case _:
            return value
