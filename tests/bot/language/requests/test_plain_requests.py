"""The laws of reading what people ask of memory in plain words."""

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.language.requests import plain_requests, set_phrases
from bot.language.requests.set_phrases import SetAnswer
from bot.text import pasted_lists

ABOUT = [
    ("forget that I'm allergic to nuts", "I'm allergic to nuts"),
    ("Please forget my PIN.", "my PIN"),
    ("Hathi, forget the wifi password", "the wifi password"),
    ("forget what I said about the surprise party", "the surprise party"),
    ("can you forget everything I told you about Kim?", "Kim"),
    ("forget all about the boat", "the boat"),
    ("I want you to forget where I live", "where I live"),
    ("I'd like you to forget my old address, please", "my old address"),
    ("don\u2019t remember that I hate figs", "I hate figs"),
    ("stop remembering that I like jazz", "I like jazz"),
    ("delete what I told you about the roof", "the roof"),
    ("remove the note about my car from your memory", "my car"),
    ("scrap the thing about Mondays", "Mondays"),
    ("forget my shoe size, it's wrong", "my shoe size"),
    ("would you mind forgetting that I snore?", "I snore"),
    ("I don't want you to remember my salary", "my salary"),
    ("my old code, forget it", "my old code"),
    ("I moved, so forget my old address", "my old address"),
    ("I want my birthday gone from your memory", "my birthday"),
    ("could you get my street out of your memory", "my street"),
    ("no need to hang on to my shoe size", "my shoe size"),
    ("I'd like my phone number removed", "my phone number"),
    ("take back what I told you about Bo", "Bo"),
    ("that was wrong, forget the code I gave you", "the code"),
    ("Could the note about the boat be deleted?", "the boat"),
    ("forget what I said about the notes", "the notes"),
    ("Forget everything I told you about the messages, please", "the messages"),
    ("forget what I said about notes from your memory", "notes"),
    ("forget what we said about the chat", "the chat"),
    ("forget what I said about the server", "the server"),
    ("forget what I said about friday", "friday"),
    ("what I said about the archive, forget it", "the archive"),
    ("forget what I said about the letter from grandma", "the letter from grandma"),
]
NO_REQUEST = [
    "",
    "forget",
    "don't forget the milk",
    "I forgot my keys",
    "never forget: 42",
    "do you forget things?",
    "what did you forget?",
    "forget the budget. What about the roof?",
    "Forgetting is human",
    "forget-me-nots are blue",
    "can you remember to forget?",
    "can you forget things?",
    "I want to forget that day",
    "forget him",
    "forget what they said",
    "that's everything, forget it",
    "they wiped the floor with us",
    "clear skies tonight",
    "drop by if you can",
    "she asked me to delete the file",
    "never put a fork in there",
    "We deleted the branch",
    "reset the router",
    "reset your router please",
]


@pytest.mark.parametrize(("text", "about"), ABOUT)
def test_what_is_to_be_forgotten(text: str, about: str) -> None:
    """A request gives what it is about in its own words, however politely or roughly it is asked."""
    wanted = plain_requests.asked_to_forget(text)
    assert wanted is not None
    assert (wanted.about, wanted.everything, wanted.numbers) == (about, False, ())


@pytest.mark.parametrize("text", NO_REQUEST)
def test_no_request_to_forget(text: str) -> None:
    """Who speaks of forgetting, or wants something else besides, asks to forget nothing."""
    assert plain_requests.asked_to_forget(text) is None


@pytest.mark.parametrize(
    "text", ["When did we say the open day is?", "what day is it we said?", "where is what I said?"]
)
def test_questions_for_one_thing_are_no_listing(text: str) -> None:
    """However many of their words a listing is asked for with."""
    assert not isinstance(plain_requests.read(text), plain_requests.ListRequest)


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("forget #2", (2,)),
        ("forget number 12 please", (12,)),
        ("delete memory 31", (31,)),
        ("remove #7", (7,)),
        ("forget #2 and #3", (2, 3)),
        ("please forget 4, 5 and 4", (4, 5)),
        ("#9 can go", (9,)),
    ],
)
def test_memories_are_named_by_their_numbers(text: str, numbers: tuple[int, ...]) -> None:
    """With a sign, or a word that says what they number."""
    wanted = plain_requests.asked_to_forget(text)
    assert wanted is not None
    assert (wanted.numbers, wanted.is_sure) == (numbers, True)


