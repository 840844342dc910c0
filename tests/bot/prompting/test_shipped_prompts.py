"""What the prompts that come with Hathi tell a model, and that one of them alone says who it is."""

import re
from importlib import resources
from pathlib import Path
from typing import Final

import pytest

from bot.config import Roles
from bot.prompting import compose, identity

DEFAULTS: Final = resources.files("bot") / "defaults" / "prompts"
IS_SOMEBODY: Final = re.compile(r"\b(?:i am|you are|you're) (?:hathi|an? |the )", re.IGNORECASE)
TOLD: Final = {
    "when to save": ("Save with memory_save", "preference", "decision", "ask you to remember"),
    "how to recall": ("Recall with memory_recall", "telling words"),
    "how memory ages": ("ages by itself", 'command "age"'),
    "when to delegate": ("Delegate with llm_call",),
    "not to ask what it knows": ("use it, do not ask for it",),
    "where the day stands": ("The day and time stand before the message",),
}


@pytest.mark.parametrize("phrases", TOLD.values(), ids=TOLD)
def test_the_model_is_told_how_to_use_its_memory(phrases: tuple[str, ...], tmp_path: Path) -> None:
    """Each in the prompt that every conversation begins with."""
    told = " ".join(compose.roots(tmp_path, Roles())["identity"].assembled.split())
    assert [] == [phrase for phrase in phrases if phrase not in told]


def test_one_text_says_who_it_is() -> None:
    """The rules of a prompt are no second identity beside the operator's or the space's."""
    assert identity.shipped().startswith("I am Hathi")
    prompts = {file.name: file.read_text(encoding="utf-8") for file in DEFAULTS.iterdir() if file.name.endswith(".md")}
    assert {"identity.md", "grounded.md", "summary.md"} <= {*prompts}
    assert [] == [name for name, text in prompts.items() if IS_SOMEBODY.search(text)]
