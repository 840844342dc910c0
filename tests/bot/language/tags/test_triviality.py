"""The laws of what is archived: no greetings, fillers and debug output, unless a person asks for it."""

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from structlog.testing import capture_logs
from structlog.typing import EventDict

from bot import errors
from bot.db.pool import Database
from bot.domain import Actor, Fact, Saved, Source
from bot.language.tags import small_talk, tagging
from bot.language.tags.triviality import is_trivial
from bot.store.archivist import Author
from tests import people
from tests.conftest import Clock
from tests.conversations import Room, roles, room
from tests.model_server import ModelServer, Reply
from tests.rows import contents, rows

SETTLED = settings(derandomize=True, max_examples=300)
ANN = people.caller()
PHRASES = [p.strip() for t in (small_talk.GREETINGS, small_talk.FILLERS) for p in t.split(",")]
TRACE = """Traceback (most recent call last):
  File "/app/main.py", line 12, in <module>
    run()
    ~~~^^
ValueError: invalid literal for int() with base 10: 'x'"""
JAVA = """Exception in thread "main" java.lang.NullPointerException: x
\tat com.example.App.run(App.java:12)
\tat com.example.App.main(App.java:3)
Caused by: java.io.IOException: y
\t... 3 more"""
NODE = "Error: Cannot find module './x'\n    at Function.resolve (node:internal/loader:933:15)\n    at main.js:1:1"
LOG = """2026-03-02 12:00:01,123 INFO started
2026-03-02 12:00:02,456 ERROR could not connect
    to 10.0.0.1"""
