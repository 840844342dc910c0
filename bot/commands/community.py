"""`!memory`, `!channel` and `!settings`: what is remembered in a community, and of each person in it."""

import asyncio
import difflib
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from bot import errors
from bot.commands.invocation import Invocation
from bot.commands.server_erasure import ServerErasure
from bot.dates import time_zones
from bot.domain import TERMINAL_SPACE, Caller, Reply
from bot.lifecycle.learner import Learner
from bot.lifecycle.reworker import Reworker
from bot.presentation import introduction, reworked
from bot.store.learnings import MODE, Why
from bot.store.people import People
from bot.store.reworks import ReworkKind
from bot.store.spaces import PIN, Place, Spaces
from bot.text import emoji
from bot.text.sanitize import counted

LONGEST_PREFIX: Final = 5
_BEHIND: Final = "The others follow behind, found as before until then; {p}settings language tells how far it is."
_DECLINED: Final = "You opted out: nothing of yours is kept, here or anywhere; {p}memory on me takes that back."
_WILLING: Final = "You have not opted out; {p}memory off me does, everywhere."
_STOP: Final = "**Stop** ends it for whoever presses it."
_TAKEN: Final = re.compile(r"""[/@#`*_~|<>:\\"'(){}\[\]]""")
"""What Discord reads as a command, a mention or a mark of its own."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ThreadsReply(Reply):
    """Whether answers go to threads; whoever is connected to Discord knows whether any can be made."""

    are_on: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class ListeningReply(Reply):
    """What people say to each other is kept from now on; who wants no part in that is to find a button there."""


class Community:
    """The use cases behind `!memory`, `!channel` and `!settings`."""

    def __init__(
        self,
        spaces: Spaces,
        people: People,
        reworker: Reworker,
        erasure: ServerErasure,
        learner: Learner,
        clock: Callable[[], datetime],
        *,
        searches: bool = True,
    ) -> None:
        """`searches` says whether whoever runs Hathi lets Discord's own search be asked."""
        self._spaces = spaces
        self._people = people
        self._reworker = reworker
        self._erasure = erasure
        self._learner = learner
        self._clock = clock
        self._searches = searches

    async def memory(self, given: Invocation) -> Reply:
        """Shows or sets what is remembered here, or whether the caller is at all; or erases what is of all here."""
        caller, args = given.caller, given.args
        match args.form:
            case "mode":
                place = await self._spaces.set_mode(caller, args.word("mode", ""), now=self._clock())
                if place.mode != MODE:
                    await self._learner.stop_all(caller.space_id, caller.origin_id, Why.MODE)
                kept = " What is kept already stays until it is forgotten." * (not place.kept)
                is_heard = place.mode == "all" and _is_server(caller)
                text = f"{_mode(caller, place)} That holds for this channel and its public threads.{kept}"
                return ListeningReply(text=f"{text} {_STOP}") if is_heard else Reply(text=text)
            case "search":
                value = args.word("search", "")
                place = await (
                    self._spaces.set_searches(caller, searches=value == "on") if value else self._place(caller)
                )
                return Reply(text=self._search(caller, place))
            case "erase" | "erase confirm":
                confirmed = args.form == "erase confirm"
                return await self._erasure.erase(caller, confirmed=confirmed, asking=given.said)
            case "off me":
                changed, p = await self._people.opt_out(caller.person_id, self._clock()), caller.prefix
                again = "From now on" if changed else "As before,"
                return Reply(
                    text=f"{again} nothing you say is kept, here or anywhere, and no memory is made of it. What is "
                    f"kept already stays until you erase it with {p}mydata erase. {p}memory on me takes this back."
                )
            case "on me":
                changed = await self._people.opt_in(caller.person_id)
                again = "again" if changed else "already: you had not opted out"
                return Reply(
                    text=f"You may be remembered {again}. {caller.prefix}memory tells what is kept in a channel."
                )
            case _:
                declined = await self._people.opted_out(caller.person_id)
                place, wish = await self._place(caller), (_DECLINED if declined else _WILLING)
                lines = [_mode(caller, place), *([self._search(caller, place)] if _is_server(caller) else [])]
                lines.append(wish.format(p=caller.prefix))
                return Reply(text="\n".join(lines))

    async def channel(self, given: Invocation) -> Reply:
        """Shows or sets what is answered in the caller's channel, and how much talk is read with it."""
        caller, args = given.caller, given.args
        if not _is_server(caller):
            return Reply(text="Everything said here is answered anyway; only a server's channels can be set.")
        where = _where(caller)
        if args.form == "around":
            messages = (await self._spaces.set_around(caller, args.number("messages", 0))).around
            if not messages:
                return Reply(text=f"In {where} I read nothing of what was said before a message to me.")
            before = counted(messages, "message")
            return Reply(text=f"In {where} I read up to {before} before each message to me with it.")
        if args.form == "threads":
            place = await self._spaces.set_threads(caller, threads=args.word("threads", "") == "on")
            return ThreadsReply(text=_in_threads(caller, place), are_on=place.threads)
        place = await self._spaces.set_enabled(caller, enabled=args.form == "enable")
        if place.enabled:
            return Reply(text=f"Everything said in {where} is answered now; {caller.prefix}channel disable stops that.")
        return Reply(text=f"In {where} I answer only what is said to me; {caller.prefix}channel enable changes that.")

    async def settings(self, given: Invocation) -> Reply:
        """Shows or sets the settings of the caller's space."""
        caller, args = given.caller, given.args
        value = args.word(args.form, "")
        match args.form if value else "":
            case "prefix":
                return Reply(text=_prefix(caller, await self._spaces.set_prefix(caller, _checked_prefix(value))))
            case "language":
                return await self._set_language(caller, value.lower())
            case "timezone":
                name = await asyncio.to_thread(_checked_time_zone, value)
                return Reply(text=_time_zone(await self._spaces.set_time_zone(caller, name)))
            case "why":
                return Reply(text=_explains(caller, await self._spaces.set_explains(caller, explains=value == "on")))
            case "answers":
                return Reply(text=_answers(caller, await self._spaces.set_answers(caller, answers=value == "on")))
            case _:
                return await self._told(caller, args.form)

    async def pin(self, given: Invocation) -> Reply:
        """Shows or sets the emoji that has a message remembered. Raises `BadArgument`."""
        caller, value = given.caller, given.args.word("pin", "")
        if caller.space_id == TERMINAL_SPACE:
            return Reply(text="At the terminal no message can be marked; say what I should remember.")
        if value:
            chosen = "" if value.lower() == "off" else value
            if chosen and not emoji.key(chosen):
                raise errors.BadArgument(f"pin takes off or one emoji such as {PIN}, also one of this server's own.")
            await self._spaces.set_pin(caller.space_id, chosen)
        return Reply(text=_pin(caller, await self._spaces.pin(caller.space_id)))

    async def _told(self, caller: Caller, setting: str) -> Reply:
        place, under_way = await self._place(caller), await self._reworker.under_way(caller.space_id)
        far = [reworked.told(progress) for progress in under_way if progress.kind is ReworkKind.LANGUAGE]
        lines = {
            "prefix": _prefix(caller, place),
            "language": " ".join([_language(place), *far]),
            "timezone": _time_zone(place),
            "why": _explains(caller, place),
            "answers": _answers(caller, place),
        }
        if caller.space_id != TERMINAL_SPACE:
            lines["pin"] = _pin(caller, await self._spaces.pin(caller.space_id))
        if not setting and _is_server(caller):
            lines["search"] = self._search(caller, place)
        if setting == "language":
            lines["language"] += f" There are {', '.join(await self._spaces.languages())}."
        return Reply(text=lines[setting] if setting else "\n".join(lines.values()))

    def _search(self, caller: Caller, place: Place) -> str:
        """Whether Discord's own search is asked."""
        if not _is_server(caller):
            return "Discord's own search is asked in servers only."
        if not self._searches:
            return "Discord's own search is not asked: whoever runs me has switched it off."
        if place.searches:
            return (
                "Where memory has nothing I ask Discord's own search and store nothing of what it finds; "
                f"{caller.prefix}memory search off stops that."
            )
        return f"Discord's own search is not asked here; {caller.prefix}memory search on changes that."

    async def _set_language(self, caller: Caller, name: str) -> Reply:
        """New texts are read with it, and the old ones too: a few at once, many in the background."""
        known = await self._spaces.languages()
        if name not in known:
            near = _near(name, known)
            raise errors.BadArgument(f"I can't search in {name!r}; {near}there are {', '.join(known)}.")
        if name == (await self._place(caller)).language:
            return Reply(text=f"Texts are searched in {name} already.")
        done = await self._reworker.set_language(caller, name)
        text = (
            f"Texts are searched in {name} now; {counted(done.memories, 'memory')} and "
            f"{counted(done.messages, 'message')} were indexed anew."
        )
        return Reply(text=text if done.is_over else f"{text} {_BEHIND.format(p=caller.prefix)}")

    async def _place(self, caller: Caller) -> Place:
        place = await self._spaces.place(caller.space_id, caller.channel_id)
        if place is None:
            raise errors.NotFound("This channel is not known yet.")
        return place


