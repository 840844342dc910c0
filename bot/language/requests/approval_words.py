"""Patterns for approving of an answer, by language.

Patterns ignore case and are written without accents. A message approves when it consists of `approving` pieces and
nothing else but `beside` ones: it asks to keep what was just said, and says nothing of its own.
"""

from dataclasses import dataclass
from typing import Final

from bot.text import patterns


@dataclass(frozen=True, slots=True, kw_only=True)
class ApprovalWords:
    """One language's words of approval."""

    approving: str
    """What asks to keep the answer, each piece alone."""
    beside: str
    """What may stand beside it: praise, thanks, address."""


_TEXT: Final = (
    r"(?:scene|limerick|poem|haiku|joke|story|song|lyrics|verse|line|paragraph|recipe|plan|idea|snippet|code|table|script"
    r"|outline|draft|title|name|decision|agreement|fact|rule|definition|formula|schedule|agenda|checklist|list"
    r"|description|monologue|dialogue|tweet|announcement|invitation|translation|number|explanation|instructions|steps"
    r"|letter|email|summary|text|version|riddle|slogan|speech|rota|roster|timetable|budget|menu|quiz|question|comparison"
    r"|breakdown|estimate|overview|template|caption|headline|intro|bio|toast|review)"
)
_TEXT_DE: Final = (
    r"(?:szene|gedicht|witz|geschichte|lied|vers|satz|rezept|plan|idee|code|tabelle|skript|entwurf|titel|name|namen"
    r"|entscheidung|datum|termin|regel|formel|liste|beschreibung|monolog|dialog|ankue?ndigung|einladung"
    r"|ue?bersetzung|nummer|erklae?rung|anleitung|brief|zusammenfassung|text|antwort|nachricht)"
)
_TEXT_FR: Final = (
    r"(?:scene|poeme|blague|histoire|chanson|vers|phrase|recette|plan|idee|code|tableau|script|brouillon|titre|nom"
    r"|decision|date|regle|formule|liste|description|monologue|dialogue|annonce|invitation|traduction|numero"
    r"|explication|lettre|resume|texte|reponse|message)"
)
_TEXT_ES: Final = (
    r"(?:escena|poema|chiste|historia|cancion|verso|frase|receta|plan|idea|codigo|tabla|guion|borrador|titulo|nombre"
    r"|decision|fecha|regla|formula|lista|descripcion|monologo|dialogo|anuncio|invitacion|traduccion|numero"
    r"|explicacion|carta|resumen|texto|respuesta|mensaje)"
)
"""What an answer may be called, and what a message: a request names no more than that."""
_ENGLISH: Final = {
    "it": r"(?:this|that|it)",
    "answer": (
        r"(?:this|that|it|these|those|(?:this|that|the|your) (?:one|answer|reply|wording)"
        r"|(?:the|(?:this|that|these|those|your)(?: \w{1,20})?) " + _TEXT + r"|(?:this|that) date"
        r"|(?:this|that|the|(?:his|her|their|\w{1,32}'s)) (?:message|msg|post|quote|link|file|info|comment)"
        r"|(?:my|his|her|their|\w{1,32}'s|the) (?:last|latest|previous) (?:message|msg|post|comment)"
        r"|the (?:(?:message|msg|post|comment) )?above"
        r"|(?:what|the last thing) (?:he|she|they|\w{1,32}) (?:just )?(?:said|wrote|posted|sent))"
    ),
    "keep": r"(?:keep|save|store|remember|memori[sz]e|pin|note|archive|bookmark|hold on ?to)",
    "later": (
        r"(?: (?:please|in mind|safe|down|for (?:later|me|us|next time|the (?:record|future)|future reference)"
        r"|(?:in|to) (?:your )?memory|as (?:it )?is|as (?:our|my|your|the|an?) \w{1,20}(?: \w{1,20})?"
        r"|just like that|exactly like that))"
    ),
    "praise": (
        r"(?:perfect|great|good|right|correct|ideal|brilliant|excellent|wonderful|lovely|spot on|the one|it|awesome"
        r"|fantastic|nice|beautiful|splendid|amazing)"
    ),
}

ENGLISH: Final = ApprovalWords(
    approving=patterns.either(
        r"""
        {it}(?:'ll| will| should| would) do (?:very |quite |just )?(?:nicely|perfectly|fine|splendidly|wonderfully|\
            beautifully)
        {keep} {answer}{later}{0,2}
        (?:don't|do not|never) forget {answer}{later}{0,2}
        make a note of {answer}|(?:write|jot|note) {answer} down|commit {answer} to memory
        {answer}(?:'s| is| are) (?:worth|to be) (?:keeping|saving|remembering|kept|saved|remembered)
        {answer}(?:'s| is) a keeper
        """,
        _ENGLISH,
    ),
    beside=patterns.either(
        r"""
        (?:can|could|would|will) (?:you|u)(?: please| pls| kindly)?|i(?:'d like| want) you to|hathi
        ok|okay|yes|yeah|yep|yup|oh|ah|wow|hey|hi|so|and|now|then|well|right|all ?right|please|pls|indeed|exactly
        precisely
        (?:{it}(?:'s| is| was)(?: (?:exactly|just|really|very|so|absolutely|precisely))? )?{praise}
        (?:{it}(?:'s| is| was) )?(?:exactly|just|precisely) (?:it|that|right|what (?:i|we) (?:wanted|needed|meant|\
            asked for|\
            (?:was|were|am|are) looking for|had in mind|need|want))
        (?:i|we) (?:really |do )?(?:like|love) (?:this|that|it)
        thanks|thank you|thx|ty|cheers|thanks a lot|thank you (?:so|very) much|very good|very nice|well done|cool|super
        (?:good|great|nice|excellent) (?:job|work|one|answer)|let's|let us|you (?:can|may|should)|go ahead and
        for (?:now|later)
        """,
        _ENGLISH,
    ),
)

