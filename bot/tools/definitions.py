"""Makes a tool of a typed function: its schema for the model, and its arguments checked before it runs."""

import inspect
import json
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from typing import Any, Final, get_type_hints

from pydantic import BaseModel, ConfigDict, ValidationError, create_model

from bot import errors
from bot.domain import Access
from bot.llm.messages import ToolSpec
from bot.llm.tokens import estimate
from bot.tools.tool_context import ToolContext

_SCHEMA_KEYS: Final = ("type", "properties", "required")
Function = Callable[..., Awaitable[str]]
"""What carries a tool out: given the context, then the arguments by name; what it returns the model reads."""


@dataclass(frozen=True, slots=True)
class Tool:
    """One thing a model may do."""

    spec: ToolSpec
    call: Callable[[ToolContext, str], Awaitable[str]]
    """What it returns for arguments as a model wrote them.

    Raises `BadArgument` with a sentence that says which argument is wrong and what there is, and whatever it raises.
    """
    needs: Access | None = Access.READ
    """What of memory is to be open to whoever acts; none where it touches none of it."""
    is_bounded: bool = False
    """Whether it has bounds of its own of time and length, beside the time of the turn."""
    is_handed_on: bool = False
    """Whether another model does it, with what of memory is open to that one."""

    does_elsewhere: bool = False
    """Whether it may do something outside of memory."""

    @property
    def touches(self) -> Access | None:
        """What it does with memory: what is handed on may have it read."""
        return Access.READ if self.is_handed_on else self.needs

    @property
    def acts(self) -> bool:
        """Whether it changes something: given up in the middle, it may have done so all the same."""
        return self.does_elsewhere or self.needs is Access.WRITE

    @property
    def name(self) -> str:
        """What it is called by."""
        return self.spec.name


def tool(
    function: Function, *, needs: Access | None = Access.READ, is_bounded: bool = False, is_handed_on: bool = False
) -> Tool:
    """The tool that a typed function is: named like it, told to a model by its docstring.

    Its first parameter is the `ToolContext`; the others are its arguments, described by `Annotated[…, Field(…)]`. A
    function with `**more` is given what else the model wrote.
    """
    hints = get_type_hints(function, include_extras=True)
    _, *others = inspect.signature(function).parameters.values()
    fields: dict[str, Any] = {
        one.name: (hints[one.name], ... if one.default is one.empty else one.default)
        for one in others
        if one.kind is not one.VAR_KEYWORD
    }
    is_open = any(one.kind is one.VAR_KEYWORD for one in others)
    config = ConfigDict(extra="allow" if is_open else "ignore")
    shape = create_model(function.__name__, __config__=config, **fields)
    made = of_shape(function.__name__, inspect.getdoc(function) or "", shape, function)
    return replace(made, needs=needs, is_bounded=is_bounded, is_handed_on=is_handed_on)


def writing(function: Function) -> Tool:
    """The same of one that changes memory."""
    return tool(function, needs=Access.WRITE)


def _schema(shape: type[BaseModel]) -> dict[str, Any]:
    """The JSON schema of arguments, without the titles that pydantic makes of names."""
    whole = shape.model_json_schema()
    schema = {key: whole[key] for key in _SCHEMA_KEYS if key in whole}
    schema["properties"] = {
        name: {key: value for key, value in one.items() if key != "title"}
        for name, one in schema.get("properties", {}).items()
    }
    return schema


def spec_of(name: str, about: str, shape: type[BaseModel]) -> ToolSpec:
    """What a model is told of a tool of a name whose arguments have this shape."""
    parameters = _schema(shape)
    about = " ".join(about.split())
    tokens = estimate(name + about + json.dumps(parameters))
    return ToolSpec(name=name, description=about, parameters=parameters, tokens=tokens)


def of_shape(name: str, about: str, shape: type[BaseModel], function: Function) -> Tool:
    """The tool of a name whose arguments have this shape, which reads memory."""
    spec = spec_of(name, about, shape)

    async def call(context: ToolContext, arguments: str) -> str:
        try:
            given = shape.model_validate_json(arguments or "{}")
        except ValidationError as exc:
            raise errors.BadArgument(_mended(name, shape, exc)) from None
        named = {field: getattr(given, field) for field in shape.model_fields}
        return await function(context, **named, **(given.model_extra or {}))

    return Tool(spec, call)


def _mended(name: str, shape: type[BaseModel], exc: ValidationError) -> str:
    """What is wrong with arguments, and which there are."""
    first = exc.errors(include_url=False, include_input=False)[0]
    where = ".".join(map(str, first["loc"]))
    wrong = f"{where}: {first['msg']}" if where else first["msg"]
    needed = [field for field, about in shape.model_fields.items() if about.is_required()]
    others = [field for field, about in shape.model_fields.items() if not about.is_required()]
    takes = [f"needs {', '.join(needed)}"] if needed else []
    takes += [f"may have {', '.join(others)}"] if others else []
    return f"bad arguments: {wrong}. {name} {' and '.join(takes) or 'takes none'}, as one JSON object."
