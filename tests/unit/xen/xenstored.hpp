// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fake_tree.hpp"
#include "plugin_host.hpp"
#include "store_message.hpp"

#include <chrono>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <string_view>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

// A dom0 with Xen's own xenstored, started without Xen, and a /proc and /sys made of files.
class Dom0 {
public:
    Dom0() {
        tree.directory("proc");
        tree.directory("sys");
        tree.directory("run/xenstored");
        const auto directory = tree.path("run/xenstored");
        daemon_ = ::fork();
        if (daemon_ == 0) {
            ::prctl(PR_SET_PDEATHSIG, SIGKILL);
            const int log = ::open((directory + "/log").c_str(), O_WRONLY | O_CREAT, 0600);
            ::dup2(log, 1);
            ::dup2(log, 2);
            ::setenv("XENSTORED_RUNDIR", directory.c_str(), 1);
            ::setenv("XENSTORED_ROOTDIR", directory.c_str(), 1);
            ::setenv("NO_XEN_DIR", directory.c_str(), 1);
            ::setenv("LD_PRELOAD", PENSTOCK_NO_XEN, 1);
            ::execl(PENSTOCK_XENSTORED, "xenstored", "-N", nullptr);
            ::_exit(127);
        }
        for (int tries = 0; !connect(directory + "/socket"); ++tries) {
            if (tries == 500 || ::waitpid(daemon_, nullptr, WNOHANG) != 0) {
                std::ifstream log{directory + "/log"};
                throw std::runtime_error{"xenstored did not start: " + std::string{std::istreambuf_iterator{log}, {}}};
            }
            std::this_thread::sleep_for(std::chrono::milliseconds{10});
        }
    }
    ~Dom0() {
        ::close(socket_);
        ::kill(daemon_, SIGKILL);
        ::waitpid(daemon_, nullptr, 0);
    }
    Dom0(const Dom0&) = delete;
    Dom0& operator=(const Dom0&) = delete;

    void write(const std::string& path, const std::string& value) { tell(11, path + '\0' + value); }
    void remove(const std::string& path) { tell(13, path + '\0'); }

    // Lines `/path = "value"   (permissions)`, as xenstore-ls -f -p prints them.
    void load(const std::string& captured) {
        std::ifstream file{PENSTOCK_TEST_DATA "/xen/" + captured};
        if (!file) throw std::runtime_error{"no test data " + captured};
        for (std::string line; std::getline(file, line);) {
            const auto equals = line.find(" = \"");
            const auto quote = line.rfind('"');
            if (equals == std::string::npos || line[1] == '@') continue;
            write(line.substr(0, equals), line.substr(equals + 4, quote - equals - 4));
        }
    }

    // The processes of a captured `ps -eLf`.
    void load_processes(const std::string& captured) {
        std::ifstream file{PENSTOCK_TEST_DATA "/xen/" + captured};
        if (!file) throw std::runtime_error{"no test data " + captured};
        std::string uid, time, command, header;
        std::getline(file, header);
        for (std::string line; std::getline(file, line);) {
            std::istringstream words{line};
            int pid = 0, parent = 0, thread = 0, cpu = 0, threads = 0;
            words >> uid >> pid >> parent >> thread >> cpu >> threads >> time >> time >> time >> command;
            if (pid != thread) continue;
            std::string rest{std::istreambuf_iterator{words}, {}};
            if (command.starts_with('['))
                kernel_thread(pid, command.substr(1, command.size() - 2));
            else
                process(pid, command.substr(command.rfind('/') + 1).substr(0, 15), command + rest);
        }
    }
    void kernel_thread(int pid, const std::string& comm, int parent = 2) { stat(pid, comm, parent, 0x208040); }
    // Blanks in `command` stand for the ends of its words.
    void process(int pid, const std::string& comm, std::string command = "x", int parent = 1) {
        stat(pid, comm, parent, 0x400100);
        for (auto& c : command) c = c == ' ' ? '\0' : c;
        tree.file("proc/" + std::to_string(pid) + "/cmdline", command + '\0');
    }
    void opens(int pid, int fd, const std::string& path, const std::string& octal_flags) {
        const auto at = "proc/" + std::to_string(pid) + "/";
        tree.link(at + "fd/" + std::to_string(fd), path);
        tree.file(at + "fdinfo/" + std::to_string(fd), "pos:\t0\nflags:\t" + octal_flags + "\nmnt_id:\t28\n");
    }

    PluginHost host() const { return {tree.path("proc"), tree.path("sys"), tree.path("run")}; }
    pid_t daemon() const { return daemon_; }
    void kill_daemon() const {
        siginfo_t info;
        ::kill(daemon_, SIGKILL);
        ::waitid(P_PID, static_cast<id_t>(daemon_), &info, WEXITED | WNOWAIT);
    }

    FakeTree tree;

private:
    void stat(int pid, const std::string& comm, int parent, unsigned flags) {
        const auto id = std::to_string(pid);
        tree.file("proc/" + id + "/stat", id + " (" + comm + ") S " + std::to_string(parent) + " 0 0 0 -1 " +
                                              std::to_string(flags) + " 0 0 0 0 0 0 0 0 20 0 1 0 " +
                                              std::to_string(1000 + pid) + " 0 0\n");
    }

    bool connect(const std::string& path) {
        sockaddr_un address{};
        address.sun_family = AF_UNIX;
        path.copy(address.sun_path, sizeof address.sun_path - 1);
        socket_ = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
        if (::connect(socket_, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0) return true;
        ::close(socket_);
        return false;
    }

    // xs_wire.h: 11 writes a node, 13 removes one.
    void tell(std::uint32_t type, const std::string& arguments) {
        std::string question, answer;
        penstock::xen::append_message(question, static_cast<penstock::xen::MessageType>(type), 0, arguments);
        if (::send(socket_, question.data(), question.size(), MSG_NOSIGNAL) != static_cast<ssize_t>(question.size()))
            throw std::runtime_error{"xenstored takes no more"};
        while (true) {
            std::size_t at = 0;
            bool malformed = false;
            if (const auto message = penstock::xen::take_message(answer, at, malformed)) {
                if (message->is_error()) throw std::runtime_error{arguments + ": " + message->payload};
                return;
            }
            char part[4096];
            const auto n = ::recv(socket_, part, sizeof part, 0);
            if (n <= 0) throw std::runtime_error{"xenstored has gone"};
            answer.append(part, static_cast<std::size_t>(n));
        }
    }

    pid_t daemon_ = -1;
    int socket_ = -1;
};
