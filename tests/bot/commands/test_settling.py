"""The laws of facts that say the same, that change, and that contradict each other, as a person meets them."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

import pytest

from bot import errors
from bot.db.pool import Database
from bot.domain import Actor, Caller, ChannelId, Fact, MessageId, Saved, Source
from bot.store.archivist import Author
from tests import people
from tests.conftest import Clock
from tests.conversations import Room, room
from tests.rows import rows

ANN = people.caller()
BOB = people.caller("Bob", person=8)
OWNER = people.caller("Cleo", person=9, admin=True)
HIDDEN = people.caller("Dee", person=6, channel=11, sees=(10, 11))
CODE = "The alarm code at the shop is 5519."
OTHER = "The alarm code at the shop is 5591."
CHANGED = "The alarm code at the shop is now 5591."


async def standing(database: Database) -> list[Any]:
    """The memories that stand, with their words and how often they were said."""
    return await rows(
        database,
        "SELECT memory_id, content, seen_count FROM memory WHERE superseded_by IS NULL AND forgotten_at IS NULL"
        " ORDER BY memory_id",
    )


async def linked(database: Database) -> list[Any]:
    """Which memories contradict which."""
    return await rows(
        database,
        "SELECT memory_id, metadata -> 'contradicts' FROM memory WHERE metadata -> 'contradicts' <> '[]' ORDER BY 1",
    )


async def replaced(database: Database) -> list[Any]:
    """What was replaced, by what and since when."""
    return await rows(
        database,
        "SELECT memory_id, superseded_by, superseded_at FROM memory WHERE superseded_by IS NOT NULL ORDER BY 1",
    )


async def keep(
    r: Room, text: str, said_at: datetime, *, actor: Actor = Actor.PERSON, source: Source = Source.USER
) -> Saved:
    """What Ann said at a moment, kept now."""
    fact = Fact(
        content=text,
        topic="shop",
        importance=5,
        source=source,
        author_id=ANN.person_id,
        author=ANN.name,
        said_at=said_at,
    )
    author = Author(actor=actor, person_id=ANN.person_id, reason="asked")
    (saved,) = await r.app.archivist.save(ANN.space_id, ANN.origin_id, [fact], author, now=r.app.clock())
    return saved


async def test_the_same_in_other_words_is_one_memory_in_the_fuller_words(database: Database, clock: Clock) -> None:
    """Said twice by one person; where another says it with more, both are kept, and with no more, it counts."""
    async with room(database, clock, who=ANN) as r:
        await r.run("!remember Training starts at 19:30 on Wednesdays.")
        await r.run("!remember Wed practice with Zoe starts at half past seven in the evening.")
        assert [(1, "Training starts at 19:30 on Wednesdays.", 1)] == (await standing(database))[:1]
        told = await r.run("!remember On Wed practice starts at 19:30 in the big hall.")
        assert [(1, "On Wed practice starts at 19:30 in the big hall.", 2)] == (await standing(database))[:1]
        await r.run("!remember Practice starts 7:30 pm on Wednesdays, in the big hall.", BOB)
        await r.run("!remember Practice starts 7:30 pm on Wednesdays, in the big hall behind church.", BOB)
    assert "known already; said 2 times" in told
    assert [3, 1, 1] == [count for _, _, count in await standing(database)]


async def test_what_contradicts_is_kept_beside_it_linked_and_shown(database: Database, clock: Clock) -> None:
    """Both sides with whose they are, and how to settle it; a word of change by another person replaces nothing."""
    async with room(database, clock, who=ANN) as r:
        await r.run(f"!remember {CODE}")
        told = await r.run(f"!remember {CHANGED}", BOB)
        sides = await r.run("!settle 1", BOB)
        listed = await r.run("!recall alarm code")
    assert [(1, [2]), (2, [1])] == await linked(database)
    assert [1, 2] == [number for number, _, _ in await standing(database)]
    assert [part in told for part in ("#2 contradicts", "· Ann ·", "· Bob ·", CODE, CHANGED, "#1, #2 or both")] == (
        [True] * 6
    )
    assert [CODE in sides, CHANGED in sides] == [True, True]
    assert ["contradicts #2 (open)" in listed, "contradicts #1 (open)" in listed] == [True, True]


async def test_who_tells_what_changed_replaces_their_own_words(database: Database, clock: Clock) -> None:
    """With an event and a date, told and undone; after undo both stand, and contradict each other."""
    async with room(database, clock, who=ANN) as r:
        await r.run(f"!remember {CODE}")
        clock.forward(hours=1)
        told = await r.run(f"!remember {CHANGED}")
        assert [(1, 2, clock.now)] == await replaced(database)
        assert [("superseded", "change")] == await rows(
            database, "SELECT kind, reason FROM memory_event WHERE memory_id = 1 AND kind = 'superseded'"
        )
        back = await r.run("!undo")
        assert [] == await replaced(database)
        assert [("restored",)] == await rows(database, "SELECT kind FROM memory_event WHERE kind = 'restored'")
    assert ["It supersedes #1" in told, CODE in back] == [True, True]
    assert [(1, [2]), (2, [1])] == await linked(database)


@pytest.mark.parametrize(
    ("actor", "source"), [(Actor.MODEL, Source.USER), (Actor.SUMMARY, Source.SUMMARY)], ids=["model", "summary"]
)
async def test_no_model_and_no_summary_replaces_anything(
    database: Database, clock: Clock, actor: Actor, source: Source
) -> None:
    """They keep both, linked."""
    async with room(database, clock, who=ANN) as r:
        await r.run(f"!remember {CODE}")
        clock.forward(hours=1)
        saved = await keep(r, CHANGED, clock.now, actor=actor, source=source)
    assert ([], [1]) == (await replaced(database), [memory.memory_id for memory in saved.contradicts])
    assert [(1, [2]), (2, [1])] == await linked(database)


@pytest.mark.parametrize(("who", "expected"), [(ANN, [1]), (BOB, [])], ids=["its author", "another"])
async def test_what_a_model_saved_is_a_persons_own_once_they_say_it_themselves(
    database: Database, clock: Clock, who: Caller, expected: list[int]
) -> None:
    """A word of change replaces it then; that another person said it too makes it nobody's."""
    async with room(database, clock, who=ANN) as r:
        await keep(r, CODE, clock.now, actor=Actor.MODEL)
        await r.run(f"!remember {CODE}", who)
        clock.forward(hours=1)
        await r.run(f"!remember {CHANGED}")
    assert expected == [number for number, _, _ in await replaced(database)]


