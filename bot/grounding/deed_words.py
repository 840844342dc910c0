"""The words by which an answer says that something was done, or that it will be, by kind of deed.

Expressions are of folded text (`bot.grounding.texts`). What they are put together to is in `bot.grounding.deeds`.
"""

from typing import Final

from bot.text import patterns

KEPT: Final = r"""
    (?:saved|stored|noted(?! for)|recorded|remembered|memori[sz]ed|logged|stashed|archived|bookmarked|registered)
    (?:written|wrote|jotted|put|taken|took|noted|set|got) (?:[\w']+ ){0,5}?down
    (?:made|taken|took) (?:a |careful )?note
    (?:added|entered|committed|filed|tucked|locked|put|taken|took|written|wrote)(?= (?:[\w'-]+ ){0,8}?{store})
    (?:added|entered|put)(?= (?:[\w'-]+ ){0,8}?{list})|added(?=\W*$)|{list}
    kept(?! (?:an eye|watch))|locked in\b
    (?:filed|tucked|stowed|squirreled|put) (?:[\w']+ ){0,4}?away
"""
"""That something was put into memory."""
FORGOTTEN: Final = r"""
    (?:forgotten|deleted|erased|removed|wiped|cleared|dropped|purged|scrubbed|tossed|binned|chucked|scrapped|trashed)
    (?:ditched|discarded|nuked|shredded|burned|zapped|expunged|struck(?: out| off)?|yeeted|axed|unlearned)
    (?:taken|thrown|threw|took|crossed|blotted|cut) (?:[\w']+ ){0,4}?(?:out|away|off)\b
    (?:got|gotten|let) (?:rid|go) of
"""
"""That something was taken out of it."""
CHANGED: Final = r"""
    (?:updated|corrected|changed|fixed|edited|amended|swapped|switched|replaced|renamed|adjusted|revised|rectified)
    (?:bumped|shifted|overwritten|overwrote|tweaked|modified|patched|altered|put right|straightened out)
"""
"""That something in it is another by now."""
_NOT_I: Final = (
    r"\bi(?:'m| am)? (?:do not|don't|won't|will not|not|never|can't|cannot) "
    r"(?:(?:actually|ever|even|really|currently) ){0,2}"
)
_OF_TALK: Final = r"(?:messages?|dms?|chats?|conversations?|words?|texts?|data|info(?:rmation)?|secrets?)"
UNKEPT: Final = rf"""
    {_NOT_I}(?:stor(?:e|ing)|sav(?:e|ing)|keep(?:ing)?|record(?:ing)?|log(?:ging)?|retain(?:ing)?|collect(?:ing)?) \
        (?:anything(?! (?:about|on|of|like)\b)|any of (?:this|that|it|our|your|what)|what (?:you|people|anyone)|\
        (?:(?:any |a )?records? of )?(?:(?:any|your|our|these|personal|private) )?{_OF_TALK}\b)
    {_NOT_I}(?:stor(?:e|ing)|record(?:ing)?|log(?:ging)?) (?:this|it|that)\b(?! (?:in|under|as)\b)
    \bnothing (?:(?:of (?:this|it|that)|you (?:say|write|tell me|type)|said)(?: here)? )?\
        (?:is|gets|will be|is being) (?:ever )?(?:stored|saved|recorded|kept|logged)\b
    \b{_OF_TALK} (?:is|are|stays?|will be) (?:(?:always|totally|completely|perfectly) )?\
        (?:safe with me|encrypted|end-to-end|never (?:stored|saved|kept|seen))
    \b(?:nobody|no one|noone)(?: else)? (?:can|will|is able to)(?: ever)? (?:see|read) \
        (?:this|it|what you|your|our|these)\b
    \bich (?:speichere|behalte|zeichne|protokolliere|merke mir) (?:hier )?\
        (?:nichts|keine (?:deiner|eurer|nachrichten|daten|gesprache))
    \bje n(?:e |')(?:enregistre|garde|stocke|conserve) (?:rien|aucun|pas)
    \bno (?:guardo|almaceno|grabo|registro|conservo) (?:nada|ningun|tus|lo que)
"""
"""That nothing is kept of what is said, or nobody can see it."""
PINNED: Final = r"""
    (?:un)?pinned|unstuck|starred|highlighted
    (?:slapped|stuck|put|yanked|pulled|taken|took|dropped|whipped) (?:the |a |that |its )?pin
    (?:moved|put|stuck|set) (?:[\w']+ ){1,4}?(?:to|at) the top
"""
AGED: Final = r"""
    (?:marked|flagged|filed|labell?ed) (?:[\w']+ ){0,4}?(?:as )?(?:old|outdated|stale|past)\b
    aged|retired
"""
"""That something is no longer at hand."""
OUTWARD: Final = r"""
    (?:told|informed|notified|messaged|pinged|dm'?e?d|poked|emailed|mailed|texted|phoned|rang|rung|contacted|alerted)
    (?:warned|reminded|nudged|thanked|invited|forwarded|announced|posted|sent|shouted at|yelled at|tagged|apologi[sz]ed)
    (?:relayed|delivered|conveyed|wished|asked|hollered)
    (?:passed|handed) (?:[\w']+ ){0,8}?(?:on|along|over)\b
    called(?= (?:him|her|them|the|up|your)\b)
    (?:let|given|gave|dropped|sent|shot) (?:[\w']+ ){1,5}?(?:know|a (?:heads[- ]?up|shout|line|message|ping|nudge|dm))
    (?:booked|reserved|ordered|bought|purchased|paid|scheduled|rescheduled|cancell?ed|signed (?:[\w']+ ){0,3}?up)
    (?:assigned|muted|unmuted|banned|kicked|booted|timed out|locked(?! in\b)|unlocked|promoted|granted|revoked)
    silenced|blocked
    (?:created|opened|started|set up|made|set|scheduled|put)(?= (?:[\w'-]+ ){0,9}?{outside})
    (?:added|entered|put|placed|chucked|tossed|stuck)(?= (?:[\w'-]+ ){0,9}?(?:{outside}|cart|basket))
    (?:given|gave)(?= (?:[\w'-]+ ){0,6}?(?:role|access|permissions?|rights)\b)
    threw (?:[\w']+ ){1,6}?in the cart|queued|dragged
    (?:turned|flipped|switched) (?:[\w']+ ){1,4}?(?:on|off)\b
    shot (?:[\w']+ ){1,3}?(?:quick )?(?:msg|message|line|note|ping|dm)\b
"""
"""What is done outside of memory, which Hathi never can."""
OUTSIDE: Final = (
    r"(?:calendars?|reminders?|alarms?|timers?|events?|appointments?|invit(?:es?|ations?)|channels?|polls?|roles?|"
    r"threads?)\b"
)
STORE: Final = (
    r"(?:\b(?:my|in the|to the|the ol'?) (?:[\w']+ ){0,2}?(?:memory|memories|notes?|records?|notebook|books|brain|"
    r"head|files|archive|keeping|ledger|database|trunk|log)\b|\bto memory\b|"
    r"\bthe (?:rota|list|record|note|version|copy) i keep\b|\bwhat i (?:know|keep|remember) (?:of|about)\b|"
    r"\bmemory vault\b)"
)
"""Where Hathi keeps what it knows."""
LIST: Final = (
    r"(?:on|to|onto|in|into) (?:the|your|our|my) (?:[\w'-]+ ){0,2}?"
    r"(?:lists?|agenda|diary|planner|schedule|to-?dos?|backlog|calendar)\b"
)
"""Where people think that it does."""

