"""Who may see what, on discord.py's own cache, fed by the gateway's own events."""

from itertools import chain, combinations
from random import Random
from typing import Any, Final, cast

import discord
import pytest
from discord.state import ConnectionState

from cogs.access import audience
from cogs.access.audience import Audience, caller_rights, origin

SELF: Final = 9
OWNER: Final = 8
GUILD: Final = 1
GENERAL, STAFF, OTHER, VOICE, FORUM, NEWS, CATEGORY = 10, 11, 12, 13, 14, 15, 16
PUBLIC_THREAD, PRIVATE_THREAD, NEWS_THREAD, POST = 20, 21, 22, 23
MUTED, MOD, VIP, BOTS, ADMIN = 30, 31, 32, 33, 34
ANN, BEA = 40, 41

VIEW: Final = discord.Permissions(view_channel=True).value
HISTORY: Final = discord.Permissions(read_message_history=True).value
CONNECT: Final = discord.Permissions(connect=True).value
ADMINISTRATOR: Final = discord.Permissions(administrator=True).value
READ: Final = VIEW | HISTORY
EVERYTHING: Final = READ | CONNECT
MANAGE_GUILD: Final = discord.Permissions(manage_guild=True).value
MANAGE_MESSAGES: Final = discord.Permissions(manage_messages=True).value
MANAGE_THREADS: Final = discord.Permissions(manage_threads=True).value

TEXT_TYPE, VOICE_TYPE, CATEGORY_TYPE, NEWS_TYPE, STAGE_TYPE, FORUM_TYPE, MEDIA_TYPE = 0, 2, 4, 5, 13, 15, 16
NEWS_THREAD_TYPE, PUBLIC_THREAD_TYPE, PRIVATE_THREAD_TYPE = 10, 11, 12

Payload = dict[str, Any]


def role(key: int, permissions: int = 0, *, bot: int | None = None) -> Payload:
    tags = {"tags": {"bot_id": str(bot)}} if bot else {}
    return {
        "id": str(key),
        "name": f"r{key}",
        "position": key * 7919 % 251,
        "permissions": str(permissions),
        "colors": {},
        **tags,
    }


def rule(key: int, *, allow: int = 0, deny: int = 0, member: bool = False) -> Payload:
    return {"id": str(key), "type": int(member), "allow": str(allow), "deny": str(deny)}


def channel(
    key: int, *rules: Payload, type_: int = TEXT_TYPE, nsfw: bool = False, parent: int | None = None
) -> Payload:
    return {
        "id": str(key),
        "type": type_,
        "name": f"c{key}",
        "position": 0,
        "nsfw": nsfw,
        "parent_id": parent,
        "permission_overwrites": list(rules),
        "bitrate": 64000,
        "user_limit": 0,
        "guild_id": str(GUILD),
    }


def thread(key: int, parent: int, type_: int = PUBLIC_THREAD_TYPE) -> Payload:
    return {
        "id": str(key),
        "type": type_,
        "name": f"t{key}",
        "parent_id": str(parent),
        "owner_id": str(ANN),
        "message_count": 0,
        "member_count": 1,
        "guild_id": str(GUILD),
        "thread_metadata": {
            "archived": False,
            "auto_archive_duration": 60,
            "archive_timestamp": "2026-01-01T00:00:00+00:00",
        },
    }


