"""`hathi demo`: a made-up community of five months, in a temporary database, to talk about.

It lies in a temporary data directory with a server of its own, so nothing of the user's is read or touched;
`DATABASE_URL` plays no part. The models of the settings do: with one connected, it answers.
"""

import contextlib
import json
import tempfile
from collections.abc import AsyncGenerator, Iterator
from datetime import date, datetime, timedelta
from importlib import resources
from pathlib import Path
from typing import Any, Final

from bot import app, config, errors, log, transfer
from bot.cli import terminal
from bot.db import migrations

QUESTIONS: Final = (
    "What did we decide about the membership fee?",
    "When did we say the open day is?",
    "Who did we give the spare key to?",
    "What did Priya say about firing glazed bowls?",
    "What did we say about the ferry timetable?",
)
"""What memory can answer without a model; a test holds each to its answer."""
_WELCOME: Final = """\
This is the Old Ferry House, a workshop that Maren, Tomas, Priya, Jun and Ruth share; all of it is made up.
They met four times in five months, last yesterday, and Hathi was there. Ask, for example:

{questions}

!memories lists what is remembered, !sessions what each evening was about. Nothing here touches your own memories,
and all of it is gone when you leave."""


async def run(settings: config.Settings, ask: Path | None = None) -> None:
    """Talk to Hathi about the community until the end of input, or have it answer a file's lines and no more.

    Raises `EmbeddedServerError` when the database of the demo can't be started, `TransferError` when the file can't be
    read.
    """
    given = None if ask is None else _questions(ask)
    # Not TMPDIR: as root the server runs as another user, who can reach /tmp but maybe not that.
    with tempfile.TemporaryDirectory(prefix="hathi-demo-", dir="/tmp", ignore_cleanup_errors=True) as folder:
        # The folder itself, and not one in it: only what is private and root's own is opened to the server's user.
        scratch = _scratch(settings, Path(folder))
        if log.on_screen():
            log.configure(to=Path(folder) / "hathi.log", level=scratch.log_level)

        @contextlib.asynccontextmanager
        async def opened(screen: terminal.Screen) -> AsyncGenerator[app.App]:
            async with app.database(scratch, own=True) as database:
                await migrations.migrate(database)
                community = Path(folder) / "community.jsonl"
                community.write_text("".join(lines(app.utc_now().date())), encoding="utf-8")
                await transfer.import_from(database, community, language=scratch.language)
                async with app.opened(
                    scratch, database, announce=lambda done: terminal.announce_summary(screen, done), alone=True
                ) as opened_app:
                    if given is None:
                        screen.line(_WELCOME.format(questions="\n".join(f"    {q}" for q in QUESTIONS)))
                    yield opened_app

        await terminal.chat(opened, config.login_name(), given)


def _questions(file: Path) -> list[str]:
    """The lines of a file. Raises `TransferError` where it can't be read."""
    try:
        return file.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as exc:
        raise errors.TransferError(f"{file} can't be read: {exc}.") from exc


def lines(today: date) -> Iterator[str]:
    """The community as the lines of an export, moved by whole days so that its newest talk was yesterday.

    It is at home where this machine is.
    """
    text = (resources.files("bot") / "defaults" / "demo.jsonl").read_text(encoding="utf-8")
    rows: list[dict[str, Any]] = [json.loads(line) for line in text.splitlines()]
    newest = max(datetime.fromisoformat(row["said_at"]) for row in rows if row.get("kind") == "message")
    for row in rows:
        if row.get("kind") == "space":
            row["time_zone"] = config.machine_time_zone()
    by = today - timedelta(days=1) - newest.date()
    return (json.dumps(_moved(row, by), ensure_ascii=False) + "\n" for row in rows)


def _scratch(settings: config.Settings, data_dir: Path) -> config.Settings:
    """The settings with a place of their own; months of talk are kept, however short the user keeps theirs."""
    kept = settings.messages.model_copy(update={"keep_days": 0})
    return settings.model_copy(update={"data_dir": data_dir, "database_url": None, "messages": kept})


def _moved(row: dict[str, Any], by: timedelta) -> dict[str, Any]:
    return {key: _later(key, value, by) for key, value in row.items()}


def _later(key: str, value: Any, by: timedelta) -> Any:
    match value:
        case dict():
            return _moved(value, by)
        case str() if key == "at" or key.endswith("_at"):
            return (datetime.fromisoformat(value) + by).isoformat()
        case _:
            return value