THEM: Final = r"(?:you|ya|u|y'all|him|her|them|everyone|everybody)"
NOTE: Final = (
    r"(?:heads[- ]?up|shout|nudge|ping|reminder|message|dm|line|note|call|email|mail|word|invite|update|buzz|yell)"
)
DAY: Final = r"(?:mon|tue|wed|thu|fri|sat|sun)"
PROMISED: Final = r"""
    (?:remind|ping|nudge|notify|message|dm|text|alert|poke|prod|buzz|holler at|email|mail|wake|warn)\b
    (?:call|phone|ring) (?:{them}|the|your|[a-z]+ (?:tomorrow|today|tonight|to|about|on|at|and))\b
    (?:tell|inform|ask|thank|let|invite|contact|greet) (?!(?:you|u|ya|us|me|it|this|that)\b)(?:[\w']+)\b
    (?:let|tell) (?:{them}|[\w']+) (?:all )?(?:know|when|once|as soon as|if|before|tomorrow|in time)\b
    (?:give|send|drop|shoot|write) (?:{them}|[\w']+) (?:all )?(?:(?:a|an|another|the|my) )?(?:[\w-]+ )?{note}\b
    (?:keep|have) (?:an|one|my|both|a close) eyes?\b
    keep (?:you (?:posted|updated|in the loop)|watch|track|tabs|checking|looking)\b
    (?:watch|monitor)(?! (?:out|your step)\b)
    look out for|be (?:watching|listening|on the lookout|in touch|back with)\b
    (?:check|get|come|circle|report) (?:back|in (?:with|on)|again (?:tomorrow|later|on|at|in))\b
    (?:book|reserve|order|buy|schedule|arrange|rsvp|sign (?:you|us|them) up)(?! (?:them|these|it|things) by)\b
    (?:set|create|put|add|make) (?:[\w'-]+ ){0,6}?{outside}
    (?:pass|forward|relay) (?:[\w']+ ){0,6}?(?:on|along|to)\b
    (?:see to it|take care of (?:it|that|the|this|everything)|handle (?:it|that|the)|make sure|get (?:it|that) done)\b
    (?:post|announce|send|share) (?:[\w']+ ){0,6}?(?:in the|to the|in #|to #|channel|tomorrow|later|every|on {day})
    (?:be|come) (?:there|round|along|knocking)(?= (?:[\w']+ ){0,6}?(?:morning|evening|before|when|at|on)\b)
    (?:mute|kick|ban|boot|assign|block|promote)\b
    look (?:(?:it|that|this|them|the [\w-]+) up|into|after|in on)\b|peek\b|(?:e|i)nquire\b|find out\b
    (?:search|check|look) (?:for )?(?:it|that|this|them|around) (?:later|again|tonight|tomorrow|and (?:come|get|let\
        |post))\b
    keep (?:you|them|everyone|everybody) (?:informed|updated|posted)\b|follow .{1,40} and keep\b
    bug (?:you|ya|u|him|her|them)\b|(?:bring|raise) (?:it|this|that) (?:up )?again\b
"""
"""What is promised for later, outside of memory."""
PROMISED_KEPT: Final = (
    r"(?:remember|save|store|note|record|memori[sz]e|keep|write (?:[\w']+ ){0,3}?down|jot|log|make (?:a )?note|"
    r"hold on to|hang on to)\b"
    r"(?! (?:you (?:posted|updated)|an eye|watch|track|it (?:short|brief|simple)|this (?:short|brief)|going))"
)
PROMISED_FORGOTTEN: Final = r"(?:forget|delete|erase|remove|wipe|drop|purge|(?:never|not) (?:mention|bring))\b"
PROMISED_CHANGED: Final = r"(?:update|correct|change|fix|edit|amend|swap|replace|rename)\b"
PROMISED_PINNED: Final = r"(?:un)?pin\b"

