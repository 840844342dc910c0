"""SIGKILL at every step of a turn, of a reset and of what takes memories away: nothing is lost, nothing is done twice.

Each test finds the steps by one run that is not killed, then kills a process of its own at each of them, and looks at
what a second process makes of it. A step that only reads leaves all as it was, so nobody is killed there anew.
"""

import itertools
import json
import re
from collections.abc import AsyncGenerator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import pytest

from bot.config import DatabaseSettings
from bot.db import pool, statements
from bot.db.pool import Database
from bot.store import chunks
from tests.faults import crashes
from tests.faults.crashes import Done, Driver, Found, later
from tests.faults.driver import Job
from tests.faults.points import but_reads
from tests.model_server import ModelServer, Reply
from tests.rows import column, rows

STORY: Final = "Once upon. A time there was a parser."
NOTED: Final = "Noted, Ann."
FACT: Final = "The retro is on Tuesday."
ASKED: Final = "remember that the vault code is 4417."
DECIDED: Final = "We decided to ship the parser on Friday."
GATE: Final = re.compile(r"Gate \d+ was red\.")
FILLER: Final = " The orchard has many trees and the well has plenty of water, so nobody was in want." * 15
LEDGER: Final = """
INSERT INTO chunk
    (space_id, chunk_id, channel_id, session_id, first_message_id, last_hash, messages, text, model, created_at)
SELECT c.space_id, n, c.channel_id, c.open_session_id, n, '', ARRAY[n], format('Gate %s0 was red.%s', n, $3::text), 'm',
       now()
FROM channel c, generate_series(1, $2::integer) AS n WHERE c.space_id = ANY ($1::bigint[])"""


@dataclass(frozen=True, kw_only=True)
class Recovery:
    """How the next process knows that the killed one is gone, and how long after it starts."""

    alone: bool = False
    elsewhere: bool = False
    after: float
    """Seconds."""


RECOVERIES: Final = {
    "alone": Recovery(alone=True, after=5),
    "same machine": Recovery(after=5),
    "lease over": Recovery(elsewhere=True, after=90),
}


@dataclass(frozen=True, kw_only=True)
class Scene:
    """What is said before, and the line whose every step is a place to die at."""

    line: str
    before: tuple[str, ...] = ()
    calls: tuple[tuple[str, dict[str, Any]], ...] = ()
    model: bool = False
    keep_every: float = 1.0
    reply: str = ""
    """The whole reply, where it is always the same."""
    memories: int = 0
    """How many there are of what the line asks for, in the end."""
    chunk: int = 0
    """How many messages become memory by themselves, in place of the line."""
    portion: int = 0
    """Of how many tokens the line makes a chunk; 0 where that is not asked."""
    learn: int = 0
    """How many of before are learned, in place of the line."""
    batch: int = 0
    """Of how many texts or memories the line changes everything at once; 0 for as many as ever."""
    ledger: int = 0
    """How many chunks are there that are rolled and condensed, in place of the line."""

    @property
    def lines(self) -> tuple[str, ...]:
        """What is typed."""
        return (self.line,) if self.line else ()


