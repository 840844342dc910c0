"""Carries out plain-language requests to forget: a single fact of one's own at once, all else after a yes."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final

from bot import catalogue, errors
from bot.commands import said_too
from bot.commands.mydata import MyData
from bot.dates import times
from bot.domain import Caller, Forgettable, Memory, MemoryId, Message, MessageId, Reply, Right, Stock
from bot.language.requests import denials, plain_requests, plain_words, scrapped_rules, side_choices, whose
from bot.presentation import render
from bot.recall import listings
from bot.recall.librarian import Librarian
from bot.recall.query import Query
from bot.store.archivist import Archivist, Forgotten, not_theirs
from bot.text import normalize, notices, short_forms

MOST: Final = 50
"""Things that are forgotten at once."""
SHOWN: Final = 10
"""Of those that are asked for, how many are shown."""
_NEAR: Final = 5
_LINE: Final = 300
_ENDS: Final = " .!?…"
UNDO: Final = catalogue.later("Erased for good in 10 minutes; {p}undo brings it back until then.")
NOTHING: Final = catalogue.later("I have nothing like that, so there is nothing to forget.")
TOO_MANY: Final = catalogue.later(
    "More than {most} things speak of that; tell me with more words what I should forget."
)
WHICH: Final = catalogue.later(
    "I don't know which you mean, so nothing was forgotten; say what it is about, or {p}forget with its number."
)
WITHHELD: Final = catalogue.later("I keep nothing of that message, and tell nobody what it says.")
KEPT_ALL: Final = catalogue.later("Nothing was forgotten.")
REST: Final = catalogue.later("Of the rest of your message I kept nothing; please say it again by itself.")
TALK: Final = catalogue.later(
    "{p}reset discard forgets this conversation, and what was made of it; {p}undo takes that back for 10 minutes."
)
STOP: Final = catalogue.later(
    "{p}memory off me does that: from then on nothing you say is kept, here or anywhere. What is kept already stays; "
    "“forget everything about me” erases it."
)
NOT_ASKED: Final = catalogue.later("I don't know any more what that was about; please ask anew.")
ASKERS_ALONE: Final = catalogue.later("Only whoever asked for it can say yes to that.")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Meant:
    """What a request to forget may mean, as far as the caller may see it."""

    memories: tuple[Memory, ...] = ()
    messages: tuple[Message, ...] = ()
    is_exact: bool = True

    def __len__(self) -> int:
        return len(self.memories) + len(self.messages)

    def holds(self, words: str) -> bool:
        """Whether any of it says these words too."""
        part = " ".join(words.casefold().split()).rstrip(_ENDS)
        return any(part in " ".join(one.content.casefold().split()) for one in (*self.memories, *self.messages))


class Forgetting:
    """The use case behind "forget that …"."""

    def __init__(
        self, archivist: Archivist, librarian: Librarian, my_data: MyData, clock: Callable[[], datetime]
    ) -> None:
        self._archivist = archivist
        self._my_data = my_data
        self._librarian = librarian
        self._clock = clock

    async def asked(
        self,
        caller: Caller,
        wanted: plain_requests.ForgetRequest,
        question: Message,
        *,
        before: MessageId | None,
        quoted: Sequence[Memory | Message] = (),
    ) -> Reply | None:
        """Carries out a request to forget; none where it means nothing remembered and may be ordinary talk.

        `before` is the message it points at, `quoted` what was told word for word in answer to that. Raises `NotFound`
        for what is not there, and `NotAllowed`.
        """
        if wanted.stops:
            return Reply(text=catalogue.gettext(STOP).format(p=caller.prefix), stock=Stock.HELP)
        if wanted.talk:
            return Reply(text=catalogue.gettext(TALK).format(p=caller.prefix), stock=Stock.HELP)
        if wanted.itself:
            return Reply(text=catalogue.gettext(WITHHELD), stock=Stock.FORGOTTEN)
        rest = wanted.rest
        try:
            if len(wanted.numbers) == 1:
                reply = await self._forget(caller, wanted.numbers, ())
            else:
                meant = await self._meant(caller, wanted, question, before, quoted)
                if not meant and wanted.last and not wanted.instead:
                    return Reply(text=catalogue.gettext(WHICH).format(p=caller.prefix), stock=Stock.FORGOTTEN)
                if not meant and not wanted.is_sure:
                    return None
                reply = await self._decided(caller, meant, is_sure=wanted.is_sure)
                rest = "" if meant.holds(rest) else rest
        except errors.NotFound:
            forgot = await self._archivist.last_forget_at(caller, now=self._clock())
            if forgot is None or forgot < question.said_at:
                raise
            # By this very request, before a crash.
            undo = catalogue.gettext(UNDO).format(p=caller.prefix)
            reply = Reply(text=f"{catalogue.gettext(notices.FORGOTTEN)}\n{undo}", stock=Stock.FORGOTTEN)
        return reply if not rest else replace(reply, text=f"{reply.text}\n{catalogue.gettext(REST)}")

    async def everything(self, caller: Caller) -> Reply:
        """What erasing all that is theirs would take; asks for a yes."""
        reply = await self._my_data.erasable(caller)
        if reply.asks is None:
            return replace(reply, stock=Stock.FORGOTTEN)
        yes = catalogue.gettext("So does “yes”, said within 10 minutes.")
        return replace(reply, text=f"{reply.text}\n{yes}", stock=Stock.ASKED)

    async def of_time(self, caller: Caller, span: times.Span) -> Reply:
        """Asks whether to forget the caller's memories of a time, as what they said besides is not told apart by it."""
        wanted = listings.Narrowing(author_id=caller.person_id, since=span.start, until=span.end)
        found, _ = await self._librarian.memories(caller, wanted, page=1, size=MOST + 1)
        if not found:
            return Reply(text=catalogue.gettext(WHICH).format(p=caller.prefix), stock=Stock.FORGOTTEN)
        return await self._decided(caller, _Meant(memories=tuple(found)), is_sure=False)

    async def agreed(self, caller: Caller, asked: Forgettable, *, asking: MessageId | None = None) -> Reply:
        """Forgets what was asked about in the turn `asking`, after a yes or a button press.

        What is gone meanwhile is left out. Raises `NotAllowed`.
        """
        if asked.everything:
            return replace(await self._my_data.erase(caller, asking=asking), stock=Stock.FORGOTTEN)
        there = await self._still(caller, asked.memories)
        try:
            return await self._forget(caller, [memory.memory_id for memory in there], asked.messages)
        except errors.NotFound:
            return Reply(text=catalogue.gettext(notices.FORGOTTEN), stock=Stock.FORGOTTEN)

    async def unsay(self, caller: Caller, message_id: MessageId) -> Reply:
        """Forgets one of the caller's own messages. Raises `NotFound` where it is none, or gone."""
        done = await self._archivist.forget_all(caller, [], [message_id], now=self._clock())
        if done.number is None:
            raise errors.NotFound(NOTHING)
        undo = catalogue.gettext(UNDO).format(p=caller.prefix)
        return Reply(text="\n".join([*_told(done), undo]), forgotten=done.number)

    async def _meant(
        self,
        caller: Caller,
        wanted: plain_requests.ForgetRequest,
        question: Message,
        before: MessageId | None,
        quoted: Sequence[Memory | Message],
    ) -> _Meant:
        if wanted.numbers:
            found = [await self._librarian.memory(caller, number) for number in wanted.numbers[: MOST + 1]]
            return _Meant(memories=tuple(found))
        if wanted.last:
            if before is None:
                return _Meant()
            memories, said = await self._librarian.resting_on(caller, before)
            meant = _Meant(memories=tuple(memories), messages=() if memories else said_too.telling(said))
            return meant or _Meant(
                memories=tuple(item for item in quoted if isinstance(item, Memory)),
                messages=tuple(
                    item for item in quoted if isinstance(item, Message) and item.author_id == caller.person_id
                ),
                is_exact=False,
            )
        return await (self._said_by(caller, wanted) if wanted.by else self._about(caller, wanted, question))

    async def _about(self, caller: Caller, wanted: plain_requests.ForgetRequest, question: Message) -> _Meant:
        """The rule that is named, else what holds the words of what it is about, or comes near."""
        if rules := await self._rules(caller, scrapped_rules.named(wanted.about)):
            return _Meant(memories=tuple(rules))
        words = plain_words.search_words(short_forms.written_out(wanted.about))
        memories = await self._librarian.forgettable(caller, words, limit=MOST + 1)
        said = await self._librarian.forgettable_messages(caller, words, apart_from=question.message_id, limit=MOST + 1)
        held = {e for memory in memories for e in memory.evidence}
        said = [message for message in said if message.message_id not in held]
        meant = _Meant(memories=tuple(memories), messages=said_too.telling(said))
        if not meant and wanted.is_sure:
            meant = await self._near(caller, words, question)
        if whose.is_own(wanted.about):
            meant = _of_askers(caller, meant, wanted.about)
        return meant if denials.denies(wanted.about, words) else _denials_last(meant, words)

    async def scrapped(self, caller: Caller, text: str) -> Reply | None:
        """Asks whether to forget the rules that a message says hold no more; none where the caller may forget none."""
        found = await self._rules(caller, scrapped_rules.read(text))
        may_all = caller.may(Right.MANAGE_GUILD)
        may = [memory for memory in found if may_all or memory.author_id in {None, caller.person_id}]
        if not may:
            return None
        reply = await self._decided(caller, _Meant(memories=tuple(may)), is_sure=False)
        told = catalogue.gettext("To keep it in other words: {p}edit {number} …")
        other = told.format(p=caller.prefix, number=may[0].memory_id)
        return replace(reply, text=f"{reply.text}\n{other}")

    async def _rules(self, caller: Caller, scrapped: scrapped_rules.ScrappedRule | None) -> list[Memory]:
        """What admins laid down, of what is said to be no more."""
        if scrapped is None:
            return []
        found = await self._librarian.directives(caller, limit=MOST)
        return [memory for memory in found if scrapped.means(memory.content)]

    async def _said_by(self, caller: Caller, wanted: plain_requests.ForgetRequest) -> _Meant:
        """The memories of what somebody named said about something, or about the caller."""
        if whose.is_me(wanted.about):
            found, _ = await self._librarian.of_person(caller, page=1, size=MOST + 1)
        else:
            words = plain_words.search_words(wanted.about)
            found = await self._librarian.forgettable(caller, words, limit=MOST + 1)
        return _Meant(memories=tuple(memory for memory in found if whose.is_named(memory.speaker, wanted.by)))

    async def _near(self, caller: Caller, words: str, question: Message) -> _Meant:
        """What has some of its words, or means nearly that: never certain. Not what only stands beside such."""
        found = await self._librarian.recall(
            caller, Query(text=words, as_of=question.said_at, limit=_NEAR, apart_from=(question.message_id,))
        )
        near = [result.item for result in found.results if result.parts.text or result.parts.semantic]
        own = [item for item in near if isinstance(item, Message) and item.author_id == caller.person_id]
        return _Meant(
            memories=tuple(item for item in near if isinstance(item, Memory)),
            messages=said_too.telling(own),
            is_exact=False,
        )

    async def _decided(self, caller: Caller, meant: _Meant, *, is_sure: bool) -> Reply:
        if not meant:
            raise errors.NotFound(NOTHING)
        if len(meant) > MOST:
            return Reply(text=catalogue.gettext(TOO_MANY).format(most=MOST), stock=Stock.FORGOTTEN)
        kept = await self._archivist.kept_by(caller, [memory.memory_id for memory in meant.memories])
        mine = [m for m in meant.memories if m.author_id == caller.person_id or m.memory_id in kept]
        if len(meant) == 1 and is_sure and meant.is_exact and len(mine) + len(meant.messages) == 1:
            return await self._forget(caller, [m.memory_id for m in mine], [m.message_id for m in meant.messages])
        may_all = caller.may(Right.MANAGE_GUILD)
        may = [m for m in meant.memories if may_all or m.author_id is None or m in mine]
        left = len(meant.memories) - len(may)
        if not may and not meant.messages:
            about = (memory for memory in meant.memories if memory.subject_id == caller.person_id)
            raise not_theirs(caller, next(about, meant.memories[0]))
        asks = Forgettable(
            memories=tuple(m.memory_id for m in may), messages=tuple(m.message_id for m in meant.messages)
        )
        lines = await self._listed(caller, may, meant.messages)
        if left:
            told = catalogue.ngettext(
                "{count} more said by others stay; to forget those takes {permission}.",
                "{count} more said by others stay; to forget those takes {permission}.",
                left,
            )
            lines.append(told.format(count=left, permission=catalogue.gettext(Right.MANAGE_GUILD)))
        return Reply(text="\n".join(lines), asks=asks, stock=Stock.ASKED)

    async def _listed(self, caller: Caller, memories: Sequence[Memory], messages: Sequence[Message]) -> list[str]:
        now, channels = self._clock(), await self._librarian.channel_names(caller)
        entries = [render.memory_entry(memory, channels, {}, now) for memory in memories]
        entries += [render.message_entry(message, {}, caller.time_zone) for message in messages]
        count, rest = len(entries), len(entries) - SHOWN
        head = (
            catalogue.gettext("Is this to be forgotten?")
            if count == 1
            else catalogue.gettext("Are these {count} to be forgotten?").format(count=count)
        )
        more = catalogue.ngettext("… and {count} more.", "… and {count} more.", rest).format(count=rest)
        return [
            head,
            *(_short(render.entry_lines(entry)) for entry in entries[:SHOWN]),
            *([more] if rest > 0 else []),
            catalogue.ngettext(
                "Say “yes” within 10 minutes to forget it.", "Say “yes” within 10 minutes to forget all of them.", count
            ),
            *([catalogue.gettext("“The second”, or its number, is forgotten alone.")] if count > 1 else []),
        ]

    async def _still(self, caller: Caller, ids: Sequence[MemoryId]) -> list[Memory]:
        found: list[Memory] = []
        for memory_id in ids:
            try:
                found.append(await self._librarian.memory(caller, memory_id))
            except errors.NotFound:
                continue
        return found

    async def _forget(self, caller: Caller, memories: Sequence[MemoryId], messages: Sequence[MessageId]) -> Reply:
        done = await self._archivist.forget_all(caller, memories, messages, now=self._clock())
        if done.number is None:
            return Reply(text=catalogue.gettext(notices.FORGOTTEN), stock=Stock.FORGOTTEN)
        same = await said_too.found(self._librarian, caller, done.memories)
        words = done.memories[0].content if done.memories else ""
        undo = catalogue.gettext(UNDO).format(p=caller.prefix)
        return Reply(
            text="\n".join([*_told(done), undo, *said_too.lines(same, words)]),
            forgotten=done.number,
            said_too=tuple(message.message_id for message in same),
            stock=Stock.FORGOTTEN,
        )


