"""What installs a checkout: with whichever Python is there, telling what it is at, and only what has changed."""

import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

ROOT: Final = Path(__file__).parents[2]
TOOLS: Final = ("bash", "cat", "cp", "dirname", "find", "grep", "mkdir", "mv", "rm", "sha256sum", "touch")
PYTHON: Final = """#!/usr/bin/env bash
echo "$@" >>"$LOG"
case "$*" in
    "-c import ensurepip"*) exit "${UNFIT:-0}" ;;
    --version) echo "Python 3.x" ;;
    "-m venv "*) mkdir -p "$3/bin" && cp "$0" "$3/bin/python" ;;
    *"--require-hashes"*)
        echo "Ignoring gone: markers 'sys_platform == \\"win32\\"' don't match your environment"
        echo "Requirement already satisfied: there==1 in ./lib"
        echo "Collecting tea==2.0 (from -r requirements.txt (line 1))"
        echo "  Downloading tea-2.0-py3-none-any.whl (2 kB)"
        echo "Processing /wheels/pot-3-py3-none-any.whl (from -r requirements.txt (line 2))"
        echo "Installing collected packages: tea, pot"
        if [ -n "${BROKEN:-}" ]; then echo "ERROR: no room" >&2; exit 1; fi
        ;;
esac
"""
"""Stands for a Python: it writes down what it is asked to do, and says what pip says."""
STEPS: Final = [
    "Making .venv with Python 3.x ...",
    "Fetching what Hathi needs, once:",
    "  2 of 3: tea==2.0",
    "  3 of 3: pot-3",
    "  unpacking them",
    "Installing Hathi ...",
]
FETCH, INSTALL = "--require-hashes -r requirements.txt", "--no-deps --no-build-isolation ."


class Checkout:
    """A checkout with nothing in it, on a machine with the Pythons of these names and no other."""

    def __init__(self, folder: Path, *pythons: str) -> None:
        self.folder, self._path = folder / "hathi", folder / "path"
        for name in ("bot", "cogs", "sql", "deploy"):
            (self.folder / name).mkdir(parents=True)
        for name in ("pyproject.toml", "README.md", "LICENSE", "deploy/hathi.service"):
            (self.folder / name).touch()
        (self.folder / "requirements.txt").write_text("there==1\ntea==2.0 \\\n    --hash=x\npot==3\ngone==4\n")
        shutil.copy(ROOT / "deploy/install.sh", self.folder / "deploy")
        self._path.mkdir()
        for name in TOOLS:
            found = shutil.which(name)
            assert found is not None
            (self._path / name).symlink_to(found)
        for name in pythons:
            (self._path / name).write_text(PYTHON)
            (self._path / name).chmod(0o755)

    def install(self, *arguments: str, **environment: str) -> tuple[int, list[str], list[str]]:
        """How it ended, what it said, and what was asked of pip meanwhile."""
        log = self.folder / "log"
        log.write_text("")
        done = subprocess.run(
            ["bash", self.folder / "deploy/install.sh", *arguments],
            capture_output=True,
            text=True,
            check=False,
            env={"PATH": str(self._path), "LOG": str(log)} | environment,
        )
        assert done.stdout == ""  # it is for what Hathi answers
        asked = [line for line in log.read_text().splitlines() if line.startswith("-m pip")]
        return done.returncode, done.stderr.splitlines(), asked


@pytest.mark.parametrize("name", ["python3.11", "python3.12", "python3.13", "python3"])
def test_whichever_python_is_there_is_taken(tmp_path: Path, name: str) -> None:
    """One is enough, under any of its names; each step is told before it is done, and each package as it comes."""
    ended, said, asked = Checkout(tmp_path, name).install()

    assert (0, STEPS) == (ended, said)
    assert [True, True] == [wanted in line for wanted, line in zip((FETCH, INSTALL), asked, strict=True)]


@pytest.mark.parametrize(("pythons", "environment"), [((), {}), (("python3.11", "python3"), {"UNFIT": "1"})])
def test_without_a_python_it_says_what_is_needed(
    tmp_path: Path, pythons: tuple[str, ...], environment: dict[str, str]
) -> None:
    """Where there is none, or none that is new enough and can make an environment; and nothing is begun."""
    checkout = Checkout(tmp_path, *pythons)
    ended, said, asked = checkout.install(**environment)

    assert (1, []) == (ended, asked)
    assert "Python 3.11, 3.12 or 3.13" in said[0]
    assert "python3-venv" in said[0]
    assert not (checkout.folder / ".venv").exists()


@pytest.mark.parametrize(("minor", "ended"), [(10, 1), (11, 0), (12, 0), (13, 0)])
def test_an_older_python_is_passed_over(minor: int, ended: int) -> None:
    """What a Python is asked tells those that are new enough."""
    (check,) = re.findall(r"-c '(import [^']+)'", (ROOT / "deploy/install.sh").read_text("utf-8"))
    program = f"import sys; sys.version_info = (3, {minor}, 0); {check}"

    assert ended == subprocess.run([sys.executable, "-c", program], check=False).returncode


def test_only_what_has_changed_is_installed_again(tmp_path: Path) -> None:
    """Nothing where nothing did; Hathi after its own files; everything after what is pinned."""
    checkout = Checkout(tmp_path, "python3")
    checkout.install()
    nothing = checkout.install()
    (checkout.folder / "bot/app.py").touch()
    own = checkout.install()
    (checkout.folder / "requirements.txt").write_text("tea==2.1\n")
    all_of_it = checkout.install()

    assert (0, [], []) == nothing
    assert (0, STEPS[-1:]) == own[:2]
    assert (STEPS[1], STEPS[-1]) == (all_of_it[1][0], all_of_it[1][-1])


def test_what_pip_can_t_do_ends_it(tmp_path: Path) -> None:
    """In pip's own words, and the next time it is tried again."""
    checkout = Checkout(tmp_path, "python3")
    ended, said, _ = checkout.install(BROKEN="1")

    assert 1 == ended
    assert "ERROR: no room" in said
    assert STEPS[1:] == checkout.install()[1]


def test_folder_and_requirements_can_be_chosen(tmp_path: Path) -> None:
    """As where systemd looks for Hathi, with a sentence model."""
    checkout = Checkout(tmp_path, "python3")
    (checkout.folder / "more.txt").write_text("tea==2.0\n")
    _, said, asked = checkout.install(str(tmp_path / "opt"), "more.txt")

    assert f"Making {tmp_path}/opt with Python 3.x ..." == said[0]
    assert "-r more.txt" in asked[0]
    assert not (checkout.folder / ".venv").exists()
