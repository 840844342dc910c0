"""`hathi setup`: asks for a token and a model, tries both, writes the settings, and has Hathi started.

Nothing is written that was not tried, and all at once when everything was asked; who breaks off finds what was tried by
then at the next time. What flags say is not asked; where nobody can be asked they say everything.
"""

import asyncio
import shlex
import sys
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeVar

from pydantic import AnyHttpUrl, TypeAdapter, ValidationError

from bot import config, dotenv_file, errors
from bot.cli import service_unit, settings_writing
from bot.cli.doctor import MODEL_PATIENCE
from bot.cli.questions import Questions
from bot.config import Roles, RoleSettings, Settings
from bot.domain import ModelRole
from bot.llm import failures, model_lists
from bot.llm.models import Models, Probe
from bot.llm.providers import PROVIDERS, Provider

if TYPE_CHECKING:
    from bot.connection.preflight import BotStanding

T = TypeVar("T")
NO_MODEL: Final = "none"
ABOUT_MODELS: Final = "Which model shall it talk with? Without one it answers from memory alone."
MOST_NAMED: Final = 8
"""Models of a server that are named; any of its others can be typed."""
PORTAL: Final = (
    "Log in at https://discord.com/developers/applications, choose New Application, then Bot, then Reset Token; and "
    "switch Message Content Intent on there."
)
WITHOUT: Final = "Nothing was written."
KEPT: Final = "That is kept: hathi setup offers it again, and asks for the rest."


@dataclass(frozen=True, slots=True, kw_only=True)
class Answers:
    """What flags say; none is asked for."""

    token: str | None = None
    provider: str | None = None
    base_url: str | None = None
    model: str | None = None
    key: str | None = None
    folder: Path | None = None
    service: bool | None = None
    start: bool | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Chosen:
    """A model that answered, and how it is reached."""

    base_url: str
    model: str
    key: str
    is_kept: bool = False
    """It is what the settings have already, which stay as they are where the file names it."""


def missing(given: Answers, known: Settings) -> list[str]:
    """The flags without which somebody would have to be asked."""
    needed = list[str]()
    if given.token is None and known.discord_token is None:
        needed.append("--token (or DISCORD_TOKEN)")
    if given.provider is None and given.base_url is None and known.roles.reasoning is None:
        needed.append(f"--provider NAME or --base-url URL (--provider {NO_MODEL} for no model)")
    if given.base_url is not None and given.model is None:
        needed.append("--model NAME")
    if given.provider is not None and given.key is None:
        provider = _provider(given.provider)
        if provider and not provider.is_local and not config.variable(provider.key_env, known):
            needed.append(f"--key KEY (or {provider.key_env})")
    return needed


