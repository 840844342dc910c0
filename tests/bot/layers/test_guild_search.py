"""The laws of asking Discord's search: when it is asked, by which words, and what of the hits may be told."""

import asyncio
from collections.abc import AsyncGenerator, Collection, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta

import pytest

from bot import errors
from bot.dates.times import Span
from bot.db.pool import Database
from bot.domain import Caller, ChannelId, Layer, PersonId
from bot.layers import guild_search
from bot.layers.guild_search import Hit, Hits
from bot.layers.walk import WalkQuestion
from bot.recall.query import Query
from bot.recall.search_terms import SearchTerms
from bot.store.people import People
from tests import people
from tests.conftest import Clock
from tests.conversations import Room, room

ANN, BEN = people.caller("Ann", channel=10, sees=(10, 11)), people.caller("Ben", person=8, channel=11)
ASKED = "Who repaired the boiler?"


@dataclass
class Scripted:
    """A Discord that finds what it is given, one answer a search."""

    answers: list[Hits | Exception] = field(default_factory=list[Hits | Exception])
    asked: list[str] = field(default_factory=list[str])
    gone: set[int] = field(default_factory=set[int])
    hangs: bool = False

    times: list[Span | None] = field(default_factory=list[Span | None])

    async def search(self, caller: Caller, words: str, *, apart_from: Collection[ChannelId], said: Span | None) -> Hits:
        self.asked.append(words)
        self.times.append(said)
        if self.hangs:
            await asyncio.Event().wait()
        answer = self.answers.pop(0) if self.answers else Hits()
        if isinstance(answer, Exception):
            raise answer
        return answer

    def is_gone(self, key: int) -> bool:
        return key in self.gone


@pytest.fixture
async def at(database: Database, clock: Clock) -> AsyncGenerator[Room]:
    async with room(database, clock, who=ANN) as made:
        yield made


def script(at: Room, *answers: Hits | Exception) -> Scripted:
    scripted = Scripted(answers=[*answers])
    at.app.guild_search.connect(scripted)
    return scripted


def asking(at: Room, text: str = ASKED, *layers: Layer) -> WalkQuestion:
    question = people.said(ANN, text, at.clock())
    return WalkQuestion(
        caller=at.caller, question=question, session_id=None, layers=layers, apart_from=(question.message_id,)
    )


def hit(
    at: Room, text: str, *, by: Caller = BEN, origin: int | None = None, ago: timedelta = timedelta(days=400)
) -> Hit:
    said = people.said(by, text, at.clock() - ago)
    return Hit(message=said, origin=ChannelId(said.channel_id if origin is None else origin))


async def test_the_terminal_has_none(at: Room) -> None:
    """Nothing is asked and nothing said of it where nobody is connected to Discord."""
    finding = await at.app.guild_search.look(asking(at))
    assert ((), 0, "", "") == (finding.evidence, finding.looked, finding.why, finding.failed)


async def test_it_is_not_asked_before_the_palace(at: Room) -> None:
    """A question about the present session walks the palace last."""
    scripted = script(at)
    finding = await at.app.guild_search.look(asking(at, ASKED, Layer.SCRATCHPAD))
    assert (guild_search.OF_SESSION, []) == (finding.why, scripted.asked)


async def test_a_hit_is_told_by_where_and_by_whom(at: Room) -> None:
    """With its author, its time and its place; and by the ids with which it goes."""
    found = hit(at, "Osterquill repaired the boiler", origin=11)
    found = replace(found, message=replace(found.message, channel_id=ChannelId(99)))
    script(at, Hits(hits=(found,)))
    (one,) = (await at.app.guild_search.look(asking(at))).evidence
    said = found.message
    assert (said.content, "Ben", said.said_at) == (one.content, one.author, one.said_at)
    assert (ChannelId(99), said.message_id) == one.message
    assert (said.message_id, 8, 99, 11) == one.elsewhere
    assert ((), 11) == (one.rests_on, one.origin.elsewhere)


async def test_a_hit_beyond_the_wall_is_dropped(at: Room) -> None:
    """By the channel whose readers are its audience, whatever Discord was asked."""
    script(at, Hits(hits=(hit(at, "Osterquill repaired the boiler", origin=12),)))
    finding = await at.app.guild_search.look(asking(at, "The boiler?"))
    assert ((), "Discord's search: 1 found, 0 may be shown") == (finding.evidence, finding.why)


