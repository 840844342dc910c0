"""The made-up potters of the pictures: who they are, what they tell Hathi, and what a model makes of it."""

import json
import re
from dataclasses import dataclass
from typing import Any, Final

from tests.model_server import Reply

GUILD: Final = "Clay & Kiln"
CHANNEL: Final = "studio"
FOUNDER, KEEPER, POTTER, NEWCOMER = "Ines", "Theo", "Mara", "Jun"
"""Who may manage the server, who may manage messages, and two members without rights."""


@dataclass(frozen=True, slots=True)
class Told:
    """Something one of them told Hathi, what it said to that, and the fact that is made of it, if one is."""

    by: str
    text: str
    reply: str
    fact: str = ""
    room: str = "general"
    topic: str = "studio"
    importance: int = 5


AT_FIRST: Final = (
    Told(
        FOUNDER,
        "Our studio is open on Tuesdays and Thursdays from 18:00 to 21:30.",
        "Tuesdays and Thursdays, 18:00 to 21:30. I'll have it ready when somebody asks.",
        "The studio is open on Tuesdays and Thursdays from 18:00 to 21:30.",
        "general",
        "opening hours",
        8,
    ),
    Told(
        KEEPER,
        "We fire bisque to cone 06 and glaze to cone 6, never higher in the small kiln.",
        "Cone 06 for bisque, cone 6 for glaze. Is that for both kilns?",
        "Bisque is fired to cone 06 and glaze to cone 6, never higher in the small kiln.",
        "procedures",
        "firing",
        9,
    ),
    Told(
        POTTER,
        "The celadon glaze runs: leave 5 mm free above the foot.",
        "Good to know before somebody glues a bowl to a shelf.",
        "The celadon glaze runs: leave 5 mm free above the foot.",
        "procedures",
        "glazes",
        7,
    ),
    Told(
        FOUNDER,
        "We decided that members pay 35 € a month from February on.",
        "35 € a month from February on.",
        "Members pay 35 € a month from February on.",
        "decisions",
        "membership fee",
        8,
    ),
    Told(
        KEEPER,
        "I ordered 50 kg of stoneware from Kolb today.",
        "Shall I say so when somebody asks about clay?",
        "Theo ordered 50 kg of stoneware from Kolb.",
        "projects",
        "clay",
        5,
    ),
    Told(
        POTTER,
        "I prefer to throw on the wheel by the window.",
        "The one by the window it is.",
        "Mara prefers to throw on the wheel by the window.",
        "preferences",
        "wheels",
        4,
    ),
)
"""What was said weeks ago."""

LATELY: Final = (
    Told(
        KEEPER,
        "The next bisque firing is on Friday at 08:00, bring dry pieces by Thursday evening.",
        "Friday at 08:00, with dry pieces by Thursday evening.",
        "The next bisque firing is on Friday at 08:00; dry pieces are brought by Thursday evening.",
        "projects",
        "firing",
        8,
    ),
    Told(
        FOUNDER,
        "The spring market stall is number 14, next to the bakery.",
        "Stall 14, next to the bakery.",
        "The spring market stall is number 14, next to the bakery.",
        "projects",
        "market",
        7,
    ),
    Told(
        NEWCOMER,
        "I am vegetarian, so no sausages for me at the market please.",
        "Noted: no sausages for you.",
        "Jun is vegetarian.",
        "people",
        "food",
        5,
    ),
    Told(
        POTTER,
        "The spare key to the studio hangs in the blue cupboard.",
        "The blue cupboard. Who else should know?",
        "The spare key to the studio hangs in the blue cupboard.",
        "general",
        "keys",
        8,
    ),
    Told(
        KEEPER,
        "The thermocouple of the small kiln was replaced on 20 January.",
        "Then its readings before that are to be taken with care.",
        "The thermocouple of the small kiln was replaced on 20 January.",
        "architecture",
        "small kiln",
        6,
    ),
    Told(
        FOUNDER,
        "Lena from the youth centre visits us with eight children in March.",
        "Eight children in March, with Lena.",
        "Lena from the youth centre visits with eight children in March.",
        "people",
        "visits",
        6,
    ),
    Told(
        POTTER,
        "Sieve the tenmoku twice, it clogs the spray gun otherwise.",
        "Twice through the sieve.",
        "Tenmoku is sieved twice, it clogs the spray gun otherwise.",
        "procedures",
        "glazes",
        5,
    ),
    Told(
        KEEPER,
        "Shelves are cleaned by whoever unloads the kiln.",
        "So whoever unloads cleans.",
        "Shelves are cleaned by whoever unloads the kiln.",
        "decisions",
        "cleaning",
        5,
    ),
    Told(
        FOUNDER,
        "We decided to buy a second extruder if the market earns more than 600 €.",
        "A second extruder, if the market earns more than 600 €.",
        "A second extruder is bought if the market earns more than 600 €.",
        "decisions",
        "extruder",
        6,
    ),
    Told(
        NEWCOMER,
        "I work on a set of twelve espresso cups with ash glaze.",
        "Twelve cups with ash glaze. Send a picture when they are out of the kiln!",
        "Jun works on a set of twelve espresso cups with ash glaze.",
        "projects",
        "cups",
        5,
    ),
)
"""What was said on the evening before the pictures."""

QUESTION: Final = "When did we say the next bisque firing is?"
ANSWER: Final = "The next bisque firing is on Friday at 08:00; dry pieces are brought by Thursday evening [{source}]."
SEARCH: Final = "glaze"
_SAID: Final = {told.text: told for told in (*AT_FIRST, *LATELY)}
_LINE: Final = re.compile(r"^\[(\d+)\] (.*)$", re.MULTILINE)


def model(body: dict[str, Any]) -> Reply:
    """What the potters' model answers: a summary with its facts, the reply to what was told, or the answer."""
    asked = str(body["messages"][-1]["content"])
    if "response_format" in body:
        return _distilled(asked)
    # The newest is last: what was told before stands above it.
    told = max(_SAID.values(), key=lambda each: asked.rfind(each.text))
    if asked.rfind(QUESTION) > asked.rfind(told.text):
        return Reply(text=ANSWER.format(source=_source(body)))
    return Reply(text=told.reply)


def _source(body: dict[str, Any]) -> str:
    """The label under which the model was shown what it answers with."""
    shown = "\n".join(str(part["content"]) for part in body["messages"])
    found = re.search(r"\[(#\d+)[^\]]*\][^\n]*next bisque firing", shown)
    return found[1] if found else "#?"


def _distilled(transcript: str) -> Reply:
    facts: list[dict[str, Any]] = []
    for number, line in _LINE.findall(transcript):
        told = next((each for text, each in _SAID.items() if text in line), None)
        if told is not None and told.fact:
            facts.append(
                {
                    "room": told.room,
                    "topic": told.topic,
                    "content": told.fact,
                    "importance": told.importance,
                    "evidence": [int(number)],
                }
            )
    summary = "The potters told of firings, glazes and the market."
    return Reply(text=json.dumps({"summary": summary, "facts": facts}))
