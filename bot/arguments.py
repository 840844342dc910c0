"""Parses the arguments of commands, for terminal and Discord alike, and tells which right a line needs.

A line is text, then a trailing run of `name:value` words and bare words from a closed set. A word belongs to the
run only if it names an argument the command has; the run ends at the first word, from the right, that does not. What
stands in quotation marks, right after the colon or a comma, is one word: `topic:"two words"`, `tags:"new york",food`.
Commands without free text refuse whatever is left over. A command with forms takes one of them, or nothing: a form's
words, then its value, or its two values, then its `name:value` words; of two, one of several words stands in quotes. A
command that has both forms and text takes what begins with a form's words for that form.
"""

import difflib
import re
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Final

from bot import catalogue, errors
from bot.domain import Right

_NAMED: Final = re.compile(r"([a-z_]+):(\S.*)", re.IGNORECASE | re.DOTALL)
_QUOTED: Final = re.compile(r'["\u201c\u201d\u201e]([^"\u201c\u201d\u201e]*)["\u201c\u201d]')
"""With the marks that keyboards make of them."""
_QUOTED_WORD: Final = re.compile('["\u201c\u201e]([^"\u201c-\u201e]+)["\u201c\u201d](?!\\S)|\\S+')
"""A word, or several between double quotes, straight or curly."""
_CLOSING: Final = frozenset('"\u201c\u201d')
_MARKS: Final = _CLOSING | {"\u201e"}
_NAMED_FIRST: Final = re.compile(rf"([a-z_]+):({_QUOTED.pattern}|\S+)(?:\s+|\Z)", re.IGNORECASE)
_NAME_AT_END: Final = re.compile(r"(?<!\S)[a-z_]+\Z", re.IGNORECASE)
_LONGEST_NAME: Final = 64
_ITEM: Final = re.compile(rf"{_QUOTED.pattern}(?=,|\Z)|[^,]+")
"""One of several words joined by commas; in quotation marks it may hold commas, which part it all the same."""
_NEEDS: Final = catalogue.later("{command} needs {what}: {usage}")
_UNKNOWN: Final = catalogue.later("I don't know {given}; {usage}")
_MISSPELT: Final = catalogue.later("I don't know {given}; did you mean {near}? {usage}")
_TWICE: Final = catalogue.later("{name}: is given twice; give it once.")


