# SPDX-License-Identifier: Apache-2.0
"""Limits on Xen guests, set and measured: for a table. The guest writes with direct I/O; its own clock, and dom0's block layer."""
import pathlib

from domain import Domain, start_xen
from kit import VERSION, main, name_of, penstock, result, say, sh

MB = 1_000_000
CELLS = [("write_bps", MB), ("write_bps", 10 * MB), ("write_bps", 50 * MB), ("write_iops", 100), ("write_iops", 1000)]
DISKS = {"xvda": "phy, LV", "xvdb": "phy, loop with direct I/O", "xvdc": "qdisk, direct-io-safe, LV"}
guest = None


def dom0():
    global guest
    start_xen()
    sh("vgcreate -qq vg /dev/vdb; for n in a b c; do lvcreate -qq -y -Wn -L 64M -n $n vg; done; mkdir -p /srv; "
       "dd if=/dev/zero of=/srv/loop.img bs=1M count=48 status=none; losetup --direct-io=on /dev/loop5 /srv/loop.img")
    guest = Domain("web", "phy:/dev/vg/a,xvda,w", "phy:/dev/loop5,xvdb,w",
                   "format=raw,vdev=xvdc,access=rw,direct-io-safe,backendtype=qdisk,target=/dev/vg/c").start()


def counters(device):
    fields = pathlib.Path(f"/sys/class/block/{name_of(device)}/stat").read_text(encoding="ascii").split()
    return {"write_iops": int(fields[4]), "write_bps": int(fields[6]) * 512}


def written(disk, block_kib, count):
    """Seconds of the guest's clock that so many direct writes take."""
    text = guest.run(f"cut -d' ' -f1 /proc/uptime; dd if=/dev/zero of=/dev/{disk} oflag=direct bs={block_kib}k count={count} 2>/dev/null; "
                     "cut -d' ' -f1 /proc/uptime", 100)
    begin, end = (float(word) for word in text.split())
    return max(end - begin, 0.01)


def measured(disk, field, rate, seconds=6):
    block = 4 if field == "write_iops" else 32  # one request of Xen's ring holds 44 KiB
    count = int(rate * seconds / (1 if field == "write_iops" else block << 10))
    count = min(count, (40 << 10) // block)
    took = written(disk, block, count)
    return count * (1 if field == "write_iops" else block << 10) / took


def cells():
    for disk, kind in DISKS.items():
        free = {"write_bps": measured(disk, "write_bps", 50 * MB), "write_iops": measured(disk, "write_iops", 2000)}
        for field, rate in CELLS:
            done = penstock("set", f"web:{disk}", f"--{field.replace('_', '-')}", rate, "--adopt")
            line = next((each for each in penstock("status").get("limits", []) if each["disk"] == disk), None)
            device = penstock("explain", f"web:{disk}")["chain"]["device"]
            before = counters(f"/dev/{device}")[field]
            mean = measured(disk, field, rate)
            moved = counters(f"/dev/{device}")[field] - before
            penstock("clear", f"web:{disk}")
            facts = {"kind": kind, "version": VERSION, "field": field, "rate": rate, "free": round(free[field]), "measured": round(mean),
                     "error_percent": round((mean / rate - 1) * 100, 1), "device": device, "moved": moved,
                     "verdict": line and line["verdict"]["kind"], "error": done["error"]}
            result(**facts)
            say(facts)


if __name__ == "__main__":
    main(dom0, cells)
