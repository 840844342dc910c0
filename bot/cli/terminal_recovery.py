"""Recovery at the terminal: prints what was kept of an interrupted reply, and answers or lists the other questions."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from bot import catalogue
from bot.domain import Caller, Turn
from bot.store.turns import Unfinished
from bot.text.normalize import one_line, shown
from bot.turn.conversation import Conversation
from bot.turn.delivery import Delivery
from bot.turn.draft import CUT_MARK
from bot.turn.memory_walk import CHECKING
from bot.turn.recovery import StandingReply


@dataclass(frozen=True, slots=True, kw_only=True)
class TerminalRecovery:
    """The terminal's channel, for recovery."""

    person: Caller
    conversation: Conversation
    delivery: Delivery
    line: Callable[[str], None]
    """Prints one or more whole lines."""

    async def asker(self, left: Unfinished) -> Caller:  # noqa: ARG002
        """The terminal's only person."""
        return self.person

    async def standing(self, turn: Turn, left: Unfinished) -> StandingReply | None:  # noqa: ARG002
        """Whatever was kept had been printed; a placeholder is no reply."""
        return None if left.kept in catalogue.in_all(CHECKING) else StandingReply()

    async def question(self, turn: Turn) -> Turn | str:
        """As it was recorded: nothing else has a record of what was said here."""
        return "not kept" if turn.unkept else turn

    async def show_kept(self, left: Unfinished, notes: Sequence[str]) -> None:
        """Prints the question, the reply as far as it was kept, and the notes under it."""
        mark = "" if left.kept_whole else catalogue.gettext(CUT_MARK)
        self._asked(left.question, "\n".join(["", f"{shown(left.kept or '')}{mark}", *map(shown, notes)]))

    async def take_back_wait(self, left: Unfinished) -> None:
        """Does nothing: nothing tells here that an answer would come."""

    async def list_expired(self, left: Unfinished) -> None:
        """Prints the question, where it is known."""
        if not left.unkept:
            self.line(f"[not answered before I stopped] {one_line(shown(left.question))}")

    async def answer(self, turn: Turn) -> None:
        """Prints the question, and answers it at once."""
        self._asked(turn.message.content)
        await self.conversation.resume(turn, self.delivery)

    def _asked(self, question: str, reply: str = "") -> None:
        self.line(f"[before I stopped you asked] {one_line(shown(question))}{reply}")
