"""Makes histories: a community of known size that has talked for a year, among others of all sizes."""

import random
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Final

from bot.domain import SpaceId, new_id
from tests.benchmarks import community
from tests.benchmarks.community import NOW, Community
from tests.benchmarks.vocabulary import Vocabulary

SPACE: Final = SpaceId(900_001)
"""The community that is asked."""
SESSION: Final = 50
"""Messages of a session: said one after the other, so they also lie side by side in the table."""
HIDDEN: Final = 1
"""Channels of each space that whoever asks does not see."""
PEOPLE: Final = 40
_YEAR: Final = timedelta(days=365)
_PAUSE: Final = timedelta(seconds=20)
SPACES: Final = 200
"""Others around the one that is asked."""
FEW_SPACES: Final = 10
_AT_ONCE: Final = 500
"""Sessions a statement."""
_MADE_OF: Final = """
CREATE UNLOGGED TABLE text (n bigint PRIMARY KEY, author_id bigint, content text, replies boolean);
CREATE UNLOGGED TABLE talk (n bigint PRIMARY KEY, space_id bigint, channel_id bigint, session_id bigint,
                            began_at timestamptz, first_text bigint)
"""
_FILL: Final = """
INSERT INTO message (space_id, message_id, channel_id, session_id, role, author_id, author, content, reply_to, said_at,
                     search)
SELECT talk.space_id, talk.session_id + place * $4::bigint, talk.channel_id, talk.session_id, 'person', text.author_id,
       'person ' || text.author_id, text.content,
       CASE WHEN text.replies AND place > 0 THEN talk.session_id + (place - 1) * $4::bigint END,
       talk.began_at + place * $3::interval,
       message_vector('english', text.content, talk.began_at + place * $3::interval)
FROM talk, generate_series(0, $5::bigint - 1) AS place,
     LATERAL (SELECT * FROM text WHERE text.n = (talk.first_text + place) % $6::bigint) AS text
WHERE talk.n BETWEEN $1 AND $2
ORDER BY talk.n, place
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class History:
    """How many messages there are."""

    rows: int
    """In the space that is asked."""
    outside: int
    """In all the others together."""
    spaces: int
    """The others, each with memories."""


async def load(dsn: str, made: History) -> None:
    """Fill a migrated database: messages as they came in over a year, each session in one go, and some memories.

    The space that is asked is the same whatever is around it. The others fall off in size as one over their rank.
    """
    await community.load(
        dsn, Community(spaces=1, first=SPACE, long=max(60, made.rows // SESSION)), Community(spaces=made.spaces)
    )
    started = time.monotonic()
    async with community.filling(dsn, "message") as connection:
        await connection.execute(_MADE_OF)
        texts, talks = _texts(made.rows), _talks(made)
        await connection.copy_records_to_table("text", records=texts)
        await connection.copy_records_to_table("talk", records=talks)
        step = int(_PAUSE.total_seconds() * 1000) << 22
        for first in range(0, len(talks), _AT_ONCE):
            await connection.execute(_FILL, first, first + _AT_ONCE - 1, _PAUSE, step, SESSION, len(texts))
        await connection.execute("DROP TABLE text, talk")
    print(f"loaded {made.rows + made.outside} messages in {time.monotonic() - started:.0f} s", file=sys.stderr)


def _texts(count: int) -> list[tuple[Any, ...]]:
    """As many as the space that is asked has messages; the other spaces say some of them too."""
    chosen, vocabulary = random.Random(5), Vocabulary()
    sentences = vocabulary.sentences(chosen, [chosen.randint(4, 24) for _ in range(count)])
    return [
        (n, 1 + chosen.randrange(PEOPLE), text[:-1] + "?" * (n % 5 == 0), n % 10 == 0)
        for n, text in enumerate(sentences)
    ]


def _talks(made: History) -> list[tuple[Any, ...]]:
    """Every session, in the order they began."""
    chosen = random.Random(6)
    of_space = [(SPACE, n / (made.rows // SESSION), n * SESSION) for n in range(made.rows // SESSION)]
    spaces = _sizes(made.outside // SESSION, made.spaces)
    elsewhere = [(space, chosen.random(), chosen.randrange(made.rows)) for space, count in spaces for _ in range(count)]
    talks = sorted([*of_space, *elsewhere], key=lambda talk: talk[1])
    began = NOW - _YEAR - timedelta(days=1)
    return [
        (
            n,
            space,
            space * 10 + n % (community.CHANNELS + HIDDEN),
            new_id(began + share * _YEAR),
            began + share * _YEAR,
            first,
        )
        for n, (space, share, first) in enumerate(talks)
    ]


def _sizes(sessions: int, among: int) -> Iterator[tuple[int, int]]:
    """Spaces and their sessions."""
    scale = sessions / sum(1 / rank for rank in range(1, among + 1))
    left: int = sessions
    for space in range(among, 1, -1):
        count = int(scale / space)
        left -= count
        yield space, count
    yield 1, left


def questions(count: int, seed: int) -> Sequence[str]:
    """Four to eight words that say something, of every rarity."""
    chosen, vocabulary = random.Random(seed), Vocabulary()
    return [" ".join(vocabulary.rarities(chosen, chosen.randint(4, 8))) + "?" for _ in range(count)]
