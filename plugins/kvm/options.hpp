// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace penstock::kvm {

// The argument of a QEMU option: "virtio-blk-pci,drive=d0,id=vda" or {"driver": "virtio-blk-pci", ...}. Members of a
// nested object get dotted keys, as QEMU itself names them: file.filename, iothread-vq-mapping.0.iothread.
class Options {
public:
    Options() = default;
    // `implied` is the key of a first word without '='.
    static Options parse(std::string_view text, std::string_view implied = {});

    // The last of several equal keys counts; empty: not there.
    std::string_view get(std::string_view key) const;
    bool has(std::string_view key) const;
    bool on(std::string_view key) const;
    bool any_below(std::string_view prefix) const;

    void add(std::string key, std::string value) { items_.emplace_back(std::move(key), std::move(value)); }
    const std::vector<std::pair<std::string, std::string>>& items() const { return items_; }

private:
    std::vector<std::pair<std::string, std::string>> items_;
};

} // namespace penstock::kvm
