"""Patterns for the kind of work a sentence shows: deciding, planning, research, critique, drafting.

Patterns are matched against one sentence in lower case, without accents and with one blank between words; all begin and
end at a word's boundary, and `^` is the start of the sentence. Every repetition that can overlap another is bounded.
"""

from dataclasses import dataclass
from typing import Final

from bot.text import patterns


@dataclass(frozen=True, slots=True, kw_only=True)
class Workflow:
    """One kind of work, and its patterns by language."""

    name: str
    """As it stands in the tag."""
    asks: bool
    """Whether a question tells it too: who asks for feedback is at critique, who asks what was decided at nothing."""
    english: str
    german: str
    french: str
    spanish: str


_ENGLISH: Final = {
    "adv": (
        r"(?:(?:have|had|all|both|just|now|already|finally|eventually|ultimately|unanimously|also|then|together|"
        r"recently) ){0,2}"
    ),
    # Not turned round: "did we", "have we" ask, question mark or not.
    "we": r"(?<!do )(?<!did )(?<!have )(?<!had )(?<!are )we(?:'ve|'d)?",
    "us": r"(?<!do )(?<!did )(?<!have )(?<!had )(?<!are )(?:i|we)(?:'ve|'d)?",
    "day": (
        r"(?:next |this |the )?(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day|tomorrow|tonight|noon|week|month|weekend|"
        r"end of|january|february|march|april|may|june|july|august|september|october|november|december|q[1-4]|"
        r"\d{1,2}(?:st|nd|rd|th|am|pm|:\d\d)?)"
    ),
    "text": (
        r"(?:poem|haiku|sonnet|limerick|stanza|verse|lyrics|chorus|letter|e-?mail|post|article|essay|story|chapter|"
        r"paragraph|section|sentence|intro|introduction|opening|ending|conclusion|abstract|summary|speech|script|scene|"
        r"text|announcement|proposal|report|headline|title|blurb|bio|description|caption|novel|outline|press release|"
        r"newsletter|readme|documentation|dialogue|draft|wording|synopsis|invitation|flyer|cover letter|application)s?"
    ),
    "paper": (
        r"(?:papers?(?! (?:bag|towel|plane|clip|cup|boat|hat|crane|plate|napkin|roll|shop)s?)|"
        r"articles?(?! of)|stud(?:y|ies)(?! (?:group|room|hall|buddy)s?)|preprints?|surveys?|white ?papers?|"
        r"meta-analys[ei]s|benchmarks?|theses|thesis)"
    ),
    "degree": r"(?:(?:a|bit|little|tad|way|far|much|rather|quite|just|still|really|slightly|almost) ){0,3}",
}

_GERMAN: Final = {
    # No word that takes back what is said, and none that starts another clause.
    "gap": r"(?:(?!nicht|nichts|nie|noch|kein|ob|was|wie|wann|wer)[\w',-]+ ){0,6}?",
    "day": (
        r"(?:zum |nae?chsten |nae?chste |kommenden |diesen )?(?:(?:mon|diens|donners|frei|sams|sonn)tag|mittwoch|"
        r"morgen|heute abend|woche|monatsende|ende|januar|februar|mae?rz|april|mai|juni|juli|august|september|oktober|"
        r"november|dezember|\d{1,2}\.?)"
    ),
    "text": (
        r"(?:gedichte?|haikus?|sonett|strophe|vers|liedtext|briefe?|e-?mail|mail|beitrag|artikel|aufsatz|geschichte|"
        r"kapitel|absatz|abschnitt|satz|einleitung|schluss|ende|zusammenfassung|rede|drehbuch|szene|text|ankue?ndigung|"
        r"antrag|bericht|ue?berschrift|titel|beschreibung|roman|gliederung|entwurf|dialog|einladung|anschreiben|doku|"
        r"dokumentation)s?"
    ),
    "paper": r"(?:studien?|artikel|fachartikel|paper|aufsatz|untersuchung|umfrage|analyse|quellen?|bericht)",
}

