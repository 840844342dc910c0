"""The laws of the scripted server itself."""

import asyncio
import sys

import aiohttp

from tests.model_server import USAGE, ModelServer, Reply


async def test_it_answers_in_one_piece_when_not_asked_to_stream() -> None:
    """Text, calls and usage as OpenAI sends them."""
    async with (
        ModelServer(Reply(text="Hi.", calls=(("recall", {"q": 1}),))) as server,
        aiohttp.ClientSession() as http,
        http.post(f"{server.base_url}/chat/completions", json={"model": "m", "messages": []}) as response,
    ):
        body = await response.json()
    assert (body["choices"][0]["message"]["content"], body["usage"]) == ("Hi.", USAGE)
    assert body["choices"][0]["message"]["tool_calls"][0]["function"] == {"name": "recall", "arguments": '{"q": 1}'}


async def test_it_lists_its_model() -> None:
    """`GET /v1/models` answers."""
    async with (
        ModelServer() as server,
        aiohttp.ClientSession() as http,
        http.get(f"{server.base_url}/models") as response,
    ):
        assert (await response.json())["data"][0]["id"] == "scripted"


async def test_it_runs_as_a_program() -> None:
    """The first line it prints is its address; it answers there with the given text."""
    program = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "tests.model_server", "--port", "0", "--reply", "Ahoy.", stdout=asyncio.subprocess.PIPE
    )
    try:
        assert program.stdout is not None
        async with asyncio.timeout(10):
            base_url = (await program.stdout.readline()).decode().strip()
            async with (
                aiohttp.ClientSession() as http,
                http.post(f"{base_url}/chat/completions", json={"model": "m", "messages": []}) as response,
            ):
                body = await response.json()
    finally:
        program.terminate()
        await program.wait()
    assert body["choices"][0]["message"]["content"] == "Ahoy."
