"""Discord in, Discord out: the cogs translate, `bot/` decides."""

from bot.client import Client
from bot.lanes import Doors
from cogs.admin import Admin
from cogs.aftermath import Aftermath
from cogs.approvals import Approvals
from cogs.audience import Audience
from cogs.callers import Callers
from cogs.changes import Changes
from cogs.chat import Chat
from cogs.directories import Directories
from cogs.dispatch import Dispatcher
from cogs.errors import Troubles
from cogs.first_words import FirstWords
from cogs.gaps import Gaps
from cogs.guild_search import GuildSearches
from cogs.memory import Memory
from cogs.picks import Picks
from cogs.presses import Presses
from cogs.questions import Questions
from cogs.reaches import Reaches
from cogs.recent import Recent
from cogs.suggestions import Suggestions
from cogs.welcome import Welcome


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
        Memory(client, dispatcher, suggestions), Admin(client, dispatcher, suggestions, troubles),
        Presses(client, callers, dispatcher, troubles), recent, chat, changes,
        Aftermath(client, callers, chat, changes, gaps, directories), Picks(client, callers, dispatcher, troubles),
        GuildSearches(client, callers, directories), Welcome(client, callers, troubles),
        Approvals(client, callers, chat, dispatcher, troubles, first),
        Questions(client, callers, chat, dispatcher, troubles, doors, gaps, directories),
    ):  # fmt: skip
        await client.add_cog(cog)
