"""Downloads and reads the files of messages, for recording and for prompts."""

import asyncio
import collections
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Final

import aiohttp
import discord

from bot import catalogue, log
from bot.app import App
from bot.domain import MessageId, Picture, SpaceId
from bot.infra.ordering import Doors
from bot.store.files import pictures
from bot.store.files.attachments import ARRIVING, MOST, AttachedFile, Contents, State
from bot.store.files.file_types import FileKind
from cogs.tell.error_notices import ErrorNotices

_log = log.logger(__name__)

AT_ONCE: Final = 4
"""Files that are fetched at a time."""
SHARE: Final = 2
"""Files that are fetched and read at a time of what one person sent."""
MOST_WAITING: Final = 100
"""Messages whose files wait to be kept; the files of any more are not."""
WAITING_SHARE: Final = 20
"""Of those, the most of one person."""
FETCHED_WITHIN: Final = timedelta(seconds=20)
SEEN_WITHIN: Final = timedelta(seconds=10)
"""How long a question waits for its pictures."""
AT_HAND: Final = 32
"""Files of which what was read in them is at hand for a while: what is kept of a message is shown to a model too."""


_UNREAD: Final[Mapping[State, str]] = {
    State.TOO_LARGE: catalogue.later("it is larger than 1 MiB, the most I read"),
    State.UNREADABLE: catalogue.later("there is no text in it that I can read"),
    State.FAILED: catalogue.later("Discord did not hand it over in time"),
}
_NOT_YET: Final = catalogue.later("I am still at it; please ask again in a moment")
TOO_MANY: Final = catalogue.later(
    "I read no more files of yours for now: those of {count} messages are still to be read. Please send later ones "
    "again in a minute."
)
_PICTURE: Final = catalogue.later("it is a picture, which can't be looked at")
_ELSEWHERE: Final = catalogue.later(
    "it is a picture; I look at those that come with a question, or with the message it replies to"
)
_TOO_MANY_PICTURES: Final = catalogue.later("it is a picture, and I look at no more than {most} at a time")
_LARGE_PICTURE: Final = catalogue.later("it is a picture larger than {most} MiB, the most I look at")
_TOO_SLOW: Final = catalogue.later("it is a picture that I could not look at in time")
_NO_PICTURE: Final = catalogue.later("it is no picture that I can open; I can open PNG, JPEG, WebP and GIF")


@dataclass(frozen=True, slots=True, kw_only=True)
class Fetched:
    """A file that came with a message, and what was read in it."""

    file: AttachedFile
    contents: Contents
    is_late: bool = False
    """Whether it was still to be fetched or read, perhaps behind others of the same person."""
    picture: Picture | None = None
    """What is seen in it, where it was looked at."""
    unseen: str = ""
    """Why nothing is, as half a sentence, where it is a picture."""

    @property
    def may_be_picture(self) -> bool:
        """Whether it is one by its name or type, or by neither anything else; then its bytes tell."""
        is_bare = self.file.kind is FileKind.UNKNOWN and self.contents.state is State.UNREADABLE
        return self.file.is_picture or is_bare

    @property
    def unread(self) -> str:
        """Why nothing of it was read or seen, as half a sentence; empty where something was."""
        if self.picture is not None:
            return ""
        if self.file.is_picture:
            return self.unseen or catalogue.gettext(_PICTURE)
        return catalogue.gettext(_NOT_YET if self.is_late else _UNREAD.get(self.contents.state, ""))


