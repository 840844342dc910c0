"""Builds the application: opens every part in order, hands each what it needs, and closes them in reverse."""

import contextlib
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Final

from bot import catalogue, errors, log
from bot.commands.about_me import AboutMe
from bot.commands.channel_summary import ChannelSummary
from bot.commands.commands import Commands
from bot.commands.community import Community
from bot.commands.forgetting import Forgetting
from bot.commands.identity_settings import IdentitySettings
from bot.commands.including import Including
from bot.commands.learn import LearnRequests
from bot.commands.memory_changes import MemoryChanges
from bot.commands.memory_lists import MemoryLists
from bot.commands.memory_making import MemoryMaking
from bot.commands.missed import MissedTalk
from bot.commands.mydata import MyData
from bot.commands.palace import Walks
from bot.commands.place_choices import PlaceChoosing
from bot.commands.places import Places
from bot.commands.proposed import Proposed
from bot.commands.recalling import Recalling
from bot.commands.remembering import Remembering
from bot.commands.removal_requests import RemovalRequests
from bot.commands.reply_reasons import ReplyReasons
from bot.commands.reply_workflows import ReplyWorkflows
from bot.commands.resets import Resets
from bot.commands.resting import AnswerSources
from bot.commands.scratchpad import Scratchpad
from bot.commands.server_erasure import ServerErasure
from bot.commands.settings_overview import SettingsOverview
from bot.commands.settling import Settling
from bot.commands.status import StatusReport
from bot.commands.who import Who
from bot.config import PromptSettings, Settings
from bot.db import embedded, migrations, pool
from bot.db.pool import Database
from bot.domain import Caller, Layer, PlaceSetting, WorkerId
from bot.infra import leases
from bot.infra.background import Background
from bot.infra.database_clock import DatabaseClock
from bot.infra.installation_marks import Marks
from bot.infra.job_runs import Jobs
from bot.infra.metrics import Metrics
from bot.infra.ordering import Lanes
from bot.jobs.schedule import Schedule
from bot.language.tags import tagging
from bot.layers import guild_search, memory_layers
from bot.layers.chain import Chain, NamedSource
from bot.layers.forge.source import ForgeLayer
from bot.layers.guild_search import GuildSearch
from bot.layers.playbook_files import PlaybookFiles
from bot.layers.playbooks import PlaybookLayer
from bot.layers.stored_artifacts import StoredArtifacts
from bot.lifecycle import workflow_files
from bot.lifecycle.condensing import Condenser
from bot.lifecycle.creator import Creator
from bot.lifecycle.departures import Departures
from bot.lifecycle.discord_edits import DiscordEdits
from bot.lifecycle.distilling import Distiller
from bot.lifecycle.learner import Learner
from bot.lifecycle.personal_data import PersonalData
from bot.lifecycle.promotion import Promotions
from bot.lifecycle.residue import ResidueCheck
from bot.lifecycle.reworker import Reworker
from bot.lifecycle.rolling import RollingSummaries
from bot.lifecycle.space_erasure import SpaceErasure
from bot.lifecycle.summaries import Summaries, SummaryDone
from bot.lifecycle.summarizer import Summarizer
from bot.lifecycle.telling_messages import TellingMessages
from bot.lifecycle.workflow_files import WorkflowFile
from bot.lifecycle.workflow_kinds import MEMORY, REPLY
from bot.lifecycle.workflow_runs import WorkflowRuns
from bot.llm.embedder import Embedder
from bot.llm.models import Models
from bot.mcp.tool_servers import ToolServers
from bot.prompting import compose, personas, prompt_tree
from bot.prompting.identity import Identity
from bot.prompting.personas import Household, Personas
from bot.prompting.placed_models import ModelsByPlace
from bot.prompting.session_start import SessionStart
from bot.recall.file_search import AttachmentSearch
from bot.recall.known_names import KnownNames
from bot.recall.ledger_search import LedgerSearch
from bot.recall.librarian import Librarian
from bot.recall.retrievers.happened_since import HappenedSince
from bot.recall.retrievers.keyword_search import KeywordSearch
from bot.recall.retrievers.ledger_retrievers import FirstEntries, RecentEntries, WholeSummary
from bot.recall.retrievers.registry import Retrievers
from bot.recall.retrievers.retrieval import Readers, Retriever
from bot.recall.search_terms import SearchTerms
from bot.store.answer_rules import AnswerChoices
from bot.store.archivist import Archivist
from bot.store.chunks import Chunks
from bot.store.commands_in_hand import CommandsInHand
from bot.store.condensations import Condensations
from bot.store.files.attachments import Attachments
from bot.store.files.pictures import Pictures
from bot.store.gathering import Gathering
from bot.store.learnings import Learnings
from bot.store.makings import Makings
from bot.store.memory_lag import MemoryLag
from bot.store.memory_use import MemoryUse
from bot.store.notes import Notes
from bot.store.people import People
from bot.store.place_settings import Choosable, PlaceSettings
from bot.store.proposals import Proposals
from bot.store.replacements import Replacements
from bot.store.rooms import Rooms
from bot.store.sessions import Sessions
from bot.store.spaces import Spaces
from bot.store.turn_trails import TurnTrails
from bot.store.turns import Turns
from bot.store.unstored import Unstored
from bot.store.vectors.embeddings import Embeddings
from bot.store.vectors.indexer import Indexer
from bot.store.word_counts import WordSampler
from bot.tools import toolsets
from bot.tools.toolsets import Toolsets
from bot.turn import warm_up
from bot.turn.conversation import Conversation
from bot.turn.draft import Desk
from bot.turn.memory_walk import MemoryWalks
from bot.turn.miss_answer import MissAnswers
from bot.turn.model_answer import ModelAnswers
from bot.turn.offline import Offline
from bot.turn.recall_answer import RecallAnswers
from bot.turn.request_answers import RequestAnswers
from bot.turn.search_again import SearchAgain
from bot.turn.workflow_answer import WorkflowAnswers

