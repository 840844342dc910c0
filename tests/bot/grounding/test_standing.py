"""The laws of what an answer may say against what stands in its prompt."""

import json
from collections import Counter
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

import pytest

from bot.domain import Layer
from bot.grounding.standing import Standing, quotation
from bot.layers.walk import Evidence

HERE: Final = Path(__file__).parent
NOON: Final = datetime(2026, 5, 20, 12, tzinfo=UTC)
MEMORIES: Final = (
    "The deploy freeze starts on 5 May and ends on 12 May.",
    "Marco prefers oat milk in his coffee.",
    "The spare key is with Mrs Novak next door.",
    "We chose Postgres 15 for the shop database.",
    "The bakery opens at 7 am on weekdays.",
    "Ann is allergic to hazelnuts.",
    "The rent is 1,200 euros a month.",
    "Priya runs the Tuesday book club.",
)
KINDS: Final = {"number": 0.7, "date": 0.6, "name": 0.5, "negation": 0.8, "yes/no": 0.6}
"""The least share of each that is found in answers written for the check of what was looked up."""


def shown(label: str, content: str) -> Evidence:
    return Evidence(label=label, layer=Layer.IDENTITY, content=content, author="Ann", said_at=NOON)


TOLD: Final = [shown(f"#{number}", content) for number, content in enumerate(MEMORIES, 1)]


def standing(question: str, *also: str) -> Standing:
    return Standing(TOLD, [shown(f"H{n}", one) for n, one in enumerate(also)], question, asked_at=NOON, zone="UTC")


@pytest.mark.parametrize(
    ("question", "answer", "number"),
    [
        ("Tell me about the deploy freeze", "The deploy freeze starts on 7 May.", 1),
        ("Tell me about the deploy freeze", "There is no deploy freeze.", 1),
        ("Tell me about the deploy freeze", "There is no freeze.", 1),
        ("Tell me about the deploy freeze", "No freeze is planned.", 1),
        ("Is there a freeze", "There isn't any freeze scheduled.", 1),
        ("Tell me about the spare key", "The spare key is with Mr Kowalski.", 3),
        ("rent?", "The rent is 1,100 euros a month.", 7),
        ("What does Marco drink?", "Marco doesn't like oat milk in his coffee.", 2),
        ("Tell me about the book club", "It is run by Tom on Tuesdays.", 8),
        ("Tell me about the bakery", "The bakery opens at 8 am.", 5),
        ("describe our database", "You chose MySQL for the shop database.", 4),
        ("rent?", "It is 1,100 euros.", 7),
        ("How much is the rent?", "It's 1,100 euros a month.", 7),
        ("Who runs the book club?", "It is Tom.", 8),
        ("Tell me about the deploy freeze", "Deploys are frozen from 15 May on.", 1),
        ("Can Ann eat hazelnuts?", "Ann is not allergic to hazelnuts.", 6),
    ],
)
def test_what_contradicts_a_memory_is_replaced_by_it(question: str, answer: str, number: int) -> None:
    """Another value, date or name of the same, and a denial; the sentences beside it stay."""
    told = standing(question).read(f"Sure! {answer} Anything else?")
    assert f"Sure! {quotation(TOLD[number - 1])} Anything else?" == told


@pytest.mark.parametrize(
    ("memory", "question", "answer"),
    [
        ("the wifi password is tulip42", "good morning", "The wifi password is tulip24."),
        ("the wifi password is tulip42", "good morning", "The wifi password is rose99."),
        ("the wifi password is tulip42", "how do I sign in to the network here", "The wifi password is tulip24."),
        ("the rent is 1,200 euros a month", "good evening", "The rent is 1,100 euros a month."),
        ("the rent is 1,200 euros a month", "nice weather", "The rent is 900 euros a month."),
        ("the rent is 1,200 euros a month", "how are you", "There is no rent to pay."),
        ("gate code is 4417", "I'm at the gate", "Type 4471 at the gate."),
        ("the freeze starts on 20 December", "any plans", "With the freeze from 22 December on, finish early."),
        ("the freeze starts on 20 December", "any plans", "No freeze in December."),
    ],
)
def test_whatever_was_asked_what_a_memory_tells_is_not_told_otherwise(memory: str, question: str, answer: str) -> None:
    """A sentence about just the thing that a memory is about, or with figures like a code's, has another value."""
    one = shown("#1", memory)
    held = Standing([*TOLD[1:3], one], [], question, asked_at=NOON, zone="UTC")
    assert f"Hello! {quotation(one)}" == held.read(f"Hello! {answer}")


