"""Estimates tokens offline, without falling short of real tokenizers on ordinary text.

Fitted to the greatest count of ten tokenizers (cl100k, o200k, p50k, Claude's, Llama 2 and 3, Mistral's, Gemma 3,
DeepSeek 3, Qwen 3); the tests hold what they counted. English prose comes out some 1.2 times the greatest of them:
`whole_words.txt` lists the words of five letters and more that are one token in each of the ten behind a blank.
"""

import re
from collections.abc import Sequence
from functools import cache, lru_cache
from importlib import resources
from math import ceil
from typing import Final

from bot.domain import Picture
from bot.llm.messages import ChatMessage

MESSAGE_OVERHEAD: Final = 6
"""Tokens a chat template spends around one message (measured at most 5 on common templates)."""
MORE: Final = "…"
"""Stands where a text goes on that was shortened: a model that quotes it tells it to people."""
_CALL_OVERHEAD: Final = 8
_PICTURE: Final = 85
_PIXELS: Final = 700
"""What a picture takes, and how many of its pixels are one more: Claude counts a token for 750, Qwen's and Mistral's
models for 784, and OpenAI's 85 and 170 for each square of 512 by 512."""
_FEWEST_PIXELS: Final = 120_000
"""Of a picture in which anything is to be made out: 400 by 300."""
_MOST_PIXELS: Final = 1_060_000
"""What is more, models make smaller themselves."""
_START: Final = 2
"""What some tokenizers put before a text, and what the joints of a short one cost."""


def _classes(**classes: str) -> bytes:
    """A table for `bytes.translate`: the letter of its class for every byte, `.` for those of none."""
    table = bytearray(b"." * 256)
    for letter, members in classes.items():
        for member in members.encode("latin-1"):
            table[member] = ord(letter)
    return bytes(table)


_LOWER: Final = "abcdefghijklmnopqrstuvwxyz"
_BEYOND_ASCII: Final = "".join(map(chr, range(128, 256)))
# Counting in a text of few classes is many times faster than a regular expression on the text itself.
_WORDS: Final = _classes(w=_LOWER + _LOWER.upper())
_SHAPES: Final = _classes(a=_LOWER, A=_LOWER.upper(), d="0123456789", h=_BEYOND_ASCII, s=" ", n="\t\n\v\f\r")
_CONSONANTS: Final = _classes(c="bcdfghjklmnpqrstvwxz" + "bcdfghjklmnpqrstvwxz".upper())
_RARE: Final = b"jqxzJQXZ"
_KNOT: Final = re.compile(rb"ccc+")
"""Consonants in a row: foreign words and keys; English has few."""
_VOWELS: Final = _classes(v="aeiouyAEIOUY")
_SONG: Final = re.compile(rb"vvv+")
"""Vowels in a row; as rare in English."""
_ODD_PAIRS: Final = tuple(b"aa ae ao ii iu iy oe oi uo uu uy ya yi yu yy eo".split())
"""Pairs of vowels few words of any vocabulary hold."""
_BLANKS: Final = re.compile(rb"sss*")
_JOINTS: Final = (b"aA", b"AA", b"da", b"dA")
"""Where the case turns or a digit meets a letter: a new token in names of code and in keys."""
_LONG: Final = 9
"""Letters past which a word is rarely in a vocabulary as it stands."""


_CLOSING: Final = b".,;:!?)\"'"
"""Marks that stand behind a word and leave it whole."""


def estimate(text: str) -> int:
    """Tokens of `text`, on the high side; 10,000 letters take some 0.6 ms, and nothing when asked again soon."""
    return ceil(_START + added(text))


@lru_cache(maxsize=8192)
def added(text: str) -> float:
    """Tokens by which a text grows that this one is joined to."""
    raw = text.encode("utf-8", "surrogatepass")
    whole = _whole_words()
    # A word that ends a line is whole as well.
    behind_blank = [word.partition(b"\n")[0].rstrip(_CLOSING) for word in raw.split(b" ")[1:]]
    return _cost(raw) - sum([_beyond_one(word) for word in behind_blank if word in whole])


