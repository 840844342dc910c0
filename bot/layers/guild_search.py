"""L3: Discord's own search, for what was said before Hathi came; results are shown, never stored."""

import asyncio
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Final, Protocol

from bot import catalogue, errors
from bot.dates import times
from bot.dates.times import Span
from bot.domain import TERMINAL_SPACE, Caller, ChannelId, Layer, Message, MessageId, PersonId, SessionId
from bot.layers import memory_layers
from bot.layers.walk import Evidence, Finding, WalkQuestion
from bot.recall import asked_times
from bot.recall.librarian import Librarian
from bot.recall.parsing import TOKEN
from bot.recall.query import Query, Term
from bot.recall.search_terms import SearchTerms
from bot.store.people import People
from bot.store.spaces import Spaces
from bot.text import amounts

NAME: Final = catalogue.later("Discord's search")
"""What it is called where it can't be reached."""
PATIENCE: Final = timedelta(seconds=3)
"""For all that Discord is asked for one question."""
FEW: Final = 2
"""Words looked for where no message has all."""
LONGEST: Final = 1024
"""Characters of what is searched for, as Discord takes them."""
SWITCHED_OFF: Final = catalogue.later("Discord's search is switched off by whoever runs Hathi")
SWITCHED_OFF_HERE: Final = catalogue.later("Discord's search is switched off in this server")
OF_SESSION: Final = catalogue.later("it asks about the present session, not about what Discord may have")
NO_WORD: Final = catalogue.later("there is no word in it to search Discord for")
SHORTLY: Final = timedelta(seconds=0.7)
"""Until it is asked again where Discord names no time."""
NOT_INDEXED: Final = catalogue.later("Discord has not indexed this server yet")


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """A message that Discord found."""

    message: Message
    """Its channel is the place it stands in: a thread, where it was said in one."""
    origin: ChannelId
    """Whose readers are its audience: a public thread's parent, else the place itself."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Hits:
    """The result of one search."""

    hits: tuple[Hit, ...] = ()
    left_out: int = 0
    """Channels that were too many to name, those longest without a word."""
    why: str = ""
    """Why Discord said nothing, such as what somebody must switch on first; empty where it answered."""
    retry_after: float | None = None
    """Seconds until it can be asked again, where its index is not there yet; 0 for a short while."""


class Searcher(Protocol):
    """Sends searches to Discord; the terminal has none."""

    async def search(self, caller: Caller, words: str, *, apart_from: Collection[ChannelId], said: Span | None) -> Hits:
        """Messages with all these words, in the channels that everyone who sees the answer can read.

        Only of what was said in that time, where one is given. Raises `DiscordError` where it can't be asked.
        """
        ...

    def is_gone(self, key: int) -> bool:
        """Whether a message or channel was deleted lately; Discord's index may be older than that."""
        ...


