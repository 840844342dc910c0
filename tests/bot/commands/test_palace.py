"""The laws of the walk through the palace: rooms, topics, what is laid out, and what rooms are called."""

import asyncio
from dataclasses import replace
from typing import Any, Final

import pytest

from bot import errors
from bot.commands import palace
from bot.commands.grammar import GRAMMARS, WORKS
from bot.commands.palace import PalaceReply
from bot.db.pool import Database
from bot.domain import TERMINAL_CHANNEL, TERMINAL_SPACE, Caller, ChannelId, Reply, Right
from bot.layers import playbook_files
from bot.text import normalize
from tests import people
from tests.conftest import Clock
from tests.conversations import Room, room
from tests.rows import rows

ROOT: Final = people.caller("Root", person=9, admin=True, sees=(10,))
STAFF: Final = replace(ROOT, channel_id=ChannelId(11), visible=(ChannelId(10), ChannelId(11)))
"""In a private channel, from where the public one is seen too."""
ANN: Final = replace(people.caller(), is_moderator=False)
USAGE: Final = "!room rename <room> <name> or !room merge <room> <into>"
LACKED: Final = f"needs the permission {Right.MANAGE_GUILD}"


async def refused(r: Room, line: str, by: Caller | None = None) -> str:
    """The sentence a line is refused with."""
    with pytest.raises(errors.UserError) as caught:
        await r.run(line, by=by)
    return str(caught.value)


async def reply(r: Room, line: str, by: Caller | None = None) -> Reply:
    """The whole answer to a command."""
    name, _, rest = line.removeprefix("!").partition(" ")
    r.clock.forward(seconds=1)
    return await r.app.commands.run(by or r.caller, name, rest, r.tell_later)


async def furnished(r: Room) -> None:
    """Three rooms in the public channel and one in the private one."""
    await r.app.enter(STAFF, channel_name="staff", mode="all")
    for text in (
        "Cone 6 takes 9 hours. topic:kiln importance:5",
        "Never open it above 100 C. topic:kiln importance:9",
        "Celadon wants reduction. topic:glaze importance:6",
    ):
        await r.run(f"!remember {text} room:pottery")
    await r.run("!remember We moved to Tuesday. room:decisions topic:meeting")
    await r.run("!remember Ann is our treasurer. room:people topic:treasurer")
    await r.run("!remember The raise is 4 percent. room:salaries topic:raise", by=STAFF)
    await r.run("!remember The kiln is too old. room:pottery topic:secret", by=STAFF)


# --- walking --------------------------------------------------------------------------------------------------------


async def test_rooms_are_listed_with_counts_and_last_change(database: Database, clock: Clock) -> None:
    """The fullest first, each with how many memories it has, and when something in it was last saved or said again."""
    async with room(database, clock, who=ROOT) as r:
        await furnished(r)
        clock.forward(hours=3)
        await r.run("!remember We moved to Tuesday. room:decisions topic:meeting")
        told = await r.run("!palace")
    assert [
        "pottery    3 memories · last change 3 h ago",
        "decisions  1 memory · last change just now",
        "people     1 memory · last change 3 h ago",
        "!palace <room> walks into one.",
    ] == told.splitlines()


async def test_an_empty_palace_says_so(database: Database, clock: Clock) -> None:
    """And how rooms are laid out."""
    async with room(database, clock, who=ANN) as r:
        told = await r.run("!palace")
    assert (True, True) == ("is empty" in told, f"!palace new <{'|'.join(WORKS)}>" in told)


async def test_a_room_shows_its_memories_the_most_important_first(database: Database, clock: Clock) -> None:
    """Under its name, how many they are and its topics; with the way out."""
    async with room(database, clock, who=ROOT) as r:
        await furnished(r)
        told = (await r.run("!palace Pottery")).splitlines()
    assert ["pottery · 3 memories", "Topics: kiln (2), glaze (1)."] == told[:2]
    assert ["    Never open it above 100 C.", "    Celadon wants reduction.", "    Cone 6 takes 9 hours."] == told[
        3:8:2
    ]
    assert "!palace lists the rooms." == told[-1]


