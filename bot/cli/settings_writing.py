"""Writes `hathi.toml` and `.env` for `hathi setup`: our lines in place of the ones before, all others as they are."""

import contextlib
import os
import signal
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from bot import dotenv_file, errors, toml_lines

SECRET: Final = 0o600
_HEAD: Final = "# Settings of Hathi, begun by hathi setup. deploy/hathi.example.toml shows all there are.\n"


@dataclass(frozen=True, slots=True, kw_only=True)
class NewFile:
    """A file as it is to be."""

    path: Path
    text: str
    mode: int
    told: str
    """What changes in it, for people; no values."""


def dotenv(path: Path, values: Mapping[str, str | None], if_there: Mapping[str, str | None]) -> NewFile:
    """The `.env` with these values, some of them only where their names stand there; nobody else may read it.

    A name that stands there and has no value now is emptied.
    """
    text = _read(path)
    known = dotenv_file.read(text).values
    wanted = {name: value or "" for name, value in values.items() if value or known.get(name)}
    wanted |= {name: value or "" for name, value in if_there.items() if known.get(name)}
    told = _changes({name: (known.get(name), value or None) for name, value in wanted.items()})
    return NewFile(path=path, text=dotenv_file.written(text, wanted), mode=SECRET, told=told)


def settings_file(path: Path, values: Mapping[str, str | None]) -> NewFile:
    """The `hathi.toml` with these values at its top; a name without one is taken out.

    Raises `SettingsError` where that can't be done without touching other lines.
    """
    text = _read(path) or _HEAD
    known = toml_lines.top(text)
    try:
        written = toml_lines.with_keys(text, values)
    except ValueError:
        raise errors.SettingsError(f"{path}: take {' and '.join(values)} out of it by hand, then try again.") from None
    told = _changes({name: (known.get(name), value) for name, value in values.items()})
    return NewFile(path=path, text=written, mode=path.stat().st_mode & 0o777 if path.exists() else 0o644, told=told)


def names_model(path: Path) -> bool:
    """Whether the settings file says which model answers, and not the environment or another file."""
    content = toml_lines.top(_read(path))
    roles = content.get("roles")
    return "llm_model" in content or (isinstance(roles, dict) and "reasoning" in roles)


def write(files: Sequence[NewFile]) -> None:
    """All of them or none: what interrupts comes before the first is in place, or after the last."""
    beside: list[tuple[Path, Path]] = []
    try:
        for one in files:
            path = one.path.resolve()
            path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            new = path.with_name(f".{path.name}.{os.getpid()}")
            beside.append((new, path))
            new.touch(mode=one.mode, exist_ok=False)
            new.chmod(one.mode)
            new.write_text(one.text, encoding="utf-8")
        held = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, signal.SIGTERM})
        try:
            for new, path in beside:
                new.replace(path)
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, held)
    except OSError as exc:
        raise errors.SettingsError(f"{exc.filename}: {exc.strerror}; name another folder by --folder.") from exc
    finally:
        for new, _ in beside:
            new.unlink(missing_ok=True)


def _read(path: Path) -> str:
    with contextlib.suppress(FileNotFoundError):
        try:
            return path.read_text(encoding="utf-8")
        except (PermissionError, IsADirectoryError, UnicodeDecodeError) as exc:
            raise errors.SettingsError(f"{path}: can't be read ({type(exc).__name__}).") from exc
    return ""


def _changes(values: Mapping[str, tuple[str | None, str | None]]) -> str:
    """What becomes of each name, by its value before and now."""
    kinds: dict[str, list[str]] = {"added": [], "replaced": [], "taken out": []}
    for name, (before, now) in values.items():
        if now is None:
            kinds["taken out"] += [name] if before else []
        elif before != now:
            kinds["replaced" if before else "added"].append(name)
    said = [f"{', '.join(names)} {kind}" for kind, names in kinds.items() if names]
    return "; ".join(said) or "nothing changes"
