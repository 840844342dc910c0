"""What README, its tables and the example of settings say is what the program does."""

import contextlib
import os
import re
import shlex
import subprocess
import tempfile
import tomllib
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from discord import AppCommandType
from pydantic import SecretStr

from bot import config
from bot.arguments import Grammar
from bot.commands.grammar import ABOUT, GRAMMARS
from bot.db.pool import Database
from bot.domain import ModelRole, Right
from bot.llm.providers import PROVIDERS
from tests import discord_bot, settings_table, slash_table

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
COMMANDS, MODELS, SETTINGS = (
    (ROOT / f"docs/{name}.md").read_text(encoding="utf-8") for name in ("COMMANDS", "MODELS", "SETTINGS")
)
MOST_WORDS = 1_000
EXAMPLE = ROOT / "deploy/hathi.example.toml"
START = "bash deploy/install.sh && .venv/bin/hathi"
TEST = "bash .ci/test"
CHANGING = {"forget", "pin", "unpin", "edit", "settle"}
OTHERS = {Right.MANAGE_GUILD}
"""What changing a memory takes that somebody else made; the archivist asks for it."""
KEYS = {"XAI_API_KEY": "x", "ANTHROPIC_API_KEY": "a", "OPENAI_API_KEY": "o", "GEMINI_API_KEY": "g"}


def section(title: str, document: str = README) -> str:
    """The text under a heading."""
    found = re.search(rf"^## {re.escape(title)}\n(.*?)(?=^## |\Z)", document, re.MULTILINE | re.DOTALL)
    assert found, f"there is no section {title!r}"
    return found[1]


def rows(text: str) -> list[list[str]]:
    """The cells of a table's body, without the marks of code."""
    lines = [line for line in text.splitlines() if line.startswith("|")][2:]
    return [[cell.strip().strip("`") for cell in re.split(r"(?<!\\)\|", line)[1:-1]] for line in lines]


def commands(text: str) -> list[str]:
    """The lines to type."""
    return [line for block in re.findall(r"```sh\n(.*?)```", text, re.DOTALL) for line in block.splitlines()]


