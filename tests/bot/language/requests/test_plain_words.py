import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.language.requests import plain_words, set_phrases

REMEMBER = [
    ("remember this: Ann likes tea", "Ann likes tea"),
    ("Remember that the demo is Friday.", "the demo is Friday."),
    ("remember the demo is Friday", "the demo is Friday"),
    ("REMEMBER THAT Ann LIKES Tea", "Ann LIKES Tea"),
    ("please remember that I'm vegan", "I'm vegan"),
    ("remember \U0001f527 means needs fixing", "\U0001f527 means needs fixing"),
    ("please don\u2019t forget that I\u2019m vegan", "I\u2019m vegan"),
    ("do not forget that we ship on Friday", "we ship on Friday"),
    ("dont forget the keys are under the mat", "the keys are under the mat"),
    ("Don't forget: bins go out on Wednesdays", "bins go out on Wednesdays"),
    ("don't forget about the meeting", "the meeting"),
    ("never forget: 42", "42"),
    ("Hathi, remember: the code is 4417", "the code is 4417"),
    ("hey Hathi please don't forget to water the plants", "water the plants"),
    ("@Hathi remember my birthday is 3 May", "my birthday is 3 May"),
    ("<@123> remember my birthday is 3 May", "my birthday is 3 May"),
    ("Thanks! Please remember that tea is best", "tea is best"),
    ("by the way, Hathi, remember that the pin is 9031", "the pin is 9031"),
    ("make a note that the van is booked", "the van is booked"),
    ("memorise this: 3.14159", "3.14159"),
    ("remember this for later: buy oats", "buy oats"),
    ("remember these three things: tea, milk, oats", "tea, milk, oats"),
    ("remember this:\n- Tea\n- Milk\n\nand Oats", "- Tea\n- Milk\n\nand Oats"),
    ("remember this\nThe code is 42", "The code is 42"),
    ("Remember this, the code is 42", "the code is 42"),
    ("Remember this is a secret", "this is a secret"),
    ("remember that is a bad idea", "that is a bad idea"),
    ("Remember that Ann's flight lands at 6, please", "Ann's flight lands at 6"),
    ("remember that the magic word is please", "the magic word is please"),
    ("remember that the docs are at https://x.y/?q=1", "the docs are at https://x.y/?q=1"),
    ("remember the time zone is CET", "the time zone is CET"),
    ("remember that day one is Monday", "day one is Monday"),
    ("remember the milk", "the milk"),
    # The marks at its ends are its own.
    ("remember ||the party is a surprise|| don't tell", "||the party is a surprise|| don't tell"),
    ("||my pin is 12||, remember that", "||my pin is 12||"),
    ("remember **IMPORTANT** the *fire* door stays shut", "**IMPORTANT** the *fire* door stays shut"),
    ("remember `sudo reboot` fixes it", "`sudo reboot` fixes it"),
    ("remember ```door: 12\nalarm: 56```", "```door: 12\nalarm: 56```"),
    ("save ||the code|| to your notes", "||the code||"),
    ("remember :chalk: is our emoji", ":chalk: is our emoji"),
    ("remember this: why is the sky blue?", "why is the sky blue?"),
    ("remember this:\nwhat is love?\nbaby don't hurt me", "what is love?\nbaby don't hurt me"),
    ("Remember that I'm vegan. I also avoid honey.", "I'm vegan. I also avoid honey."),
    ("My code is 4417, please remember that.", "My code is 4417"),
    # Asked politely, wished for, noted.
    ("could you please remember that I'm vegan?", "I'm vegan"),
    ("Can you remember that the boiler was serviced on 12 May?", "the boiler was serviced on 12 May"),
    ("would you note that Bo is away next week?", "Bo is away next week"),
    ("can u remember im left-handed", "im left-handed"),
    ("Can you remember my sister lives in Oslo?", "my sister lives in Oslo"),
    ("Can you remember to order coal?", "order coal"),
    ("Would you mind remembering that the hall is cold?", "the hall is cold"),
    ("I want you to remember my locker is 12", "my locker is 12"),
    ("I'd like you to keep in mind that Bo hates fish, ok?", "Bo hates fish"),
    ("you should know and remember that we moved", "we moved"),
    ("note to self: buy nails", "buy nails"),
    ("One more thing to remember, the stove is new", "the stove is new"),
    ("keep in mind that I leave on Friday", "I leave on Friday"),
    ("save this: gate 42", "gate 42"),
    ("put this in your memory. bike lock 0310", "bike lock 0310"),
    ("store my shoe size, it's 44", "my shoe size, it's 44"),
    ("bookmark this for me, the mill opens at nine", "the mill opens at nine"),
    ("jot down Kim has the tent", "Kim has the tent"),
    ("don't let me forget to call Mum", "call Mum"),
    ("remeber that the bins go out on Monday", "the bins go out on Monday"),
    ("My bike is blue. Can you remember that?", "My bike is blue."),
    ("Just so you know, I have a dog. Keep that in mind", "I have a dog."),
    ("I'm vegan. Remember that!", "I'm vegan."),
    ("I'm vegan. Hathi, don't forget it please", "I'm vegan."),
    # In any order, and in words nobody thought of together.
    ("add the locker code 8812 to your memory", "the locker code 8812"),
    ("could you put in your notes that Lena left?", "Lena left"),
    ("stash this: the mill key is blue", "the mill key is blue"),
    ("don't you dare forget my party is on 3 May", "my party is on 3 May"),
    ("I'd be grateful if you could remember that I don't eat pork", "I don't eat pork"),
    ("This is worth remembering: the lake freezes in January", "the lake freezes in January"),
    ("The pump is broken — remember this", "The pump is broken"),
    ("next week the pool is closed, make a note of it", "next week the pool is closed"),
    ("my cat is called Momo, would you mind keeping that on file for the vet", "my cat is called Momo"),
    ("I mix them up all day, so save it somewhere, Bo is the tall twin", "Bo is the tall twin"),
    ("ok bot, store: the lamp is new", "the lamp is new"),
    ("for later: the lamp is new, hang on to that", "the lamp is new"),
    # Told to know, or to remind: what is said is kept, and nothing is promised.
    ("You need to know that the gate is locked at ten", "the gate is locked at ten"),
    ("Hathi, you should be aware that the lift is broken.", "the lift is broken."),
    ("remind me to call Mum", "call Mum"),
    ("Could you remind me that the gate is locked at ten?", "the gate is locked at ten"),
    ("please remind me in two hours to stretch", "in two hours to stretch"),
    ("set a reminder for Friday to pay Bo", "for Friday to pay Bo"),
    ('remember that {"a": 1}', '{"a": 1}'),
    ('remember this {"a": 1}', '{"a": 1}'),
    ('please remember that "x"', '"x"'),
    ("remember that \u201cthe gate is 4417\u201d", "\u201cthe gate is 4417\u201d"),
    ('remember that ["x", "y"]', '["x", "y"]'),
]

