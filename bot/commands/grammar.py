"""The arguments and rights of every command, and the help made from them."""

import functools
from collections.abc import Callable, Mapping
from typing import Final

from bot.arguments import Choice, Form, FreeText, Grammar, Kind, Number, Phrase, Word, Words
from bot.catalogue import CODES, gettext, in_language, later
from bot.domain import Holds, MemoryPart, PlaceSetting, Right
from bot.store.spaces import PIN
from bot.store.tallies import MOST_PAGES

MODES: Final = ("off", "explicit", "addressed", "all")
"""What is remembered of a channel, from nothing to everything."""
TIMES: Final = later("since 11:00, 2h, yesterday, last week, October")
"""Times that can be given, for an example."""
WORKS: Final = ("issue-analysis", "health-check", "code-review")
"""Works a palace can be laid out for, each by a file of `bot/defaults/playbooks`."""
_SWITCH: Final = Choice(options=("on", "off"))


def _setting(name: str, kind: Kind, about: str) -> Form:
    """A setting of the space: anyone may look, changing it takes the right."""
    return Form(words=name, value=name, kind=kind, value_required=False, needs=Right.MANAGE_GUILD, help=about)


def _by_place(setting: PlaceSetting, about: str) -> Grammar:
    """What is chosen for a channel or for a whole server, from the names there are."""
    where = later("this channel with its public threads, or the whole server")
    return Grammar(
        command=setting.value,
        text=setting.value,
        text_required=False,
        text_help=about,
        named={"where": Choice(options=("channel", "server"), default="channel", help=where)},
        needs=Right.MANAGE_GUILD,
    )


