"""`hathi detect`: runs the recall detector for other programs, JSON lines in and out."""

import functools
import json
from collections.abc import Iterable
from typing import Any, Final, TextIO, cast

from bot import errors
from bot.language.past.detector import Detection, detect
from bot.language.past.space_names import Names

_RIGHT: Final = 'right is {"text": "…", "known_names": ["…", …]}'
_INDEXES: Final = 64
"""Lists of names whose index is kept for the next line that has the same."""


def detect_lines(lines: Iterable[bytes], out: TextIO) -> None:
    """Write a line for each line, in order, each at once; blank lines are passed over.

    Raises `TransferError` for a line that is none of what is asked for; those before it have been answered.
    """
    for number, line in enumerate(lines, 1):
        if line.strip():
            text, known_names = _read(line, number)
            out.write(json.dumps(_as_json(detect(text, _index(known_names)))) + "\n")
            out.flush()


@functools.lru_cache(maxsize=_INDEXES)
def _index(known_names: tuple[str, ...]) -> Names:
    return Names(known_names)


def _as_json(found: Detection) -> dict[str, Any]:
    return {
        "recall": found.recall,
        "confidence": found.confidence,
        "cues": [*found.cues],
        "layers": [layer.value for layer in found.layers],
    }


def _read(line: bytes, number: int) -> tuple[str, tuple[str, ...]]:
    try:
        item: object = json.loads(line)
    except (ValueError, RecursionError) as exc:
        raise _wrong(number, "is no JSON") from exc
    if not isinstance(item, dict):
        raise _wrong(number, "is no JSON object")
    fields = cast("dict[str, Any]", item)
    if "text" not in fields:
        raise _wrong(number, 'has no "text"')
    if not isinstance(fields["text"], str):
        raise _wrong(number, 'has a "text" that is no text')
    known: Any = fields.get("known_names", [])
    if not isinstance(known, list) or not all(isinstance(name, str) for name in cast("list[Any]", known)):
        raise _wrong(number, 'has "known_names" that are no list of texts')
    return fields["text"], tuple(cast("list[str]", known))


def _wrong(number: int, what: str) -> errors.TransferError:
    return errors.TransferError(f"line {number} of the input {what}; {_RIGHT}.")
