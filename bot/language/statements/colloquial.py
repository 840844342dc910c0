"""Normalises a chat sentence for pattern matching: lower case, contractions spelled out, links masked."""

import re
from typing import Final

from bot.text import patterns, short_forms

_MASKS: Final = (
    # A link says nothing by its letters; quoted words are somebody else's, code of several words is no statement.
    (re.compile(r"https?://\S+|www\.\S+"), "link"),
    (re.compile(r'"[^"]{1,400}"|«[^»]{1,400}»'), "qqq"),
    (re.compile(r"(?<!\w)'(?:[^']|(?<=\w)'(?=\w)){5,300}'(?!\w)"), "qqq"),
    (re.compile(r"`([^\s`]{1,80})`"), r"\1"),
    (re.compile(r"`[^`]{1,400}`"), "code"),
    (re.compile(r"^[*_](?![*_\s])[^*_]{1,400}[*_]\W*$"), "acted"),
    (re.compile(r"<a?:\w+:\d+>"), " "),
    (re.compile(r"<[@#][!&]?\d+>"), "someone"),
    (re.compile(r"[*_~|]{2,}|(?<!\w)[*_](?=\w)|(?<=\w)[*_](?!\w)"), ""),
)

_SPELLED: Final = short_forms.HURRIED | short_forms.table(
    """
    lets=let's
    gonna=going_to wanna=want_to gotta=have_to finna=going_to tryna=trying_to imma=i'm_going_to ima=i'm_going_to
    w/=with w/o=without abt=about bc=because cuz=because coz=because
    favorite=favourite fave=favourite fav=favourite favrite=favourite favourit=favourite favorit=favourite
    favorate=favourite favs=favourites favorites=favourites
    tmrw=tomorrow tmr=tomorrow tmrrw=tomorrow tomo=tomorrow 2moro=tomorrow tommorow=tomorrow tomorow=tomorrow
    tommorrow=tomorrow 2day=today 2nite=tonight
    perfer=prefer preffer=prefer prefere=prefer preferr=prefer
    decied=decided decded=decided desided=decided decideed=decided decidied=decided agred=agreed aggreed=agreed
    agread=agreed alergic=allergic allergc=allergic allegic=allergic vegatarian=vegetarian vegeterian=vegetarian
    wendesday=wednesday wensday=wednesday wednsday=wednesday weds=wednesday wed=wednesday thurs=thursday
    thur=thursday thu=thursday tues=tuesday tue=tuesday fri=friday febuary=february feburary=february
    teh=the wiht=with recieve=receive shedule=schedule sched=schedule definately=definitely
    defo=definitely def=definitely meating=meeting mtg=meeting appt=appointment bday=birthday b-day=birthday
    organize=organise standardize=standardise standardized=standardised finalized=finalised canceled=cancelled
    """
)
_WORD: Final = re.compile(r"[\w'/-]+")

_WEEKDAYS_CUT_SHORT: Final = (("sat", "saturday"), ("sun", "sunday"), ("mon", "monday"))
_REPAIRS: Final = (
    # "ill" and "were" lose their apostrophes too; only the next word tells.
    (re.compile(r"^ill (?=[a-z])"), "i'll "),
    (re.compile(r"^well (?=(?:be|use|go|meet|need|move|start|keep|launch|ship|have|do|switch) )"), "we'll "),
    (
        re.compile(
            r"(?:^|(?<=and )|(?<=so )|(?<=that ))were (?=(?:going|using|moving|not|sticking|switching|planning|all|"
            r"now|dropping|launching|getting|meeting|having|definitely|starting) )"
        ),
        "we're ",
    ),
    (re.compile(r"\b(?:like|as) i said,? "), ""),
    # What is only to be agreed to is told: "drafts by Sunday, ok?".
    (re.compile(r", ?(?:ok|okay|alright|deal)\?++$"), ""),
    (re.compile(r"\bi am\b"), "i'm"),
    (re.compile(r"\bwe are\b"), "we're"),
    (re.compile(r"\bi (?:will|shall)\b"), "i'll"),
    (re.compile(r"\bwe (?:will|shall)\b"), "we'll"),
    # These three are also words; they are days beside a date or after "on".
    *(
        (re.compile(rf"\b{cut}(?= (?:the )?\d)|(?:(?<=\bon )|(?<=this )|(?<=next )|(?<=every )){cut}\b"), day)
        for cut, day in _WEEKDAYS_CUT_SHORT
    ),
)

