"""Makes a tool of a typed function: its schema for the model, and its arguments checked before it runs."""

import inspect
import json
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, Final, get_type_hints

from pydantic import BaseModel, ConfigDict, ValidationError, create_model

from bot import errors
from bot.llm.messages import ToolSpec
from bot.llm.tokens import estimate
from bot.tools.tool_context import ToolContext

_SCHEMA_KEYS: Final = ("type", "properties", "required")
Run = Callable[..., Awaitable[str]]
"""What carries a tool out: given the context, then the arguments by name; what it returns the model reads."""


@dataclass(frozen=True, slots=True)
class Tool:
    """One thing a model may do."""

    spec: ToolSpec
    shape: type[BaseModel]
    """Its arguments."""
    run: Run
    is_patient: bool = False
    """Whether it is never given up: what it does is done then or not, and known to be."""

    @property
    def name(self) -> str:
        """What it is called by."""
        return self.spec.name

    async def call(self, context: ToolContext, arguments: str) -> str:
        """What it returns for arguments as a model wrote them.

        Raises `BadArgument` with a sentence that says which argument is wrong and what there is, and what it raises.
        """
        try:
            given = self.shape.model_validate_json(arguments or "{}")
        except ValidationError as exc:
            raise errors.BadArgument(self._mended(exc)) from None
        named = {name: getattr(given, name) for name in self.shape.model_fields}
        return await self.run(context, **named, **(given.model_extra or {}))

    def _mended(self, exc: ValidationError) -> str:
        first = exc.errors(include_url=False, include_input=False)[0]
        where = ".".join(map(str, first["loc"]))
        wrong = f"{where}: {first['msg']}" if where else first["msg"]
        fields = self.shape.model_fields
        needed = [name for name, field in fields.items() if field.is_required()]
        others = [name for name, field in fields.items() if not field.is_required()]
        takes = [f"needs {', '.join(needed)}"] if needed else []
        takes += [f"may have {', '.join(others)}"] if others else []
        return f"bad arguments: {wrong}. {self.name} {' and '.join(takes) or 'takes none'}, as one JSON object."


def tool(function: Run, *, is_patient: bool = False) -> Tool:
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
    return of_shape(function.__name__, inspect.getdoc(function) or "", shape, function, is_patient=is_patient)


def patient(function: Run) -> Tool:
    """The same of one that writes, or waits for a model."""
    return tool(function, is_patient=True)


def _schema(shape: type[BaseModel]) -> dict[str, Any]:
    """The JSON schema of arguments, without the titles that pydantic makes of names."""
    whole = shape.model_json_schema()
    schema = {key: whole[key] for key in _SCHEMA_KEYS if key in whole}
    schema["properties"] = {
        name: {key: value for key, value in one.items() if key != "title"}
        for name, one in schema.get("properties", {}).items()
    }
    return schema


def of_shape(name: str, about: str, shape: type[BaseModel], run: Run, *, is_patient: bool = False) -> Tool:
    """The tool of a name whose arguments have this shape."""
    parameters = _schema(shape)
    about = " ".join(about.split())
    tokens = estimate(name + about + json.dumps(parameters))
    spec = ToolSpec(name=name, description=about, parameters=parameters, tokens=tokens)
    return Tool(spec, shape, run, is_patient)
