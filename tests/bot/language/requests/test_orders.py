import json
import time
from pathlib import Path

import pytest

from bot.domain import MemoryId
from bot.language.requests import closing, orders, plain_requests, plain_words, set_phrases, side_choices
from bot.text import folding, pasted_lists
from tests import said

KNOWN = {
    # Days are read in English and German alone, and what happened is asked of a time.
    "Qu'est-ce qui a été décidé hier ?",
    "¿Qué se decidió ayer?",
    # A heading in English too.
    "note : quelle est ta note en maths ?",
    "Tu peux oublier mon pote",
    "Tu peux te rappeler que tu m'as menti ?",
    "merk dir als Lieblingsfarbe ist grün",
}
"""Sentences that are read wrongly."""


@pytest.mark.parametrize("part", ["", "_unseen", "_last"])
@pytest.mark.parametrize("language", said.LANGUAGES)
def test_requests_are_told_from_what_only_looks_like_them(language: str, part: str):
    """Every sentence asks for what it was written to ask for, or for nothing, but for a few that are known."""
    wrong = {one.text for one in said.sentences(language, part) if said.read(one.text) != (one.kind, one.wanted)}

    assert wrong == {one.text for one in said.sentences(language, part)} & KNOWN


@pytest.mark.parametrize("language", said.LANGUAGES)
def test_there_are_as_many_that_only_look_alike(language: str):
    """A language has at least sixty requests and sixty other sentences, no text twice."""
    written = said.sentences(language)

    assert len({one.text for one in written}) == len(written)
    assert 60 <= sum(one.kind != said.NONE for one in written)
    assert 60 <= sum(one.kind == said.NONE for one in written)


@pytest.mark.parametrize(
    ("text", "thing"),
    [
        ("Merk dir, dass der Code 4417 ist, mit Wichtigkeit 9", "der Code 4417 ist"),
        ("Retiens que le code est 4417, avec importance 9", "le code est 4417"),
        ("Recuerda que el código es 4417, con importancia 9", "el código es 4417"),
    ],
)
def test_importance_is_told_in_other_languages(text: str, thing: str):
    """How important something is may be said in each language, and is no part of what is kept."""
    found = plain_words.things_to_remember(text)

    assert found is not None
    assert (thing, 9) == (found.text, found.importance)


@pytest.mark.parametrize(
    "text", ["Vergiss dieses Gespräch", "Oublie cette conversation", "Olvida esta conversación, por favor"]
)
def test_a_conversation_is_no_memory(text: str):
    """Who wants the talk itself forgotten is told what clears it."""
    found = plain_requests.asked_to_forget(text)

    assert found is not None
    assert found.talk


@pytest.mark.parametrize(
    ("text", "holds"),
    [
        ("die neuere gilt", [7]),
        ("Die Ältere stimmt", [4]),
        ("beide gelten", [4, 7]),
        ("garde la plus récente", [7]),
        ("la première est juste", [4]),
        ("les deux", [4, 7]),
        ("la más nueva, por favor", [7]),
        ("la primera es correcta", [4]),
        ("ambas valen", [4, 7]),
        ("die alte Brücke ist neu", []),
        ("la nouvelle est tombée", []),
        ("la última película es buena", []),
    ],
)
def test_a_side_is_chosen_in_other_languages(text: str, holds: list[int]):
    """Which of two memories holds may be said in each language; what says anything else chooses nothing."""
    assert holds == [*side_choices.read(text, [MemoryId(4), MemoryId(7)])]


@pytest.mark.parametrize("text", ["Merk dir das:", "Retiens ceci :", "Recuerda esto:"])
def test_nothing_follows_what_is_announced(text: str):
    """Who announces something and gives nothing is asked for it."""
    assert pasted_lists.Listed(things=()) == orders.kept(text)


@pytest.mark.parametrize(
    "text",
    [
        "Merk dir das nicht: mein Code ist 4417.",
        "Bitte merk dir das nie: mein Code ist 4417.",
        "Notier das bitte nicht: mein Code ist 4417.",
        "Ne retiens pas ça : mon code est 4417.",
        "No guardes esto: mi clave es 4417.",
    ],
)
def test_what_is_not_to_be_kept_is_not_asked_for(text: str):
    """Whatever stands behind it."""
    assert orders.kept(text) is None


def test_a_question_besides_is_answered():
    """Who also asks for something is not only told what was kept."""
    assert plain_requests.read("Vergiss meine Adresse. Was weißt du noch?") is None
    assert plain_requests.read("Retiens que je suis végane. Que puis-je manger ?") is None
    assert plain_words.asks_something("Bis dann, schön. Sag mir die Uhrzeit")


def test_what_may_be_meant_depends_on_what_is_remembered():
    """A thing that is not one's own is forgotten only where it is remembered, and after a yes."""
    found = plain_requests.asked_to_forget("Vergiss den Code")

    assert found is not None
    assert ("den Code", False) == (found.about, found.is_sure)


def test_the_bot_is_called_by_its_name():
    """Its name may stand before a request, whatever it is."""
    assert orders.kept("Momo, merk dir, dass Bo kommt", "Momo") == pasted_lists.read("Bo kommt")


def test_what_is_said_besides_is_told_not_to_be_done():
    """A sentence after what to forget comes back."""
    found = plain_requests.asked_to_forget("Vergiss meine Adresse. Ich ziehe um.")

    assert found is not None
    assert ("meine Adresse", "Ich ziehe um") == (found.about, found.rest)


def test_accents_are_taken_off_evenly():
    """A text without accents is as long as it was."""
    text = "Weiß Œdipe où ça va? İstanbul, ñandú!"

    assert len(text) == len(folding.evenly(text))
    assert "weiß œdipe ou ca va? istanbul, nandu!" == folding.evenly(text)


def test_english_is_no_other_language():
    """None of the English messages that the recall detector is measured on is a request in another language."""
    files = sorted((Path(__file__).parents[3] / "benchmarks" / "wording").glob("*.jsonl"))
    texts = [json.loads(line)["text"] for file in files for line in file.read_text(encoding="utf-8").splitlines()]

    assert len(texts) > 1_000
    assert [] == [text for text in texts if orders.kept(text) or orders.forgotten(text)]


def test_reading_in_four_languages_costs_little():
    """A message that asks for nothing is read in half a millisecond."""
    texts = [
        f"We talked about the budget of team {number}, and Ann would rather wait for May." for number in range(400)
    ]
    started = time.perf_counter()

    for text in texts:
        orders.kept(text)
        orders.forgotten(text)

    assert (time.perf_counter() - started) / len(texts) < 0.0005


def test_undo_is_asked_for_in_german_with_umlauts():
    """What is written with an umlaut is read as what is written without."""
    assert set_phrases.read("Mach das bitte rückgängig").undoes
    assert set_phrases.read("rueckgaengig machen").undoes
    assert not closing.is_closure("rückgängig")
