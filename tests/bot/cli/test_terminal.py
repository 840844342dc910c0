"""The laws of the terminal."""

import asyncio
import contextlib
import io
import json
import os
import pty
import sys
import termios
from pathlib import Path

import pytest
from prompt_toolkit.completion import CompleteEvent
from prompt_toolkit.document import Document
from rich.console import Console

from bot.cli import terminal
from bot.cli.terminal import Terminal
from bot.cli.terminal_screen import Screen
from bot.commands import hello
from bot.commands.grammar import GRAMMARS
from bot.db.pool import Database
from bot.domain import MemoryId
from bot.presentation import render
from bot.store import replacements
from bot.turn import draft
from tests import model_server
from tests.conftest import Clock
from tests.conversations import roles, room
from tests.model_server import Hang, ModelServer
from tests.rows import column, rows
from tests.waiting import eventually

LIVING = "SELECT content FROM memory WHERE forgotten_at IS NULL AND superseded_by IS NULL"


def _said(text: str) -> model_server.Reply:
    return model_server.Reply(text=text)


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


async def test_a_command_goes_by_its_name_on_discord_too(database: Database, clock: Clock) -> None:
    """What is named in Discord's list alone is known where it is typed, as what does the same here."""
    slashed, typed, named = [await lines_of(database, clock, line) for line in ("/privacy", "!privacy", "!mydata")]
    assert slashed == typed == named
    assert named == ["I have nothing of yours."]


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
    """The reset's last line stands in the output; what tells nothing of a memory is not told as its topic."""
    out = await lines_of(database, clock, "We decided to ship on Friday.", "!reset")
    assert {"[memory] Summarizing 2 messages…", "[memory] saved: (imp=7) #1"} < {*out}
    assert "Conversation history cleared." == out[-1]


async def test_whoever_is_chosen_speaks_from_the_next_line_on(database: Database, clock: Clock) -> None:
    """A persona, with its name before its words, until that is taken back."""
    out = await lines_of(
        database,
        clock,
        "!remember The spare key hangs behind the red door.",
        "!persona household",
        "Where did we say the spare key hangs?",
        "!persona default",
        "Where did we say the spare key hangs?",
    )
    spoken = [line for line in out if line.startswith("Ferris: Indeed")]
    quoted = [line for line in out if "\u201cThe spare key hangs behind the red door." in line]
    assert (1, 2) == (len(spoken), len(quoted))


async def test_what_follows_a_reset_waits_for_its_summary(database: Database, clock: Clock) -> None:
    """In piped input, where nobody sees that it is not done yet: the next answer stands below its last line."""
    out = await lines_of(database, clock, "We decided to ship on Friday.", "!reset", "hi")
    cleared = out.index("Conversation history cleared.")
    assert out[cleared + 1].startswith("Hello, I am Hathi.")


async def test_an_answer_from_memory_is_the_quotation_and_its_source(database: Database, clock: Clock) -> None:
    """Three lines: what was said, by whom and when, and where it is from; nothing that stands under every answer."""
    out = await lines_of(database, clock, "!remember The boiler was repaired by Oskar.", "who repaired the boiler?")
    assert ["    \u201cThe boiler was repaired by Oskar.\u201d", "    \u2014 ann, 2026-03-02 12:00 UTC, #1"] == out[
        -3:-1
    ]
    assert ("from #1, ann, 2 March \u00b7 !why", 5) == (out[-1], len(out))


CODES = ("!remember The code at the shop is 5519.", "!remember The code at the shop is 6006.")
KEYS = ("!remember The spare key is with Bob.", "!remember The spare key is with Ann.")


@pytest.mark.parametrize(
    ("asking", "answer", "stands", "left_open"),
    [
        ([], "Both, please.", [1, 2, 3, 4], [1, 2]),
        ([], "#3 is right", [1, 2, 3], [1, 2]),
        (["!settle 1"], "the first", [1, 3, 4], [3, 4]),
        (["!settle 2"], "2", [2, 3, 4], [3, 4]),
        (["!settle 2", "It rains."], "2", [1, 2, 3, 4], [1, 2, 3, 4]),
        (["!settle 2"], "both of the keys are lost", [1, 2, 3, 4], [1, 2, 3, 4]),
    ],
)
async def test_the_next_line_tells_which_memory_holds(
    database: Database, clock: Clock, asking: list[str], answer: str, stands: list[int], left_open: list[int]
) -> None:
    """Of those just asked about, by age, place or number, and is no talk; later, or with more to it, it is."""
    await lines_of(database, clock, *CODES, *KEYS, *asking, answer)
    held = await rows(
        database,
        "SELECT memory_id, jsonb_array_length(coalesce(metadata -> 'contradicts', '[]')) > 0 FROM memory"
        " WHERE superseded_by IS NULL ORDER BY 1",
    )
    assert (stands, left_open) == ([number for number, _ in held], [number for number, is_open in held if is_open])
    assert (len(left_open) == 4) == (answer in await column(database, "SELECT content FROM message"))


