"""The laws of what a community, a channel and a person decide about being remembered, as they meet them."""

import zoneinfo
from dataclasses import replace
from typing import Any, Final

import pytest

from bot import arguments, catalogue, errors
from bot.cli.terminal import Screen, Terminal
from bot.commands.grammar import GRAMMARS, MODES
from bot.config import CommunitySettings
from bot.db.pool import Database
from bot.domain import TERMINAL_CHANNEL, TERMINAL_SPACE, Caller, ChannelId, Right, SpaceId
from bot.presentation import introduction
from tests import people
from tests.conftest import Clock
from tests.conversations import Room, room
from tests.rows import rows

ROOT: Final = people.caller("Root", person=9, admin=True)
ANN: Final = replace(people.caller(), is_moderator=False)
MOD: Final = replace(people.caller("Mod", person=5), is_moderator=True)
HERSELF: Final = replace(people.caller(space=50, channel=50, admin=True), is_moderator=True, is_direct=True)
_CLICKED: Final = "</privacy:1576103483340226560>"
"""A command as Discord lets people click it."""
_POLICY: Final = "Whoever runs me says what becomes of your data: <https://example.org/privacy>"
MEANS: Final = {
    "off": (
        "The memory mode here is off: nothing said here is remembered or searched; to answer I read the last messages "
        "here, and keep none of them; a reset only clears."
    ),
    "explicit": "The memory mode here is explicit: only what somebody gives with !remember is kept, and a reset only "
    "clears.",
    "addressed": "The memory mode here is addressed: what is said to me and what I answer is kept.",
    "all": "The memory mode here is all: everything said here is kept.",
}
SEARCHES: Final = (
    "Where memory has nothing I ask Discord's own search and store nothing of what it finds; !memory search off stops "
    "that."
)
WILLING: Final = "You have not opted out; !memory off me does, everywhere."
DECLINED: Final = (
    "You opted out: nothing new of yours is kept, here or anywhere; what was kept before stays until you erase it with "
    "!mydata erase. !memory on me takes that back."
)


async def refused(r: Room, line: str, by: Caller | None = None) -> str:
    """The sentence a line is refused with."""
    with pytest.raises(errors.UserError) as caught:
        await r.run(line, by=by)
    return str(caught.value)


# --- the grammar ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "line", "form", "named"),
    [
        ("memory", "", "", {}),
        ("memory", " \n", "", {}),
        ("memory", "mode explicit", "mode", {"mode": "explicit"}),
        ("memory", " MODE\tOff ", "mode", {"mode": "off"}),
        ("memory", "off me", "off me", {}),
        ("memory", "On  ME", "on me", {}),
        ("channel", "enable", "enable", {}),
        ("channel", "Disable", "disable", {}),
        ("settings", "", "", {}),
        ("settings", "prefix", "prefix", {}),
        ("settings", "prefix ?", "prefix", {"prefix": "?"}),
        ("settings", "timezone Europe/Berlin", "timezone", {"timezone": "Europe/Berlin"}),
    ],
)
def test_a_form_is_its_words_and_its_value(name: str, line: str, form: str, named: dict[str, str]) -> None:
    """In any case and with any blanks, the form and its value and nothing else."""
    args = arguments.parse(line, GRAMMARS[name])
    assert (form, named, "", frozenset()) == (args.form, args.named, args.text, args.bare)