GRAMMARS: Final = {
    grammar.command: grammar
    for grammar in (
        Grammar(command="reset", bare=("discard",), needs=Right.MANAGE_MESSAGES),
        Grammar(
            command="remember",
            text="text",
            named={
                "topic": Word(help=later("what it is about")),
                "room": Word(help=later("where it is filed: projects, people, decisions, preferences …")),
                "importance": Number(low=1, high=10, default=8, help=later("1 low, 5 medium, 10 critical")),
                "tags": Words(help=later("words to find it by")),
                "source": Choice(options=("directive",), help=later("a rule for everyone; admins only")),
            },
            named_needs={"source": Right.MANAGE_GUILD},
        ),
        Grammar(
            command="recall",
            text="query",
            also_first=True,
            named={
                "tier": Choice(options=("short", "long", "all"), default="all", help=later("which tier to look in")),
                "tag": Words(help=later("memories with this tag only; of several, with all of them")),
                "strategy": Choice(
                    options=("ranked", "literal", "keywords"),
                    default="ranked",
                    help=later("literal counts your words; keywords takes a;b;c"),
                ),
                "as_of": Word(shape="2026-05-03", help=later("as memory stood at the end of that day")),
                "limit": Number(low=1, high=20, default=5, help=later("results at most")),
                "page": Number(low=1, high=20, default=1, help=later("further results, 20 in all")),
            },
            bare=("why",),
        ),
        Grammar(
            command="why",
            text="reply",
            text_required=False,
            named={"page": Number(low=1, high=1000, default=1, help=later("6 rows a page"))},
            bare=("exactly",),
        ),
        Grammar(
            command="age",
            needs=Right.MANAGE_GUILD,
            named={
                "older_than_hours": Number(low=1, high=87600, default=48, help=later("since made or last reinforced")),
                "max_rows": Number(low=1, high=10000, default=100, help=later("rows moved at most")),
                "include": Choice(options=("protected",), help=later("move pinned and important ones too")),
            },
            bare=("preview",),
        ),
        Grammar(
            command="forget",
            lead="id",
            without_lead=later("“forget …” with what it is about, said to me as any message, finds it by its words."),
        ),
        Grammar(command="undo"),
        Grammar(command="pin", lead="id"),
        Grammar(command="unpin", lead="id"),
        Grammar(command="edit", lead="id", text="text"),
        Grammar(command="settle", lead="id", bare=tuple(Holds)),
        Grammar(
            command="memories",
            text="topic",
            text_required=False,
            named={
                "sort": Choice(options=("importance", "new"), default="importance", help=later("what comes first")),
                "min": Number(low=1, high=10, default=1, help=later("least importance")),
                "by": Choice(options=("me",), help=later("what you gave alone")),
                "said": Phrase(help=later("those of a time: today, yesterday, “last week”")),
                "tag": Words(help=later("those with this tag only; of several, with all of them")),
                "page": Number(low=1, high=MOST_PAGES, default=1, help=later("6 a page")),
            },
        ),
        Grammar(command="me", named={"page": Number(low=1, high=MOST_PAGES, default=1, help=later("6 a page"))}),
        Grammar(command="tags", named={"page": Number(low=1, high=MOST_PAGES, default=1, help=later("20 a page"))}),
        Grammar(
            command="palace",
            text="room",
            text_required=False,
            named={
                "topic": Word(help=later("of its memories those of this topic")),
                "page": Number(low=1, high=MOST_PAGES, default=1, help=later("20 rooms or 6 memories a page")),
            },
            forms=(
                Form(
                    words="new",
                    value="work",
                    kind=Choice(options=WORKS),
                    needs=Right.MANAGE_GUILD,
                    help=later("lays out rooms and a playbook for such work"),
                ),
            ),
        ),
        Grammar(command="sessions", named={"page": Number(low=1, high=MOST_PAGES, default=1, help=later("5 a page"))}),
        Grammar(
            command="summary",
            forms=(
                Form(words="rebuild", needs=Right.MANAGE_GUILD, help=later("makes it anew from the channel's ledger")),
            ),
        ),
        Grammar(
            command="missed",
            text="time",
            text_required=False,
            text_help=f"{TIMES}; without one, since you said something last",
        ),
        Grammar(
            command="learn",
            text="channel",
            text_required=False,
            named={
                "since": Word(
                    shape="90d", help=later("how far back: days, weeks or months, or a day such as 2026-05-03")
                ),
                "wait": Number(
                    low=0, high=720, default=24, help=later("hours from the announcement to the first message")
                ),
            },
            forms=(
                Form(
                    words="stop",
                    value="channel",
                    kind=Word(shape="channel"),
                    value_required=False,
                    help=later("ends it at once; what was read stays"),
                ),
            ),
            needs=Right.MANAGE_GUILD,
        ),
        Grammar(
            command="do",
            text="workflow",
            text_required=False,
            text_help=later("its name, then what it is to be done with; without one, those there are"),
        ),
        Grammar(command="note", text="text"),
        Grammar(command="notes", named={"page": Number(low=1, high=100000, default=1, help=later("6 a page"))}),
        Grammar(
            command="promote",
            lead="note",
            text="summary",
            named={
                "reason": Phrase(required=True, help=later("why it is to stay")),
                "topic": Word(help=later("what it is about")),
                "room": Word(help=later("where it is filed: projects, people, decisions, preferences …")),
                "importance": Number(low=1, high=10, default=8, help=later("1 low, 5 medium, 10 critical")),
                "tags": Words(help=later("words to find it by")),
            },
            bare=("confirm",),
        ),
        Grammar(command="wake"),
        Grammar(
            command="memory",
            forms=(
                Form(
                    words="mode",
                    value="mode",
                    kind=Choice(options=MODES),
                    needs=Right.MANAGE_GUILD,
                    help=later("what is remembered of this channel"),
                ),
                _setting(
                    "search", _SWITCH, later("whether Discord's own search is asked for what memory does not have")
                ),
                Form(
                    words="makes",
                    value="makes",
                    kind=Words(most=len(MemoryPart), shape=",".join(MemoryPart)),
                    value_required=False,
                    named={"workflow": Word(shape="name", help=later("which makes its part; none for one call"))},
                    needs=Right.MANAGE_GUILD,
                    help=later("what is made of what is said here: entries of the ledger, facts or both"),
                ),
                Form(
                    words="erase",
                    needs=Right.MANAGE_GUILD,
                    help=later("what erasing everything of this server would take"),
                ),
                Form(
                    words="erase confirm",
                    needs=Right.MANAGE_GUILD,
                    help=later("erases it for everyone here, and for good"),
                ),
                Form(
                    words="requests",
                    needs=Right.MANAGE_GUILD,
                    help=later("what people ask to have removed of what others said about them"),
                ),
                Form(words="off me", help=later("nothing of yours is kept any more, anywhere")),
                Form(words="on me", help=later("you may be remembered again")),
            ),
        ),
        Grammar(
            command="channel",
            needs=Right.MANAGE_GUILD,
            form_required=True,
            forms=(
                Form(words="enable", help=later("everything said in this channel and its public threads is answered")),
                Form(words="disable", help=later("only what is said to Hathi is answered")),
                Form(
                    words="around",
                    value="messages",
                    kind=Number(low=0, high=50),
                    help=later("how many messages before a mention are read with it; 0 for none"),
                ),
                Form(
                    words="threads",
                    value="threads",
                    kind=_SWITCH,
                    help=later("whether a mention is answered in a thread of its own, which needs no more mentions"),
                ),
            ),
        ),
        Grammar(
            command="room",
            needs=Right.MANAGE_GUILD,
            form_required=True,
            forms=(
                Form(words="rename", value="room", second="name", help=later("gives a room another name")),
                Form(words="merge", value="room", second="into", help=later("files what is in a room in another one")),
            ),
        ),
        Grammar(
            command="identity",
            forms=(
                Form(
                    words="set",
                    value="text",
                    kind=FreeText(),
                    needs=Right.MANAGE_GUILD,
                    help=later("who Hathi is here and what for"),
                ),
                Form(words="reset", needs=Right.MANAGE_GUILD, help=later("who Hathi is everywhere else")),
            ),
        ),
        Grammar(
            command="settings",
            forms=(
                _setting("prefix", Word(shape="1-5 characters"), later("what commands begin with")),
                _setting("language", Word(shape="name"), later("the language texts are searched in")),
                _setting("timezone", Word(shape="Area/City"), later("the time zone people here live in")),
                _setting("why", _SWITCH, later("the button under what I say from memory that tells what led to it")),
                _setting("answers", _SWITCH, later("what a model adds, marked as no memory, where memory has nothing")),
                _setting(
                    "pin",
                    Word(shape=f"{PIN}|off"),
                    later("the emoji that has a message remembered when somebody puts it there"),
                ),
            ),
        ),
        Grammar(
            command="mydata",
            forms=(
                Form(words="see", help=later("what I have of you")),
                Form(words="export", help=later("all of it, to take along")),
                Form(words="erase", help=later("what erasing it would take")),
                Form(words="erase confirm", help=later("erases it, everywhere and for good")),
                Form(
                    words="remove",
                    value="id",
                    kind=Number(low=1, high=999_999_999),
                    help=later("asks those who manage this server to remove what another said about you"),
                ),
            ),
        ),
        Grammar(
            command="who",
            needs=Right.MANAGE_GUILD,
            forms=(
                Form(
                    words="allow",
                    value="whom",
                    kind=Word(shape="@role|#channel"),
                    help=later("it alone is answered, with others that are allowed"),
                ),
                Form(words="block", value="whom", kind=Word(shape="@role|#channel"), help=later("it is not answered")),
                Form(
                    words="clear",
                    value="whom",
                    kind=Word(shape="@role|#channel"),
                    value_required=False,
                    help=later("takes back what was chosen for it; without one, everything"),
                ),
            ),
        ),
        _by_place(PlaceSetting.MODEL, later("one of those in the settings; default takes the choice back")),
        _by_place(PlaceSetting.PERSONA, later("one of those there are; default takes the choice back")),
        _by_place(PlaceSetting.WORKFLOWS, later("some joined by commas, all or none; default takes the choice back")),
        Grammar(command="status"),
        Grammar(command="help", text="command", text_required=False),
    )
}

