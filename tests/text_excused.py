"""Functions that take a string, or something that carries one, and are not run on hostile texts; by the reason why."""

from types import MappingProxyType
from typing import Final

EXCUSED: Final = MappingProxyType({
    "It takes a name or a word of the program's own, or of whoever runs it.": """
        bot.arguments.Arguments.number bot.arguments.Arguments.word bot.arguments.Arguments.words
        bot.commands.grammar.explain bot.commands.introduction.to_person bot.commands.introduction.to_person_elsewhere
        bot.commands.introduction.to_author bot.commands.introduction.to_community bot.plain_text.counted
        bot.commands.introduction.needed
        cogs.forms.form bot.commands.render.more bot.commands.render.paged bot.commands.trails.Trail.origin
        bot.db.embedded.process.complaint bot.db.statements.load bot.db.statements.named bot.gateway.point_at
        bot.llm.client.Models.stream bot.llm.failures.wait_asked_for bot.llm.wire.Received.finished
        bot.llm.wire.request bot.log.configure bot.log.logger bot.memory.archivist.Author.person
        bot.memory.patterns.by_first_word bot.memory.patterns.any_of bot.memory.patterns.compiled
        bot.memory.patterns.either
        bot.memory.patterns.vocabulary bot.memory.workers.certainly_gone bot.metrics.Metrics.turn_answered
        bot.quoting.small bot.retrieval.cue_rules.rule bot.retrieval.forge.wire.has_failed
        bot.retrieval.recollected.finding bot.retrieval.shelf.shipped bot.terminal.caller bot.transfer.records.told
        cogs.controls.turn cogs.dispatch.is_private cogs.errors.Troubles.sentence cogs.late_body.LateBody.decode
        cogs.options.compiled cogs.options.form_name cogs.options.of cogs.options.of_form cogs.options.of_kind
        cogs.slash.command cogs.suggestions.Suggestions.of bot.retrieval.forge.cache.Cache.drop
        bot.retrieval.forge.cache.Cache.find bot.retrieval.forge.cache.Cache.keep
    """,
    "It looks at other fields, or hands the text on as it is.": """
        bot.gateway.hear_people bot.looking.Looking.end bot.retrieval.recollected.Remembered.begin
        bot.retrieval.recollected.Remembered.end bot.draft.Draft.nearby_stands bot.quoting.record bot.quoting.again
        bot.retrieval.recollected.told_last_first bot.memory.times.Span.overlaps
        bot.memory.rows.message bot.retrieval.checks.case.Case.stray_orders
        bot.memory.file_texts.is_picture bot.retrieval.checks.case.Case.periods bot.retrieval.checks.case.Case.said_at
        bot.retrieval.checks.case.Case.day_said bot.retrieval.checks.case.Case.said_on
        bot.retrieval.checks.case.Case.source cogs.chat.Chat.outlet
        cogs.controls.under cogs.hearing.replies_to cogs.recent.Recent.wants
        bot.arguments.complete bot.arguments.needed bot.commands.reasons.how bot.commands.render.asked
        bot.commands.trails.read bot.draft.Draft.whole bot.llm.failures.of_status bot.memory.approval.approved
        bot.memory.asking.Read.asked bot.memory.embedding_table.array bot.memory.turns.question_of
        bot.terminal.Screen.line bot.terminal.Screen.more cogs.attachment_texts.AttachmentTexts.fetch
        cogs.chat.Chat.question cogs.controls.into cogs.controls.of cogs.controls.page_view cogs.controls.palace_view
        cogs.controls.swapped cogs.directories.Directories.note cogs.hearing.is_persons cogs.hearing.is_to
        cogs.menus.picks cogs.outlet.Outlet.adopt cogs.posts.Posts.adopt cogs.posts.Posts.outdated
        cogs.posts.Posts.write cogs.graphemes.extends
    """,
    "It reads what was taken apart already, tag by tag, number by number or word by word.": """
        bot.memory.ranking.held bot.memory.ranking.rank bot.memory.ranking.held_together bot.memory.neighbours.together
        bot.memory.neighbours.link bot.memory.neighbours.link_all bot.memory.embeddings.key_of
        bot.retrieval.checks.polarity.numbers_shown
        bot.memory.tagging.Registry.of_domains bot.memory.tagging.first_workflows bot.memory.tagging.ordered
        bot.retrieval.checks.citations.labels_of bot.retrieval.checks.days.Calendar.holds
        bot.retrieval.checks.days.concrete bot.retrieval.checks.days.days_of bot.retrieval.checks.numbers.is_count
        bot.retrieval.checks.numbers.is_moved bot.retrieval.checks.numbers.is_reckoned
        bot.retrieval.checks.numbers.Told.alike bot.retrieval.checks.numbers.Told.has
        bot.retrieval.checks.case.Case.reckoned
        bot.retrieval.checks.telling.Telling.is_when bot.retrieval.checks.texts.is_content
        bot.retrieval.checks.texts.beginnings bot.retrieval.checks.texts.is_akin
        bot.retrieval.checks.case.Case.cited_by bot.retrieval.checks.case.Case.held
        bot.retrieval.checks.case.Case.is_person bot.retrieval.checks.case.Case.own
        bot.retrieval.checks.case.Case.rests_on
    """,
    "It is run with the whole it is a part of: the check of answers, the detector, a listing, what is heard.": """
        bot.commands.Commands.tags_of bot.commands.render.said_lines bot.retrieval.checks.case.Case.bared
        bot.retrieval.checks.case.Case.dated
        bot.retrieval.checks.case.Case.is_stray_order bot.retrieval.detector.weighed
        bot.retrieval.recollected.near_the_best
        bot.retrieval.name_cues.spoken bot.retrieval.names.Names.spoken_in bot.retrieval.word_cues.words_against
        bot.retrieval.word_cues.words_for bot.commands.render.listed bot.commands.render.recollection
        bot.commands.render.session_entry bot.commands.render.session_lines bot.llm.tokens.estimate_message
        bot.quoting.source_line cogs.embeds.can_be_explained cogs.chat.Chat.text_of cogs.hearing.hear cogs.hearing.said
    """,
})  # fmt: skip
