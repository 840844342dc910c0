"""One answer, its question and the evidence, parsed once for all checks."""

import functools
import itertools
import re
from collections.abc import Collection, Iterable, Sequence
from datetime import date, datetime
from typing import Final

from bot.dates import day_words, days, written_dates
from bot.grounding import citations, numbers, texts, vocabulary
from bot.grounding.texts import AnswerPart, ShownText
from bot.layers.walk import Evidence

_LINK: Final = re.compile(r"https?://\S+|<[@#:][^<>\s]{1,100}>|(?<![\w.+-])[\w.+-]{1,64}@[\w-]{1,63}\.[\w.]{1,190}")
_ASKED_ABOUT: Final = re.compile(
    r"\b(?:did|does|has|had|would|is|was|what|when|where|why|how|that|hat|sagte|meinte|dit|dijo|"
    r"prefiere|quiere|veut)\s+"
    r"(?P<name>[A-Z][\w-]+(?: [A-Z][\w-]+)?)(?:\s+(?:say|said|tell|told|mention|mentioned|suggest|"
    r"suggested|promise|promised|"
    r"want|wanted|like|liked|love|prefer|preferred|think|thought|believe|offer|offered|choose|chose|decide|decided|"
    r"agree|agreed|live|eat|drink|buy|bring|propose|ask|write|report|recommend|warn|complain|gesagt|gemeint|"
    r"vorgeschlagen)\b|\s*\?|\s+(?:uber|sur|sobre|zu)\b)"
)
"""Somebody of whom is asked what they said or wanted."""
_CAPITAL: Final = re.compile(r"(?<=[\w,;] )(?P<word>[A-Z][a-z]\w+)")
_FIRST_PERSON: Final = re.compile(r"\b(?:i|i'm|i've|i'll|my|ich|mein\w*|je|j'\w+|mon|ma|yo|mi)\b")
_LABEL: Final = re.compile(r"(?<!\w)(?:#\d{1,18}|[MNAPS]\d{1,6})\b")
_SENTENCE: Final = re.compile(r"(?<=[.!?])\s+|\n+")
_ORDER: Final = re.compile(
    r"\b(?:ignore|disregard|forget) (?:all|any|your|the|every|previous|prior)\b|\b(?:answer|reply|"
    r"respond|output|print|repeat|"
    r"write|say) (?:only|with|exactly|just|the|this|that)\b|\byou (?:must|are now|will now)\b|^\W*system\b|"
    r"\b(?:ignorier\w*|vergiss) (?:alle|deine|die)\b|\bantworte (?:nur|mit)\b|\b(?:ignore[zr]?|"
    r"oublie[zr]?) (?:tes|toutes|les)\b|"
    r"\breponds? (?:seulement|par)\b|\b(?:ignora|olvida) (?:tus|todas|las)\b|\bresponde (?:solo|con)\b"
)
"""How a text speaks to a model that reads it."""
_ORDER_MARKS: Final = (
    "ignor",
    "disregard",
    "forget ",
    "answer ",
    "reply ",
    "respond ",
    "output ",
    "print ",
    "repeat ",
    "write ",
    "say ",
    "you must",
    "you are now",
    "you will now",
    "system",
    "vergiss ",
    "antworte ",
    "oublie",
    "repond",
    "olvida ",
    "responde ",
)
"""What it is not found without: to look for these is far quicker."""
_OVERRIDE: Final = re.compile(
    r"\b(?:ignore|disregard|forget)\b[^.;]{0,40}\b(?:rules?|instructions?|orders?|prompts?|mandates?)\b"
    r"|\b(?:ignorier\w*|vergiss)\b[^.;]{0,40}\b(?:regeln|anweisungen)\b"
    r"|\b(?:ignore[zr]?|oublie[zr]?)\b[^.;]{0,40}\b(?:regles|consignes|instructions)\b"
    r"|\b(?:ignora|olvida)\b[^.;]{0,40}\b(?:reglas|instrucciones)\b"
)
"""How it tells a model to break its rules: what such a sentence says besides is lent to no answer."""
_ITEM: Final = re.compile(r"^[ \t]*(?:[-*+\u2022]|\d{1,2}[.)])[ \t]", re.MULTILINE)
_HALF: Final = re.compile(vocabulary.HALVES)
_DAY: Final = 86_400
"""Seconds."""
_MOST_CLOCKS: Final = 8
_PUNCTUATION: Final = ".,;:!?)>]\"'*"