@pytest.mark.parametrize(
    "text",
    [
        "stop remembering me",
        "please don't remember me",
        "don't ever remember me",
        "please don't keep anything I say anymore",
        "don't save anything i write",
        "could you stop saving my messages",
        "stop keeping what i say",
        "stop listening to me",
        "ignore me from now on",
        "i withdraw my consent",
        "i don't consent to this",
        "no me grabes",
        "merk dir nichts mehr von mir",
        "hör auf, dir Sachen von mir zu merken",
        "bitte merk dir ab jetzt nichts mehr",
        "ich will nicht dass du dir was von mir merkst",
        "kannst du bitte aufhören dir alles zu merken?",
        "ne te souviens plus de moi",
        "je veux pas que ce message soit retenu !",
        "arrete de noter des trucs sur moi",
        "ne retiens plus rien de moi stp",
        "no recuerdes nada más de mí",
        "deja de guardar lo que digo",
        "no quiero que guardes nada de lo que digo",
    ],
)
def test_not_to_be_remembered_is_not_to_have_all_erased(text: str) -> None:
    """It is about what is said from then on; what is remembered is not said to go."""
    wanted = plain_requests.asked_to_forget(text)
    assert wanted is not None
    assert (wanted.stops, wanted.everything) == (True, False)


@pytest.mark.parametrize(
    "text",
    [
        "don't forget that I like tea",
        "don't keep me waiting",
        "delete everything i said",
        "i don't remember anything",
        "ignore me, I was joking",
        "merk dir dass ich nichts mehr esse",
        "hör auf damit",
        "je ne me souviens plus de rien",
        "souviens-toi que je ne mange plus de viande",
        "no recuerdo nada",
        "no te olvides de mí",
    ],
)
def test_who_speaks_of_remembering_is_remembered_on(text: str) -> None:
    """Only a message that is nothing but such a request is one."""
    asked = plain_requests.read(text)
    assert not (isinstance(asked, plain_requests.ForgetRequest) and asked.stops)


@pytest.mark.parametrize(
    ("text", "about"),
    [
        ("vergiss was ich über die Noten gesagt habe", "die Noten"),
        ("vergiss bitte, was wir zum Sommerfest besprochen haben", "Sommerfest"),
        ("vergiss was Jürgen über den Bus gesagt hat", "den Bus"),
        ("oublie ce que j'ai dit sur le bus", "le bus"),
        ("oublie stp ce qu'on a dit à propos du bus", "bus"),
        ("oublie ce que Claire a dit sur le bus", "le bus"),
        ("olvida lo que dije sobre los cacahuetes", "los cacahuetes"),
        ("olvida lo de los cacahuetes", "los cacahuetes"),
        ("olvida lo que dijo Claire del bus", "bus"),
    ],
)
def test_what_was_said_of_something_is_forgotten_in_other_languages(text: str, about: str) -> None:
    """As `forget what I said about the bus` is; whose words they were is known of what others said."""
    wanted = plain_requests.asked_to_forget(text)
    assert wanted is not None
    assert (wanted.about, wanted.is_sure) == (about, True)
    assert wanted.by == next((name for name in ("Jürgen", "Claire") if name in text), "")


@pytest.mark.parametrize(
    ("text", "is_request"),
    [
        ("vergiss das", True),
        ("Vergiss das bitte wieder", True),
        ("oublie ça", True),
        ("olvida eso", True),
        ("ach, vergiss das", False),
        ("oh, oublie ça", False),
        ("vergiss nicht was ich gesagt habe", False),
    ],
)
def test_what_was_just_said_is_forgotten_in_other_languages(text: str, *, is_request: bool) -> None:
    """A word that points is enough; behind a sigh it says never mind."""
    wanted = plain_requests.asked_to_forget(text)
    assert is_request == (wanted is not None and wanted.last)


