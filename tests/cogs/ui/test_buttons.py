"""The buttons under Hathi's messages: what they do, for whom, and that they outlive the bot."""

import re
from dataclasses import replace
from typing import Any

import discord
import pytest
import simcord

from bot import catalogue
from bot.commands.resets import SUMMARIZING, ResetReply
from bot.db.pool import Database
from bot.domain import ChannelId, MemoryId, MessageId, Reply, SessionId, SpaceId
from bot.store.sessions import Closed
from bot.text import notices
from cogs.commands.dispatch import ResetNotice
from cogs.ui import button_kinds, layouts, reset_messages
from cogs.ui import buttons as controls
from cogs.ui.button_kinds import Button
from tests.cogs import simulated
from tests.cogs.simulated import World, answer, buttons, components, shown
from tests.cogs.ui import facts, on_discord
from tests.cogs.ui.facts import done
from tests.conftest import Clock

FACTS = ("I prefer tea over coffee.", "We decided to ship the release on Friday.")
KEPT = ('ann said: "We decided to ship the release on Friday."', 'ann said: "I prefer tea over coffee."')
"""What a summary makes of them, in the order of their numbers."""
FAVOURITES = (
    ("colour", "green"),
    ("food", "soup"),
    ("song", "Yesterday"),
    ("book", "Emma"),
    ("film", "Amélie"),
    ("city", "Lisbon"),
    ("drink", "tea"),
    ("game", "chess"),
    ("season", "autumn"),
    ("fruit", "pears"),
    ("number", "seven"),
    ("flower", "roses"),
)


async def reset(world: World) -> discord.Message:
    """The message of a reset whose summary is made, with the memories of what was said."""
    await world.talk(*FACTS)
    await world.say("!reset", by=world.ann)
    await world.settled()
    return world.last


def listed(message: simcord.ResponseMessage) -> list[int]:
    """The numbers of the memories in a list."""
    return [int(found[1]) for found in re.finditer(r"^-# .* #(\d+)$", shown(message), re.MULTILINE)]


def offered(message: discord.Message) -> list[str]:
    """What the menu of a reset offers to forget."""
    return [option["label"] for part in components(message) for option in part.get("options", ())]


async def forget(world: World, message: discord.Message, number: int, by: simcord.MemberActor | None = None) -> Any:
    """What became of a choice in a reset's menu."""
    world.clock.forward(seconds=3)
    return await (by or world.ann).select(message, [str(number)], custom_id="hathi:pick:forget")


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
    return shown(told)


@pytest.mark.parametrize("prefix", ["!", "@Hathi the elephant who forgets nothing ?"])
@pytest.mark.parametrize("count", [0, 1, 10, 11, 120])
def test_a_summary_always_fits(count: int, prefix: str) -> None:
    """Ten facts are told and can be chosen to be forgotten, a button lists all of more; cleared is said last."""
    few = done(count, "a topic of many many words and more")
    against = tuple(facts.saved(facts.LARGE - 200 - n).memory for n in range(9))
    many = replace(few, saved=tuple(replace(one, contradicts=against) for one in few.saved))
    for each in (few, many):
        view = reset_messages.summary(each, prefix)
        head, *told, last = on_discord.texts(view)
        assert (min(count, 10), notices.CLEARED) == (len(told), last)
        assert head.startswith("[memory] Summarized 9 messages")
        assert [str(facts.LARGE - n) for n in range(min(count, 10))] == on_discord.options(view)
        assert all(re.search(r"^x(\n|\n.*\n)-# \[memory\] saved: topic=a topic .* #\d{19}\Z", fact) for fact in told)
        kept = [f"hathi:kept:{facts.LARGE}:1"] if count > 10 else []
        assert kept == [each for each in on_discord.ids(view) if ":kept:" in each]


