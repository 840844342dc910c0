"""Components over REST: what is refused with which form, and messages made of components on their whole way."""

import io
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from typing import Any, Final

import aiohttp
import discord
import pytest

from tests.discord_server.bots import Bot, running
from tests.discord_server.channels import Channel
from tests.discord_server.guilds import Guild
from tests.discord_server.messages import V2
from tests.discord_server.server import DiscordServer

LEGACY: Final = "MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2"
TEXT: Final[dict[str, Any]] = {"type": 10, "content": "What is remembered"}


@dataclass
class Place:
    """A running bot in a guild with one channel, and requests past the bot, as no library would send them."""

    server: DiscordServer
    bot: Bot
    guild: Guild
    channel: Channel
    session: aiohttp.ClientSession = field(repr=False)

    @property
    def seen(self) -> discord.TextChannel:
        """The channel as the bot has it."""
        found = self.bot.get_channel(self.channel.channel_id)
        assert isinstance(found, discord.TextChannel)
        return found

    async def asked(self, method: str, path: str, body: Any) -> tuple[int, Any]:
        """The status and the JSON of what Discord answers."""
        bears = {"Authorization": f"Bot {self.server.token}"}
        async with self.session.request(method, self.server.api_url + path, json=body, headers=bears) as answer:
            return answer.status, await answer.json()

    async def sent(self, body: Any) -> tuple[int, Any]:
        """What is answered to a new message."""
        return await self.asked("POST", f"/channels/{self.channel.channel_id}/messages", body)


@pytest.fixture
async def place() -> AsyncIterator[Place]:
    async with DiscordServer.started() as server, aiohttp.ClientSession() as session:
        guild = server.guild("Elephants")
        channel = guild.text_channel("general")
        async with running(Bot(server), server) as bot:
            yield Place(server, bot, guild, channel, session)


def button(custom_id: str = "b", **given: Any) -> dict[str, Any]:
    return {"type": 2, "style": 2, "label": "Press", "custom_id": custom_id} | given


def row(*parts: dict[str, Any]) -> dict[str, Any]:
    return {"type": 1, "components": list(parts)}


def menu(count: int = 2, **given: Any) -> dict[str, Any]:
    options = [{"label": f"Room {number}", "value": str(number)} for number in range(count)]
    return {"type": 3, "custom_id": "m", "options": options} | given


def section(text: str = "A memory", **accessory: Any) -> dict[str, Any]:
    return {"type": 9, "components": [{"type": 10, "content": text}], "accessory": accessory or button()}


def box(*parts: dict[str, Any]) -> dict[str, Any]:
    return {"type": 17, "components": list(parts)}


def v2(*parts: dict[str, Any], **given: Any) -> dict[str, Any]:
    return {"flags": V2, "components": list(parts)} | given


def refused(answer: tuple[int, Any]) -> tuple[str, str]:
    """The path and the code of the one field at fault in Discord's 400 for a malformed body."""
    status, body = answer
    assert (400, 50035, "Invalid Form Body") == (status, body["code"], body["message"])
    path, errors = list[str](), body["errors"]
    while "_errors" not in errors:
        ((name, errors),) = errors.items()
        path.append(name)
    return ".".join(path), errors["_errors"][0]["code"]


