"""The laws of the one grammar of command arguments."""

import contextlib
from typing import Any

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from bot import errors
from bot.arguments import Arguments, Choice, Form, FreeText, Grammar, Number, Phrase, Word, Words, _quoted_from, parse
from bot.commands.grammar import GRAMMARS

SETTLED = settings(derandomize=True, max_examples=300)


def parsed(line: str) -> Arguments:
    """A whole line such as `!age preview`, by the grammar of its command."""
    name, _, rest = line.removeprefix("!").partition(" ")
    return parse(rest, GRAMMARS[name])


def refused(line: str) -> str:
    """The sentence a line is refused with."""
    with pytest.raises(errors.BadArgument) as caught:
        parsed(line)
    return str(caught.value)


@pytest.mark.parametrize(
    ("line", "text", "named"),
    [
        ("!remember I said the topic: money, and more", "I said the topic: money, and more", {}),
        ("!remember see http://x.y/z", "see http://x.y/z", {}),
        ("!remember see http://x.y/z topic:links", "see http://x.y/z", {"topic": "links"}),
        ("!remember topic:money is what he said", "topic:money is what he said", {}),
        ("!remember I like importance:9 and so on", "I like importance:9 and so on", {}),
        ("!remember tea IMPORTANCE:9 Topic:Drinks", "tea", {"importance": 9, "topic": "Drinks"}),
        ("!remember a b topic:x importance:3 tags:A,b,a", "a b", {"topic": "x", "importance": 3, "tags": ("a", "b")}),
        ("!remember  two   spaces\tstay  topic:x ", "two   spaces\tstay", {"topic": "x"}),
        ("!remember first line\n\nsecond line\ntopic:x", "first line\n\nsecond line", {"topic": "x"}),
        ("!remember at 10:30 topic:time:zone", "at 10:30", {"topic": "time:zone"}),
        ("!remember ends with topic:", "ends with topic:", {}),
        ("!remember say preview", "say preview", {}),
        ("!remember the room importance preview", "the room importance preview", {}),
        ("!recall vault code tier:LONG limit:20", "vault code", {"tier": "long", "limit": 20}),
        ("!recall strategy:literal vault code", "vault code", {"strategy": "literal"}),
        (
            '!recall tag:"new york" limit:3 vault code tier:long',
            "vault code",
            {"tag": ("new york",), "limit": 3, "tier": "long"},
        ),
        ("!recall what is tier:short about", "what is tier:short about", {}),
        ("!remember topic:tea is hot", "topic:tea is hot", {}),
        ("!memories", "", {}),
        ("!memories projects sort:new min:5 page:2", "projects", {"sort": "new", "min": 5, "page": 2}),
    ],
)
def test_text_is_whole_but_for_a_trailing_run_of_named_words(line: str, text: str, named: dict[str, Any]) -> None:
    """Only name:value words at the very end are arguments; everything before them is text, as it was typed."""
    args = parsed(line)
    assert (text, named, frozenset()) == (args.text, args.named, args.bare)


@pytest.mark.parametrize(
    ("line", "bare", "named"),
    [
        ("!age", set(), {}),
        ("!age preview", {"preview"}, {}),
        ("!age older_than_hours:24 preview", {"preview"}, {"older_than_hours": 24}),
        ("!age PREVIEW max_rows:5 include:protected", {"preview"}, {"max_rows": 5, "include": "protected"}),
        ("!reset discard", {"discard"}, {}),
    ],
)
def test_bare_words_come_from_a_closed_set(line: str, bare: set[str], named: dict[str, Any]) -> None:
    """`preview` and `discard` stand among the named words in any order and any case."""
    args = parsed(line)
    assert ("", bare, named) == (args.text, args.bare, args.named)


@pytest.mark.parametrize("line", ["12", "#12", " #12 ", "#0012"])
def test_a_leading_number_is_a_memory(line: str) -> None:
    """With or without its #."""
    assert parse(line, GRAMMARS["forget"]).lead == 12


