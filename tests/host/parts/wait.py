# SPDX-License-Identifier: Apache-2.0
"""Waiting with a deadline."""
import time


class WaitTimeout(AssertionError):
    pass


def wait_for(condition, what, seconds=10.0, every=0.05):
    """Calls condition() until it gives something true, and returns that."""
    end = time.monotonic() + seconds
    while True:
        value = condition()
        if value:
            return value
        if time.monotonic() >= end:
            raise WaitTimeout(f"waited {seconds:g} s for {what}")
        time.sleep(every)
