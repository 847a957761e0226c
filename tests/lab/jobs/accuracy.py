# SPDX-License-Identifier: Apache-2.0
"""How exactly does a limit hold? For each stack, engine, rate, block size and depth: the mean, and the spread over windows of
one second, from the block layer's own counters, while fio in a container, or a QEMU, writes as fast as it may."""
import pathlib
import statistics
import threading
import time

import stacks
from kit import VERSION, main, name_of, penstock, result, say
from qemu import Qemu

MB = 1_000_000
# Field, rate, block in KiB; what the machine can do without KVM: 100 MB/s of 4 KiB and 1000 requests of 1 MiB it cannot.
GRID = [*[("write_bps", rate * MB, block) for rate in (1, 10, 100) for block in (4, 64, 1024) if (rate, block) != (100, 4)],
        *[("write_iops", rate, block) for rate in (10, 100, 1000) for block in (4, 64, 1024) if (rate, block) != (1000, 1024)]]
SOME = [("write_bps", MB, 64, 1), ("write_bps", 10 * MB, 64, 32), ("write_iops", 100, 4, 1), ("write_iops", 100, 4, 32)]
ALL = [(*cell, depth) for cell in GRID for depth in (1, 32)]
WHOLE = ("null_blk",)  # the stacks that get the whole grid


def counters(device):
    """Requests and bytes that have been written to it; requests as they came, before the queue merged any."""
    fields = pathlib.Path(f"/sys/class/block/{name_of(device)}/stat").read_text(encoding="ascii").split()
    return {"write_iops": int(fields[4]) + int(fields[5]), "write_bps": int(fields[6]) * 512}


def changes(device, field, seconds):
    """[(time, value)] of each change that is seen."""
    seen, end = [(time.monotonic(), counters(device)[field])], time.monotonic() + seconds
    while time.monotonic() < end:
        time.sleep(0.005)
        value = counters(device)[field]
        if value != seen[-1][1]:
            seen.append((time.monotonic(), value))
    return seen[1:]


def evaluate(seen, per_request):
    """The mean from the first change to the last, and the coefficient of variation over windows of one second in percent, where
    they hold ten requests or more."""
    (start, first), (end, last) = seen[0], seen[-1]
    mean = (last - first) / (end - start)
    if mean < 10 * per_request or end - start < 2:
        return mean, None
    at = [max(value for when, value in seen if when <= start + second) for second in range(int(end - start) + 1)]
    return mean, statistics.pstdev(b - a for a, b in zip(at, at[1:])) / mean * 100


def cell(stack, engine, address, device, load, field, rate, block, depth, *options):
    """`load(block, depth)` is a context in which as much is written as may be."""
    done = penstock("set", address, f"--{field.replace('_', '-')}", rate, *options)
    line = next((each for each in penstock("status").get("limits", []) if each["disk"] == address.split(":", 1)[1]), None)
    per_request = block << 10 if field == "write_bps" else 1
    with load(block, depth):
        before, end = counters(device)[field], time.monotonic() + 20
        while counters(device)[field] == before and time.monotonic() < end:
            time.sleep(0.05)
        time.sleep(1.5)  # the start is not the limiter's to answer for
        mean, spread = evaluate(changes(device, field, 6 if rate >= 10 * per_request else 12), per_request)
        penstock("clear", address)  # first, so that the last requests are not held back
    facts = {"stack": stack, "engine": engine, "version": VERSION, "verdict": line and line["verdict"]["kind"], "field": field,
             "rate": rate, "block_kib": block, "depth": depth, "mean": round(mean, 2),
             "error_percent": round((mean / rate - 1) * 100, 2), "cv_percent": spread and round(spread, 2)}
    result(**facts)
    say(*facts.values(), done["error"])


class Fio:
    """fio in the container."""

    def __init__(self, stack):
        self._target = stacks.target_of(stack)

    def __call__(self, block, depth):
        self._how = f"{block}k", depth
        return self

    def __enter__(self):
        self._loaded = stacks.container.load(self._target, *self._how)

    def __exit__(self, *_):
        stacks.container.unload(self._loaded)


class Writer:
    """A QEMU's disk, through its monitor."""

    def __init__(self, guest):
        self._guest = guest

    def __call__(self, block, depth):
        self._size, self._depth = block << 10, depth
        return self

    def __enter__(self):
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._write)
        self._thread.start()

    def __exit__(self, *_):
        self._ended.set()
        self._thread.join()
        while self._guest.waiting():
            time.sleep(0.05)

    def _write(self):
        while not self._ended.is_set():
            if self._guest.hand_over(self._size, self._depth)[1]:
                time.sleep(0.002)


def attempt(stack, *words):
    try:
        cell(stack, *words)
    except Exception as problem:
        result(stack=stack, problem=f"{type(problem).__name__}: {problem}")
        say(stack, "FAILED:", problem)


def containers():
    found = next(each for each in penstock("list")["instances"] if each["name"] == "c1")["disks"]
    for stack, device in stacks.devices.items():
        if device is None or stack in ("nvme-multipath", "brd"):
            continue  # no limit acts there, or the kernel counts nothing for the device
        for words in ALL if stack in WHOLE else SOME:
            attempt(stack, "cgroup", f"c1:{stacks.find(stack, found)}", device, Fio(stack), *words)
    stacks.container.stop()


def guests():
    stacks.fill("/srv/ext4/guest.img", 8)
    for stack, file, device in (("LV, QEMU", "/dev/vg/linear", "/dev/vg/linear"), ("file on ext4, QEMU", "/srv/ext4/guest.img", "/dev/vdc")):
        for engine, options in (("native", ("--via", "native")), ("cgroup", ("--via", "cgroup", "--adopt"))):
            guest = Qemu("guest", file)
            for words in SOME:
                attempt(stack, engine, "guest:vd0", device, Writer(guest), *words, *options)
            guest.stop()


if __name__ == "__main__":
    main(stacks.disks, stacks.file_systems, stacks.lvm, stacks.crypt, stacks.md, stacks.btrfs_of_two, stacks.multipath, stacks.bcache,
         stacks.memory_disks, stacks.loops, stacks.start, containers, guests)
