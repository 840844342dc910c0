"""No secret of a private channel reaches anybody elsewhere, by whichever way it is asked for."""

import itertools
import json
import re
from collections.abc import AsyncGenerator
from pathlib import Path
from typing import Final

import pytest

from bot.commands.commands import ADMIN
from bot.db.pool import Database
from cogs.commands.leaves import LEAVES
from tests import house
from tests.discord_server.channels import Channel
from tests.discord_server.users import User
from tests.house import FILED, MARKERS, MATTERS, House, Matter, holding
from tests.model_server import Reply

ROOM, TOPIC, TAG = FILED
COMMANDS: Final = (
    "!memories",
    "!memories sort:new",
    "!tags",
    "!palace",
    "!me",
    "!notes",
    "!wake",
    "!sessions",
    "!status",
    "!why",
    "!age preview",
    "!undo",
    "!mydata",
    "!mydata export",
    "!forget 1",
    "!edit 1 it is Pumpernickel",
    "!pin 1",
    "!unpin 1",
    "!forget 2",
    "!pin 2",
    '!promote N2 The kiln is hot. reason:"so it is"',
    "!memory",
    "!help",
)
"""Lines that name nothing of what is known elsewhere, but by its number."""
OFFERED: Final = tuple(
    (leaf.path, option.name) for leaf in LEAVES for option in leaf.options if option.suggests not in {"", "commands"}
)
"""Options of commands that suggest what there is."""


@pytest.fixture
async def at(database: Database, tmp_path: Path) -> AsyncGenerator[House]:
    async with house.house(database, tmp_path) as found:
        await house.furnish(found)
        await house.quote(found)
        yield found


async def places(at: House) -> list[tuple[User, Channel]]:
    """Who may ask where, that is not for the private channel's eyes: also somebody who knows the secret."""
    thread = await at.bob.start_thread(at.bot.channel, "aside")
    alone = await at.bob.start_thread(at.bot.channel, "staff", private=True)
    alone.add(at.bot.discord.bot)
    return [
        (at.bob, at.bot.channel),
        (at.ann, at.bot.channel),
        (at.bot.guild.owner, at.bot.channel),
        (at.bob, thread),
        (at.bob, alone),
        (at.bob, at.bob.direct),
        (at.ann, at.ann.direct),
    ]


def marker(kind: str) -> list[str]:
    return [matter.marker for matter in MATTERS if matter.kind == kind]


async def test_each_is_found_in_its_own_channel(at: House) -> None:
    """Where it may be seen each secret is shown to the model, quoted and listed, so that no law here is empty."""
    assert [] == [kind for kind, said in at.answers.items() if not holding(house.seen(said), marker(kind))]
    prompts = "\n".join(at.bot.world.prompts)
    assert [] == [matter.marker for matter in MATTERS if matter.marker not in prompts]
    for line, found in (
        ("!memories", "Quillwort"),
        ("!tags", TAG),
        ("!palace", ROOM),
        ("!notes", "Dunklefax"),
        ("!me", "Quillwort"),
        ("!recall merger partner", "Quillwort"),
    ):
        assert [found] == holding(await at.runs(at.ann, at.staff, line), [found])
    for command, option, found in (
        ("forget", "id", "Quillwort"),
        ("note promote", "note", "Dunklefax"),
        ("why", "reply", "Quillwort"),
        ("remember", "room", ROOM),
        ("memories", "topic", TOPIC),
        ("recall", "tag", TAG),
    ):
        assert [found] == holding(await at.offered(at.ann, at.staff, command, option, ""), [found])


async def ask(at: House, user: User, channel: Channel, matter: Matter) -> None:
    """For one matter in every way there is to ask for it."""
    links = [at.link(at.answers[matter.kind]), *(at.link(at.said[kind]) for kind in (matter.kind,) if kind in at.said)]
    for text in (
        *matter.wordings,
        *(f"What did we say in {link}?" for link in links),
        f"What did message {links[-1].rpartition('/')[2]} say?",
    ):
        await at.asks(user, channel, text)
    for line in (
        f"!recall {matter.words}",
        f"!recall {matter.words} strategy:literal why",
        f"!recall {matter.words.replace(' ', ';')} strategy:keywords",
        f"!why {links[0]}",
        f"!why {links[-1].rpartition('/')[2]}",
        f"!memories {matter.words.split()[0]}",
    ):
        await at.runs(user, channel, line)


