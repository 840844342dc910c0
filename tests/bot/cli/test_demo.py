"""The laws of `hathi demo`: what it suggests is answered, and nothing of the user's is touched."""

import json
import os
import subprocess
import sys
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any, Final

import pytest

from bot import transfer
from bot.cli import demo, terminal
from bot.db.pool import Database
from bot.domain import SpaceId
from bot.language.past import detector
from bot.language.past.space_names import Names
from bot.language.requests import plain_words
from bot.recall.librarian import Librarian
from bot.recall.query import Query
from bot.store.archivist import Ageing, Archivist
from bot.transfer import records

NOW: Final = datetime(2027, 3, 9, 12, 0, tzinfo=UTC)
ANSWERS: Final = {
    "What did we decide about the membership fee?": ("is 18 euros", "stays at 15 euros"),
    "When did we say the open day is?": ("the 28th", "on the 14th"),
    "Who did we give the spare key to?": ("Mr Aalto at number 12",),
    "What did Priya say about firing glazed bowls?": ("1222 °C",),
    "What did we say about the ferry timetable?": ("22:40",),
}
"""What each suggested question must bring up; where something changed, both what holds and what held."""


@pytest.fixture
async def community(database: Database, tmp_path: Path) -> Database:
    """The demo's database as of noon."""
    file = tmp_path / "community.jsonl"
    file.write_text("".join(demo.lines(NOW.date())), encoding="utf-8")
    await transfer.import_from(database, file, language="english")
    return database


@pytest.mark.parametrize("question", demo.QUESTIONS)
async def test_each_suggested_question_is_answered_by_recall(question: str, community: Database) -> None:
    """It is taken for a question about the past, and what it asks for is among the first three found."""
    caller = terminal.caller("visitor")
    assert detector.detect(question, Names()).recall
    query = Query(text=plain_words.search_words(question), as_of=NOW, limit=3)
    found = await Librarian(community).recall(caller, query)
    texts = [result.item.content for result in found.results]
    assert [fact for fact in ANSWERS[question] if not any(fact in text for text in texts)] == []


def rows(today: date) -> list[dict[str, Any]]:
    return [json.loads(line) for line in demo.lines(today)]


@pytest.mark.parametrize("today", [date(2024, 2, 29), date(2026, 11, 21), date(2031, 1, 1)])
def test_the_newest_talk_was_yesterday(today: date) -> None:
    """Whatever the day, the community is five months old and nothing in it is still to come."""
    said = [datetime.fromisoformat(row["said_at"]) for row in rows(today) if row.get("kind") == "message"]
    assert max(said).date() == today - timedelta(days=1)
    assert timedelta(days=140) < max(said) - min(said) < timedelta(days=160)
    times = [
        datetime.fromisoformat(value)
        for row in rows(today)
        for key, value in row.items()
        if key != "exported_at" and (key == "at" or key.endswith("_at")) and value
    ]
    assert max(times) < datetime(today.year, today.month, today.day, tzinfo=UTC)


