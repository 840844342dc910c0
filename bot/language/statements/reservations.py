"""Patterns that mark a sentence as no statement: asking, supposing, denying or hearsay."""

from typing import Final

from bot.text import patterns

_WORDS: Final = {
    "who": r"(?:i|we|you|they|he|she|it|the|this|that|there|anyone|anybody|someone|everyone|your|our|my|these|those)",
    "ask": r"(?:what|who|whom|whose|when|where|which|why|how)",
    "settle": (
        r"(?:decid|agree(?!able)|settl|commit|pick|chos|choos|plan|confirm|finali|conclu|schedul|sign|vot|book|"
        r"set\b|prefer|allergic)\w*"
    ),
    "still": (
        r"(?:(?:really|yet|actually|even|all|ever|quite|been|have|has|fully|formally|properly|being|much) ){0,2}"
    ),
    "day": r"(?:mon|tues|wednes|thurs|fri|satur|sun)day",
}

_QUESTION: Final = r"""
    \?
    ^{ask}(?:'s|'re|'d)\b
    ^{ask} (?!i\b|we\b)(?:[\w']+ ){0,2}?(?:is|are|do|does|did|will|was|were|can|should|would|could|has|have|shall)\b
    ^(?:why|how) (?:not|about|come)\b
    # No statement begins with these; "have", "do" and "will" also begin orders and names.
    ^(?:is|are|was|were|does|did|could|should|shall|would|can|am|isn't|aren't|wasn't|weren't|doesn't|didn't|\
        couldn't) \w
    ^(?:shouldn't|wouldn't|hasn't|has) \w
    ^(?:do|will|have|had|don't|won't|can't|haven't) {who}\b
    ^(?:who|whose|whom|anyone|anybody|does anyone)\b
    ^(?:remind|tell|show|ask|help|let|lmk|explain|summari[sz]e|translate|look up|search for|find out|check|\
        guess) (?:me|us|him|her|if|when|what|whether|how|who|where|the|this|that)\b
    ^(?:confirm|verify|clarify|double-?check)\b
    ^(?:since when|you sure|any (?:idea|chance|news|word|update)|thoughts on|opinions on|guess (?:who|what))\b
    ^(?:so |and )?(?:you|y'all) (?:\w+ )?(?:prefer|like|want|going|decided|agreed|planning)\b
    \b(?:anyone|anybody|somebody|someone|who|you guys) (?:else )?(?:know|knows|remember|remembers|got|want|wants)\b
    \b(?:wondering|wonder|curious|unsure|not sure|no idea|idk|dunno|unclear|no clue|(?:don't|do not|didn't) know)\b
    \b(?:asked|asking|ask|asks|guess|question is|depends on) (?:(?:me|us|you|him|her|them) )?(?:if|whether|{ask})\b
    , ?(?:right|yeah|no|correct|innit|eh|huh|isn't it|aren't we|don't we|didn't we|did we|do we|y/n)\W*$
"""

_SUPPOSED: Final = r"""
    ^(?:if|suppose|supposing|imagine|picture|say (?:the|we|i|it|you|he|she|they|that)|assuming|had (?:i|we|you)|\
        were (?:i|we) to|in case|pretend)\b
    \b(?:hypothetically|theoretically|in theory|let's (?:say|pretend|imagine|assume|suppose)|in an ideal world|\
        ideally|in another life)\b
    \b(?:someday|some day|one day|one of these days|eventually|at some point|dream(?:s|t|ed|ing)? (?:of|about|job|\
        is))\b
    \b(?:would|could|should|must|might) ?(?:'ve|have)\b
    \b(?:would|could|might|should)\b(?! (?:rather|prefer)\b)
    # The month stands after a preposition or before a number.
    (?<!\bin )(?<!\bof )(?<!\bby )(?<!\d )(?<!this )(?<!next )(?<!until )(?<!mid )(?<!late )\
        (?<!early )\bmay (?!the \d)[a-z]
    \b(?:i|we|you|they|he|she|it|that|who)'d\b(?! (?:\w+ ){0,2}?(?:rather|prefer|decided|agreed|better)\b)
    \b(?:maybe|perhaps|possibly|probably|presumably|potentially|hopefully|supposedly|conceivably|prob|prolly|mayb)\b
    \b(?:wish|wishes|wished|if only|hope|hopes|hoping|tempted|leaning|toying|considering|contemplating|mulling)\b
    \b(?:thinking (?:of|about|we|maybe|i)|thought (?:of|about)|debating|on the fence|torn between|weighing up|\
        unless)\b
    \b(?:i|we) (?:kind of |kinda |sort of |do )?(?:guess|suppose|think|thought|reckon|assume|bet|imagine|figure|\
        suspect)\b
    \b(?:don't|do not|doesn't|didn't) (?:really |actually )?(?:think|believe|reckon|expect|recall|see)\b
    \b(?:fingers crossed|praying|manifesting|knock on wood|touch wood|dying to|would be)\b
    \b(?:whatever|whichever|either way|had to (?:choose|pick|guess)|there's a chance|(?:odds|chances) are)\b
    \b(?:worst|best)[ -]case\b|\bin that case\b
    \b(?:doubt|doubtful|debatable|unlikely|likely|allowed to dream|fantas\w+)\b
    \b(?:seems?|seemed|sounds? like|looks? like|feels? like|feel like|as though|kinda|kind of|sort of|sorta|ish)\b
    \b(?:proposed|proposing|propose|my proposal|suggesting|suggest|suggestion|vote for|what about|how about|whether)\b
    \b(?:when|once|after|until) (?:i|we) (?:win|grow up|retire|rule|am rich|are rich|finally have|get rich|hit the)\b
    \bwhen i'm (?:rich|old|dead|famous|king|president|retired)\b
    \b(?:tbd|tbc|unconfirmed|not confirmed|not final|to be (?:decided|confirmed|determined)|up in the air|\
        pencill?ed)\b
"""

