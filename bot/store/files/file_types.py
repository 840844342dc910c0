"""Tells a file's type by name, media type and bytes, decodes its text, and matches its name in questions."""

import re
from enum import StrEnum
from pathlib import PurePosixPath
from typing import Final

from bot.text import normalize, patterns, trigrams

MOST_BYTES: Final = 2**20
"""Of one file; a larger one is not fetched."""
MOST_CHARACTERS: Final = 200_000
"""Of its text; what comes after is not kept."""
LONGEST_NAME: Final = 12
"""Words of a file's name as a question may say it."""
MOST_WORDS: Final = 128
"""Words of a question among which the name of a file is looked for."""
_TABLES: Final = frozenset({".csv", ".tsv"})
OF_FILES: Final = patterns.vocabulary(
    """
    file files attachment attachments attached document documents doc docs upload uploads uploaded pdf csv json txt
    markdown datei dateien anhang dokument fichier fichiers joint archivo archivos adjunto documento
    """
)
"""Words that speak of a file and not of what is in it."""
_AT_HAND: Final = re.compile(
    r"\b(?:this|these|diese[mnrs]?|ceci|cela|\u00e7a|esto)\b(?!\s+(?:time|day|week\w*|month|year|morning|afternoon"
    r"|evening|spring|summer|autumn|fall|winter|season)\b)|\b(?:in|of|about|from)\s+it\b|\bdoes\s+it\b",
    re.IGNORECASE,
)
"""Words that point at what stands beside them, and not at a time."""
_TEXT: Final = patterns.vocabulary(
    """
    txt text md markdown rst adoc org tex log csv tsv json jsonl ndjson json5 geojson ipynb xml html htm xhtml css scss
    less js mjs cjs jsx ts tsx mts vue svelte py pyi pyx rb php pl pm lua r jl c h cc cpp cxx hpp hh m mm cs java kt kts
    scala groovy go rs swift dart zig nim hs ml mli ex exs erl clj lisp el scm sh bash zsh fish ps1 bat cmd sql graphql
    proto yaml yml toml ini cfg conf env properties gradle cmake make mk dockerfile makefile gitignore diff patch srt
    vtt ics vcf eml tf nix asm s v vhd f90 pas vb lock
    """
)
_BINARY: Final = patterns.vocabulary(
    """
    png jpg jpeg gif webp bmp tif tiff heic heif avif ico svg psd mp3 ogg oga opus wav flac m4a aac mid mp4 m4v mov mkv
    webm avi wmv flv zip gz tgz bz2 xz zst 7z rar tar jar whl exe dll so dylib bin iso img dmg apk msi deb rpm doc docx
    rtf xls xlsx ppt pptx odt ods odp pages key numbers epub mobi ttf otf woff woff2 sqlite db pyc class o a parquet npy
    """
)
_PICTURES: Final = patterns.vocabulary("png jpg jpeg gif webp bmp tif tiff heic heif avif svg")
_TEXT_TYPES: Final = re.compile(
    r"text/.*|application/(?:.*\+)?(?:json|xml|yaml|toml|javascript|sql)|application/(?:x-(?:sh|yaml|ndjson|httpd-php|tex)"
    r"|ecmascript|typescript|graphql|json5|jsonlines)"
)
_BINARY_TYPES: Final = re.compile(r"(?:image|audio|video|font|model)/.*|application/(?:zip|gzip|x-7z.*|vnd\.(?!api).*)")
_MARKS: Final = (
    (b"\xff\xfe\x00\x00", "utf-32"),
    (b"\x00\x00\xfe\xff", "utf-32"),
    (b"\xef\xbb\xbf", "utf-8-sig"),
    (b"\xff\xfe", "utf-16"),
    (b"\xfe\xff", "utf-16"),
)
"""Byte order marks, the longer first."""
_CONTROLS: Final = re.compile(r"[\x00-\x08\x0e-\x1a\x1c-\x1f\x7f]")
_MOST_CONTROLS: Final = 0.01
"""The share of a text's characters that may be controls; of binary data a tenth are."""
_PDF: Final = b"%PDF-"
_PDF_WITHIN: Final = 1024
"""Bytes at the beginning among which a PDF says that it is one."""
_BREAK: Final = re.compile(r"\r\n?|[\x0b\x0c\x85\u2028\u2029]")
_WORD: Final = re.compile(r"[^\W_]+")
_NAMED: Final = re.compile(r"(?<=\w)\.([a-z0-9]{1,9})(?![\w/@])")
"""What ends as the name of a file does, and goes on as no address."""


