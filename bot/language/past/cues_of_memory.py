"""Cues that a message asks about the past: it names memory, or what somebody here said or did; English."""

from typing import Final

from bot.language.past.cue_rules import Rule, rule

RULES: Final[tuple[Rule, ...]] = (
    rule(
        "asked to recall",
        6.4,
        """
        remember recall recollect memory forgot forget forgotten refresh jog recalling
        thought think believe guess sure asked told mentioned pull show find list look dig search bring quote get go
        tongue here this written documented recorded noted record notes
        """,
        r"""
        \bi (?:thought|think|believe|guess|'m (?:pretty |quite )?sure) (?:that )?we (?:had |have |already |once )\
            {0,2}(?:{say}|\w{2,}ed)\b
        \bi'm (?:pretty |quite |fairly )?sure (?:that )?we (?:had |have |already ){0,2}(?:{say}|\w{2,}ed)\b
        \bi(?:'ve| have)? (?:asked|told you|mentioned)\b[^|]{0,40} (?:before|earlier|already|once)\b
        {lead}(?:pull up|show me|find|list|look up|dig up|search for|bring up|go through|quote|get me)\b[^|]{0,60} \
    (?:we|i|you|they|he|she) {adv}{say}\b
        \b(?:do|don't|did|can|could|would) (?:you|u|we|i|anyone|anybody|any of you|somebody) {adv}(?:remember|recall\
            |recollect)\b(?! (?:how to|to)\b)
        {lead}(?:remember|recall) (?:when|that time|the time|how we|what|who|where|why|which|this)\b\
            (?! to\b).{0,200}\?
        \b(?:refresh|jog) (?:my|our) memory\b
        \bi (?:can't|cannot|don't|couldn't|can not) (?:quite |really |seem to )?(?:remember|recall)\b
        \bi (?:seem to|vaguely|think i|still) (?:remember|recall)\b
        \b(?:i|we)(?:'ve| have)? (?:forgot|forget|forgotten) (?:, )?(?:what|who|when|where|which|why|how|if|whether)\b\
            (?! to\b)
        \btrying to (?:remember|recall)\b
        \bi (?:do |also )?(?:remember|recall) (?:that )?(?:you|we|us|mentioning|saying|telling|discussing|talking)\b
        \b{w} (?:else )?(?:do|did|am|are|was) (?:you|i) (?:\S+ ){0,2}remember\b(?! how to)
        \b(?:in|from) your (?:memory|memories|notes)\b
        \bthings? (?:i want |i wanted |i need )?to remember\b
        \bon the tip of my tongue\b
        \bthe one (?:i|we) (?:always |keep |once |often ){0,2}(?:told|mention|mentioned|mentioning|go on|went on|talk\
            |talked|talking)\b
        \b(?:in here|in this (?:channel|server|chat|group))\b.{0,30}\b(?:somewhere|at some point|once|before|earlier)\b
        \b(?:somewhere|at some point|once|before|earlier) in (?:here|this (?:channel|server|chat|group))\b
        \b(?:we|i|you|someone|somebody) [^|]{2,60} in here\b[^|]{0,100}(?:\||,) [^|]{1,60}\?
        \bis (?:it|that|this) (?:\S+ )?(?:written down|documented|recorded|noted down|on record|in the notes)\b
        """,
    ),
    rule(
        "reminded of",
        5,
        "remind reminded",
        r"""
        \bremind (?:me|us) (?!(?:what|where|which|who|when|how) (?:i|to) (?:can|could|should|need|must|do)\b)\
            (?:again |, )?(?:what|which|who|whose|where|when|why|of (?!.{0,60}\b(?:tomorrow|tonight|next|later|at \d\
            |in \d))|how (?:many|much|long|often|old|far|did|do we|we|i)|did|about (?:what|our|that|the .{1,60}\
            (?:you|we|i) {say}))\b(?! to do\b)
        \b(?:could|can|would|will|if) (?:you )?(?:could |can |would )?(?:please )?remind (?:me|us)\
            (?: ,)? (?:again )?(?:what|which|who|of|about|how (?:many|much|long|did|we|i))\b(?! (?:i|to) (?:can\
            |could|should|need|must|do)\b)
        \bremind me of\b.{0,40}\?
        """,
    ),
    rule(
        "my reminders",
        5,
        "reminders reminder remind",
        r"""
        {lead}{w} (?:\S+ ){0,6}?(?:my|any|all my) (?:\S+ )?reminders?\b
        \b(?:read|hear|go through|go though|check|confirm|list|tell|show|see|know|review|about|are\
            |is)\b.{0,60}\bmy (?:list of )?reminders?\b(?! (?:to|for|at) (?!me\b))
        \bsupposed to remind\b
        \b(?:ask|asked|told|want|wanted) you to remind me\b
        \b(?:do i have|are there|i have) any reminders\b
        """,
    ),
    rule(
        "who I am",
        6,
        "me my i",
        r"""
        \bname (?:that )?(?:you(?:'ve| have)?|do you) (?:\S+ ){0,3}?for me\b
        \bdo you have a name for me\b
        \bwhat name do you have\b
        \b(?:who am i|who i am|know me (?:by|as)|refer to me|call me \?|called me|do you know me|say my name\
            |my name \?)
        {lead}(?:what is|what's|do you know|tell me|say) my (?:full |first |last )?name\b
        \b{w} (?:else |all )?(?:do|did) you {adv}(?:know|have|remember|learn|learned) (?:\S+ ){0,2}?(?:about|on\
            |of) (?:me|us|my|our)\b
        \b(?:hear|tell me|say) my name\b
        """,
    ),
    rule(
        "known of it",
        3.2,
        "know have anything something",
        r"""
        \b(?:have|do) you (?:got |have )?any (?:notes?|memories|records?)\b
        \bwhat(?: else| all)? (?:do|did) (?:you|we) {adv}(?:know|have)(?: \S+)? (?:about|on|of|from)\b
        \b(?:do|did) (?:you|we) have (?:anything|something|any (?:notes?|memories|records?)) (?:\S+ )?(?:about|on\
            |of)\b
        \b(?:anything|something) (?:you|we) (?:know|have) (?:about|on)\b
        """,
    ),
    rule(
        "what you said",
        5,
        "you you've you'd your",
        r"""
        \bthere was (?:an?|some|this|that|one) [^|]{3,80} you (?:{say}|\w{2,}ed)\b
        \bdid(?:n't)? you {adv}(?:{told})\b
        {lead}(?:what|what's|which|where|who|when) {some}did you (?:just |ever |also )?(?:{told}|set|choose)\b
        \bhave you (?:ever |already )?(?:{say}|saved|noted)\b
        \byou(?:'d|'ve)? {adv}{say}\b.{0,300}\?
        \b(?:that|which|what|one|the) (?:\S+ ){0,3}?you(?:'d|'ve)? {adv}(?:{say}|referred to|were (?:saying|telling\
            |talking))\b
        \byou (?:were (?:saying|telling|talking|supposed)|once|previously)\b
        \byou (?:just |once |also )?(?:said|mentioned|recommended|suggested|told me|told us|talked|explained\
            |were saying) (?:about |me |us )?(?:something|some|a|an|one|that one|there was)\b
        \b(?:a moment|a minute|moments|a second|minutes) ago you\b
        \b(?:earlier|before|yesterday|last \w+|previously|once|the other day) ,? ?you {adv}{say}\b
        """,
    ),
    rule(
        "what I said",
        5,
        "i i've i'd my our",
        r"""
        \bdid i {adv}(?:say|tell|mention|ask|note|decide|choose|write down|share|promise|suggest|log|record|set\
            |want)\b
        \bi(?:'ve|'d)? {adv}(?:said|told you|told|mentioned|noted|logged|recorded|shared with you|shared\
            |consulted (?:with )?you|asked you|decided|identified|promised|wrote down|gave you|set)\b.{0,200}\?
        \bhave i (?:ever |already )?(?:{say}|mentioned)\b
        \bmy (?:previous|last|earlier|past|old|original|call|meeting|own) (?:\S+ )?(?:notes?|message|question|answer\
            |suggestion|stance|occupation|log|summary|plan|job|idea|request|records?)\b[^|]{0,200}\?
        \b(?:my|our) (?:call|meeting|trip|sales|client|session)? ?(?:notes|logs?|journal|diary|summary\
            |records?)\b.{0,200}\?
        """,
    ),
    rule(
        "what I did",
        4.2,
        "i",
        r"""
        \b{w} {some}(?:did|had|was|were) i\b(?! (?:do |get )?(?:wrong|charged)\b)
        \b{w} {some}have i {adv}(?:\w+ed|been|had|made|got|gotten|met|taken|read|written|bought|seen|gone|done|worn\
            |won|spent|lost|eaten|given|kept|built|run|sold|tried|learnt|found|known|grown|drunk|flown|driven\
            |ridden)\b
        \bhow (?:long|many|much|often) {some}(?:have|had|did|was|am) i\b
        \b(?:before|after|since|when) i (?:\w+ed|bought|got|went|began|took|met|moved|left|saw|made|had|came\
            |found)\b[^|]{0,200}\?
        \bi (?:once|recently|previously|went|took|visited|watched|read|bought|met) \w+[^|]{0,150}(?:\|(?: and)?\
            |,) {w} [^|]{0,150}?\b(?:did|was|were|had|have|has|it|that|there|they|he|she|i|my|we|us|\w{2,}ed)\b\
            [^|]{0,150}\?
        \bi (?:\w{2,}ed|got|bought|met|saw|read|took|lent|found|chose|wrote|had|went)\b[^|]{1,150}(?:\||,) \
            (?:which|what|who|where|when|how)(?: \S+){0,2} (?:was|were|did|is) (?:it|that|they|she|he|i)\b[^|]{0,40}\?
        \| on \w+ \w+ , i \w+.{0,200}\?
        {lead}(?:did|had) i\b
        {lead}was (?:it|that) [^|]{1,60} (?:i|we) (?:had|did|got|bought|took|made|went|met|\w{2,}ed)\b
        """,
    ),
    rule(
        "what I have",
        3.6,
        "i my mine our",
        r"""
        {lead}am i (?:still |already )?(?:on (?:the|our)|signed up|registered|invited|booked (?:in|on|for)|down for\
            |part of (?:the|our)|in the (?:\S+ )?(?:team|group|squad|band|rota|line-?up))\b
        {lead}(?:what's|what is|what was) the (?:\S+ )?(?:name|title|address|number|colou?r|brand|model|size|date) of \
            (?:my|our)\b(?! (?:planet|galaxy|sun|card|bank|account))
        \bwhat am i (?:allergic|supposed|afraid|known|called|working)\b
        \b(?:which|how many|one) of (?:my|our)\b
        \bhow (?:much|tall|old|heavy) (?:do|am) i (?:weigh|earn|owe|make|now)?\b
        \b(?:what|which|where|how many|how much|how often|who|when) (?:\S+ ){0,5}?(?:do|am) i (?:usually|normally\
            |currently|always|really|like|prefer|love|hate|live|work|own|play|use|drive|drink|keep|have|take|lead\
            |call|plan|want|go to)\b(?! (?:to (?:do|pay|get|wait|be|go)|wrong)\b)
        {lead}{ws} (?:is|are|was|were) (?:the (?:\S+ ){1,5}?(?:of|for|in|on) )?(?:my|mine)\b(?! (?:best|next|problem\
            |mistake|error|bug|option|options|chances|odds|issue|choices|code|card|account|top|transfer|payment|pin\
            |balance|bill|bank|credit|statement|order|money|refund|loan|insurance|flight|app)\b)
        \b(?:which|whose|what) (?:\S+ ){1,3}?(?:is|are|was|were) mine\b
        {lead}(?:what's|who's|when's|where's|what're) (?:the (?:\S+ ){1,3}?(?:of|for|on|in) )?(?:my|our)\b\
            (?! (?:best|next|problem|mistake|error|bug|option\
            |options|chances|odds|issue|choices|code|card|account|top|transfer|payment|pin|balance|bill|bank|credit\
            |statement|order|money|refund|loan|insurance|flight|app|ip)\b)
        \b(?:what|which|who|when|where|how) (?:\S+ ){0,5}?(?:did|was|were|does|is) my (?:dad|mom|mum|mother|father\
            |sister|brother|wife|husband|partner|friend|boss|manager|cousin|aunt|uncle|niece|nephew|dog|cat|daughter\
            |son|team|grandma|grandpa|doctor|neighbou?r|colleague|favou?rite|previous|preferred|current|usual|old\
            |first|last|daily|new|direct)\b
        \bhow (?:long|old|big|far|often|many|much) (?:is|are|was|were) (?:\S+ ){0,3}?my\b
        \bmy favou?rite \S+.{0,80}\?
        \bmy (?:birthday|anniversary|allerg\w+)\b.{0,80}\?
        \b(?:how many|which|what|how much) .{3,120}\b(?:do|will|am|can) i\b(?! (?:get|do|go|change|find|need|make\
            |use|pay|have to|send|add)\b)
        """,
    ),
    rule(
        "question of yours",
        2.8,
        "you you'd you've",
        r"""
        {lead}(?:(?:can|could|would) you tell me (?:the )?|{w} )(?:[^|? ]+ ){1,14}?(?<!were )(?<!are )\
            (?<!was )you (?:(?!need\b|feed\b)\w{2,}ed|had|made|bought|met|took|wrote|chose|saw|went|got|set|gave|found\
            |sent)\b(?! (?:to|better)\b)[^|]{0,200}\?
        """,
    ),
    rule(
        "shared past",
        4.6,
        "we we've we'd us our ours you here",
        r"""
        \b{ws} (?:\S+ ){0,3}?(?:do|are) we (?:usually|normally|still|always|keep|meet|store|order|supposed|meeting\
            |launching)\b
        {lead}(?:are|do|did) we (?:still|already|ever)\b
        \bhow (?:does|do|is|are) our\b
        \b(?:did|didn't|had|have|haven't|were|weren't) we {adv}(?:\w+ed|{tell}|said|made|chosen|spoken|told|set|gone\
            |talking|going|meet|go|land|ship|end|leave|buy|find|build|spend|pay|try|fix|start|need|name|call|work\
            |hire|order)\b(?! born\b)
        \b{w} {in}(?:did|didn't|have|had|were|was) (?:we|us)\b(?! (?:born|evolve|get (?:here|the|daylight)\
            |discover)\b)
        \b(?:what|who|whom|which|where|when|why|how|that|as|whether) (?:it (?:is|was) )?we(?:'d|'ve)? {adv}(?:{say}\
            |had|did|went|were (?:talking|saying|discussing|doing|working)|ended up|used|chose|made|bought|met|set\
            |left)\b.{0,200}\?
        \b(?:what|who|whom|which|where|when|why|that) we(?:'d|'ve)? {adv}{say}\b
        (?<!if )\bwe(?:'d|'ve)? {adv}(?:discussed|talked about|decided|agreed|spoke about|chose|mentioned\
            |settled)\b.{0,200}\?
        \b(?:what|which|who|when|where|what's|who's|when's|where's)(?: is| are| was| were)? our\b(?! (?:best\
            |options?|solar|planet|galaxy|sun|atmosphere|bodies|body|ancestors|brains?)\b)
        \b(?:our|the|my|that) (?:previous|last|earlier|prior|past|recent|first|final) (?:\S+ ){0,2}?(?:{talk}\
            |decision|agreement|plan|sprint|planning)\b
        \b(?:as|like|than|thing|things|one|stuff|plan|way) we(?:'d|'ve)? {adv}{say}\b
        \| (?:we|as) (?:discussed|agreed|talked about)(?: it| this| that)? \|
        \bhow come (?:we|our)\b
        \byou and i (?:\w{2,}ed|went|spoke|had|did)\b
        \b(?:we|you and i) went (?:through|over)\b.{0,200}(?:\?|\| (?:name|list|which|what))
        \b(?:discussed|mentioned|said|posted|agreed|decided|shared) (?:in )?here\b
        \b(?:which|whose|what) (?:\S+ ){1,3}?(?:is|are|was|were) ours\b
        \bwe (?:'ve |had |have )?(?:decided|agreed|settled|said|discussed|talked about) (?:on )?something\b
        \bdo we (?:\S+ )?(?:have|use|own|still|already|know who|know why|know when|know if|know what)\b(?!.{0,20}\b\
            (?:eyes?|legs?|brains?|hearts?|dreams?|bones?|teeth)\b)
        """,
    ),
    rule(
        "left off",
        5,
        """
        where catch bring fill continue resume recap summarize summarise up miss missed doing talking working last
        pick yesterday's night's morning's week's while
        rundown summary overview gist version
        """,
        r"""
        \bwhere (?:did |had |have )?(?:we|i|you) (?:last )?(?:leave|left|stop|stopped)(?: \S+)? ?(?:off|\?|\|)
        \bwhere (?:did|had|have) (?:we|i) (?:stop|finish|stopped|finished|(?:get|got)(?: up)? to|leave it)\b
        \bwhere (?:were|was|are) (?:we|i)(?: up to| at| again| with (?:this|that|it)| before| in (?:this|that\
            |our) \S+| last time| yesterday| now)? ?(?:, \S+ )?\?
        \bwhat (?:were|was|are|have) (?:we|i|you)(?: all| just| been| last){0,2} (?:talking|chatting|discussing\
            |working|doing|speaking|saying)\b(?! tonight| tomorrow| next| later| for dinner)(?!.{0,20}\bwrong\b)
        \b(?:catch|bring|fill) (?:me|us) (?:back )?(?:up(?: to (?:speed|date))?|in)(?: on| about| please| \||$)
        \b(?:continue|carry on|resume|go on|pick up)\b.{0,40} (?:yesterday|last time|before|earlier|last week)\b
        \bget (?:me|us) (?:back )?up to (?:speed|date)\b
        \bwhat (?:did|have) (?:i|we) miss(?:ed)?\b
        \b(?:said|happened|discussed|decided|going on|went on|up) while i (?:was|slept|were)\b
        \b(?:continue|carry on|resume|pick(?: \S+)? up|start)\b.{0,20} where (?:we|i) (?:left|stopped)\b
        {lead}(?:(?:give|send|get) me |i need |i want )?(?:an? |the )?(?:quick |short |brief )?(?:rundown|summary\
            |overview|recap|gist|short version) of (?:what|who|how|everything|all) (?:\S+ ){0,3}?(?:was|were|has|have\
            |had|did|said|happened|we|i)\b
        {lead}(?:an? |the )?(?:quick |short )?recap(?: please)? (?:\?|\|)
        \b(?:recap|summari[sz]e|sum up|summary|minutes|outcome|result|gist) of (?:yesterday's|last (?:night|week)'s\
            |this morning's|today's)\b
        \b(?:recap|summari[sz]e|sum up)\b.{0,20}(?:(?:last|our(?: last)?) (?:session|time|chat|conversation)|\
            where we|what we(?! (?:know|have|had|got|need|want)\b))\b
        \b(?:recap|summari[sz]e|sum up)(?: (?:it|this|that|us|everything|all|things)){0,2} so far\b
        """,
    ),
)
