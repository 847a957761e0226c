// SPDX-License-Identifier: Apache-2.0
#include "guests.hpp"
#include "support.hpp"

#include "catch.hpp"

using namespace penstock::kvm;

namespace {

bool accepted(const std::string& text, std::string_view executable) {
    const auto line = words(text);
    return may_be_qemu(line) && is_qemu(parse_command_line(line), executable);
}

} // namespace

TEST_CASE("a QEMU is known by its program or by its grammar") {
    const auto [text, executable] = GENERATE(table<const char*, const char*>(
        {{"qemu-system-x86_64 -M pc", "/usr/bin/qemu-system-x86_64"},
         {"/usr/bin/kvm -id 100 -name db -machine type=pc", "/usr/bin/qemu-system-x86_64"},
         {"/usr/libexec/qemu-kvm -name guest=x -machine q35", "/usr/libexec/qemu-kvm"},
         {"qemu-system-x86_64 disk.img", "/usr/bin/qemu-system-x86_64"},
         {"qemu-system-aarch64 -M virt", "/usr/bin/qemu-system-aarch64 (deleted)"},
         {"qemu-system-x86_64 -M pc", ""},
         {"/opt/vmm -machine pc -accel kvm -drive file=/a", "/opt/vmm"},
         {"any-name -machine pc -cpu host -name x", ""}}));
    CAPTURE(text, executable);
    CHECK(accepted(text, executable));
}

TEST_CASE("what only mentions a QEMU is none") {
    const auto [text, executable] = GENERATE(table<const char*, const char*>(
        {{"bash -c qemu-system-x86_64~-M~pc", "/usr/bin/bash"},
         {"sudo qemu-system-x86_64 -M pc -drive file=/a", "/usr/bin/sudo"},
         {"sudo -E qemu-system-x86_64 -M pc -drive file=/a -cpu host", "/usr/bin/sudo"},
         {"timeout -k 5 10 qemu-system-x86_64 -M pc -drive file=/a -cpu host", "/usr/bin/timeout"},
         {"taskset -c 1 qemu-system-x86_64 -M pc -cpu host", "/usr/bin/taskset"},
         {"qemu-img convert -O raw a b", "/usr/bin/qemu-img"},
         {"qemu-nbd -t -f raw a", "/usr/bin/qemu-nbd"},
         {"qemu-aarch64 -cpu max ./program", "/usr/bin/qemu-aarch64"},
         {"qemu-ga -m virtio-serial", "/usr/bin/qemu-ga"},
         {"qemu-storage-daemon --blockdev driver=file --object iothread", "/usr/bin/qemu-storage-daemon"},
         {"grep qemu-system-x86_64", "/usr/bin/grep"},
         {"python3 -m x -M -device", "/usr/bin/python3"}}));
    CAPTURE(text, executable);
    CHECK_FALSE(accepted(text, executable));
}

TEST_CASE("an instance has an id that outlives a restart, where it can have one") {
    Guest guest;
    guest.process.pid = 7;
    guest.process.start = 99;
    CHECK(guest.id() == "pid:7-99");
    CHECK(guest.name() == "qemu-7");
    guest.command.name = "web";
    CHECK(guest.id() == "name:web");
    guest.command = parse_command_line(words("qemu -uuid 4E2331FE-D6DB-4DE2-B29A-8D1E220E3719"));
    CHECK(guest.id() == "4e2331fe-d6db-4de2-b29a-8d1e220e3719");
    CHECK(guest.name() == guest.id());
}

TEST_CASE("a scan of a faked /proc finds each machine once") {
    TemporaryDirectory proc;
    fake_process(proc, 10, words("qemu-system-x86_64 -M pc -name a"), 100);
    fake_process(proc, 11, words("/opt/vmm -M pc -accel tcg -name b"), 101, "/opt/vmm");
    fake_process(proc, 12, words("qemu-system-i386 -xen-domid 3 -M xenpv"), 102);
    fake_process(proc, 13, words("qemu-system-x86_64 -machine none -qmp unix:/x,server=on"), 103);
    fake_process(proc, 14, words("bash -c qemu-system-x86_64"), 104, "/usr/bin/bash");
    fake_process(proc, 15, "", 105); // a kernel thread
    fake_process(proc, 16, words("qemu-system-x86_64 -M pc -name z"), 106);
    proc.write("16/stat", stat_line(16, "qemu) R 1 (x", 106, 1, 'Z'));
    proc.write("17/cmdline", words("qemu-system-x86_64 -M pc -name vanished"));
    proc.write("self/cmdline", words("qemu-system-x86_64 -M pc"));
    std::string longer = "qemu-system-x86_64 -M pc -name long";
    for (int i = 0; i < 1000; ++i) longer += " -device virtio-net,id=n" + std::to_string(i);
    fake_process(proc, 18, words(longer + " -uuid U"), 108);

    const auto directory = proc.open();
    const auto guests = find_guests(directory.get(), [] { return true; });
    REQUIRE(guests.size() == 3);
    CHECK(guests[0].command.name == "a");
    CHECK(guests[0].incarnation().text() == "10-100");
    CHECK(guests[1].command.name == "b");
    CHECK(guests[2].command.uuid == "u");
    CHECK(find_guests(directory.get(), [] { return false; }).empty());
    CHECK_FALSE(read_guest(directory.get(), 4711));
}

TEST_CASE("a command line of more than 1 MiB is cut") {
    TemporaryDirectory proc;
    fake_process(proc, 10, words("qemu-system-x86_64 -M pc -name a -append " + std::string(3 << 20, 'x') + " -uuid U"),
                 100);
    const auto guest = read_guest(proc.open().get(), 10);
    REQUIRE(guest);
    CHECK(guest->command.name == "a");
    CHECK(guest->command.uuid.empty());
}
