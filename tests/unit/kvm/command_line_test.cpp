// SPDX-License-Identifier: Apache-2.0
#include "command_line.hpp"
#include "support.hpp"

#include "catch.hpp"

using namespace penstock::kvm;

TEST_CASE("names as people write them") {
    const auto [text, name] =
        GENERATE(table<const char*, const char*>({{"qemu -name web1", "web1"},
                                                  {"qemu --name web1", "web1"},
                                                  {"qemu -name guest=web1,debug-threads=on", "web1"},
                                                  {"qemu -name web1,process=x", "web1"},
                                                  {"qemu -name guest=a:b/c,,d=e", "a:b/c,d=e"},
                                                  {"qemu -name two~words", "two words"},
                                                  {"qemu -name -rf", "-rf"},
                                                  {"qemu -name -uuid -uuid X", "-uuid"},
                                                  {"qemu -name ../../../etc", "../../../etc"},
                                                  {"qemu -name a -name b", "b"},
                                                  {"qemu -append -name~x -name y", "y"},
                                                  {"qemu -name", ""}}));
    CHECK(parse_command_line(words(text)).name == name);
}

TEST_CASE("QMP sockets that QEMU listens on") {
    const auto [text, path] = GENERATE(table<const char*, const char*>(
        {{"qemu -qmp unix:/a,server=on,wait=off", "/a"},
         {"qemu -qmp unix:/a,server,nowait", "/a"},
         {"qemu -qmp-pretty unix:/a,,b,server=on", "/a,b"},
         {"qemu -qmp unix:rel,server=on", "rel"},
         {"qemu -qmp unix:/a", ""},
         {"qemu -qmp unix:/a,server=on,abstract=on", ""},
         {"qemu -qmp tcp:localhost:4444,server=on", ""},
         {"qemu -qmp stdio", ""},
         {"qemu -mon chardev=m,mode=control -chardev socket,id=m,path=/a,server=on", "/a"},
         {"qemu -chardev socket,path=/a,server=on,id=m -mon m,mode=control", "/a"},
         {"qemu -chardev socket,path=/a,server=on,id=m -qmp chardev:m", "/a"},
         {"qemu -chardev socket,path=/a,server=on,id=m -mon m,mode=readline", ""},
         {"qemu -chardev socket,path=/a,server=on,id=other -mon m,mode=control", ""},
         {"qemu -chardev socket,id=charmonitor,fd=31,server=on -mon chardev=charmonitor,mode=control", ""}}));
    CAPTURE(text);
    const auto command = parse_command_line(words(text));
    CHECK((command.qmp_paths.empty() ? "" : command.qmp_paths.front()) == path);
}

TEST_CASE("a guest of Xen and a QEMU without a machine are told") {
    CHECK(parse_command_line(words("qemu -xen-domid 7 -name x")).xen);
    CHECK(parse_command_line(words("qemu -machine none,accel=kvm:tcg")).no_machine);
    CHECK_FALSE(parse_command_line(words("qemu -M pc")).no_machine);
}

TEST_CASE("libvirt's command line, captured") {
    const auto command = parse_command_line(captured("libvirt.cmdline"));
    CHECK(command.name == "kvmcap");
    CHECK(command.uuid == "4e2331fe-d6db-4de2-b29a-8d1e220e3719");
    CHECK(command.control_fd);
    CHECK(command.debug_threads);
    CHECK(command.qmp_paths.empty());
    CHECK(command.unknown_options == 0);
    CHECK(command.positional == 0);
    CHECK(command.iothreads == std::vector<std::string>{"iothread1", "iothread2"});
    CHECK(command.blockdevs.size() == 6);
    REQUIRE(command.device("virtio-disk0") != nullptr);
    CHECK(command.device("virtio-disk0")->get("iothread") == "iothread1");
}

TEST_CASE("an empty or odd command line has no parts") {
    CHECK(parse_command_line("").program.empty());
    CHECK(parse_command_line(std::string(1, '\0')).program.empty());
    CHECK(parse_command_line("qemu").program == "qemu");
    CHECK(parse_command_line(std::string(50, '\0')).positional == 49);
}
