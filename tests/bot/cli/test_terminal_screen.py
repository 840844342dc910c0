"""The laws of the terminal's screen."""

import asyncio
import io
import re
from typing import Final

import pytest
from rich.console import Console

from bot.cli.terminal_screen import Screen
from bot.domain import Reply

_SIGN: Final = re.compile(r"\x1b\[([0-9;?]*)([A-Za-z])|([\r\n])|([^\x1b\r\n]+)")


def seen(output: str) -> list[str]:
    """What stands on a terminal after this output: it knows the line's begin, the line above, and erasing a line."""
    lines, row, column = [""], 0, 0
    for amount, command, turn, words in _SIGN.findall(output):
        if words:
            lines[row] = lines[row][:column].ljust(column) + words + lines[row][column + len(words) :]
            column += len(words)
        elif turn == "\r":
            column = 0
        elif turn == "\n":
            row, column = row + 1, 0
            lines += [""] * (row == len(lines))
        elif command == "A":
            row -= int(amount or 1)
        elif command == "K":
            lines[row] = ""
    return [line.rstrip() for line in lines]


class Drawn:
    """A screen that is a terminal of so many columns."""

    def __init__(self, columns: int) -> None:
        self._out = io.StringIO()
        console = Console(file=self._out, force_terminal=True, width=columns, height=20, highlight=False)
        self.screen = Screen(interactive=True, console=console)

    @property
    def lines(self) -> list[str]:
        """What stands on it."""
        return seen(self._out.getvalue())


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


LONG: Final = "The deploy happens on Thursdays at four, because Karl is in the office then."


@pytest.mark.parametrize("columns", [30, 60, 120])
async def test_a_terminal_wraps_between_words(columns: int) -> None:
    """Whatever is told, a reply or a line: no word is cut, and what is quoted stays under its quotation mark."""
    drawn = Drawn(columns)
    drawn.screen.line(LONG)
    async with drawn.screen.answering():
        await drawn.screen.finish(f"{LONG}\n    \u201c{LONG}\u201d", [LONG])
    assert all(len(line) <= columns for line in drawn.lines)
    assert " ".join([LONG, LONG, f"\u201c{LONG}\u201d", LONG]).split() == " ".join(drawn.lines).split()
    quoted = [line for line in drawn.lines if line.startswith("    ")]
    assert f"\u201c{LONG}\u201d".split() == " ".join(quoted).split()


async def test_a_reply_is_drawn_as_it_grows_and_stands_once() -> None:
    """What is whole stands, the rest is drawn anew until it is; in the end all of it stands once, with its notes."""
    drawn, whole = Drawn(60), "First **one**.\n\n- second\n- third\n\nThe last, with `code`."
    async with drawn.screen.answering():
        for end in range(1, len(whole) + 1, 7):
            await drawn.screen.show(whole[:end], _kept)
        assert "First one." in drawn.lines
        await drawn.screen.finish(whole, ["[memory] saved"])
    told = ["First one.", "", " \u2022 second", " \u2022 third", "", "The last, with code.", "[memory] saved", ""]
    assert told == drawn.lines


async def test_what_is_withdrawn_is_gone() -> None:
    """A placeholder leaves no trace; of a reply that was stopped, what was shown stands."""
    drawn = Drawn(60)
    async with drawn.screen.answering():
        await drawn.screen.show("Let me look.", _kept)
        await drawn.screen.withdraw()
        await drawn.screen.show("Half an", _kept)
    assert ["Half an", ""] == drawn.lines


async def test_a_reply_longer_than_the_screen_stands_whole() -> None:
    """While it grows only its end is drawn, and nothing of it is lost when it is done."""
    drawn, whole = Drawn(60), "\n".join(f"line {number}" for number in range(50))
    async with drawn.screen.answering():
        await drawn.screen.show(whole, _kept)
        await drawn.screen.finish(whole, [])
    assert whole.splitlines() == [line for line in drawn.lines if line]


async def test_recovered_replies_are_drawn_too() -> None:
    """What is told outside of an answer, at a start, stands by itself."""
    drawn = Drawn(60)
    for number in range(2):
        await drawn.screen.finish(f"**{number}**", [])
    assert ["0", "1", ""] == drawn.lines


def test_what_a_command_tells_is_drawn_and_what_is_to_be_copied_is_not() -> None:
    """Markdown of the one, every sign of the other."""
    drawn = Drawn(60)
    drawn.screen.told("Say `discard`.")
    drawn.screen.line('{"said": "`x`"}')
    assert ["Say discard.", '{"said": "`x`"}', ""] == drawn.lines


async def test_piped_output_stays_as_it_was_written(capsys: pytest.CaptureFixture[str]) -> None:
    """Neither wrapped nor drawn: another program reads it."""
    async with (screen := Screen(interactive=False)).answering():
        await screen.finish(f"**{LONG}** {LONG}", [])
    assert f"**{LONG}** {LONG}\n" == capsys.readouterr().out
