"""Names of months and weekdays and words for days in four languages, in lower case without accents."""

from typing import Final

MONTHS: Final = {
    name: number
    for number, names in enumerate(
        (
            "january jan januar janner janvier janv enero",
            "february feb februar fevrier fevr febrero",
            "march marz mars marzo",
            "april apr avril avr abril",
            "may mai mayo",
            "june jun juni juin junio",
            "july jul juli juillet juil julio",
            "august aug aout agosto",
            "september sept sep septembre septiembre",
            "october oct okt oktober octobre octubre",
            "november nov novembre noviembre",
            "december dec dez dezember decembre diciembre",
        ),
        start=1,
    )
    for name in names.split()
}

AMBIGUOUS_MONTHS: Final = frozenset({"may", "march", "mars", "jan", "august", "juli", "avril", "april", "june"})
"""Those that are also words or names: they need a capital, and a word of time or a number beside them."""

WEEKDAYS: Final = {
    name: number
    for number, names in enumerate(
        (
            "monday montag lundi lunes",
            "tuesday tue tues dienstag mardi martes",
            "wednesday wed mittwoch mercredi miercoles",
            "thursday thu thur thurs donnerstag jeudi jueves",
            "friday fri freitag vendredi viernes",
            "saturday samstag sonnabend samedi sabado",
            "sunday sonntag dimanche domingo",
        )
    )
    for name in names.split()
}
"""Monday is 0."""

DAYS: Final = {
    "the day before yesterday": -2,
    "day before yesterday": -2,
    "yesterday": -1,
    "last night": -1,
    "tonight": 0,
    "the day after tomorrow": 2,
    "day after tomorrow": 2,
    "tomorrow": 1,
    "today": 0,
    "vorgestern": -2,
    "gestern": -1,
    "heute": 0,
    "ubermorgen": 2,
    "avant-hier": -2,
    "hier": -1,
    "aujourd'hui": 0,
    "apres-demain": 2,
    "demain": 1,
    "anteayer": -2,
    "ayer": -1,
    "anoche": -1,
    "hoy": 0,
    "pasado manana": 2,
}
"""Words for a day, in days from the one on which they are said."""

TURNS: Final = {
    "last": -1,
    "past": -1,
    "previous": -1,
    "this": 0,
    "next": 1,
    "coming": 1,
    "letzten": -1,
    "letzte": -1,
    "letzter": -1,
    "letztes": -1,
    "vorige": -1,
    "diese": 0,
    "diesen": 0,
    "dieses": 0,
    "dieser": 0,
    "nachste": 1,
    "nachsten": 1,
    "nachster": 1,
    "nachstes": 1,
    "kommenden": 1,
    "kommende": 1,
    "derniere": -1,
    "dernier": -1,
    "prochaine": 1,
    "prochain": 1,
    "pasada": -1,
    "pasado": -1,
    "proxima": 1,
    "proximo": 1,
}
SPANS: Final = {
    "week": "week",
    "weekend": "week",
    "month": "month",
    "year": "year",
    "woche": "week",
    "wochenende": "week",
    "monat": "month",
    "jahr": "year",
    "semaine": "week",
    "mois": "month",
    "annee": "year",
    "semana": "week",
    "mes": "month",
    "ano": "year",
}

CLOCK_WORDS: Final = {
    "noon": 720,
    "midday": 720,
    "midnight": 0,
    "mittag": 720,
    "mitternacht": 0,
    "midi": 720,
    "minuit": 0,
    "mediodia": 720,
    "medianoche": 0,
}
"""In minutes after midnight."""