async def test_what_goes_with_a_reply_is_a_file_on_a_screen(database: Database, clock: Clock, tmp_path: Path) -> None:
    """Of whole lines, its owner's alone, told by its path; another program reads the same lines from the output."""
    drawn, piped = io.StringIO(), io.StringIO()
    console = Console(file=drawn, force_terminal=True, width=40)
    async with room(database, clock, who=terminal.caller("ann"), data_dir=tmp_path) as r:
        await r.run(f"!remember {'Tea is in the blue tin. ' * 20}")
        await Terminal(r.app, r.caller, Screen(interactive=True, console=console)).take("!mydata export")
        with contextlib.redirect_stdout(piped):
            await Terminal(r.app, r.caller, Screen(interactive=False)).take("!mydata export")
    (file,) = tmp_path.glob("*.jsonl")
    assert (f"{file}" in drawn.getvalue(), 0o600) == (True, file.stat().st_mode & 0o777)
    lines = file.read_text("utf-8").splitlines()
    assert lines == piped.getvalue().splitlines()[-len(lines) :]
    assert "memory" in {json.loads(line)["kind"] for line in lines}


async def test_who_has_no_idea_is_helped(database: Database, clock: Clock) -> None:
    """A greeting and two ways to ask for help get what one can say, without a word of models."""
    for line, begins in (("hi", "Hello, I am Hathi."), ("help", "You can talk"), ("what can you do?", "You can talk")):
        out = await lines_of(database, clock, line, "!reset discard")
        assert out[0].startswith(begins)
        assert not [said for said in out if "LLM_BASE_URL" in said]


