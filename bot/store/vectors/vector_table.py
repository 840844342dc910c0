"""The table of one model's vectors: its name, its type, and the statements with both filled in."""

import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, LiteralString, cast

from bot.llm.vector_source import Vector

MOST_DIMENSIONS: Final = 16_000
"""The longest vector pgvector keeps."""
INDEXED: Final = 4000
"""The longest its index holds, at half the precision."""
WHOLE: Final = 2000
"""The longest its index holds at full precision."""
_IN_THE_ROW: Final = 7600
"""Bytes of a vector with which a row fits on one page of Postgres."""
_FORM: Final = "with sentences"
"""What the tables of today hold. One of another form has another name, so it is left alone until it is dropped."""
_NAME: Final = re.compile(r"embedding_[0-9a-f]{12}_[1-9][0-9]{0,4}")
_PLACES: Final = re.compile(r"\{([a-z]+)\}")


@dataclass(frozen=True, slots=True, kw_only=True)
class EmbeddingTable:
    """The table with the vectors of one model and dimension; its name follows from these two."""

    model: str
    dimension: int
    known_as: str = ""
    """The name of one that another version made."""

    @property
    def registered_as(self) -> str:
        """The model, and what is held of it: a version that knows tables by their models alone names it so too."""
        return f"{self.model} {_FORM}"

    @property
    def name(self) -> str:
        """The table's name, made of nothing but letters and figures of our own choice."""
        digest = hashlib.sha256(self.registered_as.encode()).hexdigest()[:12]
        return self.known_as or f"embedding_{digest}_{self.dimension}"

    @property
    def is_indexed(self) -> bool:
        """Whether there is an index for its vectors; without one a large space is compared row by row."""
        return self.dimension <= INDEXED

    def filled(self, statement: LiteralString) -> LiteralString:
        """A statement of `embedding.sql` for this table: the only place where a statement is not as it was written."""
        if not _NAME.fullmatch(self.name) or not 1 <= self.dimension <= MOST_DIMENSIONS:
            raise ValueError(f"no table of vectors is called {self.name!r}")
        kind = "vector" if self.dimension <= WHOLE else "halfvec"
        size = self.dimension * (4 if kind == "vector" else 2)
        parts = {
            "table": self.name,
            "kind": kind,
            "vector": f"{kind}({self.dimension})",
            "storage": "PLAIN" if size <= _IN_THE_ROW else "EXTERNAL",
        }
        # Every part is one of a few words, or was checked above, which is what LiteralString stands for.
        return cast("LiteralString", _PLACES.sub(lambda place: parts[place[1]], statement))


def written(vector: Vector) -> str:
    """A vector as Postgres reads it; nine figures are all that a number of four bytes has."""
    return f"[{','.join(format(part, '.9g') for part in vector)}]"


def array(vectors: Sequence[str]) -> str | None:
    """Several vectors, each as `written`, as Postgres reads them in one value; none where there are none."""
    return "{" + ",".join(f'"{vector}"' for vector in vectors) + "}" if vectors else None
