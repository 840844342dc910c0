"""The laws of plain words in talk: kept, forgotten, listed, greeted; and of what Hathi says by rote."""

from dataclasses import replace

import pytest

from bot.commands import approvals, forgetting, hello
from bot.commands.remembering import MOST_LISTED
from bot.db.pool import Database
from bot.domain import Caller, ChannelId, MessageId, SpaceId
from bot.turn import request_answers
from bot.turn.offline import UNREACHABLE
from tests import people
from tests.conftest import Clock
from tests.conversations import RecordedReply, Room, roles, room
from tests.model_server import ModelServer, Reply, Status
from tests.rows import column

BOB = people.caller("Bob", person=8)
ADMIN = people.caller("Ann", admin=True)


async def memories(database: Database) -> list[str]:
    return await column(database, "SELECT content FROM memory WHERE forgotten_at IS NULL ORDER BY memory_id")


async def messages(database: Database) -> list[str]:
    return await column(
        database, "SELECT content FROM message WHERE role = 'person' AND hidden_at IS NULL ORDER BY message_id"
    )


async def with_bob(r: Room, *, admin: bool = False) -> Caller:
    """Somebody else in the same channel."""
    return await r.app.enter(replace(BOB, is_admin=admin), channel_name="general", mode="all")


async def as_anybody(r: Room) -> None:
    """Whoever is in the room may not manage it."""
    r.caller = replace(r.caller, is_admin=False)


# --- to remember ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("with_model", [False, True])
async def test_a_polite_request_is_kept_and_its_text_shown(database: Database, clock: Clock, with_model: bool) -> None:
    """With and without a model, which is not asked; a question that looks like one is a question."""
    async with (
        ModelServer(always=Reply(text="Let me see.")) as server,
        room(database, clock, models=roles(server.base_url if with_model else None)) as r,
    ):
        kept = await r.say("Could you remember that the boiler was serviced on 12 May?")
        assert server.requests == []
        asked = await r.say("Can you remember the name of the plumber?")
    assert kept.text == "[memory] saved: topic=boiler (imp=8) #1\n    the boiler was serviced on 12 May"
    assert "saved" not in asked.text
    assert await memories(database) == ["the boiler was serviced on 12 May"]


async def test_each_line_of_a_list_is_a_memory_of_its_own(database: Database, clock: Clock) -> None:
    """Filed under what stands above it; who forgets one of them finds it nowhere, and the others stay."""
    async with room(database, clock) as r:
        told = await r.say(
            "Please remember:\nHouse codes:\n- the gate is 2290\n- the shed is 7713\n- the cellar is 0404"
        )
        listed = await r.run("!memories House codes")
        await r.say("forget #2")
        gone, left = await r.say("what is the shed code?"), await r.say("what is the cellar code?")
    assert told.text.splitlines() == [
        "[memory] saved: 3 memories (imp=8)",
        "    #1 the gate is 2290",
        "    #2 the shed is 7713",
        "    #3 the cellar is 0404",
    ]
    assert listed.count("house codes") == 3
    assert "7713" not in gone.text
    assert "the cellar is 0404" in left.text
    assert await memories(database) == ["the gate is 2290", "the cellar is 0404"]


async def test_a_list_is_kept_whole_or_not_at_all(database: Database, clock: Clock) -> None:
    """At most fifty lines; more is told, and so is a line that can't be kept."""
    lines = [f"- the bin number {n} is green" for n in range(MOST_LISTED + 1)]
    async with room(database, clock) as r:
        most = await r.say("\n".join(["remember these:", *lines]))
        long = await r.say("\n".join(["remember these:", "- a short line", "- " + "word " * 1_000]))
        assert await memories(database) == []
        fits = await r.say("\n".join(["remember these:", *lines[1:]]))
    assert most.text.startswith(f"That is a list of {MOST_LISTED + 1}; I keep at most {MOST_LISTED} ")
    assert "holds at most" in long.text
    assert fits.text.startswith(f"[memory] saved: {MOST_LISTED} memories")
    assert len(await memories(database)) == MOST_LISTED


async def test_what_is_announced_and_missing_is_said(database: Database, clock: Clock) -> None:
    """Nothing is kept of a request that holds nothing, and what is missing is told."""
    async with room(database, clock) as r:
        told = await r.say("remember these:")
        await r.reset()
    assert told.text == request_answers.MISSING
    assert await memories(database) == []