_LEAD: Final = patterns.compiled(
    r"^(?:[^\w$%>#~!/\[<{}=+|\\&^]+|_+|@\w+|"
    + patterns.either(
        r"""
        just so (?:you|everyone|we all) knows?|so you know|for (?:the record|reference|context|info)|by the way
        ok(?:ay)?|k|so|well|oh(?! (?:great|good|joy|sure|right))|yes|yep|yeah(?!,? (?:right|sure))|ya|yup|aye
        right|alright
        anyways?|and|but|also|because|btw|fyi|tbh|tbf|imo|imho|ngl|not gonna lie|nb|psa|tl;?dr|edit|ps|p\.s
        honestly|personally|frankly|actually|basically|just|finally|unfortunately|sadly|luckily|happily|lastly
        hi|hey|hello|heya|hiya|morning|evening|sorry|thanks|cheers|great|cool|nice|fine|perfect|awesome|done|sweet|lovely
        update|quick update|reminder|quick reminder|note|note to self|please note|heads ?up|psst|summary
        (?:good |bad |big )?news
        in case you missed it|to be clear|to confirm|just to confirm|confirming|breaking|as agreed|as discussed
        after (?:much|some|a lot of) (?:\w+ )?(?:debate|discussion|thought|dithering)|in the end|long story short
        one more thing|another thing|what i mean is|the thing is|i mean|i said|turns out|first|second|firstly|secondly
        remember|don't forget|do not forget|please remember|bear in mind|keep in mind|please
        all|guys|folks|everyone|team|everybody|people|y'all|mates?|lads|someone|hathi
        omg|ugh|argh|wow|hm+|um+|uh|er+|ah+|aha
        """
    )
    # "That" after an opener belongs to it ("remember that …"), but not the subject of "that's settled".
    + r"(?:,? that\b(?!')|(?=[^\w']|$)))[\s,.!:;\u2013\u2014-]*"
)
_LEAD_KEPT: Final = patterns.compiled(
    patterns.either(
        r"""
        ^please (?:always|never|don't|do not|call)
        ^(?:all|people|everyone|everybody|someone|team|first|second) [a-z']
        ^(?:so|{agreed})(?:,? so)?,? [\w'&:/ -]{2,40} then\W*$
        ^(?:fine|great|nice|right|well|cheers|thanks|sorry|morning|done|cool|lovely|perfect|news|just) (?!{clause})\w
        """,
        {
            "agreed": r"(?:ok|okay|alright|all right|right|yes|yeah|yep)",
            "clause": r"(?:we|i|so|the|my|our|then)\b|i'm|we're|we've|i've|let's",
        },
    )
)
"""Openers that are part of the sentence after all: "everyone gets two tickets", "thanks for the cake"."""
_LEADS: Final = 4
"""Openers taken off one sentence: "ok so, fyi: …"."""


def plain(sentence: str) -> str:
    """The plain form; never the text that is kept."""
    form = sentence.translate(patterns.STRAIGHT_QUOTES).lower()
    for pattern, mask in _MASKS:
        form = pattern.sub(mask, form)
    form = _WORD.sub(lambda found: _SPELLED.get(found[0], found[0]), form)
    form = " ".join(form.split())
    for _ in range(_LEADS):
        if _LEAD_KEPT.match(form):
            break
        shorter = _LEAD.sub("", form, count=1)
        if not shorter or shorter == form:
            break
        form = shorter
    for pattern, repaired in _REPAIRS:
        form = pattern.sub(repaired, form)
    return form
