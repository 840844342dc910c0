"""`hathi eval`: measures on labelled questions what recall finds, and what people are told, in a scratch database.

`corpus.jsonl` has a message a line (`conv, id, session, speaker, ts, text`), `queries.jsonl` a question
(`conv, qid, text, gold`); anything else in them, such as captions, is not read: a chat would not know it.
"""

import asyncio
import contextlib
import itertools
import json
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import AsyncGenerator, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final, TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError

from bot import app, config, errors
from bot.cli import curves, model_fetch
from bot.db import migrations, statements
from bot.db.pool import Database
from bot.domain import Caller, ChannelId, Layer, Message, MessageId, PersonId, Role, SessionId, SpaceId, new_id
from bot.infra import leases
from bot.infra.background import Background
from bot.language.past import detector
from bot.layers.chain import Chain, NamedSource
from bot.layers.memory_layers import PalaceLayer, RecallResults, VerbatimLayer
from bot.layers.walk import WalkQuestion
from bot.llm.embedder import Embedder
from bot.prompting.evidence import quotations
from bot.recall import ledger_search
from bot.recall.known_names import KnownNames
from bot.recall.librarian import Librarian
from bot.recall.query import Query
from bot.recall.search import TOLD, TOLD_UNASKED
from bot.store.spaces import Spaces
from bot.store.vectors.embeddings import Embeddings
from bot.store.vectors.indexer import Indexer
from bot.store.word_counts import WordSampler
from bot.text import lookalikes
from bot.text.sanitize import counted
from bot.turn import recall_answer

PATIENCE: Final = timedelta(seconds=30)
"""For the embedder: what is measured is the ranking, not how busy the machine is."""
RANKED: Final = 200
"""Places written for a question."""
FOUND_IN: Final = 10
"""Evidence among the first so many places is found."""
POINTS: Final = tuple(n / 100 for n in range(0, 101, 5))
"""Certainties at which silence is measured."""
VERDICTS: Final = ("evidence", "other", "silent")
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


class Question(BaseModel):
    """One labelled question."""

    model_config = ConfigDict(extra="ignore")

    conv: str
    qid: str
    text: str
    gold: list[str]
    """The messages that answer it; none where none does."""
    asker: str = ""
    """Who asks, where it is one of those who talk."""


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
    people: Mapping[tuple[str, str], PersonId]
    """Who talks, by conversation and name."""
    as_of: Mapping[str, datetime]
    sessions: Sequence[tuple[SpaceId, SessionId]]
    session_of: Mapping[MessageId, tuple[SpaceId, SessionId]]
    """Where each message was said."""

    def asker(self, question: Question) -> Caller:
        """Who asks it."""
        who = self.callers[question.conv]
        return replace(who, person_id=self.people.get((question.conv, question.asker), who.person_id))


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgedAnswer:
    """What a question is answered with."""

    question: Question
    quoted: tuple[str, ...]
    """The messages that are quoted, the best first."""
    certainty: float

    @property
    def verdict(self) -> str:
        """`evidence` where one of them answers it, else `other`; `silent` where none is quoted."""
        if not self.quoted:
            return "silent"
        return "other" if set(self.quoted).isdisjoint(self.question.gold) else "evidence"

    def as_json(self) -> str:
        """On one line."""
        line = {"qid": self.question.qid, "verdict": self.verdict, "quoted": self.quoted}
        return json.dumps(line | {"certainty": round(self.certainty, 3)})


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
    await check_embedder(settings, wanted=embedder)
    async with scratch(settings) as database:
        loaded = await load(database, data, one_space=one_space, language=settings.language)
        async with embedded(settings, database, wanted=embedder) as embeddings:
            librarian = Librarian(database, embeddings=embeddings)
            if output is not None:
                write(output, [line async for line in rank(librarian, loaded, data)])
            if abstain:
                sys.stdout.write((await silence(librarian, loaded, data)).as_json() + "\n")


def write(output: Path, lines: Sequence[Mapping[str, Any]]) -> None:
    """Write a ranking, a JSON line for each question."""
    with output.open("w", encoding="utf-8") as file:
        file.writelines(json.dumps(line) + "\n" for line in lines)
    sys.stderr.write(f"Ranked {counted(len(lines), 'question')} in {output}.\n")


