"""`hathi chat`: the same bot at a terminal, without token, network or discord.py."""

import asyncio
import contextlib
import difflib
import re
import signal
import sys
from collections.abc import AsyncIterator, Callable, Coroutine, Iterable, Iterator, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any, Final

from prompt_toolkit import PromptSession
from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.document import Document
from prompt_toolkit.formatted_text import FormattedText
from prompt_toolkit.history import FileHistory
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.patch_stdout import patch_stdout

import bot
from bot import arguments, catalogue, config, errors, log
from bot.app import App
from bot.arguments import Choice, Grammar
from bot.cli import held_keys
from bot.cli.terminal_recovery import TerminalRecovery
from bot.cli.terminal_screen import Screen
from bot.commands import hello, run_requests
from bot.commands.commands import EVERY
from bot.commands.grammar import GRAMMARS, PREFIX, meant
from bot.commands.resets import summary_text
from bot.domain import (
    TERMINAL_CHANNEL,
    TERMINAL_PERSON,
    TERMINAL_SPACE,
    Caller,
    MemoryId,
    Message,
    MessageId,
    ModelRole,
    PlaceSetting,
    Reply,
    Role,
    Saved,
    Surroundings,
    Turn,
    new_id,
)
from bot.lifecycle.summaries import SummaryDone
from bot.llm import failures
from bot.presentation import both_sides, render
from bot.store import replacements
from bot.text.normalize import shown
from bot.transfer import exporting
from bot.turn.delivery import Delivery
from bot.turn.recovery import Recovery

_log = log.logger(__name__)

CHANNEL_NAME: Final = "terminal"
MODE: Final = "all"
SUMMARY_PATIENCE: Final = 60.0
"""Seconds the end of piped input waits for a summary."""
WRITTEN: Final = "It is in {file}, which nobody but you can read."
AGAIN: Final = Grammar(command="again")
"""What is typed here for the button "Regenerate", as nothing can be pressed."""
ABOUT_AGAIN: Final = catalogue.later(
    "Have my last answer given anew, where a model gave it; what that had saved is undone."
)
_NAMES: Final = (*GRAMMARS, AGAIN.command)
_COMMAND: Final = re.compile(r"([!/])([A-Za-z][\w-]*)(?:\s+(.*))?", re.DOTALL)
_LEAVE: Final = frozenset({"exit", "quit"})
_PROMPT: Final = FormattedText([("bold", "you> ")])


def caller(name: str) -> Caller:
    """Whoever sits at the terminal: its only person, and admin of space 0."""
    return Caller(
        space_id=TERMINAL_SPACE,
        channel_id=TERMINAL_CHANNEL,
        person_id=TERMINAL_PERSON,
        name=name,
        is_admin=True,
        is_moderator=True,
        reads_alone=True,
        visible=(TERMINAL_CHANNEL,),
        time_zone=config.machine_time_zone(),
    )


class TerminalVenue:
    """The terminal as a venue: one person, and no messages but those recorded."""

    async def history(self, turn: Turn) -> tuple[Message, ...]:  # noqa: ARG002
        """Nothing: every message here is recorded."""
        return ()

    async def surroundings(self, turn: Turn) -> Surroundings:  # noqa: ARG002
        """Nothing: nobody else talks here."""
        return Surroundings()

    def stands(self, ids: Iterable[MessageId], since: float) -> bool:  # noqa: ARG002
        """Nothing of it can be deleted."""
        return True

    def audience(self, caller: Caller) -> Caller:
        """The same: nobody reads along."""
        return caller

    def tell_author(self, saved: Saved, keeper: Caller) -> None:
        """Nothing: there is one author."""