class World:
    """One guild in the cache of a client that is logged in."""

    def __init__(
        self,
        *channels: Payload,
        roles: tuple[Payload, ...] = (),
        everyone: int = EVERYTHING,
        threads: tuple[Payload, ...] = (),
        key: int = GUILD,
        **more: Any,
    ) -> None:
        self.state = ConnectionState(
            dispatch=lambda *_: None, handlers={}, hooks={}, http=cast("Any", None), intents=discord.Intents.default()
        )
        me = {"id": str(SELF), "username": "hathi", "discriminator": "0", "avatar": None}
        self.state.user = discord.ClientUser(state=self.state, data=cast("Any", me))
        self.everyone = role(key, everyone)
        data = {
            "id": str(key),
            "name": "g",
            "owner_id": str(OWNER),
            "roles": [self.everyone, *roles],
            "channels": channels,
            "threads": threads,
            "members": [{"user": me, "roles": [], "flags": 0}],
            "member_count": 3,
            **more,
        }
        self.send("guild_create", data)
        self.audience = Audience(self.state._get_guild)

    @property
    def guild(self) -> discord.Guild:
        guild = self.state._get_guild(GUILD)
        assert guild is not None
        return guild

    def send(self, event: str, data: Payload) -> None:
        """Let the gateway say something."""
        self.state.parsers[event.upper()](data)

    def place(self, key: int) -> audience.Place:
        found = self.guild.get_channel_or_thread(key)
        assert found is not None
        return found

    def sees(self, key: int) -> set[int]:
        return set(self.audience.visible(self.place(key)))

    def member(self, key: int, *roles: int) -> discord.Member:
        user = {"id": str(key), "username": f"u{key}", "discriminator": "0", "avatar": None}
        data = {"user": user, "roles": [str(r) for r in roles], "flags": 0}
        return discord.Member(data=cast("Any", data), guild=self.guild, state=self.state)


def private(*readers: int) -> tuple[Payload, ...]:
    return (rule(GUILD, deny=VIEW), *(rule(r, allow=READ) for r in readers))


def test_public_and_own() -> None:
    """A place shows the public channels and itself, sorted; a private channel is seen there and nowhere else."""
    world = World(channel(OTHER), channel(STAFF, *private(MOD)), channel(GENERAL), roles=(role(MOD),))

    assert (GENERAL, OTHER) == world.audience.visible(world.place(GENERAL))
    assert (GENERAL, STAFF, OTHER) == world.audience.visible(world.place(STAFF))


def test_private_same_readers() -> None:
    """A private channel is not shown in another one, though the same people read both."""
    world = World(channel(STAFF, *private(MOD)), channel(OTHER, *private(MOD)), roles=(role(MOD),))

    assert {STAFF} == world.sees(STAFF)
    assert {OTHER} == world.sees(OTHER)


def test_denied_role() -> None:
    """A public channel that a role is kept out of is shown only where that role is kept out too."""
    out = rule(MUTED, deny=VIEW)
    world = World(channel(GENERAL), channel(OTHER, out), channel(NEWS, out), roles=(role(MUTED),))

    assert {GENERAL} == world.sees(GENERAL)
    assert {GENERAL, OTHER, NEWS} == world.sees(OTHER)


def test_denial_undone() -> None:
    """A role's denial counts for whoever holds a second role that opens the asking channel, not the other."""
    shut = (rule(GUILD, deny=VIEW), rule(MUTED, deny=VIEW), rule(MOD, allow=VIEW))
    hidden = channel(OTHER, rule(MUTED, deny=VIEW))
    opened = channel(NEWS, rule(MUTED, deny=VIEW), rule(MOD, allow=VIEW))
    world = World(channel(STAFF, *shut), hidden, opened, roles=(role(MUTED), role(MOD)))

    assert {STAFF, NEWS} == world.sees(STAFF)


def test_no_history() -> None:
    """A channel whose history @everyone can't read is not public; who sees it live only is an audience all the same."""
    live = channel(GENERAL, rule(GUILD, deny=HISTORY))
    world = World(live, channel(OTHER, rule(MUTED, deny=HISTORY)), channel(NEWS), roles=(role(MUTED),))

    assert {GENERAL, NEWS} == world.sees(GENERAL)
    assert {NEWS} == world.sees(NEWS)


def test_base_permissions() -> None:
    """Where @everyone may read nothing by itself, each place shows itself alone."""
    world = World(channel(GENERAL), channel(OTHER), roles=(role(MOD, READ),), everyone=0)

    assert {GENERAL} == world.sees(GENERAL)


def test_seen_by_base() -> None:
    """A role's base permissions open a place to its holders, but not one the same role is denied."""
    shut, out = channel(GENERAL, rule(VIP, deny=VIEW)), channel(OTHER, rule(GUILD, allow=READ), rule(MUTED, deny=VIEW))
    roles = (role(VIP, VIEW), role(MUTED))
    unseen = World(shut, out, roles=roles, everyone=0)
    seen = World(shut, out, roles=(*roles, role(MOD, VIEW)), everyone=0)

    assert {GENERAL, OTHER} == unseen.sees(GENERAL)
    assert {GENERAL} == seen.sees(GENERAL)


