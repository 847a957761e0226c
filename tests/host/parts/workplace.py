# SPDX-License-Identifier: Apache-2.0
"""The folder of one test run, and the sweep of what a killed run left."""
import contextlib
import fcntl
import os
import pathlib
import shutil
import tempfile

from parts.cgroup import lift_device
from parts.process import run

BASE = pathlib.Path("/var/lib")  # root's alone, all the way down: plugins are loaded from nowhere else
PREFIX = "penstock-test-"


class Workplace:
    """Holds a lock for as long as the run lives: a folder whose lock is free belongs to a dead run."""

    def __init__(self):
        sweep()
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix=PREFIX, dir=BASE))
        self.folder.chmod(0o755)  # ids of unprivileged containers and of libvirt's QEMU must get through
        self._lock = open(self.folder / "lock", "wb")
        fcntl.flock(self._lock, fcntl.LOCK_EX)

    @property
    def tag(self):
        return self.folder.name

    def remove(self):
        remove_remains(self.folder)
        self._lock.close()


def sweep():
    for folder in BASE.glob(PREFIX + "*"):
        with contextlib.suppress(FileNotFoundError, BlockingIOError), open(folder / "lock", "rb") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            remove_remains(folder)


def remove_remains(folder):
    """Containers, domains, mounts and loops that lie in the folder, then the folder."""
    for config in folder.glob("lxc/*/config"):
        run(["lxc-stop", "-P", config.parent.parent, "-n", config.parent.name, "--kill"], check=False)
    if shutil.which("virsh") and any(folder.glob("*/domain.xml")):
        listed = run(["virsh", "--connect", "qemu:///system", "list", "--name"], check=False).stdout
        for name in listed.splitlines():
            if name.startswith(folder.name):
                run(["virsh", "--connect", "qemu:///system", "destroy", name], check=False)
    for line in reversed(pathlib.Path("/proc/self/mountinfo").read_text().splitlines()):
        where = line.split()[4]
        if where.startswith(f"{folder}/"):
            run(["umount", where], check=False)
    for backing in pathlib.Path("/sys/block").glob("loop*/loop/backing_file"):
        with contextlib.suppress(OSError):
            if backing.read_text().startswith(f"{folder}/"):
                lift_device((backing.parents[1] / "dev").read_text().strip())
                run(["losetup", "--detach", f"/dev/{backing.parents[1].name}"], check=False)
    shutil.rmtree(folder, ignore_errors=os.environ.get("PENSTOCK_KEEP_GOING") == "1")
