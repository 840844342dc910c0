"""Patterns for plain-language requests, by language; `plain_words` applies them.

Patterns ignore case. Every repetition that can overlap another is bounded, so none backtracks for long.
"""

from dataclasses import dataclass
from typing import Final

from bot.text import patterns


@dataclass(frozen=True, slots=True, kw_only=True)
class BesidePatterns:
    """One language's patterns for what stands in a request beside the thing to keep."""

    nothing: str
    """Words that hold nothing to keep when they are all that follows."""
    courtesy: str
    """Polite words at the end of a request, behind a mark."""
    pointing: str = ""
    """What only names something that lies in the talk, and not what it says: nothing to keep either."""
    pleading: str
    """Those that need no mark before them."""
    asking: str
    """How a sentence that wants an answer begins, question mark or not."""
    errand: str
    """A second request joined to the first by `and`, or words that say it was somebody else's."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RequestPatterns(BesidePatterns):
    """One language's patterns for plain requests."""

    filler: str
    """Words that may come before an imperative without changing it."""
    telling: str
    """How what was asked to be remembered begins where it tells something, and no more asks what is known."""
    reminiscence: str
    """What, right after `remember`, makes it a shared memory instead of a request."""
    lead: str
    """What may stand before a thing that is kept, and is no part of it, where the request comes after it."""
    alarm: str
    """What asks for an alarm clock, and says nothing to be kept."""
    left_off: str
    last_session: str
    """Words by which such a question means the last session, also where another is under way."""
    cue_phrases: str
    """Phrases of asking that are dropped before searching."""


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
    "noun": (
        # A word that begins no clause about what stands before it.
        r"(?:(?!(?:what|who|whom|whose|when|where|which|why|how|if|whether|that|i|we|you|he|she|they)\b)"
        r"[\w@#<>!&.,:/\u2019'-]+ )"
    ),
    "finite": (
        r"is|are|was|were|am|isn['\u2019\u00b4`]?t|aren['\u2019\u00b4`]?t|wasn['\u2019\u00b4`]?t"
        r"|weren['\u2019\u00b4`]?t|will|won['\u2019\u00b4`]?t|would|can|can['\u2019\u00b4`]?t|cannot|could"
        r"|should|must"
        r"|has|have|had|hasn['\u2019\u00b4`]?t|haven['\u2019\u00b4`]?t|does|doesn['\u2019\u00b4`]?t|did"
        r"|didn['\u2019\u00b4`]?t|don['\u2019\u00b4`]?t|do|may|might"
        r"|lives?|likes?|loves?|hates?|needs?|wants?|works?|prefers?|starts?|begins?|ends?|costs?|closes?|opens?|means?"
        r"|goes|go|comes?|takes?|keeps?|uses?|gets?|owns?|drives?|eats?|drinks?|speaks?|studies|plays?|runs?"
        r"|leaves?|arrives?"
        r"|expires?|happens?|belongs?|moved|changed|left|joined|bought|sold|said|told|promised|agreed|decided"
        r"|became|lost"
        r"|found|lies|sits?|stands?|stays?|holds?|fits?|equals?|weighs?|turns?|owes?|knows?|thinks?|calls?|pays?"
        r"|returns?"
    ),
    "say": (
        r"(?:say|said|tell|told|mention(?:ed)?|decided?|agreed?|suggest(?:ed)?|promised?|proposed?|recommend(?:ed)?"
        r"|announced?|warn(?:ed)?|complain(?:ed)?|volunteer(?:ed)?|settled?|report(?:ed)?|post(?:ed)?)"
    ),
    "done": (
        r"(?:said|decided|agreed|talked|discussed|mentioned|told|spoken|saved|stored|kept|learned|learnt|planned"
        r"|promised|chosen|settled|argued|been talking|been discussing|established)"
    ),
}

