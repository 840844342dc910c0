"""Finds in a free answer what it tells of a community and its people that nothing shown holds; pure.

It is for answers to questions that were not looked up. What is told of the world is left alone.
"""

import re
from collections.abc import Collection, Iterator, Sequence
from datetime import datetime
from enum import StrEnum
from functools import partial
from typing import Final

from bot.grounding import check, citations, community_claims, names, proofs, recollection, texts, vocabulary
from bot.grounding.faults import FaultKind
from bot.language.questions import world_questions
from bot.language.statements import assertions
from bot.layers.walk import Evidence
from bot.text import patterns, sentences


class Doubt(StrEnum):
    """What is wrong with an answer."""

    INVENTED = "invented"
    """It cites what it was not shown, claims to remember it, or puts words into somebody's mouth."""
    UNHELD = "unheld"
    """It tells a name, number, day or time, or how things are here, that nothing shown holds."""


_VALUES: Final = frozenset({FaultKind.NUMBER.value, FaultKind.DATE.value})
_FACT: Final = re.compile(
    r"(?:^|[.!?,;:]\s+)(?:(?:so|and|but|hey|ok|und|et|y|hathi)\b\W*){0,3}"
    r"(?:who|whose|when|where|which|what|is there|are there|will there|was there|do we|did we|have we|"
    r"wer|wessen|wann|wo|welche[rsnm]?|gibt es|haben wir|qui|quand|ou|quel(?:le)?s?|c'est quand|y a[- ]t[- ]il|"
    r"quien|cuando|donde|cual(?:es)?|hay|que (?:dia|hora))\b"
)
"""How a question begins that asks for a fact."""
_ADVICE: Final = re.compile(
    r"\b(?:should|could|would|can|might|soll\w*|konnt\w*|wurde\w*|devr\w+|pourr\w+|deber\w+|podr\w+)\b"
)
"""What asks for advice instead."""
_AS_KNOWN: Final = re.compile(
    r"\b(?:is there|are there|will there|gibt es|y a[- ]t[- ]il|hay|der|die|das|unser\w*|wir|le|la|les|notre|nos|nous|"
    r"el|los|las|nuestr\w+|hemos)\b"
)
"""What speaks of a thing as of one here, beside what `world_questions` knows in English."""
_OURS: Final = re.compile(r"\b(?:we|our|wir|unser\w*|nous|notre|nuestr\w+)\b")
_YOURS: Final = re.compile(r"^\W*(?:you|we|your|our|ihr|wir|euer|eure|vous|nous|votre|notre)\b")
"""How what those who ask do is told to them."""
_ASKED: Final = patterns.vocabulary(
    "ask asks asked asking frage fragst fragt fragte fragtest gefragt demande demandes demandez demandais pregunta "
    "preguntas preguntaste preguntaba"
)
"""What whoever asks has done, as anybody sees."""
_SAID: Final = (
    (
        vocabulary.SPEECH
        | patterns.vocabulary(
            """
        decided agreed promised allowed approved announced planned settled chose voted forbade confirmed
        beschlossen entschieden versprochen erlaubt vereinbart zugesagt verboten
        decide promis permis autorise convenu choisi decidio prometio permitio acordo decidieron acordaron
        """
        )
    )
    - vocabulary.COMMON
    - _ASKED
)
_THEY: Final = patterns.vocabulary("you we du ihr wir tu vous nous on dijiste decidisteis decidimos")
_REMEMBERS: Final = re.compile(
    r"^\W*(?:(?:yes|well|so|oh|ah|ja|oui|si|and|but|also|of course|now)\W+){0,2}"
    r"(?:as (?:far as )?|if |from what |what )?"
    r"(?:i (?:(?:do|still|also|now|well|clearly|distinctly|vaguely) ){0,2}(?:remember|recall)\b"
    r"|ich (?:erinnere|entsinne) mich\b|(?:soweit|wenn) ich mich .{0,20}erinnere\b"
    r"|je (?:me )?(?:souviens|rappelle)\b|si je me souviens\b|(?:yo )?(?:recuerdo|me acuerdo)\b)"
)
"""How a sentence begins that tells something as remembered."""
_ASKS_OF: Final = re.compile(
    r"\b(?:tell|told) (?:me|us) (?:\w+ ){0,3}?(?:about|of)\b|\bdescribe\b|\berzahl\w* (?:mir |uns )?(?:von|uber)\b|"
    r"\bparle(?:z)?[- ]moi de\b|\b(?:cuentame|hablame) (?:de|sobre)\b"
)
"""What asks of somebody without a question: `tell me about Ann`."""
_OPINION: Final = re.compile(
    r"\b(?:you|u) (?:think|like|feel|reckon|say)\b|\byour (?:opinion|favou?rite|thoughts?|take)\b"
)
_CAPITAL: Final = re.compile(r"\b[^\W\d_a-z]\w*")
_OF_THEM: Final = patterns.vocabulary("he she they he's she's they're er sie il elle ils elles ella ellos")
"""Who a sentence goes on about."""
_OWNS_UP: Final = re.compile(
    r"\bi (?:(?:do|can|could|did)(?: not|n't)|cannot|have no) (?:really )?(?:know|tell|say|have|find|idea|see)"
)
"""What says that nothing is known of them."""
_FICTION: Final = re.compile(
    r"\b(?:pretend|imagine|invent|make up|made[- ]up|role-?play|fake|erfinde|stell dir vor|tu so|imagine que"
    r"|fais semblant|inventa|imagina|finge)\b"
)
QUOTED: Final = re.compile(r"\u201c([^\u201c\u201d]{2,400})\u201d|\"([^\"]{2,400})\"")
"""What stands in quotation marks."""
_LEAST: Final = 3
"""Telling words of a sentence that sums up what several said."""


