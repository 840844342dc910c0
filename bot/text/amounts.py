"""How much of something there is, as a sentence has it, in the language that is spoken."""

from bot import catalogue


def told(amount: str, *, is_least: bool) -> str:
    """An amount, of which there may be more."""
    return catalogue.gettext("at least {amount}").format(amount=amount) if is_least else amount


def messages(count: int) -> str:
    """Messages: `2 messages`."""
    return catalogue.ngettext("{count} message", "{count} messages", count).format(count=count)


def memories(count: int) -> str:
    """Memories: `2 memories`."""
    return catalogue.ngettext("{count} memory", "{count} memories", count).format(count=count)


def memories_by_others(count: int) -> str:
    """What others said about whoever asks: `2 memories about you by others`."""
    return catalogue.ngettext(
        "{count} memory about you by others", "{count} memories about you by others", count
    ).format(count=count)


def replies(count: int) -> str:
    """What Hathi answered: `2 replies of mine`."""
    return catalogue.ngettext("{count} reply of mine", "{count} replies of mine", count).format(count=count)


def chat_summaries(count: int) -> str:
    """Chat summaries: `2 chat summaries`."""
    return catalogue.ngettext("{count} chat summary", "{count} chat summaries", count).format(count=count)


def notes(count: int) -> str:
    """Notes: `2 notes`."""
    return catalogue.ngettext("{count} note", "{count} notes", count).format(count=count)


def files(count: int) -> str:
    """Files: `2 files`."""
    return catalogue.ngettext("{count} file", "{count} files", count).format(count=count)


def records(count: int) -> str:
    """Notes of how answers came about: `2 records of answers`."""
    return catalogue.ngettext("{count} record of an answer", "{count} records of answers", count).format(count=count)


def names(count: int) -> str:
    """Names: `2 names`."""
    return catalogue.ngettext("{count} name", "{count} names", count).format(count=count)
