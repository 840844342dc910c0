"""The tables behind the plain-word rules: one `Language` a language, patterns only, no rule.

All patterns are matched without regard to case. Every repetition that can overlap another is bounded, so none
backtracks for long.
"""

from dataclasses import dataclass
from typing import Final

from bot.memory import patterns


@dataclass(frozen=True, slots=True, kw_only=True)
class Language:
    """What plain words mean in one language: regular expressions, and two sets of words."""

    filler: str
    """Words that may come before an imperative without changing it."""
    please: str
    remember: str
    """The imperative itself."""
    introduction: str
    """What may stand between `remember` and a colon."""
    connector: str
    """What joins `remember` to the thing, and is no part of it."""
    reminiscence: str
    """What, right after `remember`, makes it a shared memory instead of a request."""
    nothing: str
    """Words that hold nothing to keep when they are all that follows."""
    back_reference: str
    """`remember that`, when the thing was said just before it."""
    courtesy: str
    """Polite words at the end of a request."""
    asking: str
    """How a sentence that wants an answer begins, question mark or not."""
    errand: str
    """A second request joined to the first by `and`."""
    left_off: str
    cue_phrases: str
    """Phrases of asking that are dropped before searching."""
    cue_words: frozenset[str]
    """Words of asking, dropped unless nothing else is left."""
    function_words: frozenset[str]
    """Words that carry no content."""


_ENGLISH_WORDS: Final = {
    "q": r"['\u2019\u00b4`]",
    "occasion": (
        r"(?:times?|days?|nights?|evenings?|weeks?|weekends?|months?|years?|summers?|winters?|trips?|party|parties|"
        r"games?"
        r"|songs?|movies?|films?|shows?|episodes?|concerts?|places?|guys?|girls?|things?|one|moments?|afternoons?"
        r"|mornings?|holidays?|conversations?|chats?|christmas)"
    ),
    "ask": r"(?:what|who|whom|whose|when|where|which|why|how)",
    "asks": r"\b(?:what|who|whom|whose|when|where|which|why|how)(?: \w+){0,4}?",
    "who": r"(?:(?:the |my |our )?[\w@<>!'-]+(?: and [\w@<>!'-]+)?)",
    "someone": r"(?:we|i|you|he|she|they|us|anyone|anybody|someone|somebody|everyone|y'all)",
    "adverb": r"(?:(?:just|ever|already|finally|actually|even|still|really|not|also|happen to|all) ){0,2}",
    "say": (
        r"(?:say|said|tell|told|mention(?:ed)?|decided?|agreed?|suggest(?:ed)?|promised?|proposed?|recommend(?:ed)?"
        r"|announced?|warn(?:ed)?|complain(?:ed)?|volunteer(?:ed)?|settled?|report(?:ed)?|post(?:ed)?)"
    ),
    "done": (
        r"(?:said|decided|agreed|talked|discussed|mentioned|told|spoken|saved|stored|kept|learned|learnt|planned"
        r"|promised|chosen|settled|argued|been talking|been discussing|established)"
    ),
}

