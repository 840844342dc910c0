"""What stands in the prompt of one question of people's words, as evidence that an answer is held against."""

from collections.abc import Sequence
from dataclasses import replace

from bot.domain import Layer, Message, Role, SentFile
from bot.language.statements import assertions
from bot.layers.walk import Evidence
from bot.turn.draft import Draft


def of(draft: Draft, history: Sequence[Message], files: Sequence[SentFile] = ()) -> list[Evidence]:
    """Active Memory and the session's start, what tools returned, what people said here and earlier, and files.

    A memory or note has the label that it has in the prompt, the rest one that nothing there is called by.
    """
    said = [*history[draft.trail.left_out :], *draft.nearby]
    said += [one.message for one in draft.earlier if one.message is not None]
    beside = {one.label for one in draft.beside}
    found = {one.content: one for one in draft.found if one.label not in beside}.values()
    return [
        *draft.beside,
        *(one if one.memory_id is not None else replace(one, label=f"T{n}") for n, one in enumerate(found, 1)),
        *(_said(f"H{n}", one) for n, one in enumerate(said, 1) if tells(one)),
        *(_said(f"F{n}", one.message, one.text) for n, one in enumerate(files, 1) if one.text),
    ]


def besides(draft: Draft) -> list[Evidence]:
    """What a free answer may tell besides: what the asker states, what tools said, and what was summed up."""
    told = [*draft.looked_up, *(one.text for one in draft.earlier if one.message is None)]
    stated = assertions.stated(draft.turn.message.content)
    return [
        *([_said("Q", draft.turn.message, stated)] if stated else []),
        *(Evidence(label=f"L{n}", layer=Layer.PALACE, content=text) for n, text in enumerate(told, 1)),
    ]


def tells(message: Message) -> bool:
    """Whether somebody states something in a message, and does not only ask."""
    return message.role is Role.PERSON and assertions.states(message.content)


def _said(label: str, message: Message, text: str = "") -> Evidence:
    return Evidence(
        label=label,
        layer=Layer.ARTIFACTS if text else Layer.SCRATCHPAD,
        content=text or message.content,
        author=message.speaker,
        author_id=message.author_id,
        said_at=message.said_at,
        message=(message.channel_id, message.message_id),
    )
