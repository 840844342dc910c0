"""Words by which somebody says that they don't know what they ask, before it or behind it; by language."""

from dataclasses import dataclass
from typing import Final

from bot.text import patterns


@dataclass(frozen=True, slots=True, kw_only=True)
class NotKnowingWords:
    """One language's ways to say so."""

    lead: str
    """What may stand before it."""
    not_knowing: str
    asked: str
    """What begins the question that hangs on it."""


ENGLISH: Final = NotKnowingWords(
    lead=r"and|but|so|sorry|ok|okay|oh|hey|hi|also|because|cause|damn|well|hathi|argh|ugh",
    not_knowing=patterns.either(
        r"""
        i(?:'ve| have|'d| had)? (?:(?:just|totally|completely|already) )?(?:forgot|forget|forgotten)
        i(?:'ve| have)? (?:(?:totally|completely|already) )?lost (?:track|count)(?: of)?
        i (?:don't|do not|can't|cannot|can not|couldn't) (?:(?:even|really|quite) )?(?:remember|recall|know)\
            (?: (?:any ?more|exactly))?
        i(?:'m| am) not (?:sure|certain)(?: any ?more)?
        (?:i(?:'ve| have)? )?(?:got )?no (?:idea|clue)
        (?:i(?:'m| am| was) )?wondering|i wonder
        i(?:'d| would) (?:like|love) to know|i (?:want|wanted|need|needed) to know
        """
    ),
    asked=r"what|what's|who|who's|whose|whom|which|where|where's|when|when's|why|how|how's|if|whether",
)
GERMAN: Final = NotKnowingWords(
    lead=r"und|aber|also|sorry|ok|hey|hallo|hathi|oh",
    not_knowing=patterns.either(
        r"""
        ich (?:habe?|hatte) (?:\w+ )?vergessen
        ich wei(?:\u00df|ss) (?:\w+ )?nicht(?: mehr)?
        ich (?:bin (?:mir )?nicht(?: mehr)? sicher|frage mich|w\u00fcsste gerne?)
        keine ahnung
        """
    ),
    asked=r"was|wer|wem|wen|wessen|welche[mnrs]?|wo|wohin|woher|wann|warum|wieso|wie|wieviel|ob",
)
FRENCH: Final = NotKnowingWords(
    lead=r"et|mais|pardon|ok|salut|hathi|oh",
    not_knowing=patterns.either(
        r"""
        j'ai (?:\w+ )?oubli\u00e9
        je (?:ne )?(?:sais|me (?:souviens|rappelle)) (?:pas|plus)
        je me demande|je (?:voudrais|veux) savoir
        aucune id\u00e9e
        """
    ),
    asked=r"qui|o\u00f9|quand|comment|quel(?:le)?s?|combien|pourquoi|ce que|si",
)
SPANISH: Final = NotKnowingWords(
    lead=r"y|pero|perd\u00f3n|ok|hola|hathi",
    not_knowing=patterns.either(
        r"""
        (?:he olvidado|olvid\u00e9|se me (?:ha olvidado|olvid\u00f3))
        (?:ya )?no (?:s\u00e9|recuerdo|me acuerdo)
        me pregunto|quisiera saber
        ni idea
        """
    ),
    asked=(
        r"qu\u00e9|qui\u00e9n(?:es)?|d\u00f3nde|cu\u00e1ndo|c\u00f3mo|cu\u00e1l(?:es)?|cu\u00e1nt[oa]s?|por qu\u00e9|si"
    ),
)
LANGUAGES: Final = (ENGLISH, GERMAN, FRENCH, SPANISH)
