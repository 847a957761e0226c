// SPDX-License-Identifier: Apache-2.0
#include "enforce/systemd.hpp"

#include "base/text.hpp"
#include "resolve/systemd_unit.hpp"

#include <dlfcn.h>
#include <systemd/sd-bus.h>

#include <cstring>

namespace penstock {
namespace {

constexpr const char* service = "org.freedesktop.systemd1";
constexpr const char* object = "/org/freedesktop/systemd1";
constexpr const char* manager = "org.freedesktop.systemd1.Manager";

// libsystemd, loaded when it is first needed: most commands never speak to systemd.
struct Library {
    decltype(&::sd_bus_open_system) open_system = nullptr;
    decltype(&::sd_bus_call_method) call_method = nullptr;
    decltype(&::sd_bus_error_free) error_free = nullptr;
    decltype(&::sd_bus_flush_close_unref) close = nullptr;
    std::string why; // empty: usable

    Library() {
        // Never closed: it keeps thread-local state.
        void* handle = ::dlopen("libsystemd.so.0", RTLD_NOW | RTLD_LOCAL);
        if (handle == nullptr) {
            why = ::dlerror();
            return;
        }
        symbol(handle, "sd_bus_open_system", open_system);
        symbol(handle, "sd_bus_call_method", call_method);
        symbol(handle, "sd_bus_error_free", error_free);
        symbol(handle, "sd_bus_flush_close_unref", close);
    }

private:
    template <class Function>
    void symbol(void* handle, const char* name, Function& function) {
        void* found = ::dlsym(handle, name);
        static_assert(sizeof function == sizeof found);
        std::memcpy(&function, &found, sizeof found);
        if (found == nullptr) why = std::string{"libsystemd.so.0 has no "} + name;
    }
};

const Library& library() {
    static const Library loaded;
    return loaded;
}

// A connection to the system bus.
class Bus {
public:
    explicit Bus(const Library& library) : library_{library} { status_ = library.open_system(&bus_); }
    ~Bus() {
        if (bus_ != nullptr) library_.close(bus_);
    }
    Bus(const Bus&) = delete;
    Bus& operator=(const Bus&) = delete;

    int status() const { return status_; }

    // One call of the manager without a result.
    template <class... Values>
    Result<void> call(const char* method, const char* types, Values... values) {
        sd_bus_error error{};
        const int status =
            library_.call_method(bus_, service, object, manager, method, &error, nullptr, types, values...);
        std::string message = error.message == nullptr ? "" : printable(error.message);
        library_.error_free(&error);
        if (status >= 0) return {};
        return Error::from_errno(-status, std::string{method} + (message.empty() ? "" : ": " + message));
    }

private:
    const Library& library_;
    sd_bus* bus_ = nullptr;
    int status_ = 0;
};

} // namespace

Result<void> keep_io_controller(const Roots& roots, const std::string& unit) {
    if (keeps_io(roots, unit)) return {};
    if (!library().why.empty()) return Error{ErrorCode::unsupported, "loading libsystemd: " + library().why};
    Bus bus{library()};
    if (bus.status() < 0) return Error::from_errno(-bus.status(), "connecting to the system bus");
    if (unit == anchor_unit)
        return bus.call("StartTransientUnit", "ssa(sv)a(sa(sv))", unit.c_str(), "fail", 2, "Description", "s",
                        "Keeps the io controller on for Penstock's limits", "IOAccounting", "b", 1, 0);
    return bus.call("SetUnitProperties", "sba(sv)", unit.c_str(), 1, 1, "IOAccounting", "b", 1);
}

} // namespace penstock