async def test_a_topic_shows_its_memories_alone(database: Database, clock: Clock) -> None:
    """Named after the room, or as `topic:`."""
    async with room(database, clock, who=ROOT) as r:
        await furnished(r)
        told = [await r.run(line) for line in ("!palace pottery kiln", "!palace pottery topic:KILN")]
    assert told[0].startswith("pottery · kiln · 2 memories\n#2 ")
    assert ("Celadon" in told[0], told[0]) == (False, told[1])


async def test_rooms_and_topics_of_several_words_are_told_apart(database: Database, clock: Clock) -> None:
    """The longest name of a room the line begins with is the room, what follows the topic."""
    async with room(database, clock, who=ROOT) as r:
        for number, (name, topic) in enumerate((("kiln", "room two"), ("kiln room", "two"))):
            args = {"room": name, "topic": topic}
            await r.app.commands.remembering.save(r.caller, f"The fact {number}.", **args)  # type: ignore[arg-type]
        told = [await r.run(line) for line in ("!palace kiln", "!palace kiln room", "!palace kiln room two")]
    assert ["The fact 0." in text for text in told] == [True, False, False]
    assert ["The fact 1." in text for text in told] == [False, True, True]


async def test_a_room_is_paged(database: Database, clock: Clock) -> None:
    """Six memories a page, each once; the line under a page asks for the next, and rooms come twenty a page."""
    async with room(database, clock, who=ROOT) as r:
        for number in range(21):
            await r.run(f"!remember Pot {number} is glazed. room:pots topic:t{number % 2}")
            await r.run(f"!remember Cup {number} is glazed. room:cups{number:02}")
        pages = [await reply(r, f"!palace pots page:{page}") for page in (1, 2, 3, 4)]
        beyond = await r.run("!palace pots page:5")
        listed, last = await reply(r, "!palace"), await reply(r, "!palace page:2")
        nothing = await r.run("!palace page:3")
    assert [6, 6, 6, 3] == [len(page.listing.entries) for page in pages if page.listing]
    assert 21 == len({entry.body for page in pages if page.listing for entry in page.listing.entries})
    assert "Page 1 of 4; go on with !palace pots page:2" in pages[0].text
    assert (True, True) == (beyond.startswith("No memories on page 5"), "'pots'" in beyond)
    assert [20, 2] == [len(found.rooms) for found in (listed, last) if isinstance(found, PalaceReply)]
    assert (True, True) == (nothing.startswith("No rooms on page 3"), "22 rooms" in nothing)


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("!palace potery", "no room 'potery'; did you mean pottery? !palace "),
        ("!palace potery kiln", "no room 'potery kiln'; did you mean pottery? !palace "),
        ("!palace cellar", "no room 'cellar'; !palace "),
        ("!palace salaries", "no room 'salaries'; !palace "),
        ("!palace pottery glazes", "'pottery' has no topic 'glazes'; did you mean glaze? !palace pottery "),
        ("!palace pottery secret", "'pottery' has no topic 'secret'; !palace pottery "),
        ("!palace topic:kiln", "name the room too: !palace <room> <topic>"),
    ],
)
async def test_what_is_not_there_is_said_with_what_is_near(
    database: Database, clock: Clock, line: str, told: str
) -> None:
    """One sentence; what only a private channel holds is not there, and near to nothing."""
    async with room(database, clock, who=ROOT) as r:
        await furnished(r)
        assert told in await refused(r, line)


async def test_a_private_channels_rooms_are_seen_there_alone(database: Database, clock: Clock) -> None:
    """Rooms, counts, topics and memories are those everyone in the asking channel can read."""
    async with room(database, clock, who=ROOT) as r:
        await furnished(r)
        here, there = await r.run("!palace"), await r.run("!palace", by=STAFF)
        inside, inside_there = await r.run("!palace pottery"), await r.run("!palace pottery", by=STAFF)
        nowhere = await r.run("!palace", by=replace(ROOT, visible=()))
    assert ("salaries" in here, "salaries" in there, "pottery    3" in here) == (False, True, True)
    assert ("secret" in inside, "too old" in inside) == (False, False)
    assert inside_there.startswith("pottery · 4 memories\nTopics: kiln (2), glaze (1), secret (1).")
    assert "is empty" in nowhere


