"""The laws of tags on Discord: they are suggested while they are typed, and listed as other lists are."""

from bot import arguments
from bot.commands.grammar import GRAMMARS
from bot.db.pool import Database
from cogs.ui import options
from tests.cogs import simulated
from tests.cogs.simulated import answer, shown
from tests.conftest import Clock


def test_both_forms_name_the_same_tags() -> None:
    """Options chosen and a line typed become the same arguments."""
    for name, chosen, line in (
        ("memories", {"tag": "pets, Q3"}, "tag:pets,q3"),
        ("recall", {"query": "a cat", "tag": "pets"}, "a cat tag:pets"),
        ("tags", {"page": 2}, "page:2"),
    ):
        assert arguments.parse(line, GRAMMARS[name]) == options.compiled(GRAMMARS[name], dict(chosen))


async def test_tags_are_completed_one_after_the_other(database: Database, clock: Clock) -> None:
    """The last one that is being typed; those before it stay, and are not suggested again."""
    async with simulated.world(database, clock) as world:
        await world.say("!remember Tom is white tags:cats,colours")
        await world.say("!remember Rex is black tags:colours")
        typed = ("", "c", "colours,c", "colours, ca", "zzz", "zzz,")
        found = [await world.ann.autocomplete(world.channel, "memories", "tag", text) for text in typed]
        given = [await world.ann.autocomplete(world.channel, name, "tag", "cat") for name in ("recall", "memories")]
        given.append(await world.ann.autocomplete(world.channel, "remember", "tags", "cat"))
    assert [[c["value"] for c in each] for each in found] == [
        ["colours", "type:note", "cats"],
        ["colours", "cats"],
        ["colours,cats"],
        ["colours,cats"],
        [],
        ["zzz,colours", "zzz,type:note", "zzz,cats"],
    ]
    assert [[c["value"] for c in each] for each in given] == [["cats"]] * 3


async def test_tags_are_listed_as_other_lists_are(database: Database, clock: Clock) -> None:
    """By both forms, to everybody, a line each."""
    async with simulated.world(database, clock) as world:
        assert shown(await world.say("!tags", by=world.bob)).startswith("No tags yet")
        await world.say("!remember Tom is white tags:colours")
        typed = shown(await world.say("!tags", by=world.bob))
        chosen = shown(answer(await world.choose("memories", show="tags")))
    assert typed == chosen == "### 2 tags\n**colours** · 1 memory\n**type:note** · 1 memory"