_DENIED: Final = r"""
    \b(?:haven't|hasn't|hadn't|didn't|couldn't|can't|cannot|weren't|wasn't|aren't|isn't|doesn't) {still}{settle}
    # At the start of a sentence these are orders: "never book me before nine".
    (?<!^)\b(?:don't|never|do not) {still}{settle}(?! me\b)
    \b(?:not|nobody|no one|none of us|neither|yet to|nothing(?:'s| is| was)?|nor) {still}{settle}
    \b{settle} (?:on |for )?(?:nothing|none|neither)(?:\W*$|,| (?:yet|so far|again|at all|today|tonight|really|new|\
        in the end)\b)
    \b(?:without|before) (?:deciding|agreeing|settling|choosing|picking)\b
    \bno (?:\w+ )?(?:decisions?|plans?|agreement|consensus|date|deadline|preferences?|favourites?|verdict|\
        conclusion)\b
    \b(?:undecided|indecisive|(?:still|keep|keeps|yet) (?:deciding|debating|arguing|discussing|voting|changing))\b
    \b(?:like|love|prefer) (?:n?or|and) (?:dislike|hate)\b
    \bagreed? to disagree\b
    \bup for (?:debate|discussion|grabs)\b
    \b(?:don't|do not|doesn't|didn't) (?:really |actually |even )?(?:care|mind|matter|have (?:a|any|strong|much))\b
    \b(?:isn't|aren't|wasn't|weren't|not) (?:actually |really |due |until |even )?(?:on|at|due|until|by|tomorrow|\
        today|tonight|next|this|\d|{day}|my fav\w*)\b
    \b(?:i|we) (?:used to|once|formerly)\b
    \b(?:used to (?:be|have|like|love|hate|prefer|play|live|work|eat|drink|use))\b
    \b(?:back then|back in the day|when i was|when we were|in my (?:youth|teens|twenties)|as a (?:kid|child|\
        teenager))\b
    \b(?:i|we) (?:was|were) (?:going|planning|meant|supposed|about|hoping) to\b
    \b(?:almost|nearly|not really|hardly|barely) (?:\w+ )?{settle}
"""

_HEARSAY: Final = r"""
    \b(?:said|says|saying|tells?|told|claims?|claimed|swears|swore|insists|insisted|mentioned|mentions|announced)\b
    \b(?:promised|promises|hinted|implied|implies|warned|stated|states|argues|argued|emailed|texted|wrote|bets|\
        promise)\b
    \b(?:let (?:me|us) know|(?:was|were|is|are|keeps?|kept) (?:saying|telling|insisting)|i'm told|from what i|\
        as per|per the)\b
    \b(?:reddit|wikipedia|chatgpt|tiktok|twitter|facebook|the (?:internet|brochure|advert|ad|tabloids?|\
        forums?)) (?:\w+ )?(?:is|are|has|have|thinks?|tells?|keeps?|wants?|promises|lists?)\b
    \b(?:heard|hear|overheard|apparently|allegedly|reportedly|rumou?rs?|rumou?red|gossip|grapevine|legend has it)\b
    \b(?:word (?:is|on|has it)|according to|they say|people say|someone else)\b
    \b(?:i|we|he|she|just) (?:once |just |have )?read (?:that|somewhere|online|on|an|about|in)\b
    \b(?:reports?|reported|reporting|writes|suspects|guesses|wants you to|would have you)\b (?:that\b|the\b|a\b|it\b)
    \b(?:thinks|believes|reckons|quoting|once wrote|famously|asked for|wrote (?:that|about)|tweeted|posted)\b
    \b(?:he|she|they|\w+'s (?:mum|mom|boss|mate|friend)) (?:decided|plan|plans|chose|picked|went with)\b
    \b(?:in|from) (?:the|that|this|my) (?:book|film|movie|show|series|episode|novel|song|story|anime|chapter|dream|\
        play)\b
    \b(?:in|from) (?:\w+ )?(?:season|episode|chapter) \w+\b
    \bthe (?:news|headlines?|narrator|main character|villain|protagonist|sequel|trailer|meme)\b
    \b(?:dreamt|dreamed|my dream last)\b
    \b(?:prompt|line|title|caption|headline|motto|slogan|lyrics?|tweet|sign|poster|sentence|phrase|subject|\
        subtitle)\b.{0,20}(?:was|is|reads?|goes|with)\b
    ^(?:netflix|apple|google|microsoft|amazon|nasa|congress|parliament|the (?:government|fed|president|pope|king|\
        studio|eu|un)|disney|sony|nintendo|meta|twitter|tesla|openai|valve|hbo|nvidia|intel|spotify|samsung|ubisoft|\
            bbc|fifa|uefa|spacex|boeing|marvel) (?:\w+ )?(?:plans?|is|are|will|has|decided|announced|wants|chose|\
                picked)\b
"""

RESERVATIONS: Final = {
    "question": patterns.either(_QUESTION, _WORDS),
    "supposed": patterns.either(_SUPPOSED, _WORDS),
    "denied": patterns.either(_DENIED, _WORDS),
    "hearsay": patterns.either(_HEARSAY, _WORDS),
}
