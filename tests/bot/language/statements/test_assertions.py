"""The laws of what states something: judged by the sentence, and by its parts where one does both."""

import itertools
import re
from unittest import mock

import pytest

from bot.language.requests import opening_words
from bot.language.statements import assertions

ASKS = (
    "What colour is the bench?",
    "what colour is the bench",
    "who took the drill",
    "whats bens number",
    "is the oven free on sunday",
    "do guests pay more",
    "has lena called",
    "did the parcel come",
    "should Lena be told of it",
    "Lena, when do we open?",
    "can lena do evenings",
    "can june see what i say",
    "dm me the wifi",
    "send me the wifi in private",
    "gimme the gate code",
    "quick q when is the next walk",
    "sorry to bother you but when is the next walk",
    "I BURNT MY HAND WHERE IS THE FIRST AID KIT",
    "hey hathi, can you write a song about soup",
    "anyone seen my gloves",
    "I wonder who has the drill",
    "i forgot what we said about the bench",
    "how heavy may the bags be for the lift",
    "If I come on Monday, can I bring Ben?",
    "by when must the form be in",
    "Write us a poem about soup",
    "please forget my address",
    "Two bags of rope, please.",
    "boat password pls",
    "price of a rope",
    "tell me about the harbour walk",
    "explain tides to me",
    "So the fee is 9 now?",
    "Wie viel kostet der Eintritt?",
    "\u00bfcu\u00e1nto cuesta?",
    "\u5f00\u653e\u65f6\u95f4\u662f\u4ec0\u4e48\uff1f",
)
POINTS = (
    "save that",
    "remember that",
    "can you remember that please?",
    "merk dir das",
    "retiens ca",
    "recuerda eso",
    "that's wrong",
    "das stimmt nicht",
    "undo that please",
    "quick: don't remember this",
    "change that to openvpn",
    "list everything you remember about the bench",
    "quote Lena on the boat",
    "pin the opening routine",
    "make #4 more important",
    "stop talking",
)
SMALL = ("Thank you", "that will be all", "good morning everyone", "ok great, thanks!", "?!", "\U0001f600")
STATES = (
    "The bench is red.",
    "Me, since Monday.",
    "7193",
    "Turn the water off at the main tap.",
    "Don't forget your gloves",
    "What we need is more rope.",
    "When I came the oven was on.",
    "is broken again",
    "Did the dishes.",
    "Will is bringing rope.",
    "should probably be dry by noon",
    "will not be there on Monday",
    "Anyone can come on Mondays.",
    "I know what it costs: 20 euros",
    "The walk is on Sunday, right?",
    "we meet at the pier, don't we?",
    "Remember that the lock is 4417.",
    "Can you remember that the boat needs paint by May?",
    "Would you please note that Lena is away till June",
    "Ring Lena about the roof",
    "price of a rope: 12 euros",
    "Keep it dry, please, it needs a week.",
    "may is fine for me",
    "can openers are in the box",
    "could do with tea",
    "I know where is the key.",
    "this is what the plan is",
    "send your measurements by Friday",
    "```\nwhy = 1\n```",
)
BOTH = {
    "The drill is in the van. Who needs it?": "The drill is in the van.",
    "I have two tickets, who wants one?": "I have two tickets",
    "forget the old code, the new one is 12": "the new one is 12",
    "What a day! Is the oven off?\nI left my gloves in the van.": "What a day! \nI left my gloves in the van.",
    "Lena had a recipe for it, what was it": "Lena had a recipe for it",
    "the toaster is sparking what do i do": "the toaster is sparking",
    "ok so we take the red one. save this decision": "ok so we take the red one.",
    "change that to: the lock is 4418": "the lock is 4418",
    "How are you? The boat is sold, by the way.": "The boat is sold, by the way.",
}


