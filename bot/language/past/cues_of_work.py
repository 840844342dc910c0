"""Cues that a message asks about the past of shared work: status, issues, decisions, how it is done here."""

from typing import Final

from bot.language.past.cue_rules import Rule, rule

RULES: Final[tuple[Rule, ...]] = (
    rule(
        "discussion",
        3.4,
        """
        discussion discussing discussed meeting talked talking decided agreed conversation call summarize summarise
        recap talk chat mentioned minutes thread debate conclusion decision agreement outcome verdict consensus notes
        plan
        """,
        r"""
        \b(?:when|while|during|in|about|of) (?:\S+ ){0,3}?(?:discussing|talking about|the (?:\S+ ){0,2}?\
            (?:discussion|meeting|debate|stand-?up|retro|call|sync|thread|minutes|conversation|chat))\b
        \b(?:summari[sz]e|recap|sum up) (?:the|our|this|last|all|what)? ?(?:\S+ ){0,3}?(?:discussion|meeting\
            |conversation|chat|thread|debate|call|notes|minutes|decisions?|opinions?)\b
        \bwhat (?:was|were|got|has been|had been|is|'s) (?:said|decided|agreed|discussed|mentioned|settled|promised)\b
        \b(?:what|who|which|where|when)(?: was| were|'s| is) (?:the|our|my) (?:final |latest |current |whole )?\
            (?:decision|plan|outcome|conclusion|verdict|agreement|consensus)\b
        \b(?:mentioned|decided|agreed|discussed|promised) (?:by|on|in|during|at|with|for|to) (?:the|our|us|you)\b
        """,
    ),
    rule(
        "what somebody said",
        3,
        """
        suggested told promised volunteered recommended thought ever looked heard tried fixed charge responsible team
        dropped linked uploaded put everything all every
        group professor manager client committee customer working say said mention mentioned suggest propose recommend
        think decide agree tell ask promise disagree respond feel announce report complain volunteer want wanted
        offered supposed going meant put present believe describe talk like love hate drink join
        posted shared sent recommended somebody someone
        """,
        r"""
        \b(?:someone|somebody) (?:posted|shared|mentioned|suggested|sent|recommended|said)\b.{0,60} (?:the other day\
            |once|before|earlier|yesterday|last \w+|recently)\b
        \b(?:link|photo|picture|pic|file|article|recipe|video|doc|document|list|meme|screenshot|post|message) \
            (?:that )?(?:someone|somebody|one of us|you|we|i|he|she|they) \
            (?:posted|shared|sent|dropped|linked|put up|uploaded)\b
        {lead}(?:list|show me|tell me|give me) (?:everything|all|all the \S+|every \S+) (?:that )?(?!(?:the|a|you)\b)\
            \S+ (?:has|have|had|did|said|wrote|suggested|borrowed|brought|promised)\b
        \b{ws} {few}did (?:the )?(?!(?:the|they|it|this|he|she)\b)(?:\S+ ){1,4}?(?:say|mention|propose|suggest\
            |recommend|promise|announce|volunteer|complain|respond|disagree|tell us|tell me|report|decide|agree\
            |put forward)\b
        \bdid (?:anyone|anybody|someone|somebody|everyone|the team|he|she|they) (?:\S+ )?(?:say|mention|tell|decide\
            |agree|suggest|promise|propose|volunteer|ask|report|complain|ever)\b
        {lead}(?:did|has|had) (?!(?:you|i|we|it|this|that|they|the|a)\b)\S+ (?:ever |already )?\
            (?:mention|say|tell us|tell me|suggest|propose|promise|mentioned|said|told|suggested|promised)\b
        \b(?:tell (?:me|us)|any idea|know|show (?:me|us)) {ws} (?:the )?\S+ {adv}{say}\b
        \b{ws} {few}(?:did|does) (?!(?:you|i|we|it|this|that|they|one|a|the|people)\b)\S+ \
            (?:like|prefer|love|hate|want us|want me|join us|drink|call)\b
        \bhas (?:anyone|anybody|someone|somebody|everyone|the team) (?:ever |already )?(?:{say}|heard|looked|seen\
            |tried|started|fixed|done|answered)\b
        \bwho (?:was it (?:that|who) )?{adv}(?:said|mentioned|suggested|told|wanted to|offered|asked (?:for|to|about\
            |us|me)|promised|volunteered|recommended)\b(?! <quoted>)
        \bwho (?:is|was|'s) (?:supposed|meant|on call|(?:in charge of|responsible for|going to (?:bring|call|buy\
            |host|pick|drive|cook|write|review|present|organi[sz]e|take|do|handle|send|book|order|fix|set)))\b
        \b(?:team|group|professor|manager|client|committee|customer) (?:members? )?(?:think|thought|said|say|want\
            |feel|decide|suggest|agree)\b
        """,
    ),
    rule(
        "time past",
        2.8,
        """
        yesterday earlier previously ago last before again morning other while past
        """,
        r"""
        \b(?:we|i|you|our|my|us|me|anyone|anybody|someone|somebody|everyone|the team|what happened|what's new|said\
            |decided|agreed|discussed|broke|in here|here)\b.{0,120}\b{gone}\b.{0,120}\?
        \b{gone}\b.{0,120}\b(?:we|i|you|our|my|us|me|anyone|anybody|someone|somebody|everyone|the team|said|decided\
            |agreed|discussed)\b.{0,120}\?
        \b(?:what|who|which|when|where|how \S+)(?:'s| is| are| was| were| did) .{1,80}\bagain \?
        \b(?:same|like|as) (?:as )?(?:last time|before|yesterday)\b
        \| {few}(?:yesterday|last time|the other day) \?? ?\|
        """,
    ),
    rule(
        "named day",
        1.6,
        "on in",
        r"""
        \b(?:on|in) (?:\d{1,2}(?:st|nd|rd|th)? )?(?:january|february|march|april|may|june|july|august|september\
            |october|november|december)(?: \d{1,2}(?:st|nd|rd|th)?)? ,? ?(?:i|we|you|did i|did we\
            |did you)\b.{0,150}\?
        \b(?:i|we|you|my|our)\b.{0,120}\b(?:on|in) (?:\d{1,2}(?:st|nd|rd|th)? )?(?:january|february|march|april|may\
            |june|july|august|september|october|november|december)\b.{0,40}\?
        """,
    ),
    rule(
        "how it stands",
        7,
        "status eta time where has have hasn't haven't did",
        r"""
        {lead}(?:(?:what's|give me|tell me|show me) )?(?:the )?(?:current |latest )?(?:status|eta) (?:of|on|for) [^|? ]
        {lead}last time (?:we|i|you|somebody|someone|anybody|anyone)\b
        {lead}where (?:are|were|do) (?:we|things) (?:at |stand )?(?:on|with) [^|? ]
        {lead}ha(?:s|ve)(?:n't)? (?!(?:you|we|i|he|she|they|any\w*|some\w*|people)\b)(?:[^|? ]+ ){1,5}?(?:been )?\
            (?:finished|completed|fixed|merged|deployed|shipped|paid|sent|booked|signed|delivered|arrived)\
            (?: yet| already| by now| so far| now)? \?
        {lead}what did (?!(?:you|we|i|it|he|she|they|people|this|that)\b)[^|? ]+ do \?
        {lead}what did (?:the|our|my) (?:[^|? ]+ ){1,4}?(?:cost|come to|weigh|need) \?
        """,
    ),
    rule(
        "status question",
        4.2,
        """
        status update updates news progress far going done finished ready merged deployed fixed shipped state left
        open pending blocked on with happened stand stands along coming eta waiting blocking remaining
        paid signed sent booked back online happening yet been there
        completed any decision agreement consensus handed submitted approved delivered filed accepted ordered cancelled
        canceled returned cleaned repaired fixed
        """,
        r"""
        {lead}(?:was|were) (?:the|our|that|this) (?:\S+ ){1,5}?(?:handed in|submitted|sent|paid|approved|delivered\
            |filed|accepted|ordered|booked|cancelled|canceled|signed|returned|cleaned|repaired|fixed)\b[^|]{0,30}\?
        {lead}ha(?:s|ve|d) (?:the|our|that|this) (?:\S+ ){1,6}?been (?:\w{2,}ed|paid|sent|built|sold|found|bought|done\
            |set up|chosen)(?: yet| already| by now| so far)? \?
        {lead}ha(?:s|ve) (?!(?:the|our|that|this|you|we|i|it|there|he|she|they|any\w*|some\w*|people)\b)(?:\S+ ){1,3}?\
            (?:been )?(?:finished|completed|done|fixed|merged|deployed|paid|booked|signed)(?: yet| already| by now\
            | so far| now)? \?
        {lead}(?:(?:is|are|was|were) there (?:already )?)?(?:an?|any|some) (?:\S+ )?(?:decision|agreement|consensus\
            |deadline|vote|rota) (?:about|on|for|regarding|yet|when|how|who)\b
        {lead}(?:(?:is|are|was|were) there (?:already )?)?(?:an?|any|some) (?:\S+ )?(?:plan|policy|rule|budget|date\
            |list) (?:about|on|for) (?:the|our)\b
        \b(?:is|are|was|were|has|have|did) (?:the|our|that|this) (?:\S+ ){1,4}?(?:paid|signed|sent|booked|back\
            |up again|online)(?: yet| already| again)? \?
        \bwhat(?:'s| is) happening (?:with|on) (?:the|our)\b
        \b(?:status|state|progress|eta)(?: \S+)? (?:of|on|for|with) (?:the|our|my|that|this|your|\S*#\d+|issue|pr\
            |project|all|[\w.]+-[\w-]+|\S+'s|\w{2,}ing|\S+ (?:\?|\||\S*\d))\
            (?!.{0,20}\bmy (?:order|package|application|card|account|flight|luggage\
            |refund|transfer|payment|loan|claim|delivery)\b)
        \bany (?:updates?|news|progress|word|movement) (?:on|about|from|with|for)\b
        \bwhere (?:are|were|do) (?:we|things|you) (?:at |stand )?(?:on|with|at|regarding)\b
        \bhow far (?:along (?:are|is|did|have|has)|(?:are|have|did) we|(?:is|has) (?:the|our) (?:\S+ ){1,4}?(?:come\
            |got|gotten|progressed|along))\b
        \bhow(?:'s| is| are) (?:the|our) (?:\S+ ){1,4}?(?:going|coming along|coming|looking|progressing|doing) ?\?
        \b(?:is|are|was|were|has|have|did) (?:the|our|that|this) (?:\S+ ){1,7}?(?:done|finished|ready|merged\
            |deployed|fixed|shipped|live|released|resolved|closed|reviewed|approved|landed)(?: (?:yet|already|now\
            |now))? \?
        \bwhat(?:'s| is|'re| are) (?:still |the )?(?:left|open|pending|blocked|blocking|outstanding|remaining)\
            (?: to do| on| for| with| in| from)?\b
        \bwhat (?:ever |has |'s )?happened (?:to|with) (?:our|my|that|the (?:\S+ ){0,3}?{thing})\b
        \bdid (?:the|our|that) (?:\S+ ){1,4}?(?:ship|land|go out|pass|fail|break|work|finish|get (?:merged|fixed\
            |deployed|approved))\b
        \bwhat(?:'s| is) the (?:latest|status|state of (?:play|things)) (?:\?|\||on|with|of our|for)
        """,
    ),
    rule(
        "agent question",
        4,
        "did has have is what's who's",
        r"""
        \b(?:did|has) (?:the|our|my) \S+ (?:ever |already )?(?:reply|replied|answer|answered|respond|responded\
            |call back|called back|write back|written back|sign|signed|pay|paid|arrive|arrived|confirm|confirmed)\b
        \bwhat (?:did|has|have) (?!(?:you|we|i|it|they|people|this|that)\b)\w+ (?:do|done|ship|shipped|finish\
            |finished|push|pushed|merge|merged|deploy|deployed|commit|committed|fix|fixed|been (?:up to|doing\
            |working)|work on|worked on|report|reported|find|found|say|said)(?: (?:yet|today|yesterday|so far\
            |this week|last \w+|about .{1,80}|on .{1,80}|with .{1,80}|for us))? \?
        {lead}(?:did|has|have) (?!(?:you|we|i|it|they|he|she|people|this\
            |that)\b)\w+ (?:already |ever |actually |also )?(?:finish|finished|push|pushed|merge|merged|deploy\
            |deployed|reply|replied|answer|answered|respond|responded|review|reviewed|fix|fixed|ship|shipped|report\
            |reported|complete|completed|check|checked|commit|committed|start|started|done)\b
        \bis (?!(?:it|there|this|that)\b)\w+ (?:done|finished|ready|still working\
            |working) (?:yet |with .{1,60} |on .{1,60} )?\?
        \bwhat(?:'s| is) (?!(?:it|this|that)\b)\w+ (?:working on|doing|up to)(?: \w+)? \?
        \bwho(?:'s| is) working on (?:the|our|that|this|\S+ \?)(?! (?:cure|problem of)\b)
        """,
    ),
    rule(
        "how we do it",
        4.2,
        "we our we've",
        r"""
        \bhow (?:do|did|should|would|are) we (?:\S+ )?(?:deploy|release|ship|roll|restart|run|test|review|merge\
            |build|set|name|handle|onboard|back|restore|rotate|add|create|file|report|request|order|book|pay|invoice\
            |approve|publish|post|tag|version|branch|migrate|monitor|log|access|connect|configure|install|update\
            |upgrade|organi[sz]e|plan|schedule|vote|decide|moderate|ban|welcome|invite|do|usually|normally|write\
            |store|clean|reset|open|close|announce|split|share|sign|submit|track|triage|escalate|get access|format\
            |lint|document)\b
        \b(?:our|the team's|the usual|we have an?y?) (?:\S+ ){0,2}?(?:process|policy|procedure|workflow|convention\
            |playbook|checklist|runbook|standards?|guidelines?|rules?|practice|steps|routine|protocol\
            |template)s?\b.{0,100}\?
        \bhow (?:do|did) we (?:\S+ ){1,6}?here \?
        """,
    ),
    rule(
        "issue number",
        4.6,
        """
        issue issues pr prs pull ticket tickets bug mr merge request bugs epic story # task card
        incident case
        """,
        r"""
        (?:^| |\w)#\d{2,}\b
        \b(?:ticket|issue|bug|task|story|card|incident|case) [a-z]{1,10}-\d{1,6}\b
        (?:^| |[\w/-])#\d\b(?! (?:song|hit|album|single|team|movie|film|pick|seller|fan|draft|show|in|on|best|ranked\
            |player|most))
        \b(?:issue|issues|pr|prs|pull request|ticket|bug|mr|merge request|epic) (?:no\.? |number |nr )?[#!]?\d{1,6}\b
        """,
    ),
    rule(
        "commit",
        3.4,
        "commit commits revision sha",
        r"""
        \b(?:commit|revision|sha) [0-9a-f]{6,40}\b
        \b(?:which|what|whose|that|the) (?:last |latest |first )?commits?\b
        """,
    ),
    rule(
        "known only here",
        3.4,
        """
        password passcode code pin combination key address number date deadline name host keys card ladder drill
        projector tent trailer van camera login keycard cashbox where where's
        """,
        r"""
        {lead}(?:who|who's|who has) (?:has |got |keeps |took |borrowed |holds |is holding )?(?:the|our|that) \
            (?:\S+ ){0,3}?(?:keys?|keycard|ladder|drill|projector|tent|trailer|van|camera|password|code|login\
            |cash ?box)(?: now| at the moment| today)? \?
        \bwhere (?:was|is|were|are|did) [^|?]{1,60} (?:uploaded|posted|pinned|stored|saved|filed|linked|written down)\b
        {lead}(?:where's|where (?:is|are|was|were)) (?:the|our|that) (?:\S+ )?(?:file|link|doc|document|folder\
            |spreadsheet|sheet|notes|slides?|recording|photos?|pictures?|invoice|receipt|contract|template|draft|form\
            |keys?|manual|set ?list|script|\S+ code|\S+ password)\b
        {lead}(?:what is|what's|what was|which|where is|where's) the (?:\S+ )?(?:wi-?fi|door|gate|alarm|guest|admin\
            |staging|server|database|entry|safe|locker|office|router|api|vpn|garage|shed) (?:\S+ )?(?:password\
            |passcode|code|pin|combination|key|keys|address|number|login|host)\b
        """,
    ),
    rule(
        "work without a name",
        2.6,
        "the that this our",
        r"""
        {lead}(?:why|when|how come|who|by whom) (?:was|were|is|are|has|have) (?:the|our|that) (?:\S+ ){1,4}?(?:been )?\
            (?:reverted|postponed|rescheduled|renamed|deprecated|scrapped|merged|disabled|archived|reopened\
            |rolled back|put off|called off)\b
        {lead}(?:when|when's|what time|what day) (?:is |are |does |do |did )?(?:the|our) (?:next |last |first |final )?\
            (?:\S+ ){0,2}?(?:release|deploy|deployment|rehearsal|stand-?up|retro|sprint|demo|gig|meetup|handover\
            |code freeze|kick-?off|offsite|raid|board meeting|committee meeting|team meeting|workshop)\b
        {lead}(?:what|which|who|whom|whose|when|where|why|who's\
            |what's) (?:[^|? ]+ ){0,6}?{did} (?:on |to |for |by |with |in |about |up )?(?:the|our|that\
            |this) (?:[^|? ]+ ){0,3}?{thing}\b
        {lead}(?:what|which|who|whom|whose|when|where|why|how) (?:[^|? ]+ ){0,4}?(?:did|was|were|is|has|had\
            |have) (?:the|our|that|this) (?:[^|? ]+ ){0,3}?{thing} (?:[^|? ]+ ){0,8}?(?:{did}|give|say|fail|break\
            |happen|go down|work|for|from|on|during|use|want|ask|decide|choose|scheduled|due|again|called|approve\
            |interested|mentioned)\b
        {lead}(?:what|which|who|when|where|why) (?:[^|? ]+ ){0,4}?(?:was|were|is|are|did) (?:the|our|that\
            |this) (?:[^|? ]+ ){0,5}?(?:of|for|on|in|with|behind|from|at|during) (?:the|our|that|this|yesterday's\
            |last week's) (?:[^|? ]+ ){0,2}?{thing} \?
        {lead}(?:why|when|how) (?:is|was|did|are|were) (?:the|our|that|this) (?:[^|? ]+ ){0,2}?{thing} (?:so slow\
            |down|failing|broken|red|slow|late|delayed|late|postponed|break|fail|go down|go live)\b
        """,
    ),
)
