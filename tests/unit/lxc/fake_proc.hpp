// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <map>
#include <stdlib.h>
#include <string>
#include <vector>

// A /proc made of plain files in a temporary directory. Its files belong to whoever runs the test, and so do the
// container directories that it makes.
class FakeProc {
public:
    struct Process {
        int parent = 0;
        std::string command_line;
        std::string comm = "x";
        std::string mount_namespace = "mnt:[1]";
        std::string cgroup = "0::/\n";
        std::uint64_t start = 100;
        unsigned flags = 0x400000;
        char state = 'S';
        int pid_depth = 0;
        std::vector<std::uint64_t> sockets;
    };

    FakeProc() {
        std::string name = (std::filesystem::temp_directory_path() / "penstock-proc-XXXXXX").string();
        if (mkdtemp(name.data()) == nullptr) abort();
        root_ = name;
    }
    FakeProc(const FakeProc&) = delete;
    FakeProc& operator=(const FakeProc&) = delete;
    ~FakeProc() { std::filesystem::remove_all(root_); }

    std::string root() const { return root_.string(); }

    void add(int pid, Process process) {
        const auto id = std::to_string(pid);
        const auto directory = root_ / id;
        write(id + "/cmdline", process.command_line);
        std::string stat = id + " (" + process.comm + ") " + process.state + " " + std::to_string(process.parent) +
                           " 1 1 0 -1 " + std::to_string(process.flags) + " 0 0 0 0 0 0 0 0 20 0 1 0 " +
                           std::to_string(process.start) + " 0 0\n";
        write(id + "/stat", stat);
        std::string nspid = "Name:\tx\nNSpid:";
        for (int i = 0; i <= process.pid_depth; ++i) nspid += "\t1";
        write(id + "/status", nspid + "\n");
        write(id + "/cgroup", process.cgroup);
        write(id + "/task/" + id + "/children", "");
        std::filesystem::create_directories(directory / "ns");
        std::filesystem::create_symlink(process.mount_namespace, directory / "ns/mnt");
        std::filesystem::create_directories(directory / "fd");
        int number = 0;
        for (const auto inode : process.sockets) {
            std::filesystem::create_symlink("socket:[" + std::to_string(inode) + "]",
                                            directory / "fd" / std::to_string(number++));
        }
        const auto parent = std::to_string(process.parent);
        write(parent + "/task/" + parent + "/children", id + " ", std::ios::app);
        write(id + "/net/unix", net_unix_);
    }

    // A monitor and its init, one pid higher.
    void add_container(int monitor, const std::string& lxcpath, const std::string& name, int parent = 1) {
        Process process;
        process.parent = parent;
        process.command_line = "[lxc monitor] " + lxcpath + " " + name + std::string(1, '\0');
        process.comm = "lxc-start";
        process.cgroup = "0::/lxc.monitor." + name + "\n";
        add(monitor, process);
        make_directory(std::to_string(monitor) + "/root" + lxcpath + "/" + name);
        add_init(monitor, name);
    }

    void add_init(int monitor, const std::string& name) {
        Process init;
        init.parent = monitor;
        init.command_line = "/sbin/init";
        init.comm = "init";
        init.mount_namespace = "mnt:[" + std::to_string(monitor) + "]";
        init.cgroup = "0::/lxc.payload." + name + "\n";
        init.pid_depth = 1;
        add(monitor + 1, init);
    }

    // Before the processes that are to see it.
    void listen(std::uint64_t inode, const std::string& address) {
        net_unix_ += "0: 00000002 00000000 00010000 0001 01 " + std::to_string(inode) + " @" + address + "\n";
        write("net/unix", net_unix_);
    }

    void write(const std::string& path, const std::string& text, std::ios::openmode mode = std::ios::trunc) {
        std::filesystem::create_directories((root_ / path).parent_path());
        std::ofstream{root_ / path, std::ios::binary | std::ios::out | mode} << text;
    }
    void make_directory(const std::string& path) { std::filesystem::create_directories(root_ / path); }

private:
    std::filesystem::path root_;
    std::string net_unix_;
};