@pytest.mark.parametrize("text", POINTS)
def test_a_request_that_names_nothing_itself_states_nothing(text: str) -> None:
    """What it points at was said elsewhere."""
    assert not assertions.states(text)
    assert assertions.only_requests(text)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("remember that the party is at 9", "the party is at 9"),
        ("we ship on Friday, remember that", "we ship on Friday"),
        ("ok so we take the red one. save this decision", "ok so we take the red one."),
        ("fix it, the tap drips again", "fix it, the tap drips again"),
    ],
)
def test_of_what_asks_to_keep_something_that_is_told(text: str, told: str) -> None:
    """And a request that only points is no part of what is quoted."""
    assert told == assertions.without_requests(text)


@pytest.mark.parametrize("text", ASKS)
def test_what_asks_or_requests_states_nothing(text: str) -> None:
    """With its mark or without."""
    assert not assertions.states(text)


@pytest.mark.parametrize("text", SMALL)
def test_small_talk_states_nothing(text: str) -> None:
    """Nor does what has no word at all."""
    assert not assertions.states(text)


@pytest.mark.parametrize("text", STATES)
def test_a_statement_is_its_whole_text(text: str) -> None:
    """However short, with a question word in it, or put as a request to keep it or a wish to have it confirmed."""
    assert text == assertions.stated(text)


@pytest.mark.parametrize("text", BOTH)
def test_what_states_and_asks_counts_by_its_statement(text: str) -> None:
    """Nothing of the statement is lost."""
    assert BOTH[text] == assertions.stated(text)


@pytest.mark.parametrize(
    "text",
    [
        "Our meadow has two ponds.",
        "our meadow grows clover",
        "When the bell rings the doors close.",
        "what a day that was",
        "Can openers are cheap now",
        "Will Brown was here.",
        "Do not feed the geese.",
        "had a quick look at the pump",
        "What we need is another ladder.",
        "Where the road bends there is an inn.",
        "any member is welcome in the hall",
        "wheat is cheap this year",
    ],
)
def test_a_statement_that_begins_as_a_question_does_is_told(text: str) -> None:
    """It is acknowledged, and nothing is looked up for it."""
    assert (True, False) == (assertions.states(text), assertions.asks(text))


@pytest.mark.parametrize(
    "text",
    [
        "wen is the fair",
        "Wehn does the fair begin",
        "hwo do we light the oven",
        "wich bus goes to the lake",
        "ok wher are the tents",
        "when we meet",
        "can ponies come along",
        "has mira had her lesson",
        "any chance we meet on Monday",
    ],
)
def test_a_question_with_a_mistyped_word_asks(text: str) -> None:
    """Without a question mark too, and it is no evidence for its own answer."""
    assert assertions.asks(text)


@pytest.mark.parametrize("text", ["the code of the gate", "status of the roof please", "tell me about the boiler"])
def test_what_is_wanted_is_asked_for(text: str) -> None:
    """Without a question mark, by naming it."""
    assert assertions.asks(text)


@pytest.mark.parametrize(
    "text", ["the code of the gate is 4411", "the date of the party: 4 May", "The name of my cat is Mimi"]
)
def test_what_is_named_and_told_is_not_asked_for(text: str) -> None:
    """It begins as a wish to be told it, and goes on."""
    assert not assertions.asks(text)


@pytest.mark.parametrize(
    "text",
    [
        "permits expire on 20 december btw",
        "sirens sound every night at 2",
        "leases end on 1 february",
        "ropes wear out by may",
        "alarms go to the porter",
        "visits cost 12 euros",
        "children swim at noon",
        "rent rises in may",
        "ferry leaves from pier 4",
        "Fähre legt um 7 Uhr ab",
        "das Honorar ist 500 Euro",
        "el tren sale a las 7",
        "les moteurs tournent chaque nuit",
    ],
)
def test_what_things_do_is_told_and_is_no_keywords(text: str) -> None:
    """A noun and a verb are a sentence, however few the words."""
    assert (True, False, False) == (assertions.states(text), assertions.asks(text), assertions.is_keywords(text))