def told_by_ann(text: str, said_at: datetime, message: int) -> Fact:
    """A fact of hers as it is saved, with the message it rests on."""
    return Fact(
        content=text,
        topic="shop",
        importance=5,
        source=Source.USER,
        author_id=ANN.person_id,
        author=ANN.name,
        said_at=said_at,
        evidence=(MessageId(message),),
    )


async def together(r: Room, texts: Sequence[str]) -> list[Saved]:
    """Saves in one go what Ann said, an hour between each."""
    start = r.app.clock() - timedelta(days=1)
    facts = [told_by_ann(text, start + timedelta(hours=n), 100 + n) for n, text in enumerate(texts)]
    author = Author.person(ANN, "asked")
    return await r.app.archivist.save(ANN.space_id, ANN.origin_id, facts, author, now=r.app.clock())


async def test_facts_saved_together_are_held_against_each_other(database: Database, clock: Clock) -> None:
    """What contradicts is linked, what changed replaces, and what says the same is kept once, resting on both."""
    async with room(database, clock, who=ANN) as r:
        first, second = await together(r, [CODE, OTHER])
        assert ([first.memory.memory_id], ()) == ([each.memory_id for each in second.contradicts], first.contradicts)
        assert [(1, [2]), (2, [1])] == await linked(database)
        await together(r, ["The vault opens at 9:30.", "The vault now opens at 10:30."])
        assert [(3, 4)] == [pair[:2] for pair in await replaced(database)]
        kept, again = await together(r, ["The kiln is fired by Bob.", "Kilns are fired by Bob!"])
    assert (kept.memory.memory_id, True) == (again.memory.memory_id, again.was_known)
    assert [5] == [number for number, content, _ in await standing(database) if "kiln" in content]
    assert [[100, 101]] == [
        evidence for (evidence,) in await rows(database, "SELECT evidence FROM memory WHERE memory_id = 5")
    ]


async def test_of_facts_saved_together_the_one_said_later_replaces_the_other(database: Database, clock: Clock) -> None:
    """In whatever order they are given."""
    async with room(database, clock, who=ANN) as r:
        facts = [told_by_ann(CHANGED, clock.now, 102), told_by_ann(CODE, clock.now - timedelta(hours=1), 101)]
        await r.app.archivist.save(ANN.space_id, ANN.origin_id, facts, Author.person(ANN, "asked"), now=clock.now)
    assert [(2, 1)] == [pair[:2] for pair in await replaced(database)]


