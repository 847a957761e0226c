/* SPDX-License-Identifier: Apache-2.0
 *
 * A plugin in plain C: processes that a table names are instances, the files and devices beside them their disks. The
 * table is `table` of the plugin's configuration, else <run>/penstock-processes; see table.h. */
#define _DEFAULT_SOURCE /* major(), minor() */
#include "table.h"

#include <penstock/plugin.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#define KIND "process"

struct plugin {
    const penstock_host* host;
    char table[4096];
    char proc[256];
};

static penstock_str string(const char* text) {
    penstock_str out = {text, (uint32_t)strlen(text), 0};
    return out;
}

static int equal(penstock_str a, const char* b) { return a.n == strlen(b) && memcmp(a.p, b, a.n) == 0; }

static int32_t fail(penstock_error* error, int32_t code, int32_t sys_errno, const char* what, const char* on) {
    error->code = code;
    error->sys_errno = sys_errno;
    snprintf(error->message, sizeof error->message, "%s %.200s", what, on);
    return code;
}

static int late(const struct plugin* self, const penstock_call* call) {
    return self->host->monotonic_ns(self->host->ctx) >= call->deadline_ns;
}

static void incarnation_of(const struct entry* entry, char* text, size_t size) {
    snprintf(text, size, "%d-%llu", (int)entry->pid, (unsigned long long)entry->start_time);
}

/* ---- probe ---- */

static int32_t probe(void* object, const penstock_call* call, void* ctx, penstock_emit_probe emit,
                     penstock_error* error) {
    const struct plugin* self = object;
    struct stat status;
    penstock_probe line;
    (void)call;
    (void)error;
    memset(&line, 0, sizeof line);
    line.struct_size = sizeof line;
    line.status = stat(self->table, &status) == 0 ? PENSTOCK_PROBE_PRESENT : PENSTOCK_PROBE_ABSENT;
    line.component = string("table");
    line.detail = string(self->table);
    return emit(ctx, &line);
}

/* ---- instances ---- */

struct instances {
    const struct plugin* self;
    const penstock_call* call;
    void* ctx;
    penstock_emit_instance emit;
};

static int32_t emit_instance(void* object, const struct entry* entry) {
    const struct instances* to = object;
    char incarnation[48];
    penstock_instance record;
    if (late(to->self, to->call)) return PENSTOCK_E_TIMEOUT;
    incarnation_of(entry, incarnation, sizeof incarnation);
    memset(&record, 0, sizeof record);
    record.struct_size = sizeof record;
    record.state = PENSTOCK_STATE_RUNNING;
    record.key.kind = string(KIND);
    record.key.id = record.name = string(entry->name);
    record.key.incarnation = string(incarnation);
    record.main_pid = entry->pid;
    record.main_start = entry->start_time;
    return to->emit(to->ctx, &record);
}

/* What table_read() returned, as the result of an operation. */
static int32_t finish(const struct plugin* self, int32_t result, penstock_error* error) {
    if (result == -ENOENT) return 0; /* no table: no instances */
    if (result == PENSTOCK_E_TIMEOUT) return fail(error, result, 0, "reading took too long:", self->table);
    return result;
}

static int32_t enumerate_instances(void* object, const penstock_call* call, void* ctx, penstock_emit_instance emit,
                                   penstock_error* error) {
    struct instances to;
    to.self = object;
    to.call = call;
    to.ctx = ctx;
    to.emit = emit;
    return finish(object, table_read(to.self->table, to.self->proc, emit_instance, &to), error);
}

/* ---- disks and actors of one instance ---- */

struct search {
    const penstock_key* key;
    struct entry* found; /* a copy, whose name is NULL until it is found */
};

static int32_t keep(void* object, const struct entry* entry) {
    struct search* search = object;
    char incarnation[48];
    uint32_t i;
    incarnation_of(entry, incarnation, sizeof incarnation);
    if (!equal(search->key->id, entry->name) || !equal(search->key->incarnation, incarnation)) return 0;
    *search->found = *entry;
    search->found->name = search->found->line + (entry->name - entry->line);
    for (i = 0; i < entry->path_count; ++i)
        search->found->paths[i] = search->found->line + (entry->paths[i] - entry->line);
    return 1;
}

static int32_t find(const struct plugin* self, const penstock_key* key, struct entry* found, penstock_error* error) {
    struct search search;
    search.key = key;
    search.found = found;
    found->name = NULL;
    (void)table_read(self->table, self->proc, keep, &search);
    return found->name != NULL ? 0 : fail(error, PENSTOCK_E_GONE, 0, "the process has ended, of", self->table);
}