def of(
    answer: str,
    shown: Sequence[Evidence],
    question: str,
    labels: Collection[str],
    *,
    asked_at: datetime,
    zone: str,
    people: Collection[str],
    community: Collection[str],
    asker: str,
) -> Doubt | None:
    """What is wrong with an answer; none where it holds, or tells of nothing here.

    `labels` are all that it was shown. What it tells of here and may be from general knowledge is `UNHELD`.
    """
    cited = citations.labels(" ".join(found[0] for found in citations.GROUP.finditer(answer)))
    if any(one.startswith("#") for one in cited - frozenset(labels) - citations.labels(question)):
        return Doubt.INVENTED
    said = frozenset(word for name in people for word in texts.words(texts.folded(name)))
    # Whoever asks may be called by name.
    others = [name for name in people if texts.folded(name) != texts.folded(asker)]
    is_asked = asks_fact(question)
    is_question, asked_of = assertions.is_question(question), asked_of_members(question, others)
    checked = partial(check.check, question=question, asked_at=asked_at, zone=zone, people=people, asker=asker)
    proven = partial(proofs.of, question=question, asked_at=asked_at, zone=zone, people=people, asker=asker)
    there = {one.label for one in shown}
    is_unheld = False
    for sentence in _stated(answer):
        verdict = checked(sentence, shown)
        if verdict.sound and verdict.cited:
            continue
        if verdict.cited and there.issuperset(verdict.cited):
            return Doubt.INVENTED
        bare = citations.without(sentence)
        kinds = frozenset(verdict.kinds)
        is_held = kinds <= {FaultKind.NO_CITATION.value} and (_is_rich(bare, said) or bool(proven(bare, shown)))
        if is_held:
            continue
        if _puts_words(bare, said) or _REMEMBERS.search(texts.folded(bare)):
            return Doubt.INVENTED
        if asked_of and _tells_of(bare, asked_of):
            return Doubt.INVENTED
        is_named = any(
            fault.kind is FaultKind.NAME for fault in recollection.faults(bare, question, people=others, community=())
        )
        is_named = is_named and (is_asked or (is_question and FaultKind.NAME.value in kinds))
        tells = is_asked and (bool(kinds & _VALUES) or _tells_of_here(bare, question))
        is_unheld = is_unheld or tells or is_named
    if not is_unheld:
        return None
    is_general = check.unfounded(answer, question, people=others, community=community).sound
    return Doubt.UNHELD if is_general else Doubt.INVENTED


