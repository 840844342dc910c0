"""Fetches the files of a local model once, each checked by its SHA-256 before it gets its name."""

import asyncio
import contextlib
import errno
import fcntl
import hashlib
import os
import shutil
from collections.abc import Generator, Mapping
from io import FileIO
from pathlib import Path, PurePosixPath
from typing import Final

import aiohttp
import yarl

from bot.config import LocalEmbedderSettings
from bot.llm import connections
from bot.llm.failures import Failure
from bot.llm.vector_source import Told

MOST_BYTES: Final = 2 * 2**30
"""Of one file; no sentence model is larger."""
_SILENCE_SECONDS: Final = 30.0
_PIECE: Final = 2**18
_MB: Final = 10**6


def missing(settings: LocalEmbedderSettings) -> dict[str, str]:
    """The files still to be fetched, with their SHA-256."""
    return {name: digest for name, digest in settings.sha256.items() if not _kept_as(settings, name).exists()}


def spoilt(settings: LocalEmbedderSettings, found: Mapping[str, str]) -> list[Path]:
    """The files that are not those that were fetched, of all that were found, by name with their SHA-256."""
    kept = ((_kept_as(settings, name), digest) for name, digest in settings.sha256.items())
    return [path for path, digest in kept if found.get(path.name, digest) != digest]


async def fetch(settings: LocalEmbedderSettings, told: Told) -> None:
    """Fetch what is missing; nothing of a file is kept that is not whole and right. Raises `Failure`."""
    try:
        settings.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        with alone(settings.folder):
            async with aiohttp.ClientSession(timeout=_patience(), cookie_jar=aiohttp.DummyCookieJar()) as session:
                for name, digest in missing(settings).items():
                    await _fetch_one(session, settings, name, digest, told)
    except OSError as exc:
        raise _not_written(settings.folder, exc) from exc


async def _fetch_one(
    session: aiohttp.ClientSession, settings: LocalEmbedderSettings, name: str, digest: str, told: Told
) -> None:
    kept_as = _kept_as(settings, name)
    part = kept_as.with_name(f"{kept_as.name}.part")
    try:
        # A part that a killed process left is overwritten.
        with part.open("wb", buffering=0) as file:
            found = await _received(session, settings, name, file, told)
            await asyncio.to_thread(os.fsync, file.fileno())
        if found != digest:
            raise _failure(f"{name} from {_host(settings)} is not the file that sha256 names", refused=True)
        part.replace(kept_as)
    finally:
        part.unlink(missing_ok=True)


async def _received(
    session: aiohttp.ClientSession, settings: LocalEmbedderSettings, name: str, file: FileIO, told: Told
) -> str:
    """Writes a file as it comes; returns its SHA-256. Raises `Failure`, and `OSError` where it can't be written."""
    host, digest, came = _host(settings), hashlib.sha256(), 0
    try:
        url = yarl.URL(str(settings.url)).joinpath(*PurePosixPath(name).parts)
        async with session.get(url, proxy=connections.named_proxy(url)) as response:
            if response.status != 200:
                raise _failure(f"{host} answers {response.status} for {name}; check url and sha256", refused=True)
            total = response.content_length
            _make_sure_of_space(settings.folder, total)
            async for piece in response.content.iter_chunked(_PIECE):
                came += len(piece)
                if came > MOST_BYTES:
                    raise _failure(f"{name} from {host} is larger than {MOST_BYTES // 2**30} GiB", refused=True)
                digest.update(piece)
                file.write(piece)
                told(name, came, total)
    except TimeoutError as exc:
        raise _failure(f"{host} fell silent while {name} was fetched") from exc
    except (aiohttp.ClientError, ValueError) as exc:
        raise _failure(f"{host} broke off while {name} was fetched" if came else f"{host} can't be reached") from exc
    return digest.hexdigest()


def _make_sure_of_space(folder: Path, wanted: int | None) -> None:
    free = shutil.disk_usage(folder).free
    if wanted is not None and wanted > free:
        raise _failure(f"there is no space in {folder}: {wanted // _MB} MB are needed, {free // _MB} MB are free")


@contextlib.contextmanager
def alone(folder: Path) -> Generator[None]:
    """Holds the folder against other processes. Raises `Failure` while one of them fetches."""
    with (folder / ".lock").open("ab") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise _failure("another process is fetching its files") from None
        yield


def _not_written(folder: Path, exc: OSError) -> Failure:
    if exc.errno in {errno.ENOSPC, errno.EDQUOT}:
        return _failure(f"there is no space left in {folder}")
    return _failure(f"its files can't be kept in {folder}: {exc.strerror or type(exc).__name__}")


def _kept_as(settings: LocalEmbedderSettings, name: str) -> Path:
    return settings.folder / PurePosixPath(name).name


def _host(settings: LocalEmbedderSettings) -> str:
    return settings.url.host or "the server" if settings.url else "the server"


def _patience() -> aiohttp.ClientTimeout:
    return aiohttp.ClientTimeout(total=None, connect=connections.CONNECT_SECONDS, sock_read=_SILENCE_SECONDS)


def _failure(why: str, *, refused: bool = False) -> Failure:
    return Failure(why, kind="unreachable", retry=False, refused=refused)
