// SPDX-License-Identifier: Apache-2.0
#include "plugin/wire_records.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace penstock {
namespace {

constexpr std::uint32_t array_cap = 10'000; // layers of a disk, disks of an actor

constexpr std::uint32_t text_at_null = 0xFFFFFFFF, text_too_long = 0xFFFFFFFE; // in the place of a length

// Each struct is written down once, as the list of its fields; one visitor writes them, the other reads them.
class Put {
public:
    template <class T>
    void operator()(const T& value) {
        out_.number(value);
    }
    // What cannot be text goes as what it is, so that the host can say so.
    void operator()(const penstock_str& text) {
        if (text.p == nullptr && text.n != 0) return out_.number(text_at_null);
        if (text.n > frame_cap) return out_.number(text_too_long);
        out_.text({text.p == nullptr ? "" : text.p, text.n});
    }
    void operator()(const std::string& text) { out_.text(text); }
    void array(const penstock_layer* first, std::uint32_t count, std::uint32_t stride);
    void array(const penstock_str* first, std::uint32_t count, std::uint32_t stride) {
        out_.number(count);
        for (std::uint32_t i = 0; i < count; ++i)
            (*this)(
                *reinterpret_cast<const penstock_str*>(reinterpret_cast<const char*>(first) + std::size_t{i} * stride));
    }
    std::string bytes() { return out_.bytes(); }

private:
    WireWriter out_;
};

class Get {
public:
    Get(std::string_view bytes, WireArrays& arrays) : in_{bytes}, arrays_{arrays} {}

    template <class T>
    void operator()(T& value) {
        value = in_.number<T>();
    }
    void operator()(penstock_str& text) {
        const auto size = in_.number<std::uint32_t>();
        text = {nullptr, 1, 0};
        if (size == text_at_null) return;
        text = {"", text_too_long, 0}; // nobody reads a text of that length
        if (size == text_too_long) return;
        const auto bytes = in_.bytes(size);
        text = {bytes.data(), static_cast<std::uint32_t>(bytes.size()), 0};
    }
    void operator()(std::string& text) { text = in_.text(); }
    void array(const penstock_layer*& first, std::uint32_t& count, std::uint32_t& stride);
    void array(const penstock_str*& first, std::uint32_t& count, std::uint32_t& stride) {
        if (!count_of(count)) return;
        arrays_.texts.resize(count);
        for (auto& text : arrays_.texts) (*this)(text);
        first = arrays_.texts.data();
        stride = sizeof(penstock_str);
    }
    Result<void> result() const {
        if (in_.complete()) return {};
        return Error{ErrorCode::malformed, "a frame of a plugin's process is cut, or too long"};
    }

private:
    bool count_of(std::uint32_t& count) {
        count = in_.number<std::uint32_t>();
        if (count <= array_cap) return true;
        count = 0;
        in_ = WireReader{{}};
        (void)in_.number<std::uint8_t>(); // fails from now on
        return false;
    }
    WireReader in_;
    WireArrays& arrays_;
};

template <class V, class R>
void fields(V& v, R& r, const penstock_probe*) {
    v(r.status), v(r.component), v(r.version), v(r.detail);
}
template <class V, class R>
void fields(V& v, R& r, const penstock_instance*) {
    v(r.state), v(r.key.kind), v(r.key.id), v(r.key.incarnation), v(r.name), v(r.main_pid), v(r.root_pid),
        v(r.main_start);
    v(r.capabilities), v(r.cgroup_hint), v(r.manager), v(r.note);
}
template <class V, class R>
void fields(V& v, R& r, const penstock_layer*) {
    v(r.kind), v(r.flags), v(r.format), v(r.path), v(r.uri), v(r.node);
    v(r.st_dev_major), v(r.st_dev_minor), v(r.rdev_major), v(r.rdev_minor);
}
template <class V, class R>
void fields(V& v, R& r, const penstock_disk*) {
    v(r.flags), v(r.cache_mode), v.array(r.layers, r.layer_count, r.layer_stride);
    v(r.target), v(r.native_id), v(r.driver), v(r.bus), v(r.note);
}
template <class V, class R>
void fields(V& v, R& r, const penstock_actor*) {
    v(r.role), v(r.pid), v(r.tid), v(r.start_time), v(r.exclusive), v(r.movable);
    v.array(r.disks, r.disk_count, r.disk_stride), v(r.name);
}
template <class V, class R>
void fields(V& v, R& r, const penstock_limits*) {
    v(r.present);
    for (std::size_t i = 0; i < PENSTOCK_RATE_COUNT; ++i) v(r.rate[i]), v(r.burst[i]), v(r.burst_seconds[i]);
    v(r.io_size), v(r.group);
}
template <class V, class R>
void fields(V& v, R& r, const penstock_limit_support*) {
    v(r.support), v(r.field), v(r.minimum), v(r.maximum), v(r.granularity);
}

void Put::array(const penstock_layer* first, std::uint32_t count, std::uint32_t stride) {
    out_.number(count);
    for (std::uint32_t i = 0; i < count; ++i)
        fields(*this,
               *reinterpret_cast<const penstock_layer*>(reinterpret_cast<const char*>(first) + std::size_t{i} * stride),
               static_cast<const penstock_layer*>(nullptr));
}

void Get::array(const penstock_layer*& first, std::uint32_t& count, std::uint32_t& stride) {
    if (!count_of(count)) return;
    arrays_.layers.assign(count, {});
    for (auto& layer : arrays_.layers) {
        layer.struct_size = sizeof layer;
        fields(*this, layer, static_cast<const penstock_layer*>(nullptr));
    }
    first = arrays_.layers.data();
    stride = sizeof(penstock_layer);
}

template <class Record>
std::string put(const Record& record) {
    Put out;
    fields(out, record, static_cast<const Record*>(nullptr));
    return out.bytes();
}

template <class Record>
Result<void> get(std::string_view bytes, Record& record, WireArrays& arrays) {
    std::memset(&record, 0, sizeof record);
    record.struct_size = sizeof record;
    Get in{bytes, arrays};
    fields(in, record, static_cast<const Record*>(nullptr));
    return in.result();
}

template <class V, class R>
void request_fields(V& v, R& r) {
    v(r.deadline_ns), v(r.request_id), v(r.generation), v(r.kind), v(r.id), v(r.incarnation), v(r.disk), v(r.mask);
    fields(v, r.limits, static_cast<const penstock_limits*>(nullptr));
    v(r.group);
}

} // namespace

