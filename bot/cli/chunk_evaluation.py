"""`hathi eval recall --chunks`: measures what chunks beside messages give a recall, in a scratch database."""

import json
import sys
from collections.abc import Hashable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from pathlib import Path
from typing import Any, Final

from bot import app, config
from bot.app import App
from bot.cli import evaluation, memory_evaluation
from bot.cli.evaluation import FOUND_IN, Loaded
from bot.db.pool import Database
from bot.recall.librarian import Librarian
from bot.store import chunks

SESSIONS: Final = 5
"""Sessions with evidence among the first so many are found."""


async def run(settings: config.Settings, data: Path, output: Path | None, *, one_space: bool, embedder: bool) -> None:
    """Print, a JSON line each for messages alone and with chunks beside them, how much of the evidence is found.

    Chunks and their facts are made by rule; the ranking beside them is written to `output`. Raises as
    `evaluation.run` does.
    """
    await evaluation.check_embedder(settings, wanted=embedder)
    async with evaluation.scratch(settings) as database:
        loaded = await evaluation.load(database, data, one_space=one_space, language=settings.language)
        alone = await _ranked(settings, database, loaded, data, embedder=embedder)
        _print("messages", shares(alone, data, loaded))
        async with app.opened(settings, database, announce=memory_evaluation.nobody, alone=True) as opened:
            await make(opened, loaded)
        lines = await _ranked(settings, database, loaded, data, embedder=embedder)
        _print("messages and chunks", shares(lines, data, loaded))
    if output is not None:
        evaluation.write(output, lines)


async def make(opened: App, loaded: Loaded) -> None:
    """Makes chunks and facts of everything loaded, by rule."""
    async for space_id, session_id, chunk in memory_evaluation.cut(opened, loaded):
        distilled = await opened.creator.distiller.distil(space_id, session_id, chunk, by_rule=True)
        channel_id, now = chunk[0].channel_id, chunk[-1].said_at
        async with opened.database.transaction() as connection:
            await chunks.add_in(connection, opened.archivist, space_id, channel_id, session_id, distilled, now=now)


def shares(lines: Sequence[Mapping[str, Any]], data: Path, loaded: Loaded) -> dict[str, Any]:
    """Of the evidence of a question, and of the sessions it was said in, what is among the first; on average.

    Sessions stand in the order of their best message.
    """
    ranked = {line["qid"]: line["ranked"] for line in lines}
    messages, sessions = list[float](), list[float]()
    for question in evaluation.questions(data, loaded):
        gold = {loaded.ids[key] for name in question.gold if (key := (question.conv, name)) in loaded.ids}
        if gold:
            found = [loaded.ids[question.conv, name] for name in ranked[question.qid]]
            messages.append(_share(found, gold, FOUND_IN))
            said_in = [loaded.session_of[key] for key in found]
            sessions.append(_share(said_in, {loaded.session_of[key] for key in gold}, SESSIONS))
    return {"questions": len(messages), f"R@{FOUND_IN}": _mean(messages), f"session R@{SESSIONS}": _mean(sessions)}


async def _ranked(
    settings: config.Settings, database: Database, loaded: Loaded, data: Path, *, embedder: bool
) -> list[dict[str, Any]]:
    async with evaluation.embedded(settings, database, wanted=embedder) as embeddings:
        return [line async for line in evaluation.rank(Librarian(database, embeddings=embeddings), loaded, data)]


def _share(places: Sequence[Hashable], gold: AbstractSet[Hashable], first: int) -> float:
    return len(gold & {*[*dict.fromkeys(places)][:first]}) / len(gold)


def _mean(found: Sequence[float]) -> float:
    return round(100 * sum(found) / (len(found) or 1), 2)


def _print(ranked: str, figures: Mapping[str, Any]) -> None:
    sys.stdout.write(json.dumps({"ranked": ranked, **figures}) + "\n")
