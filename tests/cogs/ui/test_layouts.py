"""Whatever Hathi draws keeps within what Discord takes of one message of components."""

from dataclasses import replace

import discord
from hypothesis import given
from hypothesis import strategies as st

from bot.commands import about_me, memory_lists, palace, recalling, reply_reasons, scratchpad
from bot.commands.including import IncludedReply
from bot.domain import (
    ChannelId,
    Entry,
    Forgettable,
    Listing,
    MemoryId,
    MessageId,
    PersonId,
    Reply,
    Saved,
    SessionId,
    SpaceId,
)
from bot.lifecycle.summaries import SummaryDone
from cogs.ui import buttons, drawn_lists, layouts, list_changes, panels, reset_messages
from tests.cogs.ui import facts, on_discord
from tests.cogs.ui.facts import LARGE
from tests.conftest import Clock

NOW = Clock().now

_text = st.text(max_size=300) | st.builds(lambda c, n: c * n, st.sampled_from("a🐘 \n`*#-"), st.integers(0, 5000))
_line = st.text(max_size=80).map(lambda text: " ".join(text.split()))
_places = st.none() | st.just((ChannelId(LARGE), MessageId(LARGE)))
_numbers = st.integers(1, 12) | st.integers(LARGE - 12, LARGE)
_entries = st.builds(
    Entry,
    head=_line,
    body=_text,
    memory_id=st.none() | _numbers.map(MemoryId),
    link=_places,
    is_others=st.booleans(),
    who=_line,
    at=st.none() | st.just(NOW),
    place=_line,
    marks=st.lists(_line, max_size=2).map(tuple),
)
_MOST_ON_A_PAGE = max(
    recalling.MOST_RESULTS,
    palace.ROOMS_A_PAGE,
    memory_lists.MEMORIES_A_PAGE,
    reply_reasons.ROWS_A_PAGE,
    about_me.ROWS_A_PAGE,
    scratchpad.NOTES_A_PAGE,
)
_listings = st.builds(
    Listing,
    title=_text,
    entries=st.lists(_entries, max_size=_MOST_ON_A_PAGE).map(tuple),
    page=st.integers(1, 99_999),
    pages=st.integers(1, 99_999),
    again=st.sampled_from(["sessions", "recall " + "cat " * 248, "recall " + "cat " * 400, "recall cats limit:3", ""]),
    notes=st.lists(_text, max_size=3).map(tuple),
    is_table=st.booleans(),
)
_rooms = st.lists(st.text(min_size=1, max_size=90), max_size=25, unique=True)
_saved = st.builds(
    facts.saved,
    _numbers,
    topic=_line.map(lambda topic: topic[:64]) | st.just("🐘" * 64),
    content=_text,
    against=st.lists(_numbers, max_size=9),
)
_facts = st.lists(_saved, max_size=40)


def under(rooms: list[str], *, paged: bool) -> list[layouts.Pressed]:
    """As much as stands under any list."""
    ways = [buttons.turn(1, buttons.PAGE_BACK), buttons.turn(3, buttons.PAGE_ON), buttons.why(2)] if paged else []
    return [*([buttons.into(rooms)] if rooms else []), *ways]


@given(listing=_listings, rooms=_rooms, paged=st.booleans())
def test_any_list_is_one_message(listing: Listing, rooms: list[str], paged: bool) -> None:
    """However long its texts are and whatever can be pressed; one button for a memory, at six memories at most."""
    view = drawn_lists.drawn(listing, LARGE, under(rooms, paged=paged), "@Hathi the elephant of many words !")
    found = [each for each in on_discord.ids(view) if each.split(":")[1] in {"open", "theirs"}]
    memories = {entry.memory_id for entry in listing.entries if entry.memory_id is not None}
    opened = len(memories) if len(memories) <= drawn_lists.MOST_OPENED and not listing.is_table else 0
    assert opened == len(found)


_six = st.lists(_entries, min_size=1, max_size=6, unique_by=lambda entry: entry.memory_id or id(entry)).map(tuple)
_steps = st.lists(
    st.tuples(st.sampled_from(["open", "theirs", "forget", "restore", "fix"]), st.integers(0, 5), _text, _numbers),
    max_size=14,
)


