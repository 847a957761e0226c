// SPDX-License-Identifier: Apache-2.0
// bench-plugins: what it costs to have a plugin in a process of its own: 1,000 instances, the four disks and the actor
// of each, in this process and in another, in turn. And to find ten plugins without running their code. A table, and
// JSON.
#include "plugin/plugin_set.hpp"
#include "trusted_tree.hpp"

#include <boost/json.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>

using namespace penstock;

namespace {

constexpr int rounds = 9;

double milliseconds_of(auto work) {
    const auto begin = std::chrono::steady_clock::now();
    work();
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
}

double median(std::vector<double> values) {
    std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2), values.end());
    return values[values.size() / 2];
}

Deadline soon() { return std::chrono::steady_clock::now() + std::chrono::seconds{30}; }

// Lists everything, and gives the number of disks.
std::size_t enumerate(Plugin& plugin) {
    std::size_t disks = 0;
    const auto instances = plugin.instances(soon());
    if (!instances) throw std::runtime_error{instances.error().text()};
    for (const auto& instance : instances->items) {
        const auto found = plugin.disks(instance.key, soon());
        if (found && plugin.actors(instance.key, soon())) disks += found->items.size();
    }
    return disks;
}

class Held {
public:
    Held(const TrustedTree& tree, Isolation isolation) : set_{{tree.path("thousand")}, options(isolation)} {
        const auto plugin = set_.get(set_.entries().at(0));
        if (!plugin) throw std::runtime_error{plugin.error().text()};
        plugin_ = *plugin;
    }
    double time() {
        std::size_t disks = 0;
        const auto took = milliseconds_of([&] { disks = enumerate(*plugin_); });
        if (disks != 4000) throw std::runtime_error{fmt::format("{} disks were listed, not 4000", disks)};
        return took;
    }

private:
    static HostOptions options(Isolation isolation) {
        HostOptions out;
        out.isolation = [isolation](std::string_view) { return isolation; };
        out.plugin_host = PENSTOCK_BENCH_HOST;
        return out;
    }
    PluginSet set_;
    Plugin* plugin_;
};

void install(const TrustedTree& tree, const std::string& name, const std::string& id, const std::string& kind) {
    tree.directory(std::filesystem::path{name}.parent_path().string());
    std::filesystem::copy_file(PENSTOCK_BENCH_PLUGIN, tree.path(name + ".so"));
    tree.mode(name + ".so", 0755);
    tree.manifest(name, id, kind);
}

} // namespace

int main() {
    try {
        const TrustedTree tree;
        install(tree, "thousand/thousand", "org.penstock.bench.thousand", "thousand");
        Held here{tree, Isolation::in_process}, apart{tree, Isolation::process};
        std::vector<double> in_process, process, found;
        for (int i = 0; i < rounds; ++i) { // in turn, so that a busy machine is as busy for both
            in_process.push_back(here.time());
            process.push_back(apart.time());
        }
        for (int i = 0; i < 10; ++i)
            install(tree, fmt::format("ten/plugin{}", i), fmt::format("org.penstock.bench.p{}", i),
                    fmt::format("kind{}", i));
        for (int i = 0; i < rounds; ++i)
            found.push_back(milliseconds_of([&] {
                const PluginSet set{{tree.path("ten")}, {}};
                if (set.entries().size() != 10 || set.entries()[0].refused) throw std::runtime_error{"not ten plugins"};
            }));
        const double one = median(in_process), other = median(process), ten = median(found);
        fmt::print("1,000 instances x 4 disks, listed with their actors, median of {} rounds\n", rounds);
        fmt::print("  {:<30} {:>8.2f} ms\n  {:<30} {:>8.2f} ms  {:.2f} times\n", "in this process", one,
                   "in a process of its own", other, other / one);
        fmt::print("10 plugins found, none of their code run\n  {:<30} {:>8.2f} ms\n", "", ten);
        fmt::print("{}\n",
                   boost::json::serialize(boost::json::object{
                       {"in_process_ms", one}, {"process_ms", other}, {"ratio", other / one}, {"find_ten_ms", ten}}));
    } catch (const std::exception& e) {
        fmt::print(stderr, "bench-plugins: {}\n", e.what());
        return 1;
    }
}
