"""The laws of vectors made on this machine, by a real process with a model of some hundred bytes."""

import asyncio
import contextlib
import math
import os
import select
import signal
import subprocess
import sys
import textwrap
import venv
from collections.abc import AsyncGenerator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from bot import errors
from bot.llm.embedder import Embedder
from bot.llm.local_vectors import EXTRA, INSTALL, LocalVectors
from bot.llm.vector_source import Vector
from tests import sentence_models
from tests.benchmarks.servers import ROOT

LONG = timedelta(seconds=60)
SOON = timedelta(seconds=0.2)
WAIT_MS = 60_000


@contextlib.asynccontextmanager
async def embedder(folder: Path, **fields: Any) -> AsyncGenerator[Embedder]:
    """An embedder with the model of a folder."""
    async with opened(folder, **fields) as (own, _):
        yield own


@contextlib.asynccontextmanager
async def opened(folder: Path, **fields: Any) -> AsyncGenerator[tuple[Embedder, LocalVectors]]:
    """The same, with what makes its vectors."""
    source = LocalVectors(sentence_models.settings(folder), **fields)
    own = Embedder(sentence_models.settings(folder), source=source, pause=timedelta(seconds=0.01))
    try:
        yield own, source
    finally:
        await own.aclose()


@pytest.fixture
def model(tmp_path: Path) -> Path:
    return sentence_models.written(tmp_path / "model")


def running(source: LocalVectors) -> int:
    """The process that makes the vectors."""
    assert source.pid is not None
    return source.pid


def cosine(one: Vector | None, other: Vector | None) -> float:
    assert one is not None
    assert other is not None
    return sum(a * b for a, b in zip(one, other, strict=True))


def program(tmp_path: Path, body: str) -> str:
    """Stands in for the Python that runs the sentence model."""
    file = tmp_path / "python"
    file.write_text(f"#!{sys.executable}\nimport json, os, sys\n{textwrap.dedent(body)}")
    file.chmod(0o700)
    return str(file)


@pytest.mark.parametrize("pooled", [False, True], ids=["by token", "pooled"])
async def test_what_means_the_same_is_near(tmp_path: Path, *, pooled: bool) -> None:
    """A vector is the mean of its tokens, of length 1; synonyms have the same, and what says nothing has none."""
    async with embedder(sentence_models.written(tmp_path, pooled=pooled)) as own:
        cat, feline, car, both, nothing, blank = await own.embed(
            ["a cat", "A FELINE", "a car", "cat car", "nothing", " "]
        )
        name = own.model
    assert cat == feline
    assert (1, True) == (pytest.approx(cosine(cat, feline)), cosine(cat, car) < 1)
    assert both == pytest.approx([math.sqrt(0.5), math.sqrt(0.5), 0, 0], abs=1e-6)
    assert (nothing, blank) == (None, None)
    assert name.startswith("local model ")


async def test_a_vector_is_of_its_text_alone(model: Path) -> None:
    """Whatever is asked beside it, before it and by whom: the same text has the same vector, to the last bit."""
    async with embedder(model) as own, embedder(model) as other:
        (alone,) = await own.embed(["the boiler of the cat"])
        beside = await own.embed(["cat " * 400, "the boiler of the cat", "car"])
        elsewhere = await other.embed_one("the boiler of the cat", within=LONG)
    assert alone == beside[1] == elsewhere


async def test_a_question_comes_between_the_texts_of_a_batch(model: Path) -> None:
    """It waits for one text, not for all that were there before it."""
    async with embedder(model) as own:
        await own.embed(["cat"])
        done: list[str] = []
        batch = asyncio.create_task(own.embed(["car"] * 64))
        batch.add_done_callback(lambda _: done.append("batch"))
        await asyncio.sleep(0)
        question = asyncio.create_task(own.embed_one("cat", within=LONG))
        question.add_done_callback(lambda _: done.append("question"))
        await asyncio.gather(batch, question)
    assert done == ["question", "batch"]


async def test_who_does_not_wait_leaves_the_next_answer_to_whom_it_is_for(tmp_path: Path, model: Path) -> None:
    """A process that is held has its answers read in their order when it goes on."""
    async with opened(model) as (own, source):
        expected = await own.embed(["cat", "car"])
        os.kill(running(source), signal.SIGSTOP)
        with pytest.raises(TimeoutError):
            await own.embed_one("boiler", within=SOON)
        os.kill(running(source), signal.SIGCONT)
        assert await own.embed(["cat", "car"]) == expected


async def test_a_process_that_was_ended_is_started_again(model: Path) -> None:
    """By whom ever it was ended: the next text has its vector."""
    async with opened(model) as (own, source):
        expected = await own.embed(["cat"])
        before = running(source)
        os.kill(before, signal.SIGKILL)
        assert await own.embed(["cat"]) == expected
        assert running(source) != before


async def test_a_process_that_hangs_is_ended(model: Path) -> None:
    """What it was asked is asked of another."""
    async with opened(model, longest=SOON) as (own, source):
        expected = await own.embed(["cat"])
        before = running(source)
        os.kill(before, signal.SIGSTOP)
        assert await own.embed(["cat"]) == expected
        assert running(source) != before


