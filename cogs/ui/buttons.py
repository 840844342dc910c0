"""Which buttons stand under a message of Hathi's, and what they say."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final

import discord

from bot import catalogue
from bot.commands import learn
from bot.commands.community import ListeningReply
from bot.commands.including import INCLUDE
from bot.commands.learn import LearningAsked
from bot.commands.missed import MissedReply
from bot.commands.mydata import DELETE_THEM
from bot.commands.palace import PalaceReply
from bot.commands.resets import TalkLeft
from bot.domain import ChannelId, Holds, Listing, Memory, MemoryId, MessageId, PersonId, Reply, SessionId
from bot.presentation import both_sides, learned, render
from bot.text import normalize
from cogs.send.message_requests import Components
from cogs.text import splitting
from cogs.ui import drawn_lists
from cogs.ui.button_kinds import (
    AgainButton,
    AgreeButton,
    AllButton,
    AskButton,
    Button,
    DeleteButton,
    DoButton,
    ExactlyButton,
    ExcludeButton,
    ForgetButton,
    HereButton,
    IncludeButton,
    KeepButton,
    KeptButton,
    LearnButton,
    LeaveOutButton,
    MemoryButton,
    MissedButton,
    PageButton,
    PalaceIntoButton,
    PalaceOutButton,
    RemoveButton,
    RestoreButton,
    SettingsButton,
    SettleButton,
    StopAnswerButton,
    StopButton,
    TakeBackButton,
    UnsayButton,
    WhyReplyButton,
    WhyResultsButton,
)
from cogs.ui.layouts import Pressed

MOST: Final = 25
"""Buttons of one message."""
WHY_THESE: Final = catalogue.later("Why these?")
WHY: Final = catalogue.later("Why?")
AGAIN: Final = catalogue.later("Regenerate")
ASK: Final = catalogue.later("Ask about the past")
HERE: Final = catalogue.later("What I remember here")
SETTINGS: Final = catalogue.later("Settings")
STOP: Final = catalogue.later("Stop")
EXACTLY: Final = catalogue.later("How exactly?")
WHAT_HAPPENED: Final = catalogue.later("Show me")
AGREE: Final = catalogue.later("Yes, forget")
WALK_IN: Final = catalogue.later("Choose a room")
ALL_ROOMS: Final = catalogue.later("◀ All rooms")
PAGE_BACK: Final = catalogue.later("◀ Page {number}")
PAGE_ON: Final = catalogue.later("Page {number} ▶")
ALL_KEPT: Final = catalogue.later("All {number}")
ALL: Final = catalogue.later("All of it, for me alone")
"""Under a short list: the whole of it."""
_FORGET_ONE: Final = catalogue.later("Forget #{number}")
_CHOICES: Final = {
    Holds.THIS: catalogue.later("#{number} holds"),
    Holds.NEWER: catalogue.later("The newer holds"),
    Holds.OLDER: catalogue.later("The older holds"),
    Holds.BOTH: catalogue.later("Both hold"),
}
_UNDO_ALL: Final = catalogue.later("Undo all")
_PRIMARY: Final = discord.ButtonStyle.primary
_ROW: Final = 5
"""Buttons of one row."""
_LONGEST_ID: Final = 99
"""Characters of what a button is known by."""
_LONGEST_CHOICE: Final = 100
"""Characters of what a menu offers, and of the word it stands for."""


def of(reply: Reply, *, is_short: bool = False) -> list[Pressed]:
    """What can be pressed under a reply, and what can be chosen from; under a short list what shows the whole."""
    if is_short:
        return [AllButton(_button(ALL, "hathi:all")), *_out(reply)]
    if reply.forgotten is not None:
        return [restore(reply.forgotten), *map(unsay, reply.said_too)]
    if isinstance(reply, PalaceReply) and reply.listing is not None:
        return _palace(reply, reply.listing)
    if reply.listing is not None:
        return [*_pages(reply.listing)]
    return [*_alone(reply)]


def _alone(reply: Reply) -> list[Button]:
    """The buttons under a reply that lists nothing."""
    opened = both_sides.opened(reply)
    if isinstance(reply, MissedReply):
        return [MissedButton(_missed(reply))]
    if isinstance(reply, TalkLeft):
        return [include(reply.session_id)]
    if isinstance(reply, LearningAsked):
        return [LearnButton(_button(learn.AGREE, f"hathi:learn:{reply.channel_id}", _PRIMARY))]
    if reply.erased_by is not None:
        return [delete(reply.erased_by)]
    if isinstance(reply, ListeningReply):
        return [stop()]
    return [*map(SettleButton, _settle(opened))]


def _palace(reply: PalaceReply, listing: Listing) -> list[Pressed]:
    """The ways on from a place in the palace: into its rooms, to other pages, and out."""
    names = [name for name in reply.rooms if 0 < splitting.size(name) <= _LONGEST_CHOICE][:MOST]
    found: list[Pressed] = [into(names)] if names else []
    return [*found, *_pages(listing), *_out(reply)]


def _out(reply: Reply) -> list[Button]:
    """The way out of a room of the palace."""
    is_inside = isinstance(reply, PalaceReply) and reply.is_inside
    return [PalaceOutButton(_button(ALL_ROOMS, "hathi:out"))] if is_inside else []


def _pages(listing: Listing) -> list[Button]:
    buttons: list[Button] = []
    can_be_explained = drawn_lists.can_be_explained(listing)
    if drawn_lists.can_be_asked_again(listing):
        if listing.page > 1:
            buttons.append(turn(min(listing.page - 1, listing.pages), PAGE_BACK))
        if listing.page < listing.pages:
            buttons.append(turn(listing.page + 1, PAGE_ON))
    if can_be_explained:
        buttons.append(why(listing.page))
    if listing.explains is not None:
        buttons.append(ExactlyButton(_button(EXACTLY, f"hathi:exactly:{listing.explains}")))
    return buttons


def kept(session_id: SessionId, page: int, label: str, number: int) -> Button:
    """Shows a page of what a reset's session became; `label` says which, or how much that is, with the number."""
    return KeptButton(_button(label, f"hathi:kept:{session_id}:{page}", number=number))


