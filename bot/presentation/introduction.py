"""The texts of first contact: to a new community, and to a person when first remembered."""

from collections.abc import Iterable, Sequence
from typing import Final

from bot.text import sanitize

NO_INTENT: Final = (
    "Discord's search needs the message-content intent: whoever runs me switches it on in the developer portal (Bot, "
    "Privileged Gateway Intents)"
)
NO_RIGHT: Final = (
    "Discord's search needs the permission Read Message History: whoever may manage roles here gives it to my role"
)
_COMMUNITY: Final = """\
Hello, I am Hathi, a chat bot that remembers. Nothing is stored yet.{ask}
From now on what is said to me and what I answer is kept, and facts are made of it when somebody resets the \
conversation. With each message to me I read the last ones before it and the one it replies to; that is not stored. \
What I know of a channel is shown only to people who can read it.
See it: {p}memories lists what I know, {p}recall <words> looks for something.
Take it back: {p}forget <number> forgets one memory.
Stop it: {p}memory tells what is remembered and searched, {p}memory mode off|explicit|addressed|all and {p}memory \
search off change it (that takes Manage Server).
Each of you: {p}memory off me, and nothing you say is kept or looked up from then on, anywhere; {p}mydata shows and \
erases what I have of you.
{p}help lists all I can do."""
_POLICY: Final = """
Whoever runs me says what becomes of your data: <{url}>"""
_ASK: Final = """ \
Ask about anything said here: I look it up with Discord's own search, among what everyone in the channel can read."""
_FIRST: Final = """ \
To look up what was said here, something must be switched on first:
{missing}"""

_PERSON: Final = """\
{kept}, so that it can be found again. {p}memories shows what I know, {p}forget <number> forgets it, \
{p}memory off me stops it everywhere, and {p}mydata shows and erases what I have of you. {direct}"""
_DIRECT: Final = "What you write to me directly is shown to nobody else."
_ALSO_DIRECT: Final = "Write to me directly, too: that is shown to nobody else."

_AUTHOR: Final = """\
{asker} had me remember this message of yours as #{number}, so that it can be found again. {p}forget {number} \
forgets it"""
_AND_MORE: Final = """\
, {p}memory off me stops anything of yours from being remembered, and {p}mydata shows and erases what I have of you"""

_ELSEWHERE: Final = """\
{kept}, so that it can be found again; I may not write there. {p}memory off me stops it everywhere, and {p}mydata \
shows and erases what I have of you."""

_KEPT: Final = {
    "explicit": "I remember what I am given to remember {where}",
    "addressed": "I remember what is said to me {where}",
    "all": "I remember everything that is said {where}",
}
"""What is remembered of people, by the mode of the channel."""


def to_community(
    prefix: str = "!", missing: Sequence[str] = (), *, searches: bool = True, privacy_url: str = ""
) -> str:
    """What it remembers, and how to see, stop and erase it; at most 1,200 characters, and an address if there is one.

    And that it looks up what was said before it came, where `searches` says so; or what somebody must switch on first.
    """
    first = _FIRST.format(missing="\n".join(f"{each}." for each in missing))
    ask = "" if not searches else first if missing else _ASK
    return _COMMUNITY.format(p=prefix, ask=ask) + policy(privacy_url)


def policy(privacy_url: str) -> str:
    """The line that names the privacy policy of whoever runs Hathi; empty where there is none."""
    return _POLICY.format(url=privacy_url) if privacy_url else ""


def needed(told: Iterable[str]) -> list[str]:
    """What somebody must switch on, a sentence each, of what these lines of a trail tell."""
    lines = [*told]
    return [f"{need}." for need in (NO_INTENT, NO_RIGHT) if any(need in line for line in lines)]


def to_person(prefix: str = "!", mode: str = "addressed", *, is_direct: bool = False) -> str:
    """The same for one person just remembered for the first time, in a channel of that mode; at most 300 characters.

    And what becomes of direct messages, in which they may talk to Hathi too.
    """
    return _PERSON.format(p=prefix, kept=_kept(mode, "here"), direct=_DIRECT if is_direct else _ALSO_DIRECT)


def to_author(prefix: str, asker: str, number: int, *, is_first: bool) -> str:
    """The same for somebody whose message another person had remembered, as a memory of that number.

    Who was told before what they can do hears of that memory alone.
    """
    told = f"{_AUTHOR}{_AND_MORE if is_first else ''}."
    return told.format(p=prefix, asker=sanitize.name(asker), number=number)


def to_person_elsewhere(where: str, prefix: str = "!", mode: str = "addressed") -> str:
    """The same in direct messages, about a place Hathi can't say it in; only what can be done from there is named."""
    return _ELSEWHERE.format(p=prefix, kept=_kept(mode, f"in {where}"))


def _kept(mode: str, where: str) -> str:
    # In `off` nothing is kept: what was, was before somebody changed the mode.
    return _KEPT.get(mode, _KEPT["addressed"]).format(where=where)
