"""Patterns for dates and plans worth keeping, and for passing remarks about a day or the present moment."""

from typing import Final

from bot.language.statements import statement_words
from bot.text import patterns

DATE: Final = patterns.either(
    r"""
    \b{event}\b[^,;]{0,30}?(?:\bis|\bare|'s|\bwill be|\bwas moved|\bhas (?:been )?moved|\bmoved|:| -|\
        \bgoes?) [^,;]{0,30}?\b{when}
    \b{schedule}\b[^,;]{0,40}?\b{when}
    \b(?:is|are|'s|'re|'m|be|will be|'ll be) (?:{state} ){0,2}(?:{prep}){1,2}(?:the |about |early |late )?{when}
    \b(?:is|are|'s|'re|'m|'ll be|will be) {state} (?:tomorrow|next \w+|this \w+|every \w+|all next week)\b
    ^(?:the |our |my )?(?:\w+ ){0,2}?{event}(?: \w+){0,3}?,? (?:{prep})?{when}[\s\w:']{0,40}$
    # A day of the calendar is named for something; only a past tale names one idly.
    ^(?!i\b|i've|i'm|you|since)[^?]{4,120}\b{calendar}
    ^(?!since|you)[^?]{4,100}\b(?:on|by|from|until|till) the \d{1,2}(?:st|nd|rd|th)\b(?! (?:floor|page|try|attempt|\
        place|time|hole|level|row|century|st\b|street))
    ^(?:i|i'll|i'm) [^?]{4,80}\b(?:on|from|until|by|before) (?:the )?{calendar}
    \b{when}(?:'s| is| will be| are) (?:the|our|my|when (?:the|we|our)) (?:\w+ )?(?:{event}|last day|first day|\
        day off)\b
    \b(?:was|were) (?:born|founded|established|built|set up) (?:in|on) (?:{date}|\d{4})
    \b(?:i|we) (?:\w+ )?(?:got married|joined|started|launched|founded|graduated|moved (?:here|in|to \w+)|\
        opened) [^,;]{0,30}?(?:{date}|in \d{4})
    \b(?:i|we|he|she|they|the \w+|[\w-]+) (?:have|has) [\w ]{2,30}? (?:on|every|at) {when}
    \b(?:we|i) {meet} [^,;]{0,40}?\b(?:{prep})?{when}
    \b(?:last day|first day|day off|half day|cut-?off|expiry|expiration|renewal|sell-by)\b[^,;]{0,25}\b{when}
    """,
    statement_words.WORDS
    | {
        "event": (
            r"(?:meetings?|stand-?ups?|demos?|deadlines?|releases?|launch(?:es)?|birthdays?|anniversary|"
            r"appointments?|weddings?|part(?:y|ies)|exams?|midterms?|finals|tests?|interviews?|calls?|sync|"
            r"retros?|reviews?|sprint|flights?|trains?|trip|holidays?|vacations?|conference|workshops?|hackathon|"
            r"meet-?ups?|gigs?|concerts?|shows?|rehearsals?|practice|training|match(?:es)?|games?|tournament|race|"
            r"marathon|session|raids?|lessons?|class(?:es)?|lectures?|seminar|course|term|semester|school|dinner|"
            r"lunch|brunch|bbq|barbecue|picnic|funeral|graduation|ceremony|opening|closing|election|agm|vote|"
            r"audit|inspection|delivery|payday|rent|invoice|payments?|tax|bill|contract|lease|licen[cs]e|passport|"
            r"visa|subscription|warranty|certificate|domain|trial|submission|assignment|homework|essay|thesis|"
            r"paper|grant|application|maintenance|downtime|outage window|migration|deploys?|deployment|freeze|"
            r"cutover|go-live|beta|alpha|kick-?off|handover|onboarding|start date|due date|end date|surgery|"
            r"operation|check-?up|scan|vaccination|jab|due|move|viewing|bins?|collection|market|fair|festival|"
            r"sale|season|pre-?season|event|fundraiser|raffle|quiz|bake sale|camp|retreat|stream|podcast|episode|"
            r"newsletter|office hours|webinar|lecture series|livestream|talk|briefing|keynote|panel|fete|"
            r"leaving do|shift|rota|pickup|drop-?off|bus|ferry|ceilidh|recital|exhibition|screening|premiere|"
            r"auction|service|mot|hearing|court date|booking|reservation|check-?in|check-?out|town hall|bake-?off|"
            r"dentist|doctor(?:'s)?|gp|vet|plumber|electrician|haircut|hairdresser|optician|physio|therapy|"
            r"orthodontist|playtest|draft|final draft|manuscript|proofs|harvest|sowing|last frost|book club|choir|"
            r"seminars)"
        ),
        "schedule": (
            r"(?:starts?|begins?|ends?|finish(?:es)|opens?|closes?|expires?|launch(?:es)?|ships|lands?|arrives?|"
            r"departs?|leaves|go(?:es)? on sale|on sale|takes? place|happens|falls|goes live|go live|going live|"
            r"kicks? off|resumes?|due|moved|moves|moving|pushed|postponed|rescheduled|booked|scheduled|delayed|"
            r"brought forward|renews?|returns|runs from|run from|closed|closing|opening|reopens?|set for|"
            r"planned for|slated for|comes out|coming out|drops?|airs|premieres|lapses?|runs? out|resets?|"
            r"rolls over|gets? (?:back|in)\b(?! to (?:you|me|us))|collected|peaks?|completes?|go out|goes out|"
            r"deadline|sign-?ups? (?:close|open)|extended|lasts until|good until|valid until|out of office|ooo|"
            r"on (?:leave|holiday|vacation|call|pto|shift))"
        ),
        "state": (
            r"(?:due|scheduled|set|booked|planned|back|away|off|out|open|closed|shut|on (?:nights|earlies|lates|"
            r"days)|free|available|held|moved|now|still|always|here|on holiday|on leave|on vacation|on call|"
            r"on shift|in town|out of office|ooo|at the \w+|in \w+|visiting|flying(?: \w+)?(?: \w+)?|travelling|"
            r"working|arriving|landing|leaving|getting back|coming|busy|unavailable|around|abroad|never|again|"
            r"officially|only|not working|teaching|playing|running|streaming)"
        ),
        "meet": (
            r"(?:meet|rehearse|practi[sc]e|train|play|stream|raid|ship|release|deploy|gather|run|teach|fly|leave|"
            r"start|finish|land|arrive|work|publish|post|pay|get paid|'ll meet|close|open|launch|have (?:a |an |"
            r"our |my )?\w+)"
        ),
    },
)
NO_DATE: Final = patterns.either(
    r"""
    ^(?!.*\b(?:born|founded|established|married|was moved|were moved|got moved|been|set up|joined|\
        graduated)\b).*{past}
    {odd_past}
    ^(?:it|this|that)(?:'s| is) (?:like |only |already |almost |basically )?{when}
    \b(?:doesn't|don't|didn't|won't) (?:\w+ )?(?:land|start|open|close|end|happen|leave|begin|expire|arrive|ship|\
        launch)\b
    \b(?:can't|couldn't) come soon enough\b
    \b(?:so|too|really|very) (?:tired|hungry|cold|hot|busy|bored|done|ready|over it|long|late|early)\b
    \b(?:more|less) \w+ than\b|\b\w+er than\b
    \b(?:the worst|the best|suck|sucks|drag|hell|a nightmare|a blast)\b
    \bopen (?:it|this|that|the (?:door|window|file))\b
    \b(?:always|forever) (?:starts?|ends?) (?:late|badly)\b
    """,
    statement_words.WORDS,
)

