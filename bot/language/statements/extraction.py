"""Summarises a session without a model: quotes lasting statements verbatim, with their authors.

Nothing is rephrased, so nothing can be said that nobody said; anything but a clearly lasting statement is left out.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from bot import domain
from bot.language.statements import claims, colloquial, exclusions
from bot.text import patterns, sanitize, sentences, stop_words

MAX_FACTS: Final = 30
"""Facts of one session: the kinds in their order of preference, within a kind those said first."""
MAX_QUOTED: Final = 8
"""Sentences quoted in the text of a summary."""
_MAX_NAMES: Final = 5
_MOST_SENTENCES: Final = 100
"""Sentences of one message that are looked at, the first: more of them are pasted, or a flood."""
_COMMENT: Final = 200
"""Characters of the next sentence in which a statement is taken back: a laugh is short."""
_TOPIC_WORDS: Final = 2


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
}
_IMPORTANCE: Final = {
    claims.StatementKind.DECISION: 7,
    claims.StatementKind.PREFERENCE: 6,
    claims.StatementKind.PERSON: 6,
    claims.StatementKind.DATE: 6,
    claims.StatementKind.PLAN: 6,
    claims.StatementKind.NUMBER: 5,
}
_RANK: Final = {kind: rank for rank, kind in enumerate(claims.StatementKind)}
_TOPIC_WORD: Final = re.compile(r"[^\W\d_][\w'-]*[^\W_]")
_VERB: Final = re.compile(
    r"(?:'s|'re|\b(?:is|are|was|will|has|have|costs?|needs?|takes?|holds?|starts?|ends?|closes?))\b"
)
"""What stands before it is what a date or a number is about: "the demo | is on Friday"."""
_NO_TOPIC: Final = (
    stop_words.FUNCTION
    | stop_words.ASKING
    | patterns.vocabulary(
        """
        let replace drop dropping hiring against eat eats drink drinks fly old huge big need needs one two nothing
        always never only just now usually mostly much more still both let's we'll i'll they'll i'd new final going
        settled choose chose chosen picked pick opted voted vote approved go use using used keep keeping stick sticking
        switch switching move moving prefer prefers preferred like likes love loves hate hates enjoy enjoys favourite
        favourites favorite allergic fan stand plan plans planning intend start starting want team board committee
        council club everyone everybody house rule today tomorrow tonight next week month year last every each
        monday tuesday wednesday thursday friday saturday sunday mondays tuesdays wednesdays thursdays fridays
        january february march april june july august september october november december am pm qqq link someone
        """
    )
)


def extract(messages: Sequence[domain.Message]) -> Extract:
    """At most `MAX_FACTS` facts of what persons said, and a text that quotes up to `MAX_QUOTED` of them as said.

    Deterministic, in time linear in the messages. A sentence the same person said twice, case and spacing
    aside, counts once. Hathi's messages are counted, never quoted.
    """
    stated = list(_without_twins(_stated(messages)))
    best = sorted(range(len(stated)), key=lambda at: (_RANK[stated[at].claim.kind], at))[:MAX_FACTS]
    facts = tuple(_fact(stated[at]) for at in best)
    return Extract(facts=facts, text=_text(messages, [stated[at] for at in sorted(best[:MAX_QUOTED])]))


def _stated(messages: Sequence[domain.Message]) -> Iterator[_Stated]:
    for message in messages:
        if message.role is not domain.Role.PERSON or exclusions.taints(message.content):
            continue
        said = sentences.split(message.content)[:_MOST_SENTENCES]
        for sentence, comment in zip(said, (*said[1:], ""), strict=False):
            claim = claims.claim(sentence)
            if claim and not exclusions.takes_back(colloquial.plain(comment[:_COMMENT])):
                yield _Stated(message=message, sentence=sentence, claim=claim)


def _without_twins(stated: Iterator[_Stated]) -> Iterator[_Stated]:
    seen = set[tuple[str, str]]()
    for one in stated:
        key = _name(one.message), " ".join(one.sentence.casefold().split())
        if key not in seen:
            seen.add(key)
            yield one


def _fact(stated: _Stated) -> domain.Fact:
    message, kind = stated.message, stated.claim.kind
    return domain.Fact(
        content=f'{_name(message)} said: "{stated.sentence}"',
        topic=_topic(stated),
        room=_ROOMS[kind],
        importance=_IMPORTANCE[kind],
        source=domain.Source.SUMMARY,
        tags=("auto",),
        evidence=(message.message_id,),
        author_id=message.author_id,
        author=message.author,
        said_at=message.said_at,
    )


def _topic(stated: _Stated) -> str:
    """One or two of the sentence's own words: of those before its verb if they tell anything, else of all."""
    plain = stated.claim.plain
    verb = _VERB.search(plain)
    for text in (plain[: verb.start()] if verb else plain, plain):
        words = [word.removesuffix("'s") for word in _TOPIC_WORD.findall(text)]
        if telling := [word for word in words if word not in _NO_TOPIC]:
            return " ".join(dict.fromkeys(telling[:_TOPIC_WORDS]))
    return stated.claim.kind.value


def _text(messages: Sequence[domain.Message], quoted: Sequence[_Stated]) -> str:
    people = list(dict.fromkeys(_name(one) for one in messages if one.role is domain.Role.PERSON))
    count = f"{sanitize.counted(len(messages), 'message')}."
    opening = f"{_joined(people)}, {count}" if people else count
    return " ".join([opening, *(f'{_name(one.message)}: "{one.sentence}"' for one in quoted)])


def _joined(names: Sequence[str]) -> str:
    more = len(names) - _MAX_NAMES
    shown = [*names[:_MAX_NAMES], *([f"{more} more"] if more > 0 else [])]
    return shown[0] if len(shown) == 1 else f"{', '.join(shown[:-1])} and {shown[-1]}"


def _name(message: domain.Message) -> str:
    return " ".join(message.speaker.split()) or "Someone"
