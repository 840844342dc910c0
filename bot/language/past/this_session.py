"""Tells whether a question is about the current session: what was said here a moment ago."""

import re
from typing import Final

from bot.text import patterns

_NOW: Final = re.compile(
    patterns.either(
        r"""
        \bjust (?:now )?(?:said|say|told|tell|mentioned|mention|asked|ask|wrote|write|sent|suggested|talking\
            |discussing)\b
        \b(?:said|say|told|mentioned|asked|wrote|sent|talked about|discussed)\b[^|]{0,60} (?:just now|a (?:moment\
            |minute|second|few (?:minutes|seconds)|couple of minutes) ago|moments ago|(?:two|three|five|ten\
            |\d) minutes ago)\b
        \b(?:a (?:moment|minute|second|few (?:minutes|seconds)) ago|moments ago|just now)\b
        \b(?:in|during|so far in|earlier in|from) this (?:conversation|chat|session|thread)\b
        \bwhat (?:have|did) (?:we|i|you) (?:\S+ ){0,3}?so far\b
        """
    )
)


def asked_of(text: str) -> bool:
    """Whether the plain text asks about what was said a moment ago, here: its answer is in the session at hand."""
    return bool(_NOW.search(text))
