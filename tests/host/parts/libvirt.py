# SPDX-License-Identifier: Apache-2.0
"""libvirt: its daemon, started if it does not run yet and stopped only then, and a domain with direct kernel boot."""
import os
import pathlib
import re
import shutil
import xml.sax.saxutils

from parts import cgroup
from parts.guest_image import COMMAND_LINE
from parts.process import run, spawn, stop
from parts.serial_shell import SerialShell
from parts.wait import wait_for

URI = "qemu:///system"


def virsh(*arguments, **options):
    return run(["virsh", "--connect", URI, *arguments], env={**os.environ, "LC_ALL": "C"}, **options)


def emulator(folder):
    """An <emulator> element where /dev/kvm is root's alone, else nothing. There libvirt finds KVM as root, misses it as
    QEMU's user, and asks QEMU for its capabilities anew at every step: 50 s a start."""
    try:
        node = os.stat("/dev/kvm")
    except FileNotFoundError:
        return ""
    if node.st_gid or node.st_mode & 0o006:
        return ""
    script = folder / "qemu-system-x86_64"
    if not script.exists():
        script.write_text('#!/bin/bash\nexec /usr/bin/qemu-system-x86_64 "${@/accel=kvm:tcg/accel=tcg}"\n')
        script.chmod(0o755)
    return f"<emulator>{script}</emulator>"


class LibvirtDaemon:
    def __init__(self, folder):
        self._folder = pathlib.Path(folder)
        self._started = []
        self._unit = False

    def start(self):
        if self._answers():
            return self
        if os.path.isdir("/run/systemd/system"):
            run(["systemctl", "start", "libvirtd"])
            self._unit = True
        else:
            os.makedirs("/run/dbus", exist_ok=True)
            if run(["dbus-send", "--system", "--dest=org.freedesktop.DBus", "--print-reply", "/",
                    "org.freedesktop.DBus.ListNames"], check=False).returncode:
                pathlib.Path("/run/dbus/pid").unlink(missing_ok=True)
                self._spawn("dbus-daemon", "--system", "--nofork", "--nopidfile")
            for program in ("virtlogd", "libvirtd"):
                self._spawn(program)
        wait_for(self._answers, "libvirtd to answer", 30, 0.2)
        return self

    def _answers(self):
        return virsh("list", check=False).returncode == 0

    def _spawn(self, program, *arguments):
        path = shutil.which(program, path="/usr/sbin:/usr/bin:/sbin:/bin")
        if path is None:
            raise RuntimeError(f"{program} is not installed")
        with open(self._folder / f"{program}.log", "wb") as log:
            self._started.append(spawn([path, *arguments], stdout=log, stderr=log))

    def stop(self):
        for process in reversed(self._started):
            stop(process)
        if self._unit:
            run(["systemctl", "stop", "libvirtd"], check=False)


class Domain:
    """A transient domain with one iothread; disk 0 is vda, and so on."""

    def __init__(self, folder, name, image, disks):
        self.folder = pathlib.Path(folder)
        self.folder.mkdir()
        self.folder.chmod(0o777)  # QEMU runs as libvirt's own user and makes the socket here
        self.name, self.disks, self.uuid = name, list(disks), None
        self.shell = SerialShell(self.folder / "shell.sock")
        for file in (image.kernel, image.initrd):
            shutil.copy(file, self.folder)
        self._xml = self.folder / "domain.xml"
        self._xml.write_text(self._definition(self.folder / image.kernel.name, self.folder / image.initrd.name))

    def _definition(self, kernel, initrd):
        disks = "".join(
            f"<disk type='block' device='disk'><driver name='qemu' type='raw' cache='none' iothread='1'/>"
            f"<source dev='{path}'/><target dev='vd{chr(97 + number)}' bus='virtio'/></disk>"
            for number, path in enumerate(self.disks))
        return (f"<domain type='qemu'><name>{xml.sax.saxutils.escape(self.name)}</name><memory unit='MiB'>128</memory>"
                f"<vcpu>1</vcpu><iothreads>1</iothreads><os><type arch='x86_64' machine='pc'>hvm</type>"
                f"<kernel>{kernel}</kernel><initrd>{initrd}</initrd><cmdline>{COMMAND_LINE}</cmdline></os>"
                f"<cpu mode='maximum'/><features><acpi/></features><on_reboot>destroy</on_reboot><devices>"
                f"{emulator(self.folder.parent)}{disks}"
                f"<controller type='usb' model='none'/><memballoon model='none'/>"
                f"<serial type='file'><source path='{self.folder}/console'/><target port='0'/></serial>"
                f"<serial type='unix'><source mode='bind' path='{self.shell.path}'/><target port='1'/></serial>"
                f"</devices></domain>")

    def start(self):
        virsh("create", self._xml)
        self.uuid = virsh("domuuid", self.name).stdout.strip()
        return self

    def boot(self):
        console = self.folder / "console"
        wait_for(lambda: console.exists() and "penstock-guest ready" in console.read_text(errors="replace"),
                 f"domain {self.name} to boot", 120, 0.1)
        self.shell.connect()
        return self

    def run(self, command, **options):
        return self.shell.run(command, **options)

    @property
    def pid(self):
        """QEMU's process, whose command line holds the domain's uuid."""
        for entry in os.listdir("/proc"):
            if entry.isdigit():
                try:
                    words = pathlib.Path(f"/proc/{entry}/cmdline").read_bytes().split(b"\0")
                except OSError:
                    continue
                if self.uuid.encode() in words:
                    return int(entry)
        raise RuntimeError(f"{self.name}: no QEMU process")

    def blkdeviotune(self, disk, *changes):
        """libvirt's view of a disk's limits, or a change to them."""
        text = virsh("blkdeviotune", self.name, disk, *changes).stdout
        return {key: int(value) for key, value in re.findall(r"^(\w+)\s*:\s*(\d+)$", text, re.MULTILINE)}

    def stop(self):
        self.shell.close()
        for disk in self.disks:
            cgroup.lift_device(cgroup.device_number(disk))
        virsh("destroy", self.name, check=False)
