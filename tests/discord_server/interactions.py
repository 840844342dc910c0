"""An interaction: what a person set off, how long it may be answered, and how it was."""

import enum
import secrets
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from typing import TYPE_CHECKING, Final

from tests.discord_server import (
    command_rules,
    component_rules,
    drafting,
    message_wire,
    messages,
    posting,
    refusals,
    wire,
)
from tests.discord_server.drafting import Draft

if TYPE_CHECKING:
    from tests.discord_server.channels import Channel
    from tests.discord_server.messages import Message
    from tests.discord_server.users import User
    from tests.discord_server.world import World

MOST_FOLLOW_UPS: Final = 1000
MOST_KEPT: Final = 10_000
MOST_CHOICES: Final = 25


class Kind(enum.IntEnum):
    """What was set off."""

    COMMAND = 2
    COMPONENT = 3
    AUTOCOMPLETE = 4
    MODAL = 5


class Answer(enum.IntEnum):
    """How it was answered."""

    PONG = 1
    MESSAGE = 4
    DEFERRED = 5
    DEFERRED_UPDATE = 6
    UPDATE = 7
    CHOICES = 8
    MODAL = 9


_FITTING: Final = {
    Kind.COMMAND: {Answer.PONG, Answer.MESSAGE, Answer.DEFERRED, Answer.MODAL},
    Kind.COMPONENT: set(Answer) - {Answer.CHOICES},
    Kind.AUTOCOMPLETE: {Answer.CHOICES},
    Kind.MODAL: set(Answer) - {Answer.CHOICES, Answer.MODAL},
}


