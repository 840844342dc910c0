"""The Discord side: turns Discord's events and commands into calls of `bot/`, and its replies into messages."""

from bot.connection.client import Client
from bot.infra.ordering import Doors
from cogs.access.audience import Audience
from cogs.access.callers import Callers
from cogs.access.name_directory import NameDirectory
from cogs.access.personal_access import PersonalAccess
from cogs.catchup.channel_lookup import ChannelLookup
from cogs.catchup.discord_recovery import DiscordRecovery
from cogs.catchup.edits_and_deletions import EditsAndDeletions
from cogs.catchup.interrupted_commands import InterruptedCommands
from cogs.catchup.interrupted_replies import InterruptedReplies
from cogs.catchup.last_heard import LastHeard
from cogs.catchup.missed_messages import MissedMessages
from cogs.catchup.past_messages import A_SECOND, PastMessages
from cogs.catchup.source_check import SourceCheck
from cogs.chat.chat import Chat
from cogs.chat.discord_search import DiscordSearch
from cogs.chat.edited_questions import EditedQuestions
from cogs.chat.gaps import Gaps
from cogs.chat.marked_messages import MarkedMessages
from cogs.chat.recent_messages import RecentMessages
from cogs.commands.button_presses import ButtonPresses
from cogs.commands.dispatch import Dispatcher
from cogs.commands.leaves import PRIVACY
from cogs.commands.menu_picks import MenuPicks
from cogs.commands.presses import Presses
from cogs.commands.privacy_panel import PrivacyPanel
from cogs.commands.slash import SlashCommands
from cogs.events.contact_buttons import ContactButtons
from cogs.events.delete_button import DeleteButtonPresses
from cogs.events.departure import Departure
from cogs.events.include_button import IncludeButtonPresses
from cogs.events.keep_button import KeepButtonPresses
from cogs.events.learn_buttons import LearnButtonPresses
from cogs.events.message_commands import MessageCommands
from cogs.events.pin_reaction import PinReaction
from cogs.events.question_field import QuestionField
from cogs.events.removal_notice import RemovalNotice
from cogs.events.replace_button import ReplaceAnswerPresses
from cogs.events.stop_button import StopAnswerPresses
from cogs.events.welcome import Welcome
from cogs.events.withdrawals import Withdrawals
from cogs.send.request_pace import RequestPace
from cogs.tell.consent_notice import ConsentNotice
from cogs.tell.error_notices import ErrorNotices
from cogs.ui.autocomplete import Suggestions


async def setup(client: Client) -> None:
    """Build what the cogs share, and add them."""
    audience = Audience(client.get_guild)
    callers = Callers(client, audience)
    notices = ErrorNotices(client)
    access = PersonalAccess(client, audience, client.app.personal_data)
    consent_notice = ConsentNotice(client.app, lambda: client.mention(PRIVACY))
    names = NameDirectory(client.app.spaces)
    dispatcher = Dispatcher(client, callers, notices, consent_notice, names, access)
    presses = Presses(callers, dispatcher, notices)
    suggestions = Suggestions(client, callers)
    doors = Doors()
    gaps = Gaps()
    recent = RecentMessages(client)
    chat = Chat(client, callers, dispatcher, notices, doors, gaps, consent_notice, names, recent)
    edited = EditedQuestions(client, callers, chat, dispatcher, notices, doors)
    changes = EditsAndDeletions(client, chat, doors, gaps, edited)
    pace = RequestPace()
    channels = ChannelLookup(client, changes, pace)
    replies = InterruptedReplies(client, callers, chat, channels, names)
    given = InterruptedCommands(client, callers, dispatcher, notices, doors, channels)
    missed = MissedMessages(client, callers, chat, changes, gaps, channels, names, pace)
    past = PastMessages(client, callers, channels, chat.texts, recent, RequestPace(A_SECOND))
    sources = SourceCheck(client, changes, channels, pace)
    marked = MarkedMessages(client.app, chat, doors)
    for cog in (
        SlashCommands(client, dispatcher, suggestions, notices),
        PrivacyPanel(client, dispatcher, presses, notices),
        ButtonPresses(client, callers, dispatcher, presses, notices),
        recent,
        # Before what takes messages in: the end of the one must not come after that of the other.
        LastHeard(client, doors, gaps),
        chat,
        changes,
        DiscordRecovery(client, gaps, given, replies, missed, sources, channels),
        past,
        LearnButtonPresses(client, presses),
        MenuPicks(client, dispatcher, presses, notices),
        DiscordSearch(client, callers, names),
        Welcome(client, callers, notices),
        ContactButtons(client, dispatcher, presses, notices),
        Departure(client),
        KeepButtonPresses(client, chat, dispatcher, presses),
        StopAnswerPresses(chat.stops, presses),
        ReplaceAnswerPresses(client, chat, presses, notices, doors),
        DeleteButtonPresses(client, callers, dispatcher, notices),
        IncludeButtonPresses(client, callers, chat, presses, notices, recent, names, pace),
        RemovalNotice(client),
        Withdrawals(client),
        PinReaction(client, callers, chat, dispatcher, notices, marked),
        MessageCommands(client, callers, chat, dispatcher, presses, notices, marked),
        QuestionField(client, callers, chat, dispatcher, notices, doors, gaps, names),
    ):
        await client.add_cog(cog)
