"""Patterns for the kinds of answers that questions want and texts tell, by language."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from bot.text import patterns


class AnswerKind(StrEnum):
    """What a question may want to be told."""

    AMOUNT = "an amount of money"
    COUNT = "how many"
    MEASURE = "a measure"
    DURATION = "how long it takes"
    AGE = "an age"
    TIME = "a day or time"
    CODE = "a code"
    PHONE = "a phone number"
    LINK = "an address on the web"
    VERSION = "a version"
    PERSON = "a person"
    PLACE = "a place"
    REASON = "a reason"
    NAME = "a name"
    COLOUR = "a colour"


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerKindWords:
    """One language's patterns for kinds of answers."""

    wants: Mapping[AnswerKind, str]
    """What asks for each kind."""
    named: Mapping[AnswerKind, str]
    """What names a kind, and asks for it where nothing else is asked: `the gate code?`."""
    yes_or_no: str
    """What begins a question to which yes or no is an answer."""
    figure: str
    """Words for what is a figure: an amount, a size, a code."""
    was_when: str
    """What asks when something was."""
    saying: str
    """What asks for what somebody said, in whatever words: theirs answer that."""
    deciding: str
    """What asks for what was decided, whatever it was."""
    counted: str
    """What is counted, as its only group."""
    former: str
    """What asks how it was before it changed, whatever else the question says."""
    past: str
    """What asks how it was, and not how it is."""
    present: str
    """What asks how it is now or came out in the end, whatever else the question says."""
    doing: str
    """What is done with anything, and told in as many words as there are people: of a thing it tells the least."""