@given(listing=_listings, entries=_six, rooms=_rooms, steps=_steps)
def test_a_list_stays_one_message_whatever_becomes_of_it(
    listing: Listing, entries: tuple[Entry, ...], rooms: list[str], steps: list[tuple[str, int, str, int]]
) -> None:
    """Entries are opened, forgotten, brought back and fixed in any order, by whatever text and number."""
    view = drawn_lists.drawn(replace(listing, entries=entries, is_table=False), LARGE, under(rooms, paged=True))
    numbers = [entry.memory_id for entry in entries]
    for what, index, text, other in steps:
        number = numbers[index % len(numbers)]
        if number is None:
            continue
        view = changed(view, what, number, text, MemoryId(other)) or view
        if what == "fix":
            numbers[index % len(numbers)] = MemoryId(other)
        on_discord.parts(view)


def changed(
    view: discord.ui.LayoutView, what: str, number: MemoryId, text: str, now: MemoryId
) -> discord.ui.LayoutView | None:
    """The message after a press."""
    message = on_discord.read(view)
    match what:
        case "open":
            memory = facts.saved(number).memory
            return list_changes.opened(message, number, buttons.on_memory(memory))
        case "theirs":
            return list_changes.opened(message, number, buttons.on_others(number))
        case "forget":
            return list_changes.left(message, number, buttons.restore(number))
        case "restore":
            return list_changes.became(message, number, text=text)
        case _:
            return list_changes.became(message, number, text=text, now=now)


_resets = st.builds(
    SummaryDone,
    space_id=st.just(SpaceId(1)),
    channel_id=st.just(1),
    session_id=_numbers.map(SessionId),
    message_count=st.integers(1, 9_999),
    saved=_facts.map(tuple),
    entries=st.integers(0, 99),
    by_rule=st.integers(0, 99),
    retry_at=st.none() | st.just(NOW),
    why=_text,
    leaves_talk=st.booleans(),
)


@given(done=_resets, steps=_steps)
def test_a_reset_is_one_message_whatever_becomes_of_it(
    done: SummaryDone, steps: list[tuple[str, int, str, int]]
) -> None:
    """Its first ten facts are told and can be forgotten by the menu; forgotten and brought back, it still is legal."""
    view = reset_messages.summary(done, "@Hathi the elephant of many words !")
    numbers = [*dict.fromkeys(one.memory.memory_id for one in done.saved)]
    offered = [str(number) for number in numbers[: reset_messages.SHOWN]]
    assert offered == on_discord.options(view)
    assert (f"hathi:kept:{done.session_id}:1" in on_discord.ids(view)) == (len(numbers) > reset_messages.SHOWN)
    last = on_discord.texts(view)[-1]
    for what, index, text, _ in steps if numbers else ():
        number = numbers[index % min(len(numbers), reset_messages.SHOWN)]
        view = changed(view, what, number, text, number) or view
        offered = [each for each in offered if what != "forget" or each != str(number)]
        assert (offered, last) == (on_discord.options(view), on_discord.texts(view)[-1])
        assert f"hathi:undo:{done.session_id}" in on_discord.ids(view)


@given(found=_facts, session_id=_numbers)
def test_what_talk_came_to_is_one_message(found: list[Saved], session_id: int) -> None:
    """However many facts it came to."""
    reply = IncludedReply(text="Included 3.\nmore", saved=tuple(found), session_id=SessionId(session_id), is_all=True)
    on_discord.parts(reset_messages.included(reply))


@given(text=_text, does=st.sampled_from(panels.Does), asks=st.booleans(), erased=st.booleans())
def test_the_panel_is_one_message(text: str, does: panels.Does, asks: bool, erased: bool) -> None:
    """Whatever it tells; in red is only what can't be undone."""
    reply = Reply(
        text=text, asks=Forgettable(everything=True) if asks else None, erased_by=PersonId(LARGE) if erased else None
    )
    found = on_discord.parts(panels.privacy(reply, does))
    red = {part["custom_id"] for part in found if part.get("style") == discord.ButtonStyle.danger.value}
    asked = {does.ERASE: {"hathi:own:erase-all"}, does.ERASE_ALL: {"hathi:own:erase-for-good"}}
    gone = {f"hathi:delete:{LARGE}"} if erased else set[str]()
    assert (asked.get(does, set[str]()) if asks else set[str]()) | gone == red


@given(text=_text, said=st.lists(_numbers, max_size=5, unique=True))
def test_a_text_with_buttons_is_one_message(text: str, said: list[int]) -> None:
    """However long it is."""
    pressed = [buttons.restore(MemoryId(LARGE)), *(buttons.unsay(MessageId(number)) for number in said)]
    found = on_discord.parts(layouts.told(text, pressed))
    assert 1 + len(said) == len([part for part in found if "custom_id" in part])