@pytest.mark.parametrize(
    ("name", "line", "sentence"),
    [
        ("memory", "mode", "!memory mode needs a value: !memory mode <off|explicit|addressed|all>"),
        ("memory", "mode none", "mode takes off, explicit, addressed or all, not 'none'."),
        ("memory", "mode off now", None),
        ("memory", "off", "I don't know 'off'; did you mean !memory mode off, !memory search off or !memory off me? "),
        ("memory", "of me", "I don't know 'of me'; did you mean !memory off me? "),
        ("memory", "explicit", "I don't know 'explicit'; did you mean !memory mode explicit? !memory, "),
        ("memory", "off me please", "I don't know 'please'; !memory, "),
        ("channel", "", "!channel needs a word more: !channel enable, !channel disable, !channel around <0-50>"),
        ("channel", "enabel", "I don't know 'enabel'; did you mean !channel enable? "),
        ("channel", "enable me", "I don't know 'me'; !channel enable, !channel disable, !channel around <0-50>"),
        ("settings", "prefix ? !", "I don't know '!'; !settings, !settings prefix [1-5 characters], "),
        ("settings", "langauge german", "I don't know 'langauge german'; "),
    ],
)
def test_whatever_is_no_form_is_refused_with_what_would_be_right(name: str, line: str, sentence: str | None) -> None:
    """The word, the likeliest right one, and the usage; nothing is guessed."""
    with pytest.raises(errors.BadArgument) as caught:
        arguments.parse(line, GRAMMARS[name])
    assert sentence is None or str(caught.value).startswith(sentence)


def test_the_help_of_a_command_with_forms_tells_each() -> None:
    """A line a form, as it is typed."""
    form_lines = {name: [form.usage for form in GRAMMARS[name].forms] for name in ("memory", "channel", "settings")}
    assert form_lines == {
        "memory": [
            "mode <off|explicit|addressed|all>",
            "search [on|off]",
            "makes [ledger,facts] [workflow:name]",
            "erase",
            "erase confirm",
            "requests",
            "off me",
            "on me",
        ],
        "channel": ["enable", "disable", "around <0-50>", "threads <on|off>"],
        "settings": [
            "prefix [1-5 characters]",
            "language [name]",
            "timezone [Area/City]",
            "why [on|off]",
            "answers [on|off]",
            "pin [📌|off]",
        ],
    }


# --- rights ---------------------------------------------------------------------------------------------------------

NEEDS: Final = {
    "!reset": Right.MANAGE_MESSAGES,
    "!reset discard": Right.MANAGE_MESSAGES,
    "!age": Right.MANAGE_GUILD,
    "!age preview": Right.MANAGE_GUILD,
    "!channel enable": Right.MANAGE_GUILD,
    "!channel disable": Right.MANAGE_GUILD,
    "!channel threads on": Right.MANAGE_GUILD,
    "!settings pin off": Right.MANAGE_GUILD,
    "!settings pin": None,
    "!who": Right.MANAGE_GUILD,
    "!who block <#1>": Right.MANAGE_GUILD,
    "!memory mode off": Right.MANAGE_GUILD,
    "!memory search off": Right.MANAGE_GUILD,
    "!settings prefix ?": Right.MANAGE_GUILD,
    "!settings language german": Right.MANAGE_GUILD,
    "!settings timezone UTC": Right.MANAGE_GUILD,
    "!remember tea source:directive": Right.MANAGE_GUILD,
    "!remember tea": None,
    "!memory": None,
    "!memory off me": None,
    "!memory on me": None,
    "!settings": None,
    "!settings prefix": None,
    "!settings language": None,
    "!settings timezone": None,
    "!recall tea": None,
    "!status": None,
    "!help": None,
    "!memories": None,
    "!sessions": None,
}


@pytest.mark.parametrize("line", NEEDS)
async def test_a_line_needs_what_it_needs_and_is_refused_before_anything_is_done(
    database: Database, clock: Clock, line: str
) -> None:
    """Somebody without the right is refused with one sentence that names it; with it the line is carried out."""
    right = NEEDS[line]
    may = {None: (ANN, MOD, ROOT), Right.MANAGE_MESSAGES: (MOD, ROOT), Right.MANAGE_GUILD: (ROOT,)}[right]
    tables: Final = "SELECT s::text FROM space s UNION ALL SELECT c::text FROM channel c UNION ALL SELECT m::text FROM "
    everything: Any = tables + "session m UNION ALL SELECT m::text FROM memory m UNION ALL SELECT m::text FROM person m"
    async with room(database, clock, who=ANN) as r:
        before = await rows(database, everything)
        for caller in (ANN, MOD, ROOT):
            if caller in may:
                continue
            sentence = await refused(r, line, by=caller)
            assert right is not None
            assert f" needs the permission {right.value}" in sentence
            assert sentence.count(".") == 1
        assert before == await rows(database, everything)
        for caller in may:
            assert await r.run(line, by=caller) != ""
        await r.app.background.settled(20)


