"""The laws of what is kept of files: read once, bounded, gone and hidden with their message."""

import asyncio
import random
from collections.abc import AsyncGenerator
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Any

import asyncpg
import pytest

from bot.db.pool import Database
from bot.domain import Caller, ChannelId, MessageId
from bot.lifecycle.discord_edits import DiscordEdits
from bot.store.files import attachments, file_types
from bot.store.files.attachments import AttachedFile, Attachments, State
from bot.store.people import People
from tests import people
from tests.bot.lifecycle.test_discord_edits import traces
from tests.conftest import Clock
from tests.conversations import Room, room
from tests.pdf_files import pdf
from tests.rows import rows

ANN = people.caller(admin=True)
BOB = people.caller("Bob", person=8)


@dataclass
class Desk:
    """A channel, what is said in it, and the files that come with it."""

    here: Room
    database: Database
    kept: Attachments

    async def fetch(self, query: Any, *args: object) -> list[tuple[Any, ...]]:
        return await rows(self.database, query, *args)

    async def said(self, text: str, by: Caller = ANN) -> MessageId:
        """A person's message, recorded."""
        said = people.said(by, text, self.here.clock.forward(seconds=1))
        await self.here.app.turns.overhear(said, language="english")
        return said.message_id

    async def file(
        self, message_id: int, data: bytes | None, name: str = "notes.md", by: Caller = ANN, **more: Any
    ) -> State | None:
        """What becomes of a file of that message."""
        given: dict[str, Any] = {"attachment_id": message_id + 1, "content_type": None, "size": len(data or b"")} | more
        came = AttachedFile(name=name, data=data, **given)
        return await self.kept.save(
            by.space_id, MessageId(message_id), came, await self.kept.read(came), now=self.here.clock()
        )

    async def texts(self) -> list[str]:
        return [text for (text,) in await self.fetch("SELECT content FROM attachment ORDER BY attachment_id")]


@pytest.fixture
async def desk(database: Database, clock: Clock) -> AsyncGenerator[Desk]:
    async with room(database, clock, who=ANN) as here:
        await here.app.enter(BOB, channel_name="general", mode="all")
        yield Desk(here, database, Attachments(database))


async def test_a_text_is_kept_with_its_message(desk: Desk) -> None:
    """With its name, size, and the channel whose readers may see it."""
    said = await desk.said("The plan is attached.")
    assert await desk.file(said, b"The vault is red.\r\n", "Our plan.md", content_type="text/markdown") is State.TEXT
    found = await desk.fetch(
        "SELECT space_id, message_id, channel_id, name, called, content_type, size, state, content,"
        " search @@ to_tsquery('english', 'vault & red') FROM attachment"
    )
    assert [
        (
            1,
            said,
            10,
            "Our plan.md",
            ["our plan md", "our plan"],
            "text/markdown",
            19,
            "text",
            "The vault is red.",
            True,
        )
    ] == found


async def test_a_name_is_kept_as_it_can_be(desk: Desk) -> None:
    """Nothing in it, nor in what it is said to be, keeps a file from being stored."""
    said = await desk.said("Here.")
    assert await desk.file(said, b"x", "a\0b\ud800.md", content_type="text/\0plain") is State.TEXT
    assert [("ab?.md", "text/plain")] == await desk.fetch("SELECT name, content_type FROM attachment")


@pytest.mark.parametrize(
    ("data", "name", "size", "state"),
    [
        (b"The vault is red.", "notes.md", None, State.TEXT),
        (b"The vault is red.", "no-extension", None, State.TEXT),
        (pdf("The vault is red."), "plan.pdf", None, State.TEXT),
        (pdf("The vault is red."), "plan.dat", None, State.TEXT),
        (b"The vault is red.", "not really.pdf", None, State.TEXT),
        (b"%PDF-1.4 broken", "plan.pdf", None, State.UNREADABLE),
        (b"\x00\x01\x02", "notes.md", None, State.UNREADABLE),
        (b" \n ", "notes.md", None, State.UNREADABLE),
        (None, "photo.png", 5000, State.UNREADABLE),
        (None, "notes.md", 2**20 + 1, State.TOO_LARGE),
        (b"x" * (2**20 + 1), "notes.md", 5, State.TOO_LARGE),
        (None, "notes.md", 5, State.FAILED),
    ],
)
async def test_every_file_ends_in_a_state(
    desk: Desk, data: bytes | None, name: str, size: int | None, state: State
) -> None:
    """Whatever is wrong with it: it is no error, and its words are kept only where there are any."""
    said = await desk.said("Here it is.")
    given: dict[str, Any] = {} if size is None else {"size": size}
    assert state is await desk.file(said, data, name, **given)
    ((kept, text),) = await desk.fetch("SELECT state, content FROM attachment")
    assert (state.value, state is State.TEXT) == (kept, text != "")