class FileKind(StrEnum):
    """The kinds of files, by how their text can be read."""

    TEXT = "text"
    PDF = "pdf"
    BINARY = "binary"
    """Pictures, sounds, archives and the like: nothing to read."""
    UNKNOWN = "unknown"
    """Only its bytes can tell."""


def kind(name: str, content_type: str | None) -> FileKind:
    """What a file seems to be. Its extension goes first: Discord takes the .ts of TypeScript for a film."""
    path = PurePosixPath(name.lower())
    extension = path.suffix.removeprefix(".") or path.name.removeprefix(".")
    told = (content_type or "").partition(";")[0].strip().lower()
    if extension == "pdf" or told == "application/pdf":
        return FileKind.PDF
    if extension in _TEXT:
        return FileKind.TEXT
    if extension in _BINARY or _BINARY_TYPES.fullmatch(told):
        return FileKind.BINARY
    return FileKind.TEXT if _TEXT_TYPES.fullmatch(told) else FileKind.UNKNOWN


def is_picture(name: str, content_type: str | None) -> bool:
    """Whether a file seems to be a picture, by its type or by its extension."""
    extension = PurePosixPath(name.lower()).suffix.removeprefix(".")
    return (content_type or "").lower().startswith("image/") or extension in _PICTURES


def is_table(name: str) -> bool:
    """Whether a file is a table of a row a line, by its extension."""
    return PurePosixPath(name.lower()).suffix in _TABLES


def is_pdf(data: bytes) -> bool:
    """Whether the bytes are those of a PDF, whatever it is called."""
    return _PDF in data[:_PDF_WITHIN]


def decoded(data: bytes) -> str | None:
    """The bytes as text: by their byte order mark, else UTF-8, else as Windows and Latin-1 write; none if they are not.

    What holds a NUL, or more controls than any text does, is no text.
    """
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return _decoded(data, encoding)
    if b"\0" in data:
        return None
    for encoding in ("utf-8", "cp1252", "latin-1"):
        text = _decoded(data, encoding)
        if text is not None:
            return text if len(_CONTROLS.findall(text)) <= _MOST_CONTROLS * len(text) else None
    return None


def tidied(text: str) -> str:
    """The text as it is kept: one kind of line break, nothing that can't be stored, at most 200,000 characters."""
    return normalize.shown(_BREAK.sub("\n", text[: 2 * MOST_CHARACTERS]))[:MOST_CHARACTERS].strip()


def called(name: str) -> tuple[str, ...]:
    """What names the file in a question: its name in words, and the same without its extension; two words at least."""
    path = PurePosixPath(name)
    named = (" ".join(one) for one in (words(path.name), words(path.stem)) if 2 <= len(one) <= LONGEST_NAME)
    return tuple(dict.fromkeys(named))


def names_in(text: str) -> list[str]:
    """All that may name a file in a question: two to twelve of its words in a row."""
    said = words(text)[:MOST_WORDS]
    runs = ((at, size) for at in range(len(said)) for size in range(2, min(LONGEST_NAME, len(said) - at) + 1))
    return [*dict.fromkeys(" ".join(said[at : at + size]) for at, size in runs)]


def is_named(name: str, text: str) -> bool:
    """Whether a text names the file of this name."""
    return not set(called(name)).isdisjoint(names_in(text))


def names_one(text: str) -> bool:
    """Whether a text names a file by its extension: `notes.md`."""
    return any(extension in _TEXT or extension == "pdf" for extension in _NAMED.findall(text.lower()))


def points_at_one(text: str) -> bool:
    """Whether a text that came beside a file is of that: "what does this mean?", "what does the file say?"."""
    return _AT_HAND.search(text) is not None or not OF_FILES.isdisjoint(words(text))


def words(text: str) -> tuple[str, ...]:
    """The words of a name or a question as they are compared: in small letters, without accents and signs."""
    return tuple(trigrams.folded(word) for word in _WORD.findall(text))


def _decoded(data: bytes, encoding: str) -> str | None:
    try:
        return data.decode(encoding)
    except UnicodeDecodeError:
        return None
