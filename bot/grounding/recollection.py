"""Checks that an answer from general knowledge claims nothing about this community."""

import re
from collections.abc import Collection, Iterator
from typing import Final

from bot.grounding import community_claims, names, texts, vocabulary
from bot.grounding.faults import Fault, FaultKind
from bot.text import normalize

_DECIDED: Final = (
    r"(?:said|told|mentioned|decided|agreed|asked|discussed|talked|spoke|chose|chosen|planned|promised|settled|"
    r"suggested|wrote|posted|preferred|wanted|picked|announced|noted|established)"
)
_ADVERB: Final = r"(?:(?:all|both|once|already|just|also|previously|earlier|recently|originally|had|have|'ve|'d) ){0,3}"
_SAID_ABROAD: Final = (
    r"(?:gesagt|geschrieben|erzahlt|beschlossen|entschieden|vorgeschlagen|versprochen|sagte|meinte|schrieb|dit|ecrit|raconte"
    r"|decide|propose|promis|dijo|dijeron|escribio|conto|decidio|propuso|prometio|comento|dicho)"
)
_DAY_ABROAD: Final = (
    r"(?:gestern|vorgestern|neulich|letzten? \w+|am (?:mon|diens|mitt|donners|frei|sams|sonn)\w+"
    r"|hier|avant-hier|l'autre jour|(?:lun|mar|mercre|jeu|vendre|same|diman)di(?: dernier)?|(?:semaine|mois) dernier\w*"
    r"|ayer|anteayer|anoche|el otro dia|el (?:lunes|martes|miercoles|jueves|viernes|sabado|domingo)"
    r"|(?:semana|mes) pasad[oa])"
)
"""With a day that is told from today on, what somebody is said to have said: of this community it is claimed then."""
_CLAIMS: Final = tuple(
    re.compile(claim)
    for claim in (
        rf"\b(?:you|we) {_ADVERB}{_DECIDED}\b",
        r"\b(?:you|we)'(?:ve|d) " + _ADVERB + _DECIDED + r"\b",
        r"\b[a-z]+ (?:has |had )?told (?:me|us)\b",
        r"\bi (?:do |can |clearly |still )?(?:remember|recall)\b(?! (?:how|that word))",
        r"\b(?:last|past) (?:week|month|year|time|night|session|\w+day)[,]? (?:you|we)\b",
        r"\b(?:you|we)\b[^.;?!]{0,60}\b(?:last (?:week|month|time|session)|yesterday|the other day|earlier today)\b",
        (
            r"\bas (?:we |you |was |previously |already |earlier ){0,3}(?:discussed|mentioned|agreed|"
            r"decided|said|noted|talked)\b"
            r"(?! (?:in|by|on|at|above|below) )"
        ),
        (
            r"\b(?:based on|according to|from) (?:my|our|your|what i) (?:\w+ )?(?:understanding|memory|memories|know|"
            r"recollection|records?|notes?|conversations?|chats?|discussions?|history|logs?|messages|remember|recall)\b"
        ),
        r"\b(?:based on|according to|from) the (?:\w+ )?(?:conversation|chat|channel|server)s?\b",
        (
            r"\bin (?:our|your) (?:last|previous|earlier|past) (?:\w+ )?"
            r"(?:conversation|chat|session|discussion|meeting)s?\b"
        ),
        r"\bto the best of my (?:memory|recollection)\b",
        (
            r"\b(?:your|our|this|the) (?:team|server|channel|community|group|project)(?:'s)? (?:has )?"
            r"(?:decided|agreed|uses|chose|prefers|plans|said|is using|went with)\b"
        ),
        (
            r"\b(?:du hast|ihr habt|wir haben|hast du|habt ihr|haben wir)\b[^.;?!]{0,80}"
            r"\b(?:gesagt|entschieden|beschlossen|besprochen|erwahnt|vereinbart|gewahlt|erzahlt)\b"
        ),
        r"\b(?:ich erinnere mich|soweit ich mich erinnere|wie (?:besprochen|vereinbart))\b",
        rf"\b{_SAID_ABROAD}\b[^.;?!]{{0,60}}\b{_DAY_ABROAD}\b",
        rf"\b{_DAY_ABROAD}\b[^.;?!]{{0,60}}\b{_SAID_ABROAD}\b",
        r"\bletzte woche (?:hast du|habt ihr|haben wir)\b",
        r"\b(?:tu as|vous avez|nous avons|on a)\b[^.;?!]{0,40}\b(?:dit|decide|choisi|convenu|mentionne|discute)\b",
        r"\b(?:je me souviens|comme convenu|d'apres (?:mes|nos) (?:souvenirs|notes))\b",
        (
            r"\b(?:dijiste|decidimos|decidisteis|acordamos|hablamos|quedamos en|recuerdo que|como (?:acordamos|"
            r"dijimos))\b"
        ),
    )
)
_CONDITION: Final = re.compile(
    r"\b(?:if|when|once|whether|after|unless|until|suppose|say|wenn|falls|si|cuando|quand)\b[^.;?!]{0,30}$"
)
_WINDOW: Final = 60
"""Characters before a claim or a name in which a condition, or another name, is looked for."""
_OPENS: Final = re.compile(r"(?:^|[.!?:\n])\W*$")
_OPENING: Final = re.compile(r"(?:^|[.!?:\n]\s*)$")
_STATES: Final = re.compile(rf"(?: |(?=')){community_claims.SAYS}")
_SURNAME: Final = re.compile(r" ([A-Z][\w'-]+)")
_FIRST_NAME: Final = re.compile(r"(?<![\w'-])([A-Z][\w'-]+) $")
_ASKED_OF: Final = re.compile(r"\b(?:i|we|i've|we've) (?:\w+ )?" + _DECIDED + r"\b|\b(?:my|our|i|we)\b")
_MOST_BORROWED: Final = 0.6


