"""L4: finds a documented way to do what is asked, in playbook files or in memory."""

import asyncio
import contextlib
import functools
import itertools
import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from bot import catalogue, errors
from bot.domain import Caller, ChannelId, Layer
from bot.language.tags import tagging
from bot.layers import playbook_files
from bot.layers.playbook_files import Playbook, PlaybookFiles
from bot.layers.walk import Evidence, Finding, WalkQuestion
from bot.recall.librarian import Librarian
from bot.store.rooms import PROCEDURES, Procedure, Rooms
from bot.text import folding, patterns, stop_words, word_forms

MOST: Final = 5
"""Ways that are shown."""
LONGEST: Final = 1500
"""Characters of one way."""
TELLING: Final = 2
"""Telling words a question and a title with its triggers must share."""
_READ: Final = 2000
"""Characters of a question that are read."""
_QUERY_WORDS: Final = 32
_PHRASE: Final = 0.5
"""What a trigger's phrase adds to the score, which is 1 at most."""
_WEIGHTS: Final = (1.0, 0.8, 0.6, 0.3)
"""Of a question's word in title and triggers, in a tag, in a heading, in the text."""
DOCUMENTED: Final = 200
"""Topics of the room `procedures` by which it is asked for, those with most in them."""
_PHRASES: Final = 1000
"""Triggers, and names, whose stems are kept."""
_MENTION: Final = re.compile(r"<[@#][!&]?\d+>")
_HEADING: Final = re.compile(r"#{1,6}\s++(.*)")
_STEP: Final = re.compile(r"\s*(?:[-*+]|\d{1,3}[.)])\s")
_META: Final = patterns.vocabulary(
    """
    procedure procedures process processes playbook playbooks guide guides instruction instructions workflow workflows
    checklist checklists step steps documented document documentation way ways usual usually
    """
)
"""Words that ask for a documented way, and say nothing of which."""
_ASKS_FOR_A_WAY: Final = re.compile(
    r"\b(?:how(?:'s|\u2019s)?|what (?:do|should) (?:we|i|one) do|(?:walk|talk|lead) (?:me|us) through)\b", re.IGNORECASE
)
_DULL: Final = frozenset(folding.folded(word) for word in stop_words.ASKING | stop_words.FUNCTION)


@dataclass(frozen=True, slots=True, kw_only=True)
class SpokenWords:
    """The words of a text, as stems, and which of them say what it is about."""

    stems: tuple[str, ...]
    """Of every word, in order."""
    telling: dict[str, str]
    """Those that say what it is about, as they are written, by their stems."""