class IncomingFiles:
    """Downloads files; a failure never keeps their message from being recorded and answered."""

    def __init__(self, app: App, notices: ErrorNotices) -> None:
        self._app = app
        self._notices = notices
        self._gate = asyncio.Semaphore(AT_ONCE)
        self._shares = Doors(SHARE)
        self._waiting = Counter[int]()
        """Messages by who sent them."""
        self._told = set[int]()
        """Who was told that more of theirs are not read; to be told again once none waits."""
        self._read: collections.OrderedDict[int, asyncio.Future[Fetched]] = collections.OrderedDict()

    def fetch(self, space_id: SpaceId, message: discord.Message) -> None:
        """Starts keeping the first five files of a message just recorded; returns at once."""
        self._fetch(space_id, message, message.attachments[:MOST])

    async def follow(self, space_id: SpaceId, message: discord.Message) -> None:
        """Follows an edit: reads the files that are new. Raises `DatabaseDown`."""
        if kept := message.attachments[:MOST]:
            known = await self._app.attachments.known(space_id, MessageId(message.id))
            self._fetch(space_id, message, [file for file in kept if file.id not in known])

    async def read(
        self, message: discord.Message, areas: Sequence[int], *, looks_at: int | None = None, among: int = 1
    ) -> Sequence[Fetched]:
        """The first five files of a message and of what it forwards, with the texts read within three seconds.

        Where a model sees, which is told by the `areas` a picture may have, so many pictures among them are looked at,
        as some of how many there are in all, and kept nowhere: none is where nothing is asked about the message.
        """
        files = files_of(message)
        reading = [self._reading(file, message.author.id) for file in files]
        if reading:
            await asyncio.wait(reading, timeout=ARRIVING.total_seconds())
        found = [
            each.result()
            if each.done() and not each.cancelled()
            else Fetched(file=_file(file), contents=Contents(state=State.FAILED), is_late=True)
            for file, each in zip(files, reading, strict=True)
        ]
        if not areas or not any(each.may_be_picture for each in found):
            return found
        left = iter(range(looks_at or 0))
        why = catalogue.gettext(_ELSEWHERE if looks_at is None else _TOO_MANY_PICTURES).format(most=pictures.MOST)
        looked = (
            self._looked_at(each, file, message.author.id, areas, among)
            if each.may_be_picture and next(left, None) is not None
            else _left_alone(each, why)
            for each, file in zip(found, files, strict=True)
        )
        return await asyncio.gather(*looked)

    async def _looked_at(
        self, came: Fetched, file: discord.Attachment, sender: int, areas: Sequence[int], among: int
    ) -> Fetched:
        """The file with what is seen in it, or why nothing is."""
        if file.size > pictures.MOST_BYTES:
            most = pictures.MOST_BYTES // 2**20
            return replace(came, unseen=catalogue.gettext(_LARGE_PICTURE).format(most=most))
        try:
            async with asyncio.timeout(SEEN_WITHIN.total_seconds()), self._shares.through(sender):
                async with self._gate:
                    data = await _downloaded(file)
                picture = data and await self._app.pictures.made_of(data, areas, among=among)
        except TimeoutError:
            return replace(came, unseen=catalogue.gettext(_TOO_SLOW))
        if data is None:
            return replace(came, unseen=catalogue.gettext(_UNREAD[State.FAILED]))
        return replace(came, picture=picture or None, unseen=catalogue.gettext(_NO_PICTURE))

    def _fetch(self, space_id: SpaceId, message: discord.Message, files: Sequence[discord.Attachment]) -> None:
        if not files:
            return
        sender = message.author.id
        if self._waiting.total() >= MOST_WAITING or self._waiting[sender] >= WAITING_SHARE:
            _log.warning("attachment.too_many", message_id=message.id, files=len(files))
            if self._waiting[sender] >= WAITING_SHARE and sender not in self._told:
                self._told.add(sender)
                told = catalogue.gettext(TOO_MANY).format(count=WAITING_SHARE)
                self._app.background.spawn(self._notices.say(message.channel, told))
            return
        self._waiting[sender] += 1
        over = self._app.attachments.arrive(space_id, MessageId(message.id))
        self._app.background.spawn(self._keep_all(space_id, message, files, over))

    async def _keep_all(
        self, space_id: SpaceId, message: discord.Message, files: Sequence[discord.Attachment], over: Callable[[], None]
    ) -> None:
        message_id = MessageId(message.id)
        try:
            for file in files:
                came = await asyncio.shield(self._reading(file, message.author.id))
                await self._app.attachments.save(space_id, message_id, came.file, came.contents, now=self._app.clock())
        finally:
            self._waiting -= Counter([message.author.id])
            if not self._waiting[message.author.id]:
                self._told.discard(message.author.id)
            over()

    def _reading(self, file: discord.Attachment, sender: int) -> asyncio.Future[Fetched]:
        """Reads a file once, though it may be both stored and shown."""
        reading = self._read.get(file.id)
        if reading is None:
            reading = self._read[file.id] = asyncio.get_running_loop().create_future()
            self._app.background.spawn(self._read_into(file, sender, reading))
            while len(self._read) > AT_HAND:
                self._read.popitem(last=False)
        return reading

    async def _read_into(self, file: discord.Attachment, sender: int, reading: asyncio.Future[Fetched]) -> None:
        try:
            # Whoever sends many that take long holds up their own.
            async with self._shares.through(sender):
                async with self._gate:
                    came = await _fetched(file)
                contents = await self._app.attachments.read(came)
            reading.set_result(Fetched(file=replace(came, data=None), contents=contents))
            if contents.state is State.FAILED:
                # Another time Discord may give it.
                self._read.pop(file.id, None)
        finally:
            reading.cancel()


def files_of(message: discord.Message) -> list[discord.Attachment]:
    """The first five files of a message and of what it forwards."""
    forwarded = (file for part in message.message_snapshots for file in part.attachments)
    return [*message.attachments, *forwarded][:MOST]


def _file(file: discord.Attachment) -> AttachedFile:
    return AttachedFile(attachment_id=file.id, name=file.filename, content_type=file.content_type, size=file.size)


async def _fetched(file: discord.Attachment) -> AttachedFile:
    """Downloads a file, where it is worth it and Discord has it."""
    came = _file(file)
    return replace(came, data=await _downloaded(file)) if came.is_wanted else came


async def _downloaded(file: discord.Attachment) -> bytes | None:
    """What is in a file; none where Discord does not give it."""
    try:
        async with asyncio.timeout(FETCHED_WITHIN.total_seconds()):
            return await file.read()
    except (discord.HTTPException, aiohttp.ClientError, OSError) as exc:
        _log.warning("attachment.not_fetched", attachment_id=file.id, cause=type(exc).__name__)
        return None


async def _left_alone(came: Fetched, why: str) -> Fetched:
    return replace(came, unseen=why)
