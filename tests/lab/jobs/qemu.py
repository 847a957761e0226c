# SPDX-License-Identifier: Apache-2.0
"""A real QEMU started by hand, whose disk is written to by its monitor's `qemu-io`: the I/O takes the way of a guest's, through
QEMU's limiter and in QEMU's cgroup, and no guest needs to boot for it."""
import json
import pathlib
import socket
import time

from kit import run


class Qemu:
    def __init__(self, name, file, cache="none", prefix=()):
        self.name, socket_path = name, pathlib.Path("/run") / f"{name}.qmp"
        run(*prefix, "qemu-system-x86_64", "-name", name, "-m", "32", "-display", "none", "-nodefaults", "-accel", "tcg", "-S",
            "-qmp", f"unix:{socket_path}.own,server=on,wait=off", "-qmp", f"unix:{socket_path},server=on,wait=off", "-daemonize",
            "-pidfile", f"/run/{name}.pid", "-drive",
            f"file={file},format=raw,if=none,id=d0,cache={cache},aio={'native' if cache == 'none' else 'threads'}", "-device",
            "virtio-blk-pci,drive=d0,id=vd0")
        self._socket = socket.socket(socket.AF_UNIX)
        self._socket.connect(f"{socket_path}.own")
        self._lines = self._socket.makefile("r", encoding="utf-8")
        self._lines.readline()
        self.ask("qmp_capabilities")
        self._started = 0  # bytes handed over

    def ask(self, command, **arguments):
        self._socket.sendall(json.dumps({"execute": command, "arguments": arguments}).encode())
        while True:
            answer = json.loads(self._lines.readline())
            if "return" in answer or "error" in answer:
                return answer.get("return")

    def written(self):
        """Bytes that QEMU has written for its guest, as it counts them."""
        return self.ask("query-blockstats")[0]["stats"]["wr_bytes"]

    def waiting(self):
        return self.written() < self._started

    def hand_over(self, size, depth):
        """Keeps `depth` requests of `size` bytes waiting, over the first 4 MiB; what QEMU has written so far, and whether it is
        enough that waits."""
        passed = self.written()
        if self._started - passed >= depth * size:
            return passed, True
        self.ask("human-monitor-command", **{"command-line": f"qemu-io d0 \"aio_write -q {self._started % (4 << 20)} {size}\""})
        self._started += size
        return passed, False

    def load(self, seconds, size=128 << 10, depth=24):
        """Writes as much as it may: bytes per second that passed. The clock starts when enough wait, or after ten seconds, if
        nothing holds them back."""
        end, latest = None, time.monotonic() + 10
        while end is None or time.monotonic() < end:
            passed, waits = self.hand_over(size, depth)
            if end is None and (waits or time.monotonic() > latest):
                first, start = passed, time.monotonic()
                end = start + seconds
            elif waits:
                time.sleep(0.05)
        return (self.written() - first) / (time.monotonic() - start)

    def stop(self):
        self.ask("quit")
