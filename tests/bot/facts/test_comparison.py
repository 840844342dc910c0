"""The laws of comparing facts: same, contradicting, changed or different; measured on pairs written to be hard."""

import json
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.facts import comparison
from bot.facts.comparison import ContradictionKind, Relation, Said

SETTLED = settings(derandomize=True, max_examples=200)
HERE = Path(__file__).parent
PAIRS = [json.loads(line) for n in (1, 2) for line in (HERE / f"pairs_{n}.jsonl").read_text().splitlines()]
OTHERWISE = {Relation.CONTRADICTION, Relation.UPDATE}


def compared(old: str, new: str) -> comparison.Comparison:
    return comparison.compare(Said(text=old, by="Ann"), Said(text=new, by="Ann"))


@pytest.mark.parametrize(
    ("new", "old", "kind"),
    [
        ("The vault code is 5521.", "the vault code is 4417", ContradictionKind.NUMBER),
        ("The market opens at 10:30", "The market opens at 9:30.", ContradictionKind.DATE),
        ("The fair is on 2026-05-08", "The fair is on 2026-05-09", ContradictionKind.DATE),
        ("Team deploys freeze on Fridays.", "Team deploys freeze on Mondays.", ContradictionKind.DATE),
        ("The rent is due in May", "The rent is due in June", ContradictionKind.DATE),
        ("Die Miete ist im Mai fällig", "Die Miete ist im Juni fällig", ContradictionKind.DATE),
        ("Le marché ouvre le mardi", "Le marché ouvre le jeudi", ContradictionKind.DATE),
        ("El mercado abre el martes", "El mercado abre el jueves", ContradictionKind.DATE),
        ("Ann is treasurer of the club", "Bob is treasurer of the club.", ContradictionKind.NAME),
        ("The shop keys are with Zoë", "The shop keys are with Bob", ContradictionKind.NAME),
        ("The oven light doesn't work", "The oven light works", ContradictionKind.NEGATION),
        ("Die Kasse ist nicht besetzt", "Die Kasse ist besetzt", ContradictionKind.NEGATION),
        (
            "The tall boat leaves from the left pier",
            "The tall boat leaves from the right pier",
            ContradictionKind.VALUE,
        ),
    ],
)
def test_what_says_otherwise_contradicts(new: str, old: str, kind: ContradictionKind) -> None:
    """Whichever was first."""
    assert [(Relation.CONTRADICTION, kind)] * 2 == [
        (each.relation, each.kind) for each in (compared(old, new), compared(new, old))
    ]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (
            "The vault code is 4417",
            "The plan of 2024 for the market: stalls, a stage, tea, paint, ladders, permits, code",
        ),
        ("Bob likes tea", "The market opens on Monday at 10"),
        ("The red kayak leaks at the bow", "The yellow kayak leaks at the stern"),
        ("Ann beat Bob at the chess final", "Bob beat Ann at the chess final"),
        ("I can read Arabic but not speak it", "I speak Arabic but can't read it"),
        ("The museum pass is for 2 adults and 3 children", "The museum pass is for 3 adults and 2 children"),
        ("The pool café sells ice", "The pool café now sells cake as well"),
        ("", "The vault code is 4417"),
        ("12", "13"),
    ],
)
def test_what_may_tell_of_two_things_is_neither_the_same_nor_held_against_each_other(old: str, new: str) -> None:
    """In doubt both are kept."""
    assert Relation.DIFFERENT is compared(old, new).relation


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Team deploys freeze on Fridays.", "All team deploys freeze on Friday"),
        ("The kilns are fired by Bob", "the kiln is fired by Bob!"),
        ("The vault code is 4417", "The vault code: 4417"),
        ("The hall costs 45 euros an hour", "The hall costs forty-five € per hour"),
        ("Training starts at 19:30 on Wednesdays", "Wed practice begins at half past seven in the evening"),
        ("The AGM is on 3 March 2025", "The general meeting is on 03/03/2025"),
        ("The vet's number is 0161 496 0722.", "01614960722 is the number of the vet"),
        ("The broth simmers for 3 hours", "The broth simmers for 180 minutes"),
    ],
)
def test_the_same_in_other_words_is_the_same(old: str, new: str) -> None:
    """Whichever was first."""
    assert [Relation.SAME] * 2 == [compared(old, new).relation, compared(new, old).relation]


def test_i_is_whoever_says_it() -> None:
    """And so another in another's mouth."""
    mine, hers = Said(text="I'm allergic to sesame", by="Yusuf"), Said(text="Yusuf is allergic to sesame", by="Clara")
    assert Relation.SAME is comparison.compare(mine, hers).relation
    assert Relation.DIFFERENT is comparison.compare(mine, Said(text="I'm allergic to sesame", by="Clara")).relation


def test_only_what_was_said_later_tells_of_a_change() -> None:
    """The word of change in what was said earlier replaces nothing."""
    old, new = "The alarm code at the shop is 5519", "The alarm code at the shop is now 5591"
    assert (Relation.UPDATE, True) == (compared(old, new).relation, compared(old, new).is_sure)
    assert Relation.CONTRADICTION is compared(new, old).relation


@pytest.mark.parametrize("per_set", [160])
def test_the_pairs_are_told_apart(per_set: int) -> None:
    """Nothing of two facts is merged or replaced, and what is held against each other nearly always is.

    Recall is what tables of words reach; a pair that is missed is kept twice.
    """
    told, replaced = Counter[tuple[str, str]](), Counter[str]()
    for pair in PAIRS:
        each = comparison.compare(Said(text=pair["old"], by=pair["old_by"]), Said(text=pair["new"], by=pair["new_by"]))
        told[pair["label"], "otherwise" if each.relation in OTHERWISE else each.relation.value] += 1
        if each.relation is Relation.UPDATE and each.is_sure and pair["old_by"] == pair["new_by"]:
            replaced[pair["label"]] += 1
    assert 2 * per_set == len(PAIRS)
    merged = sum(n for (_, relation), n in told.items() if relation == "same")
    flagged = sum(n for (_, relation), n in told.items() if relation == "otherwise")
    rightly = sum(told[label, "otherwise"] for label in ("contradiction", "update"))
    assert told["same", "same"] == merged
    assert {"update"} == {*replaced}
    assert (told["same", "same"], rightly, flagged) == MEASURED


MEASURED = (33, 92, 93)
"""Of 80 pairs that are the same those that are found; of 140 that contradict or change, and of all that are flagged."""


@SETTLED
@given(st.text(max_size=200), st.text(max_size=200))
def test_whatever_people_write_is_compared(one: str, other: str) -> None:
    """Nothing contradicts itself."""
    assert compared(one, other).relation in Relation
    assert compared(one, one).relation not in OTHERWISE
