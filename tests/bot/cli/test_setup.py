"""The laws of `hathi setup`: at a real pseudo-terminal, by flags, and with nobody to ask."""

import asyncio
import contextlib
import os
import pty
import shutil
import signal
import stat
import subprocess
from collections.abc import AsyncGenerator
from dataclasses import dataclass
from pathlib import Path

import pytest

from bot import config, errors
from bot.cli import service_unit, settings_writing, setup
from bot.cli.questions import Questions
from bot.cli.setup import Answers
from bot.connection.client import NO_CONTENT
from bot.llm.providers import PROVIDERS
from tests.discord_server.bots import pointed_at
from tests.discord_server.server import DiscordServer
from tests.discord_server.wire import Intent
from tests.faults.terminals import Hathi, command, environment, hathi
from tests.model_server import ModelServer, Reply, Status

LOCAL = [provider for provider in PROVIDERS if provider.is_local]
OTHER = "another OpenAI-compatible server"


@pytest.fixture
async def discord() -> AsyncGenerator[DiscordServer]:
    async with DiscordServer.started() as started:
        yield started


@pytest.fixture
async def model() -> AsyncGenerator[ModelServer]:
    async with ModelServer() as server:
        yield server


def surroundings(folder: Path, discord: DiscordServer, **more: str) -> dict[str, str]:
    addresses = {"DISCORD_API_URL": discord.api_url, "DISCORD_GATEWAY_URL": discord.gateway_url}
    return environment(folder, **addresses, **more)


def written(folder: Path) -> tuple[str, str]:
    """What stands in `.env` and in `hathi.toml`, without comments."""
    files = (folder / "hathi/.env", folder / "hathi/hathi.toml")
    texts = [path.read_text() if path.exists() else "" for path in files]
    env, toml = ("".join(f"{line}\n" for line in text.splitlines() if line and line[0] != "#") for text in texts)
    return env, toml


@dataclass
class Talk:
    """What is asked and answered, one after the other."""

    running: Hathi
    seen: int = 0

    async def until(self, asked: str) -> None:
        """Until that is shown, behind what was before."""
        await self.running.shows(asked, after=self.seen)
        self.seen = self.running.out.index(asked, self.seen) + len(asked)

    async def answers(self, *pairs: tuple[str, str]) -> None:
        """Each question, once it is asked, gets its answer."""
        for asked, answer in pairs:
            await self.until(asked)
            self.running.say(answer)

    def number_of(self, option: str) -> str:
        """The number of an option in the last list."""
        (line, *_) = [line for line in reversed(self.running.out.splitlines()) if option in line]
        return line.split()[0]


@contextlib.asynccontextmanager
async def on_a_usual_port() -> AsyncGenerator[tuple[str, ModelServer]]:
    """A local server where people have theirs, of whichever kind has its port free here."""
    for provider in LOCAL:
        server = ModelServer()
        with contextlib.suppress(OSError):
            await server.start(int(provider.base_url.split(":")[2].split("/")[0]))
            async with server_closed(server):
                yield provider.name, server
            return
    pytest.skip("every usual port of a local server is taken here")


@contextlib.asynccontextmanager
async def server_closed(server: ModelServer) -> AsyncGenerator[None]:
    try:
        yield
    finally:
        await server.__aexit__(None, None, None)


async def test_somebody_is_led_to_a_hathi_that_runs(tmp_path: Path, dsn: str, discord: DiscordServer) -> None:
    """A wrong token and a wrong number are told and asked again; the server that runs here is offered first."""
    discord.guild("Elephants")
    async with on_a_usual_port() as (name, server):
        env = surroundings(tmp_path, discord, DATABASE_URL=dsn, SHARD_COUNT="1")
        async with hathi(tmp_path, env, "setup", on_terminal=True) as running:
            talk = Talk(running)
            await talk.answers(
                ("(not shown)", "wrong.token.typed"), ("(not shown)", ""), ("(not shown)", discord.token)
            )
            await talk.until("Number [1]")
            assert ("copy the bot's token anew" in running.out, "needs a token" in running.out) == (True, True)
            assert running.out.index(f"{name}, found on this machine") < running.out.index("xAI")
            assert f"client_id={discord.world.application_id}" in running.out
            running.say("99")
            await talk.answers(("no number from 1 to", talk.number_of(f"{name}, found")), ("Model [scripted]", ""))
            await talk.until("Shall it start now")
            assert ("", "") == written(tmp_path)
            await talk.answers(("[Y/n]", "perhaps"), ("answer y or n", "y"))
            await discord.until(lambda: discord.identifies)
            running.process.send_signal(signal.SIGTERM)
            assert 0 == await running.ends()
    assert (1, False) == (len(server.requests), "token.typed" in running.out or discord.token in running.out)
    base_url = server.base_url.replace("127.0.0.1", "localhost")
    assert (f"DISCORD_TOKEN={discord.token}\n", f'llm_base_url = "{base_url}"\nllm_model = "scripted"\n') == written(
        tmp_path
    )
    assert 0o600 == stat.S_IMODE((tmp_path / "hathi/.env").stat().st_mode)


