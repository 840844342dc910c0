"""Commands in both forms: the same grammar, the same rights, the same replies."""

import dataclasses
import re
from datetime import timedelta
from typing import Any

import discord
import pytest
import simcord

from bot import arguments, errors
from bot.arguments import Arguments, Choice, Grammar, Number
from bot.commands.grammar import ABOUT, GRAMMARS
from bot.config import ModelSettings
from bot.db.pool import Database
from bot.domain import NOTHING_FOUND, MemoryId, Reply, Right
from bot.text import notices
from cogs.access.cooldowns import Cooldowns
from cogs.commands import help_text
from cogs.commands.drawing import MOST_MESSAGES, TOO_LONG
from cogs.commands.leaves import LEAVES, PRIVACY, Leaf
from cogs.ui import options
from tests import conversations, people
from tests.cogs import simulated
from tests.cogs.simulated import answer, buttons, shown
from tests.conftest import Clock
from tests.model_server import ModelServer
from tests.rows import one
from tests.waiting import eventually

CHAT_INPUT, SUBCOMMAND, STRING, INTEGER, BOOLEAN = 1, 1, 3, 4, 5
EPHEMERAL = 64
DEFERRED = 5


def told(world: simulated.World) -> dict[str, dict[str, Any]]:
    """What Discord is told of the slash commands, by name."""
    return {command.name: command.to_dict(world.client.tree) for command in world.client.tree.get_commands()}


def texts(payload: dict[str, Any]) -> int:
    """Characters of all names, descriptions and values of a command, as Discord counts them."""
    own = len(payload["name"]) + len(payload.get("description", "")) + len(str(payload.get("value", "")))
    return own + sum(map(texts, [*payload.get("options", []), *payload.get("choices", [])]))


def requests(world: simulated.World, method: str, path: str) -> list[Any]:
    return [r for r in world.env.http_requests if r.method == method and re.search(path, r.path)]


@pytest.mark.parametrize("leaf", LEAVES, ids=lambda leaf: leaf.path)
async def test_slash_options_are_those_of_the_grammar(leaf: Leaf, database: Database, clock: Clock) -> None:
    """What a leaf asks for has the bounds, choices and duty that the typed form has; required ones come first."""
    async with simulated.world(database, clock) as world:
        part = told(world)[leaf.top]
    for name in leaf.path.split(" ")[1:]:
        (part,) = (option for option in part["options"] if option["name"] == name)
    shown = {option["name"]: option for option in part.get("options", [])}
    assert leaf.about == part["description"]
    duties = [option["required"] for option in shown.values()]
    assert sorted(duties, reverse=True) == duties
    if leaf.reads is not None:
        return
    grammar = GRAMMARS[leaf.command]
    form = next((form for form in grammar.forms if options.form_name(form) == leaf.form), None)
    if form is not None:
        assert {form.value, form.second, *form.named} - {""} == set(shown)
        kinds = {form.value: form.kind, form.second: form.kind} | form.named
        asked = dict.fromkeys((form.value, form.second), form.value_required)
    else:
        assert {grammar.lead, grammar.text, *grammar.named, *grammar.bare} - {""} >= set(shown)
        kinds = grammar.named
        asked = {grammar.lead: True, grammar.text: grammar.text_required}
        assert all(shown[word]["type"] == BOOLEAN for word in grammar.bare if word in shown)
    for name, option in shown.items():
        if name in kinds:
            check_kind(kinds[name], option, name)
        assert asked.get(name, name in kinds and arguments.is_required(kinds[name])) == option["required"]


def check_kind(kind: arguments.Kind, option: dict[str, Any], name: str) -> None:
    if isinstance(kind, Number):
        assert (INTEGER, kind.low, kind.high) == (option["type"], option["min_value"], option["max_value"])
    elif isinstance(kind, Choice):
        assert list(kind.options) == [choice["value"] for choice in option["choices"]]
    else:
        assert (STRING, 1) == (option["type"], option["min_length"])
        assert "x" * 64 == kind.parse(name, "x" * 64) or ("x" * 64,) == kind.parse(name, "x" * 64)
        assert option["max_length"] >= 64
    assert kind.help in option["description"]
    assert kind.default is None or f"(default {kind.default})" in option["description"]


