"""`!settings` by itself: all that holds where it is asked, each with why it does and what changes it."""

from collections.abc import Iterator
from typing import Final

from bot import catalogue, config
from bot.commands.grammar import PREFIX
from bot.commands.place_choices import PlaceChoosing
from bot.config import Settings
from bot.domain import TERMINAL_SPACE, Caller
from bot.presentation import held_settings
from bot.prompting.identity import Identity
from bot.prompting.personas import Personas
from bot.store.answer_rules import AnswerChoices, AnswerRules
from bot.store.learnings import Learning, Learnings, Stage
from bot.store.place_settings import HeldBy, held, is_one_channel
from bot.store.spaces import Place, Spaces, WhatWasSet
from bot.text import amounts, normalize

_DEFAULT_MODE: Final = "addressed"
_LONGEST_IDENTITY: Final = 60
_ON: Final = {True: catalogue.later("on"), False: catalogue.later("off")}
_ANSWERED: Final = {True: catalogue.later("everything said here"), False: catalogue.later("what is said to me")}
_LEARNING: Final = {
    Stage.ASKED: catalogue.later("asked for"),
    Stage.ANNOUNCED: catalogue.later("announced"),
    Stage.READING: catalogue.later("being read"),
    Stage.STOPPED: catalogue.later("stopped"),
    Stage.DONE: catalogue.later("read"),
}
WHO_MAY: Final = catalogue.later("-# Whoever has the permission Manage Server changes this, by the command behind it.")
_Row = tuple[str, str, HeldBy, str]
"""A label, a value, why it holds, and the command that changes it; empty where nobody can here."""


