"""What Discord refuses of embeds, components and modals, told in its own form.

Most of the rules are `simcord.components`', pure functions of what is sent; what they leave out is here. A refusal
names the field by Discord's path, with Discord's code where one is known to us.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeVar

import simcord.components as rules

from tests.discord_server import refusals

if TYPE_CHECKING:
    from tests.discord_server.wire import Json

V2: Final = rules.COMPONENTS_V2_FLAG
_ROW: Final = 1
_BUTTON: Final = 2
_STRING_MENU: Final = 3
_MENUS: Final = frozenset({3, 5, 6, 7, 8})
_FILE: Final = 13
_PREMIUM: Final = 6
_LINKS: Final = ("http", "https", "discord")
_MEDIA: Final = ("http", "https", "attachment")
_FOUND: Final = re.compile(r"([\w.\[\]]*):? (.*)", re.DOTALL)
"""A path in simcord's form, and what is said of what stands there."""
_T = TypeVar("_T")


class _Told(NamedTuple):
    """How Discord tells what simcord finds: the code, and the field that is at fault beneath the path simcord names."""

    finding: re.Pattern[str]
    code: str
    field: str = ""
    at: str | None = None
    """The whole path instead, for what concerns the message."""


def _told(finding: str, code: str, field: str = "", at: str | None = None) -> _Told:
    return _Told(re.compile(finding), code, field, at)


_CODES: Final = (
    _told(r"flag cannot be removed", "MESSAGE_CANNOT_REMOVE_COMPONENTS_V2_FLAG", at="flags"),
    _told(r"at most 40 components", "COMPONENT_MAX_TOTAL_COMPONENTS_EXCEEDED", at="components"),
    _told(r"4000-character total", "COMPONENT_DISPLAYABLE_TEXT_SIZE_EXCEEDED", at="components"),
    _told(r"total size of embeds", "MAX_EMBED_SIZE_EXCEEDED", at="embeds"),
    _told(r"at most 5 action rows|at least one component", "BASE_TYPE_BAD_LENGTH"),
    _told(r"exactly one select", "COMPONENT_LAYOUT_WIDTH_EXCEEDED"),
    _told(r"^action rows must contain|^sections must contain", "BASE_TYPE_BAD_LENGTH", "components"),
    _told(r"^media galleries must contain", "BASE_TYPE_BAD_LENGTH", "items"),
    _told(r"^options must contain", "BASE_TYPE_BAD_LENGTH", "options"),
    _told(r"^custom_id .* is not unique", "COMPONENT_CUSTOM_ID_DUPLICATED", "custom_id"),
    _told(r"^id .* is not unique", "COMPONENT_ID_DUPLICATED", "id"),
    _told(r"^value .* is not unique", "SELECT_COMPONENT_OPTION_VALUE_DUPLICATED", "value"),
    _told(r"unsupported|may contain only|must be text displays|mixed with", "UNION_TYPE_CHOICES"),
    _told(r"type is required", "BASE_TYPE_REQUIRED", "type"),
    _told(r"^sections require", "UNION_TYPE_CHOICES", "accessory"),
    _told(r"buttons cannot have", "BUTTON_COMPONENT_CUSTOM_ID_URL_MUTUALLY_EXCLUSIVE"),
    _told(r"or fewer", "BASE_TYPE_MAX_LENGTH"),
    _told(r"must be at least|must contain", "BASE_TYPE_BAD_LENGTH"),
    _told(r"must be a string", "BASE_TYPE_REQUIRED"),
    _told(r"must be between|must be \d|cannot exceed", "BASE_TYPE_CHOICES"),
)


def checked(components: "Sequence[Json]", *, flags: int, before: int, embeds: "Sequence[Json]") -> "list[Json]":
    """The components as they are kept, of a message with these embeds; `before` are its flags up to now.

    Raises `Refusal`. Those of the second kind have their ids.
    """
    if not flags & V2:
        for at, part in enumerate(components):
            if part.get("type") != _ROW and not before & V2:
                message = f'Value of field "type" must be one of ({_ROW},).'
                raise refusals.invalid_form(f"components.{at}", "UNION_TYPE_CHOICES", message)
    elif embeds:
        raise refusals.legacy_field("embeds")
    kept = _translated(
        lambda: rules.validate_message_state(
            list(components), flags=flags, content=None, embeds=list(embeds), previous_flags=before
        )
    )
    for where, part in _placed(kept, "components"):
        _check_part(where, part)
    return kept


def checked_modal(modal: "Json") -> "Json":
    """A modal as it is shown, its components with their ids. Raises `Refusal`."""
    shown = _translated(lambda: rules.validate_modal(modal), form="components.")
    for where, part in _placed(shown["components"], "components"):
        if part.get("disabled"):
            message = "Modals cannot have disabled components"
            raise refusals.invalid_form(f"{where}.disabled", "COMPONENT_DISABLED_IN_MODAL", message)
        if part["type"] in _MENUS and part.get("required", True) and part.get("min_values", 1) == 0:
            message = "int value should be greater than or equal to 1."
            raise refusals.invalid_form(f"{where}.min_values", "NUMBER_TYPE_MIN", message)
        _check_part(where, part)
    return shown


