// SPDX-License-Identifier: Apache-2.0
#include "domain_files.hpp"
#include "support.hpp"

#include "catch.hpp"

using namespace penstock::kvm;

namespace {

Guest managed_guest(const std::string& name, int pid) {
    Guest guest;
    guest.process.pid = pid;
    guest.command.name = name;
    guest.command.control_fd = true;
    return guest;
}

const std::string status = "<domstatus state='running' reason='booted' pid='7'><domain/></domstatus>";

} // namespace

TEST_CASE("a guest is libvirt's where libvirt's own file has its pid") {
    TemporaryDirectory run;
    run.write("libvirt/qemu/web.xml", status);
    const DomainFiles files{run.path()};
    CHECK(files.head(managed_guest("web", 7)));
    CHECK_FALSE(files.head(managed_guest("web", 8)));
    CHECK(files.head(managed_guest("other-name", 7)));
    CHECK(files.status(managed_guest("web", 7)) == status);
    auto by_hand = managed_guest("web", 7);
    by_hand.command.control_fd = false;
    CHECK_FALSE(files.head(by_hand));
}

TEST_CASE("a status file that cannot be used leaves the pid file") {
    TemporaryDirectory run;
    run.write("libvirt/qemu/web.xml", "<domst");
    run.write("libvirt/qemu/web.pid", "7\n");
    const DomainFiles files{run.path()};
    REQUIRE(files.head(managed_guest("web", 7)));
    CHECK(files.head(managed_guest("web", 7))->state == PENSTOCK_STATE_UNKNOWN);
    CHECK_FALSE(files.head(managed_guest("web", 8)));
}

TEST_CASE("a name is never a way out of libvirt's directory") {
    TemporaryDirectory run;
    run.write("libvirt/qemu/keep", "");
    run.write("libvirt/secret.xml", status);
    run.write("secret.xml", status);
    run.link("libvirt/qemu/link.xml", run.path() + "/secret.xml");
    const DomainFiles files{run.path()};
    for (const char* name : {"../secret", "../../secret", "/secret", "link", "", ".", ".."})
        CHECK_FALSE(files.head(managed_guest(name, 7)));
    CHECK_FALSE(files.head(managed_guest(std::string(5000, 'n'), 7)));
}

TEST_CASE("no libvirt, no files") {
    TemporaryDirectory run;
    const DomainFiles files{run.path()};
    CHECK_FALSE(files.head(managed_guest("web", 7)));
    CHECK_FALSE(files.has_socket());
    run.write("libvirt/virtqemud-sock", "");
    CHECK(files.has_socket());
}
