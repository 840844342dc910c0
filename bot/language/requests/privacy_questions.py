"""Patterns for asking what is recorded, who sees it and how to stop it, by language.

Patterns ignore case and are written without accents. A message asks for that when it consists of `asking` pieces and
nothing else but `beside` ones, with a question mark or without.
"""

from dataclasses import dataclass
from typing import Final

from bot.language.requests import self_questions
from bot.text import patterns


@dataclass(frozen=True, slots=True, kw_only=True)
class PrivacyQuestionWords:
    """One language's questions about privacy."""

    asking: str
    """What asks for it, each piece alone."""
    beside: str
    """What may stand before or after it: a greeting, please, thanks."""


ENGLISH: Final = PrivacyQuestionWords(
    asking=patterns.either(
        r"""
        (?:do|will|can|are) you(?: {always})? (?:{keep}|{keeping})(?: {always})?(?: {said}| our (?:talk|chat)s?)\
            (?: {here}| {always})*
        are you(?: {always})? (?:listening|recording|logging|watching|spying|reading along|reading everything)\
            (?: on us| in| along| to (?:us|me))?(?: {here}| {always})*
        (?:who|who else|who all) (?:can|could|may|will|is able to|gets to) (?:see|read|know)(?: of)? {told}(?: {here})*
        (?:can|could|do|will) (?:the )?(?:admins?|mods?|moderators?|owner|others|other people|anyone|anybody|everyone\
            |everybody|they)(?: else)? (?:see|read|know) {told}(?: {here})*
        (?:is|are) {told}(?: {always})? (?:private|confidential|public|secret|recorded|stored|saved|kept|logged|safe)\
            (?: {here}| online| with you)*
        (?:do|will|would) you (?:share|sell|pass on|give away|tell anyone) {told}(?: with (?:anyone|others))?
        (?:do|will|would) you tell (?:anyone|anybody|others|people) {told}
        (?:where|how) do you (?:keep|store|save) {told}(?: {here})*
        how (?:do|can|could|would) (?:i|we|you) (?:stop|keep|prevent) you(?: from)? (?:{keeping}|listening)\
            (?: to)?(?: {told}| me| us)?(?: {here})*
        how (?:do|can|could|would) (?:i|we) (?:make|get|have|let) you(?: to)? (?:forget|erase|delete|stop remembering) \
            (?:me|us|{told})
        how (?:do|can|could) (?:i|we) (?:opt out|be forgotten|delete my data|erase my data)
        what (?:do|are) you (?:{keep}|{keeping})(?: {here})*
        what about (?:my )?privacy|privacy
        """,
        {
            "keep": r"(?:record|log|keep|store|save|track|collect|memorize|memorise)",
            "keeping": r"(?:recording|logging|keeping|storing|saving|tracking|collecting|memorizing|remembering)",
            "always": r"(?:always|all the time|constantly|secretly|also|ever|even)",
            "here": r"(?:here|in here|in this (?:channel|server|chat|group)|on this server|to you)",
            "said": (
                r"(?:(?:everything|anything|all|what|whatever)(?: that)?(?: (?:i|we|people) (?:say|write|type|tell you"
                r"|post|send))?)"
            ),
            "told": (
                r"(?:this|it|that|(?:what|everything|all|anything)(?: that)? (?:i|we) (?:say|write|type|tell you"
                r"|told you|said|wrote)(?: to you)?|(?:my|our) (?:messages|data|talk|chats?|conversations?"
                r"|secrets?|notes|memories|info|information|stuff)(?: to you| with you)?)"
            ),
        },
    ),
    beside=self_questions.ENGLISH.beside,
)

GERMAN: Final = PrivacyQuestionWords(
    asking=patterns.either(
        r"""
        (?:zeichnest|nimmst) du (?:hier )?(?:alles|immer|staendig|das) (?:hier )?auf
        (?:speicherst|merkst|behaeltst|protokollierst) du (?:dir )?(?:alles|immer alles|das)(?:,? was (?:ich|wir) \
            (?:dir )?(?:sagen?|schreiben?))?(?: hier)?
        (?:hoerst|liest) du (?:hier )?(?:immer |alles |staendig )*mit
        wer (?:kann|darf) (?:das|es|alles|hier|meine nachrichten|was ich (?:dir )?(?:sage|schreibe)) (?:sehen|lesen)
        (?:ist|bleibt) das (?:hier )?(?:privat|vertraulich|oeffentlich|geheim|gespeichert)
        wo (?:speicherst|behaeltst) du (?:das|es|meine daten)
        wie (?:kann ich|bringe ich|mache ich)(?: es)?,? (?:dich dazu,? )?(?:dass du )?mich (?:zu )?vergisst
        wie (?:kann ich )?(?:meine daten loeschen|loesche ich meine daten)|(?:was ist mit dem )?datenschutz
        """
    ),
    beside=self_questions.GERMAN.beside,
)

FRENCH: Final = PrivacyQuestionWords(
    asking=patterns.either(
        r"""
        (?:est[- ]ce que )?tu (?:enregistres|gardes|stockes|notes|ecoutes) (?:tout|toujours|tout le temps)(?: ici)?\
            (?: ce qu(?:'on|e (?:je|nous)) (?:te )?(?:dis|dit|disons|ecris|ecrit))?
        qui (?:peut|pourra) (?:voir|lire) (?:ca|cela|ceci|mes messages|ce que je (?:te )?(?:dis|ecris))
        (?:est[- ]ce que )?c'est (?:prive|confidentiel|public|enregistre)
        ou (?:gardes|stockes)[- ]tu (?:ca|cela|mes donnees)
        comment (?:te faire m'oublier|effacer mes donnees|supprimer mes donnees)
        """
    ),
    beside=self_questions.FRENCH.beside,
)

SPANISH: Final = PrivacyQuestionWords(
    asking=patterns.either(
        r"""
        (?:grabas|guardas|registras|escuchas) (?:todo|siempre)(?: lo que (?:digo|decimos|escribo|escribimos))?(?: aqui)?
        quien puede (?:ver|leer) (?:esto|eso|mis mensajes|lo que (?:te )?(?:digo|escribo))
        (?:esto )?es (?:privado|confidencial|publico)(?: esto)?
        donde guardas (?:esto|eso|mis datos)
        como (?:hago para que me olvides|borro mis datos|puedo borrar mis datos)
        """
    ),
    beside=self_questions.SPANISH.beside,
)

LANGUAGES: Final = (ENGLISH, GERMAN, FRENCH, SPANISH)
