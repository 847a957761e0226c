// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/error.hpp"
#include "base/fd.hpp"
#include "plugin/records.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace penstock {

// What goes between the host and the process of a plugin. A frame is: the length of the rest (32 bits), its kind
// (8 bits), its payload. Numbers are in the machine's own order: both ends are of one host.
enum class FrameKind : std::uint8_t {
    start,   // to the plugin: load and make it
    request, // to the plugin: one operation
    value,   // to the plugin: the answer to `config`
    started, // from it: what it offers
    record,  // from it: one record of the running operation
    log,     // from it
    config,  // from it: a value of its configuration is wanted
    done,    // from it: the operation has ended
};

inline constexpr std::size_t frame_cap = 1U << 20; // a longer one is refused, whoever sends it

struct Frame {
    FrameKind kind = FrameKind::done;
    std::string payload;
};

class WireWriter {
public:
    void number(std::uint8_t value) { raw(&value, sizeof value); }
    void number(std::uint32_t value) { raw(&value, sizeof value); }
    void number(std::int32_t value) { raw(&value, sizeof value); }
    void number(std::uint64_t value) { raw(&value, sizeof value); }
    void text(std::string_view value) {
        number(static_cast<std::uint32_t>(value.size()));
        bytes_.append(value);
    }
    const std::string& bytes() const { return bytes_; }

private:
    void raw(const void* from, std::size_t size) { bytes_.append(static_cast<const char*>(from), size); }
    std::string bytes_;
};

// Reads what a WireWriter has written. What is not there reads as 0 or empty, and complete() is false from then on.
class WireReader {
public:
    explicit WireReader(std::string_view bytes) : rest_{bytes} {}

    template <class T>
    T number() {
        T value{};
        if (rest_.size() < sizeof value) return fail(), value;
        rest_.copy(reinterpret_cast<char*>(&value), sizeof value);
        rest_.remove_prefix(sizeof value);
        return value;
    }
    // Borrowed from what is read.
    std::string_view text() { return bytes(number<std::uint32_t>()); }
    std::string_view bytes(std::size_t size) {
        if (size > rest_.size()) return fail(), std::string_view{};
        const auto value = rest_.substr(0, size);
        rest_.remove_prefix(size);
        return value;
    }
    // Everything was there, and nothing is left.
    bool complete() const { return !failed_ && rest_.empty(); }
    bool failed() const { return failed_; }

private:
    void fail() {
        failed_ = true;
        rest_ = {};
    }
    std::string_view rest_;
    bool failed_ = false;
};

// One end of the socket pair. Not thread-safe.
class FrameSocket {
public:
    explicit FrameSocket(Fd fd) : fd_{std::move(fd)} {}

    int fd() const { return fd_.get(); }
    // Kept back until flush(), or until much has gathered.
    Result<void> send(FrameKind kind, std::string_view payload);
    Result<void> flush();

    // The next frame that is here whole, without waiting; nullopt: more has to come. GONE: the other end has closed.
    // MALFORMED: a frame too long, or of no kind.
    Result<std::optional<Frame>> take();
    // Reads what has come; waits where nothing has. GONE at the end.
    Result<void> fill();
    // Reads what comes within 50 microseconds, without sleeping; false: nothing has. The other end mostly answers
    // sooner, and to be woken up takes as long.
    Result<bool> fill_soon();

private:
    Result<bool> receive(int flags);

    Fd fd_;
    std::string out_, in_;
    std::size_t taken_ = 0; // of in_
};

} // namespace penstock
