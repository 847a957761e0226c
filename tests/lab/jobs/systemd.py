# SPDX-License-Identifier: Apache-2.0
"""systemd and libvirt beside the program, on cgroup v2: who takes a limit away, and does `status` notice?

Three instances, each with a disk of its own: a QEMU started by hand in a scope, a libvirt domain in machined's scope, an
LXC container. Guests need no operating system here: their firmware is enough to keep them alive."""
import pathlib

from kit import main, number, penstock, result, run, say, sh, wait_for
from qemu import Qemu

RATE = 2_000_000
ADDRESSES = {}  # instance: (address, device)


def limit_files():
    """{cgroup: what the kernel holds there} of every cgroup that has a limit."""
    found = {}
    for file in pathlib.Path("/sys/fs/cgroup").rglob("io.max"):
        text = file.read_text(encoding="ascii").strip()
        if text:
            found[str(file.parent)] = text
    return found


def held(device):
    """Does any cgroup hold the limit on this device, with its value?"""
    return any(line.split()[0] == number(device) and f"wbps={RATE}" in line.split()
               for text in limit_files().values() for line in text.splitlines())


def hand():
    Qemu("hand1", "/dev/vdb", prefix=["systemd-run", "-q", "--scope", "--unit=vm1"])
    ADDRESSES["hand"] = ("hand1", "/dev/vdb")


def domain():
    run("systemctl", "start", "libvirtd", timeout=120)
    pathlib.Path("/tmp/d.xml").write_text(
        "<domain type='qemu'><name>dom1</name><memory unit='MiB'>32</memory><vcpu>1</vcpu><os><type>hvm</type></os><devices>"
        "<emulator>/usr/bin/qemu-system-x86_64</emulator><disk type='block' device='disk'>"
        "<driver name='qemu' type='raw' cache='none'/><source dev='/dev/vdc'/><target dev='vda' bus='virtio'/></disk>"
        "<memballoon model='none'/></devices></domain>", encoding="ascii")
    run("virsh", "-q", "create", "/tmp/d.xml", timeout=240)
    ADDRESSES["libvirt"] = ("dom1", "/dev/vdc")


def container():
    base = pathlib.Path("/var/lib/lxc/c1")
    (base / "root").mkdir(parents=True)
    run("mkfs.ext4", "-q", "/dev/vdd")
    sh(f"mkdir /srv/c1; mount /dev/vdd /srv/c1; mkdir /srv/c1/u /srv/c1/w; "
       f"mount -t overlay overlay -o lowerdir=/,upperdir=/srv/c1/u,workdir=/srv/c1/w {base}/root")
    (base / "config").write_text(
        f"lxc.rootfs.path = dir:{base}/root\nlxc.uts.name = c1\nlxc.init.cmd = /bin/sleep infinity\nlxc.net.0.type = empty\n"
        "lxc.mount.auto = proc:mixed sys:mixed\nlxc.apparmor.profile = unconfined\n", encoding="ascii")
    run("lxc-start", "-n", "c1")
    wait_for("init", lambda: run("lxc-info", "-n", "c1", "-pH").strip())
    ADDRESSES["lxc"] = ("c1:rootfs", "/dev/vdd")


def state(event):
    """What the kernel holds and what the program says, for each instance."""
    said = penstock("status")
    files = limit_files()
    for instance, (address, device) in ADDRESSES.items():
        name = address.split(":")[0]
        lines = [line for line in said.get("limits", []) if line["name"] == name]
        verdict = lines[0]["verdict"] if lines else None
        facts = {"event": event, "instance": instance, "held": held(device), "verdict": verdict, "files": files,
                 "status": said["status"]}
        result(**facts)
        say(event, instance, "held" if facts["held"] else "NOT held", verdict)
    say(files)


def limits():
    for instance, (address, _) in ADDRESSES.items():
        done = penstock("set", address, "--write-bps", RATE, "--via", "cgroup", "--adopt")
        result(event="set", instance=instance, set_status=done["status"], error=done["error"])
        say("set", instance, done["status"], done["error"])
    state("after set")


def daemon_reload():
    run("systemctl", "daemon-reload", timeout=120)
    state("daemon-reload")


def again():
    for address, _ in ADDRESSES.values():
        penstock("set", address)
    state("set again")


def new_unit():
    run("systemd-run", "-q", "--unit=other", "--slice=machine", "sleep", "1000")
    run("systemd-run", "-q", "--unit=other2", "-p", "MemoryMax=1G", "sleep", "1000")
    state("new units")


def set_property():
    """systemd is told of a limit on the same device for the scopes that are its own."""
    scopes = {"hand": "vm1.scope", "libvirt": sh("systemctl list-units --plain --no-legend 'machine-qemu*' | "
                                                 "awk '{print $1; exit}'").strip()}
    for instance, scope in scopes.items():
        done = sh(f"systemctl set-property --runtime '{scope}' 'IOWriteBandwidthMax={ADDRESSES[instance][1]} 3M'", check=False)
        say(scope, done)
    state("set-property")


def without_domain():
    """As long as libvirt's scope is there, systemd keeps the io controller for the whole host; after that it does not."""
    address, _ = ADDRESSES.pop("libvirt")
    done = penstock("clear", address)
    result(event="clear", instance="libvirt", clear_status=done["status"], error=done["error"])
    run("virsh", "-q", "destroy", "dom1")
    for address, _ in ADDRESSES.values():
        penstock("set", address)
    run("systemctl", "daemon-reload", timeout=120)
    state("daemon-reload without a domain")


def cleared():
    for instance, (address, _) in ADDRESSES.items():
        done = penstock("clear", address)
        result(event="clear", instance=instance, clear_status=done["status"], error=done["error"])
        say("clear", instance, done["status"], done["error"])
    say(limit_files())


if __name__ == "__main__":
    main(hand, domain, container, limits, new_unit, daemon_reload, again, set_property, without_domain, cleared)
