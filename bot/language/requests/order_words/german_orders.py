"""Requests to remember and to forget in German."""

from typing import Final

from bot.language.requests.order_words.order_patterns import OrderPatterns
from bot.text import patterns

_GERMAN: Final = {
    "soft": (
        r"(?: (?:bitte|mal|doch|auch|noch|schon|gut|unbedingt|kurz|einfach|nur|wieder|ab jetzt|dauerhaft|gleich"
        r"|f(?:u|ue)r (?:mich|uns|sp(?:a|ae)ter)))"
    ),
    "can": r"(?:kannst|k(?:o|oe)nntest|magst|m(?:o|oe)chtest|w(?:u|ue)rdest) du",
    "head": r"(?:im (?:kopf|hinterkopf|ged(?:a|ae)chtnis|auge)|in erinnerung)",
    "keep": (r"(?:merke?t? (?:dir|euch)|notiere?t?(?: dir)?|schreibe? dir|halte?t? fest|speichere?(?: dir)?|vergiss)"),
    "kept": r"(?:merken|notieren|aufschreiben|festhalten|(?:ab|ein)?speichern|einpr(?:a|ae)gen)",
    "that": r"(?:dass\s|das\s(?=(?:ich|wir|er|sie|es|man|der|die|das|mein\w{0,2}|unse?r\w{0,2})\s))",
    "this": r"(?: (?:das|dies|folgendes|das folgende|folgende[ns]? \w{1,30}|diese[ns]? (?:\w{1,30} ){0,2}\w{1,30}))",
    "mine": r"(?:meine?[nmrs]?|unse?re?[nmrs]?)\b",
}