@dataclass(frozen=True, slots=True, kw_only=True)
class Number:
    """A whole number within bounds, both included."""

    low: int
    high: int
    default: int | None = None
    help: str = ""

    def parse(self, name: str, value: str) -> int:
        """The number, or a sentence that names the bounds."""
        if not re.fullmatch(r"-?[0-9]{1,9}", value) or not self.low <= int(value) <= self.high:
            told = catalogue.gettext("{name} takes a whole number from {low} to {high}, not {value}.")
            raise errors.BadArgument(told.format(name=name, low=self.low, high=self.high, value=repr(value)))
        return int(value)

    @property
    def shape(self) -> str:
        """How usage lines write it."""
        return f"{self.low}-{self.high}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """One word of a closed set."""

    options: tuple[str, ...]
    default: str | None = None
    help: str = ""

    def parse(self, name: str, value: str) -> str:
        """The option, or a sentence that lists them."""
        if value.lower() not in self.options:
            told = catalogue.gettext("{name} takes {options}, not {value}.")
            raise errors.BadArgument(told.format(name=name, options=catalogue.either(self.options), value=repr(value)))
        return value.lower()

    @property
    def shape(self) -> str:
        """How usage lines write it."""
        return "|".join(self.options)


@dataclass(frozen=True, slots=True, kw_only=True)
class Word:
    """Any one word."""

    shape: str = "…"
    max_length: int = 64
    default: str | None = None
    help: str = ""

    def parse(self, name: str, value: str) -> str:
        """The word, or several that stood in quotation marks on one line; else a sentence that says what may be."""
        value = " ".join(value.split())
        if not value:
            told = catalogue.gettext('{name} takes a word, or some in quotation marks such as {name}:"two words".')
            raise errors.BadArgument(told.format(name=name))
        if len(value) > self.max_length:
            told = catalogue.gettext("{name} takes at most {most} characters.")
            raise errors.BadArgument(told.format(name=name, most=self.max_length))
        return value


@dataclass(frozen=True, slots=True, kw_only=True)
class Words:
    """Words joined by commas, each of them several where it stands in quotation marks."""

    most: int = 10
    shape: str = "a,b"
    """How usage lines write it."""
    default: str | None = None
    help: str = ""

    def parse(self, name: str, value: str) -> tuple[str, ...]:
        """The words in the order given, each once, lower case, on one line."""
        given = (part for item in _ITEM.finditer(value.strip()) for part in _unquoted(item[0]).split(","))
        parts = (" ".join(part.lower().split()) for part in given)
        words = tuple(dict.fromkeys(filter(None, parts)))
        if not words or len(words) > self.most or any(len(w) > 64 for w in words):
            told = catalogue.gettext("{name} takes 1 to {most} words joined by commas, such as {name}:a,b.")
            raise errors.BadArgument(told.format(name=name, most=self.most))
        return words


@dataclass(frozen=True, slots=True, kw_only=True)
class FreeText:
    """All that follows, its line breaks kept."""

    shape: str = "text"
    default: str | None = None
    help: str = ""

    def parse(self, _name: str, value: str) -> str:
        """The text as it is."""
        return value


@dataclass(frozen=True, slots=True, kw_only=True)
class Phrase:
    """Some words in quotation marks, or one word without them."""

    max_length: int = 200
    required: bool = False
    default: str | None = None
    help: str = ""

    def parse(self, name: str, value: str) -> str:
        """The words without their marks, or a sentence that says how long they may be."""
        words = value.strip()
        if not words or len(words) > self.max_length:
            told = catalogue.gettext('{name} takes 1 to {most} characters, such as {name}:"in some words".')
            raise errors.BadArgument(told.format(name=name, most=self.max_length))
        return words

    @property
    def shape(self) -> str:
        """How usage lines write it."""
        return '"…"'


Kind = Number | Choice | Word | Words | FreeText | Phrase


@dataclass(frozen=True, slots=True, kw_only=True)
class Lead:
    """What the leading number of a command refers to."""

    sign: str
    """What may stand before it."""
    needs: str


LEADS: Final = {
    "id": Lead(sign="#", needs=catalogue.later("a memory's number such as #12")),
    "note": Lead(sign="N", needs=catalogue.later("a note's number such as N3")),
}
"""By the name a grammar gives its lead."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Form:
    """One form of a command that does several things."""

    words: str
    """What it begins with, such as `mode` or `off me`."""
    value: str = ""
    """Name of the one value that follows, empty when none does."""
    kind: Kind = field(default_factory=Word)
    value_required: bool = True
    second: str = ""
    """Name of a second word that follows, empty when none does."""
    named: dict[str, Kind] = field(default_factory=dict[str, Kind])
    """What may follow as `name:value`."""
    needs: Right | None = None
    """What it takes to give it; where the value may be left out, to give it with one."""
    help: str

    @property
    def usage(self) -> str:
        """Words and values, such as `mode <off|all>`."""
        if not self.value:
            return self.words
        if self.second:
            return f"{self.words} <{self.value}> <{self.second}>"
        kind = self.value if self.value in LEADS else self.kind.shape
        shape = f"<{kind}>" if self.value_required else f"[{kind}]"
        return " ".join([self.words, shape, *(f"[{name}:{kind.shape}]" for name, kind in self.named.items())])


