"""Servers other than the embedded one: Postgres 15, TLS, and PgBouncer in transaction mode."""

import asyncio
import json
import tempfile
from collections.abc import Callable, Generator
from pathlib import Path
from typing import Final

import pytest

from bot.config import DatabaseSettings
from bot.db import pool
from bot.domain import NOTHING_FOUND
from tests import people
from tests.conftest import Clock
from tests.conversations import roles, room
from tests.faults import servers
from tests.faults.servers import Postgres
from tests.faults.terminals import command, environment, said
from tests.model_server import ModelServer, Reply

FACT: Final = {"room": "projects", "topic": "retro", "content": "The retro is on Tuesday.", "importance": 5}


@pytest.fixture(scope="module")
def folder() -> Generator[Path]:
    """Where the servers of this file live."""
    with tempfile.TemporaryDirectory(dir="/tmp", prefix="hathi-servers-") as made:
        Path(made).chmod(0o711)
        yield Path(made)


@pytest.fixture(scope="module")
def fifteen(folder: Path) -> Generator[Postgres]:
    """One Postgres 15 for this file; Hathi's role there is no superuser."""
    with servers.postgres(folder) as running:
        yield running


async def _chat(folder: Path, env: dict[str, str], behind: str) -> None:
    """Everything a person can do at the terminal, on a database that is empty at first; `behind` is the way round."""
    first = await said(
        folder,
        env,
        "remember that the vault code is 4417.",
        "We decided to ship the parser on Friday.",
        "What did I say about the parser?",
        "!recall vault",
        "!reset",
        "exit",
    )
    assert "[memory] saved: topic=vault code (imp=8) #1" in first
    assert "We decided to ship the parser on Friday." in first
    assert "the vault code is 4417." in first
    assert "[memory] Summarized 6 messages → 1 memory saved." in first
    async with pool.opened(behind, DatabaseSettings(pool_size=1)) as database, database.connection() as connection:
        await connection.execute("UPDATE memory SET reinforced_at = reinforced_at - interval '2 hours'")
    second = await said(
        folder,
        env,
        "!age preview older_than_hours:1",
        "!age older_than_hours:1",
        "!memories",
        "!forget 1",
        "!recall vault tier:short",
        "!undo",
        "!recall vault",
        "Where did we leave off?",
        "!sessions",
        "!status",
        "exit",
    )
    assert "Would age 1 memory" in second
    assert "Aged 1 memory " in second
    assert "[memory] forgotten: #1 " in second
    assert NOTHING_FOUND in second
    assert "[memory] back: #1 " in second
    assert "summary of session 1, " in second
    code, out, err = await command(folder, env, "export", "-")
    assert code == 0, err
    kinds = [json.loads(line).get("kind") for line in out.splitlines()]
    assert (kinds.count("memory"), kinds.count("message"), kinds.count("chat_summary")) == (2, 8, 1)


async def test_the_whole_chat_works_over_tls_on_postgres_15(fifteen: Postgres, folder: Path) -> None:
    """With `sslmode=require`: remember, recall, reset, age, forget, undo, leave off, export; the schema made there."""
    await _chat(folder, environment(folder, DATABASE_URL=fifteen.over_tls()), fifteen.locally("hathi"))


@pytest.mark.parametrize("mode", ["require", "verify-ca", "verify-full"])
async def test_tls_is_what_connects(fifteen: Postgres, mode: str) -> None:
    """The connection is encrypted in every mode that asks for it, the certificate checked where it is to be."""
    one = DatabaseSettings(pool_size=1)
    async with pool.opened(fifteen.over_tls(mode), one) as database, database.connection() as connection:
        assert await connection.fetchval("SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()")


@pytest.mark.parametrize(
    ("url", "says"),
    [
        (lambda server: server.over_tls("disable"), "refused the user or password"),
        (lambda server: server.over_tls(password="wrong"), "refused the user or password"),
        (lambda server: server.over_tls(database="nothing"), "does not exist; create it"),
        (lambda _: f"postgresql://hathi@localhost:{servers.free_port()}/hathi", "can't be reached; is it running?"),
    ],
    ids=["without TLS", "wrong password", "no such database", "nobody there"],
)
async def test_a_server_that_refuses_is_one_sentence(
    fifteen: Postgres, folder: Path, url: Callable[[Postgres], str], says: str
) -> None:
    """On standard error, with exit 1 and no traceback, and without the password."""
    code, out, err = await command(folder, environment(folder, DATABASE_URL=url(fifteen)), "migrate")
    assert (code, out) == (1, "")
    assert says in err
    assert "Traceback" not in err
    assert servers.PASSWORD not in err


@pytest.mark.parametrize("prepared", [False, True], ids=["without prepared statements", "with prepared statements"])
async def test_the_whole_chat_works_through_pgbouncer(fifteen: Postgres, folder: Path, prepared: bool) -> None:
    """In transaction mode with three server connections, whatever connection a statement lands on."""
    if prepared and (0, 0) < servers.bouncer_version() < (1, 21):
        pytest.skip("PgBouncer keeps prepared statements from 1.21 on")
    name = f"bounced_{prepared}".lower()
    fifteen.create(name)
    with servers.pgbouncer(folder, fifteen, name) as url:
        setting = str(prepared).lower()
        env = environment(folder, DATABASE_URL=url, HATHI_DATABASE__PREPARED_STATEMENTS=setting)
        await _chat(folder, env, fifteen.locally(name))


async def test_twenty_channels_share_three_connections_of_pgbouncer(
    fifteen: Postgres, folder: Path, clock: Clock
) -> None:
    """Ten client connections on three of the server: every question has its reply, every reset its end."""
    fifteen.create("crowd")
    script = json.dumps({"summary": "They met.", "facts": [FACT | {"evidence": [1]}]})
    with servers.pgbouncer(folder, fifteen, "crowd") as url:
        async with (
            ModelServer(always=lambda body: Reply(text=script if "response_format" in body else "Fine.")) as server,
            pool.opened(url, DatabaseSettings(pool_size=10, prepared_statements=False)) as database,
            room(database, clock, models=roles(server.base_url)) as r,
        ):
            strangers = [people.caller(channel=1000 + n, person=1000 + n) for n in range(20)]
            callers = [await r.app.enter(by, channel_name="other", mode="all") for by in strangers]
            answers = await asyncio.gather(*(r.say("The retro is on Tuesday.", by) for by in callers))
            await asyncio.gather(*(r.run("!reset", by) for by in callers))
            await r.app.background.settled(20)
            async with database.connection() as connection:
                states = await connection.fetch("SELECT state, count(*) FROM session GROUP BY state ORDER BY state")
    assert {answer.text for answer in answers} == {"Fine."}
    assert len(r.later) == 20
    assert [tuple(row) for row in states] == [("open", 21), ("summarised", 20)]
