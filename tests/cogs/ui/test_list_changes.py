"""What becomes of a list that stands on Discord when something is done with one of its memories."""

from dataclasses import replace

import pytest
from discord.ui import LayoutView

from bot import catalogue
from bot.domain import ChannelId, Entry, Listing, MemoryId, MessageId, SessionId
from bot.presentation import render
from cogs.ui import buttons, drawn_lists, list_changes, reset_messages
from tests.cogs.ui import facts, on_discord
from tests.cogs.ui.facts import LARGE
from tests.conftest import Clock

SIX = range(1, 7)
WAYS = ["hathi:page:1", "hathi:page:3", "hathi:why:2"]


def entry(number: int, body: str = "the cat is Tom", who: str = "Ann", *, is_others: bool = False) -> Entry:
    return Entry(
        head="",
        body=body,
        memory_id=MemoryId(number),
        who=who,
        at=Clock().now,
        place="general",
        link=(ChannelId(LARGE), MessageId(LARGE)),
        is_others=is_others,
    )


def drawn(*entries: Entry) -> LayoutView:
    """A page amid others, as it stands in the largest of channels."""
    listing = Listing(title="Cats", entries=entries, page=2, pages=3, again="recall cats")
    ways = [buttons.turn(1, buttons.PAGE_BACK), buttons.turn(3, buttons.PAGE_ON), buttons.why(2)]
    return drawn_lists.drawn(listing, LARGE, ways)


def opened(view: LayoutView, number: int) -> LayoutView:
    memory = facts.saved(number).memory
    found = list_changes.opened(on_discord.read(view), memory.memory_id, buttons.on_memory(memory))
    assert found is not None
    return found


def left(view: LayoutView, number: int) -> LayoutView:
    found = list_changes.left(on_discord.read(view), MemoryId(number), buttons.restore(MemoryId(number)))
    assert found is not None
    return found


def became(view: LayoutView, number: int, text: str, now: int | None = None) -> LayoutView:
    found = list_changes.became(
        on_discord.read(view), MemoryId(number), text=text, now=None if now is None else MemoryId(now)
    )
    assert found is not None
    return found


def test_one_memory_is_open_at_a_time() -> None:
    """What can be done with it stands right under it; opening another closes it, pressed again it is closed."""
    view = first = drawn(*map(entry, SIX))
    for number in SIX:
        view = opened(view, number)
        choices = [f"hathi:{what}:{number}" for what in ("forget", "mend", "pin")]
        before = [f"hathi:open:{each}" for each in range(1, number + 1)]
        after = [f"hathi:open:{each}" for each in range(number + 1, 7)]
        assert [*before, *choices, *after, *WAYS] == on_discord.ids(view)
    assert on_discord.texts(first) == on_discord.texts(view)
    assert on_discord.ids(first) == on_discord.ids(opened(view, 6))


def test_what_was_forgotten_is_no_more_to_be_read() -> None:
    """In its place stand its number and what brings it back, with the text alone by which it was known."""
    view = left(opened(drawn(entry(1), entry(2, "the dog is Rex")), 1), 1)
    assert "the cat is Tom" not in "\n".join(on_discord.texts(view))
    assert "*forgotten*\n-# #1" == on_discord.texts(view)[1]
    assert ["hathi:restore:1", "hathi:open:2", *WAYS] == on_discord.ids(view)
    back = became(view, 1, "the cat is Tom")
    assert "the cat is Tom\n-# #1" == on_discord.texts(back)[1]
    assert ["hathi:open:1", "hathi:open:2", *WAYS] == on_discord.ids(back)


def test_what_was_put_right_has_its_new_number() -> None:
    """Who said it, when and where, stays, and what can be done is done to the new one."""
    before = drawn(entry(1), entry(2))
    view = became(opened(before, 2), 2, "the cat is Tim", 3)
    old, new = (on_discord.texts(each)[2].splitlines() for each in (before, view))
    assert ("the cat is Tim", old[1].replace("#2", "#3")) == tuple(new)
    assert ["hathi:open:1", "hathi:open:3", *WAYS] == on_discord.ids(view)
    assert on_discord.ids(opened(view, 3))[2:5] == ["hathi:forget:3", "hathi:mend:3", "hathi:pin:3"]