static void describe_path(const char* path, penstock_layer* layer) {
    struct stat status;
    memset(layer, 0, sizeof *layer);
    layer->struct_size = sizeof *layer;
    layer->format = string("raw");
    layer->path = string(path);
    if (stat(path, &status) != 0) return;
    if (S_ISBLK(status.st_mode)) {
        layer->kind = PENSTOCK_LAYER_BLOCK;
        layer->flags = PENSTOCK_LAYER_HAS_RDEV;
        layer->rdev_major = major(status.st_rdev);
        layer->rdev_minor = minor(status.st_rdev);
    } else {
        layer->kind = S_ISDIR(status.st_mode) ? PENSTOCK_LAYER_DIRECTORY : PENSTOCK_LAYER_FILE;
        layer->flags = PENSTOCK_LAYER_HAS_ST_DEV;
        layer->st_dev_major = major(status.st_dev);
        layer->st_dev_minor = minor(status.st_dev);
    }
}

static int32_t enumerate_disks(void* object, const penstock_call* call, const penstock_key* key, void* ctx,
                               penstock_emit_disk emit, penstock_error* error) {
    struct entry entry;
    uint32_t i;
    int32_t result = find(object, key, &entry, error);
    (void)call;
    for (i = 0; result == 0 && i < entry.path_count; ++i) {
        char target[16];
        penstock_layer layer;
        penstock_disk record;
        snprintf(target, sizeof target, "disk%u", (unsigned)i);
        describe_path(entry.paths[i], &layer);
        memset(&record, 0, sizeof record);
        record.struct_size = sizeof record;
        record.cache_mode = PENSTOCK_CACHE_GUEST; /* as the process opens it */
        record.layer_count = 1;
        record.layer_stride = sizeof layer;
        record.layers = &layer;
        record.target = string(target);
        record.native_id = string(entry.paths[i]);
        record.driver = string("path");
        result = emit(ctx, &record);
    }
    return result;
}

static int32_t enumerate_actors(void* object, const penstock_call* call, const penstock_key* key, void* ctx,
                                penstock_emit_actor emit, penstock_error* error) {
    struct entry entry;
    penstock_actor record;
    const int32_t result = find(object, key, &entry, error);
    (void)call;
    if (result != 0) return result;
    memset(&record, 0, sizeof record);
    record.struct_size = sizeof record;
    record.role = PENSTOCK_ROLE_EMULATOR;
    record.pid = record.tid = entry.pid;
    record.start_time = entry.start_time;
    record.exclusive = record.movable = PENSTOCK_ANSWER_YES;
    record.name = string(entry.comm);
    return emit(ctx, &record);
}

/* ---- entry ---- */

static const penstock_core_v1 core = {sizeof(penstock_core_v1), 0, probe, enumerate_instances, enumerate_disks,
                                      enumerate_actors};

static const penstock_str kinds[] = {{KIND, sizeof KIND - 1, 0}};
static const penstock_str extensions[] = {{PENSTOCK_EXT_CORE, sizeof PENSTOCK_EXT_CORE - 1, 0}};

#define STR(text)                                                                                                      \
    { text, sizeof text - 1, 0 }
static const penstock_descriptor descriptor = {sizeof(penstock_descriptor),
                                               PENSTOCK_THREADS_PARALLEL,
                                               0,
                                               0,
                                               STR("org.penstock.example.process"),
                                               STR("Processes by pid file"),
                                               STR("Penstock"),
                                               STR("1.0.0"),
                                               1,
                                               1,
                                               kinds,
                                               extensions};

static const penstock_descriptor* describe(uint32_t index) { return index == 0 ? &descriptor : NULL; }

static int32_t take_table(void* object, penstock_str value) {
    struct plugin* self = object;
    if (value.n >= sizeof self->table) return PENSTOCK_E_MALFORMED;
    memcpy(self->table, value.p, value.n);
    self->table[value.n] = '\0';
    return 0;
}

static int32_t create(uint32_t index, const penstock_host* host, void** object, penstock_error* error) {
    struct plugin* self = index == 0 ? calloc(1, sizeof *self) : NULL;
    if (self == NULL) return fail(error, PENSTOCK_E_INTERNAL, ENOMEM, "cannot make the plugin", KIND);
    self->host = host;
    snprintf(self->table, sizeof self->table, "%.*s/penstock-processes", (int)host->run_root.n, host->run_root.p);
    snprintf(self->proc, sizeof self->proc, "%.*s", (int)host->proc_root.n, host->proc_root.p);
    if (host->config != NULL)
        (void)host->config(host->ctx, string("table"), self, take_table); /* not set: the default */
    *object = self;
    return 0;
}

static void destroy(void* object) { free(object); }

static const void* get_extension(uint32_t index, const char* id) {
    return index == 0 && strcmp(id, PENSTOCK_EXT_CORE) == 0 ? &core : NULL;
}

PENSTOCK_EXPORT extern const penstock_plugin_entry penstock_plugin_entry_v1;
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
                                                        get_extension};
