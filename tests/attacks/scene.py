"""One attempt's own server, channels and people, and everything that Hathi showed, sent or kept because of them."""

import asyncio
import contextlib
import json
import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any, Final

from simcord.components import walk_components

from tests.attacks import stage as stages
from tests.attacks.corpus import Attempt
from tests.attacks.stage import Stage
from tests.discord_server.channels import Channel
from tests.discord_server.guilds import Guild
from tests.discord_server.messages import Message
from tests.discord_server.permissions import Overwrite, Permission
from tests.discord_server.users import User
from tests.discord_server.world import Event
from tests.model_server import Step
from tests.pdf_files import pdf
from tests.rows import column, one
from tests.waiting import becomes

_DRAWN: Final = ("label", "placeholder", "options", "content")
"""What is drawn of a component; ids nobody sees."""
OWNER: Final = "Owner"
"""Who owns every server of a scene."""
_DAY: Final = 86400
_IDS: Final = {
    "message": ("message_id", "reply_to"),
    "turn": ("turn_id",),
    "session": ("first_message_id", "last_message_id"),
    "channel": ("last_message_id",),
}
"""The columns with ids of messages by which ages are told."""
DIRECT: Final = "DM"
WITHIN: Final = 20.0
"""Seconds within which Hathi answers; an attempt that waits in vain did not happen."""
SOON: Final = 5.0
"""Seconds within which something that nothing tells of is done, on a machine that is busy."""
_MENTION: Final = re.compile(r"@(\w+)")
_CHANNEL: Final = re.compile(r"\[mention of (#[\w-]+)\]")
_LINK: Final = re.compile(r'\[link to "([^"]+)"\]')


@dataclass(frozen=True, slots=True)
class Shown:
    """Something that Hathi showed, and to whom."""

    text: str
    to: frozenset[str]
    """Names of people."""
    channel: str
    is_new: bool
    """Whether it was a message, rather than a later version of one."""