ABOUT: Final = {
    "reset": later("Clear the conversation; what mattered in it is summarised and kept. `discard` keeps nothing."),
    "remember": later("Keep a fact."),
    "recall": later("Look for something in memory and in what was said; `why` tells what gave each result its place."),
    "why": later(
        "Tell what led to a reply of Hathi's: the last, or the one you name or reply to; `exactly` tells all of it."
    ),
    "age": later("Move old rows from short-term to long-term memory; `preview` only lists them."),
    "forget": later("Forget a memory and what it rests on; undo for 10 minutes."),
    "undo": later(
        "Take back the last of your changes: a forget, replacement, layout, reset, ageing or note (10 minutes)."
    ),
    "pin": later("Keep a memory in short-term and first in view (from importance 3); it neither ages nor fades."),
    "unpin": later("Let a pinned memory age again."),
    "edit": later("Replace a memory's text; the new memory supersedes the old one."),
    "settle": later(
        "Say which of two memories that contradict each other holds; without a choice both sides are shown."
    ),
    "memories": later("List memories, of one topic or room if you name it."),
    "me": later("Tell what Hathi knows about you and may show here, to put right or forget."),
    "tags": later("List the tags of memories, the most used first."),
    "palace": later("Walk through memory by room and topic; `new` lays out rooms and a playbook for a kind of work."),
    "sessions": later("List past sessions with their summaries."),
    "summary": later("Show what this channel came to since its last reset; `rebuild` makes that anew."),
    "missed": later("Tell you in private what was decided, planned and asked since you were here last, or at a time."),
    "learn": later("Read what was said in a channel before, and make memory of it; alone it tells how far that is."),
    "do": later(
        "Have several answer one after the other in one message: a talk, plan, research or draft; alone it lists them."
    ),
    "note": later("Keep a note for this conversation, for a while; it is no memory."),
    "notes": later("List the notes of this conversation."),
    "promote": later(
        "Make a memory of a note, in a sentence of its own and for a reason; `confirm` keeps what contradicts."
    ),
    "wake": later("Show what this conversation began with: who I am, active rooms, what was promoted, living notes."),
    "memory": later(
        "Tell or set what is remembered and searched here, or erase all of it; `off me` opts you out everywhere."
    ),
    "channel": later(
        "Have everything said here answered, or only what is said to Hathi, in the channel or in threads."
    ),
    "room": later("Give a room of memory another name, or merge it into another one."),
    "identity": later("Tell or set who Hathi is in this space and what for."),
    "settings": later(
        "Tell what holds here and why, or set prefix, language, time zone, button “Why?”, free answers and 📌."
    ),
    "mydata": later(
        "See, take along or erase what Hathi has of you; `remove` asks to remove what others said about you."
    ),
    "who": later("Tell or set which roles and channels are answered; nobody else is, and is told so once."),
    "model": later("Tell or choose which model answers in this channel or server, of those in the settings."),
    "persona": later("Tell or choose as whom Hathi answers in this channel or server."),
    "workflows": later("Tell or choose which workflows may be run in this channel or server."),
    "status": later("How memory, jobs, database and model are doing."),
    "help": later("List the commands, or explain one."),
}

