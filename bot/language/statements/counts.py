"""Patterns for numbers worth keeping, and for those only mentioned in passing."""

from typing import Final

from bot.language.statements import statement_words
from bot.text import patterns

NUMBER: Final = patterns.either(
    r"""
    \b{measure} (?:{about} ){0,2}(?:[a-z][\w'-]* ){0,3}?(?:{about} ){0,1}{num}
    (?:'s|'re) (?:{about} ){0,2}{num}
    \b(?:we|the \w+|our \w+|my \w+|\w+)(?:'ve)? (?:\w+ )?(?:raised|sold|owes?|owed|reached|collected|hits|scores|\
        reaches|peaks at|(?:went|gone) (?:up|down) to|rose to|fell to|dropped to|increased to|grew to|ordered|\
            invoiced|quoted|budgeted|charged|hit) (?:[a-z][\w'-]* ){0,3}?{num}
    \b(?:spent|paid|pays?|owe|costs?) (?:\w+ ){0,3}?[£$€]\d
    ^(?:the |our |my |total |max |\
        min )?(?:[\w'-]+ ){0,2}?{quantity}(?: [\w'-]+){0,2}?(?::| =| -| is now) (?:\w+ ){0,2}?{num}
    \b{quantity} of (?:{about} )?{num}
    ^(?:the |our |my )?(?:[\w'-]+ ){0,2}?(?:code|pin|password|passcode|ext|extension|port|ssid|postcode) (?:is )?{num}
    \bi'm (?:about |exactly )?\d[\d.,']* ?(?:cm|kg|ft|feet|m|lbs?|stone|foot)\b
    # A measure with its unit, in a sentence about a thing.
    ^(?!i\b|i'|you|he\b|she\b|they\b|it\b|there\b|just\b|only\b)(?:[\w'-]+ ){1,12}?(?:[£$€]\d[\d,.]*[km]?\b|\
        \d[\d,.]*(?:st|-)? ?{unit})(?:\W|$)
    \b\d[\d,.]*p? (?:a|per|each|every) (?:day|week|month|year|head|person|hour|night|kwh|mile|km|litre|kg|seat|user|\
        term|session|ticket|session|unit|request|call|pupil)\b
    \b(?:we're|i'm|prod is|production is|staging is|everyone is|server is) (?:\w+ )?(?:on|at|running) [a-z]+ ?{num}
    """,
    statement_words.WORDS
    | {
        "measure": (
            r"(?:is|are|was|costs?|has|have|holds?|needs?|requires?|takes?|weighs?|measures?|seats?|pays?|"
            r"charges?|earns?|supports?|allows?|fits?|lasts?|contains?|includes?|c[oa]mes? to|adds? up to|totals?|"
            r"stands at|sits at|goes? for|ends? in|starts? with|begins? with|sells? for|runs? (?:on|at)|"
            r"listens? on|uses?|set (?:to|at)|capped at|limited to|expires? after|gets?|times? out after|"
            r"max(?:es)? out at|equals?|=|weigh|serves?|covers?|sleeps?|wants?|got|lives? (?:at|on)|starts? at|"
            r"kicks? in at|tops? out at|averages?|retains?|keeps?|is (?:now )?(?:up|down) to)"
        ),
        "about": (
            r"(?:about|around|roughly|approximately|approx|exactly|up to|only|at least|at most|over|under|nearly|"
            r"almost|just|no more than|a maximum of|a minimum of|more than|less than|still|now|currently|a|an|the|"
            r"like|~|a total of|version|number|room|flat|port|extension|ext|unit)"
        ),
        "num": (
            r"(?:~?[£$€¥#~+-]?\d[\w.,:/%°'-]*|[a-z][a-z_-]{0,40}\d[\w.-]*|(?:two|three|four|five|six|seven|eight|"
            r"nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|eighteen|twenty|thirty|forty|fifty|sixty|"
            r"seventy|eighty|ninety)(?:-\w+)?\b(?! (?:of (?:us|them|you)\W*$|more\b|minutes?\W*$|things)))"
        ),
        "unit": (
            r"(?:kg|g|mg|lbs?|oz|km|m|cm|mm|miles?|mph|kph|ft|feet|inch(?:es)?|metres?|meters?|ml|l|litres?|"
            r"liters?|kwh|kw|mw|w|watts?|v|volts?|a|amps?|nm|hz|khz|mhz|ghz|gb|mb|tb|kb|mbps|gbps|ms|rpm|psi|bar|"
            r"bpm|fps|px|dpi|%|percent|degrees c|grams?|quid|pounds|euros|dollars|gold|gp|xp|hp|sqm|"
            r"square (?:metres|feet)|acres|hectares|stitches|pages|words|seats|gsm|stone|pints|gallons|cups?|tbsp|"
            r"tsp|portions|lux|lumens|iterations|epochs|replicas|cores)"
        ),
        "quantity": (
            r"(?:budget|price|cost|total|port|limit|version|size|capacity|code|pin|ext(?:ension)?|phone|number|"
            r"quota|timeout|target|rate|fee|deposit|rent|salary|wage|headcount|attendance|quorum|dose|dosage|"
            r"temperature|weight|height|width|length|distance|speed|score to beat|threshold|password|passcode|"
            r"address|postcode|zip|iban|resolution|bpm|tempo|fps|latency|retention|ratio|scale|balance|discount|"
            r"allowance|mileage|word count|deadline|max|min|maximum|minimum|ttl|batch size|capo|tuning)"
        ),
    },
)
NO_NUMBER: Final = patterns.either(
    r"""
    ^(?!.*\b(?:(?:deposit|budget|price|fee|total|rent|cost|quote|bill|turnout|attendance) was|came to \W?\d|\
        raised \W?\d)\b).*{past}
    ^an? \w+ (?:is|has|are)\b
    \b(?:is|are|'s) like \d
    \b(?:\d+|two|three|five|ten|\w+ty|hundred) ?(?:times|x) (?:better|worse|more|as|a day keeps)\b
    \b(?:i|we|you) (?:have|need|got|want) (?:\w+ ){0,2}?(?:{num_word}) (?:more |other |quick |small |\
        tiny )?(?:things?|questions?|minutes?|mins?|seconds?|favou?rs?|points?|words?|options?|hours?)\b
    \b(?:minutes?|mins?|seconds?) (?:late|away|left|early|ago|to go)\b
    \b(?:is|are|'s) (?:\w+ )?(?:at )?\d+ ?(?:-|:) ?\d+ (?:up|down|at half)\b
    \b(?:i'll|you'll|let me|gimme|give me) (?:take|have|be|give|get|grab|need)\b
    {active_past}
    \b(?:last (?:week|month|night|year)|yesterday|ago)\b|\bi want\b
    ^(?:he|she|they) (?:has|have)\b
    \bis (?:at|on) \d+ ?(?:degrees|%)?(?: (?:now|already)\b|\W*$)
    \b(?:phone|laptop|tablet|car) is (?:on|at) \d+ ?%
    \bscore(?:'s| is) \d
    \b(?:takes? (?:one|two|2) (?:to|people to)|two wrongs|six of one|nine lives|cloud nine|square one|zero chance)\b
    \bneeds? (?:\d+|two|five|ten) (?:minutes|mins|seconds|hours of sleep)\b
    \b(?:gets?|got) (?:\w+ ){0,2}(?:likes|upvotes|views|emails|notifications)\b
    \b(?:\d+|two|three|four|five) (?:people|of you|persons|mates|others) (?:asked|in the queue|typing|here|online|\
        watching|are typing)\b
    \b(?:today|tonight|this morning|this afternoon|this week|so far|again|already|and counting)\W*$
    \b(?:chapter|page|episode|season|part|level|round|step|question|line|item|point|option|ticket|pr|issue|\
        bug) #?\d+ (?:is|was|has|looks)\b
    \b(?:is|are) (?:\w+ ){0,2}(?:one|two|three) of (?:the|my|those)\b
    \bin (?:two|three|ten|five|\d+) (?:minds|minutes|seconds)\b
    """,
    statement_words.WORDS | {"num_word": r"\d+|two|three|four|five|six|ten|a few|several"},
)
