"""The laws of who asks for a text to be written."""

import pytest

from bot.language.questions import wanted_texts


@pytest.mark.parametrize(
    "text",
    [
        "Write an announcement for the open day",
        "hathi, please draft a message to the landlord about the heating",
        "Can you help me write a short invitation to Ann's party?",
        "we need you to write a toast for Bob",
        "Hi! Could you make a poster text for the flea market?",
        "draft something for the newsletter",
        "Schreib bitte eine Ankündigung für den Tag der offenen Tür",
        "Kannst du mir eine Einladung zum Sommerfest schreiben?",
        "Formuliere eine E-Mail an den Vermieter",
        "Écris une annonce pour la journée portes ouvertes",
        "Peux-tu rédiger un message au propriétaire ?",
        "Escribe un anuncio para la jornada de puertas abiertas",
        "¿Puedes redactar una carta al casero?",
    ],
)
def test_a_text_is_asked_for(text: str) -> None:
    """In four languages, with a courtesy in front or without."""
    assert wanted_texts.asks(text)


@pytest.mark.parametrize(
    "text",
    [
        "Who wrote the announcement for the open day?",
        "What did Ann write in her message?",
        "write down that the rent is 700 euro",
        "Write a summary of what we decided",
        "When is the open day?",
        "Did we draft a letter to the landlord?",
        "make a list of the dates",
        "Was hat Nora geschrieben?",
        "Schreib auf, dass die Miete 700 Euro ist",
        "Qui a écrit l'annonce ?",
        "¿Quién escribió el anuncio?",
    ],
)
def test_what_was_written_is_another_thing(text: str) -> None:
    """So is what is to be noted down, and what was said put shortly."""
    assert not wanted_texts.asks(text)
