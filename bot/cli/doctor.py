"""`hathi doctor`: checks this installation, says what is wrong and what to do about it."""

import asyncio
import contextlib
import os
from collections import defaultdict
from collections.abc import AsyncGenerator, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Final

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from bot import app, config, errors
from bot.cli import disk_encryption, model_fetch
from bot.db import health, migrations, pool
from bot.db.embedded import place, server
from bot.db.pool import Database
from bot.domain import ModelRole
from bot.infra import database_clock, pulse
from bot.layers.forge.forge_client import ForgeClient
from bot.layers.forge.repositories import ForgeRepository, places
from bot.layers.playbook_files import PlaybookFiles
from bot.lifecycle import workflow_files
from bot.llm.embedder import Embedder
from bot.llm.messages import ToolSpec
from bot.llm.models import Models, Probe
from bot.mcp import server_standing
from bot.mcp.server_standing import ServerStanding
from bot.prompting import compose, identity, personas, prompt_tree
from bot.prompting.personas import Household
from bot.store.makings import Makings
from bot.text.sanitize import counted
from bot.tools import toolsets

if TYPE_CHECKING:
    from bot.connection import preflight

MODEL_PATIENCE: Final = timedelta(seconds=20)
QUICK_PATIENCE: Final = timedelta(seconds=20)
"""For all of a quick examination: whoever asks for health waits 30 seconds at most."""
MOST_CHANNELS: Final = 10
"""Channels named a guild; the rest are counted."""
FORGE_AT_ONCE: Final = 4
TOOL_SERVERS_AT_ONCE: Final = 4
OLDEST_POSTGRES: Final = 15
MANY_MEMBERS: Final = 8_000
"""In time before 10,000, from which on Discord reviews what an app does with message content and members."""
UNSEEN: Final = (
    "Discord's terms ask for it: put the data directory on an encrypted disk (LUKS), unless whoever runs the machine "
    "encrypts it underneath, which can't be seen from here"
)
REVIEW: Final = (
    "from 10,000 people on Discord asks an app with privileged intents to apply for them, each year anew; "
    "docs/DISCORD.md answers the questions of its form"
)
NAMED: Final = "list the servers in which names hold in [playbooks] named_in, or give the channel's id"
MEANING: Final = (
    "[roles.embedder] local = true also finds what is told in other words (of evidence 84 % instead of 80 % among the "
    "first ten; English), for 130 MB of memory: docs/OPERATIONS.md"
)
_NEEDED: Final = ("btree_gin", "pg_trgm", "unaccent")


@dataclass(frozen=True, slots=True, kw_only=True)
class Examined:
    """One check and its result."""

    what: str
    found: str
    todo: str = ""
    """What would mend it; empty when nothing is wrong."""
    advice: str = ""
    """What Hathi goes on without, and what would change that."""
    link: str = ""
    """An address to copy, on a line of its own under the table."""


async def examine(config_file: Path | None, console: Console | None = None, *, quick: bool = False) -> int:
    """Print a table of what was found; 1 when something is wrong, else 0.

    A quick examination asks neither models, Discord nor the forge, and starts no database: it is the health check of a
    container, and so fails where `hathi run` stands still, but not where only Discord is away.
    """
    findings: list[Examined] = []
    try:
        async with (
            asyncio.timeout(QUICK_PATIENCE.total_seconds() if quick else None),
            contextlib.aclosing(_findings(config_file, quick=quick)) as found,
        ):
            async for finding in found:
                findings.append(finding)  # noqa: PERF401 - what was found before the time ran out is told
    except TimeoutError:
        findings.append(
            Examined(what="time", found=f"not done within {QUICK_PATIENCE.seconds} s", todo="look at what is missing")
        )
    console = console or Console()
    table = Table("", title="hathi doctor", title_justify="left")
    for heading in ("what", "found", "what to do"):
        # A path that is longer than its column goes on in the next line: it is there to be read whole.
        table.add_column(heading, overflow="fold")
    for finding in findings:
        mark = "✗" if finding.todo else "!" if finding.advice else "✓"
        table.add_row(mark, *map(escape, (finding.what, finding.found, finding.todo or finding.advice)))
    console.print(table)
    for finding in findings:
        if finding.link:
            console.print(escape(finding.link), soft_wrap=True, highlight=False)
    return 1 if any(finding.todo for finding in findings) else 0


