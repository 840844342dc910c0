"""Recognises requests to put a memory into other words, and remarks that something is otherwise; pure."""

from dataclasses import dataclass
from typing import Final

from bot.domain import MemoryId
from bot.text import folding, patterns, stop_words, trigrams, word_forms

_HEAD: Final = 120
"""Characters in which a request begins."""
_LEAD: Final = r"\W*(?:(?:please|pls|hathi|bitte|ok|hey|can you|could you|kannst du|por favor|peux-tu)[\s,]+){0,3}"
_MARK: Final = r"(?:\s?[:=\u2013\u2014-]\s|:)"
_REQUESTS: Final = tuple(
    rf"{_LEAD}(?:{verbs}) (?:{nouns})?#?(?P<number>\d{{1,18}})"
    rf"(?:(?:,? (?:{joints}))?{_MARK}|,? (?:{joints})\s)\s*(?=\S)"
    for verbs, nouns, joints in (
        (
            "correct|change|edit|fix|update|replace|reword|rephrase|amend",
            r"memory |number |no\. ?|nr\.? ?",
            "to|into|with|by|to say|so (?:that )?it says",
        ),
        (
            "korrigiere?|(?:a|ae)ndere?|berichtige?|ersetze?|verbessere?|bearbeite",
            r"erinnerung |nummer |nr\.? ?",
            "zu|in|auf|durch|so|wie folgt",
        ),
        (
            "corriger?|change|modifie|remplace|rectifie",
            r"le |la |souvenir |le souvenir |numero |n[\u00b0o] ?",
            "en|par|pour|comme suit",
        ),
        ("corrige|cambia|modifica|actualiza|reemplaza", r"el |la |recuerdo |el recuerdo |numero ", "a|por|en|con"),
    )
)
_SAYING: Final = (
    r"\W*#(?P<number>\d{1,18}) (?:should (?:be|say|read)|must (?:be|say)|needs to (?:be|say)"
    r"|soll(?:te)? (?:heissen|lauten)|devrait (?:etre|dire)|deberia (?:ser|decir))\s?:?\s+(?=\S)"
)
_THAT: Final = tuple(
    rf"{_LEAD}(?:actually,? |no,? |wait,? |sorry,? ){{0,2}}(?:(?:{verbs}) (?:{pointers})"
    rf"(?:(?:,? (?:{joints}))?{_MARK}|,? (?:{joints})\s)|(?:{nouns}){_MARK})\s*(?=\S)"
    for verbs, pointers, joints, nouns in (
        (
            "correct|change|edit|fix|update|replace|reword|rephrase|amend",
            "that|this|it|that one|the last one",
            "to|into|with|by|to say|so (?:that )?it says",
            "correction",
        ),
        (
            "korrigiere?|(?:a|ae)ndere?|berichtige?|ersetze?|verbessere?",
            "das|dies|es",
            "zu|in|auf|durch|so|wie folgt",
            "korrektur|berichtigung",
        ),
        ("corriger?|change|modifie|remplace|rectifie", "cela|ca|ceci", "en|par|pour|comme suit", "correction"),
        ("corrige|cambia|modifica|actualiza|reemplaza", "eso|esto", "a|por|en|con", "correccion"),
    )
)
_OTHERWISE: Final = (
    r"\W*(?:(?:no|nope|nah|nay|wait|sorry|oops|actually|well|i mean|i meant|correction|nein|nee|doch|eigentlich|moment"
    r"|ich meine|ich meinte|korrektur|non|en fait|pardon|enfin|je veux dire|perdon|en realidad|quiero decir"
    r"|mejor dicho|(?:(?:that|this|it)(?:'s| is) |you(?:'ve| have)? got (?:that|it) )?(?:all )?(?:wrong|not true"
    r"|not right|outdated|incorrect)|(?:das )?(?:ist (?:falsch|veraltet)|stimmt (?:so )?nicht(?: mehr)?)|falsch"
    r"|(?:c'est )?faux|ce n'est (?:pas|plus) (?:vrai|juste)|(?:eso )?(?:no es (?:verdad|cierto)|es falso)|falso)"
    r"(?:[\s,:.!\u2026-]+|$)){1,3}(?=\S)"
)
_SCRAPPED: Final = (
    r"\W*(?:(?:no|oh|sorry|wait|actually|ok|okay|hathi|nein|ach|non|ah)[\s,]+){0,2}"
    r"(?:(?:scratch|strike|cancel|forget|ignore|disregard) (?:that|this|it)|(?:vergiss|streich) (?:das|es)"
    r"|oublie (?:ca|cela)|olvida (?:eso|esto))\s*[,.:;!\u2013\u2014-]+\s*(?=\S)"
)
"""What takes back what was just said, before what is put in its place."""
_MEANT: Final = (
    r"\W*(?:(?:no|oh|nein|non)[\s,]+(?:wait|warte|moment|attends|espera)|wait[\s,]+no|oops|my bad|i meant?|ich meinte?"
    r"|je voulais dire|quise decir|quiero decir|actually[\s,]+no|correction)[\s,:.!\u2013\u2014-]+(?=\S)"
)
"""What says that something else was meant by what was just said."""
_OF_SELF: Final = r"(?:i|i'm|im|i'll|i've|we|we're|ich|wir|je|j'|nous|yo)(?!\w)"
_LEANING: Final = (
    r"(?:it|its|it's|they|they're|theyre|he|he's|she|she's|that|that's|thats|this|there|i|i'm|im|we|on|at|in|by|from|to"
    r"|until|till|for|with|not|only|now|es|er|sie|das|da|ich|wir|am|um|im|bei|bis|nur|nicht|c'est|ce|il|elle|ils"
    r"|elles|en|le|au|a|chez|seulement|pas|son|es|esta|el|ella|las|los|\W*\d\S*)(?!\w)"
)
"""How a remark begins that says of what was told how it is, and names nothing itself."""
_SHARED: Final = 3
"""Letters of a word by which a remark and a memory are about the same."""
_LEAST: Final = 2
"""Words of what a memory may become, and of a remark."""
_LONGEST: Final = 200
"""Characters of a remark."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Correction:
    """A request to put a memory into other words."""

    number: MemoryId | None
    """None where it is that which was just told of."""
    text: str


def read(text: str) -> Correction | None:
    """What a message as a whole asks to put into other words; none for a question, and where no words are given."""
    text = text.strip()
    head = _plain(text[:_HEAD])
    for request in (*_REQUESTS, _SAYING):
        found = patterns.compiled(request).match(head)
        if found is not None and not text.endswith("?"):
            words = text[found.end() :].strip()
            return Correction(number=MemoryId(int(found["number"])), text=words) if _has_words(words) else None
    for request in _THAT:
        found = patterns.compiled(request).match(head)
        if found is not None and not text.endswith("?"):
            words = text[found.end() :].strip()
            return Correction(number=None, text=words) if _has_words(words) else None
    return None


def otherwise(text: str) -> str:
    """How something is by a remark that it is not as was just told: "actually, it's 12"; empty for any other."""
    return _behind(_OTHERWISE, text)


def instead(text: str) -> str:
    """What somebody puts in the place of what they just said: "scratch that, it's on Friday"; empty for any other.

    What they say of themselves ("forget it, I'll walk") takes nothing's place.
    """
    said = _behind(_SCRAPPED, text)
    return "" if patterns.compiled(_OF_SELF).match(_plain(said)) else said


def meant(text: str) -> str:
    """How it is, by whoever says that they meant something else: "no wait, it's at Ellen's"; empty for any other."""
    said = _behind(_MEANT, text)
    return said if leans(said) and not patterns.compiled(_OF_SELF).match(_plain(said)) else ""


def _behind(pattern: str, text: str) -> str:
    """What stands behind such a beginning of a remark; empty where nothing does, and for a question."""
    text = text.strip()
    found = patterns.compiled(pattern).match(_plain(text[:_HEAD])) if len(text) <= _LONGEST else None
    said = "" if found is None or "?" in text else text[found.end() :].strip()
    return said if _has_words(said) else ""


def leans(said: str) -> bool:
    """Whether a remark says of what was told how it is, and names nothing itself."""
    return patterns.compiled(_LEANING).match(_plain(said)) is not None


def may_be_of(said: str, content: str) -> bool:
    """Whether such a remark may be about what this memory tells: it names nothing itself, or something of it."""
    return leans(said) or not _stems(said).isdisjoint(_stems(content))


def _stems(text: str) -> frozenset[str]:
    words = trigrams.words(text.translate(patterns.STRAIGHT_QUOTES)) - stop_words.FUNCTION
    return frozenset(word_forms.stem(word) for word in words if len(word) >= _SHARED)


def _has_words(text: str) -> bool:
    return len(text.split()) >= _LEAST and any(map(str.isalnum, text))


def _plain(text: str) -> str:
    return folding.evenly(text.translate(patterns.STRAIGHT_QUOTES))
