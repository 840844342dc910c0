"""A request's body as the message it wants."""

from typing import TYPE_CHECKING, Any, Final

from simcord.components import merge_edit_flags

from tests.discord_server import messages, refusals, wire
from tests.discord_server.calls import File
from tests.discord_server.drafting import Draft
from tests.discord_server.messages import Attachment, Message

if TYPE_CHECKING:
    from tests.discord_server.world import World

_SETTABLE: Final = (1 << 2) | (1 << 12) | messages.EPHEMERAL | messages.V2
"""The flags a sender may set: no embeds, silent, ephemeral, components of the second kind."""


def fresh(world: "World", body: wire.Json, files: dict[int, File]) -> Draft:
    """A message to be sent. Raises `Refusal`."""
    reference: wire.Json = body.get("message_reference") or {}
    flags = int(body.get("flags") or 0) & _SETTABLE
    replies = reference.get("message_id") is not None
    return Draft(
        content=_text(body, flags),
        embeds=_listed(body, "embeds"),
        components=_listed(body, "components"),
        attachments=_attachments(world, body, files, []),
        reply_to=int(reference["message_id"]) if replies else None,
        reply_must_exist=bool(reference.get("fail_if_not_exists", True)),
        allowed=body.get("allowed_mentions"),
        nonce=body.get("nonce"),
        enforce_nonce=bool(body.get("enforce_nonce")),
        flags=flags,
    )


def changed(message: Message, body: wire.Json, files: dict[int, File]) -> Draft:
    """A message as an edit leaves it: what the body does not name stays. Raises `Refusal`."""
    flags = message.flags if body.get("flags") is None else merge_edit_flags(message.flags, int(body["flags"]))
    touches_files = "attachments" in body or files
    return Draft(
        content=_text(body, flags) if "content" in body else message.content,
        embeds=_listed(body, "embeds") if "embeds" in body else list(message.embeds),
        components=_listed(body, "components") if "components" in body else list(message.components),
        attachments=_attachments(message.channel.world, body, files, message.attachments)
        if touches_files
        else list(message.attachments),
        allowed=body.get("allowed_mentions"),
        flags=flags,
        before=message.flags,
    )


def _text(body: wire.Json, flags: int) -> str:
    content: Any = body.get("content")
    if content is None:
        return ""
    if flags & messages.V2:
        # Even an empty text: only null is none.
        raise refusals.legacy_field("content")
    if not isinstance(content, str):
        raise refusals.invalid_form("content", "STRING_TYPE_CONVERT", f'Could not interpret "{content}" as string.')
    return content


def _listed(body: wire.Json, name: str) -> list[wire.Json]:
    value: Any = body.get(name)
    if value is None:
        return []
    if not isinstance(value, list):
        raise refusals.invalid_form(name, "LIST_TYPE_CONVERT", "Only iterables may be used in a ListType.")
    return value  # pyright: ignore[reportUnknownVariableType]


def _attachments(world: "World", body: wire.Json, files: dict[int, File], known: list[Attachment]) -> list[Attachment]:
    told = {str(each["id"]): each for each in body.get("attachments") or []}
    kept = [each for each in known if "attachments" not in body or str(each.attachment_id) in told]
    return kept + [
        Attachment(
            attachment_id=world.ids.fresh(),
            filename=str(told.get(str(number), {}).get("filename") or file.filename),
            content=file.content,
            content_type=file.content_type,
            description=told.get(str(number), {}).get("description"),
        )
        for number, file in files.items()
    ]
