# SPDX-License-Identifier: Apache-2.0
"""A real LXC container whose root is an overlay of the machine's own root, so that fio and all else is in it."""
import json
import pathlib
import subprocess

from kit import VERSION, run, wait_for


class Container:
    """upper: the folder that the overlay writes to. nodes and mounts: {name inside: device} and {name inside: folder}."""

    def __init__(self, name, upper, nodes, mounts):
        self.name = name
        base = pathlib.Path("/var/lib/lxc") / name
        root = base / "root"
        for folder in (root, upper / "upper", upper / "work"):
            folder.mkdir(parents=True)
        run("mount", "-t", "overlay", "overlay", "-o", f"lowerdir=/,upperdir={upper}/upper,workdir={upper}/work", root)
        lines = [f"lxc.rootfs.path = dir:{root}", f"lxc.uts.name = {name}", "lxc.init.cmd = /bin/sleep infinity",
                 "lxc.net.0.type = empty", "lxc.mount.auto = proc:mixed sys:mixed", "lxc.apparmor.profile = unconfined"]
        lines += [f"lxc.mount.entry = {device} dev/{name} none bind,create=file 0 0" for name, device in nodes.items()]
        lines += [f"lxc.mount.entry = {folder} {name} none bind,create=dir 0 0" for name, folder in mounts.items()]
        (base / "config").write_text("\n".join(lines) + "\n", encoding="utf-8")

    def start(self):
        run("lxc-start", "-n", self.name, "-o", "/tmp/lxc.log", "-l", "INFO")
        self.init = int(wait_for("init of the container", lambda: run("lxc-info", "-n", self.name, "-pH").strip()))
        return self

    def command(self, *argv):
        return ["lxc-attach", "-n", self.name, "--clear-env", "-v", "PATH=/usr/sbin:/usr/bin:/sbin:/bin", "--", *argv]

    def run(self, *argv, **options):
        return run(*self.command(*argv), **options)

    def load(self, target, block="64k", depth=8, way="write"):
        """fio that writes to the target until unload()."""
        return subprocess.Popen(self.command("fio", "--name=w", f"--rw={way}", "--direct=1", "--thread", "--ioengine=libaio", f"--bs={block}",
                                             f"--iodepth={depth}", f"--filename={target}", "--size=32m", "--time_based",
                                             "--runtime=3600", "--allow_file_create=0"),
                                stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)

    def unload(self, loaded):
        self.run("pkill", "-x", "fio")  # lxc-attach would end alone
        loaded.wait(60)

    def stop(self):
        run("lxc-stop", "-n", self.name, "--kill", check=False)

    @property
    def cgroup(self):
        for line in pathlib.Path(f"/proc/{self.init}/cgroup").read_text(encoding="ascii").splitlines():
            _, controllers, path = line.split(":", 2)
            if controllers == ("blkio" if VERSION == 1 else ""):
                return pathlib.Path("/sys/fs/cgroup", "blkio" if VERSION == 1 else "", path.lstrip("/"))
        raise RuntimeError(f"container {self.name} is in no cgroup that limits I/O")

    def fio(self, target, seconds=3, direct=True, block="16k", depth=8, reads=True, writes=True, size="16m"):
        """Writes one half of the target and reads the other at the same time: {"read": bytes/s, "write": bytes/s}."""
        argv = ["fio", "--output-format=json", "--thread", "--ioengine=libaio", f"--direct={int(direct)}", f"--bs={block}",
                f"--iodepth={depth}", f"--filename={target}", f"--size={size}", "--time_based", f"--runtime={seconds}",
                "--ramp_time=1", "--allow_file_create=0"]
        if writes:
            argv += ["--name=write", "--rw=write"]
        if reads:
            argv += ["--name=read", "--rw=read", f"--offset={size}"]
        try:
            jobs = json.loads(self.run(*argv, timeout=seconds + 60))["jobs"]
        except subprocess.TimeoutExpired:
            return {}
        return {job["jobname"]: job[job["jobname"]]["io_bytes"] / (job[job["jobname"]]["runtime"] / 1000 or 1)
                for job in jobs}
