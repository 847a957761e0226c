# SPDX-License-Identifier: Apache-2.0
"""A SCSI disk is removed while requests of two cgroups wait for a limit on it: one limit is ours, one is somebody else's.
Without `penstock release` before, Linux 6.1 loses the processor for good."""
import pathlib
import subprocess
import time

from container import Container
from kit import CGROUP, VERSION, main, name_of, penstock, result, run, say, wait_for

RATE = 200_000  # bytes per second: one request of 1 MiB waits five seconds
here = {}


def disk():
    run("modprobe", "scsi_debug", "dev_size_mb=256", "delay=0")
    found = wait_for("SCSI disk", lambda: sorted(pathlib.Path("/sys/block").glob("sd*")))
    here["disk"] = f"/dev/{found[0].name}"
    here["number"] = (found[0] / "dev").read_text(encoding="ascii").strip()
    wait_for("node", lambda: pathlib.Path(here["disk"]).exists())


def limits():
    here["container"] = Container("c1", pathlib.Path("/tmp/c1"), {"disk": here["disk"]}, {}).start()
    done = penstock("set", "c1:disk", "--write-bps", RATE)
    if done["status"]:
        raise RuntimeError(done["error"])
    other = here["other"] = CGROUP / ("blkio" if VERSION == 1 else "") / "other"
    other.mkdir()
    if VERSION == 1:
        (other / "blkio.throttle.write_bps_device").write_text(f"{here['number']} {RATE}")
    else:
        (CGROUP / "cgroup.subtree_control").write_text("+io")
        (other / "io.max").write_text(f"{here['number']} wbps={RATE}")


def writers():
    dd = ["dd", "if=/dev/zero", "bs=1M", "count=1", "oflag=direct", "status=none"]
    here["writers"] = [
        subprocess.Popen(here["container"].command(*dd, "of=/dev/disk")),
        subprocess.Popen(["sh", "-c", f"echo $$ > {here['other']}/cgroup.procs; exec {' '.join(dd)} of={here['disk']}"])]
    time.sleep(1)


def release():
    name = name_of(here["disk"])
    before = penstock("release", here["disk"], "--dry-run")
    ours = penstock("release", name)
    rest = penstock("release", here["number"], "--all")
    result(event="release", version=VERSION, dry_run=before, ours=ours, rest=rest)
    say("released:", ours["status"], rest["status"])


def remove():
    began = time.monotonic()
    pathlib.Path("/sys/block", name_of(here["disk"]), "device/delete").write_text("1")
    took = time.monotonic() - began
    for writer in here["writers"]:
        writer.wait(20)
    status = penstock("status")
    cleared = penstock("clear", "c1:disk")
    result(event="removed", version=VERSION, took=round(took, 2), alive=time.monotonic() - began,
           verdict=status["limits"][0]["verdict"], status=status["status"], cleared=cleared["status"], error=cleared["error"],
           left=penstock("status").get("limits"))
    say("removed in", took, status["limits"], cleared)


def stop():
    here["container"].stop()


if __name__ == "__main__":
    main(disk, limits, writers, release, remove, stop)
