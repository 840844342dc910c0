"""The buttons under Hathi's messages: what they do, for whom, and that they outlive the bot."""

import re
from typing import Any

import discord
import pytest
import simcord

from bot.commands.resets import SUMMARIZING, ResetReply
from bot.db.pool import Database
from bot.domain import ChannelId, Memory, MemoryId, MessageId, Saved, SessionId, Source, SpaceId, Tier
from bot.lifecycle.summaries import SummaryDone
from bot.store.sessions import Closed
from bot.text import notices
from cogs.commands.dispatch import ResetNotice
from cogs.ui import buttons as controls
from tests.cogs import simulated
from tests.cogs.simulated import World, answer, buttons
from tests.conftest import Clock

LARGE = 9_223_372_036_854_775_807
FACTS = ("I prefer tea over coffee.", "We decided to ship the release on Friday.")


def saved(number: int, topic: str = "cats") -> Saved:
    memory = Memory(
        space_id=SpaceId(1),
        memory_id=MemoryId(number),
        channel_id=ChannelId(1),
        tier=Tier.SHORT,
        room="general",
        topic=topic,
        content="x",
        importance=5,
        source=Source.SUMMARY,
        tags=(),
        author_id=None,
        author=None,
        evidence=(),
        seen_count=1,
        pinned=False,
        created_at=Clock().now,
        said_at=Clock().now,
    )
    return Saved(memory=memory, was_known=False)


def done(count: int, topic: str = "cats") -> SummaryDone:
    return SummaryDone(
        space_id=SpaceId(1),
        channel_id=1,
        session_id=SessionId(LARGE),
        message_count=9,
        saved=tuple(saved(LARGE - n, f"{topic} {n}") for n in range(count)),
    )


async def reset(world: World) -> discord.Message:
    """The message of a reset whose summary is made, with the memories of what was said."""
    await world.talk(*FACTS)
    await world.say("!reset", by=world.ann)
    await world.settled()
    return world.last


async def living(database: Database) -> list[int]:
    async with database.connection() as connection:
        found = await connection.fetch(
            "SELECT memory_id FROM memory WHERE forgotten_at IS NULL AND superseded_by IS NULL ORDER BY memory_id"
        )
    return [row["memory_id"] for row in found]


def private(result: simcord.InteractionResult) -> str:
    """What only the presser was told."""
    (told,) = result.followups
    assert told.ephemeral
    return told.content


@pytest.mark.parametrize("prefix", ["!", "@Hathi the elephant who forgets nothing ?"])
@pytest.mark.parametrize("count", [0, 1, 24, 25, 27, 28, 29, 30, 120])
async def test_a_summary_always_fits(count: int, prefix: str) -> None:
    """However much was saved, there are at most 25 buttons and one message, which ends with the cleared line."""
    text, view = controls.summary_message(done(count, "a topic of many many words and more"), prefix)
    assert min(count, 24) + 1 == len(view.children)
    assert len(text.encode("utf-16-le")) // 2 <= 2000
    assert notices.CLEARED == text.splitlines()[-1]
    told = text.count("[memory] saved:")
    assert count == told or f"… and {count - told} more; {prefix}memories sort:new" in text
    assert all(len(item.to_component_dict()["custom_id"]) <= 100 for item in view.children)


async def test_a_summary_that_is_not_made_yet_says_so() -> None:
    """The messages are kept, it will be tried again, and the reset can be undone meanwhile."""
    waiting = SummaryDone(
        space_id=SpaceId(1), channel_id=1, session_id=SessionId(1), message_count=9, retry_at=Clock().now
    )
    text, view = controls.summary_message(waiting)
    assert (True, True) == (text.startswith("[memory] Not summarized yet: 9 "), text.endswith(f"\n{notices.CLEARED}"))
    assert ["Undo all"] == [item.to_component_dict()["label"] for item in view.children]


async def test_a_reset_tells_what_it_saved(database: Database, clock: Clock) -> None:
    """One message: first that it summarises, then what was saved, a line and a button each, and undo for the whole."""
    async with simulated.world(database, clock) as world:
        message = await reset(world)
        said = [(r.method, r.json["content"]) for r in world.env.http_requests if r.json and "/channels/" in r.path]
    lines = message.content.splitlines()
    assert "[memory] Summarized 4 messages → 2 memories saved." == lines[0]
    assert [True, True] == [line.startswith("[memory] saved: topic=") for line in lines[1:3]]
    assert notices.CLEARED == lines[-1]
    assert [("POST", "[memory] Summarizing 4 messages…"), ("PATCH", message.content)] == said
    assert ["Forget #1", "Forget #2", "Undo all"] == buttons(message)


async def test_a_slash_reset_is_told_in_the_channels_own_message(database: Database, clock: Clock) -> None:
    """The summary is told by an edit of the message itself, not by the interaction, whose means end after a while."""
    async with simulated.world(database, clock) as world:
        await world.talk(*FACTS)
        result = await world.choose("reset")
        await world.settled()
        edits = [r.path for r in world.env.http_requests if r.method == "PATCH" and "/channels/" in r.path]
    assert [f"/channels/{world.channel.id}/messages/{answer(result).id}"] == edits
    assert answer(result).content.startswith("[memory] Summarized 4 messages")
    assert answer(result).ephemeral is False


