"""Whatever else than a save a model does: a command in the asker's name, or a question whether it is to be done."""

import contextlib
import re
from collections.abc import Generator, Sequence
from typing import Final

from bot import errors
from bot.domain import MemoryId
from bot.language.requests import act_words
from bot.presentation import render
from bot.store.proposals import Act
from bot.tools import own_words, saving
from bot.tools.tool_context import Done, ToolContext

_NUMBER: Final = re.compile(r"\d+")
MOST_ASKED: Final = 3
"""Acts that the asker is asked about under one answer."""
ASKED: Final = "Not done: the person is shown it, and asked whether it is to be done."


async def act(
    context: ToolContext, command: str, line: str, text: str, *, about: Sequence[MemoryId] = (), asks: bool = False
) -> str:
    """Carries out a command, and returns what came of it.

    Once the model has read anybody else's words, it is not done unless the asker's own message asks for that very act,
    and where that forbids it, or `asks`, never: they are shown its `text`, and may have it done. Raises what the
    command raises.
    """
    caller = context.caller
    asks = asks or act_words.forbids(own_words.of(context.turn.message).content, command)
    with telling_refusals(context):
        context.commands.allowed(caller, command, line)
    if asks or (context.has_read and not _is_asked(context, command, text)):
        if not render.is_shown_whole(text):
            raise errors.NotAllowed("it is too long to be shown whole to the person; make it shorter.")
        wanted = Act(command=command, line=line, text=text, about=tuple(about))
        if wanted in context.acts:
            return ASKED
        if len(context.acts) == MOST_ASKED:
            raise errors.NotAllowed(f"the person is asked about {MOST_ASKED} acts at most; answer now.")
        context.acts.append(wanted)
        return ASKED
    reply = await context.commands.by_model(caller, command, line, said=context.asked)
    context.saved += reply.saved
    if not reply.saved:
        context.done.append(Done(command, reply.text))
    return reply.text


@contextlib.contextmanager
def telling_refusals(context: ToolContext) -> Generator[None]:
    """What the asker may not have done they are told at once, and not only the model."""
    try:
        yield
    except errors.NotAllowed as exc:
        context.refused.append(exc.said(context.caller.prefix))
        raise


def _is_asked(context: ToolContext, command: str, text: str) -> bool:
    """Whether the asker's own message asks for that very act: by a word for it, and with all that it holds."""
    own = own_words.of(context.turn.message).content
    # A one is as good as an article elsewhere; here it is an hour.
    has_numbers = {*_NUMBER.findall(text)} <= {*_NUMBER.findall(own)}
    return has_numbers and act_words.asks(own, command) and saving.is_said(context, text)
