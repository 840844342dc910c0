"""Renders memories, messages and sessions as the lines a person reads."""

import zoneinfo
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Final

from bot import catalogue
from bot.domain import (
    NOTHING_FOUND,
    TERMINAL_SPACE,
    Caller,
    ChannelId,
    Entry,
    LedgerEntry,
    Memory,
    MemoryId,
    Message,
    MessageId,
    PastSession,
    Recollection,
    Result,
    Saved,
    Tier,
    id_time,
)
from bot.language.statements import topics
from bot.store.proposals import Act
from bot.store.tallies import Total
from bot.store.turns import HATHI
from bot.text import amounts, message_links, notices, sanitize
from bot.text.normalize import one_line, shown

Links = Mapping[MessageId, ChannelId]
"""Where messages stand, by their ids."""
Contradictions = Mapping[MemoryId, Sequence[MemoryId]]
"""What contradicts memories, until somebody says which holds."""

ASK_THERE: Final = catalogue.later("If it was said in a server, ask me there.")
"""What whoever asks in direct messages learns where nothing is found: no memory of a server is told in them."""
GO: Final = catalogue.later("Go to the message")
"""What a link says that leads to where something was said."""
ASKED_BEFORE: Final = catalogue.later("Asked before:")
"""Above what only asks for what was looked for."""
KEEP: Final = catalogue.later("Keep?")
"""What is asked under what a model would have saved, and whoever asked did not say."""
DO_IT: Final = catalogue.later("Do it?")
"""What is asked under what a model would have done."""
_SO_FAR: Final = catalogue.later("not kept so far:")
_NOT_SAID: Final = catalogue.later("not kept, as it is not what you said:")
_YOURS_TO_SAY: Final = catalogue.later("not done, as that is for you to say:")
_AGREED: Final = {
    _SO_FAR: catalogue.later("kept, as you wanted:"),
    _NOT_SAID: catalogue.later("kept, as you wanted:"),
    _YOURS_TO_SAY: catalogue.later("done, as you wanted:"),
}
"""What stands above what a model would have kept or done, before and after its asker agrees to it."""
AGAIN: Final = catalogue.later(" (known already; said {count} times)")
"""How the line goes on that confirms a memory, where it was said before."""
RETOLD: Final = catalogue.later(", in my words")
"""How it ends where the memory is in Hathi's words."""
_KEPT: Final = 1_000
"""Characters of what was kept that its confirmation shows."""
_KEPT_OF_LIST: Final = 150
_SAID: Final = 10
"""Things somebody said that are shown as forgotten."""
_STATES: Final = {
    "closed": catalogue.later("waiting for its summary"),
    "summarised": catalogue.later("summarised"),
    "discarded": catalogue.later("discarded"),
    "undone": catalogue.later("reset undone"),
}
_NO_TEXT: Final = {
    "closed": catalogue.later("no summary yet"),
    "summarised": catalogue.later("nothing to summarise"),
    "discarded": catalogue.later("no summary was made"),
    "undone": catalogue.later("no summary is kept"),
}
_TIERS: Final = {Tier.SHORT: catalogue.later("short"), Tier.LONG: catalogue.later("long")}
_AS_SAID: Final = catalogue.later("said")
_AS_ASKED: Final = catalogue.later("asked")
_NOBODY: Final = catalogue.later("nobody named")


def saved_line(saved: Saved) -> str:
    """The line under a reply, or after `!remember`; says so where the memory is in Hathi's words."""
    return f"{_saved_line(saved)}{saved.notice}"


def _saved_line(saved: Saved) -> str:
    memory = saved.memory
    about = f"topic={shown(memory.topic)} " if topics.tells(memory.topic) else ""
    told = catalogue.gettext("saved: {about}(imp={importance})")
    line = f"{notices.MEMORY} {told.format(about=about, importance=memory.importance)} #{memory.memory_id}"
    # Known, but said once: the same message again, after a crash or a lost answer of the database.
    again = saved.was_known and memory.seen_count > 1
    known = catalogue.gettext(AGAIN).format(count=memory.seen_count) if again else ""
    return f"{line}{known}{catalogue.gettext(RETOLD) if memory.author == HATHI else ''}"


