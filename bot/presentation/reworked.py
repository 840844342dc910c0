"""How far what is changed of everything in a space is, as it is told."""

from bot.store.reworks import Progress, ReworkKind


def told(progress: Progress) -> str:
    """One sentence, which names no room: who asks may not see it."""
    of = "" if progress.total is None else f" of {max(progress.done, progress.total):,}"
    if progress.kind is ReworkKind.ROOM:
        return f"A room is on its way into another: {progress.done:,}{of} memories are there; all are found there."
    return f"{progress.done:,}{of} texts are indexed anew for {progress.latter}; the others are found as before."
