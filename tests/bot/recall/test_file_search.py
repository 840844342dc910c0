"""The laws of searching files: what answers a question is shown in its best passage, to those who may see it."""

from collections.abc import AsyncGenerator
from dataclasses import dataclass, replace
from typing import Any

import asyncpg
import pytest

from bot.db import statements
from bot.db.pool import Database
from bot.domain import Caller, Message, MessageId
from bot.recall.file_search import AttachmentSearch, FoundFile
from bot.store.files.attachments import AttachedFile, Attachments
from bot.store.people import People
from tests import people
from tests.conftest import Clock
from tests.conversations import Room, room

ANN = people.caller(admin=True, sees=(10, 11))
BOB = people.caller("Bob", person=8)
ELSEWHERE = people.caller("Ann", space=2, channel=20)
SECRET = people.caller("Ann", channel=12, sees=(10, 11, 12))


@dataclass
class Desk:
    """Channels, the files in them, and who asks."""

    here: Room
    database: Database
    kept: Attachments
    found: AttachmentSearch

    async def file(self, text: str, name: str = "notes.md", by: Caller = ANN, said: str = "Here.") -> MessageId:
        """A message with a file."""
        message = people.said(by, said, self.here.clock.forward(seconds=1))
        await self.here.app.turns.overhear(message, language=by.language)
        came = AttachedFile(
            attachment_id=message.message_id + 1, name=name, content_type=None, size=9, data=text.encode()
        )
        await self.kept.save(by.space_id, message.message_id, came, await self.kept.read(came), now=self.here.clock())
        return message.message_id

    def question(self, text: str, by: Caller = ANN) -> Message:
        return people.said(by, text, self.here.clock.forward(seconds=1))

    async def search(self, text: str, by: Caller = ANN, **more: Any) -> FoundFile:
        return await self.found.search(by, self.question(text, by), **more)

    async def names(self, text: str, by: Caller = ANN, **more: Any) -> list[str]:
        return [one.name for one in (await self.search(text, by, **more)).attachments]


@pytest.fixture
async def desk(database: Database, clock: Clock) -> AsyncGenerator[Desk]:
    async with room(database, clock, who=ANN) as here:
        for who in (BOB, ELSEWHERE, SECRET):
            await here.app.enter(who, channel_name="another", mode="all")
        yield Desk(here, database, Attachments(database), AttachmentSearch(database))


FILLER = "\n".join(f"Nothing much in paragraph {number}." for number in range(200))


async def test_two_telling_words_beside_each_other_answer(desk: Desk) -> None:
    """The passage they stand in is what is told, with who brought the file, when and where."""
    key = await desk.file(f"{FILLER}\n# Safety\nThe vaults were painted red in spring.\n{FILLER}")
    (found,) = (await desk.search("What colour did we paint the vault?")).attachments
    assert ("notes.md", key, 10, "Ann") == (found.name, found.message_id, found.place_id, found.author)
    assert ["# Safety", "The vaults were painted red in spring."] == found.passage.splitlines()[:2]
    assert len(found.passage) <= 602


async def test_words_far_from_each_other_do_not(desk: Desk) -> None:
    """A long text holds two words of any question."""
    for _ in range(4):
        await desk.file(f"The vault is here.\n{FILLER}\nWe paint on Sundays.")
    assert [] == await desk.names("What colour did we paint the vault?")


async def test_one_rare_word_is_enough_and_one_that_many_hold_is_not(desk: Desk) -> None:
    """At most three files and three messages hold a rare one; the question itself does not count."""
    for number in range(4):
        await desk.file(f"The vault is in cellar {number}.", f"cellar-{number}.md")
    await desk.file("The zeppelin has left.", "travel.md")
    assert ["travel.md"] == await desk.names("What about the zeppelin?")
    assert [] == await desk.names("What about the vault?")
    for number in range(4):
        said = people.said(BOB, f"I saw the zeppelin, {number}.", desk.here.clock.forward(seconds=1))
        await desk.here.app.turns.overhear(said, language="english")
    assert [] == await desk.names("What about the zeppelin?")