async def test_a_text_that_ends_the_process_costs_only_itself(tmp_path: Path, model: Path) -> None:
    """It is tried twice, then left out; the others have their vectors."""
    fragile = program(
        tmp_path,
        """
        print(json.dumps({"model": "0123456789abcdef"}), flush=True)
        for line in sys.stdin:
            if "flood" in line:
                os._exit(1)
            print(json.dumps([float(len(json.loads(line))), 1.0]), flush=True)
        """,
    )
    async with embedder(model, python=fragile) as own:
        assert await own.embed(["a", "flood", "abc"]) == [[1.0, 1.0], None, [3.0, 1.0]]


async def test_a_process_that_never_answers_is_at_fault_itself(tmp_path: Path, model: Path) -> None:
    """No text is blamed for it; and it is not started again and again."""
    started = tmp_path / "started"
    python = program(tmp_path, f"open({str(started)!r}, 'a').write('1')")
    async with embedder(model, python=python) as own:
        for _ in range(3):
            with pytest.raises(errors.ModelRefused, match="ended, or hung, while it started"):
                await own.embed(["one", "two"])
    assert started.read_text() == "1"


async def test_what_failed_is_tried_again_after_a_while(tmp_path: Path) -> None:
    """Whoever puts the files there need not start Hathi again."""
    async with embedder(tmp_path / "model", again=timedelta(0)) as own:
        with pytest.raises(errors.ModelRefused, match="No such file"):
            await own.embed(["cat"])
        sentence_models.written(tmp_path / "model")
        assert await own.embed(["cat"]) == [[1.0, 0.0, 0.0, 0.0]]


@pytest.mark.parametrize(
    ("file", "content", "why"),
    [
        ("model.onnx", None, "must hold one .onnx file beside tokenizer.json, and holds 0"),
        ("other.onnx", b"", "must hold one .onnx file beside tokenizer.json, and holds 2"),
        ("tokenizer.json", None, "must hold tokenizer.json beside model.onnx"),
        ("tokenizer.json", b"{}", "can't be read"),
        ("model.onnx", b"garbage", "can't be read"),
        ("model.onnx", sentence_models.weights(takes="pixels"), "is no sentence model: it takes pixels"),
    ],
)
async def test_a_folder_without_a_usable_model_is_told(model: Path, file: str, content: bytes | None, why: str) -> None:
    """In one sentence, which names the folder."""
    if content is None:
        (model / file).unlink()
    else:
        (model / file).write_bytes(content)
    async with embedder(model) as own:
        probe = await own.probe(within=LONG)
    assert (True, True) == (why in (probe.error or ""), str(model) in (probe.error or ""))
    assert "\n" not in (probe.error or "")


async def test_other_files_are_another_model(model: Path) -> None:
    """Its vectors are not mixed with those of before: after a change Hathi has to be started again."""
    async with opened(model) as (own, source):
        await own.embed(["cat"])
        sentence_models.written(model, pooled=True)
        os.kill(running(source), signal.SIGKILL)
        with pytest.raises(errors.ModelRefused, match="its files have changed; start Hathi again"):
            await own.embed(["cat"])
        before = own.model
    async with opened(model) as (own, source):
        await own.embed(["cat"])
        assert own.model != before


async def test_without_its_libraries_it_says_what_installs_them(tmp_path: Path, model: Path) -> None:
    """A plain installation has none of them; the sentence ends with the line to run."""
    venv.create(tmp_path / "plain", with_pip=False)
    async with embedder(model, python=str(tmp_path / "plain" / "bin" / "python")) as own:
        probe = await own.probe(within=LONG)
    assert probe.error == (
        f"numpy is not installed; it comes with {EXTRA}, or in Hathi's checkout and environment by {INSTALL}"
    )
    assert (ROOT / INSTALL.split()[-1]).is_file()


async def test_it_ends_when_it_is_closed(model: Path) -> None:
    """And nothing is asked any more."""
    async with opened(model) as (own, source):
        await own.embed(["cat"])
        ended = os.pidfd_open(running(source))
    assert select.select([ended], [], [], 0)[0] == [ended]
    os.close(ended)
    with pytest.raises(errors.ModelUnreachable, match="I am stopping"):
        await own.embed(["cat"])


@pytest.mark.parametrize("loop", ["asyncio", "uvloop"])
def test_it_ends_with_hathi_however_hathi_ends(model: Path, loop: str) -> None:
    """Also when Hathi is killed, by the loop of the terminal and by that of the service."""
    hathi = f"""
import asyncio, {loop}
from pathlib import Path
from tests.bot.llm.test_local_vectors import opened, running

async def main():
    async with opened(Path({str(model)!r})) as (own, source):
        await own.embed(["cat"])
        print(running(source), flush=True)
        await asyncio.Event().wait()

asyncio.Runner(loop_factory={loop}.new_event_loop).run(main())
"""
    with subprocess.Popen([sys.executable, "-c", hathi], cwd=ROOT, stdout=subprocess.PIPE) as parent:
        assert parent.stdout is not None
        ended = os.pidfd_open(int(parent.stdout.readline()))
        parent.kill()
    waiting = select.poll()
    waiting.register(ended, select.POLLIN)
    assert waiting.poll(WAIT_MS) == [(ended, select.POLLIN)]
    os.close(ended)