@dataclass
class Stage:
    """A driver, the database it works on, and the model it asks."""

    driver: Driver
    dsn: str
    database: Database
    server: ModelServer
    scene: Scene
    points: list[str] = field(default_factory=list[str])
    """The steps of the scene's line."""
    whole: int = 0
    """The space in which nobody was killed."""

    def job(self, *spaces: int, **fields: Any) -> Job:
        """A job in the scene."""
        return Job(
            dsn=self.dsn,
            spaces=spaces,
            model=self.server.base_url if self.scene.model else None,
            keep_every=self.scene.keep_every,
            chunk=self.scene.chunk,
            portion=self.scene.portion,
            learn=self.scene.learn,
            batch=self.scene.batch,
            roll=self.scene.ledger > 0,
            **fields,
        )

    async def prepare(self, spaces: int) -> list[int]:
        """Fresh spaces, in each of which everything before the line was said."""
        fresh = [crashes.new_space() for _ in range(spaces)]
        if self.scene.before or self.scene.ledger:
            await self.driver.run(Job(dsn=self.dsn, spaces=(fresh[0],), at=later(), lines=self.scene.before))
            await crashes.copied(self.database, fresh[0], fresh[1:])
        if self.scene.ledger:
            async with self.database.connection() as connection:
                await connection.execute(LEDGER, fresh, self.scene.ledger, FILLER)
        return fresh

    async def steps(self) -> list[tuple[int, int]]:
        """Every step of the line that changes or shows something, each with a prepared space to die in."""
        (self.whole,) = await self.prepare(1)
        done = await self.driver.run(self.job(self.whole, at=later(minutes=1), lines=self.scene.lines))
        assert done.code == 0
        self.points = done.points
        steps = [step for step, name in enumerate(done.points, 1) if but_reads([name])]
        return [*zip(steps, await self.prepare(len(steps)), strict=True)]

    async def kill(self, space: int, step: int) -> Done:
        """What a process told that killed itself at the step."""
        done = await self.driver.run(self.job(space, at=later(minutes=1), lines=self.scene.lines, kill=step))
        done_for_good, whole = but_reads(done.points), but_reads(self.points)
        assert (done.killed, len(done.points), done_for_good) == (True, step, whole[: len(done_for_good)])
        return done

    async def again(self, *spaces: int, recovery: Recovery, after: float = 0, **fields: Any) -> Done:
        """What the next process does: it recovers, and then what it is asked for."""
        done = await self.driver.run(
            self.job(
                *spaces,
                at=later(minutes=1, seconds=recovery.after + after),
                recover=True,
                alone=recovery.alone,
                elsewhere=recovery.elsewhere,
                **fields,
            )
        )
        assert done.code == 0
        return done

    async def found(self, space: int) -> Found:
        """What lies in the space, having checked what must hold at any time."""
        held = await crashes.found(self.database, space)
        crashes.whole(held)
        return held


def _answer(scene: Scene, body: dict[str, Any]) -> Reply:
    if scene.ledger:
        return Reply(text=" ".join(dict.fromkeys(GATE.findall(body["messages"][-1]["content"]))))
    if "response_format" in body:
        fact = {"room": "projects", "topic": "retro", "content": DECIDED, "importance": 5, "evidence": [1]}
        return Reply(text=json.dumps({"summary": "They met.", "facts": [fact]}))
    if body["messages"][-1]["role"] == "tool":
        return Reply(text=NOTED, pieces=2)
    return Reply(calls=scene.calls) if scene.calls else Reply(text=STORY, pieces=3)


@pytest.fixture
async def stage(dsn: str, drivers: Path, scene: Scene) -> AsyncGenerator[Stage]:
    """Everything a test of one scene needs."""
    async with (
        pool.opened(dsn, DatabaseSettings(pool_size=2)) as database,
        crashes.driver(drivers) as driver,
        ModelServer(always=lambda body: _answer(scene, body)) as server,
    ):
        async with database.connection() as connection:
            # The first to forget in a database makes it, and no other.
            await connection.execute(statements.named("archivist.create_mac_key"), bytes(32))
        yield Stage(driver=driver, dsn=dsn, database=database, server=server, scene=scene)


OFFLINE: Final = Scene(line="The kettle is on.")
STREAMING: Final = Scene(line="Tell me a story.", model=True, reply=STORY)
TURNS: Final = {
    "offline": OFFLINE,
    "remember": Scene(line=ASKED, memories=1),
    "streaming": STREAMING,
    "streaming, every piece kept": Scene(line="Tell me a story.", model=True, reply=STORY, keep_every=0),
    "tool call": Scene(
        line="The retro is on Tuesday, by the way.",
        model=True,
        reply=NOTED,
        memories=1,
        calls=(("memory_save", {"content": FACT, "topic": "retro"}),),
    ),
}