async def test_a_file_that_is_named_answers_whatever_it_holds(desk: Desk) -> None:
    """With its extension, or without where its name is two words; first of all that answer."""
    await desk.file("Nothing of the kind.\nSecond line.", "Travel Plan.md")
    await desk.file("The vault was painted red.", "other.md")
    assert ["Travel Plan.md", "other.md"] == await desk.names("Does the travel plan say when the vault was painted?")
    (found, *_) = (await desk.search("What is in Travel_Plan.md?")).attachments
    assert (1.0, "Nothing of the kind.\nSecond line.") == (found.score, found.passage)


async def test_words_that_speak_of_files_tell_nothing(desk: Desk) -> None:
    """Nor do those of asking: a question without any other is answered by no file."""
    await desk.file("This document has an attachment; the file is a PDF.")
    assert [] == await desk.names("What did the attached PDF document say about the file?")


async def test_the_best_comes_first_and_of_equals_the_newest(desk: Desk) -> None:
    """By what the passage holds of the question."""
    await desk.file("The vault was painted.", "old.md")
    await desk.file("The vault was painted red by the gardener.", "best.md")
    await desk.file("The vault was painted.", "new.md")
    assert ["best.md", "new.md", "old.md"] == await desk.names("Which gardener painted the vault red?")


async def test_only_what_may_be_seen_is_found(desk: Desk) -> None:
    """Nothing of a channel that not everyone here may see, and nothing of another space."""
    await desk.file("The vault was painted red.", "secret.md", SECRET)
    await desk.file("The vault was painted red.", "elsewhere.md", ELSEWHERE)
    question = "When was the vault painted red, says secret.md or elsewhere.md?"
    assert [] == await desk.names(question)
    assert ["secret.md"] == await desk.names(question, SECRET)
    assert ["elsewhere.md"] == await desk.names(question, ELSEWHERE)
    assert [] == await desk.names(question, replace(ANN, visible=()))


async def test_what_others_may_not_see_changes_nothing(desk: Desk) -> None:
    """How rare a word is, is told by what may be seen: else a private channel would show through."""
    await desk.file("The zeppelin has left.", "travel.md")
    before = await desk.search("What about the zeppelin?")
    for number in range(5):
        await desk.file("The zeppelin has left.", f"secret-{number}.md", SECRET, said="The zeppelin!")
    after = await desk.search("What about the zeppelin?")
    assert before == after


async def test_what_is_hidden_or_deleted_is_not_found(desk: Desk) -> None:
    """At once; what is brought back is found again."""
    key = await desk.file("The vault was painted red.")
    question = "When was the vault painted red?"
    async with desk.database.connection() as connection:
        await connection.execute("UPDATE message SET hidden_at = $2 WHERE message_id = $1", key, desk.here.clock())
        assert [] == await desk.names(question)
        await connection.execute("UPDATE message SET hidden_at = NULL WHERE message_id = $1", key)
        assert ["notes.md"] == await desk.names(question)
        await connection.execute("DELETE FROM message WHERE message_id = $1", key)
    assert [] == await desk.names(question)


async def test_nothing_of_who_opted_out_is_found(desk: Desk) -> None:
    """Though it stays theirs until they erase it."""
    key = await desk.file("The vault was painted red.", by=BOB)
    await People(desk.database).opt_out(BOB.person_id, now=desk.here.clock())
    assert [] == await desk.names("When was the vault painted red?")
    assert () == (await desk.found.of_messages(ANN, desk.question("vault"), [key])).attachments


async def test_what_is_no_answer_is_left_out_but_not_the_files_of_the_question(desk: Desk) -> None:
    """Who asks about a file and sends it along is answered from it."""
    key = await desk.file("The vault was painted red.", said="When was the vault painted red?")
    asked = replace(desk.question("When was the vault painted red?"), message_id=key)
    assert [] == await desk.names("When was the vault painted red?", apart_from=[key])
    found = await desk.found.search(ANN, asked, apart_from=[key])
    assert ["notes.md"] == [one.name for one in found.attachments]


async def test_files_of_a_message_are_told_by_what_they_say_of_a_question(desk: Desk) -> None:
    """Or by their beginning; whatever they say, as the message was pointed to."""
    key = await desk.file(f"Beginning.\n{FILLER}\nThe vault was painted red.")
    for text, begins in (("What of the vault?", False), ("What of the cellar?", True)):
        (found,) = (await desk.found.of_messages(ANN, desk.question(text), [key])).attachments
        assert (begins, not begins) == (found.passage.startswith("Beginning."), "painted red" in found.passage)
    secret = await desk.file("The vault.", by=SECRET)
    assert () == (await desk.found.of_messages(ANN, desk.question("vault"), [secret, MessageId(5)])).attachments