_FRENCH: Final = {
    "gap": r"(?:(?!pas|rien|jamais|encore|point)[\w'-]+ ){0,2}",
    "the": r"(?:(?:le|la|les|un|une|ce|cet|cette|ces|mon|ma|mes|ton|ta|tes|son|sa|notre|votre|nos|vos) |l')",
    "day": (
        r"(?:a |la |le |au |fin )?(?:lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche|demain|ce soir|semaine|mois|"
        r"fin|janvier|fevrier|mars|avril|mai|juin|juillet|aout|septembre|octobre|novembre|decembre|\d{1,2})"
    ),
    "text": (
        r"(?:poeme|haiku|sonnet|strophe|vers|paroles|lettre|e-?mail|mail|courriel|article|essai|histoire|nouvelle|"
        r"chapitre|paragraphe|section|phrase|introduction|intro|conclusion|fin|resume|discours|scenario|scene|texte|"
        r"annonce|proposition|rapport|titre|description|roman|plan|brouillon|dialogue|invitation|documentation)s?"
    ),
    "paper": r"(?:articles?|etudes?|papiers?|theses?|rapports?|enquetes?|sources?|recherches?|meta-analyses?)",
}

_SPANISH: Final = {
    "gap": r"(?:(?!no|nada|nunca|aun|todavia)[\w'-]+ ){0,2}",
    "the": (
        r"(?:el|la|los|las|un|una|unos|unas|este|esta|estos|estas|mi|mis|tu|tus|su|sus|nuestro|nuestra|vuestro|vuestra)"
    ),
    "day": (
        r"(?:el |la |proximo |proxima |final |fin )?(?:lunes|martes|miercoles|jueves|viernes|sabado|domingo|manana|"
        r"esta noche|semana|mes|de mes|enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|octubre|noviembre|"
        r"diciembre|\d{1,2})"
    ),
    "text": (
        r"(?:poema|haiku|soneto|estrofa|verso|letra|carta|correo|e-?mail|mensaje|articulo|ensayo|historia|cuento|"
        r"capitulo|parrafo|seccion|frase|introduccion|conclusion|final|resumen|discurso|guion|escena|texto|anuncio|"
        r"propuesta|informe|titulo|descripcion|novela|esquema|borrador|dialogo|invitacion|documentacion)s?"
    ),
    "paper": r"(?:articulos?|estudios?|papers?|tesis|informes?|encuestas?|fuentes?|investigacion(?:es)?)",
}

UNSURE: Final = patterns.either(
    r"""
    # Right before a cue, what makes it a condition, a question without its mark, or something that is not so.
    (?:if|whether|unless|until|once|when|what|how|who|where|which|not|never|nor|maybe|perhaps)
    (?:wish|hope|imagine|suppose|assuming|pretend|before|after|than)
    (?:ob|falls|wenn|bevor|was|wie|wann|wer|wo|nicht|nie|vielleicht|sobald)
    (?:si|quand|lorsque|comment|ou|qui|peut-etre|avant qu'|ce qu'|ce que|des qu'|s')
    (?:cuando|como|donde|quien|lo que|no|nunca|quiza|quizas|tal vez|ojala|antes de que)
    """
)
"""What takes a cue back that it stands before."""

