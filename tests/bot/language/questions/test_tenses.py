"""Whether a question is of what was or of what is to come."""

import pytest

from bot.language.questions import tenses


@pytest.mark.parametrize(
    "question",
    [
        "Was ist am 3. Dezember?",
        "what's on december 3?",
        "was ist am 3.12.?",
        "what's happening on sunday?",
        "was ist am Dienstag?",
        "who brings cake on sunday?",
        "who is coming on friday?",
        "when do we meet on tuesday?",
        "what is planned for friday?",
        "was ist am Freitag geplant?",
        "wer bringt am Samstag Kuchen?",
        "wann treffen wir uns am Sonntag?",
        "haben wir am Dienstag Probe?",
        "wer hat am Freitag Dienst?",
        "who has the pager on friday?",
        "do we have rehearsal on Thursday?",
        "where are we eating on Saturday",
        "which bus goes on sunday?",
        "gibt es am Montag Training?",
        "what are the plans for may?",
        "is the studio open on monday?",
        "was passiert am Dienstag?",
        "whats on friday",
        "findet am Mittwoch die Probe statt?",
        "will the shop be closed on monday",
        "was steht am Freitag an?",
    ],
)
def test_what_is_or_will_be_is_ahead(question: str) -> None:
    assert tenses.looks_ahead(question)


@pytest.mark.parametrize(
    "question",
    [
        "what happened on sunday?",
        "was ist am Dienstag passiert?",
        "what has happened on friday?",
        "was wurde am Montag beschlossen?",
        "was war am Dienstag?",
        "who won on sunday?",
        "what did we say on monday?",
        "wer hat am Freitag gewonnen?",
        "was haben wir am Montag beschlossen?",
        "who came on friday?",
        "what was decided in may?",
        "what's new since monday",
        "what have we decided on friday?",
        "wer war am Dienstag da?",
        "who was at the meeting on monday",
        "sunday",
        "what's happened on Sunday",
        "was gab es am Freitag zu essen?",
        "who wrote on tuesday that the kiln is broken?",
        "who said on monday that it is closed",
        "what has Ben told us on monday",
        "wann ist Ben am Montag gekommen?",
    ],
)
def test_what_was_is_not(question: str) -> None:
    """Nor is what is no question."""
    assert not tenses.looks_ahead(question)