def test_a_summary_that_is_not_made_yet_says_so() -> None:
    """The messages are kept, it will be tried again, and the reset can be undone meanwhile."""
    view = reset_messages.summary(replace(done(0), retry_at=Clock().now))
    head, last = on_discord.texts(view)
    assert (True, notices.CLEARED) == (head.startswith("[memory] Not summarized yet: 9 "), last)
    assert [f"hathi:undo:{facts.LARGE}"] == on_discord.ids(view)


async def test_a_reset_tells_what_it_kept(database: Database, clock: Clock) -> None:
    """One message: first that it summarises, then each fact in its words, a menu of them and undo for the whole."""
    async with simulated.world(database, clock) as world:
        message = await reset(world)
        sent = [r for r in world.env.http_requests if r.json and re.search(r"/channels/\d+/messages", r.path)]
    lines = shown(message).splitlines()
    assert "[memory] Summarized 4 messages → 2 memories saved." == lines[0]
    assert [*KEPT] == lines[1:5:2]
    assert [True, True] == [line.startswith("-# [memory] saved: topic=") for line in lines[2:5:2]]
    assert notices.CLEARED == lines[-1]
    assert ["POST", "PATCH"] == [r.method for r in sent]
    assert "[memory] Summarizing 4 messages…" in str(sent[0].json)
    assert (["Undo all"], [f"#1 {KEPT[0]}", f"#2 {KEPT[1]}"]) == (buttons(message), offered(message))


async def test_a_slash_reset_is_told_in_the_channels_own_message(database: Database, clock: Clock) -> None:
    """The summary is told by an edit of the message itself, not by the interaction, whose means end after a while."""
    async with simulated.world(database, clock) as world:
        await world.talk(*FACTS)
        result = await world.choose("reset")
        await world.settled()
        edits = [r.path for r in world.env.http_requests if r.method == "PATCH" and "/channels/" in r.path]
    assert [f"/channels/{world.channel.id}/messages/{answer(result).id}"] == edits
    assert shown(answer(result)).startswith("[memory] Summarized 4 messages")
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


async def test_a_fact_is_forgotten_and_brought_back(database: Database, clock: Clock) -> None:
    """It is told no more and offered no more; in its place is what brings it back; all else stays."""
    async with simulated.world(database, clock) as world:
        message = await reset(world)
        told = await forget(world, message, 1)
        after = (await living(database), buttons(world.last), offered(world.last), shown(world.last))
        back = await world.press(world.last, "Undo #1")
        restored = (await living(database), buttons(world.last), offered(world.last), shown(world.last))
    assert ([2], ["Undo #1", "Undo all"], [f"#2 {KEPT[1]}"]) == after[:3]
    assert (KEPT[0] in after[3], "*forgotten*\n-# #1\n" in after[3], KEPT[1] in after[3]) == (False, True, True)
    assert ([1, 2], ["…", "Undo all"], [f"#2 {KEPT[1]}"]) == restored[:3]
    assert f"{KEPT[0]}\n-# #1\n{KEPT[1]}\n" in restored[3]
    assert [notices.CLEARED] * 2 == [text.splitlines()[-1] for text in (after[3], restored[3])]
    assert private(told).startswith("[memory] forgotten: #1 ")
    assert private(back).startswith("[memory] back: #1 ")


async def test_the_menu_goes_with_its_last_choice(database: Database, clock: Clock) -> None:
    """When every fact was forgotten nothing is offered, and the reset can still be undone."""
    async with simulated.world(database, clock) as world:
        message = await reset(world)
        await forget(world, message, 1)
        await forget(world, world.last, 2)
        assert ([], ["Undo #1", "Undo #2", "Undo all"]) == (offered(world.last), buttons(world.last))
        await world.press(world.last, "Undo all")
    assert [] == buttons(world.last)


async def test_undo_is_of_that_memory_alone(database: Database, clock: Clock) -> None:
    """Of two forgotten memories the button brings back its own, not the latest."""
    async with simulated.world(database, clock) as world:
        message = await reset(world)
        await forget(world, message, 1)
        await forget(world, world.last, 2)
        forgotten = await living(database)
        await world.press(world.last, "Undo #1")
        assert ([], [1]) == (forgotten, await living(database))
        assert ["…", "Undo #2", "Undo all"] == buttons(world.last)


