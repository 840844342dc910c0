"""Eight things that Hathi shows the potters, in the order in which they come about."""

from collections.abc import AsyncGenerator
from dataclasses import dataclass

from tests.pictures import potters
from tests.pictures.studio import Shown, Studio


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """What is to be shown under a name, and who sees it."""

    name: str
    viewer: str
    shown: Shown


async def scenes(studio: Studio) -> AsyncGenerator[Scene]:
    """Each scene as soon as it can be seen; only typed names and commands by name are used, no layout."""
    founder, keeper, potter = potters.FOUNDER, potters.KEEPER, potters.POTTER
    yield Scene(name="introduction", viewer=founder, shown=studio.last)
    await studio.told(potters.AT_FIRST)
    await studio.says(keeper, "!reset", to_hathi=False)
    await studio.away(days=23, hours=5)
    await studio.told(potters.LATELY)
    yield Scene(name="reset", viewer=keeper, shown=await studio.says(keeper, "!reset", to_hathi=False))
    await studio.away(hours=20)
    answered = await studio.says(potter, potters.QUESTION)
    yield Scene(name="answer", viewer=potter, shown=answered)
    yield Scene(name="why", viewer=potter, shown=await studio.gives(potter, "why"))
    yield Scene(name="recall", viewer=potter, shown=await studio.gives(potter, "recall", query=potters.SEARCH))
    yield Scene(name="memories", viewer=potter, shown=await studio.gives(potter, "memories"))
    yield Scene(name="about-me", viewer=potter, shown=await studio.gives(potter, "memories", show="about me"))
    yield Scene(name="help", viewer=potter, shown=await studio.gives(potter, "help"))