def test_what_is_put_right_to_what_the_list_has_is_not_opened_twice() -> None:
    """Discord takes a button once."""
    view = became(drawn(entry(1), entry(2)), 1, "the cat is Tom", 2)
    assert ["hathi:open:2", *WAYS] == on_discord.ids(view)


@pytest.mark.parametrize("long", ["x" * 4_000, "🐘" * 4_000])
def test_a_full_list_takes_the_longest_texts(long: str) -> None:
    """As long as what was forgotten, brought back and put right may be."""
    view = drawn(entry(1, "a", "b"), *(entry(number, long) for number in range(2, 7)))
    for number in SIX:
        view = left(view, number)
        on_discord.parts(view)
    for number in SIX:
        view = became(view, number, long)
        on_discord.parts(view)
    for number in SIX:
        view = became(view, number, long, LARGE - number)
        on_discord.parts(view)
        on_discord.parts(left(view, LARGE - number))


def test_a_name_is_not_taken_for_a_number() -> None:
    """Somebody is called as a memory is counted, and a channel too: neither opens under their words."""
    said = Entry(head="", body="I like tea", who="Bob #2", at=Clock().now, place="2", link=(ChannelId(1), MessageId(1)))
    again = Entry(head="asked · Bob #2", body="Do I like tea?", who="")
    view = opened(drawn(said, again, entry(2)), 2)
    assert ["hathi:open:2", "hathi:forget:2", "hathi:mend:2", "hathi:pin:2", *WAYS] == on_discord.ids(view)
    gone = left(view, 2)
    assert [listed.splitlines()[0] for listed in on_discord.texts(gone)[1:4]] == [
        "I like tea",
        "Do I like tea?",
        "*forgotten*",
    ]


def test_an_entry_is_known_by_its_number_in_every_language() -> None:
    """However the line goes on that confirms a memory, in whatever language, its number is read from it."""
    for again in (*catalogue.in_all(render.AGAIN), ""):
        for retold in (*catalogue.in_all(render.RETOLD), ""):
            words = f"I like tea\n-# [memory] #7{again.format(count=12)}{retold}"
            assert drawn_lists.own_number(words) == 7
    assert drawn_lists.own_number("I like tea\n-# [memory] #7, said Bob") is None


def test_what_is_not_listed_changes_nothing() -> None:
    """The list was turned to another page since; or it is no list."""
    for view in (drawn(entry(1)), reset_messages.summary(facts.done(0))):
        message = on_discord.read(view)
        assert None is list_changes.opened(message, MemoryId(2), [])
        assert None is list_changes.left(message, MemoryId(2), buttons.restore(MemoryId(2)))
        assert None is list_changes.became(message, MemoryId(2), text="x")


def test_a_reset_s_menu_offers_no_more_what_was_forgotten() -> None:
    """The menu goes with its last choice; what undoes the reset stays, also where it has the memory's number."""
    saved = (facts.saved(1), facts.saved(2))
    view = reset_messages.summary(replace(facts.done(0), saved=saved, session_id=SessionId(2)))
    assert (["1", "2"], ["hathi:pick:forget", "hathi:undo:2"]) == (on_discord.options(view), on_discord.ids(view))
    view = left(view, 2)
    assert ["hathi:restore:2", "hathi:pick:forget", "hathi:undo:2"] == on_discord.ids(view)
    assert ["1"] == on_discord.options(view)
    view = left(view, 1)
    assert ["hathi:restore:1", "hathi:restore:2", "hathi:undo:2"] == on_discord.ids(view)
    view = left(became(view, 2, "x"), 2)
    assert ["hathi:restore:1", "hathi:restore:2", "hathi:undo:2"] == on_discord.ids(view)


def test_a_reset_whose_facts_all_were_changed_is_one_message() -> None:
    """Each was forgotten and brought back, and one is open, with all that can stand under a reset."""
    view = reset_messages.summary(facts.done(11, leaves_talk=True))
    for number in range(LARGE, LARGE - 10, -1):
        view = opened(became(left(view, number), number, "🐘" * 4_000), number)
        on_discord.parts(view)
    assert ["hathi:kept:{0}:1", "hathi:undo:{0}", "hathi:include:{0}"] == [
        each.replace(str(LARGE), "{0}") for each in on_discord.ids(view)[-3:]
    ]
