"""The systemd unit and the Procfile: what they say, how well they lock Hathi in, and that Hathi works locked in."""

import os
import pwd
import re
import shutil
import socket
import subprocess
import sys
import sysconfig
import tempfile
import venv
from collections.abc import Generator
from ctypes.util import find_library
from pathlib import Path

import pytest

from bot import errors

ROOT = Path(__file__).parents[2]
UNIT = ROOT / "deploy/hathi.service"
_SANDBOX = Path(__file__).with_name("sandbox.py")
_NOBODY = "nobody"
_NETWORK = """
import asyncio, socket, ssl, sys, uvloop
async def main():
    server = await asyncio.start_server(lambda r, w: w.close(), "127.0.0.1", 0)
    _, writer = await asyncio.open_connection("localhost", server.sockets[0].getsockname()[1], family=socket.AF_INET)
    writer.close()
    server.close()
    child = await asyncio.create_subprocess_exec(sys.executable, "-c", "", start_new_session=True)
    assert await child.wait() == 0
ssl.create_default_context()
asyncio.run(main())
with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
    runner.run(main())
"""


@pytest.fixture
def analyze() -> str:
    """The program that judges units; skips where there is none."""
    found = shutil.which("systemd-analyze")
    if found is None:
        pytest.skip("systemd-analyze is not installed (Debian: systemd)")
    return found


@pytest.fixture
def folder() -> Generator[Path]:
    """A folder of whoever serves here: nobody's, when the tests run as root."""
    with tempfile.TemporaryDirectory(dir="/tmp", prefix="hathi-unit-") as name:
        if not os.geteuid():
            shutil.chown(name, _NOBODY)
        yield Path(name)


def settings(name: str) -> list[str]:
    """Every value the unit gives a setting, in order."""
    return re.findall(rf"^{name}=(.*)$", UNIT.read_text("utf-8"), re.MULTILINE)


def seconds(name: str) -> int:
    """The one value of a setting, which stands in seconds."""
    (value,) = settings(name)
    return int(value.removesuffix("s"))


def allowed(analyze: str) -> set[str]:
    """The system calls that the unit's filters leave."""
    done = subprocess.run([analyze, "--no-pager", "syscall-filter"], capture_output=True, text=True, check=True)
    groups: dict[str, list[str]] = {}
    group: list[str] = []
    for line in done.stdout.splitlines():
        if line.startswith("@"):
            group = groups.setdefault(line, [])
        elif line.startswith("    ") and not line.lstrip().startswith("#"):
            group.append(line.strip())

    def calls(name: str) -> set[str]:
        if not name.startswith("@"):
            return {name}
        return {call for part in groups[name] for call in calls(part)}

    left: set[str] = set()
    for value in settings("SystemCallFilter"):
        named = {call for name in value.removeprefix("~").split() for call in calls(name)}
        left = left - named if value.startswith("~") else left | named
    return left


def locked_in(analyze: str, folder: Path, *command: str, said: str = "") -> subprocess.CompletedProcess[str]:
    """Run a program of this environment under the unit's filters, as an account without rights."""
    if find_library("seccomp") is None:
        pytest.skip("libseccomp is not installed (Debian: libseccomp2)")
    families = ",".join(str(int(getattr(socket, name))) for name in settings("RestrictAddressFamilies")[0].split())
    return subprocess.run(
        [*_without_rights(), sys.executable, str(_SANDBOX), ",".join(sorted(allowed(analyze))), families, *command],
        input=said,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
        cwd=folder,
        env={
            "HOME": str(folder),
            "PATH": "/usr/bin:/bin",
            "PYTHONPATH": str(ROOT),
            "HATHI_DATA_DIR": str(folder / "data"),
        },
    )


def _without_rights() -> list[str]:
    """What makes root nobody, who may still read a checkout and a Python below /root."""
    if os.geteuid():
        return []
    group = str(pwd.getpwnam(_NOBODY).pw_gid)
    reading = ("--inh-caps=+dac_read_search", "--ambient-caps=+dac_read_search")
    return ["setpriv", f"--reuid={_NOBODY}", f"--regid={group}", "--clear-groups", *reading]


def test_the_unit_locks_hathi_in(analyze: str) -> None:
    """Systemd's own judgement of the unit is an exposure of at most 1.5."""
    done = subprocess.run(
        [analyze, "--no-pager", "security", "--offline=true", "--threshold=15", str(UNIT)],
        capture_output=True,
        text=True,
        check=False,
    )
    exposure = re.search(r"Overall exposure level for hathi\.service: ([0-9.]+)", done.stdout)

    assert exposure is not None, done.stderr
    assert float(exposure[1]) <= 1.5
    assert done.returncode == 0


