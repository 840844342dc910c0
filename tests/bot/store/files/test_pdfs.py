"""The laws of reading PDFs: what is there is read, and no file takes long, takes much or raises."""

import asyncio
import io
import os
import sys
import zlib
from datetime import timedelta
from pathlib import Path
from typing import Final

import pytest
from pypdf import PdfWriter

from bot.store.files import pdfs, reading_process
from bot.store.files.pdfs import Pdfs
from tests.pdf_files import pdf

ROOT: Final = Path(__file__).parents[4]


async def test_the_text_of_every_page_is_read() -> None:
    """Page after page, line after line."""
    found = await Pdfs().text_of(pdf("The vault is red.\nIt opens at nine.", "The key is under the mat."))
    lines = [line for line in found.splitlines() if line]
    assert ["The vault is red.", "It opens at nine.", "The key is under the mat."] == lines


def locked(data: bytes, password: str) -> bytes:
    """The same PDF, encrypted."""
    writer = PdfWriter(io.BytesIO(data))
    writer.encrypt(password, owner_password="owner", algorithm="RC4-128")
    written = io.BytesIO()
    writer.write(written)
    return written.getvalue()


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"%PDF-1.4",
        b"%PDF-1.4\n%%EOF",
        pdf("The vault is red.")[:300],
        b"nothing of the kind" * 50,
        locked(pdf("The vault is red."), "secret"),
        locked(pdf("The vault is red."), ""),
    ],
    ids=["empty", "head", "hollow", "half", "none", "encrypted", "encrypted for its owner"],
)
async def test_what_is_broken_or_locked_has_no_text(data: bytes) -> None:
    """It is no error: there is nothing to read."""
    assert await Pdfs().text_of(data) == ""


async def test_a_broken_page_costs_that_page_alone() -> None:
    """What stands before and after it is read."""
    good = [zlib.compress(b"BT /F1 12 Tf 72 720 Td (%s) Tj ET" % word) for word in (b"before", b"after")]
    found = await Pdfs().text_of(pdf(contents=[good[0], b"\x00no zlib at all", good[1]]))
    assert ["before", "after"] == found.split()


async def test_no_more_than_two_hundred_pages_are_read() -> None:
    """Of a longer one the first."""
    found = await Pdfs().text_of(pdf(*(f"page{number}" for number in range(203))))
    assert [f"page{number}" for number in range(200)] == found.split()


def zeros(*, megabytes: int) -> bytes:
    """So many of nothing but zeros, folded: one is, and stands there so often (RFC 1950 and 1951)."""
    packer = zlib.compressobj(9, wbits=-zlib.MAX_WBITS)
    one = packer.compress(b"\0" * 2**20) + packer.flush(zlib.Z_FULL_FLUSH)
    adler = (megabytes * 2**20 % 65_521) << 16 | 1
    return b"\x78\xda" + one * megabytes + packer.flush() + adler.to_bytes(4)


async def test_what_unfolds_to_too_much_is_left_folded() -> None:
    """A stream of one megabyte that becomes a thousand is not read; the page beside it is."""
    bomb = zeros(megabytes=1024)
    good = zlib.compress(b"BT /F1 12 Tf 72 720 Td (beside) Tj ET")
    assert len(bomb) < 2**20 + 2**16
    assert zlib.decompress(zeros(megabytes=3)) == bytes(3 * 2**20)
    assert (await Pdfs().text_of(pdf(contents=[bomb, good]))).split() == ["beside"]


async def test_a_reader_that_does_not_end_is_ended(tmp_path: Path) -> None:
    """Its time over, it is killed; what it had written by then counts."""
    endless = tmp_path / "reader.py"
    endless.write_text(
        "import sys\nsys.stdin.buffer.read()\nprint('the first page', flush=True)\nwhile True:\n    pass\n", "utf-8"
    )
    found = await Pdfs(longest=timedelta(seconds=1), reader=endless).text_of(b"%PDF-")
    assert found == "the first page\n"


async def test_a_reader_that_writes_without_end_is_ended(tmp_path: Path) -> None:
    """More than is kept is not taken from it."""
    chatty = tmp_path / "reader.py"
    chatty.write_text("import sys\nsys.stdin.buffer.read()\nwhile True:\n    print('x' * 1000)\n", "utf-8")
    found = await Pdfs(reader=chatty).text_of(b"%PDF-")
    assert pdfs.MOST_CHARACTERS <= len(found) <= 5 * pdfs.MOST_CHARACTERS


async def test_a_reader_knows_no_secret(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing of the environment, where tokens are, reaches the process that reads what a stranger made."""
    monkeypatch.setenv("DISCORD_TOKEN", "secret")
    telling = tmp_path / "reader.py"
    telling.write_text("import os, sys\nsys.stdin.buffer.read()\nprint(sorted(os.environ))\n", "utf-8")
    assert "DISCORD_TOKEN" not in await Pdfs(reader=telling).text_of(b"%PDF-")


async def test_a_reader_ends_with_whoever_asked(tmp_path: Path) -> None:
    """Hathi stops in the middle of a file: no process stays behind."""
    telling = tmp_path / "reader.py"
    began = tmp_path / "began"
    os.mkfifo(began)
    telling.write_text(
        f"import os, sys\nopen({str(began)!r}, 'w').write(str(os.getpid()))\nwhile True:\n    pass\n", "utf-8"
    )
    asked = asyncio.create_task(Pdfs(reader=telling).text_of(b"%PDF-"))
    process = int(await asyncio.to_thread(began.read_text, "utf-8"))
    asked.cancel()
    await asyncio.wait({asked})
    assert (True, False) == (asked.cancelled(), Path(f"/proc/{process}").exists())


_LIMITS: Final = """
import resource, sys
sys.stdin.buffer.read()
print(*(resource.getrlimit(kind)[1] for kind in (resource.RLIMIT_AS, resource.RLIMIT_CPU, resource.RLIMIT_CORE)))
"""


async def test_a_reader_has_its_limits_before_it_has_the_file(tmp_path: Path) -> None:
    """Of memory, of time on the processor, and of what it leaves behind where it fails."""
    telling = tmp_path / "reader.py"
    telling.write_text(_LIMITS, "utf-8")
    assert f"{reading_process.MOST_MEMORY} 16 0" == (await Pdfs(reader=telling).text_of(b"%PDF-")).strip()


async def test_a_reader_takes_no_more_than_hathi_may(tmp_path: Path) -> None:
    """Where whoever runs it allows less, that is what it has; and it reads all the same."""
    telling = tmp_path / "reader.py"
    telling.write_text(_LIMITS, "utf-8")
    limited = (
        "import asyncio, pathlib, resource, sys\nfrom bot.store.files.pdfs import Pdfs\n"
        "resource.setrlimit(resource.RLIMIT_CPU, (5, 5))\n"
        "print(asyncio.run(Pdfs(reader=pathlib.Path(sys.argv[1])).text_of(b'')))\n"
    )
    hathi = await asyncio.create_subprocess_exec(
        sys.executable, "-c", limited, str(telling), stdout=asyncio.subprocess.PIPE, cwd=ROOT
    )
    told, _ = await hathi.communicate()
    assert [str(reading_process.MOST_MEMORY), "5", "0"] == told.decode().split()
