// SPDX-License-Identifier: Apache-2.0
#include "domain_files.hpp"

#include <penstock/text.hpp>

#include <fcntl.h>

namespace penstock::kvm {

namespace {

constexpr std::size_t head_size = 2048;
constexpr std::size_t status_cap = 16U << 20;

// libvirt starts its guests this way, so that others need not be looked up.
bool looks_managed(const Guest& guest) { return guest.command.control_fd && !guest.command.name.empty(); }

bool is_file_name(const std::string& name) {
    return !name.empty() && name != "." && name != ".." && name.size() < 250 && name.find('/') == std::string::npos &&
           name.find('\0') == std::string::npos;
}

std::optional<DomainHead> head_of(int directory, const std::string& file) {
    const auto beginning = sdk::read_file(directory, file.c_str(), head_size);
    return beginning ? parse_domain_head(*beginning) : std::nullopt;
}

int pid_in(int directory, const std::string& file) {
    auto text = sdk::read_file(directory, file.c_str(), 32).value_or("");
    if (text.ends_with('\n')) text.pop_back();
    return sdk::number<int>(text).value_or(0);
}

} // namespace

DomainFiles::DomainFiles(const std::string& run_root)
    : directory_{sdk::open_directory(AT_FDCWD, (run_root + "/libvirt/qemu").c_str())}, libvirt_{run_root + "/libvirt"} {
}

// The file's name without its ending. It is the domain's name; if not, the pid in one of the files tells.
std::optional<std::string> DomainFiles::file_of(const Guest& guest) const {
    if (!directory_ || !looks_managed(guest)) return std::nullopt;
    const auto& name = guest.command.name;
    const int pid = guest.process.pid;
    if (is_file_name(name)) {
        if (const auto head = head_of(directory_.get(), name + ".xml"))
            return head->pid == pid ? std::optional{name} : std::nullopt;
        if (pid_in(directory_.get(), name + ".pid") == pid) return name;
    }
    std::optional<std::string> found;
    sdk::for_each_entry(directory_.get(), [&](const char* entry, unsigned char) {
        const std::string_view file = entry;
        if (file.ends_with(".xml")) {
            if (const auto head = head_of(directory_.get(), entry); head && head->pid == pid)
                found = file.substr(0, file.size() - 4);
        }
        return !found;
    });
    return found;
}

std::optional<DomainHead> DomainFiles::head(const Guest& guest) const {
    const auto file = file_of(guest);
    if (!file) return std::nullopt;
    const auto head = head_of(directory_.get(), *file + ".xml");
    return head ? head : DomainHead{guest.process.pid, PENSTOCK_STATE_UNKNOWN};
}

std::optional<std::string> DomainFiles::status(const Guest& guest) const {
    const auto file = file_of(guest);
    return file ? sdk::read_file(directory_.get(), (*file + ".xml").c_str(), status_cap) : std::nullopt;
}

bool DomainFiles::has_socket() const {
    for (const char* name : {"/libvirt-sock", "/virtqemud-sock"}) {
        if (::access((libvirt_ + name).c_str(), F_OK) == 0) return true;
    }
    return false;
}

} // namespace penstock::kvm
