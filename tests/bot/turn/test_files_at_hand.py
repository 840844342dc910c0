"""The laws of what a model says of a file that comes with a question."""

import pytest

from bot.db.pool import Database
from bot.domain import SentFile, Surroundings
from tests import people
from tests.conftest import Clock
from tests.conversations import RecordedReply, roles, room
from tests.model_server import ModelServer, Reply

ANN, BEN = people.caller("Ann"), people.caller("Ben", person=8)
TEXT = """Minutes of the board, 3 March
Present: Ann, Ben, Carla.
The budget for the summer fair is 1,200 euro.
Ben will rent the marquee until 20 May.
Carla said that the band wants 300 euro in advance.
The next meeting is on 7 April at 18:30 in the library.
Open: who brings the tables?"""
WHOLE = (
    "The board discussed the summer fair: the budget is 1,200 euro, Ben will rent the marquee until 20 May, and the "
    "band wants 300 euro in advance. The next meeting is on 7 April at 18:30 in the library."
)
LISTED = "- The budget for the fair is 1,200 euro\n- Ben rents the marquee until 20 May\n- Next meeting: 7 April, 18:30"


async def answered(database: Database, question: str, answer: str) -> str:
    clock = Clock()
    async with ModelServer() as model, room(database, clock, models=roles(model.base_url), who=ANN) as r:
        await r.app.enter(BEN, channel_name="general", mode="all")
        await r.say("I ordered the band for the summer fair.", BEN)
        clock.forward(minutes=1)
        model.steps.clear()
        model.always = Reply(text=answer)
        turn = people.turn(r.caller, f"{question}\n[attachment: minutes.txt]", clock())
        file = SentFile(name="minutes.txt", text=TEXT, message=turn.message)
        reply = RecordedReply(around=Surroundings(files=(file,)))
        await r.app.conversation.answer(turn, reply.delivery)
        return reply.text


@pytest.mark.parametrize("answer", [WHOLE, LISTED])
@pytest.mark.parametrize("question", ["summarize this file", "what is in this file?", "what did the board decide?"])
async def test_a_right_summary_is_told(database: Database, question: str, answer: str) -> None:
    """It need not say where it is from: there is one file, and each of its sentences holds against that."""
    assert answer.splitlines()[0] in await answered(database, question, answer)


@pytest.mark.parametrize(("right", "wrong"), [("1,200", "1,500"), ("Ben", "Dora"), ("7 April", "9 April")])
async def test_what_the_file_says_otherwise_is_not(database: Database, right: str, wrong: str) -> None:
    """Then the file itself is quoted."""
    answer = WHOLE.replace(right, wrong)
    assert answer not in await answered(database, "summarize this file", answer)