NO_REQUEST = [
    "",
    "remember",
    "remember this",
    "remember this:",
    "remember this: \n",
    "remember that",
    "Remember it, please",
    "please remember me",
    "don't forget about it",
    "don't forget",
    "remember this: ...",
    # Questions.
    "remember that?",
    "remember that we ship on Friday?",
    "do you remember that we ship on Friday?",
    "can you remember my name?",
    "Hathi, do you remember me?",
    "can you remember what Ann said?",
    "can you remember the name of my dentist?",
    "could you remember where I put the keys?",
    "can you remember that restaurant we went to?",
    "can you remember my birthday?",
    "do you remember my allergy?",
    "would you remember Ann?",
    "can you save the file?",
    "save this seat for me",
    "write down some ideas for the party",
    "could you note the difference?",
    "keep this\n[attachment: plan.md]",
    "could you save the game before you leave?",
    "put the following dishes on the table, and what then?",
    "what did she ask you to bring?",
    "did you know that the gate is locked?",
    "do you need to know that the gate is locked?",
    "I want you to know that I love you",
    "you should know better",
    "remind me what the code is",
    "remind me of the code",
    "remind me: what is the code?",
    "remind me, the code?",
    "remind me how to cook rice",
    "remind me the way to the station",
    "that reminds me to call",
    "don't forget what exactly",
    # Somebody else is told, or tells.
    "my boss told me to remember this: never be late",
    "you never remember anything",
    "we should note that prices went up",
    "I'll keep that in mind",
    "save files on that game get lost",
    "put the kettle on",
    "keep calm and carry on",
    # Negations.
    "don't remember that",
    "I don't remember that we agreed",
    "I remember that we agreed",
    "please do not remember this",
    "please don't remember that I said so",
    "never remember this",
    "Do not, under any circumstances, note that the kiln is hot.",
    "Never, whatever Bob says, remember that my code is 4417.",
    "Hathi remembers everything",
    "Hathi's memory: remember the milk",
    "I told him to please remember the milk",
    "I forgot to remember the milk",
    # Shared memories.
    "remember that time we went to Oslo",
    "remember that one night with the goose",
    "remember that day",
    "remember when we met",
    "remember back when this was fun",
    "remember the time we met",
    "remember the good old days",
    "remember how we laughed",
    "remember what Ann said",
    "remember last summer",
    "remember yesterday",
    "remember me telling you about it",
    "remember, remember, the fifth of November",
    # More than the request: the confirmation would swallow the rest.
    "please remember that I am allergic to nuts. Can you also tell me a joke?",
    "Remember that I'm vegan and tell me a joke",
    "Remember: I am vegan. What should I cook?",
    "remember that I like tea. What about you?",
    "The freezer is broken. Remember that. What else is broken?",
]


