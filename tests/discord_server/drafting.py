"""A message as somebody wants to send it, and what Discord refuses of any."""

from dataclasses import dataclass, field
from typing import Final

from tests.discord_server import component_rules, messages, refusals, wire
from tests.discord_server.messages import Attachment

LONGEST: Final = 2000
LONGEST_NONCE: Final = 25
LARGEST_FILE: Final = 10 * 2**20


@dataclass(slots=True, kw_only=True)
class Draft:
    """A message as somebody wants to send it."""

    content: str = ""
    embeds: list[wire.Json] = field(default_factory=list)
    components: list[wire.Json] = field(default_factory=list)
    attachments: list[Attachment] = field(default_factory=list)
    stickers: list[str] = field(default_factory=list)
    forwards: "messages.Message | None" = None
    reply_to: int | None = None
    reply_must_exist: bool = True
    allowed: wire.Json | None = None
    nonce: str | int | None = None
    enforce_nonce: bool = False
    flags: int = 0
    before: int = 0
    """The flags of the message it changes."""


def check(draft: Draft) -> None:
    """Refuse what Discord refuses of any message. Raises `Refusal`."""
    draft.content = draft.content.strip()
    if not (draft.content or draft.embeds or draft.components or draft.attachments or draft.stickers or draft.forwards):
        raise refusals.empty_message()
    if len(draft.content) > LONGEST:
        raise refusals.invalid_form("content", "BASE_TYPE_MAX_LENGTH", f"Must be {LONGEST} or fewer in length.")
    if draft.nonce is not None and len(str(draft.nonce)) > LONGEST_NONCE:
        raise refusals.invalid_form("nonce", "NONCE_TYPE_TOO_LONG", f"Must be {LONGEST_NONCE} or fewer in length.")
    if any(len(part.content) > LARGEST_FILE for part in draft.attachments):
        raise refusals.too_large()
    if draft.flags & component_rules.V2:
        for name, used in (("content", draft.content), ("sticker_ids", draft.stickers)):
            if used:
                raise refusals.legacy_field(name)
    draft.components = component_rules.checked(
        draft.components, flags=draft.flags, before=draft.before, embeds=draft.embeds
    )