async def _findings(config_file: Path | None, *, quick: bool) -> AsyncGenerator[Examined]:
    try:
        settings = config.load(config_file)
        app.check_retrievers(settings.prompt)
    except errors.SettingsError as exc:
        yield Examined(what="settings", found="not usable", todo=str(exc))
        return
    found = str(config_file or settings.settings_dir)
    yield Examined(what="settings", found=f"{found}, {settings.env_file}" if settings.env_file else found)
    for remark in settings.remarks:
        yield Examined(what="settings", found="something does nothing", advice=remark)
    for finding in await asyncio.to_thread(_here, settings, quick=quick):
        yield finding
    async with contextlib.aclosing(_database(settings, quick=quick)) as findings:
        async for finding in findings:
            yield finding
    if quick:
        return
    for finding in await asyncio.to_thread(_written, settings):
        yield finding
    for finding in await _discord(settings):
        yield finding
    async with contextlib.aclosing(_models(settings)) as findings:
        async for finding in findings:
            yield finding
    servers = await _tool_servers(settings.mcp.servers)
    specs = {name: standing.specs for name, standing in servers.items()}
    unfit = await _unfit(settings, specs)
    for finding in [*await _forge(settings.forge), *(_served(*one) for one in servers.items()), *unfit]:
        yield finding


def _here(settings: config.Settings, *, quick: bool) -> list[Examined]:
    """What can be seen on this machine alone."""
    found = [_service(beat) for beat in pulse.beats(settings.data_dir)]
    if settings.database_url is None:
        found.append(_data_directory(settings.data_dir))
    found += _prompts(settings)
    found += [*_workflows(settings.settings_dir), *_personas(settings)]
    return found if quick else [*found, _encryption(settings), _policy(settings.community)]


def _service(beat: pulse.Beat) -> Examined:
    """How a running `hathi run` is; that Discord is away alone is nothing a restart would mend."""
    what = f"hathi run (process {beat.pid})"
    if beat.stands_still:
        todo = "start it again; where something held it, its log says what by loop.held"
        return Examined(
            what=what, found=f"stands still for {counted(int(beat.ago.total_seconds()), 'second')}", todo=todo
        )
    if not beat.connected:
        advice = "it tries again at least each minute; while it does there is nothing to do here"
        return Examined(what=what, found="runs, but Discord is not connected", advice=advice)
    return Examined(what=what, found="runs, and Discord is connected")


def _written(settings: config.Settings) -> list[Examined]:
    """What whoever runs Hathi wrote beside the settings: who it is, and playbooks."""
    findings: list[Examined] = []
    folder, named_in = settings.settings_dir, settings.playbooks.named_in
    who = identity.written(folder, settings.prompt.budget.identity)
    if who.is_own or who.fault:
        found = f"{folder / identity.FILE}: {who.tokens} tokens" if who.is_own else f"{folder / identity.FILE}"
        findings.append(Examined(what="identity", found=found, advice=who.fault))
    shelf = PlaybookFiles(folder)
    try:
        books = shelf.read()
    except errors.SettingsError as exc:
        return [*findings, Examined(what="playbooks", found="can't be read", advice=str(exc))]
    if books or shelf.faults:
        advice = [f"{fault.file} is left out: {fault.reason}" for fault in shelf.faults]
        if not named_in:
            named = [book.name for book in books if book.names_channels]
            advice += [f"{name} names a channel, which holds nowhere: {NAMED}" for name in named]
        found = f"{len(books)} in {shelf.folder}"
        findings.append(Examined(what="playbooks", found=found, advice="\n".join(advice)))
    return findings


