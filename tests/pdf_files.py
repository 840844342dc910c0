"""PDFs as small as they can be, made by hand for tests."""

import zlib
from collections.abc import Sequence


def pdf(*pages: str, contents: Sequence[bytes] | None = None, more: bytes = b"") -> bytes:
    """A PDF whose pages say this, a line a line; or have these streams as their contents, unfolded by zlib."""
    streams = contents or [zlib.compress(_drawn(page)) for page in pages]
    kids = b" ".join(b"%d 0 R" % (4 + 2 * number) for number in range(len(streams)))
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [%s] /Count %d >>" % (kids, len(streams)),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ]
    for number, stream in enumerate(streams):
        objects += [
            b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents %d 0 R "
            b"/Resources << /Font << /F1 3 0 R >> >> >>" % (5 + 2 * number),
            b"<< /Length %d /Filter /FlateDecode >>\nstream\n%s\nendstream" % (len(stream), stream),
        ]
    return _file(objects, more)


def _drawn(page: str) -> bytes:
    lines = [line.encode("latin-1").replace(b"(", b"\\(").replace(b")", b"\\)") for line in page.splitlines()]
    return b"BT /F1 12 Tf 14 TL 72 720 Td " + b" ".join(b"(%s) Tj T*" % line for line in lines) + b" ET"


def _file(objects: Sequence[bytes], more: bytes) -> bytes:
    written, places = bytearray(b"%PDF-1.4\n"), list[int]()
    for number, body in enumerate(objects, 1):
        places.append(len(written))
        written += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    start = len(written)
    written += b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    written += b"".join(b"%010d 00000 n \n" % place for place in places)
    written += b"trailer\n<< /Size %d /Root 1 0 R %s >>\nstartxref\n%d\n%%%%EOF\n" % (len(objects) + 1, more, start)
    return bytes(written)
