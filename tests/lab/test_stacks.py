# SPDX-License-Identifier: Apache-2.0
"""Every kind of stack below a container's disk, on cgroup v2 and v1: does the limit land on the right device, does it act,
and does the program say so only where it does? Measured by fio in the container."""
import pytest

STACKS = ["disk", "partition", "nvme", "nvme-multipath", "linear", "thin", "origin", "snapshot", "crypt-on-lv", "lv-on-crypt", "raid0", "raid1",
          "multipath", "bcache", "brd", "null_blk", "zram", "loop", "loop-direct", "loop-on-lv", "ext4", "xfs", "btrfs",
          "btrfs-two", "overlay", "fuse", "nfs"]
WANTED = {"write": 1_000_000, "read": 1_500_000}
pytestmark = pytest.mark.parametrize("machine_name", ["stacks v2", "stacks v1"])


def within(measured, wanted, share=0.1):
    return abs(measured - wanted) <= share * wanted


@pytest.fixture(params=STACKS)
def stack(request, report):
    return report.one(stack=request.param)


def test_the_right_device_is_named(stack):
    assert stack["device"] is None or stack["named"] == stack["device"], stack["chain"]


def test_enforced_is_said_only_of_a_limit_that_acts(stack):
    verdict, limited = stack["verdict"], stack["limited"]
    acts = all(within(limited[way], wanted) for way, wanted in WANTED.items())
    if stack["set_status"] == 0:
        assert verdict and verdict["kind"] == "enforced" and acts, f"{verdict}, measured {limited}, kernel {stack['in_kernel']}"
    else:
        assert not acts and (verdict is None or verdict["kind"] != "enforced"), \
            f"set: {stack['set_error']}, status {verdict}, measured {limited}, kernel {stack['in_kernel']}"


def test_what_the_page_cache_lets_through_is_said(stack):
    """Buffered writes count when they reach the device; where they escape the limit, the verdict must name that."""
    if "buffered" not in stack:
        return
    verdict = stack["verdict"]
    if stack["buffered"] > 1.1 * WANTED["write"] and verdict["kind"] == "enforced":
        assert "page cache" in verdict["reason"], f"{stack['buffered']:.0f} bytes/s passed: {verdict}"


def test_it_is_cleared(stack):
    assert stack["clear_status"] == 0 or stack["set_status"] != 0


MACHINES = [f"{disk}-{via}" for via in ("cgroup", "native") for disk in ("lv", "file", "cached")]


@pytest.mark.parametrize("name", MACHINES)
def test_enforced_is_said_only_of_a_machine_that_is_limited(report, name):
    """`cached`: cache=writeback, where a cgroup's limit acts at best when the host writes back."""
    found = report.one(machine=name)
    assert found["named"] == found["device"], found["chain"]
    verdict = found["verdict"]
    if name == "cached-cgroup":
        assert verdict["kind"] != "enforced" or "page cache" in verdict["reason"], found
    else:
        assert found["set_status"] == 0 and verdict["kind"] == "enforced", found
        assert 0.3 * WANTED["write"] < found["write"] < 1.1 * WANTED["write"], found  # a busy machine can only take away
    assert found["clear_status"] == 0 or found["set_status"] != 0, found
