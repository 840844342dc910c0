"""Where sentences end, whatever people put there."""

import pytest

from bot.text import sentences


@pytest.mark.parametrize("mark", ["!", "?", ".", "\u2026", "!?"])
@pytest.mark.parametrize("end", ["x", "\U0001f602x", '")x', ")))) ", " \U0001f602x"])
def test_a_run_of_marks_is_one_end_or_none(mark: str, end: str):
    """However long a run of marks is, it ends one sentence, or none where a letter or too much stands behind it."""
    run = mark * (4_000 // len(mark))

    assert sentences.split(f"Wow{run}{end}") == sentences.split(f"Wow{mark * 3}{end}".replace(mark * 3, run))
    assert len(sentences.split(f"Wow{run}x")) == 1
    assert sentences.split(f"Wow{run} yes") == (f"Wow{run}", "yes")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Mr. Smith met Dr. Who. They left.", ("Mr. Smith met Dr. Who.", "They left.")),
        ("We ship at 5 p.m. Bring cake.", ("We ship at 5 p.m.", "Bring cake.")),
        ("We ship at 5 p.m. on Friday.", ("We ship at 5 p.m. on Friday.",)),
        ("J. R. Smith paid (e.g. J. Doe) in the U.S. today.", ("J. R. Smith paid (e.g. J. Doe) in the U.S. today.",)),
        ("The piano. It is old.", ("The piano.", "It is old.")),
        ("Ready?! \U0001f602 Then go...", ("Ready?! \U0001f602", "Then go...")),
    ],
)
def test_full_stops_of_words_end_no_sentence(text: str, expected: tuple[str, ...]):
    """A stop that is an abbreviation's or an initial's ends a sentence only where a capital may begin the next."""
    assert expected == sentences.split(text)