GERMAN: Final = OrderPatterns(
    lead=(
        r"bitte|hey|hi|hallo|moin|ok|okay|also|ja|so|und|ach|oh|gut|danke|super|prima|perfekt|mal|jetzt"
        r"|(?:u|ue)brigens|noch (?:et)?was|eins noch|du|bot|wichtig|guten (?:morgen|tag|abend)"
    ),
    told=patterns.either(
        r"""
        (?:merke?t? (?:dir|euch)|notiere?t?(?: dir)?|schreibe? dir|halte?t?|speichere?t?(?: dir)?|pr(?:a|ae)ge? dir)\
            {soft}{0,4}(?: (?:auf|fest|ab|ein))?{soft}{0,2},? {that}
        behalte?{soft}{0,3}(?: {head})?{soft}{0,2},? {that}
        (?:trage?{soft}{0,3} ein|nimm{soft}{0,3} zur kenntnis),? {that}
        denke?{soft}{0,3} da?ran{soft}{0,2},? {that}
        vergiss{soft}{0,3} (?:nicht|nie|niemals)(?: wieder)?,? {that}
        (?P<ask>{can})(?: (?:dir|es|das)){0,2}{soft}{0,4} (?:{kept}|{head} behalten),? {that}
        du (?:solltest|sollst|musst|kannst|darfst) (?:dir|nicht){soft}{0,4} (?:{kept}|vergessen),? {that}
        es w(?:a|ae)re (?:toll|gut|nett|super|sch(?:o|oe)n),? wenn du dir{soft}{0,4} {kept} (?:k(?:o|oe)nntest|w(?:u\
            |ue)rdest),? {that}
        ich (?:m(?:o|oe)chte|will|h(?:a|ae)tte gern|w(?:u|ue)nsche mir)(?: gerne?)?,? dass du dir{soft}{0,4} \
            (?:merkst|notierst|aufschreibst),? {that}
        (?:merke? dir|notiere?(?: dir)?|schreibe? dir){soft}{0,4}\s(?=(?:{mine}|\d|de[nr] \
            |die |das (?!(?:bitte |hier )?(?:nicht|nie|niemals)\b)\w|eine?n? ))
        """,
        _GERMAN,
    ),
    shown=patterns.either(
        r"""
        (?:merke?t? (?:dir|euch)|notiere?t?(?: dir)?|schreibe? dir|speichere?t?(?: dir)?)\
            {soft}{0,4}{this}?{soft}{0,3}(?: (?:auf|ab))?[ ]?[:\n]
        vergiss{soft}{0,3} (?:nicht|nie|niemals)[ ]?:
        (?:f(?:u|ue)r sp(?:a|ae)ter )?(?:merken|merke|notieren|nicht vergessen|zur erinnerung|merkzettel\
            |zum merken)[ ]?[:\n]
        notiz (?:an (?:mich|dich|uns)(?: selbst)?|f(?:u|ue)r (?:mich|dich|uns|sp(?:a|ae)ter))[ ]?[:\n]
        (?P<ask>{can}) dir{soft}{0,4}{this}{soft}{0,2} {kept}[ ]?\??[ ]?[:\n]
        """,
        _GERMAN,
    ),
    pointed=patterns.either(
        r"""
        merke?t? (?:dir|euch)(?:{soft}{0,3} (?:das|dies|es){soft}{0,2}|{soft}{1,2})
        notiere?(?: dir)?{soft}{0,3} (?:das|dies|es){soft}{0,2}
        schreibe? dir{soft}{0,3} (?:das|dies|es){soft}{0,2} auf|behalte? (?:das|dies|es){soft}{0,3} {head}
        vergiss (?:mir )?(?:das|dies|es){soft}{0,3} (?:nicht|nie|niemals)
        (?:bitte )?(?:merken|notieren|nicht vergessen)|bitte {kept}
        {can}(?: (?:dir|das|es)){1,2}{soft}{0,4} (?:{kept}|{head} behalten)
        denke?{soft}{0,3} da?ran
        """,
        _GERMAN,
    ),
    listed=patterns.either(
        r"""
        {can} dir{soft}{0,4}{this}{soft}{0,3} {kept}
        {keep}{soft}{0,4}{this}{soft}{0,3}
        """,
        _GERMAN,
    ),
    reminded=patterns.either(
        r"""
        (?:erinnere?|erinner)(?: mich| uns){soft}{0,3} da?ran,? {that}
        (?P<ask>{can}) (?:mich|uns){soft}{0,3} da?ran erinnern,? {that}
        """,
        _GERMAN,
    ),
    forgetting=r"vergiss\b",
    deleting=r"(?:l(?:o|oe)sche?|streiche?|entferne?)\b",
    wrapped=patterns.either(r"(?P<ask>{can}|du kannst)\b|(?=#\d|nr\.? ?\d)", _GERMAN),
    forgotten=r"vergessen",
    deleted=r"(?:l(?:o|oe)schen|streichen|entfernen)",
    everything=patterns.either(
        r"""
        alles(?: wieder)? (?:(?:u|ue)ber|von|zu) (?:mich|mir)|alle meine (?:daten|erinnerungen)
        alles,? was du (?:alles )?(?:(?:u|ue)ber|von|zu) (?:mich|mir) (?:wei(?:ß|ss)t|{had} hast)
        alles,? was ich (?:dir )?(?:je |jemals )?(?:erz(?:a|ae)hlt|gesagt|geschrieben) habe?
        """,
        {"had": r"(?:gespeichert|gemerkt|notiert|gelernt)"},
    ),
    last=patterns.either(
        r"""
        (?:das,? )?was ich (?:dir )?(?:gerade|eben|zuletzt|vorhin)(?: zu dir)? (?:gesagt|geschrieben|erz(?:a\
            |ae)hlt) habe?
        (?:das|dies)(?: (?:gleich|bitte|mal|schnell|eben|wieder)){0,3}|das letzte|meine letzte (?:nachricht|aussage)\
            |das von (?:gerade|eben)
        """
    ),
    talk=r"(?:dieses gespr(?:a|ae)ch|diese unterhaltung|diesen chat|unser gespr(?:a|ae)ch)",
    numbers=patterns.vocabulary("nr nummer nummern erinnerung erinnerungen notiz notizen eintrag die den und bitte"),
    clause=r"(?:wieder)?,? ?dass ",
    about=patterns.either(
        r"""
        (?:(?:alles|das)(?: alles)?,? )?was (?:ich|du|wir) (?:dir |mir |uns |hier |mal |vorhin |gestern ){0,2}\
            (?:(?:u|ue)ber|von|vom|zu|zum|zur|wegen)\s
        alles (?:(?:u|ue)ber|von|zu|zum|zur)\s
        """
    ),
    behind=patterns.either(
        r"""
        [ ](?:gesagt|erz(?:a|ae)hlt|geschrieben|erw(?:a|ae)hnt|gemeint|besprochen|beschlossen|gepostet) \
            (?:habe?|haben|hast|hat|hatten?)
        [ ](?:wei(?:ß|ss)t|gespeichert hast|gemerkt hast)|[ ]wieder
        """
    ),
    own=patterns.either(
        r"""
        {mine}
        (?:(?:alles|das),? )?was [^\W\d_]{1,30} (?:(?:dir|mir|uns|hier) )?(?:(?:u|ue)ber|von|vom|zu|zum|zur|wegen)\s
        """,
        _GERMAN,
    ),
    known=r"(?:den|die|das)\b",
    joint=r"und|oder",
    sighing=r"ach|ah|oh|puh|na ja|naja",
    memory=(
        r"(?:aus|von) (?:deine[mnr]|de[mnr]) (?:ged(?:a|ae)chtnis|speicher|kopf|erinnerungen|notizen|liste|datenbank)"
    ),
    negated=r"\b(?:nicht|nie|niemals)\b",
    pleading=r"bitte|danke",
    courtesy=r"bitte|danke|ok|okay|vielen dank|danke dir|dankesch(?:o|oe)n|ja|gut|verstanden|lg",
    nothing=(
        r"(?:(?:das|dies|es|alles|mich|mir|dir|uns|bitte|danke|ok|okay|gut|auch|noch|jetzt|immer|hathi|nichts|etwas|so"
        r"|was|wie|wann|wo|wer|warum)\b[\s\W]*)*"
    ),
    asking=patterns.either(
        r"""
        {lead}(?:kannst|k(?:o|oe)nntest|w(?:u|ue)rdest|wei(?:ß|ss)t|hast|bist|magst) du\b
        {lead}(?:sage?|gibt?|zeige?|schicke?|hilf|erkl(?:a|ae)re?|schreibe?|mache?|suche?|finde?|erinnere?\
            |lies) (?:mir|uns|mich)\b
        {lead}(?:was|wer|wo|wann|wie|warum|wieso|welche[rsn]?) (?:ist|sind|war|waren|hat|haben|kann|soll|muss|viele?)\b
        """,
        {"lead": r"(?:(?:und|aber|jetzt|dann|also|bitte|noch)[\s,]+){0,3}"},
    ),
    errand=patterns.either(
        r"""
        ,? und (?:(?:dann|noch|auch|jetzt|bitte) ){0,2}(?:sag|gib|zeig|schick|hilf|erkl(?:a|ae)r|schreib|mach|such\
            |find)\w{0,2} \
            (?:mir|uns)\b
        , (?:hat|haben|sagte|sagten|meinte|meinten) (?:er|sie|man|\w{1,30})(?: gesagt| gemeint)?\W*$
        """
    ),
)
