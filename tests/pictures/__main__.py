"""Draws what Hathi shows people: `python -m tests.pictures OUT/` writes eight scenes as PNGs, at two widths each.

It needs Debian's chromium-headless-shell and what requirements-pictures.txt pins. Everything that is shown comes from
this checkout's Hathi, among made-up people on a simulated Discord.
"""

import argparse
import asyncio
import contextlib
import functools
import importlib
import os
import shutil
import sys
import tempfile
from collections.abc import Generator
from pathlib import Path
from typing import Any, Final

from bot import log
from bot.config import DatabaseSettings
from bot.db import embedded, migrations, pool
from tests.conftest import Clock
from tests.pictures import scenes, studio
from tests.pictures.scenes import Scene
from tests.pictures.studio import Studio

BROWSER: Final = "chromium-headless-shell"
WIDTHS: Final = {"desktop": 960, "phone": 400}
"""Pixels across, by where it is looked at."""
TALLEST: Final = 6000
"""Pixels a message may be high; it is cut to its own size."""
NO_BROWSER: Final = f"There is no {BROWSER} here: apt-get install {BROWSER} brings it."
NO_RENDERER: Final = "simcord's renderer is not installed: pip install -r requirements-pictures.txt brings it."


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.pictures", description=__doc__)
    parser.add_argument("out", type=Path, help="the folder for the pictures")
    out: Path = parser.parse_args().out
    browser = shutil.which(BROWSER)
    if browser is None:
        return _failed(NO_BROWSER)
    try:
        with started_as(browser):
            out.mkdir(parents=True, exist_ok=True)
            log.configure(to=Path(os.devnull))
            asyncio.run(_draw(out))
    except ModuleNotFoundError as exc:
        return _failed(f"{NO_RENDERER} ({exc})")
    return 0


def _failed(why: str) -> int:
    print(why, file=sys.stderr)
    return 1


@contextlib.contextmanager
def started_as(browser: str) -> Generator[None]:
    """simcord starts this browser, within the block, in place of one that Playwright would have downloaded."""
    kind: Any = importlib.import_module("playwright.async_api").BrowserType
    launch = kind.launch
    kind.launch = functools.partialmethod(launch, executable_path=browser)
    try:
        yield
    finally:
        kind.launch = launch


async def _draw(out: Path) -> None:
    with tempfile.TemporaryDirectory(prefix="hathi-pictures-", dir="/tmp") as folder:
        # Reachable by the account that serves, when this runs as root.
        Path(folder).chmod(0o711)
        async with embedded.owned(Path(folder) / "data") as dsn, pool.opened(dsn, DatabaseSettings()) as database:
            await migrations.migrate(database)
            async with studio.opened(database, Clock()) as opened:
                async for scene in scenes.scenes(opened):
                    await _take(opened, scene, out)


async def _take(opened: Studio, scene: Scene, out: Path) -> None:
    viewers = list(opened.people.values())
    async with opened.env.preview(opened.channel, viewers=viewers, presentation_time=opened.env.now()) as preview:
        for place, width in WIDTHS.items():
            path = out / f"{scene.name}-{place}.png"
            await preview.screenshot(
                path,
                viewer=opened.people[scene.viewer],
                target=scene.shown,
                viewport=(width, TALLEST),
                allow_incomplete=True,
            )
            print(path)


if __name__ == "__main__":
    sys.exit(main())
