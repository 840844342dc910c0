"""The laws of looking at a disk: only what Linux shows is said, and nothing it shows is missed."""

from pathlib import Path
from typing import Final

import pytest

from bot.cli import disk_encryption

CRYPT: Final = "CRYPT-LUKS2-0123456789abcdef-home"
VOLUME: Final = "LVM-0123456789abcdef"


def _machine(root: Path, mounts: str, disks: dict[str, tuple[str, list[str]]], numbers: dict[str, str]) -> Path:
    """A machine's proc and sys: disks by name with what the device mapper says of them and what they rest on."""
    (root / "proc/self").mkdir(parents=True)
    (root / "proc/self/mountinfo").write_text(mounts, "utf-8")
    (root / "sys/dev/block").mkdir(parents=True)
    for name, (uuid, below) in disks.items():
        block = root / "sys/class/block" / name
        (block / "slaves").mkdir(parents=True)
        if uuid:
            (block / "dm").mkdir()
            (block / "dm/uuid").write_text(f"{uuid}\n", "ascii")
            (block / "dm/name").write_text("home\n", "ascii")
        for each in below:
            (block / "slaves" / each).symlink_to(root / "sys/class/block" / each)
    for number, name in numbers.items():
        (root / "sys/dev/block" / number).symlink_to(root / "sys/class/block" / name)
    return root


PLAIN: Final = "22 1 8:1 / / rw - ext4 /dev/sda1 rw\n"


@pytest.mark.parametrize(
    ("mounts", "disks", "numbers", "expected"),
    [
        pytest.param(PLAIN, {"sda1": ("", [])}, {"8:1": "sda1"}, "", id="plain"),
        pytest.param("", {}, {}, "", id="nothing told"),
        pytest.param(
            f"{PLAIN}30 22 253:0 / /srv rw shared:1 - ext4 /dev/mapper/home rw\n",
            {"sda1": ("", []), "dm-0": (CRYPT, ["sda1"])},
            {"8:1": "sda1", "253:0": "dm-0"},
            "dm-crypt, home",
            id="encrypted",
        ),
        pytest.param(
            f"{PLAIN}30 22 253:1 / /srv rw - xfs /dev/mapper/volume rw\n",
            {"sda1": ("", []), "dm-0": (CRYPT, ["sda1"]), "dm-1": (VOLUME, ["dm-0"])},
            {"8:1": "sda1", "253:1": "dm-1"},
            "dm-crypt, home",
            id="a volume on an encrypted disk",
        ),
        pytest.param(
            f"{PLAIN}30 22 253:0 / /srv/other rw - ext4 /dev/mapper/home rw\n",
            {"sda1": ("", []), "dm-0": (CRYPT, [])},
            {"8:1": "sda1", "253:0": "dm-0"},
            "",
            id="another folder is",
        ),
        pytest.param(
            f"{PLAIN}30 22 0:31 / /srv rw - btrfs /dev/dm-0 rw\n",
            {"sda1": ("", []), "dm-0": (CRYPT, [])},
            {"8:1": "sda1"},
            "dm-crypt, home",
            id="told by its source",
        ),
        pytest.param(f"{PLAIN}30 22 0:40 / /srv rw - fuse.gocryptfs x rw\n", {}, {}, "gocryptfs", id="file system"),
    ],
)
def test_what_is_seen_is_said(
    tmp_path: Path, mounts: str, disks: dict[str, tuple[str, list[str]]], numbers: dict[str, str], expected: str
) -> None:
    """An encrypted disk under the folder, directly or below a volume; not one under another folder."""
    root = _machine(tmp_path, mounts, disks, numbers)
    found = disk_encryption.seen(Path("/srv/hathi/data"), root)
    assert (bool(expected), True) == (bool(found), expected in found)


def test_a_blank_in_the_name_of_a_mount_is_read(tmp_path: Path) -> None:
    """Linux writes it in octal digits."""
    folder = tmp_path / "my data"
    folder.mkdir()
    point = str(folder).replace(" ", "\\040")
    mounts = f"{PLAIN}30 22 253:0 / {point} rw - ext4 /dev/mapper/home rw\n"
    root = _machine(tmp_path / "machine", mounts, {"dm-0": (CRYPT, [])}, {"253:0": "dm-0"})
    assert "home" in disk_encryption.seen(folder / "new", root)
