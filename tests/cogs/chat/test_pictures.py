"""What becomes of pictures people send, over real sockets: a model that sees is shown them, and nobody else."""

import asyncio
import contextlib
import json
from collections.abc import AsyncGenerator, Sequence
from datetime import timedelta
from typing import Any, Final

import pytest
from structlog.testing import capture_logs

from bot.db.pool import Database
from bot.domain import NOTHING_FOUND
from bot.llm import completions
from bot.store.files import pictures
from bot.turn.conversation import NO_PICTURE
from bot.turn.miss_answer import FREELY, OF_PICTURES
from cogs.chat import incoming_files
from cogs.chat.recent_messages import RecentMessages
from tests import discord_bot
from tests.conversations import roles
from tests.discord_bot import DiscordBot
from tests.discord_server.messages import Message
from tests.discord_server.users import User
from tests.model_server import Reply, Status
from tests.picture_files import BLUE, colour_of, picture, shown_in, size_of
from tests.rows import rows
from tests.waiting import WITHIN, eventually

POT: Final = {"pot.png": picture()}
CUP: Final = {"cup.jpg": picture(colour=BLUE, kind="JPEG")}


@contextlib.asynccontextmanager
async def seeing(database: Database, *, fallbacks: Sequence[Any] = (), **fields: Any) -> AsyncGenerator[DiscordBot]:
    """Hathi, with a model that sees."""
    async with (
        discord_bot.world(answer=Reply(text="A red pot.")) as place,
        discord_bot.connected(
            place, database, roles=roles(place.model.base_url, vision=True, fallbacks=fallbacks, **fields)
        ) as bot,
    ):
        yield bot


@pytest.fixture
async def bot(database: Database) -> AsyncGenerator[DiscordBot]:
    async with seeing(database) as running:
        yield running


async def _asks(bot: DiscordBot, asker: User, text: str, files: dict[str, bytes], of: Message | None = None) -> str:
    """What Hathi answers to a question that these files come with."""
    asked = await asker.say(bot.channel, text, mentions=[bot.discord.bot], files=files, reply_to=of, ping=False)
    return (await bot.answer(asked)).content


def _everything(table: str) -> Any:
    """The statement for all that a table holds."""
    return f"SELECT string_agg(t::text, ' ') FROM {table} t"


def _seen(bot: DiscordBot) -> list[str]:
    """The colours of the pictures that the last request shows."""
    return [colour_of(jpeg) for jpeg in shown_in(bot.model.requests[-1])]


# --- which are shown ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text", ["what is this?", "what is in this picture?", "what colour is the handle?", "Mine!", ""]
)
async def test_what_a_model_says_of_a_picture_is_the_answer(bot: DiscordBot, text: str) -> None:
    """It is shown the picture, and asked once: memory has nothing to say on it."""
    assert await _asks(bot, bot.person("Ann"), text, POT) == "A red pot."
    assert (["red"], 1) == (_seen(bot), len(bot.model.requests))
    assert "- pot.png, sent by Ann: picture 1 of those shown with this message" in bot.world.prompts[-1]


async def test_the_picture_of_the_message_replied_to_is_shown(bot: DiscordBot) -> None:
    """Whoever sent it; behind those of the question."""
    ann, ben = bot.person("Ann"), bot.person("Ben")
    said = await ann.say(bot.channel, "Look", files=POT)
    await _asks(bot, ben, "which is older?", CUP, of=said)
    assert ["blue", "red"] == _seen(bot)
    await _asks(bot, ben, "what is this?", {}, of=said)
    assert ["red"] == _seen(bot)
    assert "- pot.png, sent by Ann: picture 1" in bot.world.prompts[-1]


async def test_a_forwarded_picture_is_shown(bot: DiscordBot) -> None:
    """It came with the question."""
    ann, ben = bot.person("Ann"), bot.person("Ben")
    said = await ann.say(bot.guild.text_channel("lounge"), "Look", files=POT)
    await bot.answer(await ben.say(bot.channel, "what is this?", mentions=[bot.discord.bot], forwards=said))
    assert ["red"] == _seen(bot)


