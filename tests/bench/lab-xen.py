#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Limits on guests of a real Xen, on cgroup v2 and v1: set, measured in the guest, error. A table, and JSON.

    sudo tests/bench/lab-xen.py [--cgroup v2] [--cgroup v1] [--out FILE]

About ten minutes. The program is $PENSTOCK, or build/bin/penstock."""
import argparse
import concurrent.futures
import json
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "lab"))
import machine  # noqa: E402 # of the lab


def number(field, value):
    return f"{value} iops" if field.endswith("iops") else f"{value / 1e6:.2f} MB/s"


def table(cells):
    yield "| disk | cgroup | unlimited | set | measured | error | verdict |"
    yield "|---|---|---|---|---|---|---|"
    for cell in cells:
        field = cell["field"]
        yield (f"| {cell['kind']} | v{cell['version']} | {number(field, cell['free'])} | {number(field, cell['rate'])} | "
               f"{number(field, cell['measured'])} | {cell['error_percent']:+.1f} % | {cell['verdict']} |")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cgroup", action="append", choices=["v2", "v1"])
    parser.add_argument("--out", type=argparse.FileType("w"))
    options = parser.parse_args()
    with concurrent.futures.ThreadPoolExecutor() as pool:
        reports = list(pool.map(lambda cgroup: machine.run("xen_figures", "-i", "xen", "-c", cgroup, "-m", "1280", "-D", "512M",
                                                           seconds=1800), options.cgroup or ["v2", "v1"]))
    cells = [each for report in reports for each in report.results if "error_percent" in each]
    print("\n".join(table(sorted(cells, key=lambda cell: cell["kind"]))))
    if options.out:
        json.dump(cells, options.out, indent=1)
    for report in reports:
        if report.status or any("problem" in each for each in report.results):
            sys.exit(str(report))


if __name__ == "__main__":
    main()