def with_files(components: "Sequence[Json]", files: "Sequence[Json]") -> "list[Json]":
    """The components with the addresses of the message's own files. Raises `Refusal` for a file it has not."""
    named = {f"attachment://{file['filename']}" for file in files}
    for where, part in _placed(components, "components"):
        for place, medium in _media(where, part):
            if medium["url"].startswith("attachment://") and medium["url"] not in named:
                raise refusals.invalid_form(place, "ATTACHMENT_NOT_FOUND", "Attachment data not found")
    return rules.resolve_attachment_references(list(components), list(files))


def shown_text(components: "Sequence[Json]") -> str:
    """What is to be read in text displays, in order, a line for each."""
    return rules.component_mentions(components)


# ---- what simcord leaves out


def _check_part(where: str, part: "Json") -> None:
    if part["type"] == _BUTTON and part.get("style") != _PREMIUM:
        if not part.get("label") and not part.get("emoji"):
            message = "A label or an emoji is required"
            raise refusals.invalid_form(where, "BUTTON_COMPONENT_LABEL_OR_EMOJI_REQUIRED", message)
        _check_emoji(where, part)
        _check_scheme(f"{where}.url", part.get("url"), _LINKS)
    if part["type"] == _STRING_MENU:
        _check_menu(where, part)
    for place, medium in _media(where, part):
        _check_scheme(place, medium["url"], ("attachment",) if part["type"] == _FILE else _MEDIA)


def _media(where: str, part: "Json") -> "list[tuple[str, Json]]":
    """The pictures and files a component shows, each with the path of its address."""
    media = [(f"{where}.{name}.url", part[name]) for name in ("media", "file") if name in part]
    items: list[Json] = part.get("items") or []
    return media + [(f"{where}.items.{at}.media.url", item["media"]) for at, item in enumerate(items)]


def _check_menu(where: str, menu: "Json") -> None:
    options: list[Json] = menu["options"]
    most, least = menu.get("max_values") or 1, max(menu.get("max_values") or 1, menu.get("min_values") or 0)
    if len(options) < least:
        message = f"Must be between {least} and 25 in length."
        raise refusals.invalid_form(f"{where}.options", "BASE_TYPE_BAD_LENGTH", message)
    if sum(bool(option.get("default")) for option in options) > most:
        message = "The specified number of default values exceeds the specified maximum values"
        raise refusals.invalid_form(f"{where}.options", "SELECT_COMPONENT_TOO_MANY_DEFAULT_VALUES", message)
    for at, option in enumerate(options):
        _check_emoji(f"{where}.options.{at}", option)


def _check_emoji(where: str, part: "Json") -> None:
    emoji: Mapping[str, Any] = part.get("emoji") or {}
    if emoji and not emoji.get("id") and str(emoji.get("name") or "").isascii():
        raise refusals.invalid_form(f"{where}.emoji.name", "COMPONENT_INVALID_EMOJI", "Invalid emoji")


def _check_scheme(where: str, url: str | None, schemes: Sequence[str]) -> None:
    scheme = (url or "").partition("://")[0]
    if url is not None and scheme not in schemes:
        message = f'Scheme "{scheme}" is not supported. Scheme must be one of {tuple(schemes)}.'
        raise refusals.invalid_form(where, "URL_TYPE_INVALID_SCHEME", message)


def _placed(parts: "Sequence[Json]", where: str) -> "Iterator[tuple[str, Json]]":
    """Every component with its path, those inside after the one that holds them."""
    for at, part in enumerate(parts):
        yield from _below(f"{where}.{at}", part)


def _below(where: str, part: "Json") -> "Iterator[tuple[str, Json]]":
    yield where, part
    yield from _placed(part.get("components") or [], f"{where}.components")
    for name in ("accessory", "component"):
        if part.get(name):
            yield from _below(f"{where}.{name}", part[name])


# ---- simcord's findings in Discord's form


def _translated(work: Callable[[], _T], *, form: str = "") -> _T:
    """What comes of simcord's work. Raises `Refusal` for what it finds; `form` begins its paths but not Discord's."""
    try:
        return work()
    except (TypeError, ValueError) as found:
        raise _refusal(str(found).removeprefix(form)) from found


def _refusal(found: str) -> refusals.Refusal:
    named = _FOUND.match(found)
    head, detail = named.groups() if named else ("", found)
    path = ".".join(part for part in re.split(r"[.\[\]]+", head) if part) or "components"
    for told in _CODES:
        if told.finding.search(detail):
            whole = told.at or (f"{path}.{told.field}" if told.field else path)
            return refusals.invalid_form(whole, told.code, detail)
    return refusals.invalid_form(path, "MODEL_TYPE_CONVERT", detail)
