"""The laws of which stored sentence answers: what was found wrong in two invented communities, a case a line."""

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import pytest

from bot.db.pool import Database
from tests import people
from tests.conftest import Clock
from tests.conversations import room

FILE: Final = Path(__file__).with_name("stored_sentences.jsonl")
LINES: Final = [json.loads(line) for line in FILE.read_text(encoding="utf-8").splitlines()]
QUOTED: Final = re.compile(r"\u201c(.*?)\u201d\n +\u2014 ", re.DOTALL)


def fault(case: Mapping[str, Any], text: str) -> str:
    """What is wrong with what was told; empty for nothing."""
    quoted = QUOTED.findall(text)
    if any(one in text for one in case["not"]):
        return "told"
    if case["right"] and not (quoted and any(one in quoted[0] for one in case["right"])):
        return "missed"
    once = case.get("once")
    return "twice" if once and sum(once in one for one in quoted) > 1 else ""


@pytest.mark.parametrize("community", sorted({line["community"] for line in LINES}))
async def test_what_is_told_is_what_somebody_said_on_it(database: Database, clock: Clock, community: str) -> None:
    """Neither requests, nor the same twice, nor what others said."""
    lines = [line for line in LINES if line["community"] == community]
    names = {line.get("by") or line["asker"] for line in lines}
    faults = dict[str, str]()
    async with room(database, clock, who=people.caller("Eve")) as r:
        who = {
            name: await r.app.enter(people.caller(name, person=n), channel_name="general", mode="all")
            for n, name in enumerate(sorted(names), 20)
        }
        for line in lines:
            if "says" in line:
                await r.say(line["says"], by=who[line["by"]])
        until = clock()
        for line in lines:
            if "asks" in line:
                told = (await r.say(line["asks"], by=who[line["asker"]])).text
                if wrong := fault(line, told):
                    faults[line["asks"]] = f"{wrong}: {told}"
                async with database.transaction() as connection:
                    await connection.execute("DELETE FROM message WHERE said_at > $1", until)
    assert "" == "\n\n".join(f"{asked} {wrong}" for asked, wrong in faults.items())


@pytest.mark.parametrize(
    ("said", "asked"),
    [
        ("the bandsaw is in the shed", "where is the band saw?"),
        ("the band saw is in the shed", "where is the bandsaw?"),
        ("the fire wood comes on monday", "when does the firewood come?"),
        ("the firewood comes on monday", "when does the fire wood come?"),
    ],
)
async def test_what_some_write_in_one_word_is_found_in_two(
    database: Database, clock: Clock, said: str, asked: str
) -> None:
    """And the other way round."""
    async with room(database, clock, who=people.caller("Eve")) as r:
        await r.say(said)
        told = await r.say(asked)
    assert said in told.text