CASES: Final[dict[str, tuple[dict[str, Any], str, str]]] = {
    "content beside components": (v2(TEXT, content="x"), "content", LEGACY),
    "an empty content, which is not null": (v2(TEXT, content=""), "content", LEGACY),
    "embeds beside components": (v2(TEXT, embeds=[{"title": "x"}]), "embeds", LEGACY),
    "components of the second kind without the flag": ({"components": [TEXT]}, "components.0", "UNION_TYPE_CHOICES"),
    "a button outside a row": (v2(TEXT, button()), "components.1", "UNION_TYPE_CHOICES"),
    "a container in a container": (v2(box(box(TEXT))), "components.0", "UNION_TYPE_CHOICES"),
    "a section without an accessory": (
        v2({"type": 9, "components": [TEXT]}),
        "components.0.accessory",
        "UNION_TYPE_CHOICES",
    ),
    "a section of four texts": (
        v2({"type": 9, "components": [TEXT] * 4, "accessory": button()}),
        "components.0.components",
        "BASE_TYPE_BAD_LENGTH",
    ),
    "41 components, nested ones counted": (
        v2(*(section(**button(str(number))) for number in range(13)), row(button("x"))),
        "components",
        "COMPONENT_MAX_TOTAL_COMPONENTS_EXCEEDED",
    ),
    "4,001 characters over all texts": (
        v2(box({"type": 10, "content": "a" * 2000}), section("b" * 2001)),
        "components",
        "COMPONENT_DISPLAYABLE_TEXT_SIZE_EXCEEDED",
    ),
    "an empty text": (v2({"type": 10, "content": ""}), "components.0.content", "BASE_TYPE_BAD_LENGTH"),
    "26 options": (v2(row(menu(26))), "components.0.components.0.options", "BASE_TYPE_BAD_LENGTH"),
    "fewer options than may be chosen": (
        {"components": [row(menu(2, max_values=3))]},
        "components.0.components.0.options",
        "BASE_TYPE_BAD_LENGTH",
    ),
    "the same option twice": (
        {"components": [row(menu(options=[{"label": "a", "value": "a"}, {"label": "b", "value": "a"}]))]},
        "components.0.components.0.options.1.value",
        "SELECT_COMPONENT_OPTION_VALUE_DUPLICATED",
    ),
    "more chosen beforehand than may be": (
        {"components": [row(menu(options=[{"label": a, "value": a, "default": True} for a in "ab"]))]},
        "components.0.components.0.options",
        "SELECT_COMPONENT_TOO_MANY_DEFAULT_VALUES",
    ),
    "a menu beside a button": (
        {"components": [row(menu(), button())]},
        "components.0",
        "COMPONENT_LAYOUT_WIDTH_EXCEEDED",
    ),
    "six buttons in a row": (
        {"components": [row(*(button(str(number)) for number in range(6)))]},
        "components.0.components",
        "BASE_TYPE_BAD_LENGTH",
    ),
    "six rows": (
        {"components": [row(button(str(number))) for number in range(6)]},
        "components",
        "BASE_TYPE_BAD_LENGTH",
    ),
    "the same custom id twice, once nested": (
        v2(row(button("same")), box(section(**button("same")))),
        "components.1.components.0.accessory.custom_id",
        "COMPONENT_CUSTOM_ID_DUPLICATED",
    ),
    "a custom id with a colon twice": (
        {"components": [row(button("a: b"), button("a: b"))]},
        "components.0.components.1.custom_id",
        "COMPONENT_CUSTOM_ID_DUPLICATED",
    ),
    "a custom id of 101 characters": (
        {"components": [row(button("x" * 101))]},
        "components.0.components.0.custom_id",
        "BASE_TYPE_MAX_LENGTH",
    ),
    "the same id twice": (v2(TEXT | {"id": 7}, TEXT | {"id": 7}), "components.1.id", "COMPONENT_ID_DUPLICATED"),
    "a button without a custom id": (
        {"components": [row({"type": 2, "style": 2, "label": "Press"})]},
        "components.0.components.0.custom_id",
        "BASE_TYPE_REQUIRED",
    ),
    "a button that says nothing": (
        {"components": [row(button(label=None))]},
        "components.0.components.0",
        "BUTTON_COMPONENT_LABEL_OR_EMOJI_REQUIRED",
    ),
    "a label of 81 characters": (
        {"components": [row(button(label="x" * 81))]},
        "components.0.components.0.label",
        "BASE_TYPE_MAX_LENGTH",
    ),
    "an emoji that is none": (
        {"components": [row(button(emoji={"name": "pin"}))]},
        "components.0.components.0.emoji.name",
        "COMPONENT_INVALID_EMOJI",
    ),
    "a link with a custom id": (
        {"components": [row(button(style=5, url="https://example.org"))]},
        "components.0.components.0",
        "BUTTON_COMPONENT_CUSTOM_ID_URL_MUTUALLY_EXCLUSIVE",
    ),
    "a link that is no address": (
        {"components": [row({"type": 2, "style": 5, "label": "Go", "url": "example"})]},
        "components.0.components.0.url",
        "URL_TYPE_INVALID_SCHEME",
    ),
    "a file that was not sent": (
        v2({"type": 13, "file": {"url": "attachment://me.json"}}),
        "components.0.file.url",
        "ATTACHMENT_NOT_FOUND",
    ),
    "a field of an embed of 1,025 characters": (
        {"embeds": [{"fields": [{"name": "n", "value": "x" * 1025}]}]},
        "embeds.0.fields.0.value",
        "BASE_TYPE_MAX_LENGTH",
    ),
    "embeds of 6,001 characters": (
        {"embeds": [{"description": "x" * 3000}, {"description": "x" * 3001}]},
        "embeds",
        "MAX_EMBED_SIZE_EXCEEDED",
    ),
}