async def test_discords_limits_hold(database: Database, clock: Clock) -> None:
    """Names, descriptions, options and choices keep within what Discord takes, and no two commands share a name."""
    async with simulated.world(database, clock) as world:
        payloads = told(world)
    assert len(payloads) <= 100
    for payload in payloads.values():
        assert texts(payload) <= 8000
        waiting = [payload]
        while waiting:
            part = waiting.pop()
            assert re.fullmatch(r"[-_a-z0-9]{1,32}", part["name"])
            assert 1 <= len(part["description"]) <= 100
            assert len(part.get("options", [])) <= 25
            assert len(part.get("choices", [])) <= 25
            assert len({option["name"] for option in part.get("options", [])}) == len(part.get("options", []))
            waiting += part.get("options", [])


@pytest.mark.parametrize(
    ("name", "chosen", "line"),
    [
        ("reset", {"discard": True}, "discard"),
        ("reset", {"discard": False}, ""),
        ("remember", {"text": " a cat ", "importance": 9, "tags": "a, B"}, "a cat importance:9 tags:a,b"),
        ("remember", {"text": "x", "source": "directive", "room": None}, "x source:directive"),
        ("recall", {"query": "cat", "tier": "long", "limit": 3, "page": 2}, "cat tier:long limit:3 page:2"),
        (
            "recall",
            {"query": "a cat; a dog", "strategy": "keywords", "why": True},
            "a cat; a dog strategy:keywords why",
        ),
        (
            "age",
            {"older_than_hours": 1, "include": "protected", "preview": True},
            "older_than_hours:1 include:protected preview",
        ),
        ("forget", {"id": "12"}, "#12"),
        ("forget", {"id": "#12"}, "12"),
        ("edit", {"id": "3", "text": "two words"}, "3 two words"),
        ("memories", {}, ""),
        ("memories", {"topic": "cats", "sort": "new"}, "cats sort:new"),
        ("memories", {"tag": "pets, Q3"}, "tag:pets,q3"),
        ("memories", {"tag": "New York, pets"}, 'tag:"new york, pets"'),
        ("memories", {"tag": '"New York"'}, 'tag:"new york"'),
        ("tags", {"page": 2}, "page:2"),
        ("help", {"command": "age"}, "age"),
    ],
)
def test_both_forms_mean_the_same(name: str, chosen: dict[str, object], line: str) -> None:
    """Options chosen and a line typed become the same arguments."""
    assert arguments.parse(line, GRAMMARS[name]) == options.compiled(GRAMMARS[name], chosen)


@pytest.mark.parametrize(
    "form", [(g, f) for g in GRAMMARS.values() for f in g.forms], ids=lambda pair: f"{pair[0].command} {pair[1].words}"
)
def test_forms_mean_the_same(form: tuple[Grammar, arguments.Form]) -> None:
    """A form chosen and a form typed become the same arguments, with its value and without."""
    grammar, one = form
    value: object = one.kind.options[0] if isinstance(one.kind, Choice) else "x"
    value = one.kind.low if isinstance(one.kind, Number) else value
    if not one.value or not one.value_required:
        assert arguments.parse(one.words, grammar) == options.compiled(grammar, {}, options.form_name(one))
    if one.value:
        values = {one.value: value} | ({one.second: "two words"} if one.second else {})
        chosen = options.compiled(grammar, values, options.form_name(one))
        second = ' "two words"' if one.second else ""
        assert arguments.parse(f"{one.words} {value}{second}", grammar) == chosen


def test_wrong_options_are_told_as_in_a_line() -> None:
    """What Discord can't check is checked by the grammar, in its own words."""
    with pytest.raises(errors.BadArgument, match=r"needs a memory's number such as #12.*finds it by its words"):
        options.compiled(GRAMMARS["forget"], {"id": "the cat"})
    with pytest.raises(errors.BadArgument, match="needs <text>"):
        options.compiled(GRAMMARS["remember"], {"text": "  "})


