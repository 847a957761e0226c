# SPDX-License-Identifier: Apache-2.0
"""Direct I/O that goes on until it is stopped, inside a guest or a container."""
import itertools

_numbers = itertools.count(1)


class Load:
    """`where` has run(command). Each writer goes over its own part of the target, again and again."""

    def __init__(self, where, target, block=64 << 10, size=64 << 20, write=True, writers=2):
        self.where = where
        self.pidfile = f"/tmp/load.{next(_numbers)}"
        count = size // block // writers
        loops = []
        for writer in range(writers):
            if write:
                dd = f"dd if=/dev/zero of={target} bs={block} seek={writer * count} conv=notrunc oflag=direct"
            else:
                dd = f"dd if={target} of=/dev/null bs={block} skip={writer * count} iflag=direct"
            loops.append(f"while dd=1; do {dd} count={count} status=none || sleep 1; done &")
        script = f"echo $$ > {self.pidfile}\n" + "\n".join(loops) + "\nwait\n"
        where.run(f"cat > {self.pidfile}.sh <<'END'\n{script}END\n"
                  f"setsid sh {self.pidfile}.sh < /dev/null > {self.pidfile}.log 2>&1 &\n"
                  f"while [ ! -s {self.pidfile} ]; do usleep 10000; done")

    def stop(self):
        self.where.run(f"kill -9 -$(cat {self.pidfile}); rm -f {self.pidfile} {self.pidfile}.sh", check=False)

    def log(self):
        return self.where.run(f"cat {self.pidfile}.log", check=False)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()
