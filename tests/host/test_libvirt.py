# SPDX-License-Identifier: Apache-2.0
"""Limits on a libvirt domain: libvirt's own view stays right."""
import pytest

from parts import cgroup
from parts.expect import assert_faster, assert_rate
from parts.load import Load

pytestmark = pytest.mark.libvirt
TEN_MB = 10_000_000


@pytest.fixture(scope="module")
def domain(libvirtd, parts):
    return parts.domain()


@pytest.fixture
def address(penstock, domain):
    yield f"{domain.name}:vda"
    penstock.run("clear", f"{domain.name}:vda", status=None)


def test_it_is_listed_once_and_as_libvirt_s(penstock, domain):
    listed = penstock.instance(domain.name)
    assert (listed["kind"], listed["id"], listed["manager"]) == ("kvm", domain.uuid, "libvirt")
    assert listed["main_pid"] == domain.pid
    assert [disk["target"] for disk in listed["disks"]] == ["vda"]


def test_a_native_limit_is_reached_and_virsh_sees_it(penstock, domain, address):
    with Load(domain, "/dev/vda"):
        penstock.set(address, "--write-bps", "10M", via="native")
        assert domain.blkdeviotune("vda")["write_bytes_sec"] == TEN_MB
        assert_rate(domain.loops[0], TEN_MB)
        penstock.clear(address)
        assert not any(domain.blkdeviotune("vda").values())
        assert_faster(domain.loops[0], TEN_MB)


def test_a_cgroup_limit_is_reached_and_virsh_sees_none(penstock, domain, address):
    with Load(domain, "/dev/vda", block=4096):
        penstock.run("set", address, "--write-iops", "200", "--via", "cgroup")
        assert cgroup.limits(cgroup.of_process(domain.pid), domain.loops[0].number) == {"write_iops": 200}
        assert_rate(domain.loops[0], 200, "write_iops")
        assert not any(domain.blkdeviotune("vda").values())


def test_what_virsh_set_is_seen_and_kept_beside_a_new_field(penstock, domain, address):
    domain.blkdeviotune("vda", "--write-iops-sec", "300")
    assert penstock.json("show", address)["disks"][0]["limits"]["write_iops"] == 300
    penstock.set(address, "--read-bps", "20M", via="native")
    tuned = {key: value for key, value in domain.blkdeviotune("vda").items() if value}
    assert tuned == {"write_iops_sec": 300, "read_bytes_sec": 20_000_000}
    penstock.clear(address)
    domain.blkdeviotune("vda", "--write-iops-sec", "0")