async def test_where_a_reset_was_told_is_noted(database: Database, clock: Clock) -> None:
    """A summary that is made late, by whichever worker, knows the message to edit."""
    async with simulated.world(database, clock) as world:
        await world.talk(*FACTS)
        message = await world.say("!reset")
        await world.settled()
        async with database.connection() as connection:
            row = await connection.fetchrow(
                "SELECT session_id, space_id, notice_place_id, notice_id FROM session WHERE notice_id IS NOT NULL"
            )
            assert row is not None
            await connection.execute(
                "UPDATE session SET state = 'closed' WHERE space_id = $1 AND session_id = $2",
                row["space_id"],
                row["session_id"],
            )
        late = await world.room.app.summaries.make(SpaceId(row["space_id"]), SessionId(row["session_id"]))
    assert (world.channel.id, message.id) == (row["notice_place_id"], row["notice_id"])
    assert late is not None
    assert (ChannelId(world.channel.id), MessageId(message.id)) == late.notice


async def test_a_line_is_forgotten_and_brought_back(database: Database, clock: Clock) -> None:
    """Forget #1 becomes Undo #1 and back again; the other buttons stay, and so does the text."""
    async with simulated.world(database, clock) as world:
        message = await reset(world)
        text = message.content
        forgot = await world.press(message, "Forget #1")
        after = (await living(database), buttons(world.last), world.last.content)
        back = await world.press(world.last, "Undo #1")
        restored = (await living(database), buttons(world.last), world.last.content)
    assert ([2], ["Undo #1", "Forget #2", "Undo all"], text) == after
    assert ([1, 2], ["Forget #1", "Forget #2", "Undo all"], text) == restored
    assert private(forgot).startswith("[memory] forgotten: #1 ")
    assert private(back).startswith("[memory] back: #1 ")


async def test_undo_is_of_that_memory_alone(database: Database, clock: Clock) -> None:
    """Of two forgotten memories the button brings back its own, not the latest."""
    async with simulated.world(database, clock) as world:
        message = await reset(world)
        await world.press(message, "Forget #1")
        await world.press(world.last, "Forget #2")
        forgotten = await living(database)
        await world.press(world.last, "Undo #1")
        assert ([], [1]) == (forgotten, await living(database))
        assert ["Forget #1", "Undo #2", "Undo all"] == buttons(world.last)


async def test_a_reset_is_undone(database: Database, clock: Clock) -> None:
    """Undo takes the facts of that reset back; its message says so and has no buttons any more."""
    async with simulated.world(database, clock) as world:
        message = await reset(world)
        await world.press(message, "Undo all")
        after = world.last
    assert ([], []) == (await living(database), buttons(after))
    assert (message.id, True) == (after.id, after.content.startswith("[memory] Took back 2 memories of session 1;"))


async def test_an_older_reset_is_not_undone_by_its_button(database: Database, clock: Clock) -> None:
    """The button of a reset never takes back another one."""
    async with simulated.world(database, clock) as world:
        first = await reset(world)
        await world.talk("My favourite colour is green.")
        await world.say("!reset")
        await world.settled()
        before = await living(database)
        result = await world.press(first, "Undo all")
        after = await living(database)
    assert before == after
    assert private(result).startswith("Only whoever reset last can undo it")


async def test_a_discarded_session_is_brought_back(database: Database, clock: Clock) -> None:
    """What was discarded can be undone by a button as well."""
    async with simulated.world(database, clock) as world:
        await world.talk(*FACTS)
        message = await world.say("!reset discard")
        assert ["Undo all"] == buttons(message)
        await world.press(message, "Undo all")
    assert world.last.content.startswith("[memory] Session 1 can be found again")


@pytest.mark.parametrize("label", ["Forget #1", "Undo all"])
async def test_others_may_not(label: str, database: Database, clock: Clock) -> None:
    """A button gives nobody a right: who may not forget or undo is told so alone, and nothing has changed."""
    async with simulated.world(database, clock) as world:
        message = await reset(world)
        result = await world.press(message, label, by=world.bob)
        assert ([1, 2], buttons(message)) == (await living(database), buttons(world.last))
    assert re.match(r"#1 was said by someone else|Only whoever reset last can undo it", private(result))


async def test_what_was_forgotten_by_one_is_not_undone_by_another(database: Database, clock: Clock) -> None:
    """Undo is for whoever forgot, within 10 minutes."""
    async with simulated.world(database, clock) as world:
        message = await reset(world)
        await world.press(message, "Forget #1")
        by_another = await world.press(world.last, "Undo #1", by=world.bob)
        clock.forward(minutes=11)
        too_late = await world.press(world.last, "Undo #1")
    assert private(by_another) == private(too_late)
    assert private(too_late).startswith("You did not forget #1")


