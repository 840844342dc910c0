"""Patterns for the openings of questions and requests, by language.

Patterns are matched at the beginning of a sentence or of a part of one, in lower case with straight apostrophes, after
any lead such as "and" or "hey Hathi,". A question mark is read in any language; these are for questions without one,
and for where a question begins within a sentence.
"""

from dataclasses import dataclass
from typing import Final

from bot.text import patterns, plain_form


@dataclass(frozen=True, slots=True, kw_only=True)
class OpeningWords:
    """One language's openings of questions and requests."""

    lead: str
    """What may stand before either without changing it."""
    question: str
    """What begins a question, whether it is marked as one or not."""
    unmarked: str
    """What begins one only where no full stop ends it: `did the parcel come`."""
    request: str
    """What begins a request that tells nothing."""
    wanted: str
    """What begins a wish to be told something that is no question: `status of the roof`."""
    begged: str
    """What is asked for politely, in whatever words."""
    fetched: str
    """What begins a request to bring what follows, as one would ask for it: `find the gate code`, `look up the fee`."""
    to_keep: str
    """What begins a request to keep what follows: that is told, however politely."""
    tag: str
    """What is hung on a statement to have it confirmed."""
    bound: str
    """What begins a part of a sentence that says nothing by itself: `if it rains`."""
    verb: str
    """What is in nearly every statement."""
    asked: str
    """What is in a question about what was asked."""


_ENGLISH: Final = {
    "be": r"(?:is|are|was|were|isn'?t|aren'?t|wasn'?t|weren'?t)",
    "aux": (
        r"(?:is|are|was|were|am|do|does|did|has|have|had|can|could|will|would|should|shall|may|might|must|isn'?t|aren'?t"
        r"|wasn'?t|weren'?t|don'?t|doesn'?t|didn'?t|hasn'?t|haven'?t|hadn'?t|can'?t|couldn'?t|won'?t|wouldn'?t|shouldn'?t)"
    ),
    "done": (
        r"(?:bring|come|take|use|ask|try|let|make|keep|remember|check|tell|say|be|have|put|leave|call|wear|read|write|so"
        r"|it|this|that|more|less|better)"
    ),
    "after": (
        r"(?:not|no|now|still|also|on|off|at|in|under|with|down|back|out|up|over|really|very|so|too|here|there|to|for|from"
        r"|of|and|by|just|only|all|almost|already|always|never|ready|done|free|open|full|empty|two|three|four|five|some"
        r"|more|one|nice|good|great|fun|\d\S*|it|this|that|the|a|an|my|our|your|his|her|their|its|been|had|become|broken|taken|given|fallen|written|eaten|stolen"
        r"|frozen|chosen)"
    ),
    "act": (
        r"(?:do|come|go|have|get|take|make|see|hear|read|help|fix|bring|use|borrow|lend|join|eat|drive|work|come|stay|keep"
        r"|open|close|buy|sell|pay|give|know|find|start|leave)"
    ),
    "to": r"(?:by|since|until|till|from|for|at|in|on|to|with|about|under|of)",
    "wh": r"(?:if|whether|what|who|whose|where|when|why|how|which)\b",
    "mistyped": f"(?:{patterns.any_of(plain_form.surely_mistyped())})",
    "maybe_mistyped": f"(?:{patterns.any_of(sorted(plain_form.mistyped()))})",
    "who": (
        r"(?:i|we|you|u|he|she|they|y'all|anyone|anybody|anything|someone|somebody|everyone|everybody|something)\b"
    ),
    "it": r"(?:it|there|this|that|these|those)\b",
    "the": r"(?:the|a|an|my|our|your|his|her|their|its|any|all)\b",
    "attribute": (
        r"(?:status|state|progress|price|cost|name|surname|date|day|time|address|location|number|phone number|password|"
        r"pass|code|pin|link|list|news|details|info|rule|deadline|recipe|reason|plan|size|length|height|width|weight|"
        r"colou?r|flavou?r|brand|temperature|setting|amount|dose|speed)"
    ),
    "piece": (
        r"(?:haiku|poems?|songs?|stor(?:y|ies)|tales?|jokes?|limericks?|rhymes?|toasts?|speech|letter|e-?mail|message|text|"
        r"caption|slogans?|lists?|summar(?:y|ies)|recipes?|table|outline|essay|tweet|post|names?|ideas?|riddles?|quiz|"
        r"paragraphs?|sentences?|lines?|script|code|function|description|invitation|announcement|pictures?|image|polls?)\b"
    ),
    "thing": r"(?:it|that|this|these|those|about|what|who|when|where|how|my|our|the|everything|all|me|us|#|\d)",
}

