"""The laws of what answers are made from, and go with."""

import json
import re
from collections.abc import AsyncGenerator
from dataclasses import dataclass
from typing import Any, Final

import pytest

from bot.db import statements
from bot.db.pool import Database
from bot.domain import Caller, ChannelId, MemoryId, Message, MessageId, Role, new_id
from bot.lifecycle.discord_edits import Deleted
from bot.recall import librarian
from bot.store import reply_sources
from bot.store.trail import Grounded, Origin, Trail, TurnRecord
from tests import people
from tests.conftest import Clock
from tests.conversations import Room, room
from tests.rows import one, rows

ANN, BOB = people.caller(admin=True), people.caller("Bob", person=8)
TIMES: Final = "SELECT times FROM taken_back WHERE space_id = $1"
ELSEWHERE = people.caller("Bob", person=8, channel=11)


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
    words = re.findall(r"\w+(?:-\w+)*", text.lower())
    assert telling == [word for word in words if reply_sources.brings_up(word, [text], ())]


def test_what_is_in_sight_is_what_is_read() -> None:
    """An answer may be drawn from any message of the session that its prompt had room for."""
    assert reply_sources.IN_SIGHT == librarian.HISTORY_MESSAGES


async def test_an_edit_takes_answers_from_the_old_memory_along(database: Database, clock: Clock) -> None:
    """In whatever words they are: the memory they cite had the old ones. So does what was said to the message."""
    async with room(database, clock) as r:
        await r.say("remember that the vault code is Quillfeather")
        await r.say("what is the vault code?")
        async with database.connection() as connection:
            said = await connection.fetchval("SELECT message_id FROM message WHERE content LIKE 'remember%'")
            changed = await connection.execute(
                "UPDATE message SET content = 'It is that of the bird.' WHERE content LIKE '    “%'"
            )
        edited = await r.app.discord_edits.edited(
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
    assert ("UPDATE 1", True, []) == (changed, edited, left)


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
                "jsonb_build_array(channel_id, $2::bigint)))) WHERE reply_ids = ARRAY[$1::bigint]",
                second,
                first,
            )
            await connection.execute("UPDATE message SET content = 'In the blue box.' WHERE message_id = $1", second)
        await r.run("!forget 1")
        async with database.connection() as connection:
            left = await connection.fetch(
                "SELECT message_id FROM message WHERE role = 'hathi' AND hidden_at IS NULL AND message_id >= $1", first
            )
    assert [] == [row["message_id"] for row in left if row["message_id"] in {first, second}]


@dataclass
class Talk:
    """Ann and Bob in one channel, Bob in another too, and what Hathi says to them, as it was made."""

    here: Room
    database: Database

    async def asks(self, by: Caller, text: str, answer: str, **made_from: Any) -> tuple[MessageId, MessageId]:
        """A question and its answer; `made_from` is what its turn kept of that."""
        app, turn = self.here.app, people.turn(by, text, self.here.clock.forward(seconds=1))
        recorded = await app.turns.record(turn, now=self.here.clock())
        assert recorded is not None
        reply = Message(
            space_id=by.space_id,
            channel_id=by.channel_id,
            message_id=MessageId(new_id(self.here.clock())),
            role=Role.HATHI,
            author_id=None,
            author="Hathi",
            content=answer,
            said_at=self.here.clock(),
            reply_to=turn.message.message_id,
        )
        assert await app.turns.sending(recorded, answer, whole=True)
        assert await app.turns.answered(recorded, reply, TurnRecord(**made_from))
        return turn.message.message_id, reply.message_id

    async def says(self, by: Caller, text: str) -> MessageId:
        """Something said to nobody."""
        said = people.said(by, text, self.here.clock.forward(seconds=1))
        assert await self.here.app.turns.overhear(said, language="english")
        return said.message_id

    async def delete(self, *ids: int) -> Deleted:
        at = self.here.clock.forward(seconds=1)
        return await self.here.app.discord_edits.deleted(ANN.space_id, [*map(MessageId, ids)], at)

    async def edit(self, message_id: int, text: str) -> bool:
        at = self.here.clock.forward(seconds=1)
        return await self.here.app.discord_edits.edited(ANN.space_id, MessageId(message_id), text, at, "english")

    async def answers(self) -> list[str]:
        """What is left to be shown of what Hathi said, oldest first."""
        return [
            content
            for (content,) in await self.fetch(
                "SELECT content FROM message WHERE role = 'hathi' AND hidden_at IS NULL ORDER BY message_id"
            )
        ]

    async def fetch(self, query: Any, *args: object) -> list[Any]:
        return await rows(self.database, query, *args)


