"""Patterns for sentences with nothing to keep: joke, hyperbole, song, greeting, reaction, machine output."""

from typing import Final

from bot.text import patterns

_WORDS: Final = {
    "day": r"(?:mon|tues|wednes|thurs|fri|satur|sun)day",
    "stuff": (
        r"(?:times|years|things|reasons|percent|tabs|ways|meetings|emails|questions|other|different|more|degrees|"
        r"hours)"
    ),
    "target": (
        r"(?:laptop|computer|phone|monitor|keyboard|hat|house|office|building|server|printer|router|car|window)"
    ),
    "errand": (
        r"(?:do|send|check|fix|finish|look(?: into| at)?|get(?: to)?|try|call|tell|text|ping|message|email|see|"
        r"let|show|ask|help|answer|take|give|keep|share|drop|add|open|remind|make|find|post|paste|forward|handle|"
        r"sort|work|figure|"
        r"read|be with)"
    ),
    "pronoun": r"(?:it|that|this|them|you|him|her|u|ya|everyone|one|those|these|y'all)",
    "snack": (
        r"(?:coffee|tea|lunch|dinner|snacks?|beer|drinks?|breakfast|food|water|brunch|cuppa|pint|fresh air|bite)"
    ),
    "short": r"(?:min|mins|minutes?|sec|secs|seconds?|moments?|bit|while|tick|mo)",
    "number": r"(?:\d+|one|two|three|four|five|ten|a few|several|a couple|some|no)",
    "idle": (
        r"(?:questions?|minutes?|mins?|seconds?|things?|thoughts?|problems?|guesses?|tabs|reasons?|words|ideas?|"
        r"points?|hours|options|cups|coffees|beers|meetings|emails|errors|bugs|issues|calls|failing tests?|warnings)"
    ),
    "settled": r"(?:due|set|agreed|decided|settled|final|confirmed|approved|our final|official)",
}

_JOKE: Final = r"""
    \b(?:lol+|lo+l|lmf?ao+|rofl|lulz|ha(?:ha)+h?|he(?:he)+|hah|xd+|jk|j/k|kidding|joking|sarcas\w+|kek|heh)\b
    (?:^|\s)[:;]-?[p)](?:\s|$)
    (?:^|\s)/(?:s|j|jk|sarcasm|joke|hj)\b
    [\U0001f602\U0001f923\U0001f61c\U0001f643\U0001f60f\U0001f92a\U0001f639\U0001f480\U0001f644\U0001f921\U0001f606\
        \U0001f61d\U0001f61b\U0001f605\U0001f974]
    \b(?:yeah|oh) (?:right|sure|great|good|joy|yeah|totally|wow)\b
    \b(?:pigs|hell) (?:can |will )?(?:fly|freezes?)\b
    \b(?:dead body|in (?:my|your|his|her) dreams|plot twist|world domination|world peace|lottery|overlord\w*|\
        unicorns?)\b
    \b(?:a|my|the) (?:hermit|goat farm|monastery|cave|time machine|secret lair|private island|zombie apocalypse)\b
    \b(?:sell|sold) (?:my|his|her|your|our) (?:soul|kidneys?|firstborn|organs)\b
    \b(?:married to|divorce|fire|sue|disown|fight|duel|marry) (?:my (?:bed|computer|cat|code|laptop)|you|it|this)\b
    \b(?:said no one|asking for a friend|trust me bro|that's what she|dad joke|said nobody)\b
    \b(?:evil|diabolical|master) plan\b
    \b(?:i|we) (?:just |really |absolutely |simply |totally |so )?(?:love|adore|enjoy|like|\
        live for) (?:it )?(?:when|how)\b
    \b(?:love|loving|adore) (?:being|getting|having to|waiting|sitting|spending) (?:woken|yelled|stuck|ignored|\
        in traffic)\b
    \bfavourite (?:part|thing|bit|pastime|hobby|way|kind of \w+) (?:\w+ ){0,4}?(?:is|was|has to be) (?:when|how|\
        being)\b
"""

