"""The layers that search memory: the palace (L1), the session (L2) and older messages (L3)."""

import asyncio
import functools
import operator
import re
from collections.abc import Callable, Iterable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace
from datetime import datetime
from typing import Final

from bot import catalogue
from bot.domain import Layer, Memory, Message, MessageId, Parts, Recollection, Result, Role, Source
from bot.facts import comparison, fact_reading
from bot.facts.comparison import Relation
from bot.facts.fact_reading import FactReading
from bot.language.questions import answer_kinds
from bot.language.requests import corrections, plain_words
from bot.language.statements import assertions, extraction, left_off
from bot.layers.walk import Evidence, Finding, WalkQuestion
from bot.recall import search
from bot.recall.librarian import Librarian
from bot.recall.query import ParsedQuery, Query
from bot.store.notes import Note, Notes
from bot.store.rooms import PROCEDURES
from bot.store.turns import HATHI
from bot.text import normalize, patterns

MOST: Final = 5
"""Things one layer answers with."""
LOOKED_AT: Final = 20
"""Results among which they are."""
NEAR_THE_BEST: Final = 0.6
"""Of the best score of all that was found: what has less is no answer where something else has that much."""
ALONG: Final = 0.4
"""The same of what somebody said in one go with what has that much: people tell one thing in several messages."""
LOOKED_ALONG: Final = 10
"""Results among which that is."""
AS_WELL: Final = 0.8
"""Of the score of what an earlier layer found: what was said since and has so much stands before it."""
LONGEST_SAME: Final = 300
"""Characters of a text that may say the same as another; a longer one says more besides."""
LAST_SAID: Final = 4
"""Messages that answer "what did I just say?"."""
_YEAR: Final = re.compile(r"(?<![\w.,/-])(?:19|20)\d\d(?![\w/-])")
_OF_SAYING: Final = frozenset(
    [
        "just",
        "now",
        "say",
        "said",
        "saying",
        "tell",
        "told",
        "ask",
        "asked",
        "write",
        "wrote",
        "mention",
        "mentioned",
        "moment",
        "ago",
        "minute",
        "last",
        "earlier",
        "i",
        "you",
        "we",
        "me",
    ]
)
SPEAKER: Final = re.compile(
    r"\b(?:did|has|had|does|could|would|hat|hatte)\s+@?(?!I\b)(?:[^\W\d_a-z][\w.'\u2019-]*\s+){1,3}(?:\w+\s+){0,2}?"
    r"(?:say|said|tell|told|mention|mentioned|write|written|wrote|suggest|suggested|think|thought|ask|asked|propose"
    r"|proposed|promise|promised|post|posted|share|shared|answer|answered|recommend|recommended|gesagt|geschrieben)\b"
    r"|\b[Aa]ccording\s+to\s+[^\W\d_a-z][\w.'\u2019-]*"
)
"""Whom a question says to have said it, by name: that stands beside their words, and not among them."""
_MINE: Final = re.compile(r"\b(?:i|my|me|ich|mein\w*|je|j'|yo)\b", re.IGNORECASE)
_YOURS: Final = re.compile(r"\b(?:you|your|du|dein\w*|tu|vous|te)\b", re.IGNORECASE)


class RecallResults:
    """One recall of memories and messages, shared by the palace layer and the verbatim layer.

    Asked apart, a memory that shares a word with the question would keep the message from being found that answers it.
    Which of the two layers answers is a matter of what answers best; what it shows is the same.
    """

    def __init__(self, librarian: Librarian, *, least: float | None = None) -> None:
        """`least` is the confidence from which something is told, where that is not the usual one."""
        self.librarian = librarian
        self._least = least

    def begin(self, asking: WalkQuestion) -> None:
        """Starts the recall in the background, unless it is running."""
        self._begun(asking)

    def end(self, asking: WalkQuestion) -> None:
        """Cancels the recall."""
        if asking.shared.task is not None:
            asking.shared.task.cancel()
            asking.shared.task = None

    async def recall(self, asking: WalkQuestion) -> Recollection:
        """The recall's results, computed once a walk. Raises `DatabaseDown`."""
        # Another layer may wait for it too: who is impatient does not end it for the other.
        return await asyncio.shield(self._begun(asking))

    async def told(self, asking: WalkQuestion) -> tuple[Recollection, list[Result]]:
        """What was found, and what of it answers nearly as well as the best. Raises `DatabaseDown`.

        A chat summary only stands for what nothing else tells.
        """
        found = await self.recall(asking)
        results = [r for r in found.results if not isinstance(r.item, Memory) or _is_told(r.item)]
        results = untold(asking, results)
        own = [r for r in results if not _is_summary(r.item)]
        return found, near_the_best(asking, own or results)

    def _begun(self, asking: WalkQuestion) -> asyncio.Task[Recollection]:
        task = asking.shared.task
        if task is None or (task.done() and (task.cancelled() or task.exception())):
            task = asking.shared.task = asyncio.create_task(self._recall(asking))
            # Looked at, so that a failure nobody waits for any more is no complaint of the event loop.
            task.add_done_callback(lambda done: done.cancelled() or done.exception())
        return task

    async def _recall(self, asking: WalkQuestion) -> Recollection:
        query = Query(
            text=asking.question.content,
            as_of=asking.question.said_at,
            summaries=True,
            limit=LOOKED_AT,
            apart_from=asking.apart_from,
            is_question=True,
            strictly=asking.strictly,
            least=_least(asking) or self._least,
        )
        asking.shared.parsed = parsed = await self.librarian.read(asking.caller, query)
        return await self.librarian.ranked(asking.caller, parsed)


