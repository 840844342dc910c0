"""The laws of keeping an answer that somebody approves of in words."""

from dataclasses import replace
from datetime import timedelta

import pytest

from bot.commands import approvals, resting
from bot.db.pool import Database
from bot.domain import Message, MessageId, Role, Turn
from bot.language.tags import tagging
from bot.text import normalize
from bot.turn.offline import UNREACHABLE
from tests import people
from tests.conftest import Clock
from tests.conversations import RecordedReply, Room, roles, room
from tests.model_server import ModelServer, Reply, Status
from tests.rows import contents, rows

ANN, BEN, EVE = people.caller("Ann"), people.caller("Ben", person=8), people.caller("Eve", person=9)
STALL = "A stall at the fair costs 45 euros."
COST = "What does a stall at the fair cost?"
QUESTION = "Hathi, how do we make pancakes?"
ANSWER = "Beat two eggs into flour and milk, and fry it in butter."


class Live(RecordedReply):
    """A place that has one question and its answer of itself, as Discord would."""

    async def history(self, turn: Turn) -> tuple[Message, ...]:
        question = turn.message
        asked = replace(question, message_id=MessageId(question.message_id - 2), content=QUESTION)
        reply = replace(
            question,
            message_id=MessageId(question.message_id - 1),
            content=ANSWER,
            role=Role.HATHI,
            author_id=None,
            reply_to=asked.message_id,
            said_at=question.said_at - timedelta(seconds=1),
        )
        return (asked, reply)


async def _ask(r: Room, turn: Turn) -> RecordedReply:
    recorded_reply = RecordedReply()
    await r.app.conversation.answer(turn, recorded_reply.delivery)
    return recorded_reply


async def _replying(r: Room, text: str, refers: int) -> RecordedReply:
    turn = r.turn(text)
    return await _ask(r, replace(turn, message=replace(turn.message, reply_to=MessageId(refers))))


async def test_an_answer_that_is_approved_becomes_a_memory(database: Database, clock: Clock) -> None:
    """Of weight 8, in Hathi's words and theirs to forget who approved; it rests on question, approval and answer."""
    bob = people.caller("Bob", person=8)
    async with ModelServer(Reply(text=ANSWER)) as server, room(database, clock, models=roles(server.base_url)) as r:
        await r.app.enter(bob, channel_name="general", mode="all")
        asked = r.turn(QUESTION)
        await _ask(r, asked)
        clock.forward(seconds=1)
        approved = people.turn(bob, "this will do nicely", clock())
        answer = await _ask(r, approved)
        assert 1 == len(server.requests)
    said = await rows(database, "SELECT message_id FROM message WHERE content = $1 AND role = 'hathi'", ANSWER)
    ids = [asked.message.message_id, approved.message.message_id, said[0][0]]
    assert [(ANSWER, 8, "user", "Hathi", 8, ids)] == await rows(
        database, "SELECT content, importance, source, author, author_id, evidence FROM memory"
    )
    assert ("[memory] saved: topic=pancakes (imp=8) #1, in my words", []) == (answer.text, answer.notes)


async def test_it_is_filed_and_tagged_by_what_people_wrote(database: Database, clock: Clock) -> None:
    """What the model wrote names neither the topic nor a domain: it could be talked into any."""
    async with (
        ModelServer(Reply(text="Deploy the server to kubernetes, then invoice the taxes.")) as server,
        room(database, clock, models=roles(server.base_url)) as r,
    ):
        expected = tagging.Registry(r.app.settings.domains).inferred(f"{QUESTION}\nperfect, keep that", workflow="note")
        await r.say(QUESTION)
        await r.say("perfect, keep that")
    assert [("pancakes", [*expected])] == await rows(database, "SELECT topic, tags FROM memory")