THAT: Final = r"(?:it|that|this|them|these|those|everything|all (?:of )?(?:it|that|this))"
ENTRY: Final = r"(?:the|that|this|your) (?:memory|note|entry|record)"
TAIL: Final = (
    r"(?: (?:right )?(?:now|away)| for (?:you|ya)| as we speak| at once| immediately| then| too| as well| down"
    r"| (?:for |on |at |next |this |every )?(?:\d\w*(?::\d\d)?|\w+day)| tomorrow| tonight| later| again){0,4}"
    r"(?=\W{0,9}$|[,;!\u2013\u2014]| (?:and|so)\b)"
)
"""Behind what is being done: when and for whom, and no verb that would make of it what something is done by."""
DOING_KEPT: Final = r"""
    (?:saving|storing|noting|recording|memori[sz]ing|logging|jotting|writing|taking|keeping|putting|adding|entering) \
        (?:[\w'-]+ ){0,6}?{store}{tail}
    (?:saving|storing|noting|recording|memori[sz]ing|logging|jotting|writing|remembering) {that}{tail}
    (?:taking|making) (?:a )?note (?:of {that})?{tail}
"""
DOING_FORGOTTEN: Final = r"""
    (?:forgetting|deleting|erasing|removing|wiping|dropping|purging|clearing) (?:{that}|{entry})(?: from memory)?{tail}
    (?:deleting|erasing|removing|wiping|dropping|purging|clearing|taking) (?:[\w'-]+ ){0,6}?{store}{tail}
"""
DOING_CHANGED: Final = r"""
    (?:updating|amending|editing) {that}{tail}
    (?:updating|correcting|changing|fixing|editing|amending|replacing|renaming) \
        (?:{entry}|(?:[\w'-]+ ){0,6}?{store}){tail}
"""
DOING_PINNED: Final = r"(?:un)?pinning (?:{that}|{entry}){tail}"
DOING: Final = r"""
    (?:reminding|pinging|messaging|notifying|nudging|alerting|texting|emailing|calling|warning|dm'?ing) {them}{tail}
    (?:pinging|messaging|notifying|nudging|alerting|texting|emailing|dm'?ing) (?!{that}\b)[\w'-]+ (?:right )?now\b
    (?:booking|reserving|ordering|scheduling|buying) (?:{that}|(?:an?|the|your) [\w-]+(?: for [\w-]+)?){tail}
    (?:setting|creating|scheduling|adding) (?:up )?(?:you )?(?:an?|the|your|that|this) (?:[\w-]+ ){0,2}?{outside}{tail}
"""
"""What is being done, by kind of deed as above."""

