"""Work that is tried again: what does not fail needs no policy, and what fails is counted from the first attempt."""

from datetime import timedelta

import pytest
import tenacity

from bot.infra import retry


class _Work:
    """Fails so many times with another error each, then returns how often it was done."""

    def __init__(self, failures: int) -> None:
        self.failures = failures
        self.times = 0

    async def __call__(self) -> int:
        self.times += 1
        if self.times <= self.failures:
            raise ValueError(self.times)
        return self.times


def _thrice(_spent: timedelta) -> tenacity.AsyncRetrying:
    return tenacity.AsyncRetrying(
        retry=tenacity.retry_if_exception_type(ValueError), stop=tenacity.stop_after_attempt(3), reraise=True
    )


async def test_what_does_not_fail_needs_no_policy() -> None:
    """The policy is not even made."""

    def never(_spent: timedelta) -> tenacity.AsyncRetrying:
        raise AssertionError("made")

    assert 1 == await retry.persist(_Work(0), never)


@pytest.mark.parametrize("failures", [1, 2])
async def test_what_fails_is_tried_again_as_the_policy_says(failures: int) -> None:
    """Each attempt is made once, the first among them."""
    work = _Work(failures)
    assert failures + 1 == await retry.persist(work, _thrice)
    assert failures + 1 == work.times


async def test_the_first_attempt_counts() -> None:
    """After as many attempts as the policy has the last error is raised."""
    work = _Work(9)
    with pytest.raises(ValueError, match="3"):
        await retry.persist(work, _thrice)
    assert 3 == work.times


async def test_what_the_policy_does_not_know_is_raised_as_it_is() -> None:
    """It is no failure to try again."""

    async def work() -> None:
        raise LookupError("gone")

    with pytest.raises(LookupError, match="gone"):
        await retry.persist(work, _thrice)


async def test_the_policy_is_told_how_long_the_first_attempt_took() -> None:
    """So it can hold to one deadline for all of them."""
    spent: list[timedelta] = []

    def policy(first: timedelta) -> tenacity.AsyncRetrying:
        spent.append(first)
        return _thrice(first)

    await retry.persist(_Work(1), policy)
    assert timedelta(0) <= spent[0] < timedelta(seconds=5)
