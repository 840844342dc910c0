"""The laws of settings: environment, then file, then defaults; what is wrong names itself."""

import ast
import os
from collections.abc import Generator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from pydantic import SecretStr, ValidationError

from bot import __main__ as command_line
from bot import config, errors, log
from bot.config import EmbedderSettings, LocalEmbedderSettings, Settings

ROOT = Path(__file__).parents[2]
ROLE = '[roles.reasoning]\nbase_url = "http://file.example/v1"\nmodel = "file-model"\n'
SUMMARIZER = '[roles.summarizer]\nbase_url = "http://other.example/v1"\nmodel = "other-model"\n'
POTS = '[mcp.servers.pots]\ncommand = ["pots-mcp", "--stdio"]\n'
FORGE = '[forge]\nrepositories.nexus = {path = "acme/the-nexus"}\n'
LLM = {"LLM_BASE_URL": "http://env.example/v1", "LLM_MODEL": "env-model", "LLM_API_KEY": "key-of-the-environment"}


@pytest.fixture(autouse=True)
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder to be in, with none of this machine's settings."""
    for name in [*os.environ]:
        if name.upper().startswith(("HATHI_", "LLM_", "DISCORD_", "DATABASE_URL")):
            monkeypatch.delenv(name)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def load(monkeypatch: pytest.MonkeyPatch, *, file: str = "", **environment: str) -> Settings:
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    Path("hathi.toml").write_text(file, encoding="utf-8")
    return config.load()


def refused(monkeypatch: pytest.MonkeyPatch, *, file: str = "", **environment: str) -> str:
    with pytest.raises(errors.SettingsError) as caught:
        load(monkeypatch, file=file, **environment)
    return str(caught.value)


def test_without_anything_the_defaults_hold(place: Path) -> None:
    """No file, no variable: no model, embedded database, data and settings where XDG says."""
    settings = config.load()
    assert (settings.database_url, settings.roles, settings.data_dir) == (None, config.Roles(), place / "data/hathi")
    assert settings.settings_dir == place / "config/hathi"
    active = settings.memory.active
    assert (active.rows, active.min_importance) == (15, 3)
    assert (settings.messages.keep_days, settings.reset.min_messages, settings.language) == (365, 1, "english")


def test_the_environment_goes_before_the_file_and_the_file_before_defaults(monkeypatch: pytest.MonkeyPatch) -> None:
    """Setting by setting, also inside one section."""
    settings = load(
        monkeypatch,
        file='log_level = "ERROR"\nlanguage = "german"\n[memory.active]\nrows = 7\nmin_importance = 5\n',
        HATHI_LOG_LEVEL="DEBUG",
        HATHI_MEMORY__ACTIVE__ROWS="9",
    )
    active = settings.memory.active
    assert (settings.log_level, settings.language) == ("DEBUG", "german")
    assert (active.rows, active.min_importance) == (9, 5)


def test_domains_are_chosen_in_the_file_or_as_json(monkeypatch: pytest.MonkeyPatch) -> None:
    """A list of words and phrases each; the environment goes first, domain by domain."""
    file = '[domains]\npoetry = ["poem", "open mic"]\nfinance = []\n'
    assert load(monkeypatch, file=file).domains == {"poetry": ("poem", "open mic"), "finance": ()}
    over = load(monkeypatch, file=file, HATHI_DOMAINS='{"poetry": ["ode"], "my-club_2": ["rota"]}')
    assert over.domains == {"poetry": ("ode",), "finance": (), "my-club_2": ("rota",)}


@pytest.mark.parametrize(
    ("line", "piece"),
    [
        ('Poetry = ["poem"]', "domains: 'Poetry' must be 1 to 31 of a-z"),
        ('"a b" = ["poem"]', "domains: 'a b' must be 1 to 31 of a-z"),
        (f'{"x" * 32} = ["poem"]', "must be 1 to 31 of a-z"),
        ('poetry = "poem"', "domains: poetry must be a list of at most 500"),
        ("poetry = [1]", "domains: poetry may hold words and phrases"),
        ('poetry = ["?!"]', "domains: poetry may hold words and phrases"),
        (f'poetry = ["{"x" * 65}"]', "domains: poetry may hold words and phrases"),
    ],
)
def test_a_domain_that_can_t_be_is_told_in_a_sentence(monkeypatch: pytest.MonkeyPatch, line: str, piece: str) -> None:
    """Which domain, and what would be right."""
    assert piece in refused(monkeypatch, file=f"[domains]\n{line}\n")


def test_domains_are_a_table(monkeypatch: pytest.MonkeyPatch) -> None:
    """Anything else is told how they are written."""
    told = refused(monkeypatch, file='domains = ["poetry"]\n')
    assert "domains: must be a table of at most 500 lists" in told


def test_an_empty_variable_is_no_setting(monkeypatch: pytest.MonkeyPatch) -> None:
    """As compose files leave them."""
    settings = load(monkeypatch, file="[messages]\nkeep_days = 5\n", DATABASE_URL="", LLM_MODEL="", LLM_BASE_URL="")
    assert (settings.database_url, settings.roles, settings.messages.keep_days) == (None, config.Roles(), 5)


def test_the_file_is_the_one_named_else_the_one_here_else_the_one_of_the_person(place: Path) -> None:
    """And the settings folder is that file's."""
    own, named = place / "config/hathi/hathi.toml", place / "elsewhere/my.toml"
    for path, days in ((own, 1), (place / "hathi.toml", 2), (named, 3)):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"[messages]\nkeep_days = {days}\n", encoding="utf-8")
    found = [config.load(named), config.load()]
    (place / "hathi.toml").unlink()
    found.append(config.load())
    assert [(s.messages.keep_days, s.settings_dir) for s in found] == [(3, named.parent), (2, Path()), (1, own.parent)]


def test_database_url_by_its_usual_name_or_in_the_file(monkeypatch: pytest.MonkeyPatch) -> None:
    """The environment's before the file's, and never shown."""
    file = 'database_url = "postgresql://u:file-secret@h/d"\n'
    from_file = load(monkeypatch, file=file)
    from_environment = load(monkeypatch, file=file, DATABASE_URL="postgres://u:env-secret@h/d")
    urls = [s.database_url.get_secret_value() for s in (from_file, from_environment) if s.database_url]
    assert urls == ["postgresql://u:file-secret@h/d", "postgres://u:env-secret@h/d"]
    assert "secret@" not in repr(from_file) + repr(from_environment) + from_environment.model_dump_json()