@pytest.mark.parametrize(
    ("here", "there", "shown"),
    [
        ((), rule(ANN, deny=VIEW, member=True), False),
        ((rule(ANN, deny=VIEW, member=True),), rule(ANN, deny=VIEW, member=True), True),
        (private(), rule(ANN, deny=VIEW, member=True), True),
        ((*private(), rule(ANN, allow=VIEW, member=True)), rule(ANN, deny=VIEW, member=True), False),
        ((*private(), rule(ANN, allow=VIEW, member=True)), rule(BEA, deny=VIEW, member=True), True),
        ((*private(), rule(ANN, allow=VIEW, member=True)), rule(MUTED, deny=VIEW), False),
        ((), rule(OWNER, deny=VIEW, member=True), True),
        ((*private(), rule(SELF, allow=VIEW, member=True)), rule(MUTED, deny=VIEW), True),
    ],
    ids=[
        "denied there",
        "denied in both",
        "nobody here",
        "let in here",
        "another one",
        "may be muted",
        "owner",
        "self",
    ],
)
def test_member_overwrites(here: tuple[Payload, ...], there: Payload, *, shown: bool) -> None:
    """A member kept out of a channel keeps it from every place they may be in, but the owner and Hathi itself."""
    world = World(channel(GENERAL, *here), channel(OTHER, there), roles=(role(MUTED),))

    assert shown == (OTHER in world.sees(GENERAL))


def test_administrators() -> None:
    """A role whose holders are administrators is kept out of nothing; nobody is where @everyone is administrator."""
    out = channel(OTHER, rule(ADMIN, deny=VIEW))
    some = World(channel(GENERAL), out, roles=(role(ADMIN, ADMINISTRATOR),))
    every = World(channel(GENERAL), channel(OTHER, *private()), everyone=ADMINISTRATOR)

    assert {GENERAL, OTHER} == some.sees(GENERAL)
    assert {GENERAL, OTHER} == every.sees(GENERAL)


def test_own_role() -> None:
    """Hathi's own role is no reader; another bot's is."""
    shut = channel(STAFF, *private(BOTS))
    out = channel(OTHER, rule(MUTED, deny=VIEW))
    own = World(shut, out, roles=(role(BOTS, bot=SELF), role(MUTED)))
    others = World(shut, out, roles=(role(BOTS, bot=77), role(MUTED)))

    assert {STAFF, OTHER} == own.sees(STAFF)
    assert {STAFF} == others.sees(STAFF)


def test_unknown_role() -> None:
    """An overwrite for a role the cache does not know counts as one that somebody may hold."""
    world = World(channel(GENERAL), channel(OTHER, rule(99, deny=VIEW)))

    assert {GENERAL} == world.sees(GENERAL)


def test_threads() -> None:
    """Public threads and posts are their parent; a private thread is itself and shows what its parent shows."""
    world = World(
        channel(GENERAL),
        channel(STAFF, *private(MOD)),
        channel(FORUM, type_=FORUM_TYPE),
        channel(NEWS, type_=NEWS_TYPE),
        roles=(role(MOD),),
        threads=(
            thread(PUBLIC_THREAD, STAFF),
            thread(PRIVATE_THREAD, STAFF, PRIVATE_THREAD_TYPE),
            thread(NEWS_THREAD, NEWS, NEWS_THREAD_TYPE),
            thread(POST, FORUM),
        ),
    )
    public = {GENERAL, FORUM, NEWS}

    assert STAFF == origin(world.place(PUBLIC_THREAD))
    assert {STAFF} | public == world.sees(PUBLIC_THREAD)
    assert PRIVATE_THREAD == origin(world.place(PRIVATE_THREAD))
    assert {PRIVATE_THREAD, STAFF} | public == world.sees(PRIVATE_THREAD)
    assert NEWS == origin(world.place(NEWS_THREAD))
    assert FORUM == origin(world.place(POST))
    assert public == world.sees(NEWS_THREAD) == world.sees(POST) == world.sees(GENERAL)


