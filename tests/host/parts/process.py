# SPDX-License-Identifier: Apache-2.0
"""Child processes that end with the test run, whatever ends it."""
import ctypes
import os
import signal
import subprocess

from parts.wait import WaitTimeout, wait_for

_libc = ctypes.CDLL(None, use_errno=True)
PR_SET_PDEATHSIG = 1


def _die_with_parent():
    _libc.prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


def spawn(argv, **options):
    """A process that is killed when this one ends, even by SIGKILL."""
    options.setdefault("stdin", subprocess.DEVNULL)
    return subprocess.Popen([os.fspath(part) for part in argv], preexec_fn=_die_with_parent, start_new_session=True,
                            **options)


def run(argv, check=True, timeout=60, **options):
    """Runs a command to its end; text output; an error carries the command's own words."""
    done = subprocess.run([os.fspath(part) for part in argv], stdin=subprocess.DEVNULL, capture_output=True, text=True,
                          timeout=timeout, **options)
    if check and done.returncode:
        raise RuntimeError(f"{' '.join(map(str, argv))}: exit status {done.returncode}: {done.stderr or done.stdout}")
    return done


def stop(process, seconds=5):
    """TERM, then KILL; only a process that this test run started."""
    for ending in (signal.SIGTERM, signal.SIGKILL):
        if process.poll() is not None:
            return
        process.send_signal(ending)
        try:
            process.wait(seconds)
        except subprocess.TimeoutExpired:
            continue
    process.wait(seconds)


def state(pid):
    """The state letter of a process (R, S, D, Z...), or None when it is gone."""
    try:
        with open(f"/proc/{pid}/stat", encoding="utf-8", errors="replace") as file:
            return file.read().rpartition(")")[2].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return None


def wait_gone(pid, seconds=10):
    try:
        wait_for(lambda: state(pid) in (None, "Z"), f"process {pid} to end", seconds)
    except WaitTimeout as timeout:
        raise WaitTimeout(f"{timeout}; it is in state {state(pid)}") from None
