"""The command line: `hathi`, also `python -m bot`."""

import asyncio
import contextlib
import gc
import signal
import sys
import zoneinfo
from collections.abc import AsyncGenerator, Callable, Coroutine, Generator
from datetime import UTC, datetime, timedelta, tzinfo
from pathlib import Path
from typing import Annotated, Any, Final, NoReturn

import typer

import bot
from bot import config, domain, errors, log
from bot.cli import held_keys
from bot.text import sanitize

cli = typer.Typer(
    help="Hathi remembers what a community said, and can show why. Without a command it opens the terminal.",
    add_completion=False,
    no_args_is_help=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)
evaluating = typer.Typer(help="Measure Hathi on labelled data.", no_args_is_help=True)
cli.add_typer(evaluating, name="eval")
prompting = typer.Typer(help="Look at what models are prompted with.", no_args_is_help=True)
cli.add_typer(prompting, name="prompts")
ConfigOption = Annotated[
    Path | None, typer.Option("--config", help="Settings file; else ./hathi.toml, else hathi/hathi.toml in ~/.config.")
]

LOADED_AT_ONCE: Final = 50_000
"""So many new objects are looked over for garbage at a time."""
SpaceOption = Annotated[
    int, typer.Option("--space", metavar="ID", help="The space: a server's id or a direct message's channel id.")
]


@cli.callback(invoke_without_command=True)
def root(
    context: typer.Context,
    config_file: ConfigOption = None,
    version: Annotated[bool, typer.Option("--version", help="Print the version and leave.")] = False,  # noqa: FBT002
) -> None:
    """Open the terminal when no command is named."""
    if version:
        print(f"hathi {bot.__version__}")
        raise typer.Exit
    context.obj = config_file
    if context.invoked_subcommand is None:
        chat(context)


@cli.command()
def chat(context: typer.Context) -> None:
    """Talk to Hathi here; piped input is answered line by line."""
    with held_keys.held():
        _chat(context)


def _chat(context: typer.Context) -> None:
    from bot import app
    from bot.cli import model_fetch, terminal

    settings = _settings(context)

    @contextlib.asynccontextmanager
    async def opened(screen: terminal.Screen) -> AsyncGenerator[app.App]:
        app.check(settings)
        try:
            await model_fetch.fetch(settings.roles.embedder)
        except errors.ModelError as exc:
            screen.line(str(exc))  # recall goes by words until it is there
        async with (
            app.database(settings, own=True) as database,
            app.opened(
                settings,
                database,
                announce=lambda done: terminal.announce_summary(screen, done),
                alone=settings.database_url is None,
            ) as opened_app,
        ):
            yield opened_app

    if sys.stdin is None or sys.stdout is None:  # pyright: ignore[reportUnnecessaryComparison]  # closed by the shell
        _give_up(errors.HathiError("standard input and output must be open; to read nothing, use < /dev/null."), 1)
    if log.on_screen():
        settings.data_dir.mkdir(parents=True, exist_ok=True, mode=0o700)
        log.configure(to=settings.data_dir / "hathi.log", level=settings.log_level)
    for stream in (sys.stdin, sys.stdout):
        stream.reconfigure(errors="replace")  # pyright: ignore[reportAttributeAccessIssue]
    _run(terminal.chat(opened, config.login_name()))


@cli.command()
def run(context: typer.Context) -> None:
    """Serve Discord until SIGTERM; needs DISCORD_TOKEN."""
    # While it is loaded there is nothing to close; then the service listens itself.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    import uvloop

    from bot.cli import service

    # A worker's time goes into waiting on sockets: this loop spends a sixth less of the processor on a turn.
    _run(service.run(_settings(context), tell=lambda line: print(line, flush=True)), loop=uvloop.new_event_loop)


