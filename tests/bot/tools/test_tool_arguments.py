"""What a model calls tools with is a model's text, however it is made."""

from bot.tools import toolbox


def test_arguments_nested_too_deep_are_compared_as_they_stand():
    """Brackets in brackets in brackets are no error of Hathi's."""
    deep = "[" * 100_000 + "]" * 100_000

    assert deep == toolbox.canonical(deep)
    assert toolbox.canonical('{"b": 1, "a": 2}') == toolbox.canonical('{"a": 2, "b": 1}')
