"""The evaluation of recall on labelled questions."""

import json
from pathlib import Path
from typing import Any

import pytest

from bot import config, errors
from bot.cli import evaluation
from bot.db.pool import Database
from bot.recall.librarian import Librarian
from tests import sentence_models

TALK = (
    ("pets", "p1", "1", "Ana", "My cat is called Pixel."),
    ("pets", "p2", "1", "Ben", "What a lovely name!"),
    ("pets", "p3", "2", "Ana", "We flew to Lisbon for the holidays."),
    ("pets", "p4", "2", "Ben", "I stayed at home and painted the fence."),
    ("boats", "b1", "1", "Ana", "The boat needs a new sail."),
    ("boats", "b2", "1", "Cem", "Pixel art on the sail would be fun."),
)
QUESTIONS = (
    ("pets", "q1", "What is Ana's cat called?", ["p1"]),
    ("pets", "q2", "Who painted the fence?", ["p4"]),
    ("boats", "q3", "What does the boat need?", ["b1"]),
    ("nowhere", "q4", "Is this asked?", ["x"]),
)


@pytest.fixture
def data(tmp_path: Path) -> Path:
    write(
        tmp_path / "corpus.jsonl",
        [
            {
                "conv": conv,
                "id": name,
                "session": session,
                "speaker": by,
                "ts": 1.7e9 + 60 * n,
                "text": text,
                "caption": "a photo of a zebra",
                "date": "ignored",
            }
            for n, (conv, name, session, by, text) in enumerate(TALK)
        ],
    )
    write(
        tmp_path / "queries.jsonl",
        [
            {"conv": conv, "qid": qid, "text": text, "cat": "1", "gold": gold, "gold_sessions": ["1"]}
            for conv, qid, text, gold in QUESTIONS
        ],
    )
    return tmp_path


def write(file: Path, lines: list[dict[str, Any]]) -> None:
    file.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")


async def _ranked(database: Database, data: Path, *, one_space: bool = False) -> dict[str, list[str]]:
    loaded = await evaluation.load(database, data, one_space=one_space, language="english")
    lines = [line async for line in evaluation.rank(Librarian(database), loaded, data)]
    return {line["qid"]: line["ranked"] for line in lines}


async def test_each_conversation_is_a_space_of_its_own(database: Database, data: Path) -> None:
    """A question is ranked among its own conversation alone, and by nothing a chat would not know."""
    ranked = await _ranked(database, data)
    assert {"q1": "p1", "q2": "p4", "q3": "b1"} == {qid: names[0] for qid, names in ranked.items()}
    assert {"pets": "p", "boats": "b"} == {"pets": _prefixes(ranked["q1"]), "boats": _prefixes(ranked["q3"])}
    async with database.connection() as connection:
        assert 2 == await connection.fetchval("SELECT count(*) FROM space")
        assert 0 == await connection.fetchval("SELECT count(*) FROM message WHERE content LIKE '%zebra%'")


def _prefixes(names: list[str]) -> str:
    return "".join(sorted({name[0] for name in names}))


async def test_in_one_space_each_conversation_is_a_channel(database: Database, data: Path) -> None:
    """All is searched together; of what is found, only the question's own conversation is written."""
    ranked = await _ranked(database, data, one_space=True)
    assert ("p1", "p", "b") == (ranked["q1"][0], _prefixes(ranked["q1"]), _prefixes(ranked["q3"]))
    async with database.connection() as connection:
        assert (1, 2) == tuple(
            await connection.fetchrow("SELECT (SELECT count(*) FROM space), (SELECT count(*) FROM channel)") or ()
        )


async def test_silence_is_measured_with_the_evidence_taken_out(database: Database, data: Path) -> None:
    """Of questions whose evidence is there the share still answered, of those whose evidence is gone the share not."""
    loaded = await evaluation.load(database, data, one_space=False, language="english")
    told = json.loads((await evaluation.silence(Librarian(database), loaded, data)).as_json())
    assert {"threshold", "kept", "silenced", "points"} == told.keys()
    assert 1.0 == told["kept"]
    assert [0.0, 1.0, 0.0] == [*told["points"][0].values()]
    kept, silenced = ([point[name] for point in told["points"]] for name in ("kept", "silenced"))
    assert kept == sorted(kept, reverse=True)
    assert silenced == sorted(silenced)
    assert silenced[-1] > silenced[0]


