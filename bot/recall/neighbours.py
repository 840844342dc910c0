"""Links each found message with those before and after it in its session, and the one it replies to; pure."""

import functools
import itertools
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from bot.db.pool import Row
from bot.domain import Message, MessageId, SessionId
from bot.language.questions.answered import may_answer
from bot.language.statements import assertions
from bot.recall import ranking
from bot.recall.ranking import Candidate
from bot.store.vectors.embeddings import Key, key_of

SHORT: Final = 120
"""Characters of a message of which it is told whether it asks without a question mark."""
REACH: Final = 3
"""Messages behind a question of which one may answer it."""


def together(candidates: Sequence[Candidate], core: Iterable[Row]) -> dict[Key, int]:
    """The words that each row and its neighbours hold, as bits."""
    said = {c.item.message_id: c for c in candidates if isinstance(c.item, Message)}
    masks = {key_of(c.item): ranking.held_together(c, said) for c in candidates}
    for row in core:
        for message_id in of(row):
            key: Key = ("message", message_id)
            masks[key] = masks.get(key, 0) | row["mask"]
    return masks


def of(row: Row) -> list[MessageId]:
    """A found message with its neighbours and the message it replies to."""
    replied = () if row["reply_to"] is None else (row["reply_to"],)
    return [row["message_id"], *row["before"], *row["after"], *replied]


def link_all(said: Mapping[MessageId, Candidate]) -> None:
    """Links each message with its neighbours, in a complete, ordered list of messages."""
    sessions: dict[SessionId | None, list[MessageId]] = {}
    for key, candidate in said.items():
        assert isinstance(candidate.item, Message)
        earlier = sessions.setdefault(candidate.item.session_id, [])
        for away, (other, share) in enumerate(zip(reversed(earlier[-2:]), ranking.NEAR, strict=False)):
            _pair(said, other, key, share, answers=away == 0)
        replied = candidate.item.reply_to
        if replied is not None and replied in said:
            _pair(said, replied, key, ranking.NEAR[0], answers=True)
        earlier.append(key)
    for run in sessions.values():
        for at in range(len(run)):
            _link_late(said, run[at : at + 1 + REACH])


def link(said: Mapping[MessageId, Candidate], core: Iterable[Row]) -> None:
    """Links each message with its neighbours: up to two places away in its session, or replied to.

    What neither was found nor holds a word asks nothing that is looked for, whatever it asks.
    """
    telling = {key for key, candidate in said.items() if ranking.held(candidate)} | {row["message_id"] for row in core}
    for row in core:
        run = [key for key in (*reversed(row["before"]), row["message_id"], *row["after"][:2]) if key in said]
        for at, key in enumerate(run):
            for away, (other, share) in enumerate(zip(run[at + 1 :], ranking.NEAR, strict=False)):
                _pair(said, key, other, share, answers=away == 0 and key in telling)
        if row["message_id"] in said:
            _link_late(said, [row["message_id"], *(key for key in row["after"] if key in said)])
        if row["reply_to"] in said and row["message_id"] in said:
            _pair(said, row["reply_to"], row["message_id"], ranking.NEAR[0], answers=row["reply_to"] in telling)


def _link_late(said: Mapping[MessageId, Candidate], run: Sequence[MessageId]) -> None:
    """Links a question with the first of the messages behind it in which somebody else tells something, if it is soon.

    "Hm", a question back and what the asker adds may stand between.
    """
    first = said[run[0]].item
    if not _asks(first.content):
        return
    later = (said[key].item for key in run[1:])
    told = (may_answer(first, one) and assertions.states(one.content) for one in later)
    key = next(itertools.compress(run[1:], told), None)
    if key is not None:
        _beside(said[key], run[0], ranking.LATE_ANSWER)


def _pair(
    said: Mapping[MessageId, Candidate], earlier: MessageId, later: MessageId, share: float, *, answers: bool
) -> None:
    """Put two messages beside each other: the later may answer the earlier, if that is somebody else's question.

    One's own lends nothing to what one says right after it.
    """
    _beside(said[earlier], later, share)
    first, second = said[earlier].item, said[later].item
    asks = answers and _asks(first.content)
    if asks and first.author_id == second.author_id:
        return
    _beside(said[later], earlier, ranking.ANSWER if asks else share)


def _asks(text: str) -> bool:
    """Whether a message asks something, with a question mark or, if it is short, without one."""
    return "?" in text or "\uff1f" in text or (len(text) <= SHORT and _asks_unmarked(text))


@functools.lru_cache(maxsize=2048)
def _asks_unmarked(text: str) -> bool:
    """Whether it does without a question mark; known of the last texts: what is asked for again finds them again."""
    return assertions.asks(text)


def _beside(candidate: Candidate, key: MessageId, share: float) -> None:
    if share > candidate.beside.get(key, 0.0):
        candidate.beside[key] = share