class GuildSearch:
    """Searches Discord where palace and session have no answer; stores nothing of what it finds."""

    def __init__(
        self, spaces: Spaces, people: People, librarian: Librarian, telling: SearchTerms, *, is_on: bool
    ) -> None:
        self._spaces = spaces
        self._people = people
        self._librarian = librarian
        self._telling = telling
        self._is_on = is_on
        self._searcher: Searcher | None = None

    def connect(self, searcher: Searcher | None) -> None:
        """Searches through this connection to Discord from now on; through none, where there is none any more."""
        self._searcher = searcher

    async def serves(self, asking: WalkQuestion) -> bool:
        """Whether Discord can be searched and nobody has switched that off."""
        try:
            return self._searcher_of(asking.caller) is not None and not await self._why_not(asking)
        except errors.DatabaseDown:
            return False

    async def look(self, asking: WalkQuestion) -> Finding:
        """Messages on the question, ranked together with the stored ones.

        First by all telling words, in the time the question names; where that finds no answer, by the two rarest,
        whenever they were said, and of two words without a time by the rarer. Raises `TimeoutError` past three seconds
        of Discord's, `DiscordError` where it can't be asked, and `DatabaseDown`.
        """
        caller, question = asking.caller, asking.question
        searcher = self._searcher_of(caller)
        if searcher is None:
            return Finding()
        why = await self._why_not(asking)
        if why:
            return Finding(why=catalogue.gettext(why))
        words = _without_speaker(await self._telling.words(caller, question.content, question.said_at), question)
        if not words:
            return Finding(why=catalogue.gettext(NO_WORD))
        search = _Search(searcher, caller, await self._spaces.off(caller.space_id))
        said = _time_asked(asking)
        finding = await self._judged(asking, await search.ask(words, said))
        if finding.evidence or finding.failed or search.is_over or (len(words) == 1 and said is None):
            return finding
        is_few = said is not None and len(words) <= FEW
        few = words if is_few else await self._telling.rarest(caller, words, min(FEW, len(words) - 1))
        return await self._judged(asking, await search.ask(few))

    async def stand(self, caller: Caller, shown: Sequence[Evidence]) -> bool:
        """Whether its results may still be shown: not deleted, forgotten, erased or declined meanwhile."""
        if self._searcher is None or any(self._searcher.is_gone(key) for one in shown for key in one.elsewhere):
            return False
        ids = [one.message[1] for one in shown if one.message is not None]
        said = {(one.author_id, one.said_at) for one in shown if one.author_id is not None and one.said_at is not None}
        gone = await self._librarian.withheld(caller.space_id, ids)
        return not gone and said <= await self._people.readable(said)

    def _searcher_of(self, caller: Caller) -> Searcher | None:
        """The searcher for the caller's server; none outside a server."""
        return None if caller.is_direct or caller.space_id == TERMINAL_SPACE else self._searcher

    async def _why_not(self, asking: WalkQuestion) -> str:
        """Why Discord must not be searched; empty where it may."""
        if asking.layers[:1] == (Layer.SCRATCHPAD,):
            # The palace comes last then, and would have to be asked before.
            return OF_SESSION
        if not self._is_on:
            return SWITCHED_OFF
        place = await self._spaces.place(asking.caller.space_id, asking.caller.channel_id)
        return "" if place is not None and place.searches else SWITCHED_OFF_HERE

    async def _judged(self, asking: WalkQuestion, found: Hits) -> Finding:
        """The finding: the hits that answer, by one recall together with what is stored."""
        name = catalogue.gettext(NAME)
        if found.why == NOT_INDEXED:
            return Finding(why=catalogue.gettext(NOT_INDEXED), failed=name)
        if found.why:
            # As it is: by that it is found again in the trail, where somebody must switch something on first.
            return Finding(why=found.why)
        hits = await self._readable(asking, found.hits)
        where = (
            catalogue.gettext("{name}: {found} found, {shown} may be shown, {channels} left out")
            if found.left_out
            else catalogue.gettext("{name}: {found} found, {shown} may be shown")
        ).format(name=name, found=len(found.hits), shown=len(hits), channels=amounts.channels(found.left_out))
        if not hits:
            return Finding(looked=len(found.hits), why=where)
        recalled = await self._librarian.recall(
            asking.caller,
            Query(
                text=asking.question.content,
                as_of=asking.question.said_at,
                limit=memory_layers.LOOKED_AT,
                beside=tuple(map(_alone, hits.values())),
                apart_from=asking.apart_from,
                is_question=True,
            ),
        )
        among = [r for r in recalled.results if isinstance(r.item, Message) and r.item.message_id in hits]
        best = memory_layers.near_the_best(asking, recalled.results)
        near = [one for one in best if one in among]
        finding = memory_layers.finding(recalled, near, Layer.ARTIFACTS, where)
        return replace(finding, evidence=tuple(_elsewhere(one, hits) for one in finding.evidence), looked=len(hits))

    async def _readable(self, asking: WalkQuestion, found: Sequence[Hit]) -> dict[MessageId, Hit]:
        """The hits that everyone here may read, that are not forgotten or opted out, and not stored here."""
        caller, off = asking.caller, await self._spaces.off(asking.caller.space_id)
        hits = {
            hit.message.message_id: hit
            for hit in found
            if hit.origin in caller.visible
            and off.isdisjoint({hit.origin, hit.message.channel_id})
            and hit.message.message_id not in asking.apart_from
        }
        _, stored = await self._librarian.left(caller.space_id, (), hits)
        gone = stored.keys() | await self._librarian.withheld(caller.space_id, hits)
        readable = await self._people.readable({_said(hit) for hit in hits.values()})
        return {key: hit for key, hit in hits.items() if key not in gone and _said(hit) in readable}


