# SPDX-License-Identifier: Apache-2.0
"""Every kind of stack below a container's disk: set a limit on it with the program, and measure what passes.

The machine has seven empty virtio disks of 1 GiB, vdb to vdh, an NVMe one, and one that two
NVMe controllers lead to. The container has a stack as a device node
or as a mount; last, QEMUs started by hand take its place."""
import pathlib
import time

from container import Container
from kit import VERSION, main, name_of, number, penstock, result, run, say, sh, wait_for, written
from qemu import Qemu

WRITE, READ = 1_000_000, 1_500_000  # bytes per second
nodes, mounts, devices = {}, {}, {}  # by the stack's name; devices: where the limit must act


def node(name, device, acts_on=None):
    nodes[name], devices[name] = device, acts_on or device


def folder(name, device, acts_on=None):
    """A mount with a file of 40 MiB of its own, laid out before anybody is limited."""
    where = pathlib.Path("/srv") / name
    where.mkdir(parents=True)
    run("mount", device, where)
    fill(where / "file")
    mounts[name], devices[name] = where, acts_on or device


def fill(path, size=40):
    run("dd", "if=/dev/zero", f"of={path}", "bs=1M", f"count={size}", "oflag=direct", "status=none")


def partition(disk, count):
    lines = "label: gpt\\n" + "size=200M\\n" * count
    sh(f"printf '{lines}' | sfdisk -q {disk}; udevadm settle")


def disks():
    node("disk", "/dev/vdb")
    two = {path.name for path in pathlib.Path("/sys/class/nvme-subsystem").glob("*/nvme*n1")}  # elsewhere for one controller
    one = {path.name for path in pathlib.Path("/sys/block").glob("nvme?n1")} - two
    node("nvme", f"/dev/{one.pop()}")
    node("nvme-multipath", f"/dev/{two.pop()}")
    partition("/dev/vdc", 4)
    node("partition", "/dev/vdc1", "/dev/vdc")


def file_systems():
    run("mkfs.ext4", "-q", "/dev/vdc2")
    folder("ext4", "/dev/vdc2", "/dev/vdc")
    run("mkfs.xfs", "-q", "-f", "/dev/vdh")
    folder("xfs", "/dev/vdh")
    run("mkfs.btrfs", "-q", "/dev/vdc4")
    folder("btrfs", "/dev/vdc4", "/dev/vdc")


def lvm():
    sh("vgcreate -qq vg /dev/vdd")
    for name in ("linear", "origin", "below", "looped"):
        sh(f"lvcreate -qq -y -Wn -L 48M -n {name} vg")
    sh("lvcreate -qq -y -s -L 48M -n kept vg/origin; lvcreate -qq -y -L 100M -T vg/pool; "
       "lvcreate -qq -y -Wn -V 48M -T vg/pool -n thin")
    fill("/dev/vg/thin")
    node("linear", "/dev/vg/linear")
    node("origin", "/dev/vg/origin")
    node("snapshot", "/dev/vg/kept")
    node("thin", "/dev/vg/thin")


def crypt():
    partition("/dev/vde", 4)
    sh("head -c 32 /dev/urandom > /tmp/key")
    plain = "cryptsetup open --type plain --cipher aes-xts-plain64 --key-size 256 --key-file /tmp/key"
    sh(f"{plain} /dev/vg/below crypt-on-lv; {plain} /dev/vde1 below-lv; pvcreate -qq /dev/mapper/below-lv; "
       "vgcreate -qq vgc /dev/mapper/below-lv; lvcreate -qq -y -Wn -L 48M -n lv vgc")
    node("crypt-on-lv", "/dev/mapper/crypt-on-lv")
    node("lv-on-crypt", "/dev/vgc/lv")


def md():
    for disk in ("/dev/vdf", "/dev/vdg"):
        partition(disk, 3)
    sh("mdadm -q --create /dev/md0 --run --level=0 --raid-devices=2 /dev/vdf1 /dev/vdg1; "
       "mdadm -q --create /dev/md1 --run --level=1 --assume-clean --raid-devices=2 /dev/vdf2 /dev/vdg2")
    node("raid0", "/dev/md0")
    node("raid1", "/dev/md1")


