"""Becomes a program under the seccomp filters of deploy/hathi.service: `sandbox.py SYSCALL,… FAMILY,… PROGRAM …`.

A program of its own: the filters stay on whoever takes them, and on all they start.
"""

import ctypes
import errno
import mmap
import os
import sys
from collections.abc import Iterable
from typing import Final

_ALLOW: Final = 0x7FFF0000
_REFUSE: Final = 0x00050000 | errno.EPERM
_EQUAL: Final = 4
_MASKED_EQUAL: Final = 7
_FAMILIES: Final = range(1, 46)
"""AF_UNIX to AF_MCTP, as Linux counts them."""
_UNKNOWN: Final = -1


class _Comparison(ctypes.Structure):
    """`struct scmp_arg_cmp` of seccomp.h."""

    _fields_ = (
        ("arg", ctypes.c_uint),
        ("op", ctypes.c_int),
        ("datum_a", ctypes.c_uint64),
        ("datum_b", ctypes.c_uint64),
    )


Rule = tuple[str, int, list[tuple[int, int, int, int]]]
"""A system call, what becomes of it, and which argument compares how with what."""


def confine(calls: Iterable[str], families: Iterable[int]) -> None:
    """Refuse, for good, every system call not named, memory both writable and executable, and other address families.

    These are what systemd makes of SystemCallFilter=, MemoryDenyWriteExecute= and RestrictAddressFamilies=.
    """
    both = mmap.PROT_WRITE | mmap.PROT_EXEC
    _load(
        _ALLOW,
        [
            ("mmap", _REFUSE, [(2, _MASKED_EQUAL, both, both)]),
            ("mprotect", _REFUSE, [(2, _MASKED_EQUAL, mmap.PROT_EXEC, mmap.PROT_EXEC)]),
            ("pkey_mprotect", _REFUSE, [(2, _MASKED_EQUAL, mmap.PROT_EXEC, mmap.PROT_EXEC)]),
            *(("socket", _REFUSE, [(0, _EQUAL, family, 0)]) for family in sorted({*_FAMILIES} - {*families})),
        ],
    )
    # Last: it refuses to load filters.
    _load(_REFUSE, [(call, _ALLOW, []) for call in calls])


def _load(otherwise: int, rules: Iterable[Rule]) -> None:
    library = ctypes.CDLL("libseccomp.so.2")
    library.seccomp_init.restype = ctypes.c_void_p
    context = ctypes.c_void_p(library.seccomp_init(ctypes.c_uint32(otherwise)))
    for call, action, comparisons in rules:
        number: int = library.seccomp_syscall_resolve_name(call.encode())
        if number <= _UNKNOWN:
            continue  # another architecture's
        array = (_Comparison * len(comparisons))(*(_Comparison(*comparison) for comparison in comparisons))
        failed = library.seccomp_rule_add_array(
            context, ctypes.c_uint32(action), ctypes.c_int(number), ctypes.c_uint(len(comparisons)), array
        )
        assert not failed, (call, os.strerror(-failed))
    failed = library.seccomp_load(context)
    assert not failed, os.strerror(-failed)


if __name__ == "__main__":
    confine(sys.argv[1].split(","), map(int, sys.argv[2].split(",")))
    os.execv(sys.argv[3], sys.argv[3:])