PLAN: Final = patterns.either(
    r"""
    \b{planner}(?:'m|'re| am| are|'s| is)? ?{adv}{intend} (?!{pro}\W*$)\w
    \b(?:the|our|my|current|long-term) (?:\w+ )?(?:plan|goal|aim|next step|next steps|target|roadmap|intention|\
        resolution|strategy|ambition)(?: \w+ \w+)? (?:is|are|for|'s|:) (?!{opinion})\w
    ^(?:the )?(?:plan|goal|next step|next steps|next up|roadmap|target)(?: for [\w ]{2,20})?(?: is|\
        :| -) (?!{opinion})\w
    \b(?:i|we|i'd|we'd) (?:really )?want to (?!{pro})\w+ .{0,60}?\b(?:{prep}{future}|this (?:year|summer|month|\
        spring|term|season)|next \w+)
    \b{planner}(?:'ll| will|'m going to|'re going to| is going to|\
        's going to| are going to)(?: be)? {adv}\w+ .{0,80}?\b{prep}?{future}
    \b(?:i|we|i'd|we'd) (?:really )?want to (?!{pro})\w+ .{0,60}?\b(?:{prep}{future}|this (?:year|summer|month|\
        spring|term|season)|next \w+)
    \b{planner}(?:'ll| will|'m going to|'re going to| is going to|\
        's going to| are going to)(?: be)? {adv}{undertake}\b (?!{pro})\w
    \b(?:i'm|we're|my \w+ is|my \w+ are|our \w+ is|the \w+ (?:is|are)|\
        [\w-]+(?:'s| is| and i are)) {adv}\w+ing .{0,60}?\b{prep}?{future}
    \b(?:i'm|we're|we've|i've|i) {adv}(?:booked|signed up|registered|enrolled|applied|entered|saving up|saving|\
        training|preparing) (?:for|to|in|on|a|an|the|our|my|us|onto|into) \w
    \blet's (?:meet|do|have|hold|schedule|move|push|aim|plan|catch up|sync|reconvene|start|ship|launch|deploy|\
        revisit|review) .{0,60}?\b{prep}?{when}
    ^(?:planning|aiming|intending|off|moving|flying|heading|going) to .{2,60}?\b{future}
    ^(?:planning|aiming|intending) (?:to|on) (?!{pro})\w
    \b(?:my|our|the) (?:\w+ ){1,3}(?:and (?:i|me) )?(?:is|are) {adv}\w+ing .{0,60}?\b{prep}?{future}
    \b(?:i'm|we're) {adv}(?:applying (?:for|to)|learning|studying for|starting (?:a|my|an)|opening (?:a|an|our|my)|\
        adopting|moving (?:to|in\b|out|house)|relocating|renovating|expecting (?:a|an|our|my|twins)|retiring|\
            hosting (?:the|a|an|our)|organising (?:the|a|an|our)|quitting|emigrating|applying) (?!{pro})\w
    ^(?:on |in |from |by )?{future},? (?:i'm|we're|i'll|we'll|i|we) (?!{pro})\w
    ^(?:going to|'ll|will) {undertake} (?!{pro})\w
    \b{planner}(?:'m|'re| am| are|'s| is) {adv}(?:supposed|meant|due) to \w+ .{0,60}?\b{prep}?{future}
    \b(?:i'm|we're) {adv}(?:bringing|hosting) (?!{pro})\w
    \b(?:i|we) (?:start|begin|fly|leave|move|finish|graduate|launch|ship|travel|sit|\
        take) (?:\w+ ){0,5}?(?:{prep})?{future}
    """,
    statement_words.WORDS
    | {
        "planner": (r"(?:i|we|he|she|they|(?:my|our|the) [\w-]+(?: \w+)?|[\w-]+ and (?:i|me|\w+)|^[\w-]+)"),
        "intend": (
            r"(?:plan to|plans to|planning (?:to|on|an?|the|our|my)|plan on|plans on|intend to|intends to|"
            r"intending to|aim to|aims to|aiming (?:to|for)|scheduled to|set to (?!\d)|due to (?:start|launch|"
            r"finish|open|move|arrive|give|have)|signed up (?:for|to)|training for|saving (?:up )?for|"
            r"preparing for|working towards|looking to (?:hire|buy|move|replace|rent|adopt|recruit)|on track to|"
            r"committed to)"
        ),
        "undertake": (
            r"(?:migrate|move|switch|launch|release|ship|rewrite|replace|build|drop|rename|deploy|publish|start|"
            r"study|learn|train|visit|travel|host|organise|sell|renovate|adopt|apply|enrol|enroll|retire|renew|"
            r"sponsor|hire|open|upgrade|refactor|port|automate|deprecate|split|merge|introduce|roll out|convert|"
            r"teach|run|lead|record|paint|plant|propose|marry|sow|harvest|sign up|present|submit|translate|"
            r"spend (?:a|the|six|three|two|my) \w+|try \w+ for|take (?:the|my) \w+ (?:test|exam)|fund|rebuild|"
            r"redesign|restructure)"
        ),
        "opinion": (
            r"(?:not|still|great|good|bad|solid|terrible|stupid|a mess|unclear|simple\W*$|working|there|off|dead|"
            r"fine)\b"
        ),
    },
)
NO_PLAN: Final = patterns.either(
    r"""
    ^(?!.*\b(?:booked|signed|registered|enrolled|applied|entered)\b).*{past}
    \b(?:going to|'ll|will|gonna) (?:\w+ )?(?:be (?:so|great|fun|fine|epic|amazing|awesome|a (?:long|good|blast|\
        mess|disaster)|sick|tired|hungover|late|okay|ok|dead|chaos|hell)|regret|sleep|miss (?:it|this|you)|\
            need (?:a|more|some)|love (?:it|this)|hate (?:it|this)|never)\b
    \b(?:'ll|will|going to) (?:\w+ )?(?:rain|snow|matter|work|happen|help|hurt|go (?:well|badly|wrong))\b
    \b(?:dreading|looking|counting|feeling|waiting|worrying|panicking|freaking|dying|craving|stressing|crying|\
        talking|asking|being|nervous|hyped|wondering|trying|struggling|missing|loving|hating|enjoying|kidding)\b
    \bplan(?:s|ning)? (?:on |to )?(?:it|that|this|ahead|nothing|doing nothing|sleep|sleeping|nap|b\b)\b
    {active_past}
    \bstart (?:over|crying|laughing|by|with)\b
    \b(?:it|this|that|there) (?:will|'ll|is going to)\b
    \b(?:you're|you'll|you will|you)\b.{0,12}\b(?:going to|will|'ll)\b
    \b(?:nothing|anything|something|whatever) (?:is|will|'s)\b
    """,
    statement_words.WORDS,
)
