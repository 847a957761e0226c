# SPDX-License-Identifier: Apache-2.0
"""What a whole process costs, from its start to its end, as the kernel accounts it."""
import dataclasses
import os
import statistics
import time


@dataclasses.dataclass(frozen=True)
class Cost:
    wall_ms: float
    cpu_ms: float
    rss_mib: float
    status: int


def run_once(argv):
    null = os.open(os.devnull, os.O_RDWR)
    files = [(os.POSIX_SPAWN_DUP2, null, number) for number in range(3)]
    start = time.perf_counter()
    pid = os.posix_spawnp(argv[0], argv, os.environ, file_actions=files)
    _, status, usage = os.wait4(pid, 0)
    wall = time.perf_counter() - start
    os.close(null)
    return Cost(wall * 1e3, (usage.ru_utime + usage.ru_stime) * 1e3, usage.ru_maxrss / 1024,
                os.waitstatus_to_exitcode(status))


def compare(commands, rounds, warm_up=2):
    """{name: median Cost} of commands that take turns, so that what else the machine does hits all alike.

    commands: {name: function of the round that gives argv}."""
    costs = {name: [] for name in commands}
    for number in range(-warm_up, rounds):
        for name, argv in commands.items():
            cost = run_once([str(part) for part in argv(number)])
            if number >= 0:
                costs[name].append(cost)
    return {name: _median(found) for name, found in costs.items()}


def _median(costs):
    return Cost(*(statistics.median(getattr(cost, field) for cost in costs) for field in ("wall_ms", "cpu_ms", "rss_mib")),
                max(costs, key=lambda cost: abs(cost.status)).status)
