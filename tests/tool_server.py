"""An MCP server of the SDK's own, for tests: `python -m tests.tool_server` speaks over its standard input and output.

With `--http PORT` it speaks streamable HTTP at /mcp of this machine; with `--board FILE` that is the town's board.
"""

import asyncio
import os
import sys
from pathlib import Path
from typing import Any

from mcp.server.mcpserver import Context, Image, MCPServer
from pydantic import BaseModel

server = MCPServer("potters")


class Heat(BaseModel):
    """What it wants to know."""

    degrees: int


_waiting = asyncio.Event()
"""Never set."""
_met = asyncio.Barrier(2)


@server.tool(description="Adds two numbers.")
def add(one: int, other: int) -> int:
    return one + other


@server.tool(description="Says it again.")
def echo(text: str) -> str:
    return text


@server.tool(description="So many letters.")
def flood(letters: int) -> str:
    return "k" * letters


@server.tool()
def fail() -> str:
    raise ValueError("the kiln is cold")


@server.tool()
async def hang() -> str:
    await _waiting.wait()
    return "never"


@server.tool(description="Answers once it was called twice at the same time.")
async def meet() -> str:
    await _met.wait()
    return "met"


@server.tool()
def end() -> str:
    os._exit(3)


@server.tool()
def variables() -> list[str]:
    return sorted(os.environ)


@server.tool()
def complain(text: str) -> str:
    sys.stderr.write(f"{text}\n")
    sys.stderr.flush()
    return "complained"


@server.tool(structured_output=False)
def picture() -> list[Any]:
    return ["a pot", Image(data=b"\x89PNG", format="png")]


@server.tool(structured_output=False)
def nothing() -> list[Any]:
    return []


@server.tool()
def number() -> int:
    return os.getpid()


@server.tool(description="Wants to know more of whoever is asking.")
async def ask(context: Context) -> str:
    return str(await context.elicit("How hot?", Heat))


@server.tool(name="glaze.mix")
def mix() -> str:
    return "mixed"


@server.tool(description="Reads what people wrote on the town's board.")
def board() -> str:
    return _board().read_text(encoding="utf-8")


@server.tool(description="Writes a line on the town's board, for everybody to read.")
def pin(line: str) -> str:
    with _board().open("a", encoding="utf-8") as file:
        file.write(f"{line}\n")
    return "pinned"


@server.tool(description="Writes a line on the town's board, and says nothing of it.")
async def post(line: str, ending: bool = False) -> str:
    pin(line)
    if ending:
        os._exit(3)
    await _waiting.wait()
    return "never"


def _board() -> Path:
    return Path(sys.argv[sys.argv.index("--board") + 1])


if __name__ == "__main__":
    for line in os.environ.get("SAID_AT_START", "").splitlines():
        sys.stderr.write(f"{line}\n")
    sys.stderr.flush()
    if "--http" in sys.argv:
        server.run("streamable-http", host="127.0.0.1", port=int(sys.argv[sys.argv.index("--http") + 1]))
    else:
        server.run("stdio")
