"""The laws of what is learnt from how messages are worded."""

from typing import Final

import pytest

from bot.language.past import detector, wording
from bot.language.past.space_names import Names
from bot.text import plain_form
from tests import fit_wording
from tests.fit_wording import Example

NAMES: Final = Names(["Ann", "the-nexus"])
FEW: Final = 200
"""Steps that tell whether weights stay where they are."""


@pytest.fixture(scope="module")
def examples() -> list[Example]:
    return fit_wording.examples()


def signs(text: str) -> set[str]:
    """What there is to weigh in a text."""
    plain = plain_form.read(text)
    return set(wording.signs(plain, NAMES, {}, detector.BIAS))


def test_names_and_numbers_stand_for_one_another() -> None:
    """What was learnt of one person or year holds for all."""
    assert signs("what did ann bring in 2019") == signs("what did the-nexus bring in 7")
    assert "did <name> bring" in signs("what did ann bring")


def test_the_weights_are_what_the_script_gives(examples: list[Example]) -> None:
    """Whoever changes a rule fits them again: `python -m tests.fit_wording --write`."""
    learnt = wording.learnt()
    weights = fit_wording.fitted(examples, learnt, steps=FEW)
    kept = {sign for sign, weight in weights.items() if abs(weight) >= fit_wording.LEAST + 0.01}
    assert kept <= {*learnt}
    assert max(abs(weights[sign] - weight) for sign, weight in learnt.items()) < 0.05


def test_it_tells_apart_what_it_never_saw(examples: list[Example]) -> None:
    """A stranger's messages, by what the others teach: better than the rules alone, on either side."""
    source = "wording/08"
    weights = fit_wording.fitted([one for one in examples if one.source != source], steps=FEW)
    theirs = [one for one in examples if one.source == source]
    asked = [one for one in theirs if one.is_recall]
    other = [one for one in theirs if not one.is_recall]

    def share(among: list[Example], least: float) -> float:
        return sum(fit_wording.judged(weights, one) >= least for one in among) / len(among)

    found = share(asked, detector.SURE)
    assert found > 0.6 > sum(one.by_rules >= 0 for one in asked) / len(asked)
    assert share(other, detector.SURE) < sum(one.by_rules >= 0 for one in other) / len(other)
