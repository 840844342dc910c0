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
from bot.text import amounts

MOST_TOLD: Final = 10
"""Learnings that are told of at once."""
WAIT_HOURS: Final = 24
"""Between the announcement and the first message, unless whoever runs Hathi says otherwise."""
AGREE: Final = catalogue.later("Announce it and read")
ASKERS_ALONE: Final = catalogue.later("Only whoever asked for it, and still manages this server, can have it read.")
NOT_OPEN: Final = catalogue.later("That can't be agreed to any more; please ask anew.")
_NO_SERVER: Final = catalogue.later("Only a channel of a server on Discord can be learned, where I am connected to it.")
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
                told = catalogue.later("Say which channel, such as {p}learn #general since:90d.")
                raise errors.BadArgument(lambda p: catalogue.gettext(told).format(p=p))
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
        told = (
            catalogue.gettext(
                "I announce it in {channel} and begin {hours} after that. {p}learn tells how far it is, "
                "{p}learn stop {channel} ends it."
            )
            if learning.wait_hours
            else catalogue.gettext(
                "I announce it in {channel} and begin at once. {p}learn tells how far it is, "
                "{p}learn stop {channel} ends it."
            )
        )
        hours = amounts.hours(learning.wait_hours)
        return Reply(text=told.format(channel=f"<#{channel_id}>", hours=hours, p=caller.prefix))

    async def leave_out(self, caller: Caller, channel_id: ChannelId) -> Reply:
        """Leaves out what the caller said in a channel, and takes back what was learned of it. Raises `NotFound`."""
        if not await self.learnings.leave(caller.space_id, channel_id, caller.person_id, now=self._clock()):
            none = catalogue.later(
                "I know of nothing that was learned here any more; {p}mydata tells what I have of yours."
            )
            raise errors.NotFound(lambda p: catalogue.gettext(none).format(p=p))
        self._learner.soon(caller.space_id, channel_id)
        told = catalogue.gettext(
            "What you said in {channel} before I listened is left out, and what I had taken of it goes. What you say "
            "from now on is kept as the channel has it; {p}memory off me stops that."
        )
        return Reply(text=told.format(channel=f"<#{channel_id}>", p=caller.prefix))

    async def _asked(self, caller: Caller, named: str, since: datetime, wait: int) -> Reply:
        history = self._connected(caller)
        if wait < WAIT_HOURS and not await history.is_operator(caller):
            told = catalogue.gettext("Less than {hours} of notice can be given only by whoever runs me.")
            raise errors.NotAllowed(told.format(hours=amounts.hours(WAIT_HOURS)))
        channel_id = await history.channel(caller, named)
        await self._place(caller, channel_id)
        now = self._clock()
        sample = await sampled(history, caller.space_id, channel_id, since, now)
        if not sample.by_people:
            told = catalogue.gettext("I find nothing people said in {channel} since then.")
            raise errors.NotFound(told.format(channel=f"<#{channel_id}>"))
        if not await self.learnings.ask(caller, channel_id, since, wait_hours=wait, about=sample.messages, now=now):
            taken = catalogue.later("{channel} is being learned already; {p}learn stop {channel} ends that.")
            raise errors.NotAllowed(lambda p: catalogue.gettext(taken).format(channel=f"<#{channel_id}>", p=p))
        return LearningAsked(text=self._told(caller, channel_id, since, wait, sample), channel_id=channel_id)

    def _told(self, caller: Caller, channel_id: ChannelId, since: datetime, wait: int, sample: HistorySample) -> str:
        seconds = timedelta(seconds=max(1, -(-sample.messages // PAGE)))
        pace = catalogue.gettext(
            "Reading them from Discord, a page a second, takes at least {span}; the model comes to it."
        )
        lines = [
            _much(channel_id, render.time(since, caller.time_zone), sample),
            self._cost(sample),
            pace.format(span=_span(seconds)),
        ]
        if sample.threads:
            lines.append(
                catalogue.gettext("Private threads are not among them: each is learned only where somebody names it.")
            )
        if self._keep_days and since < self._clock() - timedelta(days=self._keep_days):
            older = catalogue.gettext("Of what is older than {days} no words are kept, only what they come to.")
            lines.append(older.format(days=amounts.days(self._keep_days)))
        begins = (
            catalogue.gettext(
                "It is announced there, with a button by which anybody leaves theirs out, and begins {hours} later. "
                "“{button}” does that, within {span}."
            )
            if wait
            else catalogue.gettext(
                "It is announced there, with a button by which anybody leaves theirs out, and begins at once. "
                "“{button}” does that, within {span}."
            )
        )
        button = catalogue.gettext(AGREE)
        lines.append(begins.format(hours=amounts.hours(wait), button=button, span=_span(OPEN_FOR)))
        return "\n".join(lines)

    def _cost(self, sample: HistorySample) -> str:
        model = self._summarizer
        if model is None:
            return catalogue.gettext("No model is asked: what is worth keeping is found by rules, and costs nothing.")
        if model.price_in is None or model.price_out is None:
            return catalogue.gettext(
                "What {model} costs is not in my settings (price_in and price_out of the summarizer), so the price is "
                "not known."
            ).format(model=model.model)
        requests = -(-sample.by_people // self._chunk)
        tokens_in = sample.tokens + requests * estimate(self._instructions)
        most = (tokens_in * model.price_in + requests * model.max_tokens * model.price_out) / _PER_MILLION
        told = catalogue.gettext("That costs at most about {price} USD with {model}.")
        return told.format(price=f"{most:,.2f}", model=model.model)

    async def _stop(self, caller: Caller, named: str) -> Reply:
        channel_id = caller.channel_id
        if named:
            channel_id = await self._connected(caller).channel(caller, named)
        channel = f"<#{channel_id}>"
        stopped = await self._learner.stop(caller.space_id, channel_id, Why.ASKED)
        if stopped is None:
            none = catalogue.later("Nothing is being learned in {channel}; {p}learn alone tells where something is.")
            raise errors.NotFound(lambda p: catalogue.gettext(none).format(channel=channel, p=p))
        if not stopped.messages_read:
            return Reply(
                text=catalogue.gettext("Stopped in {channel} before anything was read.").format(channel=channel)
            )
        told = catalogue.gettext("Stopped in {channel}; what was learned stays: {count} of {messages} that were read.")
        count, messages = amounts.number(stopped.recorded), amounts.messages(stopped.messages_read)
        return Reply(text=told.format(channel=channel, count=count, messages=messages))

    async def _status(self, caller: Caller) -> Reply:
        found = await self.learnings.of_space(caller.space_id, {*caller.visible, caller.channel_id}, most=MOST_TOLD)
        if not found:
            told = catalogue.gettext(
                "Nothing is being learned; {p}learn #general since:90d tells what that would take."
            )
            return Reply(text=told.format(p=caller.prefix))
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
            told = catalogue.later(
                "Only where everything said is remembered can the past be learned; {p}memory mode all, given in "
                "{channel}, sets that."
            )
            raise errors.NotAllowed(lambda p: catalogue.gettext(told).format(p=p, channel=f"<#{channel_id}>"))
        return place


def _since(text: str, now: datetime, zone: str) -> datetime:
    """The moment that many days, weeks, months or years ago, or when a day began where people here live.

    Raises `BadArgument` for what is neither, or lies ahead.
    """
    if not text:
        raise errors.BadArgument(
            catalogue.later("Say since when, such as since:90d for the last 90 days, or since:2026-01-31.")
        )
    found = _SPAN.fullmatch(text)
    if found is not None:
        return max(_EARLIEST, now - timedelta(days=int(found[1]) * _DAYS[found[2].lower()]))
    try:
        day = date.fromisoformat(text)
        since = datetime.combine(day, time(), render.local(datetime.combine(day, time(), UTC), zone).tzinfo)
    except (ValueError, OverflowError):
        since = now
    if since >= now:
        told = catalogue.gettext("since takes a span such as 90d, 12w or 6m, or a day that is past, not {given}.")
        raise errors.BadArgument(told.format(given=repr(text)))
    return max(_EARLIEST, since)


def _much(channel_id: ChannelId, since: str, sample: HistorySample) -> str:
    """How much there is to read, of a channel and its public threads."""
    where, messages, by_people = f"<#{channel_id}>", amounts.messages(sample.messages), amounts.number(sample.by_people)
    if sample.threads:
        threads = catalogue.ngettext("{count} public thread", "{count} public threads", sample.threads)
        where = catalogue.gettext("{channel} and {threads} of it").format(
            channel=where, threads=threads.format(count=sample.threads)
        )
    if not sample.is_exact:
        about = catalogue.gettext("about {amount}")
        messages, by_people = about.format(amount=messages), about.format(amount=by_people)
    told = catalogue.gettext(
        "In {where} I find {messages} since {time}, {by_people} of them by people: about {tokens} tokens."
    )
    tokens = amounts.number(sample.tokens)
    return told.format(where=where, messages=messages, time=since, by_people=by_people, tokens=tokens)


def _span(time_: timedelta) -> str:
    minutes, seconds = divmod(round(time_.total_seconds()), 60)
    if minutes >= 60:
        return amounts.hours(-(-minutes // 60))
    return amounts.minutes(minutes) if minutes else amounts.seconds(seconds)
