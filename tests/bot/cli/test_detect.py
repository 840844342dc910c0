"""The laws of `hathi detect`."""

import json
import subprocess
import sys
from typing import Any, Final

import pytest

from tests.bot.language.past import sentences

COMMAND: Final = [sys.executable, "-m", "bot", "detect"]


def detected(given: bytes) -> "subprocess.CompletedProcess[bytes]":
    """The command with this on its standard input."""
    return subprocess.run(COMMAND, input=given, capture_output=True, check=False, timeout=60)


def line(text: str, known_names: list[str] | None = None) -> bytes:
    item: dict[str, Any] = {"text": text} | ({} if known_names is None else {"known_names": known_names})
    return json.dumps(item).encode() + b"\n"


def test_each_message_has_its_line_in_order() -> None:
    """Recall, confidence, cues and layers of each; names are those of its own line, and none when none are given."""
    done = detected(
        line("What does Ruth like?", ["Ruth"])
        + line("What does Ruth need?", [])
        + b"\n"
        + line("what did we decide about #12?")
        + line("what did we decide? \ud83d\ude00")
    )
    answers = [json.loads(answer) for answer in done.stdout.splitlines()]
    assert (0, b"") == (done.returncode, done.stderr)
    assert [True, False, True, True] == [answer["recall"] for answer in answers]
    assert {"recall", "confidence", "cues", "layers"} == {*answers[0]}
    assert ["known name" in answers[0]["cues"], ["L1", "L3"]] == [True, answers[2]["layers"]]
    assert [a["recall"] for a in answers] == [a["confidence"] >= 0.5 for a in answers]


def test_an_answer_is_written_before_the_next_message_is_given() -> None:
    """Whoever asks one by one is answered one by one."""
    with subprocess.Popen(COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as running:
        assert running.stdin is not None
        assert running.stdout is not None
        answers: list[bool] = []
        for text in ("what did we decide?", "play some jazz"):
            running.stdin.write(line(text))
            running.stdin.flush()
            answers.append(json.loads(running.stdout.readline())["recall"])
        running.stdin.close()
        assert ([True, False], 0) == (answers, running.wait(timeout=60))


@pytest.mark.parametrize(
    ("wrong", "fault"),
    [
        (b"what did we decide?", "is no JSON"),
        (b"\xff\xfe", "is no JSON"),
        (b"[" * 100_000, "is no JSON"),
        (b'["text"]', "is no JSON object"),
        (b'{"known_names": []}', 'has no "text"'),
        (b'{"text": 5}', 'has a "text" that'),
        (b'{"text": "a", "known_names": "Ruth"}', 'has "known_names" that'),
        (b'{"text": "a", "known_names": [1]}', 'has "known_names" that'),
        (b'{"text": "a", "known_names": null}', 'has "known_names" that'),
    ],
    ids=str,
)
def test_a_bad_line_is_told_by_its_number(wrong: bytes, fault: str) -> None:
    """One sentence on standard error: which line, what is wrong, what is right; what came before is answered."""
    done = detected(line("what did we decide?") + wrong + b"\n" + line("and then?"))
    (told,) = done.stderr.decode().splitlines()
    assert (1, 1) == (done.returncode, len(done.stdout.splitlines()))
    assert told.startswith(f"hathi: line 2 of the input {fault}")
    assert told.endswith('right is {"text": "…", "known_names": ["…", …]}.')


def test_nothing_in_nothing_out() -> None:
    """An empty input is no error."""
    done = detected(b"")
    assert (0, b"", b"") == (done.returncode, done.stdout, done.stderr)


def test_no_message_is_told_to_the_log() -> None:
    """Standard error is empty whatever is said."""
    assert b"" == detected(b"".join(line(text, ["Ruth"]) for text in sentences.RECALL)).stderr
