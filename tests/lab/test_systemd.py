# SPDX-License-Identifier: Apache-2.0
"""systemd as process 1, on cgroup v2: whoever takes a limit away, `status` must not go on saying `enforced`."""
import pytest

INSTANCES = ["hand", "libvirt", "lxc"]
EVENTS = ["after set", "new units", "daemon-reload", "set again", "set-property"]
pytestmark = pytest.mark.parametrize("machine_name", ["systemd v2"])


@pytest.mark.parametrize("instance", INSTANCES)
def test_it_is_set(report, instance):
    done = report.one(event="set", instance=instance)
    assert done["set_status"] == 0, done["error"]
    assert report.one(event="after set", instance=instance)["held"], report


@pytest.mark.parametrize("event", EVENTS)
@pytest.mark.parametrize("instance", INSTANCES)
def test_enforced_is_said_only_while_the_kernel_holds_the_limit(report, event, instance):
    found = report.one(event=event, instance=instance)
    assert found["verdict"], f"status does not name it: {found}"
    assert found["held"] == (found["verdict"]["kind"] == "enforced"), found
    if not found["held"]:
        assert found["status"] == 6, found


@pytest.mark.parametrize("event, instance", [("new units", "hand"), ("new units", "libvirt"), ("new units", "lxc"),
                                             ("daemon-reload", "hand"), ("daemon-reload", "libvirt"), ("daemon-reload", "lxc"),
                                             ("daemon-reload without a domain", "lxc")])
def test_systemd_leaves_it_in_force(report, event, instance):
    assert report.one(event=event, instance=instance)["held"], report


@pytest.mark.parametrize("instance", ["hand", "lxc"])
def test_the_last_scope_takes_the_controller_with_it(report, instance):
    found = report.one(event="daemon-reload without a domain", instance=instance)
    assert found["held"] == (found["verdict"]["kind"] == "enforced"), found


@pytest.mark.parametrize("instance", INSTANCES)
def test_set_brings_it_back(report, instance):
    assert report.one(event="set again", instance=instance)["held"], report


@pytest.mark.parametrize("instance", INSTANCES)
def test_it_is_cleared(report, instance):
    done = report.one(event="clear", instance=instance)
    assert done["clear_status"] == 0, done["error"]
