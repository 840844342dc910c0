"""The laws of stored artifacts: where a question points to is looked at, and only what may be seen there is found."""

from collections.abc import AsyncGenerator
from dataclasses import dataclass, replace
from typing import Any

import pytest

from bot.db.pool import Database
from bot.domain import Caller, ChannelId, Layer, MessageId, SentFile
from bot.layers.stored_artifacts import OWN_ANSWER, StoredArtifacts
from bot.layers.walk import Finding, WalkQuestion
from bot.recall.file_search import AttachmentSearch
from bot.store.files.attachments import AttachedFile, Attachments
from bot.store.people import People
from bot.store.turn_trails import TurnTrails
from tests import people
from tests.conftest import Clock
from tests.conversations import Room, room

SPACE = 111111111111111111
ANN = people.caller(space=SPACE, admin=True, sees=(10, 11))
BOB = people.caller("Bob", space=SPACE, person=8)
SECRET = people.caller(space=SPACE, channel=12, sees=(10, 11, 12))
ELSEWHERE = people.caller(space=222222222222222222, channel=20)
THREAD = replace(people.caller("Bob", space=SPACE, channel=13, person=8), origin=ChannelId(10))


@dataclass
class Desk:
    """Channels, what was said in them, and the layer that looks."""

    here: Room
    database: Database
    kept: Attachments
    stored: StoredArtifacts

    async def said(self, text: str, by: Caller = BOB, *files: tuple[str, str]) -> MessageId:
        message = people.said(by, text, self.here.clock.forward(seconds=1))
        await self.here.app.turns.overhear(message, language="english")
        for number, (name, content) in enumerate(files, 1):
            came = AttachedFile(
                attachment_id=message.message_id + number, name=name, content_type=None, size=9, data=content.encode()
            )
            await self.kept.save(
                by.space_id, message.message_id, came, await self.kept.read(came), now=self.here.clock()
            )
        return message.message_id

    async def asks(self, text: str, by: Caller = ANN, **more: Any) -> Finding:
        """What is found on a question."""
        question = replace(people.said(by, text, self.here.clock.forward(seconds=1)), **more)
        return await self.stored.look(WalkQuestion(caller=by, question=question, session_id=None))


@pytest.fixture
async def desk(database: Database, clock: Clock) -> AsyncGenerator[Desk]:
    async with room(database, clock, who=ANN) as here:
        for who in (BOB, SECRET, ELSEWHERE, THREAD):
            await here.app.enter(who, channel_name="another", mode="all")
        kept = Attachments(database)
        search, trails = AttachmentSearch(database), TurnTrails(database)
        yield Desk(here, database, kept, StoredArtifacts(here.app.librarian, kept, search, trails))


def link(key: int, space: int = SPACE, channel: int = 10) -> str:
    return f"https://discord.com/channels/{space}/{channel}/{key}"


def told(finding: Finding) -> list[tuple[str, str, str]]:
    return [(one.label, one.title, one.content) for one in finding.evidence]


async def test_a_message_is_found_by_its_link_or_its_id(desk: Desk) -> None:
    """Word by word, with who said it, when and where."""
    key = await desk.said("The vault is red.\n\nAnd dry.")
    for text in (f"What did {link(key)} mean?", f"And {key}?"):
        (found,) = (await desk.asks(text)).evidence
        assert ("M1", Layer.ARTIFACTS, "The vault is red.\n\nAnd dry.", "Bob", (10, key), 1.0) == (
            found.label,
            found.layer,
            found.content,
            found.author,
            found.message,
            found.score,
        )


async def test_the_message_a_question_replies_to_is_found(desk: Desk) -> None:
    """After those it links to, each once; the question itself is none."""
    first, second = await desk.said("The vault is red."), await desk.said("The cellar is damp.")
    asked = await desk.asks(f"Is {link(second)} older than {second}?", reply_to=first)
    assert [("M1", "", "The cellar is damp."), ("M2", "", "The vault is red.")] == told(asked)
    assert 2 == asked.looked
    itself = people.said(ANN, "x", desk.here.clock()).message_id
    assert () == (await desk.asks(f"What is {itself}?", message_id=itself)).evidence


async def test_a_message_of_a_thread_stands_in_the_thread(desk: Desk) -> None:
    """Seen by the readers of its channel, and found where it was said."""
    key = await desk.said("The vault is red.", THREAD)
    (found,) = (await desk.asks(link(key, channel=13))).evidence
    assert (13, key) == found.message


