"""The laws of the recall detector."""

import json
import re
import unicodedata
from pathlib import Path
from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.cli import demo
from bot.domain import Layer
from bot.language.past import cue_expressions, detector
from bot.language.past.detector import Detection, detect
from bot.language.past.space_names import Names
from bot.text import plain_form
from tests.bot.language.past import sentences

QUESTIONS: Final = Path(__file__).parent / "questions.jsonl"
NOBODY: Final = Names()
NAMES: Final = Names(sentences.NAMES)

REFERENCES: Final = {
    "yesterday": "what came of it yesterday for us?",
    "last time": "what did you suggest last time?",
    "we discussed": "where is the list we discussed?",
    "#123": "#123",
    "issue 456": "issue 456",
    "PR 12": "who reviewed PR 12?",
    "mempalace.py": "mempalace.py",
    "the-nexus": "the-nexus",
    "owner/project-name": "is there news of lucas/project-name?",
    "a commit": "what was 3f2a9bc about?",
    "a link": "what did https://example.org/x say again?",
    "what's the status of": "what's the status of the migration?",
    "where are we on": "where are we on the redesign",
    "what did ezra do": "what did ezra do",
    "has allegro finished": "has allegro finished",
    "what do you know about me": "what do you know about me",
    "earlier you said something about caching.": "earlier you said something about caching.",
}
LEFT_ALONE: Final = [
    "what is the capital of Peru?",
    "who wrote Middlemarch?",
    "how do vaccines work?",
    "write a haiku about rain",
    "play some jazz",
    "good morning everyone",
    "thanks, that helps a lot!",
    "remember this: the gate code is 2580",
    "remind me how quicksort works",
    "what's the weather",
    "remind me to water the plants",
    "explain how TLS works",
]
LONG: Final = {
    "one letter": "a" * 4_000,
    "one word": "we " * 1_300,
    "a question begun over and over": "what did " * 450,
    "numbers with signs": "#1" * 2_000,
    "quotes never closed": '"a ' * 1_300,
    "quotes only": '"' * 4_000,
    "question marks": "? " * 2_000,
    "openers": "so, " * 1_000,
    "times": "yesterday ago last week " * 160,
    "joined words": "a-" * 2_000,
    "names": "Ezra and Ruth " * 280,
    "dots": "a.b" * 1_300,
}


@pytest.mark.parametrize("text", REFERENCES.values(), ids=REFERENCES)
def test_references_to_earlier_work_are_seen(text: str) -> None:
    """Times, decisions, issues, files, projects, states of work and what somebody did point at the past here."""
    assert detect(text, NOBODY).recall


@pytest.mark.parametrize("text", [*LEFT_ALONE, *(text.upper() for text in LEFT_ALONE[:3])])
def test_the_rest_is_left_alone(text: str) -> None:
    """General knowledge, requests, small talk and things to keep are no questions about the past here."""
    assert not detect(text, NAMES).recall


@pytest.mark.parametrize("names", [NOBODY, Names(("Orchard", "Bramleys"))])
@pytest.mark.parametrize(
    ("text", "recall"),
    [
        ("Our orchard has Bramleys.", False),
        ("Our choir has forty members.", False),
        ("gave the spare office key to Bo", False),
        ("I've got two spare helmets if anybody needs one", False),
        ("ok i keep forgetting who's got the spare key for the practice room", True),
        ("curious how my nitrite readings developed, i posted them here every saturday in may", True),
    ],
)
def test_what_is_only_worded_like_a_question_is_none(text: str, names: Names, *, recall: bool) -> None:
    """A short statement without a word of asking, whatever names are known; one that has such a word asks."""
    assert recall == detect(text, names).recall


def test_most_of_what_many_communities_ask_is_told_apart() -> None:
    """Of questions of all sorts that were written without sight of the rules, and of other messages."""
    rows = [json.loads(line) for line in QUESTIONS.read_text(encoding="utf-8").splitlines()]
    asks = [detect(row["text"], Names(row["names"])).recall for row in rows if row["recall"]]
    others = [detect(row["text"], Names(row["names"])).recall for row in rows if not row["recall"]]
    assert sum(asks) >= 0.94 * len(asks) > 0
    assert sum(others) <= 0.015 * len(others)


@pytest.mark.parametrize("text", sentences.RECALL)
def test_questions_about_the_past(text: str) -> None:
    """Each of our own sentences that asks about the past is seen, where these names are known."""
    assert detect(text, NAMES).recall


@pytest.mark.parametrize("text", sentences.OTHER)
def test_other_messages(text: str) -> None:
    """Each of our own sentences that does not is left alone, also where it holds a name that is known."""
    assert not detect(text, NAMES).recall