async def test_a_reminder_is_kept_and_none_is_promised(database: Database, clock: Clock) -> None:
    """Hathi has no alarm clock, and says so under what was saved."""
    async with room(database, clock) as r:
        told = await r.say("remind me to call Mum on Friday")
        found = await r.say("who is to be called on Friday?")
    assert told.text == f"[memory] saved: topic=call mum (imp=8) #1\n    call Mum on Friday\n{request_answers.NO_ALARM}"
    assert "call Mum on Friday" in found.text


async def test_the_command_takes_a_list_too(database: Database, clock: Clock) -> None:
    """Two lines with bullets under a heading are two memories; lines of prose are one."""
    async with room(database, clock) as r:
        await r.run("!remember Birthdays:\n- Kim, 3 May\n- Bo, 9 June importance:5")
        await r.run("!remember The mill is old.\nIt has two wheels.")
        filed = await r.run("!memories birthdays")
    assert await memories(database) == ["Kim, 3 May", "Bo, 9 June", "The mill is old.\nIt has two wheels."]
    assert filed.count("birthdays") == 2


# --- to forget ------------------------------------------------------------------------------------------------------


async def test_one_thing_of_ones_own_goes_at_once_and_comes_back(database: Database, clock: Clock) -> None:
    """The memory that holds the words, whoever else's there are; undo brings it back."""
    async with room(database, clock) as r:
        await r.say("remember that I am allergic to peanuts")
        await r.say("remember that the gate is green")
        told = await r.say("Forget that I'm allergic to peanuts.")
        assert await memories(database) == ["the gate is green"]
        await r.run("!undo")
    assert told.text.startswith("[memory] forgotten: #1 I am allergic to peanuts\n")
    assert told.text.endswith(forgetting.UNDO.format(p="!"))
    assert await memories(database) == ["I am allergic to peanuts", "the gate is green"]


async def test_what_was_only_said_is_forgotten_too(database: Database, clock: Clock) -> None:
    """A statement no memory was made of: gone from answers at once, back by undo, and erased after ten minutes."""
    async with room(database, clock) as r:
        await r.say("My PIN is 4417")
        told = await r.say("please forget my PIN")
        gone = await r.say("what is my PIN?")
        back = await r.run("!undo")
        found = await r.say("what is my PIN?")
        await r.say("forget what I said about my PIN")
        clock.forward(minutes=11)
        await r.app.archivist.erase([r.caller.space_id], now=clock())
        kept = await column(database, "SELECT content FROM message")
        graves = await column(database, "SELECT evidence FROM tombstone")
    assert told.text.splitlines()[:2] == ["[memory] forgotten: what you said", "    “My PIN is 4417”"]
    assert "4417" not in gone.text
    assert back.splitlines() == ["[memory] back: what you said", "    “My PIN is 4417”"]
    assert "4417" in found.text
    assert not any("4417" in text for text in kept)
    assert [1] == [len(evidence) for evidence in graves]


async def test_a_request_to_forget_is_no_evidence_and_no_memory(database: Database, clock: Clock) -> None:
    """Nothing is kept of it, whatever it found: no reset distils it, and no question is answered with it."""
    async with room(database, clock) as r:
        nothing = await r.say("forget that I hate mushrooms")
        await r.say("Please forget my PIN.")
        answer = await r.say("what do I hate?")
        pin = await r.say("what is my PIN?")
        await r.reset()
    assert nothing.text == forgetting.NOTHING
    assert not any(word in said.text for said in (answer, pin) for word in ("mushrooms", "forget my"))
    assert await memories(database) == []
    assert not any("orget" in text for text in await messages(database))


@pytest.mark.parametrize(("answer", "left"), [("yes", []), ("no", ["the shed key is red", "the shed code is 12"])])
async def test_several_are_shown_and_asked_for_once(
    database: Database, clock: Clock, answer: str, left: list[str]
) -> None:
    """A plain word decides; anything said in between makes it no answer any more."""
    async with room(database, clock) as r:
        await r.say("remember the shed key is red")
        await r.say("remember that the shed code is 12")
        await r.say("forget the shed")
        await r.say("what a day")
        await r.say("yes")
        assert len(await memories(database)) == 2
        shown = await r.say("forget the shed")
        await r.say(answer)
    assert shown.text.startswith("Are these 2 to be forgotten?")
    assert ("the shed key is red" in shown.text, "the shed code is 12" in shown.text) == (True, True)
    assert await memories(database) == left


async def test_an_answer_counts_for_ten_minutes_and_for_whoever_was_asked(database: Database, clock: Clock) -> None:
    """Another's yes, and a late one, forgets nothing."""
    async with room(database, clock) as r:
        bob = await with_bob(r)
        for number in (1, 2):
            await r.say(f"remember that the kiln number {number} is hot")
        await r.say("forget the kiln")
        await r.say("yes", by=bob)
        clock.forward(minutes=11)
        await r.say("yes")
    assert len(await memories(database)) == 2


