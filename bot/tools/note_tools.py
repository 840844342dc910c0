"""The tools of the scratchpad: to write a note, read them, and make a memory of one."""

from typing import Annotated, Final

from pydantic import Field

from bot import errors
from bot.domain import Actor
from bot.lifecycle.model_facts import MODEL_CAP
from bot.tools import acts
from bot.tools.definitions import tool, writing
from bot.tools.tool_context import ToolContext

_UNQUOTED: Final = str.maketrans(dict.fromkeys('"\u201c\u201d\u201e', "'"))


@writing
async def note_write(
    context: ToolContext, *, content: Annotated[str, Field(min_length=1, description="One sentence.")]
) -> str:
    """Keep a note for this conversation alone, for about an hour: a step of a task, a result on the way."""
    return await acts.act(context, "note", content, content)


@tool
async def note_read(context: ToolContext) -> str:
    """Read the notes of this conversation, each with its label, such as N3."""
    notes = await context.commands.scratchpad.living(context.caller)
    own = (Actor.PERSON, context.caller.person_id)
    others = [note.content for note in notes if (note.actor, note.author_id) != own]
    context.is_tainted |= bool(others)
    context.told = [*context.told, *((None, content) for content in others)]
    return context.shown("\n".join(f"- {note.label}: {note.content}" for note in notes) or "There are no notes.")


@writing
async def memory_promote(
    context: ToolContext,
    *,
    note: Annotated[str, Field(pattern=r"^[Nn]?\d{1,9}$", description="Label of a note, such as N3.")],
    reason: Annotated[str, Field(min_length=1, max_length=200, description="Why it is to stay.")],
    summary: Annotated[str, Field(min_length=1, description="One self-contained sentence of what to keep.")],
) -> str:
    """Make a lasting memory of a note, in a sentence of its own and for a reason."""
    because = " ".join(reason.translate(_UNQUOTED).split())
    line = f'{note} {summary} importance:{MODEL_CAP} reason:"{because}"'
    if context.commands.allowed(context.caller, "promote", line).text != summary.strip():
        raise errors.BadArgument("summary: a sentence, without name:value words at its end.")
    return await acts.act(context, "promote", line, f"{note.upper()}: {summary} ({because})")
