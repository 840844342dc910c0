"""Patterns for what answers a question without a word of it, and for what only looks like an answer, by language.

Patterns ignore case. All of them are of how a message begins, behind a `lead`.
"""

from dataclasses import dataclass
from typing import Final

from bot.text import patterns


@dataclass(frozen=True, slots=True, kw_only=True)
class DirectAnswerWords:
    """One language's ways to answer without saying of what."""

    lead: str
    """What may stand before it."""
    agreeing: str
    """What says yes or no, or something between."""
    of_self: str
    """What names whoever says it."""
    pointing: str
    """What points back at what was asked about, or at who asked."""
    placing: str
    """What begins a place without saying what is there."""
    unknowing: str
    """What says that one does not know, or not yet."""
    how_it_was: str
    """What a question begins with to which nearly anything may be said: `how was the trip?`."""


ENGLISH: Final = DirectAnswerWords(
    lead=r"(?:oh|ah|um+|uh+|er+|hm+|well|so|ok|okay|sorry|hey|hi|lol|haha|i think|i guess|i'd say|@\w+|<@!?\d+>)",
    agreeing=patterns.either(
        r"""
        yes|yeah|yep|yup|yea|yess+|aye|sure|of course|ofc|definitely|absolutely|certainly|indeed|correct|exactly
        no(?! (?:idea|clue|way|worries)\b)|nope|nah|never|not yet|not really|not (?:that|as far as) i know
        probably(?: not)?|maybe|perhaps|i (?:think|guess|hope|believe|doubt) (?:so|not|it)|i don't think so
        done|sent|on it|will do|already (?:did|done|have)|both|neither|either|\+1|-1|fine by me|works for me|go for it
        """
    ),
    of_self=patterns.either(
        r"""
        (?:not |just |only )?me(?:'s)?|(?:that|it)(?:'s| is| was) (?:me|mine)|mine|us|ours
        (?:i|we) (?:can|could|will|would|do|did|have(?! to\b)|got|might|may)|(?:i|we)'(?:ll|ve|d)
        (?:i'm|i am|we're|we are) (?:in|up for|going|coming|driving|free|around|bringing|taking|doing|available)
        (?:[\w-]+ ){1,3}?and (?:i|me|myself)
        """
    ),
    pointing=patterns.either(
        r"""
        (?:it|they|she|he|those|these|that|you|u)(?:'s|'re|'ll|'d|'ve)?|there(?:'s|'re| is| are)|its|your|if (?:you|it)
        (?:i|we|[a-z]\w+) (?:just |already )?[a-z]\w+ (?:it|them|one|those)
        """
    ),
    placing=r"(?:in|at|on|under|behind|beside|inside|by|near|next to|opposite|above|below) (?:the|my|our|your|a)",
    unknowing=patterns.either(
        r"""
        idk|dunno|no (?:idea|clue)|not sure|unsure|i(?:'m| am) not sure|(?:i )?(?:don't|do not|didn't) (?:know|remember)
        (?:i )?(?:can't|cannot) (?:remember|say)|i (?:forgot|forget|wonder)|(?:that's |that is )?(?:a )?good question
        (?:i'll|i will|let me|i can|i'd have to|will) (?:just )?(?:check|ask|look|see|find out|get back|think)
        who knows|ask [a-z]\w*|same question|(?:i was |i'm )?wondering (?:the same|that|too)
        i'd (?:like|love) to know|would (?:like|love) to know
        """
    ),
    how_it_was=patterns.either(
        r"""
        how(?:'s|'d)? (?:was|were|is|are|did|goes|went|it going|do you (?:like|find)|have)
        what (?:was|is) .{1,40} like|what (?:do|did) (?:you|y'all|everyone) think
        """
    ),
)
GERMAN: Final = DirectAnswerWords(
    lead=r"(?:oh|ah|hm+|äh+|na|also|ok|okay|sorry|hey|hi|ich glaube|ich denke)",
    agreeing=(
        r"ja|jo|jep|klar|na klar|sicher|natürlich|genau|nein|nee?|nö|doch|noch nicht|vielleicht|wahrscheinlich"
        r"|ich (?:glaube|denke) (?:schon|nicht)|erledigt|passt"
    ),
    of_self=r"ich(?: auch| nicht)?|mir|mich|wir|uns|[\w-]+ und ich",
    pointing=r"(?:es|sie|er|das|die|der) (?:ist|sind|war|waren|hat|haben|liegt|steht|kommt|kostet)|du|ihr|wenn du",
    placing=r"(?:im|am|beim|(?:in|an|auf|unter|hinter|neben|bei|vor) (?:der|dem|den|meine[mnr]?|unsere[mnr]?))",
    unknowing=(
        r"keine ahnung|ka|kp|kein plan|weiß (?:ich )?nicht|weiss (?:ich )?nicht|ich weiß (?:es )?nicht|gute frage"
        r"|(?:ich )?(?:schaue?|schau|frage?|guck\w*) (?:mal|gleich|nach)"
    ),
    how_it_was=r"wie (?:war|waren|lief|liefen|ist|sind|geht|ging|hat|haben|findet|fand)",
)
FRENCH: Final = DirectAnswerWords(
    lead=r"(?:ah|euh|bon|alors|ben|ok|désolée?)",
    agreeing=r"oui|ouais|non|nan|si|bien sûr|d'accord|pas encore|peut-être|probablement|exactement",
    of_self=r"moi(?: aussi)?|nous|c'est moi|c'était moi|je (?:peux|vais|suis|l'ai)",
    pointing=r"(?:c'est|il est|elle est|ils sont|elles sont|il y a|tu|vous)",
    placing=r"(?:dans|sur|sous|derrière|chez|près de|à côté de|au|à la)",
    unknowing=r"aucune idée|je (?:ne )?sais pas|bonne question|je vais (?:voir|demander|regarder)",
    how_it_was=r"comment (?:était|étaient|s'est|ça|c'était|va|allez|vas|trouve[sz]?)",
)
SPANISH: Final = DirectAnswerWords(
    lead=r"(?:ah|eh|pues|bueno|ok|perdón)",
    agreeing=r"sí|si|claro|vale|no(?! s[eé]\b| tengo)|por supuesto|todavía no|aún no|quizás?|tal vez|exacto",
    of_self=r"yo(?: también| no)?|nosotr[oa]s|fui yo|puedo|voy yo|lo tengo",
    pointing=r"(?:está|están|es|son|hay|era|tú|te)",
    placing=r"(?:en|sobre|bajo|detrás de|al lado de|cerca de) (?:el|la|los|las|mi)",
    unknowing=r"ni idea|no (?:lo )?s[eé]|no tengo (?:ni )?idea|buena pregunta|voy a (?:ver|preguntar|mirar)",
    how_it_was=r"(?:qué tal|que tal|cómo (?:fue|fueron|estuvo|salió|está|va|te fue|os fue))",
)
LANGUAGES: Final = (ENGLISH, GERMAN, FRENCH, SPANISH)
