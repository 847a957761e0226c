// SPDX-License-Identifier: Apache-2.0
#include "enforce/journal.hpp"

#include "resolve/cgroup_name.hpp"
#include "sys/file.hpp"

#include <boost/json.hpp>

#include <dirent.h>
#include <fcntl.h>
#include <sys/file.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <thread>

namespace penstock {
namespace {

namespace json = boost::json;
using namespace std::chrono_literals;

std::string boot_id(const Roots& roots) {
    auto text = read_line(roots.proc + "/sys/kernel/random/boot_id");
    return text ? *std::move(text) : "unknown";
}

} // namespace

Journal::Journal(const Roots& roots) : directory_{roots.run + "/penstock/limits"}, boot_id_{boot_id(roots)} {}

Result<Fd> Journal::lock() const {
    if (auto made = make_directories(directory_); !made) return made.error();
    const auto path = directory_ + "/lock";
    Fd fd{::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600)};
    if (!fd) return Error::from_errno(errno, "opening " + path);
    const auto deadline = std::chrono::steady_clock::now() + 10s;
    while (::flock(fd.get(), LOCK_EX | LOCK_NB) != 0) {
        if (errno != EWOULDBLOCK && errno != EINTR) return Error::from_errno(errno, "locking " + path);
        if (std::chrono::steady_clock::now() > deadline)
            return Error{ErrorCode::busy, "another penstock has held " + path + " for 10 s"}.advise(
                "wait for it to finish; 'fuser " + path + "' names it");
        std::this_thread::sleep_for(5ms);
    }
    return fd;
}

std::string Journal::path_of(const InstanceKey& key) const { return directory_ + "/" + safe_name(key) + ".json"; }

Result<std::optional<InstanceRecord>> Journal::load_file(const std::string& path) const {
    const auto text = read_file(path);
    if (!text && text.error().sys_errno() == ENOENT) return std::optional<InstanceRecord>{};
    if (!text) return text.error();
    boost::system::error_code failed;
    const auto value = json::parse(*text, failed);
    if (failed) return Error{ErrorCode::malformed, path + " is not JSON: " + failed.message()};
    const auto* boot = value.is_object() ? value.get_object().if_contains("boot_id") : nullptr;
    if (boot == nullptr || *boot != json::string{boot_id_}) return std::optional<InstanceRecord>{};
    auto record = record_from_json(value);
    if (!record) return std::move(record.error()).within(path);
    return std::optional{*std::move(record)};
}

Result<std::optional<InstanceRecord>> Journal::load(const InstanceKey& key) const { return load_file(path_of(key)); }

std::vector<InstanceRecord> Journal::load_all(std::vector<std::string>* problems) const {
    std::vector<InstanceRecord> records;
    const std::unique_ptr<DIR, int (*)(DIR*)> listing{::opendir(directory_.c_str()), ::closedir};
    while (listing) {
        const auto* entry = ::readdir(listing.get());
        if (entry == nullptr) break;
        const std::string file = entry->d_name;
        if (!file.ends_with(".json")) continue;
        auto record = load_file(directory_ + "/" + file);
        if (!record && problems != nullptr) problems->push_back(record.error().text());
        if (record && *record) records.push_back(**std::move(record));
    }
    std::sort(records.begin(), records.end(), [](const auto& a, const auto& b) { return a.key.id < b.key.id; });
    return records;
}

Result<void> Journal::save(const InstanceRecord& record) const {
    const auto path = path_of(record.key);
    if (record.disks.empty()) {
        if (::unlink(path.c_str()) != 0 && errno != ENOENT) return Error::from_errno(errno, "removing " + path);
        return {};
    }
    if (auto made = make_directories(directory_); !made) return made;
    auto object = to_json(record);
    object["boot_id"] = boot_id_;
    return replace_file(path, json::serialize(object) + "\n");
}

} // namespace penstock
