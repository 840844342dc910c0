"""Words of requests to Hathi that only point at something and tell nothing: `save that`, `that's wrong`; by language.

Patterns are matched against a whole sentence in lower case with straight apostrophes.
"""

from dataclasses import dataclass
from typing import Final

from bot.text import patterns


@dataclass(frozen=True, slots=True, kw_only=True)
class BareWords:
    """One language's requests that tell nothing by themselves."""

    lead: str
    """What may stand before one."""
    asking: str
    """The requests and remarks themselves."""
    behind: str
    """What may stand behind one."""


_ENGLISH: Final = {
    "keep": r"(?:save|remember|keep|note|store|pin|record|log|memori[sz]e|archive|file|write|jot|add|put|bookmark)",
    "gone": r"(?:forget|delete|erase|remove|undo|drop|scratch|unpin|revert|ignore|cancel)",
    "else": (
        r"(?:fix|correct|change|edit|update|check|repeat|quote|share|explain|translate|summari[sz]e|shorten|send|post)"
    ),
    "it": (
        r"(?:it|this|that|these|those|them|everything|the last one|(?:this|that) (?:one|decision|message|fact|link|info"
        r"|note|answer|list|text|post|thing|point|picture|image|file|memory|summary)s?)"
    ),
    "so": (
        r"(?:wrong|incorrect|false|untrue|a lie|nonsense|outdated"
        r"|not (?:right|true|correct|it|what i (?:said|meant|asked)))"
    ),
}
ENGLISH: Final = BareWords(
    lead=(
        r"please|pls|plz|ok|okay|hey|hi|hathi|and|so|now|just|quick|no|nope|yes|yeah|actually|wait|also|then|great|good|cool"
        r"|(?:can|could|would|will) (?:you|u)|(?:i|we) (?:want|need) you to|let's|you (?:should|can|may)|<@!?\d{1,20}>"
    ),
    asking=patterns.either(
        r"""
        (?:do not |don't |dont |never )?(?:{keep}|{gone}|{else}) {it}
        make a note of {it}
        (?:keep|bear) {it} in mind
        (?:that's|thats|that is|that was|this is|it's|its|it is|you're|you are|ur) (?:all |just |simply |plain )?{so}
        not (?:true|right|correct)
        (?:stop|quit) (?:it|this|that|remembering|recording|listening|answering|talking|spamming)\
            (?: (?:me|us|this|that))?
        (?:shut up|be quiet|go away|leave (?:me|us) alone)
        """,
        _ENGLISH,
    ),
    behind=(
        r"please|pls|plz|thanks|thank you|thx|ty|down|up|too|then|now|again|forever"
        r"|for (?:(?:the|my|our|next) )?\w{1,20}|in mind|ok|okay|hathi|bot|though|as well"
        r"|to (?:your|the) (?:memory|notes|list)|in (?:your|the) (?:memory|notes)"
    ),
)

_GERMAN: Final = {
    "it": r"(?:das|dies|es|den|die|alles|diese[nrs]? (?:nachricht|satz|entscheidung|antwort|notiz|link|text|bild))",
    "so": r"(?:falsch|nicht (?:wahr|richtig|korrekt)|gelogen|quatsch|unsinn|veraltet)",
}
GERMAN: Final = BareWords(
    lead=(
        r"bitte|ok|okay|hey|hi|hathi|und|so|jetzt|nein|nee|ja|doch|also"
        r"|(?:kannst|k(?:\u00f6|oe?)nntest) du|<@!?\d{1,20}>"
    ),
    asking=patterns.either(
        r"""
        (?:merke?|notiere?|speichere?|schreibe?|halte?|behalte?)(?: dir)? {it}(?: bitte)?(?: (?:auf|fest|ab))?
        (?:vergiss|l(?:\u00f6|oe?)sche?|entferne?|streiche?|korrigiere?|(?:\u00e4|ae?)ndere?\
            |wiederhole?|ignoriere?) {it}
        (?:das|dies|es) (?:ist|war|stimmt) (?:{so}|nicht|so nicht)
        (?:stimmt nicht|falsch|sei still|halt die klappe|h(?:\u00f6|oe?)r auf)
        """,
        _GERMAN,
    ),
    behind=r"bitte|danke|mal|noch|auch|nicht|wieder|f(?:\u00fc|ue?)r (?:mich|uns|sp(?:\u00e4|ae?)ter)|hathi|ok|okay",
)

FRENCH: Final = BareWords(
    lead=r"s'il te pla(?:\u00ee|i)t|stp|svp|ok|hathi|et|non|oui|alors|(?:peux|pourrais)-?\s?tu|tu peux|<@!?\d{1,20}>",
    asking=patterns.either(
        r"""
        (?:retiens|note|enregistre|garde|m(?:\u00e9|e)morise|oublie|efface|supprime|corrige|change\
            |r(?:\u00e9|e)p(?:\u00e8|e)te)[ -](?:(?:\u00e7|c)a|cela|ceci|le|la|tout|ce message)
        souviens[ -]toi de (?:(?:\u00e7|c)a|cela)
        (?:c'est|ce n'est pas|c'est pas|c'(?:\u00e9|e)tait) (?:faux|vrai|juste|(?:\u00e7|c)a|un mensonge)
        (?:tais-toi|arr(?:\u00ea|e)te)
        """
    ),
    behind=r"s'il te pla(?:\u00ee|i)t|stp|svp|merci|aussi|pour (?:moi|nous|plus tard)|encore|hathi",
)

SPANISH: Final = BareWords(
    lead=r"por favor|porfa|ok|hathi|y|no|s(?:\u00ed|i)|(?:puedes|podr(?:\u00ed|i)as)|<@!?\d{1,20}>",
    asking=patterns.either(
        r"""
        (?:recuerda|guarda|anota|apunta|memoriza|olvida|borra|elimina|corrige|cambia|repite)\
            [ ](?:eso|esto|todo|este mensaje)
        (?:recu(?:\u00e9|e)rdalo|gu(?:\u00e1|a)rdalo|an(?:\u00f3|o)talo|ap(?:\u00fa|u)ntalo|olv(?:\u00ed|i)dalo\
            |b(?:\u00f3|o)rralo)
        acu(?:\u00e9|e)rdate de (?:eso|esto)
        (?:eso|esto) (?:es|no es) (?:falso|mentira|cierto|verdad|correcto)
        (?:c(?:\u00e1|a)llate|para ya)
        """
    ),
    behind=r"por favor|porfa|gracias|tambi(?:\u00e9|e)n|para (?:m(?:\u00ed|i)|luego|despu(?:\u00e9|e)s)|otra vez|hathi",
)

LANGUAGES: Final = (ENGLISH, GERMAN, FRENCH, SPANISH)