@dataclass(frozen=True, slots=True, kw_only=True)
class Grammar:
    """The arguments one command takes."""

    command: str
    text: str = ""
    """Name of the free text, empty when the command takes none."""
    text_required: bool = True
    text_help: str = ""
    """What it may be, where its name does not tell."""
    lead: str = ""
    """Name of a leading number, one of `LEADS`, empty when the command takes none."""
    without_lead: str = ""
    """What whoever gave words in its place may do instead."""
    named: dict[str, Kind] = field(default_factory=dict[str, Kind])
    also_first: bool = False
    """Whether its `name:value` words may stand before its text too."""
    bare: tuple[str, ...] = ()
    forms: tuple[Form, ...] = ()
    """The ways to give it; a command with forms takes nothing else, unless it also has text."""
    form_required: bool = False
    needs: Right | None = None
    """What whoever gives it must be allowed."""
    named_needs: dict[str, Right] = field(default_factory=dict[str, Right])
    """What single arguments need beyond that."""

    def usage(self, prefix: str) -> str:
        """One line such as `!age [older_than_hours:1-8760] [preview]`."""
        if not self.forms:
            return self._alone(prefix)
        alone = [] if self.form_required else [self._alone(prefix)]
        return catalogue.either((*alone, *(f"{prefix}{self.command} {form.usage}" for form in self.forms)))

    def _alone(self, prefix: str) -> str:
        """The line without a form."""
        parts = [f"{prefix}{self.command}"]
        if self.lead:
            parts.append(f"<{self.lead}>")
        if self.text:
            parts.append(f"<{self.text}>" if self.text_required else f"[{self.text}]")
        parts += [
            f"{name}:{kind.shape}" if is_required(kind) else f"[{name}:{kind.shape}]"
            for name, kind in self.named.items()
        ]
        parts += [f"[{word}]" for word in self.bare]
        return " ".join(parts)


@dataclass(frozen=True, slots=True, kw_only=True)
class Arguments:
    """A parsed line: text with its line breaks kept, named values, bare words."""

    text: str
    lead: int | None
    named: dict[str, int | str | tuple[str, ...]]
    bare: frozenset[str]
    form: str = ""
    """The words of the form that was given, empty for none."""

    def number(self, name: str, default: int) -> int:
        """The whole number given as `name:`, else the default."""
        value = self.named.get(name, default)
        assert isinstance(value, int)
        return value

    def word(self, name: str, default: str) -> str:
        """The word given as `name:`, else the default."""
        value = self.named.get(name, default)
        assert isinstance(value, str)
        return value

    def words(self, name: str) -> tuple[str, ...]:
        """The words given as `name:`, else none."""
        value = self.named.get(name, ())
        assert isinstance(value, tuple)
        return value


def parse(line: str, grammar: Grammar) -> Arguments:
    """Parses what a person typed after the command's name, by the command's grammar.

    Raises `BadArgument` with one sentence that says what would be right; nothing is guessed.
    """
    if grammar.forms and (not grammar.text or _form(line, grammar) is not None):
        return _parse_form(line, grammar)
    rest, lead = line.strip(), None
    if grammar.lead:
        rest, lead = _lead(rest, grammar)
    named: dict[str, int | str | tuple[str, ...]] = {}
    bare: set[str] = set()
    while rest:
        head, word = _last_word(rest, grammar)
        match = _NAMED.fullmatch(word)
        name = match[1].lower() if match else ""
        if match and name in grammar.named:
            if name in named:
                raise errors.BadArgument(catalogue.gettext(_TWICE).format(name=name))
            named[name] = read(grammar.named[name], name, match[2])
        elif word.lower() in grammar.bare:
            bare.add(word.lower())
        else:
            _refuse_near_miss(name, grammar)
            break
        rest = head
    if grammar.also_first:
        rest = _after_first(rest, grammar, named)
    if rest and not grammar.text:
        raise _left_over(rest, grammar)
    if grammar.text and grammar.text_required and not rest:
        raise _missing(f"<{grammar.text}>", grammar)
    return complete(Arguments(text=rest, lead=lead, named=named, bare=frozenset(bare)), grammar)


