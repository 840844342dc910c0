"""Reads questions that count the time until something: what answers them is when that is; pure."""

from typing import Final

from bot.text import patterns

_UNITS: Final = "minutes|hours|days|nights|sleeps|weeks|months"
_HOW_MANY: Final = patterns.either(
    rf"""
    \bhow many (?:more )?(?:{_UNITS})(?=(?: \w+){{0,4}} (?:until|till|til|before|to (?:the|my|our|your))\b)
    \bwie ?viele (?:minuten|stunden|tage|n\u00e4chte|wochen|monate)(?=(?: \w+){{0,4}} bis\b)
    \bcombien de (?:minutes|heures|jours|nuits|semaines|mois)(?=.{{0,30}} (?:avant|jusqu|d'ici)\b)
    \bcu[a\u00e1]nt[oa]s (?:minutos|horas|d[i\u00ed]as|noches|semanas|meses)(?=.{{0,30}} (?:para|hasta)\b)
    """
)


def plainly(question: str) -> str:
    """The question with "when" for "how many days" until something: nothing that tells when it is counts them."""
    return patterns.compiled(_HOW_MANY).sub("when", question)
