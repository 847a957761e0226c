# SPDX-License-Identifier: Apache-2.0
"""A real LXC container with a busybox root: privileged, or mapped to host ids from 100000; on a folder or a loop's ext4."""
import contextlib
import glob
import os
import pathlib
import shutil
import stat
import subprocess

from parts import cgroup
from parts.guest_image import SOURCE
from parts.process import run, wait_gone
from parts.wait import wait_for

FIRST_ID = 100000


class Container:
    """root_device: the rootfs is on an ext4 of its own there. disks: block devices that it sees as /dev/xvdb, xvdc..."""

    def __init__(self, lxcpath, name, unprivileged=False, root_device=None, disks=()):
        self.lxcpath, self.name, self.disks = pathlib.Path(lxcpath), name, list(disks)
        self.root_device, self.owner = root_device, FIRST_ID if unprivileged else 0
        self.folder = self.lxcpath / name
        self.folder.mkdir(parents=True)
        self.folder.chmod(0o755)
        self._mounted = None
        self.init_pid = None

    def _rootfs(self):
        if self.root_device:
            self._mounted = self.folder / "mount"
            self._mounted.mkdir()
            run(["mkfs.ext4", "-q", "-F", self.root_device])
            run(["mount", self.root_device, self._mounted])
        rootfs = (self._mounted or self.folder) / "rootfs"
        run([SOURCE / "tools" / "container-rootfs.sh", rootfs, str(self.owner)])
        return rootfs

    def _config(self, rootfs):
        lines = [f"lxc.rootfs.path = dir:{rootfs}", f"lxc.uts.name = {self.name}", "lxc.init.cmd = /sbin/init",
                 "lxc.net.0.type = empty", "lxc.mount.auto = proc:mixed sys:mixed", "lxc.pty.max = 4",
                 "lxc.apparmor.profile = unconfined"]
        if self.owner:
            lines += [f"lxc.idmap = {kind} 0 {self.owner} 65536" for kind in "ug"]
        for number, path in enumerate(self.disks):
            target = f"xvd{chr(ord('b') + number)}"
            node = self.folder / target
            os.mknod(node, stat.S_IFBLK | 0o660, os.stat(path).st_rdev)
            os.chown(node, self.owner, self.owner)
            lines.append(f"lxc.mount.entry = {node} dev/{target} none bind,create=file 0 0")
        return "\n".join(lines) + "\n"

    def start(self):
        config = self.folder / "config"
        config.write_text(self._config(self._rootfs()))
        log = self.folder / "log"
        # LXC asks newuidmap, where it finds one, and that asks /etc/subuid even for root: here it shall find none.
        path = "/usr/sbin:/sbin" if self.owner else os.environ["PATH"]
        done = run([shutil.which("lxc-start"), "-P", self.lxcpath, "-n", self.name, "-o", log, "-l", "INFO"],
                   check=False, env={**os.environ, "PATH": path})
        if done.returncode:
            raise RuntimeError(f"lxc-start {self.name}: {done.stderr}{log.read_text()[-4000:]}")
        self.init_pid = int(wait_for(self._init_pid, f"container {self.name} to start", 20))
        return self

    def _init_pid(self):
        return run(["lxc-info", "-P", self.lxcpath, "-n", self.name, "-p", "-H"], check=False).stdout.strip()

    def run(self, command, timeout=60.0, check=True):
        """Runs a shell command inside; gives its output."""
        done = subprocess.run(["lxc-attach", "-P", self.lxcpath, "-n", self.name, "--clear-env", "--set-var",
                               "PATH=/bin:/sbin", "--", "/bin/sh", "-c", command], stdin=subprocess.DEVNULL,
                              capture_output=True, text=True, timeout=timeout, check=False)
        if check and done.returncode:
            raise RuntimeError(f"in {self.name}: {command}: exit status {done.returncode}: {done.stderr}{done.stdout}")
        return done.stdout

    @property
    def cgroup(self):
        """The folder of the cgroup that limits its I/O."""
        return cgroup.of_process(self.init_pid)

    def kill(self):
        """Ends it as a crash does."""
        os.kill(self.init_pid, 9)
        wait_gone(self.init_pid)

    def stop(self):
        for device in [*self.disks, *([self.root_device] if self.root_device else [])]:
            cgroup.lift_device(cgroup.device_number(device))
        if self.init_pid:
            run(["lxc-stop", "-P", self.lxcpath, "-n", self.name, "--kill"], check=False)
            with contextlib.suppress(AssertionError):
                wait_gone(self.init_pid)
        for folder in pathlib.Path("/sys/fs/cgroup").glob(f"**/lxc.*.{glob.escape(self.name)}"):
            with contextlib.suppress(OSError):  # a start that failed leaves its monitor's, empty
                folder.rmdir()
        if self._mounted:
            wait_for(lambda: run(["umount", self._mounted], check=False).returncode == 0 or
                     not os.path.ismount(self._mounted), f"{self._mounted} to be unmounted", 10, 0.2)
