"""Takes the answers to what Hathi itself just asked: whether to forget or to keep, which of some, and which holds."""

from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Final

from bot import catalogue, errors
from bot.commands import forgetting
from bot.commands.commands import Commands
from bot.domain import TERMINAL_SPACE, Caller, Forgettable, Reply, Stock
from bot.language.requests import plain_requests, side_choices
from bot.language.requests.set_phrases import SetPhrases
from bot.text import patterns
from bot.turn.draft import Draft

LAPSED: Final = catalogue.later(
    "Nothing was forgotten: something else was said since I asked. Say again what I should forget, or press the button."
)
NOT_KEPT: Final = catalogue.later("Nothing was kept.")
NOT_DONE: Final = catalogue.later("Nothing was done.")
_PART: Final = patterns.vocabulary("forget delete erase remove vergiss lösche oublie efface supprime olvida borra")
"""Words to forget something with: alone no yes to what can't be brought back."""
_ALL: Final = patterns.vocabulary("all everything alles tout todo")


class OwnQuestions:
    """Acts on answers to Hathi's own questions, by whoever was asked, before they say anything else."""

    def __init__(self, commands: Commands) -> None:
        self._commands = commands

    async def reply(self, draft: Draft, phrases: SetPhrases, asked: plain_requests.Asked) -> Reply | None:
        """The reply to such an answer; none where nothing was asked, or the message answers nothing of it.

        `asked` is what the message asks of memory by itself.
        """
        return (
            await self._kept(draft, phrases.agrees)
            or await self._settled(draft)
            or await self._picked(draft, asked)
            or await self._agreed(draft, None if _names_what(asked) else phrases.agrees, asked)
        )

    async def _kept(self, draft: Draft, is_yes: bool | None) -> Reply | None:  # noqa: FBT001
        """Acts at the terminal on the answer to "Keep? y/n" or "Do it? y/n"; None where neither was just asked."""
        desk, turn, proposed = draft.desk, draft.turn, self._commands.proposed
        if is_yes is None or turn.caller.space_id != TERMINAL_SPACE:
            return None
        before = await desk.patiently(lambda: desk.turns.before(turn))
        if before is None:
            return None
        keeps = await desk.patiently(lambda: proposed.is_open(draft.asker, before))
        does = await desk.patiently(lambda: proposed.is_open(draft.asker, before, acts=True))
        if not (keeps or does):
            return None
        await draft.as_command()
        if not is_yes:
            return Reply(text=catalogue.gettext(NOT_KEPT if keeps else NOT_DONE), stock=Stock.KEPT)

        async def agreed() -> Reply:
            done = [await self._commands.carry_out(draft.asker, before)] if does else []
            kept = [await desk.patiently(lambda: proposed.agreed(draft.asker, before))] if keeps else []
            return replace((kept or done)[0], text="\n".join(one.text for one in (*kept, *done)))

        return await said_or_told(turn.caller, agreed)

    async def _settled(self, draft: Draft) -> Reply | None:
        """Settles what was just kept, or in the reply referred to; None where nothing is open, or no side is chosen."""
        desk, turn = draft.desk, draft.turn
        text, refers = turn.message.content, turn.message.reply_to
        if not side_choices.chooses(text):
            return None
        before = await desk.patiently(lambda: desk.turns.before(turn)) if refers is None else None
        settle = self._commands.settling.told
        reply = await said_or_told(
            turn.caller,
            lambda: desk.patiently(lambda: settle(draft.asker, text, after=before, under=refers)),
            stock=Stock.KEPT,
        )
        if reply is not None:
            await draft.as_command()
        return reply

    async def _picked(self, draft: Draft, wanted: plain_requests.Asked) -> Reply | None:
        """Forgets those that the asker names of what was listed for it; None where they name none, or ask anew."""
        desk, turn = draft.desk, draft.turn
        is_anew = isinstance(wanted, plain_requests.ForgetRequest) and wanted.numbers
        if is_anew or not side_choices.chooses(turn.message.content):
            return None
        asked = await desk.patiently(lambda: desk.turns.asks(turn, now=desk.clock()))
        part = None if asked is None else forgetting.picked(asked, turn.message.content)
        if part is None:
            return None
        await desk.patiently(lambda: desk.turns.withdraw(turn))
        return await self._forgotten(draft, part)

    async def _agreed(
        self,
        draft: Draft,
        is_yes: bool | None,  # noqa: FBT001
        wanted: plain_requests.Asked,
    ) -> Reply | None:
        """Acts on a yes or no to what was just asked; None where nothing was asked, or it is neither."""
        desk, turn = draft.desk, draft.turn
        if is_yes is None:
            return None
        asked = await desk.patiently(lambda: desk.turns.asks(turn, now=desk.clock()))
        if asked is None:
            # A yes to what was asked further back may be meant for what was said since.
            was_asked = is_yes and await desk.patiently(lambda: desk.turns.asked_lately(turn, now=desk.clock()))
            was_asked = was_asked and not await desk.patiently(lambda: desk.turns.offers_more(turn))
            if was_asked and isinstance(wanted, plain_requests.ForgetRequest) and await self._tells_one(draft):
                # "Delete that" is then the one memory that was just told of.
                return None
            return Reply(text=catalogue.gettext(LAPSED), stock=Stock.FORGOTTEN) if was_asked else None
        if is_yes and not (asked.everything and _is_of_part(turn.message.content)):
            return await self._forgotten(draft, asked)
        await draft.as_command()
        # Whoever says no must not find a button still at work.
        await desk.patiently(lambda: desk.turns.withdraw(turn))
        return Reply(text=catalogue.gettext(forgetting.KEPT_ALL), stock=Stock.KEPT)

    async def _tells_one(self, draft: Draft) -> bool:
        """Whether just one memory was told of right before, or in the reply referred to."""
        desk, turn, told_of = draft.desk, draft.turn, self._commands.reply_reasons.told_of
        before = await desk.patiently(lambda: desk.turns.before(turn))
        found = await desk.patiently(lambda: told_of(turn.caller, after=before, under=turn.message.reply_to))
        return len(found) == 1

    async def _forgotten(self, draft: Draft, asked: Forgettable) -> Reply | None:
        desk, turn = draft.desk, draft.turn
        await draft.as_command()
        agree, asking = self._commands.forgetting.agreed, turn.message.message_id
        return await said_or_told(turn.caller, lambda: desk.patiently(lambda: agree(draft.asker, asked, asking=asking)))


async def said_or_told(
    caller: Caller, work: Callable[[], Awaitable[Reply | None]], *, stock: Stock = Stock.FORGOTTEN
) -> Reply | None:
    """The result of the work, or a reply of that kind why it was not done."""
    try:
        return await work()
    except errors.UserError as exc:
        return Reply(text=exc.said(caller.prefix), stock=stock)


def _names_what(asked: plain_requests.Asked) -> bool:
    """Whether it names what to forget, and so is a request of its own, and no yes to another."""
    return isinstance(asked, plain_requests.ForgetRequest) and bool(asked.everything or asked.numbers or asked.about)


def _is_of_part(said: str) -> bool:
    """Whether it asks to forget something, and not everything."""
    words = {*said.casefold().split()}
    return not words.isdisjoint(_PART) and words.isdisjoint(_ALL)
