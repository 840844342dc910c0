"""Postgres and PgBouncer as Debian packages them, on loopback, each stopped by the pid it was started with."""

import contextlib
import os
import re
import shutil
import signal
import socket
import subprocess
from collections.abc import Generator
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Final

import pytest

from tests.waiting import eventually_there

BINARIES: Final = Path("/usr/lib/postgresql/15/bin")
BOUNCER: Final = Path("/usr/sbin/pgbouncer")
ACCOUNT: Final = "postgres"
"""Whose account the servers run as when the tests run as root: they refuse to be root's."""
PASSWORD: Final = "correct horse"
_START: Final = timedelta(seconds=20)
_STOP: Final = 10.0


@dataclass(frozen=True, kw_only=True)
class Postgres:
    """A running server: TLS with a password on its port, no password on its socket."""

    port: int
    socket: Path
    certificate: Path

    def over_tls(self, mode: str = "require", *, password: str = PASSWORD, database: str = "hathi") -> str:
        """Its address over TCP."""
        trusted = f"&sslrootcert={self.certificate}" if mode.startswith("verify") else ""
        secret = password.replace(" ", "%20")
        return f"postgresql://hathi:{secret}@localhost:{self.port}/{database}?sslmode={mode}{trusted}"

    def locally(self, database: str) -> str:
        """Its address by its socket."""
        return f"postgresql://hathi@/{database}?host={self.socket}&port={self.port}"

    def create(self, database: str) -> None:
        """Make an empty database."""
        _as_account([BINARIES / "createdb", "-h", self.socket, "-p", self.port, "-U", ACCOUNT, "-O", "hathi", database])


def free_port() -> int:
    """A port nobody listens on."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        return listening.getsockname()[1]


@contextlib.contextmanager
def postgres(folder: Path) -> Generator[Postgres]:
    """A new Postgres 15, gone with the block; skips where there is none."""
    if not (BINARIES / "postgres").exists():
        pytest.skip(f"there is no Postgres in {BINARIES}")
    if shutil.which("openssl") is None:
        pytest.skip("there is no openssl to make a certificate with")
    home = _owned(folder / "postgres15")
    data = home / "data"
    _as_account([BINARIES / "initdb", "-D", data, "-U", ACCOUNT, "--auth=trust", "-E", "UTF8", "--no-sync"])
    certificate = _certificate(home)
    (data / "pg_hba.conf").write_text(
        "local all all trust\nhostssl all all 127.0.0.1/32 scram-sha-256\nhostnossl all all 127.0.0.1/32 reject\n",
        "ascii",
    )
    port = free_port()
    settings = {
        "listen_addresses": "127.0.0.1",
        "port": port,
        "unix_socket_directories": home,
        "fsync": "off",
        "ssl": "on",
        "ssl_cert_file": certificate,
        "ssl_key_file": home / "server.key",
        "max_connections": 40,
    }
    words = [word for name, value in settings.items() for word in ("-c", f"{name}={value}")]
    with _running([BINARIES / "postgres", "-D", data, *words], home / "log", port):
        found = Postgres(port=port, socket=home, certificate=certificate)
        # It listens before it answers.
        eventually_there(lambda: _answers(home, port), within=_START)
        psql = [BINARIES / "psql", "-h", home, "-p", port, "-U", ACCOUNT, "-d", "postgres", "-qc"]
        _as_account([*psql, f"CREATE ROLE hathi LOGIN PASSWORD '{PASSWORD}'"])
        found.create("hathi")
        yield found


@contextlib.contextmanager
def pgbouncer(folder: Path, server: Postgres, database: str) -> Generator[str]:
    """The address of a pooler in transaction mode with three connections to the server; skips where there is none."""
    if not BOUNCER.exists():
        pytest.skip(f"there is no {BOUNCER}")
    home, port = _owned(folder / f"bouncer-{database}"), free_port()
    (home / "users.txt").write_text('"hathi" ""\n', "ascii")
    (home / "pgbouncer.ini").write_text(
        f"[databases]\n{database} = host={server.socket} port={server.port} user=hathi\n[pgbouncer]\n"
        f"listen_addr = 127.0.0.1\nlisten_port = {port}\nunix_socket_dir =\nauth_type = trust\n"
        f"auth_file = {home / 'users.txt'}\npool_mode = transaction\ndefault_pool_size = 3\nmax_client_conn = 100\n"
        + ("max_prepared_statements = 100\n" if bouncer_version() >= (1, 21) else ""),
        "ascii",
    )
    with _running([BOUNCER, home / "pgbouncer.ini"], home / "log", port):
        yield f"postgresql://hathi@127.0.0.1:{port}/{database}"


def bouncer_version() -> tuple[int, int]:
    """Major and minor, or zeros where there is none."""
    if not BOUNCER.exists():
        return (0, 0)
    said = subprocess.run([BOUNCER, "--version"], capture_output=True, text=True, check=True).stdout
    found = re.search(r"PgBouncer (\d+)\.(\d+)", said)
    return (int(found[1]), int(found[2])) if found else (0, 0)


def _certificate(home: Path) -> Path:
    key, certificate = home / "server.key", home / "server.crt"
    _as_account(
        [
            "openssl",
            "req",
            "-x509",
            "-newkey",
            "ec",
            "-pkeyopt",
            "ec_paramgen_curve:prime256v1",
            "-nodes",
            "-days",
            "2",
            "-keyout",
            key,
            "-out",
            certificate,
            "-subj",
            "/CN=localhost",
            "-addext",
            "subjectAltName=DNS:localhost",
        ]
    )
    # The client reads it too.
    certificate.chmod(0o644)
    return certificate


def _owned(home: Path) -> Path:
    home.mkdir(mode=0o711)
    if not os.geteuid():
        shutil.chown(home, ACCOUNT, ACCOUNT)
    return home


def _account() -> str | None:
    return None if os.geteuid() else ACCOUNT


def _as_account(command: list[object]) -> None:
    words = [str(word) for word in command]
    done = subprocess.run(words, user=_account(), capture_output=True, text=True, cwd="/", check=False, timeout=60)
    assert not done.returncode, done.stderr


@contextlib.contextmanager
def _running(command: list[object], log: Path, port: int) -> Generator[None]:
    with log.open("wb") as out:
        started = subprocess.Popen(
            [str(word) for word in command],
            user=_account(),
            cwd="/",
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=out,
            extra_groups=[] if _account() else None,
        )
    try:
        eventually_there(lambda: started.poll() is not None or _listens(port), within=_START)
        assert started.poll() is None, log.read_text("utf-8", "replace")
        yield
    finally:
        started.send_signal(signal.SIGINT)
        try:
            started.wait(_STOP)
        except subprocess.TimeoutExpired:
            started.kill()
            started.wait()


def _answers(home: Path, port: int) -> bool:
    asked = [str(BINARIES / "pg_isready"), "-q", "-h", str(home), "-p", str(port)]
    return subprocess.run(asked, check=False, timeout=60).returncode == 0


def _listens(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0
