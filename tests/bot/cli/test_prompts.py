"""`hathi prompts show`: what models are prompted with, and what its sections take."""

import subprocess
import sys
from pathlib import Path

import pytest

from bot import errors
from bot.cli import prompts
from bot.config import Settings
from bot.prompting import identity

ROOT = Path(__file__).parents[3]


def settings(folder: Path) -> Settings:
    return Settings(settings_dir=folder)


def test_a_role_s_prompt_is_shown_with_the_tokens_of_its_sections(tmp_path: Path) -> None:
    """First what it is made of, then the text as it is sent."""
    (tmp_path / "prompts").mkdir()
    (tmp_path / "prompts" / "behaviour.md").write_text("Bark.")
    shown = prompts.shown(settings(tmp_path), "reasoning")
    head, _, text = shown.partition("\n\n")

    assert [line.strip().partition(" ")[0] for line in head.splitlines()] == [
        "who",
        "reasoning",
        "behaviour:",
        "continuity:",
        "memory:",
        "tools:",
    ]
    assert [" tokens, prompts/" in line for line in head.splitlines()] == [False, *[True] * 5]
    assert ["yours" in line for line in head.splitlines()] == [False, False, True, False, False, False]
    assert text.startswith(f"{identity.shipped()}\n\n# How to speak\nBark.\n\n# ")


def test_who_speaks_is_shown_with_the_prompt_of_who_answers(tmp_path: Path) -> None:
    """The operator's own text as much as is used of it; a model that answers nobody is told none."""
    (tmp_path / "identity.txt").write_text("I am Ada. " * 200)
    shown = [prompts.shown(settings(tmp_path), name) for name in ("reasoning", "identity", "execution")]

    assert [text.count("I am Ada.") for text in shown] == [shown[0].count("I am Ada."), shown[0].count("I am Ada."), 0]
    assert 10 < shown[0].count("I am Ada.") < 100
    assert "identity.txt (yours; a server's own" in shown[0]


def test_all_roles_are_shown_without_one_and_a_wrong_one_is_told(tmp_path: Path) -> None:
    """Any prompt can be looked at by its name."""
    shown = prompts.shown(settings(tmp_path), None)

    assert [shown.find(f"{role} — ") >= 0 for role in ("reasoning", "execution", "summarizer")] == [True] * 3
    assert "grounded — " in prompts.shown(settings(tmp_path), "grounded")
    with pytest.raises(errors.BadArgument, match="'critic'; there are those of identity, "):
        prompts.shown(settings(tmp_path), "critic")


def test_the_command_prints_it_and_names_what_is_wrong(tmp_path: Path) -> None:
    """By file and line, and ends as for other settings that can't be used."""
    (tmp_path / "hathi.toml").write_text("")
    (tmp_path / "prompts").mkdir()
    wrong = tmp_path / "prompts" / "tools.md"
    command = [sys.executable, "-m", "bot", "--config", str(tmp_path / "hathi.toml"), "prompts", "show", "reasoning"]
    good = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    wrong.write_text("[SECTIONS]\nhammer")
    bad = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)

    assert (good.returncode, good.stdout.partition(" ")[0]) == (0, "who")
    assert (bad.returncode, "prompts/tools.md, line 2: 'hammer' has no description" in bad.stderr) == (78, True)
