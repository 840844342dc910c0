"""Makes a small JPEG of a picture, in a process of its own: `picture_reader.py PIXELS SIDE AREA`, stdin to stdout.

A program for `reading_process`, which limits what it may take; it imports nothing of Hathi. The JPEG stands behind a
line with its width, its height and its length, and has nothing of the file but what is to be seen: neither where and
when a picture was taken, nor by what.
"""

import io
import math
import sys
import warnings

from PIL import Image, ImageOps

_FORMATS = ("PNG", "JPEG", "WEBP", "GIF")
_QUALITY = 85


def main() -> None:
    """Write the picture, of a moving one the first; nothing where the file is none, is broken, or is too large."""
    Image.MAX_IMAGE_PIXELS, side, area = (int(word) for word in sys.argv[1:4])
    warnings.simplefilter("error", Image.DecompressionBombWarning)
    with Image.open(io.BytesIO(sys.stdin.buffer.read()), formats=_FORMATS) as opened:
        flat = _flat(opened, side, area)
    written = io.BytesIO()
    flat.save(written, "JPEG", quality=_QUALITY)
    sys.stdout.buffer.write(f"{flat.width} {flat.height} {written.tell()}\n".encode() + written.getvalue())


def _flat(picture: Image.Image, side: int, area: int) -> Image.Image:
    """The picture upright and opaque, within a side and an area; made anew, so that nothing comes along with it."""
    width, height = picture.size
    share = min(1.0, side / max(width, height), math.sqrt(area / (width * height)))
    if picture.mode.startswith("I"):
        # Grey in sixteen bits.
        picture = picture.point(lambda grey: grey * (1 / 256)).convert("L")
    if picture.mode not in {"L", "RGB", "RGBA", "CMYK"}:
        # Of what has a palette no two colours can be mixed.
        picture = picture.convert("RGBA")
    picture.thumbnail((max(1, int(width * share)), max(1, int(height * share))))
    ImageOps.exif_transpose(picture, in_place=True)
    seen = picture.convert("RGBA")
    flat = Image.new("RGB", seen.size, "white")
    flat.paste(seen, mask=seen)
    return flat


if __name__ == "__main__":
    main()
