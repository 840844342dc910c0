"""The laws of notes: one session's, for a while, for those who may read there, and no memory by themselves."""

import asyncio
from dataclasses import replace
from typing import Any

import pytest

from bot import errors, transfer
from bot.db.pool import Database
from bot.domain import Actor, Caller, ChannelId, MessageId, SessionId, SpaceId, new_id
from bot.store import notes as notes_module
from bot.store.notes import Note
from tests import people
from tests.conftest import Clock
from tests.conversations import Room, roles, room
from tests.model_server import ModelServer, Reply
from tests.rows import rows

ANN = people.caller(admin=True)
BOB = people.caller("Bob", person=8)
HIDDEN = people.caller("Ann", channel=11, sees=(10, 11))
OTHER = people.caller("Ann", space=2, channel=20)
SUMMARY = '{"summary": "They talked.", "facts": []}'


async def keep(r: Room, text: str, by: Caller = ANN, *, said: int | None = None, actor: Actor = Actor.PERSON) -> Note:
    """A note of somebody's in the open session of their channel."""
    message = None if said is None else MessageId(said)
    return await r.app.notes.save(by, text, actor=actor, said=message, now=r.clock())


async def living(r: Room, by: Caller = ANN, session_id: SessionId | None = None) -> list[str]:
    """What somebody is shown of a session's notes."""
    found, total = await r.app.notes.living(by, session_id, now=r.clock())
    assert total == len(found)
    return [note.content for note in found]


async def opened(r: Room, by: Caller = ANN) -> SessionId:
    """The open session of somebody's channel."""
    found = await r.app.spaces.open_session(by)
    assert found is not None
    return found


# --- what a note is ---------------------------------------------------------------------------------------------------


async def test_a_note_tells_whose_it_is_and_how_long_it_lives(database: Database, clock: Clock) -> None:
    """Its number counts up in the channel; author, channel, session, times and text are as they were given."""
    async with room(database, clock, who=ANN) as r:
        first, second = await keep(r, "check the kiln"), await keep(r, "Ask Bob", BOB)
        assert [first, second] == (await r.app.notes.living(ANN, now=clock()))[0]
        session = await opened(r)
    assert ("N1", "N2", "check the kiln", "Bob", 8) == (
        first.label,
        second.label,
        first.content,
        second.author,
        second.author_id,
    )
    assert (session, 10, 60 * 60) == (
        first.session_id,
        first.channel_id,
        (first.expires_at - first.written_at).total_seconds(),
    )


async def test_how_long_is_a_setting(database: Database, clock: Clock) -> None:
    """`[notes] keep_minutes`."""
    async with room(database, clock, who=ANN, notes={"keep_minutes": 5}) as r:
        note = await keep(r, "check the kiln")
    assert 5 * 60 == (note.expires_at - note.written_at).total_seconds()


async def test_an_expired_note_is_invisible_at_once_and_removed_by_the_upkeep(database: Database, clock: Clock) -> None:
    """To the last second it is there; then no read finds it, and the next upkeep deletes it."""
    async with room(database, clock, who=ANN) as r:
        note = await keep(r, "check the kiln")
        clock.forward(seconds=3599)
        assert ["check the kiln"] == await living(r)
        clock.forward(seconds=1)
        assert ([], [], []) == (
            await living(r),
            await r.app.notes.search(ANN, "kiln", now=clock()),
            await r.app.notes.typed(ANN, "", limit=9, now=clock()),
        )
        with pytest.raises(errors.NotFound, match="There is no note N1 here"):
            await r.app.notes.get(ANN, note.number, now=clock())
        assert [(1,)] == await rows(database, "SELECT count(*) FROM note")
        await r.app.schedule.upkeep()
    assert [(0,)] == await rows(database, "SELECT count(*) FROM note")


async def test_a_number_is_given_once(database: Database, clock: Clock) -> None:
    """Neither an expired note's nor one of the last session is given again, nor two at once the same."""
    async with room(database, clock, who=ANN) as r:
        await keep(r, "one")
        clock.forward(hours=2)
        await r.app.schedule.upkeep()
        await keep(r, "two")
        await r.reset()
        found = await asyncio.gather(*(keep(r, f"at once {n}") for n in range(5)))
    assert {f"N{n}" for n in range(3, 8)} == {note.label for note in found}


