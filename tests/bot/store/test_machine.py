"""Memory as a whole against a small model of it, over random histories with forgetting, undo, resets and restarts."""

import asyncio
import contextlib
import itertools
import os
from collections.abc import Coroutine, Iterator
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Any, TypeVar

import asyncpg
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from bot import errors
from bot.config import DatabaseSettings
from bot.db import pool
from bot.store.archivist import Ageing
from bot.text.sanitize import counted
from tests.conftest import Clock, copied, on
from tests.conversations import Room, room
from tests.rows import one, rows

T = TypeVar("T")

UNDO = timedelta(minutes=10)
WEEK = timedelta(weeks=1)
TOOLS = ("Rust", "Zig")
"""What may be decided; extraction makes one fact of each sentence about them."""
FACTS = ("The vault is red.", *(f'Ann said: "We decided to use {tool}."' for tool in TOOLS))
WORDS = ("vault", "rust", "decided", "zebra")
_numbers = itertools.count(1)


@dataclass
class Row:
    """One memory of the model."""

    number: int
    content: str
    importance: int
    importance_set: int
    by_person: bool
    tier: str
    seen: int
    pinned: bool
    evidence: frozenset[int]
    reinforced: datetime
    used: datetime
    forgotten: datetime | None = None
    by_forget: bool = False
    aged: datetime | None = None
    """When a person had it aged."""


@dataclass
class Said:
    """One message of a person, or Hathi's answer to one."""

    number: int
    tool: str
    session: int
    hidden: datetime | None = None


@dataclass
class Closed:
    """One reset that may be undone."""

    at: datetime
    new: list[int] = field(default_factory=list[int])
    merged: list[Row] = field(default_factory=list[Row])
    """As they were before."""


def key(content: str) -> str:
    return content.lower().rstrip(".")


