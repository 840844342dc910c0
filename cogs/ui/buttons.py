"""Which buttons stand under a message of Hathi's, and what they say."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final

import discord

from bot.commands import learn
from bot.commands.grammar import PREFIX
from bot.commands.including import INCLUDE, IncludedReply
from bot.commands.learn import LearningAsked
from bot.commands.missed import MissedReply
from bot.commands.mydata import DELETE_THEM
from bot.commands.palace import PalaceReply
from bot.commands.removal_requests import RemovalsListed
from bot.commands.resets import TALK_LEFT, ResetReply, TalkLeft, summary_text
from bot.domain import ChannelId, Holds, Listing, Memory, MemoryId, MessageId, PersonId, Reply, Saved, SessionId
from bot.lifecycle.summaries import SummaryDone
from bot.presentation import both_sides, learned, render
from bot.text import normalize, notices
from cogs.send.message_requests import Components
from cogs.text import splitting
from cogs.text.splitting import LIMIT
from cogs.ui import embeds, menus
from cogs.ui.button_kinds import (
    AgreeButton,
    AskButton,
    Button,
    DeleteButton,
    ExcludeButton,
    ForgetButton,
    IncludeButton,
    KeepButton,
    LearnButton,
    LeaveOutButton,
    MissedButton,
    PageButton,
    PalaceIntoButton,
    PalaceOutButton,
    RemoveButton,
    RestoreButton,
    SettleButton,
    TakeBackButton,
    UnsayButton,
    WhyReplyButton,
    WhyResultsButton,
)
from cogs.ui.menus import Pick

MOST: Final = 25
"""Buttons of one message."""
SEARCH_AGAIN: Final = "Search again"
"""Under what a recall found: what it found besides."""
WHY_THESE: Final = "Why these?"
WHY: Final = "Why?"
ASK: Final = "Ask about something said here"
WHAT_HAPPENED: Final = "Show me"
AGREE: Final = "Yes, forget"
WALK_IN: Final = "Walk into a room"
ALL_ROOMS: Final = "◀ All rooms"
_CHOICES: Final = {Holds.NEWER: "The newer holds", Holds.OLDER: "The older holds", Holds.BOTH: "Both hold"}
_UNDO_ALL: Final = "Undo all"
_PRIMARY: Final = discord.ButtonStyle.primary
_ROW: Final = 5
"""Buttons of one row."""
_LONGEST_CHOICE: Final = 100
"""Characters of what a menu offers, and of the word it stands for."""


def summary_message(done: SummaryDone, prefix: str = PREFIX) -> tuple[str, discord.ui.View]:
    """The reset notice's text when its summary is made or can't be yet, and the buttons under it."""
    below = [TALK_LEFT] if done.leaves_talk else []
    text = _fitted(summary_text(done, prefix).splitlines(), prefix, [*below, notices.CLEARED])
    return text, reset_view(done.session_id, done.saved, leaves_talk=done.leaves_talk)


def included_message(reply: IncludedReply, prefix: str = PREFIX) -> tuple[str, discord.ui.View | None]:
    """What talk came to, as much of it as fits into one message, and the buttons under it."""
    view = _view([*_forgets(reply.saved), exclude(reply.session_id)]) if reply.saved else None
    return _fitted(reply.text.splitlines(), prefix, []), view


def of(reply: Reply) -> discord.ui.View | None:
    """The buttons under a reply; none when there is nothing to press."""
    if isinstance(reply, ResetReply):
        return reset_view(reply.closed.session_id, reply.done.saved if reply.done else ())
    if reply.forgotten is not None:
        return _view([restore(reply.forgotten), *map(unsay, reply.said_too)])
    if isinstance(reply, RemovalsListed):
        return _view([forget(memory_id) for memory_id in reply.memories])
    if isinstance(reply, PalaceReply) and reply.listing is not None:
        return palace_view(reply, reply.listing)
    if reply.listing is not None:
        return page_view(reply.listing)
    return _alone(reply)


def _alone(reply: Reply) -> discord.ui.View | None:
    """The buttons under a reply that lists nothing."""
    opened = both_sides.opened(reply)
    if isinstance(reply, MissedReply):
        return _view([MissedButton(_missed(reply))])
    if isinstance(reply, TalkLeft):
        return _view([include(reply.session_id)])
    if isinstance(reply, LearningAsked):
        return _view([LearnButton(_button(learn.AGREE, f"hathi:learn:{reply.channel_id}", _PRIMARY))])
    if reply.erased_by is not None:
        return _view([delete(reply.erased_by)])
    return None if opened is None else _view(map(SettleButton, _settle(opened)))


def reset_view(session_id: SessionId, saved: Iterable[Saved], *, leaves_talk: bool = False) -> discord.ui.View:
    """A forget button for each fact, as many as fit, undo for the whole, and what includes the talk that is left."""
    more = [include(session_id)] if leaves_talk else []
    return _view([*_forgets(saved)[: MOST - 1 - len(more)], take_back(session_id), *more])


def _forgets(saved: Iterable[Saved]) -> list[Button]:
    """A forget button for each memory that was saved now, as many as fit beside another."""
    ids = dict.fromkeys(s.memory.memory_id for s in saved if not s.is_earlier)
    return [forget(memory_id) for memory_id in ids][: MOST - 1]


def page_view(listing: Listing) -> discord.ui.View | None:
    """The way to the pages before and after, and to what explains this one; none when it can't be asked for again."""
    items: list[Button | PalaceIntoButton | Pick] = [*menus.picks(listing.entries)] if listing.changeable else []
    items += _pages(listing)
    return _view(items) if items else None


