"""The laws of pictures: made small, upright and bare, in a process of its own, whatever they come as."""

import io
from datetime import timedelta
from pathlib import Path
from typing import Final

import pytest
from PIL import Image

from bot.store.files import pictures
from bot.store.files.pictures import Pictures
from tests.picture_files import BLUE, RED, colour_of, picture, written

AREAS: Final = (1_000_000, 250_000)


def frames(kind: str) -> bytes:
    """A moving picture: red, then blue."""
    first, then = (Image.new("RGB", (60, 40), colour) for colour in (RED, BLUE))
    return written(first, kind, save_all=True, append_images=[then], duration=100)


@pytest.mark.parametrize(
    ("data", "colour"),
    [
        (picture(), "red"),
        (picture(kind="JPEG"), "red"),
        (picture(kind="WEBP"), "red"),
        (picture(kind="GIF"), "red"),
        (frames("GIF"), "red"),
        (frames("WEBP"), "red"),
        (frames("PNG"), "red"),
        (picture(mode="RGBA", colour=(*BLUE, 0)), "white"),
        (picture(mode="L", colour=(128,)), "grey"),
        (picture(mode="LA", colour=(0, 255)), "black"),
        (picture(mode="1", colour=(1,)), "white"),
        (picture(mode="I;16", colour=(32_896,)), "grey"),
        (picture(mode="CMYK", colour=(0, 255, 255, 0), kind="JPEG"), "red"),
        (written(Image.new("RGB", (60, 40), RED).convert("P"), "PNG"), "red"),
    ],
    ids=[
        "PNG",
        "JPEG",
        "WebP",
        "GIF",
        "moving GIF",
        "moving WebP",
        "moving PNG",
        "transparent",
        "grey",
        "grey with transparency",
        "black and white",
        "grey in sixteen bits",
        "for print",
        "with a palette",
    ],
)
async def test_a_picture_is_shown_as_people_see_it(data: bytes, colour: str) -> None:
    """Of one that moves the first; what is transparent is white."""
    made = await Pictures().made_of(data, AREAS)
    assert made is not None
    assert ((60, 40), colour) == ((made.width, made.height), colour_of(made.jpeg))


@pytest.mark.parametrize(
    ("size", "most"),
    [((4000, 3000), (1154, 866)), ((100, 6000), (26, 1560)), ((9000, 1), (1568, 1)), ((800, 600), (800, 600))],
)
async def test_a_picture_is_made_small(size: tuple[int, int], most: tuple[int, int]) -> None:
    """Within a side and an area, in its shape; a small one stays as it is."""
    made = await Pictures().made_of(picture(size=size), AREAS)
    assert made is not None
    with Image.open(io.BytesIO(made.jpeg)) as shown:
        assert (most, most) == ((made.width, made.height), shown.size)


@pytest.mark.parametrize(("among", "size"), [(0, (1154, 866)), (1, (1154, 866)), (2, (577, 433)), (9, (577, 433))])
async def test_a_picture_among_others_is_made_smaller(among: int, size: tuple[int, int]) -> None:
    """Where it has to share the room with them."""
    made = await Pictures().made_of(picture(size=(4000, 3000)), AREAS, among=among)
    assert made is not None
    assert size == (made.width, made.height)


async def test_a_picture_stands_upright() -> None:
    """As whoever took it held the camera; no word of that is needed any more."""
    lying = Image.new("RGB", (80, 40), RED)
    lying.paste(BLUE, (40, 0, 80, 40))
    turned = Image.Exif()
    turned[0x0112] = 6
    made = await Pictures().made_of(written(lying, "JPEG", exif=turned), AREAS)
    assert made is not None
    assert ((40, 80), "red", "blue") == (
        (made.width, made.height),
        colour_of(made.jpeg, (0.5, 0.1)),
        colour_of(made.jpeg, (0.5, 0.9)),
    )


async def test_nothing_comes_along_with_a_picture() -> None:
    """Where it was taken, by what, and what was written beside it stays behind."""
    told = Image.Exif()
    told[0x010F] = "Quillcam"
    told.get_ifd(0x8825)[2] = (48.0, 12.0, 30.0)
    data = written(
        Image.new("RGB", (60, 40), RED), "JPEG", exif=told, comment=b"Quillwort", icc_profile=b"Quillprofile" * 20
    )
    assert data.count(b"Quill") > 20
    made = await Pictures().made_of(data, AREAS)
    assert made is not None
    with Image.open(io.BytesIO(made.jpeg)) as shown:
        assert (0, {}) == (made.jpeg.count(b"Quill"), dict(shown.getexif()))
        assert {"jfif", "jfif_version", "jfif_unit", "jfif_density"} >= set(shown.info)


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\x89PNG",
        b"The vault is red. " * 50,
        b"%PDF-1.4\n%%EOF",
        b"<svg xmlns='http://www.w3.org/2000/svg'/>",
        picture(kind="BMP"),
        picture(kind="TIFF"),
        picture(size=(900, 900), kind="JPEG")[:3000],
        picture()[:60],
        picture(mode="1", colour=(0,), size=(30_000, 30_000)),
        picture(mode="1", colour=(0,), size=(8000, 7000)),
        picture() + b"\0" * pictures.MOST_BYTES,
    ],
    ids=[
        "empty",
        "head",
        "text",
        "PDF",
        "SVG",
        "BMP",
        "TIFF",
        "half a JPEG",
        "half a PNG",
        "bomb",
        "too many pixels",
        "too many bytes",
    ],
)
async def test_what_is_no_picture_or_hostile_is_none(data: bytes) -> None:
    """It is no error, and takes neither long nor much."""
    assert await Pictures().made_of(data, AREAS) is None


@pytest.mark.parametrize(
    "code",
    [
        "print('10 10 900000')",
        "print('nonsense')",
        "print('10 10 4\\nabcd and more')",
        "print('10 10 9', flush=True)\nwhile True:\n    pass",
        "bytearray(2**30)\nprint('10 10 4\\nabc')",
        "raise SystemExit(1)",
    ],
    ids=["cut", "garbage", "more than it says", "endless", "greedy", "failed"],
)
async def test_a_reader_that_goes_wrong_has_seen_nothing(tmp_path: Path, code: str) -> None:
    """Whatever a file made of it."""
    reader = tmp_path / "reader.py"
    reader.write_text(f"import sys\nsys.stdin.buffer.read()\n{code}\n", "utf-8")
    made = await Pictures(longest=timedelta(seconds=1), reader=reader).made_of(picture(), AREAS)
    assert made is None