class PalaceLayer:
    """L1: memories of both tiers, and the channel's last chat summaries."""

    def __init__(self, remembered: RecallResults) -> None:
        self._remembered = remembered
        self._librarian = remembered.librarian

    async def look(self, asking: WalkQuestion) -> Finding:
        """What answers, where a memory answers best. Raises `DatabaseDown`."""
        if plain_words.asks_where_left_off(asking.question.content):
            return await self._left_off(asking)
        found, told = await self._remembered.told(asking)
        is_mine = bool(told) and (isinstance(told[0].item, Memory) or _is_summary(told[0].item))
        where = catalogue.gettext("memories by room and topic")
        return finding(found, told if is_mine else (), Layer.PALACE, where, is_sure=not asking.loosely)

    async def _left_off(self, asking: WalkQuestion) -> Finding:
        last = await self._librarian.last_session(asking.caller)
        if last is None:
            return Finding(why=catalogue.gettext("no session before this one"))
        text = last.text if last.model != extraction.NAME else None
        if text is None and (said := await self._librarian.said_in(asking.caller, last.session_id)):
            # Its own words: off the event loop, as a long session takes a while to read.
            text = await asyncio.to_thread(left_off.left_off, said)
        # Of old sessions the summary outlives what was said.
        text = text or last.text
        if not text:
            return Finding(looked=1, why=catalogue.gettext("nothing is left of the last session"))
        summary = Evidence(
            label="S",
            layer=Layer.PALACE,
            content=text,
            title=catalogue.gettext("summary of session {number}").format(number=last.number),
            said_at=last.closed_at,
            session_id=last.session_id,
            score=1.0,
        )
        why = catalogue.gettext("asks where the last session ended")
        return Finding(evidence=(summary,), looked=1, why=why)


