// SPDX-License-Identifier: Apache-2.0
// The contract's tables for a plugin in another process: each function is one call over its socket.
#include "plugin/remote.hpp"

namespace penstock {
namespace {

std::string text_of(penstock_str text) { return text.p == nullptr ? std::string{} : std::string{text.p, text.n}; }

WireRequest request_of(Operation operation, const penstock_call* call, const penstock_key* key = nullptr,
                       penstock_str disk = {}) {
    WireRequest request;
    request.operation = operation;
    request.deadline_ns = call->deadline_ns;
    request.request_id = call->request_id;
    request.generation = call->generation;
    if (key != nullptr) {
        request.kind = text_of(key->kind);
        request.id = text_of(key->id);
        request.incarnation = text_of(key->incarnation);
    }
    request.disk = text_of(disk);
    return request;
}

template <class Record>
std::int32_t forward(void* self, const WireRequest& request, void* ctx, std::int32_t (*emit)(void*, const Record*),
                     penstock_error* error) {
    return static_cast<RemotePlugin*>(self)->call(
        request,
        [&](std::string_view payload) -> Result<std::int32_t> {
            Record record;
            WireArrays arrays;
            if (auto whole = from_wire(payload, record, arrays); !whole) return whole.error();
            return emit(ctx, &record);
        },
        error);
}

std::int32_t probe(void* self, const penstock_call* call, void* ctx, penstock_emit_probe emit, penstock_error* error) {
    return forward(self, request_of(Operation::probe, call), ctx, emit, error);
}
std::int32_t instances(void* self, const penstock_call* call, void* ctx, penstock_emit_instance emit,
                       penstock_error* error) {
    return forward(self, request_of(Operation::instances, call), ctx, emit, error);
}
std::int32_t disks(void* self, const penstock_call* call, const penstock_key* key, void* ctx, penstock_emit_disk emit,
                   penstock_error* error) {
    return forward(self, request_of(Operation::disks, call, key), ctx, emit, error);
}
std::int32_t actors(void* self, const penstock_call* call, const penstock_key* key, void* ctx, penstock_emit_actor emit,
                    penstock_error* error) {
    return forward(self, request_of(Operation::actors, call, key), ctx, emit, error);
}
std::int32_t support(void* self, const penstock_call* call, const penstock_key* key, penstock_str disk, void* ctx,
                     penstock_emit_limit_support emit, penstock_error* error) {
    return forward(self, request_of(Operation::support, call, key, disk), ctx, emit, error);
}
std::int32_t read(void* self, const penstock_call* call, const penstock_key* key, penstock_str disk, void* ctx,
                  penstock_emit_limits emit, penstock_error* error) {
    return forward(self, request_of(Operation::read, call, key, disk), ctx, emit, error);
}
std::int32_t apply(void* self, const penstock_call* call, const penstock_key* key, penstock_str disk,
                   const penstock_limits* wanted, void* ctx, penstock_emit_limits emit, penstock_error* error) {
    auto request = request_of(Operation::apply, call, key, disk);
    request.limits = *wanted;
    request.group = text_of(wanted->group);
    return forward(self, request, ctx, emit, error);
}
std::int32_t clear(void* self, const penstock_call* call, const penstock_key* key, penstock_str disk,
                   std::uint64_t mask, void* ctx, penstock_emit_limits emit, penstock_error* error) {
    auto request = request_of(Operation::clear, call, key, disk);
    request.mask = mask;
    return forward(self, request, ctx, emit, error);
}

} // namespace

const penstock_core_v1& RemotePlugin::core_table() {
    static constexpr penstock_core_v1 table{sizeof table, 0, probe, instances, disks, actors};
    return table;
}

const penstock_native_limit_v1& RemotePlugin::native_table() {
    static constexpr penstock_native_limit_v1 table{sizeof table, 0, support, read, apply, clear};
    return table;
}

} // namespace penstock
