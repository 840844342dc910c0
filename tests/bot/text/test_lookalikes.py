"""The laws of names that look alike."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.db.pool import Database
from bot.text.lookalikes import bare, likeness, owner


@pytest.mark.parametrize(
    "name",
    [
        "ann",
        " A n n. ",
        "\u00c4nn",
        "A\u200bnn",
        "\u0410nn",
        "\u0391nn",
        "\uff21\uff2e\uff2e",
        "\U0001d4d0\U0001d4f7\U0001d4f7",
        "\u1d00\u0274\u0274",
        "\U0001f170nn",
        "A\u0336n\u0336n\u0336",
        "Ann (2)",
        "Ann (then Mal's name)",
    ],
)
def test_a_name_in_other_letters_looks_the_same(name: str) -> None:
    """Case, spacing, accents, invisible letters, other scripts and styles, and what Hathi itself adds to names."""
    assert likeness("Ann") == likeness(name)


@pytest.mark.parametrize("name", ["H\u0430thi", "HATHl", "\u041dathi", "\u029c\u1d00\u1d1b\u029c\u026a", "hath1"])
def test_so_does_hathi_s(name: str) -> None:
    """Also where a capital I is a small L, and a Cyrillic letter looks like a small capital."""
    assert likeness("Hathi") == likeness(name)


def test_other_names_look_otherwise() -> None:
    """However short, of any script, and of signs alone."""
    names = ["Ann", "Anna", "An", "Ann2", "Bob", "\u3042\u3093", "\u0414\u0430", "\U0001f389", "\U0001f600", "..."]
    assert len(names) == len({likeness(name) for name in names})


@given(st.text(max_size=64))
def test_every_name_looks_like_something_and_like_itself_again(name: str) -> None:
    """Never like nothing, and in whatever case it is written, as far as that has two."""
    assert likeness(name) or not bare(name).strip()
    assert likeness(name) == likeness(f" {name} ")


def test_whose_words_they_are_is_told_by_what_their_author_is_called() -> None:
    """The name of then is another's by now."""
    assert [owner(name) for name in ("Ann", "Ann (2)", "Ann (then Mal's name)", "Ann (then Mal (2)'s name)")] == [
        "Ann",
        "Ann (2)",
        "Mal",
        "Mal (2)",
    ]


async def test_names_kept_before_are_read_alike(database: Database) -> None:
    """What the migration wrote of names in Latin letters is what is written now."""
    names = ["Ann", "MIA", "Bob Stone", "x_X|Il10|X_x", "Tim-Tom", "9lives", "---"]
    async with database.connection() as connection:
        found = await connection.fetch(
            """SELECT coalesce(nullif(regexp_replace(
                       replace(translate(lower(normalize(name, NFKD)), 'i1|0', 'lllo'), 'm', 'rn'),
                       '[^[:alnum:]]', '', 'g'), ''), normalize(name, NFKD)) AS likeness
               FROM unnest($1::text[]) AS name""",
            names,
        )
    assert [row["likeness"] for row in found] == [likeness(name) for name in names]
