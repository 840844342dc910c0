"""How people ask to forget, one row a language.

Patterns are matched without regard to case, on text with straight apostrophes. Every repetition that can overlap
another is bounded.
"""

from dataclasses import dataclass
from typing import Final

from bot.memory import patterns


@dataclass(frozen=True, slots=True, kw_only=True)
class Language:
    """A request to forget in one language."""

    before: str
    """What may stand before the verb: a greeting, please, `could you`."""
    asked: str
    """What among it makes it a question, which then ends as one."""
    forget: str
    """Verbs that speak of memory by themselves."""
    delete: str
    """Verbs that may speak of anything else."""
    later: str
    """Those of them that are understood after what they are given for, or what is to go."""
    gone: str
    """What a thing is to be: `I want it gone`."""
    wanted: str
    may_go: str
    it: str
    """What stands for a thing named before: `my old code, forget it`."""
    own: str
    """How a thing begins that somebody speaks of as known."""
    comment: str
    """How a remark begins that follows after a comma and is no part of the thing."""
    of_memory: str
    """What says that memory is spoken of."""
    number: str
    """What may stand before a memory's number."""
    joint: str
    """What joins two numbers."""
    everything: str
    """What is to be forgotten where it is all there is of whoever asks."""
    talk: str
    """What is to be forgotten where it is this conversation."""
    last: str
    """What is to be forgotten where it is what was said or kept last."""
    said: str
    """What stands before the thing itself: `what I said about`."""
    vague: str
    """What is nothing in particular: `can you forget things?`"""
    after: str
    """Courtesy and the like, at the end."""


_ENGLISH: Final = {
    "softly": r"(?:please|pls|plz|just|now|maybe|kindly|also|quickly|then|completely|immediately|go ahead and)",
    "you": r"(?:you|u|hathi)",
    "i": r"(?:i|i've|we|we've|me|you|you've|i have|we have|you have|i had|we had|i'd|we'd)",
    "me": r"(?:me|us|myself|ourselves)",
    "told": (
        r"(?:said|told|tell|say|mention|mentioned|wrote|written|write|shared|share|asked|ask|gave|give|given|posted"
        r"|know|remember|have|had|saved|save|stored|store|kept|keep|noted|note|learned|learnt|got|talked|discussed"
        r"|decided|spoke|on file|remembered|heard|recorded|memorized|been told)"
    ),
    "all": r"(?:everything|all|anything|whatever|every last thing|every single thing|all (?:of )?(?:it|this|that))",
    "stuff": (
        r"(?:things?|stuff|parts?|bits?|memor(?:y|ies)|notes?|facts?|messages?|info|information|data|details?|records?"
        r"|entr(?:y|ies)|comments?|remarks?|one|ones|story|business|line|sentence|reminder)"
    ),
    "about": r"(?:about|on|of|regarding|concerning|around|for|with|where|saying|that says|called|named)",
}

