#!/usr/bin/python3 -B
# SPDX-License-Identifier: Apache-2.0
"""Ways to lower a limit of the block layer while requests are queued, measured side by side.

usage: lower_live.py DEVICE [--ways ladder,direct] [--runs N]   (DEVICE as in /proc/diskstats, a scratch device: it is written to)

Each run: fio writes under the old limit, the limit is lowered one way, fio goes on. Measured from the moment the change
is done: the busiest second against the new limit, and the longest time without any request done. Decides no test.
Needs root, fio, an unused device, and a kernel whose behaviour one wants to know.
"""
import argparse
import os
import subprocess
import time

ROOT = "/sys/fs/cgroup"
V1 = os.path.isdir(f"{ROOT}/blkio")
BASE = f"{ROOT}/blkio" if V1 else ROOT
SLICE = 0.1  # seconds: the kernel hands out a limit's allowance in slices of this length

# kind, old, new, request size
CHANGES = [("bps", 10_000_000, 1_000_000, 65536), ("bps", 10_000_000, 1_000_000, 4096),
           ("bps", 10_000_000, 5_000_000, 65536), ("bps", 10_000_000, 5_000_000, 4096),
           ("iops", 1000, 10, 4096), ("iops", 1000, 10, 65536), ("iops", 100, 50, 4096), ("iops", 100, 50, 65536)]


def write(path, text):
    fd = os.open(path, os.O_WRONLY)
    try:
        os.write(fd, text.encode())
    finally:
        os.close(fd)


class Group:
    """A cgroup with a limit on one device."""

    def __init__(self, name, device):
        self.path = f"{BASE}/{name}"
        self.mm = "%d:%d" % (os.major(os.stat(device).st_rdev), os.minor(os.stat(device).st_rdev))
        os.makedirs(self.path, exist_ok=True)

    def limit(self, **values):  # bps=, iops=: a number, or None for no limit
        if V1:
            for kind, value in values.items():
                write(f"{self.path}/blkio.throttle.write_{kind}_device", f"{self.mm} {value or 0}")
        else:
            write(f"{self.path}/io.max", " ".join([self.mm, *(f"w{k}={v or 'max'}" for k, v in values.items())]))

    def take(self, pids):
        for pid in pids:
            try:
                write(f"{self.path}/cgroup.procs", str(pid))
            except OSError:
                pass

    def pids(self):
        return [int(line) for line in open(f"{self.path}/cgroup.procs")]

    def remove(self):
        for _ in range(100):
            try:
                return os.rmdir(self.path)
            except OSError:
                time.sleep(0.05)


def done(device):
    """Bytes and requests written so far."""
    x = open(f"/sys/block/{device}/stat").read().split()
    return int(x[6]) * 512, int(x[4])


# ---- the ways: each lowers `kind` of the group from old to new, and returns the group that holds the tasks then

def direct(group, kind, old, new):
    group.limit(**{kind: new})
    return group


