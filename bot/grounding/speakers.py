"""Checks that statements are attributed to whoever made them, and that two people of one name stay apart."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from bot.grounding import texts, vocabulary
from bot.grounding.case import Case
from bot.grounding.faults import Fault, FaultKind
from bot.grounding.texts import AnswerPart, ShownText
from bot.text import patterns

_PART: Final = re.compile(r"[^\W_]+")
_VERBS: Final = vocabulary.SPEECH | vocabulary.STATE
_BEFORE: Final = re.compile(
    r"(?:\baccording to|\b(?:said|says|wrote|suggested|proposed|told) by|\bsa(?:id|ys)|\bby|\bthat was|\bit was|\blaut|"
    r"\bsagt(?:e)?|\bschrieb|\bmeint(?:e)?|\bso|\bselon|\bd'apres|\bdit|\bsegun|\bdijo|\bc'est|\bfue|\bdas war|"
    r"\bes war|\baccording to)\s*$"
)
_BEFORE_ENDS: Final = (
    "to",
    "by",
    "said",
    "says",
    "was",
    "laut",
    "sagt",
    "sagte",
    "schrieb",
    "meint",
    "meinte",
    "so",
    "selon",
    "d'apres",
    "dit",
    "segun",
    "dijo",
    "c'est",
    "fue",
    "war",
)
"""What all of these end with."""
_WINDOW: Final = 40
"""Characters before a name in which it is looked for what it does there."""
_AFTER: Final = 3
"""Words after it in which the same is looked for."""
_ADVERBS: Final = patterns.vocabulary(
    """
    also just then both now always never only already still really even hat ha a
    """
)
_OPENS: Final = re.compile(r"(?:[,;:.]|\b(?:and|that|while|but|und|et|y|dass|que))\s*$")
_OPEN_ENDS: Final = (",", ";", ":", ".", "and", "that", "while", "but", "und", "et", "y", "dass", "que")
_OBJECT: Final = re.compile(
    r"\b(?:told|tell|tells|ask|asked|asks|to|for|with|gave|give|gives|help|helped|met|meet|from|than|like|thanks?|hi|"
    r"hey|fur|mit|von|bat|pour|avec|para|con|a|@)[ @]*$"
)
_FIRST_PERSON: Final = re.compile(
    r"\b(?:i|i'm|i've|i'd|i'll|my|mine|me|ich|mein\w*|mir|mich|je|j'\w+|mon|ma|mes|yo|mi|mis)\b"
)
_TOGETHER: Final = re.compile(
    r"\b(?:we|we're|we've|we'll|us|our|let's|you|team|everyone|all|wir|uns|unser\w*|nous|notre|on|"
    r"nosotros|nuestr\w+|hemos|\w+amos|\w+emos)\b"
)
_YOU_SAID: Final = re.compile(
    r"\byou (?:\w+ )?(?:said|say|told|mentioned|wrote|suggested|asked|promised|noted|proposed|"
    r"announced|posted|warned)\b"
    r"|\b(?:du (?:sagtest|schriebst|meintest|hast [^.,;]{0,60}gesagt)|tu (?:as dit|disais)|dijiste)\b|"
    r"\byour (?:words|message)\b"
)
_YOU_DO: Final = re.compile(
    r"\byou(?:'re|'ve|'d)? (?:\w+ )?(?:want|wanted|like|liked|love|prefer|preferred|hate|chose|picked|"
    r"live|work|own|bought|"
    r"ordered|need|think|thought|believe|offered|plan|planned|eat|drink|maintain|keep|have been|are|am|can|can't)\b"
    r"|\byour (?:favou?rite|birthday|name|address|dog|cat|job)\b"
)
_MOST_NAMED: Final = 20
"""People of one claim, in each of the parts they have in it."""
_ADDED: Final = re.compile(
    r"\W*(?:as well as|and also|along with|together with|and|plus|sowie|und|ainsi que|et|asi como|y)\b"
)
_SAME: Final = re.compile(r"(?:^|[,;:] |\b(?:and|that|but|while) )(?:he|she)(?:'s|'ll|'d)?\b")
"""Who was spoken of last, as the one who says or does it."""
_PRONOUNS: Final = patterns.vocabulary(
    """
    i you he she they we it er sie wir ihr es il elle on nous vous ils ella ellos
    """
)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Named:
    """A person named in an answer."""

    parts: tuple[str, ...]
    """Folded words, `ana silva` or only `ana`."""
    is_speaker: bool
    """Whether the claim says that they said or did it."""
    is_telling: bool
    """Whether it says that they said it, not that they are or want it."""

    def is_in(self, name: str) -> bool:
        """Whether a folded whole name may be this person's."""
        words = texts.words(name)
        return all(part in words for part in self.parts)


