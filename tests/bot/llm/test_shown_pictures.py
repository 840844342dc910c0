"""The laws of pictures in requests: shown to models that see, told of to those that don't, and counted."""

import contextlib
from collections.abc import AsyncGenerator
from typing import Any, Final

import pytest

from bot import errors
from bot.config import ModelSettings, Roles, RoleSettings
from bot.domain import ModelRole, Picture
from bot.llm import completions, tokens
from bot.llm.messages import ChatMessage
from bot.llm.models import Models
from tests.bot.llm.asking import REASONING, asking
from tests.model_server import ModelServer, Reply, Status
from tests.picture_files import shown_in

POT: Final = Picture(jpeg=b"\xff\xd8 pot", width=700, height=100)
CUP: Final = Picture(jpeg=b"\xff\xd8 cup", width=70, height=10)
LOOK: Final = [
    ChatMessage(role="system", content="Be brief."),
    ChatMessage(role="user", content="What is this?", pictures=(POT, CUP)),
]
_TOO_LONG: Final = {"error": {"message": "This model's maximum context length is 4000 tokens, with images."}}


async def said_by(models: Models) -> str:
    """What a model says on two pictures."""
    return (await models.complete(REASONING, LOOK)).text


@contextlib.asynccontextmanager
async def seeing(server: ModelServer, *others: ModelServer, **fields: Any) -> AsyncGenerator[Models]:
    """A model that sees on the first server; its fallbacks don't."""
    async with asking(server.base_url, *(each.base_url for each in others), vision=True, **fields) as models:
        yield models


async def test_a_model_that_sees_is_shown_pictures_with_their_message() -> None:
    """Each as a data URL behind the text, in order; other messages are plain texts."""
    async with ModelServer() as server, seeing(server) as models:
        assert await said_by(models) == "Fine."
        (request,) = server.requests
        assert [POT.jpeg, CUP.jpeg] == shown_in(request)
        system, question = request["messages"]
        assert ("Be brief.", {"type": "text", "text": "What is this?"}) == (system["content"], question["content"][0])


async def test_a_model_that_does_not_see_is_told_so_in_a_sentence() -> None:
    """It gets the text and no picture."""
    async with ModelServer() as server, asking(server.base_url) as models:
        await said_by(models)
        assert f"What is this?\n\n{completions.NOT_SEEN}" == server.requests[0]["messages"][1]["content"]


async def test_a_fallback_that_does_not_see_gets_the_text() -> None:
    """Each model of a role is sent what it takes."""
    async with ModelServer(always=Status(status=401)) as own, ModelServer() as other, seeing(own, other) as models:
        assert await said_by(models) == "Fine."
        assert (2, []) == (len(shown_in(own.requests[0])), shown_in(other.requests[0]))
        assert completions.NOT_SEEN in other.requests[0]["messages"][1]["content"]


@pytest.mark.parametrize(
    "refusal",
    [
        Status(status=400, body={"error": {"message": "Invalid content type: image_url is not supported."}}),
        Status(status=404, body={"error": {"message": "No endpoints found that support image input"}}),
        Status(status=500, body={"error": {"message": "image input is not supported - you may need the mmproj"}}),
        Status(status=422, body={"error": {"message": "Could not process the picture"}}),
    ],
)
async def test_pictures_that_a_server_does_not_take_are_left_out(refusal: Status) -> None:
    """The same question is asked without them: a picture costs nobody the answer."""
    async with ModelServer(refusal) as server, seeing(server) as models:
        assert await said_by(models) == "Fine."
        assert [2, 0] == [len(shown_in(request)) for request in server.requests]
        assert completions.NOT_SEEN in server.requests[1]["messages"][1]["content"]


@pytest.mark.parametrize(
    ("refusal", "error"),
    [
        (Status(status=400, body={"error": {"message": "I don't like it"}}), errors.ModelRefused),
        (Status(status=401, body={"error": {"message": "no"}}), errors.ModelRefused),
        (Status(status=400, body=_TOO_LONG), errors.PromptTooLong),
    ],
)
async def test_what_is_refused_for_something_else_is_not_asked_again(
    refusal: Status, error: type[errors.ModelError]
) -> None:
    """Without the pictures it would be refused as well, or they only take too much."""
    async with ModelServer(always=refusal) as server, seeing(server) as models:
        with pytest.raises(error):
            await said_by(models)
        assert len(server.requests) == 1


async def test_pictures_are_sent_with_every_round_of_a_turn() -> None:
    """A model that called a tool still sees what it was asked about."""
    async with ModelServer(always=Reply(text="Fine.")) as server, seeing(server) as models:
        await said_by(models)
        await models.complete(REASONING, [*LOOK, ChatMessage(role="assistant", content="A pot.")])
        assert [2, 2] == [len(shown_in(request)) for request in server.requests]


def test_a_picture_takes_tokens_by_its_size() -> None:
    """They are counted with the message that shows it."""
    bare = tokens.estimate_message(ChatMessage(role="user", content="What is this?"))
    assert (185, 86) == (tokens.of_picture(POT), tokens.of_picture(CUP))
    assert bare + 185 + 86 == tokens.estimate_message(LOOK[1])


@pytest.mark.parametrize(("share", "area"), [(100, 120_000), (785, 490_000), (100_000, 1_060_000)])
def test_a_picture_may_have_as_many_pixels_as_its_share_of_tokens(share: int, area: int) -> None:
    """But something is to be made out in it, and what is more models don't look at."""
    assert area == tokens.picture_area(share)
    assert area == 120_000 or tokens.of_picture(Picture(jpeg=b"", width=1000, height=area // 1000)) <= share


@pytest.mark.parametrize(("own", "fallback"), [(False, False), (True, False), (False, True)])
def test_a_role_sees_where_one_of_its_models_does(*, own: bool, fallback: bool) -> None:
    """By default none does."""
    given: dict[str, Any] = {"base_url": "http://x/v1", "model": "m"}
    role = RoleSettings(**given, vision=own, fallbacks=(ModelSettings(**given, vision=fallback),))
    models = Models(Roles(reasoning=role, summarizer=RoleSettings(**given)))
    assert (own or fallback) == models.sees(ModelRole.REASONING)
    assert (False, False) == (models.sees(ModelRole.SUMMARIZER), models.sees(ModelRole.EXECUTION))


def test_a_picture_is_not_told_of_by_its_bytes() -> None:
    """Whatever prints a message."""
    assert "pot" not in repr(LOOK)
