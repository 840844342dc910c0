"""Cuts transcripts into pieces that fit a model's context, each of which comes to a text and facts; pure."""

import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from bot.domain import Fact, Message
from bot.llm.tokens import estimate
from bot.prompting import compose

SMALLEST: Final = 200
"""Tokens below which a piece is not halved again."""

Lines = Sequence[tuple[int, Message]]
"""Messages with the numbers they have in a transcript."""
Weighed = tuple[int, Message, int]
"""A numbered message with its tokens."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PieceMade:
    """What a piece came to."""

    text: str = ""
    facts: tuple[Fact, ...] = ()
    raw: str = ""
    """What the model wrote; empty where none did."""
    model: str


def split(numbered: Lines, room: int) -> list[list[tuple[int, Message]]]:
    """The messages in pieces of at most `room` tokens as a transcript, in order; a longer message is cut into parts."""
    return packed(weighed(numbered, room), room)


def halves(piece: Lines, most: int) -> list[list[tuple[int, Message]]]:
    """The piece in pieces of half its tokens, and of `most` of them; none where it is too small for that."""
    room = min(most, sum(cost for _, _, cost in weighed(piece, sys.maxsize)) // 2)
    return split(piece, room) if room >= SMALLEST else []


def packed(costs: Sequence[Weighed], room: int) -> list[list[tuple[int, Message]]]:
    """Weighed messages in pieces of at most `room` tokens, in order."""
    pieces: list[list[tuple[int, Message]]] = [[]]
    left = room
    for number, part, cost in costs:
        if cost > left and pieces[-1]:
            pieces.append([])
            left = room
        pieces[-1].append((number, part))
        left -= cost
    return [piece for piece in pieces if piece]


def weighed(numbered: Lines, room: int) -> list[Weighed]:
    """Each message with its tokens as a transcript line; one longer than the limit in parts."""
    found: list[Weighed] = []
    for number, message in numbered:
        cost = estimate(compose.transcript([(number, message)]) + "\n")
        if cost <= room:
            found.append((number, message, cost))
            continue
        # As many parts as it has rooms: few of them have to be cut again.
        text = message.content
        size = -(-len(text) // -(-cost // room))
        parts = [replace(message, content=text[at : at + size]) for at in range(0, len(text), size)]
        found += weighed([(number, part) for part in parts], room)
    return found