def faults(case: Case) -> Iterator[Fault]:
    """Claims given to somebody who did not make them."""
    known: set[tuple[str, ...]] = set()
    before: tuple[_Named, ...] = ()
    for claim in case.claims:
        if claim.is_heading:
            continue
        named = _named(case, claim)
        if not named and ((claim.goes_on and _is_listed(claim)) or (len(before) == 1 and _SAME.search(claim.folded))):
            named = before
        before = named or before
        for one in named:
            if one.parts in known:
                continue
            known.add(one.parts)
            if _is_two(case, one):
                name = " ".join(one.parts).title()
                yield Fault(kind=FaultKind.MERGED, reason=f"It spoke of {name} as one person, but there are two.")
        if not claim.is_open:
            yield from _misattributed(case, claim, named)
            yield from _to_asker(case, claim, named)


def _is_listed(claim: AnswerPart) -> bool:
    """Whether a claim only adds to the one before: "as well as the newsletter", "and wants tabs"."""
    added = _ADDED.match(claim.folded)
    words = texts.words(claim.folded[added.end() :]) if added else []
    if words and (words[0] in _VERBS or (words[0].endswith("s") and words[0][:-1] in _VERBS)):
        return True
    return bool(words) and not any(word in _VERBS or word in _PRONOUNS for word in words)


def _misattributed(case: Case, claim: AnswerPart, named: tuple[_Named, ...]) -> Iterator[Fault]:
    speakers = [one for one in named if one.is_speaker]
    if not speakers:
        return
    own = case.own(claim)
    for shown in own:
        is_named = any(_is_by(one, shown) or _is_told_of(one, shown) for one in named)
        if shown.author and not is_named:
            yield _fault(speakers[0], shown)
            return
    rests_on = own or case.rests_on(claim)
    for one in speakers:
        if not any(_is_by(one, shown) or _is_told_of(one, shown) or not shown.author for shown in rests_on):
            yield _fault(one, rests_on[0] if rests_on else None)
            return
        if not one.is_telling and (other := _other_doer(case, one, named, claim, own)):
            yield _fault(one, other)
            return


def _other_doer(
    case: Case, one: _Named, named: tuple[_Named, ...], claim: AnswerPart, own: tuple[ShownText, ...]
) -> ShownText | None:
    """The evidence that says it of somebody else: Ana wrote that Ben wants tabs, or that Ben does and Cleo does not."""
    said = frozenset(texts.stems(claim.folded)) - case.ground.person_stems
    for shown in own:
        shares = [(len(said & clause.stems), clause.text) for clause in shown.clauses]
        most = max((share for share, _text in shares), default=0)
        if not most or _TOGETHER.search(shown.content):
            continue
        near = [text for share, text in shares if share == most]
        if any(_FIRST_PERSON.search(text) or any(part in texts.words(text) for part in one.parts) for text in near):
            continue
        if any(_is_of_other(case, text, named, shown) for text in near):
            return shown
    return None


def _is_of_other(case: Case, text: str, named: tuple[_Named, ...], shown: ShownText) -> bool:
    """Whether a clause speaks of somebody the claim does not name, as the one who does it."""
    spoken = {part for each in named for part in each.parts}.union(texts.words(shown.author), vocabulary.COMMON)
    others = [word for word in texts.words(text) if word in case.ground.persons and word not in spoken]
    return bool(others) and not _OBJECT.search(text[: text.find(others[0])])


def _to_asker(case: Case, claim: AnswerPart, named: tuple[_Named, ...]) -> Iterator[Fault]:
    """What is said of "you" and was somebody else's."""
    text = claim.folded
    is_told = _YOU_SAID.search(text)
    if not case.ground.asker or not (is_told or _YOU_DO.search(text)):
        return
    for shown in case.own(claim):
        is_own = not shown.author or _same(shown.author, case.ground.asker) or case.ground.asker in shown.text
        is_others = any(_is_by(one, shown) for one in named)
        is_personal = bool(_FIRST_PERSON.search(shown.content)) and not _TOGETHER.search(shown.content)
        if not is_own and not is_others and (is_told or is_personal):
            author = shown.evidence.author
            yield Fault(kind=FaultKind.ATTRIBUTION, reason=f"It said that of you, but {author} wrote {shown.label}.")
            return


