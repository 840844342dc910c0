"""Word lists for the checks in English, German, French and Spanish, in lower case without accents."""

from typing import Final

from bot.text.patterns import vocabulary

FUNCTION: Final = {
    "english": vocabulary(
        """
        a an the and or but nor so if then than that this these those there here it its i im ive id ill me my mine
        myself we were weve us our ours you youre youve your yours yourself he she hes shes him his her hers they them
        their theirs themselves who whom whose what whats when where which why how is isnt are arent was wasnt werent be
        been being am do does did dont doesnt didnt has have had hasnt havent hadnt can cant cannot could couldnt will
        wont would wouldnt should shouldnt shall may might must of in on at by for from with about into onto over
        under to as up out not no yes all any some ok okay oh well too also very really just only even still yet again
        both each every more most much many few other another such same own while since because though although
        however during until after before between through per via let lets now ever never always often maybe perhaps
        already s t re ve ll d m none nothing nobody neither either instead rather else one ones thing things way
        around away back off down it's i'm i've i'd i'll we're we've we'd we'll you're you've you'll he's she's
        they're they've that's there's what's let's don't doesn't didn't isn't aren't wasn't weren't can't couldn't
        won't wouldn't shouldn't hasn't haven't hadn't
        """
    ),
    "german": vocabulary(
        """
        der die das den dem des ein eine einen einem einer eines und oder aber sondern wenn dann als dass ob weil denn
        da hier dort ich mich mir mein meine meinen meinem meiner du dich dir dein deine er ihn ihm sein seine seinen
        sie ihr ihre ihren ihrem es wir uns unser unsere unseren unserem euch euer eure man wer wen wem was wann wo
        warum wie welche welcher welches ist sind war waren bin bist seid wird werden wurde wurden worden hat haben
        hatte hatten habe habt kann konnen konnte muss mussen soll sollen sollte darf durfen durfte mag will wollen
        wollte von vom zu zum zur im in ins am an auf aus bei beim mit nach vor fur gegen uber unter um durch ohne bis
        seit wegen nicht kein keine keinen keinem keiner nie niemals ja nein doch auch noch nur schon sehr so mal
        immer wieder jetzt laut sich statt alle alles jeder jede jedes mehr viel damit dabei dazu davon
        nehmt nehmen
        """
    ),
    "french": vocabulary(
        """
        le la les l un une des du de d et ou mais donc or ni car si que qu qui quoi dont ou quand comment pourquoi ce
        cet cette ces c ca cela il elle on nous vous ils elles je j me m te t tu se s lui leur leurs moi toi mon ma mes
        ton ta tes son sa ses notre nos votre vos est sont etait etaient suis es sommes etes etre ete sera seront a ai
        as avons avez ont avait avaient aura auront avoir peut peuvent pouvait doit doivent fait faire en y dans sur
        sous avec sans pour par pas plus ne n jamais rien aucun aucune oui non si tres aussi encore deja toujours meme
        tout tous toute toutes chez vers entre apres avant depuis pendant selon quel quelle quels quelles ici aux au
        d'apres
        """
    ),
    "spanish": vocabulary(
        """
        el la los las un una unos unas lo al del de y e o u pero sino ni si que quien quienes cual cuales cuando donde
        como por porque para con sin sobre entre hasta desde segun tras en a ante este esta estos estas ese esa esos
        esas eso esto aquel yo me mi mis tu te ti tus usted ustedes el ella ello nosotros nos nuestra nuestro nuestros
        nuestras vosotros os vuestro ellos ellas se su sus le les es son era eran fue fueron ser sido estar esta estan
        estaba soy eres somos he has ha hemos han habia hay haber puede pueden podia debe deben tiene tienen muy mas
        menos no nunca jamas nada nadie tambien tampoco ya aun todavia siempre solo todo toda todos todas cada otro
        otra aqui alli ahora
        """
    ),
}
"""Words without content, by language."""
ALL_FUNCTION: Final = frozenset[str]().union(*FUNCTION.values())

SPEECH: Final = vocabulary(
    """
    say says said saying tell tells told wrote write writes written mention mentions mentioned note notes noted report
    reports reported suggest suggests suggested propose proposes proposed explain explains explained add adds added
    announce announced warn warned ask asks asked claim claims claimed state states stated promise promised
    recommend recommended confirm confirmed reply replied post posted message messages according per words
    sagt sagte sagten gesagt schrieb schreibt geschrieben meint meinte erwahnt erwahnte berichtet berichtete laut
    zufolge nachricht erklarte schlug vorgeschlagen
    dit disait ecrit ecrivait selon mentionne explique propose propos message annonce
    dijo dice dicho escribio escribe menciono segun explico propuso mensaje comento
    """
)
"""Words by which somebody is said to have said something."""