def on_memory(memory: Memory) -> list[Button]:
    """What can be done with a memory by whoever may."""
    number = memory.memory_id
    pin = (catalogue.later("Unpin"), "unpin") if memory.pinned else (catalogue.later("Pin"), "pin")
    mend = (catalogue.later("Fix …"), "mend")
    done = [MemoryButton(_button(label, f"hathi:{what}:{number}")) for label, what in (mend, pin)]
    return [forget(number, catalogue.later("Forget")), *done]


def on_others(memory_id: MemoryId) -> list[Button]:
    """What whoever a memory is about can ask for, that another gave."""
    return [MemoryButton(_button(catalogue.later("Ask to remove it"), f"hathi:asks:{memory_id}"))]


def ask() -> Button:
    """Opens the field for a question."""
    return AskButton(_button(ASK, "hathi:ask", _PRIMARY))


def here() -> Button:
    """Shows what is remembered here."""
    return HereButton(_button(HERE, "hathi:here"))


def stop() -> Button:
    """Has nothing of the presser kept any more."""
    return StopButton(_stop())


def settings() -> Button:
    """Shows how Hathi is set here."""
    return SettingsButton(_button(SETTINGS, "hathi:settings"))


def forget(memory_id: MemoryId, label: str = _FORGET_ONE) -> Button:
    """Forgets a memory; not in red, which is for what can't be undone."""
    return ForgetButton(_button(label, f"hathi:forget:{memory_id}", number=memory_id))


def leave_view(channel_id: ChannelId) -> discord.ui.View:
    """Under the announcement that a channel's past is read: the way out of it."""
    return view([LeaveOutButton(_button(learned.LEAVE, leave_id(channel_id)))])


def leave_id(channel_id: ChannelId) -> str:
    """By what that button is known."""
    return f"hathi:leave:{channel_id}"


