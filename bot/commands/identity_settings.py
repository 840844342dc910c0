"""`!identity`: shows or sets who Hathi is in a space."""

from bot import errors
from bot.commands.invocation import Invocation
from bot.domain import Reply
from bot.llm.tokens import estimate
from bot.presentation import render
from bot.prompting.identity import Identity
from bot.text import normalize


class IdentitySettings:
    """The use case behind `!identity`."""

    def __init__(self, identity: Identity) -> None:
        self._identity = identity

    async def identity(self, given: Invocation) -> Reply:
        """Shows or sets who Hathi is in the caller's space. Raises `BadArgument` and `RefusedText`."""
        caller, args = given.caller, given.args
        match args.form:
            case "set":
                text = normalize.cleaned(args.word("text", ""))
                tokens, most = estimate(text), self._identity.most
                if tokens > most:
                    raise errors.BadArgument(
                        f"That is {tokens} tokens; who I am takes at most {most}, some {most * 7 // 10} words."
                    )
                await self._identity.set(caller.space_id, text)
                return Reply(
                    text=f"From now on, here:\n{render.quoted(text)}\n{caller.prefix}identity reset takes it back."
                )
            case "reset":
                was_own = await self._identity.own(caller.space_id) is not None
                await self._identity.set(caller.space_id, None)
                changed = "I am here who I am everywhere" if was_own else "As before, I am here who I am everywhere"
                return Reply(text=f"{changed}:\n{_told(self._identity.written().text)}")
            case _:
                own = await self._identity.own(caller.space_id)
                whose = "Who I am everywhere" if own is None else "Who I am here, as your admins have it"
                change = (
                    f"{caller.prefix}identity set <text> changes it for this space"
                    if own is None
                    else f"{caller.prefix}identity reset takes it back"
                )
                text = self._identity.written().text if own is None else own
                return Reply(text=f"{whose}:\n{_told(text)}\n{change} (Manage Server).")


def _told(text: str) -> str:
    return render.quoted(text) if text else "    (nothing is said of it)"
