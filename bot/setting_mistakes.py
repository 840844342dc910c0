"""Says what is wrong in settings, where it stands, and what may have been meant."""

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from pydantic import BaseModel, ValidationError

from bot import llm_roles, setting_names, toml_lines

_MOVED: Final = {
    "memory.active.max_tokens": "prompt.budget.active",
    "prompt.around_tokens": "prompt.budget.around",
    "prompt.tools": "toolsets",
}
"""Settings of earlier versions, and what they are called now."""


def told(exc: ValidationError, model: type[BaseModel], path: Path | None, text: str) -> str:
    """Every mistake on a line of its own: where it is, what it must be; values stay out, they may be secrets."""
    lines: list[str] = []
    mistakes = exc.errors(include_url=False, include_input=False)
    of_llm = {part for part, name in llm_roles.PARTS.items() if any(name == error["loc"][0] for error in mistakes)}
    for error in mistakes:
        place = error["loc"]
        if error["type"] == "extra_forbidden":
            lines.append(f"{_where(place, path, text)}: {_unknown(model, [*map(str, place)])}")
        elif place[0] != "roles" or place[-1] not in of_llm or len(place) > 3:
            said = error["msg"].removeprefix("Value error, ")
            lines.append(f"{'.'.join(map(str, place))}: {said}.")
    where = f" (environment, then {path.absolute()})" if path else " (environment)"
    return "\n".join(lines) + where


def _where(place: Sequence[str | int], path: Path | None, text: str) -> str:
    """The file and the line of a name, else the environment."""
    if path is None or not toml_lines.holds(text, place):
        return "the environment"
    line = toml_lines.line_of(text, place)
    return f"{path.absolute()}, line {line}" if line else str(path.absolute())


def _unknown(model: type[BaseModel], place: Sequence[str]) -> str:
    """What is said of a name that is no setting, with the one that may have been meant."""
    *sections, name = place
    of = f" of [{'.'.join(sections)}]" if sections else ""
    said = f'"{name}" is not a setting{of}; '
    moved = _MOVED.get(".".join(place))
    meant = moved or setting_names.nearest(model, place)
    if meant is None:
        return f"{said}the documentation lists those there are."
    *there, key = meant.split(".")
    hint = f'"{key}"' if there == sections else f'"{key}" in [{".".join(there)}]' if there else f'"{key}" at the top'
    return said + (f"it is {hint} now." if moved else f"did you mean {hint}?")