_HYPERBOLE: Final = r"""
    \b(?:an? )?(?:million|billion|gazillion|zillion|bajillion|trillion|bazillion|thousand|\
        hundred) (?:and \w+ )?{stuff}\b
    \b(?:millions|billions|zillions|thousands|hundreds|gazillions|tons|loads|shedloads) of\b
    \b(?:\d+ ?(?:%|percent)) (?:agree\w*|sure|true|this|right|correct|with you|behind|certain|done|convinced|yes)\b
    (?:^|\s)(?:1\d\d|[2-9]\d\d|1000)0* ?(?:%|percent)
    \b(?:\d+/10|\d+ out of (?:10|ten|5|five)|24/7|\d+ iq|over 9000|9000)\b
    \b(?:to death|for ?ever|eternity|for ages|end of time|(?:of|in) my (?:whole |entire )?life|till i die|\
        until i die)\b
    \bfor the (?:\d+(?:th|nd|rd|st)|nth|umpteenth|millionth|hundredth|thousandth) time\b
    \b(?:could eat a|starving|kill for|die for|die without|rather die|dying|die of|die if|die on|die before|kill me)\b
    \b(?:going to|'ll|will|about to) (?:\w+ )?(?:scream|cry|explode|combust|die|lose (?:it|my)|snap|murder|kill|\
        strangle)\b
    \b(?:going to|'ll|will) (?:\w+ )?(?:throw|chuck|smash|burn|set fire|eat) (?:my|this|the|that) (?:\w+ )?{target}
    \b(?:quit (?:everything|life|society)|run away|cry myself|live under a rock|on a desert island|\
        never (?:ever )?recover)\b
    \b(?:nothing but|living on|surviv\w+ on|run(?:s|ning)? on) (?:coffee|caffeine|spite|vibes|hope|hate)\b
    \b(?:more than (?:life|anything|words)|(?:worst|best|greatest) (?:\w+ ){1,2}ever|in the history of|\
        literally every\w*|everyone and their)\b
    \ballergic to (?:mondays?|work|meetings?|mornings?|people|bullshit|bs|drama|fun|effort|stupid\w*|bad code|\
        exercise)\b
    \b(?:since|until|till) (?:the (?:dawn|dinosaurs?|stone age|big bang|beginning of time|heat death|sun explodes|\
        cows)|forever|1[0-8]\d\d)\b
    \bi swear\b|\blike it's \d
    \blike (?:\d{3,}|a thousand|ten thousand)\b
    \b(?:\d+|\w+) (?:hundred |thousand |million )(?:years?|times|miles|hours|days|people|degrees)\b
    \b(?:left|right) (?:arm|kidney|leg|nut)\b
    \b(?:two|2|my) (?:cents|left feet)\b
    \b99 problems\b
    \b(?:everyone|everybody|nobody|no one|anyone) (?:alive|on (?:earth|the planet)|in the (?:world|universe)|ever)\b
    \bhates? (?:my life|mondays|everything|everyone|myself|people|life|adulting|being an adult)\b
"""

_SONG: Final = r"""
    [\u266a-\u266c\U0001f3b5\U0001f3b6\U0001f3a4\U0001f3b8]
    \b(?:la la|na na|oh oh|doo doo|sha la|hey hey|ooh+|whoa|lyrics?|singing|sings|chorus|'cause|never gonna)\b
    \b(?:oh|hey|ooh|yeah|come on) baby\b|, baby\b|^baby,? (?:one|please|don't|i\b|you\b|come\b)
    / .{3,80} /
    \b(?:i|we|you|and|but|the)\b[^/]{8,60} / ?(?:i|we|you|and|but|the|so|for|when)\b
    (\b[\w']+ [\w']+ [\w']+\b).*\1
    \b(?:never ever|always love you|walk \d+ miles|break free|rock and roll all|cannot lie|leaving on a jet|\
        still haven't found)\b
    \b(?:going to|'ll|will|will always) (?:survive|love you|make you|rock you|hold your hand|let you down|\
        give you up)\b
"""