async def test_what_is_stored_is_no_hit(at: Room) -> None:
    """It was looked at already, as it is now."""
    await at.say("Osterquill repaired the boiler")
    stored = (await at.app.librarian.recall(at.caller, Query(text="boiler", as_of=at.clock()))).messages[0]
    script(at, Hits(hits=(Hit(message=replace(stored, content="Wexford did"), origin=stored.channel_id),)))
    assert () == (await at.app.guild_search.look(asking(at))).evidence


async def test_the_question_itself_is_no_hit(at: Room) -> None:
    """Nor what it was asked with."""
    asked = asking(at, "Osterquill repaired the boiler")
    script(at, Hits(hits=(Hit(message=asked.question, origin=asked.caller.channel_id),)))
    assert () == (await at.app.guild_search.look(asked)).evidence


async def test_who_is_named_goes_first_though_nobody_here_ever_heard_of_them(at: Room) -> None:
    """The authors of hits are known by name beside people who were met."""
    cas = people.caller("Cas Wexford", person=9, channel=11)
    hits = [
        hit(at, "The vault code is kept by Dora", by=cas),
        hit(at, "The vault code is kept by Eve", ago=timedelta(1)),
    ]
    script(at, Hits(hits=(*hits,)))
    evidence = (await at.app.guild_search.look(asking(at, "What did Cas say about the vault code?"))).evidence
    assert "Dora" in evidence[0].content


async def test_three_seconds_are_all(at: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    """For both searches together; past them the source has failed."""
    monkeypatch.setattr(guild_search, "PATIENCE", timedelta(0))
    scripted = script(at)
    scripted.hangs = True
    with pytest.raises(TimeoutError):
        await at.app.guild_search.look(asking(at))


async def test_both_searches_share_three_seconds(at: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    """The first takes nearly all of them and finds nothing; the second, that hangs, has what is left."""
    loop = asyncio.get_running_loop()
    times, real, taken = list[float](), loop.time, 0.0
    monkeypatch.setattr(loop, "time", lambda: real() + taken)

    class Slow(Scripted):
        async def search(
            self, caller: Caller, words: str, *, apart_from: Collection[ChannelId], said: Span | None
        ) -> Hits:
            nonlocal taken
            times.append(loop.time())
            self.hangs = len(times) > 1
            found = await super().search(caller, words, apart_from=apart_from, said=said)
            taken = 2.9
            return found

    at.app.guild_search.connect(Slow())
    with pytest.raises(TimeoutError):
        await at.app.guild_search.look(asking(at, "Which firm repaired the old boiler?"))
    assert (2, True) == (len(times), loop.time() - times[0] < 4)


@pytest.mark.parametrize("backwards", [False, True])
async def test_hits_are_ranked_here_and_not_by_discord(at: Room, *, backwards: bool) -> None:
    """What answers best comes first in whatever order they were handed over."""
    best, other = hit(at, "Osterquill repaired the boiler in the cellar"), hit(at, "Wexford repaired the boiler once")
    script(at, Hits(hits=(other, best) if backwards else (best, other)))
    evidence = (await at.app.guild_search.look(asking(at, "Who repaired the boiler in the cellar?"))).evidence
    assert best.message.content == evidence[0].content


async def test_a_closed_door_is_tried_once(at: Room) -> None:
    """Where something must be switched on first a second search would find the same."""
    scripted = script(at, Hits(why="closed"))
    finding = await at.app.guild_search.look(asking(at, "Which firm repaired the old boiler?"))
    assert ("closed", "", 1) == (finding.why, finding.failed, len(scripted.asked))


async def test_what_fails_is_raised(at: Room) -> None:
    """The walk tells that it could not be reached."""
    script(at, errors.DiscordDown())
    with pytest.raises(errors.DiscordDown):
        await at.app.guild_search.look(asking(at))


async def test_it_stands_as_long_as_nobody_takes_it_back(at: Room) -> None:
    """Deleted, forgotten, declined or erased meanwhile it is not told."""
    found = hit(at, "Osterquill repaired the boiler")
    scripted = script(at, Hits(hits=(found,)))
    shown = (await at.app.guild_search.look(asking(at))).evidence
    search, key = at.app.guild_search, found.message.message_id
    assert await search.stand(at.caller, shown)
    scripted.gone.add(key)
    assert not await search.stand(at.caller, shown)
    scripted.gone.clear()
    await at.app.people.opt_out(PersonId(8), at.clock())
    assert not await search.stand(at.caller, shown)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Who repaired the boiler?", ["repaired", "boiler"]),
        ("What did Christopher say about the boiler?", ["boiler"]),
        ("What has Ann Marie ever written about the old boiler?", ["old", "boiler"]),
        ("According to Christopher, is the boiler old?", ["boiler", "old"]),
        ("What did Christopher say?", ["christopher"]),
        ("When did the Marzipolis festival open?", ["marzipolis", "festival", "open"]),
    ],
)
async def test_who_is_asked_after_is_not_looked_for(at: Room, text: str, words: list[str]) -> None:
    """Their name stands beside what they said; alone it is all there is to look for."""
    scripted = script(at)
    await at.app.guild_search.look(asking(at, text))
    assert " ".join(words) == scripted.asked[0]


