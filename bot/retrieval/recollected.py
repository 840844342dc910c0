"""The layers that the recall engine answers: the palace, the session, and older messages verbatim."""

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from bot.domain import Memory, Message, Recollection, Result, Role
from bot.memory import extraction, plain_words
from bot.memory.librarian import Librarian
from bot.retrieval.layers import Asking, Evidence, Finding, Layer

MOST: Final = 5
"""Things one layer answers with."""
LEAST_OF_BEST: Final = 0.4
"""Of the best result's score: what has less is left out, a model would only be led astray by it."""
LAST_SAID: Final = 4
"""Messages that answer "what did I just say?"."""
_MINE: Final = re.compile(r"\b(?:i|my|me|ich|mein\w*|je|j'|yo)\b", re.IGNORECASE)
_YOURS: Final = re.compile(r"\b(?:you|your|du|dein\w*|tu|vous|te)\b", re.IGNORECASE)


class Palace:
    """Memories of both tiers, and what the channel's last resets wrote."""

    def __init__(self, librarian: Librarian) -> None:
        self._librarian = librarian

    async def look(self, asking: Asking) -> Finding:
        """What is known about it. Raises `DatabaseDown`."""
        if plain_words.asks_where_left_off(asking.question.content):
            return await self._left_off(asking)
        found = await self._librarian.recall(
            asking.caller, asking.question.content, as_of=asking.question.said_at, messages=False, summaries=True,
            limit=MOST, is_question=True,
        )  # fmt: skip
        return finding(found, Layer.PALACE, "memories by room and topic")

    async def _left_off(self, asking: Asking) -> Finding:
        last = await self._librarian.last_session(asking.caller)
        if last is None:
            return Finding(why="no session before this one")
        # Not summarised yet: its own words, by rules.
        text = last.text or extraction.extract(await self._librarian.said_in(asking.caller, last.session_id)).text
        if not text:
            return Finding(looked=1, why="nothing is left of the last session")
        summary = Evidence(
            label="S", layer=Layer.PALACE, content=text, title=f"summary of session {last.number}",
            said_at=last.closed_at, score=1.0,
        )  # fmt: skip
        return Finding(evidence=(summary,), looked=1, why="asks where the last session ended")


class ThisSession:
    """What was said since the last reset."""

    def __init__(self, librarian: Librarian) -> None:
        self._librarian = librarian

    async def look(self, asking: Asking) -> Finding:
        """What was said in it about the question; what was said last where the question is only about that."""
        if asking.session_id is None:
            return Finding(why="nothing is kept here")
        found = await self._librarian.recall(
            asking.caller, asking.question.content, as_of=asking.question.said_at, session_id=asking.session_id,
            apart_from=asking.apart_from, limit=MOST, is_question=True,
        )  # fmt: skip
        told = finding(_telling(found), Layer.SCRATCHPAD, "what was said in this session")
        if told.evidence or asking.layers[:1] != (Layer.SCRATCHPAD,):
            return told
        return await self._last_said(asking)

    async def newer(self, asking: Asking, than: Sequence[Evidence]) -> tuple[Evidence, ...]:
        """What was said on the same subject in this session, after what an earlier layer found; newest first."""
        said = [evidence.said_at for evidence in than if evidence.said_at is not None]
        if asking.session_id is None or not said:
            return ()
        about = replace(asking, layers=())
        known = {key for evidence in than for key in evidence.rests_on}
        later = [
            evidence for evidence in (await self.look(about)).evidence
            if evidence.said_at is not None and evidence.said_at > max(said)
            and evidence.message is not None and evidence.message[1] not in known
        ]  # fmt: skip
        return tuple(sorted(later, key=lambda evidence: evidence.message or (0, 0), reverse=True))

    async def _last_said(self, asking: Asking) -> Finding:
        """The last messages of whoever the question is about: who asks, Hathi, or everybody."""
        assert asking.session_id is not None
        history = await self._librarian.history(asking.caller, asking.session_id, asking.question.message_id)
        text = asking.question.content
        again = {one.message_id for one in history if plain_words.asks_where_left_off(one.content)}
        mine, yours = bool(_MINE.search(text)), bool(_YOURS.search(text))
        said = [
            message for message in history
            if (message.author_id == asking.caller.person_id if mine and not yours else
                message.role is Role.HATHI if yours and not mine else True)
            and again.isdisjoint({message.message_id, message.reply_to}) and message.message_id not in asking.apart_from
        ]  # fmt: skip
        shown = tuple(_message(message, Layer.SCRATCHPAD, 1.0) for message in reversed(said[-LAST_SAID:]))
        return Finding(evidence=shown, looked=len(history), why="asks what was said last")


class Verbatim:
    """Every message of people that is kept, wherever everybody here may read it."""

    def __init__(self, librarian: Librarian) -> None:
        self._librarian = librarian

    async def look(self, asking: Asking) -> Finding:
        """What was said about it, word for word. Raises `DatabaseDown`."""
        found = await self._librarian.recall(
            asking.caller, asking.question.content, as_of=asking.question.said_at, memories=False,
            apart_from=asking.apart_from, limit=MOST, is_question=True,
        )  # fmt: skip
        return finding(_telling(found), Layer.ARTIFACTS, "messages word for word")


def finding(found: Recollection, layer: Layer, where: str) -> Finding:
    """What a recall found, as a layer tells it: nothing of it is below the threshold of the engine."""
    if not found:
        told = f"{where}: certainty {found.certainty:.2f} of {found.threshold:.2f}" if found.considered else where
        return Finding(looked=found.considered, why=f"nothing in {told}")
    best = found.results[0].parts.score
    telling = [result for result in found.results if result.parts.score >= LEAST_OF_BEST * best]
    evidence = tuple(evidence_of(result, layer) for result in telling)
    return Finding(evidence=evidence, looked=found.considered, why=f"{where}: certainty {found.certainty:.2f}")


def evidence_of(result: Result, layer: Layer) -> Evidence:
    """A result of recall as evidence; labels of messages are given by the walk."""
    item, score = result.item, result.parts.score
    if isinstance(item, Memory):
        return Evidence(
            label=f"#{item.memory_id}", layer=layer, content=item.content, author=item.author, said_at=item.said_at,
            memory_id=item.memory_id, rests_on=item.evidence, score=score,
        )  # fmt: skip
    if item.role is Role.HATHI and layer is Layer.PALACE:
        return Evidence(
            label="S", layer=layer, content=item.content, title="summary of an earlier session", said_at=item.said_at,
            score=score,
        )  # fmt: skip
    return _message(item, layer, score)


def _message(message: Message, layer: Layer, score: float) -> Evidence:
    place = (message.channel_id, message.message_id)
    return Evidence(
        label="M", layer=layer, content=message.content, author=message.author, said_at=message.said_at, message=place,
        rests_on=(message.message_id,), score=score,
    )  # fmt: skip


def _telling(found: Recollection) -> Recollection:
    """Without what only asks: a question is no answer to another."""
    results = tuple(result for result in found.results if not _asks(result.item))
    return replace(found, results=results)


def _asks(item: Memory | Message) -> bool:
    return isinstance(item, Message) and item.content.rstrip().endswith(("?", "\uff1f"))
