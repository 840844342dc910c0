"""The laws of what answers are made from, and go with."""

import pytest

from bot.db.pool import Database
from bot.domain import MessageId
from bot.memory import drawn, librarian
from tests.conftest import Clock
from tests.conversations import room


@pytest.mark.parametrize(
    ("text", "telling"),
    [
        ("The password is 'swordfish'.", ["password", "swordfish"]),
        ("4711 is the door code", ["4711"]),
        ("We met Quill's cousin in Oslo", ["quill", "cousin", "oslo"]),
        ("the mother-in-law\u2019s key", ["mother-in-law"]),
    ],
)
def test_names_numbers_and_long_words_tell(text: str, telling: list[str]) -> None:
    """Without the quotation marks around them or the sign of a possessor, wherever they stand."""
    assert telling == drawn._telling(text)


def test_what_is_in_sight_is_what_is_read() -> None:
    """An answer may be drawn from any message of the session that its prompt had room for."""
    assert drawn.IN_SIGHT == librarian.HISTORY_MESSAGES


async def test_an_edit_takes_answers_from_the_old_memory_along(database: Database, clock: Clock) -> None:
    """In whatever words they are: the memory they cite had the old ones. What was said to the message itself stays."""
    async with room(database, clock) as r:
        await r.say("remember that the vault code is Quillfeather")
        await r.say("what is the vault code?")
        async with database.connection() as connection:
            said = await connection.fetchval("SELECT message_id FROM message WHERE content LIKE 'remember%'")
            changed = await connection.execute(
                "UPDATE message SET content = 'It is that of the bird.' WHERE content LIKE 'This is what I have%'"
            )
        edited = await r.app.retraction.edited(
            r.caller.space_id,
            MessageId(said),
            "remember that the vault code is secret",
            clock.forward(minutes=1),
            "english",
        )
        async with database.connection() as connection:
            left = [
                row["content"] for row in await connection.fetch("SELECT content FROM message WHERE role = 'hathi'")
            ]
    assert ("UPDATE 1", True, 1) == (changed, edited, len(left))
    assert left[0].startswith("[memory] saved")


async def test_what_is_answered_from_such_an_answer_goes_too(database: Database, clock: Clock) -> None:
    """One after the other, from where a forgotten memory was only brought up."""
    async with room(database, clock) as r:
        await r.say("remember that the vault code is Quillfeather")
        await r.say("what is the vault code?")
        await r.say("where is the vault code kept?")
        async with database.connection() as connection:
            first, second = [
                row["message_id"]
                for row in await connection.fetch(
                    "SELECT message_id FROM message WHERE role = 'hathi' ORDER BY message_id OFFSET 1"
                )
            ]
            # The first cites nothing and brings the memory up; the second cites the first, in other words.
            await connection.execute("UPDATE turn SET trail = '{}' WHERE reply_ids = ARRAY[$1::bigint]", first)
            await connection.execute(
                "UPDATE turn SET shown = '{}', trail = jsonb_build_object('grounded', jsonb_build_object('cited', "
                "jsonb_build_array('M1')), 'sources', jsonb_build_array(jsonb_build_object('label', 'M1', 'message', "
                "jsonb_build_array(channel_id, $2::bigint)))) WHERE reply_ids = ARRAY[$1::bigint]", second, first,
            )  # fmt: skip
            await connection.execute("UPDATE message SET content = 'In the blue box.' WHERE message_id = $1", second)
        await r.run("!forget 1")
        async with database.connection() as connection:
            left = await connection.fetch(
                "SELECT message_id FROM message WHERE role = 'hathi' AND hidden_at IS NULL AND message_id >= $1", first
            )
    assert [] == [row["message_id"] for row in left if row["message_id"] in {first, second}]
