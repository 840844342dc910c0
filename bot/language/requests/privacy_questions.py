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


_SAYING: Final = (
    r"(?:(?:everything|anything|all|what(?:ever)?|things|messages|the (?:things|stuff|messages))(?: of what| that)?"
    r" (?:i|we|people|users|everyone|everybody) (?:just |have |'ve )?"
    r"(?:say|said|writes?|wrote|types?|typed|posts?|posted|sends?|sent|tell|told)(?: (?:to )?you)?)"
)
_MINE: Final = (
    r"(?:(?:all |any )?(?:of )?(?:my|our|the|these|those|people's|everyone's) (?:own |private )?"
    r"(?:messages?|msgs?|dms?|chats?|conversations?|texts?|words|data|stuff|info(?:rmation)?|secrets?|talk))"
)
_ENGLISH: Final = {
    "said": rf"(?:this|that|it|any of this|all (?:of )?this|{_MINE}|{_SAYING})",
    "talk": rf"(?:{_MINE}|{_SAYING})",
    "all": (
        rf"(?:everything|anything|all of (?:this|that|it)|us|this(?: (?:chat|conversation|channel))?|{_MINE}|{_SAYING})"
    ),
    "here": (
        r"(?:,? (?:(?:in|on) (?:here|this|that)(?: (?:channel|chat|server|group))?|here|in dms?|privately|somewhere"
        r"|anywhere|online|right now|now|with you|to you|from me|about me|too|at all|always|all the time))*"
    ),
    "ever": r"(?: even| also| really| actually| ever| always| constantly| secretly| just| still| already| now)*",
    "see": r"(?:see|read|view|access|find|look at|get at|know)",
    "keep": r"(?:record|log|store|save|keep|track|collect|archive|retain|monitor|listen(?: in)?(?: to| on)?|spy on)",
    "keeping": (
        r"(?:recording|logging|storing|saving|keeping|tracking|collecting|archiving|monitoring|remembering|watching"
        r"|(?:listening|spying|reading)(?: in| along)?(?: to| on)?)"
    ),
    "kept": r"(?:recorded|logged|stored|saved|kept|tracked|collected|archived|remembered)",
    "log": r"(?:(?:a |any |the )?(?:logs?|records?|cop(?:y|ies)|history|transcripts?) of )?",
    "unasked": (
        r"(?:,? (?:even )?(?:when|if) (?:i|we) (?:don't|do not|didn't|dont)(?: even)? (?:say|ask|tell you|use)"
        r"(?: you)?(?: to)?(?: ?[\"']?remember[\"']?)?(?: you| it| to)?)?"
    ),
    "i": r"(?:how (?:do|can|could|would) (?:i|we))",
}

