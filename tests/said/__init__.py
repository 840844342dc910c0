"""Sentences in German, French and Spanish and what each asks for, written before the rules that read them."""

import csv
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from bot.dates import times
from bot.language.requests import missed_questions, plain_requests, plain_words, set_phrases
from bot.text import pasted_lists
from tests.pasts import NEW

LANGUAGES: Final = ("german", "french", "spanish")
NONE: Final = "none"
"""What asks for nothing of all that is looked for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """A sentence, and what is wanted by it."""

    kind: str
    wanted: str
    """What is to be kept or forgotten: of a list its things, of numbers those."""
    text: str


def sentences(language: str, part: str = "") -> list[Said]:
    """All sentences of a language; `_unseen` were written after the first rules, `_last` after those they led to."""
    with (Path(__file__).parent / f"{language}{part}.tsv").open(encoding="utf-8", newline="") as file:
        return [
            Said(kind=row["kind"], wanted=row["wanted"], text=row["text"].replace("\\n", "\n"))
            for row in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)
        ]


def read(text: str) -> tuple[str, str]:
    """The kind of request that a text is, and what is to be kept or forgotten."""
    asked = plain_requests.read(text)
    if isinstance(asked, pasted_lists.Listed):
        if asked.is_list:
            return "list-kept", " / ".join(asked.things)
        return "reminded" if plain_words.asks_to_be_reminded(text) else "keep", " / ".join(asked.things)
    if isinstance(asked, plain_requests.ForgetRequest):
        return _forgotten(asked)
    phrases = set_phrases.read(text)
    spans = times.read(text, as_of=NEW, zone="UTC").spans
    kinds = {
        "approve": phrases.approves,
        "close": phrases.closes,
        "about": phrases.asks_about_self,
        "undo": phrases.undoes,
        "help": phrases.word is set_phrases.SetAnswer.HELP,
        "list": isinstance(asked, plain_requests.ListRequest),
        "missed": missed_questions.asks(text, [span.words for span in spans]),
    }
    return next((kind for kind, is_so in kinds.items() if is_so), NONE), ""


def _forgotten(asked: plain_requests.ForgetRequest) -> tuple[str, str]:
    if asked.numbers:
        return "forget-number", " ".join(map(str, asked.numbers))
    if asked.everything:
        return "forget-all", ""
    if asked.talk:
        return "forget-talk", ""
    return ("forget-last", "") if asked.last else ("forget", asked.about)
