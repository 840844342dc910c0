"""`!palace` and `!room`: browses memory by room and topic; lays out, renames and merges rooms."""

import difflib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final

from bot import arguments, catalogue, errors
from bot.commands.grammar import GRAMMARS, WORKS
from bot.commands.invocation import Invocation
from bot.domain import ROOMS, Caller, Entry, Fact, Listing, Memory, Reply, Source
from bot.language.tags import tagging
from bot.layers import playbook_files
from bot.lifecycle.reworker import Reworker
from bot.presentation import render
from bot.recall.librarian import Librarian
from bot.store.archivist import Archivist, Moved
from bot.store.rooms import PROCEDURES, Rooms
from bot.store.tallies import Part, Total
from bot.text import amounts, normalize, notices

ROOMS_A_PAGE: Final = 20
MEMORIES_A_PAGE: Final = 6
TOPICS_NAMED: Final = 10
"""Topics that are told of a room; the rest are counted."""
PLAYBOOK_IMPORTANCE: Final = 8
"""As of whatever a person asks to keep."""
ROOM_IMPORTANCE: Final = 2
"""Of what only tells what a room is for: below what the model is shown unasked."""
AUTHOR: Final = "Hathi"
"""Of what is laid out: nobody here said it, and only who manages the space may change it."""
_BEHIND: Final = catalogue.later(
    "All of it is found there; filing it anew goes on in the background, and {p}status tells how far it is."
)
_LONGEST_NAME: Final = 64
"""Words a room's name can have: no more than it has letters."""
_KEPT: Final = {
    "preferences": catalogue.later("what is filed there does not age"),
    PROCEDURES: catalogue.later("what is filed there is taken for the documented way"),
}
"""Rooms that rules of memory name: they keep their names, and what comes into them falls under the rule."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PalaceReply(Reply):
    """A view of the palace, and where one can go from there."""

    rooms: tuple[str, ...] = ()
    """Rooms to walk into."""
    is_inside: bool = False
    """Whether there is a way out, to the list of rooms."""


class Walks:
    """The use cases behind `!palace` and `!room`."""

    def __init__(
        self,
        palace: Rooms,
        librarian: Librarian,
        archivist: Archivist,
        reworker: Reworker,
        clock: Callable[[], datetime],
    ) -> None:
        self._palace = palace
        self._librarian = librarian
        self._archivist = archivist
        self._reworker = reworker
        self._clock = clock

    async def palace(self, given: Invocation) -> Reply:
        """The rooms, what is in one of them, or what was laid out. Raises `NotFound` with similar names."""
        caller, args = given.caller, given.args
        if args.form:
            return await self._lay_out(caller, args.word("work", ""))
        topic = args.word("topic", "")
        if not args.text:
            if topic:
                told = catalogue.later("A topic is in a room; name the room too: {p}palace <room> <topic>")
                raise errors.BadArgument(lambda p: catalogue.gettext(told).format(p=p))
            return self._listed(caller, await self._palace.rooms(caller), page=args.number("page", 1))
        found = await self._room_of(caller, args.text)
        if found is None or (topic and found[1]):
            raise _no_room(args.text, await self._palace.rooms(caller))
        room, rest = found
        return await self._inside(caller, room, topic or rest, page=args.number("page", 1))

    async def room(self, given: Invocation) -> Reply:
        """Renames a room, or merges it into another. Raises `NotFound` and `BadArgument`."""
        caller, args = given.caller, given.args
        room = await self._named(caller, args.word("room", ""))
        if room.name in _KEPT:
            keeps = catalogue.later(
                "The room {name} keeps its name and what is in it: {rule}. {p}room merge <room> {name} files others "
                "there."
            )
            rule = catalogue.gettext(_KEPT[room.name])
            raise errors.BadArgument(lambda p: catalogue.gettext(keeps).format(name=room.name, rule=rule, p=p))
        if args.form == "merge":
            into = (await self._named(caller, args.word("into", ""))).name
            if into == room.name:
                one = catalogue.later("That is one room; {p}room merge {name} <room> joins it with another.")
                raise errors.BadArgument(lambda p: catalogue.gettext(one).format(name=into, p=p))
            moved = await self._archivist.merge_rooms(caller, room.name, into, now=self._clock())
            count, behind = self._moved(caller, room, moved)
            told = catalogue.gettext("{memories} of {name} went into {into}.").format(
                memories=amounts.memories(count), name=repr(room.name), into=repr(into)
            )
            return Reply(text=" ".join([told, *_about(into), *behind]))
        name = normalize.label(args.word("name", ""), "")
        if not name:
            raise errors.BadArgument(catalogue.later("There is nothing to read in that name; give the room another."))
        if name == room.name:
            raise errors.BadArgument(catalogue.gettext("The room is called {name} already.").format(name=repr(name)))
        moved = await self._archivist.rename_room(caller, room.name, name, now=self._clock())
        count, behind = self._moved(caller, room, moved)
        told = catalogue.gettext("{before} is called {name} now, with {memories}.").format(
            before=repr(room.name), name=repr(name), memories=amounts.memories(count)
        )
        again = catalogue.gettext("{name} is a room I file in by myself, so it may come up again.")
        comes_again = [again.format(name=repr(room.name))] if room.name in ROOMS else []
        return Reply(text=" ".join([told, *_about(name), *comes_again, *behind]))

    def _moved(self, caller: Caller, room: Part, moved: Moved) -> tuple[int, list[str]]:
        """How many memories of a room the caller finds elsewhere now, and what is told where some are on their way."""
        if moved.is_over:
            return moved.memories, []
        self._reworker.soon(caller.space_id)
        return room.memories, [catalogue.gettext(_BEHIND).format(p=caller.prefix)]

    async def undo(self, caller: Caller) -> Reply:
        """Takes back the caller's latest layout, but for what was changed since."""
        count = await self._archivist.undo_laying_out(caller, now=self._clock())
        told = catalogue.gettext("Took back what was laid out: {memories}.").format(memories=amounts.memories(count))
        return Reply(text=f"{notices.MEMORY} {told}")

    def _listed(self, caller: Caller, rooms: Sequence[Part], *, page: int) -> Reply:
        shown = rooms[(page - 1) * ROOMS_A_PAGE : page * ROOMS_A_PAGE]
        if not shown:
            if rooms:
                told = catalogue.gettext("No rooms on page {page}; {rooms} in all.")
                return Reply(text=told.format(page=page, rooms=amounts.rooms(len(rooms))))
            told = catalogue.gettext("The palace is empty yet; {p}palace new <{works}> lays out rooms for such work.")
            return Reply(text=told.format(p=caller.prefix, works="|".join(WORKS)))
        now = self._clock()
        states = [(normalize.shown(room.name), _state(room, now)) for room in shown]
        width = max(len(name) for name, _ in states)
        lines = [
            *(f"{name:<{width}}  {state}" for name, state in states),
            catalogue.gettext("{p}palace <room> walks into one.").format(p=caller.prefix),
        ]
        return PalaceReply(
            text=render.paged(
                lines, page=page, size=ROOMS_A_PAGE, total=Total(len(rooms)), command=f"{caller.prefix}palace"
            ),
            listing=Listing(
                title=catalogue.gettext("Memory has {rooms}").format(rooms=amounts.rooms(len(rooms))),
                entries=tuple(Entry(head=name, body=state) for name, state in states),
                page=page,
                pages=-(-len(rooms) // ROOMS_A_PAGE),
                again="palace",
                is_table=True,
            ),
            rooms=tuple(room.name for room in shown),
        )

    async def _inside(self, caller: Caller, room: Part, typed: str, *, page: int) -> Reply:
        topic = await self._topic_of(caller, typed, room) if typed else None
        found, number = await self._palace.memories(caller, room.name, topic, page=page, size=MEMORIES_A_PAGE)
        if not found:
            told = catalogue.gettext("No memories on page {page} of the room {name}.")
            return Reply(text=told.format(page=page, name=repr(room.name)))
        now, again = self._clock(), await self._again(caller, room.name, topic)
        channels = await self._librarian.channel_names(caller)
        links = await self._librarian.places(caller, {e for memory in found for e in memory.evidence})
        name = f"{normalize.shown(room.name)} · {normalize.shown(topic)}" if topic else normalize.shown(room.name)
        total = Total(number)
        title = f"{name} · {total.told('memory')}"
        told = () if topic else (_topics_told(*await self._palace.topics(caller, room.name, limit=TOPICS_NAMED)),)
        opened = await self._librarian.contradictions(caller, (memory.memory_id for memory in found))
        entries, texts = render.listed(caller, found, channels, links, now, opened)
        lines = [title, *told, *texts]
        if again:
            lines = [
                render.paged(lines, page=page, size=MEMORIES_A_PAGE, total=total, command=f"{caller.prefix}{again}")
            ]
        return PalaceReply(
            text="\n".join([*lines, catalogue.gettext("{p}palace lists the rooms.").format(p=caller.prefix)]),
            listing=Listing(
                title=title,
                entries=entries,
                page=page,
                pages=total.pages(MEMORIES_A_PAGE),
                is_cut=total.is_cut(MEMORIES_A_PAGE),
                again=again,
                notes=told,
            ),
            is_inside=True,
        )

    async def _room_of(self, caller: Caller, text: str) -> tuple[Part, str] | None:
        """The room the text begins with, the longest name there is, and what follows; none where there is none."""
        words = text.split()
        names = [" ".join(words[:size]) for size in range(min(len(words), _LONGEST_NAME), 0, -1)]
        known = _known(await self._palace.rooms_called(caller, names))
        for name in names:
            found = _by_name(name, known)
            if found is not None:
                return found, " ".join(words[name.count(" ") + 1 :])
        return None

    async def _named(self, caller: Caller, name: str) -> Part:
        """The room of that name. Raises `NotFound`."""
        whole = " ".join(name.split())
        found = _by_name(whole, _known(await self._palace.rooms_called(caller, [whole])))
        if found is None:
            raise _no_room(name, await self._palace.rooms(caller))
        return found

    async def _again(self, caller: Caller, room: str, topic: str | None) -> str:
        """The line that asks for the same; nothing where it would be read as something else."""
        line = f"{room} {topic}" if topic else room
        try:
            read = arguments.parse(line, GRAMMARS["palace"])
        except errors.UserError:
            return ""
        found = None if read.form or read.named else await self._room_of(caller, read.text)
        meant = found is not None and found[0].name == room and " ".join(found[1].split()) == (topic or "")
        return f"palace {line}" if meant else ""

    async def _topic_of(self, caller: Caller, text: str, room: Part) -> str:
        """The topic of the room that is called so. Raises `NotFound` with those that are near."""
        name = " ".join(text.split())
        found = _by_name(name, _known(await self._palace.topics_called(caller, room.name, name)))
        if found is not None:
            return found.name
        near = _near(text, await self._palace.topics_like(caller, room.name, name))
        named = normalize.shown(room.name)
        told = (
            catalogue.later(
                "The room {room} has no topic {topic}; did you mean {near}? {p}palace {name} shows all that is in it."
            )
            if near
            else catalogue.later("The room {room} has no topic {topic}; {p}palace {name} shows all that is in it.")
        )
        values = {"room": repr(named), "topic": _quoted(text), "near": near, "name": named}
        raise errors.NotFound(lambda p: catalogue.gettext(told).format(p=p, **values))

    async def _lay_out(self, caller: Caller, work: str) -> Reply:
        """Rooms and playbook as the file of that work has them."""
        book = playbook_files.shipped(work)
        rooms = [_fact(room, work, about, ROOM_IMPORTANCE) for room, about in book.rooms]
        playbook = replace(_fact(PROCEDURES, work, book.body, PLAYBOOK_IMPORTANCE), tags=tagging.own(book.tags))
        saved, p = await self._archivist.lay_out(caller, playbook, rooms, now=self._clock()), caller.prefix
        if not saved:
            told = catalogue.gettext("All of that is there already: {p}palace {room} {work} has the playbook.")
            return Reply(text=told.format(p=p, room=PROCEDURES, work=work))
        head = catalogue.gettext("laid out: {work}").format(work=work)
        made = [_laid(one.memory) for one in saved]
        undo = catalogue.gettext("{p}undo takes that back for 10 minutes, {p}forget <id> one of them at any time.")
        return Reply(text="\n".join([f"{notices.MEMORY} {head}", *made, undo.format(p=p)]))


def _fact(room: str, topic: str, content: str, importance: int) -> Fact:
    return Fact(
        content=content,
        topic=topic,
        room=room,
        importance=importance,
        source=Source.USER,
        author=AUTHOR,
        tags=(tagging.AUTO,),
    )


def _laid(memory: Memory) -> str:
    told = (
        catalogue.gettext("#{number} room {room}: the playbook")
        if memory.room == PROCEDURES
        else catalogue.gettext("#{number} room {room}: what is filed there")
    )
    return told.format(number=memory.memory_id, room=memory.room)


def _known(parts: Sequence[Part]) -> dict[str, Part]:
    """The parts by their names, and by how else these may be cased."""
    folded = {" ".join(part.name.split()).casefold(): part for part in reversed(parts)}
    return folded | {part.name: part for part in parts}


def _by_name(name: str, known: Mapping[str, Part]) -> Part | None:
    """The part of that name, in any case where none is written just so."""
    return known.get(name) or known.get(name.casefold())


def _no_room(text: str, rooms: Sequence[Part]) -> errors.NotFound:
    names = [room.name for room in rooms]
    near = _near(text, names) or _near(text.split(maxsplit=1)[0], names)
    told = (
        catalogue.later("There is no room {name}; did you mean {near}? {p}palace lists the rooms.")
        if near
        else catalogue.later("There is no room {name}; {p}palace lists the rooms.")
    )
    return errors.NotFound(lambda p: catalogue.gettext(told).format(name=_quoted(text), near=near, p=p))


def _near(text: str, names: Sequence[str]) -> str:
    """The names that are written much like it, as a sentence lists them; empty where none is."""
    by_name = {name.casefold(): name for name in reversed(names)}
    near = difflib.get_close_matches(text.casefold(), by_name, 3, 0.6)
    return catalogue.either(normalize.shown(by_name[name]) for name in near)


def _quoted(text: str) -> str:
    return repr(normalize.one_line(normalize.shown(text), 60))


def _state(part: Part, now: datetime) -> str:
    told = catalogue.gettext("{memories} · last change {age}")
    return told.format(memories=amounts.memories(part.memories), age=render.age(part.changed_at, now))


def _topics_told(topics: Sequence[Part], total: Total) -> str:
    named = [f"{normalize.one_line(normalize.shown(topic.name), 40)} ({topic.memories})" for topic in topics]
    rest = total.number - len(topics)
    told = (
        catalogue.gettext("Topics: {topics} and {rest} more.") if rest > 0 else catalogue.gettext("Topics: {topics}.")
    )
    return told.format(topics=", ".join(named), rest=amounts.told(str(rest), is_least=total.is_more))


def _about(room: str) -> list[str]:
    """What a rule of memory says of the room."""
    if room not in _KEPT:
        return []
    return [catalogue.gettext("In {name} {rule}.").format(name=repr(room), rule=catalogue.gettext(_KEPT[room]))]