@cli.command()
def setup(
    context: typer.Context,
    token: Annotated[
        str | None, typer.Option("--token", help="The bot's token; else DISCORD_TOKEN, else asked.")
    ] = None,
    provider: Annotated[
        str | None, typer.Option("--provider", metavar="NAME", help="openai, ollama and others; none for no model.")
    ] = None,
    base_url: Annotated[
        str | None, typer.Option("--base-url", metavar="URL", help="Any other OpenAI-compatible server.")
    ] = None,
    model: Annotated[str | None, typer.Option("--model", metavar="NAME", help="As that server knows it.")] = None,
    key: Annotated[str | None, typer.Option("--key", help="The server's key; else the provider's variable.")] = None,
    folder: Annotated[
        Path | None, typer.Option("--folder", help="Where hathi.toml and .env are written; else where they are read.")
    ] = None,
    service: Annotated[bool | None, typer.Option("--service/--no-service", help="Have systemd run it, or not.")] = None,
    start: Annotated[bool | None, typer.Option("--start/--no-start", help="Run it here, now, or not.")] = None,
) -> None:
    """Ask for token and model, try both, write the settings, and start; flags answer in advance."""
    from bot.cli import setup as setting_up
    from bot.cli.questions import Questions

    known = _settings(context)
    log.configure(level="ERROR")
    given = setting_up.Answers(
        token=token,
        provider=provider,
        base_url=base_url,
        model=model,
        key=key,
        folder=folder,
        service=service,
        start=start,
    )
    ask = None
    if sys.stdin is not None and sys.stdin.isatty() and sys.stdout.isatty():  # pyright: ignore[reportUnnecessaryComparison]  # closed by the shell
        ask = Questions(sys.stdin, sys.stdout)
    elif needed := setting_up.missing(given, known):
        _give_up(errors.BadArgument(f"setup can ask nobody without a terminal; it needs {', '.join(needed)}."), 2)

    def tell(text: str) -> None:
        print(sanitize.shown(text), flush=True)

    with _sentences():
        try:
            settings_file = setting_up.Setup(known, given, ask, tell, context.obj).run()
        except errors.BadArgument as exc:
            _give_up(exc, 2)
    if settings_file is not None:
        context.obj = settings_file
        run(context)


@cli.command()
def migrate(context: typer.Context) -> None:
    """Bring the database's schema to this version."""
    from bot import app
    from bot.db import migrations

    settings = _settings(context)

    async def run() -> None:
        async with app.database(settings, own=False) as database:
            ran = await migrations.migrate(database)
        print("\n".join(f"ran {name}" for name in ran) or "The schema is up to date.")

    _run(run())


@cli.command()
def compact(context: typer.Context) -> None:
    """Write the database's tables anew, without the bytes of what was erased; nothing is answered meanwhile."""
    from bot import app
    from bot.db import migrations
    from bot.lifecycle import compaction

    settings = _settings(context)

    async def run() -> None:
        async with app.database(settings, own=False) as database:
            await migrations.migrate(database)
            async for done in compaction.compact(database):
                before, now = (f"{size / 2**20:.1f} MiB" for size in (done.before, done.after))
                print(f"{done.table}: {before} before, {now} now", flush=True)
            if await compaction.recycle(database):
                print("Checkpoint: Postgres may write over its log of before.")
            else:
                print("This user may ask for no checkpoint: the log of before goes after the next that Postgres makes.")

    _run(run())


@cli.command()
def doctor(
    context: typer.Context,
    quick: Annotated[  # noqa: FBT002
        bool, typer.Option("--quick", help="Only settings and database, for a health check: costs nothing.")
    ] = False,
) -> None:
    """Check settings, data directory, database, Discord, models, forge and MCP servers; exit 1 if one is wrong."""
    from bot.cli import doctor as examination

    log.configure(level="ERROR")
    raise typer.Exit(asyncio.run(examination.examine(context.obj, quick=quick)))


@cli.command()
def demo(
    context: typer.Context,
    ask: Annotated[
        Path | None, typer.Option("--ask", metavar="FILE", help="Answer the lines of this file, then leave.")
    ] = None,
) -> None:
    """Talk to Hathi about a small made-up community, in a scratch space."""
    with held_keys.held() if ask is None else contextlib.nullcontext():
        from bot.cli import demo as community

        _run(community.run(_settings(context), ask))