@pytest.mark.parametrize("label", ["Forget #2", "Undo all"])
async def test_buttons_outlive_the_bot(label: str, database: Database, clock: Clock) -> None:
    """After a restart the buttons of a message work in another client that never saw it before."""
    async with simulated.world(database, clock) as world:
        message = await reset(world)
        await world.restart()
        await world.press(message, label)
        left = await living(database)
    assert ([1] if label == "Forget #2" else []) == left


async def test_forget_offers_undo(database: Database, clock: Clock) -> None:
    """`!forget` asks nothing, and its reply offers to bring the memory back; then it says what is so."""
    async with simulated.world(database, clock) as world:
        await world.say("!remember the cat is Tom")
        message = await world.say("!forget 1")
        assert (["Undo #1"], []) == (buttons(message), await living(database))
        await world.restart()
        await world.press(message, "Undo #1")
        after = world.last
        assert [1] == await living(database)
    assert (message.id, "[memory] back: #1 the cat is Tom", ["Forget #1"]) == (after.id, after.content, buttons(after))


async def test_slash_forget_offers_undo(database: Database, clock: Clock) -> None:
    """The slash form offers the same."""
    async with simulated.world(database, clock) as world:
        await world.say("!remember the cat is Tom")
        result = await world.choose("forget", id="1")
        await world.press(answer(result), "Undo #1")
        assert [1] == await living(database)


async def test_a_button_pressed_twice_is_harmless(database: Database, clock: Clock) -> None:
    """A press on a button that stands no more on the message forgets nothing else and tells the presser."""
    async with simulated.world(database, clock) as world:
        message = await reset(world)
        await world.press(message, "Forget #1")
        channel = world.client.get_channel(world.channel.id)
        assert isinstance(channel, discord.TextChannel)
        _, view = controls.summary_message(done(0))
        view.clear_items().add_item(controls.forget(MemoryId(1)))
        stale = await channel.send("stale", view=view)
        result = await world.press(stale, "Forget #1")
        assert [2] == await living(database)
    assert private(result).startswith("There is no memory #1 here")


async def test_nothing_is_kept_of_views(database: Database, clock: Clock) -> None:
    """However many messages with buttons are sent, the client remembers none of them."""
    async with simulated.world(database, clock) as world:
        await reset(world)
        await world.say("!remember the cat is Tom")
        await world.say("!forget 3")
        store: Any = world.client._connection._view_store
        kept = (store._views, store._synced_message_views)
    assert ({}, {}) == kept


@pytest.mark.parametrize("summarizing", [True, False])
async def test_a_reset_that_was_undone_is_not_told_over(summarizing: bool, database: Database, clock: Clock) -> None:
    """A summary that was stopped by an undo leaves the message as the undo made it, and ends one that still waits."""
    before = f"{SUMMARIZING} 4 messages…" if summarizing else "[memory] The summary of session 1 was stopped."
    stopped = Closed(
        space_id=SpaceId(1),
        channel_id=ChannelId(1),
        session_id=SessionId(1),
        number=1,
        message_count=4,
        to_summarise=True,
    )
    async with simulated.world(database, clock) as world:
        channel = world.client.get_channel(world.channel.id)
        assert isinstance(channel, discord.TextChannel)
        message = await channel.send(before)
        told = ResetNotice(world.client, world.ears.notices, channel)
        told.at(MessageId(message.id))
        await told.announce(ResetReply(text=notices.CLEARED, closed=stopped))
        assert (notices.CLEARED if summarizing else before) == world.last.content


async def test_what_stands_under_a_reply_is_a_button_that_presses_know():
    """It is what a view of that one button sends, by the id that such a button is found by."""
    view = discord.ui.View(timeout=None)
    view.add_item(controls.WhyReplyButton(discord.ui.Button(label=controls.WHY, custom_id="hathi:reasons:5")))
    assert view.to_components() == controls.under(MessageId(5), None, explains=True)


async def test_a_contradiction_is_settled_by_a_button_that_outlives_a_restart(database: Database, clock: Clock) -> None:
    """By who may change what goes; then the choices go, and it is said under it what holds."""
    async with simulated.world(database, clock) as world:
        await world.say("!remember The alarm code at the shop is 5519.", by=world.ann)
        message = await world.say("!remember The alarm code at the shop is 5591.", by=world.ann)
        offered = buttons(message)
        await world.restart()
        refused = await world.press(message, "The newer holds", by=world.bob)
        before = await living(database)
        pressed = await world.press(message, "The newer holds")
    assert ["The newer holds", "The older holds", "Both hold"] == offered
    assert ([1, 2], [2]) == (before, await living(database))
    assert "said by someone else" in private(refused)
    assert ["#2 holds" in told.content for told in pressed.followups] == [True]
    edits = [r.json for r in world.env.http_requests if r.method == "PATCH" and r.json and "components" in r.json]
    assert [] == edits[-1]["components"]