std::string_view name(Operation operation) {
    switch (operation) {
    case Operation::probe: return "probe";
    case Operation::instances: return "enumerate_instances";
    case Operation::disks: return "enumerate_disks";
    case Operation::actors: return "enumerate_actors";
    case Operation::support: return "native support";
    case Operation::read: return "native read";
    case Operation::apply: return "native apply";
    case Operation::clear: return "native clear";
    }
    return "?";
}

std::string to_wire(const WireRequest& request) {
    Put out;
    out(static_cast<std::uint8_t>(request.operation));
    request_fields(out, request);
    return out.bytes();
}

Result<WireRequest> request_from_wire(std::string_view bytes) {
    WireRequest request;
    WireArrays arrays;
    Get in{bytes, arrays};
    std::uint8_t operation = 0;
    in(operation);
    request_fields(in, request);
    if (auto whole = in.result(); !whole) return whole.error();
    if (operation > static_cast<std::uint8_t>(Operation::clear))
        return Error{ErrorCode::malformed, fmt::format("there is no operation {}", operation)};
    request.operation = static_cast<Operation>(operation);
    request.limits.struct_size = sizeof request.limits;
    return request;
}

std::string to_wire(std::int32_t code, const penstock_error& error) {
    WireWriter out;
    out.number(code);
    out.number(error.sys_errno);
    out.number(error.retry_after_ms);
    out.text({error.message, ::strnlen(error.message, sizeof error.message)});
    return out.bytes();
}

Result<std::int32_t> done_from_wire(std::string_view bytes, penstock_error& error) {
    WireReader in{bytes};
    const auto code = in.number<std::int32_t>();
    error.code = code;
    error.sys_errno = in.number<std::int32_t>();
    error.retry_after_ms = in.number<std::uint32_t>();
    const auto message = in.text();
    if (!in.complete()) return Error{ErrorCode::malformed, "the end of a call is cut, or too long"};
    const auto length = std::min(message.size(), sizeof error.message - 1);
    message.copy(error.message, length);
    error.message[length] = '\0';
    return code;
}

std::string to_wire(const penstock_probe& record) { return put(record); }
std::string to_wire(const penstock_instance& record) { return put(record); }
std::string to_wire(const penstock_disk& record) { return put(record); }
std::string to_wire(const penstock_actor& record) { return put(record); }
std::string to_wire(const penstock_limits& record) { return put(record); }
std::string to_wire(const penstock_limit_support& record) { return put(record); }

Result<void> from_wire(std::string_view bytes, penstock_probe& record, WireArrays& arrays) {
    return get(bytes, record, arrays);
}
Result<void> from_wire(std::string_view bytes, penstock_instance& record, WireArrays& arrays) {
    return get(bytes, record, arrays);
}
Result<void> from_wire(std::string_view bytes, penstock_disk& record, WireArrays& arrays) {
    return get(bytes, record, arrays);
}
Result<void> from_wire(std::string_view bytes, penstock_actor& record, WireArrays& arrays) {
    return get(bytes, record, arrays);
}
Result<void> from_wire(std::string_view bytes, penstock_limits& record, WireArrays& arrays) {
    return get(bytes, record, arrays);
}
Result<void> from_wire(std::string_view bytes, penstock_limit_support& record, WireArrays& arrays) {
    return get(bytes, record, arrays);
}

} // namespace penstock