class PlaybookLayer:
    """L4: the operator's playbook files, and memories of the room `procedures`."""

    def __init__(
        self, shelf: PlaybookFiles, palace: Rooms, librarian: Librarian, *, named_in: Collection[int] = ()
    ) -> None:
        """`named_in` are the spaces in which a playbook's channels may be called by name."""
        self._named_in = named_in
        self._playbook_files = shelf
        self._palace = palace
        self._librarian = librarian
        self._reading = asyncio.Lock()

    async def look(self, asking: WalkQuestion) -> Finding:
        """The playbooks that answer the question, best first. Raises `HathiError` where nothing can be reached.

        Where only one of the two sources is away and the other answers, that is told with the answer.
        """
        asked = words_of(_MENTION.sub(" ", asking.question.content[:_READ]))
        books, looked = await self._files(asking.caller, asked)
        try:
            ways, considered = await self._memories(asking, asked)
        except errors.DatabaseError:
            if not books:
                raise
            why, room = _why(books, (), looked), catalogue.gettext("the room procedures")
            return Finding(evidence=_labelled(books)[:MOST], looked=looked, why=why, failed=room)
        # What the community itself wrote down says more of it than what its server's operator did.
        found = sorted([*ways, *_labelled(books)], key=lambda one: -one.score)[:MOST]
        return Finding(evidence=tuple(found), looked=looked + considered, why=_why(books, ways, looked + considered))

    async def is_triggered(self, caller: Caller, text: str) -> bool:
        """Whether a text holds a playbook's trigger phrase, or asks for the way that one documents.

        Never fails: then it does not.
        """
        text = _MENTION.sub(" ", text[:_READ])
        asked, is_for_a_way = words_of(text), asks_for_a_way(text)
        if await self._is_documented_here(caller, asked, is_for_a_way=is_for_a_way):
            return True
        # Asked with every message, and mostly nothing lies there: a thread would cost more than the look.
        if self._playbook_files.is_empty:
            return False
        try:
            async with self._reading:
                named = await asyncio.to_thread(
                    lambda: _asked_for(self._playbook_files.read(), asked, is_for_a_way=is_for_a_way)
                )
        except errors.SettingsError:
            return False
        return bool(await self._holding(caller, named))

    async def _is_documented_here(self, caller: Caller, asked: SpokenWords, *, is_for_a_way: bool) -> bool:
        """Whether a text asks for a way that the room `procedures` holds; that is read only if it may ask for one."""
        if not is_for_a_way and not any(is_named(book, asked) for book in playbook_files.all_shipped().values()):
            return False
        try:
            documented = await self._documented(caller)
            return bool(_asked_for(documented.values(), asked, is_for_a_way=is_for_a_way))
        except errors.DatabaseError:
            return False

    async def _documented(self, caller: Caller) -> dict[str, Playbook]:
        """What the room `procedures` is about, as playbooks, by the topics of its memories. Raises `DatabaseError`.

        A topic that a shipped playbook was laid out under is asked for in that one's words.
        """
        found, _ = await self._palace.topics(caller, PROCEDURES, limit=DOCUMENTED)
        topics = [part.name for part in found]
        laid = playbook_files.all_shipped()
        return {topic: laid.get(topic, Playbook(name=topic, title=topic, body="")) for topic in topics}

    async def _files(self, caller: Caller, asked: SpokenWords) -> tuple[list[Evidence], int]:
        async with self._reading:
            books = await asyncio.to_thread(self._playbook_files.read)
        held = await self._holding(caller, books)
        return await asyncio.to_thread(_scored, held, asked), len(held)

    async def _holding(self, caller: Caller, books: Sequence[Playbook]) -> list[Playbook]:
        """The playbooks that are in force where the caller asks."""
        here = await self._here(caller) if any(book.channels for book in books) else set[str]()
        return [book for book in books if not book.channels or not here.isdisjoint(book.channels)]

    async def _here(self, caller: Caller) -> set[str]:
        """The names of the caller's channel: its id and, in a space where names hold, its name if the database answers.

        A thread has no name here: whoever opens one calls it what they like, and so does whoever manages a space.
        """
        numbers = {str(caller.channel_id), str(caller.origin_id)}
        if caller.is_private_thread or caller.space_id not in self._named_in:
            return numbers
        names: dict[ChannelId, str] = {}
        with contextlib.suppress(errors.DatabaseError):
            names = await self._librarian.channel_names(caller)
        return numbers | {names[channel].casefold() for channel in (caller.origin_id,) if channel in names}

    async def _memories(self, asking: WalkQuestion, asked: SpokenWords) -> tuple[list[Evidence], int]:
        query = " ".join([*asked.telling.values()][:_QUERY_WORDS])
        if not query:
            return [], 0
        (found, considered), documented = await asyncio.gather(
            self._palace.procedures(asking.caller, query, limit=MOST), self._documented(asking.caller)
        )
        held = {way.memory.memory_id for way in found}
        for topic, book in documented.items():
            if share := score_of(book, asked):
                named, _ = await self._palace.memories(asking.caller, PROCEDURES, topic, page=1, size=MOST)
                found += [Procedure(memory=m, share=share) for m in named if m.memory_id not in held]
        ways = [way for way in found if not {*way.memory.evidence} & {*asking.apart_from}]
        return [*map(_of_memory, ways)], max(considered, len(found))


def _scored(books: Sequence[Playbook], asked: SpokenWords) -> list[Evidence]:
    """The playbooks that answer, best first."""
    scored = [(score, book) for book in books if (score := score_of(book, asked)) > 0]
    scored.sort(key=lambda pair: (-pair[0], pair[1].name))
    return [
        Evidence(label="", layer=Layer.PROCEDURES, content=section(book, asked), title=book.title, score=score)
        for score, book in scored
    ]


def words_of(text: str) -> SpokenWords:
    """The words of a text; of what is written without blanks, pairs of letters."""
    said = [word for word in tagging.words(text) if word[0].isalnum()]
    telling = {
        word_forms.stem(word): word for word in said if len(word) > 1 and word not in _DULL and word not in _META
    }
    pairs = [
        one + other
        for one, other in itertools.pairwise(said)
        if len(one) == len(other) == 1 and not (one.isascii() or other.isascii())
    ]
    return SpokenWords(stems=tuple(map(word_forms.stem, said)), telling=telling | {pair: pair for pair in pairs})