class SessionLayer:
    """L2: the session's notes, and what was said since the last reset."""

    def __init__(self, librarian: Librarian, notes: Notes) -> None:
        self._librarian = librarian
        self._notes = notes

    async def look(self, asking: WalkQuestion) -> Finding:
        """Notes and messages on the question; the last messages, where it asks for those alone.

        Raises `DatabaseDown`.
        """
        if asking.session_id is None:
            return Finding(why=catalogue.gettext("nothing is kept here"))
        if asking.layers[:1] == (Layer.SCRATCHPAD,) and not _names_something(asking.question.content):
            return await self._last_said(asking)
        notes, _ = await self._notes.living(asking.caller, asking.session_id, now=asking.question.said_at)
        query = Query(
            text=asking.question.content,
            as_of=asking.question.said_at,
            session_id=asking.session_id,
            beside=(*asking.unkept, *asking.nearby, *(_as_message(asking, note) for note in notes)),
            apart_from=asking.apart_from,
            limit=LOOKED_AT,
            is_question=True,
            strictly=asking.strictly,
            least=_least(asking),
        )
        found = await self._librarian.ranked(asking.caller, await self._parsed(asking, query))
        results = [result for result in found.results if not _brought_files(result.item)]
        near = near_the_best(asking, untold(asking, results))
        where = catalogue.gettext("notes and what was said in this session")
        told = finding(found, near, Layer.SCRATCHPAD, where, is_sure=not asking.loosely)
        if told.evidence or asking.layers[:1] != (Layer.SCRATCHPAD,):
            return told
        return await self._last_said(asking)

    async def _parsed(self, asking: WalkQuestion, query: Query) -> ParsedQuery:
        """The query as the space reads it; where nothing stands beside it, that is read once a walk."""
        parsed = asking.shared.parsed
        if parsed is None or query.beside:
            return await self._librarian.read(asking.caller, query)
        return replace(parsed, query=replace(query, domains=parsed.query.domains))

    async def newer(
        self, asking: WalkQuestion, than: Sequence[Evidence], history: Sequence[Message]
    ) -> tuple[Evidence, ...]:
        """What was said in this session after what an earlier layer found, and speaks to the question as well as that.

        The newest first. `history` is what was said in it. Nothing is looked for where nobody told or noted anything
        since: what the caller only asked is no evidence.
        """
        if asking.session_id is None or not than or than[0].said_at is None:
            return ()
        since, asker = than[0].said_at, asking.caller.person_id
        asks_what_was_asked = assertions.asks_what_was_asked(asking.question.content)
        if not any(
            asks_what_was_asked or message.author_id != asker or assertions.states(message.content)
            for message in (*asking.nearby, *history)
            if message.said_at > since and message.role is Role.PERSON
        ):
            notes, _ = await self._notes.living(asking.caller, asking.session_id, now=asking.question.said_at)
            if not any(note.written_at > since for note in notes):
                return ()
        return _said_since(than, (await self.look(replace(asking, layers=()))).evidence)

    async def _last_said(self, asking: WalkQuestion) -> Finding:
        """The last messages by whom the question is about: the asker, Hathi, or everybody.

        Of where one left off, those by which something moved on, where any did.
        """
        assert asking.session_id is not None
        recorded = asking.unkept or await self._librarian.history(
            asking.caller, asking.session_id, asking.question.message_id
        )
        history = sorted([*recorded, *asking.nearby], key=lambda message: message.message_id)
        named = _named(asking.question.content, {one.author for one in history})
        if not named and SPEAKER.search(asking.question.content):
            why = catalogue.gettext("whom it names said nothing that may be read here")
            return Finding(looked=len(history), why=why)
        again = {one.message_id for one in history if plain_words.asks_where_left_off(one.content)}
        said = [
            message
            for message in history
            if again.isdisjoint({message.message_id, message.reply_to})
            and message.message_id not in asking.apart_from
            and message.stock is None
            and not assertions.only_requests(message.content)
            and _is_by(asking, message, named)
        ]
        if plain_words.asks_where_left_off(asking.question.content):
            # Off the event loop, as a long session takes a while to read.
            steps = await asyncio.to_thread(left_off.steps, history)
            said = [message for message in said if message.message_id in steps] or said
        told = await self._librarian.told_apart(asking.caller, said[-LAST_SAID:])
        shown = tuple(_message(message, Layer.SCRATCHPAD, 1.0) for message in reversed(told))
        return Finding(evidence=shown, looked=len(history), why=catalogue.gettext("asks what was said last"))


class VerbatimLayer:
    """L3: every recorded message of people that everybody here may read."""

    def __init__(self, remembered: RecallResults) -> None:
        self._remembered = remembered

    async def look(self, asking: WalkQuestion) -> Finding:
        """What answers, where a message answers best. Raises `DatabaseDown`."""
        found, told = await self._remembered.told(asking)
        is_mine = bool(told) and not (isinstance(told[0].item, Memory) or _is_summary(told[0].item))
        where = catalogue.gettext("messages word for word")
        return finding(found, told if is_mine else (), Layer.ARTIFACTS, where, is_sure=not asking.loosely)


def _least(asking: WalkQuestion) -> float | None:
    """The certainty below which nothing is told; none where that is the usual one."""
    if not asking.loosely:
        return None
    return search.TOLD_FOR_NO if answer_kinds.is_yes_or_no(asking.question.content) else search.TOLD


def _said_since(than: Sequence[Evidence], found: Sequence[Evidence]) -> tuple[Evidence, ...]:
    """What was said after the first of these and answers about as well, the newest first."""
    said, known = than[0].said_at, {key for evidence in than for key in evidence.rests_on}
    later = [
        (evidence.said_at, evidence)
        for evidence in found
        if said is not None
        and evidence.said_at is not None
        and evidence.said_at > said
        and evidence.score >= AS_WELL * than[0].score
        and (evidence.message is None or evidence.message[1] not in known)
    ]
    return tuple(evidence for _, evidence in sorted(later, key=operator.itemgetter(0), reverse=True))


