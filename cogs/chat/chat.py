"""The chat cog: receives every message, and sees each question through to its answer."""

import asyncio
import collections
import contextlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Any, Final

import discord
from discord.ext import commands

from bot import catalogue, errors, log
from bot.commands import who
from bot.connection.client import Client, ServingCog
from bot.domain import Caller, ChannelId, Message, MessageId, PersonId, Role, Turn
from bot.infra.ordering import Doors, Turnstile
from bot.language.requests import set_phrases
from bot.store.spaces import Place
from bot.store.turns import ANSWER_WITHIN
from bot.turn.delivery import Delivery
from bot.turn.stopping import Stops
from cogs.access import classify, threads
from cogs.access.callers import PATIENCE, Callers, Channel, shard_of, space_of
from cogs.access.classify import Heard, MessageKind
from cogs.access.cooldowns import Cooldowns
from cogs.access.in_progress import InProgress
from cogs.access.name_directory import NameDirectory
from cogs.access.permissions import place_of
from cogs.chat.author_notice import AuthorNotice
from cogs.chat.discord_venue import DiscordVenue
from cogs.chat.gaps import Gap, Gaps
from cogs.chat.incoming_files import IncomingFiles
from cogs.chat.memory_waits import MemoryWaits
from cogs.chat.message_texts import MessageTexts
from cogs.chat.own_threads import OwnThreads
from cogs.chat.question_context import QuestionContext
from cogs.chat.recent_messages import RecentMessages
from cogs.chat.reply_footer import ReplyFooter
from cogs.commands.dispatch import Dispatcher
from cogs.send.overload_notice import OverloadNotice
from cogs.send.pace import Pace
from cogs.send.streaming_reply import StreamingReply
from cogs.tell.consent_notice import ConsentNotice
from cogs.tell.error_notices import ErrorNotices
from cogs.tell.overheard import Overheard

_log = log.logger(__name__)

DRAIN: Final = timedelta(seconds=18)
"""How long running work may take when Hathi is to stop; two more seconds are for notices about the rest."""
QUESTIONS: Final = 20
QUESTIONS_IN: Final = timedelta(seconds=30)
"""What one person may ask in one channel without waiting for answers; past it they are told once in as long a time."""
MOST_LET_BE: Final = 10_000
MOST_ASKED: Final = 1_000
RESTARTING: Final = catalogue.later("I have to restart; what is not answered yet here I answer when I am back.")
INTERRUPTED: Final = catalogue.later(
    "I have to restart in the middle of this; please look what became of it before you give it again."
)


_MARKS: Final = frozenset("@#:")
"""What names begin with that stand for Discord's marks."""

Taken = tuple[Turn, Channel]
"""A question that is recorded, and where it is to be answered."""


@dataclass(slots=True, kw_only=True)
class Answer:
    """One question being answered."""

    task: asyncio.Task[None]
    delivery: Delivery
    streaming_reply: StreamingReply
    channel: Channel


@dataclass(frozen=True, slots=True, kw_only=True)
class AskedHere:
    """A question that was answered here, or is being."""

    text: str
    channel: Channel
    """Where it is answered."""


