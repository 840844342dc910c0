"""What tells a German question about the past."""

from types import MappingProxyType
from typing import Final

from bot.language.past.abroad.language_cues import LanguageCues, cues, spellings
from bot.text import patterns

_WORDS: Final = MappingProxyType(
    {
        "w": (
            r"(?:wer|wen|wem|wessen|was|wann|wo|wohin|woher|wie|wieso|weshalb|warum|welche[rsnm]?|wieviele?"
            r"|wo(?:rum|ruber|rauf|fur|gegen|von|mit|ran|zu|bei))"
        ),
        "when": (
            r"(?:wann|wo|wohin|wem|wieviele?|wie (?:viele?|lange|teuer|hoch)|wieso|warum|weshalb"
            r"|welche[rsnm]?(?: \S+)?|um wie ?viel uhr)"
        ),
        "lead": r"\| (?:(?:und|aber|hey|hi|hallo|moin|sag|sagt|ach|ah|ok|okay|also|achso|sorry|hathi|ey|na|ne|so|jetzt"
        r"|eigentlich) ){0,4}",
        "some": r"(?:[^|? ]+ ){0,9}?",
        "said": (
            r"(?:gesagt|geschrieben|erzahlt|versprochen|vorgeschlagen|erwahnt|gemeint|empfohlen|gepostet|geschickt"
            r"|geteilt|angekundigt|zugesagt|abgesagt|gefragt|angeboten|berichtet|behauptet|mitgeteilt|gemeldet"
            r"|verlinkt|hochgeladen|genannt|aufgeschrieben|notiert|geaussert|angesprochen|geantwortet|reagiert|angegeben|eingetragen)"
        ),
        "saying": r"(?:sagte|meinte|schrieb|erzahlte|versprach|erwahnte|empfahl|fragte|behauptete)(?:n|st)?",
        "decided": (
            r"(?:beschlossen|entschieden|ausgemacht|abgemacht|vereinbart|besprochen|geplant|geeinigt|abgestimmt"
            r"|festgelegt|verabredet|diskutiert|ausgesucht|ausgewahlt|gewahlt|vorgenommen|geklart|gesprochen|geredet"
            r"|verschoben|abgeblasen|eingeplant|verteilt|eingeteilt|vorgesehen)"
        ),
        "have": r"(?:hab|habe|hast|hat|haben|habt|hatte|hattest|hatten|hattet|wurden?)",
        "the": r"(?:der|die|das|den|dem|des|unser\w{0,2}|zur|zum|beim|furs|ans|vom|im|ins|am|eure?\w?|ne|n)",
        "event": (
            r"\w{0,20}(?:probe|konzert|auftritt|treffen|sitzung|besprechung|meeting|turnier|training|abend|stammtisch"
            r"|versammlung|party|fest|feier|raid|ausflug|fahrt|tour|reise|bus|workshop|kurs|demo|release|update"
            r"|deadline|abgabe|frist|termin|termine|beitrag|probenwochenende|wochenende|umzug|grillen|lager|stand-?up"
            r"|call|date|event|session|schicht|dienst|einsatz|ubergabe|premiere|auffuhrung|flohmarkt|basar|urlaub"
            r"|spieltag|auswartsspiel|heimspiel|essen|deploy|migration|wartung)"
        ),
        "ours": (
            r"\w{0,20}(?:passwort|passwd|pw|pin|code|zugangsdaten|schlussel|adresse|kontonummer|iban|wlan|honorar"
            r"|protokoll|liste|link|datei|ordner|formular|kasse|budget|proberaum|raum|zimmer|nummer|kosten|noten|miete"
            r"|beamer|vereinsheim|anlage|boxen|schichtplan|einkauf|getranke|kuchen|vorstand|logo|trikots?)"
        ),
        "past": (
            r"(?:gestern|vorgestern|neulich|letztens|vorhin|damals|zuletzt|letzte[nrsm]? \w+|vorige[nrsm]? \w+"
            r"|vor (?:\S+ )?(?:tagen|wochen|monaten|stunden|einer woche|einem monat))"
        ),
    }
)

