"""The laws of what is measured of memory: which messages that answer a question survive in what was made of them."""

import json
from pathlib import Path

import pytest

from bot import config
from bot.cli import memory_evaluation
from bot.cli.memory_evaluation import Survived
from tests.bot.cli.test_evaluation import write
from tests.conversations import roles
from tests.model_server import ModelServer, Reply

TALK = (
    ("a", "We decided to meet at the Harbour at 5 pm."),
    ("b", "Fine."),
    ("c", "My cousin bought some Zanzibar cloves, I think, maybe."),
    ("d", "I like it here."),
)


@pytest.fixture
def data(tmp_path: Path) -> Path:
    said = [
        {"conv": "x", "id": key, "session": "1", "speaker": "Ana", "ts": 1.7e9 + 60 * n, "text": text}
        for n, (key, text) in enumerate(TALK)
    ]
    write(tmp_path / "corpus.jsonl", said)
    asked = [{"conv": "x", "qid": f"q{key}", "text": "What?", "gold": [key]} for key in "acd"]
    write(tmp_path / "queries.jsonl", asked)
    return tmp_path


def test_all_its_names_and_numbers_have_to_be_there() -> None:
    """In the ledger, in facts, or in the two together; what has none tells nothing of it."""
    said = "The key of Harbour House is 4417."
    assert Survived(in_ledger=True, in_facts=False, in_both=True) == memory_evaluation.survived(
        said, "Harbour House has key 4417.", "It is blue."
    )
    assert Survived(in_ledger=False, in_facts=False, in_both=True) == memory_evaluation.survived(
        said, "They spoke of Harbour House.", "The key is 4417."
    )
    assert None is memory_evaluation.survived("I like it here.", "I like it here.", "")


async def test_what_survives_is_told_for_each_way(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """By rule, and by the model where there is one; of the messages that are evidence and tell something."""
    whole = json.dumps({"summary": "They meet at the Harbour at 5 pm; a cousin has Zanzibar cloves.", "facts": []})
    async with ModelServer(always=Reply(text=whole)) as server:
        settings = config.Settings(roles=roles(server.base_url))
        await memory_evaluation.run(settings, data)
    rule, model = map(json.loads, capsys.readouterr().out.splitlines())
    assert {"by": "rule", "evidence": 3, "telling": 2, "ledger": 0.5, "facts": 0.5, "either": 0.5} == rule
    assert {"by": "model", "evidence": 3, "telling": 2, "ledger": 1.0, "facts": 0.0, "either": 1.0} == model
