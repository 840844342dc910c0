"""What Discord lists as slash commands: each leaf, what it tells of itself, and the typed command it stands for."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Final

from bot import catalogue, errors
from bot.commands.commands import ADMIN
from bot.commands.grammar import GRAMMARS
from bot.domain import Right
from cogs.ui import options
from cogs.ui.options import SHOW, Option

Chosen = Mapping[str, object]
"""What was chosen in a slash command, by the names of its options."""

_TURNED: Final = frozenset({"page"})
"""Arguments that buttons serve better."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TypedForm:
    """A typed command that a leaf stands for."""

    command: str
    form: str = ""
    chosen: Chosen = field(default_factory=dict[str, object])


@dataclass(frozen=True, slots=True, kw_only=True)
class Leaf:
    """One slash command as a person sees it."""

    path: str
    """Its name, after those of the groups it is in."""
    about: str
    """What whoever gives it gets."""
    command: str = ""
    """The typed command it stands for; none where `reads` tells."""
    form: str = ""
    """The form of that."""
    leaves_out: frozenset[str] = frozenset()
    """Arguments of it that are typed alone."""
    fixed: Chosen = field(default_factory=dict[str, object])
    """Arguments that it always has."""
    asks: tuple[Option, ...] = ()
    """What it asks for, where `reads` tells what it stands for."""
    reads: Callable[[Chosen], TypedForm] | None = None
    """The typed command it stands for, by what was chosen."""

    @property
    def top(self) -> str:
        """The command it is, or is under."""
        return self.path.partition(" ")[0]

    @property
    def needs(self) -> Right | None:
        """The right it takes to be shown it."""
        return NEEDS.get(self.top)

    @property
    def options(self) -> tuple[Option, ...]:
        """What it asks for, required ones first."""
        if self.reads is not None:
            return self.asks
        grammar = GRAMMARS[self.command]
        form = next((form for form in grammar.forms if options.form_name(form) == self.form), None)
        found = options.of(grammar) if form is None else options.of_form(form)
        return tuple(option for option in found if option.name not in {*_TURNED, *self.leaves_out, *self.fixed})

    def given(self, chosen: Chosen) -> TypedForm:
        """The typed command it stands for. Raises `BadArgument` for choices that do not go together."""
        if self.reads is not None:
            return self.reads({name: value for name, value in chosen.items() if value is not None})
        return TypedForm(command=self.command, form=self.form, chosen={**chosen, **self.fixed})


NEEDS: Final = {"reset": Right.MANAGE_MESSAGES, "age": Right.MANAGE_GUILD, ADMIN: Right.MANAGE_GUILD}
"""Commands that are shown to some alone, and the right that takes."""

_LISTS: Final = {
    "memories": TypedForm(command="memories"),
    "rooms": TypedForm(command="palace", form=SHOW),
    "tags": TypedForm(command="tags"),
    "sessions": TypedForm(command="sessions"),
    "summary": TypedForm(command="summary", form=SHOW),
    "about me": TypedForm(command="me"),
}
"""What can be listed, by the word for it."""


def _listed(chosen: Chosen) -> TypedForm:
    """What `/memories` lists. Raises `BadArgument` where something narrows a list that can't be narrowed by it."""
    shown = str(chosen.get("show", "memories"))
    narrowed = {name: value for name, value in chosen.items() if name != "show" and value is not False}
    found = _LISTS[shown]
    if shown == "rooms" or {"room", "topic"} <= {*narrowed}:
        what = "show:rooms" if shown == "rooms" else catalogue.gettext("room and topic together")
        _check_only(narrowed, {"room", "topic"}, what)
        return TypedForm(command="palace", form=SHOW, chosen=narrowed)
    if shown != "memories":
        _check_only(narrowed, set(), f"show:{shown}")
        return found
    if "mine" in narrowed:
        narrowed["by"] = "me"
    if "room" in narrowed:
        narrowed["topic"] = narrowed["room"]
    return TypedForm(command="memories", chosen={n: v for n, v in narrowed.items() if n not in {"mine", "room"}})


def _check_only(narrowed: Chosen, allowed: set[str], what: str) -> None:
    if others := [name for name in narrowed if name not in allowed]:
        takes = catalogue.gettext("{what} takes nothing else; leave out {others}.")
        if allowed and what.startswith("show"):
            takes = catalogue.gettext("{what} takes {allowed} alone; leave out {others}.")
        names = catalogue.both(sorted(allowed))
        raise errors.BadArgument(takes.format(what=what, allowed=names, others=", ".join(others)))


def _by_name(command: str, *names: str) -> tuple[Option, ...]:
    by_name = {option.name: option for option in options.of(GRAMMARS[command])}
    return tuple(by_name[name] for name in names)


MEMORIES: Final = Leaf(
    path="memories",
    about="See what I remember: by topic, room or tag, past sessions, or what I know about you.",
    asks=(
        Option(name="show", description="what to list (default memories)", choices=tuple(_LISTS)),
        *_by_name("memories", "topic"),
        Option(name="room", description="where it is filed: projects, people, decisions …", suggests="rooms_there"),
        *_by_name("memories", "tag", "said", "sort"),
        Option(name="mine", description="what you gave alone", kind=bool),
    ),
    reads=_listed,
)

PRIVACY: Final = "privacy"
"""The one command that is no typed one: a private panel of buttons."""
PRIVACY_ABOUT: Final = "See what I keep of you, in private: stop it, go on, take it along, or erase it."

