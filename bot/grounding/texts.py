"""Splits answers and evidence into sentences, clauses, claims and stems, ready to compare."""

import dataclasses
import functools
import re
import unicodedata
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from bot.dates import day_words
from bot.grounding import citations, vocabulary
from bot.layers.walk import Evidence
from bot.text import folding, lookalikes, patterns, sentences

_STRAIGHT: Final = (
    *((chr(mark), straight) for mark, straight in patterns.STRAIGHT_QUOTES.items()),
    ("\u00df", "ss"),
    ("\u2011", "-"),
)
"""What is written otherwise, one by one: to replace what is not there is far quicker than `str.translate`."""
_ACCENTS: Final = re.compile("[\u0300-\u036f]+")
WORD: Final = re.compile(r"[^\W_]+(?:'[^\W_]+)?")
BLANKLESS: Final = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u30a0-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff]+"
)
"""Letters of scripts that set no blanks between words; Japanese endings are written in others."""
_FOREIGN: Final = re.compile(r"[^\W\d_a-z\u00c0-\u024f]{2,}")
_EMPHASIS: Final = re.compile(r"\*{1,3}|~~|\|\||(?<![\w/])_{1,2}(?=\w)|(?<=\w)_{1,2}(?![\w/])")
_FENCE: Final = re.compile(r"^[^\S\n]*```\w*[^\S\n]*$", re.MULTILINE)
_HEADING: Final = re.compile(r"^\s*(?:#{1,6}\s|-#\s)|^\s*\*\*[^*\n]+\*\*:?\s*$")
_OPENING: Final = re.compile(r"^\s*(?:(?:[-*+\u2022\u2013>|]|#{1,6}|-#|\d{1,2}[.)]|\[[ x]?\])\s+){0,3}")
_ORDINAL_DAY: Final = re.compile(rf"\b(\d{{1,2}})\. (?={patterns.any_of(day_words.MONTHS)}\b)", re.IGNORECASE)
_CLAUSE: Final = re.compile(
    r"[;\u2013\u2014()]|,(?!\d)|:(?!\d)|\.\s| - |"
    r"\band (?=(?:hate|dislik|refus|reject|avoid|don't|do not|doesn't|does not|can't|cannot|won't|isn't|aren't|is not|"
    r"are not))|"
    r"\b(?:but|because|so that|although|though|however|while|whereas|since|aber|weil|sondern|obwohl|wahrend|mais|"
    r"parce que|car|alors que|pero|porque|sino|aunque|mientras)\b|"
    r"(?=\b(?:instead of|rather than|statt|au lieu de|en vez de|and not|and never|und nicht|und nie|et pas|et jamais|"
    r"y no|y nunca)\b)"
)
"""Of a folded text."""
_ENDINGS: Final = (
    "ements",
    "ations",
    "ungen",
    "ation",
    "ement",
    "ments",
    "ities",
    "ness",
    "ment",
    "ions",
    "ings",
    "ung",
    "ion",
    "ing",
    "ies",
    "ied",
    "ity",
    "ers",
    "ern",
    "est",
    "ed",
    "er",
    "es",
    "en",
    "em",
    "ly",
    "as",
    "os",
    "an",
    "ar",
    "ir",
    "s",
    "e",
    "a",
    "o",
)
_NO_CONTENT: Final = vocabulary.ALL_FUNCTION | vocabulary.SPEECH
_SHORTEST_STEM: Final = 3
_PREFIX: Final = 5
"""Letters by which two long words are taken for forms of one."""


class Clause(NamedTuple):
    """Part of a sentence with one statement: its content words, and whether it affirms or denies.

    A tuple, as a text may have hundreds of them, and to tell these apart is quick.
    """

    text: str
    """Folded."""
    stems: frozenset[str]
    is_negative: bool

    @property
    def bound(self) -> str:
        """The word by which it holds only up to or from some point: `until`, `before`; empty for most."""
        found = _BOUND.search(self.text)
        return found[0] if found else ""


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerPart:
    """A part of an answer, up to its citation."""

    text: str
    """Without citations and emphasis, as written."""
    cited: tuple[str, ...]
    """What it cites itself."""
    is_heading: bool
    is_open: bool
    """Whether it claims nothing: a question, a courtesy, "I don't know"."""
    goes_on: bool
    """Whether it goes on in the sentence of the claim before it."""
    folded: str
    """For comparing."""


