"""Runs a command by name: parses its arguments, checks the caller's right, and calls its handler.

`Commands` also gives plain-language requests, the model's tools and buttons the use cases behind the commands.
"""

import difflib
from collections.abc import Awaitable, Callable, Mapping
from typing import Final

from bot import arguments, catalogue, errors
from bot.commands import grammar
from bot.commands.about_me import AboutMe
from bot.commands.channel_summary import ChannelSummary
from bot.commands.community import Community
from bot.commands.forgetting import Forgetting
from bot.commands.identity_settings import IdentitySettings
from bot.commands.including import Including
from bot.commands.invocation import Announce, Handler, Invocation, Reach, own_reach
from bot.commands.learn import LearnRequests
from bot.commands.memory_changes import MemoryChanges
from bot.commands.memory_lists import MemoryLists
from bot.commands.memory_making import MemoryMaking
from bot.commands.missed import MissedTalk
from bot.commands.mydata import MyData
from bot.commands.palace import Walks
from bot.commands.place_choices import PlaceChoosing
from bot.commands.proposed import Proposed
from bot.commands.recalling import Recalling
from bot.commands.remembering import Remembering
from bot.commands.removal_requests import RemovalRequests
from bot.commands.reply_reasons import ReplyReasons
from bot.commands.reply_workflows import ReplyWorkflows
from bot.commands.resets import Resets
from bot.commands.resting import AnswerSources
from bot.commands.scratchpad import Scratchpad
from bot.commands.settling import Settling
from bot.commands.status import StatusReport
from bot.commands.who import Who
from bot.domain import NOBODY, Actor, Caller, Mentions, MessageId, Reply, Right, Stock
from bot.text import normalize

ADMIN: Final = "admin"
"""The command of Discord's list under which everything is that whoever manages a server sets."""
EVERY: Final = "all"
"""What has every command listed, where only the most used would be."""
TYPED_ALONE: Final = catalogue.later(
    "{p}admin is not typed: what stands under it is a command of its own, such as {p}settings, {p}memory or {p}who; "
    "{p}help all lists them."
)


class CommandList(Reply):
    """All that somebody may do, each command as it is typed; places that have other forms of them tell those."""


