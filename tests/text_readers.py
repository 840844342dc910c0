"""Every function that reads what people, files and models write, by its name, ready to be called with a text.

Whatever takes a text is here or in `tests/text_excused.py`; `tests/test_text_readers.py` walks the code and holds that.
"""

import importlib
import io
import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

from bot import arguments, errors, log
from bot.cli import memory_evaluation, terminal, terminal_layout
from bot.commands import forgetting, grammar, run_requests, said_too
from bot.commands.reply_workflows import ReplyWorkflows
from bot.config import BudgetSettings, ForgeSettings, Roles
from bot.connection import discord_time
from bot.dates import calendar, expressions, time_grammar, times, written_dates
from bot.domain import (
    Caller,
    ChannelId,
    Entry,
    Forgettable,
    Layer,
    LedgerEntry,
    Listing,
    Memory,
    MemoryId,
    Message,
    MessageId,
    ModelRole,
    PersonId,
    PlaceSetting,
    Role,
    Saved,
    SentFile,
    Source,
    SpaceId,
    Surroundings,
    Tier,
)
from bot.facts import comparison, fact_reading, fact_values, outdated, putting_right
from bot.grounding import (
    call_arguments,
    check,
    citations,
    community_claims,
    deeds,
    drafts,
    names,
    numbers,
    proofs,
    provenance,
    recollection,
    standing,
    unproven,
)
from bot.grounding import model_words as answers
from bot.grounding.ground import Ground
from bot.language.past import detector, space_names
from bot.language.past.abroad import hearing
from bot.language.questions import answer_kinds, answered, named_owners, owners
from bot.language.questions.answer_kind_words import AnswerKind
from bot.language.requests import (
    act_words,
    approval,
    clauses,
    closing,
    corrections,
    denials,
    kept_texts,
    missed_questions,
    number_questions,
    phrases,
    plain_words,
    rule_questions,
    scrapped_rules,
    side_choices,
    whose,
)
from bot.language.requests.order_words import french_orders
from bot.language.statements import extraction, happenings, left_off, news, revoking, subjects, topics, worth
from bot.language.tags import tagging
from bot.layers import chain, memory_layers, playbook_files, playbooks
from bot.layers.forge import addresses, excerpts, references, relevance, repositories, things
from bot.layers.walk import Evidence
from bot.lifecycle import (
    condensing,
    model_facts,
    retelling,
    retold_clauses,
    seams,
    transcript_pieces,
    workflow_files,
    workflow_memories,
    workflow_runs,
)
from bot.lifecycle.transcript_pieces import PieceMade
from bot.lifecycle.workflow_files import WorkflowFile, WorkflowStep
from bot.lifecycle.workflow_runs import Given, WorkflowRuns
from bot.llm import tokens
from bot.llm.messages import ChatMessage, Finished, Usage
from bot.llm.models import Models
from bot.presentation import render, talked_lists
from bot.prompting import compose, earlier, identity, last_sentences, nearby, personas, quotation
from bot.prompting import evidence as quoted
from bot.recall import asked_channels, asked_times, parsing, passages, query, synonyms
from bot.recall.query import Term
from bot.recall.retrievers import newest_of_one
from bot.recall.retrievers.registry import Retrievers
from bot.recall.retrievers.retrieval import Wanted, of_entry, of_message, within
from bot.store import memory_subjects, reply_sources
from bot.store.files import file_types
from bot.store.place_settings import Choosable
from bot.store.proposals import Act
from bot.text import (
    formulas,
    json_values,
    language_names,
    lookalikes,
    markdown,
    message_links,
    normalize,
    plain_form,
    sanitize,
    sentences,
    spelling,
    trigrams,
)
from bot.tools import own_words, toolbox
from bot.transfer.foreign import mysql_dump, palace_folder
from bot.turn import asked_beside, prompt_evidence, recall_answer
from cogs.access import classify, place_names
from cogs.commands import clickable
from cogs.text import graphemes, markup, splitting
from cogs.ui import drawn_lists, layouts, menus, options

NOW: Final = datetime(2026, 3, 2, 12, tzinfo=UTC)
_PEOPLE: Final = ("Ann", "Ruth Nakamura", "Ezra", "Mr. Will", *(f"Person{n} Family{n}" for n in range(60)))
_COMMUNITY: Final = ("general", "nexus", "memory", "two-words")
_QUESTION: Final = "What did Ann say in May about the three gates of issue #12?"
_CHOOSABLE: Final = Choosable(
    setting=PlaceSetting.WORKFLOWS, names=("parlour", "planning"), default="all", are_several=True
)
_NAMES: Final = space_names.Names(_PEOPLE)
_PLACES: Final = repositories.places(
    ForgeSettings.model_validate({"repositories": {"nexus": {"path": "acme/nexus"}, "vault": {"path": "acme/vault"}}})
)
_PLACE: Final = _PLACES.by_name["nexus"]
_WORDS: Final = relevance.telling("the broken gate of TypeError in ttl_seconds")
_DIRECTORY: Final = markup.Directory(
    people=dict(enumerate(_PEOPLE, 1)),
    roles={2: "Admins"},
    channels={3: "general", 4: "two-words"},
    emoji={5: ("wave", False)},
    commands={"recall": 6, "memory list": 7},
)
_SPOKEN: Final = personas.Persona(key="ada", name="Ada")
_SERVED: Final = replace(personas.ITSELF, writer=_SPOKEN)
_SPEAKING: Final = personas.Personas({personas.NOBODY: personas.alone(_SPOKEN)})
_CALLER: Final = Caller(
    space_id=SpaceId(5),
    channel_id=ChannelId(7),
    person_id=PersonId(9),
    name="Ann",
    is_admin=True,
    visible=(ChannelId(7),),
)


def message(text: str, **more: Any) -> Message:
    """A message that says the text."""
    said = Message(
        space_id=SpaceId(5),
        channel_id=ChannelId(7),
        message_id=MessageId(11),
        role=Role.PERSON,
        author_id=PersonId(9),
        author="Ann",
        content=text,
        said_at=NOW,
    )
    return replace(said, **more)


def memory(text: str) -> Memory:
    """A memory that holds the text, filed under it."""
    return Memory(
        space_id=SpaceId(5),
        memory_id=MemoryId(42),
        channel_id=ChannelId(7),
        tier=Tier.SHORT,
        room="general",
        topic=text[:64],
        content=text,
        importance=5,
        source=Source.USER,
        tags=("auto",),
        author_id=PersonId(9),
        author="Ann",
        evidence=(MessageId(11),),
        seen_count=1,
        pinned=False,
        created_at=NOW,
        said_at=NOW,
    )


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
    return check.check(answer, _ground(question, shown))


