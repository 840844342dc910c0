"""The retrievers as tools of a model: each reads memory in one way, and is told as it describes itself."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any, Final

from pydantic import BaseModel, ConfigDict, Field

from bot import errors
from bot.llm.messages import ToolSpec
from bot.presentation import retrieved
from bot.recall.retrievers.retrieval import MOST, USUAL, Retrieval, Retriever, Takes, Wanted, within
from bot.tools import definitions
from bot.tools.definitions import Tool
from bot.tools.tool_context import ToolContext, of_memory, of_message

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


def tools(retrievers: Iterable[Retriever]) -> Iterator[Tool]:
    """A tool for each retriever; one that names no time where it takes one raises `BadArgument`."""
    return map(_tool, retrievers)


def specs(retrievers: Iterable[type[Retriever]]) -> Iterator[ToolSpec]:
    """What a model is told of each."""
    return (definitions.spec_of(f"{NAMED}{one.name}", one.about, _SHAPES[one.takes]) for one in retrievers)


def _tool(retriever: Retriever) -> Tool:
    async def look(context: ToolContext, **given: Any) -> str:
        return await _looked(retriever, context, given)

    return definitions.of_shape(f"{NAMED}{retriever.name}", retriever.about, _SHAPES[retriever.takes], look)


async def _looked(retriever: Retriever, context: ToolContext, given: dict[str, Any]) -> str:
    wanted = Wanted(
        caller=context.caller,
        live=context.live,
        apart_from=(context.asked,),
        words=given.get("keywords", ""),
        most=given.get("limit", USUAL),
    )
    if when := given.get("when", ""):
        then = within(wanted, when, context.turn.message.said_at)
        if then is None:
            raise errors.BadArgument(
                f"{when[:60]!r} names no time; say one such as yesterday, since 1 March, or October."
            )
        wanted = replace(wanted, since=then.since, until=then.until)
    return _told(context, await retriever.retrieve(wanted))


def _told(context: ToolContext, found: Retrieval) -> str:
    # What is not kept is known by its turn alone.
    unkept = {message.message_id for message in context.live or ()}
    said = [one.message for one in found.passages if one.message is not None]
    memories = [one.memory for one in found.passages if one.memory is not None]
    context.quoted += [one for one in said if one.message_id not in unkept]
    context.entries += [one.entry for one in found.passages if one.entry is not None]
    context.recalled += [one.memory_id for one in memories]
    held = [of_memory(one.memory_id, one.content) for one in memories]
    return context.shown(retrieved.told(found, context.caller.time_zone), [*held, *map(of_message, said)])
