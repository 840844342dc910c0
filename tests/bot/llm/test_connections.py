"""The laws of how a server is reached, and of what goes there."""

import asyncio
import contextlib
import gzip
import json
import shutil
import socket
import ssl
import subprocess
from base64 import b64encode
from collections.abc import AsyncGenerator
from datetime import timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import yarl
from structlog.testing import capture_logs

from bot import errors
from bot.config import EmbedderSettings, ModelSettings, Roles, RoleSettings
from bot.domain import ModelRole
from bot.llm import connections, failures
from bot.llm.connections import Connections
from bot.llm.embedder import Embedder
from bot.llm.messages import ChatMessage
from bot.llm.model_request import ServerRequests
from bot.llm.models import Models
from tests.bot.llm.asking import HELLO, REASONING, answer, asking
from tests.model_server import ModelServer, Reply, Status

KEY = "sk-test-4417-4417-4417"
EVENTS = b'data: {"choices":[{"delta":{"content":"Fine."},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n'
PROXIES = ("http_proxy", "https_proxy", "all_proxy", "no_proxy")


class Bytes:
    """A server that says exactly these bytes to each request, one after the other and the last again and again."""

    def __init__(self, *replies: bytes) -> None:
        self.replies = list(replies)
        self.heads: list[str] = []
        self.bodies: list[bytes] = []
        self.place = ""
        self.holds = False

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(asyncio.IncompleteReadError, ConnectionError):
            first = await reader.readexactly(1)
            if first == b"\x16":
                raise ConnectionError  # TLS, which it does not speak
            head = (first + await reader.readuntil(b"\r\n\r\n")).decode()
            length = [line.partition(":")[2] for line in head.split("\r\n") if line.lower().startswith("content-len")]
            self.heads.append(head)
            self.bodies.append(await reader.readexactly(int(length[0]) if length else 0))
            writer.write(self.replies.pop(0) if len(self.replies) > 1 else self.replies[0])
            await writer.drain()
            if self.holds:
                await reader.read()  # until the client leaves
        writer.close()


@contextlib.asynccontextmanager
async def saying(*replies: bytes, host: str = "127.0.0.1", **tls: Any) -> AsyncGenerator[Bytes]:
    """A server of bytes."""
    server = Bytes(*replies)
    async with await asyncio.start_server(server._serve, host, 0, **tls) as listening:
        port = listening.sockets[0].getsockname()[1]
        server.place = f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
        yield server


def http(body: bytes = EVENTS, *headers: str, status: str = "200 OK", kind: str = "text/event-stream") -> bytes:
    """An answer that ends when the connection does."""
    head = (f"HTTP/1.1 {status}", f"Content-Type: {kind}", "Connection: close", *headers, "", "")
    return "\r\n".join(head).encode() + body


def redirect(status: int, to: str) -> bytes:
    return http(b"", f"Location: {to}", "Content-Length: 0", status=f"{status} Elsewhere")


async def refusal(models: Models) -> errors.ModelError:
    with pytest.raises((errors.ModelRefused, errors.ModelUnreachable)) as caught:
        await answer(models)
    return caught.value


async def failure(url: str, **fields: Any) -> failures.Failure:
    """How one attempt without a deadline ends."""
    settings = ModelSettings.model_validate({"base_url": url, "model": "m0"} | fields)
    own = Connections()
    with pytest.raises(failures.Failure) as caught:
        async for _ in ServerRequests(settings, own).stream(HELLO, (), None):
            pass
    await own.aclose()
    return caught.value


@pytest.fixture(autouse=True)
def _no_proxies(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in PROXIES:
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.upper(), raising=False)


EXTRAS: dict[str, Any] = {
    "extra_body": {"top_k": 5, "temperature": 0.5},
    "extra_headers": {"X-Team": "swordfish-1", "user-agent": "ours"},
    "extra_query": {"api-version": "swordfish 2"},
}