@pytest.mark.parametrize(
    ("line", "begins"),
    [
        ("!reset", "!reset needs the permission Manage Messages"),
        ("!age preview", "!age needs the permission Manage Server"),
        ("!memory mode off", "!memory mode needs the permission Manage Server"),
        ("!settings prefix ?", "!settings prefix with a value needs the permission Manage Server"),
        ("!remember x source:directive", "source:directive needs the permission Manage Server"),
    ],
)
async def test_a_refusal_names_the_part_that_needs_the_permission(
    database: Database, clock: Clock, line: str, begins: str
) -> None:
    """One may look at settings and remember without it; the sentence says what may not be done."""
    async with room(database, clock, who=ANN) as r:
        assert (await refused(r, line)).startswith(begins)


async def test_changing_what_somebody_else_said_needs_manage_server(database: Database, clock: Clock) -> None:
    """Forget, edit and pin of others' memories; one's own are one's own."""
    async with room(database, clock, who=ANN) as r:
        await r.run("!remember Ann is vegan.", by=ROOT)
        await r.run("!remember Bob likes tea.")
        told = {await refused(r, f"{line}") for line in ("!forget 1", "!edit 1 no", "!pin 1", "!unpin 1")}
        own = await r.run("!forget 2")
        other = await r.run("!forget 1", by=ROOT)
    (sentence,) = told
    assert [part in sentence for part in ("#1 was said by", Right.MANAGE_GUILD)] == [True, True]
    assert (True, True) == (own.startswith("[memory] forgotten: #2"), other.startswith("[memory] forgotten: #1"))


# --- the mode and the wish ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("mode", MODES)
async def test_memory_tells_the_mode_what_it_means_and_whether_one_opted_out(
    database: Database, clock: Clock, mode: str
) -> None:
    """The mode as it was set, in one plain sentence, and the caller's own wish."""
    async with room(database, clock, who=ANN) as r:
        done = await r.run(f"!memory mode {mode}", by=ROOT)
        told = [await r.run("!memory")]
        await r.run("!memory off me")
        told += [await r.run("!memory"), await r.run("!memory", by=ROOT)]
    stays = " What is kept already stays until it is forgotten." if mode in {"off", "explicit"} else ""
    set_to, stop, _ = done.partition(" **Stop** ends it")
    assert f"{MEANS[mode]} That holds for this channel and its public threads.{stays}" == set_to
    assert (mode == "all") is bool(stop)
    assert [f"{MEANS[mode]}\n{SEARCHES}\n{wish}" for wish in (WILLING, DECLINED, WILLING)] == told


async def test_opting_out_tells_what_it_means_and_how_to_come_back(database: Database, clock: Clock) -> None:
    """Out, out again, in, in again, and what is kept meanwhile."""
    async with room(database, clock, who=ANN) as r:
        await r.say("The kiln is booked.")
        told = [await r.run(line) for line in ("!memory off me", "!memory off me")]
        await r.say("The vault code is 4417.")
        kept = await refused(r, "!remember The vault code is 4417.")
        told += [await r.run(line) for line in ("!memory on me", "!memory on me")]
        await r.say("Bob likes tea.")
    rest = (
        "nothing you say is kept, here or anywhere, and no memory is made of it. What is kept already stays until you "
        "erase it with !mydata erase. !memory on me takes this back."
    )
    assert [
        f"From now on {rest}",
        f"As before, {rest}",
        "You may be remembered again. !memory tells what is kept in a channel.",
        "You may be remembered already: you had not opted out. !memory tells what is kept in a channel.",
    ] == told
    assert kept.startswith("Nothing was kept: you opted out")
    said = await rows(database, "SELECT content FROM message WHERE role = 'person' ORDER BY message_id")
    assert [("The kiln is booked.",), ("Bob likes tea.",)] == said


