"""The laws of questions that only ask what to think of what lies at hand."""

import pytest

from bot.language.questions import judgements


@pytest.mark.parametrize(
    "text",
    [
        "is that right?",
        "good idea?",
        "how would we do that?",
        "what does this do?",
        "What\u2019s wrong with this?",
        "what do you think of this?",
        "what should we do instead?",
        "are you sure?",
        "agree?",
        "stimmt das?",
        "was h\u00e4ltst du davon?",
        "c'est vrai ?",
        "\u00bfes buena idea?",
    ],
)
def test_what_only_judges_names_nothing(text: str) -> None:
    """No word of it finds anything: it is about what it points at."""
    assert judgements.only_judges(text)


@pytest.mark.parametrize(
    "text",
    [
        "when do I work?",
        "what is the gate code?",
        "what did Ann think of it?",
        "is the hall free?",
        "what did we decide?",
        "what do we do on Friday?",
        "is the idea about the boat good?",
        "",
    ],
)
def test_what_names_something_asks_for_it(text: str) -> None:
    """A thing, a name, a day, or the asker's own doings."""
    assert not judgements.only_judges(text)
