"""Functions that take a string, or something that carries one, and are not run on hostile texts; by the reason why."""

from types import MappingProxyType
from typing import Final

EXCUSED: Final = MappingProxyType(
    {
        "It takes a name or a word of the program's own, or of whoever runs it.": """
        bot.tools.definitions.spec_of bot.tools.toolsets.unfit
        bot.llm.models.Models.choosing bot.llm_roles.completed bot.presentation.held_settings.line
        bot.presentation.held_settings.named bot.presentation.held_settings.gone
        bot.prompting.compose.texts bot.turn.memory_walk.listed
        bot.prompting.prompt_tree.read bot.prompting.prompt_tree.unused bot.config.place
        bot.prompting.prompt_tree.Section.without bot.__main__.prompts_show bot.cli.prompts.shown
        bot.catalogue.both bot.catalogue.either bot.text.notices.ends_conversation bot.text.notices.tells_of_forgotten
        bot.text.notices.without_superseded
        bot.catalogue.gettext bot.catalogue.in_all bot.catalogue.in_language bot.catalogue.later bot.catalogue.ngettext
        bot.arguments.Arguments.number bot.arguments.Arguments.word bot.arguments.Arguments.words
        bot.commands.grammar.explain bot.commands.who.admit bot.presentation.introduction.to_person
        bot.presentation.introduction.to_author bot.presentation.introduction.to_overheard
        bot.presentation.introduction.to_included cogs.ui.reset_messages.included
        bot.presentation.introduction.to_community bot.presentation.introduction.policy bot.text.sanitize.counted
        bot.db.statements.whole bot.text.amounts.told
        bot.presentation.introduction.needed bot.presentation.held_settings.changed
        cogs.ui.forms.form bot.presentation.render.more
        bot.presentation.render.paged bot.store.trail.Trail.origin bot.db.embedded.process.complaint
        bot.db.pool.affected bot.db.statements.load bot.db.statements.named bot.connection.gateway.point_at
        bot.llm.models.Models.stream bot.llm.failures.wait_asked_for bot.llm.completions.Received.finished
        bot.llm.completions.request bot.llm.model_files.spoilt bot.llm.sentence_model.fingerprint bot.log.configure
        bot.log.logger bot.store.archivist.Author.person
        bot.store.archivist.Author.of
        bot.text.patterns.by_first_word bot.text.patterns.any_of bot.text.patterns.compiled
        bot.text.patterns.either bot.text.patterns.vocabulary bot.text.short_forms.table bot.infra.leases.certainly_gone
        bot.language.statements.worth.points
        bot.infra.metrics.Metrics.residue_found
        bot.infra.metrics.Metrics.turn_answered bot.prompting.evidence.small bot.language.past.cue_rules.rule
        bot.grounding.deed_idioms.of bot.language.past.abroad.language_cues.cues
        bot.language.past.abroad.language_cues.spellings
        bot.layers.forge.forge_json.has_failed bot.layers.memory_layers.finding
        bot.cli.evaluation.write bot.cli.chunk_evaluation.shares
        bot.layers.playbook_files.shipped bot.cli.terminal.caller bot.transfer.records.told
        bot.transfer.foreign.tally.Tally.come bot.transfer.foreign.tally.Tally.leave bot.__main__.import_
        cogs.ui.buttons.turn cogs.ui.buttons.forget cogs.ui.buttons.kept cogs.ui.buttons.known
        cogs.ui.introductions.drawn cogs.ui.drawn_lists.gone
        cogs.commands.dispatch.is_private cogs.tell.error_notices.ErrorNotices.sentence
        cogs.send.late_body.LateBody.decode cogs.ui.options.compiled cogs.ui.options.form_name
        cogs.ui.options.of cogs.ui.options.of_form cogs.ui.options.of_kind cogs.ui.layouts.text
        cogs.commands.drawing.Drawing.add cogs.ui.introductions.drawn
        bot.connection.client.Client.mention cogs.commands.help_text.brief
        cogs.ui.autocomplete.Suggestions.of bot.layers.forge.cache.AnswerCache.drop
        bot.layers.forge.cache.AnswerCache.find bot.layers.forge.cache.AnswerCache.keep
        bot.connection.refused_requests.Refusals.count bot.infra.metrics.Metrics.job_done
        bot.infra.metrics.Metrics.job_failed bot.setting_names.nearest bot.setting_names.is_misspelt
        bot.setting_names.nearest_variable bot.setting_mistakes.told bot.toml_lines.holds bot.toml_lines.line_of
        bot.dotenv_file.read bot.dotenv_file.written
        bot.llm_roles.common bot.llm_roles.giving_way bot.llm_roles.laid_out bot.toml_lines.top bot.toml_lines.with_keys
        bot.config.variable bot.__main__.setup bot.cli.questions.Questions.choice bot.cli.questions.Questions.line
        bot.cli.questions.Questions.secret bot.cli.questions.Questions.tell bot.cli.questions.Questions.yes
        bot.cli.service_unit.install bot.cli.settings_writing.dotenv bot.cli.settings_writing.settings_file
        bot.cli.settings_writing.write bot.text.word_forms.alike
        bot.prompting.evidence.above bot.recall.retrievers.registry.Retrievers.named bot.turn.draft.Draft.unfit
        bot.turn.draft.Draft.step bot.turn.draft.Draft.timed bot.turn.draft.Draft.goes_on
        bot.lifecycle.workflow_files.of_kind bot.prompting.personas.each
        bot.toml_files.unreadable bot.toml_files.unknown bot.prompting.personas.parsed bot.prompting.personas.sections
        bot.tools.definitions.of_shape bot.tools.allowance.Allowance.spend
        bot.tools.tool_context.ToolContext.shown bot.commands.commands.Commands.allowed bot.toml_files.loaded
        bot.tools.tool_context.of_memory bot.tools.tool_context.of_message
        bot.turn.model_answer.ModelAnswers.toolbox bot.turn.model_answer.ModelAnswers.name
        bot.turn.model_answer.ModelAnswers.can_keep
        bot.mcp.complaints.Complaints.masked bot.turn.miss_answer.nothing
        bot.mcp.offered_tools.name_of bot.mcp.offered_tools.offered
        bot.mcp.tool_servers.ToolServers.is_read_only
        bot.lifecycle.workflow_files.heading bot.lifecycle.workflow_files.chosen bot.lifecycle.workflow_files.read
        bot.lifecycle.workflow_runs.WorkflowRuns.room
    """,
        "It looks at other fields, or hands the text on as it is.": """
        bot.connection.gateway.hear_people bot.turn.recall_answer.RecallAnswers.end
        bot.turn.memory_walk.MemoryWalks.noted bot.turn.memory_walk.leave
        bot.turn.memory_walk.spoken bot.layers.memory_layers.of_memory
        bot.layers.memory_layers.RecallResults.begin bot.layers.memory_layers.RecallResults.end
        bot.lifecycle.model_facts.checked bot.mcp.tool_servers.ToolServers.may_call
        bot.turn.draft.Draft.nearby_stands bot.turn.draft.Draft.with_links_told bot.turn.draft.Draft.of_what_was_done
        bot.turn.draft.Draft.quotes bot.turn.draft.Draft.part bot.turn.workflow_steps.Steps.begin
        bot.prompting.evidence.record bot.prompting.evidence.again
        bot.layers.forge.source.ForgeLayer.is_asked bot.layers.forge.source.ForgeLayer.names_item
        bot.dates.times.Span.overlaps bot.store.rows.message bot.language.questions.answered.may_answer
        bot.store.namesakes.named bot.store.namesakes.told_apart_alone
        bot.store.files.file_types.is_picture bot.store.files.file_types.is_table cogs.chat.incoming_files.files_of
        bot.llm.completions.shows bot.prompting.nearby.with_pictures_within
        bot.store.wordings.read bot.store.wordings.noted bot.store.wordings.without bot.store.wordings.as_of
        cogs.ui.buttons.under cogs.ui.buttons.removal_view cogs.ui.buttons.on_memory
        bot.presentation.render.with_open bot.presentation.both_sides.side bot.presentation.both_sides.asked
        bot.presentation.both_sides.is_said_again bot.store.archivist.not_theirs
        bot.presentation.both_sides.as_said bot.presentation.both_sides.opened
        bot.facts.comparison.compare_read bot.facts.fact_reading.FactReading.of
        bot.facts.fact_reading.FactReading.sequence bot.facts.fact_order.difference bot.facts.fact_order.places
        bot.facts.fact_order.qualifies bot.facts.fact_order.have_other_verbs bot.facts.fact_order.are_opposed
        bot.facts.fact_order.are_of_other_times bot.facts.fact_order.are_turned_round
        bot.facts.fact_order.are_of_other_numbers
        cogs.access.classify.replies_to cogs.chat.recent_messages.RecentMessages.wants
        bot.connection.client.Client.wants bot.connection.client.ServingCog.wants cogs.tell.error_notices.told_of_outage
        bot.arguments.complete bot.arguments.needed bot.presentation.exact_reasons.of
        bot.turn.draft.Draft.whole bot.llm.failures.of_status bot.llm.failures.of_mid_stream
        bot.llm.failures.briefly bot.recall.librarian.Readable.as_recorded
        bot.language.requests.approval.approved bot.recall.query.ParsedQuery.asked
        bot.store.vectors.vector_table.array bot.cli.terminal_screen.Screen.line bot.cli.terminal_screen.Screen.more
        bot.cli.terminal_screen.Screen.told
        bot.cli.terminal.Terminal.resets
        cogs.chat.incoming_files.IncomingFiles.fetch cogs.chat.chat.Chat.question
        bot.grounding.names.is_written
        cogs.chat.edited_questions.EditedQuestions.answer cogs.chat.edited_questions.EditedQuestions.look_again
        cogs.chat.message_texts.MessageTexts.read cogs.chat.message_texts.MessageTexts.names_in
        cogs.chat.reply_footer.ReplyFooter.controls cogs.send.streaming_reply.Footer.controls cogs.ui.buttons.into
        cogs.ui.buttons.of cogs.ui.panels.privacy
        cogs.ui.list_changes.opened cogs.ui.list_changes.left cogs.ui.replies.drawn
        cogs.ui.message_edits.edit cogs.ui.message_edits.has cogs.ui.message_edits.swapped
        cogs.ui.message_edits.without_choices
        cogs.text.message_words.read cogs.text.message_words.texts cogs.text.message_words.read_raw
        cogs.access.name_directory.NameDirectory.note
        cogs.access.name_directory.NameDirectory.mentioned cogs.access.classify.is_persons cogs.access.classify.is_to
        cogs.access.classify.is_asked cogs.access.classify.names cogs.access.classify.answers
        cogs.send.streaming_reply.StreamingReply.adopt
        cogs.send.streaming_reply.StreamingReply.announce cogs.commands.drawing.is_short
        cogs.send.message_requests.MessageRequests.adopt cogs.send.message_requests.MessageRequests.outdated
        cogs.send.message_requests.MessageRequests.write cogs.text.graphemes.extends
        bot.presentation.render.summed_up bot.recall.ledger_search.result bot.recall.ledger_search.sources
        bot.recall.retrievers.retrieval.of_entry bot.recall.retrievers.retrieval.of_memory
        bot.recall.retrievers.retrieval.of_message
    """,
        "It reads what was taken apart already, tag by tag, number by number or word by word.": """
        bot.commands.places.wants_one bot.text.amounts.told
        bot.recall.ranking.unread bot.recall.confidence.of bot.recall.confidence.signs bot.recall.pieces.joined
        bot.recall.pieces.in_words bot.recall.pieces.marked
        bot.layers.memory_layers.evidence_of bot.layers.memory_layers.untold bot.layers.walk.ToldBefore.has
        bot.layers.memory_layers.once
        bot.store.vectors.embeddings.key_of
        bot.language.tags.tagging.Registry.of_domains bot.language.tags.tagging.first_workflows
        bot.language.tags.tagging.ordered bot.grounding.citations.labels_of bot.dates.days.Calendar.holds
        bot.dates.days.concrete bot.dates.days.days_of bot.grounding.numbers.is_count
        bot.grounding.numbers.is_moved bot.grounding.numbers.is_reckoned
        bot.grounding.numbers.ShownNumbers.alike bot.grounding.numbers.ShownNumbers.has
        bot.grounding.case.Case.reckoned bot.grounding.telling_days.Telling.is_when
        bot.grounding.texts.is_content bot.grounding.texts.beginnings bot.grounding.texts.is_akin
        bot.grounding.case.Case.cited_by bot.grounding.case.Case.held bot.grounding.ground.Ground.is_person
        bot.grounding.case.Case.own bot.grounding.case.Case.rests_on
    """,
        "It is run with the whole it is a part of: the check of answers, the detector, a listing, what is heard.": """
        bot.tools.acts.telling_refusals
        bot.tools.saving.is_said bot.tools.saving.is_stated bot.tools.saving.is_to_be_kept bot.tools.saving.made
        bot.commands.remembering.Remembering.tags_of bot.language.past.detector.scored
        bot.language.past.plain_statements.tells
        bot.language.past.wording.score bot.language.past.wording.signs bot.language.past.wording.weighed
        bot.prompting.compose.active_lines bot.arguments.asked_again
        bot.presentation.render.said_lines bot.grounding.case.Case.bared
        bot.grounding.case.Case.dated bot.grounding.ground.Ground.is_stray_order
        bot.grounding.ground.Ground.is_word bot.turn.memory_walk.ground bot.prompting.evidence.quotations
        bot.layers.walk.Evidence.goes_with bot.language.past.detector.weighed
        bot.presentation.retrieved.head bot.presentation.retrieved.line
        bot.layers.memory_layers.near_the_best bot.language.past.name_cues.spoken
        bot.language.past.space_names.Names.spoken_in bot.language.past.word_cues.words_against
        bot.language.past.word_cues.words_for bot.presentation.render.listed
        bot.presentation.render.result_entry bot.cli.evaluation.Loaded.asker
        bot.presentation.render.recollection bot.presentation.render.session_entry
        bot.llm.tokens.estimate_message bot.prompting.evidence.source_line bot.presentation.reasons.briefly
        cogs.ui.drawn_lists.can_be_explained cogs.ui.drawn_lists.asked cogs.ui.drawn_lists.parts_of
        cogs.ui.drawn_lists.can_be_short
        cogs.ui.list_changes.became cogs.chat.message_texts.MessageTexts.named
        cogs.chat.message_texts.MessageTexts.of cogs.chat.question_context.QuestionContext.note
        cogs.access.classify.hear
        cogs.access.classify.said bot.turn.model_answer.ModelAnswers.check_nearby bot.turn.prompt_evidence.of
        bot.turn.prompt_evidence.besides bot.turn.model_answer.ModelAnswers.settle
        bot.turn.model_answer.ModelAnswers.stand
        bot.store.bounded_words.Sought.all_of bot.store.bounded_words.Sought.any_of
        bot.store.tallies.Filed.in_room bot.store.tallies.Filed.on_topic bot.lifecycle.space_erasure.Receipt.so_far
    """,
    }
)