async def test_what_may_not_be_seen_is_as_if_it_had_never_been(desk: Desk) -> None:
    """Of another space, of a private channel, hidden or deleted: the answer is that of an id nobody ever used."""
    secret = await desk.said("The vault is red.", SECRET, ("plan.md", "The vault is red."))
    elsewhere = await desk.said("The vault is red.", ELSEWHERE, ("plan.md", "The vault is red."))
    hidden = await desk.said("The vault is red.", BOB, ("plan.md", "The vault is red."))
    async with desk.database.connection() as connection:
        await connection.execute("UPDATE message SET hidden_at = $2 WHERE message_id = $1", hidden, desk.here.clock())
    never = await desk.asks(f"What of {link(5)}, and 123456789012345678?")
    for key, space in ((secret, SPACE), (elsewhere, ELSEWHERE.space_id), (elsewhere, SPACE), (hidden, SPACE)):
        assert never == await desk.asks(f"What of {link(key, space)}, and {key}?")
        assert never == await desk.asks("What of it?", reply_to=key)
    assert () == never.evidence


async def test_of_direct_messages_nothing_of_a_server_is_found(desk: Desk) -> None:
    """And their own links lead to their own."""
    direct = replace(people.caller(space=333333333333333333, channel=333333333333333333), is_direct=True)
    await desk.here.app.enter(direct, channel_name="direct", mode="all")
    key, other = await desk.said("The vault is red.", direct), await desk.said("The cellar is damp.")
    mine = f"https://discord.com/channels/@me/333333333333333333/{key}"
    asked = await desk.asks(f"What of {mine} and {link(other)} and {other}?", direct)
    assert [("M1", "", "The vault is red.")] == told(asked)


async def test_an_answer_of_hathi_is_quoted_as_such(desk: Desk) -> None:
    """By any of the messages it was sent as; not what was said to somebody who opted out since."""
    said = await desk.here.say("Remember that the vault is red.", BOB)
    async with desk.database.connection() as connection:
        key = await connection.fetchval("SELECT message_id FROM message WHERE role = 'hathi'")
        await connection.execute("UPDATE turn SET reply_ids = ARRAY[$1::bigint, $2::bigint]", key, key + 1)
    for text in (link(key), link(key + 1)):
        asked = await desk.asks(text)
        assert [("M1", OWN_ANSWER, said.text)] == told(asked)
        assert [("Hathi", (10, key))] == [(one.author, one.message) for one in asked.evidence]
    await People(desk.database).opt_out(BOB.person_id, now=desk.here.clock())
    assert [(), ()] == [(await desk.asks(link(each))).evidence for each in (key, key + 1)]


async def test_of_an_answer_that_is_replied_to_what_it_cites_is_found(desk: Desk) -> None:
    """A memory, or a message; never what Hathi said itself, nor what was forgotten since."""
    await desk.here.say("Remember that the vault is red.", BOB)
    said = await desk.said("The cellar is damp since May.")

    async def found(question: str) -> Finding:
        answer = await desk.here.say(question)
        assert "red" in answer.text or "damp" in answer.text
        async with desk.database.connection() as connection:
            key = await connection.fetchval("SELECT max(message_id) FROM message WHERE role = 'hathi'")
        return await desk.asks("And who said so?", reply_to=key)

    assert [("#1", "", "the vault is red.")] == told(await found("What colour is the vault?"))
    cited = await found("Since when is the cellar damp?")
    assert [("M1", "", "The cellar is damp since May.")] == told(cited)
    assert [(10, said)] == [one.message for one in cited.evidence]
    await desk.here.run("!forget 1", BOB)
    async with desk.database.connection() as connection:
        key = await connection.fetchval("SELECT min(message_id) FROM message WHERE role = 'hathi'")
    assert () == (await desk.asks("And who said so?", reply_to=key)).evidence


