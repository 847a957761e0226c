# SPDX-License-Identifier: Apache-2.0
"""Many real QEMUs, halted before their first instruction, and many real containers that sleep."""
import concurrent.futures
import uuid

from parts.guest_image import SOURCE
from parts.process import run, spawn, stop
from parts.qemu import PROGRAM
from parts.wait import wait_for


class Fleet:
    def __init__(self, folder, tag, qemus, containers):
        self.folder, self.tag = folder, tag
        self.lxcpath = folder / "lxc"
        self.rootfs = folder / "fleet-rootfs"
        self.qemus, self.containers = [], []
        self._wanted = qemus, containers

    def start(self):
        run([SOURCE / "tools" / "container-rootfs.sh", self.rootfs])
        qemus, containers = self._wanted
        self.qemus = [self._qemu(number) for number in range(qemus)]
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            self.containers = list(pool.map(self._container, range(containers)))
        wait_for(lambda: all((self.folder / f"fleet{n}.qmp").exists() for n in range(qemus)), "the fleet's QEMUs", 60)
        return self

    def _qemu(self, number):
        image, socket = self.folder / f"fleet{number}.img", self.folder / f"fleet{number}.qmp"
        with open(image, "wb") as file:
            file.truncate(1 << 20)
        with open(self.folder / "fleet.log", "ab") as log:
            return spawn([PROGRAM, "-name", f"guest={self.tag}-fleet-{number}", "-uuid", str(uuid.uuid4()), "-S",
                          "-accel", "tcg", "-machine", "pc", "-m", "16", "-nodefaults", "-display", "none",
                          "-qmp", f"unix:{socket},server=on,wait=off",
                          "-drive", f"file={image},format=raw,if=none,id=drive0,cache=none",
                          "-device", "virtio-blk-pci,drive=drive0,id=vd0"], stdout=log, stderr=log)

    def _container(self, number):
        name = f"{self.tag}-fleet-{number}"
        folder = self.lxcpath / name
        folder.mkdir(parents=True)
        (folder / "config").write_text(
            f"lxc.rootfs.path = dir:{self.rootfs}\nlxc.uts.name = fleet{number}\nlxc.init.cmd = /sbin/init\n"
            "lxc.net.0.type = empty\nlxc.mount.auto = proc:mixed sys:mixed\nlxc.apparmor.profile = unconfined\n")
        run(["lxc-start", "-P", self.lxcpath, "-n", name])
        return name

    def remove(self):
        for process in self.qemus:
            stop(process)
        with concurrent.futures.ThreadPoolExecutor(4) as pool:
            list(pool.map(lambda name: run(["lxc-stop", "-P", self.lxcpath, "-n", name, "--kill"], check=False),
                          self.containers))