def palace_view(reply: PalaceReply, listing: Listing) -> discord.ui.View | None:
    """The ways on from a place in the palace: into its rooms, to other pages, and out."""
    names = [name for name in reply.rooms if 0 < splitting.size(name) <= _LONGEST_CHOICE][:MOST]
    items: list[Button | PalaceIntoButton] = [into(names)] if names else []
    items += _pages(listing)
    if reply.is_inside:
        items.append(PalaceOutButton(_button(ALL_ROOMS, "hathi:out")))
    return _view(items) if items else None


def _pages(listing: Listing) -> list[Button]:
    buttons: list[Button] = []
    can_be_explained = embeds.can_be_explained(listing)
    if embeds.can_be_asked_again(listing):
        if listing.page > 1:
            buttons.append(turn(min(listing.page - 1, listing.pages), "◀ Page {}"))
        if listing.page < listing.pages:
            buttons.append(turn(listing.page + 1, SEARCH_AGAIN if can_be_explained else "Page {} ▶"))
    if can_be_explained:
        buttons.append(why(listing.page))
    return buttons


def ask_view() -> discord.ui.View:
    """Under the introduction: the way to ask something at once."""
    return _view([AskButton(_button(ASK, "hathi:ask", _PRIMARY))])


def forget(memory_id: MemoryId) -> Button:
    """Forgets a memory."""
    return ForgetButton(_button(f"Forget #{memory_id}", f"hathi:forget:{memory_id}", discord.ButtonStyle.danger))


def leave_view(channel_id: ChannelId) -> discord.ui.View:
    """Under the announcement that a channel's past is read: the way out of it."""
    return _view([LeaveOutButton(_button(learned.LEAVE, leave_id(channel_id)))])


def leave_id(channel_id: ChannelId) -> str:
    """By what that button is known."""
    return f"hathi:leave:{channel_id}"


def removal_view(memory: Memory) -> discord.ui.View:
    """Forgets a memory of a server, under what asks its owner to."""
    custom_id = f"hathi:remove:{memory.channel_id}:{memory.memory_id}"
    return _view([RemoveButton(_button(f"Forget #{memory.memory_id}", custom_id, discord.ButtonStyle.danger))])


