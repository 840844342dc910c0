"""The tools about where and when Hathi is, and for what people refer to: a memory, a message, a file, the forge."""

import re
from dataclasses import replace
from functools import partial
from typing import Annotated, Final

from pydantic import Field

from bot.domain import Layer, MemoryId, Tier
from bot.layers.walk import WalkQuestion
from bot.prompting import compose, evidence
from bot.text import message_links
from bot.tools.definitions import tool
from bot.tools.tool_context import ToolContext, of_memory, of_message

_NUMBER: Final = re.compile(r"#?(\d{1,18})")
_MOST: Final = 3
NOTHING: Final = "There is nothing of that reference that everyone here may see."


@tool
async def artifact_fetch(
    context: ToolContext,
    *,
    reference: Annotated[
        str,
        Field(
            min_length=1,
            max_length=500,
            description="A memory (#12), a message's link, a file's name, an issue (owner/name#3), a commit.",
        ),
    ],
) -> str:
    """Read the thing that a reference points to, verbatim."""
    if number := _NUMBER.fullmatch(reference.strip()):
        return await _memory(context, MemoryId(int(number[1])))
    question = replace(context.turn.message, content=reference, reply_to=None)
    linked = message_links.named(reference, context.caller.space_id, is_direct=context.caller.is_direct)
    said = [message for _, message in await context.librarian.linked(context.caller, linked)]
    context.quoted += said
    found = [*map(of_message, said)]
    if not found:
        asking = WalkQuestion(
            caller=context.caller, question=question, session_id=question.session_id, layers=(Layer.ARTIFACTS,)
        )
        for source in context.artifacts:
            found += [one for one in (await source.look(asking)).evidence if one.is_sure]
        found = found[:_MOST]
        context.fetched += found
    return context.shown(evidence.found_block(found, context.caller.time_zone) if found else NOTHING, found)


@partial(tool, needs=None)
async def time_now(context: ToolContext) -> str:
    """Say what day and time it is here."""
    return compose.clock_line(context.now(), context.caller.time_zone)


@tool
async def space_info(context: ToolContext) -> str:
    """Say where this is: server or direct message, its time zone and language, and how much memory holds."""
    caller = context.caller
    tiers, _ = await context.librarian.counts(caller)
    place = "direct messages with one person" if caller.is_direct else "a channel that others read"
    held = ", ".join(f"{tiers.get(tier, 0)} {tier.value}-term" for tier in Tier)
    return f"{place}; time zone {caller.time_zone}; texts in {caller.language}; memories that may be told here: {held}."


async def _memory(context: ToolContext, number: MemoryId) -> str:
    memory = await context.librarian.memory(context.caller, number)
    context.recalled.append(number)
    found = replace(of_memory(number, memory.content), author=memory.speaker, said_at=memory.said_at)
    return context.shown(evidence.found_block([found], context.caller.time_zone), [found])
