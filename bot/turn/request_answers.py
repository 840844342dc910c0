"""Answers plain-language requests without a model: remember, forget, list, undo, and who Hathi is."""

import re
from dataclasses import replace
from typing import Final

from bot import catalogue, errors
from bot.commands import hello
from bot.commands.commands import Commands
from bot.commands.invocation import own_reach
from bot.commands.memory_changes import NOTHING_TO_UNDO
from bot.dates import times
from bot.domain import TERMINAL_SPACE, Memory, Message, MessageId, Reply, Role, Stock, Turn
from bot.facts import putting_right
from bot.language.questions import answer_kinds
from bot.language.requests import (
    corrections,
    greeting_words,
    missed_questions,
    number_questions,
    plain_requests,
    plain_words,
    rule_questions,
)
from bot.language.requests.corrections import Correction
from bot.language.requests.set_phrases import SetAnswer, SetPhrases
from bot.language.statements import topics
from bot.layers.forge.source import ForgeLayer
from bot.presentation import both_sides, render, talked_lists
from bot.prompting.identity import Identity
from bot.recall import asked_times
from bot.store.archivist import NOT_WRITTEN
from bot.text import folding, normalize, pasted_lists
from bot.turn.draft import Draft
from bot.turn.own_questions import OwnQuestions, said_or_told

UNDO_WHAT: Final = catalogue.later("Something else was said since; {p}undo takes back the last of what you changed.")
UNDO_KEPT: Final = catalogue.later("What was kept goes by “forget …” with what it is about.")
UNDO_RESET: Final = catalogue.later("{p}undo takes back the reset.")
NO_ALARM: Final = catalogue.later("I can't remind you at a time; ask me for it, and I have it.")
"""Under what was kept of a request to be reminded."""
MISSING: Final = catalogue.later(
    "Nothing was kept: tell me in the same message what I should remember, after the colon or a line each."
)
POINTED: Final = catalogue.later(
    "Nothing was kept: I keep words, and that only points at some. Say “remember that …” with them, or reply “remember "
    "that” to the message."
)
TOLD_TO_BE: Final = catalogue.later("This is what I am told to be here: “{identity}”")
_SPOKEN_TO: Final = re.compile(r"(?:you|du|sie sind|tu|vous|eres|usted)\b", re.IGNORECASE)
"""How an identity begins that is put to Hathi: whoever asks is not who it speaks of."""
_UNDOING: Final = re.compile(greeting_words.UNDOING)
LINE: Final = 200
"""Characters of a memory that a listing at the terminal shows."""