def _names_something(text: str) -> bool:
    """Whether a question has a word beside question words."""
    words = plain_words.search_words(text).split()
    return any(word.lower() not in _OF_SAYING for word in words)


def _is_by(asking: WalkQuestion, message: Message, named: frozenset[str]) -> bool:
    """Whether it is by whom the question names: somebody here, the asker, or Hathi; else by any person."""
    if named:
        return message.author in named
    mine, yours = _MINE.search(asking.question.content), _YOURS.search(asking.question.content)
    if yours is not None and (mine is None or yours.start() < mine.start()):
        return message.role is Role.HATHI
    return message.role is Role.PERSON and (mine is None or message.author_id == asking.caller.person_id)


def finding(
    found: Recollection, chosen: Sequence[Result], layer: Layer, where: str, *, is_sure: bool = True
) -> Finding:
    """A recall's results as a layer's finding, above the engine's threshold."""
    why = where
    if not found.is_covered:
        why = catalogue.gettext("{where} that holds half of what is asked").format(where=where)
    elif found.considered:
        why = catalogue.gettext("{where}: certainty {certainty} of {least}").format(
            where=where, certainty=f"{found.certainty:.2f}", least=f"{found.threshold:.2f}"
        )
    if not chosen:
        told = (
            catalogue.gettext("something else answers better than {where}")
            if found
            else catalogue.gettext("nothing in {where}")
        )
        return Finding(looked=found.considered, why=told.format(where=why))
    evidence = _dated(once(replace(evidence_of(result, layer), is_sure=is_sure) for result in chosen))
    first = evidence[:MOST]
    along = (one for one in evidence[MOST:] if any(map(one.goes_with, first)))
    return Finding(evidence=(*first, *along), looked=found.considered, why=why)


def once(evidence: Iterable[Evidence]) -> tuple[Evidence, ...]:
    """The evidence without what the same person said before in the same or other words; a memory stands for a message.

    Of what says otherwise both stay.
    """
    told, read = list[Evidence](), functools.cache(_read)
    for one in evidence:
        known = next((at for at, other in enumerate(told) if _is_same(other, one, read)), None)
        if known is None:
            told.append(one)
        elif told[known].memory_id is None and one.memory_id is not None:
            told[known] = replace(one, score=told[known].score)
    return tuple(told)


def _dated(evidence: Sequence[Evidence]) -> tuple[Evidence, ...]:
    """The evidence, of which a message holds only until the same person surely told of a change of it, in any of it."""
    read = functools.cache(_read)

    def until(one: Evidence) -> datetime | None:
        if one.until or one.memory_id is not None or one.message is None:
            return one.until
        return min(
            (other.said_at for other in evidence if other.said_at and _is_changed(one, other, read)), default=None
        )

    return tuple(replace(one, until=until(one)) for one in evidence)


def _is_changed(one: Evidence, by: Evidence, read: Callable[[str, str], FactReading]) -> bool:
    """Whether somebody's later words replace theirs."""
    if one.said_at is None or by.said_at is None or by.said_at <= one.said_at or not _may_be_alike(one, by):
        return False
    found = comparison.compare_read(*(read(each.content, one.author or "") for each in (one, by)))
    return found.relation is Relation.UPDATE and found.is_sure


def _may_be_alike(one: Evidence, other: Evidence) -> bool:
    """Whether two pieces of evidence are one person's words, and short enough to be compared."""
    is_ones = one.author is not None and one.author == other.author
    return is_ones and max(len(one.content), len(other.content)) <= LONGEST_SAME


def _is_same(one: Evidence, other: Evidence, read: Callable[[str, str], FactReading]) -> bool:
    """Whether two pieces of evidence are one person's words, and say the same."""
    if not _may_be_alike(one, other):
        return False
    found = comparison.compare_read(*(read(each.content, one.author or "") for each in (one, other)))
    return found.relation is Relation.SAME


def _read(text: str, by: str) -> FactReading:
    """What is compared of a text, or of what it corrects something to."""
    return fact_reading.read(corrections.otherwise(text) or text, by)


def untold(asking: WalkQuestion, results: Sequence[Result]) -> list[Result]:
    """The results without what was told of the question before."""
    return [result for result in results if not asking.told.has(evidence_of(result, Layer.PALACE))]