async def test_without_an_answer_there_is_nothing_to_keep(database: Database, clock: Clock) -> None:
    """Said first, or after a reset, it is answered with one sentence, and nothing is kept."""
    async with ModelServer(Reply(text=ANSWER)) as server, room(database, clock, models=roles(server.base_url)) as r:
        assert approvals.NOTHING_YET == (await r.say("this will do nicely")).text
        await r.say(QUESTION)
        server.steps.append(Reply(text='{"summary": "Talk.", "facts": []}'))
        await r.reset()
        assert approvals.NOTHING_YET == (await r.say("this will do nicely")).text
    assert 0 == len(await contents(database))


async def test_the_answer_that_is_replied_to_is_the_one(database: Database, clock: Clock) -> None:
    """An approval in reply to an answer keeps that one, of an earlier session too; in reply to anything else, none."""
    said = iter([ANSWER, "The demo is on Friday at ten.", '{"summary": "Talk.", "facts": []}'])
    async with (
        ModelServer(always=lambda _: Reply(text=next(said))) as server,
        room(database, clock, models=roles(server.base_url)) as r,
    ):
        await r.say(QUESTION)
        await r.say("When is the demo, by the way?")
        (first, *_), *_ = await rows(database, "SELECT message_id FROM message WHERE role = 'hathi' ORDER BY 1")
        await r.reset()
        await _replying(r, "keep this", first)
        assert [ANSWER] == await contents(database)
        assert approvals.NOTHING_YET == (await _replying(r, "keep this", first + 1)).text
    assert [ANSWER] == await contents(database)


async def test_what_others_may_not_read_is_kept_by_no_reply_to_it(database: Database, clock: Clock) -> None:
    """An answer given in a channel that is not visible where somebody approves of it is not found."""
    elsewhere = people.caller("Bob", person=8, channel=11)
    async with ModelServer(Reply(text=ANSWER)) as server, room(database, clock, models=roles(server.base_url)) as r:
        elsewhere = await r.app.enter(elsewhere, channel_name="staff", mode="all")
        await r.say(QUESTION)
        ((answer_id,),) = await rows(database, "SELECT message_id FROM message WHERE role = 'hathi'")
        clock.forward(seconds=1)
        turn = people.turn(elsewhere, "keep this", clock())
        told = await _ask(r, replace(turn, message=replace(turn.message, reply_to=MessageId(answer_id))))
    assert (approvals.NOTHING_YET, []) == (told.text, await contents(database))


