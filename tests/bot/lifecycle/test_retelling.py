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