def kept(saved: Sequence[Saved]) -> str:
    """What was saved by somebody's own words, with those words."""
    if len(saved) == 1:
        (one,) = saved
        return f"{_saved_line(one)}\n{quoted(one_line(one.memory.content, _KEPT))}{one.notice}"
    lines = [
        quoted(f"#{one.memory.memory_id} {one_line(one.memory.content, _KEPT_OF_LIST)}{_again(one)}") for one in saved
    ]
    importance = max(one.memory.importance for one in saved)
    told = catalogue.gettext("saved: {memories} (imp={importance})")
    head = f"{notices.MEMORY} {told.format(memories=amounts.memories(len(saved)), importance=importance)}"
    return "\n".join([head, *lines]) + saved[-1].notice


def not_kept(text: str, caller: Caller, *, is_asked: bool, is_said: bool = False) -> str:
    """What a model would have saved, whole, and how whoever asked can have it kept: where they are asked, by a yes.

    Where it `is_said` by whoever asked, in these words, only that it is not kept.
    """
    told = quoted(sanitize.unmasked(one_line(text, _KEPT)))
    if not is_asked:
        keeps = (
            catalogue.gettext("not kept so far; {p}remember or “remember that …” keeps it:")
            if is_said
            else catalogue.gettext("not kept, as it is not what you said; {p}remember or “remember that …” keeps it:")
        )
        return f"{notices.MEMORY} {keeps.format(p=caller.prefix)}\n{told}"
    head = catalogue.gettext(_SO_FAR if is_said else _NOT_SAID)
    # Elsewhere there is a button; a yes in words could be meant for what the answer asks.
    asked = f"\n{catalogue.gettext(KEEP)} y/n" if caller.space_id == TERMINAL_SPACE else ""
    return f"{notices.MEMORY} {head}\n{told}{asked}"


def not_saved(text: str) -> str:
    """What was to be kept, whole, where that failed."""
    head = catalogue.gettext("this could not be kept:")
    return f"{notices.MEMORY} {head}\n{quoted(sanitize.unmasked(one_line(text, _KEPT)))}"


def not_done(act: Act, caller: Caller, *, is_asked: bool) -> str:
    """What a model would have done, whole, and how whoever asked can have it done: where they are asked, by a yes."""
    told = quoted(sanitize.unmasked(one_line(act.text, _KEPT)))
    if not is_asked:
        head = catalogue.gettext("not done, as you did not ask for it; {p}{command} does it:")
        return f"{notices.MEMORY} {head.format(p=caller.prefix, command=act.command)}\n{told}"
    asked = f"\n{catalogue.gettext(DO_IT)} y/n" if caller.space_id == TERMINAL_SPACE else ""
    return f"{notices.MEMORY} {catalogue.gettext(_YOURS_TO_SAY)}\n{told}{asked}"


def agreed(text: str, *, acts: bool) -> str:
    """The same text where whoever asked has agreed to what stands in it as not kept; or, of `acts`, as not done."""
    for before in (_YOURS_TO_SAY,) if acts else (_SO_FAR, _NOT_SAID):
        after = catalogue.gettext(_AGREED[before])
        text = text.replace(f"{notices.MEMORY} {catalogue.gettext(before)}", f"{notices.MEMORY} {after}")
    return text


def stays(memories: Sequence[MemoryId]) -> str:
    """What of an answer that was taken back is still remembered."""
    told = catalogue.ngettext(
        "{numbers} stays, which the answer before had saved: it was changed or said again since.",
        "{numbers} stay, which the answer before had saved: they were changed or said again since.",
        len(memories),
    )
    return told.format(numbers=catalogue.both([f"#{number}" for number in memories]))


def is_shown_whole(text: str) -> bool:
    """Whether what was, or is to be, kept of this text can be shown to the last letter."""
    return one_line(text, _KEPT) == " ".join(text.split())