def asked_of_members(question: str, people: Collection[str]) -> frozenset[str]:
    """The words by which a question names members of whom it asks how it is with them; none where it asks for advice.

    Nor where it asks what Hathi thinks, or of the world.
    """
    low = texts.folded(question)
    # A name may be all that it has of what is asked.
    asks = assertions.is_question(question) or low.rstrip().endswith("?") or _ASKS_OF.search(low)
    if not asks or _ADVICE.search(low) or _OPINION.search(low):
        return frozenset()
    if world_questions.may_be(question) or world_questions.is_to_be_made(question):
        return frozenset()
    # A second name in small letters is a word as any other.
    named = [texts.words(texts.folded(name)) for name in people]
    written = {texts.folded(word) for word in _CAPITAL.findall(question)}
    known = {word for words in named for word in words if word in words[:1] or word in written}
    return names.written(question, known)


def puts_words(
    answer: str,
    shown: Sequence[Evidence],
    question: str,
    *,
    asked_at: datetime,
    zone: str,
    people: Collection[str],
    asker: str,
) -> bool:
    """Whether an answer to what asks of nothing here has a member say what nothing shown holds.

    Of those whom the message names itself it may be asked to speak so.
    """
    members = [texts.folded(name) for name in people]
    words = frozenset(word for name in members for word in texts.words(name))
    named = {texts.folded(asker)} | names.written(question, words)
    others = frozenset(word for name in members if name not in named for word in texts.words(name)) - named
    known = partial(check.check, question=question, asked_at=asked_at, zone=zone, people=people, asker=asker)
    for sentence in _stated(citations.without(answer)):
        if names.written(sentence, others) and _tells_said(sentence):
            kinds = frozenset(known(sentence, shown).kinds)
            if not (kinds <= {FaultKind.NO_CITATION.value} and _is_rich(sentence, others)):
                return True
    return False


def quotes_unheld(answer: str, held: Collection[str], people: Collection[str]) -> bool:
    """Whether an answer quotes a member with words that no text has, however much of a joke it is."""
    members = frozenset(word for name in people for word in texts.words(texts.folded(name)))
    known = [_bare(text) for text in held]
    for line in answer.splitlines():
        if not names.written(line, members):
            continue
        quoted = (_bare(found[1] or found[2]) for found in QUOTED.finditer(line))
        if any(one and not any(one in text for text in known) for one in quoted):
            return True
    return False


def asks_for_fiction(question: str) -> bool:
    """Whether it asks to have something made up, in so many words."""
    return _FICTION.search(texts.folded(question)) is not None


def _bare(text: str) -> str:
    """The words of a text, whatever stands between them."""
    return " ".join(texts.words(texts.folded(text)))


def _stated(answer: str) -> Iterator[str]:
    """The sentences of an answer that claim something."""
    for line in answer.splitlines():
        for sentence in sentences.split(line) or [line]:
            if any(not claim.is_open and not claim.is_heading for claim in texts.claims(sentence)):
                yield sentence


def asks_fact(question: str) -> bool:
    """Whether a question asks how something here is, and for no advice."""
    low = texts.folded(question)
    if world_questions.may_be(question) or _ADVICE.search(low) or not _FACT.search(low):
        return False
    return world_questions.is_of_here(question) or _AS_KNOWN.search(low) is not None


def _tells_of_here(sentence: str, question: str) -> bool:
    low, asked = texts.folded(sentence), texts.folded(question)
    return bool(community_claims.found(sentence, question)) or bool(_OURS.search(asked) and _YOURS.search(low))


def _puts_words(sentence: str, people: Collection[str]) -> bool:
    """Whether it says that somebody here said, decided or allowed something."""
    words = texts.words(texts.folded(sentence))
    is_of_them = words[:1] != [] and words[0] in _THEY
    return (is_of_them or bool(names.written(sentence, people))) and _tells_said(sentence)


def _tells_of(sentence: str, people: Collection[str]) -> bool:
    """Whether a sentence tells how it is with one of these people, and does not own up to knowing nothing."""
    low = texts.folded(sentence)
    words = [word.removesuffix("'s") for word in texts.words(low)[:1]]
    is_of_them = bool(names.written(sentence, people)) or not _OF_THEM.isdisjoint(words)
    return is_of_them and not _OWNS_UP.search(low)


def _tells_said(sentence: str) -> bool:
    return not _SAID.isdisjoint(texts.words(texts.folded(sentence)))


def _is_rich(sentence: str, people: Collection[str]) -> bool:
    return len([one for one in texts.stems(texts.folded(sentence), apart_from=people) if one.isalpha()]) >= _LEAST