class ValueSource:
    """A text whose values an answer may use: a piece of evidence, or the question."""

    def __init__(self, text: str, said: date, *, is_evidence: bool = True) -> None:
        self.named = written_dates.read(without_links(texts.bare(text)), said)
        self.quantities = numbers.quantities(self.named.rest, tuple(vocabulary.FUNCTION), is_evidence=is_evidence)
        self.told = numbers.ShownNumbers(self.quantities)
        self.calendar = days.Calendar()
        self.calendar.add(self.named, said)
        ordinals = {int(min(one.values)) for one in self.quantities if one.is_ordinal and one.values}
        self.calendar.add_days_of_month(ordinals, said)
        self.days = days.days_of(self.named.mentions, said)

    @functools.cached_property
    def hours(self) -> frozenset[float]:
        """Bare numbers and lengths of time, which may be hours where no time of day is told."""
        plain = [one for one in self.quantities if not one.is_loose and (not one.unit or one.unit[0] == "time")]
        return frozenset(value for one in plain for value in one.values if not self.calendar.clocks)


class Case:
    """Everything the checks need of an answer, its question and the evidence."""

    def __init__(
        self,
        answer: str,
        evidence: Sequence[Evidence],
        question: str,
        *,
        asked_at: datetime,
        zone: str,
        people: Collection[str],
        asker: str,
    ) -> None:
        self.answer = answer
        self.claims = texts.claims(answer)
        self._asked = texts.bare(question)
        self.question = self._asked.lower()
        # What came before it tells what for.
        self.last_question = next(
            (one for one in reversed(_SENTENCE.split(self.question)) if "?" in one), self.question
        )
        """The last sentence of it that asks."""
        self.asked_on = days.local_day(asked_at, zone)
        self.zone = zone
        self.shown = tuple(ShownText(one) for one in evidence)
        self._said = {one: (at := one.evidence.said_at) and days.local(at, zone) for one in self.shown}
        self._days_said: dict[ShownText, days.Calendar] = {}
        self.by_label = {one.label: one for one in self.shown}
        self.asker = texts.folded(asker)
        self.people = tuple(dict.fromkeys(texts.folded(name) for name in people if name.strip()))
        self.bared_answer = citations.without(answer)
        """The answer without its citations."""
        shown = " ".join(one.content for one in self.shown)
        self.language = _language(texts.folded(answer), texts.folded(self.bared_answer), shown)
        self.question_source = ValueSource(question, self.asked_on)
        self._sources: dict[str, ValueSource] = {}
        self._reckoned: dict[str, tuple[float, ...]] = {}
        self._dated: dict[str, days.NamedDays] = {}
        self._periods: dict[str, frozenset[str]] = {}
        self._orders: dict[str, frozenset[str]] = {}

    @functools.cached_property
    def source_of_answer(self) -> ValueSource:
        """The values of the answer itself, citations aside."""
        return ValueSource(self.bared_answer, self.asked_on, is_evidence=False)

    @functools.cached_property
    def answer_stems(self) -> frozenset[str]:
        """The content of the answer, citations aside."""
        return frozenset(texts.stems(texts.folded(self.bared_answer)))

    @functools.cached_property
    def answer_periods(self) -> frozenset[str]:
        """What numbers of the answer are counted by."""
        return numbers.periods(texts.folded(self.answer))

    @functools.cached_property
    def question_periods(self) -> frozenset[str]:
        """The same of the question."""
        return numbers.periods(self.question)

    @functools.cached_property
    def languages(self) -> tuple[str, ...]:
        """The languages of what was shown, as far as they can be told."""
        return tuple(dict.fromkeys(texts.language(one.content) for one in self.shown))

    @functools.cached_property
    def cited(self) -> tuple[str, ...]:
        """The labels cited, in order of first mention, apart from those that are the text's own words."""
        return tuple(dict.fromkeys(label for claim in self.claims for label in self.cited_by(claim)))

    @functools.cached_property
    def all_cited(self) -> tuple[ShownText, ...]:
        """What the answer cites anywhere and was shown; all that was shown where it cites none of it."""
        return tuple(self.by_label[label] for label in self.cited if label in self.by_label) or self.shown

    @functools.cached_property
    def everybody(self) -> frozenset[str]:
        """Everyone's whole name that is known here: members, and who said what was shown."""
        said = (one.author for one in self.shown if one.author)
        asked = (found["name"].lower() for found in _ASKED_ABOUT.finditer(self._asked))
        names = frozenset({*self.people, *said, *filter(None, [self.asker])})
        return names | {name for name in asked if not any(name in texts.words(one) for one in names)}

    @functools.cached_property
    def persons(self) -> frozenset[str]:
        """The single words of those names."""
        return frozenset(part for name in self.everybody for part in texts.words(name) if len(part) > 1)

    @functools.cached_property
    def person_stems(self) -> frozenset[str]:
        """The same without their endings."""
        return frozenset(map(texts.stem, self.persons))

    @functools.cached_property
    def whole_names(self) -> dict[str, list[str]]:
        """The names of members that are of several words, by each of these."""
        found: dict[str, list[str]] = {}
        for name in self.people:
            for part in {*texts.words(name)} if " " in name else ():
                found.setdefault(part, []).append(name)
        return found

    @functools.cached_property
    def question_stems(self) -> frozenset[str]:
        """The content of the question."""
        return frozenset(texts.stems(self.question))

    @functools.cached_property
    def asked_names(self) -> tuple[str, ...]:
        """The names in the question: people known here, and what has a capital within a sentence, German aside."""
        found = [word for word in texts.words(self.question) if word in self.persons]
        if texts.language(self.question) != "german":
            capitals = (found["word"].lower() for found in _CAPITAL.finditer(self._asked))
            found += (word for word in capitals if not _is_no_name(word))
        return tuple(dict.fromkeys(word for word in found if word not in vocabulary.COMMON))

    @functools.cached_property
    def asked_after(self) -> frozenset[str]:
        """Names of the question that stand nowhere in what was shown, where all of it is told by people of themselves.

        Who is then said to have done it is somebody else than who did.
        """
        told = [shown for shown in self.shown if shown.author and _FIRST_PERSON.search(shown.content)]
        if len(told) < len(self.shown):
            return frozenset()
        there = frozenset(texts.words(" ".join(f"{shown.text} {shown.author}" for shown in self.shown)))
        return frozenset(self.asked_names) - there

    def cited_by(self, claim: AnswerPart) -> tuple[str, ...]:
        """The labels a claim carries; `(P1)` is none where somebody wrote of a P1."""
        return tuple(label for label in claim.cited if label in self.by_label or not self._is_word(label))

    def bared(self, claim: AnswerPart) -> str:
        """The text of a claim without links, and without the labels of what was shown, as in "memory #42"."""
        text = without_links(claim.text)
        if not any(label in text for label in self.by_label):
            return text
        return _LABEL.sub(lambda found: "" if found[0] in self.by_label else found[0], text)

    def held(self, claim: AnswerPart) -> tuple[ShownText, ...]:
        """What a claim may rest on: what it cites, or all that was shown where it cites nothing."""
        return self.own(claim) or self.shown

    def own(self, claim: AnswerPart) -> tuple[ShownText, ...]:
        """What a claim cites and was shown."""
        return tuple(self.by_label[label] for label in dict.fromkeys(claim.cited) if label in self.by_label)

    def rests_on(self, claim: AnswerPart) -> tuple[ShownText, ...]:
        """What a claim cites; of one that cites nothing, what the answer cites at all, else all that was shown."""
        return self.own(claim) or self.all_cited

    def dated(self, text: str) -> days.NamedDays:
        """The days and hours of a part of the answer, read once for all who ask."""
        if text not in self._dated:
            self._dated[text] = written_dates.read(text, self.asked_on)
        return self._dated[text]

    def reckoned(self, text: str) -> tuple[float, ...]:
        """What a part of the answer may have reckoned from what the answer rests on."""
        if text not in self._reckoned:
            shown = [told for each in self.all_cited if (told := self.source(each).quantities)]
            spoken = (text, *(each.text for each in self.all_cited)) if shown else ()
            is_halved = any(_HALF.search(part) for part in spoken)
            self._reckoned[text] = numbers.reckoned(text, shown, is_halved=is_halved)
        return self._reckoned[text]

    @functools.cached_property
    def countable(self) -> frozenset[int]:
        """What an answer may count of its own: what it cites, who said that, and what it lists."""
        cited = [self.by_label[label] for label in self.cited if label in self.by_label]
        claims = sum(not claim.is_heading for claim in self.claims)
        return frozenset((len(self.cited), len({one.author for one in cited}), claims, claims - 1, len(self.shown)))

    @functools.cached_property
    def listed(self) -> int:
        """How many lines of the answer are items of a list."""
        return len(_ITEM.findall(self.answer))

    @functools.cached_property
    def lengths(self) -> frozenset[int]:
        """The seconds between two times of day of one text the answer rests on, and from the day asked to one named."""
        calendars = [self.source(shown).calendar for shown in self.all_cited]
        clocks = [sorted(each.clocks)[:_MOST_CLOCKS] for each in calendars]
        named = {first for each in calendars for first, last in each.ranges if first == last}
        between = {(late - early) * 60 for each in clocks for early, late in itertools.combinations(each, 2)}
        return frozenset(between | {abs(day - self.asked_on).days * _DAY for day in named})

    def source(self, shown: ShownText) -> ValueSource:
        """The values of a piece of evidence."""
        if shown.label not in self._sources:
            said = self.said_on(shown) or self.asked_on
            text = texts.bare(f"{shown.evidence.title}\n{shown.evidence.content}")
            if orders(text.lower()):
                text = "\n".join(each for each in sentences_of(text) if not self.is_stray_order(each, shown))
            self._sources[shown.label] = ValueSource(text, said)
        return self._sources[shown.label]

    def periods(self, shown: ShownText) -> frozenset[str]:
        """What numbers of a piece of evidence are counted by."""
        if shown.label not in self._periods:
            self._periods[shown.label] = numbers.periods(shown.text)
        return self._periods[shown.label]

    def stray_orders(self, shown: ShownText) -> frozenset[str]:
        """The sentences of a piece of evidence, folded, that give orders of which nothing was asked."""
        if shown.label not in self._orders:
            told = sentences_of(shown.text) if orders(shown.text) else ()
            self._orders[shown.label] = frozenset(each for each in told if self.is_stray_order(each, shown))
        return self._orders[shown.label]

    def is_stray_order(self, sentence: str, shown: ShownText) -> bool:
        """Whether a sentence gives orders to whoever reads it, and has nothing of what was asked, nor who wrote it."""
        low = sentence.lower()
        if not orders(low) or self.question_stems & {texts.stem(word) for word in texts.words(shown.author)}:
            return False
        if _OVERRIDE.search(texts.folded(low)):
            return True
        near = texts.beginnings(self.question_stems)
        return not any(texts.is_akin(one, self.question_stems, near) for one in texts.stems(low))

    def said_on(self, shown: ShownText) -> date | None:
        """The day something was said, in the zone."""
        said = self._said[shown]
        return said.date() if said else None

    def day_said(self, shown: ShownText) -> days.Calendar:
        """That day as the only one; none where it is not known."""
        if shown not in self._days_said:
            self._days_said[shown] = days.Calendar()
            if said := self.said_on(shown):
                self._days_said[shown].add_day(said)
        return self._days_said[shown]

    def said_at(self, shown: ShownText) -> int | None:
        """The minutes after midnight at which something was said, in the zone."""
        said = self._said[shown]
        return said.hour * 60 + said.minute if said else None

    def is_person(self, word: str) -> bool:
        """Whether a folded word is part of the name of somebody here."""
        return word in self.persons or word.removesuffix("s") in self.persons

    def _is_word(self, label: str) -> bool:
        pattern = re.compile(rf"(?<!\w){re.escape(label.lower())}(?!\w)")
        return any(pattern.search(text) for text in (self.question, *(one.text for one in self.shown)))


