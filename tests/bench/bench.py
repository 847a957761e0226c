#!/usr/bin/python3 -B
# SPDX-License-Identifier: Apache-2.0
"""Whole-process cost of penstock against its peers, on the same real guests and containers.

Prints tables and writes JSON (build/bench.json). Medians of commands that take turns; decides no test. Needs root.
"""
import argparse
import contextlib
import dataclasses
import json
import os
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "host"))
os.environ["PATH"] = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"

from parts import cgroup
from parts.container import Container
from parts.guest_image import SOURCE, GuestImage
from parts.libvirt import Domain, LibvirtDaemon
from parts.loop import LoopDevice
from parts.penstock import Penstock
from parts.qemu import QemuGuest
from parts.workplace import Workplace

from cost import compare
from fleet import Fleet
from table import show

RATES = (10_000_000, 20_000_000)


class Bench:
    def __init__(self, place, options, later):
        self.place, self.rounds, self._later = place, options.rounds, later
        self.penstock = Penstock(place.folder)
        self.results = {}

    def _kept(self, part, end="stop"):
        self._later.callback(getattr(part, end))
        return part

    def loop(self, name):
        return self._kept(LoopDevice(self.place.folder, f"{self.place.tag}-{name}"), "remove")

    def command(self, *words):
        return [self.penstock.program, "--run-dir", self.penstock.run_dir, *words]

    def set(self, address, via):
        adopt = ["--adopt"] if via == "cgroup" and cgroup.version() == 2 else []
        return lambda number: self.command("set", address, "--write-bps", RATES[number % 2], "--via", via, *adopt)

    def compare(self, title, commands, peer=None):
        costs = compare(commands, self.rounds)
        show(title, costs, peer)
        self.results[title] = {name: dataclasses.asdict(cost) for name, cost in costs.items()}

    def libvirt_domain(self, image):
        self._kept(LibvirtDaemon(self.place.folder)).start()
        disks, name = [self.loop(f"domain-disk{number}").path for number in range(2)], f"{self.place.tag}-domain"
        self._kept(Domain(self.place.folder / name, name, image, disks)).start()
        self.compare("Set a limit on one disk of a libvirt domain", {
            "penstock set --via native": self.set(f"{name}:vda", "native"),
            "penstock set --via cgroup": self.set(f"{name}:vdb", "cgroup"),
            "virsh blkdeviotune": lambda number: ["virsh", "--connect", "qemu:///system", "blkdeviotune", name, "vda",
                                                  "--write-bytes-sec", RATES[number % 2]],
        }, peer="virsh blkdeviotune")
        self.penstock.run("clear", name, status=None)

    def container(self):
        loop, name = self.loop("root"), f"{self.place.tag}-lxc"
        made = self._kept(Container(self.place.folder / "lxc", name, root_device=loop.path)).start()
        key, text = (("blkio.throttle.write_bps_device", "{} {}") if cgroup.version() == 1 else ("io.max", "{} wbps={}"))
        self.compare("Set a limit on the root of a container", {
            "penstock set lxc/NAME": self.set(f"lxc/{name}:rootfs", "cgroup"),
            "penstock set NAME": self.set(f"{name}:rootfs", "cgroup"),
            "penstock --version": lambda _: self.command("--version"),
            "lxc-cgroup": lambda number: ["lxc-cgroup", "-P", made.lxcpath, "-n", name, key,
                                          text.format(loop.number, RATES[number % 2])],
        }, peer="lxc-cgroup")
        self.penstock.run("clear", f"{name}:rootfs", status=None)

    def qemu(self, image):
        disks, name = [self.loop(f"qemu-disk{number}").path for number in range(2)], f"{self.place.tag}-qemu"
        self._kept(QemuGuest(self.place.folder / name, name, image, disks, extra=("-S",))).start()
        self.compare("Set a limit on one disk of a QEMU started by hand", {
            "penstock set --via native (QMP)": self.set(f"{name}:vd0", "native"),
            "penstock set --via cgroup": self.set(f"{name}:vd1", "cgroup"),
        })
        self.penstock.run("clear", name, status=None)

    def fleet(self, size):
        self._kept(Fleet(self.place.folder, self.place.tag, size, size), "remove").start()
        self.compare(f"List {size} QEMU processes and {size} containers", {
            "penstock list": lambda _: self.command("list"),
            "penstock list --json": lambda _: self.command("list", "--json"),
            "penstock status": lambda _: self.command("status"),
        })

    def limits(self):
        """1,000 (cgroup, device) limits planned, applied and read back: the C++ program bench-limits, where it is built."""
        program = self.penstock.source.parent / "bench-limits"
        if not program.exists():
            print(f"\n{program} is not built: 1,000 limits are not measured")
            return
        done = subprocess.run([program, "--json"], capture_output=True, text=True, check=True)
        print(f"\n1,000 limits planned, applied, read back\n  {done.stdout.strip()}")
        self.results["1,000 limits"] = json.loads(done.stdout)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--fleet", type=int, default=50, help="QEMU processes, and as many containers")
    parser.add_argument("--out", type=pathlib.Path, default=SOURCE / "build" / "bench.json")
    options = parser.parse_args()
    with contextlib.ExitStack() as later:
        place = Workplace()
        later.callback(place.remove)
        bench = Bench(place, options, later)
        load = os.getloadavg()
        print(f"{bench.penstock.source}, medians of {options.rounds} rounds, {os.cpu_count()} CPUs, load {load[0]:.2f}")
        image = GuestImage()
        bench.libvirt_domain(image)
        bench.container()
        bench.qemu(image)
        bench.limits()
        bench.fleet(options.fleet)
    options.out.parent.mkdir(exist_ok=True)
    options.out.write_text(json.dumps({"rounds": options.rounds, "cpus": os.cpu_count(), "load": load,
                                       "kernel": os.uname().release, "results": bench.results}, indent=1) + "\n")
    print(f"\nWritten to {options.out}")


if __name__ == "__main__":
    main()