def said_lines(notice: str, said: Sequence[str]) -> list[str]:
    """What somebody said that is forgotten, or back, as the `notice` says, where no memory was made of it."""
    if not said:
        return []
    lines = [quoted(f"“{one_line(text, _KEPT_OF_LIST)}”") for text in said[:_SAID]]
    if len(said) > _SAID:
        lines.append(quoted(catalogue.gettext("… and {count} more").format(count=len(said) - _SAID)))
    return [" ".join((notice, catalogue.gettext("what you said"))), *lines]


def _again(saved: Saved) -> str:
    known = catalogue.gettext("(known already)")
    return f" {known}" if saved.was_known and saved.memory.seen_count > 1 else ""


def entry_lines(entry: Entry) -> str:
    """An entry as lines: what is known about it, then its text."""
    return f"{entry.head}\n{quoted(entry.body)}"


def memory_entry(memory: Memory, channels: Mapping[ChannelId, str], links: Links, now: datetime) -> Entry:
    """One memory in parts, with the first message it rests on that can be looked at."""
    found = next((e for e in memory.evidence if e in links), None)
    return Entry(
        head=_about(memory, channels, now),
        body=shown(memory.content),
        memory_id=memory.memory_id,
        link=None if found is None else (links[found], found),
        who=_speaker(memory),
        at=memory.said_at,
        place=channels.get(memory.channel_id, ""),
        marks=(catalogue.gettext("pinned"),) if memory.pinned else (),
    )


def with_open(entry: Entry, contradictions: Contradictions) -> Entry:
    """An entry that says what contradicts its memory, until somebody says which holds."""
    others = contradictions.get(entry.memory_id, ()) if entry.memory_id is not None else ()
    if not others:
        return entry
    against = catalogue.gettext("contradicts {memories} (open)").format(memories=", ".join(f"#{one}" for one in others))
    return replace(entry, head=f"{entry.head} · {against}", marks=(*entry.marks, against))


def led(caller: Caller, text: str, entry: Entry) -> str:
    """The text of an entry, and under it a line that leads to its message, where there is one to be looked at."""
    link = None if entry.link is None else message_links.of(caller, *entry.link)
    return text if link is None else f"{text}\n  {catalogue.gettext(GO)}: {link}"


def listed(
    caller: Caller,
    memories: Sequence[Memory],
    channels: Mapping[ChannelId, str],
    links: Links,
    now: datetime,
    opened: Contradictions,
) -> tuple[tuple[Entry, ...], list[str]]:
    """The same memories as entries and as lines, which lead to their messages."""
    entries = tuple(with_open(memory_entry(memory, channels, links, now), opened) for memory in memories)
    return entries, [led(caller, entry_lines(entry), entry) for entry in entries]


def changes(memory_id: MemoryId, prefix: str) -> str:
    """What can be done with a memory, where no button stands for it."""
    return f"  {prefix}forget {memory_id} · {prefix}edit {memory_id} … · {prefix}pin {memory_id}"


def message_entry(message: Message, links: Links, zone: str, how: str = _AS_SAID) -> Entry:
    """One message in parts, marked as said, or `how` else it was meant, with author and time."""
    place, told = links.get(message.message_id), catalogue.gettext(how)
    return Entry(
        head=f"{told} · {sanitize.name(message.speaker)} · {time(message.said_at, zone)}",
        body=shown(message.content),
        link=None if place is None else (place, message.message_id),
        who=sanitize.name(message.speaker),
        at=message.said_at,
        marks=() if how == _AS_SAID else (told,),
    )


def summed_up(entry: LedgerEntry, zone: str) -> str:
    """What stands above an entry of a ledger: of what while it tells."""
    through = time(entry.through_at, zone)
    span = through if entry.since is None else _span(time(id_time(entry.since), zone), through)
    return " · ".join((catalogue.gettext("summed up"), span))


def made_by_rule(count: int, *, of: int, is_least: bool = False) -> str:
    """How many entries of a ledger no model made, though there is one."""
    told = catalogue.gettext("(Of {entries} in the ledger {count} made by rule, without a model.)")
    entries, by_rule = (amounts.told(one, is_least=is_least) for one in (amounts.entries(of), str(count)))
    return told.format(entries=entries, count=by_rule)


