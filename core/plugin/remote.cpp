// SPDX-License-Identifier: Apache-2.0
#include "plugin/remote.hpp"

#include "base/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

namespace penstock {
namespace {

using namespace std::chrono_literals;

constexpr auto start_time = 10s;
constexpr auto grace = 200ms; // in which the plugin may say by itself that its time is up
// Before the process is started again, by failures in a row.
constexpr std::array<std::chrono::milliseconds, 3> delays{0ms, 1s, 600s};

std::chrono::steady_clock::time_point time_point(std::uint64_t nanoseconds) {
    return std::chrono::steady_clock::time_point{
        std::chrono::duration_cast<std::chrono::steady_clock::duration>(std::chrono::nanoseconds(nanoseconds))};
}

// An Error of ours as the contract has them. What is done next with it reads the text only.
std::int32_t store(const Error& from, penstock_error& error) {
    const auto code = from.code() == ErrorCode::timeout ? PENSTOCK_E_TIMEOUT
                      : from.code() == ErrorCode::busy  ? PENSTOCK_E_BUSY
                                                        : PENSTOCK_E_INTERNAL;
    const auto text = from.text();
    const auto length = std::min(text.size(), sizeof error.message - 1);
    text.copy(error.message, length);
    error.message[length] = '\0';
    error.sys_errno = from.sys_errno();
    return error.code = code;
}

} // namespace

RemotePlugin::RemotePlugin(std::string library, const HostOptions& options, const HostTable& host)
    : library_{std::move(library)}, options_{options}, host_{host} {}

RemotePlugin::~RemotePlugin() = default;

Result<RemotePlugin::Offer> RemotePlugin::start() {
    auto offer = spawn();
    if (!offer) child_.reset();
    return offer;
}

Result<RemotePlugin::Offer> RemotePlugin::spawn() {
    auto child = RemoteChild::spawn(options_.plugin_host);
    if (!child) return child.error();
    child_ = std::move(*child);
    WireWriter out;
    for (const auto& text : {library_, options_.proc_root, options_.sys_root, options_.run_root}) out.text(text);
    auto sent = child_->socket().send(FrameKind::start, out.bytes());
    if (sent) sent = child_->socket().flush();
    auto frame = sent ? next(Clock::now() + start_time) : Result<Frame>{sent.error()};
    if (!frame) return failed(frame.error(), "starting");
    WireReader in{frame->payload};
    const auto code = in.number<std::uint32_t>();
    const std::string text{in.text()}, next_step{in.text()};
    Offer offer;
    offer.description.id = in.text();
    offer.description.version = in.text();
    for (auto kinds = std::min<std::uint32_t>(in.number<std::uint32_t>(), 64); kinds-- > 0;)
        offer.description.kinds.emplace_back(in.text());
    offer.native_limit = in.number<std::uint8_t>() != 0;
    if (frame->kind != FrameKind::started || !in.complete())
        return failed(Error{ErrorCode::malformed, "what it says first is not understood"}, "starting");
    if (code == 0) return offer;
    log_printed();
    const auto known = std::min<std::uint32_t>(code - 1, static_cast<std::uint32_t>(ErrorCode::internal));
    return Error{static_cast<ErrorCode>(known), printable(text)}.advise(printable(next_step));
}

Result<void> RemotePlugin::ready() {
    if (child_) return {};
    if (const auto now = Clock::now(); now < not_before_) {
        const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(not_before_ - now);
        return Error{ErrorCode::busy,
                     fmt::format("its process failed {} times, the last time: {}; it is started again in {:.1f} s",
                                 failures_, last_failure_, static_cast<double>(left.count()) / 1000)};
    }
    const auto offer = start();
    return offer ? Result<void>{} : Result<void>{offer.error()};
}

void RemotePlugin::log_printed() {
    if (!child_) return;
    const auto printed = child_->printed();
    for (std::size_t at = 0; at < printed.size();) {
        const auto end = std::min(printed.find('\n', at), printed.size());
        if (end > at) host_.log(PENSTOCK_LOG_INFO, "printed: " + printed.substr(at, end - at));
        at = end + 1;
    }
}

Error RemotePlugin::failed(Error what, std::string_view doing) {
    const bool gone = what.code() == ErrorCode::gone;
    const auto how = child_ ? child_->end() : std::string{};
    log_printed();
    child_.reset();
    Error error =
        gone ? Error{ErrorCode::internal, fmt::format("the plugin's process ended while {}: {}", doing, how)}
             : Error{what.code(), fmt::format("{}, while {}; the plugin's process was ended", what.text(), doing)};
    last_failure_ = error.text();
    const auto delay = delays[std::min<std::size_t>(static_cast<std::size_t>(failures_), delays.size() - 1)];
    ++failures_;
    not_before_ = Clock::now() + delay;
    host_.log(PENSTOCK_LOG_WARNING, last_failure_);
    if (static_cast<std::size_t>(failures_) >= delays.size())
        host_.log(PENSTOCK_LOG_WARNING,
                  fmt::format("it has failed {} times in a row and is left alone for {} s", failures_,
                              std::chrono::duration_cast<std::chrono::seconds>(delay).count()));
    return error;
}

Result<Frame> RemotePlugin::next(Clock::time_point deadline) {
    while (true) {
        auto frame = child_->socket().take();
        if (!frame) return frame.error();
        if (*frame && ((*frame)->kind == FrameKind::log || (*frame)->kind == FrameKind::config)) {
            if (auto done = answer(**frame); !done) return done.error();
            continue;
        }
        if (*frame) return **std::move(frame);
        if (auto soon = child_->socket().fill_soon(); !soon)
            return soon.error();
        else if (*soon)
            continue;
        const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now()).count();
        if (left <= 0) return Error{ErrorCode::timeout, "it did not answer by its deadline"};
        auto here = child_->wait(static_cast<int>(std::min<std::int64_t>(left, 60'000)));
        if (!here) return here.error();
        if (*here)
            if (auto filled = child_->socket().fill(); !filled) return filled.error();
    }
}

Result<void> RemotePlugin::answer(const Frame& frame) {
    WireReader in{frame.payload};
    if (frame.kind == FrameKind::log) {
        const auto level = in.number<std::uint32_t>();
        const auto message = in.text();
        if (!in.complete()) return Error{ErrorCode::malformed, "a message for the log is cut"};
        host_.log(level, message);
        return {};
    }
    const auto key = in.text();
    if (!in.complete()) return Error{ErrorCode::malformed, "a question for a value is cut"};
    std::optional<std::string> value;
    const auto* contract = host_.contract();
    (void)contract->config(contract->ctx, {key.data(), static_cast<std::uint32_t>(key.size()), 0}, &value,
                           [](void* to, penstock_str text) -> std::int32_t {
                               static_cast<std::optional<std::string>*>(to)->emplace(text.p == nullptr ? "" : text.p,
                                                                                     text.n);
                               return 0;
                           });
    WireWriter out;
    out.number(static_cast<std::uint8_t>(value.has_value()));
    out.text(value.value_or(std::string{}));
    if (auto sent = child_->socket().send(FrameKind::value, out.bytes()); !sent) return sent;
    return child_->socket().flush();
}

Result<std::int32_t> RemotePlugin::exchange(const WireRequest& request, const Take& take, penstock_error& error) {
    if (auto sent = child_->socket().send(FrameKind::request, to_wire(request)); !sent) return sent.error();
    if (auto sent = child_->socket().flush(); !sent) return sent.error();
    const auto deadline = time_point(request.deadline_ns) + grace;
    std::int32_t stopped = 0;
    while (true) {
        const auto frame = next(deadline);
        if (!frame) return frame.error();
        if (frame->kind == FrameKind::done) {
            const auto code = done_from_wire(frame->payload, error);
            if (!code) return code.error();
            return stopped != 0 ? stopped : *code;
        }
        if (frame->kind != FrameKind::record) return Error{ErrorCode::malformed, "a frame came that is no answer"};
        if (stopped != 0) continue; // the process ends by its own cap
        const auto taken = take(frame->payload);
        if (!taken) return taken.error();
        stopped = *taken;
    }
}

std::int32_t RemotePlugin::call(const WireRequest& request, const Take& take, penstock_error* error) {
    if (auto up = ready(); !up) return store(up.error(), *error);
    auto code = exchange(request, take, *error);
    if (!code) return store(failed(code.error(), name(request.operation)), *error);
    failures_ = 0;
    log_printed();
    return *code;
}

} // namespace penstock