async def check_embedder(settings: config.Settings, *, wanted: bool) -> None:
    """That there is one where it is wanted, with its files here."""
    if wanted and settings.roles.embedder is None:
        raise errors.SettingsError(
            f"roles.embedder: is missing, and --embedder needs it; give [roles.embedder] in {config.FILE_NAME}, or "
            "HATHI_ROLES__EMBEDDER__BASE_URL and HATHI_ROLES__EMBEDDER__MODEL, or HATHI_ROLES__EMBEDDER__LOCAL and "
            "HATHI_ROLES__EMBEDDER__PATH."
        )
    if wanted:
        await model_fetch.fetch(settings.roles.embedder)


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
    callers, as_of, people = dict[str, Caller](), dict[str, datetime](), dict[tuple[str, str], PersonId]()
    sessions, session_of = list[tuple[SpaceId, SessionId]](), dict[MessageId, tuple[SpaceId, SessionId]]()
    for number, messages in enumerate(spaces.values(), 1):
        space_id, conversations = SpaceId(number), [*dict.fromkeys(message.conv for message in messages)]
        channels = {conv: ChannelId(n) for n, conv in enumerate(conversations, 1)}
        named = {name: PersonId(n) for n, name in enumerate(dict.fromkeys(m.speaker for m in messages), 1)}
        people |= {(message.conv, message.speaker): named[message.speaker] for message in messages}
        numbered = {key: SessionId(n) for n, key in enumerate(dict.fromkeys((m.conv, m.session) for m in messages), 1)}
        sessions += [(space_id, session_id) for session_id in numbered.values()]
        session_of |= {ids[m.conv, m.id]: (space_id, numbered[m.conv, m.session]) for m in messages}
        await _fill(database, space_id, messages, channels, ids, named, numbered, language)
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
    if spaces:
        # As the hourly upkeep does.
        await WordSampler(database).look([SpaceId(n) for n in range(1, len(spaces) + 1)], now=max(as_of.values()))
    return Loaded(
        callers=callers,
        ids=ids,
        names={i: name for name, i in ids.items()},
        people=people,
        as_of=as_of,
        sessions=sessions,
        session_of=session_of,
    )


async def rank(librarian: Librarian, loaded: Loaded, data: Path) -> AsyncGenerator[dict[str, Any]]:
    """A line for each question: its id, and the messages of its conversation in the order recall gives them.

    A memory stands for what it rests on.
    """
    for question in questions(data, loaded):
        query = Query(text=question.text, as_of=loaded.as_of[question.conv], limit=RANKED, least=0.0)
        found = await librarian.recall(loaded.callers[question.conv], query)
        told = dict.fromkeys(key for result in found.results for key in ledger_search.sources(result))
        names = [loaded.names[key] for key in told]
        yield {"qid": question.qid, "ranked": [name for conv, name in names if conv == question.conv]}


async def answers(settings: config.Settings, data: Path, *, embedder: bool) -> None:
    """Print what each question is answered with, without a model: a JSON line each, and their shares on stderr.

    Raises `TransferError` and `SettingsError` for what is missing, `ModelError` and `EmbeddedServerError`.
    """
    await check_embedder(settings, wanted=embedder)
    count: Counter[str] = Counter()
    async with scratch(settings) as database:
        loaded = await load(database, data, one_space=False, language=settings.language)
        async with embedded(settings, database, wanted=embedder) as embeddings:
            async for answer in told(database, Librarian(database, embeddings=embeddings), loaded, data):
                count[answer.verdict] += bool(answer.question.gold)
                count["silent, rightly"] += not answer.question.gold and answer.verdict == "silent"
                sys.stdout.write(answer.as_json() + "\n")
            total = sum(count[verdict] for verdict in VERDICTS)
    shares = ", ".join(f"{verdict} {count[verdict] / (total or 1):.1%}" for verdict in VERDICTS)
    sys.stderr.write(f"Of {counted(total, 'question')} that can be answered: {shares}.\n")


