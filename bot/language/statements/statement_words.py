"""Patterns that the tables of statements share: days and times, people who decide, verbs in the past tense."""

from typing import Final

_PAST_TENSE: Final = (
    r"\b(?:was|were|went|saw|had|did|(?<!'ve )(?<!have )(?<!has )got|came|ate|watched|met|felt|slept|drank|bought|"
    r"found|made|took|spent|(?:i|we|he|she|they|who|just) left|ran|broke|lost|won|woke|fell|forgot|thought|knew|"
    r"kept|sat|stood|wore|read|gave|drove|flew|loved|hated|liked|played|cooked|crashed|failed|worked|stayed|"
    r"finished|arrived|called|tried|walked|talked|missed|burned|burnt|cried|laughed|enjoyed|turned|tripped|"
    r"spilled|dropped|paid|rained|snowed|visited|ended up|debugged)\b"
)
_ODD_PAST: Final = (
    r"\b(?!need|feed|breed|speed|seed|weed|shed|hundred|unlimited|limited|aged|based|named|called|fixed|expected|"
    r"required|scheduled|booked|moved|postponed|closed|delayed|confirmed|planned|extended|rescheduled|founded|"
    r"established|married|launched|cancelled|opened|released|started|joined|changed|pushed|shipped|agreed|signed|"
    r"graduated|finalised|decided|supposed|reserved|allocated|elected|published|extended|renewed|invited|excited|"
    r"collected|inspected|serviced|used|united|delivered|paid|approved|born|set up|voted|announced|advanced|mixed|"
    r"capped|red\b|bed\b|led\b|med\b)\w{2,}ed\b"
)
_ACTIVE_PAST: Final = (
    r"\b(?:i|we|he|she|they|\w+ and i) (?:\w+ly |just |also |then |both |all )?(?!need|feed|breed|speed|seed|"
    r"bleed|exceed|proceed|succeed|booked|signed|registered|enrolled|applied|entered|raised|ordered|agreed|"
    r"decided|budgeted|reached|charged|invoiced|collected)\w{2,}ed\b"
)

_MONTH: Final = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|"
    r"oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)"
)
_WEEKDAY: Final = r"(?:(?:mon|tues|wednes|thurs|fri|satur|sun)days?)"
_CLOCK: Final = (
    r"(?:\d{1,2}(?:[:.]\d\d)? ?(?:am|pm|a\.m|p\.m)\b|\d{1,2}:\d\d|\d{1,2}\.\d\d(?= )|noon|midnight|midday|"
    r"half (?:past )?\w+|quarter (?:to|past) \w+|\d{1,2} o'clock|(?<=at )\d{1,2}\b(?! ?%))"
)
_DATE: Final = (
    rf"(?:\d{{4}}-\d\d-\d\d|\d{{1,2}}/\d{{1,2}}(?:/\d{{2,4}})?|\d{{1,2}}\.\d{{1,2}}\.\d{{2,4}}|"
    rf"(?:the )?\d{{1,2}}(?:st|nd|rd|th)?(?: of)? {_MONTH}\b|{_MONTH} (?:the )?\d{{1,2}}(?:st|nd|rd|th)?\b|"
    rf"{_MONTH} \d{{4}}|the \d{{1,2}}(?:st|nd|rd|th)\b|q[1-4]\b|(?:early|mid|late|end of|start of)[ -]{_MONTH}\b|"
    rf"in {_MONTH}\b|(?:in|since|until|by|from) (?:19|20)\d\d\b|(?:until|by|before|from|since|after) {_MONTH}\b)"
)
_DAY: Final = (
    rf"(?:{_WEEKDAY}|tomorrow|tonight|today|(?:this|next|every|each|alternate) (?:other |second |coming |"
    rf"\w+ )?(?:week|month|year|weekend|quarter|spring|summer|autumn|fall|winter|morning|evening|afternoon|"
    rf"semester|term|sprint|{_WEEKDAY})\b|weekends?|weekdays|daily|weekly|monthly|fortnightly|quarterly|nightly|"
    rf"hourly|(?:christmas|easter|halloween|thanksgiving|new year(?:'s)?|boxing day|ramadan|diwali|eid|hanukkah)|"
    rf"(?:first|second|third|fourth|last) (?:week|weekend|{_WEEKDAY}) (?:of|in) (?:{_MONTH}|the month|each|"
    rf"every)\b|in (?:the |early |late )?(?:spring|summer|autumn|fall|winter|new year|holidays)\b|in (?:\d+|a|two|"
    rf"three|four|five|six|a few|a couple of) (?:days?|weeks?|months?|years?)\b|(?:end|start|beginning|"
    rf"middle) of (?:the |this |next )?(?:day|week|month|year|quarter|sprint|term|{_MONTH}))"
)
_WHEN: Final = rf"(?:{_DATE}|{_CLOCK}|{_DAY})"

