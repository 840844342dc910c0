"""Patterns for the kind of answer a question wants, by language."""

from dataclasses import dataclass
from typing import Final

from bot.text import patterns


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerKindWords:
    """One language's patterns for kinds of answers."""

    figure: str
    """What asks for a figure: an amount, a size, a code. What asks for a time stands in the calendars."""
    past: str
    """What asks how it was, and not how it is."""
    present: str
    """What asks how it is now or came out in the end, whatever else the question says."""
    doing: str
    """What is done with anything, and told in as many words as there are people: of a thing it tells the least."""


ENGLISH: Final = AnswerKindWords(
    figure=patterns.either(
        r"""
        \bhow (?:much|many|old|long|often|far|big|large|small|thick|thin|wide|deep|high|tall|heavy|fast|hot|cold|late)\b
        \b(?:price|cost|costs|fee|fees|charge|rate|rent|budget|total|amount|share|deposit|fine|bill|score|result)\b
        \b(?:number|code|pin|password|passcode|pw|address|postcode|coords|coordinates|port|version|phone|extension)\b
        \b(?:size|length|width|height|weight|thickness|temperature|percent|percentage|capacity|limit|age|dose)\b
        """
    ),
    past=patterns.either(
        r"""
        \b(?:did|was|were|had|didn't|wasn't|weren't|hadn't|been)\b
        \b(?:used to|before|earlier|originally|initially|at first|first|previous|previously|former|formerly|old|ago)\b
        \b(?:last|back then|in the beginning|once)\b
        """
    ),
    present=patterns.either(
        r"""
        \b(?:now|nowadays|these days|currently|at present|at the mo(?:ment)?|today|still|yet|latest|current|new)\b
        \b(?:in the end|after all|finally|eventually)\b
        """
    ),
    doing=patterns.either(
        r"""
        go(?:es|ing|ne)?|went|keep(?:s|ing)?|kept|pay(?:s|ing)?|paid|win(?:s|ning)?|won|open(?:s|ed|ing)?|close[sd]?
        shut|get(?:s|ting)?|got|put(?:s|ting)?|ma[dk]e|makes|making|ha[ds]|have|having|us(?:e|es|ed|ing)|work(?:s|ed|ing)?
        happen(?:s|ed|ing)?|start(?:s|ed|ing)?|beg[aiu]n|begins|stop(?:s|ped|ping)?|end(?:s|ed|ing)?|finish(?:es|ed)?
        com(?:e|es|ing)|came|tak(?:e|es|en|ing)|took|giv(?:e|es|en|ing)|gave|buy(?:s|ing)?|bought|sell(?:s|ing)?|sold
        bring(?:s|ing)?|brought|need(?:s|ed|ing)?|want(?:s|ed|ing)?|find(?:s|ing)?|found|lea(?:ve|ves|ving)|left
        chang(?:e|es|ed|ing)|mov(?:e|es|ed|ing)|stay(?:s|ed|ing)?|hold(?:s|ing)?|held|set(?:s|ting)?|turn(?:s|ed|ing)?
        send(?:s|ing)?|sent|liv(?:e|es|ed|ing)|r[au]n|runs|running|stor(?:e|es|ed|ing)|order(?:s|ed|ing)?|arriv(?:e|es|ed|ing)
        """
    ),
)
GERMAN: Final = AnswerKindWords(
    figure=patterns.either(
        r"""
        \bwie ?(?:viel|viele|alt|lange?|oft|weit|gro\u00df|dick|breit|tief|hoch|schwer|schnell|hei\u00df|kalt)\b
        \b(?:preis|kosten|kostet|geb\u00fchr|beitrag|miete|summe|betrag|anteil|pfand|rechnung|ergebnis)\b
        \b(?:nummer|code|pin|passwort|kennwort|adresse|postleitzahl|version|telefon|gr\u00f6\u00dfe|l\u00e4nge|gewicht)\b
        """
    ),
    past=patterns.either(
        r"""
        \b(?:war|waren|hatten?|wurden?|habe?n?|hast)\b
        \b(?:fr\u00fcher|vorher|damals|urspr\u00fcnglich|zuerst|vor|letzte[nrsm]?|alte[nrsm]?)\b
        """
    ),
    present=patterns.either(
        r"""
        \b(?:jetzt|heute|derzeit|momentan|aktuell\w*|noch|inzwischen|mittlerweile|neue[nrsm]?)\b
        \b(?:am ende|schlie\u00dflich)\b
        """
    ),
    doing=patterns.either(
        r"""
        geht|gehen|ging|h\u00e4lt|halten|zahlen|zahlt|bezahlt|bezahlen|macht|machen|gemacht|hat|haben|hatten?|nimmt|nehmen
        genommen|gibt|geben|gegeben|kauft|kaufen|gekauft|bringt|bringen|gebracht|kommt|kommen|kam|liegt|liegen|steht|stehen
        passiert|beginnt|beginnen|endet|braucht|brauchen|findet|finden|gefunden|bleibt|bleiben|ge\u00f6ffnet|geschlossen
        """
    ),
)
LANGUAGES: Final = (ENGLISH, GERMAN)
FIGURE: Final = patterns.either(
    r"""
    \d
    \b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty|hundred|thousand|dozen|half|once|twice)\b
    \b(?:eins|zwei|drei|vier|f\u00fcnf|sechs|sieben|acht|neun|zehn|elf|zw\u00f6lf|hundert|tausend|halb|einmal|zweimal)\b
    """
)
"""What tells a figure."""
