"""The laws of what a text is about: its topic, key phrases and the names in it.

`topics.jsonl` holds a hundred sentences of people's chats with the topics somebody judged to say what each is about.
"""

import json
from pathlib import Path
from typing import Any, Final

import pytest

from bot.domain import PersonId
from bot.language.statements import topics

SENTENCES: Final[list[dict[str, Any]]] = [
    json.loads(line) for line in Path(__file__).with_name("topics.jsonl").read_text("utf-8").splitlines()
]


def test_topics_are_what_a_sentence_is_about() -> None:
    """Of a hundred sentences at least ninety have a topic that was judged right."""
    right = [one for one in SENTENCES if topics.topic_of(one["text"]) in one["topics"]]
    assert 100 == len(SENTENCES)
    assert len(right) >= 90


@pytest.mark.parametrize(
    ("text", "topic"),
    [
        ("The spare key hangs behind the boiler.", "spare key"),
        ("Bob keeps the spare key under the third flowerpot.", "spare key"),
        ("According to the manual the filter is changed every six months.", "filter"),
        ("My sister Anna's birthday is on 4 May.", "anna's birthday"),
        ("Marco likes his coffee without sugar.", "coffee"),
        ("The landlord called about the leaking roof.", "landlord"),
        ("We moved the book club to Thursday.", "book club"),
        ("We are planning to rent out the spare room", "spare room"),
        ('Ann said: "I only drink decaf these days"', "decaf"),
        ("fyi the wifi password is on the fridge", "wifi password"),
        ("i've got night shift at the depot", "night shift"),
        ("Der Ersatzschlüssel hängt im Schuppen neben der Tür.", "ersatzschlüssel"),
        ("La clé de rechange est sous le pot.", "clé de rechange"),
        ("La reunión es el martes en la oficina.", "reunión"),
    ],
)
def test_a_topic_is_a_noun_phrase(text: str, topic: str) -> None:
    """No verb, no small word and no half of a name is part of it; small letters, without an article."""
    assert topic == topics.topic_of(text)


@pytest.mark.parametrize("text", ["", "?!", "\U0001f44b", "i'll take it then", "\0", "https://example.org/a/b"])
def test_what_names_nothing_has_the_general_topic(text: str) -> None:
    """And no key phrases and no names."""
    assert topics.Filing() == topics.about(text)


def test_key_phrases_and_names_are_told() -> None:
    """The most telling phrase first; people, places and products as they are written, mentioned people too."""
    about = topics.about(
        "The rehearsal moved to Rosewood Hall, @mara brings the spare drum kit.", {"mara": PersonId(7)}
    )
    assert "rehearsal" == about.key_phrases[0]
    assert {"rosewood hall", "spare drum kit"} <= {*about.key_phrases}
    assert ("mara", "Rosewood Hall") == about.entities


def test_a_reworded_text_has_the_topic_of_its_new_words() -> None:
    """Where its topic has a word that is gone; else it keeps what it has."""
    assert "stall fee" == topics.topic_after("rent", "The rent is 40 euros.", "The stall fee is 40 euros.")
    assert "rent" == topics.topic_after("rent", "The rent is 40 euros.", "The rent is 45 euros.")
