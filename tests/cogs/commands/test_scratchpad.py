"""The laws of notes on Discord: both forms alike, suggested by number, gone with their message."""

from bot import arguments
from bot.commands.grammar import GRAMMARS
from bot.db.pool import Database
from cogs.ui import options
from tests import discord_bot
from tests.cogs import simulated
from tests.cogs.simulated import answer, components, shown
from tests.conftest import Clock
from tests.rows import rows

NOTES = "SELECT content FROM note ORDER BY number"


def test_both_forms_promote_the_same() -> None:
    """Options chosen and a line typed become the same arguments, and both ask for the reason."""
    chosen = {"note": "N3", "summary": "Deploys freeze on Fridays.", "reason": "all agreed", "confirm": True}
    typed = arguments.parse('n3 Deploys freeze on Fridays. reason:"all agreed" confirm', GRAMMARS["promote"])
    assert typed == options.compiled(GRAMMARS["promote"], chosen)


async def test_notes_are_taken_listed_and_promoted_by_both_forms(database: Database, clock: Clock) -> None:
    """A listing has an entry a note; a promotion without its reason is refused to its user alone."""
    async with simulated.world(database, clock) as world:
        typed = await world.say("!note check the kiln")
        chosen = answer(await world.choose("note add", text="paint the gate"))
        listed, told = await world.say("!notes"), answer(await world.choose("note list"))
        refused = answer(await world.choose("note promote", note="N1", summary="The kiln is hot.", reason=" "))
        done = answer(await world.choose("note promote", note="N1", summary="The kiln is hot.", reason="we all saw it"))
    assert ("[note] N1", "[note] N2") == (typed.content[:9], (chosen.content or "")[:9])
    title, *notes = [part["content"] for part in components(listed) if "content" in part]
    assert ("### 2 notes of this conversation", ["check the kiln", "paint the gate", "-# !notes"]) == (
        title,
        [note.split("\n")[0] for note in notes],
    )
    assert (shown(listed).removesuffix("\n-# !notes"), True) == (shown(told), told.ephemeral)
    assert (refused.ephemeral, "reason takes 1 to 200" in (refused.content or "")) == (True, True)
    assert (done.content or "").splitlines()[-1].startswith("N1 is a memory")


async def test_notes_are_suggested_by_number_and_text(database: Database, clock: Clock) -> None:
    """Those of the channel alone, the newest first; what is chosen is its number."""
    async with simulated.world(database, clock) as world:
        for text in ("check the kiln", "paint the gate", "ask n1 again"):
            await world.say(f"!note {text}")
        other = world.guild.create_text_channel("other")
        typed = ("", "n", "2", "n2", "KILN", "zzz", "\0")
        found = [await world.ann.autocomplete(world.channel, "note promote", "note", text) for text in typed]
        elsewhere = await world.ann.autocomplete(other, "note promote", "note", "")
    values = [[each["value"] for each in suggested] for suggested in found]
    assert [["N3", "N2", "N1"], ["N3", "N2", "N1"], ["N2"], ["N2"], ["N1"], [], ["N3", "N2", "N1"]] == values
    assert ([], "N2 paint the gate") == (elsewhere, found[2][0]["name"])


async def test_who_notes_something_first_is_told_what_is_kept(database: Database) -> None:
    """Once, as whoever has something remembered is."""
    async with discord_bot.running(database) as bot:
        ann = bot.world.newcomer("Ann")
        for text in ("!note check the kiln", "!note again"):
            await bot.answer(await ann.say(bot.channel, text))
            await bot.settled()
        said = [message.text for message in bot.channel.said_by(bot.discord.bot)]
        # Under the reply to the first, and nowhere else.
        assert [True, False] == [text.endswith(f"\n{bot.notice()}") for text in said]


async def test_a_note_goes_with_the_command_that_made_it(database: Database) -> None:
    """Who deletes their `!note` takes it back, whether Hathi listens or is away."""
    async with discord_bot.world() as place:
        owner = place.guild.owner
        async with discord_bot.connected(place, database) as bot:
            bot.knows(owner)
            live, away, stays = [
                await owner.say(place.channel, f"!note the kettle is {colour}") for colour in ("blue", "green", "red")
            ]
            await bot.answer(stays)
            await owner.delete(live)
            await bot.asks(owner, place.channel, "And now?")
            await bot.settled()
            assert ["green", "red"] == [text.split()[-1] for (text,) in await rows(database, NOTES)]
        await owner.delete(away)
        async with discord_bot.connected(place, database) as bot:
            await bot.asks(bot.knows(owner), place.channel, "And then?")
            await bot.caught_up()
            await bot.settled()
    assert [("the kettle is red",)] == await rows(database, NOTES)


async def test_a_promotion_is_told_with_what_forgets_it(database: Database, clock: Clock) -> None:
    """As any saved memory, and the reply to a contradiction keeps nothing to press."""
    async with simulated.world(database, clock) as world:
        await world.say("!note x")
        done = await world.say("!promote N1 The vault code is 4417. reason:agreed")
        await world.say("!note y")
        told = await world.say("!promote N2 The vault code is 5521. reason:agreed")
    assert done.content.splitlines()[0] == "[memory] saved: topic=vault code (imp=8) #1"
    assert told.content.startswith("Nothing was written")
    assert [] == told.components
