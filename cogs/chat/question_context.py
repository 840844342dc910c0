"""Collects what surrounds a question: the messages it replies to, the talk before it, and their files."""

import asyncio
import collections
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Final

import aiohttp
import discord

from bot import catalogue, errors, log
from bot.app import App
from bot.domain import Caller, ChannelId, MemoryId, Message, MessageId, PersonId, Role, SentFile, Surroundings, Turn
from bot.grounding import citations
from bot.language.requests import plain_requests
from bot.recall.librarian import Readable, Retold
from bot.store.files import file_types, pictures
from bot.store.namesakes import NAMESAKE
from bot.store.spaces import Place
from bot.store.turns import HATHI
from bot.text import message_links, normalize, notices
from cogs.access import classify, threads
from cogs.access.callers import Callers, Channel
from cogs.chat.incoming_files import IncomingFiles, files_of
from cogs.chat.message_texts import MessageTexts
from cogs.chat.recent_messages import RecentMessages

_log = log.logger(__name__)

REPLIES: Final = 5
"""Messages that are followed from a reply: the one it points at, and up to four that stand behind that."""
READ_WITHIN: Final = timedelta(seconds=2)
LONGEST: Final = 6_000
"""Characters of one message, with its embeds and components."""
MOST_NAMED: Final = 2
"""Messages said lately, the newest, of which the files are read that a question names."""
MOST_TOLD: Final = 10_000
MOST_READ: Final = 2_000
"""Messages that were read lately and need not be read again for the next question."""
DECLINED: Final = catalogue.later(
    "The message you reply to is by somebody who does not want to be remembered, so I don't read it."
)
UNSEEN: Final = catalogue.later(
    "Discord shows me only messages that mention me (the message-content intent is off), so I can't read what was said "
    "before; put the words into your message."
)
_COMMANDS: Final = frozenset({classify.MessageKind.COMMAND, classify.MessageKind.UNKNOWN_COMMAND})
_PLACES: Final = re.compile(r"\[#[^\[\]\n]{0,100}\](?=\(https://)")
"""The names of channels in what leads to a message: one may look like the number of a memory."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Found:
    """Messages as fetched from Discord, before the check which of them may be shown."""

    asked: discord.Message | None
    replied_to: Sequence[discord.Message]
    around: Sequence[discord.Message]
    naming: Sequence[discord.Message]
    """Of what was said lately that which came with a file that the question names."""

    def without(self, gone: AbstractSet[int]) -> "_Found":
        """Less these messages; what stands behind one of them in the chain of replies stays."""
        return replace(
            self,
            replied_to=[message for message in self.replied_to if message.id not in gone],
            around=[message for message in self.around if message.id not in gone],
        )

    @property
    def all(self) -> list[discord.Message]:
        return [*self.replied_to, *self.around, *self.naming]

    @property
    def checked(self) -> list[discord.Message]:
        """What they reply to, and all: an answer of Hathi's is not read without its question.

        What a reply brought along is as it was then; where it is read by itself too, that comes last and holds.
        """
        referred = (message.reference.resolved for message in self.all if message.reference)
        return [*(message for message in referred if isinstance(message, discord.Message)), *self.all]

    @property
    def missing(self) -> frozenset[MessageId | None]:
        """What the messages replied to reply to, where that could not be read: it may be gone."""
        refers = {classify.replies_to(message) for message in self.replied_to[: REPLIES - 1]}
        return frozenset(refers - {message.id for message in self.replied_to} - {None})


@dataclass(frozen=True, slots=True, kw_only=True)
class _Read:
    """A message of Discord as it was read, once for all questions around it."""

    message: discord.Message
    prefix: str
    """By which it was told whether it is a command."""
    said: Message
    is_talk: bool
    """No command of Hathi's: what was given and forgotten is not to be read in it."""


