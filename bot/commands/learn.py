"""`!learn`: has what was said in a channel before read, once whoever asks knows how much that is, and stops it."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import Final

from bot import catalogue, errors
from bot.commands.invocation import Invocation
from bot.config import RoleSettings
from bot.domain import Caller, ChannelId, Reply, Right
from bot.lifecycle.history_sample import HistorySample, sampled
from bot.lifecycle.learner import PAGE, History, Learner
from bot.llm.tokens import estimate
from bot.presentation import learned, render
from bot.store.learnings import OPEN_FOR, Learnings, Stage, Why
from bot.store.spaces import Place, Spaces
from bot.text.sanitize import counted

MOST_TOLD: Final = 10
"""Learnings that are told of at once."""
WAIT_HOURS: Final = 24
"""Between the announcement and the first message, unless whoever runs Hathi says otherwise."""
AGREE: Final = catalogue.later("Announce it and read")
ASKERS_ALONE: Final = "Only whoever asked for it, and still manages this server, can have it read."
NOT_OPEN: Final = "That can't be agreed to any more; please ask anew."
_NO_SERVER: Final = "Only a channel of a server on Discord can be learned, where I am connected to it."
_SPAN: Final = re.compile(r"([1-9][0-9]{0,3}) ?([dwmy])[a-z]*", re.IGNORECASE)
_DAYS: Final = {"d": 1, "w": 7, "m": 30, "y": 365}
_EARLIEST: Final = datetime(2015, 1, 1, tzinfo=UTC)
"""Of Discord's first day on."""
_PER_MILLION: Final = 1_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class LearningAsked(Reply):
    """What learning a channel takes, for whoever asked to agree to."""

    channel_id: ChannelId