@pytest.mark.parametrize(
    ("memories", "answer"),
    [
        (["the rent is 1,200 euros a month"], "The rent is 1,200 euros, 14,400 a year."),
        (["the rent is 1,200 euros a month"], "The rent is 1,200 euros, so each of the three pays 400."),
        (["the rent is 1,200 euros a month", "since May our rent is 1,300 euros a month"], "The rent is 1,300 euros."),
        (["the freeze starts on 20 December", "the freeze moved to 22 December"], "The freeze starts on 22 December."),
        (["gate code is 4417"], "The gate was built in 1987."),
        (["gate code is 4417"], "Gate 4 is open."),
        (["the wifi password is tulip42"], "A password should have 12 letters or more."),
        (["the wifi password is tulip42"], "The wifi password is tulip42."),
    ],
)
def test_what_else_is_told_of_the_thing_stays(memories: list[str], answer: str) -> None:
    """Of another period, reckoned on, as another memory has it, or of the world."""
    told = [shown(f"#{n}", memory) for n, memory in enumerate(memories)]
    assert answer == Standing(told, [], "good morning", asked_at=NOON, zone="UTC").read(answer)


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        (
            "Tell me about the deploy freeze",
            "The deploy freeze runs from 5 May to 12 May. A freeze like this usually lasts one to two weeks.",
        ),
        (
            "How do I install Postgres?",
            "Run `apt install postgresql`. The default port is 5432. A shop database would want 4 GB of memory.",
        ),
        ("Give me a recipe for oat milk pancakes", "Mix 200 g of flour with 300 ml of oat milk. Bake for 3 minutes."),
        ("What goes well with coffee?", "Hazelnut cake. Italians drink about 3 cups of coffee a day."),
        ("Is 1,200 euros a lot?", "A flat of 60 m² costs about 900 euros. Your rent is 1,200 euros, 14,400 a year."),
        ("Suggest a book for the book club", "How about The Dispossessed by Ursula Le Guin? It has 341 pages."),
        ("When do bakeries open in France?", "Most bakeries in France open between 6 and 7 am."),
        ("what's a code freeze", "A code freeze is a period without changes. Many teams freeze deploys in December."),
        ("How much is the rent?", "It is 1,200 euros. That is 14,400 euros a year."),
        ("How much is the rent a year?", "It is 14,400 euros."),
        ("How much is the rent of the garage?", "It is 90 euros."),
        ("Who runs the book club?", "It is Priya."),
        ("When are deploys frozen?", "Deploys are frozen from 5 May to 12 May."),
        ("Marco, coffee?", "Marco takes oat milk. I don't drink coffee myself."),
        ("Where is the shop keeper?", "There is no shop."),
        ("Tell me about the rent", "No problem. No rush."),
    ],
)
def test_what_tells_a_memory_or_something_else_stays(question: str, answer: str) -> None:
    """As it stands, in other words, reckoned on, or of the world."""
    assert answer == standing(question).read(answer)


def test_what_is_over_may_be_said_not_to_be() -> None:
    """Of what was called off there is none, whether the memory tells so or what was said since."""
    told = Standing(
        [shown("#1", "We called off the deploy freeze.")], [], "Is there a freeze?", asked_at=NOON, zone="UTC"
    )
    assert None is told.contradicted("There is no freeze.")
    denied = "There is no freeze."
    assert denied == standing("Tell me about the deploy freeze", "The freeze is called off.").read(denied)


def test_what_was_said_since_may_be_told() -> None:
    """Of the session and of what else was shown any value is as good as the memory's."""
    asked, told = "Tell me about the deploy freeze", "The deploy freeze starts on 7 May."
    assert told == standing(asked, "The freeze moved, it starts on 7 May now.").read(told)
    assert told == standing("The freeze starts on 7 May now, right?").read(told)


def test_labelled_lies_are_found_and_honest_answers_stay() -> None:
    """In answers that were written for another check: most of each kind, and of the honest ones all but one."""
    found, all_of, false = Counter[str](), Counter[str](), list[str]()
    for file in sorted(HERE.glob("answers*.jsonl")):
        for row in map(json.loads, file.read_text(encoding="utf-8").splitlines()):
            is_changed = _changed(row)
            if row["sound"]:
                false += [row["answer"]] * is_changed
            elif row["kind"] in KINDS:
                found[row["kind"]] += is_changed
                all_of[row["kind"]] += 1
    assert [] == [kind for kind, least in KINDS.items() if found[kind] < least * all_of[kind]]
    assert ["Yes: Marco can't have hazelnuts, he is allergic to them (#402)."] == false


def _changed(row: dict[str, Any]) -> bool:
    told = [
        Evidence(
            label=one["label"],
            layer=Layer.PALACE,
            content=one["content"],
            author=one["author"],
            said_at=datetime.fromisoformat(one["said_at"]),
        )
        for one in row["evidence"]
    ]
    held = Standing(told, [], row["question"], asked_at=NOON, zone="UTC")
    return held.read(row["answer"]) != row["answer"]
