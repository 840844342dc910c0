"""How much of something there is, as a sentence has it, in the language that is spoken."""

from bot import catalogue


def told(amount: str, *, is_least: bool) -> str:
    """An amount, of which there may be more."""
    return catalogue.gettext("at least {amount}").format(amount=amount) if is_least else amount


def number(count: int) -> str:
    """A number with its thousands apart, as its language writes them: `1,234`."""
    return f"{count:,}".replace(",", catalogue.gettext("1,234")[1])


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


def entries(count: int) -> str:
    """Entries of the ledger: `2 entries`."""
    return catalogue.ngettext("{count} entry", "{count} entries", count).format(count=count)


def rooms(count: int) -> str:
    """Rooms of the palace: `2 rooms`."""
    return catalogue.ngettext("{count} room", "{count} rooms", count).format(count=count)


def results(count: int) -> str:
    """What a search found: `2 results`."""
    return catalogue.ngettext("{count} result", "{count} results", count).format(count=count)


def tokens(count: int) -> str:
    """Tokens of a model: `2 tokens`."""
    return catalogue.ngettext("{count} token", "{count} tokens", count).format(count=count)


def texts(count: int) -> str:
    """Texts to be indexed: `2 texts`."""
    return catalogue.ngettext("{count} text", "{count} texts", count).format(count=count)


def things(count: int) -> str:
    """Whatever it is: `2 things`."""
    return catalogue.ngettext("{count} thing", "{count} things", count).format(count=count)


def channels(count: int) -> str:
    """Channels: `2 channels`."""
    return catalogue.ngettext("{count} channel", "{count} channels", count).format(count=count)


def steps(count: int) -> str:
    """Steps of a workflow: `2 steps`."""
    return catalogue.ngettext("{count} step", "{count} steps", count).format(count=count)


def days(count: int) -> str:
    """Days: `2 days`."""
    return catalogue.ngettext("{count} day", "{count} days", count).format(count=count)


def hours(count: int) -> str:
    """Hours: `2 hours`."""
    return catalogue.ngettext("{count} hour", "{count} hours", count).format(count=count)


def minutes(count: int) -> str:
    """Minutes: `2 minutes`."""
    return catalogue.ngettext("{count} minute", "{count} minutes", count).format(count=count)


def seconds(count: int) -> str:
    """Seconds: `2 seconds`."""
    return catalogue.ngettext("{count} second", "{count} seconds", count).format(count=count)