def test_voice_chats() -> None:
    """The chat of a voice or stage channel is read only by who may connect to it."""
    world = World(
        channel(GENERAL),
        channel(VOICE, rule(MUTED, deny=CONNECT), type_=VOICE_TYPE),
        channel(OTHER, rule(MUTED, deny=CONNECT)),
        channel(NEWS, type_=STAGE_TYPE),
        channel(FORUM, rule(GUILD, deny=CONNECT), type_=MEDIA_TYPE),
        channel(STAFF, rule(GUILD, deny=CONNECT), type_=STAGE_TYPE),
        roles=(role(MUTED),),
    )

    assert {GENERAL, OTHER, NEWS, FORUM} == world.sees(GENERAL)


def test_categories() -> None:
    """A category is no place and never shown; what it gives its channels lies on the channels themselves."""
    category = channel(CATEGORY, *private(), type_=CATEGORY_TYPE)
    synced, own = channel(STAFF, *private(), parent=CATEGORY), channel(GENERAL, parent=CATEGORY)
    world = World(category, synced, own, channel(OTHER))

    assert {GENERAL, OTHER} == world.sees(GENERAL)
    assert set() == world.sees(CATEGORY)


def test_age_restricted() -> None:
    """An age-restricted channel is shown only in age-restricted places."""
    world = World(
        channel(GENERAL), channel(OTHER, nsfw=True), channel(NEWS, nsfw=True), threads=(thread(PUBLIC_THREAD, NEWS),)
    )

    assert {GENERAL} == world.sees(GENERAL)
    assert {GENERAL, OTHER, NEWS} == world.sees(OTHER) == world.sees(PUBLIC_THREAD)


def test_direct_messages() -> None:
    """A direct message and a group see themselves and nothing else."""
    world = World(channel(GENERAL))
    me = world.state.user
    assert me is not None
    direct = discord.DMChannel(me=me, state=world.state, data=cast("Any", {"id": "50"}))
    group = discord.GroupChannel(me=me, state=world.state, data=cast("Any", {"id": "51"}))

    assert (50,) == world.audience.visible(direct)
    assert (51,) == world.audience.visible(group)
    assert 50 == origin(direct)


def test_unknown_permissions() -> None:
    """Nothing is shown where the guild, the channel, the parent or @everyone is not in the cache, or in an outage."""
    world = World(channel(GENERAL), threads=(thread(PUBLIC_THREAD, 404), thread(PRIVATE_THREAD, 404, 12)))
    general, member = world.place(GENERAL), world.member(OWNER)
    partial = discord.PartialMessageable(state=world.state, id=405, guild_id=GUILD)

    assert set() == world.sees(PUBLIC_THREAD) == world.sees(PRIVATE_THREAD)
    assert () == world.audience.visible(partial)
    assert (GENERAL,) == world.audience.visible(general)

    world.send("guild_delete", {"id": str(GUILD), "unavailable": True})
    assert () == world.audience.visible(general) == world.audience.readable_by(member)
    assert (False, False) == caller_rights(member, general)

    world.guild.unavailable = False
    world.send("guild_role_delete", {"guild_id": str(GUILD), "role_id": str(GUILD)})
    assert () == world.audience.visible(general) == world.audience.readable_by(member)

    world.send("guild_role_create", {"guild_id": str(GUILD), "role": world.everyone})
    assert (GENERAL,) == world.audience.visible(general)

    world.send("channel_delete", channel(GENERAL))
    assert () == world.audience.visible(general)

    world.send("guild_delete", {"id": str(GUILD)})
    assert () == world.audience.visible(general) == world.audience.readable_by(member)


def test_changes() -> None:
    """Every change of a role, an overwrite, a channel or the owner counts at the next call."""
    world = World(channel(GENERAL), channel(OTHER), channel(NEWS), roles=(role(MUTED),))
    assert {GENERAL, OTHER, NEWS} == world.sees(GENERAL)

    world.send("channel_update", channel(OTHER, rule(MUTED, deny=VIEW)))
    assert {GENERAL, NEWS} == world.sees(GENERAL)

    world.send("guild_role_update", {"guild_id": str(GUILD), "role": role(MUTED, ADMINISTRATOR)})
    assert {GENERAL, OTHER, NEWS} == world.sees(GENERAL)

    world.send("channel_update", channel(NEWS, nsfw=True))
    assert {GENERAL, OTHER} == world.sees(GENERAL)

    world.send("channel_create", channel(STAFF, rule(ANN, deny=VIEW, member=True)))
    assert {GENERAL, OTHER} == world.sees(GENERAL)

    world.guild.owner_id = ANN
    assert {GENERAL, OTHER, STAFF} == world.sees(GENERAL)

    world.send("channel_delete", channel(OTHER))
    assert {GENERAL, STAFF} == world.sees(GENERAL)

    world.send("guild_role_update", {"guild_id": str(GUILD), "role": role(GUILD, VIEW)})
    assert {GENERAL} == world.sees(GENERAL)


