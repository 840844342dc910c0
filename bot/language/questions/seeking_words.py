"""Words by which somebody tells that they seek a thing, and so know nothing of it; by language.

Patterns are matched at the beginning of a text in small letters, without accents, behind any lead.
"""

from dataclasses import dataclass
from typing import Final

from bot.text import patterns


@dataclass(frozen=True, slots=True, kw_only=True)
class SeekingWords:
    """One language's ways to say so."""

    lead: str
    """What may stand before it."""
    seeking: str
    """What says that something is sought, or not known any more."""
    asked: str
    """What is in a question that such a remark answers."""


ENGLISH: Final = SeekingWords(
    lead=(
        r"sorry|hey|hi|help|argh|ugh|oh no|ok|so|and|but|also|damn|guys|all|hathi|still|just|i|i'm|im|i am|i've|ive"
        r"|we|we're|we've|have"
    ),
    seeking=patterns.either(
        r"""
        (?:looking|searching|hunting) for\b
        (?:can't|cannot|cant|couldn't|couldnt|can not) (?:find|remember|recall)\b
        (?:forgot|forget|forgotten|don't remember|dont remember|don't know|dont know|do not know|dunno|no idea|idk)\b
        (?:(?:really|only|urgently) )?(?:need|want) (?:the|my|our|that) (?:[\w'-]+ ){0,2}?[\w'-]+\
            (?: (?:asap|now|again|urgently|quick|quickly|today|please|pls))*\W*$
        """
    ),
    asked=r"\b(?:look(?:s|ed|ing)?|search(?:es|ed|ing)?|find|found|lost|lose|forg[eo]t\w*|remembers?|needs?|needed|wants?|wanted)\b",
)
GERMAN: Final = SeekingWords(
    lead=r"sorry|hey|hi|hilfe|oh nein|ok|und|aber|hathi|ich|wir|leider|immer noch",
    seeking=patterns.either(
        r"""
        (?:suche|suchen)\b
        (?:finde|finden|weiss|wissen) .{0,60}?\b(?:nicht|nirgends|nirgendwo)\b
        (?:habe|haben|hab) .{0,60}?\bvergessen\b
        """
    ),
    asked=r"\b(?:such\w*|find\w*|verlor\w*|vergess\w*|vergass|brauch\w*|will|wollen)\b",
)
FRENCH: Final = SeekingWords(
    lead=r"pardon|salut|ok|et|mais|hathi|je|nous|on|j'ai",
    seeking=r"(?:cherche|cherchons)\b|(?:ne )?(?:trouve|sais|retrouve|me souviens) (?:pas|plus)\b|oublie\b",
    asked=r"\b(?:cherch\w*|trouv\w*|perd\w*|oubli\w*|veu\w*|besoin)\b",
)
SPANISH: Final = SeekingWords(
    lead=r"perdon|hola|ok|y|pero|hathi|yo",
    seeking=r"(?:estoy buscando|busco|buscamos)\b|no (?:encuentro|se|recuerdo|me acuerdo)\b|(?:he )?olvid(?:e|ado)\b",
    asked=r"\b(?:busc\w*|encontr\w*|perd\w*|olvid\w*|quier\w*|necesit\w*)\b",
)
LANGUAGES: Final = (ENGLISH, GERMAN, FRENCH, SPANISH)