ENGLISH: Final = Language(
    filler=(
        r"hey|hi|hello|hiya|yo|dear|oh|ok|okay|so|and|also|right|alright|well|thanks|thank you|thx|cheers|great|nice|"
        r"cool|perfect|btw|by the way|one more thing|just|kindly|good (?:morning|afternoon|evening)|yes|yeah|yep|now"
    ),
    please=r"please|pls|plz|plse",
    remember=patterns.either(
        r"""
        remember
        memori[sz]e
        (?:don{q}?t|do not) (?:you )?(?:ever )?forget
        never forget
        # "Make a note" alone may be advice to take notes; with what to note it is a request.
        make a (?:quick |mental )?note(?= (?:of|that|about)\b|\s*:)
        """,
        _ENGLISH_WORDS,
    ),
    introduction=(
        r"(?:\s+(?:this|that|these|it|of|for|me|us|later|the|following|please|all|one|two|three|thing|things|"
        r"fact|facts|note|about|my|next|time|down|also|always)\b){0,6}"
    ),
    connector=(
        r"[\s,]*(?:(?:please|also|always|for (?:me|us|later|next time|the future|the record))\b[\s,]*){0,2}"
        r"(?:(?:of|about)\s+the fact that\s+|(?:about|of|to)\s+|this\s*,\s*|"
        # "Remember that is a bad idea": here "that" is the thing.
        r"that\b(?!\s*(?:is|was|will|would|can|has)\b)\s*,?\s*)?"
    ),
    reminiscence=patterns.either(
        r"""
        \W*remember\b
        \s+(?:back\s+)?when\b
        \s+(?:how|what|who|whom|whose|where|why|which|if|whether)\b
        \s+(?:the|that|those|one)\s+(?:(?:one|last|first|good|old|other)\s+){0,2}{occasion}{then}
        \s+last\s+{occasion}\b
        \s+yesterday\b
        \s+(?:that\s+)?(?:i|we|you)\s+(?:were\s+talking|told|said|mentioned|talked|spoke|discussed)\b
        \s+(?:me|us|you|him|her|them)\s+\w+ing\b
        """,
        _ENGLISH_WORDS
        | {
            "then": (
                r"(?:\s+(?:we|i|you|u|he|she|they|it|when|where|who|with|from|at|in|on|last|back|that)\b"
                r"|\s+(?-i:[A-Z])[a-z]+\s+\w+ed\b|\s*[.!…]*\s*$)"
            )
        },
    ),
    nothing=(
        r"(?:(?:it|this|that|these|those|them|me|him|her|us|you|everything|all|of|one|please|ok|okay|thanks|for|later|"
        r"about|always|forever|too|though|now|well|hathi|anything|nothing|something|to)\b[\s\W]*)*"
    ),
    back_reference=(
        r"(?:(?:please|pls|and|so)[\s,]+){0,3}(?:remember|(?:don['\u2019\u00b4`]?t|do not)\s+forget)\s+"
        r"(?:about\s+)?(?:this|that|it)(?:[\s,]+(?:please|pls|thanks|thank you|ok|okay|for me|for later)){0,2}"
    ),
    courtesy=r"please|pls|plz|thanks|thank you|thx|ok|okay|will you|would you|cheers",
    asking=patterns.either(
        r"""
        {lead}(?:can|could|would|will|do|did|are|have) (?:you|we|i)\b
        {lead}(?:tell|give|show|send|help|remind|teach|ask|sing|find|make|write|read) (?:me|us)\b
        {lead}(?:explain|summari[sz]e|translate|write|list|suggest|recommend|calculate|describe)\b
        {lead}{ask}(?:'s| is| are| was| do| does| did| should| can| could| would| many| much)\b
        """,
        _ENGLISH_WORDS | {"lead": r"(?:(?:now|then|also|and|so|but|ok|please|btw|oh)[\s,]+){0,3}"},
    ),
    errand=(
        r",? (?:and|then) (?:(?:then|also|now|please) ){0,2}(?:tell|give|show|send|help|remind|teach|make|write|find) "
        r"(?:me|us) "
    ),
    left_off=patterns.either(
        r"""
        \bwhere (?:did |had |have )?(?:we|i|you) (?:last )?(?:leave|left|stop|stopped)(?: \w+)? off\b
        \bwhere (?:did|had|have) (?:we|i) (?:stop|finish|stopped|finished|(?:get|got)(?: up)? to|leave it)\b
        \bwhere (?:were|was|are) (?:we|i)(?:{still}){0,2} ?(?:, ?\w+ ?)?[?.!]*$
        \bwhat (?:were|was|are|have) (?:we|i|you)(?: all| just| been| last){0,2} {busy}\b(?!.{0,20}\bwrong\b)
        \b(?:catch|bring|fill) (?:me|us) (?:back )?(?:up(?: to (?:speed|date))?|in)(?: on| about| please|\W*$)
        \bget (?:me|us) (?:back )?up to (?:speed|date)\b
        \bwhat (?:did|have) (?:i|we) miss(?:ed)?\b
        \bwhat (?:did we (?:talk about|discuss|do)|happened) last time\b
        \bwhat (?:did we (?:talk about|discuss)|happened) in (?:the|our) (?:last|previous) (?:session|conversation)\b
        \b(?:continue|carry on|resume|pick(?: \w+)? up|start)\b.{0,20} where (?:we|i) (?:left|stopped)\b
        \bwhat was (?:i|the last thing (?:we|i))\b.{0,30}(?:saying|doing|about|discussed|talked|said|did)\b
        \b(?:recap|summari[sz]e|sum up)\b.{0,20}(?:last|our(?: last)?) (?:session|time|chat|conversation)\b
        \b(?:recap|summari[sz]e|sum up)\b.{0,20}(?:(?:where|what) we|so far)\b
        """,
        {
            "busy": r"(?:talking|chatting|discussing|working|doing|speaking|saying|up to)",
            "still": (
                r" (?:up to|at|again|with (?:this|that|it)|before|in (?:this|that|our) \w+|last time|yesterday|now)"
            ),
        },
    ),
    cue_phrases=(
        r"\b(?:last (?:week|month|year|night|time|session)|the other day|(?:\d+|an?|a few|two|three) "
        r"(?:minute|hour|day|week|month|year)s? ago|this morning|by the way|in (?:your|my) (?:memory|memories|notes)|"
        r"thank you|left off|leave off|catch (?:me|us) up|what happened)\b"
    ),
    cue_words=patterns.vocabulary(
        """
        remember remembers remembered recall recollect remind reminds say says said saying tell tells told know knows
        knew known talk talks talked talking discuss discussed discussing mention mentions mentioned decide decides
        decided decision agree agreed suggest suggested again forget forgot yesterday earlier previously before ago
        please ever already still anything something anyone anybody someone somebody happened happen exactly
        actually hathi hey hi hello just idea memory memories notes conversation chat
        """
    ),
    function_words=patterns.vocabulary(
        """
        a an the and or but nor so if then than that this these those there here it its it's i i'm i've i'd me my mine
        myself we we're we've we'd us our ours you you're you've your yours he she he's she's him her his hers they
        they're them their theirs who who's whom whose what what's when when's where where's which why how is isn't
        are aren't was wasn't were weren't be been being am do does did don't doesn't didn't done have has had haven't
        hasn't hadn't having can can't could couldn't will won't would wouldn't should shouldn't shall may might must
        of in on at by for from with without about into onto over under to as up out off not no yes all any some
        ok okay oh well too also very really re
        """
    ),
)

LANGUAGES: Final = (ENGLISH,)