async def test_a_session_has_so_many_notes_and_no_more(
    database: Database, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One sentence beyond; what expires makes room."""
    monkeypatch.setattr(notes_module, "MOST", 2)
    async with room(database, clock, who=ANN) as r:
        await keep(r, "one")
        clock.forward(minutes=30)
        await keep(r, "two")
        with pytest.raises(errors.UserError, match="has 2 notes"):
            await keep(r, "three")
        clock.forward(minutes=30)
        await keep(r, "three")
        assert ["two", "three"] == await living(r)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("a\0b", "a NUL byte"),
        ('{"tool_calls": []}', "raw tool output"),
        ("\u200b", "no text to keep"),
        ("x" * 4001, "4001 characters; a note"),
    ],
)
async def test_what_no_memory_may_hold_no_note_holds(database: Database, clock: Clock, text: str, told: str) -> None:
    """One sentence that says what would be right, and nothing is written."""
    async with room(database, clock, who=ANN) as r:
        with pytest.raises(errors.RefusedText) as caught:
            await keep(r, text)
    assert told in str(caught.value)
    assert [(0,)] == await rows(database, "SELECT note_count FROM channel")


async def test_notes_are_searched_by_any_word(database: Database, clock: Clock) -> None:
    """As texts are in the space's language, the nearest first; only those of the session."""
    async with room(database, clock, who=ANN) as r:
        for text in ("the kilns are hot", "Bob paints", "the kiln that Bob fires is painted"):
            await keep(r, text)
        found = [note.label for note in await r.app.notes.search(ANN, "Which kiln did Bob paint?\0", now=clock())]
        one = await r.app.notes.search(ANN, "kiln bob", now=clock(), limit=1)
        none = await r.app.notes.search(ANN, "the and of", now=clock())
        await r.reset()
        assert [] == await r.app.notes.search(ANN, "kiln", now=clock())
        before = await r.app.notes.search(ANN, "kiln", one[0].session_id, now=clock())
    assert (["N3", "N2", "N1"], ["N3"], []) == (found, [n.label for n in one], none)
    assert {"N1", "N3"} == {note.label for note in before}


async def test_a_model_s_note_is_hathi_s_by_name_and_the_asker_s_to_erase(database: Database, clock: Clock) -> None:
    """The actor is kept; the author's id is that of whoever asked."""
    async with room(database, clock, who=ANN) as r:
        note = await keep(r, "the kiln runs until six", BOB, actor=Actor.MODEL)
    assert ("Hathi", 8, Actor.MODEL) == (note.author, note.author_id, note.actor)


# --- who sees it ------------------------------------------------------------------------------------------------------


async def test_two_spaces_and_a_private_channel_never_see_each_other_s(database: Database, clock: Clock) -> None:
    """Not by listing, search, number or what is typed, whoever asks and whichever session is named."""
    async with room(database, clock, who=ANN) as r:
        for who in (HIDDEN, OTHER):
            await r.app.enter(who, channel_name="another", mode="all")
        sessions = [await opened(r, who) for who in (ANN, HIDDEN, OTHER)]
        for who in (ANN, HIDDEN, OTHER):
            await keep(r, f"the kiln of {who.channel_id}", who)
        seen = [
            [n.content for n in await r.app.notes.search(who, "kiln", session, now=clock())]
            + await living(r, who, session)
            for who in (ANN, HIDDEN, OTHER)
            for session in sessions
        ]
        typed = [[n.content for n in await r.app.notes.typed(who, "", limit=9, now=clock())] for who in (HIDDEN, OTHER)]
        blind = replace(ANN, visible=())
        assert [] == await living(r, blind)
        with pytest.raises(errors.NotFound):
            await r.app.notes.get(blind, 1, now=clock())
    own = [[f"the kiln of {c}"] * 2 for c in (10, 11, 20)]
    assert [own[0], [], [], [], own[1], [], [], [], own[2]] == seen
    assert [["the kiln of 11"], ["the kiln of 20"]] == typed


async def test_a_thread_s_note_is_its_own_and_has_its_parent_s_audience(database: Database, clock: Clock) -> None:
    """The session is the thread's; who can read the parent may be shown it there."""
    thread = replace(ANN, channel_id=ChannelId(12), origin=ChannelId(10))
    async with room(database, clock, who=ANN) as r:
        await r.app.enter(thread, channel_name="a thread", mode="all")
        note = await keep(r, "in the thread", thread)
        assert ([], ["in the thread"]) == (await living(r), await living(r, thread))
    assert note.channel_id == 10


@pytest.mark.parametrize("actor", [Actor.PERSON, Actor.MODEL])
@pytest.mark.parametrize(("mode", "kept"), [("off", ""), ("explicit", "person"), ("addressed", "all"), ("all", "all")])
async def test_the_strictest_of_mode_and_wish_holds(
    database: Database, clock: Clock, mode: str, kept: str, actor: Actor
) -> None:
    """`!note` is as explicit as `!remember`; a model's note is what a model saves."""
    async with room(database, clock, who=ANN) as r:
        await r.run(f"!memory mode {mode}")
        if kept in {"all", actor.value}:
            assert "N1" == (await keep(r, "a note", actor=actor)).label
        else:
            with pytest.raises(errors.NotAllowed, match="Nothing was kept"):
                await keep(r, "a note", actor=actor)
        await r.run("!memory off me")
        with pytest.raises(errors.NotAllowed, match="you opted out"):
            await keep(r, "another", actor=actor)
        found = await rows(database, "SELECT count(*), (SELECT note_count FROM channel) FROM note")
    assert [(int(kept in {"all", actor.value}),) * 2] == found


async def test_who_opts_out_is_shown_no_more_and_removed_by_the_upkeep(database: Database, clock: Clock) -> None:
    """At once, for everybody; opting in again before that brings it back."""
    async with room(database, clock, who=ANN) as r:
        await keep(r, "Bob's", BOB)
        await r.run("!memory off me", BOB)
        away = await living(r)
        await r.run("!memory on me", BOB)
        assert ([], ["Bob's"]) == (away, await living(r))
        await r.run("!memory off me", BOB)
        await r.app.schedule.upkeep()
    assert [(0,)] == await rows(database, "SELECT count(*) FROM note")


# --- what becomes of it -----------------------------------------------------------------------------------------------


async def test_a_reset_reads_no_note_and_no_note_becomes_a_memory(database: Database, clock: Clock) -> None:
    """Neither the model nor the rules see one; the summary and the memories are of what was said."""
    async with ModelServer(Reply(text="I see."), Reply(text=SUMMARY)) as server:
        async with room(database, clock, who=ANN, models=roles(server.base_url)) as r:
            await keep(r, "We decided that the zqnote7 is on Friday.")
            await r.say("We decided that the market is on Monday.")
            await r.reset()
        sent = str(server.requests[-1])
    async with room(database, clock, who=ANN) as r:
        await keep(r, "We decided that the zqnote7 is on Friday.")
        await r.say("We decided that the fair is on Tuesday.")
        await r.reset()
        clock.forward(days=3)
        await r.app.schedule.upkeep()
    assert ("market" in sent, "zqnote7" in sent) == (True, False)
    kept = str(await rows(database, "SELECT text, raw FROM chat_summary")) + str(
        await rows(database, "SELECT content FROM memory")
    )
    assert ("fair" in kept, "zqnote7" in kept) == (True, False)


async def test_a_reset_begins_an_empty_scratchpad(database: Database, clock: Clock) -> None:
    """The notes before are listed no more; by number they can be had for one session longer, while they live."""
    async with room(database, clock, who=ANN) as r:
        await keep(r, "of the first")
        await r.say("hello there")
        await r.reset()
        assert ([], "of the first") == (await living(r), (await r.app.notes.get(ANN, 1, now=clock())).content)
        await keep(r, "of the second")
        await r.reset()
        with pytest.raises(errors.NotFound):
            await r.app.notes.get(ANN, 1, now=clock())
        assert "of the second" == (await r.app.notes.get(ANN, 2, now=clock())).content


@pytest.mark.parametrize("spoken", [True, False])
async def test_a_discarded_session_s_notes_are_gone(database: Database, clock: Clock, spoken: bool) -> None:
    """At once and for good, whether anything was said beside them or not; those of the session before stay."""
    async with room(database, clock, who=ANN) as r:
        await keep(r, "of the first")
        await r.reset()
        await keep(r, "of the second")
        if spoken:
            await r.say("hello there")
        await r.reset("!reset discard")
        assert [] == await living(r)
    assert [("of the first",)] == await rows(database, "SELECT content FROM note")


@pytest.mark.parametrize("away", [False, True])
async def test_a_note_goes_with_its_message(database: Database, clock: Clock, away: bool) -> None:
    """Deleted on Discord, at once or found out after a gap."""
    async with room(database, clock, who=ANN) as r:
        command = MessageId(new_id(clock()))
        assert await r.app.commands_in_hand.take(ANN, command)
        await keep(r, "by a command", said=command)
        await keep(r, "by another")
        if away:
            missing = await r.app.discord_edits.missed(ANN.space_id, ANN.channel_id, MessageId(command - 1), ())
            assert () == missing.gone
            later = MessageId(command + 1)
            missing = await r.app.discord_edits.missed(
                ANN.space_id, ANN.channel_id, MessageId(command - 1), (), until_id=later
            )
            assert (command,) == missing.gone
        await r.app.discord_edits.deleted(ANN.space_id, [command], clock())
        assert ["by another"] == await living(r)


async def test_a_note_goes_with_what_was_forgotten(database: Database, clock: Clock) -> None:
    """Hidden with the message it was made of, back with undo, and gone for good with it."""
    async with room(database, clock, who=ANN) as r:
        await r.say("Remember that the vault is zqred7.")
        ((said,),) = await rows(database, "SELECT message_id FROM message WHERE role = 'person'")
        await keep(r, "the vault is zqred7", said=said, actor=Actor.MODEL)
        await r.run("!forget 1")
        hidden = await living(r)
        await r.run("!undo")
        assert ([], ["the vault is zqred7"]) == (hidden, await living(r))
        await r.run("!forget 1")
        clock.forward(minutes=11)
        await r.app.schedule.upkeep()
        assert [] == await living(r)
    assert [(0,)] == await rows(database, "SELECT count(*) FROM note")


async def test_a_place_takes_its_notes_along(database: Database, clock: Clock) -> None:
    """A deleted channel leaves none; others keep theirs."""
    async with room(database, clock, who=ANN) as r:
        await r.app.enter(HIDDEN, channel_name="another", mode="all")
        await keep(r, "here")
        await keep(r, "there", HIDDEN)
        await r.app.discord_edits.place_gone(ANN.space_id, ANN.channel_id, clock())
    assert [("there",)] == await rows(database, "SELECT content FROM note")


async def test_a_person_s_notes_are_shown_handed_over_and_erased(database: Database, clock: Clock) -> None:
    """With `!mydata`: those they wrote or had written, from channels they can read; nobody else's."""
    async with room(database, clock, who=ANN) as r:
        for who in (HIDDEN, OTHER):
            await r.app.enter(who, channel_name="another", mode="all")
        await keep(r, "mine")
        await keep(r, "for me", actor=Actor.MODEL)
        await keep(r, "Bob's", BOB)
        await keep(r, "hidden", HIDDEN)
        await keep(r, "elsewhere", OTHER)
        readable = {SpaceId(1): [ChannelId(10)]}
        overview = await r.app.personal_data.overview(ANN.person_id, readable, now=clock())
        lines = [line async for line in r.app.personal_data.exported(ANN.person_id, readable, now=clock())]
        would = await r.app.personal_data.erasable(ANN.person_id)
        shown = await r.run("!mydata", replace(ANN, reads_alone=True))
        done = await r.app.personal_data.erase(ANN.person_id, now=clock.forward(seconds=1))
        again = await r.app.personal_data.erase(ANN.person_id, now=clock())
    assert {1: 2, 2: 0} == overview.notes
    assert ["for me", "mine"] == sorted(line["text"] for line in lines if line["kind"] == "note")
    assert "2 notes" in shown
    assert (4, 4, 0) == (would.notes, done.notes, again.notes)
    assert [("Bob's",)] == await rows(database, "SELECT content FROM note")


async def test_an_export_of_the_space_holds_no_note(database: Database, clock: Clock, tmp_path: Any) -> None:
    """They would have expired; and a space with nothing but notes is not empty to an import."""
    terminal = people.caller(space=0, channel=0, person=0, admin=True)
    async with room(database, clock, who=terminal) as r:
        await keep(r, "the zqnote7", terminal)
    await transfer.export_to(database, tmp_path / "f")
    assert "zqnote7" not in (tmp_path / "f").read_text("utf-8")
    with pytest.raises(errors.TransferError, match="needs an empty space"):
        await transfer.import_from(database, tmp_path / "f", language="english")


@pytest.mark.parametrize("word", ["reset", "reset discard"])
async def test_a_note_is_of_the_session_before_a_reset_or_of_the_one_after(
    database: Database, clock: Clock, word: str
) -> None:
    """Written while a reset is on its way: the channel's row decides, and none is lost between both."""
    async with room(database, clock, who=ANN) as r:
        await r.say("hello there")
        await asyncio.gather(r.run(f"!{word}"), *(keep(r, "meanwhile") for _ in range(4)))
        await r.app.background.settled(20)
        found = await rows(
            database, "SELECT s.state, count(*) FROM note n JOIN session s USING (space_id, session_id) GROUP BY 1"
        )
    states = dict(found)
    assert set(states) <= {"open", "summarised", "closed"}
    assert word == "reset discard" or sum(states.values()) == 4
