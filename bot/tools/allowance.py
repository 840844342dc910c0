"""What models may still do in one turn: rounds, calls, saves, tokens and time, over all roles and drafts."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from time import monotonic
from typing import Final

from bot.llm.messages import ChatMessage, Finished
from bot.llm.tokens import estimate, estimate_messages
from bot.store.archivist import MOST_BY_MODEL

MOST_ROUNDS: Final = 8
"""Of tools, of one model; then it is asked once to answer with what it has."""
MOST_CALLS: Final = 12
"""Of one turn."""
MOST_DEEP: Final = 2
"""Delegations below one another."""


@dataclass(slots=True)
class Allowance:
    """What models may still do in one turn."""

    saves: int = MOST_BY_MODEL
    calls: int = MOST_CALLS
    spent: int = 0
    """Tokens of prompts and answers."""
    given_up: dict[tuple[str, str], str] = field(default_factory=dict[tuple[str, str], str])
    """The acts, by tool and arguments, that were not waited for any longer, and are not done again as they may be done.

    With what the asker is told of each.
    """
    _tokens: float = math.inf
    _until: float = math.inf

    def begin(self, *, tokens: int, seconds: int) -> None:
        """Counts from the turn's first call of a model: so many tokens, and so much time."""
        if math.isinf(self._until):
            self._tokens, self._until = tokens, monotonic() + seconds

    @property
    def is_used_up(self) -> bool:
        """Whether no further tool may be called: the calls, the tokens or the time are over."""
        return not self.calls or not self.covers(1) or self._left <= 0

    def covers(self, tokens: int) -> bool:
        """Whether so many tokens may still be spent."""
        return self.spent + tokens <= self._tokens

    def seconds(self, most: float = math.inf) -> float | None:
        """How long what begins now may take: the time that is left, at most so much; none where that has no end."""
        left = min(most, max(self._left, 0))
        return None if math.isinf(left) else left

    @property
    def _left(self) -> float:
        """Seconds."""
        return self._until - monotonic()

    def spend(self, prompt: Sequence[ChatMessage], finished: Finished) -> None:
        """Counts what a model's answer took: as its server says, or else as is estimated."""
        usage = finished.usage
        self.spent += usage.tokens_in + usage.tokens_out or estimate_messages(prompt) + estimate(finished.text)
