"""The laws of the estimate of tokens.

`token_samples.json` holds made-up texts and the greatest count of ten tokenizers for each: cl100k, o200k, p50k,
Claude's, Llama 2, Llama 3, Mistral's, Gemma 3, DeepSeek 3 and Qwen 3, measured once.
"""

import json
import time
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.llm.messages import ChatMessage, ToolCall
from bot.llm.tokens import MESSAGE_OVERHEAD, added, estimate, estimate_messages

SAMPLES: dict[str, dict[str, Any]] = json.loads(Path(__file__).with_name("token_samples.json").read_text("utf-8"))

WHOLE = 6
"""The most that a word may cost less once its last letter is there."""


@pytest.mark.parametrize("name", SAMPLES)
def test_the_estimate_never_falls_short(name: str) -> None:
    """At least what the hungriest tokenizer counted, and no more than twice that."""
    most, text = SAMPLES[name].values()
    assert most <= estimate(text) <= 2 * most


def test_english_is_estimated_closely() -> None:
    """Prose within 1.3 and chat within 1.4 times the greatest count, so that little of a prompt is left unused."""
    for name, share in (("english", 1.3), ("english_chat", 1.4)):
        most, text = SAMPLES[name].values()
        assert estimate(text) <= share * most


@given(st.text(alphabet=st.characters(min_codepoint=128)))
def test_beyond_ascii_no_tokenizer_needs_more_than_bytes(text: str) -> None:
    """Scripts and emoji nobody measured are safe too, lone surrogates included."""
    assert estimate(text) >= len(text.encode("utf-8", "surrogatepass"))


@given(st.text(), st.text())
def test_more_text_is_never_fewer_tokens(text: str, more: str) -> None:
    """What fits a limit still fits when its end is cut, but for a last word that is one token only as a whole."""
    assert estimate(text + more) + WHOLE >= estimate(text)


def test_a_line_costs_the_same_wherever_it_stands() -> None:
    """What is put together line by line is as long as it was counted: a word that ends a line is whole, too."""
    lines = ["\nThe spare key hangs behind the boiler", "\n#2/8 snacks: Whoever chose the book brings them", "\nBob:"]
    assert sum(map(added, lines)) == pytest.approx(added("".join(lines)))


def test_a_message_costs_more_than_its_text() -> None:
    """The template around it, its name and its calls count."""
    plain = ChatMessage(role="user", content="Hello there")
    named = ChatMessage(role="user", content="Hello there", name="Ann")
    call = ToolCall(call_id="c", name="recall", arguments='{"query": "tea"}')
    calling = ChatMessage(role="assistant", content="Hello there", tool_calls=(call,))
    assert estimate_messages([plain]) == MESSAGE_OVERHEAD + estimate("Hello there")
    assert estimate_messages([plain, plain]) == 2 * estimate_messages([plain])
    assert estimate_messages([named]) > estimate_messages([plain])
    assert estimate_messages([calling]) > estimate_messages([plain]) + estimate('recall{"query": "tea"}')


def test_the_estimate_is_fast() -> None:
    """10,000 letters of prose take about a millisecond; ten are allowed for a busy machine."""
    text = (SAMPLES["english"]["text"] + " ") * 46
    best = min(_seconds(text) for _ in range(5))
    assert best < 0.01


def _seconds(text: str) -> float:
    started = time.perf_counter()
    estimate(text)
    return time.perf_counter() - started
