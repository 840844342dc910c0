"""Renders what a retriever gave: a line for each passage, with who said it and when; pure."""

from bot import catalogue
from bot.domain import What
from bot.presentation import render
from bot.recall.retrievers.retrieval import NOTHING, Retrieval, Retrieved
from bot.text import sanitize
from bot.text.sanitize import counted


def told(found: Retrieval, zone: str) -> str:
    """A retrieval for a model: a line each, and what was not done as asked; or that there is nothing."""
    lines = [f"- {line(passage, zone)}" for passage in found.passages] or [f"{NOTHING}."]
    if found.left_out:
        lines.append(f"({counted(found.left_out, 'more passage')} left out.)")
    return "\n".join([*lines, *found.notes])


def line(passage: Retrieved, zone: str) -> str:
    """A passage on one line."""
    return f"{head(passage, zone)}: {' '.join(sanitize.shown(passage.text).split())}"


def head(passage: Retrieved, zone: str) -> str:
    """Who said it, and when; of summed-up talk of what while it tells."""
    through = render.time(passage.through_at, zone)
    if passage.memory is not None:
        memory = passage.memory
        who = sanitize.name(memory.speaker) if memory.speaker else sanitize.SOMEONE
        return f"{_does(passage)}#{memory.memory_id} ({who}, {through})"
    if passage.message is not None:
        return f"{_does(passage)}{sanitize.name(passage.message.speaker)} ({through})"
    if passage.since_at is None or (passage.entry is not None and passage.entry.summary_id is not None):
        return catalogue.gettext("In all, until {time}").format(time=through)
    told = catalogue.gettext("From {since} to {until}")
    return told.format(since=render.time(passage.since_at, zone), until=through)


def _does(passage: Retrieved) -> str:
    return "" if passage.what is What.SAID else f"{passage.what.value}: "
