/* SPDX-License-Identifier: Apache-2.0
 *
 * Preloaded into Xen's xenstored, it makes that run on a host without Xen: every domain exists, and nobody rings. What
 * is left is the real store behind the real socket. Wants NO_XEN_DIR, a directory for two small files.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/types.h>
#include <unistd.h>

enum { page_size = 4096 };
static int handle; /* its address stands for what Xen's libraries open */

typedef int (*open_function)(const char*, int, ...);

static open_function real_open(const char* name) {
    void* found = dlsym(RTLD_NEXT, name);
    open_function function;
    memcpy(&function, &found, sizeof function);
    return function;
}

/* The files of /proc/xen from which xenstored learns how dom0's kernel reaches it: an event channel, and a page. */
static int stand_in(const char* path) {
    char own[512];
    const char *name = strrchr(path, '/'), *directory = getenv("NO_XEN_DIR");
    int fd;
    if (directory == NULL || name == NULL || strncmp(path, "/proc/xen/", 10) != 0) return -2;
    snprintf(own, sizeof own, "%s%s", directory, name);
    fd = real_open("open")(own, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (fd < 0) return -1;
    if (strcmp(name, "/xsd_port") == 0 ? write(fd, "1", 1) != 1 : ftruncate(fd, page_size) != 0) return -1;
    lseek(fd, 0, SEEK_SET);
    return fd;
}

static int open_either(const char* name, const char* path, int flags, mode_t mode) {
    int fd = stand_in(path);
    return fd != -2 ? fd : real_open(name)(path, flags, mode);
}

#define OPEN(name)                                                                                                     \
    int name(const char* path, int flags, ...);                                                                        \
    int name(const char* path, int flags, ...) {                                                                       \
        mode_t mode = 0;                                                                                               \
        if ((flags & O_CREAT) != 0) {                                                                                  \
            va_list rest;                                                                                              \
            va_start(rest, flags);                                                                                     \
            mode = va_arg(rest, mode_t);                                                                               \
            va_end(rest);                                                                                              \
        }                                                                                                              \
        return open_either(#name, path, flags, mode);                                                                  \
    }
OPEN(open)
OPEN(open64)

/* libxenctrl, libxenevtchn, libxengnttab: as far as xenstored calls them. */
#define HANDLE(declaration)                                                                                            \
    void* declaration;                                                                                                 \
    void* declaration { return &handle; }
#define NUMBER(declaration, value)                                                                                     \
    int declaration;                                                                                                   \
    int declaration { return value; }
#pragma GCC diagnostic ignored "-Wunused-parameter"

HANDLE(xc_interface_open(void* log, void* dombuild, unsigned flags))
NUMBER(xc_interface_close(void* xc), 0)
HANDLE(xenevtchn_open(void* log, unsigned flags))
HANDLE(xenevtchn_fdopen(void* log, int fd, unsigned flags))
NUMBER(xenevtchn_bind_interdomain(void* evtchn, uint32_t domid, uint32_t port), 2)
NUMBER(xenevtchn_bind_virq(void* evtchn, unsigned virq), 3)
NUMBER(xenevtchn_notify(void* evtchn, uint32_t port), 0)
NUMBER(xenevtchn_unbind(void* evtchn, uint32_t port), 0)
NUMBER(xenevtchn_unmask(void* evtchn, uint32_t port), 0)
HANDLE(xengnttab_open(void* log, unsigned flags))
NUMBER(xengnttab_close(void* gnttab), 0)
NUMBER(xengnttab_set_max_grants(void* gnttab, uint32_t count), 0)
NUMBER(xengnttab_unmap(void* gnttab, void* page, uint32_t count), munmap(page, (size_t)count* page_size))

int xenevtchn_fd(void* evtchn);
int xenevtchn_fd(void* evtchn) {
    static int fd = -1;
    if (fd < 0) fd = eventfd(0, EFD_CLOEXEC);
    return fd;
}

int xenevtchn_pending(void* evtchn);
int xenevtchn_pending(void* evtchn) {
    errno = EAGAIN;
    return -1;
}

/* Its first fields: the domid, a security label, and bits that say that it is dying. */
int xc_domain_getinfo(void* xc, uint32_t first, unsigned count, void* info);
int xc_domain_getinfo(void* xc, uint32_t first, unsigned count, void* info) {
    memset(info, 0, 3 * sizeof(uint32_t));
    memcpy(info, &first, sizeof first);
    return 1;
}

void* xengnttab_map_grant_ref(void* gnttab, uint32_t domid, uint32_t reference, int protection);
void* xengnttab_map_grant_ref(void* gnttab, uint32_t domid, uint32_t reference, int protection) {
    return mmap(NULL, page_size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}