class Setup:
    """One setting up, of what is known, what flags say and what somebody answers, who may be nobody."""

    def __init__(
        self, known: Settings, given: Answers, ask: Questions | None, tell: Callable[[str], None], file: Path | None
    ) -> None:
        """`file` is the settings file that is named, if one is."""
        self._known = known
        self._given = given
        self._ask = ask
        self._tell = tell
        self._file = file
        self._is_told = False
        """How one comes by a token."""
        self._place = 0
        """Of the model that was chosen last, among those there are."""
        self._tried: Chosen | None = None

    def run(self) -> Path | None:
        """Does it all; the settings file, where Hathi is to be started here by it.

        Raises `HathiError` where something is wrong and nobody can be asked again, and KeyboardInterrupt.
        """
        token, models = "", list[Chosen | None]()
        try:
            token = self._until_right(self._token)
            models.append(model := self._until_right(self._model))
            service = self._service()
            start = self._start(service=service)
        except KeyboardInterrupt:
            self._tell("")
            self._break_off(token, models)
            raise
        path, env = self._places(service=service)
        self._write(path, env, token, model)
        if service:
            service_unit.install(path.parent, self._tell)
            return None
        self._compare(path, token, model)
        if not start:
            is_found = self._file is None and path.parent in {Path(), config.own_folder()}
            options = [] if is_found else ["--config", str(path)]
            self._tell(f"To start it: {shlex.join([_own_command(), *options, 'run'])}")
        return path if start else None

    def _break_off(self, token: str, models: list[Chosen | None]) -> None:
        """Writes what was tried by then: the token, and the model that was chosen, if one or none was."""
        if not token:
            self._tell(WITHOUT)
            return
        path, env = self._places(service=False)
        try:
            if models:
                self._write(path, env, token, models[0])
            else:
                self._put([settings_writing.dotenv(env, {"DISCORD_TOKEN": token}, {})])
        except errors.SettingsError as exc:
            self._tell(f"{exc}\n{WITHOUT}")
        else:
            self._tell(KEPT)

    def _until_right(self, question: Callable[[], T]) -> T:
        return question() if self._ask is None else self._ask.until_right(question)

    def _token(self) -> str:
        """A token that Discord takes."""
        given, self._given = self._given.token, replace(self._given, token=None)
        known = self._known.discord_token.get_secret_value() if self._known.discord_token else ""
        if given is None and self._ask is not None:
            if not (known or self._is_told):
                self._tell(PORTAL)
                self._is_told = True
            given = self._ask.secret("The bot's token" + (", or Enter for the one there is" if known else ""))
        token = (given or known).strip()
        if not token:
            raise errors.BadArgument("Hathi needs a token to come to Discord; hathi chat talks here without one.")
        from bot.connection import preflight  # discord.py is slow to import

        self._standing(asyncio.run(preflight.standing(token, self._known.discord_api_url)))
        return token

    def _standing(self, stands: "BotStanding") -> None:
        from bot.connection.client import NO_CONTENT

        self._tell(f"Discord knows it: {stands.application}, bot {stands.bot}.")
        if not stands.has_content:
            self._tell(NO_CONTENT)
        self._tell(f"To invite it, with the permissions it needs and no others:\n{stands.invite}")

    def _model(self) -> Chosen | None:
        """A model that answers, if one is wanted."""
        given = self._given
        self._given = replace(given, provider=None, base_url=None, model=None, key=None)
        if given.provider is not None or given.base_url is not None:
            chosen = self._named(given)
        elif self._ask is None:
            if given.model or given.key:
                raise errors.BadArgument("--model and --key need --provider or --base-url beside them.")
            chosen = self._kept()
        else:
            chosen = self._asked(self._ask, given.model or "")
        if chosen is not None:
            self._tried = chosen
            self._try(chosen)
        return chosen

    def _kept(self) -> Chosen | None:
        """The model there is."""
        role = self._known.roles.reasoning
        if role is None:
            return None
        key = role.api_key.get_secret_value() if role.api_key else ""
        return Chosen(base_url=str(role.base_url), model=role.model, key=key, is_kept=True)

    def _named(self, given: Answers) -> Chosen | None:
        """The model that flags name."""
        if given.provider == NO_MODEL:
            return None
        provider = None if given.provider is None else _provider(given.provider)
        if given.provider is not None and provider is None:
            names = ", ".join([*(one.word for one in PROVIDERS), NO_MODEL])
            raise errors.BadArgument(f"--provider {given.provider}: is not known; {names} are.")
        base_url = given.base_url or (provider.base_url if provider else "")
        models = asyncio.run(model_lists.models_at(base_url)) if provider and provider.is_local else None
        first = models[0] if models else provider.model if provider else ""
        key = given.key or (config.variable(provider.key_env, self._known) if provider else "")
        return self._completed(Chosen(base_url=base_url, model=given.model or first, key=key), provider)

    def _completed(self, chosen: Chosen, provider: Provider | None) -> Chosen:
        """The same with what flags left out, as far as somebody can be asked."""
        if self._ask is None:
            return chosen
        if not chosen.model:
            chosen = replace(chosen, model=self._ask.line("Model"))
        if not chosen.key and provider and not provider.is_local:
            chosen = replace(chosen, key=self._ask.secret(f"Key for {provider.name}"))
        return chosen

    def _asked(self, ask: Questions, wanted: str) -> Chosen | None:
        """The model somebody chooses: servers found on this machine first, then all others."""
        kept = self._kept()
        here = dict(asyncio.run(model_lists.found([provider for provider in PROVIDERS if provider.is_local])))
        providers = [*here, *(provider for provider in PROVIDERS if provider not in here)]
        options = [f"{kept.model}, which is set"] if kept else []
        options += [f"{one.name}, found on this machine" if one in here else one.name for one in providers]
        options += ["another OpenAI-compatible server", "none"]
        self._place = ask.choice(ABOUT_MODELS, options, self._place)
        place = self._place - bool(kept)
        if place < 0 or place > len(providers):
            return kept if place < 0 else None
        provider = providers[place] if place < len(providers) else None
        base_url = provider.base_url if provider else ask.until_right(lambda: _address(ask, self._tried))
        models = here.get(provider) if provider else asyncio.run(model_lists.models_at(base_url))
        before = self._tried if self._tried and self._tried.base_url == base_url else None
        usual = before.model if before else wanted or (models[0] if models else provider.model if provider else "")
        model = ask.until_right(lambda: _one_of(ask, models or (), usual))
        return Chosen(base_url=base_url, model=model, key=self._key(ask, provider, before))

    def _key(self, ask: Questions, provider: Provider | None, before: Chosen | None) -> str:
        """The server's key; what was typed before is kept by Enter, and so is the one there is."""
        if provider is None:
            return ask.secret("Its key, or Enter for none")
        if provider.is_local:
            return ""
        typed = before.key if before else ""
        known = typed or config.variable(provider.key_env, self._known)
        whose = "the same" if typed else f"that of {provider.key_env}"
        question = f"Key for {provider.name}" + (f", or Enter for {whose}" if known else "")

        def given() -> str:
            if not (key := ask.secret(question) or known):
                raise errors.BadArgument(f"{provider.name} wants a key.")
            return key

        return ask.until_right(given)

    def _try(self, chosen: Chosen) -> None:
        """Has the model say a word. Raises `ModelError`, or `BadArgument` for what can't be asked at all."""
        known = self._known.roles.reasoning
        role = known.model_copy(update={"fallbacks": ()}) if known and chosen.is_kept else _role(chosen)
        (probe,) = asyncio.run(_probed(role))
        if probe.error is not None:
            raise errors.ModelUnreachable(f"{probe.model} does not answer: {probe.error}.")
        self._tell(f"{probe.model} at {failures.host(role)} answered in {probe.seconds:.1f} s.")

    def _service(self) -> bool:
        """Whether systemd is to run it."""
        if self._given.service is False or (self._given.service is None and self._ask is None):
            return False
        if not service_unit.is_possible():
            if self._given.service:
                raise errors.BadArgument("--service: systemd does not run this machine.")
            return False
        if why := service_unit.why_not():
            if self._given.service:
                raise errors.BadArgument(f"--service: {why}")
            self._tell(why)
            return False
        if self._given.service or self._ask is None:
            return True
        whose = "this machine" if service_unit.is_for_machine() else "your account"
        return self._ask.yes(f"Shall systemd run it, as a service of {whose}?", default=True)

    def _start(self, *, service: bool) -> bool:
        """Whether it is to run here, now."""
        if service:
            return False
        if self._given.start is not None or self._ask is None:
            return bool(self._given.start)
        return self._ask.yes("Shall it start now, in this terminal, until Ctrl-C?", default=True)

    def _places(self, *, service: bool) -> tuple[Path, Path]:
        """The settings file and the `.env` to write: those that are read then."""
        folder = self._given.folder or self._known.settings_dir
        if service:
            # Its working directory is the folder, so that nothing goes before what is there.
            folder = service_unit.MACHINE_SETTINGS if service_unit.is_for_machine() else folder
            return folder / config.FILE_NAME, folder / dotenv_file.FILE_NAME
        path = self._file or folder / config.FILE_NAME
        places = [] if self._given.folder else config.env_places(path.parent)
        return path, next((place for place in places if place.is_file()), path.parent / dotenv_file.FILE_NAME)

    def _write(self, path: Path, env: Path, token: str, model: Chosen | None) -> None:
        """Both files, and what changed in them. No key is left that another server would be sent."""
        values: dict[str, str | None] = {"DISCORD_TOKEN": token}
        lines: dict[str, str | None] = {}
        if model is None or not (model.is_kept and settings_writing.names_model(path)):
            lines = {"llm_base_url": model.base_url if model else None, "llm_model": model.model if model else None}
            values["LLM_API_KEY"] = model.key if model else None
        above = {name.upper(): value for name, value in lines.items()}
        self._put([settings_writing.dotenv(env, values, above), settings_writing.settings_file(path, lines)])

    def _put(self, files: list[settings_writing.NewFile]) -> None:
        settings_writing.write(files)
        for one in files:
            self._tell(f"{one.path.absolute()}: {one.told}.")

    def _compare(self, path: Path, token: str, model: Chosen | None) -> None:
        """Tells where Hathi would run otherwise than was said, since something goes before what was written."""
        loaded = config.load(path)
        role, known = loaded.roles.reasoning, loaded.discord_token
        if known is None or known.get_secret_value().strip() != token:
            self._tell("Another DISCORD_TOKEN goes before what was written: of the environment, or of the .env here.")
        if model is None and role is not None:
            self._tell(f"{role.model} stays: the environment, the .env here or [roles] in the settings name it.")
        elif model is not None and (role is None or role.model != model.model):
            self._tell("Another model goes before what was written: of the environment, or of the .env here.")