async def test_no_more_than_four_are_shown(bot: DiscordBot) -> None:
    """Over the question and the message it replies to; the model is told of the others, which are not fetched."""
    ann, ben = bot.person("Ann"), bot.person("Ben")
    said = await ann.say(bot.channel, "Look", files={f"pot{n}.png": picture() for n in range(3)})
    await _asks(bot, ben, "which is older?", {f"cup{n}.png": picture(colour=BLUE) for n in range(3)}, of=said)
    assert (["blue", "blue", "blue", "red"], 4) == (_seen(bot), len(bot.discord.fetched))
    assert "pot2.png, sent by Ann: it is a picture, and I look at no more than 4 at a time" in bot.world.prompts[-1]


async def test_a_picture_is_known_by_what_is_in_it(bot: DiscordBot) -> None:
    """And not by its name; a text stays one beside it."""
    files = {"pot": picture(), "notes.txt": b"The kiln is warm."}
    assert await _asks(bot, bot.person("Ann"), "what do you say to this?", files) == "A red pot."
    assert ["red"] == _seen(bot)
    assert '- notes.txt, sent by Ann: "The kiln is warm."' in bot.world.prompts[-1]


@pytest.mark.parametrize("mode", ["off", "addressed", "all"])
async def test_a_picture_is_in_no_later_prompt_and_no_record(bot: DiscordBot, database: Database, mode: str) -> None:
    """There its name stands; of the answer its words are kept where anything is."""
    ann = bot.person("Ann")
    await bot.answer(await bot.guild.owner.say(bot.channel, f"!memory mode {mode}"))
    await _asks(bot, ann, "what is this?", POT)
    (jpeg,) = shown_in(bot.model.requests[-1])
    await bot.asks(ann, bot.channel, "write me a poem")
    await bot.settled()
    assert ([], True) == (shown_in(bot.model.requests[-1]), "pot.png" in bot.world.prompts[-1])
    assert ([] if mode == "off" else [("pot.png", "unreadable", "")]) == await rows(
        database, "SELECT name, state, content FROM attachment"
    )
    async with database.connection() as connection:
        tables = await connection.fetch("SELECT tablename FROM pg_tables WHERE schemaname = 'public'")
        kept = [await connection.fetchval(_everything(each["tablename"])) for each in tables]
    assert not any(jpeg[:24].hex() in (text or "") or "base64" in (text or "") for text in kept)


async def test_a_picture_is_in_no_log(bot: DiscordBot) -> None:
    """Neither it nor what was asked about it."""
    with capture_logs() as lines:
        await _asks(bot, bot.person("Ann"), "what is this?", POT)
        await bot.settled()
    told = json.dumps(lines, default=str)
    assert ("turn.answered" in told, "base64" in told, "pot.png" in told, "JFIF" in told) == (True, False, False, False)


async def test_a_picture_that_is_only_overheard_is_not_fetched(bot: DiscordBot) -> None:
    """Nor one further up that a question names: it is said how to have it looked at."""
    ann, ben = bot.person("Ann"), bot.person("Ben")
    await bot.answer(await bot.guild.owner.say(bot.channel, "!memory mode all"))
    await ann.say(bot.channel, "Look", files={"old pot.png": picture()})
    await bot.asks(ben, bot.channel, "write me a caption for old pot.png")
    await bot.settled()
    assert ([], []) == (bot.discord.fetched, _seen(bot))


async def test_nothing_is_seen_of_who_opted_out(bot: DiscordBot) -> None:
    """As nothing is read of what they say."""
    ann, ben = bot.person("Ann"), bot.person("Ben")
    await bot.answer(await ann.say(bot.channel, "!memory off me"))
    said = await ann.say(bot.channel, "Look", files=POT)
    await _asks(bot, ben, "what is this?", {}, of=said)
    assert ([], []) == (bot.discord.fetched, [each for body in bot.model.requests for each in shown_in(body)])


# --- why one is not -------------------------------------------------------------------------------------------------


_UNSEEN: Final = {
    "broken.png": (b"\x89PNG", "it is no picture that I can open"),
    "text.png": (b"The vault is red.", "it is no picture that I can open"),
    "bomb.png": (picture(mode="1", colour=(0,), size=(30_000, 30_000)), "it is no picture that I can open"),
    "old.bmp": (picture(kind="BMP"), "I can open PNG, JPEG, WebP and GIF"),
}