def _after_first(rest: str, grammar: Grammar, named: dict[str, int | str | tuple[str, ...]]) -> str:
    """The text behind the arguments it begins with, which are added to those named."""
    while (found := _NAMED_FIRST.match(rest)) and (name := found[1].lower()) in grammar.named:
        if name in named:
            raise errors.BadArgument(catalogue.gettext(_TWICE).format(name=name))
        named[name] = read(grammar.named[name], name, found[2])
        rest = rest[found.end() :]
    return rest


def asked_again(args: Arguments, grammar: Grammar) -> str:
    """The line that asks for the same without its page, which `parse` reads as the same; line breaks become spaces.

    It is empty where the words would be read as arguments, as `why` at their end.
    """
    named = {name: value for name, value in args.named.items() if name != "page"}
    # A line is read from its end, so this is the order it was typed in.
    given = [f"{name}:{_written(value)}" for name, value in reversed(named.items())]
    line = " ".join([*args.text.split(), *given, *sorted(args.bare)])
    try:
        again = parse(line, grammar)
    except errors.BadArgument:
        return ""
    is_same = (again.text.split(), again.named) == (args.text.split(), named)
    return f"{grammar.command} {line}".rstrip() if is_same else ""


def _written(value: int | str | tuple[str, ...]) -> str:
    joined = ",".join(value) if isinstance(value, tuple) else str(value)
    return f'"{joined}"' if " " in joined else joined


def read(kind: Kind, name: str, value: str) -> int | str | tuple[str, ...]:
    """A named argument's value as it was typed, maybe in quotation marks. Raises `BadArgument`."""
    return kind.parse(name, value if isinstance(kind, Words) else _unquoted(value))


def is_required(kind: Kind) -> bool:
    """Whether an argument must be given."""
    return isinstance(kind, Phrase) and kind.required


def complete(args: Arguments, grammar: Grammar) -> Arguments:
    """The arguments, if no required one is missing; else raises `BadArgument`."""
    for name, kind in grammar.named.items():
        if is_required(kind) and name not in args.named:
            raise _missing(f"{name}:{kind.shape} ({catalogue.gettext(kind.help)})", grammar)
    return args


def _missing(what: str, grammar: Grammar) -> errors.BadArgument:
    return errors.BadArgument(
        lambda p: catalogue.gettext(_NEEDS).format(command=f"{p}{grammar.command}", what=what, usage=grammar.usage(p))
    )


def reread(args: Arguments, grammar: Grammar, reading: Callable[[str], str]) -> Arguments:
    """Parsed arguments with every text among them as `reading` has it. Raises `BadArgument` for one too long by that.

    Nothing in what it puts there is taken for an argument, whatever it looks like.
    """
    kinds = dict(grammar.named)
    for form in grammar.forms:
        if form.words == args.form:
            kinds |= {form.value: form.kind, form.second: form.kind, **form.named}
    named = dict(args.named)
    for name, value in args.named.items():
        if not isinstance(value, int):
            text = value if isinstance(value, str) else ",".join(value)
            named[name] = kinds[name].parse(name, reading(text))
    return replace(args, text=reading(args.text), named=named)


def needed(grammar: Grammar, args: Arguments, prefix: str) -> tuple[Right, str] | None:
    """The right a parsed line needs, and the part of it that needs it; none when anybody may give it."""
    if grammar.needs is not None:
        return grammar.needs, f"{prefix}{grammar.command}"
    for name, right in grammar.named_needs.items():
        if name in args.named:
            return right, f"{name}:{args.named[name]}"
    for form in grammar.forms:
        if form.words == args.form and form.needs is not None and (not form.value or args.named):
            part = f"{prefix}{grammar.command} {form.words}"
            if form.value and not form.value_required:
                part = catalogue.gettext("{command} with a value").format(command=part)
            return form.needs, part
    return None


