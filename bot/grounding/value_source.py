"""The values of one text that an answer may use; pure."""

import functools
from datetime import date

from bot.dates import days, written_dates
from bot.grounding import links, numbers, texts, vocabulary


class ValueSource:
    """A text whose values an answer may use: a piece of evidence, or the question."""

    def __init__(self, text: str, said: date, *, is_evidence: bool = True) -> None:
        self.named = written_dates.read(links.without(texts.bare(text)), said)
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
