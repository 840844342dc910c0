"""The laws of what a text that is told shorter may not change or lose."""

from datetime import UTC, datetime

import pytest

from bot.lifecycle import retelling

PARTS = ("Ann and Bob chose Rust 1.80 on 3 March.", "Carol pays 40 euros by 12 May.", *["The weather was fine."] * 30)
AT = datetime(2026, 3, 2, 12, 0, tzinfo=UTC)
WHOLE = "Rust 1.80 was chosen by Ann and Bob on 3 March; Carol pays 40 euros by 12 May."


@pytest.mark.parametrize(
    ("text", "faithful"),
    [
        (WHOLE, True),
        (WHOLE.replace("1.80", "1.81"), False),
        (WHOLE.replace("12 May", "13 May"), False),
        (WHOLE.replace("Carol", "Dora"), False),
        ("Ann and Bob chose Rust 1.80 on 3 March.", True),
        ("Carol pays by 12 May.", False),
        (f"{WHOLE} {'It was fine. ' * 300}", False),
        ("", False),
    ],
    ids=["in other words", "a number", "a day", "a name", "half of it", "less than half", "too long", "nothing"],
)
def test_what_is_faithful(text: str, *, faithful: bool) -> None:
    """In other words, with every name, number and date as it stood, and most of them."""
    assert retelling.is_faithful(text, PARTS, AT, most_tokens=600, most_lost=0.5) is faithful


@pytest.mark.parametrize(
    ("parts", "text", "faithful"),
    [
        (("Ann uses Rust. Bob moved to Lisbon.",), "Ann uses Rust and Bob is in Lisbon now.", True),
        (("Ann uses Rust. Bob moved to Lisbon.",), "Bob uses Rust and Ann moved to Lisbon.", False),
        (("The code is 4417 and the price is 12 euros.",), "The code is 12 and the price is 4417 euros.", False),
        (("When do we paint the gate? Friday.",), "The gate is painted on Friday.", True),
        (("Bob has a dog. He calls it Rex.",), "Bob's dog is called Rex.", True),
        (("Carol moved to town. Dora pays for the beer.",), "People moved to town and pay for the beer.", False),
        (("The code is 4417.", "The price is 12 euros.", "The code was changed to 5521."), "The code is 5521.", False),
        (("The code is 4417.", "The code was changed to 5521."), "The code is 5521.", True),
    ],
    ids=["apart", "names", "numbers", "an answer", "a pronoun", "openers", "half", "replaced"],
)
def test_each_name_and_number_stays_with_what_it_was_told_of(
    parts: tuple[str, ...], text: str, *, faithful: bool
) -> None:
    """None is told of another's; and only what was replaced since may be left out without being missed."""
    assert retelling.is_faithful(text, parts, AT, most_tokens=600, most_lost=0.3) is faithful