@pytest.fixture
def elsewhere(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Nothing of whoever runs the tests: no settings in the environment, no settings file."""
    for name in os.environ:
        if name.upper().startswith(("HATHI_", "LLM_", "DATABASE_URL", "DISCORD_", "SHARD_", "XDG_")):
            monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)


def test_the_table_of_settings_is_the_program_s() -> None:
    """It is made from the settings there are; `python -m tests.settings_table --write` mends it."""
    assert settings_table.written(SETTINGS) == SETTINGS


@pytest.mark.usefixtures("elsewhere")
def test_the_data_directory_is_where_the_table_says(tmp_path: Path) -> None:
    """The one default that depends on who runs Hathi is true for a person without XDG settings."""
    assert config.load().data_dir == tmp_path / ".local/share/hathi"
    assert "`~/.local/share/hathi`" in settings_table.table()


def test_every_command_is_told() -> None:
    """The table has the commands there are, in the words of `!help`, and no other."""
    assert [row[:2] for row in rows(section("Every command", COMMANDS))] == [
        [f"!{name}", ABOUT[name]] for name in GRAMMARS
    ]


async def test_what_discord_lists_is_told(database: Database) -> None:
    """The tables have all that is behind `/` and under Apps; `python -m tests.slash_table --write` mends them."""
    async with discord_bot.running(database, roles=config.Roles()) as bot:
        tree, kinds = bot.client.tree, (AppCommandType.chat_input, AppCommandType.message, AppCommandType.user)
        tops, on_messages, on_users = ({each.name for each in tree.get_commands(type=kind)} for kind in kinds)
    assert slash_table.written(COMMANDS) == COMMANDS
    assert {row[0].removeprefix("/").split(" ")[0] for row in rows(slash_table.slashed())} == tops
    assert {row[0] for row in rows(slash_table.under_apps())} == on_messages | on_users


def test_every_right_is_told() -> None:
    """The table names with each command the Discord permissions it may ask for, and no others."""
    told = {
        name: {right for right in Right if right in who} for name, _, who in rows(section("Every command", COMMANDS))
    }

    assert told == {f"!{name}": _rights(grammar) for name, grammar in GRAMMARS.items()}


def _rights(grammar: Grammar) -> set[Right]:
    needs = {grammar.needs, *grammar.named_needs.values(), *(form.needs for form in grammar.forms)}
    return {right for right in needs if right is not None} | (OTHERS if grammar.command in CHANGING else set())


def test_it_is_read_in_five_minutes() -> None:
    """It has so many words at most; what it is stands in three lines, before any heading."""
    head = README.partition("\n## ")[0].split("\n\n")

    assert len(README.split()) <= MOST_WORDS
    assert head[0] == "# Hathi"
    assert len(head[1].splitlines()) == 3


def test_three_pictures_stand_above_all() -> None:
    """Each is a small PNG, and is told in words too; no other picture lies there."""
    shown = re.findall(r"!\[([^\]]+)\]\((docs/pictures/\w+\.png)\)", README.partition("\n## ")[0])
    files = [ROOT / path for _, path in shown]

    assert len(shown) == 3
    assert {*files} == {*(ROOT / "docs/pictures").iterdir()}
    assert all(file.read_bytes().startswith(b"\x89PNG") and file.stat().st_size < 150_000 for file in files)


def test_discord_takes_six_steps() -> None:
    """From nothing to a bot that serves a server."""
    steps = re.findall(r"^(\d)\. ", section("Bring it to Discord"), re.MULTILINE)
    assert [int(step) for step in steps] == [1, 2, 3, 4, 5, 6]


def test_every_document_is_led_to() -> None:
    """Whatever there is to read is found from README in one step."""
    linked = set(re.findall(r"\]\(((?:docs/)?\w+\.md)", README))
    there = {str(path.relative_to(ROOT)) for path in [*ROOT.glob("*.md"), *ROOT.glob("docs/*.md")]}

    assert there - linked == {
        "README.md",
        "docs/SCALE.md",
    }  # the latter is a thought on paper: ARCHITECTURE leads there


@pytest.mark.usefixtures("elsewhere")
def test_a_model_in_one_line_connects(monkeypatch: pytest.MonkeyPatch) -> None:
    """README's line is that of a provider of the table."""
    (line,) = commands(section("Connect a model"))
    assert line in {row[2] for row in rows(section("Providers", MODELS))}
    for name, _, value in (word.partition("=") for word in shlex.split(line)[:-1]):
        monkeypatch.setenv(name, value)

    assert config.load().roles.reasoning is not None


async def test_the_conversation_is_had(database: Database) -> None:
    """What people of README say is said on Discord, without a model; Hathi saves, quotes and names what README has."""
    said = re.findall(r"^> \*\*(\w+)\*\* (.+)$", README, re.MULTILINE)
    async with discord_bot.running(database, roles=config.Roles()) as bot:
        people = {who: bot.person(who) for who, _ in said if who != "Hathi"}
        for (who, asked), (hathi, answer) in zip(said[::2], said[1::2], strict=True):
            _, mention, text = asked.rpartition("@Hathi ")
            said_by = await people[who].say(bot.channel, text, mentions=[bot.discord.bot] if mention else [])
            got = await bot.answer(said_by)
            held = re.findall(r"“[^”]+”|#\d+|\[memory\] saved: .+\)|I looked in .+?\. .+?\.", answer)
            assert (hathi, True) == ("Hathi", bool(held))
            assert [words for words in held if words not in got.text] == []
            assert ("!why" in asked) == any(words.startswith("I looked in ") for words in held)


@pytest.mark.usefixtures("elsewhere")
@pytest.mark.parametrize("row", rows(section("Providers", MODELS)), ids=lambda row: row[0])
def test_every_provider_s_line_connects(row: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Each provider's line sets its address and a model for conversation and summaries, and starts Hathi."""
    name, base_url, line = row
    *assignments, command = shlex.split(line)
    (provider,) = [one for one in PROVIDERS if one.name == name]
    key = [f"LLM_API_KEY=${provider.key_env}"] if provider.key_env else []
    assert [f"LLM_BASE_URL={provider.base_url}", *key, f"LLM_MODEL={provider.model}"] == assignments
    for variable, _, value in (assignment.partition("=") for assignment in assignments):
        monkeypatch.setenv(variable, value)
    roles = config.load().roles

    assert command == ".venv/bin/hathi"
    assert roles.reasoning == roles.summarizer
    assert roles.execution is None
    assert roles.reasoning is not None
    assert str(roles.reasoning.base_url) == base_url
    assert (roles.reasoning.api_key is None) == base_url.startswith("http://localhost")


def test_every_usual_provider_is_told() -> None:
    """There is a line for each provider that `hathi setup` offers, in its order."""
    assert [row[0] for row in rows(section("Providers", MODELS))] == [provider.name for provider in PROVIDERS]


def test_the_two_commands_are_the_ones_that_are_run() -> None:
    """README gives one line to start and one to test; the checks of every commit run the second as it stands."""
    assert commands(section("Start it")) == [START]
    assert commands(section("Test it")) == [TEST]
    assert TEST in (ROOT / ".ci/run").read_text(encoding="utf-8").splitlines()


@pytest.mark.skipif("CI" not in os.environ, reason="installs everything anew; bash .ci/run does it")
def test_the_start_command_starts() -> None:
    """README's start command, typed in a copy that holds nothing but the project, ends in a Hathi that answers."""
    with tempfile.TemporaryDirectory(dir="/tmp", prefix="hathi-start-") as name:
        # Reachable by the account that serves, when the tests run as root.
        Path(name).chmod(0o711)
        tracked = subprocess.run(
            ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"],
            cwd=ROOT,
            capture_output=True,
            check=True,
            text=True,
        )
        for file in tracked.stdout.split("\0"):
            with contextlib.suppress(FileNotFoundError, IsADirectoryError):  # removed, and not yet committed
                content = (ROOT / file).read_bytes()
                (Path(name) / file).parent.mkdir(parents=True, exist_ok=True)
                (Path(name) / file).write_bytes(content)
        (Path(name) / config.FILE_NAME).touch()  # not the settings of whoever runs the tests
        ours = {key: value for key, value in os.environ.items() if not key.startswith(("HATHI_", "LLM_", "DATABASE_"))}
        done = subprocess.run(
            START,
            shell=True,
            cwd=name,
            input="!remember the kiln is booked on Friday\n!recall kiln\n",
            text=True,
            capture_output=True,
            timeout=600,
            check=False,
            env=ours | {"HATHI_DATA_DIR": f"{name}/data"},
        )

    assert done.returncode == 0, done.stderr
    assert done.stdout.count("the kiln is booked on Friday") == 2  # kept, and found
    assert re.search(r"\n  (\d+) of \1: .*\n  unpacking them\nInstalling Hathi \.\.\.\n", done.stderr)  # told meanwhile


@pytest.mark.usefixtures("elsewhere")
def test_the_example_is_a_settings_file(monkeypatch: pytest.MonkeyPatch) -> None:
    """The example loads as it stands, given the keys it names, and means what its comments say."""
    for name, value in KEYS.items():
        monkeypatch.setenv(name, value)
    loaded = config.load(EXAMPLE)
    reasoning, execution, summarizer = (getattr(loaded.roles, role.value) for role in ModelRole)
    (fallback,) = reasoning.fallbacks

    assert loaded.model_copy(update={"roles": config.Roles(), "settings_dir": Path()}) == config.Settings()
    assert loaded.settings_dir == EXAMPLE.parent
    assert [
        (model.base_url.host, model.model, model.api_key, model.temperature, model.top_p, model.max_context)
        for model in (reasoning, fallback, execution, summarizer)
    ] == [
        ("api.x.ai", "grok-4-1-fast-non-reasoning", SecretStr("x"), 0.7, 0.9, 5000),
        ("generativelanguage.googleapis.com", "gemini-2.5-flash", SecretStr("g"), None, None, 8192),
        ("api.openai.com", "gpt-4o-mini", SecretStr("o"), 0.1, 0.5, 8192),
        ("api.anthropic.com", "claude-haiku-4-5-20251001", SecretStr("a"), None, None, 8192),
    ]


@pytest.mark.usefixtures("elsewhere")
def test_the_example_names_a_missing_key() -> None:
    """A key the example names and nobody exported is told by its name, with exit 78."""
    with pytest.raises(config.errors.SettingsError, match="_API_KEY is not set") as told:
        config.load(EXAMPLE)

    assert told.value.exit_code == 78


def test_the_example_shows_every_setting() -> None:
    """Every setting stands in the example, and what is commented out there is its default where it has one."""
    shown = tomllib.loads(re.sub(r"(?m)^# (?=[a-z0-9_]+ = )", "", EXAMPLE.read_text(encoding="utf-8")))
    active = tomllib.loads(EXAMPLE.read_text(encoding="utf-8"))
    missing: list[str] = []
    changed: list[str] = []
    for setting in settings_table.settings():
        path = tuple("reasoning" if part == "<role>" else part for part in setting.path)
        value = _at(shown, path)
        if value is None:
            missing.append(setting.place)
        elif _at(active, path) is None and setting.default not in (None, ()) and path != ("data_dir",):
            default = (
                settings_table.in_settings(setting.default)
                if isinstance(setting.default, timedelta)
                else setting.default
            )
            default = [*default] if isinstance(default, tuple) else default
            changed += [setting.place] if value != default else []

    assert (missing, changed) == ([], [])


def test_every_key_of_an_mcp_server_is_told() -> None:
    """In the table of SETTINGS, in the order of `bot.config`."""
    keys = [name for name, field in config.ToolServerSettings.model_fields.items() if not field.exclude]
    table = (ROOT / "docs/SETTINGS.md").read_text(encoding="utf-8").partition("### MCP servers")[2].partition("##")[0]
    assert keys == re.findall(r"(?m)^\| `(\w+)` \|", table)


def test_the_example_s_mcp_servers_are_settings() -> None:
    """A search of the web, and a database that is only read, in one channel."""
    lines = re.findall(r"(?m)^# (\w+ = \{command = .*)$", EXAMPLE.read_text(encoding="utf-8"))
    servers = config.McpSettings.model_validate({"servers": tomllib.loads("\n".join(lines))}).servers
    assert {"search": 0, "stock": 1} == {name: len(server.channels) for name, server in servers.items()}
    assert all(server.tools and server.tools == server.read_only for server in servers.values())


def _at(content: Any, path: tuple[str, ...]) -> Any:
    for part in path:
        content = content.get(part) if isinstance(content, dict) else None
    return content
