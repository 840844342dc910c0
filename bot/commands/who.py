"""`!who`: which roles and channels are answered, and what is said to everybody else."""

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from bot import catalogue, errors
from bot.commands.invocation import Invocation
from bot.domain import TERMINAL_SPACE, Caller, KeptOut, Reply
from bot.store.answer_rules import MOST, AnswerChoices, AnswerRules, RuleKind

ALWAYS: Final = frozenset({"forget", "help", "me", "memory", "mydata", "undo"})
"""Commands by which people see, stop and erase what is remembered of them: they are carried out everywhere."""
_STILL: Final = catalogue.later("{p}mydata and {p}memory off me work all the same.")
_TOLD: Final[Mapping[KeptOut, str]] = MappingProxyType(
    {
        KeptOut.ROLE: catalogue.later("In this server I don't answer everybody, as those who manage it chose."),
        KeptOut.CHANNEL: catalogue.later("In this channel I don't answer, as those who manage the server chose."),
        KeptOut.SERVER: catalogue.later("Whoever runs me does not have me answer in this server."),
        KeptOut.DIRECT: catalogue.later("Whoever runs me does not have me answer direct messages."),
    }
)
_MENTION: Final = re.compile(r"<(@&|#)(\d{1,19})>")
_SIGNS: Final = {RuleKind.ROLE: "@&", RuleKind.CHANNEL: "#"}
_EVERYBODY: Final = catalogue.later("I answer everybody here, in every channel.")


class Who:
    """The use case behind `!who`."""

    def __init__(self, choices: AnswerChoices) -> None:
        self._choices = choices

    async def who(self, given: Invocation) -> Reply:
        """Shows or sets who is answered in the caller's server. Raises `BadArgument`."""
        caller, args = given.caller, given.args
        if caller.is_direct or caller.space_id == TERMINAL_SPACE:
            return Reply(text=catalogue.gettext("Here I answer you; only a server's roles and channels can be chosen."))
        value = args.word("whom", "")
        if value:
            await self._choose(caller, args.form, *_target(value, caller))
        elif args.form:
            await self._choices.clear_all(caller.space_id)
        return Reply(text=_told(await self._choices.of(caller.space_id), caller.prefix))

    async def _choose(self, caller: Caller, form: str, kind: RuleKind, target_id: int) -> None:
        if form == "clear":
            await self._choices.clear(caller.space_id, kind, target_id)
        elif not await self._choices.choose(caller.space_id, kind, target_id, allowed=form == "allow"):
            told = {
                RuleKind.ROLE: catalogue.later("At most {most} roles can be chosen; {p}who clear takes one back."),
                RuleKind.CHANNEL: catalogue.later(
                    "At most {most} channels can be chosen; {p}who clear takes one back."
                ),
            }[kind]
            raise errors.BadArgument(lambda p: catalogue.gettext(told).format(most=MOST, p=p))


def refusal(why: KeptOut) -> errors.NotAnswered:
    """What is said, once, to somebody who is not answered."""
    return errors.NotAnswered(lambda p: f"{catalogue.gettext(_TOLD[why])} {catalogue.gettext(_STILL).format(p=p)}")


def admit(kept_out: KeptOut | None, command: str = "") -> None:
    """Raises `NotAnswered` for somebody who is not answered, but for a command by which they see to what is theirs."""
    if kept_out is not None and command not in ALWAYS:
        raise refusal(kept_out)


def _target(value: str, caller: Caller) -> tuple[RuleKind, int]:
    """The role or the channel that is mentioned. Raises `BadArgument`."""
    found = _MENTION.fullmatch(value)
    if found is None:
        raise errors.BadArgument(
            catalogue.later(
                "That takes one role or channel of this server, by a mention or by a name that no other has; a person "
                "can get a role."
            )
        )
    kind, target_id = (RuleKind.CHANNEL if found[1] == "#" else RuleKind.ROLE), int(found[2])
    if kind is RuleKind.ROLE and target_id == caller.space_id:
        raise errors.BadArgument(
            catalogue.later("Everyone has that role; allow another one, and only those who have it are answered.")
        )
    return kind, target_id


def _told(rules: AnswerRules, p: str) -> str:
    lines = [
        catalogue.gettext(told).format(names=", ".join(f"<{_SIGNS[kind]}{target_id}>" for target_id in ids))
        for told, kind, ids in (
            (catalogue.later("I answer only in {names}."), RuleKind.CHANNEL, rules.channels_allowed),
            (catalogue.later("I don't answer in {names}."), RuleKind.CHANNEL, rules.channels_blocked),
            (catalogue.later("I answer only those who have one of {names}."), RuleKind.ROLE, rules.roles_allowed),
            (catalogue.later("I don't answer those who have one of {names}."), RuleKind.ROLE, rules.roles_blocked),
        )
        if ids
    ]
    how = (
        catalogue.gettext("{p}who allow|block @role|#channel changes that, {p}who clear takes it back.")
        if lines
        else catalogue.gettext("{p}who allow|block @role|#channel changes that.")
    )
    return "\n".join([*(lines or [catalogue.gettext(_EVERYBODY)]), how.format(p=p)])
