"""The names that mean something in a channel, of a guild as discord.py knows it."""

from typing import Any, Final, cast

import discord
import pytest
from discord.state import ConnectionState

from bot.db.pool import Database
from bot.domain import SpaceId
from cogs.access.name_directory import NameDirectory
from cogs.text.markup import discordly, readable
from tests import discord_bot
from tests.cogs.commands.test_reply_reasons import form, whole
from tests.discord_server.permissions import Overwrite, Permission
from tests.model_server import Reply
from tests.rows import column
from tests.waiting import becomes

GUILD, GENERAL, BUILDERS, WAVE, PARTY = 1, 10, 20, 40, 41

PAIRS: Final = [
    (f"<@&{BUILDERS}>, see <#{GENERAL}>", "@builders, see #general"),
    (f"<:wave:{WAVE}> <a:party:{PARTY}>", ":wave: :party:"),
]


def _role(key: int, name: str) -> dict[str, Any]:
    return {"id": str(key), "name": name, "position": key, "permissions": "1024", "colors": {}}


def _names() -> NameDirectory:
    """Directories of a place that nothing is asked of the database for."""
    return NameDirectory(cast("Any", None))


@pytest.fixture
def channel() -> discord.TextChannel:
    state = ConnectionState(
        dispatch=lambda *_: None, handlers={}, hooks={}, http=cast("Any", None), intents=discord.Intents.default()
    )
    data = {
        "id": str(GUILD),
        "name": "g",
        "owner_id": "8",
        "members": [],
        "member_count": 1,
        "threads": [],
        "roles": [_role(BUILDERS, "builders"), _role(GUILD, "@everyone")],
        "emojis": [{"id": str(WAVE), "name": "wave"}, {"id": str(PARTY), "name": "party", "animated": True}],
        "channels": [
            {
                "id": str(GENERAL),
                "type": 0,
                "name": "general",
                "position": 0,
                "nsfw": False,
                "permission_overwrites": [],
            }
        ],
    }
    found = discord.Guild(data=cast("Any", data), state=state).get_channel(GENERAL)
    assert isinstance(found, discord.TextChannel)
    return found


@pytest.mark.parametrize(("markup", "words"), PAIRS)
def test_names_of_a_guild_are_read_and_written(channel: discord.TextChannel, markup: str, words: str):
    """Roles, channels and emoji read by the names the guild gives them, and are written back as their marks."""
    directories = _names()
    assert (words, markup) == (readable(markup, directories.of(channel)), discordly(words, directories.of(channel)))


def test_everyone_is_no_name(channel: discord.TextChannel):
    """The role of everybody is told to nobody, and nobody is called by it."""
    directory = _names().of(channel)
    assert ({BUILDERS: "builders"}, "@everyone", "@a-role") == (
        dict(directory.roles),
        discordly("@everyone", directory),
        readable(f"<@&{GUILD}>", directory),
    )


async def test_a_missed_question_names_whom_it_mentions(database: Database) -> None:
    """A question asked while Hathi was away is recorded and shown to the model with the names of those it mentions."""
    async with discord_bot.world() as place:
        ann, ben = place.newcomer("Ann"), place.newcomer("Ben")
        async with discord_bot.connected(place, database) as bot:
            await bot.asks(bot.knows(ann), place.channel, "Are you there?")
        missed = await ann.say(place.channel, f"Shall I ask {ben.mention} about lunch?", mentions=[place.discord.bot])
        async with discord_bot.connected(place, database) as bot:
            await bot.answer(missed)
        assert "Shall I ask @Ben about lunch?" in place.prompts[-1]
        assert "Shall I ask @Ben about lunch?" in await _said(database)


async def test_an_edit_after_a_restart_keeps_the_names(database: Database) -> None:
    """A message that is edited after a restart still names those it mentions."""
    async with discord_bot.world() as place:
        ann, ben, me = place.newcomer("Ann"), place.newcomer("Ben"), place.discord.bot
        async with discord_bot.connected(place, database) as bot:
            bot.knows(ann)
            question = await ann.say(place.channel, f"Shall I ask {ben.mention} about lunch?", mentions=[me])
            await bot.answer(question)
        async with discord_bot.connected(place, database):
            await ann.edit(question, f"{me.mention} Shall I ask {ben.mention} about dinner?")
            await becomes({"Shall I ask @Ben about dinner?"}, lambda: _said(database))


async def test_an_edit_names_nobody_who_lets_no_name_be_kept(database: Database) -> None:
    """Whoever opted out is mentioned as someone, also by what is edited."""
    async with discord_bot.running(database) as bot:
        ann, ben, me = bot.person("Ann"), bot.person("Ben"), bot.discord.bot
        question = await bot.says_to_hathi(ann, bot.channel, "Shall I ask somebody about lunch?")
        await bot.answer(question)
        await bot.answer(await ben.say(bot.channel, "!memory off me"))
        await ann.edit(question, f"{me.mention} Shall I ask {ben.mention} about dinner?")
        await becomes({"Shall I ask @someone about dinner?"}, lambda: _said(database))