def test_systemd_takes_the_unit(analyze: str, tmp_path: Path) -> None:
    """Systemd knows every setting of the unit and says nothing against it."""
    unit = tmp_path / UNIT.name
    unit.write_text(re.sub(r"(?m)^ExecStart=\S+", "ExecStart=/bin/true", UNIT.read_text("utf-8")), "utf-8")
    done = subprocess.run(
        [analyze, "verify", "--man=no", "--recursive-errors=no", str(unit)], capture_output=True, text=True, check=False
    )

    assert (0, "") == (done.returncode, done.stderr)


def test_hathi_works_locked_in(analyze: str, folder: Path) -> None:
    """Under the unit's filters a database is created and served, and a conversation kept in it."""
    hathi = str(Path(sys.executable).with_name("python"))
    said = "!remember the spare key hangs behind the clock\nwhere did I say the key is?\n"
    done = locked_in(analyze, folder, hathi, "-m", "bot", said=said)

    assert done.returncode == 0, done.stderr
    assert "the spare key hangs behind the clock" in done.stdout
    assert "Traceback" not in done.stderr


def test_the_network_works_locked_in(analyze: str, folder: Path) -> None:
    """Under the unit's filters names are resolved, connections made and taken, and certificates loaded."""
    done = locked_in(analyze, folder, sys.executable, "-c", _NETWORK)

    assert (0, "") == (done.returncode, done.stderr)


def test_the_lock_holds(analyze: str, folder: Path) -> None:
    """The filters of these tests do refuse what the unit refuses: another user, another address family."""
    for forbidden in (
        "os.setgroups([])",
        "socket.socket(socket.AF_NETLINK, socket.SOCK_RAW)",
        "mmap.mmap(-1, 1, prot=7)",
    ):
        done = locked_in(analyze, folder, sys.executable, "-c", f"import mmap, os, socket; {forbidden}")

        assert "PermissionError: [Errno 1]" in done.stderr, forbidden


def test_stopping_has_time() -> None:
    """Systemd waits longer for a stop than the answers in hand and the embedded server may take together."""
    from bot.db.embedded import server

    answers = 20
    limits = server.STOP_LIMIT + server.QUIT_LIMIT

    assert answers + limits.total_seconds() < seconds("TimeoutStopSec")


def test_no_settings_error_is_tried_again() -> None:
    """What exits with the code of a wrong setting is not started again."""
    assert [str(errors.SettingsError.exit_code)] == settings("RestartPreventExitStatus")


def test_no_token_is_lost_to_restarts() -> None:
    """Restarts stay below the thousand logins a day that Discord allows."""
    assert ["1d"] == settings("StartLimitIntervalSec")
    assert int(settings("StartLimitBurst")[0]) < 1000


def procfile() -> dict[str, str]:
    """The command of each process."""
    lines = (ROOT / "Procfile").read_text("utf-8").splitlines()
    return dict(line.split(": ", 1) for line in lines)


@pytest.fixture
def slug() -> Generator[Path]:
    """What a buildpack makes: the checkout as it is, beside an environment with what `requirements.txt` names."""
    with tempfile.TemporaryDirectory(dir="/tmp", prefix="hathi-slug-") as name:
        folder = Path(name)
        # Reachable by the account that serves, when the tests run as root.
        folder.chmod(0o711)
        app = folder / "app"
        app.mkdir()
        for part in ("bot", "cogs", "sql"):
            shutil.copytree(ROOT / part, app / part, ignore=shutil.ignore_patterns("__pycache__"))
        for part in ("Procfile", "pyproject.toml", "requirements.txt"):
            shutil.copy(ROOT / part, app)
        venv.create(folder / "venv", symlinks=True)
        (site,) = (folder / "venv/lib").glob("python3.*/site-packages")
        # The pinned packages of this environment, but not Hathi, which stands there by a file that is not followed.
        (site / "borrowed.pth").write_text(f"{sysconfig.get_path('purelib')}\n{sysconfig.get_path('platlib')}\n")
        yield folder


def _start(slug: Path, command: str) -> subprocess.CompletedProcess[str]:
    """A process as the platform starts it: by a shell, in the checkout."""
    return subprocess.run(
        ["/bin/sh", "-c", command],
        capture_output=True,
        text=True,
        timeout=120,
        cwd=slug / "app",
        env={"HOME": str(slug), "HATHI_DATA_DIR": str(slug / "data"), "PATH": f"{slug / 'venv/bin'}:/usr/bin:/bin"},
        check=False,
    )


def test_the_procfile_runs_after_pip_install_alone(slug: Path) -> None:
    """The schema first, then the worker, where nothing but the requirements is installed: no `hathi` is needed."""
    commands = procfile()
    release, worker = _start(slug, commands["release"]), _start(slug, commands["worker"])

    assert ["release", "worker"] == [*commands]
    assert 0 == release.returncode, release.stderr
    assert errors.SettingsError.exit_code == worker.returncode, worker.stderr
    assert "DISCORD_TOKEN" in worker.stderr
    assert 127 == _start(slug, "hathi run").returncode
