"""The laws of the log: constant events, facts as keys; never what people wrote, never a secret."""

import ast
import asyncio
import gc
import io
import json
import logging
import os
import re
from collections.abc import Generator
from pathlib import Path
from typing import Any, NoReturn

import pytest

from bot import errors, log
from bot.config import DatabaseSettings
from bot.db import pool
from bot.db.pool import Database
from tests import outages
from tests.conftest import Clock
from tests.conversations import roles, room
from tests.model_server import Cut, Garbage, ModelServer, Reply, Status

ROOT = Path(__file__).parents[2]
DOTTED = re.compile(r"[a-z_]+(\.[a-z_]+)+")
WORD = "canaryword"
"""Stands in everything a person or a model says here."""
KEY = "sk-canary-0123456789abcdef"
PASSWORD = "canary" + "password"
TOKEN = ".".join(["M" * 24, "Gcanar", "x" * 38])


@pytest.fixture
def lines() -> Generator[io.StringIO]:
    """Everything that is logged, as JSON lines of every level."""
    out = io.StringIO()
    log.configure(to=out, level="DEBUG", json=True)
    yield out
    log.configure(to=Path(os.devnull))


def told(lines: io.StringIO) -> list[dict[str, Any]]:
    return [json.loads(line) for line in lines.getvalue().splitlines()]


def clean(lines: io.StringIO) -> bool:
    return "canary" not in lines.getvalue().lower()


async def broken(what: str) -> NoReturn:
    raise ValueError(f"{WORD} {KEY} {what}")


# --- a whole conversation -------------------------------------------------------------------------------------------


async def test_nothing_of_a_conversation_reaches_the_log(database: Database, clock: Clock, lines: io.StringIO) -> None:
    """Chat, tools, commands, a reset with its summary and every kind of model fault: events, but no word and no key."""
    echo = {"error": {"message": f"you said {WORD} with {KEY}"}}
    save = ("memory_save", {"content": f"The {WORD} is 4417.", "topic": WORD})
    bad = ("memory_save", {"content": WORD, "importance": WORD})
    unknown = (WORD, {"content": WORD})
    fact = {"room": WORD, "topic": WORD, "content": f"{WORD} of a summary", "importance": 5, "evidence": [1]}
    steps = [
        Reply(text=f"I heard {WORD}."),
        Reply(calls=(save, bad, unknown, ("memory_recall", {"query": WORD}))),
        Reply(text=f"Saved {WORD}."),
        Status(status=401, body=echo),
        Status(status=400, body={"error": {"message": f"unknown parameter stream_options {WORD}"}}),
        Reply(text=WORD),
        Status(status=500, body=echo),
        Reply(text=WORD),
        Cut(text=f"half a {WORD}"),
        Reply(text=WORD),
        Cut(text=WORD, error_event=True),
        Garbage(body=WORD.encode()),
        Reply(text=WORD),
        Reply(text=json.dumps({"summary": WORD, "facts": [fact, fact | {"importance": WORD}]})),
        Reply(text=json.dumps({"summary": WORD, "facts": [fact, fact | {"evidence": [99]}]})),
    ]
    async with (
        ModelServer(*steps, always=Status(status=401, body=echo)) as server,
        room(database, clock, models=roles(server.base_url, api_key=KEY, timeout=3)) as r,
    ):
        for n in range(9):
            await r.say(f"{WORD} number {n}, and my key is {KEY}")
        await r.say(f"Remember that the {WORD} is 4417.")
        for line in ("!remember {} topic:{}", "!recall {}", "!memories {}", "!forget 1", "!undo", "!edit 1 new {}"):
            await r.run(line.replace("{}", WORD))
        for line in ("!remember {} importance:{}", "!{}", "!forget {}", "!remember \0{}"):
            with pytest.raises(errors.UserError):
                await r.run(line.replace("{}", WORD))
        await r.reset()
        await r.say(f"{WORD} once more")
        r.later.clear()
        assert "Not summarized yet" in await r.reset()
    events = [line["event"] for line in told(lines)]
    assert clean(lines)
    assert [e for e in told(lines) if e["logger"].startswith("bot.") and not DOTTED.fullmatch(e["event"])] == []
    assert {
        "turn.answered",
        "turn.model_failed",
        "model.retried",
        "model.adapted",
        "model.cut_off",
        "memory.saved",
        "memory.forgotten",
        "summary.made",
        "summary.facts_dropped",
        "summary.failed",
    } <= {*events}
    assert len(server.steps) == 0


