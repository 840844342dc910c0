"""What the continuous chat memory that Hathi follows promises: each row is quoted by a test that shows it here."""

import ast
from functools import cache
from pathlib import Path
from typing import Final

import pytest

TESTS: Final = Path(__file__).parent
ROWS: Final = (
    "discussionId activates persistence; absence → stateless",
    "stateless fallback to current chat history",
    "creators vs retrievers apart",
    "chunk ledger <id>_memories with hash of last message",
    "rolling summary, continuously updated, linked by hash",
    "vector memory tracker: nothing processed twice",
    "QualityMemory run periodically",
    "checks if new memories are needed",
    "workflow-based generation (file: text block; vector: JSON objects), scoped inputs agent1..4",
    "B) direct LLM call with prompts from config",
    "FTS over title, summary, entities, key_phrases with weights",
    "VectorMemorySearch: `;`, sanitised, truncated to 60, OR",
    "RecentMemory / RecentMemorySummarizerTool: last N chunks",
    "FullChatSummary",
    "adding a retriever: implement, route, register (FirstFiveMemories)",
    "No memories have been generated yet",
    "useVectorForQualityMemory / workflow names per discussion",
    "workflow steps with {agent1Input}, {agent1Output}, returnToUser",
    "memory object {title, summary, entities, key_phrases}",
    "metadata_json of a memory",
    "memory_text is the summary, not the raw chunk",
    "node_type in workflow JSON, WorkflowManager registrar, MemoryNodeHandler router",
    "user-specific directory of discussion files",
    "long sessions: what no longer fits is summarised",
)


@cache
def quoting() -> dict[str, list[str]]:
    """The tests by the rows that their docstrings quote."""
    found: dict[str, list[str]] = {row: [] for row in ROWS}
    for path in TESTS.rglob("test_*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name.startswith("test_"):
                told = " ".join((ast.get_docstring(node) or "").split())
                for row in ROWS:
                    if f"“{row}”" in told:
                        found[row].append(node.name)
    return found


@pytest.mark.parametrize("row", ROWS)
def test_each_row_is_quoted_by_a_test(row: str) -> None:
    """What is promised there is shown here."""
    assert quoting()[row]
