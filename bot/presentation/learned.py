"""How a learning of a channel's past is told: its announcement, how far it is, and how it ended."""

from datetime import datetime
from typing import Final

from bot import catalogue
from bot.presentation import render
from bot.store.learnings import Learning, Stage, Why
from bot.text.sanitize import counted

LEAVE: Final = catalogue.later("Leave mine out")
_CELLS: Final = 10
_WHY: Final = {
    Why.ASKED: ("somebody who manages this server stopped it", "{p}learn reads the rest."),
    Why.MODE: ("not everything is remembered there any more", "{p}memory mode all and then {p}learn read the rest."),
    Why.CLOSED: (
        "I may not read there any more",
        "Once I may view the channel and have Read Message History there, {p}learn reads the rest.",
    ),
    Why.SILENCED: (
        "I may not write there, where it has to be announced",
        "Once I have Send Messages there, {p}learn begins anew.",
    ),
    Why.ERASED: ("all that I had of this server was erased", "{p}learn reads it anew."),
}
"""Why it was stopped, and what helps."""


def told(
    learning: Learning, zone: str, prefix: str, *, with_threads: bool = False, begins_at: datetime | None = None
) -> str:
    """What stands in the channel that is learned, above the button that leaves out what is the presser's.

    `with_threads` says whether public threads of it are read too; `begins_at` is when it begins, where that is not
    recorded yet.
    """
    where = "here and in the public threads of this channel" if with_threads else "here"
    said = f"what was said {where} since {render.time(learning.since, zone)}"
    own = (
        f"“{catalogue.gettext(LEAVE)}” keeps yours out of it, now or at any time after: "
        "what was taken of it already goes. "
        f"{prefix}memory off me stops anything of yours from being remembered."
    )
    match learning.state:
        case Stage.READING:
            return f"I am reading {said}, to remember it.\n{progress(learning)}\n{own}"
        case Stage.DONE:
            return f"I have read {said}: {_amount(learning)}.\n{own}"
        case Stage.STOPPED:
            return f"I stopped reading {said}: {_stopped(learning, prefix)}\n{own}"
        case _:
            begins_at = learning.begins_at or begins_at
            at = "" if begins_at is None else f", from {render.time(begins_at, zone)} on"
            return f"I am going to read {said}{at}, and remember it as what is said from now on.\n{own}"


def progress(learning: Learning) -> str:
    """A bar, such as `[#####-----] 51 %, 1,234 of about 2,400 messages`."""
    # What was estimated may be too little; it is not done before it is.
    about = max(learning.about, learning.messages_read, 1)
    share = 1.0 if learning.state is Stage.DONE else min(0.99, learning.messages_read / about)
    filled = int(share * _CELLS)
    return (
        f"`[{'#' * filled}{'-' * (_CELLS - filled)}]` {int(share * 100)} %, {learning.messages_read:,} of about "
        f"{about:,} messages"
    )


def status(learning: Learning, zone: str, prefix: str) -> str:
    """One learning in one line, by its channel."""
    where = f"<#{learning.channel_id}> since {render.time(learning.since, zone)}"
    match learning.state:
        case Stage.READING:
            return f"{where}: {progress(learning)}"
        case Stage.DONE:
            return f"{where}: done, {_amount(learning)}"
        case Stage.STOPPED:
            return f"{where}: stopped: {_stopped(learning, prefix)}"
        case _:
            at = "" if learning.begins_at is None else f"; begins {render.time(learning.begins_at, zone)}"
            return f"{where}: announced{at}"


def _stopped(learning: Learning, prefix: str) -> str:
    why, helps = _WHY[learning.why or Why.ASKED]
    return f"{why}; {_amount(learning)}. {helps.format(p=prefix)}"


def _amount(learning: Learning) -> str:
    return f"{counted(learning.messages_read, 'message')} read, {learning.recorded:,} of them kept"
