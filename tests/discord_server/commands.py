"""The application's commands, as it registered them."""

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from tests.discord_server import command_rules, refusals
from tests.discord_server.wire import Json

if TYPE_CHECKING:
    from tests.discord_server.world import World

CHAT: Final = command_rules.CHAT
USER: Final = command_rules.USER
MESSAGE: Final = command_rules.MESSAGE


class Commands:
    """Commands by scope: a guild's id, or None for the global ones."""

    def __init__(self, world: "World") -> None:
        self._world = world
        self._scopes: dict[int | None, dict[int, Json]] = {}
        self.overwrites: Counter[int | None] = Counter()
        """How often each scope was overwritten in bulk: Discord counts these against the application."""

    def listed(self, scope: int | None = None) -> list[Json]:
        """The commands of a scope."""
        return list(self._scopes.get(scope, {}).values())

    def names(self, scope: int | None = None) -> list[str]:
        """The names of a scope's commands."""
        return [command["name"] for command in self.listed(scope)]

    def overwrite(self, scope: int | None, wanted: Sequence[Json]) -> list[Json]:
        """Make these the only commands of a scope; those that stay keep their ids.

        Raises `Refusal`, and changes nothing then: one that is malformed refuses them all.
        """
        for at, each in enumerate(wanted):
            command_rules.check(each, str(at))
        _check_count(wanted)
        keys = [(each.get("type", CHAT), each["name"]) for each in wanted]
        _check_namesakes(wanted)
        self.overwrites[scope] += 1
        known = {(each["type"], each["name"]): int(each["id"]) for each in self.listed(scope)}
        made = [self._made(scope, each, known.get(key)) for key, each in zip(keys, wanted, strict=True)]
        self._scopes[scope] = {int(each["id"]): each for each in made}
        self._world.changes.tell()
        return made

    def upsert(self, scope: int | None, wanted: Json) -> Json:
        """Make one command, in place of its namesake. Raises `Refusal`."""
        command_rules.check(wanted)
        key = (wanted.get("type", CHAT), wanted["name"])
        same = [each for each in self.listed(scope) if (each["type"], each["name"]) == key]
        _check_count([*self.listed(scope), *([] if same else [wanted])])
        made = self._made(scope, wanted, int(same[0]["id"]) if same else None)
        self._scopes.setdefault(scope, {})[int(made["id"])] = made
        self._world.changes.tell()
        return made

    def one(self, scope: int | None, command_id: int) -> Json:
        """One command. Raises `Refusal`."""
        found = self._scopes.get(scope, {}).get(command_id)
        if found is None:
            raise refusals.unknown_command()
        return found

    def edit(self, scope: int | None, command_id: int, changes: Json) -> Json:
        """Change one command. Raises `Refusal`."""
        wanted = self.one(scope, command_id) | changes
        command_rules.check(wanted)
        self._scopes[scope][command_id] = made = self._made(scope, wanted, command_id)
        return made

    def delete(self, scope: int | None, command_id: int) -> None:
        """Remove one command. Raises `Refusal`."""
        self.one(scope, command_id)
        del self._scopes[scope][command_id]

    def find(self, name: str, kind: int, guild_id: int | None) -> Json:
        """The command a person gets by that name: the guild's own before the global one. Raises `LookupError`."""
        for scope in [None] if guild_id is None else [guild_id, None]:
            for each in self.listed(scope):
                if each["name"] == name and each["type"] == kind:
                    return each
        raise LookupError(f"No command {name!r} is registered.")

    def _made(self, scope: int | None, wanted: Json, command_id: int | None) -> Json:
        made: Json = {
            "type": CHAT,
            "description": "",
            "options": [],
            "default_member_permissions": None,
            "dm_permission": True,
            "nsfw": False,
            **wanted,
            "id": str(command_id or self._world.ids.fresh()),
            "application_id": str(self._world.application_id),
            "version": str(self._world.ids.fresh()),
        }
        return made if scope is None else made | {"guild_id": str(scope)}


def _check_namesakes(wanted: Sequence[Json]) -> None:
    """Refuse two commands of a type that have one name, in whatever language. Raises `Refusal`."""
    for locale in {"", *(locale for each in wanted for locale in each.get("name_localizations") or {})}:
        named = [(each.get("name_localizations") or {}).get(locale, each["name"]) for each in wanted]
        if len({*zip((each.get("type", CHAT) for each in wanted), named, strict=True)}) < len(named):
            message = "Application command names must be unique"
            raise refusals.invalid_form("name", "APPLICATION_COMMANDS_DUPLICATE_NAME", message)


def _check_count(wanted: Sequence[Json]) -> None:
    """Refuse more commands of a type than a scope may have. Raises `Refusal`."""
    for kind, count in Counter(each.get("type", CHAT) for each in wanted).items():
        if count > command_rules.MOST[kind]:
            message = f"Maximum number of application commands reached ({command_rules.MOST[kind]})."
            raise refusals.Refusal(400, 30032, message)
