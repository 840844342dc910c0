"""What people are told where a model said that something was done, and it was not."""

from collections.abc import Collection
from types import MappingProxyType
from typing import Final

from bot import catalogue
from bot.grounding.deeds import Deed

_TOLD: Final = MappingProxyType(
    {
        Deed.KEPT: catalogue.later("Nothing was saved; “remember that …” with what I should keep does that."),
        Deed.FORGOTTEN: catalogue.later("Nothing was forgotten; “forget …” with what it is about does that."),
        Deed.CHANGED: catalogue.later("Nothing in memory was changed; {p}edit does that."),
        Deed.PINNED: catalogue.later("Nothing was pinned; {p}pin does that, and {p}unpin undoes it."),
        Deed.AGED: catalogue.later("Nothing was moved to long-term memory; {p}age does that."),
        Deed.OUTWARD: catalogue.later(
            "I can't remind, message, book or watch anything: I only answer here, when spoken to."
        ),
        Deed.UNKEPT: catalogue.later(
            "What you say to me here is kept: {p}mydata shows it, {p}memory tells who sees it and how that stops."
        ),
    }
)
_ANY: Final = catalogue.later("Nothing was saved or changed in memory.")


def told(claimed: Collection[frozenset[Deed]], prefix: str) -> list[str]:
    """One sentence for each kind of what was only claimed, where commands begin with that prefix."""
    kinds = dict.fromkeys(_TOLD[next(iter(deeds))] for deeds in claimed if len(deeds) == 1)
    # Which deed it was is told best; that there was none says the same.
    said = [*kinds] or [_ANY] * bool(claimed)
    return [catalogue.gettext(sentence).format(p=prefix) for sentence in said]
