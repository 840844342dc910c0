"""What the pages for when something is wrong quote, name and lead to is there."""

import ast
import re
from datetime import timedelta
from functools import cache
from pathlib import Path
from typing import Final

import pytest
import yaml

from bot.connection.preflight import LABELS
from bot.db.embedded import place
from cogs.tell import error_notices
from tests.deploy.test_service import settings

ROOT: Final = Path(__file__).parents[1]
HELP: Final = (ROOT / "docs/HELP.md").read_text("utf-8")
OPERATIONS: Final = (ROOT / "docs/OPERATIONS.md").read_text("utf-8")
FILLED_IN: Final = re.compile(r"…|[()]|\b\d+\b|\b[NX]\b")
"""What stands for a name or a number in a sentence that is quoted."""


def _section(document: str, title: str) -> str:
    found = re.search(rf"^## {re.escape(title)}\n(.*?)(?=^## |\Z)", document, re.MULTILINE | re.DOTALL)
    assert found, f"there is no section {title!r}"
    return found[1]


QUOTED: Final = [
    sentence
    for text in (_section(HELP, "It doesn't answer"), _section(OPERATIONS, "When something fails"))
    for sentence in re.findall(r'"([^"\n]+)"', text)
]


@cache
def _said() -> str:
    """Every text in the program, where one is made of parts the parts."""
    texts = [
        node.value
        for top in ("bot", "cogs")
        for path in sorted((ROOT / top).rglob("*.py"))
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    ]
    return "\n".join(texts)


@pytest.mark.parametrize("sentence", QUOTED)
def test_what_is_quoted_is_said(sentence: str) -> None:
    """Whoever looks for the sentence they got finds it as they got it."""
    parts = [part.strip(" .,:()") for part in FILLED_IN.split(sentence)]
    assert [] == [part for part in parts if part and part not in _said()]


def test_a_sentence_that_nobody_says_is_seen() -> None:
    """What is all but a sentence of the program's is none of them."""
    assert ("an admin can give that to my role" in _said(), "an admin can give that to a role" in _said()) == (
        True,
        False,
    )


def test_it_is_told_directly_once_an_hour() -> None:
    """As the page says of a channel in which Hathi may not write."""
    assert "once an hour" in HELP
    assert error_notices.TOLD_EVERY == timedelta(hours=1)


def test_the_permissions_to_give_are_those_it_needs() -> None:
    """All that Hathi asks for in a channel, and no others."""
    (told,) = re.findall(r"give its role ([^;|]+) there;", _section(HELP, "It doesn't answer"))
    assert [*LABELS.values()] == re.split(r", | and ", told)


def test_where_the_data_lie_is_where_they_lie() -> None:
    """For each way to run it: the unit's folders, the volumes, what root keeps where its server can reach it."""
    told = _section(HELP, "Where the data lie")
    volumes = yaml.safe_load((ROOT / "deploy/compose.yaml").read_text("utf-8"))["volumes"]
    (state,), (configuration,) = settings("StateDirectory"), settings("ConfigurationDirectory")

    assert [f"/var/lib/{state}", f"/etc/{configuration}", str(place.ROOTS_STORE)] == [
        name for name in (f"/var/lib/{state}", f"/etc/{configuration}", str(place.ROOTS_STORE)) if f"`{name}`" in told
    ]
    assert set(volumes) == set(re.findall(r"`(\w+-data)`", told))


def test_uninstalling_takes_everything_along() -> None:
    """Each way that Hathi can be installed is one that it can be removed by."""
    told = _section(HELP, "Uninstalling")
    ways = re.findall(r"`([^`]+ uninstall hathi-bot)`", _section(OPERATIONS, "Installing"))

    assert ["uv tool uninstall hathi-bot", "pipx uninstall hathi-bot", "pip uninstall hathi-bot"] == ways
    services = {"systemctl disable --now hathi", "systemctl --user disable --now hathi"}
    units = {"/opt/hathi", "/etc/systemd/system", "~/.config/systemd/user"}
    assert {*ways} | services | units <= set(re.findall(r"`([^`]+)`", told))