async def test_what_is_forgotten_is_in_no_room(database: Database, clock: Clock) -> None:
    """Neither counted nor shown, and a room with nothing else in it is gone."""
    async with room(database, clock, who=ROOT) as r:
        await furnished(r)
        await r.run("!forget 4")
        await r.run("!forget 1")
        told = await r.run("!palace")
    assert ("decisions" in told, "pottery  2 memories" in told) == (False, True)


async def test_a_name_that_would_be_read_as_something_else_has_no_line_to_go_on(
    database: Database, clock: Clock
) -> None:
    """Its first page is shown all the same."""
    async with room(database, clock, who=ROOT) as r:
        for number in range(11):
            await r.app.commands.remembering.save(r.caller, f"Fact {number} of it.", room="x page:2", topic="t")
        args = replace(_parsed("x"), text="x page:2")
        found = await r.app.commands.run(r.caller, "palace", args, r.tell_later)
    assert found.listing is not None
    assert (6, "") == (len(found.listing.entries), found.listing.again)


def _parsed(line: str) -> Any:
    from bot import arguments

    return arguments.parse(line, GRAMMARS["palace"])


# --- laying out -----------------------------------------------------------------------------------------------------


def test_every_work_has_its_file() -> None:
    """The works that can be laid out are the files that come with Hathi; each has rooms, and fits a memory."""
    for work in WORKS:
        book = playbook_files.shipped(work)
        assert (True, True, True) == (bool(book.title), bool(book.triggers), len(book.body) <= normalize.MAX_LENGTH)
        assert [True] * len(book.rooms) == [bool(about) for _, about in book.rooms]
        assert book.rooms
    folder = playbook_files.resources.files("bot") / "defaults" / "playbooks"
    assert {f"{work}.md" for work in WORKS} == {entry.name for entry in folder.iterdir()}


async def test_a_work_is_laid_out(database: Database, clock: Clock) -> None:
    """A playbook in the room of procedures, and a word in each room of what is filed there; said with their numbers."""
    async with room(database, clock, who=ROOT) as r:
        told = await r.run("!palace new issue-analysis")
        listed = await r.run("!palace")
        steps = await r.run("!palace procedures issue-analysis")
    assert [
        "[memory] laid out: issue-analysis",
        "#1 room procedures: the playbook",
        "#2 room issues: what is filed there",
        "#3 room decisions: what is filed there",
    ] == told.splitlines()[:-1]
    assert (True, True) == ("!undo" in told, "!forget <id>" in told)
    assert [True] * 3 == [name in listed for name in ("procedures", "issues", "decisions")]
    assert ("1. Say what was observed" in steps, "Hathi" in steps) == (True, True)


async def test_laying_out_twice_is_once(database: Database, clock: Clock) -> None:
    """Nothing is written, reinforced or counted again, whatever was edited since."""
    async with room(database, clock, who=ROOT) as r:
        await r.run("!palace new code-review")
        first = await rows(database, "SELECT memory_id, seen_count, reinforced_at FROM memory ORDER BY memory_id")
        again = await r.run("!palace new code-review")
        second = await rows(database, "SELECT memory_id, seen_count, reinforced_at FROM memory ORDER BY memory_id")
        await r.run("!edit 1 1. Read it. 2. Say what you think.")
        edited = await r.run("!palace new code-review")
    assert first == second
    assert again == edited
    assert (True, True) == ("there already" in again, "!palace procedures code-review" in again)


async def test_laying_out_at_the_same_moment_is_once(database: Database, clock: Clock) -> None:
    """Of two at once the second finds it done."""
    async with room(database, clock, who=ROOT) as r:
        told = await asyncio.gather(*(r.run("!palace new code-review") for _ in range(3)))
        count = await rows(database, "SELECT count(*), max(seen_count) FROM memory")
    assert (1, [(3, 1)]) == (sum("laid out" in text for text in told), count)


async def test_rooms_that_are_there_stay_as_they_are(database: Database, clock: Clock) -> None:
    """Only what is missing is laid out."""
    async with room(database, clock, who=ROOT) as r:
        await r.run("!remember We ship on Fridays. room:decisions topic:shipping")
        told = await r.run("!palace new issue-analysis")
        inside = await r.run("!palace decisions")
    assert ("room decisions" in told, "room issues" in told) == (False, True)
    assert inside.startswith("decisions · 1 memory\n")


