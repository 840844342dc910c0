"""Words by which a message asks for an act that a model may carry out: to age memories, note down, promote; pure."""

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from bot.text import folding, patterns

_WORD: Final = re.compile(r"[^\W\d_]+")
_ACTS: Final[Mapping[str, frozenset[str]]] = MappingProxyType(
    {
        "age": patterns.vocabulary(
            """
            age aged aging ageing archive archiving tidy tidying declutter
            altern altere alternlassen archiviere archivieren aufraumen aufgeraumt raume
            vieillir vieillis archiver archive archivez ranger range rangez
            envejecer envejece archivar archiva archive ordenar ordena
            """
        ),
        "note": patterns.vocabulary(
            """
            note notes noted noting jot write writing scribble
            notiere notier notieren notiz schreib schreibe schreiben vermerke vermerken merke merk
            noter notez ecris ecrire ecrivez
            anota anotar anote apunta apuntar apunte escribe escribir
            """
        ),
        "promote": patterns.vocabulary(
            """
            promote promoted promoting promotion permanent
            befordere befordern befordert ubernimm ubernehmen
            promouvoir promeus promouvez
            promueve promover asciende
            """
        ),
    }
)


def asks(text: str, command: str) -> bool:
    """Whether a message has a word that asks for what a command does; never for one that has none here."""
    return not _ACTS.get(command, frozenset()).isdisjoint(_WORD.findall(folding.folded(text)))
