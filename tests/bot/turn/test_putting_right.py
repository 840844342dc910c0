"""The laws of putting memories right in plain words."""

from dataclasses import replace

import pytest

from bot.commands import hello
from bot.db.pool import Database
from tests import people
from tests.conftest import Clock
from tests.conversations import roles, room
from tests.model_server import ModelServer, Reply
from tests.rows import column


async def living(database: Database) -> list[str]:
    """What stands in memory."""
    return await column(
        database, "SELECT content FROM memory WHERE forgotten_at IS NULL AND superseded_by IS NULL ORDER BY memory_id"
    )


@pytest.mark.parametrize("request_", ["correct #1: the tour is in June", "ändere #1 in the tour is in June"])
async def test_a_correction_by_number_is_an_edit(database: Database, clock: Clock, request_: str) -> None:
    """With the asker's rights; undo brings what it replaced back, in its place."""
    async with room(database, clock) as r:
        bob = await r.app.enter(people.caller("Bob", person=8), channel_name="general", mode="all")
        await r.say("remember that the tour is in May")
        r.caller = replace(r.caller, is_admin=False)
        refused = await r.say(request_, by=bob)
        assert await living(database) == ["the tour is in May"]
        done = await r.say(request_)
        assert await living(database) == ["the tour is in June"]
        missing = await r.say("correct #9: the tour is in July")
        undone = await r.run("!undo")
    assert "#1" in refused.text
    assert done.text.startswith("[memory] saved:")
    assert "#9" in missing.text
    assert undone == "[memory] back: #1 the tour is in May"
    assert await living(database) == ["the tour is in May"]


@pytest.mark.parametrize(
    ("remark", "said"),
    [("no, it's in June", "the tour is in June"), ("actually the tour is in June", "the tour is in June")],
)
async def test_a_remark_after_one_memory_is_told_how_to_change_it(
    database: Database, clock: Clock, remark: str, said: str
) -> None:
    """What was just kept, or quoted; it says that nothing has changed.

    Of others' memories, of none, and where something else is spoken of, nothing.
    """
    async with room(database, clock) as r:
        bob = await r.app.enter(people.caller("Bob", person=8), channel_name="general", mode="all")
        nothing = await r.say(remark)
        await r.say("remember that the tour is in May")
        kept = await r.say(remark)
        await r.say("when is the tour?", by=bob)
        others = await r.say(remark, by=bob)
        await r.say("remember that the mill is old")
        apart = await r.say("no wait, the ferry leaves at ten")
    assert "still says" not in apart.text
    assert f"!edit 1 {said}" in kept.text
    assert "#1 still says “the tour is in May”" in kept.text
    assert [hello.HEARD, hello.HEARD] == [nothing.text, others.text]
    assert await living(database) == ["the tour is in May", "the mill is old"]


@pytest.mark.parametrize(
    ("remark", "said"),
    [
        ("no, the tour is in June", "the tour is in June"),
        ("wrong, it's in June", "the tour is in June"),
        ("that's outdated, the tour is in June", "the tour is in June"),
        ("you got that wrong: it's in June", "the tour is in June"),
        ("das stimmt nicht, die Tour ist im Juni", "die Tour ist im Juni"),
        ("c'est faux, elle est en juin", "the tour is in May \u2013 elle est en juin"),
    ],
)
async def test_a_model_that_only_agrees_leaves_no_memory_wrong_in_silence(
    database: Database, clock: Clock, remark: str, said: str
) -> None:
    """Under its answer stands what memory still says and what changes it; not where it changed it, nor else."""
    changes = Reply(calls=(("memory_save", {"content": "The tour is in June.", "topic": "tour"}),))
    steps = (Reply(text="In May (#1)."), Reply(text="Okay, June."), Reply(text="Nice!"), changes, Reply(text="Noted."))
    async with ModelServer(*steps) as server, room(database, clock, models=roles(server.base_url)) as r:
        await r.say("remember that the tour is in May")
        await r.say("when is the tour?")
        agreed = await r.say(remark)
        chat = await r.say("what a lovely day")
        await r.run("!recall tour")
        saved = await r.say("no, the tour is in June")
    assert "\n".join(agreed.notes) == f"-# #1 still says “the tour is in May”. To change it: !edit 1 {said}"
    assert not any("still says" in note for one in (chat, saved) for note in one.notes)


