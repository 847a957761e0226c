/* SPDX-License-Identifier: Apache-2.0
 *
 * A plugin of a later minor version: its structs have grown at the tail, and so have the elements of its arrays. */
#define OWN_INSTANCES
#define OWN_DISKS
#define OWN_ENTRY
#include <penstock/plugin.h>
static int32_t do_instances(void* self, const penstock_call* call, void* ctx, penstock_emit_instance emit,
                            penstock_error* error);
static int32_t do_disks(void* self, const penstock_call* call, const penstock_key* key, void* ctx,
                        penstock_emit_disk emit, penstock_error* error);
#include "skeleton.h"

#define NEWS 0x5555555555555555u

static int32_t do_instances(void* self, const penstock_call* call, void* ctx, penstock_emit_instance emit,
                            penstock_error* error) {
    struct {
        penstock_instance known;
        uint64_t news[4];
    } record = {an_instance("id-1", "one"), {NEWS, NEWS, NEWS, NEWS}};
    UNUSED(self), UNUSED(call), UNUSED(error);
    record.known.struct_size = sizeof record;
    record.known.state = 77; /* a state that this host does not know */
    return emit(ctx, &record.known);
}

static int32_t do_disks(void* self, const penstock_call* call, const penstock_key* key, void* ctx,
                        penstock_emit_disk emit, penstock_error* error) {
    struct {
        penstock_layer known;
        uint64_t news;
    } layers[2];
    penstock_disk record = a_disk("vda", "disk0");
    UNUSED(self), UNUSED(call), UNUSED(key), UNUSED(error);
    memset(layers, 0x55, sizeof layers);
    memset(&layers[0].known, 0, sizeof layers[0].known);
    memset(&layers[1].known, 0, sizeof layers[1].known);
    layers[0].known.struct_size = layers[1].known.struct_size = sizeof layers[0];
    layers[0].known.path = text("/top");
    layers[1].known.path = text("/base");
    record.layers = &layers[0].known;
    record.layer_count = 2;
    record.layer_stride = sizeof layers[0];
    return emit(ctx, &record);
}

/* Found by its name: a struct that begins as penstock_plugin_entry does. */
struct grown_entry {
    penstock_plugin_entry known;
    uint64_t news[2];
};
PENSTOCK_EXPORT extern const struct grown_entry grown __asm__("penstock_plugin_entry_v1");
const struct grown_entry grown = {{sizeof(struct grown_entry), PENSTOCK_MAGIC, PENSTOCK_ABI_MAJOR, 9, 0, 1,
                                   STR("1.9.0"), do_describe, do_create, do_destroy, do_extension},
                                  {NEWS, NEWS}};
