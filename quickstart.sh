#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Shows Penstock at work on this machine: starts a real QEMU guest and a real LXC container, each writing as fast as it
# can to a loop device of its own, limits both, measures what the block layer sees, and removes all of it again, also
# when interrupted. Installs the Debian packages that it needs and builds Penstock in build/quickstart.
#
#   sudo ./quickstart.sh [--help]
set -euo pipefail
cd "$(dirname "$(readlink -f "$0")")"
export PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin

case ${1:-} in
    '') ;;
    -h|--help) sed -n '3,7s/^# \?//p' "$0"; exit 0 ;;
    *) echo "quickstart.sh: unknown option '$1'; try --help" >&2; exit 2 ;;
esac
if ((EUID != 0)); then echo "quickstart.sh: needs root, for loop devices and cgroups: sudo ./quickstart.sh" >&2; exit 1; fi

if [[ -t 1 ]]; then bold=$'\e[1m' dim=$'\e[2m' plain=$'\e[0m'; else bold='' dim='' plain=''; fi
step() { printf '\n%s== %s%s\n' "$bold" "$*" "$plain"; }
note() { printf '%s   %s%s\n' "$dim" "$*" "$plain"; }
show() { printf '%s$ penstock' "$bold"; printf ' %q' "$@"; printf '%s\n' "$plain"; "$penstock" --run-dir "$work/run" "$@"; }

step "Preparing: packages, build, guest kernel (the first time takes a few minutes)"
tools/setup.sh run
build=build/quickstart
mkdir -p "$build"
if ! { cmake -S . -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DPENSTOCK_TESTS=OFF && cmake --build "$build"; } \
    > "$build/build.log" 2>&1; then
    cat "$build/build.log" >&2
    exit 1
fi
tools/guest-image.sh build/host-cache

work='' qemu='' vm=quickstart-vm ct=quickstart-ct loops=()
begin=$SECONDS

# Lifts whatever limits a device in any cgroup: I/O that is held back in a cgroup that goes can never be freed.
lift() {
    local number file
    number=$(cat "/sys/class/block/${1#/dev/}/dev")
    while read -r file; do
        case $file in
            *io.max) echo "$number rbps=max wbps=max riops=max wiops=max" > "$file" ;;
            *) echo "$number 0" > "$file" ;;
        esac
    done < <(find /sys/fs/cgroup \( -name io.max -o -name 'blkio.throttle.*_device' \) -exec grep -ls "^$number " {} +)
}

remove() {
    trap '' INT TERM
    set +e
    if [[ -z $work ]]; then return; fi
    local name loop
    for name in "$vm" "$ct"; do "$penstock" --run-dir "$work/run" clear "$name" >/dev/null 2>&1; done
    for loop in "${loops[@]}"; do lift "$loop"; done 2>/dev/null
    if [[ $qemu ]]; then kill "$qemu" 2>/dev/null; wait "$qemu" 2>/dev/null; fi
    lxc-stop -P "$work" -n "$ct" --kill 2>/dev/null
    for _ in {1..50}; do
        if ! mountpoint -q "$work/mount" || umount "$work/mount" 2>/dev/null; then break; fi
        sleep 0.1
    done
    for loop in "${loops[@]}"; do losetup --detach "$loop"; done
    rmdir /sys/fs/cgroup/{blkio/,}penstock 2>/dev/null # Penstock's own, if nobody else is in it
    rm -rf "$work"
    note "Removed the guest, the container, their disks and limits."
}
trap remove EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

new_disk() { # FILE: a loop device on a sparse file of 64 MiB, added to loops
    truncate -s 64M "$1"
    loops+=("$(losetup --find --show "$1")")
}

