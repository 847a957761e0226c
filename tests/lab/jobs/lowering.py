# SPDX-License-Identifier: Apache-2.0
"""Limits changed up and down, fifty times, while fio has requests waiting. After each change: the busiest second against
the new limit, and the longest time without a request done against the time that one takes by it."""
import pathlib
import random
import subprocess
import time

from container import Container
from kit import PROGRAM, VERSION, main, name_of, penstock, result, run, say, sh, wait_for

DEVICE = "/dev/nullb0"
BLOCK = 16384
SLICE = 0.1  # seconds: the kernel hands a limit's allowance out once in a slice
BPS = (500_000, 1_000_000, 2_000_000, 5_000_000, 10_000_000, 20_000_000)
IOPS = (10, 19, 50, 100, 200, 1000)
STAGES = [({"write_bps": BPS}, 1, 12), ({"write_bps": BPS}, 32, 13), ({"write_iops": IOPS}, 1, 8),
          ({"write_iops": IOPS}, 32, 9), ({"write_bps": BPS, "write_iops": IOPS}, 32, 8)]  # 50 changes
nodes = {}


def device():
    run("modprobe", "null_blk", "queue_mode=2", "gb=1")
    nodes["disk"] = wait_for(DEVICE, lambda: DEVICE if pathlib.Path(DEVICE).exists() else None)


def start():
    nodes["container"] = Container("c1", pathlib.Path("/tmp/c1"), {"disk": nodes["disk"]}, {}).start()


def sample():
    stat = pathlib.Path(f"/sys/class/block/{name_of(DEVICE)}/stat").read_text(encoding="ascii").split()
    return time.monotonic(), {"write_iops": int(stat[4]), "write_bps": int(stat[6]) * 512}


def watch(seconds):
    samples = [sample()]
    while samples[-1][0] - samples[0][0] < seconds:
        time.sleep(0.01)
        samples.append(sample())
    return samples


def busiest_second(samples, field):
    best = first = 0
    for when, done in samples:
        while when - samples[first][0] > 1:
            first += 1
        best = max(best, done[field] - samples[first][1][field])
    return best


def longest_pause(samples):
    """Where the machine itself stood still, for want of a processor on the host, no pause of the device was seen."""
    longest = pause = 0.0
    for (then, before), (when, after) in zip(samples, samples[1:]):
        pause = 0 if after != before else pause + min(when - then, 0.1)
        longest = max(longest, pause)
    return longest


def request_takes(limits):
    """Seconds between two requests by the tightest of these limits, but a slice at least."""
    return max([SLICE] + [BLOCK / value if field == "write_bps" else 1 / value for field, value in limits.items()])


def stage(fields, depth, count, chance):
    def pick(former):
        return {field: chance.choice([value for value in values if value != former.get(field)])
                for field, values in fields.items()}

    def set_limits(limits):
        words = [word for field, value in limits.items() for word in (f"--{field.replace('_', '-')}", value)]
        for _ in range(5):  # a machine without a processor for long may have the plugin miss its deadline
            began = time.monotonic()
            done = penstock("set", "c1:disk", *words)
            if not done["status"]:
                break
        return time.monotonic() - began, done

    limits = pick({})
    first = set_limits(limits)[1]
    if first["status"]:
        raise RuntimeError(first["error"])
    load = nodes["container"].load("/dev/disk", BLOCK, depth, "randwrite")
    try:
        idle = sample()[1]
        wait_for("load", lambda: sample()[1] != idle, 60)
        time.sleep(1)
        for _ in range(count):
            former, limits = limits, pick(limits)
            took, done = set_limits(limits)
            samples = watch(2.5)
            facts = {"version": VERSION, "depth": depth, "former": former, "limits": limits, "took": round(took, 2),
                     "status": done["status"], "error": done["error"],
                     "steps": len(done["disks"][0]["steps"]) if done.get("disks") else 0,
                     "busiest": {field: round(busiest_second(samples, field) / value, 2) for field, value in limits.items()},
                     "pause": round(longest_pause(samples), 2), "request_takes": round(request_takes(limits), 3)}
            result(**facts)
            say(*facts.values())
    finally:
        penstock("clear", "c1:disk")  # first, so that fio's last requests are not held back
        nodes["container"].unload(load)


def changes():
    chance = random.Random(61)
    for fields, depth, count in STAGES:
        stage(fields, depth, count, chance)


def limit_in_force():
    """Writes per second, as the kernel's file says; None: no limit."""
    group = nodes["container"].cgroup
    text = (group / ("blkio.throttle.write_iops_device" if VERSION == 1 else "io.max")).read_text(encoding="ascii").split()
    if not text:
        return None
    return int(text[-1] if VERSION == 1 else text[-1].removeprefix("wiops="))


def killed():
    """The program is killed on the way down."""
    def start_at(value):
        done = penstock("set", "c1:disk", "--write-iops", value)
        if done["status"]:
            raise RuntimeError(done["error"])
    start_at(100_000)
    nodes["container"].run("dd", "if=/dev/zero", "of=/dev/disk", "bs=4k", "count=1", "oflag=direct", "status=none")
    argv = [str(PROGRAM / "bin/penstock"), "--plugin-dir", str(PROGRAM / "plugins"), "set", "c1:disk", "--write-iops", "2"]
    with subprocess.Popen(argv) as program:
        while limit_in_force() == 100_000 and program.poll() is None:
            time.sleep(0.005)
        program.kill()
    between = limit_in_force()
    status = penstock("status")
    again = penstock("set", "c1:disk")
    reached = limit_in_force()
    cleared = penstock("clear", "c1:disk")
    result(event="killed", version=VERSION, between=between, verdict=status["limits"][0]["verdict"], again=again["status"],
           reached=reached, cleared=cleared["status"], left=limit_in_force())
    say("killed at", between, status["limits"][0]["verdict"])


def at_once():
    """What the same kernel does when the limit is simply written: that the load is one that would show the fault."""
    group = nodes["container"].cgroup
    number = sh(f"cat /sys/class/block/{name_of(DEVICE)}/dev").strip()

    def put(value):
        if VERSION == 1:
            (group / "blkio.throttle.write_iops_device").write_text(f"{number} {value}")
        else:
            (group / "io.max").write_text(f"{number} wiops={value or 'max'}")
    pause = busiest = 0.0
    for _ in range(5):
        put(1000)
        load = nodes["container"].load("/dev/disk", BLOCK, 32, "randwrite")
        idle = sample()[1]
        wait_for("load", lambda before=idle: sample()[1] != before, 60)
        time.sleep(1)
        put(10)
        samples = watch(2.5)
        pause, busiest = max(pause, longest_pause(samples)), max(busiest, busiest_second(samples, "write_iops") / 10)
        put(0)
        nodes["container"].unload(load)
    result(at_once=True, version=VERSION, pause=round(pause, 2), busiest=round(busiest, 2))
    say("at once: pause", pause, "busiest second", busiest)


def stop():
    nodes["container"].stop()


if __name__ == "__main__":
    main(device, start, changes, killed, at_once, stop)