async def test_others_memories_take_the_right_and_a_yes(database: Database, clock: Clock) -> None:
    """Who may not manage the server is told so; who may is shown it first."""
    async with room(database, clock) as r:
        bob = await with_bob(r)
        await r.say("remember that the loft is dusty", by=bob)
        await as_anybody(r)
        refused = await r.say("forget that the loft is dusty")
        r.caller = replace(r.caller, is_admin=True)
        shown = await r.say("forget that the loft is dusty")
        assert await memories(database) == ["the loft is dusty"]
        await r.say("yes")
    assert "needs the permission Manage Server" in refused.text
    assert shown.text.startswith("Is this to be forgotten?")
    assert await memories(database) == []


async def test_a_number_is_forgotten_as_the_command_does(database: Database, clock: Clock) -> None:
    """At once, with the same rights; one that is not there is told."""
    async with room(database, clock) as r:
        bob = await with_bob(r)
        await r.say("remember that the loft is dusty", by=bob)
        await r.say("remember that the mill is old")
        await as_anybody(r)
        own, others, missing = [await r.say(f"forget #{n}") for n in (2, 1, 9)]
    assert own.text.startswith("[memory] forgotten: #2")
    assert "was said by someone else" in others.text
    assert missing.text.startswith("There is no memory #9 here")


async def test_what_came_last_is_what_that_means(database: Database, clock: Clock) -> None:
    """ "Forget that" takes what was just kept or told; after a question there is nothing it could mean."""
    async with room(database, clock) as r:
        await r.say("remember that the oven is new")
        kept = await r.say("forget that")
        await r.say("remember these:\n- The lamp is old.\n- The door is red.")
        several = await r.say("forget it")
        await r.say("The attic leaks")
        told = await r.say("forget what I just said")
        await r.say("who has the key?")
        asked = await r.say("forget it")
    assert kept.text.startswith("[memory] forgotten: #1 the oven is new")
    assert several.text.startswith("Are these 2 to be forgotten?")
    assert "The attic leaks" in told.text
    assert asked.text == forgetting.WHICH.format(p="!")


async def test_what_may_be_about_anything_depends_on_what_is_remembered(database: Database, clock: Clock) -> None:
    """ "Delete the draft" is talk where nothing is remembered of it, and asked about where something is."""
    async with room(database, clock) as r:
        talk = await r.say("delete the draft")
        await r.say("remember that the draft is in the red folder")
        meant = await r.say("delete the draft")
    assert talk.text == hello.HEARD
    assert meant.text.startswith("Is this to be forgotten?")


@pytest.mark.parametrize(
    ("keep", "forget", "undo", "thing"),
    [
        ("Merk dir, dass der Code 4417 ist", "Vergiss, dass der Code 4417 ist", "rückgängig", "der Code 4417 ist"),
        ("Retiens que le code est 4417", "Oublie que le code est 4417", "Annule ça", "le code est 4417"),
        ("Recuerda que el código es 4417", "Olvida que el código es 4417", "Deshazlo", "el código es 4417"),
    ],
)
async def test_other_languages_are_heard(
    database: Database, clock: Clock, keep: str, forget: str, undo: str, thing: str
) -> None:
    """In German, French and Spanish too something is kept, forgotten and brought back, and the request says nothing."""
    async with room(database, clock) as r:
        await r.say(keep)
        kept = await memories(database)
        await r.say(forget)
        forgotten = await memories(database)
        await r.say(undo)
        back = await memories(database)

    assert (kept, forgotten, back) == ([thing], [], [thing])


@pytest.mark.parametrize("said", ["forget that", "actually delete it"])
async def test_to_forget_something_is_no_yes_to_everything(said: str, database: Database, clock: Clock) -> None:
    """What nothing brings back is erased by a plain yes."""
    async with room(database, clock) as r:
        await r.run("!remember The kettle is blue.")
        await r.say("Delete everything you know about me!")
        left = await r.say(said)
        assert ["The kettle is blue."] == await memories(database)
        await r.say("Delete everything you know about me!")
        gone = await r.say("yes")
        assert [] == await memories(database)
    assert (forgetting.KEPT_ALL, True) == (left.text, "Erased for good" in gone.text)


