"""The laws of the frame around what a message asks to keep or to forget."""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.language.requests import clauses
from bot.language.requests.request_words import WordKind

LEAD = ("hey", "please", "would you", "maybe")


@pytest.mark.parametrize("lead", list(itertools.permutations(LEAD)))
def test_words_before_the_verb_come_in_any_order(lead: tuple[str, ...]) -> None:
    """Whatever the order of courtesy, the verb is found and what it is about begins after it."""
    text = f"{' '.join(lead)} remember Bo"
    frame = clauses.opening(clauses.read(text).words)

    assert frame is not None
    assert (WordKind.RECALL, " Bo", True) == (frame.verb, text[frame.end :], frame.asks)


@pytest.mark.parametrize(
    ("text", "verb"),
    [
        ("remember it", WordKind.RECALL),
        ("don't remember it", WordKind.FORGET),
        ("no longer keep it", WordKind.FORGET),
        ("forget it", WordKind.FORGET),
        ("never forget it", WordKind.KEEP),
        ("don't let me forget it", WordKind.KEEP),
        ("delete it", WordKind.DELETE),
        ("don't delete it", None),
        ("I remember it", None),
        ("they keep it", None),
        ("you remember it", None),
        ("you should remember it", WordKind.RECALL),
        ("put it away", WordKind.FILE),
        ("put it on", None),
        ("take it off your list", WordKind.DELETE),
        ("take it home", None),
        ("do you remember", None),
    ],
)
def test_negation_turns_a_verb_and_a_subject_undoes_it(text: str, verb: WordKind | None) -> None:
    """Who keeps something is not told to, and "don't forget" keeps."""
    frame = clauses.opening(clauses.read(text).words)

    assert verb == (frame and frame.verb)


@given(st.text(max_size=1_500))
def test_words_stand_where_they_were_written(text: str) -> None:
    """Words follow each other, each where it stands in the text, and none is read that lies deep in a long one."""
    said = clauses.read(text)
    deep = range(clauses.LONGEST, len(said.text) - clauses.LONGEST)

    assert all(one.end <= other.start for one, other in itertools.pairwise(said.words))
    assert all(0 <= word.start < word.end <= len(said.text) for word in said.words)
    assert not any(word.start in deep for word in said.words)