STATE: Final = vocabulary(
    """
    want wants wanted like likes liked love loves loved prefer prefers preferred hate hates hated choose chooses chose
    chosen pick picks picked decide decides decided agree agrees agreed keep keeps kept use uses used need needs needed
    think thinks thought believe believes believed offer offers offered bring brings brought buy buys bought own owns
    live lives lived work works worked eat eats ate drink drinks drank bake bakes baked rent rents rented plan plans
    planned run runs ran maintain maintains maintained order orders ordered set sets make makes made take takes took
    get gets got give gives gave go goes went come comes came have has had is was will would can could does did do
    handle handles handled lead leads led organise organises organised organize organizes organized book books booked
    pay pays paid play plays played volunteer volunteers volunteered
    will wollte mag hat ist wird kann nimmt bringt kummert backt bestellt wahlte bevorzugt
    veut prefere apporte prend est a va peut choisit
    quiere prefiere trae toma es va puede eligio tiene
    """
)
"""Verbs that stand after the one who does or wants something."""

COMMON: Final = vocabulary(
    """
    according additionally after again all alone already although altogether among another any anyone anything anyway
    apart apparently as back based basically because before besides both briefly but by clearly currently date day
    decision decisions despite due during each earlier either enough even eventually everybody everyone everything
    exactly except few finally first firstly five for four from further furthermore given good great happy hello here
    hi hope hopefully how however if in indeed initially instead its key last lastly lately later latest likely list
    many maybe meanwhile moreover most much my neither never next no nobody none nor nothing now of okay on once one
    only open originally other others otherwise our out over overall people perhaps please plus possibly presumably
    previously probably question quick quite rather reason recently regarding right roughly second secondly
    several shortly similarly simply since six so some somebody somebody's someone something sometimes soon sorry
    sounds source sources specifically still such summary sure ten thank thanks that the then there therefore these
    third this those though three through throughout thus time times to today together tomorrow tonight total twice
    two under unfortunately unless until up update usually very we well what whatever when whenever where whereas
    whether which while who whoever whose why with within without yes yesterday yet you your yours
    everywhere anywhere nowhere hence besides answer answers note notes noted place places budget plan plans team
    channel memory memories message messages found dinner lunch breakfast coffee meeting meetings work food money
    price cost costs status progress owner location address deadline details context background result results
    option options issue issues problem problems task tasks step steps item items topic topics name names number
    numbers colour color size type version release launch shipping party trip club group members member
    afterwards beforehand nevertheless nonetheless consequently accordingly interestingly notably
    dear hey oh ah aha absolutely certainly correct indeed nope yep yeah right true false
    formerly earlier vorher zuvor fruher bisher ursprunglich inzwischen avant auparavant initialement desormais antes
    anteriormente inicialmente
    ja nein leider danke hier dort heute gestern morgen dann danach zuerst zuletzt ausserdem insgesamt zusammen laut
    oui non merci voici voila ici hier aujourd'hui demain ensuite puis enfin d'abord selon malheureusement total
    si no gracias aqui hoy ayer manana luego despues primero finalmente segun lamentablemente juntos
    """
)
"""Words that open a sentence or label a list without being anybody's name."""

ACRONYMS: Final = vocabulary(
    "ok tl dr fyi am pm utc gmt cet cest est pst asap faq btw imo id ps pr db api ui url nb eg ie"
)
"""Capital letters that name nothing of this community's."""

ALIASES: Final = {
    "postgres": "postgresql",
    "postgresql": "postgres",
    "k8s": "kubernetes",
    "kubernetes": "k8s",
    "js": "javascript",
    "javascript": "js",
    "ts": "typescript",
    "typescript": "ts",
    "py": "python",
    "repo": "repository",
    "gh": "github",
    "mongo": "mongodb",
    "mongodb": "mongo",
    "vscode": "vs",
}
"""Two ways of writing one name."""

