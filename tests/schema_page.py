"""`sql/schema.sql`, the whole schema of today on one page, made from a migrated database.

`python -m tests.schema_page --write` puts it there. What is said of a table, a column, an index or a function is what
its migration says of it.
"""

import asyncio
import os
import re
import sys
import tempfile
import textwrap
from collections import defaultdict
from pathlib import Path
from typing import Any, Final

import asyncpg

from bot import log
from bot.config import DatabaseSettings
from bot.db import embedded, migrations, pool

PAGE: Final = Path(__file__).parents[1] / "sql" / "schema.sql"
_HEAD: Final = """\
-- The whole schema of today, to be read: what the migrations make, which alone are run.
-- Made by `python -m tests.schema_page --write`. Not here: the tables of vectors, one a model, made at run time."""
_WIDTH: Final = 120
_SAID: Final = re.compile(
    r"(?P<lines>(?:^ *--.*\n)+)\n?"
    r"(?:(?:CREATE (?:UNIQUE )?(?:TABLE|INDEX|FUNCTION)|ALTER INDEX) (?P<name>\w+)"
    r"|(?:ALTER TABLE \w+\s+ADD COLUMN| +(?:ADD COLUMN)?) *(?P<column>[a-z_]+) )",
    re.MULTILINE,
)

_EXTENSIONS: Final = "SELECT extname FROM pg_extension WHERE extname <> 'plpgsql' ORDER BY oid"
_FUNCTIONS: Final = """
SELECT proname AS name, pg_get_functiondef(oid) AS made, EXISTS (
           SELECT FROM pg_depend WHERE refobjid = pg_proc.oid AND classid = 'pg_class'::regclass) AS is_indexed
FROM pg_proc
WHERE pronamespace = 'public'::regnamespace
  AND NOT EXISTS (SELECT FROM pg_depend WHERE objid = pg_proc.oid AND deptype = 'e')
ORDER BY oid"""
_TABLES: Final = """
SELECT oid, relname AS name, array_to_string(reloptions, ', ') AS options FROM pg_class
WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'
ORDER BY oid"""
_COLUMNS: Final = """
SELECT attrelid AS table, attname AS name, concat_ws(' ',
           attname, format_type(atttypid, atttypmod), CASE WHEN attnotnull AND attidentity = '' THEN 'NOT NULL' END,
           CASE WHEN attidentity = 'a' THEN 'GENERATED ALWAYS AS IDENTITY' END,
           'DEFAULT ' || pg_get_expr(adbin, adrelid), pg_get_constraintdef(pg_constraint.oid, true)) AS made
FROM pg_attribute
LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum
LEFT JOIN pg_constraint ON conrelid = attrelid AND contype = 'c' AND conkey = ARRAY[attnum]
WHERE attnum > 0 AND NOT attisdropped
ORDER BY attrelid, attnum"""
_CONSTRAINTS: Final = """
SELECT conrelid AS table, pg_get_constraintdef(oid, true) AS made FROM pg_constraint
WHERE contype IN ('p', 'u', 'f') OR contype = 'c' AND cardinality(conkey) > 1
ORDER BY conrelid, strpos('pufc', contype::text), oid"""
_INDEXES: Final = """
SELECT indrelid AS table, relname AS name, pg_get_indexdef(indexrelid, 0, true) AS made
FROM pg_index JOIN pg_class ON oid = indexrelid
WHERE NOT EXISTS (SELECT FROM pg_constraint WHERE conindid = indexrelid AND contype IN ('p', 'u'))
ORDER BY indexrelid"""
_STATISTICS: Final = """
SELECT coalesce(indrelid, pg_class.oid) AS table, relkind = 'i' AS is_index, relname AS name,
       CASE WHEN relkind = 'i' THEN attnum::text ELSE attname END AS column
FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid LEFT JOIN pg_index ON indexrelid = pg_class.oid
WHERE attstattarget = 0 AND attnum > 0 AND NOT attisdropped AND relnamespace = 'public'::regnamespace
  AND relkind IN ('r', 'i')
ORDER BY relkind DESC, pg_class.oid, attnum"""
_PLANNED: Final = """
SELECT attrelid AS table, relname AS name, attname AS column, array_to_string(attoptions, ', ') AS options
FROM pg_attribute JOIN pg_class ON oid = attrelid
WHERE attoptions IS NOT NULL AND relnamespace = 'public'::regnamespace
ORDER BY attrelid, attnum"""
_VIEWS: Final = """
SELECT relname AS name, pg_get_viewdef(oid, 110) AS made FROM pg_class
WHERE relnamespace = 'public'::regnamespace AND relkind = 'v'
ORDER BY oid"""

_READ: Final = (_EXTENSIONS, _FUNCTIONS, _TABLES, _COLUMNS, _CONSTRAINTS, _INDEXES, _STATISTICS, _PLANNED, _VIEWS)


