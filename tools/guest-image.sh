#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# guest-image.sh DIR: makes DIR/vmlinuz and DIR/initrd, a small Linux guest for QEMU, from Debian's cloud kernel and
# busybox. Does nothing where they are already there and newer than this script. Needs no root.
#
# The guest loads virtio-blk and then
#   - runs the shell command that the kernel argument penstock.run=BASE64 holds, if there is one;
#   - answers commands on its second serial port: a line "SEQ BASE64(command)" gives "SEQ STATUS BASE64(output)".
# It says "penstock-guest ready" on both ports. Its console is the first one.
set -euo pipefail

dir=${1:?usage: guest-image.sh DIR}
self=$(readlink -f "$0")
mkdir -p "$dir"
exec 9>"$dir/.lock"
flock 9
if [[ $dir/initrd -nt $self && -s $dir/vmlinuz ]]; then exit 0; fi

busybox=$(command -v busybox) || { echo "guest-image.sh: no busybox; install busybox-static" >&2; exit 1; }
work=$(mktemp -d "$dir/.work.XXXXXX")
trap 'rm -rf "$work"' EXIT

# The kernel: the package that linux-image-cloud-amd64 stands for, unpacked and not installed.
if [[ ! -s $dir/vmlinuz || ! -d $dir/modules ]]; then
    package=$(LC_ALL=C apt-cache depends linux-image-cloud-amd64 | awk '/Depends: linux-image-/ {print $2; exit}')
    [[ $package ]] || { echo "guest-image.sh: apt knows no linux-image-cloud-amd64; run apt-get update" >&2; exit 1; }
    echo "guest-image.sh: fetching $package" >&2
    (cd "$work" && apt-get -qq -o APT::Sandbox::User=root download "$package" >&2)
    dpkg-deb -x "$work"/*.deb "$work/kernel"
    rm -rf "$dir/modules"
    mkdir "$dir/modules"
    find "$work/kernel" -name 'virtio*.ko*' -path '*/drivers/*' -exec cp {} "$dir/modules/" \;
    for packed in "$dir"/modules/*.xz; do
        if [[ -e $packed ]]; then xz -d "$packed"; fi
    done
    cp "$work"/kernel/boot/vmlinuz-* "$dir/vmlinuz"
fi

root=$work/root
mkdir -p "$root"/{bin,dev,proc,sys,tmp,modules}
cp "$busybox" "$root/bin/busybox"
order="virtio_ring virtio virtio_pci_modern_dev virtio_pci_legacy_dev virtio_pci virtio_blk"
for module in $order; do
    if [[ -e $dir/modules/$module.ko ]]; then cp "$dir/modules/$module.ko" "$root/modules/"; fi # else it is built in
done
echo "$order" > "$root/modules/order"
cat > "$root/init" <<'INIT'
#!/bin/busybox sh
/bin/busybox --install -s /bin
export PATH=/bin
mount -t proc proc /proc
mount -t sysfs sys /sys
mount -t devtmpfs dev /dev
mount -t tmpfs tmp /tmp
for module in $(cat /modules/order); do if [ -e /modules/$module.ko ]; then insmod /modules/$module.ko; fi; done
echo 1 > /proc/sys/kernel/printk
for word in $(cat /proc/cmdline); do
    case $word in penstock.run=*) echo "${word#penstock.run=}" | base64 -d > /tmp/run; setsid sh /tmp/run & ;; esac
done
exec < /dev/ttyS1 > /dev/ttyS1 2> /dev/console # to open a port is to lose what has been sent to it
stty raw -echo
echo penstock-guest ready > /dev/console
echo penstock-guest ready
while read -r seq command; do
    echo "$command" | base64 -d > /tmp/command
    sh /tmp/command < /dev/null > /tmp/output 2>&1
    echo "$seq $? $(base64 /tmp/output | tr -d '\n')"
done
sleep 1000000000
INIT
chmod 755 "$root/init"
(cd "$root" && find . | cpio --quiet -o -H newc -R 0:0 | gzip -1) > "$work/initrd"
mv "$work/initrd" "$dir/initrd"