def removal_view(memory: Memory) -> discord.ui.View:
    """Forgets a memory of a server, under what asks its owner to."""
    custom_id = f"hathi:remove:{memory.channel_id}:{memory.memory_id}"
    return view([RemoveButton(_button(_FORGET_ONE, custom_id, number=memory.memory_id))])


def restore(memory_id: MemoryId) -> Button:
    """Brings a memory back."""
    return RestoreButton(_restore(memory_id))


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
    return PageButton(_button(label, f"hathi:page:{page}", number=page))


def into(rooms: Iterable[str]) -> PalaceIntoButton:
    """Walks into one of the rooms."""
    options = [discord.SelectOption(label=normalize.shown(room) or room, value=room) for room in rooms]
    return PalaceIntoButton(
        discord.ui.Select(custom_id="hathi:into", placeholder=catalogue.gettext(WALK_IN), options=options)
    )


def why(page: int) -> Button:
    """Explains a page of results."""
    return WhyResultsButton(_button(WHY_THESE, f"hathi:why:{page}"))


def under(turn_id: MessageId, reply: Reply | None, *, explains: bool, stops: bool = False) -> Components:
    """Under the reply to a turn: what it asks or took away, what led to it, and maybe what `stops` to listen."""
    buttons = [] if reply is None else _asked(turn_id, reply)
    if reply is not None and reply.listing is not None:
        buttons += _whole(reply.listing)
    if isinstance(reply, MissedReply):
        buttons.append(_missed(reply))
    if reply is not None and reply.erased_by is not None:
        buttons.append(_delete(reply.erased_by))
    if reply is not None and reply.forgotten is not None:
        buttons.append(_restore(reply.forgotten))
        # With what explains the reply a row holds five.
        buttons += map(_unsay, reply.said_too[: _ROW - 2])
    if reply is not None and len(buttons) <= 1:
        buttons += _settle(both_sides.opened(reply))
    if explains and reply is not None and reply.rests_on_memory:
        buttons.append(_button(WHY, f"hathi:reasons:{turn_id}"))
    if reply is not None and reply.is_of_model:
        buttons.append(_again(turn_id))
    return _rows(buttons[:_ROW], buttons[_ROW:], [_stop()] if stops else [])


def _asked(turn_id: MessageId, reply: Reply) -> list[discord.ui.Button[discord.ui.View]]:
    """What is agreed to under the reply to a turn."""
    buttons: list[discord.ui.Button[discord.ui.View]] = []
    if reply.asks is not None:
        buttons.append(_agree(turn_id, for_good=reply.asks.everything))
    if reply.proposes:
        buttons.append(_keep(turn_id))
    if reply.offers:
        buttons.append(_do(turn_id))
    return buttons


def _rows(*rows: Sequence[discord.ui.Button[discord.ui.View]]) -> Components:
    # Nearly every reply has some, and a view around them takes three times as long to make.
    return [
        {"type": discord.ComponentType.action_row.value, "components": [b.to_component_dict() for b in row]}
        for row in rows
        if row
    ]


def growing(turn_id: MessageId) -> Components:
    """Under what is being written in answer to a question: what stops it."""
    return _rows([_halt(turn_id)])


def known(custom_id: str) -> Button:
    """The button an id stands for, with the label it always has."""
    _, kind, *number = custom_id.split(":")
    return _KNOWN[kind](int(number[0])) if number else stop()


def _settle(opened: Sequence[MemoryId]) -> list[discord.ui.Button[discord.ui.View]]:
    """Each side by its number, so far as a row has room, and that all of them hold; nothing where nothing is open."""
    sides = [_choice(number, Holds.THIS) for number in sorted(opened[: _ROW - 1])]
    return [*sides, _choice(opened[0], Holds.BOTH)] if sides else []


def _choice(memory_id: MemoryId, choice: Holds) -> discord.ui.Button[discord.ui.View]:
    return _button(_CHOICES[choice], f"hathi:{choice.value}:{memory_id}", number=memory_id)


def _stop() -> discord.ui.Button[discord.ui.View]:
    return _button(STOP, "hathi:stop")


