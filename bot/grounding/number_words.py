"""Number words, units and clock words in four languages, in lower case without accents."""

from typing import Final


def _in_order(words: str) -> list[str]:
    return words.split()


_ENGLISH: Final = _in_order(
    """
    zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen
    seventeen eighteen nineteen
    """
)
_ENGLISH_TENS: Final = _in_order(
    """
    twenty thirty forty fifty sixty seventy eighty ninety
    """
)
_GERMAN: Final = _in_order(
    """
    null ein zwei drei vier funf sechs sieben acht neun zehn elf zwolf dreizehn vierzehn funfzehn sechzehn
    siebzehn achtzehn neunzehn
    """
)
_GERMAN_TENS: Final = _in_order(
    """
    zwanzig dreissig vierzig funfzig sechzig siebzig achtzig neunzig
    """
)
_FRENCH: Final = _in_order(
    """
    zero un deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize dix-sept
    dix-huit dix-neuf
    """
)
_FRENCH_TENS: Final = _in_order(
    """
    vingt trente quarante cinquante soixante
    """
)
_SPANISH: Final = _in_order(
    """
    cero uno dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince dieciseis
    diecisiete dieciocho diecinueve veinte veintiuno veintidos veintitres veinticuatro veinticinco veintiseis
    veintisiete veintiocho veintinueve
    """
)
_SPANISH_TENS: Final = _in_order(
    """
    treinta cuarenta cincuenta sesenta setenta ochenta noventa
    """
)


def _english() -> dict[str, int]:
    found = {word: value for value, word in enumerate(_ENGLISH) if value > 1}
    for ten, word in enumerate(_ENGLISH_TENS, start=2):
        found[word] = ten * 10
        found |= {f"{word} {_ENGLISH[one]}": ten * 10 + one for one in range(1, 10)}
    return found | {"twice": 2, "thrice": 3, "dozen": 12, "hundred": 100, "thousand": 1000}


def _german() -> dict[str, int]:
    found = {word: value for value, word in enumerate(_GERMAN) if value > 1}
    for ten, word in enumerate(_GERMAN_TENS, start=2):
        found[word] = ten * 10
        found |= {f"{_GERMAN[one]}und{word}": ten * 10 + one for one in range(1, 10)}
    found |= {f"{word}mal": value for word, value in tuple(found.items())}
    return found | {"hundert": 100, "tausend": 1000, "dutzend": 12, "beiden": 2}


def _french() -> dict[str, int]:
    found = {word.replace("-", " "): value for value, word in enumerate(_FRENCH) if value > 1}
    for ten, word in enumerate(_FRENCH_TENS, start=2):
        found[word] = ten * 10
        found |= {f"{word} {_FRENCH[one]}": ten * 10 + one for one in range(2, 10)}
        found[f"{word} et un"] = ten * 10 + 1
    found |= {f"soixante {_FRENCH[one].replace('-', ' ')}": 60 + one for one in range(10, 20)}
    found |= {f"quatre vingt {_FRENCH[one].replace('-', ' ')}": 80 + one for one in range(1, 20)}
    return found | {"quatre vingts": 80, "cent": 100, "mille": 1000, "douzaine": 12}


def _spanish() -> dict[str, int]:
    found = {word: value for value, word in enumerate(_SPANISH) if value > 1}
    for ten, word in enumerate(_SPANISH_TENS, start=3):
        found[word] = ten * 10
        found |= {f"{word} y {_SPANISH[one]}": ten * 10 + one for one in range(1, 10)}
    return found | {"cien": 100, "mil": 1000, "docena": 12}


WORDS: Final = {"english": _english(), "german": _german(), "french": _french(), "spanish": _spanish()}
"""From number words, single blanks between them, to numbers; one is left out, as it is also an article."""

ALSO_WORDS: Final = frozenset({"once", "seize", "sept", "elf", "dos", "mil", "cent", "mille", "tres", "acht", "dix"})
"""Those that are words of another language too."""

ORDINALS: Final = {
    name: value
    for value, names in enumerate(
        (
            "second zweite zweiten zweiter zweites deuxieme segundo segunda",
            "third dritte dritten dritter troisieme tercero tercera tercer",
            "fourth vierte vierten vierter quatrieme cuarto cuarta",
            "fifth funfte funften cinquieme quinto quinta",
            "sixth sechste sechsten sixieme sexto sexta",
            "seventh siebte siebten septieme septimo septima",
            "eighth achte achten huitieme octavo octava",
            "ninth neunte neunten neuvieme noveno novena",
            "tenth zehnte zehnten dixieme decimo decima",
        ),
        start=2,
    )
    for name in names.split()
}