async def test_a_question_s_answer_is_judged_by_what_is_quoted(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A line for each: evidence, something else or silence, with what is quoted; their shares on stderr."""
    await evaluation.answers(config.Settings(), data, embedder=False)
    printed = capsys.readouterr()
    lines = [json.loads(line) for line in printed.out.splitlines()]
    assert {"qid", "verdict", "quoted", "certainty"} == lines[0].keys()
    told = {line["qid"]: (line["verdict"], line["quoted"][:1]) for line in lines}
    assert {"q1": ("evidence", ["p1"]), "q2": ("evidence", ["p4"]), "q3": ("evidence", ["b1"])} == told
    assert printed.err.startswith("Of 3 questions that can be answered: evidence 100.0%")


async def test_the_curve_is_a_picture(data: Path, tmp_path: Path) -> None:
    """It shows how many of the questions are answered, and how many of those rightly."""
    await evaluation.curve(config.Settings(), data, tmp_path / "curve.svg", embedder=False)
    assert (tmp_path / "curve.svg").read_text(encoding="utf-8").startswith("<svg")


async def test_two_runs_write_the_same_bytes(data: Path, tmp_path: Path) -> None:
    """The whole of it, from an empty database of its own to the file, twice."""
    files = [tmp_path / "one.jsonl", tmp_path / "two.jsonl"]
    for file in files:
        await evaluation.run(config.Settings(), data, file, one_space=False, abstain=False, embedder=False)
    first, second = (file.read_bytes() for file in files)
    assert first == second
    assert 3 == first.count(b"\n")


async def test_meaning_is_compared_by_a_model_of_this_machine(data: Path, tmp_path: Path) -> None:
    """The same bytes twice, and other words than those of the question are found."""
    settings = config.Settings()
    roles = config.Roles(embedder=sentence_models.settings(sentence_models.written(tmp_path / "model")))
    settings = settings.model_copy(update={"roles": roles})
    (data / "queries.jsonl").write_text(
        json.dumps({"conv": "pets", "qid": "q", "text": "any feline?", "gold": []}), encoding="utf-8"
    )
    files = [tmp_path / "one.jsonl", tmp_path / "two.jsonl"]
    for file in files:
        await evaluation.run(settings, data, file, one_space=False, abstain=False, embedder=True)
    first, second = (file.read_bytes() for file in files)
    assert first == second
    assert json.loads(first)["ranked"] != []


@pytest.mark.parametrize(
    ("file", "content", "sentence"),
    [
        ("corpus.jsonl", None, "corpus.jsonl can't be read"),
        ("corpus.jsonl", "{not json\n", "corpus.jsonl, line 1"),
        ("corpus.jsonl", '{"conv": "a"}\n', "corpus.jsonl, line 1: id"),
        ("queries.jsonl", '{"conv": "pets", "qid": "q", "gold": []}\n', "queries.jsonl, line 1: text"),
    ],
)
async def test_what_can_not_be_read_is_named(
    database: Database, data: Path, file: str, content: str | None, sentence: str
) -> None:
    """A missing file or a bad line is one sentence with the file, the line and the field."""
    (data / file).unlink()
    if content is not None:
        (data / file).write_text(content, encoding="utf-8")
    with pytest.raises(errors.TransferError, match=sentence):
        await _ranked(database, data)


async def test_what_is_missing_to_begin_with_is_told(data: Path) -> None:
    """Neither a file to write nor silence to measure, and an embedder that is not configured, are sentences."""
    settings = config.Settings()
    with pytest.raises(errors.TransferError, match="--run"):
        await evaluation.run(settings, data, None, one_space=False, abstain=False, embedder=False)
    with pytest.raises(errors.SettingsError, match=r"roles\.embedder"):
        await evaluation.run(settings, data, None, one_space=False, abstain=True, embedder=True)
