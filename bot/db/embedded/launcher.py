"""Turns itself into a Postgres program that ends with its parent: `launcher.py PARENT SIGNAL UID GID PROGRAM …`.

PROGRAM is followed by its arguments. This is a separate program, since a process with threads must not do any of it
between fork and exec. It is started as the parent's user, who can read it, and changes to UID itself (-1: does not).
"""

import ctypes
import os
import sys

_PR_SET_PDEATHSIG = 1


def main() -> None:
    """Drop the user, ask for SIGNAL at the parent's death, become the program."""
    parent, signal, uid, gid = (int(word) for word in sys.argv[1:5])
    os.umask(0o077)
    if uid >= 0:
        os.setgroups([])
        os.setgid(gid)
        os.setuid(uid)
    # After setuid, which clears it.
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, ctypes.c_ulong(signal))
    if os.getppid() != parent:
        sys.exit("The parent died before it could be watched.")
    os.execv(sys.argv[5], sys.argv[5:])  # noqa: S606  the words come from our parent, and no shell reads them


if __name__ == "__main__":
    main()
