"""Discord says something discord.py can't read: nothing ends, it is told once, and nothing old is taken for true."""

import asyncio
import threading
from collections.abc import AsyncGenerator, Callable
from typing import Any, Final

import pytest
from discord import gateway as wire
from discord.backoff import ExponentialBackoff
from structlog.testing import capture_logs

from bot.connection import unreadable_events
from bot.connection.client import Client
from bot.db.pool import Database
from cogs.catchup.discord_recovery import DiscordRecovery
from tests import discord_bot
from tests.discord_bot import DiscordBot
from tests.discord_server.permissions import Permission
from tests.faults import discord
from tests.faults.discord import Rows, hidden, seen
from tests.waiting import becomes, eventually

Json = dict[str, Any]
SECRET: Final = "Quillwort"


@pytest.fixture(autouse=True)
def _prepared(monkeypatch: pytest.MonkeyPatch) -> None:
    discord.prepare(monkeypatch)
    monkeypatch.setattr(unreadable_events, "SOONEST", 0.01)


@pytest.fixture
async def rows(dsn: str) -> AsyncGenerator[Rows]:
    """A look at the database."""
    async with discord.rows(dsn) as found:
        yield found


@pytest.fixture
async def bot(database: Database) -> AsyncGenerator[DiscordBot]:
    """Hathi on Discord."""
    async with discord_bot.running(database) as found:
        yield found


def without(key: str) -> Callable[[Json], object]:
    """The event lacks a field that it always had."""
    return lambda data: {name: value for name, value in data.items() if name != key}


def spoilt(key: str) -> Callable[[Json], object]:
    """A field has become something else."""
    return lambda data: data | {key: {"new": True}}


def _role(data: Json) -> Json:
    return data | {"role": {"id": data["role"]["id"]}}


STATE: Final[dict[str, Callable[[Json], object]]] = {
    "GUILD_UPDATE": spoilt("roles"),
    "CHANNEL_UPDATE": spoilt("permission_overwrites"),
    "CHANNEL_CREATE": without("type"),
    "CHANNEL_DELETE": spoilt("id"),
    "GUILD_ROLE_UPDATE": _role,
    "GUILD_ROLE_CREATE": _role,
    "THREAD_LIST_SYNC": spoilt("threads"),
    "THREAD_CREATE": without("thread_metadata"),
    "THREAD_UPDATE": spoilt("applied_tags"),
    "GUILD_MEMBER_UPDATE": spoilt("user"),
}
"""How each is told, of all that says who may do what, and where."""


async def _happens(bot: DiscordBot, name: str) -> None:
    """Something of which Discord tells by this event."""
    guild, owner = bot.guild, bot.guild.owner
    if name == "GUILD_UPDATE":
        guild.rename("Mammoths")
    elif name in {"CHANNEL_UPDATE", "CHANNEL_DELETE", "THREAD_LIST_SYNC"}:
        channel = next(each for each in guild.channels.values() if each.name == "lobby")
        if name == "CHANNEL_DELETE":
            channel.delete()
        elif name == "CHANNEL_UPDATE":
            channel.set_overwrites({guild.everyone: hidden(), bot.discord.bot: seen()})
        else:
            channel.tell_threads()
    elif name == "CHANNEL_CREATE":
        guild.text_channel("new")
    elif name.startswith("THREAD"):
        thread = await owner.start_thread(bot.channel, "aside")
        if name == "THREAD_UPDATE":
            thread.tell_change()
    elif name == "GUILD_MEMBER_UPDATE":
        guild.change_member(bot.discord.bot, nick="Hathi the second")
    else:
        role = guild.role("guest")
        if name == "GUILD_ROLE_UPDATE":
            guild.tell_role(name, role)


def _lines(lines: list[Any], event: str = "gateway.unreadable") -> list[tuple[Any, ...]]:
    return [(line["kind"], line["guild_id"]) for line in lines if line["event"] == event]


def _looks(bot: DiscordBot) -> list[Any]:
    """How often Hathi looked after the guild; what is asked is searched for besides."""
    asked = bot.discord.requested("GET", f"/guilds/{bot.guild.guild_id}")
    return [each for each in asked if not each.path.endswith("/messages/search")]