async def test_a_typed_command_is_answered_by_a_reply(database: Database, clock: Clock) -> None:
    """The reply hangs on the message it answers, and mentions nobody whatever it holds."""
    async with simulated.world(database, clock) as world:
        sent = await world.say("!remember @everyone feeds the cat <@1> topic:cats")
        (request,) = requests(world, "POST", r"/channels/\d+/messages$")
    assert sent.content == "[memory] saved: topic=cats (imp=8) #1\n    @everyone feeds the cat <@1>"
    assert (sent.reference is not None, []) == (True, request.json["allowed_mentions"]["parse"])
    assert request.json["allowed_mentions"]["replied_user"] is False


@pytest.mark.parametrize(("name", "flags"), [("help", EPHEMERAL), ("admin channel enable", None)])
async def test_a_slash_command_is_deferred_in_time(
    name: str, flags: int | None, database: Database, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Discord hears that an answer comes though the database does not answer yet; it comes in the same message."""
    heard: list[Any] = []
    async with simulated.world(database, clock) as world:
        ensure = world.room.app.spaces.ensure

        async def ensured(*args: Any, **options: Any) -> Any:
            await eventually(lambda: requests(world, "POST", "/callback"))
            heard.extend(requests(world, "POST", "/callback"))
            return await ensure(*args, **options)

        monkeypatch.setattr(world.room.app.spaces, "ensure", ensured)
        result = await world.choose(name)
    assert [(DEFERRED, flags)] == [(r.json["type"], r.json.get("data", {}).get("flags")) for r in heard]
    assert (bool(flags), True) == (answer(result).ephemeral, bool(answer(result).content))


@pytest.mark.parametrize(
    ("name", "chosen", "private"),
    [
        ("admin status", {}, True),
        ("privacy", {}, True),
        ("help", {}, True),
        ("memories", {}, True),
        ("memories", {"show": "tags"}, True),
        ("memories", {"show": "sessions"}, True),
        ("admin memory erase", {}, True),
        ("admin memory requests", {}, True),
        ("admin settings show", {}, True),
        ("admin settings prefix", {}, True),
        ("admin settings prefix", {"prefix": "?"}, False),
        ("admin model", {}, True),
        ("admin model", {"model": "default"}, False),
        ("admin memory show", {}, True),
        ("admin memory mode", {"mode": "all"}, False),
        ("admin channel enable", {}, False),
        ("recall", {"query": "cat"}, True),
        ("remember", {"text": "the cat is Tom"}, False),
        ("forget", {"id": "7"}, True),
        ("note add", {"text": "check the kiln"}, False),
        ("note list", {}, True),
        ("admin wake", {}, True),
        ("reset", {}, False),
    ],
)
async def test_only_the_caller_sees_what_is_only_for_them(
    name: str, chosen: dict[str, Any], private: bool, database: Database, clock: Clock
) -> None:
    """Status, help, settings as they are, memories where all can read, and every error are seen by the caller alone."""
    async with simulated.world(database, clock) as world:
        result = await world.choose(name, **chosen)
    told = [*([result.response] if result.response else []), *result.followups]
    assert [private] * len(told) == [message.ephemeral for message in told]
    assert told


async def test_memories_are_shown_openly_where_not_everyone_can_read(database: Database, clock: Clock) -> None:
    """In a channel that not all members see, a listing is for those who are in it."""
    async with simulated.world(database, clock) as world:
        overwrites: dict[Any, discord.PermissionOverwrite] = {
            world.guild.default_role: discord.PermissionOverwrite(view_channel=False),
            world.ann: discord.PermissionOverwrite(view_channel=True),
        }
        staff = world.guild.create_text_channel("staff", overwrites=overwrites)
        result = await world.ann.slash(staff, "memories")
    assert answer(result).ephemeral is False


async def test_an_error_after_the_deferral_is_still_private(database: Database, clock: Clock) -> None:
    """What was announced openly is taken back when it fails, and only the caller is told."""
    async with simulated.world(database, clock) as world:
        await world.say("!remember the cat is Tom")
        before = world.last.id
        result = await world.choose("forget", by=world.bob, id="1")
        public = world.last.id
    assert result.response is None
    assert (before, True) == (public, answer(result).ephemeral)
    assert "was said by someone else" in answer(result).content


async def test_rights_hold_in_both_forms(database: Database, clock: Clock) -> None:
    """Who lacks a right is refused typed and chosen, even where the server's admins show the command to everyone."""
    async with simulated.world(database, clock) as world:
        typed = {name: (await world.say(f"!{name}", by=world.bob)).content for name in ("reset", "age")}
        with pytest.raises((simcord.BackendError, simcord.SetupError)):
            await world.choose("age", by=world.bob)
        (listed,) = [command for command in await world.client.tree.fetch_commands() if command.name == "age"]
        world.guild.set_command_permissions(listed, permissions={world.bob: True})
        chosen = answer(await world.choose("age", by=world.bob))
        allowed = await world.say("!reset", by=world.mod)
    for name, right in (("reset", Right.MANAGE_MESSAGES), ("age", Right.MANAGE_GUILD)):
        assert typed[name].startswith(f"!{name} needs the permission {right}")
    assert (typed["age"], True) == (chosen.content, chosen.ephemeral)
    assert shown(allowed).splitlines()[-1] == notices.CLEARED


async def test_too_many_commands_are_told_to_wait(database: Database, clock: Clock) -> None:
    """Thirty commands in 20 seconds, in both forms together; the next is told how long, others are not held up."""
    async with simulated.world(database, clock) as world:
        for _ in range(15):
            await world.ann.send(world.channel, "!undo")
            await world.ann.slash(world.channel, "undo")
        clock.forward(seconds=13)
        await world.ann.send(world.channel, "!undo")
        typed = world.last.content
        chosen = answer(await world.ann.slash(world.channel, "undo"))
        await world.bob.send(world.channel, "!undo")
        other = world.last.content
        clock.forward(seconds=7)
        await world.ann.send(world.channel, "!undo")
        later = world.last.content
    assert [part in typed for part in ("30 in 20 seconds", "wait 7 seconds")] == [True, True]
    assert (typed, True) == (chosen.content, chosen.ephemeral)
    assert (other, later) == (other, other)
    assert other.startswith("There is nothing to undo")


def test_cooldowns_are_bounded() -> None:
    """Of more people than are known, the one who asked longest ago is forgotten; nobody else is."""
    now = [0.0]
    cooldowns = Cooldowns(1, timedelta(seconds=10), clock=lambda: now[0], most=2)
    ann, bob, eve = (people.caller(person=n) for n in (1, 2, 3))
    for caller in (ann, bob, eve):
        cooldowns.check(caller)
    cooldowns.check(ann)
    with pytest.raises(errors.UserError, match="please wait 10 seconds"):
        cooldowns.check(eve)
    now[0] = 9.5
    with pytest.raises(errors.UserError, match="please wait 1 second\\."):
        cooldowns.check(eve)


async def test_what_was_shown_was_used(database: Database, clock: Clock) -> None:
    """A memory a recall showed is touched, in both forms."""
    async with simulated.world(database, clock) as world:
        await world.say("!remember the cat is Tom")
        used: list[Any] = []
        for ask in (lambda: world.say("!recall cat"), lambda: world.choose("recall", query="cat")):
            clock.forward(hours=2)
            await ask()
            at = await one(database, "SELECT last_used_at FROM memory WHERE memory_id = $1", MemoryId(1))
            used.append(clock() - at)
    assert used == [timedelta(0), timedelta(0)]


@pytest.mark.parametrize("typed", [True, False])
async def test_changes_are_heeded_at_once(typed: bool, database: Database, clock: Clock) -> None:
    """After a setting is changed, the channels of the space are looked at anew."""
    async with simulated.world(database, clock) as world:
        callers = world.ears.callers
        channel = world.client.get_channel(world.channel.id)
        member = (await world.say("hello")).author
        assert isinstance(channel, discord.TextChannel)
        before = (await callers.of(member, channel))[1].mode
        await (world.say("!memory mode off") if typed else world.choose("admin memory mode", mode="off"))
        after = (await callers.of(member, channel))[1].mode
    assert (before, after) == ("addressed", "off")


async def test_what_is_typed_is_completed(database: Database, clock: Clock) -> None:
    """Memories are suggested with their text to those who may change them, topics and rooms by what is typed."""
    async with simulated.world(database, clock) as world:
        await world.say("!remember the cat is Tom topic:cats room:pets")
        await world.say("!remember the dog is Rex topic:dogs", by=world.bob)
        ids = [await who.autocomplete(world.channel, "forget", "id", "") for who in (world.ann, world.bob)]
        by_text = await world.ann.autocomplete(world.channel, "forget", "id", "tom")
        by_number = await world.ann.autocomplete(world.channel, "forget", "id", "#2")
        topics = await world.ann.autocomplete(world.channel, "remember", "topic", "do")
        rooms = await world.ann.autocomplete(world.channel, "remember", "room", "pe")
        filed = await world.ann.autocomplete(world.channel, "memories", "topic", "")
        named = await world.ann.autocomplete(world.channel, "help", "command", "mem")
    assert [["#2 the dog is Rex", "#1 the cat is Tom"], ["#2 the dog is Rex"]] == [[c["name"] for c in i] for i in ids]
    assert (["1"], ["2"]) == ([c["value"] for c in by_text], [c["value"] for c in by_number])
    assert (["dogs"], ["people", "pets"]) == ([c["value"] for c in topics], [c["value"] for c in rooms])
    assert {"cats", "dogs", "pets", "general"} == {c["value"] for c in filed}
    assert {"remember", "memories", "memory"} == {c["value"] for c in named}


async def test_a_model_is_completed_and_chosen_for_where_it_is_given(database: Database, clock: Clock) -> None:
    """Of those in the settings, and what takes a choice back."""
    async with ModelServer() as server:
        small = ModelSettings.model_validate({"base_url": server.base_url, "model": "small-1"})
        models = conversations.roles(server.base_url)
        async with simulated.world(database, clock, models=models, choosable={"small": small}) as world:
            typed = [await world.ann.autocomplete(world.channel, "admin model", "model", part) for part in ("", "SM")]
            await world.choose("admin model", model="small")
            holds = await world.choose("admin settings show")
    assert [["scripted", "small", "default"], ["small"]] == [[choice["value"] for choice in each] for each in typed]
    assert "small (this channel" in answer(holds).content


@pytest.mark.parametrize(
    ("command", "option", "typed", "suggested"),
    [
        (
            "admin persona",
            "persona",
            "",
            ["hathi", "archivist", "butler", "critic", "researcher", "household", "default"],
        ),
        ("admin persona", "persona", "BUT", ["butler"]),
        ("admin persona", "persona", "nobody", []),
        (
            "admin workflows",
            "workflows",
            "",
            ["all", "none", "critique", "drafting", "parlour", "planning", "research", "whole-household", "default"],
        ),
        ("admin workflows", "workflows", "PARL", ["parlour"]),
        ("admin workflows", "workflows", "parlour,r", ["parlour,drafting", "parlour,critique", "parlour,research"]),
    ],
)
async def test_personas_and_workflows_are_completed(
    database: Database, clock: Clock, command: str, option: str, typed: str, suggested: list[str]
) -> None:
    """Those that come with Hathi and those beside the settings; of several workflows the last that is typed."""
    async with simulated.world(database, clock) as world:
        choices = await world.ann.autocomplete(world.channel, command, option, typed)
    assert sorted(suggested) == sorted(choice["value"] for choice in choices)


async def test_languages_are_completed(database: Database, clock: Clock) -> None:
    """Those with what is typed in their names, those that begin with it first; at most as many as Discord takes."""
    async with simulated.world(database, clock) as world:
        typed = [
            await world.ann.autocomplete(world.channel, "admin settings language", "language", w) for w in ("EN", "")
        ]
    names = [[choice["value"] for choice in offered] for offered in typed]
    assert ["english", "armenian", "bengali", "french", "slovenian", "turkmen"] == names[0]
    assert 25 == len(names[1])


async def test_languages_are_completed_by_what_they_call_themselves(database: Database, clock: Clock) -> None:
    """By an own name and by a code, the language of that code first."""
    async with simulated.world(database, clock) as world:
        offered = [
            await world.ann.autocomplete(world.channel, "admin settings language", "language", word)
            for word in ("Deut", "fran", "de", "Españ")
        ]
    assert ["german", "french", "german", "spanish"] == [names[0]["value"] for names in offered]


async def test_time_zones_are_completed(database: Database, clock: Clock) -> None:
    """By their city first, as people type it; at most as many as Discord takes."""
    async with simulated.world(database, clock) as world:
        typed = [
            await world.ann.autocomplete(world.channel, "admin settings timezone", "timezone", part)
            for part in ("new y", "europe/b", "")
        ]
    names = [[choice["value"] for choice in offered] for offered in typed]
    assert "America/New_York" == names[0][0]
    assert "Europe/Berlin" in names[1]
    assert 25 == len(names[2])


async def test_suggestions_that_fail_are_none(
    database: Database, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where nothing can be looked up, nothing is suggested, and typing goes on."""

    async def down(*_args: object, **_options: object) -> None:
        raise errors.DatabaseDown

    async with simulated.world(database, clock) as world:
        monkeypatch.setattr(world.room.app.librarian, "topics", down)
        suggested = await world.ann.autocomplete(world.channel, "remember", "topic", "x")
    assert suggested == []


async def test_an_unknown_command_says_which_may_be_meant(database: Database, clock: Clock) -> None:
    """Somebody who mistypes a command gets one sentence with the nearest one."""
    async with simulated.world(database, clock) as world:
        sent = await world.say("!remembr the cat")
    assert "!remembr; did you mean !remember? " in sent.content


async def test_help_explains_a_command_on_a_narrow_screen(database: Database, clock: Clock) -> None:
    """It is lines that may break anywhere, what is typed in code at their beginning."""
    async with simulated.world(database, clock) as world:
        result = await world.choose("help", command="age")
    explained = answer(result).content.splitlines()
    assert (explained[0], explained[1]) == (f"`{GRAMMARS['age'].usage('!')}`", ABOUT["age"])
    assert explained[2].startswith("`older_than_hours:1-87600` since made")


async def test_help_is_brief_and_for_whoever_asks(database: Database, clock: Clock) -> None:
    """It has, by group and to be clicked, what its reader may use and nothing else, in one message."""
    async with simulated.world(database, clock) as world:
        listed = {command.name: command.id for command in await world.client.tree.fetch_commands()}
        told = {who: (await world.say("!help", by=getattr(world, who))).content for who in ("bob", "mod", "ann")}
        chosen = answer(await world.choose("help", by=world.bob)).content
    assert chosen == told["bob"]
    shown = {who: set(re.findall(r"</([\w -]+):(\d+)>", text)) for who, text in told.items()}
    assert all(listed[path.split(" ")[0]] == int(number) for path, number in shown["ann"])
    paths = {who: {path for path, _ in found} for who, found in shown.items()}
    members = {leaf.path for leaf in LEAVES if leaf.needs is None} | {PRIVACY}
    assert members == paths["bob"]
    assert {"reset"} == paths["mod"] - members
    assert {"reset", "age", "admin status", "admin memory show"} <= paths["ann"]
    assert all(len(text) < 1_500 for text in told.values())


def test_in_direct_messages_help_has_no_command_of_servers() -> None:
    """Whoever has every right there has none to use them on."""
    told = [help_text.brief("!", lambda _right: True, str, in_server=is_server) for is_server in (True, False)]
    assert [True, False] == ["admin status" in text for text in told]


async def test_a_reply_without_end_is_cut(database: Database, clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    """What does not fit into a few messages ends with a sentence that says so, in both forms."""

    async def endless(*_args: object, **_named: object) -> Reply:
        return Reply(text="\n".join(f"line {n}" for n in range(10_000)))

    async with simulated.world(database, clock) as world:
        monkeypatch.setattr(world.room.app.commands, "run", endless)
        await world.say("!sessions")
        typed = [m.content for m in world.channel.history() if m.author.bot]
        result = await world.choose("memories", show="sessions")
        assert result.response is not None
        chosen = [result.response.content, *(m.content for m in result.followups)]
    for pieces in (typed, chosen):
        assert (MOST_MESSAGES, True) == (len(pieces), all(len(text) <= 2000 for text in pieces))
        assert any(text.endswith(TOO_LONG) for text in pieces)


async def test_without_leave_to_embed_a_listing_is_the_same(database: Database, clock: Clock) -> None:
    """Nothing of a listing is an embed, which Discord would drop there."""
    async with simulated.world(database, clock) as world:
        await world.say("!remember the cat is Tom")
        before = await world.say("!recall cat")
        channel = world.client.get_channel(world.channel.id)
        assert isinstance(channel, discord.TextChannel)
        for role in channel.guild.me.roles:
            await channel.set_permissions(role, embed_links=False)
        after = await world.say("!recall cat")
    assert before.id != after.id
    assert ([], shown(before), buttons(before)) == (after.embeds, shown(after), buttons(after))
    assert "the cat is Tom" in shown(after)


async def test_direct_messages_take_commands(database: Database, clock: Clock) -> None:
    """In direct messages both forms work, and who writes there may do everything."""
    async with simulated.world(database, clock) as world:
        person = world.ann.user
        await person.send_dm("!remember the cat is Tom topic:cats")
        typed = person.dm_channel.last_message
        result = await person.slash("recall", query="cat")
        reset = await person.slash("reset")
        elsewhere = await world.say("!recall cat")
    assert typed is not None
    assert typed.content == "[memory] saved: topic=cats (imp=8) #1\n    the cat is Tom"
    assert "### 1 found for 'cat'\nthe cat is Tom\n-# " in shown(answer(result))
    assert (answer(reset).content, elsewhere.content) == (notices.CLEARED, NOTHING_FOUND)


@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("recall", "what of   the cat? tier:long limit:3"),
        ("memories", "min:3 sort:new"),
        ("memories", "a room"),
        ("memories", 'a room tag:"new york,food" min:3'),
        ("recall", 'a cat tag:"new york"'),
        ("sessions", ""),
        ("notes", ""),
        ("age", "max_rows:5 preview include:protected"),
        ("remember", "x tags:a,b"),
    ],
)
def test_a_line_is_told_as_it_would_be_typed(name: str, line: str) -> None:
    """The line that asks for the same again is read as the same, whatever page it was."""
    args = arguments.parse(line, GRAMMARS[name])
    paged = dataclasses.replace(args, named=args.named | {"page": 7}) if "page" in GRAMMARS[name].named else args
    told_name, _, again = arguments.asked_again(paged, GRAMMARS[name]).partition(" ")
    expected = dataclasses.replace(args, text=" ".join(args.text.split()))
    assert (name, expected) == (told_name, arguments.parse(again, GRAMMARS[name]))


def test_a_line_parsed_already_is_not_parsed_again() -> None:
    """Text that was chosen as text stays text, though it ends as an argument would."""
    chosen = options.compiled(GRAMMARS["remember"], {"text": "write topic:x to file it"})
    assert Arguments(text="write topic:x to file it", lead=None, named={}, bare=frozenset()) == chosen
