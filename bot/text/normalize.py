"""Normalises texts before they are stored, compared or shown on one line, and refuses what can't be stored."""

import hashlib
import hmac
import re
import unicodedata
from typing import Final, Literal

from bot import catalogue, errors
from bot.text import sanitize

MAX_LENGTH: Final = 4000
"""Characters of one memory: what one Discord message of the longest kind can hold."""
_TOPIC_LENGTH: Final = 64
one_line = sanitize.one_line
shown = sanitize.shown

_INVISIBLE: Final = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0]"
)
_TOOL_OUTPUT: Final = re.compile(
    r'\A\s*(?:\{\s*"(?:tool_calls?|tool_call_id|function)"|<tool_(?:call|response)>)', re.IGNORECASE
)
ATTACHED: Final = "[attachment: "
"""How the line begins by which a recorded message names a file that came with it."""
_ATTACHED: Final = re.compile(r"\[(?:attachment|sticker): .*\]\Z")
"""The line of a recorded message that names a file or a sticker it came with."""
FORWARDED: Final = "[forwarded: "
"""How what a recorded message forwards begins, which stands at its end."""
_CAME_WITH: Final = re.compile(r"^\[(?:attachment|sticker|forwarded): ", re.MULTILINE)
_EMOJI: Final = re.compile(r":\w{1,64}:")
"""An emoji of a server's own, by its name."""
_LAST_STOP: Final = " .!…。"
_TOO_LONG: Final = {
    "memory": catalogue.later("That is {count} characters; a memory holds at most {most}."),
    "note": catalogue.later("That is {count} characters; a note holds at most {most}."),
    "reason": catalogue.later("That is {count} characters; a reason holds at most {most}."),
}
"""By what a text is to be."""


def cleaned(text: str, *, what: Literal["memory", "note", "reason"] = "memory") -> str:
    """The text as a memory, or `what` else it is to be, keeps it; line breaks stay.

    Composed (NFC), without controls, overrides and hidden tag text.

    Raises `RefusedText` for NUL bytes, nothing visible, more than 4,000 characters, and raw tool output.
    """
    if "\0" in text:
        raise errors.RefusedText(
            catalogue.later("That text holds a NUL byte, which can't be kept; please send it without.")
        )
    if is_tool_output(text):
        raise errors.RefusedText(
            catalogue.later("That is raw tool output, which is not kept; say what it means in words.")
        )
    text = unicodedata.normalize("NFC", text.encode("utf-8", "replace").decode())
    text = sanitize.plain(text).strip()
    if not _visible(text):
        raise errors.RefusedText(catalogue.later("There is no text to keep; write what I should remember."))
    if len(text) > MAX_LENGTH:
        raise errors.RefusedText(catalogue.gettext(_TOO_LONG[what]).format(count=len(text), most=MAX_LENGTH))
    return text


def is_tool_output(text: str) -> bool:
    """Whether the text is what tools are called with, or return to a model."""
    return _TOOL_OUTPUT.match(text) is not None


def by_its_author(text: str) -> str:
    """What the author of a recorded message wrote: without the files and stickers it came with and what it forwards."""
    found = _CAME_WITH.search(text)
    return text[: found.start()].strip() if found else text


def without_attachments(text: str) -> str:
    """What somebody wrote, without the lines that name the files and stickers it came with."""
    return "\n".join(line for line in text.splitlines() if not _ATTACHED.match(line)).strip()


def has_words(text: str) -> bool:
    """Whether a message has a letter or a number: signs and emoji alone are nothing that can be looked for."""
    return any(sign.isalnum() for sign in _EMOJI.sub("", text))


def sayable(text: str) -> None:
    """Raises `RefusedText` for a message that can't be recorded: NUL bytes, or nothing anyone could see."""
    if "\0" in text:
        raise errors.RefusedText(
            catalogue.later("That message holds a NUL byte, which can't be kept; please send it without.")
        )
    if not _visible(text):
        raise errors.RefusedText(catalogue.later("There is nothing to read in that message."))


def label(text: str, default: str) -> str:
    """A room's or topic's name: one line, lower case, at most 64 characters; the default when nothing is left."""
    text = text[:MAX_LENGTH]
    name = " ".join(cleaned(text).lower().split())[:_TOPIC_LENGTH].strip() if _visible(text) else ""
    return name or default


def content_hash(text: str) -> bytes:
    """16 bytes that are equal for the same fact said again: case, spacing, invisible marks and a last stop aside."""
    return hashlib.blake2b(_core(text), digest_size=16).digest()


def content_mac(key: bytes, text: str) -> bytes:
    """The keyed form of `content_hash`, for what must not be guessed at."""
    return hmac.digest(key, _core(text), "sha256")


def _core(text: str) -> bytes:
    folded = unicodedata.normalize("NFKC", _INVISIBLE.sub("", text)).casefold()
    return " ".join(folded.split()).rstrip(_LAST_STOP).encode()


def _visible(text: str) -> bool:
    return any(
        not c.isspace() and unicodedata.category(c) not in {"Cf", "Cc", "Cn", "Mn", "Me"}
        for c in _INVISIBLE.sub("", text)
    )


DULL: Final = frozenset(
    [
        "about",
        "after",
        "again",
        "all",
        "also",
        "always",
        "and",
        "any",
        "are",
        "because",
        "been",
        "before",
        "being",
        "but",
        "can",
        "could",
        "did",
        "does",
        "doing",
        "done",
        "for",
        "from",
        "had",
        "has",
        "have",
        "her",
        "here",
        "hers",
        "him",
        "his",
        "how",
        "into",
        "its",
        "just",
        "let",
        "like",
        "make",
        "many",
        "more",
        "most",
        "much",
        "must",
        "need",
        "not",
        "now",
        "off",
        "one",
        "only",
        "other",
        "our",
        "out",
        "over",
        "own",
        "please",
        "put",
        "said",
        "same",
        "says",
        "she",
        "should",
        "some",
        "such",
        "than",
        "that",
        "the",
        "their",
        "them",
        "then",
        "there",
        "these",
        "they",
        "this",
        "those",
        "too",
        "under",
        "until",
        "use",
        "used",
        "uses",
        "very",
        "want",
        "wants",
        "was",
        "were",
        "what",
        "when",
        "where",
        "which",
        "while",
        "who",
        "whom",
        "why",
        "will",
        "with",
        "would",
        "you",
        "your",
        "i'm",
        "it's",
        "don't",
        "we're",
        "they're",
        "he's",
        "she's",
        "i've",
        "we've",
    ]
)
"""English words that tell nothing of what a text is about."""
