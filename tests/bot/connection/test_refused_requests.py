"""Refused requests are counted, and too many of them stop everything before Discord bans the address."""

import itertools
from datetime import timedelta

import pytest

from bot.connection import refused_requests
from bot.connection.refused_requests import MANY, MOST, WINDOW, Refusals
from bot.db.pool import Database
from tests import discord_bot
from tests.rows import one


class Watch:
    """The time, which stands still until it is moved."""

    def __init__(self) -> None:
        self.now = 1000.0

    def monotonic(self) -> float:
        return self.now


@pytest.fixture
def watch(monkeypatch: pytest.MonkeyPatch) -> Watch:
    made = Watch()
    monkeypatch.setattr(refused_requests, "time", made)
    return made


def test_the_bound_is_far_below_discords() -> None:
    """What stops everything is a fifth of what Discord bans an address for, counted over the same ten minutes."""
    assert (10_000 / 5, timedelta(minutes=10)) == (MOST, WINDOW)


def test_so_many_in_the_window_are_too_many(watch: Watch) -> None:
    """Refusals are too many from the last allowed one on, and no more when the oldest of them is ten minutes old."""
    counted = Refusals(3)
    for _ in range(3):
        assert not counted.too_many
        counted.count(403)
        watch.now += 100
    assert counted.too_many
    watch.now = 1000.0 + WINDOW.total_seconds() - 1
    assert counted.too_many
    watch.now += 1
    assert not counted.too_many
    counted.count(401)
    assert counted.too_many
    watch.now = 1100.0 + WINDOW.total_seconds()
    assert not counted.too_many


def test_only_refusals_count(watch: Watch) -> None:
    """What Discord took, what was malformed, what is not there and what failed on its side is no refusal."""
    counted = Refusals(3)
    for status in (200, 204, 400, 404, 500, 503):
        counted.count(status)
    # The limit of a webhook or an emoji that others use, too.
    counted.count(429, "shared")
    assert [] == [*counted.times]
    for status in (401, 403, 429):
        assert not counted.too_many
        counted.count(status)
    assert counted.too_many


def test_many_are_told_long_before_they_are_too_many(watch: Watch) -> None:
    """What nobody waits for stops at a quarter of what stops answers, and begins again when the oldest has passed."""
    assert MOST / 4 == MANY
    counted = Refusals(5, many=2)
    counted.count(403)
    assert not counted.are_many
    watch.now += 100
    counted.count(403)
    assert (True, False) == (counted.are_many, counted.too_many)
    watch.now += WINDOW.total_seconds() - 100
    assert not counted.are_many


def test_nothing_grows(watch: Watch) -> None:
    """However many are refused, only so many are remembered as it takes to stop."""
    counted = Refusals(5)
    for _ in range(100):
        counted.count(429)
    assert 5 == len(counted.times)


async def test_nothing_is_sent_when_there_were_too_many(database: Database) -> None:
    """A connected Hathi counts what Discord refuses it, and past the bound sends nothing; its answers are kept."""
    async with discord_bot.running(database) as bot:
        ann = bot.person("Ann")
        bot.discord.faults.fail(method="POST", path="/messages$", status=403, code=50013)
        await bot.says_to_hathi(ann, bot.channel, "How are you?")
        await bot.stands("I may not write here")
        assert bot.client.refusals.times
        for _ in itertools.repeat(None, MOST):
            bot.client.refusals.count(429)
        sent = len(bot.discord.requests)
        question = await bot.says_to_hathi(ann, bot.channel, "And now?")
        await bot.until(lambda: len(bot.model.requests) == 2)
        await bot.answered(question)
        assert sent == len(bot.discord.requests)
        assert "Fine." == await one(database, "SELECT kept FROM turn WHERE turn_id = $1", question.message_id)
        bot.client.refusals.times.clear()