start_guest() {
    local load='while :; do dd if=/dev/zero of=/dev/vda bs=64k oflag=direct conv=notrunc count=1024; done'
    qemu-system-x86_64 -name "guest=$vm,debug-threads=on" -uuid "$(cat /proc/sys/kernel/random/uuid)" -accel tcg \
        -machine pc -cpu max -m 128 -nodefaults -display none -no-reboot \
        -kernel build/host-cache/vmlinuz -initrd build/host-cache/initrd \
        -append "console=ttyS0 quiet panic=-1 mitigations=off penstock.run=$(base64 -w0 <<<"$load")" \
        -serial "file:$work/console" -qmp "unix:$work/qmp.sock,server=on,wait=off" -object iothread,id=io0 \
        -drive "file=${loops[0]},format=raw,if=none,id=disk0,cache=none" \
        -device virtio-blk-pci,drive=disk0,id=vda,iothread=io0 </dev/null >"$work/qemu.log" 2>&1 &
    qemu=$!
}

start_container() {
    mkfs.ext4 -q "${loops[1]}"
    mkdir -p "$work/mount" "$work/$ct"
    mount "${loops[1]}" "$work/mount"
    tools/container-rootfs.sh "$work/mount/rootfs"
    printf '%s\n' "lxc.rootfs.path = dir:$work/mount/rootfs" "lxc.uts.name = $ct" 'lxc.init.cmd = /sbin/init' \
        'lxc.net.0.type = empty' 'lxc.mount.auto = proc:mixed sys:mixed' 'lxc.apparmor.profile = unconfined' \
        > "$work/$ct/config"
    lxc-start -P "$work" -n "$ct"
    lxc-attach -P "$work" -n "$ct" --clear-env -- /bin/sh -c \
        'while :; do dd if=/dev/zero of=/file bs=64k oflag=direct conv=notrunc count=512; done' \
        </dev/null >/dev/null 2>&1 &
}

await_guest() {
    for _ in {1..600}; do
        if grep -qs 'penstock-guest ready' "$work/console"; then return; fi
        if ! kill -0 "$qemu" 2>/dev/null; then cat "$work/qemu.log" >&2; exit 1; fi
        sleep 0.1
    done
    echo "quickstart.sh: the guest did not boot within 60 s" >&2
    exit 1
}

written() { awk '{printf "%.0f\n", $7 * 512}' "/sys/class/block/${1#/dev/}/stat"; }
measure() { # SECONDS: what both write, as /sys/class/block/loopN/stat counts it
    sleep 1.5
    local before_vm before_ct start end
    start=$(date +%s%N) before_vm=$(written "${loops[0]}") before_ct=$(written "${loops[1]}")
    sleep "$1"
    end=$(date +%s%N)
    awk -v ns=$((end - start)) -v vm=$(($(written "${loops[0]}") - before_vm)) \
        -v ct=$(($(written "${loops[1]}") - before_ct)) -v names="$vm $ct" 'BEGIN {
            split(names, name); printf "   measured: %s writes %.2f MB/s, %s writes %.2f MB/s\n",
                name[1], vm / ns * 1000, name[2], ct / ns * 1000 }'
}

step "Starting a QEMU guest and an LXC container, each on a loop device of its own"
work=$(mktemp -d /var/lib/penstock-quickstart.XXXXXX)
chmod 755 "$work"
# Plugins load only from folders that are root's alone, all the way down; a checkout rarely is.
mkdir "$work/bin" "$work/plugins"
install -m 755 "$build/bin/penstock" "$work/bin/"
install -m 644 "$build"/plugins/*.{so,toml} "$work/plugins/"
penstock=$work/bin/penstock
new_disk "$work/vm.img"
new_disk "$work/ct.img"
start_guest
start_container
await_guest
note "$vm writes to ${loops[0]} (QEMU, process $qemu), $ct to ${loops[1]} (LXC)."

step "What runs here, and on which device does each disk end?"
show list

step "Where would a limit on the guest's disk act, and why there?"
show explain "$vm"

step "Without limits"
measure 3

step "Limit both to 10 MB/s of writes, while they run"
show set "$vm" --write-bps 10M
show set "$ct:rootfs" --write-bps 10M
measure 5

step "Is each limit in force?"
show status

step "Clear both: back to what the kernel and QEMU do by themselves"
show clear "$vm"
show clear "$ct:rootfs"
measure 3

step "Done after $((SECONDS - begin)) s"
