/* SPDX-License-Identifier: Apache-2.0
 *
 * All of the contract in plain C: the four operations, and a limiter that remembers what it was told. */
#define OWN_PROBE
#define OWN_DISKS
#define OWN_ACTORS
#define OWN_EXTENSION
#define OWN_CREATE
#include <penstock/plugin.h>
static int32_t do_probe(void* self, const penstock_call* call, void* ctx, penstock_emit_probe emit,
                        penstock_error* error);
static int32_t do_disks(void* self, const penstock_call* call, const penstock_key* key, void* ctx,
                        penstock_emit_disk emit, penstock_error* error);
static int32_t do_actors(void* self, const penstock_call* call, const penstock_key* key, void* ctx,
                         penstock_emit_actor emit, penstock_error* error);
static const void* do_extension(uint32_t index, const char* id);
static int32_t do_create(uint32_t index, const penstock_host* host, void** self, penstock_error* error);
#include "skeleton.h"

static struct plain {
    const penstock_host* host;
    penstock_limits limits;
} object;

static int32_t do_create(uint32_t index, const penstock_host* host, void** self, penstock_error* error) {
    UNUSED(index), UNUSED(error);
    object.host = host;
    memset(&object.limits, 0, sizeof object.limits);
    object.limits.struct_size = sizeof object.limits;
    host->log(host->ctx, PENSTOCK_LOG_INFO, text("created \x1b[1m"));
    *self = &object;
    return 0;
}

static int32_t keep_config(void* ctx, penstock_str value) {
    *(penstock_str*)ctx = value;
    return 0;
}

/* Reports what the host gave: its roots, a value of the configuration, and whether time runs. */
static int32_t do_probe(void* self, const penstock_call* call, void* ctx, penstock_emit_probe emit,
                        penstock_error* error) {
    const penstock_host* host = ((struct plain*)self)->host;
    penstock_probe record;
    penstock_str value = {NULL, 0, 0};
    UNUSED(error);
    memset(&record, 0, sizeof record);
    record.struct_size = sizeof record;
    record.status = host->monotonic_ns(host->ctx) < call->deadline_ns ? PENSTOCK_PROBE_PRESENT : PENSTOCK_PROBE_BROKEN;
    record.component = host->proc_root;
    if (host->config(host->ctx, text("colour"), &value, keep_config) == 0) record.version = text("configured");
    if (host->config(host->ctx, text("nothing"), &value, keep_config) == PENSTOCK_E_NOT_PRESENT)
        record.detail = text("absent");
    return emit(ctx, &record);
}

static int32_t do_disks(void* self, const penstock_call* call, const penstock_key* key, void* ctx,
                        penstock_emit_disk emit, penstock_error* error) {
    penstock_layer layers[2];
    penstock_disk record = a_disk("vda", "disk0");
    UNUSED(self), UNUSED(call);
    if (memcmp(key->incarnation.p, "1-1", 3) != 0) return fail(error, PENSTOCK_E_GONE, 0, "that life is over");
    memset(layers, 0, sizeof layers);
    layers[0].struct_size = layers[1].struct_size = sizeof layers[0];
    layers[0].kind = PENSTOCK_LAYER_FILE;
    layers[0].flags = PENSTOCK_LAYER_HAS_ST_DEV | PENSTOCK_LAYER_DIRECT;
    layers[0].format = text("qcow2");
    layers[0].path = text("/images/a.qcow2");
    layers[0].st_dev_major = 8;
    layers[0].st_dev_minor = 1;
    layers[1].kind = PENSTOCK_LAYER_BLOCK;
    layers[1].flags = PENSTOCK_LAYER_HAS_RDEV | PENSTOCK_LAYER_READ_ONLY;
    layers[1].path = text("/dev/sdb");
    layers[1].rdev_major = 8;
    layers[1].rdev_minor = 16;
    record.flags = PENSTOCK_DISK_NATIVE_LIMIT;
    record.cache_mode = PENSTOCK_CACHE_DIRECT;
    record.layers = layers;
    record.layer_count = 2;
    return emit(ctx, &record);
}

static int32_t do_actors(void* self, const penstock_call* call, const penstock_key* key, void* ctx,
                         penstock_emit_actor emit, penstock_error* error) {
    const penstock_str disks[] = {STR("vda"), STR("vdb")};
    penstock_actor record;
    UNUSED(self), UNUSED(call), UNUSED(key), UNUSED(error);
    memset(&record, 0, sizeof record);
    record.struct_size = sizeof record;
    record.role = PENSTOCK_ROLE_IOTHREAD;
    record.pid = 10;
    record.tid = 11;
    record.start_time = 4711;
    record.exclusive = PENSTOCK_ANSWER_YES;
    record.movable = PENSTOCK_ANSWER_NO;
    record.disk_count = 2;
    record.disk_stride = sizeof disks[0];
    record.disks = disks;
    return emit(ctx, &record);
}

static int32_t do_support(void* self, const penstock_call* call, const penstock_key* key, penstock_str disk, void* ctx,
                          penstock_emit_limit_support emit, penstock_error* error) {
    penstock_limit_support record;
    UNUSED(self), UNUSED(call), UNUSED(key), UNUSED(disk), UNUSED(error);
    memset(&record, 0, sizeof record);
    record.struct_size = sizeof record;
    record.support = PENSTOCK_SUPPORT_NATIVE;
    record.field = PENSTOCK_LIMIT_RATE(PENSTOCK_WRITE_BPS);
    record.minimum = 1;
    record.maximum = 1000000;
    return emit(ctx, &record);
}

static int32_t do_read(void* self, const penstock_call* call, const penstock_key* key, penstock_str disk, void* ctx,
                       penstock_emit_limits emit, penstock_error* error) {
    UNUSED(call), UNUSED(key), UNUSED(disk), UNUSED(error);
    return emit(ctx, &((struct plain*)self)->limits);
}

static int32_t do_apply(void* self, const penstock_call* call, const penstock_key* key, penstock_str disk,
                        const penstock_limits* wanted, void* ctx, penstock_emit_limits emit, penstock_error* error) {
    penstock_limits* limits = &((struct plain*)self)->limits;
    uint32_t r;
    if (disk.n != 5 || memcmp(disk.p, "disk0", 5) != 0) return fail(error, PENSTOCK_E_GONE, 0, "no such disk");
    for (r = 0; r < PENSTOCK_RATE_COUNT; ++r) {
        if ((wanted->present & PENSTOCK_LIMIT_RATE(r)) != 0) limits->rate[r] = wanted->rate[r];
        if ((wanted->present & PENSTOCK_LIMIT_BURST(r)) != 0) {
            limits->burst[r] = wanted->burst[r];
            limits->burst_seconds[r] = wanted->burst_seconds[r];
        }
    }
    limits->present |= wanted->present & ~PENSTOCK_LIMIT_GROUP;
    return do_read(self, call, key, disk, ctx, emit, error);
}

static int32_t do_clear(void* self, const penstock_call* call, const penstock_key* key, penstock_str disk,
                        uint64_t mask, void* ctx, penstock_emit_limits emit, penstock_error* error) {
    ((struct plain*)self)->limits.present &= ~mask;
    return do_read(self, call, key, disk, ctx, emit, error);
}

static const penstock_native_limit_v1 native = {sizeof native, 0, do_support, do_read, do_apply, do_clear};

static const void* do_extension(uint32_t index, const char* id) {
    if (index != 0) return NULL;
    if (strcmp(id, PENSTOCK_EXT_CORE) == 0) return &core;
    return strcmp(id, PENSTOCK_EXT_NATIVE_LIMIT) == 0 ? (const void*)&native : NULL;
}
