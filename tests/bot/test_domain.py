"""The laws of ids."""

from datetime import UTC, datetime

from bot.domain import new_id


def test_ids_of_one_moment_stand_in_the_order_they_were_made() -> None:
    """However many there are: the counter in them begins anew at 4,096."""
    at = datetime(2026, 3, 2, 12, tzinfo=UTC)
    made = [new_id(at) for _ in range(10_000)]
    assert made == sorted(set(made))
