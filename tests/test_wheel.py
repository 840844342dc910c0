"""The wheel, installed and run where there is no checkout; and the files of pinned requirements it needs."""

import email
import os
import re
import subprocess
import sys
import sysconfig
import tempfile
import tomllib
import venv
import zipfile
from collections.abc import Generator
from dataclasses import dataclass
from pathlib import Path

import pytest

import bot
from bot.llm import local_vectors
from bot.mcp import sdk

ROOT = Path(__file__).parents[1]
_PIN = re.compile(
    r"^([a-z0-9-]+)==(\S+)(?: ;[^\\]*)? \\\n((?:    --hash=sha256:[0-9a-f]{64}(?: \\)?\n)+)", re.MULTILINE
)
_NAME = re.compile(r"[A-Za-z0-9._-]+")
_PYTHONS = ["3.11", "3.12", "3.13"]
"""Those it is for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Installed:
    """Hathi from its wheel, in a place of its own."""

    folder: Path
    wheel: Path

    def run(self, *arguments: str, said: str = "") -> subprocess.CompletedProcess[str]:
        """`hathi …`, with nothing of this process's environment."""
        return subprocess.run(
            [self.folder / "venv/bin/hathi", *arguments],
            input=said,
            capture_output=True,
            text=True,
            timeout=120,
            cwd=self.folder,
            env={"HOME": str(self.folder), "HATHI_DATA_DIR": str(self.folder / "data"), "PATH": "/usr/bin:/bin"},
            check=False,
        )


@pytest.fixture(scope="module")
def installed() -> Generator[Installed]:
    """The wheel of this checkout in a fresh environment that borrows the dependencies of this one."""
    with tempfile.TemporaryDirectory(dir="/tmp", prefix="hathi-wheel-") as name:
        folder = Path(name)
        # Reachable by the account that serves, when the tests run as root.
        folder.chmod(0o711)
        offline = ("--quiet", "--disable-pip-version-check", "--no-deps", "--no-index")
        _pip("wheel", *offline, "--no-build-isolation", "--wheel-dir", name, str(ROOT))
        (wheel,) = folder.glob("*.whl")
        venv.create(folder / "venv", symlinks=True)
        _pip("--python", str(folder / "venv/bin/python"), "install", *offline, str(wheel))
        (site,) = (folder / "venv/lib").glob("python3.*/site-packages")
        (site / "borrowed.pth").write_text(f"{sysconfig.get_path('purelib')}\n{sysconfig.get_path('platlib')}\n")
        yield Installed(folder=folder, wheel=wheel)


def _pip(*arguments: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "pip", *arguments],
        capture_output=True,
        text=True,
        timeout=300,
        env=os.environ | {"PIP_ROOT_USER_ACTION": "ignore"},
        check=False,
    )
    assert done.returncode == 0, done.stderr


def test_the_wheel_ships_what_is_no_python(installed: Installed) -> None:
    """Migrations, statements, texts, the unit, marks of types and the licence lie in the wheel; no test does."""
    with zipfile.ZipFile(installed.wheel) as opened:
        shipped = set(opened.namelist())
    wanted = {f"bot/{path.relative_to(ROOT)}" for path in ROOT.glob("sql/**/*.sql")}
    for folder in ("defaults", "locale"):
        wanted |= {str(path.relative_to(ROOT)) for path in ROOT.glob(f"bot/{folder}/**/*") if path.is_file()}
    wanted |= {"bot/py.typed", "cogs/py.typed", "bot/deploy/hathi.service"}

    assert len(wanted) > 10
    assert wanted - shipped == set()
    assert [name for name in shipped if name.endswith("licenses/LICENSE")] != []
    assert [name for name in shipped if name.startswith(("tests", "sql", "docs"))] == []


def test_the_wheel_is_no_other_program_s(installed: Installed) -> None:
    """It is called hathi-bot, as hathi is taken; its command is hathi, and it says which Pythons it is for."""
    with zipfile.ZipFile(installed.wheel) as opened:
        (told,) = (name for name in opened.namelist() if name.endswith(".dist-info/METADATA"))
        metadata = email.message_from_bytes(opened.read(told))
        scripts = opened.read(told.replace("METADATA", "entry_points.txt")).decode()
    version = re.compile(r"Programming Language :: Python :: (\d\.\d+)")

    assert (metadata["Name"], installed.wheel.name.split("-")[0]) == ("hathi-bot", "hathi_bot")
    assert re.findall(r"^(\S+) = ", scripts, re.MULTILINE) == ["hathi"]
    assert [one[1] for line in metadata.get_all("Classifier", []) if (one := version.match(line))] == _PYTHONS
    assert metadata["Requires-Python"] == f">={_PYTHONS[0]}"