def btrfs_of_two():
    run("mkfs.btrfs", "-q", "-f", "-d", "raid0", "-m", "raid1", "/dev/vdf3", "/dev/vdg3")
    folder("btrfs-two", "/dev/vdf3")
    devices["btrfs-two"] = None  # no device alone is the right one


def multipath():
    pathlib.Path("/etc/multipath.conf").write_text("defaults {\n find_multipaths no\n}\nblacklist {\n devnode \"^vd\"\n}\n",
                                                   encoding="ascii")
    sh("modprobe scsi_debug add_host=2 vpd_use_hostno=0 dev_size_mb=48; modprobe dm-multipath; udevadm settle; multipathd")
    path = wait_for("multipath map", lambda: sh("dmsetup ls --target multipath | awk '/^[^N]/{print $1; exit}'").strip())
    node("multipath", f"/dev/mapper/{path}")


def bcache():
    sh("modprobe bcache; make-bcache -B /dev/vde2 -C /dev/vde3 >/dev/null; "
       "for d in vde2 vde3; do echo /dev/$d > /sys/fs/bcache/register 2>/dev/null || true; done")
    wait_for("/dev/bcache0", lambda: pathlib.Path("/dev/bcache0").exists())
    node("bcache", "/dev/bcache0")


def memory_disks():
    sh("modprobe brd rd_nr=1 rd_size=49152; modprobe null_blk nr_devices=1 gb=1; modprobe zram; echo 64M > /sys/block/zram0/disksize")
    node("zram", "/dev/zram0")
    node("brd", "/dev/ram0")
    node("null_blk", "/dev/nullb0")


def loops():
    run("modprobe", "loop")
    for name, options in (("loop", ""), ("loop-direct", "--direct-io=on")):
        image = f"/srv/ext4/{name}.img"
        fill(image)
        node(name, sh(f"losetup -f --show {options} {image}").strip())
    node("loop-on-lv", sh("losetup -f --show /dev/vg/looped").strip())


def served_by_others():
    """File systems whose I/O another process does, or the kernel in its own name: a limit on the container does nothing."""
    for name in ("fuse", "nfs"):
        pathlib.Path("/srv/xfs", name).mkdir()
        pathlib.Path("/srv", name).mkdir()
        fill(f"/srv/xfs/{name}/file")
        mounts[name], devices[name] = pathlib.Path("/srv", name), None
    run("modprobe", "fuse")
    run("bindfs", "/srv/xfs/fuse", "/srv/fuse")
    sh("mount -t nfsd nfsd /proc/fs/nfsd; mkdir -p /var/lib/nfs/v4recovery; ip link set lo up; "
       "exportfs -o rw,no_root_squash,insecure,fsid=0,no_subtree_check 127.0.0.1:/srv/xfs/nfs; rpc.nfsd -N 3 -V 4 -G 10 -L 10 1; rpc.mountd -N 3; "
       "mount -t nfs4 127.0.0.1:/ /srv/nfs")


container = None


def start():
    """The root's upper folder is on a disk of its own: that is the stack `overlay`."""
    global container
    run("mkfs.ext4", "-q", "/dev/vde4")
    upper = pathlib.Path("/srv/upper")
    upper.mkdir(parents=True)
    run("mount", "/dev/vde4", upper)
    container = Container("c1", upper, nodes, mounts).start()
    container.run("dd", "if=/dev/zero", "of=/overlaid", "bs=1M", "count=40", "oflag=direct", "status=none")
    devices["overlay"] = "/dev/vde"


def target_of(name):
    if name in nodes:
        return f"/dev/{name}"
    return "/overlaid" if name == "overlay" else f"/{name}/file"


def find(name, disks):
    """The address part of the disk that the stack is for the program."""
    wanted = "rootfs" if name == "overlay" else f"dev/{name}" if name in nodes else name
    for disk in disks:
        if disk["target"] in (wanted, wanted.removeprefix("dev/")):
            return disk["target"]
    raise RuntimeError(f"{name} is not among the container's disks: {[disk['target'] for disk in disks]}")


