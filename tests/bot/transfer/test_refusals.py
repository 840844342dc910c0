"""The laws of files: whole and ours or refused in one sentence, private, and never in place of another."""

import io
import json
import re
import stat
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import pytest

from bot import domain, errors, transfer
from bot.db.pool import Database
from tests.conftest import Clock
from tests.rows import one
from tests.transfers import ANN, Life, community, contents, exported, lived, write

Change = Callable[[list[bytes]], list[bytes]]
CUT: Final[dict[str, tuple[Change, str]]] = {
    "an empty file": (lambda _: [], "is empty"),
    "another file": (lambda _: [b"Hello\n"], "`hathi export` wrote"),
    "another JSON file": (lambda _: [b'{"name": "x"}\n'], "`hathi export` wrote"),
    "a list": (lambda _: [b"[1]\n"], "`hathi export` wrote"),
    "binary": (lambda _: [b"\x1f\x8b\x08\xff\xfe"], "`hathi export` wrote"),
    "a later format": (lambda f: [f[0].replace(b'"hathi_export":1', b'"hathi_export":2'), *f[1:]], "has format 2"),
    "a bad header": (lambda f: [f[0].replace(b'"space_id":0', b'"space_id":"0"'), *f[1:]], "line 1: "),
    "another space": (lambda f: [f[0].replace(b'"space_id":0', b'"space_id":7'), *f[1:]], "holds space 7"),
    "cut at a line": (lambda f: f[:-1], "it was cut off"),
    "cut in a line": (lambda f: [*f[:8], f[8][:30]], "line 9: "),
    "only a header": (lambda f: f[:1], "it was cut off"),
    "a line gone": (lambda f: [*f[:8], *f[9:]], "lines when it was written"),
    "a line twice, one gone": (lambda f: [*f[:8], f[7], *f[9:]], "line"),
    "an empty line": (lambda f: [*f[:4], b"\n", *f[4:]], "line 5: "),
    "text in between": (lambda f: [*f[:4], b"hello\n", *f[5:]], "line 5: "),
    "no UTF-8": (lambda f: [*f[:4], b'{"kind":"\xff"}\n', *f[5:]], "line 5: "),
    "an unknown kind": (lambda f: [*f[:4], b'{"kind":"spell"}\n', *f[5:]], "line 5: there is no such kind"),
    "no kind": (lambda f: [*f[:4], b'{"x":1}\n', *f[5:]], "line 5: it says no kind"),
    "after the end": (lambda f: [*f, f[1]], "comes after the end line"),
    "a second space": (lambda f: [*f[:2], f[1], *f[2:]], "there is a second space"),
    "no space first": (lambda f: [f[0], *f[2:]], "right after the header"),
    "a wrong number": (lambda f: swap(f, b'"importance":8', b'"importance":11'), "importance: "),
    "a wrong time": (lambda f: swap(f, b'"said_at":"2026', b'"said_at":"20x6'), "said_at: "),
    "a time no zone can tell": (lambda f: swap(f, b'"said_at":"2026', b'"said_at":"9999'), "said_at: "),
    "a time before all": (lambda f: swap(f, b'"said_at":"2026', b'"said_at":"0001'), "said_at: "),
    "a time without zone": (lambda f: swap(f, b'+00:00","edited_at"', b'","edited_at"'), "said_at: "),
    "an unknown column": (lambda f: swap(f, b'"cut_off":', b'"cut":'), "cut"),
    "a NUL": (lambda f: swap(f, b'"content":"The vault', b'"content":"\\u0000The vault'), "NUL"),
    "a lone surrogate": (lambda f: swap(f, b'"content":"The vault', b'"content":"\\ud800The vault'), "line"),
    "a number too great": (lambda f: swap(f, b'"seen_count":2', b'"seen_count":99999999999'), "seen_count: "),
    "a memory count without a next": (lambda f: count(f, b"memory_count", 2**63 - 1), "memory_count: "),
    "a memory number without a next": (lambda f: count(f, b"memory_id", 2**63 - 1), "memory_id: "),
    "a session count without a next": (lambda f: count(f, b"session_count", 2**31 - 1), "session_count: "),
    "a session count that is behind": (lambda f: count(f, b"session_count", 0), "counts fewer sessions"),
    "a role both allowed and blocked": (
        lambda f: swap(f, b'"roles_allowed":[],"roles_blocked":[]', b'"roles_allowed":[3],"roles_blocked":[3]'),
        "The database refused line 2",
    ),
    "twins": (lambda f: swap(f, b'"memory_id":3,"tier"', b'"memory_id":2,"tier"'), "The database refused line"),
    "an open session that is not there": (
        lambda f: swap(f, b'"open_session_id":1', b'"open_session_id":2'),
        "The open session of channel 0",
    ),
}


def count(lines: list[bytes], name: bytes, number: int) -> list[bytes]:
    """The lines with another number, where there is such a count first."""
    at = next(i for i, line in enumerate(lines) if b'"%s":' % name in line)
    return [*lines[:at], re.sub(rb'"%s":\d+' % name, b'"%s":%d' % (name, number), lines[at]), *lines[at + 1 :]]


def swap(lines: list[bytes], old: bytes, new: bytes) -> list[bytes]:
    """The lines with the first occurrence changed."""
    at = next(i for i, line in enumerate(lines) if old in line)
    return [*lines[:at], lines[at].replace(old, new, 1), *lines[at + 1 :]]


