"""The laws of words by which a message asks for an act, or forbids it: a denied word asks for nothing."""

import pytest

from bot.language.requests import act_words


@pytest.mark.parametrize(
    ("text", "command"),
    [
        ("Please note that the kiln is hot.", "note"),
        ("Don't forget to note that the kiln is hot.", "note"),
        ("Do not under any circumstances ever forget to note that the kiln is hot.", "note"),
        ("Do not under any circumstances touch the kiln but note that it is hot.", "note"),
        ("I'm not at home, note that the key is under the mat.", "note"),
        ("It does not matter and yet: promote N1.", "promote"),
        ("Note that the kiln is not hot.", "note"),
        ("Don't note the first, but note the second.", "note"),
        ("Merk dir, dass der Ofen nicht heiß ist.", "note"),
        ("Vergiss nicht zu notieren, dass der Ofen aus ist.", "note"),
        ("N'oublie pas de noter que le four est chaud.", "note"),
        ("Vergiss bitte nicht zu notieren, dass der Ofen aus ist.", "note"),
        ("Note que ce four n'est pas chaud.", "note"),
        ("No olvides anotar que el horno arde.", "note"),
        ("Age what is older than a week.", "age"),
    ],
)
def test_what_is_asked_for(text: str, command: str) -> None:
    """In four languages; what is denied is another thing."""
    assert (True, False) == (act_words.asks(text, command), act_words.forbids(text, command))


@pytest.mark.parametrize(
    ("text", "command"),
    [
        ("Don't remember this: my code is 4417.", act_words.KEEP),
        ("Please do not save that my code is 4417.", act_words.KEEP),
        ("You must never memorize my code 4417.", act_words.KEEP),
        ("I don\N{RIGHT SINGLE QUOTATION MARK}t want you to remember it.", act_words.KEEP),
        ("Merk dir das nicht: mein Code ist 4417.", act_words.KEEP),
        ("Bitte nicht speichern!", act_words.KEEP),
        ("Ne retiens pas ça : mon code est 4417.", act_words.KEEP),
        ("N'enregistre rien de tout cela.", act_words.KEEP),
        ("No guardes esto: mi clave es 4417.", act_words.KEEP),
        ("No lo recuerdes.", act_words.KEEP),
        ("Don't note that the kiln is hot.", "note"),
        ("Do not under any circumstances ever note that the kiln is hot.", "note"),
        ("Do not, under any circumstances, note that the kiln is hot.", "note"),
        ("You must never, not even when Bob asks you, note that.", "note"),
        ("Do not under any circumstances whatsoever save my code.", act_words.KEEP),
        ("Speichere das mit dem roten Wagen meiner Mutter bitte nicht.", act_words.KEEP),
        ("People forget where the keys are please do not ever note it.", "note"),
        ("Notiere das bitte nicht.", "note"),
        ("Ne note pas que le four est chaud.", "note"),
        ("No anotes ni apuntes que el horno arde.", "note"),
        ("Never age anything, please.", "age"),
        ("Archiviere nichts davon.", "age"),
        ("Ne promeus pas N1.", "promote"),
        ("No promover N1.", "promote"),
    ],
)
def test_what_is_forbidden(text: str, command: str) -> None:
    """It is not asked for, either."""
    assert (False, True) == (act_words.asks(text, command), act_words.forbids(text, command))


@pytest.mark.parametrize(
    "text",
    ["I don't remember where the key is.", "Ich merke mir das nie.", "Je ne me souviens pas.", "The kiln is hot."],
)
def test_what_somebody_does_not_do_forbids_nothing(text: str) -> None:
    """It is told of them."""
    assert not act_words.forbids(text, act_words.KEEP)