@pytest.fixture
async def talk(database: Database, clock: Clock) -> AsyncGenerator[Talk]:
    async with room(database, clock, who=ANN) as here:
        for who in (BOB, ELSEWHERE):
            await here.app.enter(who, channel_name="another", mode="all")
        yield Talk(here, database)


def shown(**messages: int) -> dict[str, Origin]:
    """Messages that a turn was shown, by their labels."""
    return {label: Origin(message=(ChannelId(10), MessageId(key))) for label, key in messages.items()}


def cited(sources: dict[str, Origin], *labels: str) -> Trail:
    """The trail of an answer that was held against these, and cites some of them."""
    return Trail(sources=sources, grounded=Grounded(outcome="checked", cited=labels))


@pytest.mark.parametrize("way", ["deleted", "edited", "forgotten", "erased"])
async def test_a_common_word_takes_nobodys_answers(talk: Talk, way: str) -> None:
    """What was never shown the message stays, however many letters it shares with it, and so does the summary of it."""
    for _ in range(3):
        await talk.asks(ELSEWHERE, "When do we meet?", "Sure, see you tomorrow at noon.")
    await talk.here.run("!reset", ELSEWHERE)
    await talk.here.app.background.settled(20)
    before = await talk.fetch("SELECT state, message_count FROM session WHERE channel_id = 11 AND state <> 'open'")
    told, _ = await talk.asks(ANN, "tomorrow", "Tomorrow is a day.")
    if way == "deleted":
        await talk.delete(told)
    elif way == "edited":
        await talk.edit(told, "never")
    elif way == "forgotten":
        await talk.here.app.commands.remembering.save(ANN, "tomorrow", evidence=(told,))
        await talk.here.run("!forget 1")
    else:
        await talk.here.app.personal_data.erase(ANN.person_id, now=talk.here.clock())
    after = await talk.fetch("SELECT state, message_count FROM session WHERE channel_id = 11 AND state <> 'open'")
    kept = [text for text in await talk.answers() if "noon" in text]
    assert (3, [("summarised", 6)], before) == (len(kept), before, after)


@pytest.mark.parametrize(
    ("else_said", "answer", "left"),
    [
        ("", "Off to Marzipolis!", []),
        ("I was in Marzipolis once.", "Off to Marzipolis!", ["Off to Marzipolis!"]),
        ("I was in Marzipolis-Nord once.", "Off to Marzipolis!", ["Off to Marzipolis!"]),
        ("I was in the Marzipolisian hills.", "Off to Marzipolis!", []),
        ("", "Off to the retreat in the hills it is!", []),
        ("", "Off to the hills it is!", ["Off to the hills it is!"]),
    ],
)
async def test_an_answer_goes_only_for_a_word_that_nothing_else_had(
    talk: Talk, else_said: str, answer: str, left: list[str]
) -> None:
    """A name, a number or a long word of what goes, that nothing else it was shown has as a whole word."""
    gone = await talk.says(ANN, "The retreat is in Marzipolis.")
    if else_said:
        await talk.says(BOB, else_said)
    await talk.asks(BOB, "Where to?", answer)
    await talk.delete(gone)
    assert left == await talk.answers()


