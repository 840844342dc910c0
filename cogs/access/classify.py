"""Classifies a message: a command, a question to Hathi, overheard talk, or nothing."""

import re
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from typing import Final

import discord

from bot import arguments, errors
from bot.commands import reply_reasons, run_requests
from bot.commands.grammar import GRAMMARS, meant
from bot.commands.hello import CALLED
from bot.dates import times
from bot.domain import KeptOut, MessageId
from bot.language.requests import plain_requests, set_phrases
from bot.language.requests.set_phrases import SetAnswer
from bot.store.spaces import Place
from bot.text import normalize
from bot.text.pasted_lists import Listed
from cogs.access import threads
from cogs.text import message_words

_NAME: Final = re.compile(r"([^\W\d_][\w-]*)(?:\s+(.*))?", re.DOTALL)
_HEARD: Final = frozenset({discord.MessageType.default, discord.MessageType.reply})


class MessageKind(StrEnum):
    """The kinds of messages."""

    COMMAND = "command"
    UNKNOWN_COMMAND = "unknown command"
    QUESTION = "question"
    OVERHEARD = "overheard"
    NOTHING = "nothing"


@dataclass(frozen=True, slots=True, kw_only=True)
class Heard:
    """A classified message: its kind, and what it says to Hathi."""

    kind: MessageKind
    text: str = ""
    """What was said, without the mention it begins with."""
    command: str = ""
    line: str = ""
    """What follows the command's name."""
    kept_out: KeptOut | None = None
    """Why it is not answered, where it was said to Hathi."""


def is_persons(message: discord.Message) -> bool:
    """Whether a person said it: no bot, webhook or notice of Discord's own."""
    return not message.author.bot and message.webhook_id is None and message.type in _HEARD


def hear(message: discord.Message, place: Place, me: discord.abc.User) -> Heard:
    """Classifies a person's message in a place.

    Commands begin with the space's prefix or with a mention of Hathi; an unknown one is answered only where nobody else
    could be meant. One that mentions Hathi further on is talk to it.
    """
    text, mentioned = without_mention(message.content, me.id)
    whole, _ = said(message, me.id)
    direct = message.guild is None
    if text.startswith(place.prefix) and (found := _NAME.fullmatch(text.removeprefix(place.prefix).strip())):
        name, line = meant(found[1].lower()), (found[2] or "").strip()
        if name == run_requests.COMMAND and _is_run(line, message):
            # A run is answered as a question is: in its turn, recorded, streamed and explained.
            return Heard(kind=MessageKind.QUESTION, text=whole)
        if name in GRAMMARS:
            return Heard(kind=MessageKind.COMMAND, command=name, line=line)
        if direct or mentioned or not names(message, me):
            return Heard(kind=MessageKind.UNKNOWN_COMMAND if direct or mentioned else MessageKind.NOTHING, command=name)
    if mentioned and (command := _command_after_mention(text)):
        return Heard(kind=MessageKind.COMMAND, command=command[0], line=command[1])
    if not whole:
        return Heard(kind=MessageKind.NOTHING)
    kind = MessageKind.QUESTION if is_asked(message, place, me) else MessageKind.OVERHEARD
    return Heard(kind=kind, text=whole)


def _is_run(line: str, message: discord.Message) -> bool:
    """Whether a workflow is to be run: at what stands behind its name, or at what comes with or is replied to."""
    run = run_requests.given(line)
    return run is not None and bool(run.request or message.attachments or replies_to(message) is not None)


def said(message: discord.Message, hathi_id: int) -> tuple[str, bool]:
    """What a message says to Hathi, and whether it begins with its mention.

    The names of its attachments and stickers are among it, and what it forwards. Of a mention alone that is the name.
    """
    text, mentioned = without_mention(message_words.read(message), hathi_id)
    forwarded = (_whole(message_words.read(part), part) for part in message.message_snapshots)
    whole = _whole(text, message, *(f"{normalize.FORWARDED}{part}]" for part in forwarded if part))
    return whole or (CALLED if mentioned else ""), mentioned


def _whole(text: str, part: discord.Message | discord.MessageSnapshot, *more: str) -> str:
    files = (f"[attachment: {file.filename}]" for file in part.attachments)
    stickers = (f"[sticker: {sticker.name}]" for sticker in part.stickers)
    return "\n".join([text, *files, *stickers, *more]).strip()


def is_to(message: discord.Message, me: discord.abc.User) -> bool:
    """Whether it is said to Hathi: directly, by a mention, or in reply to it."""
    return message.guild is None or names(message, me) or answers(message, me)


def is_asked(message: discord.Message, place: Place, me: discord.abc.User) -> bool:
    """Whether it is to be answered: said to Hathi, or said in a channel or a thread where everything is answered."""
    return is_to(message, me) or place.enabled or (place.threads and threads.is_own(message.channel, me))


def replies_to(message: discord.Message) -> MessageId | None:
    """The message of the same channel that it replies to; what it forwards, or was published from, is none."""
    refers = message.reference
    if refers is None or refers.message_id is None or refers.channel_id != message.channel.id:
        return None
    return MessageId(refers.message_id) if refers.type is discord.MessageReferenceType.reply else None


def without_mention(content: str, hathi_id: int) -> tuple[str, bool]:
    """The text without a mention of Hathi at its beginning, and whether there was one."""
    text = content.strip()
    for mention in (f"<@{hathi_id}>", f"<@!{hathi_id}>"):
        if text.startswith(mention):
            return text.removeprefix(mention).lstrip(" ,:\n"), True
    return text, False


def _command_after_mention(text: str) -> tuple[str, str] | None:
    """The command after a mention, if it is one beyond doubt: "@Hathi age preview", not "@Hathi age of Rome?"."""
    found = _NAME.fullmatch(text)
    name, line = (found[1].lower(), (found[2] or "").strip()) if found else ("", "")
    if name not in GRAMMARS or text.endswith("?") or (name == "help" and line and line.lower() not in GRAMMARS):
        return None
    try:
        args = arguments.parse(line, GRAMMARS[name])
    except errors.BadArgument:
        return None
    if not args.named and (name == "remember" or _is_said(text)):
        # Talk, as it is without a mention: "remember this", "note to self: …" and "help me" are read by their words.
        return None
    if args.text and not (args.named or GRAMMARS[name].text_required or _is_named(name, args.text)):
        # Talk, as "why do cats purr", "do me a favour" and "missed you" are; the prefix makes a command of it.
        return None
    return name, line


def _is_named(command: str, text: str) -> bool:
    """Whether the text that a command may take or not is plainly meant for it: a command, a reply or a time."""
    match command:
        case "help":
            return True
        case "why":
            return reply_reasons.reference(text) is not None
        case "missed":
            return bool(times.read_alone(text, as_of=datetime.now(UTC), zone="UTC").spans)
        case _:
            return False


def _is_said(text: str) -> bool:
    """Whether it asks to keep something, or for help, in ordinary speech."""
    return isinstance(plain_requests.read(text), Listed) or set_phrases.read(text).word is SetAnswer.HELP


def names(message: discord.Message, me: discord.abc.User) -> bool:
    """Whether it mentions Hathi anywhere, or Hathi's own role."""
    return any(user.id == me.id for user in message.mentions) or any(
        role.tags is not None and role.tags.bot_id == me.id for role in message.role_mentions
    )


def answers(message: discord.Message, me: discord.abc.User) -> bool:
    """Whether it replies to something Hathi said."""
    replied = message.reference.resolved if message.reference else None
    return isinstance(replied, discord.Message) and replied.author.id == me.id
