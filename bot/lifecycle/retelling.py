"""Has texts told shorter by the summarizer, and takes no answer that changes or loses what they say."""

import asyncio
import re
from collections import defaultdict
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Final

from bot import errors, log
from bot.domain import ChannelId, Message, MessageId, Role, SpaceId
from bot.grounding import provenance, vocabulary
from bot.lifecycle import retold_clauses
from bot.lifecycle.summarizer import Summarizer
from bot.llm.messages import ChatMessage
from bot.llm.tokens import estimate
from bot.text import normalize, sentences

_log = log.logger(__name__)

_WORD: Final = re.compile(r"[^\W_]{2,40}")
_LEAST_ROOM: Final = 500
"""Tokens that a request has room for, whatever the settings say."""
_NEAREST: Final = 12
"""Sentences of the texts that one of the answer is held against: a check takes time with each."""


class Retelling:
    """The summarizer with one set of instructions, and what an answer must keep to."""

    def __init__(self, summarizer: Summarizer, instructions: str, *, most_tokens: int, most_lost: float) -> None:
        self._summarizer = summarizer
        self._instructions = instructions
        self._most_tokens = most_tokens
        self._most_lost = most_lost

    @property
    def room(self) -> int | None:
        """How many tokens one request has room for; none where there is no summarizer, which needs none."""
        if not self._summarizer.is_there:
            return None
        settings = self._summarizer.settings
        return max(_LEAST_ROOM, settings.max_context - settings.max_tokens - estimate(self._instructions) - 64)

    async def told(self, space_id: SpaceId, asked: str, parts: Sequence[str], at: datetime) -> tuple[str, str] | None:
        """What is answered to `asked`, which holds the parts, and by which model; days are told from `at`.

        None where there is no summarizer, where it can't be had, where the space's budget of the day is used up, and
        where it changes or loses what they say twice.
        """
        if not self._summarizer.is_there:
            return None
        prompt = [ChatMessage(role="system", content=self._instructions), ChatMessage(role="user", content=asked)]
        try:
            for _ in range(2):
                answer = await self._summarizer.complete(space_id, prompt)
                text = "" if answer.cut_off else normalize.shown(answer.text).strip()
                if await asyncio.to_thread(self._keeps, text, parts, at):
                    return text, answer.model
            _log.warning("summary.retelling_refused", parts=len(parts))
        except (errors.ModelError, errors.BudgetSpent) as exc:
            _log.warning("summary.retelling_failed", error=type(exc).__name__)
        return None

    def _keeps(self, text: str, parts: Sequence[str], at: datetime) -> bool:
        return is_faithful(text, parts, at, most_tokens=self._most_tokens, most_lost=self._most_lost)


def is_faithful(text: str, parts: Sequence[str], at: datetime, *, most_tokens: int, most_lost: float) -> bool:
    """Whether a text holds no name, number or date that its parts do not, and none of another thing than they do.

    It has at most so many tokens, and leaves out at most that share of those that nothing replaced since.
    """
    if not text or estimate(text) > most_tokens:
        return False
    told = [*dict.fromkeys(sentence for part in parts for sentence in sentences.split(part))]
    clauses = retold_clauses.of(told, names_and_numbers)
    wanted = set[str]().union(*map(names_and_numbers, told)) - retold_clauses.replaced(clauses)
    said = names_and_numbers(text) | {word.lower() for word in _WORD.findall(text)}
    if len(wanted - said) > most_lost * len(wanted):
        return False
    if not retold_clauses.are_bound(retold_clauses.of(sentences.split(text), names_and_numbers), clauses):
        return False
    of_word: dict[str, list[int]] = {}
    for number, sentence in enumerate(told):
        for word in {word.lower() for word in _WORD.findall(sentence)}:
            of_word.setdefault(word, []).append(number)
    return all(
        provenance.stands(sentence, [_line(_nearest(sentence, told, of_word), at)], zone="UTC", share=0.0)
        for sentence in sentences.split(text)
    )


def names_and_numbers(text: str) -> set[str]:
    """What has a digit, and what is written with a capital that is not only that of its sentence, in lower case."""
    found = set[str]()
    for sentence in sentences.split(text):
        words = _WORD.findall(sentence)
        found |= {word.lower() for n, word in enumerate(words) if (n and word[0].isupper()) or not word.isalpha()}
        if _opens_as_name(words):
            found.add(words[0].lower())
    return found


def _opens_as_name(words: Sequence[str]) -> bool:
    """Whether the first word of a sentence is the name of whoever does what the next one says."""
    if len(words) < 2 or not words[0][0].isupper():
        return False
    first, after = words[0].lower(), words[1].lower()
    if first in vocabulary.COMMON or first in vocabulary.ALL_FUNCTION or first in vocabulary.STATE:
        return False
    is_verb = after in vocabulary.STATE or after in vocabulary.SPEECH
    return is_verb or (len(after) > 3 and after.endswith(("ed", "s")) and not first.endswith("s"))


def _nearest(sentence: str, told: Sequence[str], of_word: dict[str, list[int]]) -> str:
    """Those of the sentences that share most with this one, a rare word counting for more, in their order."""
    shared: defaultdict[int, float] = defaultdict(float)
    for word in {word.lower() for word in _WORD.findall(sentence)}:
        for number in (numbers := of_word.get(word, ())):
            shared[number] += 1 / len(numbers)
    nearest = sorted(shared, key=lambda number: (-shared[number], number))[:_NEAREST]
    return " ".join(told[number] for number in sorted(nearest))


def _line(said: str, at: datetime) -> Message:
    """Sentences as a line that a text is held against."""
    return Message(
        space_id=SpaceId(0),
        channel_id=ChannelId(0),
        message_id=MessageId(0),
        role=Role.PERSON,
        author_id=None,
        author="",
        content=said,
        said_at=at.astimezone(UTC),
    )
