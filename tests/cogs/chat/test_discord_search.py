"""The laws of Discord's own search: what was said before Hathi came is found, quoted, and never stored."""

import asyncio
import contextlib
import re
from collections.abc import AsyncGenerator
from datetime import UTC, datetime, timedelta
from typing import Any, Final

import pytest
from discord.http import Route
from discord.utils import snowflake_time
from structlog.testing import capture_logs

from bot.commands import approvals, reply_reasons
from bot.config import RecallSettings
from bot.db.pool import Database
from bot.domain import ELSEWHERE, NOTHING_FOUND, PersonId, SpaceId
from bot.layers import guild_search
from bot.presentation import introduction, render
from bot.prompting import evidence
from cogs.catchup import missed_messages, source_check
from cogs.chat import discord_search as cog
from cogs.chat.discord_search import DiscordSearch
from tests import discord_bot
from tests.discord_bot import DiscordBot, World
from tests.discord_server.calls import Request
from tests.discord_server.channels import Channel
from tests.discord_server.messages import Message
from tests.discord_server.permissions import Overwrite, Permission
from tests.discord_server.users import User
from tests.discord_server.wire import PRIVILEGED, Intent
from tests.model_server import Reply
from tests.rows import column
from tests.waiting import becomes

SAID: Final = "The boiler was repaired by Osterquill and Sons"
ASKED: Final = "Who repaired the boiler?"
WITHOUT_INTENT: Final[dict[str, Any]] = {"privileged": PRIVILEGED & ~Intent.CONTENT}
APART: Final[dict[str, Any]] = {"prompt": {"around": 0}}
"""No talk before a question is read with it: what was said must be looked for."""


@pytest.fixture
async def world() -> AsyncGenerator[World]:
    async with discord_bot.world() as made:
        yield made


@contextlib.asynccontextmanager
async def connected(world: World, database: Database, **settings: Any) -> AsyncGenerator[DiscordBot]:
    """Hathi without a model."""
    settings.setdefault("roles", {})
    async with discord_bot.connected(world, database, **(APART | settings)) as running:
        yield running


@pytest.fixture
async def bot(world: World, database: Database) -> AsyncGenerator[DiscordBot]:
    async with connected(world, database) as running:
        yield running


def searches(bot: DiscordBot) -> list[Request]:
    return bot.discord.requested("GET", "/messages/search")


def asked_for(request: Request, name: str) -> list[str]:
    """What a name of its query was given, each time it came."""
    return [value for key, value in request.pairs if key == name]


def searcher(bot: DiscordBot) -> DiscordSearch:
    found = bot.client.get_cog("DiscordSearch")
    assert isinstance(found, DiscordSearch)
    return found


def link(message: Message) -> str:
    assert message.channel.guild is not None
    place = f"{message.channel.guild.guild_id}/{message.channel.channel_id}"
    return f"https://discord.com/channels/{place}/{message.message_id}"


async def values(bot: DiscordBot, query: Any) -> list[Any]:
    return await column(bot.app.database, query)


async def trail(bot: DiscordBot) -> dict[str, Any]:
    """Of the last turn."""
    return (await values(bot, "SELECT trail FROM turn WHERE reply_ids <> '{}' ORDER BY turn_id DESC LIMIT 1"))[0]


async def ended(bot: DiscordBot) -> tuple[str, str]:
    """How the artifacts ended in the last walk, and why."""
    return next((step["outcome"], step["why"]) for step in (await trail(bot))["walk"] if step["layer"] == "L3")


async def finds(bot: DiscordBot, user: User, channel: Channel, text: str = ASKED) -> bool:
    """Whether a question is answered from what was said about the boiler."""
    return "Osterquill" in (await bot.asks(user, channel, text)).text


# ---- what is found and how it is told


async def test_what_was_said_before_hathi_came_is_quoted_with_link_author_and_date(
    world: World, database: Database
) -> None:
    """Nothing of it was ever heard: Discord's search finds it, and no model is needed."""
    said = await world.newcomer("Ann").say(world.channel, SAID)
    async with connected(world, database) as bot:
        answer = await bot.asks(bot.person("Ben"), bot.channel, ASKED)
        minute = int(said.created_at.timestamp()) // 60 * 60
        assert f"\u201c{SAID}\u201d\n    \u2014 Ann, <t:{minute}:f>" in answer.text
        assert answer.text.endswith(f"\n-# [{render.GO}](<{link(said)}>)")
        assert "hit" == (await ended(bot))[0]


async def test_a_model_is_shown_what_was_found_and_its_answer_is_checked(world: World, database: Database) -> None:
    """As a stored message is: a sound answer is sent with its source, a lie gives way to the quotation."""
    said = await world.newcomer("Ann").say(world.channel, SAID)
    world.model.always = Reply(text="Osterquill and Sons repaired it (M1).")
    async with discord_bot.connected(world, database, **APART) as bot:
        ben = bot.person("Ben")
        answer = await bot.asks(ben, bot.channel, "Who did we say repaired the boiler?")
        assert answer.text.startswith("Osterquill and Sons repaired it.\n")
        assert answer.text.splitlines()[-1].startswith("-# [Ann, ")
        assert answer.text.endswith(f"](<{link(said)}>)")
        assert f"[M1] Ann said, on {said.created_at:%A}" in world.prompts[-1]
        world.model.always = Reply(text="Brindle and Daughters repaired it in 1888 (M1).")
        assert SAID in (await bot.asks(ben, bot.channel, "Who did we say repaired the boiler?")).text


async def test_it_is_asked_only_where_palace_and_session_have_nothing(bot: DiscordBot) -> None:
    """A memory, or what was said in this session, answers without a word to Discord."""
    ann = bot.person("Ann")
    await bot.answer(await ann.say(bot.channel, "!remember The kettle was repaired by Brindle. topic:kettle"))
    await bot.asks(ann, bot.channel, "The stove was repaired by Wexford.")
    before = len(searches(bot))
    assert "Brindle" in (await bot.asks(ann, bot.channel, "Who repaired the kettle?")).text
    assert "Wexford" in (await bot.asks(ann, bot.channel, "Who repaired the stove?")).text
    assert before == len(searches(bot))


