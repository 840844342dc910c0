"""Cuts a run of messages into chunks at natural seams: silence, a change of subject, size; pure."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Final

from bot.domain import Message, PersonId, Role
from bot.llm.tokens import estimate
from bot.text import folding, normalize, stop_words, word_forms

SILENCE: Final = timedelta(hours=1)
"""After so long without a word another conversation begins."""
ANSWERED: Final = timedelta(minutes=10)
"""How long what somebody else says next may answer a question."""
LEAST: Final = 4
"""Messages of a chunk that silence ends, at least."""
WINDOW: Final = 6
"""Messages before a seam, and after it, whose words are compared; and among which a question finds its answer."""
BLOCK: Final = 24
"""Messages that one code block goes on in, at most."""
_FENCE: Final = "```"
_WORD: Final = re.compile(r"[^\W\d_]{3,40}")


def cut(messages: Sequence[Message], *, most: int, most_tokens: int) -> list[list[Message]]:
    """The messages in chunks of at most `most` messages and `most_tokens` tokens, in order.

    A code block that goes on in the next messages, and a question and its answer, stay together, where that takes at
    most `BLOCK` messages more. In time linear in the text.
    """
    run = _Run(
        messages=messages,
        sizes=[estimate(message.content) for message in messages],
        words=[_words(message) for message in messages],
        joined=joined(messages),
    )
    chunks, start = list[list[Message]](), 0
    while start < len(messages):
        end = run.end(start, most, most_tokens)
        chunks.append([*messages[start:end]])
        start = end
    return chunks


def joined(messages: Sequence[Message]) -> list[bool]:
    """Whether each message belongs to the one before it: both are within a code block, or a question and its answer."""
    found = [False] * len(messages)
    for at, message in enumerate(messages):
        for begun in range(max(0, at - WINDOW), at):
            if _belongs(messages[begun], message, is_next=begun == at - 1):
                found[begun + 1 : at + 1] = [True] * (at - begun)
                break
    for begun, end in _blocks(messages):
        found[begun + 1 : end + 1] = [True] * (end - begun)
    return found


@dataclass(frozen=True, slots=True, kw_only=True)
class _Run:
    """Messages, with what is asked of each more than once."""

    messages: Sequence[Message]
    sizes: Sequence[int]
    words: Sequence[set[str]]
    joined: Sequence[bool]
    """Whether each belongs to the one before it."""

    def end(self, start: int, most: int, most_tokens: int) -> int:
        """Where the chunk that begins at `start` ends: at a silence, else at the best seam once it is full."""
        tokens = 0
        for at in range(start, len(self.messages)):
            if at > start and (at - start == most or tokens + self.sizes[at] > most_tokens):
                return self._best(start, at)
            if at - start >= LEAST and not self.joined[at] and self._gap(at) >= SILENCE:
                return at
            tokens += self.sizes[at]
        return len(self.messages)

    def _best(self, start: int, full: int) -> int:
        """The best seam in the second half of what fits; where there is none, the first one after it, or its end."""
        seams = [at for at in range(start + max(1, (full - start) // 2), full + 1) if not self.joined[at]]
        if seams:
            return max(seams, key=lambda at: (self._strength(start, at), at))
        end = min(len(self.messages), full + BLOCK)
        return next((at for at in range(full, end) if not self.joined[at]), end)

    def _strength(self, start: int, at: int) -> float:
        """How much speaks for a seam before a message: silence, and few words in common on both sides."""
        before = set[str]().union(*self.words[max(start, at - WINDOW) : at])
        after = set[str]().union(*self.words[at : at + WINDOW])
        shared = len(before & after) / max(1, min(len(before), len(after)))
        return min(1.0, self._gap(at) / SILENCE) + 1 - shared

    def _gap(self, at: int) -> timedelta:
        return self.messages[at].said_at - self.messages[at - 1].said_at


def _words(message: Message) -> set[str]:
    said = _WORD.findall(folding.folded(message.content))
    return {word_forms.stem(word) for word in said if word not in stop_words.FUNCTION}


def _answers(before: Message, message: Message) -> bool:
    """Whether a message may answer the question just before it, which somebody else asked."""
    is_other = (before.role, before.author_id) != (message.role, message.author_id)
    return is_other and message.said_at - before.said_at <= ANSWERED and _is_question(before)


def _is_question(message: Message) -> bool:
    return normalize.without_attachments(message.content).rstrip().endswith("?")


def _belongs(asked: Message, message: Message, *, is_next: bool) -> bool:
    """Whether a message answers an earlier one: by what it replies to, or said right after a question."""
    if message.reply_to == asked.message_id:
        return message.role is Role.HATHI or _is_question(asked)
    return is_next and _answers(asked, message)


def _blocks(messages: Sequence[Message]) -> Iterator[tuple[int, int]]:
    """Where a code block begins in one message of somebody and ends in a later one of theirs.

    A fence that nobody closes soon begins none: Discord shows it as it stands.
    """
    begun = dict[PersonId | None, int]()
    for at, message in enumerate(messages):
        if message.content.count(_FENCE) % 2 == 0:
            continue
        first = begun.pop(message.author_id, None)
        if first is not None and at - first <= BLOCK and message.said_at - messages[first].said_at <= ANSWERED:
            yield first, at
        else:
            begun[message.author_id] = at
