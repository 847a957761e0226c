# SPDX-License-Identifier: Apache-2.0
"""A real QEMU as a user starts it by hand: two virtio disks, an iothread, a QMP socket. TCG, so that it runs anywhere."""
import contextlib
import json
import pathlib
import uuid

from parts import cgroup, qmp
from parts.guest_image import COMMAND_LINE
from parts.process import spawn, stop, wait_gone
from parts.serial_shell import SerialShell
from parts.wait import wait_for

PROGRAM = "qemu-system-x86_64"


class QemuGuest:
    """disks[0] is a -blockdev on an iothread (vda in the guest), disks[1], if any, a -drive (vdb)."""

    def __init__(self, folder, name, image, disks, extra=()):
        self.folder = pathlib.Path(folder)
        self.folder.mkdir()
        self.name, self.uuid, self.disks = name, str(uuid.uuid4()), list(disks)
        self.qmp_path = self.folder / "qmp.sock"
        self.console = self.folder / "console"
        self.shell = SerialShell(self.folder / "shell.sock")
        self.process = None
        self._argv = [PROGRAM, "-name", f"guest={name.replace(',', ',,')},debug-threads=on", "-uuid", self.uuid,
                      "-accel", "tcg", "-machine", "pc", "-cpu", "max", "-m", "128", "-nodefaults", "-display", "none",
                      "-no-reboot", "-kernel", image.kernel, "-initrd", image.initrd, "-append", COMMAND_LINE,
                      "-serial", f"file:{self.console}", "-serial", f"unix:{self.shell.path},server=on,wait=off",
                      "-qmp", f"unix:{self.qmp_path},server=on,wait=off", *self._disk_options(), *extra]

    def _disk_options(self):
        if self.disks:
            yield from ("-object", "iothread,id=io0")
            yield from ("-blockdev", json.dumps({
                "driver": "raw", "node-name": "disk0", "cache": {"direct": True},
                "file": {"driver": "host_device", "filename": self.disks[0], "cache": {"direct": True}}}))
            yield from ("-device", "virtio-blk-pci,drive=disk0,id=vd0,iothread=io0")
        for number, path in enumerate(self.disks[1:], 1):
            yield from ("-drive", f"file={path},format=raw,if=none,id=drive{number},cache=none")
            yield from ("-device", f"virtio-blk-pci,drive=drive{number},id=vd{number}")

    def start(self):
        with open(self.folder / "stderr", "wb") as stderr:
            self.process = spawn(self._argv, stdout=stderr, stderr=stderr)
        wait_for(self._listens, f"QEMU {self.name} to open its QMP socket", 20)
        return self

    def boot(self):
        """Waits until the guest answers commands."""
        wait_for(self._is_up, f"guest {self.name} to boot", 120, 0.1)
        self.shell.connect()
        return self

    def _listens(self):
        if self.process.poll() is not None:
            raise RuntimeError(f"{PROGRAM}: {(self.folder / 'stderr').read_text()}")
        return self.qmp_path.exists()

    def _is_up(self):
        if self.process.poll() is not None:
            raise RuntimeError(f"QEMU ended: {(self.folder / 'stderr').read_text()}{self._console_text()}")
        return "penstock-guest ready" in self._console_text()

    def _console_text(self):
        """What the guest has printed; QEMU makes the file some time after its QMP socket."""
        return self.console.read_text(errors="replace") if self.console.exists() else ""

    @property
    def pid(self):
        return self.process.pid

    def run(self, command, **options):
        return self.shell.run(command, **options)

    def qmp(self, command, **arguments):
        return qmp.execute(self.qmp_path, command, **arguments)

    def throttle(self, device_id):
        """QEMU's own limits of a device: {"bps_wr": ..., ...}, as query-block has them."""
        for block in self.qmp("query-block"):
            if f"/{device_id}/" in block.get("qdev", "") + "/":
                return {key: value for key, value in block["inserted"].items() if key.startswith(("bps", "iops"))}
        raise KeyError(device_id)

    def kill(self):
        self.process.kill()
        wait_gone(self.pid)

    def stop(self):
        self.shell.close()
        if self.process is None:
            return
        with contextlib.suppress(OSError, RuntimeError):
            folder = cgroup.of_process(self.pid)
            for disk in self.disks:
                cgroup.lift(folder, cgroup.device_number(disk))
        stop(self.process)
