"""The sets of tools there are, by name, and which of them a model role is offered."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from types import MappingProxyType
from typing import Final

from bot import errors
from bot.config import RoleSettings, Settings
from bot.domain import Access, Caller, ModelRole
from bot.llm.messages import ToolSpec
from bot.llm.models import Models
from bot.mcp.tool_servers import ToolServers
from bot.recall.retrievers.registry import Retrievers
from bot.recall.retrievers.retrieval import Retriever
from bot.tools import core_tools, delegation_tools, memory_tools, note_tools, retriever_tools, server_tools
from bot.tools.definitions import Tool

SHARE: Final = 4
"""The part of a prompt that the description of tools may take, one in so many; what comes later is not offered."""
LEAST: Final = 2
"""Tools that are offered whatever they take: a model that can neither keep nor look for anything is of no use."""
MODELS: Final = "models"
"""The set by which a model asks another."""
SETS: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {
        "memory": (
            "memory_save",
            "memory_recall",
            "memory_search",
            "memory_since",
            "memory_recent",
            "memory_summary",
            "memory_first",
            "memory_forget",
            "memory_age",
        ),
        "core": ("artifact_fetch", "time_now", "space_info"),
        "notes": ("note_write", "note_read", "memory_promote"),
        MODELS: ("llm_call", "llm_list"),
    }
)
"""The sets that are there without a setting; one of the settings that is called alike replaces it."""
OWN: Final = (
    memory_tools.memory_save,
    memory_tools.memory_recall,
    memory_tools.memory_forget,
    memory_tools.memory_age,
    core_tools.artifact_fetch,
    core_tools.time_now,
    core_tools.space_info,
    note_tools.note_write,
    note_tools.note_read,
    note_tools.memory_promote,
    delegation_tools.llm_call,
    delegation_tools.llm_list,
)


@dataclass(frozen=True, slots=True)
class ToolOffer:
    """The tools offered to a model role."""

    role: ModelRole
    tools: tuple[Tool, ...]
    room: int
    """Tokens available to its prompt: its context less its answer and the tool descriptions."""
    missing: frozenset[str] = frozenset()
    """The names of Hathi's tools that are not offered: its prompt speaks of none of them."""

    @property
    def specs(self) -> tuple[ToolSpec, ...]:
        """As a model is told of them."""
        return tuple(one.spec for one in self.tools)


class Toolsets:
    """Every tool, by set and role."""

    def __init__(self, retrievers: Retrievers, servers: ToolServers, given: Mapping[str, Sequence[str]]) -> None:
        """Those of the settings are `given`; the tools of each MCP server are a set of its name."""
        each = (*OWN, *retriever_tools.tools(retrievers))
        self._tools: Final = {one.name: one for one in each}
        self.names: Final = frozenset(self._tools)
        """Of Hathi's own tools."""
        self._sets: Final = {**SETS, **given}
        self._servers: Final = servers

    def offer(self, models: Models, role: ModelRole, caller: Caller, *, saves: bool = False) -> ToolOffer:
        """The tools of a role that has a model, in their order, as many as fit into a quarter of its prompt.

        Without those that memory is not open for, but for the one that `saves`, where that is wanted, and those of
        servers that are not there for where the caller is. With an `execution` role `reasoning` may only hand tasks on,
        unless its settings say otherwise.
        """
        settings = models.settings(role)
        room = settings.max_context - settings.max_tokens
        each = tuple(self._of(models, role, caller, saves=saves))
        tools = each[: _fitting(models, role, (one.spec.tokens for one in each))]
        missing = self.names.difference(one.name for one in tools)
        return ToolOffer(role, tools, room - sum(one.spec.tokens for one in tools), missing)

    def least_room(self, models: Models, role: ModelRole) -> int:
        """Tokens that are left to a prompt of the role, whatever tools it is offered."""
        settings = models.settings(role)
        room = settings.max_context - settings.max_tokens
        return room - room // SHARE

    def keeps(self, models: Models, role: ModelRole, caller: Caller, *, saves: bool = False) -> bool:
        """Whether a role, or one that it may ask, has a model with a tool that saves; offered as by `offer`."""
        there = [one for one in ModelRole if models.has(one)]
        each = {one: {tool.name for tool in self._of(models, one, caller, saves=saves)} for one in there}
        own = each.get(role, set[str]())
        others = each.values() if delegation_tools.llm_call.name in own else ()
        return any(memory_tools.memory_save.name in names for names in (own, *others))

    def named(self, models: Models, role: ModelRole) -> tuple[str, ...]:
        """The sets of a role."""
        return _named(models, role, self._sets, self._servers.servers)

    def _of(self, models: Models, role: ModelRole, caller: Caller, *, saves: bool) -> Iterator[Tool]:
        there, known = self._servers.by_server(caller), set[str]()
        for name in self.named(models, role):
            own = [self._tools[one] for one in self._sets.get(name, ()) if one not in known]
            known |= {one.name for one in own}
            each = (*own, *server_tools.tools(self._servers, there.get(name, ())))
            yield from (
                one for one in each if _is_open(one, caller.access) or (saves and one is memory_tools.memory_save)
            )


