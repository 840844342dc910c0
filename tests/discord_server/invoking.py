"""What a person's client sends when a command is run, a component used or a modal filled in."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from simcord.components import walk_components

from tests.discord_server import command_rules, commands, message_wire, messages, wire
from tests.discord_server.channels import Channel
from tests.discord_server.guilds import Role
from tests.discord_server.interactions import MOST_KEPT, Interaction, Kind
from tests.discord_server.messages import Message
from tests.discord_server.permissions import Permission

if TYPE_CHECKING:
    from tests.discord_server.users import User


def _set_off(user: "User", channel: Channel, kind: Kind, data: wire.Json, message: Message | None) -> Interaction:
    world = user.world
    interaction = Interaction(
        world=world, interaction_id=world.ids.fresh(), kind=kind, user=user, channel=channel, data=data, message=message
    )
    world.interactions[interaction.interaction_id] = interaction
    if len(world.interactions) > MOST_KEPT:
        del world.interactions[next(iter(world.interactions))]
    # Not bound to the channel: an interaction reaches the application wherever the person can act.
    world.emit("INTERACTION_CREATE", interaction.payload(), guild=channel.guild)
    return interaction


def _allowed(user: "User", channel: Channel, command: wire.Json) -> None:
    """Raise `PermissionError` where the client would not offer the command."""
    held = channel.permissions(user)
    if channel.guild is None:
        if command.get("dm_permission") is False or 1 not in (command.get("contexts") or [1]):
            raise LookupError(f"The command {command['name']!r} is not offered in direct messages.")
        return
    needed = command.get("default_member_permissions")
    if not channel.sees(user) or not held & Permission.USE_APPLICATION_COMMANDS:
        raise PermissionError(f"{user.name} may not use commands there.")
    lacking = needed is not None and (int(needed) & ~int(held) or int(needed) == 0)
    if lacking and not held & Permission.ADMINISTRATOR:
        raise PermissionError(f"{user.name} may not run {command['name']!r}.")


def slash(
    user: "User", channel: Channel, name: str, options: Mapping[str, Any], *, focused: str | None = None
) -> Interaction:
    """Run a slash command, or complete one of its options. Raises `LookupError`, `ValueError`, `PermissionError`."""
    first, *rest = name.split()
    command = user.world.commands.find(first, commands.CHAT, channel.guild.guild_id if channel.guild else None)
    _allowed(user, channel, command)
    leaf: wire.Json = command
    path: list[wire.Json] = []
    for part in rest:
        subs = {each["name"]: each for each in leaf.get("options") or [] if each["type"] in command_rules.SUBCOMMANDS}
        if part not in subs:
            raise LookupError(f"{name!r} is not registered: it has {', '.join(subs) or 'no subcommands'}.")
        leaf = subs[part]
        path.append(leaf)
    if any(each["type"] in command_rules.SUBCOMMANDS for each in leaf.get("options") or []):
        raise LookupError(f"{name!r} is a group.")
    resolved: dict[str, dict[str, wire.Json]] = {}
    given = _options(leaf, options, resolved, channel, focused)
    for part in reversed(path):
        given = [{"type": part["type"], "name": part["name"], "options": given}]
    data: wire.Json = {"id": command["id"], "name": first, "type": commands.CHAT, "options": given}
    if "guild_id" in command:
        data["guild_id"] = command["guild_id"]
    if resolved:
        data["resolved"] = resolved
    return _set_off(user, channel, Kind.AUTOCOMPLETE if focused else Kind.COMMAND, data, None)


def _options(
    leaf: wire.Json,
    options: Mapping[str, Any],
    resolved: dict[str, dict[str, wire.Json]],
    channel: Channel,
    focused: str | None,
) -> list[wire.Json]:
    known = {each["name"]: each for each in leaf.get("options") or []}
    if unknown := set(options) - set(known):
        raise ValueError(f"No such options: {', '.join(sorted(unknown))}; there are {', '.join(known) or 'none'}.")
    given: list[wire.Json] = []
    for name, option in known.items():
        if name not in options:
            if option.get("required") and focused is None:
                raise ValueError(f"The option {name!r} is required.")
            continue
        value = options[name]
        choices = [choice["value"] for choice in option.get("choices") or []]
        if choices and focused != name and value not in choices:
            raise ValueError(f"The option {name!r} takes one of {choices}.")
        part: wire.Json = {"type": option["type"], "name": name, "value": _value(value, resolved, channel)}
        given.append(part | {"focused": True} if name == focused else part)
    return given


def _value(value: object, resolved: dict[str, dict[str, wire.Json]], channel: Channel) -> object:
    """An option's value on the wire; what is only named by id is told in full beside it."""
    # A user's deeds are told there by what is here.
    from tests.discord_server.users import User

    match value:
        case User():
            resolved.setdefault("users", {})[str(value.user_id)] = wire.user(value)
            member = channel.guild.members.get(value.user_id) if channel.guild else None
            if member is not None:
                told = wire.member(member, with_user=False) | {"permissions": str(int(channel.permissions(value)))}
                resolved.setdefault("members", {})[str(value.user_id)] = told
            return str(value.user_id)
        case Role():
            resolved.setdefault("roles", {})[str(value.role_id)] = wire.role(value)
            return str(value.role_id)
        case Channel():
            resolved.setdefault("channels", {})[str(value.channel_id)] = wire.channel(value) | {"permissions": "0"}
            return str(value.channel_id)
        case str():
            for mentioned in messages.user_ids(value):
                if mentioned in channel.world.users:
                    _value(channel.world.users[mentioned], resolved, channel)
            return value
        case _:
            return value