def buffered(name):
    """Bytes per second that reach the device after a program has written 8 MiB to the page cache; to a file that is its own,
    since version 2 charges an inode's writeback to the cgroup that first made it dirty."""
    run("sync")
    device, target = devices[name], target_of(name)
    if name not in nodes:
        target = pathlib.Path(target).with_name("own")
    before, start = written(device), time.monotonic()
    container.run("dd", "if=/dev/zero", f"of={target}", "bs=64k", "count=128", "status=none")
    run("sync", timeout=120)
    return (written(device) - before) / (time.monotonic() - start)


def under_load(name):
    """What passes the limit. A busy machine can only take away from that: if it seems to have, it is measured again."""
    for _ in range(3):
        passed = container.fio(target_of(name))
        if passed.get("write", 0) > 0.93 * WRITE and passed.get("read", 0) > 0.93 * READ:
            break
    return passed


def one(name, disks):
    disk = find(name, disks)
    address = f"c1:{disk}"
    explained = penstock("explain", address)
    chain, engines = explained.get("chain", {}), explained.get("engines", {})
    facts = {"stack": name, "version": VERSION, "device": devices[name] and name_of(devices[name]),
             "device_number": devices[name] and number(devices[name]), "named": chain.get("device"), "chain": chain,
             "engines": engines, "explain_status": explained["status"], "explain_error": explained["error"]}
    done = penstock("set", address, "--write-bps", WRITE, "--read-bps", READ)
    facts["set_status"], facts["set_error"] = done["status"], done["error"]
    facts["in_kernel"] = sh(f"cd {container.cgroup}; " + ("cat io.max" if VERSION == 2 else
                            "cat blkio.throttle.read_bps_device blkio.throttle.write_bps_device"))
    facts["limited"] = under_load(name)
    if devices[name] and name in ("disk", "ext4", "xfs", "btrfs", "linear", "loop", "overlay"):
        facts["buffered"] = buffered(name)
    lines = [line for line in penstock("status").get("limits", []) if line["disk"] == disk]
    facts["verdict"] = lines[0]["verdict"] if lines else None
    facts["clear_status"] = penstock("clear", address)["status"]
    result(**facts)
    say(name, facts["verdict"] and facts["verdict"]["kind"], facts["set_status"], facts["limited"],
        facts.get("buffered"), facts["set_error"])


def measure():
    listed = penstock("list")
    found = next(each for each in listed["instances"] if each["name"] == "c1")["disks"]
    say([disk["target"] for disk in found])
    broken = []
    for name in devices:
        try:
            one(name, found)
        except Exception as problem:
            broken.append(name)
            result(stack=name, version=VERSION, problem=f"{type(problem).__name__}: {problem}")
            say(name, "FAILED:", problem)
    container.stop()
    if broken:
        raise RuntimeError(f"not measured: {', '.join(broken)}")


def one_machine(name, file, device, cache, *options):
    """A QEMU with that disk: what it gets through, as QEMU counts it, of more requests than the limit lets pass."""
    guest = Qemu(name, file, cache)
    address = f"{name}:vd0"
    try:
        chain = penstock("explain", address).get("chain", {})
        done = penstock("set", address, "--write-bps", WRITE, *options)
        rate = guest.load(4)
        lines = [line for line in penstock("status").get("limits", []) if line["name"] == name]
        cleared = penstock("clear", address)["status"]
        facts = {"machine": name, "version": VERSION, "device": name_of(device), "named": chain.get("device"), "chain": chain,
                 "set_status": done["status"], "set_error": done["error"], "engine": lines[0]["engine"] if lines else None,
                 "verdict": lines[0]["verdict"] if lines else None, "write": rate, "clear_status": cleared}
        result(**facts)
        say(name, facts["engine"], facts["verdict"], rate, done["error"])
    finally:
        guest.stop()


def machines():
    fill("/srv/ext4/guest.img", 8)
    for via in ("cgroup", "native"):
        options = ["--via", via] + (["--adopt"] if via == "cgroup" else [])
        one_machine(f"lv-{via}", "/dev/vg/linear", "/dev/vg/linear", "none", *options)
        one_machine(f"file-{via}", "/srv/ext4/guest.img", "/dev/vdc", "none", *options)
        one_machine(f"cached-{via}", "/srv/ext4/guest.img", "/dev/vdc", "writeback", *options)


if __name__ == "__main__":
    main(disks, file_systems, lvm, crypt, md, btrfs_of_two, multipath, bcache, memory_disks, loops, served_by_others, start,
         measure, machines)