async def test_a_new_space_keeps_the_time_of_this_machine(
    database: Database, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The terminal's space begins in the machine's time zone; one that is there keeps its own."""
    monkeypatch.setenv("TZ", "America/New_York")
    assert "The time zone is America/New_York." in await lines_of(database, clock, "!settings timezone")
    monkeypatch.setenv("TZ", "Asia/Tokyo")
    assert "The time zone is America/New_York." in await lines_of(database, clock, "!settings timezone")


async def test_the_banner_tells_who_answers(database: Database, clock: Clock) -> None:
    """The model with its server; without one that there is none, and how to connect one."""
    async with room(database, clock) as r:
        assert hello.CONNECT in Terminal(r.app, r.caller, Screen(interactive=False)).banner()
    async with room(database, clock, models=roles("http://models.example:8080/v1")) as r:
        told = Terminal(r.app, r.caller, Screen(interactive=False)).banner()
    assert ("the model scripted at models.example:8080." in told, "LLM_" in told) == (True, False)


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


async def test_again_has_the_last_answer_given_anew(
    database: Database, clock: Clock, capsys: pytest.CaptureFixture[str]
) -> None:
    """As the button does on Discord: the old record goes with what it had saved, and the model is told of neither."""
    save = model_server.Reply(calls=(("memory_save", {"content": "Ann prefers tea.", "topic": "tea"}),))
    asked = "I prefer tea. Tell me about elephants."
    async with ModelServer(save, *map(_said, ("They are grey.", "They are large.", "They are old."))) as server:
        async with room(database, clock, models=roles(server.base_url), who=terminal.caller("Ann")) as r:
            person = Terminal(r.app, r.caller, Screen(interactive=False))
            await person.take(asked)
            assert ["Ann prefers tea."] == await column(database, LIVING)
            for line in ("!again", "/again"):
                assert await person.take(line)
            assert [] == await column(database, LIVING)
        assert not any(old in str(server.requests[-1]) for old in ("They are grey.", "They are large."))
    printed = capsys.readouterr().out.splitlines()
    assert ["They are grey.", "They are large.", "They are old."] == [line for line in printed if "They are" in line]
    said = await rows(database, "SELECT role, content FROM message ORDER BY message_id")
    assert [("person", asked), ("hathi", "They are old.")] == said


async def test_what_stays_of_the_answer_before_is_told(
    database: Database, clock: Clock, capsys: pytest.CaptureFixture[str]
) -> None:
    """What somebody changed since is not undone."""
    save = model_server.Reply(calls=(("memory_save", {"content": "Ann prefers tea.", "topic": "tea"}),))
    async with (
        ModelServer(save, _said("They are grey.")) as server,
        room(database, clock, models=roles(server.base_url), who=terminal.caller("Ann")) as r,
    ):
        person = Terminal(r.app, r.caller, Screen(interactive=False))
        for line in ("I prefer tea. Tell me about elephants.", "!pin 1", "!again"):
            await person.take(line)
    assert ["Ann prefers tea."] == await column(database, LIVING)
    assert render.stays([MemoryId(1)]) in capsys.readouterr().out.splitlines()


async def test_what_cannot_be_given_anew_is_told_and_stays(database: Database, clock: Clock) -> None:
    """No answer yet, one that no model gave, or something left over."""
    out = await lines_of(database, clock, "!again", "hi", "!again", "!again now")
    assert [1, 1] == [out.count(one) for one in (replacements.NOTHING, replacements.NO_MODEL)]
    assert 1 == sum("'now'" in line for line in out)
    assert ["hathi", "person"] == sorted(await column(database, "SELECT role FROM message"))


async def test_of_what_is_not_kept_nothing_is_given_anew(
    database: Database, clock: Clock, capsys: pytest.CaptureFixture[str]
) -> None:
    """Nothing has a record of the question: its answer stays as it is, and no model is asked."""
    async with (
        ModelServer() as server,
        room(database, clock, models=roles(server.base_url), who=terminal.caller("Ann")) as r,
    ):
        person = Terminal(r.app, r.caller, Screen(interactive=False))
        for line in ("!memory mode explicit", "Tell me about elephants.", "!again"):
            await person.take(line)
        assert 1 == len(server.requests)
    assert capsys.readouterr().out.splitlines()[-1] == replacements.NOT_KEPT
    assert [("answered",)] == await rows(database, "SELECT state FROM turn")


async def test_an_answer_stopped_while_it_is_given_anew_is_told(
    database: Database, clock: Clock, capsys: pytest.CaptureFixture[str]
) -> None:
    """The old one is taken back by then; the question is closed, and can be asked for anew."""
    async with (
        ModelServer(_said("They are grey."), Hang(), _said("They are old.")) as server,
        room(database, clock, models=roles(server.base_url, timeout=30)) as r,
    ):
        person = Terminal(r.app, r.caller, Screen(interactive=False))
        await person.take("Tell me about elephants.")
        asking = asyncio.create_task(person.take("!again"))
        await eventually(lambda: len(server.requests) == 2)
        person.stop()
        assert await asking
        await person.take("!again")
    assert capsys.readouterr().out.splitlines() == ["They are grey.", draft.STOPPED, "They are old."]


async def test_what_was_given_anew_when_it_ended_is_answered_at_the_next_start(
    database: Database, clock: Clock, capsys: pytest.CaptureFixture[str]
) -> None:
    """The old answer is gone by then: whoever starts it again reads the new one, however late."""
    async with (
        ModelServer(*map(_said, ("They are grey.", "They are large."))) as server,
        room(database, clock, models=roles(server.base_url), who=terminal.caller("Ann")) as r,
    ):
        person = Terminal(r.app, r.caller, Screen(interactive=False))
        await person.take("Tell me about elephants.")
        await r.app.replacements.begin(r.caller, await r.app.replacements.last(r.caller), now=r.clock())
        clock.forward(hours=1)
        await person.recover()
    printed = capsys.readouterr().out.splitlines()
    assert ["[before I stopped you asked] Tell me about elephants.", "They are large."] == printed[1:]


async def test_help_names_what_only_the_terminal_has(database: Database, clock: Clock) -> None:
    """Under every list, and explained by itself."""
    for line in ("!help", "!help all", "!help again", "!help !again"):
        assert any("!again" in one for one in await lines_of(database, clock, line))
    assert not any("again" in one for one in await lines_of(database, clock, "!help pin"))
    assert ["!again"] == completions("!aga")


async def test_what_is_typed_while_an_answer_streams_is_the_next_line(dsn: str, tmp_path: Path) -> None:
    """It is not echoed into the answer, and stands at the next prompt, where it is sent."""
    master, screen = pty.openpty()
    termios.tcsetwinsize(screen, (24, 80))
    gate = asyncio.Event()
    async with ModelServer(model_server.Reply(text="First. Second. Third.", gate=gate)) as server:
        settings = {"DATABASE_URL": dsn, "HATHI_DATA_DIR": str(tmp_path), "XDG_CONFIG_HOME": str(tmp_path)}
        settings |= {
            "LLM_BASE_URL": server.base_url,
            "LLM_MODEL": "scripted",
            "TERM": "xterm",
            "PROMPT_TOOLKIT_NO_CPR": "1",
        }
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "bot"), stdin=screen, stdout=screen, stderr=screen, env=os.environ | settings
        )
        os.close(screen)
        os.set_blocking(master, False)
        shown = ""

        def stands(words: str) -> bool:
            nonlocal shown
            with contextlib.suppress(BlockingIOError):
                shown += os.read(master, 65536).decode()
            return words in shown

        await eventually(lambda: stands("you>"))
        os.write(master, b"a story, please\r")
        await eventually(lambda: server.requests)
        shown = ""
        os.write(master, b"typed ahead\r")
        gate.set()
        await eventually(lambda: len(server.requests) == 2 and stands("Fine."))
        os.write(master, b"\x04")
        async with asyncio.timeout(30):
            await process.wait()
    os.close(master)
    assert server.requests[1]["messages"][-1]["content"].endswith("typed ahead")
    answer, _, after = shown.partition("Third.")
    assert "typed ahead" not in answer
    assert after.index("you>") < after.index("typed ahead") < after.index("Fine.")


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
        await process.communicate(b"!remember Tea is at four.\n!memories\n!help reset\n")
    shown = os.read(master, 65536).decode()
    os.close(master)
    assert (0, True, False) == (process.returncode, "Tea is at four." in shown, "memory.saved" in shown)
    assert "memory.saved" in (tmp_path / "hathi.log").read_text()
    # Who reads on a screen sees it drawn, wherever the lines come from.
    assert ("`discard`" in shown, "discard" in shown) == (False, True)
