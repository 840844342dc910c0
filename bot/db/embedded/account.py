"""Chooses the user that the server's processes run as, and tells what that user can reach."""

import dataclasses
import grp
import os
import pwd
from pathlib import Path
from typing import Final

from bot import errors

_ACCOUNT: Final = "hathi"
# systemd documents 60706 to 61183 as used by nobody: neither by distributions, nor homed, nor DynamicUser.
_NUMBERS: Final = range(60_747, 60_847)


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Account:
    """A user and group that the server runs as; `drop` when we are root and must become it."""

    uid: int
    gid: int
    drop: bool


def is_root() -> bool:
    """Whether we are root, whose server Postgres refuses to run."""
    return os.geteuid() == 0


def ours() -> Account:
    """Ourselves; as root the account `hathi`, or else a number that belongs to nobody.

    A number of its own, and not `nobody` or `postgres`, because whoever shares the server's user can read the data.
    A server needs no entry in /etc/passwd (only creating a database does, see `lent`).
    """
    if not is_root():
        return Account(uid=os.geteuid(), gid=os.getegid(), drop=False)
    try:
        entry = pwd.getpwnam(_ACCOUNT)
    except KeyError:
        entry = None
    if entry and entry.pw_uid:
        return Account(uid=entry.pw_uid, gid=entry.pw_gid, drop=True)
    for number in _NUMBERS:
        if not _named(number) and not _group_named(number):
            return Account(uid=number, gid=number, drop=True)
    raise errors.EmbeddedServerError("As root, Hathi runs Postgres as the account `hathi`: create it (useradd -r).")


def of(path: Path) -> Account:
    """The owner of `path`: what a directory's server runs as when root opens it."""
    stat = path.stat()
    return Account(uid=stat.st_uid, gid=stat.st_gid, drop=is_root())


def lent(account: Account) -> Account:
    """`account`, or the same group under a user that has a name: initdb refuses to run as a user without one.

    The borrowed user's other processes have another group, so they can neither enter our directory nor trace initdb.
    """
    if _named(account.uid):
        return account
    if not account.drop:
        raise errors.EmbeddedServerError(
            f"User id {account.uid} has no entry in /etc/passwd, and Postgres can't create a database without one: "
            "add one, or set DATABASE_URL to a Postgres of your own."
        )
    named = sorted((e for e in pwd.getpwall() if e.pw_uid), key=lambda e: (e.pw_name != "nobody", -e.pw_uid))
    if not named:
        raise errors.EmbeddedServerError("/etc/passwd names no user but root: create the account `hathi`.")
    return dataclasses.replace(account, uid=named[0].pw_uid)


def reaches(account: Account, path: Path) -> bool:
    """Whether `account` may enter every directory down to and including `path`, by their modes.

    Asked only as root, about an account without further groups.
    """
    real = path.resolve()
    return all(_may_enter(account, folder.stat()) for folder in (real, *real.parents))


def _may_enter(account: Account, stat: os.stat_result) -> bool:
    if stat.st_uid == account.uid:
        return bool(stat.st_mode & 0o100)
    if stat.st_gid == account.gid:
        return bool(stat.st_mode & 0o010)
    return bool(stat.st_mode & 0o001)


def _named(uid: int) -> bool:
    try:
        pwd.getpwuid(uid)
    except KeyError:
        return False
    return True


def _group_named(gid: int) -> bool:
    try:
        grp.getgrgid(gid)
    except KeyError:
        return False
    return True
