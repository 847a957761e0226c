# SPDX-License-Identifier: Apache-2.0
"""Fixtures of the host tests. They need root; see tests/host/README.md."""
import itertools
import os
import shutil
import signal

import pytest

from parts.container import Container
from parts.guest_image import GuestImage
from parts.libvirt import Domain, LibvirtDaemon
from parts.loop import LoopDevice
from parts.penstock import Penstock
from parts.qemu import QemuGuest
from parts.workplace import Workplace

NEEDS = {
    "qemu": ["qemu-system-x86_64", "busybox", "cpio"],
    "libvirt": ["virsh", "libvirtd", "qemu-system-x86_64"],
    "lxc": ["lxc-start", "lxc-attach", "busybox"],
}
LONGEST = 150  # seconds that one test may take
PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"


def pytest_configure(config):
    for name, programs in NEEDS.items():
        config.addinivalue_line("markers", f"{name}: needs {', '.join(programs)}")
    config.addinivalue_line("markers", "fixtures: proves the fixtures themselves; needs no penstock")
    os.environ["PATH"] = PATH + ":" + os.environ.get("PATH", "")
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # as Ctrl-C does: all parts are removed
    signal.signal(signal.SIGALRM, _too_long)


def _too_long(*_):
    raise TimeoutError(f"the test took more than {LONGEST} s")


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_call():
    signal.alarm(LONGEST)
    yield
    signal.alarm(0)


def pytest_runtest_setup(item):
    missing = []
    if os.geteuid() != 0:
        missing.append("root")
    if not os.path.exists("/dev/loop-control"):
        missing.append("loop devices")
    for name, programs in NEEDS.items():
        if item.get_closest_marker(name):
            missing += [program for program in programs if not shutil.which(program)]
    if missing:
        said = f"this host lacks: {', '.join(missing)} (tools/setup.sh installs the programs)"
        (pytest.fail if os.environ.get("CI") == "true" else pytest.skip)(said)


@pytest.fixture(scope="session")
def workplace():
    place = Workplace()
    yield place
    place.remove()


@pytest.fixture(scope="session")
def guest_image():
    return GuestImage()


@pytest.fixture(scope="session")
def unique(workplace):
    """Names that no other test run has: unique('db') -> penstock-test-x8f2-db-1."""
    numbers = itertools.count(1)
    return lambda noun: f"{workplace.tag}-{noun}-{next(numbers)}"


@pytest.fixture(scope="module")
def parts(workplace, guest_image, unique, request):
    """Makes parts and removes them, last made first, at the end of the module."""
    return _Maker(workplace, guest_image, unique, request)


class _Maker:
    def __init__(self, workplace, image, unique, request):
        self._place, self._image, self._unique, self._request = workplace, image, unique, request

    def loop(self, **options):
        loop = LoopDevice(self._place.folder, self._unique("loop"), **options)
        self._request.addfinalizer(loop.remove)
        return loop

    def _path(self, name):
        return self._place.folder / name

    def qemu(self, disks=2, name=None, boot=True, **options):
        loops = [self.loop() for _ in range(disks)]
        own = self._unique("qemu")
        guest = QemuGuest(self._path(own), name or own, self._image, [loop.path for loop in loops], **options)
        guest.loops = loops
        self._request.addfinalizer(guest.stop)
        guest.start()
        return guest.boot() if boot else guest

    def domain(self, disks=1, boot=True):
        loops = [self.loop() for _ in range(disks)]
        name = self._unique("domain")
        domain = Domain(self._path(name), name, self._image, [loop.path for loop in loops])
        domain.loops = loops
        self._request.addfinalizer(domain.stop)
        domain.start()
        return domain.boot() if boot else domain

    def container(self, unprivileged=False, own_root=False, disks=0, name=None):
        loops = [self.loop() for _ in range(disks)]
        root = self.loop() if own_root else None
        container = Container(self._path("lxc"), name or self._unique("lxc"), unprivileged,
                              root and root.path, [loop.path for loop in loops])
        container.loops, container.root_loop = loops, root
        self._request.addfinalizer(container.stop)
        return container.start()


@pytest.fixture(scope="session")
def penstock(workplace):
    try:
        return Penstock(workplace.folder)
    except FileNotFoundError as missing:
        pytest.fail(f"{missing}: build it, or set PENSTOCK")


@pytest.fixture(scope="session")
def libvirtd(workplace):
    daemon = LibvirtDaemon(workplace.folder)
    yield daemon.start()
    daemon.stop()