async def curve(settings: config.Settings, data: Path, output: Path, *, embedder: bool) -> None:
    """Draw the share of questions answered against the share of answers that are right, as an SVG.

    Raises as `answers` does.
    """
    await check_embedder(settings, wanted=embedder)
    async with scratch(settings) as database:
        loaded = await load(database, data, one_space=False, language=settings.language)
        async with embedded(settings, database, wanted=embedder) as embeddings:
            librarian = Librarian(database, embeddings=embeddings)
            found = [answer async for answer in told(database, librarian, loaded, data, least=0.0)]
    judged = [(answer.certainty, answer.verdict == "evidence") for answer in found]
    drawn = curves.drawn(judged, marked=(TOLD, TOLD_UNASKED))
    await asyncio.to_thread(output.write_text, drawn, encoding="utf-8")
    sys.stderr.write(f"Drew {counted(len(found), 'question')} in {output}.\n")


async def told(
    database: Database, librarian: Librarian, loaded: Loaded, data: Path, *, least: float | None = None
) -> AsyncGenerator[JudgedAnswer]:
    """What each question is answered with, by the layers of memories and messages, as without a model."""
    remembered, background = RecallResults(librarian, least=least), Background()
    names = KnownNames(database, app.utc_now, background.spawn)
    walks = Chain(
        {
            Layer.PALACE: [NamedSource(name="memories", source=PalaceLayer(remembered))],
            Layer.ARTIFACTS: [NamedSource(name="messages", source=VerbatimLayer(remembered))],
        }
    )
    try:
        for question in questions(data, loaded):
            asker = loaded.asker(question)
            asked = detector.detect(question.text, await names.of(asker))
            asking = WalkQuestion(
                caller=asker,
                question=_message(asker, question, loaded.as_of[question.conv]),
                session_id=None,
                strictly=not recall_answer.is_of_the_past(asked, question.text),
            )
            walk = await walks.walk(asking)
            quoted = [one.message[1] for said in quotations(walk.evidence) for one in said if one.message is not None]
            found = await remembered.recall(asking)
            yield JudgedAnswer(
                question=question, quoted=tuple(loaded.names[key][1] for key in quoted), certainty=found.certainty
            )
    finally:
        await background.close()


def _message(asker: Caller, question: Question, at: datetime) -> Message:
    return Message(
        space_id=asker.space_id,
        channel_id=asker.channel_id,
        message_id=MessageId(new_id(at)),
        role=Role.PERSON,
        author_id=asker.person_id,
        author=asker.name,
        content=question.text,
        said_at=at,
    )


async def silence(librarian: Librarian, loaded: Loaded, data: Path) -> Silence:
    """How often recall is rightly silent: each question is asked as it is, and with its evidence taken out."""
    kept, gone = list[float](), list[float]()
    for question in questions(data, loaded):
        gold = [loaded.ids[question.conv, name] for name in question.gold if (question.conv, name) in loaded.ids]
        if not gold:
            continue
        caller = loaded.callers[question.conv]
        query = Query(text=question.text, as_of=loaded.as_of[question.conv], limit=FOUND_IN, least=0.0)
        there = await librarian.recall(caller, query)
        if not {message.message_id for message in there.messages}.isdisjoint(gold):
            kept.append(there.certainty)
        away = await librarian.recall(caller, replace(query, apart_from=tuple(gold)))
        gone.append(away.certainty)
    return Silence(
        threshold=TOLD,
        kept=_share(kept, TOLD),
        silenced=round(1 - _share(gone, TOLD), 4),
        points=tuple((at, _share(kept, at), round(1 - _share(gone, at), 4)) for at in POINTS),
    )


async def _fill(
    database: Database,
    space_id: SpaceId,
    messages: Sequence[_Said],
    channels: Mapping[str, ChannelId],
    ids: Mapping[tuple[str, str], MessageId],
    people: Mapping[str, PersonId],
    sessions: Mapping[tuple[str, str], SessionId],
    language: str,
) -> None:
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


def questions(data: Path, loaded: Loaded) -> Iterator[Question]:
    """The questions whose conversation is in the corpus."""
    return (question for question in _read(data / "queries.jsonl", Question) if question.conv in loaded.callers)


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