def _named(models: Models, role: ModelRole, sets: Iterable[str], servers: Iterable[str]) -> tuple[str, ...]:
    settings, given = models.settings(role), models.toolsets(role)
    if settings.tools == "none":
        return ()
    if given is not None:
        return given
    if role is ModelRole.SUMMARIZER:
        return ()
    if role is ModelRole.REASONING and models.has(ModelRole.EXECUTION):
        return (MODELS,)
    first, *others = (name for name in sets if name != MODELS)
    return (first, *servers, *others)


def _fitting(models: Models, role: ModelRole, costs: Iterable[int]) -> int:
    """How many tools a quarter of a role's prompt holds, by the tokens of each."""
    settings = models.settings(role)
    most = (settings.max_context - settings.max_tokens) // SHARE
    return sum(1 for at, cost in enumerate(accumulate(costs)) if cost <= most or at < LEAST)


def unfit(
    models: Models,
    role: ModelRole,
    given: Mapping[str, Sequence[str]],
    retrievers: Iterable[type[Retriever]],
    servers: Mapping[str, Sequence[ToolSpec]],
) -> list[str]:
    """The tools of a role that its prompt has no room for, wherever it is asked; `servers` have these tools."""
    own = {one.spec.name: one.spec for one in OWN} | {one.name: one for one in retriever_tools.specs(retrievers)}
    sets = {**SETS, **given}
    named = _named(models, role, sets, servers)
    each = [spec for name in named for spec in (*(own[one] for one in sets.get(name, ())), *servers.get(name, ()))]
    wanted = {one.name: one.tokens for one in each}
    return list(wanted)[_fitting(models, role, wanted.values()) :]


def _is_open(tool: Tool, access: Access) -> bool:
    return tool.needs is None or (access.writes if tool.needs is Access.WRITE else access.reads)


def check(settings: Settings, retrievers: Sequence[type[Retriever]]) -> None:
    """Raises `SettingsError` where a set names a tool, or a role a set, that there is none of."""
    tools = [*(one.name for one in OWN), *(f"{retriever_tools.NAMED}{one.name}" for one in retrievers)]
    for name, named in settings.toolsets.items():
        _known(f"toolsets.{name}", named, "tool", tools)
    sets = [*{**SETS, **settings.toolsets}, *settings.mcp.servers]
    if both := {*SETS, *settings.toolsets} & {*settings.mcp.servers}:
        raise errors.SettingsError(f"mcp.servers.{min(both)}: a toolset is called so; give the server another name.")
    for role in ModelRole:
        given: RoleSettings | None = getattr(settings.roles, role.value)
        if given is not None:
            _known(f"roles.{role.value}.toolsets", given.toolsets or (), "toolset", sets)


def _known(setting: str, names: Sequence[str], what: str, known: Sequence[str]) -> None:
    for name in names:
        if name not in known:
            raise errors.SettingsError(f"{setting}: there is no {what} {name!r}; there are {', '.join(known)}.")
