"""`hathi eval memory`: measures how much of what labelled questions ask for survives, in a scratch database."""

import asyncio
import json
import re
import sys
from collections.abc import AsyncGenerator, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from bot import app, config
from bot.app import App
from bot.cli import evaluation
from bot.cli.evaluation import Loaded
from bot.domain import Message, MessageId, SessionId, SpaceId
from bot.lifecycle import seams
from bot.lifecycle.retelling import names_and_numbers
from bot.lifecycle.summaries import SummaryDone

_WORD: Final = re.compile(r"[^\W_]{2,40}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Survived:
    """What is left of one message that answers a question, in what its chunk came to."""

    in_ledger: bool
    """Whether all its names, numbers and dates are in the ledger's text."""
    in_facts: bool
    """Or in the facts."""
    in_both: bool
    """Or in the two together, and so in the summary that is made of them."""


async def run(settings: config.Settings, data: Path) -> None:
    """Print, a JSON line each for memory made by rule and, where there is a summarizer, by model, what survives.

    Of the messages that answer a question and hold a name, a number or a date, the shares of which all of these are in
    the ledger, in facts, or in either. Raises `TransferError`, `ModelError` and `EmbeddedServerError`.
    """
    async with evaluation.scratch(settings) as database:
        loaded = await evaluation.load(database, data, one_space=False, language=settings.language)
        wanted = set(_evidence(data, loaded))
        async with app.opened(settings, database, announce=nobody, alone=True) as opened:
            is_there = opened.creator.distiller.summarizer.is_there
            for by in ("rule", "model") if is_there else ("rule",):
                found = await _survived(opened, loaded, wanted, by_rule=by == "rule")
                sys.stdout.write(json.dumps({"by": by} | shares(found, of=len(wanted))) + "\n")


def shares(found: list[Survived], *, of: int) -> dict[str, Any]:
    """The shares of the messages that hold a name, a number or a date, and how many those are of how many."""
    total = len(found) or 1
    return {
        "evidence": of,
        "telling": len(found),
        "ledger": round(sum(one.in_ledger for one in found) / total, 4),
        "facts": round(sum(one.in_facts for one in found) / total, 4),
        "either": round(sum(one.in_both for one in found) / total, 4),
    }


def survived(said: str, ledger: str, facts: str) -> Survived | None:
    """How a message survives; none where it holds no name, number or date."""
    telling = names_and_numbers(said)
    if not telling:
        return None
    text, stated = _words(ledger), _words(facts)
    return Survived(in_ledger=telling <= text, in_facts=telling <= stated, in_both=telling <= text | stated)


async def cut(opened: App, loaded: Loaded) -> AsyncGenerator[tuple[SpaceId, SessionId, list[Message]]]:
    """The messages of each session as they are cut into chunks."""
    sizes = opened.settings.memory.chunks
    for space_id, session_id in loaded.sessions:
        messages, _ = await opened.creator.distiller.read(space_id, session_id)
        for chunk in seams.cut(messages, most=sizes.messages, most_tokens=sizes.tokens):
            yield space_id, session_id, chunk


async def _survived(opened: App, loaded: Loaded, wanted: set[MessageId], *, by_rule: bool) -> list[Survived]:
    found = list[Survived]()
    async for space_id, session_id, chunk in cut(opened, loaded):
        found += await _of_chunk(opened, space_id, session_id, chunk, wanted, by_rule=by_rule)
    return found


async def _of_chunk(
    opened: App,
    space_id: SpaceId,
    session_id: SessionId,
    chunk: list[Message],
    wanted: set[MessageId],
    *,
    by_rule: bool,
) -> list[Survived]:
    asked = [message.content for message in chunk if message.message_id in wanted]
    if not asked:
        return []
    made = await opened.creator.distiller.distil(space_id, session_id, chunk, by_rule=by_rule, is_asked=True)
    facts = "\n".join(fact.content for fact in made.facts)
    judged = await asyncio.to_thread(lambda: [survived(said, made.text, facts) for said in asked])
    return [one for one in judged if one is not None]


def _evidence(data: Path, loaded: Loaded) -> Iterator[MessageId]:
    for question in evaluation.questions(data, loaded):
        for name in question.gold:
            if (question.conv, name) in loaded.ids:
                yield loaded.ids[question.conv, name]


def _words(text: str) -> set[str]:
    return {word.lower() for word in _WORD.findall(text)}


async def nobody(_: SummaryDone) -> None:
    """Nobody is told."""
