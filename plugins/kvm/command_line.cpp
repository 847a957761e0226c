// SPDX-License-Identifier: Apache-2.0
#include "command_line.hpp"

#include "option_table.hpp"
#include "text.hpp"

#include <penstock/text.hpp>

#include <algorithm>

namespace penstock::kvm {

namespace {

class Parser {
public:
    CommandLine run(std::string_view text) {
        auto words = sdk::split(text, '\0');
        if (!words.empty() && words.back().empty()) words.pop_back();
        if (words.empty()) return {};
        out_.program = words[0];
        for (std::size_t i = 1; i < words.size(); ++i) {
            auto word = words[i];
            if (!word.starts_with('-') || word == "-") {
                ++out_.positional;
                continue;
            }
            word.remove_prefix(word.starts_with("--") ? 2 : 1);
            const auto kind = option_kind(word);
            if (kind == OptionKind::unknown) ++out_.unknown_options;
            if (kind == OptionKind::flag || kind == OptionKind::unknown) flag(word);
            // An option that we do not know is taken as one without an argument only if a word with '-' follows.
            const bool argument =
                kind == OptionKind::argument ||
                (kind == OptionKind::unknown && i + 1 < words.size() && !words[i + 1].starts_with('-'));
            if (argument && i + 1 < words.size()) option(word, words[++i]);
        }
        resolve_monitors();
        return std::move(out_);
    }

private:
    void flag(std::string_view name) {
        if (name == "xen-attach") out_.xen = true;
        if (name == "enable-kvm") ++out_.machine_options;
    }

    void option(std::string_view name, std::string_view value) {
        if (name == "name") {
            const auto options = Options::parse(value, "guest");
            if (options.has("guest")) out_.name = options.get("guest");
            if (options.has("debug-threads")) out_.debug_threads = options.on("debug-threads");
        } else if (name == "uuid") {
            out_.uuid = lower(value);
        } else if (name == "xen-domid") {
            out_.xen = true;
        } else if (name == "machine" || name == "M") {
            out_.no_machine = Options::parse(value, "type").get("type") == "none";
        } else if (name == "qmp" || name == "qmp-pretty") {
            qmp(value);
        } else if (name == "mon") {
            monitors_.push_back(Options::parse(value, "chardev"));
        } else if (name == "chardev") {
            chardevs_.push_back(Options::parse(value, "backend"));
        } else if (name == "drive") {
            out_.drives.push_back(Options::parse(value, "file"));
        } else if (name == "blockdev") {
            out_.blockdevs.push_back(Options::parse(value));
        } else if (name == "device") {
            out_.devices.push_back(Options::parse(value, "driver"));
        } else if (name == "object") {
            const auto object = Options::parse(value, "qom-type");
            if (object.get("qom-type") == "iothread") out_.iothreads.emplace_back(object.get("id"));
        } else {
            image_option(name, value);
        }
        if (is_machine_option(name)) ++out_.machine_options;
    }

    // The short forms of -drive.
    void image_option(std::string_view name, std::string_view file) {
        const auto add = [&](std::string_view bus, std::string_view index, bool cdrom = false) {
            Options drive;
            drive.add("file", std::string{file});
            drive.add("if", std::string{bus});
            drive.add("index", std::string{index});
            if (cdrom) drive.add("media", "cdrom");
            out_.drives.push_back(std::move(drive));
        };
        if (name == "hda")
            add("ide", "0");
        else if (name == "hdb")
            add("ide", "1");
        else if (name == "hdc")
            add("ide", "2");
        else if (name == "hdd")
            add("ide", "3");
        else if (name == "cdrom")
            add("ide", "2", true);
        else if (name == "fda")
            add("floppy", "0");
        else if (name == "fdb")
            add("floppy", "1");
        else if (name == "sd")
            add("sd", "0");
        else if (name == "mtdblock")
            add("mtd", "0");
        else if (name == "pflash")
            add("pflash", "0");
    }

    // unix:PATH,server=on,wait=off; everything that is no listening unix socket cannot be used.
    void qmp(std::string_view value) {
        if (value.starts_with("unix:")) {
            const auto options = Options::parse(value.substr(5), "path");
            listening(options);
        } else if (value.starts_with("chardev:")) {
            Options monitor;
            monitor.add("chardev", std::string{value.substr(8)});
            monitor.add("mode", "control");
            monitors_.push_back(std::move(monitor));
        }
    }

    void listening(const Options& socket) {
        if (socket.has("fd")) out_.control_fd = true;
        const auto path = socket.get("path");
        if (!path.empty() && socket.on("server") && !socket.on("abstract")) out_.qmp_paths.emplace_back(path);
    }

    // A monitor may come before or after its chardev.
    void resolve_monitors() {
        for (const auto& monitor : monitors_) {
            if (monitor.get("mode") != "control") continue;
            for (const auto& chardev : chardevs_) {
                if (chardev.get("backend") == "socket" && chardev.get("id") == monitor.get("chardev"))
                    listening(chardev);
            }
        }
    }

    CommandLine out_;
    std::vector<Options> monitors_, chardevs_;
};

} // namespace

const Options* CommandLine::device(std::string_view id) const {
    const auto found =
        std::find_if(devices.begin(), devices.end(), [&](const Options& d) { return d.get("id") == id; });
    return found == devices.end() || id.empty() ? nullptr : &*found;
}

CommandLine parse_command_line(std::string_view text) { return Parser{}.run(text); }

} // namespace penstock::kvm