ENGLISH: Final = AnswerKindWords(
    wants={
        AnswerKind.AMOUNT: patterns.either(
            r"""
            \bhow much (?:do|does|did|is|are|was|were|will|would|should|can|have|has|had|money|for|per)\b
            \bhow (?:expensive|cheap|dear)\b
            \b(?:what|how much)(?:'s| \S+){1,6}? (?:cost|costs|pay|paid|paying|charge[sd]?|owe[sd]?|earn(?:ed)?)\b
            """
        ),
        AnswerKind.COUNT: r"\b(?:how many|how often|(?:the |what )number of)\b",
        AnswerKind.MEASURE: patterns.either(
            r"""
            \bhow (?:tall|wide|high|deep|big|large|small|heavy|fast|far|hot|cold|warm|thick|thin|steep|loud)\b
            \bhow long (?:is|are|was|were|should|must|can|could)\b
            \bhow much (?:space|room|water|wood|paint|flour|weight|power|memory)\b|\bhow much \S+ weigh
            """
        ),
        AnswerKind.DURATION: r"\bhow (?:long|much time|many (?:minutes|hours|days|nights|weeks|months|years))\b",
        AnswerKind.AGE: r"\b(?:how old|what age|(?:the|whose|his|her|'s) age)\b",
        AnswerKind.TIME: patterns.either(
            r"""
            (?:^\W*|\b(?:by|until|since|hathi,?|and|or|but|so|know|knows|remember|forgot|forget|tell me|say|said|me\
                |sure|wonder|wondering|also|ok|hey|hi|please) )when(?:'s|s)?\b
            \bwhen(?:'s|s)? (?:is|are|was|were|do|does|did|will|would|can|could|should|shall|has|have|had)\b\
                |\bwhen(?: exactly| again)?\W*$
            \b(?:what|which) (?:time|day|date|month|year|week|weekday|weekend|evening|night|morning|season|hours?\
                |slot)\b
            \bhow (?:late|early|soon|long ago)\b
            \bhow (?:long|much time|many (?:minutes|hours|days|nights|weeks|months))\b.{0,40}? (?:until|till|til)\b
            """
        ),
        AnswerKind.VERSION: r"\b(?:what|which) (?:\S+ )?(?:version|release)\b",
        AnswerKind.PERSON: r"\b(?:who|who's|whos|whose|whom|(?:which|what) (?:person|member|of (?:us|them|you)))\b",
        AnswerKind.PLACE: patterns.either(
            r"""
            \bwhere(?:'s|s)?\b
            \b(?:what|which) (?:place|city|town|country|village|venue|room|hall|street|road|pub|hospital|school\
                |hotel|address)\b
            """
        ),
        AnswerKind.REASON: r"\b(?:why|how come|(?:the|what) reason|what for)\b",
        AnswerKind.NAME: r"\b(?:what|who|how)\b.{1,60}\b(?:called|named)\b",
        AnswerKind.COLOUR: r"\b(?:what|which) (?:\w+ )?(?:colou?rs?|shade)\b",
    },
    named={
        AnswerKind.AMOUNT: (
            r"\b(?:price|cost|costs|fees?|rent|rental|budget|deposit|fare|bill|salary|wage|fine|balance|profit"
            r"|subs|dues)\b"
        ),
        AnswerKind.MEASURE: (
            r"\b(?:size|weight|weigh[s]?|length|height|width|depth|speed|temperature|percentage|capacity|ratio"
            r"|settings?)\b"
        ),
        AnswerKind.TIME: r"\b(?:birthday|bday|b-day|deadline|dates?|times|opening hours)\b",
        AnswerKind.CODE: r"\b(?:code|pin|passwords?|passcode|pw|combination|combo)\b",
        AnswerKind.PHONE: (
            r"\b(?:phone|telephone|mobile|cell|landline)\b|\b[a-z]+'?s number\b|\bnumber (?:for|of) (?-i:[A-Z])"
        ),
        AnswerKind.LINK: r"\b(?:link|url|website|web ?site|e-?mail(?: address)?)\b",
        AnswerKind.VERSION: r"\bversion\b",
        AnswerKind.PLACE: r"\b(?:address|location|whereabouts|venue)\b",
        AnswerKind.NAME: r"\b(?:surname|(?:first|last|full|maiden|nick) ?name|names? of|'s name)\b",
    },
    yes_or_no=(
        r"\W*(?:(?:and|so|but|hey|hi|ok|hathi|@hathi)[\s,]+){0,3}(?:is|are|was|were|am|do|does|did|has|have"
        r"|had|(?:can|could|will|would)(?! (?:you|u|someone|somebody|anyone|anybody|any of you) (?:please |pls |just )?"
        r"(?:tell|look|find|show|give|send|remind|say|check|dm|explain)\b)"
        r"|should|may|might|(?:is|are|did|does|do|was|has|have)n'?t)\b"
    ),
    figure=patterns.either(
        r"""
        \bhow (?:much|many|old|long|often|far|big|large|small|thick|thin|wide|deep|high|tall|heavy|fast|hot|cold|late)\b
        \b(?:price|cost|costs|fee|fees|charge|rate|rent|budget|total|amount|share|deposit|fine|bill|score|result)\b
        \b(?:number|code|pin|password|passcode|pw|address|postcode|coords|coordinates|port|version|phone|extension)\b
        \b(?:size|length|width|height|weight|thickness|temperature|percent|percentage|capacity|limit|age|dose)\b
        """
    ),
    deciding=patterns.either(
        r"""
        \bwhat (?:have|had|did|'ve|has)? ?(?:we|you|they|everyone|everybody|people|the (?:team|group))\
            (?: all| finally)? (?:decided?|agreed?|settled?)\b
        \b(?:what|which things?) (?:was|were|has been|got|is) (?:decided|agreed|settled)\b
        \bwhat (?:was|were|are|is) (?:the|our) (?:decisions?|agreements?)\b
        """
    ),
    counted=r"\bhow many (?:of (?:the |our |my )?)?(?:\w+ly )?(\w{3,30})\b",
    former=(
        r"\b(?:used to|before|previous|previously|former|formerly|originally|initially|at first|the first"
        r"|the old|old)\b"
    ),
    was_when=(
        r"\bwhen(?:'d)? (?:did|was|were|has|have|had)\b|\b(?:day|date|month|year|week|weekend) (?:did|was"
        r"|were|has|have|had)\b|\bhow long ago\b"
    ),
    saying=patterns.either(
        r"""
        \b(?:did|didn't|does|has|have|had)\b.{0,60}?\b(?:say|said|tell|told|mention(?:ed)?|wr(?:ite|ote|itten)\
            |post(?:ed)?|suggest(?:ed)?|propose[ds]?|promised?|announced?|reported)\b
        \b(?:who|what) (?:else )?(?:was )?(?:said|told|mentioned|wrote|posted|suggested|proposed|promised|announced)\b
        \baccording to\b
        \b(?:exact|own|very) words\b
        \bword for word\b
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
        call(?:s|ed|ing)?|named?|go(?:es|ing|ne)?|went|keep(?:s|ing)?|kept|pay(?:s|ing)?|paid|win(?:s|ning)?|won
        open(?:s|ed|ing)?|close[sd]?
        shut|get(?:s|ting)?|got|put(?:s|ting)?|ma[dk]e|makes|making|ha[ds]|have|having|us(?:e|es|ed|ing)|work(?:s\
            |ed|ing)?
        happen(?:s|ed|ing)?|start(?:s|ed|ing)?|beg[aiu]n|begins|stop(?:s|ped|ping)?|end(?:s|ed|ing)?|finish(?:es|ed)?
        com(?:e|es|ing)|came|tak(?:e|es|en|ing)|took|giv(?:e|es|en|ing)|gave|buy(?:s|ing)?|bought|sell(?:s|ing)?|sold
        bring(?:s|ing)?|brought|need(?:s|ed|ing)?|want(?:s|ed|ing)?|find(?:s|ing)?|found|lea(?:ve|ves|ving)|left
        chang(?:e|es|ed|ing)|mov(?:e|es|ed|ing)|stay(?:s|ed|ing)?|hold(?:s|ing)?|held|set(?:s|ting)?|turn(?:s|ed|ing)?
        send(?:s|ing)?|sent|liv(?:e|es|ed|ing)|r[au]n|runs|running|stor(?:e|es|ed|ing)|order(?:s|ed|ing)?|arriv(?:e\
            |es|ed|ing)
        """
    ),
)
GERMAN: Final = AnswerKindWords(
    wants={
        AnswerKind.AMOUNT: patterns.either(
            r"""
            \bwas (?:kostet|kosten|kostete|zahlen|zahlt|bezahl\w*)\b|\bwie ?(?:viel|teuer)\b.{0,60}?\b(?:kost\w+\
                |zahl\w+|bezahl\w+)
            \bwie teuer\b
            """
        ),
        AnswerKind.COUNT: r"\b(?:wie ?viele|wie oft)\b",
        AnswerKind.MEASURE: patterns.either(
            r"""
            \bwie (?:gro\u00df|hoch|breit|tief|dick|d\u00fcnn|schwer|schnell|weit|hei\u00df|kalt)\b
            \bwie lang (?:ist|sind|war|waren|soll|muss|darf)\b
            """
        ),
        AnswerKind.DURATION: r"\bwie lange?\b",
        AnswerKind.AGE: r"\bwie alt\b",
        AnswerKind.TIME: patterns.either(
            r"""
            \bwie (?:lange?|viele? (?:tage|stunden|wochen|monate))\b.{0,40}? bis\b
            \bwann\b|\bum wie ?viel uhr\b|\bwie sp\u00e4t\b|\bwelche[nrsm]? (?:tag|datum|monat|jahr|woche|uhrzeit\
                |abend)\b
            """
        ),
        AnswerKind.VERSION: r"\bwelche version\b",
        AnswerKind.PERSON: r"\b(?:wer|wem|wen|wessen)\b",
        AnswerKind.PLACE: r"\b(?:wo|wohin|woher|welche[nrsm]? (?:ort|stadt|raum|stra\u00dfe))\b",
        AnswerKind.REASON: r"\b(?:warum|weshalb|wieso|weswegen)\b",
        AnswerKind.NAME: r"\bwie hei\u00df(?:t|en)\b",
        AnswerKind.COLOUR: r"\b(?:welche farben?|farbe hat)\b",
    },
    named={
        AnswerKind.AMOUNT: r"\b(?:preis|kosten|geb\u00fchr|beitrag|miete|pfand|rechnung)\b",
        AnswerKind.MEASURE: r"\b(?:gr\u00f6\u00dfe|l\u00e4nge|h\u00f6he|breite|gewicht|temperatur|prozent)\b",
        AnswerKind.TIME: r"\b(?:geburtstag|termin|datum)\b",
        AnswerKind.CODE: r"\b(?:code|pin|passwort|kennwort|kombination)\b",
        AnswerKind.PHONE: r"\b(?:telefon\w*|handy\w*|[a-z]+s nummer)\b",
        AnswerKind.LINK: r"\b(?:link|url|webseite|e-?mail\w*)\b",
        AnswerKind.PLACE: r"\badresse\b",
        AnswerKind.NAME: r"\b(?:nachname|vorname|name de[rs])\b",
    },
    yes_or_no=(
        r"\W*(?:(?:und|aber|also|hathi)[\s,]+){0,2}(?:ist|sind|war|waren|hat|haben|hast|kann|k\u00f6nnen|wird"
        r"|werden|darf|soll)\b"
    ),
    figure=patterns.either(
        r"""
        \bwie ?(?:viel|viele|alt|lange?|oft|weit|gro\u00df|dick|breit|tief|hoch|schwer|schnell|hei\u00df|kalt)\b
        \b(?:preis|kosten|kostet|geb\u00fchr|beitrag|miete|summe|betrag|anteil|pfand|rechnung|ergebnis)\b
        \b(?:nummer|code|pin|passwort|kennwort|adresse|postleitzahl|version|telefon|gr\u00f6\u00dfe|l\u00e4nge\
            |gewicht)\b
        """
    ),
    deciding=(
        r"\bwas (?:haben|hatten|habt|wurde|ist|war) (?:\w+ ){0,3}?(?:beschlossen|entschieden|vereinbart|ausgemacht)\b"
    ),
    counted=r"\bwie ?viele (\w{3,30})\b",
    former=r"\b(?:fr\u00fcher|vorher|urspr\u00fcnglich|zuerst|alte[nrsm]?)\b",
    was_when=r"\bwann (?:war|waren|hat|haben|hatten?|wurden?|ist|sind)\b|\bwie lange ist\b",
    saying=patterns.either(
        r"""
        \b(?:hat|hast|habe?n?|hatten?)\b.{0,60}?\b(?:gesagt|erz\u00e4hlt|erw\u00e4hnt|geschrieben|gemeint\
            |vorgeschlagen|versprochen|angek\u00fcndigt)\b
        \b(?:wer|was) (?:sagte|erz\u00e4hlte|erw\u00e4hnte|schrieb|meinte|versprach)\b
        \bwort(?:w\u00f6rtlich| f\u00fcr wort)\b
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
        geht|gehen|ging|h\u00e4lt|halten|zahlen|zahlt|bezahlt|bezahlen|macht|machen|gemacht|hat|haben|hatten?|nimmt\
            |nehmen
        genommen|gibt|geben|gegeben|kauft|kaufen|gekauft|bringt|bringen|gebracht|kommt|kommen|kam|liegt|liegen\
            |steht|stehen
        passiert|beginnt|beginnen|endet|braucht|brauchen|findet|finden|gefunden|bleibt|bleiben|ge\u00f6ffnet|geschlossen
        """
    ),
)
LANGUAGES: Final = (ENGLISH, GERMAN)
_NUMBERS: Final = (
    r"(?:an?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty|forty|fifty|sixty"
    r"|seventy|eighty|ninety|hundred|thousand|dozen|half an?|few|several|couple(?: of)?|eine?[mnrs]?|zwei|drei|vier"
    r"|f\u00fcnf|sechs|sieben|acht|neun|zehn|elf|zw\u00f6lf|zwanzig|halbe[nrs]?)"
)
FIGURE: Final = patterns.either(
    r"""
    \d
    \b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty|forty|fifty|sixty\
        |seventy|eighty\
        |ninety|hundred|thousand|dozen|half|once|twice|both|none|nobody|zero)\b
    \b(?:eins|zwei|drei|vier|f\u00fcnf|sechs|sieben|acht|neun|zehn|elf|zw\u00f6lf|hundert|tausend|halb|einmal\
        |zweimal|keine[rs]?)\b
    """
)
"""What tells a figure."""
TELLS: Final[Mapping[AnswerKind, str]] = {
    AnswerKind.AMOUNT: patterns.either(
        r"""
        [\u00a3\u20ac$\u00a5] ?\d|\d ?[\u00a3\u20ac$]
        \b(?:\d|{numbers}\b)\S{0,12} ?(?:euros?|eur|pounds?|quid|dollars?|usd|gbp|bucks?|cents?|pence|grand|chf\
            |francs?|franken)\b
        \b\d{1,6}[.,]\d\d\b(?![.,:]\d)|\b(?:for free|free of charge|nothing|kostenlos|umsonst)\b
        \b(?:wants?|costs?|pa(?:y|ys|id|ying)|charge[sd]?|ask(?:s|ed)|owe[sd]?|(?:rent|fee|price|deposit|bill|total\
            |share)(?: is| was|:)|kostet|zahlt) (?:\w+ )?\d{1,6}\b(?! ?[%:\u00b0])
        \b\d{1,6} (?:an?|per|the|each|pro|im) (?:day|night|week|month|year|hour|kilo|person|head|piece|go|term|class\
            |copy|monat|jahr|tag|woche|stunde|person)\b|\b\d{1,6} each\b
        """.replace("{numbers}", _NUMBERS)
    ),
    AnswerKind.COUNT: FIGURE,
    AnswerKind.MEASURE: patterns.either(
        r"""
        \d ?(?:%|percent|prozent|\u00b0|degrees?|grad|k?gs?|kilos?|grams?|gramm|lbs?|k?m|cm|mm|met(?:re|er)s?|meter\
            |miles?|feet|foot|ft|inch(?:es)?\
            |lit(?:re|er)s?|m?l|[kmgt]b|k?wh?|watts?|volts?|k?hz|fps|ms|knots?|mph|k?m/h|px|milli\w+|centi\w+\
                |kilo\w+|cone)\b
        \b(?:size|cone|gr\u00f6\u00dfe) \d|\d to \d|\d ?[x:\u00d7] ?\d|\b{numbers} (?:met(?:re|er)s?|miles?|feet\
            |percent|degrees?|kilos?)\b
        """.replace("{numbers}", _NUMBERS)
    ),
    AnswerKind.DURATION: patterns.either(
        r"""
        \b(?:\d{1,6}|{numbers})(?:[ -]| and a half )?(?:h|hrs?|hours?|mins?|minutes?|secs?|seconds?|days?|nights?\
            |weeks?|months?|years?|yrs?\
            |stunden?|minuten?|tagen?|tage|wochen?|monaten?|monate|jahren?|jahre)\b
        \b(?:since|until|till|forever|for ever|all (?:day|night|week|summer|winter)|seit|bis)\b
        """.replace("{numbers}", _NUMBERS)
    ),
    AnswerKind.AGE: patterns.either(
        r"""
        \b(?:years? old|months? old|turn(?:s|ed|ing)?|birthday|born|aged?|jahre alt|geboren|geburtstag)\b
        \b(?:is|am|are|be|he's|she's|i'm|was|wird|ist) (?:almost |nearly |only |just \
            |around )?\d{1,3}\b(?! ?[%:\u00b0\u20ac])
        \b\d{1,2} (?:now|already|soon|next|in (?:may|june|july|march|april|august))\b
        """
    ),
    AnswerKind.TIME: patterns.either(
        r"""
        \b(?:mon|tues|wednes|thurs|fri|satur|sun)days?\b|\b(?:mon|tue|wed|thu|fri|sat|sun)\b
        \b(?:jan|feb|apr|jun|jul|aug|sept?|oct|nov|dec)(?:uary|ruary|il|e|y|ust|ember|ober)?\b|\bmarch\b\
            |\bmay (?=\d)|(?<=\d )may\b|\bin may\b
        \b\d{1,2}(?:st|nd|rd|th)\b|\b\d{1,2}[./]\d{1,2}\b|\b(?:19|20)\d\d\b
        \b(?:yesterday|today|tonight|tomorrow|tmrw|tomorow|ago|noon|midday|midnight|weekends?|christmas|easter\
            |new year|recently)\b
        \b(?:last|next|this|every|each|in|for|since|by|until|till|end of|early|late\
            |past) (?:the )?(?:\w+ )?(?:night|week|weekend|month|year|morning|afternoon|evening\
            |spring|summer|autumn|fall|winter|day|time|mon|tues?|wed|thu|fri|sat|sun|hours?|minutes?|days|weeks\
                |months|years)\b
        \b\d{1,2}[:.]\d\d\b|\b\d{1,2} ?[ap]\.?m\b|o'clock\b|\bhalf (?:past |\d|[a-z]+)|\bquarter (?:past|to)\b
        \b(?:at|till|until|from|by|before|after|around|about|to) (?:\d{1,2}\b(?! ?[%\u20ac\u00a3$]| \w+s\b)|(?:one\
            |two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)\b)
        \b(?:montags?|dienstags?|mittwochs?|donnerstags?|freitags?|samstags?|sonntags?|januar|februar|m\u00e4rz|mai\
            |juni|juli|oktober|dezember)\b
        \b(?:gestern|heute|morgen|\u00fcbermorgen|letzte[nrsm]?|n\u00e4chste[nrsm]?|uhr|wochen?|monate?n?|jahre?n?)\b
        """
    ),
    AnswerKind.CODE: (
        r"\b(?=\S{0,12}\d)[\w-]{2,20}\b|\b\d(?:[ .-]\d){2,40}\b|\b(?:password|passcode|passwort) (?:is|was|ist) \S"
        r"|['\"\u201c][^\s'\"\u201c\u201d]{1,60}['\"\u201d]"
    ),
    AnswerKind.PHONE: r"\+?\d[\d /-]{5,20}\d",
    AnswerKind.LINK: (
        r"https?://|\bwww\.|\S@\S|\b[a-z0-9-]{2,30}\.(?:com|org|net|io|example|de|co|dev|app|me|uk|eu|fr|es)\b"
    ),
    AnswerKind.VERSION: r"\d",
    AnswerKind.PLACE: patterns.either(
        r"""
        \b(?:at|in|on|by|under|underneath|behind|beside|next to|near|inside|outside|above|below|between|from|to\
            |into|onto|opposite|over|round\
            |through|via) (?:the|my|our|your|his|her|their|its|an?|mr|mrs|st|no|number|here|there|room|unit|flat\
                |\d+|(?-i:[A-Z]\w))
        \b(?:here|there|upstairs|downstairs|at home|home|outside|everywhere|nowhere)\b
        \b(?:im|am|beim|vom|zum|zur|auf|unter|hinter|neben|bei|in der|in den|nach) \S
        \b\d{1,4} (?-i:[A-Z])\w+
        \b\w{0,30}(?:weg|stra(?:\u00df|ss)e|str\.|platz|gasse|allee|ufer|damm|street|road|lane\
            |avenue|laan|straat) \d{1,4}
        \b(?:rue|calle|via|plaza|place) (?:\w+ ){1,3}\d{1,4}\b|\b(?:address|adresse|location|venue) (?:is|was|ist) \S
        """
    ),
    AnswerKind.REASON: patterns.either(
        r"""
        \b(?:because|since|as|so|cos|cuz|due to|otherwise|thanks to|in case|reason|(?:in order )?to (?:avoid|keep\
            |save|make|get|help|stop)|for)\b
        \b(?:can't|cannot|couldn't|won't|too \w+|not enough|broken?|weil|da|denn|wegen|damit|sonst|deshalb)\b
        """
    ),
    AnswerKind.PERSON: (
        r"(?-i:(?<=[\w,;:.] )[A-Z]\w)|(?-i:\A[A-Z]\w+(?:'s)? (?:and|is|was|has|will|did|does|can|took|said"
        r"|brought))|@\w"
    ),
    AnswerKind.NAME: (
        r"(?-i:(?<=[\w,;:] )(?!(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day|(?:Jan|Febr)uary|March|April|May|June|July"
        r"|August|(?:Sept|Nov|Dec)ember|October)[A-Z][^\W\d_]+|\b[a-z]+[A-Z]\w*)"
        r"|(?<=\bcalled )\w+|(?<=\bnamed )\w+|(?<=\bname is )\w+"
    ),
    AnswerKind.COLOUR: patterns.either(
        r"""
        \b(?:red|blue|green|yellow|black|white|gr[ae]y|brown|orange|purple|pink|violet|beige|cream|navy|teal|turquoise\
            |maroon|gold|golden|silver|bronze|ivory|khaki|olive|scarlet|crimson|lilac|lavender|magenta|cyan|indigo\
            |mustard|copper|tan|amber|ochre|mint|coral|burgundy)(?:ish)?\b
        \b(?:rot|blau|gr\u00fcn|gelb|schwarz|wei\u00df|grau|braun|lila|rosa|rouge|bleue?|verte?|jaune|noire?\
            |blanc(?:he)?|grise?|marron|rojo|roja|azul|verde|amarill[oa]|negr[oa]|blanc[oa])\w{0,2}\b|\bRAL \d
        """
    ),
}
"""What tells each kind, in every language; a person is told by name, of which `tells_person` knows the rest."""
SELF: Final = (
    r"\b(?:i|i'm|i'll|i've|i'd|im|ill|ive|me|my|mine|myself|we|we're|we'll|we've|us|our|ours|ich|mir|mich|wir|uns)\b"
)
"""What one says of oneself, who is thereby named."""