_log = log.logger(__name__)

RETRIEVERS: Final[tuple[type[Retriever], ...]] = (
    RecentEntries,
    FirstEntries,
    WholeSummary,
    KeywordSearch,
    HappenedSince,
)
"""Every retriever there is: by its name it is a setting, a tool of models and an input of workflows."""


@dataclass(frozen=True, slots=True, kw_only=True)
class App:
    """Every opened part, for the terminal, the cogs and the tests."""

    settings: Settings
    database: Database
    spaces: Spaces
    archivist: Archivist
    librarian: Librarian
    palace: Rooms
    who: Identity
    personas: Personas
    """Who speaks in each place."""
    known_names: KnownNames
    sessions: Sessions
    turns: Turns
    replacements: Replacements
    """Answers that are taken back and given anew."""
    commands_in_hand: CommandsInHand
    summaries: Summaries
    creator: Creator
    lag: MemoryLag
    """What was said and is not yet in memory."""
    learner: Learner
    """Reads what was said before, for whoever is connected to Discord."""
    reworker: Reworker
    """Changes what is in everything of a space, behind whoever asked for it."""
    jobs: Jobs
    models: Models
    tool_servers: ToolServers
    """What else models may call, where settings name MCP servers."""
    commands: Commands
    conversation: Conversation
    schedule: Schedule
    people: People
    answering: AnswerChoices
    """Who is answered in each space."""
    marks: Marks
    discord_edits: DiscordEdits
    personal_data: PersonalData
    telling_messages: TellingMessages
    departures: Departures
    """Servers that Hathi is in no more."""
    notes: Notes
    wake: SessionStart
    """What each session began with."""
    attachments: Attachments
    pictures: Pictures
    """What makes them small for models."""
    picture_areas: Callable[[Caller], Sequence[int]]
    """How small, where the caller asks; none where no model sees."""
    guild_search: GuildSearch
    """Discord's own search, for whoever is connected there."""
    embeddings: Embeddings | None
    """Recall by meaning, where an embedder is configured."""
    metrics: Metrics
    background: Background
    clock: Callable[[], datetime]
    timeline: DatabaseClock | None
    """What the clock goes by; none where one was given."""
    alone: bool
    """Whether no other process can be using the database."""

    async def enter(self, caller: Caller, *, channel_name: str, mode: str) -> Caller:
        """Registers the caller's space and channel; the caller with the settings of the place."""
        place = await self.spaces.ensure(
            caller, channel_name=channel_name, mode=mode, language=self.settings.language, now=self.clock()
        )
        return place.settled(caller)