async def test_it_is_asked_last_where_a_question_begins_at_a_file_too(bot: DiscordBot) -> None:
    """What is remembered of a file that nobody has here answers; Discord is asked where that is nothing."""
    ann = bot.person("Ann")
    await bot.answer(await ann.say(bot.channel, "!remember The kettle in plan.md was drawn by Brindle. topic:kettle"))
    assert "Brindle" in (await bot.asks(ann, bot.channel, "Who drew the kettle in plan.md?")).text
    assert [] == searches(bot)
    await ann.say(bot.channel, "The boiler in list.md was drawn by Osterquill")
    assert await finds(bot, ann, bot.channel, "Who drew the boiler in list.md?")


async def test_hits_are_ranked_and_judged_with_what_is_stored(bot: DiscordBot) -> None:
    """What shares but a common word with the question is no answer; who is named goes before who is not."""
    ann, ben, cas = bot.person("Ann"), bot.person("Ben"), bot.person("Cas")
    await ann.say(bot.channel, "The vault code is kept by Marzipolis")
    await cas.say(bot.channel, "The vault code is kept by somebody else")
    answer = (await bot.asks(ben, bot.channel, "What did Ann say about the vault code?")).text
    assert answer.index("Marzipolis") < answer.find("somebody else") % len(answer)
    await ann.say(bot.channel, "What about the zeppelin?")
    assert NOTHING_FOUND in (await bot.asks(ben, bot.channel, "What do we know about the zeppelin?")).text


async def test_talk_without_the_figure_that_is_asked_for_keeps_nobody_from_searching(
    world: World, database: Database
) -> None:
    """What was said before the question comes near; what was said years ago tells it."""
    ann, other = world.newcomer("Ann"), world.guild.text_channel("other")
    await ann.say(other, "The extractor from Thornby was 640 pounds")
    async with discord_bot.connected(world, database, roles={}) as bot:
        await ann.say(bot.channel, "The extractor moved from the garage to the new shed")
        answer = (await bot.asks(bot.person("Ben"), bot.channel, "How much was the extractor?")).text
    assert answer.startswith(f"{evidence.HEAD}\n    \u201cThe extractor from Thornby was 640 pounds")


async def test_what_is_no_person_s_statement_is_no_hit(bot: DiscordBot) -> None:
    """No command, no webhook or bot, no question, and not the question itself."""
    ann = bot.person("Ann")
    await bot.answer(await ann.say(bot.channel, "!recall boiler repaired"))
    await ann.say(bot.channel, "Was the boiler repaired?")
    assert NOTHING_FOUND in (await bot.asks(ann, bot.channel, ASKED)).text
    assert "1 may be shown" in (await ended(bot))[1]


# ---- what Discord is asked


async def test_the_request_is_as_discord_documents_it(bot: DiscordBot) -> None:
    """Content, slop, no bots, by relevance, 25 at most, and each channel that everyone here may read, one by one."""
    bot.guild.text_channel("random")
    hidden = bot.guild.private_channel("staff", seen_by=[bot.discord.bot])
    await bot.asks(bot.person("Ann"), bot.channel, ASKED)
    request = searches(bot)[0]
    named = {name: asked_for(request, name) for name, _ in request.pairs}
    channels = {str(each.channel_id) for each in bot.guild.channels.values() if each is not hidden}
    assert channels == set(named.pop("channel_id"))
    assert {
        "content": ["repaired boiler"],
        "slop": ["100"],
        "author_type": ["-bot"],
        "sort_by": ["relevance"],
        "limit": ["25"],
    } == named


async def test_a_time_is_asked_for_by_the_ids_of_that_moment(bot: DiscordBot) -> None:
    """From its first to three days after its last; the second search is for all that was said."""
    await bot.asks(bot.person("Ann"), bot.channel, "Who repaired the boiler in 2019?")
    first, second = searches(bot)
    limits = [int(*asked_for(first, name)) for name in ("min_id", "max_id")]
    assert [datetime(2019, 1, 1, tzinfo=UTC), datetime(2020, 1, 4, tzinfo=UTC)] == [*map(snowflake_time, limits)]
    assert [] == asked_for(second, "min_id") + asked_for(second, "max_id")


@pytest.mark.parametrize("when", ["in 2012", "before 2014", "since 1999"])
async def test_before_discord_there_are_no_ids(bot: DiscordBot, when: str) -> None:
    """A time that Discord has no ids of narrows nothing."""
    await bot.guild.owner.say(bot.channel, f"{SAID} {when}")
    assert await finds(bot, bot.person("Ann"), bot.channel, f"Who repaired the boiler {when}?")
    assert [] == [
        name for request in searches(bot) for name, _ in request.pairs if name.endswith("_id") and name != "channel_id"
    ]


async def test_content_is_no_longer_than_discord_takes(bot: DiscordBot) -> None:
    """1,024 characters, in whole words."""
    words = " ".join(f"{'quillwort' * 12}{at}" for at in range(12))
    await bot.asks(bot.person("Ann"), bot.channel, f"Who mentioned {words}?")
    first = asked_for(searches(bot)[0], "content")[0]
    assert len(first) <= 1024
    assert {*first.split()} <= {*words.split()}


