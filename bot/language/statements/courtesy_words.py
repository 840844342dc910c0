"""Patterns for parts of a message that only thank, take leave, wish or praise, in four languages; of folded text."""

from typing import Final

from bot.language.statements import topic_words
from bot.text import patterns

_SOME: Final = r"[^\W\d_]+(?: [^\W\d_]+){0,5}"
_GOOD: Final = r"(?:lovely|great|nice|wonderful|fantastic|amazing|awesome|brilliant|beautiful|fun|excellent|good)"

THANKS: Final = patterns.either(
    r"""
    (?:(?:ok|okay|oh|so|many|and|great|perfect)[ ,]{1,2}){0,2}\
        (?:thanks|thank you|thank u|thx|ty|tysm|cheers|danke|vielen dank|merci|gracias)\b
    """
)
"""What begins a part that thanks for what it names."""
LEAVE: Final = patterns.either(
    r"""
    (?:see|catch) (?:you|ya|u)(?: (?:all|everyone|guys|there|both|soon|later)){0,2}\
        (?: (?:at|in) (?:the|our|your) {some})?
    (?:(?:and|now) )?off to (?:the |my |our )?{some}
    (?:congrat(?:ulation)?s|kudos|well done|good luck|best wishes|have fun|enjoy)(?: (?:on|for|with|at|to) {some})?
    (?:herzlichen )?gluckwunsch(?: (?:zu|zum|zur) {some})?|viel (?:spass|gluck|erfolg)(?: (?:bei|beim|mit) {some})?
    (?:wir sehen uns|bis dann)(?: alle)?(?: (?:beim|auf dem|auf der|im) {some})?|ab (?:zum|zur|ins|in den) {some}
    (?:felicitations|bravo|bonne chance)(?: (?:pour|a|au) {some})?|on se voit (?:au|a la|aux) {some}
    (?:felicidades|enhorabuena|suerte)(?: (?:por|con|en) {some})?|nos vemos en (?:el|la) {some}
    """,
    {"some": _SOME},
)
"""What takes leave or wishes well, whatever it names."""
PRAISE: Final = patterns.either(
    r"""
    (?:what an? |such an? |really |very |so )?{good}(?: [^\W\d_]+){1,2}
    (?:was fur eine? |so eine? |echt |wirklich )?(?:schon|toll|wunderbar|gelungen)e[nrs]?(?: [^\W\d_]+){1,2}
    (?:quelle? |tres )?(?:belle|beau|super|magnifique|bonne) (?:[^\W\d_]+)
    (?:que )?(?:gran|linda?o?|bonit[ao]|buen[ao]?|maravillos[ao]) (?:[^\W\d_]+)
    """,
    {"good": _GOOD},
)
"""What praises, and tells nothing beside thanks or leave; alone it tells how something was."""
WHEN: Final = topic_words.TIMES | patterns.vocabulary(
    """
    today tonight tomorrow next mittag wochenende nachste nachsten demain soir midi prochain prochaine manana hoy
    proximo proxima miercoles sabado fevrier aout decembre marz
    """
)
"""What tells when something is, as a leave or a wish may."""