@pytest.mark.parametrize(
    "said",
    [
        "stop remembering me",
        "please don't keep anything I say anymore",
        "merk dir nichts mehr von mir",
        "je ne veux pas que ce message soit retenu",
        "no recuerdes nada más de mí",
    ],
)
async def test_who_does_not_want_to_be_remembered_is_told_how(said: str, database: Database, clock: Clock) -> None:
    """Nothing is erased, and a yes to it erases nothing."""
    async with room(database, clock) as r:
        await r.run("!remember The kettle is blue.")
        told = await r.say(said)
        await r.say("yes")
        assert ["The kettle is blue."] == await memories(database)
    assert forgetting.STOP.format(p="!") == told.text


@pytest.mark.parametrize(
    ("kept", "said"),
    [
        ("Merk dir, dass die Noten im blauen Ordner sind", "vergiss was ich über die Noten gesagt habe"),
        ("Merk dir, dass die Probe um 19:30 ist", "vergiss das"),
        ("retiens que le bus part à 7h", "oublie ce que j'ai dit sur le bus"),
        ("retiens que le bus part à 7h", "oublie ça"),
        ("recuerda que los cacahuetes me sientan mal", "olvida lo que dije sobre los cacahuetes"),
        ("recuerda que los cacahuetes me sientan mal", "olvida eso"),
    ],
)
async def test_what_was_kept_is_forgotten_in_other_languages(
    kept: str, said: str, database: Database, clock: Clock
) -> None:
    """By what it is about, and right after by a word that points at it."""
    async with room(database, clock) as r:
        await r.say(kept)
        assert 1 == len(await memories(database))
        await r.say(said)
        assert [] == await memories(database)


async def test_everything_is_what_mydata_erases(database: Database, clock: Clock) -> None:
    """Told as by the command; a yes erases it, the request that says it included."""
    async with room(database, clock) as r:
        bob = await with_bob(r)
        await r.say("remember that the loft is dusty", by=bob)
        await r.say("remember that the mill is old")
        asked = await r.say("Delete everything you know about me!")
        assert len(await memories(database)) == 2
        done = await r.say("yes")
        empty = await r.say("forget everything")
    assert asked.text.startswith("This would erase")
    assert done.text.startswith("Erased for good: ")
    assert "memor" not in empty.text.partition(";")[0]
    assert await memories(database) == ["the loft is dusty"]
    assert not any("mill" in text or "yes" in text for text in await messages(database))


async def test_what_this_conversation_is_is_left_to_a_reset(database: Database, clock: Clock) -> None:
    """It is told how, and nothing is done."""
    async with room(database, clock) as r:
        await r.say("The mill is old")
        told = await r.say("forget this conversation")
    assert told.text == forgetting.TALK.format(p="!")
    assert "The mill is old" in await messages(database)


async def test_the_rest_of_a_request_to_forget_is_not_lost_silently(database: Database, clock: Clock) -> None:
    """Nothing of the message is kept, so what else it says is to be said again."""
    async with room(database, clock) as r:
        await r.say("remember that I hate figs")
        told = await r.say("Forget that I hate figs. I love them now.")
    assert told.text.endswith(forgetting.REST)


@pytest.mark.parametrize(
    "fact",
    [
        "Dr. Weber lives at St. Anna's",
        "item no. 5 is sold",
        'the sign says "Stop! Look!" now',
        "I live in Graz. It rains.",
    ],
)
async def test_what_is_to_be_forgotten_has_no_rest_in_itself(database: Database, clock: Clock, fact: str) -> None:
    """A full stop inside it ends no request: all of it is meant, nothing else goes, nothing is left to say again."""
    async with room(database, clock) as r:
        for text in (fact, "Dr. Adam is away", "the last item is red"):
            await r.say(f"remember that {text}")
        told = await r.say(f"forget that {fact}")
    assert forgetting.REST not in told.text
    assert await memories(database) == ["Dr. Adam is away", "the last item is red"]


async def test_a_forget_is_undone_in_plain_words(database: Database, clock: Clock) -> None:
    """Right after it; as talk of anything else it undoes nothing."""
    async with room(database, clock) as r:
        talk = await r.say("undo that")
        await r.say("remember that the mill is old")
        await r.say("forget the mill")
        back = await r.say("undo that, please")
    assert "[memory]" not in talk.text
    assert back.text == "[memory] back: #1 the mill is old"
    assert await memories(database) == ["the mill is old"]


@pytest.mark.parametrize(
    "said",
    [
        "undo that please",
        "can you undo the last thing?",
        "revert that edit",
        "mach das rückgängig",
        "annule ça",
        "deshazlo",
    ],
)
async def test_that_nothing_can_be_undone_is_said(said: str, database: Database, clock: Clock) -> None:
    """It is no question that memory has no answer to; some lines after a change `!undo` is named instead."""
    async with room(database, clock) as r:
        nothing = await r.say(said)
        await r.say("remember that the mill is old")
        await r.say("forget the mill")
        await r.say("The weather is fine today.")
        later = await r.say(said)
    assert ("nothing to undo" in nothing.text, "!undo" in later.text) == (True, True)
    assert await memories(database) == []


