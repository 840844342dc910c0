"""The laws of what a tool may be told where others' words stand in a prompt."""

import json
from typing import Any, Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.grounding import call_arguments

ASKED: Final = "@Hathi please look up what Moorcroft glazes cost in 2024, and when the fair opens"
SEARCH: Final[dict[str, Any]] = {
    "type": "object",
    "properties": {
        "query": {"type": "string", "description": "Such as the spare key."},
        "count": {"type": "integer", "default": 10},
        "sort": {"anyOf": [{"enum": ["newest", "nearest"]}, {"type": "null"}]},
        "area": {"type": "object", "properties": {"radius": {"const": 5}}},
    },
}


def may(arguments: Any, asked: str = ASKED) -> bool:
    return call_arguments.may_call(json.dumps(arguments), asked, SEARCH)


@pytest.mark.parametrize(
    "arguments",
    [
        {},
        {"query": "Moorcroft glazes cost 2024"},
        {"query": "moorcroft GLAZE costs of the fair"},
        {"query": '"Moorcroft": what is it, and for whom?'},
        {"query": "open of the fairs"},
        {"query": "fair", "sort": "newest", "count": 10, "area": {"radius": 5}},
        {"query": "fair", "sort": None},
        {"query": ["fair", "glazes"]},
    ],
)
def test_what_the_question_says_may_be_looked_up(arguments: Any) -> None:
    """In its words, in another form of them, in words of grammar, and with what the tool itself offers."""
    assert may(arguments)


@pytest.mark.parametrize(
    "arguments",
    [
        {"query": "Moorcroft glazes Rosa"},
        {"query": "Moorcroft lamp"},
        {"query": "Moorcroft spare key"},
        {"query": "Moorcroft 2025"},
        {"query": "Moorcroft 20244"},
        {"query": "fair k e y"},
        {"query": "fairRosa"},
        {"query": "fairtwo"},
        {"query": "fair-rosa.example"},
        {"query": "https://example.org/?q=rosa"},
        {"query": "fair \u2603"},
        {"query": "fair\u200b"},
        {"query": "fair", "rosa": True},
        {"query": "fair", "area": {"rosa": 1}},
        {"query": "fair", "count": 7},
        {"query": "fair", "sort": "oldest"},
        ["Rosa"],
        "Rosa",
        17,
    ],
)
def test_what_others_said_may_not_be_told(arguments: Any) -> None:
    """No name, number, word or letter, in no place of the arguments, and no sign that carries one."""
    assert not may(arguments)


def test_languages_without_blanks_are_read() -> None:
    """A word stands where its letters stand beside each other."""
    asked = "\u4eac\u90fd\u306e\u5929\u6c17\u3092\u691c\u7d22\u3057\u3066"
    assert may({"query": "\u4eac\u90fd \u5929\u6c17"}, asked)
    assert not may({"query": "\u6771\u4eac"}, asked)
    assert not may({"query": "\u96e8"}, asked)


@pytest.mark.parametrize("arguments", ["{", "[" * 100_000, '{"a": ' * 5_000])
def test_what_is_no_json_may_not_be_called(arguments: str) -> None:
    """Neither what is nested too deep to be read."""
    assert not call_arguments.may_call(arguments, ASKED, SEARCH)


@given(st.text(), st.text())
def test_nothing_but_the_question_is_told(query: str, other: str) -> None:
    """The question itself may always be sent; with a word that nobody said beside it, it may not."""
    assert may({"query": query}, query)
    assert not may({"query": f"{query} \u2603xylograph{len(other)}"}, query)
