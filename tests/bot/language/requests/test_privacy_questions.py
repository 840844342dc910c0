"""The laws of questions about privacy: what is recorded, who sees it, and how to stop it."""

import pytest

from bot.language.requests import set_phrases


@pytest.mark.parametrize(
    "text",
    [
        "do you record everything we say here?",
        "who can see what I tell you?",
        "who can read this?",
        "are you listening all the time?",
        "is this private?",
        "how do I make you forget me",
        "where do you keep my data",
        "is this stored online",
        "can the admin read my messages to you",
        "do you share my data",
        "how can I stop you from remembering me",
        "hey, what do you record here?",
        "how can i see everything you have on me?",
        "how do I get what you know about me",
        "export my data",
        "send me my data please",
        "can I have a copy of my data?",
        "ok you may remember me again",
        "remember me again",
        "turn my memory back on",
        "how do I opt back in?",
        "zeig mir meine Daten",
        "montre-moi mes donn\u00e9es",
        "mu\u00e9strame mis datos",
        "can dana read this",
        "how do i see what you have stored on me",
        "is there anything about me in there",
        "do you train AI on this",
        "is this sent to openai?",
        "are you gdpr compliant",
        "do you store deleted messages",
        "do you read my messages in other servers",
        "why do you remember things about me",
        "who owns my data",
        "did you delete it all?",
        "how can i be sure it's deleted",
        "start remembering me again",
        "Zeichnest du alles auf?",
        "wer kann das lesen?",
        "qui peut lire mes messages ?",
        "quién puede leer esto?",
    ],
)
def test_a_question_about_privacy(text: str) -> None:
    """It asks what becomes of what is said to Hathi, and names nothing else."""
    assert set_phrases.read(text).asks_of_privacy


@pytest.mark.parametrize(
    "text",
    [
        "who can see the stage from the back row?",
        "who has it?",
        "who owns this?",
        "do you keep the ladder in the shed?",
        "is the shed private?",
        "where do you keep the ladder?",
        "can the admin read the meter?",
        "who can see the comet tonight?",
        "how do I make you a cake?",
        "do you record the meeting on Friday?",
        "how can I see the stage?",
        "send me the data of the tour",
        "how can I see everything about the tour?",
        "will you remember me again tomorrow at nine?",
        "what do you know about me?",
        "remember that this is private",
        "do you remember what Ann said?",
        "do you remember everything I told you about Oslo?",
        "are you listening to Bach?",
        "can Dana read music?",
        "is it going to rain?",
        "is the parcel sent to Oslo?",
        "do you train on Mondays?",
        "is there anything on the roof?",
        "who owns the van?",
        "did you delete the old price list?",
        "remember me to your mother",
    ],
)
def test_no_question_about_privacy(text: str) -> None:
    """What is asked of other things, or of what was said."""
    assert not set_phrases.read(text).asks_of_privacy
