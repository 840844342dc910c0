"""Recognises a question for memories by their numbers: what #2 says, who said #4; pure.

Patterns ignore case and are written without accents. A message asks for them when it consists of `asking` pieces and
nothing else but `beside` ones, with a question mark or without: "what does #2 say about the kiln?" asks of the kiln. A
number alone is anything; that of a memory has its sign, or a word for it.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from bot.domain import MemoryId
from bot.text import formulas, patterns

MOST: Final = 5
"""Memories of one question."""
_NUMBER: Final = re.compile(r"\d{1,18}")


@dataclass(frozen=True, slots=True, kw_only=True)
class NumberQuestionWords:
    """One language's questions for memories by number."""

    asking: str
    """What asks for them, each piece alone."""
    beside: str
    """What may stand before or after it."""


def _numbers(words: str, joints: str) -> str:
    """One number or several, each with its sign or one of these words."""
    one = rf"(?:(?:{words}) ?#?|#)\d{{1,18}}"
    return rf"{one}(?:(?:, ?| (?:{joints}) |, (?:{joints}) )(?:{one}|\d{{1,18}})){{0,{MOST - 1}}}"


ENGLISH: Final = NumberQuestionWords(
    asking=patterns.either(
        r"""
        {n}|what(?:'s| is| was| are)(?: in| under| behind)? {n}(?: about| again| now)?
        what (?:does|do|did) {n} (?:say|mean|tell(?: us| me)?|read|contain|hold|state)
        who(?: has| had)? (?:said|told|wrote|gave|made|saved|kept|added|remembered|entered|posted)(?: you| us)? {n}
        who(?:'s| is| was) {n} (?:by|from)|whose (?:is|was) {n}|{n} (?:is|was) (?:by|from) who(?:m)?
        (?:when|where) (?:was|were|did) {n} (?:said|saved|kept|made|added|written|come from|posted)
        where(?:'s| is| does)? {n}(?: come)?(?: from)?|when(?:'s| is| was) {n}(?: from)?
        (?:tell|remind)(?: me| us)?(?: more)?(?: about| of| what)? {n}(?: says?| is)?
        (?:show|read|open|display|recall|quote|see|look up|look at|find|get|print|give)(?: me| us)? {n}
        """,
        {"n": _numbers(r"(?:the )?(?:memory|fact)(?: number| no\.?)?", r"and|or|&")},
    ),
    beside=r"ok|okay|hey|hi|hello|so|and|then|well|please|pls|now|again|actually|by the way|btw|can you|could you"
    r"|thanks|thank you|exactly|just|remember|i wonder|do you know",
)

GERMAN: Final = NumberQuestionWords(
    asking=patterns.either(
        r"""
        {n}|was (?:ist|war|sind|steht (?:in|bei|unter))(?: denn| nochmal)? {n}
        was (?:sagt|sagen|heisst|bedeutet|besagt|meint)(?: denn| nochmal)? {n}
        wer hat {n} (?:gesagt|geschrieben|gespeichert|erzae?hlt|gemerkt|angelegt)|von wem (?:ist|kommt|stammt) {n}
        (?:wann|wo) wurde {n} (?:gesagt|gespeichert|geschrieben|angelegt)|woher (?:kommt|stammt|ist) {n}
        (?:zeige?|lies|oe?ffne|nenne?|gib|sage?)(?: mir| uns)?(?: mal| bitte)? {n}(?: vor)?
        (?:erzae?hle?|sage?)(?: mir| uns)?(?: mal| bitte)?(?: mehr| etwas| was)? (?:von|zu|ue?ber) {n}
        """,
        {"n": _numbers(r"(?:die |der )?erinnerung(?: nummer| nr\.?)?", r"und|oder|&")},
    ),
    beside=r"ok|okay|hallo|hey|hi|so|und|dann|also|bitte|mal|jetzt|nochmal|denn|danke|genau|kannst du|eigentlich",
)

FRENCH: Final = NumberQuestionWords(
    asking=patterns.either(
        r"""
        {n}|(?:que|qu'est[- ]ce que) (?:dit|disent|contient|signifie) {n}|(?:c'est quoi|qu'est[- ]ce que) {n}
        {n} (?:c'est quoi|dit quoi|ca dit quoi)|qui a (?:dit|ecrit|enregistre|ajoute|note) {n}|de qui (?:est|vient) {n}
        (?:quand|ou) a ete (?:dit|dite|ecrit|enregistre|enregistree) {n}|d'ou (?:vient|sort) {n}
        (?:montre|lis|ouvre|donne|affiche|rappelle)(?:[- ](?:moi|nous))? {n}
        (?:parle|dis)(?:[- ](?:moi|nous))?(?: plus)?(?: de| sur| ce que dit)? {n}
        """,
        {"n": _numbers(r"(?:le |la )?(?:souvenir|memoire)(?: numero| no\.?)?", r"et|ou|&")},
    ),
    beside=r"ok|okay|bonjour|salut|alors|et|dis|s'il (?:te|vous) plait|stp|svp|merci|maintenant|au fait|peux[- ]tu",
)

SPANISH: Final = NumberQuestionWords(
    asking=patterns.either(
        r"""
        {n}|que (?:dice|dicen|pone|significa|contiene)(?: en)? {n}|que (?:es|era|son|hay en) {n}
        quien (?:dijo|escribio|guardo|conto|anadio|ha dicho) {n}|de quien es {n}
        (?:cuando|donde) se (?:dijo|guardo|escribio) {n}|de donde (?:viene|sale|es) {n}
        (?:muestra|muestrame|lee|leeme|abre|ensename|dime|dame)(?: que dice| lo que dice)? {n}
        (?:habla|hablame|cuentame|dime)(?: mas)? (?:de|sobre) {n}
        """,
        {"n": _numbers(r"(?:el |la )?(?:recuerdo|memoria)(?: numero| num\.?)?", r"y|o|&")},
    ),
    beside=r"ok|okay|hola|oye|y|pues|entonces|por favor|porfa|gracias|ahora|puedes|otra vez",
)

LANGUAGES: Final = (ENGLISH, GERMAN, FRENCH, SPANISH)


def read(text: str, bot_name: str = "Hathi") -> Sequence[MemoryId]:
    """The numbers of the memories that a message as a whole asks for; none where it asks for anything else."""
    if not formulas.is_asked_with(text, ((each.asking, each.beside) for each in LANGUAGES), bot_name):
        return ()
    numbers = dict.fromkeys(MemoryId(int(found[0])) for found in _NUMBER.finditer(text))
    return [number for number in numbers if number][:MOST]
