"""What a model calls tools with is a model's text, however it is made."""

from bot.turn import model_tools


def test_arguments_nested_too_deep_are_compared_as_they_stand():
    """Brackets in brackets in brackets are no error of Hathi's."""
    deep = "[" * 100_000 + "]" * 100_000

    assert deep == model_tools.canonical(deep)
    assert model_tools.canonical('{"b": 1, "a": 2}') == model_tools.canonical('{"a": 2, "b": 1}')
