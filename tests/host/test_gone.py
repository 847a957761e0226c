# SPDX-License-Identifier: Apache-2.0
"""What dies between one call and the next, and what must not be left behind."""
import os
import signal
import subprocess
import time

import pytest

from parts import cgroup
from parts.penstock import GONE, NO_SUCH


def remains():
    """The cgroups that penstock made and that are still there."""
    folder = cgroup.root() / "penstock"
    return sorted(str(entry.relative_to(folder)) for entry in folder.rglob("*") if entry.is_dir()) \
        if folder.exists() else []


@pytest.mark.qemu
def test_a_guest_killed_after_it_was_listed(penstock, parts):
    before = remains()
    guest = parts.qemu(disks=1, boot=False, extra=("-S",))
    address = penstock.address(guest.name, guest.loops[0])
    guest.kill()
    penstock.set(address, "--write-bps", "10M", status=NO_SUCH)
    assert remains() == before


@pytest.mark.qemu
def test_a_guest_killed_while_it_is_limited(penstock, parts):
    before = remains()
    guest = parts.qemu(disks=1, boot=False, extra=("-S",))
    address = penstock.address(guest.name, guest.loops[0])
    penstock.set(address, "--write-bps", "10M", via="cgroup")
    guest.kill()
    result = penstock.clear(address, status=None)
    assert result.status in (0, GONE), str(result)
    assert remains() == before


@pytest.mark.qemu
def test_a_stopped_guest_killed_in_the_middle_of_set(penstock, parts):
    """QEMU is frozen, so that set waits for its monitor, and then killed."""
    before = remains()
    guest = parts.qemu(disks=1, boot=False, extra=("-S",))
    address = penstock.address(guest.name, guest.loops[0])
    os.kill(guest.pid, signal.SIGSTOP)
    running = subprocess.Popen([penstock.program, "--run-dir", penstock.run_dir, "set", address, "--write-bps",
                                "10M", "--via", "native"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    time.sleep(0.2)
    guest.kill()
    said, _ = running.communicate(timeout=10)
    assert running.returncode == GONE, said
    assert remains() == before


@pytest.mark.lxc
def test_a_container_killed_after_it_was_listed(penstock, parts):
    before = remains()
    container = parts.container(own_root=True)
    address = penstock.address(container.name, container.root_loop)
    container.kill()
    result = penstock.set(address, "--write-bps", "10M", status=None)
    assert result.status in (NO_SUCH, GONE), str(result)
    assert remains() == before
