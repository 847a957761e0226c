/* SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L
#include "table.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Up to size - 1 bytes of a file, as a string; -1 where it cannot be read. A FIFO in its place does not block. */
static int read_text(const char* path, char* text, size_t size) {
    const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    ssize_t n;
    if (fd < 0) return -1;
    n = read(fd, text, size - 1);
    close(fd);
    if (n < 0) return -1;
    text[n] = '\0';
    return 0;
}

/* "4711 (comm) S 1 ..." of <proc>/PID/stat; -1 where the process has ended. */
static int read_process(const char* proc, struct entry* entry) {
    char path[256], text[1024];
    const char *open, *close;
    unsigned long long start;
    char state;
    size_t length;
    if (snprintf(path, sizeof path, "%s/%d/stat", proc, (int)entry->pid) >= (int)sizeof path) return -1;
    if (read_text(path, text, sizeof text) != 0) return -1;
    open = strchr(text, '(');
    close = strrchr(text, ')'); /* the name is the process's own choice, and may hold some */
    if (open == NULL || close == NULL || close < open) return -1;
    if (sscanf(close + 1, " %c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %*u %*u %*d %*d %*d %*d %*d %*d %llu", &state,
               &start) != 2)
        return -1;
    if (state == 'Z' || state == 'X') return -1;
    length = (size_t)(close - open - 1);
    if (length >= sizeof entry->comm) length = sizeof entry->comm - 1;
    memcpy(entry->comm, open + 1, length);
    entry->comm[length] = '\0';
    entry->start_time = start;
    return 0;
}

static int read_pid(const char* path, int32_t* pid) {
    char text[32], *end;
    long value;
    if (path == NULL || read_text(path, text, sizeof text) != 0) return -1;
    value = strtol(text, &end, 10);
    if (end == text || (*end != '\0' && *end != '\n') || value <= 0 || value > INT32_MAX) return -1;
    *pid = (int32_t)value;
    return 0;
}

/* Cuts the line into words; 0 where it has a name and a pid file whose process runs. */
static int parse(const char* proc, struct entry* entry) {
    char *rest = NULL, *word;
    const char* pid_file;
    entry->line[strcspn(entry->line, "#\n")] = '\0';
    entry->name = strtok_r(entry->line, " \t", &rest);
    pid_file = strtok_r(NULL, " \t", &rest);
    entry->path_count = 0;
    while (entry->path_count < TABLE_PATHS && (word = strtok_r(NULL, " \t", &rest)) != NULL)
        entry->paths[entry->path_count++] = word;
    if (entry->name == NULL || read_pid(pid_file, &entry->pid) != 0) return -1;
    return read_process(proc, entry);
}

int32_t table_read(const char* table, const char* proc, int32_t (*use)(void* ctx, const struct entry* entry),
                   void* ctx) {
    const int fd = open(table, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    FILE* file = fd < 0 ? NULL : fdopen(fd, "r");
    struct entry entry;
    int32_t result = 0;
    int lines = 0;
    if (file == NULL) {
        result = -errno;
        if (fd >= 0) close(fd);
        return result;
    }
    while (result == 0 && lines++ < TABLE_ENTRIES && fgets(entry.line, sizeof entry.line, file) != NULL)
        if (parse(proc, &entry) == 0) result = use(ctx, &entry);
    fclose(file);
    return result;
}
