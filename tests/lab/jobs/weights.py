# SPDX-License-Identifier: Apache-2.0
"""Weights on cgroup v2, where BFQ and iocost both may act: a container with a disk, an LV, a brd and a slow null_blk; what the
program says, what the kernel holds, and on the slow one what fio gets against a neighbour.

The machine has four empty virtio disks, vdb to vde, and vde does 240 requests a second and no more."""
import os
import pathlib
import subprocess
import time

from container import Container
from kit import CGROUP, main, name_of, number, penstock, result, run, say, sh

LEAVES = {"disk": "/dev/vdb", "linear": "/dev/vdc", "brd": "/dev/ram0", "slow": "/dev/nullb0"}  # where requests are ordered
DEVICES = {"disk": "/dev/vdb", "linear": "/dev/vg/linear", "brd": "/dev/ram0", "slow": "/dev/nullb0", "narrow": "/dev/vde"}
WEIGHT = 1000
container = None


def queue(device, file):
    text = (pathlib.Path("/sys/block") / name_of(device) / "queue" / file).read_text(encoding="ascii").strip()
    return text[text.index("[") + 1:text.index("]")] if "[" in text else text


def device_weight(file, device):
    """The device's own weight in the container's cgroup; None where it has none."""
    path = container.cgroup / file
    lines = dict(line.split() for line in path.read_text(encoding="ascii").splitlines()) if path.exists() else {}
    return int(lines[number(device)]) if number(device) in lines else None


def addresses():
    disks = next(each for each in penstock("list")["instances"] if each["name"] == "c1")["disks"]
    wanted = DEVICES
    return {name: f"c1:{disk['target']}" for name, device in wanted.items() for disk in disks
            if disk["device_number"] == number(device)}


def verdict(address):
    found = [disk["verdict"] for each in penstock("list")["instances"] for disk in each["disks"]
             if f"{each['name']}:{disk['target']}" == address]
    return found[0] if found else None


def start():
    global container
    sh("modprobe brd rd_nr=1 rd_size=49152; modprobe null_blk nr_devices=1 gb=1 irqmode=2 completion_nsec=4000000; "
       "pvcreate -qq /dev/vdc; vgcreate -qq vg /dev/vdc; lvcreate -qq -y -Wn -L 48M -n linear vg; mkfs.ext4 -q /dev/vdd")
    upper = pathlib.Path("/srv/upper")
    upper.mkdir(parents=True)
    run("mount", "/dev/vdd", upper)
    container = Container("c1", upper, DEVICES, {}).start()


def nothing_acts():
    for name, address in addresses().items():
        done = penstock("set", address, "--weight", WEIGHT)
        result(stack=name, step="nothing acts", set_status=done["status"], error=done["error"], verdict=verdict(address))


def fix():
    for name, leaf in LEAVES.items():
        address, before = addresses()[name], None
        if name != "brd":
            before = queue(leaf, "scheduler")
        planned = penstock("doctor", "--fix", leaf, "--dry-run")
        untouched = name == "brd" or queue(leaf, "scheduler") == before
        done = penstock("doctor", "--fix", leaf)
        result(stack=name, step="fix", status=done["status"], error=done["error"], planned=planned.get("devices"),
               untouched=untouched, before=before, scheduler=None if name == "brd" else queue(leaf, "scheduler"),
               weight=device_weight("io.bfq.weight", leaf), verdict=verdict(address))


def writes(depth, seconds, *where):
    return ["fio", "--output-format=json", "--name=w", *where, "--rw=randwrite", "--bs=4k", "--direct=1", "--ioengine=libaio",
            f"--iodepth={depth}", "--size=16m", "--time_based", f"--runtime={seconds}"]