async def test_a_message_that_is_pointed_to_is_left_to_its_files(desk: Desk) -> None:
    """With what they say of the question, else their beginning; one that brought none is told itself."""
    key = await desk.said("Here it is.", BOB, ("plan.md", "Nothing much."), ("vault.md", "First.\nThe vault is red."))
    asked = await desk.asks("What colour is the vault?", reply_to=key)
    assert [
        ("A1", "plan.md, attached to a message", "Nothing much."),
        ("A2", "vault.md, attached to a message", "First.\nThe vault is red."),
    ] == told(asked)
    assert [(10, key)] * 2 == [one.message for one in asked.evidence]
    other = await desk.said("The cellar is damp.")
    both = await desk.asks(f"What colour is the vault, by {key} and {other}?")
    assert ["M1", "A1", "A2"] == [one.label for one in both.evidence]


@pytest.mark.parametrize(
    ("text", "layers", "is_sure"),
    [
        ("Nothing much.", (), False),
        ("Red is the colour of the vault.", (), True),
        ("Nothing much.", (Layer.ARTIFACTS,), True),
    ],
)
async def test_a_file_beside_a_question_may_have_nothing_to_do_with_it(
    desk: Desk, text: str, layers: tuple[Layer, ...], *, is_sure: bool
) -> None:
    """Where that does not speak of it, nor it of a file, it is told as what is not sure."""
    question = people.said(ANN, "What colour is the vault?", desk.here.clock())
    came = SentFile(name="plan.md", message=question, text=text)
    asked = WalkQuestion(caller=ANN, question=question, session_id=None, layers=layers, files=(came,))
    assert [(text, is_sure)] == [(one.content, one.is_sure) for one in (await desk.stored.look(asked)).evidence]


async def test_files_that_speak_of_the_question_are_found(desk: Desk) -> None:
    """At most three of them, best first; who brought each and when is told."""
    for number in range(5):
        await desk.said("Here.", BOB, (f"plan-{number}.md", "The vault was painted red."))
    best = await desk.said("Here.", BOB, ("best.md", "The gardener painted the vault red in spring."))
    asked = await desk.asks("Which gardener painted the vault red?")
    assert [
        "best.md, attached to a message",
        "plan-4.md, attached to a message",
        "plan-3.md, attached to a message",
    ] == [one.title for one in asked.evidence]
    assert ("A1", Layer.ARTIFACTS, "Bob", (10, best)) == (
        asked.evidence[0].label,
        asked.evidence[0].layer,
        asked.evidence[0].author,
        asked.evidence[0].message,
    )
    assert 6 == asked.looked


@pytest.mark.parametrize(
    ("question", "is_sure"), [("Who painted the vault?", True), ("What is the vault's humidity in August?", False)]
)
async def test_a_file_that_holds_little_of_a_question_only_comes_nearest(
    desk: Desk, question: str, is_sure: bool
) -> None:
    """One rare word makes it worth a look, and no answer."""
    await desk.said("Here.", BOB, ("plan.md", "Ann painted the vault red."))
    (one,) = (await desk.asks(question)).evidence
    assert one.is_sure == is_sure


async def test_nothing_is_found_where_nothing_speaks_of_it(desk: Desk) -> None:
    """And why tells no word that anybody wrote."""
    await desk.said("Here.", BOB, ("plan.md", "The vault was painted red."))
    asked = await desk.asks("When does the ferry leave?")
    assert ((), "messages it points to: 0; files that speak of it: 0 of 0", "") == (
        asked.evidence,
        asked.why,
        asked.failed,
    )


async def test_the_name_of_a_file_is_one_line_however_it_was_called(desk: Desk) -> None:
    """It is a person's text in a title."""
    key = await desk.said("Here.", BOB, ("a\nb\u202e " + "x" * 300 + ".md", "The vault."))
    (found,) = (await desk.asks("The vault?", reply_to=key)).evidence
    assert found.title.startswith("a b xxx")
    assert len(found.title) < 110


async def test_the_files_of_a_question_are_waited_for(desk: Desk) -> None:
    """Who asks about what they have just sent is answered from it."""
    key = await desk.said("What colour is the vault painted?")
    over = desk.kept.arrive(ANN.space_id, key)
    desk.here.app.background.spawn(_late(desk, key, over))
    asked = await desk.asks("What colour is the vault painted?", message_id=key)
    assert [("A1", "late.md, attached to a message", "The vault is painted red.")] == told(asked)


async def _late(desk: Desk, key: MessageId, over: Any) -> None:
    came = AttachedFile(attachment_id=9, name="late.md", content_type=None, size=9, data=b"The vault is painted red.")
    await desk.kept.save(ANN.space_id, key, came, await desk.kept.read(came), now=desk.here.clock())
    over()
