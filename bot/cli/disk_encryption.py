"""Looks whether a folder lies on an encrypted disk, as far as Linux shows it.

What a provider, a hypervisor or a drive encrypts underneath is not seen: that nothing is seen does not mean that it is
not encrypted.
"""

import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

ENCRYPTING: Final = frozenset({"ecryptfs", "fuse.gocryptfs", "fuse.encfs", "fuse.cryfs", "fuse.securefs"})
"""File systems that encrypt by themselves."""
_OCTAL: Final = re.compile(r"\\([0-7]{3})")


def seen(folder: Path, root: Path = Path("/")) -> str:
    """What encrypts the folder's disk, in words; empty where nothing is seen that does.

    `root` is where `proc` and `sys` are.
    """
    for parent in (folder, *folder.parents):
        # What does not exist yet will lie where its first parent does that exists.
        if parent.exists():
            folder = parent.resolve()
            break
    mount = _mount_of(folder, root)
    if mount is None:
        return ""
    device, kind, source = mount
    if kind in ENCRYPTING:
        return f"an encrypting file system ({kind.removeprefix('fuse.')})"
    return next((f"an encrypted disk (dm-crypt, {name})" for name in _crypts(device, source, root)), "")


def _mount_of(folder: Path, root: Path) -> tuple[str, str, str] | None:
    """The device, type and source of the mount a folder lies in, as proc(5) tells it in mountinfo."""
    try:
        lines = (root / "proc/self/mountinfo").read_text("utf-8", errors="replace").splitlines()
    except OSError:
        return None
    best, found = -1, None
    for line in lines:
        fields, _, more = line.partition(" - ")
        parts, kinds = fields.split(" "), more.split(" ")
        if len(parts) < 5 or len(kinds) < 2:
            continue
        point = Path(_OCTAL.sub(lambda code: chr(int(code[1], 8)), parts[4]))
        # The later of two mounts at one point hides the earlier.
        if folder.is_relative_to(point) and len(point.parts) >= best:
            best, found = len(point.parts), (parts[2], kinds[0], kinds[1])
    return found


def _crypts(device: str, source: str, root: Path) -> Iterator[str]:
    """The names of the encrypted devices among those a mount rests on, from the top down."""
    block = root / "sys/dev/block" / device
    if not block.exists() and source.startswith("/dev/"):
        # Of some file systems (btrfs) the mount has a number of its own, and only its source tells the device.
        name = os.path.realpath(root / source.lstrip("/")).rpartition("/")[2]
        block = root / "sys/class/block" / name
    yield from _below(block, 0)


def _below(block: Path, depth: int) -> Iterator[str]:
    try:
        uuid = (block / "dm/uuid").read_text("ascii").strip()
        name = (block / "dm/name").read_text("utf-8").strip()
    except OSError:
        uuid = name = ""
    if uuid.startswith("CRYPT-"):
        yield name
    if depth < 8 and (block / "slaves").is_dir():
        for each in sorted((block / "slaves").iterdir()):
            yield from _below(each, depth + 1)
