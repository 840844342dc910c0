"""The laws of `hathi doctor`."""

import io
import json
import sys
import tempfile
from collections.abc import AsyncGenerator
from datetime import timedelta
from importlib import resources
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from bot.cli import disk_encryption, doctor
from bot.config import DatabaseSettings
from bot.connection.client import INVITE_PERMISSIONS, NO_CONTENT, REFUSED
from bot.db import embedded, migrations, pool
from bot.db.pool import Database
from bot.infra import pulse
from bot.mcp import sdk
from tests import embedding_server, forge_server, sentence_models
from tests.bot.mcp.serving import PROGRAM
from tests.conftest import Clock
from tests.conversations import room
from tests.discord_server.bots import pointed_at
from tests.discord_server.permissions import Overwrite, Permission
from tests.discord_server.server import DiscordServer
from tests.discord_server.wire import Intent
from tests.embedding_server import EmbeddingServer, Step, Vectors
from tests.faults.servers import free_port
from tests.forge_server import TOKEN, ForgeServer
from tests.model_server import ModelServer, Reply, Status
from tests.rows import rows
from tests.waiting import eventually


@pytest.fixture
def here(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, dsn: str) -> Path:
    """A folder without settings, and a database that is there."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    monkeypatch.setenv("DATABASE_URL", dsn)
    monkeypatch.delenv("DISCORD_TOKEN", raising=False)
    return tmp_path


@pytest.fixture
async def discord_server(here: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncGenerator[DiscordServer]:
    """A Discord that the settings name, with a token it takes."""
    async with DiscordServer.started() as started:
        monkeypatch.setenv("DISCORD_TOKEN", started.token)
        monkeypatch.setenv("DISCORD_API_URL", started.api_url)
        with pointed_at(started):
            yield started


async def examined(*, quick: bool = False) -> tuple[int, str]:
    out = Console(file=io.StringIO(), width=500)
    code = await doctor.examine(None, out, quick=quick)
    assert isinstance(out.file, io.StringIO)
    return code, out.file.getvalue()


async def test_a_sound_installation_exits_with_0(here: Path) -> None:
    """Settings, database, version, extensions and migrations are each named, and nothing is to do."""
    code, table = await examined()
    assert (0, False) == (code, "✗" in table)
    for what in ("settings", "database (DATABASE_URL)", "Postgres 18", "btree_gin", "up to date", "models"):
        assert what in table


async def test_a_variable_that_does_nothing_is_advice(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With the one that was meant, and where `.env` has it; the file that was read is named."""
    monkeypatch.setenv("LLM_BASEURL", "http://x/v1")
    (here / ".env").write_text("DISCORD_TOKN=hunter2\n")
    code, table = await examined()
    assert (0, True, False) == (code, f"{here / 'hathi'}, .env" in table, "hunter2" in table)
    for told in ("did you mean LLM_BASE_URL?", ".env, line 1: DISCORD_TOKN is no setting", "mean DISCORD_TOKEN?"):
        assert told in table


async def test_every_server_of_tools_is_opened(here: Path) -> None:
    """What it has, what of that may be called, what of the settings does nothing, and why it fails."""
    program = json.dumps(PROGRAM)
    (here / "hathi.toml").write_text(
        f'[mcp.servers.pots]\ncommand = {program}\ntools = ["add", "echo", "lost"]\nread_only = ["echo"]\n'
        f"[mcp.servers.bare]\ncommand = {program}\n"
        '[mcp.servers.gone]\ncommand = ["/no/such/program"]\n'
        '[mcp.servers.broken]\ncommand = ["sh", "-c", "echo the key is missing >&2; exit 1"]\n'
        f'[mcp.servers.away]\nurl = "http://127.0.0.1:{free_port()}/mcp?key=hunter2"\n'
    )
    code, table = await examined()
    rows = {part.split(maxsplit=1)[0]: part for part in table.split("MCP server ")[1:]}
    assert 1 == code
    assert ("may call add, echo (read-only); not allowed" in rows["pots"], "no lost" in rows["pots"]) == (True, True)
    assert ("none of its tools" in rows["bare"], "as tools in [mcp.servers.bare]" in rows["bare"]) == (True, True)
    assert ("No such file" in rows["gone"], "the key is missing" in rows["broken"]) == (True, True)
    assert ("Check its url" in rows["away"], "hunter2" in table) == (True, False)


