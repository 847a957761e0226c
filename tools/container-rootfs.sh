#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# container-rootfs.sh DIR [OWNER]: fills the empty folder DIR with the root file system of a small container: busybox
# and an init that starts nothing. OWNER is the host's user id of the container's root (100000 for an unprivileged one).
set -euo pipefail

dir=${1:?usage: container-rootfs.sh DIR [OWNER]}
owner=${2:-0}
busybox=$(command -v busybox) || { echo "container-rootfs.sh: no busybox; install busybox-static" >&2; exit 1; }

mkdir -p "$dir"/{bin,dev,etc,proc,run,sbin,sys,tmp,root}
cp "$busybox" "$dir/bin/busybox"
for applet in sh cat dd df echo hostname id kill ls mkdir mount ps rm setsid sleep stat sync timeout true usleep; do
    ln -s busybox "$dir/bin/$applet"
done
cat > "$dir/sbin/init" <<'INIT'
#!/bin/sh
trap 'exit 0' TERM PWR
while :; do sleep 3600 & wait $!; done
INIT
chmod 755 "$dir" "$dir/sbin/init"
chmod 1777 "$dir/tmp"
echo root:x:0:0:root:/root:/bin/sh > "$dir/etc/passwd"
echo root:x:0: > "$dir/etc/group"
if [[ $owner != 0 ]]; then chown -hR "$owner:$owner" "$dir"; fi
