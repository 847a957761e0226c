// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <libvirt/libvirt.h>
#include <libvirt/virterror.h>

#include <string>

namespace penstock::kvm {

// libvirt.so.0, opened when it is first needed: with the 57 libraries that it pulls in it costs 17 ms.
struct LibvirtLibrary {
    decltype(&::virConnectOpen) connect_open = nullptr;
    decltype(&::virConnectClose) connect_close = nullptr;
    decltype(&::virConnectIsAlive) connect_is_alive = nullptr;
    decltype(&::virDomainLookupByUUIDString) domain_lookup = nullptr;
    decltype(&::virDomainFree) domain_free = nullptr;
    decltype(&::virDomainGetXMLDesc) domain_xml = nullptr;
    decltype(&::virDomainGetBlockIoTune) get_tune = nullptr;
    decltype(&::virDomainSetBlockIoTune) set_tune = nullptr;
    decltype(&::virGetLastError) last_error = nullptr;
    decltype(&::virSetErrorFunc) set_error_function = nullptr;

    // nullptr: it cannot be used, and `why` says what to do.
    static const LibvirtLibrary* load(std::string& why);
};

// The file that the dynamic linker would take, without opening it; empty: not installed.
std::string find_libvirt_library();

} // namespace penstock::kvm
