"""Reads the times a question names, in the tense in which it asks: "on Sunday" is the last one, or the next; pure."""

import functools
from datetime import datetime

from bot.dates import times
from bot.language.questions import tenses


@functools.lru_cache(maxsize=64)
def read(question: str, *, as_of: datetime, zone: str) -> times.Times:
    """The times; of a question about what is to come, days without a year or week are the next ones.

    Known of the last questions: several ask for them in one turn.
    """
    return times.read(question, as_of=as_of, zone=zone, is_ahead=tenses.looks_ahead(question))
