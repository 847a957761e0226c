// SPDX-License-Identifier: Apache-2.0
#include "liblxc.hpp"

#include <cstring>
#include <dlfcn.h>
#include <lxc/lxccontainer.h>

namespace penstock::lxc {

namespace {

template <class Function>
Function* symbol(void* library, const char* name) {
    void* found = dlsym(library, name);
    Function* function = nullptr;
    static_assert(sizeof function == sizeof found);
    std::memcpy(&function, &found, sizeof found);
    return function;
}

} // namespace

Liblxc find_liblxc(const char* file) {
    Liblxc result;
    dlerror();
    void* library = dlopen(file, RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) {
        const char* why = dlerror();
        const std::string text = why == nullptr ? "" : why;
        // The loader gives no code: a file that is there and does not load names another one, or another reason.
        const bool missing = text.find(std::string{file} + ": cannot open shared object file: No such file") == 0;
        result.state = missing ? Liblxc::State::absent : Liblxc::State::broken;
        result.detail = missing ? "liblxc.so.1 is not installed" : text;
        return result;
    }
    // Never closed: a library with constructors and thread-local state may not survive that.
    const auto get_version = symbol<decltype(lxc_get_version)>(library, "lxc_get_version");
    const auto get_item = symbol<decltype(lxc_get_global_config_item)>(library, "lxc_get_global_config_item");
    if (get_version == nullptr) {
        result.state = Liblxc::State::broken;
        result.detail = "liblxc.so.1 has no lxc_get_version: is it LXC's library?";
        return result;
    }
    result.state = Liblxc::State::present;
    if (const char* version = get_version()) result.version = version;
    const char* lxcpath = get_item == nullptr ? nullptr : get_item("lxc.lxcpath");
    if (lxcpath != nullptr) result.lxcpath = lxcpath;
    return result;
}

} // namespace penstock::lxc