@cli.command(name="export")
def export_(
    context: typer.Context,
    file: Annotated[Path, typer.Argument(help="The file to write; - for standard output.")],
    space: SpaceOption = domain.TERMINAL_SPACE,
) -> None:
    """Write everything a space holds, by default the terminal's, as JSON lines."""
    from bot import app, transfer

    settings = _settings(context)

    async def run() -> None:
        async with app.database(settings, own=False) as database:
            counts = await transfer.export_to(database, file, space_id=domain.SpaceId(space))
        print(f"Exported {counts} to {file}.", file=sys.stderr)

    _run(run())


@cli.command(name="import")
def import_(
    context: typer.Context,
    path: Annotated[
        Path,
        typer.Argument(
            help="What `hathi export` wrote, - for standard input; or another system's store, see the docs."
        ),
    ],
    space: SpaceOption = domain.TERMINAL_SPACE,
    channel: Annotated[
        str | None,
        typer.Option(
            "--channel", metavar="ID", help="Where it lands, and so who can see it; also by a name known in the space."
        ),
    ] = None,
    yes: Annotated[  # noqa: FBT002
        bool, typer.Option("--yes", help="Take another system's store in; without, only tell what would come.")
    ] = False,
    time_zone: Annotated[
        str, typer.Option("--time-zone", metavar="NAME", help="Of a store's times that name none.")
    ] = "UTC",
) -> None:
    """Read what `hathi export` wrote into an empty space, or take another system's store into a space."""
    from bot import app, transfer
    from bot.db import migrations
    from bot.transfer import foreign

    settings = _settings(context)
    wanted = foreign.Takeover(
        space_id=domain.SpaceId(space),
        channel=channel,
        write=yes,
        zone=_zone(time_zone),
        keep=timedelta(days=settings.messages.keep_days) if settings.messages.keep_days else None,
        min_messages=settings.reset.min_messages,
        language=settings.language,
        now=datetime.now(UTC),
    )

    async def run() -> None:
        is_own = foreign.is_own(path)
        async with app.database(settings, own=False) as database:
            await migrations.migrate(database)
            if is_own:
                language = settings.language
                counts = await transfer.import_from(database, path, language=language, space_id=wanted.space_id)
                print(f"Imported {counts} from {path}.", file=sys.stderr)
                return
            tally = await foreign.take_in(database, path, wanted)
        print(tally.told())
        print(f"Imported from {path}." if yes else "Nothing was written; --yes takes it in.", file=sys.stderr)

    _run(run())


@cli.command()
def detect() -> None:
    """Tell of messages whether they ask about the past: JSON lines in, JSON lines out."""
    from bot.cli import detect as detection

    log.configure(level="ERROR")
    if sys.stdin is None or sys.stdout is None:  # pyright: ignore[reportUnnecessaryComparison]  # closed by the shell
        _give_up(errors.HathiError("standard input and output must be open; to read nothing, use < /dev/null."), 1)
    try:
        detection.detect_lines(sys.stdin.buffer, sys.stdout)
    except errors.HathiError as exc:
        _give_up(exc, 1)
    except KeyboardInterrupt:
        raise SystemExit(130) from None
    except BrokenPipeError:
        sys.stdout = None
        raise SystemExit(0) from None


@evaluating.command(name="recall")
def eval_recall(
    context: typer.Context,
    data: Annotated[Path, typer.Option("--data", help="The folder with corpus.jsonl and queries.jsonl.")],
    run_: Annotated[Path | None, typer.Option("--run", help="Where the ranking is written, a JSON line each.")] = None,
    one_space: Annotated[bool, typer.Option("--one-space", help="All in one space, a channel each.")] = False,  # noqa: FBT002
    embedder: Annotated[  # noqa: FBT002
        bool, typer.Option("--embedder", help="Compare meaning too, by the settings' role `embedder`.")
    ] = False,
    abstain: Annotated[  # noqa: FBT002
        bool, typer.Option("--abstain", help="Tell how often recall is silent when the evidence is taken out.")
    ] = False,
    chunks: Annotated[  # noqa: FBT002
        bool, typer.Option("--chunks", help="Tell what chunks beside messages give; --run then ranks beside them.")
    ] = False,
    curve: Annotated[
        Path | None, typer.Option("--curve", help="Where the share answered is drawn against the share right (SVG).")
    ] = None,
) -> None:
    """Rank labelled questions in a scratch database, for a scorer to judge."""
    from bot.cli import chunk_evaluation, evaluation

    settings = _settings(context)
    log.configure(level="ERROR")
    if curve is not None:
        _run(evaluation.curve(settings, data, curve, embedder=embedder))
    if chunks:
        _run(chunk_evaluation.run(settings, data, run_, one_space=one_space, embedder=embedder))
        run_ = None
    if (curve is not None or chunks) and run_ is None and not abstain:
        return
    _run(evaluation.run(settings, data, run_, one_space=one_space, abstain=abstain, embedder=embedder))


