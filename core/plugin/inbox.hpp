// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <utility>

namespace penstock {

// Of all inboxes, so that no two are the same, whichever records they take.
inline std::uintptr_t next_ticket() {
    static std::atomic<std::uintptr_t> last{0};
    return ++last;
}

// Takes the records of one call. The ctx that the plugin gets is a ticket and not an address: a plugin that keeps it,
// and emits when its call has returned, from whichever thread, or into the sink of another call, is told to stop.
template <class Record>
class Inbox {
public:
    using Take = std::function<std::int32_t(const Record*)>;

    explicit Inbox(Take take) : slot_{std::make_shared<Slot>()} {
        slot_->take = std::move(take);
        auto& desk = open_slots();
        const std::lock_guard lock{desk.mutex};
        ticket_ = next_ticket();
        desk.slots.emplace(ticket_, slot_);
    }
    ~Inbox() { close(); }
    Inbox(const Inbox&) = delete;
    Inbox& operator=(const Inbox&) = delete;

    void* ctx() const { return reinterpret_cast<void*>(ticket_); }

    // Waits for a record that is being taken; nothing is taken afterwards.
    void close() {
        {
            auto& desk = open_slots();
            const std::lock_guard lock{desk.mutex};
            desk.slots.erase(ticket_);
        }
        const std::lock_guard lock{slot_->mutex};
        slot_->take = nullptr;
    }

    static std::int32_t emit(void* ctx, const Record* record) noexcept {
        constexpr std::int32_t stop = 1;
        std::shared_ptr<Slot> slot;
        {
            auto& desk = open_slots();
            const std::lock_guard lock{desk.mutex};
            const auto found = desk.slots.find(reinterpret_cast<std::uintptr_t>(ctx));
            if (found == desk.slots.end()) return stop;
            slot = found->second;
        }
        const std::lock_guard lock{slot->mutex};
        return slot->take ? slot->take(record) : stop;
    }

private:
    struct Slot {
        std::mutex mutex;
        Take take;
    };
    struct Desk {
        std::mutex mutex;
        std::map<std::uintptr_t, std::shared_ptr<Slot>> slots;
    };
    // Never destroyed: a plugin's thread may emit while the program ends.
    static Desk& open_slots() {
        static auto& desk = *new Desk;
        return desk;
    }

    std::shared_ptr<Slot> slot_;
    std::uintptr_t ticket_ = 0;
};

} // namespace penstock
