"""What a reply that rests on a recall is checked for, before anybody sees it."""

import re
from collections.abc import Collection
from typing import Final

_CITED: Final = re.compile(r"\s?[(\[]#(\d{1,18})[)\]]")


def without_invented(text: str, known: Collection[int]) -> str:
    """The text without citations such as `(#12)` of memories that were not put before the model."""
    return _CITED.sub(lambda cited: cited[0] if int(cited[1]) in known else "", text)
