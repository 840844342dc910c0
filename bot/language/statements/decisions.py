"""Patterns for decisions, and for what only looks like one: whims, outings, opinions."""

from typing import Final

from bot.language.statements import statement_words
from bot.text import patterns

DECISION: Final = patterns.either(
    r"""
    \b{us} {adv}(?:decided|opted|voted|resolved|concluded|elected) ?{adv}(?:\d+ (?:to|against|-|:) \d+ )?\
        (?:to|on|upon|that|against|for|not|in|down|\
        through|out|we|we'll|:|-|,) (?:\w|\d)
    \bwe {adv}decided (?!whether|if\b|yet|what|how|who|when|where|anything|it was|he\b|she\b|because|and\b|but\b)\w
    \b{us} {adv}agreed with [\w ]{2,30} (?:on|to|that) \w
    ^(?:[\w-]+ ){1,2}{heading}: ?\w
    ^agreed with [\w ]{2,30} (?:on|to|that) \w
    , we (?:both |all )?(?:agreed|decided|voted|settled)(?: on (?:it|that))?\W*$
    \bwe (?:don't|never) (?:let|allow|accept|permit|do|discuss|sell|buy) (?!{pro}|much|any\b|well|this\b)\w
    \b{us} {adv}(?:agreed|settled|landed|signed off|compromised|committed) ?{adv}(?:to|on|upon|that|not|we|for|:|-) \w
    \b{us} {adv}(?:chose|chosen|selected|opted for|went for|switched(?: over)? (?:to|from)|picked|ruled out|ditched|\
        gave up on|pulled the trigger on|voted and|bit the bullet and|have a winner|got a winner)\W{1,3}\w
    \b{us} {adv}went with \w
    \b(?:we|i|everyone|you all) {adv}agreed (?!{pro}|it's|he\b|she\b|they\b|because|since|when|with|completely|\
        totally|and\b|but\b|too\b)[\w-]+ \w
    ^all agreed (?:to|on|that) \w
    \b(?:made up|made) (?:my|our|her|his|their) minds?(?: up)?\W+\w+
    \b{us} {adv}(?:ended up|went ahead with|landed up) (?:choosing|going with|picking|settling|using|buying|with|\
        taking) (?!{pro})\w
    ^(?:it's official|final call|final answer|confirmed|decision made|decision time over|by majority|unanimous\w*|\
        after the (?:vote|poll|ballot|count))[,:. -]+\w+ \w+
    \b(?:the|our) (?:vote|poll|majority|count) (?:is|was|came out|went|has gone) (?:for|with|in favour of|\
        to) (?!{pro})\w
    ^(?!it|he|she|they|who)[\w' -]{2,40} (?:won|wins|got|gets|has) (?:the (?:vote|poll|majority)|(?:the )?most votes)\b
    ^(?:deal|done deal|sorted|locked in|chosen)[:, -]+(?!{pro}|thank|cheers|i'm|lol|great|with|by)\w+ \w
    \bwe're {adv}(?:agreed|decided|settled|set|sold) (?:on|that|to) (?!{pro})\w
    ^(?:everyone|everybody|all of us|we)(?:'s| is| are|'re) {adv}(?:fine|happy|ok|okay|good|cool|in favour|on board) \
        (?:with|for|of) [^,]{2,40}, (?:so|then) \w
    # "Ok so Friday then" chooses; a clause with a "then" at its end supposes, or tells.
    ^(?:so|{agreed})(?:,? so)?,? (?!(?:\S+ ){0,4}(?:{clause})\b)[\w'&:/-]+(?: [\w'&:/-]+){0,4} then\W*$
    ^(?:(?:so|{agreed})(?:,? so)?,? )?we(?:'ll)? go (?:with|for) (?!{idiom})\w
    ^then (?:we|i|let's)(?:'ll)? {choose} (?!{pro})\w
    \b(?:we|let's) {choose} .{1,40} instead\W*$
    \blet's make (?:it|that) (?!{mood}|clear|quick|work|happen|simple|official|rain|stop|count|look|about)\w
    \bso (?:the|our) (?:[\w']+ ){0,3}?{named} (?:will be|is going to be) \w
    \b{we} {adv}(?:adopted|approved|rejected|scrapped|cancelled|deprecated|standardised on|locked in|\
        moved(?: (?:our|the|all) [\w ]{1,24}?)?(?: over)? to) \w
    \b{we} {adv}(?:migrated|renamed|hired|appointed|shelved|vetoed|finalised|dropped (?:the|support)|banned|\
        retired) \w
    \b(?:we're|i'm|we'll|i'll|we'll be|let's|let's all) {adv}{course} {adv}(?!{idiom})\w
    \b(?:let's|we'll) {adv}(?:use|keep|drop|adopt|cap|limit|set|rotate|skip|merge|standardise|\
        default to) (?!{idiom})\w
    \b(?:let's|we'll|we're|i'm|i'll be) {adv}(?:call|calling|name|naming) (?:it|this|the \w+|our \w+|him|her|\
        them) (?!{quits})\w
    \b(?:it's|it was|it has|that's) {adv}(?:decided|agreed|settled|confirmed|approved)\W+(?:\w+\W+){2}
    \b(?:the|our|my) [\w' -]{2,40}? (?:is|are|was|were|has been|have been|'s been) {adv}{ruled}\b
    \bmotion (?:\w+ ){0,6}?(?:carried|carries|passed|passes|failed|approved)\b
    ^(?:final |group |team |unanimous )?{heading}(?: (?:from|of|in|after) (?:the|our|today's) \w+)?\
        (?: is| was|:| -| on| that| to| not)+ \w
    \b(?:the|our|my) (?!best|worst|right|good|bad|only|hard|real|next|wisest|first)(?:\w+ )?{heading} (?:is|was|\
        from the \w+ (?:is|was)) (?!{opinion})\w
    ^(?:going|sticking|went) with (?!{idiom})\w
    \b[\w-]+ (?:is|are) (?:now |all )?(?:settled|decided|agreed|locked in)(?:[:,;]| for\b| as\b| on\b| at\b|\W*$)
    \b(?:that's|it's|all|as) (?:agreed|settled|decided)\W*$
    ^(?!it|this|that|he|she|they|there)[\w-]+(?: and \w+)? (?:is going to|will|'ll|are going to) (?:be|play|\
        act as) (?:our|the|my) \w
    ^(?:settled on|decided (?:we'll|i'll|we're|on|to|against|not to)|agreed (?:to|on|that|not to)|opted (?:for|to)|\
        chose|picked(?= (?:the|our|option|number) )|switching to) \w
    \bfrom now on\b.{6,}
    .{6,}\bfrom now on\b
    \b(?:going forward|moving forward|as of (?:today|now|{when})|effective (?:immediately|{prep}?{when}))\b
    \b(?:{we}|the [\w-]+|i) no longer (?!care\b|have\b|know\b|feel\b)\w+
    (?:^|, so |^(?:agreed|{agreed}),? )\
        (?!what|how|that|as |like|so |of course|whoever|whatever|this|i |where)[\w' +&/:-]{2,40} \
        it (?:is|shall be)(?:,? (?:then|folks|\
        everyone|guys|all))?\W*$
    ^(?!it|this|that|he|she|you)[\w' -]{2,40} (?:is|are) (?:now |officially |hereby )+(?:banned|forbidden|mandatory|\
        compulsory|optional|allowed|required)\b
    \b(?:has|have) spoken\W+\w+ \w
    , (?:the|our) [\w ]{2,20} (?:agreed|decided|voted)\W*$
    \bfinal (?:answer|decision|call|word|offer)\W*$
    \b(?:we're|i'm) going to {adv}(?:name|call|use|keep|stick (?:with|to)|go (?:with|for|ahead with)|drop|switch to|\
        adopt|standardise on) (?!{idiom})\w
    \b(?:the|our|my|his|her) (?:[\w']+ ){0,3}?{named} (?:will|is going to|are going to) be (?:called |\
        named )?(?!{pro}|{mood}|on\b|at\b|in\b|from\b)\w
    \b(?:we won't|we're not|we'll not) (?:be )?(?:going (?:to|with)|{doing}) (?!{idiom})\w
    \bwe (?:use|run|host|follow|store|standardise on|deploy) (?!{idiom}|to\b|out\b|into\b|late\b)\w
    \bwe keep (?:the|our|all) \w
    \b(?:i'm|we're|\w+(?:'s| is| are| will be| and \w+ are)) (?:now )?(?:in charge of|responsible for|\
        taking over) (?!{pro})\w
    \b\w+ (?:takes over|owns|will (?:lead|chair|own|run|handle|take over)) (?:the|as|from|our|all) \w
    """,
    statement_words.WORDS
    | {
        "agreed": r"(?:ok|okay|alright|all right|right|fine|cool|good|great|deal|yes|yeah|yep)",
        "choose": r"(?:take|go|do|meet|use|play|start|leave|book|order|keep|pick|stay|eat|fly|drive|sleep)",
        "clause": (
            r"a|an|just|another|i|you|u|we|he|she|they|it|that|this|there|here|what|who|why|how|when|where|no|not|yes|see|bye|night|"
            r"later|long|much|far|never|nvm|well|again|all|is|are|was|were|be|been|had|has|have|did|does|do|don't|can|"
            r"will|would|could|should|got|get|said|says|went|goes|go|know|think|guess|good|\w+'(?:s|re|m|ll|d|ve)|\w+n't"
        ),
        "named": (
            r"(?:name|theme|colou?rs?|venue|logo|mascot|captain|lead|host|title|menu|speaker|format|jerseys?|cake|"
            r"song|setting|topic|system|language|framework|chair|treasurer|default|winner|location|spot|brand|"
            r"slogan|font)"
        ),
        "mood": (
            r"(?:so|too|very|late|great|good|bad|fun|fine|ok|okay|amazing|awesome|epic|sick|busy|packed|hard|easy|"
            r"tight|cold|hot|long|chaos|hell|sad|happy|delighted|angry|furious|wild|nice|interesting|close|over|"
            r"better|worse|up|out|off|down|very|really|more|less|like|just|pretty|all|alright)"
        ),
        "course": (
            r"(?:going (?:with|for|ahead with)|go (?:with|for|ahead with)|stick(?:ing)? (?:with|to)|"
            r"switch(?:ing)?(?: \w+)?(?: over)? (?:to|from)|mov(?:e|ing) (?:(?:the|our|all|every|"
            r"over)[\w ]{0,24}? )?(?:to|off|away from)|standardis(?:e|ing) on|settl(?:e|ing) on|dropping|closing|"
            r"shutting|ending|ditching|"
            r"adopting|retiring|deprecating|scrapping|cancelling|postponing|keeping|sunsetting|replacing|renaming|"
            r"not doing|no longer \w+ing|migrating (?:\w+ )?to|using)"
        ),
        "doing": (
            r"(?:using|supporting|accepting|allowing|hiring|renewing|adding|doing|taking on|support|use|ship|"
            r"accept|allow|hire|renew|add|change|sell|host|move|migrate|offer|merge|build|extend|sponsor)"
        ),
        "ruled": (
            r"(?:decided|approved|finalised|rejected|scrapped|chosen|selected|elected|ruled out|banned|voted|"
            r"deprecated|cancelled|agreed|settled|confirmed|signed off|locked in|vetoed|dropped|postponed)"
        ),
        "heading": (
            r"(?:decision|decided|agreed|resolution|resolved|verdict|consensus|outcome|conclusion|agreement|"
            r"ruling|settled|house rule|new rule|(?:vote|poll|final) results?|poll|rule|policy|convention|winner|"
            r"final answer|final choice|choice|vote|compromise)s?"
        ),
        "opinion": (
            r"(?:up|yours|hard|not|the (?:right|wrong|best|worst)|an? (?:good|bad|great|mistake|terrible)|still|"
            r"wrong|stupid|great|good|bad|so|too|pending|a joke|absurd|terrible|weird)\b"
        ),
        "quits": r"(?:a day|a night|quits|even|off|what|that|out|back|tomorrow|later|in\b)",
        "idiom": (
            r"(?:{pro}|(?:my|a|an) (?:walk|run|ride|swim|drink|smoke|gut|mum|mom|dad|friends?|sister|brother|wife|"
            r"husband|fingers|eye|kids|bite|drive|jog|hike|spin|nap)\b|the (?:flow|kids|vibe)|in touch|going|calm|"
            r"track|quiet|him|her|me|us|them|fingers|dinner|lunch|drinks|coffee|pizza|beers?|food|broke|gold|"
            r"voice|bed|off|by|on\b|trying|moving|getting|up\b|losing|saying|telling|running|some\b|your|"
            r"to (?:voice|dms?|vc)|or\b)"
        ).replace("{pro}", statement_words.WORDS["pro"]),
    },
)
NO_DECISION: Final = patterns.either(
    r"""
    # What one does on a day, not what holds after it.
    \b(?:i|i've) {adv}(?:decided|agreed|opted|chose|resolved) (?:to |that )?(?:{adv})(?:{whim})\b
    ^(?:so |then )?(?:decided|agreed|opted) to {adv}{whim}\b
    \b(?:decided|agreed|opted|chose) (?:to |on )?{adv}{outing}\b
    \b(?:agreed|concluded|decided|settled) (?:that )?(?:it|that|this|he|she|they|you)(?:'s| is| was|\
        're| are) (?:\w+ )?{taste}
    \bpicked (?:\w+ ){1,3}up\b|\bpicked (?:some|a few|loads|\w*berries|apples|flowers|cherries|plums|mushrooms|\
        fruit)\b
    \bi (?:\w+ )?(?:went|chose|picked|settled|opted|switched) .*\b(?:today|last night|this morning|yesterday|\
        earlier|this afternoon|tonight|at lunch|for lunch|for dinner)\b
    \bpicked (?:up|apart|out|on|my nose|a fight|him|her|them|me|it)\b
    \bwent with (?:{pro}|my (?:\w+ )?{relation}|a friend|some|mates|friends|the (?:kids|lads|girls|boys|family))\b
    \b(?:went|going|go) for (?:a|an|some|{pro}|the kill|drinks|dinner|lunch|coffee)\b
    \b(?:chose|picked|went with|opted for) (?:the|a) (?:wrong|worst|bad|slow\w*)\b
    \bsettled on (?:the|a|my|our) (?:couch|sofa|bed|floor|bench|chair|armchair|grass|balcony|porch)\b
    \bchose (?:violence|chaos|to be|poorly|wrong\w*|wisely|death|life)\b
    \band (?:then |just )?(?:ordered|ate|sat|went|left|drove|had|watched|drank|slept|walked|headed|got|came|regret|\
        shook)\b
    ^i (?:just )?(?:picked|went for) (?!.*\b(?:for (?:the|our|my)|as (?:the|our|my)|over)\b)
    \bagreed (?:completely|totally|with (?:{pro}|everything|all))\b|\bon the spot\b
    ^decided to \w+ my (?:nails|hair|face|teeth|bed|room)\b
    \b(?:i|we) (?:resolved|picked|chose) (?:the|a|an) (?:\w+ )?(?:bug|issue|ticket|conflict|apples?|blackberries|\
        lock)\b
    \b(?:mind|minds|body|brain|universe|fate|weather|computer|laptop|phone|printer|cat|dog|toddler|\
        baby) (?:\w+ )?decided\b
    \b(?:i'm|i'll be) (?:\w+ )?(?:using|keeping) (?:my (?:day|lunch)|the (?:loo|toilet|bathroom))\b
    """,
    statement_words.WORDS
    | {
        "whim": (
            r"(?:take (?:a|the|it)|go (?:for|home|out|to|back|with)|grab|order|stay|watch|skip|head|call it|sleep|"
            r"have (?:\w+ )?\w+ (?:for|instead|today)|have (?:a|some)|get (?:a|some|up|out|off)|sit|walk|"
            r"make (?:a|some|tea|coffee)|wing it|leave|ignore|give up|wait|try|bake|treat|binge|pull|turn|eat|"
            r"buy (?:a|some)|wear|be|just|check|look|ask|sneak|cook|jump|text|call|clean|tidy|rewatch|re-?read|"
            r"play|nap|see|open|pop|come|give|let|do (?:it|that|nothing|some)|put|not to (?:go|bother))"
        ),
        "outing": (
            r"(?:grab|order (?:in|a|some|pizza|takeaway|food)|stay (?:in|home|up|out|put)|watch (?:a|some|the|it)|"
            r"go (?:home|out|to the (?:pub|cinema|beach|park|shops?)|for (?:a|drinks|dinner|lunch|pizza))|take a|"
            r"head (?:home|out|to|back)|get (?:drinks|food|lunch|dinner|some|a)|call it|have a|walk|sleep|wing it|"
            r"leave early|turn (?:back|around)|(?:a )?(?:takeaway|movie|film|pub|pizza and))"
        ),
        "taste": (
            r"(?:boring|great|good|bad|best|worst|nice|awful|terrible|amazing|fine|weird|silly|funny|rubbish|cute|"
            r"fun)"
        ),
    },
)
