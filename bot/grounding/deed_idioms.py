"""The words by which an answer in German, French or Spanish says that something was done, or that it will be.

Expressions are of folded text (`bot.grounding.texts`), a row a language; what they are put together to is in
`bot.grounding.deeds`.
"""

from dataclasses import dataclass
from typing import Final

from bot.text import patterns


@dataclass(frozen=True, slots=True, kw_only=True)
class DeedIdioms:
    """One language's ways to say so, by what was done."""

    kept: str
    forgotten: str
    changed: str
    outward: str
    """What Hathi never does; and that it stops to remember, which a command does."""


_ENDS: Final = r"(?=\s*(?:[^\w\s?:\"']|$))"
"""Where a word is all that is said: `noted!`, but not `note that …`."""

_GERMAN_WORDS: Final = {
    "open": (
        r"^\W*(?:(?:ok|okay|klar|alles klar|na klar|gut|ja|gerne?|super|prima|erledigt|verstanden|in ordnung"
        r"|passt|danke"
        r"|schon|jetzt|ist|sind|wird|das ist|es ist|hiermit|alles|so|hab|habe|hab ich|habe ich|hab's|hab es|das hab ich"
        r"|das habe ich|mir|es|das)[\s,.!:;\u2013\u2014-]+){0,5}"
    ),
    "said": r"(?:(?!nichts?\b|nie\b|keine?\w?\b|noch\b)[\w']+ ){0,6}?",
    "i": r"\bich hab(?:e|'s)? ",
    "list": r"(?:auf|in) (?:die|deine|eure|unsere|den|deinen|euren|unseren) \w*(?:liste|kalender|agenda|plan)",
    "ends": _ENDS,
}
_FRENCH_WORDS: Final = {
    "open": (
        r"^\W*(?:(?:ok|okay|d'accord|oui|voila|et voila|bien|tres bien|parfait|entendu|compris|super|c'est bon|fait"
        r"|c'est fait|ca y est|c'est|deja|pas de souci|merci|donc)[\s,.!:;\u2013\u2014-]+){0,5}"
    ),
    "i": r"(?<!n')(?<!pas )\b(?:j'ai|je (?:l'|les |t'|vous |la |le )(?:l')?ai) (?:(?:bien|deja|donc|aussi|tout) ){0,2}",
    "list": r"(?:a|au|dans|sur) (?:(?:la|le|ta|ton|votre|notre) |l')(?:\w+ )?(?:liste|agenda|calendrier|planning)\b",
    "ends": _ENDS,
}
_SPANISH_WORDS: Final = {
    "open": (
        r"^\W*(?:(?:ok|okay|vale|de acuerdo|si|claro|listo|hecho|perfecto|entendido|bien|muy bien|ya|ya esta"
        r"|ya queda|lo"
        r"|queda|quedo|esta|gracias|todo)[\s,.!:;\u2013\u2014-]+){0,5}"
    ),
    "i": r"(?<!no )(?<!no lo )(?<!no la )\b(?:(?:lo|la|los|las) )?he (?:(?!no\b|nunca\b)\w+ ){0,2}?",
    "not_it": r"(?<!no )(?<!no lo )(?<!no la )(?<!no los )(?<!no las )",
    "it": r"(?:{open}(?:lo|la|los|las)|(?<!no )\bya (?:lo|la|los|las)) ",
    "list": r"(?:a|en) (?:la|el|tu|su|nuestr[ao]) (?:\w+ )?(?:lista|agenda|calendario)\b",
    "ends": _ENDS,
}
_SPANISH_WORDS["it"] = _SPANISH_WORDS["it"].replace("{open}", _SPANISH_WORDS["open"])