@pytest.mark.parametrize("line", ["#12 New text\nin two", "12\nNew text\nin two", "#12\t New text\nin two"])
def test_the_number_ends_at_any_blank_and_the_text_keeps_its_lines(line: str) -> None:
    """A line break after the number is as good as a space."""
    args = parse(line, GRAMMARS["edit"])
    assert (args.lead, args.text) == (12, "New text\nin two")


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("!remember tea importance:11", ("importance takes", "from 1 to 10, not '11'.")),
        ("!remember tea importance:high", ("importance takes", "from 1 to 10, not 'high'.")),
        ("!remember tea importance:8.5", ("importance takes", "from 1 to 10, not '8.5'.")),
        ("!remember tea importance:-1", ("importance takes", "from 1 to 10, not '-1'.")),
        ("!remember tea importance:٣", ("importance takes", "from 1 to 10, not '٣'.")),
        ("!remember tea tags:,", ("tags takes 1 to 10 words", "such as tags:a,b.")),
        ("!remember tea source:summary", ("source takes directive", "not 'summary'.")),
        ("!remember tea topic:" + "x" * 65, ("topic takes", "at most 64 characters.")),
        ("!remember tea importance:9 importance:8", ("importance: is given twice", "once.")),
        ("!recall strategy:nonsense tea", ("strategy takes ranked, literal or keywords", "not 'nonsense'.")),
        ("!recall tier:long tea tier:short", ("tier: is given twice", "once.")),
        ("!recall tea tier:medium", ("tier takes short, long or all", "not 'medium'.")),
        ("!recall tea limit:21", ("limit takes", "from 1 to 20, not '21'.")),
        ("!age max_rows:0", ("max_rows takes", "from 1 to 10000, not '0'.")),
        ("!age older_than_hours:99999999999999999999", ("older_than_hours takes", "not '99999999999999999999'.")),
        ("!age include:everything", ("include takes protected", "not 'everything'.")),
    ],
)
def test_a_wrong_value_is_told_with_what_would_be_right(line: str, told: tuple[str, str]) -> None:
    """One sentence with the name, what it takes and what was given."""
    said = refused(line)
    assert (said.startswith(told[0]), said.endswith(told[1])) == (True, True)


@pytest.mark.parametrize(
    ("line", "holds"),
    [
        ("!age prevew", "I don't know 'prevew'; did you mean preview? !age [older_than_hours:1-87600]"),
        ("!age now", "I don't know 'now'; !age "),
        ("!age preview 5", "I don't know '5'; !age "),
        ("!age 5 preview", "I don't know '5'; !age "),
        ("!age older_than_hours 5", "I don't know '5'; !age "),
        ("!age max_row:5", "I don't know max_row:; did you mean max_rows:? !age "),
        ("!age colour:5", "I don't know 'colour:5'; !age "),
        ("!reset discrad", "I don't know 'discrad'; did you mean discard? !reset [discard]"),
        ("!reset the whole thing", "I don't know 'thing'; !reset [discard]"),
        ("!status please", "I don't know 'please'; !status"),
        ("!undo 5", "I don't know '5'; !undo"),
        ("!forget #12 and #13", "I don't know '#13'; !forget <id>"),
        ("!remember tea importence:9", "I don't know importence:; did you mean importance:? !remember <text>"),
        ("!remember tea importence:9 topic:x", "I don't know importence:; did you mean importance:?"),
        ("!remember tea tag:x", "I don't know tag:; did you mean tags:?"),
        ("!remember", "!remember needs <text>: !remember <text> [topic:…]"),
        ("!remember topic:x", "!remember needs <text>"),
        ("!recall tier:long", "!recall needs <query>"),
        ("!edit #4", "!edit needs <text>: !edit <id> <text>"),
        ("!forget", "!forget needs a memory's number such as #12: !forget <id>"),
        ("!forget 0", "!forget needs a memory's number"),
        ("!forget -4", "!forget needs a memory's number"),
        ("!forget ##4", "!forget needs a memory's number"),
        ("!forget the first", "!forget needs a memory's number"),
        ("!forget the balcony door", "with what it is about, said to me as any message, finds it by its words"),
        ("!mydata remove", "!mydata remove needs a memory's number such as #12: !mydata remove <id>"),
        ("!mydata remove plot 8", "!mydata remove needs a memory's number such as #12: !mydata remove <id>"),
        ("!mydata remove 0", "!mydata remove needs a memory's number"),
        ("!identity We are the club", "did you mean !identity set …?"),
        ("!forget 9999999999999999999", "!forget needs a memory's number"),
    ],
)
def test_whatever_is_left_over_missing_or_misspelt_is_refused(line: str, holds: str) -> None:
    """The sentence names the word, the likeliest right one, and the usage; nothing is guessed."""
    assert holds in refused(line)