@pytest.mark.parametrize(("text", "thing"), REMEMBER)
def test_request_to_remember(text: str, thing: str):
    """An imperative that opens the message gives the thing to keep, in its own case and lines."""
    assert plain_words.asked_to_remember(text) == thing


@pytest.mark.parametrize("text", NO_REQUEST)
def test_no_request_to_remember(text: str):
    """A question, a negation, a shared memory, an empty request and a message that wants more are no request."""
    assert plain_words.asked_to_remember(text) is None


LISTS = [
    ("remember these:\n- Ann likes tea\n- Bo likes cake", "", ("Ann likes tea", "Bo likes cake")),
    ("Please remember:\n1. the gate is green\n2) the shed is red", "", ("the gate is green", "the shed is red")),
    ("remember these:\nAnn likes tea\nBo likes cake\n\nthanks", "", ("Ann likes tea", "Bo likes cake")),
    ("can you keep these codes for me?\nfront 2290\nback 7713", "codes", ("front 2290", "back 7713")),
    ("Please save our roster:\n* Mon: Bo\n* Tue: Kim", "our roster", ("Mon: Bo", "Tue: Kim")),
    ("house rules, remember them:\n- shoes off\n- feed the cat", "house rules", ("shoes off", "feed the cat")),
    ("remember this:\nShopping:\n- tea\n- oat milk\n  from the mill", "Shopping", ("tea", "oat milk from the mill")),
    ("things to remember:\n- [ ] pay Bo\n- [x] call Kim", "", ("pay Bo", "call Kim")),
    ("log these ports\n\nmill: 80\nshed: 81", "ports", ("mill: 80", "shed: 81")),
    ("add to memory\n-Bo has the key\n-Kim has the van", "", ("Bo has the key", "Kim has the van")),
    ("* tea\n* milk\nThat's what we need, could you make a note of it?", "", ("tea", "milk")),
    ("Hathi remember\n- tea\n- milk", "", ("tea", "milk")),
    ("please save the following\n1. Bo has the key\n2. Kim has the van", "", ("Bo has the key", "Kim has the van")),
    ("remind me\n- to pay Bo\n- to call Kim", "", ("to pay Bo", "to call Kim")),
    ("Mon: soup\nTue: stew\n^ the menu, keep that for this week", "", ("Mon: soup", "Tue: stew")),
    ("remember that the van is Kim's\n- Bo drives\n- Ann pays", "", ("the van is Kim's", "Bo drives", "Ann pays")),
]


@pytest.mark.parametrize(("text", "heading", "things"), LISTS)
def test_each_line_of_a_list_is_a_thing(text: str, heading: str, things: tuple[str, ...]):
    """With bullets, numbers or, where several are announced, without; the line above says what they are."""
    found = plain_words.things_to_remember(text)
    assert found is not None
    assert (found.heading, found.things) == (heading, things)