class Model:
    """What memory should hold, in plain Python."""

    def __init__(self) -> None:
        self.rows: dict[int, Row] = {}
        self.said: list[Said] = []
        self.tombs: dict[int, tuple[str, frozenset[int]]] = {}
        self.resets: list[Closed] = []
        self.count = 0
        self.session = 1
        self.replies: list[Said] = []
        """Under the numbers of what they answer."""

    @property
    def living(self) -> list[Row]:
        return [row for row in self.rows.values() if row.forgotten is None]

    def known(self, content: str) -> Row | None:
        return next((row for row in self.living if key(row.content) == key(content)), None)

    def save(
        self, content: str, importance: int, now: datetime, *, by_person: bool, evidence: frozenset[int] = frozenset()
    ) -> Row:
        row = self.known(content)
        if row is None:
            self.count += 1
            row = self.rows[self.count] = Row(
                self.count, content, importance, importance, by_person, "short", 1, False, evidence, now, now
            )
            return row
        again = bool(evidence) and evidence <= row.evidence
        row.seen += not again
        row.importance = row.importance_set = max(row.importance_set, importance)
        row.by_person = row.by_person or by_person
        row.evidence |= evidence
        row.tier, row.reinforced, row.used = "short", now, now
        return row

    def age(self, hours: int, now: datetime, *, protected: bool, is_asked: bool = False) -> int:
        due = [
            row
            for row in self.living
            if row.tier == "short"
            and row.reinforced <= now - timedelta(hours=hours)
            and (protected or not (row.pinned or row.importance >= 9 or (row.by_person and row.importance_set >= 8)))
        ]
        for row in due:
            row.tier, row.aged = "long", now if is_asked else None
        return len(due)

    def decay(self, now: datetime) -> int:
        changed = 0
        for row in self.living:
            if not row.pinned and row.importance_set < 9:
                worth = max(min(3, row.importance_set), row.importance_set - max(0, (now - row.used) // WEEK))
                changed += worth != row.importance
                row.importance = worth
        return changed

    def recall(self, word: str, now: datetime) -> tuple[set[int], set[int], set[int]]:
        """The memories and the messages that are to be found, and the messages that may be for what they stand by."""
        found = [row for row in self.living if word in row.content.lower()]
        quoted = {e for row in found for e in row.evidence}
        visible = [s for s in self.said if s.hidden is None]
        said = {s.number for s in visible if word in f"we decided to use {s.tool.lower()}"}
        beside = set[int]()
        for session in {s.session for s in visible}:
            run = [s.number for s in visible if s.session == session]
            beside |= {n for at, n in enumerate(run) if said.intersection(run[max(0, at - 2) : at + 3])}
        for row in found:
            if row.used < now - timedelta(hours=1):
                row.used = now
        return {row.number for row in found}, said - quoted, beside - said

    def forget(self, row: Row, now: datetime) -> None:
        row.forgotten, row.by_forget = now, True
        self.tombs[row.number] = (key(row.content), row.evidence)
        held = {e for other in self.living for e in other.evidence}
        gone = {s.number for s in self.said if s.number in row.evidence - held and s.hidden is None}
        for said in (*self.said, *self.replies):
            if said.number in gone and said.hidden is None:
                said.hidden = now

    def undo(self, now: datetime) -> str | None:
        """What undo is about to say first; none when there is nothing."""
        forgets = [r for r in self.rows.values() if r.by_forget and r.forgotten and r.forgotten > now - UNDO]
        last = max(forgets, key=lambda r: r.forgotten or now, default=None)
        reset = self.resets[-1] if self.resets and self.resets[-1].at > now - UNDO else None
        aged = max((r.aged for r in self.living if r.tier == "long" and r.aged and r.aged > now - UNDO), default=None)
        others = [at for at in (last and last.forgotten, reset and reset.at) if at is not None]
        if aged is not None and aged > max(others, default=aged - UNDO):
            return self._undo_age(aged)
        if last is None and reset is None:
            return None
        if last is not None and last.forgotten is not None and (reset is None or last.forgotten > reset.at):
            return self._undo_forget(last, last.forgotten)
        assert reset is not None
        return self._undo_reset(self.resets.pop(), now)

    def _undo_age(self, at: datetime) -> str:
        back = [row for row in self.living if row.tier == "long" and row.aged == at]
        for row in back:
            row.tier, row.aged = "short", None
        return f"Moved {counted(len(back), 'memory')} back"

    def _undo_forget(self, row: Row, at: datetime) -> str:
        self._unhide(at)
        del self.tombs[row.number]
        if self.known(row.content):
            del self.rows[row.number]
            return "[memory] It has been said again"
        row.forgotten, row.by_forget = None, False
        return f"[memory] back: #{row.number}"

    def _undo_reset(self, reset: Closed, now: datetime) -> str:
        for number in reset.new:
            row = self.rows.get(number)
            if row is not None and row.forgotten is None and row.reinforced == reset.at:
                row.forgotten, row.by_forget = now, False
        for before in reset.merged:
            row = self.rows.get(before.number)
            if row is not None and row.forgotten is None and row.reinforced == reset.at:
                self.rows[row.number] = replace(before, pinned=row.pinned)
        self._unhide(reset.at)
        return "[memory] "

    def _unhide(self, at: datetime) -> None:
        for said in (*self.said, *self.replies):
            if said.hidden == at:
                said.hidden = None

    def reset(self, now: datetime, *, discard: bool) -> None:
        here = [s for s in self.said if s.session == self.session and s.hidden is None]
        answers = [r for r in self.replies if r.session == self.session and r.hidden is None]
        if not here and not answers:
            return
        closed = Closed(now)
        self.resets.append(closed)
        self.session += 1
        for said in (*here, *answers) if discard else ():
            said.hidden = now
        first = dict[str, Said]()
        for said in () if discard else here:
            first.setdefault(said.tool, said)
        for said in first.values():
            content = f'Ann said: "We decided to use {said.tool}."'
            self._distil(content, said, closed, now)
        self.age(48, now, protected=False)

    def _distil(self, content: str, said: Said, closed: Closed, now: datetime) -> None:
        buried = {e for _, evidence in self.tombs.values() for e in evidence}
        if key(content) in {words for words, _ in self.tombs.values()} or said.number in buried:
            return
        known = self.known(content)
        if known is not None:
            closed.merged.append(replace(known))
        row = self.save(content, 7, now, by_person=False, evidence=frozenset({said.number}))
        if known is None:
            closed.new.append(row.number)

    def erase(self, now: datetime) -> int:
        gone = [row for row in self.rows.values() if row.forgotten and row.forgotten <= now - UNDO]
        for row in gone:
            del self.rows[row.number]
        before = len(self.said) + len(self.replies)
        self.said = [said for said in self.said if not said.hidden or said.hidden > now - UNDO]
        self.replies = [reply for reply in self.replies if not reply.hidden or reply.hidden > now - UNDO]
        return len(gone) + before - len(self.said) - len(self.replies)


class Machine(RuleBasedStateMachine):
    """One person in one channel of one application, and the model of what it should remember."""

    server_address = ""

    def __init__(self) -> None:
        super().__init__()
        self.name = f"machine_{os.getpid()}_{next(_numbers)}"
        self.runner = asyncio.Runner()
        self.clock = Clock()
        self.model = Model()
        self.erased = set[int]()
        self.stack = contextlib.AsyncExitStack()
        self.room: Room | None = None

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        return self.runner.run(work)

    @property
    def here(self) -> Room:
        assert self.room is not None
        return self.room

    @initialize()
    def begin(self) -> None:
        self.run(copied(self.server_address, self.name))
        self.run(self._open())

    async def _on_server(self, statement: str) -> None:
        admin = await asyncpg.connect(self.server_address)
        await admin.execute(statement)
        await admin.close()

    async def _open(self) -> None:
        self.database = await self.stack.enter_async_context(
            pool.opened(on(self.server_address, self.name), DatabaseSettings())
        )
        self.room = await self.stack.enter_async_context(room(self.database, self.clock))

    def teardown(self) -> None:
        self.run(self.stack.aclose())
        self.run(self._on_server(f"DROP DATABASE IF EXISTS {self.name} WITH (FORCE)"))
        self.runner.close()

    # --- what may happen ---

    @rule(content=st.sampled_from(FACTS), importance=st.sampled_from([2, 5, 8, 9]), shout=st.booleans())
    def remember(self, content: str, importance: int, shout: bool) -> None:
        text = content.upper() if shout else content
        was_known = self.model.known(content)
        told = self.run(self.here.run(f"!remember {text} importance:{importance}"))
        row = self.model.save(text, importance, self.clock(), by_person=True)
        assert (f"(imp={row.importance}) #{row.number}" in told, "known already" in told) == (
            True,
            was_known is not None,
        )

    @rule(tool=st.sampled_from(TOOLS))
    def decide(self, tool: str) -> None:
        self.run(self.here.say(f"We decided to use {tool}."))
        number = self.run(self._value("SELECT max(message_id) FROM message WHERE role = 'person'"))
        self.model.said.append(Said(number, tool, self.model.session))
        self.model.replies.append(replace(self.model.said[-1]))

    @rule(word=st.sampled_from(WORDS), tier=st.sampled_from([None, "short", "long"]))
    def recall(self, word: str, tier: str | None) -> None:
        from bot.domain import Tier
        from bot.recall.query import Query

        now = self.clock.forward(seconds=1)
        # However little the best stands out: when to be silent is no matter of what is remembered.
        query = Query(text=word, as_of=now, tier=Tier(tier) if tier else None, limit=200, least=0.0)
        found = self.run(self.here.app.librarian.recall(self.here.caller, query))
        memories = [memory.memory_id for memory in found.memories]
        if tier is not None:
            assert {r.number for r in self.model.living if r.tier == tier and word in r.content.lower()} == {*memories}
            return
        self.run(self.here.app.archivist.touch(self.here.caller.space_id, memories, now=now))
        rows, said, beside = self.model.recall(word, now)
        messages = {message.message_id for message in found.messages}
        assert (rows, said) == ({*memories}, messages - beside)

    @rule(hours=st.sampled_from([1, 24, 48]), protected=st.booleans())
    def age(self, hours: int, protected: bool) -> None:
        self.clock.forward(hours=hours)
        word = " include:protected" if protected else ""
        admin = replace(self.here.caller, is_admin=True)
        told = self.run(self.here.run(f"!age older_than_hours:{hours}{word}", by=admin))
        moved = self.model.age(hours, self.clock(), protected=protected, is_asked=True)
        assert (told.startswith(f"Aged {counted(moved, 'memory')} "), f"{hours}h" in told) == (True, True)

    @rule(days=st.sampled_from([0, 3]))
    def upkeep_ages(self, days: int) -> None:
        self.clock.forward(days=days)
        self.run(self.here.app.archivist.age([self.here.caller.space_id], Ageing(), now=self.clock()))
        self.model.age(48, self.clock(), protected=False)

    @rule(days=st.sampled_from([0, 8, 40]))
    def decay(self, days: int) -> None:
        self.clock.forward(days=days)
        changed = self.run(self.here.app.archivist.decay([self.here.caller.space_id], now=self.clock()))
        assert self.model.decay(self.clock()) == changed

    @precondition(lambda self: self.model.living)
    @rule(data=st.data())
    def forget(self, data: st.DataObject) -> None:
        row = data.draw(st.sampled_from(self.model.living))
        self.run(self.here.run(f"!forget {row.number}"))
        self.model.forget(row, self.clock())

    @precondition(lambda self: self.model.living)
    @rule(data=st.data(), pinned=st.booleans())
    def pin(self, data: st.DataObject, pinned: bool) -> None:
        row = data.draw(st.sampled_from(self.model.living))
        self.run(self.here.run(f"!{'pin' if pinned else 'unpin'} {row.number}"))
        row.pinned = pinned
        row.tier = "short" if pinned else row.tier

    @rule()
    def undo(self) -> None:
        try:
            told = self.run(self.here.run("!undo"))
        except errors.NotFound:
            told = None
        expected = self.model.undo(self.clock())
        assert told is None if expected is None else told is not None and told.startswith(expected)

    @rule(discard=st.sampled_from([False, False, True]))
    def reset(self, discard: bool) -> None:
        self.run(self.here.reset("!reset discard" if discard else "!reset"))
        self.model.reset(self.clock(), discard=discard)

    @rule()
    def erase(self) -> None:
        before = set(self.model.rows)
        gone = self.run(self.here.app.archivist.erase([self.here.caller.space_id], now=self.clock()))
        assert self.model.erase(self.clock()) == gone
        self.erased |= before - set(self.model.rows)

    @rule(minutes=st.sampled_from([4, 11]))
    def time_passes(self, minutes: int) -> None:
        self.clock.forward(minutes=minutes)

    @rule()
    def restart(self) -> None:
        self.run(self.stack.aclose())
        self.stack = contextlib.AsyncExitStack()
        self.run(self._open())

    # --- what always holds ---

    @invariant()
    def the_same_rows_live(self) -> None:
        if self.room is None:
            return
        found = self.run(
            self._rows(
                "SELECT memory_id, content, importance, importance_set, source <> 'summary', tier, seen_count, pinned, "
                "evidence, reinforced_at, last_used_at, forgotten_at FROM memory ORDER BY memory_id"
            )
        )
        assert [*self._expected()] == found
        assert self.erased.isdisjoint(row[0] for row in found)

    @invariant()
    def a_fact_is_one_row(self) -> None:
        if self.room is not None:
            doubles = self._rows(
                "SELECT channel_id, content_hash FROM memory WHERE forgotten_at IS NULL AND superseded_by IS NULL "
                "GROUP BY 1, 2 HAVING count(*) > 1"
            )
            assert self.run(doubles) == []

    def _expected(self) -> Iterator[tuple[Any, ...]]:
        for number, row in sorted(self.model.rows.items()):
            yield (
                number,
                row.content,
                row.importance,
                row.importance_set,
                row.by_person,
                row.tier,
                row.seen,
                row.pinned,
                sorted(row.evidence),
                row.reinforced,
                row.used,
                row.forgotten,
            )

    async def _rows(self, query: Any) -> list[tuple[Any, ...]]:
        return await rows(self.database, query)

    async def _value(self, query: Any) -> Any:
        return await one(self.database, query)


def test_memory_holds_what_its_model_holds(server: str) -> None:
    """After every step of every history: the same rows, one row a fact, the same recall, and nothing erased is back."""

    class Here(Machine):
        server_address = server

    run_state_machine_as_test(Here, settings=settings(max_examples=15, stateful_step_count=40, derandomize=True))