def test_overwrites_are_made_anew() -> None:
    """An update makes every overwrite and a role's tags anew, so one that is held as it is says what it said."""
    world = World(channel(STAFF, rule(MOD, allow=READ), rule(ANN, deny=VIEW, member=True)), roles=(role(MOD, bot=ANN),))
    staff, moderators = world.guild.get_channel(STAFF), world.guild.get_role(MOD)
    assert staff is not None
    assert moderators is not None
    held, tags = (*staff._overwrites,), moderators.tags

    world.send("channel_update", channel(STAFF, rule(MOD, deny=READ), rule(ANN, deny=VIEW, member=True)))
    world.send("guild_role_update", {"guild_id": str(GUILD), "role": role(MOD, bot=SELF)})

    assert [(MOD, READ, 0), (ANN, 0, VIEW)] == [(one.id, one.allow, one.deny) for one in held]
    assert not [one for one in staff._overwrites if any(one is other for other in held)]
    assert tags is not None
    assert (ANN, SELF) == (tags.bot_id, moderators.tags and moderators.tags.bot_id)


def test_kept_answers_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    """The answers of a bounded number of guilds are kept, those asked last, and the rest answered anew."""
    monkeypatch.setattr(audience, "GUILDS_KEPT", 2)
    worlds = [World(channel(key * 100), key=key) for key in (1, 2, 3)]
    guilds = {key: guild for world in worlds for key, guild in world.state._guilds.items()}
    shared = Audience(guilds.get)

    for key in (1, 2, 1, 3, 2, 1):
        place = guilds[key].get_channel(key * 100)
        assert place is not None
        assert (key * 100,) == shared.visible(place)

    assert [2, 1] == list(shared._known)


def test_readable_by() -> None:
    """A member's own channels are those they can read now, by their roles, with the private threads they moderate."""
    world = World(
        channel(GENERAL),
        channel(STAFF, rule(GUILD, deny=VIEW), rule(MOD, allow=VIEW | MANAGE_THREADS)),
        channel(OTHER, *private(), rule(ANN, allow=READ, member=True)),
        channel(CATEGORY, type_=CATEGORY_TYPE),
        channel(VOICE, rule(MUTED, deny=CONNECT), type_=VOICE_TYPE),
        channel(NEWS, rule(GUILD, deny=HISTORY)),
        roles=(role(MOD), role(MUTED)),
        threads=(
            thread(PUBLIC_THREAD, STAFF),
            thread(PRIVATE_THREAD, STAFF, PRIVATE_THREAD_TYPE),
            thread(POST, GENERAL, PRIVATE_THREAD_TYPE),
        ),
    )
    readable = world.audience.readable_by

    assert (GENERAL, VOICE) == readable(world.member(BEA))
    assert (GENERAL,) == readable(world.member(BEA, MUTED))
    assert (GENERAL, OTHER, VOICE) == readable(world.member(ANN))
    assert (GENERAL, STAFF, VOICE, PRIVATE_THREAD) == readable(world.member(BEA, MOD))
    assert (GENERAL, STAFF, OTHER, VOICE, NEWS, PRIVATE_THREAD, POST) == readable(world.member(OWNER))