def _ground(question: str, shown: list[Evidence]) -> Ground:
    return Ground(question, shown, asked_at=NOW, zone="Europe/Berlin", people=_PEOPLE, asker="Ann")


def _standing(text: str) -> standing.Standing:
    return standing.Standing(evidence(text), [], _QUESTION, asked_at=NOW, zone="Europe/Berlin")


def _thirds(text: str) -> tuple[str, list[Evidence], str]:
    """A text as an answer that cites, as what was shown and as the question, a third each."""
    third = len(text) // 3
    return f"{text[:third]} (#42).", evidence(text[third : 2 * third]), text[2 * third :]


def _parsed(text: str) -> query.ParsedQuery:
    """A question that names people, as parsed."""
    return query.ParsedQuery(
        query=query.Query(text=text, as_of=NOW),
        terms=(),
        named={},
        names=("Ruth Nakamura", "Ezra", "a", "Will"),
        times=times.read("", as_of=NOW, zone="UTC"),
        asker=(),
        notes=(),
        language="english",
    )


def _bare(text: str) -> dict[str, str]:
    return {token: token.lower() for token in parsing.TOKEN.findall(text)}


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


def _dumped(text: str) -> list[Any]:
    return [*mysql_dump.MysqlDump(io.StringIO(f"INSERT INTO a VALUES {text}"), Path("a.sql")).rows()]


def _item(text: str) -> things.Item:
    return things.Item(
        kind=things.ItemKind.ISSUE,
        number=1,
        title=text,
        state="open",
        author="Ann",
        created_at=NOW,
        ended_at=None,
        body=text,
        labels=(text,),
        url="https://a.b/1",
        comments=(things.Comment(author="Ann", said_at=NOW, body=text),),
    )


def _run(text: str) -> things.Run:
    return things.Run(
        run_id=1,
        number=1,
        title=text,
        outcome="failure",
        author="Ann",
        started_at=NOW,
        branch="main",
        sha="a" * 40,
        url=None,
        jobs=(),
        logged="test",
        log=text,
    )


def _listing(text: str) -> Listing:
    return Listing(title=text, entries=(Entry(head=text, body=text),) * 10, again=f"recall {text[:200]}", notes=(text,))


def _commit(text: str) -> things.Commit:
    return things.Commit(sha="a" * 40, message=text, author="Ann", committed_at=NOW, files=(text,), url=None)


def _playbook(text: str) -> playbook_files.Playbook:
    return playbook_files.Playbook(name="a.md", title="Deploying", triggers=("deploy it",), tags=("gate",), body=text)


def _may_call(text: str) -> list[bool]:
    shapes = {"properties": {"query": {"enum": [text]}}}
    return [
        call_arguments.may_call(text, text, {}),
        call_arguments.may_call(json.dumps({"query": text}), text, {}),
        call_arguments.may_call(json.dumps({"query": text}), "kiln", shapes),
    ]


def _spots(text: str) -> list[passages.Spot]:
    return passages.spots(text, _TERMS, _forms(text))


def _workflow_memory() -> workflow_memories.WorkflowMemory:
    step = WorkflowStep(name="a", role=ModelRole.SUMMARIZER, prompt="Tell of it.")
    workflow = WorkflowFile(name="a", kind="memory", makes="ledger", steps=(step,))
    return workflow_memories.WorkflowMemory(
        WorkflowRuns(Models(Roles())), Retrievers(()), workflow, _CALLER, [message("The gate is teal.")]
    )


def _by_workflow(text: str) -> PieceMade:
    """What is kept of a text by a workflow that was told of one earlier message."""
    memory = _workflow_memory()
    memory.give([of_message(message("Reminding"))])
    answer = Finished(text=text, tool_calls=(), usage=Usage(), model="", cut_off=False)
    return memory.read(answer, [(1, message(text))])