class Chat(ServingCog):
    """Receives messages, queues questions, has them answered."""

    def __init__(
        self,
        client: Client,
        callers: Callers,
        dispatcher: Dispatcher,
        notices: ErrorNotices,
        doors: Doors,
        gaps: Gaps,
        consent_notice: ConsentNotice,
        names: NameDirectory,
        recent: RecentMessages,
    ) -> None:
        self._client = client
        self._app = client.app
        self._callers = callers
        self._dispatcher = dispatcher
        self._notices = notices
        self._doors = doors
        self.gaps = gaps
        self.consent_notice = consent_notice
        self._overheard = Overheard(client.app.people, consent_notice)
        self.files = IncomingFiles(client.app, notices)
        self.texts = MessageTexts(client, names)
        self.context = QuestionContext(client.app, callers, recent, self.files, self.texts)
        self.author_notice = AuthorNotice(self._app.people, self.context, consent_notice)
        self.pace = Pace()
        self._names = names
        self._own_threads = OwnThreads(client, callers, self.texts)
        self._overload = OverloadNotice()
        self._cooldowns = Cooldowns(QUESTIONS, QUESTIONS_IN, clock=lambda: client.app.clock().timestamp())
        self._turnstile = Turnstile()
        self.memory_waits = MemoryWaits()
        self.answers: dict[MessageId, Answer] = {}
        self.asked: collections.OrderedDict[MessageId, AskedHere] = collections.OrderedDict()
        """The last questions, by which is told what an edit changes."""
        self.stops = Stops()
        self._let_be: collections.OrderedDict[int, None] = collections.OrderedDict()
        """The last messages that catching up leaves alone, though nothing may be recorded of them."""
        self._heard_of = InProgress[discord.Message]()
        """Messages that are taken in, or waited for until they are answered."""
        self._stopping = False

    @commands.Cog.listener()
    async def on_message(self, message: discord.Message) -> None:
        """Records a message in its channel's order, then answers it while others are recorded."""
        if not classify.is_persons(message) or self._stopping:
            return
        self._heard_of.take(message)
        catalogue.speak(self._callers.seen(message.channel).language)
        async with self.memory_waits.over(message, lambda: self._may_tell_of_wait(message)) as wait:
            try:
                await self._hear_out(message)
            except Exception as exc:  # noqa: BLE001 - whatever it was, who spoke to Hathi gets one sentence
                if not self._is_for_hathi(message):
                    # What people say to each other is answered by nobody; the log has it.
                    self._notices.sentence(exc, message.channel)
                elif not (wait.is_told and await wait.becomes(self._notices.sentence(exc, message.channel))):
                    await self._notices.tell(exc, message)

    async def _hear_out(self, message: discord.Message) -> None:
        """Records a message in its channel's order, and answers it if it asks. Raises whatever ends that."""
        came = asyncio.get_running_loop().time()
        async with self._doors.through(message.channel.id):
            if isinstance(message.channel, discord.PartialMessageable) and message.guild is not None:
                # A thread the cache does not have: whose audience it has, only Discord can tell.
                message.channel = await message.guild.fetch_channel(message.channel.id)  # pyright: ignore[reportAttributeAccessIssue]
            try:
                taken = await self._take(message, came)
            except errors.DatabaseDown:
                self._not_taken(message)
                raise
        if taken is not None:
            await self.answer_patient(*taken, message)

    def _may_tell_of_wait(self, message: discord.Message) -> bool:
        """Whether it is a question, as far as that shows without a database, where Hathi may write."""
        if self._callers.unserved(message.channel) is not None or not self._notices.may_speak(message.channel):
            return False
        heard = classify.hear(message, self._callers.seen(message.channel), self._me)
        return heard.kind is MessageKind.QUESTION

    async def catch(self, message: discord.Message, *, answered: bool) -> Taken | None:
        """Records a missed message; the recorded turn, if it is a question that is still to be answered, and where.

        A command is not carried out: what was meant then may not be meant any more; who gave it is told. Raises
        `DatabaseDown`.
        """
        async with self._doors.through(message.channel.id):
            if message.id in self._let_be:
                return None
            place, heard = await self._heard(message, within=PATIENCE)
            if heard.kind is MessageKind.OVERHEARD:
                await self._overhear(message, place, heard.text, within=PATIENCE)
            if heard.kind is MessageKind.COMMAND and message.created_at > self._app.clock() - ANSWER_WITHIN:
                await self._dispatcher.missed(message)
            if heard.kind is not MessageKind.QUESTION:
                return None
            # No thread is made for what is only noted.
            channel = await self._own_threads.of(message, place, heard.text) if answered else message.channel
            try:
                recorded = await self._record(message, heard.text, channel)
            except errors.RefusedText:
                return None
            if recorded is None or answered:
                return None if recorded is None else (recorded, channel)
            await self._app.turns.failed(recorded, "missed", now=self._app.clock())
            return None

    async def answer(self, turn: Turn, channel: Channel, message: discord.Message | None = None) -> None:
        """Answer a turn recorded or taken over, or tell its author that too many wait. Raises whatever else ends it.

        Where Discord can't be reached, the log alone is told: the answer stands, or will.
        `message` is its question, where Discord has just told of it. Where Hathi may not write no model is asked, and
        Discord neither: `CannotSpeak` at once.
        """
        if not self._notices.may_speak(channel):
            await self._app.turns.failed(turn, "may not write", now=self._app.clock())
            self._app.metrics.turn_failed()
            raise errors.CannotSpeak
        # Whoever recorded the question looked; looked anew, one question could overtake another.
        place = self._callers.seen(channel)
        streaming_reply = self.streaming_reply(turn, channel, place)
        wait = self.memory_waits.of(turn.message.message_id)
        if wait is not None:
            await wait.goes_on(streaming_reply, channel)
        self._note_asked(turn, channel)
        delivery = Delivery(venue=self._venue(channel, message, place), sink=streaming_reply)
        work = self._app.conversation.carry_on(turn, delivery)
        task = asyncio.create_task(work, name=f"turn {turn.message.message_id}")
        try:
            await self._see_through(
                turn, Answer(task=task, delivery=delivery, streaming_reply=streaming_reply, channel=channel)
            )
        except errors.DiscordDown as exc:
            # It is kept, and sent or completed by the next look for what was left behind.
            _log.warning("turn.postponed", turn_id=turn.message.message_id, error=type(exc).__name__)
        except errors.ChannelBusy as busy:
            await self._overload.turned_away(channel, turn.caller.person_id, _reference(turn, channel), busy)

    def _note_asked(self, turn: Turn, channel: Channel) -> None:
        self.asked[turn.message.message_id] = AskedHere(text=turn.message.content, channel=channel)
        if len(self.asked) > MOST_ASKED:
            self.asked.popitem(last=False)

    def answer_later(self, turn: Turn, channel: Channel) -> None:
        """Answers in the background what was missed or left behind; nobody waits for it, but a refusal is logged."""

        async def answer() -> None:
            try:
                await self.answer(turn, channel)
            except errors.NotSent as exc:
                _log.warning("recovery.not_sent", turn_id=turn.message.message_id, error=type(exc).__name__)

        self._app.background.spawn(answer())

    def streaming_reply(self, turn: Turn, channel: Channel, place: Place) -> StreamingReply:
        """The streaming reply of a turn."""
        return StreamingReply(
            channel,
            turn_id=turn.message.message_id,
            reference=_reference(turn, channel),
            pace=self.pace,
            names=self._names,
            footer=ReplyFooter(turn, place, self.consent_notice, self._overheard),
            zone=place.time_zone,
            replaces=turn.replaces,
        )

    def question(self, message: discord.Message, caller: Caller) -> Turn:
        """The turn of a message that is known to be a question."""
        self._names.note(message)
        return self._turn(message, caller, classify.said(message, self._me.id)[0])

    async def with_names(self, turn: Turn, channel: Channel) -> Turn:
        """A turn read back, with the names in its question that stand for Discord's marks: they are not recorded.

        Where they can't be told, none of its words are taken for its author's own.
        """
        said, turn_id = turn.message, turn.message.message_id
        if _MARKS.isdisjoint(said.content):
            return turn
        try:
            asked = await threads.asked_in(channel, turn_id).fetch_message(turn_id)
        except discord.HTTPException:
            return replace(turn, message=replace(said, marked=frozenset([said.content])))
        found = self.question(asked, turn.caller).message
        # Whoever is called otherwise by now stands there by another name.
        are_there = all(name in said.content for name in found.marked)
        marked = found.marked if are_there else frozenset([said.content])
        return replace(turn, message=replace(said, mentioned=found.mentioned, marked=marked))

    async def stop_answering(self, turn_ids: Sequence[MessageId]) -> None:
        """Cancels the answers to these questions, and deletes what was shown of them; then their turns end."""
        for turn_id in turn_ids:
            answer = self.answers.get(turn_id)
            if answer is not None:
                answer.task.cancel()
                await asyncio.wait({answer.task})
                await answer.streaming_reply.withdraw()
                space_id, now = space_of(answer.channel), self._app.clock()
                await self._app.turns.close_left(space_id, turn_id, "deleted", now=now)

    def let_be(self, ids: Iterable[int]) -> None:
        """Excludes messages from catching up: their authors were or will be told, or have deleted them."""
        self._let_be |= dict.fromkeys(ids)
        while len(self._let_be) > MOST_LET_BE:
            self._let_be.popitem(last=False)

    def lets_be(self, message_id: MessageId) -> bool:
        """Whether the message is excluded so."""
        return message_id in self._let_be

    @commands.Cog.listener()
    async def on_turns_closed(self, turn_ids: Sequence[MessageId]) -> None:
        """Stops answers whose questions were erased meanwhile."""
        await self.stop_answering(turn_ids)

    async def caught_up(self, channel: Channel) -> None:
        """Waits until the running answers of a channel are recorded or given up."""
        under_way = {answer.task for answer in self.answers.values() if answer.channel.id == channel.id}
        if under_way:
            await asyncio.wait(under_way)

    @property
    def waiting(self) -> int:
        """Questions that wait for their answers."""
        return len(self.answers)

    async def drain(self) -> None:
        """Accepts no more messages, waits for running work, and tells the authors of what can't be finished.

        What was heard before is still recorded and answered, and what was typed, chosen or pressed is carried out. What
        was shown of an answer is kept and marked; what nothing was shown of is left to the next start, and their
        channels are told.
        """
        self._stopping = True
        self._dispatcher.stop()
        loop = asyncio.get_running_loop()
        deadline = loop.time() + DRAIN.total_seconds()
        # Again and again: what was heard is at work before it is an answer.
        while (work := self._at_work()) and loop.time() < deadline:
            await asyncio.wait(work, timeout=deadline - loop.time())
        left = [*self.answers.values()]
        waiting = {answer.channel.id: answer.channel for answer in left if not answer.streaming_reply.begun}
        interrupted = self._dispatcher.in_progress.asked
        others = {*self.answers, *(asked.id for asked in interrupted)}
        for message in self._heard_of.asked:
            if message.id not in others and classify.is_to(message, self._me):
                waiting[message.channel.id] = message.channel
        for answer in left:
            answer.delivery.is_stopped = answer.streaming_reply.begun
            answer.task.cancel()
        told = [
            *(self._say_restarting(channel) for channel in waiting.values()),
            *(self._tell_interrupted(asked) for asked in interrupted),
        ]
        if told or left:
            await asyncio.wait({*map(asyncio.create_task, told), *(answer.task for answer in left)}, timeout=2)
        _log.info("chat.drained", unfinished=len(left) + len(interrupted))

    async def _say_restarting(self, channel: Channel) -> None:
        catalogue.speak(self._callers.seen(channel).language)
        await self._notices.say(channel, catalogue.gettext(RESTARTING))

    async def _tell_interrupted(self, asked: discord.Message | discord.Interaction[Any]) -> None:
        channel = place_of(asked) if isinstance(asked, discord.Interaction) else asked.channel
        catalogue.speak(self._callers.seen(channel).language)
        await self._notices.tell(errors.Restarting(INTERRUPTED), asked)

    def _at_work(self) -> set[asyncio.Task[Any]]:
        """The tasks of answers and commands in progress."""
        answers = {answer.task for answer in self.answers.values()}
        return {*answers, *self._heard_of.tasks, *self._dispatcher.in_progress.tasks}

    async def _take(self, message: discord.Message, came: float) -> Taken | None:
        """Classifies and handles a message; its recorded turn if it is a question, and where it is to be answered.

        A database that is away is waited for from when the message came: those that stood at the door behind others
        have waited already.
        """
        within = PATIENCE - timedelta(seconds=asyncio.get_running_loop().time() - came)
        place, heard = await self._heard(message, within=within)
        if self._has_stopped(message, heard):
            return None
        match heard.kind:
            case MessageKind.COMMAND:
                self.let_be([message.id])
                await self._carried_out(message, heard)
            case MessageKind.UNKNOWN_COMMAND:
                await self._dispatcher.unknown(message, heard.command)
            case MessageKind.OVERHEARD:
                await self._overhear(message, place, heard.text, within=within)
                self._refuse(message, place, heard)
            case MessageKind.QUESTION:
                channel = await self._own_threads.of(message, place, heard.text)
                recorded = await self._record(message, heard.text, channel, at_once=True)
                return None if recorded is None else (recorded, channel)
            case MessageKind.NOTHING:
                self._refuse(message, place, heard)
        return None

    def _has_stopped(self, message: discord.Message, heard: Heard) -> bool:
        """Whether it was said to Hathi and did no more than to stop what is being written for its author."""
        said = heard.kind in {MessageKind.QUESTION, MessageKind.OVERHEARD} and set_phrases.read(heard.text).stops
        if not said or not self.stops.stop_all(PersonId(message.author.id), ChannelId(message.channel.id)):
            return False
        if heard.kind is MessageKind.QUESTION:
            self.let_be([message.id])
        return heard.kind is MessageKind.QUESTION

    def _refuse(self, message: discord.Message, place: Place, heard: Heard) -> None:
        """Begins to tell its author, once, that what they said to Hathi is not answered."""
        if heard.kept_out is not None:
            prefix = self._callers.address(message.guild) + place.prefix
            self._app.background.spawn(self._notices.tell(who.refusal(heard.kept_out), message, prefix=prefix))

    def _not_taken(self, message: discord.Message) -> None:
        """Handles a message while the database is away: tells people who spoke to Hathi, leaves the rest to recovery.

        But only where all that is said is kept, as far as that is known.
        """
        place, channel = self._callers.last(message.channel), message.channel
        if self._is_for_hathi(message):
            self.let_be([message.id])
        elif place is None or place.mode == "all":
            self.gaps.open(
                Gap(
                    space_id=space_of(channel),
                    channel_id=ChannelId(channel.id),
                    shard_id=shard_of(channel),
                    last_seen=MessageId(message.id - 1),
                    began=MessageId(0),
                )
            )

    async def _carried_out(self, message: discord.Message, heard: Heard) -> None:
        """Waits until the command has taken effect, so that what is said next finds it done; its reply may follow."""
        done = asyncio.Event()
        self._app.background.spawn(self._dispatcher.invoke(message, heard.command, heard.line, done=done))
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(done.wait(), PATIENCE.total_seconds())

    async def answer_patient(self, turn: Turn, channel: Channel, message: discord.Message) -> None:
        """Answers a recorded question, unless its author asks too many where they asked; they are told so once."""
        try:
            with self._cooldowns.under_way(replace(turn.caller, channel_id=ChannelId(message.channel.id))):
                await self.answer(turn, channel, message)
        except errors.TooOften as too_often:
            self._app.metrics.turn_refused()
            await self._app.turns.failed(turn, "cooldown", now=self._app.clock())
            if not too_often.told:
                await self._notices.tell(too_often, message)

    async def _heard(self, message: discord.Message, *, within: timedelta) -> tuple[Place, Heard]:
        """Classifies a message; stores nothing of its author."""
        me, place = self._me, await self._callers.look(message.channel, within=within)
        await self._names.learn(message.channel)
        await self._names.spare(message)
        self._names.note(message)
        return place, await self._admitted(message, classify.hear(message, place, me), within=within)

    async def _admitted(self, message: discord.Message, heard: Heard, *, within: timedelta) -> Heard:
        """As it was heard; of somebody who is not answered as talk, and where Hathi serves nobody as nothing."""
        if heard.kind not in {MessageKind.QUESTION, MessageKind.OVERHEARD}:
            return heard
        unserved = self._callers.unserved(message.channel)
        if heard.kind is MessageKind.OVERHEARD and unserved is None:
            return heard
        kept_out = await self._callers.kept_out(message.author, message.channel, within=within)
        if kept_out is None:
            return heard
        told = kept_out if classify.is_to(message, self._me) else None
        kind = MessageKind.OVERHEARD if unserved is None else MessageKind.NOTHING
        return replace(heard, kind=kind, kept_out=told)

    def _is_for_hathi(self, message: discord.Message) -> bool:
        """Whether it asks or commands something, as far as that shows without a database."""
        if self._callers.unserved(message.channel) is not None:
            return False
        heard = classify.hear(message, self._callers.seen(message.channel), self._me)
        return classify.is_to(message, self._me) or heard.kind not in {MessageKind.OVERHEARD, MessageKind.NOTHING}

    async def _overhear(self, message: discord.Message, place: Place, text: str, *, within: timedelta) -> None:
        """Records overheard talk where the mode is `all`; its author is named under the next answer, the first time.

        A database that is away is waited for `within` that time.
        """
        if place.mode != "all":
            return

        async def overhear() -> Turn | None:
            caller, _ = await self._callers.of(message.author, message.channel, within=timedelta(0))
            turn, behind = self._turn(message, caller, text), self._is_behind(message.channel)
            self.context.note(message, turn.message, place)
            is_new = await self._app.turns.overhear(turn.message, language=caller.language, behind=behind)
            return turn if is_new else None

        async with self._turnstile.through():
            turn = await self._app.database.keep_trying(overhear, within=within)
        if turn is not None:
            self.files.fetch(turn.caller.space_id, message)
            self._overheard.note(turn.caller)

    async def _record(
        self, message: discord.Message, text: str, channel: Channel, *, at_once: bool = False
    ) -> Turn | None:
        """Records and claims a question in the channel it is answered in, maybe `at_once`.

        Waits a moment for a database that is away.
        """
        async with contextlib.AsyncExitStack() as stack:
            if channel is not message.channel:
                await stack.enter_async_context(self._doors.through(channel.id))
            await stack.enter_async_context(self._turnstile.through())
            caller, place = await self._callers.of(message.author, channel)
            turn, behind = self._turn(message, caller, text), self._is_behind(channel)
            self.context.note(message, turn.message, place)
            ahead = (
                Delivery(venue=self._venue(channel, message, place), sink=self.streaming_reply(turn, channel, place))
                if at_once
                else None
            )
            recorded = await self._app.conversation.record(turn, behind=behind, within=PATIENCE, ahead=ahead)
        if recorded is not None and not recorded.unkept:
            self.files.fetch(caller.space_id, message)
        return recorded

    def _is_behind(self, channel: Channel) -> bool:
        return self.gaps.is_behind(shard_of(channel), space_of(channel), ChannelId(channel.id))

    def _venue(self, channel: Channel, question: discord.Message | None, place: Place) -> DiscordVenue:
        return DiscordVenue(
            channel,
            question,
            place,
            client=self._client,
            callers=self._callers,
            context=self.context,
            texts=self.texts,
            author_notice=self.author_notice,
        )

    def _turn(self, message: discord.Message, caller: Caller, text: str) -> Turn:
        said = Message(
            space_id=caller.space_id,
            channel_id=caller.channel_id,
            message_id=MessageId(message.id),
            role=Role.PERSON,
            author_id=caller.person_id,
            author=caller.name,
            content=self.texts.read(message.channel, text),
            said_at=message.created_at,
            reply_to=classify.replies_to(message),
            mentioned=self._names.mentioned(message),
            marked=self.texts.names_in(message.channel, text),
        )
        return Turn(caller=caller, message=said, is_to_hathi=classify.is_to(message, self._me))

    async def _see_through(self, turn: Turn, answer: Answer) -> None:
        """Waits for the answer, whose task a deleted question or a restart may cancel."""
        self.answers[turn.message.message_id] = answer
        try:
            with self.stops.under_way(turn, lambda: answer.delivery.stop(answer.task)):
                await asyncio.wait({answer.task})
            if not answer.task.cancelled():
                answer.task.result()
        finally:
            answer.task.cancel()
            del self.answers[turn.message.message_id]

    @property
    def _me(self) -> discord.ClientUser:
        assert self._client.user is not None
        return self._client.user


def _reference(turn: Turn, channel: Channel) -> discord.MessageReference | None:
    """The reference to the question; a reply to a deleted message stands without it.

    None in a thread that was made from it: that begins with it, and it stands elsewhere.
    """
    if threads.asked_in(channel, turn.message.message_id) is not channel:
        return None
    return discord.MessageReference(
        message_id=turn.message.message_id,
        channel_id=channel.id,
        guild_id=None if turn.caller.is_direct else turn.caller.space_id,
        fail_if_not_exists=False,
    )