class RequestAnswers:
    """Answers requests in plain words."""

    def __init__(self, commands: Commands, who: Identity, forge: ForgeLayer, *, chats: bool) -> None:
        """`chats` says that there is a model, which answers greetings."""
        self._commands = commands
        self._who = who
        self._forge = forge
        self._chats = chats
        self._own_questions = OwnQuestions(commands)

    async def reply(self, draft: Draft, phrases: SetPhrases) -> Reply | None:
        """The reply to a message that as a whole is such a request, or one of these set phrases; none to any other.

        Of one that is carried out as a command is, nothing is kept but that it was given.
        """
        text = draft.turn.message.content
        asked = plain_request(draft.turn)
        if isinstance(asked, pasted_lists.Listed) and (asked.things or draft.turn.message.reply_to is None):
            return await self._remembered(draft, asked)
        return (
            await self._own_questions.reply(draft, phrases, asked)
            or await self._corrected(draft, asked)
            or await self._forgotten(draft, asked)
            or await self._numbered(draft)
            or await self._scrapped(draft)
            or (await self._undone(draft) if phrases.undoes else None)
            or (await self._about(draft) if phrases.asks_about_self else None)
            or (await self._explained(draft) if phrases.asks_why else None)
            or (await self._private(draft) if phrases.asks_of_privacy else None)
            or await self._ruled(draft)
            or await self._listed(draft, asked)
            or await self._missed(draft)
            or await self._met(draft, SetAnswer.HELP if text == hello.CALLED else phrases.word)
            or await self._offered(draft)
            or _no_alarm(text)
        )

    async def _remembered(self, draft: Draft, things: pasted_lists.Listed) -> Reply:
        """Confirms what was kept, as the whole reply; or says that nothing was given to keep."""
        turn = draft.turn
        draft.kept_by_writer()
        if not any(map(topics.says_something, things.things)):
            await draft.as_command()
            told = POINTED if plain_words.only_points(turn.message.content) else MISSING
            return Reply(text=catalogue.gettext(told), stock=Stock.KEPT)
        try:
            remembering = self._commands.remembering
            saved = await draft.desk.patiently(lambda: remembering.save_asked(draft.keeper, things, turn.message))
        except errors.UserError as exc:
            return Reply(text=exc.said(turn.caller.prefix), stock=Stock.KEPT)
        if things.is_list:
            # Each line is a memory: who forgets one must not find it again in the message.
            await draft.as_command()
        text = "\n".join([render.kept(saved), *both_sides.lines(saved, turn.caller)])
        said = turn.message.content
        if plain_words.asks_to_be_reminded(said) or plain_words.asks_for_alarm(said):
            text = f"{text}\n{catalogue.gettext(NO_ALARM)}"
        return Reply(text=text, saved=saved, stock=Stock.KEPT)

    async def _forgotten(self, draft: Draft, wanted: plain_requests.Asked) -> Reply | None:
        desk, turn, asker = draft.desk, draft.turn, draft.asker
        if not isinstance(wanted, plain_requests.ForgetRequest):
            return None
        if not turn.is_to_hathi and (wanted.last or not wanted.is_sure):
            # "Forget about it" is what people say to each other, too.
            return None
        if wanted.everything:
            spans = times.read(turn.message.content, as_of=turn.message.said_at, zone=asker.time_zone).spans
            forgetting = self._commands.forgetting
            reply = await desk.patiently(
                lambda: forgetting.of_time(asker, spans[0]) if spans else forgetting.everything(asker)
            )
        else:
            before = await self._pointed_at(draft) if wanted.last else None
            quoted = (
                []
                if before is None
                else await desk.patiently(lambda: self._commands.reply_reasons.quoted(asker, before))
            )
            forget = self._commands.forgetting.asked
            reply = await said_or_told(
                asker, lambda: desk.patiently(lambda: forget(asker, wanted, turn.message, before=before, quoted=quoted))
            )
        if reply is None:
            return None
        await draft.as_command()
        return reply

    async def _pointed_at(self, draft: Draft) -> MessageId | None:
        """The message that "that" means: the one replied to, of Hathi's the one it answers; else the asker's last."""
        desk, turn = draft.desk, draft.turn
        if turn.message.reply_to is None:
            return await desk.patiently(lambda: desk.turns.before(turn))
        chain = (await draft.surroundings()).replied_to
        return next((one.reply_to for one in chain[:1] if one.role is Role.HATHI), None) or turn.message.reply_to

    async def _numbered(self, draft: Draft) -> Reply | None:
        """The memories that are asked for by their numbers; None where others may have meant something else by them."""
        turn, numbers = draft.turn, number_questions.read(draft.turn.message.content)
        if not numbers or not turn.caller.access.reads:
            return None
        try:
            reply = await draft.desk.patiently(lambda: self._commands.lists.numbered(turn.caller, numbers))
        except errors.NotFound as exc:
            if not turn.is_to_hathi or self._forge.names_item(turn.caller, turn.message.content):
                return None
            return Reply(text=exc.said(turn.caller.prefix), stock=Stock.LISTED)
        # What is told and forgotten later must not be found in the record of the answer.
        await draft.as_command()
        return replace(reply, listing=None)

    async def _scrapped(self, draft: Draft) -> Reply | None:
        """Whether to forget the rule that is said to hold no more; what is said stays, as it tells how it is now."""
        turn = draft.turn
        scrapped = self._commands.forgetting.scrapped
        return await draft.desk.patiently(lambda: scrapped(turn.caller, turn.message.content))

    async def _corrected(self, draft: Draft, wanted: plain_requests.Asked) -> Reply | None:
        """Puts a memory into other words, as the command does, or makes one of what was said and is put right.

        None where it is talk: nothing of theirs was just told or said, or it is about something else.
        """
        desk, turn = draft.desk, draft.turn
        if isinstance(wanted, Correction) and wanted.number is not None:
            known, number, text = None, wanted.number, wanted.text
        else:
            known, text = await self._put_right(draft, wanted)
            if known is None or text is None:
                return None
            number = known.memory_id if isinstance(known, Memory) else None
        draft.kept_by_writer()
        if draft.household.writer is None:
            told = catalogue.gettext(NOT_WRITTEN).format(p=turn.caller.prefix)
            return Reply(text=told, stock=Stock.KEPT)
        if number is None:
            return await self._remembered(draft, pasted_lists.Listed(things=(text,)))
        reword = self._commands.changes.reword
        reply = await said_or_told(
            turn.caller, lambda: desk.patiently(lambda: reword(draft.asker, number, text)), stock=Stock.KEPT
        )
        await draft.as_command()
        return None if reply is None else replace(reply, stock=Stock.KEPT)

    async def _put_right(
        self, draft: Draft, wanted: plain_requests.Asked
    ) -> tuple[Memory | Message | None, str | None]:
        """What the asker just said, or was told of theirs, and what is so by now; none where they say nothing of it."""
        desk, turn = draft.desk, draft.turn
        match wanted:
            case Correction(text=said) | plain_requests.ForgetRequest(instead=said):
                meant = ""
            case _:
                said, meant = "", "" if self._chats else corrections.meant(turn.message.content)
        if not (said or meant):
            return None, None
        known: Memory | Message | None = await self._told_of(draft)
        if known is None and (before := await self._pointed_at(draft)) is not None:
            known = await desk.patiently(lambda: self._commands.changes.stated(turn.caller, before))
        if known is None or (isinstance(known, Memory) and not said):
            # How a memory is changed is told, where nothing says that it is to be.
            return None, None
        return known, _whole(turn, known.content, said or meant, surely=isinstance(wanted, Correction))

    async def _offered(self, draft: Draft) -> Reply | None:
        """How the memory just told of is changed, where somebody remarks that it is otherwise.

        None where a model answers: then it stands under the answer, unless that changed it.
        """
        told = "" if self._chats else await self.changes_told_of(draft)
        return Reply(text=told, stock=Stock.KEPT) if told else None

    async def changes_told_of(self, draft: Draft) -> str:
        """How the memory just told of is changed, to who remarks that it is otherwise; else nothing.

        So where not exactly one memory of the asker's was told of, or the remark is about something else.
        """
        turn, said = draft.turn, corrections.otherwise(draft.turn.message.content)
        memory = await self._told_of(draft) if said else None
        text = memory and _whole(turn, memory.content, said)
        if memory is None or text is None:
            return ""
        told = catalogue.gettext("#{number} still says “{content}”. To change it: {p}edit {number} {said}")
        content = normalize.one_line(normalize.shown(memory.content), LINE)
        return told.format(number=memory.memory_id, content=content, p=turn.caller.prefix, said=text)

    async def _told_of(self, draft: Draft) -> Memory | None:
        """The memory of the asker's that was just told of, or in the reply referred to; none but of exactly one."""
        desk, caller = draft.desk, draft.turn.caller
        before, told_of = await self._pointed_at(draft), self._commands.reply_reasons.told_of
        under = draft.turn.message.reply_to
        found = await desk.patiently(lambda: told_of(caller, after=before, under=under))
        return found[0] if len(found) == 1 and found[0].author_id == caller.person_id else None

    async def _undone(self, draft: Draft) -> Reply | None:
        """Takes back what the asker just did; None where they did nothing that could be, and may mean anything else."""
        desk, turn = draft.desk, draft.turn
        act = await desk.patiently(lambda: self._commands.changes.last_act(draft.asker))
        if act is None:
            is_plain = turn.is_to_hathi and _UNDOING.search(folding.folded(turn.message.content))
            if not is_plain:
                return None
            # What they said is no act, and can be forgotten.
            said = await self._forgotten(draft, plain_requests.ForgetRequest(last=True, is_sure=False))
            told = f"{catalogue.gettext(NOTHING_TO_UNDO)} {catalogue.gettext(UNDO_KEPT)}"
            return said if said is not None and said.asks else Reply(text=told, stock=Stock.FORGOTTEN)
        heard_at = await desk.patiently(lambda: desk.turns.last_heard_at(turn))
        if act.is_reset or (heard_at is not None and act.at < heard_at):
            # Something else was said since, and that may be meant; what follows a reset is in another session.
            told = catalogue.gettext(UNDO_RESET if act.is_reset else UNDO_WHAT).format(p=turn.caller.prefix)
            return Reply(text=told, stock=Stock.FORGOTTEN)
        reply = await said_or_told(turn.caller, lambda: desk.patiently(act.undo))
        return None if reply is None else replace(reply, stock=Stock.FORGOTTEN)

    async def _about(self, draft: Draft) -> Reply:
        """What is known about the asker."""
        caller = draft.turn.caller
        if not caller.access.reads:
            return Reply(text=draft.nothing_found(), stock=Stock.LISTED)
        about = await draft.desk.patiently(lambda: self._commands.about_me.about(caller))
        if about.listing is None:
            # Of messages there may be many: who asks what is stored must not read that nothing is.
            own = catalogue.gettext("{p}mydata shows and erases what I have of you.").format(p=caller.prefix)
            return replace(about, text=f"{about.text}\n{own}", stock=Stock.LISTED)
        if caller.space_id == TERMINAL_SPACE:
            return replace(about, stock=Stock.LISTED)
        return Reply(
            text=talked_lists.told(about.listing, caller),
            shown=about.shown[: talked_lists.SHORT],
            listing=about.listing,
            stock=Stock.LISTED,
        )

    async def _private(self, draft: Draft) -> Reply:
        """What is kept here, who is shown it and how it is stopped: no model knows it, and memory neither."""
        caller = draft.turn.caller
        return await draft.desk.patiently(lambda: self._commands.community.kept(caller, chats=self._chats))

    async def _explained(self, draft: Draft) -> Reply | None:
        """What led to the answer just given, or to the one that is replied to.

        None where memory had no part in it, and something else may be meant.
        """
        desk, turn = draft.desk, draft.turn
        refers = turn.message.reply_to
        before = await desk.patiently(lambda: desk.turns.before(turn)) if refers is None else refers
        if before is None:
            return None
        explain = self._commands.reply_reasons.of_answer
        reply = await desk.patiently(lambda: explain(draft.asker, before))
        if reply is None:
            return None
        # What is told and forgotten later must not be found in the record of the answer.
        await draft.as_command()
        explained = None if reply.listing is None else reply.listing.explains
        draft.trail = replace(draft.trail, explains=explained)
        return Reply(text=reply.text, stock=Stock.LISTED)

    async def _ruled(self, draft: Draft) -> Reply | None:
        """The rules of the place; None where admins laid down none, as somebody may have told of some."""
        turn = draft.turn
        if not rule_questions.asks(turn.message.content):
            return None
        reply = await draft.desk.patiently(lambda: self._commands.lists.rules(turn.caller))
        if reply is not None:
            # What is told and forgotten later must not be found in the record of the answer.
            await draft.as_command()
        return reply

    async def _listed(self, draft: Draft, wanted: plain_requests.Asked) -> Reply | None:
        """Lists memories; None where something may have been said of which none was made."""
        turn = draft.turn
        if not isinstance(wanted, plain_requests.ListRequest):
            return None
        if not turn.caller.access.reads:
            return Reply(text=draft.nothing_found(), stock=Stock.LISTED)
        spans = times.read(turn.message.content, as_of=turn.message.said_at, zone=turn.caller.time_zone).spans
        line = "by:me sort:new" if wanted.is_mine else ""
        line += f' said:"{spans[0].words}"' if spans else ""
        reply = await draft.desk.patiently(lambda: self._commands.lists.listed(turn.caller, line))
        found = reply.listing
        if found is None and (spans or answer_kinds.asks_what_was_said(turn.message.content)):
            return None
        # What is listed and forgotten later must not be found in the record of the listing.
        await draft.as_command()
        if found is None:
            return replace(reply, stock=Stock.LISTED)
        if turn.caller.space_id != TERMINAL_SPACE:
            return Reply(text=talked_lists.told(found, turn.caller), listing=found, stock=Stock.LISTED)
        lines = [f"{entry.head}\n{render.quoted(normalize.one_line(entry.body, LINE))}" for entry in found.entries]
        if found.pages > 1 and found.again:
            told = catalogue.gettext("Page 1 of {pages}; go on with {command} page:2")
            lines.append(told.format(pages=found.told_pages, command=f"{turn.caller.prefix}{found.again}"))
        text = "\n".join([catalogue.gettext("{title}:").format(title=found.title), *lines])
        return Reply(text=text, stock=Stock.LISTED)

    async def _missed(self, draft: Draft) -> Reply | None:
        """What the asker missed, or what happened in a while; offered where others would read it along.

        None also for what is on at a time that is to come, or happened in one of which nothing was said: memory may
        know of it.
        """
        turn = draft.turn
        content = plain_words.without_pleasantries(turn.message.content)
        spans = asked_times.read(content, as_of=turn.message.said_at, zone=turn.caller.time_zone).spans
        is_to_come = any(span.start is not None and span.start > turn.message.said_at for span in spans[:1])
        if is_to_come or not missed_questions.asks(content, [span.words for span in spans]):
            return None
        if not turn.caller.access.reads:
            return Reply(text=draft.nothing_found(), stock=Stock.LISTED)
        reach = await own_reach(turn.caller)
        own = (turn.message.message_id,)
        ask, only = self._commands.missed.asked, missed_questions.kinds(content)
        if missed_questions.asks_what_happened(content, [span.words for span in spans]):
            has_any = self._commands.missed.has_any
            if not await draft.desk.patiently(lambda: has_any(turn.caller, spans[:1], reach, apart_from=own)):
                return None
        reply = await draft.desk.patiently(lambda: ask(turn.caller, spans[:1], reach, only=only, apart_from=own))
        # What is told and forgotten later must not be found in the record of the answer.
        await draft.as_command()
        return reply

    async def _met(self, draft: Draft, word: SetAnswer | None) -> Reply | None:
        """Greeting or help, in full once a session and person, then briefly; talk is left to a model, if any."""
        desk, turn = draft.desk, draft.turn
        if word is None or (self._chats and word in {SetAnswer.GREETING, SetAnswer.POINTING}):
            return None
        if word is SetAnswer.POINTING:
            if turn.message.reply_to is not None or not await desk.patiently(lambda: desk.turns.is_first(turn)):
                return None
            word = SetAnswer.HELP
        stock = Stock(word.value)
        knows = await desk.patiently(lambda: desk.turns.has_told(turn, (stock,)))
        match word:
            case SetAnswer.GREETING:
                text = catalogue.gettext(hello.GREETING_BRIEFLY if knows else hello.GREETING)
            case SetAnswer.HELP:
                told = catalogue.gettext(hello.HELP_BRIEFLY if knows else hello.HELP)
                text = told.format(p=turn.caller.prefix)
            case SetAnswer.WHO:
                own = draft.speaker.voice or await desk.patiently(lambda: self._who.of(turn.caller.space_id))
                who = normalize.shown(own).strip()
                if _SPOKEN_TO.match(who):
                    who = catalogue.gettext(TOLD_TO_BE).format(identity=who)
                text = who.partition("\n")[0] if knows else f"{who}\n{catalogue.gettext(hello.AND_HELP)}"
        return Reply(text=text, stock=stock)


def _whole(turn: Turn, old: str, said: str, *, surely: bool = False) -> str | None:
    """What is so by now, by what the asker says of it."""
    return putting_right.whole(old, said, as_of=turn.message.said_at, zone=turn.caller.time_zone, surely=surely)


def _no_alarm(text: str) -> Reply | None:
    """That there is no alarm clock, to who asks for one."""
    return Reply(text=catalogue.gettext(NO_ALARM), stock=Stock.HELP) if plain_words.asks_for_alarm(text) else None


def plain_request(turn: Turn) -> plain_requests.Asked:
    """What a question asks of memory in plain words; none where it asks for nothing of the kind."""
    return plain_requests.read(turn.message.content, names=tuple(turn.message.mentioned))
