"""Patterns for asking what somebody missed, or what happened in a while, by language.

Patterns ignore case and are written without accents. A message asks so when, without the time that it names, it
consists of such pieces and nothing else but `beside` ones; `happened` asks so only of a time, or of a while away.
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
    away: str
    """What tells that one was not here, which may stand before or after it."""
    kinds: Mapping[What, str]
    """What names a kind of thing, which then is asked for alone."""
    beside: str
    """What may stand before or after it, and before the time."""


ENGLISH: Final = MissedWords(
    missed=patterns.either(
        r"""
        (?:what|anything|everything|something|what all|all) (?:have |did |that )?i(?:'ve)? (?:have )?miss(?:ed)?\
            (?: out on)?
        (?:did|have) i miss(?:ed)? (?:out on )?(?:anything|something|much|a lot)\
            (?: (?:important|interesting|good|big|exciting))?
        what'?d i miss
        (?:catch|fill|clue) me (?:up|in)(?: on (?:what (?:i(?:'ve)? missed|happened|is new|was said)|everything))?
        (?:bring|get) me (?:back )?up to (?:speed|date)|update me
        (?:i (?:need|want|would like|'d like) to |let me |help me )(?:get|be|catch)(?: back)? up(?: to (?:speed|date))?
        (?:give me )?(?:a|the|some) (?:quick |short )?(?:recap|rundown|summary|catch-?up|overview|update)\
            (?: of (?:what (?:i(?:'ve)? missed|happened)|everything(?: i(?:'ve)? missed)?))?
        what(?:'s| is| has been)? new|(?:is there )?anything new|(?:is there )?any(?: big)? (?:news|updates?)
        what(?:'s| is) the (?:latest|news)
        what (?:happened|was said|was {done}(?:(?: and|,) {done}){0,2}|went on|changed|has happened) \
            (?:while|when|since|during the time) i (?:was|'ve been|have been) \
            (?:away|gone|out|asleep|offline|off|on holiday|on vacation|on leave|sick|ill|at work|at school|sleeping)
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
    away=patterns.either(
        r"""
        (?:i |i've |i have )?(?:was|were|been|am|'m|have been|had been)(?: just)? {gone}{while}
        (?:i |i'm |i am |i've |i have )?(?:just |only just |finally )?(?:got |come |came |am |been )?\
            (?:back|home|returned)\
            (?: from (?:my |a |the )?(?:[\w-]+ )?(?:holidays?|vacation|leave|trip|break|hospital|travels|work))?{while}
        (?:i )?(?:took|had) (?:a|some|the) (?:[\w-]+ )?(?:off|break|leave){while}
        (?:i )?(?:couldn't|could not|didn't) (?:read|follow|be here|make it|check in)(?: along| anything| here)?{while}
        """,
        {
            "gone": r"(?:away|gone|out|out of office|ooo|afk|offline|off(?: sick)?|abroad|travell?ing|busy|sick|ill"
            r"|asleep|on (?:my |a )?(?:[\w-]+ )?(?:holidays?|vacation|leave|trip|break)|in hospital|not here)",
            "while": r"(?: (?:for|over|all|the)(?: (?:the|a|an|about|past|last|whole|few|couple|of|some|\w+)){0,4}?"
            r" (?:days?|weeks?|weekend|months?|while|bit|time))?(?: now)?",
        },
    ),
    kinds={
        What.DECIDED: r"\b(?:decided|agreed|decisions)\b",
        What.PLANNED: r"\bplan(?:ned|s)\b",
        What.ASKED: r"\b(?:asked|questions)\b",
    },
    beside=patterns.either(
        r"""
        hey|hi|hello|so|ok|okay|well|please|pls|quickly|quick|thanks|thank you|can you|could you|would you|tell me
        (?:can|could|would) (?:someone|somebody|anyone|anybody)|and|but|again|guys|all|everyone|everybody|now|sorry
        here|in here|around here|in (?:this|the|our) (?:channel|server|chat|room|guild)|today's|exactly
        in|on|at|during|over|from|of|for|the|this|last|about|by|while i was (?:away|gone|out|asleep|offline|off)
        """
    ),
)
GERMAN: Final = MissedWords(
    # In a hurry, "im" is "I'm".
    missed=patterns.either(
        r"""
        was (?:habe|hab)'? ?ich(?: (?:alles|hier|so|denn|denn alles))? (?:verpasst|versaumt)
        (?:habe|hab)'? ?ich (?:etwas|was|viel|irgendwas|irgendetwas)(?: wichtiges)? (?:verpasst|versaumt)
        was ich(?: alles| hier)? (?:verpasst|versaumt) (?:habe|hab)
        (?:bring|bringt|bringst du|kannst du|konnt ihr|kann jemand)(?: mich)?(?: mal| bitte)? ?(?:mich )?\
            auf (?:den (?:neuesten |neusten |aktuellen )?stand|stand)(?: bringen)?
        (?:was|gibt's|gibt es)(?: gibt's| gibt es| ist)?(?: (?:was|etwas|irgendwas|hier|so|alles))? \
            (?:neues|neu|neuigkeiten)
        was (?:ist|war) (?:los|passiert|geschehen),? (?:wahrend|als|seit) ich \
            (?:weg|fort|offline|nicht da|krank) (?:war|bin)
        """
    ),
    happened=patterns.either(
        r"""
        was (?:ist|war|gibt es|gab es|gibt's)(?: hier| so| alles)?(?: neues| neu| los| passiert| geschehen)?
        was wurde(?: hier)?(?: alles)?(?: (?:beschlossen|entschieden|geplant|gefragt|besprochen|gesagt))?
        (?:neues|neu|los|passiert|geschehen|beschlossen|entschieden|geplant|gefragt|besprochen)
        """
    ),
    away=patterns.either(
        r"""
        (?:ich )?(?:war|bin|war jetzt)(?: ich)?(?: (?:jetzt|gerade|grad|erst|leider))?{while}\
            (?: (?:i'?m|in) (?:urlaub|ferien|krankenhaus|der reha|elternzeit)| weg| fort| krank| offline| nicht da\
            | unterwegs| verreist| raus)(?: gewesen)?{while}
        (?:ich )?(?:bin )?(?:wieder|gerade wieder|endlich wieder|zuruck|wieder zuruck)(?: (?:da|hier|zuruck))?\
            (?: aus (?:dem|den) (?:urlaub|ferien|krankenhaus))?
        """,
        {"while": r"(?: (?:fur )?(?:ein paar|einige|die|eine|einen|\w+)(?: \w+)? (?:tage?|wochen?|monate?|zeit))?"},
    ),
    kinds={What.DECIDED: r"\b(?:beschlossen|entschieden)\b", What.PLANNED: r"\bgeplant\b", What.ASKED: r"\bgefragt\b"},
    beside=patterns.either(
        r"""
        hey|hallo|hi|moin|servus|also|na|bitte|mal|hier|i'?m|in|am|an|den|der|dem|letzten|so|alles|denn|danke|und|eigentlich
        sag mal|sagt mal|erzahl|erzahl mir|sag mir|leute|alle|zusammen
        """
    ),
)
FRENCH: Final = MissedWords(
    missed=patterns.either(
        r"""
        (?:qu'est-ce que|qu'est ce que|que|quoi|ce que) j'ai (?:bien )?(?:manque|rate|loupe)
        (?:j'ai|ai-je) (?:manque|rate|loupe) (?:quelque chose|quoi|beaucoup)
        qu'ai-je (?:manque|rate|loupe)|est-ce que j'ai (?:manque|rate|loupe) (?:quelque chose|beaucoup)
        quoi de neuf|(?:il y a |y a-t-il )?du nouveau|(?:quelles|des) (?:sont les )?nouvelles
        (?:mets|mettez|remets)-moi (?:au courant|a jour|au parfum)
        (?:tu peux |peux-tu |quelqu'un peut |pouvez-vous )me (?:mettre|remettre) (?:au courant|a jour)
        (?:qu'est-ce qui|qu'est ce qui) s'est passe (?:pendant mon absence|pendant que j'etais \w+)
        """
    ),
    happened=patterns.either(
        r"""
        (?:qu'est-ce qui|qu'est ce qui) (?:s'est passe|a ete (?:decide|dit|prevu))
        que s'est-il passe
        """
    ),
    away=patterns.either(
        r"""
        (?:j'etais|j'ai ete|je suis|je reviens|de retour|je rentre)\
            (?: (?:(?:en|de) (?:vacances|conge|voyage|deplacement|retour)|absente?|malade|partie?))?\
            (?: (?:pendant|pour|depuis) (?:\w+ ){1,2}(?:jours?|semaines?|mois))?
        """
    ),
    kinds={What.DECIDED: r"\bdecide\b", What.PLANNED: r"\bprevu\b"},
    beside=patterns.either(
        r"""
        salut|bonjour|coucou|alors|ici|en|au|le|la|l'|du|dans|pendant|s'il te plait|stp|svp|merci|dernier|et|dis|dis-moi
        aujourd'hui|hier|ce matin|cette semaine|tout le monde
        """
    ),
)
SPANISH: Final = MissedWords(
    missed=patterns.either(
        r"""
        (?:que|de que|lo que) (?:me )?(?:he )?(?:perdi|perdido)|me (?:perdi|he perdido) (?:de )?(?:algo|mucho)
        que hay de nuevo|(?:hay )?algo nuevo|(?:hay |alguna )?novedad(?:es)?|que novedades hay
        (?:ponme|poneme|ponedme|me pones|me puedes poner|puedes ponerme|me ponen) al (?:dia|corriente|tanto)
        que (?:ha pasado|paso) (?:mientras|cuando) (?:no )?estaba(?: \w+)?|que (?:ha pasado|paso) en mi ausencia
        """
    ),
    happened=patterns.either(r"que (?:ha pasado|paso|se (?:decidio|dijo|planeo)|se ha (?:decidido|dicho))"),
    away=patterns.either(
        r"""
        (?:estuve|estaba|he estado|vuelvo|acabo de volver|ya volvi)\
            (?: (?:de (?:vacaciones|viaje|baja)|fuera|enferm[oa]|ausente|desconectad[oa]))?\
            (?: (?:durante )?(?:\w+ ){1,2}(?:dias?|semanas?|mes(?:es)?))?
        """
    ),
    kinds={What.DECIDED: r"\bdecid(?:io|ido)\b", What.PLANNED: r"\bplaneo\b"},
    beside=patterns.either(
        r"""
        hola|oye|bueno|por favor|porfa|aqui|en|el|la|los|las|durante|desde|gracias|este|esta|hoy|ayer|esta semana|y|dime
        buenas|buenos dias|a todos
        """
    ),
)
LANGUAGES: Final = (ENGLISH, GERMAN, FRENCH, SPANISH)