@pytest.mark.parametrize(
    "text",
    ["sales report for may", "sales start date", "kiln firing schedule", "wine glasses box", "members meeting notes"],
)
def test_nouns_in_a_row_are_keywords(text: str) -> None:
    """Though some of them may be verbs elsewhere."""
    assert assertions.is_keywords(text)


def test_what_was_asked_is_asked_for_in_so_many_words() -> None:
    """Then a question answers."""
    told = ("What did Ben ask about the oven?", "which questions came up", "who asked for gloves?")
    assert all(map(assertions.asks_what_was_asked, told))
    others = ("Whom should I ask about the oven?", "Where is the drill?", "someone asked me how many we are")
    assert not any(map(assertions.asks_what_was_asked, others))


@pytest.mark.parametrize(
    "piece",
    ["!", "?", ", ", "and ", "who ", "do you ", "- ", "write a b c ", "a, who ", "forget the, ", "\n", "? a ", '"'],
)
def test_the_work_grows_with_the_text_and_no_faster(piece: str) -> None:
    """Counted in places at which a pattern is tried: no shape of text makes more than a few of them a character."""
    tried = itertools.count()

    def count(found: re.Pattern[str]) -> mock.Mock:
        def match(text: str, at: int = 0) -> re.Match[str] | None:
            next(tried)
            return found.match(text, at)

        return mock.Mock(match=match)

    opening = assertions._opening
    with mock.patch.object(assertions, "_opening", lambda *hows: count(opening(*hows))):
        assertions.stated((piece * 4000)[:4000])
    assert next(tried) <= 20 * 4000


def test_every_row_of_the_tables_compiles() -> None:
    """And none matches where nothing is said."""
    for language in opening_words.LANGUAGES:
        hows = ("question", "unmarked", "request", "to_keep", "bound", "verb", "asked", "tag")
        assert not any(re.search(rf"\A(?:{getattr(language, how)})", "") for how in hows)


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        ("I BURNT MY HAND WHERE IS THE PLASTER", "WHERE IS THE PLASTER"),
        ("sorry to bother you but when is the next walk", "when is the next walk"),
        ("I know where is the key", "I know where is the key"),
        ("where is the key", "where is the key"),
    ],
)
def test_of_what_runs_on_the_question_is_looked_up(text: str, asked: str) -> None:
    """What stands before it says nothing of what is asked for."""
    assert asked == assertions.run_on(text)


COURTESIES = (
    "Bye everyone, thanks for the lovely party",
    "Good night all, thank you for the wonderful concert!",
    "lovely party, thanks!",
    "What a lovely party, thank you",
    "See you all at the concert!",
    "Congrats on the new boat!",
    "bye, off to the concert",
    "thanks for the tip, Bo, great idea",
    "Tschüss zusammen, danke für das schöne Fest",
    "Glückwunsch zum neuen Boot!",
    "belle fête, merci !",
    "felicidades por el barco nuevo!",
)
BESIDE_COURTESIES = (
    "Thanks, the party is on Friday",
    "thanks, party on Friday",
    "Bye, the key is under the mat",
    "see you at the concert at 8",
    "see you at the concert on Friday",
    "good luck with the exam tomorrow",
    "Congrats, Lena got the job",
    "Thanks, Lena has it",
    "blue, thanks",
    "behind the shed, thanks",
    "Great concert!",
    "Danke, das Fest ist am Freitag",
)


@pytest.mark.parametrize("text", COURTESIES)
def test_what_only_thanks_takes_leave_or_wishes_states_nothing(text: str) -> None:
    """Part by part, with praise beside it."""
    assert not assertions.states(text)


@pytest.mark.parametrize("text", BESIDE_COURTESIES)
def test_what_is_told_beside_a_courtesy_is_stated(text: str) -> None:
    """Also when something is, and how it was."""
    assert assertions.states(text)
