"""A message as somebody wants to send it, and what Discord refuses of any."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from tests.discord_server import messages, refusals, wire
from tests.discord_server.messages import Attachment

LONGEST: Final = 2000
LONGEST_EMBEDS: Final = 6000
MOST_EMBEDS: Final = 10
MOST_ROWS: Final = 5
LONGEST_NONCE: Final = 25
LARGEST_FILE: Final = 10 * 2**20
_EMBED_PARTS: Final = {"title": 256, "description": 4096}


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
    _check_embeds(draft.embeds)
    _check_components(draft)


def _check_embeds(embeds: Sequence[wire.Json]) -> None:
    if len(embeds) > MOST_EMBEDS:
        raise refusals.invalid_form("embeds", "BASE_TYPE_MAX_LENGTH", f"Must be {MOST_EMBEDS} or fewer in length.")
    total = 0
    for at, embed in enumerate(embeds):
        parts = [(name, most, str(embed.get(name) or "")) for name, most in _EMBED_PARTS.items()]
        parts += [("footer.text", 2048, str((embed.get("footer") or {}).get("text") or ""))]
        parts += [("author.name", 256, str((embed.get("author") or {}).get("name") or ""))]
        fields = embed.get("fields") or []
        if len(fields) > 25:
            raise refusals.invalid_form(f"embeds.{at}.fields", "BASE_TYPE_MAX_LENGTH", "Must be 25 or fewer in length.")
        for number, each in enumerate(fields):
            for name, most in (("name", 256), ("value", 1024)):
                parts.append((f"fields.{number}.{name}", most, str(each.get(name) or "")))
        for name, most, text in parts:
            total += len(text)
            if len(text) > most:
                where = f"embeds.{at}.{name}"
                raise refusals.invalid_form(where, "BASE_TYPE_MAX_LENGTH", f"Must be {most} or fewer in length.")
    if total > LONGEST_EMBEDS:
        message = f"Embed size exceeds maximum size of {LONGEST_EMBEDS}"
        raise refusals.invalid_form("embeds", "MAX_EMBED_SIZE_EXCEEDED", message)


def _check_components(draft: Draft) -> None:
    if not draft.flags & messages.V2 and len(draft.components) > MOST_ROWS:
        raise refusals.invalid_form("components", "BASE_TYPE_BAD_LENGTH", "Must be between 1 and 5 in length.")
    seen: set[str] = set()
    for part in messages.walk(draft.components):
        custom_id = part.get("custom_id")
        if custom_id is None:
            continue
        if not 1 <= len(custom_id) <= 100:
            raise refusals.invalid_form(
                "components.0.custom_id", "BASE_TYPE_BAD_LENGTH", "Must be between 1 and 100 in length."
            )
        if custom_id in seen:
            raise refusals.invalid_form(
                "components.0.custom_id", "COMPONENT_CUSTOM_ID_DUPLICATED", "Component custom id cannot be duplicated"
            )
        seen.add(custom_id)
