# SPDX-License-Identifier: Apache-2.0
"""`penstock release` before a disk is removed: the kernel survives it, and the journal stays right."""
import pytest

pytestmark = pytest.mark.parametrize("machine_name", ["release v2", "release v1"])


def lifted(answer):
    return sorted((cgroup["cgroup"] == "/other", cgroup["lifted"]) for cgroup in answer["cgroups"])


def test_what_others_have_set_is_named_and_left_without_all(report):
    found = report.one(event="release")
    for answer in found["dry_run"], found["ours"]:
        assert lifted(answer) == [(False, True), (True, False)]
        assert answer["status"] == 6
    assert found["ours"]["cgroups"][0]["limits"]["write_bps"] == 200_000
    assert [cgroup["disks"] for cgroup in found["ours"]["cgroups"] if cgroup["lifted"]] == [["lxc/c1:disk"]]


def test_with_all_nothing_is_left(report):
    found = report.one(event="release")["rest"]
    assert lifted(found) == [(True, True)]
    assert found["status"] == 0


def test_the_disk_can_be_removed(report):
    assert report.one(event="removed")["took"] < 5


def test_the_limit_is_called_drifted_and_can_be_cleared(report):
    found = report.one(event="removed")
    assert found["verdict"]["kind"] == "drifted"
    assert found["status"] == 6
    assert found["cleared"] == 0, found["error"]
    assert found["left"] == []
