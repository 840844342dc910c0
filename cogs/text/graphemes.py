"""Grapheme boundaries: the part of Unicode's UAX 29 that chat needs."""

import unicodedata
from typing import Final

_JOINER: Final = "\u200d"
_EXTENDERS: Final = frozenset("\u200c\u200d\u0e33\u0eb3")
"""Joiners, and the vowels of Thai and Lao that are letters by category."""
_VIRAMA: Final = 9
"""The canonical combining class of signs that bind two consonants."""


def floor(text: str, low: int, position: int) -> int:
    """The last boundary at or before a position and behind `low`, itself a boundary; the position, if there is none."""
    at = position
    while at > low and at < len(text) and _is_joined(text, low, at):
        at -= 1
    return at if at > low else position


def extends(character: str) -> bool:
    """Whether a character is drawn onto the one before it."""
    point = ord(character)
    return (
        character in _EXTENDERS
        or 0x1F3FB <= point <= 0x1F3FF
        or 0xE0020 <= point <= 0xE007F
        or unicodedata.category(character) in {"Mn", "Me", "Mc"}
    )


def _is_joined(text: str, low: int, at: int) -> bool:
    before, character = text[at - 1], text[at]
    if extends(character) or before == _JOINER or (before == "\r" and character == "\n"):
        return True
    if _is_flag(character) and _is_flag(before):
        first = at
        while first > low and _is_flag(text[first - 1]):
            first -= 1
        return (at - first) % 2 == 1
    if unicodedata.combining(before) == _VIRAMA:
        return unicodedata.category(character) == "Lo"
    return _is_hangul(before) and _follows_hangul(before, character)


def _is_flag(character: str) -> bool:
    return 0x1F1E6 <= ord(character) <= 0x1F1FF


def _is_hangul(character: str) -> bool:
    point = ord(character)
    return 0x1100 <= point <= 0x11FF or 0xA960 <= point <= 0xA97C or 0xAC00 <= point <= 0xD7FB


def _follows_hangul(before: str, character: str) -> bool:
    point = ord(character)
    if 0x1160 <= point <= 0x11FF or 0xD7B0 <= point <= 0xD7FB:
        return True
    leads = 0x1100 <= ord(before) <= 0x115F or 0xA960 <= ord(before) <= 0xA97C
    return leads and (0x1100 <= point <= 0x115F or 0xA960 <= point <= 0xA97C or 0xAC00 <= point <= 0xD7A3)
