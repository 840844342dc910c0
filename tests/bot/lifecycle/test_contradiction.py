"""The laws of contradictions: alike, but with other numbers, dates, names or the opposite."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.lifecycle import contradiction
from bot.lifecycle.contradiction import ContradictionKind

SETTLED = settings(derandomize=True, max_examples=200)


@pytest.mark.parametrize(
    ("new", "old", "kind"),
    [
        ("The vault code is 5521.", "the vault code is 4417", ContradictionKind.NUMBER),
        ("The market opens at 10:30", "The market opens at 9:30.", ContradictionKind.NUMBER),
        ("The fair is on 2026-05-08", "The fair is on 2026-05-09", ContradictionKind.NUMBER),
        ("The oven does 250°C, 30% faster", "The oven does 230°C, 30% faster", ContradictionKind.NUMBER),
        ("Deploys freeze on Fridays.", "Deploys freeze on Mondays.", ContradictionKind.DATE),
        ("Rent is due in May", "Rent is due in June", ContradictionKind.DATE),
        ("Die Miete ist im Mai fällig", "Die Miete ist im Juni fällig", ContradictionKind.DATE),
        ("Le marché ouvre le mardi", "Le marché ouvre le jeudi", ContradictionKind.DATE),
        ("El mercado abre el martes", "El mercado abre el jueves", ContradictionKind.DATE),
        ("Ann leads the rota", "Bob leads the rota.", ContradictionKind.NAME),
        ("The keys are with Zoë", "The keys are with Bob", ContradictionKind.NAME),
        ("We do not deploy on Fridays", "We deploy on Fridays", ContradictionKind.NEGATION),
        ("Deploys are never on Fridays", "Deploys are on Fridays", ContradictionKind.NEGATION),
        ("The oven doesn't work", "The oven works", ContradictionKind.NEGATION),
        ("Die Kasse ist nicht offen", "Die Kasse ist offen", ContradictionKind.NEGATION),
        ("Le four ne marche pas", "Le four marche", ContradictionKind.NEGATION),
    ],
)
def test_what_says_otherwise_contradicts(new: str, old: str, kind: ContradictionKind) -> None:
    """Whichever was first; and what contradicts is never the same."""
    assert (kind, kind) == (
        contradiction.between(new, old, same_topic=True),
        contradiction.between(old, new, same_topic=True),
    )
    assert not contradiction.is_same(new, old)


@pytest.mark.parametrize(
    ("new", "old"),
    [
        ("The vault code is 4417", "The vault code is 4417, and has been for 3 years"),
        ("The meeting is at 10", "The meeting is at 10 in room 4"),
        ("Bob likes tea", "The market opens on Monday at 10"),
        ("Deploys freeze on Fridays", "Deploys freeze on Fridays"),
        ("Deploys freeze on Fridays", "The deploy script wants Python 3"),
        ("Ann may lead the rota", "Ann leads the rota in May"),
        ("The market is in June", "The market is in June, on a Monday"),
        ("Ann leads the rota", "She leads the rota"),
        ("The code is 4417", "The plan of 2024 for the market: stalls, a stage, tea, paint, ladders, permits, code"),
        ("", "The vault code is 4417"),
        ("12", "13"),
    ],
)
def test_what_says_more_or_speaks_of_another_thing_does_not(new: str, old: str) -> None:
    """One side only has the number, date or name; or the words are others."""
    assert (None, None) == (
        contradiction.between(new, old, same_topic=True),
        contradiction.between(old, new, same_topic=True),
    )


def test_of_another_topic_more_must_be_shared() -> None:
    """One word in common is enough within a topic, two elsewhere."""
    for topic, expected in ((True, ContradictionKind.NUMBER), (False, None)):
        assert expected == contradiction.between("Lunch is at 12", "Lunch is at 13", same_topic=topic)
        assert ContradictionKind.NUMBER == contradiction.between(
            "Team lunch is at 12", "Team lunch is at 13", same_topic=topic
        )


@pytest.mark.parametrize(
    ("new", "old", "same"),
    [
        ("Deploys freeze on Fridays.", "All deploys freeze on Friday", True),
        ("The kilns are fired by Bob", "the kiln is fired by Bob!", True),
        ("The vault code is 4417", "The vault code: 4417", True),
        ("Bob likes tea", "Bob likes coffee", False),
        ("The meeting is at 10", "The meeting is at 10 in room 4", False),
        ("The code of the vault is 4417", "The code of the vault", False),
        ("the and of", "the and of", False),
    ],
)
def test_what_says_nearly_the_same_is_the_same(new: str, old: str, same: bool) -> None:
    """Forms of words, stop words and marks aside; never with another number or date."""
    assert (same, same) == (contradiction.is_same(new, old), contradiction.is_same(old, new))


@SETTLED
@given(st.text(max_size=200), st.text(max_size=200), st.booleans())
def test_it_is_symmetric_and_nothing_contradicts_itself(one: str, other: str, topic: bool) -> None:
    """Whatever people write."""
    kinds = [contradiction.between(a, b, same_topic=topic) for a, b in ((one, other), (other, one), (one, one))]
    assert (kinds[0], None) == (kinds[1], kinds[2])
    assert contradiction.is_same(one, other) == contradiction.is_same(other, one)
    assert not (
        contradiction.is_same(one, other)
        and kinds[0] in {ContradictionKind.NUMBER, ContradictionKind.DATE, ContradictionKind.NEGATION}
    )
