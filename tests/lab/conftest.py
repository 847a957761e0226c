# SPDX-License-Identifier: Apache-2.0
"""The lab's machines. Each boots once, as many at a time as there are processors; the tests look at what it reported."""
import concurrent.futures
import os
import subprocess

import pytest

import machine

MACHINES = {  # by name: the job, and how it is booted
    "stacks v2": ("stacks", "-c", "v2", *machine.DISKS),
    "stacks v1": ("stacks", "-c", "v1", *machine.DISKS),
    "lowering v2": ("lowering", "-c", "v2", "-t", "900"),
    "lowering v1": ("lowering", "-c", "v1", "-t", "900"),
    "release v2": ("release", "-c", "v2"),
    "release v1": ("release", "-c", "v1"),
    "changes v2": ("changes", "-c", "v2", "-D", "256M", "-D", "256M"),
    "changes v1": ("changes", "-c", "v1", "-D", "256M", "-D", "256M"),
    "systemd v2": ("systemd", "-c", "v2", "-s", "-D", "256M", "-D", "256M", "-D", "256M"),
    "weights v2": ("weights", "-c", "v2", "-D", "256M", "-D", "256M", "-D", "512M", "-D", "256M,virtio,240"),
    "xen v2": ("xen", "-i", "xen", "-c", "v2", "-m", "1280", "-D", "256M"),
    "xen v1": ("xen", "-i", "xen", "-c", "v1", "-m", "1280", "-D", "256M"),
}


def pytest_sessionstart():
    if os.geteuid() != 0:
        pytest.exit("the lab needs root", 1)
    if not machine.PROGRAM.exists():
        pytest.exit(f"no {machine.PROGRAM}: build it, or set PENSTOCK", 1)


@pytest.fixture(scope="session")
def reports(request):
    """{"stacks v2": a function that waits for that machine's report}, for the machines that tests of this run ask for."""
    wanted = {item.callspec.params["machine_name"] for item in request.session.items if hasattr(item, "callspec")}
    for image in {"xen" if name.startswith("xen") else "kernel" for name in wanted}:
        subprocess.run([machine.HERE / "build", image], check=True, stdin=subprocess.DEVNULL)
    at_once = int(os.environ.get("PENSTOCK_LAB_MACHINES", os.cpu_count() or 1))
    with concurrent.futures.ThreadPoolExecutor(at_once) as pool:
        yield {name: pool.submit(machine.run, *MACHINES[name]) for name in MACHINES if name in wanted}


@pytest.fixture
def report(reports, machine_name):
    return reports[machine_name].result()