async def test_a_server_of_one_s_own_is_asked_for_until_it_answers(
    tmp_path: Path, discord: DiscordServer, model: ModelServer
) -> None:
    """A wrong address is told at once; after a refusal Enter keeps what was typed, and the key can be put right."""
    model.steps.append(Status(status=401))
    discord.world.privileged = Intent.NONE
    env = surroundings(tmp_path, discord)
    async with hathi(tmp_path, env, "setup", "--token", "a.wrong.one", "--no-start", on_terminal=True) as running:
        talk = Talk(running)
        await talk.answers(("copy the bot's token anew", discord.token))
        await talk.until("Number [1]")
        running.say(talk.number_of(OTHER))
        await talk.answers(
            ("Its address, usually ending in /v1:", "localhost"),
            ("is no address", model.base_url),
            ("Model [scripted]", ""),
            ("(not shown)", "wrong-key"),
            ("refused the API key", ""),
            (f"/v1 [{model.base_url}]", ""),
            ("Model [scripted]", ""),
            ("(not shown)", "right-key"),
        )
        assert 0 == await running.ends()
    assert (NO_CONTENT in running.out.replace("\r\n", "\n"), "right-key" in running.out) == (True, False)
    assert ["Bearer wrong-key", "Bearer right-key"] == [one["Authorization"] for one in model.headers]
    env_text, toml = written(tmp_path)
    assert f"DISCORD_TOKEN={discord.token}\nLLM_API_KEY=right-key\n" == env_text
    assert f'llm_base_url = "{model.base_url}"\nllm_model = "scripted"\n' == toml


QUESTIONS = ("token (not shown)", "Number [1]", "Shall it start now")


@pytest.mark.parametrize("question", QUESTIONS)
async def test_ctrl_c_keeps_what_was_tried(tmp_path: Path, discord: DiscordServer, question: str) -> None:
    """At any question: exit 130; what Discord took is written, nothing else, and is offered the next time."""
    async with hathi(tmp_path, surroundings(tmp_path, discord), "setup", on_terminal=True) as running:
        talk = Talk(running)
        for asked, answer in zip(QUESTIONS, (discord.token, "", ""), strict=True):
            await talk.until(asked)
            if asked == question:
                running.process.send_signal(signal.SIGINT)
                break
            running.say(answer or talk.number_of(" none"))
        assert 130 == await running.ends()
        is_kept = question != QUESTIONS[0]
        assert (not is_kept, is_kept) == (setup.WITHOUT in running.out, setup.KEPT in running.out)
    files = sorted(path.name for path in tmp_path.rglob("*") if path.is_file())
    assert {0: [], 1: [".env"], 2: [".env", "hathi.toml"]}[QUESTIONS.index(question)] == files
    if is_kept:
        assert (f"DISCORD_TOKEN={discord.token}\n", "") == written(tmp_path)
        async with hathi(tmp_path, surroundings(tmp_path, discord), "setup", on_terminal=True) as running:
            await Talk(running).answers(("Enter for the one there is", ""))
            await Talk(running).until("Discord knows it")