def test_only_what_may_be_read_is_wanted() -> None:
    """A picture is not fetched, nor what is too large."""
    small = AttachedFile(attachment_id=1, name="a.md", content_type=None, size=2**20)
    others = [replace(small, size=2**20 + 1), replace(small, name="a.png"), replace(small, name="a.ts")]
    assert [True, False, False, True] == [file.is_wanted for file in (small, *others)]


async def test_a_text_that_is_too_long_is_cut(desk: Desk) -> None:
    """At 200,000 characters."""
    said = await desk.said("All of it.")
    assert await desk.file(said, b"words " * 100_000) is State.TEXT
    assert [file_types.MOST_CHARACTERS] == [len(text) for text in await desk.texts()]


async def test_a_text_of_too_many_words_is_found_by_its_beginning(desk: Desk) -> None:
    """Postgres takes no more than a mebibyte of different words; that is no reason to lose them all."""
    letters = random.Random(1)
    text = "".join(chr(letters.randrange(0x4E00, 0x9FA0)) for _ in range(200_000))
    with pytest.raises(asyncpg.ProgramLimitExceededError):
        await desk.fetch("SELECT search_vector('english', $1)", text)
    said = await desk.said("All of it.")
    assert await desk.file(said, text.encode()) is State.TEXT
    query = "SELECT search @@ any_word('english', left(content, 2)), length(content) FROM attachment"
    assert [(True, 200_000)] == await desk.fetch(query)


async def test_a_file_is_kept_once_and_again_only_where_it_failed(desk: Desk) -> None:
    """What was told twice is there once; what could not be fetched may be, later."""
    said = await desk.said("Here.")
    assert await desk.file(said, None, size=5) is State.FAILED
    assert frozenset() == await desk.kept.known(ANN.space_id, said)
    assert await desk.file(said, b"first") is State.TEXT
    assert await desk.file(said, b"second") is None
    assert ["first"] == await desk.texts()
    assert frozenset([said + 1]) == await desk.kept.known(ANN.space_id, said)


async def test_no_message_no_file(desk: Desk) -> None:
    """Nothing is kept beside a message that is unknown, another space's, forgotten, or Hathi's own."""
    said = await desk.said("Remember that the vault is red.")
    assert await desk.file(said + 5, b"x") is None
    assert await desk.file(said, b"x", by=replace(ANN, space_id=people.caller(space=2).space_id)) is None
    await desk.fetch("UPDATE message SET hidden_at = $1 RETURNING 1", desk.here.clock())
    assert await desk.file(said, b"x") is None
    await desk.fetch("UPDATE message SET hidden_at = NULL, role = 'hathi' RETURNING 1")
    assert await desk.file(said, b"x") is None
    assert [] == await desk.texts()


async def test_a_wish_made_while_a_file_is_fetched_holds(desk: Desk) -> None:
    """Neither of who opted out meanwhile nor in a channel that keeps nothing any more is anything kept."""
    said = await desk.said("Here.", BOB)
    await desk.fetch("UPDATE channel SET mode = 'off' RETURNING 1")
    assert await desk.file(said, b"x") is None
    await desk.fetch("UPDATE channel SET mode = 'all' RETURNING 1")
    await People(desk.database).opt_out(BOB.person_id, now=desk.here.clock())
    assert await desk.file(said, b"x") is None


async def test_a_file_goes_with_its_message(desk: Desk) -> None:
    """Deleted on Discord, it is gone with all of its words, in the same moment."""
    said, other = await desk.said("Here."), await desk.said("And here.")
    await desk.file(said, b"zqsecret7")
    await desk.file(other, b"zqother7", "zqother7 notes.md")
    await DiscordEdits(desk.database, desk.here.app.archivist).deleted(ANN.space_id, [said], desk.here.clock())
    assert ({}, 1) == (await traces(desk.database, "zqsecret7"), len(await desk.texts()))


async def test_what_is_forgotten_goes_with_its_files_when_undo_is_over(desk: Desk) -> None:
    """The message that a forgotten memory rests on is erased, and its file with it."""
    await desk.here.say("Remember that the vault is red.")
    ((said,),) = await desk.fetch("SELECT max(message_id) FROM message WHERE role = 'person'")
    await desk.file(said, b"zqsecret7")
    await desk.here.run("!forget 1")
    assert ["zqsecret7"] == await desk.texts()
    now = desk.here.clock.forward(minutes=11)
    await desk.here.app.archivist.erase([ANN.space_id], now=now)
    assert {} == await traces(desk.database, "zqsecret7")


