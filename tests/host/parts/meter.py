# SPDX-License-Identifier: Apache-2.0
"""Rates as the block layer counts them, from /sys/class/block/NAME/stat: a source independent of cgroups and QEMU."""
import dataclasses
import os
import time

SECTOR = 512


@dataclasses.dataclass(frozen=True)
class Sample:
    time: float
    read_ios: int
    read_bytes: int
    write_ios: int
    write_bytes: int


@dataclasses.dataclass(frozen=True)
class Rates:
    seconds: float
    read_bps: float
    write_bps: float
    read_iops: float
    write_iops: float

    def __str__(self):
        return (f"over {self.seconds:.1f} s: read {self.read_bps / 1e6:.3f} MB/s {self.read_iops:.1f} iops, "
                f"write {self.write_bps / 1e6:.3f} MB/s {self.write_iops:.1f} iops")


def sample(device):
    with open(f"/sys/class/block/{os.path.basename(device)}/stat", encoding="ascii") as file:
        now = time.monotonic()
        fields = [int(word) for word in file.read().split()]
    return Sample(now, fields[0], fields[2] * SECTOR, fields[4], fields[6] * SECTOR)


def between(first, last):
    seconds = last.time - first.time
    return Rates(seconds, (last.read_bytes - first.read_bytes) / seconds,
                 (last.write_bytes - first.write_bytes) / seconds, (last.read_ios - first.read_ios) / seconds,
                 (last.write_ios - first.write_ios) / seconds)


class Measurement:
    """Samples a device every 100 ms for some seconds."""

    def __init__(self, device, seconds, every=0.1):
        self.samples = [sample(device)]
        end = self.samples[0].time + seconds
        tick = self.samples[0].time
        while self.samples[-1].time < end:
            tick += every
            time.sleep(max(0.0, tick - time.monotonic()))
            self.samples.append(sample(device))

    @property
    def mean(self):
        return between(self.samples[0], self.samples[-1])

    def windows(self, seconds=1.0):
        """The rates of each whole window of so many seconds."""
        found, first = [], self.samples[0]
        for current in self.samples[1:]:
            if current.time - first.time >= seconds - 0.02:
                found.append(between(first, current))
                first = current
        return found


def measure(device, seconds=10.0):
    return Measurement(device, seconds).mean