async def test_flags_ask_nobody(tmp_path: Path, discord: DiscordServer, model: ModelServer) -> None:
    """The same without a terminal: both are tried, both files written, and what comes next is told."""
    flags = ("--token", discord.token, "--base-url", model.base_url, "--model", "m", "--key", "k-1")
    code, out, err = await command(tmp_path, surroundings(tmp_path, discord), "setup", *flags)
    assert (0, "") == (code, err)
    assert (1, "Bearer k-1") == (len(model.requests), model.headers[0]["Authorization"])
    assert ("oauth2/authorize" in out, "To start it: hathi run" in out, discord.token in out) == (True, True, False)
    assert f"DISCORD_TOKEN={discord.token}\nLLM_API_KEY=k-1\n" == written(tmp_path)[0]
    loaded = config.load(tmp_path / "hathi/hathi.toml")
    assert loaded.roles.reasoning is not None
    assert ("m", loaded.roles.reasoning) == (loaded.roles.reasoning.model, loaded.roles.summarizer)


async def test_flags_start_it(tmp_path: Path, dsn: str, discord: DiscordServer) -> None:
    """By the files that were just written; the address to invite it is told again, as nobody has."""
    env = surroundings(tmp_path, discord, DATABASE_URL=dsn, SHARD_COUNT="1")
    flags = ("--token", discord.token, "--provider", "none", "--folder", str(tmp_path / "there"), "--start")
    async with hathi(tmp_path, env, "setup", *flags) as running:
        await running.shows("No server has invited it yet", within=60)
        await discord.until(lambda: discord.identifies)
        running.process.send_signal(signal.SIGTERM)
        assert 0 == await running.ends()
    assert 2 == running.out.count(f"client_id={discord.world.application_id}")
    assert f"DISCORD_TOKEN={discord.token}\n" == (tmp_path / "there/.env").read_text()


FLAGS = ("--token", "--provider", "--base-url", "--model", "--key")


@pytest.mark.parametrize(
    ("given", "variables", "named"),
    [
        ((), {}, ["--token", "--provider", "--base-url"]),
        (("--token", "t"), {}, ["--provider", "--base-url"]),
        ((), {"DISCORD_TOKEN": "t"}, ["--provider", "--base-url"]),
        (("--provider", "openai"), {"DISCORD_TOKEN": "t"}, ["--key"]),
        (("--provider", "openai"), {"OPENAI_API_KEY": "k"}, ["--token"]),
        (("--base-url", "http://x/v1"), {"DISCORD_TOKEN": "t"}, ["--model"]),
    ],
)
async def test_without_a_terminal_the_missing_flags_are_named(
    tmp_path: Path, discord: DiscordServer, given: tuple[str, ...], variables: dict[str, str], named: list[str]
) -> None:
    """Exit 2, one sentence with those that are missing and no others; nothing is asked of anybody."""
    code, out, err = await command(tmp_path, surroundings(tmp_path, discord, **variables), "setup", *given)
    assert (2, "", 1) == (code, out, len(err.splitlines()))
    assert named == [flag for flag in FLAGS if f"{flag} " in err]
    assert [] == discord.requests


@pytest.mark.parametrize(
    ("flags", "code", "told"),
    [
        (("--token", "wrong", "--provider", "none"), 78, "copy the bot's token anew"),
        (("--provider", "nonesuch"), 2, "--provider nonesuch: is not known; xai, openai,"),
        (("--base-url", "MODEL", "--model", "m"), 1, "m does not answer"),
        (("--base-url", "nonsense", "--model", "m"), 2, "base_url: "),
        (("--provider", "none", "--service"), 2, "--service: systemd does not run this machine"),
    ],
)
async def test_a_flag_that_is_wrong_writes_nothing(
    tmp_path: Path, discord: DiscordServer, model: ModelServer, flags: tuple[str, ...], code: int, told: str
) -> None:
    """One sentence, and the exit code that README has for it."""
    if service_unit.is_possible() and "--service" in flags:
        pytest.skip("systemd runs this machine")
    model.always = Status(status=400)
    env = surroundings(tmp_path, discord, DISCORD_TOKEN=discord.token)
    given = [model.base_url if flag == "MODEL" else flag for flag in flags]
    found, _, err = await command(tmp_path, env, "setup", *given)
    assert (code, True, 1) == (found, told in err, len(err.splitlines()))
    assert [] == [path for path in tmp_path.rglob("*") if path.is_file()]