class QuestionContext:
    """Collects the context of questions; where it can't be read there is less of it, but still an answer."""

    def __init__(
        self, app: App, callers: Callers, recent: RecentMessages, files: IncomingFiles, texts: MessageTexts
    ) -> None:
        self._app = app
        self._callers = callers
        self._recent = recent
        self._files = files
        self._texts = texts
        self._told: collections.OrderedDict[int, None] = collections.OrderedDict()
        """Channels in which it was said that talk can't be read there."""
        self._read: collections.OrderedDict[int, _Read] = collections.OrderedDict()

    async def of(
        self, turn: Turn, channel: Channel, place: Place, message: discord.Message | None, me: discord.abc.User
    ) -> Surroundings:
        """The context of a turn; `message` is its question, where Discord told this process of it."""
        answered, (turn, channel) = turn, await self._as_asked(turn, channel)
        found = await self._found(turn, channel, message, place)
        every = {m.id: self._reading(m, turn.caller, place, me) for m in found.checked}
        commands: set[int | None] = {key for key, each in every.items() if not each.is_talk}
        told = {MessageId(m.id): _told(every[m.id].said, commands) for m in found.all if m.author.id == me.id}
        readable = await self._readable(turn, found, told)
        allowed = readable.allowed((m.id, m.author.id, m.created_at) for m in found.checked)
        hidden = {m.id for m in found.checked} - allowed | found.missing
        read = {
            key: each
            for key, each in every.items()
            if key in allowed
            and (key not in told or each.said.reply_to not in hidden)
            and readable.tells_what_stands(MessageId(key), told)
        }
        found = found.without(readable.failed)
        shown = {message_id: readable.as_recorded(each.said) for message_id, each in read.items()}
        lately = {each for each, one in read.items() if one.is_talk and readable.since <= one.message.created_at}
        return Surroundings(
            replied_to=tuple(said for said in _unbroken(found.replied_to, shown) if said.content),
            around=tuple(shown[m.id] for m in found.around if m.id in lately and shown[m.id].content),
            files=await self._read_files(answered, found, shown, [m for m in found.naming if m.id in lately]),
            unread=self._unread(found, shown, readable, channel),
        )

    def note(self, message: discord.Message, said: Message, place: Place) -> None:
        """Keeps what was read of a message that is no command, for the questions asked after it."""
        if not (message.embeds or message.components or message.message_snapshots):
            is_talk = not plain_requests.is_withheld(said.content)
            self._keep(_Read(message=message, prefix=place.prefix, said=said, is_talk=is_talk))

    async def message(self, channel: Channel, message_id: MessageId) -> discord.Message | None:
        """One message of a channel; none where it is gone or can't be read."""
        return self._recent.find(channel, message_id) or await self._fetched(channel, message_id)

    async def pointed_at(
        self,
        caller: Caller,
        channel: Channel,
        place: Place,
        message_id: MessageId,
        me: discord.abc.User,
        *,
        given: discord.Message | None = None,
    ) -> Message | None:
        """What a message says that the caller points at; none of a command, and where it is gone or may not be read.

        It is read where Discord has not `given` it. What was forgotten may be read for its author alone, who wants it
        anew; what is of somebody who opted out, or has erased it since, for nobody. Raises `DatabaseDown`.
        """
        message = given or await self.message(channel, message_id)
        session_id = await self._app.spaces.open_session(caller)
        if message is None or session_id is None:
            return None
        read, author_id = self._reading(message, caller, place, me), PersonId(message.author.id)
        readable = await self._app.librarian.readable(caller, session_id, [message_id], [author_id], {})
        if author_id == caller.person_id:
            readable = replace(readable, withheld=frozenset())
        is_allowed = message.id in readable.allowed([(message.id, author_id, message.created_at)])
        return read.said if read.is_talk and is_allowed else None

    def stands(self, ids: Iterable[MessageId], since: float) -> bool:
        """Whether none of these messages was deleted or edited since then, as far as this process knows."""
        return not any(self._recent.changed_at(message_id) >= since for message_id in ids)

    async def _as_asked(self, turn: Turn, channel: Channel) -> tuple[Turn, Channel]:
        """A question that is answered in a thread made from it, as it stands in the channel it was asked in."""
        home = threads.asked_in(channel, turn.message.message_id)
        if home is channel:
            return turn, channel
        caller = replace(turn.caller, channel_id=ChannelId(home.id), origin=None)
        try:
            session_id = await self._app.spaces.open_session(caller)
        except errors.DatabaseDown:
            session_id = None
        said = replace(turn.message, session_id=session_id or turn.message.session_id)
        return replace(turn, caller=caller, message=said), home

    async def _found(self, turn: Turn, channel: Channel, message: discord.Message | None, place: Place) -> _Found:
        hangs_on_more = turn.message.reply_to is not None or normalize.ATTACHED in turn.message.content
        if message is None and hangs_on_more:
            # A turn left behind by another process.
            message = await self._fetched(channel, turn.message.message_id)
        limit = self._app.settings.prompt.around if place.around is None else place.around
        asked = normalize.without_attachments(turn.message.content)
        # In direct messages everything is said to Hathi, and stands in the conversation.
        is_talk = not turn.caller.is_direct
        looks = is_talk or file_types.names_one(asked)
        lately = await self._recent.before(channel, turn.message.message_id, limit) if looks else ()
        return _Found(
            asked=message,
            replied_to=() if message is None else await self._chain(message, channel),
            around=lately if is_talk else (),
            naming=[m for m in lately if any(file_types.is_named(file.filename, asked) for file in m.attachments)],
        )

    async def _chain(self, asked: discord.Message, channel: Channel) -> list[discord.Message]:
        """The chain of messages replied to, as far as they can be read."""
        found: list[discord.Message] = []
        message: discord.Message | None = asked
        try:
            async with asyncio.timeout(READ_WITHIN.total_seconds()):
                while message is not None and len(found) < REPLIES:
                    message = await self._referred(message, channel)
                    found += [] if message is None else [message]
        except TimeoutError:
            _log.info("context.slow", found=len(found))
        return found

    async def _referred(self, message: discord.Message, channel: Channel) -> discord.Message | None:
        refers = classify.replies_to(message)
        if refers is None or message.reference is None:
            return None
        resolved = message.reference.resolved
        if isinstance(resolved, discord.DeletedReferencedMessage):
            return None
        if self._recent.changed_at(refers) > 0:
            # As it is now, and not as it was when it was referred to.
            resolved = None
        return resolved or self._recent.find(channel, refers) or await self._fetched(channel, refers)

    async def _fetched(self, channel: Channel, message_id: MessageId) -> discord.Message | None:
        try:
            return await threads.asked_in(channel, message_id).fetch_message(message_id)
        except (discord.DiscordException, errors.DiscordError, aiohttp.ClientError, OSError) as exc:
            _log.info("context.not_read", error=type(exc).__name__)
            return None

    async def _readable(self, turn: Turn, found: _Found, told: Mapping[MessageId, Retold]) -> Readable:
        """Which of them may be shown: none where that can't be told."""
        if not found.all:
            return Readable()
        ids = [MessageId(message.id) for message in found.checked]
        authors = {PersonId(message.author.id) for message in found.checked}
        assert turn.message.session_id is not None
        try:
            return await self._app.librarian.readable(turn.caller, turn.message.session_id, ids, authors, told)
        except errors.DatabaseDown:
            _log.warning("context.database_down")
            return Readable(withheld=frozenset(ids))

    async def _read_files(
        self, turn: Turn, found: _Found, shown: dict[int, Message], naming: Sequence[discord.Message]
    ) -> tuple[SentFile, ...]:
        """The files of the question and of the message it points at, and those it names in recent talk.

        At pictures of the former two a model looks, four together.
        """
        asked = [] if found.asked is None else [(found.asked, turn.message)]
        pointed = [(message, shown[message.id]) for message in found.replied_to[:1] if message.id in shown]
        whole = {message.id for message, _ in (*asked, *pointed)}
        named = [(message, shown[message.id]) for message in reversed(naming) if message.id not in whole][:MOST_NAMED]
        text = normalize.without_attachments(turn.message.content)
        pictured = [
            file
            for message, _ in (*asked, *pointed)
            for file in files_of(message)
            if file_types.is_picture(file.filename, file.content_type)
        ]
        files, areas = list[SentFile](), self._app.picture_areas(turn.caller)
        for message, said in (*asked, *pointed, *named):
            left = pictures.MOST - sum(file.is_picture for file in files)
            came = await self._files.read(
                message, areas, looks_at=max(0, left) if message.id in whole else None, among=len(pictured)
            )
            files += [
                SentFile(
                    name=each.file.name,
                    message=said,
                    text=each.contents.text,
                    unread=each.unread,
                    is_picture=each.file.is_picture or each.picture is not None,
                    picture=each.picture,
                )
                for each in came
                if message.id in whole or file_types.is_named(each.file.name, text)
            ]
        return tuple(files)

    def _unread(self, found: _Found, shown: dict[int, Message], readable: Readable, channel: Channel) -> str:
        """Why the message pointed at, or the talk, is not there; of the talk it is said once in a channel."""
        pointed = found.replied_to[:1]
        if any(message.author.id in readable.declined for message in pointed):
            return catalogue.gettext(DECLINED)
        empty = [m for m in pointed or found.around if m.id in shown and not shown[m.id].content]
        if not empty or channel.id in self._told or not self._callers.address(channel.guild):
            return ""
        self._told[channel.id] = None
        if len(self._told) > MOST_TOLD:
            self._told.popitem(last=False)
        return catalogue.gettext(UNSEEN)

    def _reading(self, message: discord.Message, caller: Caller, place: Place, me: discord.abc.User) -> _Read:
        """The message as it is read here; an edited one is another object."""
        known = self._read.get(message.id)
        if known is None or known.message is not message or known.prefix != place.prefix:
            is_typed = classify.is_persons(message) and classify.hear(message, place, me).kind in _COMMANDS
            said = self._said(message, caller, me)
            is_withheld = plain_requests.is_withheld(said.content)
            is_talk = not (is_typed or is_withheld) and message.interaction_metadata is None
            known = _Read(message=message, prefix=place.prefix, said=said, is_talk=is_talk)
            self._keep(known)
        return known

    def _keep(self, read: _Read) -> None:
        self._read[read.message.id] = read
        if len(self._read) > MOST_READ:
            self._read.popitem(last=False)

    def _said(self, message: discord.Message, caller: Caller, me: discord.abc.User) -> Message:
        is_own = message.author.id == me.id
        text = self._texts.named(message, "\n".join(_written(message, me)))
        return Message(
            space_id=caller.space_id,
            channel_id=caller.channel_id,
            message_id=MessageId(message.id),
            role=Role.HATHI if is_own else Role.PERSON,
            author_id=PersonId(message.author.id) if classify.is_persons(message) else None,
            author=HATHI if is_own else _name(message.author),
            content=text[:LONGEST],
            said_at=message.created_at,
            reply_to=classify.replies_to(message),
        )