@pytest.mark.parametrize("scene", TURNS.values(), ids=TURNS.keys())
async def test_a_turn_killed_at_any_step_has_one_reply_and_one_of_everything(stage: Stage) -> None:
    """Killed before a word was kept it is answered; after, it has what was kept; and never is anything done twice."""
    seen: set[str] = set()
    spaces: dict[int, Found] = {}
    ways = itertools.cycle(RECOVERIES.values())
    for step, space in await stage.steps():
        killed = await stage.kill(space, step)
        before = await stage.found(space)
        asked = len(stage.server.requests)
        told = await stage.again(space, recovery=next(ways))
        after = spaces[space] = await stage.found(space)
        where = f"step {step}: {stage.points[step - 1]}"
        if not before.turns:
            assert (after.questions, killed.out, told.out) == ([], "", ""), where
            continue
        (turn,) = before.turns
        (question,), (reply,) = after.questions, after.replies
        seen.add(turn["state"])
        assert (question["content"], after.turns[0]["state"]) == (stage.scene.line, "answered"), where
        _is_the_right_reply(stage.scene, turn, reply, killed, told, where)
        if turn["state"] in {"sending", "answered"}:
            assert len(stage.server.requests) == asked, f"{where}: the model was asked again"
        else:
            assert killed.out == "", f"{where}: shown before it was kept"
        assert [m["seen_count"] for m in after.memories] == [1] * stage.scene.memories, where
    # In a channel where nothing is in hand a turn is claimed as it is recorded.
    assert seen == {"claimed", "sending", "answered"}
    told = await stage.again(*spaces, recovery=RECOVERIES["lease over"], after=90)
    assert (told.out, {space: await stage.found(space) for space in spaces}) == ("", spaces), "recovered twice"


@pytest.mark.parametrize("scene", [OFFLINE], ids=["offline"])
@pytest.mark.parametrize("recovery", RECOVERIES.values(), ids=RECOVERIES.keys())
async def test_every_way_of_knowing_that_a_process_is_gone_finds_every_state(stage: Stage, recovery: Recovery) -> None:
    """Claimed or sending: the next process has it taken over and closed."""
    steps = dict(await stage.steps())
    for name in ("turn.record", "turn.sending"):
        step = 1 + stage.points.index(name)
        await stage.kill(steps[step], step)
        told = await stage.again(steps[step], recovery=recovery)
        held = await stage.found(steps[step])
        assert ([t["state"] for t in held.turns], len(held.replies)) == (["answered"], 1), name
        assert told.out.startswith("[before I stopped you asked] "), name


def _is_the_right_reply(scene: Scene, turn: Any, reply: Any, killed: Done, told: Done, where: str) -> None:
    """What was kept of the answer if it had begun, else a whole one; and the person is told which."""
    question, content = scene.line, reply["content"]
    match turn["state"]:
        case "sending":
            kept = turn["kept"]
            assert (content, reply["cut_off"]) == (kept, not turn["kept_whole"]), where
            mark = "" if turn["kept_whole"] else " [cut off]"
            head, whole, below = told.out.partition(f"[before I stopped you asked] {question}\n{kept}{mark}\n")
            assert (head, bool(whole), FACT in below) == ("", True, bool(scene.calls)), where
            assert scene.calls or below == "", where
            assert killed.out.startswith(kept) or kept.startswith(killed.out.rstrip("\n")), where
        case "answered":
            assert told.out == "", where
        case _:
            assert not reply["cut_off"], where
            assert scene.reply in {"", content}, where
            assert told.out.startswith(f"[before I stopped you asked] {question}\n{content}"), where


@pytest.mark.parametrize("scene", [STREAMING], ids=["streaming"])
async def test_a_question_older_than_ten_minutes_is_listed_and_not_answered(stage: Stage) -> None:
    """Killed before it was answered it is closed without a reply; what was being sent is still recorded and shown."""
    steps = dict(await stage.steps())
    late = 11 * 60
    for name, state in (("turn.record", "failed"), ("model asked", "failed"), ("turn.sending", "answered")):
        step = 1 + stage.points.index(name)
        space = steps[step]
        await stage.kill(space, step)
        asked = len(stage.server.requests)
        told = await stage.again(space, recovery=RECOVERIES["alone"], after=late)
        held = await stage.found(space)
        assert ([t["state"] for t in held.turns], len(stage.server.requests)) == ([state], asked), name
        listed = f"[not answered before I stopped] {stage.scene.line}\n"
        assert (told.out == listed, held.replies == []) == (state == "failed", state == "failed"), name


LONG: Final = "Hm. " + "The weather was fine. " * 24
RESETS: Final = {
    "by extraction, in two chunks": Scene(line="!reset", before=(DECIDED, LONG, LONG), memories=1, portion=200),
    "by a model": Scene(line="!reset", before=(DECIDED,), model=True, memories=1),
    "with what was asked for": Scene(line="!reset", before=(ASKED, DECIDED), memories=2),
}


