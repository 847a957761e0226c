# SPDX-License-Identifier: Apache-2.0
"""1000 against 100 on a disk of 240 requests a second (vdb), by what may share it out: requests a second of both, at depth 1
and 16, random writes of 4 KiB with direct I/O. For a table; nothing is judged."""
import os
import pathlib
import subprocess
import time

from kit import CGROUP, main, number, penstock, result, say, sh

DISK, MAP = "/dev/vdb", "/dev/vg/linear"
QUEUE = pathlib.Path("/sys/block/vdb/queue")
SIDES = {"important": 1000, "other": 100}


def write(path, text):
    pathlib.Path(path).write_text(str(text), encoding="ascii")


def weigh(*files):
    """Both sides' weights for the disk, in each of the files that the kernel has now."""
    for side, weight in SIDES.items():
        for file in files:
            write(CGROUP / side / file, f"{number(DISK)} {weight}")


def served(side):
    for line in (CGROUP / side / "io.stat").read_text(encoding="ascii").splitlines():
        if line.startswith(number(DISK) + " "):
            return sum(int(word[5:]) for word in line.split() if word.startswith(("rios=", "wios=")))
    return 0


def load(side, target, depth, offset):
    return subprocess.Popen(["fio", "--name=w", f"--filename={target}", "--rw=randwrite", "--bs=4k", "--direct=1", "--ioengine=libaio",
                             f"--iodepth={depth}", "--size=16m", f"--offset={offset}m", "--time_based", "--runtime=600"],
                            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                            preexec_fn=lambda: write(CGROUP / side / "cgroup.procs", os.getpid()))


def measure(setting, target=DISK, seconds=8):
    for depth in (1, 16):
        loads = [load(side, target, depth, 32 * at) for at, side in enumerate(SIDES)]
        time.sleep(4)
        before = [served(side) for side in SIDES]
        time.sleep(seconds)
        rates = [(served(side) - was) / seconds for side, was in zip(SIDES, before)]
        for one in loads:
            one.kill()
            one.wait()
        say(setting, depth, rates)
        result(setting=setting, depth=depth, rates=rates)


def start():
    write(CGROUP / "cgroup.subtree_control", "+io")
    sh(f"pvcreate -qq {DISK}; vgcreate -qq vg {DISK}; lvcreate -qq -y -Wn -L 128M -n linear vg; modprobe bfq")
    for side in SIDES:
        (CGROUP / side).mkdir()


def schedulers():
    for name in ("none", "mq-deadline"):
        write(QUEUE / "scheduler", name)
        measure(f"scheduler {name}")
    write(QUEUE / "scheduler", "bfq")
    for side, weight in SIDES.items():
        write(CGROUP / side / "io.weight", weight)
    measure("BFQ as it comes, io.weight only")
    weigh("io.bfq.weight")
    measure("BFQ as it comes, io.bfq.weight")
    penstock("doctor", "--fix", DISK)
    measure("BFQ after doctor --fix")
    measure("the same, through an LV", MAP)
    penstock("doctor", "--undo", DISK)
    write(QUEUE / "scheduler", "none")


def iocost():
    write(CGROUP / "io.cost.qos", f"{number(DISK)} enable=1 ctrl=auto")
    weigh("io.weight")
    measure("iocost, the kernel's own model")
    write(CGROUP / "io.cost.qos", f"{number(DISK)} enable=1 ctrl=user rpct=0 wpct=0 min=100 max=100")
    for requests in (480, 240, 200):
        write(CGROUP / "io.cost.model", f"{number(DISK)} ctrl=user model=linear rbps=1000000000 rseqiops={requests} "
                                        f"rrandiops={requests} wbps=1000000000 wseqiops={requests} wrandiops={requests}")
        measure(f"iocost, a model of {requests} requests a second")
    write(CGROUP / "io.cost.qos", f"{number(DISK)} enable=0")
    write(CGROUP / "io.cost.model", f"{number(DISK)} ctrl=auto")
    penstock("doctor", "--fix", "--iocost", DISK)
    weigh("io.weight")
    measure("iocost after doctor --fix --iocost")
    measure("the same, through an LV", MAP)
    penstock("doctor", "--undo", DISK)


if __name__ == "__main__":
    main(start, schedulers, iocost)
