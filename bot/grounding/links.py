"""The links, mentions and addresses of a text; pure."""

import re
from collections.abc import Iterable
from typing import Final

_LINK: Final = re.compile(r"https?://\S+|<[@#:][^<>\s]{1,100}>|(?<![\w.+-])[\w.+-]{1,64}@[\w-]{1,63}\.[\w.]{1,190}")
_PUNCTUATION: Final = ".,;:!?)>]\"'*"


def found(text: str) -> Iterable[str]:
    """The links, mentions and addresses of a text."""
    if not _may_link(text):
        return ()
    return (found[0].rstrip(_PUNCTUATION) if found[0][0] != "<" else found[0] for found in _LINK.finditer(text))


def without(text: str) -> str:
    """The text without them."""
    return _LINK.sub(" ", text) if _may_link(text) else text


def _may_link(text: str) -> bool:
    """Whether it holds a sign that every link, mention and address has: most texts hold none."""
    return "://" in text or "@" in text or "<" in text
