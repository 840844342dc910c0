"""What an answer is held against: the question, what was shown, and when, where and by whom it was asked; pure."""

import functools
import re
from collections.abc import Collection, Sequence
from dataclasses import replace
from datetime import date, datetime
from typing import Final

from bot.dates import day_words, days
from bot.grounding import model_orders, numbers, texts, vocabulary
from bot.grounding.texts import ShownText
from bot.grounding.value_source import ValueSource
from bot.layers.walk import Evidence

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


class Ground:
    """What an answer is held against, each part of it read once, however many sentences are."""

    ALONE: Final = "M1"
    """The label of what is `alone`."""

    def __init__(
        self,
        question: str,
        evidence: Sequence[Evidence],
        *,
        asked_at: datetime,
        zone: str,
        people: Collection[str] = (),
        asker: str = "",
    ) -> None:
        """Days are those of the IANA zone `zone`; `asked_at` is aware.

        `people` are the names of this community's members, so that one who is not in the evidence is told from a word;
        `asker` is the name of who asked, whom "you" means.
        """
        self.asked = question
        """The question as it was written."""
        self.members = people
        """The names of members as they are written."""
        self._asked_at = asked_at
        self._bare = texts.bare(question)
        self.question = self._bare.lower()
        # What came before it tells what for.
        asking = (one for one in reversed(model_orders.sentences_of(self.question)) if "?" in one)
        self.last_question = next(asking, self.question)
        """The last sentence of it that asks."""
        self.asked_on = days.local_day(asked_at, zone)
        self.zone = zone
        self.shown = tuple(ShownText(one) for one in evidence)
        self._said = {one: (at := one.evidence.said_at) and days.local(at, zone) for one in self.shown}
        self._days_said: dict[ShownText, days.Calendar] = {}
        self.by_label = {one.label: one for one in self.shown}
        self._asker = asker
        self.asker = texts.folded(asker)
        self.people = tuple(dict.fromkeys(texts.folded(name) for name in people if name.strip()))
        self._sources: dict[str, ValueSource] = {}
        self._periods: dict[str, frozenset[str]] = {}
        self._orders: dict[str, frozenset[str]] = {}
        self._alone: dict[ShownText, Ground] = {}

    def alone(self, shown: ShownText) -> "Ground":
        """The same with nothing shown but this, labelled as if it were the only thing that was ever shown."""
        if shown not in self._alone:
            one = replace(shown.evidence, label=self.ALONE)
            self._alone[shown] = Ground(
                self.asked, [one], asked_at=self._asked_at, zone=self.zone, people=self.members, asker=self._asker
            )
        return self._alone[shown]

    @property
    def labels(self) -> frozenset[str]:
        """The labels of all that was shown."""
        return frozenset(self.by_label)

    @functools.cached_property
    def text(self) -> str:
        """All that was shown, folded."""
        return " ".join(one.content for one in self.shown)

    @functools.cached_property
    def question_source(self) -> ValueSource:
        """The values of the question."""
        return ValueSource(self.asked, self.asked_on)

    @functools.cached_property
    def question_periods(self) -> frozenset[str]:
        """What numbers of the question are counted by."""
        return numbers.periods(self.question)

    @functools.cached_property
    def languages(self) -> tuple[str, ...]:
        """The languages of what was shown, as far as they can be told."""
        return tuple(dict.fromkeys(texts.language(one.content) for one in self.shown))

    @functools.cached_property
    def member_words(self) -> frozenset[str]:
        """The single words of the names of members."""
        return frozenset(word for name in self.members for word in texts.words(texts.folded(name)))

    @functools.cached_property
    def everybody(self) -> frozenset[str]:
        """Everyone's whole name that is known here: members, and who said what was shown."""
        said = (one.author for one in self.shown if one.author)
        asked = (found["name"].lower() for found in _ASKED_ABOUT.finditer(self._bare))
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
            capitals = (found["word"].lower() for found in _CAPITAL.finditer(self._bare))
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

    def source(self, shown: ShownText) -> ValueSource:
        """The values of a piece of evidence."""
        if shown.label not in self._sources:
            said = self.said_on(shown) or self.asked_on
            text = texts.bare(f"{shown.evidence.title}\n{shown.evidence.content}")
            if model_orders.stand_in(text.lower()):
                text = "\n".join(
                    each for each in model_orders.sentences_of(text) if not self.is_stray_order(each, shown)
                )
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
            told = model_orders.sentences_of(shown.text) if model_orders.stand_in(shown.text) else ()
            self._orders[shown.label] = frozenset(each for each in told if self.is_stray_order(each, shown))
        return self._orders[shown.label]

    def is_stray_order(self, sentence: str, shown: ShownText) -> bool:
        """Whether a sentence gives orders to whoever reads it, and has nothing of what was asked, nor who wrote it."""
        low = sentence.lower()
        if not model_orders.stand_in(low) or self.question_stems & {
            texts.stem(word) for word in texts.words(shown.author)
        }:
            return False
        if model_orders.overrides(low):
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

    def is_word(self, label: str) -> bool:
        """Whether somebody wrote a label as a word of their own."""
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