def _halt(turn_id: MessageId) -> discord.ui.Button[discord.ui.View]:
    return _button(STOP, f"hathi:halt:{turn_id}")


def _again(turn_id: MessageId) -> discord.ui.Button[discord.ui.View]:
    return _button(AGAIN, f"hathi:again:{turn_id}")


def _missed(reply: MissedReply) -> discord.ui.Button[discord.ui.View]:
    until = 0 if reply.until is None else int(reply.until.timestamp())
    custom_id = "-".join([f"hathi:missed:{int(reply.since.timestamp())}", str(until), *sorted(reply.only)])
    return _button(WHAT_HAPPENED, custom_id, discord.ButtonStyle.primary)


def _restore(memory_id: MemoryId) -> discord.ui.Button[discord.ui.View]:
    return _button(catalogue.later("Undo #{number}"), f"hathi:restore:{memory_id}", number=memory_id)


def _unsay(message_id: MessageId) -> discord.ui.Button[discord.ui.View]:
    return _button(catalogue.later("Forget it there too"), f"hathi:unsay:{message_id}")


def _whole(listing: Listing) -> list[discord.ui.Button[discord.ui.View]]:
    """What shows the whole of a list in talk, where its command fits into what Discord keeps of a button."""
    custom_id = f"hathi:all:{listing.again}"
    return [_button(ALL, custom_id)] if listing.again and splitting.size(custom_id) <= _LONGEST_ID else []


def _agree(turn_id: MessageId, *, for_good: bool = False) -> discord.ui.Button[discord.ui.View]:
    style = discord.ButtonStyle.danger if for_good else discord.ButtonStyle.secondary
    return _button(AGREE, f"hathi:agree:{turn_id}", style)


def _keep(turn_id: MessageId) -> discord.ui.Button[discord.ui.View]:
    return _button(render.KEEP, f"hathi:keep:{turn_id}", _PRIMARY)


def _do(turn_id: MessageId) -> discord.ui.Button[discord.ui.View]:
    return _button(render.DO_IT, f"hathi:do:{turn_id}", _PRIMARY)


def _delete(person_id: PersonId) -> discord.ui.Button[discord.ui.View]:
    return _button(DELETE_THEM, f"hathi:delete:{person_id}", discord.ButtonStyle.danger)


def _button(
    label: str, custom_id: str, style: discord.ButtonStyle = discord.ButtonStyle.secondary, *, number: int = 0
) -> discord.ui.Button[discord.ui.View]:
    """A button that says this in the language that is spoken, with the number."""
    told = catalogue.gettext(label).format(number=number)
    return discord.ui.Button(label=told, custom_id=custom_id, style=style)


def view(buttons: Iterable[Button]) -> discord.ui.View:
    """The buttons under a message with a text of its own."""
    # Without a time limit, and of dynamic items only: discord.py keeps nothing of such a view.
    made = discord.ui.View(timeout=None)
    for button in buttons:
        made.add_item(button)
    return made


_KNOWN: Final[Mapping[str, Callable[[int], Button]]] = {
    "forget": lambda number: forget(MemoryId(number)),
    "restore": lambda number: restore(MemoryId(number)),
    "unsay": lambda number: unsay(MessageId(number)),
    "agree": lambda number: AgreeButton(_agree(MessageId(number))),
    "keep": lambda number: KeepButton(_keep(MessageId(number))),
    "do": lambda number: DoButton(_do(MessageId(number))),
    "reasons": lambda number: WhyReplyButton(_button(WHY, f"hathi:reasons:{number}")),
    "again": lambda number: AgainButton(_again(MessageId(number))),
    "halt": lambda number: StopAnswerButton(_halt(MessageId(number))),
    "delete": lambda number: delete(PersonId(number)),
    **{choice.value: lambda number, choice=choice: SettleButton(_choice(MemoryId(number), choice)) for choice in Holds},
    "undo": lambda number: take_back(SessionId(number)),
    "include": lambda number: include(SessionId(number)),
    "exclude": lambda number: exclude(SessionId(number)),
}
"""The buttons that may stand beside others, by the second part of their ids."""
