"""`hathi eval recall`: measures how well `!recall` finds labelled evidence, in a scratch database.

`corpus.jsonl` has a message a line (`conv, id, session, speaker, ts, text`), `queries.jsonl` a question
(`conv, qid, text, gold`); anything else in them, such as captions, is not read: a chat would not know it.
"""

import contextlib
import itertools
import json
import sys
import tempfile
from collections import defaultdict
from collections.abc import AsyncGenerator, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final, TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError

from bot import app, config, errors
from bot.db import migrations, statements
from bot.db.pool import Database
from bot.domain import Caller, ChannelId, MessageId, PersonId, SpaceId
from bot.infra import leases
from bot.llm.embedder import Embedder
from bot.recall.librarian import Librarian
from bot.recall.query import Query
from bot.recall.search import LEAST, LEAST_WITH_MEANING
from bot.store.spaces import Spaces
from bot.store.vectors.embeddings import Embeddings
from bot.store.vectors.indexer import Indexer
from bot.text import lookalikes
from bot.text.sanitize import counted

PATIENCE: Final = timedelta(seconds=30)
"""For the embedder: what is measured is the ranking, not how busy the machine is."""
RANKED: Final = 200
"""Places written for a question."""
FOUND_IN: Final = 10
"""Evidence among the first so many places is found."""
POINTS: Final = tuple(n / 100 for n in range(0, 101, 5))
"""Certainties at which silence is measured."""
_ASKER: Final = PersonId(2**40)
_BATCH: Final = 5000


class _Said(BaseModel):
    model_config = ConfigDict(extra="ignore")

    conv: str
    id: str
    session: str
    speaker: str
    ts: float
    text: str


class _Question(BaseModel):
    model_config = ConfigDict(extra="ignore")

    conv: str
    qid: str
    text: str
    gold: list[str]


_Line = TypeVar("_Line", bound=BaseModel)


class Sql:
    """The statements that fill a scratch database: those of an import."""

    space: Final = statements.named("transfer.import_space")
    channels: Final = statements.named("transfer.import_channels")
    members: Final = statements.named("transfer.import_members")
    sessions: Final = statements.named("transfer.import_sessions")
    messages: Final = statements.named("transfer.import_messages")


@dataclass(frozen=True, slots=True, kw_only=True)
class Loaded:
    """A corpus loaded into the database."""

    callers: Mapping[str, Caller]
    """Who asks about a conversation."""
    ids: Mapping[tuple[str, str], MessageId]
    names: Mapping[MessageId, tuple[str, str]]
    as_of: Mapping[str, datetime]


@dataclass(frozen=True, slots=True, kw_only=True)
class Silence:
    """How well recall's certainty separates questions with evidence from those without."""

    threshold: float
    kept: float
    """Of the questions whose evidence is found, the share that is still answered."""
    silenced: float
    """Of the questions whose evidence was taken out, the share that is not."""
    points: tuple[tuple[float, float, float], ...]
    """The same at other thresholds: threshold, kept, silenced."""

    def as_json(self) -> str:
        """On one line."""
        points = [dict(zip(("threshold", "kept", "silenced"), point, strict=True)) for point in self.points]
        return json.dumps({"threshold": self.threshold, "kept": self.kept, "silenced": self.silenced, "points": points})


async def run(
    settings: config.Settings, data: Path, output: Path | None, *, one_space: bool, abstain: bool, embedder: bool
) -> None:
    """Load, rank and write what was asked for.

    Raises `TransferError` and `SettingsError` for what is missing, `ModelError` and `EmbeddedServerError`.
    """
    if output is None and not abstain:
        raise errors.TransferError("Name a file with --run, or ask for --abstain.")
    if embedder and settings.roles.embedder is None:
        raise errors.SettingsError(
            f"roles.embedder: is missing, and --embedder needs it; give [roles.embedder] in {config.FILE_NAME}, or "
            "HATHI_ROLES__EMBEDDER__BASE_URL and HATHI_ROLES__EMBEDDER__MODEL."
        )
    async with scratch(settings) as database:
        loaded = await load(database, data, one_space=one_space, language=settings.language)
        async with embedded(settings, database, wanted=embedder) as embeddings:
            librarian = Librarian(database, embeddings=embeddings)
            if output is not None:
                count = 0
                with output.open("w", encoding="utf-8") as file:
                    async for line in rank(librarian, loaded, data):
                        file.write(json.dumps(line) + "\n")
                        count += 1
                sys.stderr.write(f"Ranked {counted(count, 'question')} in {output}.\n")
            if abstain:
                sys.stdout.write((await silence(librarian, loaded, data)).as_json() + "\n")


