"""What people see among Discord's commands, by what they may do there."""

import re
from typing import Any

import pytest

from bot import arguments, errors
from bot.commands.grammar import GRAMMARS, GROUPS
from bot.db.pool import Database
from bot.domain import Right
from cogs.commands.leaves import LEAVES, MEMORIES
from cogs.ui import options
from cogs.ui.panels import TITLE
from tests.cogs import simulated
from tests.cogs.simulated import answer, buttons, shown
from tests.conftest import Clock

MEMBERS = {
    *("remember", "recall", "forget", "undo", "why", "memories", "missed", "privacy", "help"),
    *("note add", "note list", "note promote"),
}
BITS = {Right.MANAGE_GUILD: 1 << 5, Right.MANAGE_MESSAGES: 1 << 13}


def leaves(part: dict[str, Any], above: str = "") -> list[str]:
    """The commands a person sees in one of Discord's list."""
    path = f"{above}{part['name']}"
    inner = [option for option in part.get("options", []) if option["type"] in {1, 2}]
    return [leaf for each in inner for leaf in leaves(each, f"{path} ")] if inner else [path]


async def test_a_member_sees_a_dozen(database: Database, clock: Clock) -> None:
    """Counted as people see them, by who is shown them unless a server's admins decide otherwise."""
    seen: dict[Any, set[str]] = {}
    async with simulated.world(database, clock) as world:
        for command in world.client.tree.get_commands():
            told: dict[str, Any] = command.to_dict(world.client.tree)
            if told["type"] == 1:
                seen.setdefault(told["default_member_permissions"], set()).update(leaves(told))
    assert MEMBERS == seen.pop(None)
    assert len(MEMBERS) <= 12
    assert {"reset"} == seen.pop(BITS[Right.MANAGE_MESSAGES])
    managers = seen.pop(BITS[Right.MANAGE_GUILD])
    assert {"age"} == {path for path in managers if not path.startswith("admin ")}
    assert {leaf.path for leaf in LEAVES} | {"privacy"} == MEMBERS | {"reset"} | managers
    assert {} == seen


def test_every_command_can_be_typed_and_is_found_in_help_once() -> None:
    """What a leaf stands for is a command of the grammar, and help lists each of those in one group."""
    listed = [name for group in GROUPS.values() for name in group]
    assert sorted(GRAMMARS) == sorted(listed)
    typed = {leaf.command for leaf in LEAVES if leaf.command}
    apart = {"memories", "palace", "tags", "sessions", "summary", "me"}
    under_buttons = {"edit", "pin", "unpin", "settle", "mydata"}
    assert {*GRAMMARS} == typed | apart | under_buttons | {"do"}


def test_pages_are_turned_by_buttons() -> None:
    """No leaf asks for what a button serves better."""
    assert [] == [leaf.path for leaf in LEAVES if {"page", "limit"} & {option.name for option in leaf.options}]


@pytest.mark.parametrize(
    ("chosen", "line"),
    [
        ({}, "memories"),
        ({"topic": "cats", "sort": "new", "mine": True}, "memories cats by:me sort:new"),
        ({"room": "pets"}, "memories pets"),
        ({"room": "pets", "topic": "cats"}, "palace pets topic:cats"),
        ({"mine": False, "tag": "a,b"}, "memories tag:a,b"),
        ({"show": "rooms"}, "palace"),
        ({"show": "rooms", "room": "pets"}, "palace pets"),
        ({"show": "tags"}, "tags"),
        ({"show": "sessions"}, "sessions"),
        ({"show": "summary"}, "summary"),
        ({"show": "about me"}, "me"),
    ],
)
def test_what_is_listed_is_what_is_typed(chosen: dict[str, object], line: str) -> None:
    """`/memories` stands for the typed command that lists it."""
    name, _, rest = line.partition(" ")
    found = MEMORIES.given(chosen)
    grammar = GRAMMARS[name]
    assert name == found.command
    assert arguments.parse(rest, grammar) == options.compiled(grammar, found.chosen, found.form)


