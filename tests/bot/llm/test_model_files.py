"""The laws of fetching a local model, over real HTTP on loopback."""

import contextlib
import hashlib
import io
import shutil
from collections.abc import AsyncGenerator, Awaitable, Callable
from datetime import timedelta
from pathlib import Path
from types import SimpleNamespace

import pytest
from aiohttp import web
from rich.console import Console

from bot import errors
from bot.cli import model_fetch
from bot.config import LocalEmbedderSettings
from bot.llm import model_files
from bot.llm.embedder import Embedder
from bot.llm.failures import Failure
from bot.llm.local_vectors import LocalVectors
from tests import sentence_models

FILES = {"onnx/model.onnx": sentence_models.weights(), "tokenizer.json": sentence_models.tokenizer().encode()}
PATH = "/acme/words/resolve/0123456789abcdef"

Serve = Callable[[web.Request, bytes], Awaitable[web.StreamResponse]]


class Shelf:
    """A server of the model's files, and what it was asked for."""

    def __init__(self, serve: Serve | None = None) -> None:
        self.asked: list[str] = []
        self.url = ""
        self._serve = serve

    async def answer(self, request: web.Request) -> web.StreamResponse:
        name = request.path.removeprefix(f"{PATH}/")
        self.asked.append(name)
        if name not in FILES:
            raise web.HTTPNotFound
        if self._serve is not None:
            return await self._serve(request, FILES[name])
        return web.Response(body=FILES[name])


@contextlib.asynccontextmanager
async def shelf(serve: Serve | None = None) -> AsyncGenerator[Shelf]:
    served, app = Shelf(serve), web.Application()
    app.router.add_get("/{path:.*}", served.answer)
    runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.1)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    host, port = runner.addresses[0][:2]
    served.url = f"http://{host}:{port}{PATH}"
    try:
        yield served
    finally:
        await runner.cleanup()


def settings(url: str, data_dir: Path, **hashes: str) -> LocalEmbedderSettings:
    """To be fetched from there, by these hashes."""
    sha256 = {name: hashlib.sha256(content).hexdigest() for name, content in FILES.items()} | hashes
    given = LocalEmbedderSettings.model_validate({"local": True, "url": url, "sha256": sha256})
    return given.model_copy(update={"folder": given.kept_in(data_dir)})


async def refusal(own: LocalEmbedderSettings) -> str:
    """Why nothing was fetched; what came is not kept."""
    with pytest.raises(Failure) as caught:
        await model_files.fetch(own, lambda *_: None)
    assert "onnx/model.onnx" in model_files.missing(own)
    assert {".lock"} >= {file.name for file in own.folder.iterdir()}
    return caught.value.why


async def test_a_model_is_fetched_once_and_told_of(tmp_path: Path) -> None:
    """Each file whole, under its own name, and never asked for again; then it makes vectors."""
    heard: list[tuple[str, int, int | None]] = []
    async with shelf() as served:
        own = settings(served.url, tmp_path)
        await model_files.fetch(own, lambda *told: heard.append(told))
        await model_files.fetch(own, lambda *told: heard.append(told))
        embedder = Embedder(own)
        assert await embedder.embed(["cat"]) == [[1.0, 0.0, 0.0, 0.0]]
        await embedder.aclose()
    assert served.asked == list(FILES)
    assert heard == [(name, len(content), len(content)) for name, content in FILES.items()]
    assert {file.name for file in own.folder.iterdir()} == {".lock", "model.onnx", "tokenizer.json"}
    assert own.folder.parent == tmp_path / "models"
    assert own.folder.stat().st_mode & 0o077 == 0


@pytest.mark.parametrize("name", ["tokenizer.json", "model.onnx"])
async def test_a_file_that_is_not_what_was_fetched_is_told_by_its_name(tmp_path: Path, name: str) -> None:
    """Whether it can still be read or not: no vector is made of it until it is deleted, and so fetched again."""
    async with shelf() as served:
        own = settings(served.url, tmp_path)
        await model_files.fetch(own, lambda *_: None)
        file = own.folder / name
        file.write_bytes(file.read_bytes() + b" " if name.endswith(".json") else file.read_bytes()[:100])
        source = LocalVectors(own, again=timedelta(0))
        embedder = Embedder(own, source=source)
        with pytest.raises(errors.ModelRefused) as caught:
            await embedder.embed(["cat"])
        file.unlink()
        await embedder.fetch(lambda *_: None)
        assert [[1.0, 0.0, 0.0, 0.0]] == await embedder.embed(["cat"])
        await embedder.aclose()
    assert f"what is in {file} is not what was fetched; delete it, and it is fetched again" in str(caught.value)


async def test_another_server_may_hold_the_file(tmp_path: Path) -> None:
    """Where the first redirects to is followed: the hash says whether it is the right file."""

    async def elsewhere(request: web.Request, content: bytes) -> web.StreamResponse:
        if request.query_string:
            return web.Response(body=content)
        raise web.HTTPFound(f"{request.path}?elsewhere")

    async with shelf(elsewhere) as served:
        own = settings(served.url, tmp_path)
        await model_files.fetch(own, lambda *_: None)
    assert model_files.missing(own) == {}


