"""Finds in a free answer what it tells of a community and its people that nothing shown holds; pure.

It is for answers to questions that were not looked up. What is told of the world is left alone.
"""

import re
from collections.abc import Collection, Iterator, Mapping
from enum import StrEnum
from typing import Final

from bot.grounding import check, citations, community_claims, names, proofs, recollection, texts, vocabulary
from bot.grounding.faults import FaultKind
from bot.grounding.ground import Ground
from bot.language.questions import world_questions
from bot.language.statements import assertions
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
"""What asks for advice instead, or gives it."""
_AS_KNOWN: Final = re.compile(
    r"\b(?:is there|are there|will there|gibt es|y a[- ]t[- ]il|hay|der|die|das|unser\w*|wir|le|la|les|notre|nos|nous|"
    r"el|los|las|nuestr\w+|hemos)\b"
)
"""What speaks of a thing as of one here, beside what `world_questions` knows in English."""
_OURS: Final = re.compile(r"\b(?:we|our|wir|unser\w*|nous|notre|nuestr\w+)\b")
_MINE: Final = re.compile(r"\b(?:my|mine|i|i'm|me|mein\w*|ich|mon|ma|mes|je|mi|mis|yo)\b")
"""What makes a question one about whoever asks."""
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
_OF_THEM: Final = re.compile(
    r"^\W*(?:(?:yes|yeah|yep|no|nope|well|oh|ah|so|sure|honestly|actually|and|but|i think|i guess|i believe|apparently"
    r"|probably|maybe|ja|nein|also|oui|non|si)\b\W*){0,3}"
    r"(?:(?:he|she|they)(?:'(?:s|re|ve|d|ll))?|it (?:was|is) (?:him|her|them)|er|sie|il|elle|ils|elles|el|ella|ellos)\b"
)
"""How a sentence begins that goes on about somebody."""
_ASKS_WHO: Final = re.compile(r"\b(?:who|who's|whos|whose|wer|wessen|wem|qui|quien|quienes)\b")
"""What asks for somebody: whoever is named in the answer is told of."""
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
    ground: Ground,
    labels: Collection[str],
    *,
    community: Collection[str],
    asked_of: Mapping[str, Collection[str]],
) -> Doubt | None:
    """What is wrong with an answer; none where it holds, or tells of nothing here.

    `labels` are all that it was shown, `asked_of` the members whom the question is about. What it tells of here and may
    be from general knowledge is `UNHELD`.
    """
    question = ground.asked
    cited = citations.labels(" ".join(found[0] for found in citations.GROUP.finditer(answer)))
    if any(one.startswith("#") for one in cited - frozenset(labels) - citations.labels(question)):
        return Doubt.INVENTED
    said = ground.member_words
    # Whoever asks may be called by name.
    others = [name for name in ground.members if texts.folded(name) != ground.asker]
    is_asked, is_question = asks_fact(question), assertions.is_question(question)
    named = frozenset(word for name in others for word in asked_of.get(name, ()))
    named_in_answer = _members(others) if is_question and _asks_who(question) else frozenset[str]()
    there = {one.evidence.label for one in ground.shown}
    is_unheld = False
    for sentence in _stated(answer):
        verdict = check.check(sentence, ground)
        if verdict.sound and verdict.cited:
            continue
        if verdict.cited and there.issuperset(verdict.cited):
            return Doubt.INVENTED
        bare = citations.without(sentence)
        kinds = frozenset(verdict.kinds)
        is_held = kinds <= {FaultKind.NO_CITATION.value} and (_is_rich(bare, said) or bool(proofs.of(bare, ground)))
        if is_held:
            continue
        if _puts_words(bare, said) or _REMEMBERS.search(texts.folded(bare)):
            return Doubt.INVENTED
        if _tells_of(bare, named, named_in_answer):
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


