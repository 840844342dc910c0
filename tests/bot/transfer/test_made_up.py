"""The law of any space at all: what is imported is what is exported, however odd, however much."""

import json
import time
import types
import typing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

import annotated_types
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pydantic import AwareDatetime

from bot import transfer
from bot.db.pool import Database
from bot.domain import TERMINAL_PERSON
from bot.transfer import records
from tests.transfers import ODD, SPACE_TABLES, community, exported, write

TIMES: Final = st.datetimes(datetime(1990, 1, 1), datetime(2200, 1, 1), timezones=st.just(UTC)).map(  # noqa: DTZ001
    lambda at: at.isoformat(timespec="microseconds")
)
TEXT: Final = st.one_of(
    st.sampled_from(ODD), st.text(st.characters(exclude_categories=("Cs",), exclude_characters="\0"), max_size=40)
)
JSON: Final = st.dictionaries(
    TEXT,
    st.recursive(st.none() | st.booleans() | st.integers() | TEXT, lambda c: st.lists(c, max_size=3), max_leaves=4),
    max_size=3,
)


def strategy(annotation: Any, metadata: list[Any]) -> st.SearchStrategy[Any]:
    """Values a field takes, by what its model says."""
    if typing.get_origin(annotation) is typing.Annotated and annotation is not AwareDatetime:
        inner, *more = typing.get_args(annotation)
        return strategy(inner, [m for one_ in more for m in getattr(one_, "metadata", [one_])])
    match typing.get_origin(annotation) or annotation:
        case types.UnionType | typing.Union:
            return st.one_of(*(strategy(part, metadata) for part in typing.get_args(annotation)))
        case typing.Literal:
            return st.sampled_from(typing.get_args(annotation))
        case builtin if builtin is list:
            sizes: dict[type, Any] = {type(m): m for m in metadata}
            least = sizes[annotated_types.MinLen].min_length if annotated_types.MinLen in sizes else 0
            most = sizes[annotated_types.MaxLen].max_length if annotated_types.MaxLen in sizes else 4
            return st.lists(strategy(typing.get_args(annotation)[0], []), min_size=least, max_size=most)
        case builtin if builtin is int:
            bounds: dict[type, Any] = {type(m): m for m in metadata}
            most = bounds[annotated_types.Le].le if annotated_types.Le in bounds else bounds[annotated_types.Lt].lt - 1
            least = bounds[annotated_types.Ge].ge if annotated_types.Ge in bounds else bounds[annotated_types.Gt].gt + 1
            return st.integers(least, most)
        case builtin if builtin is str and any(getattr(m, "pattern", None) for m in metadata):
            return st.binary(max_size=32).map(lambda b: "\\x" + b.hex())
        case builtin if builtin is str:
            return TEXT.filter(bool)
        case builtin if builtin is bool:
            return st.booleans()
        case types.NoneType:
            return st.none()
        case typing.Any:
            return JSON
        case _:
            return TIMES


def of(kind: str) -> st.SearchStrategy[dict[str, Any]]:
    """Lines of one kind."""
    return st.fixed_dictionaries(
        {name: strategy(f.annotation, f.metadata) for name, f in records.KINDS[kind].model_fields.items()}
    )


KEYS: Final[dict[str, tuple[str, ...]]] = {
    "channel": ("channel_id",),
    "place_setting": ("channel_id", "name"),
    "person": ("person_id",),
    "member": ("person_id", "name"),
    "session": ("session_id",),
    "message": ("message_id",),
    "turn": ("turn_id",),
    "chat_summary": ("summary_id",),
    "chunk": ("chunk_id",),
    "memory": ("memory_id",),
    "tombstone": ("memory_id",),
}


@st.composite
def files(draw: st.DrawFn) -> list[dict[str, Any]]:
    """A space of any shape that can be: keys are unique, and what is named is there."""
    rows = {
        kind: draw(st.lists(of(kind), max_size=5, unique_by=lambda r, k=KEYS[kind]: tuple(r[n] for n in k)))
        for kind in KEYS
    }
    people_ = {m["person_id"] for m in rows["member"]}
    rows["person"] = [draw(of("person")) | {"person_id": person} for person in people_ & {TERMINAL_PERSON}]
    for number, session in enumerate(rows["session"]):
        session |= {"number": number, "state": "closed", "closed_at": session["closed_at"] or session["opened_at"]}
        session |= {"was_reset": bool(session["was_reset"])}
    for channel in rows["channel"]:
        channel |= {"open_session_id": None, "session_count": len(rows["session"])}
        if channel["ledger_through"] is None and channel["facts_through"] is None:
            channel |= {"ledger_hash": None, "facts_hash": None}
    said = {m["message_id"]: m for m in rows["message"]}
    rows["turn"] = [draw(of("turn")) | {"turn_id": n} for n in draw(st.sets(st.sampled_from([*said])))] if said else []
    files_of = draw(st.sets(st.sampled_from([*said]))) if said else set[int]()
    rows["attachment"] = [draw(of("attachment")) | {"message_id": n} for n in sorted(files_of)]
    for file in rows["attachment"]:
        file["state"] = "text" if file["content"] else "unreadable"
    for number, summary in enumerate(rows["chat_summary"]):
        # Of a session, or a version of a rolling summary.
        summary.update(
            {"session_id": number, "chunk_id": None} if number % 2 else {"session_id": None, "chunk_id": number}
        )
    for memory in rows["memory"]:
        memory["channel_id"] = memory["memory_id"]
    numbers = [m["memory_id"] for m in rows["memory"]]
    rows["event"] = (
        [draw(of("event")) | {"memory_id": n} for n in sorted(draw(st.lists(st.sampled_from(numbers), max_size=5)))]
        if numbers
        else []
    )
    space: dict[str, Any] = draw(of("space")) | {"language": "english", "memory_count": max([0, *numbers])}
    for what in ("roles", "channels"):
        space[f"{what}_blocked"] = [each for each in space[f"{what}_blocked"] if each not in space[f"{what}_allowed"]]
    for kind, key in KEYS.items():
        rows[kind].sort(key=lambda r, k=key: tuple(v.encode() if isinstance(v := r[n], str) else v for n in k))
    return [space, *(row for kind in records.KINDS if kind != "space" for row in rows[kind])]


@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(rows=files())
async def test_whatever_a_space_holds_comes_through(
    rows: list[dict[str, Any]], database: Database, tmp_path: Path
) -> None:
    """Any text, any time to the microsecond, any number, any null: what is imported is what is exported."""
    async with database.connection() as connection:
        await connection.execute("TRUNCATE " + ", ".join(SPACE_TABLES) + " CASCADE")
    for name in ("f", "g"):
        (tmp_path / name).unlink(missing_ok=True)
    write(tmp_path / "f", rows)
    await transfer.import_from(database, tmp_path / "f", language="english")
    await transfer.export_to(database, tmp_path / "g")
    assert rows == [json.loads(line) for line in (tmp_path / "g").read_text("utf-8").split("\n")[1:-2]]


async def test_five_thousand_rows_go_quickly(database: Database, target: Database, tmp_path: Path) -> None:
    """Batches, not a statement a row: a year of a small community moves in seconds."""
    rows = community(messages=3000, memories=2000)
    write(tmp_path / "f", rows)
    begun = time.monotonic()
    await transfer.import_from(database, tmp_path / "f", language="english")
    before = await exported(database, tmp_path / "one.jsonl")
    await transfer.import_from(target, tmp_path / "one.jsonl", language="english")
    assert before == await exported(target, tmp_path / "two.jsonl")
    assert time.monotonic() - begun < 30
