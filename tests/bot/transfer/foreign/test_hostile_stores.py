"""The laws of stores made to do harm: each is read to its end or refused in a sentence, and gives no more."""

import json
import os
import sqlite3
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

import pytest

from bot import errors
from bot.db.pool import Database
from bot.domain import ChannelId, SpaceId
from bot.transfer import foreign
from bot.transfer.foreign import palace_folder, store_forms
from bot.transfer.foreign.neutral import ForeignChunk, Found, Unread
from tests.bot.transfer.foreign import stores
from tests.rows import column

NOW: Final = datetime(2026, 3, 2, 12, tzinfo=UTC)
HALF: Final = "\\ud800"
"""Half of a letter, as JSON has it."""
ENDLESS: Final = "9" * 5000
"""A number of more digits than Python reads."""


def read(path: Path) -> list[Found]:
    return [*store_forms.recognised(path).read(UTC, NOW)]


def refused(path: Path) -> str:
    with pytest.raises(errors.TransferError) as told:
        read(path)
    return str(told.value)


def kept(path: Path) -> list[Found]:
    return [each for each in read(path) if not isinstance(each, Unread)]


def test_halves_of_letters_are_no_error(tmp_path: Path) -> None:
    """Wherever they stand: in a channel's name, an id, a text, a tag or a hash."""
    fields = '"author": "A", "text": "x", "timestamp": "2026-02-01T09:00:00+00:00"'
    lines = stores.lines(
        tmp_path, f'{{{fields}, "channel": "{HALF}"}}', f'{{{fields}, "channel": "g", "id": "{HALF}"}}'
    )
    assert 2 == len(kept(lines))
    ledger = tmp_path / "memory.json"
    ledger.write_text(f'[{{"timestamp": "2026-01-05T10:00:00", "content": "a{HALF}", "tags": ["{HALF}"]}}]', "utf-8")
    assert 1 == len(kept(ledger))


def test_a_number_without_end_is_no_error(tmp_path: Path) -> None:
    """In JSON it is none; in a dump it is a row like others."""
    ledger = tmp_path / "memory.json"
    ledger.write_text(f'[{{"timestamp": "2026-01-05T10:00:00", "content": "a", "tags": [{ENDLESS}]}}]', "utf-8")
    assert "memory.json" in refused(ledger)
    talk = stores.discord(tmp_path, stores.said(1, "x"))
    talk.write_text(talk.read_text("utf-8").replace('"id": "1"', f'"id": {ENDLESS}'), "utf-8")
    assert "general.json" in refused(talk)
    dump = stores.tiered(tmp_path)
    before = len(kept(dump))
    dump.write_text(dump.read_text("utf-8").replace("(1,'vault'", f"({ENDLESS},'vault'"), "utf-8")
    assert before == len(kept(dump))


def test_many_messages_of_one_id_take_no_longer_than_others(tmp_path: Path) -> None:
    """One moment and one id of Discord's, another text each."""
    own = str((int(stores.BEGAN.timestamp() * 1000) - 1_420_070_400_000) << 22)
    path = stores.lines(tmp_path, *(stores.line(f"Said {n}", minute=0, id=own) for n in range(8000)))
    began = time.process_time()
    assert 8000 == len(kept(path))
    assert time.process_time() - began < 8


def test_a_folder_gives_no_file_that_is_not_in_it(tmp_path: Path) -> None:
    """Neither by a link to a file, nor by one to a folder; what is no file is not waited for."""
    home, secret = stores.palace(tmp_path), tmp_path / "home"
    before = len(kept(home))
    secret.mkdir()
    (secret / "key.md").write_text("The private key", "utf-8")
    (secret / "s.json").write_text(
        json.dumps([{"text": "The private key", "time": "2026-03-02T11:30:00+00:00"}]), "utf-8"
    )
    (home / "rooms/people/key.md").symlink_to(secret / "key.md")
    (home / "rooms/all").symlink_to(secret)
    (home / "scratchpad/s2.json").symlink_to(secret / "s.json")
    os.mkfifo(home / "rooms/people/pipe.md")
    found = read(home)
    assert (before, 4) == (
        len([each for each in found if not isinstance(each, Unread)]),
        len([each for each in found if isinstance(each, Unread) and each.why == palace_folder.OUTSIDE]),
    )
    (home / "identity.txt").unlink()
    (home / "identity.txt").symlink_to(secret / "key.md")
    assert "private key" not in str(read(home))


@pytest.mark.parametrize(
    "schema",
    [
        (
            "CREATE VIEW memories AS WITH RECURSIVE c(rowid) AS (SELECT 1 UNION ALL SELECT rowid + 1 FROM c)"
            " SELECT rowid, 'x' AS memory_text FROM c"
        ),
        (
            "CREATE TABLE memories (id INTEGER, memory_text TEXT AS (hex(zeroblob(400000000))));"
            "INSERT INTO memories (id) VALUES (1)"
        ),
        "CREATE TABLE memories (id INTEGER, memory_text TEXT); INSERT INTO memories VALUES (1, zeroblob(40000000))",
        "CREATE TABLE other (id INTEGER)",
    ],
    ids=["without end", "computed", "huge", "none"],
)
def test_a_database_that_computes_is_refused(tmp_path: Path, schema: str) -> None:
    """Its memories are a table of stored values, none larger than a memory can be."""
    home = stores.chat(tmp_path)
    file = home / "talk_vector_memory.db"
    file.unlink()
    connection = sqlite3.connect(file)
    connection.executescript(schema)
    connection.close()
    assert file.name in refused(home)


async def test_what_can_not_be_kept_is_left_out_alone(database: Database, tmp_path: Path) -> None:
    """Of a text with a NUL the rest is kept, one that nobody sees is none; what stands beside it comes."""
    dump = stores.tiered(tmp_path)
    text = dump.read_text("utf-8")
    dump.write_text(text.replace("The vault code", "The \\0vault code").replace("Always answer in French.", "\u200b"))
    wanted: dict[str, Any] = {"space_id": SpaceId(stores.SPACE), "channel": ChannelId(stores.CHANNEL), "now": NOW}
    done = await foreign.take_in(database, dump, foreign.Takeover(write=True, **wanted))
    contents = await column(database, "SELECT content FROM memory ORDER BY memory_id")
    assert ["The vault code is 4417."] == contents[1:]
    assert ("memory", "without text") in done.left


async def test_a_ledger_with_an_odd_hash_comes_and_is_found_by_its_words(database: Database, tmp_path: Path) -> None:
    """As what is summed up here is."""
    home = stores.chat(tmp_path)
    file = home / "talk_memories.jsonl"
    file.write_text(f'{{"text_block": "The harbour is shut.", "hash": "{HALF}"}}\n', "utf-8")
    assert any(isinstance(each, ForeignChunk) for each in read(home))
    wanted: dict[str, Any] = {"space_id": SpaceId(stores.SPACE), "channel": ChannelId(stores.CHANNEL), "now": NOW}
    await foreign.take_in(database, home, foreign.Takeover(write=True, **wanted))
    found = "SELECT text FROM chunk WHERE search @@ to_tsquery('english', 'harbour')"
    assert ["The harbour is shut."] == await column(database, found)
