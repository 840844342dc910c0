"""What is said where there is no model, or it is away: that a statement was heard, and what can't be done."""

from typing import Final

from bot import catalogue, errors
from bot.commands import hello
from bot.domain import TERMINAL_SPACE, Caller, Reply, Stock, Turn
from bot.language.requests import plain_words
from bot.store.turns import Turns
from bot.text import normalize, plain_form

UNREACHABLE: Final = catalogue.later("The model can't be reached right now, so this is from memory alone.")
UNREACHABLE_NOTHING: Final = catalogue.later(
    "The model can't be reached right now; please ask again later ({p}recall and the other commands work meanwhile)."
)
SILENT: Final = catalogue.later("The model gave no answer, so this is from memory alone.")
SILENT_NOTHING: Final = catalogue.later("The model gave an empty answer; please ask again, maybe in other words.")
LOOKED_ON: Final = catalogue.later(
    "The model went on looking things up and gave no answer; please ask again, maybe for less at once."
)


def instead(failure: errors.ModelError) -> str:
    """Why memory alone answers."""
    return catalogue.gettext(SILENT if isinstance(failure, errors.ModelSilent) else UNREACHABLE)


class Offline:
    """Answers without a model."""

    def __init__(self, turns: Turns) -> None:
        self._turns = turns

    async def reply(self, turn: Turn) -> Reply | None:
        """Acknowledges a statement; says plainly that a request can't be met without a model.

        At length once a session to each person, then briefly, and then not at all what people say to each other where
        everything is answered; nor ever what is not kept there.
        """
        knows = await self._turns.has_told(turn, (Stock.HEARD,))
        text = turn.message.content
        if "?" in text and not normalize.has_words(text):
            return Reply(text=catalogue.gettext(hello.WHAT), stock=Stock.OTHER)
        if plain_form.read(text).asks or plain_words.asks_something(text):
            said = hello.CANT_BRIEFLY if knows else hello.CANT
        elif not turn.is_to_hathi and (knows or turn.unkept):
            return None
        elif turn.unkept:
            said = hello.NOT_KEPT_BRIEFLY if knows else hello.NOT_KEPT
        else:
            said = hello.HEARD_BRIEFLY if knows else hello.HEARD
        more = [] if knows else self._connecting(turn.caller)
        return Reply(text="\n".join([catalogue.gettext(said), *more]), stock=Stock.HEARD)

    async def under_nothing(self, turn: Turn) -> list[str]:
        """The note under a session's first question that memory has nothing on."""
        if await self._turns.has_told(turn, (Stock.NOTHING, Stock.HEARD)):
            return []
        return [catalogue.gettext(hello.FROM_MEMORY_ALONE), *self._connecting(turn.caller)]

    def away(self, caller: Caller, failure: errors.ModelError) -> Reply:
        """Says that the model is away, or gave no answer, where memory surely has none either."""
        match failure:
            case errors.ModelLookedOn():
                told = LOOKED_ON
            case errors.ModelSilent():
                told = SILENT_NOTHING
            case _:
                told = UNREACHABLE_NOTHING
        return Reply(text=catalogue.gettext(told).format(p=caller.prefix), stock=Stock.FAILED)

    def _connecting(self, caller: Caller) -> list[str]:
        # Only who sits at the terminal can do something about it; a community would read it again and again.
        return [catalogue.gettext(hello.CONNECT)] if caller.space_id == TERMINAL_SPACE else []
