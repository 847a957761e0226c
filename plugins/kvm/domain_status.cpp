// SPDX-License-Identifier: Apache-2.0
#include "domain_status.hpp"

#include "command_disks.hpp"
#include "device_name.hpp"
#include "image_source.hpp"
#include "text.hpp"

#include <penstock/disk_record.hpp>
#include <penstock/text.hpp>

#include <pugixml.hpp>

namespace penstock::kvm {

namespace {

constexpr std::size_t layer_cap = 256;
constexpr std::size_t disk_cap = 1024;

std::uint32_t state_of(std::string_view word) {
    if (word == "running" || word == "idle") return PENSTOCK_STATE_RUNNING;
    if (word == "paused" || word == "pmsuspended" || word == "blocked") return PENSTOCK_STATE_PAUSED;
    return word == "shutoff" || word == "shutdown" ? PENSTOCK_STATE_STOPPED : PENSTOCK_STATE_UNKNOWN;
}

bool is_direct(std::string_view cache) { return cache == "none" || cache == "directsync"; }

std::string format_node(const pugi::xml_node& source) {
    std::string storage;
    for (const auto& node : source.child("privateData").child("nodenames")) {
        const std::string_view type = node.attribute("type").value();
        if (type == "format") return node.attribute("name").value();
        if (type == "storage") storage = node.attribute("name").value();
    }
    return storage;
}

// `owner` is a <disk> or a <backingStore>: type= and a <source> of the shape that belongs to it.
sdk::OwnedLayer layer_of(const pugi::xml_node& owner, std::string_view format, std::string_view cache,
                         const CommandLine& command) {
    sdk::OwnedLayer layer;
    layer.format = format;
    const auto source = owner.child("source");
    const std::string_view type = owner.attribute("type").value();
    layer.node = format_node(source);
    if (type == "file") {
        set_source(layer, "file", source.attribute("file").value());
    } else if (type == "block") {
        set_source(layer, "host_device", source.attribute("dev").value());
    } else if (type == "network") {
        const auto host = source.child("host");
        const std::string_view socket = host.attribute("socket").value();
        layer.kind = PENSTOCK_LAYER_NETWORK;
        layer.uri = std::string{source.attribute("protocol").value()} + "://" + host.attribute("name").value();
        if (const std::string_view port = host.attribute("port").value(); !port.empty())
            layer.uri += ":" + std::string{port};
        layer.uri += "/" + public_uri(source.attribute("name").value());
        if (!socket.empty()) layer.uri += "?socket=" + std::string{socket};
    } else if (type == "volume") {
        // The pool's path is not in the text; QEMU was given it.
        if (const auto known = layers_of_node(command, layer.node); !known.empty()) {
            layer = known.front();
        } else {
            layer.uri =
                std::string{"volume:"} + source.attribute("pool").value() + "/" + source.attribute("volume").value();
        }
    } else {
        layer.kind = PENSTOCK_LAYER_OTHER;
        layer.format = type;
        if (type == "vhostuser") layer.path = source.attribute("path").value();
        if (type == "dir") layer.path = source.attribute("dir").value();
    }
    set_direct(layer, is_direct(cache));
    return layer;
}

std::string driver_of(const pugi::xml_node& disk, const CommandLine& command) {
    const std::string_view alias = disk.child("alias").attribute("name").value();
    if (const auto* device = command.device(alias)) return std::string{device->get("driver")};
    const std::string_view device = disk.attribute("device").value();
    const std::string bus = disk.child("target").attribute("bus").value();
    if (std::string_view{disk.attribute("type").value()} == "vhostuser") return "vhost-user-blk-pci";
    if (bus == "virtio") return "virtio-blk-pci";
    if (bus == "usb") return "usb-storage";
    if (bus == "scsi" && device == "lun") return "scsi-block";
    if (bus == "scsi" || bus == "ide" || bus == "sata")
        return (bus == "scsi" ? "scsi-" : "ide-") + std::string{device == "cdrom" ? "cd" : "hd"};
    return bus == "fdc" ? "floppy" : bus;
}

std::vector<std::string> iothreads_of(const pugi::xml_node& disk, const pugi::xml_node& devices) {
    std::vector<std::string> found;
    const auto add = [&](const char* id) {
        if (*id != '\0') found.push_back(std::string{"iothread"} + id);
    };
    const auto take = [&](const pugi::xml_node& driver) {
        add(driver.attribute("iothread").value());
        for (const auto& mapped : driver.child("iothreads").children("iothread")) add(mapped.attribute("id").value());
    };
    take(disk.child("driver"));
    const std::string_view bus = disk.child("target").attribute("bus").value();
    const std::string_view index = disk.child("address").attribute("controller").value();
    if (bus != "scsi" || !found.empty()) return found;
    for (const auto& controller : devices.children("controller")) {
        if (bus == controller.attribute("type").value() && index == controller.attribute("index").value())
            take(controller.child("driver"));
    }
    return found;
}

Disk disk_of(const pugi::xml_node& node, const pugi::xml_node& devices, const CommandLine& command) {
    Disk disk;
    const auto driver = node.child("driver");
    const std::string_view device = node.attribute("device").value();
    const std::string_view cache = driver.attribute("cache").value();
    disk.target = node.child("target").attribute("dev").value();
    disk.native_id = disk.target;
    disk.alias = node.child("alias").attribute("name").value();
    disk.set_driver(driver_of(node, command));
    disk.iothreads = iothreads_of(node, devices);
    if (node.child("readonly") || device == "cdrom") disk.flags |= PENSTOCK_DISK_READ_ONLY;
    if (device == "cdrom" || device == "floppy") disk.flags |= PENSTOCK_DISK_REMOVABLE;
    if (!node.child("source")) {
        disk.flags |= PENSTOCK_DISK_EMPTY;
        return disk;
    }
    disk.layers.push_back(layer_of(node, driver.attribute("type").value(), cache, command));
    if ((disk.flags & PENSTOCK_DISK_READ_ONLY) != 0) disk.layers[0].flags |= PENSTOCK_LAYER_READ_ONLY;
    for (auto store = node.child("backingStore"); store.child("source") && disk.layers.size() < layer_cap;
         store = store.child("backingStore")) {
        disk.layers.push_back(layer_of(store, store.child("format").attribute("type").value(), cache, command));
        disk.layers.back().flags |= PENSTOCK_LAYER_READ_ONLY;
    }
    if ((disk.layers[0].flags & PENSTOCK_LAYER_DIRECT) != 0) disk.cache_mode = PENSTOCK_CACHE_DIRECT;
    if ((disk.layers[0].flags & PENSTOCK_LAYER_BUFFERED) != 0) disk.cache_mode = PENSTOCK_CACHE_BUFFERED;
    disk.passthrough = bypasses_limiter(disk.driver);
    if (disk.passthrough)
        disk.remark(bypass_note);
    else
        disk.flags |= PENSTOCK_DISK_NATIVE_LIMIT;
    return disk;
}

} // namespace

std::optional<DomainHead> parse_domain_head(std::string_view beginning) {
    // What follows the first element is cut off: the parser says so and keeps what it has understood.
    pugi::xml_document document;
    document.load_buffer(beginning.data(), beginning.size());
    const auto root = document.child("domstatus");
    const auto pid = sdk::number<int>(root.attribute("pid").value());
    if (!pid) return std::nullopt;
    return DomainHead{*pid, state_of(root.attribute("state").value())};
}

std::optional<Domain> parse_domain(std::string_view text, const CommandLine& command) {
    pugi::xml_document document;
    if (!document.load_buffer(text.data(), text.size())) return std::nullopt;
    const auto status = document.child("domstatus");
    const auto root = status ? status.child("domain") : document.child("domain");
    Domain domain;
    domain.pid = status ? sdk::number<int>(status.attribute("pid").value()).value_or(0) : 0;
    domain.name = root.child("name").text().get();
    domain.uuid = lower(root.child("uuid").text().get());
    const auto devices = root.child("devices");
    if (!devices || domain.uuid.empty()) return std::nullopt;
    for (const auto& disk : devices.children("disk")) {
        if (domain.disks.size() < disk_cap) domain.disks.push_back(disk_of(disk, devices, command));
    }
    return domain;
}

} // namespace penstock::kvm
