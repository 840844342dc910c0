"""What Discord answers instead of doing it: HTTP status, JSON error code and sentence."""

import contextlib
from collections.abc import Generator
from typing import Any, Final

FORM: Final = 50035


class Refusal(Exception):
    """A request that is refused."""

    def __init__(self, status: int, code: int, message: str, errors: dict[str, Any] | None = None) -> None:
        super().__init__(message)
        self.status, self.code, self.message, self.errors = status, code, message, errors

    def body(self) -> dict[str, Any]:
        """The JSON Discord sends with it."""
        body: dict[str, Any] = {"message": self.message, "code": self.code}
        return body if self.errors is None else body | {"errors": self.errors}


def unauthorized() -> Refusal:
    return Refusal(401, 0, "401: Unauthorized")


def no_route() -> Refusal:
    return Refusal(404, 0, "404: Not Found")


def unknown_application() -> Refusal:
    return Refusal(404, 10002, "Unknown Application")


def unknown_channel() -> Refusal:
    return Refusal(404, 10003, "Unknown Channel")


def unknown_guild() -> Refusal:
    return Refusal(404, 10004, "Unknown Guild")


def unknown_member() -> Refusal:
    return Refusal(404, 10007, "Unknown Member")


def unknown_message() -> Refusal:
    return Refusal(404, 10008, "Unknown Message")


def unknown_role() -> Refusal:
    return Refusal(404, 10011, "Unknown Role")


def unknown_user() -> Refusal:
    return Refusal(404, 10013, "Unknown User")


def unknown_emoji() -> Refusal:
    return Refusal(400, 10014, "Unknown Emoji")


def unknown_webhook() -> Refusal:
    return Refusal(404, 10015, "Unknown Webhook")


def unknown_interaction() -> Refusal:
    return Refusal(404, 10062, "Unknown interaction")


def unknown_command() -> Refusal:
    return Refusal(404, 10063, "Unknown application command")


def too_large() -> Refusal:
    return Refusal(413, 40005, "Request entity too large")


def acknowledged() -> Refusal:
    return Refusal(400, 40060, "Interaction has already been acknowledged.")


def missing_access() -> Refusal:
    return Refusal(403, 50001, "Missing Access")


def wrong_channel_type() -> Refusal:
    return Refusal(400, 50024, "Cannot execute action on this channel type")


def not_the_author() -> Refusal:
    return Refusal(403, 50005, "Cannot edit a message authored by another user")


def empty_message() -> Refusal:
    return Refusal(400, 50006, "Cannot send an empty message")


def no_direct_messages() -> Refusal:
    return Refusal(403, 50007, "Cannot send messages to this user")


def missing_permissions() -> Refusal:
    return Refusal(403, 50013, "Missing Permissions")


def bulk_size() -> Refusal:
    return Refusal(
        400, 50016, "Provided too few or too many messages to delete. Must provide between 2 and 100 messages."
    )


def system_message() -> Refusal:
    return Refusal(403, 50021, "Cannot execute action on a system message")


def webhook_token() -> Refusal:
    return Refusal(401, 50027, "Invalid Webhook Token")


def bulk_too_old() -> Refusal:
    return Refusal(400, 50034, "A message provided was too old to bulk delete")


def invalid_form(path: str, code: str, message: str) -> Refusal:
    """50035 with the error at a dotted path, as Discord nests it; at no path it is of the whole body."""
    errors: dict[str, Any] = {"_errors": [{"code": code, "message": message}]}
    for part in reversed(path.split(".") if path else []):
        errors = {part: errors}
    return Refusal(400, FORM, "Invalid Form Body", errors)


def legacy_field(name: str) -> Refusal:
    """What a message made of components is refused for: a field that only plain ones have."""
    message = f"The '{name}' field cannot be used when using MessageFlags.IS_COMPONENTS_V2"
    return invalid_form(name, "MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2", message)


@contextlib.contextmanager
def under(part: str) -> Generator[None]:
    """Paths in refusals begin with the part of the body in which the fields lie."""
    try:
        yield
    except Refusal as refusal:
        errors = None if refusal.errors is None else {part: refusal.errors}
        raise Refusal(refusal.status, refusal.code, refusal.message, errors) from None


def thread_archived() -> Refusal:
    return Refusal(400, 50083, "Thread is archived")


def bad_json() -> Refusal:
    return Refusal(400, 50109, "The request body contains invalid JSON.")


def already_has_thread() -> Refusal:
    return Refusal(400, 160004, "A thread has already been created for this message")


def reply_without_history() -> Refusal:
    return Refusal(403, 160002, "Cannot reply without permission to read message history")