async def test_what_a_server_needs_besides_goes_there() -> None:
    """Body, headers and query of a role, of its fallback and of the embedder; each to its own server alone."""
    vectors = http(b'{"data": [{"embedding": [1.0]}]}', kind="application/json")
    async with saying(http(b"", status="500 No")) as first, saying(http()) as second, saying(vectors) as third:
        own = {"base_url": f"http://{first.place}/v1", "model": "m0", "timeout": 1, "temperature": 0.1} | EXTRAS
        other = {"base_url": f"http://{second.place}/v1", "model": "m1", "api_key": KEY}
        fallbacks = [other | {"extra_headers": {"AUTHORIZATION": "Mine"}}, other]
        models = Models(Roles(reasoning=RoleSettings.model_validate(own | {"fallbacks": fallbacks})))
        vector_source = Embedder(
            EmbedderSettings.model_validate({"base_url": f"http://{third.place}/v1", "model": "e"} | EXTRAS)
        )
        await answer(models)
        await vector_source.probe(within=timedelta(seconds=5))
        await models.aclose()
        await vector_source.aclose()
    for server, path in ((first, "/v1/chat/completions"), (third, "/v1/embeddings")):
        head, body = server.heads[0], json.loads(server.bodies[0])
        assert head.startswith(f"POST {path}?api-version=swordfish+2 ")
        assert ("X-Team: swordfish-1\r\n" in head, "user-agent: ours\r\n" in head, "hathi" in head) == (
            True,
            True,
            False,
        )
        assert (5, 0.5) == (body["top_k"], body["temperature"])
    assert ("AUTHORIZATION: Mine\r\n" in second.heads[0], KEY in second.heads[0]) == (True, False)
    assert ("swordfish" in second.heads[0], b"top_k" in second.bodies[0]) == (False, False)


async def test_what_a_server_needs_besides_is_not_told() -> None:
    """Neither logged nor in the sentence people are shown, however the call ends."""
    async with saying(http(b"swordfish-1", status="400 No")) as server:
        with capture_logs() as lines:
            async with asking(f"http://{server.place}/v1", **EXTRAS) as models:
                refused = await refusal(models)
    assert ([], True) == ([one for one in ("swordfish", "top_k") if one in f"{lines}{refused}"], bool(lines))


@pytest.mark.parametrize(
    ("base", "path"),
    [
        ("", "/chat/completions"),
        ("/", "/chat/completions"),
        ("/v1", "/v1/chat/completions"),
        ("/v1/", "/v1/chat/completions"),
        ("/v1beta/openai/", "/v1beta/openai/chat/completions"),
        ("/a%2Fb/v1", "/a%2Fb/v1/chat/completions"),
    ],
)
async def test_the_address_is_joined_with_or_without_a_slash(base: str, path: str) -> None:
    """`base_url` may end in a slash, and keeps its path."""
    async with saying(http()) as server, asking(f"http://{server.place}{base}") as models:
        assert (await answer(models))[1].text == "Fine."
    assert f"POST {path} HTTP/1.1" == server.heads[0].split("\r\n")[0]


async def test_an_address_of_version_6_is_an_address() -> None:
    """In brackets, as in every URL."""
    try:
        socket.create_server(("::1", 0), family=socket.AF_INET6).close()
    except OSError:
        pytest.skip("this machine has no IPv6")
    async with (
        saying(http(), http(status="401 No"), host="::1") as server,
        asking(f"http://{server.place}/v1") as models,
    ):
        await answer(models)
        assert f"{server.place} refused the API key" in str(await refusal(models))


@pytest.mark.parametrize("key", ["sk-ключ", "sk-one\nsk-two", "sk-\u200b1234", "sk-\x00"])
async def test_a_key_that_no_header_can_hold_is_said_to_be_wrong(key: str) -> None:
    """At once and without quoting it; nothing is sent."""
    async with ModelServer() as server, asking(server.base_url, api_key=key) as models:
        error = await refusal(models)
        given = {"base_url": server.base_url, "model": "m", "api_key": key}
        embedder = Embedder(EmbedderSettings.model_validate(given))
        with pytest.raises(errors.ModelRefused, match="characters that no key has"):
            await embedder.embed(["one"])
    assert (errors.ModelRefused, True, False) == (
        type(error),
        "characters that no key has" in str(error),
        key in str(error),
    )
    assert [] == server.requests


