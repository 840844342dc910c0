"""What a language needs of patterns for its requests to remember and to forget; `orders` applies them.

Patterns ignore case and are written without accents, with a straight apostrophe. They are tried where a message begins,
after any `lead`, or where it ends; each names the whole saying, so that a word that is said all day does nothing.
English has words for the parts of a request instead (`request_words`).
"""

from dataclasses import dataclass

from bot.language.requests import phrases


@dataclass(frozen=True, slots=True, kw_only=True)
class OrderPatterns(phrases.BesidePatterns):
    """One language's requests to remember and to forget."""

    lead: str
    """What may stand before a request, piece after piece."""
    told: str
    """What is followed by a clause to keep, or by what is one's own; its group `ask` is put as a question."""
    shown: str
    """What is followed by a mark, and behind that anything to keep."""
    pointed: str
    """What ends a message and asks to keep what stands before it."""
    listed: str
    """What alone stands in the line above a list to keep."""
    reminded: str
    """What asks to be reminded of a clause."""
    forgetting: str
    """What is followed by what to forget; its group `ask` is put as a question, here as below."""
    deleting: str
    """The same with a verb that may speak of anything."""
    wrapped: str = ""
    """What stands before what to forget where the verb comes behind it."""
    forgotten: str = ""
    """The verb that then ends the sentence."""
    deleted: str = ""
    everything: str
    """The whole of what is to be forgotten where it is all about oneself."""
    last: str
    """The same where it is what was just said."""
    talk: str
    """The same where it is this conversation."""
    numbers: frozenset[str]
    """The words beside the numbers of memories."""
    clause: str
    """What joins a clause to what asks to forget it."""
    about: str
    """What stands before the thing where all about it is to be forgotten."""
    behind: str
    """What stands behind it then."""
    own: str
    """How something begins that is one's own."""
    known: str
    """How something begins that may be meant, if it is remembered."""
    joint: str
    """What joins a second clause to it, where it then is no longer the thing alone."""
    memory: str
    """Where something is to be deleted from."""
    sighing: str
    """What stands before a word of forgetting by which something is let be, and nothing forgotten: `oh, forget it`."""
    negated: str = ""
    """What makes the opposite of a request to forget something."""