def _prompts(settings: config.Settings) -> list[Examined]:
    """The prompts of the folder; nothing where there is none of its own."""
    what, folder = "prompts", settings.settings_dir
    try:
        prompts = [*compose.roots(folder, settings.roles).values(), *personas.sections(_households(folder))]
        left = prompt_tree.unused(folder, prompts)
    except errors.SettingsError as exc:
        return [Examined(what=what, found="can't be assembled: Hathi does not start", todo=str(exc))]
    own = {section.name for prompt in prompts for _, section in prompt.all() if section.is_own}
    if not own and not left:
        return []
    advice = f"no prompt uses {', '.join(left)}: list it as a section, or remove it" if left else ""
    return [Examined(what=what, found=f"{len(own)} in {folder / prompt_tree.FOLDER}", advice=advice)]


def _workflows(folder: Path) -> list[Examined]:
    """The workflows of the folder; nothing where there is none of its own."""
    what = "workflows"
    try:
        own = workflow_files.own_files(folder)
        app.all_workflows(folder)
    except errors.SettingsError as exc:
        return [Examined(what=what, found="can't be run: Hathi does not start", todo=str(exc))]
    return [Examined(what=what, found=f"{len(own)} in {folder / workflow_files.FOLDER}")] if own else []


def _personas(settings: config.Settings) -> list[Examined]:
    """The personas that may be chosen, each with what of memory is open to it."""
    what = "personas"
    try:
        households = personas.read(settings.settings_dir)
    except errors.SettingsError as exc:
        return [Examined(what=what, found="can't be read: Hathi does not start", todo=str(exc))]
    each = {one.key: one for household in households.values() for one in household.members}
    without = sorted({one.role for one in each.values() if getattr(settings.roles, one.role) is None})
    advice = f"no model is set for {', '.join(without)}: personas of that role ask reasoning" if without else ""
    told = ", ".join(f"{key} ({one.name}, {one.memory})" for key, one in each.items() if one.name)
    return [Examined(what=what, found=told, advice=advice if settings.roles.reasoning is not None else "")]


def _households(folder: Path) -> Mapping[str, Household]:
    """Who may be chosen; nobody where the files can't be read, which is told apart."""
    try:
        return personas.read(folder)
    except errors.SettingsError:
        return {}


async def _missing_workflows(database: Database, folder: Path) -> list[Examined]:
    """The workflows that channels want and that are not there; none where the files can't be read at all."""
    wanted = await Makings(database).workflows()
    try:
        missing = [name for name in wanted if name not in app.all_workflows(folder)]
    except errors.SettingsError:
        return []
    advice = (
        f"channels that want them go without: write them in {folder / workflow_files.FOLDER}, or choose another there"
    )
    return [Examined(what="workflows", found=f"not there: {', '.join(missing)}", advice=advice)] if missing else []


def _encryption(settings: config.Settings) -> Examined:
    what = "encryption at rest"
    if settings.database_url is not None:
        found = "can't be seen from here: the database is the one of DATABASE_URL"
        return Examined(what=what, found=found, advice="make sure of it there; Discord's terms ask for it")
    how = disk_encryption.seen(settings.data_dir)
    if how:
        return Examined(what=what, found=f"{settings.data_dir} lies on {how}")
    return Examined(what=what, found=f"no encrypted disk seen under {settings.data_dir}", advice=UNSEEN)


def _policy(community: config.CommunitySettings) -> Examined:
    what = "privacy policy"
    if community.privacy:
        return Examined(what=what, found=community.privacy)
    advice = "a bot that others invite needs one: [community] privacy_url shows people where it stands"
    return Examined(what=what, found="none is named", advice=advice)


def _data_directory(folder: Path) -> Examined:
    what = "data directory"
    if not folder.exists():
        return Examined(what=what, found=f"{folder} (made at the first start)")
    if not os.access(folder, os.R_OK | os.W_OK | os.X_OK):
        return Examined(what=what, found=f"{folder} is not writable", todo="give it to the user who runs hathi")
    if folder.stat().st_mode & 0o022:
        return Examined(what=what, found=f"{folder} is writable by others", todo=f"chmod go-w {folder}")
    return Examined(what=what, found=str(folder))


