"""Reads one emoji: one of Unicode's, or one of a server's own as Discord writes it; pure."""

import re
import unicodedata
from typing import Final

_OWN: Final = re.compile(r"<a?:\w{1,32}:(\d{15,20})>")
_KEYCAP: Final = re.compile("[0-9#*]\u20e3")
_FLAG: Final = re.compile("[\U0001f1e6-\U0001f1ff]{2}")
_TINT: Final = re.compile("[\U0001f3fb-\U0001f3ff\U000e0020-\U000e007f]+")
"""What gives a sign another colour, or makes a flag of it."""
_DRAWN: Final = "\ufe0f"
"""That it is drawn as a picture: some programs write it, others leave it out."""
_JOINER: Final = "\u200d"
_LONGEST: Final = 64


def key(text: str) -> str:
    """What tells an emoji from others: of a server's own its number, else its signs; nothing where it is no emoji."""
    own = _OWN.fullmatch(text)
    if own:
        return own[1]
    signs = text.replace(_DRAWN, "")
    if len(text) > _LONGEST:
        return ""
    if _KEYCAP.fullmatch(signs) or _FLAG.fullmatch(signs):
        return signs
    return signs if all(map(_is_picture, _TINT.sub("", signs).split(_JOINER))) else ""


def _is_picture(sign: str) -> bool:
    return len(sign) == 1 and sign > "\u2000" and unicodedata.category(sign) in {"So", "Sm"}