async def test_an_opt_out_holds_in_every_space(database: Database, clock: Clock) -> None:
    """Given in one, it is refused in another, in direct messages too."""
    async with room(database, clock, who=ANN) as r:
        for caller in (HERSELF, people.caller(space=2, channel=20)):
            await r.app.enter(caller, channel_name="c", mode="addressed")
        await r.run("!memory off me")
        told = {await refused(r, "!remember tea", by=c) for c in (HERSELF, people.caller(space=2, channel=20))}
    assert [True] == [sentence.startswith("Nothing was kept: you opted out") for sentence in told]


async def test_in_direct_messages_a_person_sets_the_mode(database: Database, clock: Clock) -> None:
    """They have every right there, and only there is it changed."""
    async with room(database, clock, who=ANN) as r:
        await r.app.enter(HERSELF, channel_name="direct messages", mode="addressed")
        told = await r.run("!memory mode off", by=HERSELF)
        here = await r.run("!memory")
    assert (True, True) == (told.startswith(MEANS["off"]), here.startswith(MEANS["all"]))


# --- the channel ----------------------------------------------------------------------------------------------------


async def test_a_channel_is_switched_on_and_off(database: Database, clock: Clock) -> None:
    """What the reply says is what the place is; other channels stay as they were."""
    async with room(database, clock, who=ROOT) as r:
        other = await r.app.enter(people.caller(channel=11), channel_name="other", mode="all")
        told: list[tuple[str, list[bool]]] = []
        for word in ("enable", "enable", "disable"):
            text = await r.run(f"!channel {word}")
            places = [await r.app.spaces.place(c.space_id, c.channel_id) for c in (r.caller, other)]
            told.append((text, [place is not None and place.enabled for place in places]))
    on, off = ("Everything said in this channel", "!channel disable"), ("In this channel", "!channel enable")
    for (begins, back), (text, _) in zip((on, on, off), told, strict=True):
        assert (True, True, True) == (text.startswith(begins), "its public threads" in text, back in text)
    assert [[True, False], [True, False], [False, False]] == [places for _, places in told]


async def test_a_thread_is_switched_with_the_channel_it_is_in(database: Database, clock: Clock) -> None:
    """What the reply says in a public thread is what its channel and all its threads are, those made later too."""
    first, later = (
        replace(people.caller("Root", channel=number, admin=True), origin=ROOT.channel_id) for number in (11, 12)
    )
    async with room(database, clock, who=ROOT) as r:

        async def enabled() -> list[bool]:
            places = [await r.app.spaces.place(c.space_id, c.channel_id) for c in (ROOT, first, later)]
            return [place.enabled for place in places if place is not None]

        await r.app.enter(first, channel_name="first", mode="all")
        on, there = await r.run("!channel enable", by=first), await enabled()
        await r.app.enter(later, channel_name="later", mode="all")
        made = await enabled()
        off = await r.run("!channel disable", by=later)
        assert ([True, True], [True, True, True], [False, False, False]) == (there, made, await enabled())
    where = "the channel or forum this thread is in"
    assert (True, True) == (on.startswith(f"Everything said in {where}"), off.startswith(f"In {where}"))


@pytest.mark.parametrize("word", ["enable", "disable"])
async def test_where_everything_is_answered_anyway_it_says_so(database: Database, clock: Clock, word: str) -> None:
    """In direct messages and at the terminal there is nothing to switch, and nothing is."""
    terminal = people.caller(space=TERMINAL_SPACE, channel=TERMINAL_CHANNEL, admin=True)
    async with room(database, clock, who=HERSELF) as r:
        await r.app.enter(terminal, channel_name="terminal", mode="all")
        told = {await r.run(f"!channel {word}", by=caller) for caller in (HERSELF, terminal)}
    assert [True] == ["answered anyway" in text for text in told]
    assert [(False,)] == await rows(database, "SELECT DISTINCT enabled FROM channel")


# --- settings -------------------------------------------------------------------------------------------------------


