"""Which process holds a lease, and whether it is certainly gone."""

import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from bot.infra.leases import HERE, Machine, certainly_gone, this_worker

HIDDEN = Path("/nowhere")
"""Where the kernel tells nothing, as where the unit hides it."""


@pytest.fixture
def hidden(tmp_path: Path) -> Machine:
    """Only the processes of /proc are seen, on a host with an id."""
    machine_id = tmp_path / "machine-id"
    machine_id.write_text("0123456789abcdef0123456789abcdef\n", "ascii")
    namespace = str(Path("/proc/self/ns/pid").readlink())
    return Machine(boot_id=HIDDEN, machine_id=machine_id, namespace_of_the_host=namespace)


def _of(pid: int) -> str:
    """The name another process of this machine has in its leases."""
    return f"{HERE.name()}/{pid}/{HERE.started(pid)}"


def _ended() -> int:
    """The id of a process that is no more."""
    process = subprocess.Popen([sys.executable, "-c", ""])
    process.wait()
    return process.pid


def test_a_process_that_runs_is_not_gone() -> None:
    """This very process is not gone, and neither is another that runs."""
    assert [False, False] == [certainly_gone(this_worker()), certainly_gone(_of(os.getppid()))]


def test_a_process_that_ended_is_gone() -> None:
    """Of this machine it is known that a process ended, also where its number was given to another since."""
    machine = HERE.name()

    assert certainly_gone(f"{machine}/{_ended()}/1")
    assert certainly_gone(f"{machine}/{os.getpid()}/1")


def test_a_zombie_is_gone() -> None:
    """A process that ended, and that nobody has asked for its end, does nothing any more."""
    with subprocess.Popen([sys.executable, "-c", "import sys; sys.stdin.read()"], stdin=subprocess.PIPE) as process:
        worker = _of(process.pid)
        before = certainly_gone(worker)
        assert process.stdin is not None
        process.stdin.close()
        os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)
        assert (False, True) == (before, certainly_gone(worker))


def test_of_another_machine_nobody_can_tell() -> None:
    """What runs elsewhere is not gone until its lease has run out; nor is what names itself in no known way."""
    machine = HERE.name()

    names = (f"elsewhere/{_ended()}/1", f"{machine}/x/1", f"{machine}/{10**30}/1", "")
    assert [False] * 4 == [certainly_gone(name) for name in names]


def test_a_hidden_kernel_leaves_the_hosts_id(hidden: Machine) -> None:
    """Where only processes are seen, a host's own are told by its id: one that ended is known to be gone."""
    worker = this_worker(hidden)

    assert "0123456789abcdef" in worker
    assert (False, True) == (certainly_gone(worker, hidden), certainly_gone(f"{hidden.name()}/{_ended()}/1", hidden))


def test_hosts_of_one_name_are_not_one(hidden: Machine) -> None:
    """Processes of two hosts with the same name are not taken for one machine's."""
    one = f"{hidden.name()}/{_ended()}/1"
    hidden.machine_id.write_text("fedcba9876543210fedcba9876543210\n", "ascii")

    assert not certainly_gone(one, hidden)


@pytest.mark.parametrize("content", ["", "uninitialized\n", None])
def test_without_an_id_nobody_can_tell(hidden: Machine, content: str | None) -> None:
    """A host without an id, as an image has none or one that is yet to be made, takes nobody for gone."""
    hidden.machine_id.unlink()
    if content is not None:
        hidden.machine_id.write_text(content, "ascii")

    assert not certainly_gone(f"{hidden.name()}/{_ended()}/1", hidden)


def test_in_a_container_the_id_is_not_enough(hidden: Machine) -> None:
    """An image's id and its first process' number are those of every container made from it: none is taken for gone."""
    container = replace(hidden, namespace_of_the_host="pid:[1]")

    assert not certainly_gone(f"{container.name()}/{_ended()}/1", container)


def test_a_process_of_somebody_else_is_not_gone(monkeypatch: pytest.MonkeyPatch) -> None:
    """A process that may not be looked at, as the unit hides those of other users, is alive for all anybody knows."""

    def kill(_pid: int, _signal: int) -> None:
        raise PermissionError

    worker = _of(os.getppid())
    blind = replace(HERE, processes=HIDDEN)
    seen = certainly_gone(worker, blind)
    monkeypatch.setattr(os, "kill", kill)

    assert [False, False] == [seen, certainly_gone(worker, blind)]
