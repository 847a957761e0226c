/* SPDX-License-Identifier: Apache-2.0
 *
 * A plugin that does right, in plain C. A failing one defines what it does wrong, and includes this for the rest. */
#ifndef SKELETON_H
#define SKELETON_H

#include <penstock/plugin.h>

#include <stdio.h>
#include <string.h>

#ifndef PLUGIN_KIND
#define PLUGIN_KIND "test"
#endif

#define UNUSED(x) (void)(x)
#define STR(literal)                                                                                                   \
    { literal, sizeof(literal) - 1, 0 }

static inline penstock_str text(const char* s) {
    penstock_str out;
    out.p = s;
    out.n = (uint32_t)strlen(s);
    out.reserved = 0;
    return out;
}

static inline int32_t fail(penstock_error* error, int32_t code, int32_t sys_errno, const char* message) {
    error->code = code;
    error->sys_errno = sys_errno;
    snprintf(error->message, sizeof error->message, "%s", message);
    return code;
}

static inline penstock_instance an_instance(const char* id, const char* name) {
    penstock_instance out;
    memset(&out, 0, sizeof out);
    out.struct_size = sizeof out;
    out.state = PENSTOCK_STATE_RUNNING;
    out.key.kind = text(PLUGIN_KIND);
    out.key.id = text(id);
    out.key.incarnation = text("1-1");
    out.name = text(name);
    out.main_pid = 1;
    out.main_start = 1;
    return out;
}

static inline penstock_disk a_disk(const char* target, const char* native_id) {
    penstock_disk out;
    memset(&out, 0, sizeof out);
    out.struct_size = sizeof out;
    out.layer_stride = sizeof(penstock_layer);
    out.target = text(target);
    out.native_id = text(native_id);
    return out;
}

#ifndef OWN_PROBE
static int32_t do_probe(void* self, const penstock_call* call, void* ctx, penstock_emit_probe emit,
                        penstock_error* error) {
    penstock_probe record;
    UNUSED(self), UNUSED(call), UNUSED(error);
    memset(&record, 0, sizeof record);
    record.struct_size = sizeof record;
    record.status = PENSTOCK_PROBE_PRESENT;
    record.component = text("skeleton");
    record.version = text("1");
    return emit(ctx, &record);
}
#endif

#ifndef OWN_INSTANCES
static int32_t do_instances(void* self, const penstock_call* call, void* ctx, penstock_emit_instance emit,
                            penstock_error* error) {
    const penstock_instance record = an_instance("id-1", "one");
    UNUSED(self), UNUSED(call), UNUSED(error);
    return emit(ctx, &record);
}
#endif

#ifndef OWN_DISKS
static int32_t do_disks(void* self, const penstock_call* call, const penstock_key* key, void* ctx,
                        penstock_emit_disk emit, penstock_error* error) {
    const penstock_disk record = a_disk("vda", "disk0");
    UNUSED(self), UNUSED(call), UNUSED(key), UNUSED(error);
    return emit(ctx, &record);
}
#endif

#ifndef OWN_ACTORS
static int32_t do_actors(void* self, const penstock_call* call, const penstock_key* key, void* ctx,
                         penstock_emit_actor emit, penstock_error* error) {
    penstock_actor record;
    UNUSED(self), UNUSED(call), UNUSED(key), UNUSED(error);
    memset(&record, 0, sizeof record);
    record.struct_size = sizeof record;
    record.role = PENSTOCK_ROLE_EMULATOR;
    record.pid = 1;
    record.tid = 1;
    record.name = text("skeleton");
    return emit(ctx, &record);
}
#endif

#ifndef OWN_CORE
static const penstock_core_v1 core = {sizeof core, 0, do_probe, do_instances, do_disks, do_actors};
#endif

#ifndef OWN_EXTENSION
static const void* do_extension(uint32_t index, const char* id) {
    UNUSED(index);
    return strcmp(id, PENSTOCK_EXT_CORE) == 0 ? &core : NULL;
}
#endif

#ifndef PLUGIN_THREADS
#define PLUGIN_THREADS PENSTOCK_THREADS_SERIAL
#endif
#ifndef OWN_DESCRIBE
static const penstock_str kinds[] = {STR(PLUGIN_KIND)};
static const penstock_str extensions[] = {STR(PENSTOCK_EXT_CORE)};
static const penstock_descriptor descriptor = {sizeof(penstock_descriptor),
                                               PLUGIN_THREADS,
                                               0,
                                               0,
                                               STR(PLUGIN_ID),
                                               STR("Test"),
                                               STR("Penstock"),
                                               STR("1.0"),
                                               1,
                                               1,
                                               kinds,
                                               extensions};
static const penstock_descriptor* do_describe(uint32_t index) { return index == 0 ? &descriptor : NULL; }
#endif

#ifndef OWN_CREATE
static int32_t do_create(uint32_t index, const penstock_host* host, void** self, penstock_error* error) {
    UNUSED(index), UNUSED(host), UNUSED(error);
    *self = (void*)(uintptr_t)&core;
    return 0;
}
#endif
static void do_destroy(void* self) { UNUSED(self); }

#ifndef ENTRY_SIZE
#define ENTRY_SIZE sizeof(penstock_plugin_entry)
#endif
#ifndef ENTRY_MAGIC
#define ENTRY_MAGIC PENSTOCK_MAGIC
#endif
#ifndef ENTRY_MAJOR
#define ENTRY_MAJOR PENSTOCK_ABI_MAJOR
#endif
#ifndef ENTRY_DESCRIBE
#define ENTRY_DESCRIBE do_describe
#endif
#ifndef OWN_ENTRY
#ifdef __cplusplus
extern "C" {
#endif
extern PENSTOCK_EXPORT const penstock_plugin_entry penstock_plugin_entry_v1;
const penstock_plugin_entry penstock_plugin_entry_v1 = {ENTRY_SIZE, ENTRY_MAGIC, ENTRY_MAJOR,  PENSTOCK_ABI_MINOR,
                                                        0,          1,           STR("1.0.0"), ENTRY_DESCRIBE,
                                                        do_create,  do_destroy,  do_extension};
#ifdef __cplusplus
}
#endif
#endif

#endif