@pytest.mark.parametrize(
    ("answer", "told"),
    [("Hello there!", approvals.TRIVIAL), ("no " * (normalize.MAX_LENGTH // 3) + "longer", approvals.TOO_LONG)],
)
async def test_what_can_not_be_kept_is_told_in_a_sentence(
    database: Database, clock: Clock, answer: str, told: str
) -> None:
    """An answer without anything in it, or longer than a memory may be."""
    async with ModelServer(Reply(text=answer)) as server, room(database, clock, models=roles(server.base_url)) as r:
        await r.say(QUESTION)
        assert told == (await r.say("keep that")).text
    assert [] == await contents(database)


async def test_a_confirmation_is_no_answer_to_keep(database: Database, clock: Clock) -> None:
    """What was kept is not kept as the line that says so."""
    async with ModelServer(Reply(text=ANSWER)) as server, room(database, clock, models=roles(server.base_url)) as r:
        await r.say(QUESTION)
        await r.say("keep that")
        assert approvals.TRIVIAL == (await r.say("perfect, keep that")).text
    assert [ANSWER] == await contents(database)


async def test_the_same_answer_approved_again_is_one_memory(database: Database, clock: Clock) -> None:
    """Said again it is reinforced, and the line says so."""
    async with ModelServer(Reply(text=ANSWER)) as server, room(database, clock, models=roles(server.base_url)) as r:
        await r.say(QUESTION)
        ((answer_id,),) = await rows(database, "SELECT message_id FROM message WHERE role = 'hathi'")
        await r.say("keep that")
        again = await _replying(r, "keep that", answer_id)
    assert (True, [ANSWER]) == ("said 2 times" in again.text, await contents(database))


async def test_who_deletes_the_question_takes_it_back(database: Database, clock: Clock) -> None:
    """Though the approval stands: that alone says nothing. Without the approval, the question still holds it."""
    for gone, left in ((0, []), (1, [ANSWER])):
        async with ModelServer(Reply(text=ANSWER)) as server, room(database, clock, models=roles(server.base_url)) as r:
            turns = [r.turn(QUESTION), r.turn("keep that")]
            for turn in turns:
                await _ask(r, turn)
            assert [ANSWER] == await contents(database)
            deleted = [turns[gone].message.message_id]
            await r.app.discord_edits.deleted(r.caller.space_id, deleted, clock())
            assert left == await contents(database)


@pytest.mark.parametrize(("line", "told"), [("!memory mode off", "off"), ("!memory mode explicit", "!remember")])
async def test_where_nothing_may_be_kept_it_is_told(database: Database, clock: Clock, line: str, told: str) -> None:
    """By the channel's mode, the one sentence of every request to remember; nothing is kept."""

    recorded_reply = Live()
    async with room(database, clock) as r:
        await r.run(line, by=replace(r.caller, is_admin=True))
        await r.app.conversation.answer(r.turn("keep that"), recorded_reply.delivery)
    assert (True, True) == (recorded_reply.text.startswith("Nothing was kept"), told in recorded_reply.text)
    assert [] == await contents(database)


async def test_who_opted_out_is_told_so(database: Database, clock: Clock) -> None:
    """The wish of who approves goes before the channel's mode."""
    recorded_reply = Live()
    async with room(database, clock) as r:
        await r.run("!memory off me")
        await r.app.conversation.answer(r.turn("keep that"), recorded_reply.delivery)
    assert ("Nothing was kept: you opted out" in recorded_reply.text, []) == (True, await contents(database))


async def test_the_approval_stands_in_the_history(database: Database, clock: Clock) -> None:
    """It is a turn as every other: recorded, and answered under it."""
    async with ModelServer(Reply(text=ANSWER)) as server, room(database, clock, models=roles(server.base_url)) as r:
        await r.say(QUESTION)
        answer = await r.say("keep that")
    assert [QUESTION, ANSWER, "keep that", answer.text] == [
        row[0] for row in await rows(database, "SELECT content FROM message ORDER BY message_id")
    ]


# --- whose words they are


def _model(answer: str | None) -> ModelServer:
    """One that answers questions so; whoever has no answer runs without."""
    return ModelServer(always=lambda _: Reply(text=answer or ""))


@pytest.mark.parametrize("answer", [None, "Ann said that a stall costs 45 euros (M1)."])
async def test_nothing_is_kept_of_who_opted_out(database: Database, clock: Clock, answer: str | None) -> None:
    """Neither what is quoted of theirs nor what a model tells of it: it is refused in a sentence, whoever asks."""
    async with _model(answer) as server, room(database, clock, models=roles(answer and server.base_url), who=ANN) as r:
        await r.app.enter(BEN, channel_name="general", mode="all")
        await r.say(STALL)
        assert "45 euros" in (await r.say(COST, by=BEN)).text
        await r.run("!memory off me")
        assert resting.NOT_THERE == (await r.say("keep that", by=BEN)).text
    assert [] == await contents(database)


@pytest.mark.parametrize("answer", [None, "A stall costs 45 euros (#1)."])
async def test_nor_is_a_memory_of_theirs_made_anew(database: Database, clock: Clock, answer: str | None) -> None:
    """What was kept of them before stands, and becomes no other memory."""
    async with _model(answer) as server, room(database, clock, models=roles(answer and server.base_url), who=ANN) as r:
        await r.app.enter(BEN, channel_name="general", mode="all")
        await r.run(f"!remember {STALL}")
        assert "45 euros" in (await r.say(COST, by=BEN)).text
        await r.run("!memory off me")
        assert resting.NOT_THERE == (await r.say("keep that", by=BEN)).text
    assert [(STALL, 1)] == await rows(database, "SELECT content, seen_count FROM memory")


async def test_nor_what_a_model_tells_of_the_session(database: Database, clock: Clock) -> None:
    """Though it cites nothing: it has a telling word of what they had said."""
    async with (
        _model("Osterquill would be a fine name for it.") as server,
        room(database, clock, models=roles(server.base_url), who=ANN) as r,
    ):
        await r.app.enter(BEN, channel_name="general", mode="all")
        await r.say("My grandmother called hers Osterquill.")
        await r.say("Write me a name for a cat", by=BEN)
        await r.run("!memory off me")
        assert resting.NOT_THERE == (await r.say("keep that", by=BEN)).text
    assert [] == await contents(database)


async def test_of_several_things_quoted_those_are_kept_that_may_be(database: Database, clock: Clock) -> None:
    """As their authors'; nothing of who opted out comes along."""
    async with room(database, clock, who=ANN) as r:
        for each in (BEN, EVE):
            await r.app.enter(each, channel_name="general", mode="all")
        await r.say(STALL)
        await r.say("A stall at the fair cost 40 euros last year.", by=BEN)
        said = (await r.say(COST, by=EVE)).text
        assert [True, True] == [text in said for text in ("45 euros", "40 euros")]
        await r.run("!memory off me")
        await r.say("keep that", by=EVE)
    assert [("A stall at the fair cost 40 euros last year.", "Ben")] == await rows(
        database, "SELECT content, author FROM memory"
    )


async def test_a_note_that_is_quoted_is_not_kept_as_hathis(database: Database, clock: Clock) -> None:
    """It is somebody's, and no message of theirs: who wants it kept says so in words."""
    async with room(database, clock, who=ANN) as r:
        await r.app.enter(BEN, channel_name="general", mode="all")
        await r.run(f"!note {STALL}")
        assert "45 euros" in (await r.say(COST, by=BEN)).text
        assert resting.NO_MESSAGE == (await r.say("keep that", by=BEN)).text
    assert [] == await contents(database)


async def test_what_stands_in_for_a_model_is_its_authors(database: Database, clock: Clock) -> None:
    """While the model is away memory answers in quotations what it surely has an answer to."""
    async with (
        ModelServer(always=Status(status=500)) as server,
        room(database, clock, models=roles(server.base_url), who=ANN) as r,
    ):
        await r.app.enter(BEN, channel_name="general", mode="all")
        await r.run(f"!remember {STALL}")
        said = (await r.say(COST, by=BEN)).text
        assert (True, True) == (UNREACHABLE in said, "45 euros" in said)
        await r.say("keep that", by=BEN)
    assert [(STALL, "Ann")] == await rows(database, "SELECT content, author FROM memory")


async def test_what_was_told_just_before_is_kept_where_it_was_only_heard(database: Database, clock: Clock) -> None:
    """ "Remember that" means one's own statement then; after a question there is nothing to keep."""
    async with room(database, clock) as r:
        await r.say("My sister Eva moved to Lisbon in May.")
        told = await r.say("remember that")
        await r.say("write me a poem")
        nothing = await r.say("remember that")
        kept = await r.run("!memories")
    assert "My sister Eva moved to Lisbon in May." in told.text
    assert (approvals.TRIVIAL, True) == (nothing.text, "Lisbon" in kept)


@pytest.mark.parametrize(
    "request_", ["remember this limerick", "save that poem", "save that as our poem", "merk dir dieses Gedicht"]
)
async def test_what_an_answer_is_called_is_not_kept_in_its_place(
    database: Database, clock: Clock, request_: str
) -> None:
    """It points at the answer; where there is none to keep, nothing is kept."""
    verse = "There once was a horn in the fog, that croaked like a very large frog."
    async with (
        ModelServer(always=Reply(text=verse)) as server,
        room(database, clock, models=roles(server.base_url)) as r,
    ):
        await r.say(request_)
        before = await contents(database)
        await r.say("write a verse about foghorns")
        await r.say(request_)
    assert ([], [verse]) == (before, await contents(database))
