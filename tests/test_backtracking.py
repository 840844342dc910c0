"""No regular expression takes longer than linear in a text that may be long."""

import json
import re
import subprocess
import sys
from functools import cache
from typing import Any, Final

import pytest

from tests import backtracking
from tests.patterns_in_use import ROOT

SLOW: Final = (
    r"(?P<mark>[.!?\u2026]+)[\"')]{0,3}(?:\s?[\u2600-\u27bf]+)?(?=\s|\Z)",  # as sentences once ended
    r"a+b",
    r"x*y",
    r"\s+$",
    r"[\s.!]+\Z",
    r"\{.*\}",
    r"<[^>]*>",
    r"(.*)=(.*);",
    r"(?=.*x)y",
    r"a++b",
    r"(?:\w+ )*x",
    r"(?:\s*,\s*x)?",
    r"a(?:.*b)?",
    r"^\w*\w*x",
    r"^\s*,?\s*x$",
    r"(a|a)*b",
    r"(a+)+b",
    r"^(a+)+$",
    r"^(\w+\s?)*$",
    r"^(([a-z])+.)+[A-Z]([a-z])+$",
    r"^(a|aa)+$",
    r"(?i)a+B",
    r"^a.{0,500}b.{0,500}c",
)
"""Each of them as a search; the last of a bound that is none."""
QUICK: Final = (
    r"(?<![.!?\u2026])[.!?\u2026]++[\"')]{0,3}+(?:\s?[\u2600-\u27bf]++)?(?=\s|\Z)",
    r"\w+",
    r"\ba+b",
    r"\b\w+ x",
    r"(?<!\w)\w+(?!\w)",
    r"https?://\S+",
    r"^a+b",
    r"\A\s*x",
    r'"[^"]*"',
    r"a{1,64}b",
    r"<[^<>]{1,100}>",
    r"^\w++\w*x",
    r"(\w)\1{2,}",
    r"(?s)```.*?(?:```|\Z)",
    r"\w+(?:['-]\w+)*",
    r"(?:a|b)*",
    r"\d+|x",
    r"(?<=://)[^\s/@:]*:x",
)
BOUNDED: Final = {
    # Who only seeks a thing says so in a few words.
    "bot/language/questions/seeking.py": 160,
    # A statement is one sentence, and a long one is none.
    "bot/language/statements/claims.py": 420,
    "bot/language/statements/exclusions.py": 600,
    "bot/language/statements/topics.py": 250,
    "bot/language/statements/worth.py": 420,
    # A formula is short, and what is longer is none.
    "bot/text/formulas.py": 200,
    # Looked for in a window at a text's edge, or around something found.
    "bot/language/requests/kept_texts.py": 500,
    "bot/language/requests/orders.py": 300,
    "bot/language/requests/plain_words.py": 500,
    # Whoever takes back a rule says so in few words.
    "bot/language/requests/scrapped_rules.py": 200,
    "bot/language/tags/triviality.py": 400,
    "bot/llm/completions.py": 1_000,
    "bot/grounding/names.py": 30,
    "bot/grounding/recollection.py": 60,
}
"""Where expressions may be slower, as they are never given more than so many characters."""


@cache
def in_use() -> list[tuple[str, str, int, bool, bool, int]]:
    """Every expression: its module, pattern and flags, whether it is searched for, is whole, and its longest text."""
    lines = subprocess.run(
        [sys.executable, "-m", "tests.patterns_in_use"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout.splitlines()
    return [tuple(json.loads(line)) for line in lines]


@pytest.mark.parametrize("pattern", SLOW)
def test_what_is_slow_is_seen_to_be(pattern: str):
    """An expression that rereads a run of text at each of its places, or in several ways, is told by its structure."""
    assert backtracking.trouble(re.compile(pattern))


@pytest.mark.parametrize("pattern", QUICK)
def test_what_is_quick_is_seen_to_be(pattern: str):
    """An expression that reads each character a bounded number of times passes."""
    assert "" == backtracking.trouble(re.compile(pattern))


def test_a_match_from_the_beginning_is_tried_once():
    """What is slow only because a search tries it anew everywhere is quick as a match, unless its loops share a run."""
    once: dict[str, Any] = {"searched": False}

    assert "" == backtracking.trouble(re.compile(r"\s*x"), **once)
    assert backtracking.trouble(re.compile(r"\s*\s*x"), **once)
    assert "" == backtracking.trouble(re.compile(r"\s*\w*"), **once)
    assert backtracking.trouble(re.compile(r"a*a*"), **once, whole=True)


def test_no_expression_is_worse_than_linear():
    """Of all that the bot compiles, only what is given a few hundred characters at most may reread them."""
    slow = [
        (made, pattern, why)
        for made, pattern, flags, searched, whole, longest in in_use()
        if longest > BOUNDED.get(made, -1)
        and (why := backtracking.trouble(re.compile(pattern, flags), searched=searched, whole=whole))
    ]

    assert [] == slow


def test_every_expression_is_looked_at():
    """The tables of the rules, made when they are first needed, are among what is looked at."""
    made = {where for where, *_ in in_use()}

    assert {
        "bot/text/sentences.py",
        "bot/language/past/detector.py",
        "bot/language/tags/tagging.py",
        "bot/language/statements/exclusions.py",
        "bot/language/statements/claims.py",
        "bot/dates/time_grammar.py",
        "bot/text/formulas.py",
        "bot/language/requests/orders.py",
        "bot/language/requests/plain_words.py",
        "bot/text/markdown.py",
        "bot/layers/forge/references.py",
    } <= made
    assert BOUNDED.keys() <= made