async def test_settings_are_told_and_set(database: Database, clock: Clock) -> None:
    """All of them, one of them, and each as it is after it was set; another space keeps its own."""
    async with room(database, clock, who=ROOT) as r:
        other = await r.app.enter(people.caller(space=2, channel=20), channel_name="c", mode="all")
        told = [
            await r.run(line)
            for line in (
                "!settings prefix h!",
                "!settings timezone europe/berlin",
                "!settings language GERMAN",
                "!settings prefix",
                "!settings timezone",
                "!settings why off",
                "!settings why",
                "!settings why on",
                "!settings pin off",
                "!settings pin",
                "!settings pin 📌",
            )
        ]
        last = await r.run("!settings")
        theirs = await r.run("!settings", by=other)
    prefix, language, zone = "begin with h!", "searched in german", "zone is Europe/Berlin"
    without, button = "carry no button", "“Why?” under"
    unpinned, pin = "No emoji has", "📌 on anybody's message"
    expected = [prefix, zone, language, prefix, zone, without, without, button, unpinned, unpinned, pin]
    assert [True] * 11 == [part in text for part, text in zip(expected, told, strict=True)]
    chosen = ["Prefix: h! (this server)", "texts: german (this server)", "zone: Europe/Berlin (this server)"]
    default = ["Prefix: ! (the default)", "texts: english (the default)", "zone: UTC (the default)"]
    assert ([True] * 3, [True] * 3) == ([each in last for each in chosen], [each in theirs for each in default])


@pytest.mark.parametrize("prefix", ["?", "h!", "$$$$$", "hi-a!", "…", "é!", "9."])
async def test_a_prefix_is_kept_as_it_is_given(database: Database, clock: Clock, prefix: str) -> None:
    """One to five visible characters that end in a mark."""
    async with room(database, clock, who=ROOT) as r:
        await r.run(f"!settings prefix {prefix}")
        place = await r.app.spaces.place(ROOT.space_id, ROOT.channel_id)
    assert place is not None
    assert prefix == place.prefix


@pytest.mark.parametrize(
    "prefix",
    ["/", "@", "#", "`", "*", "_", "~", "|", "<", ">", "!!!!!!", "h", "hathi", "!/", "\u200b", "a\u202e!", "\\"],
)
async def test_a_prefix_that_would_get_in_the_way_is_refused(database: Database, clock: Clock, prefix: str) -> None:
    """What Discord reads itself, what words begin with, what nobody sees, and what is too long; it stays as it was."""
    async with room(database, clock, who=ROOT) as r:
        sentence = await refused(r, f"!settings prefix {prefix}")
    assert (1, True) == (len(sentence.splitlines()), "such as ? or h!" in sentence)
    assert [("!",)] == await rows(database, "SELECT prefix FROM space")


@pytest.mark.parametrize(
    ("given", "near"),
    [
        ("Berlin", "did you mean Europe/Berlin? "),
        ("Europe/Brelin", "did you mean Europe/Berlin? "),
        ("new_york", "did you mean America/New_York? "),
        ("Asia/Tokio", "did you mean Asia/Tokyo? "),
        ("zzzzzz", ""),
        ("../../etc/passwd", ""),
    ],
)
async def test_a_time_zone_nobody_knows_is_told_with_the_likeliest_one(
    database: Database, clock: Clock, given: str, near: str
) -> None:
    """The sentence says what would be right, and nothing is changed."""
    async with room(database, clock, who=ROOT) as r:
        sentence = await refused(r, f"!settings timezone {given}")
    assert sentence.startswith(f"There is no time zone {given!r}; {near}it takes")
    assert [("UTC",)] == await rows(database, "SELECT time_zone FROM space")


async def test_every_name_that_is_suggested_is_one_there_is(database: Database, clock: Clock) -> None:
    """Whatever case it is typed in, a known zone is kept as its own name."""
    async with room(database, clock, who=ROOT) as r:
        for zone in ("UTC", "Asia/Kolkata", "America/Argentina/Buenos_Aires"):
            assert f"The time zone is {zone}." == await r.run(f"!settings timezone {zone.swapcase()}")
            assert zone in zoneinfo.available_timezones()


@pytest.mark.parametrize("name", ["Deutsch", "de", "German", "deutsch", "DE"])
async def test_a_language_is_called_by_any_of_its_names(database: Database, clock: Clock, name: str) -> None:
    """In English, by itself and by its code."""
    async with room(database, clock, who=ROOT) as r:
        assert "german" in await r.run(f"!settings language {name}")
        assert "Texts are searched in german." in await r.run("!settings language")


