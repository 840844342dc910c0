"""`!memory`, `!channel` and `!settings`: what is remembered in a community, and of each person in it."""

import asyncio
import difflib
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from bot import catalogue, errors
from bot.commands.invocation import Invocation
from bot.commands.server_erasure import ServerErasure
from bot.commands.settings_overview import SettingsOverview
from bot.dates import time_zones
from bot.domain import TERMINAL_SPACE, Caller, Reply, Stock
from bot.lifecycle.learner import Learner
from bot.lifecycle.reworker import Reworker
from bot.presentation import introduction, reworked
from bot.store.learnings import MODE, Why
from bot.store.people import People
from bot.store.reworks import ReworkKind
from bot.store.spaces import PIN, Place, Spaces
from bot.text import amounts, emoji, language_names

LONGEST_PREFIX: Final = 5
_BEHIND: Final = catalogue.later(
    "The others follow behind, found as before until then; {p}settings language tells how far it is."
)
_DECLINED: Final = catalogue.later(
    "You opted out: nothing new of yours is kept, here or anywhere; what was kept before stays until you erase it with "
    "{p}mydata erase. {p}memory on me takes that back."
)
_WILLING: Final = catalogue.later("You have not opted out; {p}memory off me does, everywhere.")
_SHOWN: Final = catalogue.later("It is shown only where everybody who reads along can read the channel it was said in.")
_STOP: Final = catalogue.later("**Stop** ends it for whoever presses it, here and anywhere.")
_TAKEN: Final = re.compile(r"""[/@#`*_~|<>:\\"'(){}\[\]]""")
"""What Discord reads as a command, a mention or a mark of its own."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ThreadsReply(Reply):
    """Whether answers go to threads; whoever is connected to Discord knows whether any can be made."""

    are_on: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class SettingsReply(Reply):
    """All that holds in a place; whoever is connected to Discord knows what its search still needs there."""

    searches: bool


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
        overview: SettingsOverview,
        clock: Callable[[], datetime],
        *,
        searches: bool = True,
        keep_days: int = 0,
    ) -> None:
        """`searches` says whether whoever runs Hathi lets Discord's own search be asked.

        `keep_days` is how long a message is kept, 0 for ever.
        """
        self._spaces = spaces
        self._people = people
        self._reworker = reworker
        self._erasure = erasure
        self._learner = learner
        self._overview = overview
        self._clock = clock
        self._searches = searches
        self._keep_days = keep_days

    async def memory(self, given: Invocation) -> Reply:
        """Shows or sets what is remembered here, or whether the caller is at all; or erases what is of all here."""
        caller, args = given.caller, given.args
        match args.form:
            case "mode":
                place = await self._spaces.set_mode(caller, args.word("mode", ""), now=self._clock())
                if place.mode != MODE:
                    await self._learner.stop_all(caller.space_id, caller.origin_id, Why.MODE)
                is_heard = place.mode == "all" and _is_server(caller)
                told = [
                    _mode(caller, place),
                    catalogue.gettext("That holds for this channel and its public threads."),
                    *([] if place.kept else [catalogue.gettext("What is kept already stays until it is forgotten.")]),
                    *([catalogue.gettext(_STOP)] if is_heard else []),
                ]
                return (ListeningReply if is_heard else Reply)(text=" ".join(told))
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
                changed = await self._people.opt_out(caller.person_id, self._clock())
                return Reply(text=_out(caller, changed=changed))
            case "on me":
                changed = await self._people.opt_in(caller.person_id)
                return Reply(text=_in(caller, changed=changed))
            case _:
                place = await self._place(caller)
                lines = [_mode(caller, place), *([self._search(caller, place)] if _is_server(caller) else [])]
                declined = await self._people.opted_out(caller.person_id)
                return Reply(text="\n".join([*lines, _wish(caller, declined=declined)]))

    async def kept(self, caller: Caller, *, chats: bool) -> Reply:
        """What is kept of what the caller says here, for how long and who is shown it; `chats` with a model."""
        place, declined = await self._place(caller), await self._people.opted_out(caller.person_id)
        lines = [_mode(caller, place), _wish(caller, declined=declined)]
        if place.kept and not declined:
            lines.append(self._days())
            if _is_server(caller):
                lines.append(catalogue.gettext(_SHOWN))
            elif caller.is_direct:
                lines.append(catalogue.gettext("It is shown to you alone."))
        if chats:
            lines.append(catalogue.gettext("The model that answers is sent what you say, and what I find on it."))
        lines.append(catalogue.gettext("Whoever runs me can read my database."))
        own = catalogue.gettext("{p}mydata shows and erases what I have of you.").format(p=caller.prefix)
        return Reply(text="\n".join([*lines, own]), stock=Stock.HELP)

    def _days(self) -> str:
        """How long it is kept."""
        if not self._keep_days:
            return catalogue.gettext("It is kept until it is erased.")
        told = catalogue.ngettext(
            "A message is kept for {days} day, a memory until it is forgotten.",
            "A message is kept for {days} days, a memory until it is forgotten.",
            self._keep_days,
        )
        return told.format(days=self._keep_days)

    async def channel(self, given: Invocation) -> Reply:
        """Shows or sets what is answered in the caller's channel, and how much talk is read with it."""
        caller, args = given.caller, given.args
        if not _is_server(caller):
            return Reply(
                text=catalogue.gettext("Everything said here is answered anyway; only a server's channels can be set.")
            )
        where = _where(caller)
        if args.form == "around":
            messages = (await self._spaces.set_around(caller, args.number("messages", 0))).around
            if not messages:
                told = catalogue.gettext("In {where} I read nothing of what was said before a message to me.")
                return Reply(text=told.format(where=where))
            told = catalogue.gettext("In {where} I read up to {messages} before each message to me with it.")
            return Reply(text=told.format(where=where, messages=amounts.messages(messages)))
        if args.form == "threads":
            place = await self._spaces.set_threads(caller, threads=args.word("threads", "") == "on")
            return ThreadsReply(text=_in_threads(caller, place), are_on=place.threads)
        place = await self._spaces.set_enabled(caller, enabled=args.form == "enable")
        told = (
            catalogue.gettext("Everything said in {where} is answered now; {p}channel disable stops that.")
            if place.enabled
            else catalogue.gettext("In {where} I answer only what is said to me; {p}channel enable changes that.")
        )
        return Reply(text=told.format(where=where, p=caller.prefix))

    async def settings(self, given: Invocation) -> Reply:
        """Shows or sets the settings of the caller's space."""
        caller, args = given.caller, given.args
        value = args.word(args.form, "")
        match args.form if value else "":
            case "prefix":
                return Reply(text=_prefix(caller, await self._spaces.set_prefix(caller, _checked_prefix(value))))
            case "language":
                return await self._set_language(caller, language_names.named(value))
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
            return Reply(
                text=catalogue.gettext("At the terminal no message can be marked; say what I should remember.")
            )
        if value:
            chosen = "" if value.lower() == "off" else value
            if chosen and not emoji.key(chosen):
                told = catalogue.gettext("pin takes off or one emoji such as {pin}, also one of this server's own.")
                raise errors.BadArgument(told.format(pin=PIN))
            await self._spaces.set_pin(caller.space_id, chosen)
        return Reply(text=_pin(caller, await self._spaces.pin(caller.space_id)))

    async def _told(self, caller: Caller, setting: str) -> Reply:
        place = await self._place(caller)
        if not setting:
            lines = await self._overview.lines(caller, place)
            return SettingsReply(text="\n".join(lines), searches=self._searches and place.searches)
        under_way = await self._reworker.under_way(caller.space_id)
        far = [reworked.told(progress) for progress in under_way if progress.kind is ReworkKind.LANGUAGE]
        lines = {
            "prefix": _prefix(caller, place),
            "language": " ".join([_language(place), *far]),
            "timezone": _time_zone(place),
            "why": _explains(caller, place),
            "answers": _answers(caller, place),
        }
        if setting == "language":
            known = ", ".join(await self._spaces.languages())
            lines["language"] += " " + catalogue.gettext("There are {languages}.").format(languages=known)
        return Reply(text=lines[setting])

    def _search(self, caller: Caller, place: Place) -> str:
        """Whether Discord's own search is asked."""
        if not _is_server(caller):
            return catalogue.gettext("Discord's own search is asked in servers only.")
        if not self._searches:
            return catalogue.gettext("Discord's own search is not asked: whoever runs me has switched it off.")
        told = (
            catalogue.gettext(
                "Where memory has nothing I ask Discord's own search and store nothing of what it finds; "
                "{p}memory search off stops that."
            )
            if place.searches
            else catalogue.gettext("Discord's own search is not asked here; {p}memory search on changes that.")
        )
        return told.format(p=caller.prefix)

    async def _set_language(self, caller: Caller, name: str) -> Reply:
        """New texts are read with it, and the old ones too: a few at once, many in the background."""
        known = await self._spaces.languages()
        if name not in known:
            near = language_names.near(name, known)
            told = (
                catalogue.gettext("I can't search in {name}; did you mean {near}? {p}settings language lists them all.")
                if near
                else catalogue.gettext("I can't search in {name}; {p}settings language lists what I can.")
            )
            told = told.format(name=repr(name), near=catalogue.either(near), p=caller.prefix)
            raise errors.BadArgument(told)
        if name == (await self._place(caller)).language:
            return Reply(text=catalogue.gettext("Texts are searched in {language} already.").format(language=name))
        done = await self._reworker.set_language(caller, name)
        told = catalogue.gettext(
            "Texts are searched in {language} now; {memories} and {messages} were indexed anew."
        ).format(language=name, memories=amounts.memories(done.memories), messages=amounts.messages(done.messages))
        return Reply(text=told if done.is_over else f"{told} {catalogue.gettext(_BEHIND).format(p=caller.prefix)}")

    async def _place(self, caller: Caller) -> Place:
        place = await self._spaces.place(caller.space_id, caller.channel_id)
        if place is None:
            raise errors.NotFound(catalogue.later("This channel is not known yet."))
        return place


