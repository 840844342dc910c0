"""What goes wrong on demand: rate limits, failures, slowness, broken connections, and a seeded random share of them."""

import random
import re
import time
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Final, Literal

MOST_FAULTS: Final = 1000
ALWAYS: Final = 10**9


@dataclass(slots=True, kw_only=True)
class Fault:
    """One thing that goes wrong, for the next `left` requests that match; `met` counts those it met."""

    kind: Literal["limited", "failed", "slow", "broken"]
    left: int
    method: str | None = None
    path: re.Pattern[str] = re.compile("")
    status: int = 500
    code: int = 0
    delay: timedelta = timedelta(0)
    everywhere: bool = False
    after_effect: bool = False
    share: float = 1.0
    chance: random.Random = field(default_factory=random.Random)
    met: int = 0

    def meets(self, method: str, path: str) -> bool:
        """Whether a request runs into it; one that does uses it up once."""
        if self.left <= 0 or self.method not in {None, method} or not self.path.search(path):
            return False
        if self.share < 1 and self.chance.random() >= self.share:
            return False
        self.left -= 1
        self.met += 1
        return True


class Faults:
    """The faults in store. Paths are regular expressions, searched in the path after `/api/v10`."""

    def __init__(self) -> None:
        self._faults: list[Fault] = []
        self._limited_until = 0.0

    def limit(
        self,
        times: int = 1,
        *,
        method: str | None = None,
        path: str = "",
        retry_after: timedelta = timedelta(seconds=0.1),
        everywhere: bool = False,
    ) -> Fault:
        """The next requests get 429; `everywhere` is the global limit, which then holds for every request."""
        return self._add(
            Fault(
                kind="limited",
                left=times,
                method=method,
                path=re.compile(path),
                delay=retry_after,
                everywhere=everywhere,
            )
        )

    def fail(
        self,
        times: int = 1,
        *,
        status: int = 500,
        code: int = 0,
        method: str | None = None,
        path: str = "",
        after_effect: bool = False,
        share: float = 1.0,
        seed: int = 0,
    ) -> Fault:
        """The next requests get an error status, before or after they took effect; of all, or of a random share."""
        return self._add(
            Fault(
                kind="failed",
                left=times,
                method=method,
                path=re.compile(path),
                status=status,
                code=code,
                after_effect=after_effect,
                share=share,
                chance=random.Random(seed),
            )
        )

    def slow(self, delay: timedelta, times: int = 1, *, method: str | None = None, path: str = "") -> Fault:
        """The next answers come late."""
        return self._add(Fault(kind="slow", left=times, method=method, path=re.compile(path), delay=delay))

    def break_off(
        self, times: int = 1, *, method: str | None = None, path: str = "", after_effect: bool = False
    ) -> Fault:
        """The next connections break before an answer came, before or after the request took effect."""
        return self._add(
            Fault(kind="broken", left=times, method=method, path=re.compile(path), after_effect=after_effect)
        )

    def clear(self) -> None:
        """Nothing goes wrong any more."""
        self._faults.clear()
        self._limited_until = 0.0

    def _add(self, fault: Fault) -> Fault:
        self._faults = [each for each in self._faults if each.left > 0][-MOST_FAULTS + 1 :]
        self._faults.append(fault)
        return fault

    def met_by(self, method: str, path: str) -> tuple[timedelta, Fault | None]:
        """How late the answer comes, and what else goes wrong with it."""
        late, wrong = timedelta(0), None
        for fault in self._faults:
            if (fault.kind == "slow" or wrong is None) and fault.meets(method, path):
                if fault.kind == "slow":
                    late += fault.delay
                else:
                    wrong = fault
        if wrong is not None and wrong.everywhere:
            self._limited_until = time.monotonic() + wrong.delay.total_seconds()
        return late, wrong

    @property
    def everywhere_for(self) -> float:
        """Seconds the global limit still holds; 0 when it does not."""
        return max(0.0, self._limited_until - time.monotonic())
