# SPDX-License-Identifier: Apache-2.0
"""The guest's kernel and initramfs, made once by tools/guest-image.sh."""
import os
import pathlib

from parts.process import run

SOURCE = pathlib.Path(__file__).resolve().parents[3]
COMMAND_LINE = "console=ttyS0 quiet panic=-1 mitigations=off"


class GuestImage:
    def __init__(self):
        self.folder = pathlib.Path(os.environ.get("PENSTOCK_HOST_CACHE", SOURCE / "build" / "host-cache"))
        run([SOURCE / "tools" / "guest-image.sh", self.folder], timeout=300)
        self.kernel = self.folder / "vmlinuz"
        self.initrd = self.folder / "initrd"
