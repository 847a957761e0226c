#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""How exactly limits hold, on cgroup v2 and v1 of the lab's machine: a table, and JSON.

    sudo tests/bench/lab-accuracy.py [--cgroup v2] [--cgroup v1] [--out FILE]

About half an hour, both at once. The program is $PENSTOCK, or build/bin/penstock."""
import argparse
import concurrent.futures
import json
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "lab"))
import machine  # noqa: E402 # of the lab

COLUMNS = [(version, depth) for version in (2, 1) for depth in (1, 32)]


def rate_of(cell):
    if cell["field"].endswith("iops"):
        return f"{cell['rate']} iops"
    return f"{cell['rate'] // 10**6} MB/s"


def text_of(cell):
    if not cell:
        return ""
    spread = "" if cell["cv_percent"] is None else f" / {cell['cv_percent']:.1f}"
    return f"{cell['error_percent']:+.1f}{spread}" + ("" if cell["verdict"] == "enforced" else f" ({cell['verdict']})")


def table(cells):
    """One line for each stack, engine, limit and block size."""
    lines = {}
    for cell in cells:
        key = (cell["stack"], cell["engine"], rate_of(cell), f"{cell['block_kib']} KiB")
        lines.setdefault(key, {})[cell["version"], cell["depth"]] = cell
    yield "| stack | engine | limit | block | v2, depth 1 | v2, depth 32 | v1, depth 1 | v1, depth 32 |"
    yield "|---|---|---|---|---|---|---|---|"
    for key, found in lines.items():
        yield "| " + " | ".join([*key, *(text_of(found.get(column)) for column in COLUMNS)]) + " |"


def summary(cells):
    enforced = [cell for cell in cells if cell["verdict"] == "enforced"]
    beyond = {limit: [cell for cell in enforced if abs(cell["error_percent"]) > limit] for limit in (2, 10)}
    yield f"{len(cells)} cells, {len(enforced)} enforced; off by more than 2 %: {len(beyond[2])}, by more than 10 %: {len(beyond[10])}"
    for cell in beyond[2]:
        yield f"  v{cell['version']} {cell['stack']} {cell['engine']} {rate_of(cell)} {cell['block_kib']} KiB depth {cell['depth']}: " \
              f"{cell['error_percent']:+.1f} %"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cgroup", action="append", choices=["v2", "v1"])
    parser.add_argument("--out", type=argparse.FileType("w"))
    options = parser.parse_args()
    with concurrent.futures.ThreadPoolExecutor() as pool:
        reports = list(pool.map(lambda cgroup: machine.run("accuracy", "-c", cgroup, *machine.DISKS, seconds=3600),
                                options.cgroup or ["v2", "v1"]))
    cells = [each for report in reports for each in report.results if "error_percent" in each]
    print("\n".join([*table(cells), "", *summary(cells)]))
    if options.out:
        json.dump(cells, options.out, indent=1)
    for report in reports:
        if report.status or any("problem" in each for each in report.results):
            sys.exit(str(report))


if __name__ == "__main__":
    main()