@cache
def _whole_words() -> frozenset[bytes]:
    """Words that are one token."""
    return frozenset((resources.files("bot") / "llm" / "whole_words.txt").read_bytes().split())


@cache
def _beyond_one(whole_word: bytes) -> float:
    """What a word that is one token would be estimated at beyond that."""
    return _cost(whole_word) - 1


def _cost(raw: bytes) -> float:
    """Tokens of a text by its letters, marks and blanks alone."""
    shapes = raw.translate(_SHAPES)
    small = raw.lower()
    words = list(map(len, raw.translate(_WORDS).split(b".")))
    return (
        # A byte each: no tokenizer needs more beyond ASCII, half of them part digits, and marks rarely pair.
        shapes.count(b"h")
        + shapes.count(b"d")
        + shapes.count(b".")
        + sum([(letters + 3) // 4 for letters in words])
        + sum([letters - _LONG for letters in words if letters > _LONG]) * 0.3
        + (len(raw) - len(raw.translate(None, _RARE))) * 0.8
        + sum([len(knot) - 2 for knot in _KNOT.findall(raw.translate(_CONSONANTS))]) * 0.8
        + sum([len(song) - 2 for song in _SONG.findall(raw.translate(_VOWELS))])
        + sum(map(small.count, _ODD_PAIRS))
        + sum(map(shapes.count, _JOINTS)) * 0.6
        + _white(shapes)
    )


def _white(shapes: bytes) -> int:
    """Tokens of white space: the blank before a word or a mark is a part of it, all other is its own."""
    lone = sum(map(shapes.count, (b"sd", b"sh", b"sn"))) + shapes.endswith(b"s")
    return shapes.count(b"n") + lone + sum([1 + len(run) // 8 for run in _BLANKS.findall(shapes)])


def estimate_messages(messages: Sequence[ChatMessage]) -> int:
    """Tokens of a prompt, with what a chat template adds to each message."""
    return sum(map(estimate_message, messages))


def estimate_message(message: ChatMessage) -> int:
    """Tokens of one message of a prompt, with what a chat template adds to it."""
    tokens = MESSAGE_OVERHEAD + estimate(message.content)
    if message.name:
        tokens += estimate(message.name)
    for call in message.tool_calls:
        tokens += _CALL_OVERHEAD + estimate(call.name + call.arguments)
    return tokens + sum(map(of_picture, message.pictures))


def of_picture(picture: Picture) -> int:
    """Tokens of a picture, about."""
    return _PICTURE + ceil(picture.width * picture.height / _PIXELS)


def picture_area(tokens: int) -> int:
    """How many pixels a picture may have that is to take so many tokens; never too few to make anything out."""
    return min(_MOST_PIXELS, max(_FEWEST_PIXELS, (tokens - _PICTURE) * _PIXELS))


def shortened(text: str, tokens: int) -> str:
    """The text where it is at most so many tokens by the estimate; else its beginning, and a sign that it goes on."""
    return text if estimate(text) <= tokens else cut_to(text, tokens - estimate(MORE)).rstrip() + MORE


def cut_to(text: str, tokens: int) -> str:
    """The beginning of a text that is at most so many tokens by the estimate."""
    if estimate(text) <= tokens:
        return text
    low, high = 0, len(text)
    costs, most = 0, estimate(text)
    by_share = True
    while high - low > 1:
        # Of a text of one kind its share of the tokens tells where; halving in between ends it for any other.
        share = (tokens - costs) / max(1, most - costs) if by_share else 0.5
        middle = min(high - 1, max(low + 1, low + int(share * (high - low))))
        cost = estimate(text[:middle])
        if cost <= tokens:
            low, costs = middle, cost
        else:
            high, most = middle, cost
        by_share = not by_share
    return text[:low]