class LearnRequests:
    """The use cases of learning a channel's past."""

    def __init__(
        self,
        learnings: Learnings,
        learner: Learner,
        spaces: Spaces,
        clock: Callable[[], datetime],
        *,
        summarizer: RoleSettings | None,
        instructions: str,
        keep_days: int,
        chunk: int,
    ) -> None:
        """`instructions` go with each request to the `summarizer`; a request takes up to `chunk` messages."""
        self.learnings = learnings
        self._learner = learner
        self._spaces = spaces
        self._clock = clock
        self._summarizer = summarizer
        self._instructions = instructions
        self._keep_days = keep_days
        self._chunk = chunk

    async def learn(self, given: Invocation) -> Reply:
        """Tells what learning a channel takes and asks to agree, stops one, or tells how far each is."""
        caller, args = given.caller, given.args
        if args.form == "stop":
            return await self._stop(caller, args.word("channel", ""))
        if not args.text:
            if args.named:
                raise errors.BadArgument(lambda p: f"Say which channel, such as {p}learn #general since:90d.")
            return await self._status(caller)
        since = _since(args.word("since", ""), self._clock(), caller.time_zone)
        return await self._asked(caller, args.text, since, args.number("wait", WAIT_HOURS))

    async def agreed(self, caller: Caller, channel_id: ChannelId) -> Reply:
        """Has it announced, and read when it is time, by the word of whoever asked. Raises `NotAllowed`, `NotFound`."""
        learning = await self.learnings.find(caller.space_id, channel_id)
        if learning is None or learning.state is not Stage.ASKED:
            raise errors.NotFound(NOT_OPEN)
        if learning.asked_by != caller.person_id or not caller.may(Right.MANAGE_GUILD):
            raise errors.NotAllowed(ASKERS_ALONE)
        await self._place(caller, channel_id)
        if not await self.learnings.agree(caller, channel_id, now=self._clock()):
            raise errors.NotFound(NOT_OPEN)
        self._learner.soon(caller.space_id, channel_id)
        begins = f"{counted(learning.wait_hours, 'hour')} after that" if learning.wait_hours else "at once"
        return Reply(
            text=f"I announce it in <#{channel_id}> and begin {begins}. {caller.prefix}learn tells how far it is, "
            f"{caller.prefix}learn stop <#{channel_id}> ends it."
        )

    async def leave_out(self, caller: Caller, channel_id: ChannelId) -> Reply:
        """Leaves out what the caller said in a channel, and takes back what was learned of it. Raises `NotFound`."""
        if not await self.learnings.leave(caller.space_id, channel_id, caller.person_id, now=self._clock()):
            raise errors.NotFound(
                lambda p: f"I know of nothing that was learned here any more; {p}mydata tells what I have of yours."
            )
        self._learner.soon(caller.space_id, channel_id)
        return Reply(
            text=f"What you said in <#{channel_id}> before I listened is left out, and what I had taken of it goes. "
            f"What you say from now on is kept as the channel has it; {caller.prefix}memory off me stops that."
        )

    async def _asked(self, caller: Caller, named: str, since: datetime, wait: int) -> Reply:
        history = self._connected(caller)
        if wait < WAIT_HOURS and not await history.is_operator(caller):
            raise errors.NotAllowed(
                f"Less than {counted(WAIT_HOURS, 'hour')} of notice can be given only by whoever runs me."
            )
        channel_id = await history.channel(caller, named)
        await self._place(caller, channel_id)
        now = self._clock()
        sample = await sampled(history, caller.space_id, channel_id, since, now)
        if not sample.by_people:
            raise errors.NotFound(f"I find nothing people said in <#{channel_id}> since then.")
        if not await self.learnings.ask(caller, channel_id, since, wait_hours=wait, about=sample.messages, now=now):
            raise errors.NotAllowed(
                lambda p: f"<#{channel_id}> is being learned already; {p}learn stop <#{channel_id}> ends that."
            )
        return LearningAsked(text=self._told(caller, channel_id, since, wait, sample), channel_id=channel_id)

    def _told(self, caller: Caller, channel_id: ChannelId, since: datetime, wait: int, sample: HistorySample) -> str:
        about = "" if sample.is_exact else "about "
        seconds = timedelta(seconds=max(1, -(-sample.messages // PAGE)))
        begins = f"{counted(wait, 'hour')} later" if wait else "at once"
        threads = f" and {counted(sample.threads, 'public thread')} of it" if sample.threads else ""
        much = (
            f"In <#{channel_id}>{threads} I find {about}{counted(sample.messages, 'message')} since "
            f"{render.time(since, caller.time_zone)}, {about}{sample.by_people:,} of them by people: "
            f"about {sample.tokens:,} tokens."
        )
        pace = f"Reading them from Discord, a page a second, takes at least {_span(seconds)}; the model comes to it."
        lines = [much, self._cost(sample), pace]
        if sample.threads:
            lines.append("Private threads are not among them: each is learned only where somebody names it.")
        if self._keep_days and since < self._clock() - timedelta(days=self._keep_days):
            lines.append(
                f"Of what is older than {counted(self._keep_days, 'day')} no words are kept, only what they come to."
            )
        lines.append(
            f"It is announced there, with a button by which anybody leaves theirs out, and begins {begins}. "
            f"“{catalogue.gettext(AGREE)}” does that, within {_span(OPEN_FOR)}."
        )
        return "\n".join(lines)

    def _cost(self, sample: HistorySample) -> str:
        model = self._summarizer
        if model is None:
            return "No model is asked: what is worth keeping is found by rules, and costs nothing."
        if model.price_in is None or model.price_out is None:
            return (
                f"What {model.model} costs is not in my settings (price_in and price_out of the summarizer), so the "
                "price is not known."
            )
        requests = -(-sample.by_people // self._chunk)
        tokens_in = sample.tokens + requests * estimate(self._instructions)
        most = (tokens_in * model.price_in + requests * model.max_tokens * model.price_out) / _PER_MILLION
        return f"That costs at most about {most:,.2f} USD with {model.model}."

    async def _stop(self, caller: Caller, named: str) -> Reply:
        channel_id = caller.channel_id
        if named:
            channel_id = await self._connected(caller).channel(caller, named)
        stopped = await self._learner.stop(caller.space_id, channel_id, Why.ASKED)
        if stopped is None:
            raise errors.NotFound(
                lambda p: f"Nothing is being learned in <#{channel_id}>; {p}learn alone tells where something is."
            )
        if not stopped.messages_read:
            return Reply(text=f"Stopped in <#{channel_id}> before anything was read.")
        kept = f"{stopped.recorded:,} of {counted(stopped.messages_read, 'message')} that were read"
        return Reply(text=f"Stopped in <#{channel_id}>; what was learned stays: {kept}.")

    async def _status(self, caller: Caller) -> Reply:
        found = await self.learnings.of_space(caller.space_id, {*caller.visible, caller.channel_id}, most=MOST_TOLD)
        if not found:
            return Reply(
                text=f"Nothing is being learned; {caller.prefix}learn #general since:90d tells what that would take."
            )
        return Reply(text="\n".join(learned.status(each, caller.time_zone, caller.prefix) for each in found))

    def _connected(self, caller: Caller) -> History:
        history = self._learner.history
        if history is None or caller.is_direct or not history.serves(caller.space_id):
            raise errors.BadArgument(_NO_SERVER)
        return history

    async def _place(self, caller: Caller, channel_id: ChannelId) -> Place:
        """How the channel is treated. Raises `NotAllowed` unless everything is remembered in it."""
        place = await self._spaces.place(caller.space_id, channel_id)
        if place is None or place.mode != "all":
            raise errors.NotAllowed(
                lambda p: (
                    f"Only where everything said is remembered can the past be learned; {p}memory mode all, given "
                    f"in <#{channel_id}>, sets that."
                )
            )
        return place


def _since(text: str, now: datetime, zone: str) -> datetime:
    """The moment that many days, weeks, months or years ago, or when a day began where people here live.

    Raises `BadArgument` for what is neither, or lies ahead.
    """
    found = _SPAN.fullmatch(text)
    if found is not None:
        return max(_EARLIEST, now - timedelta(days=int(found[1]) * _DAYS[found[2].lower()]))
    try:
        day = date.fromisoformat(text)
        since = datetime.combine(day, time(), render.local(datetime.combine(day, time(), UTC), zone).tzinfo)
    except (ValueError, OverflowError):
        since = now
    if since >= now:
        raise errors.BadArgument(f"since takes a span such as 90d, 12w or 6m, or a day that is past, not {text!r}.")
    return max(_EARLIEST, since)


def _span(time_: timedelta) -> str:
    minutes, seconds = divmod(round(time_.total_seconds()), 60)
    if minutes >= 60:
        return counted(-(-minutes // 60), "hour")
    return counted(minutes, "minute") if minutes else counted(seconds, "second")
