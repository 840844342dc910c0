"""The arguments and rights of every command, and the help made from them."""

from collections.abc import Callable
from typing import Final

from bot.arguments import Choice, Form, FreeText, Grammar, Number, Phrase, Word, Words
from bot.domain import MemoryPart, Right
from bot.store.spaces import PIN
from bot.store.tallies import MOST_PAGES

MODES: Final = ("off", "explicit", "addressed", "all")
"""What is remembered of a channel, from nothing to everything."""
TIMES: Final = "since 11:00, 2h, yesterday, last week, October"
"""Times that can be given, for an example."""
WORKS: Final = ("issue-analysis", "health-check", "code-review")
"""Works a palace can be laid out for, each by a file of `bot/defaults/playbooks`."""


def _setting(name: str, shape: str, about: str) -> Form:
    """A setting of the space: anyone may look, changing it takes the right."""
    kind = Word(shape=shape)
    return Form(words=name, value=name, kind=kind, value_required=False, needs=Right.MANAGE_GUILD, help=about)


GRAMMARS: Final = {
    grammar.command: grammar
    for grammar in (
        Grammar(command="reset", bare=("discard",), needs=Right.MANAGE_MESSAGES),
        Grammar(
            command="remember",
            text="text",
            named={
                "topic": Word(help="what it is about"),
                "room": Word(help="where it is filed: projects, people, decisions, preferences …"),
                "importance": Number(low=1, high=10, default=8, help="1 low, 5 medium, 10 critical"),
                "tags": Words(help="words to find it by"),
                "source": Choice(options=("directive",), help="a rule for everyone; admins only"),
            },
            named_needs={"source": Right.MANAGE_GUILD},
        ),
        Grammar(
            command="recall",
            text="query",
            named={
                "tier": Choice(options=("short", "long", "all"), default="all", help="which tier to look in"),
                "tag": Words(help="memories with this tag only; of several, with all of them"),
                "strategy": Choice(
                    options=("ranked", "literal", "keywords"),
                    default="ranked",
                    help="literal counts your words; keywords takes a;b;c",
                ),
                "as_of": Word(shape="2026-05-03", help="as memory stood at the end of that day"),
                "limit": Number(low=1, high=20, default=5, help="results at most"),
                "page": Number(low=1, high=20, default=1, help="further results, 20 in all"),
            },
            bare=("why",),
        ),
        Grammar(
            command="why",
            text="reply",
            text_required=False,
            named={"page": Number(low=1, high=1000, default=1, help="6 rows a page")},
            bare=("exactly",),
        ),
        Grammar(
            command="age",
            needs=Right.MANAGE_GUILD,
            named={
                "older_than_hours": Number(low=1, high=87600, default=48, help="since made or last reinforced"),
                "max_rows": Number(low=1, high=10000, default=100, help="rows moved at most"),
                "include": Choice(options=("protected",), help="move pinned and important ones too"),
            },
            bare=("preview",),
        ),
        Grammar(command="forget", lead="id"),
        Grammar(command="undo"),
        Grammar(command="pin", lead="id"),
        Grammar(command="unpin", lead="id"),
        Grammar(command="edit", lead="id", text="text"),
        Grammar(command="settle", lead="id", bare=("newer", "older", "both")),
        Grammar(
            command="memories",
            text="topic",
            text_required=False,
            named={
                "sort": Choice(options=("importance", "new"), default="importance", help="what comes first"),
                "min": Number(low=1, high=10, default=1, help="least importance"),
                "by": Choice(options=("me",), help="what you gave alone"),
                "said": Phrase(help="those of a time: today, yesterday, “last week”"),
                "tag": Words(help="those with this tag only; of several, with all of them"),
                "page": Number(low=1, high=MOST_PAGES, default=1, help="6 a page"),
            },
        ),
        Grammar(command="me", named={"page": Number(low=1, high=MOST_PAGES, default=1, help="6 a page")}),
        Grammar(command="tags", named={"page": Number(low=1, high=MOST_PAGES, default=1, help="20 a page")}),
        Grammar(
            command="palace",
            text="room",
            text_required=False,
            named={
                "topic": Word(help="of its memories those of this topic"),
                "page": Number(low=1, high=MOST_PAGES, default=1, help="20 rooms or 6 memories a page"),
            },
            forms=(
                Form(
                    words="new",
                    value="work",
                    kind=Choice(options=WORKS),
                    needs=Right.MANAGE_GUILD,
                    help="lays out rooms and a playbook for such work",
                ),
            ),
        ),
        Grammar(command="sessions", named={"page": Number(low=1, high=100000, default=1, help="5 a page")}),
        Grammar(
            command="summary",
            forms=(Form(words="rebuild", needs=Right.MANAGE_GUILD, help="makes it anew from the channel's ledger"),),
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
                "since": Word(shape="90d", help="how far back: days, weeks or months, or a day such as 2026-05-03"),
                "wait": Number(low=0, high=720, default=24, help="hours from the announcement to the first message"),
            },
            forms=(
                Form(
                    words="stop",
                    value="channel",
                    kind=Word(shape="channel"),
                    value_required=False,
                    help="ends it at once; what was read stays",
                ),
            ),
            needs=Right.MANAGE_GUILD,
        ),
        Grammar(command="note", text="text"),
        Grammar(command="notes", named={"page": Number(low=1, high=100000, default=1, help="10 a page")}),
        Grammar(
            command="promote",
            lead="note",
            text="summary",
            named={
                "reason": Phrase(required=True, help="why it is to stay"),
                "topic": Word(help="what it is about"),
                "room": Word(help="where it is filed: projects, people, decisions, preferences …"),
                "importance": Number(low=1, high=10, default=8, help="1 low, 5 medium, 10 critical"),
                "tags": Words(help="words to find it by"),
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
                    help="what is remembered of this channel",
                ),
                Form(
                    words="search",
                    value="search",
                    kind=Choice(options=("on", "off")),
                    value_required=False,
                    needs=Right.MANAGE_GUILD,
                    help="whether Discord's own search is asked for what memory does not have",
                ),
                Form(
                    words="makes",
                    value="makes",
                    kind=Words(most=len(MemoryPart), shape=",".join(MemoryPart)),
                    value_required=False,
                    named={"workflow": Word(shape="name", help="which makes its part; none for one call")},
                    needs=Right.MANAGE_GUILD,
                    help="what is made of what is said here: entries of the ledger, facts or both",
                ),
                Form(words="erase", needs=Right.MANAGE_GUILD, help="what erasing everything of this server would take"),
                Form(words="erase confirm", needs=Right.MANAGE_GUILD, help="erases it for everyone here, and for good"),
                Form(
                    words="requests",
                    needs=Right.MANAGE_GUILD,
                    help="what people ask to have removed of what others said about them",
                ),
                Form(words="off me", help="nothing of yours is kept any more, anywhere"),
                Form(words="on me", help="you may be remembered again"),
            ),
        ),
        Grammar(
            command="channel",
            needs=Right.MANAGE_GUILD,
            form_required=True,
            forms=(
                Form(words="enable", help="everything said in this channel and its public threads is answered"),
                Form(words="disable", help="only what is said to Hathi is answered"),
                Form(
                    words="around",
                    value="messages",
                    kind=Number(low=0, high=50),
                    help="how many messages before a mention are read with it; 0 for none",
                ),
                Form(
                    words="threads",
                    value="threads",
                    kind=Choice(options=("on", "off")),
                    help="whether a mention is answered in a thread of its own, which needs no more mentions",
                ),
            ),
        ),
        Grammar(
            command="room",
            needs=Right.MANAGE_GUILD,
            form_required=True,
            forms=(
                Form(words="rename", value="room", second="name", help="gives a room another name"),
                Form(words="merge", value="room", second="into", help="files what is in a room in another one"),
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
                    help="who Hathi is here and what for",
                ),
                Form(words="reset", needs=Right.MANAGE_GUILD, help="who Hathi is everywhere else"),
            ),
        ),
        Grammar(
            command="settings",
            forms=(
                _setting("prefix", "1-5 characters", "what commands begin with"),
                _setting("language", "name", "the language texts are searched in"),
                _setting("timezone", "Area/City", "the time zone people here live in"),
                Form(
                    words="why",
                    value="why",
                    kind=Choice(options=("on", "off")),
                    value_required=False,
                    needs=Right.MANAGE_GUILD,
                    help="the button under what I say from memory that tells what led to it",
                ),
                Form(
                    words="answers",
                    value="answers",
                    kind=Choice(options=("on", "off")),
                    value_required=False,
                    needs=Right.MANAGE_GUILD,
                    help="what a model adds, marked as no memory, where memory has nothing",
                ),
                _setting("pin", f"{PIN}|off", "the emoji that has a message remembered when somebody puts it there"),
            ),
        ),
        Grammar(
            command="mydata",
            forms=(
                Form(words="see", help="what I have of you"),
                Form(words="export", help="all of it, to take along"),
                Form(words="erase", help="what erasing it would take"),
                Form(words="erase confirm", help="erases it, everywhere and for good"),
                Form(
                    words="remove",
                    value="id",
                    kind=Number(low=1, high=999_999_999),
                    help="asks those who manage this server to remove what another said about you",
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
                    help="it alone is answered, with others that are allowed",
                ),
                Form(words="block", value="whom", kind=Word(shape="@role|#channel"), help="it is not answered"),
                Form(
                    words="clear",
                    value="whom",
                    kind=Word(shape="@role|#channel"),
                    value_required=False,
                    help="takes back what was chosen for it; without one, everything",
                ),
            ),
        ),
        Grammar(command="status"),
        Grammar(command="help", text="command", text_required=False),
    )
}

