"""What models may still do in one turn: rounds, calls, saves, tokens and time, over all roles and drafts."""

import math
import time
from dataclasses import dataclass
from typing import Final

from bot.llm.messages import Usage
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
    """Tokens of prompts and answers, as the servers counted them."""
    _tokens: float = math.inf
    _until: float = math.inf

    def begin(self, *, tokens: int, seconds: int) -> None:
        """Counts from the turn's first call of a model: so many tokens, and so much time."""
        if math.isinf(self._until):
            self._tokens, self._until = tokens, time.monotonic() + seconds

    @property
    def is_used_up(self) -> bool:
        """Whether no further tool may be called: the calls, the tokens or the time are over."""
        return not self.calls or self.spent >= self._tokens or time.monotonic() >= self._until

    def spend(self, usage: Usage) -> None:
        """Counts what a model's answer took."""
        self.spent += usage.tokens_in + usage.tokens_out