def _named(case: Case, claim: AnswerPart) -> tuple[_Named, ...]:
    """The people a claim names, in order, each once."""
    text = texts.bare(claim.text)
    low = text.lower()
    tokens = list(_PART.finditer(low))
    has_content = not case.ground.persons.issuperset(texts.content(low))
    opening = len(low) - len(low.lstrip(" ,.;:"))
    found: list[tuple[tuple[str, ...], bool, bool]] = []
    end = 0
    names = [at for at, token in enumerate(tokens) if _is_name(case, text, token)]
    around: set[tuple[bool, int, int, str]] = set()
    for at in names:
        if at < end:
            continue
        end = at + 1
        while end < len(tokens) and _goes_on(case, text, tokens[end - 1], tokens[end]):
            end += 1
        start = tokens[at].start()
        is_first = start <= opening
        # What stands around a name says who did it: where all of that is as before, so is what it says.
        last = tokens[min(end + _AFTER, len(tokens)) - 1].end()
        place = is_first, min(start, _WINDOW), end - at, low[max(0, start - _WINDOW) : last + len("'s")]
        if place in around:
            continue
        around.add(place)
        does, tells = _part_of(low, tokens, at, end, is_first=is_first)
        found.append((tuple(_base(case, token[0]) for token in tokens[at:end]), does or not has_content, tells))
    distinct = list(dict.fromkeys(found))[:_MOST_NAMED]
    return tuple(_Named(parts=parts, is_speaker=speaks, is_telling=tells) for parts, speaks, tells in distinct)


def _part_of(low: str, tokens: list[re.Match[str]], at: int, end: int, *, is_first: bool) -> tuple[bool, bool]:
    """Whether the words around a name, which is those from `at` to before `end`, say they did it, or said it."""
    start = tokens[at].start()
    before = low[max(0, start - _WINDOW) : start]
    last = before.rstrip()
    after = [token[0] for token in tokens[end : end + _AFTER]]
    verb = next((word for word in (after[1:] if after[:1] == ["s"] else after) if word not in _ADVERBS), "")
    tells = verb in vocabulary.SPEECH or (last.endswith(_BEFORE_ENDS) and bool(_BEFORE.search(before)))
    is_verb = verb in _VERBS or verb.endswith("ed") or (verb.endswith("s") and len(verb) > 3)
    if tells or not (is_verb or low.startswith("'s", tokens[end - 1].end())):
        return tells, tells
    return is_first or (last.endswith(_OPEN_ENDS) and bool(_OPENS.search(before))), tells


def _is_name(case: Case, text: str, token: re.Match[str]) -> bool:
    word = token[0]
    return (
        text[token.start()].isupper()
        and len(word) > 1
        and (case.ground.is_person(word) or word in case.ground.asked_after)
    )


def _goes_on(case: Case, text: str, before: re.Match[str], token: re.Match[str]) -> bool:
    """Whether a word is the next of a name."""
    return token.start() == before.end() + 1 and text[before.end()] == " " and _is_name(case, text, token)


def _base(case: Case, word: str) -> str:
    return word if word in case.ground.persons else word.removesuffix("s")


def _is_by(one: _Named, shown: ShownText) -> bool:
    return bool(shown.author) and one.is_in(shown.author)


def _is_told_of(one: _Named, shown: ShownText) -> bool:
    """Whether evidence speaks of a person, other than as of the one it was said to or done for."""
    text = shown.text
    if not all(part in text for part in one.parts):
        return False
    spots = [found.start() for found in re.finditer(rf"\b{re.escape(one.parts[0])}(?:'?s)?\b", text)]
    if not spots:
        return False
    return not _FIRST_PERSON.search(text) or any(not _OBJECT.search(text[:spot][-20:]) for spot in spots)


def _is_two(case: Case, one: _Named) -> bool:
    """Whether the name alone fits two people whose words the answer rests on."""
    if len(one.parts) != 1:
        return False
    shown = [case.ground.by_label[label] for label in case.cited if label in case.ground.by_label]
    names = {each.author for each in shown if _is_by(one, each)}
    called = case.ground.whole_names.get(one.parts[0], ())
    names |= {name for name in called if any(name in each.text for each in shown)}
    return len(names) > 1


def _same(one: str, other: str) -> bool:
    return one == other or texts.words(one)[:1] == texts.words(other) or texts.words(other)[:1] == texts.words(one)


def _fault(one: _Named, shown: ShownText | None) -> Fault:
    name = " ".join(one.parts).title()
    whose = f"{shown.evidence.author} wrote {shown.label}" if shown and shown.evidence.author else "nothing says so"
    return Fault(kind=FaultKind.ATTRIBUTION, reason=f"It gave {name} as the one who said or did it, but {whose}.")