@pytest.mark.parametrize(("body", "path", "code"), CASES.values(), ids=CASES)
async def test_what_is_refused(place: Place, body: dict[str, Any], path: str, code: str):
    """A malformed message is 400 with 50035 and the field at fault, and is not sent."""
    assert (path, code) == refused(await place.sent(body))
    assert [] == place.channel.messages


async def test_what_is_just_within(place: Place):
    """40 components, 4,000 characters, 25 options and 100 characters of a custom id are taken."""
    sections = (section(**button(str(number))) for number in range(13))
    assert 200 == (await place.sent(v2(*sections, TEXT)))[0]
    assert (
        200 == (await place.sent(v2({"type": 10, "content": "a" * 2000}, box({"type": 10, "content": "b" * 2000}))))[0]
    )
    assert 200 == (await place.sent({"components": [row(menu(25)), row(button("x" * 100))]}))[0]


async def test_the_same_holds_for_edits_and_answers(place: Place):
    """Edits, answers to interactions, follow-ups and their edits are held to the same, below `data` where they lie."""
    _, sent = await place.sent({"content": "plain", "components": [row(button("go"))]})
    at = f"/channels/{place.channel.channel_id}/messages/{sent['id']}"
    bad = {"components": [row(button("a"), button("a"))]}
    where = "components.0.components.1.custom_id"
    assert where == refused(await place.asked("PATCH", at, bad))[0]

    pressed = await place.guild.owner.press(place.channel.messages[0], "go")
    answers = f"/interactions/{pressed.interaction_id}/{pressed.token}/callback"
    for kind in (4, 7):
        assert f"data.{where}" == refused(await place.asked("POST", answers, {"type": kind, "data": bad}))[0]
    told = await place.asked("POST", answers + "?with_response=true", {"type": 4, "data": v2(TEXT)})
    assert V2 == told[1]["resource"]["message"]["flags"]
    hook = f"/webhooks/{place.server.world.application_id}/{pressed.token}"
    assert where == refused(await place.asked("POST", hook, bad))[0]
    assert where == refused(await place.asked("PATCH", f"{hook}/messages/@original", bad | {"flags": V2}))[0]
    assert ["plain", TEXT["content"]] == [message.text for message in place.channel.messages]


async def test_the_flag_stays(place: Place):
    """A message becomes one of components only with content null and no embeds, and never plain again."""
    _, sent = await place.sent({"content": "plain", "embeds": [{"title": "t"}]})
    at = f"/channels/{place.channel.channel_id}/messages/{sent['id']}"
    assert ("content", LEGACY) == refused(await place.asked("PATCH", at, v2(TEXT, embeds=[])))
    assert ("content", LEGACY) == refused(await place.asked("PATCH", at, v2(TEXT, content="", embeds=[])))
    assert ("embeds", LEGACY) == refused(await place.asked("PATCH", at, v2(TEXT, content=None)))
    assert ("plain", 0) == (place.channel.messages[0].content, place.channel.messages[0].flags)

    status, changed = await place.asked("PATCH", at, v2(TEXT, content=None, embeds=[]))
    assert (200, "", [], V2) == (status, changed["content"], changed["embeds"], changed["flags"])
    gone = {"flags": 0, "content": "plain", "components": []}
    assert ("flags", "MESSAGE_CANNOT_REMOVE_COMPONENTS_V2_FLAG") == refused(await place.asked("PATCH", at, gone))
    assert ("content", LEGACY) == refused(await place.asked("PATCH", at, {"content": "plain"}))
    assert 50006 == (await place.asked("PATCH", at, {"components": []}))[1]["code"]
    assert [(TEXT["content"], V2)] == [(message.text, message.flags) for message in place.channel.messages]


