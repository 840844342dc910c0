"""What tells of a reset, and of the talk that was made memory of: the facts that came of it, and what undoes it."""

from collections.abc import Sequence
from typing import Final

import discord

from bot import catalogue
from bot.commands.grammar import PREFIX
from bot.commands.including import OLDER, IncludedReply
from bot.commands.resets import ResetReply, summary_head, talk_left
from bot.domain import Saved, SessionId
from bot.lifecycle.summaries import SummaryDone
from bot.presentation import both_sides, introduction, render
from bot.text import normalize, notices, sanitize
from cogs.text.splitting import cut, size
from cogs.ui import buttons, drawn_lists, layouts, menus
from cogs.ui.button_kinds import Button

SHOWN: Final = 10
"""Facts that are told at once."""
HEAD: Final = 1_000
FACT: Final = 240
"""Characters of one of them; a list has the whole."""


def of(reply: ResetReply) -> discord.ui.LayoutView:
    """The reply to a reset whose summary is being made, or that discarded."""
    return layouts.told(reply.text, [buttons.take_back(reply.closed.session_id)])


def summary(done: SummaryDone, prefix: str = PREFIX) -> discord.ui.LayoutView:
    """The same once its summary is made, or can't be yet."""
    below = [*([talk_left()] if done.leaves_talk else []), catalogue.gettext(notices.CLEARED)]
    more = [buttons.take_back(done.session_id), *([buttons.include(done.session_id)] if done.leaves_talk else [])]
    return _told(summary_head(done), done.saved, done.session_id, below, more, prefix)


def included(reply: IncludedReply, prefix: str = PREFIX, untold: Sequence[str] = ()) -> discord.ui.LayoutView:
    """What talk came to, and who is `untold` that it is remembered, with what stops that."""
    more = [buttons.exclude(reply.session_id)] if reply.saved else []
    below = [] if reply.is_all else [catalogue.gettext(OLDER)]
    if untold:
        more.append(buttons.stop())
        below.append(introduction.to_included(untold))
    return _told(reply.text.splitlines()[0], reply.saved, reply.session_id, below, more, prefix)


def _told(
    head: str, saved: Sequence[Saved], session_id: SessionId, below: Sequence[str], more: Sequence[Button], prefix: str
) -> discord.ui.LayoutView:
    fresh = [*{one.memory.memory_id: one for one in saved if not one.is_earlier}.values()]
    shown = fresh[:SHOWN]
    told, last = cut(head, HEAD), "\n".join(below)
    parts, room = [layouts.text(told)], layouts.TEXTS - drawn_lists.SPARE - size(told) - size(last)
    for index, one in enumerate(shown):
        # What short facts leave of their share goes to those that follow.
        fact = _fact(one, prefix, room // (len(shown) - index))
        room -= size(fact)
        parts.append(layouts.text(fact))
    if len(fresh) > SHOWN:
        more = [buttons.kept(session_id, 1, buttons.ALL_KEPT, len(fresh)), *more]
    menu = menus.forgets([one.memory for one in shown])
    parts += [layouts.text(last)] if last else []
    return layouts.of(*parts, *layouts.rows([*([menu] if menu else []), *more]))


def _fact(saved: Saved, prefix: str, limit: int) -> str:
    """What was kept, in its words; as what, in small print."""
    small = f"-# {render.saved_line(saved)}"
    text = sanitize.unmasked(normalize.one_line(normalize.shown(saved.memory.content), FACT))
    text = cut(text, min(FACT, limit - size(small) - 1))
    against = cut(both_sides.briefly(saved, prefix), limit - size(small) - size(text) - 2)
    return "\n".join(filter(None, (text, against, small)))