GERMAN: Final = LanguageCues(
    words=patterns.vocabulary(
        """
        man will am um den es des so in an war also her wo bin hab
        der das dem ein eine einen einem einer ich du er sie wir ihr mich dich uns euch mir dir und oder aber
        nicht kein keine wer wen wem wann wo wie wieso warum weshalb welche welcher welches welchen welchem
        woruber worum worauf wogegen wovon womit wofur wieviel hat hab habe haben hatte hatten hast hattest
        habt ist sind bin bist seid war waren wird werden wurde wurden kann kannst konnen konnte muss mussen
        soll sollen sollte wollte wollten mit von vom zum zur bei beim fur uber auf aus nach seit bis im als
        wenn dass weil noch schon mal nochmal auch nur jetzt heute gestern morgen immer eigentlich mein meine
        meinen dein deine unser unsere unseren unserem unserer jemand irgendwer alles was die sich weiss
        weisst gibt gabs gings geht gehts machst macht machen kommt kommst fahrt bringt erinner erinnerst
        danke bitte zusammen fass schreib erklar gib gute nacht hallo wieviele denn doch halt gerade hier dann
        welch viel viele kennst bedeutet
        """
    ),
    spelled=spellings(
        """
        fuer=fur ueber=uber weis=weiss nochma=nochmal nomma=nochmal haste=hast_du weisste=weisst_du
        gings=ging_es gehts=geht_es gibts=gibt_es gabs=gab_es hats=hat_es wars=war_es ists=ist_es hamm=haben
        ham=haben hamma=haben_wir habn=haben erzaehlt=erzahlt haett=hatte wieviel=wie_viel
        stehengeblieben=stehen_geblieben faehrt=fahrt heist=heisst beschlosn=beschlossen wirs=wir_es
        """
    ),
    asking=(
        r"\| (?:(?:und|aber|hey|hi|hallo|moin|sag|sagt|mal|ach|ah|ok|okay|also|achso|sorry|hathi|ey|na|so|jetzt|weiss"
        r"|eigentlich|seit|bis|ab|um|in|an|mit|von|fur|auf|zu|bei|nach) ){0,4}(?:wer|wen|wem|wessen|was(?! fur ein\b)"
        r"|wann|wo|wohin|woher|wie|wieso|weshalb|warum|welche[rsnm]?|wieviele?|wo(?:r)?(?:um|uber|auf|fur|gegen|von|mit"
        r"|an|zu|bei)|hab|habe|hast|hat|haben|habt|hatte|hattest|hatten|ist|sind|bin|bist|seid|war|waren|wird|werden"
        r"|wurde|wurden|kann|kannst|konnt|konntest|konnen|muss|mussen|soll|sollen|sollte|will|willst|wollten|weiss"
        r"|weisst|wisst|gibt|gab|geht|kommt|kommst|kommen|kennst|erinnerst|erinnert|steht|gilt|schuldet|fahrt|findet"
        r"|mag|macht|bringt|singt|spielt)\b"
    ),
    addressing=r"hey|hi|hallo|moin|danke|tschuss|servus|na|ey|sag|liebe|lieber|ciao",
    rules=cues(
        _WORDS,
        (
            "asked to recall",
            5,
            r"""
            \berinner(?:st|n|t) (?:du|ihr|sie) (?:dich|euch|sich)\b
            \b(?:weisst|wisst) (?:du|ihr) (?:\S+ ){0,2}?(?:noch|nicht mehr)\b
            \bweiss (?:noch |von euch )?(?:jemand|wer|einer|irgendwer|irgendjemand|keiner)? ?(?:zufallig \
                |von euch )?noch\b
            \bweiss noch (?:jemand|wer|einer|irgendwer)\b
            \b(?:ich|wir) (?:weiss|wissen|hab|habe) (?:gar |grad |gerade |leider )?nicht mehr {w}\b
            \b(?:hab|habe|haben) (?:ganz |leider |schon )?vergessen (?:\S+ ){0,1}?{w}\b
            \bfallt mir (?:\S+ )?nicht (?:mehr )?ein\b
            \b(?:kannst|konntest|kann|konnte) (?:du|wer|jemand) (?:mich|uns) (?:\S+ ){0,2}?erinnern (?:\S+ ){0,1}?{w}\b
            \berinner[ent]? (?:mich|uns) (?:\S+ ){0,3}?(?:dran |daran )?{w}\b
            \b(?:erinner|erinnere) (?:mich|uns) (?:mal |nochmal |bitte ){0,2}(?:dran|daran) {w}\b
            """,
        ),
        (
            "left off",
            5,
            r"""
            \bwo (?:waren|sind|war) wir (?:\S+ ){0,2}?(?:stehen\b|dran\b|gerade\b|zuletzt\b|\?|\|)
            \bwo (?:haben|hatten) wir (?:\S+ ){0,2}?aufgehort\b
            \b(?:was|hab|habe) (?:hab |habe )?ich (?:\S+ ){0,4}?verpasst\b
            \bfass(?:e|t)? (?:mir |uns |mal |bitte |kurz |doch |nochmal ){0,4}zusammen (?:was|wer|wie|woruber|wo)\b
            \bfass(?:e|t)? (?:\S+ ){0,3}?(?:unser\w{0,2}|gestrige\w?|letzte\w?) (?:\S+ ){1,5}?zusammen\b
            \b(?:worum|um was) (?:ging|geht) (?:es|s)\b[^|]{0,60}\b(?:{past}|{event}|hier|bei euch|eben)\b
            \b(?:woruber|uber was|wovon) (?:haben|habt|hattet|hatten|wurde|redet|sprecht) (?:wir|ihr)?\b
            \bbring (?:mich|uns) (?:\S+ ){0,2}?auf (?:den|n) (?:\S+ )?stand\b
            """,
        ),
        (
            "what somebody said",
            4,
            r"""
            \b{w} {some}{said}\b
            {lead}{have} (?!mir )(?:[^|? ]+ ){1,9}?{said}\b
            \b{w} (?:\S+ ){0,2}?{saying}\b
            {lead}{have} (?:sich )?(?:(?:schon|denn|eigentlich|da) ){0,2}(?:jemand|irgendwer|wer|einer) \
                (?:[^|? ]+ ){0,7}?(?:\w*ge\w{3,}(?:t|en)|\w{3,}iert|besorgt|bestellt|bezahlt|ubernommen|bekommen)\b
            \bweiss (?:jemand|wer|einer|irgendwer|irgendjemand) (?:\S+ ){0,2}?(?:wer|wann|wo|wem|welche\w?|ob)\b
            """,
        ),
        (
            "shared past",
            4.6,
            r"""
            \b{w} (?:\S+ ){0,4}?(?:haben|hatten|sind|waren|wollten|sollten|mussten|habt|hattet|wolltet) (?:wir|ihr)\b
            {lead}(?:haben|hatten|waren|wollten|hattet|wolltet) (?:wir|ihr)\b
            \b{w} {some}{decided}\b
            {lead}(?:ist|wurde|wurden|sind|{have}) (?:[^|? ]+ ){1,7}?{decided}\b
            \b{when} (?!sollen\b|wollen\b|konnen\b)\w{3,}(?:en|n) wir\b
            {lead}(?:seit|bis|ab|um|an|mit|in) (?:\S+ ){1,3}?(?!sollen\b|wollen\b|konnen\b)\w{3,}(?:en|n) wir\b
            \b(?:{w}|wem|ist|sind|hat|war|steht) [^|]{0,80}?\bunser(?:e|en|em|er|es|n)?\b\
                (?! (?:planet|sonne|sonnensystem|galaxie|erde|korper|gehirn|universum|mond|atmosphare|immunsystem))
            \bwelche[rsnm]? \S+ (?:sollte|sollten|wollten|hatten|nahmen|war|waren)\b
            """,
        ),
        (
            "again",
            4,
            r"""
            \b{w} (?:\S+ ){0,6}?(?:nochmal|noch mal|noch gleich|doch gleich|gleich noch|gleich nochmal|wieder gleich)\b
            \bnochmal (?:wann|wer|wo|welche\w?)\b
            """,
        ),
        (
            "what I did",
            4,
            r"""
            \b(?:wo|wann|was|wem|wen|wer|wogegen|wofur|worauf|womit|welche[rsnm]? \S+|wie viele?(?: \S+)?|wie (?:alt\
                |gross\
                |lange)) (?:\S+ ){0,2}?(?:hab|habe|hatte|bin|war|wollte|schulde|wohne|mag|singe|spiele|arbeite\
                    |schlafe) ich\b
            \b(?:schuldet|schulde|schulden) (?:mir|wir|ich|uns)\b
            {lead}(?:hab|habe|hatte) ich (?:\S+ ){0,3}?(?:dir|euch|hier|schon|schonmal)\b
            \b(?:in|an|zu|auf) welche[rsnm]? \S+ (?:bin|bist|sind) (?:ich|wir)\b
            \b(?:wie|wann|wo|was|wer|welche\w?) (?:heisst|heissen|hiess|ist|sind|war|waren) (?:nochmal )?mein(?:e|er\
                |en|em|s)?\b\
                (?! (?:pc|handy|computer|code|fehler|problem|laptop|internet|auto|skript|script|programm|chance\w*|ip))
            """,
        ),
        (
            "work without a name",
            3.4,
            r"""
            \b(?:wann|wo|wer|was|um wie viel uhr|wie lange|wie|warum|wieso\
                |mit wem) (?:\S+ ){0,4}?{the} (?:\S+ ){0,2}?{event}\b
            {lead}(?:ist|sind|findet|war|fallt|gilt|bleibt|geht|fahrt|klappt|steht|wird\
                |wurde) {the} (?:\S+ ){0,2}?{event}\b
            \bgib?[at]?b? es (?:\S+ ){0,2}?(?:entscheidung|termin|datum|plan|uhrzeit|protokoll|beschluss|ergebnis)\w?\b
            \b(?:zu|fur|wegen|bei|mit) (?:der|dem|unser\w{0,2}|den) (?:\S+ ){0,1}?{event}\b[^|]{0,60}\b(?:fest|klar\
                |offen)\b
            """,
        ),
        (
            "known only here",
            3.4,
            r"""
            \b(?:wer|wo|was|wann|wie|welche\w?|wie viel) (?:\S+ ){0,3}?{the} (?:\S+ ){0,2}?{ours}\b
            \bwer (?:\S+ ){0,1}?(?:bringt|ubernimmt|kummert|organisiert|leitet|holt|besorgt|kauft|backt|fahrt|macht|hat\
                |hatte|war|wollte|sollte|spielt|singt|schreibt|druckt) (?:\S+ ){0,3}?(?:den|die|das|dem|der\
                    |mit|zum|zur|am\
                |beim|sich|alles|dran|dabei|idee|im|um)\b
            \bwer (?:ist|war|waren) (?:\S+ ){0,3}?(?:zustandig|verantwortlich|dran|dabei|eingeteilt|alles|fur)\b
            """,
        ),
        (
            "how it stands",
            3.4,
            r"""
            \bwas (?:wurde|ist|wird) (?:\S+ ){0,2}?aus (?:der|dem|den|unser\w{0,2})\b
            \bwie (?:ist|steht) (?:der stand|es um|es mit)\b
            \b(?:ist|sind) (?:\S+ ){1,4}?(?:schon|noch) (?:erledigt|fertig|krank|dabei|gebucht|bezahlt|offen|aktuell)\b
            {lead}gab es (?:\S+ ){0,2}?(?:nicht|schon|mal)\b
            \bwas stand (?:\S+ ){0,2}?(?:in|im|auf|zu|uber)\b
            \bgilt (?:\S+ ){1,5}?noch\b
            \bsteht (?:\S+ ){1,5}?(?:schon )?fest\b
            """,
        ),
        ("time past", 2.6, r"\b{past}\b"),
        (
            "request",
            -4,
            r"""
            {lead}(?:kannst|konntest|magst|wurdest|willst) (?:du|ihr) (?:\S+ ){0,3}?(?!.{0,60}erinner)\
                (?:\S+ ){0,8}?(?:erzahlen|ubersetzen|schreiben|machen|erklaren|suchen|rechnen|singen|empfehlen|helfen\
                |zeigen|geben|generieren|erstellen|spielen|sagen wie|malen|kochen)\b
            {lead}(?:schreib|schreibe|erklar|erklare|gib|mach|mache|ubersetz|ubersetze|erstell|erstelle|zeig|such|suche\
                |rechne|nenn|nenne|erzahl|erzahle|empfiehl|hilf|stell|merk|merke|notier|denk)\b
            \berinner[e]? (?:mich|uns) (?!(?:\S+ ){0,2}?(?:dran |daran )?(?:was|wer|wann|wo|wie|welche)\b)
            \b(?:sollen|wollen|sollten|konnen) wir\b(?! (?:\S+ ){0,4}?nochmal\b)
            \bhat (?:jemand|wer|einer) (?:\S+ )?(?:lust|bock|zeit|interesse|ne idee|eine idee|tipps|ahnung)\b
            """,
        ),
        (
            "how to",
            -4.5,
            r"""
            \bwie (?:\S+ )?(?:man|ich)\b
            \bwie (?!(?:hab|habe|hatte|war|heiss\w*|alt|viele?)\b)\w+ (?:ich|man)\b
            \b(?:was|wo|wann|muss|darf|kann|soll) (?:soll|kann|muss|darf|sollte|ich|man) (?:ich|man|\S+)\b(?<!wir)
            \bwas (?:macht|mache|tut) man\b
            """,
        ),
        (
            "general knowledge",
            -4.6,
            r"""
            \b(?:erfunden|entdeckt|komponiert|gemalt|gegrundet|geboren|gestorben|weltkrieg|hauptstadt|einwohner\
                |prasident\
                |bundeskanzler\w*|kanzler\w*|minister\w*|konig|konigin|kaiser|planet\w*|weltmeister\w*|olympia\w*\
                    |film|serie\
                |roman|schauspieler\w*|sonnenuntergang|sonne|mond|himmel|wetter|temperatur|unterschied zwischen\
                    |eiffelturm\
                |bitcoin|aktie\w*|bundesliga)\b
            \bwer (?:hat|schrieb) (?!(?:\S+ ){0,4}?(?:hier|uns|wir|chat|kanal|mir|dir|dass|ins|in|was|das|den|die)\b)\
                \S+(?: \S+){0,2} geschrieben\b
            \bwas (?:ist|sind|war) (?:ein|eine|einen)\b
            \b(?:was|wie) (?:bedeutet|heisst <quoted>|schreibt man|sagt man|heisst \S+ auf)\b
            \bwer gewinnt\b|\bwie spat ist\b|\bwas kostet (?:ein|eine|n|ne)\b
            """,
        ),
        (
            "small talk",
            -4.5,
            r"""
            \bwie (?:geht|war|lauft) (?:es |s )?(?:dir|euch|dein|deine|euer|eure|ihnen)\b
            \bwas (?:machst|machen|treibst|haltst|denkst|meinst|findest|magst|wunschst|willst|kannst|bist|isst) du\b
            \b(?:hast|habt) (?:du|ihr) (?:\S+ )?(?:lust|bock|zeit|hunger|gut geschlafen|schon gegessen)\b
            \b(?:bist du|magst du|kennst du|kannst du singen|liebst du|findest du|glaubst du|was fur ein)\b
            \bwas (?:machen|essen|kochen|spielen|zocken) wir\b
            """,
        ),
    ),
)
