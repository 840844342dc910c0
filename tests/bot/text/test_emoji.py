"""The laws of single emoji."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.text import emoji


@pytest.mark.parametrize(
    "text",
    [
        "📌",
        "⭐",
        "❤",
        "❤️",
        "👍🏽",
        "👩‍💻",
        "👨‍👩‍👧‍👦",
        "🇩",
        "🇩🇪",
        "🏴󠁧󠁢󠁥󠁮󠁧󠁿",
        "1️⃣",
        "↔️",
        "<:gate:123456789012345678>",
        "<a:gate:123456789012345678>",
    ],
)
def test_one_emoji_has_a_key(text: str) -> None:
    """Plain, tinted, joined, flags, keycaps, and those of a server."""
    assert emoji.key(text)


@pytest.mark.parametrize(
    "text",
    ["", "pin", ":pushpin:", "📌📌", "📌 ", "a📌", "1", "<:gate:12>", "<@123456789012345678>", "é", "„", "👩‍" * 40],
)
def test_anything_else_has_none(text: str) -> None:
    """Words, several, a half, and what only looks like one."""
    assert not emoji.key(text)


def test_one_emoji_is_itself_however_it_is_written() -> None:
    """With or without the sign that asks for a picture; one of a server whatever it is called."""
    assert emoji.key("❤") == emoji.key("❤️")
    assert emoji.key("<:gate:123456789012345678>") == emoji.key("<a:door:123456789012345678>")
    assert emoji.key("👍") != emoji.key("👍🏽")


@given(st.text())
def test_any_text_is_read(text: str) -> None:
    """It never fails."""
    assert isinstance(emoji.key(text), str)