class Commands:
    """Every command, by name."""

    def __init__(
        self,
        *,
        about_me: AboutMe,
        changes: MemoryChanges,
        community: Community,
        forgetting: Forgetting,
        identity: IdentitySettings,
        including: Including,
        learning: LearnRequests,
        lists: MemoryLists,
        missed: MissedTalk,
        making: MemoryMaking,
        my_data: MyData,
        placing: PlaceChoosing,
        proposed: Proposed,
        recalling: Recalling,
        remembering: Remembering,
        removals: RemovalRequests,
        reply_reasons: ReplyReasons,
        resets: Resets,
        scratchpad: Scratchpad,
        settling: Settling,
        sources: AnswerSources,
        status: StatusReport,
        summary: ChannelSummary,
        walks: Walks,
        whom: Who,
        workflows: ReplyWorkflows,
    ) -> None:
        self.about_me: Final = about_me
        self.changes: Final = changes
        self.community: Final = community
        self.forgetting: Final = forgetting
        self.including: Final = including
        self.learning: Final = learning
        self.lists: Final = lists
        self.missed: Final = missed
        self.placing: Final = placing
        self.proposed: Final = proposed
        self.recalling: Final = recalling
        self.remembering: Final = remembering
        self.reply_reasons: Final = reply_reasons
        self.resets: Final = resets
        self.scratchpad: Final = scratchpad
        self.settling: Final = settling
        self.sources: Final = sources
        self.workflows: Final = workflows
        self.forms: Final[Mapping[tuple[str, str], Handler]] = {
            ("mydata", "remove"): removals.ask,
            ("memory", "requests"): removals.listed,
            ("memory", "makes"): making.makes,
            ("settings", "pin"): community.pin,
        }
        """Forms that are carried out apart from the rest of their commands."""
        self.handlers: Final[Mapping[str, Handler]] = {
            "reset": resets.reset,
            "remember": remembering.remember,
            "recall": recalling.recall,
            "why": reply_reasons.why,
            "age": changes.age,
            "forget": changes.forget,
            "undo": changes.undo,
            "pin": changes.pin,
            "unpin": changes.unpin,
            "edit": changes.edit,
            "settle": settling.settle,
            "memories": lists.memories,
            "me": about_me.me,
            "tags": lists.tags,
            "palace": walks.palace,
            "sessions": lists.sessions,
            "summary": summary.summary,
            "missed": missed.missed,
            "learn": learning.learn,
            "do": workflows.do,
            "note": scratchpad.note,
            "notes": scratchpad.notes,
            "promote": scratchpad.promote,
            "wake": scratchpad.wake,
            "memory": community.memory,
            "channel": community.channel,
            "room": walks.room,
            "identity": identity.identity,
            "settings": community.settings,
            "mydata": my_data.mydata,
            "who": whom.who,
            **placing.handlers,
            "status": status.status,
            "help": _help,
        }

    async def run(
        self,
        caller: Caller,
        name: str,
        line: str | arguments.Arguments,
        announce: Announce,
        *,
        said: MessageId | None = None,
        reach: Callable[[Caller], Awaitable[Reach]] = own_reach,
        mentioned: Mentions = NOBODY,
        actor: Actor = Actor.PERSON,
    ) -> Reply:
        """The reply to `!name line`, as typed in the message `said`, or parsed already, with whom it mentions.

        Raises `BadArgument` or `NotAllowed` with one sentence; then nothing was done.
        """
        args = self.allowed(caller, name, line)
        given = Invocation(
            caller=caller, args=args, announce=announce, said=said, reach=reach, mentioned=mentioned, actor=actor
        )
        return await self.forms.get((name, args.form), self.handlers[name])(given)

    def allowed(self, caller: Caller, name: str, line: str | arguments.Arguments) -> arguments.Arguments:
        """The arguments of `!name line`, where there is such a command and the caller may give it. Raises as `run`."""
        found = grammar.GRAMMARS.get(name)
        if found is None:
            raise _unknown(name)
        args = line if isinstance(line, arguments.Arguments) else arguments.parse(line, found)
        _check_right(caller, arguments.needed(found, args, caller.prefix))
        return args

    async def by_model(self, caller: Caller, name: str, line: str, *, said: MessageId) -> Reply:
        """The reply to a command that a model gives in the caller's name, at the message `said`. Raises as `run`."""
        return await self.run(caller, name, line, _nowhere, said=said, actor=Actor.MODEL)

    async def carry_out(self, caller: Caller, turn_id: MessageId) -> Reply:
        """The reply to the caller's yes to what a model would do: each of it is done with their rights of now, once.

        Raises as `Proposed.acts` does; of what can't be done it says why, and is marked as failed.
        """
        done = list[Reply]()
        for act in await self.proposed.acts(caller, turn_id):
            try:
                done.append(await self.by_model(caller, act.command, act.line, said=turn_id))
            except errors.UserError as exc:
                done.append(Reply(text=exc.said(caller.prefix), stock=Stock.FAILED))
        failed = any(one.stock is Stock.FAILED for one in done)
        text = "\n".join(one.text for one in done)
        return done[0] if len(done) == 1 else Reply(text=text, stock=Stock.FAILED if failed else None)


async def _nowhere(_reply: Reply) -> None:
    """Where lines go that come later of commands that have none."""


async def _help(given: Invocation) -> Reply:
    listed = grammar.overview(given.caller.prefix, given.caller.may)
    if not given.args.text:
        return CommandList(text=listed)
    if given.args.text.lower() == EVERY:
        return Reply(text=listed)
    name = grammar.meant(given.args.text.lower().removeprefix(given.caller.prefix).lstrip("!/"))
    if name not in grammar.GRAMMARS:
        raise _unknown(name)
    return Reply(text=grammar.explain(name, given.caller.prefix))


def _check_right(caller: Caller, need: tuple[Right, str] | None) -> None:
    if need is not None and not caller.may(need[0]):
        told = catalogue.gettext("{command} needs the permission {permission}, which you don't have here.")
        raise errors.NotAllowed(told.format(command=need[1], permission=catalogue.gettext(need[0])))


def _unknown(name: str) -> errors.BadArgument:
    if name.partition(" ")[0] == ADMIN:
        return errors.BadArgument(lambda p: catalogue.gettext(TYPED_ALONE).format(p=p))
    near = difflib.get_close_matches(name, grammar.GRAMMARS, 1, 0.6)
    told = (
        catalogue.later("There is no command {p}{name}; did you mean {p}{near}? {p}help lists those there are.")
        if near
        else catalogue.later("There is no command {p}{name}; {p}help lists those there are.")
    )
    values = {"name": normalize.one_line(name, 40), "near": "".join(near)}
    return errors.BadArgument(lambda p: catalogue.gettext(told).format(p=p, **values))
