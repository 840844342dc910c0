"""Hathi's set answers to greetings, "who are you?" and "help", in long and brief form."""

from typing import Final

from bot import catalogue

CALLED: Final = "@Hathi"
"""What somebody says who calls Hathi and says no more."""
WHAT: Final = catalogue.later("What would you like to know?")
"""To a question that has no word."""
HELP: Final = catalogue.later("""\
You can talk to me as you like. What I remember goes by plain words:
“remember that …” keeps something, and “remember these:” above a list keeps each line of it
“what did we say about …?” looks it up, and tells who said it and when
“what do you remember?” lists it, “what did I tell you today?” what is yours
“forget that …” takes it back; {p}undo brings it back for 10 minutes
{p}help all lists every command.""")
HELP_BRIEFLY: Final = catalogue.later(
    "“remember that …”, “what did we say about …?”, “what do you remember?”, “forget that …”; "
    "{p}help all lists every command."
)
GREETING: Final = catalogue.later(
    "Hello, I am Hathi. Tell me “remember that …” and I keep it; ask “what did we say about …?” and I look it up. "
    "“help” tells what else you can say."
)
GREETING_BRIEFLY: Final = catalogue.later("Hello!")
AND_HELP: Final = catalogue.later("“help” tells what you can say to me.")
HEARD: Final = catalogue.later(
    "Heard. I find it again when you ask; “remember that …” makes a memory of it, and to chat I would need a model."
)
HEARD_BRIEFLY: Final = catalogue.later("Heard.")
NOT_KEPT: Final = catalogue.later("Heard; nothing of it is kept, as this channel or you yourself want it.")
NOT_KEPT_BRIEFLY: Final = catalogue.later("Heard, not kept.")
CANT: Final = catalogue.later(
    "I can't do that without a model. I keep what you tell me to and find it again; “help” tells how."
)
CANT_BRIEFLY: Final = catalogue.later("I can't do that without a model.")
FROM_MEMORY_ALONE: Final = catalogue.later(
    "Without a model I answer from memory alone; “help” tells what you can say to me."
)
"""Under the first question of a session that memory has nothing on."""
CONNECT: Final = catalogue.later(
    "To connect a model set LLM_BASE_URL, LLM_API_KEY and LLM_MODEL and start me again; docs/MODELS.md has a line for "
    "every usual provider."
)