async def test_of_many_channels_those_last_written_in_are_asked_and_the_rest_is_counted(
    world: World, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The number left out stands in the trail."""
    monkeypatch.setattr(cog, "MOST_CHANNELS", 2)
    ann, quiet = world.newcomer("Ann"), world.guild.text_channel("quiet")
    rooms = [world.guild.text_channel(f"room-{at}") for at in range(3)]
    for room in rooms:
        await ann.say(room, "Lunch?")
    async with connected(world, database) as bot:
        await bot.asks(ann, bot.channel, ASKED)
        request = searches(bot)[0]
        asked = asked_for(request, "channel_id")
        assert str(quiet.channel_id) not in asked
        assert [str(bot.channel.channel_id), str(rooms[-1].channel_id)] == asked
        assert ", 3 channels left out" in (await ended(bot))[1]


async def test_no_more_than_250_channels_are_named() -> None:
    """So that the line of a request stays short."""
    assert 250 == cog.MOST_CHANNELS


async def test_age_restricted_channels_are_asked_only_from_one(bot: DiscordBot) -> None:
    """And then by the word `true`."""
    ann, adult = bot.person("Ann"), bot.guild.text_channel("adult", nsfw=True)
    await ann.say(adult, SAID)
    assert not await finds(bot, ann, bot.channel)
    assert await finds(bot, ann, adult)
    assert [[], [], ["true"]] == [asked_for(request, "include_nsfw") for request in searches(bot)]


async def test_where_no_message_has_all_words_the_two_rarest_are_looked_for(bot: DiscordBot) -> None:
    """Two searches and no more; what nobody here ever said is rarest, of equals the later."""
    ann = bot.person("Ann")
    other = bot.guild.text_channel("other")
    await bot.asks(
        ann, other, "Down in the cellar there may be room for twenty more crates of apples, if we move them."
    )
    await ann.say(bot.channel, SAID)
    asked = "Which firm then repaired the boiler in our cellar?"
    assert await finds(bot, ann, bot.channel, asked)
    first, second = (asked_for(request, "content")[0] for request in searches(bot)[-2:])
    assert ("firm repaired boiler cellar", "repaired boiler") == (first, second)
    before = len(searches(bot))
    await bot.asks(ann, bot.channel, "Who sold us the vaulted undercroft permit?")
    assert before + 2 == len(searches(bot))


@pytest.mark.parametrize(
    ("text", "looked_for"),
    [
        ("Who repaired the boiler?", ["repaired boiler", "boiler"]),
        ("What does insurance cost?", ["insurance cost", "insurance"]),
        ("Where's the extractor kept?", ["extractor kept", "extractor"]),
        ("What did Christopher say about the boiler?", ["boiler"]),
    ],
)
async def test_of_two_words_the_rarer_is_looked_for_next(bot: DiscordBot, text: str, looked_for: list[str]) -> None:
    """Not what tells only the kind of answer; one word is not looked for again, and who is asked after is none."""
    await bot.asks(bot.person("Ann"), bot.channel, text)
    assert looked_for == [asked_for(request, "content")[0] for request in searches(bot)]


# ---- who may read what


async def test_only_what_everyone_here_may_read_is_found(bot: DiscordBot) -> None:
    """What was said in a private channel is found there, and nowhere else."""
    ann = bot.person("Ann")
    staff = bot.guild.private_channel("staff", seen_by=[ann, bot.discord.bot])
    await ann.say(staff, SAID)
    assert [False, True] == [await finds(bot, ann, channel) for channel in (bot.channel, staff)]


async def test_every_hit_passes_the_wall_again(bot: DiscordBot, monkeypatch: pytest.MonkeyPatch) -> None:
    """Though Discord answered with more than it was asked for."""
    ann = bot.person("Ann")
    staff = bot.guild.private_channel("staff", seen_by=[ann, bot.discord.bot])
    await ann.say(staff, SAID)
    plain = bot.client.http.request

    async def request(route: Route, **asked: Any) -> Any:
        if route.path.endswith("/messages/search"):
            asked["params"] = [(name, value) for name, value in asked["params"] if name == "content"]
        return await plain(route, **asked)

    monkeypatch.setattr(bot.client.http, "request", request)
    assert not await finds(bot, ann, bot.channel)
    assert [] == asked_for(searches(bot)[-1], "channel_id")


async def test_channels_that_are_off_are_not_searched(bot: DiscordBot) -> None:
    """Nor their threads; an admin who takes that back has them searched again."""
    ann, owner, other = bot.person("Ann"), bot.knows(bot.guild.owner), bot.guild.text_channel("other")
    thread = await ann.start_thread(other, "aside")
    await ann.say(thread, SAID)
    for mode, found in (("off", False), ("addressed", True)):
        await bot.answer(await owner.say(other, f"!memory mode {mode}"))
        assert found is await finds(bot, ann, bot.channel)
        assert found is (str(other.channel_id) in asked_for(searches(bot)[-1], "channel_id"))


@pytest.mark.parametrize("kind", ["thread", "post"])
async def test_what_was_said_in_public_threads_is_found_though_they_are_put_away(bot: DiscordBot, kind: str) -> None:
    """Parent and kind are read from the answer: the cache has no archived thread. The link leads into the thread."""
    ann, forum = bot.person("Ann"), bot.guild.forum("ideas")
    if kind == "thread":
        thread = await ann.start_thread(bot.channel, "aside")
        said = await ann.say(thread, SAID)
    else:
        thread = await ann.post(forum, "Heating", SAID)
        (said,) = thread.said_by(ann)
    thread.archive()
    answer = await bot.asks(ann, bot.channel, ASKED)
    assert link(said) in answer.text
    assert bot.client.get_channel(thread.channel_id) is None


async def test_private_threads_are_found_from_within_alone(bot: DiscordBot) -> None:
    """They are an audience of their own."""
    ann = bot.person("Ann")
    thread = await ann.start_thread(bot.channel, "aside", private=True)
    thread.add(bot.discord.bot)
    await ann.say(thread, SAID)
    assert [False, True] == [await finds(bot, ann, place) for place in (bot.channel, thread)]


async def test_hits_in_places_nobody_knows_are_dropped(bot: DiscordBot, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither among the answer's threads nor in the cache."""
    ann = bot.person("Ann")
    thread = await ann.start_thread(bot.channel, "aside")
    await ann.say(thread, SAID)
    thread.archive()
    plain = bot.client.http.request

    async def without_threads(route: Route, **asked: Any) -> Any:
        if not route.path.endswith("/messages/search"):
            return await plain(route, **asked)
        # Else the answer is read as it arrives.
        asked.pop("trace_request_ctx")
        return {name: value for name, value in (await plain(route, **asked)).items() if name != "threads"}

    monkeypatch.setattr(bot.client.http, "request", without_threads)
    assert not await finds(bot, ann, bot.channel)


async def test_nothing_of_a_server_is_searched_from_direct_messages(bot: DiscordBot) -> None:
    """Nor from another server."""
    ann = bot.person("Ann")
    await ann.say(bot.channel, SAID)
    assert not await finds(bot, ann, ann.direct)
    assert [] == searches(bot)


# ---- who wants nothing of theirs to be found


async def test_people_who_opted_out_are_left_out(bot: DiscordBot) -> None:
    """For as long as they want it."""
    ann, ben = bot.person("Ann"), bot.person("Ben")
    await ann.say(bot.channel, SAID)
    for line, found in (("!memory off me", False), ("!memory on me", True)):
        await bot.answer(await ann.say(bot.channel, line))
        assert found is await finds(bot, ben, bot.channel)


async def test_what_a_person_erased_is_never_read_again_but_what_they_say_later(bot: DiscordBot) -> None:
    """A date is kept before which nothing of theirs is read on Discord; and what was answered from it is gone."""
    ann, ben = bot.person("Ann"), bot.person("Ben")
    await ann.say(bot.channel, SAID)
    assert await finds(bot, ben, bot.channel)
    assert 1 == len(await values(bot, f"SELECT 1 FROM message WHERE content LIKE '{ELSEWHERE}%'"))
    await bot.answer(await ann.say(bot.channel, "!mydata erase confirm"))
    assert [] == await values(bot, f"SELECT 1 FROM message WHERE content LIKE '{ELSEWHERE}%'")
    assert not await finds(bot, ben, bot.channel)
    async with bot.app.database.connection() as connection:
        erased_at = await connection.fetchval("SELECT erased_at FROM person WHERE person_id = $1", ann.user_id)
        assert abs(erased_at - datetime.now(UTC)) < timedelta(hours=1)
        await connection.execute("UPDATE person SET erased_at = erased_at - interval '1 day'")
    assert await finds(bot, ben, bot.channel)


async def test_what_was_forgotten_is_not_found_elsewhere(bot: DiscordBot) -> None:
    """Neither while it can be brought back, nor once it is erased."""
    ann, ben = bot.person("Ann"), bot.person("Ben")
    await bot.asks(ann, bot.channel, f"Remember that {SAID}.")
    assert await finds(bot, ben, bot.channel)
    await bot.answer(await ann.say(bot.channel, "!forget 1"))
    assert not await finds(bot, ben, bot.channel)
    later = datetime.now(UTC) + timedelta(hours=1)
    assert await bot.app.archivist.erase([SpaceId(bot.guild.guild_id)], now=later)
    assert not await finds(bot, ben, bot.channel)


@pytest.mark.parametrize("then", ["nothing", "erased", "undone", "said again"])
async def test_what_a_reset_discarded_is_not_found_elsewhere(bot: DiscordBot, then: str) -> None:
    """Neither while it can be brought back, nor once it is erased; only brought back, or said again, it is told."""
    owner = bot.guild.owner
    await bot.asks(owner, bot.channel, f"{SAID}.")
    assert await finds(bot, owner, bot.channel)
    await bot.answer(await owner.say(bot.channel, "!reset discard"))
    if then == "undone":
        await bot.answer(await owner.say(bot.channel, "!undo"))
    elif then != "nothing":
        later = datetime.now(UTC) + timedelta(hours=1)
        assert await bot.app.archivist.erase([SpaceId(bot.guild.guild_id)], now=later)
    if then == "said again":
        await owner.say(bot.channel, SAID)
    assert (then in {"undone", "said again"}) == await finds(bot, owner, bot.channel)


# ---- nothing of it is stored


async def everything(bot: DiscordBot) -> str:
    """All that is stored, as text."""
    stored: list[str] = []
    for table in await values(bot, "SELECT tablename FROM pg_tables WHERE schemaname = 'public'"):
        stored += await values(bot, f"SELECT t::text FROM {table} t")
    return "\n".join(stored)


@pytest.mark.parametrize("answer", [None, "It was Osterquill and Sons (M1)."])
async def test_nothing_of_what_is_found_is_stored(world: World, database: Database, answer: str | None) -> None:
    """With a model or without: in no table, and in no line of the log; the record is a link."""
    said = await world.newcomer("Ann").say(world.channel, SAID)
    settings: dict[str, Any] = {}
    if answer is not None:
        world.model.always = Reply(text=answer)
        settings = {"roles": discord_bot.roles(world.model.base_url)}
    with capture_logs() as lines:
        async with connected(world, database, **settings) as bot:
            asked = await bot.says_to_hathi(bot.person("Ben"), bot.channel, "Who did we say repaired the boiler?")
            assert "Osterquill" in (await bot.answer(asked)).text
            stored = await everything(bot)
            assert f"{ELSEWHERE}\n{link(said)}" in stored
    assert ("Osterquill" in stored, "Osterquill" in str(lines)) == (False, False)


async def test_an_answer_from_what_is_stored_is_stored(world: World, database: Database) -> None:
    """Though Discord found something beside it: having been shown alone takes nothing away."""
    ann = world.newcomer("Ann")
    async with discord_bot.connected(world, database, **APART) as bot:
        await bot.answer(await bot.knows(bot.guild.owner).say(bot.channel, "!memory mode explicit"))
        await ann.say(bot.channel, SAID)
        await bot.answer(await bot.guild.owner.say(bot.channel, "!memory mode addressed"))
        await bot.asks(ann, bot.channel, "The boiler was repaired in March by Wexford.")
        await bot.answer(await bot.guild.owner.say(bot.channel, "!reset"))
        await bot.settled()
        cited = []

        def answer(body: Any) -> Reply:
            prompt = "\n".join(str(part["content"]) for part in body["messages"])
            cited[:] = re.findall(r'\[(M\d)\] Ann said[^"]*"The boiler was repaired in March', prompt)
            return Reply(text=f"Wexford repaired it in March ({cited[0]}).")

        world.model.always = answer
        told = (await bot.asks(bot.person("Ben"), bot.channel, "Who did we say repaired the boiler?")).text
        assert told.startswith("Wexford repaired it in March.")
        sources = (await trail(bot))["sources"]
        assert {True, False} == {"elsewhere" in source for source in sources}
        assert [] == await values(bot, f"SELECT 1 FROM message WHERE content LIKE '{ELSEWHERE}%'")


async def test_it_is_not_kept_while_it_is_sent_either(
    world: World, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is kept for a restart in between holds the link alone."""
    said = await world.newcomer("Ann").say(world.channel, SAID)
    async with connected(world, database) as bot:
        turns, kept = bot.app.turns, list[str]()
        sending = turns.sending

        async def noted(turn: Any, text: str, **given: Any) -> bool:
            kept.append(text)
            return await sending(turn, text, **given)

        monkeypatch.setattr(turns, "sending", noted)
        assert await finds(bot, bot.person("Ben"), bot.channel)
        assert [f"{ELSEWHERE}\n{link(said)}"] == kept


async def test_such_an_answer_is_not_distilled(world: World, database: Database) -> None:
    """A reset's summary reads the question and not the answer, nor does a session that is told of later."""
    await world.newcomer("Ann").say(world.channel, SAID)
    async with discord_bot.connected(world, database, **APART) as bot:
        world.model.always = Reply(text="It was Osterquill and Sons (M1).")
        ben = bot.person("Ben")
        assert await finds(bot, ben, bot.channel, "Who did we say repaired the boiler?")
        world.model.always = Reply(text='{"summary": "Ben asked.", "facts": []}')
        await bot.answer(await bot.knows(bot.guild.owner).say(bot.channel, "!reset"))
        await bot.settled()
        assert "Who did we say repaired the boiler?" in world.prompts[-1]
        assert [False, False] == [text in world.prompts[-1] for text in ("Osterquill", ELSEWHERE)]


async def test_it_can_t_be_kept_by_approval(bot: DiscordBot) -> None:
    """There is nothing of it to keep; who wants it kept is told how."""
    ann = bot.person("Ann")
    await ann.say(bot.channel, SAID)
    assert await finds(bot, ann, bot.channel)
    told = (await bot.asks(ann, bot.channel, "Perfect, keep that.")).text
    assert told == approvals.NOT_KEPT
    assert [] == await values(bot, "SELECT content FROM memory")


# ---- it goes when the original does


@pytest.mark.parametrize("how", ["message", "bulk", "channel", "thread"])
async def test_the_record_goes_when_the_original_does(bot: DiscordBot, how: str) -> None:
    """Whichever way; what was answered from other messages stays."""
    ann, other = bot.person("Ann"), bot.guild.text_channel("other")
    place = await ann.start_thread(other, "aside") if how == "thread" else other
    await ann.say(bot.channel, "The stove was repaired by Wexford")
    said, second = await ann.say(place, SAID), await ann.say(place, "Lunch?")
    assert await finds(bot, ann, bot.channel)
    await bot.asks(ann, bot.channel, "Who repaired the stove?")
    records = f"SELECT content FROM message WHERE content LIKE '{ELSEWHERE}%'"
    assert 2 == len(await values(bot, records))
    match how:
        case "message":
            await ann.delete(said)
        case "bulk":
            await bot.guild.owner.delete(said, second)
        case _:
            place.delete()
    await bot.settled()
    await becomes([1], lambda: values(bot, f"SELECT count(*) FROM message WHERE content LIKE '{ELSEWHERE}%'"))


async def test_what_was_deleted_while_hathi_was_away_takes_the_record_along(world: World, database: Database) -> None:
    """The history is compared with what was answered from, and what still stands there changes nothing."""
    ann = world.newcomer("Ann")
    said, kept = await ann.say(world.channel, SAID), await ann.say(world.channel, "The stove was repaired by Wexford")
    records = f"SELECT content FROM message WHERE content LIKE '{ELSEWHERE}%'"
    async with connected(world, database) as bot:
        assert await finds(bot, ann, bot.channel)
        await bot.asks(ann, bot.channel, "Who repaired the stove?")
    await ann.delete(said)
    async with connected(world, database) as bot:
        await bot.caught_up()
        await bot.settled()
        assert [f"{ELSEWHERE}\n{link(kept)}"] == await values(bot, records)


async def test_what_was_answered_from_is_looked_for_at_every_gap(
    world: World, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is gone by then is looked for no more: it would take the place of what may still go."""
    monkeypatch.setattr(missed_messages, "LOOK_BACK", timedelta(0))
    monkeypatch.setattr(source_check, "MOST_ELSEWHERE", 1)
    ann, old = world.newcomer("Ann"), world.guild.text_channel("old")
    first, second = await ann.say(old, SAID), await ann.say(old, "The stove was repaired by Wexford")
    async with connected(world, database) as bot:
        assert await finds(bot, ann, bot.channel)
        await bot.asks(ann, bot.channel, "Who repaired the stove?")
    for gone, left in ((second, [f"{ELSEWHERE}\n{link(first)}"]), (first, [])):
        await ann.delete(gone)
        async with connected(world, database) as bot:
            await becomes(left, lambda: values(bot, f"SELECT content FROM message WHERE content LIKE '{ELSEWHERE}%'"))


@pytest.mark.parametrize("refusal", [pytest.param((404, 0), id="unknown"), pytest.param((403, 50001), id="closed")])
async def test_what_can_t_be_read_after_a_gap_is_not_taken_for_gone(
    world: World, database: Database, monkeypatch: pytest.MonkeyPatch, refusal: tuple[int, int]
) -> None:
    """Only where Discord says that the message, or its channel, is not there any more."""
    monkeypatch.setattr(missed_messages, "LOOK_BACK", timedelta(0))
    said = await world.newcomer("Ann").say(world.guild.text_channel("old"), SAID)
    async with connected(world, database) as bot:
        assert await finds(bot, bot.person("Ben"), bot.channel)
    status, code = refusal
    refused = world.discord.faults.fail(9, status=status, code=code, path=f"/messages/{said.message_id}$")
    async with connected(world, database) as bot:
        await bot.until(lambda: refused.met > 0)
        await bot.caught_up()
        await bot.settled()
        assert [f"{ELSEWHERE}\n{link(said)}"] == await values(bot, "SELECT content FROM message WHERE role = 'hathi'")


@pytest.mark.parametrize("how", ["message", "channel"])
async def test_what_is_deleted_elsewhere_while_hathi_is_away_takes_it_along(
    world: World, database: Database, monkeypatch: pytest.MonkeyPatch, how: str
) -> None:
    """However old it is, and though nobody speaks there any more: what answers were made from is looked for."""
    monkeypatch.setattr(missed_messages, "LOOK_BACK", timedelta(0))
    ann, old = world.newcomer("Ann"), world.guild.text_channel("old")
    said = await ann.say(old, SAID)
    kept = await ann.say(old, "The stove was repaired by Wexford")
    records = f"SELECT content FROM message WHERE content LIKE '{ELSEWHERE}%'"
    async with connected(world, database) as bot:
        assert await finds(bot, ann, bot.channel)
        await bot.asks(ann, bot.channel, "Who repaired the stove?")
    if how == "message":
        await ann.delete(said)
    else:
        old.delete()
    left = [f"{ELSEWHERE}\n{link(kept)}"] if how == "message" else []
    async with connected(world, database) as bot:
        await becomes(left, lambda: values(bot, records))
        await bot.settled()
        assert left == await values(bot, records)


@pytest.mark.parametrize("how", ["declined", "deleted"])
async def test_what_is_taken_back_while_a_model_writes_is_not_told(world: World, database: Database, how: str) -> None:
    """Its author opts out or deletes it meanwhile: the answer is made anew without it, which Discord may still find."""
    ann = world.newcomer("Ann")
    said = await ann.say(world.channel, SAID)
    async with discord_bot.connected(world, database, **APART) as bot:
        gate, asked = asyncio.Event(), len(world.prompts)
        world.model.steps.append(Reply(text="It was Osterquill and Sons (M1).", pieces=2, gate=gate))
        question = await bot.says_to_hathi(bot.person("Ben"), bot.channel, "Who did we say repaired the boiler?")
        await bot.until(lambda: len(world.prompts) > asked)
        if how == "declined":
            await bot.app.people.opt_out(PersonId(ann.user_id), datetime.now(UTC))
        else:
            await ann.delete(said)
            world.channel.keep(said)
            async with asyncio.timeout(10):
                while not searcher(bot).is_gone(said.message_id):
                    await asyncio.sleep(0)
        gate.set()
        answer = await bot.answer(question)
        assert "Osterquill" not in answer.text
        assert 2 <= len(searches(bot))


async def test_a_restart_in_between_records_links_and_lets_the_record_go(world: World, database: Database) -> None:
    """Killed after the answer was sent and before it was recorded: what is taken up is the record, with what it rests
    on."""
    ann = world.newcomer("Ann")
    said = await ann.say(world.channel, SAID)
    async with connected(world, database) as bot:
        assert await finds(bot, bot.person("Ben"), bot.channel)
        async with bot.app.database.connection() as connection:
            await connection.execute(
                "WITH gone AS (DELETE FROM message WHERE role = 'hathi')"
                " UPDATE turn SET state = 'sending', worker = 'gone', kept = $1, kept_whole = true,"
                " lease_until = now() - interval '1 hour'",
                f"{ELSEWHERE}\n{link(said)}",
            )
    records = "SELECT content FROM message WHERE role = 'hathi'"
    async with connected(world, database) as bot:
        await becomes([f"{ELSEWHERE}\n{link(said)}"], lambda: values(bot, records))
        await ann.delete(said)
        await becomes([], lambda: values(bot, records))


# ---- what Discord answers


async def test_a_server_that_is_being_indexed_is_asked_again(bot: DiscordBot, monkeypatch: pytest.MonkeyPatch) -> None:
    """202 is known by its code; a `retry_after` of 0 means a short wait."""
    monkeypatch.setattr(guild_search, "SHORTLY", timedelta(seconds=0.01))
    ann = bot.person("Ann")
    await ann.say(bot.channel, SAID)
    bot.discord.world.unindexed.extend([0, 0.02])
    assert await finds(bot, ann, bot.channel)
    assert [202, 202, 200] == [request.status for request in searches(bot)]


async def test_a_server_that_is_not_indexed_in_time_is_told_as_not_reached(bot: DiscordBot) -> None:
    """What may still be there is not said to be nowhere; the trail says why, and nobody waited for it."""
    ann = bot.person("Ann")
    bot.discord.world.unindexed.append(60)
    told = (await bot.asks(ann, bot.channel, ASKED)).text
    assert f"{NOTHING_FOUND} I could not reach Discord's search," in told
    outcome, why = await ended(bot)
    assert ("failed", True, 1) == (outcome, guild_search.NOT_INDEXED in why, len(searches(bot)))


async def test_an_answer_that_arrived_is_used_though_discord_py_holds_it_back(world: World, database: Database) -> None:
    """Remaining 0 and Reset-After 5: the hit is told while discord.py still sleeps out the window, so within three
    seconds, past which the source would have failed."""
    await world.newcomer("Ann").say(world.channel, SAID)
    world.discord.rest.buckets.enabled = True
    world.discord.rest.buckets.limits["GET", "/guilds/{guild_id}/messages/search"] = (1, 5.0)
    async with connected(world, database) as bot:
        assert timedelta(seconds=3) == guild_search.PATIENCE
        assert await finds(bot, bot.person("Ben"), bot.channel)
        assert ("hit", 1) == ((await ended(bot))[0], len(searches(bot)))
        (left,) = searcher(bot).under_way[bot.guild.guild_id]
        assert not left.done()
    assert left.done()


async def test_a_short_limit_is_waited_for_and_a_long_one_is_told(
    bot: DiscordBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    """discord.py asks again by itself, within the three seconds and not past them."""
    ann = bot.person("Ann")
    await ann.say(bot.channel, SAID)
    bot.discord.faults.limit(path="/messages/search", retry_after=timedelta(seconds=0.05))
    assert await finds(bot, ann, bot.channel)
    assert [429, 200] == [request.status for request in searches(bot)]
    monkeypatch.setattr(guild_search, "PATIENCE", timedelta(seconds=0.2))
    bot.discord.faults.limit(path="/messages/search", retry_after=timedelta(seconds=30))
    told = (await bot.asks(ann, bot.channel, "Who repaired the boiler again?")).text
    assert "I could not reach Discord's search" in told
    assert ("failed", True) == ((await ended(bot))[0], "took too long" in (await ended(bot))[1])


async def test_a_limit_for_everything_is_not_broken_off(bot: DiscordBot, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever waits for it holds up all other requests: broken off, it would hold them for ever."""
    monkeypatch.setattr(guild_search, "PATIENCE", timedelta(seconds=0.1))
    ann = bot.person("Ann")
    bot.discord.faults.limit(path="/messages/search", retry_after=timedelta(seconds=0.5), everywhere=True)
    assert NOTHING_FOUND in (await bot.asks(ann, bot.channel, ASKED)).text
    monkeypatch.undo()
    await ann.say(bot.channel, SAID)
    assert await finds(bot, ann, bot.channel)


@pytest.mark.parametrize("status", [500, 503])
async def test_a_failing_discord_is_told_and_costs_nothing_else(
    bot: DiscordBot, monkeypatch: pytest.MonkeyPatch, status: int
) -> None:
    """What is stored is still answered from; nothing is asked on behind the back of who asked."""
    monkeypatch.setattr(guild_search, "PATIENCE", timedelta(seconds=0.2))
    ann = bot.person("Ann")
    bot.discord.faults.fail(9, status=status, path="/messages/search")
    assert "I could not reach Discord's search" in (await bot.asks(ann, bot.channel, ASKED)).text
    assert {} == searcher(bot).under_way


async def test_a_server_is_not_asked_without_end(bot: DiscordBot, monkeypatch: pytest.MonkeyPatch) -> None:
    """While so many requests wait for Discord no more is asked; what they were for is told as not reached."""
    monkeypatch.setattr(cog, "MOST_AT_ONCE", 0)
    assert "I could not reach Discord's search" in (await bot.asks(bot.person("Ann"), bot.channel, ASKED)).text
    assert [] == searches(bot)


async def test_what_breaks_off_is_told_as_not_reached(bot: DiscordBot) -> None:
    """A connection that ends before there is an answer."""
    bot.discord.faults.break_off(9, path="/messages/search")
    assert "I could not reach Discord's search" in (await bot.asks(bot.person("Ann"), bot.channel, ASKED)).text


# ---- who can switch it off, and what must be switched on


async def test_without_the_intent_it_is_a_line_in_the_trail(world: World, database: Database) -> None:
    """Nothing is asked of Discord, and people are told no more than that memory has nothing."""
    async with discord_bot.world(**WITHOUT_INTENT) as place, connected(place, database) as bot:
        told = (await bot.asks(bot.person("Ann"), bot.channel, ASKED)).text
        assert (NOTHING_FOUND in told, "could not reach" in told) == (True, False)
        assert ("empty", True) == ((await ended(bot))[0], introduction.NO_INTENT in (await ended(bot))[1])
        assert [] == searches(bot)


async def test_without_the_right_it_is_a_line_in_the_trail(bot: DiscordBot) -> None:
    """Where Hathi may read no history nothing is asked of Discord, which counts what it refuses."""
    bot.guild.change_role(bot.guild.bot_role, Permission.VIEW_CHANNEL | Permission.SEND_MESSAGES)
    bot.guild.change_role(bot.guild.everyone, bot.guild.everyone.permissions & ~Permission.READ_MESSAGE_HISTORY)
    bot.channel.overwrite(bot.guild.everyone, Overwrite(allow=Permission.READ_MESSAGE_HISTORY))
    bot.channel.overwrite(bot.discord.bot, Overwrite(deny=Permission.READ_MESSAGE_HISTORY))
    # Without the permission an answer is no reply.
    await bot.says_to_hathi(bot.person("Ann"), bot.channel, ASKED)
    told = (await bot.stands(NOTHING_FOUND)).text
    await bot.settled()
    assert "could not reach" not in told
    assert (True, []) == (introduction.NO_RIGHT in (await ended(bot))[1], searches(bot))


async def test_what_discord_refuses_is_a_line_in_the_trail(bot: DiscordBot) -> None:
    """403: the right is missing where the cache does not show it."""
    bot.discord.faults.fail(status=403, code=50013, path="/messages/search")
    told = (await bot.asks(bot.person("Ann"), bot.channel, ASKED)).text
    assert (NOTHING_FOUND in told, "could not reach" in told) == (True, False)
    assert introduction.NO_RIGHT in (await ended(bot))[1]


async def test_why_tells_what_must_be_switched_on(bot: DiscordBot) -> None:
    """In a line of its own: behind the other sources of its layer it would be cut. Discord's no is in the log too."""
    ann = bot.person("Ann")
    bot.discord.faults.fail(status=403, code=50013, path="/messages/search")
    with capture_logs() as lines:
        await bot.asks(ann, bot.channel, ASKED)
    assert [50013] == [line["code"] for line in lines if line["event"] == "guild_search.refused"]
    assert f"\n{introduction.NO_RIGHT}.\n" in (await bot.answer(await ann.say(bot.channel, "!why exactly"))).text


async def test_whoever_runs_the_server_is_told_what_must_be_switched_on(bot: DiscordBot) -> None:
    """Under the answer to their own question; others can't do anything about it, and are told nothing."""
    bot.discord.faults.fail(2, status=403, code=50013, path="/messages/search")
    told = [
        introduction.NO_RIGHT in (await bot.asks(user, bot.channel, ASKED)).text
        for user in (bot.person("Ann"), bot.knows(bot.guild.owner))
    ]
    assert [False, True] == told


async def test_whoever_manages_the_server_can_switch_it_off(bot: DiscordBot) -> None:
    """Typed or chosen from Discord's list, and back; `!memory` and `!settings` say how it is."""
    ann, owner = bot.person("Ann"), bot.knows(bot.guild.owner)
    await ann.say(bot.channel, SAID)
    refused = (await bot.answer(await ann.say(bot.channel, "!memory search off"))).text
    assert "Manage Server" in refused
    off = (await bot.answer(await owner.say(bot.channel, "!memory search off"))).text
    assert ("is not asked here" in off, "!memory search on" in off) == (True, True)
    assert not await finds(bot, ann, bot.channel)
    assert guild_search.SWITCHED_OFF_HERE in (await ended(bot))[1]
    for line, said in (("!memory", off), ("!settings", "Discord's search: off (this server)")):
        assert said in (await bot.answer(await ann.say(bot.channel, line))).text
    chosen = await owner.slash(bot.channel, "admin memory search", {"search": "on"})
    assert "Discord's own search" in (await chosen.until_told())[0].text
    assert await finds(bot, ann, bot.channel)


async def test_whoever_runs_hathi_can_switch_it_off(world: World, database: Database) -> None:
    """`recall.discord_search = false`: nothing is asked anywhere, and commands say so."""
    ann = world.newcomer("Ann")
    await ann.say(world.channel, SAID)
    async with connected(world, database, recall=RecallSettings(discord_search=False)) as bot:
        assert not await finds(bot, ann, bot.channel)
        assert (True, []) == (guild_search.SWITCHED_OFF in (await ended(bot))[1], searches(bot))
        told = (await bot.answer(await ann.say(bot.channel, "!memory"))).text
        assert "whoever runs me" in told


@pytest.mark.parametrize(("switch", "is_walked"), [("on", True), ("off", False)])
async def test_where_it_is_switched_off_a_free_question_is_answered_at_once(
    world: World, database: Database, switch: str, is_walked: bool
) -> None:
    """With a model: only what Discord may have is a reason to walk for what memory surely has not."""
    world.model.always = Reply(text="By turning it twice a year.")
    async with connected(world, database, roles=discord_bot.roles(world.model.base_url)) as bot:
        await bot.answer(await bot.knows(bot.guild.owner).say(bot.channel, f"!memory search {switch}"))
        told = (await bot.asks(bot.person("Ann"), bot.channel, "which compost goes on our beds?")).text
        assert "twice a year" in told
        assert ("walk" in await trail(bot)) == is_walked


async def test_why_tells_where_it_was_found(bot: DiscordBot) -> None:
    """With a link, and no word of it; not where its channel can't be seen by all any more."""
    ann = bot.person("Ann")
    said = await ann.say(bot.channel, SAID)
    assert await finds(bot, ann, bot.channel)
    told = (await bot.answer(await ann.say(bot.channel, "!why"))).text
    assert (True, True, False) == (reply_reasons.ELSEWHERE in told, link(said) in told, "Osterquill" in told)


# ---- the introduction


async def introduced(bot: DiscordBot, *, denied: Permission = Permission.NONE) -> tuple[Channel, Message]:
    """A server that Hathi has just come to, and how it introduced itself there."""
    guild = bot.discord.guild("Tigers", with_bot=False)
    lobby = guild.text_channel("lobby", overwrites={bot.discord.bot: Overwrite(deny=denied)})
    bot.discord.invite(guild)
    return lobby, await bot.stands("Hello, I am Hathi", lobby)


async def test_the_introduction_says_that_nothing_is_stored_and_what_can_be_asked(bot: DiscordBot) -> None:
    """Nothing is stored yet; ask about the past."""
    _, said = await introduced(bot)
    assert [True, True] == [words in said.text for words in ("Nothing is stored yet.", "Ask about the past")]
    assert "Discord's search needs" not in said.text


@pytest.mark.parametrize("world_of", [{}, WITHOUT_INTENT])
@pytest.mark.parametrize("denied", [Permission.NONE, Permission.READ_MESSAGE_HISTORY])
async def test_the_introduction_says_who_must_switch_what_on(
    database: Database, world_of: dict[str, Any], denied: Permission
) -> None:
    """The intent is whoever runs it's to switch on, the permission whoever manages roles'."""
    async with discord_bot.world(**world_of) as place, connected(place, database) as bot:
        _, said = await introduced(bot, denied=denied)
    assert (bool(world_of), bool(denied)) == (introduction.NO_INTENT in said.text, introduction.NO_RIGHT in said.text)
    assert ("Ask about the past" in said.text) is not (bool(world_of) or bool(denied))


async def test_the_introduction_says_nothing_of_a_search_that_is_switched_off(world: World, database: Database) -> None:
    """By whoever runs Hathi: then nobody here can switch anything on, nor ask about what was said before."""
    async with connected(world, database, recall=RecallSettings(discord_search=False)) as bot:
        _, said = await introduced(bot, denied=Permission.READ_MESSAGE_HISTORY)
    assert "Nothing is stored yet." in said.text
    assert [False, False] == [words in said.text for words in ("Discord's search needs", "Ask about the past")]


async def test_the_introduction_says_that_the_talk_around_a_question_is_read(bot: DiscordBot) -> None:
    """And that nothing of it is stored."""
    _, said = await introduced(bot)
    assert "I read the last ones before it; those are not stored" in said.text


async def test_a_button_opens_a_field_for_one_question(bot: DiscordBot) -> None:
    """It is answered as if it had been asked in that channel by whoever pressed it, and recorded as theirs."""
    lobby, said = await introduced(bot)
    ben = bot.knows(bot.discord.user("Ben"))
    assert lobby.guild is not None
    lobby.guild.join(ben)
    await ben.say(lobby, SAID)
    pressed = await ben.press(said, "hathi:ask")
    await bot.until(lambda: pressed.modal)
    assert pressed.modal is not None
    await ben.submit(pressed, {"text": ASKED})
    asked = await bot.stands(f"asks:\n> {ASKED}", lobby)
    assert f"<@{ben.user_id}>" in asked.text
    assert "Osterquill" in (await bot.answer(asked)).text
    async with bot.app.database.connection() as connection:
        row = await connection.fetchrow("SELECT author_id, content, role FROM message WHERE role = 'person'")
    assert (ben.user_id, ASKED, "person") == tuple(row or ())


async def test_a_question_from_the_field_finds_no_more_than_the_channel_may(bot: DiscordBot) -> None:
    """What only some of its readers can read is not told, though the presser could read it."""
    lobby, said = await introduced(bot)
    ben = bot.knows(bot.discord.user("Ben"))
    assert lobby.guild is not None
    lobby.guild.join(ben)
    staff = lobby.guild.private_channel("staff", seen_by=[ben, bot.discord.bot])
    await ben.say(staff, SAID)
    pressed = await ben.press(said, "hathi:ask")
    await bot.until(lambda: pressed.modal)
    await ben.submit(pressed, {"text": ASKED})
    assert NOTHING_FOUND in (await bot.answer(await bot.stands(f"asks:\n> {ASKED}", lobby))).text