async def test_a_fact_that_is_back_is_changed_as_in_a_list(database: Database, clock: Clock) -> None:
    """Its button opens what can be done with it, and it is forgotten once more."""
    async with simulated.world(database, clock) as world:
        await forget(world, await reset(world), 1)
        await world.press(world.last, "Undo #1")
        await world.press(world.last, "…")
        assert ["…", "Forget", "Fix …", "Pin", "Undo all"] == buttons(world.last)
        await world.press(world.last, "Forget")
        assert ([2], ["Undo #1", "Undo all"]) == (await living(database), buttons(world.last))


async def test_a_reset_of_many_facts_lists_all_in_private(database: Database, clock: Clock) -> None:
    """Ten are told, a button lists all of them to whoever presses it alone, six a page, each with its button."""
    async with simulated.world(database, clock) as world:
        await world.talk(*(f"My favourite {thing} is {one}." for thing, one in FAVOURITES))
        await world.say("!reset")
        await world.settled()
        message, kept = world.last, await living(database)
        (first,) = (await world.press(message, f"All {len(kept)}", by=world.bob)).followups
        pages = [(listed(first), buttons(first))]
        second = answer(await world.press(first, "Page 2 ▶", by=world.bob))
        pages.append((listed(second), buttons(second)))
        after = world.last
    assert 10 == len(offered(message)) == shown(message).count("-# [memory] saved:")
    assert len(kept) > 10
    assert (first.ephemeral, [first.id]) == (True, [second.id])
    assert sorted(kept) == sorted([*pages[0][0], *pages[1][0]])
    assert [["…"] * 6 + ["Page 2 ▶"], ["…"] * (len(kept) - 6) + ["◀ Page 1"]] == [found for _, found in pages]
    assert (message.id, shown(message)) == (after.id, shown(after))


async def test_a_reset_is_undone(database: Database, clock: Clock) -> None:
    """Undo takes the facts of that reset back; its message says so and has no buttons any more."""
    async with simulated.world(database, clock) as world:
        message = await reset(world)
        await world.press(message, "Undo all")
        after = world.last
    assert ([], [], []) == (await living(database), buttons(after), offered(after))
    assert (message.id, True) == (after.id, shown(after).startswith("[memory] Took back 2 memories of session 1;"))


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
    assert shown(world.last).startswith("[memory] Session 1 can be found again")


@pytest.mark.parametrize("does", ["forget", "undo"])
async def test_others_may_not(does: str, database: Database, clock: Clock) -> None:
    """Nothing gives anybody a right: who may not forget or undo is told so alone, and nothing has changed."""
    async with simulated.world(database, clock) as world:
        message = await reset(world)
        if does == "forget":
            result = await forget(world, message, 1, world.bob)
        else:
            result = await world.press(message, "Undo all", by=world.bob)
        assert ([1, 2], shown(message), buttons(message), offered(message)) == (
            await living(database),
            shown(world.last),
            buttons(world.last),
            offered(world.last),
        )
    assert re.match(r"#1 was said by someone else|Only whoever reset last can undo it", private(result))


async def test_what_was_forgotten_by_one_is_not_undone_by_another(database: Database, clock: Clock) -> None:
    """Undo is for whoever forgot, within 10 minutes."""
    async with simulated.world(database, clock) as world:
        await forget(world, await reset(world), 1)
        by_another = await world.press(world.last, "Undo #1", by=world.bob)
        clock.forward(minutes=11)
        too_late = await world.press(world.last, "Undo #1")
    assert private(by_another) == private(too_late)
    assert private(too_late).startswith("You did not forget #1")


