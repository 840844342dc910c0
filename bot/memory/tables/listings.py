"""How people ask what is remembered, all of it or what they gave, one row a language.

Patterns are matched without regard to case, and written without accents. A message asks when it is made of
`everybodys` pieces, or of `mine` ones, and nothing else but those beside them, with a question mark or without.
"""

from dataclasses import dataclass
from typing import Final

from bot.memory import patterns


@dataclass(frozen=True, slots=True, kw_only=True)
class Language:
    """The question in one language."""

    everybodys: str
    """What asks for whatever is remembered, each piece alone."""
    mine: str
    """What asks for what whoever asks gave."""
    beside: str
    """What may stand before or after it."""


_DAYS: Final = r"(?:mon|tues|wednes|thurs|fri|satur|sun)day"
_ENGLISH: Final = {
    "now": (
        r"(?:(?: so far| right now| now| at the moment| already| here| currently| for me| for us| exactly"
        r"| overall)*)"
    ),
    "day": (
        r"(?: (?:from |of )?(?:today|yesterday|tonight|earlier|recently|lately|before|so far|here|just now|already"
        r"|earlier today|the other day|(?:this|last|yesterday) (?:morning|afternoon|evening|night|week|weekend"
        r"|month|year)"
        rf"|(?:on |last |this )?{_DAYS}|in the last (?:few )?(?:hours?|days?|weeks?|\d+ (?:hours?|days?|weeks?"
        rf"|months?))"
        rf"|(?:\d+|a|two|three|a few) (?:days?|weeks?|months?) ago|since (?:yesterday|this morning|last week|{_DAYS})))"
    ),
    "have": (
        r"(?:(?:have |have got |got |'ve got )?(?:saved|stored|noted|kept|memori[sz]ed|written down|remembered"
        r"|recorded|in (?:your )?"
        r"(?:memory|notes)|on file|on record))"
    ),
    "keep": r"(?:remember|save|store|keep|note|memori[sz]e|hold on to|write down|keep in mind|know|record)",
    "stuff": r"(?:memories|memory|notes|things|facts|stuff|everything|all|items|entries|records|information|info)",
    "softly": r"(?: actually| currently| still| already| all| really| even| ever| just)*",
}