def _is_server(caller: Caller) -> bool:
    return not caller.is_direct and caller.space_id != TERMINAL_SPACE


def _out(caller: Caller, *, changed: bool) -> str:
    """That the caller is out of it, now or as before."""
    told = (
        catalogue.gettext("From now on nothing you say is kept, here or anywhere, and no memory is made of it.")
        if changed
        else catalogue.gettext("As before, nothing you say is kept, here or anywhere, and no memory is made of it.")
    )
    rest = catalogue.gettext(
        "What is kept already stays until you erase it with {p}mydata erase. {p}memory on me takes this back."
    )
    return f"{told} {rest.format(p=caller.prefix)}"


def _in(caller: Caller, *, changed: bool) -> str:
    """That the caller is in it again, or was all along."""
    told = (
        catalogue.gettext("You may be remembered again. {p}memory tells what is kept in a channel.")
        if changed
        else catalogue.gettext(
            "You may be remembered already: you had not opted out. {p}memory tells what is kept in a channel."
        )
    )
    return told.format(p=caller.prefix)


def _where(caller: Caller) -> str:
    """The places that are answered alike, as they are called where the caller is, behind an “in”."""
    if caller.is_private_thread:
        return catalogue.gettext("this thread")
    if caller.origin is not None:
        return catalogue.gettext("the channel or forum this thread is in, and in its public threads,")
    return catalogue.gettext("this channel and its public threads")


