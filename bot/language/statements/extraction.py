"""Summarises a session without a model: quotes lasting statements verbatim, with their authors.

Nothing is rephrased, so nothing can be said that nobody said; anything but a clearly lasting statement is left out.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from bot import domain
from bot.language.statements import assertions, claims, colloquial, exclusions, topics
from bot.text import sanitize, sentences

NAME: Final = "extraction"
"""What stands where the model is named that summarised a session, where there was none."""
MAX_FACTS: Final = 30
"""Facts of one session: the kinds in their order of preference, within a kind those said first."""
MAX_QUOTED: Final = 8
"""Sentences quoted in the text of a summary."""
_MAX_NAMES: Final = 5
_MOST_SENTENCES: Final = 100
"""Sentences of one message that are looked at, the first: more of them are pasted, or a flood."""
_COMMENT: Final = 200
"""Characters of the next sentence in which a statement is taken back: a laugh is short."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Extract:
    """The facts of a session, best kinds first, and a short text of it."""

    facts: tuple[domain.Fact, ...]
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class _Stated:
    """One lasting statement of a person."""

    message: domain.Message
    sentence: str
    claim: claims.Statement


_ROOMS: Final = {
    claims.StatementKind.DECISION: "decisions",
    claims.StatementKind.PREFERENCE: "preferences",
    claims.StatementKind.PERSON: "people",
    claims.StatementKind.DATE: "general",
    claims.StatementKind.PLAN: "projects",
    claims.StatementKind.NUMBER: "general",
    claims.StatementKind.DETAIL: "general",
}
_IMPORTANCE: Final = {
    claims.StatementKind.DECISION: 7,
    claims.StatementKind.PREFERENCE: 6,
    claims.StatementKind.PERSON: 6,
    claims.StatementKind.DATE: 6,
    claims.StatementKind.PLAN: 6,
    claims.StatementKind.NUMBER: 5,
    claims.StatementKind.DETAIL: 5,
}
_RANK: Final = {kind: rank for rank, kind in enumerate(claims.StatementKind)}


def extract(messages: Sequence[domain.Message]) -> Extract:
    """At most `MAX_FACTS` facts of what persons said, and a text that quotes up to `MAX_QUOTED` of them as said.

    Deterministic, in time linear in the messages. A sentence the same person said twice, case and spacing
    aside, counts once. Hathi's messages are counted, never quoted.
    """
    stated = list(_without_twins(_stated(messages)))
    best = sorted(range(len(stated)), key=lambda at: (_RANK[stated[at].claim.kind], at))[:MAX_FACTS]
    facts = tuple(_fact(stated[at]) for at in best)
    return Extract(facts=facts, text=_text(messages, [stated[at] for at in sorted(best[:MAX_QUOTED])]))


def told_in(messages: Sequence[domain.Message]) -> Iterator[tuple[domain.Message, str]]:
    """The sentences of persons that are theirs to quote and were not taken back, each with its message, as said."""
    for message in messages:
        if message.role is not domain.Role.PERSON or exclusions.taints(message.content):
            continue
        said = sentences.split(message.content)[:_MOST_SENTENCES]
        for sentence, comment in zip(said, (*said[1:], ""), strict=False):
            if not (comment and exclusions.takes_back(colloquial.plain(comment[:_COMMENT]))):
                yield message, sentence


def opening(messages: Sequence[domain.Message]) -> str:
    """Who spoke, and how much was said."""
    people = list(dict.fromkeys(name(one) for one in messages if one.role is domain.Role.PERSON))
    count = f"{sanitize.counted(len(messages), 'message')}."
    return f"{_joined(people)}, {count}" if people else count


def name(message: domain.Message) -> str:
    """What the author of a message is called in what is quoted of it."""
    return " ".join(message.speaker.split()) or "Someone"


def _stated(messages: Sequence[domain.Message]) -> Iterator[_Stated]:
    for message, sentence in told_in(messages):
        if assertions.states(sentence) and (claim := claims.claim(sentence)):
            yield _Stated(message=message, sentence=sentence, claim=claim)


def _without_twins(stated: Iterator[_Stated]) -> Iterator[_Stated]:
    seen = set[tuple[str, str]]()
    for one in stated:
        key = name(one.message), " ".join(one.sentence.casefold().split())
        if key not in seen:
            seen.add(key)
            yield one


def _fact(stated: _Stated) -> domain.Fact:
    message, kind = stated.message, stated.claim.kind
    return domain.Fact(
        content=f'{name(message)} said: "{stated.sentence}"',
        topic=topics.topic_of(stated.sentence),
        room=_ROOMS[kind],
        importance=_IMPORTANCE[kind],
        source=domain.Source.SUMMARY,
        tags=("auto",),
        evidence=(message.message_id,),
        author_id=message.author_id,
        author=message.author,
        said_at=message.said_at,
    )


def _text(messages: Sequence[domain.Message], quoted: Sequence[_Stated]) -> str:
    return " ".join([opening(messages), *(f'{name(one.message)}: "{one.sentence}"' for one in quoted)])


def _joined(names: Sequence[str]) -> str:
    more = len(names) - _MAX_NAMES
    shown = [*names[:_MAX_NAMES], *([f"{more} more"] if more > 0 else [])]
    return shown[0] if len(shown) == 1 else f"{', '.join(shown[:-1])} and {shown[-1]}"
