"""Shortens a summary from its beginning: what it tells last is what holds."""

from bot.llm.tokens import cut_to, estimate
from bot.text import sentences


def of(text: str, tokens: int) -> str:
    """The text without as many of its first sentences as make it longer than so many tokens."""
    if estimate(text) <= tokens:
        return text
    lines = sentences.split(text)
    costs = [estimate(line) + 1 for line in lines]
    first, left = 0, sum(costs)
    while left > tokens and first < len(lines) - 1:
        left -= costs[first]
        first += 1
    return cut_to(" ".join(lines[first:]), tokens)