def faults(answer: str, question: str, *, people: Collection[str], community: Collection[str]) -> Iterator[Fault]:
    """Names of this community that the question did not give, and words that claim to remember."""
    yield from _names(answer, question, people, community)
    if claim := community_claims.found(answer, question):
        yield _memory(claim)
        return
    low, asked = texts.folded(texts.plain(answer)), texts.folded(question)
    for claim in _CLAIMS:
        for found in claim.finditer(low):
            if not _CONDITION.search(low, max(0, found.start() - _WINDOW), found.start()) and not _is_borrowed(
                low, found, asked
            ):
                yield _memory(found[0])
                return


def _memory(claim: str) -> Fault:
    shown = normalize.one_line(claim, 60)
    return Fault(kind=FaultKind.MEMORY, reason=f"It said \u201c{shown}\u201d, though I found nothing about that here.")


def _names(answer: str, question: str, people: Collection[str], community: Collection[str]) -> Iterator[Fault]:
    text, asked = texts.bare(answer), texts.words(texts.folded(question).replace("_", " ").replace("-", " "))
    told: set[str] = set()
    persons = [texts.bare(name).strip("@# ") for name in people]
    # Only those of which the answer has a word: each is looked for with a pattern of its own.
    said = frozenset(texts.words(texts.folded(text).replace("_", " ").replace("-", " ")))
    named = [(name, True) for name in persons] + [(texts.bare(name), False) for name in community]
    for name, is_person in named:
        if said.isdisjoint(texts.words(texts.folded(name).replace("_", " ").replace("-", " "))):
            continue
        for form in (name, *name.split()[:1]) if is_person else (name,):
            key = form.lower().lstrip("#@")
            parts = texts.words(key.replace("_", " ").replace("-", " "))
            # Who is asked about may be named by no answer either: what it says of them is of this community.
            is_asked = not is_person and all(part in asked for part in parts)
            if not parts or key in told or is_asked:
                continue
            if _is_named(form, text, name, is_person=is_person):
                told.add(key)
                shown = normalize.one_line(name, 60)
                yield Fault(kind=FaultKind.NAME, reason=f"It named {shown}, though I found nothing about that here.")
                break


def _is_named(form: str, text: str, whole: str, *, is_person: bool) -> bool:
    """Whether a text means this name, and not a word or another person that is called the same."""
    key = form.lstrip("#@")
    is_word = key.isalpha() and key.islower() and not is_person
    if is_word:
        word = re.escape(key)
        return bool(
            re.search(
                rf"#{word}\b|\b{word} (?:channel|project|room)\b|\b(?:channel|project) {word}\b", text, re.IGNORECASE
            )
        )
    is_common = key.lower() in vocabulary.COMMON or key.lower() in vocabulary.ALL_FUNCTION
    for found in re.finditer(rf"(?<!\w)@?{re.escape(key)}(?!\w)", text, re.IGNORECASE):
        if found[0].lstrip("@") != key and key[:1].isupper() and (is_common or not _is_meant(text, found)):
            continue
        opens = _OPENS.search(text, max(0, found.start() - _WINDOW), found.start())
        if is_common and opens and not names.is_written(text, found):
            continue
        if not is_person or " " in key or not _is_other(text, found, whole):
            return True
    return False


def _is_meant(text: str, found: re.Match[str]) -> bool:
    """Whether a name in other letters than its own is one: in capitals, or in small ones who opens a statement."""
    if not found[0].islower():
        return True
    opens = _OPENS.search(text, max(0, found.start() - _WINDOW), found.start())
    return bool(opens and _STATES.match(text, found.end()))


def _is_other(text: str, found: re.Match[str], whole: str) -> bool:
    """Whether a first name stands with another surname: Tony Hoare is not our Tony."""
    after = _SURNAME.match(text, found.end())
    before = _FIRST_NAME.search(text, max(0, found.start() - _WINDOW), found.start())
    if after and texts.folded(after[1]) not in texts.words(texts.folded(whole)):
        return True
    if before is None:
        return False
    return not _OPENING.search(text, max(0, before.start() - _WINDOW), before.start())


def _is_borrowed(low: str, found: re.Match[str], asked: str) -> bool:
    """Whether it only says again what the question says: "you said your code fails"."""
    if not _ASKED_OF.search(asked) or not re.match(r"\b(?:as )?you", found[0]):
        return False
    rest = re.split(r"[.;?!\n]", low[found.end() :], maxsplit=1)[0]
    content = texts.stems(rest)
    known = set(texts.stems(asked))
    return bool(content) and sum(one in known for one in content) / len(content) >= _MOST_BORROWED