async def _database(settings: config.Settings, *, quick: bool) -> AsyncGenerator[Examined]:
    kind = "database (embedded)" if settings.database_url is None else "database (DATABASE_URL)"
    dsn = None
    if quick and settings.database_url is None:
        try:
            dsn = _running(settings.data_dir)
        except (OSError, errors.EmbeddedServerError) as exc:
            yield Examined(what=kind, found="can't be used", todo=str(exc))
            return
        if dsn is None:
            yield _not_running(settings.data_dir, kind)
            return
    try:
        async with (
            app.database(settings, own=False) if dsn is None else pool.opened(dsn, settings.database) as database
        ):
            yield await _version(database, kind)
            yield await _extensions(database)
            pending = await migrations.pending(database)
            yield _migrations(pending, must_be_done=quick)
            if not pending and not quick:
                yield await _clock(database)
                for finding in await _missing_workflows(database, settings.settings_dir):
                    yield finding
    except errors.DatabaseDown:
        todo = "check the address and that the server runs" if settings.database_url else "see postgres.log beside it"
        yield Examined(what=kind, found="can't be reached", todo=todo)
    except (errors.DatabaseError, errors.SettingsError) as exc:
        yield Examined(what=kind, found="can't be used", todo=str(exc))


def _running(data_dir: Path) -> str | None:
    """The address of the embedded server that runs there; none is started, which could keep Hathi from starting.

    Raises OSError, or EmbeddedServerError where it could not be started either.
    """
    return server.address(place.home(data_dir)) if data_dir.exists() else None


def _not_running(data_dir: Path, kind: str) -> Examined:
    """An embedded server that is not there: as it should be where Hathi does not run, and a fault where it does."""
    if any(pulse.beats(data_dir)):
        todo = "start hathi run again, which brings it; postgres.log says why it ended"
        return Examined(what=kind, found="does not run", todo=todo)
    advice = "hathi run and hathi chat start it; without --quick doctor does so itself"
    return Examined(what=kind, found="does not run, as Hathi does not", advice=advice)


async def _version(database: Database, kind: str) -> Examined:
    version = await health.server_version(database)
    old = int(version.split(".")[0].split(" ")[0]) < OLDEST_POSTGRES
    return Examined(
        what=kind, found=f"Postgres {version}", todo=f"use Postgres {OLDEST_POSTGRES} or later" if old else ""
    )


async def _clock(database: Database) -> Examined:
    """Postgres's clock, beside this machine's."""
    told, advice = await database_clock.read(database), list[str]()
    apart = told.now - app.utc_now()
    if abs(apart) > database_clock.OFF_BY:
        how = "ahead of" if apart > timedelta(0) else "behind"
        minutes = counted(round(abs(apart) / timedelta(minutes=1)), "minute")
        advice.append(f"it is {minutes} {how} this machine's: set whichever is wrong")
    if told.doubted_since is not None:
        advice.append(
            f"Hathi has not believed it since {told.doubted_since:%Y-%m-%d %H:%M} UTC, and lets nothing age or go: it "
            "waits until Discord's time agrees, or for ten minutes at a start"
        )
    return Examined(what="clock of the database", found=f"{told.now:%Y-%m-%d %H:%M} UTC", advice="; ".join(advice))


async def _extensions(database: Database) -> Examined:
    available = await health.extensions(database)
    missing = [name for name in _NEEDED if name not in available]
    found = ", ".join(f"{name} {version}" if version else f"{name} (available)" for name, version in available.items())
    todo = f"install the packages that bring {' and '.join(missing)} (postgresql-contrib)" if missing else ""
    return Examined(what="extensions", found=found or "none", todo=todo)


def _migrations(pending: Collection[str], *, must_be_done: bool) -> Examined:
    if not pending:
        return Examined(what="migrations", found="up to date")
    found, how = f"{len(pending)} to run", "a start runs them; hathi migrate does so beforehand"
    return Examined(what="migrations", found=found, todo=how * must_be_done, advice=how)


