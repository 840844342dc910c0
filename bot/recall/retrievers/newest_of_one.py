"""Leaves out of what happened what something later changed or took back; pure."""

from collections.abc import Callable, Iterable
from typing import Final

from bot.domain import What
from bot.facts import comparison
from bot.facts.comparison import ContradictionKind, Relation, Said
from bot.language.statements import revoking
from bot.recall.retrievers.retrieval import Retrieved
from bot.text import stop_words, trigrams

_COMPARED: Final = 20
"""The newest things with which an older one is compared."""
_OVER: Final = frozenset({Relation.SAME, Relation.UPDATE})


def newest(
    passages: Iterable[Retrieved], is_wanted: Callable[[Retrieved], bool], *, most: int
) -> tuple[list[Retrieved], int]:
    """Of each kind so many of what is wanted, the newest, in any order; and how many more there are.

    Without what something later says again, changes or takes back, wanted or not. What two people say against each
    other stands on both sides, and a question beside its answer.
    """
    kept, left_out, later = list[Retrieved](), 0, list[Retrieved]()
    for passage in sorted(passages, key=lambda one: one.through_at, reverse=True):
        is_full = sum(one.what is passage.what for one in kept) >= most
        tells = passage.what is not What.ASKED and passage.entry is None
        # What is not shown is not compared: that takes its time.
        if tells and not is_full and any(_is_over(passage, one) for one in later):
            continue
        if tells and len(later) < _COMPARED:
            later.append(passage)
        if is_wanted(passage) and is_full:
            left_out += 1
        elif is_wanted(passage):
            kept.append(passage)
    return kept, left_out


def _is_over(earlier: Retrieved, later: Retrieved) -> bool:
    if revoking.is_revoked(earlier.text, revoking.revoked(later.text)):
        return True
    if trigrams.words(earlier.text).isdisjoint(trigrams.words(later.text) - stop_words.FUNCTION):
        return False
    found = comparison.compare(*(Said(text=one.text, by=one.speaker) for one in (earlier, later)))
    is_own = earlier.author_id is not None and earlier.author_id == later.author_id
    # Door 7 is no change of door 8; another day of the same thing is a change, said by whoever said the first.
    return found.relation in _OVER or (found.kind is ContradictionKind.DATE and is_own)
