"""Patterns for thanks and farewells, and the acknowledgements, by language.

Patterns ignore case and are written without accents. A message closes the conversation when it consists of `closing`
pieces and nothing else but `beside` ones, so none of these may ask, tell or order anything.
"""

from dataclasses import dataclass
from typing import Final

from bot.text import patterns


@dataclass(frozen=True, slots=True, kw_only=True)
class ClosingWords:
    """One language's thanks and farewells."""

    name: str
    """Of the text search configuration a space has for it."""
    closing: str
    """What closes, each piece alone."""
    beside: str
    """What may stand beside it: agreement, praise, address."""
    answers: tuple[str, ...]
    """What Hathi says to it; each fits thanks and farewells alike."""


_ENGLISH: Final = {
    "now": (
        r"(?:for (?:now|today|tonight|the (?:moment|day|night|time being)|this (?:time|week|evening))"
        r"|today|tonight|now)"
    ),
    "much": r"(?: (?:(?:so|very|ever so) much|a (?:lot|bunch|million|ton)|again|kindly|loads|anyway|everyone|all))",
    "it": r"(?:that|this|it)",
    "wanted": r"(?: (?:that )?(?:i|we) (?:need|want|have|had|(?:need|want)ed(?: to know)?|need to know))",
    "good": r"(?:good|great|nice|lovely|wonderful|pleasant)",
    "given": (
        r"(?:help|time|advice|answers?|info|information|support|explanations?|reply|patience|reminder|heads up|update|"
        r"tips?|summary|suggestions?|insights?|clarification|work|effort)"
    ),
}

ENGLISH: Final = ClosingWords(
    name="english",
    closing=patterns.either(
        r"""
        thank(?:s| you| u|you){much}{0,2}\
            (?: for (?:(?:all )?(?:of )?(?:your|the|that|this)(?: (?:quick|great|kind|good|detailed|lovely))? {given}|\
            {it}|everything|helping(?: me| us)?|asking))?
        (?:many|much|big|huge|a thousand) thanks
        much (?:appreciated|obliged)
        (?:i|we) (?:really |greatly |do )?appreciate (?:{it}|(?:all )?your help)
        thx|thnx|tnx|thanx|ty|tysm|tyvm|cheers|ta
        {it}(?:'s| is| was| will be|'ll be| would be|'d be)(?: (?:really|about|probably|just|quite))? \
            (?:all|enough|everything|sufficient)(?:{wanted})?(?: {now})?
        {it}(?:'s| is| was| will be|'ll be)(?: about)? it {now}
        {it}(?:'ll| will| should| would) (?:suffice|do)(?: {now})?
        {it} suffices(?: {now})?
        nothing (?:else|more|further)(?: {now})?
        no (?:more|further|other) questions(?: {now})?
        (?:i'm|i am|we're|we are|all) (?:all )?done(?: here)?(?: {now})?
        enough {now}
        good ?bye|bye|farewell|so long|take care(?: of yourself)?
        good ?night(?: (?:everyone|everybody|all))?|g'?night|sleep (?:well|tight)|sweet dreams
        (?:see|c|catch) (?:you|ya|u|y'all)(?: all)?\
            (?: (?:around|later|soon|tomorrow|then|again|next (?:time|week)|on (?:mon|tues|wednes|thurs|fri|satur|\
            sun)day))?
        cya|ttyl|(?:talk|speak|chat)(?: to (?:you|ya))? (?:later|soon|tomorrow|again)
        (?:until|till) (?:next time|tomorrow|later)
        have a(?:n| very)? (?:{good}|excellent) (?:day|night|evening|one|weekend|afternoon|time|rest of (?:the|\
            your) day)
        """,
        _ENGLISH,
    ),
    beside=patterns.either(
        r"""
        ok|okay|okey|k|kk|all ?right|right|fine|great|good|nice|perfect|excellent|brilliant|wonderful|awesome|amazing
        lovely|cool|fantastic|super|splendid|marvell?ous|sweet|neat
        yes|yeah|yep|yup|no|nope|nah|oh|ah|aw|well|very well|and|so|then|now|hey|hi|hello|later|you too|indeed|really
        got it|gotcha|i see|understood|noted|sure|that's it|makes sense|it works|works for me|works now|it worked
        (?:{it}(?:'s| is| was))? ?(?:very|really|super|so|most|quite|all|perfectly)? ?\
            (?:great|perfect|good|fine|helpful|clear|lovely|kind of you|useful|wonderful|excellent|brilliant|awesome)
        that (?:really )?help(?:s|ed)(?: a lot| me| us)?|you(?:'re| are) (?:the best|great|awesome|amazing|a star|\
            a legend)
        (?:good|great|nice|lovely|excellent) (?:job|work|bot|one)|well done
        everyone|everybody|all|guys|folks|team|my friend|friend|mate|buddy|pal|dear|again|very much|so much
        for (?:now|today|tonight)|today|tonight|x{1,3}
        """,
        _ENGLISH,
    ),
    answers=("Glad to help.", "Any time. I'll be here.", "All right; I'm here whenever you need me.", "With pleasure."),
)

_GERMAN: Final = {"now": r"(?:fue?r (?:heute|jetzt|den moment|diesmal|heute abend)|heute|jetzt|erst ?mal|vorerst)"}