UNITS: Final = {
    name: (kind, factor)
    for kind, table in {
        "time": {
            1e-3: "ms millisecond milliseconds millisekunden millisekunde millisecondes milisegundos",
            1.0: "s sec secs second seconds sekunde sekunden seconde secondes segundo segundos",
            60.0: "min mins minute minutes minuten minuto minutos",
            3600.0: "h hr hrs hour hours stunde stunden heure heures hora horas",
            86400.0: "day days tag tage tagen jour jours dia dias",
            604800.0: "week weeks woche wochen semaine semaines semana semanas",
            2629800.0: "month months monat monate monaten mois mes meses",
            31557600.0: "year years jahr jahre jahren an ans annee annees ano anos",
        },
        "data": {
            1.0: "byte bytes",
            1e3: "kb kib kilobyte kilobytes",
            1e6: "mb mib megabyte megabytes",
            1e9: "gb gib gigabyte gigabytes",
            1e12: "tb tib terabyte terabytes",
        },
        "length": {
            1e-3: "mm millimetres millimeters",
            1e-2: "cm centimetres centimeters zentimeter",
            1.0: "metre metres meter meters metro metros",
            1e3: "km kilometre kilometres kilometer kilometers kilometros",
            0.3048: "ft feet foot",
            1609.344: "mile miles meilen milles millas",
        },
        "weight": {
            1e-3: "mg",
            1.0: "gram grams gramm grammes gramos",
            1e3: "kg kilo kilos kilogram kilograms kilogramm",
            453.59237: "lb lbs pound-weight",
            1e6: "tonne tonnes tonnen toneladas",
        },
        "volume": {1e-3: "ml", 1e-2: "cl", 1.0: "litre litres liter liters litros"},
        "share": {0.01: "% percent prozent pourcent pour-cent por-ciento"},
        "euro": {1.0: "\u20ac euro euros eur"},
        "dollar": {1.0: "$ dollar dollars usd bucks dolar dolares"},
        "pound": {1.0: "\u00a3 pound pounds gbp quid"},
        "franc": {1.0: "chf franken francs"},
        "heat": {1.0: "degrees grad degres grados \u00b0 \u00b0c celsius", 1.8: "\u00b0f fahrenheit"},
    }.items()
    for factor, names in table.items()
    for name in names.split()
}
"""Units, with what is compared and how many of its smallest they are; currencies are never converted."""

MAGNITUDES: Final = {
    "k": 1e3,
    "thousand": 1e3,
    "tausend": 1e3,
    "mille": 1e3,
    "mil": 1e3,
    "million": 1e6,
    "millions": 1e6,
    "mio": 1e6,
    "millionen": 1e6,
    "millones": 1e6,
    "billion": 1e9,
    "bn": 1e9,
    "milliarden": 1e9,
    "milliards": 1e9,
    "hundred": 1e2,
    "hundert": 1e2,
    "dozen": 12.0,
    "dutzend": 12.0,
}

PERIODS: Final = {
    name: names.split()[0]
    for names in (
        "second sekunde seconde segundo",
        "minute minuto",
        "hour hourly stunde stundlich heure hora",
        "day daily night nightly tag taglich nacht jour nuit dia noche",
        "week weekly woche wochentlich semaine semana",
        "month monthly monat monatlich mois mes",
        "quarter quarterly quartal trimestre",
        "year yearly jahr jahrlich an ano",
        "person head kopf personne tete persona",
    )
    for name in names.split()
}
"""What is paid or done "a month", "weekly" or "per person"."""

SPELT_OUT: Final = (
    (r"\b(?:an|one) hour and a half\b", "1.5 hours"),
    (r"\b(?:three[- ]quarters of an hour)\b", "45 minutes"),
    (r"\b(?:a )?quarter of an hour\b", "15 minutes"),
    (r"\bhalf an hour\b|\ba half[- ]hour\b", "30 minutes"),
    (r"\b(?:eine )?viertelstunde\b", "15 minuten"),
    (r"\b(?:eine )?dreiviertelstunde\b", "45 minuten"),
    (r"\b(?:eine )?halbe stunde\b", "30 minuten"),
    (r"\b(?:anderthalb|eineinhalb)\b", "1.5"),
    (r"\bune heure et demie\b", "1.5 heures"),
    (r"\b(?:une )?demi[- ]heure\b", "30 minutes"),
    (r"\b(?:un )?quart d'heure\b", "15 minutes"),
    (r"\buna hora y media\b", "1.5 horas"),
    (r"\bmedia hora\b", "30 minutos"),
    (r"\b(?:un )?cuarto de hora\b", "15 minutos"),
    (r"\b(?:a )?fortnight\b", "2 weeks"),
    (r"\b(?:one|a) half of\b|\bhalf (?:of )?(?:the|our|your|their|all)\b", "50 percent"),
    (r"\b(?:pour cent)\b", "%"),
    (r"\b(?:por ciento)\b", "%"),
)
"""Lengths of time and shares that are said in words, as numbers."""
ARTICLED: Final = (
    r"\b(?:an?|one|eine?|einen|une?|una?)[ -](?=(?:hour|minute|day|week|month|year|stunde|minute|tag|woche|"
    r"monat|jahr|heure|jour|semaine|mois|an|hora|minuto|dia|semana|mes|ano|dozen|dutzend|hundred|"
    r"thousand|hundert|tausend)\b)"
)
"""An article that counts one; read in evidence only, since an answer says it of anything."""
