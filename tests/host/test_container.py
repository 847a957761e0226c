# SPDX-License-Identifier: Apache-2.0
"""Limits on LXC containers, privileged and unprivileged."""
import pytest

from parts import cgroup
from parts.expect import assert_faster, assert_rate
from parts.load import Load
from parts.penstock import REFUSED

pytestmark = pytest.mark.lxc
TEN_MB = 10_000_000


@pytest.fixture(scope="module", params=[False, True], ids=["privileged", "unprivileged"])
def container(parts, request):
    return parts.container(request.param, own_root=True, disks=1)


@pytest.fixture
def root(penstock, container):
    address = penstock.address(container.name, container.root_loop)
    yield address
    penstock.run("clear", address, status=None)


@pytest.fixture
def disk(penstock, container):
    address = penstock.address(container.name, container.loops[0])
    yield address
    penstock.run("clear", address, status=None)


def test_it_is_listed_with_its_root_and_its_disk(penstock, container, root, disk):
    listed = penstock.instance(container.name)
    assert (listed["kind"], listed["main_pid"]) == ("lxc", container.init_pid)
    assert root == f"{container.name}:rootfs"
    assert root != disk


def test_the_root_file_system_is_held_and_freed(penstock, container, root):
    with Load(container, "/file", size=16 << 20):
        penstock.set(root, "--write-bps", "10M")
        assert cgroup.limits(container.cgroup, container.root_loop.number) == {"write_bps": TEN_MB}
        assert_rate(container.root_loop, TEN_MB)
        penstock.set(root, "--write-bps", "20M")
        assert_rate(container.root_loop, 2 * TEN_MB, seconds=5)
        penstock.clear(root)
        assert cgroup.limits(container.cgroup, container.root_loop.number) == {}
        assert_faster(container.root_loop, TEN_MB)


def test_a_passed_through_disk_is_held_in_iops(penstock, container, disk):
    with Load(container, "/dev/xvdb", block=4096):
        penstock.set(disk, "--write-iops", "200")
        assert cgroup.limits(container.cgroup, container.loops[0].number) == {"write_iops": 200}
        assert_rate(container.loops[0], 200, "write_iops")


def test_a_total_is_refused_with_the_reason(penstock, container, root):
    said = penstock.set(root, "--total-bps", "50M", status=REFUSED)
    assert "total" in said.err and "cgroup" in said.err
    assert cgroup.limits(container.cgroup, container.root_loop.number) == {}


def test_native_is_refused_since_lxc_has_no_limiter(penstock, container, root):
    penstock.set(root, "--write-bps", "10M", via="native", status=REFUSED)


def test_it_stays_in_its_own_cgroup(penstock, container, root):
    before = container.cgroup
    penstock.set(root, "--write-bps", "10M")
    penstock.clear(root)
    assert container.cgroup == before and f"lxc.payload.{container.name}" in str(before)
