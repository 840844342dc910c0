"""What stands in place of a model's answer of which nothing is left once what it only claimed is taken out."""

from typing import Final

from bot import catalogue, errors
from bot.commands import hello
from bot.commands.remembering import ASKED_IMPORTANCE, Remembering
from bot.domain import Fact, Message, Reply, Source, Stock
from bot.grounding import deeds
from bot.grounding.deeds import Deed
from bot.language.requests import plain_words
from bot.language.statements import assertions, topics
from bot.presentation import both_sides, render
from bot.text import normalize, pasted_lists
from bot.tools.tool_context import NotKept
from bot.turn import asked_beside
from bot.turn.draft import Draft

NOT_YET: Final = catalogue.later("I have not saved that yet.")
"""What is said over the question whether to keep it."""


async def reply(draft: Draft, remembering: Remembering) -> Reply:
    """Does what the model only said it did, where the person asked for it; else offers it, or says what does it.

    That is to keep what they told. Of whatever else it claimed the reply says that it was not done.
    """
    if draft.saved:
        # What it saved is told under it.
        return Reply(text=catalogue.gettext(hello.HEARD_BRIEFLY), stock=Stock.KEPT)
    if frozenset({Deed.KEPT}) in draft.undone:
        said = draft.turn.message
        if things := asked_beside.things(said):
            return await _kept(draft, remembering, things)
        if not draft.not_kept and (stated := _stated(said)):
            draft.not_kept.append(NotKept(fact=_fact(said, stated, remembering), is_traced=True))
        if draft.not_kept:
            draft.undone.remove(frozenset({Deed.KEPT}))
            return Reply(text="\n".join([catalogue.gettext(NOT_YET), *draft.undone_told()]), stock=Stock.FAILED)
    if draft.undone:
        return Reply(text="\n".join(draft.undone_told()), stock=Stock.FAILED)
    return Reply(text=draft.nothing_found(), stock=Stock.NOTHING)


async def _kept(draft: Draft, remembering: Remembering, things: pasted_lists.Listed) -> Reply:
    """Confirms what was kept, or says why it was not."""
    turn = draft.turn
    draft.undone.remove(frozenset({Deed.KEPT}))
    draft.kept_by_writer()
    try:
        saved = await draft.desk.patiently(lambda: remembering.save_asked(draft.keeper, things, turn.message))
    except errors.UserError as exc:
        return Reply(text=exc.said(turn.caller.prefix), stock=Stock.KEPT)
    lines = [render.kept(saved), *both_sides.lines(saved, turn.caller)]
    return Reply(text="\n".join(lines), saved=saved, stock=Stock.KEPT)


def _stated(said: Message) -> str:
    """What a message tells that may be worth keeping, verbatim; empty where it tells nothing, or wants something."""
    stated = normalize.without_attachments(assertions.stated(said.content)).strip()
    is_told = topics.says_something(stated) and not (plain_words.asks_something(stated) or deeds.wants_deed(stated))
    return stated if is_told and len(stated) <= normalize.MAX_LENGTH else ""


def _fact(said: Message, stated: str, remembering: Remembering) -> Fact:
    return Fact(
        content=stated,
        topic=topics.topic_of(stated),
        importance=ASKED_IMPORTANCE,
        source=Source.USER,
        tags=remembering.tags_of(stated),
        evidence=(said.message_id,),
        author_id=said.author_id,
        author=said.author,
        mentioned=said.mentioned,
    )
