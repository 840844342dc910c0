"""Every function that reads what people, files and models write, by its name, ready to be called with a text.

Whatever takes a text is here or in `tests/text_excused.py`; `tests/test_text_readers.py` walks the code and holds that.
"""

import importlib
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from types import MappingProxyType
from typing import Any, Final

from bot import arguments, errors, log, nearby, plain_text, prompts, quoting, terminal, tools
from bot import grounding as answers
from bot.commands import grammar, render
from bot.config import ForgeSettings
from bot.domain import (
    Caller,
    ChannelId,
    Entry,
    Listing,
    Memory,
    MemoryId,
    Message,
    MessageId,
    PersonId,
    Role,
    Saved,
    SentFile,
    Source,
    SpaceId,
    Surroundings,
    Tier,
)  # fmt: skip
from bot.llm import tokens
from bot.llm.chat import ChatMessage
from bot.memory import (
    almanac,
    approval,
    asking,
    clauses,
    contradiction,
    drawn,
    extraction,
    file_texts,
    likeness,
    named_times,
    passages,
    pieces,
    plain_words,
    summaries,
    tagging,
    time_grammar,
    times,
    wording,
)  # fmt: skip
from bot.memory.asking import Term
from bot.retrieval import (
    chain,
    detector,
    grounding,
    message_links,
    names,
    playbooks,
    recollected,
    shelf,
)  # fmt: skip
from bot.retrieval.checks import citations, dates, numbers, recollection
from bot.retrieval.forge import addresses, places, references, relevance, telling, things
from bot.retrieval.layers import Evidence, Layer
from cogs import embeds, graphemes, hearing, options, readable, splitting

NOW: Final = datetime(2026, 3, 2, 12, tzinfo=UTC)
_PEOPLE: Final = ("Ann", "Ruth Nakamura", "Ezra", "Mr. Will", *(f"Person{n} Family{n}" for n in range(60)))
_COMMUNITY: Final = ("general", "nexus", "memory", "two-words")
_QUESTION: Final = "What did Ann say in May about the three gates of issue #12?"
_NAMES: Final = names.Names(_PEOPLE)
_PLACES: Final = places.places(
    ForgeSettings.model_validate({"repositories": {"nexus": {"path": "acme/nexus"}, "vault": {"path": "acme/vault"}}})
)
_PLACE: Final = _PLACES.by_name["nexus"]
_WORDS: Final = relevance.telling("the broken gate of TypeError in ttl_seconds")
_DIRECTORY: Final = readable.Directory(
    people=dict(enumerate(_PEOPLE, 1)), roles={2: "Admins"}, channels={3: "general", 4: "two-words"},
    emoji={5: ("wave", False)}, commands={"recall": 6, "memory list": 7},
)  # fmt: skip
_CALLER: Final = Caller(
    space_id=SpaceId(5), channel_id=ChannelId(7), person_id=PersonId(9), name="Ann", is_admin=True,
    visible=(ChannelId(7),),
)  # fmt: skip


def message(text: str, **more: Any) -> Message:
    """A message that says the text."""
    said = Message(
        space_id=SpaceId(5), channel_id=ChannelId(7), message_id=MessageId(11), role=Role.PERSON, author_id=PersonId(9),
        author="Ann", content=text, said_at=NOW,
    )  # fmt: skip
    return replace(said, **more)


def memory(text: str) -> Memory:
    """A memory that holds the text, filed under it."""
    return Memory(
        space_id=SpaceId(5), memory_id=MemoryId(42), channel_id=ChannelId(7), tier=Tier.SHORT, room="general",
        topic=text[:64], content=text, importance=5, source=Source.USER, tags=("auto",), author_id=PersonId(9),
        author="Ann", evidence=(MessageId(11),), seen_count=1, pinned=False, created_at=NOW, said_at=NOW,
    )  # fmt: skip


