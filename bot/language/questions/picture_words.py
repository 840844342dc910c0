"""Patterns for asking what a picture shows, by language.

Patterns ignore case and are written without accents. A message asks what a picture shows when it consists of `asking`
pieces and nothing else but `beside` ones; `pointing` pieces ask it only in a message that came with a picture.
"""

from dataclasses import dataclass
from typing import Final

from bot.text import patterns


@dataclass(frozen=True, slots=True, kw_only=True)
class PictureWords:
    """One language's questions about a picture."""

    asking: str
    """What names the picture, each piece alone."""
    pointing: str
    """What only points at it: `what is this`."""
    beside: str
    """What may stand beside either: requests, thanks, address."""


_ENGLISH: Final = {
    "picture": (
        r"(?:this|that|the|my|these|those|attached) (?:attached )?"
        r"(?:pictures?|pics?|photos?|images?|imgs?|screenshots?|drawings?|memes?|gifs?|paintings?|selfies?)"
    ),
    "is": r"(?:'s| is| are|s)",
}
ENGLISH: Final = PictureWords(
    asking=patterns.either(
        r"""
        what{is} (?:there )?(?:in|on|shown (?:in|on)|happening in|going on in|written (?:in|on)) {picture}
        what (?:do|can) (?:you|u) see (?:in|on) {picture}|what does {picture} (?:show|say|depict)
        (?:describe|look at|read|explain|see|view|analy[sz]e|check out) {picture}
        (?:do|can|could) (?:you|u) (?:see|view|read|describe|look at|make out) {picture}
        who{is} (?:in|on) {picture}|what{is} {picture}(?: of| about)?|what (?:do|did) (?:you|u) think (?:of|about) \
            {picture}
        """,
        _ENGLISH,
    ),
    pointing=patterns.either(
        r"""
        what{is} (?:this|that|it|these|those)|who{is} (?:this|that|these)|what do (?:you|u) (?:see|think)(?: here)?
        (?:describe|identify|look at|read|explain) (?:this|that|it)|what does (?:this|it) (?:say|show|mean)
        """,
        _ENGLISH,
    ),
    beside=patterns.either(
        r"""
        hey|hi|so|and|ok|okay|please|pls|can (?:you|u)|could (?:you|u)|tell me|for me|exactly|here|thanks|thank you
        """,
        _ENGLISH,
    ),
)
_GERMAN: Final = {"picture": r"(?:diese[sm]?|das|dem|mein(?:em)?) (?:bild|foto|screenshot|meme)"}
GERMAN: Final = PictureWords(
    asking=patterns.either(
        r"""
        was (?:ist|sieht man|siehst du|steht) (?:auf|in) {picture}(?: zu sehen)?|beschreib(?:e)? {picture}
        was zeigt {picture}|(?:kannst|siehst) du {picture}(?: sehen| beschreiben| lesen)?|wer ist (?:auf|in) {picture}
        """,
        _GERMAN,
    ),
    pointing=r"was ist das(?: hier)?|wer ist das|was siehst du(?: hier)?",
    beside=r"hey|hi|und|bitte|mal|kannst du|danke|genau",
)
_FRENCH: Final = {"picture": r"(?:cette|la|l'|ma) ?(?:image|photo|capture(?: d'ecran)?)"}
FRENCH: Final = PictureWords(
    asking=patterns.either(
        r"""
        (?:qu'est-ce qu'il y a|que vois-tu|qu'est-ce que tu vois|qu'y a-t-il) (?:sur|dans) {picture}|decris {picture}
        que montre {picture}|(?:peux-tu|tu peux) (?:voir|decrire|lire) {picture}|qui est (?:sur|dans) {picture}
        """,
        _FRENCH,
    ),
    pointing=r"c'est quoi(?: ca)?|qu'est-ce que c'est|c'est qui",
    beside=r"salut|et|s'il te plait|stp|merci",
)
_SPANISH: Final = {"picture": r"(?:esta|la|mi) (?:imagen|foto|captura)"}
SPANISH: Final = PictureWords(
    asking=patterns.either(
        r"""
        que (?:hay|ves|se ve|sale|dice) en {picture}|describe {picture}|que muestra {picture}
        (?:puedes|podrias) (?:ver|describir|leer) {picture}|quien (?:esta|sale) en {picture}
        """,
        _SPANISH,
    ),
    pointing=r"que es (?:esto|eso)|quien es|que ves",
    beside=r"hola|y|por favor|gracias",
)

LANGUAGES: Final = (ENGLISH, GERMAN, FRENCH, SPANISH)
