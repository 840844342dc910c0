"""What makes vectors of texts: a server, or a model on this machine."""

from collections.abc import Callable, Sequence
from datetime import timedelta
from typing import Protocol

from bot.llm.failures import Failure

Vector = list[float]
Told = Callable[[str, int, int | None], None]
"""Hears of a file that is fetched how many bytes came so far, and of how many where that is known."""


class TextRefused(Failure):
    """The request was understood, and a text in it not taken; raised where the others might be."""


class VectorSource(Protocol):
    """One embedding model, wherever it runs; safe to share between tasks of one event loop."""

    @property
    def model(self) -> str:
        """Its name, by which vectors of another model are told apart."""
        ...

    @property
    def place(self) -> str:
        """Where it runs, for people."""
        ...

    @property
    def batch(self) -> int:
        """How many texts are asked for at once."""
        ...

    @property
    def patience(self) -> timedelta:
        """How long such a batch may take, with every attempt."""
        ...

    async def vectors(self, texts: Sequence[str]) -> list[Vector | None]:
        """A vector for each text, of one length; none where it has no direction. Raises `Failure` and `TextRefused`."""
        ...

    async def fetch(self, told: Told) -> None:
        """Fetch what the model lacks on this machine. Raises `Failure`."""
        ...

    async def aclose(self) -> None:
        """Free what it holds; nothing is asked any more."""
        ...