@contextlib.asynccontextmanager
async def embedded(settings: config.Settings, database: Database, *, wanted: bool) -> AsyncGenerator[Embeddings | None]:
    """The vectors of everything loaded, if wanted. Raises `ModelError` when they can't be made."""
    if not wanted or settings.roles.embedder is None:
        yield None
        return
    embedder = Embedder(settings.roles.embedder)
    try:
        indexer = Indexer(database, embedder, Spaces(database), leases.this_worker(), app.utc_now)
        while await indexer.run():
            pass
        if indexer.table is None:
            raise errors.ModelError(f"The vectors can't be made: {indexer.trouble}.")
        yield Embeddings(database, embedder, indexer, app.utc_now, patience=PATIENCE)
    finally:
        await embedder.aclose()


@contextlib.asynccontextmanager
async def scratch(settings: config.Settings) -> AsyncGenerator[Database]:
    """An empty database of its own, gone with the block. Raises `EmbeddedServerError`."""
    # Not TMPDIR: as root the server runs as another user, who can reach /tmp but maybe not that.
    with tempfile.TemporaryDirectory(prefix="hathi-eval-", dir="/tmp", ignore_cleanup_errors=True) as folder:
        alone = settings.model_copy(update={"data_dir": Path(folder), "database_url": None})
        async with app.database(alone, own=True) as database:
            await migrations.migrate(database)
            yield database


async def load(database: Database, data: Path, *, one_space: bool, language: str) -> Loaded:
    """Fill an empty database with a corpus: each conversation a space, or a channel of one.

    Raises `TransferError` with the file and line that can't be read.
    """
    said = [*_read(data / "corpus.jsonl", _Said)]
    spaces: dict[str, list[_Said]] = defaultdict(list)
    for message in said:
        spaces["" if one_space else message.conv].append(message)
    ids = {(message.conv, message.id): MessageId(n) for n, message in enumerate(said, 1)}
    callers, as_of = dict[str, Caller](), dict[str, datetime]()
    for number, messages in enumerate(spaces.values(), 1):
        space_id, conversations = SpaceId(number), [*dict.fromkeys(message.conv for message in messages)]
        channels = {conv: ChannelId(n) for n, conv in enumerate(conversations, 1)}
        await _fill(database, space_id, messages, channels, ids, language)
        for conv in conversations:
            callers[conv] = Caller(
                space_id=space_id,
                channel_id=channels[conv],
                person_id=_ASKER,
                name="asker",
                is_admin=False,
                visible=tuple(channels.values()),
                language=language,
            )
            as_of[conv] = max(_at(message) for message in messages) + timedelta(days=1)
    async with database.connection() as connection:
        await connection.execute("ANALYZE")
    return Loaded(callers=callers, ids=ids, names={i: name for name, i in ids.items()}, as_of=as_of)


async def rank(librarian: Librarian, loaded: Loaded, data: Path) -> AsyncGenerator[dict[str, Any]]:
    """A line for each question: its id, and the messages of its conversation in the order recall gives them."""
    for question in _questions(data, loaded):
        query = Query(text=question.text, as_of=loaded.as_of[question.conv], limit=RANKED, least=0.0)
        found = await librarian.recall(loaded.callers[question.conv], query)
        names = [loaded.names[message.message_id] for message in found.messages]
        yield {"qid": question.qid, "ranked": [name for conv, name in names if conv == question.conv]}


async def silence(librarian: Librarian, loaded: Loaded, data: Path) -> Silence:
    """How often recall is rightly silent: each question is asked as it is, and with its evidence taken out."""
    kept, gone, threshold = list[float](), list[float](), LEAST
    for question in _questions(data, loaded):
        gold = [loaded.ids[question.conv, name] for name in question.gold if (question.conv, name) in loaded.ids]
        if not gold:
            continue
        caller = loaded.callers[question.conv]
        query = Query(text=question.text, as_of=loaded.as_of[question.conv], limit=FOUND_IN, least=0.0)
        there = await librarian.recall(caller, query)
        if not {message.message_id for message in there.messages}.isdisjoint(gold):
            kept.append(there.certainty)
        threshold = LEAST_WITH_MEANING if there.compared_meaning else LEAST
        away = await librarian.recall(caller, replace(query, apart_from=tuple(gold)))
        gone.append(away.certainty)
    return Silence(
        threshold=threshold,
        kept=_share(kept, threshold),
        silenced=round(1 - _share(gone, threshold), 4),
        points=tuple((at, _share(kept, at), round(1 - _share(gone, at), 4)) for at in POINTS),
    )