async def test_a_layout_is_undone(database: Database, clock: Clock) -> None:
    """By its author, within 10 minutes, after what was changed since; then there is nothing to undo."""
    async with room(database, clock, who=ROOT) as r:
        await r.run("!palace new health-check")
        await r.run("!edit 2 What we measured is filed here.")
        nobody = await refused(r, "!undo", by=ANN)
        back = await r.run("!undo")
        told = await r.run("!undo")
        left = await r.run("!palace")
        again = await refused(r, "!undo")
        await r.run("!palace new code-review")
        clock.forward(minutes=11)
        late = await refused(r, "!undo")
    assert [True] * 3 == [sentence.startswith("There is nothing to undo") for sentence in (nobody, again, late)]
    assert (True, True, True) == ("#2" in back, "was laid out" in told, "3 memories" in told)
    assert left.startswith("The palace is empty yet")


async def test_of_a_forget_and_a_layout_the_later_is_undone(database: Database, clock: Clock) -> None:
    """Whichever came last."""
    async with room(database, clock, who=ROOT) as r:
        await r.run("!palace new health-check")
        await r.run("!forget 2")
        first = await r.run("!undo")
        second = await r.run("!undo")
    assert first.startswith("[memory] back: #2 Results")
    assert (True, True) == ("was laid out" in second, "3 memories" in second)


async def test_only_who_manages_the_server_lays_out_and_changes_what_is_laid_out(
    database: Database, clock: Clock
) -> None:
    """A documented way is nobody's own: others can read it."""
    async with room(database, clock, who=ROOT) as r:
        sentence = await refused(r, "!palace new code-review", by=ANN)
        await r.run("!palace new code-review")
        changed = [await refused(r, line, by=ANN) for line in ("!edit 1 Ship it.", "!forget 1")]
    assert sentence.startswith(f"!palace new {LACKED}")
    assert [True, True] == ["Manage Server" in told for told in changed]


@pytest.mark.parametrize(("mode", "kept"), [("explicit", True), ("off", False)])
async def test_a_layout_is_a_command_as_remember_is(database: Database, clock: Clock, mode: str, kept: bool) -> None:
    """A channel that keeps only what is given by command keeps it, one that keeps nothing does not."""
    async with room(database, clock, who=ROOT) as r:
        await r.run(f"!memory mode {mode}")
        if kept:
            assert "laid out" in await r.run("!palace new code-review")
        else:
            assert (await refused(r, "!palace new code-review")).startswith("Nothing was kept: memory is off")
    assert bool(await rows(database, "SELECT 1 FROM memory")) is kept


async def test_what_only_orients_is_not_shown_unasked(database: Database, clock: Clock) -> None:
    """What a room is for is below what Active Memory shows."""
    async with room(database, clock, who=ROOT) as r:
        await r.run("!palace new code-review")
        least = r.app.settings.memory.active.min_importance
    found = await rows(database, "SELECT importance FROM memory WHERE room <> 'procedures'")
    assert [True] * len(found) == [importance < least for (importance,) in found]


# --- naming and joining ---------------------------------------------------------------------------------------------


async def test_a_room_is_renamed(database: Database, clock: Clock) -> None:
    """Everything in it is in the room of the new name; a name of several words stands in quotes."""
    async with room(database, clock, who=ROOT) as r:
        await furnished(r)
        told = await r.run('!room rename Pottery "The  Workshop"')
        listed = await r.run("!palace")
        back = await r.run("!room rename “the workshop” clay")
    assert (True, True) == ("'pottery' is called 'the workshop'" in told, "3 memories" in told)
    assert ("the workshop  3 memories" in listed, "pottery" in listed) == (True, False)
    assert (True, True) == ("'the workshop' is called 'clay'" in back, "3 memories" in back)