async def _discord(settings: config.Settings) -> list[Examined]:
    if settings.discord_token is None:
        return [Examined(what="Discord", found="no token; `hathi run` needs DISCORD_TOKEN")]
    from bot.connection import preflight  # discord.py is slow to import, and nothing else here needs it

    try:
        stands = await preflight.standing(settings.discord_token.get_secret_value(), settings.discord_api_url)
    except errors.SettingsError as exc:
        return [Examined(what="Discord", found="the token is refused", todo=str(exc))]
    except errors.DiscordDown as exc:
        return [Examined(what="Discord", found="can't be asked", todo=str(exc))]
    return [*_standing(stands), *map(_guild, stands.guilds)]


def _standing(stands: "preflight.BotStanding") -> list[Examined]:
    from bot.connection import preflight
    from bot.connection.client import NO_CONTENT

    hours = stands.starts_again_in.total_seconds() / 3600
    many = " or more" if stands.guild_count == preflight.MOST_COUNTED else ""
    rest = stands.guild_count - len(stands.guilds)
    return [
        Examined(
            what="Discord",
            found=f"{stands.application} (application {stands.application_id}, bot {stands.bot})",
            link=f"To invite it, with the permissions it needs and no others:\n{stands.invite}",
        ),
        Examined(
            what="message content",
            found="granted" if stands.has_content else "not granted: Hathi goes on without",
            advice="" if stands.has_content else NO_CONTENT,
        ),
        Examined(
            what="session starts",
            found=f"{stands.starts_left} of {stands.starts} left",
            todo=""
            if stands.starts_left
            else f"wait {hours:.1f} hours for the next; the log says why it started so often",
        ),
        Examined(
            what="guilds",
            found=f"{stands.guild_count}{many}" + (f"; the first {len(stands.guilds)} of them follow" if rest else ""),
            advice="" if stands.guild_count else "invite it by the address below",
        ),
        Examined(
            what="members",
            found=f"about {stands.members:,}{many} in all guilds together",
            advice=REVIEW if stands.members >= MANY_MEMBERS else "",
        ),
    ]


def _guild(guild: "preflight.Guild") -> Examined:
    what = f"guild {guild.name}"
    if guild.failure:
        return Examined(what=what, found="can't be looked at", advice=guild.failure)
    if not guild.lacks:
        return Examined(what=what, found="nothing is missing in its channels")
    by_missing: defaultdict[tuple[str, ...], list[str]] = defaultdict(list)
    for lack in guild.lacks[:MOST_CHANNELS]:
        by_missing[lack.missing].append(f"#{lack.channel}")
    lines = [f"{', '.join(names)}: {', '.join(missing)}" for missing, names in by_missing.items()]
    rest = len(guild.lacks) - MOST_CHANNELS
    more = [f"and {counted(rest, 'more channel')}"] if rest > 0 else []
    return Examined(
        what=what,
        found=f"something is missing in {len(guild.lacks)} of {counted(guild.channels, 'channel')}",
        advice="\n".join(["if Hathi is to be used there, allow it", *lines, *more]),
    )


async def _models(settings: config.Settings) -> AsyncGenerator[Examined]:
    models = Models(settings.roles, choosable=settings.models)
    try:
        asked = [role for role in ModelRole if models.has(role)]
        if not asked:
            yield Examined(what="models", found="none: answers come from memory alone")
        for role in asked:
            for probe in await models.probe(role, within=MODEL_PATIENCE):
                yield _probed(probe)
        for name, probe in await models.probe_choosable(within=MODEL_PATIENCE):
            yield replace(_probed(probe), what=f"models.{name}")
    finally:
        await models.aclose()
    yield await _embedder(settings.roles.embedder)


async def _embedder(settings: config.EmbedderSettings | config.LocalEmbedderSettings | None) -> Examined:
    what = "model embedder"
    if settings is None:
        return Examined(what=what, found="none: recall goes by words alone", advice=MEANING)
    embedder = Embedder(settings)
    try:
        await model_fetch.fetch(settings)
        probe = await embedder.probe(within=MODEL_PATIENCE)
    except errors.ModelError as exc:
        return Examined(what=what, found=embedder.model, todo=str(exc))
    finally:
        await embedder.aclose()
    found = f"{probe.model} at {probe.place}"
    if probe.error is not None:
        return Examined(what=what, found=found, todo=probe.error)
    return Examined(what=what, found=f"{found}: {probe.dimension} dimensions in {probe.seconds:.1f} s")