def test_defaults_are_those_the_grammar_gives() -> None:
    """What was not given is what the caller asks for."""
    args = parsed("!remember tea")
    assert (args.number("importance", 8), args.word("room", "general"), args.words("tags")) == (8, "general", ())


WORDS = st.sampled_from(
    [
        "preview",
        "discard",
        "topic:x",
        "importance:9",
        "importance:99",
        "importence:9",
        "limit:5",
        "tier:long",
        "tags:a,b",
        "max_rows:3",
        "#12",
        "12",
        "http://x.y/z",
        "topic:",
        ":",
        "::",
        "a:b:c",
        "I",
        "said",
        "…",
        "\u200b",
        "é",
        "😀",
        "\0",
        "N3",
        'reason:"all',
        'agreed"',
        "reason:x",
        'topic:"two',
        'words"',
        'tags:"a',
        'b",x',
        '"',
        '""',
    ]
)
LINES = st.one_of(st.text(max_size=60), st.lists(WORDS, max_size=8).map(" ".join), st.lists(WORDS).map("\n \t".join))


@given(line=LINES, command=st.sampled_from(sorted(GRAMMARS)))
@example(line="a\x1cimportance:9", command="remember")
@example(line="\u2028", command="remember")
@SETTLED
def test_any_line_is_understood_or_refused(line: str, command: str) -> None:
    """Nothing but `BadArgument` is ever raised, and it is one line."""
    said = "understood"
    try:
        parse(line, GRAMMARS[command])
    except errors.BadArgument as exc:
        said = str(exc)
    assert [said] == said.splitlines()


@given(line=LINES)
@SETTLED
def test_text_is_a_prefix_of_what_was_typed(line: str) -> None:
    """Nothing in the text is moved, joined or left out."""
    with contextlib.suppress(errors.BadArgument):
        assert line.strip().startswith(parse(line, GRAMMARS["remember"]).text)


ANY = Grammar(
    command="any",
    text="text",
    named={
        "number": Number(low=-5, high=500),
        "choice": Choice(options=("one", "two")),
        "word": Word(),
        "words": Words(),
        "phrase": Phrase(),
    },
    bare=("preview", "discard"),
)
TOKEN = st.from_regex(r"[a-z0-9][a-z0-9:/-]{0,9}", fullmatch=True)
SOME = st.lists(TOKEN, min_size=1, max_size=4).map(" ".join)
VALUES: dict[str, st.SearchStrategy[Any]] = {
    "number": st.integers(-5, 500),
    "choice": st.sampled_from(["one", "two"]),
    "word": SOME,
    "words": st.lists(SOME, min_size=1, max_size=10, unique=True).map(tuple),
    "phrase": SOME,
}
QUOTES = st.sampled_from(['""', "\u201c\u201d", "\u201e\u201c"])


def rendered(value: Any, marks: str = '""') -> str:
    """As somebody types it: what has blanks stands in quotation marks."""
    if isinstance(value, tuple):
        return ",".join(rendered(each, marks) for each in value)
    return f"{marks[0]}{value}{marks[1]}" if " " in str(value) else str(value)


@given(
    text=LINES,
    named=st.fixed_dictionaries({}, optional=VALUES),
    bare=st.frozensets(st.sampled_from(["preview", "discard"])),
    data=st.data(),
    blank=st.sampled_from([" ", "\n", " \t "]),
)
@SETTLED
def test_what_is_written_out_is_read_back(
    text: str, named: dict[str, Any], bare: frozenset[str], data: st.DataObject, blank: str
) -> None:
    """Text, then arguments in any order, is that text and those arguments."""
    try:
        alone = parse(text, ANY)
    except errors.BadArgument:
        assume(False)
        return
    assume(not alone.named and not alone.bare)
    given = (f"{name}:{rendered(value, data.draw(QUOTES))}" for name, value in named.items())
    run = data.draw(st.permutations([*given, *bare]))
    args = parse(blank.join([text, *run]), ANY)
    assert (text.strip(), named, bare) == (args.text, args.named, args.bare)