# --- .env and names of variables -------------------------------------------------------------------------------------


def dotenv(folder: Path, text: str) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / ".env").write_text(text, encoding="utf-8")
    return folder / ".env"


def test_dotenv_stands_between_environment_and_file(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Setting by setting, also inside one section and by JSON; an empty variable is none."""
    dotenv(
        place,
        "# mine\nHATHI_LOG_LEVEL=WARNING\nexport HATHI_LANGUAGE = 'german'\nHATHI_MEMORY__ACTIVE__ROWS=8\n"
        'HATHI_MEMORY__ACTIVE__MIN_IMPORTANCE=6\nDATABASE_URL="postgres://u:${x}@h/d"  # theirs\nLLM_MODEL=\n',
    )
    settings = load(
        monkeypatch,
        file='language = "french"\n[memory.active]\nrows = 7\n[messages]\nkeep_days = 5\n',
        HATHI_LOG_LEVEL="DEBUG",
        HATHI_LANGUAGE="",
        HATHI_MEMORY='{"active": {"rows": 9}}',
    )
    active = settings.memory.active
    assert ("DEBUG", "german", 5) == (settings.log_level, settings.language, settings.messages.keep_days)
    assert (9, 6) == (active.rows, active.min_importance)
    assert SecretStr("postgres://u:${x}@h/d") == settings.database_url
    assert ((), Path(".env")) == (settings.remarks, settings.env_file)


def test_dotenv_is_the_one_here_else_the_one_of_the_settings_folder(place: Path) -> None:
    """One file is read, not both; beside a file that is named, that folder's."""
    levels = list[str]()
    dotenv(place / "config/hathi", "HATHI_LOG_LEVEL=ERROR\n")
    levels.append(config.load().log_level)
    (place / "elsewhere").mkdir()
    (place / "elsewhere/my.toml").touch()
    levels.append(config.load(place / "elsewhere/my.toml").log_level)
    dotenv(place / "elsewhere", "HATHI_LOG_LEVEL=WARNING\n")
    levels.append(config.load(place / "elsewhere/my.toml").log_level)
    dotenv(place, "HATHI_LANGUAGE=german\n")
    assert ("german", "INFO") == (config.load().language, config.load().log_level)
    assert ["ERROR", "ERROR", "WARNING"] == levels


def test_models_that_may_be_chosen_take_what_they_lack_from_the_common_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    """Address and key; a key only for that address, and never the place of what is their own."""
    settings = load(
        monkeypatch,
        file='[models.large]\nmodel = "l"\ntools = "none"\n[models.afar]\nbase_url = "http://b/v1"\nmodel = "b"\n',
        LLM_BASE_URL="http://a/v1",
        LLM_MODEL="a",
        LLM_API_KEY="swordfish",
    )
    found = {name: (str(m.base_url), m.model, m.api_key is None, m.tools) for name, m in settings.models.items()}
    assert {"large": ("http://a/v1", "l", False, "none"), "afar": ("http://b/v1", "b", True, "all")} == found


@pytest.mark.parametrize(
    ("file", "told"),
    [
        (ROLE + '[models.default]\nbase_url = "http://b/v1"\nmodel = "b"\n', "not be default"),
        (ROLE + '[models."Too Large"]\nbase_url = "http://b/v1"\nmodel = "b"\n', "begin with a letter"),
        (ROLE + '[models.large]\nbase_url = "http://b/v1"\n', "models.large.model"),
        (ROLE + '[models.large]\nbase_url = "http://b/v1"\nmodel = "b"\nmodle = "c"\n', 'mean "model"?'),
        (ROLE + '[models.file-model]\nbase_url = "http://b/v1"\nmodel = "b"\n', "take another name"),
        ('[models.large]\nbase_url = "http://b/v1"\nmodel = "b"\n', "[roles.reasoning]"),
        (
            ROLE + '[models.large]\nbase_url = "http://b/v1"\nmodel = "b"\napi_key_env = "NO"\n',
            "models.large.api_key_env",
        ),
        ("models = 3\n", "must be a table"),
    ],
)
def test_what_is_wrong_with_a_model_to_choose_is_named(monkeypatch: pytest.MonkeyPatch, file: str, told: str) -> None:
    """With its place, and what would be right."""
    assert told in refused(monkeypatch, file=file)


def test_secrets_are_found_in_dotenv(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A key, a fallback's, the embedder's and the forge's token, by the names that settings give; environment first."""
    dotenv(place, "A=a-of-the-file\nB=b-of-the-file\nC=c-of-the-file\n")
    file = ROLE + 'api_key_env = "A"\n[[roles.reasoning.fallbacks]]\nbase_url = "http://b/v1"\nmodel = "b"\n'
    file += 'api_key_env = "B"\n[roles.embedder]\nbase_url = "http://b/v1"\nmodel = "b"\napi_key_env = "B"\n'
    settings = load(monkeypatch, file=file + FORGE + 'token_env = "C"\n', A="a-of-the-environment")
    roles = settings.roles
    assert roles.reasoning is not None
    assert isinstance(roles.embedder, EmbedderSettings)
    keys = [roles.reasoning.api_key, roles.reasoning.fallbacks[0].api_key, roles.embedder.api_key, settings.forge.token]
    assert ["a-of-the-environment", "b-of-the-file", "b-of-the-file", "c-of-the-file"] == [
        key.get_secret_value() for key in keys if key
    ]


def test_dotenv_alone_connects_a_model_and_a_role_s_key_lies_over_it(place: Path) -> None:
    """LLM_* are the same there as in the environment."""
    dotenv(place, "LLM_BASE_URL=http://x/v1\nLLM_MODEL=m\nHATHI_ROLES__REASONING__TIMEOUT=20\n")
    roles = config.load().roles
    assert roles.reasoning is not None
    assert roles.summarizer is not None
    assert (timedelta(seconds=20), "m", "m") == (roles.reasoning.timeout, roles.reasoning.model, roles.summarizer.model)


def test_a_dotenv_that_can_t_be_read_is_named(place: Path) -> None:
    """By its path, and what it must be; a folder of that name is none."""
    dotenv(place, "").write_bytes(b"\xff\xfe")
    with pytest.raises(errors.SettingsError, match=r"\.env: .*must be a readable file of NAME=value lines"):
        config.load()
    (place / ".env").unlink()
    (place / ".env").mkdir()
    assert None is config.load().env_file


def test_a_dotenv_of_somebody_else_is_passed_over(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With a remark; not of a service, for which systemd reads it."""
    dotenv(place, "HATHI_LANGUAGE=german\nKEY=k\n")
    ours = config.load()
    assert ("german", (), "k") == (ours.language, ours.remarks, config.variable("KEY", ours))
    monkeypatch.setattr("os.access", lambda *_: False)
    settings = config.load()
    assert ("english", 1, "") == (settings.language, len(settings.remarks), config.variable("KEY", settings))
    assert settings.remarks[0].startswith(".env is not this account's to read")
    assert () == load(monkeypatch, NOTIFY_SOCKET="/run/x").remarks


MISSPELT: list[tuple[str, str | None]] = [
    ("HATHI_LOG_LEVLE", "HATHI_LOG_LEVEL"),
    ("HATHI_MEMORY__ACTIVE__ROW", "HATHI_MEMORY__ACTIVE__ROWS"),
    ("HATHI_ROLE__REASONING__TIMEOUT", "HATHI_ROLES__REASONING__TIMEOUT"),
    ("HATHI_ROLES__REASONING__FALLBACKS__MODEL", "HATHI_ROLES__REASONING__FALLBACKS"),
    ("hathi_langage", "HATHI_LANGUAGE"),
    ("HATHI_LLM_MODEL", "LLM_MODEL"),
    ("HATHI_DATABASE_URL", "DATABASE_URL"),
    ("HATHI_SETTINGS_DIR", None),
    ("HATHI_XYZZY", None),
    ("LLM_BASEURL", "LLM_BASE_URL"),
    ("LLM_TEMPERATURE", None),
    ("DISCORD_BOT_TOKEN", "DISCORD_TOKEN"),
    ("DATABSE_URL", "DATABASE_URL"),
    ("DATABASE_URI", "DATABASE_URL"),
    ("SHARD_COUTN", "SHARD_COUNT"),
    ("DISCRD_TOKEN", "DISCORD_TOKEN"),
    ("HATH_LOG_LEVEL", "HATHI_LOG_LEVEL"),
]


@pytest.mark.parametrize(("name", "meant"), MISSPELT)
def test_a_variable_that_is_none_of_ours_is_told(
    place: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], name: str, meant: str | None
) -> None:
    """At a start, with the nearest and without its value; with its line where it stands in `.env`. It does nothing."""
    begins = f"{name} is no setting of Hathi's and does nothing" + (f"; did you mean {meant}?" if meant else ".")
    remarks = [*load(monkeypatch, **{name: "hunter2"}).remarks]
    monkeypatch.delenv(name)
    dotenv(place, f"\n# mine\n\n{name}=hunter2\n")
    remarks += config.load().remarks
    if meant == "HATHI_LOG_LEVEL":
        monkeypatch.setattr("sys.argv", ["hathi", "eval", "memory", "--data", "nowhere"])
        with pytest.raises(SystemExit):
            command_line.main()
        assert capsys.readouterr().err.startswith(f"hathi: warning: .env, line 4: {begins}\n")
    assert [begins, f".env, line 4: {begins}"] == remarks


def test_a_variable_that_settings_name_is_no_misspelt_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nor is one that whoever runs Hathi may choose the end of, or that is another program's."""
    given = {
        "LLM_KEY_TWO": "k",
        "DISCORD_FORGE": "t",
        "HATHI_DOMAINS__POETRY": '["ode"]',
        "HATHI_FORGE__REPOSITORIES__VAULT__PATH": "acme/vault",
        "OTHER_LLM_MODEL": "m",
        "MY_DATABASE_URL": "postgresql://h/d",
        "PATH_TO": "x",
    }
    file = f'{ROLE}api_key_env = "LLM_KEY_TWO"\n{FORGE}token_env = "DISCORD_FORGE"\n'
    settings = load(monkeypatch, file=file, **given)
    assert () == settings.remarks
    assert ({"poetry": ("ode",)}, "acme/vault") == (settings.domains, settings.forge.repositories["vault"].path)


def test_a_line_of_dotenv_that_is_no_variable_is_told(place: Path) -> None:
    """By its number, without a word of it; the others are read."""
    dotenv(place, "HATHI_LANGUAGE=german\nhunter2\nLLM_MODEL\n= x\n'open\nHATHI_LOG_LEVEL=ERROR\n")
    settings = config.load()
    assert ("german", "ERROR") == (settings.language, settings.log_level)
    assert [f".env, line {n}" for n in (2, 3, 4, 5)] == [told.partition(":")[0] for told in settings.remarks]
    assert "hunter2" not in str(settings.remarks)


# --- models ---------------------------------------------------------------------------------------------------------


def test_llm_variables_alone_serve_chat_and_summaries(monkeypatch: pytest.MonkeyPatch) -> None:
    """One model for both; tools stay with it, since no execution role is made."""
    roles = load(monkeypatch, **LLM).roles
    assert roles.execution is None
    for role in (roles.reasoning, roles.summarizer):
        assert role is not None
        assert (str(role.base_url), role.model) == ("http://env.example/v1", "env-model")
        assert role.api_key is not None
        assert role.api_key.get_secret_value() == "key-of-the-environment"


def test_llm_variables_are_laid_over_every_role_of_the_file(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each given part replaces that part of every role; no role is added."""
    roles = load(monkeypatch, file=ROLE + "temperature = 0.5\n" + SUMMARIZER, LLM_MODEL="env-model").roles
    assert [(str(r.base_url), r.model, r.temperature) for r in (roles.reasoning, roles.summarizer) if r] == [
        ("http://file.example/v1", "env-model", 0.5),
        ("http://other.example/v1", "env-model", None),
    ]
    assert roles.execution is None


OVER: list[tuple[str, dict[str, str], dict[str, tuple[str, str, str | None]]]] = [
    ("", {"HATHI_ROLES__REASONING__TIMEOUT": "20"}, {}),
    ("", {"HATHI_ROLES__SUMMARIZER__TIMEOUT": "20"}, {}),
    ("[roles.reasoning]\ntimeout = 20\n", {}, {}),
    ("", {"HATHI_ROLES__EMBEDDER__LOCAL": "true", "HATHI_ROLES__EMBEDDER__PATH": "/srv"}, {}),
    ("", {"HATHI_ROLES__EXECUTION__TEMPERATURE": "0"}, {"execution": ("env.example", "env-model", "key")}),
    ("", {"HATHI_ROLES__REASONING__MODEL": "big"}, {"reasoning": ("env.example", "big", "key")}),
    ('[roles.reasoning]\nmodel = "big"\n', {}, {"reasoning": ("env.example", "big", "key")}),
    ("", {"HATHI_ROLES__REASONING__BASE_URL": "http://b/v1"}, {"reasoning": ("b", "env-model", None)}),
    ("", {"HATHI_ROLES__REASONING__BASE_URL": LLM["LLM_BASE_URL"]}, {}),
    ("", {"HATHI_ROLES__REASONING__API_KEY_ENV": "MINE"}, {"reasoning": ("env.example", "env-model", "mine")}),
    (ROLE, {}, {}),
    (SUMMARIZER + 'api_key_env = "MINE"\n', {}, {}),
    (ROLE, {"HATHI_ROLES__REASONING__MODEL": "big"}, {"reasoning": ("env.example", "big", "key")}),
]


@pytest.mark.parametrize(("file", "environment", "other"), OVER)
def test_a_key_of_one_role_takes_no_other_away(
    monkeypatch: pytest.MonkeyPatch,
    file: str,
    environment: dict[str, str],
    other: dict[str, tuple[str, str, str | None]],
) -> None:
    """Beside LLM_* there are always both roles; single keys, of the file or of the environment, are laid over them."""
    made = load(monkeypatch, file=file, **LLM | {"LLM_API_KEY": "key", "MINE": "mine"} | environment).roles
    found = {
        name: (str(role.base_url.host), role.model, role.api_key and role.api_key.get_secret_value())
        for name in ("reasoning", "execution", "summarizer")
        if (role := getattr(made, name))
    }
    assert {"reasoning": ("env.example", "env-model", "key"), "summarizer": ("env.example", "env-model", "key")} | (
        other
    ) == found
    if "TIMEOUT" in str(environment) or "timeout" in file:
        timeouts = {role.timeout for role in (made.reasoning, made.summarizer) if role}
        assert {timedelta(seconds=20), None} == timeouts


def test_a_role_of_the_file_gives_way_with_what_is_its_server_s(monkeypatch: pytest.MonkeyPatch) -> None:
    """LLM_BASE_URL is sent no header, query or body that was meant for the server it stands in for."""
    extras = 'extra_headers = {X-Key = "s"}\nextra_query = {key = "s"}\nextra_body = {key = "s"}\n'
    role = load(monkeypatch, file=ROLE + extras, LLM_BASE_URL="http://env.example/v1").roles.reasoning
    assert role is not None
    assert ("file-model", {}, {}, {}) == (role.model, role.extra_headers, role.extra_query, role.extra_body)


def test_a_wrong_address_for_every_role_is_told_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Under the name it was given by, and not once more for each role that is made of it."""
    said = refused(monkeypatch, LLM_BASE_URL="example.com", LLM_MODEL="m")
    assert (1, True) == (len(said.splitlines()), said.startswith("LLM_BASE_URL: "))


def test_a_role_passes_on_what_its_server_needs(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tables in the file, JSON in a variable, of fallbacks and the embedder too; none of it is shown."""
    table = 'extra_body = {top_k = 5, chat = {think = false}}\nextra_query = {api-version = "s1"}\n'
    table += 'extra_headers = {X-Team = "s2"}\n'
    fallback = f'[[roles.reasoning.fallbacks]]\nbase_url = "http://b/v1"\nmodel = "b"\n{table}'
    embedder = f'[roles.embedder]\nbase_url = "http://b/v1"\nmodel = "b"\n{table}'
    roles = load(
        monkeypatch,
        file=f"{ROLE}{table}{fallback}{embedder}{SUMMARIZER}",
        HATHI_ROLES__SUMMARIZER__EXTRA_BODY='{"top_k": 5, "chat": {"think": false}}',
        HATHI_ROLES__SUMMARIZER__EXTRA_HEADERS='{"X-Team": "s2"}',
        HATHI_ROLES__SUMMARIZER__EXTRA_QUERY='{"api-version": "s1"}',
    ).roles
    assert roles.reasoning is not None
    assert isinstance(roles.embedder, EmbedderSettings)
    for each in (roles.reasoning, roles.reasoning.fallbacks[0], roles.summarizer, roles.embedder):
        assert each is not None
        assert {"top_k": 5, "chat": {"think": False}} == each.extra_body
        assert ({"api-version": SecretStr("s1")}, {"X-Team": SecretStr("s2")}) == (each.extra_query, each.extra_headers)
    assert [] == [said for said in ("s1", "s2", "top_k") if said in repr(roles)]


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("extra_body = {messages = [], stream = false}", "extra_body: can't have messages, stream, which Hathi fills"),
        ("extra_body = {until = 2026-01-01}", "extra_body.until"),
        ('extra_headers = {"X Team" = "s"}', "extra_headers: 'X Team' must be the name of a header"),
        ('extra_headers = {X-Team = "a\\nb"}', "extra_headers: 'X-Team' must be"),
        ("extra_query = {v = 1}", "extra_query.v"),
    ],
)
def test_what_can_t_be_passed_on_is_told(monkeypatch: pytest.MonkeyPatch, line: str, told: str) -> None:
    """Which key, and what it must be."""
    assert f"roles.reasoning.{told}" in refused(monkeypatch, file=f"{ROLE}{line}\n")


def test_a_role_may_be_set_by_variables_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """HATHI_ROLES__… reaches every part."""
    roles = load(
        monkeypatch,
        HATHI_ROLES__REASONING__BASE_URL="http://x.example/v1",
        HATHI_ROLES__REASONING__MODEL="m",
        HATHI_ROLES__REASONING__MAX_CONTEXT="4096",
        HATHI_ROLES__REASONING__TIMEOUT="7",
    ).roles
    assert roles.reasoning is not None
    assert (roles.reasoning.max_context, roles.reasoning.timeout, roles.summarizer) == (
        4096,
        timedelta(seconds=7),
        None,
    )


@pytest.mark.parametrize(
    ("given", "missing"),
    [
        ({"LLM_MODEL": "m"}, "LLM_BASE_URL: is missing"),
        ({"LLM_BASE_URL": "http://x/v1"}, "LLM_MODEL: is missing"),
        ({"LLM_API_KEY": "k"}, "LLM_BASE_URL: is missing"),
    ],
)
def test_half_of_the_llm_variables_name_the_other_half(
    monkeypatch: pytest.MonkeyPatch, given: dict[str, str], missing: str
) -> None:
    """And what else would do."""
    said = refused(monkeypatch, **given)
    assert said.startswith(missing)
    assert "or give [roles.reasoning] in hathi.toml" in said


@pytest.mark.parametrize(
    ("file", "variable", "told"),
    [
        ('llm_model = "m"\nllm_base_ur = "http://x/v1"\n', "HATHI_LOG_LEVEL", ("hathi.toml, line 2", "llm_base_url")),
        ('llm_model = "m"\n[recall]\non_mis = "x"\n', "HATHI_LOG_LEVEL", ("hathi.toml, line 3", "on_miss")),
        ('llm_model = "m"\n', "LLM_BASE_UR", ("LLM_BASE_URL: is missing", "did you mean LLM_BASE_URL?")),
    ],
)
def test_what_is_missing_may_stand_there_misspelt(
    monkeypatch: pytest.MonkeyPatch, file: str, variable: str, told: tuple[str, ...]
) -> None:
    """Then that is told with where it stands, and what is wrong elsewhere, too."""
    said = refused(monkeypatch, file=file, **{variable: "ERROR"})
    assert all(part in said for part in told), said


def test_keys_come_from_the_variable_a_role_names(monkeypatch: pytest.MonkeyPatch) -> None:
    """For roles and their fallbacks; LLM_API_KEY goes before."""
    file = ROLE + 'api_key_env = "MY_KEY"\n[[roles.reasoning.fallbacks]]\nbase_url = "http://b/v1"\nmodel = "b"\n'
    file += 'api_key_env = "MY_OTHER_KEY"\n'
    role = load(monkeypatch, file=file, MY_KEY="first-key", MY_OTHER_KEY="second-key").roles.reasoning
    assert role is not None
    keys = [model.api_key.get_secret_value() for model in (role, *role.fallbacks) if model.api_key]
    assert keys == ["first-key", "second-key"]
    assert "first-key" not in repr(role)
    over = load(monkeypatch, file=file, LLM_API_KEY="env-key").roles.reasoning
    assert over is not None
    assert over.api_key is not None
    assert over.api_key.get_secret_value() == "env-key"


@pytest.mark.parametrize(
    ("fallback", "place_"), [(False, "roles.reasoning.api_key_env"), (True, "roles.reasoning.fallbacks[0].api_key_env")]
)
def test_a_key_that_is_not_there_names_its_variable(
    monkeypatch: pytest.MonkeyPatch, fallback: bool, place_: str
) -> None:
    """Where it is asked for, which variable, and what to do; an empty one is not there."""
    table = '[[roles.reasoning.fallbacks]]\nbase_url = "http://b/v1"\nmodel = "b"\n' if fallback else ""
    said = refused(monkeypatch, file=f'{ROLE}{table}api_key_env = "MY_KEY"\n', MY_KEY="")
    assert (said.startswith(f"{place_}: "), "MY_KEY is not set" in said) == (True, True)


def test_a_forge_is_connected_by_its_repositories(monkeypatch: pytest.MonkeyPatch) -> None:
    """In the file, or by variables; github.com needs no address, and the token is shown to nobody."""
    without = load(monkeypatch).forge
    assert ({}, "https://api.github.com") == (without.repositories, without.api)
    file = FORGE + 'repositories.vault = {path = "a/.v", private = true, channels = [0, "12345678901234567890"]}\n'
    with_token = load(
        monkeypatch,
        file=file.replace("12345678901234567890", "1234567890123456789"),
        HATHI_FORGE__TOKEN_ENV="MY_TOKEN",
        MY_TOKEN="forge-key\n",
    ).forge
    assert with_token.token is not None
    assert ("forge-key", False) == (with_token.token.get_secret_value(), "forge-key" in repr(with_token))
    assert {0, 1234567890123456789} == with_token.repositories["vault"].channels
    over = load(
        monkeypatch,
        HATHI_FORGE__KIND="gitea",
        HATHI_FORGE__BASE_URL="https://git.example.org/api/v1/",
        HATHI_FORGE__REPOSITORIES='{"nexus": {"path": "acme/the-nexus"}}',
    ).forge
    assert ("gitea", "https://git.example.org/api/v1", "acme/the-nexus") == (
        over.kind,
        over.api,
        over.repositories["nexus"].path,
    )


@pytest.mark.parametrize(("value", "told"), [("", "MY_TOKEN is not set"), ("two words", "MY_TOKEN must hold a token")])
def test_a_token_that_is_none_names_its_variable(monkeypatch: pytest.MonkeyPatch, value: str, told: str) -> None:
    """Where it is asked for, which variable, and what to do; never what it holds."""
    said = refused(monkeypatch, file=FORGE + 'token_env = "MY_TOKEN"\n', MY_TOKEN=value)
    assert (True, True, False) == (said.startswith("forge.token_env: "), told in said, "two words" in said)


def test_servers_of_tools_have_what_settings_name(monkeypatch: pytest.MonkeyPatch) -> None:
    """Variables and tokens by their names, and shown to nobody; in the file, or by variables."""
    assert {} == load(monkeypatch).mcp.servers
    file = POTS + 'env = ["POTS_KEY"]\ntools = ["mix", "fire"]\nread_only = ["mix"]\nspaces = [0]\nchannels = [7, 0]\n'
    elsewhere = '[mcp.servers.stock]\nurl = "https://tools.example.org/mcp?part=1"\ntoken_env = "HATHI_STOCK_TOKEN"\n'
    loaded = load(monkeypatch, file=file + elsewhere, POTS_KEY="hunter2", HATHI_STOCK_TOKEN="hunter3\n")
    pots, stock = loaded.mcp.servers["pots"], loaded.mcp.servers["stock"]
    assert (("pots-mcp", "--stdio"), {"mix", "fire"}, {"mix"}) == (pots.command, pots.tools, pots.read_only)
    assert ({0}, {7, 0}) == (pots.spaces, pots.channels)
    assert "hunter2" == pots.variables["POTS_KEY"].get_secret_value()
    assert stock.token is not None
    assert ("hunter3", "/mcp") == (stock.token.get_secret_value(), stock.url and stock.url.path)
    assert ((), False) == (loaded.remarks, "hunter" in repr(loaded))
    over = load(monkeypatch, HATHI_MCP__SERVERS='{"pots": {"command": ["pots-mcp"]}}').mcp.servers["pots"]
    assert (("pots-mcp",), frozenset()) == (over.command, over.tools)


@pytest.mark.parametrize("name", ["env", "token_env"])
def test_a_variable_of_a_server_that_is_not_there_is_named(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """Where it is asked for, and what to do."""
    elsewhere = '[mcp.servers.pots]\nurl = "https://tools.example.org/mcp"\ntoken_env = "POTS_KEY"\n'
    said = refused(monkeypatch, file=POTS + 'env = ["POTS_KEY"]\n' if name == "env" else elsewhere, POTS_KEY="")
    assert (True, True) == (said.startswith(f"mcp.servers.pots.{name}: "), "POTS_KEY is not set" in said)


# --- what is wrong --------------------------------------------------------------------------------------------------

WRONG: list[tuple[str, dict[str, str], tuple[str, ...]]] = [
    ("", {"HATHI_LOG_LEVEL": "LOUD"}, ("log_level", "'DEBUG', 'INFO', 'WARNING' or 'ERROR'")),
    ("", {"HATHI_MESSAGES__KEEP_DAYS": "-1"}, ("messages.keep_days", "greater than or equal to 0")),
    ("", {"HATHI_MESSAGES__KEEP_DAYS": "year"}, ("messages.keep_days", "valid integer")),
    ("", {"HATHI_MEMORY__ACTIVE__ROWS": "99"}, ("memory.active.rows", "less than or equal to 50")),
    ("", {"HATHI_MESSAGES": "forever"}, ("messages",)),
    ("", {"HATHI_ROLES": "{"}, ("roles",)),
    ("", {"HATHI_LANGUAGE": "de; DROP"}, ("language", "pattern")),
    ("", {"DATABASE_URL": "mysql://u:hunter2@h/d"}, ("DATABASE_URL", "postgresql://user:password@host:5432/hathi")),
    ("[playbooks]\nnamed_in = [-1]", {}, ("playbooks.named_in.0",)),
    ("", {"LLM_BASE_URL": "example.com", "LLM_MODEL": "m"}, ("LLM_BASE_URL", "valid URL")),
    ("", {"HATHI_MEMORY": '{"colour": "red"}'}, ("the environment", '"colour" is not a setting of [memory]')),
    ("colour = 1\n", {}, ('"colour" is not a setting', "documentation")),
    ("[memory.activ]\nrows = 5\n", {}, ('"activ" is not a setting of [memory]',)),
    ("[memory.active]\nrow = 5\n", {}, ('"row" is not a setting of [memory.active]',)),
    (ROLE + "max_contxt = 5\n", {}, ('"max_contxt" is not a setting of [roles.reasoning]',)),
    (ROLE + "max_context = 5\n", {}, ("roles.reasoning.max_context", "greater than or equal to 1024")),
    (ROLE + "timeout = 0\n", {}, ("roles.reasoning.timeout", "must be more than 0 seconds")),
    (ROLE + "timeout_total = 0\n", {}, ("roles.reasoning.timeout_total", "must be more than 0 seconds")),
    (ROLE + "temperature = 3\n", {}, ("roles.reasoning.temperature", "less than or equal to 2")),
    (ROLE + 'tools = "some"\n', {}, ("roles.reasoning.tools", "'all' or 'none'")),
    ('[roles.reasoning]\nmodel = "m"\n', {}, ("roles.reasoning.base_url", "Field required")),
    ("[roles.thinker]\n", {}, ('"thinker" is not a setting of [roles]',)),
    ("roles = 5\n", {}, ("roles",)),
    ('[forge]\nkind = "gitlab"\n', {}, ("forge.kind", "'github' or 'gitea'")),
    ('[forge]\ntoken_env = "X"\n', {}, ("forge: repositories must name at least one", "acme/the-nexus")),
    (FORGE + 'kind = "gitea"\n', {}, ("forge: base_url must be given for gitea",)),
    (FORGE + 'default_repository = "other"\n', {}, ("forge: default_repository must be one of repositories",)),
    (FORGE + 'base_url = "https://ann:hunter2@git.example.org"\n', {}, ("forge.base_url", "without a user")),
    (FORGE + 'repositories.b = {path = "b"}\n', {}, ("forge.repositories.b.path", "pattern")),
    (FORGE + 'repositories.b = {path = "b/.."}\n', {}, ("forge.repositories.b.path", "pattern")),
    (FORGE + 'repositories.b = {path = "Acme/The-Nexus"}\n', {}, ("forge.repositories", "each path once")),
    (FORGE + 'repositories."My Repo" = {path = "a/b"}\n', {}, ("forge.repositories", "1 to 39 of a-z")),
    (FORGE + 'repositories.b = {path = "a/b", private = true}\n', {}, ("forge.repositories.b", "channels must list")),
    (FORGE + 'repositories.b = {path = "a/b", channels = [1]}\n', {}, ("forge.repositories.b", "add private = true")),
    (FORGE + 'repositories.b = {path = "a/b", private = true, channels = ["general"]}\n', {}, ("channels",)),
    (POTS + 'tool = ["mix"]\n', {}, ("hathi.toml, line 3", '"tool" is not a setting of [mcp.servers.pots]', '"tools"')),
    ("[mcp.server.pots]\n", {}, ("hathi.toml, line 1", '"server" is not a setting of [mcp]', '"servers"')),
    ('[mcp.servers.pots]\ntools = ["mix"]\n', {}, ("mcp.servers.pots", "needs command", "or url")),
    (POTS + 'url = "https://tools.example.org"\n', {}, ("mcp.servers.pots", "needs command")),
    (POTS + 'token_env = "KEY"\n', {}, ("mcp.servers.pots", "not token_env")),
    (POTS + 'env = ["KEY=hunter2"]\n', {}, ("mcp.servers.pots.env.0", "pattern")),
    (POTS + 'read_only = ["mix"]\n', {}, ("mcp.servers.pots", "read_only must be among tools", "mix")),
    (POTS + 'channels = ["general"]\n', {}, ("mcp.servers.pots.channels",)),
    ('[mcp.servers.pots]\nurl = "https://tools.example.org"\nenv = ["KEY"]\n', {}, ("env is for a program",)),
    ('[mcp.servers.pots]\nurl = "https://ann:hunter2@tools.example.org"\n', {}, ("mcp.servers.pots.url", "a user")),
    ('[mcp.servers.memory]\ncommand = ["x"]\n', {}, ("mcp.servers", "'memory' must be 1 to 31")),
    ('[mcp.servers.web_search]\ncommand = ["x"]\n', {}, ("mcp.servers", "'web_search' must be 1 to 31")),
    ("log_level = ", {}, ("hathi.toml", "readable TOML file")),
    ("\ud83d", {}, ("hathi.toml", "readable TOML file")),
]


@pytest.mark.parametrize(("file", "environment", "holds"), WRONG)
def test_a_wrong_setting_is_named_with_what_would_be_right(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    file: str,
    environment: dict[str, str],
    holds: tuple[str, ...],
) -> None:
    """On the command line too: one sentence on stderr, nothing on stdout, exit 78; and no value, it may be a secret."""
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    Path("hathi.toml").write_bytes(file.encode("utf-8", "surrogatepass"))
    monkeypatch.setattr("sys.argv", ["hathi", "migrate"])
    with pytest.raises(SystemExit) as left:
        command_line.main()
    out, err = capsys.readouterr()
    assert (left.value.code, out) == (78, "")
    assert err.startswith("hathi: ")
    assert [part for part in holds if part not in err] == []
    assert ("Traceback" in err, "hunter2" in err) == (False, False)


@pytest.fixture(autouse=True)
def _quiet_again() -> Generator[None]:
    """The command line sets up the log for itself."""
    yield
    log.configure(to=Path(os.devnull))


IN_JSON = {"HATHI_MEMORY": '{"active": {"row": 5}}'}
NEAREST: list[tuple[str, dict[str, str], int | None, str | None]] = [
    ("[recal]\n", {}, 1, '"recall"'),
    ("# Memory.\n\n[memory.active]\nmax_row = 5\n", {}, 4, '"rows"'),
    ("[memory]\nkeep_days = 5\n", {}, 2, '"keep_days" in [messages]'),
    (ROLE + "max_contxt = 5\n", {}, 4, '"max_context"'),
    (ROLE + 'fallbacks = [\n  {model = "b", modle = "b", base_url = "http://b/v1"}\n]\n', {}, 4, '"model"'),
    (FORGE + 'repositories.b = {pth = "a/b", path = "a/b"}\n', {}, 3, '"path"'),
    (FORGE.replace("path", "pth"), {}, 2, '"path"'),
    ('[domains]\npoetry = """\n[recal]\n"""\n[recal]\n', {}, 5, '"recall"'),
    ("[memory]\nroles = 5\n", {}, 2, '"roles" at the top'),
    ("[memory]\n", IN_JSON, None, '"rows"'),
    ("colour = 1\n", {}, 1, None),
    ("\n" * 3_000 + "colour = 1\n", {}, None, None),
    ("[memory.active]\nmax_tokens = 5\n", {}, 2, '"active" in [prompt.budget]'),
]


@pytest.mark.parametrize(("file", "environment", "line", "meant"), NEAREST)
def test_a_name_nobody_knows_is_told_with_its_line_and_the_nearest(
    place: Path,
    monkeypatch: pytest.MonkeyPatch,
    file: str,
    environment: dict[str, str],
    line: int | None,
    meant: str | None,
) -> None:
    """File and line, or the environment; the nearest setting with its section where that is another."""
    told = [one for one in refused(monkeypatch, file=file, **environment).splitlines() if "is not a setting" in one]
    assert 1 == len(told)
    file_name = str(place / "hathi.toml")
    where = "the environment" if environment else f"{file_name}, line {line}" if line else file_name
    assert told[0].startswith(f'{where}: "')
    hint = f"did you mean {meant}?" if meant else "the documentation lists those there are."
    assert hint in told[0].replace("it is", "did you mean").replace(" now.", "?")


@pytest.mark.parametrize(
    ("zone", "link", "named"),
    [
        ("America/New_York", None, "America/New_York"),
        (":Europe/Berlin", None, "Europe/Berlin"),
        ("/usr/share/zoneinfo/Asia/Tokyo", None, "Asia/Tokyo"),
        (":/usr/share/zoneinfo/Asia/Tokyo", "/usr/share/zoneinfo/Europe/Rome", "Asia/Tokyo"),
        (None, "/usr/share/zoneinfo/Asia/Tokyo", "Asia/Tokyo"),
        ("no/such", "/usr/share/zoneinfo/Asia/Tokyo", "Asia/Tokyo"),
        (None, "/nowhere", "UTC"),
    ],
)
def test_the_time_zone_of_the_machine_is_known_by_its_name(
    place: Path, monkeypatch: pytest.MonkeyPatch, zone: str | None, link: str | None, named: str
) -> None:
    """By `TZ`, else by where `/etc/localtime` leads; UTC where neither names a zone there is."""
    monkeypatch.delenv("TZ", raising=False)
    if zone is not None:
        monkeypatch.setenv("TZ", zone)
    if link is not None:
        (place / "localtime").symlink_to(link)
    monkeypatch.setattr(config, "LOCALTIME", place / "localtime")
    assert named == config.machine_time_zone()


def test_every_mistake_is_told_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """One line each, and where the settings came from."""
    said = refused(monkeypatch, file="colour = 1\n[messages]\nkeep_days = -1\n", HATHI_LOG_LEVEL="LOUD")
    told = {line.partition(": ")[0].rpartition(", ")[2] for line in said.splitlines()}
    assert told == {"line 1", "messages.keep_days", "log_level"}
    assert said.endswith(f"(environment, then {Path('hathi.toml').absolute()})")


@pytest.mark.parametrize("command", [["chat"], ["--config", "nowhere.toml"], ["export", "-"], []])
def test_every_command_ends_with_78_on_wrong_settings(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], command: list[str]
) -> None:
    """Before anything is opened."""
    monkeypatch.setenv("HATHI_LOG_LEVEL", "LOUD")
    monkeypatch.setattr("sys.argv", ["hathi", *command])
    with pytest.raises(SystemExit) as left:
        command_line.main()
    assert (left.value.code, capsys.readouterr().err[:7]) == (78, "hathi: ")


def test_settings_are_frozen() -> None:
    """Nobody changes them under way."""
    settings = config.load()
    for change in ((settings, "log_level", "DEBUG"), (settings.memory.active, "rows", 3)):
        with pytest.raises(ValidationError):
            setattr(*change)


def _environment_readers() -> set[str]:
    found: set[str] = set()
    for path in [*ROOT.glob("bot/**/*.py"), *ROOT.glob("cogs/**/*.py")]:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names: list[Any] = [node.attr] if isinstance(node, ast.Attribute) else []
            names += [alias.name for alias in node.names] if isinstance(node, ast.ImportFrom) else []
            if {"environ", "environb", "getenv", "getenvb", "putenv", "expandvars"} & set(names):
                found.add(str(path.relative_to(ROOT)))
    return found


def test_only_the_settings_read_the_environment() -> None:
    """One door, so that the table of settings is the whole of it."""
    assert _environment_readers() == {"bot/config.py"}


def test_another_server_is_not_sent_the_key_of_the_one_it_replaces(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """LLM_BASE_URL without LLM_API_KEY sends no key, whatever the file's role would have sent to its own server."""
    (place / "hathi.toml").write_text(
        '[roles.reasoning]\nbase_url = "https://api.x.ai/v1"\nmodel = "grok"\napi_key_env = "XAI_API_KEY"\n'
    )
    monkeypatch.setenv("XAI_API_KEY", "secret")
    monkeypatch.setenv("LLM_BASE_URL", "http://127.0.0.1:1/v1")
    role = config.load().roles.reasoning
    assert role is not None
    assert (None, "grok") == (role.api_key, role.model)


def test_llm_settings_leave_the_embedder_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    """It keeps its own address, model and key, and does not keep `LLM_*` from making the other roles."""
    file = '[roles.embedder]\nbase_url = "http://file.example/v1"\nmodel = "vectors"\napi_key_env = "VECTOR_KEY"\n'
    roles = load(monkeypatch, file=file, VECTOR_KEY="key-of-the-embedder", **LLM).roles
    assert isinstance(roles.embedder, EmbedderSettings)
    assert roles.reasoning is not None
    assert (str(roles.embedder.base_url), roles.embedder.model) == ("http://file.example/v1", "vectors")
    assert roles.embedder.api_key == SecretStr("key-of-the-embedder")
    assert (roles.embedder.batch, roles.embedder.dimensions, roles.embedder.timeout) == (64, None, None)
    assert (roles.reasoning.model, roles.execution) == ("env-model", None)


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("batch = 0", "roles.embedder.batch"),
        ("dimensions = 16001", "roles.embedder.dimensions"),
        ("timeout = 0", "roles.embedder.timeout"),
        ("max_tokens = 64", '"max_tokens" is not a setting of [roles.embedder]; the documentation'),
        ('api_key_env = "NOT_SET"', "roles.embedder.api_key_env"),
    ],
)
def test_a_wrong_setting_of_the_embedder_names_itself(monkeypatch: pytest.MonkeyPatch, line: str, told: str) -> None:
    """As of every role; what only a model that writes has is no setting of it."""
    file = f'[roles.embedder]\nbase_url = "http://file.example/v1"\nmodel = "vectors"\n{line}\n'
    assert told in refused(monkeypatch, file=file)


def test_a_local_embedder_has_a_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """One in the data directory for exactly the files that are to be fetched; or that of `path`."""
    file = f'[roles.embedder]\nlocal = true\nurl = "https://models.example/acme/0123"\nsha256 = {LOCAL_FILES}\n'
    folders = set[Path]()
    for text in (file, file, file.replace("0" * 64, "1" * 64)):
        fetched = load(monkeypatch, file=text, HATHI_DATA_DIR=str(tmp_path)).roles.embedder
        assert isinstance(fetched, LocalEmbedderSettings)
        folders.add(fetched.folder)
    assert (2, {tmp_path / "models"}) == (len(folders), {folder.parent for folder in folders})
    given = {"HATHI_ROLES__EMBEDDER__LOCAL": "true", "HATHI_ROLES__EMBEDDER__PATH": "~/minilm"}
    by_path = load(monkeypatch, file="", **given).roles.embedder
    assert isinstance(by_path, LocalEmbedderSettings)
    assert by_path.folder == Path("~/minilm").expanduser()


LOCAL_FILES = f'{{"onnx/model.onnx" = "{"0" * 64}", "tokenizer.json" = "{"a" * 64}"}}'


@pytest.mark.parametrize(
    ("lines", "told"),
    [
        ("", "roles.embedder: needs path, the folder with the model's files, or url and sha256"),
        ('path = "/srv"\nurl = "https://a.example"', "roles.embedder: needs path"),
        ('url = "https://a.example"', "roles.embedder: needs path"),
        (
            'url = "https://a.example"\nsha256 = {"model.onnx" = "00"}',
            "must name one .onnx file and its tokenizer.json",
        ),
        (f'url = "https://a.example"\nsha256 = {LOCAL_FILES.replace("0" * 64, "00")}', "each file's SHA-256"),
        (f'url = "https://a.example"\nsha256 = {LOCAL_FILES.replace("onnx/", "../")}', "must name files such as"),
        ('path = "/srv"\nmodel = "vectors"', '"model" is not a setting of [roles.embedder]; the'),
    ],
)
def test_a_wrong_local_embedder_says_what_would_be_right(
    monkeypatch: pytest.MonkeyPatch, lines: str, told: str
) -> None:
    """By the settings it has, and not by those of a server."""
    assert told in refused(monkeypatch, file=f"[roles.embedder]\nlocal = true\n{lines}\n")


@pytest.mark.parametrize(
    ("lines", "told"),
    [
        ("idle = 6", 'memory.chunks.idle: must be minutes, hours or days, such as "90m"'),
        ('idle = "6"', "memory.chunks.idle: must be"),
        ("messages = 8", "memory.chunks: skip must be less than messages: 10 of 8"),
        ("messages = 8\nskip = 8", "memory.chunks: skip must be"),
    ],
)
def test_what_would_never_become_memory_is_refused(monkeypatch: pytest.MonkeyPatch, lines: str, told: str) -> None:
    """A silence has its unit, and of what has gathered something is taken."""
    assert told in refused(monkeypatch, file=f"[memory.chunks]\n{lines}\n")
    chunks = load(monkeypatch, file='[memory.chunks]\nmessages = 8\nskip = 7\nidle = "90m"\n').memory.chunks
    assert (7, timedelta(minutes=90)) == (chunks.skip, chunks.idle)