OWN_WORDS = [
    (
        "no food or drinks in the black box, water excepted",
        "write an invitation: premiere on 19 december, 20:00, black box",
        "You're invited! Premiere on 19 December, 20:00, in the black box.",
    ),
    (
        "Ilka cancelled the premiere",
        "that is not true! the premiere is on 19 december",
        "Sorry! The premiere is on 19 December.",
    ),
    (
        "the ghost must not speak until the foghorn sounds three times",
        "great, lets go with three foghorns then",
        "Great, three foghorns it is!",
    ),
]


@pytest.mark.parametrize(("known", "told", "answer"), OWN_WORDS)
async def test_what_the_asker_just_said_gives_way_to_no_memory(
    database: Database, clock: Clock, known: str, told: str, answer: str
) -> None:
    """A model may say it back, or write what was ordered of it; asked, it may not say what memory has otherwise."""
    async with (
        ModelServer(always=Reply(text=answer)) as server,
        room(database, clock, models=roles(server.base_url)) as r,
    ):
        bob = await r.app.enter(people.caller("Bob", person=8), channel_name="general", mode="all")
        await r.say(f"remember that {known}", by=bob)
        said = await r.say(told)
    assert said.text == answer


async def test_what_is_brought_back_can_be_forgotten_again(database: Database, clock: Clock) -> None:
    """Where it was forgotten a while ago, and something else may be meant: the reply names it, and tells how."""
    async with room(database, clock) as r:
        await r.say("remember that the mill is old")
        await r.say("forget that the mill is old")
        clock.forward(minutes=2)
        await r.say("what a day")
        back = await r.run("!undo")
    assert back.splitlines() == ["[memory] back: #1 the mill is old", "!forget 1 forgets it again."]


@pytest.mark.parametrize("first", ["remember that the tour is in May", "the tour is in May this time"])
@pytest.mark.parametrize(
    "remark", ["scratch that, it's in June", "correction: in June, not May", "forget that, it's in June"]
)
async def test_what_is_put_right_is_not_lost(database: Database, clock: Clock, first: str, remark: str) -> None:
    """A memory says it anew; of what was only said one is made. Nothing is asked, and nothing forgotten."""
    async with room(database, clock) as r:
        await r.say(first)
        done = await r.say(remark)
        found = await r.say("when is the tour?")
    assert done.text.startswith("[memory] saved:")
    assert [first.removeprefix("remember that ").replace("May", "June")] == await living(database)
    assert "June" in found.text


async def test_what_takes_the_place_of_nothing_is_told_as_any_other(database: Database, clock: Clock) -> None:
    """Where nothing was said before, or something else is spoken of; what a remark leans on is told with it."""
    async with room(database, clock) as r:
        first = await r.say("scratch that, the deposit is 80 euros")
        told = await r.say("what is the deposit?")
        await r.say("the drill lies in my garage")
        await r.say("no wait, it's at ellens")
        where = await r.say("where is the drill?")
    assert hello.HEARD in first.text
    assert "80 euros" in told.text
    assert "ellens" in where.text
    assert ["the drill lies in my garage \u2013 it's at ellens"] == await living(database)


async def test_undo_that_is_of_what_was_said_where_nothing_was_done(database: Database, clock: Clock) -> None:
    """It asks, as to forget it does."""
    async with room(database, clock) as r:
        await r.say("my address is Elm Street 4")
        asked = await r.say("undo that")
        gone = await r.say("yes")
        found = await r.say("what is my address?")
    assert "my address is Elm Street 4" in asked.text
    assert "forgotten" in gone.text
    assert "Elm" not in found.text