async def test_rooms_are_merged(database: Database, clock: Clock) -> None:
    """What was in the one is in the other."""
    async with room(database, clock, who=ROOT) as r:
        await furnished(r)
        told = await r.run("!room merge decisions pottery")
        listed = await r.run("!palace")
    assert "1 memory of 'decisions' went into 'pottery'" in told
    assert ("pottery  4 memories" in listed, "decisions" in listed) == (True, False)


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("!room rename potery clay", "no room 'potery'; did you mean pottery?"),
        ("!room rename pottery people", "a room 'people' already; !room merge "),
        ("!room rename pottery POTTERY", "called 'pottery' already"),
        ("!room merge pottery cellar", "no room 'cellar';"),
        ("!room merge pottery pottery", "one room; !room merge pottery <room>"),
        ("!room rename salaries pay", "no room 'salaries';"),
        ("!room merge people salaries", "no room 'salaries';"),
        ("!room rename pottery", "needs two values: !room rename <room> <name>"),
        ("!room rename the workshop clay", f"in quotes; {USAGE}"),
        ("!room rename pottery \u200b", "nothing to read in that name"),
    ],
)
async def test_a_room_that_cannot_be_renamed_or_merged_is_refused(
    database: Database, clock: Clock, line: str, told: str
) -> None:
    """With one sentence, and nothing is moved; what only a private channel holds is not there."""
    async with room(database, clock, who=ROOT) as r:
        await furnished(r)
        assert told in await refused(r, line)
    assert [] == await rows(database, "SELECT 1 FROM memory_event WHERE kind = 'moved'")


@pytest.mark.parametrize(("name", "rule"), [("preferences", "does not age"), ("procedures", "the documented way")])
async def test_a_room_that_a_rule_names_keeps_its_name(database: Database, clock: Clock, name: str, rule: str) -> None:
    """It is neither renamed nor merged away; what comes into it falls under the rule, and that is said."""
    async with room(database, clock, who=ROOT) as r:
        await furnished(r)
        await r.run(f"!remember Something or other. room:{name}")
        told = {await refused(r, line) for line in (f"!room rename {name} x", f"!room merge {name} people")}
        into = await r.run(f"!room merge people {name}")
    assert [[True] * 3] == [[part in text for part in (f"{name} keeps its name", rule, "!room merge")] for text in told]
    assert (True, True) == (f"went into {name!r}. In {name!r} " in into, rule in into)


async def test_a_room_hathi_files_in_by_itself_may_come_again(database: Database, clock: Clock) -> None:
    """Renamed all the same, and said."""
    async with room(database, clock, who=ROOT) as r:
        await r.run("!remember Something or other.")
        told = await r.run("!room rename general attic")
    assert [True] * 3 == [part in told for part in ("'general' is called 'attic'", "1 memory", "come up again")]


async def test_all_channels_are_meant_and_only_those_seen_are_told(database: Database, clock: Clock) -> None:
    """The private channel's memories move too; the answer counts those everyone who reads it can read."""
    async with room(database, clock, who=ROOT) as r:
        await furnished(r)
        renamed = await r.run("!room rename pottery clay")
        there = await r.run("!palace clay", by=STAFF)
        onto = await r.run("!room rename clay salaries")
        joined = await r.run("!palace salaries", by=STAFF)
    assert (True, True) == ("'pottery' is called 'clay'" in renamed, "3 memories" in renamed)
    assert there.startswith("clay · 4 memories")
    # A room that nobody here can see is not told of, not even by a refusal.
    assert (True, True) == ("'clay' is called 'salaries'" in onto, "3 memories" in onto)
    assert joined.startswith("salaries · 5 memories")


async def test_only_who_manages_the_server_names_rooms(database: Database, clock: Clock) -> None:
    """Nobody else does, not even whoever filled the room."""
    async with room(database, clock, who=ROOT) as r:
        await furnished(r)
        sentences = {await refused(r, line, by=ANN) for line in ("!room rename people x", "!room merge people pottery")}
    assert [True] == [sentence.startswith(f"!room {LACKED}") for sentence in sentences]


async def test_the_terminal_walks_too(database: Database, clock: Clock) -> None:
    """Its one person lays out, walks and renames as an admin does; the text tells the commands."""
    who = people.caller("Kim", space=TERMINAL_SPACE, channel=TERMINAL_CHANNEL, person=0, admin=True)
    async with room(database, clock, who=who) as r:
        await r.run("!palace new code-review")
        listed = await r.run("!palace")
        told = await r.run("!room rename reviews lessons")
    assert "!palace <room> walks into one." in listed
    assert "'reviews' is called 'lessons'" in told


def test_a_page_of_rooms_fits_a_menu() -> None:
    """Discord takes 25 choices."""
    assert palace.ROOMS_A_PAGE <= 25
