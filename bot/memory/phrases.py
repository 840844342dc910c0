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
    asked: str
    """How an imperative is asked for politely: `could you`."""
    wished: str
    """How it is wished for: `I want you to`."""
    remember: str
    """The imperative itself."""
    recalling: str
    """Those imperatives that also ask what is known, when they are asked for: `can you remember my name?`"""
    filing: str
    """Imperatives that ask to remember only with what follows a colon or `that`: `save this: …`."""
    keeping: str
    """Imperatives that ask to remember the list that stands under them."""
    heading: str
    """What stands before a colon in place of an imperative: `note to self`."""
    introduction: str
    """What may stand between `remember` and a colon."""
    many: str
    """What among it says that each line below is a thing of its own."""
    pointing: str
    """What points to the thing that follows: `put this in your memory. …`"""
    that: str
    owned: str
    """How what is to be filed begins where it names what it is, and then says it: `my size, it's XL`."""
    connector: str
    """What joins `remember` to the thing, and is no part of it."""
    telling: str
    """How what was asked to be remembered begins where it tells something, and no more asks what is known."""
    reminiscence: str
    """What, right after `remember`, makes it a shared memory instead of a request."""
    nothing: str
    """Words that hold nothing to keep when they are all that follows."""
    back_reference: str
    """`remember that`, when the thing was said just before it."""
    lead: str
    """What may stand before a thing that is kept, and is no part of it, where the request comes after it."""
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
    "softly": r"(?:please|pls|plz|just|maybe|perhaps|possibly|kindly|also|quickly|always|try to|help me(?: to)?)",
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

