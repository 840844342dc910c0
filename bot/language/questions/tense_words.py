"""Patterns for whether a question is of what was or of what is to come, by language: of those that times are read in.

Patterns ignore case.
"""

from dataclasses import dataclass
from typing import Final

from bot.language.statements import topic_words
from bot.text import patterns


@dataclass(frozen=True, slots=True, kw_only=True)
class TenseWords:
    """One language's tenses, as far as questions have them."""

    past: str
    """What only a question about what was has."""
    coming: str
    """What one about what is or will be has, whatever follows."""
    done: str
    """What tells of the past where there is none of these."""


_DONE: Final = rf"(?:[a-z]{{3,}}ed|{patterns.any_of(sorted(topic_words.PASTS - topic_words.THIRDS))})\b"
_GERMAN: Final = (
    r"(?:ist|sind|gibt|passiert|geht|l\u00e4uft|steht|machen|macht|kommt|findet|wird|werden|habe?n?|hat|muss|m\u00fcssen|"
    r"soll|sollen|kann|k\u00f6nnen|darf|ich|wir|ihr|du|bringt|bringen|kostet)\b"
)
"""What stands behind the German "was"."""

ENGLISH: Final = TenseWords(
    past=patterns.either(
        r"""
        \bwas\b(?! {german})
        \A(?:(?:and|so|but|hey|hathi|ok),? ){0,2}(?:who|what|which \w+) {done}
        \b(?:did|were|had|didn't|wasn't|weren't|hadn't|been|happened|gone|ago|since|yesterday|last|previous|so far)\b
        \b(?:new|latest|already|yet|earlier|used to)\b
        \b(?:has|have|'ve|hasn't|haven't)\b(?: \S+){0,3}? (?:\w{2,}(?:ed|wn|en)|told|said|made|met|done|won|lost|left)\b
        """,
        {"done": _DONE, "german": _GERMAN},
    ),
    coming=patterns.either(
        r"""
        \b(?:is|are|am|has|have|do|does|don't|doesn't|isn't|aren't|will|won't|can|could)\b
        \b(?:should|shall|must|might|going to|gonna)\b
        '(?:s|re|ll|m)\b
        \b(?:what|who|where|when|how)s\b
        """
    ),
    done=rf"\b{_DONE}",
)
GERMAN: Final = TenseWords(
    past=patterns.either(
        r"""
        \b(?:war|warst|waren|hatten?|wurden?|gab|gaben|ging|gingen|kam|kamen|sagten?|fand|fanden|machten?|wollten?)\b
        \b(?:gewesen|worden|geschehen|seit|gestern|vor|letzte[nrsm]?|vorige[nrsm]?|schon|bisher|neue?s?)\b
        \b(?:habe?n?|hast|hat|habt)\b(?: \S+){0,8}? \
            (?:(?:\w{2,4})?ge\w+(?:t|en)|(?:be|ver|er|ent|zer)\w+(?:t|en)|\w+iert)\b
        \b(?:ist|sind|bin|bist)\b(?: \S+){0,8}? (?:passiert|los gewesen|(?:\w{2,4})?ge(?:kommen|gangen|fahren))\b
        """
    ),
    coming=r"\b(?:ist|sind|gibt|wird|werden|kann|muss|soll|sollen|findet|haben|hat|kommt|steht|macht|beginnt|f\u00e4hrt)\b",
    done=r"(?!)",
)
LANGUAGES: Final = (ENGLISH, GERMAN)
