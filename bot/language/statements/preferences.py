"""Patterns for preferences and facts about oneself, and for what is only a reaction."""

from typing import Final

from bot.language.statements import statement_words
from bot.text import patterns

PREFERENCE: Final = patterns.either(
    r"""
    \b{one} {adv}prefers? (?!{pro}|not\b\W*$)\w
    \b(?!who|nobody|everyone|everybody|anyone|someone|it|that|this|which|always)[\w-]+ {adv}prefers (?!{pro})\w
    \b(?:my|our) (?:[\w'-]+ ){1,3}(?:loves|hates|likes|enjoys|adores|detests|dislikes|can't stand) (?!{pro}|\
        {reaction})\w
    \bi (?:\w+ly )?find (?!{pro}|myself|out|the (?:time|bug|issue)|my)[\w' -]{2,40} (?:easier|better|nicer|harder|\
        clearer|too|much|more|hard|annoying|distracting|relaxing|unreadable|tiring|boring|soothing|uncomfortable|\
            unpleasant)\b
    ^(?:can't|cannot|don't|won't|never) (?:do|eat|drink|stand|use|wear|touch|handle|have|tolerate|like|\
        enjoy) (?!{pro}|to\b|anything|much|any\b|enough)\w
    \bi'd {adv}(?:rather|prefer) (?!(?!you ){pro}|not\W*$|be anywhere)\w
    \bi would (?:rather|prefer) (?!{pro}|not\W*$)\w
    ^(?:much )?prefer \w+
    \b{liker} {adv}{likes} (?!{pro}|{reaction})\w
    \b{one}(?:'s|'m| is| are| am| has| have)? {adv}(?:an? |got an? )?{condition}\b
    \b{one} (?:doesn't|does not|can't|won't|never) (?:\w+ )?(?:have (?!to\b|been\b|a\b|an\b|the\b)|like|enjoy|eats?|\
        drinks?|touch|wear) (?!{pro})\w
    ^(?:severely |very |mildly )?(?:allergic|intolerant) to \w
    \b(?:my|our|his|her) (?:\w+ ){0,4}?{best}(?: \w+){0,6}? ?(?:is|are|'s|=|has to be|:|remains|\
        has always been) (?!{pro})\w
    \b(?:is|are|'s) {adv}(?:by far )?(?:my|our) (?:\w+ ){0,3}?{best}\b
    ^favourite [\w ]{2,30}(?: is| are|:) \w
    \b(?:i|we) {adv}(?:always|never|only|usually|exclusively|normally|mostly|don't|do not|can't|cannot|\
        won't) {adv}{habit} (?!{pro})\w
    \bi (?:can't|cannot|don't) (?:work|sleep|focus|concentrate|think|study|function|write|code) (?:with|without|in|\
        unless|before|on|if|well)\b (?!{pro})\w
    \bi (?:like|prefer|want|need) it (?:\w+ly )?\w+ (?:when|while|at night|in the)\b
    \bi (?:refuse to|insist on) (?!{pro}|believe|accept|give|go\b)\w
    \b[\w-]+'s (?:\w+ ){0,2}?favourite [\w ]{2,30} is (?!{pro})\w
    \bgives? (?:me|him|her|us) (?:a |an |the )?(?:migraines?|headaches?|hives|rash|heartburn|nightmares|hay fever|\
        stomach \w+|indigestion)\b
    ^(?!{mass})[\w-]+ (?:and [\w-]+ )?{adv}(?:likes|loves|hates|dislikes|adores|detests|enjoys|\
        can't stand) (?!{pro}|{reaction})\w
    \bi \w+ (?!{pro})[\w -]{3,30} only\b
    \b(?:i|i've|we|we've) (?:have )?always (?:preferred|loved|hated|liked|avoided|used|worn|bought|\
        disliked) (?!{pro})\w
    \b(?:i|we) (?:always|never|usually|only|mostly|generally|rarely|normally|typically|seldom|\
        hardly ever) (?!{lapse}\b|\w+ed\b)\w+ (?!{pro})\w
    ^(?:not )?(?:\w+ )?(?:keen on|fond of|big on) (?!{pro}|the (?:idea|new))\w
    \bi (?:want|need|like) [\w ]{3,30} (?:everywhere|by default|at all times|always)\b
    \b(?:has|have|having) (?:an? |got an? )?(?:\w+ ){0,3}(?:allergy|allergies|intolerance)\b
    \b(?:i|we) (?:\w+ )?stick (?:to|with) (?!{pro})\w
    ^[\w -]{3,30} or nothing(?: for me)?\W*$
    \b(?:won't|doesn't|don't|can't) (?:eat|drink|touch|wear|use) anything \w
    \bwe're an? [\w-]+(?:-| )(?:free|only) (?:household|home|family|office|table|house|kitchen|team|server)\b
    \bi (?:\w+ to |usually |always |generally |mostly )?avoid (?!{pro})\w
    \bi (?:work|learn|think|sleep|focus|write|study|code|concentrate) (?:best|better|most)\b
    ^(?!who|nobody|everyone|he|it|this|that)(?:my |our )?(?:[\w-]+ )?[\w-]+ (?:only|never|always|mostly|\
        exclusively) (?:eats|drinks|wears|uses|listens|reads|plays|watches|answers|takes|buys|sleeps)\b (?!{pro})
    \b(?:is|are) (?:my|our) [\w -]{2,30} of choice\b
    \bof choice (?:is|are|:|has) \w
    ^(?:please )?keep (?:the |your |all )?(?:answers|replies|responses|messages|emails|explanations|summaries|\
        updates) \w
    \bi (?:don't|do not|never|can't) (?:eat|drink|smoke|drive|swim|cook)\b
    \bi (?:only|exclusively|mostly|usually|always) (?:eat|drink|wear|use|buy|read|listen)\b (?!{pro})
    \bi (?:use|speak|play|drive|collect|support|follow) (?!{pro}|the same|up\b|along|suit|later|home|to\b|together)\w
    \bi (?:take|drink|have|like|want) my (?:\w+ )?(?:coffee|tea|eggs|steak|toast|burger|curry|whisky|pizza) \w
    \b(?:i'm|we're|(?:my|our) (?:\w+ )?\w+ (?:is|are)) (?:really |not |never |also |still |such |totally )*(?:an? |\
        into )?{fan} (?!{pro}|the (?:idea|new))\w
    ^(?:big|huge|massive|not a|not much of a|no) fan of (?!{pro}|the (?:idea|new))\w
    \b(?:my|our) (?:[\w-]+ ){1,2}(?:is|are|has|have) {adv}(?:an? )?{condition}\b
    \bi'm (?:more of |very much |definitely |always |such )*an? [\w-]+ person\b
    \bi'm (?:more of )?an? (?:night owl|early bird|morning person|introvert|extrovert|teetotall?er|non-?smoker)\b
    \b(?!and|or)\w+ over (?:\w+ ){0,2}?\w+(?: for me)? ?,?(?: any ?day| every time| always| all day| all the way)\b
    \b(?:don't|do not|never|please don't) (?:ever )?(?:call|ping|tag|dm|message|email|text|phone|wake|schedule|\
        book) me\b
    \bplease (?:always|never) \w+
    ^(?:always|never) (?:give|use|put|send|call|book|bring|serve|schedule|seat|write|answer|reply) \w
    \b(?:ping|dm|email|text|message|call|page) me (?:on|by|via|instead|only|rather than|before|after) (?!it\b|\
        this\b|that\b)\w
    \bi (?:need|want|keep|set|have) my (?:\w+ ){1,3}(?:in|on|to|at|as|black|white|dark|vegan|decaf|gluten) ?\w*
    \b(?:dark|light) mode (?:for me|only|always)\b
    """,
    statement_words.WORDS
    | {
        "lapse": (
            r"(?:forget|lose|get|say|said|think|thought|wonder|know|knew|feel|felt|want|end|have|had|do|did|mess|"
            r"miss|fail|laugh|cry|die|remember|understand|understood|saw|see|heard|hear|found|find|met|been|was|"
            r"tell|told|need|make|made|break|mean|meant|learn|got|came|went|win|fall|notice|wake|come|go|be|am|"
            r"are|is|seem|look|hit|let|said|give|ask|believe|imagine|dream|expect|regret|trust|happen|works?|"
            r"takes?|try|start|finish|ever|just|one|two|a|the|my|because|in|on|at|when|if|for|to|about|as|wanted|"
            r"realise|worry|hope|wish|can|could|will|would)"
        ),
        "mass": (
            r"(?:people|users|everyone|everybody|nobody|anyone|someone|who|it|this|that|he|she|they|which|what|"
            r"life|god|internet|always|sometimes|nature|history)\b"
        ),
        "one": r"(?:i|i've|we|he|she|(?:my|our) (?:\w+ ){0,2}?{relation}|^(?!{mass})[\w-]+)".replace(
            "{relation}", statement_words.WORDS["relation"]
        ).replace(
            "{mass}",
            r"(?:people|users|everyone|most|kids|cats|dogs|men|women|folks|some|others|who|you|they|many|nobody|"
            r"researchers|scientists|experts|companies|it|this|that|there|devs|developers|dragons)\b",
        ),
        "liker": r"(?:i|we|my (?:\w+ ){0,2}?{relation})".replace("{relation}", statement_words.WORDS["relation"]),
        "likes": (
            r"(?:like|likes|love|loves|adore|enjoy|enjoys|hate|hates|dislike|detest|despise|loathe|can't stand|"
            r"cannot stand|can't bear|(?:don't|do not|never) (?:\w+ )?(?:like|liked|enjoy|eat|drink|touch)|"
            r"won't eat|can't (?:eat|drink|have|tolerate|do)|can't live without)"
        ),
        "reaction": (
            r"(?:the (?:way|fact|idea|sound|look|looks|new|latest|part|bit|vibe|vibes|energy|enthusiasm|thought|"
            r"first|second|third|one|blue|red|other|design|concept|direction|colou?rs?|logo)\b|to (?:say|admit|"
            r"think|see|hear|break|be|burst|interrupt|bother|know|imagine|disagree|ask|complain)\b|our (?:team|"
            r"new|mods|community|server|users|customers|\w+\W*$)|their\b|his \w+\W*$|my (?:job|life|friends|brain|"
            r"luck)\b|seeing|hearing|feeling|\w+ (?:idea|work|job|thinking|approach|suggestion)\W*$|everything|"
            r"where|who|mondays?\b|saying|fridays\b|being (?:right|wrong|ill|an|a)\b|a (?:lot|bit))"
        ),
        "condition": (
            r"(?:allergic to|intolerant|lactose[ -]intolerant|coeliac|celiac|vegan|vegetarian|veggie|pescatarian|"
            r"teetotal|teetotaller|gluten[- ]free|kosher|halal|diabetic|colou?r-?blind|deaf|hard of hearing|"
            r"epileptic|pregnant|autistic|claustrophobic|nearsighted|short-sighted|left-handed|dyslexic|asthmatic|"
            r"(?:\w+ )?allergy|allergies)"
        ),
        "best": (
            r"(?:least favourite|favourites?|go-?to|usual|default|preferred|preference|comfort food|first choice|"
            r"pet hate|pet peeve)"
        ),
        "habit": (
            r"(?:eat|drink|use|wear|buy|drive|fly|listen to|read|watch|code|write in|take my|order|smoke|do|"
            r"answer|ride|play|travel|run on|sit|book|shop|tip|push|review|get up|wake up|write|take|pay|"
            r"cook with|have|put|work from|run|go for|pick|want|open|keep|save|bring)"
        ),
        "fan": (
            r"(?:(?:(?:big|huge|massive|real|lifelong|much of a|keen) )*fan of|into|obsessed with|keen on|fond of|"
            r"partial to|big on|scared of|terrified of|afraid of|addicted to)"
        ),
    },
)
NO_PREFERENCE: Final = patterns.either(
    r"""
    \bi (?:don't|do not|can't|never|won't) (?:\w+ )?(?:do|have|want|keep|put|take|read|play|run|pick|write|watch|\
        bring) (?:{pro}|any|enough|much|a clue|an answer|time|the time|access|anything|idea|to\b|more|well)
    \bi (?:never|don't|do not) (?:want|have) \w
    \b(?:can't|cannot) keep \w+ing\b
    \b(?:always|never|usually|normally) (?:have|want|go|do|get) (?:to|time|a|an|the) \w
    \b(?:that|this|it)(?:'s| is) (?:\w+ )?(?:my|our) (?:\w+ )?(?:favourite|default|usual|preferred)\b
    \b(?:you're|you are|y'all are|he's|she's) (?:\w+ )?my (?:\w+ )?favourite
    \b(?:usual|default) (?:\w+ )?(?:is|are|was) (?:to )?(?:broken|failing|wrong|fine|ok|down|slow)\b
    \b(?:i|we) (?:love|like|hate|enjoy) (?:\w+ ){0,4}(?:today|yesterday|last night|this morning|just now|already|\
        again)\b
    \bi (?:like|love|prefer) (?:the )?(?:\w+ )?(?:one|ones|version|option|draft|mockup|attempt|\
        take)(?: better| more| best| too| tbh| instead| as well)*\W*$
    \bprefer (?:the|your|his|her|that|this) (?:other|first|second|third|last|original|former|latter|blue|green|red|\
        left|right) (?!side|hand|seat|lane)
    \bprefer not to (?:say|answer|talk|think|comment|discuss|know)\b
    \bi live in (?:hope|fear|denial|my head|pyjamas|pajamas|chaos|a dream|the moment|terror|shame)\b
    \b(?:live|laugh|love),? (?:laugh|love|live)\b
    \b(?:you|your) (?:\w+ )?(?:mum|mom|face)\b
    \bi use (?:my (?:brain|imagination)|dark magic|magic)\b
    \bi play (?:dumb|along|the victim|devil's|it cool)\b
    \b(?:gets?|getting|got|be|come|coming) (?:my|into|over)\b.{0,20}\bhigh\b
    """,
    statement_words.WORDS,
)

