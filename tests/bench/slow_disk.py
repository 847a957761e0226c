# SPDX-License-Identifier: Apache-2.0
"""A block device that does so many requests a second and no more: a loop device on a file that qemu-storage-daemon
serves through FUSE and throttles. It takes any number of requests at once, as a disk with a long queue does."""
import os
import pathlib

from parts.process import run, spawn, stop
from parts.wait import wait_for


class SlowDisk:
    def __init__(self, folder, iops, size=256 << 20):
        self._image, self._file = folder / "slow.img", folder / "slow"
        with open(self._image, "wb") as image:
            image.truncate(size)
        self._file.touch()
        self.path = None
        with open(folder / "slow.log", "wb") as log:
            self._daemon = spawn(["qemu-storage-daemon", "--object", f"throttle-group,id=group,limits.iops-total={iops}",
                                  "--blockdev", f"driver=file,node-name=file,filename={self._image}",
                                  "--blockdev", "driver=throttle,node-name=slow,throttle-group=group,file=file",
                                  "--export", f"type=fuse,id=export,node-name=slow,mountpoint={self._file},writable=on"],
                                 stdout=log, stderr=log)
        try:
            wait_for(lambda: self._file.stat().st_size == size, "qemu-storage-daemon to serve the file", 10)
            self.path = run(["losetup", "--find", "--show", "--direct-io=on", self._file]).stdout.strip()
        except BaseException:
            self.remove()
            raise

    @property
    def name(self):
        return os.path.basename(self.path)

    @property
    def number(self):
        return (pathlib.Path("/sys/block") / self.name / "dev").read_text().strip()

    def queue(self, **values):
        """Writes files of its queue: scheduler first."""
        for file, value in values.items():
            below = file if file in ("scheduler", "nr_requests") else f"iosched/{file}"
            (pathlib.Path("/sys/block") / self.name / "queue" / below).write_text(str(value))

    def remove(self):
        if self.path:
            run(["losetup", "--detach", self.path], check=False)
        stop(self._daemon)
        run(["umount", self._file], check=False)
