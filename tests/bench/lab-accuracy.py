#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""How exactly limits hold, on cgroup v2 and v1 of the lab's machine: a table, and JSON.

    sudo tests/bench/lab-accuracy.py [--cgroup v2] [--cgroup v1] [--out FILE]

About a quarter of an hour. The program is $PENSTOCK, or build/bin/penstock."""
import argparse
import json
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "lab"))
import machine  # noqa: E402 # of the lab


def rate_of(cell):
    if cell["field"].endswith("iops"):
        return f"{cell['rate']} iops"
    return f"{cell['rate'] // 10**6} MB/s"


def table(cells):
    """One line a stack, rate and block size; columns: each depth's error and coefficient of variation, both in percent."""
    lines = {}
    for cell in cells:
        key = (f"v{cell['version']}", cell["stack"], rate_of(cell), f"{cell['block_kib']} KiB")
        lines.setdefault(key, {})[cell["depth"]] = f"{cell['error_percent']:+.1f} / {cell['cv_percent']:.1f}"
    yield "| cgroup | stack | limit | block | depth 1: error % / CV % | depth 32 |"
    yield "|---|---|---|---|---|---|"
    for key, depths in lines.items():
        yield "| " + " | ".join([*key, depths.get(1, "-"), depths.get(32, "-")]) + " |"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cgroup", action="append", choices=["v2", "v1"])
    parser.add_argument("--out", type=argparse.FileType("w"))
    options = parser.parse_args()
    cells, failed = [], False
    for cgroup in options.cgroup or ["v2", "v1"]:
        report = machine.run("accuracy", "-c", cgroup, *machine.DISKS, seconds=1800)
        cells += [each for each in report.results if "error_percent" in each]
        if report.status:
            failed = True
            print(report, file=sys.stderr)
    print("\n".join(table(cells)))
    if options.out:
        json.dump(cells, options.out, indent=1)
    sys.exit(failed)


if __name__ == "__main__":
    main()
