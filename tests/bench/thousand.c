/* SPDX-License-Identifier: Apache-2.0
 *
 * 1,000 instances with four disks each. For each it reads one file of /proc, as real plugins do at least. */
#include <penstock/plugin.h>

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { instance_count = 1000, disk_count = 4 };

static penstock_str text(const char* s) {
    penstock_str out = {s, (uint32_t)strlen(s), 0};
    return out;
}

static void read_process(void) {
    char buffer[1024];
    const int fd = open("/proc/self/stat", O_RDONLY | O_CLOEXEC);
    if (fd < 0) return;
    if (read(fd, buffer, sizeof buffer) < 0) buffer[0] = '\0';
    close(fd);
}

static int32_t probe(void* self, const penstock_call* call, void* ctx, penstock_emit_probe emit,
                     penstock_error* error) {
    penstock_probe line;
    (void)self, (void)call, (void)error;
    memset(&line, 0, sizeof line);
    line.struct_size = sizeof line;
    line.status = PENSTOCK_PROBE_PRESENT;
    line.component = text("thousand");
    return emit(ctx, &line);
}

static int32_t instances(void* self, const penstock_call* call, void* ctx, penstock_emit_instance emit,
                         penstock_error* error) {
    int32_t stopped = 0;
    int i;
    (void)self, (void)call, (void)error;
    for (i = 0; i < instance_count && stopped == 0; ++i) {
        char id[64], name[32];
        penstock_instance record;
        read_process();
        snprintf(id, sizeof id, "9d2e4bf1-7a37-4f0e-8a41-%012d", i);
        snprintf(name, sizeof name, "instance-%d", i);
        memset(&record, 0, sizeof record);
        record.struct_size = sizeof record;
        record.state = PENSTOCK_STATE_RUNNING;
        record.key.kind = text("thousand");
        record.key.id = text(id);
        record.key.incarnation = text("1-1");
        record.name = text(name);
        stopped = emit(ctx, &record);
    }
    return stopped;
}

static int32_t disks(void* self, const penstock_call* call, const penstock_key* key, void* ctx, penstock_emit_disk emit,
                     penstock_error* error) {
    int32_t stopped = 0;
    int i;
    (void)self, (void)call, (void)key, (void)error;
    read_process();
    for (i = 0; i < disk_count && stopped == 0; ++i) {
        char target[16];
        penstock_layer layer;
        penstock_disk record;
        snprintf(target, sizeof target, "vd%c", 'a' + i);
        memset(&layer, 0, sizeof layer);
        layer.struct_size = sizeof layer;
        layer.kind = PENSTOCK_LAYER_BLOCK;
        layer.format = text("raw");
        layer.path = text("/dev/vg/an-image-of-a-guest");
        memset(&record, 0, sizeof record);
        record.struct_size = sizeof record;
        record.layer_count = 1;
        record.layer_stride = sizeof layer;
        record.layers = &layer;
        record.target = text(target);
        record.native_id = text(target);
        stopped = emit(ctx, &record);
    }
    return stopped;
}

static int32_t actors(void* self, const penstock_call* call, const penstock_key* key, void* ctx,
                      penstock_emit_actor emit, penstock_error* error) {
    penstock_actor record;
    (void)self, (void)call, (void)key, (void)error;
    read_process();
    memset(&record, 0, sizeof record);
    record.struct_size = sizeof record;
    record.role = PENSTOCK_ROLE_EMULATOR;
    record.pid = record.tid = 4711;
    record.name = text("emulator");
    return emit(ctx, &record);
}

static const penstock_core_v1 core = {sizeof core, 0, probe, instances, disks, actors};

#define STR(s)                                                                                                         \
    { s, sizeof s - 1, 0 }
static const penstock_str kinds[] = {STR("thousand")}, extensions[] = {STR(PENSTOCK_EXT_CORE)};
static const penstock_descriptor descriptor = {sizeof descriptor,
                                               PENSTOCK_THREADS_PARALLEL,
                                               0,
                                               0,
                                               STR("org.penstock.bench.thousand"),
                                               STR("Bench"),
                                               STR("Penstock"),
                                               STR("1.0"),
                                               1,
                                               1,
                                               kinds,
                                               extensions};

static const penstock_descriptor* describe(uint32_t index) { return index == 0 ? &descriptor : NULL; }
static int32_t create(uint32_t index, const penstock_host* host, void** self, penstock_error* error) {
    (void)index, (void)host, (void)error;
    *self = (void*)&core;
    return 0;
}
static void destroy(void* self) { (void)self; }
static const void* extension(uint32_t index, const char* id) {
    return index == 0 && strcmp(id, PENSTOCK_EXT_CORE) == 0 ? &core : NULL;
}

extern PENSTOCK_EXPORT const penstock_plugin_entry penstock_plugin_entry_v1;
const penstock_plugin_entry penstock_plugin_entry_v1 = {sizeof(penstock_plugin_entry),
                                                        PENSTOCK_MAGIC,
                                                        PENSTOCK_ABI_MAJOR,
                                                        PENSTOCK_ABI_MINOR,
                                                        0,
                                                        1,
                                                        STR("1.0.0"),
                                                        describe,
                                                        create,
                                                        destroy,
                                                        extension};