@pytest.mark.parametrize("scene", RESETS.values(), ids=RESETS.keys())
async def test_a_reset_killed_at_any_step_is_made_once(stage: Stage) -> None:
    """Asked for again, and retried by upkeep: one summary, each fact once, and an empty history, wherever it died.

    What is in a chunk by then is in no other.
    """
    ways = itertools.cycle(RECOVERIES.values())
    for step, space in await stage.steps():
        await stage.kill(space, step)
        before = await stage.found(space)
        closed = len(before.sessions) == 2
        told = await stage.again(space, recovery=next(ways), lines=() if closed else ("!reset",), upkeep=True)
        after = await stage.found(space)
        where = f"step {step}: {stage.points[step - 1]}"
        assert [s["state"] for s in after.sessions] == ["summarised", "open"], where
        assert [s["message_count"] for s in after.summaries] == [2 * len(stage.scene.before)], where
        assert ("session.hold" in stage.points) == bool(stage.scene.portion)
        assert [m["seen_count"] for m in after.living] == [1] * stage.scene.memories, where
        assert {m["session_id"] for m in (*after.questions, *after.replies)} == {after.sessions[0]["session_id"]}, where
        assert after.sessions[0]["fact_count"] == sum(m["source"] == "summary" for m in after.living), where
        assert ("Summarized" in told.out) == (not before.summaries), where
        covered = await column(
            stage.database, "SELECT unnest(messages) FROM chunk WHERE space_id = $1 ORDER BY 1", space
        )
        assert covered == sorted(m["message_id"] for m in (*after.questions, *after.replies)), where


CHUNKS: Final = {
    "by extraction": Scene(line="", before=(DECIDED, "The parser is slow."), memories=1, chunk=4),
    "by a model": Scene(line="", before=(DECIDED, "The parser is slow."), model=True, memories=1, chunk=4),
}


@pytest.mark.parametrize("scene", CHUNKS.values(), ids=CHUNKS.keys())
async def test_a_chunk_killed_at_any_step_is_made_once(stage: Stage) -> None:
    """The next process makes it, wherever the last died: every message in one chunk, each fact once."""
    ways = itertools.cycle(RECOVERIES.values())
    for step, space in await stage.steps():
        await stage.kill(space, step)
        await stage.again(space, recovery=next(ways))
        after = await stage.found(space)
        where = f"step {step}: {stage.points[step - 1]}"
        said = sorted(m["message_id"] for m in (*after.questions, *after.replies))
        chunks = await rows(stage.database, "SELECT messages, text <> '' FROM chunk WHERE space_id = $1", space)
        through = await rows(
            stage.database, "SELECT ledger_through, facts_through FROM tracker WHERE space_id = $1", space
        )
        assert chunks == [(said, True)], where
        assert through == [(said[-1], said[-1])], where
        assert [m["seen_count"] for m in after.living] == [1] * stage.scene.memories, where


LEARN: Final = Scene(line="", chunk=4, learn=5)


@pytest.mark.parametrize("scene", [LEARN], ids=["learn"])
async def test_a_learning_killed_at_any_step_goes_on_where_it_stopped(stage: Stage) -> None:
    """The next process reads on: every message once and in one chunk, and each fact once.

    Within a transaction it dies once at each kind of statement; else at each commit, and each page.
    """
    ways, seen = itertools.cycle(RECOVERIES.values()), set[str]()
    for step, space in await stage.steps():
        name = stage.points[step - 1]
        if name in seen and name not in {"commit", "page read"}:
            continue
        seen.add(name)
        await stage.kill(space, step)
        await stage.again(space, recovery=next(ways), after=120, upkeep=True)
        where = f"step {step}: {stage.points[step - 1]}"
        said = await column(stage.database, "SELECT message_id FROM message WHERE space_id = $1 ORDER BY 1", space)
        old = await column(
            stage.database, "SELECT unnest(messages) FROM chunk WHERE space_id = $1 AND model = '' ORDER BY 1", space
        )
        covered = await column(
            stage.database, "SELECT unnest(messages) FROM chunk WHERE space_id = $1 AND model <> '' ORDER BY 1", space
        )
        facts = await column(stage.database, "SELECT seen_count FROM memory WHERE space_id = $1", space)
        state = await rows(
            stage.database, "SELECT state, messages_read, recorded FROM learning WHERE space_id = $1", space
        )
        assert (covered, len(said), len(old)) == ([*old, *said], LEARN.learn, LEARN.learn), where
        assert (facts, state) == ([1, 1], [("done", 2 * LEARN.learn, LEARN.learn)]), where


