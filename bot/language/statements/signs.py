"""Signs of what a sentence is worth, and their points: what it names, how it is told, and how much of it there is.

The points were fitted, not thought out (`python -m tests.sign_points`): change them with what they were fitted to.
"""

from dataclasses import dataclass
from typing import Final

from bot.language.statements import statement_words


@dataclass(frozen=True, slots=True, kw_only=True)
class Sign:
    """Something that makes it likelier, or less likely, that a sentence is worth keeping."""

    points: int
    table: str
    """What it is known by, as `patterns.either` reads it with `WORDS`."""


LEAST: Final = 12
"""Points from which a sentence is kept."""

KINDS: Final = {"decision": 12, "preference": 12, "person": 12, "date": 5, "plan": 6, "number": 7}
"""Points for each kind of lasting statement that a sentence makes.

The first three and the last are set above what was fitted: "we chose oak" and "the budget is 400" are short.
"""
DOUBTS: Final = {"hearsay": -5, "vacuous": -3}
"""Points off for the doubts that do not exclude a sentence: what it quotes of others still says that it does."""

WORDS: Final = statement_words.WORDS | {
    "the": r"(?:the|my|our|your|his|her|their|an?|this|that|every|each|mr|mrs|ms|\w+'s)",
    "near": (
        r"(?:in|on|under|behind|beside|next to|above|below|inside|outside|at|by|near|opposite|between|with|over|off|"
        r"through|to|from|into)"
    ),
    "spot": (
        r"(?:drawer|cupboard|shelf|shelves|box|crate|locker|fridge|freezer|cellar|basement|attic|loft|shed|garage|"
        r"desk|table|wardrobe|cabinet|folder|channel|tab|drive|bag|bin|rack|hall|hut|office|kitchen|library|gate|"
        r"doors?|reception|counter|stairs|wall|board|repo|branch|wiki|room|garden|yard|car park|entrance|van|tin|jar|"
        r"hook|corner|floor|street|road|lane|court|avenue|square|station|school|church|store|workshop|studio|stage|"
        r"field|pitch|pier|bench|chest|cage|tray|pocket|envelope|sheet|doc|spreadsheet|calendar|site|page|server)"
    ),
    "does": (
        r"(?:takes|drives|does|runs|writes|brings|plays|leads|handles|covers|joins|comes|delivers|moves|opens|closes|"
        r"locks|keeps|holds|makes|sings|cooks|books|pays|orders|collects|picks|reviews|teaches|hosts|owns|signs|"
        r"works|lives|eats|drinks|needs|gets|becomes|replaces|owes|has|starts|leaves|wants|looks after|stands in|"
        r"fills in|goes|stays|sits|uses|costs|belongs|ends|begins|sends|buys|checks|prints|fits|is|are)"
    ),
    "deed": (
        r"(?:do|run|write|pay|book|order|bring|drive|make|take|cover|bake|buy|print|send|host|lead|organi[sz]e|"
        r"collect|pick up|fix|paint|draft|prepare|review|chair|ring|call|ask|email|set up|build|cook|design|handle|"
        r"clean|teach|record|edit|translate|update|finish|borrow|lend|post|present|own|test|open|lock|swap|sew|mend|"
        r"repair|contact|arrange|sort|speak to|talk to|carry|play|look after|stand in|fetch|deliver|add|migrate|"
        r"return|register|hand in|upload|rehearse|water|feed)"
    ),
    "health": (
        r"(?:knee|hip|back pain|ankle|wrist|shoulder|asthma|operation|surgery|ligament|fracture|broken|sprained|torn|"
        r"pregnant|diabet\w+|epilep\w+|coeliac|celiac|allerg\w+|intolerant|vegan|vegetarian|halal|kosher|"
        r"pescatarian|dyslexi\w+|deaf|wheelchair|insulin|epipen|migraines?|colou?r-?blind|vertigo|night shifts?|"
        r"licen[cs]e|first aid\w*|meat|nuts|gluten|dairy|lactose)"
    ),
}

