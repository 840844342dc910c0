"""Patterns for asking what is remembered, by language.

Patterns ignore case and are written without accents. A message asks for the list when it consists of `everybodys`
pieces, or of `mine` ones, and nothing else but those beside them, with a question mark or without.
"""

from dataclasses import dataclass
from typing import Final

from bot.text import patterns


@dataclass(frozen=True, slots=True, kw_only=True)
class ListingWords:
    """One language's questions what is remembered."""

    everybodys: str
    """What asks for whatever is remembered, each piece alone."""
    mine: str
    """What asks for what whoever asks gave."""
    beside: str
    """What may stand before or after it."""


GERMAN: Final = ListingWords(
    everybodys=patterns.either(
        r"""
        was (?:alles )?(?:wei(?:ss|ß)t|merkst|behae?ltst) du(?: dir)?(?: alles| schon| so| noch)*
        was hast du(?: dir)?(?: alles| schon| so| bisher)* (?:gespeichert|gemerkt|notiert|behalten)
        woran erinnerst du dich(?: alles| noch)*|(?:zeig|zeige|liste)(?: mir)?(?: alle| deine\
            | die)* erinnerungen(?: auf)?
        """
    ),
    mine=patterns.either(
        r"""
        was (?:sollst|solltest) du(?: dir)?(?: fue?r mich)? (?:merken|behalten)
        was habe? ich dir(?: alles| heute| gestern| schon| so)* (?:gesagt|erzae?hlt|gegeben)
        """
    ),
    beside=r"ok|okay|ach|hallo|hi|hey|so|und|jetzt|nun|also|bitte|mal|sag mal|sag|danke|ue?brigens|eigentlich",
)

FRENCH: Final = ListingWords(
    everybodys=patterns.either(
        r"""
        (?:de quoi|qu'est[- ]ce que|que) te souviens[- ]tu|de quoi tu te souviens|que retiens[- ]tu
        qu'est[- ]ce que tu as (?:retenu|garde|enregistre|memorise|note)|qu'as[- ]tu (?:retenu|garde|enregistre\
            |memorise|note)
        (?:montre|liste)(?:[- ]moi)? (?:tes|les|tous tes|tous les) souvenirs
        """
    ),
    mine=patterns.either(
        r"""
        qu'est[- ]ce que je t'ai (?:dit|demande de retenir|raconte)(?: aujourd'hui| hier)?
        que t'ai[- ]je (?:dit|demande de retenir|raconte)(?: aujourd'hui| hier)?
        """
    ),
    beside=r"ok|okay|ah|oh|salut|bonjour|alors|et|dis|dis[- ]moi|s'il (?:te|vous) plait|stp|svp|merci|au fait|donc",
)

SPANISH: Final = ListingWords(
    everybodys=patterns.either(
        r"""
        que (?:recuerdas|tienes (?:guardado|anotado|memorizado)|has (?:guardado|anotado|memorizado))|de que te acuerdas
        (?:muestrame|ensename|lista) (?:tus|los|todos tus) recuerdos
        """
    ),
    mine=r"que te (?:dije|he dicho|pedi que recordaras|conte)(?: hoy| ayer)?",
    beside=r"ok|okay|ah|oh|hola|oye|y|pues|entonces|dime|por favor|gracias|por cierto|ahora",
)

LANGUAGES: Final = (GERMAN, FRENCH, SPANISH)
