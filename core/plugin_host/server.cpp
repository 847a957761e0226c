// SPDX-License-Identifier: Apache-2.0
#include "plugin_host/server.hpp"

#include "base/text.hpp"
#include "plugin/collector.hpp"
#include "plugin/convert.hpp"
#include "plugin/guarded.hpp"
#include "plugin/inbox.hpp"
#include "plugin/own_copy.hpp"
#include "plugin/sized.hpp"

#include <chrono>

namespace penstock {
namespace {

std::uint64_t monotonic(void*) {
    const auto now = std::chrono::steady_clock::now().time_since_epoch();
    return static_cast<std::uint64_t>(std::chrono::duration_cast<std::chrono::nanoseconds>(now).count());
}

// Can the arrays be read as the record says? Everything else is judged by the host.
template <class Record>
bool arrays_are_there(const Record&) {
    return true;
}
template <>
bool arrays_are_there(const penstock_disk& disk) {
    return disk.layer_count == 0 ||
           (disk.layers != nullptr && disk.layer_count <= 1000 && disk.layer_stride >= size_1_0<penstock_layer> &&
            disk.layer_stride <= PENSTOCK_STRUCT_MAX);
}
template <>
bool arrays_are_there(const penstock_actor& actor) {
    return actor.disk_count == 0 ||
           (actor.disks != nullptr && actor.disk_count <= 10'000 && actor.disk_stride >= sizeof(penstock_str) &&
            actor.disk_stride <= PENSTOCK_STRUCT_MAX);
}

// What is the same for every operation of one record type: sends the plugin's records, but those that cannot be read.
template <class Record>
struct Sender {
    FrameSocket& socket;
    std::mutex& mutex;
    std::size_t seen = 0, bad = 0;
    std::string first_bad; // why the first one was left out
    std::optional<Error> broken;