class ShownText:
    """One piece of evidence, prepared for comparison."""

    def __init__(self, evidence: Evidence) -> None:
        self.evidence = evidence
        self.label = evidence.label.upper()
        self.content = folded(evidence.content)
        self.text = folded(f"{evidence.title}\n{evidence.content}")
        self.author = folded(lookalikes.owner(evidence.author or ""))
        self.clauses = clauses(evidence.content)
        self.stems = frozenset(stems(self.text))


def bare(text: str) -> str:
    """The text with straight quotes and without accents, its capitals kept."""
    if text.isascii():
        return text
    for mark, straight in _STRAIGHT:
        text = text.replace(mark, straight)
    text = folding.unmixed(text)
    if text.isascii():
        return text
    return _ACCENTS.sub("", unicodedata.normalize("NFD", unicodedata.normalize("NFKC", text)))


def folded(text: str) -> str:
    """The text in small letters, with straight quotes and without accents."""
    return bare(text).lower()


def plain(text: str) -> str:
    """The text without marks of emphasis."""
    return _EMPHASIS.sub("", text) if any(mark in text for mark in "*_~|") else text


def words(text: str) -> list[str]:
    """The words of a folded text, possessives aside."""
    found: list[str] = WORD.findall(text)
    return [word.removesuffix("'s") for word in found] if "'s" in text else found


@functools.lru_cache(maxsize=8192)
def stem(word: str) -> str:
    """A folded word without its endings; rough, and the same for all four languages."""
    if word in vocabulary.IRREGULAR:
        return vocabulary.IRREGULAR[word]
    if not word.isalpha():
        return word
    for _round in range(2):
        ending = next((one for one in _ENDINGS if word.endswith(one) and len(word) - len(one) >= _SHORTEST_STEM), "")
        word = word[: len(word) - len(ending)] if ending else word
    if len(word) > _SHORTEST_STEM and word[-1] == word[-2]:
        word = word[:-1]
    return vocabulary.IRREGULAR.get(word, f"{word[:-1]}i" if word.endswith("y") else word)


def stems(text: str, *, apart_from: Collection[str] = ()) -> list[str]:
    """The stems of the content words of a folded text, in order."""
    return [stem(word) for word in content(text) if word not in apart_from]


def content(text: str) -> list[str]:
    """The content words of a folded text, in order."""
    return [word for word in words(text) if word not in _NO_CONTENT and (len(word) > 1 or word.isdigit())]


def is_content(word: str) -> bool:
    """Whether a folded word is one of content."""
    return word not in _NO_CONTENT and (len(word) > 1 or word.isdigit())


def is_akin(one: str, others: Collection[str], beginnings: Collection[str]) -> bool:
    """Whether a stem is among the others, or a long one begins as one of them does."""
    return one in others or (len(one) >= _PREFIX and one[:_PREFIX] in beginnings)


def beginnings(of: Collection[str]) -> frozenset[str]:
    """What `is_akin` compares the beginnings of long stems with."""
    return frozenset(one[:_PREFIX] for one in of if len(one) >= _PREFIX)


_BOUND: Final = re.compile(
    r"\b(?:until|till|before|only|from|yet|after|bis|vor|erst|nur|ab|jusqu|avant|seulement|hasta|antes|solo)\b"
)
_BARE_DENIAL: Final = re.compile(
    r"\s*(?:and |but |und |aber |et |mais |y |pero )?(?:not|never|nicht|nie|niemals|pas|jamais|nunca)\b"
    r"(?! (?:\w+ )?(?:to|be|been)\b)"
)
CALENDAR: Final = frozenset(
    stem(word) for table in (day_words.MONTHS, day_words.WEEKDAYS) for word in table
) | frozenset(str(number) for number in range(1, 32))
"""Stems that only say when."""
_NEGATOR: Final = re.compile(vocabulary.NEGATORS)
_NO_NEGATOR: Final = re.compile(vocabulary.NO_NEGATORS)
_WITHOUT: Final = re.compile(r"\b(?:without|ohne|sans|sin)\b")
_OPEN: Final = re.compile(vocabulary.OPEN)
_BUT: Final = re.compile(r"\b(?:but|however|aber|jedoch|mais|pero)\b")


def clauses(text: str) -> tuple[Clause, ...]:
    """The clauses of a text that says something, each once; questions say nothing."""
    lines = dict.fromkeys(filter(str.strip, plain(text).splitlines()))
    sentences = dict.fromkeys(sentence for line in lines for sentence in _sentences(line))
    read = functools.cache(clause)
    found: list[Clause] = []
    for sentence in sentences:
        if not sentence.rstrip().endswith("?"):
            parts = [each for part in _CLAUSE.split(folded(sentence)) for each in _without_apart(part)]
            found += _completed([read(part) for part in parts])
    return tuple(dict.fromkeys(one for one in found if one.stems))