ENGLISH: Final = OpeningWords(
    lead=(
        r"(?:(?:and|but|so|or|ok|okay|well|hey|hi|hello|oh|hm+|um|btw|by the way|also|then|now|please|pls|plz|kindly|"
        r"quick question|question|sorry|wait|right|just|thanks|thank you|anyway|actually|@?hathi|<@!?\d+>)"
        r"(?:[\s,:.!\u2013\u2014-]+|$)){0,4}"
    ),
    question=patterns.either(
        r"""
        (?:what|who|where|when|how|why)(?:'s|'re|s)\b
        (?:what|who|where|when|how|why) {aux}\b
        {mistyped}\b
        {maybe_mistyped} (?:[\w'-]+ ){0,2}?{aux}\b
        (?:what|which|whose) (?!(?:a|an|i|we|you|he|she|they|it|the|is|was|means)\b)(?:[\w'-]+ ){1,3}?{aux}\b
        (?:what|which) (?:time|day|date|colou?r|kind|sort|type|size|one|ones|about|if|else|exactly)\b
        how (?:much|many|long|old|often|far|big|tall|late|early|soon|hot|high|heavy|wide|deep|about|come)\b
        how [\w-]+ {aux}\b
        {to} (?:when|what|which|whom|where|how (?:much|many|long)) (?:[\w'-]+ ){0,2}?{aux}\b
        how to\b(?!.*:)
        who (?!(?:i|we|you|he|she|they|it|cares|knew)\b)\w+
        (?:whom|whose)\b
        why not\b
        {aux} {who}
        any(?:one|body) (?!(?:can|may|who|is|will|could|with|under|over)\b)\w+
        any (?:ideas?|news|clues?|plans?|chance|updates?|luck|thoughts|suggestions|tips|word)\b
        (?:i )?wonder(?:ing)? (?:if|whether|what|who|whose|where|when|why|how|which)\b
        i(?:'ve| have)? (?:forgot|forget|forgotten|can't remember|cannot remember|don't remember) {wh}
        (?:i have )?no idea {wh}
        i(?:'m| am| was) wondering\b
        i(?:'d| would) (?:like|love) to know\b
        i (?:want|need|wanted|needed) to know\b
        (?:do|does) (?:\w+ )?(?:you|anyone|anybody|someone) (?:know|remember)\b
        """,
        _ENGLISH,
    ),
    unmarked=patterns.either(
        r"""
        {aux} {it}
        (?:do|does|did|can|could|will|would|should|shall|{be}) {the}
        (?:can|could|may|might|must|will|would|should|shall) (?!{after}\b|\w+ly\b)[\w'-]+ be\b
        (?:can|could|may|might|must|would|should|shall) (?!{after}\b|{done}\b|\w+ly\b)[\w'-]+ {act}\b
        does (?!not\b)\w
        do (?!not\b|{done}\b)\w+ \w
        (?:did|has|{be}) (?!{after}\b|\w+(?:ed|ing)\b)\w+ \w
        """,
        _ENGLISH,
    ),
    request=patterns.either(
        r"""
        (?:tell|show|teach|remind|help|answer) (?:me|us)\b
        give (?:me|us) (?:a|an|some|the|your|more|all|another|two|three|five|ten)\b
        (?:write|compose|draft|generate|invent|recite|sing|draw|make|create|give|tell|come up with|make up)\
            (?: me| us)?(?: a| an| some| another| the| two| three| one more| more)?(?: [\w'-]+){0,3}? {piece}
        (?:translate|summari[sz]e|sum up|recap|rephrase|rewrite|reword|paraphrase|explain|elaborate|define|calculate|\
            compute|convert|proofread|imagine|pretend|brainstorm|suggest|recommend)\b
        (?:forget|erase|delete|unlearn) {thing}
        (?:repeat|say) (?:that|it|this)(?: again)?\W*$
        (?:search|look) (?:for|up|in your memory)\b
        (?:un)?pin (?:#\d|(?:the|my|our|that) )|make #\d
        (?:stop|quit) (?:talking|replying|responding|answering|writing|posting|spamming|pinging)\b
        (?:wipe|purge) (?:all|my|our|the|every)\b
        quote (?:\w+ ){1,3}?(?:on|about)\b
        list (?:me |us )?(?:all|every|everything|any|what)\b
        (?:change|correct|edit|fix|update|replace|amend|reword|rephrase) (?:that|this|it|#\d+)\
            (?: (?:to|into|with|by)\b|\s?[:=])
        """,
        _ENGLISH,
    ),
    wanted=patterns.either(
        r"""
        (?:the )?(?:current |latest |full |exact )?{attribute}s? (?:of|for|on|about|to|from|behind) (?=\w)
        (?:the )?last time (?:we|i|you)\b(?!.*[.!])
        """,
        _ENGLISH,
    ),
    begged=patterns.either(
        r"""
        (?=[^.!?]{1,60}[ ,](?:please|pls|plz)\W*$)
        i (?:just |only |still )?(?:need|want) (?:the )?{attribute}s? (?:of|for|to) (?=\w)
        (?:some(?:one|body)|people|they) (?:just |keep )?(?:asked|asks|asking|wants? to know) (?:me |us )?{wh}
        """,
        _ENGLISH,
    ),
    fetched=patterns.either(
        r"""
        (?:can you |could you |would you )?(?:please )?{fetch} (?=[\w"'#@<\u201c])
        """,
        {
            "fetch": (
                r"(?:search (?:(?:in )?(?:your |the |my |our )?(?:memory|memories|notes|chat|messages|history) )?for"
                r"|look up|look for|find(?: me| us)?(?! (?:a|an|some|out|time|another|more|me|us|someone|somebody)\b)"
                r"|(?:gimme|lemme (?:see|know))\b"
                r"|(?:give|show|send|get|dm|pm|text|forward) (?:me|us)"
                r"(?! (?:a|an|some|more|another|how|advice|ideas?|tips|feedback"
                r"|examples?|your|two|three|four|five|ten|\d+|that|this|it)\b))"
            )
        },
    ),
    to_keep=patterns.either(
        r"""
        (?:can|could|would|will) (?:you|u) (?:please )?(?:also )?(?:remember|note|memori[sz]e|save|keep in mind|\
            make a note|write down)\b(?! (?:what|who|whose|where|when|why|how|which|if|whether|any)\b)
        (?:did|have|do) (?:you|u|y'all|everyone|everybody) (?:know|hear|heard|see|seen|notice|realise|realize) that\b
        """
    ),
    tag=(
        r"(?:right|ok|okay|correct|no|yes|yeah|eh|huh|innit|hm+|alright|all right|deal|agreed|remember|you know|see|"
        r"don't you think|if i remember (?:right|correctly)|(?:isn't|aren't|wasn't|weren't|don't|doesn't|didn't|hasn't|"
        r"haven't|hadn't|can't|couldn't|won't|wouldn't|shouldn't|is|are|was|were|do|does|did|has|have|can|will) "
        r"(?:it|he|she|they|we|you|i|there|that))"
    ),
    bound=(
        r"(?:if|when|whenever|while|since|as|because|once|after|before|unless|until|till|given|in case|speaking of"
        r"|about|regarding|for|in|on|at|by|from|with|during|apart from|besides|assuming|suppose|supposing|say|whether"
        r"|although|though)\b"
    ),
    verb=(
        r"(?:'(?:m|s|re|ve|d|ll)\b|\b(?:am|is|are|was|were|has|have|had|will|can|could|would|should|must|need|needs|got|"
        r"get|gets|did|do|does|don't|went|came|took|made|said|told|gave|saw|found|bought|sold|kept|left|lost|put|"
        r"think|know|like|love|want|hope|feel|guess|[a-z]{3,}ed)\b)"
    ),
    asked=(
        r"(?<!\bsomeone )(?<!\bsomebody )(?<!\bpeople )(?<!\bthey )\b(?:asked|asking|asks|requested|wondered)\b"
        r"|\b(?:what|which) (?:questions?|requests?) (?:did|was|were|have|has|had|came)\b"
        r"|\b(?:did|does|do) (?:\S+ ){1,3}?(?:ask|wonder|want to know|request)\b"
    ),
)

LANGUAGES: Final = (ENGLISH,)
"""Those with a table; a question mark and small talk are known in others too."""