@pytest.mark.parametrize("said", ["merke dir, dass ... äh", "remember that uhm", "remember: hmm..."])
async def test_a_sound_is_nothing_to_keep(said: str, database: Database, clock: Clock) -> None:
    """Who stops in the middle is told that nothing was kept, and how."""
    async with room(database, clock) as r:
        assert "Nothing was kept" in (await r.say(said)).text
    assert [] == await memories(database)


# --- to list --------------------------------------------------------------------------------------------------------


async def test_what_is_remembered_is_listed(database: Database, clock: Clock) -> None:
    """Of everybody, or of whoever asks, and of the day that is named; where that has nothing, it is looked up."""
    async with room(database, clock) as r:
        bob = await with_bob(r)
        await r.say("remember that the loft is dusty", by=bob)
        await r.say("remember that the mill is old")
        clock.forward(hours=48)
        await r.say("remember that the oven is new")
        everything, mine, today = [
            (await r.say(text)).text
            for text in ("What do you remember?", "what did I ask you to remember?", "what did I tell you today?")
        ]
        by_command = await r.run("!memories by:me said:today")
        clock.forward(hours=48)
        await r.say("The attic leaks")
        looked_up = await r.say("what did I tell you today?")
    told = ("the loft is dusty", "the mill is old", "the oven is new")
    assert [[text in said for text in told] for said in (everything, mine, today, by_command)] == [
        [True, True, True],
        [False, True, True],
        [False, False, True],
        [False, False, True],
    ]
    assert everything.startswith("3 memories:")
    assert "The attic leaks" in looked_up.text


# --- first words ----------------------------------------------------------------------------------------------------


async def test_first_words_are_answered_at_length_once_a_session(database: Database, clock: Clock) -> None:
    """To each person, and briefly after that; a new session begins anew."""
    async with room(database, clock) as r:
        bob = await with_bob(r)
        said = [(await r.say(text)).text for text in ("hi", "hello!", "help", "what can you do?")]
        other = (await r.say("hi", by=bob)).text
        who = [(await r.say("who are you?")).text for _ in range(2)]
        await r.reset("!reset discard")
        again = (await r.say("hi")).text
    assert said == [hello.GREETING, hello.GREETING_BRIEFLY, hello.HELP.format(p="!"), hello.HELP_BRIEFLY.format(p="!")]
    assert (other, again) == (hello.GREETING, hello.GREETING)
    assert who[1].startswith("I am Hathi")
    assert who[0].startswith(f"{who[1]}\n")


async def test_a_model_answers_a_greeting_and_hathi_what_it_can_do(database: Database, clock: Clock) -> None:
    """A model would make commands up; a greeting is talk."""
    async with (
        ModelServer(always=Reply(text="Good day to you.")) as server,
        room(database, clock, models=roles(server.base_url)) as r,
    ):
        greeted, asked = await r.say("hi"), await r.say("what can you do?")
    assert (greeted.text, asked.text) == ("Good day to you.", hello.HELP.format(p="!"))


async def test_what_may_point_at_something_asks_for_help_only_at_first(database: Database, clock: Clock) -> None:
    """ "How does this work?" is about Hathi where nothing was said before, and no reply is made to anything."""
    async with room(database, clock) as r:
        first = await r.say("how does this work?")
        await r.say("We have a new kiln with a gas burner")
        later = await r.say("how does this work?")
    assert first.text == hello.HELP.format(p="!")
    assert later.text not in {hello.HELP.format(p="!"), hello.HELP_BRIEFLY.format(p="!")}


async def test_a_statement_gets_a_short_sign_that_is_true(database: Database, clock: Clock) -> None:
    """Without a model: at length once, then a word; where nothing is kept that is told."""
    async with room(database, clock) as r:
        kept = [(await r.say(text)).text for text in ("The kiln is hot", "The mill is old")]
        await r.run("!memory off me")
        unkept = [(await r.say(text)).text for text in ("The roof leaks", "The loft is dusty")]
    assert kept == [hello.HEARD, hello.HEARD_BRIEFLY]
    assert unkept == [hello.NOT_KEPT_BRIEFLY] * 2


# --- set texts ------------------------------------------------------------------------------------------------------