async def test_what_was_said_later_wins_and_not_what_arrived_later(database: Database, clock: Clock) -> None:
    """Of what is caught up with, the older is kept as replaced by what is known; since when that was said."""
    async with room(database, clock, who=ANN) as r:
        await r.run(f"!remember {CHANGED}")
        since = clock.now
        saved = await keep(r, CODE, since - timedelta(days=3))
    assert [(2, 1, since)] == await replaced(database)
    assert (1, ()) == (saved.outdated_by and saved.outdated_by.memory_id, saved.contradicts)


@pytest.mark.parametrize(
    ("choice", "stands", "links"), [("newer", [2], []), ("older", [1], []), ("holds", [2], []), ("both", [1, 2], [])]
)
async def test_a_choice_settles_it(
    database: Database, clock: Clock, choice: str, stands: list[int], links: list[Any]
) -> None:
    """By who may change what goes; undone within ten minutes."""
    async with room(database, clock, who=OWNER) as r:
        await r.run(f"!remember {CODE}", ANN)
        await r.run(f"!remember {OTHER}", BOB)
        clock.forward(minutes=1)
        told = await r.run(f"!settle 2 {choice}")
        assert (stands, links) == ([number for number, _, _ in await standing(database)], await linked(database))
        assert "contradicts nothing" in await r.run(f"!settle {stands[0]}")
        await r.run("!undo")
        assert [(1, [2]), (2, [1])] == await linked(database)
        assert [1, 2] == [number for number, _, _ in await standing(database)]
    assert ("Both hold" in told) == (choice == "both")


@pytest.mark.parametrize("said", ["!settle 1 older", "!settle 2 newer", "the older one", "die neuere gilt"])
async def test_of_what_was_said_again_a_number_says_which_holds(database: Database, clock: Clock, said: str) -> None:
    """Which is the newer one then? Nothing is replaced; the sides keep their order, and numbers choose."""
    async with room(database, clock, who=OWNER) as r:
        await r.say(f"remember that {CODE}", ANN)
        await r.say(f"remember that {OTHER}", BOB)
        await r.say(f"remember that {CODE}", ANN)
        shown = await r.run("!settle 2")
        told = await r.run(said) if said[0] == "!" else (await r.say(said, ANN)).text
        assert [1, 2] == [number for number, _, _ in await standing(database)]
        held = await r.run("!settle 1 holds")
    assert [True, True] == ["said again" in told, shown.index(CODE) < shown.index(OTHER)]
    assert ("#1 holds" in held, [1]) == (True, [number for number, _, _ in await standing(database)])


async def test_what_another_said_nobody_replaces_without_the_right(database: Database, clock: Clock) -> None:
    """Bob may let his own go, and not Ann's."""
    async with room(database, clock, who=BOB) as r:
        await r.run(f"!remember {CODE}", ANN)
        await r.run(f"!remember {OTHER}")
        for line, error, why in (
            ("!settle 2 newer", errors.NotAllowed, "said by someone else"),
            ("!settle 7 newer", errors.NotFound, "no memory #7"),
            ("!settle 2 newer older", errors.BadArgument, "one of"),
        ):
            with pytest.raises(error, match=why):
                await r.run(line)
        await r.run("!settle 1 older")
    assert [1] == [number for number, _, _ in await standing(database)]


async def test_what_may_not_be_seen_where_it_is_said_is_never_shown(database: Database, clock: Clock) -> None:
    """Nor linked: of a memory elsewhere only those learn who read along there."""
    async with room(database, clock, who=ANN) as r:
        await r.app.enter(HIDDEN, channel_name="private", mode="all")
        await r.run(f"!remember {CODE}", HIDDEN)
        told = await r.run(f"!remember {OTHER}")
        assert ([], False) == (await linked(database), "contradicts" in told)
        both = await r.run("!remember The alarm code at the shop is 6006.", replace(HIDDEN, person_id=ANN.person_id))
        listed = await r.run("!recall alarm code", ANN)
    assert "#3 contradicts" in both
    assert [part in listed for part in ("5519", "6006", "contradicts #")] == [False] * 3


async def test_recall_as_of_a_day_answers_as_memory_stood_then(database: Database, clock: Clock) -> None:
    """What was replaced since counts, and what was said since does not exist."""
    async with room(database, clock, who=ANN) as r:
        await r.run(f"!remember {CODE}")
        day = f"{clock.now:%Y-%m-%d}"
        clock.forward(hours=72)
        await r.run(f"!remember {CHANGED}")
        await r.run("!remember The alarm of the shop was tested.")
        then = await r.run(f"!recall alarm code as_of:{day}")
        now = await r.run("!recall alarm code")
        before = await r.run("!recall alarm code as_of:2020-01-01")
        for line, why in (
            ("as_of:yesterday", "takes a day such as"),
            (f"strategy:literal as_of:{day}", "ranked alone"),
        ):
            with pytest.raises(errors.BadArgument, match=why):
                await r.run(f"!recall alarm code {line}")
    assert [part in then for part in (CODE, CHANGED, "tested")] == [True, False, False]
    assert [part in now for part in (CODE, CHANGED)] == [False, True]
    assert "alarm code at" not in before