def halves(group, kind, old, new):
    """Steps by half, each 0.2 s after the one before."""
    while old > new:
        old = max(new, old // 2)
        group.limit(**{kind: old})
        time.sleep(0.2)
    return group


def lifted(group, kind, old, new):
    """No limit for a second, then the new one."""
    group.limit(**{kind: None})
    time.sleep(1)
    group.limit(**{kind: new})
    return group


def eased(group, kind, old, new):
    """The same, but a limit that nobody reaches for 0.15 s before it is lifted: in its time the kernel settles the debt."""
    group.limit(**{kind: {"bps": 10**15, "iops": 10**9}[kind]})
    time.sleep(0.15)
    return lifted(group, kind, old, new)


def gate(group, kind, old, new):
    """The other kind of limit holds everything for one slice, in which the debt is paid at the old rate."""
    other = {"bps": "iops", "iops": "bps"}[kind]
    group.limit(**{other: 2})
    time.sleep(SLICE + 0.012)
    if V1:
        group.limit(**{kind: new})
        group.limit(**{other: None})
    else:
        group.limit(**{kind: new, other: None})
    return group


def next_rung(kind, now, target):
    """The least value that is not below what may be owed 80 ms after `now` was written (70 ms counted)."""
    if kind == "bps":
        return max(target, now * 3 // 10 + 1)
    owed = now // 10 - now * 7 // 100
    if target // 10 >= owed:
        return target
    return max(target, 19 if owed <= 1 else owed * 10)


def ladder(group, kind, old, new):
    """Values that fall by 0.3 at most, each written late in the slice that the one before has started."""
    value, late = old, 0
    group.limit(**{kind: value})
    wrote = time.monotonic()
    while value != new:
        time.sleep(max(0, wrote + 0.080 - time.monotonic()))
        if time.monotonic() > wrote + 0.088:
            late += 1
        else:
            value = next_rung(kind, value, new)
        wrote = time.monotonic()
        group.limit(**{kind: value})
    group.late = late
    return group


def freeze(group, kind, old, new):
    """The tasks are held until the queue has run empty and its slice has ended."""
    ice = group.path if not V1 else f"{ROOT}/freezer/lower"
    if V1:
        os.makedirs(ice, exist_ok=True)
        for pid in group.pids():
            write(f"{ice}/cgroup.procs", str(pid))
    file, on, off = (f"{ice}/freezer.state", "FROZEN", "THAWED") if V1 else (f"{ice}/cgroup.freeze", "1", "0")
    write(file, on)
    before, still = done(group.device), time.monotonic()
    while time.monotonic() - still < 0.25:
        time.sleep(0.01)
        if done(group.device) != before:
            before, still = done(group.device), time.monotonic()
    group.limit(**{kind: new})
    time.sleep(SLICE + 0.02)
    write(file, off)
    return group


def fresh(group, kind, old, new):
    """The tasks move to a cgroup that was made with the new limit; the old one keeps its limit until it is empty."""
    made = Group("lower-new", f"/dev/{group.device}")
    made.device = group.device
    made.limit(**{kind: new})
    made.take(group.pids())
    return made


def levels(group, kind, old, new):
    """v2: the new limit goes to the parent, which has none and so no queue; the old one is lifted a second later."""
    if V1:
        return None
    parent = Group("lower", f"/dev/{group.device}")
    parent.limit(**{kind: new})
    time.sleep(1)
    group.limit(**{kind: None})
    return group


WAYS = {f.__name__: f for f in (direct, halves, lifted, eased, gate, ladder, freeze, fresh, levels)}


def watch(device, seconds):
    samples, end = [(time.monotonic(), *done(device))], time.monotonic() + seconds
    while time.monotonic() < end:
        time.sleep(0.01)
        samples.append((time.monotonic(), *done(device)))
    return samples


def busiest_second(samples, column):
    best, first = 0, 0
    for i, sample in enumerate(samples):
        while sample[0] - samples[first][0] > 1.0:
            first += 1
        best = max(best, sample[column] - samples[first][column])
    return best


def longest_gap(samples):
    """Where this machine itself stood still, for want of a processor, no gap of the device was seen."""
    longest = gap = 0
    for before, after in zip(samples, samples[1:]):
        gap = 0 if after[2] != before[2] else gap + min(after[0] - before[0], 0.1)
        longest = max(longest, gap)
    return longest


def measure(device, way, change, depth):
    kind, old, new, size = change
    top = Group("lower", f"/dev/{device}")
    if not V1:
        for path in (ROOT, top.path):
            write(f"{path}/cgroup.subtree_control", "+io")
    group = Group("lower/tasks" if not V1 else "lower-tasks", f"/dev/{device}")
    group.device = device
    group.limit(**{kind: old})
    fio = subprocess.Popen(["sh", "-c", f"echo $$ > {group.path}/cgroup.procs; exec fio --name=t --filename=/dev/{device} "
                            f"--thread --direct=1 --rw=randwrite --bs={size} --ioengine=libaio --iodepth={depth} --size=64M "
                            "--runtime=60 --time_based --minimal"], stdout=subprocess.DEVNULL)
    holder = group
    try:
        idle, deadline = done(device), time.monotonic() + 20
        while done(device) == idle and time.monotonic() < deadline:
            time.sleep(0.05)
        time.sleep(1)
        start, before = time.monotonic(), done(device)
        holder = WAYS[way](group, kind, old, new)
        took, after = time.monotonic() - start, done(device)
        samples = watch(device, 3)
        column = 1 if kind == "bps" else 2
        return {"took": took, "meanwhile": (after[column - 1] - before[column - 1]) / max(old * took, 1),
                "burst": busiest_second(samples, column) / new, "gap": longest_gap(samples),
                "fair": max(SLICE, (size if kind == "bps" else 1) / new), "late": getattr(holder, "late", 0)}
    finally:
        groups = dict.fromkeys((holder, group, top))
        for each in groups:
            each.limit(bps=None, iops=None)
        fio.kill()
        fio.wait()
        for each in groups:
            each.remove()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("device")
    parser.add_argument("--ways", default=",".join(WAYS))
    parser.add_argument("--runs", type=int, default=1)
    parser.add_argument("--depths", default="1,32")
    parser.add_argument("--changes", default=",".join(str(n) for n in range(len(CHANGES))))
    options = parser.parse_args()
    print(f"Linux {os.uname().release}, cgroup v{1 if V1 else 2}, {options.device}")
    print("way      change                     size depth |  took   I/O meanwhile  busiest second  longest gap (fair)")
    for way in options.ways.split(","):
        if V1 and way == "levels":
            continue
        for number in options.changes.split(","):
            change = CHANGES[int(number)]
            for depth in options.depths.split(","):
                for _ in range(options.runs):
                    r = measure(options.device, way, change, depth)
                    bad = r["burst"] > 1.5 or r["gap"] > 2 * r["fair"] + 0.05
                    print(f"{way:8} {change[0]:4} {change[1]:>8} -> {change[2]:<8} {change[3]:>6} {depth:>3}    | {r['took']:5.2f} s "
                          f"{r['meanwhile']:6.2f} x old    {r['burst']:8.2f} x new   {r['gap']:6.2f} s ({r['fair']:.2f})"
                          f"{'  BAD' if bad else ''}{'  late %d' % r['late'] if r['late'] else ''}", flush=True)


if __name__ == "__main__":
    main()
