"""Answers without a model: quotes what memory holds, with its authors, and says what it can't do."""

from dataclasses import replace
from typing import Final

from bot.commands import hello
from bot.commands.commands import Commands
from bot.domain import NOTHING_FOUND, TERMINAL_SPACE, Caller, Message, Reply, Stock, Turn
from bot.language.requests import plain_words
from bot.recall.librarian import Librarian
from bot.recall.query import Query
from bot.store.turns import Turns
from bot.text import normalize, plain_form

MOST_QUOTED: Final = 3
UNREACHABLE: Final = "The model can't be reached right now, so this is from memory alone."
UNREACHABLE_NOTHING: Final = (
    "The model can't be reached right now, and I found nothing in memory to answer with. Please ask again later; "
    "{p}recall, {p}remember and the other commands work meanwhile."
)


class Offline:
    """Answers without a model."""

    def __init__(self, commands: Commands, librarian: Librarian, turns: Turns) -> None:
        self._commands = commands
        self._librarian = librarian
        self._turns = turns

    async def reply(self, turn: Turn) -> Reply:
        """Acknowledges a statement; says plainly that a request can't be met without a model.

        At length once a session to each person, then briefly.
        """
        knows = await self._turns.has_told(turn, (Stock.HEARD,))
        text = turn.message.content
        if "?" in text and not normalize.has_words(text):
            return Reply(text=hello.WHAT, stock=Stock.OTHER)
        if plain_form.read(text).asks or plain_words.asks_something(text):
            said = hello.CANT_BRIEFLY if knows else hello.CANT
        elif turn.unkept:
            said = hello.NOT_KEPT_BRIEFLY if knows else hello.NOT_KEPT
        else:
            said = hello.HEARD_BRIEFLY if knows else hello.HEARD
        more = [] if knows else self._connecting(turn.caller)
        return Reply(text="\n".join([said, *more]), stock=Stock.HEARD)

    async def under_nothing(self, turn: Turn) -> list[str]:
        """The note under a session's first question that memory has nothing on."""
        if await self._turns.has_told(turn, (Stock.NOTHING, Stock.HEARD)):
            return []
        return [hello.FROM_MEMORY_ALONE, *self._connecting(turn.caller)]

    def _connecting(self, caller: Caller) -> list[str]:
        # Only who sits at the terminal can do something about it; a community would read it again and again.
        return [hello.CONNECT] if caller.space_id == TERMINAL_SPACE else []

    async def instead_of_model(self, caller: Caller, message: Message | None) -> Reply:
        """What memory holds on a message when the model is down, or that it is down."""
        found = Reply(text=NOTHING_FOUND) if message is None else await self.from_memory(caller, message)
        if found.text == NOTHING_FOUND:
            return Reply(text=UNREACHABLE_NOTHING.format(p=caller.prefix), stock=Stock.FAILED)
        return found

    async def from_memory(self, caller: Caller, question: Message) -> Reply:
        """The best matches, quoted with author and time; or the sentence for nothing found."""
        found = await self._librarian.recall(
            caller,
            Query(
                text=question.content,
                as_of=question.said_at,
                limit=MOST_QUOTED,
                apart_from=(question.message_id,),
                is_question=True,
            ),
        )
        return await self._commands.recalling.told(caller, replace(found, questions=()))