_FILED: Final = tuple(f"!remember Die Häuser {n} sind alt. room:a topic:x" for n in ("eins", "zwei", "drei"))
REWORKS: Final = {
    "language": Scene(line="!settings language german", before=_FILED, batch=1),
    "room": Scene(line="!room rename a z", before=_FILED, batch=1),
}
CHANGED: Final = """
SELECT memory_id, room, search = memory_vector(language, topic, content, tags, entities || key_phrases),
       language, formerly, (SELECT count(*) FROM rework r WHERE r.space_id = s.space_id),
       (SELECT count(*) FROM memory_event e
        WHERE e.space_id = s.space_id AND e.memory_id = m.memory_id AND e.kind = 'moved')
FROM memory m JOIN space s USING (space_id) WHERE s.space_id = $1 ORDER BY memory_id"""


@pytest.mark.parametrize("scene", REWORKS.values(), ids=REWORKS.keys())
async def test_a_change_of_everything_killed_at_any_step_goes_on_where_it_stopped(stage: Stage) -> None:
    """The next process goes on, or is asked anew: it ends as where nobody was killed, and nothing is done twice.

    Within a transaction it dies once at each kind of statement; else at each commit.
    """
    seen, killed = set[str](), list[int]()
    for step, space in await stage.steps():
        name = stage.points[step - 1]
        if name in seen and name != "commit":
            continue
        seen.add(name)
        await stage.kill(space, step)
        killed.append(space)
    for way, recovery in enumerate(RECOVERIES.values()):
        spaces = killed[way :: len(RECOVERIES)]
        await stage.again(*spaces, recovery=recovery, lines=stage.scene.lines, upkeep=True)
    # And once more, when nobody writes as before any longer.
    await stage.again(recovery=RECOVERIES["alone"], after=2400, upkeep=True)
    language, moved = ("english", 1) if "room" in stage.scene.line else ("german", 0)
    whole = [(n, "z" if moved else "a", True, language, "", 0, moved) for n in (1, 2, 3)]
    for space in (stage.whole, *killed):
        assert whole == await rows(stage.database, CHANGED, space), space


ROLL: Final = Scene(line="", model=True, ledger=chunks.MOST_ROLLED + 4)
ROLLED: Final = """
SELECT chunk_id, summary_id, text, message_count, model FROM chat_summary WHERE space_id = $1 ORDER BY chunk_id"""
CONDENSED: Final = """
SELECT through_chunk_id, condensation_id, first_chunk_id, chunks, text, model FROM condensation
WHERE space_id = $1 ORDER BY through_chunk_id"""


@pytest.mark.parametrize("scene", [ROLL], ids=["roll"])
async def test_a_roll_killed_at_any_step_is_made_once(stage: Stage) -> None:
    """The next process makes what is missing: each version and condensation once, as if nobody had been killed.

    Within a transaction, and of a model's events, it dies once at each kind; else at each commit.
    """

    async def made(space: int) -> list[list[Any]]:
        return [await rows(stage.database, query, space) for query in (ROLLED, CONDENSED)]

    seen, before = set[str](), dict[int, list[list[Any]]]()
    for step, space in await stage.steps():
        name = stage.points[step - 1]
        if name in seen and name != "commit":
            continue
        seen.add(name)
        await stage.kill(space, step)
        before[space] = await made(space)
    for way, recovery in enumerate(RECOVERIES.values()):
        await stage.again(*[*before][way :: len(RECOVERIES)], recovery=recovery)
    whole = [_without_ids(each) for each in await made(stage.whole)]
    assert [2, 1] == [*map(len, whole)]
    for space, stood in before.items():
        after = await made(space)
        assert whole == [_without_ids(each) for each in after], space
        assert all(row in found for had, found in zip(stood, after, strict=True) for row in had), space
    held = await column(stage.database, "SELECT worker FROM tracker WHERE space_id = ANY ($1)", [*before])
    assert [None] * len(before) == held


