"""Caches the forge's responses with their ETags, so that unchanged ones are not sent again."""

from collections import OrderedDict
from dataclasses import dataclass
from typing import Final

MOST: Final = 500
MOST_BYTES: Final = 16 * 2**20


@dataclass(frozen=True, slots=True, kw_only=True)
class CachedAnswer:
    """One response with its ETag."""

    etag: str
    body: bytes


class AnswerCache:
    """The most recently used responses, by repository and address; bounded, least recently used go first.

    Whether somebody may see a repository is decided before it is asked: what is kept here belongs to one repository.
    """

    def __init__(self, most: int = MOST, most_bytes: int = MOST_BYTES) -> None:
        self._most = most
        self._most_bytes = most_bytes
        self._kept: OrderedDict[tuple[str, str], CachedAnswer] = OrderedDict()
        self.size: int = 0
        """Bytes of all answers."""

    def __len__(self) -> int:
        return len(self._kept)

    def find(self, repository: str, address: str) -> CachedAnswer | None:
        """The cached response, if any."""
        kept = self._kept.get((repository, address))
        if kept is not None:
            self._kept.move_to_end((repository, address))
        return kept

    def keep(self, repository: str, address: str, kept: CachedAnswer) -> None:
        """Caches a response, unless it would fill a quarter of the room alone."""
        self.drop(repository, address)
        if len(kept.body) > self._most_bytes // 4:
            return
        self._kept[repository, address] = kept
        self.size += len(kept.body)
        while len(self._kept) > self._most or self.size > self._most_bytes:
            _, oldest = self._kept.popitem(last=False)
            self.size -= len(oldest.body)

    def drop(self, repository: str, address: str) -> None:
        """Removes one."""
        if (old := self._kept.pop((repository, address), None)) is not None:
            self.size -= len(old.body)