def test_caller_rights() -> None:
    """Manage Guild makes an admin and Manage Messages a moderator, as they stand in that very channel."""
    world = World(
        channel(GENERAL, rule(VIP, allow=MANAGE_MESSAGES)),
        channel(OTHER),
        roles=(role(MOD, MANAGE_MESSAGES), role(VIP), role(ADMIN, ADMINISTRATOR), role(BOTS, MANAGE_GUILD)),
        threads=(thread(PUBLIC_THREAD, GENERAL), thread(POST, 404)),
    )
    general, other, inside = world.place(GENERAL), world.place(OTHER), world.place(PUBLIC_THREAD)
    me = world.state.user
    assert me is not None
    direct = discord.DMChannel(me=me, state=world.state, data=cast("Any", {"id": "50"}))

    assert (False, False) == caller_rights(world.member(ANN), general)
    assert (False, True) == caller_rights(world.member(ANN, MOD), general)
    assert (False, True) == caller_rights(world.member(ANN, VIP), inside)
    assert (False, False) == caller_rights(world.member(ANN, VIP), other)
    assert (True, False) == caller_rights(world.member(ANN, BOTS), general)
    assert (True, True) == caller_rights(world.member(ANN, ADMIN), general)
    assert (True, True) == caller_rights(world.member(OWNER), inside)
    assert (True, True) == caller_rights(me, direct)
    assert (False, False) == caller_rights(me, general)
    assert (False, False) == caller_rights(world.member(OWNER), world.place(POST))


def test_rights_of_another_guild() -> None:
    """A member of one guild has no rights in another."""
    world = World(channel(GENERAL))
    stranger = World(channel(GENERAL), key=2).state._guilds[2].me

    assert (False, False) == caller_rights(stranger, world.place(GENERAL))


ROLES: Final = (30, 31, 32, 33, 34)


def overwrites(draw: Random) -> list[Payload]:
    """Those of one channel: open to @everyone more often than not, and mostly about one bit, so that they meet."""
    masks = (0, 0, 0, VIEW, VIEW, VIEW, HISTORY, READ, CONNECT)
    named = draw.sample([*ROLES, ANN, BEA], draw.randrange(6))
    rules = [rule(k, allow=draw.choice(masks), deny=draw.choice(masks), member=k in {ANN, BEA}) for k in named]
    allow, deny = draw.choice([(0, 0), (EVERYTHING, 0), (EVERYTHING, 0), (0, VIEW), (READ, VIEW), (VIEW, HISTORY)])
    return [*rules, rule(GUILD, allow=allow, deny=deny)]


def random_world(draw: Random) -> World:
    """Three channels, five roles, a few of them administrators', and @everyone who can read all, little or nothing."""
    channels = [
        channel(key, *overwrites(draw), type_=draw.choice([0, 0, 0, VOICE_TYPE]), nsfw=draw.random() < 0.1)
        for key in (GENERAL, OTHER, NEWS)
    ]
    roles = tuple(role(key, draw.choice([0, 0, VIEW, READ, EVERYTHING, ADMINISTRATOR])) for key in ROLES)
    everyone = draw.choice([EVERYTHING, EVERYTHING, 0, 0, READ, HISTORY])
    return World(*channels, roles=roles, everyone=ADMINISTRATOR if draw.random() < 0.01 else everyone)


def everybody(world: World) -> list[discord.Member]:
    """Every person there can be: any set of roles, whether or not a member overwrite names them."""
    sets = list(chain.from_iterable(combinations(ROLES, size) for size in range(len(ROLES) + 1)))
    return [world.member(key, *held) for key in (ANN, BEA, 42) for held in sets]


def can_read(place: discord.abc.GuildChannel, member: discord.Member) -> bool:
    rights = place.permissions_for(member)
    return (
        rights.view_channel
        and rights.read_message_history
        and (rights.connect or not isinstance(place, discord.VoiceChannel))
    )


@pytest.mark.parametrize("seed", range(20))
def test_against_brute_force(seed: int) -> None:
    """What is shown is exactly what @everyone can read and no possible person sees here and can't read there."""
    draw = Random(seed)
    for world in (random_world(draw) for _ in range(50)):
        people, plain, channels = everybody(world), world.member(42), world.guild.channels
        for here in channels:
            sighted = [member for member in people if here.permissions_for(member).view_channel]
            expected = {here.id} | {
                there.id
                for there in channels
                if can_read(there, plain)
                and (here.nsfw or not there.nsfw)
                and all(can_read(there, member) for member in sighted)
            }
            assert expected == world.sees(here.id)