GERMAN: Final = DeedIdioms(
    kept=patterns.either(
        r"""
        {i}{said}(?:gespeichert|notiert|gemerkt|aufgeschrieben|vermerkt)\b
        {open}(?:gespeichert|notiert|gemerkt|vermerkt|aufgeschrieben|(?:termin )?eingetragen|festgehalten){ends}
        {open}(?:eingeplant|hinzugefugt){ends}
        (?:{i}{said}|{open}){list} (?:gesetzt|geschrieben|eingetragen|aufgenommen)\b
        {open}(?:kommt|setze ich|schreibe ich|trage ich) {list}
        ^\W*(?:gespeichert|notiert|gemerkt)\b
        \bich (?:merke|notiere|speichere) (?:mir|es|das)\b(?! (?:\w+ ){0,3}(?:nichts?|nix)\b)
        {open}(?:speichere|notiere|merke) (?:ich )?(?:mir )?(?:das|es)\b(?! nicht)
        \bich (?:fuge|trage|nehme|schreibe) (?!\w+ nicht)(?:\w+ ){0,5}?mein\w* (?:gedachtnis|notizen)\b
        \bich werde (?:mir |es |das ){1,3}{said}(?:merken|notieren|speichern|aufschreiben)\b
        \b(?:ist|wurde) (?:jetzt |nun )?(?:gespeichert|notiert)\b
        """,
        _GERMAN_WORDS,
    ),
    forgotten=patterns.either(
        r"""
        {i}{said}(?:geloscht|vergessen|entfernt|gestrichen)\b
        {open}(?:geloscht|vergessen|entfernt|gestrichen){ends}
        ^\W*(?:geloscht|vergessen)\b
        \b(?:das|es) (?:vergesse|losche) ich\b(?! nicht)|\bich (?:vergesse|losche) (?:das|es)\b(?! nicht)
        \bich werde (?:es|das) {said}(?:vergessen|loschen)\b
        \b(?:ist|sind) (?:jetzt |nun |schon |bereits |hiermit )?(?:geloscht|vergessen|entfernt)\W*$
        """,
        _GERMAN_WORDS,
    ),
    changed=patterns.either(
        r"""
        {i}{said}(?:geandert|aktualisiert|korrigiert|angepasst|berichtigt|verbessert)\b
        {open}(?:geandert|aktualisiert|korrigiert|angepasst|berichtigt|umgetragen){ends}
        """,
        _GERMAN_WORDS,
    ),
    outward=patterns.either(
        r"""
        \bich erinnere (?:dich|euch|sie)\b(?! (?:an (?:ein|das|den)|mich))
        \bich werde (?:dich|euch|sie|ihn|ihm|ihr) .{0,60}\b(?:erinnern|benachrichtigen|informieren|schreiben|anrufen)\b
        {i}.{0,60}\b(?:gebucht|benachrichtigt|bestellt|reserviert|bescheid gesagt|geschrieben|angerufen)\b
        (?<!wenn )\bdu (?:bekommst|erhaltst|kriegst) (?:\w+ ){0,6}?erinnerung(?! von (?!mir\b))
        (?<!wenn )\bdu wirst (?:(?!an\b)\w+ ){0,4}?erinnert\b(?! (?:an|von)\b)
        \b(?:die|eine|deine|meine) erinnerung (?:kommt|folgt|ist unterwegs)\b
        {i}.{0,60}\bbescheid gegeben\b|\bich melde mich (?:\w+ ){0,3}?(?:morgen|um|spater|wieder|am|rechtzeitig)\b
        \bich (?:sage?|gebe?|schreibe?) (?:dir|euch|ihm|ihr|ihnen|[a-z]+) (?:\w+ ){0,3}?bescheid\b
        {open}(?:ab (?:jetzt|sofort|heute)|von jetzt an|kunftig|in zukunft)(?: \w+){0,3}? (?:nichts\
            |nix)(?: mehr)?(?: von dir)?\W*$
        \bich (?:merke|speichere|notiere|behalte) (?:\w+ ){0,4}?(?:nichts|nix) mehr\b
        """,
        _GERMAN_WORDS,
    ),
)

FRENCH: Final = DeedIdioms(
    kept=patterns.either(
        r"""
        {i}(?:\w+ ){0,2}?(?:enregistre|note|memorise|sauvegarde|retenu)\w{0,2}\b
        {open}(?:bien )?(?:note|enregistre|memorise|retenu|sauvegarde)e?s?{ends}
        {open}(?:bien )?(?:ajoute|planifie|programme)e?s?(?:{ends}| {list})
        {i}(?:\w+ ){0,2}?(?:ajoute|mis|inscrit)\w{0,2} (?:\w+ ){0,4}?{list}
        \bje (?:le |la |les )?garde (?:ca |cela )?en memoire\b
        \bje (?:m'en souviendrai|note|retiens|le retiens)\b
        \b(?:j'enregistre|je sauvegarde|je memorise|j'ajoute|j'inscris) (?:ca|cela|(?:\w+ ){0,5}?\
            (?:ma memoire|mes notes))\b
        \bje suis en train d(?:e |')(?:l'|le |la |les )?(?:enregistrer|noter|memoriser|sauvegarder)\b
        """,
        _FRENCH_WORDS,
    ),
    forgotten=patterns.either(
        r"""
        {i}(?:\w+ ){0,2}?(?:supprime|efface|oublie|retire)\w{0,2}\b
        {open}(?:bien )?(?:oublie|efface|supprime|retire)e?s?{ends}
        ^\W*(?:supprime|efface)\b
        \bje (?:l'|les )(?:oublie|efface|supprime|oublierai|effacerai)\b
        \bje ne m'en souviens plus\b
        \b(?:je supprime|j'efface|je retire) (?:\w+ ){0,5}?(?:ma memoire|mes notes)\b
        \bje suis en train d(?:e |')(?:l'|le |la |les )?(?:supprimer|effacer|oublier)\b
        """,
        _FRENCH_WORDS,
    ),
    changed=patterns.either(
        r"""
        {i}(?:modifie|corrige|change|mis a jour|rectifie|actualise)\w{0,2}\b
        {open}(?:bien )?(?:modifie|corrige|change|mis a jour|mise a jour|rectifie|actualise)e?s?{ends}
        """,
        _FRENCH_WORDS,
    ),
    outward=patterns.either(
        r"""
        \bje (?:te |vous |le |la |les |lui |t'|l'){1,2}(?:rappell?erai|previendrai|previens|contacterai|appellerai\
            |ecrirai\
            |avertirai|enverrai)\b
        \bje (?:te |vous )(?:ferai|enverrai|mettrai) (?:un |une )(?:rappel|message|alerte|notification)\b
        \bje (?:previendrai|contacterai|avertirai) \w
        \b(?:tu recevras|vous recevrez|tu auras|vous aurez) (?:un|mon) rappel\b(?!.{0,40} de (?!moi\b))
        \b(?:un|le|ton|mon) rappel (?:arrive|arrivera|suit|suivra|est en route|te sera envoye|vous sera envoye)\b
        \bje (?:te|vous) rappelle (?:demain|plus tard|(?:lun|mar|mercre|jeu|vendre|same)di|dimanche)\b
        \bje vais (?:te |vous |le |la |les |lui |t'|l'){0,2}(?:rappeler|prevenir|contacter|avertir|appeler|ecrire) ?\w
        {i}(?:\w+ ){0,2}?(?:reserve|prevenu|envoye|commande|appele|informe)\w{0,2}\b
        \bje ne (?:retiendrai|noterai|garderai|enregistrerai|me souviendrai)\b.{0,20}\b(?:plus|rien)\b
        \bje ne (?:retiens|note|garde|enregistre) plus\b
        """,
        _FRENCH_WORDS,
    ),
)

