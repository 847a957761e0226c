// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "plugin/plugin_set.hpp"
#include "trusted_tree.hpp"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <mutex>
#include <string>
#include <vector>

// Installs built plugins, with manifests, into a directory of its own, and is their host.
class PluginBench {
public:
    static std::string id(std::string name) {
        std::replace(name.begin(), name.end(), '_', '-');
        return "org.penstock.test." + name;
    }

    void install(const std::string& name, const std::string& kind = "test") {
        const auto to = tree.path(name + ".so");
        std::filesystem::copy_file(std::filesystem::path{PENSTOCK_ABI_PLUGINS} / (name + ".so"), to);
        tree.mode(name + ".so", 0755);
        tree.manifest(name, id(name), kind);
    }

    penstock::PluginSet& plugins() {
        if (!plugins_) plugins_ = std::make_unique<penstock::PluginSet>(std::vector{tree.path()}, options());
        return *plugins_;
    }
    // Installs and loads.
    penstock::Result<penstock::Plugin*> load(const std::string& name) {
        install(name);
        return get(name);
    }
    penstock::Result<penstock::Plugin*> get(const std::string& name) {
        for (const auto& entry : plugins().entries())
            if (entry.library == tree.path(name + ".so")) return plugins().get(entry);
        return penstock::Error{penstock::ErrorCode::not_found, name};
    }

    bool logged(const std::string& words) {
        const std::lock_guard lock{mutex_};
        return std::any_of(log_.begin(), log_.end(),
                           [&](const auto& line) { return line.find(words) != std::string::npos; });
    }

    TrustedTree tree;

private:
    penstock::HostOptions options() {
        penstock::HostOptions out;
        out.proc_root = "/does-not-exist/proc";
#ifdef PENSTOCK_ABI_HOST // the same tests, with each plugin in a process of its own
        out.isolation = [](std::string_view) { return penstock::Isolation::process; };
        out.plugin_host = PENSTOCK_ABI_HOST;
#endif
        out.log = [this](std::uint32_t, std::string_view plugin, std::string_view message) {
            const std::lock_guard lock{mutex_};
            log_.push_back(std::string{plugin} + ": " + std::string{message});
        };
        out.config = [](std::string_view, std::string_view key) {
            return key == "colour" ? std::optional<std::string>{"red"} : std::nullopt;
        };
        return out;
    }

    std::mutex mutex_;
    std::vector<std::string> log_;
    std::unique_ptr<penstock::PluginSet> plugins_; // last: its plugins log until they are gone
};

inline penstock::Deadline soon() { return std::chrono::steady_clock::now() + std::chrono::seconds{30}; }
inline const penstock::InstanceKey some_key{"test", "id-1", "1-1"};
