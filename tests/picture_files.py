"""Pictures made for tests, and what is seen in those that were made of them."""

import base64
import io
from collections.abc import Sequence
from typing import Any

from PIL import Image

RED = (255, 0, 0)
BLUE = (0, 0, 255)


def picture(
    *, colour: Sequence[int] = RED, size: tuple[int, int] = (60, 40), mode: str = "RGB", kind: str = "PNG", **more: Any
) -> bytes:
    """A picture of one colour."""
    return written(Image.new(mode, size, tuple(colour) if len(colour) > 1 else colour[0]), kind, **more)


def written(image: Image.Image, kind: str, **more: Any) -> bytes:
    """The file of a picture."""
    data = io.BytesIO()
    image.save(data, kind, **more)
    return data.getvalue()


def colour_of(jpeg: bytes, at: tuple[float, float] = (0.5, 0.5)) -> str:
    """The colour of a JPEG at a place, as far as it is one of a few."""
    with Image.open(io.BytesIO(jpeg), formats=("JPEG",)) as shown:
        place = (int(shown.width * at[0]), int(shown.height * at[1]))
        found = shown.convert("RGB").getpixel(place)
    assert isinstance(found, tuple)
    near = "".join("+" if part > 215 else "-" if part < 40 else "o" for part in found)
    return {"+--": "red", "--+": "blue", "+++": "white", "---": "black", "ooo": "grey"}.get(near, f"{found}")


def size_of(jpeg: bytes) -> tuple[int, int]:
    """The width and height of a JPEG."""
    with Image.open(io.BytesIO(jpeg), formats=("JPEG",)) as shown:
        return shown.size


def shown_in(request: dict[str, Any]) -> list[bytes]:
    """The pictures that a request to a model shows, in order."""
    parts = [part for said in request["messages"] if isinstance(said["content"], list) for part in said["content"]]
    urls = [part["image_url"]["url"] for part in parts if part["type"] == "image_url"]
    assert all(url.startswith("data:image/jpeg;base64,") for url in urls)
    return [base64.b64decode(url.partition(",")[2], validate=True) for url in urls]