class Terminal:
    """Reads lines, runs commands, holds the conversation."""

    def __init__(self, app: App, person: Caller, screen: Screen) -> None:
        self._app = app
        self._caller = person
        self._screen = screen
        self._answer: asyncio.Task[None] | None = None
        self._delivery = Delivery(venue=TerminalVenue(), sink=screen)

    async def settle(self) -> None:
        """Take over the settings of the space: what commands begin with, beside ! and /, language, time zone."""
        place = await self._app.spaces.place(self._caller.space_id, self._caller.channel_id)
        if place is not None:
            catalogue.speak(place.language)
            self._caller = place.settled(self._caller)

    def resets(self, line: str) -> bool:
        """Whether a line is the command that ends the session."""
        command = command_in(line.strip(), self._caller.prefix)
        return command is not None and command[0] == "reset"

    def banner(self) -> str:
        """What an interactive terminal begins with: who answers, and how to get help and to leave."""
        models, who = self._app.models, f"Hathi {bot.__version__}"
        if models.has(ModelRole.REASONING):
            asked = models.settings(ModelRole.REASONING)
            who = f"{who}, with the model {asked.model} at {failures.host(asked)}."
        else:
            who = f"{who}, without a model: answers come from memory alone. {hello.CONNECT}"
        return f"{who}\nSay something, or {self._caller.prefix}help. exit or Ctrl-D leaves, Ctrl-C stops an answer."

    async def take(self, line: str) -> bool:
        """Carry out one line; false when it says to leave. Whatever goes wrong is one sentence."""
        text = line.strip()
        if not text:
            return True
        if text.lower() in _LEAVE:
            return False
        opened, self._screen.opened = self._screen.opened, ()
        try:
            command = command_in(text, self._caller.prefix)
            if command is not None and _is_run(*command):
                await self._say(f"{self._caller.prefix}{run_requests.COMMAND} {command[1]}")
            elif command is not None and command[0] == AGAIN.command:
                await self._again(command[1])
            elif command is not None:
                await self._run(*command)
            elif not opened or not await self._settled(opened[0], text):
                await self._say(text)
        except BrokenPipeError:
            raise
        except errors.HathiError as exc:
            self._screen.line(exc.said(self._caller.prefix))
            _log.info("terminal.refused", error=type(exc).__name__)
        except Exception:  # noqa: BLE001 - the person gets one sentence, the log the cause
            incident = f"{new_id(self._app.clock()):x}"
            _log.exception("terminal.failed", incident=incident)
            self._screen.line(f"Something went wrong on my side; the log has it under incident {incident}.")
        return True

    async def recover(self) -> None:
        """Show, answer or list what an earlier run left behind."""
        await self._app.sessions.release_dead(self._caller.space_id, now=self._app.clock(), alone=self._app.alone)
        channel = TerminalRecovery(
            person=self._caller, conversation=self._app.conversation, delivery=self._delivery, line=self._screen.line
        )
        recovery = Recovery(
            self._app.turns,
            alone=self._app.alone,
            clock=self._app.clock,
            saved=self._app.archivist.saved_in_turn,
            spoken=self._app.personas.spoken,
            kept=self._app.personas.kept,
        )
        await recovery.recover(self._caller.space_id, self._caller.channel_id, channel)

    def stop(self) -> None:
        """Stop the answer in the making; what was shown of it is kept."""
        if self._answer is not None:
            self._delivery.stop(self._answer)

    async def _run(self, name: str, line: str) -> None:
        """Carry out a command, and show what it says."""
        helps_with = _helped_with(name, line, self._caller.prefix)
        if helps_with == AGAIN.command:
            self._screen.line(f"{AGAIN.usage(self._caller.prefix)}\n{catalogue.gettext(ABOUT_AGAIN)}")
            return
        reply = await self._app.commands.run(self._caller, name, line, self._screen.later)
        self._screen.opened = both_sides.opened(reply)
        self._screen.told(shown(reply.text))
        if helps_with in {"", EVERY}:
            self._screen.line(f"{AGAIN.usage(self._caller.prefix)}: {catalogue.gettext(ABOUT_AGAIN)}")
        if reply.lines is not None:
            await self._hand_over(name, reply.lines)
        # The answer stands; what follows from it is only noted.
        with contextlib.suppress(errors.DatabaseDown):
            if name in {"settings", *PlaceSetting}:
                await self.settle()
            await self._app.archivist.touch(self._caller.space_id, reply.shown, now=self._app.clock())

    async def _hand_over(self, name: str, lines: AsyncIterator[str]) -> None:
        """What goes with a reply as a file: written as one and told where, or as it is to whatever reads the output."""
        if not self._screen.draws:
            async for line in lines:
                self._screen.line(shown(line.rstrip("\n")))
            return
        file = self._app.settings.data_dir / f"{name}-{self._app.clock():%Y%m%d-%H%M%S}.jsonl"
        with exporting.written(file) as out:
            async for line in lines:
                out.write(line.encode())
        self._screen.line(WRITTEN.format(file=file))

    async def _settled(self, opened: MemoryId, text: str) -> bool:
        """Whether a line answered which of two memories holds, as was just asked; then that is done."""
        reply = await self._app.commands.settling.answered(self._caller, opened, text)
        if reply is not None:
            self._screen.opened = both_sides.opened(reply)
            self._screen.told(shown(reply.text))
        return reply is not None

    async def _say(self, text: str) -> None:
        turn = Turn(caller=self._caller, message=_message(self._caller, text, self._app.clock()))
        await self._answered(lambda delivery: self._app.conversation.answer(turn, delivery))

    async def _again(self, line: str) -> None:
        """Has the last answer given anew, below the old one. Raises `BadArgument`, and as `Replacements.look` does."""
        arguments.parse(line, AGAIN)
        turn_id = await self._app.replacements.last(self._caller)
        found = await self._app.replacements.look(self._caller, turn_id)
        if not found.message.content:
            # Nothing else has a record of what was said here.
            raise errors.NotFound(replacements.NOT_KEPT)
        done = await self._app.replacements.begin(self._caller, turn_id, now=self._app.clock())
        if done.stays:
            self._screen.line(render.stays(done.stays))
        await self._answered(lambda delivery: self._app.conversation.carry_on(done.turn, delivery))

    async def _answered(self, writing: Callable[[Delivery], Coroutine[Any, Any, None]]) -> None:
        """Shows what is written, and how it ends where it is stopped."""
        async with self._screen.answering() as screen:
            self._delivery = Delivery(venue=TerminalVenue(), sink=screen)
            self._answer = asyncio.create_task(writing(self._delivery))
            try:
                await self._answer
            except asyncio.CancelledError:
                if self._answer.cancelled() and not asyncio.current_task().cancelling():  # type: ignore[union-attr]
                    if not self._delivery.is_whole:
                        screen.line("[stopped]")
                else:
                    raise
            finally:
                self._answer = None


