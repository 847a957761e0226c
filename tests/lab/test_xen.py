# SPDX-License-Identifier: Apache-2.0
"""A real Xen, on cgroup v2 and v1: limits that are set in dom0 hold in the guest, for each kind of disk, and come back
after what gives a disk new kernel threads. Measured inside the guest and at dom0's block layer."""
import pytest

WANTED = {"write": 1_000_000, "read": 1_500_000}
pytestmark = pytest.mark.parametrize("machine_name", ["xen v2", "xen v1"])


def acts(result, **wanted):
    return all(abs(result["limited"][way] - rate) <= 0.15 * rate for way, rate in wanted.items())


def enforced(result):
    return result["status"] == 0 and result["verdict"]["kind"] == "enforced"


@pytest.mark.parametrize("disk, device", [("xvda", "dm-"), ("xvdb", "loop5"), ("xvdc", "loop")])
def test_a_limit_holds_on_each_kind_of_disk(report, disk, device):
    result = report.one(step="set", disk=disk)
    assert result["device"].startswith(device)
    assert enforced(result) and acts(result, **WANTED), result
    assert result["limited"]["at_block_layer"] < 1.15 * WANTED["write"], result
    assert result["free"] > 4 * WANTED["write"], result


def test_kernel_threads_need_no_adopt(report):
    explained = report.one(step="set", disk="xvda")["explained"]
    assert not explained["engines"]["cgroup"]["needs_adopt"], explained


def test_one_rate_is_changed_and_the_other_stays(report):
    result = report.one(step="change")
    assert enforced(result) and acts(result, write=2 * WANTED["write"], read=WANTED["read"]), result


def test_a_disk_that_is_attached_anew_has_drifted_until_it_is_set_again(report):
    result = report.one(step="attached anew")
    assert result["verdict"]["kind"] == "drifted" and not acts(result, write=WANTED["write"]), result
    result = report.one(step="set again")
    assert enforced(result) and acts(result, **WANTED), result


def test_after_a_reboot_too(report):
    assert report.one(step="rebooted")["verdict"]["kind"] == "drifted"
    result = report.one(step="set after reboot")
    assert enforced(result) and acts(result, write=WANTED["write"]), result


def test_a_qdisk_that_goes_through_the_page_cache_is_not_called_enforced(report):
    result = report.one(step="qdisk")
    assert result["status"] != 0 and result["verdict"] is None, result


def test_a_disk_beside_a_qdisk_is_limited(report):
    result = report.one(step="phy beside a qdisk")
    assert enforced(result) and acts(result, **WANTED), result


def test_nothing_is_left(report):
    result = report.one(step="clear")
    assert result["limits"] == [] and result["left"] == [] and result["write"] > 4 * WANTED["write"], result
