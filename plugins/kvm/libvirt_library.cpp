// SPDX-License-Identifier: Apache-2.0
#include "libvirt_library.hpp"

#include <penstock/file.hpp>

#include <algorithm>
#include <cstring>
#include <dlfcn.h>
#include <fcntl.h>

namespace penstock::kvm {

namespace {

struct Loaded {
    LibvirtLibrary library;
    std::string why; // empty: usable
};

template <class Function>
void symbol(void* library, const char* name, Function& function, std::string& why) {
    void* found = ::dlsym(library, name);
    static_assert(sizeof function == sizeof found);
    std::memcpy(&function, &found, sizeof found);
    if (found == nullptr) why = std::string{"libvirt.so.0 has no "} + name + ": is it libvirt's library?";
}

// libvirt prints each error to stderr unless it is given a function.
void quiet(void*, virErrorPtr) {}

Loaded load_once() {
    Loaded out;
    // Never closed: it registers thread-local state and atfork handlers.
    void* library = ::dlopen("libvirt.so.0", RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) {
        const char* text = ::dlerror();
        out.why =
            std::string{"libvirt's library cannot be loaded ("} + (text == nullptr ? "" : text) + "): install libvirt0";
        return out;
    }
    auto& l = out.library;
    symbol(library, "virConnectOpen", l.connect_open, out.why);
    symbol(library, "virConnectClose", l.connect_close, out.why);
    symbol(library, "virConnectIsAlive", l.connect_is_alive, out.why);
    symbol(library, "virDomainLookupByUUIDString", l.domain_lookup, out.why);
    symbol(library, "virDomainFree", l.domain_free, out.why);
    symbol(library, "virDomainGetXMLDesc", l.domain_xml, out.why);
    symbol(library, "virDomainGetBlockIoTune", l.get_tune, out.why);
    symbol(library, "virDomainSetBlockIoTune", l.set_tune, out.why);
    symbol(library, "virGetLastError", l.last_error, out.why);
    symbol(library, "virSetErrorFunc", l.set_error_function, out.why);
    if (out.why.empty()) l.set_error_function(nullptr, &quiet);
    return out;
}

} // namespace

const LibvirtLibrary* LibvirtLibrary::load(std::string& why) {
    static const Loaded loaded = load_once();
    why = loaded.why;
    return loaded.why.empty() ? &loaded.library : nullptr;
}

std::string find_libvirt_library() {
    const auto cache = sdk::read_file(AT_FDCWD, "/etc/ld.so.cache", 16U << 20);
    if (!cache) return {};
    constexpr std::string_view name{"/libvirt.so.0\0", 14};
    const auto at = cache->find(name);
    if (at == std::string::npos) return {};
    const auto begin = cache->rfind('\0', at) + 1; // npos + 1 is 0
    auto path = cache->substr(begin, at + name.size() - 1 - begin);
    return ::access(path.c_str(), R_OK) == 0 ? path : std::string{};
}

} // namespace penstock::kvm