async def test_a_deferral_takes_only_ephemeral(place: Place):
    """A deferral with another flag is refused; the message that follows may be one of components."""
    place.server.world.commands.upsert(None, {"name": "recall", "description": "Recalls"})
    asked = await place.guild.owner.slash(place.channel, "recall")
    answers = f"/interactions/{asked.interaction_id}/{asked.token}/callback"
    deferred = await place.asked("POST", answers, {"type": 5, "data": {"flags": V2 | 64}})
    assert ("data.flags", "BITFIELD_UNSUPPORTED_BIT") == refused(deferred)
    taken = await place.asked("POST", answers + "?with_response=true", {"type": 5, "data": {"flags": 64}})
    assert 200 == taken[0]
    original = f"/webhooks/{place.server.world.application_id}/{asked.token}/messages/@original"
    status, told = await place.asked("PATCH", original, v2(TEXT))
    assert (200, V2 | 64) == (status, told["flags"])
    assert [TEXT["content"]] == [message.text for message in asked.messages]


MODALS: Final[dict[str, tuple[dict[str, Any], str, str]]] = {
    "a title of 46 characters": ({"title": "x" * 46}, "data.title", "BASE_TYPE_MAX_LENGTH"),
    "six fields": ({"components": [{"type": 10, "content": "x"}] * 6}, "data.components", "BASE_TYPE_BAD_LENGTH"),
    "a field without a label": (
        {"components": [{"type": 4, "custom_id": "t", "style": 1}]},
        "data.components.0",
        "MODEL_TYPE_CONVERT",
    ),
    "a menu that is disabled": (
        {"components": [{"type": 18, "label": "Room", "component": menu(disabled=True)}]},
        "data.components.0.component.disabled",
        "COMPONENT_DISABLED_IN_MODAL",
    ),
    "a required menu of which nothing need be chosen": (
        {"components": [{"type": 18, "label": "Room", "component": menu(min_values=0)}]},
        "data.components.0.component.min_values",
        "NUMBER_TYPE_MIN",
    ),
}


@pytest.mark.parametrize(("part", "path", "code"), MODALS.values(), ids=MODALS)
async def test_modals_that_are_refused(place: Place, part: dict[str, Any], path: str, code: str):
    """A malformed modal is 400 with 50035 and the field at fault, and is not shown."""
    await place.sent({"content": "plain", "components": [row(button("go"))]})
    pressed = await place.guild.owner.press(place.channel.messages[0], "go")
    field = {"type": 18, "label": "Text", "component": {"type": 4, "custom_id": "t", "style": 1}}
    modal = {"custom_id": "fix", "title": "Fix", "components": [field]} | part
    answers = f"/interactions/{pressed.interaction_id}/{pressed.token}/callback"
    assert (path, code) == refused(await place.asked("POST", answers, {"type": 9, "data": modal}))
    assert pressed.modal is None


