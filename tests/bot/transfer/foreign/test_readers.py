"""The laws of what is read of other systems' stores: all of it in Hathi's words, and what can't be read is named."""

import json
import sqlite3
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final
from zoneinfo import ZoneInfo

import pytest

from bot import domain, errors
from bot.domain import Source, Tier
from bot.text import normalize
from bot.transfer.foreign import store_forms, tiered_dump
from bot.transfer.foreign.neutral import (
    ForeignChunk,
    ForeignIdentity,
    ForeignMemory,
    ForeignMessage,
    ForeignNote,
    ForeignRoll,
    ForeignSummary,
    Found,
    Unread,
)
from tests.bot.transfer.foreign import stores

NOW: Final = datetime(2026, 3, 2, 12, tzinfo=UTC)


def read(path: Path, zone: str = "UTC") -> list[Found]:
    """All that is found in a store."""
    return [*store_forms.recognised(path).read(ZoneInfo(zone), NOW)]


def of(kind: type, found: list[Found]) -> list[Any]:
    """What of it is of one kind."""
    return [each for each in found if isinstance(each, kind)]


def test_a_discord_export_is_its_talk(tmp_path: Path) -> None:
    """People's messages with ids, names, replies and files; bots, pins and what can't be read are told by reason."""
    file = stores.discord(
        tmp_path,
        stores.said(11, "Hi <@1002> <:wave:5>", mentions=[{"id": "1002", "name": "bob", "nickname": "Bob B"}]),
        stores.said(12, "Pinned", type="ChannelPinnedMessage"),
        stores.said(13, "Beep", author={"id": "9", "name": "bot", "isBot": True}),
        stores.said(14, "", attachments=[{"id": "1", "fileName": "plan.pdf", "url": "x", "fileSizeBytes": 3}]),
        stores.said(15, "Yes", type="Reply", reference={"messageId": "11", "channelId": "71", "guildId": "7"}),
        stores.said(16, " "),
        {"id": "17", "type": "Default"},
    )
    found = read(file)
    talk = of(ForeignMessage, found)
    assert [(11, "Hi @Bob B :wave:", None), (14, f"{normalize.ATTACHED}plan.pdf]", None), (15, "Yes", 11)] == [
        (each.message_id, each.content, each.reply_to) for each in talk
    ]
    assert {("Ann A", 1001)} == {(each.author, each.author_id) for each in talk}
    assert ["message 2", "message 3", "message 6", "message 7"] == [each.place for each in of(Unread, found)]


def test_a_thread_has_its_parents_audience(tmp_path: Path) -> None:
    """A public thread names the channel it hangs on; a private one is its own audience."""
    for kind, origin in (("GuildPublicThread", 5), ("GuildPrivateThread", None), ("GuildTextChat", None)):
        channel = store_forms.recognised(stores.discord(tmp_path, channel_type=kind)).shape().channel
        assert channel is not None
        assert (71, origin) == (channel.channel_id, channel.origin_id)