def _is_server(caller: Caller) -> bool:
    return not caller.is_direct and caller.space_id != TERMINAL_SPACE


def _where(caller: Caller) -> str:
    """The places that are answered alike, as they are called where the caller is."""
    if caller.is_private_thread:
        return "this thread"
    if caller.origin is not None:
        return "the channel or forum this thread is in, and in its public threads,"
    return "this channel and its public threads"


def _in_threads(caller: Caller, place: Place) -> str:
    where, p = _where(caller), caller.prefix
    if not place.threads:
        return f"In {where} I answer where I am asked; {p}channel threads on has me answer in threads."
    heard = "there too I hear only what mentions me" if caller.address else "there no mention is needed"
    return f"In {where} I answer a mention in a thread made from it; {heard}. {p}channel threads off stops that."


def _mode(caller: Caller, place: Place) -> str:
    return f"The memory mode here is {place.mode}: {introduction.MEANS[place.mode].format(p=caller.prefix)}."


def _prefix(caller: Caller, place: Place) -> str:
    if caller.address:
        return f"Commands begin with a mention of me and {place.prefix} (such as {caller.address}{place.prefix}help)."
    return f"Commands begin with {place.prefix} (such as {place.prefix}help)."


def _language(place: Place) -> str:
    return f"Texts are searched in {place.language}."