class Layout(discord.ui.LayoutView):
    """A memory with a button beside it in a box, and a row with a menu."""

    def __init__(self, heard: list[str]) -> None:
        super().__init__(timeout=None)
        self.opens = discord.ui.Button["Layout"](label="Open", custom_id="open")
        self.opens.callback = self.opened
        self.rooms = discord.ui.Select["Layout"](
            custom_id="rooms", options=[discord.SelectOption(label=room) for room in ("people", "projects")]
        )
        self.rooms.callback = self.chosen
        self.heard = heard
        inside: discord.ui.Container[Layout] = discord.ui.Container(
            discord.ui.Section("The kiln fires on **Friday**", accessory=self.opens), discord.ui.ActionRow(self.rooms)
        )
        self.add_item(inside)

    async def opened(self, interaction: discord.Interaction) -> None:
        """Open a form with a text above its field."""
        form = Form(self.heard)
        await interaction.response.send_modal(form)

    async def chosen(self, interaction: discord.Interaction) -> None:
        """Become another layout."""
        self.heard.extend(self.rooms.values)
        view = discord.ui.LayoutView()
        view.add_item(discord.ui.TextDisplay("Filed."))
        await interaction.response.edit_message(view=view)


class Form(discord.ui.Modal, title="Fix"):
    """A text above a field and a menu."""

    about: discord.ui.TextDisplay[Any] = discord.ui.TextDisplay("What is wrong?")
    text = discord.ui.Label["Form"](text="Text", component=discord.ui.TextInput(custom_id="text"))
    room = discord.ui.Label["Form"](
        text="Room", component=discord.ui.Select(custom_id="room", options=[discord.SelectOption(label="people")])
    )

    def __init__(self, heard: list[str]) -> None:
        super().__init__()
        self.heard = heard

    async def on_submit(self, interaction: discord.Interaction, /) -> None:
        assert isinstance(self.text.component, discord.ui.TextInput)
        assert isinstance(self.room.component, discord.ui.Select)
        self.heard.extend([self.text.component.value, *self.room.component.values])
        await interaction.response.send_message("Thanks", ephemeral=True)


async def test_a_message_of_components_goes_round(place: Place):
    """Sent, heard, fetched, pressed in its boxes and edited, it has its components and its flag, and no content."""
    heard: list[str] = []
    sent = await place.seen.send(view=Layout(heard))
    (message,) = place.channel.messages
    told = await place.bot.until_heard("message")
    for each in (sent, told, await place.seen.fetch_message(sent.id)):
        assert ("", [], True) == (each.content, each.embeds, each.flags.components_v2)
        (inside,) = each.components
        assert isinstance(inside, discord.components.Container)
        assert [discord.ComponentType.section, discord.ComponentType.action_row] == [
            child.type for child in inside.children
        ]
    assert (["open", "rooms"], "The kiln fires on **Friday**") == (message.custom_ids, message.text)

    ann = place.guild.owner
    opened = await (await ann.press(message, "open")).until_answered()
    await (await ann.submit(opened, {"text": "Saturday", "room": ["people"]})).until_told()
    await (await ann.select(message, "rooms", ["projects"])).until_answered()
    assert ["Saturday", "people", "projects"] == heard
    edited = await place.bot.until_heard("raw_message_edit")
    assert ("Filed.", V2) == (message.text, edited.data["flags"])
    assert ["The kiln fires on **Friday**", "Filed."] == [version.content for version in message.edits]


async def test_mentions_and_files_in_components(place: Place):
    """Who is named in a text display is mentioned as far as was allowed, and a file is shown by its address."""
    ann = place.guild.owner
    view = discord.ui.LayoutView()
    view.add_item(discord.ui.TextDisplay(f"Ask {ann.mention}"))
    view.add_item(discord.ui.File["discord.ui.LayoutView"]("attachment://me.json"))
    file = discord.File(io.BytesIO(b"{}"), "me.json")
    sent = await place.seen.send(view=view, file=file)
    quiet = discord.ui.LayoutView()
    quiet.add_item(discord.ui.TextDisplay(f"Ask {ann.mention}"))
    await place.seen.send(view=quiet, allowed_mentions=discord.AllowedMentions.none())
    first, second = place.channel.messages
    assert ([ann], []) == (first.mentions, second.mentions)
    shown = sent.components[1]
    assert isinstance(shown, discord.components.FileComponent)
    assert (sent.attachments[0].url, "me.json", 2) == (shown.media.url, shown.name, shown.size)
