"""Tells whether a text that a model wrote holds only what given lines say, and whose words it holds.

What is saved in somebody's name is held against the lines it is made of as an answer is against what it cites: its
names, numbers, days and denials; and most of its telling words stand there, or all of them, in some form or as a word
that means the same (`bot/recall/synonyms.py`). It compares words, not meaning: a text in quite other words than the
lines is not told from one about something else. So most are enough only of what somebody told of themselves, and a word
that binds whoever says it ("approves", "owes") is never put into their mouth.
"""

from collections.abc import Collection, Sequence
from typing import Final, NamedTuple

from bot.dates import written_dates
from bot.domain import Layer, Message, PersonId
from bot.grounding import check, texts, vocabulary
from bot.grounding.ground import Ground
from bot.language.statements import assertions
from bot.layers.walk import Evidence
from bot.recall import synonyms
from bot.text import patterns, sentences

MOST: Final = 0.5
"""The share of a fact's telling words that stand in the lines it was distilled from."""
OWN: Final = 0.6
"""The share of them that stands in what somebody told of themselves, where the fact is told of them too."""
SPEAKERS: Final = patterns.vocabulary("user users asker speaker person people member members author someone somebody")
"""What models call whoever said something."""
_SELF: Final = patterns.compiled(
    r"\b(?:i|i'm|i've|i'd|i'll|my|mine|we|we're|we've|our|ours|ich|mein\w{0,2}|wir|unser\w{0,2}|je|j'\w+|mon|ma|mes|nous|notre"
    r"|nos|yo|mi|mis|nosotros|nuestr[oa]s?)\b"
)
"""How whoever speaks says that it is of them."""
_TALK: Final = vocabulary.SPEECH | patterns.vocabulary(
    """
    talk talks talked talking discuss discusses discussed plan plans planned joke jokes joked chat chats chatted agree
    agrees agreed decide decides decided want wants wanted also lot
    """
)
"""Words by which a summary tells that somebody spoke of something."""
_BINDING: Final = frozenset(
    map(
        texts.stem,
        patterns.vocabulary(
            """
            accept admit agree allow approve authorize authorise confess confirm consent decide demand forbid grant
            guarantee order owe own pay permit pledge promise sign swear transfer trust vote waive want
            akzeptieren billigen erlauben genehmigen schulden unterschreiben verbieten versprechen zahlen zustimmen
            accepter approuver autoriser devoir interdire payer permettre promettre signer
            aceptar aprobar autorizar deber firmar pagar permitir prohibir prometer
            """
        ),
    )
)
"""Words by which somebody is bound: only their own say so."""


class _Line(NamedTuple):
    """What somebody said, and its words once for all sentences that are held against it."""

    text: str
    by: frozenset[str]
    words: frozenset[str]


def stands(text: str, lines: Sequence[Message], *, zone: str, share: float | None = None) -> bool:
    """Whether a text holds only what the lines say, in at least that share of its telling words their words.

    Without a share it is all of them, and of what somebody told of themselves most, if none of the rest binds them.
    Days are those of the IANA zone `zone`: "tomorrow" said on the 3rd is the 4th. Who spoke may be named.
    """
    if not lines:
        return False
    shown = [
        Evidence(label=f"M{n}", layer=Layer.ARTIFACTS, content=line.content, author=line.speaker, said_at=line.said_at)
        for n, line in enumerate(lines, 1)
    ]
    as_of, people = max(line.said_at for line in lines), [line.speaker for line in lines]
    ground = Ground("", shown, asked_at=as_of, zone=zone, people=people)
    # It may rest on one of them, or on all: what cites more than it rests on is not sound.
    labels = [*(f"({one.label})" for one in shown), *(["".join(f"({one.label})" for one in shown)] * (len(shown) > 1))]
    cited = (f"{text.strip().rstrip('.')} {label}." for label in labels)
    if not any(check.check(one, ground).sound for one in cited):
        return False
    said = texts.folded(" ".join([*(line.content for line in lines), *people]))
    words, stems = {*texts.words(said)}, {*texts.stems(said)}
    begins, names = texts.beginnings(stems), {*texts.words(texts.folded(" ".join(people)))}
    language = texts.language(text)
    rest = texts.folded(written_dates.read(texts.bare(text), as_of.date()).rest)
    apart = SPEAKERS | names if share is None else SPEAKERS
    wanted = [word for word in texts.content(rest) if word.isalpha() and word not in apart]

    missing = [word for word in wanted if not _is_held(word, words, stems, begins, language)]
    if share is None:
        is_own = _is_of_themselves(text, lines, names) and _BINDING.isdisjoint(map(texts.stem, missing))
        share = OWN if is_own else 1.0
    return len(wanted) - len(missing) >= share * len(wanted)


def _is_held(word: str, words: Collection[str], stems: set[str], begins: frozenset[str], language: str) -> bool:
    """Whether a word stands among those that were said, in some form or as one that means the same."""
    return any(
        one in words or texts.is_akin(texts.stem(one), stems, begins) for one in (word, *synonyms.of(word, language))
    )


def without_inventions(text: str, lines: Sequence[Message]) -> str:
    """A text without the sentences by which somebody who spoke did or is what neither they nor a line on them says.

    That is held by half of a sentence's telling words; what names nobody of them stays.
    """
    spoken = [_Line(one.content, _words(one.speaker), _words(one.content)) for one in lines]
    kept = (
        "".join(part for part in sentences.pieces(line) if not _invents(part, spoken))
        for line in text.splitlines(keepends=True)
    )
    return "".join(kept).strip()


def _words(text: str) -> frozenset[str]:
    return frozenset(texts.words(texts.folded(text)))


def _invents(sentence: str, spoken: Sequence[_Line]) -> bool:
    said = _words(sentence)
    named = frozenset[str]().union(*(one.by & said for one in spoken)) - vocabulary.COMMON
    there = "\n".join(one.text for one in spoken if not named.isdisjoint(one.by | one.words))
    language = texts.language(sentence)
    if not named or texts.language(there or sentence) != language:
        # What is told in another language has no word of it.
        return False
    words, stems = _words(there), {*texts.stems(texts.folded(there))}
    begins = texts.beginnings(stems)
    apart = named | SPEAKERS | _TALK
    wanted = [word for word in texts.content(texts.folded(sentence)) if word.isalpha() and word not in apart]
    held = [word for word in wanted if _is_held(word, words, stems, begins, language)]
    return len(held) < MOST * len(wanted)


def _is_of_themselves(text: str, lines: Sequence[Message], names: Collection[str]) -> bool:
    """Whether the lines tell of whoever says them, and a text begins with whom that is."""
    begun = texts.words(texts.folded(text))[:2]
    begins_so = any(word in names or word in SPEAKERS for word in begun)
    return begins_so and all(
        assertions.states(line.content) and _SELF.search(texts.folded(line.content)) for line in lines
    )


def speaker(text: str, lines: Sequence[Message], *, zone: str, share: float = 1.0) -> Message | None:
    """The line of whoever said a text's words: of the first of them whose own lines hold it; none where nobody's do."""
    by_author: dict[PersonId | None, list[Message]] = {}
    for line in lines:
        by_author.setdefault(line.author_id, []).append(line)
    return next((own[0] for own in by_author.values() if stands(text, own, zone=zone, share=share)), None)