async def _fill(
    database: Database,
    space_id: SpaceId,
    messages: Sequence[_Said],
    channels: Mapping[str, ChannelId],
    ids: Mapping[tuple[str, str], MessageId],
    language: str,
) -> None:
    people = {name: PersonId(n) for n, name in enumerate(dict.fromkeys(m.speaker for m in messages), 1)}
    sessions = {key: n for n, key in enumerate(dict.fromkeys((m.conv, m.session) for m in messages), 1)}
    numbers: dict[str, Iterator[int]] = defaultdict(lambda: itertools.count(1))
    began = min(_at(message) for message in messages).isoformat()
    async with database.transaction() as connection:
        await connection.execute(
            Sql.space,
            space_id,
            [
                {
                    "language": language,
                    "time_zone": "UTC",
                    "prefix": "!",
                    "settings": {},
                    "memory_count": 0,
                    "created_at": began,
                }
            ],
        )
        await connection.execute(
            Sql.channels,
            space_id,
            [
                {"channel_id": channel_id, "name": conv, "mode": "all", "session_count": 0, "created_at": began}
                for conv, channel_id in channels.items()
            ],
        )
        await connection.execute(
            Sql.members,
            space_id,
            [
                {
                    "person_id": person_id,
                    "name": name,
                    "likeness": lookalikes.likeness(name),
                    "first_seen_at": began,
                    "last_seen_at": began,
                }
                for name, person_id in people.items()
            ],
        )
        await connection.execute(
            Sql.sessions,
            space_id,
            [
                {
                    "session_id": session_id,
                    "channel_id": channels[conv],
                    "number": next(numbers[conv]),
                    "state": "summarised",
                    "opened_at": began,
                    "closed_at": began,
                    "message_count": 0,
                    "fact_count": 0,
                    "attempts": 0,
                }
                for (conv, _), session_id in sessions.items()
            ],
        )
        records = [
            {
                "message_id": ids[m.conv, m.id],
                "channel_id": channels[m.conv],
                "session_id": sessions[m.conv, m.session],
                "role": "person",
                "author_id": people[m.speaker],
                "author": m.speaker,
                "content": m.text,
                "cut_off": False,
                "said_at": _at(m).isoformat(),
            }
            for m in messages
            if m.text.strip()
        ]
        for batch in _batched(records):
            await connection.execute(Sql.messages, space_id, language, batch)


def _questions(data: Path, loaded: Loaded) -> Iterator[_Question]:
    """The questions whose conversation is in the corpus."""
    return (question for question in _read(data / "queries.jsonl", _Question) if question.conv in loaded.callers)


def _read(file: Path, shape: type[_Line]) -> Iterator[_Line]:
    try:
        with file.open(encoding="utf-8") as lines:
            for number, line in enumerate(lines, 1):
                if line.strip():
                    yield _checked(shape, line, f"{file}, line {number}")
    except (OSError, UnicodeDecodeError) as exc:
        raise errors.TransferError(f"{file} can't be read: {exc}; --data names a folder with it.") from exc


def _checked(shape: type[_Line], line: str, place: str) -> _Line:
    try:
        return shape.model_validate_json(line)
    except ValidationError as exc:
        first = exc.errors(include_url=False, include_input=False)[0]
        where = ".".join(str(part) for part in first["loc"]) or "the line"
        raise errors.TransferError(f"{place}: {where}: {first['msg']}.") from None


def _at(message: _Said) -> datetime:
    return datetime.fromtimestamp(message.ts, UTC)


def _batched(records: Sequence[Any]) -> Iterator[Sequence[Any]]:
    return (records[at : at + _BATCH] for at in range(0, len(records), _BATCH))


def _share(certainties: Sequence[float], threshold: float) -> float:
    return round(sum(c >= threshold for c in certainties) / len(certainties), 4) if certainties else 0.0
