"""The laws of ids."""

from datetime import UTC, datetime

import pytest

from bot import domain
from bot.domain import new_id


@pytest.mark.parametrize("salt", [0, 0x3FF])
def test_ids_of_one_moment_stand_in_the_order_they_were_made(monkeypatch: pytest.MonkeyPatch, salt: int) -> None:
    """However many: the counter in them begins anew at 4,096, and behind the last salt comes the next millisecond."""
    monkeypatch.setattr(domain, "ID_SALT", salt)
    at = datetime(2026, 3, 2, 12, salt % 60, tzinfo=UTC)
    made = [new_id(at) for _ in range(10_000)]
    assert made == sorted(set(made))