def _without_ids(found: list[Any]) -> list[Any]:
    """What was made, whenever it was."""
    return [(through, *made) for through, _, *made in found]


DISCARD: Final = Scene(line="!reset discard", before=(ASKED, DECIDED))


@pytest.mark.parametrize("scene", [DISCARD], ids=["discard"])
async def test_a_discard_killed_at_any_step_is_whole_or_not_begun(stage: Stage) -> None:
    """Its messages are hidden with the session or not at all, and asked for again it is done once."""
    ways = itertools.cycle(RECOVERIES.values())
    for step, space in await stage.steps():
        await stage.kill(space, step)
        before = await stage.found(space)
        done = [s["state"] for s in before.sessions] == ["discarded", "open"]
        hidden = {m["hidden_at"] is not None for m in (*before.questions, *before.replies)}
        where = f"step {step}: {stage.points[step - 1]}"
        assert hidden == {done}, where
        await stage.again(space, recovery=next(ways), lines=() if done else (stage.scene.line,), upkeep=True)
        after = await stage.found(space)
        assert [s["state"] for s in after.sessions] == ["discarded", "open"], where
        assert ({m["hidden_at"] is not None for m in after.questions}, after.summaries) == ({True}, []), where
        assert [m["source"] for m in after.living] == ["user"], where


FORGET: Final = Scene(line="!forget 1", before=(ASKED, DECIDED))


@pytest.mark.parametrize("scene", [FORGET], ids=["forget"])
async def test_a_forget_killed_at_any_step_is_whole_or_not_begun(stage: Stage) -> None:
    """Memory, message, tombstone and event go together; asked for again it is done once."""
    for step, space in await stage.steps():
        await stage.kill(space, step)
        where = f"step {step}: {stage.points[step - 1]}"
        before = _forgotten(await stage.found(space), where)
        await stage.again(space, recovery=RECOVERIES["same machine"], lines=() if before else (stage.scene.line,))
        assert _forgotten(await stage.found(space), where), where


UNDO: Final = Scene(line="!undo", before=(ASKED, DECIDED, "!forget 1"))


@pytest.mark.parametrize("scene", [UNDO], ids=["undo"])
async def test_undoing_a_forget_killed_at_any_step_is_whole_or_not_begun(stage: Stage) -> None:
    """Memory, message and tombstone come back together; asked for again it is done once."""
    for step, space in await stage.steps():
        await stage.kill(space, step)
        where = f"step {step}: {stage.points[step - 1]}"
        before = _forgotten(await stage.found(space), where)
        await stage.again(space, recovery=RECOVERIES["same machine"], lines=(stage.scene.line,) if before else ())
        after = await stage.found(space)
        assert not _forgotten(after, where), where
        assert [e["kind"] for e in after.events] == ["saved", "forgotten", "restored"], where


def _forgotten(held: Found, where: str) -> bool:
    """Whether memory #1 is forgotten, having checked that all of it is or nothing."""
    gone = held.memories[0]["forgotten_at"] is not None
    last = held.events[-1]["kind"]
    assert len(held.tombstones) == gone, where
    assert (held.questions[0]["hidden_at"] is not None) == gone, where
    assert (last == "forgotten") == gone, where
    return gone


UNDO_RESET: Final = Scene(line="!undo", before=(DECIDED, "The parser is slow.", "!reset"))


@pytest.mark.parametrize("scene", [UNDO_RESET], ids=["undo a reset"])
async def test_undoing_a_reset_killed_at_any_step_is_whole_or_not_begun(stage: Stage) -> None:
    """The facts go with the session's mark or stay with it; asked for again it is done once.

    Of nothing that stood before the reset a summary is left.
    """
    for step, space in await stage.steps():
        await stage.kill(space, step)
        before = await stage.found(space)
        undone = before.sessions[0]["undone_at"] is not None
        where = f"step {step}: {stage.points[step - 1]}"
        assert (before.living == [], before.sessions[0]["fact_count"] == 0) == (undone, undone), where
        await stage.again(
            space, recovery=RECOVERIES["same machine"], lines=() if undone else (stage.scene.line,), upkeep=True
        )
        after = await stage.found(space)
        assert (after.living, [e["kind"] for e in after.events]) == ([], ["saved", "forgotten"]), where
        assert [s["state"] for s in after.sessions] == ["discarded", "open"], where