async def test_the_rarest_words_are_those_fewest_rows_hold(at: Room) -> None:
    """Counted in messages and memories that everyone here may see; in the order of the question."""
    for text in ("The boiler is old.", "The boiler is loud.", "The stove is old."):
        await at.say(text)
    telling = SearchTerms(at.app.database)
    terms = await telling.words(at.caller, "Is the old boiler or the stove a zeppelin?", at.clock())
    rare: Sequence[str] = [term.token for term in await telling.rarest(at.caller, terms, 2)]
    assert ["stove", "zeppelin"] == rare


async def test_what_may_be_read_of_whom(database: Database, clock: Clock) -> None:
    """Nothing of who opted out, unless they ask themselves; of who erased what is theirs, what they said later."""
    known, then = People(database), datetime(2026, 1, 1, tzinfo=UTC)
    said = {(PersonId(person), then) for person in (1, 2, 3)}
    await known.opt_out(PersonId(1), clock())
    async with database.connection() as connection:
        await connection.execute("INSERT INTO person (person_id, erased_at) VALUES (2, $1)", then)
    later = (PersonId(2), then + timedelta(seconds=1))
    assert {(3, then), later} == await known.readable({*said, later})
    assert {(1, then), (3, then)} == await known.readable(said, asker=PersonId(1))
    assert frozenset() == await known.readable(())


async def test_a_message_is_told_by_its_own_ids(at: Room) -> None:
    """Each once, the channel whose readers are its audience last."""
    found = hit(at, "Osterquill repaired the boiler")
    script(at, Hits(hits=(found,)))
    (one,) = (await at.app.guild_search.look(asking(at))).evidence
    said = found.message
    assert (said.message_id, said.author_id, said.channel_id) == one.elsewhere


async def test_the_time_asked_about_narrows_the_first_search_alone(at: Room) -> None:
    """What happened is told within days; what was said of it later is found by the second, whenever that was."""
    scripted = script(at)
    await at.app.guild_search.look(asking(at, "Who repaired the boiler in 2019?"))
    first, second = scripted.times
    assert first is not None
    assert (datetime(2019, 1, 1, tzinfo=UTC), datetime(2020, 1, 4, tzinfo=UTC), None) == (
        first.start,
        first.end,
        second,
    )


@pytest.mark.parametrize(
    ("text", "start", "end"),
    [
        ("Who repaired the boiler before 2019?", None, datetime(2019, 1, 4, tzinfo=UTC)),
        ("Who has repaired the boiler since 2019?", datetime(2019, 1, 1, tzinfo=UTC), None),
    ],
)
async def test_a_time_that_is_open_to_one_side_narrows_on_the_other(
    at: Room, text: str, start: datetime | None, end: datetime | None
) -> None:
    """From then on, or until then."""
    scripted = script(at)
    await at.app.guild_search.look(asking(at, text))
    assert (start, end) == (scripted.times[0] and scripted.times[0].start, scripted.times[0] and scripted.times[0].end)


@pytest.mark.parametrize("text", ["Who repairs the boiler?", "Who repairs the boiler tomorrow?"])
async def test_what_is_to_come_was_said_before(at: Room, text: str) -> None:
    """As where no time is named, all that was said is searched."""
    scripted = script(at)
    await at.app.guild_search.look(asking(at, text))
    assert {None} == {*scripted.times}


async def test_one_word_is_looked_for_again_without_its_time(at: Room) -> None:
    """It has no rarer one."""
    scripted = script(at)
    await at.app.guild_search.look(asking(at, "What about the boiler in 2019?"))
    assert (["boiler", "boiler"], 1) == (scripted.asked, scripted.times.count(None))