@pytest.mark.parametrize("name", [*_UNSEEN])
async def test_a_picture_that_can_not_be_opened_is_told_in_a_sentence(bot: DiscordBot, name: str) -> None:
    """To whoever asks for nothing else; beside another question the model learns it."""
    data, why = _UNSEEN[name]
    ann = bot.person("Ann")
    told = await _asks(bot, ann, "what is this?", {name: data})
    assert (True, True, []) == (told.startswith(f"I could not read {name}: "), why in told, bot.model.requests)
    assert await _asks(bot, ann, "write me a caption", {name: data}) == "A red pot."
    assert (True, []) == (why in bot.world.prompts[-1], _seen(bot))


async def test_a_picture_that_is_too_large_is_not_fetched(bot: DiscordBot, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its size is known before."""
    monkeypatch.setattr(pictures, "MOST_BYTES", 2**10)
    told = await _asks(bot, bot.person("Ann"), "what is this?", {"large.png": picture() + b"\0" * 2**10})
    assert ("it is a picture larger than" in told, []) == (True, bot.discord.fetched)


async def test_a_picture_that_discord_does_not_hand_over_is_told_so(bot: DiscordBot) -> None:
    """Another time it may."""
    bot.discord.files_status = 500
    told = await _asks(bot, bot.person("Ann"), "what is this?", POT)
    assert told.startswith("I could not read pot.png: Discord did not")


async def test_a_picture_that_takes_too_long_is_told_so(bot: DiscordBot, monkeypatch: pytest.MonkeyPatch) -> None:
    """The question does not wait for it any longer."""
    monkeypatch.setattr(incoming_files, "SEEN_WITHIN", timedelta(milliseconds=50))
    bot.discord.files_open.clear()
    told = await _asks(bot, bot.person("Ann"), "what is this?", POT)
    bot.discord.files_open.set()
    assert told.startswith("I could not read pot.png: it is a picture that I could not look at in time")


async def test_where_there_is_no_picture_it_is_said_how_to_send_one(bot: DiscordBot) -> None:
    """To whoever asks what is in one that came with neither message."""
    assert (await bot.asks(bot.person("Ann"), bot.channel, "what is in this picture?")).content == NO_PICTURE
    assert [] == bot.model.requests


async def test_a_model_that_does_not_see_has_no_picture_fetched(database: Database) -> None:
    """It is told that there is one which can't be looked at."""
    async with discord_bot.running(database) as bot:
        await _asks(bot, bot.person("Ann"), "write me a caption", POT)
        assert ([], []) == (bot.discord.fetched, _seen(bot))
        assert "- pot.png, sent by Ann: it is a picture, which can't be looked at" in bot.world.prompts[-1]


async def test_a_fallback_that_does_not_see_answers_from_the_text(database: Database) -> None:
    """And is told in a sentence that there are pictures it can't see."""
    async with discord_bot.world(answer=Reply(text="I can't see it.")) as place:
        blind = roles(place.model.base_url).reasoning
        assert blind is not None
        seeing_ = roles(
            place.model.base_url,
            vision=True,
            fallbacks=(blind.model_dump(exclude={"toolsets", "prompt", "fallbacks"}),),
        )
        place.model.steps.append(Status(status=401))
        async with discord_bot.connected(place, database, roles=seeing_) as bot:
            assert await _asks(bot, bot.person("Ann"), "what is this?", POT) == "I can't see it."
            assert [1, 0] == [len(shown_in(body)) for body in bot.model.requests]
            assert completions.NOT_SEEN in bot.world.prompts[-1]


# --- the limits of a role -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("count", "within"), [(1, (1.0, 1.1)), (4, (0.2, 0.6))])
async def test_pictures_take_half_of_a_prompt_at_most(bot: DiscordBot, count: int, within: tuple[float, float]) -> None:
    """One may be large, and four are made so small that they fit; in millions of pixels."""
    files = {f"pot{n}.jpg": picture(size=(1600, 1200), kind="JPEG") for n in range(count)}
    await _asks(bot, bot.person("Ann"), "which is older?", files)
    found = [size_of(jpeg) for jpeg in shown_in(bot.model.requests[-1])]
    assert len(found) == count
    assert all(within[0] <= width * height / 10**6 <= within[1] for width, height in found)


async def test_what_a_model_has_no_room_for_is_left_out(bot: DiscordBot) -> None:
    """It turned out to take less: the question is asked once more with the pictures that fit."""
    told = {"error": {"message": "This model's maximum context length is 5000 tokens."}}
    bot.model.steps.append(Status(status=400, body=told))
    files = {f"pot{n}.jpg": picture(size=(1600, 1200), kind="JPEG") for n in range(4)}
    assert await _asks(bot, bot.person("Ann"), "which is older?", files) == "A red pot."
    asked = [len(shown_in(body)) for body in bot.model.requests]
    assert (4, True) == (asked[0], 0 < asked[1] < 4)
    assert "- pot3.jpg, sent by Ann: there is no room for it here" in bot.world.prompts[-1]


# --- beside memory --------------------------------------------------------------------------------------------------


async def test_what_is_seen_may_differ_from_what_is_remembered(bot: DiscordBot) -> None:
    """An answer about a picture is not held against memory: it may show another pot."""
    ann = bot.person("Ann")
    await bot.answer(await ann.say(bot.channel, "!remember The glazed pot from the market costs 45 euros importance:9"))
    said = "The glazed pot from the market costs 30 euros."
    bot.model.always = Reply(text=said)
    assert await _asks(bot, ann, "what does this glazed pot from the market cost?", POT) == said
    assert ["red"] == _seen(bot)


async def test_what_memory_has_on_a_question_beside_a_picture_is_told_where_it_answers(bot: DiscordBot) -> None:
    """Where the model tells of what it sees instead, that is the answer."""
    ann = bot.person("Ann")
    await bot.answer(await ann.say(bot.channel, "!remember The kiln opens at nine on Fridays"))
    bot.model.steps += [Reply(text="The kiln opens at nine on Fridays (#1).")]
    assert (await _asks(bot, ann, "When does the kiln open on Fridays?", POT)).startswith("The kiln opens at nine")
    bot.model.steps += [Reply(text="The sign says noon."), Reply(text="The sign on the wall says noon.")]
    assert await _asks(bot, ann, "When does the kiln open on Fridays?", POT) == "The sign on the wall says noon."


async def test_a_question_about_the_past_is_looked_up_with_a_picture_too(bot: DiscordBot, database: Database) -> None:
    """Nothing is found: that is said, and what the model sees stands behind it, marked as no memory."""
    ann = bot.person("Ann")
    bot.model.always = Reply(text="The sticker says 45 euros.")
    await bot.answer(await bot.guild.owner.say(bot.channel, "!settings answers off"))
    told = await _asks(bot, ann, "What did we pay for it last year?", POT)
    assert told == f"{NOTHING_FOUND}\n\n{FREELY} The sticker says 45 euros."
    assert (["red"], True) == (_seen(bot), OF_PICTURES in bot.world.prompts[-1])


async def test_an_answer_goes_with_the_picture_it_tells_of(bot: DiscordBot, database: Database) -> None:
    """Whoever deletes the message it came with takes it along, though no word of it is in the answer."""
    ann, ben = bot.person("Ann"), bot.person("Ben")
    said = await ann.say(bot.channel, "Look", files=POT)
    await _asks(bot, ben, "what is this?", {}, of=said)
    await bot.settled()
    answers = "SELECT content FROM message WHERE role = 'hathi'"
    assert [("A red pot.",)] == await rows(database, answers)
    await ann.delete(said)
    async with asyncio.timeout(WITHIN.total_seconds()):
        while await rows(database, answers):
            await bot.settled()


async def test_a_picture_that_is_deleted_meanwhile_is_not_told_of(bot: DiscordBot) -> None:
    """The question is answered anew, without it."""
    ann, ben = bot.person("Ann"), bot.person("Ben")
    said = await ann.say(bot.channel, "Look", files=POT)

    gate, recent = asyncio.Event(), bot.client.get_cog("RecentMessages")
    assert isinstance(recent, RecentMessages)
    bot.model.steps += [Reply(text="A red pot.", gate=gate, pieces=2)]
    bot.model.always = Reply(text="I see none.")
    asked = await ben.say(bot.channel, "what is this?", mentions=[bot.discord.bot], reply_to=said, ping=False)
    await bot.until(lambda: bot.model.requests)
    await ann.delete(said)
    await eventually(lambda: recent.changed_at(said.message_id) > 0)
    gate.set()
    assert (await bot.answer(asked)).content == "I see none."
    assert [1, 0] == [len(shown_in(body)) for body in bot.model.requests]
