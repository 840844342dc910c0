"""L3: messages that a question links to, and the texts of attached files."""

from collections.abc import Mapping, Sequence
from typing import Final

from bot import catalogue
from bot.domain import ELSEWHERE, ChannelId, Layer, Memory, Message, MessageId, Role
from bot.layers import memory_layers
from bot.layers.walk import Evidence, Finding, WalkQuestion
from bot.recall.file_search import HALF, Attachment, AttachmentSearch
from bot.recall.librarian import Librarian
from bot.store.files.attachments import Attachments
from bot.store.turn_trails import TurnTrails
from bot.text import message_links, normalize

MOST_FILES: Final = 3
"""Files that are shown as answers, beside those of messages that the question points to."""
OWN_ANSWER: Final = catalogue.later("an earlier answer of Hathi's")
_LONGEST_NAME: Final = 80


class StoredArtifacts:
    """Finds linked messages, and files that everyone who will read the answer may see."""

    def __init__(
        self, librarian: Librarian, attachments: Attachments, search: AttachmentSearch, trails: TurnTrails
    ) -> None:
        self._librarian = librarian
        self._attachments = attachments
        self._search = search
        self._trails = trails

    async def look(self, asking: WalkQuestion) -> Finding:
        """The messages it links or replies to or their files, its own files, then other files.

        Of an answer of Hathi's that it replies to, what that cites: Hathi's own words are evidence of nothing.
        What stands in another space, in a channel that not everyone here may see, or is forgotten, is not found, as if
        it had never been. The files of the question itself are waited for, three seconds at most. Raises `HathiError`
        where the database can't be reached.
        """
        caller, question = asking.caller, asking.question
        await self._attachments.arrived(caller.space_id, question.message_id)
        memories, refers = await self._referred(asking)
        pointed = await self._pointed(asking, refers)
        sent = await self._search.in_files(caller, question, asking.files)
        beside = await self._search.of_messages(caller, question, (message_id for _, message_id in pointed))
        parsed = asking.shared.parsed
        found = await self._search.search(caller, question, parsed=parsed, apart_from=asking.apart_from)
        near = [*sent, *beside.attachments]
        files = _joined(near, found.attachments)
        # The remark a file came with, and its name, would be told before what is written in it.
        brought = {file.message_id for file in near}
        said = [(place, said) for (place, key), said in pointed.items() if key not in brought]
        # What only came with the question need not be what it is about.
        about = {one.message_id for one in near if one.message_id != question.message_id or asking.asks_of_files}
        evidence = (
            *(memory_layers.of_memory(memory, None, Layer.ARTIFACTS, 1.0) for memory in memories),
            *(_message(number, place, said) for number, (place, said) in enumerate(said, 1)),
            *(
                _file(number, file, is_sure=file.message_id in about or file.score >= HALF)
                for number, file in enumerate(files, 1)
            ),
        )
        told = catalogue.gettext("messages it points to: {messages}; files that speak of it: {files} of {of}")
        return Finding(
            evidence=evidence,
            looked=len(memories) + len(pointed) + len(sent) + beside.considered + found.considered,
            why=told.format(messages=len(pointed), files=len(files), of=len(sent) + found.considered),
        )

    async def _referred(self, asking: WalkQuestion) -> tuple[Sequence[Memory], Sequence[MessageId]]:
        """The message that the question replies to; of an answer of Hathi's, the memories and messages it cites."""
        caller, refers = asking.caller, asking.question.reply_to
        if refers is None:
            return (), ()
        told = await self._trails.of(caller, refers)
        if told is None or told.turn_id == refers:
            return (), (refers,)
        cited = [told.trail.origin(label) for label in told.trail.cited]
        memories = [one.memory_id for one in cited if one.memory_id is not None]
        left = await self._trails.standing(caller, memories, ())
        said = [one.message[1] for one in cited if one.message is not None and one.memory_id not in left.memories]
        return [left.memories[key] for key in memories if key in left.memories], said

    async def _pointed(
        self, asking: WalkQuestion, refers: Sequence[MessageId]
    ) -> Mapping[tuple[ChannelId, MessageId], Message]:
        """The messages that the question links to, and those it refers to, where they stand; in its order."""
        caller, question = asking.caller, asking.question
        ids = [*message_links.named(question.content, caller.space_id, is_direct=caller.is_direct), *refers]
        wanted = [*dict.fromkeys(key for key in ids if key != question.message_id)]
        # Where nothing of it is kept, as it was read for this turn.
        found = {said.message_id: (said.channel_id, said) for said in asking.nearby if said.message_id in wanted}
        found |= {said.message_id: (place, said) for place, said in await self._librarian.linked(caller, wanted)}
        for key in wanted:
            said = None if key in found else await self._librarian.reply(caller, key)
            # Of an answer made from what is not stored only that is stored.
            if said is not None and not said[0].content.startswith(ELSEWHERE):
                # A long reply is several messages, recorded as its first.
                place = await self._librarian.places(caller, [said[0].message_id])
                found[key] = place.get(said[0].message_id, said[0].channel_id), said[0]
        return {(found[key][0], found[key][1].message_id): found[key][1] for key in wanted if key in found}


def _joined(beside: Sequence[Attachment], found: Sequence[Attachment]) -> list[Attachment]:
    """Those of the question and of what it points to, then the others, each once."""
    near = {(one.message_id, one.name): one for one in reversed(beside)}
    others = [one for one in found if (one.message_id, one.name) not in near]
    return [*reversed(near.values()), *others[:MOST_FILES]]


def _message(number: int, place: ChannelId, said: Message) -> Evidence:
    return Evidence(
        label=f"M{number}",
        layer=Layer.ARTIFACTS,
        content=said.content,
        title=catalogue.gettext(OWN_ANSWER) if said.role is Role.HATHI else "",
        author=said.speaker,
        said_at=said.said_at,
        message=(place, said.message_id),
        score=1.0,
    )


def _file(number: int, file: Attachment, *, is_sure: bool) -> Evidence:
    name = normalize.one_line(normalize.shown(file.name), _LONGEST_NAME)
    return Evidence(
        label=f"A{number}",
        layer=Layer.ARTIFACTS,
        content=file.passage,
        title=catalogue.gettext("{name}, attached to a message").format(name=name),
        author=file.author,
        said_at=file.said_at,
        message=(file.place_id, file.message_id),
        score=file.score,
        is_sure=is_sure,
    )