PAST = [
    "do you remember what Ann said about the deploy?",
    "Do you remember my dog's name",
    "what did we decide about the logo",
    "what did Ann say about tea?",
    "what did the team agree on?",
    "what has Ann said about tea?",
    "when did we ship 1.0?",
    "when did Ann say she'd be back?",
    "who said we need a logo",
    "who was going to bring the cake?",
    "have we talked about pricing?",
    "have you saved anything about pricing?",
    "did Ann ever mention a budget?",
    "did we ever settle on a name",
    "what do you know about Bob?",
    "what else do you know about the deploy?",
    "what was the wifi password again?",
    "what happened yesterday?",
    "did anything come up in the meeting last week?",
    "remind me what the port is",
    "remind me who owns billing",
    "I forgot what we said about rent",
    "I can't remember who offered to drive",
    "any idea when Bob said he'd be back?",
    "tell me what Bob decided",
    "what's my favourite colour?",
    "what\u2019s our deploy day?",
    "where do I live?",
    "what does Ann like to drink?",
    "what was decided about the roof?",
    "what were we talking about last week?",
]


NOT_PAST = [
    "",
    "when did WW2 end?",
    "How did the Roman empire fall?",
    "who is the president of France?",
    "what does the GIL do?",
    "how do I reverse a list in Python?",
    "do you remember how to sort in python?",
    "what did I do wrong here?",
    "why did I get this error?",
    "what is wrong with my code?",
    "what did you mean by that?",
    "what was the weather yesterday in Paris?",
    "who won the game last night?",
    'who said "I think, therefore I am"?',
    "why is it raining again?",
    "Can you say that again?",
    "remind me to buy milk",
    "Yesterday we decided to ship.",
    "write a poem about yesterday",
    "what is my best option here?",
    "We should decide what Ann does.",
]


@pytest.mark.parametrize("text", [*PAST, *demo.QUESTIONS, "where were we?", "catch me up"])
def test_plain_questions_about_the_past_are_seen(text: str) -> None:
    """Whoever is known here, and also where nobody is."""
    assert detect(text, NOBODY).recall


@pytest.mark.parametrize("text", NOT_PAST)
def test_plain_questions_of_another_kind_are_left_alone(text: str) -> None:
    """World knowledge, work at hand and statements."""
    assert not detect(text, NOBODY).recall


@pytest.mark.parametrize(
    ("text", "is_known", "is_unknown"),
    [
        ("when is Priya moving to Lyon?", True, False),
        ("is ruth vegan?", True, False),
        ("how fast does kiln firing go?", True, False),
        ("what does fahim want for his birthday?", True, False),
        ("is <@1234> still in Lyon?", True, True),
        ("what did we promise <@1234>?", True, True),
        ("<@1234> what is the capital of Peru?", False, False),
        ("what is the capital of Peru <@1234>?", False, False),
        ("Ruth what is the capital of Peru?", False, False),
        ("WHAT DOES EZRA NEED?", True, False),
        ("Thanks, Priya! I had a great time.", False, False),
        ("Priya, how are you?", False, False),
        ("what music do people hear in Brazil?", False, False),
        ("how many notes are in an octave?", False, False),
        ("what is the best time to visit Japan?", False, False),
    ],
)
def test_a_question_about_a_known_name(text: str, *, is_known: bool, is_unknown: bool) -> None:
    """It is about the past where the name is known, not elsewhere; names in greetings and everyday words are none."""
    assert (is_known, is_unknown) == (detect(text, NAMES).recall, detect(text, NOBODY).recall)


@pytest.mark.parametrize(
    "text",
    [
        "Who did Frank Capra marry?",
        "when was frank sinatra born",
        "where did michael jordan go to college?",
        "What animal does Sam Neill raise?",
        "who plays alice in the film?",
        "which party was senator mark in?",
    ],
)
def test_a_namesake_is_not_the_one_who_is_known(text: str) -> None:
    """A longer name, a film or a title makes somebody else of a known name."""
    assert not detect(text, NAMES).recall


@pytest.mark.parametrize(
    ("text", "layers"),
    [
        ("what did we decide about the logo?", [Layer.PALACE]),
        ("what did I just say?", [Layer.SCRATCHPAD]),
        ("a moment ago you said it was 5", [Layer.SCRATCHPAD]),
        ("what have we said so far?", [Layer.SCRATCHPAD]),
        ("what about #123?", [Layer.PALACE, Layer.ARTIFACTS]),
        ("what's in mempalace.py?", [Layer.PALACE, Layer.ARTIFACTS]),
        ("which commit broke the login page?", [Layer.PALACE, Layer.ARTIFACTS]),
        ("what did we say of https://example.org/x?", [Layer.PALACE, Layer.ARTIFACTS]),
        ("how do we deploy?", [Layer.PALACE, Layer.PROCEDURES]),
        ("what's our process for refunds?", [Layer.PALACE, Layer.PROCEDURES]),
        ("how do we close issue 12?", [Layer.PALACE, Layer.ARTIFACTS, Layer.PROCEDURES]),
        ("what is the capital of Peru?", []),
    ],
)
def test_layers_in_the_order_to_be_asked(text: str, layers: list[Layer]) -> None:
    """The session at hand begins at L2; artifacts and procedures come after the palace; nothing asked, no layer."""
    assert layers == [*detect(text, NAMES).layers]