ENGLISH: Final = Language(
    everybodys=patterns.either(
        r"""
        what(?: all| else| exactly| things| stuff| memories| facts)? (?:do|did) you{softly} (?:remember|recall|know\
            |keep track of)\
            {now}{day}?
        what(?: all| else| exactly| things| stuff| memories| facts| notes)? (?:do|did) you{softly} \
            (?:have(?: {have})|{keep}){now}{day}?
        what(?: all| else| things| stuff| memories| facts| notes)? (?:have you|you've\
            |you have)(?: got)?{softly} {have}{now}{day}?
        what(?: all)? (?:have you|you've) got(?: {have})?{now}{day}?|what (?:memories|notes|facts) do you (?:have\
            |hold|keep){now}
        what have you (?:learned|learnt|heard|remembered|been told){now}{day}?
        what(?:'s| is)(?: all| currently| stored| saved| there)? (?:in|inside|on) (?:your|the) (?:memory|memories\
            |notes|mind|\
            brain|head|list|palace|database){now}
        what(?:'s| is| has been| was)(?: currently| all)? (?:saved|stored|remembered|noted|kept|recorded){now}{day}?
        (?:show|list|give|tell|read|see|display|print|view)(?: me| us)?(?: out| back)?(?: (?:all|your|the|of|every\
            |my|our|full|\
            saved|whole|list|a list))* (?:memories|memory|notes|facts)(?: (?:that )?you(?:'ve| have)?(?: {have}\
                | {keep}))?{now}
        (?:show|list|tell|give|read)(?: me| us)?(?: back)? (?:everything|all|what|all of it|all the {stuff}\
            |the {stuff}|things|\
            anything)(?: that)? you(?:'ve| have)?{softly} (?:got )?(?:{have}|{keep}|have){now}{day}?
        (?:show|list|give|tell|read|print|display)(?: me| us)?(?: back)? (?:(?:all|your|the|of|every|my|our\
            |full) ){0,4}\
            (?:(?:saved|stored|remembered|kept) (?:{stuff}|entries|ones|reminders)|entries|memory entries|saved\
                |reminders){now}
        (?:show|list|tell|give)(?: me| us)? (?:what|everything|all|whatever)(?: that)? you(?:'ve\
            | have)? been (?:asked|told) to {keep}{now}
        what (?:have|were) you(?: been)? (?:asked|told) to {keep}{now}{day}?
        (?:is there )?(?:anything|something|what) you(?:'ve)? (?:{keep}|{have})(?: (?:from|of|in|about) (?:this|the\
            |our) (?:channel|chat|\
            server|conversation|place|room))?{now}
        (?:which|what) {stuff} (?:do|did|have) you{softly} (?:{keep}|{have}|have){now}{day}?
        (?:your|all|the|saved|list|list of|all your|all the) memories|memories|memory list\
            |everything you (?:remember|know){now}
        how (?:many|much)(?: {stuff})? do you (?:remember|have|have {have}|know){now}
        do you{softly} (?:remember|know|have) (?:anything|something)(?: {have})?{now}\
            |do you have (?:any )?(?:memories|notes){now}
        (?:is|are) there (?:anything|something|any memories)(?: {have})?(?: in (?:your )?(?:memory|notes))?{now}
        """,
        _ENGLISH,
    ),
    mine=patterns.either(
        r"""
        what(?: all| else| exactly| things| stuff)? (?:did|have|had) (?:i|we){softly} (?:ask|asked|tell|told|want\
            |wanted|get|got|have|\
            had|made|make|instruct|instructed)(?: for)? (?:you|hathi)(?: to)? {keep}{now}{day}?
        what(?: all| else| exactly| things| stuff)? (?:did|have|had) (?:i|we){softly} (?:tell|told|give|given|gave\
            |teach|taught|\
            mention(?:ed)? to|say to|said to|share(?:d)? with) (?:you|hathi)(?: (?:about|to (?:{keep})))?{now}{day}?
        what(?: all| else)? (?:did|have) i{softly} (?:say|said|mention|mentioned|share|shared|write|written|post\
            |posted){day}
        what(?: all| else)? (?:did|have) i{softly} (?:save|saved|store|stored|note|noted)(?: with you)?{now}{day}?
        what(?: all| things| stuff)? (?:are|were) you (?:supposed|meant|asked|told) to {keep}(?: for me)?{now}{day}?
        what (?:do you (?:remember|know|have)|have you (?:saved|kept|got)) (?:from|of what|that|what) (?:me\
            |i (?:said|told you|\
            asked(?: you)?(?: to {keep})?|gave you)){now}{day}?
        (?:show|list|give|tell|remind|read)(?: me)?(?: of)?(?: back)? (?:(?:all |everything \
            |all the things )?(?:of )?(?:my|our) {stuff}|\
            (?:what|everything|all|(?:all )?the things|things)(?: that)? i(?:'ve| have)?{softly} (?:asked|told|said\
                |saved|gave|given|\
            wanted)(?: you)?(?: to {keep})?){now}{day}?
        my (?:list of )?(?:memories|notes|reminders)|(?:which|what) (?:memories|notes|things|facts\
            |of your memories)(?: here)? (?:are|is) mine
        do you{softly} (?:remember|know) (?:what|everything|the things|all) i{softly} (?:told|asked\
            |said)(?: to)?(?: you)?\
            (?: to {keep})?{now}{day}?
        """,
        _ENGLISH,
    ),
    beside=patterns.either(
        r"""
        ok|okay|oh|ah|hey|hi|hello|hiya|so|and|now|then|well|right|please|pls|by the way|btw|just|actually|tell me\
            |say|remind me
        thanks|thank you|thx|cheers|i wonder|(?:i am|i'm) curious|curious|(?:can|could|would|will) you(?: please)?\
            |can i (?:see|have|get)
        i(?:'d| would) like to (?:know|see)|i want to (?:know|see)|i forgot|again|let me see|let's see\
            |quick question|do you know
        """
    ),
)

GERMAN: Final = Language(
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

FRENCH: Final = Language(
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

SPANISH: Final = Language(
    everybodys=patterns.either(
        r"""
        que (?:recuerdas|tienes (?:guardado|anotado|memorizado)|has (?:guardado|anotado|memorizado))|de que te acuerdas
        (?:muestrame|ensename|lista) (?:tus|los|todos tus) recuerdos
        """
    ),
    mine=r"que te (?:dije|he dicho|pedi que recordaras|conte)(?: hoy| ayer)?",
    beside=r"ok|okay|ah|oh|hola|oye|y|pues|entonces|dime|por favor|gracias|por cierto|ahora",
)

LANGUAGES: Final = (ENGLISH, GERMAN, FRENCH, SPANISH)