async def test_nothing_said_before_a_set_text_is_kept_in_its_place(database: Database, clock: Clock) -> None:
    """ "Keep that" after a listing or a forget, of which nothing is recorded, means those; another's still keeps."""
    async with (
        ModelServer(always=Reply(text="Bake it for an hour.")) as server,
        room(database, clock, models=roles(server.base_url)) as r,
    ):
        bob = await with_bob(r)
        said: list[str] = []
        for text in ("what do you remember?", "forget the bread"):
            await r.say("How do I bake bread?")
            await r.say(text)
            said.append((await r.say("keep that")).text)
        await r.say("How do I bake bread?")
        kept = await r.say("keep that", by=bob)
    assert said == [approvals.TRIVIAL] * 2
    assert kept.text.startswith("[memory] saved")


@pytest.mark.parametrize("text", ["help", "what is the capital of France?", "thank you, that's all"])
async def test_a_set_text_is_never_kept(database: Database, clock: Clock, text: str) -> None:
    """ "Keep that" after it says plainly that there is nothing to keep, also in reply to it."""
    async with room(database, clock) as r:
        await r.say(text)
        after = await r.say("keep that")
        (reply,) = await column(database, "SELECT min(message_id) FROM message WHERE role = 'hathi'")
        turn = r.turn("remember this")
        recorded_reply = RecordedReply()
        await r.app.conversation.answer(
            replace(turn, message=replace(turn.message, reply_to=MessageId(reply))), recorded_reply.delivery
        )
    assert (after.text, recorded_reply.text) == (approvals.TRIVIAL, approvals.TRIVIAL)
    assert await memories(database) == []


async def test_no_model_is_told_a_set_text_as_its_own_words(database: Database, clock: Clock) -> None:
    """Neither help, confirmations and failures, nor the sentence above what memory has instead of a model."""
    down = Status(status=400)
    async with (
        ModelServer(down, down, always=Reply(text="It is green.")) as server,
        room(database, clock, models=roles(server.base_url)) as r,
    ):
        await r.say("remember that the gate is green")
        failed, instead = await r.say("Tell me a joke"), await r.say("What colour is the gate?")
        await r.say("what can you do?")
        await r.say("Paint the gate")
        await r.say("And the door")
        *_, last = server.requests
    own = [str(said["content"]) for said in last["messages"] if said["role"] == "assistant"]
    assert "can't be reached" in failed.text
    assert instead.text.startswith(UNREACHABLE)
    assert "the gate is green" in instead.text
    assert not any(text in said for said in own for text in ("[memory]", "can't be reached", hello.HELP.format(p="!")))
    assert "It is green." in own[-1]
    asked = [str(said["content"]) for said in last["messages"] if said["role"] == "user"]
    assert "the gate is green\n[dealt with already]" in asked[0]
    assert "Tell me a joke\n\n" in asked[0]


async def test_a_reset_distils_no_set_text(database: Database, clock: Clock) -> None:
    """The summarizer reads what people said and what was answered; the count is of all messages."""
    async with ModelServer(always=Reply(text='{"summary": "They met.", "facts": []}')) as server:
        async with room(database, clock, models=roles(server.base_url)) as r:
            await r.say("what can you do?")
            await r.say("remember that the gate is green")
            told = await r.reset()
        (request,) = server.requests
    assert "Summarized 4 messages" in told
    assert "what can you do?" in str(request["messages"])
    assert not any(text in str(request["messages"]) for text in ("[memory] saved", "lists every command"))


@pytest.mark.parametrize("text", ["???", "!!", "\U0001f914", ":thinking:?", "\u2026"])
async def test_signs_alone_are_nothing_to_look_for(database: Database, clock: Clock, text: str) -> None:
    """They get a plain question or the short sign, and never a quotation; a model may make something of them."""
    async with (
        ModelServer(always=Reply(text="Hm?")) as server,
        room(database, clock) as offline,
        room(database, clock, models=roles(server.base_url)) as r,
    ):
        await offline.say("The boiler was serviced on 12 May.")
        said = (await offline.say(text)).text
        assert hello.WHAT == said if "?" in text else said == hello.HEARD_BRIEFLY
        assert ("Hm?", 1) == ((await r.say(text)).text, len(server.requests))