def _in_threads(caller: Caller, place: Place) -> str:
    if not place.threads:
        told = catalogue.gettext(
            "In {where} I answer where I am asked; {p}channel threads on has me answer in threads."
        )
    elif caller.address:
        told = catalogue.gettext(
            "In {where} I answer a mention in a thread made from it; there too I hear only what mentions me. "
            "{p}channel threads off stops that."
        )
    else:
        told = catalogue.gettext(
            "In {where} I answer a mention in a thread made from it; there no mention is needed. "
            "{p}channel threads off stops that."
        )
    return told.format(where=_where(caller), p=caller.prefix)


def _wish(caller: Caller, *, declined: bool) -> str:
    """Whether the caller opted out."""
    return catalogue.gettext(_DECLINED if declined else _WILLING).format(p=caller.prefix)


def _mode(caller: Caller, place: Place) -> str:
    means = catalogue.gettext(introduction.MEANS[place.mode]).format(p=caller.prefix)
    return catalogue.gettext("The memory mode here is {mode}: {means}.").format(mode=place.mode, means=means)


def _prefix(caller: Caller, place: Place) -> str:
    told = (
        catalogue.gettext("Commands begin with a mention of me and {prefix} (such as {address}{prefix}help).")
        if caller.address
        else catalogue.gettext("Commands begin with {prefix} (such as {prefix}help).")
    )
    return told.format(prefix=place.prefix, address=caller.address)


