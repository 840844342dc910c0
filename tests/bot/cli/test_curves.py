"""The curve of questions answered against answers that are right."""

from xml.etree import ElementTree as ET

from bot.cli import curves

JUDGED = [(0.9, True), (0.8, True), (0.5, False), (0.5, True), (0.1, False)]


def test_the_surest_come_first() -> None:
    """Of equals all are answered or none."""
    assert [(0.2, 1.0), (0.4, 1.0), (0.8, 0.75), (1.0, 0.6)] == curves.points(JUDGED)


def test_it_is_drawn_with_the_confidences_that_are_marked() -> None:
    """A picture that can be read, with a dot for each."""
    drawn = curves.drawn(JUDGED, marked=(0.3, 0.85))
    root = ET.fromstring(drawn)
    assert ("{http://www.w3.org/2000/svg}svg", 2) == (root.tag, drawn.count("<circle"))
    assert "from 0.30: 80% answered, 75% right" in drawn
    assert "from 0.85: 20% answered, 100% right" in drawn