async def _forge(settings: config.ForgeSettings) -> list[Examined]:
    """How each repository stands, a few asked at once; nothing where none is connected."""
    client, gate = ForgeClient(settings), asyncio.Semaphore(FORGE_AT_ONCE)

    async def one(place: ForgeRepository) -> Examined:
        async with gate:
            return await _repository(client, place)

    try:
        return list(await asyncio.gather(*map(one, places(settings).by_name.values())))
    finally:
        await client.aclose()


async def _repository(client: ForgeClient, place: ForgeRepository) -> Examined:
    what, found = f"repository {place.name}", f"{place.path} at {client.host}"
    try:
        standing = await client.standing(place)
    except errors.ForgeNotFound:
        todo = "check its path; a private one is there only for a token that may read it"
        return Examined(what=what, found=f"{found}: not there", todo=todo)
    except errors.ForgeTokenRefused:
        return Examined(
            what=what, found=f"{found}: the token is refused", todo="check the variable forge.token_env names"
        )
    except errors.ForgeBusy as exc:
        return Examined(what=what, found=f"{found}: not asked", advice=f"{exc} A token allows more requests.")
    except errors.ForgeError as exc:
        return Examined(
            what=what, found=f"{found}: can't be asked", todo=f"{exc} Check forge.base_url and the network."
        )
    if standing.private and not place.private:
        todo = "it is private there: set private = true and its channels; until then nothing of it is shown"
        return Examined(what=what, found=f"{found}: private, and not in the settings", todo=todo)
    return Examined(what=what, found=f"{found}: can be read, {'in its channels' if place.private else 'by everybody'}")


async def _tool_servers(servers: Mapping[str, config.ToolServerSettings]) -> Mapping[str, ServerStanding]:
    """How each MCP server stands, a few opened at once."""
    gate = asyncio.Semaphore(TOOL_SERVERS_AT_ONCE)

    async def one(name: str, settings: config.ToolServerSettings) -> ServerStanding:
        async with gate:
            return await server_standing.of(name, settings)

    standing = await asyncio.gather(*(one(name, settings) for name, settings in servers.items()))
    return dict(zip(servers, standing, strict=True))


def _served(name: str, standing: ServerStanding) -> Examined:
    advice = "; ".join(standing.advice)
    return Examined(what=f"MCP server {name}", found=standing.found, todo=standing.fault, advice=advice)


async def _unfit(settings: config.Settings, servers: Mapping[str, Sequence[ToolSpec]]) -> list[Examined]:
    """The tools that the prompt of a role has no room for, with what makes some."""
    models, found = Models(settings.roles, choosable=settings.models), list[Examined]()
    try:
        for role in filter(models.has, ModelRole):
            left_out = toolsets.unfit(models, role, settings.toolsets, app.RETRIEVERS, servers)
            if left_out:
                told = f"no room for {', '.join(left_out)}: a quarter of a prompt is for tools"
                advice = f"raise max_context of roles.{role.value} where its model has more, or list toolsets there"
                found.append(Examined(what=f"tools of {role.value}", found=told, advice=advice))
    finally:
        await models.aclose()
    return found


def _probed(probe: Probe) -> Examined:
    what = f"model {probe.role.value}"
    if probe.error is not None:
        return Examined(what=what, found=f"{probe.model} at {probe.host}", todo=probe.error)
    found = f"{probe.model} at {probe.host}: answered in {probe.seconds:.1f} s"
    if probe.takes_tools:
        return Examined(what=what, found=found)
    advice = 'choose a model that calls tools, or set tools = "none": memory answers, and rules save what was asked'
    return Examined(what=what, found=f"{found}, and takes no tools", advice=advice)
