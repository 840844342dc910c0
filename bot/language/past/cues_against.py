"""Cues that a message does not ask about the past: requests, small talk, general knowledge, current work."""

from typing import Final

from bot.language.past.cue_rules import Rule, rule

RULES: Final[tuple[Rule, ...]] = (
    rule(
        "work at hand",
        -7,
        """
        wrong mean error exception warning traceback code function bug script query test this mess messed why
        """,
        r"""
        \b(?:did|am|was) (?:i|we) (?:do|doing|get|getting)? ?(?:\S+ )?wrong\b
        \b(?:you mean|mean by (?:that|this|it))\b
        \b(?:did|do|am) (?:i|we) (?:get|getting|got|see|seeing) (?:this|an?|that) (?:\S+ )?(?:error|exception\
            |warning|traceback)\b
        \bwith (?:my|this) (?:code|script|function|query)\b
        \bmess(?:ed)? (?:it )?up\b
        \bwhy (?:is|are|does|do|isn't|doesn't|won't) my (?:\S+ ){1,3}?(?:not|running|working|work|failing|crashing\
            |returning|return|throwing|rendering|render|looping|undefined|null|empty|compile|compiling)\b
        """,
    ),
    rule(
        "repeat yourself",
        -5,
        """
        repeat rephrase clarify what expand you understand again elaborate reword say said
        """,
        r"""
        \b(?:repeat|rephrase|clarify|elaborate|expand|reword|re-?explain)\b.{0,60}\b(?:said|saying|say|told\
            |mentioned|that|yourself|it|answer|about|point)\b
        \bwhat you(?:'ve| have)? (?:just )?(?:said|told me|say) (?:is|was|isn't|wasn't|makes|does|did)\b
        \b(?:didn't|did not|don't|can't|couldn't|can not|do not) (?:\S+ )?(?:understand|get|catch|hear)\b.{0,30}\b\
            (?:said|saying|say|mean)\b
        \bsay (?:that|it) again\b
        \byour (?:own |previous |last )?(?:response|answer)\b(?! (?:when|to my|about|last))
        """,
    ),
    rule(
        "request",
        -3.2,
        """
        write create make find list generate compose draft implement develop design play set turn add remove delete
        put cancel book order call text send email notify schedule translate rewrite convert explain describe
        calculate compute print display show search rename copy move count sort replace give suggest recommend help
        change update start stop open close clear erase tell classify identify extract read summarize summarise define
        spell transfer pay provide imagine act pretend come evaluate compare edit format build code fix look construct
        output return given choose select outline discuss analyze analyse sing share plan improve need want looking
        trying thinking planning tips suggestion suggestions recommendation recommendations ideas advice recs thoughts
        """,
        r"""
        {lead}(?:can you |could you |would you |will you |i need you to |i want you to |i'd like you to |i would \
            like you to |please |, |help me |kindly |go ahead and |let's |you ){0,3}(?:write|create|make|find\
            |generate|compose|draft|implement|develop|design|play|set|turn|add|remove|delete|put|cancel|book|order\
            |call|text|send|email|notify|schedule|translate|rewrite|convert|explain|describe|calculate|compute|print\
            |display|search|rename|copy|move|count|sort|replace|suggest|recommend|help|change|update|start|stop|open\
            |close|clear|erase|classify|identify|extract|define|spell|transfer|pay|provide|imagine|act|pretend\
            |evaluate|compare|edit|format|build|construct|output|given|choose|outline|analy[sz]e|sing|plan|improve\
            |discuss|come up)\b
        {lead}(?:can|could|would|will) you (?:please )?(?:give|show|share|provide|read|walk|teach|assist\
            |tell me (?:more|how|a|some|about))\b(?!.{0,40}\b(?:again|you (?:mentioned|said|gave))\b)
        {lead}give me\b
        \bi(?:'m| am) (?:looking for|trying to|thinking of|thinking about|planning|having trouble|interested in\
            |working on|considering|curious)\b(?!.{0,40}\b(?:remember|recall|remind)\b)
        \b(?:any|some|have any|you have any|give me|do you have) (?:\S+ ){0,2}?(?:tips|suggestions?|recommendations?\
            |ideas|advice|recs|thoughts)\b
        {lead}i (?:need|want|would like|'d like) (?:you )?(?:a|an|some|help|to (?:book|buy|make|find|change|pay\
            |transfer|order|set|get|schedule|know how))\b
        \b(?:can|could|would) you (?:please )?(?:recommend|suggest|help me)\b
        """,
    ),
    rule(
        "general knowledge",
        -3.2,
        """
        actor actress movie film played plays president king queen emperor born died novel character band album lyrics
        sung sang sings singer song songs written wrote directed voiced starring stars starred tv sitcom episode
        season award oscar grammy emmy century world war invented discovered capital nba nfl mlb nhl super
        championship cup nickname biblical author comedy series cartoon comic disney nominated married senator senate
        governor secretary minister prime roman ancient mythology bible gospel olympics olympic medal famous legendary
        hollywood broadway musical city country river ocean planet species chemical element population currency
        language religion government constitution congress treaty battle council empire amendment date fictional
        hitless pitcher quarterback portrayed portray character's actors opera composer painter poet philosopher
        presidents hit single franchise
        """,
        r"""
        \b(?:who|what|which) (?:\S+ ){0,4}?(?:played|plays|sang|sings|sung|voiced|voices|wrote|directed|invented\
            |discovered|composed|portrayed|portrays|starred|founded|painted)\b
        \b(?:actor|actress|sitcom|lyrics|oscar|grammy|emmy|golden globe|biblical|mythology|gospel|nominated|starring\
            |portrayed|voiced|novelist|hitless|comedienne|superbowl|super bowl|championship|emperor|quarterback\
            |disney|hollywood|broadway|nobel|pulitzer|prime minister|secretary of state|world war|civil war\
            |olympics?|franchise|amendment|constitution|congress of|treaty|battle of|council of|empire)\b
        \bpresidents? (?:of|john|george|andrew)\b
        """,
    ),
    rule(
        "stories and fame",
        -1.9,
        """
        movie film tv series novel cartoon comic soap musical animated show born die died killed assassinated
        character characters band album hit episode season nickname century ancient ages famous city country
        government state river song songs singer team league president nba nfl war
        """,
        r"""
        \b(?:born|die|died|killed|assassinated|married to|net worth|how tall) \?
        \b(?:character|characters|band|album|hit single|number one hit|episode|season \d)\b
        \bwhat (?:is|was) (?:the )?(?:nickname|name) (?:of|given to) the (?:\S+ ){0,6}?(?:movie|film|character|ship\
            |band|show|actor|villain|group|song)\b
        \b(?:in|of|during) (?:the )?(?:1[0-9]{3}|\d\dth century|ancient|middle ages)\b
        \b(?:famous|legendary|nickname)\b
        """,
    ),
    rule(
        "general term",
        -4,
        "remind reminds refresh jog remember recall miss forgot forget",
        r"""
        \b(?:remind (?:me|us)|remember|recall|forg[oe]t)\b.{0,40}\b(?:theorem|formula|equation|law of|definition of\
            |difference between|capital of|syntax|stands? for|meaning of|spelled|pronounced|lyrics|acronym|derivative\
            |integral|conjugat\w{1,5}|periodic table|square root|algorithm|times table)\b
        \b(?:remind (?:me|us)|refresh my memory)(?: ,)? (?:how (?:does|do)|what) an?\b
        \b(?:jog|refresh) (?:my|our) memory(?: ,)? (?:what|how) (?:does|do) the\b
        \b(?:remember|recall|miss) (?:the )?(?:\d0s|\d{4}s|nineties|eighties|seventies|sixties|old days|good old days\
            |dial-?up|vhs|y2k|internet before)\b
        """,
    ),
    rule(
        "how to",
        -3.5,
        "how what where when need can should best way possible is",
        r"""
        \bhow (?:do|can|should|would|could|to|might) (?:i|you|one|someone|people|he|she|they)\b
        {lead}how to\b
        \bhow long (?:does|will|do|should|would) (?:it|the|a|an|my) (?:\S+ )?(?:take|last|be)\b
        \b(?:do|will|can|should|must|may) i (?:need|have to|get|be|use|go|change|make|pay|cancel|still|top|send|add\
            |return)\b
        \b(?:what|where|when|which|who) (?:\S+ )?(?:should|can|would|could|must|may) i\b
        \bis (?:it|there) (?:\S+ )?(?:possible|a way|any way|okay|ok|safe|recommended|legal)\b
        \b(?:best|easiest|fastest|right|good) (?:way|time|place|thing)s? (?:to|for)\b
        \bwhat (?:do|would|should) (?:you|i) (?:suggest|recommend|do if|think)\b
        """,
    ),
    rule(
        "in general",
        -4,
        """
        how we world universe earth weather moon eclipse solar army cup superbowl bowl temperature forecast price rate
        won last when planet galaxy sun mars economy federal national average typical state ancestors
        founding country nation government president presidents constitution navy standard war conference
        """,
        r"""
        \bour (?:\S+ )?(?:national|founding|country|nation|government|president|presidents|constitution)\b
        \b(?:army|navy|gold standard|(?:world|civil|revolutionary|cold|vietnam) war)\b
        \bat the (?!(?:last|first|next|team|annual|whole)\b)[a-z]+ conference\b
        \b(?:our (?:planet|galaxy|sun|solar system|universe|ancestors)|on mars|the (?:economy|universe|world))\b
        \bthe (?:federal|average|typical)\b(?![^|]{0,200}\b(?:my|our|i|we)\b)
        \bhow (?:does|do) (?:the|an?) (?:\S+ ){1,3}work \?
        \bhow do we (?:know (?:that|the|if)|explain|define|see|perceive|breathe|hear|dream|learn|sleep|digest\
            |find the|calculate|solve|measure|reverse)\b
        \b(?:the moon|solar eclipse|on earth|solar system|continental army|world cup|super ?bowl)\b
        \b(?:weather|temperature|forecast|stock price|exchange rate)\b
        \bwho won\b
        \blast (?:time|one) (?:the )?(?!(?:we|i|you|he|she|they)\b)(?:\S+ ){1,5}?(?:won|played|lost|made|went|had\
            |hosted|was)\b
        """,
    ),
    rule(
        "small talk",
        -4.5,
        "did have how do your you",
        r"""
        {lead}did you (?:see|watch|hear|know|like|enjoy|sleep|have (?:a|fun)|do anything|catch)\b
        {lead}have you (?:heard|seen|ever (?:been|played|tried|had|seen|watched|read|heard))\b
        \bhow (?:was|is|are|did|do) (?:your (?:day|weekend|trip|night)|you (?:like|feel|doing|today|know))\b
        \bwhat (?:did|do) you (?:think (?:of|about)|do today|do for (?:fun|a living)|like|eat)\b
        \bwhat have you been up to\b
        \bwhat about you\b
        \bdo you (?:know how many|know that|like|enjoy|think|follow|have a|prefer)\b
        """,
    ),
    rule(
        "save",
        -4,
        "remember remind note add reminder list calendar todo",
        r"""
        {lead}(?:please |can you |could you |, ){0,2}(?:remember|note|memori[sz]e)(?: this| that| to| down)?\b\
            (?! (?:when|what|who|where|why|which|how|the time)\b)
        \bremind (?:me|us) (?:to|in|at|on|tomorrow|tonight|later|before|every|when)\b
        \b(?:set|create|make|add|need|schedule) (?:\S+ ){0,2}?(?:reminder|alarm|event|appointment|calendar)\b
        \b(?:don't|do not) forget\b
        \bremind (?:me|us) how (?!(?:many|much|long|often|old|far|did|do we|we|i)\b)
        """,
    ),
    rule(
        "customer",
        -3.4,
        """
        charged charge top-ups fees atms cards accounts transfers kids card account top-up top pin transfer refund
        payment balance bank app bill credit insurance order flight cash atm fee wallet identity passport statement
        currency tires oil fuel gas mileage
        """,
        r"""
        \b(?:cards?|accounts?|top(?:ped|ping)?[- ]?(?:up|off)s?|charged|fees?|exchange rate|atms|pin|transfer|refund\
            |payment|balance|bank|bill|credit score|insurance|atm|wallet|statement|exchange|passcode|visa|my order\
            |flight|mileage|oil|tires)\b
        """,
    ),
)