class _Search:
    """The searches for one question, within three seconds."""

    def __init__(self, searcher: Searcher, caller: Caller, off: Collection[ChannelId]) -> None:
        self._searcher = searcher
        self._caller = caller
        self._off = off
        self._until = asyncio.get_running_loop().time() + PATIENCE.total_seconds()
        self.is_over = False
        """Whether to ask again would find the same door closed."""

    async def ask(self, words: Sequence[Term], said: Span | None = None) -> Hits:
        """Searches for these words; repeats the request while Discord is still indexing.

        Raises `TimeoutError` when the time is over, and as `Searcher` does.
        """
        content = _content(words)
        async with asyncio.timeout_at(self._until):
            while True:
                found = await self._searcher.search(self._caller, content, apart_from=self._off, said=said)
                if found.retry_after is None:
                    self.is_over = bool(found.why)
                    return found
                wait = found.retry_after or SHORTLY.total_seconds()
                if asyncio.get_running_loop().time() + wait >= self._until:
                    self.is_over = True
                    return Hits(why=NOT_INDEXED)
                await asyncio.sleep(wait)


def _time_asked(asking: WalkQuestion) -> Span | None:
    """The span in which to search for the time a question names, a few days longer: things are told later.

    None where it names no time, or only one that is to come: what is planned was said before.
    """
    question = asking.question
    named = asked_times.read(question.content, as_of=question.said_at, zone=asking.caller.time_zone).spans
    spans = [span for span in named if span.start is None or span.start < question.said_at]
    if not spans:
        return None
    starts, ends = [span.start for span in spans], [span.end for span in spans]
    return Span(
        words=spans[0].words,
        start=None if None in starts else min(filter(None, starts)),
        end=None if None in ends else max(filter(None, ends)) + times.TOLD_WITHIN,
    )


def _content(words: Sequence[Term]) -> str:
    """As many of the words as Discord takes."""
    content = ""
    for word in words:
        longer = f"{content} {word.token}".strip()
        if len(longer) <= LONGEST:
            content = longer
    return content


def _without_speaker(words: Sequence[Term], question: Message) -> Sequence[Term]:
    """The words without the named speaker; all of them where there are no others."""
    spoken = " ".join(memory_layers.SPEAKER.findall(question.content)).lower()
    named = set(TOKEN.findall(spoken))
    return [word for word in words if word.token not in named] or words


def _alone(hit: Hit) -> Message:
    """The message as a session of its own, since hits are not neighbours."""
    return replace(hit.message, session_id=SessionId(hit.message.message_id))


def _said(hit: Hit) -> tuple[PersonId, datetime]:
    assert hit.message.author_id is not None
    return hit.message.author_id, hit.message.said_at


def _elsewhere(one: Evidence, hits: Mapping[MessageId, Hit]) -> Evidence:
    """The evidence marked as not stored here, with the ids whose deletion takes it along."""
    assert one.message is not None
    hit = hits[one.message[1]]
    author_id, said = _said(hit)[0], hit.message
    return replace(
        one,
        rests_on=(),
        author_id=author_id,
        elsewhere=tuple({said.message_id: 0, author_id: 0, said.channel_id: 0, hit.origin: 0}),
    )
