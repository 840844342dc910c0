"""Keeps by rule what a message asks to remember beside something else, where no model has a tool for it."""

from bot import errors
from bot.commands.remembering import Remembering
from bot.domain import Message
from bot.language.requests import plain_words
from bot.text import pasted_lists
from bot.tools import own_words
from bot.turn.draft import Draft


def things(said: Message) -> pasted_lists.Listed | None:
    """What a message asks to remember, in its author's own words; none where it does not."""
    found = plain_words.things_asked_for(own_words.of(said).content)
    return pasted_lists.Listed(things=found) if found else None


async def keep(draft: Draft, remembering: Remembering) -> None:
    """Keeps that for whoever asks; under the answer it is told, or why it may not be."""
    said = draft.turn.message
    found = things(said)
    if found is None:
        return
    try:
        draft.saved += await draft.desk.patiently(lambda: remembering.save_asked(draft.keeper, found, said))
    except errors.UserError as exc:
        draft.refused.append(exc.said(draft.turn.caller.prefix))