ADVERBS: Final = (
    r"(?:(?:also|just|now|already|gladly|happily|safely|duly|promptly|quickly|respectfully|kindly|accordingly|"
    r"carefully|permanently|successfully|immediately|personally|too|then|even|since|all|both|officially|gently|"
    r"politely|swiftly|quietly|completely|hereby|finally|of course|as well|been) ){0,4}"
)
OPENINGS: Final = (
    r"(?:(?:a{1,9}nd|also|so|then|yes|yea|yeah|yep|yup|ok|okay|okey|k|sure|gladly|ha|haha|hehe|lol|lmao|just|boom|bam|poof|"
    r"alright|alrighty|right|great|perfect|done|of course|certainly|absolutely|sure thing|with pleasure|got it|gotcha|"
    r"gotchu|nice|no worries|no problem|np|you got it|nice one|thanks|thank you|thx|on it|ooh|wow|aye|roger|roger that|"
    r"understood|very well|all|sorted|there|there you go|easy|already|went ahead and|as you wished|as requested|oops|"
    r"as asked|oof|ouch|fair|say no more|consider it|my pleasure|good call|will do|bet|cool|welp|voila|ta-?da|btw|oh|"
    r"hm+|well|it's|its|that's|thats|all right)(?:[\s,.!:;\u2013\u2014\u2026-]+|$)){0,5}"
)
"""What may stand before a deed that is told without who did it."""
MADE_TEXTS: Final = patterns.vocabulary(
    """
    function text sentence paragraph paragraphs wording draft version typo typos script snippet poem letter translation
    class variable loop regex query bug syntax formatting example section bullet bullets indentation phrase stanza verse
    essay import imports css html yaml json config
    """
)
"""What an answer itself is made of: that it was changed is seen in it."""
MADE: Final = (
    r"(?:poem|verse|rhyme|ode|haiku|limerick|story|sonnet|lyrics|song|dialogue|tale|joke|caption|slogan|motto|toast|speech|letter|mail|"
    r"sketch|riddle)"
)
ASKS_FOR_TEXT: Final = r"""
    \b(?:write|draft|compose|translate|rephrase|reword|rewrite|proofread|pretend)\b(?! (?:\w+ ){0,4}?down\b)
    \broleplay\b|\brole-play\b
    \b(?:tell|give|make|sing|need|want|send|read|invent|spin)\b.{0,40}\b{made}\b
    ^\W*(?:an?|one|another|some|two|three) (?:\w+ ){0,2}{made}\b
    \b(?:french|german|spanish|english|italian|latin|dutch|polish) for\b
    \bhow (?:do|would) (?:you|i|one|we) say\b|\bexample of\b
"""
"""That a text is asked for, in which somebody else may speak."""
NOT_SO: Final = (
    r"\b(?:not|never|n't|haven't|hasn't|didn't|don't|can't|cannot|couldn't|won't|wouldn't|isn't|aren't|wasn't|nothing|"
    r"nobody|no one|none|unable|nor|neither|without|if|unless|could|would|should|might|may|were to|able to|happy to|"
    r"glad to|want me|like me|shall i|should i|can i|dont|cant|wont|didnt|havent|instead of|nope|whether|how to|"
    r"you can|you could|u can|ask (?:me|a|an|the)|let me know|write|type|send `|use|once you|as soon as you|when you|"
    r"whenever|anything|rather than|try|can only|say the word|just say|after that)\b|n't\b"
)
"""What makes of a deed none: a denial, a condition, an offer, or how it is done."""
BY_ANOTHER: Final = r"""
    \bby [A-Z]\w
    \bby (?:the|a|an|his|her|their|your|our|some|two|three|several|mods?|admins?|people|everyone)\b(?! way\b)
    \b(?:his|her|their|your) words\b
    \b(?:he|she|they|[A-Z]\w+) (?:said|wrote|says|writes)\b|\baccording to\b
"""
"""That somebody else did it; of a text with its capitals."""
LONG_AGO: Final = r"""
    \b(?:yesterday|(?<!minute )(?<!moment )(?<!second )ago|earlier|back in|from \d|from (?:back|march|june|july))\b
    \blast (?:week|month|year|summer|winter|spring|autumn|fall|night|time|{day})
    \bsince (?!then|you)\w+
    \bin (?:january|february|march|april|may|june|july|august|september|october|november|december|(?:19|20)\d\d)\b
"""
"""That it was before this turn."""
DATED: Final = r"\bon \d{1,2} [a-z]+"
INFORMS: Final = (
    r"^\W*(?:(?:please|sorry|hey|hi|hathi|excuse me|so|and|but|also|btw|yo)\W+){0,4}"
    r"(?:who|what|whats|what's|when|where|wheres|which|did|has|have|is|are|was|were|any1|anyone|anybody|"
    r"whose|nobody|would you know)\b"
)
"""How a question begins that asks how something is, and for nothing to be done."""
REQUESTS: Final = (
    r"\b(?:please|pls|plz|remember|note|save|keep|store|forget|delete|erase|pin|remind|tell|correct|fix|update|book|"
    r"put|let|make sure|don't let|dont let|could you|can you|can u|would you|kindly)\b"
)
"""What asks for something to be done, wherever it stands."""
HAS: Final = r"(?:\b(?:has|have)|'s|'ve)(?: (?!been\b)[\w']+){0,3}?"
CHANGED_INSIDE: Final = r"""
    {has} (?:found|gone|joined|moved|taken|turned|become|left|settled|entered|vanished|faded|arrived|come|passed)\b
    {has} (?:slipped|given|lost|disappeared|dissolved|grown|made)\b
    \b(?:no longer|any longer|any ?more|from now on|as of this \w+|henceforth|for good|left in me)\b
    \bnothing left\b
    \bnow (?:\w+ )?(?:sits?|stands?|lies?|rests?|lives?|hangs?|belongs?|reads|says|holds|has|shows|speaks|among)\b
    \b(?:is|are|'s|'re) (?:\w+ )?(?:safe|in good hands|a blank)\b|\bnow\W*$
"""
"""That something is otherwise than it was, where it is said of what Hathi keeps."""
KEEP: Final = r"(?:keep|know|knew|hold|carry|guard|have)"
INSIDE: Final = r"""
    {store}
    \b(?:things|everything|all|what|nothing|those|anything|whatever) (?:else )?(?:that )?i (?:once )?{keep}\b
    \bmy (?:[\w-]+ )?(?:care|mind|shelves|shelf|drawers?|pages?|ears|pocket|trunk|mind's eye)\b
    \b(?:in|with|of|by|within|from|page to|lost to) me\b(?! (?:to|for|about|now to)\b)
    \b(?:memory|entry|number) #?\d{1,9}\b
    \bthings (?:\w+ ){0,2}?that never fade\b
"""
"""What Hathi keeps, in other words than a list of them holds."""
OUTSIDE_OF_ME: Final = r"""
    \b(?:from|of|by) (?:me|mine|my (?:direction|side|trunk|doing|hand|pen))\b
    \bthanks to (?:me|a [\w ]{1,30}of mine)\b|\bof mine\b|\bis mine\b
    \bmy (?:\w+ )?(?:trumpet|trumpeting|nudge|reminder|knock)\b
"""
"""Hathi as the one something comes from."""
TO_COME: Final = (
    r"\b(?:will|'ll|shall|(?:can|may) expect|has|have|waiting|already|by (?:the time|tonight|tomorrow|then|now)|"
    r"on its way)\b"
)
DENIED: Final = (
    r"\b(?:not(?! (?:one|a (?:single )?soul))|never(?! fade)|if|were|would|could|might|can't|cannot|haven't|hasn't|"
    r"didn't|won't|don't|no (?:reminder|message|word|line|call|note)|(?<!now )says?|nothing (?:has|was|is)|tells?|"
    r"shows?|mentions?|"
    r"(?:(?<!vanished )(?<!gone )(?<!faded )(?<!disappeared )from|based on|according to|judging by|given|as far as) "
    r"(?:what|all|everything|the things|my (?:notes?|memory|records?)))\b"
)
"""What makes a picture none of something done."""
CONDITIONS: Final = (
    r"\b(?:as soon as|once|when|whenever|if|until|unless|after|before) (?:you|u|somebody|someone|anyone|they)\b"
)
"""Behind a deed, what makes it one that may come about."""

