"""Finds the setting that somebody meant who misspelt one; pure."""

import difflib
from collections.abc import Iterator, Sequence
from typing import Any, Final, get_args, get_origin

from pydantic import BaseModel

_ANY: Final = "*"
"""A part of a place that whoever runs Hathi chooses: the name of a repository, a number in a list."""


def nearest(model: type[BaseModel], place: Sequence[str]) -> str | None:
    """The place of the setting that is spelt most like this one, with its sections; none where none is near."""
    known = [".".join(_as_given(names, place)) for names in _places(model)]
    near = difflib.get_close_matches(".".join(place), known, 1, cutoff=0.75)
    # It may be the right name in the wrong section.
    namesakes = [one for one in known if one.rpartition(".")[2] == place[-1]]
    return near[0] if near else namesakes[0] if len(namesakes) == 1 else None


def _as_given(names: Sequence[str], place: Sequence[str]) -> Iterator[str]:
    """The names of a setting, with what was chosen freely as the place has it."""
    for at, name in enumerate(names):
        yield place[at] if name == _ANY and at < len(place) else name


def _places(model: type[BaseModel]) -> Iterator[tuple[str, ...]]:
    """Every section and setting that can be given."""
    for name, field in model.model_fields.items():
        if field.exclude:
            continue  # filled by Hathi itself
        yield (name,)
        for section, through in _sections(field.annotation):
            yield from ((name, *through, *rest) for rest in _places(section))


def _sections(annotation: Any) -> Iterator[tuple[type[BaseModel], tuple[str, ...]]]:
    """The models that a setting holds, each with what stands between: nothing, a name or a number."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        yield annotation, ()
    between = (_ANY,) if get_origin(annotation) in {dict, tuple, list} else ()
    for part in get_args(annotation):
        yield from ((section, (*between, *through)) for section, through in _sections(part))
