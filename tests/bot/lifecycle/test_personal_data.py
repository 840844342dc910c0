"""The laws of what is one person's: seen, taken along and erased."""

import contextlib
import itertools
import json
from collections.abc import AsyncGenerator, Generator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bot import errors
from bot.arguments import Arguments
from bot.commands import mydata
from bot.commands.invocation import Invocation, Reach
from bot.commands.mydata import MyData
from bot.db import statements
from bot.db.pool import Database
from bot.domain import (
    ROOMS,
    TERMINAL_CHANNEL,
    TERMINAL_PERSON,
    TERMINAL_SPACE,
    Actor,
    Caller,
    ChannelId,
    Fact,
    MessageId,
    PersonId,
    Reply,
    Source,
    SpaceId,
)
from bot.lifecycle import discord_edits, personal_data, space_erasure
from bot.lifecycle.discord_edits import Deleted, DiscordEdits
from bot.lifecycle.personal_data import PersonalData
from bot.lifecycle.space_erasure import Receipt, SpaceErasure
from bot.store import sessions, standing_replies
from bot.store.archivist import Author
from bot.store.rooms import Rooms
from tests import people
from tests.bot.lifecycle.mortal_database import MortalDatabase
from tests.bot.lifecycle.test_discord_edits import LONG, traces
from tests.conftest import Clock
from tests.conversations import Room, room
from tests.rows import rows

ANN, BOB = people.caller(admin=True), people.caller("Bob", person=8)
ELSEWHERE = people.caller("Annie", space=2, channel=20, admin=True)
HIDDEN = people.caller("Annie", space=2, channel=21, admin=True)
DIRECT = replace(people.caller(space=33, channel=33, admin=True), is_direct=True)
READABLE = {SpaceId(1): [ChannelId(10)], SpaceId(2): [ChannelId(20)]}
HER = PersonId(7)
_numbers = itertools.count(1)


class KilledError(Exception):
    """The process is gone."""


MANY = """
INSERT INTO memory (space_id, memory_id, tier, room, topic, content, importance, importance_set, source, tags,
                    author_id, subject_id, channel_id, content_hash, created_at, said_at, reinforced_at, last_used_at,
                    search)
SELECT 1, 1000 + n, 'long', 'general', 'heron', 'heron', 5, 5, 'user', '{}',
       CASE WHEN n % 7 IN (0, 2) THEN 7 ELSE 8 END, CASE WHEN n % 7 IN (1, 2) THEN 7 END, 10,
       decode(md5(n::text), 'hex'), now(), now(), now(), now(), ''
FROM generate_series(1, 700) AS n
RETURNING 1"""
"""By Ann, about her, or both, and others' between."""
IN_BATCHES = ("chunk.of_person", "chunk.erase", "personal_data.leave_sessions", "standing_reply.asked")


@dataclass
class Desk:
    """A community of two spaces, with direct messages, and what Ann has in it."""

    here: Room
    database: Database
    own: PersonalData

    async def fetch(self, query: Any, *args: object) -> list[Any]:
        return await rows(self.database, query, *args)

    async def said(self, text: str, by: Caller = ANN) -> MessageId:
        await self.here.say(text, by)
        ((found,),) = await self.fetch(
            "SELECT max(message_id) FROM message WHERE content = $1 AND role = 'person'", text
        )
        return found

    async def keep(self, text: str, *evidence: int, by: Caller = ANN) -> None:
        fact = Fact(
            content=text,
            topic="things",
            importance=6,
            source=Source.USER,
            author_id=by.person_id,
            author=by.name,
            evidence=tuple(map(MessageId, evidence)),
        )
        author = Author(actor=Actor.PERSON, person_id=by.person_id, reason="remember")
        await self.here.app.archivist.save(by.space_id, by.channel_id, [fact], author, now=self.here.clock())

    async def erase(self) -> Receipt:
        return await self.own.erase(HER, now=self.here.clock.forward(seconds=1))

    async def traces(self, word: str) -> dict[str, int]:
        return await traces(self.database, word)

    async def lines(self) -> list[dict[str, Any]]:
        return [line async for line in self.own.exported(HER, READABLE, now=self.here.clock())]


