# SPDX-License-Identifier: Apache-2.0
"""A loop device on a sparse image of its own."""
import contextlib
import os
import pathlib
import re

from parts.cgroup import lift_device
from parts.process import run
from parts.wait import wait_for


class LoopDevice:
    def __init__(self, folder, name, size=64 << 20, partitions=False):
        self.image = pathlib.Path(folder) / f"{name}.img"
        self.path = None
        with open(self.image, "wb") as file:
            file.truncate(size)
        if partitions:
            run(["parted", "--script", self.image, "mklabel", "gpt", "mkpart", "one", "1MiB", "50%",
                 "mkpart", "two", "50%", "100%"])
        self._partitions = partitions
        self._attach(["--partscan"] if partitions else [])

    def _attach(self, options):
        # Another test run may take the free number between losetup's question and its answer.
        for attempt in range(5):
            done = run(["losetup", "--find", "--show", *options, self.image], check=False)
            if done.returncode == 0:
                self.path = done.stdout.strip()
                return
        self.image.unlink()
        raise RuntimeError(f"losetup {self.image}: {done.stderr.strip()} (after {attempt + 1} attempts)")

    @property
    def name(self):
        return os.path.basename(self.path)

    @property
    def number(self):
        """MAJOR:MINOR, as cgroup files want it."""
        return (pathlib.Path("/sys/class/block") / self.name / "dev").read_text().strip()

    def partition(self, number):
        path = f"{self.path}p{number}"
        if not os.path.exists(path):
            run(["partx", "--add", self.path], check=False)  # this kernel reads no partition tables
        wait_for(lambda: os.path.exists(path), f"{path} to appear", 5)
        return path

    def remove(self):
        if self.path is None:
            return
        lift_device(self.number)  # the number, and with it a limit on it, outlives the image
        if self._partitions:
            run(["partx", "--delete", self.path], check=False)
        run(["losetup", "--detach", self.path])
        wait_for(self._detached, f"{self.path} to be let go", 10)
        self.path = None
        self.image.unlink(missing_ok=True)

    def _detached(self):
        backing = pathlib.Path("/sys/class/block") / self.name / "loop" / "backing_file"
        with contextlib.suppress(OSError):
            return not re.match(re.escape(str(self.image)), backing.read_text())
        return True

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.remove()
