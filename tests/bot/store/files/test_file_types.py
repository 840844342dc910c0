"""The laws of files: what each is taken for, how its bytes become text, and what it may be called by."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.store.files import file_types
from bot.store.files.file_types import FileKind

KINDS = [
    ("notes.md", "text/markdown; charset=utf-8", FileKind.TEXT),
    ("plan.txt", None, FileKind.TEXT),
    ("table.csv", "text/csv", FileKind.TEXT),
    ("data.json", "application/json", FileKind.TEXT),
    ("main.ts", "video/mp2t", FileKind.TEXT),
    ("Dockerfile", None, FileKind.TEXT),
    (".gitignore", None, FileKind.TEXT),
    ("feed", "application/atom+xml", FileKind.TEXT),
    ("report.PDF", "application/octet-stream", FileKind.PDF),
    ("scan", "application/pdf", FileKind.PDF),
    ("photo.png", "image/png", FileKind.BINARY),
    ("clip", "video/mp4", FileKind.BINARY),
    ("all.zip", None, FileKind.BINARY),
    ("letter.docx", "application/vnd.openxmlformats-officedocument.wordprocessingml.document", FileKind.BINARY),
    ("thing", "application/octet-stream", FileKind.UNKNOWN),
    ("thing.xyz", None, FileKind.UNKNOWN),
]


@pytest.mark.parametrize(("name", "content_type", "kind"), KINDS)
def test_a_file_is_taken_for_what_its_name_says_then_its_type(
    name: str, content_type: str | None, kind: FileKind
) -> None:
    """The extension goes first: whoever fills in the type only guesses from it."""
    assert kind is file_types.kind(name, content_type)


@pytest.mark.parametrize(
    ("data", "text"),
    [
        ("Grüße".encode(), "Grüße"),
        (b"\xef\xbb\xbf" + "Grüße".encode(), "Grüße"),
        ("Grüße".encode("utf-16"), "Grüße"),
        (b"\xfe\xff" + "Grüße".encode("utf-16-be"), "Grüße"),
        ("Grüße".encode("utf-32"), "Grüße"),
        ("Grüße".encode("latin-1"), "Grüße"),
        (b"\x93quoted\x94", "\u201cquoted\u201d"),
        (b"caf\xe9 \x81", "caf\u00e9 \x81"),
        (b"", ""),
        (b"PK\x03\x04\x00\x00", None),
        (b"\xff\xfeodd", None),
        (bytes(range(1, 32)) * 10, None),
    ],
)
def test_bytes_become_text_by_their_mark_or_the_first_that_fits(data: bytes, text: str | None) -> None:
    """Byte order marks, UTF-8, Windows, Latin-1; a NUL or a heap of controls is no text."""
    assert text == file_types.decoded(data)


@given(st.binary(max_size=400))
def test_any_bytes_are_text_or_none_and_what_is_kept_can_be_stored(data: bytes) -> None:
    """Nothing raises, and nothing is left that Postgres would refuse."""
    text = file_types.tidied(file_types.decoded(data) or "")
    assert text.encode().decode() == text
    assert "\0" not in text
    assert "\r" not in text


def test_what_is_kept_is_bounded() -> None:
    """200,000 characters, however many there are."""
    assert len(file_types.tidied("x\r\n" * 500_000)) <= file_types.MOST_CHARACTERS


@pytest.mark.parametrize(
    ("name", "called"),
    [
        ("notes.md", ("notes md",)),
        ("Budget_2026-final.xlsx", ("budget 2026 final xlsx", "budget 2026 final")),
        ("Résumé.pdf", ("resume pdf",)),
        ("README", ()),
        ("a b c d e f g h i j k l m.txt", ()),
    ],
)
def test_a_file_is_called_by_two_words_of_its_name_at_least(name: str, called: tuple[str, ...]) -> None:
    """With its extension and without; one word alone is said of many things."""
    assert called == file_types.called(name)


@given(st.text(max_size=60), st.text(max_size=60))
def test_a_question_with_the_name_in_it_names_the_file(before: str, after: str) -> None:
    """Whatever stands around it."""
    names = file_types.names_in(f"{before} what does Budget 2026.csv say? {after}")
    assert {"budget 2026 csv", "budget 2026"} <= {*names}


def test_the_names_in_a_question_are_bounded() -> None:
    """A pasted page is not looked up word by word."""
    assert len(file_types.names_in(" ".join(f"w{n}" for n in range(5000)))) < 1500


def test_a_pdf_is_known_by_its_bytes() -> None:
    """Whatever it is called."""
    assert (True, False) == (file_types.is_pdf(b"\xef\xbb\xbf%PDF-1.7"), file_types.is_pdf(b"x" * 2000 + b"%PDF-"))


@pytest.mark.parametrize(
    ("text", "points"),
    [
        ("What does this mean?", True),
        ("what does it say of the vault?", True),
        ("Who is named in the document?", True),
        ("Was steht in dieser Datei?", True),
        ("Who repaired the kettle?", False),
        ("Who repaired it?", False),
        ("Who repaired the kettle this spring?", False),
    ],
)
def test_a_question_points_at_the_file_beside_it(text: str, *, points: bool) -> None:
    """By what stands for it or says that a file is meant; not by a time."""
    assert points is file_types.points_at_one(text)
