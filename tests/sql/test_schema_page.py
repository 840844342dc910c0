"""The laws of `sql/schema.sql`: it shows the schema as it is, and the whole of it."""

import subprocess

import asyncpg

from bot.db.embedded import account, place
from tests import schema_page
from tests.conftest import on


async def test_the_page_is_of_the_schema_as_the_migrations_make_it(dsn: str) -> None:
    """What is read there is there; `python -m tests.schema_page --write` mends it."""
    assert await schema_page.page(dsn) == schema_page.PAGE.read_text(encoding="utf-8")


async def test_the_page_leaves_nothing_out(dsn: str) -> None:
    """A database made by it alone is, dumped by Postgres, the same to the letter."""
    empty = on(dsn, "made_by_the_page")
    admin = await asyncpg.connect(dsn)
    await admin.execute("CREATE DATABASE made_by_the_page")
    try:
        connection = await asyncpg.connect(empty)
        await connection.execute(schema_page.PAGE.read_text(encoding="utf-8"))
        await connection.close()
        assert _dumped(dsn) == _dumped(empty)
    finally:
        await admin.execute("DROP DATABASE made_by_the_page WITH (FORCE)")
        await admin.close()


def _dumped(dsn: str) -> list[str]:
    programs = place.binaries(account.Account(uid=0, gid=0, drop=False)).directory
    dump = subprocess.run(
        [programs / "pg_dump", "--schema-only", dsn], capture_output=True, text=True, check=True
    ).stdout
    # Each dump is sealed by a word of its own.
    return [line for line in dump.splitlines() if not line.startswith("\\")]