def _completed(parts: Sequence[Clause]) -> Iterator[Clause]:
    """The clauses of a sentence; a bare "never on Fridays" denies of Fridays what the one before says of Thursdays."""
    before: Clause | None = None
    for one in parts:
        if before and one.stems and _BARE_DENIAL.match(one.text) and not before.is_negative:
            said = before.stems - CALENDAR if one.stems <= CALENDAR else before.stems
            yield Clause(text=one.text, stems=one.stems | said, is_negative=True)
        else:
            yield one
            before = one if one.stems else before


def _without_apart(part: str) -> tuple[str, ...]:
    """What is done without something is done: the rest of the clause is not denied, and may be with it."""
    found = _WITHOUT.search(part)
    if not found or _NEGATOR.search(_NO_NEGATOR.sub(" ", part[: found.start()])):
        return (part,)
    return part[: found.start()], part[found.start() :], part


def clause(text: str) -> Clause:
    """A folded part of a sentence as one clause."""
    bared = _NO_NEGATOR.sub(" ", text)
    rest, count = _NEGATOR.subn(" ", bared)
    return Clause(text=text, stems=frozenset(stems(rest)), is_negative=count % 2 == 1)


def unopened(text: str) -> str:
    """A folded text without the words by which it claims nothing, as "I don't know"."""
    return _OPEN.sub(" ", text)


def scripts(text: str) -> frozenset[str]:
    """The scripts of a text, Latin aside, by how Unicode names their letters."""
    if text.isascii():
        return frozenset()
    return frozenset(_script(run[0]) for run in _FOREIGN.findall(text))


def _script(letter: str) -> str:
    name = unicodedata.name(letter, "").partition(" ")[0]
    return "CJK" if name in {"HIRAGANA", "KATAKANA", "KATAKANA-HIRAGANA"} else name


def claims(answer: str) -> tuple[AnswerPart, ...]:
    """The answer cut at the ends of its sentences and after its citations."""
    found: list[AnswerPart] = []
    for line in filter(str.strip, _FENCE.sub("", answer).replace("```", " ").splitlines()):
        is_heading = bool(_HEADING.match(line)) or (line.rstrip().endswith(":") and not citations.GROUP.search(line))
        # A quoted line is looked at by the check of quotes; here it is a sentence like any other.
        opened = _OPENING.sub("", line)
        for sentence in _sentences(opened):
            for at, (text, cited) in enumerate(_cut(sentence)):
                if WORD.search(text):
                    found.append(_claim(text, cited, is_heading=is_heading, goes_on=at > 0))
                elif cited and found:
                    found[-1] = dataclasses.replace(found[-1], cited=(*found[-1].cited, *cited))
    return tuple(found)


def language(text: str) -> str:
    """The language most of the function words of a folded text are of; English where that is not plain."""
    said = words(text)
    counts = {name: sum(map(table.__contains__, said)) for name, table in vocabulary.FUNCTION.items()}
    most = max(counts, key=lambda name: counts[name])
    return most if counts[most] > max(1, counts["english"]) else "english"


def _sentences(line: str) -> tuple[str, ...]:
    """The sentences of a line; the stop of `4. Juli` ends none."""
    plain_line = bare(line)
    if ". " in plain_line and len(plain_line) == len(line):
        for day in reversed(list(_ORDINAL_DAY.finditer(plain_line))):
            line = line[: day.end(1)] + line[day.end(1) + 1 :]
    return sentences.split(line) or (line,)


def _cut(sentence: str) -> Iterator[tuple[str, tuple[str, ...]]]:
    """The parts of a sentence, each with the labels right after it; a citation with no words before it stands alone."""
    last = 0
    for group in citations.GROUP.finditer(sentence):
        yield sentence[last : group.start()], citations.labels_of(group)
        last = group.end()
    yield sentence[last:], ()


def _claim(text: str, cited: tuple[str, ...], *, is_heading: bool, goes_on: bool) -> AnswerPart:
    text = plain(text).strip()
    low = folded(text)
    is_open = low.endswith("?") or bool(_OPEN.search(low) and not _BUT.search(low))
    return AnswerPart(text=text, cited=cited, is_heading=is_heading, is_open=is_open, goes_on=goes_on, folded=low)