@pytest.mark.parametrize(
    ("line", "text", "named"),
    [
        ('N3 a fact reason:"all agreed"', "a fact", {"reason": "all agreed"}),
        ('N3 a fact reason:"all agreed" importance:9', "a fact", {"reason": "all agreed", "importance": 9}),
        ("N3 a fact topic:x REASON:“all agreed”", "a fact", {"reason": "all agreed", "topic": "x"}),
        ("N3 a fact reason:„alle dafür“", "a fact", {"reason": "alle dafür"}),
        ('N3 a fact reason:"one\ntwo"', "a fact", {"reason": "one\ntwo"}),
        ('N3 a fact reason:"topic:x"', "a fact", {"reason": "topic:x"}),
        ('N3 he said "no" reason:agreed', 'he said "no"', {"reason": "agreed"}),
        ('N3 reason:"of old" is said reason:new', 'reason:"of old" is said', {"reason": "new"}),
    ],
)
def test_a_phrase_in_quotation_marks_is_one_word(line: str, text: str, named: dict[str, Any]) -> None:
    """Whatever marks a keyboard makes; only where the argument is one that takes a phrase."""
    args = parse(line, GRAMMARS["promote"])
    assert (3, text, named) == (args.lead, args.text, args.named)


@pytest.mark.parametrize(
    ("line", "tags"),
    [
        ('tea tags:"new york"', ("new york",)),
        ("tea tags:“New  York, Food”", ("new york", "food")),
        ('tea tags:"food"', ("food",)),
        ('tea tags:"new york" importance:9', ("new york",)),
        ('tea tags:"new york",x', ("new york", "x")),
        ('tea tags:x,"new york"', ("x", "new york")),
        (
            'tea tags:x,"New  York",“the  harbour”,y,"food, drink"',
            ("x", "new york", "the harbour", "y", "food", "drink"),
        ),
        ('tea tags:"new york",', ("new york",)),
        ('tea tags:5"disk,"a b"', ('5"disk', "a b")),
        ('tea tags:a:b,"c d"', ("a:b", "c d")),
    ],
)
def test_several_words_in_quotation_marks_are_one(line: str, tags: tuple[str, ...]) -> None:
    """A tag of several words is typed as a phrase is, alone or among others."""
    args = parse(line, GRAMMARS["remember"])
    assert ("tea", tags) == (args.text, args.words("tags"))


@pytest.mark.parametrize("line", ['tea tags:""', 'tea tags:" , "'])
def test_quotation_marks_around_nothing_are_refused(line: str) -> None:
    """There is no word in them."""
    with pytest.raises(errors.BadArgument, match="tags takes 1 to 10 words"):
        parse(line, GRAMMARS["remember"])


@pytest.mark.parametrize(
    ("line", "text", "named"),
    [
        ('tea topic:"two words"', "tea", {"topic": "two words"}),
        ('tea topic:"glaze" importance:7', "tea", {"topic": "glaze", "importance": 7}),
        ("tea room:“the  den” topic:„zwei Worte“", "tea", {"room": "the den", "topic": "zwei Worte"}),
        ('tea TOPIC:"two\nwords" tags:"new york",x', "tea", {"topic": "two words", "tags": ("new york", "x")}),
        ('tea importance:"9" topic:x', "tea", {"importance": 9, "topic": "x"}),
        ('she said "no, never"', 'she said "no, never"', {}),
        ('she said: "no, never"', 'she said: "no, never"', {}),
        ('the topic:"one" of many', 'the topic:"one" of many', {}),
        ('a subtopic:"two words"', 'a subtopic:"two words"', {}),
        ('see.topic:"two words"', 'see.topic:"two words"', {}),
        ('tea topic: "two words"', 'tea topic: "two words"', {}),
        ('tea topic:a,"two words"', 'tea topic:a,"two words"', {}),
        ('tea topic:"two words"s', 'tea topic:"two words"s', {}),
        ('tea colour:"two words"', 'tea colour:"two words"', {}),
    ],
)
def test_any_argument_takes_quotation_marks(line: str, text: str, named: dict[str, Any]) -> None:
    """Several words in them are one value; without a name the command has right before them, they are text."""
    args = parse(line, GRAMMARS["remember"])
    assert (text, named) == (args.text, args.named)


@pytest.mark.parametrize("line", ['tea topic:""', 'tea topic:" "'])
def test_a_word_of_nothing_is_refused(line: str) -> None:
    """With what would be right."""
    with pytest.raises(errors.BadArgument, match="topic takes a word, or some in quotation marks such as"):
        parse(line, GRAMMARS["remember"])


