// SPDX-License-Identifier: Apache-2.0
#include "guest.hpp"

#include "file.hpp"
#include "text.hpp"

#include <penstock/file.hpp>

#include <algorithm>
#include <cstdio>
#include <sys/stat.h>

namespace penstock::kvm {

namespace {

constexpr std::size_t command_line_cap = 1 << 20;
constexpr std::size_t beginning_size = 4096;

// qemu-img, qemu-nbd, qemu-ga and the user-mode emulators (qemu-aarch64) run no machine.
bool is_qemu_name(std::string_view path) {
    auto name = file_name(path);
    if (const auto end = name.find(" (deleted)"); end != std::string_view::npos) name = name.substr(0, end);
    return name.find("qemu-system") != std::string_view::npos || name == "qemu-kvm" || name == "kvm" || name == "qemu";
}

struct Path {
    char text[48];
    Path(int pid, const char* file) { std::snprintf(text, sizeof text, "%d/%s", pid, file); }
};

} // namespace

std::string Guest::name() const {
    if (!command.name.empty()) return command.name;
    return command.uuid.empty() ? "qemu-" + std::to_string(process.pid) : command.uuid;
}

std::string Guest::id() const {
    if (!command.uuid.empty()) return command.uuid;
    return command.name.empty() ? "pid:" + incarnation().text() : "name:" + command.name;
}

bool is_qemu(const CommandLine& command, std::string_view executable) {
    // The kernel's word on the program counts; a command line says what its process likes.
    if (is_qemu_name(executable)) return command.machine_options != 0 || is_qemu_name(command.program);
    if (executable.empty() && is_qemu_name(command.program)) return true;
    // A renamed QEMU is known by its grammar. sudo, taskset or timeout with a QEMU behind them do not pass: they have
    // options that QEMU has not, or the program as a word on its own.
    return command.unknown_options == 0 && command.positional == 0 && command.machine_options >= 2;
}

bool may_be_qemu(std::string_view beginning) {
    const auto end = beginning.find('\0');
    if (end == std::string_view::npos) return false;
    const auto program = file_name(beginning.substr(0, end));
    if (program.find("qemu") != std::string_view::npos || program == "kvm") return true;
    if (end + 1 >= beginning.size() || beginning[end + 1] != '-') return false;
    using namespace std::string_view_literals;
    for (const auto word :
         {"-machine\0"sv, "-M\0"sv, "-accel\0"sv, "-drive\0"sv, "-blockdev\0"sv, "-device\0"sv, "-cpu\0"sv}) {
        if (beginning.find(word) != std::string_view::npos) return true;
    }
    return false;
}

std::optional<Guest> read_guest(int proc, int pid) {
    const Path path{pid, "cmdline"};
    char beginning[beginning_size];
    if (!may_be_qemu(peek_file(proc, path.text, beginning))) return std::nullopt;
    const auto text = sdk::read_file(proc, path.text, command_line_cap);
    if (!text) return std::nullopt;
    Guest guest;
    guest.command = parse_command_line(*text);
    const auto executable = sdk::read_link(proc, Path{pid, "exe"}.text).value_or("");
    if (guest.command.xen || guest.command.no_machine || !is_qemu(guest.command, executable)) return std::nullopt;
    // Read last: a process that took the number meanwhile would show another start time to the next call.
    const auto stat = sdk::read_process_stat(proc, pid);
    if (!stat || stat->ended()) return std::nullopt;
    guest.process = *stat;
    struct stat owner {};
    if (::fstatat(proc, Path{pid, ""}.text, &owner, 0) == 0) guest.uid = owner.st_uid;
    return guest;
}

} // namespace penstock::kvm
