"""How far what is changed of everything in a space is, as it is told."""

from bot import catalogue
from bot.store.reworks import Progress, ReworkKind
from bot.text import amounts


def told(progress: Progress) -> str:
    """One sentence, which names no room: who asks may not see it."""
    total = None if progress.total is None else amounts.number(max(progress.done, progress.total))
    if progress.kind is ReworkKind.ROOM:
        told = (
            catalogue.gettext("A room is on its way into another: {memories} so far; all are found there.")
            if total is None
            else catalogue.gettext(
                "A room is on its way into another: {memories} of {total} so far; all are found there."
            )
        )
        return told.format(memories=amounts.memories(progress.done), total=total)
    told = (
        catalogue.gettext("Indexed anew for {language}: {texts} so far; the others are found as before.")
        if total is None
        else catalogue.gettext(
            "Indexed anew for {language}: {texts} of {total} so far; the others are found as before."
        )
    )
    return told.format(language=progress.latter, texts=amounts.texts(progress.done), total=total)