@pytest.mark.parametrize(
    "text",
    [
        "remember this:\nThe code is 42.\nIt is new.",
        "remember this:\n- Tea\n- Milk\n\nand Oats",
        "remember these three things: tea, milk, oats",
        "remember this:\n- only one",
    ],
)
def test_prose_is_one_thing(text: str):
    """Lines that are no list stay together, as does a list with words of another kind below."""
    found = plain_words.things_to_remember(text)
    assert found is not None
    assert not found.is_list


@pytest.mark.parametrize(
    ("text", "thing"),
    [
        ("remember that the boiler broke\nBo mends it\nbring coats", "the boiler broke\nBo mends it\nbring coats"),
        ("remember I have the ladder\n\nBo wants it\n\nask me", "I have the ladder\n\nBo wants it\n\nask me"),
        ("save mill code 4417\nshed code 9921\ngate code 12", "mill code 4417\nshed code 9921\ngate code 12"),
    ],
)
def test_no_line_of_what_is_to_be_kept_is_left_out(text: str, thing: str):
    """A first line that announces none of those below is one of them."""
    found = plain_words.things_to_remember(text)
    assert found is not None
    assert found.things == (thing,)


def test_a_list_nobody_asks_to_keep_is_none():
    """Nor is one under a request for something else."""
    assert plain_words.things_to_remember("write a poem:\n- about tea\n- short") is None
    assert plain_words.things_to_remember("- tea\n- milk") is None


@pytest.mark.parametrize(
    "text", ["remember these:", "Hathi, please save the following", "note to self:\n", "remember:"]
)
def test_what_is_announced_and_missing_is_known(text: str):
    """Such a request holds no thing to keep; one that points back at what was said before is none."""
    found = plain_words.things_to_remember(text)
    assert found is not None
    assert found.things == ()
    assert plain_words.things_to_remember("remember this") is None
    assert plain_words.things_to_remember("keep this:\n[attachment: plan.md]") is None


def test_bot_goes_by_its_own_name():
    """The name before the imperative is the bot's, whatever it is called."""
    assert plain_words.asked_to_remember("C-3PO (v2), remember: oil", "C-3PO (v2)") is None
    assert plain_words.asked_to_remember("Nell, remember: oil", "Nell") == "oil"
    assert plain_words.asked_to_remember("Nell, remember: oil") is None


@pytest.mark.parametrize(
    "text",
    [
        "where did we leave off?",
        "where were we?",
        "ok so where were we",
        "Where are we?",
        "what were we talking about?",
        "what were we working on yesterday?",
        "what were we talking about before the reset?",
        "what are we working on, i lost the thread",
        "ok what have we been discussing this week",
        "catch me up",
        "Catch me up on the deploy",
        "bring me up to speed please",
        "continue where we left off",
        "let\u2019s pick up where we left off",
        "where did we get to last time?",
        "What did we decide last time?",
        "what was decided in our last session",
        "what did we get done last time?",
        "What's still open from last time?",
        "where did we end up?",
        "how far did we get last session?",
        "what did I miss?",
        "recap our last session",
        "summarize so far please",
        "what did we talk about before?",
        "what was the last conversation about?",
    ],
)
def test_question_where_we_left_off(text: str):
    """Asking to go on from the last session is recognised."""
    assert plain_words.asks_where_left_off(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "where were we born?",
        "what did we decide last time about the roof?",
        "what did we talk about before lunch?",
        "how far did we get with the fence?",
        "where are we going",
        "what are we doing about the broken drill",
        "what were we saying about insurance?",
        "what have you been doing wrong",
        "What are we doing next Tuesday, pizza or knots?",
        "where do we go from here",
        "the leaves fell off",
        "get me up at 5",
        "what are you?",
        "do you remember what Ann said?",
        "she took off and left",
        "summarise what we know so far about the premiere",
        "summarize our story so far",
    ],
)
def test_no_question_where_we_left_off(text: str):
    """Other questions of place and time are not."""
    assert not plain_words.asks_where_left_off(text)


@pytest.mark.parametrize(
    ("text", "names_it"),
    [("What did we decide last time?", True), ("where were we last session?", True), ("where were we?", False)],
)
def test_where_we_left_off_last_time_is_of_the_last_session(text: str, names_it: bool):
    """Where another session is under way, only such a question still means the last one."""
    assert names_it == plain_words.names_last_session(text)