@pytest.mark.parametrize("piece", ['"', '",', '"a",', '"a', ',"', ':"', 'tags:"', 'a" ', '"a b",'])
def test_a_page_of_quotation_marks_is_read_at_once(piece: str) -> None:
    """Each character of a line is looked at a few times, however many marks are in it."""

    class Counted(str):
        __slots__ = ()
        looks = 0

        def __getitem__(self, key: Any) -> str:
            Counted.looks += 1
            return super().__getitem__(key)

    looks: list[int] = []
    for times in (1000, 2000):
        Counted.looks = 0
        _quoted_from(Counted("x " + piece * times + '"'), GRAMMARS["remember"])
        looks.append(Counted.looks)
    assert looks[1] <= 2.5 * looks[0] + 50


@pytest.mark.parametrize("line", ["N3 a fact", 'N3 a fact reason:"all agreed', 'N3 a fact reason: "all agreed"'])
def test_an_argument_that_must_be_given_is_asked_for(line: str) -> None:
    """One sentence that names it and shows the usage."""
    with pytest.raises(errors.BadArgument) as caught:
        parse(line, GRAMMARS["promote"])
    assert str(caught.value) == (
        '!promote needs reason:"…" (why it is to stay): !promote <note> <summary> reason:"…" [topic:…] [room:…] '
        "[importance:1-10] [tags:a,b] [confirm]"
    )


@pytest.mark.parametrize(("lead", "number"), [("N3", 3), ("n3", 3), ("3", 3), ("N007", 7)])
def test_a_note_leads_with_its_own_sign(lead: str, number: int) -> None:
    """With or without it, large or small; a memory's is refused."""
    assert number == parse(f"{lead} a fact reason:x", GRAMMARS["promote"]).lead
    for wrong in ("#3", "NN3", "N", "N0", "3N"):
        with pytest.raises(errors.BadArgument, match="needs a note's number such as N3"):
            parse(f"{wrong} a fact reason:x", GRAMMARS["promote"])


def test_a_page_of_words_is_read_at_once() -> None:
    """A pasted line of a hundred thousand characters is text like any other."""
    text = "word " * 50_000 + " " * 50_000 + "x" * 50_000
    assert (text, {"topic": "x"}) == ((args := parsed(f"!remember {text} topic:x")).text, args.named)


def test_a_name_within_the_text_stays_text() -> None:
    """Only the trailing run is arguments."""
    line = "I said the topic: money, and more"
    assert line == parse(line, GRAMMARS["remember"]).text


TWO = Grammar(
    command="two",
    text="text",
    text_required=False,
    named={"page": Number(low=1, high=9)},
    forms=(
        Form(words="swap", value="one", second="other", help=""),
        Form(words="say it", value="words", kind=FreeText(), help=""),
    ),
)


@pytest.mark.parametrize(
    ("line", "named"),
    [
        ("swap a b", {"one": "a", "other": "b"}),
        ('swap "a  long one" b', {"one": "a long one", "other": "b"}),
        ("SWAP a \u201cb c\u201d", {"one": "a", "other": "b c"}),
        ('swap "a b', {"one": '"a', "other": "b"}),
        ('swap a"b "" ', {"one": 'a"b', "other": '""'}),
        ('say it all of it\n  page:2  "x" ', {"words": 'all of it\n  page:2  "x"'}),
    ],
)
def test_a_form_takes_two_values_or_a_text(line: str, named: dict[str, str]) -> None:
    """Of two each may be several words in quotes; a text is all that follows, its line breaks kept."""
    args = parse(line, TWO)
    assert (named, "") == (args.named, args.text)


@pytest.mark.parametrize(
    ("line", "text", "named"),
    [
        ("", "", {}),
        ("a room", "a room", {}),
        ("a room page:2", "a room", {"page": 2}),
        ("swapped a b", "swapped a b", {}),
        ("say a b", "say a b", {}),
    ],
)
def test_a_command_with_forms_and_text_takes_what_is_no_form(line: str, text: str, named: dict[str, int]) -> None:
    """As a command without forms does."""
    args = parse(line, TWO)
    assert ("", text, named) == (args.form, args.text, args.named)


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("swap", "!two swap needs two values: !two swap <one> <other>"),
        ("swap a", "!two swap needs two values: !two swap <one> <other>"),
        ("swap a b c", "I don't know 'c'; "),
        ("say it", "!two say it needs a value: !two say it <text>"),
    ],
)
def test_values_too_few_or_too_many_are_refused(line: str, why: str) -> None:
    """With what would be right."""
    with pytest.raises(errors.BadArgument) as told:
        parse(line, TWO)
    assert str(told.value).startswith(why)
    assert TWO.usage("!") == "!two [text] [page:1-9], !two swap <one> <other> or !two say it <text>"
