"""Patterns for asking what somebody missed, or what happened in a while, by language.

Patterns ignore case and are written without accents. A message asks so when, without the time that it names, it
consists of such pieces and nothing else but `beside` ones; `happened` asks so only of a time.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from bot.domain import What
from bot.text import patterns

_DONE: Final = r"(?:decided|agreed|planned|asked)"


@dataclass(frozen=True, slots=True, kw_only=True)
class MissedWords:
    """One language's ways to ask."""

    missed: str
    """What asks for it with or without a time."""
    happened: str
    """What asks for it where a time is named."""
    kinds: Mapping[What, str]
    """What names a kind of thing, which then is asked for alone."""
    beside: str
    """What may stand before or after it, and before the time."""


ENGLISH: Final = MissedWords(
    missed=patterns.either(
        r"""
        (?:what|anything|everything|something) (?:have |did |that )?i(?:'ve)? (?:have )?miss(?:ed)?
        (?:did|have) i miss(?:ed)? (?:anything|something|much|a lot)
        what'?d i miss
        (?:catch|fill) me (?:up|in)(?: on (?:what (?:i(?:'ve)? missed|happened|is new|was said)|everything))?
        bring me up to (?:speed|date)
        what (?:happened|was said|was {done}(?:(?: and|,) {done}){0,2}|went on|changed) \
            (?:while|when|since) i (?:was|'ve been|have been) \
            (?:away|gone|out|asleep|offline|off|on holiday|on vacation|sick|ill|at work|at school|sleeping)
        """,
        {"done": _DONE},
    ),
    happened=patterns.either(
        r"""
        what(?:'s| is| has| have|'ve)?(?: all)?(?: been)? (?:happened|happening|going on|gone on|new|up|changed)
        what (?:went on|went down|was going on|was (?:discussed|talked about|said))
        what (?:was|has been|got) {done}(?:(?: and|,) {done}){0,2}
        anything (?:new|happen(?:ed)?|going on|interesting|decided|agreed)
        (?:what|which) (?:plans|decisions) (?:were|have been|got) made
        (?:what|which|any) (?:open|unanswered) questions
        (?:what|which) questions (?:are|were|have been) (?:still )?(?:not )?(?:open|unanswered|answered|asked)
        """,
        {"done": _DONE},
    ),
    kinds={
        What.DECIDED: r"\b(?:decided|agreed|decisions)\b",
        What.PLANNED: r"\bplan(?:ned|s)\b",
        What.ASKED: r"\b(?:asked|questions)\b",
    },
    beside=patterns.either(
        r"""
        hey|hi|hello|so|ok|okay|well|please|pls|quickly|quick|thanks|thank you|can you|could you|would you|tell me
        here|in here|around here|in (?:this|the|our) (?:channel|server|chat|room|guild)|today's|exactly|everyone|all
        in|on|at|during|over|from|of|for|the|this|last|all|about|by|while i was (?:away|gone|out|asleep|offline|off)
        """
    ),
)
GERMAN: Final = MissedWords(
    missed=patterns.either(
        r"""
        was (?:habe|hab) ich(?: alles| hier)? verpasst
        (?:habe|hab) ich (?:etwas|was|viel) verpasst
        (?:bring|bringt) mich auf (?:den (?:neuesten )?stand|stand)
        was (?:ist|war) (?:los|passiert|geschehen),? (?:wahrend|als) ich (?:weg|fort|offline|nicht da) war
        """
    ),
    happened=patterns.either(
        r"""
        was (?:ist|war|gibt es|gab es|gibt's)(?: hier| so| alles)?(?: neues| neu| los| passiert| geschehen)?
        was wurde(?: hier)?(?: alles)?(?: (?:beschlossen|entschieden|geplant|gefragt|besprochen|gesagt))?
        (?:neues|neu|los|passiert|geschehen|beschlossen|entschieden|geplant|gefragt|besprochen)
        """
    ),
    kinds={What.DECIDED: r"\b(?:beschlossen|entschieden)\b", What.PLANNED: r"\bgeplant\b", What.ASKED: r"\bgefragt\b"},
    beside=patterns.either(r"hey|hallo|hi|also|na|bitte|mal|hier|im|in|am|an|den|der|dem|letzten|so|alles|denn|danke"),
)
FRENCH: Final = MissedWords(
    missed=patterns.either(
        r"""
        (?:qu'est-ce que|qu'est ce que|que|quoi) j'ai (?:manque|rate|loupe)
        (?:j'ai|ai-je) (?:manque|rate|loupe) (?:quelque chose|quoi|beaucoup)
        qu'ai-je (?:manque|rate|loupe)
        """
    ),
    happened=patterns.either(
        r"""
        (?:qu'est-ce qui|qu'est ce qui) (?:s'est passe|a ete (?:decide|dit|prevu))
        que s'est-il passe|quoi de neuf
        """
    ),
    kinds={What.DECIDED: r"\bdecide\b", What.PLANNED: r"\bprevu\b"},
    beside=patterns.either(r"salut|bonjour|alors|ici|en|au|le|la|l'|du|dans|pendant|s'il te plait|stp|merci|dernier"),
)
SPANISH: Final = MissedWords(
    missed=patterns.either(r"(?:que|de que) (?:me )?(?:he )?(?:perdi|perdido)|me (?:perdi|he perdido) (?:de )?algo"),
    happened=patterns.either(
        r"(?:que|qu\?) (?:ha pasado|paso|hay de nuevo|se (?:decidio|dijo|planeo)|se ha (?:decidido|dicho))"
    ),
    kinds={What.DECIDED: r"\bdecid(?:io|ido)\b", What.PLANNED: r"\bplaneo\b"},
    beside=patterns.either(r"hola|oye|bueno|por favor|aqui|en|el|la|los|las|durante|desde|gracias|este|esta"),
)
LANGUAGES: Final = (ENGLISH, GERMAN, FRENCH, SPANISH)