async def test_one_line_a_turn_tells_its_ids_durations_and_counts(
    database: Database, clock: Clock, lines: io.StringIO
) -> None:
    """`turn.answered`, once."""
    async with (
        ModelServer(Reply(text="Hi.", details={"cached_tokens": 4})) as server,
        room(database, clock, models=roles(server.base_url)) as r,
    ):
        await r.say("Hello")
    (line,) = [line for line in told(lines) if line["event"] == "turn.answered"]
    kinds = ("model", "tokens_in", "tokens_out", "tokens_cached", "shown", "cut_off")
    assert tuple(line[kind] for kind in kinds) == ("scripted", 11, 7, 4, 0, False)
    assert {"turn_id", "durations", "trail", "timestamp", "level", "logger"} <= {*line}


# --- errors ---------------------------------------------------------------------------------------------------------


async def test_an_error_is_told_by_its_class_and_places_alone(
    database: Database, clock: Clock, lines: io.StringIO, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of background work, of jobs and of a statement Postgres refused: no argument, local or detail."""
    async with room(database, clock) as r:
        await r.say(f"We decided to use {WORD}.")
        async with database.connection() as connection:
            await connection.execute("ALTER TABLE memory ADD CONSTRAINT none CHECK (content !~ 'canary')")
        await r.reset()
        r.app.background.spawn(broken(WORD))
        await r.app.background.settled(5)
        monkeypatch.setattr(r.app.spaces, "claim_due", lambda **_: broken(WORD))
        await r.app.schedule.start("upkeep", r.app.schedule.upkeep)
        await r.app.background.settled(5)
    assert clean(lines)
    broke = {line["event"]: line["exception"] for line in told(lines) if "exception" in line}
    assert {event: trace[0]["type"] for event, trace in broke.items()} == {
        "summary.broke": "CheckViolationError",
        "background.failed": "ValueError",
        "job.failed": "ValueError",
    }
    parts = [part for trace in broke.values() for part in trace]
    assert {frozenset(part) for part in parts} == {frozenset({"type", "frames"})}
    assert all(re.fullmatch(r"\S+:\d+ \S+", frame) for part in parts for frame in part["frames"])


async def test_a_database_that_is_away_is_told_without_its_password(dsn: str, clock: Clock, lines: io.StringIO) -> None:
    """Neither in the log nor in the sentence a person reads."""
    with pytest.raises(errors.DatabaseError) as caught:
        async with pool.opened(f"postgresql://ann:{PASSWORD}@127.0.0.1:1/hathi", DatabaseSettings()):
            pass
    logger = log.logger("test")
    logger.error("test.failed", exc_info=caught.value, url=f"postgresql://ann:{PASSWORD}@h/d", at=str(caught.value))
    logger.error("test.told", where=[{"dsn": f"postgresql://ann:{PASSWORD}@h/d"}])
    async with outages.frail(dsn) as (database, wire), room(database, clock) as r:
        await wire.cut()
        with pytest.raises(errors.DatabaseDown):
            await r.run(f"!remember {WORD}")
        await r.app.schedule.start("upkeep", r.app.schedule.upkeep)
        await r.app.background.settled(10)
    assert clean(lines)
    assert PASSWORD not in str(caught.value)
    assert "job.database_down" in {line["event"] for line in told(lines)}


async def test_what_a_library_says_is_told_without_its_values(lines: io.StringIO) -> None:
    """Its template, its class of error; not what it filled in, and not what asyncio says of a task that was lost."""
    lines.truncate(lines.seek(0))
    library = logging.getLogger("some.library")
    library.warning("request %s failed with %s", WORD, {"key": KEY})
    library.error("could not read", exc_info=ValueError(WORD))
    library.error("Bad answer: {'content': '%s'}".replace("%s", WORD))  # noqa: G004, RUF100
    library.error("It can't be '%s'".replace("%s", WORD))  # noqa: G004, RUF100
    task = asyncio.create_task(broken(WORD), name=WORD)
    await asyncio.wait([task])
    asyncio.get_running_loop().call_soon(_explode, WORD)
    await asyncio.sleep(0)
    del task
    gc.collect()
    await asyncio.sleep(0)
    assert clean(lines)
    events = [line["event"] for line in told(lines)]
    assert events[:4] == ["request %s failed with %s", "could not read", "Bad answer", "It can't be"]
    assert "Task exception was never retrieved" in events
    assert any(event.startswith("Exception in callback") for event in events)


def _explode(word: str) -> NoReturn:
    raise ValueError(word)


# --- redaction ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "secret",
    [
        KEY,
        "sk-ant-api03-canary0123456789",
        "sk-or-v1-canary0123456789",
        "gsk_canary0123456789abcdef",
        "hf_canary0123456789abcdef",
        "xai-canary0123456789",
        "pplx-canary0123456789",
        "nvapi-canary0123456789",
        "AIza" + "canary0123456789abcdef",
        f"Bearer {PASSWORD}+/=",
        TOKEN,
        f"postgresql://ann:{PASSWORD}@db.example/hathi",
        f"https://:{PASSWORD}@proxy.example/",
    ],
)
def test_a_secret_is_dropped_wherever_it_stands(lines: io.StringIO, secret: str) -> None:
    """In a value, inside a sentence, in lists and dicts at any depth, in a bound context."""
    logger = log.logger("test").bind(bound=f"with {secret}.")
    logger.info("test.told", a=secret, b=f"it is {secret}, see", c=[{"d": (secret, {"e": secret})}])
    assert clean(lines)
    assert "[dropped]" in lines.getvalue()


@pytest.mark.parametrize("key", ["content", "text", "query", "prompt", "password", "token", "api_key", "arguments"])
def test_a_key_that_holds_what_people_write_is_dropped(lines: io.StringIO, key: str) -> None:
    """Whatever its value, also inside a dict."""
    log.logger("test").info("test.told", deeper={key: [WORD]}, **{key: WORD})
    assert clean(lines)


def test_facts_stay_as_they_are(lines: io.StringIO) -> None:
    """Ids, counts, durations, hosts and names of classes are what the log is for."""
    facts = {
        "turn_id": 1477998918240711954,
        "seconds": 0.25,
        "host": "api.example.com:8080",
        "error": "KeyError",
        "worker": "host:1a2b3c4d:4026531836/17/1234",
        "at": "2026-03-02T12:00:00Z",
    }
    log.logger("test").info("test.told", **facts)
    (line,) = told(lines)
    assert {key: line[key] for key in facts} == facts


def test_a_log_file_is_its_owners_alone(tmp_path: Path) -> None:
    """Made with mode 600, appended to, one JSON object a line."""
    path = tmp_path / "hathi.log"
    for event in ("test.one", "test.two"):
        log.configure(to=path)
        log.logger("test").info(event)
    log.configure(to=Path(os.devnull))
    assert path.stat().st_mode & 0o777 == 0o600
    assert [json.loads(line)["event"] for line in path.read_text().splitlines()] == ["test.one", "test.two"]


def _calls() -> list[tuple[str, ast.Call]]:
    return [
        (f"{path.relative_to(ROOT)}:{node.lineno}", node)
        for path in [*ROOT.glob("bot/**/*.py"), *ROOT.glob("cogs/**/*.py")]
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and isinstance(node.func.value, ast.Name)
        and node.func.value.id == "_log"
    ]


def test_every_event_is_a_constant_dotted_name() -> None:
    """No text is ever built for the log, and no key is used that would be dropped."""
    calls = _calls()
    assert len(calls) > 15

    def wrong(call: ast.Call) -> bool:
        (event, *others) = call.args
        keys = {keyword.arg for keyword in call.keywords}
        named = isinstance(event, ast.Constant) and isinstance(event.value, str) and DOTTED.fullmatch(event.value)
        return not named or bool(others) or bool(keys & (log.SILENT_KEYS | {None}))

    assert [place for place, call in calls if wrong(call)] == []
