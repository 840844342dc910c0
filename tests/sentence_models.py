"""A sentence model of some hundred bytes, made for the tests: each word it knows has a direction, synonyms the same."""

import json
import struct
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final

from bot.config import LocalEmbedderSettings

WORDS: Final = {
    "[UNK]": (0.1, 0.1, 0.1, 0.1),
    "cat": (1, 0, 0, 0),
    "feline": (1, 0, 0, 0),
    "car": (0, 1, 0, 0),
    "automobile": (0, 1, 0, 0),
    "boiler": (0, 0, 1, 0),
    "nothing": (0, 0, 0, 0),
}
DIMENSION: Final = 4
_FLOAT, _INT64, _INTS = 1, 7, 7


def written(folder: Path, *, pooled: bool = False, takes: str = "input_ids") -> Path:
    """A folder with the model: its vectors are of tokens, or `pooled`."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "model.onnx").write_bytes(weights(pooled=pooled, takes=takes))
    (folder / "tokenizer.json").write_text(tokenizer(), encoding="utf-8")
    return folder


def settings(folder: Path) -> LocalEmbedderSettings:
    """The settings of a local embedder with the model there."""
    given = LocalEmbedderSettings.model_validate({"local": True, "path": folder})
    return given.model_copy(update={"folder": folder})


def tokenizer() -> str:
    """A tokenizer that knows these words, and cuts where blanks are; like the real ones it says to pad."""
    made: dict[str, Any] = {
        "version": "1.0",
        "truncation": None,
        "padding": {
            "strategy": {"Fixed": 8},
            "direction": "Right",
            "pad_to_multiple_of": None,
            "pad_id": 0,
            "pad_type_id": 0,
            "pad_token": "[UNK]",
        },
        "added_tokens": [],
        "normalizer": {"type": "Lowercase"},
        "pre_tokenizer": {"type": "Whitespace"},
        "post_processor": None,
        "decoder": None,
        "model": {
            "type": "WordLevel",
            "vocab": {word: place for place, word in enumerate(WORDS)},
            "unk_token": "[UNK]",
        },
    }
    return json.dumps(made)


def weights(*, pooled: bool = False, takes: str = "input_ids") -> bytes:
    """The ONNX file: a row of a table for each token, and if `pooled` their mean."""
    rows = [number for vector in WORDS.values() for number in vector]
    table = (
        _numbers(1, (len(WORDS), DIMENSION))
        + _number(2, _FLOAT)
        + _bytes(8, b"table")
        + _bytes(9, struct.pack(f"<{len(rows)}f", *rows))
    )
    nodes = _bytes(1, _node("Gather", ("table", takes), "hidden"))
    if pooled:
        axes = _bytes(1, b"axes") + _numbers(8, (1,)) + _number(20, _INTS)
        flat = _bytes(1, b"keepdims") + _number(3, 0) + _number(20, 2)
        nodes += _bytes(1, _node("ReduceMean", ("hidden",), "mean") + _bytes(5, axes) + _bytes(5, flat))
    graph = (
        nodes
        + _bytes(2, b"words")
        + _bytes(5, table)
        + _bytes(11, _value(takes, _INT64, ("batch", "tokens")))
        + _bytes(12, _value("mean", _FLOAT, ("batch", "size")) if pooled else _hidden())
    )
    return _number(1, 8) + _bytes(7, graph) + _bytes(8, _bytes(1, b"") + _number(2, 13))


def _hidden() -> bytes:
    return _value("hidden", _FLOAT, ("batch", "tokens", "size"))


def _node(kind: str, inputs: Iterable[str], output: str) -> bytes:
    return b"".join(_bytes(1, name.encode()) for name in inputs) + _bytes(2, output.encode()) + _bytes(4, kind.encode())


def _value(name: str, kind: int, sizes: Iterable[str]) -> bytes:
    shape = b"".join(_bytes(1, _bytes(2, size.encode())) for size in sizes)
    return _bytes(1, name.encode()) + _bytes(2, _bytes(1, _number(1, kind) + _bytes(2, shape)))


# Protocol buffers, as ONNX files are written in them: https://protobuf.dev/programming-guides/encoding/


def _bytes(field: int, content: bytes) -> bytes:
    return _varint(field << 3 | 2) + _varint(len(content)) + content


def _number(field: int, number: int) -> bytes:
    return _varint(field << 3) + _varint(number)


def _numbers(field: int, numbers: Iterable[int]) -> bytes:
    return b"".join(_number(field, number) for number in numbers)


def _varint(number: int) -> bytes:
    low, rest = number & 0x7F, number >> 7
    return bytes([low | 0x80]) + _varint(rest) if rest else bytes([low])