PLAIN: Final = {
    # What it names.
    "day": Sign(
        points=3,
        table=r"""
        \b{calendar}
        \b{date}
        \b\d{1,2} ?[\u2013-] ?\d{1,2} {month}\b
        \b{weekday} (?:the )?\d
        """,
    ),
    "figure": Sign(
        points=3,
        table=r"""
        (?:^|[\s(:\#\u00a3$\u20ac])\d[\d.,-]*\d\b
        \b[a-z]+\d+\w*\b
        """,
    ),
    "address": Sign(
        points=2,
        table=r"""
        \b(?:link|street|road|avenue|lane|postcode|iban|sort code)\b
        \b[\w.-]+@[\w-]+\.\w
        \b[\w-]+\.(?:com|org|net|example|io|dev|app|co|uk|de|local)\b
        \b\d{3,5}[ -]\d{3}
        (?:^|\s)\#[a-z][\w-]+
        """,
    ),
    "key": Sign(
        points=4,
        table=r"""
        \b(?:code|pin|password|passcode|pw|login|log in|username|user|key|combination|combo|lock|wi-?fi|ssid|\
            extension|number)\b.{0,30}\d
        """,
    ),
    "spot": Sign(points=4, table=r"\b{near} (?:{the} )?(?:\w+ ){0,2}?{spot}\b"),
    "health": Sign(points=3, table=r"\b{health}\b"),
    # What it settles, or says that somebody does.
    "rule": Sign(
        points=3,
        table=r"""
        \b(?:must|mustn't|has to|have to|needs to|need to|not allowed|allowed|forbidden|banned|rules?|policy)\b
        \b(?:at least|at most|at the latest|required|instead of|compulsory|mandatory|max|maximum|minimum)\b
        \b(?:in advance|never|always|no more than|up to|only)\b
        """,
    ),
    "standing": Sign(
        points=3,
        table=r"""
        \b(?:no longer|any ?more|from now on|going forward|from next|now|these days|as of|for life)\b(?! that)
        """,
    ),
    "ban": Sign(
        points=4,
        table=r"""
        ^(?:so )?no (?!idea|way|problem|worries|thanks|clue|one|offen[cs]e|need|pressure|rush|wonder|doubt|chance|\
            sign|luck|news|comment|shame|regrets|joke)\w+\b(?!\W*$)
        """,
    ),
    "doing": Sign(
        points=2,
        table=r"""
        \b(?!it\b|this\b|that\b|which\b|what\b|who\b|there\b|he\b|she\b|they\b)[a-z]+ {does}\b (?!{pro}\W*$)
        """,
    ),
    "undertaking": Sign(
        points=4,
        table=r"""
        \b(?:i'll|we'll|i can|i take|i do|me and \w+|\w+ will|\w+'ll|i'm going to) (?:just |also |then )?{deed} \
            (?!{pro}\W*$)\w
        """,
    ),
    "result": Sign(
        points=2,
        table=r"""
        \b(?:done|merged|fixed|works|worked|finished|won|lost|got|confirmed|signed|paid|booked|arrived|changed)\b
        \b(?:moved|replaced|renewed|lapsed|expired|came back|answered|approved|passed|failed|turned out|switched)\b
        \b(?:cancelled|deployed|released|delivered|postponed|sold out|raised|found|ordered|agreed|accepted)\b
        \b(?:voted|closed)\b
        """,
    ),
    # How much of it there is.
    "joined": Sign(points=4, table=r"[,;:].*[,;:]"),
    "brief": Sign(points=-5, table=r"^(?:\S+ ){0,3}\S+$"),
    "six words": Sign(points=3, table=r"^(?:\S+ ){5}\S"),
    "nine words": Sign(points=3, table=r"^(?:\S+ ){8}\S"),
    "fourteen words": Sign(points=5, table=r"^(?:\S+ ){13}\S"),
    # What is said in passing: to somebody, of how one feels, of what has happened.
    "you": Sign(points=-1, table=r"\b(?:you|you're|you'll|your)\b"),
    "pronoun": Sign(points=-1, table=r"^(?:he|she|it|they|that|this|those|these|there)(?:'s|'re|'ll|'d)?\b"),
    "tale": Sign(
        points=-4,
        table=r"""
        {past}
        {odd_past}
        {active_past}
        """,
    ),
    "passing": Sign(
        points=-2,
        table=r"""
        \b(?:today|tonight|this (?:morning|evening|afternoon)|just|yesterday|last night|ago|in a (?:bit|sec))\b
        \b(?:still|again|already)\b
        """,
    ),
    "opinion": Sign(
        points=-2,
        table=r"""
        \b(?:good|better|best|worst|bad|worse|great|nice|too|very|really|quite|such|enough|hard|easy|boring)\b
        \bso (?!that|we|it|no|please|i|you|they)\w+\b
        """,
    ),
    "feeling": Sign(
        points=-4,
        table=r"""
        \b(?:love|hate|loved|hated|sorry|tired|sad|happy|proud|glad|dead|cry|crying|scared|jealous|excited)\b
        \b(?:bored|feel|feels|feeling|miss|adore|dreading|stressed|regret|obsessed|sweet|cute|gorgeous|lovely)\b
        \b(?:amazing|brilliant|awesome|terrible|awful|horrible|ridiculous|funny|weird|cursed|genius|legend)\b
        \b(?:hero|angel|beautiful|soul|dignity|haunted|attitude|drama|chaos|magic)\b
        """,
    ),
}
"""Signs in the plain form of a sentence."""

_NAME: Final = r"(?!I\b|I'|OK\b)[A-Z][\w'-]+"
WRITTEN: Final = {
    "name": Sign(points=4, table=rf"(?<=[a-z0-9,;:)] ){_NAME}"),
    "names": Sign(points=3, table=rf"(?<=[a-z0-9,;:)] ){_NAME}.+ {_NAME}"),
}
"""Signs in a sentence as it was written: its capitals count."""