def near_the_best(asking: WalkQuestion, results: Sequence[Result]) -> list[Result]:
    """The results that score nearly as well as the best of them, and behind them what was said in one go with those.

    Of a question that only names people or a time, what they said last has no score, and answers as well as any. What
    tells of other years than the question is no answer to it.
    """
    years = frozenset(_YEAR.findall(asking.question.content))
    results = [result for result in results if not years or _is_of(years, result.item)]
    best = max((result.parts.score for result in results), default=0.0)
    # What holds no word of the question adds nothing by standing beside one that does, unless it answers a question.
    speaking = [r for r in results if r.answers or r.parts.text or r.parts.semantic or r.parts == Parts()]
    near = [r for r in speaking if r.parts.score >= NEAR_THE_BEST * best or r.parts == Parts()]
    first = [evidence_of(result, Layer.PALACE) for result in near[:MOST]]
    others = [r for r in speaking[:LOOKED_ALONG] if ALONG * best <= r.parts.score < NEAR_THE_BEST * best]
    return [*near, *(r for r in others if any(map(evidence_of(r, Layer.PALACE).goes_with, first)))]


def _is_of(years: AbstractSet[str], item: Memory | Message) -> bool:
    """Whether a text tells of one of these years, or names no year."""
    told = frozenset(_YEAR.findall(item.content))
    return not told or not years.isdisjoint(told)


def _named(question: str, authors: AbstractSet[str]) -> frozenset[str]:
    """Those of the people whose name, or the first word of it, stands in the question."""
    words = {word.removesuffix("'s") for word in question.translate(patterns.STRAIGHT_QUOTES).casefold().split()}
    said = {word.strip('.,:;!?()"') for word in words}
    return frozenset(name for name in authors if {name.casefold(), name.casefold().split(" ")[0]} & said)


def _brought_files(item: Memory | Message) -> bool:
    """Whether a message came with files, and so is left to the layer that reads those."""
    return isinstance(item, Message) and normalize.ATTACHED in item.content


def evidence_of(result: Result, layer: Layer) -> Evidence:
    """A result of recall as evidence; labels of messages are given by the walk."""
    item, score = result.item, result.parts.score
    if isinstance(item, Memory):
        return of_memory(item, result.said, layer, score)
    if _is_summary(item):
        return Evidence(
            label="S",
            layer=layer,
            content=item.content,
            title=catalogue.gettext("summary of an earlier session"),
            said_at=item.said_at,
            session_id=item.session_id,
            score=score,
        )
    return replace(_message(item, layer, score), until=result.until)


def of_memory(memory: Memory, said: Message | None, layer: Layer, score: float) -> Evidence:
    """A memory as evidence; quoted are the words that were `said`, where one message has them."""
    words = memory if said is None else said
    return Evidence(
        label=f"#{memory.memory_id}",
        layer=Layer.PROCEDURES if memory.room == PROCEDURES else layer,
        content=memory.content if said is None else assertions.without_requests(said.content),
        author=words.speaker,
        said_at=words.said_at,
        memory_id=memory.memory_id,
        message=None if said is None else (said.channel_id, said.message_id),
        rests_on=memory.evidence,
        is_retold=said is None and memory.source is Source.SUMMARY,
        score=score,
    )


def _as_message(asking: WalkQuestion, note: Note) -> Message:
    """A note as a message for the ranking, with an id below all messages'."""
    return Message(
        space_id=asking.caller.space_id,
        channel_id=note.channel_id,
        message_id=MessageId(-note.number),
        role=Role.PERSON,
        author_id=note.author_id,
        author=note.author,
        content=note.content,
        said_at=note.written_at,
    )


def _message(message: Message, layer: Layer, score: float) -> Evidence:
    if message.message_id < 0:
        return Evidence(
            label=f"N{-message.message_id}",
            layer=layer,
            content=message.content,
            title=catalogue.gettext("note N{number}").format(number=-message.message_id),
            author=message.speaker,
            said_at=message.said_at,
            score=score,
        )
    place = (message.channel_id, message.message_id)
    return Evidence(
        label="M",
        layer=layer,
        content=assertions.without_requests(message.content),
        author=message.speaker,
        said_at=message.said_at,
        message=place,
        rests_on=(message.message_id,),
        score=score,
    )


def _is_told(memory: Memory) -> bool:
    """Whether a person told it: descriptions of rooms are no answer, and playbooks have their own layer."""
    return memory.author_id is not None or memory.author != HATHI


def _is_summary(item: Memory | Message) -> bool:
    return isinstance(item, Message) and item.role is Role.HATHI