WORKFLOWS: Final = (
    Workflow(
        name="decision",
        asks=False,
        english=patterns.either(
            r"""
            {we} {adv}decided(?!,? (?:whether|if|yet|nothing|what|how|who|when|where|because|anything|and|but)\b)\
                (?=[:,]? \w)
            i(?:'ve| have) (?:finally |now |just )?decided (?:to|on|upon|against|that|we)
            {we} {adv}(?:agreed|settled|landed|compromised) (?:to(?! disagree)|on|upon|not to|we'll|we will|\
                that (?:we|i|you|everyone|everybody|each|nobody|no one|from))
            {we} {adv}(?:opted (?:for|to)|voted (?:to|against)|ruled out|resolved to|chose|chosen)(?= \w)
            (?:let's|we'll|we will) (?:just |all )?go with \
                (?!(?:me|you|him|her|them|us|it|the flow)\b|[\w-]+ to (?:the|see|a)\b)(?=\w)
            (?:let's|we're|we are|we'll|we will) (?:just )?(?:stick(?:ing)? with|settl(?:e|ing) (?:on|for)) \
                (?!(?:me|you|him|her|them|us|it)\b)(?=\w)
            (?:it's|it is|that's|it's been|it has been|it was) (?:all |now |finally )?(?:decided|settled|agreed)\
                (?! (?:by|yet|upon by))
            we(?:'re| are) (?:all )?agreed (?:that|on)
            ^(?:(?:ok|okay|so|right|well|good|great),? )?agreed(?:: |, (?:we|we'll|let's|it's) |\
                (?: to| on) )(?=\w)
            ^settled on (?=\w)
            (?:the|our|my) (?:final |group )?decision (?:is|was)(?: made)? (?:to|that|not to)
            ^(?:our |the )?(?:final )?decision: ?(?=\w)
            we (?:have )?made (?:up our minds|the decision|the call)
            motion (?:is |was |has )?(?:carried|passed)
            """,
            _ENGLISH,
        ),
        german=patterns.either(
            r"""
            (?:wir haben|haben wir) {gap}(?:beschlossen|entschieden|geeinigt|festgelegt|vereinbart|darauf verstae?ndigt)
            wir {gap}(?:beschlossen|entschieden|geeinigt|vereinbart) haben
            wir (?:einigen uns|einigten uns|verstae?ndigen uns) auf
            wir (?:entscheiden|entschieden) uns (?:fue?r|gegen)
            wir beschliessen,? (?:dass|die|den|das)
            wir sind uns (?:alle )?einig(?! ob| nicht)
            (?:es|das|damit|hiermit) ist (?:jetzt |nun |also )?(?:beschlossen|entschieden|abgemacht|ausgemacht)
            beschlossene sache
            ^(?:abgemacht|beschlossen|beschluss|entscheidung): ?(?=\w)
            (?:die|unsere) entscheidung (?:lautet|fiel auf|ist gefallen)
            """,
            _GERMAN,
        ),
        french=patterns.either(
            r"""
            (?:nous avons|on a) {gap}(?:decide|opte|tranche|convenu|choisi) (?:de |d'|que |qu'|pour |contre |en |{the})
            (?:nous nous sommes|on s'est) {gap}(?:mis d'accord|entendus?|decides?) (?:sur|pour|a)
            nous nous sommes mis d'accord
            on (?:opte pour|part sur|reste sur)
            c'est (?:donc )?decide
            (?:la|notre) decision est (?:de|d'|que|prise)
            ^decision ?: ?(?=\w)
            """,
            _FRENCH,
        ),
        spanish=patterns.either(
            r"""
            hemos {gap}(?:decidido|acordado|optado|resuelto|elegido|quedado en (?:que|\w+[aei]r))
            (?:decidimos|acordamos)(?= \w)
            (?:optamos|nos decidimos|nos inclinamos) por
            quedamos en (?:que|\w+[aei]r)
            nos (?:pusimos|hemos puesto) de acuerdo
            (?:esta|queda|quedo) (?:decidido|acordado)
            (?:la|nuestra) decision (?:es|fue) (?:que|no|\w+[aei]r)
            ^decision ?: ?(?=\w)
            """,
            _SPANISH,
        ),
    ),
    Workflow(
        name="planning",
        asks=False,
        english=patterns.either(
            r"""
            {we} (?:still |now |also )?(?:plan|intend|aim) (?:to|on)
            we(?:'re| are) (?:now |currently |also |still )?planning (?:to|on|for|a|an|the|our)
            next steps(?! of the)
            (?:the|our|my) next step (?:is|will be|would be)
            ^next step:
            (?:the|our|my) (?:current |new |rough )?plan(?: for [\w' ]{1,30}?)? \
                (?:is|will be)(?: now| still)?(?: to| that| for| as follows| we|: ?\w+)
            ^(?:the |our )?plan(?: for [\w' ]{1,30}?)?: ?(?=\w)
            by {day},? (?:we|i|you|everyone)(?:'ll)? (?:need|must|have to|should|want|will)
            we(?:'ll)? (?:all )?(?:need|must|have to|should) [\w' ,-]{1,60}? (?:by|before) {day}
            action items?
            let's (?:plan|schedule|make a plan|map out)
            (?:our|the) (?:roadmap|timeline|milestones?|deadline|schedule)(?: for [\w' ]{1,30}?)? (?:is|are|has|\
                will be)\
                (?! (?:bad|wrong|good|great|crazy|ridiculous|terrible|tight|stupid|over|gone|dead))
            ^(?:agenda|roadmap|timeline|milestones?|to-?dos?|to-?do list)(?: for [\w' ]{1,30}?)?: ?(?=\w)
            (?:phase|step|stage) (?:one|1): ?(?=\w)
            """,
            _ENGLISH,
        ),
        german=patterns.either(
            r"""
            wir planen(?! nichts| nicht)
            nae?chsten? schritte
            (?:der|unser) nae?chster? schritt (?:ist|wae?re|wird)
            (?:der|unser) plan (?:ist,? (?:dass|es)|lautet|sieht vor)
            ^(?:der |unser )?plan(?: fue?r [\w ]{1,30}?)?: ?(?=\w)
            als nae?chstes (?:mue?ssen|sollten|wollen|brauchen) wir
            bis {day},? (?:brauchen|mue?ssen|sollten|wollen) wir
            wir (?:brauchen|mue?ssen|sollten|wollen) [\w ,-]{1,60}? bis {day}
            wir haben (?:fue?r [\w ]{1,30}? )?vor(?=,)
            (?:der|unser) (?:zeitplan|fahrplan|meilenstein)(?: fue?r [\w ]{1,30}?)? (?:ist|steht|sieht)
            ^(?:zeitplan|meilensteine|tagesordnung|aufgaben): ?(?=\w)
            """,
            _GERMAN,
        ),
        french=patterns.either(
            r"""
            (?:nous prevoyons|on prevoit|nous comptons|on compte|nous avons prevu|on a prevu|nous avons l'intention) \
                (?:de |d')(?=\w)
            prochaines etapes
            (?:la|notre) prochaine etape (?:est|sera|consiste)
            (?:le|notre) plan (?:est (?:de |d'|que )|consiste|c'est de )(?=\w)
            d'ici {day},? (?:il (?:nous )?faut|on doit|nous devons|il faudra)
            (?:il (?:nous )?faut|on doit|nous devons) [\w' ,-]{1,60}? (?:d'ici|avant) {day}
            (?:la|notre) feuille de route
            ^(?:plan|calendrier|ordre du jour|a faire) ?: ?(?=\w)
            """,
            _FRENCH,
        ),
        spanish=patterns.either(
            r"""
            (?:planeamos|tenemos previsto|tenemos pensado|estamos planeando|tenemos la intencion de)(?= \w)
            proximos pasos
            (?:el|nuestro) (?:proximo|siguiente) paso (?:es|sera)
            (?:el|nuestro) plan (?:es (?:que|\w{2,}[aei]r(?<!popular))|consiste)
            para {day},? (?:necesitamos|hay que|tenemos que|debemos)
            (?:necesitamos|hay que|tenemos que|debemos) [\w ,-]{1,60}? (?:para|antes del?) {day}
            (?:la|nuestra) hoja de ruta
            ^(?:plan|calendario|orden del dia|tareas) ?: ?(?=\w)
            """,
            _SPANISH,
        ),
    ),
    Workflow(
        name="research",
        asks=False,
        english=patterns.either(
            r"""
            {us} {adv}(?:looked into|dug into|read up on|researched|investigated)(?= \w)\
                (?! (?:his|her|my|your|their|its|the) (?:eyes?|face|mirror|camera|sun|distance|oven|fridge|box|window|\
                room|abyss|void|bag)\b)
            {us} {adv}compared(?= \w)(?! notes)
            according to (?:(?:the|an?|this|that|one|some|several|recent|most|two) (?:[\w-]+ ){0,3}?(?:{paper}|docs?|\
                documentation|manual|literature|sources?|research|specs?|specification|data|wikipedia|encyclop\w+)|\
                wikipedia|research|studies|[\w-]+ (?:et al|\(?\d{4}))
            {us} {adv}(?:found|read|came across|skimmed|discovered) \
                (?:an?|this|another|two|three|some|several|many)(?: (?!paper)[\w-]+){0,3} {paper}
            {us} {adv}(?:found|read|came across|skimmed) the(?: (?!paper)[\w-]+){0,2} {paper} (?:on|about|by|that|\
                which|from)
            (?:an?|the|one|this|that|recent|new|several|many) (?:study|studies|survey|meta-analysis|literature) \
                (?:shows?|showed|suggests?|suggested|found|finds|claims?|reports?|indicates?|concludes?|concluded)
            (?:my|our) (?:research|findings) (?:shows?|suggests?|so far|into|on|says?|are|is)
            literature review
            ^sources?: ?(?=\w)
            """,
            _ENGLISH,
        ),
        german=patterns.either(
            r"""
            (?:ich habe|wir haben|habe ich|haben wir) {gap}(?:recherchiert|nachgelesen|nachgeschlagen|verglichen|\
                untersucht|eingelesen)
            laut (?:(?:einer|einem|eines|dieser|diesem|der|dem|des|mehreren|aktuellen|\
                neuen) (?:[\w-]+ ){0,2}?(?:{paper}|\
                doku|dokumentation|handbuch|wikipedia)|wikipedia)
            (?:ich habe|wir haben|habe ich|haben wir) (?:[\w-]+ ){0,3}?{paper} {gap}(?:gefunden|gelesen|entdeckt)
            (?:eine|die|diese|mehrere|neue) studien? (?:zeigt|zeigen|belegt|belegen|ergab|kommt zu|legt nahe)
            (?:meine|unsere) recherchen? (?:zeigt|ergab|hat|haben|zu)
            den quellen zufolge
            ^quellen?: ?(?=\w)
            """,
            _GERMAN,
        ),
        french=patterns.either(
            r"""
            (?:j'ai|nous avons|on a) {gap}(?:compare (?={the}|\w)|fait des recherches|enquete sur|etudie (?={the})|\
                effectue des recherches)
            (?:j'ai|nous avons|on a) {gap}(?:lu|trouve|parcouru) (?:{the}|plusieurs |deux |\
                trois )(?:[\w-]+ ){0,2}?{paper}
            (?:selon|d'apres) (?:(?:{the}|plusieurs |de |des )(?:[\w-]+ ){0,2}?(?:{paper}|documentation|wikipedia|\
                manuel)|\
                wikipedia)
            (?:une |cette |l'|des |ces |plusieurs )etudes? (?:[\w-]+ )?(?:montre|indique|conclu|suggere|demontre)(?:nt|\
                t)?
            mes recherches (?:sur|montrent|indiquent)
            ^sources? ?: ?(?=\w)
            """,
            _FRENCH,
        ),
        spanish=patterns.either(
            r"""
            (?:he|hemos) {gap}(?:investigado|comparado|indagado)
            (?:investigue|investigamos|compare|comparamos) {the}(?= \w)
            (?:he|hemos) {gap}(?:leido|encontrado) (?:{the}|varios|varias|dos) (?:[\w-]+ ){0,2}?{paper}
            (?:lei|leimos|encontre|encontramos) (?:{the}|varios|varias|dos) (?:[\w-]+ ){0,2}?{paper}
            segun (?:(?:{the}|varios|varias) (?:[\w-]+ ){0,2}?(?:{paper}|documentacion|wikipedia|manual)|wikipedia)
            (?:un|el|este|varios|los) estudios? (?:[\w-]+ )?(?:muestra|indica|concluye|sugiere|demuestra)n?
            ^fuentes? ?: ?(?=\w)
            """,
            _SPANISH,
        ),
    ),
    Workflow(
        name="critique",
        asks=True,
        english=patterns.either(
            r"""
            i (?:really |just |still )?(?:don't|do not|didn't|did not|dislike) (?:really |much |quite |particularly )?\
                (?:like |love )?(?:how|the way)(?= \w)
            (?:the|one|a|another|only) (?:main |only |biggest |big |real )?(?:problem|issue|weakness|flaw) \
                (?:i have |i see )?with (?:this|the|that|your|our|his|her|their) (?=\w)
            feedback (?:on|about|for) (?:this|the|that|my|your|our|his|her|their|it|chapter|section)
            ^(?:my |some |quick )?(?:feedback|critique|review|nit|nitpick)s?: ?(?=\w)
            {text} (?:is|are|was|were|feels?|seems?|reads?|sounds?|gets|got|runs?) {degree}too (?:long|short|dense|dry|\
                formal|casual|abstract|flat|rushed|slow|heavy|dark|obvious|generic|sentimental|wordy|vague)
            too (?:wordy|verbose|repetitive|long-winded|preachy|cliched)
            {text} (?:is|are|feels?|seems?|reads?|sounds?) {degree}(?:weak|clunky|confusing|unclear|repetitive|forced|\
                awkward|hard to follow|wordy|verbose|unconvincing)
            (?:the|your|this) (?:pacing|plot|tone|structure|imagery|metaphor|rhyme|rhythm|meter|argument|characters?) \
                (?:is|are|feels?|seems?) {degree}(?:weak|flat|off|rushed|forced|slow|confusing|unclear|uneven|clunky|\
                strong)
            {text} (?:could|should|needs to) be (?:a bit |much )?(?:clearer|tighter|shorter|longer|punchier|stronger|\
                more \w+)
            {text} needs? (?:more|less|a bit more) (?:detail|context|tension|focus|work|rhythm|clarity)
            constructive criticism
            (?:my|some|a few) (?:critiques?|criticisms?|nitpicks?)
            i(?:'d| would) (?:cut|trim|tighten|shorten|rephrase|reword) (?:the|this|that|your)
            """,
            _ENGLISH,
        ),
        german=patterns.either(
            r"""
            mir gefae?llt (?:\w+ ){0,3}?nicht,? (?:wie|dass)
            (?:das|ein|mein) (?:einzige |groe?sste )?problem (?:mit|an|bei) (?:dem|der|den|diesem|dieser|deinem|deiner|\
                eurem|unserem|unserer) (?=\w)
            (?:feedback|rue?ckmeldung(?:en)?|anmerkungen|kritik) (?:zu|zum|zur|an|am) (?:dem |der |den |deinem |\
                deiner |\
                meinem |meiner |diesem |dieser |unserem |unserer )?{text}
            {text} (?:ist|sind|war|wirkt|klingt|liest sich) (?:\w+ ){0,2}?zu (?:lang|kurz|vage|trocken|formell|\
                langatmig|abstrakt|flach|langsam|schwer|dicht)
            zu (?:langatmig|wortreich|schwammig|umstae?ndlich formuliert|ausschweifend)
            {text} (?:ist|wirkt|klingt) (?:\w+ ){0,2}?(?:holprig|unklar|verwirrend|schwach|gestelzt)
            ^(?:kritik|feedback|rue?ckmeldung|anmerkungen?): ?(?=\w)
            """,
            _GERMAN,
        ),
        french=patterns.either(
            r"""
            (?:je n'aime|j'aime) pas (?:trop |beaucoup |vraiment |du tout )?(?:la facon|la maniere|comment)
            le (?:seul |principal |gros )?(?:probleme|souci|defaut) avec {the}(?=\w)
            (?:retours?|feedback|remarques?|critiques?) sur {the}(?=\w)
            {text} (?:est|sont|semble|parait|reste|sonne) (?:\w+ ){0,2}?trop (?:long|longue|court|courte|vague|lourd|\
                lourde|lent|lente|sec|seche|abstrait|abstraite|dense|formel|formelle|plat|plate)s?
            trop (?:verbeux|verbeuse|repetitif|repetitive|bavard|bavarde)
            {text} manque (?:un peu )?(?:de |d')(?:rythme|clarte|precision|tension|souffle|force|details)
            ^(?:critiques?|retours?|remarques?) ?: ?(?=\w)
            """,
            _FRENCH,
        ),
        spanish=patterns.either(
            r"""
            no me (?:gusta|gusto|convence|convencio) (?:mucho |nada )?(?:como|la forma|la manera)
            el (?:unico |mayor |gran |principal )?(?:problema|fallo|defecto) con {the}(?= \w)
            (?:comentarios|opiniones|criticas|sugerencias|retroalimentacion) sobre {the} (?:\w+ )?{text}
            feedback (?:sobre|de|para) {the}(?= \w)
            {text} (?:es|son|esta|parece|resulta|queda|se hace) (?:\w+ ){0,2}?demasiado (?:larg|cort|vag|dens|sec|lent|\
                plan|abstract|formal|pesad)(?:o|a)?s?
            demasiado (?:verbos|repetitiv|recargad)[oa]s?
            le falta (?:ritmo|claridad|fuerza|tension|detalle) (?:a|al)
            ^(?:criticas?|comentarios|sugerencias) ?: ?(?=\w)
            """,
            _SPANISH,
        ),
    ),
    Workflow(
        name="drafting",
        asks=True,
        english=patterns.either(
            r"""
            here(?:'s| is| are| comes) (?:an?|the|my|our|your|another)(?: [\w-]+){0,2}? (?:drafts?|rewrite|outline)\
                (?! (?:beer|pick|round|horse|order|board))
            here(?:'s| is| comes) (?:an?|the|my|our)(?: [\w-]+)? version of (?:the|my|our|a|chapter)(?: [\w-]+)? {text}
            (?:first|second|third|rough|early|initial|revised|updated|new|latest|next) drafts?\
                (?! (?:beer|pick|round|horse|order|board|class|lottery)s?| in the n)
            (?:a|the|my|our|your) drafts? (?:of|for) (?:the|my|our|your|this|that|an?|chapter|\
                section)(?: [\w-]+){0,2}? {text}
            ^drafts?(?: (?:of|for) [\w' ]{1,40}?)?: ?(?=\w)
            (?:my|our|a) (?:very )?first version of
            first version of (?:the|my|our|your|this|a)(?: [\w-]+){0,2}? {text}
            (?:rewrite|rewrote|rewriting|rewritten|redraft(?:ed|ing)?|reword(?:ed|ing)?|rephras(?:e|ed|ing)) \
                (?:the|this|that|my|our|your|it as|an?|his|her)(?: [\w-]+){0,2}? {text}
            draft (?:me |us )?(?:an?|the|my|our|this)(?: [\w-]+){0,2}? {text}
            {us} (?:just |have |also )?drafted (?:an?|the|my|our|some|two|up)(?! (?:player|quarterback|team|rookie)s?)
            i(?:'m| am) (?:still |now )?(?:drafting|writing a draft|working on (?:a|the|my) draft)
            """,
            _ENGLISH,
        ),
        german=patterns.either(
            r"""
            hier (?:ist|kommt|sind|mal) (?:\w+ )?(?:ein|der|mein|unser|eine|die|meine|unsere) (?:[\w-]+ ){0,2}?\
                (?:entwurf|rohfassung|fassung|entwue?rfe)
            (?:erste|zweite|neue|grobe|ue?berarbeitete)[rn]? entwurf
            (?:erste|zweite|neue|ue?berarbeitete) (?:fassung|rohfassung)
            entwurf (?:fue?r|von|des|der|zu|zum|zur) (?:\w+ ){0,2}?{text}
            (?:den|die|das|einen|eine|ein|meinen|meine|mein) (?:[\w-]+ ){0,2}?{text} {gap}(?:umgeschrieben|\
                umformuliert|\
                neu geschrieben|neu formuliert|entworfen)
            (?:formulier|schreib)(?:e|st|t)? (?:bitte )?(?:den|die|das) (?:[\w-]+ ){0,2}?{text} (?:bitte )?(?:um|neu)
            ^entwurf: ?(?=\w)
            """,
            _GERMAN,
        ),
        french=patterns.either(
            r"""
            (?:voici|voila) {the}(?:[\w-]+ ){0,2}?(?:brouillon|ebauche|premier jet|nouvelle version|premiere version)
            (?:premier|deuxieme|second|nouveau) (?:jet|brouillon)
            premiere (?:ebauche|version (?:de |du |d')(?:{the})?(?:[\w-]+ ){0,2}?{text})
            (?:un|le|mon|notre|ton) brouillon (?:de |du |d'|pour )(?=\w)
            (?:reecrit|reecrire|reecris|reformule|reformuler|redige|rediger|remanier|\
                remanie) {the}(?:[\w-]+ ){0,2}?{text}
            ^brouillon ?: ?(?=\w)
            """,
            _FRENCH,
        ),
        spanish=patterns.either(
            r"""
            (?:aqui|os|les|te) (?:esta|va|tienes|teneis|tienen|os dejo|les dejo|te dejo|dejo|paso) {the} \
                (?:[\w-]+ ){0,2}?borrador
            (?:primer|segundo|nuevo) borrador
            (?:un|el|mi|nuestro|tu) borrador (?:de|del|para)(?= \w)
            primera version (?:de|del) (?:{the} )?(?:[\w-]+ ){0,2}?{text}
            (?:reescrib(?:i|ir|o|e|imos)|reescrito|redact(?:e|ar|amos|ado)|reformul(?:e|ar|amos|ado)) {the} \
                (?:[\w-]+ ){0,2}?{text}
            ^borrador ?: ?(?=\w)
            """,
            _SPANISH,
        ),
    ),
)
"""The workflows there are; a text of several has the first of them."""
