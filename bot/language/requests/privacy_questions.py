"""Patterns for asking what is recorded, who may see it and how to stop it, by language.

Patterns ignore case and are written without accents. A message asks that when it consists of `asking` pieces and
nothing else but `beside` ones, with a question mark or without.
"""

from dataclasses import dataclass
from typing import Final

from bot.language.requests import self_questions
from bot.text import patterns


@dataclass(frozen=True, slots=True, kw_only=True)
class PrivacyWords:
    """One language's questions about what is recorded and who sees it."""

    asking: str
    """What asks it, each piece alone."""
    beside: str
    """What may stand before or after it: a greeting, please, thanks."""


_TALK: Final = (
    r"(?:everything (?:we|i|people) (?:say|write|type|tell you)|(?:what|whatever|anything) (?:we|i|people) "
    r"(?:say|write|type|tell you)|(?:all )?(?:my|our|the|these|those|people's|everyone's) (?:\w+ )?"
    r"(?:messages?|msgs?|dms?|chats?|conversations?|texts?|words|data))"
)
_ENGLISH: Final = {
    "talk": _TALK,
    "said": rf"(?:this|that|it|{_TALK})",
    "much": rf"(?:everything|all of (?:this|that|it)|us|{_TALK})",
    "here": r"(?: (?:here|to you|with you|in here|in (?:this|that) (?:channel|chat|server)|from me|in dms?))*",
    "see": r"(?:see|read|view|access|look at|get at)",
    "keep": r"(?:record|log|store|save|keep|track|collect|archive|monitor|listen(?: in)?(?: to| on)?|spy on)",
    "keeping": (
        r"(?:recording|logging|storing|saving|keeping|tracking|collecting|archiving|monitoring|reading|spying on|"
        r"listening(?: in)?(?: to| on)?)"
    ),
    "remember": r"(?:remember|record|log|sav|stor|track|keep|listen|read)(?:e|p|ing|ping|ding)?",
}

_KEPT_WORDS: Final = {
    "keep": r"(?:keep|save|store|record|log|remember|track|collect|retain|archive)(?: down)?",
    "keeping": r"(?:keeping|saving|storing|recording|logging|remembering|tracking|collecting|retaining|archiving)",
    "kept": r"(?:kept|saved|stored|recorded|logged|remembered|tracked|collected|retained|archived)",
    "all": r"(?:(?: even| also| really| actually| ever| always| just| still| already| now)*)",
    "logs": r"(?:(?:a |any |the )?(?:logs?|records?|copy|copies|history|transcripts?) of )",
    "what": (
        r"(?:everything|anything|all(?: that| of what)?|what(?:ever)?|the (?:things|stuff|messages)(?: that)?|things"
        r"|messages(?: that)?)"
    ),
    "say": (
        r"(?:(?:i|we|people|users|everyone|everybody) (?:just |have |'ve )?"
        r"(?:say|said|write|wrote|type|typed|post|posted|send|sent|tell|told)(?: (?:you|to you))?)"
    ),
    "mine": (
        r"(?:(?:all |any )?(?:of )?(?:my|our)"
        r" (?:messages?|chats?|data|words|stuff|dms?|conversations?|info|texts?))"
    ),
    "here": (
        r"(?:(?: (?:here|in here|in this (?:channel|server|chat)|in dms?|privately|somewhere|anywhere|right now|now"
        r"|to you|about me|too|at all))*)"
    ),
    "unasked": (
        r"(?:(?:,? (?:even )?(?:when|if) (?:i|we) (?:don't|do not|didn't|dont)(?: even)? (?:say|ask|tell you|use)"
        r"(?: you)?(?: to)?(?: ?[\"']?remember[\"']?)?(?: you| it| to)?)?)"
    ),
}