async def test_a_language_nobody_knows_is_told_with_those_that_are_near(database: Database, clock: Clock) -> None:
    """Also when one only looks."""
    async with room(database, clock, who=ROOT) as r:
        sentence = await refused(r, "!settings language germn")
        looked = await r.run("!settings language")
        same = await r.run("!settings language english")
    assert sentence.startswith("I can't search in 'germn'; did you mean german")
    assert (True, False) == ("!settings language" in sentence, "afrikaans" in sentence)
    assert looked.startswith("Texts are searched in english. There are afrikaans, ")
    assert [True] * 2 == [f", {name}, " in looked for name in ("german", "polish")]
    assert "Texts are searched in english already." == same


async def test_what_was_said_before_is_found_in_the_new_language(database: Database, clock: Clock) -> None:
    """Memories and messages are indexed anew, by its stems: topic, text and tags, the same as if written now."""
    async with room(database, clock, who=ROOT) as r:
        await r.run("!remember Die Häuser wurden gestrichen. topic:Häuser tags:farben,haus")
        await r.say("Die Brücken wurden gesperrt.")
        told = await r.run("!settings language german")
        german = replace(r.caller, language="german")
        found = [await r.run(f"!recall {word}", by=german) for word in ("Haus", "Brücke", "Farbe")]
        ((before,),) = await rows(database, "SELECT search::text FROM memory")
        await r.run("!forget 1", by=german)
        clock.forward(minutes=11)
        await r.app.schedule.upkeep()
        await r.run("!remember Die Häuser wurden gestrichen. topic:Häuser tags:farben,haus", by=german)
        ((after,),) = await rows(database, "SELECT search::text FROM memory")
    assert ("german" in told, "1 memory and 2 messages" in told) == (True, True)
    assert [True, True, True] == ["gestrichen" in found[0], "gesperrt" in found[1], "gestrichen" in found[2]]
    assert after == before


@pytest.mark.parametrize(
    ("language", "fact", "said", "asked"),
    [
        ("polish", "Ania lubi gorzką czekoladę.", "Czekolady nie kupujemy.", "gorzka czekolada"),
        ("japanese", "私の猫は黒いです。", "猫カフェに行きました。", "猫"),
        ("ukrainian", "Книжки лежать на столі.", "Книжку забула Аня.", "книжка"),
    ],
)
async def test_a_language_postgres_has_no_stemmer_for_is_searched(
    language: str, fact: str, said: str, asked: str, database: Database, clock: Clock
) -> None:
    """It is set by its name and told by it; what was kept before and after is found in another form of its words."""
    async with room(database, clock, who=ROOT) as r:
        await r.run(f"!remember {fact} topic:x")
        told = await r.run(f"!settings language {language.upper()}")
        there = replace(r.caller, language=language)
        await r.say(said, by=there)
        found = await r.run(f"!recall {asked}", by=there)
        again = await r.run("!settings language german")
    assert (True, True) == (f"in {language} now" in told, "1 memory and 0 messages" in told)
    assert (True, True) == (fact in found, said in found)
    assert again.startswith("Texts are searched in german now; 1 memory and ")


# --- the terminal, and what is said first ---------------------------------------------------------------------------


async def test_the_terminal_takes_its_settings_over_at_once(
    database: Database, clock: Clock, capsys: pytest.CaptureFixture[str]
) -> None:
    """A new prefix and language hold for the next line; ! and / work whatever the prefix."""
    who = people.caller("Kim", space=TERMINAL_SPACE, channel=TERMINAL_CHANNEL, person=0, admin=True)
    async with room(database, clock, who=who) as r:
        terminal = Terminal(r.app, r.caller, Screen(interactive=False))
        await terminal.settle()
        for line in (
            "!settings prefix h!",
            "h!settings language german",
            "h!remember Die Häuser sind rot.",
            "!recall Haus",
            "/memory",
        ):
            assert await terminal.take(line)
        later = Terminal(r.app, r.caller, Screen(interactive=False))
        await later.settle()
        await later.take("h!memory mode explicit")
    printed = capsys.readouterr().out
    assert "Commands begin with h! " in printed
    assert "[memory] gespeichert:" in printed
    assert printed.count("Die Häuser sind rot.") == 2
    means = {mode: catalogue.in_language(introduction.MEANS[mode], "de") or "" for mode in ("all", "explicit")}
    assert means["all"] in printed
    assert means["explicit"].format(p="h!") in printed


