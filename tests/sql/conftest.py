"""The schema that statements are tried on."""

import asyncio
from typing import Final, LiteralString

import asyncpg
import pytest

from bot.db import statements
from bot.store.vectors.vector_table import EmbeddingTable

VECTORS: Final = EmbeddingTable(model="law", dimension=3)
"""The table that statements about any table of vectors are tried on."""


def text(name: str) -> LiteralString:
    """A statement as it is run."""
    found = statements.named(name)
    return VECTORS.filled(found) if name.startswith("embedding.") else found


@pytest.fixture(scope="session")
def schema(schema: str) -> str:
    """The migrated schema, with a table of vectors as one is made at run time."""

    async def make() -> None:
        connection = await asyncpg.connect(schema)
        try:
            for name in ("embedding.extension", "embedding.table", "embedding.index"):
                await connection.execute(text(name))
        finally:
            await connection.close()

    with asyncio.Runner() as runner:
        runner.run(make())
    return schema