ENGLISH: Final = PrivacyWords(
    asking=patterns.either(
        r"""
        (?:do|did|will|would|are|can) you{ever} (?:going to )?(?:{keep}|{keeping}) {log}{all}{here}{unasked}
        do you{ever} remember everything(?: (?:i|we) (?:say|write|type))?{here}
        are you{ever} {keeping}(?: me)?{here}
        (?:am i|are we|(?:is|are) (?:everything|anything|{said})){here}{ever} (?:being )?{kept}{here}{unasked}
        (?:is|are) {said}{here}{ever} (?:private|secret|public|safe|secure|confidential|anonymous|between us){here}
        how (?:private|safe|secure|confidential) (?:is|are) {said}{here}
        (?:do|will|would) you{ever} (?:share|sell|pass on|give away|leak) {said}(?: (?:with|to) \w+)?{here}
        (?:do|will|would) you{ever} tell (?:anyone|anybody|others|people){ever} {said}
        do you{ever} keep {said} (?:private|confidential|secret|safe){here}
        what(?: all| exactly)? (?:do you{ever} {keep}|gets {kept}|is(?: being)? {kept}|are you {keeping})\
            (?: of (?:us|{talk}))?{here}
        (?:for )?how long (?:do you{ever} {keep}|is|are) {said}(?: {kept}| for)?{here}
        where (?:does|do|is|are) {said} (?:go|end up|live|{kept}){here}
        (?:where|how) do you{ever} (?:keep|store|save) {said}{here}
        (?:who(?: else| all)?|which people) (?:can|could|may|will|is able to|are able to|gets to)\
            (?: all)? {see} {said}{here}
        who(?: else)? (?:sees|reads) {said}{here}
        (?:can|could|do|does|will) (?!(?:you|u|i|we)\b)[\w'-]{2,32}(?: [\w'-]{1,32})? (?:be able to )?{see} {talk}{here}
        (?:{i} )?opt(?:ing)? (?:me )?out(?: of (?:this|that|it|memory|your memory|being (?:remembered|recorded)))?
        {i} (?:stop|keep|prevent|get) (?:you|this|that|it)(?: from| to stop)? (?:{keep}|{keeping}|remember)\
            (?: me| {all})?{here}
        {i} (?:make|get|have|let) you(?: to)? (?:forget|erase|delete|stop remembering) (?:me|us)
        {i} (?:be forgotten|(?:delete|erase) {talk})
        {i} (?:see|get|view|read|check|find out|download|export|have)(?: all(?: of)?| everything| what(?:ever)?)?\
            (?: that)? (?:you{ever} (?:have|know|{keep}|(?:have )?{kept})(?: {kept})? (?:on|about|of|from) me|my data)\
            {here}
        (?:i(?:'d like| want| need) (?:to (?:see|have|get|download|export) )?|can i (?:see|get|have|download|export) \
            |(?:show|send|give|export|download)(?: me)? )(?:all (?:of )?|a copy of ){0,2}my data{here}
        (?:can|could|does|will) (?!(?:you|u|i|we|he|she|they|it)\b)[\w'-]{2,32} (?:be able to )?read \
            (?:this|it|that){here}
        {i} (?:see|check|find out|know) what(?: all)? you(?:'ve| have)? (?:got |have )?(?:{kept}|got|on me)\
            (?: (?:about|on|of|from) (?:me|us))?{here}
        is (?:there )?anything (?:{kept} )?(?:about|on|of) me(?: (?:{kept}|in there|in here|in your \
            (?:memory|database)))*
        (?:do|did|will|would) you{ever} (?:train|feed)(?: (?:an? )?(?:ai|llms?|models?|yourself|itself))? \
            (?:on|with) {said}{here}
        (?:do|will|would) you{ever} use {said} (?:to train|for training)(?: \
            (?:an? )?(?:ai|llms?|models?|yourself))?{here}
        (?:is|are|will) {said}{ever} (?:be |being |getting )?(?:sent|shared|given|sold|uploaded) \
            (?:to|with) \S{2,32}{here}
        (?:are you |is (?:this|that|it|the bot) )?(?:gdpr|dsgvo|rgpd)[ -]?(?:compliant|conform|ok|safe)?
        do you{ever} (?:{keep}|have|see) (?:(?:my|our|the|any) )?(?:deleted|edited) \
            (?:messages?|msgs?|stuff|things){here}
        do you{ever} (?:read|see|follow) {talk} (?:in|on|from) (?:other|all|different) \
            (?:servers?|channels?|chats?|dms?|places)
        why do you{ever} (?:remember|{keep}) (?:things|stuff|anything|something|all this)(?: (?:about|on|of) \
            (?:me|us))?{here}
        who (?:owns|has|holds|controls) {talk}{here}
        (?:did you(?: really| actually)? (?:delete|erase|forget) (?:it|that|this|everything|them)(?: all)?\
            |(?:how|when) (?:can|could|do) i (?:be sure|know)(?: that)? \
            (?:it|that|everything)(?:'s| is| was) (?:really )?\
            (?:deleted|erased|gone|forgotten))
        (?:(?:can|could|will|would) you |you (?:may|can|are allowed to) |please )?\
            (?:(?:start|begin|resume) remembering (?:me|us)|remember (?:me|us) again|opt (?:me )?(?:back )?in)\
            (?: again)?
        (?:turn|switch) (?:my )?memory (?:back )?on(?: again)?(?: for me)?
        {i} opt (?:me )?(?:back )?in(?: again)?
        (?:what about |how about |do you (?:respect|have) |what(?:'s| is) )?(?:any |my |our |your |a |the )?\
            privacy(?: policy)?
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
        (?:zeichnest|nimmst) du (?:hier )?(?:alles|immer|staendig|das) (?:hier )?auf
        wo (?:speicherst|behaeltst) du (?:das|es|meine daten)
        (?:zeig|gib|schick|exportiere?)(?: mir)?(?: bitte)?(?: alle)? meine(?: gespeicherten)? daten
        wie (?:kann|bekomme) ich (?:alles|alle|meine daten)(?: sehen|, was du (?:von|ueber) mich? hast)?(?: sehen)?
        du darfst (?:dich|dir) (?:wieder an mich erinnern|mich wieder merken)
        wie (?:kann ich )?(?:meine daten loeschen|loesche ich meine daten)|(?:was ist mit dem )?datenschutz
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
        (?:montre|donne|envoie|exporte)(?:[- ]moi)?(?: toutes)? mes donnees
        comment (?:voir|obtenir|exporter) mes donnees
        tu peux (?:de nouveau te souvenir de moi|te souvenir de moi (?:a|de) nouveau)
        ou (?:gardes|stockes)[- ]tu (?:ca|cela|mes donnees)|comment (?:effacer|supprimer) mes donnees
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
        (?:muestra|ensena|dame|envia|exporta)(?:me)?(?: todos)? mis datos|como (?:veo|puedo ver|obtengo) mis datos
        puedes (?:volver a recordarme|recordarme de nuevo)
        donde guardas (?:esto|eso|mis datos)|como (?:borro|puedo borrar) mis datos
        que (?:grabas|guardas|registras)(?: aqui)?
        """
    ),
    beside=self_questions.SPANISH.beside,
)

LANGUAGES: Final = (ENGLISH, GERMAN, FRENCH, SPANISH)