async def test_a_user_in_the_address_is_who_asks_unless_there_is_a_key() -> None:
    """Of two ways to say who asks the key is the one that was set on purpose."""
    async with saying(http()) as server:
        for key in (None, KEY):
            async with asking(f"http://ann:tea@{server.place}/v1", api_key=key) as models:
                await answer(models)
    basic = b64encode(b"ann:tea").decode()
    assert [f"Authorization: Basic {basic}" in server.heads[0], f"Authorization: Bearer {KEY}" in server.heads[1]] == [
        True,
        True,
    ]
    assert basic not in server.heads[1]


async def test_passwords_kept_for_other_programs_are_sent_nowhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A .netrc that names the server changes nothing, with a key and without."""
    netrc = tmp_path / "netrc"
    netrc.write_text("machine 127.0.0.1 login ann password tea\n")
    netrc.chmod(0o600)
    monkeypatch.setenv("NETRC", str(netrc))
    async with ModelServer() as server:
        for key in (None, KEY):
            async with asking(server.base_url, api_key=key) as models:
                await answer(models)
    assert [None, f"Bearer {KEY}"] == [headers.get("Authorization") for headers in server.headers]


async def test_a_server_s_cookies_are_not_kept() -> None:
    """Nothing ties one person's question to the next but the key."""
    async with saying(http(EVENTS, "Set-Cookie: who=ann; Path=/")) as server, asking(f"http://{server.place}") as m:
        for _ in range(2):
            await answer(m)
    assert [False, False] == ["cookie" in head.lower() for head in server.heads]


# --- proxies --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["http_proxy", "HTTP_PROXY", "all_proxy"])
@pytest.mark.parametrize("scheme", ["http://", ""])
async def test_a_proxy_of_the_environment_is_used(monkeypatch: pytest.MonkeyPatch, name: str, scheme: str) -> None:
    """It is asked for the whole address, with its own user's password; the key is the server's."""
    async with saying(http()) as proxy:
        monkeypatch.setenv(name, f"{scheme}ann:tea@{proxy.place}" if scheme else proxy.place)
        async with asking("http://models.test/v1", api_key=KEY) as models:
            await answer(models)
    basic = b64encode(b"ann:tea").decode()
    assert proxy.heads[0].startswith("POST http://models.test/v1/chat/completions HTTP/1.1\r\nHost: models.test\r\n")
    assert (f"Authorization: Bearer {KEY}\r\n" in proxy.heads[0], f"Basic {basic}" in proxy.heads[0]) == (
        True,
        bool(scheme),
    )