class SettingsOverview:
    """Lists it, at most some twenty lines."""

    def __init__(
        self,
        spaces: Spaces,
        placing: PlaceChoosing,
        identity: Identity,
        speakers: Personas,
        whom: AnswerChoices,
        learnings: Learnings,
        settings: Settings,
    ) -> None:
        self._spaces = spaces
        self._placing = placing
        self._identity = identity
        self._speakers = speakers
        self._whom = whom
        self._learnings = learnings
        self._settings = settings

    async def lines(self, caller: Caller, place: Place) -> list[str]:
        """A line for each setting, and who may change them where not everybody may."""
        was_set = await self._spaces.was_set(caller)
        rows = [await self._of_identity(caller), *self._of_memory(place, was_set)]
        if not is_one_channel(caller):
            learning = await self._learnings.find(caller.space_id, caller.origin_id)
            rows += [*self._of_channel(place), _of_learning(learning), self._of_search(place, was_set)]
            rows.append(_of_whom(await self._whom.of(caller.space_id)))
        if caller.space_id != TERMINAL_SPACE:
            pin = await self._spaces.pin(caller.space_id)
            by = HeldBy.SPACE if "pin" in was_set.names else HeldBy.DEFAULT
            value = pin or catalogue.gettext(_ON[False])
            rows.append((catalogue.gettext("Emoji that has me remember"), value, by, "settings pin"))
        rows += [*self._of_space(caller, place, was_set), *self._of_policy()]
        told = [
            held_settings.changed(
                held_settings.line(label, value, held_settings.why(caller, by)), command and caller.prefix + command
            )
            for label, value, by, command in rows
        ]
        who = [] if is_one_channel(caller) else [catalogue.gettext(WHO_MAY)]
        return [*await self._placing.told(caller), *told, *who]

    async def _of_identity(self, caller: Caller) -> _Row:
        """A persona's voice stands in the place of the space's identity."""
        if voice := self._speakers.of(caller.choices).speaker.voice:
            by = held(caller.choices, self._speakers.choosable).by
            return catalogue.gettext("Who I am"), normalize.one_line(voice, _LONGEST_IDENTITY), by, "persona"
        own, written = await self._identity.own(caller.space_id), self._identity.written()
        by = HeldBy.SPACE if own is not None else HeldBy.SETTINGS if written.is_own else HeldBy.DEFAULT
        text = normalize.one_line(written.text if own is None else own, _LONGEST_IDENTITY)
        return catalogue.gettext("Who I am"), text or catalogue.gettext("none"), by, "identity set"

    def _of_memory(self, place: Place, was_set: WhatWasSet) -> Iterator[_Row]:
        is_set = was_set.mode or place.mode != _DEFAULT_MODE
        yield catalogue.gettext("Memory"), place.mode, HeldBy.CHANNEL if is_set else HeldBy.DEFAULT, "memory mode"
        chunks = self._settings.memory.chunks
        made = ", ".join(was_set.makes or chunks.makes)
        value = f"{made} ({was_set.workflow})" if was_set.workflow else made
        by = self._or_settings(was_set.makes or was_set.workflow, HeldBy.CHANNEL, "memory", "chunks", "makes")
        yield catalogue.gettext("Made of talk"), value, by, "memory makes"

    def _of_channel(self, place: Place) -> Iterator[_Row]:
        answered = HeldBy.CHANNEL if place.enabled else HeldBy.DEFAULT
        change = "channel disable" if place.enabled else "channel enable"
        yield catalogue.gettext("Answered"), catalogue.gettext(_ANSWERED[place.enabled]), answered, change
        threads = HeldBy.CHANNEL if place.threads else HeldBy.DEFAULT
        yield catalogue.gettext("Answers in threads"), catalogue.gettext(_ON[place.threads]), threads, "channel threads"
        around = self._settings.prompt.around if place.around is None else place.around
        by = self._or_settings(place.around is not None, HeldBy.CHANNEL, "prompt", "around")
        yield catalogue.gettext("Read before a mention"), amounts.messages(around), by, "channel around"

    def _of_search(self, place: Place, was_set: WhatWasSet) -> _Row:
        by = HeldBy.SPACE if "search" in was_set.names else HeldBy.DEFAULT
        is_on = self._settings.recall.discord_search
        by, change = (by, "memory search") if is_on else (HeldBy.SETTINGS, "")
        return catalogue.gettext("Discord's search"), catalogue.gettext(_ON[place.searches and is_on]), by, change

    def _of_space(self, caller: Caller, place: Place, was_set: WhatWasSet) -> Iterator[_Row]:
        may_know = self._settings.recall.on_miss == "say_so_then_answer"
        by = HeldBy.SPACE if "answers" in was_set.names else HeldBy.DEFAULT
        by, change = (by, "settings answers") if may_know else (HeldBy.SETTINGS, "")
        yield catalogue.gettext("General knowledge"), catalogue.gettext(_ON[place.answers and may_know]), by, change
        by = HeldBy.SPACE if "why" in was_set.names else HeldBy.DEFAULT
        yield catalogue.gettext("Button Why?"), catalogue.gettext(_ON[place.explains]), by, "settings why"
        by = HeldBy.DEFAULT if place.prefix == PREFIX else HeldBy.SPACE
        yield catalogue.gettext("Prefix"), place.prefix, by, "settings prefix"
        by = self._or_settings(place.language != self._settings.language, HeldBy.SPACE, "language")
        yield catalogue.gettext("Language of texts"), place.language, by, "settings language"
        given = config.machine_time_zone() if caller.space_id == TERMINAL_SPACE else "UTC"
        by = HeldBy.DEFAULT if place.time_zone == given else HeldBy.SPACE
        yield catalogue.gettext("Time zone"), place.time_zone, by, "settings timezone"

    def _of_policy(self) -> Iterator[_Row]:
        if url := self._settings.community.privacy:
            yield catalogue.gettext("Privacy policy"), f"<{url}>", HeldBy.SETTINGS, ""

    def _or_settings(self, is_chosen: object, by: HeldBy, *path: str) -> HeldBy:
        """`by` where it was chosen; else whether the key at that path was given by whoever runs Hathi."""
        if is_chosen:
            return by
        *sections, key = path
        section = self._settings
        for name in sections:
            section = getattr(section, name)
        return HeldBy.SETTINGS if key in section.model_fields_set else HeldBy.DEFAULT


def _of_learning(learning: Learning | None) -> _Row:
    label = catalogue.gettext("What was said before me")
    if learning is None:
        return label, catalogue.gettext("not read"), HeldBy.DEFAULT, "learn"
    return label, catalogue.gettext(_LEARNING[learning.state]), HeldBy.CHANNEL, "learn"


def _of_whom(rules: AnswerRules) -> _Row:
    label = catalogue.gettext("Who is answered")
    if rules == AnswerRules():
        return label, catalogue.gettext("everybody"), HeldBy.DEFAULT, "who allow"
    return label, catalogue.gettext("some roles or channels"), HeldBy.SPACE, "who allow"