def _asked_for(books: Iterable[Playbook], asked: SpokenWords, *, is_for_a_way: bool) -> list[Playbook]:
    """The playbooks whose trigger a text holds, or whose way it asks for."""
    return [book for book in books if is_named(book, asked) or (is_for_a_way and score_of(book, asked) > 0)]


def asks_for_a_way(text: str) -> bool:
    """Whether a text asks how something is done."""
    return _ASKS_FOR_A_WAY.search(text) is not None or not _META.isdisjoint(tagging.words(text))


def is_named(book: Playbook, asked: SpokenWords) -> bool:
    """Whether a question holds one of a playbook's triggers word by word."""
    return any(_holds(asked.stems, _phrase(trigger)) for trigger in book.triggers)


@functools.lru_cache(_PHRASES)
def _phrase(trigger: str) -> tuple[str, ...]:
    """The stems of a trigger: those of the same few are compared with every message."""
    return words_of(trigger).stems


def score_of(book: Playbook, asked: SpokenWords) -> float:
    """How well a playbook answers, 0 to 1; 0 where it does not.

    It does where the question holds one of its triggers word by word, or shares two telling words with title, file name
    and triggers together.
    """
    named = _names((book.title, book.name.removesuffix(".md"), *book.triggers))
    shared = {word for word in [*asked.telling][:_QUERY_WORDS] if _is_among(named, word)}
    by_phrase = is_named(book, asked)
    if not by_phrase and len(shared) < TELLING:
        return 0.0
    headings = [found[1] for line in book.body.splitlines() if (found := _HEADING.fullmatch(line))]
    parts = (shared, _telling(book.tags), _telling(headings), _telling([book.body]))
    worth = [
        max((w for w, part in zip(_WEIGHTS, parts, strict=True) if word in part), default=0.0) for word in asked.telling
    ]
    return min(1.0, sum(worth) / max(1, len(worth)) + _PHRASE * by_phrase)


def section(book: Playbook, asked: SpokenWords) -> str:
    """The part of a playbook that answers: all of it where it is short, else the section nearest to the question.

    Of equals the first with steps in it.
    """
    if len(book.body) <= LONGEST:
        return book.body
    parts = list[list[str]]([[]])
    for line in book.body.splitlines():
        if _HEADING.fullmatch(line) and parts[-1]:
            parts.append([])
        parts[-1].append(line)

    def worth(part: Sequence[str]) -> tuple[int, bool]:
        return len(_telling(part) & {*asked.telling}), any(map(_STEP.match, part))

    best = max((part for part in parts if len(part) > 1 or len(parts) == 1), key=worth, default=parts[0])
    return _cut("\n".join(best).strip())


def _telling(texts: Iterable[str]) -> set[str]:
    return {*words_of("\n".join(texts)).telling}


@functools.lru_cache(_PHRASES)
def _names(texts: tuple[str, ...]) -> frozenset[str]:
    """What a playbook is called by: the same ones are compared with every question."""
    return frozenset(_telling(texts))


def _is_among(stems: Collection[str], word: str) -> bool:
    return word in stems or any(word_forms.alike(word, one) for one in stems)


def _holds(stems: Sequence[str], phrase: Sequence[str]) -> bool:
    size = len(phrase)
    return size > 0 and any(
        all(map(word_forms.alike, stems[at : at + size], phrase)) for at in range(len(stems) - size + 1)
    )


def _cut(text: str) -> str:
    """The text, at most so long, ended at a whole line and by an ellipsis where it is longer."""
    if len(text) <= LONGEST:
        return text
    kept = text[: LONGEST - 2]
    return f"{(kept.rpartition(chr(10))[0] or kept).rstrip()}\n…"


def _of_memory(way: Procedure) -> Evidence:
    memory = way.memory
    return Evidence(
        label=f"#{memory.memory_id}",
        layer=Layer.PROCEDURES,
        content=_cut(memory.content),
        title=memory.topic,
        author=memory.speaker,
        said_at=memory.said_at,
        memory_id=memory.memory_id,
        rests_on=memory.evidence,
        score=min(1.0, way.share),
    )


def _labelled(books: Sequence[Evidence]) -> tuple[Evidence, ...]:
    return tuple(replace(book, label=f"P{number}") for number, book in enumerate(books, 1))


def _why(books: Sequence[Evidence], ways: Sequence[Evidence], looked: int) -> str:
    if not books and not ways:
        told = catalogue.gettext("none of {looked} names two telling words of the question, or was triggered by it")
        return told.format(looked=looked)
    told = catalogue.gettext("playbooks that answer: {books}, memories: {memories}")
    return told.format(books=len(books), memories=len(ways))
