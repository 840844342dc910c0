"""Patterns for asking what is known about oneself, by language.

Patterns ignore case and are written without accents. A message asks about oneself when it consists of `asking` pieces
and nothing else but `beside` ones, with a question mark or without.
"""

from dataclasses import dataclass
from typing import Final

from bot.text import patterns


@dataclass(frozen=True, slots=True, kw_only=True)
class SelfQuestionWords:
    """One language's questions about oneself."""

    asking: str
    """What asks for what is known about the person, each piece alone."""
    beside: str
    """What may stand before or after it: a greeting, please, thanks."""


_ENGLISH: Final = {
    "me": r"(?:me|myself)",
    "all": (
        r"(?:(?: all| everything| so far| already| by now| here| really| actually| even| still| today| lately"
        r"| recently)*)"
    ),
    "thing": r"(?:anything|something|any (?:facts?|info|information|notes?|memories|data)|things?)",
    "others": (
        r"(?:people|others|the others|they|everyone|everybody|folks|members|anyone|anybody|someone|somebody"
        r"|(?:any|some) of (?:them|you))"
    ),
    "have": r"(?:have|hold|(?:have )?got|keep|store|save|remember|know)",
    "learned": (
        r"(?:learned|learnt|remembered|stored|saved|noted|kept|found out|written down|heard|gathered|picked up)"
    ),
    "kept": r"(?: (?:stored|saved|noted|kept|written down|on file|in (?:your )?memory))?",
    "what": r"(?:what(?: all| else| exactly)?|everything(?: that)?|all(?: that)?|whatever)",
    "stuff": r"(?:facts?|info|information|notes?|memories|data|things?|stuff)",
    "on": r"(?:about|of|on|regarding)",
}

ENGLISH: Final = SelfQuestionWords(
    asking=patterns.either(
        r"""
        {what} do you{all} {have}{kept} {on} {me}{all}{kept}
        {what} did you{all} {have}{kept} {on} {me}{all}
        {what} (?:have you|did you|you've|have you ever|you have){all} {learned} {on} {me}{all}
        {what} have you got{kept} {on} {me}{all}
        {what} {stuff} (?:do|have) you{all} (?:{have}|{learned}){kept} {on} {me}{all}
        {what}(?: is|'s) (?:stored|saved|noted|kept|known|remembered|in (?:your )?memory) {on} {me}
        (?:what's|what is) known {on} {me}
        what can you tell me {on} {me}
        do you{all} (?:know|remember|have) {thing} {on} {me}
        do you (?:know|remember) who i am|do you (?:know|remember) me|who am i to you|who am i
        (?:tell|show|list)(?: me)?(?: all| everything)? (?:what|that|{stuff}|everything|all)?(?: that)? ?you{all} \
            {have}{kept} \
            {on} {me}{all}
        (?:tell|show)(?: me)? (?:what|everything|all)(?: that)? you(?:'ve| have)? {learned} {on} {me}
        (?:show|list)(?: me)? (?:your |the |all |all your )?{stuff}(?: you have)? {on} {me}
        how much do you{all} {have}{kept} {on} {me}{all}
        tell me {on} {me}
        what (?:has|have|did|does|do)? ?{others} (?:ever )?(?:said|say|told you|tell you|saying|written?|think) \
            {on} {me}{all}
        (?:has|have|did|does|do) {others} (?:ever )?(?:say|said|tell you|told you|mention(?:ed)?|write|written)\
            (?: {thing})? {on} {me}{all}
        """,
        _ENGLISH,
    ),
    beside=patterns.either(
        r"""
        ok|okay|oh|ah|hey|hi|hello|hiya|so|and|now|then|well|right|please|pls|by the way|btw|just|actually|tell me|say
        thanks|thank you|thx|cheers|show (?:it|me|that)|i wonder|(?:i am|i'm) curious|curious|(?:can|could\
            |would) you(?: please)?
        """
    ),
)

