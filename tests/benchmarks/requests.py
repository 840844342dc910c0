"""Plain requests by somebody who knew none of the rules: how many are read as what they are.

`requests.jsonl` holds 160 messages, each with what it asks of memory. No rule was made for any of it;
who tunes one on these lines needs others to tell what it is worth. `of_KIND` are all of a kind, `right_KIND` those read
as that, and `exact_KIND` those whose words were taken just as they stand there. `false_alarms` are questions and
statements that were read as a request.
"""

import json
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from bot.language.requests import plain_requests, set_phrases
from bot.text import pasted_lists

FILE: Final = Path(__file__).with_name("requests.jsonl")
TALK: Final = "talk"
_EXACT: Final = ("remember", "remember_list", "forget")


async def run(*, small: bool) -> dict[str, float]:
    lines = [json.loads(line) for line in FILE.read_text(encoding="utf-8").splitlines()]
    of, right, exact, false_alarms = Counter[str](), Counter[str](), Counter[str](), 0
    for line in lines[:: 10 if small else 1]:
        meant = TALK if line["label"] in {"question", "statement"} else line["label"]
        kind, words = read(line["text"])
        of[meant] += 1
        right[meant] += kind == meant
        exact[meant] += kind == meant and _plain(words) == _plain(_listed(line["content"]))
        false_alarms += meant == TALK != kind
    figures: dict[str, float] = {f"of_{kind}": count for kind, count in of.items()}
    figures |= {f"right_{kind}": right[kind] for kind in of}
    figures |= {f"exact_{kind}": exact[kind] for kind in _EXACT}
    return figures | {"of": of.total(), "right": right.total(), "false_alarms": false_alarms}


def read(text: str) -> tuple[str, Sequence[str]]:
    """What a message is read as, and the words that it is about."""
    match asked := plain_requests.read(text):
        case pasted_lists.Listed():
            return ("remember_list" if asked.is_list else "remember"), asked.things
        case plain_requests.ForgetRequest():
            numbers = " ".join(f"#{number}" for number in asked.numbers)
            return ("forget_all", ()) if asked.everything else ("forget", _listed(asked.about or numbers))
        case plain_requests.Correction():
            return "correct", [asked.text]
        case plain_requests.ListRequest():
            return "list", ()
        case None:
            phrases = set_phrases.read(text)
            return "list" if phrases.asks_about_self else "hello" if phrases.word else TALK, ()


def _listed(content: Any) -> Sequence[str]:
    return content if isinstance(content, list) else [content] if content else []


def _plain(things: Sequence[str]) -> list[str]:
    """As they are compared: case, blanks and what stands around them don't count."""
    return [" ".join(thing.lower().split()).strip(" .!\"'") for thing in things]