def _provider(word: str) -> Provider | None:
    return next((one for one in PROVIDERS if one.word == word.lower().replace(" ", "-")), None)


def _role(chosen: Chosen) -> RoleSettings:
    """The role of a model. Raises `BadArgument`."""
    given = {"base_url": chosen.base_url, "model": chosen.model, "api_key": chosen.key or None}
    try:
        return RoleSettings.model_validate(given)
    except ValidationError as exc:
        first = exc.errors(include_url=False, include_input=False)[0]
        raise errors.BadArgument(f"{first['loc'][0]}: {first['msg']}.") from None


def _address(ask: Questions, before: Chosen | None) -> str:
    """The address of a server."""
    typed = ask.line("Its address, usually ending in /v1", before.base_url if before else "")
    try:
        TypeAdapter(AnyHttpUrl).validate_python(typed)
    except ValidationError:
        raise errors.BadArgument("That is no address such as http://localhost:9000/v1.") from None
    return typed


def _one_of(ask: Questions, models: tuple[str, ...], usual: str) -> str:
    """A model by its name; those that a server is known to have are named."""
    if models:
        more = f" and {len(models) - MOST_NAMED} more" if len(models) > MOST_NAMED else ""
        ask.tell(f"It has {', '.join(models[:MOST_NAMED])}{more}.")
    if not (model := ask.line("Model", usual)):
        raise errors.BadArgument("It needs the name of a model.")
    return model


async def _probed(role: RoleSettings) -> list[Probe]:
    models = Models(Roles(reasoning=role))
    try:
        return await models.probe(ModelRole.REASONING, within=MODEL_PATIENCE)
    finally:
        await models.aclose()


def _own_command() -> str:
    """How whoever runs this started it, as they typed it: what is in an environment is on no `PATH`."""
    return sys.argv[0] if Path(sys.argv[0]).name == "hathi" else "hathi"
