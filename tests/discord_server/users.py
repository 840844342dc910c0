"""A person of the simulated Discord, and what people do."""

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tests.discord_server import drafting, invoking, opening, posting, refusals, wire
from tests.discord_server.messages import Attachment
from tests.discord_server.permissions import Permission

if TYPE_CHECKING:
    from tests.discord_server.channels import Channel
    from tests.discord_server.interactions import Interaction
    from tests.discord_server.messages import Message
    from tests.discord_server.threads import Thread
    from tests.discord_server.world import World


@dataclass(slots=True, kw_only=True, eq=False)
class User:
    """A user. What a person does is held to the same permissions as the bot, and raises `Refusal`."""

    world: "World"
    user_id: int
    name: str
    display_name: str
    bot: bool = False
    takes_direct_messages: bool = True
    locale: str = "en-US"

    @property
    def mention(self) -> str:
        """How the user is mentioned in a text."""
        return f"<@{self.user_id}>"

    @property
    def target_id(self) -> int:
        """The id an overwrite is filed under."""
        return self.user_id

    @property
    def direct(self) -> "Channel":
        """The user's direct messages with the bot."""
        return self.world.direct_channel(self)

    async def say(
        self,
        channel: "Channel",
        text: str = "",
        *,
        reply_to: "Message | None" = None,
        ping: bool = True,
        mentions: "Sequence[User]" = (),
        files: Mapping[str, bytes] | None = None,
        stickers: Sequence[str] = (),
        forwards: "Message | None" = None,
    ) -> "Message":
        """A message in the channel; the users of `mentions` are mentioned before the text."""
        attachments = [
            Attachment(attachment_id=self.world.ids.fresh(), filename=name, content=content)
            for name, content in (files or {}).items()
        ]
        draft = drafting.Draft(
            content=" ".join([*(user.mention for user in mentions), text]),
            attachments=attachments,
            stickers=[*stickers],
            forwards=forwards,
            reply_to=reply_to.message_id if reply_to else None,
            allowed={"parse": ["users", "roles", "everyone"], "replied_user": ping},
        )
        return posting.send(channel, self, draft)

    async def edit(self, message: "Message", text: str, *, without: str = "") -> None:
        """Give one's own message another text, and take the file of a name out of it."""
        if message.author is not self:
            raise refusals.not_the_author()
        draft = drafting.Draft(
            content=text,
            embeds=message.embeds,
            components=message.components,
            attachments=[part for part in message.attachments if part.filename != without],
            flags=message.flags,
        )
        drafting.check(draft)
        posting.rewrite(message, draft)

    async def delete(self, *messages: "Message") -> None:
        """Delete messages: one's own, or a moderator's choice; several of them at once are a bulk delete."""
        for message in messages:
            if message.author is not self and not message.channel.permissions(self) & Permission.MANAGE_MESSAGES:
                raise refusals.missing_permissions()
        if len(messages) == 1:
            posting.delete(messages[0])
        else:
            posting.delete_many(messages[0].channel, [message.message_id for message in messages])

    async def react(self, message: "Message", emoji: str) -> None:
        """Add a reaction."""
        posting.react(message, self, emoji, add=True)

    async def unreact(self, message: "Message", emoji: str) -> None:
        """Take a reaction away."""
        posting.react(message, self, emoji, add=False)

    async def type(self, channel: "Channel") -> None:
        """Show that one is typing."""
        data: wire.Json = {
            "channel_id": str(channel.channel_id),
            "user_id": str(self.user_id),
            "timestamp": int(time.time()),
        }
        if channel.guild is not None:
            data |= {
                "guild_id": str(channel.guild.guild_id),
                "member": wire.member(channel.guild.members[self.user_id]),
            }
        intent = wire.Intent.TYPING if channel.guild else wire.Intent.DIRECT_TYPING
        self.world.emit("TYPING_START", data, channel=channel, intent=intent)

    async def start_thread(
        self, channel: "Channel", name: str, *, on: "Message | None" = None, private: bool = False
    ) -> "Thread":
        """A new thread, on a message when one is given."""
        return opening.begin(channel, self, name, private=private, starter=on)

    async def post(self, forum: "Channel", title: str, text: str) -> "Thread":
        """A new post in a forum."""
        thread = opening.begin(forum, self, title)
        posting.send(thread, self, drafting.Draft(content=text))
        return thread

    # ---- interactions

    async def slash(self, channel: "Channel", name: str, options: Mapping[str, Any] | None = None) -> "Interaction":
        """Run a slash command, `group sub` for one in a group; users, channels and roles may be option values."""
        return invoking.slash(self, channel, name, options or {})

    async def autocomplete(
        self, channel: "Channel", name: str, focused: str, typed: str, options: Mapping[str, Any] | None = None
    ) -> "Interaction":
        """Type into an option that completes; the choices come back on the interaction."""
        return invoking.slash(self, channel, name, dict(options or {}) | {focused: typed}, focused=focused)

    async def press(self, message: "Message", custom_id: str) -> "Interaction":
        """Press a button."""
        return invoking.component(self, message, custom_id, values=None)

    async def select(self, message: "Message", custom_id: str, values: Sequence[str]) -> "Interaction":
        """Choose from a menu."""
        return invoking.component(self, message, custom_id, values=values)

    async def submit(self, interaction: "Interaction", values: Mapping[str, str | Sequence[str]]) -> "Interaction":
        """Fill in and send the modal that an interaction was answered with."""
        return invoking.submit(self, interaction, values)

    async def point_at(self, target: "Message | User", name: str, channel: "Channel | None" = None) -> "Interaction":
        """Run a context-menu command on a message, or on a user from a channel."""
        return invoking.point_at(self, target, name, channel)