def evidence(text: str) -> list[Evidence]:
    """A memory, a message and a file that hold a third of the text each."""
    third = -(-len(text) // 3)
    one, other, last = (text[at : at + third] for at in (0, third, 2 * third))
    return [
        Evidence(label="#42", layer=Layer.PALACE, content=one, author="Ann", said_at=NOW),
        Evidence(label="M1", layer=Layer.ARTIFACTS, content=other, author="Ezra", said_at=NOW),
        Evidence(label="A1", layer=Layer.ARTIFACTS, content=last, title="notes.md", url="https://a.b/c"),
    ]


def _grounded(answer: str, shown: list[Evidence], question: str) -> object:
    return grounding.check(
        answer, shown, question, asked_at=NOW, zone="Europe/Berlin", people=_PEOPLE, asker="Ann"
    )  # fmt: skip


def _thirds(text: str) -> tuple[str, list[Evidence], str]:
    """A text as an answer that cites, as what was shown and as the question, a third each."""
    third = len(text) // 3
    return f"{text[:third]} (#42).", evidence(text[third : 2 * third]), text[2 * third :]


def _bare(text: str) -> dict[str, str]:
    return {token: token.lower() for token in asking.TOKEN.findall(text)}


def _forms(text: str) -> dict[str, list[str]]:
    """What the index of a database tells of the words of a text."""
    return {word: [word] for word in text.lower().split()}


def refused(read: Callable[[str], object], text: str) -> object:
    """What the reader makes of the text; of one it refuses, the refusal."""
    try:
        return read(text)
    except (errors.HathiError, ValueError, RecursionError) as exc:
        return exc


def _named(name: str) -> Callable[..., Any]:
    """The function of a module, or the method of a class in one, of that name."""
    module, _, last = name.rpartition(".")
    try:
        return getattr(importlib.import_module(module), last)
    except ModuleNotFoundError:
        return getattr(_named(module), last)


def _item(text: str) -> things.Item:
    return things.Item(
        kind=things.ItemKind.ISSUE, number=1, title=text, state="open", author="Ann", created_at=NOW, ended_at=None,
        body=text, labels=(text,), url="https://a.b/1",
        comments=(things.Comment(author="Ann", said_at=NOW, body=text),),
    )  # fmt: skip


def _run(text: str) -> things.Run:
    return things.Run(
        run_id=1, number=1, title=text, outcome="failure", author="Ann", started_at=NOW, branch="main", sha="a" * 40,
        url=None, jobs=(), logged="test", log=text,
    )  # fmt: skip


def _listing(text: str) -> Listing:
    return Listing(title=text, entries=(Entry(head=text, body=text),) * 10, again=f"recall {text[:200]}", notes=(text,))


def _commit(text: str) -> things.Commit:
    return things.Commit(sha="a" * 40, message=text, author="Ann", committed_at=NOW, files=(text,), url=None)


def _playbook(text: str) -> shelf.Playbook:
    return shelf.Playbook(name="a.md", title="Deploying", triggers=("deploy it",), tags=("gate",), body=text)


def _spots(text: str) -> list[passages.Spot]:
    return passages.spots(text, _TERMS, _forms(text))


_ALONE: Final = """
bot.commands.reasons.reference
bot.commands.render.quoted
bot.llm.tokens.estimate
bot.memory.approval.is_approval
bot.memory.claims.claim
bot.memory.closing.is_closure
bot.memory.colloquial.plain
bot.memory.doubts.doubt
bot.memory.doubts.taints
bot.memory.doubts.takes_back
bot.memory.file_texts.called
bot.memory.file_texts.names_in
bot.memory.file_texts.names_one
bot.memory.file_texts.points_at_one
bot.memory.file_texts.tidied
bot.memory.file_texts.words
bot.memory.likeness.folded
bot.memory.likeness.is_letter
bot.memory.likeness.prefix
bot.memory.clauses.read
bot.memory.listed.read
bot.memory.plain_words.asked_to_remember
bot.memory.plain_words.asks_about_self
bot.memory.plain_words.asks_something
bot.memory.plain_words.asks_where_left_off
bot.memory.plain_words.search_words
bot.memory.plain_words.things_to_remember
bot.memory.ranking.asks
bot.memory.requests.agrees
bot.memory.requests.asked_for_word
bot.memory.requests.asked_to_forget
bot.memory.plain_words.asks_to_be_reminded
bot.memory.requests.asks_to_undo
bot.memory.requests.is_request
bot.memory.requests.read
bot.memory.sentences.split
bot.memory.strategies.phrases
bot.memory.strategies.tokens
bot.memory.tagging.folded
bot.memory.tagging.words
bot.memory.tagging.workflows
bot.memory.telling.asks
bot.memory.telling.asks_what_was_asked
bot.memory.telling.stated
bot.memory.telling.states
bot.memory.wanting.tells_figure
bot.memory.wanting.tells_little
bot.memory.wanting.wants_figure
bot.memory.wanting.wants_latest
bot.memory.time_grammar.text_of
bot.memory.triviality.is_small_talk
bot.memory.triviality.is_trivial
bot.memory.wording.cleaned
bot.memory.wording.content_hash
bot.memory.wording.is_tool_output
bot.memory.wording.one_line
bot.memory.wording.sayable
bot.memory.wording.shown
bot.memory.wording.topic_of
bot.memory.wording.without_attachments
bot.plain_text.name
bot.plain_text.one_line
bot.plain_text.plain
bot.plain_text.quotations
bot.plain_text.shown
bot.plain_text.unmasked
bot.retrieval.checks.case.links
bot.retrieval.checks.case.orders
bot.retrieval.checks.case.sentences_of
bot.retrieval.checks.case.without_links
bot.retrieval.checks.citations.cited_labels
bot.retrieval.checks.citations.without
bot.retrieval.checks.numbers.periods
bot.retrieval.checks.numbers.spelt_out
bot.retrieval.checks.quotes.unquoted
bot.retrieval.checks.texts.bare
bot.retrieval.checks.texts.claims
bot.retrieval.checks.texts.clause
bot.retrieval.checks.texts.clauses
bot.retrieval.checks.texts.content
bot.retrieval.checks.texts.folded
bot.retrieval.checks.texts.language
bot.retrieval.checks.texts.plain
bot.retrieval.checks.texts.stem
bot.retrieval.checks.texts.stems
bot.retrieval.checks.texts.words
bot.retrieval.forge.relevance.telling
bot.retrieval.front_matter.parse
bot.retrieval.grounding.cited_labels
bot.retrieval.identity.fitted
bot.retrieval.names.bare
bot.memory.plain_sentences.read
bot.retrieval.playbooks.stem
bot.retrieval.playbooks.words_of
bot.retrieval.this_session.asked_of
bot.retrieval.worldly.is_of_here
bot.retrieval.worldly.may_be
cogs.embeds.size
cogs.markdown.closed
cogs.markdown.code
cogs.splitting.split
"""
"""Those that a text is enough for."""

_ROWS: Final[list[Any]] = [
    {"person_id": n, "name": name.lower(), "first": name.split()[0].lower()} for n, name in enumerate(_PEOPLE)
]
_REGISTRY: Final = tagging.Registry()
_TERMS: Final = (Term(word="gate", token="gates"), Term(word="a", token="a"), Term(word="語", token="語"))
_ANSWER: Final = "Ann said on 5 May that the three gates stay open until 3 pm (#42). Ezra doesn't agree (M1)."
_RETOLD: Final = "Ann said that the gate opens at 3 pm."

_BESIDES: Final[Mapping[str, Callable[[str], object]]] = {
    "bot.arguments.Choice.parse": lambda text: arguments.Choice(options=("a", "b"), help="").parse("mode", text),
    "bot.arguments.Number.parse": lambda text: arguments.Number(low=1, high=9, default=1, help="").parse("page", text),
    "bot.arguments.Phrase.parse": lambda text: arguments.Phrase(help="").parse("reason", text),
    "bot.arguments.Text.parse": lambda text: arguments.Text().parse("text", text),
    "bot.arguments.Word.parse": lambda text: arguments.Word(help="").parse("topic", text),
    "bot.arguments.Words.parse": lambda text: arguments.Words(help="").parse("tags", text),
    **{
        f"bot.arguments.parse of {name}": lambda text, known=known: arguments.parse(text, known)
        for name, known in grammar.GRAMMARS.items()
    },
    "bot.arguments.read": lambda text: arguments.read(arguments.Word(help=""), "topic", text),
    "bot.arguments.reread": lambda text: arguments.reread(
        arguments.Arguments(text=text, lead=None, named={}, bare=frozenset()), grammar.GRAMMARS["recall"], str.strip
    ),
    "bot.commands.grammar.prefixed": lambda text: grammar.prefixed(text, "?"),
    "bot.commands.render.led": lambda text: render.led(_CALLER, text, Entry(head=text, body=text)),
    "bot.commands.render.memory_entry": lambda text: render.memory_entry(memory(text), {}, {}, NOW),
    "bot.commands.render.memory_lines": lambda text: render.memory_lines(memory(text), {}, NOW),
    "bot.commands.render.message_entry": lambda text: render.message_entry(message(text), {}, "UTC"),
    "bot.commands.render.message_lines": lambda text: render.message_lines(message(text), "UTC"),
    "bot.commands.render.saved_line": lambda text: render.saved_line(Saved(memory=memory(text), was_known=False)),
    "bot.grounding.own_words": lambda text: (answers.own_words(text), answers.own_words(text, is_whole=False)),
    "bot.grounding.says_none": answers.says_none,
    "bot.grounding.without_invented": lambda text: answers.without_invented(text, {1}),
    "bot.llm.tokens.estimate_messages": lambda text: tokens.estimate_messages([ChatMessage(role="user", content=text)]),
    "bot.log.redact": lambda text: log.redact(None, "info", {"event": text, "said": {"by": [text]}}),
    "bot.memory.approval.is_trivial": lambda text: approval.is_trivial(message(text)),
    "bot.memory.asking._named": lambda text: asking._named(
        text,
        [*dict.fromkeys(asking.TOKEN.findall(text))],
        _bare(text),
        {},
        _ROWS,
    ),
    "bot.memory.asking._names": lambda text: asking._names(asking.TOKEN.findall(text)[: asking.TOKENS]),
    "bot.memory.asking._spoken": lambda text: asking._spoken(text, ["Ruth Nakamura", "Ezra", "a", "Will"], "english"),
    "bot.memory.contradiction.between": lambda text: contradiction.between(text, f"{text} 7", same_topic=True),
    "bot.memory.contradiction.is_same": lambda text: contradiction.is_same(text, f"{text} 7"),
    "bot.memory.drawn.brings_up": lambda text: drawn.brings_up(text, [text], [text]),
    "bot.memory.extraction.extract": lambda text: extraction.extract([message(text)]),
    "bot.memory.file_texts.is_named": lambda text: file_texts.is_named(text[:200], text),
    "bot.memory.file_texts.kind": lambda text: file_texts.kind(text, text),
    "bot.memory.likeness.likeness": lambda text: likeness.likeness(text, text),
    "bot.memory.named_times.named": lambda text: [
        [*named_times.named(each, time_grammar.text_of(text), almanac.almanac(NOW, "UTC"))]
        for each in time_grammar.grammars()
    ],
    "bot.memory.clauses.are": lambda text: clauses.are(clauses.read(text).words, clauses.FOLLOWING),
    "bot.memory.clauses.closing": lambda text: clauses.closing(clauses.read(text).words),
    "bot.memory.clauses.following": lambda text: clauses.following(clauses.read(text).words, 0),
    "bot.memory.clauses.later": lambda text: [*clauses.later(clauses.read(text).words)],
    "bot.memory.clauses.opening": lambda text: clauses.opening(clauses.read(text).words),
    "bot.memory.clauses.tail": lambda text: clauses.tail(clauses.read(text).words, clauses.FOLLOWING),
    "bot.memory.passages.alike": lambda text: passages.alike([text], _TERMS),
    "bot.memory.passages.around": lambda text: passages.around(text, len(text) // 2, len(text) // 2 + 1),
    "bot.memory.passages.best": lambda text: passages.best(text, _spots(text), {"a": 1.0, "gate": 2.0}),
    "bot.memory.passages.spots": _spots,
    "bot.memory.pieces.is_made_of": lambda text: pieces.is_made_of(text, [("thanks", "a lot")], "Hathi"),
    "bot.memory.pieces.is_asked_with": lambda text: pieces.is_asked_with(text, [("thanks", "a lot")], "Hathi"),
    "bot.memory.pieces.unmarked": pieces.unmarked,
    "bot.memory.plain_words.kept": lambda text: plain_words.kept(clauses.read(text)),
    "bot.memory.plain_words.asks_of_picture": lambda text: plain_words.asks_of_picture(text, has_one=True),
    "bot.memory.summaries.split": lambda text: summaries.split([(1, message(text))], 200),
    "bot.memory.summaries._parse": summaries._parse,
    "bot.memory.tagging.Registry.domains": _REGISTRY.domains,
    "bot.memory.tagging.Registry.inferred": lambda text: _REGISTRY.inferred(text, workflow="note"),
    "bot.memory.tagging.Registry.reworded": lambda text: _REGISTRY.reworded(["auto", "a"], "Ann said so.", text),
    "bot.memory.tagging.own": lambda text: tagging.own([text]),
    "bot.memory.times.read": lambda text: times.read(text, as_of=NOW, zone="Europe/Berlin"),
    "bot.memory.wording.topic_after": lambda text: wording.topic_after(text[:64], text, text),
    "bot.memory.wording.has_words": wording.has_words,
    "bot.memory.wording.content_mac": lambda text: wording.content_mac(b"key", text),
    "bot.memory.wording.label": lambda text: wording.label(text, "general"),
    "bot.nearby.unread": lambda text: nearby.unread([SentFile(name=text, message=message(text), unread="why")]),
    "bot.nearby.block": lambda text: nearby.block(
        Surroundings(
            replied_to=(message(text),),
            around=(message(text), message(text)),
            files=(SentFile(name=text[:60], message=message(text), text=text),),
        ),
        (),
        nearby.Room(around=600, files=1500, whole=3000),
        "UTC",
    ),
    "bot.plain_text.said": lambda text: plain_text.said(text, text),
    "bot.plain_text.set_in": lambda text: plain_text.set_in(text, "  "),
    "bot.prompts.active_block": lambda text: prompts.active_block(
        [prompts.Line(number=MemoryId(1), content=text, importance=5, author=text, said_at=NOW)],
        max_tokens=400,
        now=NOW,
    ),
    "bot.prompts.compose": lambda text: prompts.compose(
        identity="I am Hathi.",
        active=text,
        found=text,
        history=[message(text)],
        question=message(text),
        max_tokens=1000,
    ),
    "bot.prompts.shortened": lambda text: prompts.shortened(text, 50),
    "bot.prompts.cut_to": lambda text: prompts.cut_to(text, 300),
    "bot.prompts.transcript": lambda text: prompts.transcript([(1, message(text, author=text))]),
    "bot.quoting.found_block": lambda text: quoting.found_block(evidence(text), "UTC"),
    "bot.quoting.verbatim": lambda text: quoting.verbatim(evidence(text), "UTC"),
    "bot.retrieval.chain.numbered": lambda text: chain.numbered(evidence(text)),
    "bot.retrieval.chain.shown": lambda text: chain.shown(evidence(text), 1500),
    "bot.retrieval.checks.citations.tidied": lambda text: citations.tidied(text, {"#42", "M1"}),
    "bot.retrieval.checks.dates.read": lambda text: dates.read(text, NOW.date()),
    "bot.retrieval.checks.numbers.quantities": lambda text: numbers.quantities(text, ("english", "german")),
    "bot.retrieval.checks.numbers.has_any": lambda text: numbers.has_any(text, ("english", "german")),
    "bot.retrieval.checks.numbers.reckoned": lambda text: numbers.reckoned(
        text, [numbers.quantities(text, ("english",))] * 2, is_halved=True
    ),
    "bot.retrieval.checks.recollection.faults": lambda text: [
        *recollection.faults(text, _QUESTION, people=_PEOPLE, community=_COMMUNITY)
    ],
    "bot.retrieval.detector.detect": lambda text: detector.detect(text, _NAMES),
    "bot.retrieval.forge.addresses.read": lambda text: addresses.read(text, _PLACES),
    "bot.retrieval.forge.places.Places.named": _PLACES.named,
    "bot.retrieval.forge.references.read": lambda text: references.read(text, _PLACES),
    "bot.retrieval.forge.relevance.passage": lambda text: relevance.passage(text, _WORDS, 1500),
    "bot.retrieval.forge.relevance.score": lambda text: relevance.score(_WORDS, _item(text)),
    "bot.retrieval.forge.relevance.whole_lines": lambda text: relevance.whole_lines(text.splitlines(), 1500),
    "bot.retrieval.forge.telling.of_commit": lambda text: telling.of_commit(_PLACE, _commit(text)),
    "bot.retrieval.forge.telling.of_file": lambda text: telling.of_file(
        _PLACE, things.File(path="a.py", content=text, url=None), None, _WORDS
    ),
    "bot.retrieval.forge.telling.of_item": lambda text: telling.of_item(_PLACE, _item(text)),
    "bot.retrieval.forge.telling.of_run": lambda text: telling.of_run(_PLACE, _run(text)),
    "bot.retrieval.grounding.check": lambda text: _grounded(text, evidence(_RETOLD), _QUESTION),
    "bot.retrieval.grounding.check of the same": lambda text: _grounded(*_thirds(text)),
    "bot.retrieval.grounding.check of what was shown": lambda text: _grounded(_ANSWER, evidence(text), _QUESTION),
    "bot.retrieval.grounding.check of the question": lambda text: _grounded(_ANSWER, evidence(_RETOLD), text),
    "bot.retrieval.grounding.tidied": lambda text: grounding.tidied(text, evidence(text)),
    "bot.retrieval.grounding.unfounded": lambda text: grounding.unfounded(
        text, _QUESTION, people=_PEOPLE, community=_COMMUNITY
    ),
    "bot.retrieval.grounding.unfounded of the question": lambda text: grounding.unfounded(
        _ANSWER, text, people=_PEOPLE, community=_COMMUNITY
    ),
    "bot.retrieval.message_links.named": lambda text: message_links.named(text, SpaceId(5)),
    "bot.retrieval.names.Names": lambda text: names.Names([text]),
    "bot.retrieval.playbooks.score_of": lambda text: playbooks.score_of(_playbook(text), playbooks.words_of(text)),
    "bot.retrieval.playbooks.section": lambda text: playbooks.section(_playbook(text), playbooks.words_of(_QUESTION)),
    "bot.retrieval.recollected._names_something": recollected._names_something,
    "bot.retrieval.shelf.parsed": lambda text: shelf.parsed(
        "a.md", f"---\ntitle: {text[:60]!r}\nwhen: [{text}\n---\n{text}"
    ),
    "bot.terminal._command": terminal._command,
    "bot.tools._canonical": tools._canonical,
    "cogs.embeds.cut": lambda text: embeds.cut(text, 1000),
    "cogs.embeds.drawn": lambda text: embeds.drawn(_listing(text), 5),
    "cogs.embeds.can_be_asked_again": lambda text: embeds.can_be_asked_again(_listing(text)),
    "cogs.graphemes.floor": lambda text: graphemes.floor(text, 0, len(text) // 2),
    "cogs.hearing.without_mention": lambda text: hearing.without_mention(text, 5),
    "cogs.hearing._command_after_mention": lambda text: hearing._command_after_mention(f"age {text}"),
    "cogs.options.described": options.described,
    "cogs.readable.discordly": lambda text: readable.discordly(text, _DIRECTORY),
    "cogs.readable.readable": lambda text: readable.readable(text, _DIRECTORY),
    "cogs.splitting.split": lambda text: splitting.split(text, 500),
}
"""Those that take something besides."""


_BY_NAME: Final[Mapping[str, Callable[[str], object]]] = {name: _named(name) for name in _ALONE.split()}
READERS: Final[Mapping[str, Callable[[str], object]]] = MappingProxyType({**_BY_NAME, **_BESIDES})
"""Each by its module, its name and, where one reads texts in several places, in which; called with a text."""
