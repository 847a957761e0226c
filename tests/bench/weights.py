#!/usr/bin/python3 -B
# SPDX-License-Identifier: Apache-2.0
"""How near to their weights cgroups come on a saturated device, with several settings of BFQ; then eight writers, two of
them important. The device is a slow one of our own making (slow_disk.py).

Prints tables and writes JSON (build/weights.json). Requests are counted by the kernel for each cgroup, while all writers
run. Decides no test. Needs root, fio, qemu-storage-daemon with FUSE, and a kernel with BFQ.
"""
import argparse
import contextlib
import json
import os
import pathlib
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "host"))

from parts import cgroup
from parts.guest_image import SOURCE
from parts.penstock import Penstock
from parts.workplace import Workplace

from slow_disk import SlowDisk

WARM_UP, COOL_DOWN = 2, 3  # seconds that are not measured: the queue fills, and writers do not end together
SETTINGS = {
    "bfq as it comes": {"scheduler": "bfq"},
    "bfq, 8 slots": {"scheduler": "bfq", "nr_requests": 8, "low_latency": 0},
    "bfq, low_latency=0": {"scheduler": "bfq", "nr_requests": 128, "low_latency": 0},
    "bfq, low_latency=0 slice_idle=20": {"scheduler": "bfq", "nr_requests": 128, "low_latency": 0, "slice_idle": 20},
    "bfq, low_latency=0 strict_guarantees=1": {"scheduler": "bfq", "nr_requests": 128, "low_latency": 0,
                                               "strict_guarantees": 1},
}


class Group(cgroup.OwnCgroup):
    def __init__(self, name, weight):
        super().__init__(name)
        self.weight = weight
        file = "blkio.bfq.weight" if cgroup.version() == 1 else "io.bfq.weight"
        (self.folder / file).write_text(str(weight))

    def served(self, number):
        """Requests that the device has been given in this cgroup's name."""
        if cgroup.version() == 1:
            for line in (self.folder / "blkio.bfq.io_serviced").read_text().splitlines():
                if line.startswith(f"{number} Total "):
                    return int(line.split()[2])
            return 0
        for line in (self.folder / "io.stat").read_text().splitlines():
            if line.startswith(f"{number} "):
                return sum(int(word[5:]) for word in line.split() if word.startswith(("rios=", "wios=")))
        return 0


def writer(disk, group, number, depth, seconds):
    part = (200 << 20) // 8 // 4096 * 4096
    return subprocess.Popen(
        ["fio", "--name=writer", f"--filename={disk.path}", "--rw=randwrite", "--bs=4k", "--direct=1", "--randrepeat=0",
         f"--ioengine={'libaio' if depth > 1 else 'psync'}", f"--iodepth={depth}", "--time_based",
         f"--runtime={seconds}", f"--size={part}", f"--offset={number % 8 * part}"],
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL,
        preexec_fn=lambda: group.join(os.getpid()))


def measure(disk, groups, depth, seconds):
    """Requests a second of each group."""
    writers = [writer(disk, group, number, depth, WARM_UP + seconds + COOL_DOWN) for number, group in enumerate(groups)]
    try:
        time.sleep(WARM_UP)
        start, before = time.monotonic(), [group.served(disk.number) for group in groups]
        time.sleep(seconds)
        took = time.monotonic() - start
        return [(group.served(disk.number) - was) / took for group, was in zip(groups, before)]
    finally:
        for one in writers:
            one.wait()


def settings(disk, place, options, later):
    print(f"\nTwo writers, weights 1000 and 100, {options.iops} requests a second in all: ratio (requests a second)")
    pair = [later.enter_context(Group(f"{place.tag}-pair{weight}", weight)) for weight in (1000, 100)]
    rows = {}
    for title, queue in SETTINGS.items():
        disk.queue(scheduler="none")  # BFQ forgets what the row before has set
        disk.queue(**queue)
        rows[title] = {depth: [measure(disk, pair, depth, options.seconds) for _ in range(options.rounds)]
                       for depth in (1, 16)}
        cells = [" ".join(f"{fast / max(slow, 0.1):6.2f}" for fast, slow in runs) for runs in rows[title].values()]
        print(f"  {title:42} depth 1: {cells[0]}   depth 16: {cells[1]}", flush=True)
    return rows


def eight(disk, place, penstock, options, later):
    disk.queue(scheduler="mq-deadline")
    penstock.run("doctor", "--fix", disk.path)
    weights = [1000] * 2 + [100] * 6
    groups = [later.enter_context(Group(f"{place.tag}-guest{n}", weight)) for n, weight in enumerate(weights)]
    rates = measure(disk, groups, 4, options.seconds * 2)
    penstock.run("doctor", "--undo", disk.path)
    print(f"\nEight writers at depth 4 after 'penstock doctor --fix', {sum(rates):.0f} requests a second in all")
    print(f"  {'weight':>8}{'requests/s':>12}{'share %':>10}{'by weight %':>13}")
    for weight, rate in zip(weights, rates):
        print(f"  {weight:8}{rate:12.1f}{100 * rate / sum(rates):10.1f}{100 * weight / sum(weights):13.1f}")
    return [{"weight": weight, "requests_per_second": rate, "share": rate / sum(rates),
             "by_weight": weight / sum(weights)} for weight, rate in zip(weights, rates)]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--iops", type=int, default=250, help="what the device does in a second")
    parser.add_argument("--seconds", type=int, default=8)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--only", choices=["settings", "eight"])
    parser.add_argument("--out", type=pathlib.Path, default=SOURCE / "build" / "weights.json")
    options = parser.parse_args()
    results = {"kernel": os.uname().release, "load": os.getloadavg(), "iops": options.iops}
    with contextlib.ExitStack() as later:
        place = Workplace()
        later.callback(place.remove)
        disk = SlowDisk(place.folder, options.iops)
        later.callback(disk.remove)
        if options.only != "eight":
            results["settings"] = settings(disk, place, options, later)
        if options.only != "settings":
            results["eight"] = eight(disk, place, Penstock(place.folder), options, later)
    options.out.parent.mkdir(exist_ok=True)
    options.out.write_text(json.dumps(results, indent=1) + "\n")
    print(f"\nWritten to {options.out}")


if __name__ == "__main__":
    main()
