# SPDX-License-Identifier: Apache-2.0
"""`run` itself: statuses, the time limit, and that nothing stays of a run that was killed."""
import os
import pathlib
import signal
import subprocess
import time

import machine


def run(*arguments):
    return subprocess.run([machine.HERE / "run", *arguments], stdin=subprocess.DEVNULL, capture_output=True, text=True,
                          check=False)


def gone(pid):
    """Also a zombie is gone: it is nobody's but its parent's."""
    try:
        return pathlib.Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[0] == "Z"
    except FileNotFoundError:
        return True


def wait(what, question):
    end = time.monotonic() + 30
    while not question():
        assert time.monotonic() < end, what
        time.sleep(0.05)


def children(pid):
    return pathlib.Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="ascii").split()


def of_it(pid, program):
    return [child for child in children(pid) if pathlib.Path(f"/proc/{child}/comm").read_text().startswith(program)]


def test_output_and_status_come_back_in_hybrid_mode():
    done = run("-c", "hybrid", "cat /proc/self/cgroup; ls -d /sys/fs/cgroup/unified/cgroup.procs; exit 7")
    assert done.returncode == 7, done
    lines = done.stdout.splitlines()
    assert "0::/" in lines and any(":blkio:" in line for line in lines), done
    assert lines[-1] == "/sys/fs/cgroup/unified/cgroup.procs"


def test_the_time_limit_ends_it():
    start = time.monotonic()
    done = run("-t", "2", "true")
    assert done.returncode == 124 and "not done after 2 s" in done.stderr, done
    assert time.monotonic() - start < 20


def test_a_killed_run_leaves_nothing():
    with subprocess.Popen([machine.HERE / "run", "sleep 1000"], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL) as killed:
        wait("QEMU to start", lambda: of_it(killed.pid, "qemu"))
        processes = children(killed.pid)
        folder = os.readlink(f"/proc/{killed.pid}/fd/8")
        killed.send_signal(signal.SIGKILL)
    for pid in processes:
        wait(f"process {pid} to end", lambda pid=pid: gone(pid))
    assert pathlib.Path(folder).exists()
    run("-t", "1", "true")
    assert not pathlib.Path(folder).exists(), "the next run removes what is left"