async def page(dsn: str) -> str:
    """The schema of a database as one page of SQL."""
    connection = await asyncpg.connect(dsn)
    try:
        extensions, functions, tables, columns, constraints, indexes, statistics, planned, views = [
            await connection.fetch(query) for query in _READ
        ]
    finally:
        await connection.close()
    about = _comments()
    made = [_HEAD, "\n".join(f"CREATE EXTENSION {row['extname']};" for row in extensions)]
    made += [_function(row, about) for row in functions if row["is_indexed"]]
    for table in tables:
        its = [[row for row in rows if row["table"] == table["oid"]] for rows in (columns, constraints, indexes)]
        made.append(_table(table, its[0], its[1], its[2], about))
        if without := [row for row in statistics if row["table"] == table["oid"]]:
            made[-1] += f"\n-- No statistics of what people say.\n{_without(without)}"
        made[-1] += "".join(
            f"\nALTER TABLE {row['name']} ALTER COLUMN {row['column']} SET ({row['options']});"
            for row in planned
            if row["table"] == table["oid"]
        )
    made += [f"CREATE VIEW {row['name']} AS\n{_plain(row['made'])}" for row in views]
    made += [_function(row, about) for row in functions if not row["is_indexed"]]
    return "\n\n".join(made) + "\n"


def _table(table: Any, columns: list[Any], constraints: list[Any], indexes: list[Any], about: dict[str, str]) -> str:
    lines = [
        _comment(about.get(f"{table['name']}.{row['name']}"), "    ") + _wrapped(_plain(row["made"]), "    ", " " * 8)
        for row in columns
    ]
    lines += [f"    {_plain(row['made'])}" for row in constraints]
    options = f" WITH ({table['options']})" if table["options"] else ""
    made = f"CREATE TABLE {table['name']} (\n" + ",\n".join(lines) + f"\n){options};"
    return _comment(about.get(table["name"])) + "\n".join([made, *(_index(row, about) for row in indexes)])


def _index(row: Any, about: dict[str, str]) -> str:
    made = _plain(row["made"]).replace(" USING btree", "") + ";"
    return _comment(about.get(row["name"])) + (made if len(made) <= _WIDTH else made.replace(" WHERE ", "\n    WHERE "))


def _without(statistics: list[Any]) -> str:
    """The columns of a table, and of its indexes, of which Postgres keeps no values."""
    columns = [f"    ALTER COLUMN {row['column']} SET STATISTICS 0" for row in statistics if not row["is_index"]]
    indexes = [
        f"ALTER INDEX {row['name']} ALTER COLUMN {row['column']} SET STATISTICS 0;"
        for row in statistics
        if row["is_index"]
    ]
    table = next(row["name"] for row in statistics if not row["is_index"])
    return "\n".join([f"ALTER TABLE {table}", ",\n".join(columns) + ";", *indexes])


def _function(row: Any, about: dict[str, str]) -> str:
    head, _, body = row["made"].partition("AS $function$")
    head = _plain(" ".join(head.split())).replace("OR REPLACE FUNCTION public.", "FUNCTION ")
    head = head.replace(" LANGUAGE", "\nLANGUAGE")
    return f"{_comment(about.get(row['name']))}{head} AS $${body.rstrip().removesuffix('$function$')}$$;"


def _plain(made: str) -> str:
    """SQL as people write it: `state IN ('open', 'closed')`."""
    made = re.sub(r"('[^']*')::\w+(?:\[\])?", r"\1", made.replace("timestamp with time zone", "timestamptz"))
    return re.sub(r"= ANY \(ARRAY\[([^]]*)\]\)", r"IN (\1)", made)


def _comment(text: str | None, indent: str = "") -> str:
    return _wrapped(text, f"{indent}-- ", f"{indent}-- ") + "\n" if text else ""


def _wrapped(text: str, first: str, later: str) -> str:
    lines = textwrap.wrap(
        text, _WIDTH, initial_indent=first, subsequent_indent=later, break_on_hyphens=False, break_long_words=False
    )
    return "\n".join(lines)


def _comments() -> dict[str, str]:
    """What the migrations say just above a thing, by its name; of a column by `table.column`."""
    found = defaultdict[str, list[str]](list)
    for _, text in migrations.available().values():
        for said in _SAID.finditer(text):
            table = re.findall(r"TABLE (\w+)", text[: said.end()])[-1:]
            name = said["name"] or f"{table[0]}.{said['column']}"
            found[name] += [line.strip("- ") for line in said["lines"].splitlines()]
    return {name: " ".join(filter(None, lines)) for name, lines in found.items()}


async def _made() -> str:
    with tempfile.TemporaryDirectory(dir="/tmp", prefix="hathi-schema-") as folder:
        Path(folder).chmod(0o711)
        async with embedded.owned(Path(folder)) as dsn, pool.opened(dsn, DatabaseSettings()) as database:
            await migrations.migrate(database)
            return await page(dsn)


if __name__ == "__main__":
    log.configure(to=Path(os.devnull))
    if "--write" in sys.argv[1:]:
        PAGE.write_text(asyncio.run(_made()), encoding="utf-8")
    else:
        print(asyncio.run(_made()))