def _chain(
    remembered: memory_layers.RecallResults,
    session: memory_layers.SessionLayer,
    forge: ForgeLayer,
    stored: StoredArtifacts,
    search: GuildSearch,
    procedures: PlaybookLayer,
) -> Chain:
    """The layers of every walk, in their order, each with its sources."""
    return Chain(
        {
            Layer.PALACE: [
                NamedSource(name=catalogue.later("the palace"), source=memory_layers.PalaceLayer(remembered))
            ],
            Layer.SCRATCHPAD: [NamedSource(name=catalogue.later("this session"), source=session)],
            # What a question names outright comes before what it may mean.
            Layer.ARTIFACTS: [
                NamedSource(name=catalogue.later("the forge"), source=forge, is_outside=True),
                NamedSource(name=catalogue.later("linked messages and files"), source=stored),
                NamedSource(name=catalogue.later("older messages"), source=memory_layers.VerbatimLayer(remembered)),
                NamedSource(name=guild_search.NAME, source=search, is_last=True, is_outside=True),
            ],
            Layer.PROCEDURES: [NamedSource(name=catalogue.later("the playbooks"), source=procedures)],
        }
    )


def _recall_answers(
    settings: Settings,
    librarian: Librarian,
    spaces: Spaces,
    notes: Notes,
    palace: Rooms,
    stored: StoredArtifacts,
    files: AttachmentSearch,
    forge: ForgeLayer,
    search: GuildSearch,
    known_names: KnownNames,
    reasoning: ModelAnswers,
    texts: compose.Texts,
    trails: TurnTrails,
) -> tuple[RecallAnswers, MissAnswers, SearchAgain]:
    """What answers from memory, layer by layer, what does where it has no answer, and what looks further then."""
    session, remembered = memory_layers.SessionLayer(librarian, notes), memory_layers.RecallResults(librarian)
    procedures = PlaybookLayer(
        PlaybookFiles(settings.settings_dir), palace, librarian, named_in=settings.playbooks.named_in
    )
    chain = _chain(remembered, session, forge, stored, search, procedures)
    walks = MemoryWalks(chain, session, search, known_names, files, librarian, reasoning)
    misses = MissAnswers(walks, spaces, reasoning, texts, settings.recall)
    found = RecallAnswers(walks, misses, remembered, procedures, forge, search, reasoning, texts, settings.recall)
    return found, misses, SearchAgain(walks, trails)


@contextlib.asynccontextmanager
async def _meaning(
    settings: Settings, db: Database, metrics: Metrics, spaces: Spaces, worker: WorkerId, clock: Callable[[], datetime]
) -> AsyncGenerator[tuple[Indexer, Embeddings] | tuple[None, None]]:
    """What makes vectors of texts, and what compares them, where an embedder is configured."""
    if settings.roles.embedder is None:
        yield None, None
        return
    async with contextlib.aclosing(Embedder(settings.roles.embedder, metrics=metrics)) as embedder:
        indexer = Indexer(db, embedder, spaces, worker, clock)
        yield indexer, Embeddings(db, embedder, indexer, clock)


utc_now: Final[Callable[[], datetime]] = partial(datetime.now, UTC)
"""The current time, in UTC."""


@contextlib.asynccontextmanager
async def database(settings: Settings, *, own: bool) -> AsyncGenerator[Database]:
    """The configured database, or the embedded one: owned by `run` and `chat`, attached to by other commands."""
    async with contextlib.AsyncExitStack() as stack:
        if settings.database_url is not None:
            dsn = settings.database_url.get_secret_value()
        else:
            server = embedded.owned if own else embedded.attached
            dsn = await stack.enter_async_context(server(settings.data_dir))
        yield await stack.enter_async_context(pool.opened(dsn, settings.database))


async def _time(
    db: Database, given: Callable[[], datetime] | None
) -> tuple[Callable[[], datetime], DatabaseClock | None]:
    """The clock to go by, and what it goes by itself where it is the database's."""
    if given is not None:
        return given, None
    timeline = await DatabaseClock.opened(db)
    return timeline, timeline


