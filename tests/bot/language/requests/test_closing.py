"""The laws of a message that only closes the conversation."""

import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.domain import MessageId
from bot.language.past import detector
from bot.language.past.space_names import Names
from bot.language.requests import approval, closing, closing_words, plain_words
from bot.text import formulas

CLOSURES = [
    "thank you",
    "THANK YOU",
    "Thanks!",
    "thx",
    "thanks, that will be all",
    "that will suffice",
    "that\u2019ll do, thanks",
    "that's all for today",
    "That is it for today.",
    "no, that's all for now, thanks!",
    "that's everything I needed, cheers",
    "goodbye",
    "bye bye",
    "good night",
    "see you tomorrow",
    "thank you so much Hathi!",
    "Thank you, @Hathi",
    "<@123> thank you",
    "ok thanks 🙏",
    "Thanks :)",
    "I appreciate it :wave:",
    "perfect, thank you very much. Good night!",
    "that helps, thanks",
    "Thanks for the quick answer!",
    "thanks a lot, have a great evening!",
    "nothing else, bye",
    "Danke!",
    "vielen Dank, das wär's für heute",
    "das ist alles, danke",
    "Tschüss, bis morgen",
    "tschuess",
    "Gute Nacht",
    "super, danke dir, schönen Abend noch",
    "Merci beaucoup !",
    "c'est tout pour aujourd'hui, merci",
    "au revoir",
    "ça suffira, bonne soirée",
    "à bientôt",
    "¡Muchas gracias!",
    "eso es todo por hoy, gracias",
    "hasta mañana",
    "adios",
    "gracias, buenas noches",
]

OTHERS = [
    "",
    "!!!",
    ":)",
    # Something is asked besides.
    "thank you, and what did we decide about X?",
    "thanks?",
    "is that all?",
    "danke, und was ist mit Bob",
    # Something is told or ordered besides.
    "thanks, remember that I'm vegan",
    "thanks, but it does not work",
    "that's all wrong",
    "that will be all the food we need",
    "I'm done with the parser",
    "goodbye party is on Friday",
    "das war heute",
    "merci de répondre",
    "thanks [attachment: plan.pdf]",
    # Somebody else is thanked, or nobody.
    "thanks Bob",
    "Thank Bob for me",
    "Thanks for nothing",
    # Agreement, praise and greetings close nothing by themselves.
    "ok",
    "no",
    "good",
    "hello",
    "good morning",
    "buenas noches",
    "thanks " * 60,
]


@pytest.mark.parametrize("text", CLOSURES)
def test_thanks_and_farewells_close(text: str) -> None:
    """Thanks, "that is enough" and farewells, as the whole message, in four languages, with names and emoji."""
    assert closing.is_closure(text)


@pytest.mark.parametrize("text", OTHERS)
def test_what_asks_or_tells_more_is_no_closure(text: str) -> None:
    """Anything beside the formula makes the message one like every other."""
    assert not closing.is_closure(text)


@pytest.mark.parametrize("text", CLOSURES)
def test_a_closure_is_nothing_else(text: str) -> None:
    """It approves of nothing, asks to remember nothing and is no question about the past."""
    assert (False, None, False) == (
        approval.is_approval(text),
        plain_words.asked_to_remember(text),
        detector.detect(text, Names()).recall,
    )


def test_hathi_goes_by_its_own_name() -> None:
    """Who is thanked must be the bot, whatever it is called."""
    assert (True, False) == (closing.is_closure("thanks Nell (v2)", "Nell (v2)"), closing.is_closure("thanks Nell"))


@given(st.sampled_from(CLOSURES), st.text(string.ascii_lowercase, min_size=5, max_size=12))
def test_a_word_that_is_in_no_table_makes_it_none(text: str, word: str) -> None:
    """Whatever is added to a closing message that no table knows, it closes no more."""
    assert not closing.is_closure(f"{text} qx{word}")


@given(st.text(max_size=formulas.LONGEST + 20))
def test_any_text_is_read(text: str) -> None:
    """No text raises, and none with a question mark or longer than a formula closes."""
    closes = closing.is_closure(text)
    assert not (closes and ("?" in text or len(text) > formulas.LONGEST))


def test_the_same_message_is_always_answered_the_same() -> None:
    """Which sentence it is depends on the message's id alone, and over time all of a table are used."""
    for language in closing_words.LANGUAGES:
        ids = [MessageId(n << 22) for n in range(1000)]
        said = [closing.acknowledgement(each, language.name) for each in ids]
        assert said == [closing.acknowledgement(each, language.name) for each in ids]
        assert {*language.answers} == {*said}


def test_where_there_is_no_table_it_is_english() -> None:
    """A space in a language of which there is no table is answered in English."""
    one = MessageId(1 << 22)
    assert closing.acknowledgement(one, "english") == closing.acknowledgement(one, "finnish")
    assert closing.acknowledgement(one, "english") != closing.acknowledgement(one, "german")


def test_what_is_said_at_the_end_is_short_and_asks_nothing() -> None:
    """Each answer is one line of a few words, and no question."""
    for answer in (answer for language in closing_words.LANGUAGES for answer in language.answers):
        assert (True, False, False) == (len(answer) < 60, "?" in answer, "\n" in answer)


def test_who_only_thanks_is_not_sent_away() -> None:
    """What is said to thanks takes no leave, as the same is said to a farewell."""
    assert not [
        answer
        for language in closing_words.LANGUAGES
        for answer in language.answers
        if closing.is_closure(answer.partition(". ")[2])
    ]


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("merci !", "french"),
        ("merci beaucoup", "french"),
        ("ok gracias", "spanish"),
        ("thx!", "english"),
        ("Danke dir", "german"),
    ],
)
def test_thanks_are_answered_in_their_own_language(text: str, language: str) -> None:
    """Whatever the space's is."""
    one = MessageId(1 << 22)
    for space in ("english", "german", "french", "spanish", "finnish"):
        assert closing.acknowledgement(one, language) == closing.acknowledgement(one, space, text)
