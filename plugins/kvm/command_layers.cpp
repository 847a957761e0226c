// SPDX-License-Identifier: Apache-2.0
#include "command_disks.hpp"
#include "image_source.hpp"

#include <penstock/disk_record.hpp>

namespace penstock::kvm {

namespace {

constexpr std::size_t layer_cap = 256;
constexpr int depth_cap = 32; // between a format and its protocol

// Where a node is written: at `prefix` inside the argument of one option.
struct Place {
    const Options* options = nullptr;
    std::string prefix;

    std::string_view get(std::string_view key) const { return options->get(prefix + std::string{key}); }
    explicit operator bool() const { return options != nullptr; }
};

class Graph {
public:
    explicit Graph(const CommandLine& command) : command_{command} {}

    std::vector<sdk::OwnedLayer> layers(std::string_view name) const {
        std::vector<sdk::OwnedLayer> found;
        auto place = named(name);
        while (place && found.size() < layer_cap) {
            for (int i = 0; i < depth_cap && place && is_filter(place.get("driver")); ++i) place = child(place, "file");
            if (!place) break;
            found.push_back(layer(place));
            place = child(place, "backing");
        }
        return found;
    }

private:
    Place named(std::string_view name) const {
        if (name.empty()) return {};
        for (const auto& node : command_.blockdevs) {
            if (node.get("node-name") == name) return {&node, ""};
        }
        for (const auto& drive : command_.drives) {
            if (drive.get("id") == name || drive.get("node-name") == name) return {&drive, ""};
        }
        return {};
    }

    // A child is another node's name or is written in place.
    Place child(const Place& place, std::string_view key) const {
        const auto nested = place.prefix + std::string{key} + ".";
        if (place.options->any_below(nested)) return {place.options, nested};
        const auto reference = place.get(key);
        return reference.empty() ? Place{} : named(reference);
    }

    sdk::OwnedLayer layer(const Place& place) const {
        sdk::OwnedLayer out;
        out.node = place.get("node-name");
        const auto driver = place.get("driver");
        out.format = driver.empty() ? place.get("format") : driver;
        if (place.options->on(place.prefix + "read-only") || place.options->on(place.prefix + "readonly"))
            out.flags |= PENSTOCK_LAYER_READ_ONLY;
        auto protocol = place;
        for (int i = 0; i < depth_cap && protocol && !is_protocol(protocol.get("driver")); ++i) {
            const auto below = child(protocol, "file");
            if (!below) break;
            protocol = below;
        }
        if (is_protocol(protocol.get("driver"))) {
            set_source(out, *protocol.options, protocol.prefix);
        } else {
            // -drive file=NAME: QEMU tells the protocol from the name.
            set_source(out, "", protocol.get(protocol.get("filename").empty() ? "file" : "filename"));
        }
        set_direct(out, direct(protocol));
        return out;
    }

    static bool direct(const Place& place) {
        const auto mode = place.get("cache");
        if (mode == "none" || mode == "directsync") return true;
        return place.options->on(place.prefix + "cache.direct");
    }

    const CommandLine& command_;
};

} // namespace

std::vector<sdk::OwnedLayer> layers_of_node(const CommandLine& command, std::string_view name) {
    return Graph{command}.layers(name);
}

} // namespace penstock::kvm
