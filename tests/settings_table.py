"""The table of settings, made from `bot.config`; `python -m tests.settings_table --write` puts it there."""

import json
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any, Final, get_args, get_origin

from pydantic import BaseModel
from pydantic.fields import FieldInfo
from pydantic_core import PydanticUndefined

from bot import setting_names
from bot.config import FILE_NAME, EmbedderSettings, LocalEmbedderSettings, ModelSettings, Roles, RoleSettings, Settings

DOCUMENT: Final = Path(__file__).parents[1] / "docs/SETTINGS.md"
BEGIN: Final = "<!-- settings: begin -->"
END: Final = "<!-- settings: end -->"
_COMPUTED: Final = {"data_dir": "~/.local/share/hathi"}
"""Defaults that depend on who runs Hathi, for somebody with no XDG settings of their own."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """One setting, as whoever runs Hathi finds it."""

    path: tuple[str, ...]
    """Its place in the file: sections, then the key; `<role>` stands for each role."""
    environment: str
    default: Any
    """`PydanticUndefined` where one must be given."""
    about: str

    @property
    def place(self) -> str:
        """The key, with its section in front."""
        *sections, key = self.path
        if isinstance(self.default, dict):
            return f"`[{'.'.join(self.path)}]`"
        if isinstance(self.default, list):
            return f"`[[{'.'.join(self.path)}]]`"
        return f"`[{'.'.join(sections)}]` `{key}`" if sections else f"`{key}`"


def in_settings(span: timedelta) -> str | int:
    """A span as settings have it: whole hours with their unit, else seconds."""
    hours, left = divmod(round(span.total_seconds()), 3600)
    return hours * 3600 + left if left else f"{hours}h"


def settings() -> list[Setting]:
    """Every setting that can be chosen, in the order of `bot.config`."""
    return [*_of(Settings, (), "HATHI_")]


def table() -> str:
    """The settings as Markdown."""
    rows = [f"| environment | `{FILE_NAME}` | default | meaning |", "|---|---|---|---|"]
    rows += [f"| {_in_code(s.environment)} | {s.place} | {_default(s)} | {s.about} |" for s in settings()]
    return "\n".join(rows)


def written(document: str) -> str:
    """The document with the table of now between its marks."""
    head, _, rest = document.partition(BEGIN)
    _, mark, tail = rest.partition(END)
    if not mark:
        raise ValueError(f"{DOCUMENT.name} needs the marks {BEGIN} and {END}")
    return f"{head}{BEGIN}\n{table()}\n{END}{tail}"


def _of(model: type[BaseModel], sections: tuple[str, ...], prefix: str) -> Iterator[Setting]:
    for name, field in model.model_fields.items():
        if field.exclude:
            continue  # filled by Hathi itself
        section = _section(field)
        if section is Roles:
            yield from _of(RoleSettings, (*sections, name, "<role>"), f"{prefix}{name}__<role>__".upper())
            for embedder in (EmbedderSettings, LocalEmbedderSettings):
                yield from _of(embedder, (*sections, name, "embedder"), f"{prefix}{name}__embedder__".upper())
        elif name == "fallbacks":
            yield Setting(
                path=(*sections, name), environment=f"{prefix}{name}".upper(), default=[], about=_about(field)
            )
        elif section is not None:
            yield from _of(section, (*sections, name), f"{prefix}{name}__".upper())
        else:
            yield Setting(
                path=(*sections, name),
                environment=setting_names.alias(field) or f"{prefix}{name}".upper(),
                default=_COMPUTED.get(name, field.default),
                about=_about(field),
            )


def _section(field: FieldInfo) -> type[BaseModel] | None:
    """The model behind a field, if it is a section of the file; a table of one's own names is a single setting."""
    if get_origin(field.annotation) is dict:
        return None
    kinds = [field.annotation, *get_args(field.annotation)]
    return next((k for k in kinds if isinstance(k, type) and issubclass(k, BaseModel) and k is not ModelSettings), None)


def _about(field: FieldInfo) -> str:
    assert field.description, "every setting says what it means"
    return field.description.replace("|", "\\|")


def _default(setting: Setting) -> str:
    match setting.default:
        case None:
            return ""
        case bool() as flag:
            return f"`{str(flag).lower()}`"
        case timedelta() as span:
            return f"`{in_settings(span)}`"
        case value if value is PydanticUndefined:
            return "must be given"
        case [] | {} | ():
            return "none"
        case tuple() as words:
            return f"`{json.dumps(words)}`"
        case value:
            return f"`{value}`"


def _in_code(text: str) -> str:
    return f"`{text}`"


if __name__ == "__main__":
    if "--write" in sys.argv[1:]:
        DOCUMENT.write_text(written(DOCUMENT.read_text(encoding="utf-8")), encoding="utf-8")
    else:
        print(table())