GERMAN: Final = ClosingWords(
    name="german",
    closing=patterns.either(
        r"""
        danke(?: ?schoe?n| sehr| dir| ihnen| euch| vielmals| nochmals?| auch){0,3}\
            (?: fue?r (?:(?:deine|ihre|eure|die) (?:(?:schnelle|tolle|gute) )?(?:hilfe|antwort|auskunft|info|mue?he|\
            zeit)|alles))?
        (?:vielen|besten|herzlichen|tausend|lieben)(?: lieben| herzlichen)? dank
        (?:das|dies|es) (?:wae?re?'?s|war'?s|war es|(?:ist|war|wae?re?) (?:dann |auch )?(?:alles|genug))\
            (?: dann| fue?rs erste)?(?: {now})?
        (?:das|dies|es) (?:reicht|genue?gt)(?: mir| uns)?(?: {now})?
        (?:mehr|sonst|weiter) (?:brauche|brauch|moe?chte|will) ich nich?ts?|nichts weiter|keine weiteren fragen
        genug {now}
        tschue?ss?i?|ciao|auf wieder(?:sehen|hoe?ren)|mach'?s gut|leb wohl
        gute nacht|schlaf(?:t)? (?:gut|schoe?n)
        bis (?:bald|spae?ter|morgen|dann|gleich|nachher|(?:zum )?nae?chste[ns] mal|nae?chste woche|die tage)
        (?:einen )?(?:schoe?nen|guten) (?:tag|abend|feierabend|rest(?:tag)?) noch|schoe?nen feierabend
        schoe?nes wochenende(?: noch)?
        """,
        _GERMAN,
    ),
    beside=patterns.either(
        r"""
        ok|okay|super|gut|sehr gut|prima|perfekt|toll|klasse|wunderbar|spitze|alles klar|verstanden|genau|fein|schoe?n
        na|dann|ja|nein|ne|nee|und|so|noch|auch|also|ach|hey|hallo|das hilft(?: mir)?(?: sehr)?|das war(?:'s| es)?
        fue?r heute|heute|erst ?mal|alle|allen|leute|zusammen|liebe grue?sse|gut gemacht
        """
    ),
    answers=("Gern.", "Jederzeit. Ich bin da.", "In Ordnung; melde dich, wann immer du magst."),
)

FRENCH: Final = ClosingWords(
    name="french",
    closing=patterns.either(
        r"""
        (?:mille |un grand |grand )?mercis?(?: (?:beaucoup|bien|infiniment|encore|mille fois|a (?:toi|vous|tous))){0,2}\
            (?: pour (?:(?:ton|votre|cette|ta|l'|la|tes|vos) ?(?:aide|reponses?|temps|conseils?|explications?)|tout))?
        (?:c'est|ce sera|c'etait|ca sera) (?:bien )?(?:tout|assez)(?: pour (?:aujourd'hui|le moment|l'instant|ce soir))?
        (?:ca|cela) (?:suffira|suffit|me suffit|ira|ira comme ca)(?: pour (?:aujourd'hui|le moment|l'instant|ce soir))?
        rien d'autre|plus de questions?|je n'ai plus (?:de|besoin de) (?:questions?|rien)
        au revoir|adieu|ciao|bonne nuit|dors bien|bonne (?:soiree|journee|fin de (?:journee|soiree)|continuation)
        (?:a|a) (?:bientot|bientot|demain|plus tard|plus|tout a l'heure|la prochaine(?: fois)?|la semaine prochaine)
        bon (?:week-?end|apres-midi)
        """
    ),
    beside=patterns.either(
        r"""
        ok|okay|d'accord|parfait|super|tres bien|bon|bien|alors|genial|excellent|et|non|oui|voila|ah|oh|compris|top
        nickel
        c'est (?:parfait|super|bon|note|genial|tres (?:bien|clair|utile))|tout le monde|a tous|bon travail|bien joue
        pour aujourd'hui|encore
        """
    ),
    answers=("Avec plaisir.", "À votre service. Je reste là.", "Entendu ; je suis là en cas de besoin."),
)

SPANISH: Final = ClosingWords(
    name="spanish",
    closing=patterns.either(
        r"""
        (?:muchas |mil |muchisimas )?gracias(?: (?:de nuevo|otra vez|de verdad|a (?:ti|usted|todos))){0,2}\
            (?: por (?:(?:tu|su|la|vuestra) (?:ayuda|respuesta|explicacion|informacion)|todo))?
        (?:eso|esto|con eso|con esto) (?:es|seria|sera|esta) (?:todo|suficiente|bien asi)(?: por (?:hoy|ahora|\
            el momento))?
        (?:es|seria) todo(?: por (?:hoy|ahora|el momento))?
        con (?:eso|esto) (?:me |nos )?(?:basta|vale|alcanza)(?: por (?:hoy|ahora))?|nada mas(?: por (?:hoy|ahora))?
        no tengo mas preguntas
        adios|chao|chau|nos vemos(?: (?:luego|manana|pronto))?|que descanses|que duermas bien
        hasta (?:luego|manana|pronto|la proxima|la vista|otra|entonces)
        que tengas? (?:un )?(?:buen|bonito|lindo) (?:dia|fin de semana)
        """
    ),
    beside=patterns.either(
        r"""
        ok|okay|vale|perfecto|genial|muy bien|bien|bueno|excelente|estupendo|listo|entendido|claro|y|pues|entonces|si|no
        ah|oh|buenas noches|a todos|por (?:hoy|ahora)|muy amable|buen trabajo|bien hecho|eso ayuda(?: mucho)?
        """
    ),
    answers=("Con gusto.", "Cuando quieras. Aquí estaré.", "De acuerdo; aquí estoy para lo que haga falta."),
)

LANGUAGES: Final = (ENGLISH, GERMAN, FRENCH, SPANISH)