DUMP = '{\n  "name": "Ann",\n  "tags": [\n    "a",\n    2\n  ]\n}'
OUTPUT = [
    TRACE,
    JAVA,
    NODE,
    LOG,
    DUMP,
    DUMP[:-3],
    f"```json\n{DUMP}\n```",
    f"```\n{TRACE}\n```",
    '{"a": 1}\n{"b": 2}',
    "[]",
    "[1, 2, 3]",
    '["a"]',
    "[12:00:01] <Ann> joined",
    "Mar  2 12:00:01 host sshd[12]: Accepted",
    "INFO:root:started",
    "[ERROR] no such table",
    "ts=2026-03-02T12:00:01Z level=info msg=ok",
    "npm ERR! code ENOENT",
    "src/main.py:12:5: error: expected ;",
    "HTTP/1.1 404 Not Found",
    "GET /index.html HTTP/1.1",
    "exit code: 1",
    '127.0.0.1 - - [02/Mar/2026:12:00:01 +0000] "GET / HTTP/1.1" 200 12',
    "<tool_result>ok</tool_result>",
    "stderr: no such file",
    '{"tool_calls": []',
    "goroutine 1 [running]:",
    "error[E0308]: mismatched types",
    "64 bytes from 1.1.1.1: icmp_seq=1 ttl=57",
    "requests.exceptions.ConnectionError: refused",
]
SMALL_TALK = [
    "hi",
    "Hello Bob!",
    "HELLO everyone :wave:",
    "hey <@12>",
    "good morning all, how are you?",
    "thanks Carla",
    "ty",
    "Thank you so much!!",
    "ok",
    "k",
    "OKAY.",
    "okaaay",
    "yesss",
    "nooooo",
    "lol",
    "LOOOL",
    "lololol",
    "hahaha",
    "hehehe",
    "hmmm",
    "xD",
    "yes",
    "no",
    "yes please",
    "no thanks",
    "no problem",
    "you're welcome",
    "You\u2019re welcome",
    "np",
    "brb",
    "gtg, see you later",
    "bye bye",
    "test",
    "Test 123",
    "testing 1 2 3",
    "this is a test",
    "ping",
    "!ping",
    "pong",
    "+1",
    "gg",
    "sounds good",
    "got it, thanks",
    "congrats Ann!",
    "happy birthday Bob",
    "Hallo zusammen",
    "Guten Morgen!",
    "danke schön",
    "Danke dir, Bob",
    "vielen Dank",
    "ja",
    "nee",
    "alles klar",
    "tschüss",
    "wie geht's?",
    "mir geht's gut, und dir?",
    "kein Problem",
    "schönen Abend noch",
    "genau",
    "Bonjour à tous",
    "salut, ça va ?",
    "ça va bien, et toi ?",
    "merci beaucoup",
    "d'accord",
    "oui",
    "non merci",
    "mdr",
    "de rien",
    "bonne soirée",
    "à bientôt",
    "s'il vous plaît",
    "désolé",
    "¡Hola!",
    "buenos días a todos",
    "¿qué tal?",
    "muchas gracias",
    "sí",
    "vale",
    "de nada",
    "jajaja",
    "hasta mañana",
    "lo siento",
    "no pasa nada",
    "adiós, nos vemos",
    "😀",
    "👍👍 🎉",
    "<:party:123456>",
    "...",
    "?!",
    "!!!",
    "",
    "   ",
    "—",
    "Ann said: hello",
    'Ann said: "ok, thanks"',
    "Bob wrote: haha",
]
TELLING = [
    "Ann is vegan",
    "no peanuts",
    "yes, Friday",
    "ok the deadline is Friday",
    "4417",
    "The code is 4417.",
    "I like tea",
    "Thanks for fixing the router",
    "hello kitty is my cat",
    "hi, the budget is 40 euros",
    "happy hour is at 5",
    "good morning meetings are banned",
    "Hallo ist mein Lieblingswort",
    "danke für den Schlüssel im Schuppen",
    "merci pour la clé du garage",
    "gracias por el informe",
    "nein, am Freitag",
    "non, vendredi",
    "sí, el viernes",
    "Ann said: the vault is open",
    "https://example.org",
    "hi https://example.org",
    "不要",
    "はい、金曜日",
    "x",
    "fact 1",
    "room 12",
    "INFO: the office is closed on Friday",
    "WARNING: peanuts in the cake",
    "Error: the cake burned",
    "2026-03-02 12:00 meeting with Bob",
    "12:30 is lunch",
    "main.py:12 is where it breaks",
    "Panic: there is no bread",
    "HTTP/2 is what we use",
    "we use {curly} braces",
    "[urgent] call mom",
    "x=3 y=4 are the coordinates of the base",
    f"I get this, restart nginx:\n{TRACE}",
    f"{LOG}\nThe fix was to restart nginx.",
    f"{DUMP}\nis what the API gives",
    "At Ann's (the one in Rome) we meet",
    "  at home (the old one)",
    "Caused by: dust in the fan",
    "test the brakes",
    "the ping is 40 ms",
    "We decided to use Rust.",
    "Exit code 3 means no token",
    "#42 is the ticket that broke it",
]


@pytest.mark.parametrize("text", [*SMALL_TALK, *PHRASES])
def test_small_talk_is_trivial(text: str) -> None:
    """Greetings, thanks, fillers, laughs, emoji, tests: in four languages, stretched, in any case, to whomever."""
    assert is_trivial(text)


@pytest.mark.parametrize("text", OUTPUT)
def test_machine_output_is_trivial(text: str) -> None:
    """Stack traces, log lines, JSON and what tools return, fenced or not."""
    assert is_trivial(text)


@pytest.mark.parametrize("text", TELLING)
def test_what_tells_anything_is_not_trivial(text: str) -> None:
    """One word that is neither, one line of somebody's own, makes a text worth keeping."""
    assert not is_trivial(text)


@SETTLED
@given(st.lists(st.sampled_from(PHRASES), min_size=1, max_size=8), st.sampled_from([", ", "! ", "\n", " 😀 ", "... "]))
def test_one_trifle_after_another_is_a_trifle(said: list[str], mark: str) -> None:
    """Whatever stands between them; and a fact after them is none."""
    assert is_trivial(mark.join(said))
    assert not is_trivial(mark.join([*said, "the budget is forty euros"]))


@SETTLED
@given(st.text(max_size=400))
def test_any_text_is_trivial_or_not(text: str) -> None:
    """Nothing a person can write stops it; without letters, digits and a link there is nothing to keep."""
    assert is_trivial(text) or any(word.isalnum() for word in tagging.words(text)) or "://" in text