# --- the rules ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("with_model", [False, True])
async def test_the_rules_are_what_admins_laid_down(database: Database, clock: Clock, with_model: bool) -> None:
    """Whatever words they are in, and no model is asked; what is forgotten is in the record of no answer."""
    async with (
        ModelServer(always=Reply(text="Be kind.")) as server,
        room(database, clock, models=roles(server.base_url if with_model else None), who=ADMIN) as r,
    ):
        await r.run("!remember Nobody cooks after ten in the evening source:directive")
        await r.run("!remember Boots stay at the door source:directive")
        await r.say("remember that the boiler is serviced at noon")
        asked = len(server.requests)
        told = [(await r.say(text)).text for text in ("what are the rules here?", "what did the admins decide?")]
        told.append((await r.say("Welche Regeln gibt es?")).text)
        assert len(server.requests) == asked
    assert all("What the admins laid down:" in text for text in told)
    assert all("Nobody cooks after ten" in text and "Boots stay at the door" in text for text in told)
    assert not any("boiler" in text for text in told)
    assert not any("rules" in text for text in await messages(database))


async def test_where_admins_laid_down_nothing_the_rules_are_looked_up(database: Database, clock: Clock) -> None:
    """Somebody may have told of some, and what a directive says is seen by whoever may read its channel alone."""
    async with room(database, clock, who=ADMIN) as r:
        await r.say("remember that the rules of the house hang in the hall")
        told = await r.say("what are the rules here?")
        await r.run("!remember Boots stay at the door source:directive")
        elsewhere = await r.app.enter(people.caller("Bob", person=8, channel=2), channel_name="away", mode="all")
        unseen = await r.say("what are the rules here?", by=elsewhere)
    assert "hang in the hall" in told.text
    assert "Boots" not in unseen.text


# --- why ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("with_model", [False, True])
async def test_why_in_plain_words_explains_what_was_looked_for(
    database: Database, clock: Clock, with_model: bool
) -> None:
    """As the command does, where memory had a part in the answer before; else it is talk.

    Asked again right after, it explains the same answer, and not what explained it.
    """
    async with (
        ModelServer(always=Reply(text="At noon, Zed said (#1).")) as server,
        room(database, clock, models=roles(server.base_url if with_model else None)) as r,
    ):
        await r.say("remember that the boiler is serviced at noon")
        talk = await r.say("why?")
        await r.say("when is the boiler serviced?")
        asked = len(server.requests)
        told = await r.say("how do you know that?")
        assert len(server.requests) == asked
        again = [(await r.say(text)).text for text in ("why?", "where did you get that from?")]
        assert len(server.requests) == asked
        server.always = Reply(text="Hello there.")
        await r.say("how are you today, my friend?")
        later = await r.say("why?")
    assert told.text.startswith("Why I said that")
    assert "the boiler is serviced at noon" in told.text
    assert {told.text} == {*again}
    assert not {talk.text, later.text} & {told.text}
    assert "boiler" not in later.text


async def test_what_is_kept_is_told_by_the_settings(database: Database, clock: Clock) -> None:
    """By the channel's mode, the asker's wish and for how long: no model is asked, which would make it up."""
    async with (
        ModelServer(always=Reply(text="Nothing you write is stored.")) as server,
        room(database, clock, models=roles(server.base_url)) as r,
    ):
        told = (await r.say("do you keep a log of my messages?")).text
        await r.run("!memory off me")
        after = (await r.say("is this stored now?")).text
        await r.run("!memory mode off", by=await r.app.enter(ADMIN, channel_name="general", mode="all"))
        off = (await r.say("did you record what I said?")).text
        assert [] == server.requests
    assert told.startswith("The memory mode here is all: everything said here is kept.")
    assert "kept for 365 days" in told
    assert "The model that answers is sent what you say" in told
    assert "everybody who reads along" in told
    assert ("You have not opted out" in told, "You opted out" in after) == (True, True)
    assert off.startswith("The memory mode here is off")
    assert "kept for 365 days" not in after + off


async def test_a_correction_may_point_at_what_was_just_kept(database: Database, clock: Clock) -> None:
    """Of what was just told of and is the asker's, whole words take its place; anything else is talk to the model."""
    async with (
        ModelServer(always=Reply(text="Quite so.")) as server,
        room(database, clock, models=roles(server.base_url)) as r,
    ):
        bob = await with_bob(r)
        await r.say("remember that the vpn is wireguard")
        theirs = await r.say("correct that: the vpn is otter", by=bob)
        wrong = await r.say("correct that: the vpn is openvpn")
        await r.say("remember that the coffee code is 4712")
        mended = await r.say("Correction: the coffee code is 4713")
        talk = [await r.say("change that to blue"), await r.say("change that to: the logo is blue, in a picture")]
    assert ["Quite so."] * 3 == [theirs.text, *(each.text for each in talk)]
    assert "It supersedes #1." in wrong.text
    assert "It supersedes #3." in mended.text
    living = "SELECT content FROM memory WHERE superseded_by IS NULL AND forgotten_at IS NULL ORDER BY memory_id"
    assert ["the vpn is openvpn", "the coffee code is 4713"] == await column(database, living)