@pytest.mark.parametrize(
    "text",
    [
        "What do you know about me?",
        "what do you know about me",
        "Hathi, what do you remember about me?",
        "hey Hathi, what have you learned about me so far?",
        "Tell me what you know about me.",
        "tell me everything you know about me",
        "Do you know anything about me?",
        "What information do you have about me?",
        "what memories do you have of me",
        "What have you got on me?",
        "What do you have stored about me?",
        "Who am I?",
        "do you remember me?",
        "What's stored about me?",
        "What is known about me?",
        "show me what you have saved about me",
        "list everything you know about me",
        "can you tell me what you know about me?",
        "What all do you know about me?",
        "what have people said about me",
        "what do people say about me",
        "did anyone say anything about me",
        "has anybody mentioned anything about me here?",
        "what data do you hold on me",
        "what did you save about me today",
        "what facts have you saved about me",
        "What do you actually know about me",
        "Was weißt du über mich?",
        "Hathi, was weisst du alles über mich?",
        "Was hast du dir über mich gemerkt?",
        "Was hast du über mich gespeichert?",
        "Weißt du etwas über mich?",
        "Sag mir bitte, was du über mich weißt",
        "Wer bin ich?",
        "Que sais-tu de moi ?",
        "Qu'est-ce que tu sais sur moi ?",
        "Hathi, dis-moi ce que tu sais de moi",
        "Qu\u2019as-tu retenu de moi ?",
        "tu sais quoi sur moi ?",
        "¿Qué sabes de mí?",
        "¿Qué sabes sobre mí?",
        "Hola Hathi, ¿qué recuerdas de mí?",
        "¿Qué has aprendido sobre mí?",
        "¿Sabes algo de mí?",
        "Dime todo lo que sabes sobre mí",
    ],
)
def test_question_about_oneself(text: str):
    """Asking what is known about whoever asks is recognised in four languages, with or without a question mark."""
    assert set_phrases.read(text).asks_about_self


@pytest.mark.parametrize(
    ("text", "asks"),
    [
        ("Do you store what I write here?", True),
        ("but do you keep a log of my messages even when i dont say remember?", True),
        ("is this stored now?", True),
        ("did you record what i said?", True),
        ("wait, are we being recorded here?", True),
        ("how long do you keep my messages?", True),
        ("who else can see this?", True),
        ("who can see what i tell you", True),
        ("is this private?", True),
        ("where does my data go?", True),
        ("what is your privacy policy?", True),
        ("do you remember me?", False),
        ("what do you remember?", False),
        ("what do you know about me?", False),
        ("do you remember what i said about the demo?", False),
        ("did you record the meeting?", False),
        ("how long do you keep bread?", False),
        ("who can see the roadmap?", False),
        ("is it stored in git?", False),
        ("where is this?", False),
    ],
)
def test_question_about_what_is_kept(text: str, asks: bool):
    """It is one where it asks that of what people say here, and of nothing else."""
    assert set_phrases.read(text).asks_of_privacy is asks


@pytest.mark.parametrize(
    ("text", "asks"),
    [
        ("what did we just talk about?", True),
        ("tldr of the discussion above?", True),
        ("whats the tl;dr", True),
        ("recap pls", True),
        ("can you summarize the last 10 messages?", True),
        ("what are you guys talking about?", True),
        ("what did we talk about last week?", False),
        ("what did we decide about the demo?", False),
        ("recap of the meeting on Friday", False),
        ("what did Ben just say about the kiln?", False),
    ],
)
def test_question_about_the_talk_at_hand(text: str, asks: bool):
    """It is one where it names no other time, and nothing that was talked of."""
    assert set_phrases.read(text).asks_of_talk is asks


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("morning! what did we decide about the demo?", "what did we decide about the demo?"),
        ("hey hathi, quick q: when is the demo due? thx", "when is the demo due?"),
        ("hey, quick question, when is the demo due? thanks in advance!", "when is the demo due?"),
        ("hey all, I'm new! what did I miss?", "what did I miss?"),
        ("Guten Morgen! Was haben wir beschlossen? Danke!", "Was haben wir beschlossen?"),
        ("what did Anna, Ben and Carl say?", "what did Anna, Ben and Carl say?"),
        ("morning standup: when is it?", "morning standup: when is it?"),
        ("The kiln moved. Where does it stand?", "The kiln moved. Where does it stand?"),
        ("Good morning!", "Good morning!"),
        ("", ""),
    ],
)
def test_what_is_said_between_greetings_and_thanks(text: str, said: str):
    """Greetings, thanks and what announces a question are left out around it; where there is nothing else they stay."""
    assert said == plain_words.without_pleasantries(text)


