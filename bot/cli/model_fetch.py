"""Fetches the files of a local embedder at the terminal, with a bar, before whatever needs them begins."""

from rich.console import Console
from rich.progress import BarColumn, DownloadColumn, Progress, TaskID, TransferSpeedColumn

from bot.config import EmbedderSettings, LocalEmbedderSettings
from bot.llm.embedder import Embedder


async def fetch(settings: EmbedderSettings | LocalEmbedderSettings | None, console: Console | None = None) -> None:
    """Have here what the embedder needs on this machine, if it needs anything. Raises `ModelError`."""
    if not isinstance(settings, LocalEmbedderSettings):
        return
    console, tasks = console or Console(stderr=True), dict[str, TaskID]()
    columns = ("[progress.description]{task.description}", BarColumn(), DownloadColumn(), TransferSpeedColumn())
    embedder = Embedder(settings)
    try:
        with Progress(*columns, console=console, disable=not console.is_terminal) as bar:

            def told(name: str, came: int, total: int | None) -> None:
                if name not in tasks:
                    tasks[name] = bar.add_task(f"Fetching {name}", total=total)
                bar.update(tasks[name], completed=came)

            await embedder.fetch(told)
    finally:
        await embedder.aclose()
