"""The laws of the terminal."""

import asyncio
import contextlib
import io
import os
import pty
import sys
from pathlib import Path

import pytest
from prompt_toolkit.completion import CompleteEvent
from prompt_toolkit.document import Document

from bot.cli import terminal
from bot.cli.terminal import Screen, Terminal
from bot.commands.grammar import GRAMMARS
from bot.db.pool import Database
from bot.domain import Reply
from tests.conftest import Clock
from tests.conversations import roles, room
from tests.model_server import Hang, ModelServer
from tests.waiting import eventually


def completions(text: str) -> list[str]:
    return [c.text for c in terminal.CommandCompleter().get_completions(Document(text), CompleteEvent())]


async def lines_of(database: Database, clock: Clock, *lines: str) -> list[str]:
    """What a piped terminal without a model prints for these lines."""
    out = io.StringIO()
    async with room(database, clock, who=terminal.caller("ann")) as r:
        with contextlib.redirect_stdout(out):
            await terminal.piped(r.app, Terminal(r.app, r.caller, Screen(interactive=False)), lines)
    return out.getvalue().splitlines()


def test_commands_and_their_arguments_complete() -> None:
    """Names after ! and /, then bare words, names and the options of a name; never in the middle of talk."""
    assert ["!reset", "!remember", "!recall"] == completions("!re")
    assert ["/undo", "/unpin"] == completions("/un")
    assert ["preview"] == completions("!age pr")
    assert ["tier:short", "tier:long", "tier:all"] == completions("!recall deploy tier:")
    assert [] == completions("hello !re") + completions("plain talk") + completions("!nonsense a")
    assert set(GRAMMARS) <= set(completions("!help "))


async def test_bang_and_slash_are_the_same_command(database: Database, clock: Clock) -> None:
    """`/recall` is `!recall`; a path, a smiley or an exclamation is talk."""
    out = await lines_of(database, clock, "/remember Tea is at four.", "!RECALL tea", "/etc/hosts is a file", "!? what")
    assert out[0].startswith("[memory] saved:")
    assert "    Tea is at four." in out
    assert 1 == sum(line.startswith("Heard.") for line in out)
    assert 1 == sum(line.startswith("I can't do that without a model") for line in out)
    assert 1 == sum(line.startswith("To connect a model") for line in out)


async def test_a_mistake_is_one_sentence_and_the_next_line_goes_on(database: Database, clock: Clock) -> None:
    """Unknown command, bad argument, NUL byte: a sentence each, and the terminal lives."""
    out = await lines_of(database, clock, "!foo", "!age prevew", "a\0b", "!memories")
    begun = ("There is no command !foo;", "I don't know 'prevew'; did you mean preview?", "That message holds a NUL")
    assert [True] * 3 == [line.startswith(start) for line, start in zip(out, begun, strict=False)]
    assert ["No memories yet."] == out[3:]


async def test_exit_leaves_and_blank_lines_say_nothing(database: Database, clock: Clock) -> None:
    """Nothing after `exit` is read."""
    assert [] == await lines_of(database, clock, "", "  \n", "exit", "!status")


async def test_the_end_of_piped_input_waits_for_the_summary(database: Database, clock: Clock) -> None:
    """The reset's last line stands in the output."""
    out = await lines_of(database, clock, "We decided to ship on Friday.", "!reset")
    assert "[memory] Summarizing 2 messages…" in out
    assert "Conversation history cleared." == out[-1]


async def _kept(_text: str) -> None: ...


async def test_lines_of_others_wait_until_an_answer_is_over(capsys: pytest.CaptureFixture[str]) -> None:
    """A summary that is ready in the middle of an answer is printed after it."""
    screen = Screen(interactive=False)
    async with screen.answering():
        await screen.show("one ", _kept)
        late = asyncio.create_task(screen.later(Reply(text="[memory] late")))
        await asyncio.sleep(0)
        await screen.show("one two", _kept)
        await screen.finish("one two", ["[memory] saved: topic=x (imp=5) #1"])
    await late
    assert "one two\n[memory] saved: topic=x (imp=5) #1\n[memory] late\n" == capsys.readouterr().out


async def test_nothing_a_model_says_moves_the_cursor(capsys: pytest.CaptureFixture[str]) -> None:
    """Escape sequences and direction overrides do not reach the screen."""
    await Screen(interactive=False).show("a\x1b[2Jb\u202ec", _kept)
    assert "a[2Jbc" == capsys.readouterr().out


async def test_ctrl_c_stops_the_answer_and_not_the_terminal(
    database: Database, clock: Clock, capsys: pytest.CaptureFixture[str]
) -> None:
    """The person is told; the next line is answered."""
    async with ModelServer(Hang()) as server, room(database, clock, models=roles(server.base_url, timeout=30)) as r:
        person = Terminal(r.app, r.caller, Screen(interactive=False))
        asking = asyncio.create_task(person.take("a long story, please"))
        await eventually(lambda: server.requests)
        person.stop()
        assert await asking
        assert await person.take("and now?")
    assert "[stopped]\nFine.\n" == capsys.readouterr().out


async def test_log_lines_never_stand_between_replies_on_a_screen(dsn: str, tmp_path: Path) -> None:
    """Piped input with everything else on a terminal: the screen holds replies, `hathi.log` the log."""
    master, screen = pty.openpty()
    settings = {"DATABASE_URL": dsn, "HATHI_DATA_DIR": str(tmp_path), "XDG_CONFIG_HOME": str(tmp_path)}
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "bot",
        stdin=asyncio.subprocess.PIPE,
        stdout=screen,
        stderr=screen,
        env=os.environ | settings,
    )
    os.close(screen)
    async with asyncio.timeout(30):
        await process.communicate(b"!remember Tea is at four.\n!memories\n")
    shown = os.read(master, 65536).decode()
    os.close(master)
    assert (0, True, False) == (process.returncode, "Tea is at four." in shown, "memory.saved" in shown)
    assert "memory.saved" in (tmp_path / "hathi.log").read_text()