def _parse_form(line: str, grammar: Grammar) -> Arguments:
    """One of the command's forms: its words in any case, then its value and nothing more."""
    words = line.split()
    if not words:
        if grammar.form_required:
            raise _missing(catalogue.gettext("a word more"), grammar)
        return Arguments(text="", lead=None, named={}, bare=frozenset())
    form = _form(line, grammar)
    if form is not None:
        return Arguments(text="", lead=None, named=_values(line, form, grammar), bare=frozenset(), form=form.words)
    given = " ".join(words)
    taking = [
        f"{form.words} {given.lower()}"
        for form in grammar.forms
        if isinstance(form.kind, Choice) and given.lower() in form.kind.options
    ]
    like = difflib.get_close_matches(given.lower(), [form.words for form in grammar.forms], 1, 0.6)
    if len(words) > 1 and not like:
        # Whoever writes a sentence means the form that takes one.
        taking += [f"{form.words} …" for form in grammar.forms if isinstance(form.kind, FreeText) and form.value]

    def told(prefix: str) -> str:
        near = catalogue.either(f"{prefix}{grammar.command} {form}" for form in (*taking, *like))
        said = catalogue.gettext(_MISSPELT if near else _UNKNOWN)
        return said.format(given=repr(given[:64]), near=near, usage=grammar.usage(prefix))

    raise errors.BadArgument(told)


def _form(line: str, grammar: Grammar) -> Form | None:
    """The form whose words the line begins with, in any case."""
    words = line.split()
    # Those of most words first: `erase` begins what `erase confirm` says.
    for form in sorted(grammar.forms, key=lambda form: -len(form.words.split())):
        if " ".join(words[: len(form.words.split())]).lower() == form.words:
            return form
    return None


def _values(line: str, form: Form, grammar: Grammar) -> dict[str, int | str | tuple[str, ...]]:
    """What follows a form's words, each value by its name and nothing more."""
    rest = [*line.split(maxsplit=len(form.words.split())), ""][len(form.words.split())].strip()
    rest, values = _named_values(rest, form)
    if form.value in LEADS:
        return {form.value: _numbered(rest, form, grammar)}
    is_whole = isinstance(form.kind, FreeText | Words) and rest
    given = [rest] if is_whole else _quoted_words(rest) if form.second else rest.split()
    names = [name for name in (form.value, form.second) if name]
    if len(given) > len(names):
        quotes = catalogue.later("I don't know {given}; put a name of several words in quotes; {usage}")
        told = quotes if form.second else _UNKNOWN
        raise errors.BadArgument(
            lambda p: catalogue.gettext(told).format(given=repr(given[-1]), usage=grammar.usage(p))
        )
    if len(given) < len(names) and form.value_required:
        needs = catalogue.gettext("two values") if form.second else catalogue.gettext("a value")
        raise errors.BadArgument(
            lambda p: catalogue.gettext(_NEEDS).format(
                command=f"{p}{grammar.command} {form.words}", what=needs, usage=f"{p}{grammar.command} {form.usage}"
            )
        )
    return {name: form.kind.parse(name, value) for name, value in zip(names, given, strict=False)} | values


def _numbered(rest: str, form: Form, grammar: Grammar) -> int:
    """The number that follows a form's words, with its sign or without. Raises `BadArgument` for anything else."""
    lead = LEADS[form.value]
    digits = rest.upper().removeprefix(lead.sign)
    if not re.fullmatch(r"[1-9][0-9]{0,8}", digits):
        raise errors.BadArgument(
            lambda p: catalogue.gettext(_NEEDS).format(
                command=f"{p}{grammar.command} {form.words}",
                what=catalogue.gettext(lead.needs),
                usage=f"{p}{grammar.command} {form.usage}",
            )
        )
    return int(digits)