_MEMBERS: Final = (
    Leaf(
        path="remember",
        command="remember",
        about="Have me remember something, for everybody who can read this channel.",
        leaves_out=frozenset({"source"}),
    ),
    Leaf(
        path="recall",
        command="recall",
        about="Look something up in what I remember and in what was said here.",
        leaves_out=frozenset({"limit", "why"}),
    ),
    Leaf(path="forget", command="forget", about="Have me forget something and what it rests on; undo for 10 minutes."),
    Leaf(path="undo", command="undo", about="Bring back what you had forgotten or changed in the last 10 minutes."),
    Leaf(
        path="why",
        command="why",
        about="See why I said something: where I looked and what I found.",
        leaves_out=frozenset({"exactly"}),
    ),
    MEMORIES,
    Leaf(
        path="missed",
        command="missed",
        about="Find out, in private, what was decided, planned and asked while you were away.",
    ),
    Leaf(path="note add", command="note", about="Note something for this conversation, for an hour."),
    Leaf(path="note list", command="notes", about="See the notes of this conversation."),
    Leaf(path="note promote", command="promote", about="Have me remember a note for good, for a reason."),
    Leaf(path="help", command="help", about="Find out what I can do for you here."),
)
_MANAGERS: Final = (
    Leaf(path="reset", command="reset", about="End this conversation; what mattered in it is summarized and kept."),
    Leaf(path="age", command="age", about="Move what is old from short-term to long-term memory now."),
)


def _admin(path: str, command: str, about: str, form: str = "", **more: object) -> Leaf:
    return Leaf(path=f"{ADMIN} {path}", command=command, about=about, form=form, fixed=more)


_ADMINS: Final = (
    _admin("status", "status", "See how memory, jobs, database and model are doing."),
    _admin("wake", "wake", "See what this conversation began with: who I am, rooms, what was promoted, notes."),
    _admin("rule", "remember", "Have me keep a rule that holds for everyone here.", source="directive"),
    *(
        _admin(f"{command} {called}", command, about, form)
        for command, called, form, about in (
            ("memory", "show", SHOW, "See what is remembered and searched in this channel."),
            ("memory", "mode", "mode", "Set what is remembered of this channel."),
            ("memory", "search", "search", "Set whether Discord's own search is asked for what memory does not have."),
            (
                "memory",
                "makes",
                "makes",
                "Set what is made of what is said here: entries of the ledger, facts or both.",
            ),
            ("memory", "requests", "requests", "See what people ask to have removed of what others said about them."),
            ("memory", "erase", "erase", "See what erasing everything of this server would take."),
            ("memory", "erase-confirm", "erase-confirm", "Erase everything of this server, for everyone and for good."),
            ("channel", "enable", "enable", "Have everything said in this channel and its public threads answered."),
            ("channel", "disable", "disable", "Have only what is said to me answered here."),
            ("channel", "around", "around", "Set how many messages before a mention are read with it; 0 for none."),
            ("channel", "threads", "threads", "Set whether a mention is answered in a thread of its own."),
            ("room", "rename", "rename", "Give a room of memory another name."),
            ("room", "merge", "merge", "File what is in a room of memory in another one."),
            ("identity", "show", SHOW, "See who I am here and what for."),
            ("identity", "set", "set", "Say who I am here and what for."),
            ("identity", "reset", "reset", "Have me be here who I am everywhere else."),
            ("settings", "show", SHOW, "See all that holds in this channel and server, and why."),
            ("settings", "prefix", "prefix", "See or set what typed commands begin with."),
            ("settings", "language", "language", "See or set the language texts are searched in."),
            ("settings", "timezone", "timezone", "See or set the time zone people here live in."),
            ("settings", "why", "why", "Set whether answers that rest on memory have the button Why?"),
            ("settings", "answers", "answers", "Set whether a model may add, marked, what it knows in general."),
            ("settings", "pin", "pin", "See or set the emoji that has a message remembered, or off."),
            ("who", "show", SHOW, "See which roles and channels are answered."),
            ("who", "allow", "allow", "Have a role or channel answered, and no others but those allowed too."),
            ("who", "block", "block", "Have a role or channel not answered."),
            ("who", "clear", "clear", "Take back what was chosen for a role or channel, or for all."),
        )
    ),
    _admin("model", "model", "See or choose which model answers in this channel or server."),
    _admin("persona", "persona", "See or choose as whom I answer in this channel or server."),
    _admin("workflows", "workflows", "See or choose which workflows may be run in this channel or server."),
    _admin("room layout", "palace", "Lay out rooms and a playbook for a kind of work.", "new"),
    _admin("learn read", "learn", "Read what was said in a channel before, and make memory of it.", SHOW),
    _admin("learn stop", "learn", "Stop reading a channel's past; what was read stays.", "stop"),
    _admin("summary", "summary", "Make this channel's summary anew from its ledger.", "rebuild"),
)

LEAVES: Final = (*_MEMBERS, *_MANAGERS, *_ADMINS)
"""Every slash command that stands for a typed one: what everybody uses first."""
GROUPS: Final = {
    "note": "Notes for this conversation, for a while.",
    ADMIN: "How I am set here, kept tidy and doing.",
    f"{ADMIN} memory": "What is remembered and searched here.",
    f"{ADMIN} channel": "What is answered in this channel.",
    f"{ADMIN} room": "The rooms memory is filed in.",
    f"{ADMIN} identity": "Who I am here.",
    f"{ADMIN} settings": "This server's settings.",
    f"{ADMIN} learn": "Memory of what was said before.",
    f"{ADMIN} who": "Who is answered here.",
}
"""What groups of leaves tell of themselves, by their paths."""
