"""The laws of whose words an answer from memory quotes."""

import re

import pytest

from bot.db.pool import Database
from tests import people
from tests.conftest import Clock
from tests.conversations import room

ANN, BOB = people.caller(), people.caller("Bob", person=8)


def quoted(text: str) -> list[str]:
    """What an answer quotes, in its order."""
    return re.findall("\u201c(.*?)\u201d", text)


@pytest.mark.parametrize(
    "question", ["What is the alarm code at the shop?", "What did I say about the alarm code?", "What did I say?"]
)
async def test_what_an_edit_corrected_is_not_quoted_in_its_old_words(
    database: Database, clock: Clock, question: str
) -> None:
    """Neither for the memory nor beside it."""
    async with room(database, clock, who=ANN) as r:
        await r.say("remember that the alarm code at the shop is 5519")
        clock.forward(hours=30)
        await r.run("!edit 1 The alarm code at the shop is 5591.")
        await r.run("!reset")
        told = await r.say(question)
    assert ["The alarm code at the shop is 5591."] == quoted(told.text)
