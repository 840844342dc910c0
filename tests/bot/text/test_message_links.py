"""The laws of links: which messages a text points to, and that none of another space is among them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.domain import SpaceId
from bot.text import message_links

SPACE = SpaceId(111111111111111111)
ID = 123456789012345678


@pytest.mark.parametrize(
    "text",
    [
        f"https://discord.com/channels/{SPACE}/222/{ID}",
        f"see <https://discord.com/channels/{SPACE}/222/{ID}>, please",
        f"https://ptb.discord.com/channels/{SPACE}/222/{ID}",
        f"https://canary.discord.com/channels/{SPACE}/222/{ID}?x=1",
        f"http://discordapp.com/channels/{SPACE}/222/{ID}",
        f"HTTPS://Discord.com/channels/{SPACE}/222/{ID}.",
        f"what was {ID} about?",
        f"({ID})",
        f"id:{ID}",
        f"1234-{ID}",
    ],
)
def test_a_message_is_pointed_to_by_link_or_id(text: str) -> None:
    """All the forms Discord has of a link, and the id as it copies it."""
    assert (ID,) == message_links.named(text, SPACE)


@pytest.mark.parametrize(
    "text",
    [
        f"https://discord.com/channels/999999999999999999/222/{ID}",
        f"https://discord.com/channels/@me/222/{ID}",
        f"https://discord.com/channels/{SPACE}/222222222222222222",
        f"https://example.com/channels/{SPACE}/222/{ID}",
        f"https://discord.com.example.com/channels/{SPACE}/222/{ID}",
        f"<@{ID}> <#{ID}> <@&{ID}> <:wave:{ID}> @{ID}",
        f"1.{ID}",
        "1234567890123456",
        "123456789012345678901",
        f"{2**63}",
        "99999999999999999999",
        f"x{ID}",
    ],
)
def test_other_spaces_mentions_and_numbers_point_to_nothing(text: str) -> None:
    """An id in a link that leads elsewhere is not taken for one of this space either."""
    assert () == message_links.named(text, SPACE)


def test_in_direct_messages_a_link_is_known_by_its_channel() -> None:
    """They have no guild; the links of a server lead nowhere from there."""
    mine = f"https://discord.com/channels/@me/{SPACE}/{ID}"
    others = f"https://discord.com/channels/@me/5/{ID + 1} https://discord.com/channels/{SPACE}/222/{ID + 2}"
    assert (ID,) == message_links.named(f"{others} {mine}", SPACE, is_direct=True)


def test_messages_come_in_the_order_they_are_named_in_each_once_and_five_at_most() -> None:
    """Links and ids alike."""
    text = " ".join(
        [
            str(ID + 3),
            f"https://discord.com/channels/{SPACE}/222/{ID}",
            str(ID + 3),
            *(str(ID + number) for number in range(10, 20)),
        ]
    )
    assert (ID + 3, ID, ID + 10, ID + 11, ID + 12) == message_links.named(text, SPACE)


@given(st.text(alphabet="0123456789/<@#>:htpsdicor.com nel", max_size=200))
def test_whatever_is_found_is_a_number_that_postgres_takes(text: str) -> None:
    """No text makes a search fail."""
    assert all(0 < key < 2**63 for key in message_links.named(text, SPACE))