async def test_what_was_said_after_the_question_was_not_shown(talk: Talk) -> None:
    """Who says the word later does not hold an answer that was made before."""
    gone = await talk.says(ANN, "The retreat is in Marzipolis.")
    await talk.asks(BOB, "Where to?", "Off to Marzipolis!")
    await talk.says(BOB, "Ah, Marzipolis.")
    await talk.delete(gone)
    assert [] == await talk.answers()


async def test_what_hathi_said_before_holds_an_answer_while_it_stays(talk: Talk) -> None:
    """Its own earlier line is something else it was shown, unless that goes as well."""
    await talk.asks(BOB, "Name a place.", "Marzipolis is one.")
    first = await talk.says(ANN, "The retreat is in Marzipolis.")
    await talk.asks(BOB, "Where to?", "Off to Marzipolis!")
    second = await talk.says(ANN, "Bring Quillwort along.")
    for _ in range(2):
        await talk.asks(BOB, "With whom?", "With Quillwort.")
    await talk.delete(first)
    assert ["Marzipolis is one.", "Off to Marzipolis!", "With Quillwort.", "With Quillwort."] == await talk.answers()
    await talk.delete(second)
    assert ["Marzipolis is one.", "Off to Marzipolis!"] == await talk.answers()


async def test_what_was_shown_and_not_cited_counts_by_its_words(talk: Talk) -> None:
    """Of two things that were found an answer cites one; it goes with the other only if it has a word of it."""
    one, two = [
        await talk.says(ANN, f"The {thing} is in {place}.")
        for thing, place in (("fair", "Quillwort"), ("ball", "Marzipolis"))
    ]
    trail = cited(shown(M1=one, M2=two), "M1")
    for answer in ("By the river (M1).", "In Quillwort (M1).", "In Quillwort, not Marzipolis (M1)."):
        await talk.asks(ELSEWHERE, "Where is the fair?", answer, trail=trail)
    await talk.delete(two)
    assert ["By the river (M1).", "In Quillwort (M1)."] == await talk.answers()
    await talk.delete(one)
    assert [] == await talk.answers()


async def test_what_a_summary_told_goes_with_what_it_was_made_from(talk: Talk) -> None:
    """An answer made from a chat summary has the words of that session's messages, and goes with the one it tells."""
    gone, other = [await talk.says(ANN, text) for text in ("We meet in Marzipolis.", "Quillwort brings the tea.")]
    ((session,),) = await talk.fetch("SELECT session_id FROM message WHERE message_id = $1", gone)
    await talk.here.reset()
    summary = {"S1": Origin(session_id=session)}
    for answer in ("In Marzipolis.", "Quillwort brings it."):
        await talk.asks(ELSEWHERE, "Where did we leave off?", answer, trail=cited(summary, "S1"))
    await talk.delete(gone)
    assert ["Quillwort brings it."] == await talk.answers()
    await talk.delete(other)
    assert [] == await talk.answers()


async def test_the_summary_that_was_found_is_named_in_the_trail(talk: Talk) -> None:
    """Where an answer is from a chat summary, its turn keeps of which session."""
    gone = await talk.says(ANN, "We decided to meet in Marzipolis.")
    ((session,),) = await talk.fetch("SELECT session_id FROM message WHERE message_id = $1", gone)
    await talk.here.reset()
    told = await talk.here.say("Where did we leave off?", ANN)
    ((named,),) = await talk.fetch("SELECT source_ids(trail) FROM turn ORDER BY turn_id DESC LIMIT 1")
    assert (True, [session]) == ("Marzipolis" in told.text, named)
    await talk.delete(gone)
    assert [] == [text for text in await talk.answers() if "Marzipolis" in text]