async def test_what_stands_there_stays(tmp_path: Path, discord: DiscordServer, model: ModelServer) -> None:
    """Our lines are replaced and named, all others kept; a key of the server before is not left for the next."""
    folder = tmp_path / "hathi"
    folder.mkdir()
    (folder / ".env").write_text("# mine\nexport DISCORD_TOKEN=old\nLLM_API_KEY=k-old\nLLM_MODEL=older\nMINE='a b'\n")
    (folder / ".env").chmod(0o644)
    (folder / "hathi.toml").write_text(
        '# mine\nllm_model = "old"\n# m\nllm_base_url = "http://o/v1"\n\n[notes]\nkeep_minutes = 5\n'
    )
    (folder / "hathi.toml").chmod(0o640)
    flags = ("--token", discord.token, "--base-url", model.base_url, "--model", "new")
    code, out, err = await command(tmp_path, surroundings(tmp_path, discord, LLM_BASE_URL=""), "setup", *flags)
    assert (0, "") == (code, err)
    assert (folder / ".env").read_text() == (
        f"# mine\nexport DISCORD_TOKEN={discord.token}\nLLM_API_KEY=''\nLLM_MODEL=new\nMINE='a b'\n"
    )
    assert (folder / "hathi.toml").read_text() == (
        f'# mine\nllm_model = "new"\n# m\nllm_base_url = "{model.base_url}"\n\n[notes]\nkeep_minutes = 5\n'
    )
    modes = [stat.S_IMODE((folder / name).stat().st_mode) for name in (".env", "hathi.toml")]
    assert [0o600, 0o640] == modes
    assert "DISCORD_TOKEN, LLM_MODEL replaced; LLM_API_KEY taken out" in out
    assert "llm_base_url, llm_model replaced" in out


async def test_what_is_set_is_kept_by_enter(tmp_path: Path, discord: DiscordServer, model: ModelServer) -> None:
    """Token and model of before: both are tried again, and a role of the file stays as it is."""
    folder = tmp_path / "hathi"
    folder.mkdir()
    toml = f'[roles.reasoning]\nbase_url = "{model.base_url}"\nmodel = "mine"\nmax_context = 4096\n'
    toml += 'extra_headers = {X-Team = "s"}\n'
    (folder / "hathi.toml").write_text(toml)
    (folder / ".env").write_text(f"DISCORD_TOKEN={discord.token}\n")
    async with hathi(tmp_path, surroundings(tmp_path, discord), "setup", on_terminal=True) as running:
        await Talk(running).answers(("Enter for the one there is", ""), ("Number [1]", ""), ("Shall it start", "n"))
        assert 0 == await running.ends()
    assert ["s"] == [one["X-Team"] for one in model.headers]
    assert (1, True, True) == (
        len(model.requests),
        "mine, which is set" in running.out,
        "nothing changes" in running.out,
    )
    assert (f"DISCORD_TOKEN={discord.token}\n", toml) == written(tmp_path)


async def test_a_model_of_the_environment_is_written_down(
    tmp_path: Path, discord: DiscordServer, model: ModelServer
) -> None:
    """A service would not have it; a key too. What nothing else names a server for is told as a mistake."""
    variables = {"LLM_BASE_URL": model.base_url, "LLM_MODEL": "m", "LLM_API_KEY": "k-1", "DISCORD_TOKEN": discord.token}
    env = surroundings(tmp_path, discord, **variables)
    code, out, err = await command(tmp_path, env, "setup", "--key", "k-2")
    assert (2, True, "") == (code, "--model and --key need --provider" in err, "".join(written(tmp_path)))
    code, out, err = await command(tmp_path, env, "setup")
    assert (0, "", True, 1) == (code, err, "llm_base_url, llm_model added" in out, len(model.requests))
    assert f"DISCORD_TOKEN={discord.token}\nLLM_API_KEY=k-1\n" == written(tmp_path)[0]
    assert f'llm_base_url = "{model.base_url}"\nllm_model = "m"\n' == written(tmp_path)[1]


