"""What is one piece of evidence, and what no longer holds."""

from dataclasses import replace

from bot.domain import Memory, MemoryId, MessageId, Parts, Result
from bot.recall import pieces
from tests.bot.recall.test_ranking import memory, message


def _memory(number: int, score: float, *evidence: int) -> Result:
    told = replace(memory(number), evidence=tuple(MessageId(key) for key in evidence))
    return Result(item=told, parts=Parts(text=score))


def _message(number: int, score: float, text: str = "Rain, all day.") -> Result:
    return Result(item=message(number, text), parts=Parts(text=score))


def _named(results: list[Result]) -> list[tuple[str, int | None]]:
    return [(one.name, one.said and one.said.message_id) for one in results]


def test_a_memory_and_its_message_are_one_piece_at_the_best_of_their_places() -> None:
    """Whichever stands first; the message tells it, if it answers nearly as well."""
    told, said, other = _memory(1, 1.0, 7), _message(7, 0.9), _message(8, 0.5)
    assert [("#1", 7), ("8", None)] == _named(pieces.joined([told, said, other]))
    assert [("#1", 7), ("8", None)] == _named(pieces.joined([replace(said, parts=Parts(text=1.1)), told, other]))
    assert [("8", None), ("#1", 7)] == _named(pieces.joined([replace(other, parts=Parts(text=2.0)), told, said]))


def test_a_message_that_hardly_answers_does_not_tell_the_memory() -> None:
    """Then it is told in its own words."""
    assert [("#1", None)] == _named(pieces.joined([_memory(1, 1.0, 7), _message(7, 0.4)]))


def test_of_several_messages_the_best_tells_the_memory() -> None:
    assert [("#1", 8)] == _named(pieces.joined([_memory(1, 1.0, 7, 8), _message(8, 0.9), _message(7, 0.8)]))


def test_what_no_longer_holds_is_left_out() -> None:
    """But the memory that took its place stands, in its own words where its message told the old ones."""
    found = pieces.joined([_message(7, 1.0), _memory(2, 0.9, 7), _message(8, 0.5)], frozenset({MessageId(7)}))
    assert [("#2", None), ("8", None)] == _named(found)
    assert isinstance(found[0].item, Memory)


def test_a_memory_is_not_told_by_what_an_edit_corrected() -> None:
    """It is one piece with that message still, and told by another it rests on."""
    wrong, right = MessageId(7), MessageId(8)
    corrected = {MemoryId(1): {wrong}}
    assert [("#1", None)] == _named(pieces.joined([_memory(1, 1.0, 7), _message(7, 0.9)], corrected=corrected))
    found = pieces.joined([_memory(1, 1.0, 7, 8), _message(7, 0.9), _message(8, 0.8)], corrected=corrected)
    assert [("#1", right)] == _named(found)


def test_what_was_kept_word_for_word_tells_itself() -> None:
    """And not the request to keep it."""
    found = pieces.joined([_memory(1, 1.0, 7), _message(7, 0.9, "Remember that it rained.")])
    assert [("#1", None)] == _named(found)
