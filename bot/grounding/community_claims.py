"""Finds claims about a community, its people and its affairs in a text that is to be of general knowledge."""

import re
from typing import Final

from bot.grounding import texts
from bot.language.questions import world_questions
from bot.text import sentences

_GROUP: Final = (
    r"(?:server|channel|community|guild|discord|club|group|team|crew|chat|thread|committee|board|council|association|"
    r"society|choir|band|company|workspace)"
)
_OFFICE: Final = (
    r"(?:treasurer|secretary|president|chair(?:man|woman|person)?|admin(?:istrator)?|mod(?:erator)?|owner|founder|"
    r"organi[sz]er|host|captain|coach|member|volunteer|landlord|caretaker|boss|manager)s?"
)
SAYS: Final = (
    r"(?:'s|is|was|are|were|has|had|will|does|did|says?|said|knows?|knew|thinks?|thought|wants?|prefers?|likes?|"
    r"owns?|owes?|runs?|ran|reads?|keeps?|kept|took|takes|stole|sold|bought|paid|pays|chose|went|made|got|gave|put|"
    r"left|lost|found|told|lied|lies|won|costs?|begins?|began|starts?|stands?|hangs?|[a-z]{2,20}ed)\b"
)
"""A verb by which something is stated, and not only thought possible."""
_CLAIMS: Final = tuple(
    re.compile(claim)
    for claim in (
        rf"\b(?:this|our) {_GROUP}\b",
        rf"\bthe {_GROUP} {SAYS}",
        rf"\b(?:the|our|your)(?: \w{{1,20}})? {_OFFICE}(?: (?:of|in|on) (?:the|this|our|your) {_GROUP})?,? {SAYS}",
        r"\b(?:members|admins|moderators|mods|volunteers) (?:voted|decided|agreed|said|chose|wanted|went)\b",
        r"\b(?:(?:every|some|any)(?:one|body)|nobody|no one|people|folks|members|all) (?:around )?here\b",
        rf"\b(?:in|on|of|from) (?:this|our|your) {_GROUP}\b",
        r"\b(?:it was|it's been|it has been) (?:decided|agreed|settled|voted|planned|announced)\b",
        r"\bthe (?:decision|vote|agreement|consensus) (?:was|is)\b",
        r"\bthere (?:was|has been) a (?:vote|decision|poll|discussion|meeting)\b",
        r"\b(?:dies\w{1,2}|unser\w{0,2}) (?:servers?|kanals?|gruppe|community|vereins?|teams?)\b",
        r"\b(?:ce|cette|notre) (?:serveur|salon|communaute|groupe|club|equipe|association)\b",
        r"\b(?:este|esta|nuestr[oa]) (?:servidor|canal|comunidad|grupo|club|equipo|asociacion)\b",
    )
)
_IT: Final = re.compile(rf"^\W*(?:(?:yes|no|well|sure|ok),? )?(?:it|he|she|they|that)(?P<after>(?: |(?=')){SAYS})")
"""Who or what was asked about, as the one that it is said of."""
_AS_KNOWN: Final = re.compile(r"\b(?:the|our|my|this|that) (\w{2,30})(?: (\w{2,30}))?")
_THING: Final = re.compile(rf"\b(?:the|our|your|my) (?P<thing>\w{{2,30}}) {SAYS}")
_LATIN: Final = re.compile("[a-z]{2}")
_DEFINED: Final = re.compile(
    r" (?:an?|one of|called|named|said|usually|often|typically|generally|commonly|mostly|also)\b"
)
"""Behind a verb, what tells of things of that kind and not of one of them."""


def found(answer: str, question: str) -> str:
    """The first claim about the community, in small letters; empty where there is none.

    To a question of those who ask, what is said of the very thing that was asked about is one, too.
    """
    low, asked = texts.folded(texts.plain(answer)), texts.folded(question)
    claim = next((one for pattern in _CLAIMS if (one := pattern.search(low))), None)
    if claim is not None:
        return claim[0]
    if not world_questions.is_of_here(question):
        return ""
    first = _IT.match(low)
    if first and not _DEFINED.match(low, first.end()):
        return first[0]
    return _of_the_thing(low, asked) or _in_another_script(answer, question)


def _of_the_thing(low: str, asked: str) -> str:
    """What is said of a thing that the question speaks of as known: "the key is under the mat"."""
    things = {word for names in _AS_KNOWN.findall(asked) for word in names if texts.is_content(word)}
    for statement in _THING.finditer(low):
        is_asked = statement["thing"] in things
        if is_asked and not _DEFINED.match(low, statement.end()):
            return statement[0]
    return ""


def _in_another_script(answer: str, question: str) -> str:
    """A sentence in letters that the question has none of."""
    known = texts.scripts(question)
    pieces = (piece for line in texts.folded(answer).splitlines() for piece in sentences.pieces(line))
    return next((piece for piece in pieces if texts.scripts(piece) - known and not _LATIN.search(piece)), "")