@pytest.mark.parametrize(
    ("language", "text", "question"),
    [
        ("german", "Die Häuser wurden im Frühling gestrichen.", "Wann wurde das Haus gestrichen?"),
        ("polish", "Kolorowe okna w starej kamienicy.", "kolorowych okien kamienica"),
        ("chinese", "我们明天去北京带上护照", "北京护照"),
        ("russian", "Красные книги лежат в подвале.", "красная книга подвал"),
    ],
)
async def test_words_are_found_in_other_languages(desk: Desk, language: str, text: str, question: str) -> None:
    """As recall finds them: by stems, by beginnings where there is no stemmer, by pairs of letters."""
    await desk.here.run(f"!settings language {language}")
    who = replace(ANN, language=language)
    await desk.file(text, by=who)
    (found,) = (await desk.search(question, who)).attachments
    assert text == found.passage


@pytest.mark.parametrize(("name", "index"), [("holding", "attachment_search"), ("named", "attachment_called")])
async def test_a_search_reads_the_index_and_not_the_files(database: Database, dsn: str, name: str, index: str) -> None:
    """Among a thousand files of a space, and others of other spaces, none is opened that does not hold the words."""
    async with database.connection() as connection:
        await connection.execute("""
            INSERT INTO message (space_id, message_id, channel_id, session_id, role, author, content, said_at, search)
            SELECT n % 3, n, 10, 1, 'person', 'Ann', 'Here.', '2026-03-02', '' FROM generate_series(1, 3000) AS n""")
        await connection.execute("""
            INSERT INTO attachment (space_id, message_id, attachment_id, channel_id, name, called, size, state, content,
                                    search, read_at)
            SELECT n % 3, n, n, 10, 'a', ARRAY['file ' || n], 1, 'text', 'x', to_tsvector('english', 'word' || n % 500),
                   '2026-03-02' FROM generate_series(1, 3000) AS n""")
    admin = await asyncpg.connect(dsn)
    try:
        await admin.execute("ANALYZE; SET plan_cache_mode = force_generic_plan")
        statement = statements.named(f"attachment.{name}")
        arguments = ", ".join(["NULL"] * len((await admin.prepare(statement)).get_parameters()))
        await admin.execute(f"PREPARE law AS {statement}")
        plan = "\n".join(row[0] for row in await admin.fetch(f"EXPLAIN EXECUTE law({arguments})"))
    finally:
        await admin.close()
    assert f"Bitmap Index Scan on {index}" in plan


TABLE = "plant,bed,soil,price\nleek,3,clay,4 euro\ntulip,7,sand,12 euro\nmint,3,sand,2 euro\n"


async def test_a_row_of_a_table_answers_for_itself(desk: Desk) -> None:
    """It is told with the heads of the columns, and so is every other row that has the same words."""
    await desk.file(TABLE, name="beds.csv")
    (found,) = (await desk.search("What is the price of the tulip?")).attachments
    assert ["plant,bed,soil,price", "tulip,7,sand,12 euro"] == found.passage.splitlines()
    (found,) = (await desk.search("Which plant has sand for soil?")).attachments
    assert ["tulip,7,sand,12 euro", "mint,3,sand,2 euro"] == found.passage.splitlines()[1:]


@pytest.mark.parametrize(
    "question", ["Who bought what plant for which bed at which price?", "Did Ann see the mint and the tulip bed?"]
)
async def test_words_of_its_heads_or_of_several_rows_answer_nothing(desk: Desk, question: str) -> None:
    """They stand together by chance: a table has two words of many a question."""
    for number in range(4):
        await desk.file(f"name,note\nAnn,{number}\nmint,1\ntulip,2\n", name=f"other{number}.csv")
    assert [] == [one for one in await desk.names(question) if one.startswith("other")]
    await desk.file(TABLE, name="beds.csv")
    assert not question.startswith("Who") or [] == await desk.names(question)