def _time_zone(place: Place) -> str:
    return f"The time zone is {place.time_zone}."


def _explains(caller: Caller, place: Place) -> str:
    if place.explains:
        return (
            f"“Why?” under what I say from memory tells what led to it; {caller.prefix}settings why off takes it away."
        )
    return f"My replies carry no button; {caller.prefix}why tells what led to one."


def _pin(caller: Caller, chosen: str) -> str:
    if not chosen:
        return f"No emoji has a message remembered; {caller.prefix}settings pin {PIN} changes that."
    return f"{chosen} on anybody's message has me remember it; {caller.prefix}settings pin off stops that."


def _answers(caller: Caller, place: Place) -> str:
    if place.answers:
        return (
            "Where memory has nothing, a model may add what it knows in general; "
            f"{caller.prefix}settings answers off stops that."
        )
    return f"Where memory has nothing I say so and add nothing; {caller.prefix}settings answers on changes that."


def _checked_prefix(prefix: str) -> str:
    """A prefix no ordinary sentence and no mark of Discord's begins with."""
    if len(prefix) > LONGEST_PREFIX or not prefix.isprintable():
        raise errors.BadArgument(f"A prefix is 1 to {LONGEST_PREFIX} visible characters; take one such as ? or h!.")
    if taken := _TAKEN.search(prefix):
        raise errors.BadArgument(f"A prefix can't hold {taken[0]}, which Discord reads; take one such as ? or h!.")
    if prefix[-1].isalnum():
        raise errors.BadArgument("A prefix ends in a mark, or words would begin with it; take one such as ? or h!.")
    return prefix


def _checked_time_zone(name: str) -> str:
    """The IANA name, however it is cased."""
    known = {zone.casefold(): zone for zone in time_zones.names()}
    if name.casefold() not in known:
        cities = {zone.rpartition("/")[2]: known[zone] for zone in sorted(known)}
        city = difflib.get_close_matches(name.casefold().replace(" ", "_"), cities, 1, 0.7)
        near = f"did you mean {cities[city[0]]}? " if city else _near(name, list(known.values()))
        raise errors.BadArgument(f"There is no time zone {name!r}; {near}it takes a name such as Europe/Berlin or UTC.")
    return known[name.casefold()]


def _near(name: str, known: Sequence[str]) -> str:
    near = difflib.get_close_matches(name, known, 1, 0.6)
    return f"did you mean {near[0]}? " if near else ""