async def test_a_file_that_is_not_whole_and_ours_writes_nothing(
    database: Database, target: Database, clock: Clock, tmp_path: Path
) -> None:
    """One sentence says what is wrong and where, and the database is as it was."""
    await lived(database, clock)
    await transfer.export_to(database, tmp_path / "good")
    good = (tmp_path / "good").read_bytes().splitlines(keepends=True)
    empty = await contents(target)
    told = dict[str, str]()
    for name, (change, _) in CUT.items():
        (tmp_path / "bad").write_bytes(b"".join(change(good)))
        with pytest.raises(errors.TransferError) as refused:
            await transfer.import_from(target, tmp_path / "bad", language="english")
        told[name] = str(refused.value)
        assert empty == await contents(target), name
    assert {name: told[name] for name, (_, words) in CUT.items() if words not in told[name]} == {}
    assert [text for text in told.values() if "\n" in text or "4417" in text] == []


async def test_a_space_with_memories_takes_no_import(
    database: Database, target: Database, clock: Clock, tmp_path: Path
) -> None:
    """Nor one in which anything was said, or forgotten; it is left as it was."""
    await lived(database, clock)
    await transfer.export_to(database, tmp_path / "f")
    life = Life(target, clock)
    await life.enter()
    (number,) = await life.keep("Mine")
    await life.archivist.forget(ANN, domain.MemoryId(number), now=clock())
    await life.archivist.erase([ANN.space_id], now=clock.forward(hours=1))
    before = await contents(target)
    for where, words in (
        (database, "this one holds 9 memories, 14 messages, 1 session already"),
        (target, "Import needs an empty space"),
    ):
        with pytest.raises(errors.TransferError, match=words):
            await transfer.import_from(where, tmp_path / "f", language="english")
    assert before == await contents(target)


@pytest.mark.parametrize(("language", "kept"), [("klingon", "german"), ("polish", "polish"), ("english", "english")])
async def test_a_text_language_nobody_knows_gives_way(
    language: str, kept: str, database: Database, tmp_path: Path
) -> None:
    """The language of the settings is used where the file's is not known; one without a stemmer is known."""
    write(tmp_path / "f", [row | {"language": language} if row["kind"] == "space" else row for row in community()])
    await transfer.import_from(database, tmp_path / "f", language="german")
    assert await one(database, "SELECT language FROM space") == kept


async def test_a_missing_file_is_one_sentence(database: Database, tmp_path: Path) -> None:
    """Nothing there, and a folder, are told apart from a broken database."""
    for file in (tmp_path / "none", tmp_path):
        with pytest.raises(errors.TransferError, match=f"^{file} can't be read: "):
            await transfer.import_from(database, file, language="english")


async def test_an_export_is_private_and_whole(database: Database, clock: Clock, tmp_path: Path) -> None:
    """Only its owner reads it, and nothing else is left beside it."""
    await lived(database, clock)
    await transfer.export_to(database, tmp_path / "f")
    assert (stat.S_IMODE((tmp_path / "f").stat().st_mode), [p.name for p in tmp_path.iterdir()]) == (0o600, ["f"])


async def test_an_existing_file_is_never_replaced(database: Database, clock: Clock, tmp_path: Path) -> None:
    """Whatever is there was there first."""
    await lived(database, clock)
    (tmp_path / "f").write_text("mine")
    (tmp_path / "link").symlink_to(tmp_path / "nowhere")
    for name in ("f", "link"):
        with pytest.raises(errors.TransferError, match="exists already"):
            await transfer.export_to(database, tmp_path / name)
    assert ((tmp_path / "f").read_text(), len([*tmp_path.iterdir()])) == ("mine", 2)


async def test_a_failed_export_leaves_no_file(
    database: Database, clock: Clock, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A disk that fills up, a folder that is missing: one sentence, no piece of a file."""
    await lived(database, clock)
    with pytest.raises(errors.TransferError, match="can't be written: No such file"):
        await transfer.export_to(database, tmp_path / "missing" / "f")

    def full(*_: object, **_how: object) -> str:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(json, "dumps", full)
    with pytest.raises(errors.TransferError, match="No space left on device"):
        await transfer.export_to(database, tmp_path / "f")
    assert [*tmp_path.iterdir()] == []


@pytest.mark.parametrize("made", [True, False])
async def test_where_nobody_talked_there_is_nothing_to_export(
    dsn: str, database: Database, tmp_path: Path, *, made: bool
) -> None:
    """Said in a sentence, schema or no schema."""
    if not made:
        async with database.connection() as connection:
            await connection.execute("DROP SCHEMA public CASCADE; CREATE SCHEMA public")
    with pytest.raises(errors.TransferError, match="nothing to export"):
        await transfer.export_to(database, tmp_path / "f")
    assert [*tmp_path.iterdir()] == []


async def test_a_dash_is_standard_output_and_input(
    database: Database, target: Database, clock: Clock, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """So that one machine's export can be piped into another's import."""
    await lived(database, clock)
    before = await exported(database, tmp_path / "one.jsonl")
    out = io.TextIOWrapper(io.BytesIO())
    monkeypatch.setattr(sys, "stdout", out)
    await transfer.export_to(database, Path("-"))
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(out.buffer.getvalue())))
    await transfer.import_from(target, Path("-"), language="english")
    assert before == await exported(target, tmp_path / "two.jsonl")


async def test_a_broken_pipe_stays_one(database: Database, clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    """`hathi export - | head` ends quietly: it is not taken for a database that went away."""
    await lived(database, clock)

    class Gone(io.BytesIO):
        def write(self, _: Any) -> int:
            raise BrokenPipeError

    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(Gone()))
    with pytest.raises(BrokenPipeError):
        await transfer.export_to(database, Path("-"))