@pytest.mark.parametrize(
    ("text", "asks"),
    [
        ("why?", True),
        ("ok, why did you say that?", True),
        ("Hathi, how do you know that?", True),
        ("where did you get that from", True),
        ("Warum?", True),
        ("woher weißt du das?", True),
        ("d'où tu sors ça ?", True),
        ("¿Cómo lo sabes?", True),
        ("Why not?", False),
        ("Why is the kiln closed?", False),
        ("How do you know Ann?", False),
        ("Warum ist der Ofen kalt?", False),
    ],
)
def test_question_for_the_sources_of_an_answer(text: str, asks: bool):
    """It is one where it asks nothing else."""
    assert set_phrases.read(text).asks_why is asks


@pytest.mark.parametrize(
    "text",
    [
        "",
        "What do you know about my car?",
        "What do you know about metal?",
        "What do they know about me?",
        "What do you know about me and Bob?",
        "What do you know about Bob?",
        "What did Bob say about me?",
        "Do you know anything about Mexico?",
        "Who am I talking to?",
        "Who are you?",
        "Tell me about elephants.",
        "Remember that I know about me",
        "What do you know?",
        "Thanks, Hathi.",
        "What do you know about me? And what is the capital of France?",
        "Was weißt du über Michael?",
        "Was weißt du?",
        "Que sais-tu de Moïse ?",
        "¿Qué sabes de Miguel?",
        "I know about me",
    ],
)
def test_no_question_about_oneself(text: str):
    """Questions about one thing of theirs, about others, and with anything else besides are none."""
    assert not set_phrases.read(text).asks_about_self


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("do you remember what Ann said about the deploy?", "Ann deploy"),
        ("what did we decide about the logo", "logo"),
        ("what was the wifi password again?", "wifi password"),
        ("when's Ann's birthday?", "Ann birthday"),
        ("what do you know about v1.2.3 and #42?", "v1.2.3 #42"),
        ("when did we ship last week?", "ship"),
        ("what was the decision?", "decision"),
        ("do you remember?", "remember"),
        ("where were we?", ""),
        ("", ""),
    ],
)
def test_search_words(text: str, words: str):
    """What is searched for are the content words; those of asking only when there are no others."""
    assert plain_words.search_words(text) == words


@pytest.mark.parametrize(
    "text",
    ["You rock! Keep it up!", "We're making a difference and we'll keep it up! Here's a picture.", "Keep going, Jo!"],
)
def test_encouragement_keeps_nothing(text: str) -> None:
    """A verb of keeping stands in it, and speaks of no memory."""
    assert plain_words.things_to_remember(text) is None


@given(st.text(max_size=300))
@settings(max_examples=300)
def test_any_text_is_answered(text: str):
    """Any text is answered by every rule, and search words are words of the text."""
    plain_words.asks_where_left_off(text)
    set_phrases.read(text)
    thing = plain_words.asked_to_remember(text)

    assert thing is None or (thing in text and thing.strip())
    assert all(word in text for word in plain_words.search_words(text).split() if word.isalnum())


@given(st.text(alphabet="abcXYZ ,\n", min_size=1, max_size=80).map(lambda thing: f"zebra {thing} zebra"))
@settings(max_examples=200)
def test_what_follows_the_colon_is_kept(thing: str):
    """Whatever stands after "remember this:" is kept verbatim."""
    assert plain_words.asked_to_remember(f"Hathi, please remember this: {thing}") == thing