def test_each_extra_has_its_requirements() -> None:
    """What can be asked for beside the program is pinned, by its name; the one that an error names is among them."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = set(project["optional-dependencies"])
    pinned = {path.stem.removeprefix("requirements-") for path in ROOT.glob("requirements-*.txt")}
    pinned.remove("pictures")  # what draws them is no part of the program

    assert extras == pinned
    assert {local_vectors.EXTRA, sdk.EXTRA} <= {f"{project['name']}[{extra}]" for extra in extras}


def test_what_draws_pictures_is_pinned_as_the_rest_is() -> None:
    """By hashes, and no package in another version than the one that is tested."""
    pins = {name: _pins(ROOT / f"requirements-{name}.txt") for name in ("pictures", "dev")}
    both = pins["pictures"].keys() & pins["dev"].keys()

    assert {name: pins["dev"][name] for name in both} == {name: pins["pictures"][name] for name in both}
    assert "simcord" in both


def _pins(file: Path) -> dict[str, str]:
    """The versions that a file pins, of which each has a hash."""
    pins = re.findall(r"^(\S+)==(\S+).*\n +--hash=sha256:", file.read_text(encoding="utf-8"), re.MULTILINE)
    assert len(pins) == len(re.findall(r"^\S+==", file.read_text(encoding="utf-8"), re.MULTILINE))
    return dict(pins)


def test_the_wheel_runs_without_the_checkout(installed: Installed) -> None:
    """The installed program tells its version, and imports nothing from the checkout."""
    version = installed.run("--version")
    where = subprocess.run(
        [installed.folder / "venv/bin/python", "-I", "-c", "import bot; print(bot.__file__)"],
        capture_output=True,
        text=True,
        cwd=installed.folder,
        check=True,
    )

    assert (version.returncode, version.stdout) == (0, f"hathi {bot.__version__}\n")
    assert Path(where.stdout.strip()).is_relative_to(installed.folder)


def test_the_wheel_chats(installed: Installed) -> None:
    """Piped lines are answered in order by a database made on the spot, and the end of input is exit 0."""
    done = installed.run(said="!help\n!remember the spare key hangs behind the clock\nwhere did I say the key is?\n")

    assert done.returncode == 0, done.stderr
    assert "!remember   Keep a fact." in done.stdout
    assert "the spare key hangs behind the clock" in done.stdout
    assert "Traceback" not in done.stdout + done.stderr


def test_a_wrong_setting_is_exit_78(installed: Installed) -> None:
    """A setting that can't be is one sentence that names it, and exit 78."""
    (installed.folder / "wrong.toml").write_text("[messages]\nkeep_days = -1\n")
    done = installed.run("--config", "wrong.toml", "migrate")

    assert (done.returncode, done.stdout) == (78, "")
    assert "messages.keep_days" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("name", "extras"),
    [
        ("requirements.txt", ()),
        ("requirements-local.txt", ("local",)),
        ("requirements-mcp.txt", ("mcp",)),
        ("requirements-dev.txt", ("dev", "local", "mcp")),
    ],
)
def test_requirements_are_complete(name: str, extras: tuple[str, ...]) -> None:
    """Each file pins every direct requirement and the build backend, each line with hashes, and names no address."""
    text = (ROOT / name).read_text(encoding="utf-8")
    pinned = {match[1] for match in _PIN.finditer(text)}
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    wanted = [*project["project"]["dependencies"], *project["build-system"]["requires"]]
    for extra in extras:
        wanted += project["project"]["optional-dependencies"][extra]
    lines = [line for line in text.splitlines() if not line.startswith((" ", "#"))]

    assert {match[0].lower().replace(".", "-") for line in wanted if (match := _NAME.match(line))} - pinned == set()
    assert len(lines) == len(pinned)
    assert re.findall(r"(?i)://|index|find-links", text) == []


def test_requirements_agree() -> None:
    """What the tests ran with is what whoever runs Hathi installs: a longer file holds the shorter, hash by hash."""
    short, local, mcp, long = (
        {match[1]: (match[2], match[3]) for match in _PIN.finditer((ROOT / name).read_text(encoding="utf-8"))}
        for name in ("requirements.txt", "requirements-local.txt", "requirements-mcp.txt", "requirements-dev.txt")
    )

    for longer in (local, mcp):
        assert {name: pin for name, pin in short.items() if longer.get(name) != pin} == {}
        assert {name: pin for name, pin in longer.items() if long.get(name) != pin} == {}


def test_a_plain_install_brings_no_extras() -> None:
    """What a local model and tools of others need is for those who want them."""
    heavy = {match[1] for match in _PIN.finditer((ROOT / "requirements.txt").read_text(encoding="utf-8"))}
    assert heavy & {"mcp", "numpy", "onnxruntime", "tokenizers"} == set()