def test_a_community_is_told_what_is_kept_and_how_to_stop_it() -> None:
    """What will be stored, who is shown it, and by what it is stopped."""
    told = introduction.to_community(_CLICKED)
    assert [True] * 4 == [
        words in told
        for words in (
            "From now on I keep what people say to me and what I answer",
            "shown only to people who can read that channel",
            f"\n{_CLICKED} shows what I have of you, stops it",
            "I read the last ones before it; those are not stored",
        )
    ]


def test_a_community_is_told_where_the_privacy_policy_stands() -> None:
    """Without an embed, and only where whoever runs Hathi has one."""
    told = introduction.to_community(_CLICKED, privacy_url="https://example.org/privacy")
    assert told == f"{introduction.to_community(_CLICKED)}\n{_POLICY}"


async def test_who_asks_for_their_data_is_told_where_the_privacy_policy_stands(
    database: Database, clock: Clock
) -> None:
    """Also where there is nothing of theirs."""
    named = CommunitySettings.model_validate({"privacy_url": "https://example.org/privacy"})
    async with room(database, clock, who=replace(HERSELF, reads_alone=True), community=named) as r:
        for _ in range(2):
            assert (await r.run("!mydata")).endswith(f"\n{_POLICY}")
            await r.run("!remember the gate is green")


def test_a_community_is_told_what_may_be_asked_and_what_is_missing() -> None:
    """That anything said here may be asked about, or who must switch what on first; nor that where it is off."""
    missing = [introduction.NO_INTENT, introduction.NO_RIGHT]
    texts = [introduction.to_community(_CLICKED), introduction.to_community(_CLICKED, missing)]
    texts.append(introduction.to_community(_CLICKED, missing, searches=False))
    assert ["Ask about the past" in text for text in texts] == [True, False, False]
    assert [all(each in text for each in missing) for text in texts] == [False, True, False]
    assert ["I read the last ones before it" in text for text in texts] == [True, False, False]
    assert ["Nothing is stored yet." in text and len(text) <= 600 for text in texts] == [True] * 3


@pytest.mark.parametrize(
    ("mode", "kept"),
    [
        ("off", "what you say to me"),
        ("explicit", "what I am to keep"),
        ("addressed", "what you say to me"),
        ("all", "everything you say"),
    ],
)
def test_a_person_is_told_what_is_kept_by_the_channel_s_mode(mode: str, kept: str) -> None:
    """In one small line of at most 120 characters, with what shows, stops and erases it; who reads along, if nobody."""
    here, directly = (introduction.to_person(_CLICKED, mode, is_direct=is_direct) for is_direct in (False, True))
    assert (True, True) == (f"{kept} here; {_CLICKED} shows, stops" in here, f"{kept} here, for you alone" in directly)
    assert (True, True) == (here.startswith("-# "), f"{_CLICKED} shows, stops or erases" in directly)
    assert [(True, 1)] * 2 == [(len(line) <= 120, len(line.splitlines())) for line in (here, directly)]


async def test_a_place_nobody_knows_is_none(database: Database, clock: Clock) -> None:
    """And commands about it say so instead of making it up."""
    async with room(database, clock, who=ROOT) as r:
        unknown = replace(ROOT, channel_id=ChannelId(99), space_id=SpaceId(99))
        place = await r.app.spaces.place(unknown.space_id, unknown.channel_id)
        told = {
            await refused(r, line, by=unknown)
            for line in (
                "!memory",
                "!memory mode off",
                "!channel enable",
                "!settings",
                "!settings prefix ?",
                "!settings timezone UTC",
                "!settings language german",
            )
        }
    assert place is None
    assert [True] == ["not known yet" in sentence for sentence in told]
