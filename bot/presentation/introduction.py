"""The texts of first contact: to a new community, and to a person when first remembered."""

from collections.abc import Iterable, Sequence
from typing import Final

from bot import catalogue
from bot.text import sanitize

NO_INTENT: Final = catalogue.later(
    "Discord's search needs the message-content intent: whoever runs me switches it on in the developer portal (Bot, "
    "Privileged Gateway Intents)"
)
NO_RIGHT: Final = catalogue.later(
    "Discord's search needs the permission Read Message History: whoever may manage roles here gives it to my role"
)
_COMMUNITY: Final = catalogue.later(
    """\
Hello, I am Hathi, a chat bot that remembers: mention me to talk to me.
Nothing is stored yet. From now on I keep what people say to me and what I answer, so that it is found again.
What I know of a channel is shown only to people who can read that channel.{ask}
{privacy} shows what I have of you, stops it or erases it."""
)
_POLICY: Final = catalogue.later("Whoever runs me says what becomes of your data: <{url}>")
_READ: Final = catalogue.later("With each message to me I read the last ones before it; those are not stored.")
_ASK: Final = catalogue.later(
    "Ask about the past, too: I look it up with Discord's own search, and store nothing of what it finds."
)

MEANS: Final = {
    "off": catalogue.later(
        "nothing said here is remembered or searched; to answer I read the last messages here, and keep none of them; "
        "a reset only clears"
    ),
    "explicit": catalogue.later("only what somebody gives with {p}remember is kept, and a reset only clears"),
    "addressed": catalogue.later("what is said to me and what I answer is kept"),
    "all": catalogue.later("everything said here is kept"),
}
"""What is kept of a channel, by its mode."""
_PERSON: Final = {
    "explicit": catalogue.later("-# I remember what I am to keep here{alone}; {privacy} shows, stops or erases that."),
    "addressed": catalogue.later(
        "-# I remember what you say to me here{alone}; {privacy} shows, stops or erases that."
    ),
    "all": catalogue.later("-# I remember everything you say here{alone}; {privacy} shows, stops or erases that."),
}
"""What is remembered of people, by the mode of the channel."""
_ALONE: Final = catalogue.later(", for you alone")

_OVERHEARD: Final = catalogue.later(
    "-# I remember everything that is said here, also by {names}. **Stop** ends that for whoever presses it, here "
    "and anywhere."
)

_INCLUDED: Final = catalogue.later(
    "-# Among it is what {names} said, who may not know that I remember. **Stop** ends that for whoever presses it, "
    "here and anywhere."
)

_AUTHOR: Final = catalogue.later(
    "{asker} had me remember this message of yours as #{number}, so that it can be found again. {p}forget {number} "
    "forgets it."
)
_AUTHOR_AND_MORE: Final = catalogue.later(
    "{asker} had me remember this message of yours as #{number}, so that it can be found again. {p}forget {number} "
    "forgets it, {p}memory off me stops anything of yours from being remembered, and {p}mydata shows and erases what I "
    "have of you."
)


def to_community(privacy: str, missing: Sequence[str] = (), *, searches: bool = True, privacy_url: str = "") -> str:
    """What it remembers, who is shown that, and how to stop it; at most 600 characters, and an address if there is one.

    And that it looks up what was said before it came, where `searches` says so; or what somebody must switch on first.
    `privacy` is what can be clicked for that command.
    """
    asks = [f"{catalogue.gettext(each)}." for each in missing] if searches else []
    if not missing:
        asks = [catalogue.gettext(each) for each in (_READ, *([_ASK] if searches else []))]
    ask = "".join(f"\n{each}" for each in asks)
    return catalogue.gettext(_COMMUNITY).format(privacy=privacy, ask=ask) + policy(privacy_url)


def policy(privacy_url: str) -> str:
    """The line that names the privacy policy of whoever runs Hathi; empty where there is none."""
    return f"\n{catalogue.gettext(_POLICY).format(url=privacy_url)}" if privacy_url else ""


def needed(told: Iterable[str]) -> list[str]:
    """What somebody must switch on, a sentence each, of what these lines of a trail tell."""
    lines = [*told]
    return [f"{catalogue.gettext(need)}." for need in (NO_INTENT, NO_RIGHT) if any(need in line for line in lines)]


def to_person(privacy: str, mode: str = "addressed", *, is_direct: bool = False) -> str:
    """The same for one person just remembered for the first time, in a channel of that mode: a line of 120 characters.

    `privacy` is what can be clicked for that command.
    """
    # In `off` nothing is kept: what was, was before somebody changed the mode.
    told = catalogue.gettext(_PERSON.get(mode, _PERSON["addressed"]))
    return told.format(alone=catalogue.gettext(_ALONE) if is_direct else "", privacy=privacy)


def to_overheard(names: Sequence[str]) -> str:
    """That what these people say to others is remembered, in one line, over a button by which each of them stops it."""
    return catalogue.gettext(_OVERHEARD).format(names=catalogue.both(map(sanitize.name, names)))


def to_included(names: Sequence[str]) -> str:
    """The same to those whose talk somebody has had read and made memory of, under what tells that."""
    return catalogue.gettext(_INCLUDED).format(names=catalogue.both(map(sanitize.name, names)))


def to_author(prefix: str, asker: str, number: int, *, is_first: bool) -> str:
    """The same for somebody whose message another person had remembered, as a memory of that number.

    Who was told before what they can do hears of that memory alone.
    """
    told = catalogue.gettext(_AUTHOR_AND_MORE if is_first else _AUTHOR)
    return told.format(p=prefix, asker=sanitize.name(asker), number=number)
