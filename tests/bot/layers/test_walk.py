"""The laws of the layers' words and their document."""

from bot.domain import Layer
from bot.layers.walk import ABOUT
from tests import layers_table


def test_the_document_has_the_order_of_the_code() -> None:
    """`docs/MEMORY_ARCHITECTURE.md` is made from it; `python -m tests.layers_table --write` mends it."""
    document = layers_table.DOCUMENT.read_text(encoding="utf-8")
    assert layers_table.written(document) == document


def test_every_layer_is_told_of_in_the_order_of_the_walk() -> None:
    """From identity to free generation."""
    assert [*ABOUT] == [*Layer]
    assert [layer.value for layer in Layer] == ["L0", "L1", "L2", "L3", "L4", "L5"]