def _name(author: discord.abc.User) -> str:
    """What is kept by Hathi's own name is Hathi's."""
    return NAMESAKE if author.display_name == HATHI else author.display_name


def _unbroken(chain: Sequence[discord.Message], shown: dict[int, Message]) -> Iterator[Message]:
    """The messages up to the first that may not be shown; what that one replied to is left out too."""
    for message in chain:
        if message.id not in shown:
            return
        yield shown[message.id]


def _told(said: Message, commands: AbstractSet[int | None]) -> Retold:
    """What a message of Hathi's tells of; some answer these commands."""
    # A confirmation that names what it replaced has its own words.
    labels = citations.labels(notices.without_superseded(_PLACES.sub("", said.content)))
    memories = frozenset(MemoryId(int(label[1:])) for label in labels if label.startswith("#"))
    messages = message_links.linked(said.content)
    # Of what else a command lists, like summaries of sessions, nothing tells whether it stands.
    is_bare = not commands.isdisjoint((said.message_id, said.reply_to)) and not (memories or messages)
    return Retold(memories=memories, messages=messages, is_gone=is_bare or notices.tells_of_forgotten(said.content))


def _written(message: discord.Message, me: discord.abc.User) -> Iterator[str]:
    """All that people read in a message: its text, files, stickers, what it forwards, embeds and components."""
    yield classify.said(message, me.id)[0]
    for part in (message, *message.message_snapshots):
        for embed in part.embeds:
            yield from _of_embed(embed)


def _of_embed(embed: discord.Embed) -> Iterator[str]:
    fields = (f"{field.name}: {field.value}" for field in embed.fields)
    yield from filter(None, (embed.author.name, embed.title, embed.description, *fields, embed.footer.text))
