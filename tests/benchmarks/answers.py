"""Questions about the demo's community, without a model: how many answers begin with what answers them.

`answers_open.jsonl` and `answers_closed.jsonl` have a hundred questions each, written with sight of the demo's talk
alone: who asks, in which lines of the talk the answer stands (`evidence`, counted from 1), and words of it (`says`).
Of 35 in each the talk has no answer. Rules may be judged by the open half; the closed one is only counted.

`right` is the share of the answerable whose first quotation answers them, `wrong` of those where no quotation does,
`silent` the share of the unanswerable that are met with none. `opened_…` is the same of the open half alone, `closed_…`
of the closed one.
"""

import json
import re
import tempfile
from collections.abc import Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from bot import transfer
from bot.cli import demo, terminal
from bot.config import DatabaseSettings
from bot.db import pool
from bot.domain import Caller, PersonId
from tests.benchmarks import servers
from tests.conftest import Clock
from tests.conversations import Room, room

OPEN: Final = Path(__file__).with_name("answers_open.jsonl")
CLOSED: Final = Path(__file__).with_name("answers_closed.jsonl")
NOW: Final = datetime(2027, 3, 9, 12, 0, tzinfo=UTC)
"""When it is asked: the demo's newest talk is of the day before."""
_QUOTED: Final = re.compile(r"\u201c(.*?)\u201d\n +\u2014 ", re.DOTALL)


async def run(*, small: bool) -> dict[str, float]:
    found = {half.stem.removeprefix("answers_"): await outcomes(half, small=small) for half in (OPEN, CLOSED)}
    both = [one for half in found.values() for one in half]
    figures = _shares(both)
    for name, half in found.items():
        figures |= {f"{name.replace('open', 'opened')}_{key}": share for key, share in _shares(half).items()}
    return figures


async def outcomes(file: Path, *, small: bool = False) -> list[tuple[dict[str, Any], str, str]]:
    """Each question of a file with its outcome (`right`, `among`, `wrong`, `silent`) and what was said."""
    asked = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()][:: 10 if small else 1]
    rows = [json.loads(line) for line in demo.lines(NOW.date())]
    people = {row["name"]: PersonId(row["person_id"]) for row in rows if row.get("kind") == "member"}
    said = [row["content"] for row in rows if row.get("kind") == "message"]
    async with AsyncExitStack() as stack:
        server = await stack.enter_async_context(servers.postgres())
        address = await servers.database(server, "answers")
        database = await stack.enter_async_context(pool.opened(address, DatabaseSettings()))
        with tempfile.NamedTemporaryFile("w", suffix=".jsonl", encoding="utf-8") as community:
            community.writelines(demo.lines(NOW.date()))
            community.flush()
            await transfer.import_from(database, Path(community.name), language="english")
        clock = Clock()
        clock.now = NOW
        asking = await stack.enter_async_context(room(database, clock, who=_caller("newcomer", people)))
        found = list[tuple[dict[str, Any], str, str]]()
        for one in asked:
            text = await _answer(asking, _caller(one["asker"], people), one["text"])
            answers = {said[n - 1] for n in one["evidence"]}
            found.append((one, _outcome(_QUOTED.findall(text), answers, one["says"]), text))
            async with database.transaction() as connection:
                # Forgotten before the next is asked.
                await connection.execute("DELETE FROM message WHERE said_at > $1", NOW)
    return found


def _caller(name: str, people: Mapping[str, PersonId]) -> Caller:
    who = terminal.caller(name)
    return replace(who, person_id=people.get(name, PersonId(2**40)))


async def _answer(asking: Room, who: Caller, text: str) -> str:
    return (await asking.say(text, by=who)).text


def _outcome(quoted: Sequence[str], answers: set[str], says: Sequence[str]) -> str:
    """What the quotations are worth."""
    if not quoted:
        return "silent"
    right = [any(one in text for one in says) or any(_of(text, whole) for whole in answers) for text in quoted]
    return "right" if right[0] else "among" if any(right) else "wrong"


def _of(quoted: str, whole: str) -> bool:
    """Whether a quotation has a part of what was said: it may be of several messages, each on lines of its own."""
    parts = (part.strip(" \u2026\u201c") for part in quoted.split("\n"))
    return any(part in whole for part in parts if part)


def _shares(found: Sequence[tuple[dict[str, Any], str, str]]) -> dict[str, float]:
    answerable = [outcome for one, outcome, _ in found if one["kind"] == "answerable"]
    others = [outcome for one, outcome, _ in found if one["kind"] != "answerable"]
    return {
        "right": answerable.count("right") / len(answerable),
        "wrong": answerable.count("wrong") / len(answerable),
        "silent": others.count("silent") / len(others),
    }
