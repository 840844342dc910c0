"""Installs Hathi as a service of systemd: of the machine, where root asks for it, else of one's own account."""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from importlib import resources
from pathlib import Path
from typing import Final

import platformdirs

from bot import errors

NAME: Final = "hathi.service"
RUNNING: Final = Path("/run/systemd/system")
"""It is there where systemd runs the machine."""
MACHINE: Final = Path("/etc/systemd/system")
MACHINE_SETTINGS: Final = Path("/etc/hathi")
"""Where the unit of the machine has its settings."""
_CLOSED: Final = ("/home", "/root", "/run/user")
"""What ProtectHome= of that unit shuts."""
_OF_AN_ACCOUNT: Final = re.compile(
    r"\[\w+\]|Description|StartLimit|Type|NotifyAccess|ExecStart|Environment=PYTHON|WorkingDirectory|Timeout|Watchdog|"
    r"KillMode|Restart|UMask|LimitCORE|TasksMax|NoNewPrivileges|WantedBy"
)
"""The lines of the unit that hold for a service of one's own account; the others need root."""
_PATIENCE: Final = 60.0
"""Seconds for a command of systemd's: a start is waited for no longer, and goes on."""


def is_possible() -> bool:
    """Whether systemd runs this machine, and can be told."""
    return RUNNING.is_dir() and shutil.which("systemctl") is not None


def is_for_machine() -> bool:
    """Whether it would be a service of the machine."""
    return os.geteuid() == 0


def why_not() -> str:
    """Why it can't be a service here, where systemd runs; empty where it can."""
    program = sys.executable
    if is_for_machine() and program.startswith(_CLOSED):
        return (
            f"{program} lies in a home, which a service of the machine can't read: install Hathi in /opt/hathi, as "
            "docs/OPERATIONS.md has it, or run this as the account that is to run Hathi."
        )
    return ""


def unit(folder: Path) -> str:
    """The unit that runs this program with the settings in that folder."""
    own = Path(sys.executable).with_name("hathi")
    program = _quoted(own) if own.is_file() else f"{_quoted(Path(sys.executable))} -m bot"
    text = re.sub(r"^ExecStart=.*$", lambda _: f"ExecStart={program} run", _shipped(), flags=re.MULTILINE)
    if is_for_machine():
        return text
    at = str(folder.absolute()).replace("%", "%%")
    text = re.sub(r"^WorkingDirectory=.*$", lambda _: f"WorkingDirectory={at}", text, flags=re.MULTILINE)
    text = text.replace("WantedBy=multi-user.target", "WantedBy=default.target")
    kept = "\n".join(line for line in text.splitlines() if not line or _OF_AN_ACCOUNT.match(line))
    return f"# Made by hathi setup.\n\n{kept.strip()}\n"


def install(folder: Path, tell: Callable[[str], None]) -> None:
    """Writes the unit, enables and starts it. Raises `HathiError` where systemd refuses."""
    at = (MACHINE if is_for_machine() else platformdirs.user_config_path("systemd") / "user") / NAME
    text, before = unit(folder), at.read_text(encoding="utf-8") if at.is_file() else None
    if before != text:
        at.parent.mkdir(parents=True, exist_ok=True)
        at.write_text(text, encoding="utf-8")
        tell(f"{at}: {'written' if before is None else 'replaced'}.")
    which = ["systemctl"] if is_for_machine() else ["systemctl", "--user"]
    for command in ([*which, "daemon-reload"], [*which, "enable", NAME], [*which, "--no-block", "restart", NAME]):
        _told(command)
    look = f"{' '.join(which)} status hathi"
    tell(f"Hathi is started, now and with {'the machine' if is_for_machine() else 'your session'}: {look}")
    if not is_for_machine():
        tell("To have it go on when you log out: loginctl enable-linger")


def _told(command: list[str]) -> None:
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=_PATIENCE)  # noqa: S603 - no part of it is anybody's input
    except (OSError, subprocess.TimeoutExpired) as exc:
        raise errors.HathiError(f"{' '.join(command)}: {type(exc).__name__}; the settings are written.") from exc
    if done.returncode:
        said = " ".join(done.stderr.split())[:300]
        raise errors.HathiError(f"{' '.join(command)}: {said or done.returncode}; the settings are written.")


def _shipped() -> str:
    """The unit of this version: inside the installed package, or in a checkout."""
    packaged = resources.files("bot") / "deploy" / NAME
    found = packaged if packaged.is_file() else Path(__file__).parents[2] / "deploy" / NAME
    return found.read_text(encoding="utf-8")


def _quoted(path: Path) -> str:
    return f'"{path}"'.replace("%", "%%") if re.search(r"[\s%]", str(path)) else str(path)