async def test_a_proxy_sees_no_key_of_an_encrypted_server(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is only asked for a tunnel; one that refuses is a server that can't be reached."""
    async with saying(http(b"", status="403 No")) as proxy:
        monkeypatch.setenv("https_proxy", f"http://{proxy.place}")
        failed = await failure("https://models.test/v1", api_key=KEY)
    assert proxy.heads[0].startswith("CONNECT models.test:443 HTTP/1.1\r\n")
    assert (KEY in "".join(proxy.heads), failed.why) == (False, "models.test can't be reached")


@pytest.mark.parametrize("spared", ["127.0.0.1", "models.test, 127.0.0.1", "*"])
async def test_no_proxy_stands_before_a_server_that_is_spared(monkeypatch: pytest.MonkeyPatch, spared: str) -> None:
    """NO_PROXY names hosts to be asked directly."""
    async with saying(http(status="502 No")) as proxy, ModelServer() as server:
        monkeypatch.setenv("http_proxy", f"http://{proxy.place}")
        monkeypatch.setenv("no_proxy", spared)
        async with asking(server.base_url) as models:
            await answer(models)
    assert ([], 1) == (proxy.heads, len(server.requests))


@pytest.mark.parametrize(
    ("url", "spared"),
    [
        ("http://[::1]:8080", "::1"),
        ("http://[::1]:8080", "[::1]"),
        ("https://a.models.test", "models.test"),
        ("https://models.test:8443", "models.test:8443"),
    ],
)
def test_a_server_is_spared_by_address_domain_or_port(monkeypatch: pytest.MonkeyPatch, url: str, spared: str) -> None:
    """However people write it."""
    settings = ModelSettings.model_validate({"base_url": url, "model": "m"})
    monkeypatch.setenv("all_proxy", "http://proxy.test:3128")
    assert yarl.URL("http://proxy.test:3128") == connections.proxy_of(settings, yarl.URL(url))
    monkeypatch.setenv("no_proxy", spared)
    assert connections.proxy_of(settings, yarl.URL(url)) is None


@pytest.mark.parametrize("proxy", ["socks5://127.0.0.1:9", "http://[::1", "http://"])
async def test_a_proxy_of_another_kind_is_said_to_be_one(monkeypatch: pytest.MonkeyPatch, proxy: str) -> None:
    """Nothing is sent to it, nor past it."""
    monkeypatch.setenv("all_proxy", proxy)
    async with ModelServer() as server:
        failed = await failure(server.base_url)
    assert ("is not an HTTP proxy; change it" in failed.why, failed.retry, server.requests) == (True, False, [])


# --- redirects ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("status", [307, 308])
async def test_a_redirect_within_the_server_is_followed(status: int) -> None:
    """The same request goes there, key and all."""
    async with (
        saying(redirect(status, "/v2/chat/completions"), http()) as server,
        asking(f"http://{server.place}/v1", api_key=KEY) as models,
    ):
        assert (await answer(models))[1].text == "Fine."
    assert "POST /v2/chat/completions HTTP/1.1" == server.heads[1].split("\r\n")[0]
    assert ([True, True], True) == (
        [f"Bearer {KEY}" in head for head in server.heads],
        server.bodies[0] == server.bodies[1] != b"",
    )


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
async def test_a_redirect_to_another_host_is_not_followed(status: int) -> None:
    """Neither the key nor what people said goes where no setting leads; one sentence says what to look at."""
    async with (
        ModelServer() as other,
        saying(redirect(status, f"{other.base_url}/chat/completions?said=hm")) as server,
        asking(f"http://{server.place}/v1", api_key=KEY) as models,
    ):
        error = await refusal(models)
    assert [] == other.requests
    told = ("reasoning model m0", f"{server.place} redirects", f"({status})", "check base_url")
    assert [True] * 4 == [part in str(error) for part in told]


async def test_a_redirect_that_leads_back_ends() -> None:
    """After three of them it is a refusal."""
    async with saying(redirect(307, "/v1/chat/completions")) as server, asking(f"http://{server.place}/v1") as models:
        assert "redirects to another address (307)" in str(await refusal(models))
    assert 4 == len(server.heads)


@pytest.mark.parametrize(
    ("url", "location", "followed"),
    [
        ("http://models.test/v1", "https://models.test/v1", True),
        ("http://models.test/v1", "//models.test/v2", True),
        ("https://models.test/v1", "http://models.test/v1", False),
        ("http://models.test:8080/v1", "https://models.test/v1", False),
        ("http://models.test/v1", "https://models.test:8443/v1", False),
        ("https://models.test/v1", "https://models.test:8443/v1", False),
        ("https://models.test/v1", "https://models.test.evil.test/v1", False),
        ("https://models.test/v1", "https://models.test@evil.test/v1", False),
        ("https://models.test/v1", "//evil.test/v1", False),
        ("https://models.test/v1", "http://[::1", False),
        ("https://models.test/v1", "file:///etc/passwd", False),
    ],
)
def test_only_the_same_place_or_its_encrypted_self_is_followed_to(url: str, location: str, followed: bool) -> None:
    """Whatever a Location holds."""
    response: Any = SimpleNamespace(status=308, headers={"Location": location})
    assert followed == (connections.redirected_to(yarl.URL(url), response) is not None)


# --- what does not arrive -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("banner", [b"SSH-2.0-OpenSSH_9.6\r\n", b"\x15\x03\x01\x00\x02\x02\x0a", b""])
async def test_what_speaks_no_http_is_not_reached(banner: bytes) -> None:
    """Another service on that port, or one that hangs up."""
    async with saying(banner) as server:
        failed = await failure(f"http://{server.place}/v1")
    assert (f"{server.place} can't be reached", "unreachable", True) == (failed.why, failed.kind, failed.retry)


async def test_a_server_without_encryption_is_not_reached_with_it() -> None:
    """A failed handshake is no answer."""
    async with saying(http()) as server:
        assert f"{server.place} can't be reached" == (await failure(f"https://{server.place}/v1")).why


@pytest.mark.skipif(shutil.which("openssl") is None, reason="openssl makes the certificate")
async def test_a_certificate_that_nobody_vouches_for_is_not_believed(tmp_path: Path) -> None:
    """Nothing is sent to who shows it."""
    subprocess.run(
        [
            "openssl",
            "req",
            "-x509",
            "-newkey",
            "rsa:2048",
            "-nodes",
            "-days",
            "1",
            "-subj",
            "/CN=127.0.0.1",
            "-addext",
            "subjectAltName=IP:127.0.0.1",
            "-keyout",
            "key.pem",
            "-out",
            "cert.pem",
        ],
        cwd=tmp_path,
        check=True,
        capture_output=True,
    )
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(tmp_path / "cert.pem", tmp_path / "key.pem")
    async with saying(http(), ssl=context) as server:
        failed = await failure(f"https://{server.place}/v1", api_key=KEY)
    assert (f"{server.place} can't be reached", []) == (failed.why, server.heads)


async def test_a_connection_that_does_not_come_about_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ten seconds for name, connection and handshake, whatever the role's own deadline."""
    assert 10 == connections.CONNECT_SECONDS
    monkeypatch.setattr(connections, "CONNECT_SECONDS", 0.05)
    with socket.create_server(("127.0.0.1", 0)) as mute:
        place = f"127.0.0.1:{mute.getsockname()[1]}"
        late = await failure(f"https://{place}/v1")
    assert (f"{place} can't be reached in time", "timeout", True) == (late.why, late.kind, late.retry)


async def test_a_prompt_of_any_length_is_sent() -> None:
    """Megabytes too, in pieces."""
    long = [ChatMessage(role="user", content="word " * 500_000)]
    async with ModelServer() as server, asking(server.base_url, timeout=60) as models:
        assert "Fine." == (await models.complete(REASONING, long)).text
    assert long[0].content == server.requests[0]["messages"][0]["content"]


# --- what arrives ---------------------------------------------------------------------------------------------------


async def test_a_packed_answer_is_unpacked() -> None:
    """gzip is offered, and understood in pieces of any size."""
    packed = gzip.compress(EVENTS)
    chunked = b"".join(b"1\r\n%c\r\n" % byte for byte in packed) + b"0\r\n\r\n"
    encoded = "Content-Encoding: gzip"
    async with (
        saying(http(packed, encoded), http(chunked, encoded, "Transfer-Encoding: chunked")) as server,
        asking(f"http://{server.place}/v1") as models,
    ):
        assert ["Fine.", "Fine."] == [(await answer(models))[1].text for _ in range(2)]
    assert "gzip" in server.heads[0]


@pytest.mark.parametrize("encoding", ["gzip", "deflate", "br"])
async def test_an_answer_that_cannot_be_unpacked_is_none(encoding: str) -> None:
    """It is no broken connection: what was sent is wrong."""
    packed = http(b"this is no packed text", f"Content-Encoding: {encoding}")
    async with saying(packed) as server, asking(f"http://{server.place}/v1") as models:
        error = await refusal(models)
    assert (errors.ModelRefused, True) == (type(error), "something that is not an answer" in str(error))


@pytest.mark.parametrize(
    ("body", "header"), [(b"40\r\n" + EVENTS[:20], "Transfer-Encoding: chunked"), (EVENTS[:20], "Content-Length: 4000")]
)
async def test_a_body_shorter_than_it_said_is_cut(body: bytes, header: str) -> None:
    """Tried again while nothing was shown."""
    async with saying(http(body, header), http()) as server, asking(f"http://{server.place}/v1") as models:
        assert "Fine." == (await answer(models))[1].text
    async with saying(http(body, header)) as server:
        assert "cut" == (await failure(f"http://{server.place}/v1")).kind


@pytest.mark.parametrize(
    "body",
    [
        b'{"error":\n  {"message": "unknown parameter: max_tokens"}}',
        b'{\n "error": {\n  "code": "unknown",\n  "param": "max_tokens"\n }\n}',
        b'[{"error": {"message": "Unknown name \\u0027max\\u005ftokens\\u0027"}}]',
        b"Unknown parameter:\n\nmax_tokens",
    ],
)
async def test_an_error_is_read_however_it_is_laid_out(body: bytes) -> None:
    """Lines and escapes do not hide the name of a parameter."""
    async with (
        saying(http(body, status="400 Bad", kind="application/json"), http()) as server,
        asking(f"http://{server.place}/v1") as models,
    ):
        assert "Fine." == (await answer(models))[1].text
    assert [False, True] == [b"max_completion_tokens" in body for body in server.bodies]


@pytest.mark.parametrize("holds", [True, False])
async def test_an_error_is_one_however_its_text_goes_on(holds: bool) -> None:
    """One without an end is read only so far, and one that breaks off hides no status."""
    bad = http(b"context length " + b"x" * 2**17 * holds, "Content-Length: 9999999", status="413 Long")
    async with saying(bad) as server, asking(f"http://{server.place}/v1") as models:
        server.holds = holds
        assert "refused the request (413); the prompt is longer" in str(await refusal(models))
    assert 1 == len(server.heads)


# --- connections ----------------------------------------------------------------------------------------------------


async def test_an_error_leaves_the_connection_to_the_next_request() -> None:
    """Its text is read to the end, like an answer."""
    async with ModelServer(Status(status=401), Status(status=500)) as server, asking(server.base_url) as models:
        await refusal(models)
        await answer(models)
    assert (3, 1) == (len(server.requests), len(server.connections))


async def test_an_answer_left_early_is_not_read_by_the_next() -> None:
    """Its connection is closed, so the rest of it never turns up elsewhere."""
    gate = asyncio.Event()
    left = Reply(text="one two", pieces=2, gate=gate)
    async with ModelServer(left) as server, asking(server.base_url) as models:
        async with contextlib.aclosing(models.stream(REASONING, HELLO)) as events:
            await anext(events)
        gate.set()
        texts = [(await answer(models))[1].text for _ in range(2)]
    assert (["Fine.", "Fine."], 3, 2) == (texts, len(server.requests), len(server.connections))


async def test_nobody_waits_for_the_answers_of_others() -> None:
    """Three times as many requests are open at once as an ordinary pool would allow connections."""
    count, gate, all_asked = 300, asyncio.Event(), asyncio.Event()

    def counted() -> None:
        if len(server.requests) == count:
            all_asked.set()

    server = ModelServer(always=Reply(text="one two", pieces=2, gate=gate))
    server.on_request = counted
    async with server, asking(server.base_url, timeout=60, between=60) as models:
        answers = [asyncio.create_task(models.complete(REASONING, HELLO)) for _ in range(count)]
        async with asyncio.timeout(60):
            await all_asked.wait()
        gate.set()
        texts = {done.text for done in await asyncio.gather(*answers)}
    assert ({"one two"}, count) == (texts, len(server.connections))


async def test_nothing_is_asked_after_the_end() -> None:
    """A session opened then would be closed by nobody."""
    async with ModelServer() as server:
        async with asking(server.base_url) as models:
            await answer(models)
        assert "I am stopping" in str(await refusal(models))
    assert 1 == len(server.requests)


def test_the_models_may_be_made_before_the_loop_runs() -> None:
    """Connections belong to the loop that first asks."""
    role = RoleSettings.model_validate({"base_url": "http://127.0.0.1:9/v1", "model": "m", "timeout": 0.01})
    models = Models(Roles(summarizer=role))

    async def asked() -> None:
        with pytest.raises(errors.ModelUnreachable):
            await models.complete(ModelRole.SUMMARIZER, HELLO)
        await models.aclose()

    asyncio.run(asked())