# --- what the archivist makes of it ---------------------------------------------------------------------------------


async def saved_by(r: Room, actor: Actor, *texts: str, **fields: Any) -> tuple[list[Saved], EventDict]:
    """What became of these facts, and the line of the log that tells it."""
    facts = [Fact(content=text, topic="t", importance=5, source=Source.SUMMARY, **fields) for text in texts]
    author = Author(actor=actor, person_id=None if actor is Actor.SUMMARY else ANN.person_id, reason="remember")
    with capture_logs() as lines:
        saved = await r.app.archivist.save(ANN.space_id, ANN.channel_id, facts, author, now=r.clock())
    (line,) = [line for line in lines if line["event"] == "memory.saved"]
    return saved, line


@pytest.mark.parametrize("actor", [Actor.SUMMARY, Actor.MODEL])
async def test_what_a_summary_or_a_model_saves_is_left_out_if_trivial(
    database: Database, clock: Clock, actor: Actor
) -> None:
    """The rest is kept, and the log counts what was not."""
    async with room(database, clock) as r:
        saved, line = await saved_by(r, actor, "Hello everyone!", "Ann is vegan.", "ok")
    assert ([s.memory.content for s in saved], await contents(database)) == (["Ann is vegan."], ["Ann is vegan."])
    assert (line["saved"], line["trivial"]) == (1, 2)


async def test_what_a_person_asks_to_keep_is_kept(database: Database, clock: Clock) -> None:
    """Whatever it is but a program's output, in both ways to ask; even where it rests on nothing else."""
    async with room(database, clock) as r:
        _, line = await saved_by(r, Actor.PERSON, "hello", is_trivial=True)
        with pytest.raises(errors.RefusedText):
            await r.run(f"!remember {TRACE}")
        await r.say("Remember: thank you very much")
    assert (line["saved"], line["trivial"]) == (1, 0)
    assert await contents(database) == ["hello", "thank you very much"]


async def test_a_model_s_tool_is_told_that_small_talk_is_not_kept(database: Database, clock: Clock) -> None:
    """As one sentence it can answer with; the turn goes on."""
    save = ("memory_save", {"content": "Hello Ann!", "topic": "greeting"})
    async with (
        ModelServer(Reply(calls=(save,)), Reply(text="Hi Ann.")) as server,
        room(database, clock, models=roles(server.base_url)) as r,
    ):
        answer = await r.say("I said hello to the cat")
    told = [m["content"] for m in server.requests[1]["messages"] if m["role"] == "tool"]
    assert [text.startswith("Not done: That is small talk") for text in told] == [True]
    assert (answer.text, answer.notes, await contents(database)) == ("Hi Ann.", [], [])


async def test_a_fact_that_rests_on_small_talk_alone_is_not_archived(database: Database, clock: Clock) -> None:
    """Whatever a summarizer makes of it, and whatever Hathi said beside it; one telling message is enough."""
    facts = [
        {"content": "Hello everyone.", "evidence": [1]},
        {"content": "Zebras are nice.", "evidence": [1, 2, 3]},
        {"content": "Ann is vegan.", "evidence": [1, 5]},
        {"content": "ok, thanks!", "evidence": [3, 5]},
    ]
    given_ = [{"room": "general", "topic": "t", "importance": 5} | fact for fact in facts]
    async with (
        ModelServer(Reply(text="Zebras are nice."), Reply(text="Sure."), Reply(text="Noted.")) as server,
        room(database, clock, models=roles(server.base_url)) as r,
    ):
        for text in ("Hello everyone!", "ok, thanks 😀", "I am vegan"):
            await r.say(text)
        server.steps.append(Reply(text=json.dumps({"summary": "They talked.", "facts": given_})))
        with capture_logs() as lines:
            told = await r.reset()
    assert "→ 1 memory saved." in told
    assert await contents(database) == ["Ann is vegan."]
    assert [line["trivial"] for line in lines if line["event"] == "memory.saved"] == [3]
    assert await rows(database, "SELECT fact_count FROM session WHERE state = 'summarised'") == [(1,)]
