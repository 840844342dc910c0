"""The line under an answer that names its sources says of each what the answer does not say itself."""

from datetime import UTC, datetime
from typing import Any

import pytest

from bot.domain import TERMINAL_SPACE, ChannelId, Layer, MemoryId, MessageId
from bot.layers.walk import Evidence
from bot.prompting import evidence
from tests import people

NOW = datetime(2026, 1, 25, 19, tzinfo=UTC)
SAID = datetime(2026, 1, 24, 9, tzinfo=UTC)
PLACE = (ChannelId(3), MessageId(30))
ON_DISCORD = people.caller("Mara", space=7)
LINK = "(<https://discord.com/channels/7/3/30>)"


def one(number: int | None = 7, **different: Any) -> Evidence:
    """A memory of Theo's, or a message of his."""
    label = "M1" if number is None else f"#{number}"
    memory_id = None if number is None else MemoryId(number)
    given: dict[str, Any] = {"author": "Theo", "said_at": SAID, "memory_id": memory_id, "message": PLACE}
    return Evidence(label=label, layer=Layer.PALACE, content="x", **(given | different))


@pytest.mark.parametrize(
    ("found", "line"),
    [
        (one(), f"-# [Theo, 24 January]{LINK}"),
        (one(None), f"-# [Theo, 24 January]{LINK}"),
        (one(until=NOW), f"-# [Theo, 24 January]{LINK}, held until 25 January"),
        (one(said_at=None), f"-# [Theo]{LINK}"),
        (one(message=None), "-# from Theo, 24 January"),
        (one(author=None), f"-# from [#7]{LINK}, 24 January"),
        (one(None, title="plan.pdf"), f"-# from [plan.pdf]{LINK}, Theo, 24 January"),
    ],
)
def test_one_source_is_named_by_who_said_it_and_when(found: Evidence, line: str) -> None:
    """With the link on that, as its number stands in the answer; a file keeps its name."""
    assert line == evidence.source_line(ON_DISCORD, [found], {found.label}, {}, NOW, said={"#7"})


def test_a_number_that_stands_nowhere_else_is_told() -> None:
    """The answer may rest on a memory without saying its number."""
    line = evidence.source_line(ON_DISCORD, [one()], {"#7"}, {}, NOW)
    assert f"-# from [#7]{LINK}, Theo, 24 January" == line


def test_numbers_tell_several_sources_apart() -> None:
    """They may be of one person and one day."""
    line = evidence.source_line(ON_DISCORD, [one(), one(8)], {"#7", "#8"}, {}, NOW, said={"#7", "#8"})
    assert f"-# from [#7]{LINK}, Theo, 24 January; [#8]{LINK}, Theo, 24 January" == line


def test_the_terminal_names_all() -> None:
    """It draws no links that could stand on other words."""
    caller = people.caller("Mara", space=TERMINAL_SPACE)
    line = evidence.source_line(caller, [one(message=None)], {"#7"}, {}, NOW, said={"#7"})
    assert "from #7, Theo, 24 January \u00b7 !why" == line