def _of_askers(caller: Caller, meant: _Meant, about: str) -> _Meant:
    """What of it may speak of the caller's own, and of nobody else's."""
    return replace(
        meant,
        memories=tuple(
            memory
            for memory in meant.memories
            if whose.may_be_theirs(caller, about, memory.content, is_by_them=memory.author_id == caller.person_id)
        ),
        messages=tuple(
            message
            for message in meant.messages
            if whose.may_be_theirs(caller, about, message.content, is_by_them=True)
        ),
    )


def _denials_last(meant: _Meant, words: str) -> _Meant:
    """The same with what only denies what is named at the end, and never certain where that is all there is."""
    denied = [denials.denies(one.content, words) for one in (*meant.memories, *meant.messages)]
    return replace(
        meant,
        memories=tuple(sorted(meant.memories, key=lambda one: denials.denies(one.content, words))),
        messages=tuple(sorted(meant.messages, key=lambda one: denials.denies(one.content, words))),
        is_exact=meant.is_exact and not all(denied),
    )


def picked(asked: Forgettable, text: str) -> Forgettable | None:
    """Those that an answer names of what was asked about, by number or place as shown; none where it names none."""
    shown = [*asked.memories, *[None] * len(asked.messages)][:SHOWN]
    places = side_choices.going(text, shown)
    if not places or len(places) == len(shown):
        return asked if places else None
    return Forgettable(
        memories=tuple(number for at, number in enumerate(asked.memories) if at in places),
        messages=tuple(said for at, said in enumerate(asked.messages, len(asked.memories)) if at in places),
    )


def _told(done: Forgotten) -> list[str]:
    """What is forgotten, a line each."""
    lines = [
        f"{catalogue.gettext(notices.FORGOT)} #{memory.memory_id} {normalize.one_line(memory.content, _LINE)}"
        for memory in done.memories[:SHOWN]
    ]
    rest = len(done.memories) - SHOWN
    if rest > 0:
        more = catalogue.ngettext("{count} more", "{count} more", rest).format(count=rest)
        lines.append(f"{catalogue.gettext(notices.FORGOT)} {more}")
    return [*lines, *render.said_lines(catalogue.gettext(notices.FORGOT), done.said)]


def _short(entry: str) -> str:
    return entry if len(entry) <= _LINE else f"{entry[:_LINE].rstrip()}…"