@pytest.mark.parametrize("text", [*sentences.RECALL, *REFERENCES.values()])
def test_cues_are_names_of_rules(text: str) -> None:
    """What goes to the log is one of the rules' own names, at least one where the past is asked about."""
    rules = {rule.cue for rule in detector.RULES} | {*detector.WORTH}
    cues = detect(text, NAMES).cues
    assert rules.issuperset(cues)
    assert cues


@pytest.mark.parametrize(
    ("text", "cue"),
    [
        ("what did we decide?", "shared past"),
        ("what about #12?", "issue number"),
        ("where is Ruth?", "known name"),
        ("what's the status of the migration?", "status question"),
        ("how do we deploy?", "how we do it"),
    ],
)
def test_a_rule_is_named(text: str, cue: str) -> None:
    """A reader of the log can tell why a message was taken for a question about the past."""
    assert cue in detect(text, NAMES).cues


@given(st.text(max_size=300), st.lists(st.text(max_size=20), max_size=8))
def test_any_text_is_answered(text: str, known_names: list[str]) -> None:
    """Whatever the text and the names: a confidence from 0 to 1, and recall from the threshold on."""
    found = detect(text, Names(known_names))
    assert 0 <= found.confidence <= 1
    assert found.recall == (found.confidence >= detector.THRESHOLD)
    assert found.recall == bool(found.layers)


@given(st.lists(st.sampled_from([*"?.,#'\"-/|", "we", "did", "I", "my", "what", "Ruth", "\n", "12"]), max_size=60))
def test_any_words_are_answered_alike_twice(words: list[str]) -> None:
    """The same message, the same answer."""
    text = " ".join(words)
    assert detect(text, NAMES) == detect(text, NAMES)


@pytest.mark.parametrize(
    "text", ["What did we decide about the café?", "what\u2019s Ruth\u2019s dog called?", "WHAT DID WE SAY?"]
)
def test_letters_are_normalised(text: str) -> None:
    """Capitals, bent quotes and composed accents make no difference; accents are kept."""
    other = unicodedata.normalize("NFD", text.translate({0x2019: "'"}).lower())
    assert detect(text, NAMES) == detect(other, NAMES)
    assert ("café" in text) == ("café" in plain_form.read(other).text)


@pytest.mark.parametrize(
    ("text", "recall"),
    [
        ("what did we decide about this?\n" + "x y " * 2_000, True),
        ("x y " * 2_000 + "\nwhat did we decide about this?", True),
        ("x y " * 1_000 + "\nwhat did we decide about this?\n" + "x y " * 1_000, False),
    ],
    ids=["first", "last", "pasted"],
)
def test_only_the_ends_of_a_long_text_are_read(text: str, *, recall: bool) -> None:
    """A question stands first or last; what lies deeper is pasted."""
    assert recall == detect(text, NOBODY).recall


@pytest.mark.parametrize("text", LONG.values(), ids=LONG)
def test_what_is_read_of_a_text_is_bounded(text: str) -> None:
    """However long and odd a text is, no more words and no longer a plain form come of it than of its two ends."""
    plain = plain_form.read(text)
    assert len(plain.words) <= 2 * plain_form.EDGE + 1
    assert len(plain.text) <= 4 * plain_form.EDGE + 8
    assert isinstance(detect(text, NAMES), Detection)


def test_every_repetition_in_a_rule_is_bounded() -> None:
    """No rule repeats without an end but within one word, so that none backtracks for long."""
    unbounded = re.compile(r"(?:\)|\.|\])(?:[*+]|\{\d*,\})")
    within_a_word = re.compile(r"\[\^\|\? \]\+|\[[\w.\\-]+\]\+|\\[wS]\+")
    offenders = [
        (rule.cue, found[0])
        for rule in detector.RULES
        for found in unbounded.finditer(within_a_word.sub("", rule.pattern))
    ]
    assert offenders == []
    assert [
        name for name, pattern in cue_expressions.WORDS.items() if unbounded.search(within_a_word.sub("", pattern))
    ] == []


def test_a_name_costs_what_the_message_costs() -> None:
    """Of many names only those that begin with a word of the message are compared."""
    many = Names([f"Person{n} Family{n}" for n in range(4_999)] + ["Ruth"])
    assert 5_000 == len(many)
    assert detect("is Ruth vegan?", many) == detect("is Ruth vegan?", Names(["Ruth"]))


def test_what_comes_after_the_last_name_is_not_known() -> None:
    """An index holds 5,000 names."""
    many = Names([*(f"person{n}" for n in range(5_000)), "Ruth"])
    assert not detect("is Ruth vegan?", many).recall


def test_a_detection_can_be_told_as_json() -> None:
    """Layers are their short names."""
    assert '["L1", "L3"]' == json.dumps(detect("what about #123?", NOBODY).layers)