def _language(place: Place) -> str:
    return catalogue.gettext("Texts are searched in {language}.").format(language=place.language)


def _time_zone(place: Place) -> str:
    return catalogue.gettext("The time zone is {name}.").format(name=place.time_zone)


def _explains(caller: Caller, place: Place) -> str:
    told = (
        catalogue.gettext(
            "“Why?” under what I say from memory tells what led to it; {p}settings why off takes it away."
        )
        if place.explains
        else catalogue.gettext("My replies carry no button; {p}why tells what led to one.")
    )
    return told.format(p=caller.prefix)


def _pin(caller: Caller, chosen: str) -> str:
    told = (
        catalogue.gettext("{pin} on anybody's message has me remember it; {p}settings pin off stops that.")
        if chosen
        else catalogue.gettext("No emoji has a message remembered; {p}settings pin {pin} changes that.")
    )
    return told.format(pin=chosen or PIN, p=caller.prefix)


def _answers(caller: Caller, place: Place) -> str:
    told = (
        catalogue.gettext(
            "Where memory has nothing, a model may add what it knows in general; {p}settings answers off stops that."
        )
        if place.answers
        else catalogue.gettext(
            "Where memory has nothing I say so and add nothing; {p}settings answers on changes that."
        )
    )
    return told.format(p=caller.prefix)


def _checked_prefix(prefix: str) -> str:
    """A prefix no ordinary sentence and no mark of Discord's begins with."""
    if len(prefix) > LONGEST_PREFIX or not prefix.isprintable():
        told = catalogue.gettext("A prefix is 1 to {longest} visible characters; take one such as ? or h!.")
        raise errors.BadArgument(told.format(longest=LONGEST_PREFIX))
    if taken := _TAKEN.search(prefix):
        told = catalogue.gettext("A prefix can't hold {sign}, which Discord reads; take one such as ? or h!.")
        raise errors.BadArgument(told.format(sign=taken[0]))
    if prefix[-1].isalnum():
        raise errors.BadArgument(
            catalogue.later("A prefix ends in a mark, or words would begin with it; take one such as ? or h!.")
        )
    return prefix


def _checked_time_zone(name: str) -> str:
    """The IANA name, however it is cased."""
    known = {zone.casefold(): zone for zone in time_zones.names()}
    if name.casefold() not in known:
        cities = {zone.rpartition("/")[2]: known[zone] for zone in sorted(known)}
        city = difflib.get_close_matches(name.casefold().replace(" ", "_"), cities, 1, 0.7)
        near = cities[city[0]] if city else _near(name, list(known.values()))
        told = (
            catalogue.gettext(
                "There is no time zone {name}; did you mean {near}? it takes a name such as Europe/Berlin or UTC."
            )
            if near
            else catalogue.gettext("There is no time zone {name}; it takes a name such as Europe/Berlin or UTC.")
        )
        raise errors.BadArgument(told.format(name=repr(name), near=near))
    return known[name.casefold()]


def _near(name: str, known: Sequence[str]) -> str:
    """The one that may have been meant; empty where none is near."""
    return "".join(difflib.get_close_matches(name, known, 1, 0.6))
