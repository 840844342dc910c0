"""The laws of how servers of models are found on this machine."""

from dataclasses import replace
from datetime import timedelta

import pytest
from aiohttp import web

from bot.llm import model_lists
from bot.llm.providers import PROVIDERS
from tests.model_server import ModelServer


async def served(answer: web.Response) -> tuple[str, ...] | None:
    """What is found where a server answers so."""

    async def models(_request: web.Request) -> web.Response:
        return answer

    app = web.Application()
    app.router.add_get("/v1/models", models)
    runner = web.AppRunner(app)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    host, port = runner.addresses[0][:2]
    try:
        return await model_lists.models_at(f"http://{host}:{port}/v1/")
    finally:
        await runner.cleanup()


async def test_those_that_answer_are_found_in_their_order() -> None:
    """With the models they have; where nobody listens there is none."""
    async with ModelServer() as first, ModelServer() as second:
        addresses = [first.base_url, "http://127.0.0.1:1/v1", second.base_url]
        asked = [replace(one, base_url=at) for one, at in zip(PROVIDERS, addresses, strict=False)]
        assert [(asked[0], ("scripted",)), (asked[2], ("scripted",))] == await model_lists.found(asked)


@pytest.mark.parametrize(
    "answer",
    [
        {"text": "hello"},
        {"text": '{"data": 5}'},
        {"text": '{"data": []}', "status": 404},
        {"status": 302, "headers": {"Location": "/v1/models"}},
        {"text": f'{{"data": [], "more": "{"x" * 2**20}"}}'},
    ],
)
async def test_what_is_no_list_of_models_is_no_server(answer: dict[str, object]) -> None:
    """Something else on the port, a redirect, a list without an end."""
    assert None is await served(web.Response(**answer))  # pyright: ignore[reportArgumentType]


async def test_a_server_without_a_model_is_one() -> None:
    """It was started, and waits for one to be loaded."""
    assert () == await served(web.json_response({"object": "list", "data": []}))


async def test_a_port_that_says_nothing_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """Longer than its patience."""
    monkeypatch.setattr(model_lists, "PATIENCE", timedelta(0))
    async with ModelServer() as server:
        assert None is await model_lists.models_at(server.base_url)