async def known(bot: DiscordBot) -> None:
    """Return once the guild is known again."""
    await eventually(lambda: (guild := bot.client.get_guild(bot.guild.guild_id)) and not guild.unavailable)
    await bot.caught_up()


@pytest.mark.parametrize("name", STATE)
async def test_an_event_of_a_guild_that_can_t_be_read_ends_nothing(bot: DiscordBot, name: str) -> None:
    """However often it comes: Hathi goes on answering, one line tells it, and the guild is asked for anew and known."""
    ann = bot.person("Ann")
    bot.guild.text_channel("lobby")
    await bot.asks(ann, bot.channel, "Are you there?")
    identifies = bot.discord.identifies
    bot.discord.gateway.spoils[name] = STATE[name]
    with capture_logs() as lines:
        for _ in range(3):
            if name != "CHANNEL_DELETE" or not _lines(lines):
                await _happens(bot, name)
            reply = await bot.asks(ann, bot.channel, "And now?")
            assert "Fine." == reply.text
    await known(bot)
    guild = bot.client.get_guild(bot.guild.guild_id)
    assert guild is not None
    assert ([(name, bot.guild.guild_id)], identifies) == (_lines(lines), bot.discord.identifies)
    assert ({*bot.guild.channels}, {*bot.guild.roles}, bot.guild.name) == (
        {channel.id for channel in guild.channels},
        {role.id for role in guild.roles},
        guild.name,
    )
    assert 1 <= len(bot.discord.requested("GET", f"/guilds/{guild.id}/channels"))


async def _told_of_news(bot: DiscordBot) -> Any:
    """A channel everybody reads, in which something is remembered that Bob is told elsewhere."""
    news, bob = bot.guild.text_channel("news"), bot.person("Bob")
    for channel in (news, bot.channel):
        said = await bot.guild.owner.say(channel, "!memory mode all")
        await bot.answer(said)
    said = await bot.guild.owner.say(news, f"!remember The merger partner is called {SECRET}.")
    await bot.answer(said)
    assert SECRET in await _asked(bot, bob)
    return news, bob


async def _asked(bot: DiscordBot, who: Any) -> str:
    """All that was sent to a model or to Discord for the question."""
    since = len(bot.model.requests)
    other = bot.guild.text_channel("elsewhere")
    reply = await bot.asks(who, other, "What is the merger partner called again?")
    return "\n".join([reply.text, *map(str, bot.model.requests[since:])])


@pytest.mark.parametrize("name", ["CHANNEL_UPDATE", "GUILD_ROLE_UPDATE", "GUILD_UPDATE"])
async def test_a_change_of_permissions_that_can_t_be_read_is_not_ignored(bot: DiscordBot, name: str) -> None:
    """What nobody may be told any more is told to nobody: not while Discord can't be asked, nor afterwards."""
    news, bob = await _told_of_news(bot)
    gone = bot.discord.faults.fail(10**6, status=503, method="GET", path=rf"/guilds/{bot.guild.guild_id}")
    bot.discord.gateway.spoils[name] = STATE[name]
    # What may come before: a later event that can be read does not make the rest of the guild known.
    if name == "CHANNEL_UPDATE":
        news.set_overwrites({bot.guild.everyone: hidden(), bot.discord.bot: seen()})
        bot.guild.rename("Mammoths")
    else:
        bot.guild.everyone.permissions &= ~Permission.READ_MESSAGE_HISTORY
        bot.guild.tell_role("GUILD_ROLE_UPDATE", bot.guild.everyone)
        if name == "GUILD_UPDATE":
            bot.guild.rename("Mammoths")
    assert SECRET not in await _asked(bot, bob)
    await bot.until(lambda: gone.met)
    bot.discord.faults.clear()
    await known(bot)
    assert SECRET not in await _asked(bot, bob)