PREFIX: Final = "!"
"""What commands begin with in a space that chose no other."""

_HERE: Final = (
    "reset",
    "age",
    "learn",
    "channel",
    "room",
    "identity",
    *PlaceSetting,
    "settings",
    "who",
    "wake",
    "status",
    "help",
)
GROUPS: Final = {
    later("Remember and find"): ("remember", "recall", "memories", "why", "palace", "tags"),
    later("Take back and put right"): ("forget", "undo", "edit", "pin", "unpin", "settle"),
    later("Keep up"): ("missed", "summary", "sessions", "note", "notes", "promote"),
    later("Work together"): ("do",),
    later("You"): ("me", "mydata", "memory"),
    later("This place"): _HERE,
}
"""Every command, by what it is for."""


_ON_DISCORD: Final = {"privacy": "mydata"}
"""What Discord's list calls otherwise than it is typed."""


def meant(name: str) -> str:
    """The command that is called so in any language there is, or in Discord's list; else the name as it is."""
    return name if name in GRAMMARS else _ON_DISCORD.get(name) or _translated().get(name, name)


@functools.cache
def _translated() -> Mapping[str, str]:
    """Commands by their names in other languages."""
    names = {(name, in_language(name, code, "name")) for name in GRAMMARS for code in CODES.values()}
    return {translated: name for name, translated in names if translated is not None}


def is_command(text: str, prefix: str) -> bool:
    """Whether a text begins as a command that is typed here, or chosen from Discord's list, whoever reads it."""
    first = "".join(text.split(maxsplit=1)[:1]).lower()
    return any(first.startswith(mark) and first.removeprefix(mark) in GRAMMARS for mark in ("/", prefix))


def overview(prefix: str, may: Callable[[Right], bool]) -> str:
    """Every command that may be used with these rights, by what it is for, on a line of its own."""
    width = max(map(len, ABOUT)) + 1
    lines: list[str] = []
    for group, names in GROUPS.items():
        needed = ((name, GRAMMARS[name].needs) for name in names)
        usable = [name for name, needs in needed if needs is None or may(needs)]
        about = (f"{prefix}{name:<{width}} {gettext(ABOUT[name])}" for name in usable)
        lines += [f"{gettext(group)}:", *about, ""]
    one = gettext("{p}help <command> explains one. Anything else you write is said to Hathi.")
    return "\n".join([*lines, one.format(p=prefix)])


def explain(command: str, prefix: str) -> str:
    """One command with its arguments."""
    grammar = GRAMMARS[command]
    lines = [grammar.usage(prefix), gettext(ABOUT[command])]
    if grammar.text_help:
        lines.append(f"  {grammar.text}  {gettext(grammar.text_help)}")
    for name, kind in grammar.named.items():
        default = "" if kind.default is None else gettext(" (default {default})").format(default=kind.default)
        lines.append(f"  {name}:{kind.shape}  {gettext(kind.help)}{default}")
    lines += [f"  {form.usage}  {gettext(form.help)}" for form in grammar.forms]
    return "\n".join(lines)
