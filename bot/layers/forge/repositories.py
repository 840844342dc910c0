"""The connected repositories: what people call them, and the channels in which each may be shown."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final
from urllib.parse import urlsplit

from bot.config import GITHUB_API, ForgeSettings
from bot.domain import Caller

_API_PATHS: Final = {"github": "/api/v3", "gitea": "/api/v1"}
"""Where the API of a forge lies below its pages; github.com has a host for it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ForgeRepository:
    """One repository of the forge."""

    name: str
    """What people here call it."""
    path: str
    """Owner and name."""
    private: bool = False
    channels: frozenset[int] = frozenset()
    """Where a private one is shown."""

    def shown_to(self, caller: Caller) -> bool:
        """Whether it may be shown where they ask; a public thread counts as its parent."""
        return not self.private or caller.origin_id in self.channels


@dataclass(frozen=True, slots=True, kw_only=True)
class Repositories:
    """All connected repositories, by the names people use for them."""

    by_name: Mapping[str, ForgeRepository] = field(default_factory=dict[str, ForgeRepository])
    default: str | None = None
    """The one that a bare number means; the only one there is, unless one is chosen."""
    kind: str = "github"
    host: str = ""
    """The host of the forge's pages, with its port."""
    root: str = ""
    """The path its pages lie below, without a slash at its end."""

    def named(self, word: str) -> ForgeRepository | None:
        """The repository with this short name, whole path, or end of a path."""
        plain = word.casefold()
        if (place := self.by_name.get(plain)) is not None:
            return place
        called = [p for p in self.by_name.values() if plain in {p.path.casefold(), p.path.casefold().partition("/")[2]}]
        return called[0] if len(called) == 1 else None

    def names(self) -> list[str]:
        """All names of repositories, the longest first."""
        names = {*self.by_name, *(part for p in self.by_name.values() for part in (p.path, p.path.partition("/")[2]))}
        return sorted(names, key=lambda name: (-len(name), name))


def places(settings: ForgeSettings) -> Repositories:
    """The repositories of the settings."""
    by_name = {
        name: ForgeRepository(name=name, path=one.path, private=one.private, channels=frozenset(one.channels))
        for name, one in settings.repositories.items()
    }
    host, root = _pages(settings)
    only = next(iter(by_name)) if len(by_name) == 1 else None
    return Repositories(
        by_name=by_name, default=settings.default_repository or only, kind=settings.kind, host=host, root=root
    )


def _pages(settings: ForgeSettings) -> tuple[str, str]:
    if settings.api == GITHUB_API:
        return "github.com", ""
    address = urlsplit(settings.api)
    host = address.netloc.casefold()
    if settings.kind == "github" and host.startswith("api.") and host.endswith(".ghe.com"):
        host = host.removeprefix("api.")
    return host, address.path.removesuffix(_API_PATHS[settings.kind]).rstrip("/")
