# SPDX-License-Identifier: Apache-2.0
"""Xen guests with disks of every kind: limits are set in dom0, and measured in the guest and at dom0's block layer."""
import pathlib
import time

from domain import Domain, start_xen
from kit import VERSION, main, penstock, result, run, say, sh, written

WRITE, READ = 1_000_000, 1_500_000  # bytes per second
phy = qdisk = None


def dom0():
    start_xen()
    sh("vgcreate -qq vg /dev/vdb; for n in a b; do lvcreate -qq -y -Wn -L 48M -n $n vg; done; mkdir -p /srv; "
       "for n in loop file qdisk; do dd if=/dev/zero of=/srv/$n.img bs=1M count=32 status=none; done; sync; "
       "losetup /dev/loop5 /srv/loop.img")


def start():
    global phy, qdisk
    phy = Domain("web", "phy:/dev/vg/a,xvda,w", "phy:/dev/loop5,xvdb,w", "file:/srv/file.img,xvdc,w").start()
    qdisk = Domain("db", "phy:/dev/vg/b,xvda,w",
                   "format=raw,vdev=xvdb,access=rw,backendtype=qdisk,target=/srv/qdisk.img").start()


def device_of(domain, disk):
    listed = next(each for each in penstock("list")["instances"] if each["name"] == domain.name)
    return next(each["device"] for each in listed["disks"] if each["target"] == disk)


def verdict_of(domain, disk):
    for line in penstock("status").get("limits", []):
        if (line["name"], line["disk"]) == (domain.name, disk):
            return line["verdict"]
    return None


def measured(domain, disk, mib=2):
    """What the guest gets, and what dom0's block layer has written meanwhile."""
    device = pathlib.Path("/dev") / device_of(domain, disk)
    before, start_time = written(device), time.monotonic()
    write = domain.rate(disk, "write", mib)
    at_block_layer = (written(device) - before) / (time.monotonic() - start_time)
    return {"write": write, "read": domain.rate(disk, "read", mib), "at_block_layer": at_block_layer}


def report(step, domain, disk, done, **fields):
    facts = {"step": step, "domain": domain.name, "disk": disk, "version": VERSION, "status": done["status"],
             "error": done["error"], "verdict": verdict_of(domain, disk), **fields}
    result(**facts)
    say(facts)


def every_kind():
    for disk in ("xvda", "xvdb", "xvdc"):
        free = phy.rate(disk, "write", 8)
        done = penstock("set", f"web:{disk}", "--write-bps", WRITE, "--read-bps", READ)
        report("set", phy, disk, done, free=free, device=device_of(phy, disk), limited=measured(phy, disk),
               explained=penstock("explain", f"web:{disk}"))


def change():
    done = penstock("set", "web:xvda", "--write-bps", 2 * WRITE)
    report("change", phy, "xvda", done, limited=measured(phy, "xvda", 4))


def attach_anew():
    run("xl", "block-detach", "web", "xvdb")
    time.sleep(1)
    run("xl", "block-attach", "web", "phy:/dev/loop5", "xvdb", "w")
    time.sleep(3)
    report("attached anew", phy, "xvdb", penstock("status"), limited=measured(phy, "xvdb", 8))
    report("set again", phy, "xvdb", penstock("set", "web:xvdb"), limited=measured(phy, "xvdb"))


def reboot():
    phy.reboot()
    report("rebooted", phy, "xvda", penstock("status"))
    report("set after reboot", phy, "xvda", penstock("set", "web:xvda", "--write-bps", WRITE),
           limited=measured(phy, "xvda"))


def beside_qemu():
    """On version 2 moving a QEMU takes it out of its other limits."""
    asked = penstock("set", "db:xvdb", "--write-bps", WRITE)
    report("qdisk", qdisk, "xvdb", asked, explained=penstock("explain", "db:xvdb"))
    report("phy beside a qdisk", qdisk, "xvda",
           penstock("set", "db:xvda", "--write-bps", WRITE, "--read-bps", READ, "--adopt"),
           limited=measured(qdisk, "xvda"))


def clear():
    for name in ("web", "db"):
        penstock("clear", name)
    left = sh("find /sys/fs/cgroup -path '*penstock*' -name cgroup.procs -printf '%h\\n'").split()
    result(step="clear", version=VERSION, left=left, limits=penstock("status").get("limits"),
           write=phy.rate("xvda", "write", 8))


if __name__ == "__main__":
    main(dom0, start, every_kind, change, attach_anew, reboot, beside_qemu, clear)