PERSON: Final = patterns.either(
    r"""
    \bmy (?:\w+ )?(?:name is|name's|pronouns are|surname is|nickname is|username is|handle is|timezone is|\
        time zone is) \w
    \b(?:please )?call me (?!when|if|later|back|tomorrow|crazy|old|maybe|asap|on\b|at\b|an?\b|stupid|picky|paranoid|\
        biased|cynical|in\b|by\b|after|before|tonight|again|when|once|names|out|up|lazy|weird|petty)\w
    \bi go by \w
    \b(?:use|i'm|are|is|i use) (?:she/her|he/him|they/them|any pronouns)\b
    \b(?:i|my \w+|we) (?:\w+ly )?(?:live|lives|am based|grew up|was born|were born|was raised) (?:in|at|near|with|\
        on) (?!it\b|that\b)\w
    \b(?:i'm|we're|my \w+ is) (?:\w+ly )?(?:based in|from|originally from|living in|living with) (?!it\b|the future|\
        here|there|that|this|home)\w
    \b(?:i|my \w+) (?:\w+ly )?works? (?:as|at|for|in|on the|with) (?!it\b|that\b|this\b|the (?:morning|evening|\
        background)|pyjamas|progress|silence|an hour|\d|home|me\b|you\b|a (?:sec|bit|min))\w
    \b(?:i study|i'm studying|i teach|i coach|i run a|i own an?) (?!it\b|that\b|this\b)\w
    \bi'm (?:an?|the) (?:\w+ ){0,3}?{job}\b
    \bmy (?:\w+ ){0,2}?{relation}(?:'s name)? (?:is|are|'s) (?:called|named|an? (?:\w+ ){0,2}?{job}) ?\w*
    \bmy (?:\w+ ){0,2}?{relation}'s? names? (?:is|are) \w
    \b(?:i|we) have (?:got )?(?:an?|two|three|four|five|\d+) (?:\w+ ){0,2}?(?:dogs?|cats?|kids?|children|sons?|\
        daughters?|brothers?|sisters?|siblings|horses?|rabbits?|chickens|goldfish|parrots?|allotment|hamsters?)\b
    \bi'm \d\d(?: years old)?\W*$
    \b(?:my|his|her) (?:\w+ ){0,2}?{relation}(?: \w+)? is (?:\d+|(?:six|seven|eight|nine|ten|two|three|four|\
        five))(?: years old)?\b
    """,
    statement_words.WORDS
    | {
        "job": (
            r"(?:teacher|nurse|doctor|engineer|developer|dev|designer|student|electrician|plumber|carpenter|chef|"
            r"vet|paramedic|lawyer|solicitor|accountant|writer|editor|illustrator|photographer|musician|drummer|"
            r"bassist|guitarist|baker|gardener|farmer|librarian|driver|pilot|mechanic|architect|translator|"
            r"barista|sysadmin|admin|researcher|scientist|professor|lecturer|midwife|dentist|firefighter|joiner|"
            r"welder|tailor|analyst|consultant|postdoc|freelancer|contractor|manager|tester|nutritionist|physio|"
            r"physiotherapist|therapist|pharmacist|biologist|chemist|physicist|geologist|linguist|journalist|"
            r"artist|florist|stylist|radiologist|beekeeper|goalkeeper|treasurer|secretary|twin|goalie|veteran|"
            r"native speaker)"
        )
    },
)
