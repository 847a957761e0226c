/* SPDX-License-Identifier: Apache-2.0
 *
 * The table of instances: one line each, NAME PIDFILE PATH..., separated by blanks; '#' begins a comment. */
#ifndef PROCESS_TABLE_H
#define PROCESS_TABLE_H

#include <stdint.h>

#define TABLE_LINE 4096 /* a longer line is no line of this table */
#define TABLE_PATHS 16
#define TABLE_ENTRIES 1024

struct entry {
    char line[TABLE_LINE]; /* what name and paths point into */
    const char* name;
    const char* paths[TABLE_PATHS];
    uint32_t path_count;
    int32_t pid;         /* of the process that the pid file names, now */
    uint64_t start_time; /* field 22 of /proc/PID/stat */
    char comm[16];
};

/* Reads the table at `table` up to TABLE_ENTRIES lines and calls `use` with each entry whose process runs, until it
 * returns non-zero; returns that, 0, or -errno of a table that cannot be read. `proc` is where procfs is. */
int32_t table_read(const char* table, const char* proc, int32_t (*use)(void* ctx, const struct entry* entry),
                   void* ctx);

#endif