@pytest.mark.parametrize(
    ("chosen", "sentence"),
    [
        ({"show": "tags", "topic": "cats"}, "show:tags takes nothing else; leave out topic."),
        ({"show": "rooms", "tag": "a"}, "show:rooms takes room and topic alone; leave out tag."),
        ({"room": "a", "topic": "b", "sort": "new"}, "room and topic together takes nothing else; leave out sort."),
    ],
)
def test_what_does_not_go_together_is_told(chosen: dict[str, object], sentence: str) -> None:
    """A list that can't be narrowed so says what to leave out."""
    with pytest.raises(errors.BadArgument, match=re.escape(sentence)):
        MEMORIES.given(chosen)


async def test_privacy_is_one_private_panel(database: Database, clock: Clock) -> None:
    """What is kept here, stop, go on and own data are buttons; to erase is red, and asked twice."""
    async with simulated.world(database, clock) as world:
        await world.say("!remember I keep bees", by=world.bob)
        panel = answer(await world.choose("privacy", by=world.bob))
        assert panel.ephemeral
        first = buttons(panel)
        told = [shown(panel)]
        for label in ("Stop remembering me", "Remember me again", "What you have of me", "Erase …"):
            await world.press(panel.message, label, by=world.bob)
            told.append(shown(panel))
        asked = [buttons(panel)]
        await world.press(panel.message, "Erase everything of mine", by=world.bob)
        told.append(shown(panel))
        asked.append(buttons(panel))
        styles = {part["label"]: part["style"] for part in simulated.components(panel) if part["type"] == 2}
        before = await world.say("!recall bees")
        await world.press(panel.message, "Yes, for good", by=world.bob)
        told.append(shown(panel))
        after = await world.say("!recall bees")
    assert first == [
        *("What is kept here", "What you have of me", "Give me all of it"),
        *("Stop remembering me", "Erase …"),
    ]
    begins = ("The memory mode here is", "From now on nothing", "You may be remembered again", "What I have of you")
    starts = [*begins, "This would erase", "This would erase", "Erased for good"]
    below = [text.removeprefix(f"### {TITLE}\n") for text in told]
    assert starts == [text[: len(start)] for text, start in zip(below, starts, strict=True)]
    assert "Nothing and nobody can bring it back" in told[-2]
    assert ["Erase everything of mine"] == [label for label in asked[0] if label not in first]
    assert ["Yes, for good"] == [label for label in asked[1] if label not in first]
    assert {"Yes, for good": 4} == {label: style for label, style in styles.items() if style == 4}
    assert "I keep bees" in shown(before)
    assert "I keep bees" not in shown(after)


async def test_the_panel_tells_whoever_opted_out_what_stays(database: Database, clock: Clock) -> None:
    """With how much there is; it offers what they can change, and shows which of its buttons it tells of."""
    async with simulated.world(database, clock) as world:
        await world.say("!remember I keep bees", by=world.bob)
        panel = answer(await world.choose("privacy", by=world.bob))
        willing = buttons(panel)
        await world.press(panel.message, "Stop remembering me", by=world.bob)
        declined = buttons(panel)
        await world.press(panel.message, "What is kept here", by=world.bob)
        here = shown(panel)
        pressed = [part["label"] for part in simulated.components(panel) if part.get("disabled")]
        await world.press(panel.message, "Remember me again", by=world.bob)
        again = buttons(panel)
    changes = {"Stop remembering me", "Remember me again"}
    assert [["Stop remembering me"], ["Remember me again"], ["Stop remembering me"]] == [
        [label for label in labels if label in changes] for labels in (willing, declined, again)
    ]
    assert "nothing new of yours is kept" in here
    assert "1 memory" in here
    assert ["What is kept here"] == pressed