@dataclass(slots=True, kw_only=True, eq=False)
class Interaction:
    """One interaction; `original` is its first answer when that is a message, `followups` what came after."""

    world: "World"
    interaction_id: int
    kind: Kind
    user: "User"
    channel: "Channel"
    data: wire.Json
    message: "Message | None" = None
    token: str = field(default_factory=lambda: secrets.token_urlsafe(64))
    at: float = field(default_factory=time.monotonic)
    answer: Answer | None = None
    answered_at: float | None = None
    original: "Message | None" = None
    followups: "dict[int, Message]" = field(default_factory=dict)
    choices: list[wire.Json] = field(default_factory=list)
    modal: wire.Json | None = None
    expired: bool = False

    @property
    def name(self) -> str:
        """The command's name, or the component's custom id."""
        return str(self.data.get("name") or self.data.get("custom_id"))

    @property
    def messages(self) -> "list[Message]":
        """What it was answered with that is still there, in order; a message still loading counts not."""
        told = ([self.original] if self.original else []) + list(self.followups.values())
        return [message for message in told if not message.deleted and not message.flags & messages.LOADING]

    async def until_answered(self, *, within: timedelta = timedelta(seconds=10)) -> "Interaction":
        """The interaction once it has its first answer. Raises `TimeoutError`."""
        await self.world.changes.until(lambda: self.answer is not None, within=within)
        return self

    async def until_told(self, *, within: timedelta = timedelta(seconds=10)) -> "list[Message]":
        """Its messages, once there is one. Raises `TimeoutError`."""
        await self.world.changes.until(lambda: self.messages, within=within)
        return self.messages

    def expire(self) -> None:
        """Let it be too old to answer, and its token no good."""
        self.expired = True

    @property
    def _age(self) -> timedelta:
        return timedelta(seconds=time.monotonic() - self.at)

    def payload(self) -> wire.Json:
        """What INTERACTION_CREATE carries."""
        guild, place = self.channel.guild, self.channel
        data: wire.Json = {
            "id": str(self.interaction_id),
            "application_id": str(self.world.application_id),
            "type": int(self.kind),
            "token": self.token,
            "version": 1,
            "data": self.data,
            "channel_id": str(place.channel_id),
            "channel": wire.channel(place) | {"permissions": str(int(place.permissions(self.user)))},
            "locale": self.user.locale,
            "app_permissions": str(int(place.permissions(self.world.bot))),
            "entitlements": [],
            "authorizing_integration_owners": {"0": str(guild.guild_id) if guild else "0"},
            "context": 0 if guild else 1,
            "attachment_size_limit": drafting.LARGEST_FILE,
        }
        if self.message is not None:
            data["message"] = message_wire.message(self.message)
        if guild is None:
            return data | {"user": wire.user(self.user)}
        member = wire.member(guild.members[self.user.user_id])
        member["permissions"] = str(int(place.permissions(self.user)))
        data |= {"guild_id": str(guild.guild_id), "guild_locale": guild.locale, "member": member}
        return data | {"guild": {"id": str(guild.guild_id), "locale": guild.locale, "features": []}}

    def metadata(self) -> wire.Json:
        """How messages that answer it name it."""
        owners = {"0": str(self.channel.guild.guild_id) if self.channel.guild else "0"}
        data: wire.Json = {
            "id": str(self.interaction_id),
            "type": int(self.kind),
            "user": wire.user(self.user),
            "authorizing_integration_owners": owners,
        }
        if self.message is not None:
            data["interacted_message_id"] = str(self.message.message_id)
        match self.data.get("type"):
            case command_rules.USER:
                data["target_user"] = self.data["resolved"]["users"][self.data["target_id"]]
            case command_rules.MESSAGE:
                data["target_message_id"] = self.data["target_id"]
            case _:
                pass
        return data

    # ---- the first answer

    def respond(self, kind: Answer, draft: Draft, data: wire.Json) -> None:
        """Take the first answer. Raises `Refusal`."""
        if self.answer is not None:
            raise refusals.acknowledged()
        if self.expired or self._age > self.world.answer_within:
            raise refusals.unknown_interaction()
        needs_message = kind in {Answer.UPDATE, Answer.DEFERRED_UPDATE}
        if kind not in _FITTING[self.kind] or (needs_message and self.message is None):
            raise refusals.invalid_form("type", "INTERACTION_APPLICATION_COMMAND_INVALID_TYPE", "Invalid type")
        with refusals.under("data"):
            self._take(kind, draft, data)
        self.answer, self.answered_at = kind, time.monotonic()
        self.world.changes.tell()

    def _take(self, kind: Answer, draft: Draft, data: wire.Json) -> None:
        match kind:
            case Answer.MESSAGE:
                drafting.check(draft)
                self.original = self._say(draft)
            case Answer.DEFERRED:
                if int(data.get("flags") or 0) & ~messages.EPHEMERAL:
                    message = "Only MessageFlags.EPHEMERAL can be set when deferring"
                    raise refusals.invalid_form("flags", "BITFIELD_UNSUPPORTED_BIT", message)
                self.original = self._say(Draft(flags=(draft.flags & messages.EPHEMERAL) | messages.LOADING))
            case Answer.UPDATE:
                drafting.check(draft)
                self.original = self.message
                if self.message is not None:
                    posting.rewrite(self.message, draft)
            case Answer.DEFERRED_UPDATE:
                self.original = self.message
            case Answer.CHOICES:
                self.choices = _checked_choices(data.get("choices") or [])
            case Answer.MODAL:
                self.modal = component_rules.checked_modal(data)
            case Answer.PONG:
                pass

    def _say(self, draft: Draft) -> "Message":
        kind = messages.COMMAND if self.kind is Kind.COMMAND and self.original is None else 0
        return posting.put(self.channel, self.world.bot, draft, interaction=self.metadata(), kind=kind)

    # ---- what the token allows afterwards

    def check_token(self) -> None:
        """Refuse what comes too late, or before the first answer. Raises `Refusal`."""
        if self.expired or self._age > self.world.token_lives:
            raise refusals.webhook_token()
        if self.answer is None:
            raise refusals.unknown_webhook()

    def follow_up(self, draft: Draft) -> "Message":
        """A further message; the first after a deferral takes the place of the one loading. Raises `Refusal`."""
        self.check_token()
        drafting.check(draft)
        original = self.original
        if original is not None and original.flags & messages.LOADING and not original.deleted:
            self.change(original, draft)
            return original
        if len(self.followups) >= MOST_FOLLOW_UPS:
            raise refusals.Refusal(400, 40094, "Interaction follow-ups limit reached")
        message = self._say(draft)
        self.followups[message.message_id] = message
        return message

    def told(self, message_id: int | None) -> "Message":
        """The original (None) or a follow-up that is still there. Raises `Refusal`."""
        self.check_token()
        message = self.original if message_id is None else self.followups.get(message_id)
        if message is None and self.original is not None and message_id == self.original.message_id:
            message = self.original
        if message is None or message.deleted:
            raise refusals.unknown_message()
        return message

    def change(self, message: "Message", draft: Draft) -> None:
        """Give an answer another text; filling in a deferred one is no edit. Raises `Refusal`."""
        drafting.check(draft)
        loading = bool(message.flags & messages.LOADING)
        draft.flags = (draft.flags & ~messages.EPHEMERAL & ~messages.LOADING) | (message.flags & messages.EPHEMERAL)
        posting.rewrite(message, draft, as_edit=not loading)


def _checked_choices(choices: Sequence[wire.Json]) -> list[wire.Json]:
    if len(choices) > MOST_CHOICES:
        raise refusals.invalid_form("choices", "BASE_TYPE_MAX_LENGTH", "Must be 25 or fewer in length.")
    for at, choice in enumerate(choices):
        if not 1 <= len(str(choice.get("name", ""))) <= 100:
            where = f"choices.{at}.name"
            raise refusals.invalid_form(where, "BASE_TYPE_BAD_LENGTH", "Must be between 1 and 100 in length.")
    return list(choices)
