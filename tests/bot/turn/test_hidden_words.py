"""The laws of what somebody hides behind a spoiler."""

from bot.db.pool import Database
from tests import people
from tests.conftest import Clock
from tests.conversations import room
from tests.rows import column

HIDDEN = "||the surprise party for Ben is on friday|| don't tell him"


async def test_what_is_hidden_is_kept_and_told_hidden(database: Database, clock: Clock) -> None:
    """No topic tells it beside, and no part that is shown of it is open."""
    async with room(database, clock, who=people.caller()) as r:
        saved = await r.say(f"remember {HIDDEN}")
        told = await r.say("when is the party?")
    assert [HIDDEN] == await column(database, "SELECT content FROM memory")
    assert ["general"] == await column(database, "SELECT topic FROM memory")
    for text in (saved.text, told.text):
        assert "party" in text.split("||")[1]
        assert "party" not in "".join(text.split("||")[::2])
