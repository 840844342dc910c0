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

EVERYDAY: Final = """
From now on deploys happen on Mondays only.                   | deploys
Deploys happen on Mondays only.                               | deploys
Starting next month rehearsals take place in the old school.  | rehearsals
As of today the gate stays locked after 10.                   | gate
As of Monday invoices go to Petra.                            | invoices
We decided that newsletters go out on the first of the month. | newsletters
I prefer oat milk over cow's milk.                            | oat milk
I'd rather have the window seat.                              | window seat
I don't like cilantro.                                        | cilantro
My favourite colour is teal.                                  | favourite colour
Ben's birthday is on 4 June.                                  | ben's birthday
Remember that bins are collected on Thursdays.                | bins
Bins get collected on Thursdays.                              | bins
Releases are cut from main.                                   | releases
Nobody parks in front of the barn.                            | barn
Please don't ring the bell after eight.                       | bell
Dogs stay outside during the market.                          | dogs
From June on swimming costs 6 euros.                          | swimming
Lunch is at half past twelve.                                 | lunch
Lunches are paid by the club.                                 | lunches
Olga runs the bar on Fridays.                                 | bar
Standups happen at ten.                                       | standups
Backups run every night at two.                               | backups
Migrations run before deploys.                                | migrations
Tickets cost 12 euros at the door.                            | tickets
Passwords live in the vault.                                  | passwords
Prices go up in January.                                      | prices
Guests sleep in the attic.                                    | guests
Kids eat for free.                                            | kids
Parcels for the studio go to number 14.                       | parcels
It was decided to postpone the concert.                       | concert
In future all bookings go through the website.                | bookings
For now the printer stays in the hall.                        | printer
Effective immediately, keys must be signed out.               | keys
No more meetings on Wednesdays.                               | meetings
Always lock the shed after use.                               | shed
Never prune the roses in autumn.                              | roses
Water the tomatoes every evening.                             | tomatoes
Use tabs, not spaces.                                         | tabs
Turn off the heating when you leave.                          | heating
I'm vegetarian.                                               | vegetarian
printer jams                                                  | printer
The tap drips again.                                          | tap
Dog barks at night.                                           | dog
The alarm beeps every hour.                                   | alarm
roof leaks                                                    | roof
The office keys are in the drawer.                            | office keys
office keys                                                   | office keys
house rules                                                   | house rules
My train leaves at 7:12.                                      | train
We use Postgres for billing.                                  | postgres
Our landlord is called Mr. Haas.                              | landlord
The boiler was serviced in March.                             | boiler
Someone took the ladder home.                                 | ladder
There is a spare key under the pot.                           | spare key
When the alarm rings press the green button twice.            | alarm
On Sundays nobody mows lawns.                                 | lawns
Every other week rubbish gets picked up.                      | rubbish
Last year sales dropped by a third.                           | sales
Next time bring cups.                                         | cups
Because of the storm the ferry is cancelled.                  | ferry
Regarding the trip: buses leave at six.                       | buses
Decision: scones instead of cake at the fair.                 | scones
Rule: nobody feeds the ducks.                                 | ducks
Choir practice moved to room 4.                               | choir practice
Henceforth scooters stay in the yard.                         | scooters
She is afraid of spiders.                                     | spiders
Dad mows the lawn on Saturdays.                               | lawn
Payments land on the last working day.                        | payments
Commits need a ticket number.                                 | commits
Merges wait for green checks.                                 | merges
Orders ship within two days.                                  | orders
Reports are due on Fridays.                                   | reports
Shifts start at six.                                          | shifts
Rides leave from the north gate.                              | rides
Knock before you enter the darkroom.                          | darkroom
Looks like the heating is broken.                             | heating
Version 3 ships in May.                                       | version 3
"""
"""Facts, decisions and preferences as people phrase them, each with what it is about."""


def test_topics_are_what_a_sentence_is_about() -> None:
    """Of a hundred sentences at least ninety have a topic that was judged right."""
    right = [one for one in SENTENCES if topics.topic_of(one["text"]) in one["topics"]]
    assert 100 == len(SENTENCES)
    assert len(right) >= 90


@pytest.mark.parametrize("row", EVERYDAY.strip().splitlines())
def test_everyday_sentences_have_their_topic(row: str) -> None:
    """A verb and an aside are none, whatever the sentence begins with; a word in s before a verb of several is."""
    text, _, topic = row.partition("|")
    assert topic.strip() == topics.topic_of(text)


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


@pytest.mark.parametrize(
    "text",
    ["I was born in 1980.", "It was tough.", "I wanna do that too.", "Besides, others are lucky.", "We agreed on 42."],
)
def test_no_verb_quality_or_small_word_alone_is_a_topic(text: str) -> None:
    """What is said of something names nothing."""
    assert topics.GENERAL == topics.topic_of(text)


@pytest.mark.parametrize(
    ("text", "topic"),
    [
        ("pat hasnt paid the membership fee since september, 45 euro", "pat"),
        ("the gate code isnt 4471", "gate code"),
        ("we cant use the big kiln", "big kiln"),
        ("soy alérgica a los cacahuetes", "cacahuetes"),
        ("NO soy alérgica a las nueces, solo a los cacahuetes", "nueces"),
        ("tengo una alergia", "alergia"),
        ("am 3. Dezember Generalprobe ist", "generalprobe"),
        ("Ich bin vom 21. Dezember bis 4. Januar im Urlaub", "urlaub"),
        ("die Chorleiterin Frau Müller-Lüdenscheidt heißt", "chorleiterin"),
        ("Zimmerliste bis 1. März an Tom", "zimmerliste"),
        ("der Schlüssel hängt beim Hausmeister", "schlüssel"),
        ("das Hotel in Straßburg kostet 80 Euro", "hotel"),
        ("wir proben jeden Donnerstag im Gemeindehaus", "gemeindehaus"),
        ("ähm, das WLAN heißt TonUndTeufel", "wlan"),
        ("je suis allergique aux noix", "noix"),
        ("la répétition est le 3 décembre", "répétition"),
        ("... äh", topics.GENERAL),
        ("am 3. Dezember", topics.GENERAL),
        ("le concert est le 3 décembre", "concert"),
    ],
)
def test_verbs_months_and_sounds_of_other_languages_are_no_topic(text: str, topic: str) -> None:
    """Nor what is written without its apostrophe; the noun is, which a capital or an article tells."""
    assert topic == topics.topic_of(text)


@pytest.mark.parametrize(
    ("text", "says"), [("... äh", False), ("ähm, tja", False), ("", False), ("ähm, 4471", True), ("\u2764\ufe0f", True)]
)
def test_sounds_made_while_thinking_say_nothing(text: str, says: bool) -> None:
    """Whatever stands beside them does, be it a sign."""
    assert says == topics.says_something(text)


@pytest.mark.parametrize("given", ["", "...", "\u200b", "The", "it's", "of the", "General", "misc"])
def test_what_a_model_gives_as_topic_says_something(given: str) -> None:
    """Else it is that of the text; a word that tells something is taken as it is."""
    assert "kiln" == topics.topic_given(given, "The kiln was repaired in May.")
    assert "the raku day" == topics.topic_given("The Raku  day", "The kiln was repaired in May.")


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
