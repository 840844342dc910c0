"""Tells whether a message asks Hathi to write a text for somebody: an announcement, a letter, a toast; pure."""

import re
from typing import Final

from bot.text import folding, normalize, patterns

_OPENS: Final = (
    r"(?:^\W{0,20}+|[.!?:]\W{1,20}+)(?:(?:please|pls|hey|hi|hathi|ok|so|and|now|also|bitte|hallo|s'il te plait|stp"
    r"|por favor|hola|salut)[\s,!]{1,10}+){0,4}"
)
_TEXTS: Final = {
    "text": (
        r"(?:announcements?|messages?|letters?|e?-?mails?|posts?|tweets?|invitations?|invites?|flyers?|posters?|adverts?"
        r"|ads?|texts?|notices?|repl(?:y|ies)|responses?|speech|toast|stor(?:y|ies)|poems?|songs?|blurbs?|bios?"
        r"|apolog(?:y|ies)|complaints?|greetings?|applications?|statements?|newsletters?|slogans?|captions?|drafts?"
        r"|templates?|paragraphs?|(?:a (?:few|couple of)|some|two|three) (?:lines|sentences)|something)\b"
    ),
    "german": (
        r"\S*?(?:ankundigung|nachricht|brief|mail|einladung|text|rede|beitrag|post|gedicht|antwort|entwurf|aushang"
        r"|anzeige|aufruf|bewerbung|entschuldigung|geschichte|rundschreiben)\w{0,2}\b"
    ),
    "french": (
        r"(?:annonces?|messages?|lettres?|mails?|courriels?|invitations?|textes?|discours|poemes?|reponses?|affiches?"
        r"|brouillons?|histoires?|mots?)\b"
    ),
    "spanish": (
        r"(?:anuncios?|mensajes?|cartas?|correos?|mails?|invitacion(?:es)?|textos?|discursos?|poemas?|respuestas?"
        r"|carteles?|borrador(?:es)?|historias?)\b"
    ),
    "opens": _OPENS,
    # Of what was said it is asked, not for something new.
    "not": r"(?:(?!(?:down|summary|recap|minutes|list|auf|nieder)\b)\S+ ){0,6}?",
}
_WANTED: Final = re.compile(
    patterns.either(
        r"""
        {opens}(?:(?:can|could|would|will) (?:you|u) )?(?:please )?(?:help (?:me|us) (?:to )?)?\
            (?:write|draft|compose|formulate|word|phrase|prepare|make|create|give me|give us) {not}{text}
        {opens}(?:i|we) (?:need|want|would like) (?:you to (?:write|draft|compose) {not}{text}|(?:a|the) draft\b)
        {opens}(?:kannst|konntest|wurdest) (?:du|ihr) {not}{german} {not}(?:schreiben|verfassen|entwerfen|formulieren)\b
        {opens}(?:schreib|verfass|entw[ie]rf|formulier|erstell)\w{0,2} {not}{german}
        {opens}(?:(?:peux|pourrais|pouvez|pourriez)[- ](?:tu|vous) )?(?:m'|nous |me )?\
            (?:ecri[srtv]\w{0,2}|redig\w{1,3}|compos\w{1,3}|prepar\w{1,3})(?:-(?:moi|nous))? {not}{french}
        {opens}(?:(?:me |nos )?(?:puedes|podrias) )?(?:escrib\w{1,5}|redact\w{1,5}|prepar\w{1,5}) {not}{spanish}
        """,
        _TEXTS,
    )
)


def asks(text: str) -> bool:
    """Whether it does, in so many words: what Hathi answers then is a draft, and tells nothing as it is."""
    return _WANTED.search(folding.folded(normalize.without_attachments(text))) is not None
