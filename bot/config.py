"""Settings: the only reader of the environment; environment first, then `.env`, then `hathi.toml`, then defaults."""

import contextlib
import getpass
import hashlib
import os
import re
import tomllib
import zoneinfo
from collections.abc import Callable, Mapping
from datetime import timedelta
from pathlib import Path
from typing import Annotated, Any, Final, Literal, Self, TypeVar

import platformdirs
from pydantic import (
    AliasChoices,
    AnyHttpUrl,
    BaseModel,
    ConfigDict,
    Field,
    JsonValue,
    SecretStr,
    ValidationError,
    field_validator,
    model_validator,
)
from pydantic_settings import BaseSettings, EnvSettingsSource, NoDecode, PydanticBaseSettingsSource, SettingsConfigDict
from pydantic_settings import SettingsError as UnreadableSetting

from bot import dotenv_file, errors, llm_roles, setting_mistakes, setting_names, toml_lines
from bot.domain import MemoryPart, ModelRole

FILE_NAME: Final = "hathi.toml"
DOMAIN_WORDS: Final = 500
"""Words and phrases of one domain, and domains there may be beside the default ones."""
LEAST_PROMPT: Final = 512
"""Tokens of a context that an answer may not take: identity, memory and a question must fit."""
WHOLE_PROMPT: Final = 8192
"""Tokens of prompt and answer that the parts of a prompt are measured for."""
MOST_MODELS: Final = 50
"""That are there to be chosen, beside those of roles."""
UNCHOSEN: Final = "default"
"""What is given in place of a name to take a choice back."""
REPOSITORIES: Final = 50
TOOL_SERVERS: Final = 20
LONGEST_ADDRESS: Final = 200
"""Of what is shown to people, so that it fits under any text."""
POSTGRES_ADDRESS: Final = "postgresql://user:password@host:5432/hathi"
GITHUB_API: Final = "https://api.github.com"
LOCALTIME: Final = Path("/etc/localtime")
_ZONES: Final = "/zoneinfo/"
_FILE_NAME: Final = r"(?:[A-Za-z0-9_-][A-Za-z0-9._-]{0,99}/){0,4}[A-Za-z0-9_-][A-Za-z0-9._-]{0,99}"
_HEADER: Final = re.compile(r"[!#$%&'*+.^`|~\w-]{1,100}", re.ASCII)
"""A name of a header (RFC 9110, 5.6.2)."""
_OWN_BODY: Final = frozenset({"input", "max_tokens", "messages", "model", "stream", "tools"})
"""What Hathi says in every request, and counts on."""
_UNITS: Final = {"m": "minutes", "h": "hours", "d": "days"}
_TRUE: Final = frozenset({"true", "1", "on", "yes", "t", "y"})
"""What pydantic reads as true."""


T = TypeVar("T")