async def test_only_words_of_what_goes_lead_on(talk: Talk) -> None:
    """An answer that repeats such a word from an answer goes too; one that repeats what else that said stays."""
    gone = await talk.says(ANN, "The retreat is in Marzipolis.")
    await talk.asks(ELSEWHERE, "Where?", "Marzipolis, near Lisbon (M1).", trail=cited(shown(M1=gone), "M1"))
    for answer in ("Lisbon is lovely.", "Marzipolis it is."):
        await talk.asks(ELSEWHERE, "And?", answer)
    await talk.delete(gone)
    assert ["Lisbon is lovely."] == await talk.answers()


@pytest.mark.parametrize("way", ["deleted", "edited"])
async def test_what_is_recorded_nowhere_takes_along_what_was_shown_it(talk: Talk, way: str) -> None:
    """Nobody knows its words any more: every reply whose turn names it goes, cited or not, and no other; once."""
    unrecorded = new_id(talk.here.clock())
    for answer, key in (("It is blue.", unrecorded), ("It is red.", unrecorded + 1)):
        await talk.asks(BOB, "What does she mean?", answer, trail=Trail(sources=shown(R1=key)))
    await talk.here.reset()
    changed = await one(talk.database, TIMES, ANN.space_id)
    if way == "deleted":
        assert (1, 1) == ((done := await talk.delete(unrecorded)).replies, done.summaries)
    else:
        assert not await talk.edit(unrecorded, "Something else.")
    assert ["It is red."] == await talk.answers()
    assert [("closed", 3)] == await talk.fetch("SELECT state, message_count FROM session WHERE state <> 'open'")
    assert changed + 1 == await one(talk.database, TIMES, ANN.space_id)
    assert Deleted() == await talk.delete(unrecorded)


async def test_an_edit_of_what_is_recorded_leaves_what_was_only_shown_it(talk: Talk) -> None:
    """Its old words are known: what has none of those that went stays."""
    said = await talk.says(ANN, "The retreat is in Marzipolis.")
    for answer in ("Fine.", "Marzipolis it is."):
        await talk.asks(ELSEWHERE, "Where?", answer, trail=Trail(sources=shown(M1=said)))
    await talk.edit(said, "The retreat is at home.")
    assert ["Fine."] == await talk.answers()


async def test_a_summary_is_made_again_where_an_edit_took_an_answer_away(talk: Talk) -> None:
    """It may tell what the answer said."""
    said = await talk.says(ANN, "The retreat is in Marzipolis.")
    await talk.asks(ELSEWHERE, "Where?", "Marzipolis it is.", trail=Trail(sources=shown(M1=said)))
    await talk.here.run("!reset", ELSEWHERE)
    await talk.here.app.background.settled(20)
    await talk.edit(said, "The retreat is at home.")
    assert [("closed", 1)] == await talk.fetch(
        "SELECT state, message_count FROM session WHERE channel_id = 11 AND state <> 'open'"
    )


async def test_a_file_goes_with_the_message_it_came_with(talk: Talk) -> None:
    """A name that stands in a file alone is known by it: an answer that was shown the message and has the name goes."""
    said = await talk.says(ANN, "[attachment: cellar.md]")
    async with talk.database.connection() as connection:
        await connection.execute(
            "INSERT INTO attachment (space_id, message_id, attachment_id, channel_id, name, called, size, state, "
            "content, search, read_at) VALUES (1, $1, 1, 10, 'cellar.md', '{}', 9, 'text', 'Ask Brindlewick.', '', "
            "now())",
            said,
        )
    for answer in ("Somebody knows.", "Brindlewick knows."):
        await talk.asks(BOB, "Who knows?", answer)
    await talk.delete(said)
    assert ["Somebody knows."] == await talk.answers()


