// SPDX-License-Identifier: Apache-2.0
#include "device_name.hpp"

namespace penstock::kvm {

std::string_view device_id(std::string_view qdev) {
    if (!qdev.starts_with('/')) return qdev;
    constexpr std::string_view peripheral = "/machine/peripheral/";
    if (!qdev.starts_with(peripheral)) return {};
    qdev.remove_prefix(peripheral.size());
    return qdev.substr(0, qdev.find('/'));
}

std::string target_name(std::string_view device_id, std::string_view drive, std::string_view node) {
    if (!device_id.empty()) return std::string{device_id};
    if (drive.starts_with("drive-") && drive.size() > 6) drive.remove_prefix(6);
    if (!drive.empty()) return std::string{drive};
    // "#block129" is a number that QEMU made up; it differs at each start.
    return node.starts_with('#') ? std::string{} : std::string{node};
}

std::vector<std::string> iothreads_of(const CommandLine& command, const Options& device) {
    std::vector<std::string> found;
    for (const auto& [key, value] : device.items()) {
        const bool mapped = key.starts_with("iothread-vq-mapping.") && key.ends_with(".iothread");
        if (key == "iothread" || mapped) found.push_back(value);
    }
    if (!found.empty()) return found;
    const auto bus = device.get("bus");
    const auto* controller = command.device(bus.substr(0, bus.rfind('.')));
    // Controllers have buses, not parents that are disks: one step is all there is.
    if (controller != nullptr && controller != &device && !controller->get("iothread").empty())
        found.emplace_back(controller->get("iothread"));
    return found;
}

} // namespace penstock::kvm
