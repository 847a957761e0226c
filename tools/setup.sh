#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# setup.sh [build|run|test]...: installs with apt-get the Debian packages that are missing; none missing, nothing done.
#   build  compile Penstock and its plugins                              (default: build)
#   run    also the guest and container of quickstart.sh
#   test   also everything that test.sh runs
# Debian starts the services of what it installs; with `test` that is libvirtd.
set -euo pipefail

usage() { sed -n '3,7s/^# \?//p' "$0"; }

# The first of the named packages that is installed or that apt knows: Debian 12 and 13 differ in names.
one_of() {
    local name
    for name in "$@"; do if installed "$name"; then echo "$name"; return; fi; done
    for name in "$@"; do if apt-cache show "$name" >/dev/null 2>&1; then echo "$name"; return; fi; done
    echo "$1"
}
installed() { [[ $(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null) == installed ]]; }

build_packages() {
    echo g++ cmake ninja-build pkg-config libfmt-dev libspdlog-dev libtomlplusplus-dev libpugixml-dev libvirt-dev libsystemd-dev zlib1g-dev catch2
    one_of libboost1.81-dev libboost-dev
    one_of libboost-program-options1.81-dev libboost-program-options-dev
    one_of libboost-filesystem1.81-dev libboost-filesystem-dev
    one_of lxc-dev liblxc-dev
}
run_packages() { echo qemu-system-x86 lxc busybox-static cpio xz-utils e2fsprogs mount util-linux; }
test_packages() {
    one_of xen-utils-4.17 xen-utils-4.20 # its xenstored; nothing of it is started where Xen does not run
    echo qemu-utils libvirt-daemon-system libvirt-daemon-driver-qemu libvirt-clients dnsmasq-base dbus uidmap fio parted
    echo debootstrap python3-pytest abigail-tools make procps clang clang-tidy clang-format ccache
}

missing_of() {
    local what name
    for what in "$@"; do "${what}_packages"; done | tr ' ' '\n' | sort -u | while read -r name; do
        installed "$name" || echo "$name"
    done
}

sets=()
for what in "${@:-build}"; do
    case $what in
        build) sets+=(build) ;;
        run) sets+=(build run) ;;
        test) sets+=(build run test) ;;
        -h|--help) usage; exit 0 ;;
        *) echo "setup.sh: unknown set '$what'" >&2; usage >&2; exit 2 ;;
    esac
done
mapfile -t missing < <(missing_of "${sets[@]}")
if ((${#missing[@]} == 0)); then exit 0; fi
if ((EUID != 0)); then echo "setup.sh: must be root to install: ${missing[*]}" >&2; exit 1; fi

export DEBIAN_FRONTEND=noninteractive
apt-get -qq update
mapfile -t missing < <(missing_of "${sets[@]}") # only now does apt know which of the names this release has
echo "Installing ${#missing[@]} packages: ${missing[*]}"
apt-get -qq -o Dpkg::Use-Pty=0 install -y --no-install-recommends "${missing[@]}" </dev/null >/dev/null