_GREETING: Final = r"""
    ^(?:see|c|catch) (?:you|u|ya|y'all|everyone)\b
    \b(?:talk|speak|chat) (?:to you |again |more |then )?(?:later|soon|tomorrow|then|on monday)\b
    ^(?:talk|speak|chat|until|till|back) (?:on|at|till|until|in|soon|tomorrow|{day})\b
    ^(?:happy|merry) \w+
    ^(?:have a|enjoy|congrat\w*|thank\w*|thx|ty|welcome|good (?:luck|job|morning|night|evening|afternoon|work)|gm|\
        gn)\b
    ^(?:morning|night night|brb|afk|bye|ttyl|gtg|g2g|hbd|cheers|sorry|oops|apologies|well done|nice (?:one|work|to))\b
    ^(?:it's|its|today's|today is|tomorrow is|it is|tgif|finally|only)(?: \w+)? (?:fri|mon|tues|wednes|thurs|satur|\
        sun)day\b
    ^(?:roll on|bring on|can't wait|cannot wait|looking forward|counting down|so excited|excited|yay|woo+)\b
"""

_VACUOUS: Final = r"""
    \b(?:'ll|will|going to|let me) (?:just |go |try (?:and|to) |quickly )?{errand} {pronoun}\b
    \b(?:'ll|will|going to|let me) (?:just |go |quickly )?(?:see|think|try(?:\W*$| and| to| again| later)|check|\
        wait|look|pass|be (?:right )?(?:back|there|ok))\b
    \b(?:'ll|will) (?:be (?:fine|ok|okay|great|fun|good|late|quick|right)|do|have to see|get there|keep you)\W*
    \b(?:grab|grabbing|get|getting|make|making|need|need(?:s|ing)|having|have) (?:a |some |another |my |\
        more )?{snack}\b
    \b(?:to bed|to sleep|a nap|a shower|a breather|a lie down|head(?:ing)? (?:home|out|off|to bed)|go(?:ing)? home)\b
    \b(?:in|for|give me|need|have|got) (?:a|an?|one|two|five|ten|\d+)(?: more)? ?{short}\b
    \b(?:right now|atm|just now|so far today|at the moment|as we speak|rn|this second|on my way|omw)\b
    \b(?:i|you|we) (?:have|'ve got|got|had|'ve) (?:like |only |just )?{number} (?:more )?{idle}\b
    ^(?:this|that|these|those|it|they)(?:'s|'re| is| are| has| have| took| takes| was| were) (?!(?:been )?{settled}\b)
    \b(?:cross that bridge|play it by ear|take it from there|how it goes|circle back|touch base|wing it|\
        hit the road)\b
    ^there(?:'s| is| are)\b.*\bleft\W*$
    \bget(?:ting)? back to (?:you|me|us|them|him|her|it|this|that|work)\b
    \b(?:half-?time|% (?:done|complete|loaded|of the way)|still loading|in the queue|ahead of me|queue is)\b
    \b(?:can't|couldn't|cannot) (?:\w+ )?(?:decide|wait|believe|even|stop|remember|find|get|figure)\b
    \b(?:line|row|col|column|step|page|level|lvl|round) \d+\b(?=.*(?:error|undefined|fail|broken|wrong|typo))
    \bi'm at \d+ ?%
    \bon (?:page|chapter|level|episode|season|step|lap|mile|question|track|round|wave|floor \d+ of) \d
    \b(?:degrees (?:outside|today|out|here|in here)|battery|outside|raining|snowing|sunny|the weather|weather (?:is|\
        today|looks|was)|traffic|viewers|upvotes|unread|followers)\b
"""

