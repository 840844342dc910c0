"""The numbers that the documents tell are those of the program."""

import re
from datetime import timedelta
from pathlib import Path
from typing import Final

import pytest

from bot import errors
from bot.arguments import Number
from bot.cli import doctor, service
from bot.commands import palace, reply_reasons, scratchpad
from bot.commands.grammar import GRAMMARS
from bot.commands.remembering import ASKED_IMPORTANCE
from bot.config import ModelSettings, Settings
from bot.connection import refused_requests
from bot.db import health
from bot.db.embedded import server
from bot.domain import UNDO_WINDOW
from bot.infra import leases, ordering, pulse
from bot.language.statements import extraction, left_off, signs
from bot.language.tags import tagging
from bot.layers import guild_search, playbook_files
from bot.layers.forge import cache, forge_requests, references
from bot.layers.forge import source as forge
from bot.lifecycle import departures, model_facts
from bot.llm import embedder as requests
from bot.prompting import evidence, session_start
from bot.recall import query, ranking, search, strategies
from bot.store import archivist, notes, reply_sources, sessions, turns
from bot.store.files import attachments, file_types, pdfs
from bot.store.vectors import embeddings, indexer, vector_table
from bot.text import message_links, normalize
from bot.tools import allowance
from bot.turn import draft
from cogs.catchup import last_heard, missed_messages, source_check
from cogs.chat import chat, question_context, recent_messages
from cogs.chat import discord_search as channels_searched
from cogs.commands import dispatch
from cogs.events import include_button
from cogs.send import request_pace
from tests.benchmarks import tools
from tests.deploy.test_service import settings

ROOT: Final = Path(__file__).parents[1]
SETTINGS: Final = Settings()
ARCHITECTURE, DECISIONS, DISCORD = "docs/ARCHITECTURE.md", "docs/DECISIONS.md", "docs/DISCORD.md"
COMMANDS, HELP, MODELS, SETTINGS_PAGE = "docs/COMMANDS.md", "docs/HELP.md", "docs/MODELS.md", "docs/SETTINGS.md"
README, OPERATIONS, PRIVACY, MEMORY = (
    "README.md",
    "docs/OPERATIONS.md",
    "docs/PRIVACY.md",
    "docs/MEMORY_ARCHITECTURE.md",
)
SCALE: Final = "docs/SCALE.md"
ACTIVE: Final = SETTINGS.memory.active
BUDGET: Final = SETTINGS.prompt.budget


def s(span: timedelta) -> int:
    return int(span.total_seconds())


def minutes(span: timedelta) -> int:
    return s(span) // 60