async def test_servers_of_tools_need_the_sdk(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where it is not installed, what brings it is told."""
    (here / "hathi.toml").write_text(f"[mcp.servers.pots]\ncommand = {json.dumps(PROGRAM)}\n")
    monkeypatch.setitem(sys.modules, "mcp", None)
    code, table = await examined()
    assert (1, True) == (code, f"{sdk.EXTRA}, or in" in table)


async def test_every_model_is_called_for_real(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One call a role; a refused key is a finding with what to do, and the exit code is 1."""
    async with ModelServer(Reply(text="ok"), Status(status=401)) as server:
        monkeypatch.setenv("LLM_BASE_URL", server.base_url)
        monkeypatch.setenv("LLM_MODEL", "scripted")
        code, table = await examined()
    assert (1, 2) == (code, len(server.requests))
    assert ("model reasoning" in table, "refused the API key" in table) == (True, True)


@pytest.mark.parametrize("tools", ["all", "none"])
async def test_a_model_that_takes_no_tools_is_told(here: Path, monkeypatch: pytest.MonkeyPatch, tools: str) -> None:
    """With what to do, but where it is set to none; it answers all the same, and a summarizer needs none."""

    def refusing(body: dict[str, Any]) -> Reply | Status:
        no = Status(status=404, body={"error": {"message": "No endpoints found that support tool use."}})
        return no if "tools" in body else Reply(text="ok")

    async with ModelServer(always=refusing) as server:
        for role in ("reasoning", "summarizer"):
            monkeypatch.setenv(f"HATHI_ROLES__{role.upper()}__BASE_URL", server.base_url)
            monkeypatch.setenv(f"HATHI_ROLES__{role.upper()}__MODEL", role)
        monkeypatch.setenv("HATHI_ROLES__REASONING__TOOLS", tools)
        code, table = await examined()
    told = " ".join(table.split())
    assert (0, 1 if tools == "all" else 0) == (code, told.count("and takes no tools"))
    assert (tools == "all") == ('set tools = "none"' in told)


@pytest.mark.parametrize("has_room", [False, True])
async def test_tools_that_a_prompt_has_no_room_for_are_named(
    here: Path, monkeypatch: pytest.MonkeyPatch, *, has_room: bool
) -> None:
    """Hathi's own and those of servers, by role; a role that has room for all is not."""
    async with ModelServer(always=Reply(text="ok")) as server:
        monkeypatch.setenv("LLM_BASE_URL", server.base_url)
        monkeypatch.setenv("LLM_MODEL", "scripted")
        (here / "hathi.toml").write_text(
            f'[mcp.servers.pots]\ncommand = {json.dumps(PROGRAM)}\ntools = ["add"]\n'
            f"[roles.reasoning]\nmax_context = {65_536 if has_room else 4_096}\n"
            'toolsets = ["memory", "core", "notes", "pots"]\n'
        )
        code, table = await examined()
    assert (0, not has_room) == (code, "tools of reasoning" in table)
    told = " ".join(table.partition("tools of reasoning")[2].split())
    assert all((name in told) != has_room for name in ("memory_promote", "pots_add"))
    assert "memory_save" not in told


async def test_models_that_may_be_chosen_are_called_too(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each by its name in the settings."""
    async with ModelServer() as server, ModelServer(Status(status=401)) as other:
        monkeypatch.setenv("LLM_BASE_URL", server.base_url)
        monkeypatch.setenv("LLM_MODEL", "scripted")
        (here / "hathi.toml").write_text(f'[models.large]\nbase_url = "{other.base_url}"\nmodel = "l"\n')
        code, table = await examined()
    assert (1, 1, ["l"]) == (code, table.count("models.large"), [request["model"] for request in other.requests])


@pytest.mark.parametrize(
    ("step", "code", "told"),
    [(Vectors(), 0, "64 dimensions in"), (embedding_server.Status(status=404), 1, "does not know the model bag")],
)
async def test_the_embedder_is_called_for_real(
    here: Path, monkeypatch: pytest.MonkeyPatch, step: Step, code: int, told: str
) -> None:
    """One short text; the length of its vector is told, or what is wrong."""
    async with EmbeddingServer(step) as server:
        monkeypatch.setenv("HATHI_ROLES__EMBEDDER__BASE_URL", server.base_url)
        monkeypatch.setenv("HATHI_ROLES__EMBEDDER__MODEL", "bag")
        found, table = await examined()
    assert (code, 1) == (found, len(server.requests))
    assert ("model embedder" in table, told in table) == (True, True)


async def test_a_local_embedder_is_started_for_real(
    here: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Its files are read and one text is embedded; without its files it is told what should be where."""
    monkeypatch.setenv("HATHI_ROLES__EMBEDDER__LOCAL", "true")
    monkeypatch.setenv("HATHI_ROLES__EMBEDDER__PATH", str(sentence_models.written(tmp_path / "model")))
    code, table = await examined()
    assert (0, True) == (code, "at this machine: 4 dimensions in" in table)
    (tmp_path / "model" / "tokenizer.json").unlink()
    code, table = await examined()
    assert (1, True) == (code, "must hold tokenizer.json beside model.onnx" in table)


async def test_without_an_embedder_it_is_told_what_one_brings(here: Path) -> None:
    """As advice: nothing is wrong, and the exit code stays 0."""
    code, table = await examined()
    assert (0, True, True) == (code, "recall goes by words alone" in table, "local = true" in table)


VAULT = '{"vault": {"path": "acme/vault", "private": true, "channels": [1]}}'


@pytest.mark.parametrize(
    ("token", "faults", "repositories", "code", "told"),
    [
        (TOKEN, [], '{"nexus": {"path": "acme/the-nexus"}}', 0, "can be read, by everybody"),
        (TOKEN, [], VAULT, 0, "can be read, in its channels"),
        ("wrong", [], VAULT, 1, "the token is refused"),
        (TOKEN, [], '{"nexus": {"path": "acme/nothing"}}', 1, "not there"),
        (TOKEN, [], '{"vault": {"path": "acme/vault"}}', 1, "set private = true and its channels"),
        (TOKEN, [forge_server.Status(status=500)] * 2, VAULT, 1, "failed (500). Check forge.base_url"),
        (TOKEN, [forge_server.Status(status=429)], VAULT, 0, "The forge asks to wait until"),
    ],
)
async def test_every_repository_of_the_forge_is_asked_after(
    here: Path,
    monkeypatch: pytest.MonkeyPatch,
    token: str,
    faults: list[forge_server.Step],
    repositories: str,
    code: int,
    told: str,
) -> None:
    """Whether it can be read, by whom it is shown, and what to do where it can't; the token is never told."""
    async with ForgeServer() as server:
        server.repository("acme/the-nexus")
        server.repository("acme/vault", private=True)
        server.faults["/vault"] = faults
        monkeypatch.setenv("FORGE_TOKEN", token)
        monkeypatch.setenv("HATHI_FORGE__TOKEN_ENV", "FORGE_TOKEN")
        monkeypatch.setenv("HATHI_FORGE__BASE_URL", server.api)
        monkeypatch.setenv("HATHI_FORGE__REPOSITORIES", repositories)
        found, table = await examined()
        before = len(server.requests)
        await examined(quick=True)
    assert (code, True, False, before) == (found, told in table, token in table, len(server.requests))


async def test_a_database_that_is_away_is_a_finding(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It says what to check; the rest is still examined."""
    monkeypatch.setenv("DATABASE_URL", "postgresql://ann:secret@127.0.0.1:1/hathi")
    code, table = await examined()
    assert (1, True, False) == (code, "can't be reached" in table, "secret" in table)
    assert "models" in table


async def test_a_wrong_setting_ends_the_examination_with_its_name(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Brackets in the sentence are shown, not taken for colours."""
    monkeypatch.setenv("LLM_MODEL", "scripted")
    code, table = await examined()
    assert (1, True) == (code, "LLM_BASE_URL: is missing" in table and "[roles.reasoning]" in table)


async def test_a_data_directory_others_can_write_is_a_finding(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A directory somebody else could put a database into is named with the command that mends it."""
    folder = here / "data"
    folder.mkdir()
    folder.chmod(0o777)
    monkeypatch.delenv("DATABASE_URL")
    monkeypatch.setenv("HATHI_DATA_DIR", str(folder))
    code, table = await examined(quick=True)
    assert (1, True) == (code, f"chmod go-w {folder}" in table)


async def test_no_token_is_no_mistake(here: Path) -> None:
    """Who talks at the terminal needs no Discord: that it has no token is told, and nothing is to do."""
    code, table = await examined()
    assert (0, True) == (code, "needs DISCORD_TOKEN" in table)


async def test_discord_is_asked_who_it_is(discord_server: DiscordServer) -> None:
    """Application, grant, session starts and guilds are told, and an address to invite it by stands whole."""
    discord_server.guild("Elephants").text_channel("general")
    code, told = await examined()
    bot = discord_server.bot.user_id
    for what in (f"application {bot}", "granted", "1000 of 1000 left", "guild Elephants", "nothing is missing"):
        assert what in told
    (link,) = [line for line in told.splitlines() if "oauth2/authorize" in line]
    assert (0, False) == (code, "✗" in told)
    assert f"client_id={bot}" in link
    assert f"permissions={INVITE_PERMISSIONS.value}" in link


async def test_what_it_goes_on_without_is_no_mistake(discord_server: DiscordServer) -> None:
    """A missing intent and channels that are closed to it are told with what would change that; the exit code is 0."""
    discord_server.world.privileged = Intent.NONE
    guild = discord_server.guild("Elephants")
    for number in range(12):
        guild.text_channel(f"staff-{number}", overwrites={guild.everyone: Overwrite(deny=Permission.VIEW_CHANNEL)})
    code, told = await examined()
    assert (0, True) == (code, "! " in told)
    words = " ".join(told.replace("│", " ").split())
    for what in ("something is missing in 12 of 12 channels", "#staff-9: View Channels", "and 2 more channels"):
        assert what in words
    assert "staff-10" not in told
    assert NO_CONTENT.split(".")[0] in words


@pytest.mark.parametrize(("members", "is_told"), [(7_999, False), (8_000, True)])
async def test_a_bot_that_will_need_a_review_is_told_in_time(
    discord_server: DiscordServer, members: int, is_told: bool
) -> None:
    """From 8,000 members on, those of all guilds together; Discord asks for its review from 10,000 on."""
    discord_server.guild("Elephants").told_members = members - 2000
    discord_server.guild("Tigers").told_members = 2000
    code, told = await examined()
    assert (0, True, is_told) == (code, f"about {members:,} in all guilds" in told, "docs/DISCORD.md" in told)


async def test_the_privacy_policy_is_named(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """That none is, is no mistake: who talks at the terminal needs none."""
    code, told = await examined()
    assert (0, True) == (code, "privacy_url" in told)
    monkeypatch.setenv("HATHI_COMMUNITY__PRIVACY_URL", "https://example.org/privacy")
    code, told = await examined()
    assert (0, True) == (code, "https://example.org/privacy" in told)


async def test_only_what_is_seen_is_said_of_the_disk(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Encrypted, nothing seen, or out of sight: none of it fails, and a database elsewhere is nothing to look at."""
    assert "can't be seen from here: the database is" in (await examined())[1]
    with tempfile.TemporaryDirectory(dir="/tmp", prefix="hathi-doctor-") as name:
        Path(name).chmod(0o711)
        monkeypatch.delenv("DATABASE_URL")
        monkeypatch.setenv("HATHI_DATA_DIR", f"{name}/data")
        for how, words in (
            ("", "no encrypted disk seen"),
            ("an encrypted disk (dm-crypt, home)", "lies on an encrypted"),
        ):
            monkeypatch.setattr(disk_encryption, "seen", lambda _, how=how: how)
            code, told = await examined()
            assert (0, True) == (code, words in told)


async def test_a_refused_token_is_a_finding(discord_server: DiscordServer, monkeypatch: pytest.MonkeyPatch) -> None:
    """It says what mends it, never the token, and the rest is still examined."""
    monkeypatch.setenv("DISCORD_TOKEN", "not.the.token")
    code, told = await examined()
    assert (1, True, False) == (code, REFUSED.split(":")[0] in told, "not.the.token" in told)
    assert "models" in told


async def test_a_day_without_session_starts_is_a_finding(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """When the day's session starts are used up, it says how long to wait."""
    async with DiscordServer.started(identifies=0) as server:
        monkeypatch.setenv("DISCORD_TOKEN", server.token)
        monkeypatch.setenv("DISCORD_API_URL", server.api_url)
        with pointed_at(server):
            code, told = await examined()
    assert (1, True) == (code, "wait 4.0 hours" in told)


async def test_a_discord_that_is_away_is_a_finding(discord_server: DiscordServer) -> None:
    """It says what to check, and the exit code is 1."""
    discord_server.faults.break_off(times=100)
    code, told = await examined()
    assert (1, True) == (code, "Discord can't be reached" in told)


async def test_a_quick_examination_asks_the_database_alone(
    discord_server: DiscordServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither a model nor Discord is asked by a health check."""
    async with ModelServer() as models:
        monkeypatch.setenv("LLM_BASE_URL", models.base_url)
        monkeypatch.setenv("LLM_MODEL", "scripted")
        code, told = await examined(quick=True)
    assert (0, [], []) == (code, models.requests, discord_server.requests)
    assert "up to date" in told


@pytest.mark.parametrize(("connected", "still", "code"), [(True, False, 0), (False, False, 0), (True, True, 1)])
async def test_a_service_that_stands_still_fails_the_check_and_an_absent_discord_does_not(
    here: Path, monkeypatch: pytest.MonkeyPatch, connected: bool, still: bool, code: int
) -> None:
    """What a restart mends fails; that the gateway is away is told, and mended by waiting."""
    monkeypatch.setenv("HATHI_DATA_DIR", str(here / "data"))
    if still:
        monkeypatch.setattr(pulse, "STILL_AFTER", timedelta(0))
    async with pulse.Pulse(here / "data", alive=lambda: True, connected=lambda: connected).kept():
        await eventually(lambda: [*pulse.beats(here / "data")])
        found, told = await examined(quick=True)
    assert (code, still, not connected) == (found, "stands still for" in told, "Discord is not connected" in told)


async def test_a_quick_examination_starts_no_server(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It attaches to the server that runs in the data directory; where none runs it starts and makes nothing.

    That none does is no fault, but beside a service that needs it, or where none could be started.
    """
    monkeypatch.delenv("DATABASE_URL")
    with tempfile.TemporaryDirectory(dir="/tmp", prefix="hathi-doctor-") as name:
        # Reachable by the account that serves, when the tests run as root.
        Path(name).chmod(0o711)
        folder = Path(name) / "data"
        monkeypatch.setenv("HATHI_DATA_DIR", str(folder))
        code, told = await examined(quick=True)
        assert (0, True, False) == (code, "does not run, as Hathi does not" in told, folder.exists())
        async with embedded.owned(folder) as dsn:
            code, told = await examined(quick=True)
            assert (1, True) == (code, "to run" in told)
            async with pool.opened(dsn, DatabaseSettings()) as database:
                await migrations.migrate(database)
            assert 0 == (await examined(quick=True))[0]
        assert 0 == (await examined(quick=True))[0]
        async with pulse.Pulse(folder, alive=lambda: True, connected=lambda: True).kept():
            await eventually(lambda: [*pulse.beats(folder)])
            code, told = await examined(quick=True)
            assert (1, True) == (code, "start hathi run again" in told)
        (folder / "postgres.location").write_text("/nowhere\n")
        assert 1 == (await examined(quick=True))[0]


async def test_a_path_is_told_whole_however_narrow_the_screen(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It goes on in the next line, and is cut by no ellipsis."""
    folder = here / "-".join(["a folder with a long name"] * 3)
    monkeypatch.delenv("DATABASE_URL")
    monkeypatch.setenv("HATHI_DATA_DIR", str(folder))
    out = io.StringIO()
    await doctor.examine(None, Console(file=out, width=80), quick=True)
    found = "".join(line.split("│")[3].strip() for line in out.getvalue().splitlines() if line.startswith("│"))
    assert ("…" in found, str(folder).replace(" ", "") in found.replace(" ", "")) == (False, True)


async def test_an_address_of_the_database_that_cannot_be_read_is_told(
    here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By one sentence, and without the password."""
    monkeypatch.setenv("DATABASE_URL", "postgresql://ann:secret@[::1/hathi")
    code, told = await examined()
    assert (1, True, False) == (code, "DATABASE_URL: can't be read" in " ".join(told.split()), "secret" in told)


async def test_personas_are_listed_with_what_is_open_to_them(here: Path) -> None:
    """What is wrong in a file keeps Hathi from starting, and is named by file, line and word."""
    code, told = await examined(quick=True)
    assert (0, True) == (code, "butler (Ferris, read)" in " ".join(told.split()))
    folder = here / "hathi" / "personas"
    folder.mkdir(parents=True)
    (folder / "mine.toml").write_text('name = "Ada"\nmemory = "raed"\n')
    code, told = await examined(quick=True)
    assert (1, True) == (code, "personas/mine.toml, line 2: " in told and "'raed'" in told)


async def test_workflows_and_retrievers_are_looked_at(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What keeps Hathi from starting is named by file, line and word; nothing is told where there are none."""
    assert "│ workflows " not in (await examined())[1]
    folder = here / "hathi" / "workflows"
    folder.mkdir(parents=True)
    good = (resources.files("bot") / "defaults" / "workflows" / "facts.toml").read_text(encoding="utf-8")
    (folder / "mine.toml").write_text(good)
    code, told = await examined()
    assert (0, True) == (code, f"1 in {folder}" in told)
    (folder / "mine.toml").write_text(good.replace("summarizer", "poet", 1))
    code, told = await examined(quick=True)
    assert (1, True) == (code, "workflows/mine.toml, line 7: " in told and "'poet'" in told)
    (folder / "mine.toml").write_text(good.replace('"chunk"', '"recnet"', 1))
    code, told = await examined(quick=True)
    assert (1, True) == (code, "workflows/mine.toml, line 8: " in told and "recent" in told)
    monkeypatch.setenv("HATHI_PROMPT__RETRIEVED", '["summary", "recents"]')
    code, told = await examined(quick=True)
    assert (1, True) == (code, "prompt.retrieved: " in told and "'recents'" in told and "recent, first" in told)


async def test_a_workflow_that_a_channel_wants_and_is_not_there_is_named(
    here: Path, database: Database, clock: Clock
) -> None:
    """Hathi goes on without, and exits 0."""
    async with room(database, clock):
        await rows(database, "UPDATE channel SET workflow = 'poems' RETURNING channel_id")
    code, told = await examined()
    assert (0, True) == (code, "not there: poems" in told)


async def test_prompts_are_looked_at(here: Path) -> None:
    """What is wrong in one is named by file and line, and Hathi does not start; one that nothing uses is advice."""
    assert "│ prompts " not in (await examined())[1]
    folder = here / "hathi" / "prompts"
    folder.mkdir(parents=True)
    (folder / "identity.md").write_text("Speak up.\n[SECTIONS]\nharbour: What is known of it\n")
    (folder / "harbour.md").write_text("It is deep.")
    (folder / "lost.md").write_text("Nobody reads this.")
    code, told = await examined()
    assert (0, True, True) == (code, "! " in told, "no prompt uses prompts/lost.md:" in told)
    (folder / "harbour.md").write_text("It is deep.\n[SECTIONS]\nidentity: Once more\n")
    code, told = await examined()
    words = " ".join(told.replace("│", " ").split())
    assert (1, True) == (code, "prompts/harbour.md, line 3: identity is listed below itself" in words)


async def test_who_hathi_is_and_playbooks_are_looked_at(here: Path) -> None:
    """What is not used of the operator's own texts is named with the reason; Hathi goes on without, and exits 0."""
    told = (await examined())[1]
    assert (False, False) == ("identity" in told, "playbooks" in told)
    (here / "hathi" / "playbooks").mkdir(parents=True)
    (here / "hathi" / "identity.txt").write_text("I keep the kiln. " * 100)
    texts = {
        "good.md": "---\ntitle: Firing\nchannels: ['11']\n---\n1. Light it.",
        "bad.md": "1. Light it.",
        "named.md": "---\ntitle: Glazing\nchannels: [staff]\n---\n1. Stir it.",
    }
    for name, text in texts.items():
        (here / "hathi" / "playbooks" / name).write_text(text)
    code, told = await examined()
    words = " ".join(told.replace("│", " ").split())
    assert (0, True) == (code, "! " in told)
    assert "up to 200" in words
    assert "bad.md is left out: line 1 must be ---" in words
    assert "named.md names a channel, which holds nowhere" in words
    assert "good.md" not in words