ENGLISH: Final = RequestPatterns(
    filler=(
        r"hey|hi|hello|hiya|yo|dear|bot|oh|ok|okay|so|and|also|right|alright|well|thanks|thank you|thx|cheers"
        r"|great|nice|"
        r"cool|perfect|btw|by the way|one more thing|just|kindly|good (?:morning|afternoon|evening)|yes|yeah|yep|now"
    ),
    telling=patterns.either(
        r"""
        # "Can you remember the name of …?" asks; "can you remember the name is …?" tells.
        (?:to|(?:from now on|in (?:the )?future|always),?) \w
        (?:i|i{q}?m|i{q}?ve|i{q}ll|i{q}d|we|we{q}re|we{q}?ve|we{q}ll|she|he|she{q}s|he{q}s|they|they{q}?re|it{q}?s\
            |there{q}s|there)\b(?= \w)
        {noun}{0,7}(?:{finite})\b(?! (?:called|named)\W*$)
        (?:{when} ){1,6}(?:to|about) \w
        """,
        _ENGLISH_WORDS
        | {
            "when": (
                r"(?:at|on|in|for|by|before|after|every|the|this|an?|next|half|two|three|few|noon|midnight|later|soon"
                r"|tonight|tomorrow|tmrw|tmr|tmw|2morrow|morning|afternoon|evening|night|(?:mon|tues|wednes|thurs|fri|satur|sun)day|\d\S{0,9}"
                r"|minutes?|mins?|hours?|days?|weeks?|months?|years?|[ap]m|o'clock)"
            )
        },
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
        r"about|always|forever|too|though|now|well|hathi|anything|nothing|something|to|again)\b[\s\W]*)*"
    ),
    pointing=patterns.either(
        r"""
        {that}(?: {which}){0,2} (?:{talk})s?(?: (?:above|below|here|so far|with you))?
        (?:what|everything|all|the (?:last )?things?)(?: that)? \S{1,32} (?:just |have |has )?{done}\
            (?: [^:?"\u201c\d]{1,60})?
        \S{1,32}'s (?:last |latest )?(?:messages?|msgs?|posts?|comments?)(?: (?:about|on|from) [^:?"\u201c\d]{1,60})?
        the above|both(?: of them)?|my name|who i am
        """,
        {
            "that": r"(?:this|that|the|my|our|your|these|those|all of (?:this|that))",
            "which": r"(?:last|latest|previous|whole|entire|full|attached)",
            "talk": (
                r"message|msg|post|comment|conversation|convo|chat|talk|thread|channel|discussion|picture|photo|image"
                r"|pic|screenshot"
            ),
            "done": r"(?:said|wrote|posted|sent|told you|written|mentioned)",
        },
    ),
    lead=(
        r"fyi(?: for later)?\b|(?:i|we)(?:['\u2019]d)? (?:want|need|like) (?:you|u) to know that|just so (?:you"
        r"|u) know|heads up"
    ),
    pleading=r"ty|thx|thanks|pls|plz",
    courtesy=(
        r"please|pls|plz|thanks|thank you|thx|ty|ok|okay|will you|would you|could you|can you|cheers|alright"
        r"|got it"
    ),
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
    alarm=(
        r"\W*(?:(?:hey|hi|ok|please|pls|hathi|(?:can|could|would|will) (?:you|u))\W+){0,3}"
        r"(?:(?:set|make|create|add|start)(?: up)?(?: (?:me|us))? (?:an? |the )?"
        r"(?:reminders?|alarms?|timers?|countdown)\b[^.!?,\n]{0,80}"
        r"|(?:remind|wake|ping) (?:me|us)(?: (?:later|tomorrow|tmrw|tonight|please|pls|about (?:it|this|that)))*)\W*"
    ),
    left_off=patterns.either(
        r"""
        \bwhere (?:did |had |have )?(?:we|i|you) (?:last )?(?:leave|left|stop|stopped)(?: \w+)? off\b
        \bwhere (?:did|had|have) (?:we|i) (?:stop|finish|stopped|finished|(?:get|got)(?: up)? to|leave it)\b
        \bwhere (?:were|was|are) (?:we|i)(?:{still}){0,2} ?(?:, ?\w+ ?)?[?.!]*$
        \bwhat (?:were|was|are|have) (?:we|i|you)(?: all| just| been| last){0,2} {busy}\
            (?: {telling_nothing}){0,5} ?(?:[?.!,;\n]|$)
        \b(?:catch|bring|fill) (?:me|us) (?:back )?(?:up(?: to (?:speed|date))?|in)(?: on| about| please|\W*$)
        \bget (?:me|us) (?:back )?up to (?:speed|date)\b
        \bwhat (?:did|have) (?:i|we) miss(?:ed)?\b
        \bwhat (?:did we (?:talk about|discuss|do)|happened) last time\b
        \bwhat (?:did we (?:talk about|discuss)|happened) in (?:the|our) (?:last|previous) (?:session|conversation)\b
        \bwhat (?:did we (?:talk about|discuss|speak about|chat about)|were we (?:talking about|discussing))\
            (?: (?:right|just))? (?:before(?: (?:that|this|the reset))?|previously|earlier)\W*$
        \bwhat was (?:the|our) (?:last|previous) (?:session|conversation|chat|discussion|talk) (?:about|on)\W*$
        \bwhat (?:did we|have we|was) (?:get done|do|decided?|agreed?(?: on)?|plan(?:ned)?|finish(?:ed)?|\
            settled?(?: on)?) {last}\W*$
        \bwhat(?:'s| is| was) (?:still )?(?:open|left(?: to do)?|undone|unfinished) (?:from|since|after) {last}\W*$
        \bwhere did we end up(?: {last})?\W*$
        \bhow far did we (?:get|come)(?: {last})?\W*$
        \b(?:continue|carry on|resume|pick(?: \w+)? up|start)\b.{0,20} where (?:we|i) (?:left|stopped)\b
        \bwhat was (?:i|the last thing (?:we|i))\b.{0,30}(?:saying|doing|about|discussed|talked|said|did)\b
        \b(?:recap|summari[sz]e|sum up)\b.{0,20}(?:last|our(?: last)?) (?:session|time|chat|conversation)\b
        \b(?:recap|summari[sz]e|sum up)\b.{0,20}(?:where we|what we(?! (?:know|have|had|got|need|want)\b))\b
        \b(?:recap|summari[sz]e|sum up)(?: (?:it|this|that|us|everything|all|things)){0,2} so far\b
        """,
        {
            "busy": r"(?:talking|chatting|discussing|working|doing|speaking|saying|up to)",
            "telling_nothing": (
                r"(?:about|on|at|with|here|there|now|then|again|before|earlier|previously|together|right|just|exactly|so"
                r"|far|last|this|that|these|the|my|our|us|me|in|of|days?|weeks?|weekend|months?|time|morning|afternoon"
                r"|evening|night|yesterday|today|recently|lately|a|an|few|\d+|minutes?|hours?|moment|while|ago|when|we|i|you"
                r"|left|stopped|off|reset|session|meeting|conversation|chat|please|pls|anyway)"
            ),
            "last": r"(?:last time|(?:(?:in|at) )?(?:the |our )?last (?:session|meeting|conversation|chat))",
            "still": (
                r" (?:up to|at|again|with (?:this|that|it)|before|in (?:this|that|our) \w+|last time|yesterday|now)"
            ),
        },
    ),
    last_session=r"\b(?:last time|(?:last|previous) (?:session|meeting|conversation|chat|discussion|talk))\b",
    cue_phrases=(
        r"\b(?:last (?:week|month|year|night|time|session)|the other day|(?:\d+|an?|a few|two|three) "
        r"(?:minute|hour|day|week|month|year)s? ago|this morning|by the way|in (?:your|my) (?:memory|memories|notes)|"
        r"thank you|left off|leave off|catch (?:me|us) up|what happened)\b"
    ),
)

LANGUAGES: Final = (ENGLISH,)