@pytest.mark.parametrize("place", range(7))
async def test_nothing_of_a_private_channel_is_told_elsewhere(at: House, place: int) -> None:
    """By words, link, number, command or suggestion: no secret reaches a prompt, a reply or the log."""
    user, channel = (await places(at))[place]
    since, shown = at.mark(), len(channel.said_by(at.bot.discord.bot))
    for matter in MATTERS:
        await ask(at, user, channel, matter)
    for line in COMMANDS:
        # What is hers anybody may have who wrote it, where nobody else reads it.
        if (user, line) != (at.ann, "!mydata export"):
            await at.runs(user, channel, line)
    offered = [
        await at.offered(user, channel, command, option, typed)
        for (command, option), typed in itertools.product(OFFERED, ("", "1", "n"))
        if user is at.bot.guild.owner or not command.startswith(ADMIN)
    ]
    told = "\n".join(map(house.seen, channel.said_by(at.bot.discord.bot)[shown:]))
    assert ([], [], [], []) == tuple(map(holding, (since.prompted, told, "\n".join(offered), since.logged)))


NAMING: Final = (
    ("!palace {}", ROOM, "nowhereland"),
    ("!palace general topic:{}", TOPIC, "nothingness"),
    ("!memories {}", TOPIC, "nothingness"),
    ("!memories {}", ROOM, "nowhereland"),
    ("!memories tag:{}", TAG, "never"),
    ("!recall partner tag:{}", TAG, "never"),
    ("!recall {}", "Quillwort", "Nevermore"),
    ("!room rename {} attic", ROOM, "nowhereland"),
    ("!room merge {} general", ROOM, "nowhereland"),
    ("!forget {}", "1", "999"),
    ("!edit {} So it is.", "1", "999"),
    ("!pin {}", "2", "999"),
    ("!unpin {}", "2", "999"),
    ("!promote {} So it is. reason:because", "N2", "N99"),
    ("!why {}", "", "123456789012345678"),
    ("!remember The merger partner is called {}.", "Quillwort", "Nevermore"),
)
"""Lines that name something, what it is called in the private channel, and what was never called anything."""


async def test_what_may_not_be_seen_is_as_if_it_had_never_been(at: House) -> None:
    """Whoever guesses its name or number is told what they would be of any other, with all rights that there are."""
    there = str(at.answers["memory"].message_id)
    for line, name, never in NAMING:
        asked = name or there
        told = list[str]()
        for each in (asked, never):
            told.append(await at.runs(at.bot.guild.owner, at.bot.channel, line.format(each)))
            if line.startswith("!remember"):
                # Else the second would contradict the first.
                (number,) = re.findall(r"#(\d+)", told[-1])[:1]
                await at.runs(at.bot.guild.owner, at.bot.channel, f"!forget {number}")
        plain = [
            re.sub(r"#\d+|hathi:\w+:\d+", "#", text.replace(each, "…"))
            for text, each in zip(told, (asked, never), strict=True)
        ]
        assert plain[1] == plain[0], line


async def test_a_models_tools_see_no_more_than_the_channel(at: House) -> None:
    """What a model looks for on its own in a public channel is not found in a private one; there it is."""
    found: list[list[str]] = []
    for channel in (at.bot.channel, at.staff):
        since = len(at.bot.model.requests)
        at.bot.model.steps += [Reply(calls=(("memory_recall", {"query": "merger partner"}),)), Reply(text="Fine.")]
        await at.asks(at.ann, channel, "Tell us a story.")
        messages = at.bot.model.requests[since + 1]["messages"]
        found.append(holding(str([part for part in messages if part["role"] == "tool"]), ["Quillwort"]))
    assert [[], ["Quillwort"]] == found


async def test_what_a_session_came_to_is_told_in_its_own_channel(at: House) -> None:
    """The summary of a private channel's session is neither listed, found nor taken up elsewhere."""
    told = {"summary": "The retreat takes place in Marzipolis.", "facts": []}
    at.bot.model.steps.append(Reply(text=json.dumps(told)))
    await at.runs(at.bot.guild.owner, at.staff, "!reset")
    await at.bot.settled()
    found: list[list[str]] = []
    for channel in (at.staff, at.bot.channel, await at.bob.start_thread(at.bot.channel, "aside"), at.ann.direct):
        since, shown = at.mark(), len(channel.said_by(at.bot.discord.bot))
        await at.asks(at.ann, channel, "Where did we leave off?")
        await at.runs(at.ann, channel, "!sessions")
        said = "\n".join(map(house.seen, channel.said_by(at.bot.discord.bot)[shown:]))
        found += [holding(text, ["Marzipolis"]) for text in (since.prompted, said)]
    assert [["Marzipolis"], ["Marzipolis"], [], [], [], [], [], []] == found


async def test_the_log_holds_no_word_of_it(at: House) -> None:
    """Neither of what was kept nor of what was found."""
    assert [] == holding(repr(at.lines), MARKERS)
