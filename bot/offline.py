"""The responder that needs no model: it answers from memory, verbatim and attributed, and says what it can't do."""

from dataclasses import replace
from typing import Final

from bot.commands import Commands
from bot.domain import NOTHING_FOUND, TERMINAL_SPACE, Caller, Message, Reply
from bot.memory.librarian import Librarian

MOST_QUOTED: Final = 3
WHAT_I_CAN: Final = (
    "Without a model I can't chat, but I remember. Ask me about something that was said here, tell me "
    '"remember that …", or use !recall, !remember, !memories, !reset; !help lists all commands.'
)
CONNECT: Final = (
    "To connect a model set LLM_BASE_URL, LLM_API_KEY and LLM_MODEL and start me again; README has a line for every "
    "usual provider."
)
UNREACHABLE: Final = "The model can't be reached right now, so this is from memory alone."
UNREACHABLE_NOTHING: Final = (
    "The model can't be reached right now, and I found nothing in memory to answer with. Please ask again later; "
    "!recall, !remember and the other commands work meanwhile."
)


class Offline:
    """Answers without a model."""

    def __init__(self, commands: Commands, librarian: Librarian) -> None:
        self._commands = commands
        self._librarian = librarian

    async def reply(self, caller: Caller) -> Reply:
        """What Hathi can do without a model, to whoever asked for something else."""
        # Only who sits at the terminal can do something about it; a community would read it under every answer.
        what = f"{WHAT_I_CAN}\n{CONNECT}" if caller.space_id == TERMINAL_SPACE else WHAT_I_CAN
        return Reply(text=await self._commands.as_typed(caller, what))

    async def instead_of_model(self, caller: Caller, message: Message | None) -> Reply:
        """What memory holds on a message when the model is down, or plainly that it is down."""
        found = Reply(text=NOTHING_FOUND) if message is None else await self.from_memory(caller, message)
        if found.text == NOTHING_FOUND:
            return Reply(text=await self._commands.as_typed(caller, UNREACHABLE_NOTHING))
        return Reply(text=f"{UNREACHABLE}\n{found.text}", shown=found.shown)

    async def from_memory(self, caller: Caller, question: Message) -> Reply:
        """The best matches, quoted with who said them and when; or the one sentence for nothing."""
        found = await self._librarian.recall(
            caller, question.content, as_of=question.said_at, limit=MOST_QUOTED, apart_from=(question.message_id,),
            is_question=True,
        )  # fmt: skip
        return await self._commands.told(caller, replace(found, questions=()))
