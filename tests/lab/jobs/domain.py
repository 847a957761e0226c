# SPDX-License-Identifier: Apache-2.0
"""A real Xen guest, and dom0's services that it needs."""
import os
import pathlib
import re
import select
import termios
import time

from kit import run, sh, wait_for


def start_xen():
    # Xen's block script waits for ever where there is no /dev/stdin.
    sh("ln -sfn /proc/self/fd /dev/fd; ln -sf fd/0 /dev/stdin; ln -sf fd/1 /dev/stdout; ln -sf fd/2 /dev/stderr; "
       "modprobe -a xen-evtchn xen-gntdev xen-gntalloc xen-privcmd xenfs xen-blkback loop; "
       "mkdir -p /var/log/xen/console; /etc/init.d/xen start >/dev/null 2>&1")
    wait_for("xenstore", lambda: run("xenstore-read", "/local/domain/0/name", check=False))


class Domain:
    """A paravirtual one of 128 MB whose only process is a shell on the console. `disks` are lines of xl's configuration."""

    def __init__(self, name, *disks):
        self.name = name
        self.config = pathlib.Path(f"/etc/xen/{name}.cfg")
        self.config.write_text(f'name = "{name}"\nkernel = "/boot/guest-kernel"\nramdisk = "/boot/guest-initrd"\n'
                               'extra = "console=hvc0 loglevel=4 panic=-1"\nmemory = 128\nvcpus = 1\n'
                               f"disk = {list(disks)}\non_reboot = \"restart\"\n", encoding="ascii")

    def start(self):
        run("xl", "create", self.config, timeout=120)
        return self.ready()

    def ready(self):
        wait_for(f"shell of {self.name}", self.answers, 90)
        return self

    def answers(self):
        try:
            return self.run("true", 4) is not None
        except (OSError, RuntimeError):  # no console yet, or nobody at it
            return False

    def domid(self):
        return run("xl", "domid", self.name, check=False).strip()

    def reboot(self):
        before = self.domid()
        run("xl", "reboot", self.name)
        wait_for("reboot", lambda: self.domid() not in ("", before), 60)
        return self.ready()

    def run(self, command, seconds=120.0):
        """Output of a command that was typed at the guest's console; it must end with status 0."""
        console = run("xenstore-read", f"/local/domain/{self.domid()}/console/tty").strip()
        terminal = os.open(console, os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK)
        try:
            settings = termios.tcgetattr(terminal)
            settings[0] = settings[1] = settings[3] = 0  # bytes as they are, and no echo
            termios.tcsetattr(terminal, termios.TCSANOW, settings)
            termios.tcflush(terminal, termios.TCIOFLUSH)
            mark = f"{time.monotonic_ns()}"
            # Quotes inside the marks: what is typed is not what is printed.
            line = f"echo BE''GIN{mark}; ({command}) </dev/null 2>&1; echo E''ND{mark} $?\n".encode()
            for part in range(0, len(line), 100):  # the console's ring is small
                os.write(terminal, line[part:part + 100])
                time.sleep(0.02)
            seen, end = b"", time.monotonic() + seconds
            answer = re.compile(rb"BEGIN%s\r*\n(.*?)END%s (\d+)" % (mark.encode(), mark.encode()), re.S)
            while time.monotonic() < end:
                if select.select([terminal], [], [], 0.2)[0]:
                    seen += os.read(terminal, 65536)
                found = answer.search(seen)
                if found:
                    text = found[1].decode(errors="replace").replace("\r", "")
                    if found[2] != b"0":
                        raise RuntimeError(f"{self.name}: {command}: status {int(found[2])}: {text}")
                    return text
            raise RuntimeError(f"{self.name}: {command}: no answer after {seconds} s: {seen[-500:]!r}")
        finally:
            os.close(terminal)

    def rate(self, disk, way, mib):
        """Bytes per second of direct I/O inside the guest."""
        words = f"if=/dev/zero of=/dev/{disk} oflag=direct" if way == "write" else f"if=/dev/{disk} of=/dev/null iflag=direct"
        text = self.run(f"cut -d' ' -f1 /proc/uptime; dd {words} bs=256k count={mib * 4} 2>/dev/null; "
                        "cut -d' ' -f1 /proc/uptime", 200)
        begin, end = (float(word) for word in text.split())
        return mib * (1 << 20) / max(end - begin, 0.01)
