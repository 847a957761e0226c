# SPDX-License-Identifier: Apache-2.0
"""A QEMU whose monitor misbehaves costs nobody else anything. The misbehaving monitors are fakes; the QEMUs are real."""
import json
import socket

import pytest

from parts.fake_qmp import BEHAVIOURS, FakeQmpPeer

pytestmark = pytest.mark.qemu


@pytest.fixture(scope="module")
def good(parts):
    return parts.qemu(disks=1, boot=False, extra=("-S",))


@pytest.mark.parametrize("behaviour", BEHAVIOURS, ids=lambda behaviour: behaviour.__name__)
def test_the_others_are_listed_within_a_second(penstock, parts, good, behaviour):
    bad = parts.qemu(disks=0, boot=False, extra=("-S",))
    with FakeQmpPeer(bad.qmp_path, behaviour):
        result = penstock.run("list", "--json")
        assert result.seconds < 1.0, str(result)
        listed = {one["id"]: one for one in result.json["instances"]}
        assert listed[good.uuid]["disks"], str(result)
        assert listed[bad.uuid]["name"] == bad.name
    bad.stop()


def test_five_that_hang_do_not_add_up(penstock, parts, good):
    bad = [parts.qemu(disks=0, boot=False, extra=("-S",)) for _ in range(5)]
    fakes = [FakeQmpPeer(one.qmp_path, BEHAVIOURS[0]) for one in bad]
    try:
        result = penstock.run("list", "--json")
    finally:
        for fake in fakes:
            fake.remove()
    assert result.seconds < 1.0, str(result)
    assert {one.uuid for one in [good, *bad]} <= {one["id"] for one in result.json["instances"]}
    for one in bad:
        one.stop()


def test_a_socket_that_another_client_holds_is_said_so(penstock, parts):
    guest = parts.qemu(disks=1, boot=False, extra=("-S",))
    with socket.socket(socket.AF_UNIX) as holder:
        holder.connect(str(guest.qmp_path))
        result = penstock.run("list", "--json")
        assert result.seconds < 1.0
        listed = next(one for one in result.json["instances"] if one["id"] == guest.uuid)
        assert "another client" in json.dumps(listed), json.dumps(listed, indent=1)