_ALONE: Final = """
bot.commands.reply_reasons.reference
bot.presentation.render.quoted
bot.llm.tokens.added
bot.llm.tokens.estimate
bot.language.requests.approval.is_approval
bot.language.requests.approval.names_sayer
bot.language.statements.claims.claim
bot.language.statements.claims.read
bot.language.requests.closing.is_closure
bot.language.statements.colloquial.plain
bot.language.statements.exclusions.doubt
bot.language.statements.exclusions.misgivings
bot.language.statements.exclusions.taints
bot.language.statements.exclusions.takes_back
bot.store.files.file_types.called
bot.store.files.file_types.names_in
bot.store.files.file_types.names_one
bot.store.files.file_types.points_at_one
bot.store.files.file_types.tidied
bot.store.files.file_types.words
bot.text.trigrams.folded
bot.text.trigrams.is_letter
bot.text.trigrams.prefix
bot.language.requests.clauses.read
bot.language.requests.importance.heading
bot.language.requests.importance.of_thing
bot.language.requests.importance.taken_out
bot.language.requests.kept_texts.ends
bot.language.requests.orders.asks_to_be_reminded
bot.language.requests.orders.forgotten
bot.language.requests.orders.kept
bot.text.pasted_lists.read
bot.language.requests.plain_words.asked_to_remember
bot.language.requests.plain_words.asks_something
bot.language.requests.plain_words.asks_for_alarm
bot.language.requests.plain_words.asks_where_left_off
bot.language.requests.plain_words.only_points
bot.language.requests.plain_words.names_last_session
bot.language.requests.plain_words.search_words
bot.language.requests.plain_words.beside_things_asked_for
bot.language.requests.plain_words.things_asked_for
bot.language.requests.plain_words.things_to_remember
bot.language.requests.plain_words.without_pleasantries
bot.language.requests.plain_requests.asked_to_forget
bot.language.requests.plain_words.asks_to_be_reminded
bot.language.requests.set_phrases.read
bot.language.requests.plain_requests.is_request
bot.language.requests.plain_requests.is_withheld
bot.language.requests.plain_requests.read
bot.text.sentences.split
bot.recall.strategies.phrases
bot.recall.strategies.tokens
bot.text.folding.evenly
bot.text.folding.folded
bot.language.tags.tagging.words
bot.language.tags.tagging.workflows
bot.language.statements.assertions.asks
bot.language.statements.assertions.questions
bot.language.statements.assertions.without_fetching
bot.language.statements.revoking.revoked
cogs.text.markup.dated
bot.language.statements.assertions.is_question
bot.language.statements.assertions.is_keywords
bot.language.statements.assertions.asks_what_was_asked
bot.language.statements.assertions.only_requests
bot.language.statements.assertions.without_requests
bot.language.statements.claims.decides
bot.language.questions.answer_kinds.asks_for_decisions
bot.language.requests.plain_words.without_request
bot.language.statements.assertions.run_on
bot.language.statements.assertions.stated
bot.language.statements.assertions.states
bot.language.questions.answer_kinds.asks_what_was_said
bot.language.questions.answer_kinds.asks_when_it_was
bot.language.questions.answer_kinds.counted
bot.language.questions.answer_kinds.tells_little
bot.language.questions.answer_kinds.tells_of_self
bot.language.questions.answer_kinds.wanted
bot.language.questions.answer_kinds.wants_newest
bot.language.questions.wanted_texts.asks
bot.language.questions.asking_clauses.asking
bot.language.questions.asking_clauses.without_not_knowing
bot.language.questions.countdowns.plainly
bot.language.questions.judgements.only_judges
bot.text.trigrams.words
bot.dates.time_grammar.text_of
bot.language.tags.triviality.is_small_talk
bot.language.tags.triviality.is_output
bot.language.tags.triviality.is_trivial
bot.text.emoji.key
bot.text.normalize.cleaned
bot.text.normalize.content_hash
bot.text.message_links.linked
bot.language.statements.subjects.tells_of_writer
bot.text.normalize.is_tool_output
bot.text.normalize.one_line
bot.text.normalize.sayable
bot.text.normalize.shown
bot.language.statements.topics.about
bot.language.statements.topics.says_something
bot.language.statements.topics.tells
bot.language.statements.topics.topic_of
bot.text.normalize.by_its_author
bot.text.normalize.without_attachments
bot.tools.own_words.is_word
bot.text.sanitize.name
bot.text.sanitize.one_line
bot.text.sanitize.plain
bot.text.sanitize.quotations
bot.text.sanitize.shown
bot.text.sanitize.unmasked
bot.text.sanitize.visible
bot.transfer.foreign.neutral.clean
bot.transfer.foreign.neutral.title
bot.text.folding.unmixed
bot.text.sentences.finished
bot.text.sentences.pieces
bot.grounding.citations.labels
bot.text.markdown.closed
bot.cli.terminal_layout.blocks
bot.text.markdown.code
bot.text.markdown.without_spoilers
bot.grounding.links.found
bot.grounding.links.without
bot.grounding.model_orders.overrides
bot.grounding.model_orders.sentences_of
bot.grounding.model_orders.stand_in
bot.grounding.citations.cited_labels
bot.grounding.citations.without
bot.grounding.numbers.periods
bot.grounding.numbers.spelt_out
bot.grounding.quotes.unquoted
bot.grounding.texts.bare
bot.grounding.texts.claims
bot.grounding.texts.clause
bot.grounding.texts.clauses
bot.grounding.texts.content
bot.grounding.texts.folded
bot.grounding.texts.language
bot.grounding.texts.plain
bot.grounding.texts.stem
bot.grounding.texts.stems
bot.grounding.texts.scripts
bot.grounding.texts.unopened
bot.grounding.texts.words
bot.layers.forge.relevance.telling
bot.text.front_matter.parse
bot.grounding.check.cited_labels
bot.language.past.space_names.bare
bot.text.plain_form.read
bot.text.short_forms.written_out
bot.language.questions.answer_kinds.is_yes_or_no
bot.language.questions.owners.asks_of_self
bot.language.questions.owners.asks_own_words
bot.language.questions.owners.doers
bot.language.questions.seeking.asks_for_seekers
bot.language.questions.seeking.only_seeks
bot.language.questions.owners.own_things
bot.language.questions.world_questions.is_to_be_made
bot.language.questions.world_questions.is_of_the_clock
bot.layers.playbooks.asks_for_a_way
bot.text.spelling.endings
bot.text.spelling.initials
bot.grounding.unproven.asks_for_fiction
bot.text.word_forms.stem
bot.layers.playbooks.words_of
bot.language.past.this_session.asked_of
bot.language.questions.tenses.looks_ahead
bot.grounding.unproven.asks_fact
bot.language.questions.world_questions.is_of_here
bot.language.questions.world_questions.may_be
cogs.text.splitting.size
cogs.text.splitting.split
cogs.text.tables.drawn
"""
"""Those that a text is enough for."""

_ROWS: Final[list[Any]] = [
    {"person_id": n, "name": name.lower(), "first": name.split()[0].lower()} for n, name in enumerate(_PEOPLE)
]
_REGISTRY: Final = tagging.Registry()
_TERMS: Final = (Term(word="gate", token="gates"), Term(word="a", token="a"), Term(word="語", token="語"))
_ANSWER: Final = "Ann said on 5 May that the three gates stay open until 3 pm (#42). Ezra doesn't agree (M1)."
_RETOLD: Final = "Ann said that the gate opens at 3 pm."


def _clauses(text: str) -> list[retold_clauses.RetoldClause]:
    return retold_clauses.of(sentences.split(text), retelling.names_and_numbers)