async def test_what_a_discarded_session_held_goes_with_its_files(desk: Desk) -> None:
    """`!reset discard` leaves nothing of them."""
    said = await desk.said("Here.")
    await desk.file(said, b"zqsecret7")
    await desk.here.reset("!reset discard")
    now = desk.here.clock.forward(minutes=11)
    await desk.here.app.archivist.erase([ANN.space_id], now=now)
    assert {} == await traces(desk.database, "zqsecret7")


async def test_a_message_past_its_days_takes_its_files(desk: Desk) -> None:
    """They are kept as long as it is, and no longer."""
    said = await desk.said("Here.")
    await desk.file(said, b"zqsecret7")
    await desk.here.reset()
    now = desk.here.clock.forward(days=400)
    await desk.here.app.jobs.retain([ANN.space_id], keep=timedelta(days=365), now=now)
    assert {} == await traces(desk.database, "zqsecret7")


async def test_a_channel_that_is_gone_takes_its_files(desk: Desk) -> None:
    """With every message in it."""
    said = await desk.said("Here.")
    await desk.file(said, b"zqsecret7")
    discord_edits = DiscordEdits(desk.database, desk.here.app.archivist)
    await discord_edits.place_gone(ANN.space_id, ChannelId(10), desk.here.clock())
    assert {} == await traces(desk.database, "zqsecret7")


async def test_who_erases_themselves_erases_their_files(desk: Desk) -> None:
    """Theirs, and nobody else's."""
    hers, his = await desk.said("Here."), await desk.said("Mine.", BOB)
    await desk.file(hers, b"zqhers7")
    await desk.file(his, b"zqhis7", by=BOB)
    own = desk.here.app.personal_data
    await own.erase(ANN.person_id, now=desk.here.clock.forward(seconds=1))
    assert ["zqhis7"] == await desk.texts()


async def test_who_asks_for_their_own_gets_their_files(desk: Desk) -> None:
    """The number is told and every text handed over, a page of them at a time; none of others, nor what is hidden."""
    for number in range(12):
        said = await desk.said(f"Here is {number}.")
        await desk.file(said, f"text {number}".encode(), f"file {number}.md")
    hidden = await desk.said("Not this.")
    await desk.file(hidden, b"hidden")
    await desk.fetch("UPDATE message SET hidden_at = $2 WHERE message_id = $1 RETURNING 1", hidden, desk.here.clock())
    await desk.file(await desk.said("Mine.", BOB), b"zqhis7", by=BOB)
    own = desk.here.app.personal_data
    lines = [
        line async for line in own.exported(ANN.person_id, {}, now=desk.here.clock()) if line["kind"] == "attachment"
    ]
    assert [(f"file {n}.md", f"text {n}", "text") for n in range(12)] == [
        (line["name"], line["text"], line["state"]) for line in lines
    ]
    assert {1: 12} == (await own.overview(ANN.person_id, {}, now=desk.here.clock())).files


async def test_what_an_edit_takes_out_is_erased(desk: Desk) -> None:
    """The files a message still has stay."""
    said = await desk.said("Here.")
    await desk.file(said, b"stays", attachment_id=1)
    await desk.file(said, b"goes", attachment_id=2)
    async with desk.here.app.database.connection() as connection:
        left = await attachments.keep_only_in(connection, ANN.space_id, said, [1])
        again = await attachments.keep_only_in(connection, ANN.space_id, said, [1])
    assert (["stays"], (["goes"], ["stays"]), ([], [])) == (await desk.texts(), left, again)


async def test_another_language_is_searched_at_once(desk: Desk) -> None:
    """Who changes the language of a space finds files by its words."""
    said = await desk.said("Hier.")
    await desk.file(said, "Die Häuser wurden gestrichen.".encode())
    query = "SELECT search @@ any_word('german', 'Haus') FROM attachment"
    before = await desk.fetch(query)
    await desk.here.run("!settings language german")
    assert ([(False,)], [(True,)]) == (before, await desk.fetch(query))


async def test_a_question_waits_for_the_files_that_come_with_it_but_not_for_long(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Until they are there, or its patience is over; not at all where none is being fetched."""
    key = (ANN.space_id, MessageId(5))
    await desk.kept.arrived(*key)
    over = desk.kept.arrive(*key)
    waiting = asyncio.create_task(desk.kept.arrived(*key))
    await asyncio.sleep(0)
    assert not waiting.done()
    over()
    await waiting
    monkeypatch.setattr(attachments, "ARRIVING", attachments.ARRIVING / 1000)
    desk.kept.arrive(*key)
    await desk.kept.arrived(*key)