TOLD: Final = (
    (SCALE, "{} a process (`database.pool_size`)", SETTINGS.database.pool_size),
    (OPERATIONS, "come first, by at most {} requests a second", request_pace.A_SECOND),
    (OPERATIONS, "`recovery.waits` ({} requests were refused within ten minutes", refused_requests.MANY),
    (OPERATIONS, "has stood still for {} s: stopped", s(pulse.STILL_AFTER)),
    (OPERATIONS, "was last alive, written every {} s", s(pulse.EVERY)),
    (DISCORD, "`hathi doctor` says so from {:,} members on", doctor.MANY_MEMBERS),
    (ARCHITECTURE, "by {} requests a second at most", request_pace.A_SECOND),
    (PRIVACY, "back to the last reset and {} messages at most", include_button.MOST),
    (ARCHITECTURE, "past {} refusals in ten minutes", refused_requests.MANY),
    (ARCHITECTURE, "a note written every {} seconds", last_heard.WRITE_EVERY),
    (
        PRIVACY,
        "ends by itself after {} days without a message, with {:,} messages",
        sessions.IDLE.days,
        sessions.MOST_MESSAGES,
    ),
    (PRIVACY, "back within {} days everything is as it was", departures.KEPT.days),
    (PRIVACY, "or that was deleted: everything | {} days", departures.KEPT.days),
    (HELP, "remove Hathi from it and let it run for {} days more", departures.KEPT.days),
    (MODELS, "Prompts are kept within {:,} tokens", ModelSettings.model_fields["max_context"].default),
    (OPERATIONS, "servers that have been gone for {} days", departures.KEPT.days),
    (MEMORY, "after {} quiet days or {:,} messages it ends by itself", sessions.IDLE.days, sessions.MOST_MESSAGES),
    (MEMORY, "From {} points on it is kept", signs.LEAST),
    (MEMORY, "at most {} a session. The points were fitted", extraction.MAX_FACTS),
    (MEMORY, "in at most {} characters (`bot/language/statements/left_off.py`)", left_off.LONGEST),
    (
        COMMANDS,
        "One person can give {} commands in {} seconds in a channel",
        dispatch.COMMANDS,
        s(dispatch.COMMANDS_IN),
    ),
    (COMMANDS, "have {} things kept in an hour", archivist.MOST_SAVED * timedelta(hours=1) // archivist.SAVED_WITHIN),
    (COMMANDS, "and {} memories pinned at a time", archivist.MOST_PINNED),
    (COMMANDS, "says in at most {} tokens who Hathi is", BUDGET.identity),
    (SETTINGS_PAGE, "who Hathi is and what for, at most {} tokens", BUDGET.identity),
    (
        SETTINGS_PAGE,
        "documented ways of doing things, {} files of at most {} KiB",
        playbook_files.MOST,
        playbook_files.LARGEST // 1024,
    ),
    (COMMANDS, "erases them when the {} minutes of `!undo` are over", minutes(UNDO_WINDOW)),
    (COMMANDS, "undo for {} minutes", minutes(UNDO_WINDOW)),
    (COMMANDS, "reset, ageing or note ({} minutes)", minutes(UNDO_WINDOW)),
    (COMMANDS, "(from importance {})", ACTIVE.min_importance),
    (COMMANDS, "{} a setting is missing or wrong", errors.SettingsError.exit_code),
    (OPERATIONS, "Exit {}, a wrong setting or a refused token", errors.SettingsError.exit_code),
    (OPERATIONS, "Up to {:,} memories are counted", health.COUNTED_UP_TO),
    (OPERATIONS, "answers and commands in progress have {} seconds", s(chat.DRAIN)),
    (OPERATIONS, "Then summaries have {:.0f} seconds", service.SUMMARIES_AT_MOST),
    (OPERATIONS, "questions under {} minutes old are answered", minutes(turns.ANSWER_WITHIN)),
    (OPERATIONS, "if it is under {} minutes old", minutes(turns.ANSWER_WITHIN)),
    (
        OPERATIONS,
        "each channel's last {} messages of the last {} days are looked through",
        missed_messages.MOST_MISSED,
        missed_messages.LOOK_BACK.days,
    ),
    (OPERATIONS, "the channel's history ({} messages)", missed_messages.MOST_MISSED),
    (OPERATIONS, "put aside at {} MB", server.LOG_LIMIT // 10**6),
    (OPERATIONS, "never waits longer than {} s for the embedder", embeddings.PATIENCE.total_seconds()),
    (OPERATIONS, "A text is cut to {:,} letters", requests.LONGEST_TEXT),
    (OPERATIONS, "Up to {:,} dimensions are indexed, up to {:,} at half", vector_table.WHOLE, vector_table.INDEXED),
    (OPERATIONS, "makes spaces of more than {:,} texts slow", embeddings.COMPARED),
    (OPERATIONS, "A request has {} seconds, a question {}", s(forge_requests.TIMEOUT), s(forge.BUDGET)),
    (OPERATIONS, "{} and {} MiB at most", cache.MOST, cache.MOST_BYTES // 2**20),
    (OPERATIONS, "for more than {} s", s(draft.DATABASE_PATIENCE)),
    (OPERATIONS, "`timeout_total` or {:,} characters", draft.LONGEST),
    (
        OPERATIONS,
        "is started again after {} s, then every {} s",
        s(server.RESTART_PAUSE),
        s(server.RESTART_PAUSE_AFTER_FAILURE),
    ),
    (OPERATIONS, "I have {} questions waiting in this channel", ordering.MOST_WAITING),
    (OPERATIONS, "one person, one channel: {} questions in {} s", chat.QUESTIONS, s(chat.QUESTIONS_IN)),
    (OPERATIONS, "{} commands in {} s", dispatch.COMMANDS, s(dispatch.COMMANDS_IN)),
    (
        OPERATIONS,
        "tried again after {}, 2, 4, 8 and {} minutes, then made by rule",
        minutes(leases.FIRST_RETRY),
        minutes(sessions.LONGEST_RETRY),
    ),
    (OPERATIONS, "of up to {:,} texts a run, {:,} of one space", indexer.MOST_A_RUN, indexer.MOST_A_SPACE),
    (PRIVACY, "{} days (`messages.keep_days`", SETTINGS.messages.keep_days),
    (PRIVACY, "each up to {} MiB and {:,} characters", file_types.MOST_BYTES // 2**20, file_types.MOST_CHARACTERS),
    (PRIVACY, "When the {} minutes of `!undo` are over", minutes(UNDO_WINDOW)),
    (
        PRIVACY,
        "among the last {} messages of the last {} days of each channel",
        missed_messages.MOST_MISSED,
        missed_messages.LOOK_BACK.days,
    ),
    (PRIVACY, "{:,} letters, without names", requests.LONGEST_TEXT),
    (
        PRIVACY,
        "The last {} messages of the {} channels Hathi was asked in last",
        recent_messages.MOST,
        recent_messages.CHANNELS,
    ),
    (PRIVACY, "the last {} messages of the channel (`[prompt] around`", SETTINGS.prompt.around),
    (PRIVACY, "each of the {} messages of a server that its newest answers", source_check.MOST_ELSEWHERE),
    (MEMORY, "| {} unless given | `user`, or `directive`", ASKED_IMPORTANCE),
    (MEMORY, "an answer of Hathi's that a person approves of | {} |", ASKED_IMPORTANCE),
    (MEMORY, "a note that a person promotes | {} unless given", scratchpad.PROMOTED_IMPORTANCE),
    (MEMORY, "by the summarizer | as it rates, at most {};", model_facts.MODEL_CAP),
    (MEMORY, "nothing visible and more than {:,} characters", normalize.MAX_LENGTH),
    (
        MEMORY,
        "saves something new {} times an hour in a space",
        archivist.MOST_SAVED * timedelta(hours=1) // archivist.SAVED_WITHIN,
    ),
    (
        MEMORY,
        "A model saves {} memories a turn, and calls {} tools in {} rounds",
        archivist.MOST_BY_MODEL,
        allowance.MOST_CALLS,
        allowance.MOST_ROUNDS,
    ),
    (DECISIONS, "may add {} ms outside the model, a delegation {}**", tools.ROUND, tools.DELEGATION),
    (MEMORY, "a person has at most {} memories pinned", archivist.MOST_PINNED),
    (MEMORY, "a session has at most {}", notes.MOST),
    (MEMORY, "the week before ({} at most, among the newest {} memories", session_start.ROOMS, session_start.NEWEST),
    (
        MEMORY,
        "session before ({}), and the notes that live of this session and the one before ({})",
        session_start.MEMORIES,
        session_start.NOTES,
    ),
    (MEMORY, "Promotions come first into {} tokens", session_start.MAX_TOKENS),
    (MEMORY, "cut to {} characters and quoted as data", session_start.LINE),
    (MEMORY, "{} tags of a memory in all", tagging.MOST),
    (MEMORY, "from the first {:,} characters", tagging.READ),
    (
        MEMORY,
        "up to {} short rows of importance ≥ {}, at most {} tokens",
        ACTIVE.rows,
        ACTIVE.min_importance,
        BUDGET.active,
    ),
    (MEMORY, "at most {}: the longest", query.MOST_WORDS),
    (MEMORY, "of them the {} memories and {} messages", search.CORE, search.CORE),
    (MEMORY, "{} of the best message of its session, {} of all the words", ranking.SESSION, ranking.COVERED),
    (MEMORY, "halved every {} days", ranking.HALF_LIFE.days),
    (
        MEMORY,
        "it is {} to a question about the past, {} to any other and {} in a list",
        search.TOLD,
        search.TOLD_UNASKED,
        search.LISTED,
    ),
    (MEMORY, "at most three quotations of {} characters together", evidence.ROOM),
    (MEMORY, "At most {:,} memories are counted", strategies.CANDIDATES),
    (MEMORY, "takes at most {} phrases between semicolons", strategies.MOST_PHRASES),
    (MEMORY, "It is worth {} in the topic, {} in the content", strategies.TOPIC, strategies.CONTENT),
    (MEMORY, "under the work's name (importance {})", palace.PLAYBOOK_IMPORTANCE),
    (MEMORY, "memory of what is filed in it (importance {},", palace.ROOM_IMPORTANCE),
    (MEMORY, "latest layout back within {} minutes", minutes(UNDO_WINDOW)),
    (MEMORY, "the first {} by name, at most {} KiB each", playbook_files.MOST, playbook_files.LARGEST // 1024),
    (MEMORY, "says who Hathi is and what for, in at most {} tokens", BUDGET.identity),
    (MEMORY, "PDF up to {} MiB each", file_types.MOST_BYTES // 2**20),
    (MEMORY, "{:,} characters are kept, of a PDF those of {} pages", file_types.MOST_CHARACTERS, pdfs.MOST_PAGES),
    (MEMORY, "its text ({} characters)", reply_reasons.EXCERPT),
    (MEMORY, "question ({} messages, with the files of what goes)", reply_sources.IN_SIGHT),
    (MEMORY, "each of the {} messages that the newest such replies", source_check.MOST_ELSEWHERE),
    (MEMORY, "at most {}, those last written in first", channels_searched.MOST_CHANNELS),
    (MEMORY, "Erased when {} minutes are over", minutes(UNDO_WINDOW)),
    (MEMORY, "rows older than {} hours", s(archivist.Ageing().older_than) // 3600),
    (MEMORY, "{} at a time until none is due", archivist.Ageing().max_rows),
)
"""By document: a sentence of it, and what the program has in the place of its numbers."""
IN_WORDS: Final = (
    (OPERATIONS, "five references of a question are looked up", references.MOST),
    (PRIVACY, "the text of up to five a message", attachments.MOST),
    (PRIVACY, "the message it replies to with up to four that stand behind", question_context.REPLIES - 1),
    (README, "brings it back for ten minutes", minutes(UNDO_WINDOW)),
    (README, "every sixty messages", SETTINGS.memory.chunks.messages),
    (README, "after six hours of silence", s(SETTINGS.memory.chunks.idle) // 3600),
    (PRIVACY, "twice at most, for three seconds", s(guild_search.PATIENCE)),
    (MEMORY, "at most five, and that one", message_links.MOST),
    (MEMORY, "a word of six letters", reply_sources.LONG),
    (MEMORY, "five steps far", reply_sources.STEPS),
)
WORDS: Final = {"three": 3, "four": 4, "five": 5, "six": 6, "ten": 10, "sixty": 60}


def plain(document: str) -> str:
    """A document on one line."""
    return " ".join((ROOT / document).read_text("utf-8").split())


@pytest.mark.parametrize("told", TOLD, ids=lambda told: told[1])
def test_a_number_of_a_document_is_the_program_s(told: tuple[str, str, *tuple[float, ...]]) -> None:
    """Whoever changes the one has to change the other."""
    document, sentence, *numbers = told
    assert sentence.format(*numbers) in plain(document)


@pytest.mark.parametrize("told", IN_WORDS, ids=lambda told: told[1])
def test_a_number_in_words_is_the_program_s(told: tuple[str, str, int]) -> None:
    """The same where it is spelt out."""
    document, sentence, number = told
    assert sentence in plain(document)
    assert [number] == [WORDS[word] for word in re.findall(r"\w+", sentence) if word in WORDS]


def test_how_long_the_service_waits_is_the_unit_s() -> None:
    """For a stop, and for a loop that stands still, as the unit that is shipped has it."""
    assert f"allow {settings('TimeoutStopSec')[0].removesuffix('s')} seconds" in plain(OPERATIONS)
    assert f"stands still for {settings('WatchdogSec')[0].removesuffix('s')} seconds is aborted" in plain(OPERATIONS)


def test_what_a_million_servers_cost_adds_up() -> None:
    """By the prices and the sizes that are told beside it."""
    told = plain(SCALE)

    def number(sentence: str) -> float:
        found = re.search(sentence.replace("#", r"([\d.,]*\d)"), told)
        assert found is not None, sentence
        return float(found[1].replace(",", ""))

    core, memory, disk = map(number, ("At # dollars a core", "month, # a GB of memory", "memory and # a GB of disk"))
    servers = -(-1_000_000 // number("at about # servers under"))
    held = servers * number("With # GB of memory that ends")
    cores = servers * number("processors, # for each of these") + number("these and # for the processes")
    stored, running = number("go after 365 days . # MB") * 1000, 50 * number(r"has # GB by the figure above")
    assert held == number(rf"memory of {servers:.0f} Postgres servers[^|]*\| # GB")
    parts = [stored * disk, running * memory, held * memory, cores * core]
    written = [
        number(rf"{what}[^|]*\|[^|]*\| #") for what in ("disk", "memory of fifty", "memory of 21", "processors,")
    ]
    assert written == pytest.approx(parts)
    assert number(r"together \| \| #") == sum(written)


def test_the_bounds_of_importance_are_the_grammar_s() -> None:
    """Of all arguments the documents name only its."""
    importance = GRAMMARS["remember"].named["importance"]
    assert isinstance(importance, Number)
    assert f"importance {importance.low}\u2013{importance.high}" in plain(MEMORY)