async def test_live_history_after_a_restart_keeps_the_names(database: Database) -> None:
    """What is read from Discord itself, where nothing is kept, still names those it mentions."""
    async with discord_bot.world() as place:
        ann, ben = place.newcomer("Ann"), place.newcomer("Ben")
        async with discord_bot.connected(place, database) as bot:
            await bot.answer(await place.guild.owner.say(place.channel, "!memory mode off"))
            await bot.asks(ann, place.channel, f"{ben.mention} owns the deploys.")
        async with discord_bot.connected(place, database) as bot:
            await bot.asks(ann, place.channel, "Who owns them?")
        assert "@Ben owns the deploys." in place.prompts[-1]


async def test_a_name_of_the_guild_outlives_what_is_read_anew(database: Database) -> None:
    """Messages that are read from Discord again tell no nicknames: whoever is known by one keeps it."""
    async with discord_bot.running(database) as bot:
        ann, ben = bot.person("Ann"), bot.discord.user("Ben")
        bot.guild.join(ben, nick="Benny")
        await bot.answer(await bot.guild.owner.say(bot.channel, "!memory mode off"))
        await bot.asks(ann, bot.channel, f"{ben.mention} owns the deploys.")
        await bot.asks(ann, bot.channel, "Who owns them?")
        assert "@Benny owns the deploys." in bot.world.prompts[-1]


@pytest.mark.parametrize("spoke", [True, False])
async def test_names_go_back_as_mentions_after_a_restart(database: Database, spoke: bool) -> None:
    """Who spoke to Hathi once, or is mentioned in a channel's history, is mentioned by name after a restart too."""
    async with discord_bot.world() as place:
        ann, ben = place.newcomer("Ann"), place.newcomer("Ben")
        elsewhere = place.guild.text_channel("elsewhere")
        async with discord_bot.connected(place, database) as bot:
            if spoke:
                await bot.asks(ben, elsewhere, "Hello!")
                elsewhere.overwrite(place.discord.bot, Overwrite(deny=Permission.READ_MESSAGE_HISTORY))
            else:
                await bot.asks(ann, place.channel, f"{ben.mention} owns the deploys.")
        async with discord_bot.connected(place, database) as bot:
            await bot.caught_up()
            place.model.steps.append(Reply(text="Ask @Ben."))
            reply = await bot.asks(bot.knows(ann), place.channel, "Give me a name.")
        assert f"Ask {ben.mention}." == reply.text


async def test_a_slash_command_after_a_restart_knows_who_spoke(database: Database) -> None:
    """A form is read by the names that are kept, though nothing was heard in the channel since the start."""
    async with discord_bot.world() as place:
        ann, ben = place.newcomer("Ann"), place.newcomer("Ben")
        async with discord_bot.connected(place, database) as bot:
            await bot.asks(ben, place.channel, "Hello!")
            await bot.answer(await ann.say(place.channel, "!remember I play chess."))
            listed = await whole(ann, await bot.answer(await ann.say(place.channel, "!me")))
        async with discord_bot.connected(place, database):
            asked = await form(ann, listed, 1)
            fixed = await ann.submit(asked, {"text": f"I play chess with {ben.mention}."})
            await place.until(lambda: fixed.followups)
        async with database.connection() as connection:
            assert "I play chess with @Ben." in {
                row["content"] for row in await connection.fetch("SELECT content FROM memory")
            }


async def test_who_opted_out_or_is_of_another_space_is_not_known_by_what_is_kept(database: Database) -> None:
    """Of the names that are kept only those of the same space are known, and none of who does not want to be."""
    async with discord_bot.world() as place:
        ann, ben, eve = place.newcomer("Ann"), place.newcomer("Ben"), place.discord.user("Eve")
        other = place.discord.guild("Tapirs")
        other.join(eve)
        async with discord_bot.connected(place, database) as bot:
            await bot.asks(ann, place.channel, "Hello!")
            await bot.asks(ben, place.channel, "Hello!")
            await bot.asks(eve, other.text_channel("general"), "Hello!")
            await bot.answer(await ben.say(place.channel, "!memory off me"))
            known = await bot.app.spaces.people(SpaceId(place.guild.guild_id), most=10)
        assert {ann.user_id: "Ann"} == known


async def _said(database: Database) -> set[str]:
    """What people said, as it is recorded."""
    return {*await column(database, "SELECT content FROM message WHERE role = 'person'")}