@pytest.mark.parametrize(
    "text",
    [
        "remember " * 2_500,
        "please " * 3_000,
        "hey, " * 4_000,
        "remember this" + " " * 20_000,
        "remember that " + "a" * 20_000,
        "remember that " + "it " * 7_000,
        "what " * 4_000 + "did",
        "did we " * 3_000,
        "? " * 10_000,
        "." * 20_000,
        "-" * 20_000,
        "\n" * 20_000,
        "what do you" + " all" * 45 + " x",
        "what do you know about me" + " so far" * 24 + " x",
    ],
)
def test_long_texts_take_linear_time(text: str):
    """Twenty thousand characters are answered in a moment."""
    started = time.process_time()

    plain_words.asked_to_remember(text)
    plain_words.asks_where_left_off(text)
    set_phrases.read(text)
    plain_words.search_words(text)

    assert time.process_time() - started < 1


@pytest.mark.parametrize(
    ("text", "thing"),
    [
        ("remember everyone brings their own plates on sunday", "everyone brings their own plates on sunday"),
        ("remember everybody pays 5 euro for clay", "everybody pays 5 euro for clay"),
        ("please remember folks without a car meet at nine", "folks without a car meet at nine"),
        ("remember team meeting is on monday", "team meeting is on monday"),
        ("remember always close the door", "always close the door"),
        ("remember first aid kit is in the hall", "first aid kit is in the hall"),
        ("remember guys, the kiln is hot", "the kiln is hot"),
        ("remember please the kiln is hot", "the kiln is hot"),
        ("remember Hathi the kiln is hot", "the kiln is hot"),
    ],
)
def test_who_is_spoken_of_is_part_of_it(text: str, thing: str):
    """Only who is called before a comma, and courtesies, are no part of what is kept."""
    assert thing == plain_words.asked_to_remember(text)


@pytest.mark.parametrize(
    ("text", "thing"),
    [
        ("im back lol, remember that i can host game night in january", "i can host game night in january"),
        ("what a day! remember that kim is out", "kim is out"),
        ("omg nice, please remember i am vegan", "i am vegan"),
        ("finally home, remember the code is 12", "the code is 12"),
        ("brb, remember that i owe Bo a tenner", "i owe Bo a tenner"),
        ("if it rains, remember that the roof leaks", None),
        ("when you cook, remember that i am vegan", None),
        ("i'm here, remember when we met?", None),
        ("in paris, remember that night?", None),
        ("I was late, remember that?", None),
        ("the good old days, we remember that he was late", None),
        ("is he back? remember that he is vegan", None),
    ],
)
def test_a_remark_may_come_before_a_request(text: str, thing: str | None):
    """A brief one that ends on a mark; none that what follows depends on."""
    assert thing == plain_words.asked_to_remember(text)


@pytest.mark.parametrize(
    ("text", "asks"),
    [
        ("is this private?", True),
        ("hey hathi, are my messages private", True),
        ("who can see what i tell you", True),
        ("can nora read my dms with you", True),
        ("do you listen to everything we say", True),
        ("Do you record everything?", True),
        ("are you recording us", True),
        ("what do you store?", True),
        ("opt out", True),
        ("how do i opt out", True),
        ("Wer kann das lesen?", True),
        ("speicherst du alles?", True),
        ("c'est privé ?", True),
        ("¿Quién puede leer esto?", True),
        ("is the pool private", False),
        ("who can see the lake from here", False),
        ("can ben read the meter", False),
        ("can you read my message?", False),
        ("do you remember my birthday", False),
        ("do you keep bees", False),
        ("are you recording the concert", False),
        ("Wer kann das Auto fahren?", False),
    ],
)
def test_question_for_what_is_recorded_and_who_sees_it(text: str, asks: bool):
    """It is one where it asks nothing else."""
    assert set_phrases.read(text).asks_of_privacy is asks


@pytest.mark.parametrize(
    ("said", "rest"),
    [
        ("Remember that my dog is called Rex. What is my dog called?", "What is my dog called?"),
        ("What is in it? Remember that the gate is red.\n[attached: a.png]", "What is in it? \n[attached: a.png]"),
        ("Remember that the gate is red.", "Remember that the gate is red."),
        ("What is in it?\n[attached: a.png]", "What is in it?\n[attached: a.png]"),
    ],
)
def test_what_is_said_beside_what_is_to_be_remembered(said: str, rest: str) -> None:
    """As it was said, files that came with it included; a message of one kind alone is left as it is."""
    assert rest == plain_words.beside_things_asked_for(said)
