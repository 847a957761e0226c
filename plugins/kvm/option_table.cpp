// SPDX-License-Identifier: Apache-2.0
// A table of words, laid out by hand.
// clang-format off
#include "option_table.hpp"

#include <algorithm>
#include <iterator>

namespace penstock::kvm {

namespace {

// Both sorted, for binary search.
constexpr std::string_view flags[] = {
    "S",            "alt-grab",        "ctrl-grab",      "curses",          "daemonize",      "enable-fips",
    "enable-kvm",   "enable-sync-profile", "full-screen", "h",              "help",           "jitdump",
    "mem-prealloc", "no-acpi",         "no-fd-bootchk",  "no-frame",        "no-hpet",        "no-kvm",
    "no-quit",      "no-reboot",       "no-shutdown",    "no-user-config",  "nodefaults",     "nodefconfig",
    "nographic",    "old-param",       "one-insn-per-tb", "only-migratable", "perfmap",       "portrait",
    "preconfig",    "s",               "sdl",            "semihosting",     "show-cursor",    "singlestep",
    "snapshot",     "usb",             "version",        "win2k-hack",      "xen-attach",     "xen-domid-restrict"};

constexpr std::string_view arguments[] = {
    "D",         "L",          "M",        "accel",      "acpitable", "action",     "add-fd",     "append",
    "async-teardown", "audio", "audiodev", "bios",       "blockdev",  "boot",       "bt",         "cdrom",
    "chardev",   "chroot",     "compat",   "cpu",        "d",         "debugcon",   "device",     "dfilter",
    "display",   "drive",      "dtb",      "dump-vmstate", "echr",    "fda",        "fdb",        "fsdev",
    "fw_cfg",    "g",          "gdb",      "global",     "hda",       "hdb",        "hdc",        "hdd",
    "icount",    "incoming",   "initrd",   "iscsi",      "k",         "kernel",     "loadvm",     "m",
    "machine",   "mem-path",   "mon",      "monitor",    "msg",       "mtdblock",   "name",       "net",
    "netdev",    "nic",        "numa",     "object",     "option-rom", "overcommit", "parallel",  "pflash",
    "pidfile",   "plugin",     "prom-env", "qmp",        "qmp-pretty", "qtest",     "qtest-log",  "readconfig",
    "realtime",  "rotate",     "rtc",      "run-with",   "runas",     "sandbox",    "sd",         "seed",
    "semihosting-config", "serial", "set", "shim",       "smbios",    "smp",        "soundhw",    "spice",
    "tb-size",   "tpmdev",     "trace",    "usbdevice",  "uuid",      "vga",        "virtfs",     "virtioport",
    "vnc",       "watchdog",   "watchdog-action", "writeconfig", "xen-domid"};

constexpr std::string_view machine[] = {"M",      "accel", "blockdev", "cdrom", "cpu",     "device", "drive", "hda",
                                        "machine", "netdev", "qmp",    "rtc",   "smbios",  "vga"};

static_assert(std::is_sorted(std::begin(flags), std::end(flags)));
static_assert(std::is_sorted(std::begin(arguments), std::end(arguments)));
static_assert(std::is_sorted(std::begin(machine), std::end(machine)));

} // namespace

OptionKind option_kind(std::string_view name) {
    if (std::binary_search(std::begin(flags), std::end(flags), name)) return OptionKind::flag;
    if (std::binary_search(std::begin(arguments), std::end(arguments), name)) return OptionKind::argument;
    return OptionKind::unknown;
}

bool is_machine_option(std::string_view name) {
    return std::binary_search(std::begin(machine), std::end(machine), name);
}

} // namespace penstock::kvm
