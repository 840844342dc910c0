"""The laws of questions for the rules of a place."""

import pytest

from bot.language.requests import rule_questions


@pytest.mark.parametrize(
    "text",
    [
        "what are the rules here?",
        "What are the rules",
        "hey Hathi, what're the rules of this server?",
        "which rules do we have",
        "what rules are there in this channel?",
        "are there any rules here?",
        "do we have guidelines",
        "Tell me the house rules please",
        "show us all the rules",
        "rules?",
        "which directives are in force?",
        "what standing orders are there?",
        "what did the admins decide?",
        "what have the mods decided so far",
        "what was decided by the admins?",
        "Was sind die Regeln hier?",
        "welche Regeln gelten bei uns",
        "Gibt es hier Regeln?",
        "was haben die Admins entschieden?",
        "Quelles sont les règles ici ?",
        "c'est quoi les règles du serveur",
        "qu'est-ce que les admins ont décidé ?",
        "¿Cuáles son las reglas aquí?",
        "qué normas hay",
        "¿Qué decidieron los administradores?",
    ],
)
def test_they_are_known_by_their_words(text: str) -> None:
    """In four languages, polite or short."""
    assert rule_questions.asks(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "what are the rules of chess?",
        "what are the rules for the kiln?",
        "we have rules here for a reason",
        "who made the rules?",
        "what did the admins decide about the kitchen?",
        "what did Tom decide?",
        "what are the orders?",
        "are there any orders today",
        "what was decided?",
        "the rules are on the wall",
        "are you breaking the rules?",
        "was sind die Regeln beim Skat?",
        "quelles sont les règles du tarot ?",
        "cuáles son las reglas del ajedrez",
    ],
)
def test_what_asks_of_something_is_none(text: str) -> None:
    """It is looked up as any other question."""
    assert not rule_questions.asks(text)