GERMAN: Final = SelfQuestionWords(
    asking=patterns.either(
        r"""
        was (?:alles )?(?:wei(?:ss|ß)t|kennst|merkst) du (?:dir )?(?:denn |eigentlich |alles |schon |so |bisher |\
            noch )*\
            (?:ue?ber|von) mi(?:ch|r)(?: alles| schon| noch| so)*
        was hast du (?:dir )?(?:denn |eigentlich |alles |schon |so |bisher )*(?:ue?ber|von|zu) mi(?:ch|r) \
            (?:alles |schon |so )*(?:gespeichert|gemerkt|notiert|behalten|gelernt|erfahren|im gedae?chtnis)
        was (?:ist|steht) (?:bei dir )?(?:ue?ber|von) mi(?:ch|r) (?:gespeichert|bekannt|notiert|in deinem gedae?chtnis)
        wei(?:ss|ß)t du (?:denn |eigentlich |schon )*(?:etwas|was|irgendetwas|irgendwas) (?:ue?ber|von) mi(?:ch|r)
        (?:sag |sage |zeig |zeige |erzae?hl |erzae?hle )?(?:mir )?(?:bitte |mal |alles )*was du (?:alles |so \
            )*(?:ue?ber|von) \
            mi(?:ch|r) (?:alles )?(?:wei(?:ss|ß)t|gespeichert hast|gemerkt hast)
        woran erinnerst du dich (?:bei|von|ue?ber) mi(?:ch|r)|(?:wei(?:ss|ß)t du,?|und) wer ich bin|wer bin ich(?: \
            fue?r dich)?
        """
    ),
    beside=patterns.either(
        r"""
        ok|okay|ach|hallo|hi|hey|so|und|jetzt|nun|also|bitte|mal|sag mal|(?:sage?|zeige?|erzae?hle?)(?: mir)?|danke|\
            ue?brigens|eigentlich|kannst du
        """
    ),
)

FRENCH: Final = SelfQuestionWords(
    asking=patterns.either(
        r"""
        (?:que|qu'est[- ]ce que|de quoi|c'est quoi ce que) (?:sais|savez|connais|connaissez|retiens|gardes)[ -](?:tu|\
            vous) \
            (?:deja |donc |encore )*(?:de|sur|a propos de) moi
        (?:qu'est[- ]ce que|ce que|tout ce que) (?:tu|vous) (?:sais|savez|connais|connaissez|retiens|as retenu|as \
            appris|as garde|as enregistre|as memorise|avez retenu|avez appris|avez enregistre) (?:deja |donc |encore )*\
            (?:de|sur|a propos de|concernant) moi
        (?:tu|vous) (?:sais|savez|connais) quoi (?:de|sur) moi
        qu'as[- ]tu (?:retenu|appris|garde|enregistre|memorise|note) (?:de|sur|a propos de) moi
        (?:sais|savez)[ -](?:tu|vous) (?:quelque chose|quoi que ce soit) (?:de|sur) moi
        de quoi te souviens[- ]tu (?:de|sur|a propos de) moi|(?:sais[- ]tu|tu sais) qui je suis|qui suis[- ]je
        """
    ),
    beside=patterns.either(
        r"""
        ok|okay|ah|oh|salut|bonjour|alors|et|dis|dis[- ]moi|dites[- ]moi|montre[- ]moi|s'il (?:te|vous) plait|stp|\
            svp|merci
        au fait|donc
        """
    ),
)

SPANISH: Final = SelfQuestionWords(
    asking=patterns.either(
        r"""
        (?:que|que cosas|cuanto|que mas|lo que|todo lo que) (?:ya )?(?:sabes|sabe|conoces|recuerdas|recuerda|tienes|\
            guardas) \
            (?:ya |todavia )*(?:de|sobre|acerca de) mi
        (?:que|lo que|todo lo que) (?:has|ha) (?:aprendido|guardado|recordado|anotado|memorizado) (?:de|sobre|acerca \
            de) mi
        (?:que|que cosas|que datos|que informacion) tienes (?:guardado |guardada |guardados |anotado )?(?:de|sobre|\
            acerca \
            de) mi
        (?:sabes|recuerdas|tienes) (?:algo|alguna cosa) (?:de|sobre|acerca de) mi
        de que te acuerdas (?:de|sobre) mi|que te acuerdas de mi|sabes quien soy(?: yo)?|quien soy(?: yo)?
        """
    ),
    beside=patterns.either(
        r"""
        ok|okay|ah|oh|hola|oye|y|pues|entonces|dime|di|muestrame|cuentame|por favor|gracias|por cierto|ahora
        """
    ),
)

LANGUAGES: Final = (ENGLISH, GERMAN, FRENCH, SPANISH)