@pytest.mark.parametrize("does", ["forget", "undo"])
async def test_buttons_and_menus_outlive_the_bot(does: str, database: Database, clock: Clock) -> None:
    """After a restart those of a message work in another client that never saw it before."""
    async with simulated.world(database, clock) as world:
        message = await reset(world)
        await world.restart()
        await (forget(world, message, 2) if does == "forget" else world.press(message, "Undo all"))
        left = await living(database)
    assert ([1] if does == "forget" else []) == left


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
    told = "[memory] back: #1 the cat is Tom"
    assert (message.id, told, ["Forget #1"]) == (after.id, shown(after), buttons(after))


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
        await forget(world, await reset(world), 1)
        channel = world.client.get_channel(world.channel.id)
        assert isinstance(channel, discord.TextChannel)
        stale = await channel.send(view=layouts.told("stale", [controls.forget(MemoryId(1))]))
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


@pytest.mark.parametrize("of_components", [True, False])
@pytest.mark.parametrize("summarizing", [True, False])
async def test_a_reset_that_was_undone_is_not_told_over(
    summarizing: bool, of_components: bool, database: Database, clock: Clock
) -> None:
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
        message = await channel.send(view=layouts.told(before)) if of_components else await channel.send(before)
        told = ResetNotice(world.client, world.ears.notices, channel)
        told.at(MessageId(message.id))
        await told.announce(ResetReply(text=notices.CLEARED, closed=stopped))
        assert (notices.CLEARED if summarizing else before) == shown(world.last)


async def test_what_stands_under_a_reply_is_a_button_that_presses_know():
    """It is what a view of that one button sends, by the id that such a button is found by."""
    view = discord.ui.View(timeout=None)
    view.add_item(controls.WhyReplyButton(discord.ui.Button(label=controls.WHY, custom_id="hathi:reasons:5")))
    told = Reply(text="It is Tom.", rests_on_memory=True)
    assert view.to_components() == controls.under(MessageId(5), told, explains=True)
    without = [(None, True), (replace(told, rests_on_memory=False), True), (told, False)]
    assert [[], [], []] == [[*controls.under(MessageId(5), reply, explains=shown)] for reply, shown in without]


def test_every_kind_of_button_is_known_when_it_is_pressed() -> None:
    """A press of one that is not listed is heard by nobody."""
    kinds = {kind for kind in vars(button_kinds).values() if isinstance(kind, type) and issubclass(kind, Button)}
    assert set() == kinds - {Button, *button_kinds.BUTTONS}


async def test_a_contradiction_is_settled_by_a_button_that_outlives_a_restart(database: Database, clock: Clock) -> None:
    """By who may change what goes; then the choices go, and it is said under it what holds."""
    async with simulated.world(database, clock) as world:
        await world.say("!remember The alarm code at the shop is 5519.", by=world.ann)
        message = await world.say("!remember The alarm code at the shop is 5591.", by=world.ann)
        offered = buttons(message)
        await world.restart()
        refused = await world.press(message, "#2 holds", by=world.bob)
        before = await living(database)
        pressed = await world.press(message, "#2 holds")
    assert ["#1 holds", "#2 holds", "Both hold"] == offered
    assert ([1, 2], [2]) == (before, await living(database))
    assert "said by someone else" in private(refused)
    assert ["#2 holds" in shown(told) for told in pressed.followups] == [True]
    after = next(each for each in world.channel.history() if each.id == message.id)
    assert (shown(message), []) == (shown(after), buttons(after))


async def test_what_a_button_says_is_looked_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """A label is told in the language that is spoken, with its number; so is what a menu says that is not open."""
    told = {"Forget #{number}": "#{number} vergessen", "Page {number} ▶": "Seite {number} ▶", controls.WHY: "Warum?"}
    monkeypatch.setattr(catalogue, "gettext", lambda text: told.get(text, f"<{text}>"))

    pressed = [controls.forget(MemoryId(12)), controls.turn(3, controls.PAGE_ON), controls.known("hathi:reasons:1")]
    assert [one.item.label for one in pressed] == ["#12 vergessen", "Seite 3 ▶", "Warum?"]
    assert controls.into(["people"]).item.placeholder == "<Choose a room>"
    assert [one.item.label for one in controls.on_others(MemoryId(12))] == ["<Ask to remove it>"]