def _choosable(models: ModelsByPlace, speakers: Personas, runs: ReplyWorkflows) -> Mapping[PlaceSetting, Choosable]:
    """What may be chosen for a place, by what it is for."""
    return {one.setting: one for one in (models.choosable, speakers.choosable, runs.choosable)}


def _creator(
    settings: Settings,
    db: Database,
    archivist: Archivist,
    gathering: Gathering,
    distiller: Distiller,
    texts: compose.Texts,
    metrics: Metrics,
    worker: WorkerId,
    clock: Callable[[], datetime],
) -> Creator:
    """What makes memory in the background: chunks, the rolling summary, and what long ledgers are condensed into."""
    chunks, chosen = Chunks(db, archivist, worker), settings.memory.chunks
    rolling = RollingSummaries(chunks, distiller.summarizer, texts.roll, clock)
    condenser = Condenser(Condensations(db, worker), distiller.summarizer, texts.condense, chosen.ledger_tokens, clock)
    return Creator(chunks, gathering, distiller, rolling, condenser, chosen, metrics, clock)


def all_retrievers(db: Database, librarian: Librarian, clock: Callable[[], datetime]) -> Retrievers:
    """Every retriever there is."""
    readers = Readers(librarian=librarian, ledger=LedgerSearch(db), clock=clock)
    return Retrievers(retriever(readers) for retriever in RETRIEVERS)


def all_workflows(settings_dir: Path) -> Mapping[str, WorkflowFile]:
    """The workflows of a settings folder, whose steps may name every retriever and persona. Raises `SettingsError`."""
    return _workflows(settings_dir, personas.read(settings_dir))


def _workflows(settings_dir: Path, households: Mapping[str, Household]) -> Mapping[str, WorkflowFile]:
    takes = {retriever.name: retriever.takes for retriever in RETRIEVERS}
    access = {name: one.memory for name, one in personas.each(households).items()}
    return workflow_files.read(settings_dir, takes, access)


def check_retrievers(prompt: PromptSettings) -> None:
    """Raises `SettingsError` where settings name a retriever that there is none of."""
    known = [retriever.name for retriever in RETRIEVERS]
    for name in prompt.retrieved:
        if name not in known:
            told = f"prompt.retrieved: there is no retriever {name!r}; there are {', '.join(known)}."
            raise errors.SettingsError(told)


@dataclass(frozen=True, slots=True, kw_only=True)
class WrittenFiles:
    """What stands in files beside the settings, or comes with Hathi."""

    prompts: Mapping[str, prompt_tree.Section]
    workflows: Mapping[str, WorkflowFile]
    households: Mapping[str, Household]
    """Who may be chosen to speak."""


def check(settings: Settings) -> WrittenFiles:
    """What is written for models, before anything is started.

    Raises `SettingsError` for what is wrong in it, and what settings name that is not there.
    """
    check_retrievers(settings.prompt)
    toolsets.check(settings, RETRIEVERS)
    folder = settings.settings_dir
    prompts, households = compose.roots(folder, settings.roles), personas.read(folder)
    return WrittenFiles(prompts=prompts, workflows=_workflows(folder, households), households=households)


def _written(settings: Settings) -> tuple[compose.Texts, Mapping[str, WorkflowFile], Personas]:
    """What models are told, the workflows and the personas; the log names files of prompts that none uses.

    Raises as `check`.
    """
    found = check(settings)
    prompts = [*found.prompts.values(), *personas.sections(found.households)]
    if left := prompt_tree.unused(settings.settings_dir, prompts):
        _log.warning("prompts.unused", files=left)
    return compose.texts(found.prompts), found.workflows, Personas(found.households)


