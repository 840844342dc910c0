"""Memories, messages and sessions as the lines a person reads."""

from collections.abc import Mapping
from datetime import datetime
from typing import Final

from bot import prompts
from bot.domain import NOTHING_FOUND, ChannelId, Memory, Message, Recollection, Saved
from bot.memory.librarian import PastSession
from bot.memory.wording import one_line, shown

CLEARED: Final = "Conversation history cleared."
_STATES: Final = {"closed": "waiting for its summary", "summarised": "summarised", "discarded": "not kept"}


def saved_line(saved: Saved) -> str:
    """The line under a reply, or after `!remember`."""
    memory = saved.memory
    line = f"[memory] saved: topic={shown(memory.topic)} (imp={memory.importance}) #{memory.memory_id}"
    # Known, but said once: the same message again, after a crash or a lost answer of the database.
    again = saved.was_known and memory.seen_count > 1
    return f"{line} (known already; said {memory.seen_count} times)" if again else line


def memory_lines(memory: Memory, channels: Mapping[ChannelId, str], now: datetime) -> str:
    """One memory: what is known about it, then its text."""
    facts = [
        f"#{memory.memory_id}",
        memory.tier.value,
        shown(memory.topic),
        f"importance {memory.importance}",
        prompts.age(memory.said_at, now),
        shown(memory.author or "nobody named"),
        f"in {channels.get(memory.channel_id, 'a channel')}",
    ]
    if memory.pinned:
        facts.append("pinned")
    return f"{' · '.join(facts)}\n    {_indented(memory.content)}"


def message_lines(message: Message) -> str:
    """One message, marked as said, with author and time."""
    return f"said · {shown(message.author)} · {time(message.said_at)}\n    {_indented(message.content)}"


def recollection(found: Recollection, channels: Mapping[ChannelId, str], now: datetime) -> str:
    """Memories first, then messages; or the one sentence for nothing."""
    if not found:
        return NOTHING_FOUND
    return "\n".join(
        [
            *(memory_lines(memory, channels, now) for memory, _ in found.memories),
            *(message_lines(message) for message, _ in found.messages),
        ]
    )


def session_lines(session: PastSession) -> str:
    """One past session: what is known about it, then its summary."""
    head = [
        f"session {session.number}",
        f"{time(session.opened_at)} to {time(session.closed_at)}",
        f"{session.message_count} messages",
        f"{session.fact_count} memories",
        session.model or _STATES[session.state],
    ]
    if session.withheld:
        body = "(the summary is withheld: part of it was forgotten)"
    else:
        body = session.text or f"({_STATES[session.state]})"
    return f"{' · '.join(head)}\n    {_indented(one_line(body, 600))}"


def paged(lines: list[str], *, page: int, size: int, total: int, command: str) -> str:
    """The lines, and how to read on where there is more."""
    pages = -(-total // size)
    rest = f"\nPage {page} of {pages}; go on with !{command} page:{page + 1}" if page < pages else ""
    return "\n".join(lines) + rest


def _indented(text: str) -> str:
    return shown(text).replace("\n", "\n    ")


def time(at: datetime) -> str:
    """A moment as it is written everywhere, in UTC."""
    return f"{at:%Y-%m-%d %H:%M} UTC"
