"""The tools by which one model asks another."""

from functools import partial
from typing import Annotated, Final

from pydantic import Field

from bot import errors
from bot.domain import ModelRole
from bot.tools.allowance import MOST_DEEP
from bot.tools.definitions import tool
from bot.tools.tool_context import ToolContext

_ROLES: Final = "reasoning|execution|summarizer"


@partial(tool, needs=None, is_bounded=True, is_handed_on=True)
async def llm_call(
    context: ToolContext,
    *,
    prompt: Annotated[
        str, Field(min_length=1, description="The whole task; beside it the other model sees Active Memory alone.")
    ],
    role: Annotated[str, Field(pattern=f"^({_ROLES})$")] = ModelRole.EXECUTION.value,
) -> str:
    """Have another model do a task, such as looking into memory or saving to it; it returns what came of it."""
    if context.ask is None or context.depth == MOST_DEEP:
        raise errors.NotAllowed(f"tasks are handed on {MOST_DEEP} times at most; do it yourself, or answer now.")
    return await context.ask(context, ModelRole(role), prompt)


@partial(tool, needs=None)
async def llm_list(context: ToolContext) -> str:
    """List the other models that there are, and what each can do."""
    return context.listed or "There is no other model."