IRREGULAR: Final = {
    "chose": "choos",
    "chosen": "choos",
    "choice": "choos",
    "choosing": "choos",
    "went": "go",
    "gone": "go",
    "goes": "go",
    "bought": "buy",
    "met": "meet",
    "wrote": "writ",
    "written": "writ",
    "ate": "eat",
    "eaten": "eat",
    "drank": "drink",
    "drunk": "drink",
    "ran": "run",
    "came": "com",
    "took": "tak",
    "taken": "tak",
    "gave": "giv",
    "given": "giv",
    "made": "mak",
    "kept": "keep",
    "held": "hold",
    "began": "begin",
    "begun": "begin",
    "built": "build",
    "froze": "freez",
    "frozen": "freez",
    "brought": "bring",
    "thought": "think",
    "sold": "sell",
    "paid": "pay",
    "left": "leav",
    "lost": "los",
    "found": "find",
    "fell": "fall",
    "felt": "feel",
    "sent": "send",
    "spent": "spend",
    "met ": "meet",
    "led": "lead",
    "broke": "break",
    "broken": "break",
    "spoke": "speak",
    "drove": "driv",
    "flew": "fly",
    "grew": "grow",
    "known": "know",
    "knew": "know",
    "saw": "see",
    "seen": "see",
    "slept": "sleep",
    "lent": "lend",
    "people": "person",
    "children": "child",
    "men": "man",
    "women": "woman",
    "nahm": "nehm",
    "nimmt": "nehm",
    "traigo": "tra",
    "trae": "tra",
    "traer": "tra",
    "traen": "tra",
    "trajo": "tra",
    "lies": "lie",
    "lay": "lie",
    "begins": "begin",
    "beginning": "begin",
    "starts": "begin",
    "start": "begin",
    "started": "begin",
    "starting": "begin",
}
"""Forms no ending tells."""

NEGATORS: Final = (
    r"n't\b|\b(?:not|never|no|none|nobody|nothing|neither|nor|without|cannot|no longer|nowhere|unable|impossible|"
    r"refus\w+|reject\w*|forbid\w*|forbade|ban(?:s|ned)?|prohibit\w*|against|cancel\w*|stop(?:s|ped)?|quit|"
    r"fail(?:s|ed)?|den(?:y|ied|ies)|disagree\w*|dislik\w+|hates?|hated|lack(?:s|ed)?|abandon\w*|scrap(?:ped)?|"
    r"avoid\w*|off-limits|(?:is|are|was|were|be|been|stays?|remains?) closed|"
    r"geschlossen|fermee?s?|cerrad[oa]s?|instead of|rather than|"
    r"nicht|kein|keine|keinen|keinem|keiner|keines|nie|niemals|niemand|nichts|ohne|weder|verboten|abgesagt|gegen|statt|"
    r"pas|jamais|aucune?|rien|personne ne|sans|interdite?s?|annulee?s?|contre|au lieu de|"
    r"nunca|jamas|nadie|nada|sin|ningun|ninguna|ninguno|tampoco|prohibid[oa]s?|cancelad[oa]s?|contra|en vez de|"
    r"dont|doesnt|didnt|isnt|arent|wasnt|werent|cant|couldnt|wont|wouldnt|shouldnt|hasnt|havent|n(?:e |')\w+ plus)\b"
    r"|off\b(?:(?<=\bare off)|(?<=\bis off)|(?<=\bwas off))"
    r"|out of\b(?:(?<=\bi'm out of)|(?<=\bam out of)|(?<=\bis out of)|(?<=\bare out of)|(?<=\bbe out of))"
)
"""What turns a clause round; two of them turn it back."""

NO_NEGATORS: Final = (
    r"\b(?:without (?:any )?(?:problems?|trouble|issues?|doubt)|no problems?|no doubt|no matter|not only|nicht nur|"
    r"pas seulement|no solo|can(?:'|no)?t wait|do(?:n't| not) forget|nothing but|no later than|not later than|"
    r"why not|no worries|kein problem|pas de probleme|sin problemas?|if not|or not|whether or not|nicht vor)\b"
    r"|\bne (?=[^,.;]{0,40}\bque\b)"
)
"""What looks like a negation and is none."""

UPDATES: Final = (
    r"\b(?:now|moved?|changed?|changes|instead|no longer|any ?more|update[ds]?|actually|correction|corrected|postponed|"
    r"switch(?:ed|ing)?|from now on|new|rescheduled|delayed|replaced?|reverted|scrap|cancelled|canceled|"
    r"jetzt|nicht mehr|verschoben|geandert|doch|stattdessen|neu|neue|neuer|ab sofort|"
    r"maintenant|desormais|finalement|change|reporte|deplace|ne \w+ plus|"
    r"ahora|cambiado|cambio|cambiamos|finalmente|ya no|aplazad[oa]|movid[oa])\b"
)
"""Words by which something takes an older thing's place."""