def component(user: "User", message: Message, custom_id: str, *, values: Sequence[str] | None) -> Interaction:
    """Use a component of a message. Raises `LookupError`, and `PermissionError` for one that is disabled."""
    found = [part for part in walk_components(message.components) if part.get("custom_id") == custom_id]
    if not found or message.deleted:
        raise LookupError(f"The message has no component {custom_id!r}: it has {message.custom_ids}.")
    if found[0].get("disabled"):
        raise PermissionError(f"The component {custom_id!r} is disabled.")
    data: wire.Json = {"component_type": found[0]["type"], "custom_id": custom_id, "id": found[0]["id"]}
    if values is not None:
        data["values"] = list(values)
    return _set_off(user, message.channel, Kind.COMPONENT, data, message)


def submit(user: "User", interaction: Interaction, values: Mapping[str, str | Sequence[str]]) -> Interaction:
    """Send a modal filled in; fields not named keep what they were given. Raises `LookupError`.

    A text field takes a text, a menu the values that are chosen.
    """
    if interaction.modal is None:
        raise LookupError("The interaction was not answered with a modal.")
    parts: list[wire.Json] = []
    for row in interaction.modal["components"]:
        kept: wire.Json = {"type": row["type"], "id": row["id"]}
        if "components" in row:
            kept["components"] = [_filled(part, values) for part in row["components"]]
        elif "component" in row:
            kept["component"] = _filled(row["component"], values)
        parts.append(kept)
    data: wire.Json = {"custom_id": interaction.modal["custom_id"], "components": parts, "resolved": {}}
    return _set_off(user, interaction.channel, Kind.MODAL, data, interaction.message)


def _filled(part: wire.Json, values: Mapping[str, str | Sequence[str]]) -> wire.Json:
    """A field of a modal as it is sent back."""
    given = values.get(part["custom_id"])
    told: wire.Json = {"type": part["type"], "custom_id": part["custom_id"], "id": part["id"]}
    if "options" in part:
        kept = [each["value"] for each in part["options"] if each.get("default")]
        return told | {"values": kept if given is None else list(given)}
    return told | {"value": part.get("value") or "" if given is None else given}


def point_at(user: "User", target: "Message | User", name: str, channel: Channel | None) -> Interaction:
    """Run a context-menu command on a message or a user. Raises `LookupError`, `PermissionError`.

    The message comes with all that is in it, whether the bot has the message-content intent or not.
    """
    if isinstance(target, Message) and target.deleted:
        raise LookupError("The message is no more.")
    place = target.channel if isinstance(target, Message) else channel
    if place is None:
        raise LookupError("A command on a user is run in a channel.")
    kind = commands.MESSAGE if isinstance(target, Message) else commands.USER
    command = user.world.commands.find(name, kind, place.guild.guild_id if place.guild else None)
    _allowed(user, place, command)
    data: wire.Json = {"id": command["id"], "name": name, "type": kind}
    if isinstance(target, Message):
        data["target_id"] = str(target.message_id)
        data["resolved"] = {"messages": {str(target.message_id): message_wire.message(target)}}
    else:
        resolved: dict[str, dict[str, wire.Json]] = {}
        data["target_id"] = _value(target, resolved, place)
        data["resolved"] = resolved
    return _set_off(user, place, Kind.COMMAND, data, None)