def invoked(form: str, reach: Reach) -> Invocation:
    """Her `!mydata` with that form, where so much may be shown."""

    async def reaches(_: Caller) -> Reach:
        return reach

    async def announce(_: Reply) -> None:
        raise AssertionError

    args = Arguments(text="", lead=None, named={}, bare=frozenset(), form=form)
    return Invocation(caller=ANN, args=args, announce=announce, reach=reaches)


@pytest.fixture
async def desk(database: Database, clock: Clock) -> AsyncGenerator[Desk]:
    async with room(database, clock, who=ANN) as here:
        for who in (BOB, ELSEWHERE, HIDDEN, DIRECT):
            await here.app.enter(who, channel_name="another", mode="all")
        yield Desk(here, database, here.app.personal_data)


async def lived(desk: Desk) -> None:
    """Ann said, asked and heard things with the word in them, in every place there is."""
    for who in (ANN, ELSEWHERE, HIDDEN, DIRECT):
        await desk.said("We decided to use zqann7.", who)
        await desk.here.run("!reset", who)
        await desk.said("Remember that the vault is zqann7.", who)
        await desk.here.run("!remember the safe is zqann7 tags:zqann7", who)
        await desk.here.say("What did we decide to use?", BOB if who is ANN else who)
    await desk.here.app.background.settled(20)


async def test_a_person_sees_how_much_there_is_of_them_and_their_newest_words(desk: Desk) -> None:
    """Own messages are counted wherever they stand, memories where they can read, Bob's not at all."""
    await lived(desk)
    found = await desk.own.overview(HER, READABLE, now=desk.here.clock())
    assert ({1: 2, 2: 6, 33: 3}, {1: 3, 2: 3, 33: 3}) == (found.messages, found.memories)
    newest = [(said.space_id, said.text) for said in found.newest][:2]
    assert [(33, "What did we decide to use?"), (33, "Remember that the vault is zqann7.")] == newest