async def test_a_greeting_hides_no_question(database: Database, clock: Clock) -> None:
    """What is asked behind one, and before thanks, is found as it is without; and so what was missed."""
    async with room(database, clock) as r:
        await r.say("remember that the demo build is due on the 14th of December")
        plain = await r.say("what did we decide about the demo?")
        polite = await r.say("Morning! Quick q: what did we decide about the demo? Thanks in advance!")
        missed = [(await r.say(text)).text for text in ("what did I miss?", "hey all, I'm new! what did I miss?")]
    assert "14th of December" in plain.text
    assert plain.text == polite.text
    assert missed[0].splitlines()[0] == missed[1].splitlines()[0]


async def test_what_the_talk_came_to_a_model_may_tell(database: Database, clock: Clock) -> None:
    """It lies before everybody; that memory holds no such thing says nothing against it."""
    came_to = "You moved the patch to Thursday, and Ann tests it on Friday morning."
    async with (
        ModelServer(always=Reply(text=came_to)) as server,
        room(database, clock, models=roles(server.base_url)) as r,
    ):
        await r.overhear("Let us ship the patch on Thursday instead of Wednesday.", by=await with_bob(r))
        await r.overhear("Agreed; I test it on Friday morning.")
        asked = ("what did we just talk about?", "recap please", "summarize our plan so far")
        told = [await r.say(text) for text in asked]
    assert [came_to] * 3 == [each.text for each in told]


@pytest.mark.parametrize("with_model", [False, True])
async def test_who_asks_of_privacy_is_told_what_is_kept_and_who_is_shown_it(
    database: Database, clock: Clock, with_model: bool
) -> None:
    """Whatever memory holds on such words, and no model is asked."""
    async with (
        ModelServer() as server,
        room(database, clock, models=roles(server.base_url if with_model else None)) as r,
    ):
        await r.say("remember that my messages to Ann are about the party")
        told = [
            (await r.say(text)).text for text in ("are my messages private?", "do you record everything", "opt out")
        ]
        direct = await r.app.enter(
            replace(BOB, is_direct=True, space_id=SpaceId(9), channel_id=ChannelId(9)),
            channel_name="",
            mode="addressed",
        )
        alone = await r.say("is this private?", by=direct)
        assert [] == server.requests
    assert 1 == len({*told})
    assert "everything said here is kept" in told[0]
    assert ("everybody who reads along" in told[0], "!memory off me" in told[0]) == (True, True)
    assert ("you alone" in alone.text, "party" in alone.text) == (True, False)


@pytest.mark.parametrize("question", ["do you record everything we say here?", "who can read this?", "privacy"])
async def test_a_question_about_privacy_tells_what_is_kept_here(
    database: Database, clock: Clock, question: str
) -> None:
    """With who is shown it, and how it is seen, stopped and erased; whatever memory has of the words."""
    async with room(database, clock) as r:
        await r.say("remember that Bo can read this")
        told = await r.say(question)
        await r.run("!memory off me")
        declined = await r.say(question)
    assert told.text.startswith("The memory mode here is all: everything said here is kept.")
    assert ("You have not opted out" in told.text, "You opted out" in declined.text) == (True, True)
    assert "!mydata shows and erases what I have of you" in told.text


@pytest.mark.parametrize("question", ["what did i just tell you", "what did i tell you?", "what have i told you"])
async def test_what_was_told_need_be_no_memory(database: Database, clock: Clock, question: str) -> None:
    """Where none was made of it, it is told as it was said."""
    async with room(database, clock) as r:
        await r.say("i want to quit the team")
        told = await r.say(question)
        listed = await r.say("list my memories")
    assert "i want to quit the team" in told.text
    assert listed.text.startswith("No memories of yours")


@pytest.mark.parametrize(
    ("identity", "told"),
    [
        ("You are Chalky, the gym bot.", "This is what I am told to be here: “You are Chalky, the gym bot.”"),
        ("I am Chalky, the gym bot.", "I am Chalky, the gym bot."),
    ],
)
async def test_whoever_asks_who_hathi_is_is_not_told_who_they_are(
    database: Database, clock: Clock, identity: str, told: str
) -> None:
    """An identity that is put to Hathi is told as that."""
    async with room(database, clock, who=people.caller(admin=True)) as r:
        await r.run(f"!identity set {identity}")
        said = await r.say("who are you?")
    assert said.text.splitlines()[0] == told
