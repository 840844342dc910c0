"""The tools that keep, look for, age and forget memories."""

import asyncio
from typing import Annotated, Final, Literal

from pydantic import AliasChoices, Field

from bot import errors
from bot.domain import Actor, MemoryId, Source, Tier
from bot.grounding import texts
from bot.language.requests import act_words
from bot.lifecycle.model_facts import MODEL_CAP
from bot.presentation import render
from bot.store.archivist import MOST_BY_MODEL
from bot.text import normalize
from bot.tools import acts, own_words, saving
from bot.tools.definitions import tool, writing
from bot.tools.tool_context import ToolContext, of_memory, of_message

FORBIDDEN: Final = "Not kept: the person wants it not kept."
NOT_THEIRS: Final = "Not kept: these are not the person's own words."
UNASKED: Final = "Not kept: the person did not ask to have it kept."
ASKED: Final = "They are shown it, and asked whether to keep it."
SHOWN: Final = "They are shown it, with no button under it: they can have it kept in their own words."
"""Of what may not be proposed to them."""
MOST_FORGOTTEN: Final = acts.MOST_ASKED
_DUE: Final = 48
_ROWS: Final = 100


@writing
async def memory_save(
    context: ToolContext,
    *,
    content: Annotated[
        str, Field(min_length=1, description="One self-contained sentence, with the names of whom it is about.")
    ],
    topic: Annotated[str, Field(description="One to three words: a noun phrase, such as spare key.")] = "",
    room: Annotated[str, Field(description=f"One of {', '.join(saving.FILED_IN)}.")] = "general",
    importance: Annotated[int, Field(ge=1, le=10, description="1 low, 5 medium, 10 critical")] = 5,
    source: Annotated[
        str,
        Field(
            pattern="^(user|summary|directive)$",
            description="user: somebody said it; summary: gathered from the talk; directive: an admin's standing order",
        ),
    ] = Source.USER.value,
    entities: Annotated[tuple[str, ...], Field(description="Names in it.")] = (),
    key_phrases: Annotated[tuple[str, ...], Field(description="Phrases of it that may be asked for.")] = (),
    **more: object,
) -> str:
    """Keep a fact somebody stated: a preference, decision, plan, date or setup, or what they ask to remember.

    Not what Active Memory says already, and never what you made up yourself.
    """
    # At most importance 7 unless the person asked in so many words to keep that very thing. What they did not say
    # themselves is not saved once the model has read anybody else's words, which it may be: they are asked, so it
    # counts as a save all the same.
    if not context.allowance.saves:
        raise errors.NotAllowed(f"at most {MOST_BY_MODEL} memories are saved in one turn; answer now.")
    normalize.sayable(content)
    if not texts.content(texts.folded(content)):
        raise errors.NotAllowed("it tells nothing that could be asked for; save a fact, or nothing.")
    has_read = context.has_read
    asked = await asyncio.to_thread(saving.is_to_be_kept, context, content)
    says_it = asked or await asyncio.to_thread(saving.is_stated if has_read else saving.is_said, context, content)
    if source == Source.DIRECTIVE and not (context.caller.is_admin and says_it):
        raise errors.NotAllowed("a directive is given by an admin in their own words; save it as user.")
    wanted = {
        "content": content,
        "topic": topic,
        "room": room,
        "importance": importance,
        "source": source,
        "entities": [*entities],
        "key_phrases": [*key_phrases],
        **more,
    }
    made = await asyncio.to_thread(saving.made, context, wanted, 10 if asked else MODEL_CAP, says_it=says_it)
    context.allowance.saves -= 1
    is_forbidden = act_words.forbids(own_words.of(context.turn.message).content, act_words.KEEP)
    is_unasked = context.keeper is not None and not asked
    if is_forbidden or is_unasked or (has_read and not says_it):
        context.not_kept += [] if made in context.not_kept else [made]
        why = FORBIDDEN if is_forbidden else UNASKED if is_unasked else NOT_THEIRS
        is_proposed = made.may_be_proposed and not context.turn.unkept
        return f"{why} {ASKED if is_proposed else SHOWN}"
    try:
        (saved,) = await context.commands.remembering.keep(
            context.keeper or context.caller, [made.fact], actor=Actor.MODEL, reason="tool"
        )
    except errors.HathiError:
        context.allowance.saves += 1
        raise
    context.saved.append(saved)
    return render.saved_line(saved)


@tool
async def memory_recall(
    context: ToolContext,
    *,
    topic: Annotated[
        str,
        Field(
            min_length=1,
            description="The telling words and names to look for.",
            validation_alias=AliasChoices("topic", "query"),
        ),
    ],
    tier: Annotated[Literal["short", "long", "all"], Field(description="Which memory to look in.")] = "all",
    limit: Annotated[int, Field(ge=1, le=20)] = 5,
) -> str:
    """Look for something in memory and in what people said before. Not for what Active Memory says already."""
    reply = await context.commands.recalling.search(
        context.caller, topic, tier=None if tier == "all" else Tier(tier), limit=limit, apart_from=(context.asked,)
    )
    context.recalled += reply.shown
    context.quoted += reply.quoted
    context.entries += reply.entries
    entries = () if reply.listing is None else reply.listing.entries
    memories = [of_memory(entry.memory_id, entry.body) for entry in entries if entry.memory_id is not None]
    return context.shown(reply.text, [*memories, *map(of_message, reply.quoted)])


@writing
async def memory_age(
    context: ToolContext,
    *,
    older_than_hours: Annotated[int, Field(ge=1, le=87_600, description="Since made or last confirmed.")] = _DUE,
    max_rows: Annotated[int, Field(ge=1, le=10_000, description="Rows moved at most.")] = _ROWS,
) -> str:
    """Move old memories from the short to the long tier now, where the person asks for it and manages the server."""
    line = f"older_than_hours:{older_than_hours} max_rows:{max_rows}"
    text = f"Age memories older than {older_than_hours} hours" + (f", {max_rows} at most" * (max_rows != _ROWS))
    return await acts.act(context, "age", line, text)


@tool
async def memory_forget(
    context: ToolContext,
    *,
    ids: Annotated[list[int], Field(min_length=1, max_length=MOST_FORGOTTEN, description="Numbers of memories.")],
) -> str:
    """Ask the person whether memories are to be forgotten, by their numbers: they are shown each and decide."""
    told = list[str]()
    for number in dict.fromkeys(map(MemoryId, ids)):
        with acts.telling_refusals(context):
            memory = await context.commands.changes.to_forget(context.caller, number)
        text = f"Forget #{number}: {memory.content}"
        told.append(await acts.act(context, "forget", str(number), text, about=[number], asks=True))
    return "\n".join(dict.fromkeys(told))