@pytest.mark.parametrize(
    "text",
    [
        "forget everything",
        "delete everything you know about me",
        "Forget all about me.",
        "wipe your memory",
        "please erase all my data",
        "could you delete everything you have on me?",
        "forget me",
        "forget who I am",
        "I want all my stuff gone from your memory",
    ],
)
def test_everything_is_everything_of_whoever_asks(text: str) -> None:
    """However it is put; "everything about the trip" is not it."""
    wanted = plain_requests.asked_to_forget(text)
    assert wanted is not None
    assert wanted.everything
    trip = plain_requests.asked_to_forget("forget everything about the trip")
    assert trip is not None
    assert (trip.everything, trip.about) == (False, "the trip")


@pytest.mark.parametrize(
    ("text", "about"),
    [
        ("forget the memory about remembering the milk", "remembering the milk"),
        ("forget the memory about reminders", "reminders"),
        ("delete all notes about saving", "saving"),
        ("forget the reminder about the notes on Friday", "the notes on Friday"),
    ],
)
def test_a_memory_about_something_is_not_everything(text: str, about: str) -> None:
    """Whatever its words mean in a request."""
    wanted = plain_requests.asked_to_forget(text)
    assert wanted is not None
    assert (wanted.everything, wanted.about) == (False, about)


@pytest.mark.parametrize(
    ("text", "is_withheld"),
    [
        ("please don't remember this: my PIN is 1234", True),
        ("don't keep this:\nmy PIN is 1234", True),
        ("don't remember that, please", False),
        ("don't remember this", False),
        ("don't forget this: my PIN is 1234", False),
        ("forget this: my PIN is 1234", False),
        ("off the record, I hate the new set", True),
        ("ok Hathi, this is off the record: Bo quits", True),
        ("I hate the new set, off the record", True),
        ("Nicht fürs Protokoll: ich gehe", True),
        ("en off, il part", True),
        ("my real name is Augustus but dont tell anyone", True),
        ("this is just between us: I quit in January", True),
        ("psst secret: the prize is a bread maker", True),
        ("keep it secret but Ravi leaves", True),
        ("confidential: the grant was refused", True),
        ("nobody should know that I broke the urn", True),
        ("I'm expecting (don't tell anyone)", True),
        ("behalt das f\u00fcr dich: ich gehe", True),
        ("ne le dis \u00e0 personne, il part", True),
        ("no se lo digas a nadie: me caso en mayo", True),
        ("remember the lead is 3 m, but don't tell anyone", False),
        ("don't tell anyone where I live", False),
        ("the secret is out", False),
        ("secret ingredient: flour", False),
        ("is this off the record?", False),
        ("we talked off the record yesterday", False),
        ("remember that off the record talks are on Monday", False),
    ],
)
def test_what_is_not_to_be_kept_may_be_the_message_itself(text: str, *, is_withheld: bool) -> None:
    """Where it follows behind a colon, or is said to be off the record; else it was said before."""
    assert plain_requests.is_withheld(text) is is_withheld


def test_a_verb_that_may_speak_of_anything_is_not_sure() -> None:
    """ "Delete the file" depends on what is remembered, as does what goes on about something else."""
    found = {text: plain_requests.asked_to_forget(text) for text in ("delete the file", "forget Paris, let's see Rome")}
    assert [False, False] == [wanted.is_sure for wanted in found.values() if wanted]


def test_what_else_is_said_is_told() -> None:
    """The rest of the message is no part of what is forgotten; courtesy is nothing."""
    wanted, polite = (
        plain_requests.asked_to_forget(f"Forget that I hate figs. {more}") for more in ("I love them.", "Thanks!")
    )
    assert (wanted and wanted.about, wanted and wanted.rest) == ("I hate figs", "I love them.")
    assert (polite and polite.about, polite and polite.rest) == ("I hate figs", "")


@pytest.mark.parametrize(
    ("text", "is_mine"),
    [
        ("What do you remember?", False),
        ("what have you got saved?", False),
        ("list your memories", False),
        ("Show me everything you remember, please", False),
        ("whats in your memory", False),
        ("what did I ask you to remember?", True),
        ("What did I tell you today?", True),
        ("what did I say yesterday", True),
        ("which notes are mine?", True),
        ("Was hast du dir gemerkt?", False),
        ("Qu'as-tu retenu ?", False),
        ("¿Qué te dije hoy?", True),
        ("go over all that was written down, please", False),
        ("read me back what you noted this week", False),
        ("lemme see everything I had you keep", True),
    ],
)
def test_questions_that_a_listing_answers(text: str, is_mine: bool) -> None:
    """What is remembered, of everybody or of whoever asks."""
    assert plain_requests.read(text) == plain_requests.ListRequest(is_mine=is_mine)


