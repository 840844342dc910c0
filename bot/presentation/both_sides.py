"""Shows what contradicts what was just kept, both sides of it, and how whoever said it settles that."""

import itertools
from collections.abc import Sequence
from typing import Final

from bot import catalogue
from bot.domain import TERMINAL_SPACE, Caller, Memory, MemoryId, Reply, Saved
from bot.presentation import render
from bot.text import normalize, notices

WHICH: Final = catalogue.later("Which holds: {numbers} or both?")


def lines(saved: Sequence[Saved], caller: Caller) -> list[str]:
    """What was replaced by what was kept, what stands against it, and how that is settled."""
    told = list[str]()
    for one in saved:
        number = one.memory.memory_id
        told += [f"{catalogue.gettext(notices.SUPERSEDES)}{old.memory_id}: {_said(old)}" for old in one.supersedes]
        if one.supersedes or one.outdated_by is not None:
            told.append(catalogue.gettext("{p}undo keeps both.").format(p=caller.prefix))
        if one.outdated_by is not None:
            before = catalogue.gettext("#{number} was said before #{other}, which replaces it.")
            told.insert(-1, before.format(number=number, other=one.outdated_by.memory_id))
        if one.contradicts:
            against = catalogue.gettext(
                "#{number} contradicts what is known; both are kept until somebody says which holds:"
            )
            told.append(against.format(number=number))
            told += [side(each, caller.time_zone) for each in as_said(one.memory, one.contradicts)]
            told.append(asked(one.memory, one.contradicts, caller))
    return told


def as_said(memory: Memory, others: Sequence[Memory]) -> list[Memory]:
    """The sides of a contradiction in the order in which they are shown: the one first said first comes first."""
    return sorted((memory, *others), key=lambda each: (min(each.said_at, each.created_at), each.memory_id))


def is_said_again(sides: Sequence[Memory]) -> bool:
    """Whether one of the sides, as shown, was said again after one that was first said later: which is newer then?"""
    return any(one.said_at > other.said_at for one, other in itertools.pairwise(sides))


def opened(reply: Reply) -> Sequence[MemoryId]:
    """The memory of which a reply asks whether it holds, the last of several, then those that it contradicts."""
    return against(reply.saved) or reply.opens


def against(saved: Sequence[Saved]) -> tuple[MemoryId, ...]:
    """The same of what was just saved; empty where nothing stands against it."""
    found = [(one.memory, *one.contradicts) for one in saved if one.contradicts]
    return tuple(each.memory_id for each in found[-1]) if found else ()


def asked(memory: Memory, others: Sequence[Memory], caller: Caller) -> str:
    """How a contradiction is settled, where no button stands for it."""
    numbers = ", ".join(f"#{each.memory_id}" for each in as_said(memory, others))
    which = catalogue.gettext(WHICH).format(numbers=numbers)
    if caller.space_id == TERMINAL_SPACE:
        return which
    how = catalogue.gettext("{p}settle {number} holds, for example.")
    return f"{which} {how.format(p=caller.prefix, number=memory.memory_id)}"


def briefly(saved: Saved, prefix: str) -> str:
    """The same on one line, for lists of what was kept; empty where nothing stands against it."""
    if not saved.contradicts:
        return ""
    others = catalogue.both(f"#{memory.memory_id}" for memory in saved.contradicts)
    told = catalogue.gettext("contradicts {others}; {p}settle {number} shows both sides")
    return f"    {told.format(others=others, p=prefix, number=saved.memory.memory_id)}"


def side(memory: Memory, zone: str) -> str:
    """One side of a contradiction: what it is, whose, of when, and its words."""
    head = [
        f"#{memory.memory_id}",
        normalize.shown(memory.topic),
        normalize.shown(memory.speaker or catalogue.gettext("nobody named")),
        render.time(memory.said_at, zone),
    ]
    return f"{' · '.join(head)}\n{render.quoted(memory.content)}"


def _said(memory: Memory) -> str:
    return normalize.one_line(normalize.shown(memory.content), 200)
