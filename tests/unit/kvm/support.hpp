// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "file.hpp"
#include "record.hpp"

#include <penstock/file.hpp>

#include <fcntl.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <vector>

namespace penstock::kvm {

// A captured input, byte for byte.
inline std::string captured(const std::string& name) {
    std::ifstream in{std::string{PENSTOCK_TEST_DATA} + "/kvm/" + name, std::ios::binary};
    return {std::istreambuf_iterator<char>{in}, {}};
}

// What a golden file holds; with PENSTOCK_UPDATE_GOLDEN set it is written first.
inline std::string golden(const std::string& name, const std::string& text) {
    if (std::getenv("PENSTOCK_UPDATE_GOLDEN") != nullptr)
        std::ofstream{std::string{PENSTOCK_TEST_DATA} + "/kvm/" + name, std::ios::binary} << text;
    return captured(name);
}

// "a b c" as /proc/PID/cmdline has it; '~' stands for a space inside a word.
inline std::string words(std::string text) {
    for (auto& c : text) c = c == ' ' ? '\0' : c == '~' ? ' ' : c;
    return text + '\0';
}

// A directory that ends with its test.
class TemporaryDirectory {
public:
    TemporaryDirectory() {
        char pattern[] = "/tmp/penstock-unit-kvm-XXXXXX";
        path_ = ::mkdtemp(pattern);
    }
    TemporaryDirectory(const TemporaryDirectory&) = delete;
    TemporaryDirectory& operator=(const TemporaryDirectory&) = delete;
    ~TemporaryDirectory() { std::filesystem::remove_all(path_); }

    const std::string& path() const { return path_; }
    void write(const std::string& file, const std::string& text) const {
        const auto full = std::filesystem::path{path_} / file;
        std::filesystem::create_directories(full.parent_path());
        std::ofstream{full, std::ios::binary} << text;
    }
    void link(const std::string& file, const std::string& target) const {
        const auto full = std::filesystem::path{path_} / file;
        std::filesystem::create_directories(full.parent_path());
        std::filesystem::create_symlink(target, full);
    }
    sdk::Fd open() const { return sdk::open_directory(AT_FDCWD, path_.c_str()); }

private:
    std::string path_;
};

inline std::string stat_line(int pid, const std::string& comm, std::uint64_t start, int parent = 1, char state = 'S') {
    return std::to_string(pid) + " (" + comm + ") " + state + " " + std::to_string(parent) +
           " 1 1 0 -1 4194560 0 0 0 0 0 0 0 0 20 0 1 0 " + std::to_string(start) + " 0 0\n";
}

// FAKE: a process as /proc shows it.
inline void fake_process(const TemporaryDirectory& proc, int pid, const std::string& cmdline, std::uint64_t start,
                         const std::string& executable = "/usr/bin/qemu-system-x86_64") {
    const auto directory = std::to_string(pid) + "/";
    proc.write(directory + "cmdline", cmdline);
    proc.write(directory + "stat", stat_line(pid, "qemu-system-x86", start));
    proc.link(directory + "exe", executable);
}

// Disks as text, to compare with a golden file.
inline std::string dump(const std::vector<Disk>& disks) {
    std::ostringstream out;
    for (const auto& disk : disks) {
        out << disk.target << " native=" << disk.native_id << " driver=" << disk.driver
            << " bus=" << bus_of(disk.driver) << " flags=" << disk.flags << " cache=" << disk.cache_mode;
        for (const auto& iothread : disk.iothreads) out << " iothread=" << iothread;
        if (!disk.note.empty()) out << " note=" << disk.note;
        out << '\n';
        for (const auto& layer : disk.layers)
            out << "    kind=" << layer.kind << " flags=" << layer.flags << " format=" << layer.format
                << " path=" << layer.path << " uri=" << layer.uri << " node=" << layer.node << '\n';
    }
    return out.str();
}

} // namespace penstock::kvm