class _Section(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class ServerSettings(_Section):
    """One model on one OpenAI-compatible server, whatever it is asked for."""

    base_url: AnyHttpUrl = Field(description="Address of an OpenAI-compatible API, usually ending in /v1.")
    model: str = Field(min_length=1, description="The model's name as that server knows it.")
    api_key_env: str | None = Field(default=None, description="Name of the environment variable with the key.")
    api_key: SecretStr | None = Field(default=None, exclude=True, description="Filled from `api_key_env`.")
    timeout: timedelta | None = Field(
        default=None, description="Seconds to the first token, retries included; 60, for the summarizer 300."
    )
    extra_body: dict[str, JsonValue] = Field(
        default={}, repr=False, description="Added to what every request says, for what only this server understands."
    )
    extra_headers: dict[str, SecretStr] = Field(default={}, description="Headers added to every request; never logged.")
    extra_query: dict[str, SecretStr] = Field(
        default={}, description="Added to the address of every request, after a `?`; never logged."
    )

    @field_validator("extra_body")
    @classmethod
    def _is_no_part_of_hathi_s(cls, value: dict[str, JsonValue]) -> dict[str, JsonValue]:
        if own := sorted(_OWN_BODY & value.keys()):
            raise ValueError(f"can't have {', '.join(own)}, which Hathi fills in itself")
        return value

    @field_validator("extra_headers")
    @classmethod
    def _can_be_sent(cls, value: dict[str, SecretStr]) -> dict[str, SecretStr]:
        for name, secret in value.items():
            text = secret.get_secret_value()
            if not _HEADER.fullmatch(name) or not (text.isascii() and text.isprintable()):
                raise ValueError(f"{name[:40]!r} must be the name of a header, with a value of printable ASCII")
        return value

    @field_validator("timeout", "timeout_total", mode="before", check_fields=False)
    @classmethod
    def _seconds(cls, value: Any) -> Any:
        """Seconds, as the environment gives them: as text."""
        return float(value) if isinstance(value, str) and re.fullmatch(r"[0-9]+(\.[0-9]+)?", value) else value

    @field_validator("timeout", "timeout_total", check_fields=False)
    @classmethod
    def _positive(cls, value: timedelta | None) -> timedelta | None:
        if value is not None and value <= timedelta(0):
            raise ValueError("must be more than 0 seconds")
        return value


class ModelSettings(ServerSettings):
    """One model that writes, on one OpenAI-compatible server."""

    temperature: float | None = Field(default=None, ge=0, le=2, description="Left to the server unless given.")
    top_p: float | None = Field(default=None, gt=0, le=1, description="Left to the server unless given.")
    token_selection: Literal["custom", "default"] = Field(
        default="custom", description="`default` sends neither `temperature` nor `top_p`, for models that refuse both."
    )
    max_tokens: int = Field(default=1024, ge=16, description="Tokens of one answer.")
    max_context: int = Field(default=8192, ge=1024, description="Tokens of prompt and answer together.")
    vision: bool = Field(
        default=False,
        description="`true` for a model that sees pictures: `reasoning` is shown those sent with a question.",
    )
    tools: Literal["all", "none"] = Field(default="all", description="`none` for models that cannot call tools.")
    price_in: float | None = Field(default=None, ge=0, description="USD a million tokens of prompts, for estimates.")
    price_out: float | None = Field(default=None, ge=0, description="USD a million tokens of answers, for estimates.")
    timeout_total: timedelta = Field(
        default=timedelta(seconds=300),
        description="Seconds from the first token to the last; then an answer is cut off.",
    )

    @model_validator(mode="after")
    def _leaves_room(self) -> Self:
        if self.max_tokens + LEAST_PROMPT > self.max_context:
            raise ValueError(
                f"max_tokens must leave at least {LEAST_PROMPT} of the {self.max_context} tokens of max_context"
            )
        return self


class RoleSettings(ModelSettings):
    """A model for one role, with those to ask when it fails."""

    toolsets: tuple[str, ...] | None = Field(
        default=None,
        description="Sets of tools it may call; every one but `models` unless given, and with an `execution` role "
        "`reasoning` has `models` alone.",
    )
    prompt: str = Field(
        default="",
        pattern=r"^(?:[a-z][a-z0-9_-]{0,30})?$",
        description="Root of its prompt, a file of `prompts/`; else `identity`, `delegate` or `summary`.",
    )
    fallbacks: tuple[ModelSettings, ...] = Field(default=(), description="Models to ask, in order, when this fails.")


class EmbedderSettings(ServerSettings):
    """The model that makes vectors of texts, for recall by meaning; `LLM_*` leave it as it is."""

    local: bool = Field(default=False, description="`true` for a model on this machine, which has `path` or `url`.")
    timeout: timedelta | None = Field(
        default=None, description="Seconds for one batch of texts, retries included; 60. A question waits 0.3 at most."
    )
    dimensions: int | None = Field(
        default=None, ge=1, le=16_000, description="Length of a vector, for models that let one choose."
    )
    batch: int = Field(default=64, ge=1, le=2048, description="Texts sent in one request.")


class LocalEmbedderSettings(_Section):
    """A sentence model that makes those vectors on this machine, without a server."""

    local: bool = Field(default=True, exclude=True, description="What tells it from one on a server.")
    path: Path | None = Field(
        default=None, description="Of a local model: the folder with its .onnx file and tokenizer.json."
    )
    url: AnyHttpUrl | None = Field(
        default=None, description="In place of `path`: where they are fetched from once, into the data directory."
    )
    sha256: dict[str, str] = Field(
        default={}, description="The files to fetch, by their names under `url`, each with its SHA-256."
    )
    folder: Path = Field(default=Path(), exclude=True, description="Filled from `path`, else from the data directory.")

    @field_validator("path")
    @classmethod
    def _at_home(cls, value: Path | None) -> Path | None:
        return value and value.expanduser().absolute()

    @field_validator("sha256")
    @classmethod
    def _are_files(cls, value: dict[str, str]) -> dict[str, str]:
        kept_as = [name.rpartition("/")[2] for name in value]
        if value and (kept_as.count("tokenizer.json") != 1 or sum(name.endswith(".onnx") for name in kept_as) != 1):
            raise ValueError("must name one .onnx file and its tokenizer.json")
        if len(set(kept_as)) < len(value) or not all(re.fullmatch(_FILE_NAME, name) for name in value):
            raise ValueError("must name files such as onnx/model.onnx, no two of them alike")
        if not all(re.fullmatch("[0-9a-f]{64}", digest) for digest in value.values()):
            raise ValueError("must give each file's SHA-256, 64 of 0-9 and a-f")
        return value

    @model_validator(mode="after")
    def _has_its_files(self) -> Self:
        if (self.path is None) == (self.url is None) or bool(self.url) != bool(self.sha256):
            raise ValueError("needs path, the folder with the model's files, or url and sha256 to fetch them")
        return self

    def kept_in(self, data_dir: Path) -> Path:
        """The folder its files are in, or will be fetched into."""
        digest = hashlib.sha256(repr(sorted(self.sha256.items())).encode()).hexdigest()
        return self.path or data_dir / "models" / digest[:16]


class Roles(_Section):
    """The models, by role."""

    reasoning: RoleSettings | None = None
    execution: RoleSettings | None = None
    summarizer: RoleSettings | None = None
    embedder: EmbedderSettings | LocalEmbedderSettings | None = None

    @field_validator("embedder", mode="before")
    @classmethod
    def _where_it_runs(cls, value: Any) -> Any:
        """Read by what `local` says, so that a mistake is told of that kind alone."""
        if not isinstance(value, dict):
            return value
        is_local = str(value.get("local", False)).lower() in _TRUE
        return (LocalEmbedderSettings if is_local else EmbedderSettings).model_validate(value)


class ActiveSettings(_Section):
    """The Active Memory block."""

    rows: int = Field(default=15, ge=1, le=50, description="Rows shown to the model at most.")
    min_importance: int = Field(default=3, ge=1, le=10, description="Rows below are not shown.")


class ChunkSettings(_Section):
    """When what is said in a channel becomes memory by itself, and how much of it stands apart."""

    messages: int = Field(default=60, ge=4, le=500, description="Messages that are enough.")
    tokens: int = Field(default=3000, ge=200, le=50_000, description="Tokens of them that are enough.")
    idle: timedelta = Field(
        default=timedelta(hours=6),
        description="Silence after which whatever waits is taken, in minutes, hours or days.",
    )
    skip: int = Field(
        default=10, ge=0, le=100, description="The newest messages, left until the next time; fewer than `messages`."
    )
    ledger_tokens: int = Field(
        default=6000,
        ge=2000,
        le=20_000,
        description="Tokens of a channel's ledger past which its oldest entries become one.",
    )
    makes: tuple[MemoryPart, ...] = Field(
        default=tuple(MemoryPart),
        description="What is made of them: entries of the `ledger`, `facts` or both; a channel can differ.",
    )

    @field_validator("makes", mode="before")
    @classmethod
    def _are_made(cls, value: Any) -> Any:
        if not isinstance(value, list | tuple) or not value or not all(part in [*MemoryPart] for part in value):
            raise ValueError('must be ["ledger"], ["facts"] or ["ledger", "facts"]')
        return value

    @field_validator("idle", mode="before")
    @classmethod
    def _idle(cls, value: Any) -> Any:
        """A number with its unit: "6h". A bare one is seconds to some, and hours to others."""
        if isinstance(value, timedelta):
            return value
        found = re.fullmatch(r"([1-9][0-9]{0,4}) ?([mhd])", str(value).strip())
        if found is None:
            raise ValueError('must be minutes, hours or days, such as "90m", "6h" or "2d"')
        return timedelta(**{_UNITS[found[2]]: int(found[1])})

    @model_validator(mode="after")
    def _takes_some(self) -> Self:
        if self.skip >= self.messages:
            raise ValueError(f"skip must be less than messages: {self.skip} of {self.messages} would leave nothing")
        return self


class MemoryBudgetSettings(_Section):
    """What making memory may cost a space in a day of UTC; 0 of either makes it without a model, by rule."""

    calls: int = Field(
        default=500, ge=0, le=10_000_000, description="Calls of the summarizer a space and day; with 0 none is made."
    )
    tokens: int = Field(
        default=1_000_000, ge=0, le=10**12, description="Tokens it may read and write for them; with 0 none."
    )


class MemorySettings(_Section):
    """How memory behaves."""

    active: ActiveSettings = ActiveSettings()
    chunks: ChunkSettings = ChunkSettings()
    budget: MemoryBudgetSettings = MemoryBudgetSettings()


class BudgetSettings(_Section):
    """Tokens of each part of a prompt, where prompt and answer have 8,192; the conversation has the rest."""

    identity: int = Field(default=200, ge=50, le=2000, description="Tokens of the text that says who Hathi is.")
    active: int = Field(default=400, ge=50, le=4000, description="Tokens of the Active Memory block.")
    summary: int = Field(default=500, ge=0, le=4000, description="Tokens of the channel's rolling summary.")
    chunks: int = Field(default=800, ge=0, le=8000, description="Tokens of what else is retrieved of its past.")
    recalled: int = Field(default=1200, ge=200, le=32_000, description="Tokens of what a recall found.")
    around: int = Field(default=600, ge=50, le=8000, description="Tokens of the talk around a mention.")

    def within(self, max_context: int) -> Self:
        """What each part has where prompt and answer have so many tokens together: in proportion, never more."""
        share = min(1.0, max_context / WHOLE_PROMPT)
        return self.model_copy(update={name: int(share * value) for name, value in self})


class PromptSettings(_Section):
    """What a prompt holds beside memory and the conversation."""

    around: int = Field(
        default=12,
        ge=0,
        le=50,
        description="Messages of the channel before a mention that join it; a channel can differ.",
    )
    file_tokens: int = Field(default=1500, ge=50, le=32_000, description="Tokens of the texts of files at most.")
    retrieved: tuple[str, ...] = Field(
        default=("summary", "recent"),
        description="Retrievers that tell every prompt of the channel's past, beyond the messages it holds.",
    )
    budget: BudgetSettings = BudgetSettings()


class ToolSettings(_Section):
    """What the tools of models may take of one turn; then the model is asked to answer with what it has."""

    max_tokens: int = Field(default=200_000, ge=1000, description="Tokens of all its prompts and answers.")
    max_seconds: int = Field(default=180, ge=5, le=840, description="Seconds from its first call of a model.")


class ResetSettings(_Section):
    """How a reset behaves."""

    min_messages: int = Field(default=1, ge=1, description="With fewer messages by people a reset only clears.")


class NotesSettings(_Section):
    """The scratchpad."""

    keep_minutes: int = Field(default=60, ge=1, le=10_080, description="Minutes a note lives; a week at most.")


class PlaybooksSettings(_Section):
    """The playbooks beside the settings file."""

    named_in: tuple[Annotated[int, Field(ge=0, lt=2**63)], ...] = Field(
        default=(),
        description="Ids of the servers in which playbooks may name channels by their names; whoever manages a server "
        "can give a channel any name.",
    )


class WorkflowsSettings(_Section):
    """What one run of a workflow may take by which several answer; past it what was said by then is the answer."""

    minutes: int = Field(default=5, ge=1, le=60, description="Minutes it may take.")
    tokens: int = Field(
        default=40_000, ge=1_000, le=10**7, description="Tokens its models may read and write together."
    )


class MessagesSettings(_Section):
    """How long messages are kept."""

    keep_days: int = Field(default=365, ge=0, description="Days a message is kept verbatim; 0 keeps for ever.")


class DiscordSettings(_Section):
    """Where on Discord Hathi serves people; everywhere else it only says so, once."""

    servers: tuple[Annotated[int, Field(ge=0, lt=2**63)], ...] = Field(
        default=(), description="Ids of the servers that are served; every one that Hathi is in unless given."
    )
    direct_messages: bool = Field(default=True, description="`false` leaves direct messages unanswered.")


class CommunitySettings(_Section):
    """What the people Hathi serves are told of whoever runs it."""

    privacy_url: AnyHttpUrl | None = Field(
        default=None,
        description="Where your privacy policy stands; shown when Hathi introduces itself and under `!mydata`.",
    )

    @field_validator("privacy_url")
    @classmethod
    def _can_be_shown(cls, value: AnyHttpUrl | None) -> AnyHttpUrl | None:
        if value is None:
            return None
        if value.username or value.password:
            raise ValueError("must be an address without a user or a password: everybody is shown it")
        if len(str(value)) > LONGEST_ADDRESS or re.search(r"[<>()\s]", str(value)):
            raise ValueError(f"must be at most {LONGEST_ADDRESS} characters, without blanks and brackets")
        return value

    @property
    def privacy(self) -> str:
        """The address as it is shown; empty where there is none."""
        return "" if self.privacy_url is None else str(self.privacy_url)


class RepositorySettings(_Section):
    """One repository of the forge, and where it may be spoken of."""

    path: str = Field(
        pattern=r"^[A-Za-z0-9_-][A-Za-z0-9_.-]{0,99}/\.?[A-Za-z0-9_-][A-Za-z0-9_.-]{0,99}$",
        description="Owner and name, such as acme/the-nexus.",
    )
    private: bool = Field(default=False, description="Whether it is shown in `channels` alone.")
    channels: frozenset[Annotated[int, Field(ge=0, lt=2**63)]] = Field(
        default=frozenset(), description="Ids of the Discord channels a private one is shown in; 0 is the terminal."
    )

    @model_validator(mode="after")
    def _has_its_channels(self) -> Self:
        if self.private and not self.channels:
            raise ValueError("channels must list the channel ids that a private repository is shown in")
        if self.channels and not self.private:
            raise ValueError("channels are for a private repository; add private = true, or remove them")
        return self


class ForgeSettings(_Section):
    """Where the community keeps its code; nothing is asked there unless a repository is named."""

    kind: Literal["github", "gitea"] = Field(default="github", description="Which API it speaks.")
    base_url: AnyHttpUrl | None = Field(
        default=None, description=f"Root of its API, such as https://git.example.org/api/v1; for GitHub {GITHUB_API}."
    )
    token_env: str | None = Field(
        default=None, description="Name of the environment variable with a token that may read the repositories."
    )
    token: SecretStr | None = Field(default=None, exclude=True, description="Filled from `token_env`.")
    default_repository: str | None = Field(default=None, description="The one that a bare `#123` means.")
    repositories: dict[str, RepositorySettings] = Field(
        default={}, description="Repositories by short name: `path`, and if they are `private` the `channels` for them."
    )

    @field_validator("base_url")
    @classmethod
    def _holds_no_secret(cls, value: AnyHttpUrl | None) -> AnyHttpUrl | None:
        if value is not None and (value.username or value.password or value.query or value.fragment):
            raise ValueError("must be an address without a user, a password or a query; a token goes by token_env")
        return value

    @field_validator("repositories")
    @classmethod
    def _told_apart(cls, value: dict[str, RepositorySettings]) -> dict[str, RepositorySettings]:
        if len(value) > REPOSITORIES:
            raise ValueError(f"must be at most {REPOSITORIES}")
        for name in value:
            if not re.fullmatch("[a-z0-9][a-z0-9._-]{0,38}", name):
                raise ValueError(f"{name[:40]!r} must be 1 to 39 of a-z, 0-9, ., _ and -, as people would call it")
        if len({repository.path.casefold() for repository in value.values()}) < len(value):
            raise ValueError("must name each path once")
        return value

    @model_validator(mode="after")
    def _is_whole(self) -> Self:
        if not self.repositories and (self.base_url or self.token_env or self.default_repository):
            raise ValueError('repositories must name at least one, such as nexus = {path = "acme/the-nexus"}')
        if self.repositories and self.kind == "gitea" and self.base_url is None:
            raise ValueError("base_url must be given for gitea, such as https://git.example.org/api/v1")
        if self.default_repository is not None and self.default_repository not in self.repositories:
            raise ValueError("default_repository must be one of repositories, by its short name")
        return self

    @property
    def api(self) -> str:
        """The root of the API, without a slash at its end."""
        return str(self.base_url or GITHUB_API).rstrip("/")


class ToolServerSettings(_Section):
    """One MCP server: how it is reached, and which of its tools models may call, where."""

    command: tuple[str, ...] = Field(
        default=(), description="The program to start and its arguments, to talk to over its standard input and output."
    )
    url: AnyHttpUrl | None = Field(
        default=None, description="In place of `command`: the address of one that runs, by streamable HTTP."
    )
    env: tuple[Annotated[str, Field(pattern=r"^[A-Za-z_]\w{0,99}$")], ...] = Field(
        default=(), description="Names of the environment variables that the program is given, beside PATH, HOME, USER."
    )
    variables: dict[str, SecretStr] = Field(default={}, exclude=True, description="Filled from `env`.")
    token_env: str | None = Field(
        default=None, description="Name of the environment variable with the token that `url` takes (`Bearer`)."
    )
    token: SecretStr | None = Field(default=None, exclude=True, description="Filled from `token_env`.")
    tools: frozenset[str] = Field(
        default=frozenset(), description="The tools that models may call; `hathi doctor` lists those there are."
    )
    read_only: frozenset[str] = Field(
        default=frozenset(), description="Those of them that only read: called with what others said in sight, too."
    )
    spaces: frozenset[Annotated[int, Field(ge=0, lt=2**63)]] = Field(
        default=frozenset(), description="Ids of the servers it is for, 0 for the terminal; everywhere unless given."
    )
    channels: frozenset[Annotated[int, Field(ge=0, lt=2**63)]] = Field(
        default=frozenset(), description="Ids of the channels it is for, of these; all of them unless given."
    )

    @field_validator("url")
    @classmethod
    def _holds_no_password(cls, value: AnyHttpUrl | None) -> AnyHttpUrl | None:
        if value is not None and (value.username or value.password or value.fragment):
            raise ValueError("must be an address without a user or a password; a token goes by token_env")
        return value

    @model_validator(mode="after")
    def _is_reached_one_way(self) -> Self:
        if bool(self.command) == bool(self.url):
            raise ValueError("needs command, the program to start, or url, the address of one that runs")
        if self.url and self.env:
            raise ValueError("env is for a program that command starts; a token for url goes by token_env")
        if self.command and (self.token_env or not self.command[0].strip()):
            raise ValueError("command must begin with a program, which is given what env names, not token_env")
        if unknown := sorted(self.read_only - self.tools):
            raise ValueError(f"read_only must be among tools, unlike {', '.join(unknown)[:100]}")
        return self


class McpSettings(_Section):
    """Servers of the Model Context Protocol, whose tools models may call; none is started unless named."""

    servers: dict[str, ToolServerSettings] = Field(
        default={},
        description="MCP servers by name: `command` or `url`, and the `tools` that models may call: see below.",
    )

    @field_validator("servers")
    @classmethod
    def _told_apart(cls, value: dict[str, ToolServerSettings]) -> dict[str, ToolServerSettings]:
        if len(value) > TOOL_SERVERS:
            raise ValueError(f"must be at most {TOOL_SERVERS}")
        for name in value:
            if not re.fullmatch("[a-z][a-z0-9-]{0,30}", name) or name == "memory":
                raise ValueError(
                    f"{name[:40]!r} must be 1 to 31 of a-z, 0-9 and -, begin with a letter, and not be memory: its "
                    "tools are called by it, and Hathi's own by memory"
                )
        return value


class RecallSettings(_Section):
    """What is said when somebody asks about the past."""

    reply: Literal["grounded", "verbatim"] = Field(
        default="grounded", description="`verbatim` quotes what was found and asks no model."
    )
    on_miss: Literal["say_so", "say_so_then_answer"] = Field(
        default="say_so_then_answer",
        description="`say_so` leaves it at saying that nothing was found; else an answer follows, marked as no memory.",
    )
    discord_search: bool = Field(
        default=True,
        description="Discord's own search is asked for what memory does not have; `!memory search off` stops it in one "
        "server.",
    )


class DatabaseSettings(_Section):
    """How Postgres is reached."""

    prepared_statements: bool = Field(default=True, description="`false` behind PgBouncer before 1.21.")
    pool_size: int = Field(default=10, ge=1, le=200, description="Connections at most.")


class Settings(BaseSettings):
    """Everything whoever runs Hathi can choose."""

    model_config = SettingsConfigDict(
        env_prefix="HATHI_", env_nested_delimiter="__", env_ignore_empty=True, frozen=True, extra="forbid"
    )

    database_url: SecretStr | None = Field(
        default=None,
        validation_alias=AliasChoices("DATABASE_URL", "database_url"),
        description="A Postgres 15 or later; without it an embedded one starts in the data directory.",
    )
    llm_base_url: AnyHttpUrl | None = Field(
        default=None,
        validation_alias=AliasChoices("LLM_BASE_URL", "llm_base_url"),
        description="Address of an OpenAI-compatible API for every role; alone it makes `reasoning` and `summarizer`.",
    )
    llm_api_key: SecretStr | None = Field(
        default=None, validation_alias=AliasChoices("LLM_API_KEY", "llm_api_key"), description="Key for that API."
    )
    llm_model: str | None = Field(
        default=None, validation_alias=AliasChoices("LLM_MODEL", "llm_model"), description="Model for every role."
    )
    discord_token: SecretStr | None = Field(
        default=None,
        validation_alias=AliasChoices("DISCORD_TOKEN", "discord_token"),
        description="The bot's token, from Discord's developer portal; `hathi run` needs it.",
    )
    discord_api_url: str | None = Field(
        default=None,
        pattern="^https?://",
        validation_alias=AliasChoices("DISCORD_API_URL", "discord_api_url"),
        description="REST address in place of Discord's own, up to the version, for a proxy.",
    )
    discord_gateway_url: str | None = Field(
        default=None,
        pattern="^wss?://",
        validation_alias=AliasChoices("DISCORD_GATEWAY_URL", "discord_gateway_url"),
        description="Gateway address in place of Discord's own, for a proxy.",
    )
    shard_ids: Annotated[tuple[int, ...], NoDecode] = Field(
        default=(),
        validation_alias=AliasChoices("SHARD_IDS", "shard_ids"),
        description="Shards of this process, such as 0-3,7; all of them unless given.",
    )
    shard_count: int | None = Field(
        default=None,
        ge=1,
        validation_alias=AliasChoices("SHARD_COUNT", "shard_count"),
        description="Shards of all processes together; as many as Discord advises unless given.",
    )
    data_dir: Path = Field(
        default_factory=lambda: platformdirs.user_data_path("hathi"),
        description="Where the embedded database and the log of the terminal lie; else `hathi` in the XDG data folder.",
    )
    http_port: int | None = Field(
        default=None, ge=0, le=65535, description="Port of /healthz, /readyz and /metrics; none of them unless given."
    )
    http_host: str = Field(default="127.0.0.1", description="Address those are served at.")
    log_level: Literal["DEBUG", "INFO", "WARNING", "ERROR"] = Field(default="INFO", description="Least level logged.")
    language: str = Field(
        default="english", pattern="^[a-z_]{1,63}$", description="Language texts of new spaces are searched in."
    )
    roles: Roles = Field(default=Roles(), description="Models by role; see the example file.")
    models: dict[str, ModelSettings] = Field(
        default={},
        description="Further models, each in `[models.<name>]` with the keys of a fallback; `!model` has one answer in "
        "a channel or server in place of that of `reasoning`.",
    )
    memory: MemorySettings = MemorySettings()
    prompt: PromptSettings = PromptSettings()
    tools: ToolSettings = ToolSettings()
    toolsets: dict[str, tuple[str, ...]] = Field(
        default={}, description="Sets of tools by name, for roles; one that is called like one there is replaces it."
    )
    reset: ResetSettings = ResetSettings()
    notes: NotesSettings = NotesSettings()
    workflows: WorkflowsSettings = WorkflowsSettings()
    playbooks: PlaybooksSettings = PlaybooksSettings()
    messages: MessagesSettings = MessagesSettings()
    discord: DiscordSettings = DiscordSettings()
    community: CommunitySettings = CommunitySettings()
    recall: RecallSettings = RecallSettings()
    database: DatabaseSettings = DatabaseSettings()
    forge: ForgeSettings = ForgeSettings()
    mcp: McpSettings = McpSettings()
    domains: dict[str, tuple[str, ...]] = Field(
        default={}, description="Words and phrases by domain, for tags; one given replaces a default, `[]` removes it."
    )
    notify_socket: str | None = Field(
        default=None,
        exclude=True,
        validation_alias=AliasChoices("NOTIFY_SOCKET", "notify_socket"),
        description="Where the service manager listens; systemd sets it.",
    )
    watchdog_usec: int | None = Field(
        default=None,
        exclude=True,
        ge=1,
        validation_alias=AliasChoices("WATCHDOG_USEC", "watchdog_usec"),
        description="Microseconds within which the service manager expects a sign of life; systemd sets it.",
    )
    watchdog_pid: int | None = Field(
        default=None,
        exclude=True,
        validation_alias=AliasChoices("WATCHDOG_PID", "watchdog_pid"),
        description="The process that is to give it.",
    )
    settings_dir: Path = Field(default=Path(), exclude=True, description="Folder of the settings file.")
    env_file: Path | None = Field(default=None, exclude=True, description="The `.env` that was read.")
    remarks: tuple[str, ...] = Field(
        default=(), exclude=True, description="A sentence for each variable that was meant for Hathi and does nothing."
    )

    @field_validator("shard_ids", mode="before")
    @classmethod
    def _listed(cls, value: Any) -> Any:
        """Numbers and ranges joined by commas, as the environment gives them."""
        if not isinstance(value, str):
            return value
        ids: list[int] = []
        for part in value.split(","):
            first, _, last = part.strip().partition("-")
            if not (first.isdecimal() and (last or first).isdecimal() and len(last or first) < 5):
                raise ValueError("must be numbers and ranges joined by commas, such as 0-3,7")
            ids += range(int(first), int(last or first) + 1)
        return tuple(ids)

    @model_validator(mode="after")
    def _within_the_count(self) -> Self:
        if self.shard_ids and (self.shard_count is None or max(self.shard_ids) >= self.shard_count):
            raise ValueError("SHARD_IDS needs a SHARD_COUNT greater than each of them")
        return self

    @field_validator("models", mode="before")
    @classmethod
    def _can_be_chosen(cls, value: Any) -> Any:
        if not isinstance(value, dict) or len(value) > MOST_MODELS:
            raise ValueError(f"must be a table of at most {MOST_MODELS} models, such as [models.large]")
        for name in value:
            if not re.fullmatch("[a-z][a-z0-9._-]{0,30}", str(name)) or name == UNCHOSEN:
                right = f"1 to 31 of a-z, 0-9, ., _ and -, begin with a letter, and not be {UNCHOSEN}"
                raise ValueError(f"{str(name)[:40]!r} must be {right}")
        return value

    @field_validator("domains", mode="before")
    @classmethod
    def _told_apart(cls, value: Any) -> Any:
        """Names that can stand in a tag, and words that can stand in a text."""
        if not isinstance(value, dict) or len(value) > DOMAIN_WORDS:
            raise ValueError(f'must be a table of at most {DOMAIN_WORDS} lists, such as poetry = ["poem", "haiku"]')
        for name, words in value.items():
            if not re.fullmatch("[a-z][a-z0-9_-]{0,30}", str(name)):
                raise ValueError(f"{str(name)[:40]!r} must be 1 to 31 of a-z, 0-9, _ and -, and begin with a letter")
            if not isinstance(words, list | tuple) or len(words) > DOMAIN_WORDS:
                raise ValueError(f'{name} must be a list of at most {DOMAIN_WORDS} words, such as ["poem", "haiku"]')
            if not all(isinstance(word, str) and re.search(r"[^\W_]", word) and len(word) <= 64 for word in words):
                raise ValueError(f"{name} may hold words and phrases of 1 to 64 characters with a letter or a digit")
        return value

    @field_validator("data_dir")
    @classmethod
    def _at_home(cls, value: Path) -> Path:
        return value.expanduser()

    @field_validator("database_url")
    @classmethod
    def _is_postgres(cls, value: SecretStr | None) -> SecretStr | None:
        if value is not None and not value.get_secret_value().startswith(("postgres://", "postgresql://")):
            raise ValueError(f"must be an address such as {POSTGRES_ADDRESS}")
        return value

    @property
    def watchdog(self) -> timedelta | None:
        """Within what time the service manager expects a sign of life of this process; none where it expects none."""
        if self.watchdog_usec is None or self.watchdog_pid not in {None, os.getpid()}:
            return None
        return timedelta(microseconds=self.watchdog_usec)

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,  # noqa: ARG003 - the signature is pydantic's
        dotenv_settings: PydanticBaseSettingsSource,  # noqa: ARG003
        file_secret_settings: PydanticBaseSettingsSource,  # noqa: ARG003
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """Environment over what is given over defaults; `.env` and file arrive from `load`."""
        return (_Variables(settings_cls, os.environ), init_settings)


class _Variables(EnvSettingsSource):
    """Settings as variables give them, but for those that are none."""

    def __init__(self, settings_cls: type[BaseSettings], variables: Mapping[str, str]) -> None:
        super().__init__(settings_cls)
        self.env_vars = {
            name.lower(): value
            for name, value in variables.items()
            if value and not setting_names.is_misspelt(Settings, name)
        }


def load(config: Path | None = None) -> Settings:
    """The settings of this process.

    Raises `SettingsError`, which names the setting and says what would be right.
    """
    path = _settings_file(config)
    folder = path.parent if path else own_folder()
    env_file = next((place for place in env_places(folder) if place.is_file()), None)
    is_ours = env_file is not None and os.access(env_file, os.R_OK)
    beside = _read(env_file, dotenv_file.read) if env_file and is_ours else dotenv_file.Variables()
    text = _read(path, str) if path else ""
    content = _read(path, tomllib.loads) if path else {}
    secrets = beside.values | {name: value for name, value in os.environ.items() if value}
    try:
        given, lacking = _given(content, beside)
        settings = _with_keys(Settings(**given), secrets)
    except ValidationError as exc:
        raise errors.SettingsError(setting_mistakes.told(exc, Settings, path, text)) from None
    except UnreadableSetting as exc:
        raise errors.SettingsError(
            f"environment: {exc}; it must be a JSON object, or set one part such as HATHI_MESSAGES__KEEP_DAYS."
        ) from None
    _check_models(settings)
    remarks = _remarks(settings, beside, env_file)
    if lacking:
        told = (
            f"{lacking}: is missing; set it beside the other LLM_* settings, or give [roles.reasoning] in {FILE_NAME}."
        )
        raise errors.SettingsError("\n".join((told, *remarks)))
    if env_file and not (is_ours or settings.notify_socket):
        # Of a service systemd reads it, as root.
        remarks = (f"{env_file} is not this account's to read, and does nothing here.", *remarks)
    return settings.model_copy(update={"settings_dir": folder, "env_file": env_file, "remarks": remarks})


def place(settings_dir: Path, setting: str) -> str:
    """Where a setting was given: file and line, or its name where that is not in the file."""
    try:
        text = (settings_dir / FILE_NAME).read_text(encoding="utf-8")
        line = toml_lines.line_of(text, setting.split("."))
    except (OSError, ValueError):
        line = None
    return setting if line is None else f"{FILE_NAME}, line {line}"


def _check_models(settings: Settings) -> None:
    """Raises `SettingsError` for models to choose that stand in place of none, or are called as one of a role is."""
    reasoning = settings.roles.reasoning
    if settings.models and reasoning is None:
        raise errors.SettingsError(
            "models: stand in place of the model of roles.reasoning, which is missing; give [roles.reasoning] as well."
        )
    own = set[str]() if reasoning is None else {model.model for model in (reasoning, *reasoning.fallbacks)}
    if twice := sorted(settings.models.keys() & own):
        raise errors.SettingsError(f"models.{twice[0]}: is called as a model of roles.reasoning is; take another name.")


def own_folder() -> Path:
    """The settings folder of whoever runs this."""
    return platformdirs.user_config_path("hathi")


def env_places(folder: Path) -> list[Path]:
    """Where a `.env` may be that is read with the settings of a folder; the first that is there is."""
    return [at / dotenv_file.FILE_NAME for at in dict.fromkeys((Path(), folder, own_folder()))]


def variable(name: str, settings: Settings) -> str:
    """What the environment, else the `.env` of these settings, has under a name; empty where neither has it."""
    readable = settings.env_file is not None and os.access(settings.env_file, os.R_OK)
    beside = _read(settings.env_file, dotenv_file.read).values if settings.env_file and readable else {}
    return os.environ.get(name) or beside.get(name, "")


def login_name() -> str:
    """The name of whoever sits at the terminal."""
    try:
        return getpass.getuser()
    except (KeyError, OSError):
        return f"user{os.getuid()}"


def machine_time_zone() -> str:
    """The IANA name of this machine's time zone: `TZ`, else where `/etc/localtime` leads; `UTC` where neither has one.

    The terminal's space begins with it.
    """
    given = os.environ.get("TZ", "").removeprefix(":")
    # A path leads to a zone as the link does.
    named = given.rpartition(_ZONES)[2], str(LOCALTIME.resolve()).partition(_ZONES)[2]
    for name in filter(None, named):
        with contextlib.suppress(zoneinfo.ZoneInfoNotFoundError, ValueError, OSError):
            return zoneinfo.ZoneInfo(name).key
    return "UTC"


def _settings_file(config: Path | None) -> Path | None:
    if config is not None:
        if not config.is_file():
            raise errors.SettingsError(f"--config: there is no file {config}; name one, or copy the example file.")
        return config
    places = (Path(FILE_NAME), own_folder() / FILE_NAME)
    return next((place for place in places if place.is_file()), None)


def _read(path: Path, reading: Callable[[str], T]) -> T:
    """A file of settings, read."""
    try:
        return reading(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as exc:
        kind = "file of NAME=value lines" if path.name == dotenv_file.FILE_NAME else "TOML file"
        raise errors.SettingsError(f"{path}: {exc}; it must be a readable {kind}.") from None


def _given(content: Mapping[str, Any], beside: dotenv_file.Variables) -> tuple[dict[str, Any], str | None]:
    """The file under `.env` under the environment, with every role made of what there is of it; and what that lacks."""
    variables = [_Variables(Settings, each)() for each in (beside.values, os.environ)]
    merged = dict[str, Any](content)
    merged["roles"] = llm_roles.giving_way(content.get("roles", {}), llm_roles.common(_over(content, *variables)))
    merged = _over(merged, *variables)
    common = llm_roles.common(merged)
    lacking = None
    if common and not {*ModelRole} & {*_table(merged["roles"])}:
        lacking = next((llm_roles.PARTS[part] for part in ("base_url", "model") if part not in common), None)
    models = llm_roles.completed(merged.get("models", {}), common)
    return merged | {"roles": llm_roles.laid_out(merged["roles"], common), "models": models}, lacking


def _over(lowest: Mapping[str, Any], *above: Mapping[str, Any]) -> dict[str, Any]:
    """Settings with others laid over them, table by table."""
    merged = dict(lowest)
    for upper in above:
        for name, value in upper.items():
            known = merged.get(name)
            merged[name] = _over(known, value) if isinstance(known, dict) and isinstance(value, dict) else value
    return merged


def _table(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _remarks(settings: Settings, beside: dotenv_file.Variables, env_file: Path | None) -> tuple[str, ...]:
    """What looks like a variable of Hathi's and is none, and what can't be read in `.env`; values stay out of it."""
    remarks = [f"{env_file}, line {line}: is not read; NAME=value would be right." for line in beside.unread]
    wheres = {name: f"{env_file}, line {line}: " for name, line in beside.lines.items()}
    wheres |= dict.fromkeys(os.environ, "")
    # Whoever runs Hathi chooses how these are called.
    servers = [*_servers(settings.roles), *settings.models.values()]
    named = {settings.forge.token_env, *(model.api_key_env for model in servers)}
    for server in settings.mcp.servers.values():
        named |= {server.token_env, *server.env}
    for name, where in wheres.items():
        if name not in named and setting_names.is_misspelt(Settings, name):
            near = setting_names.nearest_variable(Settings, name)
            hint = f"; did you mean {near}?" if near else "."
            remarks.append(f"{where}{name} is no setting of Hathi's and does nothing{hint}")
    return tuple(remarks)


def _servers(roles: Roles) -> list[ServerSettings]:
    """Every model on a server."""
    writing = [role for name in ModelRole if (role := getattr(roles, name)) is not None]
    embedder = [roles.embedder] if isinstance(roles.embedder, EmbedderSettings) else []
    return [*writing, *(model for role in writing for model in role.fallbacks), *embedder]


def _with_keys(settings: Settings, secrets: Mapping[str, str]) -> Settings:
    """The same settings with every name of a secret looked up."""
    roles = {name: role for name in ModelRole if (role := getattr(settings.roles, name)) is not None}
    filled: dict[str, BaseModel] = {
        name.value: _with_key(role, f"roles.{name}", secrets) for name, role in roles.items()
    }
    if settings.roles.embedder is not None:
        filled["embedder"] = _with_place(settings.roles.embedder, settings.data_dir, secrets)
    models = {
        name: model.model_copy(update={"api_key": _key(model, f"models.{name}", secrets)})
        for name, model in settings.models.items()
    }
    forge = settings.forge.model_copy(update={"token": _token(settings.forge.token_env, "forge.token_env", secrets)})
    mcp = settings.mcp.model_copy(
        update={"servers": {name: _with_variables(one, name, secrets) for name, one in settings.mcp.servers.items()}}
    )
    roles_ = settings.roles.model_copy(update=filled)
    return settings.model_copy(update={"roles": roles_, "models": models, "forge": forge, "mcp": mcp})


def _with_variables(server: ToolServerSettings, name: str, secrets: Mapping[str, str]) -> ToolServerSettings:
    """An MCP server with what its variables hold."""
    place = f"mcp.servers.{name}"
    variables = {one: _secret(one, f"{place}.env", secrets) for one in server.env}
    token = _token(server.token_env, f"{place}.token_env", secrets)
    return server.model_copy(update={"variables": variables, "token": token})


def _with_key(role: RoleSettings, place: str, secrets: Mapping[str, str]) -> RoleSettings:
    fallbacks = tuple(
        model.model_copy(update={"api_key": _key(model, f"{place}.fallbacks[{i}]", secrets)})
        for i, model in enumerate(role.fallbacks)
    )
    return role.model_copy(update={"api_key": _key(role, place, secrets), "fallbacks": fallbacks})


def _with_place(
    embedder: EmbedderSettings | LocalEmbedderSettings, data_dir: Path, secrets: Mapping[str, str]
) -> EmbedderSettings | LocalEmbedderSettings:
    """The embedder with its server's key, or the folder of its files."""
    if isinstance(embedder, LocalEmbedderSettings):
        return embedder.model_copy(update={"folder": embedder.kept_in(data_dir)})
    return embedder.model_copy(update={"api_key": _key(embedder, "roles.embedder", secrets)})


def _key(model: ServerSettings, place: str, secrets: Mapping[str, str]) -> SecretStr | None:
    return model.api_key or _secret(model.api_key_env, f"{place}.api_key_env", secrets)


def _secret(variable: str | None, place: str, secrets: Mapping[str, str]) -> SecretStr | None:
    """What the variable that is named there holds."""
    if variable is None:
        return None
    if not (value := secrets.get(variable)):
        raise errors.SettingsError(
            f"{place}: the environment variable {variable} is not set; export it, put it into .env, or remove the line."
        )
    return SecretStr(value)


def _token(variable: str | None, place: str, secrets: Mapping[str, str]) -> SecretStr | None:
    """The same of something that goes into a header as it stands."""
    if (secret := _secret(variable, place, secrets)) is None:
        return None
    value = secret.get_secret_value().strip()
    if not value.isascii() or any(sign.isspace() or not sign.isprintable() for sign in value) or not value:
        raise errors.SettingsError(f"{place}: the environment variable {variable} must hold a token and nothing else.")
    return SecretStr(value)