@evaluating.command(name="answers")
def eval_answers(
    context: typer.Context,
    data: Annotated[Path, typer.Option("--data", help="The folder with corpus.jsonl and queries.jsonl.")],
    embedder: Annotated[  # noqa: FBT002
        bool, typer.Option("--embedder", help="Compare meaning too, by the settings' role `embedder`.")
    ] = False,
) -> None:
    """Tell what labelled questions are answered with, without a model: a JSON line each."""
    from bot.cli import evaluation

    settings = _settings(context)
    log.configure(level="ERROR")
    _run(evaluation.answers(settings, data, embedder=embedder))


def _zone(name: str) -> tzinfo:
    try:
        return zoneinfo.ZoneInfo(name)
    except (ValueError, OSError, zoneinfo.ZoneInfoNotFoundError):
        _give_up(
            errors.TransferError(f"There is no time zone {name!r}; Europe/Berlin and UTC are two of those known."), 1
        )


@evaluating.command(name="memory")
def eval_memory(
    context: typer.Context,
    data: Annotated[Path, typer.Option("--data", help="The folder with corpus.jsonl and queries.jsonl.")],
) -> None:
    """Tell how much of what labelled questions ask for survives into ledger and facts: a JSON line for each way."""
    from bot.cli import memory_evaluation

    settings = _settings(context)
    log.configure(level="ERROR")
    _run(memory_evaluation.run(settings, data))


@prompting.command(name="show")
def prompts_show(
    context: typer.Context,
    role: Annotated[
        str | None, typer.Argument(help="reasoning, execution, summarizer, or a prompt by its name.")
    ] = None,
) -> None:
    """Print the assembled text of a role's prompt, with the tokens of each section; of all roles without one."""
    from bot.cli import prompts

    settings = _settings(context)
    with _sentences():
        print(prompts.shown(settings, role))


def _settings(context: typer.Context) -> config.Settings:
    log.configure()
    try:
        settings = config.load(context.obj)
    except errors.SettingsError as exc:
        _give_up(exc, exc.exit_code)
    for remark in settings.remarks:
        print(f"hathi: warning: {sanitize.shown(remark)}", file=sys.stderr)
    log.configure(level=settings.log_level)
    return settings


def _run(work: Coroutine[Any, Any, None], *, loop: Callable[[], asyncio.AbstractEventLoop] | None = None) -> None:
    """Run to the end."""
    with _sentences(), asyncio.Runner(loop_factory=loop) as runner:
        runner.run(work)


@contextlib.contextmanager
def _sentences() -> Generator[None]:
    """What Hathi knows of ends it with one sentence on stderr, never a traceback."""
    try:
        yield
    except errors.SettingsError as exc:
        _give_up(exc, exc.exit_code)
    except errors.HathiError as exc:
        _give_up(exc, 1)
    except KeyboardInterrupt:
        raise SystemExit(130) from None
    except BrokenPipeError:
        # Whoever read our output has gone; Python would complain again when it flushes.
        sys.stdout = None
        raise SystemExit(0) from None


def _give_up(exc: Exception, code: int) -> NoReturn:
    # What it names may be a file that somebody else named.
    print(f"hathi: {sanitize.shown(str(exc))}", file=sys.stderr)
    raise SystemExit(code)


def main() -> None:
    """Run the command line."""
    # What is loaded stays to the end: looked over for garbage time and again, and once more at the end, it takes a
    # third of what a short command takes (measured).
    gc.set_threshold(LOADED_AT_ONCE)
    try:
        cli()
    finally:
        gc.freeze()


if __name__ == "__main__":
    main()
