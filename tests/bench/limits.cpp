// SPDX-License-Identifier: Apache-2.0
// bench-limits: sets 1,000 (cgroup, device) limits through the library: each is read, planned, written and read back.
// Beside it, in the same run: open, write and close of the same control files and nothing else.
// Works in cgroups of its own, on the loop device given by PENSTOCK_BENCH_DEVICE or /dev/loop0 (which needs no file).
#include "cgroup/cgroup.hpp"
#include "enforce/executor.hpp"
#include "enforce/removal.hpp"

#include <boost/json.hpp>
#include <fmt/format.h>

#include <chrono>
#include <cstdlib>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace penstock;

namespace {

constexpr int count = 1000;

double milliseconds_of(auto work) {
    const auto begin = std::chrono::steady_clock::now();
    work();
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
}

[[noreturn]] void fail(const Error& error) {
    fmt::print(stderr, "bench-limits: {}\n", error.text());
    std::exit(1);
}

// 1,000 cgroups below one of our own; removed at the end.
class Cgroups {
public:
    explicit Cgroups(const Hierarchy& hierarchy)
        : hierarchy_{hierarchy}, parent_{"/penstock-bench-" + std::to_string(::getpid())} {
        make(parent_);
        if (hierarchy.version == CgroupVersion::v2)
            for (const auto& path : {std::string{"/"}, parent_})
                if (const auto cgroup = Cgroup::open(hierarchy, path))
                    (void)cgroup->write("cgroup.subtree_control", "+io");
        for (int i = 0; i < count; ++i) make(path(i));
    }
    ~Cgroups() {
        for (int i = 0; i < count; ++i) (void)lift_and_remove(hierarchy_, path(i));
        (void)lift_and_remove(hierarchy_, parent_);
    }
    Cgroups(const Cgroups&) = delete;
    Cgroups& operator=(const Cgroups&) = delete;
    std::string path(int i) const { return parent_ + "/" + std::to_string(i); }

private:
    void make(const std::string& path) const { ::mkdir(hierarchy_.directory(path)->c_str(), 0755); }
    const Hierarchy& hierarchy_;
    std::string parent_;
};

void set_limit(Executor& executor, const LimitPoint& point, const Limits& change) {
    const auto now = executor.read(point);
    if (!now) fail(now.error());
    if (const auto done = executor.run(plan_set(point, {*now, std::nullopt}, change)); !done) fail(done.error());
}

} // namespace

int main(int argc, char** argv) {
    const char* given = std::getenv("PENSTOCK_BENCH_DEVICE");
    const std::string path = given != nullptr ? given : "/dev/loop0";
    struct stat status {};
    if (::stat(path.c_str(), &status) != 0 || !S_ISBLK(status.st_mode))
        fail(Error{ErrorCode::invalid, path + " is no block device"});
    const auto device = DeviceNumber::from_dev(status.st_rdev);
    const Roots roots;
    const auto hierarchy = find_io_hierarchy(roots);
    if (!hierarchy) fail(hierarchy.error());
    const Cgroups cgroups{*hierarchy};
    Executor executor{roots, &*hierarchy, nullptr};
    Limits change;
    change[Rate::write_bps] = 10'000'000;
    const auto point = [&](int i) {
        return LimitPoint{.engine = Engine::cgroup,
                          .version = hierarchy->version,
                          .cgroup = cgroups.path(i),
                          .device = device,
                          .device_name = path};
    };

    const auto library = milliseconds_of([&] {
        for (int i = 0; i < count; ++i) set_limit(executor, point(i), change);
    });
    const auto raw = milliseconds_of([&] {
        for (int i = 0; i < count; ++i) {
            const auto write = control_writes(hierarchy->version, device, {}, change).front();
            const auto file = *hierarchy->directory(cgroups.path(i)) + "/" + write.file;
            const Fd fd{::open(file.c_str(), O_WRONLY | O_CLOEXEC)};
            if (::write(fd.get(), write.text.data(), write.text.size()) < 0)
                fail(Error::from_errno(errno, "writing " + file));
        }
    });
    if (argc > 1 && std::string_view{argv[1]} == "--json")
        fmt::print("{}\n", boost::json::serialize(boost::json::object{
                               {"limits", count}, {"library_ms", library}, {"open_write_close_ms", raw}}));
    else
        fmt::print("{} limits: planned, written and read back in {:.1f} ms; open, write, close alone {:.1f} ms\n",
                   count, library, raw);
}