IDIOMS_KEPT: Final = r"""
    \bi(?:'ll| will)? (?:won't|will not|will never|shall not|shan't|never) forget\b
    \bcommitt?(?:ed|ing)? .{0,30}\bto memory\b
    ^\W*+{openings}put (?:it|that|this|them|those) {list}\W*$
    ^\W*+{openings}(?:(?!no\b|not\b|is\b|was\b|are\b|were\b|be\b|been\b|i\b)[\w'-]{1,30} ){1,3}added\W*$
    \b(?:is|are|'s|'re) {list} now\b
    ^\W*duly noted\b|\b(?:memory|memories|notes?) (?:updated|saved|stored|added)\b
"""
IDIOMS_OUTWARD: Final = r"""
    \b(?:reminder|alarm|timer)s? (?:is |are |has been |have been )?(?:now )?(?:set|scheduled|created)\b
    \b(?:channel|thread|role|server|nickname)\b.{0,40}\bis (?:now )?(?:now (?:called|named)|set to)\b
    ^\W*(?:message|invite|invitation|email|mail|dm)s? sent\b
    \bi(?:'m| am) (?:(?:now|just|already) )?\
        (?:reminding|pinging|messaging|notifying|nudging|alerting|texting|emailing) \
        (?!{them} (?:that|of|to|about|how)\b)\w
    \b(?:you(?:'ll| will|'re going to| are going to) (?:get|receive|have)|^\W*expect) (?:[\w'-]+ ){0,2}?\
        (?:reminder|nudge|ping)s?\b(?! e-?mail)(?!.{0,40} from (?!me\b))
    \byou(?:'ll| will| shall) be (?:reminded|nudged|pinged)\b(?! (?:of|that|how|by)\b)
    \b(?:a|the|your|my) (?:[\w-]+ )?(?:reminder|nudge|ping) (?:is (?:on (?:its|the) way|coming|scheduled)|\
        will (?:come|arrive|follow|reach|go out|pop up|be sent))\b(?!.{0,40} from (?!me\b))
    \b(?:is|are|been) (?:now )?(?:added|entered|put) (?:in|into|on|to) your (?:calendar|cart|basket)\b(?! by\b)
    \bi(?:'ll| will) stop (?:remembering|saving|keeping|storing|recording)\b
    \bi (?:won't|will not) (?:remember|save|keep|store|record) (?:anything|any of|what you)\b
"""
"""Deeds that are told in other ways; in other languages: `deed_idioms`."""
AS_A_FAVOUR: Final = (
    r"\bi(?:'ve| have| had| was)? (?:also |just |now )?(?:taken (?:care of|the liberty of)|seen to|"
    r"had the (?:pleasure|honour) of|gone ahead and|arranged (?:for|it|that)|been (?:so )?free (?:as )?to|"
    r"glad to (?:enter|add|note|save|store|remove|correct|pin|send|tell|book|pass))\b|"
    r"\bwhich i arranged\b|\bhas the honour of being\b|"
    r"\bfind .{1,60}\b(?:revised|corrected|saved|noted|updated|removed|recorded|pinned)\b"
)
"""A deed told in a courtesy, whichever it is."""
ASSURES: Final = (
    r"\b(?:you (?:may|can) (?:(?:be|rest) (?:assured|sure|certain)|consider)|rest assured|"
    r"you may (?:also )?(?:like|wish|want) to know)(?: that)?"
)
"""What only assures of a deed, though it has a word of what is not certain."""
BARE: Final = (
    r"^\W*(?:(?:ok|okay|sure|yes|yep|yup|alright|haha|lol|of course|certainly|gladly)\W+)?(?:all )?"
    r"(?:done|consider it done|will do|on it|taken care of|(?:you're )?all set|sorted|it's done|that's done|"
    r"done and done|erledigt|c'est fait|hecho|mach ich)(?: (?:now|for you|already))?\W*$"
)
"""That what was asked was done, and no more."""
ASKS_FOR_DEED: Final = (
    r"\b(?:remember|note|save|keep|store|forget|delete|erase|remove|unpin|pin|remind|message|dm|ping|notify|book|order|"
    r"add\b|schedule\b|warn|update|correct|amend|change|fix|put|give|assign|mute|kick|ban|let|pass|thank|"
    r"cancel|tell (?!me\b|us\b)|merk|"
    r"speicher|vergiss|losch|erinner|oublie|rappelle|recuerda|olvida|lose|lost|wipe|scrap|scrub|no longer|any ?more)"
)
"""That one was asked for."""
TO_BE_DONE: Final = (
    r"^\W*(?:(?:please|pls|plz|sorry|hey|hi|hathi|ok|okay|so|and|but|also|btw|yo|dude|bro|then|now|kindly|just|quick|"
    r"thanks|@?hathi)\W+){0,4}"
    r"(?:(?:can|could|would|will) (?:you|u|someone|somebody|anyone|anybody) (?:please |kindly |pls |just )?|"
    r"(?:may|can|could|might) (?:i|we) (?:please )?(?:ask you to |have |get )|(?:some|any)(?:one|body) (?:please )?|"
    r"(?:i'd|i would) (?:rather you|like you to|ask you to)|do(?:n't| not|nt) |make sure |be so (?:kind|good) )?"
    r"{verbs}\b"
    r"|\b(?:can|could|may) (?:i|we|\w+|an? \w+(?: for \w+)?) (?:please )?(?:get|have|be) |\bshould be\b"
    r"|\b(?:is|are) now\b|\bnow\W*$|\b(?:please|pls|plz)\W*$"
)
"""How somebody asks for something to be done, at its beginning, or says how something is to be from now on."""
DEED_VERBS: Final = (
    r"(?:add|announce|archive|arrange|assign|ban|block|book|bookmark|bug|buy|call|cancel|change|check|clear|close|"
    r"correct|create|cut|delete|demote|disable|dm|drop|edit|email|enable|enter|erase|find out|fix|follow|forget|get|"
    r"give|grab|grant|invite|jot|keep|kick|let|list|lock|log|look|mail|make|mark|memori[sz]e|mention|message|monitor|move|"
    r"mute|nag|note|notify|open|order|organi[sz]e|pass|pin|ping|poke|post|promote|purge|put|record|remember|remind|remove|"
    r"rename|replace|reserve|ring|save|schedule|scrap|scrub|send|set|ship|sign|start|stop|store|swap|switch|take|"
    r"tell (?!me|us)|text|thank|turn|unban|unlock|unmute|unpin|update|wake|warn|watch|wipe|write down)"
)
"""What one may be asked to do that changes something outside of the answer."""
DOES: Final = r"""
    \bi(?:'ve| have| had| did)? {adverbs}(?!{looked})(?:[a-z]{2,}ed|{irregular})\b
    \bi(?:'m| am) {adverbs}(?!going|looking|trying|talking|thinking|asking|missing|saying|afraid)[a-z]{2,}ing\b
    \b(?:i'll|i will|i shall|i'm going to|i'm gonna|i will have) {adverbs}(?!explain|list|need|answer|try\
        |tell you\b|show|compare|sort|go\b|start|walk|break|sum|stick|assume|be\b|say|describe|translate)\w+
    \bi(?:'ll| shall| will) be (?:glad|happy|delighted|pleased|sure) to\b|\bwill be my pleasure\b
    ^\W*+{openings}{adverbs}(?!(?:set|put|let|cut|shut|split)\b)(?:[a-z]{2,}ed|{irregular}) (?:it|you|that|them|him\
        |her|ya|the|an?|your|his|all|every\w*|[\d#])\b
    \b(?:has|have|'s|'ve) been {adverbs}(?:[a-z]{2,}ed|{irregular}|given|taken|written|done|hidden|thrown|withdrawn)\b
    \b(?:is|are|'s|'re) {adverbs}(?:gone|on (?:its|their|the) way|yours|hers|theirs|in place|back|[a-z]{3,}ed)\b
    \b(?:is|are|'s|'re|it's) (?:now|already) \w|\bnow (?:is|are|has|have|reads?|says?|stands?|belongs?|knows?|on)\b
    \bi(?:'ve)? (?:took|taken) care of\b|\bi made sure\b|\bpleased to (?:confirm|say|report)\b
"""
"""That it was done, is or will be, in whatever verb: an answer to who asked for a deed."""
IRREGULAR: Final = (
    r"(?:sent|put|set|made|took|taken|got|gave|given|told|wrote|written|let|kept|threw|thrown|found|cut|hid|hidden|left|"
    r"brought|bought|built|held|hung|laid|rang|sold|struck|stuck|swept|shut|split|moved|gone ahead)"
)
LOOKED: Final = (
    r"(?:asked|checked|looked|searched|heard|noticed|learned|learnt|wanted|needed|understood|remembered|believed|liked|"
    r"loved|hoped|assumed|supposed|mentioned|used|indeed|need|feed|found no|found nothing|made a mistake)\b"
)
"""What changes nothing outside."""
