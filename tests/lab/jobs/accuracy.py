# SPDX-License-Identifier: Apache-2.0
"""How exactly does a limit hold? For each stack, rate, block size and depth: the mean and the spread over windows of one
second, from the block layer's own counters, while fio in a container writes as fast as it may."""
import pathlib
import statistics
import subprocess
import time

import stacks
from kit import VERSION, main, name_of, penstock, result, say

WINDOWS = 5
SOME = [("write_bps", 1_000_000, 64), ("write_bps", 10_000_000, 64), ("write_iops", 100, 4)]  # field, rate, block in KiB
MANY = [("write_bps", 10**6, 4), ("write_bps", 10**6, 64), ("write_bps", 10**6, 1024), ("write_bps", 10**7, 64),
        ("write_bps", 10**7, 1024), ("write_bps", 10**8, 1024), ("write_iops", 10, 4), ("write_iops", 100, 4),
        ("write_iops", 100, 64), ("write_iops", 1000, 4)]
GRID = {"null_blk": MANY, "linear": SOME, "crypt-on-lv": SOME, "loop-direct": SOME, "ext4": SOME}


def sample(device):
    fields = pathlib.Path(f"/sys/class/block/{name_of(device)}/stat").read_text(encoding="ascii").split()
    return time.monotonic(), int(fields[4]), int(fields[6]) * 512


def cell(name, address, field, rate, block, depth):
    done = penstock("set", address, f"--{field.replace('_', '-')}", rate)
    if done["status"]:
        raise RuntimeError(done["error"])
    device, which = stacks.devices[name], 2 if field == "write_bps" else 1
    fio = stacks.container.command(
        "fio", "--name=w", "--rw=write", "--direct=1", "--thread", "--ioengine=libaio", f"--bs={block}k",
        f"--iodepth={depth}", f"--filename={stacks.target_of(name)}", "--size=32m", "--time_based",
        f"--runtime={WINDOWS + 20}", "--allow_file_create=0")
    with subprocess.Popen(fio, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL) as process:
        before = sample(device)[1]
        while sample(device)[1] == before and process.poll() is None:
            time.sleep(0.05)
        time.sleep(1.5)  # the start is not the limiter's to answer for
        samples = [sample(device)]
        for window in range(WINDOWS):
            time.sleep(max(0.0, samples[0][0] + window + 1 - time.monotonic()))
            samples.append(sample(device))
        penstock("clear", address)  # first, so that fio's last requests are not held back
        process.terminate()
    rates = [(b[which] - a[which]) / (b[0] - a[0]) for a, b in zip(samples, samples[1:])]
    mean = (samples[-1][which] - samples[0][which]) / (samples[-1][0] - samples[0][0])
    facts = {"stack": name, "version": VERSION, "field": field, "rate": rate, "block_kib": block, "depth": depth,
             "mean": round(mean, 2), "error_percent": round((mean / rate - 1) * 100, 2),
             "cv_percent": round(statistics.pstdev(rates) / mean * 100, 2) if mean else None}
    result(**facts)
    say(*facts.values())


def measure():
    found = next(each for each in penstock("list")["instances"] if each["name"] == "c1")["disks"]
    for name, cells in GRID.items():
        for field, rate, block in cells:
            for depth in (1, 32) if cells is MANY else (32,):
                cell(name, f"c1:{stacks.find(name, found)}", field, rate, block, depth)
    stacks.container.stop()


if __name__ == "__main__":
    main(stacks.disks, stacks.file_systems, stacks.lvm, stacks.crypt, stacks.memory_disks, stacks.loops, stacks.start, measure)
