"""Tells on which of the things shown an answer rests, whether it cites them or not; pure."""

import re
from functools import partial
from typing import Final

from bot.grounding import check, texts, vocabulary
from bot.grounding.faults import FaultKind
from bot.grounding.ground import Ground
from bot.grounding.texts import ShownText
from bot.language.questions import answer_kinds
from bot.layers.walk import Evidence

_MOST_TRIED: Final = 60
"""Things shown that an answer without citations is held against, one by one, the first of them."""
_TELLING: Final = 2
"""Telling words of an answer that make it a statement of its own, whatever was asked."""
_HALF: Final = 0.5
"""Share of the question's words that a thing has which a bare yes or no may rest on."""
_OWN: Final = re.compile(r"\b(?:my|mine|mein\w*|mon|ma|mes|mi|mis)\b")
"""How somebody speaks of what is theirs."""


def of(answer: str, ground: Ground) -> tuple[str, ...]:
    """The labels of what an answer rests on: of what it cites, or of the one thing shown that holds all of it.

    Empty where it does not hold, and where what holds it has nothing to do with the question.
    """
    about = partial(_is_about, answer=texts.folded(answer), ground=ground)
    verdict = check.check(answer, ground)
    if verdict.sound and verdict.cited:
        return verdict.cited if any(about(one) for one in ground.shown if one.label in verdict.cited) else ()
    if verdict.kinds != (FaultKind.NO_CITATION.value,):
        return ()
    cited = f"{answer.rstrip().rstrip('.')} ({Ground.ALONE})."
    tried = (one for one in ground.shown[:_MOST_TRIED] if about(one))
    return next(((one.evidence.label,) for one in tried if check.check(cited, ground.alone(one)).sound), ())


def has_every_word(one: Evidence, question: str) -> bool:
    """Whether a thing shown has every telling word of a question, and so is not told apart from its answer."""
    known = frozenset(texts.stems(texts.folded(f"{one.title} {one.content} {one.author or ''}")))
    wanted, beginnings = texts.stems(texts.folded(question)), texts.beginnings(known)
    return bool(wanted) and all(texts.is_akin(stem, known, beginnings) for stem in wanted)


def _is_about(shown: ShownText, *, answer: str, ground: Ground) -> bool:
    """Whether a thing shown speaks of what was asked, or the answer tells enough of it to stand by itself."""
    asked, persons = ground.question, ground.member_words
    there = {*texts.words(shown.text), *texts.words(shown.author)}
    if any(word in persons and word not in there for word in texts.words(asked) if texts.is_content(word)):
        return False
    if shown.author != ground.asker and _OWN.search(asked) and _OWN.search(shown.content):
        return False
    known = shown.stems | {texts.stem(word) for word in texts.words(shown.author)}
    beginnings = texts.beginnings(known)
    wanted = texts.stems(asked)
    shared = sum(texts.is_akin(stem, known, beginnings) for stem in wanted)
    said = [one for one in texts.stems(answer, apart_from=vocabulary.COMMON | persons) if one not in texts.CALENDAR]
    if not said and not any(sign.isdigit() for sign in answer):
        # "Sure!" and "Happy to help!" answer nothing but what is answered by yes or no.
        names = texts.stems(answer, apart_from=vocabulary.COMMON)
        return shared > 0 and shared >= _HALF * len(wanted) and bool(names or answer_kinds.is_yes_or_no(ground.asked))
    own = sum(texts.is_akin(stem, known, beginnings) for stem in said)
    # "Sounds good, anything else?" says nothing of it, whatever was asked.
    return (shared > 0 and (own > 0 or any(map(str.isdigit, answer)))) or own >= _TELLING