def restore(memory_id: MemoryId) -> Button:
    """Brings a memory back."""
    return RestoreButton(_button(f"Undo #{memory_id}", f"hathi:restore:{memory_id}"))


def unsay(message_id: MessageId) -> Button:
    """Forgets a message of the presser's that says what was forgotten."""
    return UnsayButton(_unsay(message_id))


def take_back(session_id: SessionId) -> Button:
    """Undoes a reset."""
    return TakeBackButton(_button(_UNDO_ALL, f"hathi:undo:{session_id}"))


def include(session_id: SessionId) -> Button:
    """Makes memory of the talk before a reset."""
    return IncludeButton(_button(INCLUDE, f"hathi:include:{session_id}"))


def exclude(session_id: SessionId) -> Button:
    """Takes that back."""
    return ExcludeButton(_button(_UNDO_ALL, f"hathi:exclude:{session_id}"))


def delete(person_id: PersonId) -> Button:
    """Deletes what tells of what that person erased."""
    return DeleteButton(_delete(person_id))


def turn(page: int, label: str) -> Button:
    """Shows another page."""
    return PageButton(_button(label.format(page), f"hathi:page:{page}"))


def into(rooms: Iterable[str]) -> PalaceIntoButton:
    """Walks into one of the rooms."""
    options = [discord.SelectOption(label=normalize.shown(room) or room, value=room) for room in rooms]
    return PalaceIntoButton(discord.ui.Select(custom_id="hathi:into", placeholder=WALK_IN, options=options))


def why(page: int) -> Button:
    """Explains a page of results."""
    return WhyResultsButton(_button(WHY_THESE, f"hathi:why:{page}"))


def under(turn_id: MessageId, reply: Reply | None, *, explains: bool) -> Components:
    """Under the reply to a turn: what it asks or took away, and what led to it."""
    buttons: list[discord.ui.Button[discord.ui.View]] = []
    if reply is not None and reply.asks is not None:
        buttons.append(_agree(turn_id))
    if reply is not None and reply.proposes:
        buttons.append(_keep(turn_id))
    if isinstance(reply, MissedReply):
        buttons.append(_missed(reply))
    if reply is not None and reply.erased_by is not None:
        buttons.append(_delete(reply.erased_by))
    if reply is not None and reply.forgotten is not None:
        buttons.append(_button(f"Undo #{reply.forgotten}", f"hathi:restore:{reply.forgotten}"))
        # With what explains the reply a row holds five.
        buttons += map(_unsay, reply.said_too[: _ROW - 2])
    if reply is not None and len(buttons) < _ROW - len(Holds) and (opened := both_sides.opened(reply)) is not None:
        buttons += _settle(opened)
    if explains:
        buttons.append(_button(WHY, f"hathi:reasons:{turn_id}"))
    # Nearly every reply has it, and a view around it takes three times as long to make.
    row = {"type": discord.ComponentType.action_row.value, "components": [b.to_component_dict() for b in buttons]}
    return [row] if buttons else ()


def without_choices(message: discord.Message) -> discord.ui.View:
    """The message's buttons as they stand, without those that settle a contradiction."""
    kinds = {choice.value for choice in Holds}
    return _view([_known(custom_id) for custom_id in _ids(message) if custom_id.split(":")[1] not in kinds])


def swapped(message: discord.Message, pressed: Button, instead: Button | None) -> discord.ui.View:
    """The message's buttons as they stand, with another, or none, in place of the one that was pressed."""
    ids = [(instead and instead.custom_id) if i == pressed.custom_id else i for i in _ids(message)]
    return _view([_known(custom_id) for custom_id in dict.fromkeys(ids) if custom_id is not None])


def is_alone(view: discord.ui.View) -> bool:
    """Whether its message tells of one thing alone, however it may be explained."""
    return sum(not isinstance(item, WhyReplyButton) for item in view.children) <= 1