@contextlib.asynccontextmanager
async def opened(
    settings: Settings,
    db: Database,
    *,
    announce: Callable[[SummaryDone], Awaitable[None]],
    alone: bool,
    clock: Callable[[], datetime] | None = None,
    worker: WorkerId | None = None,
) -> AsyncGenerator[App]:
    """Opens the application on a database that is migrated then; `worker` names it, if this process's name is not to.

    It goes by the database's clock, or by one that is given and believed whatever it tells. Raises `SettingsError` for
    workflows that can't be run.
    """
    texts, workflows, speakers = _written(settings)
    async with contextlib.AsyncExitStack() as stack:
        if ran := await migrations.migrate(db):
            _log.info("app.migrated", files=ran)
        clock, timeline = await _time(db, clock)
        worker = worker or leases.this_worker()
        metrics, servers = Metrics(), contextlib.aclosing(ToolServers(settings.mcp.servers))
        models = await stack.enter_async_context(
            contextlib.aclosing(Models(settings.roles, metrics=metrics, choosable=settings.models))
        )
        tool_servers, background = await stack.enter_async_context(servers), Background()
        stack.push_async_callback(background.close)
        registry, known_names = tagging.Registry(settings.domains), KnownNames(db, clock, background.spawn)
        archivist = Archivist(db, registry, changed=known_names.changed, learns=speakers.learns)
        spaces, jobs = Spaces(db, changed=known_names.changed), Jobs(db, worker)
        indexer, embeddings = await stack.enter_async_context(_meaning(settings, db, metrics, spaces, worker, clock))
        librarian = Librarian(db, registry, embeddings=embeddings)
        # Half of them may be Hathi's own, which are not counted there.
        gathering = Gathering(settings.memory.chunks.messages // 2)
        turns, proposals = Turns(db, worker, said=gathering.said), Proposals(db, archivist)
        sessions, placed = Sessions(db, archivist, worker), ModelsByPlace(models, settings.prompt.budget)
        use, lag, words = MemoryUse(db), MemoryLag(db, clock), WordSampler(db)
        summarizer = Summarizer(models, use, settings.memory.budget, metrics, clock)
        chunking = settings.memory.chunks
        retrievers, making = all_retrievers(db, librarian, clock), workflow_files.of_kind(workflows, MEMORY)
        distiller = Distiller(
            db,
            librarian,
            retrievers,
            summarizer,
            WorkflowRuns(models),
            registry,
            texts.summary,
            making,
            chunking.makes,
            speakers.learns,
        )
        summaries = Summaries(sessions, turns, distiller, chunking, metrics, clock)
        creator = _creator(settings, db, archivist, gathering, distiller, texts, metrics, worker, clock)
        discord_edits, erasure = DiscordEdits(db, archivist), SpaceErasure(db, archivist)
        unstored, keep_days = Unstored(db, archivist), settings.messages.keep_days
        learner = Learner(
            learnings := Learnings(db, archivist, unstored, worker),
            distiller,
            discord_edits,
            spaces,
            unstored,
            settings.memory.chunks,
            timedelta(days=keep_days) if keep_days else None,
            background.spawn,
            clock,
        )
        personal_data, departures = PersonalData(db, archivist, discord_edits, erasure), Departures(db, erasure)
        palace, reworker = Rooms(db), Reworker(db, archivist, background.spawn, clock)
        who = Identity(settings.settings_dir, spaces, clock, most=settings.prompt.budget.identity)
        notes, wake = Notes(db, archivist, settings.notes), SessionStart(db, who.of)
        promotions, walks = (
            Promotions(db, archivist, librarian, notes, registry),
            Walks(palace, librarian, archivist, reworker, clock),
        )
        files, attachments, people, trails = AttachmentSearch(db), Attachments(db), People(db), TurnTrails(db)
        lists, places = MemoryLists(librarian, clock), Places(librarian, settings.memory.active, placed, clock)
        resets = Resets(sessions, summaries, archivist, librarian, settings.reset, background.spawn, clock)
        my_data, searches, placing = (
            MyData(personal_data, clock, privacy_url=settings.community.privacy),
            settings.recall.discord_search,
            PlaceChoosing(
                PlaceSettings(db),
                _choosable(placed, speakers, runs := ReplyWorkflows(workflow_files.of_kind(workflows, REPLY))),
                clock,
            ),
        )
        commands = Commands(
            about_me=AboutMe(librarian, spaces, people, clock),
            changes=MemoryChanges(archivist, librarian, places, sessions, resets, walks, notes, clock),
            community=Community(
                spaces,
                people,
                reworker,
                ServerErasure(erasure, clock),
                learner,
                SettingsOverview(spaces, placing, who, speakers, AnswerChoices(db), learnings, settings),
                clock,
                searches=searches,
                keep_days=keep_days,
            ),
            forgetting=Forgetting(archivist, librarian, my_data, clock),
            identity=IdentitySettings(who, speakers),
            including=Including(unstored, distiller, discord_edits, clock),
            learning=LearnRequests(
                learnings,
                learner,
                spaces,
                clock,
                summarizer=settings.roles.summarizer,
                instructions=texts.summary,
                keep_days=keep_days,
                chunk=settings.memory.chunks.messages,
            ),
            lists=lists,
            missed=MissedTalk(retrievers["since"], LedgerSearch(db), librarian, clock),
            making=MemoryMaking(Makings(db), making, chunking.makes),
            my_data=my_data,
            placing=placing,
            proposed=Proposed(proposals, clock),
            recalling=Recalling(librarian, files, LedgerSearch(db), lists, clock),
            remembering=Remembering(archivist, places, registry, clock),
            removals=RemovalRequests(archivist, librarian, clock),
            reply_reasons=ReplyReasons(trails, librarian, clock),
            resets=resets,
            scratchpad=Scratchpad(notes, promotions, places, wake, spaces, clock),
            settling=Settling(archivist, librarian, clock),
            sources=AnswerSources(trails),
            status=StatusReport(db, librarian, jobs, models, summarizer, lag, reworker, erasure, embeddings, clock),
            summary=ChannelSummary(librarian, creator, background.spawn),
            walks=walks,
            whom=Who(AnswerChoices(db)),
            workflows=runs,
        )
        desk = Desk(database=db, turns=turns, archivist=archivist, proposals=proposals, metrics=metrics, clock=clock)
        stored = StoredArtifacts(librarian, attachments, files, trails)
        forge = await stack.enter_async_context(contextlib.aclosing(ForgeLayer(settings.forge)))
        reasoning = ModelAnswers(
            placed,
            librarian,
            commands,
            who,
            wake,
            texts,
            settings,
            retrievers,
            Toolsets(retrievers, tool_servers, settings.toolsets),
            (stored, forge),
        )
        search = GuildSearch(spaces, people, librarian, SearchTerms(db), is_on=searches)
        recall_answers, miss_answers, search_again = _recall_answers(
            settings,
            librarian,
            spaces,
            notes,
            palace,
            stored,
            files,
            forge,
            search,
            known_names,
            reasoning,
            texts,
            trails,
        )
        conversation = Conversation(
            desk,
            librarian,
            commands,
            Offline(turns),
            reasoning,
            recall_answers,
            miss_answers,
            Lanes(),
            RequestAnswers(commands, who, forge, chats=reasoning.possible),
            WorkflowAnswers(
                commands.workflows, speakers.each, placed, reasoning, miss_answers, retrievers, texts, settings
            ),
            speakers,
            search_again,
        )
        schedule = Schedule(
            spaces,
            archivist,
            sessions,
            summaries,
            creator,
            learner,
            reworker,
            jobs,
            settings,
            background.spawn,
            announce,
            clock,
            notes=notes,
            wake=wake,
            departures=departures,
            personal_data=personal_data,
            erasure=erasure,
            use=use,
            lag=lag,
            words=words,
            timeline=timeline,
            metrics=metrics,
            residue=ResidueCheck(db, metrics),
            indexer=indexer,
        )
        warm_up.soon(background.spawn)
        yield App(
            settings=settings,
            database=db,
            spaces=spaces,
            archivist=archivist,
            librarian=librarian,
            known_names=known_names,
            sessions=sessions,
            turns=turns,
            replacements=Replacements(db, archivist, worker),
            commands_in_hand=CommandsInHand(db, turns, clock),
            summaries=summaries,
            creator=creator,
            lag=lag,
            learner=learner,
            reworker=reworker,
            jobs=jobs,
            models=models,
            tool_servers=tool_servers,
            commands=commands,
            conversation=conversation,
            schedule=schedule,
            people=people,
            answering=AnswerChoices(db),
            marks=Marks(db),
            discord_edits=discord_edits,
            personal_data=personal_data,
            telling_messages=TellingMessages(db),
            departures=departures,
            attachments=attachments,
            pictures=Pictures(),
            picture_areas=reasoning.picture_areas,
            guild_search=search,
            notes=notes,
            wake=wake,
            embeddings=embeddings,
            palace=palace,
            who=who,
            personas=speakers,
            metrics=metrics,
            background=background,
            clock=clock,
            timeline=timeline,
            alone=alone,
        )
