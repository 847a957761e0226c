# SPDX-License-Identifier: Apache-2.0
"""Does a limit hold? Measured at the block layer while a load runs."""
import time

import pytest

from parts.meter import Measurement

TOLERANCE = 0.05
SETTLE = 1.5  # QEMU lets a tenth of a second's worth go at once, the kernel ends a slice


def assert_rate(loop, wanted, field="write_bps", seconds=10.0, settle=SETTLE):
    """The mean over `seconds` is within 5 % of what was set."""
    time.sleep(settle)
    measured = Measurement(loop.path, seconds)
    windows = ", ".join(f"{getattr(rates, field):.4g}" for rates in measured.windows())
    assert getattr(measured.mean, field) == pytest.approx(wanted, rel=TOLERANCE), f"{measured.mean}; by second: {windows}"


def assert_faster(loop, than, field="write_bps", seconds=1.5, settle=0.5):
    """Nothing holds the load at `than` any more."""
    time.sleep(settle)
    mean = Measurement(loop.path, seconds).mean
    assert getattr(mean, field) > than * 1.5, str(mean)
