"""The retrievers there are, by name."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from bot.recall.retrievers.retrieval import Retriever


class Retrievers:
    """Every retriever; settings, steps of workflows and models ask for them by name."""

    def __init__(self, each: Iterable[Retriever]) -> None:
        self._by_name: Final = {one.name: one for one in each}

    def named(self, names: Sequence[str]) -> list[Retriever]:
        """Those of these names, in their order. Raises `KeyError`."""
        return [self[name] for name in names]

    def __getitem__(self, name: str) -> Retriever:
        """The one of a name that is known. Raises `KeyError`."""
        return self._by_name[name]

    def __iter__(self) -> Iterator[Retriever]:
        """All of them."""
        return iter(self._by_name.values())
