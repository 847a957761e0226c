#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""What makes of a weight of 1000 against one of 100 a share of ten to one, in the lab's machine with cgroup v2: a table, and JSON.

    sudo tests/bench/lab-weights.py [--out FILE]

About six minutes. The program is $PENSTOCK, or build/bin/penstock."""
import argparse
import json
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "lab"))
import machine  # noqa: E402 # of the lab


def table(rows):
    yield "| 240 requests a second, shared out by | depth 1 | depth 16 | served, depth 16 |"
    yield "|---|---|---|---|"
    for first, second in zip(rows[::2], rows[1::2]):
        ratios = [row["rates"][0] / max(row["rates"][1], 0.1) for row in (first, second)]
        yield f"| {first['setting']} | {ratios[0]:.1f} | {ratios[1]:.1f} | {sum(second['rates']):.0f} |"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=argparse.FileType("w"))
    options = parser.parse_args()
    report = machine.run("weight_table", "-c", "v2", "-D", "256M,virtio,240", seconds=900)
    rows = [each for each in report.results if "rates" in each]
    print("\n".join(table(rows)))
    if options.out:
        json.dump(rows, options.out, indent=1)
    if report.status:
        sys.exit(str(report))


if __name__ == "__main__":
    main()