_OUTPUT: Final = r"""
    ^\W{0,3}\d{4}[-/]\d\d[-/]\d\d[t ,]{1,2}\d\d:\d\d:\d\d
    ^\W{1,3}\d\d:\d\d:\d\d|^\d\d:\d\d:\d\d[.,]\d
    ^\W?\w{3} +\d{1,2} \d\d:\d\d:\d\d \S
    ^\[(?:error|warn|warning|info|debug|trace|fatal|critical|verbose)\]
    ^(?:error|warn|warning|info|debug|trace|fatal|critical):[\w.]+:
    ^(?-i:ERROR|WARN|WARNING|INFO|DEBUG|TRACE|FATAL|CRITICAL):? +(?:\d\d:\d\d|[\w.]+ "|[a-z_]+[.:])
    ^(?-i:ERROR|WARNING|FATAL):  ?(?:relation|column|syntax|duplicate)\b
    ^(?:ts|time|timestamp|level|lvl|msg)=\S.* \w+=\S
    ^traceback \(most recent call last\)
    ^(?:during handling of the above exception|the above exception was the direct cause)
    ^\s*file "[^"]+", line \d+
    ^\s*at (?:new |async )?[\w$.<>/]+(?: \[as \w+\])? ?\((?:[^)]*:\d+|native method|unknown source|<anonymous>)\)
    ^\s*at \S+:\d+|^\s*at \S+\([^)]*\) in \S+:line \d+
    ^\s*\.\.\. \d+ more$
    ^(?:caused by: (?:\w+\.)+\w|exception in thread\b|uncaught \w*(?:error|exception)\b)
    ^(?-i:(?:\w+\.)*[A-Z]\w*[a-z](?:Error|Exception|Warning)(?::|$))
    ^(?:npm (?:err!|error|warn)|error\[e\d+\]|(?-i:panic: )|goroutine \d+ \[|segmentation fault|#\d+ +0x)
    ^\S+\.(?:py|js|ts|go|rs|java|c|cpp|rb|sh|log|tsx?):\d+(?::\d+)?:? (?:- )?(?:error|warning|note|fatal)\b
    ^(?:process )?(?:exited with |finished with )?exit (?:code|status):? \d+\W*$
    ^(?-i:[a-z]\w+(?:\.\w+){1,3}\([^)]{0,60}\)$)
    ^http/\d(?:\.\d)? \d{3}\b|^(?:get|post|put|delete|patch|head) /\S* (?:http/|\d{3}\b)
    ^</?tool_(?:call|response|result|output)s?>
    ^(?:std(?:out|err)|exit_code|tool_result|returncode): ?
    ^\d{1,3}(?:\.\d{1,3}){3} - \S+ \[|^\d+ bytes from |^ping \S+ \([\d.]+\)
    ^\s*[{\[]\s*"[^"]*" ?:|^\s*"[^"]*" ?: ?(?:["{\[\d-]|true|false|null)
"""
"""Lines only a program writes, whatever else stands in them."""

_MACHINE: Final = r"""
    ^[!$%>#.;~][\w./]
    ^/[a-z]\w*
    \b\d{4}-\d\d-\d\d[t ]\d\d:\d\d:\d\d
    ^\W{0,3}\d\d:\d\d:\d\d
    ^\W{0,3}\d\d?:\d\d\]
    <\w+> \w|\b\w+=\d|\bhttp[ /]\d
    (?:^|[\[\s(])(?:error|warn|warning|info|debug|trace|fatal|critical|notice|verbose)[\]:)]
    \b(?:traceback|exception|stack ?trace|segfault|npm err|errno|exit code|status code|null ?pointer|undefined|\
        stderr)\b
    \b\w+(?:error|exception)\b
    \b(?:get|post|put|delete|patch|head) /\S*
    ^(?:error|warning|fatal|info|debug|notice|critical|warn)\b[: ]+(?:\d|\w+:|in\b|at\b)
    [{};]\s*$
    [{}]|=>|==|!=|\+=|&&|\|\||::|</|/>|->
    \b\w+\([^)]*\)(?:[.;:]|\s*$)
    ^(?:def|class|import|return|const|let|var|function) [\w.]+(?: ?[=({;:]|$)
    ^(?:sudo|git|pip|npm|npx|docker|curl|wget|cd|ls|ssh|kubectl|cargo|ping|apt|brew|yarn) [\w./-]+
    ^(?:from \w+ import|select .{1,80} from|insert into|delete from|update \w+ set|create table)\b
    ^[\w.\[\]'"]+ ?= ?\S+
    \b0x[0-9a-f]+\b
    \b[\w/]+\.(?:py|js|ts|go|rs|java|c|cpp|rb|sh|log):\d+
    ^todo:? |^fixme
    [\x00-\x08\x0b-\x1f\x7f\ud800-\udfff]
"""

NOISE: Final = {
    "joke": patterns.either(_JOKE, _WORDS),
    "hyperbole": patterns.either(_HYPERBOLE, _WORDS),
    "song": patterns.either(_SONG, _WORDS),
    "greeting": patterns.either(_GREETING, _WORDS),
    "vacuous": patterns.either(_VACUOUS, _WORDS),
    "machine": patterns.either(_OUTPUT + _MACHINE, _WORDS),
}
OUTPUT: Final = patterns.either(_OUTPUT)
"""A line of machine output, to be matched at its beginning."""
