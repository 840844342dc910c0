"""The real terminal, killed in the middle of an answer: what the next start says, and what becomes of the server."""

import asyncio
import tempfile
from collections.abc import Generator
from pathlib import Path
from typing import Final

import pytest

from bot.db.embedded import process
from tests.faults.terminals import START, environment, hathi, model, said
from tests.model_server import Hang, ModelServer, Reply
from tests.waiting import eventually

STORY: Final = "Once upon. A time there was a parser."
KEPT: Final = "Once upon. "
PROMPT: Final = "you>"


@pytest.fixture(scope="module")
def folder() -> Generator[Path]:
    """A data directory for all of these tests: making a database takes longer than any of them."""
    with tempfile.TemporaryDirectory(dir="/tmp", prefix="hathi-killed-") as made:
        Path(made).chmod(0o711)
        yield Path(made)


async def _server_is_gone(folder: Path) -> None:
    cluster = folder / "data" / "postgres" / "cluster"
    await eventually(lambda: not process.serving(cluster))


@pytest.mark.parametrize("on_terminal", [False, True], ids=["piped", "on a terminal"])
async def test_killed_in_the_middle_of_an_answer_the_next_start_shows_what_was_kept(
    folder: Path, on_terminal: bool
) -> None:
    """Marked as cut off, and the model is not asked again; the embedded server died with its parent."""
    async with ModelServer(Reply(text=STORY, pieces=3, gate=asyncio.Event())) as server:
        env = environment(folder, HATHI_DATA_DIR=str(folder / "data"), **model(server.base_url))
        async with hathi(folder, env, on_terminal=on_terminal) as first:
            if on_terminal:
                await first.shows(PROMPT, within=START)
            first.say("Tell me a story.")
            await first.shows(KEPT.rstrip(), within=START)
            await first.kill()
        await _server_is_gone(folder)
        second = await said(folder, env, "exit")
        third = await said(folder, env, "exit")
        asked = len(server.requests)
    assert (second, third, asked) == (f"[before I stopped you asked] Tell me a story.\n{KEPT} [cut off]\n", "", 1)


async def test_killed_before_the_first_word_the_next_start_answers(folder: Path) -> None:
    """Asked again at the next start, once, and the answer belongs to the old question."""
    async with ModelServer(Hang(), Reply(text=STORY)) as server:
        env = environment(folder, HATHI_DATA_DIR=str(folder / "data"), **model(server.base_url))
        async with hathi(folder, env) as first:
            first.say("Tell me another story.")
            await eventually(lambda: server.requests)
            await first.kill()
        await _server_is_gone(folder)
        second = await said(folder, env, "exit")
        third = await said(folder, env, "exit")
        asked = len(server.requests)
    assert (second, third, asked) == (f"[before I stopped you asked] Tell me another story.\n{STORY}\n", "", 2)


async def test_killed_while_a_summary_is_made_the_next_start_makes_it(folder: Path) -> None:
    """What was said is in the next start's summary, without anybody asking for it."""
    async with ModelServer(
        Reply(text="All right."), Hang(), Reply(text='{"summary": "They talked.", "facts": []}')
    ) as server:
        env = environment(folder, HATHI_DATA_DIR=str(folder / "data"), **model(server.base_url))
        async with hathi(folder, env) as first:
            first.say("The retro is on Tuesday.")
            await first.shows("All right.", within=START)
            first.say("!reset")
            await eventually(lambda: len(server.requests) >= 2)
            await first.kill()
        await _server_is_gone(folder)
        second = await said(folder, env, "!help reset", "exit")
        third = await said(folder, env, "!sessions", "exit")
    assert "[memory] Summarized " in second
    assert "They talked." in third


async def test_a_reset_that_is_typed_tells_when_it_is_done(folder: Path) -> None:
    """Though nothing else is typed: the prompt stands again at once, and what came of it stands above it."""
    summary = Reply(text='{"summary": "They talked.", "facts": []}', gate=asyncio.Event())
    async with ModelServer(Reply(text="All right."), summary) as server:
        env = environment(folder, HATHI_DATA_DIR=str(folder / "data"), **model(server.base_url))
        async with hathi(folder, env, on_terminal=True) as terminal:
            await terminal.shows(PROMPT, within=START)
            terminal.say("The retro is on Tuesday.")
            await terminal.shows("All right.")
            before = len(terminal.out)
            terminal.say("!reset")
            await terminal.shows("Summarizing", after=before)
            await eventually(lambda: len(server.requests) >= 2)
            assert "Summarized" not in terminal.out[before:]
            at = len(terminal.out)
            assert summary.gate is not None
            summary.gate.set()
            await terminal.shows("Summarized", after=at)
            await terminal.shows(PROMPT, after=at)
            terminal.say("exit")
            assert 0 == await terminal.ends()
