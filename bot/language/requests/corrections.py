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
    text = text.strip()
    found = patterns.compiled(_OTHERWISE).match(_plain(text[:_HEAD])) if len(text) <= _LONGEST else None
    said = "" if found is None or "?" in text else text[found.end() :].strip()
    return said if _has_words(said) else ""


def may_be_of(said: str, content: str) -> bool:
    """Whether such a remark may be about what this memory tells: it names nothing itself, or something of it."""
    return patterns.compiled(_LEANING).match(_plain(said)) is not None or not _stems(said).isdisjoint(_stems(content))


def _stems(text: str) -> frozenset[str]:
    words = trigrams.words(text.translate(patterns.STRAIGHT_QUOTES)) - stop_words.FUNCTION
    return frozenset(word_forms.stem(word) for word in words if len(word) >= _SHARED)


def _has_words(text: str) -> bool:
    return len(text.split()) >= _LEAST and any(map(str.isalnum, text))


def _plain(text: str) -> str:
    return folding.evenly(text.translate(patterns.STRAIGHT_QUOTES))
