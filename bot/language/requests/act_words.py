"""Words by which a message asks for an act that a model may carry out, or forbids it: to keep, age or note; pure."""

import bisect
import re
from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Final

from bot.text import folding, patterns

KEEP: Final = "remember"
_WORD: Final = re.compile(r"[^\W\d_]+(?:'t\b)?")
_CLAUSE: Final = re.compile(r"[,.;:!?\u2026\u2013\u2014\n]+|\b(?:but|and|so|aber|und|sondern|mais|et|pero|y|sino)\b")
"""What ends a clause."""
_ASIDE: Final = re.compile(r"\b(not|never|don't|mustn't|shouldn't)\s*,[^,.;:!?\n]{1,60},")
"""What is put in right behind a denial, and ends no clause: not, under any circumstances, …"""
_NOT: Final = patterns.vocabulary(
    """
    not no never don't doesn't mustn't shouldn't needn't can't cannot won't without stop refrain
    nicht nichts nie niemals kein keine keinen keinesfalls ohne
    ne n pas jamais rien sans aucun
    nunca jamas sin ningun ninguna
    """
)
_NOT_BEHIND: Final = patterns.vocabulary("nicht nichts nie niemals keinesfalls pas jamais rien")
"""What denies what stands before it."""
_OPENING: Final = patterns.vocabulary("dass que qu")
"""What opens a clause of its own, whose denials are of that."""
_BEHIND: Final = _NOT_BEHIND | _OPENING
_NEAR: Final = 4
"""Words behind an act by which it is somebody's wish."""
_TURNED: Final = 2
"""Words before a denial among which stands what is denied: vergiss bitte nicht."""
_UNDONE: Final = patterns.vocabulary(
    """
    forget forgets forgetting fail hesitate
    vergiss vergesst vergessen zogere
    oublie oubliez oublier hesite hesitez manque manquez
    olvides olvide olviden olvidar dudes dude dejes
    """
)
"""What is denied in place of the act: who says not to forget to note something wants it noted."""
_TELLERS: Final = patterns.vocabulary(
    """
    i we he she they it ann ich er sie wir man je j il elle ils elles nous on yo el ella ellos ellas nosotros
    """
)
"""Who does not do something, where that orders nothing."""
_WANTS: Final = patterns.vocabulary(
    """
    you want like wish prefer du ihr dir euch will mochte tu te vous t veux voudrais te quiero quisiera prefiero prefere
    """
)
"""What makes it an order all the same: I don't want you to."""
_ACTS: Final[Mapping[str, frozenset[str]]] = MappingProxyType(
    {
        KEEP: patterns.vocabulary(
            """
            remember remembering memorize memorizing memorise memorising save saving
            merk merke merken speicher speichere speichern
            retiens retenir retenez memorise memoriser memorisez enregistre enregistrer enregistrez souviens
            recuerda recuerdes recordar memoriza memorices memorizar guarda guardes guardar
            """
        ),
        "age": patterns.vocabulary(
            """
            age aged aging ageing archive archiving tidy tidying declutter
            altern altere alternlassen archiviere archivieren aufraumen aufgeraumt raume
            vieillir vieillis archiver archive archivez ranger range rangez
            envejecer envejece envejezcas archivar archiva archive archives ordenar ordena ordenes
            """
        ),
        "note": patterns.vocabulary(
            """
            note notes noted noting jot write writing scribble
            notiere notier notieren notiz schreib schreibe schreiben vermerke vermerken merke merk
            noter notez ecris ecrire ecrivez
            anota anotar anote anotes apunta apuntar apunte apuntes escribe escribir escribas
            """
        ),
        "promote": patterns.vocabulary(
            """
            promote promoted promoting promotion permanent
            befordere befordern befordert ubernimm ubernehmen
            promouvoir promeus promouvez
            promueve promover promuevas asciende asciendas
            """
        ),
    }
)


def asks(text: str, command: str) -> bool:
    """Whether a message has a word that asks for what a command does, and is not denied; never without words here."""
    return any(not is_denied for is_denied, _ in _named(text, command))


def forbids(text: str, command: str) -> bool:
    """Whether a message orders that what a command does be not done: it denies it wherever it names it."""
    named = [*_named(text, command)]
    return any(is_order for _, is_order in named) and all(is_denied for is_denied, _ in named)


def _named(text: str, command: str) -> Iterator[tuple[bool, bool]]:
    """Of each word for it, whether it is denied, and whether that is an order and does not only tell of somebody."""
    wanted = _ACTS.get(command, frozenset())
    plain = folding.folded(text.translate(patterns.STRAIGHT_QUOTES))
    for clause in _CLAUSE.split(_ASIDE.sub(r"\1 ", plain)):
        words = _WORD.findall(clause)
        told, wished, denied = (_first(words, one) for one in (_TELLERS, _WANTS, _NOT))
        undone = _first(words, _UNDONE, max(0, denied - _TURNED))
        denials = [at for at, word in enumerate(words) if word in _BEHIND]
        for at in (at for at, word in enumerate(words) if word in wanted):
            then = bisect.bisect(denials, at)
            is_behind = then < len(denials) and words[denials[then]] in _NOT_BEHIND
            is_denied = (denied < at or is_behind) and undone >= at
            is_wish = wished < at or not _WANTS.isdisjoint(words[at + 1 : at + 1 + _NEAR])
            yield is_denied, is_denied and (told >= at or is_wish)


def _first(words: Sequence[str], wanted: frozenset[str], begin: int = 0) -> int:
    """Where the first of these words stands, from there on; behind all where none does."""
    return next((at for at in range(begin, len(words)) if words[at] in wanted), len(words))
