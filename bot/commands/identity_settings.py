"""`!identity`: shows or sets who Hathi is in a space."""

from bot import catalogue, errors
from bot.commands.invocation import Invocation
from bot.domain import Reply
from bot.llm.tokens import estimate
from bot.presentation import render
from bot.prompting.identity import Identity
from bot.prompting.personas import Personas
from bot.text import normalize


class IdentitySettings:
    """The use case behind `!identity`."""

    def __init__(self, identity: Identity, personas: Personas) -> None:
        self._identity = identity
        self._personas = personas

    async def identity(self, given: Invocation) -> Reply:
        """Shows or sets who Hathi is in the caller's space, and tells whether a persona speaks in its place there.

        Raises `BadArgument` and `RefusedText`.
        """
        reply = await self._own(given)
        persona = self._personas.of(given.caller.choices).speaker
        if not persona.voice:
            return reply
        told = catalogue.gettext("Here {name} speaks in my place, in a voice of their own:\n{text}")
        voice = told.format(name=persona.name, text=render.quoted(persona.voice))
        return Reply(text=f"{reply.text}\n{voice}")

    async def _own(self, given: Invocation) -> Reply:
        caller, args = given.caller, given.args
        match args.form:
            case "set":
                text = normalize.cleaned(args.word("text", ""))
                tokens, most = estimate(text), self._identity.most
                if tokens > most:
                    told = catalogue.gettext(
                        "That is {tokens} tokens; who I am takes at most {most}, some {words} words."
                    )
                    raise errors.BadArgument(told.format(tokens=tokens, most=most, words=most * 7 // 10))
                await self._identity.set(caller.space_id, text)
                told = catalogue.gettext("From now on, here:\n{text}\n{p}identity reset takes it back.")
                return Reply(text=told.format(text=render.quoted(text), p=caller.prefix))
            case "reset":
                was_own = await self._identity.own(caller.space_id) is not None
                await self._identity.set(caller.space_id, None)
                changed = (
                    catalogue.gettext("I am here who I am everywhere:")
                    if was_own
                    else catalogue.gettext("As before, I am here who I am everywhere:")
                )
                return Reply(text=f"{changed}\n{_told(self._identity.written().text)}")
            case _:
                own = await self._identity.own(caller.space_id)
                told = (
                    catalogue.gettext(
                        "Who I am everywhere:\n{text}\n"
                        "{p}identity set <text> changes it for this space (Manage Server)."
                    )
                    if own is None
                    else catalogue.gettext(
                        "Who I am here, as your admins have it:\n{text}\n"
                        "{p}identity reset takes it back (Manage Server)."
                    )
                )
                text = self._identity.written().text if own is None else own
                return Reply(text=told.format(text=_told(text), p=caller.prefix))


def _told(text: str) -> str:
    return render.quoted(text or catalogue.gettext("(nothing is said of it)"))
