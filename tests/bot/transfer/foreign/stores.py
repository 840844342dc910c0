"""Small stores of other systems, made as their own programs write them."""

import json
import sqlite3
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final

SPACE: Final = 7
CHANNEL: Final = 71
BEGAN: Final = datetime(2026, 2, 1, 9, tzinfo=UTC)


def minute(number: float) -> datetime:
    """So long after the beginning."""
    return BEGAN + timedelta(minutes=number)


def said(number: int, text: str, *, at: datetime | None = None, **fields: Any) -> dict[str, Any]:
    """A message as DiscordChatExporter has it."""
    author = {"id": "1001", "name": "ann", "discriminator": "0000", "nickname": "Ann A", "isBot": False}
    return {
        "id": str(number),
        "type": "Default",
        "timestamp": (at or minute(number)).isoformat(),
        "timestampEdited": None,
        "isPinned": False,
        "content": text,
        "author": author,
        "attachments": [],
        "embeds": [],
        "reactions": [],
        "mentions": [],
    } | fields


def discord(folder: Path, *messages: dict[str, Any], channel_type: str = "GuildTextChat") -> Path:
    """The export of one channel."""
    channel = {"id": str(CHANNEL), "type": channel_type, "categoryId": "5", "category": "Rooms", "name": "general"}
    whole = {
        "guild": {"id": str(SPACE), "name": "Pottery"},
        "channel": channel | {"topic": None},
        "dateRange": {"after": None, "before": None},
        "exportedAt": "2026-03-01T00:00:00+00:00",
        "messages": [*messages],
        "messageCount": len(messages),
    }
    file = folder / "general.json"
    file.write_text(json.dumps(whole, indent=2, ensure_ascii=False), "utf-8")
    return file


def line(text: str, *, minute: float = 1, channel: Any = "general", **fields: Any) -> str:
    """A message as a line."""
    at = (BEGAN + timedelta(minutes=minute)).isoformat()
    return json.dumps({"author": "Ann", "text": text, "timestamp": at, "channel": channel} | fields)


def lines(folder: Path, *each: str) -> Path:
    """Plain JSON lines."""
    file = folder / "talk.jsonl"
    file.write_text("".join(f"{line}\n" for line in each), "utf-8")
    return file


def tiered(folder: Path) -> Path:
    """A dump with a table's columns in another order, several rows a statement, and every kind of escape."""
    file = folder / "nova.sql"
    file.write_text(
        r"""-- MySQL dump 10.13  Distrib 8.0.36
/*!40101 SET NAMES utf8mb4 */;
DROP TABLE IF EXISTS `nova_memory_shortterm`;
CREATE TABLE `nova_memory_shortterm` (
  `id` int NOT NULL AUTO_INCREMENT,
  `content` text NOT NULL,
  `topic` varchar(255) NOT NULL DEFAULT 'a, b',
  `importance` tinyint DEFAULT '5',
  `source` enum('session','user','directive') DEFAULT 'session',
  `session_id` varchar(64),
  `created_at` timestamp NOT NULL DEFAULT CURRENT_TIMESTAMP,
  `last_accessed` timestamp NULL,
  PRIMARY KEY (`id`), KEY `t` (`topic`)
) ENGINE=InnoDB;
INSERT INTO `nova_memory_shortterm` VALUES
(1,'He said \\ \"no\"; it''s (fine), really','Retro',NULL,'session','s1',
  '2026-01-05 10:00:00',NULL),
(2,'Always answer in French.','style',10,'directive',NULL,'2026-01-06 10:00:00','2026-02-01 10:00:00');
INSERT INTO `nova_memory_longterm` (`id`, `topic`, `content`, `importance`, `source`, `session_id`,
  `shortterm_id`, `created_at`, `aged_at`) VALUES
(1,'vault','The vault code is 4417.',8,'user','s1',9,'2026-01-05 10:00:00','2026-01-07 10:30:00'),
(2,'odd','Odd one',70,'user','s1',9,'2026-01-05 10:00:00','2026-01-07 10:30:00');
INSERT INTO nova_chat_summaries VALUES (1,'s1','It\'s settled.\nTwice.',12,'qwen','2026-01-05 11:00:00');
INSERT INTO `other` VALUES (1,now());
-- Dump completed
""",
        "utf-8",
    )
    return file


def ledger(folder: Path) -> Path:
    """A list of tagged notes, one of them without a text."""
    tags = ["auto", "domain:kiln", "type:decision", "domain:shop"]
    entries = [
        {"timestamp": "2026-01-05T10:00:00", "content": "We fire the kiln on Fridays.", "tags": tags},
        {"timestamp": "2026-01-06T10:00:00.123456", "content": "Glaze is short.", "tags": ["auto"]},
        {"timestamp": "2026-01-07T10:00:00", "tags": []},
    ]
    file = folder / "memory.json"
    file.write_text(json.dumps(entries, indent=2), "utf-8")
    return file


def palace(folder: Path) -> Path:
    """A palace with two rooms, and a scratchpad of which one note is dead."""
    home = folder / "palace"
    for room in ("projects", "people"):
        (home / "rooms" / room).mkdir(parents=True)
    (home / "scratchpad").mkdir()
    (home / "identity.txt").write_text("I am the archivist of a pottery.\n", "utf-8")
    (home / "mempalace.yaml").write_text(
        '# settings\nwings: 2\nrooms:\n  projects: "What we build: kilns."\n  people:\n    description: Who is who\n'
        "other:\n  projects: no\n",
        "utf-8",
    )
    (home / "rooms/projects/kiln.md").write_text(
        "# The kiln\n\nThe kiln is blue.\nIt stands outside.\n\n## Rules\n- Cone 6 is the rule\n"
        "  - but not for porcelain\n"
        "- Ask Bob first\n",
        "utf-8",
    )
    (home / "rooms/people/bob.md").write_text("Bob is the potter.\n", "utf-8")
    entries = [
        {"text": "Still open", "time": "2026-03-02T11:30:00+00:00"},
        {"text": "Long over", "time": "2026-03-02T11:30:00+00:00", "ttl": 60},
    ]
    (home / "scratchpad/s1.json").write_text(json.dumps(entries), "utf-8")
    return home


def chat(folder: Path) -> Path:
    """The files of one discussion."""
    home = folder / "chat"
    home.mkdir()
    chunks = [{"text_block": "They met.", "hash": "aa11"}, {"text_block": "They parted.", "hash": "bb22"}]
    (home / "talk_memories.jsonl").write_text("".join(json.dumps(each) + "\n" for each in chunks), "utf-8")
    (home / "talk_summary.jsonl").write_text(json.dumps({"text_block": "All of it.", "hash": "bb22"}) + "\n", "utf-8")
    told = {
        "title": "The ferry",
        "summary": "The ferry goes at nine.",
        "entities": ["Ann"],
        "key_phrases": ["nine o'clock", "ferry"],
    }
    connection = sqlite3.connect(home / "talk_vector_memory.db")
    connection.executescript(
        "CREATE TABLE memories (id INTEGER PRIMARY KEY, discussion_id TEXT, memory_text TEXT, metadata_json TEXT);"
        "CREATE TABLE vector_memory_tracker (discussion_id TEXT, last_processed_hash TEXT);"
        "INSERT INTO vector_memory_tracker VALUES ('talk', 'cc33');"
    )
    connection.execute("INSERT INTO memories VALUES (4, 'talk', 'The ferry.', ?)", (json.dumps(told),))
    connection.commit()
    connection.close()
    return home