@dataclass
class Scene:
    """What one attempt is played on."""

    stage: Stage
    attempt: Attempt
    people: dict[str, User] = field(default_factory=dict[str, User])
    guilds: dict[str, Guild] = field(default_factory=dict[str, Guild])
    shown: list[Shown] = field(default_factory=list[Shown])
    _heard: dict[int, float] = field(default_factory=dict[int, float])
    """When the last version came of each message, that what an edit shows is not what stood there before."""
    deed: tuple[int, int] | None = None
    """How much had been shown and sent to the model when the step `---` came."""
    privately: int = 0
    """How much had been shown to people alone by then."""
    missing: list[str] = field(default_factory=list[str])
    """Buttons that somebody looked for in vain."""
    told: list[str] = field(default_factory=list[str])
    """What whoever runs Hathi was told by its commands."""
    gate: asyncio.Event = field(default_factory=asyncio.Event)
    """What a model that holds its breath waits for."""
    undo: contextlib.ExitStack = field(default_factory=contextlib.ExitStack)
    """What is to be as it was before."""
    _prompts: int = 0
    _log_from: int = 0
    _asked_forge: int = 0
    _asked_discord: int = 0

    # ---- beginning and end

    async def open(self) -> None:
        """Make the server, with #general for everyone and #staff for Ann and the owner."""
        stage = self.stage
        if stage.is_shaken:
            await stage.stop()
        if not stage.is_running:
            await stage.start()
        stage.place.model.steps.clear()
        stage.place.model.always = stages.usual
        stage.forge.faults.clear()
        stage.forge.repository(stages.OPEN_REPOSITORY).private = False
        self._prompts = len(stage.place.model.requests)
        self._log_from = stage.log_file.stat().st_size
        self._asked_forge = len(stage.forge.requests)
        self._asked_discord = len(stage.place.discord.requests)
        stage.place.discord.world.listeners.append(self._hear)
        guild = self.guild("")
        guild.text_channel("general")
        guild.private_channel("staff", seen_by=[self.person("Ann"), guild.owner])

    async def close(self) -> None:
        """Listen no more, and leave things as they were."""
        self.gate.set()
        with contextlib.suppress(TimeoutError):
            await self.settled()
        self.undo.close()
        self.stage.place.discord.world.listeners.remove(self._hear)

    # ---- people and places

    def guild(self, name: str) -> Guild:
        """A server of this attempt: its own has no name."""
        if name == stages.HOUSE:
            self.guilds[name] = self.stage.house
        if name not in self.guilds:
            self.guilds[name] = stages.guild(self.stage.place, name or self.attempt.key, self.person(OWNER))
        return self.guilds[name]

    def person(self, name: str) -> User:
        """Somebody, who is told already that they are remembered."""
        if name not in self.people:
            self.people[name] = self.stage.bot.knows(self.stage.place.discord.user(name))
            if name != OWNER:
                self.guild("").join(self.people[name])
        return self.people[name]

    def channel(self, where: str, person: User | None = None) -> Channel:
        """`#general`, `#staff`, `Tigers#general`, or `DM`; one that is not there yet is made, for everyone."""
        if where == DIRECT:
            assert person is not None, "a direct message needs somebody"
            return person.direct
        guild_name, _, name = where.partition("#")
        guild = self.guild(guild_name)
        if person is not None and person.user_id not in guild.members:
            guild.join(person)
        within = [*guild.channels.values(), *self.stage.place.discord.world.threads.values()]
        found = [each for each in within if each.name == name and each.guild is guild]
        return found[0] if found else guild.text_channel(name)

    def lets_see(self, channel: Channel, person: User, *, may: bool) -> None:
        """Somebody may read a channel, or may no more."""
        view = Permission.VIEW_CHANNEL
        channel.overwrite(person, Overwrite(allow=view) if may else Overwrite(deny=view))

    def names(self, users: Collection[User]) -> frozenset[str]:
        """By what name the attempt knows them."""
        return frozenset(name for name, user in self.people.items() if user in users)

    @property
    def spaces(self) -> list[int]:
        """The spaces of the database that this attempt is about."""
        direct = self.stage.place.discord.world.direct
        own = [user.user_id for user in self.people.values() if user.user_id in direct]
        return [guild.guild_id for guild in self.guilds.values()] + [direct[user].channel_id for user in own]

    # ---- doing

    def worded(self, text: str) -> str:
        """The text with `@Ann` and `[mention of #aside]` as mentions, `[link to "words"]` as that message's address."""
        bot = self.stage.bot.discord.bot
        text = _CHANNEL.sub(lambda found: f"<#{self.channel(found[1]).channel_id}>", text)
        text = _LINK.sub(lambda found: _address(self.last(found[1])), text)

        def mention(found: re.Match[str]) -> str:
            if found[1] == bot.name:
                return bot.mention
            return self.people[found[1]].mention if found[1] in self.people else found[0]

        return _MENTION.sub(mention, text)

    def posted(self, name: str) -> bytes:
        """What is in a file of the attempt; a PDF says what stands there."""
        text = self.attempt.files[name]
        return pdf(text) if name.endswith(".pdf") else text.encode()

    def last(self, text: str, by: User | None = None) -> Message:
        """The newest message that holds a text. Raises `LookupError`."""
        places = [each for each in self.stage.place.discord.world.channels.values() if self._is_ours(each)]
        found = [
            message
            for channel in places
            for message in channel.messages
            if text in message.text and by in {None, message.author}
        ]
        if not found:
            raise LookupError(f"no message says {text!r}")
        return max(found, key=lambda message: message.message_id)

    def last_by(self, user: User, channel: Channel) -> Message:
        """The newest message of somebody in a channel. Raises `LookupError`."""
        found = channel.said_by(user)
        if not found:
            raise LookupError(f"{user.name} said nothing in #{channel.name}")
        return found[-1]

    def _is_ours(self, channel: Channel) -> bool:
        return channel.guild in self.guilds.values() or channel.recipient in self.people.values()

    async def settled(self) -> None:
        """Return when nothing is in the making; at once while Hathi is away."""
        if not self.stage.is_running:
            return
        async with asyncio.timeout(WITHIN):
            await self.stage.bot.settled()

    async def answered(self, *questions: Message) -> None:
        """Return when each is answered whole."""
        async with asyncio.timeout(WITHIN):
            await self.stage.bot.until(lambda: all(self.stage.place.replies(question) for question in questions))
            await self.stage.bot.answered(*questions)
        await self.settled()

    def model_fails(self, step: Step) -> None:
        """Let every request to a model fail so from now on; Hathi leaves one that fails alone for a while."""
        self.stage.place.model.always = step
        self.stage.is_shaken = True

    async def comes(self, query: Any, *args: object, within: float = SOON) -> None:
        """Return once a query gives true, or when it has not for so many seconds."""

        async def look() -> bool:
            return bool(await one(self.stage.database, query, *args))

        with contextlib.suppress(AssertionError):
            await becomes(True, look, within=timedelta(seconds=within))

    def part(self) -> None:
        """From here on it is afterwards."""
        self.deed = len(self.shown), len(self.prompts)
        self.privately = len(self.private)

    def button(self, person: User, label: str) -> tuple[Message, str] | None:
        """The newest message with a button of a label that somebody can see, and the button's id."""
        world = self.stage.place.discord.world
        told = [
            message
            for each in world.interactions.values()
            if each.user is person
            for message in each.messages
            if message.ephemeral
        ]
        public = [
            message
            for channel in world.channels.values()
            if channel.holds_messages and channel.sees(person)
            for message in channel.said_by(self.stage.bot.discord.bot)
        ]
        for message in sorted([*public, *told], key=lambda each: -each.message_id):
            for part in walk_components(message.components):
                if label in str(part.get("label")) and "custom_id" in part and not part.get("disabled"):
                    return message, part["custom_id"]
        return None

    def suggests(self, person: User, channel: Channel, choices: object) -> None:
        """Count suggestions among what was shown to somebody alone."""
        self.shown.append(Shown(as_json(choices), self.names([person]), channel.name, is_new=False))

    # ---- what came of it

    def _hear(self, event: Event) -> None:
        if event.name not in {"MESSAGE_CREATE", "MESSAGE_UPDATE"}:
            return
        channel = self.stage.place.discord.world.channels.get(int(event.data["channel_id"]))
        message = channel.find(int(event.data["id"])) if channel else None
        if channel is None or message is None or message.author is not self.stage.bot.discord.bot:
            return
        if self._is_ours(channel):
            to = self.names([user for user in self.people.values() if channel.sees(user)])
            text = _seen(message, since=self._heard.get(message.message_id, 0.0))
            self._heard[message.message_id] = max([edit.at for edit in message.edits], default=0.0)
            self.shown.append(Shown(text, to, channel.name, event.name == "MESSAGE_CREATE"))

    @property
    def private(self) -> list[Shown]:
        """What was shown to somebody alone, who had run a command or pressed a button."""
        return [
            Shown(_seen(message), self.names([each.user]), each.channel.name, is_new=True)
            for each in self.stage.place.discord.world.interactions.values()
            if each.user in self.people.values()
            for message in [each.original, *each.followups.values()]
            if message is not None and message.ephemeral
        ]

    @property
    def messages(self) -> int:
        """How many messages were shown, to all or to somebody alone."""
        return sum(each.is_new for each in self.shown) + len(self.private)

    @property
    def prompts(self) -> list[str]:
        """What the model was sent, request by request."""
        return [
            "\n".join(str(part.get("content")) for part in body["messages"])
            for body in self.stage.place.model.requests[self._prompts :]
        ]

    @property
    def logged(self) -> str:
        """What went to the log."""
        with self.stage.log_file.open("rb") as file:
            file.seek(self._log_from)
            return file.read().decode()

    @property
    def forge_asked(self) -> list[str]:
        """The paths that the forge was asked for."""
        return [asked.path for asked in self.stage.forge.requests[self._asked_forge :]]

    @property
    def searched(self) -> list[str]:
        """What Discord's own search was asked for."""
        asked = self.stage.place.discord.requests[self._asked_discord :]
        return [str(request.query) for request in asked if request.path.endswith("/messages/search")]

    async def rows(self, pattern: str, table: str | None = None) -> list[str]:
        """Every row of the database, of all its tables, in which a pattern is found."""
        tables = await column(
            self.stage.database, "SELECT tablename FROM pg_tables WHERE schemaname = current_schema() ORDER BY 1"
        )
        found: list[str] = []
        for each in tables if table is None else [table]:
            query: Any = f'SELECT t::text FROM "{each}" t WHERE t::text ~* $1'
            found += await column(self.stage.database, query, pattern)
        return found

    async def passes(self, seconds: float) -> None:
        """Let all that this attempt left in the database be older by so much, and what is due then be done.

        Rows are moved into the past, clocks are left alone: an attempt can't disturb another, and whatever goes by
        Postgres's clock goes by it here too.
        """
        database, spaces, ids = self.stage.database, self.spaces, [user.user_id for user in self.people.values()]
        columns = await column(
            database,
            "SELECT format('UPDATE %I SET %s WHERE %I = ANY ($2::bigint[])', c.table_name,"
            " string_agg(format('%1$I = %1$I - make_interval(secs => $1)', c.column_name), ', '),"
            " CASE c.table_name WHEN 'person' THEN 'person_id' ELSE 'space_id' END)"
            " FROM information_schema.columns c WHERE c.table_schema = current_schema()"
            " AND c.data_type = 'timestamp with time zone' AND (c.table_name = 'person' OR EXISTS (SELECT 1"
            " FROM information_schema.columns s WHERE s.table_schema = c.table_schema"
            " AND s.table_name = c.table_name AND s.column_name = 'space_id'))"
            " AND c.table_name IN (SELECT tablename FROM pg_tables) GROUP BY c.table_name",
        )
        async with database.connection() as connection:
            for statement in columns:
                await connection.execute(statement, seconds, ids if statement.startswith("UPDATE person") else spaces)
            if seconds >= _DAY:
                # A message's own age is in its id. Discord's side keeps the ids, so what was said so long ago is over.
                for table, names in _IDS.items():
                    sets = ", ".join(f"{name} = {name} - $1" for name in names)
                    older: Any = f"UPDATE {table} SET {sets} WHERE space_id = ANY ($2::bigint[])"
                    await connection.execute(older, int(seconds * 1000) << 22, spaces)
        await self.jobs()

    async def jobs(self) -> None:
        """Run every periodic job now, as if its time had come."""
        schedule = self.stage.bot.app.schedule
        async with self.stage.database.connection() as connection:
            due: Any = "DELETE FROM job_run"
            await connection.execute(due)
            due = "UPDATE upkeep SET next_due_at = $2 WHERE space_id = ANY ($1::bigint[])"
            await connection.execute(due, self.spaces, datetime(2020, 1, 1, tzinfo=UTC))
        await self.settled()
        for job in (schedule.upkeep, schedule.decay, schedule.retention, schedule.erase_gone):
            await job()
        await self.settled()


def _seen(message: Message, since: float = 0.0) -> str:
    """All that was seen of a message `since`: every version of its text, what is drawn under it, and its files."""
    edits = [edit for edit in message.edits if edit.at > since]
    texts = [message.text, *(edit.content for edit in edits)]
    texts += [as_json([message.embeds, *(edit.embeds for edit in edits)])]
    texts += [str(part.get(name)) for part in walk_components(message.components) for name in _DRAWN if part.get(name)]
    return plain([*texts, *(file.content.decode() for file in message.attachments)])


def _address(message: Message) -> str:
    guild = message.channel.guild.guild_id if message.channel.guild else "@me"
    return f"https://discord.com/channels/{guild}/{message.channel.channel_id}/{message.message_id}"


def plain(texts: Sequence[str]) -> str:
    """Several texts as one, to look in."""
    return "\n".join(texts)


def as_json(value: object) -> str:
    """JSON with letters as they are."""
    return json.dumps(value, ensure_ascii=False)
