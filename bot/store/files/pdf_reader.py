"""Reads a PDF's text in a process of its own: `pdf_reader.py PAGES CHARACTERS`, stdin to stdout, page by page.

A program for `reading_process`, which limits what it may take; it imports nothing of Hathi.
"""

import itertools
import logging
import sys
from io import BytesIO

import pypdf
from pypdf import Configuration, PdfReader

_UNFOLDED = 16 * 2**20
"""Bytes that one stream of the file may become; the pages of a book are far less."""


def main() -> None:
    """Write the text of the first pages; nothing where the file is no PDF, broken, or locked."""
    pages, characters = (int(word) for word in sys.argv[1:3])
    logging.disable()
    pypdf.overwrite_configuration(_configuration())
    reader = PdfReader(BytesIO(sys.stdin.buffer.read()))
    if reader.is_encrypted:
        return
    written = 0
    for page in itertools.islice(reader.pages, pages):
        try:
            text = page.extract_text()
        except Exception:  # noqa: BLE001, S112 - one page may be broken in any way, and the next be whole
            continue
        sys.stdout.buffer.write(f"{text}\n\n".encode("utf-8", "replace"))
        sys.stdout.buffer.flush()
        written += len(text)
        if written >= characters:
            return


def _configuration() -> Configuration:
    return Configuration(
        array_based_stream_maximum_output_length=_UNFOLDED,
        lzw_maximum_output_length=_UNFOLDED,
        run_length_maximum_output_length=_UNFOLDED,
        zlib_maximum_output_length=_UNFOLDED,
        brotli_maximum_output_length=_UNFOLDED,
        jbig2dec_binary=None,
    )


if __name__ == "__main__":
    main()