ABOUT: Final = {
    "reset": "Clear the conversation; what mattered in it is summarised and kept. `discard` keeps nothing.",
    "remember": "Keep a fact.",
    "recall": "Look for something in memory and in what was said; `why` tells what gave each result its place.",
    "why": "Tell what led to a reply of Hathi's: the last, or the one you name or reply to; `exactly` tells all of it.",
    "age": "Move old rows from short-term to long-term memory; `preview` only lists them.",
    "forget": "Forget a memory and what it rests on; undo for 10 minutes.",
    "undo": "Bring back what you forgot or replaced last, or take back your latest layout or reset (10 minutes).",
    "pin": "Keep a memory in short-term and first in view (from importance 3); it neither ages nor fades.",
    "unpin": "Let a pinned memory age again.",
    "edit": "Replace a memory's text; the new memory supersedes the old one.",
    "settle": "Say which of two memories that contradict each other holds; without a choice both sides are shown.",
    "memories": "List memories, of one topic or room if you name it.",
    "me": "Tell what Hathi knows about you and may show here, to put right or forget.",
    "tags": "List the tags of memories, the most used first.",
    "palace": "Walk through memory by room and topic; `new` lays out rooms and a playbook for a kind of work.",
    "sessions": "List past sessions with their summaries.",
    "summary": "Show what this channel came to since its last reset; `rebuild` makes that anew.",
    "missed": "Tell you in private what was decided, planned and asked since you were here last, or at a time.",
    "learn": "Read what was said in a channel before, and make memory of it; alone it tells how far that is.",
    "note": "Keep a note for this conversation, for a while; it is no memory.",
    "notes": "List the notes of this conversation.",
    "promote": "Make a memory of a note, in a sentence of its own and for a reason; `confirm` keeps what contradicts.",
    "wake": "Show what this conversation began with: who I am, active rooms, what was promoted, living notes.",
    "memory": "Tell or set what is remembered and searched here, or erase all of it; `off me` opts you out everywhere.",
    "channel": "Have everything said here answered, or only what is said to Hathi, in the channel or in threads.",
    "room": "Give a room of memory another name, or merge it into another one.",
    "identity": "Tell or set who Hathi is in this space and what for.",
    "settings": "Tell or set this space's prefix, language, time zone, button “Why?”, free answers and 📌.",
    "mydata": "See, take along or erase what Hathi has of you; `remove` asks to remove what others said about you.",
    "who": "Tell or set which roles and channels are answered; nobody else is, and is told so once.",
    "status": "How memory, jobs, database and model are doing.",
    "help": "List the commands, or explain one.",
}

