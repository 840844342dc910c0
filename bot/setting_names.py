"""Finds the setting that somebody meant who misspelt one, or the variable of the environment; pure."""

import difflib
from collections.abc import Collection, Iterator, Sequence
from typing import Any, Final, get_args, get_origin

from pydantic import BaseModel
from pydantic.fields import FieldInfo

PREFIX: Final = "HATHI_"
_OURS: Final = (PREFIX, "LLM_", "DISCORD_")
"""How the names of variables begin that somebody may have meant for Hathi."""
_ALIKE: Final = 0.85
"""Of the letters of two names, in their order: "HATH" and "HATHI", "DATABSE_URL" and "DATABASE_URL"."""
_BETWEEN: Final = "__"

_ANY: Final = "*"
"""A part of a place that whoever runs Hathi chooses: the name of a repository, a number in a list."""


def nearest(model: type[BaseModel], place: Sequence[str]) -> str | None:
    """The place of the setting that is spelt most like this one, with its sections; none where none is near."""
    known = dict.fromkeys(tuple(_as_given(names, place)) for names in _places(model))
    *sections, name = place
    beside = [one[-1] for one in known if [*one[:-1]] == sections and one[-1] != name]
    if near := difflib.get_close_matches(name, beside, 1):
        return ".".join([*sections, near[0]])
    # It may be the right name in the wrong section.
    namesakes = [".".join(one) for one in known if one[-1] == name and [*one] != [*place]]
    if namesakes:
        return namesakes[0] if len(namesakes) == 1 else None
    near = difflib.get_close_matches(".".join(place), map(".".join, known), 1, cutoff=0.75)
    return near[0] if near else None


def is_misspelt(model: type[BaseModel], variable: str) -> bool:
    """Whether a variable looks like one of Hathi's and is none, whatever its case."""
    name = variable.upper()
    aliases = {found for field in model.model_fields.values() if (found := alias(field))}
    if not name.startswith(_OURS):
        return name not in aliases and _is_nearly_one(name, aliases)
    first, *rest = name.removeprefix(PREFIX).split(_BETWEEN)
    if not name.startswith(PREFIX):
        return name not in aliases
    fields = {key.upper(): field for key, field in model.model_fields.items() if not (field.exclude or alias(field))}
    return first not in fields or not _leads(fields[first].annotation, rest)


def nearest_variable(model: type[BaseModel], variable: str) -> str | None:
    """The variable that is spelt most like this one; none where none is near."""
    bare = variable.upper().removeprefix(PREFIX)
    if bare in {alias(field) for field in model.model_fields.values()}:
        return bare
    names = [alias(model.model_fields[first]) or _variable((first, *rest)) for first, *rest in _places(model)]
    near = difflib.get_close_matches(variable.upper(), [name for name in names if _ANY not in name], 1, cutoff=0.7)
    return near[0] if near else None


def alias(field: FieldInfo) -> str | None:
    """The environment's own name of a setting that the ecosystem has a name for."""
    choices: list[Any] = getattr(field.validation_alias, "choices", [])
    return next((str(choice) for choice in choices if str(choice).isupper()), None)


def _is_nearly_one(name: str, aliases: Collection[str]) -> bool:
    """Whether it is spelt much like one of these, or begins much like all others; "MY_DATABASE_URL" is chosen so."""
    begins = name.partition("_")[0] + "_"
    near = difflib.get_close_matches(name, aliases, 1, cutoff=_ALIKE)
    return bool(near and near[0] not in name) or bool(difflib.get_close_matches(begins, [PREFIX], 1, cutoff=_ALIKE))


def _variable(place: Sequence[str]) -> str:
    return PREFIX + _BETWEEN.join(place).upper()


def _leads(annotation: Any, parts: Sequence[str]) -> bool:
    """Whether these parts of a variable's name lead to a setting of this type."""
    if not parts:
        return True
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        fields = {name.upper(): field for name, field in annotation.model_fields.items()}
        return parts[0] in fields and _leads(fields[parts[0]].annotation, parts[1:])
    within = get_args(annotation)
    if get_origin(annotation) is dict:
        return _leads(within[-1], parts[1:])
    # A list is given whole, as JSON.
    return get_origin(annotation) is not tuple and any(_leads(each, parts) for each in within)


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
