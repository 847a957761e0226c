# SPDX-License-Identifier: Apache-2.0
"""The program under test."""
import dataclasses
import json
import os
import pathlib
import shutil
import subprocess
import time

from parts import cgroup
from parts.guest_image import SOURCE

# Exit statuses
OK, FAILURE, USAGE, NO_SUCH, GONE, REFUSED, NOT_IN_FORCE, PERMISSION = range(8)


@dataclasses.dataclass(frozen=True)
class Result:
    argv: list
    status: int
    out: str
    err: str
    seconds: float

    @property
    def json(self):
        return json.loads(self.out)

    def __str__(self):
        return f"{' '.join(self.argv)}: status {self.status}, {self.seconds:.3f} s\n{self.out}{self.err}"


def _copy(source, target, mode):
    shutil.copyfile(source, target)
    target.chmod(mode)


class Penstock:
    """Copied with its plugins to a folder of root's: a checkout may belong to anybody, and such plugins are refused."""

    def __init__(self, folder):
        self.source = pathlib.Path(os.environ.get("PENSTOCK", SOURCE / "build" / "bin" / "penstock"))
        self.run_dir = folder / "run"
        self.program = folder / "penstock" / "bin" / "penstock"
        self.program.parent.mkdir(parents=True)
        (folder / "penstock" / "plugins").mkdir()
        _copy(self.source, self.program, 0o755)
        _copy(self.source.with_name("penstock-plugin-host"), self.program.with_name("penstock-plugin-host"), 0o755)
        for file in (self.source.parents[1] / "plugins").iterdir():
            if file.suffix in (".so", ".toml"):
                _copy(file, folder / "penstock" / "plugins" / file.name, 0o644)

    def run(self, *arguments, status=OK, timeout=30):
        """Runs it and expects an exit status (None: any)."""
        argv = [str(self.program), "--run-dir", str(self.run_dir), *map(str, arguments)]
        start = time.monotonic()
        done = subprocess.run(argv, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=timeout,
                              check=False)
        result = Result(argv, done.returncode, done.stdout, done.stderr, time.monotonic() - start)
        assert status is None or result.status == status, f"expected status {status}: {result}"
        return result

    def json(self, *arguments, **options):
        return self.run(*arguments, "--json", **options).json

    def set(self, address, *limits, via=None, status=OK):
        arguments = ["set", address, *limits]
        if via:
            arguments += ["--via", via]
        if via == "cgroup" and cgroup.version() == 2:
            arguments.append("--adopt")  # there a process leaves its other controllers too, so it is asked for
        return self.run(*arguments, status=status)

    def clear(self, address, *fields, status=OK):
        return self.run("clear", address, *fields, status=status)

    def instances(self):
        return self.json("list")["instances"]

    def instance(self, name):
        """The instance of that name or id, which must be there once."""
        found = [one for one in self.instances() if name in (one["name"], one["id"])]
        assert len(found) == 1, f"{name!r} is listed {len(found)} times: {[one['name'] for one in self.instances()]}"
        return found[0]

    def address(self, name, loop):
        """INSTANCE:DISK of the disk that lies on a loop device, as `list` tells."""
        return f"{name}:{self.disk(name, loop)['target']}"

    def disk(self, name, loop):
        disks = self.instance(name)["disks"]
        found = [disk for disk in disks if disk["device_number"] == loop.number]
        assert len(found) == 1, f"{loop.path} {loop.number} is not the device of one disk: {json.dumps(disks, indent=1)}"
        return found[0]
