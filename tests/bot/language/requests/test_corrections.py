"""The laws of requests to put a memory into other words, and of remarks that something is otherwise."""

import pytest

from bot.language.requests import corrections


@pytest.mark.parametrize(
    ("text", "number", "words"),
    [
        ("correct #4: the tour is from 13 to 16 May", 4, "the tour is from 13 to 16 May"),
        ("change #4 to: the tour is in June", 4, "the tour is in June"),
        ("change #4 to the tour is in June", 4, "the tour is in June"),
        ("Please update memory 12: Kim has the key", 12, "Kim has the key"),
        ("can you replace #4 with Kim has the key", 4, "Kim has the key"),
        ("fix #4 - it is on Tuesday", 4, "it is on Tuesday"),
        ("#4 should be: it is on Tuesday", 4, "it is on Tuesday"),
        ("#4 should say it is on Tuesday", 4, "it is on Tuesday"),
        ("korrigiere #5: die Probe ist um 20 Uhr", 5, "die Probe ist um 20 Uhr"),
        ("bitte ändere #5 in die Probe ist um 20 Uhr", 5, "die Probe ist um 20 Uhr"),
        ("Ersetze Nr. 5 durch: die Probe ist um 20 Uhr", 5, "die Probe ist um 20 Uhr"),
        ("corrige #2 : le bus part à 8 h", 2, "le bus part à 8 h"),
        ("remplace le souvenir #2 par le bus part à 8 h", 2, "le bus part à 8 h"),
        ("cambia #3 a la cena es el 18", 3, "la cena es el 18"),
        ("corrige #3: la cena es el 18", 3, "la cena es el 18"),
    ],
)
def test_a_memory_is_put_into_other_words(text: str, number: int, words: str):
    """By its number; what follows is kept as it is written."""
    assert corrections.Correction(number=number, text=words) == corrections.read(text)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "text",
    [
        "change #4",
        "change #4 to",
        "what did we change in #4?",
        "can you correct #4: is it in May?",
        "I changed 4 to 5",
        "fix 4 chairs please",
        "update the tour to June please",
        "#4 is wrong",
        "correct, 4 of us",
    ],
)
def test_what_gives_no_words_or_no_number_is_none(text: str):
    """It goes the way of every other message."""
    assert corrections.read(text) is None


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("no, it's 12 not 14", "it's 12 not 14"),
        ("actually tom's birthday is may 8th", "tom's birthday is may 8th"),
        ("nah its 30 now", "its 30 now"),
        ("wait, sorry, it's on Tuesday", "it's on Tuesday"),
        ("nein, die Probe ist um 20 Uhr", "die Probe ist um 20 Uhr"),
        ("en fait le bus part à 8 h", "le bus part à 8 h"),
        ("en realidad la cena es el 18", "la cena es el 18"),
        ("no", ""),
        ("no thanks?", ""),
        ("nobody has the key", ""),
        ("actually, who has the key?", ""),
        ("the mill is old", ""),
    ],
)
def test_a_remark_tells_how_it_is(text: str, said: str):
    """Without the words that lead up to it; a question tells nothing."""
    assert said == corrections.otherwise(text)


@pytest.mark.parametrize(
    ("said", "content", "may_be"),
    [
        ("it's on Tuesday", "the fair is on Monday", True),
        ("5 euros", "the fee is 4 euros", True),
        ("on Friday", "the fair is on Monday", True),
        ("the fairs are on Tuesdays", "the fair is on Monday", True),
        ("la cena es el 18", "la cena es el 19", True),
        ("the caf\u00e9 opens at ten", "Tom's birthday is on May 8th", False),
        ("puedo venir hoy", "el jueves no estoy", False),
    ],
)
def test_a_remark_is_about_what_it_names(said: str, content: str, *, may_be: bool):
    """Or about what was told, where it names nothing."""
    assert may_be is corrections.may_be_of(said, content)


@pytest.mark.parametrize(
    ("text", "instead", "meant"),
    [
        ("scratch that, it's on friday", "it's on friday", ""),
        ("forget that, the party is cancelled", "the party is cancelled", ""),
        ("vergiss das, es ist am Freitag", "es ist am Freitag", ""),
        ("oublie ça, c'est vendredi soir", "c'est vendredi soir", ""),
        ("no wait, it's at ellens", "", "it's at ellens"),
        ("oops, on friday", "", "on friday"),
        ("ich meinte, am Freitag", "", "am Freitag"),
        ("forget it, i'll walk", "", ""),
        ("forget that please", "", ""),
        ("scratch that", "", ""),
        ("no wait, the ferry leaves at ten", "", ""),
        ("scratch that, is it on friday?", "", ""),
        ("well, it's fine", "", ""),
    ],
)
def test_what_is_put_in_the_place_of_what_was_said(text: str, instead: str, meant: str) -> None:
    """After what takes that back, or says that something else was meant; never what one says of oneself."""
    assert (instead, meant) == (corrections.instead(text), corrections.meant(text))
