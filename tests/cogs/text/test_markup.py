"""Discord's markup as people read it, and back."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cogs.text.markup import Directory, discordly, readable

DIRECTORY = Directory(
    people={1: "Ann", 2: "Ann-Marie", 3: "O'Neil", 4: "Ann Lee", 5: "Zoë 🦊", 6: "Twin", 7: "Twin", 8: "everyone"},
    roles={20: "builders", 21: "@everyone", 22: "night shift"},
    channels={30: "general", 31: "general-chat", 32: "日本語"},
    emoji={40: ("wave", False), 41: ("party", True), 42: ("same", False), 43: ("same", False)},
    commands={"memory": 50, "memory list": 50},
)

PAIRS = [
    ("<@1>", "@Ann"),
    ("<@2>", "@Ann-Marie"),
    ("<@3>", "@O'Neil"),
    ("<@4>", "@Ann Lee"),
    ("<@5>", "@Zoë 🦊"),
    ("<@&20>", "@builders"),
    ("<@&22>", "@night shift"),
    ("<#30>", "#general"),
    ("<#31>", "#general-chat"),
    ("<#32>", "#日本語"),
    ("</memory:50>", "/memory"),
    ("</memory list:50>", "/memory list"),
    ("<:wave:40>", ":wave:"),
    ("<a:party:41>", ":party:"),
    ("<t:1772452800:f>", "2026-03-02 12:00 UTC"),
]


@pytest.mark.parametrize(("markup", "words"), PAIRS)
def test_markup_is_read_and_written(markup: str, words: str):
    """Each kind of markup reads as a person sees it, and becomes the same markup again."""
    assert (words, markup) == (readable(markup, DIRECTORY), discordly(words, DIRECTORY))


@pytest.mark.parametrize(
    ("markup", "words"),
    [
        ("<@!1>", "@Ann"),
        ("<@99>", "@someone"),
        ("<@&99>", "@a-role"),
        ("<@&21>", "@everyone"),
        ("<#99>", "#a-channel"),
        ("</gone:9>", "/gone"),
        ("<:far:99>", ":far:"),
        ("<a:far:99>", ":far:"),
        ("<t:1772452800>", "2026-03-02 12:00 UTC"),
        ("<t:1772452859:R>", "2026-03-02 12:00 UTC"),
        ("<t:-62135596800>", "0001-01-01 00:00 UTC"),
        ("<t:8640000000000>", "some time"),
        ("<id:customize>", "#Channels & Roles"),
        ("<id:linked-roles:7>", "#Linked Roles"),
        ("a <@1>, <#30>!", "a @Ann, #general!"),
        (r"\<@1>", r"\<@1>"),
        ("<@one> < b <3", "<@one> < b <3"),
    ],
)
def test_what_is_not_known_is_readable_too(markup: str, words: str):
    """Other spellings, and ids that no name is known of, read as words; what is no markup stays."""
    assert words == readable(markup, DIRECTORY)


@pytest.mark.parametrize(
    "text",
    ["`<@1>`", "``a ` <@1>``", "```\n<@1>\n```", "x ```py\n<@1> <#30>\n``` y", "`@Ann`", "```\n@Ann :wave:\n```"],
)
def test_code_is_left_alone(text: str):
    """Neither direction changes code, which Discord draws as it stands."""
    assert (text, text) == (readable(text, DIRECTORY), discordly(text, DIRECTORY))


def test_a_backtick_that_closes_nothing_is_no_code():
    """A stray backtick keeps no markup from being read."""
    assert "it`s @Ann\n\nand `@Ann" == readable("it`s <@1>\n\nand `<@1>", DIRECTORY)


@pytest.mark.parametrize(
    ("words", "markup"),
    [
        ("@Ann.", "<@1>."),
        ("(@Ann)", "(<@1>)"),
        ("@Ann's cat, @Ann’s dog", "<@1>'s cat, <@1>’s dog"),  # noqa: RUF001 - as people type it
        ("@Ann: hi", "<@1>: hi"),
        ("@Ann Leeds", "<@1> Leeds"),
        ("**@Ann**", "**<@1>**"),
        ("#general, #general-chat", "<#30>, <#31>"),
        (":wave::party:", "<:wave:40><a:party:41>"),
    ],
)
def test_a_name_is_found_among_other_signs(words: str, markup: str):
    """A whole name becomes markup beside punctuation, and the longest name wins."""
    assert markup == discordly(words, DIRECTORY)


@pytest.mark.parametrize(
    "text",
    [
        "Ann and general",
        "@Anna",
        "@Ann-Mary",
        "@Ann.lee",
        "@O'Neill",
        "bob@Ann",
        r"\@Ann",
        "@Anné",
        "@Ann\u0301",
        "@Twin",
        ":same:",
        "10:wave:30",
        "@everyone @here",
        "#general-talk",
        "https://example.org/#general",
        "[@Ann](https://example.org)",
        "<https://example.org/#general>",
        "/usr/memory",
        "/memory/x",
        "and/memory",
        "<@1> <#30> </memory:50> <:wave:40> <t:1772452800:f>",
        "2026-13-02 12:00 UTC",
        "12026-03-02 12:00 UTC",
        "2026-03-02 13:00 CET",
        "2026-03-02 15:00 UTC+3",
        "2026-03-02 08:30 UTC-3:30",
    ],
)
def test_what_is_no_whole_name_of_one_thing_stays_text(text: str):
    """Parts of words, names of several things, addresses, paths, mentions of everyone and markup are left alone."""
    assert text == discordly(text, DIRECTORY)


_words = st.sampled_from(["and", "so it is,", "don't", "`@Ann`", "1:30", "a/b", "é", "\n", "```\n<@1>\n```"])
_markup = st.sampled_from([markup for markup, _ in PAIRS])


@given(st.lists(_words | _markup, max_size=30))
def test_reading_and_writing_give_the_markup_back(pieces: list[str]):
    """What is known and stands for itself comes back as it was."""
    text = " , ".join(pieces)

    assert text == discordly(readable(text, DIRECTORY), DIRECTORY)


_LETTERS = st.characters(categories=["L", "N", "Mn", "So"]) | st.sampled_from(" -.'_")
_NAMES = st.text(_LETTERS, min_size=1, max_size=12).filter(
    lambda name: name not in {"everyone", "here", "someone", "a-role"}
)


@given(st.lists(_NAMES, min_size=1, max_size=8))
def test_any_name_comes_back(names: list[str]):
    """A name that only one person bears becomes this person's mention again, whatever it is made of."""
    people = {key: name for key, name in enumerate(dict.fromkeys(names), start=1) if name.strip() == name}
    directory = Directory(people=people)
    text = "\n".join(f"<@{key}>" for key in people)

    assert text == discordly(readable(text, directory), directory)


