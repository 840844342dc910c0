"""How likely the best of what was found answers."""

from dataclasses import replace

import pytest

from bot.recall import confidence, confidence_weights
from bot.recall.confidence import BestPlace
from tests import fit_confidence

STANDING = BestPlace(speaks=True, out=1.0, words=3)


def test_it_lies_between_nothing_and_certainty() -> None:
    """Nothing speaks to it: 0; the further the best stands out, the likelier."""
    assert 0.0 == confidence.of(BestPlace(), compared_meaning=False)
    low, high = (confidence.of(replace(STANDING, out=out), compared_meaning=False) for out in (0.2, 1.2))
    assert 0.0 < low < high < 1.0


@pytest.mark.parametrize("lack", ["lacks_kind", "lacks_person"])
def test_what_it_lacks_makes_it_less_likely(lack: str) -> None:
    lacking = replace(STANDING, **{lack: True})  # pyright: ignore[reportArgumentType]
    assert confidence.of(lacking, compared_meaning=False) < confidence.of(STANDING, compared_meaning=False)


def test_what_nobody_ever_said_makes_it_less_likely() -> None:
    """A question of which nobody here knows a word is a third as likely answered."""
    known, unknown = (confidence.of(replace(STANDING, known=share), compared_meaning=False) for share in (1.0, 0.0))
    assert pytest.approx(known / 3) == unknown


def test_every_sign_has_its_weight() -> None:
    """And no weight is left over, with meaning and without."""
    named = {confidence.BIAS, *confidence.signs(STANDING)}
    assert named == {*confidence_weights.BY_WORDS} == {*confidence_weights.WITH_MEANING}


async def test_the_weights_are_what_the_script_gives() -> None:
    """Whoever changes what is weighed fits them again: `python -m tests.fit_confidence --write`.

    Those for when meaning is compared take an embedder to fit.
    """
    weights = fit_confidence.fitted(await fit_confidence.examples(fit_confidence.COMMUNITIES, embedder=False))
    assert [*weights] == [*confidence_weights.BY_WORDS]
    off = {name: abs(weight - confidence_weights.BY_WORDS[name]) for name, weight in weights.items()}
    assert max(off.values()) <= 0.02, weights