def session_entry(session: PastSession, zone: str) -> Entry:
    """One past session in parts."""
    came_to = [amounts.messages(session.message_count), amounts.memories(session.fact_count)]
    state = [] if session.state == "summarised" else [catalogue.gettext(_STATES[session.state])]
    return Entry(
        head=_about_session(session, zone),
        body=one_line(_summary(session), 600),
        at=session.closed_at,
        marks=(*came_to, *state, _numbered(session)),
    )


def page_of(found: Recollection, *, page: int, size: int) -> Recollection:
    """The results of one page; on the last what only asks about it too, as far as a page holds that."""
    results = found.results[(page - 1) * size : page * size]
    is_last = page == max(1, -(-len(found.results) // size))
    return replace(found, results=results, questions=found.questions[: size - len(results)] if is_last else ())


def question_entries(found: Recollection, links: Links, zone: str) -> list[Entry]:
    """What only asks, in parts, apart from what tells something."""
    asked = [
        message_entry(one.item, links, zone, _AS_ASKED) for one in found.questions if isinstance(one.item, Message)
    ]
    return [replace(one, above=catalogue.gettext(ASKED_BEFORE)) for one in asked[:1]] + asked[1:]


def result_entry(result: Result, channels: Mapping[ChannelId, str], links: Links, now: datetime, zone: str) -> Entry:
    """A result in parts; of a memory also the day it was said."""
    if isinstance(result.item, Memory):
        entry = memory_entry(result.item, channels, links, now)
        return replace(entry, head=f"{entry.head} · {time(result.item.said_at, zone)}")
    entry = message_entry(result.item, links, zone)
    if result.entry is not None:
        return replace(entry, head=summed_up(result.entry, zone), who="", at=None)
    if result.until is None:
        return entry
    held = until(result.until, zone)
    return replace(entry, head=f"{entry.head} · {held}", marks=(*entry.marks, held))


def _about(memory: Memory, channels: Mapping[ChannelId, str], now: datetime) -> str:
    channel = channels.get(memory.channel_id, catalogue.gettext("a channel"))
    facts = [
        f"#{memory.memory_id}",
        catalogue.gettext(_TIERS[memory.tier]),
        shown(memory.topic),
        catalogue.gettext("importance {importance}").format(importance=memory.importance),
        age(memory.said_at, now),
        _speaker(memory),
        catalogue.gettext("in {channel}").format(channel=channel),
    ]
    if memory.pinned:
        facts.append(catalogue.gettext("pinned"))
    return " · ".join(facts)


def _speaker(memory: Memory) -> str:
    return sanitize.name(memory.speaker) if memory.speaker else catalogue.gettext(_NOBODY)


def nothing_found(caller: Caller, *more: str) -> str:
    """That nothing was found, with `more` to say of it; in direct messages also where else it may be asked."""
    return or_there(caller, " ".join([catalogue.gettext(NOTHING_FOUND), *more]))


def or_there(caller: Caller, nothing: str) -> str:
    """What tells that there is nothing; in direct messages with where else it may be asked."""
    return f"{nothing} {catalogue.gettext(ASK_THERE)}" if caller.is_direct else nothing


def recollection(caller: Caller, found: Recollection, lines: Sequence[str]) -> str:
    """The one sentence where there is no result; then the lines, and what was not looked for as asked."""
    told = [catalogue.gettext("Note: {note}").format(note=note) for note in found.asked.notes]
    notes = told if found or lines else []
    return "\n".join([*([] if found else [nothing_found(caller)]), *lines, *notes])


def more(*, page: int, pages: int, again: str, prefix: str) -> str:
    """How to search on, where there is more and it can be asked for; nothing elsewhere."""
    if page >= pages or not again:
        return ""
    told = catalogue.gettext("Page {page} of {pages}; search again with {command} page:{next}")
    return told.format(page=page, pages=pages, command=f"{prefix}{again}", next=page + 1)


def _about_session(session: PastSession, zone: str) -> str:
    head = [
        _numbered(session),
        _when(session, zone),
        amounts.messages(session.message_count),
        amounts.memories(session.fact_count),
        session.model or catalogue.gettext(_STATES[session.state]),
    ]
    return " · ".join(head)


def _numbered(session: PastSession) -> str:
    return catalogue.gettext("session {number}").format(number=session.number)


def _summary(session: PastSession) -> str:
    if session.withheld:
        return catalogue.gettext("(the summary is withheld: part of it was forgotten)")
    return session.text or f"({catalogue.gettext(_NO_TEXT[session.state])})"


def _when(session: PastSession, zone: str) -> str:
    """From when to when, the day once where it is the same, and so the zone."""
    opened, closed = local(session.opened_at, zone), local(session.closed_at, zone)
    until = f"{closed:%H:%M}" if opened.date() == closed.date() else f"{closed:%Y-%m-%d %H:%M}"
    began = "" if _abbreviation(opened) == _abbreviation(closed) else f" {_abbreviation(opened)}"
    return _span(f"{opened:%Y-%m-%d %H:%M}{began}", f"{until} {_abbreviation(closed)}")


def _span(since: str, until: str) -> str:
    return catalogue.gettext("{since} to {until}").format(since=since, until=until)


def paged(lines: list[str], *, page: int, size: int, total: Total, command: str) -> str:
    """The lines, and how to read on where there is more."""
    pages = total.pages(size)
    if page >= pages:
        return "\n".join(lines)
    told = catalogue.gettext("Page {page} of {pages}; go on with {command} page:{next}")
    of = f"{pages}{'+' * total.is_cut(size)}"
    return "\n".join(lines) + f"\n{told.format(page=page, pages=of, command=command, next=page + 1)}"


def quoted(text: str) -> str:
    """Somebody's text in lines of its own."""
    return f"    {_indented(text)}"


def _indented(text: str) -> str:
    return sanitize.set_in(text, "    ")


def time(at: datetime, zone: str) -> str:
    """A moment as it is written everywhere, in the time zone of an IANA name: `2026-03-02 13:00 CET`."""
    there = local(at, zone)
    return f"{there:%Y-%m-%d %H:%M} {_abbreviation(there)}"


def until(at: datetime, zone: str) -> str:
    """How what was replaced is marked, with the day it was: `held until 2026-03-02`."""
    return catalogue.gettext("held until {day}").format(day=f"{local(at, zone):%Y-%m-%d}")


def local(at: datetime, zone: str) -> datetime:
    """A moment in the time zone of an IANA name; in UTC where this machine does not know the zone."""
    try:
        return at.astimezone(zoneinfo.ZoneInfo(zone))
    except (zoneinfo.ZoneInfoNotFoundError, ValueError, OSError, OverflowError):
        # A zone this machine does not know, as another's export may name; or a moment at the end of time.
        return at.astimezone(UTC)


def _abbreviation(there: datetime) -> str:
    """The zone as people write it, or by how far it is from UTC where it has no letters: `CET`, `UTC+5:45`."""
    name, offset = there.tzname() or "", there.utcoffset() or timedelta(0)
    if name.isalpha():
        return name
    hours, minutes = divmod(abs(offset) // timedelta(minutes=1), 60)
    sign = "-" if offset < timedelta(0) else "+"
    return f"UTC{sign}{hours}{f':{minutes:02}' * bool(minutes)}" if offset else "UTC"


def age(since: datetime, now: datetime) -> str:
    """How long ago, in the largest whole unit: `just now`, `5 min ago`, `3 h ago`, `12 days ago`."""
    passed = max(timedelta(0), now - since)
    if passed < timedelta(minutes=1):
        return catalogue.gettext("just now")
    if passed < timedelta(hours=1):
        return catalogue.gettext("{count} min ago").format(count=passed // timedelta(minutes=1))
    if passed < timedelta(days=2):
        return catalogue.gettext("{count} h ago").format(count=passed // timedelta(hours=1))
    return catalogue.ngettext("{count} day ago", "{count} days ago", passed.days).format(count=passed.days)