CHANGES: Final = (
    r"\b(?:switch\w*|mov(?:e[sd]?|ing)|chang\w+|migrat\w+|replac\w+|renam\w+|went from|rais\w+|lower\w+|wechsel\w*|"
    r"gewechselt|umgestellt|umgezogen|ersetzt|umbenannt|pass(?:e[sr]?|ons|ez|ent)|chang(?:e|ee?s?)|demenag\w+|cambi\w+|mudam\w+|pasa\w+)\b"
)
PAST: Final = (
    r"\b(?:was|were|until|former\w*|before|used to|earlier|previous\w*|no longer|not|old|first|from|instead|"
    r"replac\w+|past|war|waren|bis|fruher|vorher|zuvor|nicht|von|statt|etait|avant|jusqu\w*|ancien\w*|ne|de|"
    r"era|antes|hasta|anterior\w*|no)\b|n't\b"
)
"""Words by which what was once so is told as that."""
TOTALS: Final = (
    r"\b(?:total|totals|altogether|in all|sum|together|combined|overall|all told|makes?|"
    r"insgesamt|zusammen|summe|gesamt|en tout|ensemble|somme|au total|suman?|juntos|en conjunto)\b"
)

DIFFERENCES: Final = (
    r"\b(?:less|fewer|more|difference|longer|shorter|later|earlier|cheaper|saved?|saves|left over|weniger|mehr|"
    r"unterschied|de moins|de plus|menos|mas|diferencia)\b"
)
HALVES: Final = r"\b(?:half|halfte|halb|moitie|mitad)\b"

LIGHT: Final = vocabulary(
    """
    begin begins start starts last lasts cost costs happen happens mean means stay stays remain remains look looks see
    seen show shows know knows known find found remember help try hope let seem seems become becomes add change changes
    changed elsewhere thing part half quarter past morning noon afternoon evening night new old other others whole
    single same long longer short big small better best bad late later early open closed advice opinion idea detail
    details recommends overview timeline schedule phone number pull request issue file commit ticket page line version
    minute minutes hour hours day days week weeks month months year years euro euros dollar dollars percent nice fine
    steht stehen gefunden finde finden bleibt bleiben weiss wissen andere anderen anderer anderes
    folgt beginnt dauert kostet liegt geschlossen offen neue
    geandert anderte verschoben verlegt change changee modifie deplace reporte cambiado cambio modificado
    moved rescheduled postponed updated
    neu alte alter monat monate monats stunde stunden woche wochen tag tage jahr jahre uhr
    trouve trouver encontre encontrado reste commence coute dure mois jour jours semaine semaines heure heures minute
    nouveau nouvelle ancien autre autres
    empieza cuesta dura queda mes meses dia dias semana semanas hora horas nuevo nueva viejo otro otra
    """
)
"""Words that say little by themselves: other words for them are many, and no claim is made of them alone."""

DEEDS: Final = vocabulary(
    """
    hate hates hated bake bakes baked buy buys bought drink drinks drank eat eats ate own owns pay pays paid play plays
    played rent rents rented volunteer volunteers volunteered backt
    """
)
"""Verbs of those that stand after the one who does something, which say much by themselves."""

META: Final = vocabulary(
    """
    things thing points point items item notes note memories memory messages message results result answers answer
    people persons members different of decisions decision facts fact mentions reasons sources
    entries replies statements dinge punkte nachrichten choses points messages cosas puntos mensajes
    """
)
"""What an answer counts of its own: "two things were decided"."""

OPEN: Final = (
    r"\b(?:i (?:do not|don't|can't|cannot|could not|couldn't|did not|didn't) (?:know|say|tell|find|see|have|recall|"
    r"remember)|i (?:have|found|see|know of) (?:nothing|no|none)\b|(?:isn't|is not|wasn't|was not|not|nothing|aren't) "
    r"[^,.;]{0,30}(?:what i (?:found|was shown|have)|in (?:the|my|these) (?:notes|memor\w+|messages|evidence|records))|"
    r"i(?:'m| am) not (?:sure|certain)|no (?:mention|information|record|trace)|(?:is|are) not (?:said|"
    r"mentioned|stated)|"
    r"(?:isn't|aren't|wasn't|doesn't) (?:say|mentioned|stated|said)|(?:does not|doesn't|do not|"
    r"don't) (?:say|mention|tell)|"
    r"i couldn't find|unclear|hope (?:that|this) helps|let me know|you're welcome|happy to help|"
    r"glad to help|here (?:is|are|'s) what|anything else|feel free|"
    r"(?:das )?weiss ich (?:leider |das )?nicht|ich weiss (?:es )?nicht|"
    r"nicht in dem,? was ich|steht (?:da |dort )?(?:leider )?nichts|pas dans ce que j'ai|no esta en lo que|"
    r"nichts gefunden|finde ich nicht|je ne sais pas|je n'ai rien|rien trouve|no lo se|no se\b|"
    r"no encontre|no encuentro|"
    r"no he encontrado|keine ahnung|gern geschehen|de rien|de nada)\b|habe ich (?:leider )?(?:nichts|keine)\b"
)
"""A sentence that claims nothing: not known, not found, or mere courtesy."""
