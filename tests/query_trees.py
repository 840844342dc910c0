"""What a distributed database refuses of a statement, told by the tree that Postgres itself made of its text."""

import re
from collections.abc import Iterator
from typing import Final, TypeAlias, cast

import asyncpg

Node: TypeAlias = "str | list[Node] | dict[str, Node]"
"""A word, a list, or a node: its fields by name, its kind under an empty name."""

PIECE: Final = re.compile(r'\s*([{}()]|:\w+|<>|"(?:\\.|[^"\\])*"|(?:\\.|[^\s{}()\\])+)', re.DOTALL)
UPDATE: Final = "2"
WRITING: Final = {UPDATE, "3", "4"}
"""The kinds of query that write, as Postgres numbers them; the others insert and delete."""
CALLS: Final = ("funcid", "opfuncid", "aggfnoid", "winfnoid")
"""The fields of a node that name the function it calls."""
TYPES: Final = ("vartype", "paramtype", "consttype", "funcresulttype", "opresulttype", "aggtype", "resulttype")
"""The fields of a node that name the type it yields."""

VOLATILE: Final = "functions in an UPDATE or in the condition of a write that are VOLATILE"
WITH_COLUMN: Final = "STABLE functions called with column references"
LAZY: Final = "functions in CASE or COALESCE that are not IMMUTABLE"
RETURNED: Final = "functions in RETURNING that are not IMMUTABLE"
ON_CONFLICT: Final = "functions in ON CONFLICT that are not IMMUTABLE"


class Volatilities:
    """How much the functions of a database may be moved about: `i`, `s` or `v`, and those that types are read by."""

    def __init__(self, functions: dict[str, str], types: dict[str, tuple[str, str]]) -> None:
        self._functions = functions
        self._types = types

    @classmethod
    async def of(cls, connection: asyncpg.Connection) -> "Volatilities":
        """Those of this database."""
        functions = await connection.fetch("SELECT oid::text, provolatile::text AS kept FROM pg_proc")
        types = await connection.fetch(
            "SELECT oid::text, typinput::oid::text AS read, typoutput::oid::text AS written FROM pg_type"
        )
        return cls(
            {row["oid"]: row["kept"] for row in functions}, {row["oid"]: (row["read"], row["written"]) for row in types}
        )

    def of_node(self, node: dict[str, Node]) -> str:
        """Of what a node itself calls, its arguments aside."""
        called = [str(node[field]) for field in CALLS if field in node]
        if node[""] == "COERCEVIAIO":
            argument = cast("dict[str, Node]", node["arg"])
            kinds = [str(argument[field]) for field in TYPES if field in argument]
            called = [self._types[str(node["resulttype"])][0], *(self._types[kind][1] for kind in kinds[:1])]
        if node[""] == "SQLVALUEFUNCTION":
            return "s"
        return max((self._functions.get(oid, "i") for oid in called), default="i")


async def refused(connection: asyncpg.Connection, statement: str, kept: Volatilities) -> set[str]:
    """Why a distributed database would not run a statement; nothing where it would.

    The rules are those of `ModifyQuerySupported` in Citus, for every query of the statement that writes: what a
    sub-select or a WITH works out is no part of the query around it.
    """
    found: set[str] = set()
    for query in _everything(await _tree(connection, statement)):
        if query[""] != "QUERY" or query["commandType"] not in WRITING:
            continue
        condition = cast("dict[str, Node]", query["jointree"])["quals"]
        found |= _irreducible(condition, kept)
        if query["commandType"] == UPDATE:
            found |= _irreducible(query["targetList"], kept)
        if _most(query["returningList"], kept) > "i":
            found.add(RETURNED)
        if isinstance(conflict := query["onConflict"], dict):
            entries = [entry for entry in conflict["onConflictSet"] if isinstance(entry, dict)]
            values: list[Node] = [one for one in entries if cast("dict[str, Node]", one["expr"])[""] != "VAR"]
            if any(_most(held, kept) > "i" for held in (values, conflict["arbiterWhere"], conflict["onConflictWhere"])):
                found.add(ON_CONFLICT)
    return found


def _most(node: Node, kept: Volatilities) -> str:
    """The most volatile of what stands in an expression, in its sub-selects too."""
    return max((kept.of_node(held) for held in _everything(node)), default="i")


def _irreducible(node: Node, kept: Volatilities) -> set[str]:
    """What of an expression can be worked out neither before it is sent to where the rows are, nor there."""
    if not isinstance(node, dict):
        return set().union(*(_irreducible(child, kept) for child in _children(node)))
    if node[""] in {"COALESCEEXPR", "CASEEXPR"}:
        return {LAZY} if _most(node, kept) > "i" else set()
    if node[""] == "QUERY":
        return set()
    found = set().union(*(_irreducible(child, kept) for child in _children(node)))
    itself = kept.of_node(node)
    if itself == "v":
        found.add(VOLATILE)
    if itself == "s" and _has_column(node):
        found.add(WITH_COLUMN)
    return found


def _has_column(node: Node) -> bool:
    """Whether a column stands in an expression, but for sub-selects, and for CASE and COALESCE."""
    if isinstance(node, dict) and node[""] in {"COALESCEEXPR", "CASEEXPR", "QUERY", "VAR"}:
        return node[""] == "VAR"
    return any(_has_column(child) for child in _children(node))


async def _tree(connection: asyncpg.Connection, statement: str) -> Node:
    """What Postgres makes of a statement before it plans it: the body of a function holds it."""
    kinds = [kind.name for kind in (await connection.prepare(statement)).get_parameters()]
    transaction = connection.transaction()
    await transaction.start()
    try:
        await connection.execute(f"CREATE FUNCTION held({', '.join(kinds)}) RETURNS void BEGIN ATOMIC {statement}; END")
        return _read(str(await connection.fetchval("SELECT prosqlbody::text FROM pg_proc WHERE proname = 'held'")))
    finally:
        await transaction.rollback()


def _read(body: str) -> Node:
    stack: list[list[Node]] = [[]]
    for piece in PIECE.findall(body):
        if piece in "{(":
            stack.append([])
        elif piece in "})":
            inner = stack.pop()
            stack[-1].append(_node(inner) if piece == "}" else inner)
        else:
            stack[-1].append(piece)
    return stack[0]


def _node(pieces: list[Node]) -> dict[str, Node]:
    """A node of its pieces: a field has what follows its name, which for some is several words."""
    fields: dict[str, Node] = {"": pieces[0]}
    name = ""
    for piece in pieces[1:]:
        if isinstance(piece, str) and piece.startswith(":"):
            name = piece[1:]
        else:
            fields[name] = [*cast("list[Node]", fields[name]), piece] if name in fields else piece
    return fields


def _children(node: Node) -> Iterator[Node]:
    if isinstance(node, dict):
        yield from (held for name, held in node.items() if name)
    elif isinstance(node, list):
        yield from node


def _everything(node: Node) -> Iterator[dict[str, Node]]:
    """A node, and all below it."""
    if isinstance(node, dict):
        yield node
    for child in _children(node):
        yield from _everything(child)