    std::int32_t take(const Record* record) noexcept {
        try {
            if (++seen > record_cap + 1 || broken) return 1; // the other end says that there were too many
            const auto own = own_copy(record);
            if (!own) return leave_out(own.error());
            if (!arrays_are_there(*own)) {
                RecordText text;
                return leave_out(from_record(record, text).error());
            }
            const std::lock_guard lock{mutex};
            const auto sent = socket.send(FrameKind::record, to_wire(*own));
            if (!sent && sent.error().code() == ErrorCode::malformed) return leave_out(sent.error());
            if (sent) return 0;
            broken = sent.error();
        } catch (const std::exception&) {
        }
        return 1;
    }
    std::int32_t leave_out(const Error& why) {
        if (bad++ == 0) first_bad = why.text();
        return 0;
    }
};

void say(penstock_error& error, std::int32_t code, const std::string& text) {
    error.code = code;
    const auto length = std::min(text.size(), sizeof error.message - 1);
    text.copy(error.message, length);
    error.message[length] = '\0';
}

} // namespace

PluginServer::~PluginServer() {
    penstock_error error{};
    if (self_ != nullptr) guarded(error, [&] { return tables_.entry.destroy(self_), 0; });
}

int PluginServer::run() {
    while (true) {
        const auto frame = next();
        if (!frame) return frame.error().code() == ErrorCode::gone ? 0 : 1; // the host has ended, or is none
        const auto done = frame->kind == FrameKind::start     ? start(*frame)
                          : frame->kind == FrameKind::request ? serve(*frame)
                                                              : Result<void>{Error{ErrorCode::malformed, "what?"}};
        if (!done) return 1;
    }
}

Result<Frame> PluginServer::next() {
    while (true) {
        auto frame = socket_.take();
        if (!frame) return frame.error();
        if (*frame) return **std::move(frame);
        auto soon = socket_.fill_soon();
        if (soon && *soon) continue;
        if (soon)
            if (auto filled = socket_.fill(); !filled) soon = filled.error();
        if (!soon) return soon.error();
    }
}

void PluginServer::fill_host() {
    host_.struct_size = sizeof host_;
    host_.abi_major = PENSTOCK_ABI_MAJOR;
    host_.abi_minor = PENSTOCK_ABI_MINOR;
    host_.ctx = this;
    host_.proc_root = borrow(proc_root_);
    host_.sys_root = borrow(sys_root_);
    host_.run_root = borrow(run_root_);
    host_.log = [](void* ctx, std::uint32_t level, penstock_str message) {
        static_cast<PluginServer*>(ctx)->log(level, message);
    };
    host_.monotonic_ns = monotonic;
    host_.config = [](void* ctx, penstock_str key, void* value_ctx, std::int32_t (*value)(void*, penstock_str)) {
        return static_cast<PluginServer*>(ctx)->config(key, value_ctx, value);
    };
    host_.get_extension = [](void*, const char*) -> const void* { return nullptr; };
}

Result<void> PluginServer::load(WireReader& in) {
    library_ = in.text();
    proc_root_ = in.text();
    sys_root_ = in.text();
    run_root_ = in.text();
    if (!in.complete()) return Error{ErrorCode::malformed, "the first frame is cut"};
    auto tables = read_tables(library_);
    if (!tables) return tables.error();
    tables_ = *std::move(tables);
    fill_host();
    penstock_error error{};
    error.struct_size = sizeof error;
    const auto code = guarded(error, [&] { return tables_.entry.create(0, &host_, &self_, &error); });
    if (code == 0) return {};
    self_ = nullptr;
    return from_error(code, error).within("starting " + printable(library_));
}

Result<void> PluginServer::start(const Frame& frame) {
    WireReader in{frame.payload};
    const auto loaded = load(in);
    WireWriter out;
    out.number(loaded ? 0U : static_cast<std::uint32_t>(loaded.error().code()) + 1);
    out.text(loaded ? "" : loaded.error().text());
    out.text(loaded ? "" : loaded.error().next());
    out.text(tables_.description.id);
    out.text(tables_.description.version);
    out.number(static_cast<std::uint32_t>(tables_.description.kinds.size()));
    for (const auto& kind : tables_.description.kinds) out.text(kind);
    out.number(static_cast<std::uint8_t>(tables_.native.struct_size != 0));
    const std::lock_guard lock{mutex_};
    if (auto sent = socket_.send(FrameKind::started, out.bytes()); !sent) return sent;
    return socket_.flush();
}

template <class Record, class Call>
std::int32_t PluginServer::emitting(penstock_error& error, Call call) {
    Sender<Record> sender{socket_, mutex_, 0, 0, {}, {}};
    Inbox<Record> inbox{[&](const Record* record) { return sender.take(record); }};
    const auto code = guarded(error, [&] { return call(inbox.ctx(), &Inbox<Record>::emit); });
    inbox.close();
    if (code != 0 || sender.bad == 0) return code;
    say(error, PENSTOCK_E_PARTIAL,
        fmt::format("{} records were left out, the first one: {}", sender.bad, sender.first_bad));
    return PENSTOCK_E_PARTIAL;
}

std::int32_t PluginServer::perform(const WireRequest& request, penstock_error& error) {
    const penstock_call call{sizeof call, -1, request.deadline_ns, request.request_id, request.generation};
    const penstock_key key{borrow(request.kind), borrow(request.id), borrow(request.incarnation)};
    const auto disk = borrow(request.disk);
    const auto& core = tables_.core;
    const auto& native = tables_.native;
    if (request.operation >= Operation::support && native.struct_size == 0) {
        say(error, PENSTOCK_E_UNSUPPORTED, "the plugin has no limiter of its own");
        return PENSTOCK_E_UNSUPPORTED;
    }
    switch (request.operation) {
    case Operation::probe:
        return emitting<penstock_probe>(
            error, [&](void* ctx, auto emit) { return core.probe(self_, &call, ctx, emit, &error); });
    case Operation::instances:
        return emitting<penstock_instance>(
            error, [&](void* ctx, auto emit) { return core.enumerate_instances(self_, &call, ctx, emit, &error); });
    case Operation::disks:
        return emitting<penstock_disk>(
            error, [&](void* ctx, auto emit) { return core.enumerate_disks(self_, &call, &key, ctx, emit, &error); });
    case Operation::actors:
        return emitting<penstock_actor>(
            error, [&](void* ctx, auto emit) { return core.enumerate_actors(self_, &call, &key, ctx, emit, &error); });
    case Operation::support:
        return emitting<penstock_limit_support>(
            error, [&](void* ctx, auto emit) { return native.support(self_, &call, &key, disk, ctx, emit, &error); });
    case Operation::read:
        return emitting<penstock_limits>(
            error, [&](void* ctx, auto emit) { return native.read(self_, &call, &key, disk, ctx, emit, &error); });
    case Operation::apply: {
        auto wanted = request.limits;
        wanted.group = borrow(request.group);
        return emitting<penstock_limits>(error, [&](void* ctx, auto emit) {
            return native.apply(self_, &call, &key, disk, &wanted, ctx, emit, &error);
        });
    }
    case Operation::clear:
        return emitting<penstock_limits>(error, [&](void* ctx, auto emit) {
            return native.clear(self_, &call, &key, disk, request.mask, ctx, emit, &error);
        });
    }
    return PENSTOCK_E_UNSUPPORTED;
}

Result<void> PluginServer::serve(const Frame& frame) {
    const auto request = request_from_wire(frame.payload);
    if (!request) return request.error();
    if (self_ == nullptr) return Error{ErrorCode::malformed, "nothing has been started"};
    penstock_error error{};
    error.struct_size = sizeof error;
    const auto code = perform(*request, error);
    const std::lock_guard lock{mutex_};
    if (auto sent = socket_.send(FrameKind::done, to_wire(code, error)); !sent) return sent;
    return socket_.flush();
}

void PluginServer::log(std::uint32_t level, penstock_str message) {
    try {
        WireWriter out;
        out.number(level);
        out.text(std::string_view{message.p == nullptr ? "" : message.p,
                                  message.p == nullptr ? 0 : std::min(message.n, 4096U)});
        const std::lock_guard lock{mutex_};
        (void)socket_.send(FrameKind::log, out.bytes()); // goes with the next answer
    } catch (const std::exception&) {
    }
}

// Only the thread that serves a call can wait for the answer: it is the one that reads.
std::int32_t PluginServer::config(penstock_str key, void* value_ctx, std::int32_t (*value)(void*, penstock_str)) {
    if (std::this_thread::get_id() != serving_ || value == nullptr) return PENSTOCK_E_NOT_PRESENT;
    try {
        WireWriter out;
        out.text(view_of(key));
        {
            const std::lock_guard lock{mutex_};
            if (!socket_.send(FrameKind::config, out.bytes()) || !socket_.flush()) return PENSTOCK_E_INTERNAL;
        }
        const auto frame = next();
        if (!frame || frame->kind != FrameKind::value) return PENSTOCK_E_INTERNAL;
        WireReader in{frame->payload};
        const bool set = in.number<std::uint8_t>() != 0;
        const std::string text{in.text()};
        return set && in.complete() ? value(value_ctx, borrow(text)) : PENSTOCK_E_NOT_PRESENT;
    } catch (const std::exception&) {
        return PENSTOCK_E_INTERNAL;
    }
}

} // namespace penstock