def test_a_discord_export_is_read_in_pieces(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """However small the pieces, every message is whole; and a file that was cut says so."""
    file = stores.discord(tmp_path, *(stores.said(n, f'Zoë said: "{n}" \\ 🐘') for n in range(1, 40)))
    whole = read(file)
    monkeypatch.setattr("bot.transfer.foreign.json_stream.BLOCK", 7)
    assert whole == read(file)
    file.write_text(file.read_text("utf-8")[:-200], "utf-8")
    with pytest.raises(errors.TransferError, match="breaks off"):
        read(file)


def test_lines_are_put_in_order(tmp_path: Path) -> None:
    """Newest first or mixed, each channel comes oldest first; what is wrong is told by its line."""
    lines = [
        stores.line("second", minute=2),
        "{broken",
        stores.line("elsewhere", minute=1, channel="lounge"),
        stores.line("first", minute=1),
        json.dumps({"author": "Ann", "text": "x"}),
        stores.line("no zone", minute=3).replace("+00:00", ""),
        stores.line("first", minute=1),
    ]
    found = read(stores.lines(tmp_path, *lines))
    assert ["first", "second", "elsewhere"] == [each.content for each in of(ForeignMessage, found)]
    assert ["line 2", "line 5", "line 6", "line 7"] == [each.place for each in of(Unread, found)]


def test_a_line_without_an_id_has_the_same_one_every_time(tmp_path: Path) -> None:
    """Made of its time and words, so that it sorts with Discord's; a Discord id is kept, any other tells nothing."""
    at = stores.minute(1)
    given = domain.first_id(at) + 77
    lines = [stores.line("a"), stores.line("b"), stores.line("c", id=given), stores.line("d", id="41")]
    first, again = (of(ForeignMessage, read(stores.lines(tmp_path, *each))) for each in (lines, lines[::-1]))
    assert first == again or {e.message_id for e in first} == {e.message_id for e in again}
    ids = {each.content: each.message_id for each in first}
    assert given == ids["c"]
    assert 4 == len({*ids.values()})
    assert all(abs(domain.id_time(each) - at) < timedelta(milliseconds=2) for each in ids.values())


def test_a_dump_of_tiered_memory(tmp_path: Path) -> None:
    """Both tiers with sources, times of the server's zone and counters of their own; and what sessions came to."""
    found = read(stores.tiered(tmp_path), "Europe/Berlin")
    (summary,) = of(ForeignSummary, found)
    assert ("It's settled.\nTwice.", 12, "qwen") == (summary.text, summary.message_count, summary.model)
    short, directive, long = of(ForeignMemory, found)
    assert (Tier.SHORT, Source.SUMMARY, 5, 'He said \\ "no"; it\'s (fine), really') == (
        short.tier,
        short.source,
        short.importance,
        short.content,
    )
    assert (Source.DIRECTIVE, 10) == (directive.source, directive.importance)
    assert (Tier.LONG, Source.USER) == (long.tier, long.source)
    origin = {"system": tiered_dump.SYSTEM, "table": "nova_memory_longterm", "id": 1}
    assert origin | {"shortterm_id": 9, "session_id": "s1"} == long.origin
    assert datetime(2026, 1, 5, 9, tzinfo=UTC) == long.at
    assert datetime(2026, 1, 7, 9, 30, tzinfo=UTC) == long.aged_at
    assert summary.session == short.session
    (bad,) = of(Unread, found)
    assert "importance" in bad.why


def test_a_dump_is_read_in_pieces(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """However small the pieces, it is the same; one that ends in the middle is refused, so is one of other tables."""
    file = stores.tiered(tmp_path)
    whole = read(file)
    monkeypatch.setattr("bot.transfer.foreign.mysql_dump.BLOCK", 5)
    assert whole == read(file)
    file.write_text(file.read_text("utf-8").rstrip()[:-40], "utf-8")
    with pytest.raises(errors.TransferError, match="cut"):
        read(file)
    file.write_text("INSERT INTO `orders` VALUES (1,'x');\n", "utf-8")
    with pytest.raises(errors.TransferError, match="orders"):
        read(file)


def test_a_ledger_keeps_its_tags(tmp_path: Path) -> None:
    """In their order, `auto` first, and the first domain is the topic."""
    found = read(stores.ledger(tmp_path))
    first, second = of(ForeignMemory, found)
    assert ("auto", "domain:kiln", "type:decision", "domain:shop") == first.tags
    assert ("kiln", Tier.LONG, 5) == (first.topic, first.tier, first.importance)
    assert ("auto",) == second.tags
    assert ["entry 3"] == [each.place for each in of(Unread, found)]


def test_a_palace_is_its_rooms(tmp_path: Path) -> None:
    """A memory an item or paragraph, with what is set in under it; notes that live, and who it is."""
    found = read(stores.palace(tmp_path))
    kept = {(each.room, each.topic, each.content) for each in of(ForeignMemory, found)}
    assert {
        ("projects", "about", "What we build: kilns."),
        ("people", "about", "Who is who"),
        ("projects", "kiln", "The kiln is blue.\nIt stands outside."),
        ("projects", "kiln", "Cone 6 is the rule\n  - but not for porcelain"),
        ("projects", "kiln", "Ask Bob first"),
        ("people", "bob", "Bob is the potter."),
    } == kept
    (identity,) = of(ForeignIdentity, found)
    assert identity.text == "I am the archivist of a pottery."
    (note,) = of(ForeignNote, found)
    assert ("Still open", NOW + timedelta(minutes=30)) == (note.text, note.expires_at)
    assert ["scratchpad/s1.json, entry 2"] == [each.place for each in of(Unread, found)]


def test_a_chat_memory_is_read_by_any_of_its_files(tmp_path: Path) -> None:
    """Chunks, the summary behind the chunk it took in, and rows with title, names and phrases; hashes stay.

    “user-specific directory of discussion files”
    """
    folder = stores.chat(tmp_path)
    whole = read(folder)
    assert whole == read(folder / "talk_memories.jsonl")
    assert [("They met.", "aa11"), ("They parted.", "bb22")] == [
        (each.text, each.last_hash) for each in of(ForeignChunk, whole)
    ]
    assert [("All of it.", "bb22")] == [(each.text, each.last_hash) for each in of(ForeignRoll, whole)]
    (memory,) = of(ForeignMemory, whole)
    assert ("The ferry", "The ferry goes at nine.", ("Ann",), ("nine o'clock", "ferry")) == (
        memory.topic,
        memory.content,
        memory.entities,
        memory.key_phrases,
    )
    assert {"last_message_hash": "cc33"} == memory.also
    assert (Tier.LONG, Source.SUMMARY, False) == (memory.tier, memory.source, memory.is_written)


def test_another_shape_is_told_by_what_it_looks_like(tmp_path: Path) -> None:
    """By keys, tables and names of files; never by what people wrote."""
    file = tmp_path / "x"
    for content, like in (
        (b"", "an empty file"),
        (b"\x1f\x8b\x08\x00", "gzip"),
        (b"PK\x03\x04", "zip"),
        (b"Hello there\n", "plain text"),
        (b"<html>", "HTML"),
        (b'{"users": [], "posts": []}', "users, posts"),
        (b'[{"name": "x", "body": "y"}]', "name, body"),
        (b'{"user": "a"}\n{"user": "b"}\n', "JSON lines with user"),
        (b"\x00\x01\x02", "binary"),
    ):
        file.write_bytes(content)
        with pytest.raises(errors.TransferError, match=like) as refused:
            store_forms.recognised(file)
        assert "Hello" not in str(refused.value)
    with sqlite3.connect(tmp_path / "d.db") as connection:
        connection.execute("CREATE TABLE shoes (x)")
    connection.close()
    with pytest.raises(errors.TransferError, match="shoes"):
        store_forms.recognised(tmp_path / "d.db")
    with pytest.raises(errors.TransferError, match=r"folder with d\.db, x"):
        store_forms.recognised(tmp_path)
    with pytest.raises(errors.TransferError, match="can't be read"):
        store_forms.recognised(tmp_path / "nowhere")