def test_the_community_is_at_home_where_this_machine_is(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its times are told as the user's own are."""
    monkeypatch.setenv("TZ", "Europe/Paris")
    assert ["Europe/Paris"] == [row["time_zone"] for row in rows(NOW.date()) if row.get("kind") == "space"]


def test_the_community_shows_what_memory_is() -> None:
    """Five people, four evenings, both tiers, many rooms; something pinned, ordered, decayed, replaced, said again."""
    found = rows(NOW.date())
    memories = [row for row in found if row.get("kind") == "memory"]
    messages = [row for row in found if row.get("kind") == "message"]
    assert len([row for row in found if row.get("kind") == "person"]) == 5
    assert len([row for row in found if row.get("kind") == "chat_summary"]) == 4
    assert (len(messages), len(memories)) == (60, 26)
    assert {memory["tier"] for memory in memories} == {"short", "long"}
    assert len({memory["room"] for memory in memories}) >= 6
    for shown in ("pinned", "superseded_by", "aged_at"):
        assert any(memory[shown] for memory in memories)
    assert any(memory["source"] == "directive" for memory in memories)
    assert any(memory["importance"] < memory["importance_set"] for memory in memories)
    assert any(memory["seen_count"] > 1 for memory in memories)
    spoken = {message["message_id"] for message in messages}
    assert [m["content"] for m in memories if not m["evidence"] or not spoken.issuperset(m["evidence"])] == []


async def test_the_jobs_find_nothing_to_mend(community: Database) -> None:
    """The tiers and importances in the file are those that ageing and decay would have made."""
    archivist = Archivist(community)
    assert await archivist.age([SpaceId(0)], Ageing(), now=NOW) == 0
    assert await archivist.decay([SpaceId(0)], now=NOW) == 0


async def test_the_file_is_what_an_export_writes(community: Database, tmp_path: Path) -> None:
    """Exported again, the community is the file, but for its people: what they want no file says for them."""
    await transfer.export_to(community, tmp_path / "again")
    again = [json.loads(line) for line in (tmp_path / "again").read_text("utf-8").splitlines()]
    mine = [row for row in rows(NOW.date()) if row.get("kind") != "person"]
    mine[-1]["lines"] -= mine[0]["counts"]["person"]
    mine[0]["counts"] = dict.fromkeys(records.KINDS, 0) | mine[0]["counts"] | {"person": 0}
    for row in (*again, *mine):
        row.pop("exported_at", None)
        row |= {k: datetime.fromisoformat(v) for k, v in row.items() if v and (k == "at" or k.endswith("_at"))}
        if row.get("before"):
            row["before"] = sorted(row["before"])
    for row in mine[1:-1]:
        # What the file was written without is read as nothing.
        for name, field in records.KINDS[row["kind"]].model_fields.items():
            if not field.is_required():
                row.setdefault(name, field.default)
    assert again == mine


def _run(tmp_path: Path, *words: str, given: str = "") -> subprocess.CompletedProcess[str]:
    environment = {k: v for k, v in os.environ.items() if not k.startswith(("HATHI_", "LLM_", "DATABASE_"))} | {
        "HATHI_DATA_DIR": str(tmp_path / "mine"),
        "DATABASE_URL": "postgresql://nobody@localhost:1/none",
        "HATHI_LOG_LEVEL": "WARNING",
    }
    return subprocess.run(
        [sys.executable, "-m", "bot", "demo", *words],
        input=given,
        text=True,
        capture_output=True,
        timeout=120,
        env=environment,
        check=False,
        cwd=Path(demo.__file__).parents[2],
    )


def test_piped_questions_are_answered_and_nothing_is_left(tmp_path: Path) -> None:
    """`printf … | hathi demo` ends with 0, answers each, and leaves the user's data directory as it was."""
    before = {path for path in Path("/tmp").iterdir() if path.name.startswith("hathi-demo-")}
    done = _run(tmp_path, given="\n".join(["Where did we leave off?", *demo.QUESTIONS]))
    assert (done.returncode, done.stderr) == (0, "")
    facts = [fact for facts in ANSWERS.values() for fact in facts]
    assert [fact for fact in [*facts, "The open day was planned"] if fact not in done.stdout] == []
    after = {path for path in Path("/tmp").iterdir() if path.name.startswith("hathi-demo-")}
    assert ([*(after - before)], (tmp_path / "mine").exists()) == ([], False)


def test_the_lines_of_a_file_are_answered_one_by_one(tmp_path: Path) -> None:
    """`hathi demo --ask FILE` shows each line, its answer behind it, and ends with 0; blank lines are none."""
    asked = ("What did Priya say about firing glazed bowls?", "What did we say about the ferry timetable?")
    (tmp_path / "questions.txt").write_text(f"\n{asked[0]}\n\n{asked[1]}\n", encoding="utf-8")
    done = _run(tmp_path, "--ask", str(tmp_path / "questions.txt"))
    assert (done.returncode, done.stderr) == (0, "")
    first, second = [done.stdout.index(f"> {question}\n") for question in asked]
    assert first < done.stdout.index(ANSWERS[asked[0]][0]) < second < done.stdout.index(ANSWERS[asked[1]][0])
    assert done.stdout.startswith(f"> {asked[0]}")


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    """With what is wrong with it, and another code than 0."""
    done = _run(tmp_path, "--ask", str(tmp_path / "none.txt"))
    assert (done.returncode != 0, "none.txt can't be read" in done.stderr, done.stdout) == (True, True, "")
