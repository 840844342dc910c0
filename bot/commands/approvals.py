"""Approval: an answer of Hathi's that somebody wants kept becomes a memory, on the word of those who asked."""

from typing import Final

from bot import errors
from bot.commands import Commands
from bot.domain import Caller, Message, Saved
from bot.memory import approval, wording

NOTHING_YET: Final = "There is nothing to keep yet; say that right after an answer of mine, or in reply to one."
TRIVIAL: Final = "There is nothing in that answer to keep; say “remember that …” with what I should remember."
TOO_LONG: Final = (
    f"That answer is longer than a memory may be ({wording.MAX_LENGTH} characters); say “remember that …” with what "
    "of it I should keep."
)


async def save(
    commands: Commands, caller: Caller, answer: Message, question: Message, *, said: Message | None = None
) -> Saved:
    """The answer as a memory of the caller's, resting on its question and on the message that approved of it, if any.

    What is inferred of it is inferred from those, never from the answer: a model wrote that. Raises `RefusedText` for
    an answer that is too long or says nothing, and `NotAllowed` as `Commands.save` does.
    """
    if len(answer.content.strip()) > wording.MAX_LENGTH:
        raise errors.RefusedText(TOO_LONG)
    if approval.is_trivial(answer):
        raise errors.RefusedText(TRIVIAL)
    people_said = [question] if said is None else [question, said]
    return await commands.save(
        caller, answer.content, topic=wording.topic_of(question.content), reason="asked",
        evidence=tuple(message.message_id for message in people_said),
        people_wrote="\n".join(message.content for message in people_said),
    )  # fmt: skip