def _is_no_name(word: str) -> bool:
    singular = word.removesuffix("s")
    calendar = (day_words.MONTHS, day_words.WEEKDAYS)
    return (
        word in vocabulary.ALL_FUNCTION
        or word == "hathi"
        or any(singular in table or word in table for table in calendar)
    )


def _language(answer: str, bared: str, shown: str) -> str:
    """The language of an answer; of what was shown where the answer has no word that tells."""
    found = texts.language(answer)
    if found != "english" or not vocabulary.FUNCTION["english"].isdisjoint(texts.words(bared)):
        return found
    return texts.language(shown)


def orders(text: str) -> bool:
    """Whether a text in small letters speaks anywhere as one does to a model that reads it."""
    return any(mark in text for mark in _ORDER_MARKS) and _ORDER.search(text) is not None


def sentences_of(text: str) -> list[str]:
    """The sentences and lines of a text."""
    return [each for each in _SENTENCE.split(text) if each.strip()]


def links(text: str) -> Iterable[str]:
    """The links, mentions and addresses of a text."""
    if not _may_link(text):
        return ()
    return (found[0].rstrip(_PUNCTUATION) if found[0][0] != "<" else found[0] for found in _LINK.finditer(text))


def without_links(text: str) -> str:
    """The text without them."""
    return _LINK.sub(" ", text) if _may_link(text) else text


def _may_link(text: str) -> bool:
    """Whether it holds a sign that every link, mention and address has: most texts hold none."""
    return "://" in text or "@" in text or "<" in text