async def test_an_export_is_complete_and_holds_nothing_of_others(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """Page by page: who they are, their names, every message, and the memories of channels they can read."""
    monkeypatch.setattr(personal_data, "PAGE", 2)
    await lived(desk)
    await desk.said("Bob's own zqbob7.", BOB)
    lines = await desk.lines()
    kinds = [(line["kind"], line.get("space")) for line in lines]
    counted = {kind: kinds.count(kind) for kind in dict.fromkeys(kinds)}
    expected = {("person", None): 1} | {
        (kind, space): count
        for space, counts in ((1, (1, 2, 3)), (2, (1, 6, 3)), (33, (1, 6, 3)))
        for kind, count in zip(("name", "message", "memory"), counts, strict=True)
    }
    assert expected == counted
    keys = [(line["kind"], line["space"], line["id"]) for line in lines if "id" in line]
    assert (len(keys), {20}) == (
        len(set(keys)),
        {x["channel"] for x in lines if (x["kind"], x.get("space")) == ("memory", 2)},
    )
    assert "zqbob7" not in json.dumps(lines)


async def test_what_others_said_about_a_person_is_shown_and_stays(desk: Desk) -> None:
    """Counted and exported from channels they can read; what they said about others is by them, not about them.

    Erasing takes what they made; what another made stays the other's.
    """
    await desk.keep("Ann is allergic to nuts.", by=BOB)
    await desk.keep("Annie is allergic to figs.", by=replace(HIDDEN, person_id=BOB.person_id, name="Bob"))
    await desk.keep("Bob sings.")
    await desk.keep("I dance.")
    found = await desk.own.overview(HER, READABLE, now=desk.here.clock())
    assert ({1: 2, 2: 0}, {1: 1, 2: 0}) == tuple(
        {s: x[s] for s in x if s < 3} for x in (found.memories, found.by_others)
    )
    told = [(x["text"], x["by_you"], x["about"]) for x in await desk.lines() if x["kind"] == "memory"]
    assert [
        ("Ann is allergic to nuts.", False, "you"),
        ("Bob sings.", True, "somebody else"),
        ("I dance.", True, "you"),
    ] == told
    seen = await MyData(desk.own, desk.here.clock).mydata(
        invoked("see", Reach(readable=READABLE, names={SpaceId(1): "one"}, is_alone=True))
    )
    assert "one: 0 messages, 2 memories, 1 memory about you by others" in seen.text.splitlines()
    await desk.erase()
    assert [("Ann is allergic to nuts.",), ("Annie is allergic to figs.",)] == await desk.fetch(
        "SELECT content FROM memory ORDER BY space_id"
    )


async def test_what_is_by_them_and_about_them_is_exported_once_in_its_order(desk: Desk) -> None:
    """However many pages that is, and whoever else's stands between."""
    await desk.fetch(MANY)
    told = [line["id"] for line in await desk.lines() if line["kind"] == "memory"]
    assert told == [number for number in range(1001, 1701) if (number - 1000) % 7 < 3]


async def test_of_direct_messages_both_sides_are_exported(desk: Desk) -> None:
    """What Hathi said to a person alone is theirs too."""
    await desk.said("Hello there, my friend.", DIRECT)
    assert ["person", "hathi"] == [line["role"] for line in await desk.lines() if line["kind"] == "message"]


async def test_erasing_takes_every_word_of_theirs_out_of_every_table(desk: Desk) -> None:
    """Then and after the next summaries, in every space, readable or not; what stays is Bob's."""
    await lived(desk)
    await desk.said("The attic is dry, says Bob.", BOB)
    await desk.erase()
    desk.here.clock.forward(seconds=5)
    now = await desk.traces("zqann7")
    await desk.here.app.schedule.upkeep()
    assert ({}, {}) == (now, await desk.traces("zqann7"))
    names = [name for (name,) in await desk.fetch("SELECT name FROM member ORDER BY name")]
    rest = await desk.fetch("SELECT content FROM message WHERE author_id IS NOT NULL ORDER BY message_id")
    assert (["Bob"], ["What did we decide to use?", "The attic is dry, says Bob."]) == (
        names,
        [text for (text,) in rest],
    )
    columns = (("memory_event", "actor_id"), ("turn", "asker_id"), ("session", "closed_by"), ("memory", "author_id"))
    acted = [row for table, column in columns for row in await desk.fetch(f"SELECT 1 FROM {table} WHERE {column} = 7")]
    assert [] == acted


async def test_a_receipt_counts_what_went(desk: Desk) -> None:
    """What was promised before is what is told after; a second time there is nothing."""
    await desk.said("Remember that the vault is red.")
    await desk.here.run("!remember the safe is blue")
    await desk.said("Hello there, my friend.", ELSEWHERE)
    would = await desk.own.erasable(HER)
    done = await desk.erase()
    again = await desk.erase()
    expected = Receipt(messages=2, replies=2, memories=2, turns=2, names=3)
    assert (expected, expected, Receipt()) == (would, done, again)


async def is_read(desk: Desk, word: str) -> bool:
    """Whether anything that is told to Bob or Ann, who name the word, has it in what was kept."""
    app, ways = desk.here.app, ("!recall {}", "!recall {} strategy:keywords", "!memories")
    texts = [await desk.here.run(way.format(word)) for way in ways]
    texts.append(str(await app.librarian.active(BOB, word, app.settings.memory.active)))
    texts += [str(await Rooms(desk.database).memories(BOB, room, None, page=1, size=9)) for room in ROOMS]
    return any(f"{word}'" in text or f"{word} " in text or f"{word}." in text for text in texts)


async def test_what_is_told_before_is_counted_only_so_far(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever has more than that is told so, of a server as of a person, and all of it goes."""
    for text in ("one", "two", "three"):
        await desk.said(f"Hello there, {text} of you.")
    for module in (personal_data, space_erasure, mydata):
        monkeypatch.setattr(module, "COUNTED", 2)
    told = [await desk.here.run(line) for line in ("!mydata erase", "!memory erase")]
    reach = Reach(readable=READABLE, names={SpaceId(1): "one"}, is_alone=True)
    seen = (await MyData(desk.own, desk.here.clock).mydata(invoked("see", reach))).text
    assert (2, True) == ((would := await desk.own.erasable(HER)).messages, would.is_least)
    assert [True] * 3 == ["at least 2 messages" in text for text in (*told, seen)]
    assert (3, False) == ((done := await desk.erase()).messages, done.is_least)


async def test_nothing_of_theirs_is_read_from_the_moment_an_erasure_begins(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However long it takes and whoever is killed in it; of others all is, and of hers again what she says after it."""
    await lived(desk)
    await desk.here.run("!remember Bob's key is zqbob9", BOB)
    await desk.said("The cellar has zqbob9.", BOB)
    before = [await is_read(desk, word) for word in ("zqann7", "zqbob9")]
    with killed(monkeypatch, DiscordEdits, "retract"):
        await desk.erase()
    meanwhile = [await is_read(desk, word) for word in ("zqann7", "zqbob9")]
    there = await desk.fetch("SELECT 1 FROM memory WHERE author_id = 7 AND content LIKE '%zqann7%'")
    await desk.erase()
    await desk.here.run("!remember the safe is zqann7 again")
    assert ([True, True], [False, True], True) == (before, meanwhile, len(there) > 0)
    assert await is_read(desk, "zqann7")


async def test_nothing_of_a_server_is_read_from_the_moment_its_erasure_begins(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever is killed in it; what is said after that is, and stays."""
    await lived(desk)
    before = await is_read(desk, "zqann7")
    with monkeypatch.context() as patched:
        patched.setattr(space_erasure.Sql, "messages", "SELECT 1 / 0")
        with pytest.raises(Exception, match=r"."):
            await desk.here.run("!memory erase confirm")
    there = await desk.fetch("SELECT 1 FROM memory WHERE space_id = 1 AND content LIKE '%zqann7%'")
    meanwhile = await is_read(desk, "zqann7")
    await desk.here.run("!remember the attic is zqnew8 now")
    new = [await is_read(desk, "zqnew8"), "zqnew8" in await desk.here.run("!recall zqnew8")]
    assert (True, True, False, [True, True]) == (before, len(there) > 0, meanwhile, new)
    await desk.here.run("!memory erase confirm")
    assert [] == await desk.fetch("SELECT 1 FROM space WHERE emptying_at IS NOT NULL")


async def test_the_terminal_has_no_messages_on_discord(desk: Desk) -> None:
    """So its receipt tells of none, and nothing is noted; that of a server does."""
    terminal = people.caller(space=TERMINAL_SPACE, channel=TERMINAL_CHANNEL, person=TERMINAL_PERSON, admin=True)
    await desk.here.app.enter(terminal, channel_name="terminal", mode="all")
    told: list[str] = []
    for who in (terminal, ANN):
        await desk.said("Hello there, my friend.", who)
        told.append(await desk.here.run("!mydata erase confirm", who))
    assert [False, True] == ["1 message of mine on Discord" in text for text in told]
    assert [(1, 7)] == await desk.fetch("SELECT space_id, person_id FROM standing_reply")


async def test_asking_what_would_go_takes_nothing(desk: Desk) -> None:
    """Before it is confirmed every table is as it was."""
    await lived(desk)
    tables = ("message", "memory", "turn", "session", "member", "person", "tombstone", "chat_summary", "chunk")
    before = [await desk.fetch(f"TABLE {table}") for table in tables]
    await desk.own.erasable(HER)
    assert before == [await desk.fetch(f"TABLE {table}") for table in tables]


async def test_wishes_outlive_the_erasure(desk: Desk) -> None:
    """Who opted out and was told stays so, or they would be remembered and told again."""
    clock = desk.here.clock
    await desk.here.app.people.opt_out(HER, clock())
    await desk.here.app.people.tell([HER], clock())
    at = clock()
    await desk.erase()
    found = await desk.fetch("SELECT opted_out_at, told_at FROM person WHERE person_id = 7")
    assert [(at, at)] == found


async def test_what_somebody_else_said_first_stays_theirs(desk: Desk) -> None:
    """A memory of Bob's that Ann only said again keeps, without her message; one of hers is not handed to him."""
    one, two = await desk.said("The vault is red.", BOB), await desk.said("Yes, the vault is red.")
    three, four = await desk.said("The safe is blue."), await desk.said("Yes, the safe is blue.", BOB)
    await desk.keep("The vault is red.", one, by=BOB)
    await desk.keep("The vault is red.", two)
    await desk.keep("The safe is blue.", three)
    await desk.keep("The safe is blue.", four, by=BOB)
    would = await desk.own.erasable(HER)
    receipt = await desk.erase()
    left = await desk.fetch("SELECT content, evidence, author_id, author FROM memory")
    assert ([("The vault is red.", [one], 8, "Bob")], 1, 1) == (left, would.memories, receipt.memories)


async def test_what_she_wrote_of_bobs_words_goes_and_bobs_words_can_be_distilled(desk: Desk) -> None:
    """The tombstone of her memory does not silence the message of his that it rested on."""
    message = await desk.said("We decided to use Zig.", BOB)
    await desk.keep("Bob is in love with Zig.", message)
    await desk.erase()
    await desk.here.reset()
    assert [([message], 8)] == await desk.fetch("SELECT evidence, author_id FROM memory")


async def test_a_memory_in_both_names_goes(desk: Desk) -> None:
    """What both said is not told as said by the one who is left."""
    one, two = await desk.said("The vault is red."), await desk.said("And heavy.", BOB)
    async with desk.database.transaction() as connection:
        fact = Fact(
            content="The vault is red and heavy.",
            topic="vault",
            importance=5,
            source=Source.SUMMARY,
            evidence=(one, two),
            author="Ann and Bob",
        )
        author = Author(actor=Actor.SUMMARY, reason="session:1")
        await desk.here.app.archivist.save_in(
            connection, SpaceId(1), ChannelId(10), [fact], author, now=desk.here.clock()
        )
    await desk.erase()
    assert [] == await desk.fetch("SELECT author_id, author, evidence FROM memory")


async def test_of_direct_messages_an_empty_room_is_left(desk: Desk) -> None:
    """Nothing said, kept, summarised or buried is left there, and the next word is answered."""
    await lived(desk)
    await desk.erase()
    tables = ("message", "memory", "memory_event", "tombstone", "chat_summary", "chunk", "turn")
    left = {t: n for t in tables for (n,) in await desk.fetch(f"SELECT count(*) FROM {t} WHERE space_id = 33") if n}
    open_sessions = await desk.fetch("SELECT state FROM session WHERE space_id = 33")
    reply = await desk.here.say("Remember that the sky is blue.", DIRECT)
    assert ({}, [("open",)], True) == (left, open_sessions, "saved" in reply.text)


async def test_a_question_of_theirs_in_hand_is_told_of(desk: Desk) -> None:
    """Whoever answers it is to stop; it is never answered."""
    turn = desk.here.turn("How are you?")
    await desk.here.app.turns.record(turn)
    receipt = await desk.erase()
    assert ((turn.message.message_id,), []) == (receipt.in_progress, await desk.fetch("SELECT 1 FROM turn"))


async def test_what_is_said_after_it_began_is_not_part_of_it(desk: Desk) -> None:
    """Somebody who goes on talking is not chased."""
    await desk.said("Hello there, my friend.")
    at = desk.here.clock()
    desk.here.clock.forward(minutes=2)
    later = await desk.said("Hello again, my friend.")
    await desk.own.erase(HER, now=at)
    assert [(later,)] == await desk.fetch("SELECT message_id FROM message WHERE role = 'person'")


async def test_an_erasure_that_died_is_ended_by_the_next(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """Killed at any batch and asked for again, nothing of theirs is left in any table."""
    monkeypatch.setattr(discord_edits, "BATCH", 2)
    monkeypatch.setattr(personal_data, "BATCH", 2)
    await lived(desk)
    monkeypatch.setattr(space_erasure, "BATCH", 2)
    whole, part, batches = DiscordEdits.retract, SpaceErasure.batch, itertools.count(1)

    async def dies(self: DiscordEdits, *args: Any, **named: Any) -> Deleted:
        if next(batches) % 2 == 0:
            raise errors.DatabaseDown
        return await whole(self, *args, **named)

    async def dies_too(self: SpaceErasure, *args: Any) -> int:
        if next(batches) % 17 == 0:
            raise errors.DatabaseDown
        return await part(self, *args)

    monkeypatch.setattr(DiscordEdits, "retract", dies)
    monkeypatch.setattr(SpaceErasure, "batch", dies_too)
    deaths = 0
    for _ in range(40):
        try:
            await desk.erase()
        except errors.DatabaseDown:
            deaths += 1
        else:
            break
    assert (True, {}, []) == (
        deaths > 5,
        await desk.traces("zqann7"),
        await desk.fetch("SELECT 1 FROM member WHERE person_id = 7"),
    )


async def test_an_erasure_that_nobody_gives_again_is_ended_within_the_hour(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of a person and of a server: by the schedule, as it was begun; what is said since stays."""
    await lived(desk)
    with killed(monkeypatch, PersonalData, "_erase_words"):
        await desk.erase()
    with killed(monkeypatch, SpaceErasure, "_memories"):
        await SpaceErasure(desk.database, desk.here.app.archivist).empty(
            ELSEWHERE.space_id, now=desk.here.clock(), tombstones=False
        )
    told = await desk.here.run("!status", ELSEWHERE)
    assert "being erased, and read by nobody: " in told
    desk.here.clock.forward(minutes=5)
    since = await desk.said("Remember that the new gate is green.")
    await desk.here.app.schedule.finish_erasures()
    assert await desk.traces("zqann7")
    desk.here.clock.forward(hours=1)
    await desk.here.app.schedule.finish_erasures()
    assert {} == await desk.traces("zqann7")
    assert "being erased" not in await desk.here.run("!status", ELSEWHERE)
    assert [] == await desk.fetch("SELECT 1 FROM memory WHERE space_id = $1", ELSEWHERE.space_id)
    assert [(since,)] == await desk.fetch("SELECT unnest(evidence) FROM memory WHERE content LIKE '%new gate%'")
    assert [(0, 0)] == await desk.fetch(
        "SELECT (SELECT count(erasing_at) FROM person), (SELECT count(emptying_at) FROM space)"
    )


async def test_what_ledgers_and_sessions_have_of_somebody_goes_a_batch_at_a_time(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And what answered them is noted so; killed at any statement, whoever begins again goes on."""
    for batch in (sessions, "CHUNKS_AT_ONCE"), (personal_data, "TRACES"), (standing_replies, "PAGE"):
        monkeypatch.setattr(*batch, 2)
    for n in range(3):
        await desk.said(f"Remember that box {n} is full.")
    async with desk.database.connection() as connection:
        await connection.execute(LONG)
        await connection.execute("UPDATE session SET closed_by = 7 WHERE space_id = 1")
    answers = [key for (key,) in await desk.fetch("SELECT unnest(reply_ids) FROM turn WHERE asker_id = 7 ORDER BY 1")]
    mortal, archivist = MortalDatabase(desk.database), desk.here.app.archivist
    edits, erasure = DiscordEdits(mortal, archivist), SpaceErasure(mortal, archivist)
    own = PersonalData(mortal, archivist, edits, erasure)
    deaths = await mortal.outlived(lambda: own.erase(HER, now=desk.here.clock()))
    left = await desk.fetch("SELECT (SELECT count(*) FROM chunk), (SELECT count(closed_by) FROM session)")
    noted = [key for (key,) in await desk.fetch("SELECT message_id FROM standing_reply ORDER BY 1")]
    assert ([(0, 0)], answers, True) == (left, noted, deaths > 10)
    taken = {name: mortal.most[statements.named(name)] for name in IN_BATCHES}
    assert dict.fromkeys(IN_BATCHES, 2) == taken


@contextlib.contextmanager
def killed(monkeypatch: pytest.MonkeyPatch, owner: type, step: str) -> Generator[None]:
    """A process that dies as it comes to a step."""

    async def dies(*_: object, **__: object) -> None:
        raise KilledError

    with monkeypatch.context() as broken:
        broken.setattr(owner, step, dies)
        with contextlib.suppress(KilledError):
            yield


async def test_a_batch_that_dies_in_the_middle_takes_nothing(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """The messages of a batch and what rests on them go together."""
    await desk.said("Remember that the vault is red.")
    with monkeypatch.context() as broken:
        broken.setattr(discord_edits.Sql, "erase_messages", "SELECT 1 / 0")
        with pytest.raises(Exception, match=r"."):
            await desk.erase()
    counts = await desk.fetch("SELECT (SELECT count(*) FROM message), (SELECT count(*) FROM memory)")
    await desk.erase()
    assert ([(2, 1)], [(0, 0)]) == (
        counts,
        await desk.fetch("SELECT (SELECT count(*) FROM message), (SELECT count(*) FROM memory)"),
    )


async def test_nobody_else_reads_along(desk: Desk) -> None:
    """What is theirs is shown and handed over only where they are alone; what erasing takes is said anywhere."""
    mine = MyData(desk.own, desk.here.clock)
    crowd = Reach(readable=READABLE, names={}, is_alone=False)
    for form in ("see", "export"):
        with pytest.raises(errors.NotAllowed, match="direct message"):
            await mine.mydata(invoked(form, crowd))
    with pytest.raises(errors.NotAllowed):
        [line async for line in mine.lines(HER, crowd)]
    assert (await mine.mydata(invoked("erase", crowd))).text.startswith("This would erase")


async def test_the_command_shows_hands_over_and_erases(desk: Desk) -> None:
    """See names spaces and words; the export is one JSON object a line; confirmed, it is gone and there is nothing."""
    mine = MyData(desk.own, desk.here.clock)
    reach = Reach(readable=READABLE, names={SpaceId(1): "The Den"}, is_alone=True)
    await desk.said("Remember that the vault is red.")
    see = await mine.mydata(invoked("see", reach))
    assert see.text.splitlines()[1:4] == [
        "The Den: 1 message, 1 memory",
        "Your newest messages:",
        "  2026-03-02 12:00 UTC · Remember that the vault is red.",
    ]
    export = await mine.mydata(invoked("export", reach))
    assert export.lines is not None
    lines = [json.loads(line) async for line in export.lines]
    assert ["person", "name", "message", "memory", "name", "name"] == [line["kind"] for line in lines]
    told = await mine.mydata(invoked("erase", reach))
    done = await mine.mydata(invoked("erase confirm", reach))
    after = [(await mine.mydata(invoked(form, reach))).text for form in ("see", "erase")]
    assert [True] * 2 == ["nothing of yours" in text for text in after]
    assert ("1 message, 1 memory, 3 names; with my replies" in told.text, True) == (
        True,
        done.text.startswith("Erased for good: 1 message, 1 reply of mine, 1 memory"),
    )


async def test_who_was_never_met_has_nothing(desk: Desk) -> None:
    """A stranger's data is empty, and erasing it is nothing."""
    stranger = PersonId(99)
    lines = [line["kind"] async for line in desk.own.exported(stranger, READABLE, now=desk.here.clock())]
    erased = await desk.own.erase(stranger, now=desk.here.clock())
    assert (["person"], Receipt(), {}) == (
        lines,
        erased,
        (await desk.own.overview(stranger, READABLE, now=desk.here.clock())).messages,
    )


STEPS = st.lists(
    st.tuples(st.sampled_from(["say", "remember", "decide", "ask", "command", "reset"]), st.booleans()),
    min_size=2,
    max_size=8,
)


@settings(max_examples=15, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(steps=STEPS)
async def test_no_row_tells_what_was_erased(database: Database, steps: Sequence[tuple[str, bool]]) -> None:
    """After any history no column of any table holds her word, then or later, and all Bob said stays."""
    number = next(_numbers)
    clock, space, word, other = Clock(), 500 + number, f"zqann{number}q", f"zqbob{number}q"
    ann = people.caller(space=space, person=1000 + number, admin=True)
    bob = people.caller("Bob", space=space, person=2000 + number)
    said = {
        "say": "The {} stands in the hall.",
        "remember": "Remember that the vault is {}.",
        "decide": "We decided to use {}.",
        "ask": "What did we decide to use?",
    }
    async with room(database, clock, who=ann) as here:
        await here.app.enter(bob, channel_name="general", mode="all")
        for kind, is_hers in steps:
            who, what = (ann, word) if is_hers else (bob, other)
            if kind == "reset":
                await here.reset()
            elif kind == "command":
                await here.run(f"!remember the safe is {what}", who)
            else:
                await here.say(said[kind].format(what), who)
        own = here.app.personal_data
        query: Any = "SELECT content FROM message WHERE space_id = $1 AND author_id = $2 ORDER BY message_id"
        async with database.connection() as connection:
            before = await connection.fetch(query, space, bob.person_id)
        await own.erase(ann.person_id, now=clock.forward(seconds=1))
        now = await traces(database, word)
        clock.forward(seconds=5)
        await here.app.schedule.upkeep()
        async with database.connection() as connection:
            after = await connection.fetch(query, space, bob.person_id)
    assert ({}, {}, before) == (now, await traces(database, word), after)
