"""Runs a sentence model in a process of its own: `sentence_model.py FOLDER`, a line of JSON in, a line of JSON out.

A separate program: a model takes a core for milliseconds and a hundred megabytes, and a fault in native code stops this
process and not Hathi. It imports nothing of Hathi. It ends with its standard input, which is closed when Hathi ends,
however Hathi does. The first line out is `{"model": SHA-256, "files": {NAME: SHA-256}}`, or says what hinders:
`{"error": WHY}`, with the files where there are any, or `{"lacks": LIBRARY}`. Then a text is answered by its vector, or
by `null` where it has none.
"""

import hashlib
import json
import os
import resource
import sys
from collections.abc import Callable
from pathlib import Path

MOST_TOKENS = 256
"""Of a text; what the small sentence models are made for."""
_INPUTS = {"input_ids", "attention_mask", "token_type_ids"}

Encode = Callable[[str], list[float] | None]


class Unusable(Exception):
    """The folder holds no model that can be used; the message says why."""


def main() -> None:
    """Answer until the input ends."""
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    # What libraries print must not stand between the answers.
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)

    def say(answer: dict[str, object] | list[float] | None) -> None:
        answers.write(json.dumps(answer) + "\n")
        answers.flush()

    folder, files = Path(sys.argv[1]), dict[str, str]()
    try:
        files = digests(folder)
        encode = opened(folder)
        say({"model": fingerprint(files), "files": files})
    except ImportError as exc:
        say({"lacks": exc.name or "a library"})
        return
    except (Unusable, OSError) as exc:
        say({"error": str(exc), "files": files})
        return
    for line in sys.stdin.buffer:
        say(encode(json.loads(line)))


def opened(folder: Path) -> Encode:
    """The model of a folder, ready to be asked. Raises `Unusable`, `OSError` and `ImportError`."""
    import numpy as np
    import onnxruntime
    from tokenizers import Tokenizer

    options = onnxruntime.SessionOptions()
    # One core: the others are Hathi's, and Postgres's.
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    weights = _weights(folder)
    try:
        session = onnxruntime.InferenceSession(str(weights), options, providers=["CPUExecutionProvider"])
        tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    except Exception as exc:  # the libraries have no common error for a broken file
        raise Unusable(f"the model in {folder} can't be read: {_first_line(exc)}") from exc
    wanted = [given.name for given in session.get_inputs()]
    if not {"input_ids"} <= set(wanted) <= _INPUTS:
        raise Unusable(f"the model in {folder} is no sentence model: it takes {', '.join(wanted)}")
    tokenizer.no_padding()
    tokenizer.enable_truncation(MOST_TOKENS)

    def encode(text: str) -> list[float] | None:
        # One text a call: the vectors of a quantised model depend on the texts beside them, and so would a ranking.
        ids = np.array([tokenizer.encode(text).ids], np.int64)
        given = {"input_ids": ids, "attention_mask": np.ones_like(ids), "token_type_ids": np.zeros_like(ids)}
        (first, *_) = session.run(None, {name: given[name] for name in wanted})
        hidden = np.asarray(first)[0]
        # The mean over the tokens, unless the model ends with a vector of the whole.
        vector = hidden.mean(0) if hidden.ndim > 1 else hidden
        length = np.linalg.norm(vector)
        return (vector / length).tolist() if np.isfinite(length) and length > 0 else None

    return encode


def digests(folder: Path) -> dict[str, str]:
    """The SHA-256 of the model's two files by their names. Raises `Unusable` and `OSError`."""
    found: dict[str, str] = {}
    for file in (_weights(folder), folder / "tokenizer.json"):
        with file.open("rb") as content:
            found[file.name] = hashlib.file_digest(content, "sha256").hexdigest()
    return found


def fingerprint(files: dict[str, str]) -> str:
    """What tells this model from every other."""
    return hashlib.sha256(b"".join(map(bytes.fromhex, files.values()))).hexdigest()


def _weights(folder: Path) -> Path:
    found = sorted(file for file in folder.iterdir() if file.suffix == ".onnx")
    if len(found) != 1:
        raise Unusable(f"{folder} must hold one .onnx file beside tokenizer.json, and holds {len(found)}")
    if not (folder / "tokenizer.json").is_file():
        raise Unusable(f"{folder} must hold tokenizer.json beside {found[0].name}")
    return found[0]


def _first_line(exc: Exception) -> str:
    return (str(exc).splitlines() or [type(exc).__name__])[0][:200]


if __name__ == "__main__":
    main()