ENGLISH: Final = Language(
    before=patterns.either(
        r"""
        hey|hi|hello|ok|okay|oh|so|and|also|right|alright|well|actually|sorry|no|yes|wait|now|then|thanks|thank you|btw
        by the way|on second thought|in that case|please|pls|plz|kindly|just|quickly|oops|hm+|um+|oh no|never ?mind
        (?:can|could|would|will|won't|can't|couldn't|wouldn't) {you}(?: {softly}){0,3}
        (?:i|we)(?:'d| would| do| really| just){0,2} (?:want|need|like|love|wish\
            |prefer)(?: for)? {you} to(?: {softly}){0,2}
        (?:i|we)(?:'d| would) (?:appreciate|love|like|be (?:glad|grateful|happy)) (?:it )?if {you}(?: (?:can|could\
            |would\
            |{softly})){0,2}
        {you} (?:should|must|need to|have to|ought to|can|may|could)(?: {softly}){0,2}
        (?:make|be) sure (?:to|and|that you|you)|do me a favou?r(?: and)?|(?:i|we) (?:want|need) to|let's|feel free to
        (?:would|do) you mind|(?:can|could|would) {you} be so (?:kind|good|nice)(?: as)?(?: to)?\
            |is it possible (?:for you )?to|(?:can|could|may) i (?:ask|get|have) you to
        """,
        _ENGLISH,
    ),
    asked=r"can|could|would|will|won't|can't|couldn't|wouldn't|do you|is it|may",
    forget=patterns.either(
        r"""
        forgett?(?:ing(?= (?:that|what|my|the|about|everything|all)\b))?(?![- ]me[- ]nots?\b)|unlearn|unremember\
            |disremember
        (?:stop|quit|no longer) remember(?:ing)?|(?:don't|do not|dont|not|never) (?:you )?(?:have to )?(?:remember\
            |keep|save|store)
        no need to (?:remember|keep|save)|(?:you )?(?:don't|do not|dont) (?:have|need) to (?:remember|keep|save)
        (?:i|we) (?:don't|do not|dont) want (?:that )?you (?:to )?(?:keep|remember|know|have|save|store|hold on to)
        never ?mind(?= what {i} {told}\b)
        """,
        _ENGLISH,
    ),
    delete=(
        r"delet(?:e|ing)|eras(?:e|ing)|remov(?:e|ing)|wip(?:e|ing)|clear(?: out)?|scrub|scrap|purge|drop"
        r"|get(?:ting)? rid of|bin"
        r"|trash|throw (?:out|away)|discard|unsave|scratch|strike|destroy|cross out|dispose of|expunge"
        r"|take(?= .{1,80} (?:off|out of|from) (?:your|the) (?:list|memory|notes|records|head)\b)"
    ),
    later=r"(?:forgett?|delete|erase|remove|wipe|scrap|drop|bin|get rid of)",
    gone=r"(?:gone|deleted|removed|erased|forgotten|wiped|scrapped|dropped|cleared)",
    wanted=r"(?:i|we)(?:'d| would| do| really| just){0,2} (?:want|need|like)(?: to have)?",
    may_go=(
        r"(?:can|may|should|must|could)(?: now| just| please){0,2} (?:go|be (?:gone|deleted|removed|erased"
        r"|forgotten|dropped|wiped))"
    ),
    it=r"(?:about )?(?:it|that|this|them|those|these|that one|all that)",
    own=r"(?:my|our|the|that|what|everything|all|this|these|those|about|#\d)",
    comment=(
        r"(?:it'?s|it is|it was|that'?s|that is|sold|because|cause|cuz|since|as it|no longer|not (?:true|needed"
        r"|relevant|anymore)"
        r"|they'?re|there'?s|gone|done|old|wrong|outdated|lol|haha|sorry|thx|was a|just a|please|pls)\b"
    ),
    of_memory=patterns.either(
        r"""
        \b(?:memor(?:y|ies)|remember(?:ed)?|your (?:notes|records|database|storage|head|mind|files))\b
        \b{i} (?:just |ever |have |had |already |once )?(?:said|told|asked|mentioned|wrote|shared|gave)\b
        \byou(?:'ve| have)? (?:know|have|had|saved|stored|kept|noted|remember|learned|got|hold)\b
        \b(?:data|info|information|everything|facts?|notes?) (?:about|on|of|regarding) {me}\b\
            |\bmy (?:personal )?(?:data|info|\
            information|records|profile|history)\b
        #\d
        """,
        _ENGLISH,
    ),
    number=(
        r"(?:the |my |your )?(?:memor(?:y|ies)|numbers?|no\.?|notes?|entr(?:y|ies)|items?|facts?|ids?|records?"
        r"|lines?)"
    ),
    joint=r"(?:,|&|and|or|plus|,? and)",
    everything=patterns.either(
        r"""
        (?:the (?:whole |entire )?lot|everything|all(?: of it)?)(?:[, ]+(?:the (?:whole |entire )?lot|everything\
            |all(?: of it)?)){1,3}
        (?:your |the )?memor(?:y|ies) of (?:this|the) (?:channel|chat|room|server|conversation|place)
        (?:absolutely |literally )?{all}(?: of (?:it|that|this|them))?(?: (?:that )?(?:{i}|there is)(?: (?:ever|all\
            |already)\
            )?(?: {told})?(?: {told})?(?: to)?(?: {me}| you| here)?)?(?: ever)?(?: (?:about|on|of|from|to|by|for) {me})?
        (?:everything|all|anything|(?:all |any |every )?(?:of )?(?:the |my |your \
            |that )?(?:personal )?{stuff})(?: (?:that )?\
            you(?:'ve| have)?(?: (?:ever|currently|already))?(?: {told}){1,2})?(?: (?:stored|saved|kept|on file\
                |collected))?\
            (?: (?:about|on|of|from|by|regarding|concerning) {me})
        (?:what|whatever|everything|all)(?: that)? you(?:'ve| have)?(?: ever)?(?: {told}){1,2}(?: (?:about|on|of\
            |from) {me})
        (?:about )?{me}(?: (?:completely|entirely|altogether|totally|forever|for good|now))?\
            |(?:that )?i (?:ever )?exist(?:ed)?
        (?:all )?(?:of )?my (?:personal )?(?:data|information|info|memories|records|history|stuff|profile|account\
            |things|\
            messages)
        (?:all )?(?:of )?(?:your|the|these|those) memor(?:y|ies)|all memories|every memory|it all|the (?:whole\
            |entire) lot
        (?:your|the) (?:entire |whole |complete )?memory|the lot|who i am|my (?:existence|identity)
        """,
        _ENGLISH,
    ),
    talk=(
        r"(?:all (?:of )?)?(?:this|our|the|that)(?: whole| entire| last| previous)? (?:conversation|chat|session"
        r"|discussion|talk)"
        r"|what we(?:'ve| have)?(?: just)? (?:talked|discussed|been talking|spoke|spoken)(?: about)?(?: here"
        r"| today| so far)?"
        r"|everything we(?:'ve| have)?(?: just)? (?:said|talked|discussed|been talking|spoke|spoken)(?: about)?"
        r"(?: here| today| so far)?"
    ),
    last=patterns.either(
        r"""
        (?:about )?(?:that|this|it)(?: (?:one|part|bit|thing|last one|last bit|last part|message|memory|note|again))?
        (?:the|that|my) (?:last|latest|previous) (?:one|thing|memory|message|note|bit|part|item\
            |entry)(?: (?:that )?{i} (?:just )?\
            {told}(?: (?:you|me))?)?
        what (?:{i}) (?:just|last) {told}(?: (?:you|me))?|what {i} {told}(?: (?:you|me))? (?:just now|last)
        """,
        _ENGLISH,
    ),
    said=patterns.either(
        r"""
        (?:all |everything |anything |what(?:ever)? |(?:all |any |every )?(?:the |that |those |these |my |your )?\
            (?:whole |entire |old |last )?{stuff} )(?:of )?(?:(?:that |which )?{i} (?:(?:have|had|just|ever|already\
                |once|all|\
            earlier|before) ){0,2}{told}(?: {told})?(?: to)?(?: (?:you|me|us|earlier|before|yesterday|today|here)){0,2}\
            (?: to (?:remember|know|keep|save))? )?{about}
        (?:that|the fact that|how|when)(?: i (?:just |ever |once )?(?:said|told you|mentioned)(?: that)?)?
        (?:that )?(?:i|we) (?:ever |just |once )?(?:said|told you|mentioned)(?: that| about)?
        (?:(?:all|everything|anything) )?about|(?:all )?of|(?:the|that) (?:thing|stuff|bit|part|business) (?:with|where)
        everything|all|anything
        """,
        _ENGLISH,
    ),
    vague=r"(?:some |any )?(?:things?|stuff|something|anything|someone|anyone|people|memories|facts|messages)",
    after=(
        r"(?:please|pls|plz|thanks|thank you|thx|ty|ok|okay|now|again|all of it|lol|and start (?:over|again|anew"
        r"|afresh)"
        r"|(?:please )?(?:remove|delete|forget|erase|bin|scrap)(?: (?:it|that|this|them))?"
        r"|(?:and )?start (?:from|over|again|anew|afresh)(?: (?:zero|scratch|fresh|again))?"
        r"|will you|would you|could you|can you|right away|at once"
        r"|immediately|for good|forever|permanently|completely|asap|hathi|for me|alright|cheers|anymore|any more"
        r"|(?:from|in|out of|off) (?:your |the )?(?:memory|memories|mind|head|notes|records|database|files"
        r"|storage|system|list))"
    ),
)

LANGUAGES: Final = (ENGLISH,)
