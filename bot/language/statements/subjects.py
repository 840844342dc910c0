"""Finds whom a text tells of: its writer, by "I", or somebody by a name that is written as one."""

import itertools
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from bot.domain import Mentions, PersonId
from bot.language.past.generic_words import GENERIC
from bot.language.statements import subject_words
from bot.language.statements.topic_words import PRONOUNS
from bot.text import folding, patterns, short_forms

MOST_WORDS: Final = 400
"""Words of a text that are read: whom it tells of stands at its beginning."""
_LEAST: Final = 3
"""Letters of a name in small letters."""
_LONGEST_NAME: Final = 3
"""Words of a name."""
_TOKEN: Final = re.compile(r"\w+(?:['\u2019.-]\w+)*")
_MENTION: Final = re.compile(r"<@!?(\d{1,19})>")
"""Somebody whose name was not known where it was written."""
_POSSESSIVE: Final = re.compile(r"['\u2019]s\Z")
_BEFORE: Final = 16
"""Characters before a word that are looked at for the end of a sentence."""
_ENDS: Final = frozenset(".!?:;\n\u2026")
"""What a sentence ends with; a capital behind it need not be a name's."""
_WRITER: Final = patterns.vocabulary(
    """
    i i'm i've i'd i'll my mine me myself ich mein meine meinen meinem meiner meines mir mich je moi yo
    soy estoy tengo vivo prefiero quiero necesito puedo conmigo mi mis
    """
)
"""Spanish leaves the pronoun to the verb."""
_HURRIED: Final = patterns.vocabulary("ill id")
"""Contractions that are other words too, but before what one does."""
_INTENDED: Final = patterns.vocabulary(
    """
    be have do get go come take make bring give keep need want like love prefer rather help fix try see send tell ask
    say buy sell use borrow lend pick drop start finish leave stay join miss wait call write work never always also
    """
)
"""What follows such a contraction."""
_ELIDED: Final = re.compile(r"[jm]'(?=\w)")
"""How a French word begins that tells of its writer: `j'habite`, `m'appelle`."""
_TIMES: Final = patterns.vocabulary(
    """
    january february march april may june july august september october november december jan feb mar apr jun jul aug
    sep sept oct nov dec monday tuesday wednesday thursday friday saturday sunday mon tue tues wed thu fri sat sun
    """
)
"""Words with a capital that are also people's names; such a one is read as a time."""
_NO_NAMES: Final = GENERIC | PRONOUNS | _TIMES
"""Words that are no names in small letters, whoever is called so."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Subject:
    """Somebody a text tells of."""

    names: tuple[str, ...] = ()
    """What they may be called, in small letters, the longest first; empty for the writer."""
    person_id: PersonId | None = None
    """Who it is, where they were mentioned."""
    is_small: bool = False
    """Whether the name stands in small letters, and may be any word."""

    @property
    def is_writer(self) -> bool:
        """Whether it is whoever wrote the text."""
        return not self.names and self.person_id is None


def tells_of_writer(text: str) -> bool:
    """Whether a text tells of whoever wrote it, by "I": the same words are another fact in another's mouth."""
    tokens = _tokens(text)
    return any(_is_writer(tokens, index) for index in range(len(tokens)))


def told_of(text: str, mentioned: Mentions) -> Iterator[Subject]:
    """Whom a text may tell of, in its order; `mentioned` are people by the names their mentions were replaced with.

    A name counts where it stands behind an @ or has a capital that does not only begin a sentence of everyday words.
    Another word of which something is told as of somebody may be a name in small letters: who knows the people decides.
    """
    places = [(match.start(), Subject(person_id=PersonId(int(match[1])))) for match in _MENTION.finditer(text)]
    places += [(at, Subject(person_id=who)) for name, who in mentioned.items() if (at := text.find(f"@{name}")) >= 0]
    known = {at for at, _ in places}
    tokens = _tokens(text)
    is_shouted = text.isupper()
    for index, token in enumerate(tokens):
        start = token.start()
        at = start - 1 if text[start - 1 : start] == "@" else start
        if _is_writer(tokens, index) and at == start:
            places.append((at, Subject()))
        elif at not in known and (names := _names(text, tokens, index, is_sure=at < start, is_shouted=is_shouted)):
            places.append((at, Subject(names=names)))
        elif at not in known and _may_be_small(tokens, index):
            places.append((at, Subject(names=(_plain(token),), is_small=True)))
    return (told for _, told in sorted(places, key=lambda place: place[0]))


def is_thing(text: str, word: str) -> bool:
    """Whether a text speaks of something by that word, "the storm", and not of somebody."""
    return any(
        _plain(token) == word and _plain(before) in subject_words.ARTICLES
        for before, token in itertools.pairwise(_tokens(text))
    )


def _tokens(text: str) -> list[re.Match[str]]:
    """The words of a text that are read."""
    return [match for match, _ in zip(_TOKEN.finditer(text), range(MOST_WORDS), strict=False)]


def _may_be_small(tokens: list[re.Match[str]], index: int) -> bool:
    """Whether a word in small letters stands where a name does: it is whose something is, or does or is something."""
    word, plain = tokens[index][0], _plain(tokens[index])
    if not word.islower() or len(plain) < _LEAST or plain in _NO_NAMES:
        return False
    if index and _plain(tokens[index - 1]) in subject_words.ARTICLES:
        return False
    if _POSSESSIVE.search(word) is not None:
        return True
    following = tokens[index + 1][0] if index + 1 < len(tokens) else ""
    return following.islower() and folding.folded(following.replace("\u2019", "'")) in subject_words.PREDICATES


def _names(text: str, tokens: list[re.Match[str]], index: int, *, is_sure: bool, is_shouted: bool) -> tuple[str, ...]:
    """The names that may begin at a word, the longest first; behind an @ however they are written."""
    first = tokens[index]
    if not is_sure and (is_shouted or not first[0][0].isupper()):
        return ()
    run = [first]
    for place in range(index + 1, min(index + _LONGEST_NAME, len(tokens))):
        token = tokens[place]
        is_next = token.start() == run[-1].end() + 1 and text[run[-1].end()] == " "
        if not is_next or _is_writer(tokens, place) or not (is_sure or token[0][0].isupper()):
            break
        run.append(token)
    names = tuple(" ".join(map(_plain, run[:size])) for size in range(len(run), 0, -1))
    return names if is_sure or _is_name(text, first) else names[:-1]


def _is_name(text: str, token: re.Match[str]) -> bool:
    """Whether one word with a capital is a name, as far as its writing tells."""
    word = _plain(token)
    if len(word) == 1 or word in _TIMES:
        return False
    before = text[max(0, token.start() - _BEFORE) : token.start()].rstrip(" \t\"'(\u201c\u2018*_>-")
    return word not in GENERIC or bool(before and before[-1] not in _ENDS)


def _is_writer(tokens: list[re.Match[str]], index: int) -> bool:
    """Whether a word is whoever writes, however hurriedly: `I'm`, `im`, `ill` before what they do."""
    plain = _plain(tokens[index])
    if plain in _HURRIED:
        return index + 1 < len(tokens) and _plain(tokens[index + 1]) in _INTENDED
    return short_forms.CONTRACTIONS.get(plain, plain) in _WRITER or _ELIDED.match(plain) is not None


def _plain(token: re.Match[str]) -> str:
    return _POSSESSIVE.sub("", token[0]).replace("\u2019", "'").lower()