WORDS: Final = {
    "month": _MONTH,
    "weekday": _WEEKDAY,
    "when": _WHEN,
    "date": _DATE,
    "clock": _CLOCK,
    "day": _DAY,
    "calendar": (
        rf"(?:\d{{4}}-\d\d-\d\d|(?:the )?\d{{1,2}}(?:st|nd|rd|th)?(?: of)? {_MONTH}\b|"
        rf"(?<!in ){_MONTH} (?:the )?\d{{1,2}}(?:st|nd|rd|th)?\b(?!:))"
    ),
    "future": rf"(?:{_DATE}|(?!today|tonight|daily){_DAY}|(?:before|after|over|during) the \w+)",
    "prep": r"(?:on |at |by |in |from |until |till |before |after |for |around |due |to |every |about |next )",
    "adv": (
        r"(?:(?:really|always|still|also|both|all|just|now|finally|never|only|much|together|then|quite|sure|do|"
        r"has|tend to|so|very|pretty|have|had|been|as a team|as a group|pretty much|would|a lot|on|the whole|"
        r"\w+ly) ){0,3}"
    ),
    "us": (
        r"(?:we|we've|i|i've|(?:me|[\w-]+) and (?:i|me|[a-z]+)|everyone|everybody|both (?:of us|teams|sides)|"
        r"(?:the (?:two|three|four|five|rest)|all|most) of us|(?:the|our) (?:\w+ ){0,2}?(?:team|group|board|"
        r"committee|council|club|crew|hoa|pta|union|ward|co-op|congregation|assembly|troupe|cast|department|"
        r"branch|society|trust|syndicate|architects?|designers?|owners|organisers|producers|elders|voters|"
        r"federation|association|band|family|class|guild|clan|party|client|customer|panel|squad|staff|management|"
        r"members|residents|parents|players|officers|trustees|mods|admins|moderators|maintainers|landlord|school|"
        r"council|choir|captains?|dms?|agm|meeting|editors?|directors?|trustees|jury|judges|majority|vote))"
    ),
    "we": (
        r"(?:we|we've|^(?:management|leadership|everybody|everyone)|(?:the|our) (?:\w+ ){0,2}?(?:team|group|board|"
        r"committee|club|crew|band|guild|clan|council|"
        r"family|panel|hoa|pta|union|ward|co-op|congregation|assembly|troupe|cast|department|branch|society|trust|"
        r"association|company|school|choir|staff|members|trustees|residents|parents|moderators|maintainers|"
        r"players|jury|judges|directors|governors|architects))"
    ),
    "relation": (
        r"(?:wife|husband|partner|son|daughter|kids?|child|children|mum|mom|dad|mother|father|brother|sister|"
        r"girlfriend|boyfriend|fianc[ée]e?|flatmate|roommate|housemate|boss|manager|dog|cat|cats|dogs|puppy|"
        r"kitten|horse|rabbit|parrot|hamster|baby|toddler|twins|nephew|niece|gran|grandma|grandad|grandpa|uncle|"
        r"aunt|auntie|cousin|friend|mate|team|client|teacher|tutor|coach|neighbou?r|colleague|mentor|landlord|"
        r"family|stepson|stepdaughter)"
    ),
    "pro": (
        r"(?:it|this|that|these|those|them|him|her|you|your|ya|u|how|when|what|where|who|everything|everyone|"
        r"all of|nothing|something|anything|me|us|both|either|neither|none|any|yours|mine|hers|theirs|ours)\b"
    ),
    "past": _PAST_TENSE,
    "odd_past": _ODD_PAST,
    "active_past": _ACTIVE_PAST,
}
