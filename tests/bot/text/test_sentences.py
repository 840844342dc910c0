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


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("One two. Three.", "One two. Three."),
        ("The first one. The second one. The third one.", "The first one. The second one."),
        ("The first line\nthe second line and the third line", "The first line"),
        ("a word and another word and another and so on", "a word and another word and"),
        ("x" * 40, "x" * 30),
        ("It costs 300 pounds and 3.50 cents, as I said", "It costs 300 pounds and 3.50"),
        ("See:\n```\nrun this now\nthen run that now\n```", "See:\n```\nrun this now\n```"),
    ],
)
def test_the_beginning_of_a_text_ends_where_something_ends(text: str, expected: str):
    """With a sentence or a line, else with a word; a fence that is cut open is closed."""
    assert expected == sentences.beginning(text, 30, within=20)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Um wie viel Uhr geht das Schiff am 12. Mai in Bonn ab? Danke.", 2),
        ("Das Konzert ist am 3. Dezember. Bringt Noten mit.", 2),
        ("Vom 12. bis 16. Mai ist Tour.", 1),
        ("Am Montag, den 7. Dezember, um 20 Uhr", 1),
        ("Das ist unsere 3. Probe.", 1),
        ("Wir treffen uns am 12. Danach gehen wir essen.", 2),
        ("I am 12. My sister is 10.", 2),
        ("It costs 12. Call me.", 2),
    ],
)
def test_the_full_stop_of_a_german_date_ends_no_sentence(text: str, expected: int) -> None:
    """Before a month, or another such number; elsewhere one behind a number does."""
    assert expected == len(sentences.split(text))
