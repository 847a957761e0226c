# SPDX-License-Identifier: Apache-2.0
"""One boot of the lab's guest with one job in it, and what the job found."""
import dataclasses
import json
import os
import pathlib
import shutil
import subprocess
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
PROGRAM = pathlib.Path(os.environ.get("PENSTOCK", HERE.parents[1] / "build" / "bin" / "penstock"))

DISKS = [word for _ in range(7) for word in ("-D", "1G")] + ["-D", "256M,nvme", "-D", "256M,nvme2"]  # what jobs/stacks.py builds on


@dataclasses.dataclass(frozen=True)
class Report:
    """What a job left: its results, one dictionary each, its exit status and what it printed."""
    job: str
    status: int
    results: list
    output: str

    def one(self, **wanted):
        """The result that has these fields; there must be one."""
        found = [each for each in self.results if wanted.items() <= each.items()]
        assert len(found) == 1, f"{len(found)} results of {wanted} in:\n{self}"
        assert "problem" not in found[0], f"{wanted}: {found[0]['problem']}"
        return found[0]

    def __str__(self):
        problems = [each for each in self.results if "problem" in each]
        return f"job {self.job}: status {self.status}\n{json.dumps(problems, indent=1)}\n{self.output[-6000:]}"


def run(job, *options, seconds=900):
    """Boots the machine with `run`'s options, runs jobs/JOB in it, powers it off."""
    with tempfile.TemporaryDirectory(prefix="penstock-lab-", dir="/var/tmp") as folder:
        share = pathlib.Path(folder)
        (share / "penstock" / "bin").mkdir(parents=True)
        (share / "penstock" / "plugins").mkdir()
        shutil.copy(PROGRAM, share / "penstock" / "bin")
        for file in (PROGRAM.parents[1] / "plugins").iterdir():
            if file.suffix in (".so", ".toml"):
                shutil.copy(file, share / "penstock" / "plugins")
        shutil.copytree(HERE / "jobs", share / "jobs")
        name, *arguments = job.split()
        done = subprocess.run([HERE / "run", "-t", str(seconds), "-d", share, *options,
                               f"python3 -B jobs/{name}.py {' '.join(arguments)}"], stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
        results = share / "results"
        lines = results.read_text(encoding="utf-8").splitlines() if results.exists() else []
        return Report(job, done.returncode, [json.loads(line) for line in lines], done.stdout)