ENGLISH: Final = Language(
    filler=(
        r"hey|hi|hello|hiya|yo|dear|bot|oh|ok|okay|so|and|also|right|alright|well|thanks|thank you|thx|cheers"
        r"|great|nice|"
        r"cool|perfect|btw|by the way|one more thing|just|kindly|good (?:morning|afternoon|evening)|yes|yeah|yep|now"
    ),
    please=r"please|pls|plz|plse",
    remember=patterns.either(
        r"""
        # As it is misspelt, too: rember, remeber, remembr.
        rem+e?m?e?be?r(?:ing(?= that\b))?
        memori[sz]e
        (?:jot|note)(?: (?:it|this|that))? down|noting(?= that\b)
        write(?: (?:it|this|that))? down(?! (?:an?|some|how|what|why|where|your|\w+ (?:for|of|about|ideas|ways\
            |reasons))\b)
        (?:don{q}?t|do not) (?:you )?(?:ever )?forget
        never forget
        (?:don{q}?t|do not) (?:you )?(?:ever )?let (?:me|us) forget
        (?:keep|bear|keeping) in mind
        # "Make a note" alone may be advice to take notes; with what to note it is a request.
        (?:make|take) (?:(?:a|careful|good|quick|mental|special) ){0,2}note(?= (?:of|that|about|down|please|pls)\b\
            |\s*[:\u2013\u2014])
        """,
        _ENGLISH_WORDS,
    ),
    asked=patterns.either(
        r"""
        (?:can|could|would|will|won{q}?t|can{q}?t|couldn{q}?t|wouldn{q}?t) (?:you|u|ya|we)(?: {softly}){0,3}
        (?:can|could|may|might) i (?:please |just ){0,2}(?:ask|get|have|trouble) you(?: please)? to
        (?:would|do) (?:you|u) mind(?: {softly})?|(?:can|could|would) (?:you|u) be so (?:kind|good|nice)(?: as)?(?: to)?
        (?:would it be|is it) possible (?:for you )?to|(?:is there )?any (?:chance|way) (?:that )?you (?:can|could\
            |would)
        """,
        _ENGLISH_WORDS,
    ),
    wished=patterns.either(
        r"""
        (?:i|we)(?:{q}?d| would| do| really| just){0,2} (?:want|need|like|love|wish|expect|prefer)(?: for)? (?:you\
            |u) to\
            (?: {softly}){0,2}
        (?:i|we)(?:{q}?d| would) (?:appreciate|love|like|be (?:glad|grateful|happy)) (?:it )?if you(?: (?:can|could\
            |would\
            |{softly})){0,2}
        (?:you|u) (?:should|must|need to|have to|ought to|might want to|may want to|had better|better)(?: {softly}){0,2}
        (?:make|be) sure (?:to|and|that you|you)(?: {softly}){0,2}
        do me a favou?r(?: and|,|:)?|(?:try|be so kind as|feel free) to|(?:you|u) should know and|help me(?: to)?\
            |i(?:{q}m| am) (?:asking|telling) you to
        """,
        _ENGLISH_WORDS,
    ),
    recalling=r"rem+e?m?e?be?r|memori[sz]e",
    filing=patterns.either(
        r"""
        (?:save|store|log|record|keep(?: track of)?|file|archive|note|jot|write|put|add|commit|bookmark|hold on to\
            |track)\
            (?= (?:(?:me |us |all |all of )?(?:this|that|these|those|it|the following|down|a note|em|them|(?:in \
                |in?to |to )\
            (?:your |the |my )?(?:memory|notes|records|list))\b))
        # "Save my size, it's XL" gives what to keep; "save my file" is for whoever has one.
        (?:save|store|note|record|keep)(?= (?:my|our) [\w' -]{1,60}(?::|,? (?:is|are|it{q}?s|they{q}?re|=)\b))
        (?:note|save|memori[sz]e)(?=\s*:)
        """,
        _ENGLISH_WORDS,
    ),
    keeping=r"(?:save|store|keep(?: track of)?|note|jot|log|bookmark|write down|hold on to|file|archive)",
    heading=patterns.either(
        r"""
        memos?|fyi for later|(?:a |quick |mental |small |another ){0,2}(?:notes?|memos?|reminders?) (?:to\
            |for) (?:self|myself|me|you|\
            yourself|hathi|later|the (?:record|future)|your memory)
        (?:(?:here|these) (?:is|are)|here{q}s)? ?(?:(?:a|an|the|some|few|couple|of|one|two|three|four|five|another|\
            more|other|important|new|last|final|quick|little|small|big|next|also) ){0,4}(?:things?|something|facts?\
                |notes?|points?|stuff|info|information|details)\
            (?: for you)? (?:to|(?:that )?you (?:should|must|need to)|(?:that )?(?:i|we)(?:{q}d| would)? (?:want|need|\
            like) you to) (?:remember|keep in mind|keep|save|note)
        (?:to|for you to) (?:remember|keep in mind)|for (?:the record|future reference|your (?:memory|records|notes)|\
            reference|later)
        """,
        _ENGLISH_WORDS,
    ),
    introduction=(
        r"(?:\s+(?:this|that|these|those|it|of|for|me|us|you|later|the|following|please|all|some|one|two|three"
        r"|four|five|"
        r"a|few|couple|more|thing|things|fact|facts|note|notes|list|items?|points?|details|info|information"
        r"|about|my|our|"
        r"next|time|down|also|always|in|into|to|on|your|memory|mind|record|somewhere|safe|separately|as well|too"
        r"|pls|plz|bot|hathi|them|em)\b){0,8}"
    ),
    many=r"\b(?:these|those|following|things|facts|notes|items|points|list|two|three|four|five|few)\b",
    pointing=r"this|these|the following|(?:in|into|to) (?:your|the|my) (?:memory|notes|records|list)",
    that=r"that",
    owned=r"\s+(?:my|our)\b",
    connector=(
        r"[\s,]*(?:(?:please|also|always|down|from now on|for (?:me|us|later|next time|the future|the record)"
        r"|everyone|everybody"
        r"|(?:guys|folks|team|all|bot|hathi)(?: (?:and|n|&) (?:guys|folks|team|all|bot|hathi))?)\b[\s,]*){0,2}"
        r"(?:(?:of|about)\s+the fact that\s+|(?:about|of|to)\s+|this\s*,\s*|"
        # "Remember that is a bad idea": here "that" is the thing.
        r"that\b(?!\s*(?:is|was|will|would|can|has)\b)\s*,?\s*)?"
    ),
    telling=patterns.either(
        r"""
        # "Can you remember the name of …?" asks; "can you remember the name is …?" tells.
        (?:to|(?:from now on|in (?:the )?future|always),?) \w
        (?:i|i{q}?m|i{q}?ve|i{q}ll|i{q}d|we|we{q}re|we{q}?ve|we{q}ll|she|he|she{q}s|he{q}s|they|they{q}?re|it{q}?s\
            |there{q}s|there)\b(?= \w)
        {noun}{0,7}(?:{finite})\b(?! (?:called|named)\W*$)
        """,
        _ENGLISH_WORDS,
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
    back_reference=patterns.either(
        r"""
        (?:remember|memori[sz]e|save|store|keep|note|jot|write|file|log|bookmark|keep track of|don{q}?t forget\
            |do not forget)\
            (?: about)? {it}{later}
        (?:keep|bear|hold) {it} in (?:mind|memory){later}|(?:make|take) (?:a )?(?:quick \
            |mental )?note(?: of {it})?{later}
        (?:put|add|commit) {it} (?:in|to|into) (?:your )?(?:memory|notes){later}
        (?:don{q}?t|do not) let (?:me|us) forget(?: {it})?{later}
        """,
        _ENGLISH_WORDS
        | {
            "it": r"(?:this|that|it|these|those|them|'?em|all (?:of )?(?:this|that|these))",
            "later": (
                r"(?:[\s,]+(?:please|pls|thanks|thank you|thx|ok|okay|(?:would|will|can|could) you|down|bot"
                r"|hathi|somewhere|safe|for (?:me|us|later|next time|"
                r"the future|future reference))){0,3}"
            ),
        },
    ),
    lead=(
        r"fyi(?: for later)?\b|(?:i|we)(?:['\u2019]d)? (?:want|need|like) (?:you|u) to know that|just so (?:you"
        r"|u) know|heads up"
    ),
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