async def announce_summary(screen: Screen, done: SummaryDone) -> None:
    """A summary that was made late, by the retry."""
    await screen.later(Reply(text=summary_text(done, PREFIX)))


async def piped(app: App, terminal: Terminal, lines: Iterable[str]) -> None:
    """Answer each line in order; after a reset, and at the end, wait up to a minute for summaries under way."""
    source = iter(lines)
    while (line := await asyncio.to_thread(next, source, None)) is not None:
        if not await terminal.take(line):
            break
        if terminal.resets(line):
            await app.background.settled(SUMMARY_PATIENCE)
    await app.background.settled(SUMMARY_PATIENCE)


async def interactive(terminal: Terminal, data_dir: Path) -> None:
    """A prompt with history, completion and multi-line paste, until exit or Ctrl-D; Ctrl-C stops an answer."""
    history = data_dir / "history"
    history.touch(mode=0o600)
    session: PromptSession[str] = PromptSession(
        history=FileHistory(str(history)),
        completer=CommandCompleter(),
        complete_while_typing=True,
        multiline=True,
        key_bindings=_keys(),
        prompt_continuation="...  ",
    )
    loop = asyncio.get_running_loop()
    while True:
        try:
            # Only while it waits for input may lines of others stand above the prompt; an answer owns the screen.
            with patch_stdout(raw=True):
                line = await session.prompt_async(_PROMPT)
        except KeyboardInterrupt:
            continue
        except EOFError:
            return
        loop.add_signal_handler(signal.SIGINT, terminal.stop)
        try:
            if not await terminal.take(line):
                return
        finally:
            loop.remove_signal_handler(signal.SIGINT)


