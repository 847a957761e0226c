# SPDX-License-Identifier: Apache-2.0
"""A stack that changes under a limit: its data moves to another disk while it is written to (pvmove: the map's table is swapped
twice), it grows, and at last it goes and something else gets its number."""
import pathlib

from container import Container
from kit import main, name_of, number, penstock, result, run, say, sh, written

RATE = 1_000_000  # bytes per second
ADDRESS = "c1:disk"
here = {}


def start():
    sh("vgcreate -qq vg /dev/vdb /dev/vdc; lvcreate -qq -y -Wn -L 48M -n lv vg /dev/vdb")
    here["number"] = number("/dev/vg/lv")
    here["container"] = Container("c1", pathlib.Path("/tmp/c1"), {"disk": "/dev/vg/lv"}, {}).start()
    done = penstock("set", ADDRESS, "--write-bps", RATE)
    if done["status"]:
        raise RuntimeError(done["error"])


def below():
    return [link["name"] for link in penstock("explain", ADDRESS)["chain"]["links"]]


def verdict():
    return penstock("status")["limits"][0]["verdict"]


def passes():
    return here["container"].fio("/dev/disk", reads=False)["write"]


def move():
    before, start = passes(), written("/dev/vdc")
    loaded = here["container"].load("/dev/disk")
    run("pvmove", "-qq", "-i", "1", "/dev/vdb", "/dev/vdc", timeout=300)
    during = verdict()
    here["container"].unload(loaded)
    result(event="moved", before=before, copied=written("/dev/vdc") - start, during=during, after=passes(), verdict=verdict(),
           number=number("/dev/vg/lv") == here["number"], layers=below())
    say("moved", before)


def grow():
    run("lvextend", "-qq", "-L", "+48M", "vg/lv", "/dev/vdb")
    result(event="grown", after=passes(), verdict=verdict())


def go():
    run("lvremove", "-qq", "-y", "vg/lv")
    gone = penstock("status")
    run("lvcreate", "-qq", "-y", "-Wn", "-L", "48M", "-n", "other", "vg", "/dev/vdb")
    same = number("/dev/vg/other") == here["number"]
    inherited = penstock("status")
    swept = penstock("gc")
    again = penstock("set", ADDRESS, "--write-bps", RATE // 2)
    result(event="gone", name=name_of("/dev/vg/other"), same_number=same, gone=gone["limits"][0]["verdict"], gone_status=gone["status"],
           inherited=inherited["limits"][0]["verdict"], swept=swept.get("stale"), left=penstock("status")["limits"], again=again["status"],
           again_error=again["error"], passes=passes())
    here["container"].stop()


if __name__ == "__main__":
    main(start, move, grow, go)