GERMAN: Final = ApprovalWords(
    approving=patterns.either(
        r"""
        (?:das|dies|es|so) (?:passt|tut es|reicht|gefae?llt mir) (?:so )?(?:perfekt|wunderbar|bestens|prima|genau so)
        (?:merk|merke|notier|notiere|behalt|behalte|speicher|speichere)(?: dir| mir)?(?: bitte)? \
            (?:das|dies|es|{text})(?: dir)?(?: bitte| so| gut| ab| als [\w-]{1,20}(?: [\w-]{1,20}){0,2}){0,2}
        (?:das|dies|{text})(?: so| bitte| dir){0,2} (?:merken|behalten|speichern|aufheben|notieren)
        (?:heb|hebe) (?:das|dies|es) (?:bitte )?auf|schreib(?:e)?(?: dir)? das auf|vergiss das nicht
        """,
        {"text": r"(?:die|das|den|diese[nsr]?|deine?n?) " + _TEXT_DE},
    ),
    beside=patterns.either(
        r"""
        ok|okay|ja|super|gut|sehr gut|prima|perfekt|toll|klasse|wunderbar|genau|genau das|genau so|richtig|alles klar
        bitte|und|(?:kannst|koenntest|magst) du(?: dir)?
        danke|danke schoe?n|vielen dank|(?:das|es) ist (?:es|gut|perfekt|richtig|super)|genau das wollte ich|so
        """
    ),
)

FRENCH: Final = ApprovalWords(
    approving=patterns.either(
        r"""
        (?:garde|gardez|retiens|retenez|enregistre|enregistrez|sauvegarde|sauvegardez|note|notez|memorise|\
            memorisez)[ -]\
            (?:le|la|ca|ca|cela|ceci|{text}|bien ca|bien cela)(?: (?:en memoire|pour plus tard|s'il (?:te|\
            vous) plait))?
        (?:ca|cela|ceci) (?:fera|fait) (?:parfaitement |tres bien )?l'affaire
        (?:ca|cela|ceci) (?:ira|convient|conviendra) (?:parfaitement|tres bien|a merveille)
        n'oublie(?:z)? pas (?:ca|cela)|(?:ca|c'est|cela est) a (?:garder|retenir)
        """,
        {"text": r"(?:cette|ce|cet|ces|la|le) " + _TEXT_FR},
    ),
    beside=patterns.either(
        r"""
        ok|okay|oui|parfait|super|tres bien|bien|genial|excellent|exactement
        c'est (?:ca|exactement ca|parfait|super|bon|bien)
        d'accord|merci|merci beaucoup|et|alors|s'il (?:te|vous) plait|stp|svp|exactement ce que je (?:voulais|cherchais)
        """
    ),
)

SPANISH: Final = ApprovalWords(
    approving=patterns.either(
        r"""
        (?:guarda|guarde|recuerda|recuerde|anota|anote|conserva|conserve|memoriza|memorice|apunta|apunte) \
            (?:esto|eso|{text})(?: (?:por favor|para (?:luego|despues)|en (?:la |tu )?memoria))?
        (?:guarda|recuerda|anota|conserva|memoriza|apunta)(?:lo|la)
        (?:esto|eso) (?:me )?(?:sirve|servira|va|ira) (?:perfectamente|perfecto|muy bien|de maravilla)
        quedate con (?:eso|esto)|no (?:lo )?olvides(?: eso| esto)?
        """,
        {"text": r"(?:est[ea]|es[ea]|la|el) " + _TEXT_ES},
    ),
    beside=patterns.either(
        r"""
        ok|okay|vale|si|perfecto|genial|muy bien|bien|excelente|estupendo|exacto|exactamente|eso es|justo eso|y
        por favor
        gracias|muchas gracias|es(?:o|to) es(?: exactamente)?(?: lo que (?:queria|buscaba|necesitaba))?|esta perfecto
        """
    ),
)

LANGUAGES: Final = (ENGLISH, GERMAN, FRENCH, SPANISH)
SAYER: Final = (
    r"\b(?:my (?:last|latest|previous) \w+"
    r"|(?P<owner>\w{1,32})'s (?:(?:last|latest|previous) )?(?:message|msg|post|comment)"
    r"|(?:what|the last thing) (?:i|(?!(?:he|she|they|you|we|it)\b)(?P<name>\w{1,32})) "
    r"(?:just )?(?:said|wrote|posted|sent))\b"
)
"""Whose last words are pointed at: one's own, or those of somebody by their name."""
POLITE: Final = (
    r"\W*(?:(?:hey|hi|please|pls|bitte|hathi|<@!?\d{1,20}>)\W+){0,3}(?:(?:can|could|would|will) (?:you|u)\b"
    r"|(?:kannst|k\u00f6nntest|koenntest|magst) du\b)"
)
"""How a request begins that is put as a question."""
