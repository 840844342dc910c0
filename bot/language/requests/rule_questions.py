"""Recognises a question for the rules of a place, which are what its admins laid down; pure.

Patterns ignore case and are written without accents. A message asks for them when it consists of `asking` pieces and
nothing else but `beside` ones, with a question mark or without: "what are the rules for the kiln?" asks of the kiln.
"""

from dataclasses import dataclass
from typing import Final

from bot.text import formulas, patterns


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleWords:
    """One language's questions for the rules."""

    asking: str
    """What asks for them, each piece alone."""
    beside: str
    """What may stand before or after it."""


_ENGLISH: Final = {
    "rules": r"(?:(?:house |server |channel |current |official )?(?:rules?|directives?|guidelines?)|standing orders)",
    "here": r"(?: (?:here|(?:around|in|on|of|for|to) (?:here|this (?:place|server|channel|guild|community))"
    r"|(?:in|on|of|for) the (?:server|channel|guild|community)))?",
    "admins": r"(?:the )?(?:admins?|administrators?|mods?|moderators?)",
    "laid": r"(?:decided?|ordered|order|set|laid down|lay down|ruled?|declared?)",
}

ENGLISH: Final = RuleWords(
    asking=patterns.either(
        r"""
        (?:what|which)(?: are|'re|'s| is)(?: all)?(?: of)?(?: the| our| your)? {rules}{here}(?: to follow)?
        (?:what|which) {rules} (?:are there|are in (?:force|effect|place)|apply|hold|exist|do (?:we|you|i) have){here}
        (?:what|which) {rules} (?:must|should|do|have) (?:we|i|you|people|members)(?: have)? (?:to )?(?:follow|obey\
            |keep to|keep|stick to){here}
        (?:are there|do we have|have we(?: got)?|is there)(?: any| some| a)? {rules}{here}
        (?:list|show|tell|give|remind)(?: me| us)?(?: of)?(?: all)?(?: of)? (?:the|our|your) {rules}{here}
        (?:the |our )?{rules}{here}(?: again)?
        what (?:did|do|have|has) {admins} {laid}{here}(?: so far| already| for us)?
        what(?: all)?(?: was|'s been| has been| were) (?:decided|ordered|laid down|ruled) by {admins}{here}
        what (?:are|were) {admins}(?:'s|s'|')? (?:decisions|orders|rules)
        """,
        _ENGLISH,
    ),
    beside=r"ok|okay|hey|hi|hello|so|and|then|please|pls|now|actually|by the way|btw|again|can you|could you|quick"
    r"|question|i forgot|remind me|tell me|sorry|thanks|currently|exactly|everyone|all",
)

GERMAN: Final = RuleWords(
    asking=patterns.either(
        r"""
        was (?:sind|waren)(?: denn)? (?:die|unsere|eure)(?: ganzen)? {rules}{here}
        (?:was fue?r|welche) {rules} (?:gibt es|gelten|haben wir|gelten fue?r uns|bestehen){here}
        (?:gibt es|haben wir|gelten){here}(?: irgendwelche| bestimmte)? {rules}{here}
        (?:zeig|zeige|nenn|nenne|sag|liste)(?: mir| uns)? (?:die|alle|unsere|alle unsere) {rules}{here}(?: auf)?
        (?:die |unsere )?{rules}{here}
        was haben die {admins}(?: alles| so| bisher| hier)* (?:entschieden|beschlossen|festgelegt|bestimmt|angeordnet\
            |verfue?gt)
        was hat (?:der|die) {admins}(?: alles| so| bisher| hier)* (?:entschieden|beschlossen|festgelegt|bestimmt\
            |angeordnet|verfue?gt)
        """,
        {
            "rules": r"(?:(?:haus|server|kanal|spiel)?regeln|richtlinien|vorschriften|anweisungen|vorgaben)",
            "here": r"(?: (?:hier(?: so)?|bei uns|auf dem server|in diesem (?:kanal|server)|auf diesem server))?",
            "admins": r"(?:admins?|administratoren|mods|moderatoren)",
        },
    ),
    beside=r"ok|okay|ach|hallo|hi|hey|so|und|jetzt|nun|also|bitte|mal|sag mal|danke|ue?brigens|eigentlich|nochmal"
    r"|noch mal|denn|kannst du|genau",
)

FRENCH: Final = RuleWords(
    asking=patterns.either(
        r"""
        (?:quelles|c'est quoi|quelles sont)(?: sont)? (?:les|nos|vos) {rules}{here}
        quelles {rules} (?:y a-t-il|avons[- ]nous|s'appliquent|faut-il (?:suivre|respecter)|on a){here}
        (?:est[- ]ce qu'il y a|y a-t-il|il y a|on a|avons[- ]nous) des {rules}{here}
        (?:montre|liste|donne|rappelle|dis)(?:[- ](?:moi|nous))? (?:les|toutes les|nos) {rules}{here}
        (?:les |nos )?{rules}{here}
        qu'ont (?:decide|ordonne|fixe) les {admins}
        (?:qu'est[- ]ce que|ce que) les {admins} ont (?:decide|ordonne|fixe)
        qu'est[- ]ce qu'ont (?:decide|ordonne|fixe) les {admins}
        """,
        {
            "rules": r"(?:regles(?: du serveur| de la maison)?|consignes|directives)",
            "here": r"(?: (?:ici|chez nous|sur (?:le|ce) serveur|dans ce (?:salon|canal)|du serveur))?",
            "admins": r"(?:admins?|administrateurs|modos|moderateurs)",
        },
    ),
    beside=r"ok|okay|ah|oh|salut|bonjour|alors|et|dis|dis[- ]moi|s'il (?:te|vous) plait|stp|svp|merci|au fait|donc",
)

SPANISH: Final = RuleWords(
    asking=patterns.either(
        r"""
        (?:cuales|que) son (?:las|nuestras) {rules}{here}
        que {rules} (?:hay|tenemos|existen|rigen|se aplican|hay que (?:seguir|cumplir)){here}
        (?:hay|tenemos)(?: algunas)? {rules}{here}
        (?:muestrame|dime|ensename|lista|recuerdame)(?: todas)? (?:las|nuestras) {rules}{here}
        (?:las |nuestras )?{rules}{here}
        que (?:decidieron|han decidido|ordenaron|acordaron) (?:los|las) {admins}
        """,
        {
            "rules": r"(?:reglas|normas|directrices)",
            "here": r"(?: (?:aqui|por aqui|del servidor|en este (?:servidor|canal)|de este (?:servidor|canal)))?",
            "admins": r"(?:admins?|administradores|administradoras|mods|moderadores)",
        },
    ),
    beside=r"ok|okay|ah|oh|hola|oye|y|pues|entonces|dime|por favor|gracias|por cierto|ahora",
)

LANGUAGES: Final = (ENGLISH, GERMAN, FRENCH, SPANISH)


def asks(text: str, bot_name: str = "Hathi") -> bool:
    """Whether a message as a whole asks which rules there are, or what the admins laid down."""
    return formulas.is_asked_with(text, ((each.asking, each.beside) for each in LANGUAGES), bot_name)