@pytest.mark.parametrize(
    "text",
    [
        "I can't keep that in mind all day",
        "what did she tell you today?",
        "what do you remember about Kim?",
        "what did Kim tell you today?",
        "what did I say about the roof?",
        "list the files",
    ],
)
def test_questions_about_something_are_looked_up(text: str) -> None:
    """They name something, or somebody else."""
    assert not isinstance(plain_requests.read(text), plain_requests.ListRequest)


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("hi", SetAnswer.GREETING),
        ("Hello, Hathi!", SetAnswer.GREETING),
        ("good morning everyone", SetAnswer.GREETING),
        ("hallo zusammen", SetAnswer.GREETING),
        ("help", SetAnswer.HELP),
        ("what can you do?", SetAnswer.HELP),
        ("hi there, can you help me?", SetAnswer.HELP),
        ("How do I get you to forget something?", SetAnswer.HELP),
        ("who are you?", SetAnswer.WHO),
        ("are you a bot", SetAnswer.WHO),
        ("Wer bist du?", SetAnswer.WHO),
        ("how does this work?", SetAnswer.POINTING),
        ("what is this?", SetAnswer.POINTING),
        ("hi Bob", None),
        ("help me with my homework", None),
        ("how are you?", None),
        ("what can you do about the leak?", None),
    ],
)
def test_first_words(text: str, word: SetAnswer | None) -> None:
    """A greeting or a question about Hathi as a whole; nothing that asks for anything besides."""
    assert set_phrases.read(text).word is word


@pytest.mark.parametrize(
    ("text", "agrees"),
    [
        ("yes", True),
        ("Yes, please do it", True),
        ("ja", True),
        ("no", False),
        ("no thanks", False),
        ("keep them", False),
        ("yes it rains", None),
        ("yes?", None),
        ("", None),
    ],
)
def test_yes_and_no(text: str, agrees: bool | None) -> None:
    """Plain words say yes or no; anything more says neither."""
    assert set_phrases.read(text).agrees is agrees


@given(st.text(max_size=300))
@settings(max_examples=200)
def test_any_text_is_read(text: str) -> None:
    """Whatever people write is read; what is to be forgotten is in it."""
    wanted = plain_requests.asked_to_forget(text)
    plain_requests.read(text)
    set_phrases.read(text)
    assert wanted is None or wanted.about in text
    assert "".join(pasted_lists.read(text, is_announced=True).things).strip() or not text.strip()


@pytest.mark.parametrize(
    "shape",
    [
        "hey, ",
        "hi ",
        "can you please ",
        "forget ",
        "forget that ",
        "delete #1 and ",
        "yes, no, ",
        "\n",
        " ",
        "...",
        "!",
        "now ",
        "so forget my ",
        ", forget it ",
        "everything, all of it, ",
        "what do you remember ",
        "- a\n",
    ],
)
def test_no_text_holds_the_loop(shape: str) -> None:
    """Texts made of one piece over and over, as long as a request or a message may be, are read in a moment."""
    started = time.process_time()
    for length in (200, 600, 4_000):
        text = (shape * length)[:length]
        plain_requests.asked_to_forget(text)
        plain_requests.asked_to_forget(f"can you {text}"[:length])
        plain_requests.read(text)
        set_phrases.read(text)
        pasted_lists.read(text)
    assert time.process_time() - started < 1


@pytest.mark.parametrize("text", ["what about our database", "what do you remember about the database?"])
def test_a_database_is_hathis_where_it_is_said_to_be(text: str) -> None:
    """People have others."""
    assert plain_requests.read(text) is None
    own = (text.replace("our", "your").replace("the data", whose) for whose in ("your data", "the bot's data"))
    assert all(isinstance(plain_requests.read(one), plain_requests.ListRequest) for one in own)