async def test_another_file_than_the_one_named_is_refused(tmp_path: Path) -> None:
    """Its SHA-256 tells, and nothing of it is kept."""
    async with shelf() as served:
        own = settings(served.url, tmp_path, **{"onnx/model.onnx": "0" * 64})
        assert await refusal(own) == "onnx/model.onnx from 127.0.0.1 is not the file that sha256 names"


async def test_a_cut_download_is_told_and_not_kept(tmp_path: Path) -> None:
    """Half a file is none."""

    async def half(request: web.Request, content: bytes) -> web.StreamResponse:
        response = web.StreamResponse(headers={"Content-Length": str(len(content))})
        await response.prepare(request)
        await response.write(content[: len(content) // 2])
        assert request.transport is not None
        request.transport.close()
        return response

    async with shelf(half) as served:
        why = await refusal(settings(served.url, tmp_path))
    assert why == "127.0.0.1 broke off while onnx/model.onnx was fetched"


async def test_a_file_that_is_not_there_is_told(tmp_path: Path) -> None:
    """With the status, and the settings to look at; a server that is away is told too."""
    async with shelf() as served:
        own = settings(served.url + "/elsewhere", tmp_path)
        assert await refusal(own) == "127.0.0.1 answers 404 for onnx/model.onnx; check url and sha256"
    assert await refusal(own) == "127.0.0.1 can't be reached"


async def test_where_there_is_no_space_nothing_is_asked_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is needed is compared with what is free, before a byte of it is written."""
    monkeypatch.setattr(shutil, "disk_usage", lambda _: SimpleNamespace(free=10))
    async with shelf() as served:
        own = settings(served.url, tmp_path)
        assert await refusal(own) == f"there is no space in {own.folder}: 0 MB are needed, 0 MB are free"


async def test_space_that_ends_meanwhile_is_told_and_nothing_kept(tmp_path: Path) -> None:
    """A device that is always full stands in for the part."""
    async with shelf() as served:
        own = settings(served.url, tmp_path)
        own.folder.mkdir(parents=True)
        (own.folder / "model.onnx.part").symlink_to("/dev/full")
        assert await refusal(own) == f"there is no space left in {own.folder}"


async def test_what_a_killed_process_left_is_begun_anew(tmp_path: Path) -> None:
    """A part is no file yet, however much of it there is."""
    async with shelf() as served:
        own = settings(served.url, tmp_path)
        own.folder.mkdir(parents=True)
        (own.folder / "model.onnx.part").write_bytes(b"0" * 10_000)
        await model_files.fetch(own, lambda *_: None)
    assert (own.folder / "model.onnx").read_bytes() == FILES["onnx/model.onnx"]


async def test_two_processes_do_not_fetch_the_same(tmp_path: Path) -> None:
    """The second is told, and may ask again."""
    async with shelf() as served:
        own = settings(served.url, tmp_path)
        own.folder.mkdir(parents=True)
        with model_files.alone(own.folder):
            assert await refusal(own) == "another process is fetching its files"
        await model_files.fetch(own, lambda *_: None)
    assert model_files.missing(own) == {}


async def test_hathi_goes_on_while_its_model_is_fetched(tmp_path: Path) -> None:
    """Whoever asks is told at once how far it is; when it is there, vectors are made."""
    async with shelf() as served:
        source = LocalVectors(settings(served.url, tmp_path))
        embedder = Embedder(settings(served.url, tmp_path), source=source)
        with pytest.raises(errors.ModelUnreachable, match="its files are being fetched, 0 MB so far"):
            await embedder.embed(["cat"])
        await source.opened()
        assert await embedder.embed(["cat"]) == [[1.0, 0.0, 0.0, 0.0]]
        await embedder.aclose()


async def test_at_a_terminal_a_bar_is_drawn(tmp_path: Path) -> None:
    """And elsewhere nothing; what hinders is one sentence."""
    drawn, plain = io.StringIO(), io.StringIO()
    async with shelf() as served:
        await model_fetch.fetch(settings(served.url, tmp_path / "1"), Console(file=drawn, force_terminal=True))
        await model_fetch.fetch(settings(served.url, tmp_path / "2"), Console(file=plain))
        with pytest.raises(errors.ModelRefused, match="is not the file that sha256 names"):
            await model_fetch.fetch(settings(served.url, tmp_path / "3", **{"tokenizer.json": "0" * 64}))
    assert ("Fetching onnx/model.onnx" in drawn.getvalue(), plain.getvalue()) == (True, "")


async def test_a_folder_that_can_not_be_written_is_told(tmp_path: Path) -> None:
    """As a sentence, with its reason."""
    (tmp_path / "data").write_text("a file")
    own = settings("http://127.0.0.1:1", tmp_path / "data")
    with pytest.raises(Failure, match=f"its files can't be kept in {own.folder}: Not a directory"):
        await model_files.fetch(own, lambda *_: None)
