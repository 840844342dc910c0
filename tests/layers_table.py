"""The table of layers in `docs/MEMORY_ARCHITECTURE.md`, made from the code; `python -m tests.layers_table --write`."""

import sys
from pathlib import Path
from typing import Final

from bot.domain import Layer
from bot.layers.chain import PATIENCE, TOKENS
from bot.layers.walk import ABOUT

DOCUMENT: Final = Path(__file__).parents[1] / "docs" / "MEMORY_ARCHITECTURE.md"
BEGIN: Final = "<!-- layers: begin -->"
END: Final = "<!-- layers: end -->"


def table() -> str:
    """The layers as Markdown, in the order of the walk."""
    rows = ["| layer | source | answers | stops the walk | at most |", "|---|---|---|---|---|"]
    rows += [
        f"| {layer.value} | {about.source} | {about.answers} | {about.stops} | {_bounds(layer)} |"
        for layer, about in ABOUT.items()
    ]
    return "\n".join(rows)


def written(document: str) -> str:
    """The document with the table of now between its marks."""
    head, _, rest = document.partition(BEGIN)
    _, mark, tail = rest.partition(END)
    if not mark:
        raise ValueError(f"{DOCUMENT.name} needs the marks {BEGIN} and {END}")
    return f"{head}{BEGIN}\n{table()}\n{END}{tail}"


def _bounds(layer: Layer) -> str:
    if layer not in PATIENCE:
        return ""
    return f"{PATIENCE[layer].total_seconds():g} s, {TOKENS[layer]} tokens"


if __name__ == "__main__":
    if "--write" in sys.argv[1:]:
        DOCUMENT.write_text(written(DOCUMENT.read_text(encoding="utf-8")), encoding="utf-8")
    else:
        print(table())