ENGLISH: Final = PrivacyWords(
    asking=patterns.either(
        r"""
        (?:do|did|will|would|are|can) you{all} (?:going to )?(?:{keep}|{keeping}) \
            {logs}?(?:{what} {say}|{mine}|this(?: (?:chat|conversation|channel))?){here}{unasked}
        are you{all} {keeping} (?:me|us){here}
        (?:am i|are we|is (?:this|it|that|any of this|all of this|all this|everything|anything|{what} {say}{here}\
            |{mine})|are {mine}){all} (?:being )?{kept}{here}{unasked}
        (?:is|are) (?:this|it|that|{mine}|what {say}|this (?:chat|conversation|channel)){all} \
            (?:private|confidential){here}
        do you{all} keep (?:this|it|{mine}|what {say}) (?:private|confidential|secret|safe){here}
        what (?:exactly )?(?:do you{all} (?:keep|store|save|record|log)|gets {kept}|is(?: being)? {kept}\
            |are you {keeping})(?: of (?:{mine}|what {say}))?{here}
        how long (?:do you{all} {keep}|(?:is|are)) (?:{what} {say}|{mine}|this|it|them)(?: {kept}| for)?{here}
        for how long do you{all} {keep} (?:{what} {say}|{mine}|this|it|them)
        where (?:does|do|is|are) (?:{mine}|what {say}|this|it) (?:go|end up|live|{kept}){here}
        who(?: else)? (?:can|could|may|will|is able to|gets to) (?:{all} )?(?:see|read|access|view|find) \
            (?:{mine}|{what} {say}|this|it|that){here}
        who(?: else)? sees (?:{mine}|{what} {say}|this){here}
        (?:what(?:'s| is) )?(?:your |the )?privacy(?: policy)?|how (?:private|safe|secure) is (?:this|it|{mine})
        """,
        _KEPT_WORDS,
    )
    + "|"
    + patterns.either(
        r"""
        (?:is|are) {said}{here} (?:private|secret|public|safe|secure|confidential|anonymous|between us){here}
        (?:who(?: else| all)?|which people) (?:can|could|will|gets to|is able to|are able to)\
            (?: all)? {see} {said}{here}
        (?:can|could|do|does|will) (?!(?:you|u|i|we)\b)[\w'-]{2,32}(?: [\w'-]{1,32})? (?:be able to )?{see} {talk}{here}
        (?:do|will) you(?: also| really| always| secretly)? (?:{keep} {much}|(?:remember|read) {talk}){here}
        are you(?: also| really| always| secretly)? {keeping}(?: {much})?{here}
        what(?: all| exactly)? (?:do you|gets|is) \
            (?:record|log|store|save|keep|collect|recorded|logged|stored|saved|kept)(?: of us)?{here}
        (?:how (?:do|can|could) (?:i|we) )?opt(?:ing)? (?:me )?out(?: of (?:this|that|it|memory|your memory|being \
            (?:remembered|recorded)))?
        how (?:do|can|could) (?:i|we) (?:stop|get) (?:you|this|that|it)(?: from| to stop)? {remember}\
            (?: me| {much})?{here}
        (?:what about|how about|do you (?:respect|have)|what's your|what is your) \
            (?:any |my |our |a )?privacy(?: policy)?
        """,
        _ENGLISH,
    ),
    beside=f"{self_questions.ENGLISH.beside}|but|wait|um+|uh+|hm+|hold on|question|quick question|be honest|honestly",
)

GERMAN: Final = PrivacyWords(
    asking=patterns.either(
        r"""
        ist (?:das|dies|es)(?: hier)?(?: denn| eigentlich)? (?:privat|geheim|o(?:e|)ffentlich|vertraulich|anonym|sicher)
        wer (?:kann|darf)(?: denn| eigentlich| alles| hier)* (?:das|dies|mich|(?:meine|unsere) \w+|was ich \w+)\
            (?: hier)?(?: alles)? (?:sehen|lesen|mitlesen)|wer (?:liest|sieht)(?: hier)?(?: das)?(?: alles)?(?: mit)?
        (?:speicherst|merkst|liest|protokollierst) du(?: dir)?(?: hier| eigentlich| denn| wirklich)* (?:alles|das|\
            alle nachrichten|(?:meine|unsere) \w+)(?: mit)?
        (?:hoe?rst|liest) du(?: hier| immer| eigentlich)*(?: alles)? (?:mit|zu)
        was (?:speicherst|protokollierst) du(?: hier| eigentlich| alles| denn)*
        wie (?:kann|werde) ich (?:dem |der speicherung )?(?:widersprechen|dich daran hindern)
        """
    ),
    beside=self_questions.GERMAN.beside,
)

FRENCH: Final = PrivacyWords(
    asking=patterns.either(
        r"""
        (?:est[- ]ce que )?c'est (?:prive|secret|public|confidentiel|anonyme)(?: ici)?|est[- ]ce \
            (?:prive|secret|public|confidentiel)
        qui (?:peut|pourra) (?:voir|lire) (?:ca|cela|(?:mes|nos) \w+|ce que (?:je|j'|on|nous) ?\w+)(?: ici)?
        (?:est[- ]ce que )?tu (?:enregistres|gardes|lis|stockes|ecoutes)(?: vraiment)? \
            (?:tout|(?:mes|nos) \w+|ce qu'on \w+)(?: ici)?
        (?:enregistres|gardes|lis|stockes|ecoutes)[- ]tu (?:tout|(?:mes|nos) \w+)(?: ici)?
        qu'est[- ]ce que tu (?:enregistres|gardes|stockes)(?: ici)?|qu'enregistres[- ]tu
        """
    ),
    beside=self_questions.FRENCH.beside,
)

SPANISH: Final = PrivacyWords(
    asking=patterns.either(
        r"""
        (?:es|esto es|eso es|es esto)(?: todo)? (?:privado|secreto|publico|confidencial|anonimo)(?: aqui)?
        quien(?:es)? (?:puede|pueden|podra) (?:ver|leer) (?:esto|eso|(?:mis|nuestros) \w+|lo que \w+)(?: aqui)?
        (?:grabas|guardas|lees|registras|escuchas) (?:todo|esto|(?:mis|nuestros) \w+|lo que \w+)(?: aqui)?
        que (?:grabas|guardas|registras)(?: aqui)?
        """
    ),
    beside=self_questions.SPANISH.beside,
)

LANGUAGES: Final = (ENGLISH, GERMAN, FRENCH, SPANISH)