@given(st.text(st.sampled_from("@#:/<>`'-. \\nAnlewv103")))
def test_any_text_is_taken(text: str):
    """No text breaks either direction, and text without signs is never changed."""
    readable(text, DIRECTORY)
    changed = discordly(text, DIRECTORY)

    assert changed == text or any(sign in text for sign in "@#:/")


@pytest.mark.parametrize(
    ("zone", "words", "shown"),
    [
        ("Europe/Berlin", "— Ann, 2026-03-02 13:00 CET, #4", "— Ann, <t:1772452800:f>, #4"),
        ("Europe/Berlin", "until 2026-07-02 14:00 CEST.", "until <t:1782993600:f>."),
        ("America/New_York", "(2026-03-02 07:00 EST)", "(<t:1772452800:f>)"),
        ("Asia/Kathmandu", "2026-03-02 17:45 UTC+5:45", "<t:1772452800:f>"),
        ("Europe/Berlin", "2026-10-25 02:30 CEST", "<t:1792888200:f>"),
        ("Europe/Berlin", "2026-10-25 02:30 CET", "<t:1792891800:f>"),
        ("Europe/Berlin", "2026-03-02 12:00 UTC", "<t:1772452800:f>"),
        ("Europe/Berlin", "2026-03-02 07:00 EST", "2026-03-02 07:00 EST"),
        ("Europe/Berlin", "2026-03-02 13:00 then", "2026-03-02 13:00 then"),
        ("Nowhere/Atall", "2026-03-02 13:00 CET", "2026-03-02 13:00 CET"),
    ],
)
def test_times_of_the_space_are_told_as_each_reader_has_them(zone: str, words: str, shown: str):
    """As they are written in its time zone; in no other, for letters of a zone tell different times elsewhere."""
    assert shown == discordly(words, DIRECTORY, zone=zone)
