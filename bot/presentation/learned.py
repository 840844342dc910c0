"""How a learning of a channel's past is told: its announcement, how far it is, and how it ended."""

from datetime import datetime
from typing import Final

from bot import catalogue
from bot.presentation import render
from bot.store.learnings import Learning, Stage, Why
from bot.text import amounts

LEAVE: Final = catalogue.later("Leave mine out")
_CELLS: Final = 10
_WHY: Final = {
    Why.ASKED: catalogue.later("somebody who manages this server stopped it; {amount}. {p}learn reads the rest."),
    Why.MODE: catalogue.later(
        "not everything is remembered there any more; {amount}. {p}memory mode all and then {p}learn read the rest."
    ),
    Why.CLOSED: catalogue.later(
        "I may not read there any more; {amount}. Once I may view the channel and have Read Message History there, "
        "{p}learn reads the rest."
    ),
    Why.SILENCED: catalogue.later(
        "I may not write there, where it has to be announced; {amount}. Once I have Send Messages there, {p}learn "
        "begins anew."
    ),
    Why.ERASED: catalogue.later("all that I had of this server was erased; {amount}. {p}learn reads it anew."),
}
"""Why it was stopped, how much was read, and what helps."""


def told(
    learning: Learning, zone: str, prefix: str, *, with_threads: bool = False, begins_at: datetime | None = None
) -> str:
    """What stands in the channel that is learned, above the button that leaves out what is the presser's.

    `with_threads` says whether public threads of it are read too; `begins_at` is when it begins, where that is not
    recorded yet.
    """
    said = (
        catalogue.gettext("what was said here and in the public threads of this channel since {time}")
        if with_threads
        else catalogue.gettext("what was said here since {time}")
    ).format(time=render.time(learning.since, zone))
    own = catalogue.gettext(
        "“{button}” keeps yours out of it, now or at any time after: what was taken of it already goes. "
        "{p}memory off me stops anything of yours from being remembered."
    ).format(button=catalogue.gettext(LEAVE), p=prefix)
    return f"{_doing(learning, said, zone, prefix, learning.begins_at or begins_at)}\n{own}"


def _doing(learning: Learning, said: str, zone: str, prefix: str, begins_at: datetime | None) -> str:
    match learning.state:
        case Stage.READING:
            reading = catalogue.gettext("I am reading {said}, to remember it.").format(said=said)
            return f"{reading}\n{progress(learning)}"
        case Stage.DONE:
            told = catalogue.gettext("I have read {said}: {amount}.")
            return told.format(said=said, amount=_amount(learning))
        case Stage.STOPPED:
            told = catalogue.gettext("I stopped reading {said}: {why}")
            return told.format(said=said, why=_stopped(learning, prefix))
        case _ if begins_at is None:
            told = catalogue.gettext("I am going to read {said}, and remember it as what is said from now on.")
            return told.format(said=said)
        case _:
            told = catalogue.gettext(
                "I am going to read {said}, from {time} on, and remember it as what is said from now on."
            )
            return told.format(said=said, time=render.time(begins_at, zone))


def progress(learning: Learning) -> str:
    """A bar, such as `[#####-----] 51 %, 1,234 of about 2,400 messages`."""
    # What was estimated may be too little; it is not done before it is.
    about = max(learning.about, learning.messages_read, 1)
    share = 1.0 if learning.state is Stage.DONE else min(0.99, learning.messages_read / about)
    filled = int(share * _CELLS)
    told = catalogue.gettext("{share} %, {count} of about {about} messages").format(
        share=int(share * 100), count=amounts.number(learning.messages_read), about=amounts.number(about)
    )
    return f"`[{'#' * filled}{'-' * (_CELLS - filled)}]` {told}"


def status(learning: Learning, zone: str, prefix: str) -> str:
    """One learning in one line, by its channel."""
    where = catalogue.gettext("{channel} since {time}").format(
        channel=f"<#{learning.channel_id}>", time=render.time(learning.since, zone)
    )
    match learning.state:
        case Stage.READING:
            told = progress(learning)
        case Stage.DONE:
            told = catalogue.gettext("done, {amount}").format(amount=_amount(learning))
        case Stage.STOPPED:
            told = catalogue.gettext("stopped: {why}").format(why=_stopped(learning, prefix))
        case _ if learning.begins_at is None:
            told = catalogue.gettext("announced")
        case _:
            told = catalogue.gettext("announced; begins {time}").format(time=render.time(learning.begins_at, zone))
    return f"{where}: {told}"


def _stopped(learning: Learning, prefix: str) -> str:
    told = catalogue.gettext(_WHY[learning.why or Why.ASKED])
    return told.format(amount=_amount(learning), p=prefix)


def _amount(learning: Learning) -> str:
    told = catalogue.gettext("{messages} read, {kept} of them kept")
    return told.format(messages=amounts.messages(learning.messages_read), kept=amounts.number(learning.recorded))