async def test_fuller_words_go_with_their_message(database: Database, clock: Clock) -> None:
    """Then the words before stand again, on what they rest on."""
    async with room(database, clock, who=ANN) as r:
        await r.say("remember that training starts at 19:30 on Wednesdays")
        await r.say("remember that training starts at 19:30 on Wednesdays in the big hall")
        ((content, evidence),) = await rows(database, "SELECT content, evidence FROM memory")
        await r.app.discord_edits.deleted(ANN.space_id, [MessageId(max(evidence))], clock.now)
        left = await rows(database, "SELECT content, metadata FROM memory")
    assert ("big hall" in content, 2) == (True, len(evidence))
    assert [("training starts at 19:30 on Wednesdays", {})] == left


SAID_THRICE = (
    "training starts at 19:30 on Wednesdays",
    "training starts at 19:30 on Wednesdays in the big hall",
    "training starts at 19:30 on Wednesdays in the big hall behind the church",
)


async def said_thrice(r: Room) -> list[str]:
    """The days on which Ann said one thing, each time more fully."""
    days = list[str]()
    for text in SAID_THRICE:
        await r.say(f"remember that {text}")
        days.append(f"{r.clock.now:%Y-%m-%d}")
        r.clock.forward(hours=72)
    return days


async def test_recall_as_of_a_day_shows_the_words_said_by_then(database: Database, clock: Clock) -> None:
    """Of one memory that was said three times, more fully each time; not found by what was not said yet."""
    async with room(database, clock, who=ANN) as r:
        days = await said_thrice(r)
        told = [await r.run(f"!recall training as_of:{day}") for day in days]
        late = [await r.run(f"!recall church as_of:{day}") for day in days]
        now = await r.run("!recall training")
        ages = [await r.run(f"!recall training why as_of:{day}") for day in days]
    shown = ["church" if "church" in text else "hall" if "hall" in text else "19:30" in text for text in told]
    assert (shown, "church" in now) == ([True, "hall", "church"], True)
    assert ["training" in text for text in late] == [False, False, True]
    assert ["hall" in text for text in ages] == [False, True, True]
    assert [(1,)] == await rows(database, "SELECT count(*) FROM memory")


@pytest.mark.parametrize(("gone", "left"), [((1,), (0, 0, 2)), ((2,), (0, 1, 1)), ((1, 2), (0, 0, 0))])
async def test_words_of_then_go_with_their_message(
    database: Database, clock: Clock, gone: Sequence[int], left: Sequence[int]
) -> None:
    """What stood before them stands for them."""
    async with room(database, clock, who=ANN) as r:
        days = await said_thrice(r)
        ((evidence,),) = await rows(database, "SELECT evidence FROM memory")
        said = sorted(evidence)
        await r.app.discord_edits.deleted(ANN.space_id, [MessageId(said[place]) for place in gone], clock.now)
        told = [await r.run(f"!recall training as_of:{day}") for day in days]
        kept = str(await rows(database, "SELECT content, metadata FROM memory"))
    assert [SAID_THRICE[place] for place in left] == [max(t for t in SAID_THRICE if t in text) for text in told]
    assert [text for text in SAID_THRICE if f"'{text}'" in kept] == [SAID_THRICE[place] for place in sorted({*left})]


async def test_words_of_then_are_not_told_after_an_edit_took_them_out(database: Database, clock: Clock) -> None:
    """Nor kept: whatever was made of them goes."""
    async with room(database, clock, who=ANN) as r:
        await r.say("remember that Training starts at 19:30 on Wednesdays.")
        ((evidence,),) = await rows(database, "SELECT evidence FROM memory")
        await r.say("remember that On Wed practice starts at 19:30 in the big hall.")
        assert [2] == [count for _, _, count in await standing(database)]
        await r.app.discord_edits.edited(
            ANN.space_id, evidence[0], "remember that it starts at 19:30 on Wednesdays.", clock.now, "english"
        )
        kept = str(await rows(database, "SELECT content, metadata FROM memory"))
    assert "Training" not in kept


def test_the_channels_are_given() -> None:
    """A caller sees what everyone here can read."""
    assert ChannelId(11) in HIDDEN.visible