async def test_a_reply_that_somebody_else_finished_goes_all_the_same(talk: Talk) -> None:
    """What it is made from is kept before it is shown: whoever records it after a crash need not know."""
    await talk.here.run("!remember The partner is Quillwort.")
    turn = people.turn(BOB, "Who is it?", talk.here.clock.forward(seconds=1))
    turns = talk.here.app.turns
    recorded = await turns.record(turn, now=talk.here.clock())
    assert recorded is not None
    made = TurnRecord(shown=(MemoryId(1),), trail=Trail(history=1))
    await turns.sending(recorded, "Quillwort is.", whole=False, record=made)
    reply = Message(
        space_id=BOB.space_id,
        channel_id=BOB.channel_id,
        message_id=MessageId(new_id(talk.here.clock())),
        role=Role.HATHI,
        author_id=None,
        author="Hathi",
        content="Quillwort is.",
        said_at=talk.here.clock(),
        reply_to=turn.message.message_id,
        cut_off=True,
    )
    await turns.answered(recorded, reply, TurnRecord(trail=Trail(recovered=True)))
    ((shown, trail),) = await talk.fetch("SELECT shown, trail FROM turn WHERE shown <> '{}'")
    assert ([1], {"history": 1, "recovered": True}) == (shown, trail)
    await talk.here.run("!forget 1")
    assert [] == await talk.answers()


MUCH_SAID: Final = """
WITH asked AS (
    INSERT INTO turn (space_id, turn_id, channel_id, session_id, asker_id, state, worker, lease_until, recorded_at,
                      reply_ids, shown, trail)
    SELECT 1, n, 10, 5, 7, 'answered', 'w', now(), now(), ARRAY[n + 1], ARRAY[n % 997],
           jsonb_build_object('sources', jsonb_build_array(jsonb_build_object('label', 'M1', 'message',
                              jsonb_build_array(10, n - 2))))
    FROM generate_series(10000, 49999, 2) AS n)
INSERT INTO message (space_id, message_id, channel_id, session_id, role, author, content, reply_to, said_at, search)
SELECT 1, n + 1, 10, 5, 'hathi', 'Hathi', 'Fine.', n, now(), '' FROM generate_series(10000, 49999, 2) AS n
"""
WANTED: Final = {
    "reply_sources.answers": ("1", "'{20000}'"),
    "reply_sources.naming": ("1", "'{20000}'"),
    "reply_sources.shown": ("1", "'{5}'", "'{vault}'", "'{5}'"),
    "reply_sources.replies": ("1", "'{20000}'", "'{5}'", "'{10}'", "'{N1}'", "'{49000}'"),
    "discord_edits.is_touched": ("1", "'{20000}'"),
    "discord_edits.is_only_named": ("1", "20000"),
}
INDEXES: Final = {
    "reply_sources.answers": {"message_reply"},
    "reply_sources.naming": {"turn_sources", "message_reply"},
    "reply_sources.shown": {"turn_shown", "message_reply"},
    "reply_sources.replies": {"turn_sources", "turn_shown", "message_reply"},
    "discord_edits.is_touched": {"turn_sources"},
    "discord_edits.is_only_named": {"turn_sources"},
}


@pytest.mark.parametrize("name", INDEXES)
async def test_replies_are_found_by_index(database: Database, name: str) -> None:
    """However much Hathi has said in a space that is locked meanwhile, none of it is read but what is asked for."""
    statement = statements.named(name)
    async with database.connection() as connection:
        await connection.execute(MUCH_SAID)
        for table in ("turn", "message"):
            await connection.execute(f"ANALYZE {table}")
        arguments = ", ".join(WANTED[name])
        await connection.execute(f"PREPARE law AS {statement}")
        explain: Any = f"EXPLAIN (FORMAT JSON) EXECUTE law({arguments})"
        plan = json.dumps(await connection.fetchval(explain))
        await connection.execute("DEALLOCATE law")
    used = {key for key in INDEXES["reply_sources.replies"] if key in plan}
    read = re.findall(r'Seq Scan[^}]*?"Relation Name": \\*"(turn|message)', plan)
    assert (INDEXES[name], []) == (used, read)
