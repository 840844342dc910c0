"""The laws of what is measured of chunks beside messages: both ways in one run, by the places of the evidence."""

import json
from collections.abc import Iterable
from pathlib import Path

import pytest

from bot import app, config
from bot.cli import chunk_evaluation, evaluation, memory_evaluation
from bot.db.pool import Database
from tests.bot.cli.test_evaluation import write

TALK = (
    ("a", "1", "Ana", "We decided to meet at the Harbour on Friday."),
    ("b", "1", "Ben", "The spare key hangs behind the boiler."),
    ("c", "2", "Ana", "My cat is called Pixel."),
    ("d", "2", "Ben", "I painted the fence green."),
)


@pytest.fixture
def data(tmp_path: Path) -> Path:
    said = [
        {"conv": "x", "id": key, "session": session, "speaker": by, "ts": 1.7e9 + 60 * n, "text": text}
        for n, (key, session, by, text) in enumerate(TALK)
    ]
    write(tmp_path / "corpus.jsonl", said)
    asked = [
        {"conv": "x", "qid": "q1", "text": "Where do we meet on Friday?", "gold": ["a"]},
        {"conv": "x", "qid": "q2", "text": "Who painted the fence, and where is the key?", "gold": ["d", "b"]},
        {"conv": "x", "qid": "q3", "text": "Who flew to Lisbon?", "gold": []},
    ]
    write(tmp_path / "queries.jsonl", asked)
    return tmp_path


async def test_both_ways_are_told_in_one_run(data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Messages alone, then chunks beside them; a fact stands for the message it rests on, each of them once."""
    await chunk_evaluation.run(config.Settings(), data, tmp_path / "run.jsonl", one_space=False, embedder=False)
    alone, beside = map(json.loads, capsys.readouterr().out.splitlines())
    assert alone["ranked"] != beside["ranked"]
    assert [(2, 100.0, 100.0)] * 2 == [(of["questions"], of["R@10"], of["session R@5"]) for of in (alone, beside)]
    written = (tmp_path / "run.jsonl").read_text(encoding="utf-8").splitlines()
    ranked = {line["qid"]: line["ranked"] for line in map(json.loads, written)}
    assert "a" == ranked["q1"][0]
    assert all(len(names) == len({*names}) for names in ranked.values())


async def test_everything_is_in_a_chunk(database: Database, data: Path) -> None:
    """By rule: the sessions apart, with what they state as facts."""
    loaded = await evaluation.load(database, data, one_space=False, language="english")
    async with app.opened(config.Settings(), database, announce=memory_evaluation.nobody, alone=True) as opened:
        await chunk_evaluation.make(opened, loaded)
    async with database.connection() as connection:
        made = await connection.fetch("SELECT messages FROM chunk ORDER BY chunk_id")
        facts = await connection.fetchval("SELECT array_agg(evidence[1] ORDER BY memory_id) FROM memory")
    names = {key: name for (_, name), key in loaded.ids.items()}
    assert ["ab", "cd"] == ["".join(names[key] for key in row["messages"]) for row in made]
    assert ["a", "c"] == [names[key] for key in facts]


async def test_evidence_is_found_by_its_place(database: Database, data: Path) -> None:
    """Of messages among the first ten places, of sessions among the first five; sessions by their best message."""
    said = [
        {"conv": "x", "id": f"{n}", "session": f"{n // 2}", "speaker": "Ana", "ts": 1.7e9 + n, "text": "Yes."}
        for n in range(24)
    ]
    write(data / "corpus.jsonl", said)
    gold = (["9", "0"], ["19"])
    asked = [{"conv": "x", "qid": f"q{n}", "text": "What?", "gold": names} for n, names in enumerate(gold)]
    write(data / "queries.jsonl", asked)
    loaded = await evaluation.load(database, data, one_space=False, language="english")

    def told(first: Iterable[int], second: Iterable[int]) -> dict[str, float]:
        ranked = [{"qid": f"q{n}", "ranked": [*map(str, places)]} for n, places in enumerate((first, second))]
        return chunk_evaluation.shares(ranked, data, loaded)

    assert {"questions": 2, "R@10": 100.0, "session R@5": 100.0} == told(range(10), range(19, 9, -1))
    assert {"questions": 2, "R@10": 25.0, "session R@5": 25.0} == told((*range(2, 12), 0), (*range(10), 19))
    assert {"questions": 2, "R@10": 25.0, "session R@5": 75.0} == told((9, *range(11, 24), 0), (1, 3, 5, 7, 18))
