# SPDX-License-Identifier: Apache-2.0
"""What dies between one call and the next, and what must not be left behind."""
import subprocess
import time

import pytest

from parts import cgroup
from parts.penstock import GONE, NO_SUCH, OK


def remains():
    """The cgroups that penstock made and that are still there."""
    folder = cgroup.root() / "penstock"
    return sorted(str(entry.relative_to(folder)) for entry in folder.rglob("*") if entry.is_dir()) \
        if folder.exists() else []


@pytest.fixture(scope="module")
def bystander(penstock, parts):
    """A change anywhere sweeps up what instances that ended left: call this to make one."""
    guest = parts.qemu(disks=1, boot=False, extra=("-S",))
    address = f"{guest.name}:vd0"

    def change():
        penstock.set(address, "--write-bps", "10M", via="native")
        penstock.clear(address)
    return change


@pytest.mark.qemu
def test_a_guest_killed_after_it_was_listed(penstock, parts):
    before = remains()
    guest = parts.qemu(disks=1, boot=False, extra=("-S",))
    address = penstock.address(guest.name, guest.loops[0])
    guest.kill()
    penstock.set(address, "--write-bps", "10M", status=NO_SUCH)
    assert remains() == before


@pytest.mark.qemu
def test_a_guest_killed_while_it_is_limited(penstock, parts, bystander):
    before = remains()
    guest = parts.qemu(disks=1, boot=False, extra=("-S",))
    address = penstock.address(guest.name, guest.loops[0])
    penstock.set(address, "--write-bps", "10M", via="cgroup")
    guest.kill()
    result = penstock.clear(address, status=None)
    assert result.status in (NO_SUCH, GONE), str(result)
    bystander()
    assert remains() == before


@pytest.mark.qemu
@pytest.mark.parametrize("via", ["cgroup", "native"])
def test_a_guest_killed_at_any_moment_of_set(penstock, parts, bystander, via):
    before = remains()
    for milliseconds in range(0, 16, 2):
        guest = parts.qemu(disks=1, boot=False, extra=("-S",))
        address = penstock.address(guest.name, guest.loops[0])
        adopt = ["--adopt"] if cgroup.version() == 2 else []
        running = subprocess.Popen([penstock.program, "--run-dir", penstock.run_dir, "set", address, "--write-bps", "10M",
                                    "--via", via, *adopt], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        time.sleep(milliseconds / 1000)
        guest.kill()
        said, _ = running.communicate(timeout=10)
        assert running.returncode in (OK, NO_SUCH, GONE), f"killed after {milliseconds} ms: {running.returncode}: {said}"
        if running.returncode == OK:
            bystander()
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
