# SPDX-License-Identifier: Apache-2.0
"""A limit stays with what it was set on, whatever that comes to lie on, and with nothing else."""
import pytest

RATE = 1_000_000
pytestmark = pytest.mark.parametrize("machine_name", ["changes v2", "changes v1"])


def near(measured, wanted):
    return 0.7 * wanted < measured < 1.1 * wanted  # a busy machine can only take away


def test_data_that_moves_to_another_disk_keeps_its_limit(report):
    found = report.one(event="moved")
    assert found["number"], "the map keeps its number"
    assert found["copied"] > 40 << 20, "it has moved"
    assert "vdc" in found["layers"] and "vdb" not in found["layers"]
    assert near(found["before"], RATE) and near(found["after"], RATE), found
    assert found["during"]["kind"] == found["verdict"]["kind"] == "enforced", found


def test_a_map_that_grows_keeps_it(report):
    found = report.one(event="grown")
    assert near(found["after"], RATE) and found["verdict"]["kind"] == "enforced", found


def test_what_gets_the_number_of_a_map_that_is_gone_does_not_inherit_its_limit(report):
    found = report.one(event="gone")
    assert found["same_number"], "else this shows nothing"
    assert found["gone"]["kind"] != "enforced" and found["gone_status"] == 6, found
    assert found["inherited"]["kind"] != "enforced", found
    assert [stale["disk"] for stale in found["swept"]] == ["disk"], found


def test_it_can_be_limited_anew(report):
    found = report.one(event="gone")
    assert found["again"] == 0, found["again_error"]
    assert near(found["passes"], RATE // 2), found