def command_in(text: str, prefix: str = "!") -> tuple[str, str] | None:
    """The command's name and what follows it; none for talk. A slash also begins a path, so it takes a known name."""
    if text.startswith(prefix):
        text = "!" + text.removeprefix(prefix)
    found = _COMMAND.fullmatch(text)
    if found is None:
        return None
    name = meant(found[2].lower())
    known = found[1] == "!" or difflib.get_close_matches(name, _NAMES, 1, 0.75)
    return (name, found[3] or "") if known else None


def _is_run(name: str, line: str) -> bool:
    """Whether it has a workflow run: that is answered as a question is."""
    run = run_requests.given(line) if meant(name) == run_requests.COMMAND else None
    return run is not None and bool(run.request)


def _helped_with(name: str, line: str, prefix: str) -> str | None:
    """What `help` is asked about, empty where it is everything; none of another command."""
    return line.strip().lower().removeprefix(prefix).lstrip("!/") if meant(name) == "help" else None


class CommandCompleter(Completer):
    """Command names, then their arguments and the values those take."""

    def get_completions(
        self,
        document: Document,
        complete_event: CompleteEvent,  # noqa: ARG002 - the signature is the library's
    ) -> Iterable[Completion]:
        """What could stand where the cursor is."""
        text = document.text_before_cursor
        word = text.rpartition(" ")[2]
        if text[:1] in {"!", "/"}:
            options = _arguments(text[1:].split(" ")[0], word) if " " in text else [text[0] + n for n in _NAMES]
            yield from (Completion(o, -len(word)) for o in options if o.startswith(word) and o != word)


def _arguments(command: str, word: str) -> list[str]:
    """What a command takes: bare words, names, and the options of the name being typed."""
    grammar = GRAMMARS.get(command)
    if grammar is None:
        return []
    options = [*grammar.bare, *(f"{name}:" for name in grammar.named)]
    options += [form.words for form in grammar.forms]
    for name, kind in grammar.named.items():
        if isinstance(kind, Choice) and word.startswith(f"{name}:"):
            options += [f"{name}:{option}" for option in kind.options]
    return [*options, *_NAMES] if command == "help" else options


def _keys() -> KeyBindings:
    """Enter sends, Alt-Enter breaks the line; a paste keeps its lines."""
    keys = KeyBindings()

    @keys.add("enter")
    def _send(event: KeyPressEvent) -> None:  # pyright: ignore[reportUnusedFunction]
        event.current_buffer.validate_and_handle()

    @keys.add("escape", "enter")
    def _break(event: KeyPressEvent) -> None:  # pyright: ignore[reportUnusedFunction]
        event.current_buffer.insert_text("\n")

    return keys


def _message(person: Caller, text: str, now: datetime) -> Message:
    clean = text.encode("utf-8", "replace").decode()
    return Message(
        space_id=person.space_id,
        channel_id=person.channel_id,
        message_id=MessageId(new_id(now)),
        role=Role.PERSON,
        author_id=person.person_id,
        author=person.name,
        content=clean,
        said_at=now,
    )


def _shown(screen: Screen, lines: Iterable[str]) -> Iterator[str]:
    """The lines that say anything, each shown when it is taken."""
    for line in filter(str.strip, lines):
        screen.line(f"> {shown(line)}")
        yield line


async def chat(
    open_app: Callable[[Screen], contextlib.AbstractAsyncContextManager[App]],
    name: str,
    given: Sequence[str] | None = None,
) -> None:
    """Runs the terminal: opens it, recovers what an earlier run left, talks, closes.

    Lines that are given are answered in place of what is typed or piped, each after itself. Whoever reads the answers
    on a terminal sees them drawn, wherever the lines come from.
    """
    typing = given is None and held_keys.typed()
    screen = Screen(interactive=sys.stdout.isatty())
    async with open_app(screen) as app:
        person = await app.enter(caller(name), channel_name=CHANNEL_NAME, mode=MODE)
        terminal = Terminal(app, person, screen)
        await terminal.settle()
        await terminal.recover()
        async with app.schedule.started():
            if typing:
                screen.line(terminal.banner())
                await interactive(terminal, app.settings.data_dir)
            else:
                await piped(app, terminal, sys.stdin if given is None else _shown(screen, given))
