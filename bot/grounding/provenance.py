"""Tells whether a text that a model wrote holds only what given lines say, and whose words it holds.

What is saved in somebody's name is held against the lines it is made of as an answer is against what it cites: its
names, numbers, days and denials; and most of its telling words stand there, or all of them. It compares letters, not
meaning: a text in other words than the lines is not told from one about something else.
"""

from collections.abc import Sequence
from typing import Final

from bot.dates import written_dates
from bot.domain import Layer, Message, PersonId
from bot.grounding import check, texts
from bot.layers.walk import Evidence
from bot.text.patterns import vocabulary

MOST: Final = 0.5
"""The share of a fact's telling words that stand in the lines it was distilled from."""
SPEAKERS: Final = vocabulary("user users asker speaker person people member members author someone somebody")
"""What models call whoever said something."""


def stands(text: str, lines: Sequence[Message], *, zone: str, share: float = 1.0) -> bool:
    """Whether a text holds only what the lines say, in at least that share of its telling words their words.

    Days are those of the IANA zone `zone`: "tomorrow" said on the 3rd is the 4th. Who spoke may be named.
    """
    if not lines:
        return False
    shown = [
        Evidence(label=f"M{n}", layer=Layer.ARTIFACTS, content=line.content, author=line.speaker, said_at=line.said_at)
        for n, line in enumerate(lines, 1)
    ]
    as_of, people = max(line.said_at for line in lines), [line.speaker for line in lines]
    # It may rest on one of them, or on all: what cites more than it rests on is not sound.
    labels = [*(f"({one.label})" for one in shown), *(["".join(f"({one.label})" for one in shown)] * (len(shown) > 1))]
    cited = (f"{text.strip().rstrip('.')} {label}." for label in labels)
    if not any(check.check(one, shown, "", asked_at=as_of, zone=zone, people=people).sound for one in cited):
        return False
    said = texts.folded(" ".join([*(line.content for line in lines), *people]))
    words, stems = {*texts.words(said)}, {*texts.stems(said)}
    begins = texts.beginnings(stems)
    rest = texts.folded(written_dates.read(texts.bare(text), as_of.date()).rest)
    wanted = [word for word in texts.content(rest) if word.isalpha() and word not in SPEAKERS]
    held = [word for word in wanted if word in words or texts.is_akin(texts.stem(word), stems, begins)]
    return len(held) >= share * len(wanted)


def speaker(text: str, lines: Sequence[Message], *, zone: str, share: float = 1.0) -> Message | None:
    """The line of whoever said a text's words: of the first of them whose own lines hold it; none where nobody's do."""
    by_author: dict[PersonId | None, list[Message]] = {}
    for line in lines:
        by_author.setdefault(line.author_id, []).append(line)
    return next((own[0] for own in by_author.values() if stands(text, own, zone=zone, share=share)), None)
