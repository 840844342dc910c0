"""How far what is changed of everything in a space is, as it is told."""

from bot.store.reworks import Progress, ReworkKind
from bot.text.sanitize import counted


def told(progress: Progress) -> str:
    """One sentence, which names no room: who asks may not see it."""
    of = "" if progress.total is None else f" of {max(progress.done, progress.total):,}"
    if progress.kind is ReworkKind.ROOM:
        there = counted(progress.done, "memory")
        return f"A room is on its way into another: {there}{of} so far; all are found there."
    done = counted(progress.done, "text")
    return f"Indexed anew for {progress.latter}: {done}{of} so far; the others are found as before."