SPANISH: Final = DeedIdioms(
    kept=patterns.either(
        r"""
        {i}(?:guardado|anotado|apuntado|memorizado|registrado)\b
        {open}(?:guardado|anotado|apuntado|registrado|memorizado)[oa]?s?{ends}
        {open}(?:anadid|agregad|agendad|programad|puest)[oa]s?(?:{ends}| {list})
        {i}(?:anadido|agregado|puesto|metido) (?:\w+ ){0,4}?{list}
        ^\W*(?:guardado|anotado|apuntado)\b
        {it}(?:tendre en cuenta|guardo|apunto|anoto){ends}
        {it}(?:guarde|anote|apunte|registre){ends}
        {not_it}\bestoy (?:guardando|anotando|apuntando|registrando|memorizando)\b
        {open}(?:guardando|anotando|apuntando|registrando)(?:lo| (?:eso|esto))\b
        (?<!no )\b(?:guardo|anoto|apunto|anado|agrego) (?:\w+ ){0,4}?mi (?:memoria|notas)\b
        """,
        _SPANISH_WORDS,
    ),
    forgotten=patterns.either(
        r"""
        {i}(?:borrado|eliminado|olvidado)\b
        {open}(?:borrado|eliminado|olvidado)s?{ends}
        ^\W*(?:borrado|eliminado)\b
        {it}(?:borro|olvido|elimino)(?:{ends}| (?:ahora|ya|enseguida)\b)
        {it}(?:olvide|borre|elimine){ends}
        {not_it}\bestoy (?:borrando|eliminando|olvidando)\b
        {open}(?:borrando|eliminando)(?:lo| (?:eso|esto))\b
        """,
        _SPANISH_WORDS,
    ),
    changed=patterns.either(
        r"""
        {i}(?:cambiado|corregido|actualizado|modificado)\b
        {open}(?:cambiado|corregido|actualizado|modificado)s?{ends}
        {it}(?:cambie|corregi|actualice|modifique){ends}
        """,
        _SPANISH_WORDS,
    ),
    outward=patterns.either(
        r"""
        (?<!no )\b(?:te|os|les|le|lo|la|se)(?: (?:lo|la|los|las))? (?:recordare|avisare|escribire|llamare|mandare)\b
        \bte (?:lo )?(?:aviso|recuerdo|llamo|escribo) (?:manana|luego|despues|mas tarde|el \w+|a las|cuando)\b
        \b(?:avisare|llamare|escribire) a \w
        \bte (?:mando|envio|pongo) un (?:recordatorio|aviso|mensaje|alarma)\b
        \bvoy a (?:recordar|avisar|llamar)\w*\b
        (?<!no )\b(?:recibiras|tendras|te llegara) (?:un|mi) recordatorio\b(?!.{0,40} de (?!mi\b))
        \b(?:un|el|tu|mi) recordatorio (?:llegara|te llegara|esta en camino|va en camino)\b
        {i}(?:reservado|avisado|enviado|pedido|llamado)\b
        \bno (?:guardare|recordare|anotare|apuntare)\b.{0,20}\b(?:nada|mas)\b
        \bno (?:guardo|anoto|apunto|recuerdo) (?:nada )?mas\b
        """,
        _SPANISH_WORDS,
    ),
)

LANGUAGES: Final = (GERMAN, FRENCH, SPANISH)


def of(deed: str) -> str:
    """One expression for what any of the languages says of a deed, by the name of its field."""
    return "|".join(getattr(language, deed) for language in LANGUAGES)