def neighbour(device, depth, seconds):
    """fio in a cgroup beside the container's, with the kernel's own weight."""
    other = CGROUP / "neighbour"
    other.mkdir(exist_ok=True)
    return subprocess.Popen(writes(depth, seconds, f"--filename={device}", "--offset=32m"), stdin=subprocess.DEVNULL,
                            stdout=subprocess.DEVNULL,
                            preexec_fn=lambda: (other / "cgroup.procs").write_text(str(os.getpid()), encoding="ascii"))


def served(folder, device):
    for line in (folder / "io.stat").read_text(encoding="ascii").splitlines():
        if line.startswith(number(device) + " "):
            return sum(int(word[5:]) for word in line.split() if word.startswith(("rios=", "wios=")))
    return 0


def shares(name, leaf, depth):
    """Requests a second of the container and of its neighbour; both are busy for longer than is measured."""
    theirs = neighbour(leaf, depth, 16)
    ours = subprocess.Popen(container.command(*writes(depth, 16, f"--filename=/dev/{name}")), stdin=subprocess.DEVNULL,
                            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    time.sleep(6)
    folders = [container.cgroup, CGROUP / "neighbour"]
    before = [served(folder, leaf) for folder in folders]
    time.sleep(8)
    rates = [(served(folder, leaf) - was) / 8 for folder, was in zip(folders, before)]
    explained = penstock("explain", addresses()[name])["weight"]
    for one in (ours, theirs):
        one.wait(60)
    say("share", name, depth, rates)
    return {"ours": rates[0], "theirs": rates[1], "explained": explained}


def share():
    result(step="share", **shares("slow", LEAVES["slow"], 16))


def measured():
    """iocost by a model that the program measures, on the disk that the host holds to 240 requests a second."""
    leaf, address = DEVICES["narrow"], addresses()["narrow"]
    before = (CGROUP / "io.cost.qos").read_text(encoding="ascii")
    done = penstock("doctor", "--fix", "--iocost", leaf)
    result(step="measured", status=done["status"], error=done["error"], planned=done.get("devices"), verdict=verdict(address),
           qos=(CGROUP / "io.cost.qos").read_text(encoding="ascii"), model=(CGROUP / "io.cost.model").read_text(encoding="ascii"))
    for depth in (1, 16):
        result(step="measured share", depth=depth, **shares("narrow", leaf, depth))
    again = penstock("doctor", "--fix", "--iocost", leaf)
    cleared = penstock("clear", address, "--weight")
    undone = penstock("doctor", "--undo", leaf)
    after = (CGROUP / "io.cost.qos").read_text(encoding="ascii")
    result(step="measured undo", again=again.get("devices"), cleared=cleared["status"], undone=undone["status"],
           acts=f"{number(leaf)} enable=1" in after, acted=f"{number(leaf)} enable=1" in before)


def iocost():
    """The disk gets iocost as well: the weight then stands in both files."""
    leaf, address = LEAVES["disk"], addresses()["disk"]
    (CGROUP / "io.cost.qos").write_text(f"{number(leaf)} enable=1 ctrl=user min=100 max=100", encoding="ascii")
    drifted = verdict(address)
    done = penstock("set", address)
    result(step="iocost", status=done["status"], drifted=drifted, iocost=device_weight("io.weight", leaf),
           bfq=device_weight("io.bfq.weight", leaf), verdict=verdict(address))
    (CGROUP / "io.cost.qos").write_text(f"{number(leaf)} enable=0", encoding="ascii")


def undo():
    for name, leaf in LEAVES.items():
        done = penstock("clear", addresses()[name], "--weight")
        result(stack=name, step="clear", status=done["status"], error=done["error"],
               left=[device_weight(file, leaf) for file in ("io.bfq.weight", "io.weight")])
    done = penstock("doctor", "--undo")
    result(step="undo", status=done["status"], schedulers={name: queue(leaf, "scheduler") for name, leaf in LEAVES.items()
                                                           if name != "brd"})
    container.stop()


if __name__ == "__main__":
    main(start, nothing_acts, fix, share, measured, iocost, undo)
