"""Discord in, Discord out: the cogs translate, `bot/` decides."""

from bot.connection.client import Client
from bot.infra.ordering import Doors
from cogs.access.audience import Audience
from cogs.access.callers import Callers
from cogs.access.name_directory import Directories
from cogs.access.personal_access import Reaches
from cogs.catchup.discord_recovery import Aftermath
from cogs.catchup.edits_and_deletions import Changes
from cogs.chat.chat import Chat
from cogs.chat.discord_search import GuildSearches
from cogs.chat.gaps import Gaps
from cogs.chat.recent_messages import Recent
from cogs.commands.admin import Admin
from cogs.commands.button_presses import Presses
from cogs.commands.dispatch import Dispatcher
from cogs.commands.memory import Memory
from cogs.commands.menu_picks import Picks
from cogs.events.pin_reaction import Approvals
from cogs.events.question_field import Questions
from cogs.events.welcome import Welcome
from cogs.tell.consent_notice import FirstWords
from cogs.tell.error_notices import Troubles
from cogs.ui.autocomplete import Suggestions


async def setup(client: Client) -> None:
    """Build what the cogs share, and add them."""
    audience = Audience(client.get_guild)
    callers = Callers(client, audience)
    troubles = Troubles(client)
    client.services.commands.reach = Reaches(client, audience, client.services.own_data).of
    first = FirstWords(client.services)
    directories = Directories(client.services.spaces)
    dispatcher = Dispatcher(client, callers, troubles, first, directories)
    suggestions = Suggestions(client, callers)
    doors = Doors()
    gaps = Gaps()
    recent = Recent(client)
    chat = Chat(client, callers, dispatcher, troubles, doors, gaps, first, directories, recent)
    changes = Changes(client, chat, doors, gaps)
    for cog in (
        Memory(client, dispatcher, suggestions),
        Admin(client, dispatcher, suggestions, troubles),
        Presses(client, callers, dispatcher, troubles),
        recent,
        chat,
        changes,
        Aftermath(client, callers, chat, changes, gaps, directories),
        Picks(client, callers, dispatcher, troubles),
        GuildSearches(client, callers, directories),
        Welcome(client, callers, troubles),
        Approvals(client, callers, chat, dispatcher, troubles, first),
        Questions(client, callers, chat, dispatcher, troubles, doors, gaps, directories),
    ):
        await client.add_cog(cog)