_BESIDES: Final[Mapping[str, Callable[[str], object]]] = {
    "bot.arguments.Choice.parse": lambda text: arguments.Choice(options=("a", "b"), help="").parse("mode", text),
    "bot.arguments.Number.parse": lambda text: arguments.Number(low=1, high=9, default=1, help="").parse("page", text),
    "bot.arguments.Phrase.parse": lambda text: arguments.Phrase(help="").parse("reason", text),
    "bot.arguments.FreeText.parse": lambda text: arguments.FreeText().parse("text", text),
    "bot.arguments.Word.parse": lambda text: arguments.Word(help="").parse("topic", text),
    "bot.arguments.Words.parse": lambda text: arguments.Words(help="").parse("tags", text),
    **{
        f"bot.arguments.parse of {name}": lambda text, known=known: arguments.parse(text, known)
        for name, known in grammar.GRAMMARS.items()
    },
    "bot.commands.grammar.meant": grammar.meant,
    "cogs.commands.clickable.told": lambda text: clickable.told(text, "memory", grammar.PREFIX, str),
    "cogs.commands.clickable.on_panel": lambda text: clickable.on_panel(text, grammar.PREFIX),
    "bot.language.requests.closing.acknowledgement": lambda text: closing.acknowledgement(
        MessageId(1 << 22), "german", text
    ),
    "cogs.access.place_names.mentioned": lambda text: place_names.mentioned(text, None),
    "bot.commands.grammar.is_command": lambda text: grammar.is_command(text, grammar.PREFIX),
    "bot.arguments.read": lambda text: arguments.read(arguments.Word(help=""), "topic", text),
    "bot.arguments.reread": lambda text: arguments.reread(
        arguments.Arguments(text=text, lead=None, named={}, bare=frozenset()), grammar.GRAMMARS["recall"], str.strip
    ),
    "bot.presentation.talked_lists.told": lambda text: talked_lists.told(
        Listing(title=text, entries=(Entry(head=text, body=text, who=text, marks=(text,)),)), _CALLER
    ),
    "cogs.ui.drawn_lists.asked_by": drawn_lists.asked_by,
    "bot.presentation.render.led": lambda text: render.led(_CALLER, text, Entry(head=text, body=text)),
    "bot.presentation.render.memory_entry": lambda text: render.memory_entry(memory(text), {}, {}, NOW),
    "bot.presentation.render.message_entry": lambda text: render.message_entry(message(text), {}, "UTC"),
    "bot.presentation.render.is_shown_whole": render.is_shown_whole,
    "bot.presentation.render.agreed": lambda text: render.agreed(text, acts=True),
    "bot.presentation.talked_lists.line": lambda text: talked_lists.line(Entry(head=text, body=text), _CALLER),
    "bot.presentation.render.not_done": lambda text: render.not_done(
        Act(command="note", line=text, text=text), _CALLER, is_asked=True
    ),
    "bot.language.requests.act_words.asks": lambda text: act_words.asks(text, "note"),
    "bot.language.requests.act_words.forbids": lambda text: act_words.forbids(text, "note"),
    "bot.presentation.render.not_saved": render.not_saved,
    "bot.presentation.render.not_kept": lambda text: render.not_kept(text, _CALLER, is_asked=True),
    "bot.grounding.proofs.has_every_word": lambda text: [proofs.has_every_word(one, text) for one in evidence(text)],
    "bot.grounding.proofs.of": lambda text: proofs.of(text, _ground(_QUESTION, evidence(text))),
    "bot.grounding.unproven.of": lambda text: unproven.of(
        text, _ground(_QUESTION, evidence(text)), [], community=["shop"], asked_of={"Ann": frozenset({"ann"})}
    ),
    "bot.grounding.drafts.contradicted": lambda text: drafts.contradicted(text, evidence(text), _QUESTION, asker="Ann"),
    "bot.grounding.names.written": lambda text: names.written(text, ["will", "ann"]),
    "bot.grounding.unproven.asked_of_members": lambda text: unproven.asked_of_members(text, ["Ann", "Tom Lee"]),
    "bot.grounding.unproven.quotes_unheld": lambda text: unproven.quotes_unheld(text, [text], ["Ann Lee"]),
    "bot.grounding.unproven.tells_of_people": lambda text: unproven.tells_of_people(
        text, text, people=["Ann", "Tom Lee"], asker="Bo"
    ),
    "bot.grounding.unproven.puts_words": lambda text: unproven.puts_words(text, _ground(_QUESTION, evidence(text))),
    "bot.presentation.render.or_there": lambda text: render.or_there(_CALLER, text),
    "bot.grounding.provenance.stands": lambda text: provenance.stands(text, [message(text)], zone="UTC"),
    "bot.grounding.provenance.without_inventions": lambda text: provenance.without_inventions(text, [message(text)]),
    "bot.grounding.provenance.speaker": lambda text: provenance.speaker(text, [message(text)], zone="UTC"),
    "bot.presentation.render.entry_lines": lambda text: render.entry_lines(Entry(head=text, body=text)),
    "bot.presentation.render.saved_line": lambda text: render.saved_line(Saved(memory=memory(text), was_known=False)),
    "bot.grounding.model_words.own_words": answers.own_words,
    "bot.grounding.model_words.finished": answers.finished,
    "bot.grounding.model_words.links": answers.links,
    "bot.language.statements.subjects.is_thing": lambda text: subjects.is_thing(text, "storm"),
    "bot.store.memory_subjects.key": lambda text: memory_subjects.key(text, PersonId(8)),
    "bot.language.statements.subjects.told_of": lambda text: [*subjects.told_of(text, {text[:9]: PersonId(8)})],
    "bot.text.lookalikes.bare": lookalikes.bare,
    "bot.text.lookalikes.likeness": lookalikes.likeness,
    "bot.text.lookalikes.owner": lookalikes.owner,
    "bot.text.sentences.beginning": lambda text: sentences.beginning(text, len(text) - 1, within=len(text) // 2),
    "bot.text.sentences.stop_after": lambda text: sentences.stop_after(text, len(text) // 2),
    "bot.grounding.model_words.says_none": answers.says_none,
    "bot.grounding.model_words.with_links_told": lambda text: answers.with_links_told(text, {"https://a.b"}),
    "bot.grounding.citations.of_shown": lambda text: citations.of_shown(text, {"#42"}),
    "bot.llm.tokens.estimate_messages": lambda text: tokens.estimate_messages([ChatMessage(role="user", content=text)]),
    "bot.log.redact": lambda text: log.redact(None, "info", {"event": text, "said": {"by": [text]}}),
    "bot.language.requests.approval.last_of": lambda text: approval.last_of(message(text), [message(text)]),
    "bot.language.requests.approval.is_trivial": lambda text: approval.is_trivial(message(text)),
    "bot.recall.parsing._named": lambda text: parsing._named(
        text, [*dict.fromkeys(parsing.TOKEN.findall(text))], _bare(text), {}, _ROWS
    ),
    "bot.recall.parsing._names": lambda text: parsing._names(parsing.TOKEN.findall(text)[: parsing.TOKENS]),
    "bot.recall.query.ParsedQuery.meaning": lambda text: _parsed(text).meaning,
    "bot.facts.comparison.compare": lambda text: comparison.compare(
        comparison.Said(text=text, by="Ann"), comparison.Said(text=f"{text} 7", by="Ann")
    ),
    "bot.facts.fact_reading.meaning": fact_reading.meaning,
    "bot.facts.fact_reading.read": lambda text: fact_reading.read(text, "Ann"),
    "bot.facts.fact_values.read": fact_values.read,
    "bot.facts.fact_values.spelled": fact_values.spelled,
    "bot.facts.outdated.outdating": lambda text: outdated.outdating(text, f"{text} 7")(text),
    "bot.store.place_settings.Choosable.known": _CHOOSABLE.known,
    "bot.store.place_settings.Choosable.unknown": _CHOOSABLE.unknown,
    "bot.store.reply_sources.words_of": reply_sources.words_of,
    "bot.store.reply_sources.brings_up": lambda text: reply_sources.brings_up(text, [text], [text]),
    "bot.store.reply_sources.only_in": lambda text: reply_sources.only_in([text], [text]),
    "bot.language.statements.extraction.extract": lambda text: extraction.extract([message(text)]),
    "bot.language.statements.extraction.name": lambda text: extraction.name(message(text)),
    "bot.language.statements.extraction.opening": lambda text: extraction.opening([message(text)]),
    "bot.language.statements.extraction.told_in": lambda text: [*extraction.told_in([message(text)])],
    "bot.language.statements.left_off.left_off": lambda text: left_off.left_off([message(text)]),
    "bot.language.statements.left_off.steps": lambda text: left_off.steps([message(text)]),
    "bot.language.questions.answered.unanswered": lambda text: answered.unanswered(
        [
            message(text),
            message("Where is the key?"),
            *[message(text, author_id=PersonId(8), message_id=MessageId(12))] * 4,
        ]
    ),
    "bot.language.statements.news.weight": lambda text: news.weight(message(text), text, ()),
    "bot.language.statements.news.replied": lambda text: news.replied([message(text)]),
    "bot.language.statements.happenings.of": lambda text: happenings.of([message(text)]),
    "bot.language.requests.missed_questions.kinds": missed_questions.kinds,
    "bot.language.requests.number_questions.read": number_questions.read,
    "bot.language.requests.rule_questions.asks": rule_questions.asks,
    "bot.language.requests.scrapped_rules.named": scrapped_rules.named,
    "bot.language.requests.scrapped_rules.read": scrapped_rules.read,
    "bot.language.requests.scrapped_rules.ScrappedRule.means": lambda text: scrapped_rules.ScrappedRule(
        words=frozenset({"boots", "door"}), is_named=False
    ).means(text),
    "bot.language.requests.corrections.instead": lambda text: corrections.instead(f"scratch that, {text}"),
    "bot.language.requests.corrections.leans": corrections.leans,
    "bot.language.requests.corrections.may_be_of": lambda text: corrections.may_be_of(text, "the fair is on Monday"),
    "bot.language.requests.corrections.meant": lambda text: corrections.meant(f"no wait, {text}"),
    "bot.language.requests.corrections.otherwise": corrections.otherwise,
    "bot.language.requests.corrections.read": corrections.read,
    "bot.facts.putting_right.whole": lambda text: putting_right.whole(text, text, as_of=NOW, zone="UTC"),
    "bot.language.requests.denials.denies": lambda text: denials.denies(text, text),
    "bot.language.requests.whose.is_me": whose.is_me,
    "bot.language.requests.whose.is_named": lambda text: whose.is_named(text, text),
    "bot.language.requests.whose.is_own": whose.is_own,
    "bot.language.requests.whose.may_be_theirs": lambda text: whose.may_be_theirs(_CALLER, text, text, is_by_them=True),
    "bot.language.requests.whose.said_by_another": whose.said_by_another,
    "bot.language.requests.side_choices.chooses": side_choices.chooses,
    "bot.language.requests.side_choices.going": lambda text: side_choices.going(text, [MemoryId(1), None]),
    "bot.language.requests.side_choices.is_by_age": side_choices.is_by_age,
    "bot.language.requests.side_choices.read": lambda text: side_choices.read(text, [MemoryId(1), MemoryId(2)]),
    "bot.language.requests.missed_questions.asks": lambda text: missed_questions.asks(text, ("yesterday",)),
    "bot.language.requests.missed_questions.asks_what_happened": lambda text: missed_questions.asks_what_happened(
        text, ("yesterday",)
    ),
    "bot.language.statements.worth.signs_of": lambda text: worth.signs_of(text[:400], text[:400]),
    "bot.store.files.file_types.is_named": lambda text: file_types.is_named(text[:200], text),
    "bot.store.files.file_types.kind": lambda text: file_types.kind(text, text),
    "bot.text.trigrams.similarity": lambda text: trigrams.similarity(text, text),
    "bot.commands.forgetting.picked": lambda text: forgetting.picked(Forgettable(memories=(MemoryId(1),)), text),
    "bot.commands.said_too.lines": lambda text: said_too.lines([message(text)], text),
    "bot.commands.said_too.telling": lambda text: said_too.telling([message(text)]),
    "bot.dates.expressions.named": lambda text: [
        [*expressions.named(each, time_grammar.text_of(text), calendar.local(NOW, "UTC"))]
        for each in time_grammar.grammars()
    ],
    "bot.language.requests.clauses.are": lambda text: clauses.are(clauses.read(text).words, clauses.FOLLOWING),
    "bot.language.requests.clauses.closing": lambda text: clauses.closing(clauses.read(text).words),
    "bot.language.requests.clauses.following": lambda text: clauses.following(clauses.read(text).words, 0),
    "bot.language.requests.clauses.later": lambda text: [*clauses.later(clauses.read(text).words)],
    "bot.language.requests.clauses.opening": lambda text: clauses.opening(clauses.read(text).words),
    "bot.language.requests.clauses.tail": lambda text: clauses.tail(clauses.read(text).words, clauses.FOLLOWING),
    "bot.recall.asked_channels.named": lambda text: asked_channels.named(text, {ChannelId(1): "general"}),
    "bot.recall.asked_times.read": lambda text: asked_times.read(text, as_of=NOW, zone="UTC"),
    "bot.language.statements.revoking.is_revoked": lambda text: revoking.is_revoked(text, frozenset({"gate"})),
    "bot.recall.retrievers.newest_of_one.newest": lambda text: newest_of_one.newest(
        [of_message(message(text))] * 2, lambda _: True, most=5
    ),
    "bot.recall.passages.alike": lambda text: passages.alike([text], _TERMS),
    "bot.recall.passages.around": lambda text: passages.around(text, len(text) // 2, len(text) // 2 + 1),
    "bot.recall.passages.best_rows": lambda text: passages.best_rows(text, _spots(text), {"a": 1.0, "gate": 2.0}),
    "bot.recall.passages.best": lambda text: passages.best(text, _spots(text), {"a": 1.0, "gate": 2.0}),
    "bot.recall.passages.spots": _spots,
    "bot.text.formulas.is_made_of": lambda text: formulas.is_made_of(text, [("thanks", "a lot")], "Hathi"),
    "bot.text.formulas.first_of": lambda text: formulas.first_of(text, [(1, [("thanks", "a lot")])], "Hathi"),
    "bot.text.formulas.all_of": lambda text: formulas.all_of(text, [(1, [("thanks", "a lot")])], "Hathi"),
    "bot.text.formulas.is_asked_with": lambda text: formulas.is_asked_with(text, [("thanks", "a lot")], "Hathi"),
    "bot.text.formulas.unmarked": formulas.unmarked,
    "bot.text.spelling.compounds": lambda text: spelling.compounds(text, ["hazelnut"]),
    "bot.language.questions.owners.is_anothers": lambda text: owners.is_anothers(
        text, owners.own_things("my birthday cake"), {"ann"}, is_askers=False
    ),
    "bot.language.questions.named_owners.asked": lambda text: named_owners.asked(text, {"today"}),
    "bot.language.questions.named_owners.is_anothers": lambda text: named_owners.is_anothers(
        text,
        named_owners.Whose(names=frozenset({"ann"}), things=frozenset({"cake"}), acts=frozenset({"work"})),
        is_own=False,
    ),
    "bot.language.questions.named_owners.is_named": lambda text: named_owners.is_named([text], {"ann"}),
    "bot.text.markdown.with_its_marks": lambda text: markdown.with_its_marks(text, 2, len(text) // 2),
    "bot.text.markdown.still_hidden": lambda text: markdown.still_hidden(text, text[2 : len(text) // 2]),
    "bot.language.requests.kept_texts.only_points": lambda text: kept_texts.only_points(text, phrases.ENGLISH),
    "bot.language.questions.owners.sayer": lambda text: owners.sayer(text, ["tom", "ann lee"]),
    "bot.language.questions.owners.tells_of_self": lambda text: owners.tells_of_self(text, {"ann"}),
    "bot.language.questions.owners.reports": lambda text: owners.reports(text, "tom"),
    "bot.language.requests.kept_texts.asks": lambda text: kept_texts.asks(text, french_orders.FRENCH),
    "bot.language.requests.kept_texts.thing": lambda text: kept_texts.thing(text, french_orders.FRENCH),
    "bot.language.requests.kept_texts.without_courtesy": lambda text: kept_texts.without_courtesy(
        text, french_orders.FRENCH
    ),
    "bot.language.requests.plain_words.kept": lambda text: plain_words.kept(clauses.read(text)),
    "bot.language.requests.plain_words.asks_of_picture": lambda text: plain_words.asks_of_picture(text, has_one=True),
    "bot.lifecycle.transcript_pieces.split": lambda text: transcript_pieces.split([(1, message(text))], 200),
    "bot.lifecycle.model_facts.parse": model_facts.parse,
    "bot.lifecycle.retelling.names_and_numbers": retelling.names_and_numbers,
    "bot.lifecycle.retold_clauses.of": _clauses,
    "bot.lifecycle.retold_clauses.replaced": lambda text: retold_clauses.replaced(_clauses(text)),
    "bot.lifecycle.retold_clauses.are_bound": lambda text: retold_clauses.are_bound(_clauses(text), _clauses(text)),
    "bot.lifecycle.retelling.is_faithful": lambda text: retelling.is_faithful(
        text, ["The gate is teal."], NOW, most_tokens=600, most_lost=0.5
    ),
    "bot.lifecycle.workflow_files.parsed": lambda text: workflow_files.parsed("a", f"kind = 'memory'\n{text}", {}, {}),
    "bot.commands.run_requests.given": run_requests.given,
    "bot.commands.run_requests.read": lambda text: run_requests.read(f"!do {text}", _CALLER),
    "bot.commands.reply_workflows.ReplyWorkflows.named": lambda text: ReplyWorkflows({}).named(_CALLER, text),
    "bot.lifecycle.workflow_runs.prompt": lambda text: workflow_runs.prompt(
        WorkflowStep(name="b", prompt="Tell of {a}.", inputs=("a",)), {"a": Given(texts=(text,))}, 900, beside=[text]
    ),
    "bot.lifecycle.workflow_files.WorkflowStep.words": lambda text: WorkflowStep(
        name="b", role=ModelRole.SUMMARIZER, prompt="Tell.", keywords="{a}; gate"
    ).words({"a": text}),
    "bot.lifecycle.workflow_memories.WorkflowMemory.read": _by_workflow,
    "bot.lifecycle.workflow_memories.WorkflowMemory.give": lambda text: _workflow_memory().give(
        [of_message(message(text))]
    ),
    "bot.recall.retrievers.retrieval.within": lambda text: within(Wanted(caller=_CALLER), text, NOW),
    "bot.cli.memory_evaluation.survived": lambda text: memory_evaluation.survived(text, text, text),
    "bot.prompting.personas.Persona.own": lambda text: [_SPOKEN.own(text), _SPOKEN.own(f"**{_SPOKEN.name}{text}")],
    "bot.prompting.personas.Persona.spoken": lambda text: _SPOKEN.spoken(_CALLER, text),
    "bot.prompting.personas.Persona.unspoken": lambda text: _SPOKEN.unspoken(_CALLER, text),
    "bot.prompting.personas.Household.by_writer": lambda text: _SERVED.by_writer(_CALLER, text),
    "bot.prompting.personas.Personas.kept": lambda text: _SPEAKING.kept(_CALLER, text),
    "bot.prompting.personas.Personas.spoken": lambda text: _SPEAKING.spoken(_CALLER, text),
    "bot.prompting.identity.fitted": lambda text: identity.fitted(text, 200),
    "bot.lifecycle.condensing.most_telling": condensing.most_telling,
    "bot.prompting.earlier.block": lambda text: earlier.block(
        [
            of_entry(LedgerEntry(text=text, through=MessageId(9), since=MessageId(1), sessions=()), ChannelId(1)),
            of_message(message(text)),
        ],
        None,
        BudgetSettings(),
        "UTC",
    ),
    "bot.lifecycle.seams.joined": lambda text: seams.joined([message(text)] * 9),
    "bot.lifecycle.seams.cut": lambda text: seams.cut([message(text)] * 9, most=4, most_tokens=300),
    "bot.language.tags.tagging.Registry.domains": _REGISTRY.domains,
    "bot.language.tags.tagging.Registry.inferred": lambda text: _REGISTRY.inferred(text, workflow="note"),
    "bot.language.tags.tagging.Registry.reworded": lambda text: _REGISTRY.reworded(["auto", "a"], "Ann said so.", text),
    "bot.language.tags.tagging.own": lambda text: tagging.own([text]),
    "bot.connection.discord_time.read": discord_time.read,
    "bot.dates.times.read_alone": lambda text: times.read_alone(text, as_of=NOW, zone="Europe/Berlin"),
    "bot.dates.times.read": lambda text: times.read(text, as_of=NOW, zone="Europe/Berlin"),
    "bot.language.statements.topics.topic_given": lambda text: topics.topic_given(text, text),
    "bot.language.statements.topics.topic_after": lambda text: topics.topic_after(text[:64], text, text),
    "bot.language.statements.topics.found_in": lambda text: topics.found_in([text, text[:64]], [text], 5),
    "bot.text.json_values.stored": lambda text: json_values.stored({text: [text, {"a": text}]}),
    "bot.text.normalize.has_words": normalize.has_words,
    "bot.text.normalize.content_mac": lambda text: normalize.content_mac(b"key", text),
    "bot.text.normalize.label": lambda text: normalize.label(text, "general"),
    "bot.prompting.nearby.unread": lambda text: nearby.unread(
        [SentFile(name=text, message=message(text), unread="why")]
    ),
    "bot.prompting.nearby.block": lambda text: nearby.block(
        Surroundings(
            replied_to=(message(text),),
            around=(message(text), message(text)),
            files=(SentFile(name=text[:60], message=message(text), text=text),),
        ),
        (),
        nearby.TokenShares(around=600, files=1500, whole=3000),
        "UTC",
    ),
    "bot.transfer.foreign.palace_folder.items": lambda text: [*palace_folder.items(text)],
    "bot.transfer.foreign.palace_folder.descriptions": lambda text: [*palace_folder.descriptions(text)],
    "bot.transfer.foreign.mysql_dump.MysqlDump": _dumped,
    "bot.text.sanitize.said": lambda text: sanitize.said(text, text),
    "bot.text.sanitize.set_in": lambda text: sanitize.set_in(text, "  "),
    "bot.prompting.compose.active_block": lambda text: compose.active_block(
        [compose.Line(number=MemoryId(1), topic=text, content=text, importance=5, author=text, said_at=NOW)],
        rows=15,
        max_tokens=400,
        now=NOW,
    ),
    "bot.prompting.compose.compose": lambda text: compose.compose(
        identity="I am Hathi.",
        active=text,
        found=text,
        history=[message(text)],
        question=message(text),
        max_tokens=1000,
    ),
    "bot.prompting.last_sentences.of": lambda text: last_sentences.of(text, 50),
    "bot.llm.tokens.shortened": lambda text: tokens.shortened(text, 50),
    "bot.llm.tokens.cut_to": lambda text: tokens.cut_to(text, 300),
    "bot.prompting.compose.transcript": lambda text: compose.transcript([(1, message(text, author=text))]),
    "bot.prompting.evidence.found_block": lambda text: quoted.found_block(evidence(text), "UTC"),
    "bot.language.questions.answer_kinds.answering": lambda text: answer_kinds.answering(text, AnswerKind)(text),
    "bot.language.questions.answer_kinds.tells": lambda text: [answer_kinds.tells(text, kind) for kind in AnswerKind],
    "bot.language.questions.answer_kinds.tells_name": lambda text: answer_kinds.tells_name(text, {"bowls"}),
    "bot.language.questions.answer_kinds.tells_count": lambda text: answer_kinds.tells_count(text, "bowls"),
    "bot.prompting.quotation.part": lambda text: quotation.part(text, text[:200], 300),
    "bot.prompting.quotation.most": lambda text: quotation.most(text, text[:200], 300),
    "bot.prompting.quotation.beginning": lambda text: quotation.beginning(text, 300),
    "bot.text.spelling.parts": lambda text: spelling.parts(text[:40], frozenset(text.split()[:1000])),
    "bot.text.spelling.nearly": lambda text: spelling.nearly(text[:40], text.split()[:1000]),
    "bot.text.spelling.misbegun": lambda text: spelling.misbegun(text[:40], text.split()[:1000]),
    "bot.prompting.evidence.verbatim": lambda text: quoted.verbatim(evidence(text), text, "UTC"),
    "bot.layers.chain.numbered": lambda text: chain.numbered(evidence(text)),
    "bot.layers.chain.shown": lambda text: chain.shown(evidence(text), 1500),
    "bot.grounding.citations.tidied": lambda text: citations.tidied(text, {"#42", "M1"}),
    "bot.dates.written_dates.read": lambda text: written_dates.read(text, NOW.date()),
    "bot.grounding.standing.Standing": _standing,
    "bot.grounding.standing.Standing.contradicted": lambda text: _standing(_RETOLD).contradicted(text),
    "bot.grounding.standing.Standing.read": lambda text: _standing(text).read(text),
    "bot.grounding.standing.quotation": lambda text: [standing.quotation(one) for one in evidence(text)],
    "bot.grounding.deeds.wants_deed": deeds.wants_deed,
    "bot.grounding.deeds.claims": lambda text: [deeds.claims(text, _QUESTION), deeds.claims(_QUESTION, text)],
    "bot.grounding.deeds.without": lambda text: deeds.without(text, deeds.claims(text, _QUESTION)),
    "bot.grounding.numbers.quantities": lambda text: numbers.quantities(text, ("english", "german")),
    "bot.grounding.numbers.has_any": lambda text: numbers.has_any(text, ("english", "german")),
    "bot.grounding.numbers.reckoned": lambda text: numbers.reckoned(
        text, [numbers.quantities(text, ("english",))] * 2, is_halved=True
    ),
    "bot.grounding.recollection.faults": lambda text: [
        *recollection.faults(text, _QUESTION, people=_PEOPLE, community=_COMMUNITY)
    ],
    "bot.text.language_names.begins": lambda text: language_names.begins("german", text),
    "bot.text.language_names.named": language_names.named,
    "bot.text.language_names.near": lambda text: language_names.near(text, ("german", "french")),
    "bot.language.past.abroad.hearing.heard": lambda text: hearing.heard(plain_form.read(text), _NAMES),
    "bot.language.past.abroad.hearing.spoken": lambda text: hearing.spoken(plain_form.read(text)),
    "bot.language.past.detector.detect": lambda text: detector.detect(text, _NAMES),
    "bot.layers.forge.addresses.read": lambda text: addresses.read(text, _PLACES),
    "bot.grounding.call_arguments.may_call": _may_call,
    "bot.layers.forge.repositories.Repositories.named": _PLACES.named,
    "bot.layers.forge.references.read": lambda text: references.read(text, _PLACES),
    "bot.layers.forge.relevance.passage": lambda text: relevance.passage(text, _WORDS, 1500),
    "bot.layers.forge.relevance.score": lambda text: relevance.score(_WORDS, _item(text)),
    "bot.layers.forge.relevance.whole_lines": lambda text: relevance.whole_lines(text.splitlines(), 1500),
    "bot.layers.forge.excerpts.of_commit": lambda text: excerpts.of_commit(_PLACE, _commit(text)),
    "bot.layers.forge.excerpts.of_file": lambda text: excerpts.of_file(
        _PLACE, things.RepositoryFile(path="a.py", content=text, url=None), None, _WORDS
    ),
    "bot.layers.forge.excerpts.of_item": lambda text: excerpts.of_item(_PLACE, _item(text)),
    "bot.layers.forge.excerpts.of_run": lambda text: excerpts.of_run(_PLACE, _run(text)),
    "bot.grounding.check.check": lambda text: _grounded(text, evidence(_RETOLD), _QUESTION),
    "bot.grounding.check.check of the same": lambda text: _grounded(*_thirds(text)),
    "bot.grounding.check.check of what was shown": lambda text: _grounded(_ANSWER, evidence(text), _QUESTION),
    "bot.grounding.check.check of the question": lambda text: _grounded(_ANSWER, evidence(_RETOLD), text),
    "bot.grounding.check.tidied": lambda text: check.tidied(text, {"#42", "M1"}),
    "bot.grounding.check.unfounded": lambda text: check.unfounded(
        text, _QUESTION, people=_PEOPLE, community=_COMMUNITY
    ),
    "bot.grounding.community_claims.found": lambda text: community_claims.found(text, _QUESTION),
    "bot.grounding.community_claims.found of the question": lambda text: community_claims.found(_ANSWER, text),
    "bot.grounding.check.unfounded of the question": lambda text: check.unfounded(
        _ANSWER, text, people=_PEOPLE, community=_COMMUNITY
    ),
    "bot.text.message_links.named": lambda text: message_links.named(text, SpaceId(5)),
    "bot.language.past.space_names.Names": lambda text: space_names.Names([text]),
    "bot.language.past.space_names.Names.with_more": lambda text: _NAMES.with_more([text]),
    "bot.layers.playbooks.score_of": lambda text: playbooks.score_of(_playbook(text), playbooks.words_of(text)),
    "bot.layers.playbooks.is_named": lambda text: playbooks.is_named(_playbook(text), playbooks.words_of(text)),
    "bot.layers.playbooks.section": lambda text: playbooks.section(_playbook(text), playbooks.words_of(_QUESTION)),
    "bot.layers.memory_layers._names_something": memory_layers._names_something,
    "bot.layers.playbook_files.parsed": lambda text: playbook_files.parsed(
        "a.md", f"---\ntitle: {text[:60]!r}\nwhen: [{text}\n---\n{text}"
    ),
    "bot.cli.terminal.command_in": terminal.command_in,
    "bot.cli.terminal_layout.wrapped": lambda text: terminal_layout.wrapped(text, 60),
    "bot.turn.asked_beside.things": lambda text: asked_beside.things(message(text)),
    "bot.tools.own_words.of": lambda text: own_words.of(replace(message(text), marked=frozenset([text[:80], "a b"]))),
    "bot.tools.own_words.alone": lambda text: own_words.alone(message(text)),
    "bot.tools.toolbox.canonical": toolbox.canonical,
    "bot.recall.synonyms.of": lambda text: synonyms.of(text, "english"),
    "bot.turn.prompt_evidence.tells": lambda text: prompt_evidence.tells(message(text)),
    "bot.turn.recall_answer.is_of_the_past": lambda text: recall_answer.is_of_the_past(
        detector.detect(text, _NAMES), text
    ),
    "cogs.text.splitting.cut": lambda text: splitting.cut(text, 1000),
    "cogs.ui.drawn_lists.drawn": lambda text: drawn_lists.drawn(_listing(text), 5),
    "cogs.ui.drawn_lists.can_be_asked_again": lambda text: drawn_lists.can_be_asked_again(_listing(text)),
    "cogs.ui.drawn_lists.own_number": drawn_lists.own_number,
    "cogs.ui.drawn_lists.retold": lambda text: drawn_lists.retold(text, text, MemoryId(1), 500),
    "cogs.ui.layouts.told": layouts.told,
    "cogs.ui.menus.forgets": lambda text: menus.forgets([memory(text)]),
    "cogs.text.graphemes.floor": lambda text: graphemes.floor(text, 0, len(text) // 2),
    "cogs.access.classify.without_mention": lambda text: classify.without_mention(text, 5),
    "cogs.access.classify._command_after_mention": lambda text: classify._command_after_mention(f"age {text}"),
    "cogs.ui.options.described": options.described,
    "cogs.text.markup.discordly": lambda text: markup.discordly(text, _DIRECTORY),
    "cogs.text.markup.names": lambda text: markup.names(text, _DIRECTORY),
    "cogs.text.markup.readable": lambda text: markup.readable(text, _DIRECTORY),
    "cogs.text.splitting.split": lambda text: splitting.split(text, 500),
}
"""Those that take something besides."""


_BY_NAME: Final[Mapping[str, Callable[[str], object]]] = {name: _named(name) for name in _ALONE.split()}
READERS: Final[Mapping[str, Callable[[str], object]]] = MappingProxyType({**_BY_NAME, **_BESIDES})
"""Each by its module, its name and, where one reads texts in several places, in which; called with a text."""
