"""The retrievers as tools of a model: how each is described, and what it is asked by a call."""

import itertools
import json
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from functools import cache
from typing import Any, Final

from pydantic import BaseModel, ConfigDict, Field

from bot import errors
from bot.domain import Caller, Message, MessageId
from bot.llm.messages import ToolCall, ToolSpec
from bot.llm.tokens import estimate
from bot.recall.retrievers.retrieval import MOST, USUAL, Retrieval, Retriever, Takes, Wanted, within

NAMED: Final = "memory_"
"""What the name of a retriever begins with as a tool."""


_LONGEST: Final = 4000
"""Characters that are read of an argument: sixty keywords, and far more than any time."""


class _Arguments(BaseModel):
    model_config = ConfigDict(extra="ignore")


class _Count(_Arguments):
    limit: int = Field(default=USUAL, ge=1, le=MOST)


class _Keywords(_Count):
    keywords: str = Field(min_length=1, max_length=_LONGEST, description="Such as: gate; spare key.")


class _Moment(_Arguments):
    when: str = Field(min_length=1, max_length=_LONGEST, description="Such as yesterday, since 1 March, October.")


_SHAPES: Final[dict[Takes, type[_Arguments]]] = {
    Takes.NOTHING: _Arguments,
    Takes.COUNT: _Count,
    Takes.WORDS: _Keywords,
    Takes.MOMENT: _Moment,
}


def spec(name: str, about: str, shape: type[BaseModel]) -> ToolSpec:
    """A tool as a model is told of it."""
    parameters = _parameters(shape)
    tokens = estimate(name + about + json.dumps(parameters))
    return ToolSpec(name=name, description=about, parameters=parameters, tokens=tokens)


@cache
def _parameters(shape: type[BaseModel]) -> dict[str, Any]:
    schema = shape.model_json_schema()
    return {key: schema[key] for key in ("type", "properties", "required") if key in schema}


class Lookups:
    """The retrievers that a model may call."""

    def __init__(self, retrievers: Sequence[Retriever]) -> None:
        self._by_tool: Final = {f"{NAMED}{one.name}": one for one in retrievers}
        self.specs: Final = tuple(spec(name, one.about, _SHAPES[one.takes]) for name, one in self._by_tool.items())

    def within(self, most: int) -> tuple[ToolSpec, ...]:
        """The first of them, as many as are told in so many tokens."""
        costs = itertools.accumulate(one.tokens for one in self.specs)
        return tuple(one for one, cost in zip(self.specs, costs, strict=True) if cost <= most)

    def __contains__(self, tool: str) -> bool:
        """Whether a tool is one of them."""
        return tool in self._by_tool

    async def retrieve(
        self, call: ToolCall, caller: Caller, *, live: Sequence[Message] | None, asked: MessageId, as_of: datetime
    ) -> Retrieval:
        """What the retriever of that name gives. Raises pydantic's `ValidationError`, and `BadArgument` for no time."""
        retriever = self._by_tool[call.name]
        wanted = Wanted(caller=caller, live=live, apart_from=(asked,))
        given = _SHAPES[retriever.takes].model_validate_json(call.arguments or "{}")
        match given:
            case _Keywords():
                wanted = replace(wanted, words=given.keywords, most=given.limit)
            case _Count():
                wanted = replace(wanted, most=given.limit)
            case _Moment():
                then = within(wanted, given.when, as_of)
                if then is None:
                    raise errors.BadArgument(
                        f"{given.when[:60]!r} names no time; say one such as yesterday, since 1 March, or October."
                    )
                wanted = then
            case _:
                pass
        return await retriever.retrieve(wanted)
