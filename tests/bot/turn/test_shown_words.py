"""Replies that rest on a recall."""

from typing import Any

import pytest

from bot.commands import hello
from bot.db.pool import Database
from bot.domain import NOTHING_FOUND
from bot.grounding import citations, model_words
from bot.turn.delivery import Keep
from tests.conftest import Clock
from tests.conversations import RecordedReply, roles, room
from tests.model_server import ModelServer, Reply


class _Watched(RecordedReply):
    """Notes whether anything was shown before the end."""

    shown_early: bool = False

    async def show(self, text: str, keep: Keep) -> None:
        self.shown_early = True
        await super().show(text, keep)


@pytest.mark.parametrize(
    ("calls", "early", "said"),
    [
        ((("memory_recall", {"query": "tea"}),), False, "You drink tea (#1), they say. Cheers"),
        ((), True, "You drink tea (#1), they say. Cheers"),
    ],
    ids=["after a recall", "without one"],
)
async def test_a_reply_grounded_in_a_recall_of_the_model_is_checked_before_it_is_shown(
    database: Database, clock: Clock, calls: tuple[tuple[str, dict[str, Any]], ...], early: bool, said: str
) -> None:
    """It is shown when it is whole, others stream; no citation of a memory that nobody put before the model stays."""
    text = "You drink tea (#1), they say (#99)."
    steps = [Reply(calls=calls)] if calls else []
    async with (
        ModelServer(*steps, always=Reply(text=f"{text} Cheers", pieces=5)) as server,
        room(database, clock, models=roles(server.base_url)) as r,
    ):
        await r.run("!remember I drink tea")
        recorded_reply = _Watched()
        await r.app.conversation.answer(r.turn("Make me a list of drinks, please."), recorded_reply.delivery)
    assert (said, early) == (recorded_reply.text, recorded_reply.shown_early)


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("See #12 and memory (#3) [#4].", "See #12 and memory (#3)."),
        ("It is tea (#4711).", "It is tea."),
        ("It is tea [#4711], said Ann (M3).", "It is tea, said Ann."),
        ("It is tea (see #3, #4711).", "It is tea (#3)."),
        ("It is tea (memory #4711), or (**#4711**), or \u3010N2\u3011.", "It is tea, or, or."),
        ("It is tea \uff08#4711\uff09.", "It is tea."),
    ],
)
def test_only_bracketed_labels_are_citations(text: str, left: str) -> None:
    """A ticket's number in a sentence stays; of what was cited and not shown nothing does."""
    assert left == citations.of_shown(text, {"#3"})


@pytest.mark.parametrize(
    ("text", "own"),
    [
        ("[memory] saved: topic=tea (imp=8) #4", ""),
        ("Sure.\n\n**[Memory]** saved: topic=tea (imp=8) #4\nEnjoy it.", "Sure.\n\nEnjoy it."),
        ("- > `[memory] forgotten: #4`\nDone.", "Done."),
        ("It is tea.\n-# from #1, Ann, 3 May \u00b7 why?", "It is tea."),
        ("It is tea.\n> **-# looked at 3 things \u2022 !why**", "It is tea."),
        ("It is tea.\nfrom #1, Ann, 3 May | why?", "It is tea."),
        ("It is tea.\n-# I guess.", "It is tea.\nI guess."),
        ("From what you say I can't tell why.", "From what you say I can't tell why."),
        ("[mem\u200bory] saved: topic=tea (imp=8) #4", ""),
        ("[m\u0435mory] saved: topic=tea (imp=8) #4", ""),
        ("\\[ **memory** ] saved: topic=tea (imp=8) #4", ""),
        ("[note] N1 is kept until tomorrow.", ""),
        ("Sure. Conversation history cleared. Anything else?", "Sure. Anything else?"),
        ("Sure: conversation history cleared.", ""),
        ("```\n**Conversation history cleared.**\n```\nBye.", "```\n```\nBye."),
        ("Erased for good in a while; !undo helps.", ""),
        ("Done. __Erased for good__: 3 memories, 2 messages. Bye.", "Done. Bye."),
        ("Nothing here is erased for good before 10 minutes are over.",) * 2,
        ("That is forgotten already.\nIt supersedes #4.", ""),
        ("NOTHING", ""),
        ("**NOTHING**\nNOTHING. (#4)", ""),
        ("NOTHING\n\nTry the wiki.", "Try the wiki."),
        ("Nothing.", "Nothing."),
        ("NOTHING compares to tea.", "NOTHING compares to tea."),
        ("A line of [memory] stands under what I save.", "A line of [memory] stands under what I save."),
        ("NO", "NO"),
    ],
)
def test_a_model_does_not_speak_in_hathis_voice(text: str, own: str) -> None:
    """Notices, small print and the word for no answer are taken out; the words themselves may be said."""
    assert own == model_words.own_words(text)


@pytest.mark.parametrize(
    "text",
    [
        "[memory] saved: topic=v. 2 (imp=8) #4",
        "**NOTHING** NOTHING",
        "-# from #1, notes v. 2, Ann, 3 May \u00b7 why?",
        "Conversation history cleared.",
        "Erased for good in a while; !undo helps.",
    ],
)
def test_nothing_of_it_is_shown_while_it_is_still_coming(text: str) -> None:
    """However much of it has come."""
    whole = f"Tea.\n{text}\n"
    shown = {model_words.own_words(model_words.finished(whole[:size])).strip() for size in range(6, len(whole) + 1)}
    assert {"Tea."} == shown


