# SPDX-License-Identifier: Apache-2.0
"""Costs as a table, each against the peer that it is compared with."""


def show(title, costs, peer=None):
    print(f"\n{title}")
    print(f"  {'':44}{'wall ms':>10}{'CPU ms':>10}{'RSS MiB':>10}{'wall ratio':>12}{'CPU ratio':>11}")
    for name, cost in costs.items():
        ratios = ""
        if peer and name != peer:
            ratios = f"{_ratio(cost.wall_ms, costs[peer].wall_ms):>12}{_ratio(cost.cpu_ms, costs[peer].cpu_ms):>11}"
        failed = f"  FAILED: status {cost.status}" if cost.status else ""
        print(f"  {name:44}{cost.wall_ms:10.2f}{cost.cpu_ms:10.2f}{cost.rss_mib:10.1f}{ratios}{failed}")


def _ratio(mine, other):
    return f"{mine / other:.2f}" if other else "-"
