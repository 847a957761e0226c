# SPDX-License-Identifier: Apache-2.0
"""What a whole process costs, from its start to its end, as the kernel accounts it."""
import dataclasses
import functools
import os
import statistics
import subprocess
import sys
import time


@dataclasses.dataclass(frozen=True)
class Cost:
    wall_ms: float
    cpu_ms: float
    status: int
    rss_mib: float = 0


def run_once(argv):
    null = os.open(os.devnull, os.O_RDWR)
    files = [(os.POSIX_SPAWN_DUP2, null, number) for number in range(3)]
    start = time.perf_counter()
    pid = os.posix_spawnp(argv[0], argv, os.environ, file_actions=files)
    _, status, usage = os.wait4(pid, 0)
    wall = time.perf_counter() - start
    os.close(null)
    return Cost(wall * 1e3, (usage.ru_utime + usage.ru_stime) * 1e3, os.waitstatus_to_exitcode(status))


def _time(argv):
    """What busybox time says of the largest resident set. Not ru_maxrss of our own child: that counts Python's memory,
    which the child shares until it executes the program; busybox has next to none."""
    done = subprocess.run(["busybox", "time", "-f", "%M", *argv], stdin=subprocess.DEVNULL, capture_output=True, text=True)
    return int(done.stderr.splitlines()[-1]), done.stdout


@functools.cache
def _unit():
    """Some releases of busybox count a KiB as four."""
    said, status = _time([sys.executable, "-I", "-S", "-c", "print(open('/proc/self/status').read())"])
    return round(said / int(status.partition("VmHWM:")[2].split()[0]))


def peak_mib(argv):
    return _time(argv)[0] / _unit() / 1024


def compare(commands, rounds, warm_up=2):
    """{name: median Cost} of commands that take turns, so that what else the machine does hits all alike.

    commands: {name: function of the round that gives argv}."""
    costs = {name: [] for name in commands}
    for number in range(-warm_up, rounds):
        for name, argv in commands.items():
            cost = run_once([str(part) for part in argv(number)])
            if number >= 0:
                costs[name].append(cost)
    return {name: _median(found, peak_mib([str(part) for part in commands[name](rounds)]))
            for name, found in costs.items()}


def _median(costs, rss_mib):
    return Cost(*(statistics.median(getattr(cost, field) for cost in costs) for field in ("wall_ms", "cpu_ms")),
                max(costs, key=lambda cost: abs(cost.status)).status, rss_mib)