def _ids(message: discord.Message) -> list[str]:
    return [
        child.custom_id
        for row in message.components
        if isinstance(row, discord.ActionRow)
        for child in row.children
        if isinstance(child, discord.Button) and child.custom_id is not None
    ]


def _known(custom_id: str) -> Button:
    """The button an id stands for, with the label it always has."""
    kind, number = custom_id.split(":")[1:]
    return _KNOWN[kind](int(number))


def _settle(memory_id: MemoryId) -> list[discord.ui.Button[discord.ui.View]]:
    return [_button(_CHOICES[choice], f"hathi:{choice.value}:{memory_id}") for choice in Holds]


def _missed(reply: MissedReply) -> discord.ui.Button[discord.ui.View]:
    until = 0 if reply.until is None else int(reply.until.timestamp())
    custom_id = "-".join([f"hathi:missed:{int(reply.since.timestamp())}", str(until), *sorted(reply.only)])
    return _button(WHAT_HAPPENED, custom_id, discord.ButtonStyle.primary)


def _unsay(message_id: MessageId) -> discord.ui.Button[discord.ui.View]:
    return _button("Forget it there too", f"hathi:unsay:{message_id}", discord.ButtonStyle.danger)


def _agree(turn_id: MessageId) -> discord.ui.Button[discord.ui.View]:
    return _button(AGREE, f"hathi:agree:{turn_id}", discord.ButtonStyle.danger)


def _keep(turn_id: MessageId) -> discord.ui.Button[discord.ui.View]:
    return _button(render.KEEP, f"hathi:keep:{turn_id}", _PRIMARY)


def _delete(person_id: PersonId) -> discord.ui.Button[discord.ui.View]:
    return _button(DELETE_THEM, f"hathi:delete:{person_id}", discord.ButtonStyle.danger)


def _button(
    label: str, custom_id: str, style: discord.ButtonStyle = discord.ButtonStyle.secondary
) -> discord.ui.Button[discord.ui.View]:
    return discord.ui.Button(label=label, custom_id=custom_id, style=style)


def _view(buttons: Iterable[Button | PalaceIntoButton | Pick]) -> discord.ui.View:
    # Without a time limit, and of dynamic items only: discord.py keeps nothing of such a view.
    view = discord.ui.View(timeout=None)
    for button in buttons:
        view.add_item(button)
    return view


def _fitted(lines: list[str], prefix: str, below: Sequence[str]) -> str:
    """The lines about what was saved, as many as fit into one message, and what stands below them in any case."""
    left_out = 0
    while True:
        more = [f"… and {left_out} more; {prefix}memories sort:new lists them."] if left_out else []
        text = "\n".join([*lines, *more, *below])
        if splitting.size(text) <= LIMIT or len(lines) < 2:
            return text
        # The last line that tells of a memory, not what stands under them.
        del lines[-2 if lines[-1].startswith(prefix) and len(lines) > 2 else -1]
        left_out += 1


_KNOWN: Final[Mapping[str, Callable[[int], Button]]] = {
    "forget": lambda number: forget(MemoryId(number)),
    "restore": lambda number: restore(MemoryId(number)),
    "unsay": lambda number: unsay(MessageId(number)),
    "agree": lambda number: AgreeButton(_agree(MessageId(number))),
    "keep": lambda number: KeepButton(_keep(MessageId(number))),
    "reasons": lambda number: WhyReplyButton(_button(WHY, f"hathi:reasons:{number}")),
    "delete": lambda number: delete(PersonId(number)),
    **{
        choice.value: lambda number, choice=choice: SettleButton(_settle(MemoryId(number))[[*Holds].index(choice)])
        for choice in Holds
    },
    "undo": lambda number: take_back(SessionId(number)),
    "include": lambda number: include(SessionId(number)),
    "exclude": lambda number: exclude(SessionId(number)),
}
"""The buttons that may stand beside others, by the second part of their ids."""
