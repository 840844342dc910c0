"""A reset whose worker dies before its summary is made: another makes it, and finishes the message that tells of it."""

import asyncio
import json

import pytest

from bot.commands.resets import SUMMARIZING
from bot.db.pool import Database
from bot.text import notices
from tests import discord_bot
from tests.model_server import Reply
from tests.waiting import eventually

FACT = {"room": "general", "topic": "kiln", "content": "The kiln was bought in May.", "importance": 6, "evidence": [1]}
MADE = Reply(text=json.dumps({"summary": "They spoke of the kiln.", "facts": [FACT]}))


@pytest.mark.parametrize("is_private", [False, True])
async def test_it_is_finished_in_the_message_that_told_of_it(database: Database, *, is_private: bool) -> None:
    """By whichever process has the session next: the text, the buttons and the last line are those of any reset."""
    async with discord_bot.world() as place:
        ann, gate = place.newcomer("Ann"), asyncio.Event()
        channel = ann.direct if is_private else place.channel
        async with discord_bot.connected(place, database) as first:
            asker = first.knows(ann if is_private else place.guild.owner)
            await first.asks(asker, channel, "We bought the kiln in May.")
            place.model.steps.append(Reply(text="", gate=gate))
            notice = await first.answer(await asker.say(channel, "!reset"))
            assert (True, "") == (notice.text.startswith(SUMMARIZING), notice.content)
            await first.until(lambda: len(place.model.requests) == 2)
        assert notice.text.startswith(SUMMARIZING)
        async with database.connection() as connection:
            await connection.execute("UPDATE session SET lease_until = lease_until - interval '1 day'")
            await connection.execute("UPDATE upkeep SET next_due_at = '2020-01-01Z'")
            await connection.execute("DELETE FROM job_run")
        place.model.steps[:] = [MADE]
        async with discord_bot.connected(place, database) as second:
            await second.app.schedule.upkeep()
            await eventually(lambda: notice.text.endswith(notices.CLEARED))
        assert "The kiln was bought in May." in notice.text
        assert "" == notice.content
        assert ["hathi:pick:forget", "hathi:undo"] == [
            each if "pick" in each else each.rpartition(":")[0] for each in notice.custom_ids
        ][:2]