PREFIX: Final = "!"
"""What commands begin with in a space that chose no other."""


GROUPS: Final = {
    "Remember and find": ("remember", "recall", "memories", "why", "palace", "tags"),
    "Take back and put right": ("forget", "undo", "edit", "pin", "unpin", "settle"),
    "Keep up": ("missed", "summary", "sessions", "note", "notes", "promote"),
    "You": ("me", "mydata", "memory"),
    "This place": ("reset", "age", "learn", "channel", "room", "identity", "settings", "who", "wake", "status", "help"),
}
"""Every command, by what it is for."""


def overview(prefix: str, may: Callable[[Right], bool]) -> str:
    """Every command that may be used with these rights, by what it is for, on a line of its own."""
    width = max(map(len, ABOUT)) + 1
    lines: list[str] = []
    for group, names in GROUPS.items():
        needed = ((name, GRAMMARS[name].needs) for name in names)
        usable = [name for name, needs in needed if needs is None or may(needs)]
        lines += [f"{group}:", *(f"{prefix}{name:<{width}} {ABOUT[name]}" for name in usable), ""]
    return "\n".join([*lines, f"{prefix}help <command> explains one. Anything else you write is said to Hathi."])


def explain(command: str, prefix: str) -> str:
    """One command with its arguments."""
    grammar = GRAMMARS[command]
    lines = [grammar.usage(prefix), ABOUT[command]]
    if grammar.text_help:
        lines.append(f"  {grammar.text}  {grammar.text_help}")
    for name, kind in grammar.named.items():
        default = f" (default {kind.default})" if kind.default is not None else ""
        lines.append(f"  {name}:{kind.shape}  {kind.help}{default}")
    lines += [f"  {form.usage}  {form.help}" for form in grammar.forms]
    return "\n".join(lines)
