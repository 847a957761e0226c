# SPDX-License-Identifier: Apache-2.0
"""What the jobs inside the machine share: commands, the program under test, cgroups, measurements, results."""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import time

CGROUP = pathlib.Path("/sys/fs/cgroup")
VERSION = 1 if (CGROUP / "blkio").is_dir() else 2
PROGRAM = pathlib.Path("/opt/penstock")


def run(*argv, check=True, timeout=60, **options):
    """A command's standard output. One that hangs ends the job, one that fails raises with what it said."""
    argv = [str(word) for word in argv]
    done = subprocess.run(argv, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=timeout, check=False,
                          **options)
    if check and done.returncode:
        raise RuntimeError(f"{' '.join(argv)}: status {done.returncode}: {done.stderr.strip()} {done.stdout.strip()}")
    return done.stdout


def sh(text, **options):
    return run("bash", "-ec", text, **options)


def result(**fields):
    """One line of /lab/results, which the host's test reads."""
    with open("/lab/results", "a", encoding="utf-8") as file:
        file.write(json.dumps(fields) + "\n")


def say(*words):
    print(f"[{float(open('/proc/uptime', encoding='ascii').read().split()[0]):6.1f}]", *words, flush=True)


def wait_for(what, question, seconds=20.0):
    end = time.monotonic() + seconds
    while True:
        answer = question()
        if answer:
            return answer
        if time.monotonic() > end:
            raise RuntimeError(f"no {what} after {seconds} s")
        time.sleep(0.1)


def penstock(*words):
    """What it says as JSON; its exit status is under "status", and what it printed on standard error under "error"."""
    if not PROGRAM.exists():  # plugins are loaded only from folders that are root's alone, as /opt is
        shutil.copytree("/lab/penstock", PROGRAM)
    argv = [PROGRAM / "bin/penstock", "--plugin-dir", PROGRAM / "plugins", *words, "--json"]
    done = subprocess.run([str(word) for word in argv], stdin=subprocess.DEVNULL, capture_output=True, text=True,
                          timeout=60, check=False)
    answer = json.loads(done.stdout) if done.stdout.strip() else {}
    return {**answer, "status": done.returncode, "error": done.stderr.strip()}


def number(device):
    """MAJOR:MINOR of a device node."""
    device = os.stat(device).st_rdev
    return f"{os.major(device)}:{os.minor(device)}"


def name_of(device):
    """The kernel's name of a device node: dm-3, vdb1."""
    return os.path.basename(os.path.realpath(f"/dev/block/{number(device)}"))


def written(device):
    """Bytes that the block layer has written to a device so far."""
    stat = pathlib.Path(f"/sys/class/block/{name_of(device)}/stat").read_text(encoding="ascii").split()
    return int(stat[6]) * 512


def main(*steps):
    """Runs the job's steps; one that fails is a result too, and the next ones still run."""
    failed = 0
    for step in steps:
        say(step.__name__)
        try:
            step()
        except Exception as problem:  # whatever it is, the test on the host shall show it
            failed += 1
            result(step=step.__name__, problem=f"{type(problem).__name__}: {problem}")
            say("FAILED:", problem)
    sys.exit(1 if failed else 0)