async def test_what_goes_before_the_files_is_told(tmp_path: Path, discord: DiscordServer, model: ModelServer) -> None:
    """Where the environment has another token or another model, which `run` would take."""
    env = surroundings(tmp_path, discord, DISCORD_TOKEN="old", LLM_BASE_URL=model.base_url, LLM_MODEL="older")
    flags = ("setup", "--token", discord.token)
    first = await command(tmp_path, env, *flags, "--base-url", model.base_url, "--model", "new")
    second = await command(tmp_path, env, *flags, "--provider", "none")
    (tmp_path / ".env").write_text("DISCORD_TOKEN=of-here\n")
    third = await command(
        tmp_path, surroundings(tmp_path, discord), *flags, "--provider", "none", "--folder", str(tmp_path / "x")
    )
    assert ("Another DISCORD_TOKEN" in first[1], "Another model goes before" in first[1]) == (True, True)
    assert ("older stays" in second[1], "Another DISCORD_TOKEN" in third[1]) == (True, True)
    assert "of-here" in (tmp_path / ".env").read_text()


# --- as a service ---------------------------------------------------------------------------------------------------


@pytest.fixture
def systemd(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A machine that systemd runs, with its folders in this one; what it is told stands in `told`."""
    programs = tmp_path / "programs"
    programs.mkdir()
    (programs / "systemctl").write_text(f'#!/bin/sh\necho "$@" >> {tmp_path}/told\n[ ! -e {tmp_path}/refuses ]\n')
    (programs / "systemctl").chmod(0o755)
    monkeypatch.setenv("PATH", f"{programs}:{os.environ['PATH']}")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("DATABASE_URL", raising=False)
    monkeypatch.setattr(service_unit, "RUNNING", programs)
    monkeypatch.setattr(service_unit, "MACHINE", tmp_path / "system")
    monkeypatch.setattr(service_unit, "MACHINE_SETTINGS", tmp_path / "etc")
    return tmp_path


async def set_up(
    discord: DiscordServer, *, service: bool | None = True, start: bool | None = None, ask: Questions | None = None
) -> list[str]:
    """What is told while it is set up without a model, as a service."""
    told = list[str]()
    given = Answers(token=discord.token, provider="none", service=service, start=start)
    known = config.load().model_copy(update={"discord_api_url": discord.api_url})
    with pointed_at(discord):
        await asyncio.to_thread(setup.Setup(known, given, ask, told.append, None).run)
    return told


@pytest.mark.parametrize("is_root", [True, False])
async def test_the_unit_is_installed(
    systemd: Path, discord: DiscordServer, monkeypatch: pytest.MonkeyPatch, is_root: bool
) -> None:
    """Of the machine for root, with its settings in /etc; else of one's own account, without what needs root."""
    monkeypatch.setattr(service_unit, "is_for_machine", lambda: is_root)
    monkeypatch.setattr("sys.executable", "/opt/my hathi/bin/python")
    told = await set_up(discord)
    folder = systemd / "etc" if is_root else systemd / "config/hathi"
    unit = (systemd / "system" if is_root else systemd / "config/systemd/user") / "hathi.service"
    lines = unit.read_text().splitlines()
    assert 'ExecStart="/opt/my hathi/bin/python" -m bot run' in lines
    assert is_root == ("DynamicUser=yes" in lines) == ("WorkingDirectory=%E/hathi" in lines)
    assert is_root != (f"WorkingDirectory={folder}" in lines)
    assert f"WantedBy={'multi-user' if is_root else 'default'}.target" in lines
    assert {"Type=notify", "WatchdogSec=60s", "RestartPreventExitStatus=78", "UMask=0077", "[Service]"} <= {*lines}
    user = [] if is_root else ["--user"]
    commands = ("daemon-reload", "enable hathi.service", "--no-block restart hathi.service")
    assert [" ".join([*user, one]) for one in commands] == (systemd / "told").read_text().splitlines()
    assert f"DISCORD_TOKEN={discord.token}\n" == (folder / ".env").read_text()
    assert is_root != any("enable-linger" in line for line in told)
    assert f"{unit}: written." in told
    unit.write_text("[Service]\n")
    assert f"{unit}: replaced." in await set_up(discord)


@pytest.mark.skipif(
    shutil.which("systemd-analyze") is None, reason="systemd-analyze is not installed (Debian: systemd)"
)
@pytest.mark.parametrize("is_root", [True, False])
def test_systemd_takes_the_unit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, is_root: bool) -> None:
    """Also where folders have blanks and percent signs in their names."""
    monkeypatch.setattr(service_unit, "is_for_machine", lambda: is_root)
    folder = tmp_path / "a b%c"
    folder.mkdir()
    (folder / "hathi").write_text("#!/bin/sh\n")
    (folder / "hathi").chmod(0o755)
    monkeypatch.setattr("sys.executable", f"{folder}/python")
    (folder / "hathi.service").write_text(service_unit.unit(folder))
    done = subprocess.run(
        ["systemd-analyze", *([] if is_root else ["--user"]), "verify", folder / "hathi.service"],
        env=os.environ | {"XDG_RUNTIME_DIR": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (0, "") == (done.returncode, done.stderr)


async def test_a_service_that_systemd_refuses_is_told(
    systemd: Path, discord: DiscordServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By the command that failed; the settings are there."""
    monkeypatch.setattr(service_unit, "is_for_machine", lambda: False)
    (systemd / "refuses").touch()
    with pytest.raises(errors.HathiError, match=r"systemctl --user daemon-reload: .*the settings are written"):
        await set_up(discord)
    assert (systemd / "config/hathi/.env").is_file()


@pytest.mark.parametrize(("typed", "is_service"), [("\n", True), ("what\nY\n", True), ("no\n\n", False)])
async def test_a_service_is_offered(
    systemd: Path, discord: DiscordServer, monkeypatch: pytest.MonkeyPatch, typed: str, is_service: bool
) -> None:
    """Where systemd runs the machine; then nothing is started here, and else it is asked whether to."""
    monkeypatch.setattr(service_unit, "is_for_machine", lambda: False)
    inside, outside = pty.openpty()
    os.write(inside, typed.encode())
    with os.fdopen(outside, "r") as keys, os.fdopen(os.dup(outside), "w") as screen:
        await set_up(discord, service=None, ask=Questions(keys, screen))
    shown = os.read(inside, 4096).decode()
    os.close(inside)
    assert ("as a service of your account? [Y/n]" in shown, is_service) == (True, (systemd / "told").exists())
    assert is_service != ("Shall it start now" in shown)


async def test_a_service_of_the_machine_can_t_run_from_a_home(
    systemd: Path, discord: DiscordServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its unit shuts them: that is said, and nothing written; without the wish for one it is none."""
    monkeypatch.setattr(service_unit, "is_for_machine", lambda: True)
    monkeypatch.setattr("sys.executable", "/root/hathi/.venv/bin/python")
    with pytest.raises(errors.BadArgument, match="lies in a home"):
        await set_up(discord)
    assert not (systemd / "config/hathi/.env").exists()
    await set_up(discord, service=None)
    assert not (systemd / "told").exists()


# --- files ----------------------------------------------------------------------------------------------------------


def test_both_files_are_written_or_none(tmp_path: Path) -> None:
    """Where the second can't be, the first is as before, and nothing lies beside it; a link leads on to its file."""
    real, link = tmp_path / "real", tmp_path / "link"
    real.write_text("before")
    link.symlink_to(real)
    first = settings_writing.NewFile(path=link, text="after", mode=0o600, told="")
    (tmp_path / "file").touch()
    second = settings_writing.NewFile(path=tmp_path / "file/below", text="x", mode=0o644, told="")
    with pytest.raises(errors.SettingsError, match="name another folder by --folder"):
        settings_writing.write([first, second])
    assert ("before", {"real", "link", "file"}) == (real.read_text(), {path.name for path in tmp_path.iterdir()})
    settings_writing.write([first])
    assert ("after", True, 0o600) == (real.read_text(), link.is_symlink(), stat.S_IMODE(real.stat().st_mode))


def test_a_file_that_can_t_be_edited_line_by_line_is_told(tmp_path: Path) -> None:
    """A value of several lines stays as it is, and so does the file."""
    (tmp_path / "hathi.toml").write_text('llm_model = """\nx"""\n')
    with pytest.raises(errors.SettingsError, match="take llm_model out of it by hand"):
        settings_writing.settings_file(tmp_path / "hathi.toml", {"llm_model": "y"})


async def test_a_model_that_says_nothing_is_no_model(tmp_path: Path, discord: DiscordServer) -> None:
    """It is tried by a call, as `hathi doctor` tries it."""
    async with ModelServer(Reply(text="Fine.")) as server:
        address = server.base_url
    flags = ("--token", discord.token, "--base-url", address, "--model", "m")
    code, _, err = await command(tmp_path, surroundings(tmp_path, discord), "setup", *flags)
    assert (1, True) == (code, "can't be reached" in err)