def _named_values(rest: str, form: Form) -> tuple[str, dict[str, int | str | tuple[str, ...]]]:
    """What stands before the trailing `name:value` words of a form, and these."""
    values: dict[str, int | str | tuple[str, ...]] = {}
    while rest and form.named:
        word = rest.rsplit(maxsplit=1)[-1]
        match = _NAMED.fullmatch(word)
        name = match[1].lower() if match else ""
        if match is None or name not in form.named:
            break
        if name in values:
            raise errors.BadArgument(catalogue.gettext(_TWICE).format(name=name))
        values[name] = read(form.named[name], name, match[2])
        rest = rest[: -len(word)].rstrip()
    return rest, values


def _quoted_words(text: str) -> list[str]:
    """The words of a text; several between quotes are one."""
    return [" ".join((found[1] or "").split()) or found[0] for found in _QUOTED_WORD.finditer(text)]


def _lead(rest: str, grammar: Grammar) -> tuple[str, int]:
    word, tail = [*rest.split(maxsplit=1), "", ""][:2]
    lead = LEADS[grammar.lead]
    digits = word.upper().removeprefix(lead.sign)
    if not re.fullmatch(r"[0-9]{1,18}", digits) or int(digits) < 1:
        missing = _missing(catalogue.gettext(lead.needs), grammar)
        if not (grammar.without_lead and any(map(str.isalpha, rest))):
            raise missing
        raise errors.BadArgument(lambda p: f"{missing.said(p)}; {catalogue.gettext(grammar.without_lead)}")
    return tail, int(digits)


def _unquoted(value: str) -> str:
    """A value without the quotation marks around it, if it stands in such."""
    quoted = _QUOTED.fullmatch(value)
    return quoted[1] if quoted else value


def _last_word(text: str, grammar: Grammar) -> tuple[str, str]:
    """What stands before the last word of a text, and that word; one with quotation marks may have blanks in them."""
    start = _quoted_from(text, grammar)
    if start is None:
        found = re.search(r"(?:^|\s)(\S+)$", text)
        assert found is not None
        start = found.start(1)
    return text[:start].rstrip(), text[start:]


def _quoted_from(text: str, grammar: Grammar) -> int | None:
    """Where a named argument begins that the text ends with and has quotation marks; none where it ends otherwise.

    Read from the end, each character once: items back to the colon, with a comma before each but the first.
    """
    at, items, has_marks = len(text), 0, False
    while at > 0:
        items += 1
        if text[at - 1] in _CLOSING and (opening := _opening(text, at - 1)) is not None:
            at, has_marks = opening, True
        else:
            while at > 0 and not text[at - 1].isspace() and text[at - 1] not in ",:":
                at -= 1
        if at == 0 or text[at - 1] not in ",:":
            return None
        at -= 1
        name = _NAME_AT_END.search(text, max(0, at - _LONGEST_NAME), at) if text[at] == ":" else None
        kind = None if name is None else grammar.named.get(name[0].lower())
        if name is not None and kind is not None:
            return name.start() if has_marks and (items == 1 or isinstance(kind, Words)) else None
    return None


def _opening(text: str, closing: int) -> int | None:
    """Where the quotation opens that is closed there, if what stands before it lets it open one."""
    at = closing - 1
    while at >= 0 and text[at] not in _MARKS:
        at -= 1
    return at if at > 0 and text[at - 1] in ",:" else None


def _refuse_near_miss(name: str, grammar: Grammar) -> None:
    """A misspelt argument at the end would silently become text; say so instead."""
    near = difflib.get_close_matches(name, grammar.named, 1, 0.74) if name else []
    if near:
        raise errors.BadArgument(
            lambda p: catalogue.gettext(_MISSPELT).format(given=f"{name}:", near=f"{near[0]}:", usage=grammar.usage(p))
        )


def _left_over(rest: str, grammar: Grammar) -> errors.BadArgument:
    word = rest.rsplit(maxsplit=1)[-1]
    near = difflib.get_close_matches(word.lower(), [*grammar.bare, *grammar.named], 1, 0.6)
    return errors.BadArgument(
        lambda p: catalogue.gettext(_MISSPELT if near else _UNKNOWN).format(
            given=repr(word), near="".join(near), usage=grammar.usage(p)
        )
    )