async def test_what_comes_while_a_guild_is_asked_for_is_not_lost(
    bot: DiscordBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Discord's answer may be older than an event that came before it: then it is asked once more."""
    news, bob = await _told_of_news(bot)
    # The last of what is asked for.
    plain, asked = bot.client.http.get_member, 0

    async def fetched(guild_id: int, member_id: int) -> Any:
        nonlocal asked
        told, asked = await plain(guild_id, member_id), asked + 1
        if asked == 1:
            news.set_overwrites({bot.guild.everyone: hidden(), bot.discord.bot: seen()})
            cached = bot.client.get_channel(news.channel_id)
            await eventually(lambda: cached.overwrites)  # pyright: ignore[reportAttributeAccessIssue, reportOptionalMemberAccess]
        return told

    monkeypatch.setattr(bot.client.http, "get_member", fetched)
    bot.discord.gateway.spoils["GUILD_UPDATE"] = STATE["GUILD_UPDATE"]
    bot.guild.rename("Mammoths")
    await bot.asks(bob, bob.direct, "Are you there?")
    await known(bot)
    assert (2, False) == (asked, SECRET in await _asked(bot, bob))


async def test_a_guild_that_rest_tells_no_better_stays_unknown(bot: DiscordBot) -> None:
    """Nothing of it is shown, Hathi goes on answering, and one line more tells it, however often it is asked for."""
    _, bob = await _told_of_news(bot)
    plain = bot.client.http.get_guild
    tries = 0

    async def fetched(guild_id: int, **how: Any) -> dict[str, Any]:
        nonlocal tries
        tries += 1
        return {**await plain(guild_id, **how), "roles": [{"id": "1"}]}

    with pytest.MonkeyPatch.context() as patch, capture_logs() as lines:
        patch.setattr(bot.client.http, "get_guild", fetched)
        bot.discord.gateway.spoils["GUILD_UPDATE"] = STATE["GUILD_UPDATE"]
        bot.guild.rename("Mammoths")
        assert SECRET not in await _asked(bot, bob)
        await eventually(lambda: tries >= 3)
    assert 1 == len([line for line in lines if line["event"] == "gateway.guild_unknown"])
    await known(bot)
    assert SECRET in await _asked(bot, bob)


async def test_a_guild_that_can_t_be_read_when_a_session_begins_is_asked_for(database: Database) -> None:
    """GUILD_CREATE is an event like any other: the others are served, and this one once REST has told it."""
    async with discord_bot.world() as place:
        other = place.discord.guild("Others")
        ann = place.newcomer("Ann")
        other.join(ann)
        lounge = other.text_channel("lounge")
        place.discord.gateway.spoils["GUILD_CREATE"] = lambda data: (
            data | {"roles": [{}]} if data["id"] == str(place.guild.guild_id) else data
        )
        async with discord_bot.connected(place, database) as bot:
            for channel in (lounge, place.channel):
                await bot.asks(bot.knows(ann), channel, "Are you there?")
            await known(bot)
            assert "Fine." == (await bot.asks(ann, place.channel, "And now?")).text


async def test_a_guild_of_which_nothing_is_known_yet_breaks_nothing(database: Database, rows: Rows) -> None:
    """What is said in it before REST has told it is answered once it has; meanwhile nobody stumbles over it."""
    async with discord_bot.world() as place:
        ann = place.newcomer("Ann")
        place.discord.gateway.spoils["GUILD_CREATE"] = lambda data: data | {"roles": [{}]}
        gone = place.discord.faults.fail(10**6, status=503, method="GET", path=rf"/guilds/{place.guild.guild_id}")
        with pytest.MonkeyPatch.context() as patch:
            stumbled: list[str] = []

            async def on_error(_self: Any, event: str, *_: Any, **_named: Any) -> None:
                stumbled.append(event)

            patch.setattr(Client, "on_error", on_error)
            async with discord_bot.connected(place, database) as bot:
                asked = await bot.says_to_hathi(bot.knows(ann), place.channel, "Are you there?")
                await bot.asks(ann, ann.direct, "And here?")
                await bot.until(lambda: gone.met)
                place.discord.faults.clear()
                await bot.answer(asked)
                await known(bot)
        assert ([], ["Are you there?"]) == (stumbled, await rows.said(place.channel))


def _is_asked_for() -> bool:
    """Whether somebody goes on asking for a guild."""
    return any("_until_known" in repr(task.get_coro()) for task in asyncio.all_tasks())


async def test_a_guild_that_is_left_meanwhile_is_not_asked_for_any_more(bot: DiscordBot) -> None:
    """A GUILD_DELETE that can't be read: Discord says that Hathi is not in it."""
    other = bot.discord.guild("Others")
    bot.discord.gateway.spoils["GUILD_DELETE"] = lambda data: data | {"unavailable": []} | {"id": data["id"]}
    parse = bot.client._connection._remove_guild
    with pytest.MonkeyPatch.context() as patch:

        def broken(guild: Any) -> None:
            patch.undo()
            raise TypeError(guild.id)

        patch.setattr(bot.client._connection, "_remove_guild", broken)
        other.leave(bot.discord.bot)
        await eventually(lambda: not (bot.client.get_guild(other.guild_id) is not None or _is_asked_for()))
    assert parse == bot.client._connection._remove_guild
    assert "Fine." == (await bot.asks(bot.person("Ann"), bot.channel, "Are you there?")).text


MESSAGES: Final[dict[str, Callable[[Json], object]]] = {
    "MESSAGE_CREATE": without("author"),
    "MESSAGE_UPDATE": spoilt("mentions"),
    "MESSAGE_DELETE": spoilt("id"),
    "MESSAGE_DELETE_BULK": spoilt("ids"),
}


@pytest.mark.parametrize("name", MESSAGES)
async def test_a_message_event_that_can_t_be_read_is_found_in_the_history(
    bot: DiscordBot, rows: Rows, name: str
) -> None:
    """What was said, edited or deleted is followed all the same; no other guild or channel is asked for."""
    ann = bot.person("Ann")
    first, second = [await bot.says_to_hathi(ann, bot.channel, text) for text in ("First?", "Second?")]
    for asked in (first, second):
        await bot.answer(asked)
    bot.discord.gateway.spoils[name] = MESSAGES[name]
    with capture_logs() as lines:
        if name == "MESSAGE_CREATE":
            await bot.answer(await bot.says_to_hathi(ann, bot.channel, "Third?"))
            expected = ["First?", "Second?", "Third?"]
        elif name == "MESSAGE_UPDATE":
            await ann.edit(first, f"{bot.discord.bot.mention} Mended?")
            expected = ["Mended?", "Second?"]
        else:
            both = name == "MESSAGE_DELETE_BULK"
            await bot.guild.owner.delete(first, *([second] if both else []))
            expected = [] if both else ["Second?"]
        await becomes(expected, lambda: rows.said(bot.channel))
    assert [(name, bot.guild.guild_id)] == _lines(lines)
    assert [] == _looks(bot)


async def test_a_flood_of_messages_that_can_t_be_read_is_one_line_and_one_look(bot: DiscordBot, rows: Rows) -> None:
    """The first is looked up at once, the rest together by the next look; each is answered or recorded once."""
    ann = bot.person("Ann")
    bot.discord.gateway.spoils["MESSAGE_CREATE"] = MESSAGES["MESSAGE_CREATE"]
    found = bot.client.get_cog("DiscordRecovery")
    assert isinstance(found, DiscordRecovery)
    with capture_logs() as lines:
        await bot.answer(await bot.says_to_hathi(ann, bot.channel, "First?"))
        await found.look()
        await bot.caught_up()
        for n in range(20):
            await ann.say(bot.channel, f"Number {n}?", mentions=[bot.discord.bot])
        del bot.discord.gateway.spoils["MESSAGE_CREATE"]
        await bot.asks(ann, ann.direct, "Are you there?")
        await found.look()
        await bot.caught_up()
        await bot.settled()
    assert 1 == len(_lines(lines))
    assert ["First?", *(f"Number {n}?" for n in range(20))] == await rows.said(bot.channel)


async def test_a_message_that_history_tells_no_better_is_left_out_and_does_not_look_deleted(
    bot: DiscordBot, rows: Rows, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The rest of the channel is caught up with, and what is recorded of that one stays."""
    ann = bot.person("Ann")
    first = await bot.says_to_hathi(ann, bot.channel, "First?")
    await bot.answer(first)
    state = bot.client._connection
    plain = state.create_message

    def create_message(*, channel: Any, data: Any) -> Any:
        if int(data["id"]) == first.message_id:
            raise KeyError("poll")
        return plain(channel=channel, data=data)

    monkeypatch.setattr(state, "create_message", create_message)
    bot.discord.gateway.spoils["MESSAGE_UPDATE"] = MESSAGES["MESSAGE_UPDATE"]
    bot.discord.gateway.spoils["MESSAGE_CREATE"] = MESSAGES["MESSAGE_CREATE"]
    await ann.edit(first, f"{bot.discord.bot.mention} Mended?")
    await bot.answer(await bot.says_to_hathi(ann, bot.channel, "Second?"))
    found = bot.client.get_cog("DiscordRecovery")
    assert isinstance(found, DiscordRecovery)
    await found.look()
    await bot.caught_up()
    assert ["First?", "Second?"] == await rows.said(bot.channel)


@pytest.mark.parametrize("name", ["INTERACTION_CREATE", "TYPING_START", "MESSAGE_REACTION_ADD", "GUILD_NEW_THING"])
async def test_any_other_event_that_can_t_be_read_is_only_told(bot: DiscordBot, name: str) -> None:
    """Nothing rests on it; an event discord.py does not know at all is none of its faults."""
    ann = bot.person("Ann")
    with capture_logs() as lines:
        for _ in range(3):
            bot.discord.world.emit(name, {"guild_id": str(bot.guild.guild_id), "emoji": 1}, guild=bot.guild)
        await bot.asks(ann, bot.channel, "Are you there?")
    told = [] if name == "GUILD_NEW_THING" else [(name, bot.guild.guild_id)]
    assert (told, []) == (_lines(lines), _looks(bot))


@pytest.mark.parametrize("how", ["ready", "no guild", "no JSON"])
async def test_what_can_t_be_told_to_be_of_any_guild_begins_the_session_anew(
    database: Database, monkeypatch: pytest.MonkeyPatch, how: str
) -> None:
    """Nothing that was known before is taken for true: everything is told again; nothing ends."""
    monkeypatch.setattr(ExponentialBackoff, "delay", lambda _self: 0.01)
    async with discord_bot.world() as place:
        spoils, ann = place.discord.gateway.spoils, place.newcomer("Ann")
        if how == "ready":
            spoils["READY"] = lambda data: (
                spoils.pop("READY") and {key: value for key, value in data.items() if key != "resume_gateway_url"}
            )
        async with discord_bot.connected(place, database) as bot:
            with capture_logs() as lines:
                if how == "no guild":
                    spoils["CHANNEL_CREATE"] = spoilt("guild_id")
                    bot.guild.text_channel("new")
                elif how == "no JSON":
                    for connection in bot.discord.gateway.connections:
                        connection.tell("{")
                await bot.discord.until(lambda: bot.discord.identifies == 2)
                await bot.caught_up()
            beating = [each for each in threading.enumerate() if isinstance(each, wire.KeepAliveHandler)]
            await bot.discord.until(lambda: len(bot.discord.gateway.connections) == 1)
            assert 1 == len([each for each in beating if not each._stop_ev.is_set()])
            assert "Fine." == (await bot.asks(bot.knows(ann), bot.channel, "Are you there?")).text
            told = [line["kind"] for line in lines if line["event"] == "gateway.unreadable"]
            assert {"ready": [], "no guild": ["CHANNEL_CREATE", "connection"], "no JSON": ["connection"]}[how] == told


async def test_no_word_of_what_can_t_be_read_is_logged(bot: DiscordBot) -> None:
    """The line says what kind of event, of which guild, and where it failed."""
    bot.discord.gateway.spoils["MESSAGE_CREATE"] = lambda data: data | {"author": {"id": data["content"]}}
    with capture_logs() as lines:
        await bot.person("Ann").say(bot.channel, "A word to the wise: zqsecret.")
        await eventually(lambda: _lines(lines))
    (line,) = [line for line in lines if line["event"] == "gateway.unreadable"]
    assert ({"kind", "guild_id", "error", "at", "event", "log_level"}, False) == ({*line}, "zqsecret" in str(lines))
