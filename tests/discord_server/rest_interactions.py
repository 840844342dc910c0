"""Routes by which interactions are answered: the first answer, and the webhook that follows it."""

import secrets
from typing import Final

from tests.discord_server import drafts, message_wire, posting, refusals, wire
from tests.discord_server.calls import Call, Route
from tests.discord_server.interactions import Answer, Interaction
from tests.discord_server.messages import EPHEMERAL, LOADING, Message


def _callback(call: Call) -> wire.Json | None:
    interaction = call.world.interactions.get(call.number("interaction_id"))
    if interaction is None or not secrets.compare_digest(interaction.token, call.parameters["token"]):
        raise refusals.unknown_interaction()
    number = call.fields.get("type")
    if number not in set(Answer):
        raise refusals.invalid_form("type", "BASE_TYPE_CHOICES", "Value must be one of {1, 4, 5, 6, 7, 8, 9}.")
    answer, data = Answer(number), call.fields.get("data") or {}
    changes = answer is Answer.UPDATE and interaction.message is not None
    with refusals.under("data"):
        if changes and interaction.message is not None:
            draft = drafts.changed(interaction.message, data, call.files)
        else:
            draft = drafts.fresh(call.world, data, call.files)
    interaction.respond(answer, draft, data)
    return _told(interaction, answer) if call.query.get("with_response") in {"1", "true", "True"} else None


def _told(interaction: Interaction, answer: Answer) -> wire.Json:
    original = interaction.original
    about: wire.Json = {"id": str(interaction.interaction_id), "type": int(interaction.kind)}
    if original is None:
        return {"interaction": about}
    about |= {
        "response_message_id": str(original.message_id),
        "response_message_loading": bool(original.flags & LOADING),
        "response_message_ephemeral": bool(original.flags & EPHEMERAL),
    }
    return {"interaction": about, "resource": {"type": int(answer), "message": message_wire.message(original)}}


def _interaction(call: Call) -> Interaction:
    """The interaction whose token the path bears. Raises `Refusal`."""
    found = call.world.interaction_by_token(call.parameters["token"])
    if found is None or call.number("application_id") != call.world.application_id:
        raise refusals.unknown_webhook()
    found.check_token()
    return found


def _follow_up(call: Call) -> wire.Json:
    interaction = _interaction(call)
    return message_wire.message(interaction.follow_up(drafts.fresh(call.world, call.fields, call.files)))


def _message(call: Call) -> tuple[Interaction, Message]:
    interaction, named = _interaction(call), call.parameters["message"]
    if named != "@original" and not named.isdigit():
        raise refusals.unknown_message()
    return interaction, interaction.told(None if named == "@original" else int(named))


def _one(call: Call) -> wire.Json:
    return message_wire.message(_message(call)[1])


def _edit(call: Call) -> wire.Json:
    interaction, message = _message(call)
    interaction.change(message, drafts.changed(message, call.fields, call.files))
    return message_wire.message(message)


def _delete(call: Call) -> None:
    posting.delete(_message(call)[1])


_WEBHOOK: Final = "/webhooks/{application_id}/{token}"
_MESSAGE: Final = _WEBHOOK + "/messages/{message}"
ROUTES: Final = (
    Route("POST", "/interactions/{interaction_id}/{token}/callback", _callback, needs_token=False),
    Route("POST", _WEBHOOK, _follow_up, needs_token=False),
    Route("GET", _MESSAGE, _one, needs_token=False),
    Route("PATCH", _MESSAGE, _edit, needs_token=False),
    Route("DELETE", _MESSAGE, _delete, needs_token=False),
)
