# SPDX-License-Identifier: Apache-2.0
"""Block limits written by hand into cgroup files: the yardstick, and the way to lift what a test left."""
import contextlib
import os
import pathlib
import time

V1_FILES = {
    "read_bps": "blkio.throttle.read_bps_device",
    "write_bps": "blkio.throttle.write_bps_device",
    "read_iops": "blkio.throttle.read_iops_device",
    "write_iops": "blkio.throttle.write_iops_device",
}
V2_KEYS = {"read_bps": "rbps", "write_bps": "wbps", "read_iops": "riops", "write_iops": "wiops"}


def _mounts():
    with open("/proc/self/mountinfo", encoding="utf-8") as file:
        for line in file:
            left, _, right = line.partition(" - ")
            kind, _, options = right.split(" ", 2)
            yield left.split()[4], kind, options.strip().split(",")


def device_number(path):
    """MAJOR:MINOR of a device node."""
    number = os.stat(path).st_rdev
    return f"{os.major(number)}:{os.minor(number)}"


def version():
    """1 where the blkio controller is on the v1 hierarchy, else 2."""
    return 1 if any(kind == "cgroup" and "blkio" in options for _, kind, options in _mounts()) else 2


def root():
    wanted = "cgroup" if version() == 1 else "cgroup2"
    for where, kind, options in _mounts():
        if kind == wanted and (wanted == "cgroup2" or "blkio" in options):
            return pathlib.Path(where)
    raise RuntimeError("no cgroup hierarchy that limits I/O is mounted")


def of_process(pid):
    """The folder of the cgroup that limits a process's I/O."""
    for line in pathlib.Path(f"/proc/{pid}/cgroup").read_text().splitlines():
        number, controllers, path = line.split(":", 2)
        if ("blkio" in controllers.split(",")) if version() == 1 else number == "0":
            return root() / path.lstrip("/")
    raise RuntimeError(f"process {pid} is in no cgroup that limits I/O")


def limits(folder, device):
    """{"write_bps": 10485760, ...} of the device (MAJOR:MINOR) in a cgroup, as the kernel says."""
    found = {}
    with contextlib.suppress(FileNotFoundError):
        if version() == 1:
            for field, name in V1_FILES.items():
                for line in (folder / name).read_text().splitlines():
                    number, value = line.split()
                    if number == device:
                        found[field] = int(value)
        else:
            for line in (folder / "io.max").read_text().splitlines():
                number, *pairs = line.split()
                if number == device:
                    values = dict(pair.split("=") for pair in pairs)
                    found = {f: int(values[k]) for f, k in V2_KEYS.items() if values.get(k, "max") != "max"}
    return found


def write_limit(folder, device, **fields):
    """Sets fields of a device; None lifts. One write(2) a file, as the kernel wants it."""
    if version() == 1:
        writes = [(V1_FILES[field], f"{device} {value or 0}") for field, value in fields.items()]
    else:
        pairs = " ".join(f"{V2_KEYS[field]}={'max' if value is None else value}" for field, value in fields.items())
        writes = [("io.max", f"{device} {pairs}")]
    for name, text in writes:
        fd = os.open(folder / name, os.O_WRONLY)
        try:
            os.write(fd, text.encode())
        finally:
            os.close(fd)


def lift(folder, device):
    for field in limits(folder, device):
        with contextlib.suppress(OSError):
            write_limit(folder, device, **{field: None})


def lift_device(device):
    """Lifts every limit on a device, in every cgroup."""
    name = V1_FILES["write_bps"] if version() == 1 else "io.max"
    for file in root().rglob(name):
        lift(file.parent, device)


class OwnCgroup:
    """A cgroup made by a test. Limits in it are lifted before it goes: I/O that is still held back in a removed one
    leaves its processes unkillable for good."""

    def __init__(self, name):
        self.folder = root() / name
        self.devices = set()
        if version() == 2:
            (root() / "cgroup.subtree_control").write_text("+io")
        self.folder.mkdir()

    def limit(self, device, **fields):
        self.devices.add(device)
        write_limit(self.folder, device, **fields)

    def join(self, pid):
        (self.folder / "cgroup.procs").write_text(str(pid))

    def remove(self):
        for device in self.devices:
            lift(self.folder, device)
        end = time.monotonic() + 10
        while True:
            for pid in (self.folder / "cgroup.procs").read_text().split():
                with contextlib.suppress(OSError):
                    (root() / "cgroup.procs").write_text(pid)
            try:
                return self.folder.rmdir()
            except OSError:
                if time.monotonic() > end:
                    raise
                time.sleep(0.05)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.remove()