def asked_of_members(question: str, people: Collection[str]) -> dict[str, frozenset[str]]:
    """The members of whom a question asks how it is with them, with the words by which it names each.

    None where it asks for advice, what Hathi thinks, or of the world.
    """
    low = texts.folded(question)
    # A name may be all that it has of what is asked.
    asks = assertions.is_question(question) or low.rstrip().endswith("?") or _ASKS_OF.search(low)
    if not asks or _is_of_no_fact(question):
        return {}
    # A second name in small letters is a word as any other.
    written = {texts.folded(word) for word in _CAPITAL.findall(question)}
    called = {name: texts.words(texts.folded(name)) for name in people}
    known = frozenset(word for words in called.values() for word in words if word in words[:1] or word in written)
    asked = names.written(question, known)
    found = {name: asked.intersection((*words[:1], *written.intersection(words))) for name, words in called.items()}
    return {name: words for name, words in found.items() if words}


def _is_of_no_fact(question: str) -> bool:
    """Whether a question asks for advice, for what Hathi thinks, or of the world."""
    low = texts.folded(question)
    if _ADVICE.search(low) or _OPINION.search(low):
        return True
    return world_questions.may_be(question) or world_questions.is_to_be_made(question)


def _asks_who(question: str) -> bool:
    """Whether a question asks who here it is."""
    return _ASKS_WHO.search(texts.folded(question)) is not None and not _is_of_no_fact(question)


def _members(people: Collection[str]) -> frozenset[str]:
    """The words by which members are called."""
    return frozenset(word for name in people for word in texts.words(texts.folded(name))[:1])


def tells_of_people(answer: str, question: str, *, people: Collection[str], asker: str) -> bool:
    """Whether an answer for which nothing was found tells how it is with the members or the asker it was asked of."""
    others = [name for name in people if texts.folded(name) != texts.folded(asker)]
    asked_of = frozenset[str]().union(*asked_of_members(question, others).values())
    named = _members(others) if _asks_who(question) else frozenset[str]()
    is_of_asker = asks_fact(question) and _MINE.search(texts.folded(question)) is not None
    return any(
        _tells_of(sentence, asked_of, named) or (is_of_asker and _tells_asker(sentence)) for sentence in _stated(answer)
    )


def _tells_asker(sentence: str) -> bool:
    """Whether it tells those who ask how it is with them, and neither what they might do nor that it is not known."""
    low = texts.folded(sentence)
    return bool(_YOURS.search(low)) and not (_ADVICE.search(low) or _OWNS_UP.search(low))


def puts_words(answer: str, ground: Ground) -> bool:
    """Whether an answer to what asks of nothing here has a member say what nothing shown holds.

    Of those whom the message names itself it may be asked to speak so.
    """
    members = [texts.folded(name) for name in ground.members]
    words = frozenset(word for name in members for word in texts.words(name))
    named = {ground.asker} | names.written(ground.asked, words)
    others = frozenset(word for name in members if name not in named for word in texts.words(name)) - named
    for sentence in _stated(citations.without(answer)):
        if names.written(sentence, others) and _tells_said(sentence):
            kinds = frozenset(check.check(sentence, ground).kinds)
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


def _tells_of(sentence: str, asked_of: Collection[str], others: Collection[str]) -> bool:
    """Whether a sentence tells how it is with somebody asked of, whom it may only point at, or with one of the others.

    Not where it owns up to knowing nothing.
    """
    low = texts.folded(sentence)
    is_of_them = bool(asked_of) and (bool(names.written(sentence, asked_of)) or _OF_THEM.search(low) is not None)
    return (is_of_them or bool(names.written(sentence, others))) and not _OWNS_UP.search(low)


def _tells_said(sentence: str) -> bool:
    return not _SAID.isdisjoint(texts.words(texts.folded(sentence)))


def _is_rich(sentence: str, people: Collection[str]) -> bool:
    return len([one for one in texts.stems(texts.folded(sentence), apart_from=people) if one.isalpha()]) >= _LEAST