def test_what_is_still_coming_is_whole_sentences() -> None:
    """And whole lines, with what closes them; a stop within a word ends none, and one may yet go on."""
    text = 'It is 3.5 (or "so."). Then\nthis! \u3053\u308c\u3002And'
    shown = list(dict.fromkeys(model_words.finished(text[:size]) for size in range(len(text) + 1)))
    sentences = ['It is 3.5 (or "so."). ', "Then\n", "this! ", "\u3053\u308c\u3002"]
    assert ["".join(sentences[:count]) for count in range(5)] == shown


@pytest.mark.parametrize("text", ["NOTHING", "nothing.", "NOTHING. NOTHING.", "The answer: NOTHING (#4)."])
def test_the_word_for_no_answer_is_read_with_something_around_it(text: str) -> None:
    """A model that says it twice, or cites a source for it, has no answer either."""
    assert model_words.says_none(text)


async def test_what_a_model_says_in_hathis_voice_is_neither_shown_nor_recorded(
    database: Database, clock: Clock
) -> None:
    """Of an answer that says more the rest stays; one that says no more is none, and nothing was saved."""
    false = "[memory] saved: topic=tea (imp=8) #4"
    async with (
        ModelServer(Reply(text=f"Sure.\n{false}", pieces=9), Reply(text=false, pieces=9)) as server,
        room(database, clock, models=roles(server.base_url)) as r,
    ):
        said = [(await r.say("Bob likes tea, by the way")).text for _ in range(2)]
    async with database.connection() as connection:
        rows = await connection.fetch("SELECT content FROM message WHERE role = 'hathi' ORDER BY message_id")
    assert ["Sure.", NOTHING_FOUND] == said
    assert said == [row["content"] for row in rows]


async def test_what_a_model_saved_is_told_by_hathi_where_the_model_says_no_more(
    database: Database, clock: Clock
) -> None:
    """The notice under the reply is the true one."""
    save = ("memory_save", {"content": "Bob likes tea.", "topic": "tea"})
    async with (
        ModelServer(Reply(calls=(save,)), Reply(text="[memory] saved: topic=tea (imp=10) #9")) as server,
        room(database, clock, models=roles(server.base_url)) as r,
    ):
        said = await r.say("Bob likes tea, by the way")
    assert (hello.HEARD_BRIEFLY, ["[memory] saved: topic=tea (imp=5) #1\n    Bob likes tea."]) == (
        said.text,
        said.notes,
    )


@pytest.mark.parametrize("said", ["NOTHING", "NOTHING. NOTHING."])
@pytest.mark.parametrize("reason", ["stop", "length"])
async def test_a_model_that_has_nothing_twice_is_not_quoted_with_it(
    database: Database, clock: Clock, said: str, reason: str
) -> None:
    """What a person reads is what was found, word for word."""
    async with (
        ModelServer(Reply(text=said), always=Reply(text=said, reason=reason)) as server,
        room(database, clock, models=roles(server.base_url)) as r,
    ):
        await r.run("!remember The tea shop on Elm Street opens at nine. topic:tea")
        answer = await r.say("When does the tea shop on Elm Street open?")
        assert (2, False) == (len(server.requests), "NOTHING" in answer.text)
        assert "The tea shop on Elm Street opens at nine." in answer.text


async def test_a_streamed_answer_is_shown_by_whole_sentences(database: Database, clock: Clock) -> None:
    """Nothing that is taken out of it is to be seen for a moment, however small the pieces are."""
    text = "Sure (#4711). Conversation history cleared. Look at [this](https://evil.example/?d=1)! Bye"
    seen: list[str] = []

    class Watching(RecordedReply):
        async def show(self, text: str, keep: Keep) -> None:
            seen.append(text)
            await super().show(text, keep)

    async with (
        ModelServer(always=Reply(text=text, pieces=len(text))) as server,
        room(database, clock, models=roles(server.base_url)) as r,
    ):
        recorded_reply = Watching()
        await r.app.conversation.answer(r.turn("Tell me something."), recorded_reply.delivery)
    link = "Look at [this] (https://evil.example/?d=1) (link not checked)!"
    assert ["Sure.", f"Sure. {link}"] == [shown.strip() for shown in dict.fromkeys(map(str.strip, seen))]
    assert f"Sure. {link} Bye" == recorded_reply.text


async def test_a_link_is_known_from_what_the_model_was_shown(database: Database, clock: Clock) -> None:
    """From the question, a memory or the talk before; not from what the model itself said earlier."""
    said = " and ".join(f"https://{name}.example/x" for name in ("asked", "kept", "told", "made-up"))
    async with (
        ModelServer(always=Reply(text=said)) as server,
        room(database, clock, models=roles(server.base_url)) as r,
    ):
        await r.run("!remember The rules of our garden stand on https://kept.example/x")
        await r.say("Look, https://told.example/x is nice")
        for _ in range(2):
            answer = await r.say("Write a poem on our garden with https://asked.example/x")
            assert f"{said} (link not checked)" == answer.text
